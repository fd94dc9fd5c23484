"""A company name as given, taken apart: legal form, core, local-script names, former names, search variants."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from s2r.lang.legal_forms import form_first, form_last
from s2r.lang.name_words import LEADING, PLACES
from s2r.lang.text import fold_text

_FORMER = re.compile(
    r"(?i)^\s*(?:the\s+)?(?:formerly(?:\s+known\s+as)?|f\s*/\s*k\s*/\s*a|f\.k\.a\.|fka|previously(?:\s+known\s+as)?|prior\s+name|former\s+name|old\s+name|ex[-\s:]"
    r"|vormals|früher|vorm\.|ehemals|anciennement|ex-|antes|anteriormente(?:\s+denominada)?|antigua(?:mente)?|antiga(?:mente)?|già|precedentemente"
    r"|dawniej|poprzednio|tidigare|tidl\.|tidligere|entinen|aiemmin|voorheen|dahulu|dahulunya|trước\s+đây|eski|ранее|旧社名|旧商号|旧|舊稱|旧称|曾用名|原名|原|前稱|前称|구|구\s)"
    r"[\s:：]*(?=\S)"
)
_NOW = re.compile(r"(?i)^\s*(?:now(?:\s+known\s+as)?|n/k/a|renamed|jetzt|maintenant|ahora|agora|ora|nu|現|现|현)[\s:：]+(?=\S)")
_INLINE_FORMER = re.compile(
    r"(?i)[\s,;]+(?:formerly(?:\s+known\s+as)?|f\s*/\s*k\s*/\s*a|fka|previously\s+known\s+as|vormals|anciennement)\s+"
)
_EDGAR_TAIL = re.compile(r"\s*/\s*[A-Z]{2,5}\s*/?\s*$")
_SPLIT = re.compile(r"\s+/\s+|\s*;\s*")
_SHARE_TAIL = re.compile(
    r"(?i)[\s,]*\((?:publ|the|new|old|holding|in (?:liquidation|administration|receivership)|i\.l\."
    r"|in liquidazione|en liquidaci[óo]n|w\s+likwidacji)\.?\)\s*$"
    # the state of a company behind its form: "N.V. in liquidatie", "AG i.L."
    r"|(?<=[\w.])[\s,]+\(?(?:in (?:liquidation|liquidatie|vereffening|abwicklung|insolvenz|konkurs|liquidazione)"
    r"|en (?:liquidation(?: judiciaire)?|liquidaci[óo]n)|em (?:liquida[çc][ãa]o|recupera[çc][ãa]o judicial)"
    r"|(?:i|under) (?:likvidation|likvidasjon|konkurs|avvikling|rekonstruktion)|selvitystilassa|konkurssissa"
    r"|w likwidacji|w upadło[śs]ci|i\. ?[LKA]\.)\)?\s*$"
)
_CJK = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_UMLAUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ß": "ss",
        "ø": "oe",
        "Ø": "Oe",
        "å": "aa",
        "Å": "Aa",
        "æ": "ae",
        "Æ": "Ae",
    }
)
_PLAIN = str.maketrans(
    {
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ß": "ss",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
        "ı": "i",
        "þ": "th",
        "ð": "d",
    }
)


@dataclass(frozen=True, slots=True)
class NameParts:
    """One issuer name taken apart. `local`: other-script, translated or current names given beside it; `former`: earlier names."""

    main: str
    core: str
    families: tuple[str, ...]
    local: tuple[str, ...] = ()
    former: tuple[str, ...] = ()


def has_cjk(text: str) -> bool:
    """True when `text` holds a script written without spaces between words (Han, kana, Hangul, Thai, Lao, Burmese, Khmer)."""
    return _CJK.search(text) is not None


@lru_cache(maxsize=1024)
def parse_name(name: str) -> NameParts:
    """Take a name as delivered apart; never raises, an empty name gives empty parts."""
    text = re.sub(r"\s+", " ", name).strip().strip('"').strip()
    text = _EDGAR_TAIL.sub("", text) or text
    former: list[str] = []
    local: list[str] = []
    if (inline := _INLINE_FORMER.search(text)) and text.count("(", 0, inline.start()) == text.count(")", 0, inline.start()):
        former.append(text[inline.end() :].strip(" ,;"))
        text = text[: inline.start()].rstrip(" ,;")
    text = _take_parentheses(text, local, former)
    main, *others = [part for part in _SPLIT.split(text) if part] or [""]
    local.extend(others)
    core, families = strip_forms(main)
    return NameParts(main, core, families, tuple(dict.fromkeys(local)), tuple(dict.fromkeys(former)))


def _take_parentheses(text: str, local: list[str], former: list[str]) -> str:
    """Remove parenthesised other names, filing each; parts of the name itself ("(BVI)", "(publ)", "(주)") stay."""
    out: list[str] = []
    at = 0
    for start, end in _groups(text):
        inner = text[start + 1 : end - 1].strip()
        if match := _FORMER.match(inner):
            former.append(inner[match.end() :].strip())
        elif match := _NOW.match(inner):
            local.append(inner[match.end() :].strip())
        elif _is_other_name(inner, text[:start], text[end:]):
            local.append(inner)
        else:
            continue
        out.append(text[at:start].rstrip())
        at = end
    out.append(text[at:])
    return re.sub(r"\s+", " ", " ".join(part for part in out if part)).strip(" ,")


def _groups(text: str) -> list[tuple[int, int]]:
    """Spans of the outermost balanced parentheses."""
    spans: list[tuple[int, int]] = []
    depth = start = 0
    for i, char in enumerate(text):
        if char in "(（":
            if depth == 0:
                start = i
            depth += 1
        elif char in ")）" and depth:
            depth -= 1
            if depth == 0:
                spans.append((start, i + 1))
    return spans


def _is_other_name(inner: str, before: str, after: str) -> bool:
    if (
        not before.strip()
        or len(inner) < 2
        or form_last(f"x {inner}") == (1, "")
        or inner.lower() in {"publ", "persero", "มหาชน", "株", "주", "有", "集团", "集團"}
    ):
        return False
    if has_cjk(inner) != has_cjk(before) or (not inner.isascii() and before.isascii() and not _latin(inner)):
        return True
    if after.strip(" .,"):
        return False  # "Man Tung Finance (BVI) Limited": a place inside the name
    if form_first(inner) or (form_last(inner) and len(inner) > 6):
        return True
    words = _bare(inner).split()
    return any(len(word) >= 4 and word not in PLACES for word in words) and not (_SHARE_TAIL.match(f"({inner})"))


def _latin(text: str) -> bool:
    return all("LATIN" in unicodedata.name(c, "") for c in text if c.isalpha())


@lru_cache(maxsize=2048)
def strip_forms(name: str) -> tuple[str, tuple[str, ...]]:
    """(core, families of the removed forms): legal forms and decoration off both ends, never down to nothing."""
    families: list[str] = []
    text = name.strip(' ,;"„“”«»')
    while True:
        shorter = _SHARE_TAIL.sub("", text)
        if shorter == text and (last := form_last(text)) and _names_something(text[: last[0]]):
            families.append(last[1])
            shorter = text[: last[0]]
        elif shorter == text and (first := form_first(text)) and _names_something(text[first[0] :]):
            families.append(first[1])
            shorter = text[first[0] :]
        if shorter == text:
            return text, tuple(dict.fromkeys(families))
        shorter = re.sub(r"(?i)(?:\s*[&,;.+/(（・-]|\s+(?:and|und|et|y|og|och))+$", "", shorter.strip()).strip(' ,;"„“”«»')
        text = shorter


def _names_something(text: str) -> bool:
    words = _bare(text).split()
    return any(any(c.isalnum() for c in word) and word not in LEADING for word in words)


def _bare(text: str) -> str:
    return bare(fold_text(text))


class _Bare(dict[int, str]):
    """For `str.translate`, which is slow for what a table does not hold."""

    def __missing__(self, code: int) -> str:
        self[code] = char = chr(code)
        return char


def _bare_map() -> _Bare:
    table: dict[int, str] = {}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base != chr(code):
            table[code] = base
    return _Bare(table | {ord(a): b for a, b in zip("øłđıðØŁĐ", "oldidOLD", strict=True)})


_BARE = _bare_map()
_ACCENTED = re.compile(f"[{''.join(map(chr, _BARE))}]")


def bare(folded: str) -> str:
    """Folded text with Latin accents taken off, character for character (same length)."""
    return folded if folded.isascii() or _ACCENTED.search(folded) is None else folded.translate(_BARE)


def core_name(name: str) -> str:
    """The distinctive name without legal forms of any market: 'Tessaline Networks, Inc.' -> 'Tessaline Networks'."""
    return parse_name(name).core


def local_names(name: str) -> tuple[str, ...]:
    """Names in another script or language given in the issuer field, each followed by its core."""
    return _with_cores(parse_name(name).local)


def former_names(name: str) -> tuple[str, ...]:
    """Earlier names given in the issuer field ('formerly', 'f/k/a', 'vormals', '旧'), each followed by its core."""
    return _with_cores(parse_name(name).former)


def _with_cores(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for name in names for form in (name, strip_forms(name)[0])))


def acronym(name: str) -> str:
    """Initial letters of the core's words (an alias to flag, never a name to match alone); '' for a single word."""
    words = [
        w for w in re.findall(r"[^\W_]+", core_name(name)) if _bare(w) not in {"of", "and", "de", "the", "du", "des", "und", "et", "y"}
    ]
    return "".join(w[0].upper() for w in words) if len(words) > 1 and not has_cjk(name) else ""


def spellings(name: str) -> tuple[str, ...]:
    """`name` with its spelling variants: '&'/'and', without 'The', umlauts written out, accents off."""
    out = [name]
    if re.search(r"\s&\s", name):
        out.append(re.sub(r"\s&\s", " and ", name))
    elif re.search(r"(?i)\sand\s", name):
        out.append(re.sub(r"(?i)\sand\s", " & ", name))
    out += [re.sub(r"(?i)^the\s+", "", form) for form in out]
    out += [form.translate(_UMLAUT) for form in out]
    out += [
        "".join(c for c in unicodedata.normalize("NFD", form) if not unicodedata.combining(c)).translate(_PLAIN) if _latin(form) else form
        for form in out
        if not form.isascii()  # which is its own plain spelling
    ]
    return tuple(dict.fromkeys(out))


def name_variants(name: str) -> tuple[str, ...]:
    """All forms worth searching and matching, best first: full, core, local names, their spellings, former names last."""
    parts = parse_name(name)
    forms = [parts.main, parts.core, *local_names(name)]
    forms += [spelling for form in (parts.core, parts.main, *local_names(name)) for spelling in spellings(form)[1:]]
    forms += former_names(name)
    return tuple(dict.fromkeys(form for form in forms if form))

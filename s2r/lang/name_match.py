"""Finding an issuer in text and telling near-namesakes apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from s2r.lang.legal_forms import CJK_FORM, CJK_NAME, form_after, form_before
from s2r.lang.literals import spread
from s2r.lang.name_parts import bare, has_cjk, parse_name, spellings, strip_forms
from s2r.lang.name_words import CJK_INDUSTRY, CJK_STRUCTURE, HEADLINE_VERBS, LEADING, PEOPLE, ROLE_WORDS, WEAK, is_distinctive, is_generic
from s2r.lang.text import Folded, fold, fold_text


class Strength(StrEnum):
    """How surely a mention names the issuer. NAMESAKE: the words are there, but they are part of another name."""

    FULL = "full"
    CORE = "core"
    SHORT = "short"
    NAMESAKE = "namesake"


class NameMention(NamedTuple):
    """One mention; `start`/`end` are original offsets. `form_differs`: a legal form follows that the listing does not have."""

    start: int
    end: int
    text: str
    strength: Strength
    former: bool = False
    form_differs: bool = False


@dataclass(frozen=True, slots=True)
class _Variant:
    pattern: str
    strength: Strength
    former: bool
    families: tuple[str, ...]
    rest: tuple[str, ...]  # own words that follow a short form
    size: int
    single: bool  # one word: the mention must start with a capital
    proud: bool  # every word must be capitalised (a name made of ordinary words)
    cjk: bool
    alone: bool  # may be matched without a legal form
    held: str  # a string that each match holds
    head: str  # one with which each match begins, "" when there is none


_AND = r" ?(?:&|\+|and|und|et|og|och|en|y|e|i|ja) ?"
# edges of a word written with spaces; Han, kana and Hangul may touch it ("TDK株式会社")
_LETTER = r"[^\W\u3040-\u9fff\uac00-\ud7af]"
_START, _END = rf"(?<!{_LETTER})", rf"(?!{_LETTER})"
_UNSPACED = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_LOOK = 64  # characters that an expression may look beyond a name
_AND_TIGHT = r"(?: ?& ?| and )"  # 'AT&T'
# letters with their marks, in any script
_WORD = re.compile(r"[^\s!-/:-@\[-`{-~\u00a1-\u00bf\u00d7\u00f7\u2010-\u205e\u3001-\u3003\u3008-\u3011]+|[&+]")
_LEGAL_EQUAL = (
    {"corp", "ltd", "plc", "gufen"},
    {"jsc", "sa"},
    {"sa", "spa", "nv", "se"},
    {"kk", "ltd", "corp"},
    {"gufen", "ltd", "corp"},
    {"kr", "ltd", "corp"},
    {"ag", "sa", "ltd"},
    {"bhd", "ltd"},
)
_NEXT_WORD = re.compile(r"[^\S\n]?[^\S\n]?(?:[&+][^\S\n]?)?([^\W\d_][\w.'’]*(?:-[\w.'’]+)*|\([A-Z][\w .]{1,20}\))")
_PREVIOUS = re.compile(r"([^\W\d_][\w.’']*)[^\S\n]{1,2}$")
_PERSON_TAIL = re.compile(r"[,\s]{1,2}(?:Jr|Sr|II|III|IV)\b")
_PARTICLE = re.compile(
    "[与和及在的是有向被对由将于为系以关就受让转即原拟等]|公司|收购|收購|持有|增持|减持|签署|宣布|公告|决定|申请|董事|股东|股票|股份|退市|终止|上市|出售|出资|认购|设立|更名"
    "|은|는|이|가|을|를|의|에|와|과|도|로|만|등"
)
_OWNER = re.compile(r"['’]s$")
_OWNS = ("'s", "’s", "'S", "’S", "'ſ", "’ſ")
_VIETNAMESE = re.compile("[ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđăơưẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸĐĂƠƯ]")
# generic words that follow a name without making it another company's
_NO_OTHER_NAME = frozenset(
    {"group", "gruppe", "groupe", "grupo", "gruppo", "grupa", "market", "markets", "securities", "security", "equity", "stock", "sub"}
)
_OTHER_ENTITY = frozenset({"holdings", "holding", "bidco", "topco", "midco", "finco", "newco", "holdco"})
_ROMANCE = frozenset({"sa", "spa", "sab", "sl", "sas"})
_NOVEL = frozenset({"new", "neue", "neuer", "nouvelle", "nueva", "nuova", "nova", "nowa", "nya", "ny", "nye", "old", "former"})


class NameMatcher:
    """Mentions of one issuer, compiled once per listing."""

    def __init__(self, issuer: str) -> None:
        parts = parse_name(issuer)
        self.issuer = issuer
        families = set(parts.families)
        for local in parts.local:
            families.update(strip_forms(local)[1])
        variants: dict[str, _Variant] = {}
        for name, former in [(parts.main, False), *((x, False) for x in parts.local), *((x, True) for x in parts.former)]:
            for variant in _variants(name, former, tuple(families)):
                variants.setdefault(variant.pattern, variant)
        self._variants = tuple(sorted(variants.values(), key=lambda v: (-v.size, v.strength != Strength.CORE)))
        self._held = frozenset(variant.held for variant in self._variants)
        self._heads = frozenset(variant.head for variant in self._variants)
        self._reach = max((2 * len(variant.pattern) + _LOOK for variant in self._variants), default=0)
        self._regexes: dict[bool, re.Pattern[str]] = {}

    def find(self, text: str, folded: Folded | None = None) -> tuple[NameMention, ...]:
        """All mentions in reading order, namesakes included; pass `folded` = fold(text) when it is at hand."""
        folded = folded or fold(text)
        plain = bare(folded.text)
        found: list[NameMention] = []
        for match in self._matches(plain):
            variant = self._variants[(match.lastindex or 1) - 1]
            start, end = folded.span(match.start(), match.end())
            if mention := _judge(variant, text, start, end):
                found.append(mention)
        return tuple(found)

    def _matches(self, plain: str) -> Iterator[re.Match[str]]:
        """Matches of all variants in bare folded text, sought where one begins, or else near what each holds."""
        beginnings = all(self._heads)
        places = {at for string in (self._heads if beginnings else self._held) for at in _places(plain, string)}
        if not places:
            return
        regex = self._regex(unspaced=not plain.isascii() and _UNSPACED.search(plain) is not None)
        if not beginnings:
            for low, high in spread(places, self._reach):
                yield from regex.finditer(plain, low, high)
            return
        end = 0
        for at in sorted(places):
            if at >= end and (match := regex.match(plain, at)):
                end = match.end()
                yield match

    def _regex(self, *, unspaced: bool) -> re.Pattern[str]:
        """One expression for all variants, of texts with or without scripts that put no spaces between words."""
        if unspaced not in self._regexes:
            self._regexes[unspaced] = re.compile("|".join(_alternatives(self._variants, unspaced=unspaced)))
        return self._regexes[unspaced]


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _alternatives(variants: Iterable[_Variant], *, unspaced: bool) -> Iterator[str]:
    """One group per variant, in order; neighbours in Latin script share the edges of words, which are slow to compile where
    letters of other scripts may touch them."""
    start, end = (_START, _END) if unspaced else (r"(?<!\w)", r"(?!\w)")
    for cjk, run in groupby(variants, key=lambda variant: variant.cjk):
        body = "|".join(f"({variant.pattern})" for variant in run)
        yield body if cjk else f"{start}(?:{body}){end}"


@lru_cache(maxsize=1024)
def name_matcher(issuer: str) -> NameMatcher:
    """The matcher of an issuer name, cached."""
    return NameMatcher(issuer)


def _variants(name: str, former: bool, families: tuple[str, ...]) -> list[_Variant]:
    core, own = strip_forms(name)
    if sum(c.isalnum() for c in core) < 2:
        return []
    families = own if former else families
    out: list[_Variant] = []
    if has_cjk(core):
        out.append(_cjk_variant(core, Strength.CORE, former, families, ""))
        for short in _cjk_shorts(core, own):
            out.append(_cjk_variant(short, Strength.SHORT, former, families, core[len(short) :]))
        if "gufen" in own and len(core) >= 3:
            held = bare(fold_text(core))[:2]
            stem = re.escape(held)
            pattern = rf"(?:\*st|s\*st|sst|st|退市) ?{stem}|{stem}退(?!市)"
            out.append(_Variant(pattern, Strength.SHORT, former, families, (), 3, False, False, True, True, held, ""))
        return out
    for spelling in spellings(core):
        words = _WORD.findall(bare(fold_text(spelling)))
        if not words:
            continue
        out.append(_latin_variant(spelling, words, len(words), Strength.CORE, former=former, families=families))
        out.extend(_latin_variant(spelling, words, n, Strength.SHORT, former=former, families=families) for n in _short_lengths(words))
        if (lead := _leading(words, bool(_ROMANCE & set(own)))) and is_distinctive(words[lead]):
            out.append(
                _latin_variant(spelling, words[lead:], len(words) - lead, Strength.SHORT, former=former, families=families, skip=lead)
            )
    return out


def _short_lengths(words: list[str]) -> list[int]:
    """How many leading words make a short form: trailing generic words dropped, and the first word alone when it is distinctive."""
    lengths: list[int] = []
    n = len(words)
    while n > 1 and (is_generic(words[n - 1]) or words[n - 1] in {"&", "+", "and", "of", "de"}):
        n -= 1
        if (
            words[n - 1] not in {"&", "+", "and", "of", "de"}
            and any(is_distinctive(w) for w in words[:n])
            and (n > 1 or len(words[0]) >= 5)
        ):
            lengths.append(n)
    first = words[0] if words else ""
    if len(words) > 1 and 1 not in lengths and len(first) >= 5 and is_distinctive(first):
        lengths.append(1)
    if n >= 2 and len(words) > n and n not in lengths and not any(is_generic(w) for w in words[:n]) and sum(map(len, words[:n])) >= 5:
        lengths.append(n)  # 'Man Tung' for 'Man Tung Realty International': ordinary words, but together a name
    return lengths


def _leading(words: list[str], romance: bool) -> int:
    """Words before the distinctive one: organisation words, in Romance languages also the line of business."""
    n = 0
    while n < len(words) - 1 and (words[n] in LEADING or (romance and is_generic(words[n]))):
        n += 1
    return n


def _latin_variant(
    spelling: str, words: list[str], n: int, strength: Strength, *, former: bool, families: tuple[str, ...], skip: int = 0
) -> _Variant:
    text = bare(fold_text(spelling))
    spans = [m.span() for m in _WORD.finditer(text)][skip : skip + n]
    turkish = "asjp" in families or any(c in spelling for c in "ışğİŞĞ")
    pattern = ""
    for k, (start, end) in enumerate(spans):
        word = text[start:end]
        joiner = text[spans[k - 1][1] : start] if k else ""
        if word in {"&", "+", "and"} and 0 < k < n - 1:
            pattern += _AND if " " in joiner else _AND_TIGHT
            continue
        if k and not pattern.endswith((_AND, _AND_TIGHT)):
            pattern += r"[ .,'\"()/-]{1,3}" if " " in joiner else r"[ .'/-]{0,2}"
        escaped = re.escape(word)
        pattern += re.sub("i(?!\u0307)", "i\u0307?", escaped) if turkish else escaped
    last = len(words[n - 1])
    tail = "(?:'?s|u|em|owi)?" if last >= 6 else "(?:'?s)?" if last > 3 else "(?:'s)?"
    tail += r"\)?" if text.rstrip().endswith(")") and n + skip == len(_WORD.findall(text)) else ""
    alone = strength is Strength.SHORT or n > 1 or _may_stand_alone(words, spelling)
    proud = n > 1 and not any(is_distinctive(w) for w in words[:n])
    head = text[slice(*spans[0])]
    return _Variant(
        f"{pattern}{tail}",
        strength,
        former,
        families,
        tuple(words[n:]),
        sum(map(len, words[:n])),
        n == 1,
        proud,
        False,
        alone,
        _surest(_PARTED.split(" ".join(text[start:end] for start, end in spans)) if turkish else [text[start:end] for start, end in spans]),
        head[: head.find("i") + 1] or head if turkish else head,
    )


_PARTED = re.compile("[ i]+")  # a dot above may follow an i in Turkish names


def _surest(parts: Iterable[str]) -> str:
    """The longest of the strings, all of which stand in each match; joining words may stand for one another."""
    return max((part for part in parts if part not in _JOINING), key=len, default="")


_JOINING = frozenset({"&", "+", "and"})


def _may_stand_alone(words: list[str], spelling: str) -> bool:
    word = words[0] if words else ""
    initials = len(word) == 3 and spelling.isupper() and word not in WEAK
    return is_distinctive(word) or initials or (len(word) >= 3 and any(c.isdigit() for c in word))


def _cjk_variant(name: str, strength: Strength, former: bool, families: tuple[str, ...], rest: str) -> _Variant:
    text = bare(fold_text(name))
    parts = [part for part in re.split(r"[ ・]", text) if part]
    pattern = "[ ・]?".join(map(re.escape, parts))
    if text[0].isascii():
        pattern = rf"(?<![a-z0-9]){pattern}"
    own = (rest,) if rest else ()
    return _Variant(pattern, strength, former, families, own, len(text), False, False, True, len(text) >= 2, _surest(parts), parts[0])


def _cjk_shorts(core: str, own: tuple[str, ...]) -> list[str]:
    """Short forms: structure words dropped; industry words too where the market's short names drop them (China)."""
    tails = (*CJK_STRUCTURE, *CJK_INDUSTRY) if {"gufen", "kr"} & set(own) else CJK_STRUCTURE
    out: list[str] = []
    text = core
    while tail := next((t for t in sorted(tails, key=len, reverse=True) if text.endswith(t) and len(text) - len(t) >= 3), None):
        text = text[: -len(tail)]
        out.append(text)
    return out


# "Income Trust II" is a sister of "Income Trust"
_NUMBERED = re.compile(r",? (?:II|III|IV|VI{0,3}|IX|No\. ?\d|Series [A-Z\d]\b)(?![\w.])(?! ?%)")


def _judge(variant: _Variant, text: str, start: int, end: int) -> NameMention | None:
    """Turn a raw match into a mention by what stands around it; None when it is only the same letters."""
    if variant.cjk:
        return _judge_cjk(variant, text, start, end)
    surface = text[start:end]
    if (surface.islower() and not text.islower()) or (variant.size == 3 and variant.single and not surface.isupper()):
        return None
    if (variant.single and surface[0].islower() and not any(c.isupper() for c in surface)) or (variant.proud and _has_small(surface)):
        return None
    strength, rest = variant.strength, list(variant.rest)
    end, rest = _extend(text, end, rest)
    if strength is Strength.SHORT and not rest and variant.rest:
        strength = Strength.CORE
    form = form_after(text, end)
    if _part_of_other_name(variant, text, start, end, strength) or _NUMBERED.match(text, form[0] if form else end):
        return NameMention(start, end, text[start:end], Strength.NAMESAKE, variant.former)
    if form and form[1] != "nl":
        if strength is Strength.SHORT:
            return NameMention(start, form[0], text[start : form[0]], Strength.NAMESAKE, variant.former, True)
        differs = not _same_form(form[1], variant.families)
        return NameMention(start, form[0], text[start : form[0]], Strength.CORE if differs else Strength.FULL, variant.former, differs)
    if strength is Strength.CORE and form_before(text, start):
        return NameMention(start, end, text[start:end], Strength.FULL, variant.former)
    if not variant.alone and strength is not Strength.FULL:
        return None
    return NameMention(start, end, text[start:end], strength, variant.former)


def _has_small(surface: str) -> bool:
    """A word of the name, no connecting one, begins in small letters."""
    return any(w[0].islower() for w in _LONG_WORD.findall(surface) if w not in _SMALL)


_LONG_WORD = re.compile(r"[^\W_]{3,}")
_SMALL = frozenset({"and", "und", "the", "for", "von", "der", "des"})


def _same_form(family: str, own: tuple[str, ...]) -> bool:
    return not own or family in own or any(family in group and group & set(own) for group in _LEGAL_EQUAL)


def _extend(text: str, end: int, rest: list[str]) -> tuple[int, list[str]]:
    """Take in own following words, also abbreviated ('Offshore Eng.', 'Alta Res') or as initials ('REIT')."""
    while rest and (match := _NEXT_WORD.match(text, end)):
        word = bare(fold_text(match[1])).rstrip(".")
        if _initials(word, rest):
            return match.end(1), []
        if not _abbreviates(word, rest[0]):
            break
        end, rest = match.end(1), rest[1:]
    return end, rest


def _initials(word: str, rest: list[str]) -> bool:
    """True for 'reit' of 'real estate investment trust', 'mfb' of 'microfinance bank'."""
    return (
        len(rest) > 1
        and word[:1] == rest[0][0]
        and _inside("".join(w[0] for w in rest), word)
        and _inside(word, "".join(rest))
        and len(word) <= 6
    )


def _inside(letters: str, full: str) -> bool:
    rest = iter(full)
    return all(c in rest for c in letters)


def _abbreviates(word: str, full: str) -> bool:
    if word == full:
        return True
    if len(word) < 3 or len(word) >= len(full) or word[0] != full[0] or is_generic(word):
        return full.startswith(word) and 3 <= len(word) < len(full) and word in {"res", "eng", "tech", "corp"}
    return _inside(word, full)


def _part_of_other_name(variant: _Variant, text: str, start: int, end: int, strength: Strength) -> bool:
    before = _word_before(text, start)
    previous = before[1] if before else ""
    if previous[:1].isupper():
        word = bare(fold_text(previous)).rstrip(".")
        if word in _NOVEL and not (before and _opens_sentence(text, before.start())):
            return True
        if strength is Strength.SHORT and word in PEOPLE:
            return True
    if strength is Strength.SHORT and _PERSON_TAIL.match(text, end):
        return True
    if text.endswith(_OWNS, start, end):
        return False  # "Ostbeck's Kettwig Beteiligungs-GmbH": the next name is another's
    telling = strength is Strength.SHORT or variant.proud
    at, count, generic, first = end, 0, False, True
    while count < 5 and (match := _NEXT_WORD.match(text, at)) and (match[1][0] == "(" or match[1][0].isupper()):
        if form_after(text, at):
            break
        word = bare(_OWNER.sub("", fold_text(match[1]))).rstrip(".'’")
        if word in ROLE_WORDS or word in HEADLINE_VERBS:
            break
        if first and strength is Strength.SHORT and _VIETNAMESE.search(text, start, match.end(1)):
            return True  # one syllable of a name, followed by another than the issuer's
        generic = generic or is_generic(word) or match[1][0] == "("
        if first and ((telling and is_generic(word) and word not in _NO_OTHER_NAME) or word in _OTHER_ENTITY):
            return not text[start:end].isupper() or match[1].isupper()
        at, count, first = match.end(1), count + 1, False
        if form_after(text, at):
            return generic or strength is Strength.SHORT or count <= 2
    return False


def _word_before(text: str, start: int) -> re.Match[str] | None:
    """The word that stands before a name, sought in what follows the last space but the one between them."""
    if not text[start - 1 : start].isspace():
        return None
    low = max(0, start - 30)
    end = low + len(text[low:start].rstrip())
    return _PREVIOUS.search(text, max(low, text.rfind(" ", low, end)), start)


def _opens_sentence(text: str, at: int) -> bool:
    head = text[max(0, at - 3) : at].rstrip(" ")
    return not head or head[-1] in ".!?:\n"


def _judge_cjk(variant: _Variant, text: str, start: int, end: int) -> NameMention | None:
    before, after = form_before(text, start), form_after(text, end)
    strength = variant.strength
    if before or after:
        if strength is Strength.SHORT and variant.rest:
            low, high = before[0] if before else start, after[0] if after else end
            return NameMention(low, high, text[low:high], Strength.NAMESAKE, variant.former, True)
        low, high = (before[0] if before and not after else start), (after[0] if after else end)
        return NameMention(low, high, text[low:high], Strength.FULL if strength is Strength.CORE else strength, variant.former)
    if _cjk_goes_on(text, end, variant.rest, short=strength is Strength.SHORT):
        return NameMention(start, end, text[start:end], Strength.NAMESAKE, variant.former)
    return NameMention(start, end, text[start:end], strength, variant.former)


def _cjk_goes_on(text: str, end: int, rest: tuple[str, ...], *, short: bool) -> bool:
    """True when the name continues: an industry noun follows directly, or other characters up to a legal form."""
    following = text[end : end + 20]
    own = rest[0] if rest else ""
    if own and following.startswith(own):
        return False
    if _CJK_GOES_ON.match(following):
        return True
    if not short:
        return False  # after a whole name only a line of business makes another one
    form = CJK_FORM.search(following)
    between = following[: form.start()].strip() if form else ""
    return bool(between) and len(between) <= 12 and CJK_NAME.fullmatch(between) is not None and not _PARTICLE.search(between)


_CJK_NOUN = "|".join(
    sorted((*CJK_INDUSTRY, *(w for w in CJK_STRUCTURE if w not in {"グループ", "集团", "集團", "그룹"})), key=lambda w: (-len(w), w))
)
_CJK_GOES_ON = re.compile(
    rf"(?:{_CJK_NOUN})+(?:{CJK_FORM.pattern}|$|[^\u3400-\u9fff\u30a1-\u30ff\uac00-\ud7af]|[的与和及等已被将因是在由]|公告|股票|股份|关于|今日|昨日|은|는|이|가|을|를|의|에|와|과|도|등)"
)

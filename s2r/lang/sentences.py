"""Sentence spans in the languages of the markets; linear time, offsets into the given text, white space trimmed."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GENERAL = _words(
    """
    a.g a.m a.s al approx apr art arts assn aug ave b.v bhd blvd bros c.f.r ca cca cf ch cia cl cls co corp d.c dec dept div dr e.g
    e.u ed eds est etc excl ext fax feb fig figs fn i.e inc incl intl jan jr jul jun l.l.c l.p llc ltd ltda mar mfg mr n.b n.v n.y
    natl nov nr num nº núm oct p.l.c p.m par para paras plc prof pte pty pvt r rd reg regs resp rr s s.a s.e s.p.a s.r.l sch schs
    sdn sep sept sr ss tbk tel u.k u.n u.s u.s.c univ v viz vol vs
    """
)
_BY_LANGUAGE = {
    "en": _words(
        """
        capt col fri gen gov hon messrs mon mrs ms mt no nos p pp rep rev sat sec secs sen st sun thu thur thurs tue tues wed
        """
    ),
    "de": _words(
        """
        a.d abs abzgl apr art aug bspw bzw ca d.h dez di dipl do dr e.v ehem evtl exkl feb fr gem gez ggf hr i.d.f i.h.v i.i i.l
        i.s.d i.v.m ing inkl insb jan jul jun lit max mi min mio mo mrd mär n.f nachm nov nr o.g okt prof rd s.o s.u sa sep sept so
        sog str stv tsd u.a u.u usw v.a vgl vorm vors z.b ziff zzgl
        """
    ),
    "fr": _words(
        """
        al art av avr boul c.-à-d chap cie déc env ets févr janv juil m max me min mlle mm mme no nov n° oct p.ex sept ste sté tél
        vol éd
        """
    ),
    "es": _words(
        """
        abr admón ago aprox art arts av avda c/ cta d dic dpto dña ee.uu ene nº núm núms pág págs ref s.a.u s.l sept sr sra sres tel
        ud uds vd
        """
    ),
    "pt": _words(
        """
        abr ago aprox art arts av cia dez dr dra eng fev ltda n nº núm out pág s.a set sr sra srs tel
        """
    ),
    "it": _words(
        """
        ago apr art artt avv c.c c.d cap d.lgs dic dott dott.ssa ecc feb gen giu ing lug mag mar n nn nov ott pag rag s.p.a s.r.l
        sett sig sig.ra sigg soc t.u.f tel
        """
    ),
    "nl": _words(
        """
        apr art aug b.v bijv blz ca d.w.z dec dhr drs enz excl feb i.v.m incl ing jan jl jul jun m.b.t mevr mld mln mr mrt n.v nov
        nr o.a okt sep t.a.v
        """
    ),
    "sv": _words(
        """
        apr aug bl.a ca d.v.s dec exkl f.d feb forts fr.o.m inkl jan kl kr m.fl m.m  mdkr mkr nov nr o.s.v okt org resp s.k sept
        st t.ex t.o.m
        """
    ),
    "no": _words(
        """
        apr aug bl.a ca d.v.s des ekskl ev evt f.eks f.o.m feb ift iht inkl jan jf jfr kl kr m.m m.v mill mrd nov nr okt org pga pkt
        sept t.o.m
        """
    ),
    "da": _words(
        """
        apr aug bl.a ca cvr dec dvs ekskl evt f.eks f.o.m feb hhv inkl jan jf jfr kl kr m.m m.v mia mio nov nr okt pkt pr sept stk
        t.o.m
        """
    ),
    "fi": _words(
        """
        eli em esim jne klo ko ks milj mm mrd n nro ns s.o t.k  ts v ym yms
        """
    ),
    "pl": _words(
        """
        akt al art dr dz.u fax godz gr hab inż itd itp kpc ksh lit m.in mgr mld mln np nr ok os pkt pl por poz prof r s.a sp str
        sygn tel tj tys tzw ul ust w wg ww z.o.o zm zob zł
        """
    ),
    "cs": _words(
        """
        a.s apod atd ing judr kč mgr mil mj mld např nám odst popř písm resp s.r.o sb str tel tis tj tzv ul vč zn č čl
        """
    ),
    "tr": _words(
        """
        a.ş av bkz cad doç dr fık ltd mah md no prof sn sok t.a.ş tel vb vd vs yy şti
        """
    ),
    "hu": _words(
        """
        dr ft ill kb kft mrd nyrt pl stb sz u.n zrt ún
        """
    ),
    "ru": _words(
        """
        акц г гг д др им млн млрд п пп пр рис руб см ст стр т.д т.е т.к т.п тыс ул
        """
    ),
    "vi": _words(
        """
        gs p q ths tp tp.hcm tr ts ô đ.c
        """
    ),
    "id": _words(
        """
        dr drs hlm ir jl no pt s.e s.h sdr tbk yth
        """
    ),
    "ms": _words(
        """
        bhd bil dato dll dr dsb en hj no pn sdn
        """
    ),
    "hi": _words(
        """
        डॉ प्रा रु लि श्री सं
        """
    ),
}
_CLOSING = _words(  # abbreviations that also end sentences
    """
    a.m a.s a.ş b.v bhd cia co corp e.v ecc enz etc inc itd itp jr kr l.l.c l.p llc ltd ltda mill mio mld mln mrd n.v nyrt p.l.c p.m
    plc pty s.a s.a.u s.p.a s.r.l sdn sr tbk tys u.k u.s usw zrt zł
    """
)
_OPENERS = _words(  # words that open a sentence after one of those
    """
    a accordingly after akcje al all although am an any as at au auf aus aux av avec before bei by ce ces cette con dal dans das de
    dem den der det die dies diese dieser do durch during each efter ein eine el elle en er es et foi following for from further för
    für gli har he however i if il ils im in it its l' la las le les lo los med mehr mit na nach nas nasdaq nel nella nie no nos
    nous o od on os our par para per po por pour pursuant på se según seit shareholders she sie since som spółka su subject such sur
    sus that the there these they this those til till to trading um uma un una under une upon ved vi w we when while wir with z za
    zum zur är
    """
)
_NUMBERED = _words(  # abbreviations only before a number
    """
    abr ago al apr art arts aug avr ağu cl dec des dez dic déc ene feb fig figs fn fév févr gen giu jan juil jul jun lug mag mar may
    mrt mär no nos nov oct okt ott out p para paras pp reg regs sat sec secs sep sept set sun
    """
)
_MONTHS = re.compile(r"\s?(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|quartal|halbjahr|jahrhundert)", re.IGNORECASE)
_STRONG = "。！？!?؟।॥…｡"
# where a sentence may end: marks with what closes a quotation, or lines; both begin with one class, by which the places are found fast
_CANDIDATE = re.compile(r"[.。！？!?؟।॥…｡\n](?:(?<=\n)(?:[^\S\n]*\n\s*)?|(?<!\n)[.。！？!?؟।॥…｡]*[\"'”’»«)\]）」』】]*)")
_BRACKET = re.compile(r"[()（）\[\]\n](?:(?<!\n)|(?<=\n)\s*\n)")
_TOKEN = re.compile(r"[^\s()\[\]{}\"“”„‟»«/|,;:–—]+$")
_PART = re.compile(r"['’‘(\[]")  # before the last part of a token: "l'art", "d'inc"
_LETTERED = re.compile(r"(?:[^\W\d]\.)+[^\W\d]")  # "z.b", "n.v"
_NEXT = re.compile(r"\s*[\"'“‘«„(\[（「『【¿¡]*")
_CLOCK = re.compile(  # what may follow a time of day in the same sentence
    r"(?:Eastern|Central|Mountain|Pacific|Atlantic|Greenwich|[A-Z]{2,4}\b|London|Hong|New York|Tokyo|Singapore|Sydney|Dublin"
    r"|Toronto|Zurich|Indian|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
)
_LETTERS = re.compile(r"[^\W\d_]+['’]?")
_BULLET = re.compile(
    r"[^\S\n]*(?:[-–—•*·‣▪●○◦※■□◆◇]|\(?[0-9]{1,3}[.)](?!\d)|\(?[a-zA-Z][.)]\s|\([ivx]+\)|[①-⑳]|第[0-9一二三四五六七八九十]+[条條節章项項])"
)
# the rest of a day written "2023. 7. 12.", and its year and month where only the day is to follow
_DOTTED = re.compile(r"\d{1,2}\. ?\d{1,2}(?=[.\s(),~]|$)")
_DOTTED_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d\. \d{1,2}$")
_MAX_NEST = 600  # characters a bracket may span before its inside is split after all
_WRAP = 50  # a line shorter than this ends a line-wise statement rather than being wrapped


_ABBREVIATIONS = {lang: _GENERAL | words for lang, words in _BY_LANGUAGE.items()}
_ANY = _GENERAL.union(*(frozenset(w for w in words if len(w) > 2 or "." in w) for words in _BY_LANGUAGE.values()))


def split_sentences(text: str, lang: str = "") -> list[tuple[int, int]]:
    """Spans of the sentences of `text` in order; `lang` is a language code ("de", "zh-Hans") or "" when unknown."""
    spans: list[tuple[int, int]] = []
    if _CANDIDATE.search(text) is None:
        _add(spans, text, 0, len(text))
        return spans
    code, abbreviations = _language(lang)
    start = 0
    closing: tuple[list[int], list[int]] | None = None
    for match in _CANDIDATE.finditer(text):
        at, end = match.span()
        if at < start:
            continue
        if text[at] == "\n":
            if _line_ends(text, start, at, end, text.count("\n", at, end) > 1):
                _add(spans, text, start, at)
                start = end
            continue
        if not _sentence_ends(text, at, end, code, abbreviations):
            continue
        if closing is None:
            closing = _nested(text)
        if not _inside(closing, at, start):
            _add(spans, text, start, end)
            start = end
    _add(spans, text, start, len(text))
    return spans


@lru_cache(maxsize=64)
def _language(lang: str) -> tuple[str, frozenset[str]]:
    """The code by which a language is known here, and its abbreviations."""
    code = lang.lower().replace("_", "-").split("-")[0]
    code = {"nb": "no", "nn": "no", "sk": "cs", "hr": "cs", "sl": "cs", "uk": "ru", "bg": "ru"}.get(code, code)
    return code, _ABBREVIATIONS.get(code, _ANY)


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    note = text.find("※", start + 1, end)
    if note > 0 and text[note - 1].isspace() and not text[note + 1 : note + 2].isdigit():  # a note below says something else
        _add(spans, text, start, note)
        start = note
    if start < end:
        spans.append((start, end))


def _nested(text: str) -> tuple[list[int], list[int]]:
    """Starts and ends of bracketed stretches short enough to be kept whole, in order and not overlapping."""
    starts: list[int] = []
    ends: list[int] = []
    stack: list[int] = []
    for match in _BRACKET.finditer(text):
        char = match[0]
        if char in "(（[":
            stack.append(match.start())
        elif char in ")）]":
            if stack:
                opened = stack.pop()
                if not stack and match.start() - opened <= _MAX_NEST:
                    starts.append(opened)
                    ends.append(match.start())
        else:
            stack.clear()
    return starts, ends


def _inside(nested: tuple[list[int], list[int]], at: int, start: int) -> bool:
    """True when offset `at` lies in a bracket that opened inside the running sentence."""
    k = bisect_right(nested[0], at) - 1
    return k >= 0 and nested[0][k] < at < nested[1][k] and nested[0][k] > start + 2


def _line_ends(text: str, start: int, at: int, end: int, blank: bool) -> bool:
    """A blank line always ends a sentence; a single line break does unless the line looks wrapped."""
    if blank:
        return True
    line = text[max(start, text.rfind("\n", 0, at) + 1) : at].rstrip()
    following = text[end : end + 80].lstrip(" \t")
    if not line or not following:
        return True
    last, first = line[-1], following[0]
    if last in _STRONG or _BULLET.match(text, end):
        return True
    if _wide(last) and _wide(first):
        return len(line) < 20
    if last in ":;|" or following[0] == "|":
        return True
    return (
        len(line) < _WRAP
        and not first.islower()
        and last not in ",-–(&/"
        and not line.endswith((" and", " of", " the", " und", " der", " et", " de"))
    )


def _wide(char: str) -> bool:
    return "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or char in "、。「」（）・％"


def _sentence_ends(text: str, at: int, end: int, code: str, abbreviations: frozenset[str]) -> bool:
    mark = text[at]
    following = _NEXT.match(text, end)
    after = following.end() if following else end
    first = text[after : after + 1]
    gap = text[end : end + 1]
    if mark in "。！？؟।॥｡" or (mark in "!?" and (not gap or gap.isspace() or _wide(gap))):
        # a quotation that goes on with a particle: 「…。」と述べた
        return not (text[end - 1 : end] in "」』”" and _wide(gap) and "\u3041" <= gap <= "\u309f") and not (
            mark in "!?" and first.islower()
        )
    if mark in "!?":
        return False
    if not first:
        return True
    if mark == "…" or text[at : at + 3] == "...":
        return gap.isspace() and first.isupper()
    if gap and not gap.isspace():
        return _wide(gap) and not text[max(0, at - 1) : at].isdigit()
    if first.islower():
        return False
    return not _abbreviated(text, at, after, code, abbreviations)


def _abbreviated(text: str, at: int, after: int, code: str, abbreviations: frozenset[str]) -> bool:
    """True when the full stop at `at` belongs to the word before it and ends no sentence."""
    match = _TOKEN.search(text, max(0, at - 30), at)
    token = match[0] if match else ""
    word = _PART.split(token.lower())[-1]
    first = text[after : after + 1]
    if not word:
        return False
    if word.isdigit():
        if _DOTTED.match(text, after) if len(word) == 4 else _DOTTED_YEAR.search(text, max(0, at - 12), at):
            return True
        return text[at - len(word) - 1 : at - len(word)] not in (":", "/", ",") and _ordinal(text, at, after, word, code)
    if word == "r" and code == "pl":
        return not first.isupper()  # "31.12.2013 r. Spółka": the year's abbreviation often ends a sentence
    if len(word) == 1 and token.islower() and re.search(r"\d\s?$", text[max(0, at - 4) : at - 1]):
        return not first.isupper()  # a unit: "9 h. Est-ce", "2013 г. Общество"
    if len(word) == 1 and word.isalpha():
        return token.isupper() or code in {"de", "es", "fr", "it", "pt", "pl", "ru"} or first.isdigit()  # initials: "J. Smith", "r. 2014"
    if word in {"a.m", "p.m"}:
        return not first.isupper() or _CLOCK.match(text, after) is not None
    if word in {"kr", "zł", "kč"}:
        return not first.isupper()
    if word in _CLOSING:
        return not _opens(text, after, first)
    if word in _NUMBERED:
        return word in abbreviations and (first.isdigit() or first in "§(")
    return word in abbreviations or _LETTERED.fullmatch(word) is not None


def _opens(text: str, after: int, first: str) -> bool:
    """True when what follows an abbreviation that often ends a sentence begins a new one."""
    if not first or not (first.isupper() or first.isdigit() or not first.isascii()):
        return False
    match = _LETTERS.match(text, after)
    word = match[0].lower().replace("’", "'") if match else ""
    if word.endswith("'") and text[match.end() : match.end() + 2] == "s " if match else False:
        return True  # "of Acme, Inc. Acme's stock"
    return word in _OPENERS or (not word and text[max(0, after - 2) : after].count("\n") > 0)


def _ordinal(text: str, at: int, after: int, digits: str, code: str) -> bool:
    """'14. November', '3. kvartal', '1. A list item'; a year or amount before the stop ends the sentence."""
    if len(digits) > 3:
        return False
    head = text[max(0, at - 12) : at - len(digits)]
    if len(digits) <= 2 and not head.rpartition("\n")[2].strip(" \t(") and ("\n" in head or at <= 12):
        return True  # list number at the start of a line
    if len(digits) > 2 or not 1 <= int(digits) <= 31 or code not in {"", "de"}:
        return False  # outside German what an ordinal counts is written small, and small letters never open a sentence
    return _MONTHS.match(text, after) is not None or (bool(code) and not text[after : after + 1].isdigit() and not _opens(text, after, "X"))

"""Finding an issuer in text and telling near-namesakes apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from s2r.lang.legal_forms import CJK_FORM, CJK_NAME, form_after, form_before
from s2r.lang.literals import spread
from s2r.lang.name_forms import Strength, Variant, variants_of
from s2r.lang.name_parts import bare, parse_name, strip_forms
from s2r.lang.name_words import CJK_INDUSTRY, CJK_STRUCTURE, HEADLINE_VERBS, PEOPLE, ROLE_WORDS, is_generic
from s2r.lang.text import Folded, fold, fold_text


class NameMention(NamedTuple):
    """One mention; `start`/`end` are original offsets. `form_differs`: a legal form follows that the listing does not have."""

    start: int
    end: int
    text: str
    strength: Strength
    former: bool = False
    form_differs: bool = False


# edges of a word written with spaces; Han, kana and Hangul may touch it ("TDK株式会社")
_LETTER = r"[^\W\u3040-\u9fff\uac00-\ud7af]"
_START, _END = rf"(?<!{_LETTER})", rf"(?!{_LETTER})"
_UNSPACED = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_LOOK = 64  # characters that an expression may look beyond a name
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
_NOVEL = frozenset({"new", "neue", "neuer", "nouvelle", "nueva", "nuova", "nova", "nowa", "nya", "ny", "nye", "old", "former"})


class NameMatcher:
    """Mentions of one issuer, compiled once per listing."""

    def __init__(self, issuer: str) -> None:
        parts = parse_name(issuer)
        self.issuer = issuer
        families = set(parts.families)
        for local in parts.local:
            families.update(strip_forms(local)[1])
        variants: dict[str, Variant] = {}
        for name, former in [(parts.main, False), *((x, False) for x in parts.local), *((x, True) for x in parts.former)]:
            for variant in variants_of(name, former, tuple(families)):
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


def _alternatives(variants: Iterable[Variant], *, unspaced: bool) -> Iterator[str]:
    """One group per variant, in order; neighbours in Latin script share the edges of words, which are slow to compile where
    letters of other scripts may touch them."""
    start, end = (_START, _END) if unspaced else (r"(?<!\w)", r"(?!\w)")
    for cjk, run in groupby(variants, key=lambda variant: variant.cjk):
        body = "|".join(f"({variant.pattern})" for variant in run)
        yield body if cjk else f"{start}(?:{body}){end}"


@lru_cache(maxsize=256)
def name_matcher(issuer: str) -> NameMatcher:
    """The matcher of an issuer name, cached."""
    return NameMatcher(issuer)


# "Income Trust II" is a sister of "Income Trust"
_NUMBERED = re.compile(r",? (?:II|III|IV|VI{0,3}|IX|No\. ?\d|Series [A-Z\d]\b)(?![\w.])(?! ?%)")


def _judge(variant: Variant, text: str, start: int, end: int) -> NameMention | None:
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


def _part_of_other_name(variant: Variant, text: str, start: int, end: int, strength: Strength) -> bool:
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


def _judge_cjk(variant: Variant, text: str, start: int, end: int) -> NameMention | None:
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

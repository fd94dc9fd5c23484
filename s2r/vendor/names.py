"""Whether two company names are one company: the same, a former name of it, or another one."""

from __future__ import annotations

import difflib
import re
from enum import StrEnum
from functools import lru_cache

from s2r.lang.name_parts import bare
from s2r.lang.names import Strength, core_name, former_names, name_matcher, parse_name
from s2r.lang.text import fold

ALIKE = 0.88  # share of common letters of two cores that are one name misspelt

_FORMER_BEFORE = re.compile(
    r"(?:formerly|f/k/a|f\.k\.a\.|\bfka\b|previously(?: known as)?|prior names?|former names?|old names?|renamed from"
    r"|name changed? from|changed its name from|formerly listed as|vormals|früher|ehemals|umfirmiert|anciennement|ancien nom|ex-"
    r"|antes|anteriormente|antigua(?:mente)?|antiga(?:mente)?|denominada antes|già|precedentemente|dawniej|poprzednio|tidigare"
    r"|tidligere|entinen|aiemmin|voorheen|dahulu|trước đây|tên cũ|eski|旧社名|旧商号|旧|舊稱|旧称|曾用名|原名|前稱|前称|구)"
    r"[^.;。]{0,60}$"
)
_FORMER_AFTER = re.compile(
    r"^[^.;。]{0,40}?(?:has (?:been )?(?:changed|renamed)|changed its name|is now (?:called|known)|renamed|to be known as|\(to \d)"
)


class Relation(StrEnum):
    """How a vendor's name stands to the issuer's."""

    SAME = "same"
    FORMER = "former"
    OTHER = "other"
    UNKNOWN = "unknown"  # one of them is not given


@lru_cache(maxsize=65536)
def relation(theirs: str, ours: str) -> Relation:
    """How the vendor's name stands to ours; abbreviations, capitals, accents, legal forms and local-script names do not matter."""
    if not theirs.strip() or not ours.strip():
        return Relation.UNKNOWN
    cores = [_bare(name) for name in (core_name(ours), *parse_name(ours).local)]
    given = _bare(core_name(theirs))
    if given and given in cores:
        return Relation.SAME
    found = [m for m in name_matcher(ours).find(theirs) if m.strength is not Strength.NAMESAKE]
    if any(not m.former and m.strength is not Strength.SHORT for m in found):
        return Relation.SAME
    if any(_abbreviates(given, core) for core in cores):
        return Relation.SAME
    if any(m.former for m in found) or given in {_bare(core_name(name)) for name in former_names(ours)}:
        return Relation.FORMER
    if any(difflib.SequenceMatcher(None, given, core).ratio() >= ALIKE for core in cores if core):
        return Relation.SAME
    if any(not m.former and m.strength is Strength.FULL for m in name_matcher(theirs).find(ours)):
        return Relation.SAME
    return Relation.OTHER


@lru_cache(maxsize=65536)
def name_words(name: str) -> frozenset[str]:
    """The words of all cores of a name, in capitals and accents alike; a script without spaces is one word."""
    cores = [core_name(name), *(core_name(other) for other in (*parse_name(name).local, *parse_name(name).former))]
    return frozenset(word for core in cores for word in _bare(core).split() if len(word) > 1)


def _bare(name: str) -> str:
    return re.sub(r"[^\w]+", " ", bare(fold(name).text)).strip()


def _abbreviates(short: str, full: str) -> bool:
    """Word by word the same or cut off ("kurrajong ridge res" for "kurrajong ridge resources"); the first word stands whole."""
    words, whole = short.split(), full.split()
    if not words or not whole or words[0] != whole[0] or len(words) > len(whole):
        return False
    if len(words) < len(whole) and len(words) < 2:
        return False
    return all(word.startswith(cut) or _letters_of(cut, word) for cut, word in zip(words, whole, strict=False))


def _letters_of(cut: str, word: str) -> bool:
    """Letters of a word in order, from its first on: "hldgs", "intl"."""
    if cut[:1] != word[:1] or len(cut) >= len(word) or len(cut) < 2:
        return False
    rest = iter(word)
    return all(letter in rest for letter in cut)


def says_former(text: str, start: int, end: int) -> bool:
    """Whether the words around a name say that it is a former one."""
    before, after = fold(text[max(0, start - 90) : start]).text, fold(text[end : end + 80]).text
    return _FORMER_BEFORE.search(before) is not None or _FORMER_AFTER.search(after) is not None

"""Numbers of a question: spans of days, thresholds of a count."""

from __future__ import annotations

import re
from typing import NamedTuple

_UNITS = dict(zip("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), range(1, 20), strict=True))  # fmt: skip  # noqa: SIM905
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))  # noqa: SIM905
_WORD = f"(?:{'|'.join((*_UNITS, *_TENS))}|a hundred|hundred)"
NUMBER = rf"(?:\d{{1,5}}|{_WORD}(?:(?:[ -]| and ){_WORD}){{0,4}})"
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 91, "year": 365}

_LIMIT = (
    r"(?:within|inside(?: of)?|in|over|for|no (?:more|later|longer|further|greater) than|not (?:more|later) than|at (?:the )?most|at the latest|up to|"
    r"a maximum of|maximum|max\.?|no further apart than|by no more than|under|less than|fewer than|below|<=|≤|<|a (?:span|gap|lag|period|space|window) of"
    r"(?: (?:at most|no more than|up to))?)"
)
_UNDER = re.compile(r"(?:\b(?:under|less than|fewer than|below)|<)\s*$")
_NEGATED = re.compile(r"\b(?:no|not)\s+(?:less|fewer)\s+than\s*$")
_SPAN = re.compile(
    rf"(?:\b{_LIMIT} )?(?:(?:the|a|an|any|just|some) )?(?:(?:following|next|subsequent|ensuing|first|preceding|previous|same) )?(?:(?P<n>{NUMBER})|(?P<half>half a)|(?P<a>\ba(?=[ -](?:day|week|fortnight|month|year))|\bone))"
    rf"[ -](?:calendar[ -])?(?P<unit>day|week|fortnight|month|year)s?'?\b"
    rf"(?: or (?:less|fewer|under|sooner))?"
)
_COUNT = (
    (re.compile(rf"(?:\bat least|\bno (?:fewer|less) than|\bnot (?:fewer|less) than|\b(?:a )?minimum(?: of)?|\bmin\.?|>=|≥|\bupwards of) (?P<n>{NUMBER}|once|twice|thrice)(?: times| occasions)?\b"), 0),
    (re.compile(rf"\b(?P<n>{NUMBER}|once|twice|thrice)(?: times| occasions)? (?:or|and) (?:more|above|over|upwards?|up)(?: times)?\b"), 0),
    (re.compile(rf"\b(?P<n>{NUMBER})(?:\+|[ -]?plus\b)"), 0),
    (re.compile(rf"(?:\b(?:more|greater) than|\bover|\bin excess of|>) (?P<n>{NUMBER}|once|twice|thrice)(?: times| occasions)?\b"), 1),
    (re.compile(r"\b(?P<n>multiple|repeated(?:ly)?|more than a single)\b"), 0),
    (re.compile(rf"\b(?P<n>twice|thrice|{NUMBER} times)\b"), 0),
)  # fmt: skip
_IF = re.compile(r"\bif (?:there (?:is|are|was|were) )?$")
_TIMES = {"once": 1, "twice": 2, "thrice": 3, "multiple": 2, "repeatedly": 2, "repeated": 2, "more than a single": 2}


class Amount(NamedTuple):
    """A number with its place in the text."""

    start: int
    end: int
    value: int


def number(text: str) -> int:
    """Value of digits or of English number words up to 999; raises ValueError."""
    if text.isdigit():
        return int(text)
    total = 0
    for word in re.findall(r"[a-z]+", text):
        if word == "hundred":
            total = max(total, 1) * 100
        elif word in _UNITS or word in _TENS:
            total += _UNITS.get(word) or _TENS[word]
        elif word not in ("a", "and"):
            raise ValueError(text)
    return total


def day_spans(low: str) -> list[Amount]:
    """Spans of time in days: 'within 30 days', 'six weeks or less', 'no more than two months' (30 days each)."""
    found = []
    for match in _SPAN.finditer(low):
        unit = _DAYS_OF[match["unit"]]
        value = unit // 2 + 1 if match["half"] else unit * (number(match["n"]) if match["n"] else 1)
        head = low[match.start() : match.start("n") if match["n"] else match.end()]
        if _UNDER.search(head) and not _NEGATED.search(head):
            value -= 1
        found.append(Amount(match.start(), match.end(), value))
    return found


def thresholds(low: str) -> list[Amount]:
    """Least numbers of a count: 'at least two', 'three or more', 'more than one' (2), 'twice'."""
    found: list[Amount] = []
    for pattern, extra in _COUNT:
        for match in pattern.finditer(low):
            if _IF.search(low[: match.start()]):  # "if more than one fell on that day"
                continue
            if any(match.start() < amount.end and amount.start < match.end() for amount in found):
                continue
            text = match["n"].removesuffix(" times")
            found.append(Amount(match.start(), match.end(), (_TIMES[text] if text in _TIMES else number(text)) + extra))
    return sorted(found)

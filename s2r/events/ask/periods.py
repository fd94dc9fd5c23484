"""Periods of a question: days, months, quarters, halves and years, ranges of them, and open ones."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import NamedTuple

from s2r.events.spec import FIRST_DAY, LAST_DAY, Window
from s2r.lang.dates.names import month_names

_MONTHS = {name.rstrip("."): number for name, number in month_names("en").items()}
_MONTH = f"(?:{'|'.join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))})\\.?"
_ORDINALS = {"first": 1, "opening": 1, "1st": 1, "initial": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "final": -1, "last": -1,
             "closing": -1}  # fmt: skip
_ORDINAL = f"(?:{'|'.join(_ORDINALS)})"
_YEAR = r"(?:19|20)\d\d"
_OF = r"(?:(?:,|/|-| of| in)? ?(?:the |calendar )?(?:year )?)"
_Y = rf"(?P<{{0}}>{_YEAR}|'\d\d)(?!\d)"
_QUARTER = rf"(?:q(?P<q>[1-4])|(?P<q2>[1-4])q|(?P<qo>{_ORDINAL})(?: (?:calendar|fiscal))?[ -]quarter|quarter (?P<q3>[1-4]|one|two|three|four)|(?P<q4>first|opening|initial|last|final|closing) three months)"
_HALF = (
    r"(?:h(?P<h>[12])|(?P<h2>[12])h|(?P<ho>first|second|1st|2nd|last|latter)[ -]half|(?P<h3>first|opening|last|final|closing) six months)"
)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4}

_PATTERN = re.compile(
    "|".join(
        (
            rf"(?P<isod>{_YEAR}-\d\d-\d\d)(?!\d)",
            rf"(?P<isom>{_YEAR}-(?:0[1-9]|1[0-2]))(?![\d-])",
            rf"\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m1>{_MONTH})(?:,|,? of)? {_Y.format('y1')}",
            rf"\b(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,? {_Y.format('y2')}",
            rf"\b(?:(?:the )?month of )?(?P<m3>{_MONTH}){_OF}{_Y.format('y3')}",
            rf"\b{_Y.format('y4')}(?:'s)?,? (?P<m4>{_MONTH})(?![a-z])",
            rf"\b(?:{_QUARTER}|{_HALF}){_OF}{_Y.format('y5')}",
            rf"\b{_Y.format('y6')}(?:'s)?[ -]?(?:{_QUARTER.replace('P<q', 'P<r')}|{_HALF.replace('P<h', 'P<g')})\b",
            r"\b(?P<rel>last|this|previous|past|current) (?P<relu>year|quarter|month)\b(?! of)",
            rf"\b(?:q(?P<bq>[1-4])|h(?P<bh>[12])|(?P<bo>{_ORDINAL})[ -](?P<bu>quarter|half))\b(?! of (?:that|the same|this))",
            rf"\b(?P<dd>\d{{1,2}})(?:st|nd|rd|th)?(?=(?: ?[-–] ?| (?:to|and|through|until|till) (?:the )?)\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH})",
            rf"\b(?P<d8>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m8>{_MONTH})(?![a-z])",
            rf"\b(?P<m9>{_MONTH}) (?P<d9>\d{{1,2}})(?:st|nd|rd|th)?(?![\d%]|[.,]\d)",
            rf"\b(?P<bm>{_MONTH})(?![a-z])",
            rf"(?<![\d$€£.,])(?:\bcalendar[ -](?:year )?|\b(?:the )?year |\bcy ?)?(?P<y7>{_YEAR})(?:'s)?(?![\d%]|[.,]\d)",
        )
    )
)
_RANGE = re.compile(
    r"\s*(?:(?P<strong>to|through|thru|until|till|up to|and up to|-|–|—)|(?P<weak>and|,|&))\s*(?:the end of |end of |the )?"
)
_BETWEEN = re.compile(r"(?:\bbetween|\bfrom|\[|\()\s*(?:the )?(?:start of |beginning of )?$")
_SINCE = re.compile(r"\b(?:since|from)\s*(?:the start of |the beginning of )?$")
_ONWARD = re.compile(r"\s*(?:on|onwards?|and (?:later|after)|or later)\b")
_AFTER = re.compile(r"\bafter\s*(?:the end of )?$")
_BEFORE = re.compile(r"\b(?:before|prior to)\s*(?:the start of )?$")
_UNTIL = re.compile(r"\b(?:until|till|up (?:to|through)|by)\s*(?:the end of )?$")
# Words before or after a period that make another one of it; what is not read is refused, never dropped.
_ODD_BEFORE = re.compile(
    r"\b(?:early|late|mid|middle of|beginning of|spring|summer|autumn|fall|winter|fiscal|fy|(?:quarter|year|half|month|week|months|weeks|days|period) (?:to|ending|ended|ends|starting|"
    r"beginning|before|after|until)|(?<!each )(?<!every )(?<!per )(?<!by )weeks? of|weekend of|half of the year|(?:past|last|next|previous) (?:\d+|two|three|four|five|six) (?:years|months|quarters|weeks|days))[ -]*(?:on |in |of )?(?:the )?$"
)
_ODD_AFTER = re.compile(rf"^(?:[ -]*(?:fiscal\b|quarter\b|half\b|financial year|[-/–] ?\d)| of {_MONTH}(?![a-z]))")
_ODD = re.compile(rf"\b{_MONTH} (?:quarter|half)\b|\b(?:fiscal|fy) ?(?:year )?'?\d")
_BARE_LEAD = re.compile(r"\b(?:in|during|of|between|from|since|to|and|until|through|for|-|,)\s*$")


class Period(NamedTuple):
    """A window with its place in the text."""

    start: int
    end: int
    window: Window


class _Item(NamedTuple):
    start: int
    end: int
    kind: str  # day month quarter half year
    number: int
    year: int  # 0 = not said
    day: int = 0


def find_periods(text: str, today: dt.date | None = None) -> list[Period]:
    """All periods of a question in order; equal ones appear once for each place. Raises ValueError for a day that does not exist."""
    low = text.lower()
    if odd := _ODD.search(low):
        raise ValueError(f"{text[odd.start() : odd.end()]!r} is no period that is read")
    items = _with_years(list(_items(text, low, today)))
    found: list[Period] = []
    at = 0
    while at < len(items):
        item = items[at]
        start, end = _span(item)
        lead = low[: item.start]
        if odd := _ODD_BEFORE.search(lead):
            raise ValueError(f"{text[odd.start() : item.end]!r} is no period that is read")
        if at + 1 < len(items) and (link := _RANGE.fullmatch(low[item.end : items[at + 1].start])):
            opened = _BETWEEN.search(lead)
            if link["strong"] or (opened and (link["weak"] == "and" or opened.group().startswith("["))):
                last = items[at + 1]
                close = last.end + (1 if low[last.end : last.end + 1] == "]" else 0)
                found.append(Period(opened.start() if opened else item.start, close, Window(start=start, end=_span(last)[1])))
                at += 2
                continue
        if _ODD_AFTER.search(low[item.end :]):
            raise ValueError(f"{text[item.start : item.end + 8].strip()!r} is no period that is read")
        found.append(_single(item, start, end, low))
        at += 1
    return found


def _single(item: _Item, start: dt.date, end: dt.date, low: str) -> Period:
    """One period, open to one side when a word before it says so."""
    lead = low[: item.start]
    if found := _SINCE.search(lead):
        tail = _ONWARD.match(low, item.end)
        if tail or found.group().startswith("since"):
            return Period(found.start(), tail.end() if tail else item.end, Window(start=start, end=LAST_DAY))
    if found := _AFTER.search(lead):
        return Period(found.start(), item.end, Window(start=end + dt.timedelta(days=1), end=LAST_DAY))
    if found := _BEFORE.search(lead):
        return Period(found.start(), item.end, Window(start=FIRST_DAY, end=start - dt.timedelta(days=1)))
    if found := _UNTIL.search(lead):
        return Period(found.start(), item.end, Window(start=FIRST_DAY, end=end))
    return Period(item.start, item.end, Window(start=start, end=end))


def _items(text: str, low: str, today: dt.date | None) -> list[_Item]:
    found = []
    told = re.search(_YEAR, low)  # beside a year that is told, "the last quarter" is a quarter of it
    for match in _PATTERN.finditer(low):
        item = _item(match, None if told else today)
        if item is None:
            continue
        # A month alone may be a word ("may", "march"): it needs a capital and a word before that leads to a time.
        if match["m9"] and not text[match.start()].isupper():
            continue
        if match["bm"] and not (text[match.start()].isupper() and (_BARE_LEAD.search(low[: match.start()]) or not match.start())):
            continue
        found.append(item)
    return found


def _item(m: re.Match[str], today: dt.date | None) -> _Item | None:
    place = (m.start(), m.end())
    if m["isod"]:
        year, month, day = map(int, m["isod"].split("-"))
        return _Item(*place, "day", month, year, day)
    if m["isom"]:
        return _Item(*place, "month", int(m["isom"][5:]), int(m["isom"][:4]))
    for mark in ("1", "2"):
        if m[f"m{mark}"]:
            return _Item(*place, "day", _month(m[f"m{mark}"]), _year(m[f"y{mark}"]), int(m[f"d{mark}"]))
    for mark in ("3", "4"):
        if m[f"m{mark}"]:
            return _Item(*place, "month", _month(m[f"m{mark}"]), _year(m[f"y{mark}"]))
    if m["dd"]:
        return _Item(*place, "day", 0, 0, int(m["dd"]))
    for mark in ("8", "9"):
        if m[f"m{mark}"]:
            return _Item(*place, "day", _month(m[f"m{mark}"]), 0, int(m[f"d{mark}"]))
    if m["y5"] or m["y6"]:
        q, h = ("q", "h") if m["y5"] else ("r", "g")
        kind, value = _part([m[q], m[f"{q}2"], m[f"{q}o"], m[f"{q}3"], m[f"{q}4"]], [m[h], m[f"{h}2"], m[f"{h}o"], m[f"{h}3"]])
        return _Item(*place, kind, value, _year(m["y5"] or m["y6"]))
    if m["rel"] and not today and m["relu"] == "quarter" and m["rel"] == "last":
        return _Item(*place, "quarter", 4, 0)
    if m["bq"] or m["bh"] or m["bo"]:
        if m["bo"]:
            most = 4 if m["bu"] == "quarter" else 2
            return _Item(*place, m["bu"], _ORDINALS[m["bo"]] % (most + 1), 0)
        return _Item(*place, "quarter" if m["bq"] else "half", int(m["bq"] or m["bh"]), 0)
    if m["bm"]:
        return _Item(*place, "month", _month(m["bm"]), 0)
    if m["y7"]:
        return _Item(*place, "year", 0, int(m["y7"]))
    return _relative(place, m["rel"], m["relu"], today) if today else None


def _relative(place: tuple[int, int], word: str, unit: str, today: dt.date) -> _Item:
    back = 0 if word in ("this", "current") else 1
    if unit == "year":
        return _Item(*place, "year", 0, today.year - back)
    size = 1 if unit == "month" else 3
    index = today.year * (12 // size) + (today.month - 1) // size - back
    return _Item(*place, unit, index % (12 // size) + 1, index // (12 // size))


def _part(quarter: list[str | None], half: list[str | None]) -> tuple[str, int]:
    if text := next((value for value in quarter if value), None):
        return "quarter", int(text) if text.isdigit() else _WORDS.get(text) or _ORDINALS[text] % 5
    text = next(value for value in half if value)
    return "half", int(text) if text.isdigit() else 1 if text in ("first", "1st") else 2


def _month(text: str) -> int:
    return _MONTHS[text.rstrip(".")]


def _year(text: str) -> int:
    return int(text) if text.isdigit() else 2000 + int(text[1:])


def _with_years(items: list[_Item]) -> list[_Item]:
    """Periods without a year take that of the next one that has one, else of the one before; without any they are dropped. A year that only
    lends itself to a part of it ("in March that year, 2018") stays a period of its own."""
    done: list[_Item] = []
    for index, item in enumerate(items):
        if item.year:
            done.append(item)
            continue
        later = next((other.year for other in items[index + 1 :] if other.year), 0)
        earlier = next((other.year for other in reversed(items[:index]) if other.year), 0)
        if later or earlier:
            month = item.number or items[index + 1].number  # "1 to 31 December 2015"
            done.append(item._replace(number=month, year=later or earlier))
    return done


def _span(item: _Item) -> tuple[dt.date, dt.date]:
    year, number = item.year, item.number
    if item.kind == "day":
        return (day := dt.date(year, number, item.day)), day
    if item.kind == "year":
        return dt.date(year, 1, 1), dt.date(year, 12, 31)
    size = {"month": 1, "quarter": 3, "half": 6}[item.kind]
    last = number * size
    return dt.date(year, last - size + 1, 1), dt.date(year, last, calendar.monthrange(year, last)[1])

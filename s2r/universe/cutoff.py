"""The cutoff cell: one calendar day, written so that it can be read in one way only."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

_ADVICE = "Write the cutoff as YYYY-MM-DD, like 2020-12-31."
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?", re.ASCII)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
_CJK = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]", re.ASCII)
_DAY_MONTH_NAME = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?[\s\-/]*([A-Za-z]{3,9})\.?,?[\s\-/]*(\d{4})", re.ASCII)
_MONTH_NAME_DAY = re.compile(r"([A-Za-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})", re.ASCII)
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:\s00:00(?::00)?)?", re.ASCII)
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_FIRST_YEAR = 1900


class CutoffError(ValueError):
    """A cutoff cell that cannot be taken; `problem` and `advice` are meant for the user."""

    def __init__(self, problem: str, advice: str = _ADVICE) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice


def parse_cutoff(text: str, today: dt.date | None) -> dt.date:
    """Read a cutoff day; raise `CutoffError` when it is missing, ambiguous, impossible, or after `today`."""
    value = " ".join(text.split())
    day = _day(value)
    if day.year < _FIRST_YEAR:
        raise CutoffError(f"the cutoff {value} lies before {_FIRST_YEAR}")
    if today is not None and day > today:
        raise CutoffError(
            f"the cutoff {day} lies after today ({today}): what is not yet public cannot be audited", "Use a cutoff up to today."
        )
    return day


@lru_cache(maxsize=4096)
def _day(value: str) -> dt.date:
    for pattern in (_YEAR_FIRST, _COMPACT, _CJK):
        if match := pattern.fullmatch(value):
            groups = [g for g in match.groups() if g.isdigit()]
            return _date(value, *map(int, groups))
    if match := _DAY_MONTH_NAME.fullmatch(value):
        return _date(value, int(match[3]), _month(match[2], value), int(match[1]))
    if match := _MONTH_NAME_DAY.fullmatch(value):
        return _date(value, int(match[3]), _month(match[1], value), int(match[2]))
    if match := _NUMERIC.fullmatch(value):
        return _numeric(value, int(match[1]), int(match[3]), int(match[4]))
    if re.fullmatch(r"\d{5}(?:\.0)?", value, re.ASCII):
        raise CutoffError(f"the cutoff {value} looks like a spreadsheet's day number", "Format the column as a date, or write YYYY-MM-DD.")
    if re.fullmatch(r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2}", value, re.ASCII):
        raise CutoffError(f"the cutoff {value} has a year of two digits")
    if re.match(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]\d", value, re.ASCII):
        raise CutoffError(f"the cutoff {value} has a time of day; a cutoff is a whole day at the venue")
    raise CutoffError(f"the cutoff {value} is not a day")


def _numeric(value: str, first: int, second: int, year: int) -> dt.date:
    if first <= 12 and second <= 12 and first != second:
        advice = f"Write {year}-{second:02d}-{first:02d} or {year}-{first:02d}-{second:02d}, whichever is meant."
        raise CutoffError(f"the cutoff {value} is ambiguous (day or month first)", advice)
    return _date(value, year, second, first) if first > 12 or first == second else _date(value, year, first, second)


def _month(name: str, value: str) -> int:
    low = name.lower()
    for number, full in enumerate(_MONTHS, start=1):
        if low in {full, full[:3]} or (low == "sept" and number == 9):
            return number
    raise CutoffError(f"the cutoff {value} names no month that is known")


def _date(value: str, year: int, month: int, day: int) -> dt.date:
    try:
        return dt.date(year, month, day)
    except ValueError as exc:
        raise CutoffError(f"the cutoff {value} is no day of the calendar") from exc

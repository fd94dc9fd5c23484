"""One date expression as found, before it is resolved against a dateline or the date before it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Shift(StrEnum):
    """How an expression depends on something outside itself."""

    NONE = "none"  # complete, or only its year (or month) is missing
    ANCHOR = "anchor"  # days from the dateline
    CHAIN = "chain"  # days from the date named before
    CHAIN_BUSINESS = "chain_business"
    WEEKDAY = "weekday"
    ANCHOR_MONTH = "anchor_month"  # months from the dateline's month; a day may be given
    CHAIN_MONTH = "chain_month"
    ANCHOR_YEAR = "anchor_year"  # years from the dateline's year; month and day may be given
    CHAIN_YEAR = "chain_year"
    NULL = "null"  # a date expression that names no day, month or year: a quarter


class Week(StrEnum):
    """Which week a weekday belongs to."""

    BARE = "bare"
    LAST = "last"  # "Friday of last week"
    THIS = "this"
    NEXT = "next"
    PAST = "past"  # "last Friday": the latest before the dateline
    FUTURE = "future"  # "next Friday": the first after it
    AFTER = "after"  # "the following Friday": the first after the date named before
    BEFORE_LAST = "before_last"


class Candidate(NamedTuple):
    """Offsets are in folded text. `tense`: -1 not after the dateline, 1 not before it, 0 unknown."""

    start: int
    end: int
    rule: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    shift: Shift = Shift.NONE
    amount: int = 0
    weekday: int | None = None
    week: Week = Week.BARE
    tense: int = 0
    month_only: bool = False
    flags: tuple[str, ...] = ()
    raw: tuple[int, int] | None = None  # the span reported, when it is wider than the expression (ranges)
    utc: tuple[int, int, int] | None = None  # hour, minute, offset in minutes of a stamp with a zone
    rank: int = 0  # preferred over overlapping candidates of the same length

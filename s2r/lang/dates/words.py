"""The shape of the calendar words of one language; the words themselves are in `words_*.py`.

All fields are regular-expression fragments over folded text (lower case, ASCII digits, straight quotes), alternatives joined
by `|`. Day and month names come from CLDR (babel); only what it lacks (inflections, spoken forms) is listed by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Words:
    """Calendar words of one language."""

    lang: str
    locales: tuple[str, ...]  # CLDR locales whose names are used
    months: Mapping[str, int] = field(default_factory=dict)  # extra month forms
    month_ending: str = ""  # inflection after a month name
    weekdays: tuple[str, ...] = ()  # seven fragments, Monday first; replaces CLDR where given
    weekday_ending: str = ""
    anchor_days: Mapping[int, str] = field(default_factory=dict)  # days from the dateline: {-1: "yesterday"}
    chain_days: Mapping[int, str] = field(default_factory=dict)  # days from the date named before: {0: "same day"}
    chain_business: Mapping[int, str] = field(default_factory=dict)  # the same in business days
    day_part: str = ""  # "morning|evening": may follow a weekday, a relative day or a day of the month
    past: str = ""  # before a weekday, day or month: the latest one not after the dateline
    past_after: str = ""
    future: str = ""
    future_after: str = ""
    last_week: str = ""  # after or before a weekday
    this_week: str = ""
    next_week: str = ""
    article: str = ""  # between weekday and day
    article_kept: bool = False  # the article belongs to the date ("den 20 maj 2013")
    ordinal: str = ""  # after the day number
    day_words: Mapping[str, int] = field(default_factory=dict)  # ordinal words for days
    joiner: str = ""  # between day and month
    year_joiner: str = ""  # between month and year
    vague: str = ""  # before a month: "end of"
    vague_after: str = ""
    in_month: str = ""  # before a month without day and year
    in_year: str = ""  # before a year that stands alone
    year_after: str = ""  # after a year that stands alone
    last_month: str = ""
    this_month: str = ""
    next_month: str = ""
    last_year: str = ""
    this_year: str = ""
    next_year: str = ""
    year_of_month: Mapping[int, str] = field(default_factory=dict)  # after or before a month: "of last year" -> -1
    day_only: tuple[str, ...] = ()  # templates with group d and optionally cur, prev, past, fut
    range_to: str = ""  # between two dates
    range_open: str = ""  # before the first of two dates when the connector alone is "and"
    range_and: str = ""
    ago: tuple[str, ...] = ()  # templates with group n, unit days
    days_later: str = ""  # after a number: "days later", counted from the date named before
    days_earlier: str = ""
    numbers: Mapping[str, int] = field(default_factory=dict)
    quarter: tuple[str, ...] = ()
    future_cue: str = ""  # directly governs a weekday: "will ... on"
    spaced: bool = True  # words are separated by spaces

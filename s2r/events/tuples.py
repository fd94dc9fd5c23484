"""Event tuples: what happened to which firm when, in which role, with whom, and where it is written."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from pydantic import Field, field_validator

from s2r.models.listing import Frozen

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


class Evidence(Frozen):
    """Where a tuple is written: an exhibit of the archive or an address, with the day of the page and the passage."""

    url: str = ""
    title: str = ""
    date: str = ""
    quote: str = ""
    exhibit: str = ""  # digest of the archived page
    start: int = -1
    end: int = -1


class EventTuple(Frozen):
    """One claim that an event happened, as it was delivered or extracted.

    `firm` and `counterparty` are tickers, identifiers (lei:, isin:, cik:) or names, as written. `anchor_date` is ISO 8601 and may be
    a month or a year; `anchor_kind` says what it is the date of ("" = as the event type says, "report" = only the day of the page).
    `deal` links the events of one deal. `names` are other names of the firm that stand in the same row.
    """

    firm: str = Field(min_length=1)
    event_type: str
    anchor_date: str
    anchor_kind: str = ""
    role: str = ""
    counterparty: str = ""
    deal: str = ""
    attributes: dict[str, str] = Field(default_factory=dict)
    names: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    @field_validator("anchor_date")
    @classmethod
    def _is_date(cls, value: str) -> str:
        first_last(value)
        return value


def first_last(value: str) -> tuple[dt.date, dt.date]:
    """First and last day that an ISO date of day, month or year may mean; raises ValueError."""
    found = _PARTIAL.fullmatch(value)
    if found is None:
        raise ValueError(f"{value!r} is no date; write YYYY-MM-DD, YYYY-MM or YYYY")
    year, month, day = (int(part) if part else 0 for part in found.groups())
    if day:
        exact = dt.date(year, month, day)
        return exact, exact
    if month:
        return dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1])
    return dt.date(year, 1, 1), dt.date(year, 12, 31)

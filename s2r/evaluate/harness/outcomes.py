"""How one retained answer of an arm compares with gold: one outcome per gold row, in exactly one class of fault."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from s2r.errors import InputError
from s2r.evaluate.gold import Gold
from s2r.evaluate.score import WITHIN_DAYS
from s2r.models import Listing, Record, Route, Status

RISK_OF = "joint_within_7"  # the target of a risk model that is what `Outcome.right` denies
NONE = "none"  # said by an arm that left no usable record for a row


class Fault(StrEnum):
    """Classes of the inventory: the first that holds, in this order, is the class of a record."""

    INVALID = "no usable record"
    ABSTAINED = "abstained"
    MISSED = "event missed"
    PROJECTED = "later event projected back"
    FALSE_EVENT = "event that never was"
    NO_DATE = "no date"
    EARLY = "date too early by more than 7 days"
    LATE = "date too late by more than 7 days"
    REASON = "wrong reason"
    NEAR = "right within 7 days, not exact"
    RIGHT = "right"


RIGHT = frozenset({Fault.NEAR, Fault.RIGHT})
DATE_FAULTS = frozenset({Fault.NO_DATE, Fault.EARLY, Fault.LATE})
STATUS_FAULTS = frozenset({Fault.INVALID, Fault.ABSTAINED, Fault.MISSED, Fault.PROJECTED, Fault.FALSE_EVENT})


@dataclass(frozen=True, slots=True)
class Outcome:
    """One gold row and what an arm said of it. `days`: date said minus true date; `cost` in USD, None when its price is unknown;
    `score`: the higher, the surer (1 - risk of the joint answer where one is given, else the stated confidence); `risk`: that risk."""

    row_id: str
    stratum: str
    country: str
    truth: str
    said: str
    days: int | None
    reason_ok: bool
    package: str
    accepted: bool
    score: float
    cost: float | None
    seconds: float
    searches: int
    risk: float | None = None

    @property
    def positive(self) -> bool:
        """Whether the event was disclosed by the cutoff."""
        return self.stratum == "A"

    @property
    def said_yes(self) -> bool:
        """Whether the answer is yes."""
        return self.said == Status.YES

    @property
    def status_ok(self) -> bool:
        """Whether the answer is the true one."""
        return self.said == self.truth

    @property
    def date_exact(self) -> bool:
        """Whether the event was seen and its day is the true one."""
        return self.positive and self.said_yes and self.days == 0

    @property
    def date_within(self) -> bool:
        """Whether the event was seen and its day is at most 7 days off."""
        return self.positive and self.said_yes and self.days is not None and abs(self.days) <= WITHIN_DAYS

    @property
    def joint_exact(self) -> bool:
        """Event, exact day and reason are right."""
        return self.date_exact and self.reason_ok

    @property
    def joint_within(self) -> bool:
        """Event, day within 7 days and reason are right."""
        return self.date_within and self.reason_ok

    @property
    def right(self) -> bool:
        """The whole record is right: the joint answer within 7 days of a positive, the answer of another."""
        return self.fault in RIGHT

    @property
    def fault(self) -> Fault:
        """The one class of the inventory it belongs to."""
        if self.said == NONE:
            return Fault.INVALID
        if self.said == Status.ABSTAIN:
            return Fault.RIGHT if self.status_ok else Fault.ABSTAINED
        if not self.said_yes:
            return Fault.MISSED if self.positive else Fault.RIGHT if self.status_ok else Fault.FALSE_EVENT
        if not self.positive:
            return Fault.PROJECTED if self.stratum == "B" else Fault.FALSE_EVENT
        if self.days is None:
            return Fault.NO_DATE
        if not self.date_within:
            return Fault.EARLY if self.days < 0 else Fault.LATE
        if not self.reason_ok:
            return Fault.REASON
        return Fault.NEAR if self.days else Fault.RIGHT


@dataclass(frozen=True, slots=True)
class Scored:
    """The outcomes of one arm in the order of the universe, and how many records it had beyond gold."""

    name: str
    outcomes: tuple[Outcome, ...]
    without_gold: int = 0
    synthetic: bool = False


def score_arm(name: str, records: Iterable[Record], gold: Mapping[str, Gold], listings: Iterable[Listing]) -> Scored:
    """Compare the records of one arm with gold; a gold row without a record is an outcome, too.

    Raises InputError when a row has two records, or one that was made for another cutoff.
    """
    rows = {listing.row_id: listing for listing in listings if listing.row_id in gold}
    found: dict[str, Outcome] = {}
    extra, synthetic = 0, False
    for record in records:
        synthetic = synthetic or record.adjudicator.startswith("synthetic")
        listing = rows.get(record.row_id)
        if listing is None:
            extra += 1
            continue
        if record.row_id in found:
            advice = "One answer per row is kept; remove the others."
            raise InputError(f"row {record.row_id!r} has more than one record", subject=name, advice=advice)
        if record.cutoff != listing.cutoff:
            problem = f"the record of row {record.row_id!r} was made for the cutoff {record.cutoff}, the universe has {listing.cutoff}"
            raise InputError(problem, subject=name, advice="Compare runs over the same universe.")
        found[record.row_id] = _outcome(record, gold[record.row_id], listing)
    outcomes = tuple(found.get(row_id) or _missing(gold[row_id], listing) for row_id, listing in rows.items())
    return Scored(name, outcomes, extra, synthetic)


def _outcome(record: Record, gold: Gold, listing: Listing) -> Outcome:
    said = NONE if record.error else record.status.value
    risk = (record.risk or {}).get(RISK_OF)
    return Outcome(
        row_id=gold.row_id,
        stratum=gold.stratum,
        country=listing.country or "-",
        truth=gold.status,
        said=said,
        days=_days(record.announcement_date, gold.announcement_date),
        reason_ok=said == Status.YES and record.reason in gold.reasons,
        package=record.package.value,
        accepted=record.route is Route.ACCEPT,
        score=record.confidence if risk is None else 1.0 - risk,
        cost=record.cost_usd,
        seconds=record.latency_s,
        searches=record.usage.searches,
        risk=risk,
    )


def _missing(gold: Gold, listing: Listing) -> Outcome:
    country = listing.country or "-"
    return Outcome(gold.row_id, gold.stratum, country, gold.status, NONE, None, False, NONE, False, 0.0, 0.0, 0.0, 0)


def _days(said: dt.date | None, true: dt.date | None) -> int | None:
    return (said - true).days if said and true else None

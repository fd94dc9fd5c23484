"""What a record can be wrong about, and when it is."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from s2r.models import Frozen, Record, Status

WITHIN_DAYS = 7


class Target(StrEnum):
    """One correctness target. Each asks for the right answer; where the event happened, also for what its name says."""

    STATUS = "status"
    DATE_EXACT = "date_exact"
    DATE_WITHIN_7 = "date_within_7"
    REASON = "reason"
    JOINT_EXACT = "joint_exact"
    JOINT_WITHIN_7 = "joint_within_7"


class Truth(Frozen):
    """What is true of a listing at its cutoff. `reasons` are all that count as right; `stratum` is known of a benchmark only."""

    status: Status
    announcement_date: dt.date | None = None
    reasons: tuple[str, ...] = ()
    stratum: str = ""

    @property
    def positive(self) -> bool:
        """Whether the event was disclosed by the cutoff."""
        return self.status is Status.YES


def wrong(target: Target, record: Record, truth: Truth) -> bool:
    """Whether `record` is wrong for `target`; an abstention always is."""
    if record.status is not truth.status:
        return True
    if not truth.positive or target is Target.STATUS:
        return False
    day, want = record.announcement_date, truth.announcement_date
    apart = abs((day - want).days) if day and want else None
    misdated = apart is None or apart > (0 if target in (Target.DATE_EXACT, Target.JOINT_EXACT) else WITHIN_DAYS)
    misreasoned = record.reason not in truth.reasons
    match target:
        case Target.DATE_EXACT | Target.DATE_WITHIN_7:
            return misdated
        case Target.REASON:
            return misreasoned
        case Target.JOINT_EXACT | Target.JOINT_WITHIN_7:
            return misdated or misreasoned

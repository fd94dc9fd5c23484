"""Which rows are looked at tonight, and why: new or changed inputs, a changed row of the vendor, a look that failed, an expired check."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from s2r.models import Listing, Listings, Record, Route, Status, TimelinePoint
from s2r.policy.schedule import Cadence, CadenceRule
from s2r.store import Checked

ROLLING = dt.date(1900, 1, 1)  # the cutoff of rows that have none of their own: each night's own day

_ROLLING = ROLLING.toordinal()

Inputs = Callable[[Listing], str]


@dataclass(frozen=True)
class Choice:
    """What tonight does: all listings with the cutoff that holds for each, and why those that are looked at are."""

    listings: Listings
    looks: dict[str, str] = field(default_factory=dict)  # row id -> why

    @property
    def carried(self) -> int:
        """Rows whose record is carried forward."""
        return len(self.listings) - len(self.looks)


def choose(
    listings: Sequence[Listing],
    checks: Mapping[str, Checked],
    inputs: Inputs,
    *,
    night: dt.date,
    now: dt.datetime,
    digests: Sequence[str] | None = None,
    marks: Mapping[str, str] | None = None,
    reasons: Callable[[Checked], str] = lambda check: "",
) -> Choice:
    """Choose tonight's rows. A row with a rolling cutoff keeps that of its last look until the next one; `inputs` digests what decides a
    row, `digests` are those of the rows as they are given, where they are known; `marks` are digests of the vendor's rows (None: no feed
    tonight, so nothing is compared); `reasons` tells what of a run has changed since a check."""
    rows = listings if isinstance(listings, Listings) else Listings(listings)
    chosen = Listings()
    looks: dict[str, str] = {}
    for place, (row_id, cutoff) in enumerate(zip(rows.row_ids, rows.cutoffs, strict=True)):
        rolling, check = cutoff == _ROLLING, checks.get(row_id)
        row = rows[place] if rolling else None
        standing = row.model_copy(update={"cutoff": check.cutoff}) if row and check else None
        if check is None:
            why = "new row"
        else:
            digest = digests[place] if digests and not standing else inputs(standing or rows[place])
            why = _why(check, digest, now, None if marks is None else marks.get(row_id, ""), reasons)
        if why:
            looks[row_id] = why
        if row is None:
            chosen.append_from(rows, place)
        else:
            chosen.append(row.model_copy(update={"cutoff": night}) if why or not standing else standing)
    return Choice(chosen, looks)


def _why(check: Checked, inputs: str, now: dt.datetime, mark: str | None, reasons: Callable[[Checked], str]) -> str:
    if check.inputs != inputs:
        return reasons(check) or "the row changed"
    if mark is not None and check.mark != mark:
        return "the vendor's row changed"
    if check.due_at is not None and check.due_at <= now:
        return "the last look came to nothing" if check.outcome == "failed" else f"the check expired on {check.due_at:%Y-%m-%d}"
    return ""


class Stands(BaseModel):
    """What of a record decides when its row is looked at again; the rest of it, which is most, is not read."""

    status: Status
    route: Route
    cutoff: dt.date
    risk: dict[str, float] | None = None
    timeline: tuple[TimelinePoint, ...] = ()


def due_of_answer(status: str, route: str, check: Checked, cadence: Cadence) -> dt.datetime | None:
    """As `due_at` by status and route alone; None where a rule also asks for a step or a risk, which the record tells."""
    if check.outcome == "failed":
        return check.checked_at + dt.timedelta(days=cadence.failed_days)
    rules = (
        rule for rule in cadence.rule if not (rule.status and status not in rule.status) and not (rule.route and route not in rule.route)
    )
    first = next(rules, None)
    if first and (first.stage or first.min_risk is not None):
        return None
    return check.checked_at + dt.timedelta(days=first.days if first else cadence.days)


def due_at(record: Record | Stands, check: Checked, cadence: Cadence) -> dt.datetime:
    """When a row is looked at again: by the first rule of the cadence that holds for its record."""
    return _due(record, check.outcome == "failed", check.checked_at, cadence)


def due_by(cadence: Cadence) -> Callable[[Record, bool, dt.datetime], tuple[dt.datetime, str]]:
    """What says of a record that is just made, whether its look failed, and the time of that look (UTC), when its row is looked at again,
    with the digest of the cadence."""
    digest = cadence_digest(cadence)
    return lambda record, failed, now: (_due(record, failed, now, cadence), digest)


def _due(record: Record | Stands, failed: bool, checked_at: dt.datetime, cadence: Cadence) -> dt.datetime:
    if failed:
        return checked_at + dt.timedelta(days=cadence.failed_days)
    rule = next((rule for rule in cadence.rule if _holds(rule, record, checked_at.date())), None)
    return checked_at + dt.timedelta(days=rule.days if rule else cadence.days)


def _holds(rule: CadenceRule, record: Record | Stands, day: dt.date) -> bool:
    if rule.status and record.status.value not in rule.status:
        return False
    if rule.route and record.route.value not in rule.route:
        return False
    if rule.min_risk is not None and max((record.risk or {}).values(), default=0.0) < rule.min_risk:
        return False
    return not rule.stage or _open_step(record, rule, min(day, record.cutoff))


def _open_step(record: Record | Stands, rule: CadenceRule, day: dt.date) -> bool:
    """Whether a page states one of the steps of this listing not long before the last look."""
    since = (day - dt.timedelta(days=rule.within_days)).isoformat()
    return any(point.stage in rule.stage and since <= point.date <= day.isoformat() for point in record.timeline)


def cadence_digest(cadence: Cadence) -> str:
    """Digest of a cadence: due days that another one worked out are worked out anew."""
    return hashlib.sha256(cadence.model_dump_json().encode()).hexdigest()[:16]

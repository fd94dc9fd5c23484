"""One line of records.jsonl."""

from __future__ import annotations

import datetime as dt

from pydantic import Field

from s2r.models.adjudication import Adjudication
from s2r.models.decision import (
    Check,
    Claim,
    Coverage,
    Finding,
    LaterEvent,
    Package,
    Route,
    Status,
    TimelinePoint,
    Usage,
)
from s2r.models.listing import Frozen, Listing


class Record(Frozen):
    """One line of records.jsonl; the order of fields is the order in the file."""

    row_id: str
    listing: Listing
    event_type: str
    cutoff: dt.date
    status: Status
    announcement_date: dt.date | None = None
    reason: str | None = None
    disclosure_type: str | None = None
    confidence: float = 0.0
    route: Route = Route.REVIEW
    route_reasons: tuple[str, ...] = ()
    risk: dict[str, float] | None = None
    package: Package = Package.UNVERIFIABLE
    claims: tuple[Claim, ...] = ()
    checks: tuple[Check, ...] = ()
    later_event: LaterEvent | None = None
    coverage: Coverage = Coverage()
    findings: tuple[Finding, ...] = ()
    timeline: tuple[TimelinePoint, ...] = ()
    conflicts: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    abstain_reason: str = ""
    adjudicator: str = "rules"
    policy: str = ""  # name@version#digest
    model: str | None = None
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    latency_s: float = 0.0
    run_id: str = ""
    version: str = ""
    error: str | None = None
    risk_model: str | None = Field(None, exclude_if=lambda value: value is None)  # name#digest; only where one was used
    adjudication: Adjudication | None = Field(None, exclude_if=lambda value: value is None)  # only where a model was asked

"""What reviewers see and say: filters and pages of the queue, leases, decisions and their outcomes. All times are UTC."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Self
from urllib.parse import urlencode

from pydantic import Field

from s2r.models import Frozen, Record, Status
from s2r.reviews.errors import ReviewError


class State(StrEnum):
    """Where a row stands in review. All but `accepted` and `decided` wait for somebody."""

    OPEN = "open"
    SECOND = "second"  # one decision is in, a second reviewer decides without seeing it
    DISAGREED = "disagreed"  # two reviewers decided differently: for an adjudicator
    UNDECIDED = "undecided"  # a reviewer could not decide: for an adjudicator
    RETURNED = "returned"  # was decided; a later audit found other evidence
    DECIDED = "decided"
    ACCEPTED = "accepted"  # accepted by the audit itself; nobody was asked


WAITING = (State.OPEN, State.SECOND, State.DISAGREED, State.UNDECIDED, State.RETURNED)


class Kind(StrEnum):
    """What a reviewer decides."""

    CONFIRM = "confirm"
    CORRECT = "correct"
    REJECT = "reject"  # the answer is not proven, and what is true is not known
    CANNOT_DECIDE = "cannot_decide"


class Sort(StrEnum):
    """Orders of the queue; each ends with the row id."""

    PRIORITY = "priority"  # risk times impact, highest first
    AGE = "age"  # waiting longest first
    CONFIDENCE = "confidence"  # least certain first
    ISSUER = "issuer"
    ROW = "row"  # order of the universe


class Age(StrEnum):
    """Whole days for which a row waits."""

    DAY = "0-1"
    WEEK = "2-7"
    MONTH = "8-30"
    OLD = "31-"


MULTI = ("state", "market", "status", "reason", "route_reason", "conflict", "language", "age", "assignee")
NOBODY = "-"  # the assignee of a row that nobody holds


class QueueFilter(Frozen):
    """Which rows of the queue are shown. A field without values lets all pass; several values of one field are alternatives, fields add
    up. Without `state` all waiting rows are shown. `text` is looked for in row id, names and identifiers, `group` names rows that are
    alike (see `bulk`), `sample` is True for rows drawn as an audit sample."""

    state: tuple[State, ...] = ()
    market: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()
    route_reason: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    age: tuple[Age, ...] = ()
    assignee: tuple[str, ...] = ()
    text: str = ""
    group: str = ""
    sample: bool | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, Sequence[str] | str]) -> Self:
        """The filter of a URL's parameters (name to value or values); names that are not ours are passed over, a value that does not
        exist raises ReviewError naming it."""
        given: dict[str, object] = {}
        for name in MULTI:
            values = query.get(name, ())
            found = [values] if isinstance(values, str) else list(values)
            kinds: type[State] | type[Age] | None = State if name == "state" else Age if name == "age" else None
            if kinds:
                for value in found:
                    if value not in set(kinds):
                        raise ReviewError(f"{value!r} is no {name}", subject=name, advice=f"Use one of {', '.join(kinds)}.")
                given[name] = tuple(dict.fromkeys(kinds(value) for value in found))
            else:
                given[name] = tuple(dict.fromkeys(found))
        for name in ("text", "group"):
            given[name] = _last(query.get(name, "")).strip()
        sample = _last(query.get("sample", ""))
        if sample not in ("", "yes", "no"):
            raise ReviewError(f"{sample!r} is no answer", subject="sample", advice="Use yes or no.")
        given["sample"] = None if not sample else sample == "yes"
        return cls.model_validate(given)

    def to_query(self) -> str:
        """The parameters of a URL for this filter, "" for the whole queue; the same filter always gives the same text."""
        pairs = [(name, str(value)) for name in MULTI for value in sorted(getattr(self, name))]
        pairs += [(name, getattr(self, name)) for name in ("text", "group") if getattr(self, name)]
        pairs += [("sample", "yes" if self.sample else "no")] if self.sample is not None else []
        return urlencode(pairs)


def _last(value: Sequence[str] | str) -> str:
    return value if isinstance(value, str) else (value[-1] if value else "")


class QueueItem(Frozen):
    """One row of the queue. `number` is the revision that stands. `risk` is the largest of a fitted model, else 1 - confidence;
    `priority` is risk times impact. `conflict` is how the vendor's row compares ("" = no feed). `second`: needs two reviewers."""

    row_id: str
    number: int
    position: int = 0
    issuer: str = ""
    security: str = ""
    ticker: str = ""
    mic: str = ""
    market: str = ""
    cutoff: str = ""
    status: str = ""
    announcement_date: str = ""
    reason: str = ""
    confidence: float = 0.0
    risk: float = 0.0
    impact: float = 1.0
    priority: float = 0.0
    route: str = ""
    route_reason: str = ""
    conflict: str = ""
    language: str = ""
    package: str = ""
    state: State = State.OPEN
    since: str = ""
    assignee: str = ""
    lease_until: str = ""
    second: bool = False
    sample: bool = False
    group: str = ""


class FacetValue(Frozen):
    """A value of a facet, how many rows it would show with all other filters in place, and whether it is chosen."""

    value: str
    count: int
    chosen: bool = False


class QueuePage(Frozen):
    """One page of the queue. `total` rows pass the filter and `waiting` wait in all, both exact; `next_cursor` is "" on the last page.
    `facets` are by field, most frequent first, and never cut."""

    items: tuple[QueueItem, ...]
    total: int
    waiting: int
    next_cursor: str = ""
    facets: dict[str, tuple[FacetValue, ...]] = Field(default_factory=dict)
    filter: QueueFilter = QueueFilter()
    sort: Sort = Sort.PRIORITY


class Lease(Frozen):
    """`by` holds a row until `until` (UTC); `token` is needed to renew, release and decide."""

    row_id: str
    by: str
    token: str
    since: dt.datetime
    until: dt.datetime


class Evidence(Frozen):
    """A verbatim sentence of an archived page that proves `field`: characters [start:end) of the text of `exhibit`."""

    field: str  # status | announcement_date | reason | disclosure_type
    exhibit: str
    start: int
    end: int
    quote: str
    url: str = ""


class Decision(Frozen):
    """What a reviewer says of a row. `seen` is the revision that was looked at. `status`, `announcement_date` and `reason` count for
    `correct` (the whole answer, not the difference). `key` makes a repeated request count once; `lease` is the token of the lease, where
    there is one; `seconds` is how long it took."""

    row_id: str
    kind: Kind
    by: str
    seen: int
    reason_code: str = ""
    note: str = ""
    status: Status | None = None
    announcement_date: dt.date | None = None
    reason: str | None = None
    disclosure_type: str | None = None
    evidence: tuple[Evidence, ...] = ()
    key: str = ""
    lease: str = ""
    seconds: float | None = None


class Outcome(Frozen):
    """What a decision led to: the `state` of the row, the revision that stands, and whether this decision made it. `again`: this very
    decision was known already and nothing was added. `said` is a sentence for people."""

    row_id: str
    decision_id: int
    state: State
    number: int
    made: bool = False
    again: bool = False
    said: str = ""


class Kept(Frozen):
    """A decision as it is kept. `stage`: first, second, adjudication or bulk; `batch` names the bulk or import that it came with; `made`
    is the revision that it made (0: none); `part` is the part of the calibration data to which its label belongs ("" = no label);
    `undone_by` is the decision that took it back (0: it stands)."""

    id: int
    row_id: str
    stage: str
    kind: str
    by: str
    at: dt.datetime
    seen: int
    made: int = 0
    reason_code: str = ""
    note: str = ""
    status: str = ""
    announcement_date: str = ""
    reason: str = ""
    disclosure_type: str = ""
    evidence: tuple[Evidence, ...] = ()
    seconds: float | None = None
    part: str = ""
    undone_by: int = 0
    batch: str = ""


class Dispute(Frozen):
    """A row for an adjudicator, with the decisions that differ, or the one that could not decide."""

    item: QueueItem
    decisions: tuple[Kept, ...]


class Group(Frozen):
    """Rows that only differ in their listing and may be decided at once. `rows` are (row id, revision), in order of the queue, at most as
    many as the policy allows in one go; `count` are all."""

    group: str
    count: int
    status: str
    reason: str
    market: str
    package: str
    route_reason: str
    highest_risk: float
    rows: tuple[tuple[str, int], ...]


class BulkOutcome(Frozen):
    """What a bulk decision did: the name under which its decisions can be found together, and how each row stands."""

    batch: str
    outcomes: tuple[Outcome, ...]


class Revision(Frozen):
    """One revision of a row in its history."""

    number: int
    author: str
    why: str
    at: dt.datetime
    status: str
    route: str
    announcement_date: str = ""
    reason: str = ""


class RowView(Frozen):
    """All that a reviewer may see of a row. `record` is the revision to be judged; `before` is the decided revision when later evidence
    brought it back (both are shown). To a second reviewer `decisions` holds nothing of the first one, and `blind` is True."""

    item: QueueItem
    record: Record
    before: Record | None = None
    revisions: tuple[Revision, ...] = ()
    decisions: tuple[Kept, ...] = ()
    blind: bool = False
    vendor: tuple[dict[str, str], ...] = ()


class SavedView(Frozen):
    """A filter under a name; `shared` ones are seen by all."""

    name: str
    by: str
    query: str
    sort: Sort = Sort.PRIORITY
    shared: bool = False

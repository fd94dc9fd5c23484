"""Count the records of a run in one pass; memory grows with markets and reasons, not with records."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, field

from s2r.models import Match, Record, Route, Status

PAGE_BINS = ((0, 0), (1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))


def page_bin(pages: int) -> str:
    """The bin of the coverage chart that a number of pages falls into."""
    for low, high in PAGE_BINS:
        if high is None:
            return f"{low}+"
        if pages <= high:
            return str(low) if low == high else f"{low}–{high}"
    raise AssertionError("the last bin is open")


@dataclass(slots=True)
class Summary:
    """Counts over all records; `market_status`, `package_status` and `pages` are keyed by pairs."""

    n: int = 0
    status: Counter[str] = field(default_factory=Counter)
    route: Counter[str] = field(default_factory=Counter)
    route_reason: Counter[tuple[str, str]] = field(default_factory=Counter)
    market_status: Counter[tuple[str, str]] = field(default_factory=Counter)
    package_status: Counter[tuple[str, str]] = field(default_factory=Counter)
    pages: Counter[tuple[str, bool]] = field(default_factory=Counter)
    reason: Counter[str] = field(default_factory=Counter)
    year: Counter[int] = field(default_factory=Counter)
    undated: int = 0
    match: Counter[str] = field(default_factory=Counter)
    adjudicators: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    policies: Counter[str] = field(default_factory=Counter)
    claims: int = 0
    errors: int = 0
    gaps: int = 0
    conflicts: int = 0
    later: int = 0
    risks: int = 0
    pages_read: int = 0
    searches: int = 0
    cost: float = 0.0
    cost_unknown: int = 0
    first_cutoff: dt.date | None = None
    last_cutoff: dt.date | None = None

    def add(self, record: Record) -> None:
        """Count one record."""
        status, route = record.status.value, record.route.value
        self.n += 1
        self.status[status] += 1
        self.route[route] += 1
        self.route_reason.update((route, reason) for reason in dict.fromkeys(record.route_reasons))
        self.market_status[market(record), status] += 1
        self.package_status[record.package.value, status] += 1
        self.pages[page_bin(record.coverage.pages_read), record.coverage.sufficient] += 1
        if record.status is Status.YES:
            self.reason[record.reason or ""] += 1
            if record.announcement_date is None:
                self.undated += 1
            else:
                self.year[record.announcement_date.year] += 1
        self._add_work(record)

    def _add_work(self, record: Record) -> None:
        self.claims += len(record.claims)
        self.match.update(claim.match or Match.NOT_FOUND.value for claim in record.claims)
        self.adjudicators[record.adjudicator] += 1
        self.policies[record.policy] += 1
        if record.model:
            self.models[record.model] += 1
        self.errors += record.error is not None
        self.gaps += len(record.coverage.gaps)
        self.conflicts += bool(record.conflicts)
        self.later += record.later_event is not None
        self.risks += bool(record.risk)
        self.pages_read += record.coverage.pages_read
        self.searches += record.usage.searches
        self.cost += record.cost_usd or 0.0
        self.cost_unknown += record.cost_usd is None
        self.first_cutoff = min(self.first_cutoff or record.cutoff, record.cutoff)
        self.last_cutoff = max(self.last_cutoff or record.cutoff, record.cutoff)

    @property
    def for_review(self) -> int:
        """Records that are not accepted."""
        return self.n - self.route[Route.ACCEPT.value]


def market(record: Record) -> str:
    """What names the market of a record: MIC, else venue, else country; "" when none is given."""
    return record.listing.mic or record.listing.venue or record.listing.country

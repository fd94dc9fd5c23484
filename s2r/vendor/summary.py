"""What came of a comparison, in numbers: by kind, market and vendor, and what a corrected or recovered record cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt
from pathlib import Path

from pydantic import ValidationError

from s2r.models import Frozen, Record
from s2r.policy.vendors import Effort
from s2r.vendor.reconcile import Reconciliation
from s2r.vendor.types import CHALLENGED, CORRECTED, Kind

_Z = 1.959964  # of a 95% interval


class Share(Frozen):
    """`k` of `n` with Wilson's interval at 95%; no share of nothing."""

    k: int
    n: int
    share: float | None = None
    low: float | None = None
    high: float | None = None


class Cost(Frozen):
    """What the corrected and recovered records cost. `audit_usd` is the known cost of the records that were compared, `unpriced` how many
    of them hold a call of unknown price; `minutes` are those of people by policy; `per_record_usd` is None when nothing came of it or a
    price is unknown."""

    audit_usd: float
    unpriced: int
    minutes: float
    people_usd: float
    corrected: int
    recovered: int
    per_record_usd: float | None
    text: str


class Summary(Frozen):
    """Counts of a comparison; `by_market` is MIC -> kind -> count. Their sum is the number of comparisons."""

    vendor: str
    feed: str
    feed_digest: str
    policy: str
    rows: int
    usable: int
    broken: int
    warnings: int
    listings: int
    outside: int
    challenges: int
    ready: int
    by_kind: dict[str, int]
    by_market: dict[str, dict[str, int]]
    date_kinds: dict[str, int]
    challenged: Share
    agreed: Share
    cost: Cost


def summarise(done: Reconciliation, records: Iterable[Record], effort: Effort, policy: str) -> Summary:
    """The numbers of a comparison; `records` are those that were compared."""
    kinds: Counter[str] = Counter()
    markets: dict[str, Counter[str]] = {}
    dates: Counter[str] = Counter()
    for made in done.comparisons:
        kinds[made.kind] += 1
        markets.setdefault(made.mic or "none", Counter())[made.kind] += 1
        if made.kind is Kind.WRONG_DATE:
            dates[made.date_kind or "unknown"] += 1
    challenged = [made for made in done.comparisons if made.challenged]
    total = len(done.comparisons)
    feed = done.feed
    return Summary(
        vendor=feed.name,
        feed=feed.path,
        feed_digest=feed.digest,
        policy=policy,
        rows=len(feed.rows) + len(feed.broken),
        usable=len(feed.rows),
        broken=len(feed.broken),
        warnings=sum(issue.severity == "warning" for issue in feed.issues),
        listings=sum(bool(made.row_id) for made in done.comparisons),
        outside=len(done.outside),
        challenges=len(challenged),
        ready=sum(made.holds for made in challenged),
        by_kind={kind.value: kinds[kind] for kind in Kind},
        by_market={mic: {kind.value: found[kind] for kind in Kind if found[kind]} for mic, found in sorted(markets.items())},
        date_kinds=dict(dates.most_common()),
        challenged=share(sum(kinds[kind] for kind in CHALLENGED), total),
        agreed=share(kinds[Kind.MATCH] + kinds[Kind.CONFIRMED_NO_EVENT], total),
        cost=_cost(kinds, records, effort),
    )


def share(k: int, n: int) -> Share:
    """k of n with its interval (Wilson 1927)."""
    if n == 0:
        return Share(k=k, n=n)
    p = k / n
    centre, spread = p + _Z**2 / (2 * n), _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
    below = 1 + _Z**2 / n
    return Share(
        k=k, n=n, share=round(p, 4), low=round(max(0.0, (centre - spread) / below), 4), high=round(min(1.0, (centre + spread) / below), 4)
    )


def _cost(kinds: Counter[str], records: Iterable[Record], effort: Effort) -> Cost:
    usd, unpriced = 0.0, 0
    for record in records:
        usd += record.cost_usd or 0.0
        unpriced += record.cost_usd is None
    minutes = sum(
        n * effort.minutes_by_kind.get(kind, effort.minutes if Kind(kind) in (*CHALLENGED, Kind.UNRESOLVED) else 0.0)
        for kind, n in kinds.items()
    )
    people = minutes / 60 * effort.usd_per_hour
    corrected, recovered = sum(kinds[kind] for kind in CORRECTED), kinds[Kind.MISSING]
    gained = corrected + recovered
    each = (usd + people) / gained if gained and not unpriced else None
    if not gained:
        text = "Nothing was corrected or recovered."
    elif unpriced:
        text = f"Unknown: {unpriced} records hold calls without a price (known part ${(usd + people) / gained:.2f} for each of {gained})."
    else:
        one_by_one = "for the one record" if gained == 1 else f"for each of {gained}"
        parts = f"${usd:.2f} audit, ${people:.2f} people"
        text = f"${each:.2f} {one_by_one} ({corrected} corrected, {recovered} newly recovered): {parts}."
    return Cost(
        audit_usd=round(usd, 6), unpriced=unpriced, minutes=round(minutes, 1), people_usd=round(people, 2), corrected=corrected,
        recovered=recovered, per_record_usd=round(each, 4) if each is not None else None, text=text,
    )  # fmt: skip


def read_summary(folder: Path) -> Summary | None:
    """The numbers of a comparison that was written into `folder`; None while its files are not whole."""
    try:
        return Summary.model_validate_json((folder / "summary.json").read_bytes())
    except (OSError, ValidationError):
        return None


def summaries(run: Path) -> list[Summary]:
    """The numbers of each vendor that a run folder was compared with, by name."""
    return [found for folder in sorted((run / "vendor").glob("*")) if (found := read_summary(folder))]

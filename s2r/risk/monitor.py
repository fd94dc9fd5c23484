"""What a run says about its risk model: features that have moved, and, where truths are known, calibration, accepted error and recall."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from pydantic import Field

from s2r.models import Frozen, Record, Route, Status
from s2r.risk.drift import (
    Alarm,
    Reviewed,
    Stability,
    feature_alarms,
    market_recall,
    review_alarms,
    rolling_brier,
    stability,
)
from s2r.risk.features import vector
from s2r.risk.judged import judged
from s2r.risk.measure import Count
from s2r.risk.model import RiskModel, arm_of
from s2r.risk.targets import Truth, wrong


class Monitor(Frozen):
    """`moved` and the figures of reviewed records, all with their n. `brier` are points (reviewed so far, score, expected score);
    `recall` counts true events not lost in an accepted no, by market."""

    model: str
    records: int
    other_arms: int
    accepted: int
    stability: tuple[Stability, ...]
    reviewed: int = 0
    asked: float | None = None  # the share of wrong ones among accepted records that the model promises to keep to
    accepted_error: Count | None = None
    accepted_yes_error: Count | None = None
    accepted_no_error: Count | None = None
    brier: tuple[tuple[int, float, float], ...] = ()
    recall: dict[str, Count] = Field(default_factory=dict)
    alarms: tuple[Alarm, ...] = ()


def monitor(model: RiskModel, records: Iterable[Record], truths: Mapping[str, Truth] | None = None) -> Monitor:
    """Watch the records of a run, streamed; `truths` are those that a reviewer has established, by row id, in order of review."""
    counts = [[0] * len(base.shares) for base in model.baseline]
    columns = [base.column for base in model.baseline]
    edges = [base.edges for base in model.baseline]
    known = truths or {}
    seen = others = taken = 0
    found: dict[str, Reviewed] = {}
    for record in records:
        taken += record.route is Route.ACCEPT
        if arm_of(record) not in model.arms:
            others += 1
            continue
        seen += 1
        for count, edge, value in zip(counts, edges, vector(judged(record), columns), strict=True):
            count[bisect_left(edge, value)] += 1
        if record.row_id in known and record.status is not Status.ABSTAIN:
            found[record.row_id] = _reviewed(model, record, known[record.row_id])
    reviewed = [found[row_id] for row_id in known if row_id in found]
    moved = tuple(stability(base, count) for base, count in zip(model.baseline, counts, strict=True))
    alarms = (*feature_alarms(moved), *review_alarms(reviewed, error=model.promise.error, recall=model.promise.recall))
    return Monitor(
        model=model.model_id,
        records=seen,
        other_arms=others,
        accepted=taken,
        stability=moved,
        reviewed=len(reviewed),
        asked=model.promise.error,
        accepted_error=_error(reviewed),
        accepted_yes_error=_error([r for r in reviewed if r.said_yes]),
        accepted_no_error=_error([r for r in reviewed if not r.said_yes]),
        brier=tuple(rolling_brier(reviewed)),
        recall={market: Count(hits=kept, n=n) for market, (kept, n) in market_recall(reviewed).items()},
        alarms=alarms,
    )


def _error(reviewed: Iterable[Reviewed]) -> Count:
    taken = [r for r in reviewed if r.accepted]
    return Count(hits=sum(r.wrong for r in taken), n=len(taken))


def _reviewed(model: RiskModel, record: Record, truth: Truth) -> Reviewed:
    return Reviewed(
        risk=model.risks(record)[model.target.value],
        wrong=wrong(model.target, record, truth),
        accepted=record.route is Route.ACCEPT,
        positive=truth.positive,
        said_yes=record.status is Status.YES,
        market=record.listing.mic or record.listing.country,
    )

"""Measures of records against gold, each with its n and a 95% Wilson interval.

Definitions (DelistBench's): strata A (event disclosed by the cutoff), B (only after it), C (never). Status accuracy over all
rows; A-recall = share of A answered yes; B-FEPR and C-FPR = share of B and C answered yes; date exact, date within 7 days,
reason and the joint measures over all A, missed ones counted as wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from s2r.evaluate.gold import Gold
from s2r.models import Record, Status
from s2r.models.listing import Frozen
from s2r.models.share import Share

WITHIN_DAYS = 7


class Rate(Share):
    """`hits` of `n` with a 95% Wilson score interval (Wilson 1927)."""

    @property
    def interval(self) -> tuple[float, float]:
        """95% Wilson score interval."""
        return wilson(self.hits, self.n)

    def __str__(self) -> str:
        if not self.n:
            return "- (n=0)"
        low, high = self.interval
        return f"{100 * self.hits / self.n:5.1f}% [{100 * low:.1f}, {100 * high:.1f}] n={self.n}"


class CaseScore(Frozen):
    """How one record compares with gold."""

    row_id: str
    stratum: str
    expected: str
    got: str
    status_ok: bool
    date_exact: bool
    date_within: bool
    reason_ok: bool
    disclosure_ok: bool
    detail: str


def wilson(hits: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson score interval of a proportion; (0, 1) without cases."""
    if n == 0:
        return 0.0, 1.0
    p = hits / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, centre - half) if hits else 0.0, min(1.0, centre + half) if hits < n else 1.0


def score(records: Iterable[Record], gold: Mapping[str, Gold]) -> list[CaseScore]:
    """Compare records with gold, in the order of the records; rows without gold are left out."""
    return [_score_one(record, gold[record.row_id]) for record in records if record.row_id in gold]


def _score_one(record: Record, gold: Gold) -> CaseScore:
    yes = record.status is Status.YES
    day, want = record.announcement_date, gold.announcement_date
    exact = yes and day is not None and day == want
    within = yes and day is not None and want is not None and abs((day - want).days) <= WITHIN_DAYS
    return CaseScore(
        row_id=record.row_id,
        stratum=gold.stratum,
        expected=f"{gold.status} {want or ''} {'/'.join(gold.reasons)}".strip(),
        got=f"{record.status.value} {day or ''} {record.reason or ''}".strip(),
        status_ok=record.status.value == gold.status,
        date_exact=exact,
        date_within=within,
        reason_ok=yes and record.reason in gold.reasons,
        disclosure_ok=yes and record.disclosure_type == gold.disclosure_type,
        detail=record.steps[-1] if record.steps else record.abstain_reason,
    )


def measures(scores: Sequence[CaseScore]) -> dict[str, Rate]:
    """The published measures by name."""
    a = [s for s in scores if s.stratum == "A"]
    b = [s for s in scores if s.stratum == "B"]
    c = [s for s in scores if s.stratum == "C"]

    def rate(cases: Sequence[CaseScore], test: Callable[[CaseScore], bool]) -> Rate:
        return Rate(hits=sum(map(test, cases)), n=len(cases))

    def said_yes(s: CaseScore) -> bool:
        return s.got.startswith("yes")

    return {
        "accuracy": rate(scores, lambda s: s.status_ok),
        "a_recall": rate(a, said_yes),
        "b_fepr": rate(b, said_yes),
        "c_fpr": rate(c, said_yes),
        "date_exact": rate(a, lambda s: s.date_exact),
        "date_within_7": rate(a, lambda s: s.date_within),
        "reason": rate(a, lambda s: s.reason_ok),
        "disclosure_type": rate(a, lambda s: s.disclosure_ok),
        "joint_exact": rate(a, lambda s: s.date_exact and s.reason_ok),
        "joint_within_7": rate(a, lambda s: s.date_within and s.reason_ok),
        "abstain": rate(scores, lambda s: s.got.startswith("abstain")),
    }

"""Whether what a model sees now is still what it was fitted on: population stability, and calibration on reviewed records."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from s2r.models import Frozen
from s2r.risk.exact import binomial_cdf, exact_interval

MOVED = 0.25  # population stability index from which a feature counts as moved (Siddiqi 2006); 0.1 is worth a look
BINS = 10
WINDOW = 100  # reviewed records in a rolling figure
LEAST = 30  # records under which nothing is said
SURE = 0.99  # an alarm must not be explained by chance at this level


class Baseline(Frozen):
    """Distribution of one column among the records a model was fitted on: shares of the bins that `edges` (right-closed) separate."""

    column: str
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    n: int


class Stability(Frozen):
    """Population stability index of one column, with the value that chance alone exceeds in one of a hundred such samples."""

    column: str
    psi: float
    chance: float
    n: int

    @property
    def moved(self) -> bool:
        """Whether the column is distributed otherwise than it was."""
        return self.n >= LEAST and self.psi > MOVED and self.psi > self.chance


class Alarm(Frozen):
    """Something that a person must look at: what it is about, the figure, and a sentence with its n."""

    kind: str  # feature | brier | accepted_error | recall
    subject: str
    value: float
    limit: float
    n: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A record whose truth a reviewer established: its estimated risk, and what came of it. In the order of review."""

    risk: float
    wrong: bool
    accepted: bool
    positive: bool
    said_yes: bool
    market: str


def baseline(column: str, values: Sequence[float]) -> Baseline:
    """The distribution of `values` in bins at their deciles; a column of few values has a bin for each."""
    ordered = sorted(values)
    levels = sorted(set(ordered))
    if len(levels) <= BINS:
        edges = tuple(levels[:-1])
    else:
        edges = tuple(sorted({ordered[len(ordered) * k // BINS] for k in range(1, BINS)} - {levels[-1]}))
    total = len(values) or 1
    return Baseline(column=column, edges=edges, shares=tuple(count / total for count in binned(edges, values)), n=len(values))


def binned(edges: Sequence[float], values: Iterable[float]) -> list[int]:
    """How many of `values` lie in each of the bins that `edges` separate."""
    counts = [0] * (len(edges) + 1)
    for value in values:
        counts[bisect_left(edges, value)] += 1
    return counts


def stability(base: Baseline, counts: Sequence[int]) -> Stability:
    """Population stability index of `counts` in the bins of `base`; empty bins count as half a record."""
    n = sum(counts)
    if not n or not base.n:
        return Stability(column=base.column, psi=0.0, chance=0.0, n=n)
    index = 0.0
    for was, count in zip(base.shares, counts, strict=True):
        expected, seen = max(was, 0.5 / base.n), max(count, 0.5) / n
        index += (seen - expected) * math.log(seen / expected)
    free = len(base.edges)
    # under no change the index is about (1/n + 1/m) times a chi-square with one degree of freedom less than bins (Yurdakul 2018)
    spread = free + 2.326 * math.sqrt(2.0 * free)
    return Stability(column=base.column, psi=index, chance=spread * (1 / n + 1 / base.n), n=n)


def feature_alarms(found: Iterable[Stability]) -> list[Alarm]:
    """An alarm for each column that has moved, farthest first."""
    alarms = []
    for one in sorted(found, key=lambda s: -s.psi):
        if one.moved:
            text = f"{one.column} is distributed otherwise than in the labelled records (stability index {one.psi:.2f}, n = {one.n})."
            alarms.append(Alarm(kind="feature", subject=one.column, value=round(one.psi, 4), limit=MOVED, n=one.n, sentence=text))
    return alarms


def rolling_brier(reviewed: Sequence[Reviewed], window: int = WINDOW) -> list[tuple[int, float, float]]:
    """(records so far, Brier score of the last `window`, score that the estimates themselves let expect)."""
    rows = []
    for end in range(min(window, len(reviewed)), len(reviewed) + 1):
        part = reviewed[max(0, end - window) : end]
        if len(part) >= LEAST:
            score = sum((r.risk - r.wrong) ** 2 for r in part) / len(part)
            rows.append((end, score, sum(r.risk * (1 - r.risk) for r in part) / len(part)))
    return rows


def review_alarms(reviewed: Sequence[Reviewed], *, error: float, recall: float | None) -> list[Alarm]:
    """Alarms from reviewed records: calibration of the last WINDOW, accepted error above its target, events lost by market."""
    return [*_brier(reviewed[-WINDOW:]), *_accepted(reviewed, error), *_recall(reviewed, recall)]


def _brier(part: Sequence[Reviewed]) -> list[Alarm]:
    """Spiegelhalter's test (1986): how far the Brier score lies from what calibrated estimates would give."""
    if len(part) < LEAST:
        return []
    score = sum((r.risk - r.wrong) ** 2 for r in part) / len(part)
    expected = sum(r.risk * (1 - r.risk) for r in part) / len(part)
    spread = math.sqrt(sum((1 - 2 * r.risk) ** 2 * r.risk * (1 - r.risk) for r in part)) / len(part)
    limit = expected + 2.326 * spread
    if spread == 0.0 or score <= limit:
        return []
    text = f"Estimated risks no longer fit: Brier score {score:.3f} in the last {len(part)} reviewed records, at most {limit:.3f} expected."
    return [Alarm(kind="brier", subject="calibration", value=round(score, 4), limit=round(limit, 4), n=len(part), sentence=text)]


def _accepted(reviewed: Sequence[Reviewed], error: float) -> list[Alarm]:
    alarms = []
    groups = {
        "accepted records": reviewed,
        "accepted yes": [r for r in reviewed if r.said_yes],
        "accepted no": [r for r in reviewed if not r.said_yes],
    }
    for name, part in groups.items():
        taken = [r for r in part if r.accepted]
        wrong, n = sum(r.wrong for r in taken), len(taken)
        if n and 1.0 - binomial_cdf(wrong - 1, n, error) <= 1.0 - SURE:
            low, high = exact_interval(wrong, n)
            seen = f"{wrong / n:.1%} [{low:.1%}, {high:.1%}]"
            text = f"Among {name} {wrong} of {n} reviewed are wrong ({seen}); at most {error:.1%} were promised."
            alarms.append(Alarm(kind="accepted_error", subject=name, value=round(wrong / n, 4), limit=error, n=n, sentence=text))
    return alarms


def _recall(reviewed: Sequence[Reviewed], least: float | None) -> list[Alarm]:
    """Markets in which true events are lost in accepted noes more often than `least` allows, or than elsewhere."""
    alarms = []
    positives = [r for r in reviewed if r.positive]
    for market in sorted({r.market for r in positives}):
        here = [r for r in positives if r.market == market]
        lost = sum(r.accepted and not r.said_yes for r in here)
        elsewhere = [r for r in positives if r.market != market]
        floor = least if least is not None else _kept(elsewhere)
        if floor is None or not lost or 1.0 - binomial_cdf(lost - 1, len(here), 1.0 - floor) > 1.0 - SURE:
            continue
        value = 1.0 - lost / len(here)
        lost_text = f"At {market or 'no named market'} {lost} of {len(here)} true events were lost in accepted noes"
        text = f"{lost_text}; recall {value:.1%}, expected {floor:.1%}."
        alarms.append(Alarm(kind="recall", subject=market, value=round(value, 4), limit=round(floor, 4), n=len(here), sentence=text))
    return alarms


def _kept(positives: Sequence[Reviewed]) -> float | None:
    """Share of events not lost, pulled off the border by half a case; None where too few are known."""
    if len(positives) < LEAST:
        return None
    lost = sum(r.accepted and not r.said_yes for r in positives)
    return 1.0 - (lost + 0.5) / (len(positives) + 1)


def market_recall(reviewed: Sequence[Reviewed]) -> dict[str, tuple[int, int]]:
    """Events not lost in an accepted no, and all of them, by market."""
    found: dict[str, tuple[int, int]] = {}
    for r in reviewed:
        if r.positive:
            kept, n = found.get(r.market, (0, 0))
            found[r.market] = kept + (not (r.accepted and not r.said_yes)), n + 1
    return dict(sorted(found.items()))

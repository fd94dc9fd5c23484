"""How a choice of thresholds does on cases that had no part in it: every share with its n and an exact interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2r.models import Frozen
from s2r.models.share import Share
from s2r.risk.exact import exact_interval
from s2r.risk.threshold import Case, Choice, accepted

BINS = 10


class Count(Share):
    """`hits` of `n`, with a 95% exact interval."""

    @property
    def interval(self) -> tuple[float, float]:
        """95% Clopper-Pearson."""
        return exact_interval(self.hits, self.n)

    def __str__(self) -> str:
        if not self.n:
            return "- (n = 0)"
        low, high = self.interval
        return f"{self.hits / self.n:.1%} [{low:.1%}, {high:.1%}] n = {self.n}"


class Bin(Frozen):
    """Records of similar estimated risk: their mean estimate, and how many are wrong."""

    estimate: float
    wrong: Count


class Measured(Frozen):
    """Figures of one part. `eligible` are those that the routing table may accept; errors are of accepted records; `ready` are
    accepted and right, of all records; `positives_ready` the same among true events; `recall`: true events not lost in an accepted no.
    """

    records: int
    families: int
    eligible: Count
    accepted_error: Count
    accepted_yes_error: Count
    accepted_no_error: Count
    by_group: dict[str, Count]
    ready: Count
    positives_ready: Count
    review: Count
    recall: Count
    brier: float
    base_rate: Count
    reliability: tuple[Bin, ...]


def measure(cases: Sequence[Case], choices: Mapping[str, Choice]) -> Measured:
    """Figures of `cases` under `choices`; the group of a case starts with its answer."""
    taken = accepted(cases, choices)
    held = len(cases) - len(taken)
    positives = [case for case in cases if case.positive]
    ready_positives = sum(case.positive and not case.wrong for case in taken)
    lost = sum(case.losing for case in taken)
    return Measured(
        records=len(cases),
        families=len({case.family or id(case) for case in cases}),
        eligible=Count(hits=sum(case.eligible for case in cases), n=len(cases)),
        accepted_error=wrong_of(taken),
        accepted_yes_error=wrong_of([case for case in taken if case.said_yes]),
        accepted_no_error=wrong_of([case for case in taken if not case.said_yes]),
        by_group={group: wrong_of([case for case in taken if case.group == group]) for group in choices},
        ready=Count(hits=sum(not case.wrong for case in taken), n=len(cases)),
        positives_ready=Count(hits=ready_positives, n=len(positives)),
        review=Count(hits=held, n=len(cases)),
        recall=Count(hits=len(positives) - lost, n=len(positives)),
        brier=brier(cases),
        base_rate=wrong_of(cases),
        reliability=reliability(cases),
    )


def wrong_of(cases: Sequence[Case]) -> Count:
    """How many of `cases` are wrong."""
    return Count(hits=sum(case.wrong for case in cases), n=len(cases))


def brier(cases: Sequence[Case]) -> float:
    """Mean squared difference of estimate and outcome; 0 without cases."""
    return sum((case.risk - case.wrong) ** 2 for case in cases) / len(cases) if cases else 0.0


def reliability(cases: Sequence[Case], bins: int = BINS) -> tuple[Bin, ...]:
    """Bins of equally many cases, lowest estimates first; cases of one estimate stay together."""
    ordered = sorted(cases, key=lambda case: case.risk)
    found: list[Bin] = []
    start = 0
    for k in range(1, bins + 1):
        end = len(ordered) * k // bins
        while start < end < len(ordered) and ordered[end].risk == ordered[end - 1].risk:
            end += 1
        if end > start:
            part = ordered[start:end]
            found.append(Bin(estimate=sum(case.risk for case in part) / len(part), wrong=wrong_of(part)))
            start = end
    return tuple(found)


def risk_coverage(cases: Sequence[Case], most: int = 200) -> list[tuple[float, float]]:
    """(share accepted, error among them) when the lowest risks are accepted first; at most `most` points, ties accepted together."""
    ordered = sorted(cases, key=lambda case: case.risk)
    points: list[tuple[float, float]] = []
    wrong = 0
    for number, case in enumerate(ordered, start=1):
        wrong += case.wrong
        if number < len(ordered) and ordered[number].risk == case.risk:
            continue
        points.append((number / len(ordered), wrong / number))
    step = max(1, -(-len(points) // most))
    return points[::-1][::step][::-1]

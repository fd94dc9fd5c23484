"""View 8: what it costs to have a wrong record corrected, with the minutes of the reviewer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from s2r.evaluate.harness.decision import BOOTSTRAP, by_stratum
from s2r.evaluate.harness.figures import AMOUNT, USD, Figure, View, grid, rate, scaled, valued
from s2r.evaluate.harness.intervals import bootstrap, percentiles
from s2r.evaluate.harness.outcomes import Outcome, Scored
from s2r.evaluate.harness.words import notes
from s2r.report.plots import Dot, DotRow, dot_chart, series_of

COSTS = (
    "reviewed",
    "corrected",
    "wrong after review",
    "machine",
    "review",
    "hours per 1,000",
    "cost per corrected",
    "cost per right record",
)


@dataclass(frozen=True, slots=True)
class ReviewRate:
    """What a review takes and gives: minutes per record, wage per hour in USD, and the share of wrong records that it sets right."""

    minutes: float = 6.0
    usd_per_hour: float = 60.0
    success: float = 1.0

    @property
    def usd(self) -> float:
        """Cost of one review."""
        return self.minutes / 60 * self.usd_per_hour


Reviewed = Callable[[Outcome], bool]
PLANS: tuple[tuple[str, Reviewed], ...] = (
    ("as routed", lambda o: not o.accepted),
    ("every yes", lambda o: o.said_yes or o.said not in ("yes", "no")),
    ("all records", lambda o: True),
)


def costs(outcomes: Sequence[Outcome], review: ReviewRate) -> dict[str, tuple[Figure, ...]]:
    """The figures of COSTS by plan of what is reviewed; money and hours are per 1,000 records, but for the last two."""
    n = len(outcomes)
    money = _money(outcomes, review)
    found: dict[str, tuple[Figure, ...]] = {}
    for plan, reviewed in PLANS:
        seen = [o for o in outcomes if reviewed(o)]
        caught = sum(not o.right for o in seen) * review.success
        looked = rate(len(seen), n)
        machine, per_corrected, per_right = money[plan]
        found[plan] = (
            looked,
            _expected(caught, len(seen)),
            _expected(sum(not o.right for o in outcomes) - caught, n),
            machine,
            scaled(looked, 1000 * review.usd, USD),
            scaled(looked, 1000 * review.minutes / 60, AMOUNT),
            per_corrected,
            per_right,
        )
    return found


def _money(outcomes: Sequence[Outcome], review: ReviewRate) -> dict[str, tuple[Figure, Figure, Figure]]:
    """Cost of the machine per 1,000, cost per corrected and cost per right record by plan, all from the same draws."""
    n = len(outcomes)
    if any(o.cost is None for o in outcomes):
        unknown = Figure(None, n, USD, note="unknown")
        return {plan: (unknown, unknown, unknown) for plan, _ in PLANS}
    items = [[_item(o, review) for o in group] for group in by_stratum(outcomes)]
    sums = tuple(map(math.fsum, zip(*(item for group in items for item in group), strict=True))) or (0.0,) * (1 + 3 * len(PLANS))
    drawn = bootstrap(items)
    machine = _ratio(1000 * sums[0], n, (1000 * draw[0] / n for draw in drawn), n)
    found: dict[str, tuple[Figure, Figure, Figure]] = {}
    for k, (plan, _) in enumerate(PLANS):
        total, corrected, right = 1 + 3 * k, 2 + 3 * k, 3 + 3 * k
        per_corrected = _ratio(sums[total], sums[corrected], (_per(d[total], d[corrected]) for d in drawn), n, "none corrected")
        per_right = _ratio(sums[total], sums[right], (_per(d[total], d[right]) for d in drawn), n, "none right")
        found[plan] = (machine, per_corrected, per_right)
    return found


def _item(outcome: Outcome, review: ReviewRate) -> tuple[float, ...]:
    """Cost of the machine; then for every plan: cost with review, share of a record that is set right, and that is right in the end."""
    cost = outcome.cost or 0.0
    item = [cost]
    for _, reviewed in PLANS:
        seen = reviewed(outcome)
        corrected = review.success if seen and not outcome.right else 0.0
        item += [cost + seen * review.usd, corrected, corrected + outcome.right]
    return tuple(item)


def _ratio(total: float, records: float, drawn: Iterable[float | None], n: int, none: str = "") -> Figure:
    return valued(_per(total, records), n, USD, percentiles(drawn), BOOTSTRAP, none)


def _per(total: float, records: float) -> float | None:
    return total / records if records else None


def _expected(hits: float, n: int) -> Figure:
    """A share whose count may be an expectation; the interval is that of the nearest count."""
    near = rate(round(hits), n)
    return Figure(hits / n if n else None, n, "rate", near.low, near.high, round(hits), "wilson")


def cost_view(arms: Sequence[Scored], review: ReviewRate) -> View:
    """View 8."""
    found = [((arm.name, plan), figures) for arm in arms for plan, figures in costs(arm.outcomes, review).items()]
    names = [arm.name for arm in arms]
    rows = []
    for plan, _ in PLANS:
        row = [(names.index(labels[0]), figures[6]) for labels, figures in found if labels[1] == plan]
        rows.append(DotRow(plan, tuple(_dot(number, figure, plan) for number, figure in row if figure.value is not None), "none corrected"))
    chart = dot_chart(
        "cost",
        "Cost per corrected record",
        "USD for the machine and the reviewer, divided by the records that review sets right; 95% intervals.",
        max((len(arm.outcomes) for arm in arms), default=0),
        rows,
        series_of(names),
        _dollars,
        tick=lambda value: f"${value:,.4g}",
        head="reviewed",
    )
    return View(
        "cost",
        "Cost per corrected record",
        notes(
            "cost", minutes=f"{review.minutes:g}", wage=f"{review.usd_per_hour:g}", usd=f"{review.usd:.2f}", success=f"{review.success:.0%}"
        ),
        (grid("cost", "By what is reviewed", ("arm", "reviewed"), COSTS, found),),
        (chart,),
    )


def _dollars(value: float) -> str:
    return f"${value:,.0f}" if value >= 1000 else f"${value:,.2f}"


def _dot(number: int, figure: Figure, plan: str) -> Dot:
    value = figure.value or 0.0
    return Dot(
        number, value, value if figure.low is None else figure.low, value if figure.high is None else figure.high, f"{plan}: {figure}"
    )

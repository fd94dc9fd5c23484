"""View 7: differences of two arms over the same rows, above all between a closed model and the same model with the web."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from s2r.evaluate.gold import STRATA
from s2r.evaluate.harness.decision import ANSWERS, BOOTSTRAP, POSTERIOR, macro_f1_of
from s2r.evaluate.harness.figures import NUMBER, POINTS, USD, Figure, Grid, P, View, count, grid, rate, valued
from s2r.evaluate.harness.intervals import Limits, bootstrap, mcnemar, paired_difference, percentiles, posterior
from s2r.evaluate.harness.outcomes import Outcome, Scored
from s2r.evaluate.harness.words import notes
from s2r.report.charts import Chart
from s2r.report.plots import Dot, DotRow, dot_chart, series_of

Test = Callable[[Outcome], bool]
Pair = tuple[Outcome, Outcome]

PAIRED = ("first", "second", "difference", "first only", "second only", "McNemar p")
MEASURES: tuple[tuple[str, str, Test], ...] = (
    ("accuracy", "ABC", lambda o: o.status_ok),
    ("A-recall", "A", lambda o: o.said_yes),
    ("B-FEPR", "B", lambda o: o.said_yes),
    ("C-FPR", "C", lambda o: o.said_yes),
    ("date exact", "A", lambda o: o.date_exact),
    ("date within 7", "A", lambda o: o.date_within),
    ("reason", "A", lambda o: o.reason_ok),
    ("A-joint exact", "A", lambda o: o.joint_exact),
    ("A-joint within 7", "A", lambda o: o.joint_within),
    ("overall joint", "ABC", lambda o: o.right),
)  # name, strata, what counts
KNOWLEDGE = ("closed", "web", "native")  # how much of the web an arm sees; pairs run in this order


def pairs_of(arms: Sequence[Scored]) -> list[tuple[Scored, Scored]]:
    """Which arms are compared: closed with web and web with native of the same model; rules with web; else the first with each."""
    named = {arm.name: arm for arm in arms}
    found = []
    for first, second in (("closed", "web"), ("web", "native")):
        found += [
            (arm, named[second + name[len(first) :]])
            for name, arm in named.items()
            if (name == first or name.startswith(f"{first}:")) and second + name[len(first) :] in named
        ]
    if "rules" in named:
        found += [(named["rules"], arm) for name, arm in named.items() if name == "web" or name.startswith("web:")]
    return found or [(arms[0], other) for other in arms[1:]]


def differences(first: Scored, second: Scored) -> dict[str, tuple[Figure, ...]]:
    """The figures of PAIRED by measure."""
    both = list(zip(first.outcomes, second.outcomes, strict=True))
    found = {name: _compare([pair for pair in both if pair[0].stratum in strata], test) for name, strata, test in MEASURES}
    return found | {"macro-F1": _macro(both), "cost per 1,000": _cost(both)}


def _compare(pairs: Sequence[Pair], test: Test) -> tuple[Figure, ...]:
    cells = [(test(one), test(two)) for one, two in pairs]
    n, one_only, two_only = len(cells), cells.count((True, False)), cells.count((False, True))
    agreed = cells.count((True, True))
    if not n:
        none = Figure(None, 0, POINTS)
        return rate(0, 0), rate(0, 0), none, count(0), count(0), Figure(None, 0, P)
    delta, low, high = paired_difference(agreed, one_only, two_only, n - agreed - one_only - two_only)
    return (
        rate(agreed + one_only, n),
        rate(agreed + two_only, n),
        Figure(delta, n, POINTS, low, high, method="newcombe paired"),
        count(one_only),
        count(two_only),
        Figure(mcnemar(one_only, two_only), n, P, method="mcnemar exact"),
    )


_Cell = tuple[str, str, str]  # truth, said by the first, said by the second


def _macro(pairs: Sequence[Pair]) -> tuple[Figure, ...]:
    cells = [Counter((a.truth, a.said, b.said) for a, b in pairs if a.stratum == name) for name in STRATA]
    space = [[(t, one, two) for t in sorted({cell[0] for cell in found}) for one in ANSWERS for two in ANSWERS] for found in cells]
    whole: Counter[_Cell] = sum(cells, Counter())
    one, two = _macros(whole)
    return _valued(one, two, posterior(cells, space, _macro_delta), len(pairs), NUMBER, POSTERIOR)


def _macros(cells: Mapping[_Cell, float]) -> tuple[float | None, float | None]:
    first: dict[tuple[str, str], float] = {}
    second: dict[tuple[str, str], float] = {}
    for (truth, one, two), weight in cells.items():
        first[truth, one] = first.get((truth, one), 0.0) + weight
        second[truth, two] = second.get((truth, two), 0.0) + weight
    return macro_f1_of(first), macro_f1_of(second)


def _macro_delta(cells: Mapping[_Cell, float]) -> float | None:
    one, two = _macros(cells)
    return None if one is None or two is None else two - one


def _cost(pairs: Sequence[Pair]) -> tuple[Figure, ...]:
    priced = [(a.stratum, 1000 * a.cost, 1000 * b.cost) for a, b in pairs if a.cost is not None and b.cost is not None]
    n = len(pairs)
    if len(priced) < n or not n:
        none = Figure(None, n, USD, note="unknown" if n else "")
        return none, none, none, *_NO_TEST
    drawn = bootstrap([[(two - one,) for name, one, two in priced if name == wanted] for wanted in STRATA])
    one, two = math.fsum(item[1] for item in priced) / n, math.fsum(item[2] for item in priced) / n
    return _valued(one, two, percentiles(total / n for (total,) in drawn), n, USD, BOOTSTRAP)


_NO_TEST = (Figure(None, 0, "count"), Figure(None, 0, "count"), Figure(None, 0, P))


def _valued(one: float | None, two: float | None, limits: Limits, n: int, unit: str, method: str) -> tuple[Figure, ...]:
    delta = None if one is None or two is None else two - one
    return Figure(one, n, unit), Figure(two, n, unit), valued(delta, n, unit, limits, f"paired {method}"), *_NO_TEST


def paired_view(arms: Sequence[Scored]) -> View:
    """View 7."""
    grids: list[Grid] = []
    charts: list[Chart] = []
    for number, (first, second) in enumerate(pairs_of(arms), start=1):
        found = differences(first, second)
        title = f"{second.name} minus {first.name}"
        grids.append(grid(f"pair-{number}", title, ("pair", "measure"), PAIRED, (((title, name), row) for name, row in found.items())))
        charts.append(_chart(f"pair-{number}", title, found, len(first.outcomes)))
    told = notes("paired" if grids else "alone")
    return View("paired", "Paired differences", told, tuple(grids), tuple(charts))


def _chart(ident: str, title: str, found: dict[str, tuple[Figure, ...]], n: int) -> Chart:
    rows = []
    for name, _, _ in MEASURES:
        delta = found[name][2]
        if delta.value is not None and delta.low is not None and delta.high is not None:
            rows.append(DotRow(name, (Dot(0, delta.value, delta.low, delta.high, f"{name}: {delta}"),)))
    low = min([0.0, *(dot.low for row in rows for dot in row.dots)])
    high = max([0.0, *(dot.high for row in rows for dot in row.dots)])
    return dot_chart(
        ident,
        title,
        "Difference of the shares in percentage points, with 95% intervals. B-FEPR and C-FPR: below zero is better.",
        n,
        rows,
        series_of([title]),
        _points,
        tick=_points_tick,
        low=low,
        high=high,
        mark=0.0,
        head="measure",
    )


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"


def _points_tick(value: float) -> str:
    return f"{100 * value:+.4g}" if abs(value) > 1e-9 else "0"

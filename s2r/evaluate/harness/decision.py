"""Views 1 and 2: decision performance by stratum, and completion with the operations behind it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from s2r.evaluate.gold import STRATA
from s2r.evaluate.harness.figures import AMOUNT, NUMBER, SECONDS, USD, Figure, View, count, grid, rate, share, valued
from s2r.evaluate.harness.intervals import bootstrap, median, percentiles, posterior
from s2r.evaluate.harness.outcomes import NONE, Outcome, Scored
from s2r.evaluate.harness.pictures import rate_rows
from s2r.evaluate.harness.words import notes
from s2r.models import Status
from s2r.report.charts import Chart
from s2r.report.plots import dot_chart, series_of

ANSWERS = (*(s.value for s in Status), NONE)
POSTERIOR = "dirichlet posterior within strata"
BOOTSTRAP = "bootstrap within strata"
DECISION = ("accuracy", "macro-F1", "A-precision", "A-recall", "B-FEPR", "C-FPR", "abstain")
BY_STRATUM = ("accuracy", "said yes", "said no", "abstained", "no record")
COMPLETION = ("date exact", "date within 7", "reason", "A-joint exact", "A-joint within 7", "overall joint")
OPERATIONS = ("cost per 1,000", "median seconds", "searches per record", "records", "no record", "price unknown")


def stratum(outcomes: Sequence[Outcome], name: str) -> list[Outcome]:
    """Outcomes of one stratum."""
    return [o for o in outcomes if o.stratum == name]


def by_stratum(outcomes: Sequence[Outcome]) -> list[list[Outcome]]:
    """Outcomes apart by stratum, whose sizes were chosen and are kept when they are drawn again."""
    return [stratum(outcomes, name) for name in STRATA]


# ---- view 1 ----


def decisions(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of DECISION over all strata."""
    a, b, c = by_stratum(outcomes)
    return (
        share(outcomes, lambda o: o.status_ok),
        macro_f1(outcomes),
        share((o for o in outcomes if o.said_yes), lambda o: o.positive),
        share(a, lambda o: o.said_yes),
        share(b, lambda o: o.said_yes),
        share(c, lambda o: o.said_yes),
        share(outcomes, lambda o: o.said == Status.ABSTAIN),
    )


def macro_f1(outcomes: Sequence[Outcome]) -> Figure:
    """Mean of the F1 of yes and of no; neither an abstention nor a missing record is a right answer."""
    cells = [Counter((o.truth, o.said) for o in group) for group in by_stratum(outcomes)]
    space = [[(truth, said) for truth in sorted({truth for truth, _ in found}) for said in ANSWERS] for found in cells]
    return valued(macro_f1_of(sum(cells, Counter())), len(outcomes), NUMBER, posterior(cells, space, macro_f1_of), POSTERIOR)


def macro_f1_of(cells: Mapping[tuple[str, str], float]) -> float | None:
    """Macro F1 of counts of (truth, said) over yes and no; None when neither is there. A class without cases is left out."""
    scores = []
    for name in (Status.YES.value, Status.NO.value):
        true = sum(n for (truth, _), n in cells.items() if truth == name)
        if true:
            said = sum(n for (_, answer), n in cells.items() if answer == name)
            scores.append(2 * cells.get((name, name), 0) / (true + said))
    return sum(scores) / len(scores) if scores else None


def decision_view(arms: Sequence[Scored]) -> View:
    """View 1."""
    figures = {arm.name: decisions(arm.outcomes) for arm in arms}
    apart = [((arm.name, name), _answers(stratum(arm.outcomes, name))) for arm in arms for name in STRATA if stratum(arm.outcomes, name)]
    rates = {arm.name: dict(zip(DECISION, figures[arm.name], strict=True)) for arm in arms}
    shown = [name for name in DECISION if name != "macro-F1"]
    chart = _rates_chart(
        "decision", "Decisions", "Shares with their 95% intervals. B-FEPR, C-FPR and abstain: the lower, the better.", arms, shown, rates
    )
    return View(
        "decision",
        "Decision performance by stratum",
        notes("decision"),
        (
            grid("decision", "All strata", ("arm",), DECISION, (((name,), row) for name, row in figures.items())),
            grid("stratum", "By stratum", ("arm", "stratum"), BY_STRATUM, apart),
        ),
        (chart,),
    )


def _rates_chart(
    ident: str, title: str, note: str, arms: Sequence[Scored], names: Sequence[str], rates: Mapping[str, Mapping[str, Figure]]
) -> Chart:
    """One dot per arm for each of these shares."""
    n = max((len(arm.outcomes) for arm in arms), default=0)
    series = series_of([arm.name for arm in arms])
    return dot_chart(ident, title, note, n, rate_rows(names, rates), series, percent, tick=tick, high=1.0, head="measure")


def _answers(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    return (
        share(outcomes, lambda o: o.status_ok),
        *(rate(sum(o.said == name for o in outcomes), len(outcomes)) for name in ANSWERS),
    )


def percent(value: float) -> str:
    """A share for a chart."""
    return f"{100 * value:.1f}%"


def tick(value: float) -> str:
    """A share for an axis."""
    return f"{100 * value:.4g}%"


# ---- view 2 ----


def completion(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of COMPLETION."""
    a = stratum(outcomes, "A")
    return (
        share(a, lambda o: o.date_exact),
        share(a, lambda o: o.date_within),
        share(a, lambda o: o.reason_ok),
        share(a, lambda o: o.joint_exact),
        share(a, lambda o: o.joint_within),
        share(outcomes, lambda o: o.right),
    )


def operations(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of OPERATIONS."""
    present = [o for o in outcomes if o.said != NONE or o.seconds]
    unknown = sum(o.cost is None for o in outcomes)
    return (
        cost_per(outcomes, 1000.0),
        _median_seconds(present),
        mean([[float(o.searches) for o in present]], AMOUNT),
        count(len(outcomes)),
        rate(sum(o.said == NONE for o in outcomes), len(outcomes)),
        rate(unknown, len(outcomes)),
    )


def cost_per(outcomes: Sequence[Outcome], records: float) -> Figure:
    """Mean cost of this many records in USD; unknown when the price of one is."""
    if any(o.cost is None for o in outcomes):
        return Figure(None, len(outcomes), USD, note="unknown")
    return mean([[records * (o.cost or 0.0) for o in group] for group in by_stratum(outcomes)], USD)


def mean(groups: Sequence[Sequence[float]], unit: str) -> Figure:
    """Mean over all groups, with a bootstrap within each of them."""
    n = sum(map(len, groups))
    value = math.fsum(x for group in groups for x in group) / n if n else None
    limits = percentiles(total / n for (total,) in bootstrap([[(x,) for x in group] for group in groups]))
    return valued(value, n, unit, limits, BOOTSTRAP)


def _median_seconds(outcomes: Sequence[Outcome]) -> Figure:
    found = median([o.seconds for o in outcomes])
    if found is None:
        return Figure(None, 0, SECONDS)
    return Figure(found[0], len(outcomes), SECONDS, found[1], found[2], method="order statistics")


def completion_view(arms: Sequence[Scored]) -> View:
    """View 2."""
    figures: Mapping[str, tuple[Figure, ...]] = {arm.name: completion(arm.outcomes) for arm in arms}
    work = [((arm.name,), operations(arm.outcomes)) for arm in arms]
    rates = {name: dict(zip(COMPLETION, row, strict=True)) for name, row in figures.items()}
    chart = _rates_chart(
        "completion", "Completion", "Shares with their 95% intervals: of stratum A; overall joint of all records.", arms, COMPLETION, rates
    )
    return View(
        "completion",
        "Completion and operations",
        notes("completion"),
        (
            grid("completion", "Completion", ("arm",), COMPLETION, (((name,), row) for name, row in figures.items())),
            grid("operations", "Operations", ("arm",), OPERATIONS, work),
        ),
        (chart,),
    )

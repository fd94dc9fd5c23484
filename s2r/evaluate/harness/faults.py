"""Views 3 and 4: the inventory of mutually exclusive faults, and the outcome of the evidence audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from s2r.evaluate.harness.decision import percent, tick
from s2r.evaluate.harness.figures import Figure, View, grid, rate, share
from s2r.evaluate.harness.outcomes import DATE_FAULTS, RIGHT, STATUS_FAULTS, Fault, Outcome, Scored
from s2r.evaluate.harness.pictures import rate_rows
from s2r.evaluate.harness.words import notes
from s2r.models import Package, Status
from s2r.report.charts import Bar, Series, bar_chart
from s2r.report.plots import dot_chart, series_of

INVENTORY = ("of all records", "of its strata", "of all faults")
KINDS = ("answer", "date", "reason")
PACKAGE = (*(p.value for p in Package), "right when passed")
SAID = (Status.YES.value, Status.NO.value, Status.ABSTAIN.value)

_STRATA = {
    Fault.MISSED: "A",
    Fault.PROJECTED: "B",
    Fault.FALSE_EVENT: "C",
    Fault.NO_DATE: "A",
    Fault.EARLY: "A",
    Fault.LATE: "A",
    Fault.REASON: "A",
    Fault.NEAR: "A",
}  # where a class can occur; the others can in all


# ---- view 3 ----


def inventory(outcomes: Sequence[Outcome]) -> dict[Fault, tuple[Figure, ...]]:
    """The figures of INVENTORY by class; a right record is no fault."""
    found = Counter(o.fault for o in outcomes)
    strata = Counter(o.stratum for o in outcomes)
    faults = sum(n for fault, n in found.items() if fault not in RIGHT)
    return {
        fault: (
            rate(found[fault], len(outcomes)),
            rate(found[fault], strata[_STRATA[fault]] if fault in _STRATA else len(outcomes)),
            Figure(None, faults, "rate", note="no fault") if fault in RIGHT else rate(found[fault], faults),
        )
        for fault in Fault
    }


def kinds(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """Shares of all faults that concern the answer, the date, the reason (KINDS)."""
    faults = [o.fault for o in outcomes if o.fault not in RIGHT]
    return (
        share(faults, lambda f: f in STATUS_FAULTS),
        share(faults, lambda f: f in DATE_FAULTS),
        share(faults, lambda f: f is Fault.REASON),
    )


def fault_view(arms: Sequence[Scored]) -> View:
    """View 3."""
    lists = {arm.name: inventory(arm.outcomes) for arm in arms}
    wrong = [fault for fault in Fault if fault not in RIGHT and any(found[fault][0].hits for found in lists.values())]
    shown = {name: {fault.value: found[fault][0] for fault in wrong} for name, found in lists.items()}
    n = max((len(arm.outcomes) for arm in arms), default=0)
    chart = dot_chart(
        "faults",
        "Faults",
        "Shares of all records with their 95% intervals; each record stands in one class.",
        n,
        rate_rows([fault.value for fault in wrong], shown),
        series_of([arm.name for arm in arms]),
        percent,
        tick=tick,
        head="class",
        note="" if wrong else "No arm has a fault.",
    )
    lines = [((arm.name, fault.value), lists[arm.name][fault]) for arm in arms for fault in Fault]
    return View(
        "faults",
        "Inventory of faults",
        notes("faults", classes=", ".join(fault.value for fault in Fault)),
        (
            grid("inventory", "Classes", ("arm", "class"), INVENTORY, lines),
            grid("kinds", "Kinds, of all faults", ("arm",), KINDS, (((arm.name,), kinds(arm.outcomes)) for arm in arms)),
        ),
        (chart,),
    )


# ---- view 4 ----


def packages(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of PACKAGE."""
    passed = [o for o in outcomes if o.package == Package.PASS]
    found = Counter(o.package for o in outcomes)
    return *(rate(found[p.value], len(outcomes)) for p in Package), share(passed, lambda o: o.right)


def package_view(arms: Sequence[Scored]) -> View:
    """View 4."""
    lines, bars = [], []
    for arm in arms:
        for said in SAID:
            some = [o for o in arm.outcomes if o.said == said]
            if not some and said == Status.ABSTAIN:
                continue
            lines.append(((arm.name, said), packages(some)))
            found = Counter(o.package for o in some)
            bars.append(Bar(f"{arm.name}: {said}", tuple(found[p.value] for p in Package)))
    n = sum(sum(bar.values) for bar in bars)
    series = tuple(Series(p.value, p.value, f"c-{p.value}") for p in Package)
    chart = bar_chart(
        "packages",
        "Evidence by answer",
        "Number of records by arm, answer and outcome of the evidence audit.",
        "arm and answer",
        bars,
        series,
        n,
    )
    return View(
        "packages",
        "Evidence packages",
        notes("packages"),
        (grid("packages", "By predicted answer", ("arm", "answer"), PACKAGE, lines),),
        (chart,),
    )

"""View 6: the same measures country by country."""

from __future__ import annotations

from collections.abc import Sequence

from s2r.evaluate.harness.decision import percent, stratum, tick
from s2r.evaluate.harness.figures import Figure, View, count, grid, share
from s2r.evaluate.harness.outcomes import Outcome, Scored
from s2r.evaluate.harness.pictures import dots
from s2r.evaluate.harness.words import notes
from s2r.report.plots import DotRow, dot_chart, series_of

PANEL = ("records", "accuracy", "A-recall", "B-FEPR", "C-FPR", "date within 7", "A-joint within 7", "overall joint")
SMALL = 20  # records under which a panel says next to nothing
CHARTED = 16


def panel(outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    """The figures of PANEL."""
    a, b, c = (stratum(outcomes, name) for name in "ABC")
    return (
        count(len(outcomes)),
        share(outcomes, lambda o: o.status_ok),
        share(a, lambda o: o.said_yes),
        share(b, lambda o: o.said_yes),
        share(c, lambda o: o.said_yes),
        share(a, lambda o: o.date_within),
        share(a, lambda o: o.joint_within),
        share(outcomes, lambda o: o.right),
    )


def countries(arms: Sequence[Scored]) -> list[str]:
    """Countries of all arms, the one with most records first."""
    sizes: dict[str, int] = {}
    for outcome in arms[0].outcomes if arms else ():
        sizes[outcome.country] = sizes.get(outcome.country, 0) + 1
    return sorted(sizes, key=lambda name: (-sizes[name], name))


def panel_view(arms: Sequence[Scored]) -> View:
    """View 6."""
    order = countries(arms)
    names = [arm.name for arm in arms]
    found = {name: {arm.name: panel([o for o in arm.outcomes if o.country == name]) for arm in arms} for name in order}
    rows = [DotRow(name, dots(name, {arm: figures[-1] for arm, figures in found[name].items()}, names)) for name in order[:CHARTED]]
    chart = dot_chart(
        "countries",
        "Countries",
        "Share of records that are right as a whole (overall joint), with 95% intervals.",
        max((len(arm.outcomes) for arm in arms), default=0),
        rows,
        series_of(names),
        percent,
        tick=tick,
        high=1.0,
        head="country",
        note=f"First {CHARTED} of {len(order)} countries; all stand in the table." if len(order) > CHARTED else "",
    )
    lines = [((name, arm), figures) for name in order for arm, figures in found[name].items()]
    return View(
        "countries",
        "Country panels",
        notes("countries", small=SMALL),
        (grid("countries", "By country", ("country", "arm"), PANEL, lines),),
        (chart,),
    )

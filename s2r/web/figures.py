"""Charts of the home page, made of the figures of review; each has its n and the table of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from s2r.report.charts import Bar, Chart, Series, bar_chart, column_chart, column_svg
from s2r.report.curves import Curve, Span, percent, span_svg, xy_svg
from s2r.report.page import money
from s2r.report.plots import Dot, DotRow, dot_chart, series_of
from s2r.report.watching import read_watch
from s2r.reviews import FacetValue, Numbers, State
from s2r.risk.measure import Count
from s2r.web.words import say

MOST = 20  # bars of a chart; the table below it has them all


def home_charts(found: Numbers, ages: Sequence[FacetValue]) -> tuple[Chart, ...]:
    """All charts in reading order; those of a risk model only where one was used."""
    charts = [depth(found), age(ages), shares(found), accepted_error(found), throughput(found), pace(found), agreement(found)]
    charts += [recall(found), risk_coverage(found), reliability(found), cost(found)]
    watch = read_watch({"monitoring": found.monitoring})
    return (*charts, *(watch.charts if watch else ()))


def depth(found: Numbers) -> Chart:
    """Rows by where they stand."""
    bars = [Bar(say(f"state.{state}"), (found.states.get(state.value, 0),)) for state in State if found.states.get(state.value)]
    return _bars("depth", bars, found.rows)


def age(ages: Sequence[FacetValue]) -> Chart:
    """Waiting rows by days."""
    order = {value.value: value.count for value in ages}
    bars = [Bar(name, (order[name],)) for name in ("0-1", "2-7", "8-30", "31-") if order.get(name)]
    return _bars("age", bars, sum(order.values()))


def shares(found: Numbers) -> Chart:
    """What needs no reviewer, what does, and what reviewers change."""
    given = {"accepted": found.accepted, "review": found.review, "changed": found.changed}
    return _spans("shares", {say(f"home.share_{name}"): count for name, count in given.items()}, found.rows)


def accepted_error(found: Numbers) -> Chart:
    """Wrong among accepted rows, as audit samples tell; the weighted estimate stands in the note."""
    spans = {say(f"home.error_{name}"): error.wrong for name, error in found.errors.items()}
    whole = found.errors.get("all")
    note = ""
    if whole is not None:
        if whole.estimate is not None and whole.interval is not None:
            low, high = whole.interval
            note = say("home.error_weighted", value=f"{whole.estimate:.1%}", low=f"{low:.1%}", high=f"{high:.1%}") + " "
        note += say("home.error_sample", drawn=whole.drawn, open=whole.open)
    return _spans("accepted_error", spans, whole.wrong.n if whole else 0, note=note)


def recall(found: Numbers) -> Chart:
    """True events that no accepted no has lost, by market, lowest first."""
    order = sorted(found.recall.items(), key=lambda item: (item[1].value or 0.0, -item[1].n, item[0]))
    return _spans("recall", {name or say("common.none"): count for name, count in order}, sum(count.n for _, count in order))


def agreement(found: Numbers) -> Chart:
    """How often two blind reviews say the same; Cohen's kappa stands in the note."""
    told = found.agreement
    note = say("home.kappa_none")
    if told.kappa is not None:
        low, high = told.interval or (told.kappa, told.kappa)
        note = say("home.kappa", value=f"{told.kappa:.2f}", low=f"{low:.2f}", high=f"{high:.2f}")
    note += " " + say("home.adjudicated", n=told.adjudicated)
    return _spans("agreement", {say("home.same"): told.same}, told.same.n, note=note)


def throughput(found: Numbers) -> Chart:
    """Decisions by day."""
    head = (say("home.throughput_col"), say("home.decisions"))
    columns = [(day[5:], n) for day, n in found.by_day] if any(n for _, n in found.by_day) else []
    return column_chart("throughput", say("home.throughput"), say("home.throughput_desc"), head, columns)


def pace(found: Numbers) -> Chart:
    """Median seconds of a decision by reviewer, with its interval."""
    rows = []
    for one in found.pace[:MOST]:
        value = one.seconds
        dots = (Dot(0, value[0], value[1], value[2], f"{one.by}: {value[0]:.0f} s, n = {one.timed}"),) if value else ()
        rows.append(DotRow(one.by, dots, say("common.none")))
    rows = rows if any(row.dots for row in rows) else []
    series = series_of([say("home.tile_time")])
    return dot_chart(
        "pace", say("home.time"), say("home.time_desc"), found.timed, rows, series, lambda v: f"{v:.0f} s", head=say("home.time_col")
    )


def cost(found: Numbers) -> Chart:
    """Known cost of the newest runs and nights; the table has it by what was called."""
    kinds = sorted({kind for run in found.costs for kind in run.usd})
    columns = [(run.at[5:10], run.total) for run in found.costs] if kinds else []
    head = (say("home.cost_col"), *kinds, say("home.cost_total"))
    rows = tuple(
        (f"{run.at[:16].replace('T', ' ')} {run.run_id}", *(money(run.usd.get(kind, 0.0)) for kind in kinds), money(run.total))
        for run in found.costs
    )
    title, desc = say("home.cost"), say("home.cost_desc")
    unpriced = sum(run.unpriced for run in found.costs)
    note = say("home.cost_unpriced", n=unpriced) if unpriced else "" if kinds else say("home.cost_none")
    return Chart("cost", title, desc, len(found.costs), column_svg("cost", title, desc, columns, money), head, rows, note=note)


def risk_coverage(found: Numbers) -> Chart:
    """Share wrong when reviewed rows of the lowest risk are accepted first."""
    title, desc = say("home.risk_coverage"), say("home.risk_coverage_desc")
    curve = Curve(title, "c-yes", found.risk_coverage)
    names = (say("home.share_accepted_axis"), say("home.share_wrong"))
    svg = xy_svg("risk-coverage", title, desc, [curve], *names) if found.judged else Markup("")
    step = max(1, len(found.risk_coverage) // 20)
    rows = tuple((percent(share), percent(error)) for share, error in found.risk_coverage[::step])
    return Chart("risk-coverage", title, desc, found.judged, svg, names, rows)


def reliability(found: Numbers) -> Chart:
    """Estimated risk against what reviewers found, in groups."""
    title, desc = say("home.reliability"), say("home.reliability_desc")
    dots = Curve(
        say("home.observed"), "c-yes", [(b.estimate, b.wrong.value or 0.0) for b in found.reliability], line=False,
        spans=[b.wrong.interval for b in found.reliability],
    )  # fmt: skip
    names = (say("home.estimated"), say("home.share_wrong"))
    diagonal = Curve(say("home.estimated"), "c-plain", [(0.0, 0.0), (1.0, 1.0)], dashed=True)
    svg = xy_svg("reliability", title, desc, [diagonal, dots], *names, square=True) if found.judged else Markup("")
    series = tuple(Series(curve.label, curve.label, curve.css) for curve in (dots, diagonal))
    return Chart(
        "reliability", title, desc, found.judged, svg, names, tuple((percent(b.estimate), str(b.wrong)) for b in found.reliability), series
    )


def _bars(name: str, bars: Sequence[Bar], n: int) -> Chart:
    series = (Series("n", say("home.row_rows"), "c-plain"),)
    return bar_chart(name, say(f"home.{name}"), say(f"home.{name}_desc"), say(f"home.{name}_col"), bars, series, n)


def _spans(name: str, counts: Mapping[str, Count], n: int, note: str = "") -> Chart:
    """Shares with their intervals; nothing is drawn where nothing was counted."""
    title, desc = say(f"home.{name}"), say(f"home.{name}_desc")
    spans = []
    for label, count in list(counts.items())[:MOST]:
        low, high = count.interval
        told = f"{percent(count.value)} [{low:.1%}, {high:.1%}] n = {count.n}" if count.value is not None else "n = 0"
        spans.append(Span(label, count.value, low, high, told))
    svg = span_svg(name, title, desc, spans) if n else Markup("")
    return Chart(
        name, title, desc, n, svg, (say(f"home.{name}_col"), say("home.share")), tuple((k, str(c)) for k, c in counts.items()), note=note
    )

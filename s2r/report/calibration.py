"""The report of a calibration: model card, thresholds, and how they do on the locked test, in one HTML file without scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from s2r.report.charts import Chart, Series
from s2r.report.curves import Curve, Span, percent, signed_svg, span_svg, xy_svg
from s2r.report.files import whole
from s2r.report.page import environment
from s2r.report.riskwords import (
    CHOICE_HEAD,
    COEFFICIENT_HEAD,
    MEASURE_HEAD,
    PART_HEAD,
    choice_rows,
    coefficient_rows,
    facts,
    look_sentence,
    measure_rows,
    part_rows,
)
from s2r.risk.measure import Count, Measured
from s2r.risk.model import TARGET_WORDS, RiskModel, group_words

Curves = Mapping[str, Sequence[tuple[float, float]]]
CURVE_CSS = {"all": ("all answers", "c-pass"), "yes": ("answers yes", "c-yes"), "no": ("answers no", "c-no")}
MOST_BARS = 16


def write_calibration(path: Path, model: RiskModel, *, calibration: Measured, beside: Measured, curves: Curves) -> None:
    """Write the report to `path`, whole or not at all; raises StoreError. `calibration` are the figures of the part that chose the
    thresholds, `beside` those of the other method on the locked test, `curves` the points of risk against coverage there."""
    assert model.test is not None
    page = environment().get_template("calibration.html.j2")
    with whole(path) as out:
        text = page.render(
            model=model,
            target=TARGET_WORDS[model.target],
            group_words=group_words,
            facts=facts(model),
            look=look_sentence(model),
            seen=bool(model.looks and model.looks[-1].seen_before),
            charts=calibration_charts(model, model.test, beside, curves),
            tables=(
                ("Parts", PART_HEAD, part_rows(model)),
                ("Thresholds in use", CHOICE_HEAD, choice_rows(model.choices)),
                ("What the other method would choose", CHOICE_HEAD, choice_rows(model.beside)),
                ("Locked test", MEASURE_HEAD, measure_rows(model.test)),
                ("Calibration part (it chose the thresholds)", MEASURE_HEAD, measure_rows(calibration)),
                (f"Coefficients ({model.target.value}); a positive one raises the risk", COEFFICIENT_HEAD, coefficient_rows(model)),
            ),
        )
        out.write(text.encode("utf-8", "replace"))


def calibration_charts(model: RiskModel, test: Measured, beside: Measured, curves: Curves) -> list[Chart]:
    """The charts in reading order, each with the table of its figures."""
    return [_risk_coverage(model, curves, test), _reliability(test), _errors(model, test, beside), _shares(test), _weights(model)]


def _risk_coverage(model: RiskModel, curves: Curves, test: Measured) -> Chart:
    title = "Risk and coverage"
    desc = "Locked test, records that the routing table may accept: share of wrong ones when those of the lowest risk are accepted first."
    shown = [Curve(CURVE_CSS[name][0], CURVE_CSS[name][1], points) for name, points in curves.items()]
    target = Curve("asked for", "c-fail", [(0.0, model.promise.error), (1.0, model.promise.error)], dashed=True)
    svg = xy_svg("coverage-risk", title, desc, [*shown, target], "share accepted", "share wrong")
    rows = tuple(
        (f"{CURVE_CSS[name][0]}, {percent(share)} accepted", percent(error))
        for name, points in curves.items()
        for share, error in _some(points)
    )
    series = tuple(Series(c.label, c.label, c.css) for c in (*shown, target))
    return Chart("coverage-risk", title, desc, test.eligible.hits, svg, ("accepted", "wrong"), rows, series)


def _some(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most twenty points of a curve, the last among them."""
    step = -(-len(points) // 20)
    return list(points[::-1][::step][::-1]) if points else []


def _reliability(test: Measured) -> Chart:
    title = "Reliability"
    desc = "Locked test: records in groups of rising estimated risk; the share that is wrong, with its 95% interval, against the estimate."
    points = [(b.estimate, b.wrong.value or 0.0) for b in test.reliability]
    dots = Curve("observed", "c-yes", points, line=False, spans=[b.wrong.interval for b in test.reliability])
    diagonal = Curve("as estimated", "c-plain", [(0.0, 0.0), (1.0, 1.0)], dashed=True)
    svg = xy_svg("reliability", title, desc, [diagonal, dots], "estimated risk", "share wrong", square=True)
    rows = tuple((percent(b.estimate), str(b.wrong)) for b in test.reliability)
    series = (Series("observed", "observed", "c-yes"), Series("as estimated", "as estimated", "c-plain"))
    return Chart("reliability", title, desc, test.records, svg, ("estimated", "wrong"), rows, series, f"Brier score {test.brier:.4f}.")


def _errors(model: RiskModel, test: Measured, beside: Measured) -> Chart:
    title = "Wrong among accepted"
    desc = "Locked test: share of accepted records that are wrong, with 95% exact intervals; the red mark is what was asked for."
    other = model.beside[0].method.value if model.beside else ""
    found = {
        "all accepted": (test.accepted_error, "c-plain"),
        "accepted yes": (test.accepted_yes_error, "c-yes"),
        "accepted no": (test.accepted_no_error, "c-no"),
        **{group_words(name): (count, "c-plain") for name, count in test.by_group.items() if "/" in name},
        f"all accepted, {other}": (beside.accepted_error, "c-abstain"),
        f"accepted yes, {other}": (beside.accepted_yes_error, "c-abstain"),
        f"accepted no, {other}": (beside.accepted_no_error, "c-abstain"),
    }
    spans = [_span(label, count, css) for label, (count, css) in found.items()]
    rows = [(label, str(count)) for label, (count, _) in found.items()]
    note = ""
    if model.deployed is not None and model.deployed.value is not None:
        d = model.deployed
        shown = f"{d.value:.2%} [{d.low:.2%}, {d.high:.2%}] of n = {d.n}, worth {d.effective_n:.0f} after weighting"
        spans.append(
            Span("all accepted, in the target mix", d.value, d.low, d.high, f"{d.value:.1%} [{d.low:.1%}, {d.high:.1%}]", "c-pass")
        )
        rows.append(("all accepted, in the target mix", shown))
        note = f"In the target mix: {shown}."
    svg = span_svg("accepted-error", title, desc, spans, model.promise.error)
    return Chart("accepted-error", title, desc, test.accepted_error.n, svg, ("accepted", "wrong"), tuple(rows), note=note)


def _shares(test: Measured) -> Chart:
    title = "Yield and review load"
    desc = "Locked test: what is ready without a reviewer, what a reviewer must see, and true events that are not lost."
    found = {
        "ready: accepted and right, of all": (test.ready, "c-pass"),
        "ready, of true events": (test.positives_ready, "c-yes"),
        "to a reviewer": (test.review, "c-abstain"),
        "true events not lost in an accepted no": (test.recall, "c-plain"),
    }
    svg = span_svg("yield", title, desc, [_span(label, count, css) for label, (count, css) in found.items()])
    rows = tuple((label, str(count)) for label, (count, _) in found.items())
    return Chart("yield", title, desc, test.records, svg, ("figure", "share"), rows)


def _span(label: str, count: Count, css: str) -> Span:
    low, high = count.interval
    note = f"{count.value:.1%} [{low:.1%}, {high:.1%}] n = {count.n}" if count.value is not None else "none accepted (n = 0)"
    return Span(label, count.value, low, high, note, css)


def _weights(model: RiskModel) -> Chart:
    title = "What raises and lowers the risk"
    fit = next(fit for fit in model.fits if fit.target is model.target)
    desc = "Coefficients of the logistic regression per standard deviation of the column: to the right raises the estimated risk."
    ordered = sorted(zip(model.columns, fit.coefficients, strict=True), key=lambda pair: -abs(pair[1]))
    bars = [(name.replace("_", " "), weight) for name, weight in ordered[:MOST_BARS] if weight]
    rest = len(model.columns) - len(bars)
    note = f"The largest {len(bars)} of {len(model.columns)}; all are in the table below." if rest else ""
    svg = signed_svg("coefficients", title, desc, bars)
    rows = tuple((name, f"{weight:+.3f}") for name, weight in bars)
    return Chart("coefficients", title, desc, fit.records, svg, ("column", "coefficient"), rows, note=note)

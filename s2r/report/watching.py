"""The part of a run's report that watches its risk model: alarms, features that moved, and figures of reviewed records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from s2r.report.charts import Chart, Series
from s2r.report.curves import Curve, Span, span_svg, xy_svg
from s2r.risk.drift import MOVED
from s2r.risk.measure import Count
from s2r.risk.monitor import Monitor

MOST = 12


@dataclass(frozen=True, slots=True)
class Watch:
    """What the report shows of a monitored run."""

    monitor: Monitor
    charts: tuple[Chart, ...]


def read_watch(manifest: Mapping[str, object]) -> Watch | None:
    """The monitoring of a run from its manifest; None when no risk model was used."""
    found = manifest.get("monitoring")
    if not found:
        return None
    monitor = Monitor.model_validate(found)
    charts = [_moved(monitor)]
    if monitor.reviewed:
        charts += [_errors(monitor), _brier(monitor), _recall(monitor)]
    return Watch(monitor, tuple(charts))


def _moved(monitor: Monitor) -> Chart:
    title = "Features against the labelled records"
    desc = "Population stability index of the features that moved most; the red mark is where a feature counts as moved."
    ordered = sorted(monitor.stability, key=lambda s: -s.psi)
    spans = [
        Span(s.column.replace("_", " "), min(s.psi, 1.0), 0.0, min(s.psi, 1.0), f"{s.psi:.2f}", "c-fail" if s.moved else "c-plain")
        for s in ordered[:MOST]
    ]
    rows = tuple((s.column, f"{s.psi:.3f}", f"{s.chance:.3f}", "moved" if s.moved else "") for s in ordered)
    note = f"The {min(MOST, len(ordered))} largest of {len(ordered)}; bars end at 1."
    head = ("feature", "index", "by chance 1 in 100", "")
    return Chart("drift", title, desc, monitor.records, span_svg("drift", title, desc, spans, MOVED), head, rows, note=note)


def _errors(monitor: Monitor) -> Chart:
    title = "Wrong among accepted, as reviewed"
    desc = "Share of reviewed accepted records that are wrong, with 95% exact intervals; the red mark is what the risk model promises."
    found = {
        "accepted": (monitor.accepted_error, "c-plain"),
        "accepted yes": (monitor.accepted_yes_error, "c-yes"),
        "accepted no": (monitor.accepted_no_error, "c-no"),
    }
    spans = [_span(label, count, css) for label, (count, css) in found.items() if count is not None]
    rows = tuple((label, str(count)) for label, (count, _) in found.items())
    svg = span_svg("reviewed-error", title, desc, spans, monitor.asked)
    return Chart("reviewed-error", title, desc, monitor.reviewed, svg, ("accepted", "wrong"), rows)


def _brier(monitor: Monitor) -> Chart:
    title = "Calibration over time"
    desc = "Brier score of the last hundred reviewed records, and the score that the estimates themselves let expect."
    scores = Curve("observed", "c-yes", [(float(n), score) for n, score, _ in monitor.brier])
    expected = Curve("expected", "c-plain", [(float(n), value) for n, _, value in monitor.brier], dashed=True)
    top = float(max((n for n, _, _ in monitor.brier), default=1))
    svg = xy_svg("brier", title, desc, [expected, scores], "records reviewed", "Brier score", x_top=top) if monitor.brier else None
    rows = tuple((str(n), f"{score:.4f}", f"{value:.4f}") for n, score, value in monitor.brier[:: max(1, len(monitor.brier) // 40)])
    series = tuple(Series(c.label, c.label, c.css) for c in (scores, expected))
    return Chart("brier", title, desc, monitor.reviewed, svg or Markup(""), ("reviewed", "observed", "expected"), rows, series)


def _recall(monitor: Monitor) -> Chart:
    title = "True events not lost, by market"
    desc = "Reviewed true events that were not lost in an accepted no, with 95% exact intervals."
    order = sorted(monitor.recall.items(), key=lambda item: ((item[1].value or 0.0), -item[1].n, item[0]))
    spans = [_span(market or "no market", count, "c-plain") for market, count in order[:MOST]]
    rows = tuple((market or "no market", str(count)) for market, count in order)
    n = sum(count.n for count in monitor.recall.values())
    note = f"First {MOST} of {len(order)} markets, lowest first." if len(order) > MOST else ""
    return Chart("market-recall", title, desc, n, span_svg("market-recall", title, desc, spans), ("market", "kept"), rows, note=note)


def _span(label: str, count: Count, css: str) -> Span:
    low, high = count.interval
    note = f"{count.value:.1%} [{low:.1%}, {high:.1%}] n = {count.n}" if count.value is not None else "none (n = 0)"
    return Span(label, count.value, low, high, note, css)

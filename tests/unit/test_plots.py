"""Charts of measured figures: marks stand where their values are, words of strangers stay words."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from s2r.report.curves import WIDTH as SPAN_WIDTH
from s2r.report.curves import Span, span_svg
from s2r.report.plots import Curve, Dot, DotRow, curve_chart, dot_chart, sample, series_of


def percent(value: float) -> str:
    """Whole percent."""
    return f"{100 * value:.0f}%"


def drawn(svg: str) -> ElementTree.Element:
    """The chart as a tree; raises for what is not well-formed."""
    return ElementTree.fromstring(svg)


def test_dots_stand_at_their_values_between_their_limits() -> None:
    """On an axis from 0 to 1 the middle of the axis is 0.5, and an interval spans its limits."""
    rows = [DotRow("a", (Dot(0, 0.0, 0.0, 0.0, "t"), Dot(0, 0.5, 0.25, 0.75, "t"), Dot(0, 1.0, 1.0, 1.0, "t")))]
    tree = drawn(dot_chart("x", "T", "D", 3, rows, series_of(["one"]), percent, high=1.0).svg)
    left, middle, right = (float(c.attrib["cx"]) for c in tree.iter("circle"))
    assert middle == pytest.approx((left + right) / 2, abs=0.1)
    bar = [line for line in tree.iter("line") if "bar" in line.attrib["class"]][1]
    assert (float(bar.attrib["x1"]) - left) / (right - left) == pytest.approx(0.25, abs=0.01)
    assert (float(bar.attrib["x2"]) - left) / (right - left) == pytest.approx(0.75, abs=0.01)


def test_series_differ_in_shape_and_the_legend_shows_it() -> None:
    """Two series never share both shape and colour, and the mark of the legend is that of the chart."""
    series = series_of([str(k) for k in range(8)])
    assert len({str(sample(one, k)).split(">", 1)[1] for k, one in enumerate(series)}) == 8


def test_what_has_no_value_is_said_and_not_drawn() -> None:
    """A row without dots keeps its label and says why; a chart without any dot has no picture and still its table."""
    one = dot_chart("x", "T", "D", 3, [DotRow("a", (Dot(0, 0.5, 0.4, 0.6, "t"),)), DotRow("b", (), "n = 0")], series_of(["s"]), percent)
    assert "n = 0" in one.svg
    assert one.rows[1] == ("b", "n = 0")
    none = dot_chart("x", "T", "D", 0, [DotRow("b", (), "n = 0")], series_of(["s"]), percent)
    assert none.svg == ""
    assert none.rows == (("b", "n = 0"),)


def test_words_of_strangers_cannot_leave_the_chart() -> None:
    """Names of arms and countries are escaped in labels, tips and tables of the page."""
    bad = '</svg><script>alert(1)</script>"&'
    chart = dot_chart("x", bad, bad, 1, [DotRow(bad, (Dot(0, 0.5, 0.4, 0.6, bad),))], series_of([bad]), percent)
    assert "<script" not in chart.svg
    drawn(chart.svg)


def test_curve_rises_upwards_and_its_band_holds_it() -> None:
    """A larger value stands higher, and the band runs around the line."""
    points = ((0.5, 0.1, 0.05, 0.2), (1.0, 0.3, 0.2, 0.4))
    chart = curve_chart("x", "T", "D", 10, [Curve(0, points)], series_of(["s"]), percent, across="a", up="u", mark=0.05)
    low, high = (float(c.attrib["cy"]) for c in drawn(chart.svg).iter("circle"))
    assert high < low
    assert [row[0] for row in chart.rows] == ["50%", "100%"]
    assert chart.svg.count("target") == 1
    assert curve_chart("x", "T", "D", 0, [], series_of(["s"]), percent, across="a", up="u").svg == ""


def test_shares_of_none_and_of_all_are_whole_dots_inside_the_frame() -> None:
    """A share of 0% or 100% is not cut off at the edge, a value stands inside its interval, and the mark where its value would."""
    spans = [
        Span("a", 0.0, 0.0, 0.05, "0%"),
        Span("b", 0.5, 0.4, 0.6, "50%"),
        Span("c", 1.0, 0.9, 1.0, "100%"),
        Span("d", None, 0.0, 0.0, "none"),
    ]
    tree = drawn(span_svg("x", "T", "D", spans, limit=0.5))
    dots = [(float(c.attrib["cx"]), float(c.attrib["r"])) for c in tree.iter("circle")]
    assert len(dots) == 3
    for x, r in dots:
        assert r <= x <= SPAN_WIDTH - r
    marks = {line.attrib["x1"] for line in tree.iter("line") if "c-fail" in line.attrib["class"]}
    assert [float(x) for x in marks] == [pytest.approx(dots[1][0], abs=0.1)]

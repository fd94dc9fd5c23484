"""Charts of measured figures as SVG: dots with their intervals, and curves; shape, not colour alone, tells series apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from s2r.report.charts import SIZE, WIDTH, Chart, Series
from s2r.report.inert import text_width, wrap
from s2r.report.svg import el, picture

ROW = 15.0  # height of one dot
GAP = 9.0  # between groups of dots
LABELS = 150.0  # the widest that labels may be
MAX_SERIES = 8  # shapes there are
TICK = 12.0  # font size of axis labels
MARGIN = 18.0  # right of curves, for half of the last label

Write = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its interval; `series` is the index of its series."""

    series: int
    value: float
    low: float
    high: float
    tip: str


@dataclass(frozen=True, slots=True)
class DotRow:
    """Dots that share a label; without dots the label stands alone with `none`."""

    label: str
    dots: tuple[Dot, ...]
    none: str = ""


def series_of(names: Sequence[str]) -> tuple[Series, ...]:
    """Series of arms or the like, in their order; colours and shapes repeat after MAX_SERIES."""
    return tuple(Series(name, name, f"s{k % MAX_SERIES}") for k, name in enumerate(names))


def dot_chart(
    ident: str,
    title: str,
    desc: str,
    n: int,
    rows: Sequence[DotRow],
    series: tuple[Series, ...],
    write: Write,
    *,
    tick: Write | None = None,
    low: float = 0.0,
    high: float | None = None,
    mark: float | None = None,
    head: str = "",
    note: str = "",
) -> Chart:
    """One line per dot: label, interval, dot, and the value at the right edge. `low` and `high` bound the axis (None: from the
    dots), `mark` is a line to read against, such as zero or a target; `tick` writes the numbers of the axis."""
    dots = [dot for row in rows for dot in row.dots]
    table = tuple((row.label, *_cells(row, series, write)) for row in rows)
    heads = (head, *(one.label for one in series))
    if not dots:
        return Chart(ident, title, desc, n, Markup(""), heads, table, series, note)
    axis = _Axis(
        min([low, *(dot.low for dot in dots)]),
        high if high is not None else max(dot.high for dot in dots),
        _label_width(rows),
        WIDTH - max(text_width(write(dot.value)) for dot in dots) * SIZE - 14,
    )
    body, bottom = _dot_rows(rows, axis, write)
    backdrop = _ticks(axis, 2.0, bottom, tick or write)
    if mark is not None and axis.low <= mark <= axis.high:
        x = axis.x(mark)
        backdrop.append(el("line", x1=x, y1=0.0, x2=x, y2=bottom, class_="target"))
    svg = picture(f"chart-{ident}", title, desc, WIDTH, bottom + 20, *backdrop, *body)
    return Chart(ident, title, desc, n, svg, heads, table, series if len(series) > 1 else (), note)


def _cells(row: DotRow, series: Sequence[Series], write: Write) -> tuple[str, ...]:
    shown = {dot.series: f"{write(dot.value)} [{write(dot.low)}, {write(dot.high)}]" for dot in row.dots}
    return tuple(shown.get(k, row.none or "-") for k in range(len(series)))


@dataclass(frozen=True, slots=True)
class _Axis:
    """Values from `low` to `high` between two edges; what lies outside is drawn at the edge."""

    low: float
    high: float
    left: float
    right: float

    def x(self, value: float) -> float:
        span = (self.high - self.low) or 1.0
        return self.left + (min(max(value, self.low), self.high) - self.low) / span * (self.right - self.left)


def _label_width(rows: Sequence[DotRow]) -> float:
    return min(LABELS, max(text_width(row.label) for row in rows) * SIZE) + 12


def _dot_rows(rows: Sequence[DotRow], axis: _Axis, write: Write) -> tuple[list[Markup], float]:
    """The rows from the top, and where they end."""
    parts: list[Markup] = []
    y = 6.0
    for row in rows:
        lines = wrap(row.label, (axis.left - 10) / SIZE, 2)
        tall = max(len(row.dots) * ROW, len(lines) * ROW, ROW)
        top = y + (tall - len(lines) * ROW) / 2
        parts += [el("text", line, x=0.0, y=top + ROW * k + 11, class_="label") for k, line in enumerate(lines)]
        begin = y + (tall - max(len(row.dots), 1) * ROW) / 2
        if not row.dots and row.none:
            parts.append(el("text", row.none, x=WIDTH, y=begin + 11, class_="label part", text_anchor="end"))
        for k, dot in enumerate(row.dots):
            parts += _dot(dot, axis, begin + ROW * k + ROW / 2, write)
        y += tall + GAP
    return parts, y - GAP + 4


def _dot(dot: Dot, axis: _Axis, y: float, write: Write) -> list[Markup]:
    css = f"s{dot.series % MAX_SERIES}"
    left, right = axis.x(dot.low), axis.x(dot.high)
    return [
        el("line", x1=left, y1=y, x2=max(right, left + 1), y2=y, class_=f"bar {css}"),
        el("g", el("title", dot.tip), shape(dot.series, axis.x(dot.value), y)),
        el("text", write(dot.value), x=WIDTH, y=y + 4.5, class_="num", text_anchor="end"),
    ]


def shape(number: int, x: float, y: float) -> Markup:
    """The marker of a series."""
    kind, css = number % MAX_SERIES, f"dot s{number % MAX_SERIES}"
    corners = _SHAPES[kind]
    if not corners:
        return el("circle", cx=x, cy=y, r=4.5, class_=css)
    return el("path", d="M" + "L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in corners) + "Z", class_=css)


def sample(one: Series, number: int) -> Markup:
    """The marker of a series for a legend; a plain box for one that is drawn as a bar."""
    if one.css == f"s{number % MAX_SERIES}":
        return el("svg", shape(number, 7, 7), viewBox="0 0 14 14", width=14.0, height=14.0, class_="sample", aria_hidden="true")
    box = el("rect", width=12.0, height=12.0, rx=2.0, class_=one.css)
    return el("svg", box, viewBox="0 0 12 12", width=12.0, height=12.0, class_="sample", aria_hidden="true")


_SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-4, -4), (4, -4), (4, 4), (-4, 4)),
    ((0, -5.2), (5, 4), (-5, 4)),
    ((0, -5.5), (5, 0), (0, 5.5), (-5, 0)),
    ((-5, -4), (5, -4), (0, 5.2)),
    (
        (-1.5, -5),
        (1.5, -5),
        (1.5, -1.5),
        (5, -1.5),
        (5, 1.5),
        (1.5, 1.5),
        (1.5, 5),
        (-1.5, 5),
        (-1.5, 1.5),
        (-5, 1.5),
        (-5, -1.5),
        (-1.5, -1.5),
    ),
    ((0, -5.2), (5, -1.6), (3.1, 4.2), (-3.1, 4.2), (-5, -1.6)),
    ((-5, -2.5), (5, -2.5), (5, 2.5), (-5, 2.5)),
)


@dataclass(frozen=True, slots=True)
class Curve:
    """Points (x, y, low, high) of one series, x rising; `series` is the index of its series."""

    series: int
    points: tuple[tuple[float, float, float, float], ...]


def curve_chart(
    ident: str,
    title: str,
    desc: str,
    n: int,
    curves: Sequence[Curve],
    series: tuple[Series, ...],
    write: Write,
    *,
    tick: Write | None = None,
    across: str,
    up: str,
    mark: float | None = None,
    diagonal: bool = False,
    note: str = "",
) -> Chart:
    """Curves with a band for their intervals over an axis from 0 to 1; `mark` is a level to read against, `diagonal` the line
    on which both axes agree."""
    xs = sorted({point[0] for curve in curves for point in curve.points})
    heads = (across, *(one.label for one in series))
    table = tuple((write(x), *(_at(curves, k, x, write) for k in range(len(series)))) for x in xs)
    if not xs:
        return Chart(ident, title, desc, n, Markup(""), heads, table, series, note)
    top = 1.0 if diagonal else _round_up(max([mark or 0.0, *(point[3] for curve in curves for point in curve.points)]))
    height, bottom, ceiling, left = 250.0, 210.0, 28.0, text_width((tick or write)(top)) * TICK + 10
    across_axis, up_axis = _Axis(0.0, 1.0, left, WIDTH - MARGIN), _Axis(0.0, top, bottom, ceiling)
    parts = [
        *_ticks(across_axis, ceiling, bottom, tick or write),
        *_side_ticks(up_axis, left, tick or write),
        el("text", up, x=0.0, y=10.0, class_="label part"),
        el("text", across, x=WIDTH - MARGIN, y=bottom + 34, class_="label part", text_anchor="end"),
    ]
    if mark is not None:
        parts.append(el("line", x1=left, y1=up_axis.x(mark), x2=WIDTH - MARGIN, y2=up_axis.x(mark), class_="target"))
    if diagonal:
        parts.append(el("line", x1=left, y1=bottom, x2=WIDTH - MARGIN, y2=ceiling, class_="target"))
    bands = [_band(curve, across_axis, up_axis) for curve in curves if len(curve.points) > 1]
    lines = [mark_ for curve in curves for mark_ in _line(curve, across_axis, up_axis, series, write)]
    svg = picture(f"chart-{ident}", title, desc, WIDTH, height, *parts, *bands, *lines)
    return Chart(ident, title, desc, n, svg, heads, table, series if len(series) > 1 else (), note)


def _at(curves: Sequence[Curve], number: int, x: float, write: Write) -> str:
    for curve in curves:
        for at, y, low, high in curve.points:
            if curve.series == number and at == x:
                return f"{write(y)} [{write(low)}, {write(high)}]"
    return "-"


def _band(curve: Curve, across: _Axis, up: _Axis) -> Markup:
    above = [f"{across.x(x):.1f} {up.x(high):.1f}" for x, _, _, high in curve.points]
    below = [f"{across.x(x):.1f} {up.x(low):.1f}" for x, _, low, _ in reversed(curve.points)]
    return el("path", d="M" + "L".join(above + below) + "Z", class_=f"band s{curve.series % MAX_SERIES}")


def _line(curve: Curve, across: _Axis, up: _Axis, series: Sequence[Series], write: Write) -> list[Markup]:
    places = [(across.x(x), up.x(y)) for x, y, _, _ in curve.points]
    parts = [el("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places), class_=f"curve s{curve.series % MAX_SERIES}")]
    for (x, y), (at, value, low, high) in zip(places, curve.points, strict=True):
        tip = f"{series[curve.series].label}: {write(at)}: {write(value)} [{write(low)}, {write(high)}]"
        parts.append(el("g", el("title", tip), shape(curve.series, x, y)))
    return parts


def _round_up(value: float) -> float:
    """The next number of one digit: 0.37 -> 0.4."""
    if value <= 0:
        return 1.0
    step = 10.0 ** math.floor(math.log10(value))
    return math.ceil(value / step - 1e-9) * step


def _steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most `most` of them."""
    span = (high - low) or 1.0
    rough = span / most
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next((k * scale for k in (1, 2, 2.5, 5, 10) if span / (k * scale) <= most), 10 * scale)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _ticks(axis: _Axis, top: float, bottom: float, write: Write) -> list[Markup]:
    most = max(2, int((axis.right - axis.left) / (text_width(write(axis.high)) * TICK + 22)))
    parts: list[Markup] = []
    for value in _steps(axis.low, axis.high, most):
        x = axis.x(value)
        parts.append(el("line", x1=x, y1=top, x2=x, y2=bottom, class_="tick"))
        parts.append(el("text", write(value), x=x, y=bottom + 14, class_="tick-label", text_anchor="middle"))
    return parts


def _side_ticks(axis: _Axis, left: float, write: Write) -> list[Markup]:
    parts: list[Markup] = []
    for value in _steps(axis.low, axis.high, 6):
        y = axis.x(value)
        parts.append(el("line", x1=left, y1=y, x2=WIDTH - MARGIN, y2=y, class_="tick"))
        parts.append(el("text", write(value), x=left - 6, y=y + 4, class_="tick-label", text_anchor="end"))
    return parts

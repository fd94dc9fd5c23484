"""Charts of shares as SVG: curves and points over two axes, shares with their intervals, and bars to both sides of zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from s2r.report.inert import text_width, wrap
from s2r.report.svg import el, picture

WIDTH, HEIGHT = 460.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 12.0, 30.0, 44.0
SIZE = 13.0
LINE = 17.0
DOT = 5.0
BOLD = 1.12  # of the width of plain figures
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """Points (x, y) of one colour class, drawn as a line or as dots; `spans` are intervals of y at each point."""

    label: str
    css: str
    points: Sequence[tuple[float, float]]
    line: bool = True
    spans: Sequence[tuple[float, float]] = ()
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A share with its interval; `value` None: nothing was counted."""

    label: str
    value: float | None
    low: float
    high: float
    note: str
    css: str = "c-plain"


def percent(value: float) -> str:
    """A share as a reader's percentage."""
    return f"{value:.0%}" if abs(value * 100 - round(value * 100)) < 1e-6 else f"{value:.1%}"


def xy_svg(
    ident: str, title: str, desc: str, curves: Sequence[Curve], x_name: str, y_name: str, *, square: bool = False, x_top: float = 1.0
) -> Markup:
    """Curves from 0: x to `x_top` (1: a share, else a count); y, a share, to what is drawn, or to 1 with `square`."""
    highest = max((y for curve in curves for _, y in (*curve.points, *((0.0, high) for _, high in curve.spans))), default=1.0)
    step = 0.25 if square else next((s for s in _STEPS if highest <= 5 * s), 1.0)
    top = 1.0 if square else max(step, -(-highest // step) * step)

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + x / x_top * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - min(y, top) / top * (HEIGHT - TOP - BOTTOM)

    parts = [*_axes(step, top, x_name, y_name, x_top)]
    for curve in curves:
        parts += _drawn(curve, [at(x, y) for x, y in curve.points], [(at(0, low)[1], at(0, high)[1]) for low, high in curve.spans])
    return picture(f"chart-{ident}", title, desc, WIDTH, HEIGHT, *parts)


def _axes(step: float, top: float, x_name: str, y_name: str, x_top: float) -> list[Markup]:
    floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts: list[Markup] = []
    for k in range(round(top / step) + 1):
        y = floor - k * step / top * (floor - TOP)
        parts.append(el("line", x1=LEFT, y1=y, x2=right, y2=y, class_="axis"))
        parts.append(el("text", percent(k * step), x=LEFT - 6, y=y + 4, class_="part", text_anchor="end"))
    for k in range(5):
        x = LEFT + k / 4 * (right - LEFT)
        tick = percent(k / 4) if x_top == 1.0 else f"{k / 4 * x_top:.0f}"
        parts.append(el("text", tick, x=x, y=floor + 17, class_="part", text_anchor="middle" if k < 4 else "end"))
    parts.append(el("text", x_name, x=right, y=HEIGHT - 8, class_="part", text_anchor="end"))
    parts.append(el("text", y_name, x=0.0, y=13.0, class_="part"))
    return parts


def _drawn(curve: Curve, points: Sequence[tuple[float, float]], spans: Sequence[tuple[float, float]]) -> list[Markup]:
    parts: list[Markup] = []
    for (x, _), (low, high) in zip(points, spans, strict=bool(spans)):
        parts.append(el("line", x1=x, y1=low, x2=x, y2=high, class_=f"stroke {curve.css}"))
    if curve.line and points:
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        css = f"stroke {curve.css}" + (" dashed" if curve.dashed else "")
        parts.append(el("path", el("title", curve.label), d=path, class_=css))
    if not curve.line or len(points) == 1:
        for (x, y), (share, value) in zip(points, curve.points, strict=True):
            tip = el("title", f"{curve.label}: {percent(share)}, {percent(value)}")
            parts.append(el("circle", tip, cx=x, cy=y, r=4.0, class_=curve.css))
    return parts


def span_svg(ident: str, title: str, desc: str, spans: Sequence[Span], limit: float | None = None) -> Markup:
    """A line per share: label and figures in text, below them the share as a dot in its interval; `limit` is a mark on each."""
    widest = max([span.high for span in spans if span.value is not None] + ([limit] if limit else []), default=1.0)
    top = min(1.0, max(widest * 1.05, 0.05))
    inner = WIDTH - 2 * DOT  # dots at both ends stay whole
    parts: list[Markup] = []
    y = 2.0
    for span in spans:
        taken = text_width(span.note) * SIZE * BOLD
        for k, line in enumerate(wrap(span.label, (WIDTH - taken - 12) / SIZE, 2)):
            parts.append(el("text", line, x=0.0, y=y + LINE * (k + 1) - 4, class_="label"))
            if k:
                y += LINE
        parts.append(el("text", span.note, x=WIDTH, y=y + LINE - 4, class_="num", text_anchor="end"))
        middle = y + LINE + 8
        parts.append(el("line", x1=0.0, y1=middle, x2=WIDTH, y2=middle, class_="axis"))
        if span.value is not None:
            low, at, high = (DOT + min(v, top) / top * inner for v in (span.low, span.value, span.high))
            parts.append(el("line", x1=low, y1=middle, x2=high, y2=middle, class_=f"stroke wide {span.css}"))
            parts.append(el("circle", el("title", f"{span.label}: {span.note}"), cx=at, cy=middle, r=DOT, class_=span.css))
        if limit is not None:
            x = DOT + limit / top * inner
            parts.append(el("line", el("title", percent(limit)), x1=x, y1=middle - 8, x2=x, y2=middle + 8, class_="stroke c-fail"))
        y += LINE + 22
    return picture(f"chart-{ident}", title, desc, WIDTH, y, *parts)


def signed_svg(ident: str, title: str, desc: str, bars: Sequence[tuple[str, float]]) -> Markup:
    """A bar per number to the left or right of zero, with its label and number above it."""
    far = max((abs(value) for _, value in bars), default=1.0) or 1.0
    middle, parts, y = WIDTH / 2, list[Markup](), 2.0
    for label, value in bars:
        shown = f"{value:+.2f}"
        parts.append(el("text", wrap(label, (WIDTH - text_width(shown) * SIZE - 12) / SIZE, 1)[0], x=0.0, y=y + LINE - 4, class_="label"))
        parts.append(el("text", shown, x=WIDTH, y=y + LINE - 4, class_="num", text_anchor="end"))
        wide = max(abs(value) / far * middle, 1.0)
        css = "c-fail" if value > 0 else "c-pass"
        parts.append(el("rect", x=middle if value > 0 else middle - wide, y=y + LINE, width=wide, height=9.0, rx=1.5, class_=css))
        y += LINE + 17
    parts.append(el("line", x1=middle, y1=0.0, x2=middle, y2=y, class_="axis"))
    return picture(f"chart-{ident}", title, desc, WIDTH, y, *parts)

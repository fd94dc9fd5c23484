"""Charts of a run as SVG: horizontal bars with their numbers in text above them, and a column chart of years."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from s2r.models import Package, Route, Status
from s2r.report.inert import text_width, wrap
from s2r.report.summary import PAGE_BINS, Summary, page_bin
from s2r.report.svg import el, picture
from s2r.report.texts import say, words

WIDTH = 460.0
SIZE = 13.0  # font size in px at full width
LINE = 17.0
BAR = 12.0
MAX_MARKETS = 20
MAX_REASONS = 12
SIDE = 138.0  # width of labels set beside their bars
STATUSES = tuple(s.value for s in Status)
PACKAGES = tuple(p.value for p in Package)


@dataclass(frozen=True, slots=True)
class Series:
    """One kind of segment: the key in the counts, its words and its colour class."""

    key: str
    label: str
    css: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar with a number per series; `level` 1 is a part of the bar above it. A sum of other bars is not drawn."""

    label: str
    values: tuple[int, ...]
    level: int = 0
    drawn: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart with the table of its figures. `n` is the number of records it counts."""

    ident: str
    title: str
    desc: str
    n: int
    svg: Markup
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    series: tuple[Series, ...] = ()
    note: str = ""


def all_charts(summary: Summary) -> list[Chart]:
    """The charts of a run in reading order."""
    return [
        status_by_market(summary),
        routes(summary),
        packages(summary),
        years(summary),
        reasons(summary),
        coverage(summary),
    ]


def status_by_market(summary: Summary) -> Chart:
    """Answers by market, largest market first; small markets beyond the cap are summed in one bar."""
    names = {m for m, _ in summary.market_status}
    size = {name: sum(summary.market_status[name, s] for s in STATUSES) for name in names}
    order = sorted(names, key=lambda name: (-size[name], name))
    shown, rest = order[:MAX_MARKETS], order[MAX_MARKETS:]
    bars = [Bar(name or say("market_none"), tuple(summary.market_status[name, s] for s in STATUSES)) for name in shown]
    if rest:
        others = tuple(sum(summary.market_status[m, s] for m in rest) for s in STATUSES)
        bars.append(Bar(say("chart_others", n=len(rest)), others, drawn=False))
    note = say("chart_others_note", n=MAX_MARKETS) if rest else ""
    return _bar_chart("status", bars, _series(STATUSES), summary.n, note)


def routes(summary: Summary) -> Chart:
    """Routes, each followed by its reasons."""
    bars: list[Bar] = []
    for route in (Route.REVIEW, Route.SEARCH_AGAIN, Route.ESCALATE, Route.ACCEPT):
        if not summary.route[route.value]:
            continue
        bars.append(Bar(words(route.value), (summary.route[route.value],)))
        parts = [(reason, n) for (name, reason), n in summary.route_reason.items() if name == route.value]
        parts.sort(key=lambda item: (-item[1], item[0]))
        bars += [Bar(reason, (n,), 1) for reason, n in parts[:MAX_REASONS]]
        if rest := parts[MAX_REASONS:]:
            bars.append(Bar(say("chart_other_reasons", n=len(rest)), (sum(n for _, n in rest),), 1, drawn=False))
    return _bar_chart("route", bars, (Series("n", say("chart_records_col"), "c-plain"),), summary.n)


def packages(summary: Summary) -> Chart:
    """Outcome of the evidence audit by answer."""
    bars = [Bar(s, tuple(summary.package_status[p, s] for p in PACKAGES)) for s in STATUSES if summary.status[s]]
    return _bar_chart("package", bars, _series(PACKAGES), summary.n)


def reasons(summary: Summary) -> Chart:
    """Broad reasons of records answered yes."""
    order = sorted(summary.reason.items(), key=lambda item: (-item[1], item[0]))
    bars = [Bar(words(reason) if reason else say("reason_none"), (n,)) for reason, n in order[:MAX_REASONS]]
    if rest := order[MAX_REASONS:]:
        bars.append(Bar(say("chart_other_reasons", n=len(rest)), (sum(n for _, n in rest),), drawn=False))
    return _bar_chart("reason", bars, (Series("n", say("chart_records_col"), "c-yes"),), summary.status[Status.YES.value])


def coverage(summary: Summary) -> Chart:
    """Distribution of pages read per listing, split by whether the coverage rule was met."""
    labels = [page_bin(low) for low, _ in PAGE_BINS]
    used = [n for n, label in enumerate(labels) if any(summary.pages[label, met] for met in (True, False))]
    shown = labels[used[0] : used[-1] + 1] if used else []
    bars = [Bar(label, tuple(summary.pages[label, met] for met in (True, False))) for label in shown]
    series = (Series("sufficient", say("sufficient"), "c-pass"), Series("insufficient", say("insufficient"), "c-unverifiable"))
    return _bar_chart("coverage", bars, series, summary.n)


def years(summary: Summary) -> Chart:
    """Announcement years of records answered yes; more than 24 years are drawn in spans of five."""
    note = say("chart_undated", n=summary.undated) if summary.undated else ""
    head = (say("chart_years_col"), say("chart_records_col"))
    return column_chart("years", say("chart_years"), say("chart_years_desc"), head, _columns(summary.year), note)


def column_chart(ident: str, title: str, desc: str, head: tuple[str, str], columns: Sequence[tuple[str, int]], note: str = "") -> Chart:
    """One column per label, its number on top; `head` names labels and numbers."""
    rows = tuple((label, str(count)) for label, count in columns)
    return Chart(ident, title, desc, sum(count for _, count in columns), column_svg(ident, title, desc, columns), head, rows, note=note)


def _series(keys: Sequence[str]) -> tuple[Series, ...]:
    return tuple(Series(key, key, f"c-{key}") for key in keys)


def _bar_chart(ident: str, bars: Sequence[Bar], series: tuple[Series, ...], n: int, note: str = "") -> Chart:
    return bar_chart(ident, say(f"chart_{ident}"), say(f"chart_{ident}_desc"), say(f"chart_{ident}_col"), bars, series, n, note)


def bar_chart(
    ident: str, title: str, desc: str, column: str, bars: Sequence[Bar], series: tuple[Series, ...], n: int, note: str = ""
) -> Chart:
    """Stacked horizontal bars; `column` names what the bars stand for."""
    single = len(series) == 1
    head = (column, *(s.label for s in series), *(() if single else (say("chart_total"),)))
    rows = tuple(
        (label, *(str(v) for v in bar.values), *(() if single else (str(sum(bar.values)),)))
        for label, bar in zip(_full_labels(bars), bars, strict=True)
    )
    beside = all(bar.level == 0 and text_width(bar.label) * SIZE <= SIDE - 8 for bar in bars)
    draw = _beside_svg if beside else _bar_svg
    svg = draw(ident, title, desc, bars, series) if bars else Markup("")
    return Chart(ident, title, desc, n, svg, head, rows, () if single else series, note)


def _longest(bars: Sequence[Bar]) -> int:
    """The number that the whole width stands for."""
    return max((sum(bar.values) for bar in bars if bar.drawn), default=0) or 1


def _full_labels(bars: Sequence[Bar]) -> list[str]:
    """Labels for the table, where a part names its whole."""
    labels: list[str] = []
    whole = ""
    for bar in bars:
        whole = bar.label if bar.level == 0 else whole
        labels.append(bar.label if bar.level == 0 else f"{whole}: {bar.label}")
    return labels


def _beside_svg(ident: str, title: str, desc: str, bars: Sequence[Bar], series: Sequence[Series]) -> Markup:
    """One line a bar: label, stacked bar, numbers. For labels that are all short."""
    top = _longest(bars)
    room = max(_numbers(bar, series, 0)[1] for bar in bars)
    scale = (WIDTH - SIDE - room - 10) / top
    parts: list[Markup] = []
    for k, bar in enumerate(bars):
        y = 2 + k * (LINE + 4)
        parts.append(el("text", bar.label, x=0.0, y=y + LINE - 4, class_="label"))
        parts += _segments(bar, series, SIDE, y + 2, scale)
        parts += _numbers(bar, series, y + LINE - 4)[0]
    return picture(f"chart-{ident}", title, desc, WIDTH, len(bars) * (LINE + 4) + 4, *parts)


def _bar_svg(ident: str, title: str, desc: str, bars: Sequence[Bar], series: Sequence[Series]) -> Markup:
    """Rows of a label line with the numbers at its end and a stacked bar below it."""
    top = _longest(bars)
    parts: list[Markup] = []
    y = 2.0
    for bar in bars:
        left = 14.0 * bar.level
        numbers, taken = _numbers(bar, series, y + LINE - 4)
        for k, line in enumerate(wrap(bar.label, (WIDTH - left - taken - 10) / SIZE, 3)):
            css = "label" if bar.level == 0 else "label part"
            parts.append(el("text", line, x=left, y=y + LINE * (k + 1) - 4, class_=css))
            if k:
                y += LINE
        parts += numbers
        y += LINE
        parts += _segments(bar, series, left, y, (WIDTH - left) / top if bar.level == 0 else (WIDTH - 14.0) / top)
        y += (BAR if bar.level == 0 else BAR - 4) + 9
    return picture(f"chart-{ident}", title, desc, WIDTH, y, *parts)


def _numbers(bar: Bar, series: Sequence[Series], y: float) -> tuple[list[Markup], float]:
    """The numbers of a bar, set from the right edge; returns them with the width they take."""
    if len(series) == 1:
        text = str(bar.values[0])
        return [el("text", text, x=WIDTH, y=y, class_="num", text_anchor="end")], text_width(text) * SIZE
    shown = [(s, v) for s, v in zip(series, bar.values, strict=True) if v]
    parts: list[Markup] = []
    x = WIDTH
    if not shown:
        return [el("text", "0", x=x, y=y, class_="num", text_anchor="end")], SIZE
    for one, value in reversed(shown):
        parts.append(el("text", str(value), x=x, y=y, class_="num", text_anchor="end"))
        x -= text_width(str(value)) * SIZE + 14
        parts.append(el("rect", el("title", one.label), x=x, y=y - 9, width=10.0, height=10.0, rx=2.0, class_=one.css))
        x -= 9
    return parts, WIDTH - x


def _segments(bar: Bar, series: Sequence[Series], left: float, y: float, scale: float) -> list[Markup]:
    if not bar.drawn:
        return []
    height = BAR if bar.level == 0 else BAR - 4
    parts: list[Markup] = []
    x = left
    for one, value in zip(series, bar.values, strict=True):
        if value:
            width = max(value * scale, 2.0)
            tip = el("title", f"{bar.label}: {one.label} {value}")
            parts.append(el("rect", tip, x=x, y=y, width=max(width - 1, 1.5), height=height, rx=1.5, class_=one.css))
            x += width
    return parts


def _columns(year: Mapping[int, int]) -> list[tuple[str, int]]:
    if not year:
        return []
    first, last = min(year), max(year)
    if last - first < 24:
        return [(str(y), year.get(y, 0)) for y in range(first, last + 1)]
    start = first - first % 5
    return [(f"{y}–{y + 4}", sum(year.get(k, 0) for k in range(y, y + 5))) for y in range(start, last + 1, 5)]


def column_svg(
    ident: str, title: str, desc: str, columns: Sequence[tuple[str, float]], write: Callable[[float], str] = "{:.0f}".format
) -> Markup:  # fmt: skip
    """One column a label, its number on top, its label below; not all are named where they are narrow. Nothing where there are none."""
    if not columns:
        return Markup("")
    height, base = 190.0, 160.0
    step = min(WIDTH / len(columns), 56.0)
    top = max(n for _, n in columns) or 1
    every = _every(step, (columns[0][0],))
    counted = _every(step, [write(n) for _, n in columns if n])
    parts = [el("line", x1=0.0, y1=base + 0.5, x2=max(step * len(columns), 60.0), y2=base + 0.5, class_="axis")]
    for k, (label, n) in enumerate(columns):
        middle, tall = k * step + step / 2, n / top * (base - 24)
        if n:
            tip = el("title", f"{label}: {write(n)}")
            parts.append(el("rect", tip, x=k * step + 2, y=base - tall, width=max(step - 4, 2.0), height=tall, rx=1.5, class_="c-yes"))
            if k % counted == 0:
                parts.append(el("text", write(n), x=middle, y=base - tall - 4, class_="num", text_anchor="middle"))
        if k % every == 0:
            at = max(middle, text_width(label) * (SIZE - 1) / 2 + 2)
            parts.append(el("text", label, x=at, y=base + 17, class_="label", text_anchor="middle"))
    return picture(f"chart-{ident}", title, desc, WIDTH, height, *parts)


def _every(step: float, labels: Sequence[str]) -> int:
    """One of how many labels has room at columns that are `step` wide."""
    widest = max(map(text_width, labels), default=0.0) * (SIZE - 1) + 8
    return max(1, math.ceil(widest / step))

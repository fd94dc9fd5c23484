"""Timeline of one record as SVG: dated statements in lanes by kind of source around the cutoff and the chosen announcement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from s2r.models import Record, TimelinePoint
from s2r.report.inert import text_width
from s2r.report.svg import el, picture
from s2r.report.texts import KINDS, say, words

WIDTH = 1000.0
LEFT = 92.0  # lane names
RIGHT = 12.0
HEAD = 48.0  # two lines for the labels of announcement and cutoff
ROW = 19.0
SIZE = 12.0
MAX_DRAWN = 40
FAR_DAYS = 3700  # a gap of some ten years to all other dates sets a statement apart
LANES = ("regulator", "exchange", "filing", "issuer", "court", "wire", "press", "aggregator", "forum")
DISCLOSING = ("published", "announcement", "filing", "page")


@dataclass(frozen=True, slots=True)
class Mark:
    """Statements of one day, kind and source kind, drawn as one marker."""

    day: dt.date
    kind: str
    lane: str
    points: tuple[TimelinePoint, ...]
    chosen: bool

    @property
    def label(self) -> str:
        """Date and kind, with the number of statements when it is not one."""
        text = f"{self.points[0].date} {KINDS.get(self.kind, words(self.kind))}"
        return say("tl_times", label=text, n=len(self.points)) if len(self.points) > 1 else text


@dataclass(frozen=True, slots=True)
class Timeline:
    """A drawn timeline with its statements in order; `note` says what the drawing leaves out."""

    svg: Markup
    kinds: tuple[tuple[str, Markup], ...]
    points: tuple[TimelinePoint, ...]
    note: str


@dataclass(frozen=True, slots=True)
class _Scale:
    first: dt.date
    last: dt.date
    lines: tuple[dt.date, ...] = ()  # days with a vertical line, which labels avoid
    width: float = WIDTH

    @property
    def edge(self) -> float:
        """Where time ends on the right."""
        return self.width - RIGHT

    def x(self, day: dt.date) -> float:
        span = (self.last - self.first).days or 1
        return LEFT + 14 + (day - self.first).days / span * (self.edge - LEFT - 28)


def draw_timeline(record: Record, ident: str, width: float = WIDTH) -> Timeline:
    """The timeline of a record; without dated statements the drawing is empty. Its text has its size where it is shown `width` px wide."""
    points = tuple(sorted(record.timeline, key=lambda p: (p.date, p.source_kind, p.kind)))
    marks = _marks(record, points)
    near, before, after = _window(record, marks)
    if not near:
        return Timeline(Markup(""), (), points, "")
    lines = (record.cutoff, *([record.announcement_date] if record.announcement_date else []))
    days = [*(m.day for m in near), *lines]
    slack = max(10, (max(days) - min(days)).days // 25)
    scale = _Scale(_moved(min(days), -slack), _moved(max(days), slack), lines, width)
    head = HEAD if record.announcement_date else HEAD - 20
    lanes, drawn_marks, bottom = _lanes(near, scale, head)
    parts = [*lanes, *_backdrop(record, scale, head, bottom), *drawn_marks, *_edges(before, after, bottom, width)]
    title = f"{say('sec_timeline')}: {record.listing.issuer}"
    svg = picture(f"tl-{ident}", title, say("tl_desc", n=len(points)), width, bottom + 26, *parts, css="timeline")
    drawn = sum(len(m.points) for m in near)
    note = say("tl_shown", shown=drawn, total=len(points)) if drawn < len(points) else ""
    kinds = tuple((KINDS.get(k, words(k)), _sample(k)) for k in dict.fromkeys(m.kind for m in sorted(near, key=lambda m: m.day)))
    return Timeline(svg, kinds, points, note)


def _marks(record: Record, points: Sequence[TimelinePoint]) -> list[Mark]:
    groups: dict[tuple[dt.date, str, str], list[TimelinePoint]] = {}
    for point in points:
        day = _day(point.date)
        if day is not None:
            groups.setdefault((day, point.kind, point.source_kind), []).append(point)
    proofs = {c.exhibit for c in record.claims if c.field in ("status", "announcement_date")}
    chosen = record.announcement_date
    return [
        Mark(day, kind, lane, tuple(group), day == chosen and kind in DISCLOSING and any(p.digest in proofs for p in group))
        for (day, kind, lane), group in groups.items()
    ]


def _day(value: str) -> dt.date | None:
    """The day of an ISO date; a month or year stands at its first day."""
    try:
        return dt.date.fromisoformat(value + {4: "-01-01", 7: "-01"}.get(len(value), ""))
    except ValueError:
        return None


def _moved(day: dt.date, days: int) -> dt.date:
    """`day` moved by `days`, kept within the calendar."""
    return dt.date.fromordinal(min(max(day.toordinal() + days, 1), dt.date.max.toordinal()))


def _window(record: Record, marks: Sequence[Mark]) -> tuple[list[Mark], list[Mark], list[Mark]]:
    """Marks to draw, and those set apart before and after: far from all others, or beyond the cap."""
    anchors = [record.cutoff] + ([record.announcement_date] if record.announcement_date else [])
    ordered = sorted(marks, key=lambda m: (not m.chosen, min(abs((m.day - a).days) for a in anchors), m.day, m.kind))
    near: list[Mark] = []
    days = list(anchors)
    for mark in ordered[:MAX_DRAWN]:
        if not near or min(abs((mark.day - d).days) for d in days) <= FAR_DAYS:
            near.append(mark)
            days.append(mark.day)
    drawn = {id(m) for m in near}
    apart = [m for m in marks if id(m) not in drawn]
    low, high = min(days), max(days)
    before = [m for m in apart if m.day < low]
    return near, before, [m for m in apart if m.day > high]


def _lanes(marks: Sequence[Mark], scale: _Scale, y: float) -> tuple[list[Markup], list[Markup], float]:
    """Lanes from `y` downwards, their marks, and where they end; in a lane each marker with its label takes the first row
    where it overlaps nothing."""
    present = {m.lane for m in marks}
    order = [lane for lane in LANES if lane in present] + sorted(present - set(LANES))
    parts: list[Markup] = []
    drawn: list[Markup] = []
    for n, lane in enumerate(order):
        placed, rows = _rows([m for m in marks if m.lane == lane], scale)
        height = rows * ROW + 10
        parts.append(el("rect", x=0.0, y=y, width=scale.width, height=height, class_="lane even" if n % 2 == 0 else "lane"))
        parts.append(el("text", words(lane) or say("lane_"), x=8.0, y=y + 18, class_="lane-name"))
        for mark, row, flipped in placed:
            drawn.append(_drawn(mark, scale.x(mark.day), y + 5 + row * ROW + ROW / 2, flipped=flipped))
        y += height
    return parts, drawn, y


def _rows(marks: Sequence[Mark], scale: _Scale) -> tuple[list[tuple[Mark, int, bool]], int]:
    ends: list[float] = []
    placed: list[tuple[Mark, int, bool]] = []
    for low, high, mark, flipped in sorted((_extent(m, scale) for m in marks), key=lambda e: (e[0], e[2].day, e[2].kind)):
        row = next((n for n, end in enumerate(ends) if end + 6 <= low), len(ends))
        if row == len(ends):
            ends.append(high)
        ends[row] = high
        placed.append((mark, row, flipped))
    return placed, max(len(ends), 1)


def _extent(mark: Mark, scale: _Scale) -> tuple[float, float, Mark, bool]:
    """From where to where a marker with its label reaches, and whether the label stands left of it."""
    x, width = scale.x(mark.day), text_width(mark.label) * SIZE * (1.1 if mark.chosen else 1.0) + 14
    flipped = x + width > scale.edge
    if not flipped and x - width > LEFT:
        lines = [scale.x(day) for day in scale.lines]
        flipped = any(x < at < x + width for at in lines) and not any(x - width < at < x for at in lines)
    return (x - width, x + 9, mark, True) if flipped else (x - 9, x + width, mark, False)


def _drawn(mark: Mark, x: float, y: float, *, flipped: bool) -> Markup:
    tips = [f"{mark.label} · {words(mark.lane) or say('lane_')}"]
    tips += [f"[{words(p.stage)}] {p.quote[:160]} · {p.url}" for p in mark.points[:3]]
    ring = [el("circle", cx=x, cy=y, r=9.0, class_="ring")] if mark.chosen else []
    css = "mark-label chosen" if mark.chosen else "mark-label"
    label = el("text", mark.label, x=x - 12 if flipped else x + 12, y=y + 4, class_=css, text_anchor="end" if flipped else "start")
    return el("g", el("title", "\n".join(tips)), *ring, marker(mark.kind, x, y), label, class_="mark")


def marker(kind: str, x: float, y: float) -> Markup:
    """The shape of a kind of date; shape and fill differ, so that colour alone carries nothing."""
    css = f"m m-{kind}" if kind in KINDS else "m m-other"
    corners = _SHAPES.get(kind)
    if corners is None:
        return el("circle", cx=x, cy=y, r=5.0 if kind == "published" else 4.0, class_=css)
    return el("path", d="M" + "L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in corners) + "Z", class_=css)


_SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "announcement": ((0, -7), (1.8, -2.3), (6.8, -2.1), (2.9, 1), (4.2, 5.8), (0, 3.1), (-4.2, 5.8), (-2.9, 1), (-6.8, -2.1), (-1.8, -2.3)),
    "decision": ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)),
    "letter": ((-5.5, -4), (5.5, -4), (5.5, 4), (-5.5, 4)),
    "meeting": ((0, -5.5), (5.5, 4.5), (-5.5, 4.5)),
    "record": ((-5, -2.5), (5, -2.5), (5, 2.5), (-5, 2.5)),
    "filing": ((0, -5.5), (5.2, -1.7), (3.3, 4.5), (-3.3, 4.5), (-5.2, -1.7)),
    "suspension": ((-5, -5), (-2, -5), (-2, 5), (2, 5), (2, -5), (5, -5), (5, 5), (-5, 5)),
    "last_trading": ((-5.5, -4.5), (5.5, -4.5), (0, 5.5)),
    "effective": ((0, -6), (6, 0), (0, 6), (-6, 0)),
    "deadline": ((-5, -5), (5, -5), (-5, 5), (5, 5)),
}


def _sample(kind: str) -> Markup:
    return el("svg", marker(kind, 8, 8), viewBox="0 0 16 16", width=16.0, height=16.0, class_="sample", aria_hidden="true")


def _backdrop(record: Record, scale: _Scale, head: float, bottom: float) -> list[Markup]:
    """Ticks, the time after the cutoff, and the lines of cutoff and announcement with their labels."""
    cut, edge = scale.x(record.cutoff), scale.edge
    parts = [el("rect", x=cut, y=head - 4, width=max(edge - cut, 0.0), height=bottom - head + 4, class_="after")]
    for day, label in _ticks(scale):
        x = scale.x(day)
        parts.append(el("line", x1=x, y1=head - 4, x2=x, y2=bottom + 4, class_="tick"))
        parts.append(el("text", label, x=x, y=bottom + 18, class_="tick-label", text_anchor="middle"))
    parts += _flag(cut, head - 12, bottom, say("tl_cutoff", date=record.cutoff.isoformat()), "cutoff", scale.width)
    if record.announcement_date:
        day = record.announcement_date
        parts += _flag(scale.x(day), 16.0, bottom, say("tl_chosen", date=day.isoformat()), "chosen", scale.width)
    return parts


def _flag(x: float, y: float, bottom: float, label: str, css: str, width: float) -> list[Markup]:
    """A vertical line with its label, which is kept inside the drawing."""
    half = text_width(label) * SIZE * 0.6 + 4
    at = min(max(x, half), width - half)
    return [
        el("line", x1=x, y1=y + 4, x2=x, y2=bottom + 4, class_=f"{css}-line"),
        el("text", label, x=at, y=y, class_=f"{css}-label", text_anchor="middle"),
    ]


def _ticks(scale: _Scale) -> list[tuple[dt.date, str]]:
    """Firsts of months or years at a step that leaves room for the labels."""
    days = (scale.last - scale.first).days
    for months in (1, 2, 3, 6, 12, 24, 60, 120, 240):
        if days / (months * 30.4) <= 11 * scale.width / WIDTH:
            break
    else:
        months = 600
    ticks: list[tuple[dt.date, str]] = []
    count = scale.first.year * 12 + scale.first.month  # the month after the first
    count += -count % months
    while (day := _month(count)) is not None and day < scale.last:
        if scale.edge - scale.x(day) > 20:
            ticks.append((day, str(day.year) if months >= 12 else day.strftime("%Y-%m")))
        count += months
    return ticks or [(scale.first + (scale.last - scale.first) / 2, (scale.first + (scale.last - scale.first) / 2).isoformat())]


def _month(count: int) -> dt.date | None:
    return dt.date(count // 12, count % 12 + 1, 1) if 1 <= count // 12 <= 9999 else None


def _edges(before: Sequence[Mark], after: Sequence[Mark], bottom: float, width: float) -> list[Markup]:
    """What lies far outside the drawn time is named at its edges."""
    parts: list[Markup] = []
    if before:
        label = "‹ " + say("tl_earlier", n=sum(len(m.points) for m in before), date=min(m.day for m in before).isoformat())
        parts.append(el("text", label, x=0.0, y=bottom + 18, class_="edge"))
    if after:
        label = say("tl_later", n=sum(len(m.points) for m in after), date=max(m.day for m in after).isoformat()) + " ›"
        parts.append(el("text", label, x=width, y=bottom + 18, class_="edge", text_anchor="end"))
    return parts

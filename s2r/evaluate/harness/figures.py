"""One figure of a view with its n and its interval, and the tables that figures stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from s2r.evaluate.score import wilson
from s2r.report.charts import Chart

T = TypeVar("T")

RATE, COUNT, USD, SECONDS, NUMBER, AMOUNT, POINTS, P = "rate", "count", "usd", "seconds", "number", "amount", "points", "p"


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its interval and the number of cases it rests on; None: it has no value, and `note` says why.

    `unit`: rate (share of n), count, usd, seconds, number (three digits), amount (one digit), points (difference of two rates), p.
    """

    value: float | None
    n: int
    unit: str
    low: float | None = None
    high: float | None = None
    hits: int | None = None
    method: str = ""
    note: str = ""

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.note or '-'} (n={self.n})"
        if self.unit == COUNT:
            return f"{self.value:g}"
        shown = write(self.value, self.unit)
        if self.low is not None and self.high is not None:
            shown += f" [{write(self.low, self.unit, bare=True)}, {write(self.high, self.unit, bare=True)}]"
        return shown if self.unit == P else f"{shown} n={self.n}"


def write(value: float, unit: str, *, bare: bool = False) -> str:
    """A number as it is printed; `bare` without its unit, as inside an interval."""
    if unit == RATE:
        return f"{100 * value:.1f}" + ("" if bare else "%")
    if unit == POINTS:
        return f"{100 * value:+.1f}" + ("" if bare else " pp")
    if unit == USD:
        digits = 0 if abs(value) >= 1000 else 2 if abs(value) >= 1 or value == 0 else 4
        return f"{'' if bare else '$'}{value:,.{digits}f}"
    if unit == AMOUNT:
        return f"{value:,.1f}"
    if unit == SECONDS:
        return f"{value:.1f}" + ("" if bare else " s")
    if unit == P:
        return f"{value:.3f}" if value >= 0.001 else "<0.001"
    return f"{value:.3f}" if unit == NUMBER else f"{value:g}"


def rate(hits: int, n: int) -> Figure:
    """A share with its 95% Wilson score interval."""
    if n == 0:
        return Figure(None, 0, RATE, hits=hits)
    low, high = wilson(hits, n)
    return Figure(hits / n, n, RATE, low, high, hits, "wilson")


def share(items: Iterable[T], test: Callable[[T], bool]) -> Figure:
    """The share of items that pass a test."""
    cases = list(items)
    return rate(sum(map(test, cases)), len(cases))


def valued(value: float | None, n: int, unit: str, limits: tuple[float, float] | None, method: str, note: str = "") -> Figure:
    """A value with the limits that were found for it, widened to hold it."""
    if value is None or limits is None:
        return Figure(value, n, unit, note=note)
    return Figure(value, n, unit, min(limits[0], value), max(limits[1], value), method=method)


def scaled(figure: Figure, by: float, unit: str) -> Figure:
    """A share as a quantity that is proportional to it."""
    if figure.value is None or figure.low is None or figure.high is None:
        return Figure(None, figure.n, unit)
    return Figure(figure.value * by, figure.n, unit, figure.low * by, figure.high * by, method=figure.method)


def count(value: int) -> Figure:
    """A number of records; it has no interval."""
    return Figure(value, value, COUNT, hits=value)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: the words that lead it, and its figures in the order of the columns."""

    labels: tuple[str, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: `heads` name the leading words, `columns` the figures."""

    key: str
    title: str
    heads: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class View:
    """One of the eight views: what its figures mean, its tables, its charts."""

    key: str
    title: str
    notes: tuple[str, ...]
    grids: tuple[Grid, ...]
    charts: tuple[Chart, ...] = field(default=())


def grid(
    key: str, title: str, heads: Sequence[str], columns: Sequence[str], lines: Iterable[tuple[Sequence[str], Sequence[Figure]]]
) -> Grid:
    """A table from plain sequences."""
    return Grid(key, title, tuple(heads), tuple(columns), tuple(Line(tuple(labels), tuple(figures)) for labels, figures in lines))

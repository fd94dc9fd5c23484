"""The figures of all views as one flat table, and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from s2r.evaluate.harness.figures import COUNT, Figure, Grid, Line, P, View, write
from s2r.report.files import write_csv
from s2r.report.tables import safe_cell

COLUMNS = ("view", "table", "arm", "group", "measure", "value", "low", "high", "n", "hits", "unit", "method", "note")
ARM_HEADS = ("arm", "pair")
_NARROW = 4  # columns of figures that fit on a line with their intervals beside them


def flat(views: Sequence[View]) -> Iterator[dict[str, object]]:
    """Every figure with where it stands, keyed by COLUMNS; numbers as they are, None where there is none."""
    for view in views:
        for table in view.grids:
            for line in table.lines:
                arm, group = names(table, line)
                for measure, figure in zip(table.columns, line.figures, strict=True):
                    yield {
                        "view": view.key,
                        "table": table.key,
                        "arm": arm,
                        "group": group,
                        "measure": measure,
                        "value": figure.value,
                        "low": figure.low,
                        "high": figure.high,
                        "n": figure.n,
                        "hits": figure.hits,
                        "unit": figure.unit,
                        "method": figure.method,
                        "note": figure.note,
                    }


def names(table: Grid, line: Line) -> tuple[str, str]:
    """The arm (or pair of arms) of a line, and what else leads it."""
    arm = [label for head, label in zip(table.heads, line.labels, strict=True) if head in ARM_HEADS]
    rest = [label for head, label in zip(table.heads, line.labels, strict=True) if head not in ARM_HEADS]
    return " ".join(arm), " ".join(rest)


def write_figures(path: Path, views: Sequence[View]) -> int:
    """Write all figures as CSV, whole or not at all; return how many."""
    rows = [[_cell(row[name]) for name in COLUMNS] for row in flat(views)]
    write_csv(path, COLUMNS, rows)
    return len(rows)


def _cell(value: object) -> str:
    """A number as the shortest text that is the same number again; no text that a spreadsheet runs."""
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value) if isinstance(value, int) else safe_cell(value)


def as_text(view: View, number: int) -> Iterator[RenderableType]:
    """A view for a terminal: heading, notes, tables."""
    yield Text(f"\n{number}. {view.title}", style="bold")
    for note in view.notes:
        yield Text(note, style="dim")
    for table in view.grids:
        if table.lines:
            yield Text(f"\n{table.title}")
            yield _table(table)


def _table(table: Grid) -> Table:
    """A table whose lines are arms is turned, so that arms stand side by side."""
    if len(table.heads) == 1:
        turned = Table("measure", *(line.labels[0] for line in table.lines), box=None, pad_edge=False)
        wide = len(table.lines) > _NARROW
        for number, name in enumerate(table.columns):
            turned.add_row(name, *(shown(line.figures[number], wide=wide) for line in table.lines))
        return turned
    straight = Table(*table.heads, *table.columns, box=None, pad_edge=False)
    for line in table.lines:
        straight.add_row(*line.labels, *(shown(figure, wide=len(table.columns) > _NARROW) for figure in line.figures))
    return straight


def shown(figure: Figure, *, wide: bool) -> str:
    """A figure in a cell; in a wide table its interval stands below it."""
    if figure.value is None and figure.n == 0 and not figure.note:
        return "-"
    if not wide or figure.value is None or figure.unit in (COUNT, P) or figure.low is None or figure.high is None:
        return str(figure)
    limits = f"{write(figure.low, figure.unit, bare=True)}, {write(figure.high, figure.unit, bare=True)}"
    return f"{write(figure.value, figure.unit)} n={figure.n}\n[{limits}]"

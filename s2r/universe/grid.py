"""A table as it was read, before anything is made of it: a header and rows of text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

HEADER_ROWS = 20  # rows looked at for the header; titles above it are skipped
IsHeader = Callable[[tuple[str, ...]], bool]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One data row: 1-based line (CSV) or sheet row (XLSX, Parquet: header = 1), cells as text, remarks of the reader."""

    number: int
    cells: tuple[str, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A header and its rows. `guessed` is True when the encoding could not be told for sure."""

    header: tuple[str, ...]
    rows: tuple[TableRow, ...]
    format: str
    encoding: str = ""
    guessed: bool = False
    sheet: str = ""

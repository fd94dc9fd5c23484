"""XLSX workbooks (openpyxl) and Parquet files (optional pyarrow) as rows of text."""

from __future__ import annotations

import datetime as dt
import io
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from s2r.errors import ConfigError, InputError
from s2r.light import without_numpy
from s2r.universe.grid import HEADER_ROWS, Table, TableRow

_UNPACKED_MAX = 1_500_000_000  # bytes; a workbook of a million rows stays below
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    KeyError,
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    OSError,
    EOFError,
    ParseError,
)


def read_xlsx(path: Path, data: bytes, is_header: Callable[[tuple[str, ...]], bool]) -> Table:
    """The first sheet whose first rows hold a known header (else the first sheet with any cells)."""
    names = _members(path, data)
    if not any(name.startswith("xl/") for name in names):
        advice = "Save the table as XLSX or as CSV (UTF-8)."
        raise InputError("is a ZIP archive, but no Excel workbook", subject=str(path), advice=advice)
    fallback: Table | None = None
    try:
        for title, rows in _sheets(data):
            filled = [row for row in rows if any(cell.strip() for cell in row.cells)]
            at = next((k for k, row in enumerate(filled[:HEADER_ROWS]) if is_header(row.cells)), None)
            if at is not None:
                return _table(filled[at:], title)
            if filled and fallback is None:
                fallback = _table(filled, title)
    except _DAMAGE as exc:
        advice = "Open it in a spreadsheet program and save it again as XLSX, or as CSV (UTF-8)."
        raise InputError(f"is a damaged workbook: {exc}", subject=str(path), advice=advice) from exc
    if fallback is None:
        raise InputError("has no filled sheet", subject=str(path), advice="Give a sheet with a header row and at least one row.")
    return fallback


def _table(rows: list[TableRow], title: str) -> Table:
    header = list(rows[0].cells)
    while header and not header[-1].strip():
        header.pop()
    width = len(header)
    body = []
    for row in rows[1:]:
        cells = list(row.cells)
        while len(cells) > width and not cells[-1].strip():
            cells.pop()
        body.append(TableRow(row.number, tuple(cells + [""] * (width - len(cells))), row.remarks))
    return Table(tuple(header), tuple(body), "xlsx", sheet=title)


def _members(path: Path, data: bytes) -> list[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, struct.error, ValueError, OSError) as exc:
        raise InputError(f"is a damaged workbook: {exc}", subject=str(path), advice="Save it again as XLSX, or as CSV (UTF-8).") from exc
    if any(info.flag_bits & 1 for info in infos):
        raise InputError("is encrypted", subject=str(path), advice="Save it without a password.")
    if sum(info.file_size for info in infos) > _UNPACKED_MAX:
        raise InputError("unpacks to more than 1.5 GB", subject=str(path), advice="Split the universe, or save it as CSV.")
    return [info.filename for info in infos]


def _sheets(data: bytes) -> Iterator[tuple[str, list[TableRow]]]:
    with without_numpy():
        from openpyxl import load_workbook

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns about styles and extensions that do not matter for text
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        formulas = load_workbook(io.BytesIO(data), read_only=True) if _has_formulas(data) else None
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # a wrong stored dimension would cut rows off
            twin: Iterable[Any] | None = None
            if formulas is not None:
                formulas[sheet.title].reset_dimensions()
                twin = formulas[sheet.title].iter_rows()
            yield sheet.title, _sheet_rows(sheet.iter_rows(), twin)


def _has_formulas(data: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return any(
            re.search(rb"<(?:\w+:)?f[ >/]", archive.read(n))
            for n in archive.namelist()
            if n.startswith("xl/worksheets/") and n.endswith(".xml")
        )


def _sheet_rows(rows: Iterable[Any], twin: Iterable[Any] | None) -> list[TableRow]:
    out: list[TableRow] = []
    formulas = iter(twin) if twin is not None else None
    for number, cells in enumerate(rows, start=1):
        texts = tuple(cell_text(cell.value, getattr(cell, "number_format", "General") or "General") for cell in cells)
        remarks: tuple[str, ...] = ()
        if formulas is not None:
            sources = next(formulas, ())
            if any(_is_formula(source.value) and not text for source, text in zip(sources, texts, strict=False)):
                remarks = ("a formula has no stored value: open and save the workbook in a spreadsheet program",)
        out.append(TableRow(number, texts, remarks))
    return out


def _is_formula(value: object) -> bool:
    return (isinstance(value, str) and value.startswith("=")) or type(value).__name__ in {"ArrayFormula", "DataTableFormula"}


def cell_text(value: object, number_format: str = "General") -> str:
    """A cell as the text a reader sees: zero-padded numbers keep their zeros, dates are ISO, TRUE stays TRUE."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return _number_text(value, number_format)
        case dt.datetime():
            return value.date().isoformat() if value.time() == dt.time(0) else value.isoformat(sep=" ")
        case dt.date() | dt.time():
            return value.isoformat()
        case _:
            return str(value)


def _number_text(value: float, number_format: str) -> str:
    if isinstance(value, float):
        if not value.is_integer() or abs(value) >= 1e16:
            return repr(value)
        value = int(value)
    pattern = number_format.split(";", 1)[0].replace('"', "").replace("\\", "").strip()
    if re.fullmatch(r"0{2,}", pattern) and value >= 0:
        return str(value).zfill(len(pattern))
    return str(value)


def read_parquet(path: Path) -> Table:
    """All columns of a Parquet file as text; raise `ConfigError` naming the extra when pyarrow is missing."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as exc:
        advice = "Install s2r[parquet], or give the universe as CSV or XLSX."
        raise ConfigError("reading Parquet needs the optional package pyarrow", subject=str(path), advice=advice) from exc
    try:
        table = pq.read_table(path)
        header = tuple(str(name) for name in table.column_names)
        rows: list[TableRow] = []
        for batch in table.to_batches(max_chunksize=10_000):
            columns = [column.to_pylist() for column in batch.columns]
            for values in zip(*columns, strict=True):
                rows.append(TableRow(len(rows) + 2, tuple(cell_text(value) for value in values)))
    except (pa.ArrowException, OSError, ValueError) as exc:
        advice = "Write the Parquet file again, or give the universe as CSV or XLSX."
        raise InputError(f"is a damaged Parquet file: {exc}", subject=str(path), advice=advice) from exc
    return Table(header, tuple(rows), "parquet")

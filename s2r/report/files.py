"""Write the files of a run: each is written aside, synced and renamed, so that a half-written file is never taken for done."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from s2r.errors import StoreError
from s2r.light import without_numpy
from s2r.models import Record, Route
from s2r.report.spool import Spool
from s2r.report.tables import QUEUE_COLUMNS, queue_row, record_header, record_row, safe_cell

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

MAX_CELL = 32_767  # limit of the XLSX format
_CUT = " [cut here; the JSON lines have it whole]"

Records = Callable[[], Iterator[Record]]


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears at `path` only when it is complete; raises StoreError when it cannot be written."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as fh:
            yield fh
            fh.flush()
            os.fsync(fh.fileno())
        os.replace(aside, path)
    except OSError as exc:
        advice = "Free space or choose another --out folder, then repeat the same command; nothing done is lost."
        raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(path), advice=advice) from exc
    finally:
        with suppress(OSError):  # gone when it was renamed; a fault of the caller leaves nothing behind
            aside.unlink(missing_ok=True)


def write_jsonl(path: Path, records: Iterable[Record]) -> int:
    """records.jsonl: one record a line, in the given order; return the number of lines."""
    count = 0
    with whole(path) as fh:
        for record in records:
            fh.write(record.model_dump_json().encode("utf-8") + b"\n")
            count += 1
    return count


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A CSV in UTF-8 with BOM, as spreadsheets expect it."""
    with whole(path) as fh:
        text = io.TextIOWrapper(fh, encoding="utf-8-sig", newline="", write_through=True)
        writer = csv.writer(text)
        writer.writerow(header)
        writer.writerows(rows)
        text.detach()


def write_xlsx(path: Path, sheet: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """An XLSX of text cells with a frozen, filterable head."""
    with without_numpy():
        from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    page = book.create_sheet(sheet)
    page.freeze_panes = "B2"
    for number, name in enumerate(header, start=1):
        page.column_dimensions[get_column_letter(number)].width = 14 if len(name) < 14 else 22
    head = []
    for name in header:
        cell = WriteOnlyCell(page, value=name)
        cell.font = Font(bold=True)
        head.append(cell)
    page.append(head)
    count = 1
    for row in rows:
        page.append([_text_cell(page, value) if value and value[0] in "=#" else _fitted(value) if value else None for value in row])
        count += 1
    page.auto_filter.ref = f"A1:{get_column_letter(len(header))}{count}"
    with whole(path) as fh:
        book.save(fh)


def _text_cell(page: WriteOnlyWorksheet, text: str) -> Cell:
    """A cell of text that would else be taken for a formula or an error."""
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(page, value=_fitted(text))
    cell.data_type = "s"
    return cell


def _fitted(text: str) -> str:
    """`text` within what a cell may hold; what is cut is said so."""
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - len(_CUT)] + _CUT


def write_json(path: Path, value: object) -> None:
    """Indented JSON."""
    with whole(path) as fh:
        fh.write(json.dumps(value, indent=2, ensure_ascii=False, default=str).encode("utf-8") + b"\n")


def write_records(out: Path, records: Records, *, see: Callable[[Record], object] | None = None) -> int:
    """records.jsonl, records.csv, review_queue.csv and .xlsx in `out`; return the number of records.

    They are read once, in order, and shown to `see`; memory grows with the row ids only.
    """
    with Spool(out) as lines, Spool(out) as queue:
        names: set[str] = set()

        def passing() -> Iterator[Record]:
            for record in records():
                names.update(record.listing.extra)
                lines.add((record_row(record), record.listing.extra))
                if record.route is not Route.ACCEPT:
                    queue.add(queue_row(record), (record.confidence, record.row_id))  # least certain first
                if see:
                    see(record)
                yield record

        count = write_jsonl(out / "records.jsonl", passing())
        extra = sorted(names)
        whole_lines = ([*cells, *(safe_cell(more.get(name, "")) for name in extra)] for cells, more in lines)
        write_csv(out / "records.csv", record_header(extra), whole_lines)
        write_csv(out / "review_queue.csv", QUEUE_COLUMNS, queue)
        write_xlsx(out / "review_queue.xlsx", "review queue", QUEUE_COLUMNS, queue)
    return count

"""Gold files: the true answers of a universe, read strictly; every defect is named by row and column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from s2r.errors import InputError
from s2r.models import Listing, Status
from s2r.models.listing import Frozen
from s2r.policy.types import REASONS
from s2r.universe.grid import TableRow
from s2r.universe.tables import read_table

STRATA = ("A", "B", "C")
ROW_ID = ("case_id", "row_id", "id")  # names of the column that says which row of the universe is meant
_ADVICE = "Fix the row. Columns: case_id, stratum (A, B or C), status, announcement_date (YYYY-MM-DD), reason, also_reason, ..."
_SHOWN = 8


class Gold(Frozen):
    """One row of a gold file. `reasons` are all accepted ones; `tags` are the traps a case is about. `line` is its line in the file."""

    row_id: str
    stratum: str
    status: str
    announcement_date: dt.date | None
    reasons: tuple[str, ...]
    disclosure_type: str = ""
    tags: tuple[str, ...] = ()
    region: str = ""
    languages: tuple[str, ...] = ()
    line: int = 0


def read_gold(path: Path, *, reasons: Sequence[str] = REASONS) -> dict[str, Gold]:
    """Read a gold table (CSV, XLSX, Parquet) by row id; raises InputError that names row and column of what is wrong.

    Without a column `stratum`, A is what is answered yes, B what has a `later_date`, C the rest.
    """
    table = read_table(path, _is_header)
    header = [name.strip().lstrip("\ufeff") for name in table.header]
    lacking = [name for name, found in (("case_id", set(ROW_ID)), ("status", {"status"})) if not found & set(header)]
    if lacking:
        seen = ", ".join(repr(name) for name in header)[:400]
        raise InputError(f"gold has no column {lacking[0]}; columns seen: {seen}", subject=str(path), advice=_ADVICE)
    faults: list[str] = []
    gold: dict[str, Gold] = {}
    for row in table.rows:
        cells = dict(zip(header, (cell.strip() for cell in row.cells), strict=False))
        item, wrong = _row(row, cells, reasons)
        if item and item.row_id in gold:
            wrong = [_fault(row.number, "case_id", f"{item.row_id!r} is already the id of row {gold[item.row_id].line}")]
        faults += wrong
        if item:
            gold[item.row_id] = item
    refuse(faults, path)
    return gold


def check_gold(path: Path, gold: Mapping[str, Gold], listings: Iterable[Listing]) -> None:
    """Raise InputError when gold speaks of rows that the universe lacks, or of a disclosure after the row's cutoff."""
    rows = {listing.row_id: listing for listing in listings}
    faults = []
    for item in gold.values():
        listing = rows.get(item.row_id)
        if listing is None:
            faults.append(_fault(item.line, "case_id", f"{item.row_id!r} is no row of the universe"))
        elif item.announcement_date and item.announcement_date > listing.cutoff:
            faults.append(
                _fault(item.line, "announcement_date", f"{item.announcement_date} is after the cutoff {listing.cutoff} of the row")
            )
    refuse(faults, path)


def refuse(faults: Sequence[str], path: Path) -> None:
    """Raise InputError when there are faults; all of the first few are told at once."""
    if faults:
        count = f" (first {_SHOWN} of {len(faults)} faults)" if len(faults) > _SHOWN else ""
        raise InputError("; ".join(faults[:_SHOWN]) + count, subject=str(path), advice=_ADVICE)


def _is_header(cells: tuple[str, ...]) -> bool:
    names = {cell.strip().lstrip("\ufeff") for cell in cells}
    return "status" in names and bool(names & set(ROW_ID))


def _fault(line: int, column: str, problem: str) -> str:
    return f"gold row {line}, column {column}: {problem}"


def _row(row: TableRow, cells: Mapping[str, str], reasons: Sequence[str]) -> tuple[Gold | None, list[str]]:
    """The gold of a row, or None, with its faults."""
    faults: list[str] = []

    def wrong(column: str, problem: str) -> None:
        faults.append(_fault(row.number, column, problem))

    row_id = next((cells[name] for name in ROW_ID if cells.get(name)), "")
    if not row_id:
        wrong("case_id", "empty")
    status = cells.get("status", "")
    if status not in {s.value for s in Status}:
        wrong("status", f"{status!r} is not yes, no or abstain" if status else "empty")
    stratum = cells.get("stratum", "") if "stratum" in cells else "A" if status == "yes" else "B" if cells.get("later_date") else "C"
    if stratum not in STRATA:
        wrong("stratum", f"{stratum!r} is not A, B or C" if stratum else "empty")
    elif not faults and (stratum == "A") != (status == "yes"):
        wrong("stratum", f"{stratum} does not go with status {status!r}: A is what is answered yes")
    day = _day(cells, wrong, wanted=status == "yes")
    found = tuple(x for x in (cells.get("reason", ""), *cells.get("also_reason", "").split("+")) if x)
    for reason in found:
        if reason not in reasons:
            wrong("reason", f"{reason!r} is not one of {', '.join(reasons)}")
    if status == "yes" and not found:
        wrong("reason", "empty, although the status is yes")
    if faults:
        return None, faults
    return Gold(
        row_id=row_id,
        stratum=stratum,
        status=status,
        announcement_date=day,
        reasons=found,
        disclosure_type=cells.get("disclosure_type", ""),
        tags=tuple(t for t in cells.get("trap", "").replace(";", "+").split("+") if t),
        region=cells.get("region", ""),
        languages=tuple(t for t in cells.get("languages", "").split("+") if t),
        line=row.number,
    ), []


def _day(cells: Mapping[str, str], wrong: Callable[[str, str], None], *, wanted: bool) -> dt.date | None:
    written = cells.get("announcement_date", "")
    if not written:
        if wanted:
            wrong("announcement_date", "empty, although the status is yes")
        return None
    if not wanted:
        wrong("announcement_date", f"{written!r} is given, although the status is not yes")
        return None
    try:
        return dt.date.fromisoformat(written)
    except ValueError:
        wrong("announcement_date", f"{written!r} is not a day; write YYYY-MM-DD")
        return None

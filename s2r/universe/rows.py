"""Rows of a universe table to listings, with every defect named by row and column."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from s2r.errors import InputError
from s2r.lang.ids import Problem, check_cik, check_isin, check_lei, check_mic
from s2r.lang.text import fold_text
from s2r.models.listing import CONTRADICTED, Listing, RowIssue
from s2r.models.packed import Listings
from s2r.policy import Venue
from s2r.universe.columns import extra_names, is_header, map_columns
from s2r.universe.cutoff import CutoffError, parse_cutoff
from s2r.universe.grid import Table, TableRow
from s2r.universe.tables import read_table
from s2r.universe.venues import VenueNames

_TEXT_FIELDS = ("issuer", "security", "security_type", "ticker", "mic", "venue", "country", "isin", "lei", "cik")
_UPPER = frozenset({"mic", "isin", "lei", "country"})
_MOJIBAKE = ("\ufffd", "Ã¼", "Ã¶", "Ã¤", "Ã©", "Ã¨", "Ã³", "â€", "Å‚")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Universe:
    """Usable listings in input order, all row issues, the header as written, and how the file was read.

    `mapped` tells which header stands for which field; `encoding`, `sheet` and `format` ("csv", "xlsx", "parquet") how it was read.
    """

    listings: Listings
    issues: tuple[RowIssue, ...]
    columns: tuple[str, ...]
    mapped: dict[str, str]
    format: str = "csv"
    encoding: str = ""
    sheet: str = ""

    @property
    def rejected(self) -> tuple[RowIssue, ...]:
        """The issues that keep a row out of the run."""
        return tuple(issue for issue in self.issues if issue.severity == "rejected")


def read_universe(
    path: Path | str, *, default_cutoff: dt.date | None = None, venues: Mapping[str, Venue] | None = None, today: dt.date | None = None
) -> Universe:
    """Read a universe file (CSV, XLSX, Parquet) as text.

    `default_cutoff` fills a missing column or cell; a cutoff after `today` is rejected. `venues` are those of the policy by MIC: a row
    whose MIC is none of them gets that of the one venue which its mic or venue column names, with a warning; its id stays that of its
    words. Raises `InputError` when the file as a whole cannot be used, `ConfigError` when an optional package is missing.
    """
    file = Path(path)
    table = read_table(file, is_header)
    mapped = map_columns(table.header, str(file))
    if not table.rows:
        raise InputError("has a header but no rows", subject=str(file), advice="Add one row per listing.")
    if "cutoff" not in mapped and default_cutoff is None:
        raise InputError(
            f"the column cutoff is missing; columns seen: {', '.join(map(repr, table.header))[:600]}",
            subject=str(file),
            advice="Add a column cutoff (YYYY-MM-DD), or give one cutoff for all rows with --cutoff.",
        )
    reader = _Reader(table, mapped, default_cutoff, VenueNames((venues or {}).values()), today)
    for row in table.rows:
        reader.take(row)
    if not reader.listings:
        raise InputError(
            _nothing_usable(reader.issues), subject=str(file), advice=reader.issues[-1].advice if reader.issues else "Add a row."
        )
    named = {field: table.header[k].strip() for field, k in mapped.items()}
    columns = tuple(name.strip() for name in table.header)
    return Universe(reader.listings, tuple(reader.issues), columns, named, table.format, table.encoding, table.sheet)


def _nothing_usable(issues: list[RowIssue]) -> str:
    rejected = [issue for issue in issues if issue.severity == "rejected"]
    shown = "; ".join(f"row {issue.row_number}: {issue.problem}" for issue in rejected[:_SHOWN])
    return f"no usable row ({len(rejected)} rejected; first {min(_SHOWN, len(rejected))} of {len(rejected)}: {shown})"


class _Reader:
    """Takes rows one by one, remembering identities and row ids already seen."""

    def __init__(self, table: Table, mapped: dict[str, int], default: dt.date | None, venues: VenueNames, today: dt.date | None) -> None:
        self.listings = Listings()
        self.issues: list[RowIssue] = []
        self._width = len(table.header)
        self._mapped, self._default, self._venues, self._today = mapped, default, venues, today
        self._places = [(field, k) for field in _TEXT_FIELDS if (k := mapped.get(field)) is not None]
        self._extra = extra_names(table.header, mapped)
        self._header = table.header
        self._identities: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        if table.guessed:
            advice = "If names look wrong, save the file as UTF-8."
            self._issue(0, "", "", table.encoding, f"the file is not marked as Unicode; it was read as {table.encoding}", advice, "warning")

    def take(self, row: TableRow) -> None:
        """Turn one row into a listing, or into issues that say why not."""
        cells = row.cells
        if (ragged := self._ragged(row)) is not None:
            self._issue(
                row.number,
                self._raw_id(cells),
                "",
                "",
                ragged,
                "Quote values that hold the separator, and give every row all columns.",
                "rejected",
            )
            return
        values = dict.fromkeys(_TEXT_FIELDS, "")
        for field, k in self._places:
            if k < len(cells) and (cell := cells[k]):
                values[field] = " ".join(cell.split())
        for field in _UPPER:
            values[field] = values[field].upper()
        raw_id = self._raw_id(cells)
        cutoff = self._cutoff(row, raw_id)
        if not any(c.isalnum() for c in values["issuer"]):
            advice = "Fill in the company's legal name."
            self._issue(row.number, raw_id, "issuer", self._cell(cells, "issuer"), "the issuer is missing", advice, "rejected")
            return
        if cutoff is None:
            return
        identity = _identity(values, cutoff)
        row_id = raw_id or f"r-{hashlib.sha256(identity.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        if self._repeated(row.number, row_id, identity):
            return
        self._warn(row, row_id, values)
        values["mic"], values["venue_note"] = self._venue(row.number, row_id, values)
        extra = {name: cells[k] for k, name in self._extra.items() if k < len(cells) and (self._header[k].strip() or cells[k].strip())}
        self.listings.append(Listing(row_id=row_id, row_number=row.number, cutoff=cutoff, extra=extra, **values))

    def _cell(self, cells: tuple[str, ...], field: str) -> str:
        k = self._mapped.get(field)
        return cells[k] if k is not None and k < len(cells) else ""

    def _raw_id(self, cells: tuple[str, ...]) -> str:
        return self._cell(cells, "row_id").strip()

    def _ragged(self, row: TableRow) -> str | None:
        extra = row.cells[self._width :]
        if any(cell.strip() for cell in extra) or len(row.cells) < self._width:
            return f"row {row.number} has {len(row.cells)} cells, the header has {self._width}"
        return None

    def _cutoff(self, row: TableRow, raw_id: str) -> dt.date | None:
        written = self._cell(row.cells, "cutoff").strip()
        try:
            if written:
                return parse_cutoff(written, self._today)
            if self._default is None:
                raise CutoffError("the cutoff is missing", "Fill in the cutoff (YYYY-MM-DD), or give one for all rows with --cutoff.")
            return parse_cutoff(self._default.isoformat(), self._today)
        except CutoffError as exc:
            self._issue(row.number, raw_id, "cutoff", written, exc.problem, exc.advice, "rejected")
            return None

    def _repeated(self, number: int, row_id: str, identity: str) -> bool:
        if (first := self._identities.get(identity)) is not None:
            problem = f"duplicate: the same listing and cutoff as row {first}"
            self._issue(number, row_id, "", "", problem, f"Remove it; row {first} is kept.", "rejected")
            return True
        if (first := self._ids.get(row_id)) is not None:
            problem = f"row id {row_id} is already the id of row {first}, which is another listing"
            self._issue(number, row_id, "row_id", row_id, problem, "Give every row an id of its own, or leave the id empty.", "rejected")
            return True
        self._identities[identity] = number
        self._ids[row_id] = number
        return False

    def _warn(self, row: TableRow, row_id: str, values: dict[str, str]) -> None:
        problems: list[tuple[str, Problem | None]] = [
            ("isin", check_isin(values["isin"]) if values["isin"] else None),
            ("lei", check_lei(values["lei"]) if values["lei"] else None),
            ("cik", check_cik(values["cik"]) if values["cik"] else None),
        ]
        for column, problem in problems:
            if problem is not None:
                self._issue(row.number, row_id, column, problem.value, problem.problem, problem.advice, "warning")
        for remark in row.remarks:
            self._issue(row.number, row_id, "", "", remark, "Check the values of this row.", "warning")
        for column in ("issuer", "security", "venue"):
            if not values[column].isascii() and any(sign in values[column] for sign in _MOJIBAKE):
                problem_text, advice = "the text looks wrongly decoded", "Save the file as UTF-8 from its source."
                self._issue(row.number, row_id, column, values[column], problem_text, advice, "warning")

    def _venue(self, number: int, row_id: str, values: dict[str, str]) -> tuple[str, str]:
        """The MIC of the row, or the one that its words for the venue can only mean; and what a reader of its record must know of that."""
        given, mics = values["mic"], self._venues.mics
        problem = check_mic(given, mics) if given else None
        if given and problem is None:
            return given, self._contradiction(number, row_id, values) if mics else ""
        if not given and not mics:
            return given, ""
        shown = problem.problem if problem else "the MIC is missing"
        if meant := self._venues.meant((given, values["venue"]), values["country"]):
            words = given if self._venues.meant((given,), values["country"]) else values["venue"]
            read = f"{words!r} was read as {meant}, {self._venues.name(meant)}"
            advice = f"{read}: write {meant} if that is right, the right code if not."
            self._issue(number, row_id, "mic", given, shown, advice, "warning")
            return meant, f"The venue was read from a name: {advice}"
        advice = problem.advice if problem else "Give the ISO 10383 code of the market, like XNYS or XLON."
        self._issue(number, row_id, "mic", given, shown, f"{advice} Which venue is meant is not known: answers go to review.", "warning")
        return given, ""

    def _contradiction(self, number: int, row_id: str, values: dict[str, str]) -> str:
        """A warning where mic and venue name two venues; the MIC is what is looked for."""
        mic, venue = values["mic"], values["venue"]
        other = self._venues.contradicted(mic, venue)
        if not other:
            return ""
        problem = f"it says {venue!r} ({other}, {self._venues.name(other)}), the MIC says {mic} ({self._venues.name(mic)})"
        advice = f"{mic} was looked for: correct the venue if that is right, the MIC if not."
        self._issue(number, row_id, "venue", venue, problem, advice, "warning")
        return f"{CONTRADICTED}: venue says {venue!r} ({other}). {advice}"

    def _issue(self, number: int, row_id: str, column: str, value: str, problem: str, advice: str, severity: str) -> None:
        self.issues.append(
            RowIssue(row_number=number, row_id=row_id, column=column, value=value, problem=problem, advice=advice, severity=severity)
        )


def _identity(values: dict[str, str], cutoff: dt.date) -> str:
    parts = (values["issuer"], values["security"], values["mic"] or values["venue"], values["ticker"], values["isin"], cutoff.isoformat())
    return fold_text("|".join(parts))


def write_rejected(path: Path | str, issues: Iterable[RowIssue]) -> int:
    """Write the rejected rows as CSV (UTF-8 with byte order mark, safe to open in a spreadsheet); return how many."""
    rejected = [issue for issue in issues if issue.severity == "rejected"]
    with Path(path).open("w", encoding="utf-8-sig", errors="replace", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["row_number", "row_id", "column", "value", "problem", "advice"])
        for issue in rejected:
            cells = (issue.row_id, issue.column, issue.value, issue.problem, issue.advice)
            writer.writerow([issue.row_number, *(_inert(cell) for cell in cells)])
    return len(rejected)


def _inert(cell: str) -> str:
    """A cell that a spreadsheet shows as text instead of running it as a formula."""
    return (
        f"'{cell}"
        if cell.lstrip().startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")) or cell[:1] in {"\t", "\r", "\n"}
        else cell
    )

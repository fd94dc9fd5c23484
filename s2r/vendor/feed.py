"""A vendor's file to rows: columns, dates, codes and keys as its policy file says, with every defect named by row and column."""

from __future__ import annotations

import datetime as dt
import difflib
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from s2r.errors import InputError
from s2r.lang.ids import check_isin
from s2r.lang.text import fold
from s2r.models import RowIssue
from s2r.policy import Policy
from s2r.policy.vendors import DATE_COLUMNS, TEXT_COLUMNS, VendorFormat
from s2r.universe.columns import normal_header
from s2r.universe.grid import Table, TableRow
from s2r.universe.tables import read_table
from s2r.vendor.dateforms import ISO, form_of, is_written, other_form, parse_day
from s2r.vendor.types import Feed, Says, VendorRow

_SHOWN = 3
_UPPER = ("mic", "isin", "lei", "country")
_SEEN = 600


def read_feed(path: Path | str, given: VendorFormat, policy: Policy) -> Feed:
    """Read a feed (CSV, XLSX, Parquet, JSON lines). Raises `InputError` when it cannot be compared as a whole: columns renamed, a date
    column in several forms, two rows under one key, no rows, too many rows that cannot be read."""
    file = Path(path)
    named = ", ".join(column for name in given.columns for column in given.columns_of(name) if column not in given.optional)
    table = read_table(file, _header_test(given), called="vendor feed", needs=f"it needs the columns {named}")
    places = _places(table, given, str(file))
    if not table.rows:
        raise InputError("has a header but no rows", subject=str(file), advice="Ask the vendor for the file again; nothing was compared.")
    reader = _Reader(table, places, given, policy, str(file))
    reader.forms = reader.date_forms()
    for row in table.rows:
        reader.take(row)
    reader.check()
    digest = hashlib.sha256(file.read_bytes() + given.model_dump_json().encode()).hexdigest()
    return Feed(
        name=given.name,
        path=file.name,
        rows=tuple(reader.rows),
        broken=tuple(reader.broken),
        issues=tuple(reader.issues),
        format=table.format,
        digest=digest,
        has_announced=bool(given.columns_of("announced")),
        delivered=max((row.dates["as_of"] for row in reader.rows if "as_of" in row.dates), default=None),
    )


@dataclass(frozen=True)
class _HeaderTest:
    """A row of cells is the header when it holds half of the columns that must be there."""

    wanted: frozenset[str]

    def __call__(self, cells: tuple[str, ...]) -> bool:
        return 2 * len(self.wanted & {normal_header(cell) for cell in cells}) >= len(self.wanted)


def _header_test(given: VendorFormat) -> _HeaderTest:
    columns = {column for name in given.columns for column in given.columns_of(name)} - set(given.optional)
    return _HeaderTest(frozenset(map(normal_header, columns)))


def _places(table: Table, given: VendorFormat, subject: str) -> dict[str, int]:
    """Column name of the policy file -> its place; raises `InputError` naming each one that is not there."""
    names = [normal_header(cell) for cell in table.header]
    places: dict[str, int] = {}
    missing: list[str] = []
    for name in given.columns:
        for column in given.columns_of(name):
            found = [k for k, seen in enumerate(names) if seen == normal_header(column)]
            if len(found) > 1:
                advice = "Rename or remove one of them."
                raise InputError(f"the column {column!r} stands {len(found)} times", subject=subject, advice=advice)
            if found:
                places[column] = found[0]
            elif column not in given.optional:
                missing.append(f"{column!r} ({name}{_nearest(column, table.header)})")
    if missing:
        seen = ", ".join(repr(cell.strip()) for cell in table.header if cell.strip())[:_SEEN]
        raise InputError(
            f"does not have the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; columns seen: {seen}",
            subject=subject,
            advice=f"If the vendor renamed them, change [columns] of vendors/{given.name}.toml; nothing was compared.",
        )
    return places


def _nearest(column: str, header: Sequence[str]) -> str:
    near = difflib.get_close_matches(normal_header(column), [normal_header(cell) for cell in header], n=1, cutoff=0.6)
    found = next((cell.strip() for cell in header if near and normal_header(cell) == near[0]), "")
    return f", perhaps now {found!r}" if found else ""


@dataclass
class _Reader:
    """Takes the rows of a table one by one."""

    table: Table
    places: Mapping[str, int]
    given: VendorFormat
    policy: Policy
    subject: str
    forms: dict[str, str] = field(default_factory=dict)  # by column: the form that its cells have
    rows: list[VendorRow] = field(default_factory=list)
    broken: list[VendorRow] = field(default_factory=list)
    issues: list[RowIssue] = field(default_factory=list)

    def cell(self, row: TableRow, name: str) -> tuple[str, str]:
        """(column, text) of the first filled column of a field."""
        first = ""
        for column in self.given.columns_of(name):
            place = self.places.get(column)
            if place is None:
                continue
            first = first or column
            if place < len(row.cells) and (text := " ".join(row.cells[place].split())):
                return column, text
        return first, ""

    def date_forms(self) -> dict[str, str]:
        """The one form of each date column; raises `InputError` at a column in which forms are mixed."""
        chosen: dict[str, str] = {}
        for name in DATE_COLUMNS:
            for column in self.given.columns_of(name):
                if column in self.places:
                    chosen[column] = self._form_of_column(name, column)
        return chosen

    def _form_of_column(self, name: str, column: str) -> str:
        declared = self.given.date_forms(name)
        typed = self.table.format in ("xlsx", "parquet")
        forms = (*declared, ISO) if typed and ISO not in declared else declared
        seen: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for row in self.table.rows:
            text = self._text(row, column)
            if not text or text in self.given.empty:
                continue
            if form := form_of(text, forms) or other_form(text, forms):
                seen[form].append((row.number, text))
        if len(seen) > 1:
            shown = "; ".join(f"{form}: {len(cells)} rows, such as row {cells[0][0]} {cells[0][1]!r}" for form, cells in seen.items())
            raise InputError(
                f"the date column {column!r} mixes forms ({shown})",
                subject=self.subject,
                advice="A day could be read as a month, so nothing was compared. Have the vendor write one form.",
            )
        form = next(iter(seen), forms[0])
        if form not in forms:
            number, text = seen[form][0]
            raise InputError(
                f"the date column {column!r} is written {form} (row {number} {text!r}), not {' or '.join(declared)}",
                subject=self.subject,
                advice=f"Change [dates] of vendors/{self.given.name}.toml if this is the vendor's form now; nothing was compared.",
            )
        return form

    def _text(self, row: TableRow, column: str) -> str:
        place = self.places[column]
        return " ".join(row.cells[place].split()) if place < len(row.cells) else ""

    def take(self, row: TableRow) -> None:
        """Turn one table row into a row of the feed, usable or broken."""
        before = sum(issue.severity == "rejected" for issue in self.issues)
        width = len(self.table.header)
        if any(cell.strip() for cell in row.cells[width:]) or len(row.cells) < width:
            problem = f"row {row.number} has {len(row.cells)} cells, the header has {width}"
            self._issue(row, "", "", problem, "Have the vendor quote values that hold the separator.")
        values = {name: self.cell(row, name)[1] for name in TEXT_COLUMNS}
        values |= {name: values[name].upper() for name in _UPPER}
        values["mic"] = self._mic(values)
        if values["isin"] and (wrong := check_isin(values["isin"])):
            self._issue(row, self.cell(row, "isin")[0], wrong.value, wrong.problem, wrong.advice, severity="warning")
        says, reasons = self._said(row)
        dates = self._dates(row)
        number = row.number
        found = VendorRow(
            number=number,
            row=self.cell(row, "row")[1],
            code=self.cell(row, "code")[1],
            reason_code=self.cell(row, "reason")[1],
            says=says,
            reasons=reasons,
            dates=dates,
            cells={column: row.cells[k] for column, k in self.places.items() if k < len(row.cells)},
            **values,
        )
        if not any(self.usable(found, key.fields) for key in self.given.key):
            needed = " or ".join("+".join(key.fields) for key in self.given.key)
            self._issue(row, "", "", "no key is complete, so the row names no listing", f"A row needs {needed}.")
        rejected = sum(issue.severity == "rejected" for issue in self.issues) > before
        (self.broken if rejected else self.rows).append(found)

    def usable(self, row: VendorRow, fields: Sequence[str]) -> bool:
        """Whether a row has all fields of a key."""
        return all(has_field(row, name) for name in fields)

    def _mic(self, values: Mapping[str, str]) -> str:
        for text in (values["mic"], values["venue"]):
            if text in self.given.mics:
                return self.given.mics[text]
        if values["mic"] or not values["venue"]:
            return values["mic"]
        wanted = fold(values["venue"]).text
        for mic, venue in self.policy.venues.items():
            if wanted in {fold(name).text for name in (mic, venue.name, *venue.aliases, *venue.former_names)}:
                return mic
        return ""

    def _said(self, row: TableRow) -> tuple[Says, tuple[str, ...]]:
        column, text = self.cell(row, "code")
        reason_column, reason = self.cell(row, "reason")
        reasons: tuple[str, ...] = ()
        if reason:
            if reason in self.given.reasons:
                reasons = self.given.reasons[reason]
            elif self.given.reasons:
                advice = f"Add it to [reasons] of vendors/{self.given.name}.toml; this row's reason is not compared."
                self._issue(row, reason_column, reason, f"the reason {reason!r} is not known", advice, severity="warning")
        if not self.given.columns_of("code"):
            return Says.EVENT, reasons
        code = self.given.code(text)
        if code is None:
            what = f"the code {text!r} is not known" if text else "the code is missing"
            self._issue(row, column, text, what, f"Add it to [codes] of vendors/{self.given.name}.toml.")
            return Says.IGNORED, reasons
        return Says(code.says), reasons or code.reason

    def _dates(self, row: TableRow) -> dict[str, dt.date]:
        dates: dict[str, dt.date] = {}
        for name in DATE_COLUMNS:
            column, text = self.cell(row, name)
            if not text or text in self.given.empty:
                continue
            form = self.forms[column]
            if (day := parse_day(text, form)) is not None:
                dates[name] = day
                continue
            what = "is no day of the calendar" if is_written(text, form) else f"is not written {form}"
            self._issue(row, column, text, f"the date {text!r} {what}", f"Write {form}, or list it under `empty` if it means none.")
        return dates

    def check(self) -> None:
        """Raise `InputError` at two rows under one key, or at too many broken rows."""
        by_key: dict[tuple[str, ...], VendorRow] = {}
        for row in self.rows:
            key = tuple(_value(row, name) for name in self.given.unique)
            if not any(key):
                continue
            if (first := by_key.setdefault(key, row)) is not row:
                shown = ", ".join(f"{name} {value!r}" for name, value in zip(self.given.unique, key, strict=True) if value)
                raise InputError(
                    f"rows {first.number} and {row.number} have one key ({shown})",
                    subject=self.subject,
                    advice="Which of them is meant cannot be told, so nothing was compared. Ask for one row, or change `unique`.",
                )
        numbers = {issue.row_number for issue in self.issues if issue.severity == "rejected"}
        share = len(numbers) / len(self.table.rows)
        if (share > self.given.tolerance.reject_share and len(numbers) > 1) or not self.rows:
            rejected = [issue for issue in self.issues if issue.severity == "rejected"]
            shown = "; ".join(f"row {i.row_number} {i.column}: {i.problem}" for i in rejected[:_SHOWN])
            raise InputError(
                f"{len(numbers)} of {len(self.table.rows)} rows cannot be read (first {min(_SHOWN, len(rejected))}: {shown})",
                subject=self.subject,
                advice=f"{rejected[0].advice} Nothing was compared; tolerance.reject_share allows {self.given.tolerance.reject_share:.0%}.",
            )

    def _issue(self, row: TableRow, column: str, value: str, problem: str, advice: str, *, severity: str = "rejected") -> None:
        self.issues.append(
            RowIssue(
                row_number=row.number, row_id=self.cell(row, "row")[1], column=column, value=value, problem=problem, advice=advice,
                severity=severity,
            )
        )  # fmt: skip


def has_field(row: VendorRow, name: str) -> bool:
    """Whether a row has a value for a field of a key."""
    match name:
        case "class":
            return bool(row.security or row.security_type)
        case "date":
            return row.day is not None
        case "venue":
            return bool(row.mic or row.venue)
        case _:
            return bool(getattr(row, name))


def _value(row: VendorRow, name: str) -> str:
    """The text of one of our fields, as two rows under one key share it."""
    if name in DATE_COLUMNS:
        return str(row.dates.get(name, ""))
    if name == "reason":
        return row.reason_code
    return fold(str(getattr(row, name))).text


def issues_for(numbers: Iterable[int], issues: Sequence[RowIssue]) -> tuple[RowIssue, ...]:
    """The issues of these rows."""
    wanted = set(numbers)
    return tuple(issue for issue in issues if issue.row_number in wanted)

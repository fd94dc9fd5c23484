"""The queue as a spreadsheet and back: exactly the rows of a filter out, streamed; edited rows in, each checked before any is kept."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from s2r.archive import Archive
from s2r.errors import InputError, StoreError
from s2r.report.files import write_csv, write_xlsx
from s2r.report.tables import FORMULA_STARTS, safe_cell
from s2r.reviews.bench import CACHE_MB, Workbench, log, weigh
from s2r.reviews.decisions import Plan, keep, known, planned
from s2r.reviews.errors import BadDecision, ReviewError
from s2r.reviews.queue import all_items
from s2r.reviews.types import Decision, Evidence, Kind, Outcome, QueueFilter, QueueItem, Sort
from s2r.store import Store
from s2r.universe.grid import Table
from s2r.universe.tables import read_table

SHOWN = (
    "row_id", "revision", "state", "issuer", "security", "ticker", "mic", "cutoff", "status", "announcement_date", "reason", "confidence",
    "risk", "priority", "route", "why_review", "conflict", "language", "package", "waiting_since", "assignee", "status_quote",
    "status_url", "date_quote", "date_url", "later_event_date", "coverage",
)  # fmt: skip
EDITED = (
    "decision", "reason_code", "corrected_status", "corrected_date", "corrected_reason", "evidence_url", "evidence_quote", "note",
)  # fmt: skip
COLUMNS = (*SHOWN, *EDITED)
_TOGETHER = 500  # records read at once
_AT_ONCE = 200  # decisions kept in one transaction of a partial import
MOST_DECISIONS = 10_000  # of one file: they are kept in one transaction, which others wait for
_COLUMN_OF = {"kind": "decision", "status": "corrected_status", "announcement_date": "corrected_date", "reason": "corrected_reason",
              "evidence": "evidence_quote"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowFault:
    """What is wrong with one row of an edited file, and what to do."""

    number: int
    row_id: str
    column: str
    problem: str

    def __str__(self) -> str:
        return f"row {self.number} ({self.row_id or 'no row_id'}), column {self.column}: {self.problem}"


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What an import did: rows with a decision, how many were kept, known already (`again`), and refused with their cause; rows without a
    decision are `empty`. `states` counts where the kept ones stand now."""

    rows: int
    kept: int
    again: int
    empty: int
    faults: tuple[RowFault, ...] = ()
    states: dict[str, int] = field(default_factory=dict)
    batch: str = ""


def export_queue(bench: Workbench, wanted: QueueFilter, target: Path, now: dt.datetime, by: str, *, sort: Sort | None = None) -> int:
    """Write the rows of a filter, in their order, to a CSV or XLSX file; return how many. Every cell is safe from formula injection. The
    last columns are for decisions (see `import_decisions`). Raises ReviewError for another kind of file."""
    count = Counter[str]()

    def rows() -> Iterator[list[str]]:
        for row in export_rows(bench, wanted, now, sort=sort):
            count["rows"] += 1
            yield row

    if target.suffix.lower() == ".csv":
        write_csv(target, COLUMNS, rows())
    elif target.suffix.lower() == ".xlsx":
        write_xlsx(target, "review queue", COLUMNS, rows())
    else:
        raise ReviewError("is no kind of table", subject=target.name, advice="End the name with .csv or .xlsx.")
    log(bench, now, by, "export", filter=wanted.to_query(), rows=count["rows"], file=target.name)
    return count["rows"]


def export_rows(bench: Workbench, wanted: QueueFilter, now: dt.datetime, *, sort: Sort | None = None) -> Iterator[list[str]]:
    """The lines of an export, one after the other; memory does not grow with the queue."""
    queue = all_items(bench, wanted, now, sort=sort)
    while items := list(islice(queue, _TOGETHER)):
        told = _records(bench, items)
        for item in items:
            yield _line(item, told.get(item.row_id, {}))


def _records(bench: Workbench, items: Sequence[QueueItem]) -> dict[str, dict[str, Any]]:
    """What an export shows of the records of some rows."""
    marks = ", ".join(["(?, ?)"] * len(items))
    values: list[object] = []
    for item in items:
        values += [item.row_id, item.number]
    sql = (
        f"with w(row_id, number) as (values {marks}) select w.row_id, json_extract(r.record, '$.claims', '$.later_event', "
        "'$.coverage.statement') told from w join revision r on r.row_id = w.row_id and r.number = w.number"
    )
    found = {}
    for row_id, told in bench.store.tuples(sql, values):
        claims, later, said = json.loads(str(told))
        found[str(row_id)] = {"claims": claims or [], "later": later or {}, "said": said or ""}
    return found


def _line(item: QueueItem, told: Mapping[str, Any]) -> list[str]:
    claims = {claim["field"]: claim for claim in reversed(told.get("claims", []))}
    status, day = claims.get("status", {}), claims.get("announcement_date", {})
    later = told.get("later", {})
    cells: tuple[object, ...] = (
        item.row_id, item.number, item.state.value, item.issuer, item.security, item.ticker, item.mic, item.cutoff, item.status,
        item.announcement_date, item.reason, f"{item.confidence:.4g}", f"{item.risk:.4g}", f"{item.priority:.4g}", item.route,
        item.route_reason, item.conflict, item.language, item.package, item.since[:10], item.assignee,
        status.get("quote") or later.get("quote", ""), status.get("url") or later.get("url", ""), day.get("quote", ""),
        day.get("url", ""), later.get("date", ""), told.get("said", ""), *[""] * len(EDITED),
    )  # fmt: skip
    return [safe_cell(cell) for cell in cells]


def import_decisions(
    bench: Workbench, path: Path, by: str, now: dt.datetime, *, partial: bool = False, adjudicator: bool = False,
    on_row: Callable[[int], None] = lambda number: None, called: str = "",
) -> ImportOutcome:  # fmt: skip
    """Keep the decisions of an edited export. Every row is checked first; when one is wrong, or another revision stands by now, nothing is
    kept, with `partial` only what is right. The same file again adds nothing. `called`: its name in the log, by default
    that of `path`. Raises InputError when the file cannot be used at all."""
    table = read_table(path, lambda cells: "row_id" in {_key(c) for c in cells}, called="edited export", needs="row_id and decision")
    names = [_key(name) for name in table.header]
    missing = [name for name in ("row_id", "revision", "decision") if name not in names]
    if missing:
        advice = "Import a file that `s2r review export` wrote; its columns may be moved, not renamed."
        raise InputError(f"the column {missing[0]} is missing", subject=str(path), advice=advice)
    # a connection of its own: who reads or claims through the other does not wait for it
    with Store(bench.store.path, cache_mb=CACHE_MB) as store:
        return _imported(
            replace(bench, store=store), table, names, path, by, now, partial=partial, adjudicator=adjudicator, on_row=on_row, called=called
        )


def _imported(
    bench: Workbench, table: Table, names: Sequence[str], path: Path, by: str, now: dt.datetime, *, partial: bool, adjudicator: bool,
    on_row: Callable[[int], None], called: str,
) -> ImportOutcome:  # fmt: skip
    """Check every row and work out what its decision does, while others read and write; then keep what may be kept, in a short time."""
    weigh(bench)
    faults: list[RowFault] = []
    wanted: list[tuple[int, Plan]] = []
    seen: dict[str, int] = {}
    again = empty = 0
    with _Addresses(bench.out) as addresses:
        for row in table.rows:
            values = {name: _plain(cell) for name, cell in zip(names, row.cells, strict=False)}
            if not values.get("decision"):
                empty += _says_nothing(values, row.number, faults)
                continue
            on_row(row.number)
            decision = _read(row.number, values, by, addresses, faults)
            if decision is None:
                continue
            if first := seen.get(decision.row_id):
                faults.append(RowFault(row.number, decision.row_id, "row_id", f"is decided in row {first} already; keep one of them"))
                continue
            if len(seen) == MOST_DECISIONS:
                advice = "Split the file, or empty the decisions of some rows; the same row twice adds nothing."
                raise InputError(f"holds more than {MOST_DECISIONS} decisions", subject=str(path), advice=advice)
            seen[decision.row_id] = row.number
            try:
                if known(bench, decision):
                    again += 1
                else:
                    wanted.append((row.number, planned(bench, decision, now, adjudicator=adjudicator)))
            except ReviewError as exc:
                faults.append(_fault(row.number, decision, exc))
    batch = "i" + hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    outcomes: list[Outcome] = []
    if not faults or partial:
        outcomes = _kept(bench, wanted, now, faults, batch, partial=partial, adjudicator=adjudicator)
        log(bench, now, by, "import", file=called or path.name, kept=len(outcomes), again=again, refused=len(faults), batch=batch)
    states = Counter(outcome.state.value for outcome in outcomes)
    return ImportOutcome(
        rows=len(table.rows) - empty, kept=len(outcomes), again=again, empty=empty, faults=tuple(faults), states=dict(states), batch=batch
    )


def _kept(
    bench: Workbench, wanted: Sequence[tuple[int, Plan]], now: dt.datetime, faults: list[RowFault], batch: str, *, partial: bool,
    adjudicator: bool,
) -> list[Outcome]:  # fmt: skip
    """Keep decisions that were worked out: all or none in one transaction, with `partial` some at a time, so that nobody waits for long.
    What another has changed meanwhile is a fault."""
    outcomes: list[Outcome] = []

    def add(number: int, plan: Plan) -> bool:
        try:
            outcomes.append(keep(bench, plan, now, adjudicator=adjudicator, batch=batch))
        except ReviewError as exc:
            faults.append(_fault(number, plan.decision, exc))
            return False
        return True

    if partial:
        for start in range(0, len(wanted), _AT_ONCE):
            with bench.store.transaction():
                for number, plan in wanted[start : start + _AT_ONCE]:
                    add(number, plan)
        return outcomes
    with suppress(_Refused), bench.store.transaction():
        if not all(add(number, plan) for number, plan in wanted):
            raise _Refused
        return outcomes
    return []


class _Refused(Exception):
    """Ends the transaction of an import; nothing of it stays."""


def _key(name: str) -> str:
    return name.strip().lstrip("\ufeff").lower()


def _plain(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it."""
    text = cell.strip()
    inner = text[1:]
    return inner if text.startswith("'") and inner.lstrip().startswith(FORMULA_STARTS) else text


def _says_nothing(values: Mapping[str, str], number: int, faults: list[RowFault]) -> int:
    """1 for a row without a decision; a fault when it holds parts of one."""
    for name in EDITED[1:]:
        if values.get(name):
            faults.append(RowFault(number, values.get("row_id", ""), "decision", f"is empty, but {name} is filled in; decide or empty it"))
            break
    return 1


def _read(number: int, values: Mapping[str, str], by: str, addresses: _Addresses, faults: list[RowFault]) -> Decision | None:
    """The decision of a row; its defects go to `faults`."""
    before = len(faults)
    row_id = values.get("row_id", "")

    def fault(column: str, problem: str) -> None:
        faults.append(RowFault(number, row_id, column, problem))

    kind, revision = values["decision"].lower().replace(" ", "_"), values.get("revision", "")
    if not row_id:
        fault("row_id", "is empty; keep the id of the export")
    if kind not in set(Kind):
        fault("decision", f"{values['decision']!r} is no decision; use {', '.join(Kind)}")
    if not revision.isdecimal():
        fault("revision", f"{revision!r} is no revision; keep the number of the export")
    evidence = _evidence(values, addresses, fault)
    if len(faults) > before:
        return None
    given: dict[str, object] = {
        "row_id": row_id, "kind": kind, "by": by, "seen": int(revision), "reason_code": values.get("reason_code", ""),
        "note": values.get("note", ""), "status": values.get("corrected_status", "").lower() or None,
        "announcement_date": values.get("corrected_date", "")[:10] or None, "reason": values.get("corrected_reason", "") or None,
        "evidence": evidence,
    }  # fmt: skip
    told = json.dumps(given, sort_keys=True, default=lambda value: value.model_dump())
    try:
        return Decision.model_validate(given | {"key": "import:" + hashlib.sha256(told.encode()).hexdigest()[:32]})
    except ValidationError as exc:
        for error in exc.errors(include_url=False):
            name = str(error["loc"][0])
            fault(_COLUMN_OF.get(name, name), f"{given.get(name)!r} cannot be used: {error['msg']}")
        return None


def _evidence(values: Mapping[str, str], addresses: _Addresses, fault: Callable[[str, str], None]) -> tuple[Evidence, ...]:
    """The quote of a row as evidence of its answer; its page is the newest capture of the address that can be found in the archive."""
    quote, url = values.get("evidence_quote", ""), values.get("evidence_url", "")
    if not quote and not url:
        return ()
    if not quote or not url:
        fault("evidence_url" if quote else "evidence_quote", "is empty; a quote and the address of its page belong together")
        return ()
    exhibit = addresses.exhibit(url)
    if not exhibit:
        fault("evidence_url", f"{url!r} is not in the archive; use `s2r review decide --url`, which fetches the page")
        return ()
    fields = ("status", "announcement_date") if values.get("corrected_date") else ("status",)
    return tuple(Evidence(field=name, exhibit=exhibit, start=-1, end=-1, quote=quote, url=url) for name in fields)


class _Addresses:
    """Which exhibit stands for an address: its newest capture."""

    def __init__(self, out: Path) -> None:
        try:
            self._archive: Archive | None = Archive(out, read_only=True)
        except StoreError:
            self._archive = None

    def __enter__(self) -> _Addresses:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._archive:
            self._archive.close()

    def exhibit(self, url: str) -> str:
        """Its digest, "" when the archive has none."""
        found = self._archive.find_url(url) if self._archive else ()
        return found[0].digest if found else ""


def _fault(number: int, decision: Decision, exc: ReviewError) -> RowFault:
    name = exc.field if isinstance(exc, BadDecision) else "revision"
    said = f"{exc.message}. {exc.advice}" if exc.advice else exc.message
    return RowFault(number, decision.row_id, _COLUMN_OF.get(name, name or "decision"), said)

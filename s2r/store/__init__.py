"""Append-only store of records in SQLite (WAL): a correction is a new revision, current state is a view."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from s2r.database import Database
from s2r.errors import StoreError
from s2r.models import Record
from s2r.readonly import open_read_only
from s2r.store.items import Kept, keep_item, share_of
from s2r.store.migrations import MIGRATIONS

BUSY_TIMEOUT_S = 30.0
_LINE = "insert into ledger (run_id, row_id, kind, amount, unit, cost_usd, created_at, state) values (?,?,?,?,?,?,?,?)"


_CHECKED = "id, row_id, number, run_id, inputs, why, outcome, mark, note, cutoff, due_at, cadence, checked_at"


@dataclass(frozen=True, slots=True)
class Checked:
    """One look at a row: `number` is the revision that stood afterwards, `outcome` new, changed, same or failed, `mark` an opaque mark of
    the caller. `due_at` (UTC) is when it is to be looked at again by the cadence with digest `cadence`; None: not worked out yet."""

    id: int
    row_id: str
    number: int
    run_id: str
    inputs: str
    why: str
    outcome: str
    mark: str
    note: str
    cutoff: dt.date
    due_at: dt.datetime | None
    cadence: str
    checked_at: dt.datetime


class Store:
    """Records of one run folder. One writer at a time; safe to use from several threads of one process."""

    def __init__(self, path: Path, *, read_only: bool = False, cache_mb: int = 0) -> None:
        """Open or create the database at `path`; raise StoreError when it cannot be written or is not ours. With `read_only`
        nothing is written, not even beside it, and it must exist. `cache_mb`: how much of it may be kept in memory (0: as SQLite does)."""
        self.path = path
        self.read_only = read_only
        self._lock = threading.RLock()
        try:
            if read_only:
                self._db = Database(open_read_only(path, "revision"))
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False, isolation_level=None)
            self._db = Database(connection)
            self._db.enable_wal()
            connection.execute("pragma synchronous = full")
            if cache_mb:
                connection.execute(f"pragma cache_size = -{cache_mb << 10}")
            connection.create_function("s2r_share", 2, share_of, deterministic=True)
            MIGRATIONS.apply(self._db)
        except (sqlite3.Error, OSError) as exc:
            raise _store_error(path, exc) from exc

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; further use raises."""
        with self._lock:
            self._db.conn.close()

    def start_run(self, run_id: str, *, version: str, policy: str, manifest: dict[str, object], now: dt.datetime) -> None:
        """Note a run; the same run noted again (a continuation) keeps its first start."""
        row = {"run_id": run_id, "started_at": now.isoformat(), "version": version, "policy": policy, "manifest": json.dumps(manifest)}
        with self._writing():
            self._db.table("run").insert(row, ignore=True)

    def started_at(self, run_id: str) -> str | None:
        """When the run first started (ISO 8601, UTC), None when it is unknown."""
        rows = self._rows("select started_at from run where run_id = ?", [run_id])
        return str(rows[0]["started_at"]) if rows else None

    def append(
        self,
        record: Record,
        *,
        inputs: str,
        position: int,
        author: str,
        why: str,
        now: dt.datetime,
        again: bool = False,
        issues: Sequence[tuple[str, str, str, str]] = (),
        ledger: Sequence[tuple[str, float, str, float | None]] = (),
        mark: str = "",
        kept: Kept = Kept.FRESH,
        proposal: int = 0,
        due: tuple[dt.datetime, str] | None = None,
    ) -> int:
        """Append a revision with its issues (step, subject, cause, next step) and ledger lines (kind, amount, unit, cost in
        USD) in one transaction; return its number. `inputs` is the digest of all that decided the record; `again` keeps it from
        counting as done; `mark` is kept with the check of the row, as it is; `kept` says what becomes of what reviewers said; `due` is
        when the row is looked at again, and the digest of the cadence that says so."""
        stamp = now.isoformat()
        with self._writing():
            number = 1 + int(str(self._rows("select coalesce(max(number), 0) n from revision where row_id = ?", [record.row_id])[0]["n"]))
            self._db.table("revision").insert(
                {
                    "run_id": record.run_id,
                    "row_id": record.row_id,
                    "position": position,
                    "inputs": inputs,
                    "number": number,
                    "status": str(record.status),
                    "route": str(record.route),
                    "record": record.model_dump_json(),
                    "author": author,
                    "why": why,
                    "created_at": stamp,
                    "again": int(again),
                }
            )
            keep_item(self._db.conn, record, number, position, stamp, kept, proposal)
            outcome = "failed" if again else "new" if number == 1 else "changed"
            self._check(record, number, inputs, why, outcome, mark, "", stamp, due)
            self._enter(record, stamp, issues, ledger)
        return number

    def confirm(
        self, record: Record, *, inputs: str, outcome: str, why: str, now: dt.datetime,
        ledger: Sequence[tuple[str, float, str, float | None]] = (), mark: str = "",
    ) -> int:  # fmt: skip
        """Note that a row was looked at again and that its current revision stands: `outcome` is same, or failed when `record` says
        nothing (its cause is kept); return the number of that revision."""
        with self._writing():
            rows = self._rows("select number from record_current where row_id = ?", [record.row_id])
            number = int(str(rows[0]["number"]))
            note = record.error or record.coverage.statement
            self._check(record, number, inputs, why, outcome, mark, note, now.isoformat())
            self._enter(record, now.isoformat(), (), ledger)
        return number

    def _check(
        self, record: Record, number: int, inputs: str, why: str, outcome: str, mark: str, note: str, stamp: str,
        due: tuple[dt.datetime, str] | None = None,
    ) -> None:  # fmt: skip
        due_at, cadence = (due[0].isoformat(), due[1]) if due else ("", "")
        self._db.execute(
            "insert into checked (row_id, number, run_id, inputs, why, outcome, mark, note, cutoff, due_at, cadence, checked_at) "
            "values (?,?,?,?,?,?,?,?,?,?,?,?)",
            (record.row_id, number, record.run_id, inputs, why, outcome, mark, note, record.cutoff.isoformat(), due_at, cadence, stamp),
        )

    def _enter(
        self,
        record: Record,
        stamp: str,
        issues: Sequence[tuple[str, str, str, str]],
        ledger: Sequence[tuple[str, float, str, float | None]],
    ) -> None:
        """Add issues and ledger lines of a row inside the transaction that is open."""
        self._db.table("issue").insert_all(
            {
                "run_id": record.run_id,
                "row_id": record.row_id,
                "step": step,
                "subject": subject,
                "cause": cause,
                "next_step": next_step,
                "created_at": stamp,
            }
            for step, subject, cause, next_step in issues
        )
        self._db.table("ledger").insert_all(
            {
                "run_id": record.run_id,
                "row_id": record.row_id,
                "kind": kind,
                "amount": amount,
                "unit": unit,
                "cost_usd": cost,
                "created_at": stamp,
            }
            for kind, amount, unit, cost in ledger
        )

    def last_checks(self) -> dict[str, Checked]:
        """The newest check of every row."""
        sql = f"select {_CHECKED} from checked where id in (select max(id) from checked group by row_id)"  # noqa: S608
        return {check.row_id: check for check in map(_checked, self.tuples(sql))}

    def checks_since(self, moment: dt.datetime) -> list[Checked]:
        """Every check since a moment (UTC), oldest first."""
        sql = f"select {_CHECKED} from checked where checked_at >= ? order by id"  # noqa: S608
        return [_checked(row) for row in self.tuples(sql, [moment.isoformat()])]

    def set_due(self, due: Iterable[tuple[int, dt.datetime]], cadence: str) -> None:
        """When the rows of these checks are to be looked at again, by a cadence with this digest."""
        with self._writing():
            for number, moment in due:
                self._db.execute("update checked set due_at = ?, cadence = ? where id = ?", (moment.isoformat(), cadence, number))

    def spent_since(self, moment: dt.datetime) -> float:
        """Known costs of calls booked since a moment (UTC), in USD."""
        sql = "select coalesce(sum(cost_usd), 0.0) usd from ledger where created_at >= ?"
        return float(str(self._rows(sql, [moment.isoformat()])[0]["usd"]))

    def runs(self) -> dict[str, dict[str, object]]:
        """Version, policy and manifest of every run."""
        return {str(row["run_id"]): row for row in self._rows("select run_id, version, policy, manifest from run")}

    def checks(self, row_id: str) -> list[dict[str, object]]:
        """Every check of a row, oldest first."""
        sql = "select number, run_id, why, outcome, note, checked_at from checked where row_id = ? order by id"
        return self._rows(sql, [row_id])

    def as_of(self, row_id: str, moment: dt.datetime) -> Record | None:
        """The record that stood at a moment (UTC): what was believed then, whatever came later."""
        sql = "select record from revision where row_id = ? and created_at <= ? order by number desc limit 1"
        rows = self._rows(sql, [row_id, moment.astimezone(dt.UTC).isoformat()])
        return self._record(rows[0]["record"]) if rows else None

    def revision(self, row_id: str, number: int) -> Record | None:
        """One revision of a row."""
        rows = self._rows("select record from revision where row_id = ? and number = ?", [row_id, number])
        return self._record(rows[0]["record"]) if rows else None

    def intend(self, run_id: str, row_id: str, kind: str, unit: str, most: float | None, now: dt.datetime) -> int:
        """Add the ledger line of a call before it is sent, at the most USD that it may cost (None = unknown); `book` settles it.

        It stays open, and counts at that price, when the process ends before."""
        line = (kind, 1.0, unit, most)
        with self._writing(synced=False):
            found = self._db.execute(_LINE, _line(run_id, row_id, line, now, "open")).lastrowid
        return int(found or 0)

    def book(
        self, run_id: str, row_id: str, lines: Sequence[tuple[str, float, str, float | None]], now: dt.datetime, *,
        intent: int | None = None, lost: bool = False,
    ) -> None:  # fmt: skip
        """Add ledger lines (kind, amount, unit, cost in USD, None = unknown) at once, before their row is done. The first one settles
        the line of an `intent`; with `lost` it was called without an answer, so that its cost is the most that it can be."""
        state = "lost" if lost else ""
        with self._writing(synced=False):
            rest = list(lines)
            if intent is not None and rest:
                cost = rest.pop(0)[3]
                self._db.execute("update ledger set cost_usd = ?, state = ? where id = ? and state = 'open'", (cost, state, intent))
            for line in rest:
                self._db.execute(_LINE, _line(run_id, row_id, line, now, state))

    def spent(self) -> float:
        """All known costs of this folder, over all runs, in USD."""
        return float(str(self._rows("select coalesce(sum(cost_usd), 0.0) usd from ledger")[0]["usd"]))

    def spent_by_row(self) -> dict[str, float]:
        """All known costs of this folder by row, over all runs, in USD; rows that cost nothing are left out."""
        rows = self._rows("select row_id, sum(cost_usd) usd from ledger where cost_usd > 0 group by row_id")
        return {str(row["row_id"]): float(str(row["usd"])) for row in rows}

    def open_lines(self, row_id: str, kind: str) -> list[tuple[int, float | None]]:
        """Lines of calls of a row that were intended and never settled: id and most USD, oldest first."""
        rows = self._rows("select id, cost_usd from ledger where row_id = ? and kind = ? and state = 'open' order by id", [row_id, kind])
        return [(int(str(row["id"])), None if row["cost_usd"] is None else float(str(row["cost_usd"]))) for row in rows]

    def done(self, inputs: Iterable[str]) -> set[str]:
        """Which of these input digests already have a current record that need not be tried again."""
        wanted = set(inputs)
        return {str(row["inputs"]) for row in self._rows("select inputs from record_current where again = 0") if row["inputs"] in wanted}

    def is_done(self, row_id: str, inputs: str) -> bool:
        """Whether the current record of a row was made from these inputs and need not be tried again."""
        sql = "select 1 from record_current where row_id = ? and inputs = ? and again = 0"
        return bool(self._rows(sql, [row_id, inputs]))

    def numbers(self) -> dict[str, int]:
        """Number of the current revision of every row."""
        return {str(row["row_id"]): int(str(row["number"])) for row in self._rows("select row_id, number from record_current")}

    def last_revision(self, author: str) -> int:
        """Id of the newest revision that `author` wrote; 0 when there is none."""
        rows = self._rows("select id from revision where author = ? order by id desc limit 1", [author])
        return int(str(rows[0]["id"])) if rows else 0

    def revised_since(self, revision: int, author: str) -> int:
        """Number of rows of which `author` wrote a revision after the one with this id."""
        rows = self._rows("select count(distinct row_id) n from revision where id > ? and author = ?", [revision, author])
        return int(str(rows[0]["n"]))

    def current(self, row_id: str) -> Record | None:
        """The newest revision of a row; raises StoreError when another version of s2r wrote it in another form."""
        rows = self._rows("select record from record_current where row_id = ?", [row_id])
        return self._record(rows[0]["record"]) if rows else None

    def records(self, run_id: str | None = None) -> Iterator[Record]:
        """Current records in input order, streamed; only those of one run when `run_id` is given."""
        where = "" if run_id is None else " where run_id = :run"
        places = self._rows(f"select id from record_current{where} order by position, row_id", {"run": run_id})  # noqa: S608
        for place in places:
            yield self._record(self._rows("select record from revision where id = ?", [place["id"]])[0]["record"])

    def history(self, row_id: str) -> list[dict[str, object]]:
        """All revisions of a row, oldest first: number, author, why, created_at, status, route."""
        return self._rows("select number, author, why, created_at, status, route from revision where row_id = ? order by number", [row_id])

    def row_ids(self) -> list[str]:
        """All row ids in input order."""
        return [str(row["row_id"]) for row in self._rows("select row_id from record_current order by position, row_id")]

    def issues(self, run_id: str) -> list[dict[str, object]]:
        """Issues of the current revisions of a run, in input order."""
        sql = (
            "select i.row_id, i.step, i.subject, i.cause, i.next_step from issue i join record_current r on r.row_id = i.row_id "
            "and r.run_id = i.run_id and r.created_at = i.created_at where i.run_id = ? order by r.position, i.id"
        )
        return self._rows(sql, [run_id])

    def totals(self, run_id: str) -> dict[str, dict[str, object]]:
        """Sums of the ledger of a run by kind: amount, unit, cost in USD (None when any price is unknown), known part of it, and of
        that the part of calls without an answer, which may have been billed. Rounded where sums would differ by the order of calls."""
        sql = (
            "select kind, unit, sum(amount) amount, case when count(*) = count(cost_usd) then round(sum(cost_usd), 12) end cost_usd, "
            "round(coalesce(sum(cost_usd), 0.0), 12) known_usd, "
            "round(coalesce(sum(case when state <> '' then cost_usd end), 0.0), 12) at_most_usd "
            "from ledger where run_id = ? group by kind, unit order by kind"
        )
        names = ("amount", "unit", "cost_usd", "known_usd", "at_most_usd")
        return {str(row["kind"]): {name: row[name] for name in names} for row in self._rows(sql, [run_id])}

    def execute(self, sql: str, values: Sequence[object] = ()) -> int:
        """Run one statement that writes, in a transaction of its own or in the one that is open; return the number of rows that it
        touched. For this package and the reviews."""
        with _Writing(self._db, self._lock, self.path, one=True):
            return int(self._db.conn.execute(sql, tuple(values)).rowcount)

    def insert(self, sql: str, values: Sequence[object] = ()) -> int:
        """As `execute` for an insert; return the id of the new row."""
        with _Writing(self._db, self._lock, self.path, one=True):
            return int(self._db.conn.execute(sql, tuple(values)).lastrowid or 0)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[dict[str, object]]:
        """Rows of a query; for this package and the reviews."""
        return self._rows(sql, values)

    def tuples(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """As `rows` for long answers: values alone."""
        try:
            with self._lock:
                return self._db.conn.execute(sql, tuple(values)).fetchall()
        except sqlite3.Error as exc:
            raise _store_error(self.path, exc) from exc

    def version(self) -> tuple[int, int]:
        """Two numbers that stay the same as long as nothing in the store changes."""
        with self._lock:
            (other,) = self._db.conn.execute("pragma data_version").fetchone()
            return int(other), self._db.conn.total_changes

    def transaction(self) -> AbstractContextManager[None]:
        """One transaction for several statements: all of them or none; other processes wait meanwhile."""
        return self._writing()

    def _rows(self, sql: str, values: Sequence[object] | dict[str, object] | None = None) -> list[dict[str, object]]:
        try:
            with self._lock:
                return [dict(row) for row in self._db.query(sql, values)]
        except sqlite3.Error as exc:
            raise _store_error(self.path, exc) from exc

    def _record(self, text: object) -> Record:
        try:
            return Record.model_validate_json(str(text))
        except ValidationError as exc:
            advice = "Another version of s2r wrote it, or it was changed by hand; use that version, or another --out folder."
            raise StoreError(
                f"holds a record that cannot be read ({exc.error_count()} faults)", subject=str(self.path), advice=advice
            ) from exc

    def _writing(self, *, synced: bool = True) -> _Writing:
        return _Writing(self._db, self._lock, self.path, synced=synced)


class _Writing(AbstractContextManager[None]):
    """One locked transaction; maps SQLite faults to StoreError. With `one` it is for a single statement, which needs no savepoint inside
    another transaction: it takes effect or does not.

    Without `synced` it outlives the process at once, and a power cut when the next synced one ends: lines of the ledger are many, and
    the row that they are for syncs them with its record.
    """

    def __init__(self, db: Database, lock: threading.RLock, path: Path, *, one: bool = False, synced: bool = True) -> None:
        self._db, self._lock, self._path, self._one, self._synced = db, lock, path, one, synced

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._nested = self._db.conn.in_transaction
            self._atomic = nullcontext() if self._one else self._db.atomic()
            if self._nested:
                self._atomic.__enter__()
            else:
                self._db.conn.execute(f"pragma synchronous = {'full' if self._synced else 'normal'}")
                self._db.conn.execute("begin immediate")  # a transaction that reads first and then writes could not wait for another
        except sqlite3.Error as exc:
            self._lock.release()
            raise _store_error(self._path, exc) from exc

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if self._nested:
                self._atomic.__exit__(kind, error, trace)
            elif kind is None:
                self._db.conn.execute("commit")
            elif self._db.conn.in_transaction:
                self._db.conn.execute("rollback")
        except sqlite3.Error as exc:
            if not self._nested and self._db.conn.in_transaction:
                self._db.conn.execute("rollback")
            raise _store_error(self._path, exc) from exc
        finally:
            self._lock.release()
        if isinstance(error, sqlite3.Error):
            raise _store_error(self._path, error) from error


def _checked(row: Sequence[object]) -> Checked:
    number, row_id, revision, run_id, inputs, why, outcome, mark, note, cutoff, due_at, cadence, checked_at = (str(v or "") for v in row)
    return Checked(
        id=int(number), row_id=row_id, number=int(revision), run_id=run_id, inputs=inputs, why=why, outcome=outcome, mark=mark, note=note,
        cutoff=dt.date.fromisoformat(cutoff), due_at=dt.datetime.fromisoformat(due_at) if due_at else None, cadence=cadence,
        checked_at=dt.datetime.fromisoformat(checked_at),
    )  # fmt: skip


def _line(run_id: str, row_id: str, line: tuple[str, float, str, float | None], now: dt.datetime, state: str) -> tuple[object, ...]:
    return (run_id, row_id, *line, now.isoformat(), state)


def _store_error(path: Path, exc: Exception) -> StoreError:
    text = str(exc)
    low = text.lower()
    if "locked" in low or "busy" in low:
        advice = "Another process works on this folder; wait for it or stop it, then repeat the command."
    elif "readonly" in low or "read-only" in low or isinstance(exc, PermissionError):
        advice = "Choose an --out folder that can be written."
    elif "full" in low or "no space" in low or "disk i/o" in low:
        advice = "Free space on the disk, then repeat the same command; nothing done is lost."
    elif "not a database" in low or "malformed" in low:
        advice = "The file is not a store of s2r or is damaged; move it away or restore a backup."
    elif "no such table" in low or "no such column" in low:
        advice = "The file was not written by this version of s2r."
    else:
        advice = "Check the folder and the disk, then repeat the same command."
    return StoreError(f"the store cannot be used: {text}", subject=str(path), advice=advice)

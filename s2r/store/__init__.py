"""Append-only store of records in SQLite (WAL): a correction is a new revision, current state is a view."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from s2r.errors import StoreError
from s2r.models import Record
from s2r.store.migrations import MIGRATIONS

BUSY_TIMEOUT_S = 30.0


class Store:
    """Records of one run folder. One writer at a time; safe to use from several threads of one process."""

    def __init__(self, path: Path) -> None:
        """Open or create the database at `path`; raise StoreError when it cannot be written or is not ours."""
        self.path = path
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False, isolation_level=None)
            self._db = Database(connection)
            self._db.enable_wal()
            connection.execute("pragma synchronous = full")
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
        rows = list(self._db.query("select started_at from run where run_id = ?", [run_id]))
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
        issues: Sequence[tuple[str, str, str, str]] = (),
        ledger: Sequence[tuple[str, float, str, float | None]] = (),
    ) -> int:
        """Append a revision with its issues (step, subject, cause, next step) and ledger lines (kind, amount, unit, cost in
        USD) in one transaction; return its number. `inputs` is the digest of all that decided the record."""
        stamp = now.isoformat()
        with self._writing():
            number = 1 + int(
                next(iter(self._db.query("select coalesce(max(number), 0) n from revision where row_id = ?", [record.row_id])))["n"]
            )
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
                }
            )
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
        return number

    def done(self, inputs: Iterable[str]) -> set[str]:
        """Which of these input digests already have a current record without an error."""
        wanted = set(inputs)
        rows = self._db.query("select inputs, json_extract(record, '$.error') error from record_current")
        return {str(row["inputs"]) for row in rows if row["inputs"] in wanted and row["error"] is None}

    def current(self, row_id: str) -> Record | None:
        """The newest revision of a row."""
        rows = list(self._db.query("select record from record_current where row_id = ?", [row_id]))
        return Record.model_validate_json(rows[0]["record"]) if rows else None

    def records(self, run_id: str | None = None) -> Iterator[Record]:
        """Current records in input order, streamed; only those of one run when `run_id` is given."""
        where = "" if run_id is None else " where run_id = :run"
        for row in self._db.query(f"select record from record_current{where} order by position, row_id", {"run": run_id}):  # noqa: S608
            yield Record.model_validate_json(row["record"])

    def history(self, row_id: str) -> list[dict[str, object]]:
        """All revisions of a row, oldest first: number, author, why, created_at, status, route."""
        sql = "select number, author, why, created_at, status, route from revision where row_id = ? order by number"
        return [dict(row) for row in self._db.query(sql, [row_id])]

    def row_ids(self) -> list[str]:
        """All row ids in input order."""
        return [str(row["row_id"]) for row in self._db.query("select row_id from record_current order by position, row_id")]

    def issues(self, run_id: str) -> list[dict[str, object]]:
        """Issues of the current revisions of a run, in input order."""
        sql = (
            "select i.row_id, i.step, i.subject, i.cause, i.next_step from issue i join record_current r on r.row_id = i.row_id "
            "and r.run_id = i.run_id and r.created_at = i.created_at where i.run_id = ? order by r.position, i.id"
        )
        return [dict(row) for row in self._db.query(sql, [run_id])]

    def totals(self, run_id: str) -> dict[str, dict[str, object]]:
        """Sums of the ledger of a run by kind: amount, unit, cost in USD (None when any price is unknown)."""
        sql = (
            "select kind, unit, sum(amount) amount, case when count(*) = count(cost_usd) then sum(cost_usd) end cost_usd "
            "from ledger where run_id = ? group by kind, unit order by kind"
        )
        return {
            str(row["kind"]): {"amount": row["amount"], "unit": row["unit"], "cost_usd": row["cost_usd"]}
            for row in self._db.query(sql, [run_id])
        }

    def _writing(self) -> _Writing:
        return _Writing(self._db, self._lock, self.path)


class _Writing:
    """One locked transaction; maps SQLite faults to StoreError."""

    def __init__(self, db: Database, lock: threading.RLock, path: Path) -> None:
        self._db, self._lock, self._path = db, lock, path

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._atomic = self._db.atomic()
            self._atomic.__enter__()
        except sqlite3.Error as exc:
            self._lock.release()
            raise _store_error(self._path, exc) from exc

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._atomic.__exit__(kind, error, trace)
        except sqlite3.Error as exc:
            raise _store_error(self._path, exc) from exc
        finally:
            self._lock.release()
        if isinstance(error, sqlite3.Error):
            raise _store_error(self._path, error) from error


def _store_error(path: Path, exc: Exception) -> StoreError:
    text = str(exc)
    if "locked" in text or "busy" in text:
        advice = "Another process works on this folder; wait for it or stop it, then repeat the command."
    elif "readonly" in text or "read-only" in text or isinstance(exc, PermissionError):
        advice = "Choose an --out folder that can be written."
    elif "full" in text:
        advice = "Free space on the disk, then repeat the same command; nothing done is lost."
    elif "not a database" in text or "malformed" in text:
        advice = "The file is not a store of s2r or is damaged; move it away or restore a backup."
    else:
        advice = "Check the folder and the disk, then repeat the same command."
    return StoreError(f"the store cannot be used: {text}", subject=str(path), advice=advice)

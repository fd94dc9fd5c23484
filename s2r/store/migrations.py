"""Schema changes of the store, in order; each runs once in its own transaction and is recorded."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

MIGRATIONS = Migrations("s2r.store")


@MIGRATIONS()
def m001_records(db: Database) -> None:
    """Runs, record revisions (append-only), issues, and the ledger of work."""
    db.table("run").create(
        {"run_id": str, "started_at": str, "version": str, "policy": str, "manifest": str},
        pk="run_id",
    )
    db.table("revision").create(
        {
            "id": int,
            "run_id": str,
            "row_id": str,
            "position": int,
            "inputs": str,
            "number": int,
            "status": str,
            "route": str,
            "record": str,
            "author": str,
            "why": str,
            "created_at": str,
        },
        pk="id",
        not_null={"run_id", "row_id", "number", "record", "author", "created_at"},
        foreign_keys=[("run_id", "run", "run_id")],
    )
    db.table("revision").create_index(["row_id", "number"], unique=True)
    db.table("revision").create_index(["inputs"])
    db.table("issue").create(
        {"id": int, "run_id": str, "row_id": str, "step": str, "subject": str, "cause": str, "next_step": str, "created_at": str},
        pk="id",
    )
    db.table("issue").create_index(["run_id", "row_id"])
    db.table("ledger").create(
        {"id": int, "run_id": str, "row_id": str, "kind": str, "amount": float, "unit": str, "cost_usd": float, "created_at": str},
        pk="id",
    )
    db.table("ledger").create_index(["run_id", "kind"])
    db.create_view(
        "record_current",
        "select * from revision r where number = (select max(number) from revision s where s.row_id = r.row_id)",
    )


@MIGRATIONS()
def m002_again(db: Database) -> None:
    """Mark revisions that the next run should try again (`again` = 1): failed rows and failed providers."""
    db.execute("alter table revision add column again integer not null default 0")
    db.execute("update revision set again = 1 where json_extract(record, '$.error') is not null")
    db.create_view(
        "record_current",
        "select * from revision r where number = (select max(number) from revision s where s.row_id = r.row_id)",
        replace=True,
    )


@MIGRATIONS()
def m003_state(db: Database) -> None:
    """State of a line of the ledger: open (a call that was about to be sent; nothing was heard of it), lost (no answer came), or ""."""
    db.execute("alter table ledger add column state text not null default ''")


@MIGRATIONS()
def m004_checks(db: Database) -> None:
    """Every time a row was looked at: the revision that stood afterwards, why, what came of it (new, changed, same, failed), and an
    opaque mark of the caller. Nights: runs of the service with their start, end and outcome."""
    db.table("checked").create(
        {
            "id": int,
            "row_id": str,
            "number": int,
            "run_id": str,
            "inputs": str,
            "why": str,
            "outcome": str,
            "mark": str,
            "note": str,
            "cutoff": str,
            "due_at": str,
            "cadence": str,
            "checked_at": str,
        },
        pk="id",
        not_null={"row_id", "number", "checked_at"},
    )
    db.table("checked").create_index(["row_id", "id"])
    db.table("checked").create_index(["checked_at"])
    db.execute(
        "insert into checked (row_id, number, run_id, inputs, why, outcome, mark, note, cutoff, due_at, cadence, checked_at) "
        "select row_id, number, run_id, inputs, why, case when again = 1 then 'failed' when number = 1 then 'new' else 'changed' end, "
        "'', '', json_extract(record, '$.cutoff'), '', '', created_at from revision order by id"
    )
    db.table("night").create(
        {"id": int, "job": str, "started_at": str, "finished_at": str, "state": str, "outcome": str, "notice": str},
        pk="id",
        not_null={"job", "started_at", "state"},
    )
    db.table("withdrawn").create({"row_id": str, "since": str, "why": str}, pk="row_id")

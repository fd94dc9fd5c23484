"""Schema changes of the store, in order; each runs once in its own transaction and is recorded."""

from __future__ import annotations

from pydantic import ValidationError

from s2r.database import Database, Migrations
from s2r.models import Record
from s2r.store.items import keep_item

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


@MIGRATIONS()
def m005_review(db: Database) -> None:
    """The review queue: what it shows of each row (`review_item`, filled for rows that are there), decisions, proposals of later audits for
    rows that a reviewer has decided, families of the labels, how vendors compare, saved views, and a log of every act."""
    for statement in (*_REVIEW.split(";"), *_kinds()):
        if statement.strip():
            db.execute(statement)
    connection = db.conn
    for record, number, position, stamp in connection.execute(
        "select record, number, position, created_at from record_current order by id"
    ):
        try:
            known = Record.model_validate_json(record)
        except ValidationError:  # of another version: it is shown when it is audited again
            continue
        keep_item(connection, known, number, position or 0, stamp)


def _kinds() -> tuple[str, ...]:
    """What rows have in common for all that the queue counts is kept once: a page counts kinds, not rows."""
    columns = ("state", "waiting", "market", "status", "reason", "route_reason", "conflict", "language", "sample")
    names, new = ", ".join(columns), ", ".join(f"new.{name}" for name in columns)
    same = " and ".join(f"{name} = new.{name}" for name in columns)
    body = (
        f"begin insert or ignore into review_kind ({names}) values ({new}); "  # noqa: S608 - names of columns
        f"update review_item set kind = (select id from review_kind where {same}) where row_id = new.row_id; end"
    )
    return (
        f"create table review_kind(id integer primary key, {' not null, '.join(columns)} not null, unique ({names}))",
        f"create trigger review_item_added after insert on review_item {body}",
        f"create trigger review_item_changed after update of {names} on review_item {body}",
    )


@MIGRATIONS()
def m006_outline(db: Database) -> None:
    """What lists and counts of records ask for, in an index of its own: they read no record."""
    db.execute("create index revision_outline on revision(row_id, number, status, route, run_id, created_at)")


@MIGRATIONS()
def m007_review_route(db: Database) -> None:
    """What the home page counts by route and of audit samples, without reading rows."""
    db.execute("create index review_item_route on review_item(route)")
    db.execute("create index review_item_sampled on review_item(status, state, stratum) where sample = 1")


@MIGRATIONS()
def m008_costs(db: Database) -> None:
    """What the home page says of money, without reading lines of the ledger."""
    db.execute("create index ledger_cost on ledger(run_id, kind, cost_usd)")
    db.execute("drop index if exists idx_ledger_run_id_kind")


@MIGRATIONS()
def m009_covered(db: Database) -> None:
    """Whether the coverage rule was met, in an index: a night counts it over all records without reading one."""
    db.execute(
        "alter table revision add column covered integer generated always as (json_extract(record, '$.coverage.sufficient')) virtual"
    )
    db.execute("create index revision_covered on revision(row_id, number, status, route, covered)")


_REVIEW = """
create table review_item(
  row_id text primary key, number integer not null, position integer not null default 0, issuer text not null default '',
  security text not null default '', ticker text not null default '', mic text not null default '', market text not null default '',
  cutoff text not null default '', status text not null, day text not null default '', reason text not null default '',
  confidence real not null default 0, risk real not null default 1, route text not null, route_reason text not null default '',
  package text not null default '', language text not null default '', alike text not null default '', search text not null default '',
  conflict text not null default '', state text not null, waiting integer not null, since text not null,
  sample integer not null default 0, sample_weight real not null default 0, stratum text not null default '',
  second integer not null default 0, impact real not null default 1, priority real not null default 0, weighed text not null default '',
  lease_by text not null default '', lease_token text not null default '', lease_since text not null default '',
  lease_until text not null default '', first_by text not null default '', first_id integer not null default 0,
  judged integer not null default 0, proposal integer not null default 0, decided integer not null default 0,
  kind integer not null default 0);
create index review_item_priority on review_item(waiting, priority desc, row_id);
create index review_item_since on review_item(waiting, since, row_id);
create index review_item_confidence on review_item(waiting, confidence, row_id);
create index review_item_issuer on review_item(waiting, issuer, row_id);
create index review_item_position on review_item(waiting, position, row_id);
create index review_item_kind on review_item(kind, since);
create index review_item_search on review_item(kind, since, search);
create index review_item_alike on review_item(alike, waiting);
create index review_item_held on review_item(lease_by) where lease_by <> '';
create index review_item_weighed on review_item(weighed);
create table review_decision(
  id integer primary key autoincrement, row_id text not null, stage text not null, kind text not null, author text not null,
  at text not null, seen integer not null, judged integer not null default 0, proposal integer not null default 0,
  made integer not null default 0, reason_code text not null default '', note text not null default '',
  status text not null default '', day text not null default '', reason text not null default '',
  disclosure_type text not null default '', evidence text not null default '[]', seconds real, key text not null default '',
  batch text not null default '', part text not null default '', family text not null default '', market text not null default '',
  base_status text not null default '', base_day text not null default '', base_reason text not null default '',
  base_route text not null default '', base_risk real not null default 1, said text not null default '',
  undoes integer not null default 0);
create index review_decision_row on review_decision(row_id, id);
create unique index review_decision_key on review_decision(key) where key <> '';
create index review_decision_undoes on review_decision(undoes) where undoes <> 0;
create index review_decision_part on review_decision(part) where part <> '';
create table review_proposal(
  id integer primary key autoincrement, row_id text not null, at text not null, run_id text not null, inputs text not null,
  why text not null, record text not null);
create index review_proposal_row on review_proposal(row_id, id);
create table review_family(key text primary key, family text not null, part text not null);
create table review_vendor(row_id text not null, vendor text not null, kind text not null);
create index review_vendor_row on review_vendor(row_id);
create table review_view(
  id integer primary key, name text not null, author text not null, query text not null, sort text not null, shared integer not null,
  unique (author, name));
create table review_log(
  id integer primary key autoincrement, at text not null, author text not null, act text not null, row_id text not null default '',
  detail text not null default '{}');
create index review_log_row on review_log(row_id, id)
"""

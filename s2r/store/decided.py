"""Revisions that people make: appended beside those of the audit, with the inputs of the revision they are about."""

from __future__ import annotations

import datetime as dt
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from s2r.errors import StoreError
from s2r.models import Record
from s2r.store import Store
from s2r.store.items import stamp_of, values_of

DECIDED = "decided"  # outcome of a check that is none: a reviewer has spoken


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What people have said of a row so far: its `state`, the record that stands, the audit's record that they spoke of."""

    state: str
    record: Record
    base: Record


def reviewed(store: Store, row_id: str) -> Reviewed | None:
    """What people have said of a row, None when nobody has said anything of the evidence that it rests on."""
    rows = store.rows("select state, judged, proposal, first_id from review_item where row_id = ?", [row_id])
    if not rows or not (rows[0]["first_id"] or rows[0]["proposal"]):
        return None
    record = store.current(row_id)
    base = base_record(store, row_id)
    return Reviewed(str(rows[0]["state"]), record, base) if record and base else None


def base_record(store: Store, row_id: str) -> Record | None:
    """What the audit itself says of a row, whatever was decided: its last proposal, else its last revision."""
    rows = store.rows("select judged, proposal from review_item where row_id = ?", [row_id])
    if rows and rows[0]["proposal"]:
        found = store.rows("select record from review_proposal where id = ?", [rows[0]["proposal"]])
        return Record.model_validate_json(str(found[0]["record"]))
    return store.revision(row_id, int(str(rows[0]["judged"]))) if rows else None


def propose(store: Store, record: Record, *, inputs: str, why: str, now: dt.datetime) -> int:
    """Keep what a later audit says of a row that a reviewer has decided, beside the decision; return its id."""
    return store.insert(
        "insert into review_proposal (row_id, at, run_id, inputs, why, record) values (?,?,?,?,?,?)",
        [record.row_id, stamp_of(now), record.run_id, inputs, why, record.model_dump_json()],
    )


@dataclass(frozen=True, slots=True)
class Revised:
    """A record that a reviewer made, ready to be appended: its text and the columns of the queue (without number and position)."""

    row_id: str
    run_id: str
    text: bytes  # JSON, deflated: an import holds thousands of them
    columns: dict[str, object]


def revised(record: Record) -> Revised:
    """All of a reviewer's record that can be worked out before it is written."""
    columns = values_of(record, 0, 0)
    columns.pop("number"), columns.pop("position")
    return Revised(record.row_id, record.run_id, zlib.compress(record.model_dump_json().encode(), 1), columns)


def append_decided(
    store: Store, made: Revised, standing: Mapping[str, object], *, author: str, why: str, now: dt.datetime, **columns: object
) -> int:
    """Append a revision that a reviewer made and set columns of its row, which is `standing`; return its number. `decided` True stands for
    that number. The same command of the audit does not try the row again for it: it keeps the inputs, the place and the mark of the
    revision before."""
    with store.transaction():
        rows = store.rows("select number, inputs, position from record_current where row_id = ?", [made.row_id])
        if not rows:
            raise StoreError("has no record to decide", subject=made.row_id, advice="Audit it first.")
        number, inputs, position = int(str(rows[0]["number"])) + 1, rows[0]["inputs"], int(str(rows[0]["position"] or 0))
        store.execute(
            "insert into revision (run_id, row_id, position, inputs, number, status, route, record, author, why, created_at, again) "
            "values (?,?,?,?,?,?,?,?,?,?,?,0)",
            [made.run_id, made.row_id, position, inputs, number, made.columns["status"], made.columns["route"],
             zlib.decompress(made.text).decode(), author, why, stamp_of(now)],
        )  # fmt: skip
        store.execute(
            "insert into checked (row_id, number, run_id, inputs, why, outcome, mark, note, cutoff, due_at, cadence, checked_at) "
            "select row_id, ?, run_id, inputs, ?, ?, mark, '', cutoff, '', '', ? from checked "
            "where id = (select max(id) from checked where row_id = ?)",
            [number, why, DECIDED, stamp_of(now), made.row_id],
        )
        decided = number if columns.pop("decided", False) else 0
        change_item(store, standing, made.columns | {"number": number, "weighed": "", "decided": decided} | columns)
    return number


def change_item(store: Store, standing: Mapping[str, object], values: Mapping[str, object]) -> None:
    """Set columns of a row of the queue, which is `standing`: only those that differ, so that most of its indexes are left alone."""
    changed = {name: value for name, value in values.items() if standing[name] != value}
    if changed:
        sql = f"update review_item set {', '.join(f'{name} = ?' for name in changed)} where row_id = ?"  # noqa: S608 - names of columns
        store.execute(sql, [*changed.values(), standing["row_id"]])

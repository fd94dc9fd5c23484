"""What is shown of a row to whom, its history, saved filters, and the log of acts."""

from __future__ import annotations

import datetime as dt
from typing import Any

from s2r.reviews.bench import Workbench, log
from s2r.reviews.decisions import base_record, decisions, item_row
from s2r.reviews.errors import NotFound, ReviewError
from s2r.reviews.leases import named
from s2r.reviews.queue import item
from s2r.reviews.types import Revision, RowView, SavedView, Sort, State
from s2r.vendor.rows import vendor_rows


def row_view(bench: Workbench, row_id: str, by: str, now: dt.datetime, *, adjudicator: bool = False) -> RowView:
    """A row as `by` may see it: to a second reviewer the record as the audit left it and nothing of the first decision. Raises NotFound."""
    shown = item(bench, row_id, now)
    row = item_row(bench, row_id)
    current = bench.store.current(row_id)
    assert current is not None
    blind = shown.state is State.SECOND and named(by) not in row["first_by"] and not adjudicator
    kept = decisions(bench, row_id)
    if blind:
        kept = tuple(one for one in kept if one.id < row["first_id"])
    returned = shown.state is State.RETURNED or (row["proposal"] and shown.state in (State.SECOND, State.DISAGREED, State.UNDECIDED))
    return RowView(
        item=shown,
        record=base_record(bench, row) if returned else current,
        before=current if returned else None,
        revisions=history(bench, row_id),
        decisions=kept,
        blind=blind,
        vendor=vendor_rows(bench.out, row_id),
    )


def history(bench: Workbench, row_id: str) -> tuple[Revision, ...]:
    """All revisions of a row, oldest first."""
    sql = (
        "select number, author, why, created_at, status, route, json_extract(record, '$.announcement_date') day, "
        "json_extract(record, '$.reason') reason from revision where row_id = ? order by number"
    )
    return tuple(
        Revision(
            number=row["number"], author=row["author"], why=row["why"], at=dt.datetime.fromisoformat(row["created_at"]),
            status=row["status"], route=row["route"], announcement_date=row["day"] or "", reason=row["reason"] or "",
        )
        for row in _typed(bench, sql, [row_id])
    )  # fmt: skip


def save_view(bench: Workbench, view: SavedView, now: dt.datetime) -> None:
    """Keep a filter under a name; one's own of the same name is replaced. Raises ReviewError for an empty name."""
    if not view.name.strip() or len(view.name) > 80:
        raise ReviewError("is no name of a view", subject=repr(view.name[:40]), advice="Use 1 to 80 characters.")
    with bench.store.transaction():
        bench.store.execute(
            "insert into review_view (name, author, query, sort, shared) values (?,?,?,?,?) on conflict (author, name) do update set "
            "query = excluded.query, sort = excluded.sort, shared = excluded.shared",
            [view.name.strip(), view.by, view.query, view.sort.value, int(view.shared)],
        )
        log(bench, now, view.by, "save view", name=view.name, query=view.query)


def saved_views(bench: Workbench, by: str) -> tuple[SavedView, ...]:
    """The views of a person and those that others share, by name."""
    rows = _typed(bench, "select * from review_view where author = ? or shared = 1 order by name, author", [by])
    return tuple(
        SavedView(name=row["name"], by=row["author"], query=row["query"], sort=Sort(row["sort"]), shared=bool(row["shared"]))
        for row in rows
    )


def drop_view(bench: Workbench, name: str, by: str, now: dt.datetime) -> None:
    """Forget one's own view; raises NotFound."""
    with bench.store.transaction():
        if not bench.store.execute("delete from review_view where name = ? and author = ?", [name, by]):
            raise NotFound("is no view of yours", subject=name, advice="See the list of views.")
        log(bench, now, by, "drop view", name=name)


def acts(bench: Workbench, *, row_id: str = "", before: int = 0, size: int = 100) -> list[dict[str, object]]:
    """The log of acts, newest first: id, at, author, act, row_id, detail (JSON); `before` is the id where the last page ended."""
    sql = "select * from review_log where (? = '' or row_id = ?) and (? = 0 or id < ?) order by id desc limit ?"
    return bench.store.rows(sql, [row_id, row_id, before, before, size])


def _typed(bench: Workbench, sql: str, values: list[object]) -> list[dict[str, Any]]:
    return bench.store.rows(sql, values)

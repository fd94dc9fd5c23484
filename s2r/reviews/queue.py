"""The queue: filtered, sorted, paged by key, with exact counts of every facet."""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

from s2r.lang.text import fold_text
from s2r.reviews.bench import Workbench, weigh
from s2r.reviews.counts import FACETS, FEW, FIELDS, Counts, count, facet, span
from s2r.reviews.errors import NotFound, ReviewError
from s2r.reviews.types import NOBODY, QueueFilter, QueueItem, QueuePage, Sort, State
from s2r.store.items import WAITING, stamp_of

# column, direction and whether it is a number, of each order; the row id follows in ascending order
_ORDERS = {
    Sort.PRIORITY: ("priority", "desc"),
    Sort.AGE: ("since", "asc"),
    Sort.CONFIDENCE: ("confidence", "asc"),
    Sort.ISSUER: ("issuer", "asc"),
    Sort.ROW: ("position", "asc"),
}
_SHOWN = (
    "row_id, number, position, issuer, security, ticker, mic, market, cutoff, status, day, reason, confidence, risk, impact, priority, "
    "route, route_reason, conflict, language, package, state, since, lease_by, lease_until, second, sample, alike"
)


def queue_page(
    bench: Workbench, wanted: QueueFilter, now: dt.datetime, *, sort: Sort | None = None, cursor: str = "", size: int | None = None,
    facets: bool = True,
) -> QueuePage:  # fmt: skip
    """One page of the queue (`size` rows, the policy's by default). `cursor` is the `next_cursor` of the page before; one that is not
    ours raises ReviewError."""
    weigh(bench)
    order = sort or Sort(bench.review.queue.sort)
    most = size or bench.review.queue.page_size
    counts = count(bench.store, wanted, words_of(wanted), now)
    items = _page(bench, wanted, now, order, cursor, most + 1, counts)
    return QueuePage(
        items=tuple(items[:most]),
        total=counts.total,
        waiting=counts.waiting,
        next_cursor=_cursor(items[most - 1], order) if len(items) > most else "",
        facets={name: facet(counts.facets[name], getattr(wanted, name)) for name in FACETS} if facets else {},
        filter=wanted,
        sort=order,
    )


def all_items(
    bench: Workbench, wanted: QueueFilter, now: dt.datetime, *, sort: Sort | None = None, size: int = 1000
) -> Iterator[QueueItem]:
    """Every row that passes the filter, in order, read page by page; memory does not grow with the queue."""
    weigh(bench)
    order = sort or Sort(bench.review.queue.sort)
    cursor = ""
    counts = count(bench.store, wanted, words_of(wanted), now)
    while True:
        items = _page(bench, wanted, now, order, cursor, size, counts)
        yield from items
        if len(items) < size:
            return
        cursor = _cursor(items[-1], order)


def item(bench: Workbench, row_id: str, now: dt.datetime) -> QueueItem:
    """One row of the queue; raises NotFound."""
    weigh(bench)
    rows = bench.store.rows(f"select {_SHOWN} from review_item where row_id = ?", [row_id])
    if not rows:
        raise NotFound("is no row of this run", subject=row_id, advice="Look it up in the queue; the filter state shows decided rows too.")
    return as_item(rows[0], now)


def order_by(order: Sort) -> str:
    """SQL of an order of the queue."""
    column, direction = _ORDERS[order]
    return f"{column} {direction}, row_id"


def _page(bench: Workbench, wanted: QueueFilter, now: dt.datetime, order: Sort, cursor: str, most: int, counts: Counts) -> list[QueueItem]:
    """Rows in order. Where many rows pass, the index of the order finds them soon; where few do, they are found first and then sorted.
    Rows that wait and rows that do not have an index each."""
    column, direction = _ORDERS[order]
    where, values = conditions(wanted, now)
    if not counts.total:
        return []
    if counts.rows is not None:
        where = f"rowid in ({', '.join(map(str, counts.rows))}) and {where}"
    elif counts.total <= FEW and counts.kinds:
        where = f"rowid in (select rowid from review_item where kind in ({', '.join(map(str, counts.kinds))})) and {where}"
    if cursor:
        value, row_id = _opened(cursor, order)
        sign = "<" if direction == "desc" else ">"
        where += f" and {column} {sign}= ? and ({column} {sign} ? or row_id > ?)"
        values += [value, value, row_id]
    found: list[QueueItem] = []
    for waiting in _halves(wanted):
        sql = f"select {_SHOWN} from review_item where waiting = {waiting} and {where} order by {order_by(order)} limit ?"
        found += [as_item(row, now) for row in bench.store.rows(sql, [*values, most])]
    if len(_halves(wanted)) > 1:
        found.sort(key=lambda row: row.row_id)
        found.sort(key=lambda row: _place(row, order), reverse=direction == "desc")
    return found[:most]


def _halves(wanted: QueueFilter) -> tuple[int, ...]:
    """Whether rows that wait, that do not, or both may pass."""
    states = {int(state in WAITING) for state in wanted.state} or {1}
    return tuple(sorted(states, reverse=True))


def words_of(wanted: QueueFilter) -> tuple[str, ...]:
    """The text of a filter as it is looked for."""
    return tuple(fold_text(wanted.text).split())


def conditions(wanted: QueueFilter, now: dt.datetime) -> tuple[str, list[object]]:
    """SQL and values of a filter."""
    tests: list[str] = []
    values: list[object] = []
    if not wanted.state:
        tests.append("waiting = 1")
    for name in FIELDS:
        chosen = getattr(wanted, name)
        if chosen:
            tests.append(f"{name} in ({', '.join('?' * len(chosen))})")
            values += [str(value) for value in chosen]
    if wanted.age:
        tests.append("(" + " or ".join(["(since >= ? and since < ?)"] * len(wanted.age)) + ")")
        for age in wanted.age:
            values += list(span(age, now))
    if wanted.assignee:
        held = [name for name in wanted.assignee if name != NOBODY]
        parts = [f"(lease_by in ({', '.join('?' * len(held))}) and lease_until > ?)"] if held else []
        values += [*held, stamp_of(now)] if held else []
        if NOBODY in wanted.assignee:
            parts.append("(lease_by = '' or lease_until <= ?)")
            values.append(stamp_of(now))
        tests.append(f"({' or '.join(parts)})")
    for word in words_of(wanted):
        tests.append("instr(search, ?) > 0")
        values.append(word)
    if wanted.group:
        tests.append("alike = ?")
        values.append(wanted.group)
    if wanted.sample is not None:
        tests.append("sample = ?")
        values.append(int(wanted.sample))
    return " and ".join(tests) or "1 = 1", values


def _place(row: QueueItem, order: Sort) -> Any:
    """What a row is sorted by."""
    return getattr(row, _ORDERS[order][0])


def _cursor(last: QueueItem, order: Sort) -> str:
    value = _place(last, order)
    return base64.urlsafe_b64encode(json.dumps([order.value, value, last.row_id]).encode()).decode()


def _opened(cursor: str, order: Sort) -> tuple[Any, str]:
    try:
        name, value, row_id = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    except ValueError:
        name, value, row_id = "", "", ""
    if name != order.value or not isinstance(row_id, str) or not isinstance(value, str | int | float):
        raise ReviewError("is no place in this order of the queue", subject="cursor", advice="Start at the first page.")
    return value, row_id


def as_item(row: dict[str, Any], now: dt.datetime) -> QueueItem:
    """A row of `review_item`; a lease that has ended is none."""
    held = row["lease_until"] > stamp_of(now)
    return QueueItem(
        row_id=row["row_id"], number=row["number"], position=row["position"], issuer=row["issuer"], security=row["security"],
        ticker=row["ticker"], mic=row["mic"], market=row["market"], cutoff=row["cutoff"], status=row["status"],
        announcement_date=row["day"], reason=row["reason"], confidence=row["confidence"], risk=row["risk"], impact=row["impact"],
        priority=row["priority"], route=row["route"], route_reason=row["route_reason"], conflict=row["conflict"],
        language=row["language"], package=row["package"], state=State(row["state"]), since=row["since"],
        assignee=row["lease_by"] if held else "", lease_until=row["lease_until"] if held else "", second=bool(row["second"]),
        sample=bool(row["sample"]), group=row["alike"],
    )  # fmt: skip

"""The queue: filtered, sorted, paged by key, with exact counts of every facet."""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from s2r.lang.text import fold_text
from s2r.reviews.bench import Workbench, weigh
from s2r.reviews.errors import NotFound, ReviewError
from s2r.reviews.types import NOBODY, Age, FacetValue, QueueFilter, QueueItem, QueuePage, Sort, State
from s2r.store.items import stamp_of

FIELDS = ("state", "market", "status", "reason", "route_reason", "conflict", "language")  # facets that are columns
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
_DAYS = {Age.DAY: (0, 1), Age.WEEK: (2, 7), Age.MONTH: (8, 30), Age.OLD: (31, None)}


def queue_page(
    bench: Workbench, wanted: QueueFilter, now: dt.datetime, *, sort: Sort | None = None, cursor: str = "", size: int | None = None,
    facets: bool = True,
) -> QueuePage:  # fmt: skip
    """One page of the queue (`size` rows, the policy's by default). `cursor` is the `next_cursor` of the page before; one that is not
    ours raises ReviewError."""
    weigh(bench)
    order = sort or Sort(bench.review.queue.sort)
    most = size or bench.review.queue.page_size
    items = _page(bench, wanted, now, order, cursor, most + 1)
    counted = _counted(bench, wanted, now) if facets else {}
    total = _total(bench, wanted, now)
    more = len(items) > most
    return QueuePage(
        items=tuple(items[:most]),
        total=total,
        waiting=int(str(bench.store.rows("select count(*) n from review_item where waiting = 1")[0]["n"])),
        next_cursor=_cursor(items[most - 1], order) if more else "",
        facets=counted,
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
    while True:
        items = _page(bench, wanted, now, order, cursor, size)
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


def _page(bench: Workbench, wanted: QueueFilter, now: dt.datetime, order: Sort, cursor: str, most: int) -> list[QueueItem]:
    column, direction = _ORDERS[order]
    where, values = conditions(wanted, now)
    if cursor:
        value, row_id = _opened(cursor, order)
        sign = "<" if direction == "desc" else ">"
        where += f" and ({column} {sign} ? or ({column} = ? and row_id > ?))"
        values += [value, value, row_id]
    sql = f"select {_SHOWN} from review_item where {where} order by {order_by(order)} limit ?"
    return [as_item(row, now) for row in bench.store.rows(sql, [*values, most])]


def conditions(wanted: QueueFilter, now: dt.datetime, *, without: str = "") -> tuple[str, list[object]]:
    """SQL and values of a filter, leaving out one field for the counts of its own facet."""
    tests: list[str] = []
    values: list[object] = []
    if not wanted.state and without != "state":
        tests.append("waiting = 1")
    for name in FIELDS:
        chosen = getattr(wanted, name)
        if chosen and name != without:
            tests.append(f"{name} in ({', '.join('?' * len(chosen))})")
            values += [str(value) for value in chosen]
    if wanted.age and without != "age":
        tests.append("(" + " or ".join(["(since >= ? and since < ?)"] * len(wanted.age)) + ")")
        for age in wanted.age:
            values += list(_span(age, now))
    if wanted.assignee and without != "assignee":
        held = [name for name in wanted.assignee if name != NOBODY]
        parts = [f"(lease_by in ({', '.join('?' * len(held))}) and lease_until > ?)"] if held else []
        values += [*held, stamp_of(now)] if held else []
        if NOBODY in wanted.assignee:
            parts.append("(lease_by = '' or lease_until <= ?)")
            values.append(stamp_of(now))
        tests.append(f"({' or '.join(parts)})")
    for word in fold_text(wanted.text).split():
        tests.append("instr(search, ?) > 0")
        values.append(word)
    if wanted.group:
        tests.append("alike = ?")
        values.append(wanted.group)
    if wanted.sample is not None:
        tests.append("sample = ?")
        values.append(int(wanted.sample))
    return " and ".join(tests) or "1 = 1", values


def _span(age: Age, now: dt.datetime) -> tuple[str, str]:
    """First and last moment (texts, the last one not included) since which a row of this age waits."""
    low, high = _DAYS[age]
    today = now.astimezone(dt.UTC).date()
    first = "" if high is None else (today - dt.timedelta(days=high)).isoformat()
    last = "~" if low == 0 else (today - dt.timedelta(days=low - 1)).isoformat()
    return first, last


def _total(bench: Workbench, wanted: QueueFilter, now: dt.datetime) -> int:
    where, values = conditions(wanted, now)
    return int(str(bench.store.rows(f"select count(*) n from review_item where {where}", values)[0]["n"]))


def _counted(bench: Workbench, wanted: QueueFilter, now: dt.datetime) -> dict[str, tuple[FacetValue, ...]]:
    """Counts of every value of every facet, each with all other fields of the filter in place."""
    found: dict[str, Counter[str]] = {}
    for name in (*FIELDS, "age", "assignee"):
        where, values = conditions(wanted, now, without=name)
        key = name
        if name == "age":
            key, values = "case " + "when since >= ? then ? " * 3 + "else ? end", [*_steps(now), *values]
        elif name == "assignee":
            key, values = f"case when lease_until > ? then lease_by else '{NOBODY}' end", [stamp_of(now), *values]
        sql = f"select {key} k, count(*) n from review_item where {where} group by 1"
        found[name] = Counter({str(row["k"]): int(str(row["n"])) for row in bench.store.rows(sql, values)})
    return {name: _facet(counts, getattr(wanted, name)) for name, counts in found.items()}


def _steps(now: dt.datetime) -> list[object]:
    steps: list[object] = []
    for age in (Age.DAY, Age.WEEK, Age.MONTH):
        steps += [_span(age, now)[0], age.value]
    return [*steps, Age.OLD.value]


def _facet(counts: Counter[str], chosen: tuple[str, ...]) -> tuple[FacetValue, ...]:
    """Values by count, then by name; a chosen one without rows is shown, too, so that it can be taken back."""
    names = [*counts, *(value for value in chosen if value not in counts)]
    ordered = sorted(names, key=lambda name: (-counts[name], name))
    return tuple(FacetValue(value=name, count=counts[name], chosen=name in chosen) for name in ordered)


def _cursor(last: QueueItem, order: Sort) -> str:
    value = getattr(last, _ORDERS[order][0])
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

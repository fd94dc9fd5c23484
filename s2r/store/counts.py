"""Numbers of a store for those who watch it: records by answer, nights by state, cost and calls that were never settled."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from s2r.store import Store


@dataclass(frozen=True, slots=True)
class LedgerState:
    """The run ledger over all runs: known cost in USD, lines whose price is unknown, and lines by state (open, lost)."""

    usd: float
    unpriced: int
    open: int
    lost: int


def count_by_answer(store: Store) -> dict[tuple[str, str], int]:
    """Current records by status and route."""
    rows = store.rows("select status, route, count(*) n from record_current group by status, route order by status, route")
    return {(str(row["status"]), str(row["route"])): int(str(row["n"])) for row in rows}


def ledger_state(store: Store) -> LedgerState:
    """What the ledger says of money."""
    sql = (
        "select coalesce(sum(cost_usd), 0.0) usd, count(*) - count(cost_usd) unpriced, coalesce(sum(state = 'open'), 0) open, "
        "coalesce(sum(state = 'lost'), 0) lost from ledger"
    )
    row = store.rows(sql)[0]
    return LedgerState(float(str(row["usd"])), int(str(row["unpriced"])), int(str(row["open"])), int(str(row["lost"])))


def count_queue(store: Store) -> dict[str, int]:
    """Rows that wait for a reviewer, by state."""
    sql = "select k.state, count(*) n from review_item i join review_kind k on k.id = i.kind where k.waiting = 1 group by k.state"
    rows = store.rows(sql)
    return {str(row["state"]): int(str(row["n"])) for row in rows}


def count_nights(store: Store) -> dict[str, int]:
    """Nights by state: running, done, failed."""
    return {str(row["state"]): int(str(row["n"])) for row in store.rows("select state, count(*) n from night group by state")}


def last_night_end(store: Store) -> dt.datetime | None:
    """When the newest night that is done ended (UTC)."""
    rows = store.rows("select finished_at from night where state = 'done' order by id desc limit 1")
    return dt.datetime.fromisoformat(str(rows[0]["finished_at"])) if rows else None

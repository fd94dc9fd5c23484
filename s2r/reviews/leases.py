"""Leases: who works on a row, until when. Each claim is one statement or one immediate transaction, so that a row has one holder."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import Any

from s2r.reviews.bench import Workbench, log, weigh
from s2r.reviews.errors import LeaseLost, LeaseTaken, NotAllowed, NotFound, ReviewError
from s2r.reviews.queue import conditions, order_by
from s2r.reviews.types import Lease, QueueFilter, Sort, State
from s2r.store.items import stamp_of

FOR_ADJUDICATORS = (State.DISAGREED, State.UNDECIDED)
_FREE = "(lease_by = '' or lease_until <= ? or lease_by = ?)"
# nobody reviews what they have said themselves, and what is in dispute is for adjudicators
_PERMITTED = "instr(first_by, ?) = 0 and (? or state not in ('disagreed', 'undecided'))"
MOST_MINUTES = 24 * 60.0
NO_LEASE: dict[str, object] = {"lease_by": "", "lease_token": "", "lease_since": "", "lease_until": ""}


def claim(bench: Workbench, row_id: str, by: str, now: dt.datetime, minutes: float | None = None, *, adjudicator: bool = False) -> Lease:
    """Hold a waiting row; who holds it already gets the same lease, extended. Raises LeaseTaken, NotAllowed (decided, or an own decision
    is under review, or too many are held), NotFound."""
    weigh(bench)
    with bench.store.transaction():
        _check_most(bench, by, now, but=row_id)
        if lease := _take(bench, row_id, by, now, minutes, adjudicator=adjudicator):
            log(bench, now, by, "claim", row_id, until=lease.until)
            return lease
        raise _refusal(bench, row_id, by, now)


def claim_next(
    bench: Workbench, by: str, now: dt.datetime, *, wanted: QueueFilter | None = None, sort: Sort | None = None,
    minutes: float | None = None, adjudicator: bool = False,
) -> Lease | None:  # fmt: skip
    """Hold the first row of the filter that is free and may be decided by this person; None when there is none."""
    weigh(bench)
    where, values = conditions(wanted or QueueFilter(), now)
    order = order_by(sort or Sort(bench.review.queue.sort))
    sql = (
        f"select row_id from review_item where {where} and waiting = 1 and (lease_by = '' or lease_until <= ?) and {_PERMITTED} "
        f"order by {order} limit 1"
    )
    with bench.store.transaction():
        _check_most(bench, by, now)
        rows = bench.store.rows(sql, [*values, stamp_of(now), named(by), adjudicator])
        lease = _take(bench, str(rows[0]["row_id"]), by, now, minutes, adjudicator=adjudicator) if rows else None
        if lease:
            log(bench, now, by, "claim", lease.row_id, until=lease.until)
        return lease


def renew(bench: Workbench, row_id: str, token: str, now: dt.datetime, minutes: float | None = None) -> Lease:
    """Hold a row for longer; raises LeaseLost when another has it by now, or it was decided."""
    until = _until(bench, now, minutes)
    changed = bench.store.execute(
        "update review_item set lease_until = ? where row_id = ? and lease_token = ? and lease_by <> ''", [stamp_of(until), row_id, token]
    )
    if not changed:
        raise LeaseLost("your lease has ended", subject=row_id, advice="Claim the row again.")
    return _lease(bench, row_id)


def release(bench: Workbench, row_id: str, token: str, now: dt.datetime) -> bool:
    """Give a row back; False when the lease was gone already."""
    with bench.store.transaction():
        rows = bench.store.rows("select lease_by from review_item where row_id = ? and lease_token = ? and lease_by <> ''", [row_id, token])
        if not rows:
            return False
        drop_lease(bench, row_id)
        log(bench, now, str(rows[0]["lease_by"]), "release", row_id)
        return True


def leases(bench: Workbench, now: dt.datetime, by: str = "") -> tuple[Lease, ...]:
    """Leases that run, soonest to end first; those of one person when `by` is given."""
    sql = (
        "select row_id, lease_by, lease_token, lease_since, lease_until from review_item where lease_by <> '' and lease_until > ? "
        "and (? = '' or lease_by = ?) order by lease_until, row_id"
    )
    return tuple(_as_lease(row) for row in bench.store.rows(sql, [stamp_of(now), by, by]))


def drop_lease(bench: Workbench, row_id: str) -> None:
    """End the lease of a row, whoever holds it."""
    bench.store.execute(
        "update review_item set lease_by = '', lease_token = '', lease_since = '', lease_until = '' where row_id = ?", [row_id]
    )


def named(by: str) -> str:
    """A person as `first_by` lists them; raises ReviewError for what is no name."""
    if not by.strip() or not by.isprintable() or len(by) > 100:
        raise ReviewError("is no name of a reviewer", subject=repr(by[:40]), advice="Use 1 to 100 printable characters.")
    return f"\n{by}\n"


def _take(bench: Workbench, row_id: str, by: str, now: dt.datetime, minutes: float | None, *, adjudicator: bool) -> Lease | None:
    stamp, until = stamp_of(now), stamp_of(_until(bench, now, minutes))
    changed = bench.store.execute(
        "update review_item set lease_token = case when lease_by = ? and lease_until > ? then lease_token else ? end, "
        "lease_since = case when lease_by = ? and lease_until > ? then lease_since else ? end, lease_by = ?, lease_until = ? "
        f"where row_id = ? and waiting = 1 and {_FREE} and {_PERMITTED}",
        [by, stamp, secrets.token_urlsafe(12), by, stamp, stamp, by, until, row_id, stamp, by, named(by), adjudicator],
    )
    return _lease(bench, row_id) if changed else None


def _until(bench: Workbench, now: dt.datetime, minutes: float | None) -> dt.datetime:
    given = bench.review.leases.minutes if minutes is None else minutes
    if not 0 < given <= MOST_MINUTES:
        raise ReviewError(f"{given:g} minutes is no time for a lease", advice=f"Give more than 0 and at most {MOST_MINUTES:g} minutes.")
    return now + dt.timedelta(minutes=given)


def _check_most(bench: Workbench, by: str, now: dt.datetime, but: str = "") -> None:
    held = [lease.row_id for lease in leases(bench, now, by) if lease.row_id != but]
    if len(held) >= bench.review.leases.most:
        advice = "Decide or release one of them first: " + ", ".join(held[:5]) + "."
        raise NotAllowed(f"{by} holds {len(held)} rows, which is the most", subject=but, advice=advice)


def _refusal(bench: Workbench, row_id: str, by: str, now: dt.datetime) -> ReviewError:
    rows = bench.store.rows("select state, waiting, lease_by, lease_until, first_by from review_item where row_id = ?", [row_id])
    if not rows:
        return NotFound("is no row of this run", subject=row_id, advice="Look it up in the queue.")
    row = rows[0]
    if not row["waiting"]:
        return NotAllowed(f"does not wait: it is {row['state']}", subject=row_id, advice="Undo the decision to decide it again.")
    if str(row["lease_by"]) not in ("", by) and str(row["lease_until"]) > stamp_of(now):
        return LeaseTaken(row_id, str(row["lease_by"]), dt.datetime.fromisoformat(str(row["lease_until"])))
    if named(by) in str(row["first_by"]):
        return NotAllowed("you have decided it already; another person is to review it", subject=row_id, advice="Take another row.")
    return NotAllowed(f"is {row['state']} and waits for an adjudicator", subject=row_id, advice="Take another row.")


def _lease(bench: Workbench, row_id: str) -> Lease:
    sql = "select row_id, lease_by, lease_token, lease_since, lease_until from review_item where row_id = ?"
    return _as_lease(bench.store.rows(sql, [row_id])[0])


def _as_lease(row: dict[str, Any]) -> Lease:
    return Lease(
        row_id=row["row_id"], by=row["lease_by"], token=row["lease_token"], since=dt.datetime.fromisoformat(row["lease_since"]),
        until=dt.datetime.fromisoformat(row["lease_until"]),
    )  # fmt: skip

"""Several rows at once: only such as say the same of the same market for the same reasons, below the risk that the policy sets."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from typing import Any

from s2r.reviews.bench import Workbench, log, weigh
from s2r.reviews.decisions import BULK, decide
from s2r.reviews.errors import BadDecision, NotAllowed
from s2r.reviews.queue import conditions, order_by
from s2r.reviews.types import BulkOutcome, Decision, Group, Kind, QueueFilter, Sort
from s2r.store.items import stamp_of

KINDS = (Kind.CONFIRM, Kind.REJECT)


def groups(bench: Workbench, wanted: QueueFilter, now: dt.datetime, *, least: int = 2, most: int = -1) -> tuple[Group, ...]:
    """Groups of at least `least` rows of the queue that may be decided at once, largest first, the first `most` of them (-1: all); () where
    the policy allows none. It reads every row that passes the filter."""
    weigh(bench)
    if not bench.review.bulk.allowed:
        return ()
    where, values = conditions(wanted, now)
    test, more = _eligible(bench, now)
    sql = (
        "select alike, count(*) n, max(risk) risk, min(status) status, min(reason) reason, min(market) market, min(package) package, "
        f"min(route_reason) route_reason from review_item where {where} and {test} group by alike "
        "having n >= ? order by n desc, alike limit ?"
    )
    found = bench.store.rows(sql, [*values, *more, least, most])
    return tuple(_group(bench, row, where, values, test, more) for row in found)


def bulk(
    bench: Workbench, group: str, rows: Sequence[tuple[str, int]], kind: Kind, by: str, now: dt.datetime, *, reason_code: str,
    note: str = "",
) -> BulkOutcome:  # fmt: skip
    """Decide rows (row id, revision that was seen) of one group: all of them or none. Each is a decision of its own, and the act is
    logged. Raises NotAllowed naming the rows that are not, or not any more, of the group; BadDecision for a kind that takes a look at
    each row; StaleEdit."""
    weigh(bench)
    policy = bench.review.bulk
    if not policy.allowed or kind not in KINDS:
        problem = "bulk decisions are switched off" if not policy.allowed else f"{kind.value} takes a look at each row"
        raise BadDecision(problem, field="kind", subject=group, advice="Decide the rows one by one.")
    if not 0 < len(rows) <= policy.most:
        raise BadDecision(f"{len(rows)} rows at once", field="rows", subject=group, advice=f"Give 1 to {policy.most} rows.")
    batch = f"b{secrets.token_hex(6)}"
    test, values = _eligible(bench, now, by)
    with bench.store.transaction():
        fitting = {
            str(row["row_id"]) for row in bench.store.rows(f"select row_id from review_item where alike = ? and {test}", [group, *values])
        }
        strange = [row_id for row_id, _ in rows if row_id not in fitting]
        if strange:
            told = ", ".join(strange[:5]) + (f" and {len(strange) - 5} more" if len(strange) > 5 else "")
            raise NotAllowed(f"not of this group, or no bulk decision is allowed: {told}", subject=group, advice="Load the group again.")
        outcomes = tuple(
            decide(
                bench,
                Decision(row_id=row_id, kind=kind, by=by, seen=seen, reason_code=reason_code, note=note),
                now,
                stage=BULK,
                batch=batch,
            )
            for row_id, seen in rows
        )
        log(bench, now, by, "bulk", batch=batch, group=group, kind=kind.value, reason_code=reason_code, rows=[row_id for row_id, _ in rows])
    return BulkOutcome(batch=batch, outcomes=outcomes)


def _eligible(bench: Workbench, now: dt.datetime, by: str = "") -> tuple[str, list[object]]:
    """SQL and values of what may be decided in bulk: open, no second review, no audit sample, held by nobody else, of low risk."""
    policy = bench.review.bulk
    status, package = (", ".join("?" * len(values)) for values in (policy.status, policy.package))
    test = (
        "state = 'open' and second = 0 and sample = 0 and risk <= ? and (lease_by = '' or lease_by = ? or lease_until <= ?) "
        f"and status in ({status}) and package in ({package})"
    )
    return test, [policy.max_risk, by, stamp_of(now), *policy.status, *policy.package]


def _group(bench: Workbench, row: dict[str, Any], where: str, values: list[object], test: str, more: list[object]) -> Group:
    order = f"+{order_by(Sort.PRIORITY)}"  # by the index of the group: that of the order would lead through the whole queue
    sql = f"select row_id, number from review_item where {where} and {test} and alike = ? order by {order} limit ?"
    found = bench.store.rows(sql, [*values, *more, row["alike"], bench.review.bulk.most])
    return Group(
        group=row["alike"], count=row["n"], status=row["status"], reason=row["reason"], market=row["market"], package=row["package"],
        route_reason=row["route_reason"], highest_risk=row["risk"], rows=tuple((str(r["row_id"]), int(str(r["number"]))) for r in found),
    )  # fmt: skip

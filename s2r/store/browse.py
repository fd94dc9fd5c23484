"""Current records and runs page by page, for programs; pages follow the row id, so that none is lost or told twice while records change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2r.store import Store

_LINE = (
    "row_id, number, status, route, author, created_at, run_id, "
    "json_extract(record, '$.listing.issuer') issuer, json_extract(record, '$.listing.security') security, "
    "json_extract(record, '$.listing.mic') mic, json_extract(record, '$.cutoff') cutoff, json_extract(record, '$.reason') reason, "
    "json_extract(record, '$.announcement_date') announcement_date, json_extract(record, '$.package') package, "
    "json_extract(record, '$.confidence') confidence, json_extract(record, '$.error') error"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which current records: of a status, a route, a run, written since a moment (ISO 8601, UTC); "" lets all pass."""

    status: str = ""
    route: str = ""
    run_id: str = ""
    since: str = ""


def record_lines(store: Store, wanted: Wanted, *, after: str = "", size: int = 100) -> list[dict[str, object]]:
    """At most `size` current records that follow the row `after`, in order of their row ids, in outline."""
    where, values = _where(wanted)
    sql = f"select {_LINE} from record_current where row_id > ?{where} order by row_id limit ?"  # noqa: S608
    return store.rows(sql, [after, *values, size])


def count_records(store: Store, wanted: Wanted) -> int:
    """How many current records there are of this kind."""
    where, values = _where(wanted)
    if not values:
        return int(str(store.rows("select count(distinct row_id) n from revision")[0]["n"]))
    return int(str(store.rows(f"select count(*) n from record_current where 1 = 1{where}", values)[0]["n"]))  # noqa: S608


def run_lines(store: Store) -> list[dict[str, object]]:
    """Every run, newest first, with how many current records are its own."""
    sql = (
        "select run_id, started_at, version, policy, coalesce(records, 0) records from run "
        "left join (select run_id, count(*) records from record_current group by run_id) using (run_id) order by started_at desc, run_id"
    )
    return store.rows(sql)


def run_manifest(store: Store, run_id: str) -> str | None:
    """The manifest of a run as it was noted at its start, as JSON text."""
    rows = store.rows("select manifest from run where run_id = ?", [run_id])
    return str(rows[0]["manifest"]) if rows else None


def _where(wanted: Wanted) -> tuple[str, Sequence[object]]:
    tests = [(f" and {name} = ?", value) for name in ("status", "route", "run_id") if (value := getattr(wanted, name))]
    tests += [(" and created_at >= ?", wanted.since)] if wanted.since else []
    return "".join(test for test, _ in tests), [value for _, value in tests]

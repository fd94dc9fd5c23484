"""The workbench of one run folder: its store, the policies, and what is worked out again when they change."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from s2r.errors import ConfigError, StoreError
from s2r.policy import Policy
from s2r.policy.review import Impact, ReviewPolicy, Second
from s2r.store import Store
from s2r.store.items import stamp_of

CACHE_MB = 64  # the indexes of a hundred thousand rows


@dataclass(frozen=True)
class Workbench:
    """What all review functions are given first. `out` is the run folder with the archive; `policy` the event's, `review` how reviewers
    work. Safe to share between threads; processes open one each."""

    store: Store
    policy: Policy
    review: ReviewPolicy
    out: Path

    @cached_property
    def digest(self) -> str:
        """Digest of what sets order and second reviews."""
        shown = self.review.model_dump_json(include={"queue", "second"})
        return hashlib.sha256(shown.encode()).hexdigest()[:16]


def open_workbench(out: Path, policy: Policy, review: ReviewPolicy) -> Workbench:
    """The workbench of a run folder; raises ConfigError when there is none in it."""
    if not (out / "s2r.db").is_file():
        raise ConfigError("is no run folder (no s2r.db in it)", subject=str(out), advice="Give the --out folder of an audit.")
    return Workbench(Store(out / "s2r.db", cache_mb=CACHE_MB), policy, review, out)


def weigh(bench: Workbench) -> int:
    """Work out priority and second reviews of rows that are new or changed, or of all when the policy has changed; return how many. A
    store that is open for reading only is opened for writing meanwhile; where that cannot be, the old order stays."""
    if not bench.store.rows("select 1 from review_item where weighed < ? or weighed > ? limit 1", [bench.digest, bench.digest]):
        return 0
    if bench.store.read_only:
        with suppress(StoreError), Store(bench.store.path) as store:
            return weigh(replace(bench, store=store))
        return 0
    impact, values = _impact(bench.review.queue.impact)
    second, more = _second(bench.review.second)
    sql = (
        f"update review_item set impact = {impact}, second = {second}, weighed = ?, "
        f"priority = round(risk * ({impact}), 9) where weighed < ? or weighed > ?"
    )
    return bench.store.execute(sql, [*values, *more, bench.digest, *values, bench.digest, bench.digest])


def _impact(given: Impact) -> tuple[str, list[object]]:
    """SQL of the impact of a row, and its values."""
    parts: list[str] = []
    values: list[object] = []
    for name in ("status", "reason", "market", "conflict"):
        factors: dict[str, float] = getattr(given, name)
        if factors:
            parts.append(f"(case {name} " + "when ? then ? " * len(factors) + "else 1.0 end)")
            for key, factor in sorted(factors.items()):
                values += [key, factor]
    parts += ["(case state when 'returned' then ? else 1.0 end)", "(case sample when 1 then ? else 1.0 end)"]
    return " * ".join(parts), [*values, given.returned, given.sample]


def _second(given: Second) -> tuple[str, list[object]]:
    """SQL that tells whether a row needs two reviewers, and its values."""
    tests, values = ["s2r_share(?, row_id) < ?"], [given.seed, given.share]
    found: list[object] = list(values)
    for word in given.route_reason:
        tests.append("instr(lower(route_reason), ?) > 0")
        found.append(word.lower())
    for name in ("status", "conflict"):
        chosen = getattr(given, name)
        if chosen:
            tests.append(f"{name} in ({', '.join('?' * len(chosen))})")
            found += chosen
    if given.samples:
        tests.append("sample = 1")
    return "(" + " or ".join(tests) + ")", found


def log(bench: Workbench, now: dt.datetime, by: str, act: str, row_id: str = "", **detail: object) -> None:
    """Note an act of a reviewer; inside a transaction it stands or falls with it."""
    bench.store.execute(
        "insert into review_log (at, author, act, row_id, detail) values (?,?,?,?,?)",
        [stamp_of(now), by, act, row_id, json.dumps(detail, ensure_ascii=False, default=str)],
    )

"""The whole job: files in, run folder out; and the same job from Python."""

from __future__ import annotations

import asyncio
import datetime as dt
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from s2r.errors import ConfigError, InputError
from s2r.job.finish import AuditOutcome, finish
from s2r.job.folder import current_records, hold_folder, read_records, write_rejects
from s2r.models import Gap, Listing, Outcome, Record
from s2r.pipeline import Event, RunPlan, run_audit
from s2r.policy import Policy, load_policy
from s2r.search import Pool
from s2r.search.pool_reader import pool_files
from s2r.settings import Settings
from s2r.store import Store
from s2r.universe import read_universe

__all__ = ["AuditFiles", "AuditOutcome", "audit", "audit_files", "make_plan", "read_records"]

NO_SOURCE = (
    "Give a sealed pool with --pool PATH (JSON lines, WARC, WACZ or a folder). To try s2r without one, run `make demo` in a checkout."
)


@dataclass(frozen=True, slots=True)
class AuditFiles:
    """Input and output of one audit; `cutoff` fills rows without one, `today` (UTC) bounds what a cutoff may be. With `point_in_time`
    only pages that were provably public by a row's cutoff count."""

    universe: Path
    pool: Path | None
    out: Path
    cutoff: dt.date | None
    today: dt.date
    point_in_time: bool = False


async def audit_files(
    files: AuditFiles,
    policy: Policy,
    policies: Path,
    settings: Settings,
    *,
    clock: Callable[[], dt.datetime],
    on_event: Callable[[Event], None],
    on_total: Callable[[int], None],
    stop: asyncio.Event | None = None,
) -> AuditOutcome:
    """Audit a universe file against a sealed pool into a run folder. Raises ConfigError before any work is done.

    `policy` was loaded from the folder `policies`, which the manifest names.
    """
    if files.pool is None:
        raise ConfigError("nothing to search: no pool was given and no live provider is set up", subject="s2r audit", advice=NO_SOURCE)
    universe = read_universe(files.universe, default_cutoff=files.cutoff, today=files.today, known_mics=frozenset(policy.venues))
    pool_files(files.pool)
    with hold_folder(files.out):
        with Pool.open(files.pool, home=files.out, max_body_mb=settings.max_body_mb) as pool:
            write_rejects(files.out / "rejected.csv", universe.issues)
            plan = make_plan(universe.listings, policy, pool, files.out, settings, point_in_time=files.point_in_time)
            on_total(len(plan.listings))
            result = await run_audit(plan, clock=clock, on_event=on_event, stop=stop)
        return finish(plan, result, universe.issues, policies=policies, clock=clock)


def make_plan(
    listings: Iterable[Listing], policy: Policy, pool: Pool, out: Path, settings: Settings, *, point_in_time: bool = False
) -> RunPlan:
    """The plan of an audit over a sealed pool; raises InputError when a row id is used twice."""
    rows = tuple(listings)
    twice = [name for name, n in Counter(row.row_id for row in rows).items() if n > 1]
    if twice:
        raise InputError(f"row id {twice[0]!r} is used more than once", subject="listings", advice="Give every listing an id of its own.")
    gaps = tuple(
        Gap(url="", step="pool", outcome=Outcome.UNREADABLE, cause=str(fault), next_step="Fix or remove it in the pool.")
        for fault in pool.faults
    )
    return RunPlan(
        listings=rows,
        policy=policy,
        providers=(pool,),
        fetcher=pool,
        sources=f"pool:{pool.digest}",
        out=out,
        settings=settings,
        version=metadata.version("s2r"),
        gaps=gaps,
        point_in_time=point_in_time,
    )


def audit(
    listings: Iterable[Listing],
    *,
    pool: Path | str,
    policy: Policy | str = "delisting",
    policies: Path | None = None,
    out: Path | str | None = None,
    workers: int = 1,
    point_in_time: bool = False,
    clock: Callable[[], dt.datetime] | None = None,
) -> Iterator[Record]:
    """Audit listings against a sealed pool and yield their records in the given order.

    `pool` is a JSON lines, WARC or WACZ file or a folder of these. With `out` the run is kept there and continued by the same
    call; without it, it lives in a temporary folder that goes when the last record was yielded. Not for use inside a running
    event loop (call it from a thread there). Raises ConfigError for unusable input.
    """
    rows = tuple(listings)
    tick = clock or (lambda: dt.datetime.now(dt.UTC))  # noqa: TID251 - a notebook has no clock to hand in
    settings = Settings(workers=max(1, workers), policies=policies)
    rules = load_policy(policy, policies) if isinstance(policy, str) else policy
    pool_files(Path(pool))
    with tempfile.TemporaryDirectory(prefix="s2r-") as scratch:
        folder = Path(out) if out is not None else Path(scratch)
        with hold_folder(folder), Pool.open(Path(pool), home=folder, max_body_mb=settings.max_body_mb) as opened:
            plan = make_plan(rows, rules, opened, folder, settings, point_in_time=point_in_time)
            asyncio.run(run_audit(plan, clock=tick, on_event=lambda event: None))
        with Store(folder / "s2r.db") as store:
            yield from current_records(store, rows)

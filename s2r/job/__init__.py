"""The whole job: files in, run folder out; and the same job from Python."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from s2r.adjudicate.pointintime import cutoff_end
from s2r.errors import BudgetExceeded, InputError
from s2r.job.finish import AuditOutcome, finish
from s2r.job.folder import current_records, hold_folder, read_records, write_rejects
from s2r.job.live import LiveOptions, LivePlan, LiveWeb, live_setting_names, open_live, plan_live
from s2r.models import Gap, Listing, Outcome, Record
from s2r.pipeline import Event, RunPlan, RunResult, run_audit
from s2r.pipeline.ledger import RunLedger
from s2r.pipeline.pages import Repeated
from s2r.policy import Policy, load_policy, policy_root
from s2r.search import Pool, build_queries
from s2r.search.kept import Kept
from s2r.search.pool_reader import pool_files
from s2r.settings import Settings, load_settings, read_settings_file
from s2r.store import Store
from s2r.universe import read_universe

__all__ = ["AuditFiles", "AuditOutcome", "LiveOptions", "audit", "audit_files", "make_live_plan", "make_plan", "read_records"]


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
    live: LiveOptions | None = None,
) -> AuditOutcome:
    """Audit a universe file into a run folder: against its pool, without one against the live web as `live` says.

    `policy` was loaded from the folder `policies`, which the manifest names. Raises ConfigError before any work is done.
    """
    web = None if files.pool else plan_live(live or LiveOptions(), policies)
    universe = read_universe(files.universe, default_cutoff=files.cutoff, today=files.today, known_mics=frozenset(policy.venues))
    if files.pool:
        pool_files(files.pool)
    with hold_folder(files.out):
        async with _opened(files, policy, policies, settings, web, live, clock) as make:
            write_rejects(files.out / "rejected.csv", universe.issues)
            plan = make(universe.listings)
            on_total(len(plan.listings))
            result = await run_audit(plan, clock=clock, on_event=on_event, stop=stop)
        return finish(plan, result, universe.issues, policies=policies, clock=clock)


Make = Callable[[Iterable[Listing]], RunPlan]


@asynccontextmanager
async def _opened(
    files: AuditFiles,
    policy: Policy,
    policies: Path,
    settings: Settings,
    web: LivePlan | None,
    live: LiveOptions | None,
    clock: Callable[[], dt.datetime],
) -> AsyncIterator[Make]:
    """What makes the plan of a run from its listings, while its pool or the live web is open."""
    if web is not None:
        ledger = RunLedger(live.max_usd if live else None)
        async with open_live(web, policy, policies, settings, ledger, clock, point_in_time=files.point_in_time) as opened:
            with closing(Kept(files.out / "archive")) as kept:
                yield lambda rows: make_live_plan(rows, policy, web, opened, kept, ledger, files, settings)
        return
    assert files.pool
    with ExitStack() as stack:
        pool = stack.enter_context(Pool.open(files.pool, home=files.out, max_body_mb=settings.max_body_mb))
        recorded = Kept.beside(files.pool)
        if recorded:
            stack.callback(recorded.close)
        yield lambda rows: make_plan(rows, policy, pool, files.out, settings, recorded=recorded, point_in_time=files.point_in_time)


def make_plan(
    listings: Iterable[Listing],
    policy: Policy,
    pool: Pool,
    out: Path,
    settings: Settings,
    *,
    recorded: Kept | None = None,
    point_in_time: bool = False,
) -> RunPlan:
    """The plan of an audit over a sealed pool; raises InputError when a row id is used twice.

    `recorded` are the searches of the live run whose archive the pool is: they are repeated.
    """
    gaps = tuple(
        Gap(url="", step="pool", outcome=Outcome.UNREADABLE, cause=str(fault), next_step="Fix or remove it in the pool.")
        for fault in pool.faults
    )

    def fetcher_for(listing: Listing) -> Repeated:
        used = recorded.used(listing, build_queries(listing, policy), point_in_time=point_in_time) if recorded else None
        return Repeated(pool, recorded, used=used, by=cutoff_end(listing, policy) if point_in_time else None)

    return RunPlan(
        listings=_distinct(listings),
        policy=policy,
        providers=(pool,),
        fetcher=pool,
        fetcher_for=fetcher_for,
        sources=f"pool:{pool.digest}" + (f"+{recorded.digest()}" if recorded else ""),
        out=out,
        settings=settings,
        version=metadata.version("s2r"),
        gaps=gaps,
        point_in_time=point_in_time,
        recorded=recorded,
    )


def make_live_plan(
    listings: Iterable[Listing],
    policy: Policy,
    web: LivePlan,
    opened: LiveWeb,
    kept: Kept,
    ledger: RunLedger,
    files: AuditFiles,
    settings: Settings,
) -> RunPlan:
    """The plan of an audit over the live web; raises InputError when a row id is used twice."""
    return RunPlan(
        listings=_distinct(listings),
        policy=policy,
        providers=opened.providers,
        fetcher=opened.fetcher,
        fetcher_for=opened.fetcher_for,
        sources=f"live:{web.text}" + ("+archived copies" if settings.archived_copies else ""),
        out=files.out,
        settings=settings,
        version=metadata.version("s2r"),
        listing_sources=opened.sources,
        identity=opened.identity,
        point_in_time=files.point_in_time,
        kept=kept,
        ledger=ledger,
    )


def _distinct(listings: Iterable[Listing]) -> tuple[Listing, ...]:
    rows = tuple(listings)
    twice = [name for name, n in Counter(row.row_id for row in rows).items() if n > 1]
    if twice:
        raise InputError(f"row id {twice[0]!r} is used more than once", subject="listings", advice="Give every listing an id of its own.")
    return rows


def audit(
    listings: Iterable[Listing],
    *,
    pool: Path | str | None = None,
    policy: Policy | str = "delisting",
    policies: Path | None = None,
    out: Path | str | None = None,
    workers: int = 1,
    point_in_time: bool = False,
    clock: Callable[[], dt.datetime] | None = None,
    search: str = "",
    max_usd: float | None = None,
) -> Iterator[Record]:
    """Audit listings and yield their records in the given order.

    `pool` is a JSON lines, WARC or WACZ file or a folder of these; without it the live web is asked as `search` says (as
    `--search`), with the settings of the environment and s2r.toml. With `out` the run is kept there and continued by the same
    call; without it, it lives in a temporary folder that goes when the last record was yielded. Not for use inside a running
    event loop (call it from a thread there). Raises ConfigError for unusable input, BudgetExceeded when `max_usd` is used up.
    """
    rows = tuple(listings)
    tick = clock or (lambda: dt.datetime.now(dt.UTC))  # noqa: TID251 - a notebook has no clock to hand in
    live = LiveOptions(search, max_usd, os.environ, read_settings_file()) if pool is None else None
    settings = Settings(workers=max(1, workers), policies=policies)
    if live:
        flags = {"workers": settings.workers, "policies": policies}
        settings = load_settings(os.environ, flags, others=live_setting_names())
    rules = load_policy(policy, policies) if isinstance(policy, str) else policy
    root = policy_root(settings)
    web = plan_live(live, root) if live else None
    if pool is not None:
        pool_files(Path(pool))
    with tempfile.TemporaryDirectory(prefix="s2r-") as scratch:
        folder = Path(out) if out is not None else Path(scratch)
        files = AuditFiles(Path(), Path(pool) if pool is not None else None, folder, None, tick().date(), point_in_time)

        async def run() -> RunResult:
            async with _opened(files, rules, root, settings, web, live, tick) as make:
                return await run_audit(make(rows), clock=tick, on_event=lambda event: None)

        with hold_folder(folder):
            result = asyncio.run(run())
        with Store(folder / "s2r.db") as store:
            yield from current_records(store, rows)
        if result.over_budget:
            raise BudgetExceeded(result.over_budget, subject=str(folder))

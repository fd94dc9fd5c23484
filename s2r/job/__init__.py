"""The whole job: files in, run folder out; and the same job from Python."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from s2r.adjudicate.cutoff import cutoff_end
from s2r.cluster import check_engine, workers_of
from s2r.errors import BudgetExceeded, InputError
from s2r.job.finish import AuditOutcome, finish
from s2r.job.folder import current_records, hold_folder, read_records, write_rejects
from s2r.job.live import NO_SEARCH, LiveOptions, LivePlan, LiveWeb, check_prices, live_setting_names, open_live, plan_live
from s2r.job.models import ModelOptions, ModelPlan, model_setting_names, open_models, plan_models
from s2r.modelapi import ModelRole
from s2r.models import Arm, Capture, Gap, Listing, Listings, Outcome, Record
from s2r.pipeline import Event, RunPlan, RunResult, run_audit
from s2r.pipeline.ledger import RunLedger
from s2r.pipeline.models import ModelSetup
from s2r.pipeline.pages import Repeated
from s2r.pipeline.run import Due
from s2r.policy import Policy, load_policy, policy_root
from s2r.risk.load import find_risk_model
from s2r.risk.model import RiskModel
from s2r.search import Pool, build_queries
from s2r.search.kept import Kept
from s2r.search.pool_reader import pool_files
from s2r.settings import Settings, load_settings, read_settings_file
from s2r.store import Store
from s2r.universe import read_universe

__all__ = [
    "AuditFiles",
    "AuditOutcome",
    "Choose",
    "LiveOptions",
    "Make",
    "ModelOptions",
    "audit",
    "audit_files",
    "make_live_plan",
    "make_plan",
    "read_records",
]


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
    models: ModelOptions | None = None,
    choose: Choose | None = None,
    due: Due | None = None,
) -> AuditOutcome:
    """Audit a universe file into a run folder: against its pool, without one against the live web as `live` says; with the models that
    `models` names, else by rules alone.

    `policy` was loaded from the folder `policies`, which the manifest names. `choose` may make the plan itself, as the service does, which
    says what is looked at again; `due` says when a row is due again. Raises ConfigError before any work is done.
    """
    check_engine(settings)
    asked = plan_models(models or ModelOptions(), policies, policy, clock())
    web = _web(files, asked, live, policies, models.max_usd_per_record if models else None)
    risk = find_risk_model(settings.risk, policies, policy)
    universe = read_universe(files.universe, default_cutoff=files.cutoff, today=files.today, venues=policy.venues)
    if files.pool:
        pool_files(files.pool)
    with hold_folder(files.out):
        async with _opened(files, policy, policies, settings, web, live, clock, asked, models) as make:
            write_rejects(files.out / "rejected.csv", universe.issues)
            with_risk = _with_risk(make, risk)
            plan = choose(with_risk, universe.listings) if choose else with_risk(universe.listings)
            on_total(len(plan.listings))
            result = await run_audit(replace(plan, due=due), clock=clock, on_event=on_event, stop=stop)
        return finish(plan, result, universe.issues, policies=policies, clock=clock)


def _web(
    files: AuditFiles, asked: ModelPlan | None, live: LiveOptions | None, policies: Path, row_cap: float | None = None
) -> LivePlan | None:
    """The live web where it is searched, None over a pool, and where a model is shown no pages; `row_cap` needs known prices."""
    if files.pool or (asked and asked.arm is Arm.CLOSED):
        return None
    if asked and asked.arm is Arm.NATIVE:
        return NO_SEARCH
    found = plan_live(live or LiveOptions(), policies)
    if row_cap is not None:
        check_prices(found, policies, "--max-usd-per-record")
    return found


Make = Callable[[Iterable[Listing]], RunPlan]
Choose = Callable[[Make, Sequence[Listing]], RunPlan]


def _with_risk(make: Make, risk: RiskModel | None) -> Make:
    """Plans whose rows have their risks estimated; the model is part of the inputs by which rows are chosen."""
    return lambda rows: replace(make(rows), risk=risk)


@asynccontextmanager
async def _opened(
    files: AuditFiles,
    policy: Policy,
    policies: Path,
    settings: Settings,
    web: LivePlan | None,
    live: LiveOptions | None,
    clock: Callable[[], dt.datetime],
    asked: ModelPlan | None = None,
    options: ModelOptions | None = None,
) -> AsyncIterator[Make]:
    """What makes the plan of a run from its listings, while its pool or the live web is open, and its models."""
    paid = asked is not None or web is not None
    ledger = RunLedger(live.max_usd if live and paid else None, options.max_usd_per_record if options and paid else None)
    async with AsyncExitStack() as stack:
        models: ModelSetup | None = None
        if asked:
            models = await stack.enter_async_context(open_models(asked, settings, ledger, files.out / "archive", clock))
        base = await stack.enter_async_context(_evidence(files, policy, policies, settings, web, ledger, clock))
        yield lambda rows: replace(base(rows), ledger=ledger, models=models)


@asynccontextmanager
async def _evidence(
    files: AuditFiles,
    policy: Policy,
    policies: Path,
    settings: Settings,
    web: LivePlan | None,
    ledger: RunLedger,
    clock: Callable[[], dt.datetime],
) -> AsyncIterator[Make]:
    """What makes the plan of a run by rules from its listings, while its pool or the live web is open."""
    if web is not None:
        async with open_live(web, policy, policies, settings, ledger, clock, point_in_time=files.point_in_time) as opened:
            with closing(Kept(files.out / "archive")) as kept:
                far = workers_of(settings, policy, limiter=opened.limiter, limits=opened.limits, in_time=files.point_in_time)
                yield lambda rows: replace(make_live_plan(rows, policy, web, opened, kept, ledger, files, settings), elsewhere=far)
        return
    far = workers_of(settings, policy)
    if files.pool is None:
        yield lambda rows: replace(make_closed_plan(rows, policy, files.out, settings), elsewhere=far)
        return
    with ExitStack() as stack:
        pool = stack.enter_context(Pool.open(files.pool, home=files.out, max_body_mb=settings.max_body_mb))
        recorded = Kept.beside(files.pool)
        if recorded:
            stack.callback(recorded.close)

        def made(rows: Iterable[Listing]) -> RunPlan:
            plan = make_plan(rows, policy, pool, files.out, settings, recorded=recorded, point_in_time=files.point_in_time)
            return replace(plan, elsewhere=far)

        yield made


class NoPages:
    """The fetcher of a run that is shown no pages."""

    name = "none"

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """A gap, whatever is asked."""
        return Gap(url=url, step="fetch", outcome=Outcome.REFUSED, cause="this arm fetches no pages", next_step="Use --arm web.")


def make_closed_plan(listings: Iterable[Listing], policy: Policy, out: Path, settings: Settings) -> RunPlan:
    """The plan of an audit without any pages; raises InputError when a row id is used twice."""
    return RunPlan(
        listings=_distinct(listings), policy=policy, providers=(), fetcher=NoPages(), sources="closed", out=out, settings=settings,
        version=metadata.version("s2r"),
    )  # fmt: skip


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
        resolve=opened.resolve,
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


def _distinct(listings: Iterable[Listing]) -> Listings:
    rows = listings if isinstance(listings, Listings) else Listings(listings)
    twice = [name for name, n in Counter(rows.row_ids).items() if n > 1]
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
    model: str = "",
    arm: str = "",
    risk: str = "",
) -> Iterator[Record]:
    """Audit listings and yield their records in the given order.

    `pool` is a JSON lines, WARC or WACZ file or a folder of these; without it the live web is asked as `search` says (as
    `--search`), with the settings of the environment and s2r.toml. With `out` the run is kept there and continued by the same
    call; without it, it lives in a temporary folder that goes when the last record was yielded. `model` (provider:name) is asked on
    an `arm` (closed, web, native) as by `s2r audit --model`; without both rules alone decide. `risk` is as `--risk`. Not for use inside
    a running event loop (call it from a thread there). Raises ConfigError for unusable input, BudgetExceeded when `max_usd` is used up.
    """
    rows = tuple(listings)
    tick = clock or (lambda: dt.datetime.now(dt.UTC))  # noqa: TID251 - a notebook has no clock to hand in
    file = read_settings_file()
    live = LiveOptions(search, max_usd, os.environ, file)
    chosen = {ModelRole.ADJUDICATOR: model} if model else {}
    options = ModelOptions(chosen, arm, max_usd=max_usd, env=os.environ, file=file) if model or arm else None
    settings = Settings(workers=max(1, workers), policies=policies)
    if pool is None or options:
        flags = {"workers": settings.workers, "policies": policies}
        settings = load_settings(os.environ, flags, others=live_setting_names() | model_setting_names(policy_root(settings), file))
    check_engine(settings)
    rules = load_policy(policy, policies) if isinstance(policy, str) else policy
    root = policy_root(settings)
    asked = plan_models(options, root, rules, tick()) if options else None
    risk_model = find_risk_model(risk or settings.risk, root, rules)
    files = AuditFiles(Path(), Path(pool) if pool is not None else None, Path(), None, tick().date(), point_in_time)
    web = _web(files, asked, live, root)
    if pool is not None:
        pool_files(Path(pool))
    with tempfile.TemporaryDirectory(prefix="s2r-") as scratch:
        folder = Path(out) if out is not None else Path(scratch)
        placed = replace(files, out=folder)

        async def run() -> RunResult:
            async with _opened(placed, rules, root, settings, web, live, tick, asked, options) as make:
                return await run_audit(_with_risk(make, risk_model)(rows), clock=tick, on_event=lambda event: None)

        with hold_folder(folder):
            result = asyncio.run(run())
        with Store(folder / "s2r.db") as store:
            yield from current_records(store, rows)
        if result.over_budget:
            raise BudgetExceeded(result.over_budget, subject=str(folder))

"""Run the steps of every listing, keep each finished row at once, and continue where an earlier run stopped."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from s2r.archive import Archive
from s2r.errors import BudgetExceeded, IntegrityError, S2RError, StoreError
from s2r.fetch import Fetcher, fetch_hit
from s2r.models import Coverage, Gap, Hit, Listing, Package, Record, Route, Status, Usage
from s2r.pipeline.engine import Engine, WorkerDied
from s2r.pipeline.judge import Judgement, Task, hold, judge
from s2r.policy import Policy
from s2r.route import route
from s2r.search import Provider, SearchOutcome, Source, search
from s2r.settings import Settings, public_settings
from s2r.store import Store

AUTHOR = "s2r"
CARRIED = {"row_number", "extra"}  # fields of a listing that are carried through and decide nothing


class Phase(StrEnum):
    """What just happened to a row."""

    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Event:
    """One step of progress."""

    phase: Phase
    row_id: str
    record: Record | None = None


@dataclass(frozen=True)
class RunPlan:
    """All that decides a run. `sources` names what was searched ("pool:<digest>"), as part of every row's input digest."""

    listings: tuple[Listing, ...]
    policy: Policy
    providers: tuple[Provider, ...]
    fetcher: Fetcher
    sources: str
    out: Path
    settings: Settings
    version: str
    gaps: tuple[Gap, ...] = ()  # faults of the sources as a whole, e.g. unusable lines of the pool
    listing_sources: tuple[Source, ...] = ()  # asked once for each listing, beside the providers
    point_in_time: bool = False  # only pages that were provably public by the row's cutoff count
    fetcher_for: Callable[[Listing], Fetcher] | None = None  # another fetcher for each row, e.g. by its cutoff; None: `fetcher`

    @cached_property
    def run_id(self) -> str:
        """Digest of all inputs: the same command gives the same run."""
        parts = [*self._shared, *(self.inputs(x) for x in self.listings)]
        return "r" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    def inputs(self, listing: Listing) -> str:
        """Digest of all that can change the record of one listing; columns that are carried through are not among it."""
        return hashlib.sha256("\n".join([listing.model_dump_json(exclude=CARRIED), *self._shared]).encode()).hexdigest()

    @property
    def _shared(self) -> tuple[str, ...]:
        limits = (self.settings.max_pages, self.settings.max_body_mb, self.settings.extract_timeout_s)
        mode = ("point in time",) if self.point_in_time else ()
        return self.sources, self.policy.policy_id, self.version, *map(str, limits), *mode


@dataclass(slots=True)
class RunResult:
    """What a run did. `failed` rows have a record with an error; `faulty` rows have gaps that a person should see."""

    run_id: str
    done: int = 0
    skipped: int = 0
    failed: int = 0
    faulty: int = 0
    interrupted: bool = False
    seconds: float = 0.0
    waiting: list[str] = field(default_factory=list)


async def run_audit(
    plan: RunPlan, *, clock: Callable[[], dt.datetime], on_event: Callable[[Event], None], stop: asyncio.Event | None = None
) -> RunResult:
    """Audit all listings of `plan` that have no current record for their inputs; every finished row is kept at once.

    `clock` gives UTC. When `stop` is set, rows in work are finished, the rest wait for the same command. Raises StoreError
    or IntegrityError when the archive or the store cannot go on; what is done stays done.
    """
    started = time.monotonic()
    result = RunResult(plan.run_id)
    with Store(plan.out / "s2r.db") as store:
        todo = _todo(plan, store, result, on_event)
        if not todo:
            return result
        store.start_run(plan.run_id, version=plan.version, policy=plan.policy.policy_id, manifest=_manifest(plan), now=clock())
        with Archive(plan.out) as archive:
            async with Engine(plan.settings.workers, hold, (plan.policy,)) as engine:
                try:
                    desk = _Desk(plan, store, archive, engine, clock, on_event)
                    await _work(desk, todo, result, stop or asyncio.Event())
                except BaseExceptionGroup as group:  # rows run side by side: several may fail for the same reason
                    raise _first(group) from group
    result.seconds = time.monotonic() - started
    return result


def _again(record: Record) -> bool:
    """Whether the next run of the same command should try the row again: it failed, or a provider did."""
    return record.error is not None or any(state.startswith("failed") for state in record.coverage.providers.values())


@dataclass(frozen=True, slots=True)
class _Desk:
    """What the rows of one run share."""

    plan: RunPlan
    store: Store
    archive: Archive
    engine: Engine
    clock: Callable[[], dt.datetime]
    on_event: Callable[[Event], None]


def _todo(plan: RunPlan, store: Store, result: RunResult, on_event: Callable[[Event], None]) -> list[tuple[int, Listing, str]]:
    """Position, listing and input digest of every row without a current record for its inputs, or with one to be tried again."""
    rows = [(n, listing, plan.inputs(listing)) for n, listing in enumerate(plan.listings)]
    finished = store.done(inputs for _, _, inputs in rows)
    for _, listing, inputs in rows:
        if inputs in finished:
            result.skipped += 1
            on_event(Event(Phase.SKIPPED, listing.row_id))
    return [row for row in rows if row[2] not in finished]


async def _work(desk: _Desk, todo: Sequence[tuple[int, Listing, str]], result: RunResult, stop: asyncio.Event) -> None:
    plan, store, clock, on_event = desk.plan, desk.store, desk.clock, desk.on_event
    queue = list(reversed(todo))
    began = dt.datetime.fromisoformat(store.started_at(plan.run_id) or clock().isoformat())  # one capture time, also when continued

    async def worker() -> None:
        while queue and not stop.is_set():
            position, listing, inputs = queue.pop()
            on_event(Event(Phase.STARTED, listing.row_id))
            record = await _guarded(desk, listing, began)
            gaps = record.coverage.gaps
            store.append(
                record,
                inputs=inputs,
                position=position,
                author=AUTHOR,
                why="audit",
                now=clock(),
                again=_again(record),
                issues=[(gap.step, gap.url, f"{gap.outcome.value}: {gap.cause}", gap.next_step) for gap in gaps],
                ledger=[
                    ("search", float(record.usage.searches), "queries", record.cost_usd),
                    ("fetch", float(record.usage.fetches), "pages", 0.0),
                ],
            )
            result.done += 1
            result.failed += record.error is not None
            result.faulty += bool(gaps) and record.error is None
            on_event(Event(Phase.FAILED if record.error else Phase.DONE, listing.row_id, record))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(desk.engine.workers + 1, len(queue))):  # one row more than workers, so that search and fetch overlap judging
            group.create_task(worker())
    if queue:
        result.interrupted = True
        result.waiting = [listing.row_id for _, listing, _ in reversed(queue)]


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that stops the run: one raised on purpose if there is any, with its message for people."""
    known = group.subgroup(S2RError)
    found: BaseException = known or group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


async def _guarded(desk: _Desk, listing: Listing, at: dt.datetime) -> Record:
    """The record of a row; what its steps did not foresee fails the row, a store that cannot be used stops the run."""
    began = time.monotonic()
    try:
        return await _row(desk, listing, at)
    except (StoreError, IntegrityError, BudgetExceeded):
        raise
    except Exception as exc:  # noqa: BLE001 - the one outer boundary: a bug fails its row, not the run
        place = traceback.extract_tb(exc.__traceback__)[-1]
        error = f"{type(exc).__name__}: {exc} ({Path(place.filename).name}:{place.lineno})"
        return _failed(desk.plan, listing, Coverage(statement=error), error=error, seconds=time.monotonic() - began)


async def _row(desk: _Desk, listing: Listing, at: dt.datetime) -> Record:
    plan, began = desk.plan, time.monotonic()
    found = await search(listing, plan.policy, plan.providers, plan.settings.max_pages, sources=plan.listing_sources)
    fetcher = plan.fetcher_for(listing) if plan.fetcher_for else plan.fetcher
    exhibits, gaps, fetches = await _fetch(plan, fetcher, found.hits, desk.archive, at)
    task = Task(
        listing=listing,
        exhibits=exhibits,
        archive=plan.out,
        policy=plan.policy.policy_id,
        queries=found.queries,
        providers=found.providers,
        gaps=(*found.gaps, *gaps),
        extract_timeout_s=plan.settings.extract_timeout_s,
        point_in_time=plan.point_in_time,
    )
    try:
        judgement = await desk.engine.run(judge, task)
    except WorkerDied as exc:
        covered = Coverage(queries=tuple(q.text for q in found.queries), providers=found.providers, gaps=task.gaps, statement=str(exc))
        usage = Usage(searches=found.requests, fetches=fetches)
        return _failed(plan, listing, covered, error=str(exc), seconds=time.monotonic() - began, usage=usage)
    return _record(plan, listing, found, judgement, fetches=fetches, seconds=time.monotonic() - began)


async def _fetch(
    plan: RunPlan, fetcher: Fetcher, hits: Sequence[Hit], archive: Archive, at: dt.datetime
) -> tuple[tuple[tuple[str, str, str], ...], list[Gap], int]:
    """Fetch and archive the hits; what is no readable page is a gap, typed by its content."""
    exhibits: list[tuple[str, str, str]] = []
    gaps: list[Gap] = []
    for hit in hits:
        got = await fetch_hit(hit, fetcher, at=at, max_body=plan.settings.max_body_mb << 20)
        if isinstance(got, Gap):
            gaps.append(got)
            continue
        exhibit = await asyncio.to_thread(archive.put, got)
        exhibits.append((exhibit.digest, got.url, got.title))
    return tuple(exhibits), gaps, len(hits)


def _record(plan: RunPlan, listing: Listing, found: SearchOutcome, judgement: Judgement, *, fetches: int, seconds: float) -> Record:
    verdict, audit, coverage = judgement.verdict, judgement.audit, judgement.coverage
    decided, reasons = route(
        plan.policy,
        status=verdict.status,
        package=audit.package,
        coverage_sufficient=coverage.sufficient,
        conflicts=bool(verdict.conflicts),
        error=judgement.error is not None,
        confidence=verdict.confidence,
        risk=None,
    )
    return Record(
        row_id=listing.row_id,
        listing=listing,
        event_type=plan.policy.definition.event_type,
        cutoff=listing.cutoff,
        status=verdict.status,
        announcement_date=verdict.announcement_date,
        reason=verdict.reason,
        disclosure_type=verdict.disclosure_type,
        confidence=verdict.confidence,
        route=decided,
        route_reasons=reasons,
        risk=None,
        package=audit.package,
        claims=audit.claims,
        checks=audit.checks,
        later_event=verdict.later_event,
        coverage=coverage,
        findings=verdict.findings,
        timeline=verdict.timeline,
        conflicts=verdict.conflicts,
        steps=verdict.steps,
        abstain_reason=verdict.abstain_reason,
        adjudicator=verdict.adjudicator,
        policy=plan.policy.policy_id,
        usage=Usage(searches=found.requests, fetches=fetches, pages=judgement.pages, bytes=judgement.bytes),
        cost_usd=0.0,
        latency_s=round(seconds, 3),
        run_id=plan.run_id,
        version=plan.version,
        error=judgement.error,
    )


def _failed(plan: RunPlan, listing: Listing, coverage: Coverage, *, error: str, seconds: float, usage: Usage | None = None) -> Record:
    return Record(
        row_id=listing.row_id,
        listing=listing,
        event_type=plan.policy.definition.event_type,
        cutoff=listing.cutoff,
        status=Status.ABSTAIN,
        abstain_reason=error,
        route=Route.REVIEW,
        route_reasons=("The row failed; see its error.",),
        package=Package.UNVERIFIABLE,
        coverage=coverage,
        policy=plan.policy.policy_id,
        usage=usage or Usage(),
        latency_s=round(seconds, 3),
        run_id=plan.run_id,
        version=plan.version,
        error=error,
    )


def _manifest(plan: RunPlan) -> dict[str, object]:
    return {
        "sources": plan.sources,
        "policy": plan.policy.policy_id,
        "version": plan.version,
        "rows": len(plan.listings),
        "point_in_time": plan.point_in_time,
        "settings": public_settings(plan.settings),
    }

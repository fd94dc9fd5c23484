"""Run the steps of every listing, keep each finished row at once, and continue where an earlier run stopped."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from s2r.archive import Archive
from s2r.errors import S2RError
from s2r.models import Capture, Gap, Hit, Listing, Outcome, Package, Record, Route, Status, Usage
from s2r.models.decision import Coverage
from s2r.pipeline.engine import Engine, WorkerDied
from s2r.pipeline.judge import Judgement, Task, judge
from s2r.policy import Policy
from s2r.route import route
from s2r.search import Provider, SearchOutcome, search
from s2r.settings import Settings
from s2r.store import Store

AUTHOR = "s2r"


class Fetcher(Protocol):
    """Where pages come from: the sealed pool, or the live web."""

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page at `url`, or a gap with its cause."""
        ...


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


@dataclass(frozen=True, slots=True)
class RunPlan:
    """All that decides a run. `sources` names what was searched ("pool:<digest>"), as part of every row's input digest."""

    listings: tuple[Listing, ...]
    policy: Policy
    policy_root: Path | None
    providers: tuple[Provider, ...]
    fetcher: Fetcher
    sources: str
    out: Path
    settings: Settings
    version: str
    gaps: tuple[Gap, ...] = ()  # faults of the sources as a whole, e.g. unusable lines of the pool

    @property
    def run_id(self) -> str:
        """Digest of all inputs: the same command gives the same run."""
        parts = [self.sources, self.policy.policy_id, self.version, str(self.settings.max_pages), *(self.inputs(x) for x in self.listings)]
        return "r" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    def inputs(self, listing: Listing) -> str:
        """Digest of all that can change the record of one listing; columns that are carried through are not among it."""
        identity = listing.model_dump_json(exclude={"row_number", "extra"})
        carried = listing.model_dump_json(include={"row_number", "extra"})
        parts = [identity, self.sources, self.policy.policy_id, self.version, str(self.settings.max_pages), carried]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


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
        finished = store.done(plan.inputs(x) for x in plan.listings)
        todo = [(n, x) for n, x in enumerate(plan.listings) if plan.inputs(x) not in finished]
        for listing in plan.listings:
            if plan.inputs(listing) in finished:
                result.skipped += 1
                on_event(Event(Phase.SKIPPED, listing.row_id))
        if not todo:
            return result
        store.start_run(plan.run_id, version=plan.version, policy=plan.policy.policy_id, manifest=_manifest(plan), now=clock())
        with Archive(plan.out) as archive:
            async with Engine(plan.settings.workers) as engine:
                await _work(plan, todo, store, archive, engine, result, clock=clock, on_event=on_event, stop=stop or asyncio.Event())
    result.seconds = time.monotonic() - started
    return result


async def _work(
    plan: RunPlan,
    todo: Sequence[tuple[int, Listing]],
    store: Store,
    archive: Archive,
    engine: Engine,
    result: RunResult,
    *,
    clock: Callable[[], dt.datetime],
    on_event: Callable[[Event], None],
    stop: asyncio.Event,
) -> None:
    queue = list(reversed(todo))

    async def worker() -> None:
        while queue and not stop.is_set():
            position, listing = queue.pop()
            on_event(Event(Phase.STARTED, listing.row_id))
            record = await _row(plan, listing, archive, engine, clock)
            gaps = record.coverage.gaps
            store.append(
                record,
                inputs=plan.inputs(listing),
                position=position,
                author=AUTHOR,
                why="audit",
                now=clock(),
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
        for _ in range(min(engine.workers + 1, len(queue))):  # one row more than workers, so that search and fetch overlap judging
            group.create_task(worker())
    if queue:
        result.interrupted = True
        result.waiting = [listing.row_id for _, listing in reversed(queue)]


async def _row(plan: RunPlan, listing: Listing, archive: Archive, engine: Engine, clock: Callable[[], dt.datetime]) -> Record:
    began = time.monotonic()
    found = await search(listing, plan.policy, plan.providers, plan.settings.max_pages)
    exhibits, gaps, fetches = await _fetch(plan, found.hits, archive, clock)
    task = Task(
        listing=listing,
        exhibits=exhibits,
        archive=plan.out,
        policy_name=plan.policy.definition.name,
        policy_root=plan.policy_root,
        queries=found.queries,
        providers=found.providers,
        gaps=(*found.gaps, *gaps),
        extract_timeout_s=plan.settings.extract_timeout_s,
    )
    try:
        judgement = await engine.run(judge, task)
    except WorkerDied as exc:
        return _failed(plan, listing, found, str(exc), time.monotonic() - began)
    return _record(plan, listing, found, judgement, fetches, time.monotonic() - began)


async def _fetch(
    plan: RunPlan, hits: Sequence[Hit], archive: Archive, clock: Callable[[], dt.datetime]
) -> tuple[tuple[tuple[str, str, str], ...], list[Gap], int]:
    exhibits: list[tuple[str, str, str]] = []
    gaps: list[Gap] = []
    for hit in hits:
        try:
            got = await plan.fetcher.fetch(hit.url, at=clock())
        except S2RError as exc:
            gaps.append(Gap(url=hit.url, step="fetch", outcome=Outcome.ERROR, cause=exc.message, next_step=exc.advice))
            continue
        if isinstance(got, Gap):
            gaps.append(got)
            continue
        if len(got.body) > plan.settings.max_body_mb << 20:
            cause = f"{len(got.body) / 2**20:.0f} MB, cap {plan.settings.max_body_mb} MB"
            gaps.append(Gap(url=hit.url, step="fetch", outcome=Outcome.TOO_LARGE, cause=cause, next_step="Raise max_body_mb."))
            continue
        exhibit = await asyncio.to_thread(_put, archive, got)
        exhibits.append((exhibit, got.url, got.title))
    return tuple(exhibits), gaps, len(hits)


def _put(archive: Archive, capture: Capture) -> str:
    """Archive a capture unless the same bytes at the same address are there; return the digest."""
    digest = "sha256:" + hashlib.sha256(capture.body).hexdigest()
    known = archive.exhibit(digest)
    if known is not None and any(e.digest == known.digest for e in archive.find_url(capture.url)):
        return known.digest
    return archive.put(capture).digest


def _record(plan: RunPlan, listing: Listing, found: SearchOutcome, judgement: Judgement, fetches: int, seconds: float) -> Record:
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


def _failed(plan: RunPlan, listing: Listing, found: SearchOutcome, error: str, seconds: float) -> Record:
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
        coverage=Coverage(queries=tuple(q.text for q in found.queries), providers=found.providers, statement=error),
        policy=plan.policy.policy_id,
        usage=Usage(searches=found.requests),
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
        "settings": plan.settings.model_dump(mode="json"),
    }

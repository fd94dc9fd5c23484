"""Run the steps of every listing, keep each finished row at once, and continue where an earlier run stopped."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from s2r.archive import Archive
from s2r.archive.lock import free_dead_lock
from s2r.errors import BudgetExceeded, IntegrityError, SourceUnusable, StoreError, first_error
from s2r.fetch import Fetcher
from s2r.modelapi import AnswerPending, BatchNews, BudgetBusy, RecordBudgetExceeded
from s2r.models import Arm, Coverage, Gap, Hit, Listing, Listings, Package, Query, Record, Route, Status, Usage
from s2r.models.listing import CONTRADICTED
from s2r.models.packed import decisive
from s2r.pipeline.consult import AdjudicatorUnusable, Consulted, consult
from s2r.pipeline.coverage import is_closed
from s2r.pipeline.engine import Engine, EngineLost, WorkerDied, Workers
from s2r.pipeline.further import Further
from s2r.pipeline.ledger import RunLedger, Tally, booked_to
from s2r.pipeline.models import ModelSetup
from s2r.pipeline.native import Resolve
from s2r.pipeline.pages import PageDesk
from s2r.pipeline.reviewed import Look, keep_reviewed, says_same
from s2r.pipeline.tasks import Judgement, Task, hold, judge
from s2r.policy import Policy, RouteRule
from s2r.risk.model import RiskModel, opinion
from s2r.route import route_record
from s2r.search import Provider, SearchOutcome, Source, build_queries, search
from s2r.search.kept import Kept, KeptProvider, KeptSource, Used
from s2r.search.official.identity import IdentitySource, identify
from s2r.search.plan import with_hints
from s2r.settings import Settings, public_settings
from s2r.store import Store

AUTHOR = "s2r"
ROWS_AT_ONCE = 8  # where rows wait for the web or for models


class Phase(StrEnum):
    """What just happened to a row."""

    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    STOPPED = "stopped"  # at a budget; the row waits for the same command
    HELD = "held"  # until its batch has ended
    BATCH = "batch"  # news of a batch, in `note`


@dataclass(frozen=True, slots=True)
class Event:
    """One step of progress."""

    phase: Phase
    row_id: str
    record: Record | None = None
    note: str = ""


OpenWorkers = Callable[[Archive], AbstractAsyncContextManager[Workers]]
Due = Callable[[Record, bool, dt.datetime], tuple[dt.datetime, str]]  # record, whether the look failed, its time (UTC) -> when, by what


@dataclass(frozen=True)
class RunPlan:
    """All that decides a run. `sources` names what was searched ("pool:<digest>", "live:brave"), as part of every row's input digest.

    A run over the live web has `kept`, where it keeps its searches; one over the archive of such a run has `recorded`, and
    repeats them.
    """

    listings: Sequence[Listing]
    policy: Policy
    providers: tuple[Provider, ...]
    fetcher: Fetcher
    sources: str
    out: Path
    settings: Settings
    version: str
    gaps: tuple[Gap, ...] = ()  # faults of the sources as a whole, e.g. unusable lines of the pool
    listing_sources: tuple[Source, ...] = ()  # asked once for each listing, beside the providers
    identity: tuple[IdentitySource, ...] = ()  # registers that say who an issuer is, asked before the search
    point_in_time: bool = False  # only pages that were provably public by the row's cutoff count
    fetcher_for: Callable[[Listing], Fetcher] | None = None  # another fetcher for each row, e.g. by its cutoff; None: `fetcher`
    resolve: Resolve | None = None  # where links of a search tool lead, on the live web
    kept: Kept | None = None
    recorded: Kept | None = None
    ledger: RunLedger = field(default_factory=RunLedger)
    risk: RiskModel | None = None
    models: ModelSetup | None = None  # who is asked beside the rules; None: rules alone decide
    again: Mapping[str, str] = field(default_factory=dict)  # rows to be looked at again though nothing of theirs changed, and why
    asked_since: dt.datetime | None = None  # answers that are older than this are not used again; None: as the settings say
    marks: Mapping[str, str] = field(default_factory=dict)  # opaque marks of the caller, kept with the check of a row
    due: Due | None = None  # when a row is to be looked at again; None: that is worked out by who looks

    elsewhere: OpenWorkers | None = None  # workers on other machines; None: processes on this one

    def open_workers(self, archive: Archive) -> AbstractAsyncContextManager[Workers]:
        """The workers of the run, which read the pages of `archive`."""
        return self.elsewhere(archive) if self.elsewhere else Engine(self.settings.workers, hold, (self.policy,))

    @property
    def live(self) -> bool:
        """Whether the run goes to the live web."""
        return self.kept is not None

    @cached_property
    def run_id(self) -> str:
        """Digest of all inputs: the same command gives the same run."""
        return "r" + hashlib.sha256("\n".join([*self._shared, *self.digests]).encode()).hexdigest()[:12]

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """The digest of the inputs of every row, in order."""
        rows = self.listings if isinstance(self.listings, Listings) else Listings(self.listings)
        return tuple(map(self._digest, rows.decisive()))

    def inputs(self, listing: Listing) -> str:
        """Digest of all that can change the record of one listing; columns that are carried through are not among it."""
        return self._digest(decisive(listing))

    def _digest(self, row: bytes) -> str:
        return hashlib.sha256(row + self._rest).hexdigest()

    @cached_property
    def _rest(self) -> bytes:
        return "".join(f"\n{each}" for each in self._shared).encode()

    @cached_property
    def _shared(self) -> tuple[str, ...]:
        limits = (self.settings.max_pages, self.settings.max_body_mb, self.settings.extract_timeout_s)
        mode: tuple[str, ...] = ("point in time",) if self.point_in_time else ()
        mode += (f"risk {self.risk.digest}",) if self.risk else ()
        mode += (f"models {self.models.digest}",) if self.models else ()
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
    over_budget: str = ""  # why no further call was paid for
    capped: list[str] = field(default_factory=list)  # rows that the cap of a record has stopped
    capped_at: list[int] = field(default_factory=list)  # their places
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
            free_dead_lock(plan.out / "archive")  # of a run that was killed when all its rows were done
            return result
        store.start_run(plan.run_id, version=plan.version, policy=plan.policy.policy_id, manifest=_manifest(plan), now=clock())
        with Archive(plan.out) as archive:
            async with plan.open_workers(archive) as engine:
                try:
                    await _work(_desk(plan, store, archive, engine, clock, on_event), todo, result, stop or asyncio.Event())
                except BaseExceptionGroup as group:  # rows run side by side: several may fail for the same reason
                    raise first_error(group) from group
    result.seconds = time.monotonic() - started
    return result


def _again(record: Record, *, live: bool) -> bool:
    """Whether the next run of the same command should try the row again: it failed, a provider did, or on the live web a page did
    that may come another time."""
    if record.error is not None or any(state.startswith("failed") for state in record.coverage.providers.values()):
        return True
    return live and any(gap.step == "fetch" and gap.passing for gap in record.coverage.gaps)


@dataclass(frozen=True, slots=True)
class _Desk:
    """What the rows of one run share. `began` is the start of the run, also when it is continued."""

    plan: RunPlan
    store: Store
    archive: Archive
    engine: Workers
    clock: Callable[[], dt.datetime]
    on_event: Callable[[Event], None]
    providers: tuple[Provider, ...]
    listing_sources: tuple[Source, ...]
    pages: PageDesk


def _desk(
    plan: RunPlan,
    store: Store,
    archive: Archive,
    engine: Workers,
    clock: Callable[[], dt.datetime],
    on_event: Callable[[Event], None],
) -> _Desk:
    began = dt.datetime.fromisoformat(store.started_at(plan.run_id) or clock().isoformat())
    reuse = clock() - dt.timedelta(hours=plan.settings.reuse_h)
    since = plan.asked_since or min(began, reuse)  # what this run has asked for is never asked again
    plan.ledger.bind(store, plan.run_id, clock, at_once=plan.settings.rows_at_once or max(plan.settings.workers, engine.at_once - 1))
    providers, sources = plan.providers, plan.listing_sources
    if plan.kept:
        providers = tuple(KeptProvider(provider, plan.kept, since=since, clock=clock, turn=plan.ledger.turn) for provider in providers)
        sources = tuple(KeptSource(source, plan.kept, since=since, clock=clock) for source in sources)
    max_body = plan.settings.max_body_mb << 20
    pages = PageDesk(archive, at=began, max_body=max_body, kept=plan.kept, since=since, clock=clock, bring=engine.bring)
    return _Desk(plan, store, archive, engine, clock, on_event, providers, sources, pages)


def _todo(plan: RunPlan, store: Store, result: RunResult, on_event: Callable[[Event], None]) -> list[int]:
    """Places of the rows without a current record for their inputs, or with one to be tried again."""
    finished = store.done(plan.digests)
    todo = []
    rows = plan.listings.row_ids if isinstance(plan.listings, Listings) else [listing.row_id for listing in plan.listings]
    for place, (row_id, inputs) in enumerate(zip(rows, plan.digests, strict=True)):
        if inputs not in finished or row_id in plan.again:
            todo.append(place)
        else:
            result.skipped += 1
            on_event(Event(Phase.SKIPPED, row_id))
    return todo


async def _work(desk: _Desk, todo: Sequence[int], result: RunResult, stop: asyncio.Event) -> None:
    """All rows, in one pass; where models are asked by batches, in one pass more after each round of them."""
    queue, over = list(reversed(todo)), ""
    while queue:
        held = await _pass(desk, queue, result, stop)
        queue += reversed(held)
        if not held or over or result.over_budget or stop.is_set():
            result.over_budget = result.over_budget or (over if held else "")
            break
        over = await _settled(desk, stop)
    listings = desk.plan.listings
    result.capped = [listings[place].row_id for place in sorted(result.capped_at)]
    if queue:
        result.interrupted = not result.over_budget
        result.waiting = [listings[place].row_id for place in sorted(queue)]


async def _pass(desk: _Desk, queue: list[int], result: RunResult, stop: asyncio.Event) -> list[int]:
    """Work on the rows of `queue` until it is empty, a cap is reached or `stop` is set; the rows whose answers wait in a batch."""
    held: list[int] = []

    async def worker() -> None:
        while queue and not stop.is_set() and not result.over_budget:
            place = queue.pop()
            try:
                await _one(desk, place, result)
            except AnswerPending:
                held.append(place)
            except BudgetBusy:
                queue.append(place)
                await desk.plan.ledger.freed()
            except BudgetExceeded as exc:
                result.over_budget = str(exc)
                queue.append(place)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(_rows_at_once(desk), len(queue))):
            group.create_task(worker())
    return sorted(held)


async def _settled(desk: _Desk, stop: asyncio.Event) -> str:
    """Batches sent and followed to their end; the cap that left no room for all, "" without one."""
    assert desk.plan.models

    def tell(news: BatchNews) -> None:
        told = "has ended" if news.ended else "is under way"
        desk.on_event(Event(Phase.BATCH, "", note=f"Batch {news.remote} {told}: {news.done} of {news.total} requests done."))

    try:
        await desk.plan.models.settle(stop, tell)
    except SourceUnusable as exc:
        advice = exc.advice or "Mend what the message names, then repeat the same command: what is done is kept."
        raise AdjudicatorUnusable(exc.message, subject=exc.subject, advice=advice) from exc
    except BudgetExceeded as exc:
        return str(exc)
    return ""


def _rows_at_once(desk: _Desk) -> int:
    """As many as keep all workers busy; the live web and models make rows wait, so more there."""
    ready = desk.engine.at_once
    return max(ready, desk.plan.settings.rows_at_once or ROWS_AT_ONCE) if desk.plan.live or desk.plan.models else ready


async def _one(desk: _Desk, position: int, result: RunResult) -> None:
    """Audit the row at a place and keep its record."""
    listing, inputs = desk.plan.listings[position], desk.plan.digests[position]
    desk.on_event(Event(Phase.STARTED, listing.row_id))
    with booked_to(listing.row_id) as tally:
        try:
            done = await _guarded(desk, listing, tally)
        except (BudgetExceeded, AnswerPending) as exc:
            desk.on_event(Event(Phase.HELD if isinstance(exc, AnswerPending) else Phase.STOPPED, listing.row_id))
            raise
    record = done.record
    gaps = record.coverage.gaps
    again = done.again or _again(record, live=desk.plan.live)
    ledger = [
        ("search", float(record.usage.searches), "queries", 0.0),  # calls that cost are booked when they are made
        ("fetch", float(record.usage.fetches), "pages", 0.0),
    ]
    why, mark = desk.plan.again.get(listing.row_id, "audit"), desk.plan.marks.get(listing.row_id, "")
    issues = [(gap.step, gap.url, f"{gap.outcome.value}: {gap.cause}", gap.next_step) for gap in gaps]
    look = Look(record, inputs, position, why, mark, desk.clock(), again=again, issues=tuple(issues), ledger=tuple(ledger))
    if keep_reviewed(desk.store, look, AUTHOR):
        pass
    elif standing := _standing(desk, listing.row_id, inputs, record, again=again):
        desk.store.confirm(record, inputs=inputs, outcome=standing, why=why, now=desk.clock(), ledger=ledger, mark=mark)
    else:
        desk.store.append(
            record, inputs=inputs, position=position, author=AUTHOR, why=why, now=look.now, again=again, issues=issues, ledger=ledger,
            mark=mark, due=desk.plan.due(record, again, look.now) if desk.plan.due else None,
        )  # fmt: skip
    result.done += 1
    result.capped_at += [position] if done.capped else []
    result.failed += record.error is not None
    result.faulty += bool(gaps) and record.error is None
    desk.on_event(Event(Phase.FAILED if record.error else Phase.DONE, listing.row_id, record))


def _standing(desk: _Desk, row_id: str, inputs: str, record: Record, *, again: bool) -> str:
    """What a second look says when the revision that is there stands: "same", or "failed" when the look itself came to nothing; "" when
    a new revision is due."""
    if row_id not in desk.plan.again or not desk.store.is_done(row_id, inputs):
        return ""
    before = desk.store.current(row_id)
    if before is None:
        return ""
    return "failed" if again else "same" if says_same(before, record) else ""


@dataclass(frozen=True, slots=True)
class _Done:
    """The record of a row; `again`: the next run asks once more; `capped`: the cap of a record has stopped a call."""

    record: Record
    again: bool = False
    capped: bool = False


async def _guarded(desk: _Desk, listing: Listing, tally: Tally) -> _Done:
    """The record of a row; what its steps did not foresee fails the row. A store that cannot be used stops the run, and so do the cap
    of the run, and an adjudicator or workers that cannot be reached any more."""
    began = time.monotonic()
    try:
        return await _row(desk, listing, tally)
    except RecordBudgetExceeded as exc:
        seconds = time.monotonic() - began
        return _Done(_failed(desk.plan, listing, Coverage(statement=str(exc)), tally, error=str(exc), seconds=seconds), True, True)
    except (StoreError, IntegrityError, BudgetExceeded, AdjudicatorUnusable, AnswerPending, EngineLost):
        raise
    except Exception as exc:  # noqa: BLE001 - the one outer boundary: a bug fails its row, not the run
        place = traceback.extract_tb(exc.__traceback__)[-1]
        error = f"{type(exc).__name__}: {exc} ({Path(place.filename).name}:{place.lineno})"
        return _Done(_failed(desk.plan, listing, Coverage(statement=error), tally, error=error, seconds=time.monotonic() - began))


async def _row(desk: _Desk, listing: Listing, tally: Tally) -> _Done:
    plan, began = desk.plan, time.monotonic()
    without = plan.models is not None and plan.models.arm is not Arm.WEB  # arms that are shown no pages of ours search none
    asked = () if without else build_queries(listing, plan.policy)
    found = SearchOutcome(hits=(), providers={}, queries=()) if without else await _searched(desk, listing, asked)
    fetcher = plan.fetcher_for(listing) if plan.fetcher_for else plan.fetcher
    exhibits, gaps, fetches = await desk.pages.fetch(fetcher, found.hits)
    if plan.kept and not without:
        used = Used(pages={url: digest for digest, url, _ in exhibits}, gaps=tuple(gaps))
        await asyncio.to_thread(plan.kept.keep_used, listing, asked, used, desk.clock(), point_in_time=plan.point_in_time)
    task = Task(
        listing=found.listing or listing,
        exhibits=exhibits,
        archive=plan.out,
        policy=plan.policy.policy_id,
        queries=found.queries,
        providers=found.providers,
        gaps=(*found.gaps, *gaps),
        notes=found.notes,
        unread=_unread(found.hits, gaps),
        extract_timeout_s=plan.settings.extract_timeout_s,
        point_in_time=plan.point_in_time,
        pack=plan.models.pack_plan if plan.models else None,
        max_pages=plan.settings.max_pages,
    )
    further = Further(plan.policy, desk.providers, desk.pages, fetcher, live=plan.live, resolve=plan.resolve)
    told: Consulted | None = None

    def made(of: Judgement, told: Consulted | None) -> Record:
        usage = Usage(searches=found.requests + further.searches, fetches=fetches + further.fetches)
        return _record(plan, listing, of, tally, usage=usage, seconds=time.monotonic() - began, told=told)

    def risky(told: Consulted) -> bool:
        return plan.risk is not None and not opinion(plan.risk, made(told.judgement, told)).within

    try:
        judgement = await desk.engine.run(judge, task)
        if plan.models and judgement.error is None:
            told = await consult(plan.models, plan.policy, desk.engine, task, judgement, further.official, further.cited, risky)
    except WorkerDied as exc:
        covered = Coverage(queries=tuple(q.text for q in found.queries), providers=found.providers, gaps=task.gaps, statement=str(exc))
        usage = Usage(searches=found.requests, fetches=fetches)
        return _Done(_failed(plan, listing, covered, tally, error=str(exc), seconds=time.monotonic() - began, usage=usage))
    record = made(judgement, told)
    return _Done(record, told.again, told.capped) if told else _Done(record)


def _unread(hits: Sequence[Hit], gaps: Sequence[Gap]) -> tuple[Hit, ...]:
    closed = {gap.url for gap in gaps if is_closed(gap)}
    return tuple(hit for hit in hits if hit.url in closed)


async def _searched(desk: _Desk, listing: Listing, asked: tuple[Query, ...]) -> SearchOutcome:
    """What a search for the row gives; over the archive of a live run what it gave then, where the same was asked."""
    plan = desk.plan
    if plan.recorded and (before := plan.recorded.outcome(listing, asked)):
        return SearchOutcome.model_validate_json(before)
    known = await identify(listing, plan.identity)
    queries = build_queries(known.listing, plan.policy) if plan.identity else asked
    sent = with_hints(queries, country=listing.country) if plan.live else queries
    found = await search(known.listing, plan.policy, desk.providers, plan.settings.max_pages, queries=sent, sources=desk.listing_sources)
    if plan.identity:
        wider = known.listing if known.listing != listing else None
        found = found.model_copy(update={"listing": wider, "notes": (*known.warnings, *found.notes)})
    if plan.kept:
        await plan.kept.at_once(plan.kept.keep_outcome, listing, asked, found, desk.clock())
    return found


def _record(
    plan: RunPlan, listing: Listing, judgement: Judgement, tally: Tally, *, usage: Usage, seconds: float, told: Consulted | None
) -> Record:
    if told:
        judgement = replace(told.judgement, verdict=told.verdict, audit=told.audit)
    verdict, audit, coverage = judgement.verdict, judgement.audit, judgement.coverage
    opinions = told.adjudication.opinions if told else ()
    counted = {
        "pages": judgement.pages,
        "bytes": judgement.bytes,
        "input_tokens": sum(opinion.input_tokens for opinion in opinions if not opinion.cached),
        "output_tokens": sum(opinion.output_tokens for opinion in opinions if not opinion.cached),
    }
    record = Record(
        row_id=listing.row_id,
        listing=listing,
        event_type=plan.policy.definition.event_type,
        cutoff=listing.cutoff,
        status=verdict.status,
        announcement_date=verdict.announcement_date,
        reason=verdict.reason,
        disclosure_type=verdict.disclosure_type,
        confidence=verdict.confidence,
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
        model=told.model if told else None,
        usage=usage.model_copy(update=counted),
        cost_usd=tally.cost,
        latency_s=round(seconds, 3),
        run_id=plan.run_id,
        version=plan.version,
        error=judgement.error,
        adjudication=told.adjudication if told else None,
    )
    return _routed(plan, record, plan.models.asking.routing.route if plan.models and told else ())


def _routed(plan: RunPlan, record: Record, first: Sequence[RouteRule]) -> Record:
    """The record with its estimated risks and its route; what the risk model says comes after the sentences of the table."""
    said = opinion(plan.risk, record) if plan.risk else None
    risk = (said.risks or {}) if said else None
    decided, reasons = route_record(plan.policy, record, risk=risk, risk_within=said.within if said else None, first=first)
    if record.adjudication and record.adjudication.codes and decided is Route.REVIEW:
        doubts = ", ".join(code.replace("_", " ") for code in record.adjudication.codes)
        reasons = (*reasons, f"Left to doubt: {doubts}.")
    if note := record.listing.venue_note:
        if decided is Route.ACCEPT and note.startswith(CONTRADICTED):
            decided, reasons = Route.REVIEW, ()
        reasons = (*reasons, note)
    changes: dict[str, object] = {"route": decided, "route_reasons": reasons}
    if said and plan.risk:
        told = (said.sentence,) if said.sentence else ()
        changes |= {"risk": said.risks, "risk_model": plan.risk.model_id, "route_reasons": (*reasons, *told)}
    return record.model_copy(update=changes)


def _failed(
    plan: RunPlan, listing: Listing, coverage: Coverage, tally: Tally, *, error: str, seconds: float, usage: Usage | None = None
) -> Record:
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
        cost_usd=tally.cost,
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
        **({"arm": plan.models.arm.value, "models": plan.models.names, "batch": bool(plan.models.batches)} if plan.models else {}),
        "risk": plan.risk.model_id if plan.risk else None,
        "settings": public_settings(plan.settings),
    }

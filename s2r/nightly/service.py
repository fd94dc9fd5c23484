"""The service: jobs of `schedule.toml` on time (UTC), one at a time, missed ones once at the start; paused and resumed by a file."""

from __future__ import annotations

import asyncio
import datetime as dt
import queue
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED, JobEvent
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from s2r.errors import S2RError
from s2r.nightly.keeping import keep_copy, tidy
from s2r.nightly.night import FOLDER, Context, NightOutcome, run_night
from s2r.nightly.notices import Channel, tell
from s2r.policy.schedule import Job
from s2r.store import Store
from s2r.store.nights import FAILED, RUNNING, Nights
from s2r.vendor.audit import Delivery

PAUSED = "paused"  # a file in the folder of nights; its text says why
LISTEN_S = 0.5  # between two looks for what is asked for
GRACE_S = 6 * 3600  # a job that could not start in time, as the loop was busy, may start this much later
Say = Callable[[str], None]


@dataclass(frozen=True)
class Desk:
    """What the jobs work with. `deliver` reads the vendor's feed anew for each night; None: there is none."""

    context: Context
    channels: Sequence[Channel]
    say: Say
    deliver: Callable[[], Delivery] | None = None

    @property
    def out(self) -> Path:
        """The run folder."""
        return self.context.files.out


@dataclass(frozen=True, slots=True)
class Ask:
    """A job that somebody wants to run now, beside its times; `rows` are looked at whatever their checks say."""

    job: str
    rows: tuple[str, ...] = ()
    by: str = ""


def trigger(job: Job) -> CronTrigger:
    """When a job runs, in UTC: a local hour would come twice or not at all when clocks change."""
    return CronTrigger(hour=job.hour, minute=job.minute, day_of_week=job.weekday, timezone=dt.UTC)


def next_run(job: Job, after: dt.datetime) -> dt.datetime | None:
    """The first time of a job after a moment (UTC)."""
    found = trigger(job).get_next_fire_time(after, after)
    moment = found.astimezone(dt.UTC) if found is not None else None
    if moment == after:
        later = after + dt.timedelta(seconds=1)
        found = trigger(job).get_next_fire_time(later, later)
        moment = found.astimezone(dt.UTC) if found is not None else None
    return moment


def is_missed(job: Job, last: dt.datetime | None, now: dt.datetime) -> bool:
    """Whether a time of the job has passed since it last ran; a job that never ran waits for its first time."""
    if last is None:
        return False
    due = next_run(job, last)
    return due is not None and due <= now


def pause(out: Path, why: str) -> None:
    """Keep jobs from starting until `resume`; a night at work goes on."""
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    (out / FOLDER / PAUSED).write_text(why or "no reason given", "utf-8")


def resume(out: Path) -> None:
    """Let jobs start again."""
    (out / FOLDER / PAUSED).unlink(missing_ok=True)


def paused(out: Path) -> str:
    """Why jobs do not start; "" when they do."""
    try:
        return (out / FOLDER / PAUSED).read_text("utf-8") or "no reason given"
    except OSError:
        return ""


async def work(desk: Desk, job: Job, stop: asyncio.Event | None = None, rows: Sequence[str] = ()) -> NightOutcome | None:
    """Run a job once, with `rows` looked at in any case; a fault of it is noted and told, and never ends the service."""
    if why := paused(desk.out):
        desk.say(f"{job.id}: paused ({why})")
        return None
    context, outcome = desk.context, None
    try:
        if job.command == "tidy":
            gone = tidy(desk.out, context.schedule.retention, context.clock())
            _note(desk, job, {"removed": gone})
            desk.say(f"{job.id}: {len(gone)} reports of nights removed")
        else:
            number = _number(desk.out)
            keep_copy(desk.out, number, context.schedule.retention.backups)
            delivery = desk.deliver() if desk.deliver else None
            outcome = await run_night(context, job=job.id, delivery=delivery, only=rows, stop=stop)
            desk.say(f"{job.id}: night {outcome.night.id}, {outcome.report.looked_at} looked at, {outcome.report.carried} carried forward")
    except S2RError as exc:
        desk.say(f"{job.id}: {exc}")
        _note(desk, job, {"error": str(exc)})
    for fault in await tell(desk.out, desk.channels, context.schedule.notices, context.clock()):
        desk.say(fault)
    return outcome


def _number(out: Path) -> int:
    if not (out / "s2r.db").is_file():
        return 0
    with Store(out / "s2r.db") as store:
        return max((night.id for night in Nights(store).all()), default=0)


def _note(desk: Desk, job: Job, outcome: dict[str, object]) -> None:
    """Note a job that made no night: one that failed before its work, or one that only tidied."""
    now = desk.context.clock()
    state = FAILED if "error" in outcome else "done"
    with Store(desk.out / "s2r.db") as store:
        nights = Nights(store)
        if any(night.job == job.id and night.state == RUNNING for night in nights.all()):
            return  # it is gone on with next time
        night, _ = nights.open(job.id, now, {})
        nights.close(night, state, outcome, now)


async def serve(desk: Desk, stop: asyncio.Event, asks: queue.Queue[Ask] | None = None) -> None:
    """Run the jobs of the schedule, and those that are asked for, until `stop` is set; the night at work then finishes its rows and is gone
    on with next time."""
    one_at_a_time = asyncio.Lock()
    jobs = {job.id: job for job in desk.context.schedule.job if not job.pause}
    beginning: set[asyncio.Task[None]] = set()

    async def run(name: str, rows: Sequence[str] = ()) -> None:
        async with one_at_a_time:
            if not stop.is_set():
                await work(desk, jobs[name], stop, rows)

    def begin(name: str, rows: Sequence[str] = ()) -> None:
        beginning.add(task := asyncio.create_task(run(name, rows)))
        task.add_done_callback(partial(_ended, desk.say, name))

    async def listen(asked: queue.Queue[Ask]) -> None:
        while True:  # they come from other threads, so there is nothing to wait on
            try:
                ask = asked.get_nowait()
            except queue.Empty:
                await asyncio.sleep(LISTEN_S)
                continue
            desk.say(f"{ask.job}: asked for by {ask.by}{', rows ' + ' '.join(ask.rows) if ask.rows else ''}")
            begin(ask.job, ask.rows)

    scheduler = AsyncIOScheduler(timezone=dt.UTC, job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": GRACE_S})
    scheduler.add_listener(lambda event: _listen(desk.say, event), EVENT_JOB_MISSED | EVENT_JOB_ERROR | EVENT_JOB_MAX_INSTANCES)
    scheduler.start()
    for job in jobs.values():
        scheduler.add_job(run, trigger(job), args=(job.id,), id=job.id, replace_existing=True)
        desk.say(f"{job.id}: next at {next_run(job, desk.context.clock())} UTC")
    for name in missed(desk, jobs.values()):
        desk.say(f"{name}: a time was missed while the service was down; it runs now")
        begin(name)
    ears = asyncio.create_task(listen(asks)) if asks is not None else None
    try:
        await stop.wait()
        async with one_at_a_time:  # let the job at work end
            pass
        await asyncio.gather(*beginning, return_exceptions=True)
    finally:
        if ears is not None:
            ears.cancel()
        scheduler.shutdown(wait=False)


def missed(desk: Desk, jobs: Iterable[Job]) -> list[str]:
    """Ids of jobs whose time passed while nothing ran, or whose night was cut off; each once, however many times were missed."""
    given = list(jobs)
    if not (desk.out / "s2r.db").is_file():
        return []
    with Store(desk.out / "s2r.db") as store:
        nights = Nights(store).all()
    found = []
    for job in given:
        own = [night for night in nights if night.job == job.id]
        cut = any(night.state == RUNNING for night in own)
        if cut or is_missed(job, own[-1].started_at if own else None, desk.context.clock()):
            found.append(job.id)
    return found


def _ended(say: Say, name: str, task: asyncio.Task[None]) -> None:
    """Say what a missed job died of, as the scheduler's listener does of others."""
    if not task.cancelled() and (fault := task.exception()):
        say(f"{name}: {type(fault).__name__}: {fault}")


def _listen(say: Say, event: JobEvent) -> None:
    """Say what the scheduler did not run."""
    if event.code == EVENT_JOB_MAX_INSTANCES:
        say(f"{event.job_id}: its time came while it was still at work; this time is left out")
    elif event.code == EVENT_JOB_MISSED:
        say(f"{event.job_id}: its time was missed")
    else:
        say(f"{event.job_id}: {type(event.exception).__name__}: {event.exception}")

"""Nights: their history and changes, the jobs with their next times, pause and resume, and a night or a retry of rows right now."""

from __future__ import annotations

import datetime as dt
import queue
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field, ValidationError

from s2r.access import Role, User
from s2r.nightly.changes import Change, ChangeReport
from s2r.nightly.night import FOLDER
from s2r.nightly.service import Ask, next_run, pause, paused, resume
from s2r.store.nights import Night, Nights
from s2r.web.guard import DeskDep, StoreDep, needs
from s2r.web.paging import After, Before, Limit, Listed, Number
from s2r.web.problems import Problem, problems

router = APIRouter(tags=["nights"], dependencies=[Depends(needs(Role.VIEWER))])
Admin = Annotated[User, Depends(needs(Role.ADMIN))]


class NightLine(BaseModel):
    """One run of the service. `outcome` holds its numbers, `told` whether its notice was sent or none is due."""

    id: int
    job: str
    state: str
    started_at: dt.datetime
    finished_at: dt.datetime | None
    outcome: dict[str, object]
    told: bool


class JobLine(BaseModel):
    """A job of schedule.toml with its next time (UTC); null while it is paused there."""

    id: str
    command: str
    next_at: dt.datetime | None


class Jobs(BaseModel):
    """The jobs, whether they run in this process, and why none starts ("" when they do)."""

    running_here: bool
    paused: str
    items: list[JobLine]


class PauseWish(BaseModel):
    """Why no job is to start."""

    reason: str = Field(min_length=1, max_length=500)


class RunWish(BaseModel):
    """A job to run now; `rows` are looked at again whatever their checks say."""

    job: str = Field(min_length=1, max_length=200)
    rows: list[Annotated[str, Field(min_length=1, max_length=500)]] = Field(default_factory=list, max_length=1000)


class Paused(BaseModel):
    """Why no job starts, "" when they do."""

    paused: str


class Asked(BaseModel):
    """What was asked for; it begins when the job at work has ended."""

    job: str
    rows: list[str]
    waiting: int


@router.get("/nights", summary="History of nights")
def list_nights(store: StoreDep, before: Before = None, limit: Limit = 100) -> Listed[NightLine]:
    """Nights, newest first."""
    nights = Nights(store).all()[::-1]
    found = [night for night in nights if before is None or night.id < before]
    items = [_line(night) for night in found[:limit]]
    return Listed[NightLine](items=items, total=len(nights), next=str(items[-1].id) if len(found) > limit else None)


@router.get("/nights/{number}", summary="One night", responses=problems(404))
def one_night(store: StoreDep, number: Number) -> NightLine:
    """A night by its number."""
    return _line(_night(store, number))


@router.get("/nights/{number}/changes", summary="What a night changed", responses=problems(404))
def changes(store: StoreDep, desk: DeskDep, number: Number, after: After = "", limit: Limit = 100, kind: str = "") -> Listed[Change]:
    """The changes of a night in the order of its report; `kind` is new, changed, withdrawn, expired, confirmed or failed."""
    _night(store, number)
    path = desk.out / FOLDER / f"{number:05d}" / "changes.json"
    try:
        report = ChangeReport.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise Problem(404, f"Night {number} has no report.", "It is at work, failed, or its report was removed after its time.") from None
    found = [change for change in report.changes if not kind or change.kind == kind]
    start = int(after) if after.isascii() and after.isdigit() and len(after) < 10 else 0
    more = start + limit < len(found)
    return Listed[Change](items=found[start : start + limit], total=len(found), next=str(start + limit) if more else None)


@router.get("/jobs", summary="Jobs and their next times")
def list_jobs(desk: DeskDep) -> Jobs:
    """The jobs of schedule.toml."""
    now = desk.clock()
    items = [JobLine(id=job.id, command=job.command, next_at=None if job.pause else next_run(job, now)) for job in desk.schedule.job]
    return Jobs(running_here=desk.asks is not None, paused=paused(desk.out), items=items)


@router.post("/nights/pause", summary="Let no job start")
def pause_jobs(desk: DeskDep, user: Admin, wish: PauseWish) -> Paused:
    """From now on no job starts; a night at work goes on."""
    pause(desk.out, f"{wish.reason} ({user.name})")
    return Paused(paused=paused(desk.out))


@router.post("/nights/resume", summary="Let jobs start again")
def resume_jobs(desk: DeskDep, user: Admin) -> Paused:
    """Jobs start again at their times."""
    resume(desk.out)
    return Paused(paused=paused(desk.out))


@router.post("/nights/run", summary="Run a job now, retry rows", status_code=202, responses=problems(404, 409))
def run_now(desk: DeskDep, user: Admin, wish: RunWish) -> Asked:
    """Ask for a job; it begins as soon as no other is at work. With `rows` these are looked at again."""
    if desk.asks is None:
        raise Problem(409, "No jobs run in this process.", "Use `s2r nightly` (`--row ROW_ID` for one row), or serve without --web-only.")
    if why := paused(desk.out):
        raise Problem(409, f"The service is paused: {why}", "POST /api/v1/nights/resume first.")
    if wish.job not in {job.id for job in desk.schedule.job if not job.pause and job.command == "nightly"}:
        raise Problem(404, f"There is no job {wish.job} that makes a night.", "GET /api/v1/jobs lists all.")
    unknown = _unknown(desk, wish.rows)
    if unknown:
        raise Problem(404, f"There is no row {unknown[0]}.", "GET /api/v1/records lists all.")
    try:
        desk.asks.put_nowait(Ask(wish.job, tuple(wish.rows), user.name))
    except queue.Full:
        raise Problem(409, "Too many jobs wait already.", "Wait until some have begun.") from None
    return Asked(job=wish.job, rows=wish.rows, waiting=desk.asks.qsize())


def _unknown(desk: DeskDep, rows: list[str]) -> list[str]:
    if not rows or not desk.store_path.is_file():
        return rows
    with desk.read() as store:
        return [row for row in rows if not store.history(row)]


def _night(store: StoreDep, number: int) -> Night:
    found = next((night for night in Nights(store).all() if night.id == number), None)
    if found is None:
        raise Problem(404, f"There is no night {number}.", "GET /api/v1/nights lists all.")
    return found


def _line(night: Night) -> NightLine:
    return NightLine(
        id=night.id, job=night.job, state=night.state, started_at=night.started_at, finished_at=night.finished_at, outcome=night.outcome,
        told=night.told,
    )  # fmt: skip

"""`policies/schedule.toml`: when the service works, how soon a row is looked at again, what it may cost, how long things are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from s2r.models.decision import Route, Stage, Status
from s2r.models.listing import Frozen
from s2r.policy.lines import Path_
from s2r.policy.load import PolicyFault, load_optional, optional_faults
from s2r.policy.structure import Problem, each_of, one_of

FILE = "schedule.toml"


class CadenceRule(Frozen):
    """Days after which a row is looked at again; the first rule whose conditions all hold counts, one that is not set always holds.
    `stage`: steps that a page states of this listing, within `within_days` before the last look (an open warning); `min_risk`: of any
    target of a fitted risk model."""

    days: float = Field(gt=0)
    status: tuple[str, ...] = ()
    route: tuple[str, ...] = ()
    stage: tuple[str, ...] = ()
    within_days: int = Field(400, ge=0)
    min_risk: float | None = Field(None, ge=0, le=1)
    note: str = ""


class Cadence(Frozen):
    """How soon rows are looked at again though nothing of theirs changed."""

    days: float = Field(90.0, gt=0)
    failed_days: float = Field(1.0, gt=0)  # after a look that came to nothing
    rule: tuple[CadenceRule, ...] = ()


class Job(Frozen):
    """One job of the service, in UTC. `hour` and `minute` as in cron ("2", "*/6"), `weekday` as "mon-fri"; `command` is nightly or
    tidy."""

    id: str
    command: str = "nightly"
    hour: str = "2"
    minute: str = "30"
    weekday: str = "*"
    pause: bool = False


class Budget(Frozen):
    """What may be spent, USD; a night also stays under what is left of its month (UTC). None: no cap."""

    night_usd: float | None = Field(None, ge=0)
    month_usd: float | None = Field(None, ge=0)


class Retention(Frozen):
    """Days for which reports of nights are kept (0: for ever), and how many copies of the store that are made before a night. Records and
    archive are evidence and never go."""

    nights_days: int = Field(400, ge=0)
    backups: int = Field(7, ge=0)


class Notices(Frozen):
    """Who is told of a night. Addresses are secrets and come from the environment: S2R_NOTICE_URLS holds those of `apprise` (mail,
    chat), S2R_NOTICE_WEBHOOK one that gets the change report as JSON. `when`: always, changes or faults."""

    when: str = "changes"
    tries: int = Field(5, ge=1, le=50)


class Schedule(Frozen):
    """schedule.toml."""

    cadence: Cadence = Cadence()
    job: tuple[Job, ...] = ()
    budget: Budget = Budget()
    retention: Retention = Retention()
    notices: Notices = Notices()


COMMANDS = ("nightly", "tidy")
WHEN = ("always", "changes", "faults", "never")


def load_schedule(root: Path) -> Schedule:
    """Load `schedule.toml` of a policies folder, the defaults without one; raise `PolicyError` with its first fault."""
    return load_optional(Schedule, root, FILE, schedule_problems)


def schedule_faults(root: Path) -> list[PolicyFault]:
    """Every fault of schedule.toml."""
    return optional_faults(Schedule, root, FILE, schedule_problems)


def schedule_problems(given: Schedule) -> Iterator[Problem]:
    """Faults of schedule.toml beyond its types."""
    for index, rule in enumerate(given.cadence.rule):
        path: Path_ = ("cadence", "rule", index)
        yield from each_of((*path, "status"), rule.status, tuple(s.value for s in Status))
        yield from each_of((*path, "route"), rule.route, tuple(r.value for r in Route))
        yield from each_of((*path, "stage"), rule.stage, tuple(s.value for s in Stage))
    seen: set[str] = set()
    for index, job in enumerate(given.job):
        path = ("job", index)
        if job.id in seen:
            yield (*path, "id"), f"the id {job.id!r} is used twice", "Give every job an id of its own."
        seen.add(job.id)
        yield from one_of((*path, "command"), job.command, COMMANDS)
        for key in ("hour", "minute"):
            if problem := _cron_problem(getattr(job, key), 24 if key == "hour" else 60):
                yield (*path, key), problem, 'Write it as in cron: "2", "0,12", "1-5", "*/6".'
        if not _WEEKDAYS.fullmatch(job.weekday):
            yield (*path, "weekday"), f"{job.weekday!r} names no days", 'Write "*", "mon-fri" or "sat,sun".'
    yield from one_of(("notices", "when"), given.notices.when, WHEN)


_DAY = "(?:mon|tue|wed|thu|fri|sat|sun)"
_WEEKDAYS = re.compile(rf"\*|{_DAY}(?:-{_DAY})?(?:,{_DAY}(?:-{_DAY})?)*")
_PART = re.compile(r"(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?")


def _cron_problem(text: str, end: int) -> str:
    """What is wrong with a field of hours or minutes below `end`, "" when nothing is."""
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            return f"{text!r} is no field of a schedule"
        if any(int(n) >= end for n in match.groups()[:2] if n) or match[3] == "0":
            return f"{text!r} is out of range"
    return ""

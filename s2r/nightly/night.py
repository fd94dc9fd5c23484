"""One night: choose the rows, audit them, compare with the vendor, report the changes, note the end; a cut-off night is gone on with."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from s2r.archive.lock import WriterLock
from s2r.errors import ConfigError, StoreError
from s2r.job import AuditFiles, AuditOutcome, LiveOptions, Make, ModelOptions, audit_files
from s2r.models import Listing, Listings, Record
from s2r.nightly.changes import ChangeReport, changes_of, count
from s2r.nightly.due import ROLLING, Stands, cadence_digest, choose, due_at, due_by, due_of_answer
from s2r.nightly.files import write_night
from s2r.nightly.trend import known_standing, standing, standing_mark, trend_charts
from s2r.pipeline import Event, RunPlan
from s2r.policy import Policy
from s2r.policy.schedule import Budget, Cadence, Schedule
from s2r.report.watching import read_watch
from s2r.settings import Settings
from s2r.store import Checked, Store
from s2r.store.answers import answers, revision_text
from s2r.store.nights import DONE, Night, Nights

if TYPE_CHECKING:
    from s2r.vendor.audit import Delivery, VendorOutcome

FOLDER = "nights"  # of the reports, in the run folder


@dataclass(frozen=True, slots=True)
class NightFiles:
    """Input and output of a night: the universe, a pool (None: the live web), the run folder that all nights share."""

    universe: Path
    pool: Path | None
    out: Path
    point_in_time: bool = False


@dataclass(frozen=True, slots=True)
class NightOutcome:
    """What a night left: its report, the audit, the comparison with a vendor, and where the files are."""

    night: Night
    report: ChangeReport
    audit: AuditOutcome
    vendor: VendorOutcome | None
    folder: Path


@dataclass(frozen=True)
class Context:
    """What all nights share."""

    files: NightFiles
    policy: Policy
    policies: Path
    settings: Settings
    schedule: Schedule
    clock: Callable[[], dt.datetime]
    live: LiveOptions | None = None
    models: ModelOptions | None = None


@contextmanager
def hold_night(out: Path) -> Iterator[None]:
    """Keep other services off a run folder; raises StoreError naming the one that is there."""
    folder = out / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = WriterLock(folder)
    except OSError as exc:
        raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(folder), advice="Choose another --out folder.") from exc
    except StoreError as exc:
        advice = f"Wait for it to end. If it is certainly gone, remove {folder / 'writer.lock'}."
        raise StoreError(f"another night {exc.message}", subject=str(out), advice=advice) from exc
    try:
        yield
    finally:
        lock.release()


async def run_night(
    context: Context,
    *,
    job: str = "nightly",
    delivery: Delivery | None = None,
    only: Sequence[str] = (),
    on_event: Callable[[Event], None] = lambda event: None,
    on_total: Callable[[int], None] = lambda total: None,
    stop: asyncio.Event | None = None,
) -> NightOutcome:
    """Run a night, or go on with one that was cut off. `only` are rows to look at whatever their checks say.

    Raises ConfigError before any work, StoreError when another service works on the folder.
    """
    files, clock = context.files, context.clock
    with hold_night(files.out):
        with Store(files.out / "s2r.db") as store:
            night, continued = Nights(store).open(job, clock(), {"spent_before": store.spent(), "only": list(only)})
            kept = night.outcome.get("only")
            wanted = [*map(str, kept), *only] if continued and isinstance(kept, list) else list(only)
            cap = night_cap(store, night, context.schedule.budget, context.live.max_usd if context.live else None)
        chooser = _Chooser(context, night, delivery, frozenset(wanted))
        try:
            audit = await audit_files(
                AuditFiles(files.universe, files.pool, files.out, ROLLING, night.started_at.date(), files.point_in_time),
                context.policy,
                context.policies,
                context.settings,
                clock=clock,
                on_event=on_event,
                on_total=on_total,
                stop=stop,
                live=replace(context.live or LiveOptions(), max_usd=cap),
                models=replace(context.models, max_usd=cap) if context.models else None,
                choose=chooser,
                due=due_by(context.schedule.cadence),
            )
        except ConfigError:
            if not continued:
                with Store(files.out / "s2r.db") as store:
                    Nights(store).discard(night)
            raise
        return _ended(context, night, chooser, audit, None if audit.result.waiting else _compared(files.out, delivery, context.policy))


def _compared(out: Path, delivery: Delivery | None, policy: Policy) -> VendorOutcome | None:
    """What the comparison with a vendor gave; its code is loaded by nights that have a feed."""
    if delivery is None:
        return None
    from s2r.vendor.audit import compare_run

    return compare_run(out, delivery, policy)


def _row_marks(delivery: Delivery | None, listings: Sequence[Listing]) -> Mapping[str, str] | None:
    if delivery is None:
        return None
    from s2r.vendor.marks import row_marks

    return row_marks(delivery.feed, listings)


def night_cap(store: Store, night: Night, budget: Budget, wanted: float | None) -> float | None:
    """The cap of a night as the run ledger counts it, over all that the folder has cost: what was spent before the night and the least of
    the caps of night, month and command; None without any."""
    before = float(str(night.outcome.get("spent_before", 0.0)))
    caps = [cap for cap in (budget.night_usd, wanted) if cap is not None]
    if budget.month_usd is not None:
        month = night.started_at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        this_night = store.spent() - before
        caps.append(max(0.0, budget.month_usd - (store.spent_since(month) - this_night)))
    return before + min(caps) if caps else None


class _Chooser:
    """Makes the plan of a night from the listings of the universe; keeps what it chose."""

    def __init__(self, context: Context, night: Night, delivery: Delivery | None, only: frozenset[str]) -> None:
        self._context, self._night, self._delivery, self._only = context, night, delivery, only
        self.looks: dict[str, str] = {}
        self.gone: dict[str, str] = {}
        self.rows = 0
        self.run_id = ""

    def __call__(self, make: Make, listings: Sequence[Listing]) -> RunPlan:
        with Store(self._context.files.out / "s2r.db") as store:
            checks = store.last_checks()
            if fill_due(store, checks, self._context.schedule.cadence):
                checks = store.last_checks()
            runs = store.runs()
            self.gone = _left(store, listings, checks, self._night.started_at)
        plan = make(listings)
        marks = _row_marks(self._delivery, listings)
        chosen = choose(
            listings,
            checks,
            plan.inputs,
            digests=plan.digests,
            night=self._night.started_at.date(),
            now=self._context.clock(),
            marks=marks,
            reasons=lambda check: _reason(runs.get(check.run_id, {}), plan),
        )
        self.looks = dict(chosen.looks)
        self.looks |= {row: "asked for" for row in self._only if row not in self.looks and not _since(checks.get(row), self._night)}
        self.rows = len(chosen.listings)
        kept = {row_id: check.mark for row_id, check in checks.items()}
        final = replace(
            make(chosen.listings), again=self.looks, asked_since=self._night.started_at, marks=marks if marks is not None else kept
        )
        self.run_id = final.run_id
        return final


def _since(check: Checked | None, night: Night) -> bool:
    return check is not None and check.checked_at >= night.started_at


def _reason(run: Mapping[str, object], plan: RunPlan) -> str:
    """What has changed since the run that a check was part of, when it is not the row itself."""
    try:
        sources = json.loads(str(run.get("manifest") or "{}")).get("sources")
    except (ValueError, AttributeError):
        sources = None
    changed = [
        name
        for name, one, other in (
            ("the policy", run.get("policy"), plan.policy.policy_id),
            ("the version of s2r", run.get("version"), plan.version),
            ("what is searched", sources, plan.sources),
        )
        if one is not None and one != other
    ]
    return f"{' and '.join(changed)} changed" if changed else "the row, its cutoff, a limit or a model changed"


def _left(store: Store, listings: Sequence[Listing], checks: Mapping[str, Checked], now: dt.datetime) -> dict[str, str]:
    """Rows that left the universe tonight; those that left before are known and not told again."""
    nights = Nights(store)
    here = set(listings.row_ids if isinstance(listings, Listings) else (listing.row_id for listing in listings))
    known = nights.withdrawn()
    tonight = now.isoformat()
    gone = [row_id for row_id in checks if row_id not in here and known.get(row_id, tonight) == tonight]
    nights.set_withdrawn([row_id for row_id in gone if row_id not in known], [row_id for row_id in known if row_id in here], now)
    return dict.fromkeys(gone, "the listing left the universe")


def fill_due(store: Store, checks: Mapping[str, Checked], cadence: Cadence) -> bool:
    """Work out when rows are looked at again where that is not known, or another cadence said so; whether there was any."""
    digest = cadence_digest(cadence)
    open_ = [check for check in checks.values() if check.cadence != digest or check.due_at is None]
    if not open_:
        return False
    known, due = answers(store), []
    for check in open_:
        answer = known.get((check.row_id, check.number))
        if answer is not None:
            moment = due_of_answer(*answer, check, cadence) or due_at(_stands(store, check), check, cadence)
            due.append((check.id, moment))
    if due:
        store.set_due(due, digest)
    return bool(due)


def _stands(store: Store, check: Checked) -> Record | Stands:
    try:
        return Stands.model_validate_json(revision_text(store, check.row_id, check.number))
    except ValidationError:
        found = store.revision(check.row_id, check.number)  # says what is wrong with it
        assert found
        return found


def _ended(context: Context, night: Night, chooser: _Chooser, audit: AuditOutcome, vendor: VendorOutcome | None) -> NightOutcome:
    """Report a night and note its end, unless rows wait: then the next one goes on with it."""
    files, now = context.files, context.clock()
    with Store(files.out / "s2r.db") as store:
        looks = store.checks_since(night.since)
        changes = changes_of(store, looks, chooser.gone)
        if looks:  # else all due days are those that the night began with
            fill_due(store, store.last_checks(), context.schedule.cadence)
        nights, mark = Nights(store).all(), standing_mark(store)
        unfinished = audit.result.over_budget or ("stopped" if audit.result.interrupted else "")
        looked = {change.row_id for change in changes if change.row_id not in chooser.gone}
        report = ChangeReport(
            night=night.id,
            job=night.job,
            started_at=night.started_at,
            finished_at=now,
            rows=chooser.rows,
            looked_at=len(looked),
            carried=chooser.rows - len(looked) - len(audit.result.waiting),
            counts=count(changes),
            usd=round(store.spent() - float(str(night.outcome.get("spent_before", 0.0))), 6),
            run_id=chooser.run_id,
            changes=changes,
            unfinished=unfinished,
        )
        outcome = {
            "counts": report.counts,
            "usd": report.usd,
            "rows": report.rows,
            "looked_at": report.looked_at,
            "over_budget": unfinished,
            "standing": known_standing(nights, mark) or standing(store),
            "standing_mark": mark,
        }
        ended = replace(night, finished_at=now, state=DONE, outcome=night.outcome | outcome)
        charts = trend_charts([*(one for one in nights if one.id != night.id), ended], night.job)
        watch = read_watch(_manifest(files.out / "run.json"))
        folder = write_night(files.out / FOLDER / f"{night.id:05d}", report, vendor, (*charts, *(watch.charts if watch else ())))
        if audit.result.interrupted:
            return NightOutcome(night, report, audit, vendor, folder)
        Nights(store).close(night, DONE, outcome, now)
        return NightOutcome(Nights(store).all()[-1], report, audit, vendor, folder)


def _manifest(path: Path) -> dict[str, object]:
    """What the run says of itself; nothing when it was stopped before that was written."""
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}

"""`s2r audit`: a universe in, records, queue and report out."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table

from s2r.cli.common import (
    EXIT_BUDGET,
    EXIT_FAULTS,
    EXIT_INTERRUPTED,
    EXIT_OK,
    MAX_FAULT_LINES,
    PlainConsole,
    check_feed_flags,
    emit,
    now,
    parse_day,
    read_policy,
    read_settings,
    stderr,
    stdout,
)
from s2r.cli.stopping import stoppable
from s2r.errors import ConfigError, PolicyError
from s2r.job import AuditFiles, AuditOutcome, LiveOptions, ModelOptions, audit_files
from s2r.modelapi import ModelRole
from s2r.models import Arm, Record
from s2r.nightly.due import due_by
from s2r.pipeline import Event, Phase
from s2r.pipeline.coverage import LACKING
from s2r.pipeline.models import NEEDED
from s2r.pipeline.run import Due
from s2r.policy import Policy
from s2r.policy.schedule import load_schedule
from s2r.settings import Settings, read_settings_file

if TYPE_CHECKING:
    from s2r.vendor.audit import Delivery


@click.command()
@click.argument("universe", type=click.Path(path_type=Path))
@click.option("--pool", type=click.Path(path_type=Path), help="Sealed pool: JSON lines, WARC, WACZ, or a folder of them.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out/audit"), show_default=True, help="Run folder; the scope of resume."
)
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--cutoff", callback=parse_day, help="Cutoff day YYYY-MM-DD for rows that have none.")
@click.option("--point-in-time", is_flag=True, help="Count only pages that were provably public by the cutoff; say what was lost.")
@click.option("--workers", type=int, help="Rows in work at once (default: number of cores).")
@click.option("--engine", type=click.Choice(["local", "dask"]), help="Who works on rows: processes here (default), or a Dask cluster.")
@click.option("--scheduler", help="Scheduler of that cluster, tcp://HOST:PORT.")
@click.option("--shared", help="Folder or object store that it shares with this machine, as fsspec names it (default: the run folder).")
@click.option("--max-pages", type=int, help="Pages read per listing.")
@click.option("--search", "search_text", default="", help="Live providers: a,b asks both, a>b asks b when a fails (default: all set up).")
@click.option("--model", help="Model that is asked, provider:name such as openai:gpt-5-mini (default: S2R_ADJUDICATOR_MODEL; none: rules).")
@click.option(
    "--arm", type=click.Choice([arm.value for arm in Arm]), help="What it knows: nothing, our pages, its own search (default: web)."
)
@click.option("--verifier", help="Second model, which sees the evidence and not the first answer (default: S2R_VERIFIER_MODEL).")
@click.option("--escalation", help="Stronger model for doubtful records (default: S2R_ESCALATION_MODEL).")
@click.option("--panel", type=click.Choice(list(NEEDED)), help="Ask all three models, and take what all or most of them say.")
@click.option("--batch", is_flag=True, help="Ask by the batch API of the provider: about half the price, minutes to hours later.")
@click.option("--max-usd-per-record", type=click.FloatRange(min=0), help="Ask no more about a record that has cost this (exit code 5).")
@click.option("--max-usd", type=click.FloatRange(min=0), help="Stop before the run folder has cost more than this (exit code 5).")
@click.option("--vendor", "feed", type=click.Path(path_type=Path), help="Afterwards compare the records with this feed of a vendor.")
@click.option("--as", "feed_name", default="", help="How the feed is read: a file of policies/vendors, by name.")
@click.option("--risk", help="Risk model: a name in risk/ of the policies, a JSON file, or none (default: what the policies choose).")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per record on stdout; everything human goes to stderr.")
def audit(
    *,
    universe: Path,
    pool: Path | None,
    out: Path,
    policy_name: str,
    policies: Path | None,
    cutoff: dt.date | None,
    point_in_time: bool,
    workers: int | None,
    engine: str | None,
    scheduler: str | None,
    shared: str | None,
    max_pages: int | None,
    search_text: str,
    model: str | None,
    arm: str | None,
    verifier: str | None,
    escalation: str | None,
    panel: str | None,
    batch: bool,
    max_usd_per_record: float | None,
    max_usd: float | None,
    feed: Path | None,
    feed_name: str,
    risk: str | None,
    as_json: bool,
) -> int:
    """Audit the listings of UNIVERSE (CSV, XLSX or Parquet), on a sealed pool or the live web. The same command again continues."""
    if pool and search_text:
        raise ConfigError("a pool is searched in place of the live web", subject="--search", advice="Give either --pool or --search.")
    check_feed_flags(feed, feed_name)
    cluster = {"engine": engine, "scheduler": scheduler, "shared": shared}
    settings = read_settings(policies=policies, workers=workers, max_pages=max_pages, risk=risk, **cluster)
    policy, root = read_policy(policy_name, settings)
    delivery = _delivery(feed, feed_name, policy, root) if feed else None  # a faulty feed is known before any work
    console = stderr()
    files = AuditFiles(universe=universe, pool=pool, out=out, cutoff=cutoff, today=now().date(), point_in_time=point_in_time)
    file = read_settings_file()
    live = LiveOptions(search_text, max_usd, os.environ, file)
    roles = {ModelRole.ADJUDICATOR: model, ModelRole.VERIFIER: verifier, ModelRole.ESCALATION: escalation}
    chosen = {role: name for role, name in roles.items() if name}
    models = ModelOptions(chosen, arm or "", panel or "", max_usd, max_usd_per_record, batch, os.environ, file)
    with progressing(console) as report:
        outcome = asyncio.run(_run(files, policy, root, settings, report, live, models))
    if as_json:
        for record in outcome.records():
            emit(record.model_dump(mode="json"))
    else:
        _table(stdout(), outcome)
    _summary(console, outcome)
    if outcome.result.interrupted:
        console.print(f"Stopped with {len(outcome.result.waiting)} rows waiting. Repeat the same command to continue.")
        return EXIT_INTERRUPTED
    if outcome.result.over_budget:
        console.print(f"{outcome.result.over_budget} {len(outcome.result.waiting)} rows wait.")
        return EXIT_BUDGET
    if outcome.result.capped:
        rows = f"{len(outcome.result.capped)} record{'s' if len(outcome.result.capped) != 1 else ''}"
        console.print(f"{rows} stopped at --max-usd-per-record. Repeat the same command with a higher one: they are asked again.")
        return EXIT_BUDGET
    code = EXIT_FAULTS if outcome.faulty else EXIT_OK
    if delivery is not None:
        return max(code, _compared(console, out, delivery, policy))
    return code


def _delivery(feed: Path, name: str, policy: Policy, root: Path) -> Delivery:
    from s2r.vendor.audit import read_delivery

    return read_delivery(feed, name, policy, root)


def _compared(console: PlainConsole, out: Path, delivery: Delivery, policy: Policy) -> int:
    from s2r.cli.vendor import show_comparison
    from s2r.vendor.audit import compare_run

    return show_comparison(console, compare_run(out, delivery, policy))


def _due(root: Path) -> Due | None:
    """When rows are due again, by the schedule of the policies; one that is faulty stops the service, and no audit."""
    try:
        return due_by(load_schedule(root).cadence)
    except PolicyError:
        return None


async def _run(
    files: AuditFiles, policy: Policy, root: Path, settings: Settings, report: Progressing, live: LiveOptions, models: ModelOptions
) -> AuditOutcome:
    stop = asyncio.Event()
    with stoppable(asyncio.get_running_loop(), stop):
        return await audit_files(
            files, policy, root, settings, clock=now, on_event=report.event, on_total=report.total, stop=stop, live=live, models=models,
            due=_due(root),
        )  # fmt: skip


class Progressing:
    """Progress by item: a live bar on a terminal, plain lines elsewhere."""

    def __init__(self, console: PlainConsole, bar: Progress | None) -> None:
        self._console, self._bar = console, bar
        self._task = bar.add_task("listings", total=None, running=0, failed=0, waiting=0) if bar else None
        self._done = self._running = self._failed = self._total = 0
        self._note = ""

    def total(self, rows: int) -> None:
        """How many rows the run has."""
        self._total = rows
        if not self._bar and rows:
            self._console.print(f"{rows} listing{'s' if rows != 1 else ''} in the universe")

    def _told(self, note: str) -> None:
        """A line for people, once as long as it stays the same."""
        if note != self._note:
            (self._bar.console if self._bar else self._console).print(note)
        self._note = note

    def event(self, event: Event) -> None:
        """Take one step of progress."""
        if event.note:
            self._told(event.note)
            return
        match event.phase:
            case Phase.STARTED:
                self._running += 1
            case Phase.SKIPPED:
                self._done += 1
            case Phase.STOPPED | Phase.HELD:
                self._running -= 1
            case Phase.DONE | Phase.FAILED:
                self._running -= 1
                self._done += 1
                self._failed += event.phase is Phase.FAILED
        waiting = max(0, self._total - self._done - self._running)
        if self._bar and self._task is not None:
            self._bar.update(
                self._task, completed=self._done, total=self._total, running=self._running, failed=self._failed, waiting=waiting
            )
        elif event.record is not None:
            self._console.print(f"{self._done}/{self._total} {_line(event.record)}")


def _line(record: Record) -> str:
    if record.error:
        return f"{record.row_id}: failed: {record.error}"
    day = f" {record.announcement_date} {record.reason or ''}" if record.announcement_date else ""
    return f"{record.row_id}: {record.status.value}{day} -> {record.route.value}"


@contextmanager
def progressing(console: PlainConsole) -> Iterator[Progressing]:
    if not console.is_terminal:
        yield Progressing(console, None)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("running {task.fields[running]}  failed {task.fields[failed]}  waiting {task.fields[waiting]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bar:
        yield Progressing(console, bar)


MAX_LINES = 60
MAX_WARNING_LINES, MAX_REASON, REASON_WIDTH = 5, 180, 60


def _table(console: PlainConsole, outcome: AuditOutcome) -> None:
    why = Column("reason", max_width=REASON_WIDTH, overflow="fold")
    table = Table("row", "listing", "cutoff", "status", "announced", why, "route", box=None, pad_edge=False)
    shown = 0
    for record in outcome.records():
        if shown == MAX_LINES:
            break
        shown += 1
        listing = record.listing
        day = str(record.announcement_date or "")
        table.add_row(
            record.row_id,
            f"{listing.issuer[:44]} ({listing.mic})",
            str(record.cutoff),
            record.status.value,
            day,
            record.reason or _missing(record.abstain_reason),
            record.route.value,
        )
    console.print(table)
    if outcome.rows > shown:
        console.print(f"first {shown} of {outcome.rows} records; all of them stand in {outcome.out / 'records.csv'}")


def _missing(why: str) -> str:
    """What an abstention says was missing, in short; what was searched stands in the files."""
    said = why.rpartition(LACKING)[2].strip()
    return said if len(said) <= MAX_REASON else f"{said[:MAX_REASON].rpartition(' ')[0]} …"


def _cost(outcome: AuditOutcome) -> str:
    """What the run cost over all its commands; an unknown price is never read as none."""
    if outcome.unknown_cost:
        names = ", ".join(kind.partition(":")[2] or kind for kind in outcome.unknown_cost)
        known = f"{'at most ' if outcome.at_most_usd else ''}${outcome.cost_usd:.4f}"
        return f"unknown (no price of {names}; known part {known})"
    if outcome.at_most_usd:
        return f"at most ${outcome.cost_usd:.4f} (${outcome.at_most_usd:.4f} of it for calls without an answer, which may not be billed)"
    return f"${outcome.cost_usd:.4f}" if outcome.cost_usd else "$0.00 (no paid call was made)"


def _summary(console: PlainConsole, outcome: AuditOutcome) -> None:
    if outcome.nothing_to_do:
        are = f"all {outcome.rows} records are" if outcome.rows != 1 else "the 1 record is"
        console.print(f"Nothing to do: {are} current in {outcome.out}.")
    counts = ", ".join(f"{n} {name}" for name, n in outcome.counts.items() if n)
    console.print(f"{outcome.rows} record{'s' if outcome.rows != 1 else ''}: {counts}. Cost: {_cost(outcome)}.")
    if outcome.proven or outcome.withheld:
        lost = ", ".join(f"{count} {why.replace('_', ' ')}" for why, count in outcome.withheld.items())
        text = f"Point in time: {sum(outcome.proven.values())} pages proven public by the cutoff, {sum(outcome.withheld.values())} withheld"
        console.print(f"{text} ({lost})." if lost else f"{text}.")
    if outcome.others:
        what = f"{outcome.others} record{'s' if outcome.others != 1 else ''} of rows that are not in this universe"
        console.print(f"{what} stay in the store; the files show this universe alone. Another universe needs another --out.")
    if outcome.rejected:
        were = "row of the universe was" if outcome.rejected == 1 else "rows of the universe were"
        console.print(f"{outcome.rejected} {were} rejected: {outcome.out / 'rejected.csv'}")
    if outcome.warnings:
        shown = outcome.warned[:MAX_WARNING_LINES]
        more = f", first {len(shown)}" if outcome.warnings > len(shown) else ""
        console.print(f"{outcome.warnings} warning{'s' if outcome.warnings != 1 else ''} on rows{more}:")
        for warning in shown:
            console.print(f"  {warning}")
        if outcome.warnings > len(shown):
            console.print(f"All of them: {outcome.out / 'run.json'}")
    if outcome.faults:
        shown = outcome.faults[:MAX_FAULT_LINES]
        more = f", first {len(shown)} of {outcome.fault_count}" if outcome.fault_count > len(shown) else ""
        console.print(f"{outcome.fault_count} fault{'s' if outcome.fault_count != 1 else ''}{more}:")
        for fault in shown:
            console.print(f"  {fault}")
        console.print(f"{'All of them' if more else 'They stand in'}: {outcome.out / 'run.json'}, and for each row `s2r show`.")
    console.print(
        f"Report: {outcome.out / 'report.html'}   Records: {outcome.out / 'records.jsonl'}   Review: {outcome.out / 'review_queue.xlsx'}"
    )

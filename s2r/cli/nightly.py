"""`s2r nightly`: one night of the service."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from s2r.cli.audit import Progressing, progressing
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
    read_policy,
    read_settings,
    stderr,
)
from s2r.cli.stopping import stoppable
from s2r.job import LiveOptions, ModelOptions
from s2r.lang.text import counted
from s2r.modelapi import ModelRole
from s2r.nightly.night import Context, NightFiles, NightOutcome, run_night
from s2r.nightly.notices import Channel, environment, open_channels, tell
from s2r.policy.schedule import load_schedule
from s2r.settings import read_settings_file

if TYPE_CHECKING:
    from s2r.vendor.audit import Delivery


@click.command()
@click.argument("universe", type=click.Path(path_type=Path))
@click.option("--pool", type=click.Path(path_type=Path), help="Sealed pool in place of the live web.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out/nights"), show_default=True, help="Run folder that all nights share."
)
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--point-in-time", is_flag=True, help="Count only pages that were provably public by the cutoff.")
@click.option("--workers", type=int, help="Rows in work at once (default: number of cores).")
@click.option("--search", "search_text", default="", help="Live providers, as for `s2r audit`.")
@click.option("--model", help="Model that is asked, provider:name (default: S2R_ADJUDICATOR_MODEL; none: rules).")
@click.option("--max-usd", type=click.FloatRange(min=0), help="Stop before this night has cost more; schedule.toml may say less.")
@click.option("--vendor", "feed", type=click.Path(path_type=Path), help="Afterwards compare the records with this feed of a vendor.")
@click.option("--as", "feed_name", default="", help="How the feed is read: a file of policies/vendors, by name.")
@click.option("--row", "rows", multiple=True, help="Look at this row whatever its check says; may be given several times.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per change on stdout.")
def nightly(
    *,
    universe: Path,
    pool: Path | None,
    out: Path,
    policy_name: str,
    policies: Path | None,
    point_in_time: bool,
    workers: int | None,
    search_text: str,
    model: str | None,
    max_usd: float | None,
    feed: Path | None,
    feed_name: str,
    rows: tuple[str, ...],
    as_json: bool,
) -> int:
    """Audit what changed or expired in UNIVERSE since the last night, and report it. Rows without a cutoff are asked about today."""
    check_feed_flags(feed, feed_name)
    settings = read_settings(policies=policies, workers=workers)
    policy, root = read_policy(policy_name, settings)
    file = read_settings_file()
    chosen = {ModelRole.ADJUDICATOR: model} if model else {}
    context = Context(
        files=NightFiles(universe, pool, out, point_in_time),
        policy=policy,
        policies=root,
        settings=settings,
        schedule=load_schedule(root),
        clock=now,
        live=LiveOptions(search_text, max_usd, os.environ, file),
        models=ModelOptions(chosen, max_usd=max_usd, env=os.environ, file=file),
    )
    delivery: Delivery | None = None
    if feed:
        from s2r.vendor.audit import read_delivery

        delivery = read_delivery(feed, feed_name, policy, root)
    channels = open_channels(environment(), settings)
    console = stderr()
    with progressing(console) as report:
        outcome, untold = asyncio.run(_run(context, delivery, rows, report, channels))
    for fault in untold:
        console.print(f"Notice not sent: {fault}")
    if as_json:
        for change in outcome.report.changes:
            emit(change.model_dump(mode="json"))
    return show_night(console, outcome)


async def _run(
    context: Context, delivery: Delivery | None, rows: tuple[str, ...], report: Progressing, channels: Sequence[Channel]
) -> tuple[NightOutcome, list[str]]:
    """The night, and why notices of nights that have ended could not be sent; the next night tries these again."""
    stop = asyncio.Event()
    with stoppable(asyncio.get_running_loop(), stop):
        outcome = await run_night(context, delivery=delivery, only=rows, on_event=report.event, on_total=report.total, stop=stop)
        return outcome, await tell(context.files.out, channels, context.schedule.notices, context.clock())


def show_night(console: PlainConsole, outcome: NightOutcome) -> int:
    """Print a night; the exit code is that of its audit."""
    r = outcome.report
    counts = ", ".join(f"{n} {kind}" for kind, n in r.counts.items() if n) or "nothing changed"
    console.print(
        f"Night {r.night}: {r.rows} listings, {r.looked_at} looked at, {r.carried} carried forward; {counts}. Known cost ${r.usd:.4f}."
    )
    if outcome.vendor:
        s = outcome.vendor.summary
        console.print(f"{s.challenges} challenges to {s.vendor}, {s.ready} of them ready to send: {outcome.vendor.written.folder}")
    console.print(f"Report: {outcome.folder / 'report.html'}")
    result = outcome.audit.result
    if result.interrupted:
        console.print(f"Stopped with {len(result.waiting)} rows waiting. Repeat the same command to continue.")
        return EXIT_INTERRUPTED
    if result.over_budget:
        console.print(f"{result.over_budget} {len(result.waiting)} rows wait for the next night.")
        return EXIT_BUDGET
    audit, broken = outcome.audit, outcome.vendor.summary.broken if outcome.vendor else 0
    if audit.newly_faulty:
        console.print(
            f"Something could not be read ({counted(audit.fault_count, 'fault')}): this ends with exit code {EXIT_FAULTS}; the first ones:"
        )
        for fault in audit.faults[:MAX_FAULT_LINES]:
            console.print(f"  {fault}")
    if broken:
        console.print(
            f"{broken} rows of the vendor's feed could not be read (exit code {EXIT_FAULTS}): see the comparison's list of defects."
        )
    return EXIT_FAULTS if audit.newly_faulty or broken else EXIT_OK

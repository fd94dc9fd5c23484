"""`s2r serve`, `s2r nights`, `s2r backup`, `s2r restore`: the service, its history, and copies of its folder."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import click
from rich.table import Table

from s2r.cli.common import EXIT_FAULTS, EXIT_OK, check_feed_flags, emit, now, read_policy, read_settings, stderr, stdout
from s2r.errors import ConfigError
from s2r.job import LiveOptions, ModelOptions
from s2r.nightly.keeping import backup as make_backup
from s2r.nightly.keeping import restore as bring_back
from s2r.nightly.night import Context, NightFiles
from s2r.nightly.notices import environment, open_channels
from s2r.nightly.service import Desk, pause, paused, resume, serve
from s2r.policy.schedule import load_schedule
from s2r.settings import read_settings_file
from s2r.store import Store
from s2r.store.nights import Nights
from s2r.vendor.audit import read_delivery

_OUT = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out/nights"), show_default=True, help="Run folder that all nights share."
)


@click.command("serve")
@click.argument("universe", type=click.Path(path_type=Path))
@_OUT
@click.option("--pool", type=click.Path(path_type=Path), help="Sealed pool in place of the live web.")
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--workers", type=int, help="Rows in work at once (default: number of cores).")
@click.option("--search", "search_text", default="", help="Live providers, as for `s2r audit`.")
@click.option("--vendor", "feed", type=click.Path(path_type=Path), help="The vendor's file, read anew each night.")
@click.option("--as", "feed_name", default="", help="How it is read: a file of policies/vendors, by name.")
def serve_command(
    *,
    universe: Path,
    out: Path,
    pool: Path | None,
    policy_name: str,
    policies: Path | None,
    workers: int | None,
    search_text: str,
    feed: Path | None,
    feed_name: str,
) -> int:
    """Run the jobs of policies/schedule.toml (UTC) until stopped. The same command again goes on; missed nights run once."""
    check_feed_flags(feed, feed_name)
    settings = read_settings(policies=policies, workers=workers)
    policy, root = read_policy(policy_name, settings)
    file = read_settings_file()
    schedule = load_schedule(root)
    if not schedule.job:
        raise ConfigError("has no [[job]]", subject=str(root / "schedule.toml"), advice="Add one, with id and hour.")
    context = Context(
        files=NightFiles(universe, pool, out),
        policy=policy,
        policies=root,
        settings=settings,
        schedule=schedule,
        clock=now,
        live=LiveOptions(search_text, None, os.environ, file),
        models=ModelOptions(env=os.environ, file=file),
    )
    desk = Desk(
        context=context,
        channels=open_channels(environment(), settings),
        say=lambda text: stderr().print(f"{now():%Y-%m-%d %H:%M:%S} {text}"),
        deliver=(lambda: read_delivery(feed, feed_name, policy, root)) if feed else None,
    )
    asyncio.run(_serve(desk))
    return EXIT_OK


async def _serve(desk: Desk) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    desk.say("serving; Ctrl-C ends it when the rows in work are done")
    await serve(desk, stop)


@click.command()
@_OUT
@click.option("--pause", "reason", help="Let no job start from now on, for this reason; a night at work goes on.")
@click.option("--resume", "again", is_flag=True, help="Let jobs start again.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per night.")
def nights(*, out: Path, reason: str | None, again: bool, as_json: bool) -> int:
    """Show the history of nights, and pause or resume the service."""
    if not (out / "s2r.db").is_file():
        raise ConfigError("is no run folder (no s2r.db in it)", subject=str(out), advice="Give the --out folder of s2r nightly.")
    if reason is not None:
        pause(out, reason)
    if again:
        resume(out)
    with Store(out / "s2r.db") as store:
        found = Nights(store).all()
    if as_json:
        for night in found:
            emit({name: getattr(night, name) for name in ("id", "job", "started_at", "finished_at", "state", "outcome", "notice")})
        return EXIT_OK
    table = Table("night", "job", "started", "state", "what", "usd", "told", box=None, pad_edge=False)
    for night in found:
        counts = night.outcome.get("counts")
        told = (
            ", ".join(f"{n} {kind}" for kind, n in counts.items() if n) if isinstance(counts, dict) else str(night.outcome.get("error", ""))
        )
        notice = str(night.notice.get("sent_at") or night.notice.get("none") or "")
        usd = night.outcome.get("usd", "")
        table.add_row(str(night.id), night.job, f"{night.started_at:%Y-%m-%d %H:%M}", night.state, told, str(usd), notice)
    stdout().print(table)
    if why := paused(out):
        stderr().print(f"Paused: {why}. `s2r nights --resume` lets jobs start again.")
    return EXIT_FAULTS if found and found[-1].state == "failed" else EXIT_OK


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("to", type=click.Path(path_type=Path))
def backup(run: Path, to: Path) -> int:
    """Copy the run folder RUN to the new folder TO, also while a run writes to it; digests of all files are kept with the copy."""
    stderr().print(f"{make_backup(run, to, now())} files copied to {to}. `s2r verify {to}` proves its records.")
    return EXIT_OK


@click.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("run", type=click.Path(path_type=Path))
def restore(copy: Path, run: Path) -> int:
    """Bring the backup COPY back as the new run folder RUN, after proving every file of it."""
    stderr().print(f"{bring_back(copy, run)} files brought back to {run}.")
    return EXIT_OK

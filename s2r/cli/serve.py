"""`s2r serve`, `s2r nights`, `s2r backup`, `s2r restore`: the service, its history, and copies of its folder."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from s2r.archive.lock import is_held
from s2r.cli.common import EXIT_FAULTS, EXIT_OK, check_feed_flags, emit, now, read_policy, read_settings, stderr, stdout
from s2r.cli.logs import Secrets, open_logs
from s2r.errors import ConfigError, first_error
from s2r.job import LiveOptions, ModelOptions
from s2r.nightly.keeping import backup as make_backup
from s2r.nightly.keeping import restore as bring_back
from s2r.nightly.night import Context, NightFiles
from s2r.nightly.notices import environment, open_channels
from s2r.nightly.service import Ask, Desk, pause, paused, resume, serve
from s2r.policy import Policy
from s2r.policy.schedule import Schedule, load_schedule
from s2r.settings import Settings, read_settings_file
from s2r.store import Store
from s2r.store.nights import RUNNING, Nights
from s2r.vendor.audit import Delivery, read_delivery

if TYPE_CHECKING:
    import socket

    from s2r.web.desk import WebDesk

MOST_ASKED = 20  # jobs that wait to be run on demand
LOG = logging.getLogger("s2r.service")

_OUT = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out/nights"), show_default=True, help="Run folder that all nights share."
)


@click.command("serve")
@click.argument("universe", type=click.Path(path_type=Path), required=False)
@_OUT
@click.option("--pool", type=click.Path(path_type=Path), help="Sealed pool in place of the live web.")
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--workers", type=int, help="Rows in work at once (default: number of cores).")
@click.option("--search", "search_text", default="", help="Live providers, as for `s2r audit`.")
@click.option("--vendor", "feed", type=click.Path(path_type=Path), help="The vendor's file, read anew each night.")
@click.option("--as", "feed_name", default="", help="How it is read: a file of policies/vendors, by name.")
@click.option("--no-web", is_flag=True, help="Jobs only: no pages, no REST.")
@click.option("--web-only", is_flag=True, help="Pages and REST only: no jobs; then no UNIVERSE is needed.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    envvar="S2R_WEB_HOST",
    help="Address to listen on. Beyond loopback a login is asked for.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    envvar="S2R_WEB_PORT",
    help="Port to listen on; 0: any free one.",
)
@click.option("--login/--no-login", default=None, help="Ask for a login on loopback too (default: only when others can reach the service).")
@click.option("--allow-host", "hosts", multiple=True, help="A name by which browsers reach the service; may be repeated.")
@click.option("--proxy-header", default="", envvar="S2R_WEB_PROXY_HEADER", help="Header in which a proxy names its user (single sign-on).")
@click.option("--proxy-from", "proxies", multiple=True, help="Address or network of a proxy before us; may be repeated.")
@click.option(
    "--proxy-role", type=click.Choice(["none", "viewer", "reviewer", "adjudicator", "admin"]), default="viewer", show_default=True,
    help="Role of users that the proxy names and nobody has added.",
)  # fmt: skip
@click.option("--tls-cert", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Certificate, to answer over TLS.")
@click.option("--tls-key", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Key of the certificate.")
@click.option(
    "--log", "log_form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the log on stderr."
)
def serve_command(
    *,
    universe: Path | None,
    out: Path,
    pool: Path | None,
    policy_name: str,
    policies: Path | None,
    workers: int | None,
    search_text: str,
    feed: Path | None,
    feed_name: str,
    no_web: bool,
    web_only: bool,
    host: str,
    port: int,
    login: bool | None,
    hosts: tuple[str, ...],
    proxy_header: str,
    proxies: tuple[str, ...],
    proxy_role: str,
    tls_cert: Path | None,
    tls_key: Path | None,
    log_form: str,
) -> int:
    """Run the jobs of policies/schedule.toml (UTC) and serve the workbench and REST, until stopped. The same command again goes on; missed
    nights run once."""
    check_feed_flags(feed, feed_name)
    if no_web and web_only:
        raise ConfigError("leave nothing to serve", subject="--no-web and --web-only", advice="Give one of them.")
    if universe is None and not web_only:
        raise ConfigError("is missing", subject="UNIVERSE", advice="Give the universe file, or --web-only to serve pages without jobs.")
    settings = read_settings(policies=policies, workers=workers)
    policy, root = read_policy(policy_name, settings)
    schedule = load_schedule(root)
    secrets = Secrets(os.environ, read_settings_file())
    asks: queue.Queue[Ask] | None = None if web_only else queue.Queue(MOST_ASKED)
    desk = None
    if universe is not None and not web_only:
        deliver = (lambda: read_delivery(feed, feed_name, policy, root)) if feed else None
        desk = _desk(NightFiles(universe, pool, out), policy, root, settings, schedule, search_text, deliver)
    web = None
    if not no_web:
        flags = WebFlags(host, port, login, hosts, proxy_header, proxies, proxy_role, tls_cert, tls_key)
        web = _web(flags, out, policy, root, settings, schedule, asks)
    with open_logs(secrets, as_json=log_form == "json"):
        try:
            asyncio.run(_serve(desk, web, asks))
        except BaseExceptionGroup as group:
            raise first_error(group) from group
    return EXIT_OK


@dataclass(frozen=True, slots=True)
class WebFlags:
    """What the command line says of the web side."""

    host: str
    port: int
    login: bool | None
    hosts: tuple[str, ...]
    proxy_header: str
    proxies: tuple[str, ...]
    proxy_role: str
    tls_cert: Path | None
    tls_key: Path | None


def _desk(
    files: NightFiles, policy: Policy, root: Path, settings: Settings, schedule: Schedule, search_text: str,
    deliver: Callable[[], Delivery] | None,
) -> Desk:  # fmt: skip
    """What the jobs work with."""
    if not schedule.job:
        raise ConfigError("has no [[job]]", subject=str(root / "schedule.toml"), advice="Add one, with id and hour.")
    file = read_settings_file()
    context = Context(
        files=files,
        policy=policy,
        policies=root,
        settings=settings,
        schedule=schedule,
        clock=now,
        live=LiveOptions(search_text, None, os.environ, file),
        models=ModelOptions(env=os.environ, file=file),
    )
    return Desk(context=context, channels=open_channels(environment(), settings), say=LOG.info, deliver=deliver)


@dataclass(frozen=True)
class _Web:
    """The web side, ready to answer on a socket that is bound."""

    desk: WebDesk
    listening: socket.socket
    flags: WebFlags


def _web(
    flags: WebFlags, out: Path, policy: Policy, root: Path, settings: Settings, schedule: Schedule, asks: queue.Queue[Ask] | None
) -> _Web:
    """Check what the command line says of the web side and bind its socket; raises ConfigError. Its libraries are loaded here only."""
    from s2r.access import Role
    from s2r.web.desk import WebDesk, check_desk
    from s2r.web.serving import bind

    if bool(flags.tls_cert) != bool(flags.tls_key):
        raise ConfigError("go together", subject="--tls-cert and --tls-key", advice="Give both.")
    desk = WebDesk(
        out=out, policy=policy, policies=root, settings=settings, clock=now, host=flags.host, login=flags.login,
        proxy_header=flags.proxy_header, proxy_addresses=flags.proxies, hosts=flags.hosts, https=flags.tls_cert is not None,
        proxy_role=None if flags.proxy_role == "none" else Role(flags.proxy_role), schedule=schedule, asks=asks,
    )  # fmt: skip
    check_desk(desk)
    return _Web(desk, bind(flags.host, flags.port), flags)


async def _serve(desk: Desk | None, web: _Web | None, asks: queue.Queue[Ask] | None) -> None:
    """Jobs and web side until a signal comes; what kills one of them ends both."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with asyncio.TaskGroup() as group:
        if web is not None:
            group.create_task(_serve_web(web, stop))
        if desk is not None:
            desk.say("serving; Ctrl-C ends it when the rows in work are done")
            group.create_task(serve(desk, stop, asks))


async def _serve_web(web: _Web, stop: asyncio.Event) -> None:
    from s2r.access import Users
    from s2r.web.app import create_app
    from s2r.web.serving import serve_web

    app = create_app(web.desk)
    scheme = "https" if web.desk.https else "http"
    host = f"[{web.flags.host.strip('[]')}]" if ":" in web.flags.host else web.flags.host
    LOG.info("workbench at %s://%s:%d/", scheme, host, web.listening.getsockname()[1])
    if web.desk.needs_login and not web.desk.proxy_header and not Users(app.state.access).all():
        LOG.warning("nobody can log in yet: s2r users add NAME --role admin --out %s", web.desk.out)
    await serve_web(app, web.listening, stop, tls_cert=web.flags.tls_cert, tls_key=web.flags.tls_key)


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
    with Store(out / "s2r.db", read_only=True) as store:
        found = Nights(store).all()
    if not is_held(out):  # nobody works here: a night without an end waits for the command that goes on with it
        found = [replace(night, state="stopped") if night.state == RUNNING else night for night in found]
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
    if found:
        stdout().print(table)
    else:
        stderr().print(f"No night has run in {out} yet. `s2r nightly UNIVERSE --out {out}` runs one.")
    if found and found[-1].state == "stopped":
        stderr().print(f"Night {found[-1].id} was stopped: the command that began it goes on with it.")
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

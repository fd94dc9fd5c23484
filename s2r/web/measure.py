"""`python -m s2r.web.measure`: how long pages and exports of the workbench take over HTTP, from a service of one process over a run folder.

Times are from the request to the last byte, and the CPU time of the process beside them, which a busy machine does not change.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import httpx
from rich.console import Console
from rich.table import Table

from s2r.policy import load_policy
from s2r.policy.load import policy_root
from s2r.reviews.measure import EVIDENCE, EXPORT_MB, EXPORT_S, GATE, NOW, PAGE_MS, ROWS, Timed, timed
from s2r.settings import Settings
from s2r.synth.cases import UniverseSpec
from s2r.synth.folder import write_folder
from s2r.web.app import create_app
from s2r.web.desk import WebDesk
from s2r.web.serving import bind, serve_web

BODIES = 200  # rows whose pages can be opened
PAGES = {
    "home": "/", "queue": "/queue", "queue: filters": "/queue?state=open&status=yes&sort=age", "queue: text": "/queue?text=holdings",
    "queue: text of one row": "/queue?text=syn-000123", "queue: text that nothing has": "/queue?text=zzzzqq", "second reviews": "/second",
    "alike rows": "/alike", "log": "/log",
}  # fmt: skip


@contextmanager
def service(out: Path) -> Iterator[httpx.Client]:
    """A service over a run folder in a thread of this process, and a client of it."""
    desk = WebDesk(out=out, policy=load_policy(), policies=policy_root(), settings=Settings(), clock=lambda: NOW, login=False)
    listening, loop, stop = bind("127.0.0.1", 0), asyncio.new_event_loop(), asyncio.Event()
    port = listening.getsockname()[1]
    app = create_app(desk)
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve_web(app, listening, stop)), daemon=True)
    thread.start()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=600, trust_env=False) as client:
            yield client
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)


def pages(client: httpx.Client, rows: int, bodies: int, repeats: int) -> Iterator[Timed]:
    """Each kind of page; of rows, each time another one: all over the folder, and those whose pages can be opened."""

    def get(address: str) -> None:
        client.get(address).raise_for_status()

    for name, address in PAGES.items():
        yield timed(name, lambda _, address=address: get(address), repeats)  # type: ignore[misc]
    step = max(1, rows // (repeats + 1))
    yield timed("row", lambda n: get(f"/row?id=SYN-{n * step + 1:06d}"), repeats)
    yield timed("row with its page open", lambda n: get(f"/row?id=SYN-{n % bodies + 1:06d}"), repeats)


def exports(client: httpx.Client, console: Console) -> Iterator[str]:
    """Both tables of the whole queue, as they are downloaded; names of those that take longer or more than is promised."""
    for kind in ("csv", "xlsx"):
        began, spent, size = time.perf_counter(), time.process_time(), 0
        with client.stream("GET", f"/export?format={kind}&state=open&state=accepted&state=decided&state=second") as answer:
            answer.raise_for_status()
            for part in answer.iter_raw():
                size += len(part)
        seconds, cpu = time.perf_counter() - began, time.process_time() - spent
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        console.print(f"export {kind}: {size / 1e6:.0f} MB in {seconds:.1f} s (CPU {cpu:.1f} s), peak of the process {peak:.0f} MB")
        if seconds > EXPORT_S or peak > EXPORT_MB:
            yield f"export {kind}"


@click.command()
@click.option("--rows", type=int, default=ROWS, show_default=True, help="Records of the synthetic folder.")
@click.option("--evidence", type=int, default=EVIDENCE, show_default=True, help="Quoted pages of a record.")
@click.option("--bodies", type=int, default=BODIES, show_default=True, help="Records whose pages can be opened.")
@click.option("--folder", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Such a folder that is there, instead.")
@click.option("--repeats", type=int, default=40, show_default=True, help="How often each page is asked for.")
@click.option("--export/--no-export", default=True, show_default=True, help="Also download the whole queue as CSV and XLSX.")
def main(rows: int, evidence: int, bodies: int, folder: Path | None, repeats: int, *, export: bool) -> None:
    """Print the times and check them against what is promised; exit 3 when a page is slower."""
    console = Console()
    slow: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        out = folder or Path(made)
        if folder is None:
            write_folder(out, UniverseSpec(rows), evidence=evidence, bodies=bodies, now=NOW - dt.timedelta(days=1))
        with service(out) as client:
            for address in ("/queue", "/row?id=SYN-000001"):
                client.get(address)  # the order is worked out once, templates and archive are opened once
            table = Table("page", "median ms", "p95 ms", "CPU ms", box=None, pad_edge=False)
            for one in pages(client, rows, bodies, repeats):
                table.add_row(one.name, f"{one.ms[len(one.ms) // 2]:.1f}", f"{one.p95:.1f}", f"{one.cpu:.1f}")
                slow += [one.name] if one.p95 > PAGE_MS and one.name.startswith(("queue", "row")) else []
            console.print(table)
            slow += exports(client, console) if export else []
    if slow:
        console.print(f"Slower than promised: {', '.join(slow)}")
        sys.exit(GATE)


if __name__ == "__main__":
    main()

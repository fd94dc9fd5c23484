"""`make bench`, reviews: how long pages of the queue and of rows, claims, decisions and exports take over a synthetic run folder.

Times are of one process, as a reviewer waits for them, and its CPU time beside it, which a busy machine does not change.
"""

from __future__ import annotations

import csv
import datetime as dt
import resource
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from s2r.policy import load_policy
from s2r.policy.load import policy_root
from s2r.policy.review import load_review
from s2r.reviews.bench import Workbench, open_workbench
from s2r.reviews.decisions import decide
from s2r.reviews.exchange import export_queue, import_decisions
from s2r.reviews.leases import claim_next
from s2r.reviews.numbers import numbers
from s2r.reviews.queue import queue_page
from s2r.reviews.types import Age, Decision, Kind, QueueFilter, Sort, State
from s2r.reviews.views import row_view
from s2r.synth.cases import UniverseSpec
from s2r.synth.folder import write_folder

NOW = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
ROWS = 20_000
EVIDENCE = 10
REPEATS = 40  # of which two may be slower than the p95
PAGE_MS = 300.0  # p95 of a page
EXPORT_S, EXPORT_MB = 60.0, 500.0  # of a hundred thousand rows; seconds that a reviewer waits
DECISIONS = 2000
GATE = 3


@dataclass(frozen=True, slots=True)
class Timed:
    """One kind of act: times in ms, sorted, and the median CPU time."""

    name: str
    ms: tuple[float, ...]
    cpu: float

    @property
    def p95(self) -> float:
        """The time within which 95% are done."""
        return self.ms[min(len(self.ms) - 1, int(0.95 * len(self.ms)))]


def timed(name: str, act: Callable[[int], object], repeats: int = REPEATS) -> Timed:
    """Time an act, given the number of its repetition."""
    ms, cpu = [], []
    for number in range(repeats):
        began, spent = time.perf_counter(), time.process_time()
        act(number)
        ms.append((time.perf_counter() - began) * 1000)
        cpu.append((time.process_time() - spent) * 1000)
    return Timed(name, tuple(sorted(ms)), sorted(cpu)[len(cpu) // 2])


def pages(bench: Workbench, repeats: int = REPEATS) -> Iterator[Timed]:
    """Pages of the queue under filters of all kinds, and pages of rows."""
    first = queue_page(bench, QueueFilter(), NOW, size=50)
    market = first.facets["market"][0].value
    why = first.facets["route_reason"][0].value
    filters = {
        "all": QueueFilter(),
        "a market": QueueFilter(market=(market,)),
        "market and why": QueueFilter(market=(market,), route_reason=(why,)),
        "conflict and answer": QueueFilter(conflict=("wrong_date",), status=("yes",)),
        "age": QueueFilter(age=(Age.WEEK, Age.MONTH)),
        "text": QueueFilter(text="holdings"),
        "text that nothing has": QueueFilter(text="zzzzqq"),
        "held by nobody": QueueFilter(assignee=("-",)),
        "every state": QueueFilter(state=tuple(State)),
    }
    for name, wanted in filters.items():
        yield timed(f"queue: {name}", lambda _, wanted=wanted: queue_page(bench, wanted, NOW), repeats)  # type: ignore[misc]
    for sort in Sort:
        yield timed(f"queue: by {sort.value}", lambda _, sort=sort: queue_page(bench, QueueFilter(), NOW, sort=sort), repeats)  # type: ignore[misc]
    cursor = first.next_cursor
    for _ in range(20):
        cursor = queue_page(bench, QueueFilter(), NOW, cursor=cursor, size=500, facets=False).next_cursor or cursor
    yield timed("queue: far down", lambda _: queue_page(bench, QueueFilter(), NOW, cursor=cursor), repeats)
    ids = [str(row["row_id"]) for row in bench.store.rows("select row_id from review_item order by abs(random()) limit ?", [repeats])]
    yield timed("row", lambda n: row_view(bench, ids[n], "anna", NOW), repeats)
    yield timed("numbers", lambda _: numbers(bench, NOW), max(3, repeats // 4))


def acts(bench: Workbench, repeats: int = REPEATS) -> Iterator[Timed]:
    """Claims and decisions; they change the folder."""
    held: list[str] = []

    def take(number: int) -> None:
        lease = claim_next(bench, f"reviewer {number}", NOW, wanted=QueueFilter(status=("no",), state=(State.OPEN,)))
        assert lease is not None
        held.append(lease.row_id)

    yield timed("claim next", take, repeats)

    def confirm(number: int) -> None:
        row = bench.store.rows("select number from review_item where row_id = ?", [held[number]])[0]
        said = Decision(
            row_id=held[number], kind=Kind.CONFIRM, by=f"reviewer {number}", seen=int(str(row["number"])), reason_code="nothing_found"
        )  # fmt: skip
        decide(bench, said, NOW)

    yield timed("decide", confirm, repeats)


def imported(bench: Workbench, folder: Path, count: int) -> str:
    """Import `count` decisions while another connection tries to write all the time; what it took, and the longest wait of the other."""
    sql = "select row_id, number from review_item where state = 'open' and status = 'no' and lease_by = '' order by position limit ?"
    path = folder / "edited.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        lines = csv.writer(out)
        lines.writerow(("row_id", "revision", "decision", "reason_code"))
        lines.writerows((row["row_id"], row["number"], "confirm", "nothing_found") for row in bench.store.rows(sql, [count]))
    waits, done = [0.0], threading.Event()

    def write() -> None:
        since = time.perf_counter()
        with closing(sqlite3.connect(bench.store.path, timeout=0, isolation_level=None)) as other:
            while not done.is_set():
                with suppress(sqlite3.OperationalError):
                    other.execute("begin immediate")
                    other.execute("rollback")
                    since = time.perf_counter()
                waits.append(time.perf_counter() - since)
                time.sleep(0.005)

    writer = threading.Thread(target=write)
    writer.start()
    began, spent = time.perf_counter(), time.process_time()
    kept = import_decisions(bench, path, "bench", NOW).kept
    seconds, cpu = time.perf_counter() - began, time.process_time() - spent
    done.set()
    writer.join()
    return f"import of {kept} decisions in {seconds:.1f} s (CPU {cpu:.1f} s); another writer waited at most {max(waits):.1f} s"


@click.command()
@click.option("--rows", type=int, default=ROWS, show_default=True, help="Records of the synthetic folder.")
@click.option("--evidence", type=int, default=EVIDENCE, show_default=True, help="Quoted pages of a record.")
@click.option("--folder", type=click.Path(path_type=Path, exists=True, file_okay=False), help="A run folder that is there, instead.")
@click.option("--repeats", type=int, default=REPEATS, show_default=True, help="How often each act is done.")
@click.option("--decisions", type=int, default=DECISIONS, show_default=True, help="Decisions of a file that is imported; 0: none is.")
@click.option("--export/--no-export", default=True, show_default=True, help="Also export the whole queue to CSV and XLSX.")
def main(rows: int, evidence: int, folder: Path | None, repeats: int, decisions: int, *, export: bool) -> None:
    """Print the times and check them against what is promised; exit 3 when a page is slower."""
    console = Console()
    with tempfile.TemporaryDirectory() as made:
        out = folder or Path(made)
        if folder is None:
            write_folder(out, UniverseSpec(rows), evidence=evidence, bodies=20, now=NOW)
        bench = open_workbench(out, load_policy(), load_review(policy_root()))
        table = Table("what", "median ms", "p95 ms", "CPU ms", box=None, pad_edge=False)
        slow = []
        began = time.perf_counter()
        queue_page(bench, QueueFilter(), NOW, size=1)
        console.print(f"first page, with the order worked out anew: {(time.perf_counter() - began) * 1000:.0f} ms")
        for one in (*pages(bench, repeats), *acts(bench, repeats)):
            table.add_row(one.name, f"{one.ms[len(one.ms) // 2]:.1f}", f"{one.p95:.1f}", f"{one.cpu:.1f}")
            if one.p95 > PAGE_MS and one.name.startswith(("queue", "row")):
                slow.append(one.name)
        console.print(table)
        if export:
            slow += _exports(bench, Path(made), console)
        if decisions:
            console.print(imported(bench, Path(made), decisions))
        bench.store.close()
    if slow:
        console.print(f"Slower than promised: {', '.join(slow)}")
        sys.exit(GATE)


def _exports(bench: Workbench, folder: Path, console: Console) -> Iterator[str]:
    for name in ("queue.csv", "queue.xlsx"):
        began, spent = time.perf_counter(), time.process_time()
        count = export_queue(bench, QueueFilter(), folder / name, NOW, "bench")
        seconds, cpu = time.perf_counter() - began, time.process_time() - spent
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        console.print(f"export {name}: {count} rows in {seconds:.1f} s (CPU {cpu:.1f} s), peak of the process {peak:.0f} MB")
        if seconds > EXPORT_S * max(1.0, count / 100_000) or peak > EXPORT_MB:
            yield name


if __name__ == "__main__":
    main()

"""`make bench`: speed and memory as ratios within one run. Absolute times say more about a machine than about s2r and are not shown.

Judging and extraction are timed in turns, listing by listing, in CPU time of this process; what depends on a page's text or on a
name is forgotten before each repetition, as a run meets every page once. Whole audits are timed by the clock, each in a process
of its own. A ratio is the median over repetitions, with the lowest and the highest.
"""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import gc
import json
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec

import click
from rich.console import Console
from rich.table import Table

from s2r.adjudicate import adjudicate, names_listing
from s2r.errors import ConfigError, SourceBroken
from s2r.extract import extract
from s2r.job import AuditFiles, audit_files
from s2r.lang import detect, name_match, name_parts, tickers
from s2r.models import Capture, Listing, Page
from s2r.pipeline import Event
from s2r.policy import Policy, load_policy, policy_root
from s2r.policy.sources import squeezed_names
from s2r.search import Pool
from s2r.settings import Settings
from s2r.universe import read_universe

P = ParamSpec("P")
PARTS = ("judging", "index", "audit", "memory")
TARGET = 1.3  # judging a page should not cost more than this times reading it
MOST_LISTINGS = 8  # per pool; more only make the run longer
MOST_WEB = 30  # HTML files from the open web
AUDITS = 2  # repetitions of whole audits at most; once with one worker first, once with two
GROWTH = 4  # how much larger the larger universe is
WIDTH = 120  # columns where no terminal says how wide it is


@dataclass(frozen=True, slots=True)
class Corpus:
    """One universe with its pool."""

    name: str
    universe: Path
    pool: Path


@dataclass(frozen=True, slots=True)
class Ratio:
    """One measured ratio, a value per repetition. `over` says what of what, on how much."""

    name: str
    over: str
    values: tuple[float, ...]
    target: float | None = None

    @property
    def median(self) -> float:
        """Median over the repetitions."""
        return statistics.median(self.values)

    @property
    def verdict(self) -> str:
        """Whether the target is met; "" without one."""
        if self.target is None:
            return ""
        return "met" if self.median <= self.target else "NOT met"


@dataclass(frozen=True, slots=True)
class Work:
    """What is judged for one listing: its documents."""

    listing: Listing
    documents: tuple[Capture, ...]


def corpora(root: Path, shared: Path) -> list[Corpus]:
    """Every universe with a pool that is present, the development set first."""
    found = [Corpus(name, shared / path / "universe.csv", shared / path / "docs.jsonl") for name, path in _OUTSIDE.items()]
    found += [Corpus(f"own/{p.name}", p / "universe.csv", p / "docs.jsonl") for p in sorted((root / "tests" / "gold").glob("*"))]
    found.append(Corpus("demo", root / "demo" / "universe.csv", root / "demo" / "pool.jsonl"))
    return [c for c in found if c.universe.is_file() and c.pool.is_file()]


_OUTSIDE = {"sealed-dev": "sealed-dev", "audit-cases": "real/audit-cases"}


def load_work(corpus: Corpus, policy: Policy, most: int = MOST_LISTINGS) -> list[Work]:
    """Listings, evenly picked, with the documents that are theirs: as `docs_gold.jsonl` says, else those that name them."""
    listings = _listings(corpus, policy)
    listings = listings[:: max(1, -(-len(listings) // most))]
    with Pool.open(corpus.pool) as pool:
        captures = [got for url in pool.urls() if isinstance(got := pool.read(url), Capture)]
    pages = [(capture, page) for capture in captures if (page := read_page(capture)) is not None]
    owners = _owners(corpus.pool.with_name("docs_gold.jsonl"))

    def theirs(listing: Listing, capture: Capture, page: Page) -> bool:
        return owners[capture.url] == listing.row_id if capture.url in owners else names_listing(listing, page)

    work = [Work(x, tuple(capture for capture, page in pages if theirs(x, capture, page))) for x in listings]
    return [w for w in work if w.documents]


def _listings(corpus: Corpus, policy: Policy) -> list[Listing]:
    today = dt.datetime.now(dt.UTC).date()  # noqa: TID251 - a command owns the clock
    return list(read_universe(corpus.universe, default_cutoff=None, today=today, venues=policy.venues).listings)


def _owners(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    return {row["url"]: row["case_id"] for row in map(json.loads, path.read_text("utf-8").splitlines())}


def web_work(shared: Path, most: int = MOST_WEB) -> list[Work]:
    """HTML files as they are found on the web, each for a listing of the name that it repeats most."""
    files = sorted(path for path in (shared / "real").rglob("*.html") if 2_000 < path.stat().st_size < 2_000_000)
    at = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    work = []
    for number, path in enumerate(files[:: max(1, -(-len(files) // most))]):
        url = f"https://web.example/{number}"
        document = Capture(url=url, final_url=url, content_type="text/html", body=path.read_bytes(), fetched_at=at)
        page = read_page(document)
        names = Counter(_NAME.findall(page.text)).most_common(1) if page else []
        if names:
            listing = Listing(row_id=str(number), issuer=names[0][0], mic="XNYS", country="US", cutoff=dt.date(2030, 12, 31))
            work.append(Work(listing, (document,)))
    return work


_NAME = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)+")


def only_html(work: Iterable[Work]) -> list[Work]:
    """The HTML documents of some work."""
    kept = [Work(w.listing, tuple(d for d in w.documents if "html" in d.content_type)) for w in work]
    return [w for w in kept if w.documents]


def read_page(document: Capture) -> Page | None:
    """The page in a document, None when it cannot be read."""
    try:
        return extract(document.body, document.content_type, document.url, digest="sha256:" + "0" * 64, fallback_title=document.title)
    except SourceBroken:
        return None


def judging(name: str, work: Sequence[Work], policy: Policy, repeat: int) -> Ratio:
    """CPU time of judging the pages of listings over that of extracting them; one round before, untimed, loads what loads once."""
    _round(work, policy)
    values = []
    for _ in range(repeat):
        for module in (detect, name_match, name_parts, tickers):
            for item in vars(module).values():
                if hasattr(item, "cache_clear"):
                    item.cache_clear()
        squeezed_names.cache_clear()
        gc.collect()
        extracted, judged = _round(work, policy)
        values.append(judged / extracted)
    over = f"judging / extraction, {sum(len(w.documents) for w in work)} pages of {len(work)} listings"
    return Ratio(name, over, tuple(values), TARGET)


def _round(work: Sequence[Work], policy: Policy) -> tuple[float, float]:
    extracted = judged = 0.0
    for item in work:
        began = time.process_time()
        pages = [page for document in item.documents if (page := read_page(document)) is not None]
        read = time.process_time()
        adjudicate(item.listing, pages, policy)
        judged += time.process_time() - read
        extracted += read - began
    return extracted, judged


def indexing(corpus: Corpus, scratch: Path, repeat: int) -> list[Ratio]:
    """Building the index of a pool, and opening it again, over reading the file and parsing its lines."""
    build, again = [], []
    for number in range(repeat):
        home = scratch / f"index-{number}"
        read = _timed(_parse, corpus.pool)
        first, second = _timed(_index, corpus.pool, home), _timed(_index, corpus.pool, home)
        build.append(first / read)
        again.append(second / read)
    over = f"reading and parsing the pool file, {corpus.name}"
    return [Ratio("index, built", f"build / {over}", tuple(build)), Ratio("index, opened again", f"open / {over}", tuple(again))]


def _parse(pool: Path) -> None:
    for line in pool.read_bytes().splitlines():
        if line.strip():
            json.loads(line)


def _index(pool: Path, home: Path) -> None:
    Pool.open(pool, home=home).close()


def _timed(work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    """Seconds by the clock."""
    began = time.perf_counter()
    work(*args, **kwargs)
    return time.perf_counter() - began


def auditing(corpus: Corpus, scratch: Path, repeat: int) -> list[Ratio]:
    """Wall time of two workers over one, and of a second run with nothing to do over the first; in turns."""
    speed, again = [], []
    for number in range(repeat):
        took = {}
        for workers in (1, 2) if number % 2 == 0 else (2, 1):
            out = scratch / f"audit-{number}-{workers}"
            command = [sys.executable, "-m", "s2r", "audit", str(corpus.universe), "--pool", str(corpus.pool), "--out", str(out)]
            command += ["--workers", str(workers)]
            took[workers] = _timed(_run, command)
        again.append(_timed(_run, command) / took[workers])  # the same command once more
        speed.append(took[2] / took[1])
    over = f"the whole audit of {corpus.name}, {os.cpu_count()} cores here"
    return [
        Ratio("two workers", f"--workers 2 / --workers 1, {over}", tuple(speed)),
        Ratio("second run", f"nothing to do / first run, {over}", tuple(again)),
    ]


def _run(command: Sequence[str]) -> str:
    """Output of a command; faults of single rows (exit code 4) are part of some pools."""
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)  # noqa: S603 - our own program
    if ran.returncode not in (0, 4):
        raise ConfigError(f"{' '.join(command[1:4])} ended with {ran.returncode}: {ran.stderr.strip()[-300:]}", subject="bench")
    return ran.stdout


def remembering(corpus: Corpus, scratch: Path, copies: int) -> list[Ratio]:
    """Peak memory of auditing GROWTH times as many copies of a universe over that of `copies`."""
    peaks, rows = [], []
    for times in (copies, copies * GROWTH):
        universe = scratch / f"universe-{times}.csv"
        rows.append(write_copies(corpus.universe, universe, times))
        command = [sys.executable, "-m", "s2r.evaluate.bench", "--peak", str(universe), str(corpus.pool), str(scratch / f"peak-{times}")]
        peaks.append(json.loads(_run(command)))
    over = f"{rows[1]} rows / {rows[0]} rows of {corpus.name}"
    return [
        Ratio(f"peak memory, {part}", over, (peaks[1][part] / peaks[0][part],))
        for part in ("main process", "largest worker")
        if peaks[0][part]
    ]


def write_copies(source: Path, target: Path, times: int) -> int:
    """Write a universe `times` over with row ids of its own; returns the number of rows."""
    with source.open(encoding="utf-8-sig", newline="") as fh:
        rows = list(csv.DictReader(fh))
    with target.open("w", encoding="utf-8", newline="") as fh:
        writer = csv.DictWriter(
            fh, ["row_id", *(name for name in rows[0] if name not in ("row_id", "case_id", "id"))], extrasaction="ignore"
        )
        writer.writeheader()
        for copy in range(times):
            for number, row in enumerate(rows):
                writer.writerow({**row, "row_id": f"{copy}-{number}"})
    return len(rows) * times


def peak(universe: Path, pool: Path, out: Path) -> dict[str, int]:
    """Audit in this process with two workers; largest resident size in kB of this process and of a worker (0 where not told)."""
    worker = 0

    def look(_: Event) -> None:
        nonlocal worker
        worker = max([worker, *_worker_sizes()])

    now = dt.datetime.now(dt.UTC)  # noqa: TID251 - a command owns the clock
    policies = policy_root(Settings())
    files = AuditFiles(universe=universe, pool=pool, out=out, cutoff=None, today=now.date())
    policy, settings = load_policy("delisting", policies), Settings(workers=2)
    asyncio.run(audit_files(files, policy, policies, settings, clock=lambda: now, on_event=look, on_total=lambda n: None))
    own = _size("self") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"main process": own, "largest worker": worker}


def _worker_sizes() -> Iterator[int]:
    return (_size(str(process.pid)) for process in multiprocessing.active_children())


def _size(process: str) -> int:
    """Peak resident size of a process in kB by the process table of Linux, else 0. `ru_maxrss` would do for this process, but
    on Linux it starts from the size of the parent that started it."""
    status = Path(f"/proc/{process}/status")
    lines = status.read_text("utf-8").splitlines() if status.is_file() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def measure(root: Path, shared: Path, scratch: Path, repeat: int, copies: int, parts: Sequence[str] = PARTS) -> Iterator[Ratio]:
    """All ratios of the chosen parts, as they come; raises ConfigError when there is nothing to measure on."""
    found = corpora(root, shared)
    if not found:
        raise ConfigError("no universe with a pool is here", subject=str(root), advice="Run it in a checkout of the repository.")
    whole = next((corpus for corpus in found if corpus.name == "demo"), found[0])
    if "judging" in parts:
        policy = load_policy("delisting", policy_root(Settings()))
        for name, work in _tested(found, shared, policy).items():
            if work:
                yield judging(name, work, policy, repeat)
    if "index" in parts:
        yield from indexing(found[0], scratch, repeat)
    if "audit" in parts:
        yield from auditing(whole, scratch, min(repeat, AUDITS))
    if "memory" in parts:
        yield from remembering(whole, scratch, copies)


def _tested(found: Sequence[Corpus], shared: Path, policy: Policy) -> dict[str, list[Work]]:
    """Work by name of the set: a few listings of each region, the demo only where there is no development set."""
    regions = sum(corpus.name.startswith("own/") for corpus in found)
    tested: dict[str, list[Work]] = {}
    for corpus in found:
        name, _, region = corpus.name.partition("/")
        if name != "demo" or "sealed-dev" not in tested:
            most = max(1, MOST_LISTINGS // regions) if region else MOST_LISTINGS
            tested.setdefault(name, []).extend(load_work(corpus, policy, most))
    tested["HTML pages of these"] = only_html([item for items in list(tested.values()) for item in items[::3]])
    tested["web pages as found"] = web_work(shared)
    return tested


@click.command()
@click.option("--root", type=click.Path(path_type=Path), default=Path(), help="Checkout with tests/gold and demo (default: here).")
@click.option("--shared", type=click.Path(path_type=Path), help="Folder with the sets outside the checkout (default: ../shared).")
@click.option("--repeat", type=click.IntRange(1), default=3, show_default=True, help="Repetitions; memory is measured once.")
@click.option(
    "--copies", type=click.IntRange(1), default=1, show_default=True, help="Copies in the smaller universe of the memory measure."
)
@click.option("--part", "parts", type=click.Choice(PARTS), multiple=True, default=PARTS, help="Only these parts.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per ratio on stdout.")
@click.option("--peak", "peak_of", type=(Path, Path, Path), hidden=True)  # UNIVERSE POOL OUT, in a process of its own
def main(
    root: Path, shared: Path | None, repeat: int, copies: int, parts: Sequence[str], as_json: bool, peak_of: tuple[Path, Path, Path] | None
) -> None:
    """Measure s2r against itself; ratios only."""
    if peak_of:
        click.echo(json.dumps(peak(*peak_of)))
        return
    ratios = []
    try:
        with tempfile.TemporaryDirectory(prefix="s2r-bench-") as scratch:
            for ratio in measure(root, shared or root / ".." / "shared", Path(scratch), repeat, copies, parts):
                ratios.append(ratio)
                if as_json:
                    click.echo(json.dumps(as_row(ratio)))
    except ConfigError as exc:
        click.echo(str(exc), err=True)
        sys.exit(2)
    if not as_json:
        _show(ratios, repeat)


def as_row(ratio: Ratio) -> dict[str, object]:
    """A ratio as JSON."""
    low, high = min(ratio.values), max(ratio.values)
    met = None if ratio.target is None else ratio.median <= ratio.target
    row = {"name": ratio.name, "over": ratio.over, "median": ratio.median, "low": low, "high": high}
    return {**row, "values": ratio.values, "target": ratio.target, "met": met}


def _show(ratios: Sequence[Ratio], repeat: int) -> None:
    console = Console(highlight=False, width=max(WIDTH, Console().width))
    table = Table("measure", "ratio", "low to high", "target", "", "of what", box=None, pad_edge=False)
    for ratio in ratios:
        spread = f"{min(ratio.values):.2f} to {max(ratio.values):.2f}" if len(ratio.values) > 1 else "once"
        target = f"{ratio.target:.1f}" if ratio.target is not None else ""
        table.add_row(ratio.name, f"{ratio.median:.2f}", spread, target, ratio.verdict, ratio.over)
    console.print(table)
    console.print(f"Medians of {repeat} repetitions, of at most {AUDITS} for whole audits.")
    console.print("A load on the machine while it ran moves the ratios of whole audits.")


if __name__ == "__main__":
    main()

"""Audits of a sealed pool: processor time beside raw library calls, two workers beside one, growth, memory, a night without news."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most, told
from benchmarks.site import Site, write_site
from benchmarks.tree import Ran, run
from s2r.job import read_records
from s2r.models import Capture
from s2r.search import Pool

SIZES = (1_000, 2_000, 20_000)


def audit(site: Site, out: Path, workers: int, command: str = "audit", *, universe: Path | None = None) -> Ran:
    """One command over the pool of a site."""
    return run([sys.executable, "-m", "s2r", command, universe or site.universe, "--pool", site.pool, "--out", out, "--workers", workers])


def processor(scratch: Path, rows: int = 200, kilobytes: float = 8.0, repeats: int = 3) -> Iterator[Figure]:
    """CPU of a record over the raw calls on the same pages, and two workers beside one. The index of the pool is there before, and what a
    command and its workers need to start is taken off by a second size."""
    site = write_site(scratch / "site", rows, pages=5, kilobytes=kilobytes)
    one = write_site(scratch / "one", 1)
    out = scratch / "out-1"
    audit(site, out, 1, universe=one.universe)  # builds the index
    some = max(1, rows // 6)
    few = write_site(scratch / "few", some)
    start, rest = audit(site, out, 1, universe=few.universe), audit(site, out, 1)  # the second one has the other rows left
    own = (rest.cpu - start.cpu) / (rows - 2 * some)
    parts = raw(site, out)
    base = sum(parts.values()) / rows
    shares = ", ".join(f"{name} {seconds / rows * 1000:.1f} ms" for name, seconds in parts.items())
    taken = f"{own * 1000:.1f} ms of CPU a record, archive and files included, start-up not"
    of = f"{rows} rows of 5 pages of {kilobytes:g} kB: {taken}; raw: {shares}"
    yield at_most("processor", "CPU of a record / raw library calls", own / base, 1.5, of)
    took: dict[int, list[float]] = {1: [], 2: []}
    for number in range(repeats):
        for workers in (1, 2) if number % 2 == 0 else (2, 1):
            folder = scratch / f"speed-{number}-{workers}"
            audit(site, folder, workers, universe=one.universe)
            took[workers].append(audit(site, folder, workers).seconds)
    seconds = {workers: min(found) for workers, found in took.items()}
    of = f"{rows} rows, best of {repeats}: {seconds[1]:.1f} s with one worker, {seconds[2]:.1f} s with two, start-up included"
    yield at_least("processor", "two workers / one", seconds[1] / seconds[2], 1.7, of)


def raw(site: Site, out: Path) -> dict[str, float]:
    """CPU seconds of the raw calls on the pages that the records of `out` rest on: main text, date, and the queries to the index."""
    from htmldate import find_date
    from trafilatura import extract

    spent = {"trafilatura": 0.0, "htmldate": 0.0, "index queries": 0.0}
    with Pool.open(site.pool, home=out) as pool:
        bodies = {}
        for url in pool.urls():
            found = pool.read(url)
            if isinstance(found, Capture):
                bodies[f"sha256:{_sha(found.body)}"] = found.body.decode("utf-8")
        for record in read_records(out):
            texts = [bodies[digest] for digest in record.coverage.exhibits]
            began = time.process_time()
            for text in texts:
                extract(text)
            after = time.process_time()
            for text in texts:
                find_date(text)
            dated = time.process_time()
            for query in record.coverage.queries:
                pool._index.find(query, 40)  # the query alone, without what s2r makes of its answer
            spent["trafilatura"] += after - began
            spent["htmldate"] += dated - after
            spent["index queries"] += time.process_time() - dated
    return spent


def _sha(body: bytes) -> str:
    import hashlib

    return hashlib.sha256(body).hexdigest()


def growth(scratch: Path, sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    """Time and memory of three sizes of one universe, and of nights of the largest in which nothing has changed."""
    ran: dict[int, Ran] = {}
    for rows in sizes:
        folder = scratch / f"g{rows}"
        site = write_site(folder, rows, pages=2)
        ran[rows] = audit(site, folder / "out", os.cpu_count() or 1)
        yield told("growth", f"seconds, {rows} rows", ran[rows].seconds, _of(ran[rows], rows))
    small, middle, large = sizes
    times = large / middle
    what = f"{large} rows over {middle} rows"
    yield at_most("growth", "time", ran[large].seconds / ran[middle].seconds, 1.05 * times, f"{what}, by the clock")
    yield told("growth", "CPU", ran[large].cpu / ran[middle].cpu, f"{what}, CPU time")
    what = f"{large} rows over {small} rows"
    yield at_most(
        "memory", "peak of the main process", ran[large].main_mb / ran[small].main_mb, 1.2, f"{what}: {ran[large].main_mb:.0f} MB"
    )
    yield at_most("memory", "peak of all processes", ran[large].all_mb / ran[small].all_mb, 1.2, f"{what}: {ran[large].all_mb:.0f} MB")
    folder = scratch / f"g{large}"
    site = Site(folder / "universe.csv", folder / "pool.jsonl", large, large * 2)
    nights = [audit(site, folder / "out", 2, "nightly") for _ in range(2)]
    for name, night in zip(("first", "second"), nights, strict=True):
        ratio = ran[large].seconds / night.seconds
        yield at_least(
            "growth", f"first run / {name} night without news", ratio, 200, f"{large} rows; {night.seconds:.1f} s, {_of(night, large)}"
        )


def _of(ran: Ran, rows: int) -> str:
    return f"{ran.cpu / rows * 1000:.1f} ms of CPU a row, {ran.main_mb:.0f} MB in the main process, {ran.all_mb:.0f} MB in all"


def as_json(figures: Sequence[Figure]) -> str:
    """One line for each figure."""
    return "\n".join(json.dumps(one.row(), ensure_ascii=False) for one in figures)

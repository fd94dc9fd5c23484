"""Live audits over the loopback world: how much of the waiting is overlapped, and what a record costs beside a peer's."""

from __future__ import annotations

import csv
import datetime as dt
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most, told
from benchmarks.site import MODEL, SEARCH, write_policies, write_site
from benchmarks.tree import Ran, run
from benchmarks.world import Served, since

SEARCH_S, FETCH_S, MODEL_S = 0.2, 0.3, 1.0
STEADY = (0.2, 0.8)  # share of the rows between which the pace is taken: neither start-up nor the end counts
PEER = {"CPU seconds": 0.14, "MB": 220.0, "searches": 5.0, "pages": 7.0, "models": 3.0}  # gpt-researcher, one process, per question
IN_FLIGHT = (8, 16, 32, 64)
ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Lived:
    """A live audit: what it took, what it asked for, rows per second while it was at pace, and its world's CPU seconds."""

    ran: Ran
    rows: int
    asked: dict[str, float]
    pace: float

    def each(self, name: str) -> float:
        """How much of something for one row."""
        return self.asked[name] / self.rows

    @property
    def wait(self) -> float:
        """Seconds of latency of a row's requests, robots.txt included: what one of them in flight at any time would take."""
        pages = self.each("pages") + self.each("robots")
        return self.each("searches") * SEARCH_S + pages * FETCH_S + self.each("models") * MODEL_S


def lived(
    folder: Path, rows: int, served: Served, policies: Path, *, in_flight: int, pages: int, kilobytes: float, workers: int, panel: bool
) -> Lived:
    """Audit the first `rows` rows of a site on the live web of a world that serves it."""
    site = write_site(folder / "site", rows, pages=pages, kilobytes=kilobytes)
    env = served.env | {"S2R_HOME": str(folder / "home"), "S2R_ROWS_AT_ONCE": str(in_flight)}
    command = [sys.executable, "-m", "s2r", "audit", site.universe, "--policies", policies, "--out", folder / "out", "--search", SEARCH]
    command += ["--model", MODEL, "--workers", workers, "--max-pages", pages]
    if panel:
        env |= {"S2R_VERIFIER_MODEL": f"{MODEL}-b", "S2R_ESCALATION_MODEL": f"{MODEL}-c"}
        command += ["--panel", "majority"]
    before = served.counts()
    ran = run(command, env)
    return Lived(ran, rows, since(served.counts(), before), pace(folder / "out" / "s2r.db"))


def pace(store: Path) -> float:
    """Rows per second in the middle of a run, by the times at which they were kept."""
    with closing(sqlite3.connect(store)) as db:
        found = [dt.datetime.fromisoformat(at).timestamp() for (at,) in db.execute("select created_at from revision order by created_at")]
    first, last = (int(share * (len(found) - 1)) for share in STEADY)
    return (last - first) / max(1e-9, found[last] - found[first])


def waiting(scratch: Path, in_flight: Sequence[int] = IN_FLIGHT, rounds: int = ROUNDS) -> Iterator[Figure]:
    """Throughput with more and more rows in flight, beside the bound of Little's law and that of the processor."""
    policies = write_policies(scratch)
    most = write_site(scratch / "all", max(in_flight) * rounds, pages=3)
    options = ("--search-s", SEARCH_S, "--fetch-s", FETCH_S, "--model-s", MODEL_S)
    with Served(most.pool, *options) as served:
        for number in in_flight:
            found = lived(
                scratch / f"w{number}", number * rounds, served, policies, in_flight=number, pages=3, kilobytes=0, workers=2, panel=False
            )
            yield from _paced(found, number)


def _paced(found: Lived, in_flight: int) -> Iterator[Figure]:
    part, cores = "waiting", os.cpu_count() or 1
    little = in_flight / found.wait
    own, world = found.ran.cpu / found.rows, found.each("cpu")
    bound = cores / (own + world)
    busy = (found.ran.cpu + found.asked["cpu"]) / (found.ran.seconds * cores)
    of = (
        f"{found.rows} rows, {in_flight} in flight, {found.each('searches'):.1f} searches, {found.each('pages'):.1f} pages and robots.txt, "
        f"{found.each('models'):.1f} model calls a row; {found.pace:.1f} rows/s, Little {little:.1f}, processor {bound:.1f} rows/s "
        f"(CPU s a row: {own:.3f} s2r, {world:.3f} the world; {busy:.0%} of {cores} cores in use)"
    )
    yield at_least(part, f"pace / bound, {in_flight} in flight", found.pace / min(little, bound), 0.9, of)


def peers(scratch: Path, rows: int = 120, kilobytes: float = 1.0) -> Iterator[Figure]:
    """What a record costs with as many pages and model calls as a question of a peer, beside that peer's figures."""
    policies = write_policies(scratch)
    pages = int(PEER["pages"])
    site = write_site(scratch / "all", rows, pages=pages, kilobytes=kilobytes)
    with Served(site.pool, "--search-s", 0.0, "--fetch-s", 0.0, "--model-s", 0.0) as served:
        few, many = (
            lived(
                scratch / f"p{number}",
                number,
                served,
                policies,
                in_flight=16,
                pages=pages,
                kilobytes=kilobytes,
                workers=1,
                panel=True,
            )
            for number in (max(1, rows // 6), rows)
        )
    each = (many.ran.cpu - few.ran.cpu) / (many.rows - few.rows)
    of = (
        f"{rows} rows of {many.each('searches'):.1f} searches, {many.each('pages'):.1f} pages of {kilobytes:g} kB and "
        f"{many.each('models'):.1f} model calls, archived and verified"
    )
    peer = f"a peer that keeps and checks nothing: {PEER['CPU seconds']} CPU s, {PEER['MB']:g} MB"
    yield at_most("peers", "CPU seconds a record / a peer's", each / PEER["CPU seconds"], 0.5, f"{each:.3f} s; {of}; {peer}")
    whole = many.ran.cpu / many.rows
    yield told("peers", "the same with start-up", whole / PEER["CPU seconds"], f"{whole:.3f} s, over all {rows} rows")
    yield at_most(
        "peers", "memory / a peer's", many.ran.all_mb / PEER["MB"], 1.0,
        f"{many.ran.all_mb:.0f} MB in {many.ran.most_processes} processes (shared memory once), main process {many.ran.main_mb:.0f} MB",
    )  # fmt: skip
    yield told("peers", "prompt tokens a record", many.each("tokens"), "a peer: 3,546")


def rows_of(universe: Path) -> int:
    """Number of rows of a universe."""
    with universe.open(encoding="utf-8", newline="") as fh:
        return sum(1 for _ in csv.reader(fh)) - 1

"""Audits on a Dask cluster of this machine beside the local engine: overhead, records, and the use of a limit that all workers share."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure, at_least, at_most, told
from benchmarks.site import SEARCH, write_policies, write_site
from benchmarks.tree import below, clean_environment, run
from s2r.archive import Archive
from s2r.cluster.coordinator import open_cluster
from s2r.cluster.station import STATIONS
from s2r.net import Limit, Limiter
from s2r.policy import load_policy, policy_root
from s2r.settings import Settings
from s2r.testing import World
from s2r.testing.cluster import LoopbackCluster

RATE = 20  # requests a second to one host
STEADY = (0.1, 0.9)  # of the requests: what lies between is at pace
IN_FLIGHT = 16  # rows


def dask(scratch: Path, rows: int = 200, kilobytes: float = 8.0, repeats: int = 3) -> Iterator[Figure]:
    """Two workers of a cluster over two of the local engine, in turns; then pages of one host for both workers."""
    with LoopbackCluster(scratch / "cluster", PYTHONPATH=clean_environment()["PYTHONPATH"]) as cluster:
        engine = ["--engine", "dask", "--scheduler", cluster.address]
        yield from _overhead(scratch, cluster, engine, rows, kilobytes, repeats)
        yield from _paced(scratch, engine)
        yield from _paced_alone(scratch, cluster.address)


def _overhead(
    scratch: Path, cluster: LoopbackCluster, engine: Sequence[str], rows: int, kilobytes: float, repeats: int
) -> Iterator[Figure]:
    site = write_site(scratch / "site", rows, pages=5, kilobytes=kilobytes)
    one = write_site(scratch / "one", 1)
    options = {"local": ["--workers", "2"], "dask": list(engine)}
    took: dict[str, list[float]] = {name: [] for name in options}
    spent: dict[str, list[float]] = {name: [] for name in options}
    same = True
    for number in range(repeats):
        found = {}
        for name in options if number % 2 == 0 else reversed(options):
            out = scratch / f"{name}-{number}"
            command = [sys.executable, "-m", "s2r", "audit", site.universe, "--pool", site.pool, "--out", out, *options[name]]
            run([*command[:4], one.universe, *command[5:]])  # builds the index of the pool
            before = _cpu(cluster)
            ran = run(command)
            took[name].append(ran.seconds)
            spent[name].append(ran.cpu + (_cpu(cluster) - before if name == "dask" else 0.0))
            found[name] = re.sub(rb'"latency_s":[0-9.e+-]+', b"", (out / "records.jsonl").read_bytes())
        same = same and found["local"] == found["dask"]
    ratios = [far / near for far, near in zip(took["dask"], took["local"], strict=True)]
    of = (
        f"{rows} rows of 5 pages of {kilobytes:g} kB, two workers each, of {repeats} pairs ({min(ratios):.2f} to {max(ratios):.2f}), "
        f"start-up of the command included; best: local {min(took['local']):.1f} s, cluster {min(took['dask']):.1f} s"
    )
    yield at_most("dask", "time / local engine", median(ratios), 1.15, of)
    both = f"local {min(spent['local']):.1f} s, cluster {min(spent['dask']):.1f} s, what its processes use without work included"
    yield told("dask", "CPU of all processes / local engine", min(spent["dask"]) / min(spent["local"]), both)
    yield Figure("dask", "records", "the same" if same else "different", "the same", same, "records.jsonl but for latency_s, each pair")


def _cpu(cluster: LoopbackCluster) -> float:
    """CPU seconds that all processes of a cluster have used."""
    roots = [process.pid for process in (cluster.scheduler, *cluster.workers) if process]
    ticks = 0
    for pid in (*roots, *(child for root in roots for child in below(root))):
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _paced(scratch: Path, engine: Sequence[str], rows: int = 60) -> Iterator[Figure]:
    site = write_site(scratch / "paced", rows, pages=7, hosts=1)
    policies = write_policies(scratch)
    for name, options in (("dask", engine), ("local", ["--workers", "2"])):
        with World(site.pool) as world:
            env = world.env(SEARCH) | {"S2R_BRAVE_RATE": "5000", "S2R_HOST_RATE": str(RATE), "S2R_FETCH_PROXY": world.origin}
            env |= {"S2R_ROWS_AT_ONCE": str(IN_FLIGHT), "S2R_HOME": str(scratch / f"home-{name}")}
            command = [sys.executable, "-m", "s2r", "audit", site.universe, "--policies", policies, "--search", SEARCH, "--max-pages", 7]
            run([*command, "--out", scratch / f"paced-{name}", *options], env)
            times = sorted(seen.at for seen in world.seen)
        most, used = _use(times)
        of = f"{len(times)} pages of one host, {RATE} a second allowed; middle {STEADY[1] - STEADY[0]:.0%} of them"
        if name == "dask":
            yield at_most("dask", "pages in the fullest second", most, RATE, of)
            yield at_least("dask", "share of the limit in use", used, 0.9, f"{of}; the processor may be the bound")
        else:
            yield told("dask", "the same by the local engine", used, f"{of}; fullest second {most}")


def _paced_alone(scratch: Path, scheduler: str, requests: int = 400) -> Iterator[Figure]:
    settings = Settings(engine="dask", scheduler=scheduler, host_rate=RATE)
    policy = load_policy("delisting", policy_root(settings))

    async def taken() -> list[list[float]]:
        limiter = Limiter(scratch / "limits.db", default=Limit(rate=RATE))
        with Archive(scratch / "alone") as archive:
            async with open_cluster(archive, settings, policy, limiter=limiter, limits={}, in_time=False) as cluster:
                return await asyncio.gather(*(cluster.run(take_turns, requests // 2) for _ in range(2)))

    times = sorted(at for found in asyncio.run(taken()) for at in found)
    most, used = _use(times)
    of = f"{len(times)} turns that two workers take without a page, {RATE} a second allowed"
    yield at_most("dask", "turns in the fullest second", most, RATE, of)
    yield at_least("dask", "share of the limit in use, turns alone", used, 0.9, of)


def take_turns(count: int) -> list[float]:
    """On a worker: when so many requests to one host would have left, eight of them side by side."""
    station = next(iter(STATIONS.values()))

    async def turns() -> list[float]:
        limiter, left = station.limiter, list[float]()

        async def one() -> None:
            while len(left) < count:
                async with limiter.slot("host.example") as grant:
                    await limiter.sent(grant)
                    left.append(time.time())
                    await asyncio.sleep(0.03)

        await asyncio.gather(*(one() for _ in range(8)))
        return left

    return station.call(turns())


def _use(times: Sequence[float]) -> tuple[int, float]:
    """Requests in the fullest second, and the share of the limit in use while they are at pace."""
    most = max(bisect_left(times, start + 1.0) - place for place, start in enumerate(times))
    first, last = (int(share * (len(times) - 1)) for share in STEADY)
    return most, (last - first) / (times[last] - times[first]) / RATE

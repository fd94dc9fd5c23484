"""An audit on a Dask cluster: the records of the local engine, whatever dies on the way; limits of hosts hold for all machines together."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command, start
from factories import world as world_of
from factories import write_pool, write_universe, write_world

import s2r as s2r_package
from s2r.archive import Archive
from s2r.models import Listing
from s2r.pipeline.engine import WorkerDied
from s2r.policy import Policy
from s2r.settings import Settings
from s2r.testing import World
from s2r.testing.tls import has_openssl

pytest.importorskip("distributed", reason="the extra dask is not installed")

from s2r.testing.cluster import LoopbackCluster

PATIENCE = 240.0
FAST = {"S2R_BRAVE_RATE": "5000", "S2R_HOST_RATE": "5000"}
needs_tls = pytest.mark.skipif(not has_openssl(), reason="a world with TLS needs the openssl program")


def records(out: Path) -> list[bytes]:
    """Lines of records.jsonl without the time that each row took."""
    return re.sub(rb'"latency_s":[0-9.e+-]+', b'"latency_s":0', (out / "records.jsonl").read_bytes()).splitlines()


def finished(process: subprocess.Popen[str]) -> str:
    """What the command said on stderr; it must have ended well."""
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return err


def rows_told(process: subprocess.Popen[str], count: int) -> int:
    """Read progress until so many rows are done, or the command ends; return how many were."""
    assert process.stderr is not None
    seen = 0
    while seen < count and (line := process.stderr.readline()):
        seen += re.match(r"\d+/\d+ ", line) is not None
    return seen


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackCluster]:
    """Two workers of one thread each."""
    with LoopbackCluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


def engine(cluster: LoopbackCluster, *more: object) -> list[object]:
    """Options of an audit on the cluster."""
    return ["--engine", "dask", "--scheduler", cluster.address, *more]


@pytest.mark.slow
def test_a_cluster_does_an_audit_of_the_live_web(tmp_path: Path, policies: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker fetches, reads and judges; the coordinator, which cannot, has a whole run folder in the end."""
    listings, pages = world_of(2)
    for page in pages:
        page["url"] = str(page["url"]).replace("https:", "http:")
    universe, pool = write_universe(tmp_path / "universe.csv", listings), write_pool(tmp_path / "pool.jsonl", pages)
    monkeypatch.setattr("s2r.pipeline.pages.fetch_hit", None)
    monkeypatch.setattr("s2r.pipeline.parsed.extract", None)
    shared = tmp_path / "shared"
    with World(pool) as world, LoopbackCluster(tmp_path / "cluster", workers=1, nanny=False) as cluster:
        for name, value in (world.env("brave") | FAST | {"S2R_FETCH_PROXY": world.origin, "S2R_HOME": str(tmp_path / "home")}).items():
            monkeypatch.setenv(name, value)
        options = ["--policies", policies, "--search", "brave", "--out", tmp_path / "out", *engine(cluster, "--shared", shared.as_uri())]
        ran = s2r("audit", universe, *options)
    assert ran.code == 0, ran.err
    assert sorted(json.loads(line)["status"] for line in records(tmp_path / "out")) == ["no", "yes"]
    assert list(shared.iterdir()) == []
    monkeypatch.undo()
    assert s2r("verify", tmp_path / "out").code == 0


@pytest.mark.proof
@needs_tls
def test_live_records_are_those_of_the_local_engine(tmp_path: Path, policies: Path, cluster: LoopbackCluster, s2r: Command) -> None:
    """Pages are fetched by workers into a shared folder and lie in the run folder in the end, which can be verified and used as a pool."""
    universe, pool = write_world(tmp_path, 4)
    shared = tmp_path / "shared"
    with World(pool, tls=True) as world:
        for name, more in (("local", []), ("far", engine(cluster, "--shared", shared.as_uri()))):
            command = ["audit", universe, "--policies", policies, "--search", "brave", "--out", tmp_path / name, *more]
            finished(start(command, tmp_path, **world.env("brave"), **FAST, S2R_HOME=str(tmp_path / f"home-{name}")))
        asked = Counter(request.url for request in world.seen if not request.url.endswith("robots.txt"))
    assert records(tmp_path / "far") == records(tmp_path / "local")
    assert set(asked.values()) == {2}  # once for each run
    assert list(shared.iterdir()) == []
    assert s2r("verify", tmp_path / "far").code == 0
    again = ["audit", universe, "--policies", policies, "--pool", tmp_path / "far" / "archive", "--out", tmp_path / "again"]
    finished(start([*again, *engine(cluster)], tmp_path))
    assert len(records(tmp_path / "again")) == 4


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--engine", "dask"], "needs the address of a scheduler"),
        (["--scheduler", "tcp://127.0.0.1:1"], "is not used by the local engine"),
    ],
)
def test_half_an_engine_is_refused(options: list[object], told: str, tmp_path: Path, policies: Path, s2r: Command) -> None:
    """Before any work, saying what to give."""
    universe, pool = write_world(tmp_path, 1)
    ran = s2r("audit", universe, "--pool", pool, "--policies", policies, "--out", tmp_path / "out", *options)
    assert ran.code == 2
    assert told in ran.err
    assert not (tmp_path / "out").exists()


def in_turns(process: subprocess.Popen[str], cluster: LoopbackCluster, kills: int) -> None:
    """Kill one worker after the other while rows are in work."""
    for number in range(kills):
        rows_told(process, 2)
        pids = cluster.pids()
        if pids:  # else the last one has not come back yet
            with contextlib.suppress(ProcessLookupError):
                os.kill(pids[number % len(pids)], signal.SIGKILL)


@pytest.mark.proof
def test_killed_workers_lose_nothing(tmp_path: Path, policies: Path) -> None:
    """Rows in work are done by the others, and no record differs; workers come back and are made ready anew."""
    universe, pool = write_world(tmp_path, 24)
    command = ["audit", universe, "--pool", pool, "--policies", policies]
    finished(start([*command, "--out", tmp_path / "local"], tmp_path))
    with LoopbackCluster(tmp_path / "cluster") as cluster:
        process = start([*command, "--out", tmp_path / "far", *engine(cluster)], tmp_path)
        in_turns(process, cluster, 4)
        finished(process)
    assert records(tmp_path / "far") == records(tmp_path / "local")


@pytest.mark.proof
@needs_tls
def test_killed_workers_lose_no_page_of_the_live_web(tmp_path: Path, policies: Path, s2r: Command) -> None:
    """Pages under way are asked for again elsewhere; the pace of a host is lent on although who had it is gone."""
    universe, pool = write_world(tmp_path, 24)
    with World(pool, tls=True) as world, LoopbackCluster(tmp_path / "cluster") as cluster:
        command = ["audit", universe, "--policies", policies, "--search", "brave"]
        env = world.env("brave") | {"S2R_BRAVE_RATE": "5000", "S2R_HOST_RATE": "10", "S2R_HOME": str(tmp_path / "home")}
        finished(start([*command, "--out", tmp_path / "local"], tmp_path, **env))
        process = start([*command, "--out", tmp_path / "far", *engine(cluster)], tmp_path, **env)
        in_turns(process, cluster, 4)
        finished(process)
    assert records(tmp_path / "far") == records(tmp_path / "local")
    assert s2r("verify", tmp_path / "far").code == 0


@pytest.mark.proof
def test_a_killed_scheduler_costs_the_rows_in_work(tmp_path: Path, policies: Path) -> None:
    """The run ends with exit code 1 and says what to do; the same command on a new cluster does what is left, and no row twice."""
    universe, pool = write_world(tmp_path, 24)
    command = ["audit", universe, "--pool", pool, "--policies", policies]
    finished(start([*command, "--out", tmp_path / "local"], tmp_path))
    with LoopbackCluster(tmp_path / "cluster") as cluster:
        command = [*command, "--out", tmp_path / "far", *engine(cluster)]
        process = start(command, tmp_path)
        done = rows_told(process, 5)
        assert cluster.scheduler is not None
        cluster.scheduler.kill()
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1, err
        assert re.search(r"^Error: tcp://127.0.0.1:\d+: the scheduler is gone. .*repeat the same command", err, re.MULTILINE), err
        assert "Traceback" not in err
        done += len(re.findall(r"^\d+/24 ", err, re.MULTILINE))
        cluster.stop()
        cluster.begin()
        err = finished(start(command, tmp_path))
    assert len(re.findall(r"^\d+/24 ", err, re.MULTILINE)) == 24 - done
    assert records(tmp_path / "far") == records(tmp_path / "local")


def poison(number: int) -> int:
    """Kill the worker for number 0."""
    if number == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.proof
def test_a_row_that_kills_its_workers_fails_alone(tmp_path: Path, policy: Policy) -> None:
    """It is given up after as many deaths as the cluster allows, twice; what ran beside it is done."""
    from s2r.cluster.coordinator import open_cluster

    environment = {
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path]),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    }

    async def work(address: str) -> list[object]:
        settings = Settings(engine="dask", scheduler=address)
        with Archive(tmp_path) as archive:
            async with open_cluster(archive, settings, policy, limiter=None, limits={}, in_time=False) as cluster:
                return list(await asyncio.gather(*(cluster.run(poison, n) for n in (1, 0, 2, 3, 4)), return_exceptions=True))

    with LoopbackCluster(tmp_path / "cluster", **environment) as cluster:
        found = asyncio.run(work(cluster.address))
    assert isinstance(found[1], WorkerDied)
    assert [one for one in found if not isinstance(one, BaseException)] == [1, 2, 3, 4]


@pytest.mark.proof
def test_a_worker_of_another_version_is_named(tmp_path: Path, policies: Path) -> None:
    """Before any work, with both versions; the run folder is not made."""
    universe, pool = write_world(tmp_path, 1)
    other = shutil.copytree(Path(s2r_package.__file__).parent, tmp_path / "other" / "s2r", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "route.py").open("a", encoding="utf-8") as code:
        code.write("# changed\n")
    with LoopbackCluster(tmp_path / "cluster", workers=1, PYTHONPATH=str(other.parent)) as cluster:
        command = ["audit", universe, "--pool", pool, "--policies", policies, "--out", tmp_path / "out", *engine(cluster)]
        process = start(command, tmp_path)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, err
    version = r"\S+ \(code [0-9a-f]{12}\)"
    told = rf"worker tcp://127.0.0.1:\d+: is not the same as the coordinator: s2r is {version} there, {version} here\. Install"
    assert re.search(told, err), err
    assert not (tmp_path / "out").exists()


@pytest.mark.proof
def test_a_place_that_workers_do_not_see_is_named(tmp_path: Path, policies: Path, cluster: LoopbackCluster) -> None:
    """A memory of one process is shared with nobody."""
    universe, pool = write_world(tmp_path, 1)
    options = engine(cluster, "--shared", "memory://nowhere")
    process = start(["audit", universe, "--pool", pool, "--policies", policies, "--out", tmp_path / "out", *options], tmp_path)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, err
    assert re.search(r"worker tcp://127.0.0.1:\d+: does not share memory://nowhere: ", err), err


@pytest.mark.proof
@needs_tls
def test_no_second_holds_more_requests_than_a_host_allows(tmp_path: Path, policies: Path, cluster: LoopbackCluster) -> None:
    """Two machines that want more than 20 pages a second of one host."""
    listings, _ = world_of(8)
    pages = [_news(row, number, page) for number, row in enumerate(listings) for page in range(25)]
    universe, pool = write_universe(tmp_path / "universe.csv", listings), write_pool(tmp_path / "pool.jsonl", pages)
    with World(pool, tls=True) as world:
        env = world.env("brave") | {"S2R_BRAVE_RATE": "5000", "S2R_HOST_RATE": "20", "S2R_HOME": str(tmp_path / "home")}
        options = ["--search", "brave", "--out", tmp_path / "out", *engine(cluster)]
        finished(start(["audit", universe, "--policies", policies, *options], tmp_path, **env))
        times = sorted(request.at for request in world.seen)
    assert len(times) > 100
    assert max(bisect_left(times, time + 1.0) - n for n, time in enumerate(times)) <= 20


def _news(row: Listing, number: int, page: int) -> dict[str, object]:
    title = f"{row.issuer} news {page}"
    text = f"CHICAGO, May {1 + page}, 2019 -- {row.issuer} (Nasdaq: {row.ticker}) said that its common stock stays listed on Nasdaq."
    body = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p></body></html>"
    return {"url": f"https://press.example/{number}/{page}", "title": title, "content_type": "text/html", "body": body}

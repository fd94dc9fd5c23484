"""One limiter for all workers and processes: no second holds more than is allowed, and little of it is wasted."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from net_server import answer, serving

from s2r.errors import StoreError
from s2r.net import CoolingDown, Limit, Limiter

START = 1_800_000_000.0


class World:
    """A clock that sleepers move; the event loop runs one sleeper at a time, the earliest first."""

    def __init__(self) -> None:
        self.now = START
        self._waiting: list[tuple[float, int, asyncio.Event]] = []
        self._count = itertools.count()

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        event = asyncio.Event()
        self._waiting.append((self.now + seconds, next(self._count), event))
        await event.wait()

    async def run(self, *jobs: object) -> None:
        """Run the jobs to their end, moving the clock whenever all of them sleep."""
        tasks = [asyncio.ensure_future(job) for job in jobs]  # type: ignore[arg-type]
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0.002)  # let threads and tasks settle
            if self._waiting:
                self._waiting.sort()
                at, _, event = self._waiting.pop(0)
                self.now = max(self.now, at)
                event.set()
        for task in tasks:
            task.result()


def limiter(world: World, **limits: Limit) -> Limiter:
    return Limiter(None, {name.replace("_", "."): limit for name, limit in limits.items()}, clock=world.clock, sleep=world.sleep)


async def hits(limits: Limiter, world: World, bucket: str, count: int, times: list[float], hold: float = 0.0) -> None:
    for _ in range(count):
        async with limits.slot(bucket):
            times.append(world.now - START)
            if hold:
                await world.sleep(hold)


def test_requests_are_spaced() -> None:
    """At 4 a second, requests of several workers are at least a quarter of a second apart, and not much more."""
    world, times = World(), []
    limits = limiter(world, a_example=Limit(rate=4, concurrency=10))
    asyncio.run(world.run(*(hits(limits, world, "a.example", 5, times) for _ in range(3))))
    gaps = [later - sooner for sooner, later in itertools.pairwise(times)]
    assert len(times) == 15
    assert all(0.25 <= gap <= 0.275 for gap in gaps), gaps


def test_a_request_that_leaves_late_makes_the_next_wait() -> None:
    """A request whose connection took its time counts from when it left; one that was overtaken meanwhile waits for another turn."""
    world = World()
    limits = limiter(world, a_example=Limit(rate=1, concurrency=9))
    left: list[float] = []

    async def request(connecting: float) -> None:
        async with limits.slot("a.example") as grant:
            await world.sleep(connecting)
            await limits.sent(grant)
            left.append(world.now - START)

    asyncio.run(world.run(request(0.5), request(0.0), request(2.3), request(0.0), request(0.0)))
    assert len(left) == 5
    assert all(later - sooner >= 1 for sooner, later in itertools.pairwise(sorted(left))), left


def test_bursts_come_back_after_a_pause() -> None:
    """A burst of three may start at once, then the pace holds; after a rest it may again."""
    world, times = World(), []
    limits = limiter(world, a_example=Limit(rate=1, burst=3, concurrency=10))

    async def job() -> None:
        await hits(limits, world, "a.example", 5, times)
        await world.sleep(10)
        await hits(limits, world, "a.example", 3, times)

    asyncio.run(world.run(job()))
    assert times[:3] == [0, 0, 0]
    assert times[3] >= 1
    assert times[4] >= times[3] + 1
    assert times[7] - times[5] < 0.01


def test_concurrency_is_capped_and_leases_of_the_dead_end() -> None:
    """No more requests run at once than allowed; a place that a killed process held comes free when its time is over."""
    world, times = World(), []
    limits = limiter(world, a_example=Limit(rate=1000, concurrency=2))
    running, most = 0, 0

    async def job() -> None:
        nonlocal running, most
        async with limits.slot("a.example"):
            running += 1
            most = max(most, running)
            await world.sleep(1)
            running -= 1

    asyncio.run(world.run(*(job() for _ in range(6))))
    assert most == 2

    async def after_the_dead() -> None:
        killed = [limits.slot("a.example", longest=30) for _ in range(2)]
        for slot in killed:
            await slot.__aenter__()
        before = world.now
        await hits(limits, world, "a.example", 1, times)
        assert 28 < world.now - before < 31

    asyncio.run(world.run(after_the_dead()))


def test_tokens_are_counted() -> None:
    """At 100 tokens a second with room for 1000, the second large request waits for its tokens; booked surplus delays the next."""
    world, times = World(), []
    limits = limiter(world, m=Limit(rate=1000, concurrency=9, tokens=100, token_burst=1000))

    async def job() -> None:
        for size in (1000, 500, 5000):
            async with limits.slot("m", tokens=size):
                times.append(round(world.now - START))
        await limits.spend("m", 300)
        async with limits.slot("m", tokens=10):
            times.append(round(world.now - START))

    asyncio.run(world.run(job()))
    assert times[0] == 0
    assert times[1] == 5
    assert times[2] == 15
    assert times[3] >= 57


def test_sub_domains_share_the_limit_of_their_domain() -> None:
    """A listed domain speaks for its hosts; a name that merely ends alike does not belong to it."""
    limits = Limiter(None, {"sec.gov": Limit(rate=9), "data.sec.gov": Limit(rate=3)})
    assert [limits.bucket(host) for host in ("www.sec.gov", "sec.gov", "data.sec.gov", "notsec.gov", "sec.gov.example")] == [
        "sec.gov", "sec.gov", "data.sec.gov", "notsec.gov", "sec.gov.example"]  # fmt: skip
    assert limits.limit("sec.gov").rate == 9


def test_asked_pauses_hold_all_workers() -> None:
    """After Retry-After no worker sends before it is over; one that will not wait that long is told at once."""
    world, times = World(), []
    limits = limiter(world, a_example=Limit(rate=100, concurrency=9))

    async def job() -> None:
        await hits(limits, world, "a.example", 1, times)
        await limits.limited("a.example", 30)
        with pytest.raises(CoolingDown, match="30 s of it are left") as caught:
            async with limits.slot("a.example", patience=10):
                pass
        assert caught.value.seconds == pytest.approx(30, abs=0.1)
        await asyncio.gather(*(hits(limits, world, "a.example", 1, times) for _ in range(3)))

    asyncio.run(world.run(job()))
    assert all(moment >= 30 for moment in times[1:])


def test_a_host_that_never_answers_is_left_alone() -> None:
    """Eight failures in a row open the circuit, longer each time; one answer closes it."""
    world = World()
    limits = limiter(world, a_example=Limit(rate=1000))

    async def blocked() -> float:
        try:
            async with limits.slot("a.example", patience=0):
                return 0.0
        except CoolingDown as exc:
            return exc.seconds

    async def job() -> list[float]:
        left = []
        for _ in range(8):
            left.append(await blocked())
            await limits.failed("a.example")
        left.append(await blocked())
        world.now += 60
        await limits.failed("a.example")
        left.append(await blocked())
        await limits.passed("a.example")
        world.now += 60
        for _ in range(3):
            await limits.failed("a.example")
            left.append(await blocked())
        return left

    left: list[float] = []

    async def kept() -> None:
        left.extend(await job())

    asyncio.run(world.run(kept()))
    assert left[:8] == [0] * 8
    assert left[8] == pytest.approx(15, abs=0.1)
    assert left[9] == pytest.approx(30, abs=0.1)
    assert left[10:] == [0, 0, 0]


@pytest.mark.parametrize(("real", "configured"), [(1.0, 2.0), (0.5, 2.0), (1.0, 1.0)])
def test_the_pace_adapts_to_a_server_that_allows_less(real: float, configured: float) -> None:
    """A server that silently allows half or a quarter of what is configured is slowed down to; one that allows it is not."""
    world = World()
    limits = limiter(world, a_example=Limit(rate=configured))
    told: list[tuple[float, bool]] = []

    async def job() -> None:
        free_at = 0.0
        for _ in range(150):
            async with limits.slot("a.example"):
                now = world.now
                limited = now < free_at
                told.append((now, limited))
                if not limited:
                    free_at = now + 1 / real * 0.999
            await (limits.limited("a.example") if limited else limits.passed("a.example"))

    asyncio.run(world.run(job()))
    late = told[60:]
    refused = sum(limited for _, limited in late) / len(late)
    span = late[-1][0] - late[0][0]
    assert refused < 0.4
    assert (len(late) - sum(limited for _, limited in late)) / span > 0.55 * real


def test_random_refusals_cost_little() -> None:
    """With 15% random refusals at the allowed rate, at least 90% of the rate is used."""
    world, dice = World(), random.Random(7)
    limits = limiter(world, a_example=Limit(rate=1))
    times: list[float] = []

    async def job() -> None:
        for _ in range(300):
            async with limits.slot("a.example"):
                times.append(world.now)
            await (limits.limited("a.example") if dice.random() < 0.15 else limits.passed("a.example"))

    asyncio.run(world.run(job()))
    assert len(times) - 1 >= 0.9 * (times[-1] - times[0])
    assert all(later - sooner >= 1 for sooner, later in itertools.pairwise(times))


def test_a_clock_that_steps_back_does_not_stop_the_work() -> None:
    """After the clock is set back by a day, the next request waits for one interval, not for a day."""
    world, times = World(), []
    limits = limiter(world, a_example=Limit(rate=1))

    async def job() -> None:
        await hits(limits, world, "a.example", 3, times)
        world.now -= 86_400
        before = world.now
        await hits(limits, world, "a.example", 1, times)
        assert world.now - before < 2

    asyncio.run(world.run(job()))


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    """A limiter file that is no database is a store error, not a crash."""
    (tmp_path / "limits.db").write_bytes(b"this is no database, but text that is long enough to be looked at" * 20)
    with pytest.raises(StoreError):
        Limiter(tmp_path / "limits.db")
    with pytest.raises(StoreError):
        Limiter(tmp_path / "limits.db" / "deeper")


WORKER = """
import asyncio, sys, time, json
sys.path.insert(0, sys.argv[3])
from pathlib import Path
from net_server import client
from s2r.net import Limit, Limiter, RetryRule
async def main(port, path, until):
    limits = Limiter(Path(path), {"127.0.0.1": Limit(rate=float(sys.argv[4]), concurrency=4)})
    got = lost = 0
    async with client(port, limiter=limits, retry=RetryRule(attempts=8, base_s=0.1)) as net:
        async def worker():
            nonlocal got, lost
            while time.time() < until:
                reply = await net.get(f"http://127.0.0.1:{port}/")
                got, lost = got + (reply.status == 200), lost + (reply.status != 200)
        await asyncio.gather(*(worker() for _ in range(3)))
    print(json.dumps([got, lost]))
print("ready", flush=True)
asyncio.run(main(int(sys.argv[1]), sys.argv[2], time.time() + float(sys.stdin.readline())))
"""


@pytest.mark.parametrize(("rate", "seconds", "hint"), [(1.0, 14.0, False), (1.0, 14.0, True), (5.0, 6.0, False)])
def test_two_processes_share_one_pace(tmp_path: Path, rate: float, seconds: float, hint: bool) -> None:
    """Two processes with three workers each against a server of so many requests a second that refuses one in ten at random:
    no span of an interval sees two requests, at least 90% of a rate of 1/s is used, and nothing is lost."""
    arrivals: list[float] = []
    dice = random.Random(3)

    async def script(path: str, writer: asyncio.StreamWriter) -> None:
        arrivals.append(time.monotonic())
        if dice.random() < 0.1:
            writer.write(answer(b"slow down", status="429 Too Many Requests", **({"retry_after": "1"} if hint else {})))
        else:
            writer.write(answer(b"ok"))

    async def run() -> list[list[int]]:
        async with serving(script) as port:
            arguments = [str(port), str(tmp_path / "limits.db"), str(Path(__file__).parent), str(rate)]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            workers = [await asyncio.create_subprocess_exec(sys.executable, "-c", WORKER, *arguments, **pipes) for _ in range(2)]
            for worker in workers:
                assert worker.stdout
                assert await worker.stdout.readline() == b"ready\n"
            return [json.loads(out) for out, _ in await asyncio.gather(*(each.communicate(f"{seconds}\n".encode()) for each in workers))]

    counts = asyncio.run(run())
    gaps = [later - sooner for sooner, later in itertools.pairwise(arrivals)]
    assert sum(lost for _, lost in counts) == 0
    assert all(got for got, _ in counts)
    jitter = 0.0 if rate == 1 else 0.25  # share of the shorter interval that a busy machine may lose between two processes
    assert min(gaps) >= (1 - jitter) / rate, f"{min(gaps):.3f} s between two requests"
    used = (len(arrivals) - 1) / ((arrivals[-1] - arrivals[0]) * rate)
    assert used >= (0.9 if rate == 1 else 0.6), f"{used:.1%} of the rate used"  # of short intervals a busy machine loses more


def test_the_file_opens_elsewhere(tmp_path: Path) -> None:
    """The state is an ordinary SQLite file with one row per bucket."""

    async def run() -> None:
        limits = Limiter(tmp_path / "limits.db")
        async with limits.slot("a.example"):
            pass
        limits.close()

    asyncio.run(run())
    with sqlite3.connect(tmp_path / "limits.db") as db:
        assert db.execute("select name from bucket").fetchall() == [("a.example",)]
        assert db.execute("select count(*) from lease").fetchone() == (0,)

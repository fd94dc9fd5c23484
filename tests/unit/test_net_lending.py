"""The pace of a host on loan: however late what travels arrives, no second holds more requests than are allowed, and few are wasted."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from s2r.errors import S2RError
from s2r.net import CoolingDown, Limit, Limiter
from s2r.net.lending import Borrower, Lender, Loan

START = 1_800_000_000.0
HOST = "a.example"


class Loop(asyncio.SelectorEventLoop):
    """Time jumps to the next timer whenever nothing is left to do; what is given to threads is done at once."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except (S2RError, OSError) as exc:
            done.set_exception(exc)
        return done

    def _run_once(self) -> None:
        due = [timer.when() for timer in self._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
        if not self._ready and due:  # type: ignore[attr-defined]
            self.now = max(self.now, min(due))
        super()._run_once()  # type: ignore[misc]


def run(job: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(job)


def clock() -> float:
    return START + asyncio.get_running_loop().time()


class Cluster:
    """A lender and borrowers on a net where each message takes between `least` and `most` seconds; those of one borrower keep their order.
    Each machine wakes up to 10 ms late."""

    def __init__(self, limit: Limit, least: float, most: float, seed: int = 1) -> None:
        self.limiter = Limiter(None, {HOST: limit}, clock=clock)
        self.lender = Lender(self.limiter, self.more)
        self.borrowers: dict[str, Borrower] = {}
        self.limit, self.dice, self.least, self.most = limit, random.Random(seed), least, most
        self.left: list[float] = []
        self.running = self.most_running = 0

    def borrower(self, name: str) -> Borrower:
        arrives = [0.0]

        def delay() -> float:
            return self.dice.uniform(self.least, self.most)

        async def ask(message: dict[str, Any]) -> dict[str, Any]:
            await in_order()
            try:
                loan = await self.lender.lend(HOST, name, patience=message["patience"], longest=message["longest"])
            except CoolingDown as exc:
                return {"cooling": exc.message, "advice": exc.advice, "seconds": exc.seconds}
            await asyncio.sleep(delay())
            return {"loan": loan.model_dump(), "held_s": 0.0}

        def in_order() -> Coroutine[Any, Any, None]:
            arrives[0] = max(arrives[0], asyncio.get_running_loop().time() + delay())
            return asyncio.sleep(arrives[0] - asyncio.get_running_loop().time())

        async def told(message: dict[str, Any], way: Coroutine[Any, Any, None]) -> None:
            await way
            match message["op"]:
                case "settle":
                    self.lender.settle(message["number"], message["next_in"], message["running"])
                case "ended":
                    self.lender.ended(HOST, name)
                case "hold":
                    await self.limiter.hold(HOST, message["seconds"])

        sent: set[asyncio.Task[None]] = set()
        limits = {HOST: self.limit}

        def tell(message: dict[str, Any]) -> None:
            sent.add(asyncio.create_task(told(message, in_order())))

        async def sleep(seconds: float) -> None:
            await asyncio.sleep(seconds + self.dice.uniform(0, 0.01))

        made = Borrower(limits, self.limit, ask, tell, clock=clock, sleep=sleep)
        self.borrowers[name] = made
        return made

    def more(self, borrower: str, loan: Loan) -> None:
        """One request more may be under way."""
        delay = self.dice.uniform(self.least, self.most)
        asyncio.get_running_loop().call_later(delay, self.borrowers[borrower].more, loan.bucket, loan.number)

    async def requests(self, borrower: Borrower, count: int, *, takes: float = 0.05, connecting: float = 0.0) -> None:
        """That many requests after each other."""
        for _ in range(count):
            async with borrower.slot(HOST) as grant:
                if connecting:
                    await asyncio.sleep(self.dice.uniform(0, connecting))
                    await borrower.sent(grant, leaves=False)
                await borrower.sent(grant)
                self.left.append(clock() - START)
                self.running += 1
                self.most_running = max(self.most_running, self.running)
                await asyncio.sleep(takes)
                self.running -= 1


def most_in_a_second(times: list[float]) -> int:
    """The largest number of requests in any second."""
    times = sorted(times)
    return max(sum(1 for other in times[n:] if other < time + 1.0) for n, time in enumerate(times))


@pytest.mark.parametrize(("least", "most"), [(0.001, 0.005), (0.0, 0.4)])
@pytest.mark.parametrize("connecting", [0.0, 0.2])
def test_no_second_holds_more_than_is_allowed(least: float, most: float, connecting: float) -> None:
    """At 20 a second for three machines, also when messages take up to 0.4 s, unequally, and requests wait for their connections."""

    async def job() -> list[float]:
        net = Cluster(Limit(rate=20, concurrency=30), least, most)
        machines = [net.borrower(f"w{n}") for n in range(3)]
        await asyncio.gather(*(net.requests(m, 5, connecting=connecting) for m in machines for _ in range(6)))
        return net.left

    times = run(job())
    assert len(times) == 90
    assert most_in_a_second(times) <= 20


def test_little_of_the_pace_is_wasted() -> None:
    """With messages of a few milliseconds at least nine tenths of 20 requests a second are sent."""

    async def job() -> list[float]:
        net = Cluster(Limit(rate=20, concurrency=12), 0.002, 0.006)
        machines = [net.borrower(f"w{n}") for n in range(2)]
        await asyncio.gather(*(net.requests(m, 8) for m in machines for _ in range(8)))
        return net.left

    times = run(job())
    assert (len(times) - 1) / (max(times) - min(times)) >= 18.0


@pytest.mark.parametrize(("most", "takes"), [(0.02, 0.3), (0.3, 2.0)])
def test_places_are_shared(most: float, takes: float) -> None:
    """No more requests are under way at once than the host allows, over all machines, also when messages cross each other."""

    async def job() -> int:
        net = Cluster(Limit(rate=50, concurrency=4), 0.001, most)
        machines = [net.borrower(f"w{n}") for n in range(3)]
        await asyncio.gather(*(net.requests(m, 3, takes=takes) for m in machines for _ in range(5)))
        assert len(net.left) == 45
        return net.most_running

    assert run(job()) == 4


def test_a_machine_that_dies_with_a_loan_stops_nobody() -> None:
    """Its loan is void after its time, and the places of its requests come free when it is known to be gone."""

    async def job() -> list[float]:
        net = Cluster(Limit(rate=4, concurrency=4), 0.001, 0.01)
        dead, alive = net.borrower("dead"), net.borrower("alive")
        dying = [asyncio.create_task(net.requests(dead, 5, takes=100.0)) for _ in range(3)]
        await asyncio.sleep(0.3)
        for task in dying:
            task.cancel()
        dead._tell = lambda message: None  # nothing of it arrives any more
        net.lender.forget("dead")
        before = clock() - START
        await net.requests(alive, 5)
        return [time - before for time in net.left if time > before]

    times = run(job())
    assert len(times) == 5
    assert max(times) < 10


def test_a_pause_of_the_host_reaches_all_machines() -> None:
    """ "Slower" said to one machine holds the others; one that has no patience for it is told how long it lasts."""

    async def job() -> float:
        net = Cluster(Limit(rate=10, concurrency=4), 0.001, 0.01)
        first, second = net.borrower("first"), net.borrower("second")
        await net.requests(first, 2)
        await first.hold(HOST, 30.0)
        await asyncio.sleep(0.1)
        with pytest.raises(CoolingDown) as caught:
            async with second.slot(HOST, patience=5.0):
                pass
        assert 29 < caught.value.seconds <= 30
        await net.requests(second, 1)
        return net.left[-1]

    assert run(job()) > 30


def test_own_requests_of_the_lender_keep_the_same_pace() -> None:
    """What the coordinator asks itself at the same host counts with what the workers ask."""

    async def job() -> list[float]:
        net = Cluster(Limit(rate=5, concurrency=9), 0.001, 0.01)

        async def own() -> None:
            for _ in range(10):
                async with net.limiter.slot(HOST):
                    net.left.append(clock() - START)

        await asyncio.gather(own(), *(net.requests(net.borrower(f"w{n}"), 10) for n in range(2)))
        return net.left

    times = run(job())
    assert len(times) == 30
    assert most_in_a_second(times) <= 5
    assert min(later - sooner for sooner, later in itertools.pairwise(sorted(times))) >= 0.19


def test_requests_that_last_longer_than_a_loan_go_on() -> None:
    """A slow host with one place: whoever waited for it longer than the loan lasts asks for another one, and no two are under way at once."""

    async def job() -> tuple[list[float], int]:
        net = Cluster(Limit(rate=5, concurrency=1), 0.001, 0.01)
        machines = [net.borrower(f"w{n}") for n in range(2)]
        await asyncio.gather(*(net.requests(m, 2, takes=8.0) for m in machines for _ in range(2)))
        return net.left, net.most_running

    times, running = run(job())
    assert len(times) == 8
    assert running == 1
    assert max(times) < 8 * 12

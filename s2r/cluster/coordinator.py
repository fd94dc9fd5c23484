"""The coordinator of a Dask cluster: hands out rows and pages, lends the pace of hosts, and takes results in."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

from distributed import Client, Future
from distributed.scheduler import KilledWorker

from s2r.archive import Archive
from s2r.cluster.errand import Errand, Landed, Setup, opened, packed, seal
from s2r.cluster.shelf import Shelves
from s2r.cluster.station import NoStation, close_station, deliver, open_station, read_file, told_versions
from s2r.cluster.versions import differences, fingerprint
from s2r.errors import ConfigError
from s2r.fetch import Fetcher
from s2r.fetch.webarchive import InTime
from s2r.models import Gap, Hit
from s2r.net import CoolingDown, Limit, Limiter
from s2r.net.lending import Lender, Loan
from s2r.net.limits import paced
from s2r.pipeline.engine import Bring, EngineLost, Place, WorkerDied
from s2r.pipeline.tasks import Answered, Task
from s2r.policy import Policy
from s2r.settings import Settings

Argument = TypeVar("Argument")
Result = TypeVar("Result")

CONNECT_S = 20.0  # for the first connection to the scheduler
CLOSE_S = 2.0  # for taking leave of it, when it answers
FIRST_S = 30.0  # for the first worker of a cluster that has just been started
AGAIN_S = 0.1  # before a task is handed out once more
LOOK_S = 1.0  # between two looks whether the cluster is there
NOBODY_S = 60.0  # without any worker, after which the run stops; a cluster may be restarted meanwhile
_AGAIN = "Mend the cluster, then repeat the same command: what is done is kept."


@asynccontextmanager
async def open_cluster(
    archive: Archive,
    settings: Settings,
    policy: Policy,
    *,
    limiter: Limiter | None,
    limits: Mapping[str, Limit],
    in_time: bool,
) -> AsyncIterator[Cluster]:
    """The workers of a cluster, checked and made ready; raises ConfigError when one of them is not the same as here."""
    token = secrets.token_hex(6)
    shelves = Shelves(archive, settings.shared, token)
    setup = Setup(
        token=token,
        policy=policy,
        settings=settings,
        limits=limits,
        default=paced(settings.host_rate, Limit().concurrency),
        base=shelves.base,
        parts=shelves.parts,
        live=limiter is not None,
        in_time=in_time,
    )
    try:
        with _quiet():
            client = await _connected(settings.scheduler)
            try:
                cluster = Cluster(client, setup, shelves, limiter)
                await cluster.begin()
                try:
                    yield cluster
                finally:
                    await cluster.end()
            finally:
                with suppress(OSError, asyncio.TimeoutError):
                    await client.close(timeout=CLOSE_S)
    finally:
        with suppress(OSError):
            await asyncio.to_thread(shelves.clear)


class Cluster:
    """As `Workers`. A task whose worker dies is done by another one; one that kills its workers again and again fails alone."""

    def __init__(self, client: Client, setup: Setup, shelves: Shelves, limiter: Limiter | None) -> None:
        self._client, self._setup, self._shelves, self._limiter = client, setup, shelves, limiter
        self._sealed = seal(setup)
        self._lender = Lender(limiter, self._more) if limiter else None
        self._numbers = itertools.count(1)
        self._threads: dict[str, int] = {}
        self._alone = asyncio.Lock()
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def at_once(self) -> int:
        """Two rows for each thread of a worker, so that one is there when another is done, and one to be searched and fetched."""
        return 2 * sum(self._threads.values()) + 1

    @property
    def bring(self) -> Bring | None:
        """Pages of the live web are fetched by workers; those of a pool are read here."""
        return self._fetched if self._setup.live else None

    async def begin(self) -> None:
        """Check and prepare all workers that are there."""
        with suppress(TimeoutError):
            await self._client.wait_for_workers(1, timeout=FIRST_S)
        self._threads = await self._client.nthreads()
        if not self._threads:
            advice = "Start workers: dask worker " + self._setup.settings.scheduler
            raise ConfigError("the cluster has no workers", subject=self._setup.settings.scheduler, advice=advice)
        await self._prepare(list(self._threads))
        if self._lender:
            self._client.subscribe_topic(self._setup.topic, self._heard)
        self._start(self._watch())

    async def end(self) -> None:
        """Leave the workers as they were found."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._lost.done():
            self._lost.exception()  # was told by a row, if there was one
            return
        if self._lender:
            self._client.unsubscribe_topic(self._setup.topic)
        with suppress(OSError, asyncio.TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._client.run(close_station, self._setup.token, on_error="ignore")

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """See `Workers`. What reads archived pages is given the place where workers find them."""
        given: object = argument
        if isinstance(argument, Task | Answered):
            shelf = await asyncio.to_thread(self._shelves.lay_out, [digest for digest, _, _ in argument.exhibits])
            given = replace(argument, archive=shelf)
        found: Result = await self._done("perform", packed((function, given)), priority=0)
        return found

    async def _fetched(self, fetcher: Fetcher, hit: Hit, max_body: int) -> Place | Gap:
        by = fetcher.by if isinstance(fetcher, InTime) else None
        found: Landed | Gap = await self._done("fetch", packed(Errand(hit, by, max_body)), priority=1)
        if isinstance(found, Gap):
            return found
        await asyncio.to_thread(self._shelves.take_in, found.row)
        return found.row.digest, hit.url, found.title

    async def _done(self, work: str, raw: bytes, *, priority: int) -> Any:
        """The result of a task. Who was near a worker that died may be blamed for it: only who kills one alone fails."""
        try:
            return opened(await self._result(work, raw, priority))
        except KilledWorker:
            pass
        async with self._alone:
            try:
                return opened(await self._result(work, raw, priority))
            except KilledWorker as exc:
                times = 2 * (int(exc.allowed_failures) + 1)
                raise WorkerDied(f"{times} workers died on this row (killed, or out of memory)") from exc

    async def _result(self, work: str, raw: bytes, priority: int) -> bytes:
        while True:
            key = f"s2r-{work}-{self._setup.token}-{next(self._numbers)}"
            if self._client.status != "running":
                raise self._gone()
            future: Future = self._client.submit(_ENTER, work, self._setup.token, raw, key=key, pure=False, priority=priority)
            waiting = asyncio.ensure_future(future.result())
            try:
                await asyncio.wait({waiting, self._lost}, return_when=asyncio.FIRST_COMPLETED)
                if self._lost.done():
                    self._lost.result()
                found: bytes = waiting.result()
            except NoStation as exc:
                await self._prepare_late(str(exc))
                await asyncio.sleep(AGAIN_S)  # one that cannot be reached from here may still ask
                continue
            except (CancelledError, asyncio.CancelledError) as exc:
                if not waiting.done():  # the row itself was told to stop
                    raise
                raise self._gone() from exc
            except Exception as exc:
                if self._client.status != "running" and not isinstance(exc, EngineLost):  # whatever a connection fails with as it goes
                    raise self._gone() from exc
                raise
            finally:
                if not waiting.done():
                    waiting.cancel()
                future.release()
            return found

    async def _prepare(self, addresses: Sequence[str]) -> None:
        """Make workers ready; raises ConfigError that names one that cannot be, with both versions. One that is gone is passed over."""
        ours = fingerprint()
        told = await self._client.run(told_versions, workers=list(addresses), on_error="return")
        for address, theirs in told.items():
            if isinstance(theirs, OSError):
                continue
            if isinstance(theirs, Exception):
                raise ConfigError(f"cannot load s2r: {theirs}", subject=f"worker {address}", advice=_SAME)
            if unlike := differences(ours, theirs):
                raise ConfigError(f"is not the same as the coordinator: {unlike}", subject=f"worker {address}", advice=_SAME)
        for address, answer in (await self._client.run(open_station, self._sealed, workers=list(addresses), on_error="return")).items():
            if isinstance(answer, OSError):
                continue
            if isinstance(answer, Exception):
                raise ConfigError(f"cannot be made ready: {answer}", subject=f"worker {address}", advice=_SAME)
            why, mark = answer
            if not why:
                try:
                    why = "" if await asyncio.to_thread(read_file, self._setup.base, mark) else "it is empty here"
                except OSError as exc:
                    why = f"what it writes is not seen here ({exc.strerror or exc})"
            if why:
                advice = "Let --shared name a folder or object store that coordinator and workers all see under this name."
                raise ConfigError(f"does not share {self._setup.base}: {why}", subject=f"worker {address}", advice=advice)

    async def _prepare_late(self, address: str) -> None:
        """The same for a worker that came during the run; one that cannot be used ends it."""
        try:
            await self._prepare([address])
        except ConfigError as exc:
            raise EngineLost(exc.message, subject=exc.subject, advice=f"{exc.advice} {_AGAIN}") from exc

    def _heard(self, event: tuple[float, dict[str, Any]]) -> None:
        """A message of a worker about its pace."""
        self._start(self._obey(event[1]))

    async def _obey(self, message: dict[str, Any]) -> None:
        lender, limiter = self._lender, self._limiter
        assert lender is not None
        assert limiter is not None
        worker, bucket = str(message["from"]), str(message.get("bucket", ""))
        match message["op"]:
            case "lend":
                await self._lend(lender, message)
            case "settle":
                lender.settle(message["number"], message["next_in"], message["running"])
            case "ended":
                lender.ended(bucket, worker)
            case "passed":
                await limiter.passed(bucket)
            case "failed":
                await limiter.failed(bucket)
            case "limited":
                await limiter.limited(bucket, message["seconds"])
            case "hold":
                await limiter.hold(bucket, message["seconds"])
            case "slow":
                await limiter.slow(bucket, message["seconds"])

    async def _lend(self, lender: Lender, message: dict[str, Any]) -> None:
        asked, worker, number = time.monotonic(), str(message["from"]), ""
        try:
            loan = await lender.lend(message["bucket"], worker, patience=message["patience"], longest=message["longest"])
            number = loan.number
            answer: dict[str, Any] = {"loan": loan.model_dump(), "held_s": time.monotonic() - asked}
        except CoolingDown as exc:
            answer = {"cooling": exc.message, "advice": exc.advice, "seconds": exc.seconds}
        try:
            await self._deliver(worker, message["ask"], answer)
        except (OSError, ValueError, KeyError, TypeError):  # the worker has gone
            lender.settle(number, 0.0, 0)

    def _more(self, worker: str, loan: Loan) -> None:
        async def tell() -> None:
            with suppress(OSError, ValueError, KeyError, TypeError):  # the worker has gone
                await self._deliver(worker, 0, {"more": loan.number, "bucket": loan.bucket})

        self._start(tell())

    async def _deliver(self, worker: str, number: int, answer: dict[str, Any]) -> None:
        await self._client.run(deliver, self._setup.token, number, answer, workers=[worker])

    async def _watch(self) -> None:
        """Say that the cluster is lost when its scheduler is gone, or has had no workers for a while."""
        subject, seen = self._setup.settings.scheduler, time.monotonic()
        while not self._lost.done():
            await asyncio.sleep(LOOK_S)
            if self._client.status != "running":
                self._lost.set_exception(self._gone())
                return
            with suppress(OSError):
                found = await self._client.nthreads()
                for address in self._threads.keys() - found.keys():
                    if self._lender:
                        self._lender.forget(address)
                self._threads = found
                seen = time.monotonic() if found else seen
            if time.monotonic() - seen > NOBODY_S:
                why = f"no worker has been there for {NOBODY_S:.0f} seconds"
                self._lost.set_exception(EngineLost(why, subject=subject, advice=_AGAIN))

    def _gone(self) -> EngineLost:
        return EngineLost("the scheduler is gone", subject=self._setup.settings.scheduler, advice=_AGAIN)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not self._lost.done():
            self._lost.set_exception(error)


def _door() -> Callable[[str, str, bytes], bytes]:
    """The function of all tasks. A function inside another one is sent as it is, so that the scheduler needs no s2r to take it in."""

    def enter(work: str, token: str, raw: bytes) -> bytes:
        from s2r.cluster.station import serve

        return serve(work, token, raw)

    return enter


_ENTER = _door()
_SAME = "Install the same s2r there, with the same libraries, as here."


@contextmanager
def _quiet() -> Iterator[None]:
    """What Dask logs about lost connections, with tracebacks, is told by our own errors."""
    names = ("distributed.client", "distributed.batched", "distributed.core", "tornado.application")
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


async def _connected(scheduler: str) -> Client:
    try:
        client: Client = await Client(scheduler, asynchronous=True, set_as_default=False, timeout=CONNECT_S, name="s2r")
    except (TimeoutError, OSError, ValueError) as exc:
        advice = "Check the address; start one with `dask scheduler`. docs/operations.md says more."
        raise ConfigError(f"no scheduler answers there: {exc}", subject=f"--scheduler {scheduler}", advice=advice) from exc
    return client

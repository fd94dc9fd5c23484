"""What runs on a Dask worker: the same functions that a process of the local engine gets, and the fetching of pages at a lent pace.

`open_station`, `deliver` and `close_station` are called on the worker's event loop, `serve` is what its threads do.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import itertools
import logging
import os
import re
import socket
import threading
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from distributed import Worker, get_worker, secede

from s2r.archive.parts import encode_part
from s2r.cluster.errand import Errand, Landed, Sealed, Setup, opened, packed
from s2r.cluster.shelf import file_system
from s2r.cluster.versions import fingerprint
from s2r.fetch import fetch_hit
from s2r.fetch.sources import PageSources
from s2r.fetch.webarchive import archive_urls
from s2r.models import Gap
from s2r.net import Role, open_net
from s2r.net.lending import PATIENCE_S, Borrower
from s2r.pipeline.tasks import hold

Result = TypeVar("Result")
STATIONS: dict[str, Station] = {}  # by token of the run
_ONE = threading.Lock()  # PDFium bears one thread, and Python runs one at a time
_FORGOTTEN_S = 3600.0  # after which the station of a coordinator that was killed is closed when the next one opens


class NoStation(Exception):
    """This worker does not know the run: it came later than its start."""


class Station:
    """One run on this worker."""

    def __init__(self, setup: Setup, worker: Worker) -> None:
        self.setup, self.used = setup, time.monotonic()
        self.name = re.sub(r"[^A-Za-z0-9]+", "-", f"{socket.gethostname()}-{os.getpid()}-{worker.address.rpartition(':')[2]}").strip("-")
        self._worker, self._numbers, self._parts = worker, itertools.count(1), itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._sources: PageSources | None = None
        self.limiter = Borrower(setup.limits, setup.default, self._ask, self._tell)
        self._opening = asyncio.Lock()
        hold(setup.policy)
        threading.Thread(target=self._loop.run_forever, name="s2r-station", daemon=True).start()

    def close(self) -> None:
        """Close its connections and end its loop; what is under way there is given up."""

        async def end() -> None:
            try:
                await self._stack.aclose()
            finally:
                self._loop.stop()

        asyncio.run_coroutine_threadsafe(end(), self._loop)

    def call(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of some work on the loop of the station; from another thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def answered(self, number: int, answer: dict[str, Any]) -> None:
        """Take an answer of the coordinator; from any thread."""

        def take() -> None:
            if "more" in answer:
                self.limiter.more(answer["bucket"], answer["more"])
            waiting = self._waiting.pop(number, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(answer)

        self._loop.call_soon_threadsafe(take)

    async def fetch(self, errand: Errand) -> Landed | Gap:
        """Fetch a page, and write it into a part."""
        async with self._opening:
            sources = self._sources = self._sources or await self._open()
        fetcher = sources.until(errand.by) if errand.by else sources.latest()
        found = await fetch_hit(errand.hit, fetcher, max_body=errand.max_body)
        if isinstance(found, Gap):
            return found
        name = f"{self.setup.parts}/s2r-{self.name}-{next(self._parts):05d}.warc.gz"
        data, row = await asyncio.to_thread(encode_part, found, name)
        await asyncio.to_thread(write_file, self.setup.base, name, data)
        return Landed(row, found.title)

    async def _open(self) -> PageSources:
        setup, limiter = self.setup, self.limiter
        archives = archive_urls(setup.settings) if setup.in_time or setup.settings.archived_copies else ()
        asker = await self._stack.enter_async_context(open_net(Role.SEARCH, setup.settings, limiter, endpoints=archives))
        pages = await self._stack.enter_async_context(open_net(Role.FETCH, setup.settings, limiter))
        return PageSources(pages, asker, setup.settings, setup.policy, _utc, point_in_time=setup.in_time)

    async def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        waiting = self._waiting[number] = self._loop.create_future()
        try:
            self._tell(message | {"ask": number})
            async with asyncio.timeout(PATIENCE_S):
                answer: dict[str, Any] = await waiting
            return answer
        finally:
            self._waiting.pop(number, None)

    def _tell(self, message: dict[str, Any]) -> None:
        self._worker.log_event(self.setup.topic, message | {"from": self._worker.address})


def _is_news(line: logging.LogRecord) -> bool:
    """Dask logs each function that a client calls on a worker; answers about the pace come several times a second."""
    return not (isinstance(line.args, tuple) and line.args[:1] == (deliver.__name__,))


logging.getLogger("distributed.worker").addFilter(_is_news)


def _utc() -> dt.datetime:
    return dt.datetime.now(dt.UTC)  # noqa: TID251 - pages are dated where they are fetched


def write_file(base: str, name: str, data: bytes) -> None:
    """A file below a base; raises OSError."""
    opened, root = file_system(base)
    path = f"{root}/{name}"
    opened.makedirs(path.rpartition("/")[0], exist_ok=True)
    opened.pipe_file(path, data)


def read_file(base: str, name: str) -> bytes:
    """A file below a base; raises OSError."""
    opened, root = file_system(base)
    found: bytes = opened.cat_file(f"{root}/{name}")
    return found


def told_versions() -> dict[str, str]:
    """The versions of this worker."""
    return fingerprint()


def open_station(sealed: Sealed, dask_worker: Worker) -> tuple[str, str]:
    """Make this worker ready for a run: what stands in the way ("" when nothing does), and the file by which it shows where it writes."""
    setup: Setup = opened(sealed.raw)
    for token in [token for token, one in STATIONS.items() if time.monotonic() - one.used > _FORGOTTEN_S]:
        STATIONS.pop(token).close()
    station = STATIONS.get(setup.token) or Station(setup, dask_worker)
    try:
        if read_file(setup.base, f"{setup.parts}/coordinator") != setup.token.encode():
            return "it sees another folder of this name", ""
        mark = f"{setup.parts}/worker-{station.name}"
        write_file(setup.base, mark, setup.token.encode())
    except OSError as exc:
        station.close()
        return str(exc.strerror or exc), ""
    STATIONS[setup.token] = station
    return "", mark


def close_station(token: str) -> None:
    """The run has ended."""
    if (station := STATIONS.pop(token, None)) is not None:
        station.close()


def deliver(token: str, number: int, answer: dict[str, Any]) -> None:
    """An answer of the coordinator to a message of this worker."""
    if (station := STATIONS.get(token)) is not None:
        station.answered(number, answer)


def serve(work: str, token: str, raw: bytes) -> bytes:
    """A task: call a function of the pipeline with its argument (`perform`), or fetch a page (`fetch`)."""
    station = STATIONS.get(token)
    if station is None:
        raise NoStation(get_worker().address)
    station.used = time.monotonic()
    if work == "fetch":
        secede()  # it waits much and computes little, so it leaves the place of its thread to others
        return packed(station.call(station.fetch(opened(raw))))
    function, argument = opened(raw)
    with _ONE:
        return packed(function(argument))

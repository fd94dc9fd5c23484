"""Worker processes that survive the death of a worker, end with their parent, and are stopped hard when told so."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import weakref
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import ForkServerContext
from types import ModuleType, TracebackType
from typing import Any, Protocol, Self, TypeVar

from s2r.errors import S2RError
from s2r.fetch import Fetcher
from s2r.models import Gap, Hit

Argument = TypeVar("Argument")
Result = TypeVar("Result")

TASKS_PER_WORKER = 1_000  # parsers keep caches; a fresh worker now and then bounds memory, and pays for its start
_MAIN = threading.Lock()


Place = tuple[str, str, str]  # of an archived page: digest, address, title
Bring = Callable[[Fetcher, Hit, int], Awaitable[Place | Gap]]  # fetch a page of at most so many bytes, and archive it


class Workers(Protocol):
    """What works on rows beside this process."""

    @property
    def at_once(self) -> int:
        """Rows that should be in work so that no worker waits."""
        ...

    @property
    def bring(self) -> Bring | None:
        """How pages of the live web are fetched elsewhere, None where this process does it."""
        ...

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Result of `function(argument)` in a worker; raises what it raised, `WorkerDied`, or `EngineLost`."""
        ...


class EngineLost(S2RError):
    """The workers cannot be reached any more: the run stops, what is done is kept."""


class WorkerDied(Exception):
    """A worker process died twice on one task (killed, out of memory)."""


class Engine:
    """Runs picklable functions in `workers` processes, each prepared once by `prepare(*given)`.

    A task whose worker died is tried once more in a process of its own: a task that kills its worker takes no other task with it.
    """

    def __init__(self, workers: int, prepare: Callable[..., None] | None = None, given: tuple[Any, ...] = ()) -> None:
        self.workers = max(1, workers)
        self.bring: Bring | None = None
        self._prepare, self._given = prepare, given
        self._context: ForkServerContext = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["s2r.pipeline.warm"])
        with _no_main(), _unstopped():
            forkserver.ensure_running()  # it imports what workers need while the first rows are searched and fetched
        self._pools: weakref.WeakSet[ProcessPoolExecutor] = weakref.WeakSet()
        self._left: list[Any] = []  # workers of pools that were given up
        self._shared = self._start(self.workers)
        self._taken = 0
        self._alone = asyncio.Lock()

    @property
    def at_once(self) -> int:
        """One row more than workers, so that search and fetch overlap judging."""
        return self.workers + 1

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None:
            self.kill()
        for process in self._left:  # all rows have ended; a broken pool waits for each of its workers, also for one that never ends
            if process.is_alive():
                process.kill()
        try:
            for pool in list(self._pools):
                await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)
        except asyncio.CancelledError:  # told to stop at once while an idle worker does not end
            self.kill()
            raise

    def kill(self) -> None:
        """Kill all workers: they only read, so nothing is lost but what they are computing."""
        for pool in list(self._pools):
            processes: dict[int, Any] = getattr(pool, "_processes", None) or {}
            for process in list(processes.values()):
                process.kill()

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Result of `function(argument)` in a worker; raises what it raised, or `WorkerDied`."""
        pool = self._next()
        try:
            return await asyncio.wrap_future(_submit(pool, function, argument))
        except (BrokenProcessPool, OSError, EOFError):  # the last two: the process that starts workers died
            self._drop(pool)
        async with self._alone:
            pool = self._start(1)
            try:
                return await asyncio.wrap_future(_submit(pool, function, argument))
            except (BrokenProcessPool, OSError, EOFError) as exc:
                raise WorkerDied("a worker process died twice on this row (killed, or out of memory)") from exc
            finally:
                pool.shutdown(wait=False)

    def _next(self) -> ProcessPoolExecutor:
        """The pool for the next task; a used-up one finishes what it has and is replaced.

        `max_tasks_per_child` of the standard library would do the same, but may leave a queue without workers (CPython 115634).
        """
        if self._taken >= TASKS_PER_WORKER * self.workers:
            self._drop(self._shared)
        self._taken += 1
        return self._shared

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        if pool is self._shared:
            self._shared = self._start(self.workers)
            self._taken = 0
            self._left = [process for process in self._left if process.is_alive()]
            self._left.extend(dict(getattr(pool, "_processes", None) or {}).values())  # shutdown forgets them
            pool.shutdown(wait=False)

    def _start(self, workers: int) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(workers, mp_context=self._context, initializer=start_worker, initargs=(self._prepare, self._given))
        self._pools.add(pool)
        return pool


def start_worker(prepare: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """Leave Ctrl-C to the parent, end when the parent ends, and prepare for the tasks to come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (parent := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    if prepare is not None:
        prepare(*given)


def _follow(parent: Any) -> None:
    """Without this, workers of a parent that was killed would wait for tasks for ever."""
    parent.join()
    os._exit(1)


def _submit(pool: ProcessPoolExecutor, function: Callable[[Argument], Result], argument: Argument) -> Future[Result]:
    with _no_main(), _unstopped():
        return pool.submit(function, argument)


@contextmanager
def _unstopped() -> Iterator[None]:
    """Ctrl-C at a terminal reaches all processes: those that start in here leave it to this one, also while they import what they need.

    The tracker of resources starts before, as it sets the signals of its starter free; it takes care of itself.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _no_main() -> Iterator[None]:
    """Hide the caller's main module while workers start: else each would run a script without a main guard once more."""
    with _MAIN:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main

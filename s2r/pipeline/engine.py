"""A pool of worker processes that survives the death of a worker."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self, TypeVar

from s2r.pipeline.judge import start_worker

Argument = TypeVar("Argument")
Result = TypeVar("Result")

TASKS_PER_WORKER = 500  # parsers keep caches; a fresh worker now and then bounds memory


class WorkerDied(Exception):  # noqa: N818 - mapped to a row error by the pipeline
    """A worker process died twice on one task (killed, out of memory)."""


class Engine:
    """Runs picklable functions in `workers` processes; a task whose worker died is tried once more in a new pool."""

    def __init__(self, workers: int) -> None:
        self.workers = max(1, workers)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["s2r.pipeline.judge"])
        self._pool = self._start()
        self._generation = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Result of `function(argument)` in a worker; raises what it raised, or `WorkerDied`."""
        for attempt in (1, 2):
            generation = self._generation
            try:
                return await asyncio.get_running_loop().run_in_executor(self._pool, function, argument)
            except BrokenProcessPool as exc:
                self._renew(generation)
                if attempt == 2:
                    raise WorkerDied("a worker process died twice on this row (killed, or out of memory)") from exc
        raise AssertionError("unreachable")

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, mp_context=self._context, initializer=start_worker, max_tasks_per_child=TASKS_PER_WORKER)

    def _renew(self, generation: int) -> None:
        if generation == self._generation:
            self._pool.shutdown(wait=False, cancel_futures=False)
            self._pool = self._start()
            self._generation += 1

"""A command that is stopped: the first signal lets rows in work end, the next one ends the program at once, and nothing is left running."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_stoppable(job: Coroutine[Any, Any, Result]) -> Result:
    """Result of `job` in a loop of its own, as by `asyncio.run`; after a KeyboardInterrupt every task ends before it is raised.

    `asyncio.run` cancels all tasks once. Ctrl-C that hit a task within a task is raised again by the outer one while that runs, which
    ends the loop before the outermost tasks were told: what these hold (worker processes, locks) would stay. A further Ctrl-C meanwhile
    gives up.
    """
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        try:
            return runner.run(job)
        except KeyboardInterrupt as asked:
            while left := asyncio.all_tasks(loop):
                for task in left:
                    task.cancel()
                try:
                    loop.run_until_complete(asyncio.wait(left))
                except KeyboardInterrupt as exc:
                    if exc is not asked:
                        raise
            raise


@contextmanager
def stoppable(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM sets `stop`, the next one ends the program at once; both also while the loop is busy with something
    else."""
    asked = False

    def take(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        again = b"Ctrl-C again" if number == signal.SIGINT else b"A second signal"
        os.write(2, b"\nStopping when the rows in work are done. " + again + b" stops at once.\n")  # print() is not safe in a handler
        loop.call_soon_threadsafe(stop.set)

    def report(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), KeyboardInterrupt):  # one that hits a row in work leaves through the loop too
            loop.default_exception_handler(context)

    loop.set_exception_handler(report)
    before = {number: signal.signal(number, take) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""A command that is stopped: the first signal lets rows in work end, the second gives them up, a third leaves at once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from s2r.cli.common import EXIT_INTERRUPTED

_SHOW_CURSOR = b"\x1b[?25h"  # which a live bar hides


@contextmanager
def stoppable(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM sets `stop`; the second cancels the task that is in here, which raises KeyboardInterrupt when all that
    it holds has ended; a third ends the process as a kill would, which loses nothing that is kept.

    No signal raises an exception where the program happens to be: in the loop's own code that would lose the step of a task, for which
    the end of the loop then waits for ever.
    """
    task = asyncio.current_task(loop)
    asked = 0

    def take(number: int, frame: FrameType | None) -> None:  # print() is not safe in a handler
        nonlocal asked
        asked += 1
        if asked == 1:
            again = b"Ctrl-C again" if number == signal.SIGINT else b"A second signal"
            os.write(2, b"\nStopping when the rows in work are done. " + again + b" stops at once.\n")
            loop.call_soon_threadsafe(stop.set)
        elif asked == 2 and task is not None:
            loop.call_soon_threadsafe(task.cancel)
        else:
            os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + b"\nStopped at once. Repeat the same command to continue.\n")
            os._exit(EXIT_INTERRUPTED)

    def report(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), KeyboardInterrupt):  # it leaves through the loop too
            loop.default_exception_handler(context)

    loop.set_exception_handler(report)
    before = {number: signal.signal(number, take) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except asyncio.CancelledError:
        if asked > 1:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

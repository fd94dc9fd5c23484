"""CPU time is bounded in every thread, and what is bounded ends with nothing left over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from s2r.pipeline.bound import TimeUp, cpu_bound


def in_thread(work: Callable[[], str]) -> str:
    """What `work` gives in a thread that is not the main one."""
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def here(work: Callable[[], str]) -> str:
    return work()


def spin(seconds: float) -> None:
    """Take CPU time, swallowing all ordinary errors as parsers do."""
    clock = time.thread_time() + seconds
    while time.thread_time() < clock:
        try:
            sum(range(100))
        except Exception:  # noqa: BLE001 - what parsers do
            continue


@pytest.mark.parametrize("place", [here, in_thread])
def test_more_cpu_time_than_allowed_ends_the_work(place: Callable[[Callable[[], str]], str]) -> None:
    """The work is told so, and goes on after it."""

    def work() -> str:
        try:
            with cpu_bound(0.05):
                spin(60)
        except TimeUp:
            spin(0.01)
            return "time up"
        return "done"

    assert place(work) == "time up"


@pytest.mark.parametrize("place", [here, in_thread])
def test_waiting_is_not_counted_and_nothing_arrives_later(place: Callable[[Callable[[], str]], str]) -> None:
    """A thread that waits for longer than the bound, and takes CPU time after it, is not disturbed."""

    def work() -> str:
        with cpu_bound(0.05):
            time.sleep(0.15)
        spin(0.1)
        return "done"

    assert place(work) == "done"

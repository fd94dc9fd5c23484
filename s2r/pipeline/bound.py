"""A bound on the CPU time of what is inside, in a main thread by a signal, in any other thread by a watcher of its clock."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

_LEAST_S = 0.02  # between two looks of a watcher


class TimeUp(BaseException):
    """More CPU time was taken than the settings allow. No Exception, so that no parser swallows it."""


@contextlib.contextmanager
def cpu_bound(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` in what is inside once it has taken that much CPU time: a busy machine changes no result."""
    if threading.current_thread() is threading.main_thread():
        with _by_signal(seconds):
            yield
    else:
        with _by_watcher(seconds):
            yield


@contextlib.contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    def expire(number: int, frame: FrameType | None) -> None:
        raise TimeUp

    previous = signal.signal(signal.SIGPROF, expire)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


@contextlib.contextmanager
def _by_watcher(seconds: float) -> Iterator[None]:
    """CPU time passes no faster than time, so the watcher of what ends in time sleeps until then and costs its start only."""
    thread, done, lock = threading.get_ident(), threading.Event(), threading.Lock()
    clock = time.pthread_getcpuclockid(thread)
    limit = time.clock_gettime(clock) + seconds

    def watch() -> None:
        left = seconds
        while left > 0 and not done.wait(max(_LEAST_S, left)):
            with lock:
                if done.is_set():
                    return
                left = limit - time.clock_gettime(clock)
        with lock:
            if not done.is_set():
                _raise_in(thread, TimeUp)

    watcher = threading.Thread(target=watch, name="s2r-cpu-bound", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with lock:
            done.set()
            _raise_in(thread, None)  # one on its way must not arrive outside


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have a thread raise an error at its next instruction; None takes back one that has not been raised yet."""
    given = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)

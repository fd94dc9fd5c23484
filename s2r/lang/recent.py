"""What was worked out last, kept for the next that asks; bounded, so that memory does not grow with a run."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
RECENT = 64  # pages that are kept as they were read; the rows of one issuer and venue follow one another
LARGE_PAGE = 40_000  # characters; a longer page is not kept


class Recent(Generic[K, V]):
    """The values that were asked for last, at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()  # a worker of a cluster judges in several threads
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value kept under a key, None when there is none (any more)."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def keep(self, key: K, value: V) -> None:
        """Keep a value in the place of the one that nobody has asked for longest."""
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)

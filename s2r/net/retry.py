"""Which failed requests are tried again, how often and how long after: never what must not be repeated."""

from __future__ import annotations

import random
from collections.abc import Callable

from s2r.errors import S2RError, SourceBroken, SourceTimeout
from s2r.models.listing import Frozen
from s2r.net.errors import UNKNOWN_NAME, NotConnected, TooLarge

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
GATEWAY_LOST = frozenset({502, 504})  # a gateway lost the answer: the service behind it may have done its work


class RetryRule(Frozen):
    """At most `attempts` in all and `total_s` seconds of waiting; pauses grow from `base_s` by two, with jitter, up to `cap_s`.

    A pause that the server asks for replaces ours; one longer than `max_wait_s` ends the tries.
    """

    attempts: int = 4
    base_s: float = 0.5
    cap_s: float = 15.0
    total_s: float = 90.0
    max_wait_s: float = 60.0
    statuses: frozenset[int] = frozenset({429, 502, 503, 504, 529})

    def pause(self, attempt: int, asked: float | None, jitter: Callable[[], float] = random.random) -> float | None:
        """Seconds before try `attempt + 1` (attempts count from 1), None to stop; `jitter` gives a number from 0 to 1."""
        if attempt >= self.attempts:
            return None
        if asked is not None:
            return None if asked > self.max_wait_s else asked
        return float(min(self.cap_s, self.base_s * 2 ** (attempt - 1)) * (0.5 + jitter() / 2))


NO_RETRY = RetryRule(attempts=1)


def may_repeat(method: str, safe: bool | None) -> bool:
    """Whether a request may be sent twice: by its method, unless the caller knows better."""
    return method.upper() in _SAFE if safe is None else safe


def is_passing(error: S2RError, *, repeatable: bool) -> bool:
    """Whether an error may be gone at the next try; what was never sent may always be tried again."""
    if isinstance(error, NotConnected):
        return "certificate" not in error.message and UNKNOWN_NAME not in error.message
    return repeatable and isinstance(error, SourceTimeout | SourceBroken) and not isinstance(error, TooLarge)

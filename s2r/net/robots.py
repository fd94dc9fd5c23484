"""robots.txt by RFC 9309: cached per origin, with the crawl-delay handed to the limiter."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

from protego import Protego

from s2r.errors import SourceError
from s2r.net.address import Target
from s2r.net.client import Net
from s2r.net.errors import AddressRefused, CoolingDown, RobotsRefused, RobotsUnread, TooLarge
from s2r.net.inflate import Caps
from s2r.net.retry import RetryRule

AGENT = "s2r"
_MAX_BYTES = 512 << 10  # the RFC asks for at least 500 KiB
_TTL_S, _TTL_DOWN_S = 24 * 3600.0, 300.0
_MAX_DELAY = 60.0  # seconds between requests that we are ready to keep
_RULE = RetryRule(attempts=2)


class _Entry(NamedTuple):
    rules: Protego | None  # None: everything is allowed
    down: str  # why nothing is allowed at present, "" when the file could be read or is missing
    delay: float
    until: float


class Robots:
    """Asks the robots.txt of each origin once a day; one that cannot be reached forbids all, for five minutes at a time."""

    def __init__(self, net: Net, *, agent: str = AGENT, clock: Callable[[], float] = time.time) -> None:
        self._net, self._agent, self._clock = net, agent, clock
        self._known: dict[str, _Entry] = {}
        self._asking: dict[str, asyncio.Lock] = {}

    async def allow(self, target: Target) -> None:
        """Return when the page may be fetched, else raise `RobotsRefused`; sets the pace of the host to its crawl-delay."""
        entry = await self._entry(target)
        if entry.down:
            raise RobotsUnread(
                f"its robots.txt cannot be read at present ({entry.down})", subject=target.url, advice="Run the row again later."
            )
        if entry.rules is not None and not entry.rules.can_fetch(target.url, self._agent):
            raise RobotsRefused("its robots.txt asks not to fetch this page", subject=target.url)

    async def _entry(self, target: Target) -> _Entry:
        origin = target.origin
        async with self._asking.setdefault(origin, asyncio.Lock()):
            known = self._known.get(origin)
            if known is None or known.until < self._clock():
                known = self._known[origin] = await self._asked(origin)
                if known.delay:
                    await self._net.limiter.slow(self._net.limiter.bucket(target.host), known.delay)
            return known

    async def _asked(self, origin: str) -> _Entry:
        now = self._clock()
        caps = Caps(wire=_MAX_BYTES, body=_MAX_BYTES, total_s=min(15.0, self._net.caps.total_s))
        try:
            reply = await self._net.get(f"{origin}/robots.txt", caps=caps, retry=_RULE, patience=30.0)
        except (AddressRefused, CoolingDown):
            raise
        except TooLarge:
            return _Entry(None, "", 0.0, now + _TTL_S)
        except SourceError as exc:
            return _Entry(None, exc.message, 0.0, now + _TTL_DOWN_S)
        if reply.status >= 500 or reply.status == 429:  # a server that says "slower" has not said that all may be read
            return _Entry(None, f"status {reply.status}", 0.0, now + _TTL_DOWN_S)
        if reply.status != 200:  # "unavailable" in the words of the RFC: no rules
            return _Entry(None, "", 0.0, now + _TTL_S)
        rules = Protego.parse(reply.body.decode("utf-8-sig", "replace"))
        return _Entry(rules, "", min(_MAX_DELAY, _delay(rules, self._agent)), now + _TTL_S)


def _delay(rules: Protego, agent: str) -> float:
    """Seconds between requests that the file asks for, 0 when it does not."""
    delay = float(rules.crawl_delay(agent) or 0.0)
    rate = rules.request_rate(agent)
    return max(delay, rate.seconds / rate.requests if rate and rate.requests else 0.0)

"""Connections in several small pools, dealt by host: the pool of httpcore looks at every connection, and at every pair of idle ones, each
time that a request begins or ends, which with many hosts costs more than the request itself."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import httpx

SHARDS = 16


class Shards(httpx.AsyncBaseTransport):
    """One transport for each share of the hosts, made by `make` when it is needed; the first one at once, so that its faults show."""

    def __init__(self, make: Callable[[], httpx.AsyncHTTPTransport], count: int = SHARDS) -> None:
        self._make, self._count = make, count
        self._made: dict[int, httpx.AsyncHTTPTransport] = {0: make()}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer from the pool of the host."""
        place = zlib.crc32(request.url.raw_host) % self._count
        if place not in self._made:
            self._made[place] = self._make()
        return await self._made[place].handle_async_request(request)

    async def aclose(self) -> None:
        """Close all connections."""
        for transport in self._made.values():
            await transport.aclose()

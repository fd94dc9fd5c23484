"""Connections by origin, each found without a look at all others, as the pool of httpcore does for every request and every answer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from contextlib import suppress

import httpcore
from httpcore import AsyncConnectionInterface, Origin, Request, Response

LEAVES = "http11.send_request_headers.started"  # the step of httpcore at which a request can still be held back
Make = Callable[[Origin], AsyncConnectionInterface]
_Key = tuple[bytes, bytes, int]
_Bytes = Iterable[bytes] | AsyncIterable[bytes]


class Lanes(httpcore.AsyncConnectionPool):
    """A pool whose connections are made by `make`. At most `idle` are kept for later requests, and at most `most` are open at once.

    For one event loop. A request that finds no room waits for it; its caller sets the time.
    """

    def __init__(self, make: Make, *, most: int, idle: int) -> None:
        super().__init__()
        self._make, self._most, self._keep = make, most, idle
        self._lanes: dict[_Key, list[AsyncConnectionInterface]] = {}
        self._idle: dict[AsyncConnectionInterface, _Key] = {}  # the one that was used last comes last
        self._shared = set[AsyncConnectionInterface]()  # connections that bear several requests at once
        self._taken = set[AsyncConnectionInterface]()
        self._open = 0
        self._waiting = deque[asyncio.Future[None]]()

    async def handle_async_request(self, request: Request) -> Response:
        """The answer, on a connection that is at hand, else on a new one; its stream gives the connection back when it is closed."""
        origin = request.url.origin
        key = origin.scheme, origin.host, origin.port
        while True:
            free = await self._free(key)
            connection = free or await self._made(key, origin)
            if connection is None:
                continue
            try:
                if free is not None and free in self._taken:  # it leaves at once: there is nothing to follow on its way
                    await _left(request)
                response = await connection.handle_async_request(request)
            except httpcore.ConnectionNotAvailable:  # it was given to several, and bears one at a time
                self._taken.discard(connection)
                continue
            except BaseException:
                await self._back(key, connection)
                raise
            if response.extensions.get("http_version") == b"HTTP/2":
                self._shared.add(connection)
                self._taken.discard(connection)
            stream = _Stream(response.stream, self, key, connection)
            return Response(response.status, headers=response.headers, content=stream, extensions=response.extensions)

    async def aclose(self) -> None:
        """Close all connections."""
        for key in list(self._lanes):
            for connection in list(self._lanes.get(key, ())):
                await self._drop(key, connection)

    async def _free(self, key: _Key) -> AsyncConnectionInterface | None:
        """A connection of the origin that can bear a request now; the ones that have ended meanwhile are closed."""
        await self._sweep()
        for connection in list(self._lanes.get(key, ())):
            if connection in self._taken or not connection.is_available():
                continue
            if connection.has_expired():
                await self._drop(key, connection)
                continue
            if connection.is_idle() and connection not in self._shared:
                self._taken.add(connection)
            self._idle.pop(connection, None)
            return connection
        return None

    async def _made(self, key: _Key, origin: Origin) -> AsyncConnectionInterface | None:
        """A new connection; None when one has come free elsewhere and has to be looked for."""
        if self._open >= self._most:
            if not self._idle:
                freed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.append(freed)
                await freed
                return None
            oldest, where = next(iter(self._idle.items()))
            await self._drop(where, oldest)
        connection = self._make(origin)
        self._lanes.setdefault(key, []).append(connection)
        self._open += 1
        return connection

    async def _sweep(self) -> None:
        """Close the connections that have been idle for longest, while they have ended."""
        while self._idle:
            connection, key = next(iter(self._idle.items()))
            if not (connection.is_closed() or connection.has_expired()):
                return
            await self._drop(key, connection)

    async def _back(self, key: _Key, connection: AsyncConnectionInterface) -> None:
        """Take a connection back after a request: kept when it can bear another one, else closed."""
        self._taken.discard(connection)
        if connection.is_idle() and not connection.is_closed():
            self._idle[connection] = key
            if len(self._idle) > self._keep:
                oldest, where = next(iter(self._idle.items()))
                await self._drop(where, oldest)
        elif connection.is_closed() or (connection not in self._shared and not connection.is_available()):
            await self._drop(key, connection)
        self._wake()

    async def _drop(self, key: _Key, connection: AsyncConnectionInterface) -> None:
        self._idle.pop(connection, None)
        self._taken.discard(connection)
        self._shared.discard(connection)
        lane = self._lanes.get(key, [])
        if connection in lane:
            lane.remove(connection)
            self._open -= 1
            if not lane:
                del self._lanes[key]
        self._wake()
        with suppress(httpcore.NetworkError):
            await connection.aclose()

    def _wake(self) -> None:
        while self._waiting:
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)
                return


async def _left(request: Request) -> None:
    """Tell who follows the request that it leaves, and no more: each further step would cost as much as the steps themselves."""
    if (trace := request.extensions.get("trace")) is not None:
        await trace(LEAVES, {})
        request.extensions = {name: value for name, value in request.extensions.items() if name != "trace"}


class _Stream:
    """The body of an answer, which gives the connection back when it is closed."""

    def __init__(
        self, inner: Iterable[bytes] | AsyncIterable[bytes], lanes: Lanes, key: _Key, connection: AsyncConnectionInterface
    ) -> None:
        self._inner, self._lanes, self._key, self._connection = inner, lanes, key, connection
        self._closed = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._inner, AsyncIterable)
        return aiter(self._inner)

    async def aclose(self) -> None:
        """Close the stream; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        try:
            if (close := getattr(self._inner, "aclose", None)) is not None:
                await close()
        finally:
            await self._lanes._back(self._key, self._connection)

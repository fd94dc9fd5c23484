"""A loopback server that sends exactly the bytes it is told to, and clients that reach it, for the tests of the network door."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from s2r.net import NO_RETRY, Caps, Endpoint, Limit, Limiter, Net
from s2r.net.guard import guarded_transport

Script = Callable[[str, asyncio.StreamWriter], Awaitable[None]]


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """An HTTP/1.1 answer; header names are written with underscores."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


@contextlib.asynccontextmanager
async def serving(script: Script | bytes, **listen: Any) -> AsyncIterator[int]:
    """Serve on a free port of 127.0.0.1; `script` writes the answer to each request path, or is the answer. Yields the port."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if isinstance(script, bytes):
                writer.write(script)
            else:
                await script(head.split()[1].decode(), writer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, **listen)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def client(port: int, **more: Any) -> Net:
    """A client that may reach the server on `port`, with neither retries nor pace unless given."""
    own = frozenset({Endpoint("127.0.0.1", port), Endpoint("localhost", port)})
    limiter = more.pop("limiter", None) or Limiter(default=Limit(rate=1e6, concurrency=100))
    more = {"retry": NO_RETRY, "user_agent": "test", "caps": Caps(total_s=10.0), **more}
    transport = more.pop("transport", None) or guarded_transport(allow_private=own, ca_bundle=more.pop("ca_bundle", None))
    return Net("search", transport, limiter, operator=own, **more)

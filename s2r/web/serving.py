"""uvicorn beside the jobs: it listens on a socket that is bound before anything starts, and ends when the service is told to."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from s2r.errors import ConfigError

GRACE_S = 10  # for answers that are being sent when the service stops


class _Server(uvicorn.Server):
    """Signals are for the whole service, not for its web side."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; raises ConfigError when it cannot, such as when another service has the port."""
    bare = host.strip("[]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        return socket.create_server((bare, port), family=family, backlog=256)
    except (OSError, OverflowError) as exc:
        advice = "Choose another --port, or end the process that listens there."
        raise ConfigError(f"cannot be listened on: {exc}", subject=f"{host}:{port}", advice=advice) from exc


async def serve_web(
    app: ASGIApp, listening: socket.socket, stop: asyncio.Event, *, tls_cert: Path | None = None, tls_key: Path | None = None
) -> None:
    """Answer requests until `stop` is set, then finish those under way. In a thread with a loop of its own: a night that reads a large
    universe keeps nobody waiting."""
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="off", proxy_headers=False, server_header=False, ws="none",
        ssl_certfile=tls_cert, ssl_keyfile=tls_key, timeout_graceful_shutdown=GRACE_S,
    )  # fmt: skip
    server = _Server(config)
    serving = asyncio.create_task(asyncio.to_thread(server.run, sockets=[listening]))
    waiting = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        server.should_exit = True
        await serving
        listening.close()

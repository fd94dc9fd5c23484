"""A small HTTP/1.1 server on the loopback interface that does what it is told to: delays, drips, cuts, resets. Also a proxy.

It runs in a thread with a loop of its own, so that clients of any kind, and other processes, can use it. As a proxy it answers
for every host itself; it never connects to anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

_MAX_HEAD = 64 << 10
_MAX_BODY = 16 << 20


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it came in. `at` is Unix time; `path` has no query; header names are in lower case."""

    at: float
    method: str
    scheme: str
    host: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def url(self) -> str:
        """The whole address."""
        return f"{self.scheme}://{self.host}{self.path}" + (f"?{self.query}" if self.query else "")

    @property
    def params(self) -> dict[str, str]:
        """The query string; the last value of each name."""
        return dict(parse_qsl(self.query, keep_blank_values=True))

    @property
    def data(self) -> Any:
        """The body as JSON, None when it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back. `delay`: seconds before the first byte; `drip`: seconds between small pieces of the body; `cut`: the
    connection ends after so many bytes of the body; `reset`: it is reset instead of an answer; `silent`: nothing is ever said.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    delay: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    reset: bool = False
    silent: bool = False

    def with_headers(self, *added: tuple[str, str]) -> Answer:
        """The same with headers that replace those of the same name."""
        names = {name.lower() for name, _ in added}
        return replace(self, headers=(*(pair for pair in self.headers if pair[0].lower() not in names), *added))


def json_answer(data: Any, status: int = 200, *headers: tuple[str, str]) -> Answer:
    """An answer of JSON in UTF-8."""
    return Answer(status, (("Content-Type", "application/json"), *headers), json.dumps(data, ensure_ascii=False).encode())


def html_answer(title: str, text: str, status: int = 200) -> Answer:
    """An answer of one HTML page."""
    page = f"<!DOCTYPE html>\n<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p></body></html>"
    return Answer(status, (("Content-Type", "text/html; charset=utf-8"),), page.encode())


Handler = Callable[[Seen], Awaitable[Answer]]


@dataclass(slots=True)
class Server:
    """Serves `handler` on two free ports of 127.0.0.1: one for http, one that stands for https without TLS (see `door`)."""

    handler: Handler
    tls: ssl.SSLContext | None = None  # for CONNECT: with it the server is a proxy for https too
    port: int = 0
    bare_tls_port: int = 0
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _thread: threading.Thread | None = None
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="s2r-world", daemon=True)
        self._thread.start()
        ready.wait(10)
        assert self.port, "the server did not start"
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        assert self._thread is not None
        self._thread.join(10)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        opened = [self._loop.run_until_complete(self._listen(scheme)) for scheme in ("http", "https")]
        self.port, self.bare_tls_port = (server.sockets[0].getsockname()[1] for server in opened)
        ready.set()
        self._loop.run_forever()
        for server in opened:
            server.close()
        for task in self._open:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._open, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    async def _listen(self, scheme: str) -> asyncio.Server:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = self._loop.create_task(self._serve(reader, writer, scheme))
            self._open.add(task)
            task.add_done_callback(self._open.discard)

        return await asyncio.start_server(accept, "127.0.0.1", 0, limit=_MAX_HEAD, backlog=1000)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, scheme: str) -> None:
        tunnel = ""  # the origin that CONNECT asked for
        try:
            while True:
                method, target, headers = _head(await reader.readuntil(b"\r\n\r\n"))
                if method == "CONNECT":
                    if self.tls is None:
                        writer.write(b"HTTP/1.1 502 No TLS here\r\nContent-Length: 0\r\n\r\n")
                        break
                    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    await writer.drain()
                    await writer.start_tls(self.tls)
                    tunnel = f"https://{target.lower()}"
                    continue
                body = await reader.readexactly(min(int(headers.get("content-length") or 0), _MAX_BODY))
                seen = replace(_seen(method, target, headers, tunnel or scheme), body=body)
                if not await _send(writer, await self.handler(seen), reader, head_only=method == "HEAD"):
                    break
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ssl.SSLError, ValueError, IndexError):
            pass  # the client went, or sent no HTTP
        finally:
            with contextlib.suppress(ConnectionError, ssl.SSLError, RuntimeError):
                writer.close()


def _head(raw: bytes) -> tuple[str, str, dict[str, str]]:
    first, *lines = raw.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", maxsplit=2)
    pairs = (line.partition(":") for line in lines if line)
    return method, target, {name.strip().lower(): value.strip() for name, _, value in pairs}


def _seen(method: str, target: str, headers: dict[str, str], origin: str) -> Seen:
    """A request without its body; `origin` is the scheme of the port, or the whole origin of a tunnel."""
    parts = urlsplit(target)
    scheme, _, host = origin.partition("://")
    if parts.netloc:  # a proxy is asked by whole address
        scheme = parts.scheme
    host = (host or parts.netloc or headers.get("host", "")).lower().removesuffix(":443" if scheme == "https" else ":80")
    return Seen(time.time(), method, scheme, host, parts.path or "/", parts.query, headers, b"")


async def _send(writer: asyncio.StreamWriter, answer: Answer, reader: asyncio.StreamReader, *, head_only: bool) -> bool:
    """Send an answer; whether the connection may be used again."""
    if answer.delay:
        await asyncio.sleep(answer.delay)
    if answer.silent:
        await reader.read(1)  # until the client leaves
        return False
    if answer.reset:
        raw: socket.socket = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        return False
    reason = HTTPStatus(answer.status).phrase if answer.status in HTTPStatus._value2member_map_ else "Limit"
    lines = [f"HTTP/1.1 {answer.status} {reason}"]
    if not any(name.lower() in ("content-length", "transfer-encoding") for name, _ in answer.headers) and answer.status != 204:
        lines.append(f"Content-Length: {len(answer.body)}")
    lines += [f"{name}: {value}" for name, value in answer.headers]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace"))
    body = b"" if head_only else answer.body[: answer.cut]
    if answer.drip:
        for start in range(0, len(body), 16):
            writer.write(body[start : start + 16])
            await writer.drain()
            await asyncio.sleep(answer.drip)
    else:
        writer.write(body)
    await writer.drain()
    return answer.cut is None

"""How a client reaches the loopback world under the real names of hosts: a resolver with public addresses, and a route for them.

The whole guard of `s2r.net` stays in place: names are resolved to addresses that look public, and are checked; only the last
step, the connection, leads to the world. On the way of https no TLS is spoken (the certificate of a real site cannot be had);
for TLS use the world as a proxy.
"""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import anyio
import httpcore
import httpx

from s2r.net.address import Endpoint
from s2r.net.guard import GuardBackend, guard


def public_address(host: str) -> str:
    """A public-looking IPv4 address for a host, always the same one."""
    a, b, c = hashlib.sha256(host.encode()).digest()[:3]
    return f"23.{a}.{b}.{c or 1}"


async def world_resolver(host: str, port: int) -> Sequence[str]:
    """A resolver that knows every name; address literals and localhost stay what they are."""
    if host == "localhost":
        return ["127.0.0.1"]
    literal = ":" in host or host.replace(".", "").isdigit()
    return [host if literal else public_address(host)]


class _BareTLS(httpcore.AsyncNetworkStream):
    """A stream that takes the wish for TLS as done."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - the signature is httpcore's
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - the signature is httpcore's
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
    ) -> httpcore.AsyncNetworkStream:
        return self

    def get_extra_info(self, info: str) -> Any:
        return None if info == "ssl_object" else self._inner.get_extra_info(info)


class RoutedBackend(httpcore.AsyncNetworkBackend):
    """Connects to the world whatever address is asked for; ports tell http from https."""

    def __init__(self, port: int, bare_tls_port: int, loopback: Collection[int]) -> None:
        self._inner = httpcore.AnyIOBackend()
        self._port, self._bare, self._loopback = port, bare_tls_port, frozenset(loopback)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A stream to the world."""
        secure = port in (443, 8443)
        to = port if host == "127.0.0.1" and port in self._loopback else self._bare if secure else self._port
        return _BareTLS(await self._inner.connect_tcp("127.0.0.1", to, timeout, local_address, socket_options))

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)


def routed_transport(port: int, bare_tls_port: int, own: Collection[Endpoint] = ()) -> httpx.AsyncHTTPTransport:
    """A guarded transport whose connections end in the world; `own` are endpoints that may be private, as set by an operator."""
    unused = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # no TLS is spoken, and loading the system's store takes long
    transport = httpx.AsyncHTTPTransport(verify=unused, http2=True, trust_env=False)
    routed = RoutedBackend(port, bare_tls_port, {port, bare_tls_port})
    guard(transport, GuardBackend(world_resolver, frozenset(own), routed), 200)
    return transport

"""The connection guard: a name is resolved once, every address is checked, and the checked address is connected to."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import anyio
import certifi
import httpcore
import httpx

from s2r.errors import ConfigError
from s2r.net.address import Endpoint, bad_address, endpoint_of
from s2r.net.errors import AddressRefused
from s2r.net.mask import Mask
from s2r.net.shards import Shards

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
_TRIES = 4  # addresses of one name that are tried
_IDLE = 6  # connections of one share that are kept for later requests
_EACH_S = 6.0  # seconds for one of them while others are left


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Addresses of `host` in the order of the system; raises `socket.gaierror`."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in found))


class BlockedAddress(httpcore.ConnectError):
    """The guard refused a resolved address; mapped to `AddressRefused` by the client."""


class GuardBackend(httpcore.AsyncNetworkBackend):
    """Connects only to addresses that were checked in the same call, so that no second answer of the name server counts.

    `allow_private` holds the endpoints that the operator has set. TLS above still verifies the host of the URL.
    """

    def __init__(
        self,
        resolver: Resolver = system_resolver,
        allow_private: Collection[Endpoint] = (),
        inner: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._resolve = resolver
        self._allow = frozenset(allow_private)
        self._inner = inner or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A stream to the first checked address that answers; `BlockedAddress` when any address of the name is bad."""
        addresses = await self._checked(host, port, timeout)
        failed: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for place, address in enumerate(addresses):
            last = place == len(addresses) - 1
            each = timeout if last or timeout is None else min(timeout, _EACH_S)
            try:
                return await self._inner.connect_tcp(address, port, each, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as exc:
                failed = exc
        assert failed is not None
        raise failed

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never: no address of the web is a socket file."""
        raise BlockedAddress(f"unix socket {path} refused")

    async def sleep(self, seconds: float) -> None:
        """Wait, as httpcore asks for between its own retries (which are off)."""
        await anyio.sleep(seconds)

    async def _checked(self, host: str, port: int, limit: float | None) -> list[str]:
        try:
            with anyio.fail_after(limit):
                addresses = list(await self._resolve(host, port))[: _TRIES * 4]
        except TimeoutError as exc:
            raise httpcore.ConnectTimeout(f"the name {host} was not resolved in time") from exc
        except (OSError, UnicodeError) as exc:
            raise httpcore.ConnectError(str(exc)) from exc
        if not addresses:
            raise httpcore.ConnectError(f"the name {host} has no address")
        if Endpoint(host.lower().strip("[]"), port) not in self._allow:
            for address in addresses:
                if reason := bad_address(address):
                    raise BlockedAddress(reason)
        return addresses[:_TRIES]


def tls_context(ca_bundle: Path | None) -> ssl.SSLContext:
    """Verification by `ca_bundle` (a file or folder) alone when given, else by the system's store and certifi's list."""
    try:
        if ca_bundle is not None:
            folder = ca_bundle.is_dir()
            return ssl.create_default_context(cafile=None if folder else str(ca_bundle), capath=str(ca_bundle) if folder else None)
        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())
    except (OSError, ssl.SSLError) as exc:
        raise ConfigError(
            f"cannot be read as certificates ({exc})", subject=str(ca_bundle), advice="Set S2R_CA_BUNDLE to a PEM file."
        ) from exc
    return context


def guarded_transport(
    *,
    resolver: Resolver = system_resolver,
    allow_private: Collection[Endpoint] = (),
    ca_bundle: Path | None = None,
    proxy: str = "",
    connections: int = 100,
) -> Shards:
    """An HTTP/2 transport whose every connection passes the guard; behind a proxy the connection to the proxy does. At most `connections`
    to hosts of one share.

    `ConfigError` when the proxy address or the CA bundle is unusable.
    """
    allowed, context = frozenset(allow_private), tls_context(ca_bundle)
    outer = tls_context(ca_bundle) if proxy.startswith("https:") else None  # of its own: protocols are offered by context

    def make() -> httpx.AsyncHTTPTransport:
        transport = httpx.AsyncHTTPTransport(
            verify=context,
            http2=True,
            trust_env=False,  # HTTP_PROXY would bypass the guard
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=_IDLE, keepalive_expiry=30.0),
            proxy=httpx.Proxy(proxy, ssl_context=outer) if proxy else None,
        )
        pool = transport._pool
        # httpx 0.28 has no public argument for this; without it nothing would be guarded, so it is asserted
        assert isinstance(pool, httpcore.AsyncConnectionPool)
        assert hasattr(pool, "_network_backend")
        pool._network_backend = GuardBackend(resolver, allowed)
        return transport

    try:
        if proxy:
            allowed |= {endpoint_of(proxy)}
        return Shards(make)
    except (AddressRefused, ValueError, ImportError, httpx.InvalidURL) as exc:
        raise ConfigError(
            f"cannot be used as a proxy ({Mask()(str(exc))})", subject=Mask()(proxy), advice="Set S2R_PROXY to http://host:port."
        ) from None

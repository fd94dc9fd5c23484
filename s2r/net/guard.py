"""The connection guard: a name is resolved once, every address is checked, and the checked address is connected to."""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import certifi
import httpcore
import httpx

from s2r.errors import ConfigError
from s2r.net.address import Endpoint, bad_address, endpoint_of
from s2r.net.errors import AddressRefused
from s2r.net.lanes import Lanes
from s2r.net.mask import Mask

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
_TRIES = 4  # addresses of one name that are tried
_IDLE = 128  # connections that are kept for later requests
_EACH_S = 6.0  # seconds for one of them while others are left


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Addresses of `host` in the order of the system; raises `socket.gaierror`."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in found))


class BlockedAddress(httpcore.ConnectError):
    """The guard refused a resolved address; mapped to `AddressRefused` by the client."""


class _Watched(httpcore.AsyncNetworkStream):
    """A stream whose end is seen by a look at its socket, which is looked up once and not through its attributes for every request."""

    def __init__(self, inner: httpcore.AsyncNetworkStream, watched: Any = None) -> None:
        self._inner, self._socket = inner, watched or inner.get_extra_info("socket")
        self.read, self.write, self.aclose = inner.read, inner.write, inner.aclose  # type: ignore[method-assign]

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
    ) -> httpcore.AsyncNetworkStream:
        """The same connection under TLS."""
        return _Watched(await self._inner.start_tls(ssl_context, server_hostname, timeout), self._socket)

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks about a connection."""
        if info != "is_readable" or self._socket is None:
            return self._inner.get_extra_info(info)
        return self._socket.fileno() < 0 or _has_news(self._socket.fileno())


def _has_news(number: int) -> bool:
    """Whether a socket can be read without a wait; one that is idle has come to its end then."""
    look = select.poll()
    look.register(number, select.POLLIN)
    return bool(look.poll(0))


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
                return _Watched(await self._inner.connect_tcp(address, port, each, local_address, socket_options))
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


@cache
def _shared_tls() -> ssl.SSLContext:
    """One for all clients that trust the system: its certificates are megabytes, and take long to read."""
    return tls_context(None)


def guarded_transport(
    *,
    resolver: Resolver = system_resolver,
    allow_private: Collection[Endpoint] = (),
    ca_bundle: Path | None = None,
    proxy: str = "",
    connections: int = 400,
) -> httpx.AsyncHTTPTransport:
    """An HTTP/2 transport whose every connection passes the guard; behind a proxy the connection to the proxy does. At most `connections`
    are open at once.

    `ConfigError` when the proxy address or the CA bundle is unusable.
    """
    allowed, context = frozenset(allow_private), _shared_tls() if ca_bundle is None else tls_context(ca_bundle)
    outer = tls_context(ca_bundle) if proxy.startswith("https:") else None  # of its own: protocols are offered by context
    try:
        if proxy:
            allowed |= {endpoint_of(proxy)}
        transport = httpx.AsyncHTTPTransport(
            verify=context,
            http2=True,
            trust_env=False,  # HTTP_PROXY would bypass the guard
            limits=httpx.Limits(keepalive_expiry=30.0),
            proxy=httpx.Proxy(proxy, ssl_context=outer) if proxy else None,
        )
    except (AddressRefused, ValueError, ImportError, httpx.InvalidURL) as exc:
        raise ConfigError(
            f"cannot be used as a proxy ({Mask()(str(exc))})", subject=Mask()(proxy), advice="Set S2R_PROXY to http://host:port."
        ) from None
    guard(transport, GuardBackend(resolver, allowed), connections)
    return transport


def guard(transport: httpx.AsyncHTTPTransport, backend: httpcore.AsyncNetworkBackend, connections: int) -> None:
    """Have a transport connect by `backend` alone, with its connections in lanes."""
    pool = transport._pool
    # httpx 0.28 has no public argument for this; without it nothing would be guarded, so it is asserted
    assert isinstance(pool, httpcore.AsyncConnectionPool)
    assert hasattr(pool, "_network_backend")
    pool._network_backend = backend
    transport._pool = Lanes(pool.create_connection, most=connections, idle=_IDLE)

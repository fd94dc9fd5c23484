"""What the network door raises: kinds of the error tree that say more, and the mapping of every foreign error onto them."""

from __future__ import annotations

import ssl
import zlib

import anyio
import h2.exceptions
import h11
import httpcore
import httpx
import idna

from s2r.errors import S2RError, SourceBroken, SourceRefused, SourceTimeout, SourceUnusable
from s2r.net.codings import BrotliError, ZstdError


class AddressRefused(SourceRefused):
    """Our own guard does not connect to this address."""


class RobotsRefused(SourceRefused):
    """The site's robots.txt asks not to fetch this page."""


class RobotsUnread(RobotsRefused):
    """The site's robots.txt cannot be read at present, so nothing of the site is fetched for a while."""


class CoolingDown(SourceRefused):
    """The host or provider asked for a pause longer than we wait; `seconds` are left of it."""

    def __init__(self, message: str, *, subject: str = "", advice: str = "", seconds: float = 0.0) -> None:
        super().__init__(message, subject=subject, advice=advice)
        self.seconds = seconds


class RedirectRefused(SourceRefused):
    """Too many redirects, a loop, or one that must not be followed."""


class Unreachable(SourceTimeout):
    """The connection was lost before the answer was whole."""


class NotConnected(Unreachable):
    """No connection could be made (name, route, port, certificate): nothing was sent."""


class TooLarge(SourceBroken):
    """The body passes a cap on size or on the ratio of its compression."""


UNKNOWN_NAME = "the name cannot be resolved"
# What may come out of a request. The order decides: the first kind that fits.
_MAP: tuple[tuple[tuple[type[BaseException], ...], type[S2RError], str], ...] = (
    ((httpx.ConnectTimeout, httpcore.ConnectTimeout), NotConnected, "no connection in time"),
    ((httpx.PoolTimeout, httpcore.PoolTimeout), NotConnected, "no free connection in time"),
    ((httpx.TimeoutException, httpcore.TimeoutException, TimeoutError), SourceTimeout, "no answer in time"),
    ((httpx.ProxyError, httpcore.ProxyError), SourceUnusable, "the proxy does not serve"),
    ((httpx.UnsupportedProtocol, httpcore.UnsupportedProtocol, httpx.InvalidURL), AddressRefused, "not an address that can be fetched"),
    ((idna.IDNAError,), AddressRefused, "not a valid host name"),
    ((httpx.TooManyRedirects,), RedirectRefused, "too many redirects"),
    ((httpx.ConnectError, httpcore.ConnectError), NotConnected, "no connection"),
    ((ssl.SSLError,), Unreachable, "no secure connection"),
    ((httpx.DecodingError, zlib.error, BrotliError, ZstdError, EOFError), SourceBroken, "the body cannot be decoded"),
    ((httpx.NetworkError, httpcore.NetworkError), Unreachable, "the connection was lost"),
    (
        (httpx.ProtocolError, httpcore.ProtocolError, h11.ProtocolError, h2.exceptions.H2Error),
        SourceBroken,
        "the exchange is not valid HTTP",
    ),
    ((httpx.StreamError, httpx.CookieConflict, httpx.HTTPError), SourceBroken, "the answer cannot be read"),
    ((httpcore.ConnectionNotAvailable,), Unreachable, "the connection was lost"),
    (
        (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, anyio.IncompleteRead),
        Unreachable,
        "the connection was lost",
    ),
    ((anyio.DelimiterNotFound, anyio.WouldBlock, anyio.BusyResourceError), SourceBroken, "the connection cannot be read"),
    ((UnicodeError,), SourceBroken, "the answer cannot be read"),
    ((OSError,), Unreachable, "no connection"),
)
FOREIGN: tuple[type[BaseException], ...] = tuple(kind for kinds, _, _ in _MAP for kind in kinds)


def as_source_error(exc: BaseException, subject: str) -> S2RError:
    """The error of our tree for a foreign one of `FOREIGN`; the words of the cause are kept in the message."""
    for kinds, ours, words in _MAP:
        if isinstance(exc, kinds):
            detail = " ".join(str(exc).split()) or type(exc).__name__
            if "CERTIFICATE_VERIFY_FAILED" in detail:
                return ours(f"the certificate is not trusted ({detail})", subject=subject, advice=_CERTIFICATE)
            if "Name or service not known" in detail or "nodename nor servname" in detail:
                detail = UNKNOWN_NAME
            return ours(f"{words} ({detail})", subject=subject, advice=_PROXY if ours is SourceUnusable and "proxy" in words else "")
    raise TypeError(f"not a network error: {exc!r}") from exc


_CERTIFICATE = "If a gateway of your network signs its own certificates, point S2R_CA_BUNDLE to its authority."
_PROXY = "Check S2R_PROXY or the proxy of this role."

"""Which addresses may be connected to: URL rules before a name is resolved, address rules after. Pure, no I/O.

Host forms follow the URL Standard (a host whose last label is a number is an IPv4 address); odd spellings of an address are
refused instead of read, because two readers may read them differently.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import idna

from s2r.net.errors import AddressRefused

PORTS = frozenset({80, 443, 8080, 8443})
MAX_URL = 4096  # characters; longer ones are traps or data
_DEFAULT = {"http": 80, "https": 443}
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f]|^[^?#]*\\|^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]*[\s^`{|}<>\"]")
_AUTHORITY = re.compile(r"[a-z][a-z0-9+.-]*://([^/?#]*)", re.IGNORECASE)
_SPACE = re.compile(r"\s")
_NUMBER = re.compile(r"(?:\d+|0x[0-9a-f]*)\Z")
_DOTTED = re.compile(r"(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})\Z")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\Z")
_PRIVATE_TOP = frozenset(
    {"localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "localdomain", "onion", "alt", "svc", "consul"}
)
_PRIVATE_SUFFIX = (".home.arpa", ".in-addr.arpa", ".ip6.arpa")
_METADATA_NAMES = frozenset({"metadata.goog"})  # of clouds, below a public domain

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
# ranges beyond `is_global`: what carries an IPv4 address inside, or is not a place of the public web
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NAT64_LOCAL = ipaddress.ip_network("64:ff9b:1::/48")
_COMPATIBLE = ipaddress.ip_network("::/96")
_TRANSLATED = ipaddress.ip_network("::ffff:0:0:0/96")
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})  # third group of 32 bits, before an IPv4 address (RFC 5214)
_NEVER = tuple(
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "224.0.0.0/3",
        "168.63.129.16/32",  # of a cloud's host, beside its public addresses
        "fc00::/7", "fe80::/9", "ff00::/8", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16",
    )
)  # fmt: skip


class Endpoint(NamedTuple):
    """Host (lower case, no brackets) and port that the operator has set; it may lie on a private network."""

    host: str
    port: int


class Target(NamedTuple):
    """A checked URL: `url` in normal form (ASCII host, no fragment), with the parts that decide where it leads."""

    url: str
    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """Scheme, host and port, as keys and headers are bound to."""
        return f"{self.scheme}://{_bracketed(self.host)}:{self.port}"


def endpoint_of(url: str) -> Endpoint:
    """Host and port of a URL of the settings; raise `AddressRefused` when it is no http(s) URL."""
    parts = urlsplit(url)
    try:
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as exc:
        raise AddressRefused("the port is not a number", subject=url) from exc
    if not host:
        raise AddressRefused("there is no host in this address", subject=url)
    return Endpoint(host.lower(), port or _DEFAULT.get(parts.scheme.lower(), 80))


def check_url(url: str, *, operator: Collection[Endpoint] = (), ports: Collection[int] = PORTS) -> Target:
    """`url` as a `Target`, or `AddressRefused` that says why; endpoints in `operator` are free of port, name and literal rules."""
    text = url.strip()
    if len(text) > MAX_URL:
        raise AddressRefused(f"longer than {MAX_URL} characters", subject=f"{text[:80]}...")
    if found := _FORBIDDEN.search(text):
        raise AddressRefused(f"holds the character U+{ord(found.group()[-1]):04X} where no address may", subject=text)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as exc:
        raise AddressRefused(f"cannot be read as an address ({exc})", subject=text) from exc
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT:
        raise AddressRefused(f"scheme {scheme or 'none'!r} is not http or https", subject=text)
    authority = _AUTHORITY.match(text)
    if not authority or not authority.group(1):
        raise AddressRefused("there is no host in this address", subject=text)
    if "@" in authority.group(1):
        raise AddressRefused("holds a user name or password", subject=f"{scheme}://***@{authority.group(1).rpartition('@')[2]}")
    host = _host(authority.group(1), text)
    number = _DEFAULT[scheme] if port is None else port
    if Endpoint(host, number) not in operator:
        _check_name(host, text)
        if number not in ports:
            raise AddressRefused(f"port {number} is not one of {', '.join(map(str, sorted(ports)))}", subject=text)
    place = _bracketed(host) + ("" if number == _DEFAULT[scheme] else f":{number}")
    rest = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(f"{scheme}://{place}{_SPACE.sub(_quoted, rest)}", scheme, host, number)


def bad_address(address: str) -> str:
    """Why a resolved address must not be connected to, "" when it is a public one."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return f"{address} is not an address"
    if isinstance(ip, ipaddress.IPv6Address) and ip.scope_id:
        return f"{address} has a zone"
    for inner in _unwrapped(ip):
        if reason := _bad(inner):
            return f"{address} is {reason}" if inner == ip else f"{address} carries {inner}, which is {reason}"
    return ""


def _unwrapped(ip: IPAddress) -> list[IPAddress]:
    """The address and each IPv4 address that it carries (mapped, translated, NAT64, 6to4, Teredo)."""
    found: list[IPAddress] = [ip]
    if not isinstance(ip, ipaddress.IPv6Address):
        return found
    low = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.ipv4_mapped is not None:
        return [ip.ipv4_mapped]  # the mapped form itself is not global; what it stands for decides
    if ip in _NAT64:
        return [low]
    if ip in _TRANSLATED or (ip in _COMPATIBLE and int(ip) > 1):
        found.append(low)
    if ip.sixtofour is not None:
        return [ip.sixtofour]
    if (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
        found.append(low)
    if ip.teredo is not None:
        found.extend(ip.teredo)
    return found


def _bad(ip: IPAddress) -> str:
    if ip.is_unspecified:
        return "unspecified"
    if ip.is_loopback:
        return "a loopback address"
    if ip.is_link_local:
        return "link-local (where clouds keep their metadata)"
    if ip.is_multicast:
        return "a multicast address"
    if isinstance(ip, ipaddress.IPv6Address) and (ip in _NAT64_LOCAL or ip in _COMPATIBLE or ip in _TRANSLATED):
        return "a local translation of an IPv4 address"
    if ip.is_private or ip.is_reserved or not ip.is_global or any(ip.version == net.version and ip in net for net in _NEVER):
        return "not on the public internet"
    return ""


def _host(authority: str, url: str) -> str:
    """Host of an authority: lower case, ASCII, one trailing dot of a name removed; odd spellings are refused."""
    raw = authority
    if raw.startswith("["):
        literal, closed, rest = raw[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise AddressRefused("the bracketed address is not closed", subject=url)
        if "%" in literal:
            raise AddressRefused("an IPv6 address with a zone", subject=url)
        try:
            return str(ipaddress.IPv6Address(literal))
        except ValueError as exc:
            raise AddressRefused("is no IPv6 address", subject=url) from exc
    raw = raw.partition(":")[0]
    if "%" in raw:
        raise AddressRefused("the host is percent-encoded", subject=url)
    host = _to_ascii(raw, url)
    if host.endswith("."):
        host = host[:-1]
        if _NUMBER.match(host.rpartition(".")[2]):
            raise AddressRefused("an address literal with a trailing dot", subject=url)
    labels = host.split(".")
    if _NUMBER.match(labels[-1]):
        if not _DOTTED.match(host) or raw.lower() != host:
            raise AddressRefused("an odd spelling of an IP address", subject=url)
        try:
            return str(ipaddress.IPv4Address(host))
        except ValueError as exc:
            raise AddressRefused("is no IPv4 address", subject=url) from exc
    if len(host) > 253 or not all(_LABEL.match(label) for label in labels):
        raise AddressRefused("is no valid host name", subject=url)
    return host


def _to_ascii(raw: str, url: str) -> str:
    if raw.isascii():
        return raw.lower()
    try:
        return idna.encode(raw, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError) as exc:
        raise AddressRefused(f"is no valid international host name ({exc})", subject=url) from exc


def _check_name(host: str, url: str) -> None:
    """Refuse literals off the public internet and names that only a private network knows."""
    if ":" in host or _DOTTED.match(host):
        if reason := bad_address(host):
            raise AddressRefused(reason, subject=url)
        return
    if "." not in host:
        raise AddressRefused("a name without a domain belongs to a private network", subject=url)
    if host.rpartition(".")[2] in _PRIVATE_TOP or host.endswith(_PRIVATE_SUFFIX) or host in _METADATA_NAMES:
        raise AddressRefused("the name belongs to a private network", subject=url)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _quoted(match: re.Match[str]) -> str:
    return quote(match.group())

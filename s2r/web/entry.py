"""Who stands behind a request: a token, a user that a trusted proxy names, a session, or on loopback whoever is there."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers

from s2r.access import LOCAL, AccessStore, Sessions, Tokens, User, Users, bound_csrf
from s2r.web.desk import WebDesk

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")


def cookie_name(desk: WebDesk) -> str:
    """Name of the session cookie; browsers take one with the prefix only over TLS, for this host and all its paths."""
    return "__Host-s2r" if desk.secure_cookies else "s2r_session"


def session_cookie(headers: Headers, desk: WebDesk) -> str:
    """The value of the session cookie, "" without one."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(cookie_name(desk))
    except CookieError:
        return ""
    return found.value if found else ""


def identify(desk: WebDesk, access: AccessStore, peer: str, headers: Headers) -> User | None:
    """The user of a request, None when nobody is known. A token that does not work is never made up for by something else."""
    now = desk.clock()
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind:
        return Tokens(access).user(value.strip(), now) if kind.lower() == "bearer" else None
    if desk.proxy_header and is_among(peer, desk.proxy_addresses) and (names := headers.getlist(desk.proxy_header)):
        # of two headers one may be the browser's, which the proxy did not remove
        return _named(desk, access, names[0].strip()) if len(names) == 1 else None
    if (cookie := session_cookie(headers, desk)) and (user := Sessions(access).user(cookie, now)):
        return user
    if desk.needs_login or is_forwarded(headers):
        return None
    return User(LOCAL, desk.local_role, LOCAL, bound_csrf(access, LOCAL))


def _named(desk: WebDesk, access: AccessStore, name: str) -> User | None:
    if not name:
        return None
    account = Users(access).get(name)
    role = account.role if account else desk.proxy_role
    return User(name, role, "proxy", bound_csrf(access, name)) if role else None


def is_forwarded(headers: Headers) -> bool:
    """Whether a proxy passed a request on: what reaches loopback through one does not come from this machine."""
    return any(name in headers for name in FORWARDED)


def client_address(desk: WebDesk, peer: str, headers: Headers) -> str:
    """The address that a request comes from: the peer, or what a trusted proxy says of its own peer (the last one of the list)."""
    if not is_among(peer, desk.proxy_addresses):
        return peer
    hops = [hop.strip() for line in headers.getlist("x-forwarded-for") for hop in line.split(",") if hop.strip()]
    return next((hop for hop in reversed(hops) if not is_among(hop, desk.proxy_addresses)), peer)[:100]


def is_among(address: str, networks: Iterable[str]) -> bool:
    """Whether an address is one of those named, or in a network of them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return any(found in ipaddress.ip_network(network, strict=False) for network in networks)


def is_address(text: str) -> bool:
    """Whether a text is an IP address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True

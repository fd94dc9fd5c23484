"""What the web side works with: one frozen object, made by the command line."""

from __future__ import annotations

import datetime as dt
import ipaddress
import queue
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from s2r.access import Role
from s2r.access.store import NAME as ACCESS
from s2r.errors import ConfigError
from s2r.nightly.service import Ask
from s2r.policy import Policy
from s2r.policy.schedule import Schedule
from s2r.settings import Settings
from s2r.store import Store

_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\Z|\[?[0-9a-fA-F:]+\]?\Z")
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True)
class WebDesk:
    """What requests are answered from. `clock` gives UTC; `login` None: asked for beyond loopback only. `proxy_addresses` (addresses or
    networks) are those of proxies, whose X-Forwarded-For counts; `proxy_header` is the header in which they say who their user is.
    `hosts` are the names that a request may be sent to, beside those of loopback; `https`: browsers reach it over TLS only."""

    out: Path
    policy: Policy
    policies: Path
    settings: Settings
    clock: Callable[[], dt.datetime]
    host: str = "127.0.0.1"
    login: bool | None = None
    local_role: Role = Role.ADMIN
    proxy_header: str = ""
    proxy_addresses: tuple[str, ...] = ()
    proxy_role: Role | None = Role.VIEWER  # of users that the proxy names and nobody has added; None: they are not let in
    hosts: tuple[str, ...] = ()
    https: bool = False
    schedule: Schedule = field(default_factory=Schedule)
    asks: queue.Queue[Ask] | None = None  # where a job is asked for now; None: no jobs run in this process

    @property
    def store_path(self) -> Path:
        """The database of records, reviews and nights."""
        return self.out / "s2r.db"

    @property
    def access_path(self) -> Path:
        """The database of users, sessions, tokens and the audit log."""
        return self.out / ACCESS

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return is_loopback(self.host)

    @property
    def needs_login(self) -> bool:
        """Whether a request without a login is refused."""
        if not self.loopback:
            return True
        return self.reached_from_outside if self.login is None else self.login

    @property
    def reached_from_outside(self) -> bool:
        """Whether others than this machine can reach the service, itself or by a proxy on this machine."""
        return not self.loopback or bool(self.hosts or self.proxy_header or self.proxy_addresses) or self.https

    @property
    def secure_cookies(self) -> bool:
        """Whether browsers may send the session over TLS only."""
        return self.reached_from_outside

    def read(self) -> Store:
        """The store, for reading only; close it after use."""
        return Store(self.store_path, read_only=True)

    def write(self) -> Store:
        """The store, for writing; close it after use."""
        return Store(self.store_path)


def is_loopback(host: str) -> bool:
    """Whether an address or name to bind to is reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_desk(desk: WebDesk) -> None:
    """Raise ConfigError for settings that would let in whoever should not be."""
    if desk.login is False and not desk.loopback:
        advice = "Listen on 127.0.0.1, or add users with `s2r users add` and leave --no-login out."
        raise ConfigError("goes with loopback only", subject="--no-login", advice=advice)
    if desk.proxy_header and not desk.proxy_addresses:
        advice = "Give the addresses of the proxy with --proxy-from: from elsewhere the header says nothing."
        raise ConfigError("needs --proxy-from", subject="--proxy-header", advice=advice)
    for address in desk.proxy_addresses:
        try:
            ipaddress.ip_network(address, strict=False)
        except ValueError as exc:
            raise ConfigError(
                f"is no address or network ({exc})", subject=f"--proxy-from {address}", advice="Write 10.1.2.3 or 10.1.2.0/24."
            ) from exc
    for name in desk.hosts:
        if not _HOST.match(name):
            raise ConfigError(
                "is no name of a host", subject=f"--allow-host {name}", advice="Write s2r.example.org, without scheme and port."
            )

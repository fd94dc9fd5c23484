"""What kind of site an address belongs to, by `sources.toml` and the official sources of the venues."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from s2r.policy.types import Policy


def source_kind(url: str, policy: Policy) -> str:
    """Kind of site of `url`: exchange, regulator, filing, issuer, wire, press, aggregator, forum or unknown.

    A listed domain (the longest that the host ends with, a longer path first) wins over patterns; the first pattern that
    is found in "host/path", lower case, wins over later ones. Never raises; what is no address is unknown.
    """
    host, path = _host_path(url)
    if not host:
        return "unknown"
    if kind := _domain_kind(host, path, policy.domain_kinds):
        return kind
    address = host + path
    for rule in policy.sources:
        if rule.pattern and _compiled(rule.pattern).search(address):
            return rule.kind
    return "unknown"


def _host_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
        return (parts.hostname or "").removeprefix("www."), parts.path.lower()
    except ValueError:  # a malformed IPv6 literal
        return "", ""


def _domain_kind(host: str, path: str, kinds: dict[str, str]) -> str | None:
    """Kind by the longest domain that is `host` or ends it at a label; of equal hosts the longest path decides."""
    labels = host.split(".")
    folders = [part for part in path.split("/") if part]
    for first in range(len(labels) - 1):
        suffix = ".".join(labels[first:])
        for depth in range(min(len(folders), 3), 0, -1):
            if kind := kinds.get(f"{suffix}/{'/'.join(folders[:depth])}"):
                return kind
        if kind := kinds.get(suffix):
            return kind
    return None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

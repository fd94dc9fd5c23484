"""What every search provider gives back, and how addresses are compared."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Protocol, runtime_checkable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from s2r.models import Hit, Query
from s2r.models.listing import Frozen

_TRACKING = frozenset({"fbclid", "gclid", "mc_cid", "mc_eid"})
_PORTS = {"http": 80, "https": 443}


class State(StrEnum):
    """How a provider took a query; only `answered` and `empty` say something about the world."""

    ANSWERED = "answered"
    EMPTY = "empty"
    FAILED = "failed"


class SearchAnswer(Frozen):
    """Answer of one provider to one query. `cause` is set when it failed; a failed answer may still hold some hits.

    `note` says what else should be known of an answer: a query that was cut, engines that did not serve, a fallback that was used.
    """

    state: State
    hits: tuple[Hit, ...] = ()
    cause: str = ""
    note: str = ""


@runtime_checkable
class Provider(Protocol):
    """A source of hits. `find` reports its failures as a `failed` answer or raises `SourceError` / `SourceUnusable`."""

    @property
    def name(self) -> str:
        """Short name as used in records."""
        ...

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        ...


@lru_cache(maxsize=4096)
def canonical_url(url: str) -> str:
    """`url` in the form used to tell whether two hits are one page: host in lower case, no fragment, default port or tracking
    parameters; scheme http is read as https; a trailing slash of the path is dropped."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    scheme, host = parts.scheme.lower(), (parts.hostname or "").lower()
    if ":" in host:
        host = f"[{host}]"
    netloc = host if port is None or port == _PORTS.get(scheme) else f"{host}:{port}"
    query = parts.query
    if "utm_" in query or any(name in query for name in _TRACKING):
        pairs = parse_qsl(query, keep_blank_values=True)
        query = urlencode([(k, v) for k, v in pairs if not k.startswith("utm_") and k not in _TRACKING])
    return urlunsplit(("https" if scheme == "http" else scheme, netloc, parts.path.rstrip("/"), query, ""))

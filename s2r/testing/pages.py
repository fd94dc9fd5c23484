"""The web of the loopback world: the pages of a pool under their own host names, with redirects, robots.txt and faults."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from s2r.models import Capture
from s2r.search.base import canonical_url
from s2r.search.pool import Pool
from s2r.testing.server import Answer, Seen, html_answer

_HOP_HEADERS = frozenset({"content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "content-type"})
Change = Callable[[Answer], Answer]
_AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)  # a capture needs a time; none is sent


@dataclass(slots=True)
class Web:
    """All sites of a pool. Everything may be changed while the server runs; hosts and addresses are those of the pool's pages.
    `latency` are the seconds that every site takes for each answer."""

    pool: Pool | None
    moved: dict[str, tuple[int, str]] = field(default_factory=dict)
    robots: dict[str, Answer] = field(default_factory=dict)
    changes: dict[str, list[Change | None]] = field(default_factory=dict)
    lasting: dict[str, Change] = field(default_factory=dict)
    latency: float = 0.0

    def redirect(self, url: str, target: str, status: int = 302) -> None:
        """Let `url` redirect to `target`, which need not exist."""
        self.moved[canonical_url(url)] = (status, target)

    def set_robots(self, host: str, text: str, status: int = 200) -> None:
        """Give a host a robots.txt; without one it answers 404."""
        self.robots[host] = Answer(status, (("Content-Type", "text/plain"),), text.encode())

    def script(self, place: str, *changes: Change | None) -> None:
        """The next requests of an address or a host are changed one after the other (None: not changed)."""
        self.changes.setdefault(_key(place), []).extend(changes)

    def always(self, place: str, change: Change) -> None:
        """Every request of an address or a host is changed."""
        self.lasting[_key(place)] = change

    def answer(self, seen: Seen) -> Answer:
        """The answer to one request."""
        answer = self._plain(seen)
        for key in (_key(seen.url), _host(seen.host)):
            if queue := self.changes.get(key):
                change = queue.pop(0)
                answer = change(answer) if change else answer
            elif key in self.lasting:
                answer = self.lasting[key](answer)
        return replace(answer, delay=answer.delay + self.latency) if self.latency else answer

    def _plain(self, seen: Seen) -> Answer:
        if seen.path == "/robots.txt":
            return self.robots.get(_host(seen.host), html_answer("404 Not Found", "No robots.txt.", 404))
        if moved := self.moved.get(canonical_url(seen.url)):
            return Answer(moved[0], (("Location", moved[1]),))
        found = self.pool.read(seen.url, at=_AT) if self.pool else None
        if not isinstance(found, Capture):
            return html_answer("404 Not Found", "There is no such page.", 404)
        if canonical_url(found.final_url) != canonical_url(seen.url):
            return Answer(302, (("Location", found.final_url),))
        kept = tuple((name, value) for name, value in found.headers if name.lower() not in _HOP_HEADERS)
        return Answer(found.status, (("Content-Type", found.content_type), *kept), found.body)


def status(code: int, *headers: tuple[str, str]) -> Change:
    """A change that answers with a status and a short page: 403, 404, 429 with ("Retry-After", "2"), 503 ..."""
    return lambda _: html_answer(f"{code}", "The loopback world says so.", code).with_headers(*headers)


def dripping(seconds: float) -> Change:
    """A change that sends the body in pieces of 16 bytes, one every so many seconds."""
    return lambda answer: replace(answer, drip=seconds)


def resetting() -> Change:
    """A change that resets the connection."""
    return lambda answer: replace(answer, reset=True)


def _key(place: str) -> str:
    return canonical_url(place) if "://" in place else _host(place)


def _host(netloc: str) -> str:
    return urlsplit(f"//{netloc}").hostname or netloc

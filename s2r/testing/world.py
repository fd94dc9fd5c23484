"""`World`: a whole little internet on the loopback interface, for tests, benchmarks and trials without keys."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from s2r.models import Capture, Query
from s2r.net import Caps, Endpoint, Limit, Limiter, Net, RetryRule
from s2r.net.mask import Mask
from s2r.search.pool import Pool
from s2r.search.pool_text import body_text
from s2r.testing.door import routed_transport
from s2r.testing.faults import Change
from s2r.testing.pages import Web
from s2r.testing.registers import REGISTERS
from s2r.testing.server import Answer, Seen, Server, html_answer, json_answer
from s2r.testing.services import SERVICES, Asked, Found, Service
from s2r.testing.tls import has_openssl, make_certificate
from s2r.testing.webarchive import KeptWeb

KEPT = "wayback"  # name of the web archive, in `World.env` and in its address below the world's own
KEPT_HOSTS = frozenset({"web.archive.org", "archive.org"})
_SNIPPET = 300
# what services print as the date of a page: missing, display text, ISO without zone, RFC 1123, ISO; none of them true
_DATES = ("", "3 days ago", "2024-03-04T13:00:00", "Mon, 04 Mar 2024 13:00:00 GMT", "2024-03-04", "March 4, 2024")


@dataclass(slots=True)
class _Line:
    """What one service is told to do, and what was asked of it."""

    service: Service
    key: str
    latency: float = 0.0
    queue: deque[Change | None] = field(default_factory=deque)
    lasting: Change | None = None
    chance: tuple[random.Random, float, tuple[Change, ...]] | None = None
    rate: int = 0  # requests that may come in any second, 0 = any number
    hint: Change | None = None
    passed: deque[float] = field(default_factory=deque)
    seen: list[Seen] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    held: dict[str, Answer] = field(default_factory=dict)  # by path


class World:
    """Search services and web sites over the pages of one pool, on 127.0.0.1. Use as a context manager.

    `services` adds dialects (of a provider of your own) to those of s2r. With `tls` (needs the openssl program) the world is also
    a proxy for https: see `env`. Without a pool every search is empty and every page is missing. `web` and `kept` are its web sites
    and its web archive, to which a test adds what it needs.
    """

    def __init__(
        self, pool: Path | str | None = None, *, services: Iterable[Service] = (), tls: bool = False, keys: Mapping[str, str] | None = None
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="s2r-world-")
        self.pool = Pool.open(Path(pool)) if pool is not None else None
        self.web = Web(self.pool)
        self.kept = KeptWeb()
        self._lines = {
            service.name: _Line(service, (keys or {}).get(service.name, f"key-of-{service.name}-1f9c"))
            for service in (*SERVICES, *REGISTERS, *services)
        }
        self._by_host = {line.service.host: line for line in self._lines.values()}
        self.seen: list[Seen] = []  # requests for pages
        self.statuses: list[int] = []
        self._snippets: dict[str, str] = {}
        context = None
        self.ca: Path | None = None
        if tls:
            if not has_openssl():
                raise RuntimeError("a world with TLS needs the openssl program")
            context, self.ca = make_certificate(self.hosts(), Path(self._folder.name))
        self._server = Server(self._handle, context)

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.__exit__(*exc)
        if self.pool:
            self.pool.close()
        self._folder.cleanup()

    # --- where it is

    @property
    def origin(self) -> str:
        """Address of the world itself; it is also its address as a proxy."""
        return f"http://127.0.0.1:{self._server.port}"

    def url(self, name: str) -> str:
        """Base address of a service, for S2R_<NAME>_URL."""
        return f"{self.origin}/{name}"

    def key(self, name: str) -> str:
        """The key that a service takes."""
        return self._lines[name].key

    def hosts(self) -> tuple[str, ...]:
        """Names of all sites of the pool and of all services."""
        urls = self.pool.urls() if self.pool else ()
        return tuple(dict.fromkeys([*(urlsplit(url).hostname or "" for url in urls), *self._by_host]))

    def env(self, *names: str) -> dict[str, str]:
        """Environment for a command that uses these services; with `tls` its page fetches go to the world as well.

        "wayback" among the names stands for the web archive, `kept`."""
        env: dict[str, str] = {}
        if KEPT in names:
            env |= {"S2R_WAYBACK_URL": f"{self.origin}/{KEPT}", "S2R_WAYBACK_AVAILABILITY_URL": f"{self.origin}/{KEPT}/wayback/available"}
        for name in (name for name in names if name != KEPT):
            env |= {f"S2R_{name.upper()}_URL": self.url(name), f"S2R_{name.upper()}_KEY": self.key(name)}
        if "google_cse" in names:
            env["S2R_GOOGLE_CSE_ENGINE"] = "world"
        if "edgar" in names:
            env["S2R_CONTACT"] = "Loopback World ops@world.example"
        if self.ca:
            env |= {"S2R_FETCH_PROXY": self.origin, "S2R_FETCH_CA_BUNDLE": str(self.ca)}
        return env

    def net(
        self, role: str = "search", *, limiter: Limiter | None = None, caps: Caps | None = None, retry: RetryRule | None = None, **more: Any
    ) -> Net:
        """A real client whose connections end in the world; by default it has no pace of its own.

        Clients for search may use the world's own address, as one that an operator has set; those for pages may not.
        """
        own = frozenset({Endpoint("127.0.0.1", self._server.port)} if role == "search" else ())
        limiter = limiter or Limiter(default=Limit(rate=1e5, concurrency=200))
        more = {"user_agent": "s2r-test", "mask": Mask(line.key for line in self._lines.values()), **more}
        transport = routed_transport(self._server.port, self._server.bare_tls_port, own)
        return Net(role, transport, limiter, operator=own, caps=caps or Caps(total_s=10.0), retry=retry, **more)

    # --- what it does

    def script(self, name: str, *changes: Change | None) -> None:
        """The next calls of a service are changed one after the other (None: not changed)."""
        self._lines[name].queue.extend(changes)

    def put(self, name: str, path: str, data: Any) -> None:
        """What a service holds at a path beside its search: JSON data, or a whole answer."""
        self._lines[name].held[path] = data if isinstance(data, Answer) else json_answer(data)

    def always(self, name: str, change: Change | None) -> None:
        """Every call of a service that has no script is changed; None ends it."""
        self._lines[name].lasting = change

    def sometimes(self, name: str, share: float, changes: Sequence[Change], *, seed: int = 1) -> None:
        """A share of the calls of a service is changed, by chance from a seed."""
        self._lines[name].chance = (random.Random(seed), share, tuple(changes))  # noqa: S311 - not for secrets

    def latency(self, name: str, seconds: float) -> None:
        """Seconds that a service takes for each answer."""
        self._lines[name].latency = seconds

    def limit(self, name: str, per_second: int, hint: Change | None = None) -> None:
        """Calls beyond `per_second` in any second are refused with `hint` (default: 429 without a hint)."""
        self._lines[name].rate, self._lines[name].hint = per_second, hint

    # --- what it saw

    def calls(self, name: str) -> tuple[Seen, ...]:
        """Requests that a service got, in order."""
        return tuple(self._lines[name].seen)

    def answers(self, name: str) -> tuple[int, ...]:
        """Statuses that a service gave, in order; 0 for resets and silence."""
        return tuple(self._lines[name].statuses)

    # --- how

    async def _handle(self, seen: Seen) -> Answer:
        own = seen.host == urlsplit(self.origin).netloc and seen.path.startswith(f"/{KEPT}/")
        if own or seen.host in KEPT_HOSTS:
            self.kept.origin = f"{self.origin}/{KEPT}" if own else f"{seen.scheme}://web.archive.org"
            return self.kept.answer(replace(seen, path=seen.path.removeprefix(f"/{KEPT}")) if own else seen)
        line, seen = self._line(seen)
        if line is None:
            if seen.host == urlsplit(self.origin).netloc:
                return html_answer("Loopback world", ", ".join(self._lines), 404)
            answer = await asyncio.to_thread(self.web.answer, seen)
            self.seen.append(seen)
            self.statuses.append(0 if answer.reset or answer.silent else answer.status)
            return answer
        line.seen.append(seen)
        answer = await self._searched(line, seen)
        line.statuses.append(0 if answer.reset or answer.silent else answer.status)
        return replace(answer, delay=answer.delay + line.latency) if line.latency else answer

    def _line(self, seen: Seen) -> tuple[_Line | None, Seen]:
        """The service that a request is for, by its own host or by the first part of the path at the world's address."""
        if seen.host in self._by_host:
            return self._by_host[seen.host], seen
        name, _, rest = seen.path.lstrip("/").partition("/")
        if seen.host == urlsplit(self.origin).netloc and name in self._lines:
            return self._lines[name], replace(seen, path=f"/{rest}")
        return None, seen

    async def _searched(self, line: _Line, seen: Seen) -> Answer:
        service = line.service
        if line.rate and not _pass(line.passed, line.rate, time.monotonic()):
            refused = service.error(429, "Too many requests")
            return line.hint(service, refused) if line.hint else refused
        if seen.path == service.path:
            asked = service.read(seen, line.key)
            if isinstance(asked, Answer):
                return asked
            answer: Answer = service.render(asked, await self._found(asked))
        elif seen.path in line.held:
            if (not_admitted := service.admit(seen, line.key)) is not None:
                return not_admitted
            answer = line.held[seen.path]
        else:
            return service.error(404, f"There is no {seen.path}.")
        change = _next_change(line)
        return change(service, answer) if change else answer

    async def _found(self, asked: Asked) -> list[Found]:
        """Results of the pool's index for a query, only from the sites that it names."""
        if self.pool is None:
            return []
        wanted = asked.limit if not asked.sites else max(asked.limit * 20, 200)
        answer = await self.pool.find(Query(text=asked.text), wanted)
        hits = [hit for hit in answer.hits if not asked.sites or any(_is_on(hit.url, site) for site in asked.sites)][: asked.limit]
        texts = await asyncio.to_thread(lambda: [self._snippet(hit.url) for hit in hits])
        return [Found(hit.url, hit.title, text, _DATES[i % len(_DATES)]) for i, (hit, text) in enumerate(zip(hits, texts, strict=True))]

    def _snippet(self, url: str) -> str:
        if url not in self._snippets:
            found = self.pool.read(url) if self.pool else None
            text = body_text(found.body, found.content_type) if isinstance(found, Capture) else ""
            self._snippets[url] = " ".join(text.split())[:_SNIPPET]
        return self._snippets[url]


def _next_change(line: _Line) -> Change | None:
    if line.queue:
        return line.queue.popleft()
    if line.chance:
        source, share, changes = line.chance
        if source.random() < share:
            return source.choice(changes)
    return line.lasting


def _pass(passed: deque[float], rate: int, now: float) -> bool:
    """Whether a request keeps the limit of the last second; only those that pass are counted."""
    while passed and now - passed[0] >= 1.0:
        passed.popleft()
    if len(passed) >= rate:
        return False
    passed.append(now)
    return True


def _is_on(url: str, site: str) -> bool:
    """Whether an address lies on a site, which may have a path and counts for its sub-domains."""
    host, _, path = site.lower().partition("/")
    parts = urlsplit(url.lower())
    name = parts.hostname or ""
    return (name == host or name.endswith(f".{host}")) and parts.path.lstrip("/").startswith(path)

"""A client of one web archive over the network door: availability, index (CDX), playback, TimeGate and TimeMap.

Sources: RFC 7089 (Memento), the documentation of the Wayback CDX server and of its availability call. Redirects are followed here,
one by one, because each hop says whether the archive or the archived site speaks: only stored answers carry Memento-Datetime.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urldefrag, urlencode, urljoin, urlsplit

from s2r.errors import S2RError, SourceTimeout
from s2r.fetch.webarchive.cdx import BadRow, CdxRow, cdx_query, read_cdx
from s2r.fetch.webarchive.errors import ArchiveBroken, read_refusal
from s2r.fetch.webarchive.rfc7089 import (
    Link,
    TimeMap,
    capture_address,
    http_date,
    linked,
    raw_address,
    read_capture_address,
    read_http_date,
    read_links,
    read_stamp14,
    read_timemap,
    stamp_of,
)
from s2r.models.listing import Frozen
from s2r.net import NO_RETRY, Limit, Net, RedirectRefused, Reply
from s2r.net.hints import is_limited, is_stored
from s2r.settings import Settings

INDEX_BUCKET = "wayback-index"  # CDX and TimeMap share one budget
PLAY_BUCKET = "wayback"
MAX_HOPS = 8
TRIES = 3
PAUSE_S = 60.0  # after "slow down" without a time: asking on for a minute earns a block of an hour
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PASSING = frozenset({500, 502, 504})
_MAX_PAGES = 200


class Endpoints(Frozen):
    """Where an archive answers; "" = it has no such service. `web` ends before the time of a capture, `timegate` and `timemap`
    before the address that is asked for."""

    name: str
    web: str = ""
    cdx: str = ""
    availability: str = ""
    timegate: str = ""
    timemap: str = ""
    index_bucket: str = ""
    bucket: str = ""


class Snapshot(NamedTuple):
    """What the availability call names as nearest."""

    at: dt.datetime
    status: int
    address: str


class Found(NamedTuple):
    """Index lines in the order of the server. `whole` is False when more were left; `bad` lines are no captures."""

    rows: tuple[CdxRow, ...]
    bad: tuple[BadRow, ...]
    whole: bool


class Memento(Frozen):
    """One capture as played back. `original` is the address it was captured from, `address` the one that played it.

    `captured_at` (UTC) is the true time of the body, whatever time was asked for; `first_at` that of the first stored hop, where
    redirects of the archived site led on. `neighbour`: the archive gave another capture than the one asked for. `status` is that
    of the archived site.
    """

    asked: str
    asked_at: dt.datetime
    original: str
    address: str
    captured_at: dt.datetime
    first_at: dt.datetime
    status: int
    content_type: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    hops: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def neighbour(self) -> bool:
        """Whether another capture was played than the one of the time asked for."""
        return self.first_at != self.asked_at.astimezone(dt.UTC).replace(microsecond=0)

    def linked(self, rel: str) -> Link | None:
        """The "first", "prev", "next" or "last" capture of the same address, when the archive names it."""
        return linked(self.links, rel, memento=True)


class WebArchive:
    """One archive. Every failure is an `S2RError` (`NoCapture` only when the archive itself says so)."""

    def __init__(self, net: Net, endpoints: Endpoints) -> None:
        self._net, self.endpoints = net, endpoints

    @property
    def name(self) -> str:
        """Short name as used in `Capture.via`."""
        return self.endpoints.name

    async def available(self, url: str, at: dt.datetime) -> Snapshot | None:
        """The capture that the availability call names as nearest to `at`. None says nothing: an overloaded service answers so too."""
        address = f"{self.endpoints.availability}?{urlencode({'url': url, 'timestamp': stamp_of(at)})}"
        reply = await self._asked(address, self.endpoints.bucket)
        data = reply.json_data()
        snapshots = data.get("archived_snapshots") if isinstance(data, dict) else None
        if not isinstance(snapshots, dict):
            raise ArchiveBroken("the availability answer names no snapshots", subject=url)
        closest = snapshots.get("closest")
        if not closest:
            return None
        if not isinstance(closest, dict) or (when := read_stamp14(str(closest.get("timestamp")))) is None:
            raise ArchiveBroken(f"the nearest snapshot has no time ({str(closest)[:120]})", subject=url)
        status = str(closest.get("status", ""))
        return Snapshot(when, int(status) if status.isdigit() else 0, str(closest.get("url", "")))

    async def captures(
        self,
        url: str,
        *,
        since: dt.datetime | None = None,
        until: dt.datetime | None = None,
        match: str = "exact",
        filters: Sequence[str] = (),
        collapse: str = "",
        limit: int = 1000,
        most: int = 10_000,
        fast_latest: bool = False,
    ) -> Found:
        """Index lines of an address, at most `most`, `limit` a request (negative: the last ones); times in UTC, inclusive."""
        rows: list[CdxRow] = []
        bad: list[BadRow] = []
        keys: set[str] = set()
        key = ""
        while True:
            query = cdx_query(
                url,
                since=since,
                until=until,
                match=match,
                filters=filters,
                collapse=collapse,
                limit=limit,
                fast_latest=fast_latest,
                resume_key=key,
            )
            reply = await self._asked(f"{self.endpoints.cdx}?{query}", self.endpoints.index_bucket)
            page = read_cdx(reply.body, url, resumed=bool(key))
            rows += page.rows if not rows or not page.rows or page.rows[0] != rows[-1] else page.rows[1:]
            bad += page.bad
            key = page.resume_key
            if not key:
                return Found(tuple(rows[:most]), tuple(bad), len(rows) <= most)
            if key in keys:
                raise ArchiveBroken(f"the index goes in a circle (resume key {key[:80]!r})", subject=url)
            if len(rows) >= most or len(keys) >= _MAX_PAGES:
                return Found(tuple(rows[:most]), tuple(bad), False)
            keys.add(key)

    async def play(self, url: str, at: dt.datetime) -> Memento:
        """The capture of `url` at `at`, or the nearest one there is; redirects of the archived site are followed in the archive.

        Look at `captured_at`: the body may be older or newer than asked. Raises `NoCapture`, `ArchiveRefused`, `ArchiveBusy`,
        `ArchiveBroken`, `RedirectRefused` or another `SourceError`.
        """
        plain = urldefrag(url).url
        if not self.endpoints.web:
            return await self.gate(plain, at)
        return await self._played(capture_address(self.endpoints.web, at, plain), plain, at)

    async def gate(self, url: str, at: dt.datetime) -> Memento:
        """The capture nearest to `at` as the archive's TimeGate chooses it (RFC 7089, section 4.5)."""
        address = self.endpoints.timegate + (url if not self.endpoints.timegate.endswith("=") else quote(url, safe=""))
        return await self._played(address, url, at, {"accept-datetime": http_date(at)})

    async def timemap(self, url: str, *, most: int = 50) -> TimeMap:
        """All captures that the archive lists for `url`, from at most `most` parts of its TimeMap."""
        waiting, seen = [self.endpoints.timemap + url], set[str]()
        found = TimeMap(original=url)
        while waiting and len(seen) < most:
            address = waiting.pop(0)
            if address in seen:
                continue
            seen.add(address)
            reply = await self._asked(address, self.endpoints.index_bucket)
            part = read_timemap(reply.text, url)
            if not read_links(reply.text):
                raise ArchiveBroken("the TimeMap names no links", subject=url)
            mementos = tuple(sorted({*found.mementos, *part.mementos}))
            found = TimeMap(original=part.original, mementos=mementos, unread=found.unread + part.unread)
            waiting += [urljoin(address, more) for more in part.more]
        return found.model_copy(update={"more": tuple(address for address in waiting if address not in seen)})

    async def _played(self, address: str, url: str, at: dt.datetime, headers: Mapping[str, str] | None = None) -> Memento:
        hops: list[str] = []
        first_at: dt.datetime | None = None
        tried = {address}
        while True:
            reply = await self._answer(address, self.endpoints.bucket, headers)
            stored = is_stored(dict(reply.headers))
            if stored and first_at is None:
                first_at = _captured_at(reply, address, url)
            location = reply.header("location")
            if reply.status not in _REDIRECTS or not location:
                break
            hops.append(f"{reply.status} {address}")
            address = self._inside(urljoin(address, location.strip()), url)
            if address in tried or len(hops) > MAX_HOPS:
                raise RedirectRefused("redirects of the archive lead in a circle or too far", subject=url)
            tried.add(address)
        if not stored or first_at is None:
            raise _refused(reply, url)
        links = read_links(", ".join(value for name, value in reply.headers if name == "link"))
        named, known = read_capture_address(address), linked(links, "original")
        return Memento(
            asked=url,
            asked_at=at,
            original=known.url if known else named.url if named else url,
            address=address,
            captured_at=_captured_at(reply, address, url),
            first_at=first_at,
            status=reply.status,
            content_type=reply.content_type,
            headers=reply.headers,
            body=reply.body,
            hops=tuple(hops),
            links=links,
        )

    def _inside(self, address: str, url: str) -> str:
        """A redirect's target as an address of this archive that gives raw bytes; a TimeGate may name any archive."""
        base = self.endpoints.web
        if not base:
            return raw_address(address)
        found = read_capture_address(address)
        ours, theirs = urlsplit(base), urlsplit(address)
        if found is None or theirs.hostname != ours.hostname or urlsplit(found.head).path != ours.path:
            raise RedirectRefused(f"the archive leads out of itself ({address[:200]})", subject=url)
        return capture_address(base, found.at, found.url)

    async def _asked(self, address: str, bucket: str) -> Reply:
        """An answer of the archive's own services; what is no success is raised."""
        reply = await self._answer(address, bucket)
        if refusal := read_refusal(reply, address):
            raise refusal
        if reply.status != 200:
            raise ArchiveBroken(f"the archive answers with status {reply.status}", subject=address)
        return reply

    async def _answer(self, address: str, bucket: str, headers: Mapping[str, str] | None = None) -> Reply:
        """One answer without its redirects; what passes is asked for again, and "slow down" is obeyed by all processes."""
        for attempt in range(1, TRIES + 1):
            last = attempt == TRIES
            try:
                reply = await self._net.get(address, headers=headers, bucket=bucket, retry=NO_RETRY, redirects=False)
            except SourceTimeout:
                if last:
                    raise
                continue
            if is_stored(dict(reply.headers)):
                return reply
            if is_limited(reply.status, reply.body):
                await self._net.limiter.hold(
                    bucket or self._net.limiter.bucket(self._net.check(address).host), reply.asked_wait_s or PAUSE_S
                )
            elif reply.status not in _PASSING:
                return reply
            if last:
                break
        return reply


def _captured_at(reply: Reply, address: str, url: str) -> dt.datetime:
    """When an answer was captured, by its header and its address: the later one where they differ, as nothing earlier is proven."""
    told = read_http_date(reply.header("memento-datetime"))
    if told is None:
        raise ArchiveBroken(f"the time of the capture cannot be read ({reply.header('memento-datetime')[:60]!r})", subject=url)
    named = read_capture_address(address)
    return max(told, named.at) if named else told


def _refused(reply: Reply, url: str) -> S2RError:
    """What an answer means that is no capture."""
    return read_refusal(reply, url) or ArchiveBroken(f"the archive answers with a page of its own (status {reply.status})", subject=url)


def archives_of(settings: Settings) -> tuple[Endpoints, ...]:
    """The archives that the settings name, in the order in which they are asked."""
    found = []
    if settings.wayback_url:
        base = settings.wayback_url.rstrip("/")
        found.append(
            Endpoints(
                name="wayback",
                web=f"{base}/web/",
                cdx=f"{base}/cdx/search/cdx",
                availability=settings.wayback_availability_url,
                timegate=f"{base}/web/",
                timemap=f"{base}/web/timemap/link/",
                index_bucket=INDEX_BUCKET,
                bucket=PLAY_BUCKET,
            )
        )
    if settings.memento_url:
        found.append(Endpoints(name="memento", timegate=settings.memento_url, timemap=settings.memento_timemap_url))
    return tuple(found)


def archive_urls(settings: Settings) -> tuple[str, ...]:
    """Addresses of the archives, for `open_net(endpoints=...)` of the search role: an operator's own may be private."""
    return tuple(
        filter(None, (settings.wayback_url, settings.wayback_availability_url, settings.memento_url, settings.memento_timemap_url))
    )


def archive_limits(settings: Settings) -> dict[str, Limit]:
    """The limits of the Wayback Machine's buckets, for `open_limiter`: one budget for its index over all workers and processes."""
    return {
        INDEX_BUCKET: Limit(rate=settings.wayback_index_per_minute / 60, concurrency=2),
        PLAY_BUCKET: Limit(rate=settings.wayback_rate, concurrency=4),
    }

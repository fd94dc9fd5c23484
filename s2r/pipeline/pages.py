"""The pages of a row: asked for once, archived with their own time, and had from the archive where it holds them already."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

from s2r.archive import Archive
from s2r.errors import first_error
from s2r.fetch import Fetcher, fetch_hit
from s2r.models import Capture, Gap, Hit
from s2r.pipeline.engine import Bring, Place
from s2r.search import Pool
from s2r.search.kept import Kept, Used

AT_ONCE = 8  # pages of one row under way on the live web; each host has its own pace beside this


class PageDesk:
    """Fetches pages for all rows of a run into one archive.

    With `kept` the run is one over the live web: pages keep the time at which they came, and a page that is archived since
    `since`, or could not be had then for a cause that stays, is not asked for again; `bring` may fetch them elsewhere. Without it pages
    are taken one after the other and dated `at`.
    """

    def __init__(
        self, archive: Archive, *, at: dt.datetime, max_body: int, kept: Kept | None = None, since: dt.datetime | None = None,
        clock: Callable[[], dt.datetime] | None = None, bring: Bring | None = None,
    ) -> None:  # fmt: skip
        self._bring = bring or self._brought
        self._archive, self._at, self._max_body = archive, at, max_body
        self._kept, self._since, self._clock = kept, since, clock or (lambda: at)
        self._asking = WeakValueDictionary[tuple[str, str], asyncio.Lock]()
        self._missed: dict[tuple[str, str], Gap] = {}

    async def fetch(self, fetcher: Fetcher, hits: Sequence[Hit]) -> tuple[tuple[Place, ...], list[Gap], int]:
        """Exhibits and gaps in the order of the hits, and how many pages were asked for; what is no readable page is a gap."""
        places = asyncio.Semaphore(AT_ONCE if self._kept else 1)

        async def one(hit: Hit) -> tuple[Place | Gap, int]:
            async with places:
                return await (self._live(fetcher, hit) if self._kept else self._sealed(fetcher, hit))

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(hit)) for hit in hits]
        except BaseExceptionGroup as exc:
            raise first_error(exc) from exc
        found = [task.result()[0] for task in tasks]
        exhibits = tuple(item for item in found if not isinstance(item, Gap))
        return exhibits, [item for item in found if isinstance(item, Gap)], sum(task.result()[1] for task in tasks)

    async def _sealed(self, fetcher: Fetcher, hit: Hit) -> tuple[Place | Gap, int]:
        got = await fetch_hit(hit, fetcher, at=self._at, max_body=self._max_body)
        return (got, 1) if isinstance(got, Gap) else (await self._put(got), 1)

    async def _live(self, fetcher: Fetcher, hit: Hit) -> tuple[Place | Gap, int]:
        assert self._kept
        key = (fetcher.name, hit.url)
        async with self._asking.setdefault(key, asyncio.Lock()):  # rows that want one page at once ask for it once
            if missed := self._missed.get(key):
                return missed, 0
            if known := await self._kept.at_once(self._known, hit, fetcher.name):
                return known, 0
            place = await self._bring(fetcher, hit, self._max_body)
            await self._kept.at_once(self._keep, place, key)
            if isinstance(place, Gap):
                self._missed[key] = place
            return place, 1

    def _known(self, hit: Hit, fetcher: str) -> Place | Gap | None:
        """The page of a hit as it is archived, or why it could not be had; None when it has to be asked for."""
        assert self._kept
        return self._archived(hit, fetcher) or self._kept.missing(fetcher, hit.url, self._since)

    def _keep(self, place: Place | Gap, key: tuple[str, str]) -> None:
        """Keep what came for an address."""
        assert self._kept
        if isinstance(place, Gap):
            self._kept.keep_gap(place, self._clock(), key[0])
        else:
            self._kept.keep_page(*key, place[0], place[2], self._clock())

    async def _brought(self, fetcher: Fetcher, hit: Hit, max_body: int) -> Place | Gap:
        got = await fetch_hit(hit, fetcher, max_body=max_body)
        return got if isinstance(got, Gap) else await self._put(got)

    def _archived(self, hit: Hit, fetcher: str) -> Place | None:
        """The page of a hit as this archive holds it, None when it has to be asked for. Its title is the hit's own: which row asked first
        must not change what another reads."""
        assert self._kept
        found = self._kept.page(fetcher, hit.url, self._since)
        return (found[0], hit.url, hit.title) if found and self._archive.is_sound(found[0]) else None

    async def _put(self, got: Capture) -> Place:
        exhibit = await asyncio.to_thread(self._archive.put, got)
        return exhibit.digest, got.url, got.title


class Repeated:
    """The fetcher of one row over a pool: where the archive of a live run knows the pages of the row, those captures and gaps.

    Other pages come as last captured by `by` (UTC), when it is given; what a live run could not have is missing for its cause.
    """

    def __init__(self, pool: Pool, recorded: Kept | None, *, used: Used | None = None, by: dt.datetime | None = None) -> None:
        self.name = pool.name
        self._pool, self._recorded, self._by = pool, recorded, by
        self._pages = used.pages if used else {}
        self._gaps = {gap.url: gap for gap in used.gaps} if used else {}

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The archived page, else the gap that was kept of it, else what the pool says."""
        if gap := self._gaps.get(url):
            return gap
        digest = self._pages.get(url, "")
        found = await asyncio.to_thread(self._pool.read, url, at=at, digest=digest, by=self._by)
        if isinstance(found, Gap) and not digest and self._recorded:
            return self._recorded.gap(url) or found
        return found

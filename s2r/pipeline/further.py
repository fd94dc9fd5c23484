"""Pages that a step of the ladder adds to a row: from official sources, or named by a model that searched by itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from s2r.fetch import Fetcher
from s2r.models import Hit
from s2r.pipeline.native import Cited, Resolve, resolved
from s2r.pipeline.pages import PageDesk
from s2r.pipeline.tasks import Task
from s2r.policy import Policy, listed_kind
from s2r.search import Provider, search
from s2r.search.plan import with_hints
from s2r.search.queries import official_queries

OFFICIAL = ("exchange", "regulator", "filing")
MOST = 10  # further pages of one step


class Further:
    """The search and the pages of one row after the first look; `searches` and `fetches` count what was asked."""

    def __init__(
        self,
        policy: Policy,
        providers: Sequence[Provider],
        pages: PageDesk,
        fetcher: Fetcher,
        *,
        live: bool,
        resolve: Resolve | None = None,
    ) -> None:
        self._resolve = resolve
        self._policy, self._providers, self._pages, self._fetcher, self._live = policy, providers, pages, fetcher, live
        self.searches = self.fetches = 0

    async def official(self, task: Task, day: dt.date | None) -> Task | None:
        """The task with further pages of official sources, which are asked once more, near `day`; None when there are none."""
        queries = official_queries(task.listing, self._policy, day)
        if not queries or not self._providers:
            return None
        sent = with_hints(queries, country=task.listing.country) if self._live else queries
        limit = task.max_pages + MOST  # pages that are known already take no place from further ones
        found = await search(task.listing, self._policy, self._providers, limit, queries=sent)
        self.searches += found.requests
        known = {url for _, url, _ in task.exhibits} | {gap.url for gap in task.gaps}
        hits = [hit for hit in found.hits if hit.url not in known and listed_kind(hit.url, self._policy) in OFFICIAL]
        more = await self._with(task, hits[:MOST])
        if len(more.exhibits) == len(task.exhibits):
            return None
        return replace(more, queries=(*task.queries, *found.queries), notes=(*task.notes, *found.notes))

    async def cited(self, task: Task, cited: Sequence[Cited]) -> Task:
        """The task with the pages that a model named; those that cannot be had are gaps."""
        found = await resolved(cited, self._resolve)
        known = {url for _, url, _ in task.exhibits}
        more = await self._with(task, [hit for hit in found.hits if hit.url not in known])
        return replace(more, gaps=(*more.gaps, *found.gaps)) if found.gaps else more

    async def _with(self, task: Task, hits: Sequence[Hit]) -> Task:
        if not hits:
            return task
        exhibits, gaps, fetches = await self._pages.fetch(self._fetcher, hits)
        self.fetches += fetches
        held = {digest for digest, _, _ in task.exhibits}
        new = tuple(one for one in exhibits if one[0] not in held)
        return replace(task, exhibits=(*task.exhibits, *new), gaps=(*task.gaps, *gaps))

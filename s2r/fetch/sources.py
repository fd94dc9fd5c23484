"""The fetchers of a live run over its clients: pages as they are now, and as they were by a time. `clock` gives UTC."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from s2r.fetch import Fetcher
from s2r.fetch.live import LiveFetcher
from s2r.fetch.webarchive import ArchivedPages, InTime, LiveOrArchived, WebArchive, archives_of
from s2r.net import Net
from s2r.policy import Policy
from s2r.settings import Settings


class PageSources:
    """`pages` asks for pages, `asker` asks web archives, where the settings or `point_in_time` want them."""

    def __init__(
        self, pages: Net, asker: Net, settings: Settings, policy: Policy, clock: Callable[[], dt.datetime], *, point_in_time: bool
    ) -> None:
        archiving = point_in_time or settings.archived_copies
        self.page = LiveFetcher(pages, settings, clock=lambda: clock().timestamp())
        self._archived = ArchivedPages([WebArchive(asker, endpoint) for endpoint in archives_of(settings)] if archiving else [])
        self._policy, self._clock, self._copies = policy, clock, settings.archived_copies

    def latest(self) -> Fetcher:
        """Pages as they are, with archived copies of those that are gone where the settings want them."""
        return LiveOrArchived(self.page, self._archived, self._clock) if self._copies else self.page

    def until(self, by: dt.datetime) -> Fetcher:
        """Pages as they were by a time (UTC)."""
        return InTime(self.page, self._archived, by, self._policy)

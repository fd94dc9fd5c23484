"""Fetchers that choose between the live web and web archives: a copy of what is gone, or a page as it was by a time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from s2r.errors import SourceError, SourceTimeout
from s2r.extract.sec import is_submission
from s2r.fetch import Fetcher, outcome_of
from s2r.fetch.judge import as_gap
from s2r.fetch.webarchive.source import ArchivedPages
from s2r.models import Capture, Gap, Outcome
from s2r.policy import Policy, listed_kind

_HEAD = 8000  # bytes in which a submission shows that it is one
# a page that another day, another visitor or another server may have seen; what our own guard or robots.txt refuses stays refused
REPLACED = frozenset({Outcome.BLOCKED, Outcome.CONSENT, Outcome.NOT_FOUND, Outcome.ERROR, Outcome.EMPTY, Outcome.SCRIPT_SHELL})


class LiveOrArchived:
    """The live page; where it is gone, blocked or empty, its last archived copy, with the time of the copy. `clock` gives UTC."""

    def __init__(self, live: Fetcher, archived: ArchivedPages, clock: Callable[[], dt.datetime]) -> None:
        self.name = live.name
        self._live, self._archived, self._clock = live, archived, clock

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page or its copy; else the gap of the live page, which says what the archive answered."""
        found = await _asked(self._live, url, at)
        if isinstance(found, Capture) or found.outcome not in REPLACED:
            return found
        copy = await _asked(self._archived, url, at or self._clock())
        return copy if isinstance(copy, Capture) else _both(found, copy)


class InTime:
    """Pages for an audit at a point in time: as archived by `by` (UTC). Submissions of filing systems are asked for live, as their
    header dates them; a page of an exchange is too where no archive has it, as its own date may prove it."""

    def __init__(self, live: Fetcher, archived: ArchivedPages, by: dt.datetime, policy: Policy) -> None:
        self.name = f"{archived.name} by {by:%Y-%m-%dT%H:%M:%SZ}"
        self.by = by
        self._live, self._archived, self._policy = live, archived.until(by), policy

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page as it was, or a gap that says why it is lost."""
        kind = listed_kind(url, self._policy)
        if kind == "filing":
            live = await _asked(self._live, url, at)
            if isinstance(live, Capture) and is_submission(live.body[:_HEAD].decode("latin-1")):
                return live
            kept = await _asked(self._archived, url, at)
            if isinstance(kept, Capture) or isinstance(live, Capture):
                return kept if isinstance(kept, Capture) else live
            return _both(live, kept)
        kept = await _asked(self._archived, url, at)
        if isinstance(kept, Capture) or kind != "exchange":
            return kept
        live = await _asked(self._live, url, at)
        return live if isinstance(live, Capture) else _both(kept, live)


async def _asked(fetcher: Fetcher, url: str, at: dt.datetime | None) -> Capture | Gap:
    try:
        return await fetcher.fetch(url, at=at)
    except SourceError as exc:
        return as_gap(url, outcome_of(exc), str(exc) or type(exc).__name__, passing=isinstance(exc, SourceTimeout))


def _both(first: Gap, second: Gap) -> Gap:
    return first.model_copy(update={"cause": f"{first.cause}; {second.cause}", "passing": first.passing or second.passing})

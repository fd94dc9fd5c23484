"""Hit -> Capture or Gap: ask a fetcher for the page, then judge by content what came; only a readable page is evidence."""

from __future__ import annotations

import datetime as dt
from typing import Protocol

from s2r.errors import SourceBroken, SourceError, SourceRefused, SourceTimeout
from s2r.fetch.judge import as_gap, judge_capture, judge_markup
from s2r.models import Capture, Gap, Hit, Outcome

__all__ = ["Fetcher", "as_gap", "fetch_hit", "judge_capture", "judge_markup", "outcome_of"]


class Fetcher(Protocol):
    """Where pages come from: the sealed pool, the live web or a web archive."""

    @property
    def name(self) -> str:
        """Short name as used in `Capture.via`."""
        ...

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page at `url`, or a gap; `at` (UTC) is the time of the request. May raise `SourceError`."""
        ...


async def fetch_hit(hit: Hit, fetcher: Fetcher, *, at: dt.datetime | None = None, max_body: int = 50 << 20) -> Capture | Gap:
    """The page behind a hit if it is evidence, else a gap that says what came instead; `max_body` in bytes. A fetcher that `judges` what it
    gives has done so."""
    try:
        found = await fetcher.fetch(hit.url, at=at)
    except SourceError as exc:
        return as_gap(hit.url, outcome_of(exc), str(exc) or type(exc).__name__, passing=isinstance(exc, SourceTimeout))
    if isinstance(found, Gap):
        return found
    gap = None if getattr(fetcher, "judges", False) else judge_capture(found, max_body)
    if gap:
        return gap
    return found if found.title or not hit.title else found.model_copy(update={"title": hit.title})


def outcome_of(error: SourceError) -> Outcome:
    """The outcome of a page whose fetch failed with `error`."""
    match error:
        case SourceRefused():
            return Outcome.REFUSED
        case SourceBroken():
            return Outcome.UNREADABLE
        case _:
            return Outcome.ERROR

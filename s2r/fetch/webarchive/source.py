"""Archived pages as a source of captures: the state of a page at or before a time, as early as the archive proves these bytes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from s2r.errors import S2RError, SourceBroken, SourceTimeout, SourceUnusable
from s2r.fetch.judge import as_gap, judge_capture
from s2r.fetch.live import DROPPED, lost_on_the_way
from s2r.fetch.magic import true_type
from s2r.fetch.webarchive.cdx import READABLE
from s2r.fetch.webarchive.client import Memento, WebArchive
from s2r.fetch.webarchive.errors import ArchiveBusy, NoCapture
from s2r.models import Capture, Gap, Outcome
from s2r.net import CoolingDown

_TRIES = 3  # captures that are played back in search of a readable one
_LATER = "Run the row again later."
_NONE_SET = "no web archive is set up", "Set S2R_WAYBACK_URL or S2R_MEMENTO_URL."


class ArchivedPages:
    """A `Fetcher` over web archives: each page as it was at or before a time. `by` (UTC) bounds all of its pages.

    A capture that cannot be had is a gap that says why; NOT_FOUND only when an archive itself says that it has none.
    """

    def __init__(self, archives: Sequence[WebArchive], by: dt.datetime | None = None) -> None:
        self._archives, self._by = tuple(archives), by

    @property
    def name(self) -> str:
        """Names of the archives."""
        return "+".join(archive.name for archive in self._archives)

    def until(self, by: dt.datetime) -> ArchivedPages:
        """The same source, bounded by a time."""
        return ArchivedPages(self._archives, by)

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The last readable capture of `url` at or before the bound (else `at`, UTC), with the time from which its bytes are proven."""
        by = self._by or at
        if by is None:
            raise ValueError("an archived page needs a time")
        return await self._one(url, by, newest=True)

    async def first(self, url: str, by: dt.datetime) -> Capture | Gap:
        """The earliest readable capture of `url` at or before `by` (UTC)."""
        return await self._one(url, by, newest=False)

    async def _one(self, url: str, by: dt.datetime, *, newest: bool) -> Capture | Gap:
        gap = as_gap(url, Outcome.NOT_FOUND, *_NONE_SET)
        for archive in self._archives:
            try:
                found: Memento | Gap | None = await _near(archive, url, by) if newest else None  # costs no request of the index
                if found is None or (isinstance(found, Memento) and _judged(archive, found, url) is not None):
                    found = await _listed(archive, url, by, newest=newest)  # which has the last word
                if isinstance(found, Memento):
                    return as_capture(archive, await _earliest(archive, found, url) if newest else found, url)
                gap = found
            except (S2RError, SourceUnusable) as exc:
                gap = gap_of(url, exc)
        return gap


async def _near(archive: WebArchive, url: str, by: dt.datetime) -> Memento | None:
    """What playback shows for `by`, or the capture before it when that is too young; None when neither is old enough."""
    try:
        found = await archive.play(url, by)
        if found.captured_at > by and (before := found.linked("prev")) and before.at and before.at <= by:
            found = await archive.play(url, before.at)
    except NoCapture:
        return None  # the index has the last word
    except SourceBroken:
        return None  # this one cannot be played back, others may
    return found if found.captured_at <= by else None


async def _listed(archive: WebArchive, url: str, by: dt.datetime, *, newest: bool) -> Memento | Gap:
    """The newest (or oldest) readable capture by `by` of those that the archive lists; raises what stood in the way of asking."""
    gap = as_gap(url, Outcome.NOT_FOUND, f"{archive.name} lists no readable capture on or before {by:%Y-%m-%d %H:%M} UTC")
    for at in (await _times(archive, url, by, newest=newest))[:_TRIES]:
        try:
            found = await archive.play(url, at)
        except (NoCapture, SourceBroken) as exc:  # listed, but it cannot be played back
            gap = as_gap(url, Outcome.UNREADABLE, f"the capture of {at:%Y-%m-%d %H:%M} UTC cannot be played back: {exc}", _LATER)
            continue
        if found.captured_at > by:
            gap = as_gap(url, Outcome.ERROR, f"{archive.name} plays {found.captured_at:%Y-%m-%d %H:%M} in place of {at:%Y-%m-%d %H:%M} UTC")
            continue
        judged = _judged(archive, found, url)
        if judged is None:
            return found
        gap = judged
    return gap


async def _times(archive: WebArchive, url: str, by: dt.datetime, *, newest: bool) -> list[dt.datetime]:
    """Times of captures at or before `by` that may be readable, those wanted first."""
    if archive.endpoints.cdx:
        count = 4 * _TRIES  # lines repeat, and differ in scheme and port
        limit = -count if newest else count
        found = await archive.captures(url, until=by, filters=(READABLE,), limit=limit, most=count, fast_latest=newest)
        times = {row.at for row in found.rows if row.at <= by}
    elif archive.endpoints.timemap:
        times = {at for at, _ in (await archive.timemap(url)).mementos if at <= by}
    else:
        times = set()
    return sorted(times, reverse=newest)


async def _earliest(archive: WebArchive, found: Memento, url: str) -> Memento:
    """The same bytes at an earlier time, when the first capture that the archive names has them already."""
    first = found.linked("first")
    if first is None or first.at is None or first.at >= found.first_at:
        return found
    try:
        early = await archive.play(url, first.at)
    except (S2RError, SourceUnusable):
        return found  # the later time is proven all the same
    same = (early.body, early.status) == (found.body, found.status)
    return early if same and early.captured_at < found.captured_at else found


def as_capture(archive: WebArchive, found: Memento, url: str) -> Capture:
    """A played capture as a `Capture` of `url`: its time is that of the capture, `final_url` the address that played it."""
    kind, sniffed = true_type(found.body, found.content_type)
    return Capture(
        url=url,
        final_url=found.address,
        content_type=kind,
        body=found.body,
        status=found.status,
        headers=tuple((name, value) for name, value in found.headers if name not in DROPPED),
        fetched_at=found.captured_at,
        via=archive.name,
        hops=found.hops,
        flags=(*(("neighbour",) if found.neighbour else ()), *(("sniffed",) if sniffed else ())),
    )


def gap_of(url: str, error: S2RError) -> Gap:
    """The gap of a page whose archive failed with `error`: not found only when the archive says so."""
    cause = str(error) or type(error).__name__
    match error:
        case NoCapture():
            return as_gap(url, Outcome.NOT_FOUND, cause)
        case ArchiveBusy() | CoolingDown():
            return as_gap(url, Outcome.BLOCKED, cause, _LATER, passing=True)
        case SourceBroken():
            return as_gap(url, Outcome.UNREADABLE, cause, _LATER, passing=True)
        case SourceTimeout() | SourceUnusable():
            return as_gap(url, Outcome.ERROR, cause, _LATER, passing=True)
        case _:
            return as_gap(url, Outcome.REFUSED, cause)


def _judged(archive: WebArchive, found: Memento, url: str) -> Gap | None:
    """What keeps a played capture from being evidence: an error page, a wall, or a way that ended elsewhere on the site."""
    capture = as_capture(archive, found, url)
    if found.original == url or not found.hops:
        return judge_capture(capture)
    return judge_capture(capture) or lost_on_the_way(capture.model_copy(update={"final_url": found.original}))

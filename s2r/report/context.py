"""Quotes in their context: each exhibit is opened again from the archive and read anew, as verification does."""

from __future__ import annotations

import datetime as dt
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from s2r.archive import Archive
from s2r.errors import IntegrityError, SourceBroken, StoreError
from s2r.extract import extract, extract_text
from s2r.models import Capture, Claim, Page
from s2r.report.inert import visible
from s2r.report.texts import say
from s2r.verify.quotes import find_quote

AROUND = 300  # characters of context on each side of a quote
KEPT_PAGES = 8  # pages of one record are mostly cited more than once


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A quote with what stands before and after it. `problem` says why there is no context or why the quote is not in it."""

    before: str = ""
    quote: str = ""
    after: str = ""
    cut_before: bool = False
    cut_after: bool = False
    start: int = -1
    end: int = -1
    captured: dt.datetime | None = None  # UTC
    title: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A page read anew from the archive; `problem` says why it could not be."""

    page: Page | None
    captured: dt.datetime | None = None
    problem: str = ""


class Exhibits:
    """The archive of a run, opened for reading; without one every excerpt says so. The last `kept` pages stay read; any thread may
    ask. `for_text`: of a page only text and title are asked for."""

    def __init__(self, root: Path, kept: int = KEPT_PAGES, *, for_text: bool = False) -> None:
        self._pages: OrderedDict[tuple[str, str], Opened] = OrderedDict()
        self._kept, self._for_text, self._mutex = kept, for_text, threading.Lock()
        self._problem = say("exhibit_no_archive")
        try:
            self._archive: Archive | None = Archive(root, read_only=True)
        except (StoreError, IntegrityError) as exc:
            self._archive, self._problem = None, exc.message

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None) -> None:
        if self._archive is not None:
            self._archive.close()

    @property
    def is_open(self) -> bool:
        """Whether there is an archive to read."""
        return self._archive is not None

    def excerpt(self, claim: Claim) -> Excerpt:
        """The quote of `claim` in its page, at its span, else wherever it stands."""
        opened = self.open(claim.exhibit, claim.url)
        if opened.page is None:
            return Excerpt(quote=claim.quote, captured=opened.captured, problem=say("exhibit_closed", cause=opened.problem))
        found = find_quote(claim, opened.page, {})
        if found is None:
            return Excerpt(quote=claim.quote, captured=opened.captured, title=opened.page.title, problem=say("quote_absent"))
        _, start, end = found
        text = opened.page.text
        low, high = _word_start(text, max(0, start - AROUND), start), _word_end(text, end, min(len(text), end + AROUND))
        return Excerpt(
            before=text[low:start],
            quote=text[start:end],
            after=text[end:high],
            cut_before=low > 0,
            cut_after=high < len(text),
            start=start,
            end=end,
            captured=opened.captured,
            title=opened.page.title,
        )

    def open(self, digest: str, url: str = "") -> Opened:
        """The page in an exhibit, read at most once while it is kept."""
        key = digest, url
        with self._mutex:
            if (known := self._pages.get(key)) is not None:
                self._pages.move_to_end(key)
                return known
        opened = self._read(digest, url)
        with self._mutex:
            self._pages[key] = opened
            while len(self._pages) > self._kept:
                self._pages.popitem(last=False)
        return opened

    def capture(self, digest: str, url: str = "") -> Capture:
        """The archived bytes; raises IntegrityError when they are not there or not as they were stored."""
        if self._archive is None:
            raise IntegrityError(self._problem, subject=digest)
        return self._archive.open(digest, url)

    def _read(self, digest: str, url: str) -> Opened:
        if self._archive is None:
            return Opened(None, problem=self._problem)
        try:
            capture = self._archive.open(digest, url)
        except (IntegrityError, StoreError) as exc:
            return Opened(None, problem=visible(exc.message))
        try:
            place, title = url or capture.url, capture.title
            if self._for_text:
                page = extract_text(capture.body, capture.content_type, place, digest=digest, title=title)
            else:
                page = extract(capture.body, capture.content_type, place, digest=digest, fallback_title=title)
        except SourceBroken as exc:
            return Opened(None, capture.fetched_at, visible(exc.message))
        return Opened(page, capture.fetched_at)


def _word_start(text: str, low: int, start: int) -> int:
    """Begin the context at a word, when one begins near."""
    if low == 0:
        return 0
    at = text.find(" ", low, min(low + 25, start))
    return low if at < 0 else at + 1


def _word_end(text: str, end: int, high: int) -> int:
    if high == len(text):
        return high
    at = text.rfind(" ", max(high - 25, end), high)
    return high if at < 0 else at

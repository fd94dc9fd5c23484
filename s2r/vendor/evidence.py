"""The archived pages of a run, opened anew: quotes found again to the letter, dates in their sentences, former names of an issuer."""

from __future__ import annotations

import datetime as dt
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from s2r import adjudicate
from s2r.archive import Archive
from s2r.errors import IntegrityError, SourceBroken, StoreError
from s2r.extract import extract
from s2r.lang.names import Strength, name_matcher
from s2r.lang.text import Folded, fold
from s2r.models import Claim, Listing, Page, Record
from s2r.policy import Policy
from s2r.vendor.names import says_former
from s2r.vendor.types import Quote
from s2r.verify.quotes import find_quote, is_whole

if TYPE_CHECKING:
    from s2r.adjudicate.rules.document import Document

KEPT_PAGES = 64
MOST = 400  # characters of a quote
BEFORE = 60  # characters before a day that are looked at


@dataclass(frozen=True, slots=True)
class Dating:
    """A day in a page: its kind, the sentence that holds it, and its folded words before the day."""

    kind: str
    quote: Quote
    before: str
    source_kind: str


class Evidence:
    """The archive of a run; a page that cannot be opened any more gives no quote."""

    def __init__(self, root: Path, policy: Policy) -> None:
        self._policy = policy
        self._pages: OrderedDict[str, Page | None] = OrderedDict()
        self._former: dict[tuple[str, str], Quote | None] = {}
        try:
            self._archive: Archive | None = Archive(root, read_only=True)
        except (StoreError, IntegrityError):
            self._archive = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None) -> None:
        if self._archive is not None:
            self._archive.close()

    def page(self, digest: str, url: str = "") -> Page | None:
        """The page of an exhibit, read from its archived bytes."""
        if digest not in self._pages:
            self._pages[digest] = self._read(digest, url)
            if len(self._pages) > KEPT_PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(digest)
        return self._pages[digest]

    def _read(self, digest: str, url: str) -> Page | None:
        if self._archive is None or not digest:
            return None
        try:
            capture = self._archive.open(digest, url)
            return extract(capture.body, capture.content_type, url or capture.url, digest=digest, fallback_title=capture.title)
        except (IntegrityError, StoreError, SourceBroken):
            return None

    def quote(self, about: str, text: str, digest: str, url: str, start: int = -1, end: int = -1) -> Quote:
        """A quote as it stands in the archive, with the place of its bytes; `match` is not_found when it does not stand there."""
        bare = Quote(about=about, text=text, url=url, exhibit=digest, match="not_found")
        page = self.page(digest, url)
        if page is None:
            return bare
        claim = Claim(field=about, value="", quote=text, exhibit=digest, url=url, start=start, end=end)
        cache: dict[str, Folded] = {}
        found = find_quote(claim, page, cache)
        if found is None:
            return bare
        match, low, high = found
        at = self._archive.exhibit(digest) if self._archive is not None else None
        return bare.model_copy(
            update={
                "text": page.text[low:high], "start": low, "end": high, "match": str(match),
                "warc": at.warc if at else "", "offset": at.offset if at else -1,
            }
        )  # fmt: skip

    def claim(self, claim: Claim) -> Quote:
        """The quote of a claim of the record."""
        return self.quote(claim.field, claim.quote, claim.exhibit, claim.url, claim.start, claim.end)

    def span(self, about: str, digest: str, url: str, start: int, end: int) -> Quote | None:
        """A quote cut from a page at whole words, at most MOST characters long."""
        page = self.page(digest, url)
        if page is None or not 0 <= start < end <= len(page.text):
            return None
        text = page.text
        if end - start > MOST:
            end = start + MOST
        while end > start and not is_whole(text, start, end):
            end -= 1
        return self.quote(about, text[start:end].strip(), digest, url, start, end) if text[start:end].strip() else None

    def documents(self, record: Record) -> Iterator[Document]:
        """All pages that were read for a record and name its listing, as the rules read them."""
        for digest in record.coverage.exhibits:
            page = self.page(digest)
            if page is not None and adjudicate.names_listing(record.listing, page):
                yield adjudicate.read_document(page, record.listing, self._policy)

    def datings(self, record: Record, day: dt.date) -> Iterator[Dating]:
        """Sentences of the pages of a record that hold a day."""
        for doc in self.documents(record):
            for dated in doc.dates:
                if dated.day == day and (quote := self._sentence(doc, dated.mention.start)) is not None:
                    before = doc.page.text[max(quote.start, dated.mention.start - BEFORE) : dated.mention.start]
                    yield Dating(dated.kind.value, quote, fold(before).text, doc.source_kind)

    def dated_line(self, digest: str, url: str, day: dt.date) -> Quote | None:
        """The line of a page that gives it this date (a date line, a header, a table of facts)."""
        page = self.page(digest, url)
        claim = next((c for c in page.claims if c.value == day.isoformat() and 0 <= c.start < c.end), None) if page is not None else None
        if page is None or claim is None:
            return None
        low, high = page.text.rfind("\n", 0, claim.start) + 1, page.text.find("\n", claim.end)
        high = len(page.text) if high < 0 else high
        if claim.start - low > MOST // 2:
            low = claim.start
        return self.span("vendor date", digest, url, low, min(high, low + MOST))

    def days_in(self, record: Record, digest: str, start: int, end: int) -> list[dt.date]:
        """Days that a passage of a page states."""
        page = self.page(digest)
        if page is None:
            return []
        dates = adjudicate.read_document(page, record.listing, self._policy).dates_in(start, end)
        return [dated.day for dated in dates if dated.day is not None]

    def _sentence(self, doc: Document, at: int) -> Quote | None:
        unit = next((u for u in doc.units if u.start <= at < u.end), None)
        if unit is None:
            return None
        start = unit.start if unit.end - unit.start <= MOST else max(unit.start, at - MOST // 2)
        while start < at and not is_whole(doc.page.text, start, at):
            start += 1
        return self.span("date", doc.page.digest, doc.page.url, start, unit.end)

    def former_name(self, record: Record, name: str) -> Quote | None:
        """The words of a page of the record that call `name` a former name of its issuer."""
        key = record.row_id, name
        if key not in self._former:
            self._former[key] = self._find_former(record.listing, record.coverage.exhibits, name)
        return self._former[key]

    def _find_former(self, listing: Listing, digests: tuple[str, ...], name: str) -> Quote | None:
        if not name.strip():
            return None
        matcher = name_matcher(name)
        for digest in digests:
            page = self.page(digest)
            if page is None or not adjudicate.names_listing(listing, page):
                continue
            for mention in matcher.find(page.text):
                if mention.strength in (Strength.FULL, Strength.CORE) and says_former(page.text, mention.start, mention.end):
                    return self.span("former name", digest, page.url, _line_start(page.text, mention.start), mention.end)
        return None


def _line_start(text: str, at: int) -> int:
    """The start of the line or sentence before `at`, at most 120 characters back."""
    low = max(0, at - 120)
    cut = max(text.rfind("\n", low, at), text.rfind(". ", low, at) + 1, low)
    return cut + 1 if cut > low and cut < at else low

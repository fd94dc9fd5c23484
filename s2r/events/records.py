"""What s2r itself knows as tuples: records of a run folder, and events stated in the pages of its archive."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from s2r.archive import Archive
from s2r.errors import InputError, IntegrityError, SourceBroken
from s2r.events.extract import Article
from s2r.events.tuples import EventTuple, Evidence
from s2r.extract import extract
from s2r.models import Page, Record, Route, Status
from s2r.models.evidence import Exhibit, Precision
from s2r.models.listing import Listing
from s2r.policy.event_types import EventTypes
from s2r.store import Store

US = frozenset({"XNYS", "XNAS", "XNGS", "XNMS", "XNCM", "XASE", "ARCX", "BATS", "OTCM"})  # venues whose tickers stand alone
ENGLISH = ("", "en")
FIELDS = {  # of an article, by the names under which files have them; the last that is there counts
    "title": ("article_title", "title"),
    "date": ("article_date", "date"),
    "text": ("cited_sentence", "body", "text"),
    "url": ("article_url", "url"),
}
LEAST = 40  # characters of a block that may state an event
NO_DATE = ("capture", "text", "http:last-modified", "pdf:modified")  # origins that do not tell when a page was written


def is_run(path: Path) -> bool:
    """Whether `path` is the folder of a run."""
    return (path / "s2r.db").is_file()


def record_tuples(run: Path, kinds: EventTypes, routes: Collection[Route] = (Route.ACCEPT,)) -> Iterator[EventTuple]:
    """Events of the positive records of a run that went one of `routes`, with the quotes that prove them; raises InputError, StoreError."""
    if not is_run(run):
        raise InputError("is no run folder (no s2r.db in it)", subject=str(run), advice="Give the --out folder of an audit.")
    with Store(run / "s2r.db", read_only=True) as store:
        for record in store.records():
            kind = kinds.find(record.event_type)
            if record.status is Status.YES and record.announcement_date and record.route in routes and kind:
                yield _record_tuple(record, kind, kinds)


def _record_tuple(record: Record, kind: str, kinds: EventTypes) -> EventTuple:
    spellings = tuple(_spellings(record.listing))
    reasons = kinds[kind].attributes.get("reason", {})
    return EventTuple(
        firm=spellings[0],
        event_type=kind,
        anchor_date=str(record.announcement_date),
        attributes={"reason": record.reason} if record.reason in reasons else {},
        names=spellings[1:],
        evidence=tuple(
            Evidence(url=claim.url, exhibit=claim.exhibit, quote=claim.quote, start=claim.start, end=claim.end) for claim in record.claims
        ),
    )


def _spellings(listing: Listing) -> Iterator[str]:
    """How a listing's issuer may be called, the surest first: LEI, CIK, ISIN, name, ticker; a ticker outside the US with its venue."""
    for kind in ("lei", "cik", "isin"):
        if value := getattr(listing, kind):
            yield f"{kind}:{value}"
    yield listing.issuer
    if listing.ticker and listing.mic:
        yield listing.ticker if listing.mic in US else f"{listing.ticker}.{listing.mic}"


def page_articles(run: Path) -> Iterator[Article]:
    """The main blocks of the English pages of an archive as articles; pages that cannot be read give none."""
    with Archive(run, read_only=True) as archive:
        for exhibit in archive.exhibits():
            page = read_page(archive, exhibit)
            if page is not None and page.lang.split("-")[0] in ENGLISH:
                yield from articles_of(page)


def read_page(archive: Archive, exhibit: Exhibit) -> Page | None:
    """The page of an exhibit, None when it is damaged or no page."""
    try:
        capture = archive.open(exhibit.digest, exhibit.url)
        return extract(capture.body, capture.content_type, capture.url, digest=exhibit.digest, fallback_title=capture.title)
    except (IntegrityError, SourceBroken):
        return None


def articles_of(page: Page) -> Iterator[Article]:
    """The main blocks of a page, each with its offset in the page's text."""
    days = (claim.value for claim in page.claims if claim.precision is Precision.DAY and claim.origin not in NO_DATE and not claim.flags)
    day = next((dt.date.fromisoformat(value) for value in days if value), None)
    for block in page.blocks:
        if block.main and block.end - block.start > LEAST:
            text = page.text[block.start : block.end]
            yield Article(title=page.title, date=day, text=text, url=page.url, exhibit=page.digest, offset=block.start)


def file_articles(rows: Iterable[tuple[int, dict[str, object]]]) -> Iterator[Article]:
    """Articles given as rows with title, date, text and url; raises InputError for a row without text."""
    for number, row in rows:
        try:
            known = {field: row[name] for field, names in FIELDS.items() for name in names if row.get(name) is not None}
            yield Article.model_validate({"title": "", "date": None} | known, strict=False)
        except ValueError as exc:
            raise InputError(f"row {number} is no article: {exc}", advice="Give title, date (YYYY-MM-DD), text and url.") from exc

"""Records for the tests of the report: made by hand, quoting pages that lie in a real archive."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from collections.abc import Iterable
from pathlib import Path

from s2r.archive import Archive
from s2r.extract import extract
from s2r.models import (
    Capture,
    Check,
    Claim,
    Coverage,
    Gap,
    LaterEvent,
    Listing,
    Outcome,
    Package,
    Record,
    Route,
    Status,
    TimelinePoint,
    Usage,
)

CUTOFF = dt.date(2020, 12, 31)
FETCHED = dt.datetime(2021, 1, 5, 9, 30, tzinfo=dt.UTC)
NOTICE = """<!doctype html><html lang="en"><head><title>Notice 2016/17</title></head><body><main><h1>Cancellation of listing</h1>
<p>Bristol, 21 January 2016</p><p>The Exchange has today decided to remove the ordinary shares of Marrow &amp; Vale plc from the
official list, as the price stayed below the limit of rule 8.2.</p><p>Trading ends on 28 January 2016.</p></main></body></html>"""


def digest_of(body: bytes) -> str:
    """The digest under which the archive keeps a body."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


def archived(root: Path, pages: Iterable[tuple[str, str, str]]) -> dict[str, tuple[str, str]]:
    """Archive (url, content type, body) below `root`; return digest and page text by URL."""
    kept: dict[str, tuple[str, str]] = {}
    with Archive(root) as archive:
        for url, kind, text in pages:
            body = text.encode("utf-8", "surrogatepass")
            exhibit = archive.put(Capture(url=url, final_url=url, content_type=kind, body=body, fetched_at=FETCHED))
            kept[url] = (exhibit.digest, extract(body, kind, url, digest=exhibit.digest).text)
    return kept


def quoted(field: str, value: str, quote: str, url: str, digest: str, text: str) -> Claim:
    """A claim whose quote stands in `text`."""
    start = text.index(quote)
    return Claim(
        field=field, value=value, quote=quote, exhibit=digest, url=url, start=start, end=start + len(quote), match="exact", check="pass"
    )


def listing(number: int, **change: object) -> Listing:
    """A listing with a row id made from `number`."""
    fields: dict[str, object] = {
        "row_id": f"R-{number:04d}",
        "row_number": number + 1,
        "issuer": "Marrow & Vale plc",
        "security": "Ordinary shares of 10p",
        "ticker": "MVL",
        "mic": "XLON",
        "country": "GB",
        "cutoff": CUTOFF,
    }
    return Listing.model_validate(fields | change)


def record(number: int = 1, *, of: Listing | None = None, **change: object) -> Record:
    """A record answered no and accepted, with the given changes."""
    subject = of or listing(number)
    fields: dict[str, object] = {
        "row_id": subject.row_id,
        "listing": subject,
        "event_type": "delisting",
        "cutoff": subject.cutoff,
        "status": Status.NO,
        "confidence": 0.85,
        "route": Route.ACCEPT,
        "route_reasons": ("Nothing was found, and enough was searched.",),
        "package": Package.PASS,
        "coverage": Coverage(queries=("Marrow & Vale delisting",), providers={"pool": "answered"}, pages_read=5, sufficient=True),
        "usage": Usage(searches=3, pages=5),
        "policy": "delisting@1#0123",
    }
    return Record.model_validate(fields | change)


def random_records(count: int, seed: int) -> list[Record]:
    """Records of all answers, routes, packages, markets and years, without exhibits."""
    dice = random.Random(seed)
    return [_random_record(number, dice) for number in range(count)]


def _random_record(number: int, dice: random.Random) -> Record:
    status = dice.choice(list(Status))
    yes = status is Status.YES
    mic = dice.choice(["XLON", "XNYS", "XTKS", "XHKG", "", *(f"X{k:03d}" for k in range(30))])
    gap = Gap(url="https://gone.example/", step="fetch", outcome=Outcome.NOT_FOUND, cause="404")
    claim = Claim(field="status", value="yes", quote="removed", exhibit="sha256:00", url="https://gone.example/", start=3, end=10)
    return record(
        of=listing(number, mic=mic, cutoff=CUTOFF - dt.timedelta(days=dice.randrange(900))),
        status=status,
        announcement_date=dt.date(dice.randrange(2009, 2021), dice.randrange(1, 13), 5) if yes and dice.random() < 0.9 else None,
        reason=dice.choice(["voluntary", "noncompliance", None]) if yes else None,
        route=dice.choice(list(Route)),
        route_reasons=tuple(dice.sample(["Sources contradict each other.", "No risk model is fitted.", "Too little was read."], 2)),
        package=dice.choice(list(Package)),
        confidence=round(dice.random(), 2),
        claims=tuple(claim.model_copy(update={"match": m}) for m in dice.sample(["exact", "normalised", "not_found"], dice.randrange(3))),
        checks=(Check(name="quotes", field="status", outcome="fail", sentence="It does not stand there."),),
        conflicts=("The document itself also carries 2017-07-24.",) if dice.random() < 0.3 else (),
        later_event=LaterEvent(date="2022-08-19", exhibit="sha256:00", quote="removed") if dice.random() < 0.2 else None,
        coverage=Coverage(
            pages_read=dice.choice([0, 1, 2, 3, 4, 7, 12, 30, 80]), gaps=(gap,) * dice.randrange(3), sufficient=dice.random() < 0.5
        ),
        usage=Usage(searches=dice.randrange(20)),
        cost_usd=dice.choice([0.0, 0.01, 0.25, None]),
        error="ValueError: no (x.py:3)" if dice.random() < 0.1 else None,
        timeline=tuple(_random_point(dice) for _ in range(dice.randrange(14))),
    )


def _random_point(dice: random.Random) -> TimelinePoint:
    day = dt.date(2008, 1, 1) + dt.timedelta(days=dice.randrange(6000))
    return point(
        day.isoformat(),
        kind=dice.choice(["published", "announcement", "effective", "last_trading", "other", "brand_new_kind"]),
        source_kind=dice.choice(["exchange", "issuer", "press", ""]),
        after_cutoff=day > CUTOFF,
    )


def point(date: str, **change: object) -> TimelinePoint:
    """A dated statement."""
    fields: dict[str, object] = {
        "date": date,
        "kind": "published",
        "stage": "decision",
        "source_kind": "exchange",
        "url": "https://exchange.example/n/1",
        "digest": "sha256:00",
        "quote": "The Exchange has today decided to remove the shares.",
    }
    return TimelinePoint.model_validate(fields | change)

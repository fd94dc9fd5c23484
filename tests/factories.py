"""One-line builders of records, and a small world: listings and the pages of their pool."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from s2r.models import Capture, Claim, Finding, Listing, Modality, Page, Record, Stage, Status, Verdict
from s2r.settings import Settings

CUTOFF = dt.date(2020, 12, 31)
FIELDS = ("row_id", "issuer", "security", "security_type", "ticker", "mic", "venue", "country", "isin", "lei", "cik", "cutoff")
PLACES = ("Alderwick", "Brantholm", "Corriemoor", "Dunvegar", "Eastrigg", "Farlington", "Glenharrow", "Hexstowe", "Inverkyle",
          "Jarrowdene", "Kilbrannoch", "Larkbeare", "Mossvale", "Netherbyre", "Oakhampstead", "Pendruth")  # fmt: skip
TRADES = ("Instruments", "Shipping", "Biologics", "Ceramics")


def digest(text: str | bytes) -> str:
    """Content digest as records use it."""
    return "sha256:" + hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def listing(number: int = 0, **fields: object) -> Listing:
    """Listing number `number` of the small world, or another one by `fields`."""
    name = f"{PLACES[number % 16]} {TRADES[(number + number // 16) % 4]} Inc."
    given: dict[str, object] = {
        "row_id": f"T-{number + 1:02d}",
        "issuer": name,
        "security": "Common Stock, par value $0.01 per share",
        "security_type": "common",
        "ticker": f"{name[:3].upper()}Q",
        "mic": "XNAS",
        "venue": "The Nasdaq Stock Market",
        "country": "US",
        "cutoff": CUTOFF,
    }
    return Listing.model_validate(given | fields)


def page(text: str, url: str = "https://wire.example/news/1", **fields: object) -> Page:
    """A page with this text."""
    return Page.model_validate({"digest": digest(text), "url": url, "text": text, "lang": "en"} | fields)


def capture(body: bytes | str, url: str = "https://wire.example/news/1", **fields: object) -> Capture:
    """A capture of a body, fetched at noon on 2 February 2021 (UTC)."""
    given: dict[str, object] = {
        "url": url,
        "final_url": url,
        "content_type": "text/html; charset=utf-8",
        "body": body.encode() if isinstance(body, str) else body,
        "fetched_at": dt.datetime(2021, 2, 2, 12, tzinfo=dt.UTC),
    }
    return Capture.model_validate(given | fields)


def claim(page: Page, quote: str, field: str = "status", value: str = "yes", **fields: object) -> Claim:
    """A claim with this quote of a page, at its first place there (-1 when it is not there)."""
    at = page.text.find(quote)
    given = {"field": field, "value": value, "quote": quote, "exhibit": page.digest, "url": page.url}
    return Claim.model_validate(given | {"start": at, "end": at + len(quote) if at >= 0 else -1} | fields)


def finding(page: Page, sentence: str, **fields: object) -> Finding:
    """A qualifying, dated finding about the target at this sentence of a page."""
    at = page.text.find(sentence)
    given: dict[str, object] = {
        "digest": page.digest, "url": page.url, "start": at, "end": at + len(sentence), "sentence": sentence, "stage": Stage.DECISION,
        "modality": Modality.ASSERTED, "target": "this", "rule": "test", "date": "2018-05-22", "source_kind": "wire", "qualifies": True,
    }  # fmt: skip
    return Finding.model_validate(given | fields)


def verdict(status: Status = Status.YES, **fields: object) -> Verdict:
    """A verdict with confidence 0.9."""
    return Verdict.model_validate({"status": status, "confidence": 0.9} | fields)


def record(row: Listing | None = None, **fields: object) -> Record:
    """A record of a listing: `no`, unless told otherwise."""
    row = row or listing()
    given: dict[str, object] = {"row_id": row.row_id, "listing": row, "event_type": "delisting", "cutoff": row.cutoff, "status": Status.NO}
    return Record.model_validate(given | {"run_id": "r-test"} | fields)


def settings(**fields: object) -> Settings:
    """Settings with two workers."""
    return Settings.model_validate({"workers": 2} | fields)


def world(rows: int) -> tuple[list[Listing], list[dict[str, object]]]:
    """The first `rows` listings of the small world and the pages of its pool: of every three listings one leaves of its own
    will, one is only warned, one is bought."""
    listings, pages = [], []
    for number in range(rows):
        row = listing(number)
        listings.append(row)
        pages += _pages(number, row)
    return listings, pages


def _pages(number: int, row: Listing) -> list[dict[str, object]]:
    name, slug, day = row.issuer, row.issuer.split()[0].lower(), 3 + number
    day = 1 + day % 28
    wire, issuer = f"https://wire.example/2019/{number}-{slug}", f"https://{slug}-{number}.example/investors"
    about = f"<p>{name} (Nasdaq: {row.ticker}) makes goods for customers in forty countries.</p>"
    results = _html(
        f"{name} results", f"CHICAGO, February {day}, 2019", f"{name} today reported revenue of ${40 + number}.2 million.", about
    )
    if number % 3 == 0:
        text = (
            f"The board of directors of {name} has decided to voluntarily delist its common stock from The Nasdaq Stock Market. "
            "The company notified the exchange today of its decision and will file a Form 25 on or about the tenth day after this notice. "
            "The directors cited the cost of remaining listed."
        )
        event = _html(f"{name} announces voluntary delisting from Nasdaq", f"CHICAGO, May {day}, 2019", text, about)
    elif number % 3 == 1:
        text = (
            f"{name} received a letter from the Nasdaq Listing Qualifications staff that the bid price of its common stock was below "
            "$1.00 for thirty business days. The notice has no immediate effect on the listing. The company has 180 days to regain "
            "compliance."
        )
        event = _html(f"{name} receives Nasdaq deficiency notice", f"CHICAGO, May {day}, 2019", text, about)
    else:
        text = (
            f"Tarnbrook Holdings LLC today completed its acquisition of {name}. As a result of the merger the common stock of {name} "
            "has been delisted from The Nasdaq Stock Market, and trading ended before the market opened today."
        )
        event = _html(f"Tarnbrook completes acquisition of {name}", f"NEW YORK, May {day}, 2019", text, about)
    return [
        {"url": f"{wire}-event", "title": "", "content_type": "text/html", "body": event},
        {"url": f"{issuer}/results.html", "title": f"{name} results", "content_type": "text/html", "body": results},
    ]


def _html(title: str, dateline: str, text: str, rest: str) -> str:
    return f'<html lang="en"><head><title>{title}</title></head><body><h1>{title}</h1><p>{dateline} -- {text}</p>{rest}</body></html>'


def write_pool(path: Path, lines: Iterable[Mapping[str, object] | str]) -> Path:
    """A pool of JSON lines; text is written as it is."""
    rows = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8", errors="surrogatepass")
    return path


def write_universe(path: Path, rows: Sequence[Listing]) -> Path:
    """A universe file of these listings, with their carried-through columns."""
    extra = sorted({name for row in rows for name in row.extra})
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([*FIELDS, *extra])
        for row in rows:
            writer.writerow([*(str(getattr(row, field)) for field in FIELDS), *(row.extra.get(name, "") for name in extra)])
    return path


def write_world(folder: Path, rows: int) -> tuple[Path, Path]:
    """Universe and pool file of the small world in `folder`."""
    listings, pages = world(rows)
    return write_universe(folder / "universe.csv", listings), write_pool(folder / "pool.jsonl", pages)


def pdf(text: str, *, password: str = "") -> bytes:
    """A PDF with `text` ("" = only a drawn line), encrypted with a password if one is given."""
    encrypted = StandardEncryption(password, ownerPassword="owner", strength=128) if password else None
    made = io.BytesIO()
    canvas = Canvas(made, encrypt=encrypted)
    canvas.setFont("Helvetica", 12)
    if text:
        lines = canvas.beginText(40, 780)
        lines.textLines(textwrap.wrap(text, 80))
        canvas.drawText(lines)
    else:
        canvas.line(10, 10, 100, 100)
    canvas.save()
    return made.getvalue()

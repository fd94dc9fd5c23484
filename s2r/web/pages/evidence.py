"""Evidence: archived pages shown inert, their text, their original bytes, and what models were asked and answered."""

from __future__ import annotations

import json
import re
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from s2r.access import Role
from s2r.lang.dates import read_dates
from s2r.report.context import Exhibits
from s2r.report.inert import visible
from s2r.web.evidence import KEPT_PAGES, answer_text, documents, exchange_of, layout, panel, spots
from s2r.web.guard import needs
from s2r.web.inert import PAGE_CSP, document
from s2r.web.pages.bench import BenchDep, record_of
from s2r.web.pages.route import PageRoute
from s2r.web.problems import Problem
from s2r.web.render import moment, page, theme_of
from s2r.web.words import say

router = APIRouter(route_class=PageRoute, dependencies=[Depends(needs(Role.VIEWER))], include_in_schema=False)
BYTES_CSP = "default-src 'none'; sandbox"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_SUFFIX = {"text/html": ".html", "application/pdf": ".pdf", "text/plain": ".txt", "application/json": ".json", "text/xml": ".xml"}


def exhibits_of(request: Request) -> Exhibits:
    """The archive of the service's folder; it is opened anew while there is none."""
    kept = getattr(request.app.state, "exhibits", None)
    if isinstance(kept, Exhibits) and kept.is_open:
        return kept
    opened = Exhibits(request.app.state.desk.out, kept=KEPT_PAGES)
    request.app.state.exhibits = opened
    return opened


ExhibitsDep = Annotated[Exhibits, Depends(exhibits_of)]


def digest_of(digest: str) -> str:
    """A digest from an address; raises Problem 404 for anything else."""
    if not _DIGEST.match(digest):
        raise Problem(404, "That is no digest of an archived page.", "Follow the link of a record.")
    return digest


@router.get("/evidence/page")
def archived_page(request: Request, bench: BenchDep, exhibits: ExhibitsDep, row: str, exhibit: str) -> HTMLResponse:
    """The layout of an archived page, inert and under a policy of its own; #claim-1 is where the first proof stands."""
    record = record_of(bench, row)
    digest = digest_of(exhibit)
    shown, found = layout(exhibits, record, digest)
    opened = exhibits.open(digest, documents(record).get(digest, ""))
    about = Markup("{} · {} UTC").format(visible(found.url), moment(opened.captured))
    if opened.page and {spot.number for spot in spots(record, digest, opened.page)} - shown.marked:
        about += Markup("<p>{}</p>").format(say("row.not_marked"))
    text = document(shown.markup, title=found.title or found.url, lang=found.lang, about=about, theme=theme_of(request))
    headers = {"Content-Security-Policy": PAGE_CSP, "Cache-Control": "private, max-age=300", "Referrer-Policy": "no-referrer"}
    return HTMLResponse(text, headers=headers)


@router.get("/evidence/text")
def archived_text(request: Request, bench: BenchDep, exhibits: ExhibitsDep, row: str, exhibit: str, claim: int = 0) -> HTMLResponse:
    """The whole text of an archived page in a window of its own."""
    record = record_of(bench, row)
    shown = panel(exhibits, record, digest_of(exhibit), claim, around=10**9)
    return page(request, "text.html.j2", row=row, record=record, panel=shown)


@router.get("/evidence/panel")
def evidence_panel(
    request: Request, bench: BenchDep, exhibits: ExhibitsDep, row: str, exhibit: str, claim: int = 0, view: str = "text"
) -> HTMLResponse:
    """The panel beside a record, as a piece of a page."""
    record = record_of(bench, row)
    shown = panel(exhibits, record, digest_of(exhibit), claim)
    return page(request, "panel.html.j2", row=row, panel=shown, view="page" if view == "page" else "text")


@router.get("/evidence/original")
def original_bytes(bench: BenchDep, exhibits: ExhibitsDep, row: str, exhibit: str) -> Response:
    """The archived bytes as they came, as a download that no browser opens by itself."""
    digest = digest_of(exhibit)
    capture = exhibits.capture(digest, documents(record_of(bench, row)).get(digest, ""))
    kind = capture.content_type.partition(";")[0].strip().lower()
    name = _file_name(capture.url, digest) + _SUFFIX.get(kind, ".bin")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Security-Policy": BYTES_CSP}
    return Response(capture.body, media_type="application/octet-stream", headers=headers)


def _file_name(url: str, digest: str) -> str:
    """A plain file name: host and the end of the digest."""
    try:
        host = urlsplit(url).hostname or "page"
    except ValueError:
        host = "page"
    return f"{_NAME.sub('-', host)[:60].strip('-.') or 'page'}-{digest[-12:]}"


@router.get("/evidence/dates")
def dates_of(request: Request, bench: BenchDep, exhibits: ExhibitsDep, row: str, exhibit: str, start: int, end: int) -> HTMLResponse:
    """The days that a selected sentence names, as offers for the date of a correction."""
    record = record_of(bench, row)
    opened = exhibits.open(digest_of(exhibit), documents(record).get(exhibit, ""))
    text = opened.page.text[max(start, 0) : max(end, 0)] if opened.page else ""
    lang = opened.page.lang if opened.page else ""
    days = list(dict.fromkeys(d.day for d in read_dates(text[:4000], lang=lang, country=record.listing.country) if d.day is not None))
    return page(request, "dates.html.j2", days=days)


@router.get("/evidence/exchange")
def exchange(request: Request, bench: BenchDep, row: str, digest: str) -> HTMLResponse:
    """What was sent to a model about a row and what it answered, as it was archived."""
    record = record_of(bench, row)
    found = exchange_of(bench.out / "archive", record, digest)
    if found is None:
        raise Problem(404, "No model was asked in this exchange about this row.", "Follow the link of a record.")
    asked, answer = _pretty(found.request), _pretty(answer_text(found))
    return page(request, "exchange.html.j2", row=row, record=record, found=found, asked=asked, answer=answer)


def _pretty(text: str) -> str:
    """JSON with one value a line, other text as it is."""
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    except ValueError:
        return text

"""Evidence of a record: its claims with the quotes, the documents behind it, their archived text and their original bytes."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel
from starlette.responses import Response

from s2r.access import Role
from s2r.models import Claim, Coverage, TimelinePoint
from s2r.web.evidence import answer_text, documents, exchange_of
from s2r.web.guard import DeskDep, StoreDep, needs
from s2r.web.pages.evidence import BYTES_CSP, ExhibitsDep
from s2r.web.paging import BIGGEST, Digest, RowId
from s2r.web.problems import Problem, problems

router = APIRouter(tags=["evidence"], dependencies=[Depends(needs(Role.VIEWER))])
MOST_TEXT = 200_000  # characters of a page in one answer


class DocumentLine(BaseModel):
    """A document that a record rests on or has a statement of; `url` is "" where the record only says that it was read."""

    exhibit: str
    url: str
    quoted: bool


class EvidenceOf(BaseModel):
    """What a record rests on. `claims` are its proofs, with offsets into the text of the exhibit; `timeline` all dated statements."""

    row_id: str
    claims: list[Claim]
    documents: list[DocumentLine]
    timeline: list[TimelinePoint]
    conflicts: list[str]
    coverage: Coverage


class ExchangeOf(BaseModel):
    """One exchange with a model, without keys. `status` 0: no answer came, for the reason in `cause`."""

    at: dt.datetime
    row_id: str
    role: str
    provider: str
    model: str
    purpose: str
    request: str
    status: int
    answer: str
    cause: str


class TextOf(BaseModel):
    """Text of an archived page, extracted anew from its bytes: characters [start, start + len(text)) of `length`."""

    exhibit: str
    url: str
    title: str
    lang: str
    captured_at: dt.datetime | None
    text: str
    start: int
    length: int


@router.get("/record/evidence", summary="Evidence of a record", responses=problems(404))
def evidence(store: StoreDep, row_id: RowId) -> EvidenceOf:
    """Claims with their quotes, documents, timeline, conflicts and coverage of the current record of a row."""
    record = store.current(row_id)
    if record is None:
        raise Problem(404, f"There is no row {row_id}.", "GET /api/v1/records lists all.")
    quoted = {claim.exhibit for claim in record.claims}
    found = [DocumentLine(exhibit=digest, url=url, quoted=digest in quoted) for digest, url in documents(record).items() if digest]
    return EvidenceOf(
        row_id=row_id, claims=list(record.claims), documents=found, timeline=list(record.timeline), conflicts=list(record.conflicts),
        coverage=record.coverage,
    )  # fmt: skip


@router.get("/record/exchange", summary="Raw exchange with a model", responses=problems(404, 410))
def exchange(store: StoreDep, desk: DeskDep, row_id: RowId, digest: Annotated[str, Query(pattern="^[0-9a-f]{64}$")]) -> ExchangeOf:
    """What was sent to a model about a row and what it answered, as archived; the opinions of the record name its digests."""
    record = store.current(row_id)
    found = exchange_of(desk.out / "archive", record, digest) if record else None
    if found is None:
        raise Problem(404, "No model was asked in this exchange about this row.", "GET /api/v1/record lists the exchanges of each opinion.")
    return ExchangeOf(answer=answer_text(found), **found.model_dump(include=set(ExchangeOf.model_fields) - {"answer"}))


@router.get("/exhibits/{digest}/text", summary="Archived text", responses=problems(404))
def archived_text(
    exhibits: ExhibitsDep,
    digest: Digest,
    start: Annotated[int, Query(ge=0, le=BIGGEST)] = 0,
    length: Annotated[int, Query(ge=1, le=MOST_TEXT)] = MOST_TEXT,
) -> TextOf:
    """The text of an archived page, in which the offsets of claims count."""
    opened = exhibits.open(digest)
    if opened.page is None:
        raise Problem(404, f"{digest} is not in the archive, or cannot be read: {opened.problem}", "`s2r verify` lists all damage.")
    page = opened.page
    return TextOf(
        exhibit=digest, url=page.url, title=page.title, lang=page.lang, captured_at=opened.captured, text=page.text[start : start + length],
        start=start, length=len(page.text),
    )  # fmt: skip


@router.get(
    "/exhibits/{digest}/original",
    summary="Original bytes",
    response_class=Response,
    responses=problems(404) | {200: {"content": {"application/octet-stream": {}}, "description": "The bytes as they came."}},
)
def original(exhibits: ExhibitsDep, digest: Digest) -> Response:
    """The archived bytes as they came, as a download that no browser opens by itself; the type they came with is in X-Archived-Type."""
    if exhibits.open(digest).captured is None:
        raise Problem(404, f"{digest} is not in the archive.", "GET /api/v1/record/evidence lists the documents of a record.")
    capture = exhibits.capture(digest)
    kind = "".join(c for c in capture.content_type if c.isascii() and c.isprintable())[:200]
    headers = {
        "Content-Disposition": f'attachment; filename="{digest.partition(":")[2]}.bin"',
        "Content-Security-Policy": BYTES_CSP,
        "X-Archived-Type": kind,
    }
    return Response(capture.body, media_type="application/octet-stream", headers=headers)

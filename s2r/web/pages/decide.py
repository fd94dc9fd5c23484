"""Decisions: what the form of a row sends, and undo."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, Form, Request
from pydantic import BaseModel
from starlette.responses import Response

from s2r.access import Role, User
from s2r.models import Claim, Status
from s2r.report.context import Exhibits
from s2r.reviews import BadDecision, Decision, Evidence, Kind, ReviewError, decide, fetch_page, undo
from s2r.verify.quotes import find_quote
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import BenchDep, record_of
from s2r.web.pages.evidence import ExhibitsDep
from s2r.web.pages.queue import next_row, to_row
from s2r.web.pages.route import PageRoute
from s2r.web.pages.row import KINDS, Chosen, DecisionForm, shown
from s2r.web.pages.said import Said
from s2r.web.words import say

router = APIRouter(route_class=PageRoute, include_in_schema=False)
Reviewer = Annotated[User, Depends(needs(Role.REVIEWER))]
Text = Annotated[str, Form()]
_SPAN = re.compile(r"(sha256:[0-9a-f]{64})\|(\d{1,9})\|(\d{1,9})\Z")


class Sent(BaseModel):
    """The fields of the form. `evidence` are selected sentences as "exhibit|start|end", `proves` the fields that they prove."""

    id: str
    kind: str = ""
    seen: int
    lease: str = ""
    key: str = ""
    seconds: str = ""
    q: str = ""
    note: str = ""
    status: str = ""
    announcement_date: str = ""
    reason: str = ""
    disclosure_type: str = ""
    evidence: tuple[str, ...] = ()
    proves: tuple[str, ...] = ()
    quote: str = ""
    quote_exhibit: str = ""
    url: str = ""
    next: str = ""
    reason_code_confirm: str = ""
    reason_code_correct: str = ""
    reason_code_reject: str = ""
    reason_code_cannot_decide: str = ""

    @property
    def codes(self) -> dict[str, str]:
        """The reason code chosen for each kind of decision."""
        return {kind: getattr(self, f"reason_code_{kind}") for kind in KINDS}

    def chosen(self) -> list[tuple[str, int, int]]:
        """The selected spans that can be read."""
        return [(match[1], int(match[2]), int(match[3])) for text in self.evidence if (match := _SPAN.match(text))]


@router.post("/row/decide")
def decide_row(
    request: Request, user: Reviewer, bench: BenchDep, desk: DeskDep, exhibits: ExhibitsDep, sent: Annotated[Sent, Form()]
) -> Response:
    """Keep a decision and open the next row, or this one again; what is wrong is said above the form, which keeps what was filled in."""
    try:
        outcome = decide(bench, _decision(sent, exhibits, user), desk.clock(), adjudicator=user.role.may(Role.ADJUDICATOR))
    except BadDecision as exc:
        told = " ".join(part for part in (f"{exc.field.replace('_', ' ')}:" if exc.field else "", exc.message, exc.advice) if part)
        spans = sent.chosen()
        opened, form = spans[0][0] if spans else sent.quote_exhibit, _again(sent, exhibits)
        return shown(request, bench, desk, exhibits, user, sent.id, q=sent.q, exhibit=opened, form=form, fault=told, status=422)
    issuer = record_of(bench, sent.id).listing.issuer
    said = Said(say("decide.done", row=f"{issuer} ({sent.id})", said=outcome.said), sent.id, undo=not outcome.again)
    return next_row(bench, desk.clock(), user, sent.q, said) if sent.next == "yes" else to_row(sent.id, sent.q, user, said)


def _decision(sent: Sent, exhibits: Exhibits, user: User) -> Decision:
    """What was sent, as a decision; raises BadDecision."""
    if sent.kind not in set(Kind):
        raise BadDecision(f"{sent.kind!r} is no decision", field="kind", subject=sent.id, advice="Use a button of the form.")
    kind = Kind(sent.kind)
    correct = kind is Kind.CORRECT
    answer = _answer(sent) if correct else {}
    proof = _evidence(sent, exhibits) if correct else ()
    return Decision.model_validate(
        {
            "row_id": sent.id, "kind": kind, "by": user.name, "seen": sent.seen, "reason_code": sent.codes[kind], "note": sent.note,
            "evidence": proof, "key": sent.key, "lease": sent.lease, "seconds": _seconds(sent.seconds),
        } | answer
    )  # fmt: skip


def _again(sent: Sent, exhibits: Exhibits) -> DecisionForm:
    """The form as it was filled in."""
    chosen = tuple(Chosen("|".join(map(str, span)), _text(exhibits, *span)) for span in sent.chosen())
    return DecisionForm(
        key=sent.key, status=sent.status, announcement_date=sent.announcement_date, reason=sent.reason, note=sent.note, codes=sent.codes,
        disclosure_type=sent.disclosure_type, evidence=chosen, proves=sent.proves, quote=sent.quote, url=sent.url, next=sent.next == "yes",
        open=sent.kind == "correct" or bool(sent.url),
    )  # fmt: skip


@router.post("/row/fetch")
async def fetch_for_row(
    request: Request, user: Reviewer, bench: BenchDep, desk: DeskDep, exhibits: ExhibitsDep, sent: Annotated[Sent, Form()]
) -> Response:
    """Fetch and archive the page that a reviewer names and open its text; what was filled in stays."""
    fault, opened, form = "", sent.quote_exhibit, _again(sent, exhibits)
    try:
        fetched = await fetch_page(bench, sent.url.strip(), user.name, desk.settings, desk.clock)
        opened, form = fetched.exhibit, replace(form, url="", fetched=fetched.url)
    except ReviewError as exc:
        fault = f"{exc.message}. {exc.advice}"

    def show() -> Response:
        status = 422 if fault else 200
        return shown(request, bench, desk, exhibits, user, sent.id, q=sent.q, exhibit=opened, form=form, fault=fault, status=status)

    return await to_thread.run_sync(show)


@router.post("/row/undo")
def undo_row(user: Reviewer, bench: BenchDep, desk: DeskDep, id: Text, note: Text = "", q: Text = "") -> Response:
    """Take back the last decision of a row."""
    outcome = undo(bench, id, user.name, desk.clock(), note=note, adjudicator=user.role.may(Role.ADJUDICATOR))
    return to_row(id, q, user, Said(say("decide.done", row=id, said=outcome.said), id))


def _text(exhibits: Exhibits, digest: str, start: int, end: int) -> str:
    opened = exhibits.open(digest)
    return opened.page.text[start:end] if opened.page else ""


def _evidence(sent: Sent, exhibits: Exhibits) -> tuple[Evidence, ...]:
    """Selected and pasted sentences, one piece of evidence for each field that they prove; a no has no date and no reason to prove."""
    spans = [(*span, _text(exhibits, *span)) for span in sent.chosen()]
    if sent.quote.strip():
        spans.append(_found(exhibits, sent.id, sent.quote.strip(), sent.quote_exhibit))
    if spans and not sent.proves:
        raise BadDecision("nothing is ticked that the sentence proves", field="evidence", subject=sent.id, advice="Tick what it proves.")
    fields = [name for name in sent.proves if sent.status == Status.YES or name == "status"]
    return tuple(Evidence(field=name, exhibit=d, start=a, end=b, quote=text) for d, a, b, text in spans for name in fields)


def _found(exhibits: Exhibits, row_id: str, quote: str, digest: str) -> tuple[str, int, int, str]:
    """Where a pasted sentence stands in a page."""
    opened = exhibits.open(digest) if digest else None
    if opened is None or opened.page is None:
        advice = "Choose the page in which the sentence stands."
        raise BadDecision("the page of the pasted sentence cannot be opened", field="evidence", subject=row_id, advice=advice)
    claim = Claim(field="status", value="", quote=quote, exhibit=digest, url="", start=0, end=0)
    place = find_quote(claim, opened.page, {})
    if place is None:
        advice = "Paste it as it stands in the text of the page, or select it there."
        raise BadDecision("the pasted sentence does not stand in the page", field="evidence", subject=row_id, advice=advice)
    return digest, place[1], place[2], opened.page.text[place[1] : place[2]]


def _answer(sent: Sent) -> dict[str, object]:
    """The fields of a corrected answer; a no has nothing but its status."""
    if sent.status != Status.YES:
        return {"status": Status.NO if sent.status == Status.NO else None}
    day = _day(sent.id, sent.announcement_date)
    return {"status": Status.YES, "announcement_date": day, "reason": sent.reason or None, "disclosure_type": sent.disclosure_type or None}


def _day(row_id: str, text: str) -> dt.date | None:
    if not text.strip():
        return None
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError as exc:
        advice = "Write it as 2024-07-19."
        raise BadDecision(f"{text.strip()[:20]!r} is no day", field="announcement_date", subject=row_id, advice=advice) from exc


def _seconds(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found < 86_400 else None

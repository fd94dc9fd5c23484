"""Decisions: what the form of a row sends, and undo."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import Response

from s2r.access import Role, User
from s2r.models import Claim, Status
from s2r.report.context import Exhibits
from s2r.reviews import BadDecision, Decision, Evidence, Kind, decide, undo
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
Texts = Annotated[list[str], Form()]
_SPAN = re.compile(r"(sha256:[0-9a-f]{64})\|(\d{1,9})\|(\d{1,9})\Z")


@router.post("/row/decide")
def decide_row(
    request: Request, bench: BenchDep, desk: DeskDep, exhibits: ExhibitsDep, user: Reviewer, id: Text, kind: Text, seen: Annotated[int, Form()],  # noqa: A002
    lease: Text = "", key: Text = "", seconds: Text = "", q: Text = "", note: Text = "", status: Text = "", announcement_date: Text = "",
    reason: Text = "", disclosure_type: Text = "", evidence: Texts = [], proves: Texts = [], quote: Text = "", quote_exhibit: Text = "",  # noqa: B006
    url: Text = "", next: Text = "",  # noqa: A002
    reason_code_confirm: Text = "", reason_code_correct: Text = "", reason_code_reject: Text = "", reason_code_cannot_decide: Text = "",
) -> Response:  # fmt: skip
    """Keep a decision and open the next row, or this one again; what is wrong is said above the form, which keeps what was filled in."""
    codes = dict(zip(KINDS, (reason_code_confirm, reason_code_correct, reason_code_reject, reason_code_cannot_decide), strict=True))
    chosen = [span for text in evidence if (span := _span(text))]
    form = DecisionForm(
        key=key, status=status, announcement_date=announcement_date, reason=reason, note=note, codes=codes, disclosure_type=disclosure_type,
        evidence=tuple(Chosen("|".join(map(str, span)), _text(exhibits, *span)) for span in chosen), proves=tuple(proves), quote=quote,
        url=url, next=next == "yes", open=kind in ("correct", "fetch"),
    )  # fmt: skip
    try:
        correcting = kind == Kind.CORRECT
        proofs = _evidence(exhibits, id, chosen, proves, quote, quote_exhibit, status) if correcting else ()
        decision = Decision(
            row_id=id, kind=_kind(kind, id), by=user.name, seen=seen, reason_code=codes.get(kind, ""), note=note, evidence=proofs, key=key,
            lease=lease, seconds=_seconds(seconds),
            **(_answer(id, status, announcement_date, reason, disclosure_type) if correcting else {}),
        )  # fmt: skip
        outcome = decide(bench, decision, desk.clock(), adjudicator=user.role.may(Role.ADJUDICATOR))
    except BadDecision as exc:
        told = " ".join(part for part in (f"{exc.field.replace('_', ' ')}:" if exc.field else "", exc.message, exc.advice) if part)
        opened = chosen[0][0] if chosen else quote_exhibit
        return shown(request, bench, desk, exhibits, user, id, q=q, exhibit=opened, form=form, fault=told, status=422)
    issuer = record_of(bench, id).listing.issuer
    said = Said(say("decide.done", row=f"{issuer} ({id})", said=outcome.said), id, undo=not outcome.again)
    return next_row(bench, desk.clock(), user, q, said) if form.next else to_row(id, q, user, said)


@router.post("/row/undo")
def undo_row(bench: BenchDep, desk: DeskDep, user: Reviewer, id: Text, note: Text = "", q: Text = "") -> Response:  # noqa: A002
    """Take back the last decision of a row."""
    outcome = undo(bench, id, user.name, desk.clock(), note=note, adjudicator=user.role.may(Role.ADJUDICATOR))
    return to_row(id, q, user, Said(say("decide.done", row=id, said=outcome.said), id))


def _kind(kind: str, row_id: str) -> Kind:
    if kind not in set(Kind):
        raise BadDecision(f"{kind!r} is no decision", field="kind", subject=row_id, advice="Use a button of the form.")
    return Kind(kind)


def _span(text: str) -> tuple[str, int, int] | None:
    match = _SPAN.match(text)
    return (match[1], int(match[2]), int(match[3])) if match else None


def _text(exhibits: Exhibits, digest: str, start: int, end: int) -> str:
    opened = exhibits.open(digest)
    return opened.page.text[start:end] if opened.page else ""


def _evidence(
    exhibits: Exhibits, row_id: str, chosen: Sequence[tuple[str, int, int]], proves: Sequence[str], quote: str, quote_exhibit: str, status: str
) -> tuple[Evidence, ...]:  # fmt: skip
    """Selected and pasted sentences, one piece of evidence for each field that they prove; a no has no date and no reason to prove."""
    spans = [(*span, _text(exhibits, *span)) for span in chosen]
    if quote.strip():
        spans.append(_found(exhibits, row_id, quote.strip(), quote_exhibit))
    if spans and not proves:
        raise BadDecision("nothing is ticked that the sentence proves", field="evidence", subject=row_id, advice="Tick what it proves.")
    fields = [name for name in proves if status == Status.YES or name == "status"]
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


def _answer(row_id: str, status: str, day: str, reason: str, disclosure_type: str) -> dict[str, object]:
    """The fields of a corrected answer; a no has nothing but its status."""
    if status != Status.YES:
        return {"status": Status.NO if status == Status.NO else None}
    return {"status": Status.YES, "announcement_date": _day(row_id, day), "reason": reason or None, "disclosure_type": disclosure_type or None}


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

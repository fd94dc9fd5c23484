"""One row: the record beside the vendor's, its evidence, its story, and the form of a decision."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from s2r.access import Role, User
from s2r.models import Finding, Record, Status
from s2r.report.timeline import draw_timeline
from s2r.reviews import Kept, Lease, RowView, State, claim, leases, release, row_view
from s2r.web.compare import compared
from s2r.web.evidence import documents, panel, proofs
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import BenchDep
from s2r.web.pages.evidence import ExhibitsDep, digest_of
from s2r.web.pages.queue import left, to_row
from s2r.web.pages.route import PageRoute
from s2r.web.pages.said import told
from s2r.web.render import page

router = APIRouter(route_class=PageRoute, include_in_schema=False)
Viewer = Annotated[User, Depends(needs(Role.VIEWER))]
Reviewer = Annotated[User, Depends(needs(Role.REVIEWER))]
MOST_EARLIER = 60
TIMELINE = 640.0  # px, as wide as the column that it stands in
KINDS = ("confirm", "correct", "reject", "cannot_decide")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Evidence as a form carries it: "exhibit|start|end" and the sentence."""

    span: str
    quote: str


@dataclass(frozen=True, slots=True)
class DecisionForm:
    """What the form of a decision is filled with: the record's answer, or what was sent when it could not be taken."""

    key: str
    status: str
    announcement_date: str = ""
    reason: str = ""
    note: str = ""
    codes: Mapping[str, str] = field(default_factory=dict)
    disclosure_type: str = ""
    evidence: tuple[Chosen, ...] = ()
    proves: tuple[str, ...] = ("announcement_date", "status")
    quote: str = ""
    url: str = ""
    fetched: str = ""  # the address of a page that was archived just now
    next: bool = True
    open: bool = False


@router.get("/row")
def row_page(
    request: Request,
    user: Viewer,
    bench: BenchDep,
    desk: DeskDep,
    exhibits: ExhibitsDep,
    id: str,
    q: str = "",
    exhibit: str = "",
    claim: int = 0,
    view: str = "text",
) -> Response:
    """The page of a row, with the evidence open at its first proof or at what the address asks for."""
    return shown(request, bench, desk, exhibits, user, id, q=q, exhibit=exhibit, number=claim, view=view)


def shown(
    request: Request,
    bench: BenchDep,
    desk: DeskDep,
    exhibits: ExhibitsDep,
    user: User,
    row_id: str,
    *,
    q: str = "",
    exhibit: str = "",
    number: int = 0,
    view: str = "text",
    form: DecisionForm | None = None,
    fault: str = "",
    status: int = 200,
) -> Response:
    """The page of a row; with `fault` it says why a decision was not taken, and keeps what was filled in."""
    now = desk.clock()
    adjudicator = user.role.may(Role.ADJUDICATOR)
    found = row_view(bench, row_id, user.name, now, adjudicator=adjudicator)
    record = found.record
    held = next((lease for lease in leases(bench, now, user.name) if lease.row_id == row_id), None)
    pages = dict(documents(record))
    digest = digest_of(exhibit) if exhibit else next(iter(pages), "")
    if digest:
        pages.setdefault(digest, form.fetched if form else "")
    both = in_dispute(found) if adjudicator else ()
    needs_adjudicator = found.item.state in (State.DISAGREED, State.UNDECIDED)
    may_decide = user.role.may(Role.ADJUDICATOR if needs_adjudicator else Role.REVIEWER)
    return page(
        request,
        "row.html.j2",
        status=status,
        v=found,
        r=record,
        q=q,
        view="page" if view == "page" else "text",
        pages=pages,
        panel=panel(exhibits, record, digest, number) if digest else None,
        proofs=proofs(record),
        lease=held,
        fault=fault,
        timeline=draw_timeline(record, "row", TIMELINE),
        earlier=earlier(record),
        compared=compared(found),
        both=both,
        differing=differing(both),
        may_decide=may_decide,
        may_claim=may_decide and waits(found) and not held,
        may_undo=lambda kept: _may_undo(kept, found, user),
        left=lambda until: left(until, now),
        said=told(request, user.name),
        form=form or fresh(record, held),
        definition=bench.policy.definition,
        reason_codes=bench.review.codes,
        confirmable=record.status is not Status.ABSTAIN and record.error is None,
    )


def fresh(record: Record, lease: Lease | None) -> DecisionForm:
    """The form as it is first shown: the answer of the record, to be changed where it is wrong."""
    codes = {"confirm": "nothing_found" if record.status is Status.NO else "evidence_holds", "reject": "not_proven"}
    return DecisionForm(
        key=secrets.token_urlsafe(12),
        status="no" if record.status is Status.NO else "yes",
        announcement_date=str(record.announcement_date or ""),
        reason=record.reason or "",
        disclosure_type=record.disclosure_type or "",
        codes=dict.fromkeys(KINDS, "") | codes,
    )


def waits(found: RowView) -> bool:
    """Whether the row can be claimed by somebody."""
    return found.item.state not in (State.DECIDED, State.ACCEPTED) and not found.item.assignee


def in_dispute(found: RowView) -> tuple[Kept, ...]:
    """The decisions between which an adjudicator decides."""
    if found.item.state not in (State.DISAGREED, State.UNDECIDED):
        return ()
    standing = [kept for kept in found.decisions if not kept.undone_by]
    return tuple(standing[-2:]) if found.item.state is State.DISAGREED else tuple(standing[-1:])


def differing(both: Sequence[Kept]) -> frozenset[str]:
    """Fields in which decisions in dispute differ."""
    names = ("status", "announcement_date", "reason", "disclosure_type")
    return frozenset(name for name in names if len({getattr(kept, name) for kept in both}) > 1)


def earlier(record: Record) -> tuple[Finding, ...]:
    """Statements that did not qualify, by date; those before the announcement first when there is one."""
    day = record.announcement_date.isoformat() if record.announcement_date else ""
    rejected = [finding for finding in record.findings if not finding.qualifies]
    before = [finding for finding in rejected if not day or not finding.date or finding.date <= day]
    return tuple(sorted(before, key=lambda f: (f.date or "9999", f.url, f.start))[:MOST_EARLIER])


def _may_undo(kept: Kept, found: RowView, user: User) -> bool:
    standing = [one for one in found.decisions if not one.undone_by]
    own = kept.by == user.name and user.role.may(Role.REVIEWER)
    return bool(standing) and standing[-1].id == kept.id and (own or user.role.may(Role.ADJUDICATOR))


@router.post("/row/claim")
def claim_row(user: Reviewer, bench: BenchDep, desk: DeskDep, id: Annotated[str, Form()], q: Annotated[str, Form()] = "") -> Response:
    """Hold a row."""
    claim(bench, id, user.name, desk.clock(), adjudicator=user.role.may(Role.ADJUDICATOR))
    return to_row(id, q, user)


@router.post("/row/release")
def release_row(
    user: Reviewer,
    bench: BenchDep,
    desk: DeskDep,
    id: Annotated[str, Form()],
    lease: Annotated[str, Form()],
    q: Annotated[str, Form()] = "",
) -> Response:
    """Give a row back."""
    release(bench, id, lease, desk.clock())
    return RedirectResponse(f"/queue?{q}", 303)

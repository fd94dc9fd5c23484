"""The audit log: acts of reviewers for all who may review, requests of users for admins."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from s2r.access import AuditLog, Role, User
from s2r.reviews import acts
from s2r.web.guard import access_of, needs
from s2r.web.pages.bench import BenchDep
from s2r.web.pages.route import PageRoute
from s2r.web.render import page

router = APIRouter(route_class=PageRoute, include_in_schema=False)
Reviewer = Annotated[User, Depends(needs(Role.REVIEWER))]
LINES = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log as it is shown."""

    id: int
    at: str
    who: str
    what: str
    row: str
    more: str


@router.get("/log")
def log_page(request: Request, _: Reviewer, bench: BenchDep, row: str = "", before: Annotated[int, Query(ge=0)] = 0) -> Response:
    """What reviewers did, newest first; of one row when given."""
    found = acts(bench, row_id=row, before=before, size=LINES + 1)
    lines = [
        Line(int(str(a["id"])), str(a["at"]), str(a["author"]), str(a["act"]), str(a["row_id"]), _told(str(a["detail"]))) for a in found
    ]
    lines = lines[:LINES]
    return page(request, "log.html.j2", lines=lines, more=len(found) > LINES, row=row, of="acts", who="", total=None)


@router.get("/log/access")
def access_page(
    request: Request, _: Annotated[User, Depends(needs(Role.ADMIN))], who: str = "", before: Annotated[int, Query(ge=0)] = 0
) -> Response:
    """Every request that changed, took away or was refused something, newest first; for admins."""
    log = AuditLog(access_of(request))
    found = log.lines(before=before or None, limit=LINES + 1, user=who)
    lines = [Line(a.id, a.at, a.user, a.action, "", _joined(a.subject, a.outcome, a.detail, a.via, a.address)) for a in found[:LINES]]
    return page(request, "log.html.j2", lines=lines, more=len(found) > LINES, row="", of="access", who=who, total=log.count(who))


def _told(detail: str) -> str:
    """The details of an act, "name: value" each."""
    try:
        found = json.loads(detail)
    except ValueError:
        return detail
    return ", ".join(f"{name}: {value}" for name, value in found.items()) if isinstance(found, dict) else detail


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)

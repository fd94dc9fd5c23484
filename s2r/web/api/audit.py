"""The audit log, for admins."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel

from s2r.access import AuditLog, Role
from s2r.web.guard import access_of, needs
from s2r.web.paging import Before, Limit, Listed

router = APIRouter(tags=["access"], dependencies=[Depends(needs(Role.ADMIN))])


class ActionLine(BaseModel):
    """Who did what, when (UTC), from where, and what came of it."""

    id: int
    at: str
    user: str
    via: str
    address: str
    action: str
    subject: str
    outcome: str
    detail: str


@router.get("/audit", summary="Audit log")
def audit_log(
    request: Request, before: Before = None, limit: Limit = 100, user: Annotated[str, Query(max_length=200)] = ""
) -> Listed[ActionLine]:
    """What users did, newest first; of one user when given."""
    log = AuditLog(access_of(request))
    lines = log.lines(before=before, limit=limit + 1, user=user)
    items = [ActionLine.model_validate(line, from_attributes=True) for line in lines[:limit]]
    return Listed[ActionLine](items=items, total=log.count(user), next=str(items[-1].id) if len(lines) > limit else None)

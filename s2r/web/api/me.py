"""Who asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from s2r.access import Role, User
from s2r.web.guard import needs

router = APIRouter(tags=["access"])


class Me(BaseModel):
    """The user of a request. `csrf` is sent back in X-CSRF-Token by scripts that use a session; "" with a token."""

    name: str
    role: Role
    via: str
    csrf: str


@router.get("/me", summary="Who am I")
def me(user: Annotated[User, Depends(needs(Role.VIEWER))]) -> Me:
    """Name, role and form token of the user that asks."""
    return Me(name=user.name, role=user.role, via=user.via, csrf=user.csrf)

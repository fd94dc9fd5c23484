"""Who asks and whether he may: `current_user`, `needs(role)`, and the token that forms must carry. For routes of API and pages alike."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant

from s2r.access import AccessStore, Role, User
from s2r.store import Store
from s2r.web.armour import SAFE_METHODS
from s2r.web.desk import WebDesk
from s2r.web.problems import Problem

CSRF_HEADER, CSRF_FIELD = "X-CSRF-Token", "csrf_token"


def desk_of(request: Request) -> WebDesk:
    """What the application works with."""
    desk = request.app.state.desk
    assert isinstance(desk, WebDesk)
    return desk


def access_of(request: Request) -> AccessStore:
    """The users, sessions and tokens of the application."""
    access = request.app.state.access
    assert isinstance(access, AccessStore)
    return access


def current_user(request: Request) -> User:
    """Who asks; raises Problem 401 when nobody is known."""
    user = getattr(request.state, "user", None)
    if not isinstance(user, User):
        raise Problem(401, "You are not logged in.", "Log in, or send a token: Authorization: Bearer ...")
    return user


def csrf_token(request: Request) -> str:
    """The token that forms of this user carry in the hidden field `csrf_token`, and scripts in the header X-CSRF-Token."""
    return current_user(request).csrf


@dataclass(frozen=True, slots=True)
class Needs:
    """A dependency that lets users through from a role on."""

    least: Role

    def __call__(self, request: Request) -> User:
        user = current_user(request)
        if not user.role.may(self.least):
            raise Problem(403, f"This needs the role {self.least}; {user.name} is {user.role}.", "Ask an admin of this service.")
        return user


def needs(least: Role) -> Needs:
    """`Depends(needs(Role.REVIEWER))`: 403 for lower roles; the value is the user."""
    return Needs(least)


def least_role(dependant: Dependant) -> Role | None:
    """The least role that a route declares, the highest of several; None when it declares none."""
    found = [dependant.call.least] if isinstance(dependant.call, Needs) else []
    found += [role for inner in dependant.dependencies if (role := least_role(inner)) is not None]
    return max(found, key=lambda role: role.rank, default=None)


async def check_csrf(request: Request) -> None:
    """Refuse an unsafe request that another site made a browser send: from another origin, or without the token of the user."""
    user = getattr(request.state, "user", None)
    if request.method in SAFE_METHODS or (isinstance(user, User) and user.via == "token"):
        return
    if not _same_origin(request):
        raise Problem(403, "The request comes from another site.", "Open this service by its own address.")
    if not isinstance(user, User) or request.url.path == "/login":
        return
    given = request.headers.get(CSRF_HEADER, "")
    if not given and request.headers.get("content-type", "").startswith(("application/x-www-form-urlencoded", "multipart/form-data")):
        form = await request.form()
        field = form.get(CSRF_FIELD)
        given = field if isinstance(field, str) else ""
    if not user.csrf or not hmac.compare_digest(given.encode(), user.csrf.encode()):
        raise Problem(403, "The form is not of this session.", f"Reload the page; scripts send {CSRF_HEADER} (GET /api/v1/me gives it).")


def _same_origin(request: Request) -> bool:
    """Whether the page that sent a request is one of ours; what is no browser says neither."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.netloc.lower() == request.headers.get("host", "").lower() or parts.hostname in desk_of(request).hosts


def read_store(request: Request) -> Iterator[Store]:
    """A dependency: the store for reading, closed after the answer. Raises Problem 503 when there is none yet."""
    desk = desk_of(request)
    if not desk.store_path.is_file():
        raise Problem(503, "There are no records yet.", "Wait for the first night, or run `s2r nightly`.")
    with desk.read() as store:
        yield store


UserDep = Annotated[User, Depends(current_user)]
DeskDep = Annotated[WebDesk, Depends(desk_of)]
StoreDep = Annotated[Store, Depends(read_store)]

"""/login and /logout: the only way to a session. Each attempt is counted before the password is looked at, and kept in the audit log."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Annotated

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from s2r.access import AccessStore, Attempts, AuditLog, Role, Sessions, User, Users
from s2r.web.armour import CSP
from s2r.web.desk import WebDesk
from s2r.web.entry import cookie_name, session_cookie
from s2r.web.guard import DeskDep, access_of, needs
from s2r.web.render import theme_of
from s2r.web.words import say

router = APIRouter(include_in_schema=False)

TEMPLATES = Path(__file__).parent / "templates"
AT_ONCE = CapacityLimiter(2)  # passwords checked side by side: argon2 takes 64 MB for each
_LOCAL_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\\]*\Z")
_ENV = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
_ENV.globals["t"] = say


@router.get("/login")
def show_login(request: Request, desk: DeskDep, next: str = "/") -> Response:
    """The form."""
    return _page(request, desk, "login", next)


@router.post("/login")
async def log_in(
    request: Request,
    desk: DeskDep,
    name: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str, Form(max_length=2000)] = "",
    next: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Start a session and lead on to where the user came from; an earlier session of this browser ends."""
    access, address, now = access_of(request), str(request.state.address), desk.clock()
    wait = await to_thread.run_sync(Attempts(access).begin, name, address, now)
    if wait:
        said = say("login.too_many", n=-(-wait // 60))
        return _page(request, desk, "login", next, said, status=429, headers={"Retry-After": str(wait)})
    account = await to_thread.run_sync(Users(access).check, name, password, limiter=AT_ONCE)
    if account is None:
        await to_thread.run_sync(_note, access, desk, name, address, "refused")
        return _page(request, desk, "login", next, say("login.wrong"), status=401)
    cookie = await to_thread.run_sync(_enter, access, desk, account.name, address, session_cookie(request.headers, desk))
    response = RedirectResponse(next if _LOCAL_PATH.match(next) else "/", 303)
    response.set_cookie(cookie_name(desk), cookie, path="/", secure=desk.secure_cookies, httponly=True, samesite="lax")
    return response


@router.get("/logout")
def show_logout(request: Request, desk: DeskDep, user: Annotated[User, Depends(needs(Role.VIEWER))]) -> Response:
    """The form that ends a session."""
    return _page(request, desk, "logout", "/", csrf=user.csrf, name=user.name)


@router.post("/logout")
def log_out(request: Request, desk: DeskDep, user: Annotated[User, Depends(needs(Role.VIEWER))]) -> Response:
    """End the session, here and for whoever holds a copy of its cookie."""
    Sessions(access_of(request)).end(session_cookie(request.headers, desk))
    response = RedirectResponse("/login", 303)
    response.delete_cookie(cookie_name(desk), path="/", secure=desk.secure_cookies, httponly=True, samesite="lax")
    return response


def _enter(access: AccessStore, desk: WebDesk, name: str, address: str, old: str) -> str:
    Attempts(access).succeeded(name, address)
    _note(access, desk, name, address, "let in")
    return Sessions(access).start(name, address, desk.clock(), old=old)


def _note(access: AccessStore, desk: WebDesk, name: str, address: str, outcome: str) -> None:
    AuditLog(access).add(desk.clock(), name, "login", "", via="session", address=address, outcome=outcome)


def _page(
    request: Request, desk: WebDesk, form: str, next: str, said: str = "", *, status: int = 200, headers: dict[str, str] | None = None,
    csrf: str = "", name: str = "",
) -> Response:  # fmt: skip
    style = (TEMPLATES / "login.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = CSP.replace("style-src 'self'", f"style-src 'sha256-{digest}'").replace("frame-ancestors 'self'", "frame-ancestors 'none'")
    values = {"form": form, "next": next, "said": said, "csrf": csrf, "name": name, "style": style, "theme": theme_of(request)}
    body = _ENV.get_template("login.html.j2").render(values)
    return HTMLResponse(body, status, headers=(headers or {}) | {"Content-Security-Policy": policy})

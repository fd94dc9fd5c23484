"""What a browser keeps: colours and keys; the page of keys; the style that pages share with the report."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from s2r.access import Role
from s2r.web.guard import desk_of, needs
from s2r.web.keys import ACTIONS, KEYS_COOKIE, checked, cookie_value, given_keys
from s2r.web.pages.route import PageRoute
from s2r.web.problems import Problem
from s2r.web.render import CACHED, THEME_COOKIE, THEMES, page, report_style
from s2r.web.words import say

router = APIRouter(route_class=PageRoute, dependencies=[Depends(needs(Role.VIEWER))], include_in_schema=False)
YEAR_S = 365 * 86_400


@router.get("/style.css")
def style() -> Response:
    """The style of the report: tables, badges, charts, timeline."""
    return Response(report_style(), media_type="text/css", headers={"Cache-Control": CACHED})


@router.get("/keys")
def keys_page(request: Request) -> Response:
    """Keys and what they do."""
    return page(request, "keys.html.j2")


@router.post("/theme")
def set_theme(request: Request, theme: Annotated[str, Form()], back: Annotated[str, Form()] = "/") -> Response:
    """Keep the colours that a browser wants."""
    inside = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if inside else "/", 303)
    _keep(request, answer, THEME_COOKIE, theme if theme in THEMES else "auto")
    return answer


@router.post("/keys")
async def set_keys(request: Request) -> Response:
    """Keep keys; refuses those that are no key or stand for two actions."""
    form = await request.form()
    wanted = {} if form.get("default") else {name: str(form.get(name, "")).strip().lower() for name in ACTIONS if form.get(name)}
    given = given_keys(request)
    keys, bad = checked(given | wanted)
    if bad:
        raise Problem(422, say("keys.bad", key=keys[bad], action=say(f"keys.{bad}")), "Go back and choose other keys.")
    answer = RedirectResponse("/keys", 303)
    _keep(request, answer, KEYS_COOKIE, cookie_value(keys, given))
    return answer


def _keep(request: Request, answer: Response, name: str, value: str) -> None:
    answer.set_cookie(name, value, max_age=YEAR_S, httponly=True, samesite="strict", secure=desk_of(request).https)

"""Templates of the workbench: whatever they print is made visible and escaped, as in the report, whose parts they reuse."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import Any

from fastapi import Request
from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from s2r.access import Role, User
from s2r.report.inert import visible, web_link
from s2r.report.page import environment as report_environment
from s2r.report.page import money
from s2r.report.texts import KINDS, TIPS, words
from s2r.web.guard import CSRF_FIELD
from s2r.web.keys import ACTIONS, user_keys
from s2r.web.words import known, say

CACHED = "private, max-age=600, must-revalidate"
THEMES = ("auto", "light", "dark")
THEME_COOKIE = "s2r_theme"
HTMX = '{"includeIndicatorStyles":false,"allowEval":false,"selfRequestsOnly":true,"historyCacheSize":0,"refreshOnHistoryMiss":true}'


class Files(StaticFiles):
    """Script and style, which a browser may keep for a while."""

    def file_response(self, *args: Any, **given: Any) -> Response:
        """The answer with a file."""
        response = super().file_response(*args, **given)
        response.headers["Cache-Control"] = CACHED
        return response


@cache
def environment() -> Environment:
    """The templates; StrictUndefined, autoescape, and no value reaches a page unseen."""
    loader = ChoiceLoader(
        [PackageLoader("s2r.web", "templates"), PrefixLoader({"report": PackageLoader("s2r.report", "templates")})]
    )  # fmt: skip
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.globals.update(t=say, known=known, words=words, link=web_link, money=money, moment=moment, KINDS=KINDS, TIPS=TIPS, HTMX=HTMX)
    env.globals.update(Role=Role, ACTIONS=ACTIONS, CSRF_FIELD=CSRF_FIELD, THEMES=THEMES)
    env.filters["v"] = visible
    env.finalize = lambda value: value if isinstance(value, Markup) else visible(value)
    return env


@cache
def report_style() -> str:
    """The style of the report, which the pages share."""
    env = report_environment()
    return env.get_template("style.css.j2").render(SORTS=()) + env.get_template("plots.css.j2").render()


def theme_of(request: Request) -> str:
    """The colours that the browser asked to keep: light, dark, or "" for those of the system."""
    theme = request.cookies.get(THEME_COOKIE, "")
    return theme if theme in ("light", "dark") else ""


def page(request: Request, template: str, *, status: int = 200, headers: dict[str, str] | None = None, **values: object) -> HTMLResponse:
    """The answer made of a template; `user` is None where nobody is known."""
    user = getattr(request.state, "user", None)
    keys = user_keys(request)
    shared: dict[str, object] = {
        "request": request, "user": user if isinstance(user, User) else None, "csrf": user.csrf if isinstance(user, User) else "",
        "theme": theme_of(request), "keys": keys, "here": request.url.path,
    }  # fmt: skip
    return HTMLResponse(environment().get_template(template).render(shared | values), status, headers=headers)


def moment(value: object) -> str:
    """A time (datetime or ISO text) as minutes in UTC; other text as it is, "" when missing."""
    if not value:
        return ""
    try:
        at = value if isinstance(value, dt.datetime) else dt.datetime.fromisoformat(str(value))
    except ValueError:
        return str(value)
    return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M}" if at.tzinfo else f"{at:%Y-%m-%d %H:%M}"

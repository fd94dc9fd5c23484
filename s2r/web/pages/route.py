"""Routes of pages: what goes wrong is told as a page to a browser, and as a piece of one to a script of ours."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response

from s2r.errors import ConfigError, IntegrityError, S2RError
from s2r.reviews.errors import BadDecision, LeaseLost, LeaseTaken, NotAllowed, NotFound, ReviewError, StaleEdit
from s2r.web.problems import Problem
from s2r.web.render import page
from s2r.web.words import say

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
_STATUS: tuple[tuple[type[S2RError], int], ...] = (
    (NotFound, 404), (BadDecision, 422), (StaleEdit, 409), (LeaseTaken, 409), (LeaseLost, 409), (NotAllowed, 403), (ReviewError, 400),
    (ConfigError, 409), (IntegrityError, 410),
)  # fmt: skip


class PageRoute(APIRoute):
    """A route whose problems are pages."""

    def get_route_handler(self) -> Handler:
        """The handler with its known errors told as pages."""
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await inner(request)
            except S2RError as exc:
                status = next((code for kind, code in _STATUS if isinstance(exc, kind)), 503)
                stale = exc if isinstance(exc, StaleEdit) else None
                return problem_page(request, status, exc.message, exc.advice, subject=exc.subject, stale=stale)
            except Problem as exc:
                return problem_page(request, exc.status, exc.detail, exc.advice, headers=exc.headers)
            except RequestValidationError as exc:
                first = exc.errors()[0]
                return problem_page(request, 422, f"{first['loc'][-1]}: {first['msg']}", "Go back and correct it.")
            except HTTPException as exc:
                return problem_page(request, exc.status_code, str(exc.detail), "")

        return handle


def problem_page(
    request: Request, status: int, detail: str, advice: str, *, subject: str = "", stale: StaleEdit | None = None,
    headers: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    """What went wrong and what to do."""
    return page(request, "problem.html.j2", status=status, headers=headers, detail=detail, advice=advice, subject=subject, stale=stale)


def tell_browsers(app: FastAPI) -> None:
    """Answer a browser that asks for an address that there is not with a page; programs get the problem as JSON."""
    plain = app.exception_handlers[HTTPException]

    async def on_http(request: Request, exc: HTTPException) -> Response:
        if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
            detail, advice = (say("problem.unknown"), say("problem.unknown_advice")) if exc.status_code == 404 else (str(exc.detail), "")
            return problem_page(request, exc.status_code, detail, advice, headers=dict(exc.headers or {}))
        answer: Response = await plain(request, exc)  # type: ignore[misc]
        return answer

    app.add_exception_handler(HTTPException, on_http)  # type: ignore[arg-type]

"""Errors as `application/problem+json` (RFC 9457): what is wrong and what to do."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from s2r.errors import ConfigError, IntegrityError, S2RError

MEDIA_TYPE = "application/problem+json"


class ProblemBody(BaseModel):
    """A problem as it is answered."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    advice: str = ""
    faults: list[dict[str, object]] = Field(default_factory=list)


class Problem(Exception):
    """Raised by routes: becomes the answer with this status."""

    def __init__(self, status: int, detail: str, advice: str = "", *, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.advice, self.headers = status, detail, advice, headers or {}


def problem_response(status: int, detail: str, advice: str = "", headers: dict[str, str] | None = None, **more: object) -> Response:
    """The answer of a problem."""
    content = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, "advice": advice, **more}
    return JSONResponse(content, status, headers=headers, media_type=MEDIA_TYPE)


def add_handlers(app: FastAPI) -> None:
    """Answer every error raised on purpose as a problem."""

    @app.exception_handler(Problem)
    async def on_problem(_: Request, exc: Problem) -> Response:
        return problem_response(exc.status, exc.detail, exc.advice, exc.headers)

    @app.exception_handler(HTTPException)
    async def on_http(_: Request, exc: HTTPException) -> Response:
        return problem_response(exc.status_code, str(exc.detail), headers=dict(exc.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def on_invalid(_: Request, exc: RequestValidationError) -> Response:
        faults = [{"where": ".".join(map(str, fault["loc"])), "problem": fault["msg"]} for fault in exc.errors()]
        return problem_response(422, "The request cannot be read.", "Correct what `faults` names.", faults=jsonable_encoder(faults))

    @app.exception_handler(S2RError)
    async def on_known(_: Request, exc: S2RError) -> Response:
        status = 409 if isinstance(exc, ConfigError) else 500 if isinstance(exc, IntegrityError) else 503
        return problem_response(status, exc.message, exc.advice)

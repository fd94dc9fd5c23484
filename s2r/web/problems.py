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
from s2r.reviews.errors import BadDecision, LeaseLost, LeaseTaken, NotAllowed, NotFound, ReviewError, StaleEdit

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


SHUT = {"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
Responses = dict[int | str, dict[str, object]]
_TOLD = {
    400: "A body that cannot be read, or a wish that cannot be met; nothing was changed.",
    401: "Nobody is logged in.",
    403: "The role does not allow it, the form's token is missing, or it is not this user's turn.",
    404: "There is no such thing.",
    409: "It does not go with how things stand.",
    410: "It was archived, and is damaged now.",
    413: "The body is too large.",
    422: "The request cannot be read, or lacks something; `faults` says what.",
    503: "The records cannot be read now.",
}


def problems(*statuses: int) -> Responses:
    """Answers that a route may give besides its own, for the description of the interface."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}}
    return {status: {"description": _TOLD[status], "content": content} for status in statuses}


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

    @app.exception_handler(Exception)
    async def on_bug(_: Request, exc: Exception) -> Response:
        return problem_response(500, "The service has a fault; its log says more.", "Tell the operator when this was.", headers=SHUT)

    @app.exception_handler(StaleEdit)
    async def on_stale(_: Request, exc: StaleEdit) -> Response:
        newer = {"number": exc.number, "author": exc.author, "why": exc.why, "answer": exc.answer}
        return problem_response(409, exc.message, exc.advice, newer=newer)

    @app.exception_handler(S2RError)
    async def on_known(_: Request, exc: S2RError) -> Response:
        status = next((status for kind, status in _STATUS.items() if isinstance(exc, kind)), 503)
        faults = [{"where": exc.field, "problem": exc.message}] if isinstance(exc, BadDecision) else []
        return problem_response(status, f"{exc.subject}: {exc.message}" if exc.subject else exc.message, exc.advice, faults=faults)


# the first kind that an error is of decides
_STATUS: dict[type[S2RError], int] = {
    NotFound: 404, BadDecision: 422, LeaseTaken: 409, LeaseLost: 409, NotAllowed: 403, ReviewError: 400, ConfigError: 409,
    IntegrityError: 410,
}  # fmt: skip

"""/healthz, /readyz and /metrics: whether the process lives, whether it can work, and its numbers for Prometheus."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from s2r.access import Role, User
from s2r.errors import S2RError
from s2r.policy import load_policy
from s2r.policy.schedule import load_schedule
from s2r.store.nights import FAILED, RUNNING, Nights
from s2r.web.desk import WebDesk
from s2r.web.guard import DeskDep, needs
from s2r.web.metrics import CONTENT_TYPE, render

router = APIRouter(tags=["health"])


class Alive(BaseModel):
    """The process answers."""

    status: str = "ok"


class Ready(BaseModel):
    """Whether the service can work: each check says ok, or what is wrong."""

    ready: bool
    checks: dict[str, str]


@router.get("/healthz", summary="Is the process alive")
async def healthz() -> Alive:
    """Answers without a login and looks at nothing."""
    return Alive()


@router.get("/readyz", summary="Can the service work", responses={503: {"model": Ready, "description": "It cannot; `checks` says why."}})
def readyz(desk: DeskDep, user: Annotated[User, Depends(needs(Role.VIEWER))]) -> Response:
    """The store can be read, the policies load, and the last night did not fail."""
    checks = {"store": _store(desk), "policies": _policies(desk), "last_night": _last_night(desk)}
    ready = all(said == "ok" for said in checks.values())
    return JSONResponse(Ready(ready=ready, checks=checks).model_dump(), 200 if ready else 503)


@router.get("/metrics", summary="Numbers for Prometheus", response_class=Response)
def metrics(desk: DeskDep, user: Annotated[User, Depends(needs(Role.VIEWER))]) -> Response:
    """Text format of Prometheus, worked out from the store at each request."""
    return Response(render(desk), media_type=CONTENT_TYPE)


def _store(desk: WebDesk) -> str:
    if not desk.store_path.is_file():
        return "there is no store yet; the first night makes it"
    try:
        with desk.read() as store:
            store.rows("select count(*) from run")
    except S2RError as exc:
        return exc.message
    return "ok"


def _policies(desk: WebDesk) -> str:
    try:
        load_policy(desk.policy.definition.event_type, desk.policies)
        load_schedule(desk.policies)
    except S2RError as exc:
        return str(exc)
    return "ok"


def _last_night(desk: WebDesk) -> str:
    if not desk.store_path.is_file():
        return "ok"
    try:
        with desk.read() as store:
            ended = [night for night in Nights(store).all() if night.state != RUNNING]
    except S2RError as exc:
        return exc.message
    if ended and ended[-1].state == FAILED:
        return f"night {ended[-1].id} ({ended[-1].job}) failed: {ended[-1].outcome.get('error') or 'it was given up'}"
    return "ok"

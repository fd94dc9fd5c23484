"""The application: routes of API and pages behind one guard; a route without a least role is a fault at the start."""

from __future__ import annotations

import importlib
import pkgutil
from importlib import metadata
from pathlib import Path

from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles

from s2r.web import api, pages
from s2r.web.armour import OPEN, Armour
from s2r.web.desk import WebDesk
from s2r.web.guard import check_csrf, least_role
from s2r.web.problems import ProblemBody, add_handlers

STATIC = Path(__file__).parent / "static"
PROBLEMS: dict[int | str, dict[str, object]] = {
    status: {"model": ProblemBody, "content": {"application/problem+json": {}}, "description": text}
    for status, text in ((401, "Nobody is logged in."), (403, "The role does not allow it, or the form's token is missing."))
}


def create_app(desk: WebDesk) -> FastAPI:
    """The application over a run folder. Raises ValueError naming a route that declares no least role."""
    app = FastAPI(
        title="s2r", version=metadata.version("s2r"), summary="Records of corporate events, their evidence and their review.",
        docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json", dependencies=[Depends(check_csrf)],
    )  # fmt: skip
    app.state.desk = desk
    add_handlers(app)
    for router in api_routers():
        app.include_router(router, prefix="/api/v1", responses=PROBLEMS)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")
    check_roles(app)
    app.add_middleware(Armour, desk=desk)
    return app


def api_routers() -> list[APIRouter]:
    """The `router` of every module of s2r.web.api, by name."""
    found = [importlib.import_module(f"{api.__name__}.{module.name}").router for module in pkgutil.iter_modules(api.__path__)]
    return [router for router in found if isinstance(router, APIRouter)]


def check_roles(app: FastAPI) -> None:
    """Raise ValueError for a route that neither declares a least role nor is open to all."""
    for route in app.routes:
        if isinstance(route, APIRoute) and route.path not in OPEN and least_role(route.dependant) is None:
            raise ValueError(f"{route.path} declares no least role; add Depends(needs(Role...)) to the route or its router")

"""The application: routes of API and pages behind one guard; a route without a least role is a fault at the start."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path

from fastapi import APIRouter, Depends, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts

from s2r.access import MEMORY, AccessStore, Role
from s2r.errors import StoreError
from s2r.web import api, health, login, pages
from s2r.web.armour import OPEN, Armour
from s2r.web.desk import WebDesk
from s2r.web.guard import check_csrf, least_role
from s2r.web.pages.route import tell_browsers
from s2r.web.problems import ProblemBody, add_handlers, problems
from s2r.web.render import Files

COMMON = (400, 401, 403, 413, 422, 503)  # what any route may answer
STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class AppRoute:
    """A route: its path, methods and the least role that it asks for; `open`: it answers without a login."""

    path: str
    methods: tuple[str, ...]
    least: Role | None
    open: bool


def create_app(desk: WebDesk) -> FastAPI:
    """The application over a run folder. Raises ValueError naming a route that declares no least role."""
    app = FastAPI(
        title="s2r", version=metadata.version("s2r"), summary="Records of corporate events, their evidence and their review.",
        docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json", dependencies=[Depends(check_csrf)],
    )  # fmt: skip
    work_on(app, desk)
    add_handlers(app)
    tell_browsers(app)
    for router in api_routers():
        app.include_router(router, prefix="/api/v1", responses=problems(*COMMON))
    app.include_router(health.router, responses=problems(*COMMON))
    app.include_router(login.router)
    app.include_router(pages.router)
    app.mount("/static", Files(directory=STATIC, check_dir=False), name="static")
    check_roles(app)
    app.openapi = partial(describe, app)  # type: ignore[method-assign]
    app.add_middleware(Armour, state=app.state)
    return app


def work_on(app: FastAPI, desk: WebDesk) -> None:
    """Let an application work on a run folder; what it has opened of another one is left behind."""
    app.state.desk, app.state.access = desk, open_access(desk)
    app.state.bench = app.state.exhibits = None


def describe(app: FastAPI) -> dict[str, object]:
    """The description of the interface, with the form of problems and the ways to be known."""
    if not app.openapi_schema:
        made = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        parts = made.setdefault("components", {})
        parts.setdefault("schemas", {})["ProblemBody"] = ProblemBody.model_json_schema()
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "description": "A token of `s2r tokens create`."}}
        made["security"] = [{"token": []}]
        app.openapi_schema = made
    return app.openapi_schema


def open_access(desk: WebDesk) -> AccessStore:
    """The users of a run folder. One that cannot be written is shown without login, on loopback only, and then keeps no audit log."""
    try:
        return AccessStore(desk.access_path)
    except StoreError:
        if desk.needs_login:
            raise
        return AccessStore(MEMORY)


def api_routers() -> list[APIRouter]:
    """The `router` of every module of s2r.web.api, by name."""
    found = [importlib.import_module(f"{api.__name__}.{module.name}").router for module in pkgutil.iter_modules(api.__path__)]
    return [router for router in found if isinstance(router, APIRouter)]


def routes_of(app: FastAPI) -> Iterator[AppRoute]:
    """Every route of the application. Files and the API's description are for every user that is known, which Armour sees to."""
    for found in iter_route_contexts(app.routes):
        dependant = getattr(found, "dependant", None)
        methods = tuple(sorted(found.methods or {"GET"}))
        least = Role.VIEWER if dependant is None else least_role(dependant)
        yield AppRoute(found.path or "", methods, None if found.path in OPEN else least, found.path in OPEN)


def check_roles(app: FastAPI) -> None:
    """Raise ValueError for a route that neither declares a least role nor is open to all."""
    for route in routes_of(app):
        if route.least is None and not route.open:
            raise ValueError(f"{route.path} declares no least role; add Depends(needs(Role...)) to the route or its router")

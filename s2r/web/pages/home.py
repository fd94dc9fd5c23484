"""Home: what waits, and the figures of review with their charts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from s2r.access import Role, User
from s2r.reviews import QueueFilter, leases, queue_page
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import bench_of
from s2r.web.pages.route import PageRoute
from s2r.web.pages.said import told
from s2r.web.render import page

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/")
def home(request: Request, desk: DeskDep, user: Annotated[User, Depends(needs(Role.VIEWER))]) -> Response:
    """Figures and charts; a sentence while there are no records."""
    if not desk.store_path.is_file():
        return page(request, "home.html.j2", tiles=None, charts=(), waiting=0, said=None)
    bench, now = bench_of(request), desk.clock()
    found = queue_page(bench, QueueFilter(), now, size=1)
    mine = len(leases(bench, now, user.name))
    tiles = [("waiting", found.waiting), ("mine", mine)]
    return page(request, "home.html.j2", tiles=tiles, charts=(), waiting=found.waiting, said=told(request, user.name))

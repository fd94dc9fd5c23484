"""Home: what waits, and the figures of review with their charts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from s2r.access import Role, User
from s2r.report.page import money
from s2r.reviews import Numbers, QueueFilter, State, leases, numbers, queue_page
from s2r.web.figures import home_charts
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import bench_of
from s2r.web.pages.route import PageRoute
from s2r.web.pages.said import told
from s2r.web.render import page
from s2r.web.words import say

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/")
def home(request: Request, desk: DeskDep, user: Annotated[User, Depends(needs(Role.VIEWER))]) -> Response:
    """Figures and charts; a sentence while there are no records."""
    if not desk.store_path.is_file():
        return page(request, "home.html.j2", tiles=None, charts=(), waiting=0, said=None)
    bench, now = bench_of(request), desk.clock()
    found = queue_page(bench, QueueFilter(), now, size=1)
    figures = numbers(bench, now)
    mine = len(leases(bench, now, user.name))
    charts = home_charts(figures, found.facets.get("age", ()))
    return page(request, "home.html.j2", tiles=tiles(figures, mine), charts=charts, waiting=found.waiting, said=told(request, user.name))


def tiles(figures: Numbers, mine: int) -> list[tuple[str, str]]:
    """The main figures: name of the text and what is shown."""
    states = figures.states
    disputed = states.get(State.DISAGREED, 0) + states.get(State.UNDECIDED, 0)
    median = say("common.seconds", n=f"{figures.seconds[0]:.0f}") if figures.seconds else "-"
    shown: dict[str, object] = {
        "waiting": figures.waiting, "mine": mine, "second": states.get(State.SECOND, 0), "disputed": disputed,
        "decided": states.get(State.DECIDED, 0), "decisions": figures.decisions, "time": median, "cost": money(figures.cost_usd),
        "per_row": money(figures.usd_per_row),
    }  # fmt: skip
    return [(name, str(value)) for name, value in shown.items()]

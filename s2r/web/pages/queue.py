"""The queue, second reviews and disagreements: filters, facets, saved views, claims, and alike rows at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import parse_qs, urlencode

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from s2r.access import Role, User
from s2r.reviews import Kind, QueueFilter, SavedView, Sort, State, bulk, claim_next, drop_view, groups, queue_page, save_view, saved_views
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import BenchDep
from s2r.web.pages.route import PageRoute
from s2r.web.pages.said import Said, keep, told
from s2r.web.render import page
from s2r.web.words import say

router = APIRouter(route_class=PageRoute, include_in_schema=False)
Viewer = Annotated[User, Depends(needs(Role.VIEWER))]
Reviewer = Annotated[User, Depends(needs(Role.REVIEWER))]
FACETS = ("state", "market", "status", "conflict", "route_reason", "reason", "language", "age", "assignee")
MOST_GROUPS = 20
PRESETS: dict[str, tuple[State, ...]] = {"queue": (), "second": (State.SECOND,), "disagreed": (State.DISAGREED, State.UNDECIDED)}


@router.get("/queue")
def queue(
    request: Request,
    user: Viewer,
    bench: BenchDep,
    desk: DeskDep,
) -> Response:
    """All rows that pass the filters of the address."""
    return _shown(request, bench, desk.clock(), user, "queue")


@router.get("/second")
def second(
    request: Request,
    user: Viewer,
    bench: BenchDep,
    desk: DeskDep,
) -> Response:
    """Rows that wait for a second reviewer."""
    return _shown(request, bench, desk.clock(), user, "second")


@router.get("/disagreements")
def disagreements(
    request: Request,
    user: Viewer,
    bench: BenchDep,
    desk: DeskDep,
) -> Response:
    """Rows that wait for an adjudicator."""
    return _shown(request, bench, desk.clock(), user, "disagreed")


def _shown(request: Request, bench: BenchDep, now: dt.datetime, user: User, preset: str) -> Response:
    given = parse_qs(request.url.query, keep_blank_values=True)
    wanted = QueueFilter.from_query(given)
    if PRESETS[preset] and not wanted.state:
        wanted = wanted.model_copy(update={"state": PRESETS[preset]})
    found = queue_page(bench, wanted, now, sort=sort_of(_last(given, "sort")), cursor=_last(given, "cursor"))
    at = _last(given, "at")
    query = found.filter.to_query()
    return page(
        request, "queue.html.j2", found=found, query=query, link_query=with_sort(query, found.sort), sorts=list(Sort), facet_names=FACETS,
        heading=say("queue.title" if preset == "queue" else f"queue.{preset}_title"),
        lead=say("queue.lead" if preset == "queue" else f"queue.{preset}_lead"),
        at=int(at) if at.isdigit() else 0, views=saved_views(bench, user.name), left=lambda until: left(until, now),
        said=told(request, user.name),
    )  # fmt: skip


@router.post("/queue/claim-next")
def claim_the_next(
    user: Reviewer, bench: BenchDep, desk: DeskDep, q: Annotated[str, Form()] = "", sort: Annotated[str, Form()] = ""
) -> Response:
    """Hold the first free row of a filter and open it."""
    return next_row(bench, desk.clock(), user, with_sort(q, sort_of(sort)), None)


def next_row(bench: BenchDep, now: dt.datetime, user: User, q: str, said: Said | None) -> Response:
    """Claim the next row of the filter and order in `q` and lead there; to the queue when there is none."""
    wanted, sort = filter_of(q)
    lease = claim_next(bench, user.name, now, wanted=wanted, sort=sort, adjudicator=user.role.may(Role.ADJUDICATOR))
    if lease is None:
        last = say("queue.nothing_left")
        token = keep(Said(f"{said.text} {last}" if said else last, said.row if said else "", bool(said and said.undo)), user.name)
        return RedirectResponse(f"/queue?{q}&{urlencode({'said': token})}", 303)
    return to_row(lease.row_id, q, user, said)


def to_row(row_id: str, q: str, user: User, said: Said | None = None, **more: str) -> Response:
    """Lead to the page of a row."""
    query = {"id": row_id, "q": q} | ({"said": keep(said, user.name)} if said else {}) | more
    return RedirectResponse(f"/row?{urlencode({name: value for name, value in query.items() if value})}", 303)


@router.get("/alike")
def alike(request: Request, user: Viewer, bench: BenchDep, desk: DeskDep) -> Response:
    """Groups of alike rows of low risk among those that a filter shows, largest first."""
    wanted, _ = filter_of(request.url.query)
    found = groups(bench, wanted, desk.clock(), most=MOST_GROUPS)
    query = wanted.to_query()
    return page(request, "alike.html.j2", groups=found, query=query, codes=bench.review.codes("confirm"), said=told(request, user.name))


@router.post("/queue/bulk")
def decide_group(
    user: Reviewer, bench: BenchDep, desk: DeskDep, group: Annotated[str, Form()], rows: Annotated[tuple[str, ...], Form()],
    reason_code: Annotated[str, Form()] = "", q: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Confirm all rows of a group of alike rows, each at the revision that was shown ("revision|row id")."""
    seen = [(row_id, int(number)) for number, _, row_id in (row.partition("|") for row in rows) if number.isdigit()]
    done = bulk(bench, group, seen, Kind.CONFIRM, user.name, desk.clock(), reason_code=reason_code)
    token = keep(Said(say("queue.bulk_done", n=len(done.outcomes), batch=done.batch)), user.name)
    return RedirectResponse(f"/alike?{q}&{urlencode({'said': token})}", 303)


@router.post("/queue/views")
def keep_view(
    user: Reviewer, bench: BenchDep, desk: DeskDep, name: Annotated[str, Form()], q: Annotated[str, Form()] = "",
    sort: Annotated[str, Form()] = "", shared: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Save the filters that are shown under a name."""
    wanted, _ = filter_of(q)
    order = sort_of(sort) or Sort.PRIORITY
    save_view(bench, SavedView(name=name, by=user.name, query=wanted.to_query(), sort=order, shared=shared == "yes"), desk.clock())
    return RedirectResponse(f"/queue?{with_sort(wanted.to_query(), order)}", 303)


@router.post("/queue/views/delete")
def delete_view(user: Reviewer, bench: BenchDep, desk: DeskDep, name: Annotated[str, Form()]) -> Response:
    """Forget a saved view."""
    drop_view(bench, name, user.name, desk.clock())
    return RedirectResponse("/queue", 303)


def filter_of(q: str) -> tuple[QueueFilter, Sort | None]:
    """The filter and order in the text of a query."""
    given = parse_qs(q, keep_blank_values=True)
    return QueueFilter.from_query(given), sort_of(_last(given, "sort"))


def sort_of(name: str) -> Sort | None:
    """An order by its name; None for the policy's."""
    return Sort(name) if name in set(Sort) else None


def with_sort(query: str, sort: Sort | None) -> str:
    """A filter's query with its order."""
    return "&".join(part for part in (query, urlencode({"sort": sort.value}) if sort else "") if part)


def left(until: object, now: dt.datetime) -> str:
    """For how long a lease holds on, in words."""
    end = until if isinstance(until, dt.datetime) else dt.datetime.fromisoformat(str(until))
    end = end if end.tzinfo else end.replace(tzinfo=dt.UTC)
    minutes = int((end - now).total_seconds() // 60)
    return say("common.minutes_left", n=minutes) if minutes >= 0 else say("common.ended")


def _last(given: dict[str, list[str]], name: str) -> str:
    values: Sequence[str] = given.get(name, ())
    return values[-1] if values else ""

"""Saved views of the queue: filters under a name, of one person or shared with all."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from s2r.access import Role, User
from s2r.reviews import SavedView, Sort, drop_view, save_view, saved_views
from s2r.web.api.queue import Filters
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import BenchDep
from s2r.web.paging import Listed
from s2r.web.problems import problems

router = APIRouter(prefix="/queue/views", tags=["review"])
Viewer = Annotated[User, Depends(needs(Role.VIEWER))]
Reviewer = Annotated[User, Depends(needs(Role.REVIEWER))]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class ViewWish(Filters):
    """Filters and an order to be kept under a name; `shared`: for all who may see the queue."""

    name: Name
    sort: Sort = Sort.PRIORITY
    shared: bool = False


class ViewName(BaseModel):
    """A view of one's own."""

    name: Name


class Forgotten(BaseModel):
    """The view that is no more."""

    name: str


@router.get("", summary="Saved views")
def read_views(user: Viewer, bench: BenchDep) -> Listed[SavedView]:
    """One's own views and those that others share, by name; `query` is that of the queue's address."""
    found = saved_views(bench, user.name)
    return Listed[SavedView](items=list(found), total=len(found))


@router.post("", summary="Save a view", responses=problems(400))
def keep_view(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: ViewWish) -> SavedView:
    """Keep filters under a name; one's own view of the same name is replaced."""
    view = SavedView(name=wish.name.strip(), by=user.name, query=wish.wanted().to_query(), sort=wish.sort, shared=wish.shared)
    save_view(bench, view, desk.clock())
    return view


@router.post("/delete", summary="Forget a view", responses=problems(404))
def forget_view(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: ViewName) -> Forgotten:
    """Forget a view of one's own."""
    drop_view(bench, wish.name, user.name, desk.clock())
    return Forgotten(name=wish.name)

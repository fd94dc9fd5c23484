"""The review queue: pages of it, claims, decisions, second reviews, adjudication, undo, alike rows at once, numbers, labels and files."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from s2r.access import Role, User
from s2r.models import Status
from s2r.reviews import (
    BulkOutcome,
    Decision,
    Dispute,
    Evidence,
    Group,
    Kind,
    Lease,
    Numbers,
    Outcome,
    QueueFilter,
    QueueItem,
    QueuePage,
    RowView,
    Sort,
    acts,
    adjudicate,
    bulk,
    claim,
    claim_next,
    decide,
    disagreements,
    draw_sample,
    fetch_page,
    groups,
    item,
    leases,
    locate,
    numbers,
    queue_page,
    release,
    renew,
    row_view,
    undo,
)
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import BenchDep
from s2r.web.paging import BIGGEST, MOST, Before, Limit, Listed, RowId
from s2r.web.problems import problems

router = APIRouter(prefix="/queue", tags=["review"])
Viewer = Annotated[User, Depends(needs(Role.VIEWER))]
Reviewer = Annotated[User, Depends(needs(Role.REVIEWER))]
Adjudicator = Annotated[User, Depends(needs(Role.ADJUDICATOR))]
Admin = Annotated[User, Depends(needs(Role.ADMIN))]
Row = Annotated[str, Field(min_length=1, max_length=500)]
Short = Annotated[str, Field(max_length=200)]
Many = Annotated[list[Annotated[str, Query(max_length=200)]] | None, Query(max_length=100)]


class Filters(BaseModel):
    """The filters of the queue, as in its addresses: several values of one field are alternatives, fields add up."""

    state: list[Short] = Field(default_factory=list, max_length=20)
    market: list[Short] = Field(default_factory=list, max_length=200)
    status: list[Short] = Field(default_factory=list, max_length=20)
    reason: list[Short] = Field(default_factory=list, max_length=50)
    route_reason: list[Short] = Field(default_factory=list, max_length=50)
    conflict: list[Short] = Field(default_factory=list, max_length=20)
    language: list[Short] = Field(default_factory=list, max_length=50)
    age: list[Short] = Field(default_factory=list, max_length=10)
    assignee: list[Short] = Field(default_factory=list, max_length=50)
    text: Short = ""
    group: Short = ""
    sample: Annotated[str, Field(pattern="^(yes|no)?$", description="yes, no, or empty for all")] = ""

    def wanted(self) -> QueueFilter:
        """The filter; raises ReviewError for a value that does not exist."""
        return QueueFilter.from_query(self.model_dump(include=set(Filters.model_fields)))


class QueueQuery(Filters):
    """Filters, order and place of a page."""

    sort: Sort | None = None
    cursor: Annotated[str, Field(max_length=2000, description="`next_cursor` of the page before")] = ""
    size: Annotated[int, Field(ge=1, le=MOST)] = 100
    facets: bool = True


class ClaimWish(BaseModel):
    """A row to hold. `minutes`: for how long, by default as the policy says."""

    row_id: Row
    minutes: float | None = Field(None, gt=0, le=24 * 60)


class NextWish(Filters):
    """Which rows may be given."""

    sort: Sort | None = None
    minutes: float | None = Field(None, gt=0, le=24 * 60)


class LeaseWish(BaseModel):
    """A lease that is held, by its token."""

    row_id: Row
    token: Short


class RenewWish(LeaseWish):
    """A lease that is to run longer."""

    minutes: float | None = Field(None, gt=0, le=24 * 60)


class Released(BaseModel):
    """Whether the lease was still held."""

    released: bool


class EvidenceWish(BaseModel):
    """A verbatim sentence of an archived page that proves `field`. Without `start` and `end` it is looked for in the page."""

    field: Annotated[str, Field(pattern="^(status|announcement_date|reason|disclosure_type)$")]
    exhibit: Annotated[str, Field(pattern="^sha256:[0-9a-f]{64}$")]
    quote: Annotated[str, Field(min_length=1, max_length=20_000)]
    start: Annotated[int, Field(ge=-1, le=BIGGEST)] = -1
    end: Annotated[int, Field(ge=-1, le=BIGGEST)] = -1
    url: Annotated[str, Field(max_length=2000)] = ""


class DecisionWish(BaseModel):
    """What a reviewer says of a row, having seen revision `seen`. `status`, `announcement_date` and `reason` count for `correct`: the whole
    answer. The same `key` again is the same decision, kept once; `lease` is the token of the lease, where there is one."""

    row_id: Row
    kind: Kind
    seen: Annotated[int, Field(ge=0, le=BIGGEST)]
    reason_code: Short = ""
    note: Annotated[str, Field(max_length=10_000)] = ""
    status: Status | None = None
    announcement_date: dt.date | None = None
    reason: Short | None = None
    disclosure_type: Short | None = None
    evidence: list[EvidenceWish] = Field(default_factory=list, max_length=20)
    key: Short = ""
    lease: Short = ""
    seconds: Annotated[float, Field(ge=0, le=1e7)] | None = None


class UndoWish(BaseModel):
    """A row whose last decision is to be taken back."""

    row_id: Row
    note: Annotated[str, Field(max_length=10_000)] = ""


class BulkRow(BaseModel):
    """A row of a group, and the revision that was seen."""

    row_id: Row
    seen: Annotated[int, Field(ge=0, le=BIGGEST)]


class BulkWish(BaseModel):
    """Rows of one group, all of which are decided alike or none is."""

    group: Short
    rows: list[BulkRow] = Field(min_length=1, max_length=1000)
    kind: Kind
    reason_code: Short
    note: Annotated[str, Field(max_length=10_000)] = ""


class FetchWish(BaseModel):
    """The address of a page that is to be evidence."""

    url: Annotated[str, Field(min_length=1, max_length=2000)]


class FetchedPage(BaseModel):
    """A page that was fetched and archived."""

    exhibit: str
    url: str
    title: str
    captured_at: dt.datetime
    length: int


class SampleWish(BaseModel):
    """How many accepted rows to draw for review, and the seed of the draw."""

    n: Annotated[int, Field(ge=1, le=100_000)]
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class Drawn(BaseModel):
    """How many rows were drawn."""

    drawn: int


class Act(BaseModel):
    """One act of the review log; `detail` is JSON text."""

    id: int
    at: str
    author: str
    act: str
    row_id: str
    detail: str


@router.get("", summary="A page of the queue", responses=problems(400))
def read_queue(user: Viewer, bench: BenchDep, desk: DeskDep, query: Annotated[QueueQuery, Query()]) -> QueuePage:
    """Rows that wait for review (or of any `state`), filtered and sorted, with exact counts of every facet."""
    return queue_page(
        bench, query.wanted(), desk.clock(), sort=query.sort, cursor=query.cursor, size=query.size, facets=query.facets
    )  # fmt: skip


@router.get("/row", summary="A row as this user may see it", responses=problems(404))
def read_row(user: Viewer, bench: BenchDep, desk: DeskDep, row_id: RowId) -> RowView:
    """The record to be judged, the vendor's rows, revisions and decisions; to a second reviewer nothing of the first decision."""
    return row_view(bench, row_id, user.name, desk.clock(), adjudicator=user.role.may(Role.ADJUDICATOR))


@router.get("/item", summary="A row of the queue", responses=problems(404))
def read_item(user: Viewer, bench: BenchDep, desk: DeskDep, row_id: RowId) -> QueueItem:
    """Where a row stands: state, assignee, risk, priority."""
    return item(bench, row_id, desk.clock())


@router.get("/leases", summary="Own leases")
def own_leases(user: Reviewer, bench: BenchDep, desk: DeskDep) -> Listed[Lease]:
    """The rows that this user holds, soonest to end first."""
    found = leases(bench, desk.clock(), user.name)
    return Listed[Lease](items=list(found), total=len(found))


@router.post("/claim", summary="Hold a row", responses=problems(400, 404, 409))
def claim_row(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: ClaimWish) -> Lease:
    """Hold a waiting row; who holds it already gets the same lease, extended."""
    adjudicator = user.role.may(Role.ADJUDICATOR)
    return claim(bench, wish.row_id, user.name, desk.clock(), wish.minutes, adjudicator=adjudicator)


@router.post("/next", summary="Hold the next row", responses=problems(400))
def claim_next_row(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: NextWish) -> Lease | None:
    """Hold the first free row of the filter that this user may decide; null when there is none."""
    adjudicator = user.role.may(Role.ADJUDICATOR)
    return claim_next(
        bench, user.name, desk.clock(), wanted=wish.wanted(), sort=wish.sort, minutes=wish.minutes, adjudicator=adjudicator
    )  # fmt: skip


@router.post("/renew", summary="Hold a row for longer", responses=problems(400, 409))
def renew_lease(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: RenewWish) -> Lease:
    """Extend a lease by its token."""
    return renew(bench, wish.row_id, wish.token, desk.clock(), wish.minutes)


@router.post("/release", summary="Give a row back")
def release_row(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: LeaseWish) -> Released:
    """Give a row back by the token of its lease."""
    return Released(released=release(bench, wish.row_id, wish.token, desk.clock()))


@router.post("/decide", summary="Decide a row", responses=problems(400, 404, 409))
def decide_row(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: DecisionWish) -> Outcome:
    """Confirm, correct, reject, or say that it cannot be decided: the first or the second review of a row, or as an adjudicator the last
    word. 409 with `newer` when another revision stands than the one that was seen."""
    return decide(bench, _decision(bench, wish, user), desk.clock(), adjudicator=user.role.may(Role.ADJUDICATOR))


@router.get("/disagreements", summary="Rows for an adjudicator")
def read_disagreements(user: Adjudicator, bench: BenchDep, desk: DeskDep) -> Listed[Dispute]:
    """Rows on which two reviewers differ, or that one could not decide, with what they said."""
    found = disagreements(bench, desk.clock())
    return Listed[Dispute](items=list(found), total=len(found))


@router.post("/adjudicate", summary="Settle a row", responses=problems(400, 404, 409))
def adjudicate_row(user: Adjudicator, bench: BenchDep, desk: DeskDep, wish: DecisionWish) -> Outcome:
    """The last word on a row that is in dispute, by none of those who decided it."""
    return adjudicate(bench, _decision(bench, wish, user), desk.clock())


@router.post("/undo", summary="Take a decision back", responses=problems(400, 404, 409))
def undo_row(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: UndoWish) -> Outcome:
    """Take back the last decision of a row, one's own or as an adjudicator any; a new revision says what stood before."""
    return undo(bench, wish.row_id, user.name, desk.clock(), note=wish.note, adjudicator=user.role.may(Role.ADJUDICATOR))


@router.post("/groups", summary="Rows that are alike", responses=problems(400))
def read_groups(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: Filters) -> Listed[Group]:
    """Groups of low-risk rows that say the same for the same reasons and may be decided at once, largest first."""
    found = groups(bench, wish.wanted(), desk.clock())
    return Listed[Group](items=list(found), total=len(found))


@router.post("/bulk", summary="Decide rows that are alike", responses=problems(400, 409))
def decide_group(user: Reviewer, bench: BenchDep, desk: DeskDep, wish: BulkWish) -> BulkOutcome:
    """Decide rows of one group: all of them or none; each is a decision of its own."""
    rows = [(row.row_id, row.seen) for row in wish.rows]
    return bulk(bench, wish.group, rows, wish.kind, user.name, desk.clock(), reason_code=wish.reason_code, note=wish.note)


@router.post("/fetch", summary="Fetch and archive a page", responses=problems(400))
async def fetch(request: Request, user: Reviewer, bench: BenchDep, desk: DeskDep, wish: FetchWish) -> FetchedPage:
    """Fetch a page and archive it, so that a sentence of it can be evidence. Private addresses are refused."""
    got = await fetch_page(bench, wish.url, user.name, desk.settings, desk.clock)
    return FetchedPage(exhibit=got.exhibit, url=got.url, title=got.title, captured_at=got.captured_at, length=len(got.page.text))


@router.get("/numbers", summary="Numbers of review")
def read_numbers(user: Viewer, bench: BenchDep, desk: DeskDep, days: Annotated[int, Query(ge=1, le=366)] = 14) -> Numbers:
    """Depth, shares, error of accepted records, agreement of reviewers, pace and cost, each with its count and interval."""
    return numbers(bench, desk.clock(), days=days)


@router.post("/sample", summary="Draw accepted rows for review")
def draw(user: Admin, bench: BenchDep, desk: DeskDep, wish: SampleWish) -> Drawn:
    """Draw accepted rows at random, so that reviewers tell how often the audit errs where nobody looks."""
    return Drawn(drawn=draw_sample(bench, wish.n, wish.seed, user.name, desk.clock()))


@router.get("/log", summary="Log of reviews")
def review_log(
    user: Adjudicator, bench: BenchDep, row_id: Annotated[str, Query(max_length=500)] = "", before: Before = None, limit: Limit = 100
) -> list[Act]:
    """Every claim, decision, undo and bulk act, newest first; of one row when given. `before` is the `id` where the last page ended."""
    return [Act.model_validate(act) for act in acts(bench, row_id=row_id, before=before or 0, size=limit)]


def _decision(bench: BenchDep, wish: DecisionWish, user: User) -> Decision:
    """The decision of a user, with the place of each quote in its page."""
    given = wish.model_dump(exclude={"evidence"})
    return Decision.model_validate(given | {"by": user.name, "evidence": tuple(_evidence(bench, one) for one in wish.evidence)})


def _evidence(bench: BenchDep, wish: EvidenceWish) -> Evidence:
    if 0 <= wish.start < wish.end:
        return Evidence.model_validate(wish.model_dump())
    return locate(bench, wish.field, wish.exhibit, wish.quote, url=wish.url)

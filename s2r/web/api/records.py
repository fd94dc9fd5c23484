"""Records: lists, one record as it is or was, its history, and the runs that made them."""

from __future__ import annotations

import datetime as dt
import json
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel
from starlette.responses import Response

from s2r.access import Role
from s2r.models import Record, Route, Status
from s2r.store.browse import Wanted, count_records, record_lines, run_lines, run_manifest
from s2r.web.guard import StoreDep, needs
from s2r.web.paging import After, Limit, Listed, RowId
from s2r.web.problems import Problem, problems

router = APIRouter(tags=["records"], dependencies=[Depends(needs(Role.VIEWER))])


class RecordLine(BaseModel):
    """A current record in outline. `number` is its revision, `created_at` (UTC) when that was written, by `author`."""

    row_id: str
    number: int
    status: Status
    route: Route
    author: str
    created_at: dt.datetime
    run_id: str
    issuer: str
    security: str
    mic: str
    cutoff: dt.date
    reason: str | None
    announcement_date: dt.date | None
    package: str
    confidence: float
    error: str | None


class RevisionLine(BaseModel):
    """One revision of a row."""

    number: int
    author: str
    why: str
    created_at: dt.datetime
    status: str
    route: str


class CheckLine(BaseModel):
    """One look at a row: the revision that stood afterwards, why it was looked at, and what came of it."""

    number: int
    run_id: str
    why: str
    outcome: str
    note: str
    checked_at: dt.datetime


class History(BaseModel):
    """All that happened to a row, oldest first."""

    row_id: str
    revisions: list[RevisionLine]
    checks: list[CheckLine]


class RunLine(BaseModel):
    """A run of the folder; `records` are current records that it made."""

    run_id: str
    started_at: dt.datetime
    version: str
    policy: str
    records: int


@router.get("/records", summary="Current records")
def list_records(
    store: StoreDep,
    after: After = "",
    limit: Limit = 100,
    status: Status | None = None,
    route: Route | None = None,
    run_id: Annotated[str, Query(max_length=200)] = "",
    since: Annotated[dt.datetime | None, Query(description="Written at or after this moment (UTC when it has no offset).")] = None,
) -> Listed[RecordLine]:
    """Current records in order of their row ids, page by page."""
    wanted = Wanted(status.value if status else "", route.value if route else "", run_id, _stamp(since) if since else "")
    lines = record_lines(store, wanted, after=after, size=limit + 1)
    items = [RecordLine.model_validate(line) for line in lines[:limit]]
    return Listed[RecordLine](items=items, total=count_records(store, wanted), next=items[-1].row_id if len(lines) > limit else None)


@router.get("/record", summary="One record", response_model=Record, responses=problems(404))
def one_record(
    store: StoreDep,
    row_id: RowId,
    as_of: Annotated[dt.datetime | None, Query(description="As it was believed at this moment (UTC when it has no offset).")] = None,
) -> Response:
    """The current record of a row, or the one that stood at a moment, in the form of records.jsonl."""
    record = store.current(row_id) if as_of is None else store.as_of(row_id, _utc(as_of))
    if record is None:
        _known(store, row_id)
        raise Problem(404, f"Nothing was known of {row_id} at that moment.", "Its first revision is in /api/v1/record/history.")
    return Response(record.model_dump_json(), media_type="application/json")


@router.get("/record/history", summary="Revisions and looks", responses=problems(404))
def history(store: StoreDep, row_id: RowId) -> History:
    """Every revision of a row and every time it was looked at."""
    _known(store, row_id)
    revisions = [RevisionLine.model_validate(line) for line in store.history(row_id)]
    return History(row_id=row_id, revisions=revisions, checks=[CheckLine.model_validate(line) for line in store.checks(row_id)])


@router.get("/runs", summary="Runs")
def list_runs(store: StoreDep) -> Listed[RunLine]:
    """Every run of the folder, newest first."""
    items = [RunLine.model_validate(line) for line in run_lines(store)]
    return Listed[RunLine](items=items, total=len(items))


@router.get("/run", summary="Manifest of a run", responses=problems(404))
def one_run(store: StoreDep, run_id: Annotated[str, Query(min_length=1, max_length=200)]) -> dict[str, object]:
    """What a run was started with: settings without secrets, policy, sources, limits."""
    manifest = run_manifest(store, run_id)
    if manifest is None:
        raise Problem(404, f"There is no run {run_id}.", "GET /api/v1/runs lists all.")
    found = json.loads(manifest)
    return found if isinstance(found, dict) else {}


def _known(store: StoreDep, row_id: str) -> None:
    if not store.history(row_id):
        raise Problem(404, f"There is no row {row_id}.", "GET /api/v1/records lists all.")


def _utc(moment: dt.datetime) -> dt.datetime:
    """A moment in UTC; years that no clock of ours has are brought to those that have a UTC form."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    try:
        return aware.astimezone(dt.UTC)
    except OverflowError:
        return dt.datetime(9999 if moment.year > 2000 else 1, 1, 1, tzinfo=dt.UTC)


def _stamp(moment: dt.datetime) -> str:
    return _utc(moment).isoformat()

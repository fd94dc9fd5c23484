"""The review queue as a table: export of what a filter shows, import of an edited export."""

from __future__ import annotations

import datetime as dt
import tempfile
from dataclasses import asdict
from pathlib import Path, PurePath
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Query, UploadFile
from pydantic import BaseModel
from starlette.responses import Response, StreamingResponse

from s2r.access import Role, User
from s2r.errors import InputError
from s2r.reviews import Sort, Workbench, export_rows, import_decisions
from s2r.reviews.bench import log
from s2r.reviews.exchange import ImportOutcome
from s2r.web.api.queue import Filters
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import BenchDep
from s2r.web.pages.tables import NAME, csv_lines
from s2r.web.problems import Problem, problem_response, problems

router = APIRouter(prefix="/queue", tags=["review"])


class ExportQuery(Filters):
    """Filters and order of an export."""

    sort: Sort | None = None


class FaultLine(BaseModel):
    """What is wrong with one row of an edited file."""

    number: int
    row_id: str
    column: str
    problem: str


class Imported(BaseModel):
    """What an import did: rows with a decision, how many were kept, known already (`again`), and refused with their cause."""

    rows: int
    kept: int
    again: int
    empty: int
    faults: list[FaultLine]
    states: dict[str, int]
    batch: str


@router.get(
    "/export",
    summary="The queue as CSV",
    response_class=Response,
    responses=problems(400)
    | {200: {"content": {"text/csv": {}}, "description": "All rows of the filter; the last columns take decisions."}},
)
def export(
    user: Annotated[User, Depends(needs(Role.VIEWER))], bench: BenchDep, desk: DeskDep, query: Annotated[ExportQuery, Query()]
) -> Response:
    """Every row that the filter shows, in its order, as a stream; no cell is run by a spreadsheet."""
    wanted, now = query.wanted(), desk.clock()
    log(bench, now, user.name, "export", filter=wanted.to_query(), file=f"{NAME}.csv")
    headers = {"Content-Disposition": f'attachment; filename="{NAME}.csv"'}
    lines = csv_lines(export_rows(bench, wanted, now, sort=query.sort or Sort(bench.review.queue.sort)))
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/import", summary="Import an edited export", response_model=Imported, responses=problems(400, 413, 422))
def import_table(
    user: Annotated[User, Depends(needs(Role.REVIEWER))],
    bench: BenchDep,
    desk: DeskDep,
    file: Annotated[UploadFile, File(description="CSV or XLSX, as it was exported, with decisions filled in.")],
    partial: Annotated[bool, Form(description="Keep the rows that are right even when others are not.")] = False,
) -> Response | Imported:
    """Keep the decisions of an edited export, all or none, or with `partial` those that are right. The same file again adds nothing; a row
    of which another revision stands by now is refused."""
    try:
        done = _import(bench, file, user, desk.clock(), partial)
    except InputError as exc:
        raise Problem(422, exc.message, exc.advice) from exc
    faults = [FaultLine.model_validate(asdict(fault)) for fault in done.faults]
    if faults and not partial:
        told = [{"where": f"row {fault.number}, {fault.column}", "problem": fault.problem, "row_id": fault.row_id} for fault in faults]
        return problem_response(422, f"{len(faults)} rows cannot be kept, so none was.", "Correct what `faults` names.", faults=told)
    return Imported(
        rows=done.rows, kept=done.kept, again=done.again, empty=done.empty, faults=faults, states=done.states, batch=done.batch
    )  # fmt: skip


def _import(bench: Workbench, file: UploadFile, user: User, now: dt.datetime, partial: bool) -> ImportOutcome:
    """Import a file that was sent; its name says no more than what kind it is."""
    suffix = PurePath((file.filename or "").replace("\\", "/")).suffix.lower()
    with tempfile.TemporaryDirectory(prefix="s2r-") as folder:
        path = Path(folder) / f"import{suffix if suffix in ('.csv', '.xlsx') else '.csv'}"
        path.write_bytes(file.file.read())
        return import_decisions(bench, path, user.name, now, partial=partial, adjudicator=user.role.may(Role.ADJUDICATOR))

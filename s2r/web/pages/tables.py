"""What is on screen as a table, and an edited table back as decisions."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path, PurePath
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, File, Form, Request, UploadFile
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response, StreamingResponse

from s2r.access import Role, User
from s2r.errors import InputError
from s2r.reviews import Sort, export_queue, export_rows, import_decisions
from s2r.reviews.bench import log
from s2r.reviews.exchange import COLUMNS
from s2r.web.guard import DeskDep, needs
from s2r.web.pages.bench import BenchDep
from s2r.web.pages.queue import filter_of, sort_of
from s2r.web.pages.route import PageRoute
from s2r.web.problems import Problem
from s2r.web.render import page

router = APIRouter(route_class=PageRoute, include_in_schema=False)
Viewer = Annotated[User, Depends(needs(Role.VIEWER))]
Reviewer = Annotated[User, Depends(needs(Role.REVIEWER))]
NAME = "review-queue"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TOGETHER = 200  # lines sent at once


@router.get("/export")
def export(request: Request, user: Viewer, bench: BenchDep, desk: DeskDep, format: str = "csv") -> Response:
    """Exactly the rows of a page of the queue, in its order, all pages of it: CSV as a stream, or XLSX."""
    given = parse_qs(request.url.query, keep_blank_values=True)
    wanted, sort = filter_of(request.url.query)
    sort, now = sort_of((given.get("sort") or [""])[-1]) or Sort(bench.review.queue.sort), desk.clock()
    if format == "csv":
        log(bench, now, user.name, "export", filter=wanted.to_query(), file=f"{NAME}.csv")
        headers = {"Content-Disposition": f'attachment; filename="{NAME}.csv"'}
        return StreamingResponse(
            csv_lines(export_rows(bench, wanted, now, sort=sort)), media_type="text/csv; charset=utf-8", headers=headers
        )
    if format == "xlsx":
        with tempfile.NamedTemporaryFile(prefix="s2r-", suffix=".xlsx", delete=False) as made:
            target = Path(made.name)
        gone = BackgroundTask(target.unlink, missing_ok=True)
        export_queue(bench, wanted, target, now, user.name, sort=sort)
        return FileResponse(target, media_type=XLSX, filename=f"{NAME}.xlsx", background=gone)
    raise Problem(422, f"{format!r} is no kind of table.", "Ask for csv or xlsx.")


def csv_lines(rows: Iterable[list[str]]) -> Iterator[str]:
    """A CSV in pieces, with the mark by which spreadsheets know UTF-8."""
    yield "\ufeff"
    yield _written([list(COLUMNS)])
    found = iter(rows)
    while part := list(islice(found, TOGETHER)):
        yield _written(part)


def _written(rows: Iterable[list[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()


@router.get("/exchange")
def exchange_page(request: Request, _: Viewer, bench: BenchDep) -> Response:
    """Export and import."""
    return page(request, "tables.html.j2", done=None, fault="", name="", codes=bench.review.reason_code)


@router.post("/exchange")
def import_table(
    request: Request,
    user: Reviewer,
    bench: BenchDep,
    desk: DeskDep,
    file: Annotated[UploadFile, File()],
    partial: Annotated[str, Form()] = "",
) -> Response:
    """Keep the decisions of an edited export, all or none; with `partial` those that are right. Faults name row and column."""
    name = PurePath((file.filename or "").replace("\\", "/")).name
    suffix = PurePath(name).suffix.lower()
    done, fault = None, ""
    with tempfile.TemporaryDirectory(prefix="s2r-") as folder:
        path = Path(folder) / f"import{suffix if suffix in ('.csv', '.xlsx') else '.csv'}"
        path.write_bytes(file.file.read())
        try:
            adjudicator = user.role.may(Role.ADJUDICATOR)
            done = import_decisions(bench, path, user.name, desk.clock(), partial=partial == "yes", adjudicator=adjudicator, called=name)
        except InputError as exc:
            fault = f"{exc.message}. {exc.advice}"
    status = 422 if fault or (done and done.faults) else 200
    return page(request, "tables.html.j2", status=status, done=done, fault=fault, name=name, codes=bench.review.reason_code)

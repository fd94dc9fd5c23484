"""Challenges to vendors: the comparisons of the run folder, and the challenges that were written, with quotes and texts to send."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from s2r.access import Role
from s2r.vendor.summary import Summary, read_summary, summaries
from s2r.web.desk import WebDesk
from s2r.web.guard import DeskDep, needs
from s2r.web.paging import After, Limit, Listed, RowId
from s2r.web.problems import Problem, problems

router = APIRouter(tags=["challenges"], dependencies=[Depends(needs(Role.VIEWER))])


class Challenge(BaseModel):
    """One challenge, as in challenges.csv: each field is text, "" where there is none."""

    model_config = {"extra": "allow"}

    challenge: str
    kind: str
    vendor: str
    vendor_row: str
    row_id: str
    issuer: str
    field: str
    vendor_value: str
    our_value: str
    why: str
    ready: str
    text: str


@router.get("/vendors", summary="Comparisons with vendors")
def list_vendors(desk: DeskDep) -> Listed[Summary]:
    """The numbers of each vendor whose feed was compared."""
    items = summaries(desk.out)
    return Listed[Summary](items=items, total=len(items))


@router.get("/vendors/{vendor}/challenges", summary="Challenges to a vendor", responses=problems(404))
def list_challenges(desk: DeskDep, vendor: str, after: After = "", limit: Limit = 100, kind: str = "") -> Listed[Challenge]:
    """Challenges in the order of the file; `kind` is wrong_date, missing_in_vendor, ..."""
    folder = next((folder for folder in _folders(desk) if folder.name == vendor), None)
    if folder is None or read_summary(folder) is None:
        raise Problem(404, f"No feed of {vendor} was compared.", "GET /api/v1/vendors lists those that were.")
    start = int(after) if after.isascii() and after.isdigit() and len(after) < 10 else 0
    items: list[Challenge] = []
    total = 0
    for line in _lines(folder / "challenges.csv"):
        if kind and line.get("kind") != kind:
            continue
        if start <= total < start + limit:
            items.append(Challenge.model_validate(line))
        total += 1
    return Listed[Challenge](items=items, total=total, next=str(start + limit) if start + limit < total else None)


@router.get("/record/challenges", summary="Challenges about a record")
def of_record(desk: DeskDep, row_id: RowId) -> Listed[Challenge]:
    """Every challenge to any vendor about one row."""
    found = (line for folder in _folders(desk) if read_summary(folder) for line in _lines(folder / "challenges.csv"))
    items = [Challenge.model_validate(line) for line in found if line.get("row_id") == row_id]
    return Listed[Challenge](items=items, total=len(items))


def _folders(desk: WebDesk) -> list[Path]:
    """Folders of vendors; the names in addresses are compared with them, and never become a path."""
    return sorted(path for path in (desk.out / "vendor").glob("*") if path.is_dir())


def _lines(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as fh:
            for line in csv.DictReader(fh):
                yield {str(name): value or "" for name, value in line.items() if isinstance(value, str | None)}
    except OSError:
        return

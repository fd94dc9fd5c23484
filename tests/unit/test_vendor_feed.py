"""A vendor's file to rows: forms of dates, codes, keys, and faults that are named by row and column or stop the comparison as a whole."""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook

from s2r.errors import InputError, PolicyError
from s2r.policy import Policy
from s2r.policy.vendors import VendorFormat, form_problem, load_vendor, shape_of
from s2r.vendor import Feed, Says, read_feed
from s2r.vendor.dateforms import parse_day

ROW = {
    "vendor_id": "V1", "issuer": "Alderwick Instruments Inc.", "security": "Common Stock", "security_type": "common", "ticker": "ALDQ",
    "mic": "XNAS", "isin": "US0378331005", "status": "delisted", "reason": "voluntary", "announcement_date": "2019-05-04",
    "updated": "2020-12-30",
}  # fmt: skip


def row(number: int = 1, **cells: str) -> dict[str, str]:
    """A row of a feed in the plain form; rows of different numbers are different listings."""
    return ROW | {"vendor_id": f"V{number}", "ticker": f"ALD{number}", "isin": ""} | cells


def write(path: Path, rows: Sequence[Mapping[str, object]], *, sep: str = ",") -> Path:
    """Rows as CSV, XLSX or JSON lines, by the name of the file."""
    names = list(dict.fromkeys(name for found in rows for name in found))
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(found, ensure_ascii=False) + "\n" for found in rows), "utf-8")
    elif path.suffix == ".xlsx":
        book = Workbook()
        sheet = book.active
        assert sheet is not None
        sheet.append(names)
        for found in rows:
            sheet.append([found.get(name) for name in names])
        book.save(path)
    else:
        with path.open("w", encoding="utf-8", newline="") as fh:
            writer = csv.DictWriter(fh, fieldnames=names, delimiter=sep)
            writer.writeheader()
            writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def plain(policies: Path) -> VendorFormat:
    """The vendor file `plain`."""
    return load_vendor("plain", policies)


def read(tmp_path: Path, rows: Sequence[Mapping[str, object]], given: VendorFormat, policy: Policy, name: str = "feed.csv") -> Feed:
    """The rows, written and read."""
    return read_feed(write(tmp_path / name, rows), given, policy)


# ---- formats ----


@pytest.mark.parametrize("name", ["feed.csv", "feed.xlsx", "feed.jsonl"])
def test_all_formats_give_the_same_rows(name: str, tmp_path: Path, plain: VendorFormat, policy: Policy) -> None:
    """A feed reads the same as CSV, XLSX and JSON lines; identifiers stay text."""
    feed = read(tmp_path, [row(1, ticker="000973", cik="0000012345"), row(2)], plain, policy, name)
    assert [(r.ticker, r.cik, r.mic, r.announced) for r in feed.rows] == [
        ("000973", "0000012345", "XNAS", dt.date(2019, 5, 4)),
        ("ALD2", "", "XNAS", dt.date(2019, 5, 4)),
    ]
    assert feed.delivered == dt.date(2020, 12, 30)
    assert feed.issues == ()


def test_parquet_reads_too(tmp_path: Path, plain: VendorFormat, policy: Policy) -> None:
    """A Parquet file with a real date column needs no form of its own."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    found = row(1) | {"announcement_date": dt.date(2019, 5, 4)}
    parquet.write_table(arrow.table({name: [value] for name, value in found.items()}), tmp_path / "feed.parquet")
    assert read_feed(tmp_path / "feed.parquet", plain, policy).rows[0].announced == dt.date(2019, 5, 4)


def test_json_lines_keep_the_digits_of_numbers(tmp_path: Path, plain: VendorFormat, policy: Policy) -> None:
    """A number in JSON is the text that was written; a missing key is an empty cell."""
    path = tmp_path / "feed.jsonl"
    first = json.dumps(row(1))[:-1] + ', "cik": 1000234567890123456789}'
    path.write_text(f"{first}\n\n{json.dumps(row(2))}\n", "utf-8")
    feed = read_feed(path, plain, policy)
    assert [(r.number, r.cik) for r in feed.rows] == [(1, "1000234567890123456789"), (3, "")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"issuer": "A", "issuer": "B"}', "stands twice"),
        ('{"issuer": ["A"]}', "is nested"),
        ('{"issuer": "A"', "is no JSON"),
        ("[1]", "is no JSON object"),
    ],
)
def test_a_line_that_is_no_plain_object_is_named(line: str, said: str, tmp_path: Path, plain: VendorFormat, policy: Policy) -> None:
    """JSON lines that cannot be a row stop with their line."""
    path = tmp_path / "feed.jsonl"
    path.write_text(f"{json.dumps(row(1))}\n{line}\n", "utf-8")
    with pytest.raises(InputError, match=said) as caught:
        read_feed(path, plain, policy)
    assert "line 2" in str(caught.value)


# ---- dates ----


@pytest.mark.parametrize(
    ("form", "text", "day"),
    [
        ("YYYY-MM-DD", "2019-05-04", (2019, 5, 4)),
        ("YYYY-MM-DD", "2019-02-30", None),
        ("YYYYMMDD", "20190504", (2019, 5, 4)),
        ("YYYYMMDD", "2019054", None),
        ("DD/MM/YYYY", "4/5/2019", (2019, 5, 4)),
        ("MM/DD/YYYY", "5/13/2019", (2019, 5, 13)),
        ("DD/MM/YYYY", "5/13/2019", None),
        ("D MMM YYYY", "4 May 2019", (2019, 5, 4)),
        ("DD-MMM-YYYY", "04-SEP-2019", (2019, 9, 4)),
        ("DDMMMYYYY", "04SEP2019", (2019, 9, 4)),
        ("MMMM DD, YYYY", "September 4, 2019", (2019, 9, 4)),
        ("YYYY-MM-DDThh:mm:ssZ", "2019-05-04T23:10:09Z", (2019, 5, 4)),
        ("YYYY-MM-DD", "2019-05-04T23:10:09Z", None),
        ("YYYY-MM-DD", "２０１９-05-04", None),
    ],
)
def test_a_cell_is_a_day_in_its_form_only(form: str, text: str, day: tuple[int, int, int] | None) -> None:
    """Each form reads its own cells and no others."""
    assert parse_day(text, form) == (dt.date(*day) if day else None)


def test_months_and_days_are_never_guessed(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """In a column of DD/MM/YYYY one cell that can only be MM/DD/YYYY stops the comparison, with both rows."""
    given = plain.model_copy(update={"dates": {"default": ("DD/MM/YYYY",), "as_of": ("YYYY-MM-DD",)}})
    rows = [row(1, announcement_date="25/04/2019"), row(2, announcement_date="05/06/2019"), row(3, announcement_date="04/25/2019")]
    with pytest.raises(InputError, match="mixes forms") as caught:
        read(tmp_path, rows, given, policy)
    assert "row 2 '25/04/2019'" in str(caught.value)
    assert "row 4 '04/25/2019'" in str(caught.value)


def test_a_column_in_another_form_is_told(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """When all cells have a form that the policy does not name, the error says which one."""
    with pytest.raises(InputError, match=r"written DD\.MM\.YYYY .*, not YYYY-MM-DD"):
        read(tmp_path, [row(1, announcement_date="25.04.2019"), row(2, announcement_date="05.06.2019")], plain, policy)


def test_a_file_may_use_one_of_several_forms_but_not_two(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """Alternatives are for files, not for cells."""
    given = plain.model_copy(update={"dates": {"default": ("YYYY-MM-DD", "YYYYMMDD")}})
    for day in ("2019-05-04", "20190504"):
        assert read(tmp_path, [row(1, announcement_date=day)], given, policy).rows[0].announced == dt.date(2019, 5, 4)
    with pytest.raises(InputError, match="mixes forms"):
        read(tmp_path, [row(1, announcement_date="2019-05-04"), row(2, announcement_date="20190504")], given, policy)


def test_dates_of_a_workbook_and_text_dates_are_not_mixed(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """A real date cell beside a text cell of another form is a mixed column."""
    given = plain.model_copy(update={"dates": {"default": ("DD/MM/YYYY",), "as_of": ("YYYY-MM-DD",)}})
    real = row(1) | {"announcement_date": dt.date(2019, 5, 4)}
    assert read(tmp_path, [real], given, policy, "a.xlsx").rows[0].announced == dt.date(2019, 5, 4)
    with pytest.raises(InputError, match="mixes forms"):
        read(tmp_path, [real, row(2, announcement_date="05/06/2019")], given, policy, "b.xlsx")


# ---- defects of rows ----


@pytest.mark.parametrize(
    ("cells", "column", "said", "advice"),
    [
        ({"announcement_date": "2019-02-30"}, "announcement_date", "no day of the calendar", "empty"),
        ({"announcement_date": "soon"}, "announcement_date", "not written YYYY-MM-DD", "empty"),
        ({"status": "gone"}, "status", "the code 'gone' is not known", "[codes] of vendors/plain.toml"),
        ({"status": ""}, "status", "the code is missing", "[codes]"),
        ({"mic": ""}, "", "no key is complete", "isin+mic"),
    ],
)
def test_a_row_that_cannot_be_read_is_set_apart_with_its_defect(
    cells: dict[str, str], column: str, said: str, advice: str, tmp_path: Path, policy: Policy, plain: VendorFormat
) -> None:
    """The rest of the feed is read; the defect names row, column and what to do."""
    feed = read(tmp_path, [row(1), row(2, **cells), row(3)], plain, policy)
    assert [r.row for r in feed.rows] == ["V1", "V3"]
    assert [r.row for r in feed.broken] == ["V2"]
    (issue,) = [i for i in feed.issues if i.severity == "rejected"]
    assert (issue.row_number, issue.row_id, issue.column) == (3, "V2", column)
    assert said in issue.problem
    assert advice in issue.advice


def test_small_defects_are_warnings(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """A mistyped ISIN and an unknown reason leave the row usable."""
    feed = read(tmp_path, [row(1, isin="US0378331006", reason="fraud")], plain, policy)
    assert [(i.column, i.severity) for i in feed.issues] == [("isin", "warning"), ("reason", "warning")]
    assert feed.rows[0].reasons == ()


# ---- the feed as a whole ----

WHOLE = {
    "renamed": ([{("announce_dt" if k == "announcement_date" else k): v for k, v in row(1).items()}], "announcement_date", "announce_dt"),
    "twice": ([row(1), row(2, ticker="ALD1")], "rows 2 and 3 have one key", "ald1"),
    "broken": ([row(n, status="gone") for n in range(1, 4)], "3 of 3 rows cannot be read", "gone"),
}


@pytest.mark.parametrize("fault", WHOLE)
def test_a_feed_with_a_fault_of_its_own_is_refused(fault: str, tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """Renamed columns, a key used twice and a file of broken rows stop with the place and what to do."""
    rows, said, shown = WHOLE[fault]
    with pytest.raises(InputError, match=said) as caught:
        read(tmp_path, rows, plain, policy)
    assert shown in str(caught.value)
    assert "nothing was compared" in str(caught.value).lower()


@pytest.mark.parametrize(("content", "said"), [("", "is empty"), (",".join(ROW) + "\n", "no rows")])
def test_an_empty_feed_is_refused(content: str, said: str, tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """An empty file and a header alone are no feed: else every record would be missing in it."""
    path = tmp_path / "feed.csv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=said):
        read_feed(path, plain, policy)


def test_an_empty_feed_names_what_it_needs(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """The message speaks of the vendor's feed, not of a universe."""
    (tmp_path / "feed.csv").write_text("", "utf-8")
    with pytest.raises(InputError, match="announcement_date"):
        read_feed(tmp_path / "feed.csv", plain, policy)
    with pytest.raises(InputError, match="path of the vendor feed"):
        read_feed(tmp_path / "none.csv", plain, policy)


def test_optional_columns_may_be_absent(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """Columns that the policy calls optional are not missed, others are."""
    found = {name: value for name, value in row(1).items() if name not in ("vendor_id", "security", "security_type", "updated")}
    assert read(tmp_path, [found], plain, policy).rows[0].issuer == ROW["issuer"]
    del found["isin"]
    with pytest.raises(InputError, match="'isin'"):
        read(tmp_path, [found], plain, policy)


def test_several_columns_of_one_field_and_codes_of_venues(tmp_path: Path, policy: Policy, plain: VendorFormat) -> None:
    """The first filled column counts; the vendor's code or name of an exchange becomes its MIC."""
    columns = plain.columns | {"announced": ("announcement_date", "filed"), "venue": "exchange"}
    given = plain.model_copy(update={"columns": columns, "mics": {"Q": "XNAS"}, "optional": (*plain.optional, "mic")})
    rows = [
        row(1, announcement_date="", filed="2019-05-07", exchange="Q") | {"mic": ""},
        row(2, filed="", exchange="New York Stock Exchange") | {"mic": ""},
    ]
    found = read(tmp_path, rows, given, policy).rows
    assert [(r.mic, r.announced) for r in found] == [("XNAS", dt.date(2019, 5, 7)), ("XNYS", dt.date(2019, 5, 4))]


# ---- templates ----

CODES = [
    ("iso-caev", "DLST", Says.EVENT, ()),
    ("iso-caev", "MRGR", Says.EVENT, ("merger_acquisition",)),
    ("iso-caev", "MCAL", Says.EVENT, ("expiry_redemption",)),
    ("iso-caev", "REDM", Says.EVENT, ("expiry_redemption",)),
    ("iso-caev", "TEND", Says.PENDING, ("merger_acquisition",)),
    ("iso-caev", "SUSP", Says.PENDING, ()),
    ("iso-caev", "BRUP", Says.PENDING, ("insolvency",)),
    ("iso-caev", "ACTV", Says.NO_EVENT, ()),
    ("iso-caev", "DVCA", Says.IGNORED, ()),
    ("crsp", "100", Says.NO_EVENT, ()),
    ("crsp", "233", Says.EVENT, ("merger_acquisition",)),
    ("crsp", "552", Says.EVENT, ("noncompliance",)),
    ("crsp", "574", Says.EVENT, ("insolvency",)),
    ("crsp", "573", Says.EVENT, ("voluntary", "merger_acquisition")),
    ("crsp", "591", Says.EVENT, ("regulatory", "noncompliance")),
    ("crsp", "501", Says.EVENT, ("transfer", "voluntary")),
    ("crsp", "500", Says.EVENT, ()),
]


@pytest.mark.parametrize(("name", "code", "says", "reasons"), CODES)
def test_codes_of_the_templates(name: str, code: str, says: Says, reasons: tuple[str, ...], policies: Path) -> None:
    """What a code of the standards says; of ranges the narrowest counts."""
    found = load_vendor(name, policies).code(code)
    assert found is not None
    assert (found.says, found.reason) == (says, reasons)


def test_a_code_outside_of_all_ranges_is_unknown(policies: Path) -> None:
    """A code that no line of the template names is no code."""
    given = load_vendor("crsp", policies)
    assert [given.code(text) for text in ("1000", "57A", "")] == [None, None, None]


def test_a_file_may_build_on_a_template(policies: Path, tmp_path: Path, policy: Policy) -> None:
    """`like` takes over codes and keys; columns are one's own."""
    root = tmp_path / "policies"
    (root / "vendors").mkdir(parents=True)
    (root / "vendors" / "iso-caev.toml").write_bytes((policies / "vendors" / "iso-caev.toml").read_bytes())
    text = 'name = "house"\ntitle = "Ours"\nlike = "iso-caev"\n[columns]\nannounced = "Announced On"\nisin = "Isin Code"\n'
    (root / "vendors" / "house.toml").write_text(text, "utf-8")
    given = load_vendor("house", root)
    assert given.columns_of("announced") == ("Announced On",)
    assert given.columns_of("code") == ("CAEV",)
    found = given.code("DLST")
    assert found is not None
    assert found.says == "event"


# ---- policy check ----

BROKEN = [
    ('name = "plain"', 'name = "other"', "name", "is not the file name"),
    ('isin = "isin"', 'isin = "isin"\nisinn = "x"', "columns.isinn", "unknown value 'isinn'"),
    ('silence = "no_event"', 'silence = "yes"', "silence", "unknown value 'yes'"),
    ('default = ["YYYY-MM-DD"]', 'default = ["DD/MM/YYYY", "MM/DD/YYYY"]', "dates.default[1]", "cannot be told apart"),
    ('default = ["YYYY-MM-DD"]', 'default = ["YY-MM-DD"]', "dates.default[0]", "YY-MM-DD"),
    ('fields = ["isin", "mic"]', 'fields = ["mic", "country"]', "key[0].fields", "names no company"),
    ('fields = ["isin", "mic"]', 'fields = ["isin", "mick"]', "key[0].fields[1]", "unknown value 'mick'"),
    ('pending = { says = "pending"', 'pending = { says = "perhaps"', "codes.pending.says", "unknown value 'perhaps'"),
    ('voluntary = ["voluntary"]', 'voluntary = ["own will"]', "reasons.voluntary[0]", "unknown value 'own will'"),
    ('optional = ["vendor_id"', 'optional = ["vendorid"', "optional[0]", "is no column"),
    ("[tolerance]", "[tolerances]", "tolerances", "unknown key"),
    ("match = 0.0", "mach = 0.0", "effort.minutes_by_kind.mach", "unknown value 'mach'"),
    ('title = "Feed', 'like = "nothing"\ntitle = "Feed', "like", "no vendor file"),
]


@pytest.mark.parametrize(("old", "new", "key", "said"), BROKEN)
def test_policy_check_names_the_line_of_a_fault(old: str, new: str, key: str, said: str, policies: Path, tmp_path: Path) -> None:
    """Every fault of a vendor file has its file, line and key."""
    root = tmp_path / "policies"
    (root / "vendors").mkdir(parents=True)
    text = (policies / "vendors" / "plain.toml").read_text("utf-8")
    assert old in text
    (root / "vendors" / "plain.toml").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(PolicyError, match=said) as caught:
        load_vendor("plain", root)
    assert key in str(caught.value)
    line = int(caught.value.subject.rpartition(":")[2])
    changed = text.replace(old, new, 1).splitlines()
    assert new.splitlines()[-1].split()[0] in changed[line - 1] or new.split(maxsplit=1)[0] in changed[line - 1]


def test_an_unknown_vendor_names_those_that_there_are(policies: Path) -> None:
    """A mistyped name shows the list."""
    with pytest.raises(PolicyError, match="crsp, iso-caev, plain"):
        load_vendor("acme", policies)


@pytest.mark.parametrize(
    ("form", "sound"), [("YYYY-MM-DD", True), ("DD MMM YYYY", True), ("YYYY-MM", False), ("DD/MM/YY", False), ("MM/DD/YYYY x", False)]
)
def test_forms_of_dates(form: str, sound: bool) -> None:
    """A form holds one year of four digits, one month and one day."""
    assert (form_problem(form) == "") is sound


def test_forms_of_one_shape_are_told() -> None:
    """Day and month in figures have one shape in either order; names of months have their own."""
    assert shape_of("DD/MM/YYYY") == shape_of("M/D/YYYY")
    assert shape_of("DD/MM/YYYY") != shape_of("DD/MMM/YYYY")

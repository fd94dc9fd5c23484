"""The vendor audit as a whole: sixty planted faults, files, refused feeds, and a wall between the feed and the judgement."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from conftest import Command
from factories import write_world
from openpyxl import load_workbook
from vendor_faults import DELIVERIES, FIRST, Fault, clean_rows, planted, write_feed

from s2r.archive import Archive
from s2r.extract import extract
from s2r.job import read_records
from s2r.policy import Policy
from s2r.report.tables import safe_cell
from s2r.vendor.audit import VendorOutcome, compare_run, read_delivery
from s2r.vendor.types import Comparison, Kind
from s2r.verify.quotes import is_whole

pytestmark = pytest.mark.slow


def compared(run: Path, feed: Path, to: Path, policy: Policy, policies: Path) -> VendorOutcome:
    """A run folder against a feed in the plain form."""
    return compare_run(run, read_delivery(feed, "plain", policy, policies), policy, to)


@pytest.fixture(scope="module", params=["clean", *DELIVERIES])
def delivery(
    request: pytest.FixtureRequest, dev_run: Path, sealed: Path, policy: Policy, policies: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[tuple[Fault, ...], VendorOutcome]:
    """The faults of one delivery, and what the comparison made of it; the second one comes as JSON lines."""
    faults = DELIVERIES.get(request.param, ())
    folder = tmp_path_factory.mktemp(request.param)
    feed = write_feed(folder / ("feed.jsonl" if request.param == "second" else "feed.csv"), planted(clean_rows(sealed), faults))
    return faults, compared(dev_run, feed, folder / "out", policy, policies)


def test_there_are_sixty_faults_of_all_kinds() -> None:
    """What is planted: each kind of date, other classes, other venues, old names, used tickers, missing, stale, invented."""
    faults = [fault for found in DELIVERIES.values() for fault in found]
    assert len(faults) == 60
    kinds = Counter(fault.kind for fault in faults)
    assert set(kinds) == {"wrong_date", "wrong_reason", "wrong_listing", "missing_in_vendor", "stale", "vendor_only"}
    told = Counter(fault.told for fault in faults if fault.kind == "wrong_date")
    assert min(told[kind] for kind in ("effective", "last_trading", "filing", "letter")) >= 3


def test_every_planted_fault_is_told_and_no_clean_row_is_challenged(delivery: tuple[tuple[Fault, ...], VendorOutcome]) -> None:
    """The records of the development set are right, so each comparison must be; a clean row agrees or is confirmed."""
    faults, outcome = delivery
    found = {made.row_id: made for made in outcome.done.comparisons}
    assert len(found) == len(outcome.done.comparisons) == 49
    planted_in = {fault.case: fault for fault in faults}
    wrong = [_difference(fault, found[fault.case]) for fault in faults]
    assert [text for text in wrong if text] == []
    clean = {row_id: made.kind for row_id, made in found.items() if row_id not in planted_in}
    assert {row_id: kind for row_id, kind in clean.items() if kind not in (Kind.MATCH, Kind.CONFIRMED_NO_EVENT)} == {}


def _difference(fault: Fault, made: Comparison) -> str:
    told = f"{made.date_kind} {made.belongs_to} {made.sentence}".lower()
    if made.kind == fault.kind and fault.told.lower() in told:
        return ""
    return f"{fault.case}: {made.kind} ({made.date_kind} {made.belongs_to}), planted {fault.kind} ({fault.told})"


def test_every_quote_of_a_challenge_stands_in_the_archive(delivery: tuple[tuple[Fault, ...], VendorOutcome], dev_run: Path) -> None:
    """Opened and extracted once more here, every quote is one whole span of the page whose digest it names."""
    _, outcome = delivery
    with Archive(dev_run, read_only=True) as archive:
        for made in outcome.done.comparisons:
            assert made.quotes or not made.challenged or made.kind is Kind.VENDOR_ONLY or made.date_kind == "unknown", made.row_id
            for quote in made.quotes:
                capture = archive.open(quote.exhibit, quote.url)
                text = extract(capture.body, capture.content_type, quote.url, digest=quote.exhibit, fallback_title=capture.title).text
                assert text[quote.start : quote.end] == quote.text, (made.row_id, quote.about)
                assert is_whole(text, quote.start, quote.end)
                assert " ".join(quote.text.split()) in made.text or not made.challenged or len(made.quotes) > 4


def test_the_files_hold_all_of_it(delivery: tuple[tuple[Fault, ...], VendorOutcome], sealed: Path) -> None:
    """CSV, XLSX and HTML hold the same challenges; their links lead to a mark in the archived text; the numbers add up."""
    faults, outcome = delivery
    folder = outcome.written.folder
    with (folder / "challenges.csv").open(encoding="utf-8-sig", newline="") as fh:
        rows = list(csv.DictReader(fh))
    assert len(rows) == len(faults) == outcome.summary.challenges
    sheet = load_workbook(folder / "challenges.xlsx").active
    assert sheet is not None
    assert [[cell.value or "" for cell in line] for line in sheet.iter_rows(min_row=2)] == [list(row.values()) for row in rows]
    page = (folder / "challenges.html").read_text("utf-8")
    assert page.count('<article class="challenge"') == len(rows)
    assert "<script" not in page
    links = re.findall(r'href="(pages/[^"]+)"', page)
    for row in rows:
        assert row["text"].startswith("Listing: ") or row["text"].startswith("'")
        links += [row[name] for name in row if name.endswith("_page") and row[name]]
    for link in set(links):
        name, _, anchor = link.partition("#")
        assert f'<a id="{anchor}"></a><mark>' in (folder / name).read_text("utf-8"), link
    summary = json.loads((folder / "summary.json").read_text("utf-8"))
    assert sum(summary["by_kind"].values()) == 49
    assert sum(n for market in summary["by_market"].values() for n in market.values()) == 49
    corrected = sum(fault.kind in ("wrong_date", "wrong_reason", "wrong_listing", "stale") for fault in faults)
    assert (summary["cost"]["corrected"], summary["cost"]["recovered"]) == (corrected, sum(f.kind == "missing_in_vendor" for f in faults))


def test_a_feed_cannot_put_formulas_into_a_spreadsheet(dev_run: Path, sealed: Path, policy: Policy, policies: Path, tmp_path: Path) -> None:
    """Names and ids of the feed that begin like a formula come out as text, in every column of every table."""
    rows = clean_rows(sealed)
    rows["AP-001"] |= {
        "vendor_id": '=HYPERLINK("http://evil.example")',
        "announcement_date": "2017-08-18",
        "issuer": "Kurrajong Ridge Resources",
    }
    outcome = compared(dev_run, write_feed(tmp_path / "feed.csv", rows.values()), tmp_path / "out", policy, policies)
    for name in ("challenges.csv", "comparisons.csv"):
        with (outcome.written.folder / name).open(encoding="utf-8-sig", newline="") as fh:
            cells = [cell for line in csv.reader(fh) for cell in line]
        assert any("HYPERLINK" in cell for cell in cells)
        assert [cell for cell in cells if cell != safe_cell(cell)] == []
    assert "evil.example" not in re.sub(
        r"&#34;|&quot;", '"', re.sub(r"(?s)<pre.*?</pre>|<dd>.*?</dd>", "", (outcome.written.folder / "challenges.html").read_text("utf-8"))
    )


# ---- the command ----

REFUSED = {
    "renamed column": (lambda rows: [{("ann_dt" if k == "announcement_date" else k): v for k, v in row.items()} for row in rows], "ann_dt"),
    "mixed dates": (lambda rows: [*rows[:-1], rows[-1] | {"announcement_date": "13/05/2016"}], "mixes forms"),
    "a key twice": (lambda rows: [*rows, rows[0] | {"vendor_id": "V9"}], "have one key"),
    "no rows": (lambda rows: [], "is empty"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_faulty_feed_leaves_no_list(fault: str, dev_run: Path, sealed: Path, policies: Path, tmp_path: Path, s2r: Command) -> None:
    """Exit code 2 with one clear message, and no file: neither a new list nor one half of the old one."""
    change, said = REFUSED[fault]
    rows = change(list(clean_rows(sealed).values()))
    feed = tmp_path / "feed.csv"
    if rows:
        write_feed(feed, rows)
    else:
        feed.write_text("", "utf-8")
    out = tmp_path / "out"
    ran = s2r("vendor", "diff", dev_run, "--vendor", feed, "--as", "plain", "--to", out, "--policies", policies)
    assert ran.code == 2
    assert said in ran.err
    assert "feed.csv" in ran.err
    assert ran.out == ""
    assert not out.exists()


def test_diff_prints_challenges_and_json_lines(dev_run: Path, sealed: Path, policies: Path, tmp_path: Path, s2r: Command) -> None:
    """The table names each challenge; `--json` gives every comparison; a row that cannot be read makes the exit code 4."""
    rows = planted(clean_rows(sealed), FIRST)
    feed = write_feed(tmp_path / "feed.csv", rows)
    command = ("vendor", "diff", dev_run, "--vendor", feed, "--as", "plain", "--to", tmp_path / "out", "--policies", policies)
    ran = s2r(*command)
    assert ran.code == 0
    assert "wrong_date (letter)" in ran.out
    assert "20 challenges" in ran.err
    lines = [json.loads(line) for line in s2r(*command, "--json").out.splitlines()]
    assert Counter(line["kind"] for line in lines)["wrong_listing"] == 5
    bad = next(n for n, row in enumerate(rows) if row["ticker"] == "SKARV")
    rows[bad] |= {"announcement_date": "soon"}
    write_feed(feed, rows)
    ran = s2r(*command)
    assert ran.code == 4
    assert "1 row of the feed could not be read" in ran.err
    ran = s2r("vendor", "diff", dev_run, "--vendor", feed, "--policies", policies)
    assert (ran.code, "--as" in ran.err, "plain" in ran.err) == (2, True, True), "which feeds are known is said"
    defects = (tmp_path / "out" / "feed_defects.csv").read_text("utf-8-sig")
    assert "soon" in defects
    assert "announcement_date" in defects


def test_what_a_vendor_says_reaches_no_search_and_no_record(tmp_path: Path, policies: Path, s2r: Command) -> None:
    """An audit with a feed gives the records that it gives without one, and no file of the run outside of its vendor folder holds a
    value of the feed."""
    universe, pool = write_world(tmp_path, 3)
    canary = {"vendor_id": "CANARYID77", "reason": "voluntary", "updated": "1987-03-09"}
    base = {"issuer": "Alderwick Instruments Inc.", "security": "Canaryclass Stock", "security_type": "common", "ticker": "ALDQ", "mic": "XNAS",
            "isin": "US0378331005", "status": "delisted", "announcement_date": "1987-03-02"}  # fmt: skip
    feed = write_feed(tmp_path / "feed.csv", [base | canary])
    command = ("audit", universe, "--pool", pool, "--policies", policies, "--workers", 1)
    assert s2r(*command, "--out", tmp_path / "without").code == 0
    ran = s2r(*command, "--out", tmp_path / "with", "--vendor", feed, "--as", "plain")
    assert ran.code == 0
    assert "challenges" in ran.err
    assert (tmp_path / "with" / "vendor" / "plain" / "challenges.csv").is_file()
    one, other = (list(read_records(tmp_path / name)) for name in ("without", "with"))
    assert [r.model_copy(update={"latency_s": 0.0}) for r in one] == [r.model_copy(update={"latency_s": 0.0}) for r in other]
    shutil.rmtree(tmp_path / "with" / "vendor")
    values = (b"CANARYID77", b"Canaryclass", b"1987-03-0", b"US0378331005")
    for path in (tmp_path / "with").rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            assert [value for value in values if value in held] == [], path


def test_a_faulty_feed_stops_an_audit_before_any_work(tmp_path: Path, policies: Path, s2r: Command) -> None:
    """The feed is read first: exit code 2, and no run folder."""
    universe, pool = write_world(tmp_path, 1)
    (tmp_path / "feed.csv").write_text("a,b\n1,2\n", "utf-8")
    command = ("audit", universe, "--pool", pool, "--out", tmp_path / "out", "--policies", policies, "--vendor", tmp_path / "feed.csv")
    ran = s2r(*command, "--as", "plain")
    assert ran.code == 2
    assert "announcement_date" in ran.err
    assert s2r(*command).code == 2
    assert s2r(*command, "--as", "nobody").code == 2
    assert not (tmp_path / "out").exists()

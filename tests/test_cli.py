"""Commands: results on stdout, everything human on stderr, plain text whatever a name holds, and the exit code of each fault."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from conftest import REPO, Command, in_namespace
from factories import listing, world, write_pool, write_universe, write_world

ODD = "Zebrock [bold]Holdings[/x] :warning: \x1b[31mInc."
PRINTED = "Zebrock [bold]Holdings[/x] :warning: \ufffd[31mInc."


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory, policies: Path) -> Path:
    """Folder with an audited small world of three rows: universe.csv, pool.jsonl, out."""
    folder = tmp_path_factory.mktemp("cli")
    write_world(folder, 3)
    command = ["audit", folder / "universe.csv", "--pool", folder / "pool.jsonl", "--out", folder / "out", "--policies", policies]
    subprocess.run([sys.executable, "-m", "s2r", *map(str, command)], check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of a test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---- audit: output ----


def test_audit_prints_a_table_and_plain_progress(there: Path, policies: Path, s2r: Command) -> None:
    """One line per finished row on stderr, the table on stdout, then counts and places."""
    write_world(there, 3)
    ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies)
    assert ran.code == 0, ran.err
    assert [line.split()[0] for line in ran.out.splitlines()] == ["row", "T-01", "T-02", "T-03"]
    assert "3 listings in the universe" in ran.err
    assert [line.split()[0] for line in ran.err.splitlines() if line[1:3] == "/3"] == ["1/3", "2/3", "3/3"]
    assert "3 records: 2 yes, 2 to review, 1 no, 1 to accept. Cost: $0.00" in ran.err
    assert "out/audit/report.html" in ran.err
    assert "\x1b" not in ran.out + ran.err
    again = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies)
    assert again.code == 0
    assert "Nothing to do: all 3 records are current in out/audit." in again.err


def test_audit_json_keeps_stdout_to_records(there: Path, policies: Path, s2r: Command) -> None:
    """One JSON object per line, in input order, the same as in records.jsonl; also when there is nothing to do."""
    write_world(there, 3)
    for _ in range(2):
        ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies, "--json")
        lines = [json.loads(line) for line in ran.out.splitlines()]
        assert [line["row_id"] for line in lines] == ["T-01", "T-02", "T-03"]
        assert lines == [json.loads(line) for line in (there / "out/audit/records.jsonl").read_text("utf-8").splitlines()]
    assert "Nothing to do" in ran.err


def test_names_and_quotes_print_literally(there: Path, policies: Path, s2r: Command) -> None:
    """Markup, emoji codes and terminal sequences in a name are shown, not obeyed."""
    row = listing(0, row_id="[red]1[/red]", issuer=ODD.replace("\x1b", ""), security="[link=x]Common[/link]", ticker="")
    text = f"<p>CHICAGO, May 4, 2019 -- The board of {row.issuer} has decided to voluntarily delist its common stock from Nasdaq. [/b]</p>"
    write_universe(there / "universe.csv", [row])
    write_pool(there / "pool.jsonl", [{"url": "https://a.example/[b]", "title": row.issuer, "content_type": "text/html", "body": text}])
    ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies)
    assert ran.code in (0, 4), ran.err
    assert "[red]1[/red]" in ran.out
    assert "[red]1[/red]: " in ran.err
    assert "Zebrock [bold]Holdings[/x] :warning:" in ran.out
    shown = s2r("show", "[red]1[/red]", "--all")
    assert shown.code == 0, shown.err
    for text in ("[red]1[/red]", "Zebrock [bold]Holdings[/x] :warning:", "[link=x]Common[/link]", "https://a.example/[b]"):
        assert text in shown.out


def test_control_characters_are_not_sent_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """In plain lines, tables and error messages alike."""
    from rich.table import Table

    from s2r.cli.common import show_error, stdout
    from s2r.errors import S2RError

    table = Table("name", box=None)
    table.add_row(ODD)
    stdout().print(ODD)
    stdout().print(table)
    show_error(S2RError(ODD))
    out, err = capsys.readouterr()
    assert [line.strip() for line in out.splitlines()] == [PRINTED, "name", PRINTED]
    assert err == f"Error: {PRINTED}\n"


def test_audit_on_a_terminal_shows_a_bar(there: Path, policies: Path) -> None:
    """Done, running, failed and waiting, with the elapsed time; the cursor is shown again at the end."""
    pty = pytest.importorskip("pty")
    write_world(there, 3)
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "s2r", "audit", "universe.csv", "--pool", "pool.jsonl", "--policies", str(policies)]
    process = subprocess.Popen(command, stdout=child, stderr=child, env=os.environ | {"TERM": "xterm", "COLUMNS": "140"})
    os.close(child)
    shown = b""
    while True:
        try:
            block = os.read(parent, 4096)
        except OSError:
            break
        if not block:
            break
        shown += block
    os.close(parent)
    assert process.wait(60) == 0
    text = shown.decode("utf-8", "replace")
    assert "3/3" in text
    assert "running 0  failed 0  waiting 0" in text
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")


# ---- audit: input faults ----


def test_no_pool_says_what_to_do(there: Path, policies: Path, s2r: Command) -> None:
    """Exit 2 before any work, with the demo as a first step."""
    write_world(there, 1)
    ran = s2r("audit", "universe.csv", "--policies", policies)
    assert ran.code == 2
    assert "--pool" in ran.err
    assert "make demo" in ran.err
    assert not (there / "out").exists()


def bad_inputs(folder: Path) -> Iterator[tuple[str, list[object], str]]:
    """Name, arguments and what the message must say for every input that cannot be used."""
    write_world(folder, 1)
    good: list[object] = ["universe.csv", "--pool", "pool.jsonl"]
    (folder / "no-rows.csv").write_text("issuer,cutoff\n", "utf-8")
    (folder / "bad-rows.csv").write_text("issuer,cutoff\n,2020-01-01\nA plc,someday\n", "utf-8")
    (folder / "no-issuer.csv").write_text("name of bird,cutoff\nwren,2020-01-01\n", "utf-8")
    (folder / "bad.jsonl").write_text("no\nJSON\n", "utf-8")
    (folder / "empty.jsonl").write_text("", "utf-8")
    (folder / "hollow").mkdir()
    (folder / "a-file").write_text("", "utf-8")
    yield "no universe", ["absent.csv", "--pool", "pool.jsonl"], "absent.csv"
    yield "universe without rows", ["no-rows.csv", "--pool", "pool.jsonl"], "no rows"
    yield "no usable row", ["bad-rows.csv", "--pool", "pool.jsonl"], "no usable row"
    yield "no issuer column", ["no-issuer.csv", "--pool", "pool.jsonl"], "issuer"
    yield "no such pool", ["universe.csv", "--pool", "absent.jsonl"], "there is no such pool"
    yield "empty pool", ["universe.csv", "--pool", "empty.jsonl"], "no line or record of the pool can be used"
    yield "unusable pool", ["universe.csv", "--pool", "bad.jsonl"], "not JSON"
    yield "empty folder as pool", ["universe.csv", "--pool", "hollow"], "holds no JSON lines"
    yield "unknown policy", [*good, "--policy", "merger"], "merger"
    yield "no policies", [*good, "--policies", "hollow"], "hollow"
    yield "workers", [*good, "--workers", "-1"], "workers"
    yield "pages", [*good, "--max-pages", "0"], "max_pages"
    yield "cutoff", [*good, "--cutoff", "31.12.2020"], "YYYY-MM-DD"
    yield "option", [*good, "--depth", "3"], "--depth"
    yield "out is a file", [*good, "--out", "a-file"], "a-file"


NAMES = ["no universe", "universe without rows", "no usable row", "no issuer column", "no such pool", "empty pool", "unusable pool",
         "empty folder as pool", "unknown policy", "no policies", "workers", "pages", "cutoff", "option", "out is a file"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_unusable_input_is_exit_2_before_any_work(name: str, there: Path, policies: Path, s2r: Command) -> None:
    """One message that names the fault, no traceback, and no folder left behind."""
    shutil.copytree(policies, there / "policies")
    cases = {case: (arguments, told) for case, arguments, told in bad_inputs(there)}
    assert list(cases) == NAMES
    arguments, told = cases[name]
    before = {p.relative_to(there) for p in there.rglob("*")}
    ran = s2r("audit", *arguments)
    assert ran.code == 2, ran.err
    assert told in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""
    assert {p.relative_to(there) for p in there.rglob("*")} == before


def test_broken_policy_is_exit_2_and_names_file_and_line(there: Path, policies: Path, s2r: Command) -> None:
    """An audit does not begin with a policy that is wrong; `policy check` lists all of it."""
    shutil.copytree(policies, there / "policies")
    path = there / "policies/delisting/policy.toml"
    path.write_text(path.read_text("utf-8").replace('event_type = "delisting"', 'event_type = "delisting"\nevent_tpye = "x"'), "utf-8")
    write_world(there, 1)
    ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl")
    assert ran.code == 2
    assert "policy.toml" in ran.err
    assert "event_tpye" in ran.err
    assert not (there / "out").exists()
    check = s2r("policy", "check")
    assert check.code == 2
    assert "policy.toml:" in check.out
    lines = [json.loads(line) for line in s2r("policy", "check", "--json").out.splitlines()]
    assert any(line["key"].endswith("event_tpye") and line["line"] > 0 for line in lines)


def test_rejected_rows_are_listed_and_exit_4(there: Path, policies: Path, s2r: Command) -> None:
    """The good rows are audited; rejected.csv and the screen name row and column of the others; warnings stand in run.json."""
    listings, pages = world(2)
    write_pool(there / "pool.jsonl", pages)
    write_universe(there / "universe.csv", [listings[0], listing(1, isin="US0000000000")])
    with (there / "universe.csv").open("a", encoding="utf-8") as fh:
        fh.write("X-1,,Common,common,,XNAS,,US,,,,2020-12-31\nX-2,Late plc,Common,common,,XNAS,,US,,,,2199-01-01\n")
    ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies)
    assert ran.code == 4, ran.err
    assert "2 rows of the universe were rejected: out/audit/rejected.csv" in ran.err
    assert "row 4 (X-1) of the file, issuer: the issuer is missing" in ran.err
    with (there / "out/audit/rejected.csv").open(encoding="utf-8-sig", newline="") as fh:
        assert [(row["row_number"], row["column"]) for row in csv.DictReader(fh)] == [("4", "issuer"), ("5", "cutoff")]
    manifest = json.loads((there / "out/audit/run.json").read_text("utf-8"))
    assert manifest["rows"] == 2
    assert [line.split(":")[0] for line in manifest["row_warnings"]] == ["row 3 (T-02) of the file, isin"]
    assert "1 warning on rows:" in ran.err
    assert "  row 3 (T-02) of the file, isin: " in ran.err
    again = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies)
    assert (again.code, "Nothing to do" in again.err) == (4, True), "a row that is still rejected is still a fault"
    assert "  row 3 (T-02) of the file, isin: " in again.err


def test_a_venue_that_is_not_known_is_told_and_goes_to_review(there: Path, policies: Path, s2r: Command) -> None:
    """A MIC that is a name is read as its venue; one that means nothing leaves the answer to a reviewer; both are printed."""
    listings, pages = world(2)
    write_pool(there / "pool.jsonl", pages)
    named, unknown = (listings[0].model_copy(update={"mic": "NASDAQ"}), listings[1].model_copy(update={"mic": "ZZZZ", "venue": ""}))
    write_universe(there / "universe.csv", [named, unknown])
    ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies, "--json")
    first, second = (json.loads(line) for line in ran.out.splitlines())
    assert first["listing"]["mic"] == "XNAS"
    assert "'NASDAQ' was read as XNAS" in ran.err
    assert (second["route"], "not known" in second["route_reasons"][0]) == ("review", True)
    assert "MIC ZZZZ: no venue file of the policy knows it" in ran.err


def test_a_venue_read_from_a_name_or_contradicted_stands_in_record_report_and_queue(there: Path, policies: Path, s2r: Command) -> None:
    """Whoever reads the record learns what was taken for its venue, and a contradiction is not accepted without a reviewer."""
    listings, pages = world(3)
    write_pool(there / "pool.jsonl", pages)
    named = listings[0].model_copy(update={"mic": "NASDAQ"})
    contradicted = [row.model_copy(update={"venue": "London Stock Exchange"}) for row in listings[1:]]
    write_universe(there / "universe.csv", [named, *contradicted])
    ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies, "--json")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert "'NASDAQ' was read as XNAS" in " ".join(records[0]["route_reasons"])
    assert all("venue says 'London Stock Exchange' (XLON)" in " ".join(r["route_reasons"]) for r in records[1:])
    assert {r["status"] for r in records[1:]} == {"yes", "no"}
    assert {r["route"] for r in records[1:]} == {"review"}
    assert f"  row 3 ({listings[1].row_id}) of the file, venue: it says 'London Stock Exchange'" in ran.err
    for name in ("report.html", "review_queue.csv", "records.csv"):
        text = (there / "out/audit" / name).read_text("utf-8-sig")
        assert "was read as XNAS" in text, name
        assert "contradict each other" in text, name


def test_an_end_beside_a_row_without_a_venue_is_not_a_no(there: Path, policies: Path, s2r: Command) -> None:
    """Where a page announces the end of a listing, and which listing the row means is not known, there is no answer, and it says why."""
    listings, pages = world(1)
    write_pool(there / "pool.jsonl", pages)
    rows = [
        listings[0].model_copy(update={"mic": mic, "venue": "", "row_id": name, "ticker": ""}) for mic, name in (("", "a"), ("ZZZZ", "b"))
    ]
    write_universe(there / "universe.csv", rows)
    ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies, "--json")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert all(r["status"] != "no" for r in records)
    assert all(r["route_reasons"][0].startswith("Which venue the row means is not known") for r in records)


def test_an_unreadable_page_is_exit_4_each_time(there: Path, policies: Path, s2r: Command) -> None:
    """A run with nothing left to do still shows records that lack a page."""
    listings, pages = world(1)
    scan = {"url": "https://a.example/scan.pdf", "title": listings[0].issuer, "content_type": "application/pdf", "body": "%PDF-1.4 broken"}
    write_pool(there / "pool.jsonl", [*pages, scan])
    write_universe(there / "universe.csv", listings)
    for told in ("1 fault:", "Nothing to do: the 1 record is current"):
        ran = s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--policies", policies)
        assert (ran.code, told in ran.err) == (4, True), ran.err


def test_another_universe_in_the_same_folder_is_told(there: Path, policies: Path, s2r: Command) -> None:
    """The files show the universe of the command; that the store has records of other rows is said, not left to be found."""
    listings, pages = world(3)
    write_pool(there / "pool.jsonl", pages)
    write_universe(there / "one.csv", listings[:2])
    write_universe(there / "two.csv", listings[2:])
    first = s2r("audit", "one.csv", "--pool", "pool.jsonl", "--policies", policies)
    assert "not in this universe" not in first.err
    second = s2r("audit", "two.csv", "--pool", "pool.jsonl", "--policies", policies)
    assert "2 records of rows that are not in this universe stay in the store" in second.err


# ---- disks ----


@pytest.mark.slow
def test_full_disk_is_exit_1_and_the_same_command_continues(there: Path, policies: Path) -> None:
    """A clear message, nothing half-written is taken for done; with room again the run completes and is proven."""
    write_world(there, 6)
    (there / "disk").mkdir()
    audit = f"{sys.executable} -m s2r audit universe.csv --pool pool.jsonl --out disk/out --policies {policies} --workers 2"
    done = in_namespace(
        f"mount -t tmpfs -o size=220k none disk || exit 99; {audit}; echo first $?; ls disk/out; ls disk/out/run.json;"
        f"mount -o remount,size=100m disk; {audit} >/dev/null; echo second $?;"
        f"{sys.executable} -m s2r verify disk/out; echo proof $?; wc -l < disk/out/records.jsonl; find disk -name '*.part' -o -name '*.tmp'",
        there,
    )
    if done.returncode == 99:
        pytest.skip("a file system cannot be mounted here")
    assert "first 1" in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert any(line.startswith("Error: ") and "space" in line.lower() for line in done.stderr.splitlines()), done.stderr
    assert "disk/out/run.json\n" not in done.stdout
    assert "second 0" in done.stdout, done.stderr
    assert "proof 0" in done.stdout
    assert done.stdout.splitlines()[-1] == "6"


@pytest.mark.slow
def test_disk_full_at_the_last_files_is_exit_1(there: Path, policies: Path) -> None:
    """The rows are kept, the files are not taken for written."""
    write_world(there, 3)
    (there / "disk").mkdir()
    audit = f"{sys.executable} -m s2r audit universe.csv --pool pool.jsonl --out disk/out --policies {policies} --workers 1"
    done = in_namespace(
        f"mount -t tmpfs -o size=100m none disk || exit 99; {audit} >/dev/null 2>&1; cd disk/out; rm report.html run.json records.*; cd ../..;"
        f"mount -o remount,size=$(( $(du -sk disk | cut -f1) + 20 ))k disk; {audit}; echo first $?; ls -a disk/out;"
        f"mount -o remount,size=100m disk; {audit} >/dev/null; echo second $?",
        there,
    )
    if done.returncode == 99:
        pytest.skip("a file system cannot be mounted here")
    assert "first 1" in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "Free space" in done.stderr
    listed = done.stdout.partition("first 1")[2].partition("second")[0]
    assert "run.json" not in listed
    assert ".part" not in listed
    assert "second 0" in done.stdout


@pytest.mark.slow
def test_read_only_folder(audited: Path, there: Path, policies: Path) -> None:
    """An audit into it is exit 1 with a clear message; what only reads a run works on it."""
    shutil.copytree(audited, there / "disk")
    write_world(there / "disk", 4)
    run = f"{sys.executable} -m s2r"
    done = in_namespace(
        f"mount --bind disk disk && mount -o remount,bind,ro disk || exit 99;"
        f"{run} audit disk/universe.csv --pool disk/pool.jsonl --out disk/out --policies {policies}; echo audit $?;"
        f"{run} audit disk/universe.csv --pool disk/pool.jsonl --out disk/new --policies {policies}; echo new $?;"
        f"{run} verify disk/out; echo verify $?; {run} show T-01 --out disk/out >/dev/null; echo show $?;"
        f"{run} export disk/out --to disk/x.csv; echo export $?; {run} doctor --out disk/out --policies {policies}; echo doctor $?",
        there,
    )
    if done.returncode == 99:
        pytest.skip("a folder cannot be mounted read-only here")
    assert [line for line in done.stdout.splitlines() if line.split()[0] in ("audit", "new", "verify", "show", "export", "doctor")] == [
        "audit 1", "new 1", "verify 0", "show 0", "export 1", "doctor 2",
    ], done.stdout + done.stderr  # fmt: skip
    assert "Traceback" not in done.stderr
    assert done.stderr.count("Read-only file system") >= 3
    assert "Choose an --out folder that can be written." in done.stderr


# ---- the other commands ----


def test_show_prints_the_chain_of_reasons(audited: Path, s2r: Command) -> None:
    """Quotes with addresses and offsets, steps, checks, coverage, revisions."""
    ran = s2r("show", "T-01", "--out", audited / "out")
    assert ran.code == 0
    for text in (
        "yes 2019-05-04",
        "voluntary",
        "https://wire.example/2019/0-alderwick-event",
        "documents, oldest first",
        "checks",
        "coverage",
        "revision 1 by s2r",
    ):
        assert text in ran.out, text
    assert "passages judged" not in ran.out
    assert "passages judged" in s2r("show", "T-01", "--out", audited / "out", "--all").out
    assert json.loads(s2r("show", "T-01", "--out", audited / "out", "--json").out)["row_id"] == "T-01"


def test_show_errors(audited: Path, there: Path, s2r: Command) -> None:
    """An unknown row names those that are there; a folder without a run says so; a foreign file is no store."""
    ran = s2r("show", "T-99", "--out", audited / "out")
    assert ran.code == 2
    assert "T-01, T-02, T-03 (3 in all)" in ran.err
    assert s2r("show", "T-01", "--out", there).code == 2
    (there / "s2r.db").write_text("no database, but long enough to be read as one " * 10, "utf-8")
    broken = s2r("show", "T-01", "--out", there)
    assert broken.code == 1
    assert "not a store of s2r or is damaged" in broken.err


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx"])
def test_export_forms(form: str, audited: Path, there: Path, s2r: Command) -> None:
    """All records, a part of them, or the queue, in each form."""
    ran = s2r("export", audited / "out", "--to", there / f"all.{form}")
    assert ran.code == 0
    assert "3 records written" in ran.err
    assert ran.out == ""
    assert rows(there / f"all.{form}") == ["T-01", "T-02", "T-03"]
    s2r("export", audited / "out", "--to", there / f"no.{form}", "--status", "no", "--route", "accept")
    assert rows(there / f"no.{form}") == ["T-02"]
    s2r("export", audited / "out", "--to", there / f"queue.{form}", "--what", "queue")
    assert sorted(rows(there / f"queue.{form}")) == ["T-01", "T-03"]


def rows(path: Path) -> list[str]:
    """Row ids of an exported file."""
    if path.suffix == ".jsonl":
        return [json.loads(line)["row_id"] for line in path.read_text("utf-8").splitlines()]
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as fh:
            return [row["row_id"] for row in csv.DictReader(fh)]
    book = openpyxl.load_workbook(path, read_only=True)
    table = [[cell.value for cell in line] for line in book.worksheets[0].iter_rows()]
    book.close()
    return [str(line[table[0].index("row_id")]) for line in table[1:]]


def test_export_errors(audited: Path, there: Path, s2r: Command) -> None:
    """An unknown form, an unknown value and a folder without a run are exit 2."""
    ran = s2r("export", audited / "out", "--to", there / "x.parquet")
    assert ran.code == 2
    assert ".jsonl, .csv or .xlsx" in ran.err
    assert s2r("export", audited / "out", "--to", there / "x.csv", "--status", "maybe").code == 2
    ran = s2r("export", there, "--to", there / "x.csv")
    assert (ran.code, "Give the --out folder of an audit." in ran.err) == (2, True)
    stopped = there / "stopped"
    stopped.mkdir()
    (stopped / "s2r.db").write_bytes(b"")
    ran = s2r("export", stopped, "--to", there / "x.csv")
    assert (ran.code, "repeat its command" in ran.err) == (2, True)
    assert not (there / "x.csv").exists()


def test_doctor(there: Path, policies: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is well here; broken policies are named with the command that lists them; keys are never printed."""
    ran = s2r("doctor", "--policies", policies)
    assert ran.code == 0, ran.out
    assert "S2R_BRAVE_KEY" in ran.out  # what to set for the live web
    monkeypatch.setenv("S2R_BRAVE_KEY", "very-secret")
    ran = s2r("doctor", "--policies", policies, "--offline")
    assert ran.code == 0, ran.out
    assert "ok    search: brave (a call: brave $0.005)" in ran.out
    assert "very-secret" not in ran.out
    lines = [json.loads(line) for line in s2r("doctor", "--policies", policies, "--offline", "--json").out.splitlines()]
    assert {line["check"] for line in lines} >= {"python", "libraries", "sqlite", "disk", "home", "policies", "search"}
    assert all(line["ok"] for line in lines)
    broken = s2r("doctor", "--policies", there)
    assert broken.code == 2
    assert "FAULT policies" in broken.out


def test_policy_show_and_check(policies: Path, s2r: Command) -> None:
    """The repository's policies have no fault; what they say can be read."""
    assert s2r("policy", "check", "--policies", policies).out == f"{policies}: no faults\n"
    assert s2r("policy", "check", "--policies", policies, "--json").out == ""
    ran = s2r("policy", "show", "--policies", policies)
    assert ran.code == 0
    assert "delisting@" in ran.out
    assert "XNAS" in ran.out
    assert s2r("policy", "show", "merger", "--policies", policies).code == 2


def test_pool_command_counts_outcomes(there: Path, s2r: Command) -> None:
    """A table by outcome, each unusable document with its cause, exit 4; --json gives one line per document."""
    _, pages = world(1)
    write_pool(there / "pool.jsonl", ["{no", *pages, {"url": "https://a.example/[/x]", "content_type": "text/html", "body": " "}])
    ran = s2r("pool", "pool.jsonl", "--out", "p")
    assert ran.code == 4
    assert "https://a.example/[/x]" in ran.err
    assert [line.split() for line in ran.out.splitlines()[1:]] == [["empty", "1"], ["ok", "2"], ["unreadable", "1"]]
    lines = [json.loads(line) for line in s2r("pool", "pool.jsonl", "--out", "q", "--json").out.splitlines()]
    assert [line["outcome"] for line in lines] == ["unreadable", "ok", "ok", "empty"]
    write_pool(there / "good.jsonl", pages)
    assert s2r("pool", "good.jsonl", "--out", "r").code == 0
    assert s2r("pool", "absent.jsonl", "--out", "s").code == 2


def test_eval_measures_and_floors(audited: Path, there: Path, s2r: Command) -> None:
    """Values with intervals; a floor above a value is exit 3 and names it; rows that gold does not know are an error."""
    head = "case_id,stratum,status,announcement_date,reason\n"
    (there / "gold.csv").write_text(head + "T-01,A,yes,2019-05-04,voluntary\nT-02,C,no,,\nT-03,A,yes,2019-05-06,voluntary\n", "utf-8")
    ran = s2r("eval", audited / "out", "--gold", "gold.csv", "--by", "stratum")
    assert ran.code == 0, ran.err
    assert "T-03 [A] expected" in ran.out
    found = json.loads(s2r("eval", audited / "out", "--gold", "gold.csv", "--json").out)["measures"]
    assert found["accuracy"]["value"] == 1.0
    assert (found["reason"]["hits"], found["reason"]["n"]) == (1, 2)
    (there / "floor.json").write_text(json.dumps({"small": {"reason": 0.9}}), "utf-8")
    gated = s2r("eval", audited / "out", "--gold", "gold.csv", "--floor", "floor.json", "--set", "small")
    assert gated.code == 3, gated.err
    assert "FLOOR" in gated.err
    (there / "other.csv").write_text(head + "Z-1,A,yes,2019-05-04,voluntary\n", "utf-8")
    assert s2r("eval", audited / "out", "--gold", "other.csv").code == 2


def test_version_and_bare_command(s2r: Command) -> None:
    """`--version` is exit 0; no command or an unknown one is exit 2 with the usage."""
    assert s2r("--version").out.startswith("s2r, version ")
    assert s2r("frobnicate").code == 2
    assert "Usage" in s2r().out + s2r().err


def test_launcher_and_module_are_the_same_program(there: Path) -> None:
    """`python cli.py` in a checkout, `python -m s2r` elsewhere."""
    for command in ([str(REPO / "cli.py")], ["-m", "s2r"]):
        done = subprocess.run([sys.executable, *command, "--version"], capture_output=True, text=True, cwd=there)
        assert done.stdout.startswith("s2r, version "), done.stderr


def test_output_that_the_terminal_cannot_show_is_no_fault(audited: Path) -> None:
    """A terminal of another encoding gets question marks, not a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "s2r", "show", "T-01", "--out", str(audited / "out")],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr

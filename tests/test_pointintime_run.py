"""Audits at a point in time over sealed pools: what counts, what is lost, and that it is part of what a row rests on."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from pathlib import Path

from conftest import Command
from factories import listing, settings, world, write_pool, write_universe

import s2r
from s2r.archive import Archive
from s2r.job import AuditFiles, AuditOutcome, audit_files
from s2r.models import Capture, Listing, Means, Record, Status
from s2r.policy import Policy
from s2r.search import Pool
from s2r.universe import read_universe

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
EARLY, LATE = dt.datetime(2020, 2, 3, 4, 5, tzinfo=dt.UTC), dt.datetime(2021, 2, 3, 4, 5, tzinfo=dt.UTC)


def captured(folder: Path, pages: list[dict[str, object]], times: list[dt.datetime]) -> Path:
    """The pages as a WARC pool, each captured at its time."""
    with Archive(folder) as archive:
        for page, at in zip(pages, times, strict=True):
            url, body = str(page["url"]), str(page["body"]).encode()
            archive.put(Capture(url=url, final_url=url, content_type="text/html; charset=utf-8", body=body, fetched_at=at))
    return folder / "archive"


def audited(
    folder: Path, pool: Path, rows: list[Listing], policy: Policy, policies: Path, *, pit: bool = True
) -> tuple[AuditOutcome, list[Record]]:
    files = AuditFiles(
        write_universe(folder / "universe.csv", rows), pool, folder / "out", cutoff=None, today=NOW.date(), point_in_time=pit
    )
    found = asyncio.run(
        audit_files(files, policy, policies, settings(), clock=lambda: NOW, on_event=lambda event: None, on_total=lambda total: None)
    )
    return found, list(found.records())


def test_only_captures_by_the_cutoff_count(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """Of two delistings the one whose notice was captured in time is found; the other is no `no`, and says what was lost."""
    rows, pages = world(3)
    late = {str(page["url"]) for page in pages if "2-corriemoor-event" in str(page["url"])}
    pool = captured(tmp_path / "pool", pages, [LATE if page["url"] in late else EARLY for page in pages])
    outcome, records = audited(tmp_path, pool, rows, policy, policies)
    (tmp_path / "plain").mkdir()
    plain, before = audited(tmp_path / "plain", pool, rows, policy, policies, pit=False)
    assert [record.status for record in before] == [Status.YES, Status.NO, Status.YES]
    assert records[0].status is Status.YES
    assert records[2].status is not Status.YES
    told = records[2].coverage.point_in_time
    assert told is not None
    assert [(loss.url, loss.why) for loss in told.losses] == [(url, "captured_later") for url in late]
    assert {proof.means for proof in told.proofs} <= {Means.CAPTURE}
    assert "1 withheld (1 captured later)" in records[2].coverage.statement
    cited = {claim.url for record in records for claim in record.claims} | {f.url for record in records for f in record.findings}
    assert not cited & late
    assert all(record.later_event is None for record in records)
    manifest = json.loads((outcome.out / "run.json").read_text())
    assert manifest["point_in_time"]["by_reason"] == {
        "captured_later": sum(bool(r.coverage.point_in_time and r.coverage.point_in_time.losses) for r in records)
    }
    assert manifest["point_in_time"]["pages_proven"] == sum(
        len(r.coverage.point_in_time.proofs) for r in records if r.coverage.point_in_time
    )
    assert outcome.fault_count == 0
    report = (outcome.out / "report.html").read_text()
    assert "withheld, as nothing proves that they were public by the cutoff (1)" in report
    assert json.loads((plain.out / "run.json").read_text())["point_in_time"] is None
    assert all(record.coverage.point_in_time is None for record in before)


def test_pages_without_a_capture_time_prove_nothing(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """A pool of JSON lines was captured when it was read: nothing of it counts at an old cutoff, and every row abstains."""
    rows, pages = world(3)
    outcome, records = audited(tmp_path, write_pool(tmp_path / "pool.jsonl", pages), rows, policy, policies)
    assert [record.status for record in records] == [Status.ABSTAIN] * 3
    assert all(record.coverage.pages_read == 0 for record in records)
    assert sum(outcome.withheld.values()) == sum(len(r.coverage.point_in_time.losses) for r in records if r.coverage.point_in_time) > 0
    assert outcome.proven == {}


def test_a_filing_counts_by_its_header_in_any_pool(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """A submission at the filing system's own address counts by its filing date, also without a capture."""
    row = listing(cutoff=dt.date(2020, 12, 31))
    text = (
        "<SEC-HEADER>0001234567-20-000123.hdr.sgml : 20200515\n<ACCEPTANCE-DATETIME>20200515163000\nACCESSION NUMBER:\t\t0001234567-20-000123\n"
        "CONFORMED SUBMISSION TYPE:\t8-K\nFILED AS OF DATE:\t\t20200515\n\nFILER:\n\n\tCOMPANY DATA:\n"
        f"\t\tCOMPANY CONFORMED NAME:\t\t\t{row.issuer.upper()}\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<TEXT>\n<html><body>"
        f"<p>Item 3.01. On May 15, 2020, {row.issuer} notified The Nasdaq Stock Market of its decision to voluntarily delist its common stock, par value "
        "$0.01 per share, and of its intention to file a Form 25 on or about May 26, 2020.</p></body></html>\n</TEXT>\n</DOCUMENT>\n"
    )
    url = "https://www.sec.gov/Archives/edgar/data/1234567/0001234567-20-000123.txt"
    pool = write_pool(
        tmp_path / "pool.jsonl", [{"url": url, "title": row.issuer, "content_type": "text/plain", "body": f"<SEC-DOCUMENT>{text}"}]
    )
    _, (record,) = audited(tmp_path, pool, [row], policy, policies)
    assert (record.status, str(record.announcement_date)) == (Status.YES, "2020-05-15")
    assert record.coverage.point_in_time is not None
    assert [(proof.means, proof.at) for proof in record.coverage.point_in_time.proofs] == [(Means.FILING, "2020-05-15")]


def test_the_mode_is_part_of_what_a_row_rests_on(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """The same command does nothing again; with or without the mode all rows are judged anew, with other records."""
    rows, pages = world(2)
    pool = write_pool(tmp_path / "pool.jsonl", pages)
    first, _ = audited(tmp_path, pool, rows, policy, policies, pit=False)
    second, strict = audited(tmp_path, pool, rows, policy, policies)
    third, again = audited(tmp_path, pool, rows, policy, policies)
    assert (first.result.done, second.result.done, third.result.done) == (2, 2, 0)
    assert third.nothing_to_do
    assert first.result.run_id != second.result.run_id == third.result.run_id
    assert strict == again
    assert [record.status for record in strict] == [Status.ABSTAIN] * 2


def test_an_audit_in_time_leaves_a_pool_that_repeats_it(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """The archive of a run keeps the capture times: audited again from it, the same pages count and the records say the same."""
    rows, pages = world(3)
    pool = captured(tmp_path / "pool", pages, [EARLY] * len(pages))
    outcome, records = audited(tmp_path, pool, rows, policy, policies)
    (tmp_path / "again").mkdir()
    _, again = audited(tmp_path / "again", outcome.out / "archive", rows, policy, policies)
    keep = {"run_id", "latency_s"}
    assert [r.model_dump(exclude=keep) for r in again] == [r.model_dump(exclude=keep) for r in records]
    assert [r.status for r in records] == [Status.YES, Status.NO, Status.YES]


def test_sealed_pages_captured_in_time_give_the_same_records(tmp_path: Path, sealed: Path, policy: Policy, policies: Path) -> None:
    """The pages of some sealed rows, captured before their cutoffs, give the records that they give without the mode."""
    lines = [json.loads(line) for line in (sealed / "docs.jsonl").read_text("utf-8").splitlines()][:60]
    rows = _rows_of(sealed, 4)
    html = [line for line in lines if line["content_type"] == "text/html"]
    warc = captured(tmp_path / "pool", html, [dt.datetime(2000, 1, 1, tzinfo=dt.UTC)] * len(html))
    with Pool.open(warc) as opened:
        assert len(opened) == len({line["url"] for line in html})
    found = {}
    for pit in (False, True):
        (tmp_path / str(pit)).mkdir()
        _, found[pit] = audited(tmp_path / str(pit), warc, rows, policy, policies, pit=pit)
    for with_mode, without in zip(found[True], found[False], strict=True):
        for name in ("status", "announcement_date", "reason", "disclosure_type"):
            assert getattr(with_mode, name) == getattr(without, name)


def _rows_of(sealed: Path, count: int) -> list[Listing]:
    return list(read_universe(sealed / "universe.csv", default_cutoff=None, today=NOW.date()).listings[:count])


def test_the_command_says_what_it_lost(tmp_path: Path, s2r: Command) -> None:
    """`--point-in-time` prints how many pages were proven and withheld; `s2r show` names them."""
    rows, pages = world(1)
    write_universe(tmp_path / "universe.csv", rows)
    pool = write_pool(tmp_path / "pool.jsonl", pages)
    ran = s2r("audit", tmp_path / "universe.csv", "--pool", pool, "--out", tmp_path / "out", "--point-in-time")
    assert ran.code == 0
    assert "0 pages proven public by the cutoff, 2 withheld (2 captured later)" in ran.err
    shown = s2r("show", rows[0].row_id, "--out", tmp_path / "out")
    assert "withheld: https://wire.example/2019/0-alderwick-event" in shown.out


def test_the_same_from_python(tmp_path: Path) -> None:
    """`s2r.audit(..., point_in_time=True)` withholds what is not proven."""
    rows, pages = world(1)
    pool = captured(tmp_path / "pool", pages, [EARLY if number else LATE for number, _ in enumerate(pages)])
    (strict,) = s2r.audit(rows, pool=pool, point_in_time=True)
    (loose,) = s2r.audit(rows, pool=pool)
    assert (strict.status is Status.YES, loose.status is Status.YES) == (False, True)

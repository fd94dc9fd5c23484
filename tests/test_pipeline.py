"""The whole job offline: from a universe and a sealed pool to proven records, again and again with the same outcome."""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import json
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import REPO, Command
from factories import listing, pdf, settings, world, write_pool, write_universe, write_world

import s2r
from s2r.archive import Archive
from s2r.errors import ConfigError, InputError, SourceError, SourceUnusable, StoreError
from s2r.extract import extract
from s2r.job import AuditFiles, AuditOutcome, audit_files, read_records
from s2r.models import Gap, Listing, Package, Query, Record, Route, Status
from s2r.pipeline import RunPlan, run_audit, tasks
from s2r.pipeline import judge as judge_module
from s2r.pipeline.run import Event, Phase
from s2r.policy import Policy
from s2r.search import Pool, Provider, SearchAnswer, State
from s2r.search.kept import Kept
from s2r.search.official.identity import Identity, KnownName
from s2r.store import Store
from s2r.verify.quotes import is_whole

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)


def run(folder: Path, policy: Policy, policies: Path, rows: int = 3, **options: object) -> AuditOutcome:
    """Audit the small world in `folder` (written there unless it is) into `folder`/out."""
    if not (folder / "universe.csv").is_file():
        write_world(folder, rows)
    files = AuditFiles(folder / "universe.csv", folder / "pool.jsonl", folder / "out", cutoff=None, today=NOW.date())
    return asyncio.run(
        audit_files(files, policy, policies, settings(**options), clock=lambda: NOW, on_event=lambda event: None, on_total=lambda n: None)
    )


def untimed(out: Path) -> list[dict[str, object]]:
    """Records of a run folder without the time that each took."""
    return [json.loads(line) | {"latency_s": 0} for line in (out / "records.jsonl").read_text("utf-8").splitlines()]


# ---- files of a run and its store ----


class Halt(BaseException):
    """The end of a process between two rows."""


def test_files_of_an_earlier_run_are_not_read_for_those_of_a_stopped_one(
    tmp_path: Path, policy: Policy, policies: Path, s2r: Command
) -> None:
    """A run that ends before its files are written leaves those of the run before; nothing takes them for its own."""
    run(tmp_path, policy, policies)
    out = tmp_path / "out"
    before = (out / "records.jsonl").read_bytes()
    files = AuditFiles(tmp_path / "universe.csv", tmp_path / "pool.jsonl", out, cutoff=None, today=NOW.date())

    def stopped_at(phase: Phase) -> None:
        def see(event: Event) -> None:
            if event.phase is phase:
                raise Halt

        again = settings(max_pages=7)
        with pytest.raises(Halt):
            asyncio.run(audit_files(files, policy, policies, again, clock=lambda: NOW, on_event=see, on_total=lambda n: None))

    feed = tmp_path / "feed.csv"
    feed.write_text(
        "issuer,ticker,mic,isin,status,reason,announcement_date\nAldergate Foods,ALDG,XLON,,delisted,other,2020-01-02\n", "utf-8"
    )
    stopped_at(Phase.STARTED)
    assert len(list(read_records(out))) == 3, "nothing was done: the files are right"
    stopped_at(Phase.DONE)
    assert (out / "records.jsonl").read_bytes() == before
    for words in (
        ("export", out, "--to", tmp_path / "sheet.csv"),
        ("verify", out),
        ("vendor", "diff", out, "--vendor", feed, "--as", "plain", "--policies", policies),
    ):
        ran = s2r(*words)
        assert ran.code == 2, words
        assert "do not show yet" in ran.err or "do not show yet" in ran.out, words
        assert "repeat its command" in (ran.err + ran.out).replace("\n", " "), words
    (kept := out / "run.json").rename(tmp_path / "kept.json")
    with pytest.raises(ConfigError, match="not complete"):
        read_records(out)
    (tmp_path / "kept.json").rename(kept)
    assert run(tmp_path, policy, policies, max_pages=7).result.done in {1, 2}, (
        "rows that ended beside the one at which it was stopped are kept"
    )
    assert len(list(read_records(out))) == 3


# ---- sealed development set ----


@pytest.mark.slow
def test_dev_set_gives_one_record_per_row_in_input_order(dev_run: Path, sealed: Path) -> None:
    """49 rows in, 49 records out, in the order of the file, none failed."""
    with (sealed / "universe.csv").open(encoding="utf-8", newline="") as fh:
        wanted = [row["case_id"] for row in csv.DictReader(fh)]
    found = list(read_records(dev_run))
    assert [record.row_id for record in found] == wanted
    assert len(found) == 49
    assert [record.error for record in found if record.error] == []


@pytest.mark.slow
def test_every_yes_quotes_one_span_of_the_archived_text(dev_run: Path) -> None:
    """Status, date and reason of a `yes` each stand as one contiguous span of the text extracted anew from archived bytes."""
    answered = [record for record in read_records(dev_run) if record.status is Status.YES]
    assert answered
    with Archive(dev_run, read_only=True) as archive:
        for record in answered:
            assert {claim.field for claim in record.claims} >= {"status", "announcement_date", "reason"}
            for claim in record.claims:
                kept = archive.open(claim.exhibit, claim.url)
                page = extract(kept.body, kept.content_type, claim.url, digest=claim.exhibit, fallback_title=kept.title)
                assert claim.match == "exact", (record.row_id, claim)
                assert page.text[claim.start : claim.end] == claim.quote
                assert is_whole(page.text, claim.start, claim.end)


@pytest.mark.slow
def test_no_record_rests_on_a_page_that_was_not_read(dev_run: Path) -> None:
    """Claims and findings cite exhibits that the coverage lists, at addresses of the archive."""
    with Archive(dev_run, read_only=True) as archive:
        for record in read_records(dev_run):
            read = set(record.coverage.exhibits)
            assert {c.exhibit for c in record.claims} | {f.digest for f in record.findings} <= read
            for item in (*record.claims, *record.findings):
                assert archive.find_url(item.url), item.url
            assert record.coverage.pages_read == len(record.coverage.exhibits) == record.usage.pages


@pytest.mark.slow
def test_conservative_routing_of_the_dev_set(dev_run: Path) -> None:
    """Without a risk model no positive is accepted alone, and `risk` is null."""
    for record in read_records(dev_run):
        assert record.risk is None
        assert record.route_reasons
        if record.status is not Status.NO:
            assert record.route is Route.REVIEW


# ---- sameness ----


@pytest.mark.slow
def test_number_of_workers_changes_nothing(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """One worker, eight workers and a repetition give the same records."""
    outs = []
    for name, workers in (("one", 1), ("eight", 8), ("again", 1)):
        (tmp_path / name).mkdir()
        outs.append(run(tmp_path / name, policy, policies, rows=8, workers=workers).out)
    one, eight, again = map(untimed, outs)
    assert one == eight
    assert one == again
    assert [record["status"] for record in one] == ["yes", "no", "yes"] * 2 + ["yes", "no"]


def test_second_run_has_nothing_to_do_and_touches_no_file(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """The same command again says so; the files stay as they are."""
    first = run(tmp_path, policy, policies)
    stamps = {
        p.name: p.stat().st_mtime_ns for p in first.out.iterdir() if p.is_file() and p.name in ("records.jsonl", "run.json", "report.html")
    }
    second = run(tmp_path, policy, policies)
    assert second.nothing_to_do
    assert (second.result.done, second.result.skipped) == (0, 3)
    assert second.counts == first.counts
    assert stamps == {name: (first.out / name).stat().st_mtime_ns for name in stamps}


@pytest.mark.parametrize("name", ["records.jsonl", "records.csv", "review_queue.csv", "review_queue.xlsx", "report.html", "run.json"])
def test_deleted_output_is_written_again(name: str, policy: Policy, policies: Path, tmp_path: Path) -> None:
    """No row is judged anew for it."""
    out = run(tmp_path, policy, policies).out
    before = untimed(out)
    (out / name).unlink()
    second = run(tmp_path, policy, policies)
    assert second.result.done == 0
    assert (out / name).is_file()
    assert untimed(out) == before


def test_run_that_died_before_its_files_were_written_writes_them(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """Files of an earlier state are never taken for those of the store: a grown universe was judged, its files were not written."""
    out = run(tmp_path, policy, policies).out
    old = {name: (out / name).read_bytes() for name in ("records.jsonl", "records.csv", "report.html", "run.json")}
    write_world(tmp_path, 4)
    run(tmp_path, policy, policies)
    for name, content in old.items():  # as if the process had died after the last row was kept
        (out / name).write_bytes(content)
    again = run(tmp_path, policy, policies)
    assert again.result.done == 0
    assert [record["row_id"] for record in untimed(out)] == ["T-01", "T-02", "T-03", "T-04"]


def test_grown_universe_runs_only_new_rows(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """Also when the new row comes first: the others move, and their place in the records with them."""
    listings, pages = world(4)
    write_pool(tmp_path / "pool.jsonl", pages)
    write_universe(tmp_path / "universe.csv", listings[1:])
    run(tmp_path, policy, policies)
    write_universe(tmp_path / "universe.csv", listings)
    second = run(tmp_path, policy, policies)
    assert (second.result.done, second.result.skipped) == (1, 3)
    found = list(second.records())
    assert [record.row_id for record in found] == ["T-01", "T-02", "T-03", "T-04"]
    assert [record.listing.row_number for record in found] == [2, 3, 4, 5]


def test_shrunk_or_reordered_universe_leaves_no_stale_record(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """Rows that are gone from the universe are gone from the files, though the store keeps them."""
    run(tmp_path, policy, policies)
    listings, _ = world(3)
    write_universe(tmp_path / "universe.csv", [listings[2], listings[0]])
    second = run(tmp_path, policy, policies)
    assert second.result.done == 0
    assert [record.row_id for record in second.records()] == ["T-03", "T-01"]
    with Store(second.out / "s2r.db", read_only=True) as store:
        assert store.current("T-02") is not None


def test_changed_cutoff_reruns_its_row_and_keeps_the_old_revision(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """One row of three is judged again; its history shows both answers."""
    run(tmp_path, policy, policies)
    listings, _ = world(3)
    listings[0] = listing(0, cutoff=dt.date(2019, 5, 2))
    write_universe(tmp_path / "universe.csv", listings)
    second = run(tmp_path, policy, policies)
    assert (second.result.done, second.result.skipped) == (1, 2)
    first = next(second.records())
    assert (first.status, first.later_event is not None) == (Status.NO, True)
    with Store(second.out / "s2r.db", read_only=True) as store:
        assert [(line["number"], line["status"]) for line in store.history("T-01")] == [(1, "yes"), (2, "no")]


def test_carried_columns_decide_nothing_and_stay_current(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """A changed note costs no row, and stands in the records."""
    listings, pages = world(2)
    write_pool(tmp_path / "pool.jsonl", pages)
    for note in ("=cmd()", "second"):
        write_universe(tmp_path / "universe.csv", [row.model_copy(update={"extra": {"note": note}}) for row in listings])
        outcome = run(tmp_path, policy, policies)
        assert [record.listing.extra["note"] for record in outcome.records()] == [note, note]
    assert outcome.result.done == 0


def test_changed_pool_reruns_all(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """What was searched is part of what decided a record."""
    run(tmp_path, policy, policies)
    _, pages = world(3)
    write_pool(tmp_path / "pool.jsonl", pages[1:])
    assert run(tmp_path, policy, policies).result.done == 3


# ---- bad pages and lines ----


def test_bad_documents_are_listed_and_their_rows_go_on(policy: Policy, policies: Path, tmp_path: Path, s2r: Command) -> None:
    """Each fault of a page or line stands with its cause in run.json and on screen; exit 4; the rows have their answers."""
    listings, pages = world(3)
    name = listings[0].issuer
    for file, content in (
        ("empty.pdf", pdf("")),
        ("locked.pdf", pdf(f"{name} delisting notice", password="secret")),
        ("torn.pdf", pdf("x")[:300]),
    ):
        (tmp_path / file).write_bytes(content)
    said = f"<p>{name} delisting Nasdaq voluntary notice</p>"
    bad: list[dict[str, object] | str] = [
        "{this is no JSON",
        '["no", "object"]',
        {"url": "ftp://files.example/x", "body": said},
        {"url": "https://a.example/empty", "title": f"{name} delisting", "content_type": "text/html", "body": "  "},
        {
            "url": "https://a.example/no-text",
            "title": f"{name} delisting",
            "content_type": "text/html",
            "body": "<html><body></body></html>",
        },
        {"url": "https://a.example/scan", "title": f"{name} delisting", "local_path": "empty.pdf"},
        {"url": "https://a.example/locked", "title": f"{name} delisting", "local_path": "locked.pdf"},
        {"url": "https://a.example/torn", "title": f"{name} delisting", "local_path": "torn.pdf"},
        {"url": "https://a.example/absent", "title": f"{name} delisting", "local_path": "absent.pdf"},
        {"url": "https://a.example/deep", "title": f"{name} delisting", "content_type": "text/html", "body": "<div>" * 50_000 + said},
        {"url": "https://a.example/charset", "title": f"{name} delisting", "content_type": "text/html; charset=utf-16", "body": said},
        {
            "url": "https://a.example/long",
            "title": f"{name} delisting",
            "content_type": "text/html",
            "body": f"<p>{name} delisting" + "<i data-track='abcdefghijklmnopqrstuvwxyz'></i>" * 220_000,
        },
    ]
    write_universe(tmp_path / "universe.csv", listings)
    write_pool(tmp_path / "pool.jsonl", [*bad, *pages])
    ran = s2r("audit", tmp_path / "universe.csv", "--pool", tmp_path / "pool.jsonl", "--out", tmp_path / "out", "--policies", policies)
    assert ran.code == 4, ran.err
    manifest = json.loads((tmp_path / "out/run.json").read_text("utf-8"))
    faults = "\n".join(manifest["faults"])
    for cause in ("pool.jsonl:1: not JSON", "pool.jsonl:2:", "pool.jsonl:3: url", "absent.pdf"):
        assert cause in faults, cause
    for url, cause in (("empty", "empty"), ("no-text", "text"), ("scan", "text layer"), ("locked", "encrypt"), ("torn", "pdf")):
        assert [line for line in manifest["faults"] if f"https://a.example/{url}:" in line and cause in line.lower()], (url, faults)
    assert f"{manifest['fault_count']} fault" in ran.err
    assert [record["status"] for record in untimed(tmp_path / "out")] == ["yes", "no", "yes"]
    assert s2r("verify", tmp_path / "out").code == 0


def test_slow_page_is_a_gap_and_not_the_end(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """A page that takes more CPU time than allowed is left out with its cause; the row goes on."""
    listings, pages = world(1)
    name = listings[0].issuer
    slow = "".join(f"<div><table><tr><td>{name} delisting {k}</td></tr></table></div>" for k in range(120_000))
    pages.append({"url": "https://a.example/slow", "title": f"{name} delisting", "content_type": "text/html", "body": slow})
    write_universe(tmp_path / "universe.csv", listings)
    write_pool(tmp_path / "pool.jsonl", pages)
    outcome = run(
        tmp_path, policy, policies, extract_timeout_s=2.0
    )  # judging may take as long for each page: more than the rules need to start
    first = next(outcome.records())
    assert [gap.url for gap in first.coverage.gaps if "CPU time" in gap.cause] == ["https://a.example/slow"]
    assert first.status is Status.YES


def test_page_beyond_the_cap_is_refused_with_its_size(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """A body larger than max_body_mb never reaches the archive."""
    listings, pages = world(1)
    pages.append(
        {"url": "https://a.example/big", "title": listings[0].issuer, "content_type": "text/plain", "body": "delisting " * 200_000}
    )
    write_universe(tmp_path / "universe.csv", listings)
    write_pool(tmp_path / "pool.jsonl", pages)
    outcome = run(tmp_path, policy, policies, max_body_mb=1)
    assert any("cap of" in fault for fault in outcome.faults)
    assert outcome.counts["yes"] == 1


# ---- providers ----


class Failing:
    """A provider that never answers: `error` is raised, or else an answer in `state` is given."""

    name = "failing"

    def __init__(self, state: State, error: Exception | None = None) -> None:
        self.state, self.error = state, error

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """No hit, in one way or another."""
        if self.error is not None:
            raise self.error
        return SearchAnswer(state=self.state, cause="limit reached" if self.state is State.FAILED else "")


def plan(out: Path, policy: Policy, pool: Pool, rows: list[Listing], *providers: Provider, **fields: object) -> RunPlan:
    """A run over these rows and providers, fetching from the pool."""
    return RunPlan(tuple(rows), policy, providers or (pool,), pool, "test", out, settings(workers=1, **fields), "1")


def audited(given: RunPlan) -> list[Record]:
    """Run a plan and return its records in order."""
    asyncio.run(run_audit(given, clock=lambda: NOW, on_event=lambda event: None))
    with Store(given.out / "s2r.db", read_only=True) as store:
        return list(store.records())


@pytest.mark.parametrize(
    ("provider", "told"),
    [
        (Failing(State.FAILED), "limit reached"),
        (Failing(State.EMPTY), "0 of at least 1 providers found anything"),
        (Failing(State.EMPTY, SourceError("no answer in 20 s", subject="failing")), "no answer in 20 s"),
        (Failing(State.EMPTY, SourceUnusable("key refused", subject="failing")), "key refused"),
        (Failing(State.EMPTY, ValueError("a bug")), "ValueError: a bug"),
    ],
    ids=["failed", "empty", "timeout", "unusable", "bug"],
)
def test_provider_that_fails_or_is_empty_never_yields_no(provider: Failing, told: str, policy: Policy, tmp_path: Path) -> None:
    """Requirement 3: the answer is withheld, and the record names the cause."""
    _, pages = world(2)
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool:
        record = audited(plan(tmp_path / "out", policy, pool, [listing(1)], provider))[0]
    assert record.status is Status.ABSTAIN
    assert told in record.abstain_reason
    assert record.route is Route.REVIEW
    assert not record.coverage.sufficient


def test_one_failed_provider_of_two_withholds_a_no_but_not_a_yes(policy: Policy, tmp_path: Path) -> None:
    """What the failed one would have shown is not known; what the other one proved is."""
    _, pages = world(2)
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool:
        bought, warned = audited(plan(tmp_path / "out", policy, pool, [listing(0), listing(1)], pool, Failing(State.FAILED)))
    assert bought.status is Status.YES
    assert warned.status is Status.ABSTAIN
    assert "limit reached" in warned.abstain_reason


def test_row_with_a_failed_provider_is_tried_again(policy: Policy, tmp_path: Path) -> None:
    """The same command asks again once the provider answers, and only for the rows it failed."""
    _, pages = world(2)
    provider = Failing(State.FAILED)
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool:
        given = plan(tmp_path / "out", policy, pool, [listing(1)], pool, provider)
        assert audited(given)[0].status is Status.ABSTAIN
        provider.state = State.EMPTY
        assert audited(given)[0].status is Status.NO
        result = asyncio.run(run_audit(given, clock=lambda: NOW, on_event=lambda event: None))
    assert (result.done, result.skipped) == (0, 1)


class Register:
    """A register that knows a former name of every issuer, or doubts the row."""

    name = "register"

    def __init__(self, former: str, doubt: str = "") -> None:
        self.former, self.doubt = former, doubt

    async def identify(self, listing: Listing) -> Identity | None:
        """The prepared answer."""
        names = (KnownName(name=self.former, source=self.name, former=True),)
        return Identity(source=self.name, names=names, doubts=(self.doubt,) if self.doubt else ())


def test_former_names_of_registers_are_searched_and_matched_but_not_recorded(policy: Policy, tmp_path: Path) -> None:
    """Pages speak of an issuer by a name that only a register knows: it is found and matched, and the record keeps the row as it came."""
    _, pages = world(2)
    row = listing(0, issuer="Zephyrine Materials Inc.", ticker="ZPHM")
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool:
        alone = audited(plan(tmp_path / "alone", policy, pool, [row]))[0]
        given = replace(plan(tmp_path / "out", policy, pool, [row]), identity=(Register(listing(0).issuer),))
        widened = audited(given)[0]
    assert alone.status is not Status.YES
    assert widened.status is Status.YES
    assert widened.listing == row
    assert any(listing(0).issuer.removesuffix(" Inc.") in query for query in widened.coverage.queries)


def test_a_register_that_doubts_the_row_adds_nothing_but_a_note(policy: Policy, tmp_path: Path) -> None:
    """Names of a register that knows the row's number under another name are not used; the record says why."""
    _, pages = world(2)
    row = listing(0, issuer="Zephyrine Materials Inc.", ticker="ZPHM")
    register = Register(listing(0).issuer, "CIK 0001 is BIGCO INC, the row says Zephyrine Materials Inc.")
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool:
        record = audited(replace(plan(tmp_path / "out", policy, pool, [row]), identity=(register,)))[0]
    assert record.status is not Status.YES
    assert record.coverage.notes[0] == f"register: {register.doubt}"


def test_an_archive_repeats_what_registers_said(policy: Policy, tmp_path: Path) -> None:
    """Offline no register is asked: names come with the kept search, and the record is the same."""
    _, pages = world(2)
    row = listing(0, issuer="Zephyrine Materials Inc.", ticker="ZPHM")
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool:
        with closing(Kept(tmp_path / "live" / "archive")) as kept:
            live = replace(plan(tmp_path / "live", policy, pool, [row]), identity=(Register(listing(0).issuer),), kept=kept)
            first = audited(live)[0]
        with closing(Kept(tmp_path / "live" / "archive", read_only=True)) as recorded:
            again = audited(replace(plan(tmp_path / "again", policy, pool, [row]), recorded=recorded))[0]
    assert first.status is Status.YES
    apart = {"run_id", "latency_s", "usage"}
    assert again.model_dump(exclude=apart) == first.model_dump(exclude=apart)


def test_evidence_after_the_cutoff_is_never_projected_back(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """Requirement 1, for the rules: a disclosure of the day after the cutoff is a later event; on the cutoff itself it counts."""
    _, pages = world(1)
    write_pool(tmp_path / "pool.jsonl", pages)
    days = [dt.date(2019, 5, 3), dt.date(2019, 5, 4), dt.date(2019, 5, 5)]
    write_universe(tmp_path / "universe.csv", [listing(0, row_id=f"day-{day.day}", cutoff=day) for day in days])
    before, on, after = run(tmp_path, policy, policies).records()
    assert (before.status, before.announcement_date) == (Status.NO, None)
    assert before.later_event is not None
    assert before.later_event.date == "2019-05-04"
    assert (on.status, on.announcement_date) == (after.status, after.announcement_date) == (Status.YES, dt.date(2019, 5, 4))


def test_undated_evidence_alone_is_never_accepted(policy: Policy, policies: Path, tmp_path: Path) -> None:
    """Requirement 2: a page without any date may prove the event, but not to the point of an accept."""
    row = listing(0)
    said = f"The board of {row.issuer} has decided to voluntarily delist its common stock from Nasdaq."
    text = f"<html lang=en><title>{row.issuer}</title><p>{said}</p></html>"
    write_universe(tmp_path / "universe.csv", [row])
    write_pool(tmp_path / "pool.jsonl", [{"url": "https://a.example/undated", "content_type": "text/html", "body": text}])
    record = next(run(tmp_path, policy, policies).records())
    assert record.route is not Route.ACCEPT
    assert record.package is not Package.PASS or record.status is Status.NO


# ---- faults of workers and of the store ----


def test_bug_in_the_rules_fails_its_row_and_names_the_place(policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One row has an error record, the others their answers."""
    real = judge_module.adjudicate_documents

    def broken(row: Listing, *rest: object, **more: object) -> object:
        if row.row_id == "T-02":
            raise KeyError("stage")
        return real(row, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(judge_module, "adjudicate_documents", broken)
    tasks.hold(policy)
    _, pages = world(2)
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool, Archive(tmp_path) as archive:
        for number, status in ((0, Status.YES), (1, Status.ABSTAIN)):
            exhibits = []
            for url in pool.urls():
                got = pool.read(url, at=NOW)
                assert not isinstance(got, Gap)
                exhibits.append((archive.put(got).digest, url, got.title))
            task = tasks.Task(
                listing(number),
                tuple(exhibits),
                tmp_path,
                policy.policy_id,
                (Query(text="x", lang="en"),) * 3,
                {"pool": "answered"},
                (),
                60.0,
            )
            judged = judge_module.judge(task)
            assert judged.verdict.status is status
    assert judged.error is not None
    assert "KeyError: 'stage' (test_pipeline.py:" in judged.error


def test_store_that_cannot_be_written_stops_the_run_with_its_message(
    policy: Policy, policies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A StoreError of one row is not wrapped, not hidden, and does not leave workers behind; the run goes on later."""
    append = Store.append
    calls = 0

    def full(self: Store, record: Record, **more: object) -> int:
        nonlocal calls
        calls += 1
        if calls >= 2:
            raise StoreError("disk is full", subject="s2r.db", advice="Free space.")
        return append(self, record, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "append", full)
    with pytest.raises(StoreError, match="disk is full"):
        run(tmp_path, policy, policies, rows=4)
    assert not (tmp_path / "out/run.json").exists()
    monkeypatch.setattr(Store, "append", append)
    second = run(tmp_path, policy, policies)
    assert (second.result.done, second.result.skipped) == (3, 1)
    assert second.rows == 4


# ---- from Python ----


def test_audit_from_python_yields_records_in_the_order_given(tmp_path: Path, policies: Path) -> None:
    """The same job in a notebook: no folder is left behind without `out`."""
    listings, pages = world(3)
    pool = write_pool(tmp_path / "pool.jsonl", pages)
    found = list(s2r.audit(reversed(listings), pool=pool, policies=policies))
    assert [(record.row_id, record.status) for record in found] == [("T-03", "yes"), ("T-02", "no"), ("T-01", "yes")]
    assert [p.name for p in tmp_path.iterdir()] == ["pool.jsonl"]


def test_audit_from_python_continues_in_its_folder(tmp_path: Path, policies: Path) -> None:
    """With `out` the second call is answered from the store."""
    listings, pages = world(2)
    pool = write_pool(tmp_path / "pool.jsonl", pages)
    first = list(s2r.audit(listings, pool=pool, policies=policies, out=tmp_path / "out"))
    second = list(s2r.audit(listings, pool=pool, policies=policies, out=tmp_path / "out"))
    assert first == second


def test_audit_from_python_uses_the_policy_it_is_given(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """A policy changed in memory is the one that workers judge by, not the one on disk."""
    strict = policy.model_copy(
        update={
            "digest": "0" * 64,
            "definition": policy.definition.model_copy(
                update={"coverage": policy.definition.coverage.model_copy(update={"min_pages_read": 99})}
            ),
        }
    )
    _, pages = world(2)
    pool = write_pool(tmp_path / "pool.jsonl", pages)
    record = next(iter(s2r.audit([listing(1)], pool=pool, policy=strict)))
    assert record.status is Status.ABSTAIN
    assert "at least 99 pages" in record.abstain_reason


def test_audit_from_python_refuses_a_repeated_row_id(tmp_path: Path, policies: Path) -> None:
    """Two listings under one id would share one record."""
    _, pages = world(2)
    pool = write_pool(tmp_path / "pool.jsonl", pages)
    with pytest.raises(InputError, match="'T-01' is used more than once"):
        list(s2r.audit([listing(0), listing(1, row_id="T-01")], pool=pool, policies=policies))


@pytest.mark.slow
def test_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    """Workers do not run the caller's script again."""
    _, pages = world(2)
    write_pool(tmp_path / "pool.jsonl", pages)
    write_universe(tmp_path / "universe.csv", world(2)[0])
    script = tmp_path / "script.py"
    script.write_text(
        "import pathlib\nimport s2r\nprint('started')\nrows = s2r.read_universe('universe.csv').listings\n"
        f"for record in s2r.audit(rows, pool='pool.jsonl', policies=pathlib.Path({str(REPO / 'policies')!r})):\n"
        "    print(record.row_id, record.status.value)\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.split("\n") == ["started", "T-01 yes", "T-02 no", ""], done.stderr

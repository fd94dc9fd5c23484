"""Nights one after the other over one folder: what is looked at, what is carried forward, what is told, and what a cut-off night loses."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Command
from factories import FIELDS, settings, world, write_pool, write_universe
from vendor_faults import write_feed

from s2r.cli.common import now
from s2r.job import read_records
from s2r.job.folder import hold_folder
from s2r.models import Listing
from s2r.nightly.night import Context, NightFiles, NightOutcome, run_night
from s2r.pipeline import Event, Phase
from s2r.policy import Policy, load_policy
from s2r.policy.schedule import Cadence, Schedule
from s2r.search import Pool
from s2r.store import Store
from s2r.store.nights import Nights
from s2r.vendor.audit import read_delivery

pytestmark = pytest.mark.slow
START = dt.datetime(2026, 3, 2, 2, 30, tzinfo=dt.UTC)
ROWS = 4


class Service:
    """A folder of nights with a clock that only moves when told."""

    def __init__(self, folder: Path, policies: Path) -> None:
        self.folder, self.policies, self.now = folder, policies, START
        self.listings, pages = world(ROWS)
        write_pool(folder / "pool.jsonl", pages)
        self.write(self.listings)
        self.events: list[Event] = []

    def write(self, rows: Sequence[Listing], *, rolling: bool = False) -> None:
        """The universe of the coming nights; with `rolling` it has no column for cutoffs."""
        path = write_universe(self.folder / "universe.csv", rows)
        if rolling:
            lines = [",".join(name for name in FIELDS if name != "cutoff")]
            lines += [",".join(f'"{getattr(row, name)}"' for name in FIELDS if name != "cutoff") for row in rows]
            path.write_text("\n".join(lines) + "\n", "utf-8")

    def night(
        self, days: float = 0, *, feed: Path | None = None, only: Sequence[str] = (), stop_after: int | None = None,
        schedule: Schedule | None = None, policies: Path | None = None,
    ) -> NightOutcome:  # fmt: skip
        """The next night, so many days later; with `stop_after` it is told to stop when this many rows are done."""
        self.now += dt.timedelta(days=days)
        root = policies or self.policies
        policy: Policy = load_policy("delisting", root)
        context = Context(
            files=NightFiles(self.folder / "universe.csv", self.folder / "pool.jsonl", self.folder / "out"),
            policy=policy,
            policies=root,
            settings=settings(workers=1),
            schedule=schedule or Schedule(),
            clock=lambda: self.now,
        )
        delivery = read_delivery(feed, "plain", policy, root) if feed else None
        stop = asyncio.Event()
        self.events = []

        def on_event(event: Event) -> None:
            self.events.append(event)
            if stop_after is not None and sum(e.phase is Phase.DONE for e in self.events) >= stop_after:
                stop.set()

        return asyncio.run(run_night(context, delivery=delivery, only=only, on_event=on_event, stop=stop))

    def looked(self) -> list[str]:
        """Rows that the last night worked on."""
        return sorted(event.row_id for event in self.events if event.phase is Phase.DONE)

    def numbers(self) -> dict[str, int]:
        """Number of the current revision of each row."""
        with Store(self.folder / "out" / "s2r.db") as store:
            return store.numbers()


@pytest.fixture
def service(tmp_path: Path, policies: Path) -> Service:
    """A service that has not worked yet."""
    return Service(tmp_path, policies)


def kinds(outcome: NightOutcome) -> dict[str, str]:
    """Kind of change by row."""
    return {change.row_id: change.kind for change in outcome.report.changes}


def test_nights_look_only_at_what_changed_or_expired(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """First all rows; then none, with no search, fetch or judgement; then the one that changed; then those whose check expired, whose
    records are carried forward as the same revision; a row that left is told once."""
    first = service.night()
    rows = [row.row_id for row in service.listings]
    assert kinds(first) == dict.fromkeys(rows, "new")
    assert (first.report.looked_at, first.report.carried) == (ROWS, 0)
    with Store(service.folder / "out" / "s2r.db") as store:
        booked = store.totals(first.report.run_id)
    records = (service.folder / "out" / "records.jsonl").read_bytes()

    def refused(*arguments: object, **options: object) -> None:
        raise AssertionError("a search was made")

    with monkeypatch.context() as patched:
        patched.setattr(Pool, "find", refused)
        second = service.night(1)
    assert (second.report.looked_at, second.report.carried, kinds(second)) == (0, ROWS, {})
    assert second.report.quiet
    assert service.looked() == []
    assert (service.folder / "out" / "records.jsonl").read_bytes() == records
    with Store(service.folder / "out" / "s2r.db") as store:
        assert store.totals(second.report.run_id) == booked

    changed = service.listings[1].model_copy(update={"security": "Class A Common Stock"})
    service.write([service.listings[0], changed, *service.listings[2:]])
    third = service.night(1)
    assert service.looked() == [rows[1]]
    assert [(c.row_id, c.why) for c in third.report.changes] == [(rows[1], "the row, its cutoff, a limit or a model changed")]
    assert service.numbers() == {row: 2 if row == rows[1] else 1 for row in rows}

    service.write([service.listings[0], changed, *service.listings[2:-1]])
    fourth = service.night(100, schedule=Schedule(cadence=Cadence(days=90)))
    assert service.looked() == sorted(rows[:-1])
    assert kinds(fourth) == {**dict.fromkeys(rows[:-1], "expired"), rows[-1]: "withdrawn"}
    assert service.numbers() == {row: 2 if row == rows[1] else 1 for row in rows}
    assert [r.row_id for r in read_records(service.folder / "out")] == rows[:-1]
    told = json.loads((fourth.folder / "changes.json").read_text("utf-8"))
    assert told["counts"] == fourth.report.counts
    page = (fourth.folder / "report.html").read_text("utf-8")
    assert "the check expired on" in page
    assert "<script" not in page

    fifth = service.night(1, only=[rows[0]])
    assert kinds(fifth) == {rows[0]: "confirmed"}
    assert fifth.report.changes[0].why == "asked for"


def test_rows_without_a_cutoff_are_not_asked_again_each_day(service: Service) -> None:
    """A universe that asks about today keeps the day of each row's last look until the row is due."""
    service.write(service.listings, rolling=True)
    service.night()
    assert {r.cutoff for r in read_records(service.folder / "out")} == {START.date()}
    service.night(1)
    assert service.looked() == []
    assert {r.cutoff for r in read_records(service.folder / "out")} == {START.date()}
    late = service.night(95)
    assert len(service.looked()) == ROWS
    assert set(kinds(late).values()) == {"expired"}
    assert {r.cutoff for r in read_records(service.folder / "out")} == {service.now.date()}


def test_a_changed_row_of_the_vendor_is_a_reason_and_nothing_more(service: Service) -> None:
    """The listing whose row in the feed changed is looked at again; the day of delivery and the order of lines change nothing."""
    rows = [
        {"vendor_id": f"V{n}", "issuer": row.issuer, "security": row.security, "security_type": "common", "ticker": row.ticker, "mic": row.mic,
         "isin": "", "cik": "", "status": "active", "reason": "", "announcement_date": "", "updated": "2026-03-01"}
        for n, row in enumerate(service.listings)
    ]  # fmt: skip
    feed = service.folder / "feed.csv"
    write_feed(feed, rows)
    first = service.night(feed=feed)
    assert first.vendor is not None
    assert first.vendor.summary.by_kind["stale"] == first.vendor.summary.challenges > 0
    write_feed(feed, [row | {"updated": "2026-03-02"} for row in reversed(rows)])
    service.night(1, feed=feed)
    assert service.looked() == []
    rows[2] |= {"status": "suspended"}
    write_feed(feed, rows)
    third = service.night(1, feed=feed)
    assert service.looked() == [service.listings[2].row_id]
    assert [(c.kind, c.why) for c in third.report.changes] == [("confirmed", "the vendor's row changed")]
    service.night(1)
    assert service.looked() == []
    service.night(1, feed=feed)
    assert service.looked() == []


def test_a_changed_policy_is_told_as_the_reason(service: Service, policies: Path, tmp_path: Path) -> None:
    """Another version of the policy is a reason to look at all rows, and the report says so."""
    service.night()
    text = (policies / "delisting" / "policy.toml").read_text("utf-8")
    other = tmp_path / "policies"
    other.mkdir()
    for path in policies.iterdir():
        if path.name != "delisting":
            (other / path.name).symlink_to(path)
    (other / "delisting").mkdir()
    for path in (policies / "delisting").iterdir():
        if path.name != "policy.toml":
            (other / "delisting" / path.name).symlink_to(path)
    (other / "delisting" / "policy.toml").write_text(text.replace('version = "1"', 'version = "1b"', 1), "utf-8")
    second = service.night(1, policies=other)
    assert len(service.looked()) == ROWS
    assert {change.why for change in second.report.changes} == {"the policy changed"}
    assert set(service.numbers().values()) == {2}


def test_a_night_that_was_stopped_is_gone_on_with(service: Service, s2r: Command) -> None:
    """Told to stop after the first row, the night goes on later: no row twice, one report with all of it."""
    cut = service.night(stop_after=1)
    assert cut.report.unfinished == "stopped"
    done = service.looked()
    assert 1 <= len(done) < ROWS
    with Store(service.folder / "out" / "s2r.db") as store:
        assert [night.state for night in Nights(store).all()] == ["running"]
    shown = s2r("nights", "--out", service.folder / "out")
    assert ("stopped" in shown.out, "running" in shown.out, "goes on with it" in shown.err) == (True, False, True)
    with hold_folder(service.folder / "out"):
        assert "running" in s2r("nights", "--out", service.folder / "out").out
    rest = service.night(0.2)
    assert not set(service.looked()) & set(done)
    assert kinds(rest) == dict.fromkeys([row.row_id for row in service.listings], "new")
    assert set(service.numbers().values()) == {1}
    with Store(service.folder / "out" / "s2r.db") as store:
        assert [(night.id, night.state) for night in Nights(store).all()] == [(cut.night.id, "done")]


def test_a_universe_that_cannot_be_used_begins_no_night(service: Service) -> None:
    """A configuration error leaves no night behind."""
    (service.folder / "universe.csv").write_text("", "utf-8")
    with pytest.raises(Exception, match="is empty"):
        service.night()
    with Store(service.folder / "out" / "s2r.db") as store:
        assert Nights(store).all() == []


def test_the_command_and_the_record_of_a_day(tmp_path: Path, policies: Path, s2r: Command) -> None:
    """`s2r nightly` prints what changed and gives it as JSON lines; `s2r show --as-of` tells what was known on a day."""
    listings, pages = world(1)
    write_universe(tmp_path / "universe.csv", listings)
    write_pool(tmp_path / "pool.jsonl", pages)
    command = ("nightly", tmp_path / "universe.csv", "--pool", tmp_path / "pool.jsonl", "--out", tmp_path / "out", "--policies", policies)
    ran = s2r(*command, "--workers", 1, "--json")
    assert ran.code == 0
    assert [json.loads(line)["kind"] for line in ran.out.splitlines()] == ["new"]
    assert "1 looked at, 0 carried forward; 1 new" in ran.err
    ran = s2r(*command, "--workers", 1, "--row", "T-01")
    assert "1 confirmed" in ran.err
    shown = s2r("show", "T-01", "--out", tmp_path / "out")
    assert "asked for): same, revision 1 stands" in shown.out
    before = s2r("show", "T-01", "--out", tmp_path / "out", "--as-of", "2020-01-01")
    assert before.code == 2
    assert "knew nothing of T-01 on 2020-01-01" in before.err
    today = now().date()
    assert s2r("show", "T-01", "--out", tmp_path / "out", "--as-of", today.isoformat()).code == 0


def test_an_audit_keeps_the_due_days_of_the_schedule(tmp_path: Path, policies: Path, s2r: Command) -> None:
    """Those of `schedule.toml` of the policies that it was told; a faulty one stops no audit."""
    listings, pages = world(1)
    universe, pool = write_universe(tmp_path / "universe.csv", listings), write_pool(tmp_path / "pool.jsonl", pages)
    own = shutil.copytree(policies, tmp_path / "policies")
    for text, days in (("[cadence]\ndays = 5\nrule = []\n", 5), ("[cadence]\ndays = 'never'\n", None)):
        (own / "schedule.toml").write_text(text)
        out = tmp_path / f"out-{days}"
        ran = s2r("audit", universe, "--pool", pool, "--out", out, "--policies", own, "--workers", 1)
        assert ran.code == 0
        with Store(out / "s2r.db", read_only=True) as store:
            (check,) = store.last_checks().values()
        assert check.due_at == (check.checked_at + dt.timedelta(days=days) if days else None)

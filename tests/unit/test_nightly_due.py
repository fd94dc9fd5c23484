"""What a night looks at and why, when a row is due again, and what a night may cost: decided without an audit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from factories import listing, record

from s2r.errors import PolicyError, StoreError
from s2r.models import Listing, Record, Route, Stage, Status, TimelinePoint
from s2r.nightly.changes import changes_of, count
from s2r.nightly.due import ROLLING, cadence_digest, choose, due_at, due_by, due_of_answer
from s2r.nightly.night import fill_due, hold_night, night_cap
from s2r.policy.schedule import Budget, Cadence, load_schedule
from s2r.store import Checked, Store
from s2r.store.nights import STALE, Nights

NOW = dt.datetime(2026, 3, 2, 2, 30, tzinfo=dt.UTC)
TONIGHT = NOW.date()
DAY = dt.timedelta(days=1)


def inputs(row: Listing) -> str:
    """A stand-in for the digest of what decides a record."""
    return f"{row.issuer}|{row.cutoff}"


def check(row: Listing, **change: object) -> Checked:
    """A look at a row ten days ago, due in eighty days."""
    given = Checked(
        id=1, row_id=row.row_id, number=1, run_id="r", inputs=inputs(row), why="new row", outcome="new", mark="", note="", cutoff=row.cutoff,
        due_at=NOW + 80 * DAY, cadence="c", checked_at=NOW - 10 * DAY,
    )  # fmt: skip
    return replace(given, **change)  # type: ignore[arg-type]


CHOICES: list[tuple[str, dict[str, object], Mapping[str, str] | None, str]] = [
    ("nothing changed", {}, None, ""),
    ("inputs changed", {"inputs": "other"}, None, "the policy changed"),
    ("expired", {"due_at": NOW}, None, "the check expired on 2026-03-02"),
    ("not yet expired", {"due_at": NOW + dt.timedelta(seconds=1)}, None, ""),
    ("a failed look", {"due_at": NOW, "outcome": "failed"}, None, "the last look came to nothing"),
    ("the vendor's row changed", {"mark": "a"}, {"T-01": "b"}, "the vendor's row changed"),
    ("the vendor's row went", {"mark": "a"}, {}, "the vendor's row changed"),
    ("the vendor's row is the same", {"mark": "a"}, {"T-01": "a"}, ""),
    ("no feed tonight", {"mark": "a"}, None, ""),
]


@pytest.mark.parametrize(("change", "marks", "why"), [case[1:] for case in CHOICES], ids=[case[0] for case in CHOICES])
def test_a_row_is_looked_at_for_a_reason_only(change: dict[str, object], marks: Mapping[str, str] | None, why: str) -> None:
    """A row that has a check is carried forward unless something of it changed or its check expired."""
    row = listing(0)
    found = choose(
        [row], {row.row_id: check(row, **change)}, inputs, night=TONIGHT, now=NOW, marks=marks, reasons=lambda check: "the policy changed"
    )
    assert found.looks == ({row.row_id: why} if why else {})
    assert found.carried == (0 if why else 1)


def test_a_row_without_a_check_is_new() -> None:
    """A row that was never looked at is."""
    assert choose([listing(0)], {}, inputs, night=TONIGHT, now=NOW).looks == {"T-01": "new row"}


def test_a_rolling_cutoff_moves_with_a_look_only() -> None:
    """A row asked about "today" keeps the day of its last look until it is due; then it is asked about tonight."""
    row = listing(0, cutoff=ROLLING)
    asked = listing(0, cutoff=TONIGHT - 10 * DAY)
    waits = choose([row], {row.row_id: check(asked)}, inputs, night=TONIGHT, now=NOW)
    assert (waits.looks, waits.listings[0].cutoff) == ({}, TONIGHT - 10 * DAY)
    due = choose([row], {row.row_id: check(asked, due_at=NOW)}, inputs, night=TONIGHT, now=NOW)
    assert (list(due.looks), due.listings[0].cutoff) == ([row.row_id], TONIGHT)
    fixed = choose([listing(0)], {}, inputs, night=TONIGHT, now=NOW)
    assert fixed.listings[0].cutoff == listing(0).cutoff


def point(stage: Stage, days_ago: int) -> TimelinePoint:
    """A step stated so many days before the last look."""
    day = (NOW - 10 * DAY).date() - dt.timedelta(days=days_ago)
    return TimelinePoint(date=day.isoformat(), kind="published", stage=stage, source_kind="issuer", url="u", digest="d", quote="q")


RECENT = listing(0, cutoff=TONIGHT)
CADENCES: list[tuple[str, Record, str, float]] = [
    ("proven and accepted", record(RECENT, status=Status.YES, route=Route.ACCEPT), "new", 365),
    ("proven, for review", record(RECENT, status=Status.YES, route=Route.REVIEW), "new", 30),
    ("nothing", record(RECENT, route=Route.ACCEPT), "same", 90),
    ("an open warning", record(RECENT, route=Route.ACCEPT, timeline=(point(Stage.WARNING, 100),)), "new", 7),
    ("a step that leads to it", record(RECENT, timeline=(point(Stage.CONDITIONAL_DECISION, 20), point(Stage.WARNING, 90))), "new", 1),
    ("a warning of long ago", record(RECENT, route=Route.ACCEPT, timeline=(point(Stage.WARNING, 800),)), "new", 90),
    ("an abstention", record(RECENT, status=Status.ABSTAIN), "new", 30),
    ("a look that failed", record(RECENT, status=Status.YES, route=Route.ACCEPT), "failed", 1),
]


@pytest.mark.parametrize(("found", "outcome", "days"), [case[1:] for case in CADENCES], ids=[case[0] for case in CADENCES])
def test_cadence_follows_risk_and_stage(found: Record, outcome: str, days: float, policies: Path) -> None:
    """A listing with an open step is looked at sooner, a proven record later."""
    last = check(RECENT, outcome=outcome)
    assert due_at(found, last, load_schedule(policies).cadence) == last.checked_at + dt.timedelta(days=days)


@pytest.mark.parametrize(("found", "outcome", "days"), [case[1:] for case in CADENCES], ids=[case[0] for case in CADENCES])
def test_due_days_are_filled_without_reading_what_does_not_decide(
    found: Record, outcome: str, days: float, policies: Path, tmp_path: Path
) -> None:
    """Status and route decide where no rule asks for more; else the steps of the record do, and of it no more is read."""
    cadence, last = load_schedule(policies).cadence, check(RECENT, outcome=outcome)
    alone = due_of_answer(found.status.value, found.route.value, last, cadence)
    asks = outcome != "failed" and found.status in (Status.NO, Status.ABSTAIN)
    assert alone == (None if asks else last.checked_at + days * DAY)
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        again = outcome == "failed"
        store.append(found, inputs="i", position=0, author="s2r", why="new row", now=last.checked_at, again=again)
        assert fill_due(store, store.last_checks(), cadence)
        assert not fill_due(store, store.last_checks(), cadence)
        (filled,) = store.last_checks().values()
    assert filled.due_at == last.checked_at + days * DAY


@pytest.mark.parametrize(("found", "outcome", "days"), [case[1:] for case in CADENCES], ids=[case[0] for case in CADENCES])
def test_an_audit_keeps_when_a_row_is_due(found: Record, outcome: str, days: float, policies: Path, tmp_path: Path) -> None:
    """So that the first night has nothing to work out: the same day as the night itself would find."""
    cadence, last = load_schedule(policies).cadence, check(RECENT, outcome=outcome).checked_at
    failed = outcome == "failed"
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        due = due_by(cadence)(found, failed, last)
        store.append(found, inputs="i", position=0, author="s2r", why="new row", now=last, again=failed, due=due)
        (kept,) = store.last_checks().values()
        assert (kept.due_at, kept.cadence) == (last + days * DAY, cadence_digest(cadence))
        assert not fill_due(store, store.last_checks(), cadence)


def test_a_record_that_cannot_be_read_stops_the_night_by_name(tmp_path: Path, policies: Path) -> None:
    """Its steps are not taken for none."""
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        store.append(record(RECENT), inputs="i", position=0, author="s2r", why="new row", now=NOW)
        store.execute("update revision set record = '{}'")
        with pytest.raises(StoreError, match="cannot be read"):
            fill_due(store, store.last_checks(), load_schedule(policies).cadence)


def test_a_changed_cadence_is_worked_out_anew(tmp_path: Path) -> None:
    """Due days belong to the cadence that said so."""
    row = listing(0)
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        store.append(record(row), inputs="i", position=0, author="s2r", why="new row", now=NOW)
        for cadence, days in ((Cadence(), 90), (Cadence(days=5), 5)):
            fill_due(store, store.last_checks(), cadence)
            (found,) = store.last_checks().values()
            assert (found.due_at, found.cadence) == (NOW + days * DAY, cadence_digest(cadence))


def test_a_night_stays_under_all_caps(tmp_path: Path) -> None:
    """What the folder may have cost in the end: what it had cost before, and the least of night, month and command."""
    with Store(tmp_path / "s2r.db") as store:
        store.book("r", "T-01", [("search:x", 1.0, "calls", 7.0)], NOW - 40 * DAY)  # last month
        store.book("r", "T-01", [("search:x", 1.0, "calls", 3.0)], NOW - 1 * DAY)
        night, continued = Nights(store).open("nightly", NOW, {"spent_before": store.spent()})
        assert continued is False
        assert night_cap(store, night, Budget(), None) is None
        assert night_cap(store, night, Budget(night_usd=2.0), None) == pytest.approx(12.0)
        assert night_cap(store, night, Budget(night_usd=2.0, month_usd=4.0), None) == pytest.approx(11.0)
        assert night_cap(store, night, Budget(night_usd=2.0, month_usd=4.0), 0.5) == pytest.approx(10.5)
        store.book("r", "T-01", [("search:x", 1.0, "calls", 0.8)], NOW)  # of this night, which was cut off
        again, continued = Nights(store).open("nightly", NOW + dt.timedelta(hours=1), {"spent_before": store.spent()})
        assert (continued, again.id) == (True, night.id)
        assert night_cap(store, again, Budget(month_usd=4.0), None) == pytest.approx(11.0)
        assert night_cap(store, again, Budget(month_usd=2.0), None) == pytest.approx(10.0)


def test_a_night_of_yesterday_is_given_up_and_told_with_the_next(tmp_path: Path) -> None:
    """A night that was cut off a day ago is not gone on with; what it did stands in the report of the new one."""
    with Store(tmp_path / "s2r.db") as store:
        first, _ = Nights(store).open("nightly", NOW, {})
        second, continued = Nights(store).open("nightly", NOW + STALE, {})
        assert (continued, second.id != first.id, second.since) == (False, True, NOW)
        assert [night.state for night in Nights(store).all()] == ["failed", "running"]


def test_changes_of_a_night(tmp_path: Path) -> None:
    """New, changed, withdrawn, expired and failed rows are told apart, with what differs."""
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)

        def add(number: int, when: dt.datetime, why: str, *, again: bool = False, **change: object) -> None:
            store.append(record(listing(number), **change), inputs="i", position=number, author="s2r", why=why, now=when, again=again)

        yes: dict[str, object] = {"status": Status.YES, "announcement_date": dt.date(2019, 5, 4), "reason": "voluntary"}
        for number in (1, 2, 3):
            add(number, NOW - DAY, "new row", **yes)
        add(0, NOW, "new row", **yes)
        add(1, NOW, "the policy changed", **(yes | {"announcement_date": dt.date(2019, 5, 7)}))
        add(2, NOW, "the check expired on 2026-03-02")
        store.confirm(record(listing(3), **yes), inputs="i", outcome="same", why="the check expired on 2026-03-02", now=NOW)
        add(4, NOW, "new row", again=True, status=Status.ABSTAIN, error="ValueError: x")
        found = changes_of(store, store.checks_since(NOW), {"T-09": "the listing left the universe"})
    told = {change.row_id: change for change in found}
    assert {row: change.kind for row, change in told.items()} == {
        "T-01": "new", "T-02": "changed", "T-03": "withdrawn", "T-04": "expired", "T-05": "failed", "T-09": "withdrawn",
    }  # fmt: skip
    assert (told["T-02"].before, told["T-02"].after) == ({"announcement_date": "2019-05-04"}, {"announcement_date": "2019-05-07"})
    assert (told["T-03"].before["status"], told["T-03"].after["status"]) == ("yes", "no")
    assert told["T-04"].revision == 1
    assert told["T-05"].note == "ValueError: x"
    assert count(found) == {"new": 1, "changed": 1, "withdrawn": 2, "expired": 1, "confirmed": 0, "failed": 1}


def test_what_was_believed_on_a_day(tmp_path: Path) -> None:
    """Each moment has the revision that stood then."""
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        for days, status in ((0, Status.ABSTAIN), (2, Status.NO), (5, Status.YES)):
            store.append(record(listing(0), status=status), inputs="i", position=0, author="s2r", why="audit", now=NOW + days * DAY)
        stood = [store.as_of("T-01", NOW + dt.timedelta(days=days, hours=1)) for days in (-1, 0, 1, 2, 4, 5)]
    assert [found and found.status.value for found in stood] == [None, "abstain", "abstain", "no", "no", "yes"]


def test_two_services_on_one_folder(tmp_path: Path) -> None:
    """The second one is told who is there, and may begin when it has gone."""
    with hold_night(tmp_path), pytest.raises(StoreError, match=r"another night is in use by process \d+"), hold_night(tmp_path):
        pass
    with hold_night(tmp_path):
        pass


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[cadence.rule]]\ndays = 1.0\nstage = ["warnings"]\n', "cadence.rule[0].stage[0]: unknown value 'warnings'"),
        ('[[job]]\nid = "a"\n[[job]]\nid = "a"\n', "job[1].id: the id 'a' is used twice"),
        ("[cadence]\ndays = 0.0\n", "cadence.days"),
        ("[bugdet]\nnight_usd = 1.0\n", "bugdet: unknown key"),
        ('[notices]\nwhen = "daily"\n', "notices.when: unknown value 'daily'"),
        ('[[job]]\nid = "a"\nhour = "25"\n', "job[0].hour"),
    ],
)
def test_faults_of_the_schedule_are_named(text: str, said: str, tmp_path: Path) -> None:
    """`schedule.toml` is checked like every policy file."""
    (tmp_path / "schedule.toml").write_text(text, "utf-8")
    with pytest.raises(PolicyError) as caught:
        load_schedule(tmp_path)
    assert said in str(caught.value)


def test_defaults_hold_without_a_schedule(policies: Path) -> None:
    """A folder without a schedule has no jobs."""
    assert load_schedule(policies / "venues").job == ()

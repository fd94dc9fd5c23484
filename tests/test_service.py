"""The service by the clock: missed times, changes of daylight saving, jobs that take long, two of them, notices, copies of its folder."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from conftest import Command
from factories import listing, record, settings, write_world
from night_kills import kill_nights
from paid_kills import kill_paid_nights

from s2r.errors import ConfigError, IntegrityError, SourceRefused
from s2r.nightly.keeping import backup, keep_copy, restore, tidy
from s2r.nightly.night import Context, NightFiles, hold_night
from s2r.nightly.notices import Addresses, Notice, is_due, open_channels, tell
from s2r.nightly.service import Desk, is_missed, missed, next_run, pause, paused, resume, serve, work
from s2r.policy import Policy
from s2r.policy.schedule import Job, Notices, Retention, Schedule
from s2r.store import Store
from s2r.store.nights import Nights
from s2r.testing.tls import has_openssl
from s2r.vendor.audit import Delivery

NIGHTLY = Job(id="nightly", hour="2", minute="30")
NOW = dt.datetime(2026, 3, 2, 2, 30, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


# ---- the clock ----


@pytest.mark.parametrize("day", [dt.date(2026, 3, 29), dt.date(2026, 10, 25), dt.date(2026, 3, 8), dt.date(2026, 11, 1)])
def test_a_night_comes_once_a_day_when_clocks_change(day: dt.date, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the days on which Europe and America change their clocks there is one time, at the same UTC hour, whatever the machine's zone."""
    monkeypatch.setenv("TZ", "Europe/Budapest")
    moment = dt.datetime.combine(day - DAY, dt.time(12), dt.UTC)
    times = []
    while (found := next_run(NIGHTLY, moment)) is not None and found.date() <= day + DAY:
        times.append(found)
        moment = found
    assert times == [dt.datetime.combine(d, dt.time(2, 30), dt.UTC) for d in (day, day + DAY)]


@pytest.mark.parametrize(
    ("last", "now", "late"),
    [
        (None, NOW, False),
        (NOW, NOW + dt.timedelta(hours=3), False),
        (NOW, NOW + DAY - dt.timedelta(seconds=1), False),
        (NOW, NOW + DAY, True),
        (NOW, NOW + 9 * DAY, True),
        (NOW + dt.timedelta(hours=7), NOW + DAY - dt.timedelta(hours=1), False),
    ],
)
def test_a_time_is_missed_when_it_passed_since_the_last_night(last: dt.datetime | None, now: dt.datetime, late: bool) -> None:
    """A job that never ran waits for its first time; several missed times are one."""
    assert is_missed(NIGHTLY, last, now) is late


def test_weekly_jobs_keep_their_day() -> None:
    """A job of Sundays comes on Sundays."""
    found = next_run(Job(id="tidy", command="tidy", hour="12", minute="0", weekday="sun"), NOW)
    assert found == dt.datetime(2026, 3, 8, 12, tzinfo=dt.UTC)


# ---- jobs ----


class Told:
    """A channel that keeps what it was given, or refuses."""

    def __init__(self, name: str = "told", refuse: int = 0) -> None:
        self.name, self.refuse, self.notices = name, refuse, list[Notice]()

    async def send(self, notice: Notice) -> None:
        self.notices.append(notice)
        if len(self.notices) <= self.refuse:
            raise SourceRefused("answered 503", subject=self.name)


@pytest.fixture
def desk(tmp_path: Path, policy: Policy, policies: Path) -> Desk:
    """A service over a world of one listing; what it says is kept in `said`."""
    write_world(tmp_path, 1)
    context = Context(
        files=NightFiles(tmp_path / "universe.csv", tmp_path / "pool.jsonl", tmp_path / "out"),
        policy=policy,
        policies=policies,
        settings=settings(workers=1),
        schedule=Schedule(job=(NIGHTLY,)),
        clock=lambda: NOW,
    )
    said: list[str] = []
    return Desk(context, (Told(),), said.append)


@pytest.mark.slow
def test_a_missed_night_runs_once_at_the_start_and_is_told(desk: Desk, tmp_path: Path) -> None:
    """After days without the service one night makes up for all; its notice holds the changes; a paused service starts none."""
    with Store(desk.out / "s2r.db") as store:
        night, _ = Nights(store).open("nightly", NOW - 5 * DAY, {})
        Nights(store).close(night, "done", {"counts": {}}, NOW - 5 * DAY)
    assert missed(desk, [NIGHTLY]) == ["nightly"]
    pause(desk.out, "the archive is being moved")
    asyncio.run(_briefly(desk))
    assert paused(desk.out) == "the archive is being moved"
    assert _states(desk) == ["done"]
    resume(desk.out)
    asyncio.run(_briefly(desk))
    assert _states(desk) == ["done", "done"]
    assert missed(desk, [NIGHTLY]) == []
    (channel,) = desk.channels
    assert isinstance(channel, Told)
    (notice,) = channel.notices
    assert (notice.id, notice.attempt) == ("s2r-night-2", 1)
    assert "1 new" in notice.title
    assert notice.report["counts"]["new"] == 1  # type: ignore[index]
    assert (desk.out / "nights" / "backups").is_dir()


def test_a_bug_in_a_missed_night_is_told(desk: Desk) -> None:
    """What a night that was missed dies of is said at once, like the fault of any other night."""
    with Store(desk.out / "s2r.db") as store:
        night, _ = Nights(store).open("nightly", NOW - 5 * DAY, {})
        Nights(store).close(night, "done", {"counts": {}}, NOW - 5 * DAY)
    said: list[str] = []

    def deliver() -> Delivery:
        raise ValueError("a reader's bug")

    async def briefly() -> None:
        stop = asyncio.Event()

        def say(text: str) -> None:
            said.append(text)
            if "ValueError" in text:
                stop.set()

        await asyncio.wait_for(serve(replace(desk, say=say, deliver=deliver), stop), timeout=60)

    asyncio.run(briefly())
    assert "nightly: ValueError: a reader's bug" in said


async def _briefly(desk: Desk) -> None:
    """Serve until the job that was missed has said what came of it."""
    stop = asyncio.Event()

    def say(text: str) -> None:
        if text.startswith(("nightly: night", "nightly: paused")):
            stop.set()

    await serve(replace(desk, say=say), stop)


def _states(desk: Desk) -> list[str]:
    with Store(desk.out / "s2r.db") as store:
        return [night.state for night in Nights(store).all()]


def test_a_fault_of_a_night_is_noted_and_told_and_ends_nothing(desk: Desk) -> None:
    """A universe that is gone makes a failed night with its cause, and a notice."""
    desk.context.files.universe.unlink()
    assert asyncio.run(work(desk, NIGHTLY)) is None
    assert _states(desk) == ["failed"]
    (channel,) = desk.channels
    assert isinstance(channel, Told)
    assert "not found" in channel.notices[0].text
    assert missed(desk, [NIGHTLY]) == []


def test_a_second_service_says_who_is_there(desk: Desk) -> None:
    """While another process holds the folder the night is not begun, and the message names it."""
    said = desk.say.__self__  # type: ignore[attr-defined]
    with hold_night(desk.out):
        assert asyncio.run(work(desk, NIGHTLY)) is None
    assert any("another night is in use by process" in text for text in said)


def test_a_job_that_takes_longer_than_its_interval_does_not_overlap(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times that come while the job is at work are left out, with a word."""
    inside = most = 0

    async def slow(_: Desk, job: Job, stop: asyncio.Event | None = None, rows: Sequence[str] = ()) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(1.3)
        inside -= 1

    monkeypatch.setattr("s2r.nightly.service.work", slow)
    monkeypatch.setattr("s2r.nightly.service.trigger", lambda job: _each_half_second())
    said = desk.say.__self__  # type: ignore[attr-defined]

    async def some_time() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(serve(desk, stop))
        await asyncio.sleep(2.5)
        stop.set()
        await task

    asyncio.run(some_time())
    assert most == 1
    assert any("still at work; this time is left out" in text for text in said)


def _each_half_second() -> object:
    from apscheduler.triggers.interval import IntervalTrigger

    return IntervalTrigger(seconds=0.5, timezone=dt.UTC)


# ---- notices ----


def _night(out: Path, **outcome: object) -> None:
    with Store(out / "s2r.db") as store:
        night, _ = Nights(store).open("nightly", NOW, {})
        Nights(store).close(night, "done", {"counts": {"changed": 2}} | outcome, NOW)


def test_a_notice_is_sent_again_until_every_channel_took_it(tmp_path: Path) -> None:
    """A channel that refuses is tried again by the next call, those that took it are not; each attempt is numbered."""
    _night(tmp_path)
    good, bad = Told("good"), Told("bad", refuse=1)
    rule = Notices(tries=3)
    assert len(asyncio.run(tell(tmp_path, (good, bad), rule, NOW))) == 1
    assert asyncio.run(tell(tmp_path, (good, bad), rule, NOW)) == []
    assert asyncio.run(tell(tmp_path, (good, bad), rule, NOW)) == []
    assert [n.attempt for n in good.notices] == [1]
    assert [(n.id, n.attempt) for n in bad.notices] == [("s2r-night-1", 1), ("s2r-night-1", 2)]


def test_a_notice_that_was_cut_off_is_sent_again_and_marked(tmp_path: Path) -> None:
    """When the process dies between sending and noting, the next attempt has the same id and a higher number."""
    _night(tmp_path)

    class Dying(Told):
        async def send(self, notice: Notice) -> None:
            await super().send(notice)
            raise KeyboardInterrupt

    dying, after = Dying(), Told()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(tell(tmp_path, (dying,), Notices(), NOW))
    asyncio.run(tell(tmp_path, (after,), Notices(), NOW))
    assert [(n.id, n.attempt) for n in (*dying.notices, *after.notices)] == [("s2r-night-1", 1), ("s2r-night-1", 2)]


def test_a_notice_is_given_up_after_its_tries(tmp_path: Path) -> None:
    """A dead address is not tried for ever, and the night keeps the cause."""
    _night(tmp_path)
    dead = Told(refuse=99)
    for _ in range(5):
        asyncio.run(tell(tmp_path, (dead,), Notices(tries=3), NOW))
    assert len(dead.notices) == 3
    with Store(tmp_path / "s2r.db") as store:
        assert "given up after 3 attempts" in str(Nights(store).all()[0].notice["none"])


@pytest.mark.parametrize(
    ("outcome", "when", "due"),
    [
        ({"counts": {}}, "changes", False),
        ({"counts": {}}, "always", True),
        ({"counts": {"changed": 1}}, "changes", True),
        ({"counts": {"changed": 1}}, "faults", False),
        ({"counts": {"failed": 1}}, "faults", True),
        ({"error": "x"}, "changes", True),
        ({"error": "x"}, "never", False),
        ({"counts": {"expired": 9, "confirmed": 1}}, "changes", False),
    ],
)
def test_which_nights_are_told(outcome: dict[str, object], when: str, due: bool, tmp_path: Path) -> None:
    """Quiet nights are not told unless all are; faults always are, unless nothing is."""
    with Store(tmp_path / "s2r.db") as store:
        night, _ = Nights(store).open("nightly", NOW, {})
        Nights(store).close(night, "done", outcome, NOW)
        assert is_due(Nights(store).all()[0], when) is due


def test_webhook_and_apprise_over_real_connections(tmp_path: Path) -> None:
    """Both reach a server of this machine; a refusal is a fault whose words hold no address."""
    got: list[tuple[str, dict[str, object]]] = []
    status = 200

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((self.path, json.loads(body)))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        port = server.server_address[1]
        addresses = Addresses((f"json://127.0.0.1:{port}/chat-s3cret",), f"http://127.0.0.1:{port}/hook-s3cret")
        assert "s3cret" not in repr(addresses)
        _night(tmp_path)
        channels = open_channels(addresses, settings(home=tmp_path / "home"))
        assert asyncio.run(tell(tmp_path, channels, Notices(), NOW)) == []
        assert {path for path, _ in got} == {"/hook-s3cret", "/chat-s3cret"}
        hook = next(body for path, body in got if path == "/hook-s3cret")
        assert (hook["id"], hook["attempt"]) == ("s2r-night-1", 1)
        status = 410
        with Store(tmp_path / "s2r.db") as store:
            Nights(store).tell(Nights(store).all()[0], {})
        channels = open_channels(addresses, settings(home=tmp_path / "home"))
        faults = asyncio.run(tell(tmp_path, channels, Notices(), NOW))
        assert len(faults) == 2
        assert "s3cret" not in " ".join(faults)
    finally:
        server.shutdown()
        server.server_close()


# ---- copies, and what goes ----


def _run_folder(out: Path) -> None:
    with Store(out / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        store.append(record(listing(0)), inputs="i", position=0, author="s2r", why="new row", now=NOW)
    (out / "archive").mkdir()
    (out / "archive" / "a.warc.gz").write_bytes(b"pages")
    (out / "pools").mkdir()
    (out / "pools" / "x.db").write_bytes(b"can be made again")


def test_a_backup_is_made_while_the_store_is_written_and_comes_back(tmp_path: Path, s2r: Command) -> None:
    """The copy is one whole state of the store; restoring proves each file, and refuses one that was changed."""
    run, copy, back = tmp_path / "run", tmp_path / "copy", tmp_path / "back"
    _run_folder(run)
    writer = sqlite3.connect(run / "s2r.db", isolation_level=None)
    writer.execute("begin immediate")
    writer.execute("update revision set why = 'half'")
    assert s2r("backup", run, copy).code == 0
    writer.execute("rollback")
    writer.close()
    assert not (copy / "pools").exists()
    assert s2r("restore", copy, back).code == 0
    with Store(back / "s2r.db") as store:
        assert store.history("T-01")[0]["why"] == "new row"
    assert (back / "archive" / "a.warc.gz").read_bytes() == b"pages"
    (copy / "archive" / "a.warc.gz").write_bytes(b"pagez")
    with pytest.raises(IntegrityError, match=r"a\.warc\.gz"):
        restore(copy, tmp_path / "third")
    assert not (tmp_path / "third").exists()


def test_backups_refuse_what_would_be_overwritten(tmp_path: Path) -> None:
    """Neither a copy nor a restored folder goes over another one; half a backup is none."""
    _run_folder(tmp_path / "run")
    backup(tmp_path / "run", tmp_path / "copy", NOW)
    with pytest.raises(ConfigError, match="is not empty"):
        backup(tmp_path / "run", tmp_path / "copy", NOW)
    with pytest.raises(ConfigError, match="is not empty"):
        restore(tmp_path / "copy", tmp_path / "run")
    (tmp_path / "copy" / "backup.json").unlink()
    with pytest.raises(ConfigError, match="no whole backup"):
        restore(tmp_path / "copy", tmp_path / "new")


def test_copies_of_the_store_before_a_night_are_few(tmp_path: Path) -> None:
    """The newest ones stay."""
    _run_folder(tmp_path)
    for number in range(5):
        keep_copy(tmp_path, number, 2)
    assert sorted(path.name for path in (tmp_path / "nights" / "backups").iterdir()) == ["night-00003.sqlite", "night-00004.sqlite"]


def test_old_reports_go_and_records_stay(tmp_path: Path) -> None:
    """Only told nights past their time are removed; 0 days keep all."""
    _run_folder(tmp_path)
    with Store(tmp_path / "s2r.db") as store:
        for days, notice in ((500, {"sent_at": "x"}), (500, {}), (10, {"sent_at": "x"})):
            night, _ = Nights(store).open("nightly", NOW - days * DAY, {})
            Nights(store).close(night, "done", {}, NOW - days * DAY)
            Nights(store).tell(night, notice)
            (tmp_path / "nights" / f"{night.id:05d}").mkdir(parents=True)
    assert tidy(tmp_path, Retention(nights_days=0), NOW) == []
    assert tidy(tmp_path, Retention(nights_days=400), NOW) == [1]
    assert not (tmp_path / "nights" / "00001").exists()
    with Store(tmp_path / "s2r.db") as store:
        assert store.current("T-01") is not None


def test_history_pause_and_resume_by_command(tmp_path: Path, s2r: Command) -> None:
    """`s2r nights` lists every night, and says that the service is paused and why."""
    _run_folder(tmp_path / "out")
    _night(tmp_path / "out")
    ran = s2r("nights", "--out", tmp_path / "out", "--pause", "moving house")
    assert "2 changed" in ran.out
    assert "Paused: moving house" in ran.err
    assert "Paused" not in s2r("nights", "--out", tmp_path / "out", "--resume").err
    assert json.loads(s2r("nights", "--out", tmp_path / "out", "--json").out)["state"] == "done"
    shutil.rmtree(tmp_path / "out")
    assert s2r("nights", "--out", tmp_path / "out").code == 2


@pytest.mark.slow
@pytest.mark.skipif(not has_openssl(), reason="a world with TLS needs the openssl program")
def test_a_killed_night_on_paid_services_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    """Killed at random points and gone on with, a night leaves the same records, revisions, report and history, is told once at least,
    and pays at most what was under way again."""
    assert kill_paid_nights(tmp_path, 2) == []


@pytest.mark.proof
def test_nights_survive_kills_without_services_too(tmp_path: Path) -> None:
    """The same over a sealed pool, many times."""
    assert kill_nights(tmp_path, 20) == []

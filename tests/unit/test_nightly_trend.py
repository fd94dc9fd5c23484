"""How nights follow each other: every figure of the charts is that of the nights and of the records."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from factories import listing, record

from s2r.models import Route, Status
from s2r.nightly.changes import Change, ChangeReport
from s2r.nightly.files import write_night
from s2r.nightly.trend import MOST_NIGHTS, known_standing, standing, standing_mark, trend_charts
from s2r.store import Store
from s2r.store.nights import Night, Nights

NOW = dt.datetime(2026, 3, 2, 2, 30, tzinfo=dt.UTC)


def nights(number: int) -> list[Night]:
    """Nights that end well, one of which was of another job and one of which was cut off."""
    found = []
    for n in range(1, number + 1):
        stands = {"all": 10, "accept": 10 - n % 10, "review": n % 10, "covered": 5}
        outcome: dict[str, object] = {"counts": {"new": n, "changed": 1, "failed": 0}, "usd": n / 10, "standing": stands}
        found.append(Night(n, "nightly", NOW + dt.timedelta(days=n), NOW, "done", outcome, {}))
    return [*found, Night(98, "weekly", NOW, NOW, "done", {}, {}), Night(99, "nightly", NOW, None, "running", {}, {})]


def test_standing_counts_current_records_of_the_universe(tmp_path: Path) -> None:
    """The newest revision of each row, without those of listings that left."""
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        for number, changes in enumerate(({"route": Route.ACCEPT}, {"status": Status.YES}, {"route": Route.REVIEW}, {})):
            store.append(record(listing(number), **changes), inputs="i", position=number, author="s2r", why="new row", now=NOW)
        before = standing(store)
        store.append(record(listing(1), status=Status.ABSTAIN, route=Route.REVIEW), inputs="i", position=1, author="s2r", why="x", now=NOW)
        Nights(store).set_withdrawn(["T-04"], [], NOW)
        after = standing(store)
    assert (before["all"], before["yes"], after["all"], after["yes"], after["abstain"]) == (4, 1, 3, 0, 1)
    assert after["accept"] + after["review"] + after["escalate"] + after["search_again"] == after["all"]


def test_counts_of_the_last_night_are_used_again_only_while_nothing_can_have_changed(tmp_path: Path) -> None:
    """A new revision, one that retention removed, and a listing that left or was replaced by another one each make them void."""

    def made(outcome: dict[str, object], state: str = "done") -> list[Night]:
        return [Night(1, "nightly", NOW, NOW, state, outcome, {}), Night(2, "nightly", NOW, None, "running", {}, {})]

    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=NOW)
        for number in range(3):
            store.append(record(listing(number)), inputs="i", position=number, author="s2r", why="new row", now=NOW)
        marks = [standing_mark(store)]
        told = made({"standing": standing(store), "standing_mark": marks[0]})
        assert known_standing(told, standing_mark(store)) == standing(store)
        assert known_standing(made(told[0].outcome, "failed"), marks[0]) is None
        assert known_standing([], marks[0]) is None
        assert known_standing(made({"standing": {}}), marks[0]) is None
        store.append(record(listing(1), status=Status.ABSTAIN), inputs="i", position=1, author="s2r", why="x", now=NOW)
        marks.append(standing_mark(store))
        store.execute("delete from revision where row_id = 'T-01' and number = 1")
        marks.append(standing_mark(store))
        Nights(store).set_withdrawn(["T-02"], [], NOW)
        marks.append(standing_mark(store))
        Nights(store).set_withdrawn(["T-03"], ["T-02"], NOW + dt.timedelta(days=1))
        marks.append(standing_mark(store))
        assert len(set(marks)) == len(marks)
        assert [known_standing(told, mark) is None for mark in marks] == [False, True, True, True, True]


def test_charts_say_what_the_nights_say() -> None:
    """Shares, changes and costs of the finished nights of the job, the newest of many; none before the second night."""
    assert trend_charts(nights(1), "nightly") == ()
    shares, changes, costs = trend_charts(nights(20), "nightly")
    assert len(shares.rows) == 20
    assert shares.rows[2] == ("3: 2026-03-05", "10", "70.0%", "30.0%", "50.0%")
    assert len(changes.rows) == len(costs.rows) == MOST_NIGHTS
    assert changes.rows[-1] == ("20: 2026-03-22", "20", "1", "0", "0", "21")
    assert costs.rows[-1][1].startswith("$2.00")
    assert costs.rows[0][1].startswith("$0.7000")


def test_page_of_a_night_leads_from_its_numbers_to_its_rows(tmp_path: Path) -> None:
    """The number of a kind is a link to the first row of that kind; hostile names stay text; the charts stand on the page."""
    hostile = "<script>alert(1)</script>"
    changes = tuple(Change(row_id=f"T-{n}", kind="new" if n < 2 else "failed", why="new row", issuer=hostile) for n in range(3))
    report = ChangeReport(
        night=2, job="nightly", started_at=NOW, finished_at=NOW, rows=3, looked_at=3, carried=0, usd=0.0, run_id="r",
        counts={"new": 2, "changed": 0, "withdrawn": 0, "expired": 0, "confirmed": 0, "failed": 1}, changes=changes,
    )  # fmt: skip
    folder = write_night(tmp_path / "00002", report, None, trend_charts(nights(3), "nightly"))
    page = (folder / "report.html").read_text("utf-8")
    assert page.count('href="#kind-new"') == page.count('id="kind-new"') == 1
    assert 'href="#kind-changed"' not in page
    assert page.index('id="kind-failed"') > page.index('id="kind-new"')
    assert "Where the records stand, by night" in page
    assert hostile not in page
    assert "<script" not in page

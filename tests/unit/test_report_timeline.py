"""The timeline of a record: every statement is placed, nothing overlaps, the cutoff and the announcement stand out."""

from __future__ import annotations

import datetime as dt
import random
from itertools import pairwise

import lxml.etree
import pytest
from report_cases import CUTOFF, point, record

from s2r.models import Claim, Record, Status, TimelinePoint
from s2r.report.inert import text_width
from s2r.report.texts import KINDS, say
from s2r.report.timeline import MAX_DRAWN, SIZE, WIDTH, Timeline, draw_timeline

NOTICE_DIGEST = "sha256:" + "a" * 64


def drawn(one: Record) -> tuple[Timeline, lxml.etree._Element]:
    """The timeline of a record and its parsed drawing."""
    timeline = draw_timeline(one, "x")
    return timeline, lxml.etree.fromstring(str(timeline.svg))


def yes(day: str, points: list[TimelinePoint]) -> Record:
    """A record answered yes whose announcement on `day` rests on NOTICE_DIGEST."""
    claim = Claim(field="announcement_date", value=day, quote=day, exhibit=NOTICE_DIGEST, url="https://x.example/", start=0, end=10)
    return record(status=Status.YES, announcement_date=day, claims=(claim,), timeline=tuple(points))


def boxes(svg: lxml.etree._Element) -> list[tuple[float, float, float]]:
    """(y, from x, to x) of each label with its marker."""
    found = []
    for label in svg.findall(".//g[@class='mark']/text"):
        x, width = float(label.get("x")), text_width(label.text) * SIZE
        left = x - width if label.get("text-anchor") == "end" else x
        found.append((float(label.get("y")), left, left + width))
    return found


def cluster(count: int, seed: int) -> list[TimelinePoint]:
    """Statements of a few busy weeks and some years around them."""
    dice = random.Random(seed)
    days = [dt.date(2016, 1, 4) + dt.timedelta(days=int(dice.gauss(0, 40))) for _ in range(count)]
    days += [dt.date(2013, 1, 1) + dt.timedelta(days=dice.randrange(2800)) for _ in range(count // 4)]
    kinds = list(KINDS)
    return [point(d.isoformat(), kind=dice.choice(kinds), source_kind=dice.choice(["exchange", "press", "filing"])) for d in days]


@pytest.mark.parametrize("seed", range(6))
def test_labels_do_not_overlap_and_stay_inside(seed: int) -> None:
    """However crowded the weeks of a delisting are, each label has its place."""
    _, svg = drawn(record(timeline=tuple(cluster(30, seed))))
    placed = sorted(boxes(svg))
    assert len(placed) > 20
    for (y, _, right), (y2, left, _) in pairwise(placed):
        assert y != y2 or right < left
    assert all(left >= 0 and right <= WIDTH for _, left, right in placed)
    assert {round(b - a) for a, b in pairwise(sorted({y for y, _, _ in placed}))} >= {19}  # rows are as high as a line of text


def test_lanes_are_kinds_of_sources_official_first() -> None:
    """Regulator and exchange stand above issuer and press; a source of no known kind has its own lane."""
    points = [point("2016-01-21", source_kind=kind) for kind in ("press", "", "exchange", "issuer", "regulator", "blog")]
    _, svg = drawn(record(timeline=tuple(points)))
    assert [t.text for t in svg.findall("text[@class='lane-name']")] == ["regulator", "exchange", "issuer", "press", say("lane_"), "blog"]


def test_time_runs_in_proportion() -> None:
    """A marker half-way between two others in time is half-way between them in the drawing."""
    points = [point(day, kind="decision") for day in ("2016-01-01", "2016-07-01", "2016-12-31")]
    _, svg = drawn(record(timeline=tuple(points)))
    at = [float(path.get("d")[1:].split()[0]) for path in svg.findall(".//g[@class='mark']/path")]
    assert abs((at[1] - at[0]) / (at[2] - at[0]) - 182 / 365) < 0.01


def test_chosen_announcement_is_emphasised() -> None:
    """The statement that dates the event is ringed and bold; another document of the same day, or a suspension, is not."""
    points = [
        point("2016-01-21", digest=NOTICE_DIGEST),
        point("2016-01-21", digest=NOTICE_DIGEST, kind="suspension"),
        point("2016-01-21", digest="sha256:bb", source_kind="press"),
        point("2016-01-22", digest=NOTICE_DIGEST),
    ]
    _, svg = drawn(yes("2016-01-21", points))
    ringed = [g for g in svg.findall(".//g[@class='mark']") if g.find("circle[@class='ring']") is not None]
    assert [g.find("text").text for g in ringed] == ["2016-01-21 published"]
    assert [g.find("text").get("class") for g in ringed] == ["mark-label chosen"]
    assert [t.text for t in svg.findall("text[@class='chosen-label']")] == [say("tl_chosen", date="2016-01-21")]


def test_cutoff_is_a_vertical_line_and_the_time_after_it_is_shaded() -> None:
    """Cutoff and shading stand at the day of the cutoff, with the date in words."""
    _, svg = drawn(record(timeline=(point("2016-01-21"), point("2022-08-19", after_cutoff=True))))
    line = svg.find("line[@class='cutoff-line']")
    assert line.get("x1") == line.get("x2") == svg.find("rect[@class='after']").get("x")
    assert svg.find("text[@class='cutoff-label']").text == say("tl_cutoff", date=CUTOFF.isoformat())
    marks = {g.find("text").text[:10]: float(g.find("circle").get("cx")) for g in svg.findall(".//g[@class='mark']")}
    assert marks["2016-01-21"] < float(line.get("x1")) < marks["2022-08-19"]


def test_every_kind_of_date_has_its_own_shape_or_size() -> None:
    """Kinds differ in shape, so that colour alone carries nothing, and unknown kinds are drawn and named."""
    timeline, svg = drawn(record(timeline=tuple(point("2016-01-21", kind=kind) for kind in [*KINDS, "ex_dividend"])))
    assert len(timeline.kinds) == len(KINDS) + 1
    paths = [p.get("d") for p in svg.findall(".//g[@class='mark']/path")]
    assert len(paths) == 10
    assert "2016-01-21 ex dividend" in [t.text for t in svg.findall(".//g[@class='mark']/text")]


def test_same_statement_twice_is_one_marker_with_its_number() -> None:
    """Two documents of one kind of source with the same day and kind share a marker that says so."""
    points = [point("2016-01-21", url=f"https://x.example/{n}") for n in range(3)]
    _, svg = drawn(record(timeline=tuple(points)))
    assert [t.text for t in svg.findall(".//g[@class='mark']/text")] == [say("tl_times", label="2016-01-21 published", n=3)]
    tip = svg.find(".//g[@class='mark']/title").text
    assert all(p.url in tip for p in points)


def test_statement_far_outside_is_named_at_the_edge() -> None:
    """A founding year or a far plan does not squeeze the weeks that matter; the edge names it."""
    points = [point("1987-05-01", kind="birth_or_history"), point("2016-01-21"), point("2016-02-01"), point("2041-01-01", kind="deadline")]
    timeline, svg = drawn(yes("2016-01-21", points))
    edges = [t.text for t in svg.findall("text[@class='edge']")]
    assert edges == ["‹ " + say("tl_earlier", n=1, date="1987-05-01"), say("tl_later", n=1, date="2041-01-01") + " ›"]
    assert timeline.note == say("tl_shown", shown=2, total=4)
    assert len(timeline.points) == 4


def test_many_statements_are_capped_in_sight() -> None:
    """Beyond the cap the nearest to announcement and cutoff are drawn, and the note says how many."""
    points = [point((dt.date(2010, 1, 1) + dt.timedelta(days=17 * n)).isoformat()) for n in range(200)]
    timeline, svg = drawn(yes("2016-01-21", points))
    assert len(svg.findall(".//g[@class='mark']")) == MAX_DRAWN
    assert timeline.note == say("tl_shown", shown=MAX_DRAWN, total=200)


@pytest.mark.parametrize(
    "date", ["0001-01-01", "9999-12-31", "2016", "2016-01", "2016-13-45", "", "soon", "2016-01-21T10:00:00", "-001-01-01"]
)
def test_any_date_text_is_survived(date: str) -> None:
    """Partial dates stand at their first day; what is no date is in the table only; extremes do not overflow."""
    timeline = draw_timeline(record(timeline=(point(date), point("2016-01-21"))), "x")
    assert len(timeline.points) == 2
    assert "2016-01-21 published" in timeline.svg
    alone = draw_timeline(record(timeline=(point(date),)), "x")
    assert len(alone.points) == 1


def test_record_without_dated_statements_has_no_drawing() -> None:
    """Nothing is drawn where nothing is dated."""
    timeline = draw_timeline(record(), "x")
    assert not timeline.svg
    assert timeline.points == ()

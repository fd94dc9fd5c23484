"""English questions as specifications: own paraphrases, questions with names, refusals; the benchmark's where it is at hand."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from conftest import REPO, SHARED

from s2r.errors import InputError
from s2r.events.ask.numbers import day_spans, thresholds
from s2r.events.ask.periods import find_periods
from s2r.events.ask.plan import plan
from s2r.events.params import spec_of
from s2r.events.spec import read_spec
from s2r.policy.event_types import EventTypes, load_event_types

BENCH = SHARED / "qo-bench"
TODAY = dt.date(2024, 5, 15)


@pytest.fixture(scope="module")
def kinds() -> EventTypes:
    return load_event_types(REPO / "policies")


def _lines(path: Path) -> list[dict[str, Any]]:
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _wrong(rows: Iterable[tuple[str, str, dict[str, Any]]], kinds: EventTypes) -> list[str]:
    """Questions that do not become the specification of their template and parameters."""
    wrong = []
    for template, question, params in rows:
        try:
            found = plan(question, kinds).spec
        except InputError as exc:
            wrong.append(f"{template} {question}: {exc}")
            continue
        if found != spec_of(template, params, kinds):
            wrong.append(f"{template} {question}: {found.model_dump_json(exclude_defaults=True)}")
    return wrong


OWN = [row for path in sorted((REPO / "tests/cases/events").glob("paraphrases*.jsonl")) for row in _lines(path)]


@pytest.mark.parametrize("row", OWN, ids=lambda row: row["id"])
def test_own_paraphrases(row: dict[str, Any], kinds: EventTypes) -> None:
    """Free English of every kind of question, with invented tickers."""
    assert _wrong([(row["id"], row["question"], row["params"])], kinds) == []


@pytest.mark.slow
def test_rendered_questions_of_the_benchmark(kinds: EventTypes) -> None:
    """All 785 give the specification of their typed parameters."""
    if not (BENCH / "questions.jsonl.gz").is_file():
        pytest.skip(f"the benchmark is not at {BENCH}")
    rows = _lines(BENCH / "questions.jsonl.gz")
    assert len(rows) == 785
    assert _wrong(((row["id"], row["nl_question"], row["params"]) for row in rows), kinds) == []


def test_development_paraphrases_of_the_benchmark(kinds: EventTypes) -> None:
    """All 36 of them (34 are asked for)."""
    if not (BENCH / "paraphrases-dev.jsonl").is_file():
        pytest.skip(f"the benchmark is not at {BENCH}")
    params = {row["qid"]: row["params"] for row in _lines(BENCH / "questions.jsonl.gz")}
    rows = [(row["id"], row["paraphrase"], params[row["qid"]]) for row in _lines(BENCH / "paraphrases-dev.jsonl")]
    assert _wrong(rows, kinds) == []


Y18, Y20 = {"start": "2018-01-01", "end": "2018-12-31"}, {"start": "2020-01-01", "end": "2020-12-31"}
LISTINGS: list[tuple[str, dict[str, Any]]] = [
    ("Which firms were delisted for non-compliance in both 2018 and 2020?",
     {"operator": "intersect", "types": ["delisting"], "predicate": {"windows": [Y18, Y20], "attributes": {"reason": "noncompliance"}}}),
    ("Which firms announced a merger and were delisted within 180 days, in 2018?",
     {"operator": {"name": "followed", "days": 180}, "types": ["M&A_announce", "delisting"], "predicate": {"windows": [Y18]}}),
    ("List the delistings of 2020 by month", {"operator": {"name": "bucket", "unit": "month"}, "types": ["delisting"], "predicate": {"windows": [Y20]}}),
    ("Who was delisted because of bankruptcy in 2018?",
     {"operator": "distinct", "types": ["delisting"], "predicate": {"windows": [Y18], "attributes": {"reason": "insolvency"}}}),
    ("Which IPOs were there last year?", {"operator": "select", "types": ["IPO"], "predicate": {"windows": [{"start": "2023-01-01", "end": "2023-12-31"}]}}),
    ("IPOs of Alderwick Shipping since 2018", {"operator": "select", "types": ["IPO"], "predicate": {"firm": "Alderwick Shipping", "windows": [{"start": "2018-01-01"}]}}),
    ("What stock splits did Alderwick Shipping's peer BRTH carry out in 2018?", {}),
]  # fmt: skip


@pytest.mark.parametrize(("question", "wanted"), LISTINGS)
def test_questions_about_listings_and_names(question: str, wanted: dict[str, Any], kinds: EventTypes) -> None:
    """Delistings with their reason, names of the store, relative years; two firms are refused."""
    known = {"Alderwick Shipping", "BRTH"}
    if not wanted:
        with pytest.raises(InputError, match="names several firms"):
            plan(question, kinds, lambda labels: set(labels) & known, TODAY)
        return
    assert plan(question, kinds, lambda labels: set(labels) & known, TODAY).spec == read_spec(wanted, kinds)


UNREAD = [
    ("Did Comcast have takeover rumours in 2016?", "Comcast"),
    ("List the IPOs of Papa John's in 2016", "Papa John"),
    ("takeover rumours involving cmcsa in april 2016", "CMCSA"),
    ("what were brth's deal closings in 2016", "BRTH"),
    ("Which firms had an IPO in 2016?", ""),
    ("which stock splits of may 2016 were the first", ""),
    ("Events of type M&A_complete where role Buyer was reported, in 2016", ""),
]


@pytest.mark.parametrize(("question", "firm"), UNREAD)
def test_a_firm_that_is_named_is_never_dropped(question: str, firm: str, kinds: EventTypes) -> None:
    """Names that no store knows go into the specification, where they are an error with the near ones; known tickers may be in small letters."""
    known = {"CMCSA", "BRTH", "OF", "TYPE", "FIRST"}
    assert plan(question, kinds, lambda labels: set(labels) & known, TODAY).spec.predicate.firm == firm


REFUSED = [
    ("What happened in 2018?", "names no event type.*merger announcement"),
    ("Which firms made acquisitions in 2018?", "speaks of deals but not of which step.*Closest readings: .*'deal closing'"),
    ("Which firms announced a merger?", "names no period"),
    ("Merger announcements in 2018 and 2020", "names 2 periods.*Closest readings: firms with such an event in each period"),
    ("Which firms had an IPO in 2018 or 2020?", "joins periods with 'or'"),
    ("Which firms had a CEO change within 30 days of an IPO and within 60 days of it, in 2018?", "several spans of days"),
    ("IPOs on 2018-02-30", "has a period that cannot be read: day is out of range"),
    ("Merger announcements of ALDW and BRTH in 2018", "names several firms"),
    ("IPOs in 2018 " * 200, "is 2600 characters long"),
    ("", "names no event type"),
    ("Which firms had no CEO change in 2018?", "asks for what did not happen"),
    ("Which firms did not have a CEO change in 2018?", "asks for what did not happen"),
    ("Firms without any IPO in 2018", "asks for what did not happen"),
    ("Which firms had exactly two CEO changes in 2018?", "asks for an exact count"),
    ("Which firms had at most two CEO changes in 2018?", "asks for an upper limit of a count"),
    ("Top 5 buyers by deal closings in 2018", "asks for a ranking"),
    ("Who had the most deal closings in 2018?", "asks for a ranking"),
    ("Average number of CEO changes in 2018", "asks for a statistic"),
]


@pytest.mark.parametrize(("question", "message"), REFUSED)
def test_unclear_questions_are_refused_with_the_closest_readings(question: str, message: str, kinds: EventTypes) -> None:
    """What is missing or can be read in two ways is said; nothing is guessed."""
    with pytest.raises(InputError, match=message):
        plan(question, kinds)


PERIODS = [
    ("between 2015-12-01 and 2015-12-31", ["2015-12-01/2015-12-31"]),
    ("[2012-01-01, 2012-12-31] and [2022-01-01, 2022-06-30]", ["2012-01-01/2012-12-31", "2022-01-01/2022-06-30"]),
    ("Q1 of 2022", ["2022-01-01/2022-03-31"]),
    ("2022Q3", ["2022-07-01/2022-09-30"]),
    ("3Q22", []),
    ("the fourth quarter of 2021", ["2021-10-01/2021-12-31"]),
    ("the last three months of 2021", ["2021-10-01/2021-12-31"]),
    ("2019's second half", ["2019-07-01/2019-12-31"]),
    ("H1 2020", ["2020-01-01/2020-06-30"]),
    ("Q1 and Q3 2020", ["2020-01-01/2020-03-31", "2020-07-01/2020-09-30"]),
    ("between January and March 2013", ["2013-01-01/2013-03-31"]),
    ("from March 3, 2019 until 5 April 2019", ["2019-03-03/2019-04-05"]),
    ("February of 2020", ["2020-02-01/2020-02-29"]),
    ("2020-02", ["2020-02-01/2020-02-29"]),
    ("in both 2018 and in 2020", ["2018-01-01/2018-12-31", "2020-01-01/2020-12-31"]),
    ("2018-2020", ["2018-01-01/2020-12-31"]),
    ("from 2018 through 2020", ["2018-01-01/2020-12-31"]),
    ("from 1 January to 31 March 2015", ["2015-01-01/2015-03-31"]),
    ("between 1 and 31 December 2015", ["2015-12-01/2015-12-31"]),
    ("from the 3rd to the 9th of May 2016", ["2016-05-03/2016-05-09"]),
    ("since 2019", ["2019-01-01/9999-12-31"]),
    ("after Q1 2019", ["2019-04-01/9999-12-31"]),
    ("before 2019", ["0001-01-01/2018-12-31"]),
    ("up to June 2019", ["0001-01-01/2019-06-30"]),
    ("which may appear in 2018", ["2018-01-01/2018-12-31"]),
    ("$2018 or 2,018 shares", []),
    ("this quarter", ["2024-04-01/2024-06-30"]),
    ("last month", ["2024-04-01/2024-04-30"]),
    ("the last quarter of 2018", ["2018-10-01/2018-12-31"]),
]


@pytest.mark.parametrize(("text", "wanted"), PERIODS)
def test_periods(text: str, wanted: list[str]) -> None:
    """Days, months, quarters, halves, years; ranges, open ones, relative ones; numbers that are none."""
    assert [f"{p.window.start}/{p.window.end}" for p in find_periods(text, TODAY)] == wanted


ODD = ("early 2018", "mid-2018", "fiscal 2018", "FY2018", "2018/19", "the quarter ending 31 March 2018", "the three months to June 2018", "the March quarter of 2018",
       "the second half of June 2018", "the week of 2018-03-05", "March 1-15, 2018", "fall 2018", "the next two quarters of 2018")  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_periods_that_are_not_read_are_refused(text: str, kinds: EventTypes) -> None:
    """No part of a period is dropped in silence."""
    with pytest.raises(InputError, match=r"has a period that cannot be read: .* is no period that is read"):
        plan(f"Merger announcements in {text}", kinds)


def test_a_plain_number_is_a_threshold_and_says_so(kinds: EventTypes) -> None:
    """Nothing that was asked is dropped: "had two" counts as at least two."""
    planned = plan("Which firms had two deal closings in 2018?", kinds)
    assert planned.spec == read_spec(
        {"operator": {"name": "count", "at_least": 2}, "types": ["M&A_complete"], "predicate": {"windows": [Y18]}}, kinds
    )
    assert planned.notes == ("a plain number is read as 'at least'",)
    assert plan("Which firms had at least two deal closings in 2018?", kinds).notes == ()


def test_numbers() -> None:
    """Spans in days and least numbers, in digits and words."""
    spans = {
        "within 30 days": 30,
        "no more than six weeks": 42,
        "one hundred and eighty days or less": 180,
        "under 60 days": 59,
        "half a year": 183,
        "a month": 30,
    }
    assert {text: day_spans(text)[0].value for text in spans} == spans
    least = {
        "at least 2": 2,
        "three or more": 3,
        "more than one": 2,
        "twice or more": 2,
        "no fewer than four": 4,
        "at least once": 1,
        "multiple deals": 2,
        "5+": 5,
    }
    assert {text: thresholds(text)[0].value for text in least} == least
    assert [day_spans(text) for text in ("how many days", "a row per firm", "one day's notice")][:2] == [[], []]
    assert thresholds("each ticker once") == []

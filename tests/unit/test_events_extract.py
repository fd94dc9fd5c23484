"""Events read from sentences by rules: what is stated, by whom, when; what is not stated; the benchmark's sentences where they are at hand."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from conftest import SHARED

from s2r.evaluate.qo_events import measure, read_gold
from s2r.events.extract import Article, extract_events
from s2r.events.extract.firms import printed_firms
from s2r.events.records import file_articles
from s2r.policy.event_types import EventTypes, load_event_types

DAY = dt.date(2021, 6, 10)  # a Thursday
BENCH = SHARED / "qo-bench"


@pytest.fixture(scope="module")
def kinds() -> EventTypes:
    return load_event_types(Path(__file__).parents[2] / "policies")


# title, sentence, tuples as (firm, type, date, role)
CASES: list[tuple[str, str, set[tuple[str, str, str, str]]]] = [
    ("", "Alderwick Shipping (ALDW) has agreed to acquire Brantholm Ceramics (BRTH) for $2 billion in cash.",
     {("ALDW", "M&A_announce", "2021-06-10", "buyer"), ("BRTH", "M&A_announce", "2021-06-10", "target")}),
    ("", "Alderwick Shipping ALDW said on Monday that it had signed a definitive agreement to buy a rival.", {("ALDW", "M&A_announce", "2021-06-07", "buyer")}),
    ("", "Alderwick (NYSE: ALDW) completed its acquisition of Brantholm on June 1.", {("ALDW", "M&A_complete", "2021-06-01", "buyer")}),
    ("", "Alderwick Shipping Inc.ALDW has acquired the harbour business of a rival.", {("ALDW", "M&A_complete", "2021-06-10", "buyer")}),
    ("", "Corriemoor Biologics (CRMR) closed the sale of its vaccine unit to Alderwick (ALDW) in April 2021.",
     {("CRMR", "M&A_complete", "2021-04", "seller"), ("ALDW", "M&A_complete", "2021-04", "buyer")}),
    ("", "Brantholm (BRTH) agreed to be acquired by Alderwick Shipping (ALDW); the deal is expected to close in July.",
     {("BRTH", "M&A_announce", "2021-06-10", "target"), ("ALDW", "M&A_announce", "2021-06-10", "buyer")}),
    ("", "Brantholm (BRTH) has terminated the merger agreement with Alderwick.", {("BRTH", "M&A_cancel", "2021-06-10", "buyer")}),
    ("", "Alderwick Shipping (ALDW) is in talks to buy Brantholm, according to people familiar with the matter.", {("ALDW", "M&A_rumor", "2021-06-10", "")}),
    ("", "Brantholm (BRTH) denied reports of a possible takeover.", {("BRTH", "M&A_rumor", "2021-06-10", "")}),
    ("Alderwick (ALDW) in the spotlight", "The company named Anna Bole as its new chief executive officer, effective July 1.", {("ALDW", "CEO_change", "2021-06-10", "")}),
    ("", "Dunvale Corp DUNV.O said its finance chief Carl Ost will retire at the end of the year.", {("DUNV", "CFO_change", "2021-06-10", "")}),
    ("", "Elstow (ELST) priced its IPO at $18, the midpoint of the range.", {("ELST", "IPO", "2021-06-10", "")}),
    ("", "Fenwick (FENW) carried out a 1-for-20 reverse stock split on June 2.", {("FENW", "Stock_split", "2021-06-02", "")}),
    ("Alderwick to Acquire Brantholm (BRTH)", "Shares of both rose.", {("BRTH", "M&A_announce", "2021-06-10", "target")}),
    ("", "Alderwick Shipping (ALDW) has acquired a rival, and the new name will be used from July 1, 2021.", {("ALDW", "M&A_complete", "2021-06-10", "buyer")}),
    # nothing is stated
    ("", "Alderwick Shipping (ALDW) reported record sales in the quarter.", set()),
    ("", "The CEO of Alderwick (ALDW) said that demand was strong.", set()),
    ("", "Alderwick (ALDW) shares closed higher on Monday.", set()),
    ("", "Former CFO of Dunvale (DUNV), Carl Ost, spoke at the conference.", set()),
    ("", "Since its IPO, Elstow (ELST) has doubled its sales.", set()),
    ("", "Alderwick (ALDW) announced results for the first quarter.", set()),
]  # fmt: skip


@pytest.mark.parametrize(("title", "sentence", "wanted"), CASES)
def test_events_of_one_sentence(title: str, sentence: str, wanted: set[tuple[str, str, str, str]], kinds: EventTypes) -> None:
    """Type with its step, firms by ticker, day, role; the passage goes with the tuple."""
    found = extract_events(Article(title=title, date=DAY, text=sentence), kinds)
    assert {(one.firm, one.event_type, one.anchor_date, one.role) for one in found} == wanted
    assert all(one.evidence[0].quote in (sentence, title) for one in found)


FIRMS = [
    ("Alderwick Shipping ( ALDW ) rose", ["ALDW"]),
    ("Zill Group (ZA,ZGB) and Alder (NASDAQ: ALDW) (TSX: ALD.TO)", ["ZA", "ZGB", "ALDW", "ALD.TO"]),
    ("Adder Systems Inc. ADDS, Brant TechnologiesBRTH and Cobalt's CBLT unit", ["ADDS", "BRTH", "CBLT"]),
    ("Dunvale Corp DUNV.O and Ost AG OSTG.DE", ["DUNV", "OSTG.DE"]),
    ("Sector Update for 06/10/2021: ALDW, BRTH,CRMR", ["ALDW", "BRTH", "CRMR"]),
    ("the chief financial officer (CFO) of the IPO in the US", []),
]


@pytest.mark.parametrize(("text", "wanted"), FIRMS)
def test_tickers_are_read_where_they_are_printed(text: str, wanted: list[str]) -> None:
    """In parentheses, lists, behind or glued to a name, with marks of exchanges; abbreviations are none."""
    assert [firm.ticker for firm in printed_firms(text)] == wanted


def test_articles_of_a_file(kinds: EventTypes) -> None:
    """Rows of title, date, text and url; offsets of a later sentence count in the text; a repeat is told once."""
    text = "Trading was calm. Alderwick Shipping (ALDW) has agreed to acquire a rival. Alderwick (ALDW) has agreed to buy it for cash."
    (article,) = file_articles([(1, {"title": "T", "date": "2021-06-10", "text": text, "url": "https://wire.example/1"})])
    (found,) = extract_events(article, kinds)
    proof = found.evidence[0]
    assert text[proof.start : proof.end] == proof.quote == "Alderwick Shipping (ALDW) has agreed to acquire a rival."
    assert (proof.url, proof.date) == ("https://wire.example/1", "2021-06-10")


@pytest.mark.slow
def test_attesting_sentences_of_the_benchmark(kinds: EventTypes) -> None:
    """At least 60% of the events are found (type, firm where printed, date within 7 days); announcement and completion are seldom taken for each other."""
    if not (BENCH / "questions.jsonl.gz").is_file():
        pytest.skip(f"the benchmark is not at {BENCH}")
    found = measure(read_gold(BENCH / "questions.jsonl.gz"), kinds)
    assert found.overall.n == 627
    assert found.overall.hits / found.overall.n >= 0.78
    assert found.confusion["M&A_announce", "M&A_complete"] + found.confusion["M&A_complete", "M&A_announce"] <= 60


def test_measure_counts_by_event(tmp_path: Path, kinds: EventTypes) -> None:
    """An event is found once, however many sentences attest it; a wrong firm that is printed or a day far off is a miss."""

    def chunk(date: str, text: str) -> dict[str, str]:
        return {"article_url": "u", "article_title": "-", "article_date": date, "cited_sentence": text}

    right = "Alderwick Shipping (ALDW) has agreed to acquire a rival."
    events = [
        {
            "firm_ticker": "ALDW",
            "event_type": "M&A_announce",
            "anchor_date": "2021-06-08",
            "golden_chunks": [chunk("2021-06-10", right), chunk("2021-06-10", "Shares rose.")],
        },
        {"firm_ticker": "ALDW", "event_type": "M&A_announce", "anchor_date": "2021-05-01", "golden_chunks": [chunk("2021-06-10", right)]},
        {
            "firm_ticker": "BRTH",
            "event_type": "M&A_announce",
            "anchor_date": "2021-06-08",
            "golden_chunks": [chunk("2021-06-10", "Alder (ALDW) has agreed to buy BRTH.")],
        },
        {"firm_ticker": "GONE", "event_type": "M&A_complete", "anchor_date": "2021-06-08", "golden_chunks": [chunk("2021-06-10", right)]},
    ]
    path = tmp_path / "q.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps({"gt": events}).encode()))
    found = measure(read_gold(path), kinds)
    assert {name: (rate.hits, rate.n) for name, rate in found.by_type.items()} == {"M&A_announce": (1, 3), "M&A_complete": (0, 1)}
    assert found.confusion == Counter(
        {("M&A_announce", "M&A_announce"): 3, ("M&A_announce", "none"): 1, ("M&A_complete", "M&A_announce"): 1}
    )

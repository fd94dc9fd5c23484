"""The commands over event tuples, in-process: import, query, ask, answer, score, link, merges."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from conftest import SHARED, Command

BENCH = SHARED / "qo-bench"
TUPLES = [
    {"firm": "ALDW", "type": "M&A_announce", "date": "2020-03-02", "role": "buyer", "url": "https://wire.example/1", "name": "Alderwick Shipping Inc."},
    {"firm": "ALDW", "type": "M&A_complete", "date": "2020-05-01", "role": "buyer", "url": "https://wire.example/2"},
    {"firm": "BRTH", "type": "M&A_announce", "date": "2020-04-02", "role": "seller", "url": "https://wire.example/3"},
    {"firm": "BRTH", "type": "nothing", "date": "2020-04-02"},
]  # fmt: skip
PAIR = {
    "operator": {"name": "followed", "days": 90},
    "types": ["merger", "deal closing"],
    "predicate": {"windows": [{"start": "2020-01-01", "end": "2020-12-31"}]},
}
QUESTION = "Which firms announced a merger in 2020 and then had a deal closing within 90 days?"


@pytest.fixture
def there(tmp_path: Path, policies: Path, monkeypatch: pytest.MonkeyPatch, s2r: Command) -> Path:
    """A folder with policies and a store of three tuples."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("S2R_POLICIES", str(policies))
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, TUPLES)))
    ran = s2r("events", "import", "t.jsonl", "--store", "e.db")
    assert ran.code == 4
    assert "t.jsonl:4: event_type: 'nothing' is no event type" in ran.err
    assert "3 tuples taken in, 0 were there already, 1 rejected. The store holds 3 events of 2 firms" in ran.out
    return tmp_path


def test_a_specification_is_run_and_explained(there: Path, s2r: Command) -> None:
    """From a file or as text; JSON holds rows with provenance; the plan shows SQL and bound values."""
    (there / "spec.json").write_text(json.dumps(PAIR))
    for spec in ("spec.json", json.dumps(PAIR)):
        found = json.loads(s2r("query", spec, "--store", "e.db", "--json", "--explain").out)
        (row,) = found["rows"]
        assert (row["firm_ticker"], row["e_trigger_anchor_date"], row["e_followup_anchor_date"], row["lag_days"]) == (
            "ALDW",
            "2020-03-02",
            "2020-05-01",
            60,
        )
        assert row["cited_urls"] == ["https://wire.example/1", "https://wire.example/2"]
        assert 90 in found["explain"]["values"].values()
        assert "90" not in found["explain"]["sql"]
        assert found["explain"]["steps"]
    shown = s2r("query", "spec.json", "--store", "e.db", "--explain")
    assert shown.code == 0
    assert "ALDW" in shown.out
    assert "1 rows" in shown.out
    assert "v1 = " in shown.out


def test_a_question_shows_the_specification_that_it_became(there: Path, s2r: Command) -> None:
    """The same rows as the specification; --spec needs no store; names find their firm."""
    asked = json.loads(s2r("ask", QUESTION, "--store", "e.db", "--json").out)
    queried = json.loads(s2r("query", json.dumps(PAIR), "--store", "e.db", "--json").out)
    assert (asked["spec"], asked["rows"]) == (queried["spec"], queried["rows"])
    only = json.loads(s2r("ask", QUESTION, "--store", "absent.db", "--spec").out)
    assert only["spec"] == asked["spec"]
    named = json.loads(s2r("ask", "Merger announcements by Alderwick Shipping in 2020?", "--store", "e.db", "--json").out)
    assert [row["firm_ticker"] for row in named["rows"]] == ["ALDW"]
    shown = s2r("ask", QUESTION, "--store", "e.db")
    assert '"followed"' in shown.out


FAULTS = [
    (("ask", "Which firms made acquisitions in 2020?", "--store", "e.db"), "not clear. Found:"),
    (("ask", QUESTION, "--store", "absent.db"), "there is no event store"),
    (("query", "absent.json", "--store", "e.db"), "absent.json: cannot be read"),
    (("query", '{"operator": "select", "types": ["IPO"], "predicate": {"firm": "ALDV"}}', "--store", "e.db"), "Near: ALDW"),
    (("events", "import", "absent.csv", "--store", "e.db"), "absent.csv: cannot be read"),
    (("events", "score", "t.jsonl", "t.jsonl"), "holds no question"),
    (("events", "link", "ALDW", "NONE", "--reason", "x", "--store", "e.db"), "'NONE' is no known firm"),
]


@pytest.mark.parametrize(("arguments", "message"), FAULTS)
def test_faults_are_told_before_any_work(arguments: tuple[str, ...], message: str, there: Path, s2r: Command) -> None:
    """Exit 2 and one sentence."""
    ran = s2r(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_questions_are_answered_and_scored(there: Path, s2r: Command) -> None:
    """A file of questions, by parameters and by their English; the scores of what was written."""
    gold = [
        {
            "firm_ticker": "ALDW",
            "event_type": "M&A_announce",
            "anchor_date": "2020-03-02",
            "golden_chunks": [{"article_url": "https://wire.example/1"}],
        }
    ]
    params = {"E": "M&A_announce", "R": "Buyer", "W_start": "2020-01-01", "W_end": "2020-12-31"}
    questions = [
        {"qid": "1", "id": "A.3.1", "params": params, "gt": gold, "nl_question": "Who was the buyer in merger announcements in 2020?"},
        {"qid": "2", "id": "A.1.1", "params": params, "gt": gold, "nl_question": "What happened in 2020?"},
    ]
    (there / "q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    assert s2r("events", "answer", "q.jsonl", "--to", "a.jsonl", "--store", "e.db").code == 0
    ran = s2r("events", "answer", "q.jsonl", "--ask", "--to", "b.jsonl", "--store", "e.db")
    assert ran.code == 4
    assert "q.jsonl:2: question: names no event type" in ran.err
    for name, recalls in (("a.jsonl", [1.0, 1.0]), ("b.jsonl", [1.0, 0.0])):
        lines = [json.loads(line) for line in s2r("events", "score", "q.jsonl", name, "--json").out.splitlines()]
        assert [line["regime"] for line in lines] == ["strict", "tolerant", "alias"]
        assert [[q["recall"] for q in line["questions"]] for line in lines] == [recalls] * 3
        assert lines[0]["overall"]["recall_cited"] == sum(recalls) / 2
    shown = s2r("events", "score", "q.jsonl", "a.jsonl", "--regime", "strict").out
    assert "strict: exact dates" in shown
    assert "A.3.1" in shown


def test_links_and_merges_are_listed(there: Path, s2r: Command) -> None:
    """Why spellings are one firm, also after a user said so."""
    assert s2r("events", "link", "ALDW", "BRTH", "--reason", "same group", "--store", "e.db").code == 0
    lines = [json.loads(line) for line in s2r("events", "merges", "--store", "e.db", "--json").out.splitlines()]
    assert {"firm": ["ALDW", "BRTH"], "reason": "same group"} in lines


# Firms whose role is nowhere in the benchmark's file: (template, firm).
WITHOUT_ROLE = {("B.3.3", "ADBE"), ("B.3.3", "NWL")}


def test_benchmark_is_answered_exactly_from_its_gold_tuples(
    tmp_path: Path, policies: Path, monkeypatch: pytest.MonkeyPatch, s2r: Command
) -> None:
    """785 questions over the union of gold tuples: all of the gold, and nothing else, but for firms whose role the file lacks."""
    questions = BENCH / "questions.jsonl.gz"
    if not questions.is_file():
        pytest.skip(f"the benchmark is not at {BENCH}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("S2R_POLICIES", str(policies))
    assert json.loads(s2r("events", "import", questions, "--store", "e.db", "--json").out)["events"] == 627
    assert s2r("events", "answer", questions, "--ask", "--to", "a.jsonl", "--store", "e.db").code == 0
    scores = json.loads(s2r("events", "score", questions, "a.jsonl", "--regime", "strict", "--json").out)
    assert scores["overall"]["n"] == 785
    assert scores["overall"]["precision"] == 1.0
    lacking = {line["qid"] for line in scores["questions"] if line["recall"] < 1 or not line["size_fits"]}
    answers = {row["qid"]: row for row in map(json.loads, Path("a.jsonl").read_text().splitlines())}
    missing = set()
    for row in map(json.loads, gzip.decompress(questions.read_bytes()).splitlines()):
        if row["qid"] in lacking:
            missing |= {(row["id"], gold["firm_ticker"]) for gold in row["gt"]} - {
                (row["id"], r["firm_ticker"]) for r in answers[row["qid"]]["answer"]
            }
    assert missing == WITHOUT_ROLE

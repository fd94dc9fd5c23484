"""Attesting sentences of event tuples: read without a fault, counted by event type, never shown."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import REPO, SHARED

from s2r.evaluate.qo import QUESTIONS, main, own_policy, read_sentences, report

BOUGHT = "Alderwick Shipping Inc. completed the purchase of Brantholm Ceramics on March 3, 2015, for cash."
REPORTED = "Corriemoor Biologics could be sold by the end of June 2016, people close to the talks say."


def write_questions(folder: Path) -> Path:
    """Two invented tuples in the benchmark's format: one at the top of a question, one inside a chain and told twice."""
    chunk = {"article_url": "https://press.example/1", "article_title": "-", "article_date": "2015-03-04", "cited_sentence": BOUGHT}
    rumour = {"article_url": "https://press.example/2", "article_title": "-", "article_date": "2016-02-01", "cited_sentence": REPORTED}
    inner = {"event_type": "M&A_rumor", "golden_chunks": [rumour, rumour]}
    questions = [
        {"gt": [{"event_type": "M&A_complete", "anchor_date": "2015-03-03", "golden_chunks": [chunk]}]},
        {"gt": [{"firm_ticker": "CRM", "qualifying_events": [inner]}]},
    ]
    with gzip.open(folder / QUESTIONS, "wt", encoding="utf-8") as fh:
        fh.write("\n".join(map(json.dumps, questions)))
    return folder


def test_two_sentences_are_read_by_event_type(tmp_path: Path) -> None:
    """A completed purchase is asserted, with its day; a possible sale is not, with its month."""
    found = {row.event_type: row for row in report(read_sentences(write_questions(tmp_path) / QUESTIONS), REPO / "policies")}
    bought, told = found["M&A_complete"], found["M&A_rumor"]
    assert (bought.sentences, bought.asserted.hits, bought.dated.hits) == (1, 1, 1)
    assert (told.sentences, told.asserted.hits, told.dated.hits) == (1, 0, 1)
    assert bought.policy == told.policy == ""


def test_table_says_that_no_policy_exists_and_shows_no_text(tmp_path: Path) -> None:
    """The output names the types without a policy and holds nothing of the sentences."""
    folder = write_questions(tmp_path)
    shown = CliRunner().invoke(main, [str(folder), "--policies", str(REPO / "policies")])
    lines = CliRunner().invoke(main, [str(folder), "--policies", str(REPO / "policies"), "--json"])
    assert (shown.exit_code, lines.exit_code) == (0, 0), shown.output
    assert "2 attesting sentences of 2 articles" in shown.output
    assert "No policy exists for M&A_complete, M&A_rumor" in shown.output
    assert [json.loads(line)["sentences"] for line in lines.output.splitlines()] == [1, 1]
    for text in (shown.output, lines.output):
        assert "Alderwick" not in text
        assert "Corriemoor" not in text


@pytest.mark.parametrize(("event", "expected"), [("Stock_split", "stock_split"), ("M&A_cancel", ""), ("Delisting", "delisting")])
def test_policy_is_found_by_the_name_of_the_event(event: str, expected: str) -> None:
    """Names differ in case and punctuation only."""
    assert own_policy(event, {"stock_split": "stock_split", "delisting": "delisting"}) == expected


@pytest.mark.parametrize(
    "body",
    [b"no archive", gzip.compress(b"{", mtime=0), gzip.compress(b'{"gt": [{"golden_chunks": [{}]}]}'), gzip.compress(b"{}", mtime=0)[:9]],
    ids=["text", "object", "chunk", "cut"],
)
def test_unusable_questions_are_an_input_error(tmp_path: Path, body: bytes) -> None:
    """A file of another make ends with 2 and a sentence, not with a trace."""
    (tmp_path / QUESTIONS).write_bytes(body)
    ran = CliRunner().invoke(main, [str(tmp_path)])
    assert ran.exit_code == 2
    assert "cannot be read as questions" in ran.output


@pytest.mark.slow
def test_all_attesting_sentences_of_the_benchmark_are_read() -> None:
    """Every attesting sentence is read without an exception, and each type has dates and asserted sentences."""
    folder = SHARED / "qo-bench"
    if not (folder / QUESTIONS).is_file():
        pytest.skip(f"QO-Bench is not at {folder}")
    sentences = read_sentences(folder / QUESTIONS)
    assert len({s.article for s in sentences}) == 1174
    found = {row.event_type: row for row in report(sentences, REPO / "policies")}
    assert len(found) == 8
    assert all(row.dates and row.asserted.hits for row in found.values())
    completed, rumoured = found["M&A_complete"].asserted.value, found["M&A_rumor"].asserted.value
    assert completed is not None
    assert rumoured is not None
    assert completed > rumoured + 0.3

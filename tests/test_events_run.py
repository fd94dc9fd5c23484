"""Tuples of a run: its records with their quotes, the events of its archived pages, and passages of its exhibits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Command
from factories import write_pool, write_world

ARTICLE = (
    "<html lang=en><head><title>Alderwick in the news</title><meta property='article:published_time' content='2020-03-04'></head><body><main>"
    "<p>Alderwick Shipping (ALDW) has signed a definitive agreement to acquire Brantholm Ceramics for a price of 40 million dollars.</p>"
    "<p>The price will be paid in cash, and the harbour office in Corrie stays open for at least three years, the two firms said.</p></main></body></html>"
)  # fmt: skip


def test_a_run_gives_its_records_and_pages_as_tuples(tmp_path: Path, policies: Path, monkeypatch: pytest.MonkeyPatch, s2r: Command) -> None:
    """Positive records of the chosen route with the quotes that prove them; events of archived pages with offsets; residual passages of exhibits."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("S2R_POLICIES", str(policies))
    write_world(tmp_path, 3)
    assert s2r("audit", "universe.csv", "--pool", "pool.jsonl", "--out", "out", "--workers", "1").code == 0
    positive = [row for row in map(json.loads, (tmp_path / "out/records.jsonl").read_text().splitlines()) if row["status"] == "yes"]
    assert positive
    none = json.loads(s2r("events", "import", "out", "--store", "none.db", "--json").out)
    assert none["new"] == sum(row["route"] == "accept" for row in positive)
    taken = json.loads(s2r("events", "import", "out", "--route", "accept", "--route", "review", "--store", "e.db", "--json").out)
    assert taken["new"] == len(positive)
    found = json.loads(s2r("query", '{"operator": "select", "types": ["delisting"]}', "--store", "e.db", "--json").out)
    assert {row["anchor_date"] for row in found["rows"]} == {row["announcement_date"] for row in positive}
    told = {claim["quote"] for row in positive for claim in row["claims"]}
    assert {proof["quote"] for row in found["rows"] for proof in row["provenance"]} == told
    assert all(proof["exhibit"].startswith("sha256:") for row in found["rows"] for proof in row["provenance"])

    write_pool(tmp_path / "news.jsonl", [{"url": "https://wire.example/aldw", "title": "-", "content_type": "text/html", "body": ARTICLE}])
    assert s2r("pool", "news.jsonl", "--out", "news").code == 0
    assert json.loads(s2r("events", "extract", "news", "--store", "e.db", "--json").out)["by_type"] == {"M&A_announce": 1}
    asked = s2r(
        "ask",
        "Merger announcements in March 2020?",
        "--store",
        "e.db",
        "--residual",
        "Which harbour office stays open?",
        "--run",
        "news",
        "--json",
    )
    (row,) = json.loads(asked.out)["rows"]
    assert (row["firm_ticker"], row["anchor_date"]) == ("ALDW", "2020-03-04")
    assert "harbour office in Corrie" in row["residual"][0]["quote"]
    assert row["residual"][0]["start"] > row["provenance"][0]["start"] >= 0


def test_articles_become_a_file_of_tuples(tmp_path: Path, policies: Path, monkeypatch: pytest.MonkeyPatch, s2r: Command) -> None:
    """`--to` writes what `import` reads; a row that is no article is refused."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("S2R_POLICIES", str(policies))
    rows = [
        {
            "title": "T",
            "date": "2020-03-04",
            "text": "Alderwick Shipping (ALDW) has agreed to acquire a rival.",
            "url": "https://wire.example/1",
        }
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert "1 tuples: M&A_announce 1" in s2r("events", "extract", "a.jsonl", "--to", "t.jsonl").out
    assert json.loads(s2r("events", "import", "t.jsonl", "--store", "e.db", "--json").out)["new"] == 1
    (tmp_path / "bad.jsonl").write_text('{"title": "T", "date": "some day"}')
    ran = s2r("events", "extract", "bad.jsonl", "--store", "e.db")
    assert ran.code == 2
    assert "row 1 is no article" in ran.err

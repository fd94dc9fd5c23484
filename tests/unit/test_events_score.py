"""The scorer on small tables, and against the published figures of three systems where the benchmark is at hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import SHARED

from s2r.events.score import REGIMES, TEMPLATES, score, score_question

STRICT, TOLERANT, ALIAS = REGIMES
BENCH = SHARED / "qo-bench"


def _e(firm: str, date: str, kind: str = "IPO", *urls: str) -> dict[str, Any]:
    return {
        "firm_ticker": firm,
        "event_type": kind,
        "anchor_date": date,
        "cited_urls": list(urls),
        "golden_chunks": [{"article_url": u} for u in urls],
    }


GOLD = [_e("ALDW", "2020-01-05", "IPO", "u1"), _e("BRTH", "2020-02-05", "IPO", "u2")]
# template, gold, answer, recall strict / tolerant / alias, recall with cited pages (tolerant)
CASES: list[tuple[str, list[Any], list[Any], tuple[float, float, float], float | None]] = [
    ("A.1.1", GOLD, [_e("aldw ", "2020-01-05", "IPO", "u1"), _e("BRTH.O", "2020-02-10")], (0.5, 0.5, 1.0), 0.5),
    ("A.1.1", GOLD, [_e("ALDW", "2020-01-12"), _e("BRTH", "2020-02-13", "IPO", "u2")], (0.0, 0.5, 0.5), 0.0),
    ("A.1.1", GOLD, [_e("ALDW", "soon"), "text", _e("BRTH", "2020-02-05", "CEO_change")], (0.0, 0.0, 0.0), 0.0),
    ("A.1.2", GOLD, [{"firm_ticker": "ALDW"}, {"firm_ticker": "ALDW"}, {"firm_ticker": "X"}], (0.5, 0.5, 0.5), 0.0),
    ("B.2.2", GOLD, GOLD[::-1], (0.0, 0.0, 0.0), 0.0),
    ("B.2.2", GOLD, GOLD, (1.0, 1.0, 1.0), 1.0),
    ("B.1.2", [{"firm_ticker": "ALDW", "e1_anchor_date": "2020-01-05", "e2_anchor_date": "2020-03-01"}],
     [{"firm_ticker": "ALDW", "e1_anchor_date": "2020-03-01", "e2_anchor_date": "2020-01-08"}], (0.0, 1.0, 1.0), 0.0),
    ("B.1.4", [{"buyer_ticker": "ALDW", "target_ticker": "Corrie Ltd", "announce_date": "2020-01-05"}],
     [{"buyer_ticker": "ALDW", "target_ticker": "Corrie", "announce_date": "2020-01-05"}], (0.0, 0.0, 1.0), 0.0),
    ("B.1.5", [{"firm_ticker": "ALDW", "qualifying_events": [{"anchor_date": "2020-01-05"}, {"anchor_date": "2020-03-01"}]}],
     [{"firm_ticker": "ALDW", "e1_anchor_date": "2020-01-05", "e2_anchor_date": "2020-03-02", "days_between": 57}], (0.0, 1.0, 1.0), None),
    ("A.1.1", GOLD, [], (0.0, 0.0, 0.0), 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("template", "gold", "rows", "recalls", "cited"), CASES)
def test_recall_of_one_question(template: str, gold: list[Any], rows: list[Any], recalls: tuple[float, ...], cited: float | None) -> None:
    """Identity by template, tolerance, aliases, order, cited pages."""
    question = {"qid": "q", "id": template, "gt": gold}
    assert tuple(score_question(question, rows, regime).recall for regime in REGIMES) == recalls
    assert score_question(question, rows, TOLERANT).recall_cited == cited


def test_pool_counts_every_row_once() -> None:
    """Two gold rows near one answer are two hits of recall, one match of the pool; sizes are screened."""
    gold = [_e("ALDW", "2020-01-05"), _e("ALDW", "2020-01-07")]
    questions = [{"qid": "1", "id": "A.1.1", "gt": gold}, {"qid": "2", "id": "A.1.1", "gt": gold}, {"qid": "3", "id": "Z.9", "gt": gold}]
    found = score(questions, {"1": [_e("ALDW", "2020-01-06"), _e("ALDW", "2021-01-06"), _e("ALDW", "2022-01-06")]}, TOLERANT)
    assert (found.overall.n, found.overall.recall, found.overall.missing) == (2, 0.5, 1)
    assert (found.overall.precision, found.overall.pool_recall, found.overall.size_fits) == (1 / 3, 1 / 4, 0.0)


@pytest.mark.parametrize("system", ["ie_sql", "lc_oracle", "react"])
def test_published_recall_is_reproduced(system: str) -> None:
    """Per template and over all, without and with cited pages, to 1e-9."""
    if not (BENCH / "questions.jsonl.gz").is_file():
        pytest.skip(f"the benchmark is not at {BENCH}")
    questions = _lines(BENCH / "questions.jsonl.gz")
    answers = {row["qid"]: row["answer"] for row in _lines(BENCH / f"predictions_{system}.jsonl.gz")}
    published = json.loads((BENCH / f"published_{system}.json").read_text())
    found = score(questions, answers, TOLERANT)
    assert {line.template for line in found.by_template} == set(published["by_id"]) == set(TEMPLATES)
    for line in (*found.by_template, found.overall):
        wanted = published["overall"] if line.template == "all" else published["by_id"][line.template]
        assert line.recall == pytest.approx(wanted["mean_recall_no_prov"], abs=1e-9), line
        assert line.recall_cited == (None if line.template == "B.1.5" else pytest.approx(wanted["mean_recall_with_prov"], abs=1e-9)), line


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as fh:
        return [json.loads(line) for line in fh]

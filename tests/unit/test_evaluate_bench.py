"""The benchmark runs on a tiny checkout and prints ratios; no time is asserted."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import REPO
from factories import write_world

from s2r.evaluate.bench import Corpus, Ratio, as_row, indexing, judging, load_work, main, only_html, write_copies
from s2r.policy import Policy


@pytest.fixture
def demo(tmp_path: Path) -> Corpus:
    """A checkout whose demo is the small world."""
    (tmp_path / "demo").mkdir()
    write_world(tmp_path / "demo", 2)
    return Corpus("demo", tmp_path / "demo" / "universe.csv", tmp_path / "demo" / "pool.jsonl")


def test_judging_and_indexing_give_one_ratio_per_repetition(demo: Corpus, policy: Policy, tmp_path: Path) -> None:
    """Every listing has its pages, and each repetition its ratio."""
    work = load_work(demo, policy)
    assert len(work) == 2
    assert all(item.documents for item in work)
    found = [judging("demo", work, policy, 2), *indexing(demo, tmp_path, 2)]
    assert [(ratio.name, len(ratio.values)) for ratio in found] == [("demo", 2), ("index, built", 2), ("index, opened again", 2)]
    assert all(value > 0 for ratio in found for value in ratio.values)


def test_documents_follow_the_owner_file_where_there_is_one(demo: Corpus, policy: Policy) -> None:
    """A document is judged for the listing that it was written for."""
    documents = [json.loads(line)["url"] for line in demo.pool.read_text("utf-8").splitlines()]
    rows = [json.dumps({"url": url, "case_id": "T-02"}) for url in documents]
    demo.pool.with_name("docs_gold.jsonl").write_text("\n".join(rows), "utf-8")
    work = load_work(demo, policy)
    assert [item.listing.row_id for item in work] == ["T-02"]
    assert len(work[0].documents) == len(documents)
    assert all("html" in document.content_type for item in only_html(work) for document in item.documents)


@pytest.mark.parametrize(("values", "target", "verdict"), [((1.2, 1.3, 9.0), 1.3, "met"), ((1.4,), 1.3, "NOT met"), ((9.0,), None, "")])
def test_verdict_goes_by_the_median(values: tuple[float, ...], target: float | None, verdict: str) -> None:
    """One slow repetition does not decide, a missed target is said plainly."""
    ratio = Ratio("x", "y", values, target)
    assert ratio.verdict == verdict
    assert as_row(ratio)["met"] == {"met": True, "NOT met": False, "": None}[verdict]


def test_copies_of_a_universe_have_row_ids_of_their_own(tmp_path: Path) -> None:
    """Four copies are four times the rows, all different and otherwise unchanged."""
    assert write_copies(REPO / "demo" / "universe.csv", tmp_path / "u.csv", 4) == 96
    with (tmp_path / "u.csv").open(encoding="utf-8", newline="") as fh:
        rows = list(csv.DictReader(fh))
    assert len({row["row_id"] for row in rows}) == 96
    assert len({row["issuer"] for row in rows}) <= 24
    assert "case_id" not in rows[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("judging", {"demo", "HTML pages of these"}),
        ("index", {"index, built", "index, opened again"}),
        ("audit", {"two workers", "second run"}),
        ("memory", {"peak memory, main process"}),
    ],
)
def test_command_prints_the_ratios_of_a_part(demo: Corpus, tmp_path: Path, part: str, expected: set[str]) -> None:
    """On a tiny checkout every part gives its ratios, one JSON line each."""
    given = ["--root", str(tmp_path), "--shared", str(tmp_path / "shared"), "--repeat", "1", "--copies", "1", "--part", part]
    ran = CliRunner().invoke(main, [*given, "--json"])
    assert ran.exit_code == 0, ran.output
    rows = {row["name"]: row for row in map(json.loads, ran.output.splitlines())}
    assert expected <= set(rows)
    assert all(row["median"] > 0 for row in rows.values())


def test_command_prints_a_table(demo: Corpus, tmp_path: Path) -> None:
    """The table shows the target of judging and says whether it is met."""
    ran = CliRunner().invoke(main, ["--root", str(tmp_path), "--shared", str(tmp_path), "--repeat", "1", "--part", "judging"])
    assert ran.exit_code == 0, ran.output
    assert "judging / extraction" in ran.output
    assert "1.3" in ran.output
    assert "met" in ran.output


def test_nothing_to_measure_is_a_configuration_error(tmp_path: Path) -> None:
    """Outside a checkout the command says so."""
    ran = CliRunner().invoke(main, ["--root", str(tmp_path), "--shared", str(tmp_path)])
    assert ran.exit_code == 2
    assert "no universe with a pool is here" in ran.output

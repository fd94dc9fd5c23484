"""`s2r bench` from universe, pool and gold to its report: arms that are run, arms that are read, and gold that nobody sees."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Command
from factories import world, write_pool, write_universe
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from s2r.models import Listing
from s2r.testing.asked import read_prompt, saying
from s2r.testing.models import ModelWorld
from s2r.testing.modelsaid import Heard, Said
from s2r.universe import read_universe
from s2r.universe.columns import FIELDS, normal_header

MODEL = "openai:gpt-5-mini"
GOLD = (("case_id", "stratum", "status", "announcement_date", "reason"), ("T-01", "A", "yes", "2019-05-04", "voluntary"),
        ("T-02", "C", "no", "", ""), ("T-03", "A", "yes", "2019-05-06", "merger_acquisition"))  # fmt: skip


def write_gold(path: Path, rows: tuple[tuple[str, ...], ...] = GOLD) -> Path:
    """A gold file of the small world."""
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(rows)
    return path


def small(folder: Path, rows: int = 3) -> tuple[Path, Path, Path]:
    """Universe, pool and gold of the small world."""
    listings, pages = world(rows)
    universe, pool = write_universe(folder / "universe.csv", listings), write_pool(folder / "pool.jsonl", pages)
    return universe, pool, write_gold(folder / "gold.csv", GOLD[: rows + 1])


def figures(out: Path) -> dict[tuple[str, str, str], str]:
    """Values of tables that have one line per arm, by table, arm and measure."""
    with (out / "bench.csv").open(encoding="utf-8-sig", newline="") as fh:
        return {(r["table"], r["arm"], r["measure"]): r["value"] for r in csv.DictReader(fh) if not r["group"]}


def reader(heard: Heard) -> Said:
    """A model that says yes where a page tells of an end of the listing, and has no page to quote where it is shown none."""
    asked = read_prompt(heard)
    return saying("abstain" if asked.passages else "no")


@pytest.mark.slow
def test_arms_of_rules_and_models_stand_side_by_side(tmp_path: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules, a closed model and the same model over pages answer the same rows; what they cost is known; closed is compared with web;
    a verifier that is set up elsewhere is not asked; the same command again asks nothing."""
    universe, pool, gold = small(tmp_path)
    arms = f"rules,closed:{MODEL},web:{MODEL}"
    with ModelWorld() as service:
        service.speak("openai", reader)
        for name, value in (service.env("openai") | {"S2R_VERIFIER_MODEL": MODEL, "S2R_HOME": str(tmp_path / "home")}).items():
            monkeypatch.setenv(name, value)
        command = ("bench", universe, "--gold", gold, "--pool", pool, "--arms", arms, "--out", tmp_path / "out", "--workers", 1)
        ran = s2r(*command)
        asked = len(service.calls("openai"))
        assert ran.code == 0, ran.err
        again = s2r(*command)
        assert again.code == 0
        assert len(service.calls("openai")) == asked == 6
    found = figures(tmp_path / "out")
    assert float(found["decision", "rules", "accuracy"]) == 1.0
    assert float(found["decision", f"closed:{MODEL}", "accuracy"]) == pytest.approx(1 / 3)
    assert float(found["decision", f"web:{MODEL}", "abstain"]) == 1.0
    assert float(found["operations", f"web:{MODEL}", "cost per 1,000"]) > 0
    assert f"web:{MODEL} minus closed:{MODEL}" in ran.out
    assert f"web:{MODEL} minus rules" in ran.out
    assert again.out == ran.out


@pytest.mark.slow
def test_a_cap_leaves_no_half_measured_arm(tmp_path: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """An arm that stops at its cap is no arm: exit 5, no report, and what to do."""
    universe, pool, gold = small(tmp_path)
    with ModelWorld() as service:
        service.speak("openai", reader)
        for name, value in (service.env("openai") | {"S2R_HOME": str(tmp_path / "home")}).items():
            monkeypatch.setenv(name, value)
        command = ("bench", universe, "--gold", gold, "--pool", pool, "--arms", f"web:{MODEL}", "--out", tmp_path / "out", "--workers", 1)
        ran = s2r(*command, "--max-usd", "0.000001")
    assert ran.code == 5
    assert "Repeat the same command with a higher cap" in ran.err
    assert not (tmp_path / "out" / "bench.csv").exists()


def test_the_development_set_is_printed_with_its_intervals(sealed: Path, dev_run: Path, tmp_path: Path, s2r: Command) -> None:
    """The run of the rules over the sealed development set, read as an arm, gives all eight views over its 49 rows."""
    ran = s2r("bench", sealed / "universe.csv", "--gold", sealed / "gold.csv", "--arms", f"rules={dev_run}", "--out", tmp_path)
    assert ran.code == 0
    assert "rows measured: 49 (A 21, B 16, C 12)" in ran.out
    accuracy = next(line for line in ran.out.splitlines() if line.startswith("accuracy "))
    assert accuracy.rstrip().endswith("n=49")
    assert "[" in accuracy
    assert "SYNTHETIC" not in ran.out


def test_a_row_without_a_record_counts_as_wrong_and_others_are_left_out(tmp_path: Path, s2r: Command) -> None:
    """An arm cannot get better by leaving rows out; records without gold are counted and not measured; two for one row are refused."""
    made = s2r("synth", "--rows", "30", "--no-pool", "--out", tmp_path / "data", "--arm", "best=flawless")
    assert made.code == 0
    arm = tmp_path / "data" / "arms" / "best"
    lines = (arm / "records.jsonl").read_text("utf-8").splitlines(keepends=True)
    with (tmp_path / "data" / "gold.csv").open(encoding="utf-8") as fh:
        gold = write_gold(tmp_path / "part.csv", tuple(tuple(row) for row in list(csv.reader(fh))[:21]))
    (arm / "records.jsonl").write_text("".join(lines[2:]), "utf-8")
    command = ("bench", tmp_path / "data" / "universe.csv", "--gold", gold, "--arms", f"best={arm}", "--out", tmp_path / "out")
    ran = s2r(*command)
    assert ran.code == 0
    assert "records without gold, left out: best 10" in ran.out
    assert float(figures(tmp_path / "out")["decision", "best", "accuracy"]) == pytest.approx(18 / 20)
    (arm / "records.jsonl").write_text("".join([*lines, lines[0]]), "utf-8")
    twice = s2r(*command)
    assert twice.code == 2
    assert "row 'SYN-000001' has more than one record" in twice.err


# ---- gold that nobody sees ----

GOLD_NAMES = (
    "status", "stratum", "announcement_date", "reason", "disclosure_type", "gold", "answer", "label", "truth", "Delisted?", "expected_status",
    "later_date", "risk", "route", "confidence", "published", "qualifying", "first_url",
)  # fmt: skip


def test_gold_in_the_universe_changes_no_record(tmp_path: Path, s2r: Command) -> None:
    """The universe with the truth in columns of many names, and with lies in the same columns, gives the same records as without:
    but for the columns themselves, which are carried through."""
    listings, pages = world(3)
    pool = write_pool(tmp_path / "pool.jsonl", pages)
    told = {row[0]: dict(zip(GOLD[0], row, strict=True)) for row in GOLD[1:]}
    lies = {"T-01": told["T-02"], "T-02": told["T-03"], "T-03": told["T-02"]}
    records: list[list[dict[str, Any]]] = []
    for number, truth in enumerate(({}, told, lies)):
        rows = [
            _with(x, {name: truth[x.row_id].get(name, truth[x.row_id]["status"]) for name in GOLD_NAMES} if truth else {}) for x in listings
        ]
        universe = write_universe(tmp_path / f"universe-{number}.csv", rows)
        out = tmp_path / f"run-{number}"
        assert s2r("audit", universe, "--pool", pool, "--out", out, "--workers", 1).code == 0
        records.append([json.loads(line) for line in (out / "records.jsonl").read_text("utf-8").splitlines()])
    assert records[1][0]["listing"]["extra"]["status"] == "yes"
    for run in records:
        for record in run:
            record["listing"].pop("extra")
            record.pop("latency_s")
    assert records[0] == records[1] == records[2]


def _with(listing: Listing, extra: dict[str, str]) -> Listing:
    return listing.model_copy(update={"extra": extra})


FIELD_NAMES = {normal_header(name) for names in FIELDS.values() for name in names}


@given(name=st.one_of(st.sampled_from(GOLD_NAMES), st.text(min_size=1, max_size=20)), value=st.sampled_from(["yes", "no", "2019-05-04"]))
@effort(max_examples=150, deadline=None)
def test_a_column_of_any_name_reaches_no_field_of_a_listing(tmp_path_factory: pytest.TempPathFactory, name: str, value: str) -> None:
    """Whatever a column is called, unless it is a name of a field: its value stands among what is carried through and nowhere else."""
    if normal_header(name) in FIELD_NAMES or "\x00" in name:
        return
    plain, _ = world(1)
    path = tmp_path_factory.mktemp("u") / "universe.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        fields = [field for field in FIELDS if getattr(plain[0], field)]
        writer = csv.writer(out)
        try:
            writer.writerow([*fields, name])
        except UnicodeEncodeError:
            return
        writer.writerow([*(str(getattr(plain[0], field)) for field in fields), value])
    found = read_universe(path).listings[0]
    carried = {"row_number", "extra"}
    assert found.model_dump(exclude=carried) == plain[0].model_dump(exclude=carried)
    assert list(found.extra.values()) == [value]

"""Gold sets: measures apart by set and group, pins that raise and never fall unasked, failing under a floor."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import REPO
from factories import write_world

from s2r.errors import ConfigError
from s2r.evaluate.floor import broken_floors, pinned_sets, raised_floors
from s2r.evaluate.results import Case, SetResult, compare, together
from s2r.evaluate.score import Rate
from s2r.evaluate.sets import known_sets, main

GOLD_COLUMNS = ("case_id", "stratum", "status", "announcement_date", "reason", "trap", "region", "languages")


def case(row: str, code: str, *, hits: int = 1, trap: tuple[str, ...] = ()) -> Case:
    """A case that counts once for accuracy."""
    return Case(row, {"accuracy": Rate(hits=hits, n=1)}, {"trap": trap}, code, "")


# ---- floors ----


@pytest.mark.parametrize("hits", range(1, 43))
@pytest.mark.parametrize("name", ["date_exact", "c_fpr"])
def test_pinned_result_passes_its_own_floor(name: str, hits: int) -> None:
    """Rounding of a pinned share never breaks the result that was pinned."""
    found = {name: Rate(hits=hits, n=42)}
    assert broken_floors(found, raised_floors(found, {})) == []


@pytest.mark.parametrize(
    ("name", "now", "limit", "pinned", "lowered"),
    [
        ("accuracy", 8, 0.7, 0.8, 0.8),
        ("accuracy", 6, 0.7, 0.7, 0.6),
        ("b_fepr", 1, 0.2, 0.1, 0.1),
        ("b_fepr", 3, 0.2, 0.2, 0.3),
        ("trapped", 3, 0.2, 0.2, 0.3),
    ],
)
def test_pinning_only_tightens_unless_told(name: str, now: int, limit: float, pinned: float, lowered: float) -> None:
    """A worse result leaves the limit as it is, and is taken over only on demand."""
    found = {name: Rate(hits=now, n=10)}
    assert raised_floors(found, {name: limit})[name] == pytest.approx(pinned)
    assert raised_floors(found, {name: limit}, lower=True)[name] == pytest.approx(lowered)


def test_limit_without_a_measure_is_broken() -> None:
    """A measure that is gone cannot pass."""
    assert broken_floors({"accuracy": Rate(hits=0, n=0)}, {"accuracy": 0.5, "reason": 0.5}) == [
        "accuracy: no value, limit 0.5",
        "reason: no value, limit 0.5",
    ]


@pytest.mark.parametrize("text", ["[1]", "{", "\udcff"])
def test_damaged_floor_file_is_a_configuration_error(tmp_path: Path, text: str) -> None:
    """A floor file that cannot be read stops the gate, it does not open it."""
    path = tmp_path / "floor.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError):
        pinned_sets(path)


# ---- cases ----


def test_changes_name_gains_losses_and_strangers() -> None:
    """Cases are compared one by one with their pinned codes."""
    now = SetResult("x", (case("a", "SDR"), case("b", "S-R"), case("c", "-D-"), case("new", "S"), case("e", "S")), ("accuracy",))
    found = compare(now, {"a": "SD-", "b": "SDR", "c": "S--", "e": "S", "old": "S"})
    assert found.gained == ("a SD->SDR",)
    assert found.lost == ("b SDR>S-R",)
    assert found.other == ("c S-->-D-",)
    assert (found.unknown, found.gone) == (("new",), ("old",))


def test_groups_of_one_case_are_taken_together_without_counting_a_case_twice() -> None:
    """Many traps stand on one case each; their line counts each case once."""
    cases = (case("a", "S", trap=("t1", "t2", "both")), case("b", "-", hits=0, trap=("t3", "t4", "both")))
    groups = SetResult("x", cases, ("accuracy",)).groups("trap")
    assert groups == {"both": {"accuracy": Rate(hits=1, n=2)}, "(4 more, one case each)": {"accuracy": Rate(hits=1, n=2)}}


def test_regions_together_keep_rows_without_record() -> None:
    """Gold rows without a record are not lost in the sum."""
    part = SetResult("own/a", (case("a", "S"),), ("accuracy",), unscored=("b",))
    whole = together("own", (part, part))
    assert (whole.rates["accuracy"], whole.unscored) == (Rate(hits=2, n=2), ("b", "b"))


def test_every_region_of_the_repository_is_a_set_of_its_own() -> None:
    """All five regions, the demo and the snippets are embedded; the others lie outside."""
    names = [s.name for s in known_sets(REPO, REPO / "nowhere") if all(path.is_file() for path in s.files)]
    assert names == [
        "own/apac",
        "own/europe",
        "own/latam-africa",
        "own/uk-ie-ca",
        "own/us",
        "own/world10",
        "own/world11",
        "own/world12",
        "own/world13",
        "own/world14",
        "own/world15",
        "own/world2",
        "own/world3",
        "own/world4",
        "own/world5",
        "own/world6",
        "own/world7",
        "own/world8",
        "own/world9",
        "wording",
        "demo",
        "dates",
        "dates-later",
        "dates-angles",
    ]


# ---- the command ----


def write_checkout(root: Path) -> None:
    """A checkout with one region of two cases and three dated snippets."""
    region = root / "tests" / "gold" / "tiny"
    region.mkdir(parents=True)
    write_world(region, 2)
    (region / "pool.jsonl").rename(region / "docs.jsonl")
    with (region / "universe.csv").open(encoding="utf-8", newline="") as fh:
        rows = [row["row_id"] for row in csv.DictReader(fh)]
    write_gold(region, rows)
    (root / "tests" / "cases").mkdir()
    lines = (REPO / "tests" / "cases" / "dates.jsonl").read_text("utf-8").splitlines()[:3]
    (root / "tests" / "cases" / "dates.jsonl").write_text("\n".join(lines), "utf-8")


def write_gold(region: Path, rows: list[str]) -> None:
    """Gold of stratum C for these rows."""
    with (region / "gold.csv").open("w", encoding="utf-8", newline="") as fh:
        writer = csv.DictWriter(fh, GOLD_COLUMNS)
        writer.writeheader()
        for row in rows:
            writer.writerow({"case_id": row, "stratum": "C", "status": "no", "trap": "none", "region": "tiny", "languages": "en"})


def evaluate(root: Path, *arguments: str) -> Result:
    """`make eval` in a checkout without shared sets."""
    given = ["--root", str(root), "--shared", str(root / "shared"), "--out", str(root / "out"), "--workers", "1", *arguments]
    return CliRunner().invoke(main, given)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policies: Path) -> Path:
    """A tiny checkout, audited with a copy of the repository's policies."""
    monkeypatch.chdir(tmp_path)
    policies = policies.resolve()
    (tmp_path / "policies").symlink_to(policies, target_is_directory=True)
    write_checkout(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_floors_are_pinned_and_hold_and_fail(checkout: Path) -> None:
    """Without floors nothing fails; pinned results pass; a floor above them ends with 3 and says which case was lost."""
    bare = evaluate(checkout)
    assert bare.exit_code == 0, bare.output
    assert "sealed-dev: not present" in bare.output
    assert "No floors are pinned" in bare.output

    assert evaluate(checkout, "--pin").exit_code == 0
    gold = checkout / "tests" / "gold"
    floors = json.loads((gold / "floor.json").read_text("utf-8"))
    assert set(floors) == {"own/tiny", "dates"}
    again = evaluate(checkout)
    assert again.exit_code == 0, again.output
    assert "gained none; lost none" in again.output

    floors["own/tiny"] |= {"accuracy": 1.5, "abstain": -0.1}
    (gold / "floor.json").write_text(json.dumps(floors), "utf-8")
    cases = json.loads((gold / "cases.json").read_text("utf-8"))
    row = next(iter(cases["dates"]))
    cases["dates"][row] = "VKAX+"
    (gold / "cases.json").write_text(json.dumps(cases), "utf-8")
    failed = evaluate(checkout)
    assert failed.exit_code == 3
    assert "FLOOR own/tiny: accuracy" in failed.output
    assert "FLOOR own/tiny: abstain" in failed.output
    assert f"{row} VKAX+>" in failed.output
    kept = json.loads((checkout / "out" / "results.json").read_text("utf-8"))
    assert len(kept["broken"]) == 2
    assert kept["sets"]["own/tiny"]["measures"]["accuracy"]["n"] == 2


def test_gold_row_without_record_and_lost_set_fail(checkout: Path) -> None:
    """A case that was not audited, and an embedded set that has floors and is gone, fail the gate."""
    gold = checkout / "tests" / "gold"
    write_gold(gold / "tiny", ["T-01", "T-02", "T-99"])
    (gold / "floor.json").write_text(json.dumps({"own/gone": {"accuracy": 0.5}, "sealed-dev": {"accuracy": 0.5}}), "utf-8")
    failed = evaluate(checkout)
    assert failed.exit_code == 3
    assert "FLOOR own/tiny: no record for 1 gold rows: T-99" in failed.output
    assert "FLOOR own/gone: has floors, but was not found" in failed.output
    assert "FLOOR sealed-dev" not in failed.output


def test_nothing_to_evaluate_is_a_configuration_error(tmp_path: Path) -> None:
    """Outside a checkout the command says so."""
    ran = evaluate(tmp_path)
    assert ran.exit_code == 2
    assert "no gold set is here" in ran.output

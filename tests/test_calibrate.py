"""`s2r calibrate`, `s2r risk` and routing by risk, from label files to records."""

from __future__ import annotations

import csv
import datetime as dt
import json
import random
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from conftest import Command
from factories import write_universe
from risk_world import HEAD, Answer, answers, write_labels, write_run

from s2r.calibrate.labels import read_labels
from s2r.calibrate.looks import read_looks
from s2r.calibrate.split import families, row_key, split
from s2r.errors import InputError
from s2r.models import Record, Route, Status
from s2r.policy import Policy
from s2r.risk.load import read_risk_model
from s2r.risk.measure import Count, Measured
from s2r.risk.model import RiskModel, opinion
from s2r.risk.monitor import monitor
from s2r.risk.targets import Target, Truth, wrong
from s2r.route import route_record

pytest.importorskip("sklearn", reason="scikit-learn is the extra risk")


@dataclass(frozen=True)
class World:
    """A calibrated world: answers with labels, the policies folder with the model, the report."""

    found: list[Answer]
    run: Path
    gold: Path
    policies: Path
    out: Path
    model: RiskModel


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, policy: Policy, policies: Path) -> World:
    """1,500 synthetic answers, calibrated through the command line."""
    from s2r.cli import cli

    base = tmp_path_factory.mktemp("calibrated")
    found = answers(policy, 1500, seed=1)
    run, gold = write_run(base / "run", found), write_labels(base / "labels.csv", [a.label for a in found])
    own = Path(shutil.copytree(policies, base / "policies"))
    code = cli.main(
        ["calibrate", str(run), "--gold", str(gold), "--policies", str(own), "--out", str(base / "out"), "--name", "synthetic"],
        standalone_mode=False,
    )
    assert code == 0
    return World(found, run, gold, own, base / "out", read_risk_model(own / "risk" / "synthetic.json"))


def _truth(label: Mapping[str, str]) -> Truth:
    day = label["announcement_date"]
    return Truth(
        status=Status(label["status"]),
        announcement_date=dt.date.fromisoformat(day) if day else None,
        reasons=(label["reason"],),
        stratum=label["stratum"],
    )


# ---- a calibration ----


def test_parts_share_no_family_and_hold_every_stratum(world: World, policy: Policy) -> None:
    """Train, calibration and test have their shares, all strata, and no issuer family in two of them."""
    labels = read_labels(world.gold, world.run, policy)
    family = families(labels.rows)
    parts, _ = split(labels.rows, family, {}, (0.4, 0.4, 0.2), 0)
    assert len(set(family)) < len(family)
    assert len(set(zip(family, parts, strict=True))) == len(set(family))
    sizes = {name: part.records for name, part in world.model.source.parts.items()}
    assert sizes == {part: parts.count(part) for part in ("train", "calibration", "test")}
    assert abs(sizes["train"] - 600) < 15
    assert abs(sizes["test"] - 300) < 15
    for part in sizes:
        assert {row.label.truth.stratum for row, at in zip(labels.rows, parts, strict=True) if at == part} == {"A", "B", "C"}
    assert split(labels.rows, family, {}, (0.4, 0.4, 0.2), 1)[0] != parts


def test_figures_of_the_locked_test_are_those_of_the_records(world: World, policy: Policy) -> None:
    """Every figure of the test is counted again from records, labels and thresholds alone."""
    labels = read_labels(world.gold, world.run, policy)
    parts, _ = split(labels.rows, families(labels.rows), {}, (0.4, 0.4, 0.2), 0)
    model, target, counted = (
        world.model,
        Target.JOINT_WITHIN_7,
        dict.fromkeys(("n", "taken", "bad", "bad_yes", "taken_yes", "true", "ready_true", "lost"), 0),
    )
    for row, part in zip(labels.rows, parts, strict=True):
        if part != "test":
            continue
        said, truth = opinion(model, row.record), row.label.truth
        decided, _ = route_record(policy, row.record, risk={}, risk_within=said.within)
        taken, bad, yes = decided is Route.ACCEPT, wrong(target, row.record, truth), row.record.status is Status.YES
        for name, holds in {
            "n": True, "taken": taken, "bad": taken and bad, "taken_yes": taken and yes, "bad_yes": taken and yes and bad, "true": truth.positive,
            "ready_true": taken and truth.positive and not bad, "lost": taken and truth.positive and not yes,
        }.items():  # fmt: skip
            counted[name] += holds
    test = model.test
    assert isinstance(test, Measured)
    assert (test.accepted_error.hits, test.accepted_error.n) == (counted["bad"], counted["taken"])
    assert (test.accepted_yes_error.hits, test.accepted_yes_error.n) == (counted["bad_yes"], counted["taken_yes"])
    assert (test.ready.hits, test.ready.n) == (counted["taken"] - counted["bad"], counted["n"])
    assert (test.positives_ready.hits, test.positives_ready.n) == (counted["ready_true"], counted["true"])
    assert (test.review.hits, test.recall.hits) == (counted["n"] - counted["taken"], counted["true"] - counted["lost"])
    assert counted["taken_yes"] > 10


def test_positives_and_negatives_are_certified_apart(world: World) -> None:
    """Each answer has its threshold, its exact limit within the target at its share of the doubt, and the other method is shown beside."""
    chosen = world.model.by_group
    assert set(chosen) == {"yes", "no"}
    assert chosen["yes"].threshold != chosen["no"].threshold
    assert all(
        choice.threshold is not None and choice.limit <= 0.05 and choice.confidence == pytest.approx(0.95) for choice in chosen.values()
    )
    assert {choice.method.value for choice in world.model.beside} == {"empirical"}


def test_report_holds_card_and_every_chart(world: World) -> None:
    """The HTML has the five charts with the tables of their figures, the model card, thresholds and the look; no script."""
    html = (world.out / "calibration.html").read_text("utf-8")
    drawn = set(re.findall(r'<svg class="chart"[^>]*aria-labelledby="chart-([\w-]+)-t', html))
    assert drawn == {"coverage-risk", "reliability", "accepted-error", "yield", "coefficients"}
    assert html.count("Figures of this chart</summary>") == 5
    for text in (world.model.model_id, "Model card", "Thresholds in use", "First look at this locked test", "answers yes"):
        assert text in html
    assert "<script" not in html
    assert "nan" not in re.sub(r"<[^>]+>", " ", html).lower().split()
    written = json.loads((world.out / "calibration.json").read_text("utf-8"))
    assert written["model"] == world.model.model_id
    assert written["test"]["accepted_error"]["n"] == world.model.test.accepted_error.n  # type: ignore[union-attr]


def test_card_on_the_terminal(world: World, s2r: Command) -> None:
    """`s2r risk show` prints thresholds, coefficients with their meaning, and the figures of the locked test."""
    ran = s2r("risk", "show", "synthetic", "--policies", str(world.policies))
    assert ran.code == 0
    for text in (world.model.policy, "answers yes", "confidence that the adjudicator states", "wrong among accepted yes", "First look"):
        assert text in ran.out
    shown = s2r("risk", "show", "synthetic", "--policies", str(world.policies), "--json")
    assert RiskModel.model_validate_json(shown.out).model_id == world.model.model_id


def test_a_second_look_is_recorded_and_rows_stay_locked(world: World, policy: Policy, s2r: Command, tmp_path: Path) -> None:
    """Under another name and seed the rows of the first test are test rows again, and report and log say that they had been seen."""
    own = Path(shutil.copytree(world.policies, tmp_path / "policies"))
    ran = s2r(
        "calibrate",
        str(world.run),
        "--gold",
        str(world.gold),
        "--policies",
        str(own),
        "--out",
        str(tmp_path / "out"),
        "--name",
        "again",
        "--seed",
        "9",
    )
    assert ran.code == 0, ran.err
    test = world.model.source.parts["test"].records
    assert f"{test} of the {test} test records had been shown by an earlier look" in ran.out
    looks, shown = read_looks(own / "risk", "delisting")
    assert [look.seen_before for look in looks] == [0, test]
    assert looks[0].test == looks[1].test
    assert len(shown) == test
    assert "had been shown" in (tmp_path / "out" / "calibration.html").read_text("utf-8")


def test_labels_of_several_runs_in_one_file(world: World, policy: Policy, s2r: Command, tmp_path: Path) -> None:
    """A label file that names run folders needs no --gold, and gives the same model."""
    head = (*HEAD, "run")
    half = len(world.found) // 2
    for name, part in (("one", world.found[:half]), ("two", world.found[half:])):
        write_run(tmp_path / name, part)
    rows = [dict(a.label) | {"run": "one" if k < half else "two"} for k, a in enumerate(world.found)]
    write_labels(tmp_path / "labels.csv", rows, head)
    own = Path(shutil.copytree(world.policies, tmp_path / "policies", ignore=shutil.ignore_patterns("risk")))
    ran = s2r("calibrate", str(tmp_path / "labels.csv"), "--policies", str(own), "--out", str(tmp_path / "out"), "--json")
    assert ran.code == 0, ran.err
    model = read_risk_model(own / "risk" / "delisting.json")
    assert (model.fits, model.choices) == (world.model.fits, world.model.choices)


def test_mix_and_recall_through_the_command(world: World, s2r: Command, tmp_path: Path) -> None:
    """With the mix of an institution weights, effective sample size and the weighted error are reported; yeses too rare to certify are refused."""
    own = Path(shutil.copytree(world.policies, tmp_path / "policies", ignore=shutil.ignore_patterns("risk")))
    ran = s2r(
        "calibrate", str(world.run), "--gold", str(world.gold), "--policies", str(own), "--out", str(tmp_path / "out"),
        "--mix", "A=0.01,B=0.01,C=0.98", "--recall", "0.9", "--balanced", "--without", "latency", "--name", "mixed",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    model = read_risk_model(own / "risk" / "mixed.json")
    assert model.by_group["yes"].threshold is None
    assert model.by_group["no"].threshold is not None
    assert sum(model.source.strata.values()) == 1500
    assert model.weights["A"] == pytest.approx(0.03, abs=0.01)
    assert model.effective_n is not None
    assert 150 < model.effective_n < 260
    assert model.deployed is not None
    assert model.deployed.low <= (model.deployed.value or 0.0) <= model.deployed.high
    assert "latency" not in model.columns
    assert "effective sample size" in (tmp_path / "out" / "calibration.html").read_text("utf-8")


# ---- bad input ----


Rows = list[dict[str, str]]


def _edit(number: int, **values: str) -> Callable[[Rows], Rows]:
    def change(rows: Rows) -> Rows:
        rows[number - 2] |= values
        return rows

    return change


def _spoil_split(rows: Rows) -> Rows:
    """The listing of row 13 belongs to the issuer of row 12."""
    rows[10] |= {"split": "train"}
    rows[11] |= {"split": "test"}
    return rows


BAD: tuple[tuple[str, Callable[[Rows], Rows], str], ...] = (
    ("unknown row", _edit(5, row_id="S-9999"), r"row 5, column row_id: 'S-9999' is no record of"),
    ("empty row id", _edit(5, row_id=""), r"row 5, column row_id: is empty"),
    ("row twice", _edit(5, row_id="S-0000"), r"row 5, column row_id: 'S-0000' is already labelled in row 2"),
    ("wrong status", _edit(7, status="maybe"), r"row 7, column status: 'maybe' is not a truth"),
    ("capital status", _edit(7, status="YES"), r"row 7, column status: 'YES' is not a truth"),
    ("abstain is no truth", _edit(7, status="abstain"), r"row 7, column status: 'abstain' is not a truth"),
    ("impossible day", _edit(7, status="yes", announcement_date="2021-02-30", reason="voluntary"), r"row 7, column announcement_date: '2021-02-30' is not a day"),
    ("day after the cutoff", _edit(7, status="yes", announcement_date="2025-02-03", reason="voluntary"), r"row 7, column announcement_date: 2025-02-03 is after the cutoff"),
    ("yes without a day", _edit(7, status="yes", announcement_date="", reason="voluntary"), r"row 7, column announcement_date: is empty"),
    ("yes without a reason", _edit(7, status="yes", announcement_date="2021-02-03", reason=""), r"row 7, column reason: is empty"),
    ("no with a day", _edit(7, status="no", announcement_date="2021-02-03", reason=""), r"row 7, column announcement_date: is given, and a no has none"),
    ("strange reason", _edit(7, status="yes", announcement_date="2021-02-03", reason="boredom"), r"row 7, column reason: 'boredom' is not a reason"),
    ("strange part", _edit(7, split="dev"), r"row 7, column split: 'dev' is no part"),
    ("a family in two parts", _spoil_split, r"row 13, column split: 'test', but row 12 of the same issuer family is in train"),
    ("a single class of truth", lambda rows: [r for r in rows if r["status"] == "no"], r"a single class: every record of the part train is truly no"),
    ("too few", lambda rows: rows[:60], r"too few labels: 2\d records are in the part train, at least 30"),
    ("too few to certify", lambda rows: rows[:100], r"too few labels: \d+ issuer families are in the part calibration, at least 45 are needed to certify"),
    ("no label", lambda rows: [], r"labels.csv: "),
)  # fmt: skip


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("change", "told"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_labels_are_named_and_nothing_is_written(
    change: Callable[[Rows], Rows], told: str, world: World, s2r: Command, tmp_path: Path, policies: Path
) -> None:
    """Exit 2, an error with row and column, no model, no report, no look."""
    rows = change([dict(a.label) | {"split": ""} for a in world.found])
    gold = write_labels(tmp_path / "labels.csv", rows, (*HEAD, "split"))
    before, own = _files(tmp_path) | _files(policies), policies
    ran = s2r("calibrate", str(world.run), "--gold", str(gold), "--policies", str(own), "--out", str(tmp_path / "out"))
    assert ran.code == 2, ran.out
    assert re.search(told, ran.err), ran.err
    assert _files(tmp_path) | _files(policies) == before


def test_a_leaked_test_row_is_named(world: World, s2r: Command, tmp_path: Path) -> None:
    """A listing that a locked test has shown, under another row id, cannot be put into the training part."""
    keys = read_looks(world.policies / "risk", "delisting")[1]
    at = next(k for k, a in enumerate(world.found) if row_key(a.record.listing) in keys)
    rows = [dict(a.label) | {"split": ""} for a in world.found]
    rows[at]["split"] = "train"
    gold = write_labels(tmp_path / "labels.csv", rows, (*HEAD, "split"))
    before = _files(world.policies)
    ran = s2r(
        "calibrate",
        str(world.run),
        "--gold",
        str(gold),
        "--policies",
        str(world.policies),
        "--out",
        str(tmp_path / "out"),
        "--name",
        "leaky",
    )
    assert ran.code == 2
    assert f"row {at + 2}, column split: 'train', but this listing was in a locked test (synthetic, " in ran.err
    assert _files(world.policies) == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--name", "synthetic"), "is there already"),
        (("--name", "../evil"), "is no name of a file"),
        (("--mix", "A=0.5,D=0.5", "--name", "x"), "stratum"),
        (("--mix", "half", "--name", "x"), "is no mix"),
        (("--shares", "0.5,0.5", "--name", "x"), "are no three shares"),
    ],
)
def test_bad_options_are_named_and_nothing_is_written(more: tuple[str, ...], told: str, world: World, s2r: Command, tmp_path: Path) -> None:
    """A model is not replaced in silence, names stay in their folder, mixes name known strata."""
    before = _files(world.policies)
    ran = s2r(
        "calibrate", str(world.run), "--gold", str(world.gold), "--policies", str(world.policies), "--out", str(tmp_path / "out"), *more
    )
    assert ran.code == 2
    assert told in ran.err
    assert _files(world.policies) == before
    assert not (tmp_path / "out").exists()


def test_labels_with_records_of_another_policy_are_refused(world: World, policy: Policy, tmp_path: Path) -> None:
    """What was adjudicated under other rules says nothing about these."""
    found = [Answer(world.found[0].record.model_copy(update={"policy": "delisting@0#abc"}), world.found[0].label)]
    run, gold = write_run(tmp_path / "run", found), write_labels(tmp_path / "labels.csv", [found[0].label])
    with pytest.raises(InputError, match=r"row 2, column row_id: its record was made under the policy delisting@0#abc"):
        read_labels(gold, run, policy)


# ---- watching ----


def _routed(model: RiskModel, policy: Policy, found: list[Answer]) -> list[Record]:
    """The records as a run with the model would route them."""
    records = []
    for answer in found:
        said = opinion(model, answer.record)
        decided, reasons = route_record(policy, answer.record, risk=said.risks or {}, risk_within=said.within)
        records.append(answer.record.model_copy(update={"route": decided, "route_reasons": reasons, "risk": said.risks}))
    return records


def test_a_run_like_the_labelled_one_raises_no_alarm(world: World, policy: Policy) -> None:
    """New answers of the same kind: no feature has moved, and reviews find the promise kept."""
    fresh = answers(policy, 900, seed=5)
    found = monitor(world.model, _routed(world.model, policy, fresh), {a.record.row_id: _truth(a.label) for a in fresh})
    assert [alarm.sentence for alarm in found.alarms] == []
    assert (found.records, found.reviewed) == (900, sum(a.record.status is not Status.ABSTAIN for a in fresh))
    assert found.accepted > 300
    assert isinstance(found.accepted_error, Count)
    assert len(found.brier) > 100


def test_weaker_answers_raise_alarms(world: World, policy: Policy) -> None:
    """When proofs get poorer, features have moved; nothing is said of reviews that do not exist."""
    found = monitor(world.model, _routed(world.model, policy, answers(policy, 600, seed=6, weaker=0.35)))
    assert {alarm.kind for alarm in found.alarms} == {"feature"}
    assert "confidence" in {alarm.subject for alarm in found.alarms}
    assert found.reviewed == 0


def test_a_broken_promise_raises_alarms(world: World, policy: Policy) -> None:
    """When accepted answers turn out wrong, calibration, accepted error and the recall of the market in which events are lost are named."""
    fresh = answers(policy, 900, seed=7)
    records = _routed(world.model, policy, fresh)
    draw, truths = random.Random(3), {}
    for record, answer in zip(records, fresh, strict=True):
        truth = _truth(answer.label)
        if record.route is Route.ACCEPT and draw.random() < 0.2:
            truth = Truth(
                status=Status.NO if record.status is Status.YES else Status.YES,
                announcement_date=dt.date(2021, 1, 4),
                reasons=("voluntary",),
            )
            if truth.positive and record.listing.mic != "XPAR":
                truth = Truth(status=Status.NO)
        truths[record.row_id] = truth
    found = monitor(world.model.model_copy(update={"promise": world.model.promise.model_copy(update={"recall": 0.9})}), records, truths)
    kinds = {(alarm.kind, alarm.subject) for alarm in found.alarms}
    assert {("accepted_error", "accepted yes"), ("recall", "XPAR"), ("brier", "calibration")} <= kinds
    assert not {subject for kind, subject in kinds if kind == "recall"} - {"XPAR"}


def test_answers_of_another_adjudicator_are_counted_apart(world: World, policy: Policy) -> None:
    """They are not compared, and none of them is accepted."""
    fresh = [Answer(a.record.model_copy(update={"adjudicator": "web", "model": "openai:m"}), a.label) for a in answers(policy, 60, seed=8)]
    found = monitor(world.model, _routed(world.model, policy, fresh))
    assert (found.records, found.other_arms, found.accepted) == (0, 60, 0)


# ---- in a benchmark ----


def _figures(out: Path) -> dict[tuple[str, str, str], tuple[float, int]]:
    """Value and n of the figures of the arm, by table, group and measure."""
    with (out / "bench.csv").open(encoding="utf-8-sig", newline="") as fh:
        rows = [row for row in csv.DictReader(fh) if row["view"] == "selective" and row["value"]]
    return {(r["table"], r["group"], r["measure"]): (float(r["value"]), int(r["n"])) for r in rows}


def test_a_benchmark_puts_earlier_runs_under_the_model(world: World, policy: Policy, s2r: Command, tmp_path: Path) -> None:
    """View 5 then shows what the model accepts, how often that is wrong, and what the model had estimated; without it the run's own route."""
    found = world.found[-120:]
    run, gold = write_run(tmp_path / "run", found), write_labels(tmp_path / "gold.csv", [a.label for a in found])
    universe = write_universe(tmp_path / "universe.csv", [a.record.listing for a in found])
    command = ["bench", universe, "--gold", gold, "--arms", f"fitted={run}", "--policies", world.policies]
    told = s2r(*command, "--risk", "synthetic", "--out", tmp_path / "with")
    assert told.code == 0, told.err
    assert f"risk model: {world.model.model_id}" in told.out
    assert "at most 5% of what it accepts is wrong" in " ".join(told.out.split())
    figures, taken = _figures(tmp_path / "with"), []
    for answer in found:
        said = opinion(world.model, answer.record)
        assert said.risks
        route, _ = route_record(policy, answer.record, risk=said.risks, risk_within=said.within)
        if route is Route.ACCEPT:
            off = wrong(Target.JOINT_WITHIN_7, answer.record, _truth(answer.label))
            taken.append((answer.record.status, said.risks["joint_within_7"], off))
    assert len(taken) > 30
    assert figures["accepted", "", "accepted"] == (pytest.approx(len(taken) / 120), 120)
    for status in (Status.YES, Status.NO):
        some = [(risk, off) for said_, risk, off in taken if said_ is status]
        group = f"accepted {status.value}"
        assert figures["estimated", group, "estimated error"] == (pytest.approx(sum(r for r, _ in some) / len(some)), len(some))
        assert figures["estimated", group, "error"] == (pytest.approx(sum(o for _, o in some) / len(some)), len(some))
        assert figures["estimated", group, "Brier"] == (pytest.approx(sum((r - o) ** 2 for r, o in some) / len(some)), len(some))
    plain = s2r(*command, "--risk", "none", "--out", tmp_path / "without")
    assert plain.code == 0, plain.err
    assert not [key for key in _figures(tmp_path / "without") if key[0] == "estimated"]
    assert _figures(tmp_path / "without")["accepted", "", "accepted"] == (0.0, 120)


def test_a_benchmark_refuses_records_of_another_policy(world: World, s2r: Command, tmp_path: Path) -> None:
    """Their risks would say nothing; the arm and both policies are named."""
    other = [replace(a, record=a.record.model_copy(update={"policy": "delisting@0#other"})) for a in world.found[:20]]
    run, gold = write_run(tmp_path / "run", other), write_labels(tmp_path / "gold.csv", [a.label for a in other])
    universe = write_universe(tmp_path / "universe.csv", [a.record.listing for a in other])
    ran = s2r(
        "bench",
        universe,
        "--gold",
        gold,
        "--arms",
        f"old={run}",
        "--policies",
        world.policies,
        "--risk",
        "synthetic",
        "--out",
        tmp_path / "out",
    )
    assert ran.code == 2
    assert "old" in ran.err
    assert "delisting@0#other" in ran.err
    assert not (tmp_path / "out" / "bench.csv").exists()

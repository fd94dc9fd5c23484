"""A run with a risk model: risks and routes in its records, one more input of every row, and a watch over what was accepted."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Command
from factories import write_world
from risk_world import model_of

from s2r.models import Record, Route, Status
from s2r.policy import Policy
from s2r.risk.drift import baseline
from s2r.risk.model import Fit, RiskModel
from s2r.risk.targets import Target


@dataclass(frozen=True)
class Place:
    """A small world with policies that hold risk models."""

    folder: Path
    policies: Path
    s2r: Command

    def audit(self, *more: str, out: str = "out") -> tuple[int, list[Record]]:
        """Audit the world; exit code and records."""
        ran = self.s2r("audit", str(self.folder / "universe.csv"), "--pool", str(self.folder / "pool.jsonl"), "--out", str(self.folder / out),
                       "--policies", str(self.policies), "--workers", "1", *more)  # fmt: skip
        assert ran.code == 0, ran.err
        lines = (self.folder / out / "records.jsonl").read_text("utf-8").splitlines()
        return ran.code, [Record.model_validate_json(line) for line in lines]

    def keep(self, model: RiskModel) -> RiskModel:
        """Put a model among the policies."""
        path = self.policies / "risk" / f"{model.name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(model.model_dump_json(), "utf-8")
        return model


@pytest.fixture
def place(tmp_path: Path, policies: Path, s2r: Command) -> Place:
    """Three listings: one leaves of its own will, one is only warned, one is bought."""
    write_world(tmp_path, 3)
    return Place(tmp_path, Path(shutil.copytree(policies, tmp_path / "policies")), s2r)


def lenient(policy: Policy, name: str = "lenient", **fields: object) -> RiskModel:
    """A model of rules whose risk falls with confidence, and that accepts yeses up to 20%, noes up to 20%."""
    base = model_of(policy)
    choices = (base.choices[0], base.choices[0].model_copy(update={"group": "no"}))
    known = (baseline("confidence", [0.5 + k / 200 for k in range(100)]), baseline("market=XLON", [0.0] * 100))
    return model_of(policy, **({"name": name, "arms": ("rules",), "choices": choices, "baseline": known} | fields))


def test_risks_and_routes_are_in_the_records(place: Place, policy: Policy) -> None:
    """With a model that allows it a yes is accepted; the record has its risks, the model, and a sentence with the figures."""
    _, plain = place.audit(out="plain")
    assert [(r.status, r.route, r.risk, r.risk_model) for r in plain[:2]] == [
        (Status.YES, Route.REVIEW, None, None),
        (Status.NO, Route.ACCEPT, None, None),
    ]
    assert "risk_model" not in (place.folder / "plain" / "records.jsonl").read_text("utf-8")
    model = place.keep(lenient(policy))
    _, found = place.audit("--risk", "lenient")
    assert [r.route for r in found] == [Route.ACCEPT] * 3
    for record in found:
        assert record.risk is not None
        assert 0 < record.risk["joint_within_7"] < 0.2
        assert record.risk_model == model.model_id
        assert f"is estimated at {record.risk['joint_within_7']:.1%}, within the limit of 20.0%" in record.route_reasons[-1]
    manifest = json.loads((place.folder / "out" / "run.json").read_text("utf-8"))
    assert manifest["risk"] == model.model_id


def test_a_model_that_allows_nothing_sends_all_to_review(place: Place, policy: Policy) -> None:
    """Above the limit, also a no goes to a reviewer, with the sentence that says why."""
    strict = lenient(policy, fits=(Fit(target=Target.JOINT_WITHIN_7, intercept=3.0, coefficients=(-0.1, 0.0), records=9, wrong=3),))
    place.keep(strict)
    _, found = place.audit("--risk", "lenient")
    assert [r.route for r in found] == [Route.REVIEW] * 3
    assert all(r.route_reasons[0] == "The risk model does not allow this answer to be accepted." for r in found)
    assert all("above the limit of 20.0%" in r.route_reasons[-1] for r in found)


def test_the_model_is_an_input_of_every_row(place: Place, policy: Policy) -> None:
    """The same command does nothing; another model, or none, judges and routes anew; use.toml chooses without a flag."""
    place.keep(lenient(policy))
    place.audit("--risk", "lenient")
    ran = place.s2r("audit", str(place.folder / "universe.csv"), "--pool", str(place.folder / "pool.jsonl"), "--out", str(place.folder / "out"),
                    "--policies", str(place.policies), "--workers", "1", "--risk", "lenient")  # fmt: skip
    assert "Nothing to do" in ran.err
    (place.policies / "risk" / "use.toml").write_text('delisting = "lenient"\n', "utf-8")
    assert [r.route for r in place.audit(out="chosen")[1]] == [Route.ACCEPT] * 3
    _, without = place.audit("--risk", "none")
    assert [r.route for r in without] == [Route.REVIEW, Route.ACCEPT, Route.REVIEW]
    assert without[0].risk is None


def test_an_unfit_model_stops_the_run_before_any_work(place: Place, policy: Policy) -> None:
    """A model of another policy is a configuration error; no folder is left."""
    place.keep(lenient(policy).model_copy(update={"policy": "delisting@0#000000000000"}))
    ran = place.s2r("audit", str(place.folder / "universe.csv"), "--pool", str(place.folder / "pool.jsonl"), "--out", str(place.folder / "out"),
                    "--policies", str(place.policies), "--risk", "lenient")  # fmt: skip
    assert ran.code == 2
    assert "was fitted under the policy delisting@0#000000000000" in ran.err
    assert not (place.folder / "out").exists()


def test_records_of_another_adjudicator_are_not_accepted(place: Place, policy: Policy) -> None:
    """A model fitted on a language model's answers says nothing of those of rules, and allows none of them."""
    place.keep(lenient(policy, arms=("web:openai:m",)))
    _, found = place.audit("--risk", "lenient")
    assert [(r.route, r.risk) for r in found] == [(Route.REVIEW, None)] * 3
    assert "was fitted on answers of web:openai:m, not of rules" in found[0].route_reasons[-1]


def test_a_run_is_watched_and_reviewed(place: Place, policy: Policy) -> None:
    """run.json and report say which features have moved. Accepted records are drawn into a label file; filled in, it is watched: the alarm
    stands in run.json and the report, and the exit code is 3."""
    write_world(place.folder, 33)
    place.keep(
        lenient(policy, baseline=(baseline("confidence", [0.1 + k / 1000 for k in range(100)]), baseline("market=XLON", [0.0] * 100)))
    )
    place.audit("--risk", "lenient")
    run = place.folder / "out"
    assert _alarms(run) == ["confidence is distributed otherwise than in the labelled records"]
    assert "chart-drift-t" in (run / "report.html").read_text("utf-8")
    assert "chart-reviewed-error-t" not in (run / "report.html").read_text("utf-8")
    ran = place.s2r("risk", "sample", str(run), "--n", "30", "--seed", "4")
    assert ran.code == 0, ran.err
    assert place.s2r("risk", "sample", str(run)).code == 2  # it may hold reviews
    path = run / "audit_sample.csv"
    watch = ("risk", "watch", str(run), "--reviewed", str(path), "--policies", str(place.policies))
    assert "holds no label" in place.s2r(*watch).err
    with path.open(encoding="utf-8-sig", newline="") as fh:
        rows = list(csv.DictReader(fh))
    assert len(rows) == 30
    for k, row in enumerate(rows[:28]):
        truly = "no" if k < 12 and row["answer"] == "yes" else row["answer"]
        told = (row["answer_date"], row["answer_reason"]) if truly == "yes" else ("", "")
        row |= {"status": truly, "announcement_date": told[0], "reason": told[1]}
    with path.open("w", encoding="utf-8", newline="") as fh:
        writer = csv.DictWriter(fh, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    ran = place.s2r(*watch)
    assert ran.code == 3, ran.err
    assert "28 reviewed" in ran.out
    assert [line.split(" of ")[0].rsplit(" ", 1)[0] for line in _alarms(run)[1:]] == ["Among accepted records", "Among accepted yes"]
    html = (run / "report.html").read_text("utf-8")
    assert 'class="notice bad alarm">Among accepted yes' in html
    assert "chart-reviewed-error-t" in html


def _alarms(run: Path) -> list[str]:
    """The alarms of run.json, without their figures."""
    alarms = json.loads((run / "run.json").read_text("utf-8"))["monitoring"]["alarms"]
    return [alarm["sentence"].split(" (")[0] for alarm in alarms]


@pytest.mark.slow
def test_risk_is_a_reason_to_climb_the_ladder(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """A model's first answer that the risk model does not allow gets the code high_risk, and the steps that ask for it are taken."""
    from speakers import honest
    from test_models_run import Site

    from s2r.testing.models import ModelWorld

    with ModelWorld() as service:
        service.speak("openai", honest)
        at = Site(tmp_path, policy, Path(shutil.copytree(policies, tmp_path / "policies")), service, 1)
        at.audit()
        plain = at.records()[0]
        assert plain.adjudication is not None
        assert "high_risk" not in plain.adjudication.codes
        strict = lenient(
            policy,
            arms=(f"{plain.adjudicator}:{plain.model}",),
            fits=(Fit(target=Target.JOINT_WITHIN_7, intercept=3.0, coefficients=(-0.1, 0.0), records=9, wrong=3),),
        )
        (at.policies / "risk").mkdir()
        (at.policies / "risk" / "strict.json").write_text(strict.model_dump_json(), "utf-8")
        (at.policies / "risk" / "use.toml").write_text('delisting = "strict"\n', "utf-8")
        at.audit()
        record = at.records()[0]
    assert record.adjudication is not None
    assert "high_risk" in record.adjudication.codes
    assert {"verifier", "escalation"} <= {rung.step for rung in record.adjudication.rungs if "high_risk" in rung.because}
    assert record.route is Route.REVIEW
    assert "does not allow" in " ".join(record.route_reasons)

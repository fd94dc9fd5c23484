"""Risk models: what may be a feature, when a record is wrong, what a model says of a record, and when it is refused."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from risk_world import answers, model_of, record_of

from s2r.errors import ConfigError
from s2r.models import Adjudication, Arm, LaterEvent, Listing, Opinion, Record, Route, Status
from s2r.policy import Policy
from s2r.risk.features import BY_NAME, FEATURES, choose_columns, vector
from s2r.risk.fit import fit, scaling
from s2r.risk.judged import Judged, is_valid, judged
from s2r.risk.load import find_risk_model, read_risk_model
from s2r.risk.model import Fit, RiskModel, check_fits, opinion, probability, standardised
from s2r.risk.sample import draw_accepted
from s2r.risk.targets import Target, Truth, wrong

DAY = dt.date(2021, 5, 6)
REPO = str(Path(__file__).parents[2])


@pytest.fixture(scope="module")
def record(policy: Policy) -> Record:
    """A yes with quotes."""
    return record_of(policy, random.Random(1), "S-1", "Any plc", "XLON", Status.YES, DAY, "voluntary", 1.0)


# ---- what may be a feature ----

GOLD = {"stratum": "A", "status": "yes", "gold_status": "yes", "truth": "yes", "announcement_date": "2021-05-06"}
OUTSIDE: tuple[dict[str, object], ...] = (
    {"row_id": "Z-999"},
    {"run_id": "r123"},
    {"version": "9.9"},
    {"event_type": "renaming"},
    {"policy": "other@2#abc"},
    {"later_event": LaterEvent(date="2025-02-01", exhibit="sha256:0")},
    {"cost_usd": 12.0},
    {"risk": {"status": 0.9}},
)
INSIDE: tuple[dict[str, object], ...] = (
    {"confidence": 0.1},
    {"claims": ()},
    {"findings": ()},
    {"conflicts": ("one", "two")},
    {"error": "failed"},
    {"latency_s": 99.0},
)


def _all(record: Record) -> tuple[float, ...]:
    columns = (*(feature.name for feature in FEATURES), "market=XLON", "market=XNYS", "language=en", "language=ja")
    return vector(judged(record), columns)


@pytest.mark.parametrize("field", [name for name in Listing.model_fields if name not in ("mic", "country", "cutoff")])
def test_nothing_that_names_a_listing_is_a_feature(field: str, record: Record) -> None:
    """Whatever a listing is called or numbered, and whatever columns it carries, its features are the same."""
    value: object = {"extra": GOLD, "row_number": 4711}.get(field, "US0378331005")
    listing = record.listing.model_copy(update={field: value})
    assert listing != record.listing
    assert _all(record.model_copy(update={"listing": listing})) == _all(record)


@pytest.mark.parametrize("changes", OUTSIDE, ids=lambda c: next(iter(c)))
def test_nothing_beside_answer_proof_and_search_is_a_feature(changes: dict[str, object], record: Record) -> None:
    """Ids, run, policy, later events, cost and an earlier estimate do not reach a feature."""
    assert record.model_copy(update=changes) != record
    assert _all(record.model_copy(update=changes)) == _all(record)


@pytest.mark.parametrize("changes", INSIDE, ids=lambda c: next(iter(c)))
def test_answer_proof_and_search_are(changes: dict[str, object], record: Record) -> None:
    """The same comparison does see what is admissible."""
    assert _all(record.model_copy(update=changes)) != _all(record)


def test_market_is_the_one_thing_of_a_listing_that_counts(record: Record) -> None:
    """Another market is another feature vector."""
    listing = record.listing.model_copy(update={"mic": "XNYS"})
    assert _all(record.model_copy(update={"listing": listing})) != _all(record)


def test_the_door_holds_no_name_and_no_truth() -> None:
    """`Judged` has no field for gold, stratum or an identifier, holds no record, and every feature takes it alone."""
    fields = {field.name for field in dataclasses.fields(Judged)}
    assert not fields & {
        "row_id",
        "issuer",
        "security",
        "ticker",
        "isin",
        "lei",
        "cik",
        "extra",
        "listing",
        "record",
        "stratum",
        "gold",
        "truth",
        "later_event",
    }
    assert all("Record" not in str(field.type) and "Listing" not in str(field.type) for field in dataclasses.fields(Judged))
    with pytest.raises(AttributeError):
        FEATURES[0].of(object())  # type: ignore[arg-type]


def test_the_published_seven_are_among_the_features() -> None:
    """Confidence, schema validity, abstention, citations, latency, answer length, searches."""
    published = {feature.name for feature in FEATURES if feature.published}
    assert published == {"confidence", "schema_valid", "abstained", "citations", "latency", "answer_length", "searches"}
    assert len(BY_NAME) == len(FEATURES)


def test_days_after_the_cutoff_are_no_conflict_of_dates(record: Record) -> None:
    """A passage dated after the cutoff tells the stratum, not the risk."""
    later = record.findings[0].model_copy(update={"date": "2025-03-01"})
    earlier = record.findings[0].model_copy(update={"date": "2021-06-15"})
    assert judged(record.model_copy(update={"findings": (*record.findings, later)})).dates == 1
    both = judged(record.model_copy(update={"findings": (*record.findings, earlier)}))
    assert (both.dates, both.date_spread) == (2, 40)


@pytest.mark.parametrize(
    ("changes", "valid"),
    [
        ({}, True),
        ({"announcement_date": None}, False),
        ({"reason": None}, False),
        ({"error": "no answer"}, False),
        ({"status": Status.NO}, False),
        ({"status": Status.NO, "announcement_date": None, "reason": None}, True),
    ],
)
def test_validity_of_an_answer(changes: dict[str, object], valid: bool, record: Record) -> None:
    """A yes has date and reason, a no neither, and an error is no answer."""
    assert is_valid(record.model_copy(update=changes)) is valid


@pytest.mark.parametrize(("state", "attested", "dissent", "valid", "agreement"), [
    ("answered", True, False, True, 1), ("answered", False, True, True, -1), ("answered", False, False, True, 0), ("rejected", False, False, False, 0),
])  # fmt: skip
def test_what_judges_made_of_each_other(state: str, attested: bool, dissent: bool, valid: bool, agreement: int, record: Record) -> None:
    """Agreement of rules and model is a feature; an answer that could not be used is not valid."""
    asked = Adjudication(
        arm=Arm.WEB,
        prompt="p",
        routing="r",
        opinions=(Opinion(judge="adjudicator", state=state),),
        attested=attested,
        dissent=dissent,
        decided_by="adjudicator",
    )
    seen = judged(record.model_copy(update={"adjudication": asked}))
    assert (seen.valid, seen.agreement) == (valid, agreement)


def test_columns_of_markets_with_enough_families() -> None:
    """A market or language gets a column of its own from ten issuer families on; features can be left out."""
    found = answers_of_markets()
    columns = choose_columns([judged(r) for r in found], [r.row_id for r in found], ("latency", "language"))
    assert [c for c in columns if "=" in c] == ["market=XLON"]
    assert "latency" not in columns
    assert not [c for c in choose_columns([judged(r) for r in found], ["one"] * len(found)) if "=" in c]


def answers_of_markets() -> list[Record]:
    """Ten records of London, nine of New York."""
    listing = Listing(row_id="a", issuer="A", mic="XLON", cutoff=DAY)
    base = Record(row_id="a", listing=listing, event_type="delisting", cutoff=DAY, status=Status.NO)
    return [
        base.model_copy(update={"row_id": f"{mic}{k}", "listing": listing.model_copy(update={"mic": mic})})
        for mic, n in (("XLON", 10), ("XNYS", 9))
        for k in range(n)
    ]


# ---- targets ----


@pytest.mark.parametrize(
    ("status", "days_off", "reason", "losses"),
    [
        (Status.YES, 0, "voluntary", ""),
        (Status.YES, 3, "voluntary", "date_exact joint_exact"),
        (Status.YES, -8, "voluntary", "date_exact date_within_7 joint_exact joint_within_7"),
        (Status.YES, 0, "insolvency", "reason joint_exact joint_within_7"),
        (Status.NO, 0, "", "status date_exact date_within_7 reason joint_exact joint_within_7"),
        (Status.ABSTAIN, 0, "", "status date_exact date_within_7 reason joint_exact joint_within_7"),
    ],
)
def test_when_a_record_is_wrong(status: Status, days_off: int, reason: str, losses: str, record: Record) -> None:
    """Each target asks for the answer, and of a true event for what its name says."""
    said = record.model_copy(update={"status": status, "announcement_date": DAY + dt.timedelta(days=days_off), "reason": reason or None})
    truth = Truth(status=Status.YES, announcement_date=DAY, reasons=("merger_acquisition", "voluntary"))
    assert " ".join(target.value for target in Target if wrong(target, said, truth)) == losses


def test_a_right_no_is_right_for_every_target(record: Record) -> None:
    """Where nothing happened only the answer counts."""
    truth = Truth(status=Status.NO)
    assert not any(wrong(target, record.model_copy(update={"status": Status.NO}), truth) for target in Target)
    assert all(wrong(target, record, truth) for target in Target)


# ---- fit and scoring ----


@pytest.mark.slow
def test_fit_finds_what_made_the_outcomes() -> None:
    """Coefficients of simulated outcomes are found again, with and without class weights, and estimates stay probabilities."""
    pytest.importorskip("sklearn", reason="scikit-learn is the extra risk")
    source = random.Random(2)
    rows = [(source.gauss(5, 2), source.gauss(0, 1), 7.0) for _ in range(4000)]
    losses = [source.random() < 1 / (1 + math.exp(3.2 - 0.9 * (a - 5) / 2 + 0.5 * b)) for a, b, _ in rows]
    means, scales = scaling(rows)
    assert scales[2] == 1.0
    for balanced in (False, True):
        found = fit(Target.STATUS, rows, losses, means, scales, balanced=balanced)
        assert found.coefficients[0] == pytest.approx(0.9, abs=0.15)
        assert found.coefficients[1] == pytest.approx(-0.5, abs=0.15)
        assert found.coefficients[2] == pytest.approx(0.0, abs=1e-6)
        total = sum(probability(found, standardised(row, means, scales)) for row in rows)
        assert total / len(rows) == pytest.approx(sum(losses) / len(losses), abs=0.01)


def test_scores_are_those_of_scikit_learn() -> None:
    """The stored coefficients give the same probabilities as the library's own prediction."""
    linear = pytest.importorskip("sklearn.linear_model", reason="scikit-learn is the extra risk")
    source = random.Random(4)
    rows = [(source.gauss(0, 1), source.gauss(0, 1)) for _ in range(300)]
    losses = [source.random() < 1 / (1 + math.exp(1 - a)) for a, _ in rows]
    means, scales = scaling(rows)
    found = fit(Target.STATUS, rows, losses, means, scales)
    scaled = [[(x - m) / s for x, m, s in zip(row, means, scales, strict=True)] for row in rows]
    theirs = linear.LogisticRegression(max_iter=2000, tol=1e-8).fit(scaled, [int(x) for x in losses]).predict_proba(scaled)[:, 1]
    ours = [1 / (1 + math.exp(-found.intercept - sum(w * x for w, x in zip(found.coefficients, row, strict=True)))) for row in scaled]
    assert ours == pytest.approx(list(theirs), abs=1e-6)


def test_a_single_class_cannot_be_fitted() -> None:
    """Records that are all right teach nothing; the error says so."""
    with pytest.raises(ConfigError, match="all 3 records of the training part are right"):
        fit(Target.STATUS, [(1.0,), (2.0,), (3.0,)], [False] * 3, (0.0,), (1.0,))


@pytest.mark.slow
def test_scoring_needs_no_numeric_library(tmp_path: Path, policy: Policy, record: Record) -> None:
    """Where scikit-learn, scipy and numpy cannot be imported, a record gets the same opinion."""
    (tmp_path / "model.json").write_text(model_of(policy).model_dump_json(), "utf-8")
    (tmp_path / "record.json").write_text(record.model_dump_json(), "utf-8")
    code = (
        "import sys; sys.modules |= dict.fromkeys(('numpy', 'scipy', 'sklearn')); from pathlib import Path; import s2r.pipeline.run;"
        "from s2r.models import Record; from s2r.risk.model import opinion; from s2r.risk.load import read_risk_model;"
        "print(opinion(read_risk_model(Path('model.json')), Record.model_validate_json(Path('record.json').read_text('utf-8'))).sentence)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": REPO})
    assert done.stdout.strip() == opinion(model_of(policy), record).sentence, done.stderr


# ---- what a model says ----


def test_opinion_by_hand(policy: Policy, record: Record) -> None:
    """The estimate is the logistic of the standardised sum, and the sentence names estimate, limit, group and basis."""
    said = opinion(model_of(policy), record.model_copy(update={"confidence": 0.75}))
    expected = 1 / (1 + math.exp(-(-1.0 - 2.0 * 1.0 + 0.5 * 1.0)))
    assert said.risks == {"joint_within_7": pytest.approx(expected, abs=1e-6)}
    assert said.within
    assert said.sentence == (
        "The risk that its answer, date (by more than 7 days) or reason is wrong is estimated at 7.6%, within the limit of 20.0% for answers yes "
        "(at most 5% of them wrong, certified at 95.0% on 88 accepted)."
    )


CASES: tuple[tuple[dict[str, object], bool, str], ...] = (
    ({"confidence": 0.3}, False, "above the limit of 20.0%"),
    ({"status": Status.NO, "announcement_date": None, "reason": None}, False, "nothing could be certified for answers no"),
    ({"status": Status.ABSTAIN, "announcement_date": None, "reason": None}, False, ""),
    ({"reason": None}, False, ""),
    ({"error": "x"}, False, ""),
    ({"adjudicator": "web", "model": "openai:m"}, False, "was fitted on answers of synthetic, not of web:openai:m"),
)


@pytest.mark.parametrize(("changes", "within", "told"), CASES)
def test_what_is_never_within(changes: dict[str, object], within: bool, told: str, policy: Policy, record: Record) -> None:
    """Too risky, refused for its group, an abstention, an invalid answer, a failed row, another adjudicator: none may be accepted."""
    sure = record.model_copy(update={"confidence": 0.99} | changes)
    said = opinion(model_of(policy), sure)
    assert said.within is within
    assert told in said.sentence
    assert (said.risks is None) is ("adjudicator" in changes)


def test_no_record_is_taken_for_more_extreme_than_what_was_seen(policy: Policy, record: Record) -> None:
    """Beyond four standard deviations the estimate no longer moves."""
    model = model_of(
        policy,
        columns=("latency",),
        means=(0.0,),
        scales=(0.1,),
        fits=(Fit(target=Target.JOINT_WITHIN_7, intercept=0.0, coefficients=(1.0,), records=1, wrong=1),),
    )
    risks = [opinion(model, record.model_copy(update={"latency_s": s})).risks for s in (3.0, 1e9)]
    assert risks[0] == risks[1] == {"joint_within_7": pytest.approx(1 / (1 + math.exp(-4)), abs=1e-6)}


def test_markets_have_thresholds_of_their_own(policy: Policy, record: Record) -> None:
    """A record takes the threshold of its market, else the one for all others."""
    base = model_of(policy).choices[0]
    limits = {"yes/XLON": 0.01, "no/XLON": None, "yes/*": 0.9, "no/*": None}
    choices = tuple(base.model_copy(update={"group": group, "threshold": t}) for group, t in limits.items())
    model = model_of(policy, groups=tuple(limits), choices=choices)
    elsewhere = record.model_copy(update={"listing": record.listing.model_copy(update={"mic": "XPAR"})})
    assert not opinion(model, record).within
    assert "at XLON" in opinion(model, record).sentence
    assert opinion(model, elsewhere).within
    assert "in other markets" in opinion(model, elsewhere).sentence


# ---- files ----


def _saved(folder: Path, model: RiskModel, **changes: object) -> Path:
    path = folder / "risk" / f"{model.name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(json.loads(model.model_dump_json()) | changes), "utf-8")
    return path


def test_a_model_survives_its_file(tmp_path: Path, policy: Policy, record: Record) -> None:
    """Written and read again it is the same model with the same digest; a flag, a path and use.toml find it, none turns it off."""
    model = model_of(policy)
    path = _saved(tmp_path, model)
    assert find_risk_model("", tmp_path, policy) is None
    assert read_risk_model(path) == model
    assert read_risk_model(path).model_id == model.model_id
    assert find_risk_model("small", tmp_path, policy) == find_risk_model(str(path), tmp_path, policy) == model
    (tmp_path / "risk" / "use.toml").write_text('delisting = "small"\nrenaming = "other"\n', "utf-8")
    assert find_risk_model("", tmp_path, policy) == model
    assert find_risk_model("none", tmp_path, policy) is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"policy": "delisting@0#000000000000"}, "was fitted under the policy delisting@0#000000000000"),
        ({"feature_set": "0123456789ab"}, "feature set 0123456789ab"),
        ({"columns": ["confidence", "moon=full"]}, "column moon=full"),
        ({"event_type": "renaming"}, "is for renaming"),
        ({"format": 2}, "is no risk model: format"),
        ({"means": [0.5]}, "differ in number"),
        ({"groups": ["yes"]}, "groups and their choices differ"),
        ({"fits": []}, "no fit of the target"),
        ({"surprise": 1}, "is no risk model: surprise"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(changes: dict[str, object], told: str, tmp_path: Path, policy: Policy) -> None:
    """Another policy, feature set, event type, format, or a damaged file: the error says which, and what to do."""
    _saved(tmp_path, model_of(policy), **changes)
    with pytest.raises(ConfigError, match=told) as caught:
        find_risk_model("small", tmp_path, policy)
    assert caught.value.advice


def test_a_model_that_is_not_there_is_named(tmp_path: Path, policy: Policy) -> None:
    """The error lists what there is; a use.toml that is no table of names is a fault, too."""
    _saved(tmp_path, model_of(policy))
    with pytest.raises(ConfigError, match=r"there is no such risk model.*small"):
        find_risk_model("big", tmp_path, policy)
    (tmp_path / "risk" / "use.toml").write_text("delisting = 3\n", "utf-8")
    with pytest.raises(ConfigError, match="is not the name of a model"):
        find_risk_model("", tmp_path, policy)


def test_check_accepts_its_own_policy(policy: Policy) -> None:
    """The model of this policy passes."""
    check_fits(model_of(policy), policy.policy_id, "delisting")


# ---- sample of accepted records ----


def test_sample_is_stratified_seeded_and_weighted(policy: Policy) -> None:
    """Every answer and market is in it, the weights add up to all accepted records, and only the seed changes it."""
    records = [
        a.record.model_copy(update={"route": Route.ACCEPT if k % 3 else Route.REVIEW}) for k, a in enumerate(answers(policy, 400, 3))
    ]
    drawn = draw_accepted(records, 40, seed=1)
    accepted = [r for r in records if r.route is Route.ACCEPT]
    strata = {f"{r.status.value}/{r.listing.mic}" for r in accepted}
    assert len(drawn) == 40
    assert {item.stratum for item in drawn} == strata
    assert sum(item.weight for item in drawn) == pytest.approx(len(accepted))
    again = draw_accepted(records[::-1], 40, seed=1)
    assert {item.record.row_id for item in again} == {item.record.row_id for item in drawn}
    assert {item.record.row_id for item in draw_accepted(records, 40, seed=2)} != {item.record.row_id for item in drawn}
    assert len(draw_accepted(records, 10_000, seed=1)) == len(accepted)
    assert len(draw_accepted(records, 3, seed=1)) == 3

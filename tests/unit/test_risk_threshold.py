"""Selective acceptance: exact limits, the two ways to choose a threshold, families, groups, recall, and the target mix."""

from __future__ import annotations

import dataclasses
import random

import pytest

from s2r.errors import ConfigError
from s2r.risk.exact import binomial_cdf, exact_interval, least_n, most_wrong, upper_limit
from s2r.risk.measure import measure, reliability, risk_coverage
from s2r.risk.mix import Cell, cells_of, deployed_error, effective_n, weights
from s2r.risk.threshold import Case, Promise, accepted, certified, empirical, thinned

GRID = [k / 50 for k in range(1, 51)]
stats = pytest.importorskip("scipy.stats", reason="scipy comes with the extra risk")


@pytest.mark.parametrize("n", [1, 7, 45, 200, 2000, 60_000])
@pytest.mark.parametrize("p", [0.001, 0.05, 0.3, 0.95])
def test_binomial_tail_is_that_of_scipy(n: int, p: float) -> None:
    """The tail agrees with scipy to nine digits, for few and for many cases."""
    for k in {0, 1, n // 20, int(n * p), n // 2, n - 1, n}:
        assert binomial_cdf(k, n, p) == pytest.approx(stats.binom.cdf(k, n, p), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize(("wrong", "n"), [(0, 1), (0, 45), (1, 77), (3, 60), (12, 400), (59, 60), (60, 60)])
def test_limits_are_clopper_pearson(wrong: int, n: int) -> None:
    """Upper limit and interval are the beta quantiles that define them."""
    assert upper_limit(wrong, n, 0.9) == pytest.approx(stats.beta.ppf(0.9, wrong + 1, n - wrong) if wrong < n else 1.0)
    low, high = exact_interval(wrong, n)
    assert low == pytest.approx(stats.beta.ppf(0.025, wrong, n - wrong + 1) if wrong else 0.0, abs=1e-9)
    assert high == pytest.approx(stats.beta.ppf(0.975, wrong + 1, n - wrong) if wrong < n else 1.0)


def test_the_least_that_certifies() -> None:
    """Five per cent at 90% need 45 without a wrong one and 77 with one; a test passes exactly when the upper limit is within the target."""
    assert [least_n(0.05, 0.1, wrong) for wrong in range(3)] == [45, 77, 105]
    for n in range(1, 300):
        most = most_wrong(n, 0.05, 0.1)
        assert most < 0 or upper_limit(most, n, 0.9) <= 0.05
        assert upper_limit(most + 1, n, 0.9) > 0.05


def _cases(outcomes: str, group: str = "", **fields: object) -> list[Case]:
    """Cases of rising risk: "." right, "x" wrong."""
    step = 1.0 / (len(outcomes) + 1)
    return [dataclasses.replace(Case((k + 1) * step, mark == "x", group), **fields) for k, mark in enumerate(outcomes)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcomes", "taken", "wrong"),
    [
        ("." * 45, 45, 0),
        ("." * 44, 0, 0),  # one too few
        ("." * 10 + "x" + "." * 80, 0, 0),  # the first test fails and ends the sequence
        ("x" + "." * 60, 0, 0),  # too few cases to bear one
        ("." * 100 + "xxxxx" + "." * 20, 101, 1),
        ("x" * 60, 0, 0),
    ],
)
def test_certified_set(outcomes: str, taken: int, wrong: int) -> None:
    """The certified set is the largest before the first test that fails, and it keeps its exact limit."""
    cases = _cases(outcomes)
    choice = certified(cases, Promise(tolerated=0), [case.risk for case in cases])[0]
    assert (choice.families if choice.threshold is not None else 0, choice.wrong if choice.threshold is not None else 0) == (taken, wrong)
    if choice.threshold is None:
        assert choice.why.startswith("Nothing can be certified")
        assert "45" in choice.why
        assert accepted(cases, {"": choice}) == []
    else:
        assert choice.limit <= 0.05
        assert len(accepted(cases, {"": choice})) == taken


def test_one_early_mistake_does_not_end_the_sequence() -> None:
    """With enough cases the first set that is tested can bear one wrong record."""
    cases = _cases("x" + "." * 299)
    grid = [case.risk for case in cases]
    assert certified(cases, Promise(tolerated=0), grid)[0].threshold is None
    assert certified(cases, Promise(tolerated=1), grid)[0].families == 300


def test_empirical_set_is_the_largest_within_the_target_and_promises_nothing() -> None:
    """The published rule takes the largest set whose own error is within the target, also behind a worse one; ties stay together."""
    cases = _cases("." * 10 + "x" + "." * 9 + "x" * 5)
    choice = empirical(cases, Promise())[0]
    assert (choice.records, choice.wrong, choice.confidence) == (20, 1, 0.0)
    assert choice.limit > 0.05
    tied = [*cases[:20], Case(cases[19].risk, True), Case(cases[19].risk, True)]
    assert empirical(tied, Promise())[0].records == 10


def test_a_family_counts_once_and_is_wrong_when_any_of_it_is() -> None:
    """Forty-five records of nine issuers certify nothing; forty-five issuers do, and one wrong record makes its issuer wrong."""
    grid = GRID
    nine = [Case(0.1, False, family=f"f{k % 9}") for k in range(45)]
    assert certified(nine, Promise(), grid)[0].threshold is None
    many = [Case(0.1, False, family=f"f{k % 45}") for k in range(450)]
    choice = certified(many, Promise(), grid)[0]
    assert (choice.records, choice.families, choice.wrong) == (450, 45, 0)
    spoilt = [*many, Case(0.1, True, family="f3"), Case(0.1, True, family="f3")]
    assert certified(spoilt, Promise(), grid)[0].threshold is None
    assert certified(spoilt, Promise(), grid)[0].wrong == 1


def test_groups_are_certified_apart_and_share_the_doubt() -> None:
    """Noes are certified although yeses are not; each group has half of the doubt, so 45 clean cases are not enough for two groups."""
    noes, yeses = _cases("." * 200, "no"), _cases("x." * 60, "yes")
    found = {choice.group: choice for choice in certified([*noes, *yeses], Promise(), GRID, ("no", "yes"))}
    assert found["no"].threshold is not None
    assert found["yes"].threshold is None
    assert found["no"].confidence == pytest.approx(0.95)
    assert certified(_cases("." * 45, "no"), Promise(), GRID, ("no", "yes"))[0].threshold is None
    assert certified(_cases("." * 59, "no"), Promise(), GRID, ("no", "yes"))[0].threshold is not None


def test_what_is_not_eligible_is_neither_counted_nor_accepted() -> None:
    """A record that the routing table would not accept takes no part, however low its risk."""
    cases = [*_cases("." * 60), *_cases("x" * 60, eligible=False)]
    choice = certified(cases, Promise(), GRID)[0]
    assert (choice.records, choice.wrong) == (60, 0)
    assert all(case.eligible for case in accepted(cases, {"": choice}))


@pytest.mark.parametrize(("recall", "lost", "lost_observed"), [(None, 3, 3), (0.9, 3, 3), (0.98, 0, 2), (0.99, 0, 1)])
def test_recall_bounds_the_events_that_accepted_noes_lose(recall: float | None, lost: int, lost_observed: int) -> None:
    """A stricter recall of true events accepts fewer noes; a yes that is wrong in its date loses no event."""
    missed = (150, 250, 260)
    noes = [Case(0.01 * (k // 10), k in missed, "no", positive=k in missed) for k in range(300)]
    cases = [*noes, *(Case(0.5, k % 2 == 0, "yes", positive=True) for k in range(100))]
    promise, groups = Promise(recall=recall), ("no", "yes")
    sure = {choice.group: choice for choice in certified(cases, promise, GRID, groups)}
    seen = {choice.group: choice for choice in empirical(cases, promise, groups)}
    assert measure(cases, sure).recall.hits == 103 - lost
    assert measure(cases, seen).recall.hits == 103 - lost_observed


def test_a_recall_that_too_few_events_can_prove_is_refused() -> None:
    """A hundred events, none lost, do not certify a recall of 99%; the refusal says how many it takes."""
    cases = [*_cases("." * 300, "no"), *_cases("." * 100, "yes", positive=True)]
    no, yes = certified(cases, Promise(recall=0.99), GRID, ("no", "yes"))
    assert no.threshold is None
    assert "100 true events are too few to certify a recall of 99%, which takes 299" in no.why
    assert yes.threshold is not None


def test_measures_of_accepted_records() -> None:
    """Errors, ready yield and review load are counted by hand, for positives apart."""
    chosen = {c.group: c for c in empirical([*_cases("." * 30, "no"), *_cases("." * 20, "yes", positive=True)], Promise(), ("no", "yes"))}
    cases = [
        *(Case(0.1, False, "no") for _ in range(8)),
        *(Case(0.1, True, "no", positive=True) for _ in range(2)),
        *(Case(0.1, False, "yes", positive=True) for _ in range(3)),
        Case(0.1, True, "yes", positive=True),
        Case(0.99, False, "yes", positive=True),
        Case(0.1, True, "yes", eligible=False),
    ]
    found = measure(cases, chosen)
    pairs = {name: (count.hits, count.n) for name in type(found).model_fields if hasattr(count := getattr(found, name), "hits")}
    assert pairs == {
        "eligible": (15, 16), "accepted_error": (3, 14), "accepted_yes_error": (1, 4), "accepted_no_error": (2, 10), "ready": (11, 16), "positives_ready": (3, 7),
        "review": (2, 16), "recall": (5, 7), "base_rate": (4, 16),
    }  # fmt: skip
    assert str(found.accepted_yes_error).startswith("25.0% [0.6%, 80.6%] n = 4")


def test_curves_keep_ties_together() -> None:
    """Records of one estimate are accepted together and lie in one bin of the reliability diagram."""
    cases = [Case(0.2, False), Case(0.2, True), Case(0.2, False), Case(0.8, True)]
    assert risk_coverage(cases) == [(0.75, 1 / 3), (1.0, 0.5)]
    assert [(b.estimate, b.wrong.hits, b.wrong.n) for b in reliability(cases, 4)] == [(pytest.approx(0.2), 1, 3), (0.8, 1, 1)]
    assert sum(b.wrong.n for b in reliability([Case(k / 997, False) for k in range(997)])) == 997


def test_weights_bring_the_benchmark_to_the_mix() -> None:
    """Weights are shares in the mix over shares in the benchmark; the effective sample size falls with their spread."""
    found = weights({"A": 400, "B": 400, "C": 400}, {"A": 0.01, "B": 0.01, "C": 0.98})
    assert found == {"A": pytest.approx(0.03), "B": pytest.approx(0.03), "C": pytest.approx(2.94)}
    spread = [found[s] for s in "ABC" for _ in range(400)]
    assert sum(spread) == pytest.approx(1200)
    assert effective_n(spread) == pytest.approx(1200**2 / (400 * (2 * 0.03**2 + 2.94**2)))
    assert effective_n([2.0] * 7) == pytest.approx(7)


@pytest.mark.parametrize(
    ("mix", "told"),
    [
        ({"A": 0.5, "D": 0.5}, "no labelled record is of stratum D"),
        ({"A": 1.0}, "no share for stratum B"),
        ({"A": -1.0, "B": 2.0}, "positive"),
        ({}, "positive"),
    ],
)
def test_a_mix_that_does_not_fit_the_labels_is_refused(mix: dict[str, float], told: str) -> None:
    """A stratum that one side lacks is named."""
    with pytest.raises(ConfigError, match=told):
        weights({"A": 10, "B": 10}, mix)


def test_thinned_cases_follow_the_mix() -> None:
    """Thinning keeps the heaviest stratum whole and the others in proportion, the same each time."""
    cases = [Case(0.1, False, family=f"{s}{k}", weight=w) for s, w in (("A", 0.03), ("C", 2.94)) for k in range(2000)]
    kept = thinned(cases, 5)
    assert kept == thinned(cases, 5)
    assert sum(case.family.startswith("C") for case in kept) == 2000
    assert 5 <= sum(case.family.startswith("A") for case in kept) <= 40


def test_deployed_error_of_known_cells() -> None:
    """With large cells the estimate is the mixed ratio by hand, and its interval closes around it; a stratum that has no error keeps a width."""
    cells = {"A": Cell(2000, 2000, 0), "C": Cell(0, 4000, 4000)}
    found = deployed_error(cells, {"A": 0.1, "C": 0.9}, seed=1)
    assert found.value == pytest.approx(0.05 / 0.55)
    assert found.low < 0.05 / 0.55 < found.high < 0.1
    none = deployed_error({"C": Cell(0, 100, 0)}, {"C": 1.0}, seed=1)
    assert (none.value, none.low) == (0.0, 0.0)
    assert 0.005 < none.high < 0.06
    assert cells_of("AAC", [True, False, True], [True, True, False]) == {"A": Cell(1, 0, 1), "C": Cell(0, 1, 0)}


def test_order_of_the_cases_changes_nothing() -> None:
    """Both methods give the same thresholds for the same cases in any order."""
    draw = random.Random(4)
    cases = [Case(round(draw.random(), 2), draw.random() < 0.1, family=f"f{k % 70}") for k in range(200)]
    mixed = draw.sample(cases, len(cases))
    assert certified(cases, Promise(error=0.3), GRID) == certified(mixed, Promise(error=0.3), GRID)
    assert empirical(cases, Promise()) == empirical(mixed, Promise())

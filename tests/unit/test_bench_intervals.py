"""Intervals and tests of the benchmark against tables, exact sums and what they must never do."""

from __future__ import annotations

from math import comb

import pytest

from s2r.evaluate.harness.decision import macro_f1_of
from s2r.evaluate.harness.intervals import bootstrap, mcnemar, median, paired_difference, percentiles, posterior


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (1, 9, 0.021484375), (0, 6, 0.03125), (10, 2, 0.03857421875), (4, 1, 0.375)],
)
def test_mcnemar_is_the_exact_binomial(first: int, second: int, p: float) -> None:
    """The p value is twice the tail of a fair coin, at most 1, the same in both directions."""
    assert mcnemar(first, second) == pytest.approx(p)
    assert mcnemar(second, first) == pytest.approx(p)


@pytest.mark.parametrize(("n", "low", "high"), [(6, 1, 6), (8, 1, 8), (10, 2, 9), (15, 4, 12), (20, 6, 15), (25, 8, 18), (50, 18, 33)])
def test_median_interval_is_that_of_the_tables(n: int, low: int, high: int) -> None:
    """The ranks are those of tables of 95% intervals for a median (Conover)."""
    assert median([float(k) for k in range(1, n + 1)]) == ((n + 1) / 2, float(low), float(high))


def test_paired_difference_covers_what_it_should() -> None:
    """Summed over all samples of 40 pairs, the interval holds the true difference about 95 times of 100."""
    n, both, first, second = 40, 0.45, 0.1, 0.25
    covered = weight = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            for a in range(n + 1 - b - c):
                p = comb(n, b) * comb(n - b, c) * comb(n - b - c, a) * first**b * second**c * both**a * 0.2 ** (n - a - b - c)
                if p > 1e-9:
                    _, low, high = paired_difference(a, b, c, n - a - b - c)
                    covered += p * (low <= second - first <= high)
                    weight += p
    assert weight > 0.9999
    assert 0.93 < covered < 0.975


def test_paired_difference_turns_with_its_arms() -> None:
    """Exchanging the arms turns the sign; pairs that always agree have a difference of none, but not an interval of no width."""
    delta, low, high = paired_difference(20, 4, 11, 5)
    turned, turned_low, turned_high = paired_difference(20, 11, 4, 5)
    assert (delta, low, high) == pytest.approx((-turned, -turned_high, -turned_low))
    assert low < delta < high
    delta, low, high = paired_difference(30, 0, 0, 0)
    assert delta == 0
    assert low < 0 < high


def test_posterior_has_width_where_nothing_went_wrong() -> None:
    """Macro-F1 of a sample without a fault has an interval below 1, which is narrower the more records there are."""
    space = [[("yes", said) for said in ("yes", "no")], [("no", said) for said in ("yes", "no")]]
    lows = []
    for n in (20, 200):
        limits = posterior([{("yes", "yes"): n}, {("no", "no"): n}], space, macro_f1_of)
        assert limits
        lows.append(limits[0])
    assert 0.85 < lows[0] < lows[1] < 1


def test_bootstrap_draws_within_strata_and_repeats_itself() -> None:
    """What is the same in all items of a stratum does not vary; the same items give the same sums."""
    strata = [[(1.0, 0.0)] * 30, [(0.0, float(k % 2)) for k in range(40)]]
    drawn = bootstrap(strata, draws=200)
    assert {first for first, _ in drawn} == {30.0}
    assert percentiles(first for first, _ in drawn) is None
    low, high = percentiles(second for _, second in drawn) or (0.0, 0.0)
    assert 12 <= low < 20 < high <= 28
    assert drawn == bootstrap(strata, draws=200)
    assert bootstrap([[], []]) == []


def test_macro_f1_is_that_of_its_definition() -> None:
    """Mean of both F1; an abstention is missed by both classes; a class that is not there does not count."""
    cells = {("yes", "yes"): 8, ("yes", "no"): 2, ("no", "no"): 9, ("no", "yes"): 1, ("no", "abstain"): 2}
    assert macro_f1_of(cells) == pytest.approx((2 * 8 / (10 + 9) + 2 * 9 / (12 + 11)) / 2)
    assert macro_f1_of({("yes", "yes"): 3}) == 1.0
    assert macro_f1_of({}) is None

"""Exact binomial tests and limits (Clopper and Pearson 1934), without a numeric library: a run needs them, too."""

from __future__ import annotations

import math
from functools import lru_cache

_HALVINGS = 60


def binomial_cdf(k: int, n: int, p: float) -> float:
    """P(X <= k) of X ~ Bin(n, p), summed from the term at `k` towards the nearer tail."""
    if k < 0:
        return 0.0
    if k >= n or p <= 0.0:
        return 1.0
    if p >= 1.0:
        return 0.0
    if k > n * p:
        return 1.0 - binomial_cdf(n - k - 1, n, 1.0 - p)
    term = math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p))
    total, odds = term, (1.0 - p) / p
    for i in range(k, 0, -1):
        term *= i / (n - i + 1) * odds
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, total)


@lru_cache(maxsize=200_000)
def most_wrong(n: int, error: float, doubt: float) -> int:
    """The most wrong ones among `n` with which an error of at least `error` is refuted at level `doubt`; -1 when none would do."""
    low, high = -1, n
    while high - low > 1:
        middle = (low + high) // 2
        if binomial_cdf(middle, n, error) <= doubt:
            low = middle
        else:
            high = middle
    return low


def least_n(error: float, doubt: float, wrong: int = 0) -> int:
    """The least number of cases with which `error` can be certified at level `doubt` although `wrong` of them are wrong."""
    n = max(1, wrong)
    while most_wrong(n, error, doubt) < wrong:
        n += 1
    return n


@lru_cache(maxsize=4096)
def upper_limit(wrong: int, n: int, confidence: float) -> float:
    """One-sided exact upper limit of a share of which `wrong` of `n` were seen; 1 without cases."""
    if n == 0 or wrong >= n:
        return 1.0
    low, high = wrong / n, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if binomial_cdf(wrong, n, middle) > 1.0 - confidence:
            low = middle
        else:
            high = middle
    return high


def exact_interval(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Two-sided exact (Clopper-Pearson) interval of a share; (0, 1) without cases."""
    if n == 0:
        return 0.0, 1.0
    side = (1.0 + confidence) / 2
    return 1.0 - upper_limit(n - hits, n, side), upper_limit(hits, n, side)

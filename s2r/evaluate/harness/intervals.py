"""Intervals and tests that the views need, without a numeric library: exact McNemar, Newcombe's paired difference, bootstrap."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from s2r.evaluate.score import wilson

K = TypeVar("K", bound=Hashable)
Limits = tuple[float, float] | None

DRAWS = 1000
LEAST_DRAWS = 200
_WORK = 20_000_000  # items drawn in all; large sets need fewer draws for a stable interval
_SEED = 20_261_130


def mcnemar(first_only: int, second_only: int) -> float:
    """Two-sided exact p of McNemar's test (1947): the discordant pairs fall either way by the toss of a coin."""
    n, low = first_only + second_only, min(first_only, second_only)
    if n == 0:
        return 1.0
    logs = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2) for k in range(low + 1)]
    return min(1.0, 2.0 * math.fsum(math.exp(x) for x in logs))


def paired_difference(both: int, first_only: int, second_only: int, neither: int) -> tuple[float, float, float]:
    """Second share minus first, with a 95% interval (Newcombe 1998, method 10: Wilson limits, squared and added)."""
    n = both + first_only + second_only + neither
    if n == 0:
        return 0.0, -1.0, 1.0
    first, second = both + first_only, both + second_only
    one, two = first / n, second / n
    low1, high1 = wilson(first, n)
    low2, high2 = wilson(second, n)
    phi = _phi(both, first_only, second_only, neither)
    delta = two - one
    below = (two - low2) ** 2 - 2 * phi * (two - low2) * (high1 - one) + (high1 - one) ** 2
    above = (high2 - two) ** 2 - 2 * phi * (high2 - two) * (one - low1) + (one - low1) ** 2
    return delta, delta - math.sqrt(max(0.0, below)), delta + math.sqrt(max(0.0, above))


def _phi(a: int, b: int, c: int, d: int) -> float:
    """Correlation of the pairs, with Newcombe's continuity correction where it is positive."""
    product = (a + b) * (c + d) * (a + c) * (b + d)
    if product == 0:
        return 0.0
    cross = float(a * d - b * c)
    if cross > 0:
        cross = max(0.0, cross - (a + b + c + d) / 2)
    return cross / math.sqrt(product)


def median(values: Sequence[float]) -> tuple[float, float, float] | None:
    """Median with a 95% interval of order statistics, which assumes no distribution; None without values."""
    if not values:
        return None
    ordered, n = sorted(values), len(values)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    tail = 0.0
    below = 0  # the largest number of values below the interval that chance exceeds in 2.5% of samples
    for k in range(n // 2):
        tail += math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))
        if tail > 0.025:
            break
        below = k + 1
    low = max(0, below - 1)
    return middle, ordered[low], ordered[n - 1 - low]


def bootstrap(strata: Sequence[Sequence[tuple[float, ...]]], *, draws: int = DRAWS, seed: int = _SEED) -> list[tuple[float, ...]]:
    """Sums of each column over items that are drawn again within their stratum, one tuple per draw; [] without items.

    The seed is fixed, so the same records print the same intervals.
    """
    columns = [list(zip(*group, strict=True)) for group in strata if group]
    n = sum(len(group[0]) for group in columns)
    if n == 0:
        return []
    rng = random.Random(seed)  # noqa: S311 - a statistic, not a secret
    found = []
    for _ in range(min(draws, max(LEAST_DRAWS, _WORK // n))):
        sums = [0.0] * len(columns[0])
        for group in columns:
            picked = rng.choices(range(len(group[0])), k=len(group[0]))
            for number, column in enumerate(group):
                sums[number] += sum(map(column.__getitem__, picked))
        found.append(tuple(sums))
    return found


def posterior(
    strata: Sequence[Mapping[K, int]],
    space: Sequence[Sequence[K]],
    statistic: Callable[[Mapping[K, float]], float | None],
    seed: int = _SEED,
) -> Limits:
    """95% interval of a statistic of cell counts whose shares within each stratum are drawn from a Dirichlet posterior.

    The prior is worth one case per stratum (Perks 1947), so that a sample without a fault does not give an interval without width.
    `space` are all cells that each stratum could have.
    """
    rng = random.Random(seed)  # noqa: S311 - a statistic, not a secret
    values = []
    for _ in range(DRAWS):
        cells: dict[K, float] = {}
        for counts, possible in zip(strata, space, strict=True):
            n = sum(counts.values())
            if n:
                drawn = [rng.gammavariate(counts.get(cell, 0) + 1 / len(possible), 1.0) for cell in possible]
                scale = n / sum(drawn)
                for cell, weight in zip(possible, drawn, strict=True):
                    cells[cell] = cells.get(cell, 0.0) + weight * scale
        values.append(statistic(cells))
    return percentiles(values)


def percentiles(values: Iterable[float | None]) -> Limits:
    """The middle 95% of values; None where there is none, or where all are the same."""
    found = sorted(value for value in values if value is not None)
    if not found or found[0] == found[-1]:
        return None
    return found[int(0.025 * (len(found) - 1))], found[math.ceil(0.975 * (len(found) - 1))]

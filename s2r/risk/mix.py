"""Figures of a benchmark as an institution's own mix of strata would give them: w_s = share there / share in the benchmark."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from s2r.errors import ConfigError
from s2r.models import Frozen

_DRAWS = 1000
_PRIOR = 0.5  # Jeffreys


@dataclass(frozen=True, slots=True)
class Cell:
    """Benchmark records of one stratum: accepted and wrong, accepted and right, not accepted."""

    wrong: int
    right: int
    held: int

    @property
    def n(self) -> int:
        """All records of the stratum."""
        return self.wrong + self.right + self.held


class Estimate(Frozen):
    """A share with its interval, the records it rests on and what they are worth after weighting (Kish 1965)."""

    value: float | None
    low: float
    high: float
    n: int
    effective_n: float
    confidence: float = 0.95


def weights(counts: Mapping[str, int], mix: Mapping[str, float]) -> dict[str, float]:
    """Weight of each stratum of the benchmark for the target `mix`, whose shares are brought to a sum of 1; raises ConfigError."""
    total = sum(mix.values())
    if not mix or min(mix.values()) < 0 or total <= 0:
        raise ConfigError("shares of the mix must be positive", subject="mix", advice="As in A=0.01,B=0.01,C=0.98.")
    missing = sorted(name for name, share in mix.items() if share > 0 and not counts.get(name))
    strange = sorted(name for name, count in counts.items() if count and name not in mix)
    if missing or strange:
        names = ", ".join(missing or strange)
        what = "no labelled record is of stratum" if missing else "the mix gives no share for stratum"
        raise ConfigError(f"{what} {names}", subject="mix", advice=f"Strata of the labels: {', '.join(sorted(counts))}.")
    n = sum(counts.values())
    return {name: mix[name] / total / (count / n) for name, count in counts.items() if count}


def effective_n(values: Iterable[float]) -> float:
    """Number of equally weighted records that tell as much as these weights (Kish): (sum w)^2 / sum w^2."""
    kept = [value for value in values if value > 0]
    return sum(kept) ** 2 / sum(value * value for value in kept) if kept else 0.0


def deployed_error(cells: Mapping[str, Cell], mix: Mapping[str, float], *, seed: int, confidence: float = 0.95) -> Estimate:
    """Error among accepted records in the target mix, with an equal-tailed interval.

    Each stratum's shares of accepted-wrong, accepted-right and held records have a Dirichlet posterior (Jeffreys prior), which also
    holds where no error was seen; the interval is that of seeded draws of the mixed ratio.
    """
    total = sum(mix[name] for name in cells)
    share = {name: mix[name] / total for name in cells}
    counted = {name: (cell.wrong / cell.n, (cell.wrong + cell.right) / cell.n) for name, cell in cells.items() if cell.n}
    top = sum(share[name] * wrong for name, (wrong, _) in counted.items())
    bottom = sum(share[name] * taken for name, (_, taken) in counted.items())
    draw = random.Random(seed)  # noqa: S311 - a simulation, not a secret
    drawn = sorted(_draw(cells, share, draw) for _ in range(_DRAWS))
    tail = (1.0 - confidence) / 2
    n = sum(cell.wrong + cell.right for cell in cells.values())
    spread = [share[name] / cell.n for name, cell in cells.items() for _ in range(cell.wrong + cell.right)]
    value = top / bottom if bottom else None
    low, high = drawn[int(tail * _DRAWS)], drawn[min(_DRAWS - 1, int((1.0 - tail) * _DRAWS))]
    return Estimate(
        value=value,
        low=low if value is None else min(low, value),  # the prior keeps draws above 0 where no error was seen
        high=high if value is None else max(high, value),
        n=n,
        effective_n=effective_n(spread),
        confidence=confidence,
    )


def _draw(cells: Mapping[str, Cell], share: Mapping[str, float], draw: random.Random) -> float:
    top = bottom = 0.0
    for name, cell in cells.items():
        parts = [draw.gammavariate(count + _PRIOR, 1.0) for count in (cell.wrong, cell.right, cell.held)]
        whole = sum(parts)
        top += share[name] * parts[0] / whole
        bottom += share[name] * (parts[0] + parts[1]) / whole
    return top / bottom


def cells_of(strata: Sequence[str], taken: Sequence[bool], wrong: Sequence[bool]) -> dict[str, Cell]:
    """Counts by stratum of records that were accepted (`taken`) and are `wrong`."""
    counts: dict[str, list[int]] = {}
    for stratum, was_taken, was_wrong in zip(strata, taken, wrong, strict=True):
        counts.setdefault(stratum, [0, 0, 0])[2 if not was_taken else int(not was_wrong)] += 1
    return {name: Cell(*counts[name]) for name in sorted(counts)}

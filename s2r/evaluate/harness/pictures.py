"""Figures as rows of dots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2r.evaluate.harness.figures import Figure
from s2r.report.plots import Dot, DotRow


def rate_rows(names: Sequence[str], figures: Mapping[str, Mapping[str, Figure]]) -> list[DotRow]:
    """A row per name with one dot per arm; `figures` by arm and name."""
    return [
        DotRow(name, dots(name, {arm: row[name] for arm, row in figures.items() if name in row}, list(figures)), "n = 0") for name in names
    ]


def dots(label: str, figures: Mapping[str, Figure], arms: Sequence[str]) -> tuple[Dot, ...]:
    """One dot per arm that has a value."""
    found = []
    for number, arm in enumerate(arms):
        figure = figures.get(arm)
        if figure is not None and figure.value is not None:
            low = figure.value if figure.low is None else figure.low
            high = figure.value if figure.high is None else figure.high
            found.append(Dot(number, figure.value, low, high, f"{label}, {arm}: {figure}"))
    return tuple(found)

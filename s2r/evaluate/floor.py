"""Pinned floors: what a measure may not fall under, or, for false positives, not rise above."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from s2r.errors import ConfigError
from s2r.evaluate.score import Rate

CEILINGS = frozenset({"b_fepr", "c_fpr", "abstain"})  # the lower the better


def read_floors(path: Path, name: str) -> dict[str, float]:
    """Floors of one set from a JSON file {set: {measure: value}}; raises ConfigError."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return {key: float(value) for key, value in data[name].items()}
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as exc:
        raise ConfigError(f"floors of {name!r} cannot be read: {exc!r}", subject=str(path)) from exc


def broken_floors(found: Mapping[str, Rate], limits: Mapping[str, float]) -> list[str]:
    """A sentence for every measure on the wrong side of its limit; a limit without a measure is broken, too."""
    broken = []
    for key, limit in limits.items():
        value = found[key].value if key in found else None
        if value is None:
            broken.append(f"{key}: no value, limit {limit}")
        elif key in CEILINGS and value > limit + 1e-9:
            broken.append(f"{key}: {value:.3f} is above {limit}")
        elif key not in CEILINGS and value < limit - 1e-9:
            broken.append(f"{key}: {value:.3f} is under {limit}")
    return broken

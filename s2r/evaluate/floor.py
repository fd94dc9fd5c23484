"""Pinned floors: what a measure may not fall under, or, for false positives, not rise above."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from s2r.errors import ConfigError
from s2r.evaluate.score import Rate

CEILINGS = frozenset({"b_fepr", "c_fpr", "abstain", "extra", "trapped"})  # the lower the better
_STEP = 10_000  # floors are kept to four decimals, rounded so that the result itself still passes


def read_floors(path: Path, name: str) -> dict[str, float]:
    """Floors of one set from a JSON file {set: {measure: value}}; raises ConfigError."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return {key: float(value) for key, value in data[name].items()}
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as exc:
        raise ConfigError(f"floors of {name!r} cannot be read: {exc!r}", subject=str(path)) from exc


def pinned_sets(path: Path) -> tuple[str, ...]:
    """Names of all sets in a floor file, () when there is no file; raises ConfigError."""
    if not path.is_file():
        return ()
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as exc:
        raise ConfigError(f"floors cannot be read: {exc!r}", subject=str(path)) from exc
    if not isinstance(data, dict):
        raise ConfigError("floors cannot be read: not a JSON object", subject=str(path))
    return tuple(data)


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


def raised_floors(found: Mapping[str, Rate], limits: Mapping[str, float], *, lower: bool = False) -> dict[str, float]:
    """New floors of a set: the present result where it is better than the old limit or there was none, else the old limit.

    With `lower` the present result is taken as it is.
    """
    new = {} if lower else dict(limits)
    for key, rate in found.items():
        if rate.value is None:
            continue
        if key in CEILINGS:
            value = math.ceil(rate.value * _STEP) / _STEP
            new[key] = min(value, new.get(key, value))
        else:
            value = math.floor(rate.value * _STEP) / _STEP
            new[key] = max(value, new.get(key, value))
    return new

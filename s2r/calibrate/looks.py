"""The log of looks at locked tests, beside the risk models: what a test has shown once must not tune anything, under no name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from s2r.errors import ConfigError
from s2r.risk.model import Look

LOG = "looks.jsonl"


def read_looks(folder: Path, event_type: str) -> tuple[list[Look], dict[str, str]]:
    """All looks of an event type, oldest first, and for each test row ever shown the look that showed it; raises ConfigError."""
    path = folder / LOG
    looks: list[Look] = []
    shown: dict[str, str] = {}
    if not path.is_file():
        return looks, shown
    try:
        for line in path.read_text("utf-8").splitlines():
            entry = json.loads(line)
            if entry["event_type"] != event_type:
                continue
            look = Look.model_validate(entry["look"])
            looks.append(look)
            shown |= {key: f"{look.name}, {look.at[:10]}" for key in entry["rows"] if key not in shown}
    except (OSError, ValueError, KeyError, TypeError) as exc:
        advice = "Restore it from version control: it says which rows are locked."
        raise ConfigError(f"cannot be read: {exc}", subject=str(path), advice=advice) from exc
    return looks, shown


def log_line(event_type: str, look: Look, rows: Sequence[str]) -> str:
    """A line of the log."""
    return json.dumps({"event_type": event_type, "look": look.model_dump(), "rows": sorted(set(rows))}, ensure_ascii=False) + "\n"


def rows_digest(rows: Iterable[str]) -> str:
    """Digest of the rows of a test, by their keys."""
    return hashlib.sha256("\n".join(sorted(set(rows))).encode()).hexdigest()[:16]

"""Keys of the workbench: one small letter or digit per action, given by policies/review.toml or kept by the browser."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fastapi import Request

KEYS_COOKIE = "s2r_keys"
ACTIONS: dict[str, str] = {
    "confirm": "c", "correct": "x", "save_correction": "w", "reject": "r", "cannot_decide": "d", "next_claim": "n", "previous_claim": "p",
    "sentence": "s", "view": "v", "note": "m", "claim": "g", "release": "l", "undo": "u", "queue": "q", "search": "f", "help": "h",
}  # fmt: skip
_PAIR = re.compile(r"([a-z_]+)=([a-z0-9])")


def checked(wanted: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """A key for every action, the given one where none is wanted; and the first action whose key cannot be, "" when all can."""
    keys = ACTIONS | {action: key for action, key in wanted.items() if action in ACTIONS}
    seen: set[str] = set()
    for action, key in keys.items():
        if not re.fullmatch("[a-z0-9]", key) or key in seen:
            return keys, action
        seen.add(key)
    return keys, ""


def given_keys(request: Request) -> dict[str, str]:
    """The keys of the service: those of its policy on top of ours."""
    found = getattr(request.app.state, "keys", None)
    return dict(found) if isinstance(found, dict) else dict(ACTIONS)


def user_keys(request: Request) -> dict[str, str]:
    """The keys of the browser that asks; those of the service where its cookie is missing or cannot be used."""
    given = given_keys(request)
    kept = dict(_PAIR.findall(request.cookies.get(KEYS_COOKIE, "")))
    keys, bad = checked(given | kept)
    return given if bad else keys


def cookie_value(keys: Mapping[str, str], given: Mapping[str, str]) -> str:
    """What is kept of checked keys: those that differ from the given ones."""
    return ".".join(f"{action}={key}" for action, key in keys.items() if given.get(action) != key)

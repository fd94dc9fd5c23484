"""Keys of the workbench: one small letter or digit per action, given by policies/review.toml or kept by the browser."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fastapi import Request

from s2r.policy.review import Keys, load_review
from s2r.web.guard import desk_of

KEYS_COOKIE = "s2r_keys"
ACTIONS: dict[str, str] = Keys().model_dump()
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
    """The keys of the service, as its policy gives them; read once."""
    found = getattr(request.app.state, "keys", None)
    if not isinstance(found, dict):
        found = request.app.state.keys = load_review(desk_of(request).policies).keys.model_dump()
    return dict(found)


def user_keys(request: Request) -> dict[str, str]:
    """The keys of the browser that asks; those of the service where its cookie is missing or cannot be used."""
    given = given_keys(request)
    kept = dict(_PAIR.findall(request.cookies.get(KEYS_COOKIE, "")))
    keys, bad = checked(given | kept)
    return given if bad else keys


def cookie_value(keys: Mapping[str, str], given: Mapping[str, str]) -> str:
    """What is kept of checked keys: those that differ from the given ones."""
    return ".".join(f"{action}={key}" for action, key in keys.items() if given.get(action) != key)

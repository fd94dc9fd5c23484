"""The small protocol between the caller and a wire format: what one request asks, what one answer says, and typed reading of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from s2r.errors import SourceBroken
from s2r.modelapi.profiles import Profile
from s2r.modelapi.types import Citation, ModelState, ModelUsage, WebSearch

_MOST = 10**9  # more tokens than any answer has are no count


class Turn(NamedTuple):
    """One turn of the conversation: `role` is user or assistant; `raw` goes back to the provider as it came, in place of `text`."""

    role: str
    text: str
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Ask:
    """What one request asks. `schema` is sent in the provider's schema mode, None when the prompt alone constrains the form."""

    system: str
    turns: tuple[Turn, ...]
    schema: Mapping[str, Any] | None = None
    as_json: bool = False  # JSON mode without a schema
    search: WebSearch | None = None


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One request in a provider's form; headers hold the key, so they are not shown."""

    path: str
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one answer says. `paused`: the provider wants `raw` sent back as the assistant's turn to go on."""

    state: ModelState
    text: str
    model: str
    usage: ModelUsage
    cause: str = ""
    citations: tuple[Citation, ...] = ()
    queries: tuple[str, ...] = ()
    paused: bool = False
    raw: Any = None


class Wire(NamedTuple):
    """One wire format. `build` makes a request of (ask, profile, key); `read` reads the JSON object of a success, and raises
    `SourceBroken` for what is no answer; `headers` are those that hold a key."""

    name: str
    build: Callable[[Ask, Profile, str], WireRequest]
    read: Callable[[Mapping[str, Any], Profile], Reading]
    headers: Callable[[str], dict[str, str]]


def count(data: Any, *path: str) -> int:
    """The number at a path, 0 when it is missing or no count."""
    found = data
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    good = isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found <= _MOST
    return int(found) if good else 0


def whole(data: Any) -> dict[str, Any]:
    """The JSON object of an answer without halves of surrogate pairs, which no record can hold; `SourceBroken` when it is none."""
    if not isinstance(data, dict):
        raise SourceBroken(f"the answer is a JSON {type(data).__name__}, not an object")
    try:
        found: dict[str, Any] = json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
    except RecursionError as exc:
        raise SourceBroken("the answer is nested too deeply") from exc
    return found


def mapping(data: Any, key: str) -> Mapping[str, Any]:
    """The object at a key, empty when there is none."""
    found = data.get(key) if isinstance(data, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def items(data: Any, key: str) -> list[Mapping[str, Any]]:
    """The objects of the list at a key; whatever else stands there is left out."""
    found = data.get(key) if isinstance(data, Mapping) else None
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def string(data: Any, key: str) -> str:
    """The text at a key, "" when there is none."""
    found = data.get(key) if isinstance(data, Mapping) else None
    return found if isinstance(found, str) else ""


def broken(words: str) -> SourceBroken:
    """The error for a success that is no answer."""
    return SourceBroken(f"the answer is not of the documented form: {words}")


def unique(found: list[Citation]) -> tuple[Citation, ...]:
    """Citations without repeats; of two for one address the one that is cited, else the first."""
    best: dict[str, Citation] = {}
    for one in found:
        if one.url and (one.url not in best or (one.cited and not best[one.url].cited)):
            best[one.url] = one
    return tuple(best.values())


def merged(body: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """`body` with the operator's own parameters laid over it, tables by tables."""
    result = dict(body)
    for key, value in extra.items():
        inner = result.get(key)
        result[key] = merged(inner, value) if isinstance(inner, dict) and isinstance(value, Mapping) else value
    return result

"""What a scripted model hears and says, whatever its wire format, and what all these formats check of a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from s2r.testing.server import Answer, Seen


class Tokens(NamedTuple):
    """Usage of one answer: input in all (cached and written included), output in all (reasoning included)."""

    input: int = 120
    cached: int = 0
    written: int = 0
    output: int = 30
    reasoning: int = 0
    tools: int = 0  # part of the input, for services that tell it apart


USUAL = Tokens()


class Cite(NamedTuple):
    """A page that the search tool names; `cited` by the answer, else only found."""

    url: str
    title: str = ""
    text: str = ""
    cited: bool = True


@dataclass(frozen=True, slots=True)
class Said:
    """What a model says. `kind`: text, refusal, filter (stopped by the service), cut (by the limit of output), pause, failed."""

    text: str = "{}"
    kind: str = "text"
    tokens: Tokens | None = USUAL
    cites: tuple[Cite, ...] = ()
    queries: tuple[str, ...] = ()
    model: str = ""  # as it names itself; "" = as it was asked for
    search_error: str = ""


class Heard(NamedTuple):
    """What a request asks of a model. `form` is the JSON Schema that constrains the answer, None without one."""

    model: str
    system: str
    turns: tuple[tuple[str, str], ...]
    form: Mapping[str, Any] | None
    as_json: bool
    search: bool
    max_output: int


@dataclass(frozen=True, slots=True)
class ModelService:
    """One service: `read` gives what is asked, or the refusal; the rest as for search services."""

    name: str
    host: str
    base: str  # path of the base address
    read: Callable[[Seen, str], Heard | Answer]
    render: Callable[[Heard, Said], Answer]
    error: Callable[[int, str], Answer]
    unserved: Answer
    broken: Answer


def strict_problem(node: Any) -> str:
    """What a strict mode refuses of a schema, "" when it takes it."""
    if isinstance(node, list):
        return next(filter(None, map(strict_problem, node)), "")
    if not isinstance(node, Mapping):
        return ""
    if isinstance(node.get("properties"), Mapping) and "type" in node:
        if node.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be supplied and to be false."
        if sorted(node.get("required", ())) != sorted(node["properties"]):
            return "'required' is required to be supplied and to be an array including every key in properties."
    return next(filter(None, map(strict_problem, node.values())), "")


def turns_of(rows: Any) -> tuple[tuple[str, str], ...] | None:
    """(role, text) of messages that begin with the user and take turns; None when they do not."""
    if not isinstance(rows, list) or not rows or not all(isinstance(row, Mapping) for row in rows):
        return None
    found = tuple((str(row.get("role")), plain(row.get("content"))) for row in rows)
    good = all(text for _, text in found) and [role for role, _ in found] == [("user", "assistant")[at % 2] for at in range(len(found))]
    return found if good else None


def plain(content: Any) -> str:
    """The text of a content, also in parts; blocks without text by their type."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) or f"[{part.get('type')}]" for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def unknown_in(data: Mapping[str, Any], known: str) -> str:
    """Parameters that are not known, in words."""
    return ", ".join(sorted(set(data) - set(known.split())))

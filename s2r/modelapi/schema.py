"""The form of an answer: its JSON Schema as each dialect takes it, the same in words, and the check of what came back; pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

_BOUNDS = frozenset({
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems",
    "uniqueItems", "format",
})  # fmt: skip
_NOTES = frozenset({"title", "default", "examples"})
_FENCE = re.compile(r"\A\s*```(?:json|JSON)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_MAX_PROBLEMS = 8
_LONGEST, _MOST = 300, 4  # characters of a text and parts of a list, where a grammar is what bounds them


class Checked(NamedTuple):
    """What a text is worth as an answer: its JSON in one line, or the problems in words."""

    text: str
    problems: tuple[str, ...]


def plain_schema(form: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a form without titles and defaults; shared, so it must not be changed."""
    return _schema(form, strict=False)


def strict_schema(form: type[BaseModel]) -> dict[str, Any]:
    """The same as strict modes take it: every object closed, every property required, no bounds (they are checked here anyway). Shared, so
    it must not be changed."""
    return _schema(form, strict=True)


@lru_cache(maxsize=16)
def _schema(form: type[BaseModel], *, strict: bool) -> dict[str, Any]:
    """Worked out once for each form: each question asks for it several times."""
    found: dict[str, Any] = _walked(form.model_json_schema(), strict=strict)
    return found


def grammar_schema(form: type[BaseModel], choices: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any]:
    """The same for servers that turn a schema into a grammar, which keeps to lengths but to no bounds of numbers: a number between two
    bounds is one of twenty-one, texts and lists are short, so that a small model comes to an end. `choices` are the only texts that
    properties of these names may have."""
    found: dict[str, Any] = _chosen(_narrowed(strict_schema(form), form.model_json_schema()), choices or {})
    return found


def _chosen(node: Any, choices: Mapping[str, Sequence[str]]) -> Any:
    if isinstance(node, list):
        return [_chosen(one, choices) for one in node]
    if not isinstance(node, Mapping):
        return node
    found = {key: value if key in ("enum", "const", "required") else _chosen(value, choices) for key, value in node.items()}
    for name, property_ in node.get("properties", {}).items():
        if choices.get(name) and property_.get("type") == "string":
            found["properties"][name] = {"type": "string", "enum": list(choices[name])}
    return found


def _narrowed(node: Any, full: Any) -> Any:
    """`node` of the strict schema with the bounds of the same place in the full one, as a grammar takes them."""
    if isinstance(node, list):
        return [_narrowed(one, other) for one, other in zip(node, full, strict=True)]
    if not isinstance(node, Mapping):
        return node
    inner = {key: value if key in ("enum", "const", "required") else _narrowed(value, full.get(key)) for key, value in node.items()}
    if node.get("type") == "number" and "minimum" in full and "maximum" in full:
        low, high = full["minimum"], full["maximum"]
        return {"enum": [round(low + (high - low) * step / 20, 6) for step in range(21)]}
    if node.get("type") == "string" and "enum" not in node:
        inner["maxLength"] = min(full.get("maxLength", _LONGEST), _LONGEST)
    if node.get("type") == "array" and "maxItems" in full:
        inner["maxItems"] = min(full["maxItems"], _MOST)
    return inner


def _walked(node: Any, *, strict: bool, names: bool = False) -> Any:
    """`node` rewritten; `names` says that the keys of this object are names of properties or definitions, not keywords."""
    if isinstance(node, list):
        return [_walked(item, strict=strict) for item in node]
    if not isinstance(node, Mapping):
        return node
    dropped = frozenset() if names else (_NOTES | _BOUNDS if strict else _NOTES)
    inner = {
        key: value if key in ("enum", "const", "required") and not names
        else _walked(value, strict=strict, names=not names and key in ("properties", "$defs"))
        for key, value in node.items() if key not in dropped
    }  # fmt: skip
    if strict and not names and isinstance(inner.get("properties"), dict):
        inner |= {"additionalProperties": False, "required": list(inner["properties"])}
    return inner


def words_of_schema(schema: Mapping[str, Any]) -> str:
    """What is added to the prompt where the provider has no schema mode."""
    return (
        "Answer with one JSON object and nothing else: no words before or after it, no code fence. "
        "It must satisfy this JSON Schema, with every property present:\n" + json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    )


def words_of_repair(problems: tuple[str, ...]) -> str:
    """What is said to a model whose answer was not of the form."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    return f"This answer cannot be used:\n{listed}\nGive the whole answer again as one JSON object of the form asked for, and nothing else."


FORMAT_WORDS = "Now give your answer as one JSON object of the form asked for, and nothing else."


def checked(text: str, form: type[BaseModel]) -> Checked:
    """An answer against its form: no type is guessed or mended. A code fence around the whole is taken off; words around are a fault.

    Line breaks and other control characters may stand in a text as they are, which JSON forbids and grammars of some servers let
    through; those that are no white space become spaces, however they were written.
    """
    body = match.group(1) if (match := _FENCE.match(text)) else text.strip()
    if not body:
        return Checked("", ("the answer is empty",))
    try:
        data = _printable(json.loads(body, object_pairs_hook=_no_repeats, strict=False))
    except (ValueError, RecursionError) as exc:
        return Checked("", (f"it is no JSON: {str(exc)[:200]}",))
    if not isinstance(data, dict):
        return Checked("", (f"it is a JSON {type(data).__name__}, not an object",))
    try:
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        line.encode()
        form.model_validate_json(line, strict=True)
    except ValidationError as exc:
        errors = exc.errors(include_url=False, include_input=False, include_context=False)
        told = [f"{'.'.join(map(str, error['loc'])) or 'the object'}: {error['msg']}" for error in errors[:_MAX_PROBLEMS]]
        return Checked("", (*told, *((f"and {len(errors) - _MAX_PROBLEMS} more",) if len(errors) > _MAX_PROBLEMS else ())))
    except ValueError as exc:  # NaN, or half of a surrogate pair
        return Checked("", (f"it holds what JSON cannot: {str(exc)[:200]}",))
    return Checked(line, ())


def _printable(value: Any) -> Any:
    """The value without control characters in its texts: a terminal or a sheet would act on them."""
    if isinstance(value, str):
        return _CONTROL.sub(" ", value)
    if isinstance(value, list):
        return [_printable(one) for one in value]
    if isinstance(value, dict):
        return {_printable(key): _printable(one) for key, one in value.items()}
    return value


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a property stands twice in one object")
    return found

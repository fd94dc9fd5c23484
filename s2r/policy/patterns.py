"""Checks of lexicon patterns: they compile, have bounded gaps, and can match folded text."""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from s2r.lang.text import fold

# The standard library's own parser of regular expressions: its tree tells exactly what a repeat may match.
_parser: Any = importlib.import_module("re._parser")
_GAP_PROBES = (" ", "a")  # what matches both can run over any words
_KEPT = 20_000  # verdicts on patterns that a process keeps: a service and the checks of one command see the same ones again


@lru_cache(maxsize=_KEPT)
def pattern_problem(pattern: str, *, folded: bool = True) -> str:
    """Why `pattern` must not be used, or "": does not compile, unbounded gap, nested repeats, or (with `folded`) characters
    that folded text never holds."""
    try:
        compiled = re.compile(pattern)
        tree = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as exc:
        return f"does not compile: {exc}"
    if compiled.search(""):
        return "matches empty text"
    for problem in _tree_problems(tree):
        return problem
    if folded and not compiled.flags & re.IGNORECASE:
        if unicodedata.normalize("NFC", pattern) != pattern:
            return "holds characters in decomposed form, folded text has them composed (Unicode NFC)"
        for char in _literals(tree):
            if (folds_to := _folded(char)) != char:
                return f"holds {char!r} (U+{ord(char):04X}), which folded text never does (it becomes {folds_to!r})"
    return ""


@lru_cache(maxsize=_KEPT)
def example_problem(pattern: str, example: str, not_example: str = "") -> str:
    """Why the examples do not fit the pattern, or "" (both are folded first)."""
    compiled = re.compile(pattern)
    if not example.strip():
        return "has no example"
    if not compiled.search(fold(example).text):
        return f"does not match its example {example!r}"
    if not_example and compiled.search(fold(not_example).text):
        return f"matches its not_example {not_example!r}"
    return ""


@lru_cache(maxsize=_KEPT)
def _folded(char: str) -> str:
    return fold(char).text


def _name(op: Any) -> str:
    return str(op)


def _tree_problems(tree: Iterable[Any]) -> Iterator[str]:
    for op, arg in tree:
        name = _name(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, most, body = arg
            unbounded = most == _parser.MAXREPEAT
            if unbounded and _is_gap(body):
                yield "has an unbounded gap; bound it, as in .{0,60}"
            if most > 1 and _has_unbounded(body) and (unbounded or not _has_separator(body)):
                yield "nests an unbounded repeat in a repeat; bound the outer one and end its part with a separator, as in (?:\\w+ ){0,4}"
        for part in _parts(name, arg):
            yield from _tree_problems(part)


def _parts(name: str, arg: Any) -> Iterator[Any]:
    """Sub-trees of one node."""
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        yield arg[2]
    elif name == "SUBPATTERN":
        yield arg[3]
    elif name == "BRANCH":
        yield from arg[1]
    elif name in ("ASSERT", "ASSERT_NOT"):
        yield arg[1]
    elif name == "ATOMIC_GROUP":
        yield arg
    elif name == "GROUPREF_EXISTS":
        yield from (part for part in arg[1:] if part is not None)


def _is_gap(body: Any) -> bool:
    """Whether a repeat of `body` can run over words: its single node matches a space as well as a letter."""
    nodes = list(body)
    if len(nodes) == 1 and _name(nodes[0][0]) in ("SUBPATTERN", "BRANCH", "ATOMIC_GROUP"):
        return any(_is_gap(part) for part in _parts(_name(nodes[0][0]), nodes[0][1]))
    return len(nodes) == 1 and all(_matches(nodes[0], probe) for probe in _GAP_PROBES)


def _matches(node: Any, char: str) -> bool:
    op, arg = _name(node[0]), node[1]
    if op == "ANY":
        return True
    if op == "NOT_LITERAL":
        return bool(arg != ord(char))
    if op != "IN":
        return False
    negated = _name(arg[0][0]) == "NEGATE"
    return any(_member(item, char) for item in arg) != negated


def _member(item: Any, char: str) -> bool:
    op, arg = _name(item[0]), item[1]
    if op == "LITERAL":
        return bool(arg == ord(char))
    if op == "RANGE":
        return bool(arg[0] <= ord(char) <= arg[1])
    if op == "CATEGORY":
        kind = _name(arg).removeprefix("CATEGORY_")
        found = char.isspace() if kind.endswith("SPACE") else char.isdigit() if kind.endswith("DIGIT") else char.isalnum()
        return found != kind.startswith("NOT_")
    return False


def _has_unbounded(body: Iterable[Any]) -> bool:
    for op, arg in body:
        name = _name(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT") and arg[1] == _parser.MAXREPEAT:
            return True
        if any(_has_unbounded(part) for part in _parts(name, arg)):
            return True
    return False


def _has_separator(body: Iterable[Any]) -> bool:
    """Whether `body` holds a fixed character, which keeps a bounded outer repeat from splitting a text in many ways."""
    return any(_name(op) in ("LITERAL", "IN") for op, _ in body)


def _literals(tree: Iterable[Any]) -> Iterator[str]:
    """Characters outside character classes; in a class a character that never occurs does no harm."""
    for op, arg in tree:
        name = _name(op)
        if name == "LITERAL":
            yield chr(arg)
        for part in _parts(name, arg):
            yield from _literals(part)

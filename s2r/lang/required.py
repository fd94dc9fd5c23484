"""What a regular expression needs: strings of which each of its matches holds one, and those with which its matches begin.

Read off the standard library's own tree of the expression.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from re import _constants as sc  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

MIN_LITERAL = 2  # characters; shorter strings stand everywhere, but for signs and those of scripts where one character is a word
OTHER_CASE = frozenset("İıſK")  # match i, s and k in case-blind expressions, and are lowered to others or not at all
_MOST_STRINGS = 64  # that one stretch of a pattern is spelt out into
_DIGITS = frozenset("0123456789")


def parse_pattern(pattern: str) -> Any:
    """The standard library's own tree of a regular expression; `re._compiler` compiles it."""
    return sre_parse.parse(pattern)


def guards(parsed: Any) -> list[frozenset[str]]:
    """Sets of strings of which each match holds one, the set with the longest shortest string first."""
    return sorted((s for s in set(required(parsed)) if worth(s) >= MIN_LITERAL), key=rank)


def worth(strings: Collection[str]) -> int:
    """Length of the shortest string; a character that is a word, or a rare sign, counts as two."""
    return min(2 * len(item) if item[0] > "\u2e80" or item == "%" else len(item) for item in strings)


def rank(strings: Collection[str]) -> tuple[int, int, list[str]]:
    """Key by which the sets that tell most come first: those with the longest shortest string, then the smaller ones."""
    return -worth(strings), len(strings), sorted(strings)


def required(parsed: Any) -> list[frozenset[str]]:
    """Any-of sets of one parsed sequence: every item of the sequence is required, so all its sets are."""
    sets: list[frozenset[str]] = []
    run = frozenset({""})  # what the stretch before this item can be
    for op, arg in parsed:
        strings = _strings(op, arg)
        if strings is not None and len(run) * len(strings) <= _MOST_STRINGS:
            run = frozenset(a + b for a in run for b in strings)
            continue
        sets += _closed(run)
        run = strings or frozenset({""})
        if strings is None:
            sets += _required_item(op, arg)
    return sets + _closed(run)


def _closed(run: frozenset[str]) -> list[frozenset[str]]:
    """A finished stretch; a string that holds another of them adds nothing."""
    if "" in run:
        return []
    return [frozenset(s for s in run if not any(t in s for t in run if t is not s))]


def _strings(op: Any, arg: Any) -> frozenset[str] | None:
    """All that one item can match, None when that is not a handful of strings."""
    if op is sc.LITERAL:
        return frozenset({chr(arg)})
    if op in (sc.AT, sc.ASSERT, sc.ASSERT_NOT):
        return frozenset({""})
    if op is sc.IN and len(arg) <= 4 and all(kind is sc.LITERAL for kind, _ in arg):
        return frozenset(chr(code) for _, code in arg)
    if op is sc.SUBPATTERN and not arg[1] & re.IGNORECASE:
        return _spelt(arg[3])
    if op in (sc.MAX_REPEAT, sc.MIN_REPEAT) and arg[1] == 1:
        inner = _spelt(arg[2])
        return inner if inner is None or arg[0] else inner | {""}
    if op is sc.BRANCH:
        branches = [_spelt(branch) for branch in arg[1]]
        union = frozenset().union(*(branch for branch in branches if branch is not None))
        return union if None not in branches and len(union) <= _MOST_STRINGS else None
    return None


def _spelt(parsed: Any) -> frozenset[str] | None:
    run = frozenset({""})
    for op, arg in parsed:
        strings = _strings(op, arg)
        if strings is None or len(run) * len(strings) > _MOST_STRINGS:
            return None
        run = frozenset(a + b for a in run for b in strings)
    return run


def _required_item(op: Any, arg: Any) -> list[frozenset[str]]:
    if op is sc.SUBPATTERN and not arg[1] & re.IGNORECASE:
        return required(arg[3])
    if op in (sc.MAX_REPEAT, sc.MIN_REPEAT, sc.POSSESSIVE_REPEAT):
        low, _, inner = arg
        return required(inner) if low >= 1 else []
    if op is sc.BRANCH:
        union: set[str] = set()
        for branch in arg[1]:
            found = required(branch)
            if not found:
                return []
            union |= min(found, key=rank)
        return [frozenset(union)]
    return []


def heads(parsed: Any, size: int, *, caseless: bool = False) -> frozenset[str]:
    """Strings of up to `size` characters with one of which each match begins; after one of fewer anything may follow."""
    run, done = {""}, set[str]()
    for op, arg in parsed:
        going, ended = _heads_item(op, arg, size, caseless)
        done |= {(a + b)[:size] for a in run for b in ended}
        both = {(a + b)[:size] for a in run for b in going}
        run = {head for head in both if len(head) < size}
        done |= both - run
        if not run:
            break
    return frozenset(done | run)


def _heads_item(op: Any, arg: Any, size: int, caseless: bool) -> tuple[set[str], set[str]]:
    """Beginnings of what one item matches: those that are all of it, and those after which anything may follow."""
    if op is sc.LITERAL:
        return _cases(chr(arg)) if caseless else {chr(arg)}, set()
    if op in (sc.AT, sc.ASSERT, sc.ASSERT_NOT):
        return {""}, set()
    if op is sc.IN and (chars := _chars(arg)) is not None:
        return {c for char in chars for c in (_cases(char) if caseless else {char})}, set()
    if op is sc.SUBPATTERN:
        return _heads_all([arg[3]], size, caseless or bool(arg[1] & re.IGNORECASE))
    if op is sc.BRANCH:
        return _heads_all(arg[1], size, caseless)
    if op in (sc.MAX_REPEAT, sc.MIN_REPEAT, sc.POSSESSIVE_REPEAT):
        going, ended = _heads_all([arg[2]], size, caseless)
        if arg[1] != 1:
            going, ended = set(), going | ended
        return (going | {""} if arg[0] == 0 else going), ended
    return set(), {""}


def _chars(members: Any) -> set[str] | None:
    """The characters of a class of few, None of one of many; digits of other scripts are left out, and one space stands for all white
    space."""
    if members[0][0] is sc.NEGATE:
        return {" "} if (sc.CATEGORY, sc.CATEGORY_NOT_SPACE) in members else None
    found: set[str] = set()
    for kind, arg in members:
        if kind is sc.LITERAL:
            found.add(chr(arg))
        elif kind is sc.RANGE and arg[1] - arg[0] < _MOST_STRINGS:
            found.update(map(chr, range(arg[0], arg[1] + 1)))
        elif kind is sc.CATEGORY and arg is sc.CATEGORY_DIGIT:
            found |= _DIGITS
        elif kind is sc.CATEGORY and arg is sc.CATEGORY_SPACE:
            found.add(" ")
        else:
            return None
    return found


def _heads_all(branches: Iterable[Any], size: int, caseless: bool) -> tuple[set[str], set[str]]:
    """The same of sequences: what is shorter than `size` may be all of one, or not; the latter is always true."""
    going, ended = set[str](), set[str]()
    for branch in branches:
        whole = _whole(branch)
        for head in heads(branch, size, caseless=caseless):
            (going if whole else ended).add(head)
    return going, ended


def _whole(branch: Any) -> bool:
    """A sequence of which `heads` spells out all that is shorter than its size."""
    return all(
        op in (sc.LITERAL, sc.AT, sc.ASSERT, sc.ASSERT_NOT)
        or (op is sc.IN and _chars(arg) is not None)
        or (op is sc.SUBPATTERN and _whole(arg[3]))
        or (op is sc.BRANCH and all(map(_whole, arg[1])))
        or (op in (sc.MAX_REPEAT, sc.MIN_REPEAT) and arg[1] == 1 and _whole(arg[2]))
        for op, arg in branch
    )


def _cases(char: str) -> set[str]:
    """The characters that one of a case-blind expression matches."""
    return {other for other in (char, char.lower(), char.upper(), *OTHER_CASE) if re.fullmatch(re.escape(char), other, re.IGNORECASE)}


def alternatives(source: str) -> list[str]:
    """The parts of a regular expression between the bars that stand in no group, class or escape."""
    parts, depth, start = list[str](), 0, 0
    for token in _SYNTAX.finditer(source):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if token[0] == "|" and not depth:
            parts.append(source[start : token.start()])
            start = token.end()
    return [*parts, source[start:]]


_SYNTAX = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)

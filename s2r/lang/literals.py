"""Fixed strings: found all at once in a text, and read off regular expressions that cannot match without them.

A page holds only a few of the words that thousands of patterns look for. One pass finds which; a pattern then runs only near
the strings that each of its matches must hold, with the same matches as over the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from re import _constants as sc  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

import ahocorasick

MIN_LITERAL = 2  # characters; shorter strings stand everywhere, but for signs and those of scripts where one character is a word
_MOST_STRINGS = 64  # that one stretch of a pattern is spelt out into
_LOOK = 64  # characters that an assertion may look beyond a match
_WIDEST = 400  # a pattern that may match more than this runs over the whole text


class Literals:
    """A set of strings, found in a text in one pass (Aho and Corasick)."""

    __slots__ = ("_automaton",)

    def __init__(self, words: Iterable[str]) -> None:
        self._automaton = ahocorasick.Automaton()
        for word in words:
            self._automaton.add_word(word, word)
        self._automaton.make_automaton()

    def ends(self, text: str) -> dict[str, list[int]]:
        """For each string that stands in `text`: offsets of the last characters of all its places, ascending."""
        found: dict[str, list[int]] = {}
        if not len(self._automaton):
            return found
        for end, word in self._automaton.iter(text):
            if word in found:
                found[word].append(end)
            else:
                found[word] = [end]
        return found


class Sought:
    """Several regular expressions, to be run over one text after another."""

    __slots__ = ("_free", "_literals", "_needs", "_users")

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        self._needs: dict[re.Pattern[str], tuple[frozenset[str], int | None]] = {p: _need(p) for p in patterns}
        self._free = frozenset(pattern for pattern, (literals, _) in self._needs.items() if not literals)
        self._users: dict[str, list[re.Pattern[str]]] = {}
        for pattern, (literals, _) in self._needs.items():
            for word in literals:
                self._users.setdefault(word, []).append(pattern)
        self._literals = Literals(self._users)

    def over(self, text: str) -> Seeker:
        """The same expressions, ready for one text."""
        return Seeker(text, self._literals.ends(text), self._needs)

    def possible(self, text: str) -> set[re.Pattern[str]]:
        """Those of the expressions whose strings the text holds; no other can match."""
        held = set(self._free)
        for word in self._literals.ends(text):
            held.update(self._users[word])
        return held


class Seeker:
    """Matches in one text."""

    __slots__ = ("_ends", "_needs", "_text")

    def __init__(
        self, text: str, ends: Mapping[str, list[int]], needs: Mapping[re.Pattern[str], tuple[frozenset[str], int | None]]
    ) -> None:
        self._text, self._ends, self._needs = text, ends, needs

    def finditer(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """What `pattern.finditer` gives over the whole text."""
        literals, reach = self._needs[pattern]
        if not literals:
            return pattern.finditer(self._text)
        held = [word for word in literals if word in self._ends]
        if not held:
            return iter(())
        if reach is None:
            return pattern.finditer(self._text)
        return self._near(pattern, held, reach)

    def _near(self, pattern: re.Pattern[str], held: Iterable[str], reach: int) -> Iterator[re.Match[str]]:
        for low, high in spread((end for word in held for end in self._ends[word]), reach):
            yield from pattern.finditer(self._text, low, high)


def spread(places: Iterable[int], reach: int) -> Iterator[tuple[int, int]]:
    """Stretches of a text within `reach` of the places, in order, not overlapping."""
    start = stop = -1
    for place in sorted(places):
        if start < 0 or place - reach > stop:
            if start >= 0:
                yield start, stop
            start = max(0, place - reach)
        stop = place + reach
    if start >= 0:
        yield start, stop


def _need(pattern: re.Pattern[str]) -> tuple[frozenset[str], int | None]:
    """Strings of which each match holds one (none known: empty), and how far around one a match can reach."""
    if pattern.flags & re.IGNORECASE:
        return frozenset(), None
    parsed = parse_pattern(pattern.pattern)
    sets = guards(parsed)
    width = parsed.getwidth()[1]
    return (sets[0] if sets else frozenset()), (width + _LOOK if width <= _WIDEST else None)


def parse_pattern(pattern: str) -> Any:
    """The standard library's own tree of a regular expression; `re._compiler` compiles it."""
    return sre_parse.parse(pattern)


def guards(parsed: Any) -> list[frozenset[str]]:
    """Sets of strings of which each match holds one, the set with the longest shortest string first."""
    return sorted((s for s in set(required(parsed)) if _worth(s) >= MIN_LITERAL), key=_rank)


def _worth(strings: Collection[str]) -> int:
    """Length of the shortest string; a character that is a word, or a rare sign, counts as two."""
    return min(2 * len(item) if item[0] > "\u2e80" or item == "%" else len(item) for item in strings)


def _rank(strings: Collection[str]) -> tuple[int, int, list[str]]:
    return -_worth(strings), len(strings), sorted(strings)


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
            union |= min(found, key=_rank)
        return [frozenset(union)]
    return []

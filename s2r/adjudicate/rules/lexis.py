"""Compiled lexicons: one scan of a page gives all phrase hits by family.

A page holds only a few of some thousand phrases. Each pattern is therefore guarded by the literals that it cannot match
without; a substring test decides whether the regular expression runs at all.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from re import _compiler as sre_compile  # type: ignore[attr-defined]
from re import _constants as sc  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

from s2r.policy import Lexicon

_MIN_LITERAL = 2


@dataclass(frozen=True, slots=True)
class Hit:
    """One phrase found in folded text: offsets, family ("stage.warning"), language and the pattern's number in its family."""

    start: int
    end: int
    family: str
    lang: str
    number: int
    weight: float = 1.0

    @property
    def rule(self) -> str:
        """Name of the lexicon line, stable while the file does not change: "de:act.decision:3"."""
        return f"{self.lang}:{self.family}:{self.number}"


class Scan:
    """All hits of one page by family, ordered by start. A family is looked for when it is first asked for."""

    __slots__ = ("_bounds", "_families", "_hits", "_starts", "grams", "text")

    def __init__(self, text: str, bounds: Sequence[int], families: Mapping[str, Family], grams: frozenset[str]) -> None:
        self.text, self._bounds, self._families, self.grams = text, bounds, families, grams
        self._hits: dict[str, list[Hit]] = {}
        self._starts: dict[str, list[int]] = {}

    def all(self, family: str) -> list[Hit]:
        """All hits of a family, ordered by start, the longer first."""
        hits = self._hits.get(family)
        if hits is None:
            found = self._families.get(family)
            hits = [
                Hit(start, end, family, line.lang, line.number, line.weight)
                for line in (found.candidates(self.text, self.grams) if found else ())
                for start, end in line.spans(self.text, self._bounds)
            ]
            hits.sort(key=lambda hit: (hit.start, -hit.end, hit.lang, hit.number))
            self._hits[family] = hits
            self._starts[family] = [hit.start for hit in hits]
        return hits

    def within(self, family: str, start: int, end: int) -> list[Hit]:
        """Hits of `family` that lie wholly in [start, end)."""
        hits = self.all(family)
        if not hits:
            return []
        starts = self._starts[family]
        low = bisect.bisect_left(starts, start)
        high = bisect.bisect_left(starts, end)
        return [hit for hit in hits[low:high] if hit.end <= end]

    def families(self, prefix: str) -> list[str]:
        """Families with at least one hit whose name starts with `prefix`."""
        return [name for name in self._families if name.startswith(prefix) and self.all(name)]


class Line:
    """One phrase; its expression is compiled when a page first holds one of its literals."""

    __slots__ = ("_parsed", "_pattern", "family", "lang", "literals", "number", "weight")

    def __init__(self, pattern: str, family: str, lang: str, number: int, weight: float) -> None:
        self._parsed: Any = sre_parse.parse(pattern)
        self._pattern: re.Pattern[str] | None = None
        self.literals = _usable(_required(self._parsed))  # any of them must be in the text; empty = always run
        self.family, self.lang, self.number, self.weight = family, lang, number, weight

    def spans(self, text: str, bounds: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Matches in folded text; one that would cross a bound is looked for again on each side of it."""
        if self._pattern is None:
            self._pattern = sre_compile.compile(self._parsed)
            self._parsed = None
        search, at = self._pattern.search, 0
        while match := search(text, at):
            start, end = match.span()
            place = bisect.bisect_right(bounds, start)
            limit = bounds[place] if place < len(bounds) else end
            if end > limit:
                inner = search(text, start, limit)
                if inner is None:
                    at = limit
                    continue
                start, end = inner.span()
            if end > start:
                yield start, end
            at = max(end, start + 1)


class Family:
    """The phrases of one family, found by the first three characters of a literal that each cannot do without."""

    __slots__ = ("_always", "_guarded", "_keys")

    def __init__(self, lines: Iterable[Line]) -> None:
        self._always: list[Line] = []
        self._guarded: dict[str, list[tuple[str, Line]]] = {}
        for line in lines:
            if not line.literals:
                self._always.append(line)
            for literal in line.literals:
                self._guarded.setdefault(literal[:3], []).append((literal, line))
        self._keys = frozenset(self._guarded)

    def candidates(self, text: str, known: frozenset[str]) -> list[Line]:
        """Phrases that may stand in `text`, whose grams are `known`."""
        found = dict.fromkeys(self._always)
        for key in self._keys & known:
            for literal, line in self._guarded[key]:
                if line not in found and literal in text:
                    found[line] = None
        return list(found)


class Lexis:
    """The phrases of several languages; the lines of one language are shared by all that use it."""

    def __init__(self, languages: Iterable[Sequence[Line]]) -> None:
        families: dict[str, list[Line]] = {}
        for lines in languages:
            for line in lines:
                families.setdefault(line.family, []).append(line)
        self._families = {name: Family(lines) for name, lines in families.items()}

    def scan(self, folded: str, bounds: Sequence[int] = ()) -> Scan:
        """Prepare folded text for finding phrases. `bounds` are ascending offsets that no phrase may cross (ends of sentences)."""
        return Scan(folded, bounds, self._families, grams(folded))


def grams(text: str) -> frozenset[str]:
    """All characters, pairs and triples of neighbouring characters: a literal is not in the text without its first three."""
    pairs = map("".join, pairwise(text))
    triples = map("".join, zip(text, text[1:], text[2:], strict=False))
    return frozenset(text).union(pairs, triples)


def compile_lexicon(lexicon: Lexicon) -> tuple[Line, ...]:
    """The lines of one language, parsed but not yet compiled."""
    return tuple(
        Line(phrase.pattern, family, lexicon.language, number, phrase.weight)
        for family, phrases in lexicon.families()
        for number, phrase in enumerate(phrases, start=1)
    )


def required_literals(pattern: str) -> tuple[str, ...]:
    """Literals of which at least one is in every text that `pattern` matches; () when none can be told."""
    return _usable(_required(sre_parse.parse(pattern)))


def _usable(found: frozenset[str] | None) -> tuple[str, ...]:
    return tuple(sorted(found)) if found and all(len(item) >= _MIN_LITERAL or ord(item) > 0x2E80 for item in found) else ()


def _required(parsed: Any) -> frozenset[str] | None:
    """The best any-of set of one parsed sequence: every item of the sequence is required, so the longest wins."""
    best: frozenset[str] | None = None
    run: list[str] = []

    def better(candidate: frozenset[str] | None) -> None:
        nonlocal best
        if candidate and (best is None or min(map(len, candidate)) > min(map(len, best))):
            best = candidate

    for op, arg in parsed:
        if op is sc.LITERAL:
            run.append(chr(arg))
            continue
        if run:
            better(frozenset({"".join(run)}))
            run = []
        better(_required_item(op, arg))
    if run:
        better(frozenset({"".join(run)}))
    return best


def _required_item(op: Any, arg: Any) -> frozenset[str] | None:
    if op is sc.SUBPATTERN:
        return _required(arg[-1])
    if op in (sc.MAX_REPEAT, sc.MIN_REPEAT, sc.POSSESSIVE_REPEAT):
        low, _, inner = arg
        return _required(inner) if low >= 1 else None
    if op is sc.BRANCH:
        union: set[str] = set()
        for branch in arg[1]:
            found = _required(branch)
            if not found:
                return None
            union |= found
        return frozenset(union)
    return None

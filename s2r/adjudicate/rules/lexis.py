"""Compiled lexicons: one scan of a page gives all phrase hits by family.

A page holds only a few of some thousand phrases. Each pattern is therefore guarded by the literals that it cannot match
without; its regular expression runs only in the sentences that hold one of each set.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from re import _compiler as sre_compile  # type: ignore[attr-defined]
from re import _constants as sc  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

from s2r.policy import Lexicon

_MIN_LITERAL = 2
_MAX_SETS = 4


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

    __slots__ = ("_bounds", "_candidates", "_families", "_hits", "_places", "_present", "_starts", "grams", "text")

    def __init__(self, text: str, bounds: Sequence[int], lexis: Lexis) -> None:
        self.text, self._bounds, self.grams = text, bounds, grams(text)
        self._families = lexis.families
        self._present = lexis.present(text, self.grams)
        self._candidates = lexis.candidates(self._present)
        self._places: dict[str, frozenset[int]] = {}
        self._hits: dict[str, list[Hit]] = {}
        self._starts: dict[str, list[int]] = {}

    def all(self, family: str) -> list[Hit]:
        """All hits of a family, ordered by start, the longer first."""
        hits = self._hits.get(family)
        if hits is None:
            hits = [
                Hit(start, end, family, line.lang, line.number, line.weight)
                for line in self._candidates.get(family, ())
                for start, end in self._spans(line)
            ]
            hits.sort(key=lambda hit: (hit.start, -hit.end, hit.lang, hit.number))
            self._hits[family] = hits
            self._starts[family] = [hit.start for hit in hits]
        return hits

    def within(self, family: str, start: int, end: int) -> list[Hit]:
        """Hits of `family` that lie wholly in [start, end)."""
        hits = self._hits.get(family)
        if hits is None:
            hits = self.all(family)
        if not hits:
            return []
        starts = self._starts[family]
        low = bisect.bisect_left(starts, start)
        high = bisect.bisect_left(starts, end)
        return [hit for hit in hits[low:high] if hit.end <= end]

    def named(self, prefix: str) -> list[str]:
        """Families with at least one hit whose name starts with `prefix`."""
        return [name for name in self._families if name.startswith(prefix) and name in self._candidates and self.all(name)]

    def _spans(self, line: Line) -> Iterator[tuple[int, int]]:
        """Matches of a line, sought in the segments that hold a literal of each of its sets."""
        segments: frozenset[int] | range = range(len(self._bounds) + 1)
        for literals in line.literals:
            held = self._segments(literals)
            segments = held if isinstance(segments, range) else segments & held
            if not segments:
                return
        search = line.search
        for segment in segments:
            at = self._bounds[segment - 1] if segment else 0
            limit = self._bounds[segment] if segment < len(self._bounds) else len(self.text)
            while match := search(self.text, at, limit):
                start, end = match.span()
                if end > start:
                    yield start, end
                at = max(end, start + 1)

    def _segments(self, literals: frozenset[str]) -> frozenset[int]:
        """Segments in which at least one of the literals starts."""
        held = [self._held(literal) for literal in literals & self._present]
        return held[0] if len(held) == 1 else frozenset().union(*held)

    def _held(self, literal: str) -> frozenset[int]:
        places = self._places.get(literal)
        if places is None:
            found = []
            at = self.text.find(literal)
            while at >= 0:
                segment = bisect.bisect_right(self._bounds, at)
                found.append(segment)
                if segment >= len(self._bounds):
                    break
                at = self.text.find(literal, max(self._bounds[segment], at + 1))
            places = self._places[literal] = frozenset(found)
        return places


class Line:
    """One phrase; its expression is compiled when a page first holds one of its literals."""

    __slots__ = ("_parsed", "_pattern", "family", "lang", "literals", "number", "weight")

    def __init__(self, pattern: str, family: str, lang: str, number: int, weight: float) -> None:
        self._parsed: Any = sre_parse.parse(pattern)
        self._pattern: re.Pattern[str] | None = None
        self.literals = _guards(self._parsed)  # of each set one must be in the text, the rarest set first; empty = always run
        self.family, self.lang, self.number, self.weight = family, lang, number, weight

    @property
    def search(self) -> Callable[[str, int, int], re.Match[str] | None]:
        """Find the phrase in folded text between two offsets."""
        if self._pattern is None:
            self._pattern = sre_compile.compile(self._parsed)
            self._parsed = None
        return self._pattern.search


class Lexis:
    """The phrases of several languages; the lines of one language are shared by all that use it.

    A phrase is a candidate when each of its sets has a literal in the text; literals are found by their first three characters.
    """

    def __init__(self, languages: Iterable[Sequence[Line]]) -> None:
        lines = [line for language in languages for line in language]
        self.families = tuple(dict.fromkeys(line.family for line in lines))
        self._always = [line for line in lines if not line.literals]
        self._users: dict[str, list[Line]] = {}
        for line in lines:
            for literal in line.literals[0] if line.literals else ():
                self._users.setdefault(literal, []).append(line)
        self._by_key: dict[str, list[str]] = {}
        for literal in frozenset().union(*(s for line in lines for s in line.literals)):
            self._by_key.setdefault(literal[:3], []).append(literal)
        self._keys = frozenset(self._by_key)

    def present(self, text: str, known: frozenset[str]) -> frozenset[str]:
        """Literals that stand in `text`, whose grams are `known`."""
        return frozenset(literal for key in self._keys & known for literal in self._by_key[key] if literal in text)

    def candidates(self, present: frozenset[str]) -> dict[str, list[Line]]:
        """Phrases of whose every set a literal is `present`, by family."""
        found: dict[str, list[Line]] = {}
        for line in self._always:
            found.setdefault(line.family, []).append(line)
        seen: set[Line] = set()
        for literal in present:
            for line in self._users.get(literal, ()):
                if line not in seen:
                    seen.add(line)
                    if not any(map(present.isdisjoint, line.literals)):
                        found.setdefault(line.family, []).append(line)
        return found

    def scan(self, folded: str, bounds: Sequence[int] = ()) -> Scan:
        """Prepare folded text for finding phrases. `bounds` are ascending offsets that no phrase may cross (ends of sentences)."""
        return Scan(folded, bounds, self)


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


def _guards(parsed: Any) -> tuple[frozenset[str], ...]:
    """The usable sets of a parsed expression, the one with the longest shortest literal first."""
    usable = {s for s in _required(parsed) if all(len(item) >= _MIN_LITERAL or ord(item) > 0x2E80 for item in s)}
    ranked = sorted(usable, key=lambda s: (-min(map(len, s)), len(s), sorted(s)))
    return tuple(ranked[:_MAX_SETS])


def _required(parsed: Any) -> list[frozenset[str]]:
    """Any-of sets of one parsed sequence: every item of the sequence is required, so all its sets are."""
    sets: list[frozenset[str]] = []
    run: list[str] = []
    for op, arg in parsed:
        if op is sc.LITERAL:
            run.append(chr(arg))
            continue
        if run:
            sets.append(frozenset({"".join(run)}))
            run = []
        sets += _required_item(op, arg)
    if run:
        sets.append(frozenset({"".join(run)}))
    return sets


def _required_item(op: Any, arg: Any) -> list[frozenset[str]]:
    if op is sc.SUBPATTERN:
        return _required(arg[-1])
    if op in (sc.MAX_REPEAT, sc.MIN_REPEAT, sc.POSSESSIVE_REPEAT):
        low, _, inner = arg
        return _required(inner) if low >= 1 else []
    if op is sc.BRANCH:
        union: set[str] = set()
        for branch in arg[1]:
            found = _required(branch)
            if not found:
                return []
            union |= max(found, key=lambda s: min(map(len, s)))
        return [frozenset(union)]
    return []

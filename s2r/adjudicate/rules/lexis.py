"""Compiled lexicons: one scan of a page gives all phrase hits by family.

A page holds only a few of some thousand phrases. Each pattern is therefore guarded by the literals that it cannot match
without; its regular expression runs only in the sentences that hold one of each set.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from re import _compiler as sre_compile  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from s2r.lang.literals import Literals, guards, parse_pattern
from s2r.policy import Lexicon

_MAX_SETS = 4


class Hit(NamedTuple):
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

    __slots__ = ("_bounds", "_candidates", "_ends", "_families", "_hits", "_joined", "_places", "_starts", "text")

    def __init__(self, text: str, bounds: Sequence[int], lexis: Lexis) -> None:
        self.text, self._bounds = text, bounds
        self._families = lexis.families
        self._ends = lexis.ends(text)
        self._candidates = lexis.candidates(self._ends)
        self._places: dict[str, frozenset[int]] = {}
        self._hits: dict[str, list[Hit]] = {}
        self._starts: dict[str, list[int]] = {}
        self._joined: dict[tuple[str, ...], list[int]] = {}

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

    def begins(self, families: tuple[str, ...], start: int, end: int) -> bool:
        """A hit of one of the families begins in [start, end)."""
        starts = self._joined.get(families)
        if starts is None:
            starts = self._joined[families] = sorted(hit.start for family in families for hit in self.all(family))
        return bisect.bisect_left(starts, start) < bisect.bisect_left(starts, end)

    def named(self, prefix: str) -> list[str]:
        """Families with at least one hit whose name starts with `prefix`."""
        return [name for name in self._families if name.startswith(prefix) and name in self._candidates and self.all(name)]

    def _spans(self, line: Line) -> Iterator[tuple[int, int]]:
        """Matches of a line, sought in the segments that hold a literal of each of its sets."""
        text, bounds, more = self.text, self._bounds, line.literals[1:]
        segments = self._segments(line.literals[0]) if line.literals else range(len(bounds) + 1)
        for segment in segments:
            at = bounds[segment - 1] if segment else 0
            limit = bounds[segment] if segment < len(bounds) else len(text)
            if more and not all(_holds(text, literals, at, limit) for literals in more):
                continue
            search = line.search
            while match := search(text, at, limit):
                start, end = match.span()
                if end > start:
                    yield start, end
                at = max(end, start + 1)

    def _segments(self, literals: frozenset[str]) -> frozenset[int]:
        """Segments in which at least one of the literals starts."""
        held = [self._held(literal) for literal in literals & self._ends.keys()]
        return held[0] if len(held) == 1 else frozenset().union(*held)

    def _held(self, literal: str) -> frozenset[int]:
        places = self._places.get(literal)
        if places is None:
            back = len(literal) - 1
            places = self._places[literal] = frozenset(bisect.bisect_right(self._bounds, end - back) for end in self._ends[literal])
        return places


def _holds(text: str, literals: Iterable[str], start: int, end: int) -> bool:
    """One of the literals stands in [start, end) of the text."""
    for literal in literals:  # noqa: SIM110 - a generator takes twice the time
        if text.find(literal, start, end) >= 0:
            return True
    return False


class Line:
    """One phrase; its expression is compiled when a page first holds one of its literals."""

    __slots__ = ("_parsed", "_pattern", "family", "lang", "literals", "number", "weight")

    def __init__(self, pattern: str, family: str, lang: str, number: int, weight: float) -> None:
        self._parsed: Any = parse_pattern(pattern)
        self._pattern: re.Pattern[str] | None = None
        self.literals = tuple(
            guards(self._parsed)[:_MAX_SETS]
        )  # of each set one must be in the text, the rarest set first; empty = always run
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

    A phrase is a candidate when its rarest set has a literal in the text.
    """

    def __init__(self, languages: Iterable[Sequence[Line]]) -> None:
        lines = [line for language in languages for line in language]
        self.families = tuple(dict.fromkeys(line.family for line in lines))
        self._always = [line for line in lines if not line.literals]
        self._users: dict[str, list[Line]] = {}
        for line in lines:
            for literal in line.literals[0] if line.literals else ():
                self._users.setdefault(literal, []).append(line)
        self._literals = Literals(self._users)

    def ends(self, text: str) -> Mapping[str, list[int]]:
        """Literals that stand in `text`, with the offsets of their last characters."""
        return self._literals.ends(text)

    def candidates(self, present: Iterable[str]) -> dict[str, Collection[Line]]:
        """Phrases of whose rarest set a literal is `present`, by family."""
        found: dict[str, dict[Line, None]] = {}
        for line in self._always:
            found.setdefault(line.family, {})[line] = None
        for literal in present:
            for line in self._users[literal]:
                found.setdefault(line.family, {})[line] = None
        return {family: tuple(lines) for family, lines in found.items()}

    def scan(self, folded: str, bounds: Sequence[int] = ()) -> Scan:
        """Prepare folded text for finding phrases. `bounds` are ascending offsets that no phrase may cross (ends of sentences)."""
        return Scan(folded, bounds, self)


def compile_lexicon(lexicon: Lexicon) -> tuple[Line, ...]:
    """The lines of one language, parsed but not yet compiled."""
    return tuple(
        Line(phrase.pattern, family, lexicon.language, number, phrase.weight)
        for family, phrases in lexicon.families()
        for number, phrase in enumerate(phrases, start=1)
    )

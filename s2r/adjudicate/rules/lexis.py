"""Compiled lexicons: one scan of a page gives all phrase hits by family.

A page holds only a few of some thousand phrases. Each pattern is therefore guarded by the literals that it cannot match
without; its regular expression runs only in the sentences that hold one of each set.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from re import _compiler as sre_compile  # type: ignore[attr-defined]
from typing import NamedTuple

from s2r.adjudicate.rules.guarded import EVERY, Guarded
from s2r.lang.keptneeds import Needs, needs_of
from s2r.lang.literals import Literals
from s2r.policy import Lexicon


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
    """All hits of one page by family, ordered by start. A family is looked for in a sentence when it is first asked for there."""

    __slots__ = ("_bounds", "_guards", "_hits", "_lexis", "_lines", "_named", "_words", "text")

    def __init__(self, text: str, bounds: Sequence[int], lexis: Lexis) -> None:
        self.text, self._bounds, self._lexis = text, bounds, lexis
        self._lines, self._words = lexis.possible(text, bounds)
        self._guards: dict[tuple[int, int], Sequence[int]] = {}
        self._named = frozenset[str]().union(*self._lines)
        self._hits: list[dict[str, list[Hit]]] = [{} for _ in self._lines]

    def all(self, family: str) -> list[Hit]:
        """All hits of a family, ordered by start, the longer first."""
        if family not in self._named:
            return []
        return [hit for segment, lines in enumerate(self._lines) if family in lines for hit in self._in_segment(family, segment)]

    def within(self, family: str, start: int, end: int) -> list[Hit]:
        """Hits of `family` that lie wholly in [start, end)."""
        if family not in self._named or start >= end:
            return []
        bounds, lines = self._bounds, self._lines
        segment = bisect.bisect_right(bounds, start)
        if segment == len(bounds) or end <= bounds[segment]:  # all in one sentence, as nearly always
            return self._inside(family, segment, start, end) if family in lines[segment] else []
        hits = self._in_segment(family, segment) if family in lines[segment] else []
        while segment < len(bounds) and bounds[segment] < end:
            segment += 1
            if family in lines[segment]:
                hits = hits + self._in_segment(family, segment)
        return [hit for hit in hits if start <= hit.start and hit.end <= end]

    def some(self, families: AbstractSet[str], start: int, end: int) -> dict[str, list[Hit]]:
        """Hits in [start, end) of those of the families that have any there."""
        first, last = bisect.bisect_right(self._bounds, start), bisect.bisect_left(self._bounds, end)
        if first == last:
            here = families & self._lines[first].keys()
            return {family: hits for family in here if (hits := self._inside(family, first, start, end))}
        return {family: hits for family in families & self._named if (hits := self.within(family, start, end))}

    def holds(self, guarded: Guarded, start: int, end: int) -> Sequence[int]:
        """Numbers, ascending, of the alternatives of an expression that can match in the sentences of [start, end)."""
        if guarded.number >= self._lexis.guards:
            return range(len(guarded.parts.sources))
        first, last = bisect.bisect_right(self._bounds, start), bisect.bisect_left(self._bounds, end)
        if first >= last:
            key = (guarded.number, first)
            if key not in self._guards:
                self._guards[key] = guarded.held(self._words[first])
            return self._guards[key]
        if all(map(guarded.strings.isdisjoint, self._words[first : last + 1])):
            return guarded.always
        return range(len(guarded.parts.sources))

    def named(self, prefix: str) -> list[str]:
        """Families with at least one hit whose name starts with `prefix`."""
        return [name for name in self.possible(prefix) if self.all(name)]

    def can_hold(self, *families: str) -> bool:
        """One of the families can have hits."""
        return not self._named.isdisjoint(families)

    def possible(self, prefix: str) -> list[str]:
        """Families whose name starts with `prefix` that can have hits."""
        return [name for name in self._lexis.named(prefix) if name in self._named]

    def _inside(self, family: str, segment: int, start: int, end: int) -> list[Hit]:
        return [hit for hit in self._in_segment(family, segment) if start <= hit.start and hit.end <= end]

    def _in_segment(self, family: str, segment: int) -> list[Hit]:
        hits = self._hits[segment].get(family)
        if hits is None:
            low = self._bounds[segment - 1] if segment else 0
            high = self._bounds[segment] if segment < len(self._bounds) else len(self.text)
            hits = self._hits[segment][family] = [
                Hit(start, end, family, line.lang, line.number, line.weight)
                for line in self._lines[segment][family]
                for start, end in line.spans(self.text, low, high)
            ]
            if len(hits) > 1:
                hits.sort(key=lambda hit: (hit.start, -hit.end, hit.lang, hit.number))
        return hits


class Line:
    """One phrase; its expression is compiled when a page first holds one of its literals."""

    __slots__ = ("_pattern", "_source", "family", "further", "lang", "literals", "number", "weight")

    def __init__(self, source: str, needs: Needs, family: str, lang: str, number: int, weight: float) -> None:
        self._source = source
        self._pattern: re.Pattern[str] | None = None
        self.literals = needs[0] if needs else frozenset()  # of each set one must be in the text; empty = always run
        self.further = needs[1:]
        self.family, self.lang, self.number, self.weight = family, lang, number, weight

    def spans(self, text: str, at: int, end: int) -> list[tuple[int, int]]:
        """Where the phrase stands in folded text between two offsets."""
        if self._pattern is None:
            self._pattern = sre_compile.compile(self._source)
        found = []
        while match := self._pattern.search(text, at, end):
            span = match.span()
            if span[1] > span[0]:
                found.append(span)
            at = max(span[1], span[0] + 1)
        return found


class Lexis:
    """The phrases of several languages; the lines of one language are shared by all that use it."""

    def __init__(self, languages: Iterable[Sequence[Line]]) -> None:
        lines = [line for language in languages for line in language]
        self.families = tuple(dict.fromkeys(line.family for line in lines))
        self._prefixed: dict[str, tuple[str, ...]] = {}
        self._always = frozenset(line for line in lines if not line.literals)
        users_of: dict[str, list[Line]] = {}
        for line in lines:
            for literal in line.literals:
                users_of.setdefault(literal, []).append(line)
        self._users = {literal: tuple(users) for literal, users in users_of.items()}
        self.guards = len(EVERY)  # the expressions whose strings are looked for as well
        guarded = (word for one in EVERY for word in one.strings)
        further = (word for line in lines for words in line.further for word in words)
        self._literals = Literals((*self._users, *guarded, *further))

    def named(self, prefix: str) -> tuple[str, ...]:
        """Families whose name starts with `prefix`."""
        if prefix not in self._prefixed:
            self._prefixed[prefix] = tuple(name for name in self.families if name.startswith(prefix))
        return self._prefixed[prefix]

    def possible(self, text: str, bounds: Sequence[int]) -> tuple[list[dict[str, list[Line]]], list[set[str]]]:
        """Of each segment between two of the ascending `bounds`: phrases by family, those of whose every set a string stands there, and
        all strings looked for that stand there."""
        lines: list[dict[str, list[Line]]] = []
        strings: list[set[str]] = []
        low = 0
        for high in (*bounds, len(text)):
            words = self._literals.present(text[low:high])
            lines.append(self._held(words))
            strings.append(words)
            low = high
        return lines, strings

    def _held(self, words: AbstractSet[str]) -> dict[str, list[Line]]:
        found: dict[str, list[Line]] = {}
        users = self._users
        for line in self._always.union(*[users[word] for word in words if word in users]):
            for literals in line.further:
                if literals.isdisjoint(words):
                    break
            else:
                if line.family in found:
                    found[line.family].append(line)
                else:
                    found[line.family] = [line]
        return found

    def scan(self, folded: str, bounds: Sequence[int] = ()) -> Scan:
        """Prepare folded text for finding phrases. `bounds` are ascending offsets that no phrase may cross (ends of sentences)."""
        return Scan(folded, bounds, self)


# a gap of a phrase ends at a full stop, but not at one of an abbreviation: "suspended at 7.30 a.m. and will be cancelled"
_GAP = r"(?:[^.]|\.\S)"
_OVER_ABBREVIATIONS = r"(?:[^.]|\.\S|(?:(?<=\b[ap]\.m)|(?<=\bcent)|(?<=\binc)|(?<=\bcorp)|(?<=\bltd)|(?<=\bno)|(?<=\bu\.s))\. )"


def compile_lexicon(lexicon: Lexicon) -> tuple[Line, ...]:
    """The lines of one language, not yet compiled."""
    phrases = [(family, number, phrase) for family, told in lexicon.families() for number, phrase in enumerate(told, start=1)]
    sources = [phrase.pattern.replace(_GAP, _OVER_ABBREVIATIONS) for _, _, phrase in phrases]
    return tuple(
        Line(source, needs, family, lexicon.language, number, phrase.weight)
        for source, needs, (family, number, phrase) in zip(sources, needs_of(lexicon.language, sources), phrases, strict=True)
    )

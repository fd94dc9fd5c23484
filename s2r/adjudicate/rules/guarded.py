"""Long expressions of many alternatives that the rules ask about sentences: only those alternatives run whose strings a sentence holds.

The strings are found together with those of the lexicon, in the one pass over a sentence that finds its phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice
from typing import Protocol

from s2r.lang.keptneeds import needs_of
from s2r.lang.literals import Alternation


class Searched(Protocol):
    """A folded text of which it is known which strings of the expressions its sentences hold."""

    text: str

    def holds(self, guarded: Guarded, start: int, end: int) -> Sequence[int]:
        """Numbers, ascending, of the alternatives of an expression that can match in [start, end)."""
        ...


class Guarded:
    """A regular expression that finds in sentences of a text what `re.compile(pattern)` finds between the same offsets; one without
    groups that are told by number, as its alternatives are compiled apart."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._needs: tuple[frozenset[str], ...] = ()
        self.number = len(EVERY)
        EVERY.append(self)

    def search(self, scan: Searched, start: int, end: int) -> re.Match[str] | None:
        """As `re.Pattern.search` of the text between two offsets."""
        numbers = scan.holds(self, start, end)
        return next(self.parts.finditer(numbers, scan.text, start, end), None) if numbers else None

    def match(self, scan: Searched, start: int, end: int) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        matches = (self.parts.pattern(number).match(scan.text, start, end) for number in scan.holds(self, start, end))
        return next((match for match in matches if match is not None), None)

    def finditer(self, scan: Searched, start: int, end: int) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        numbers = scan.holds(self, start, end)
        return self.parts.finditer(numbers, scan.text, start, end) if numbers else iter(())

    @cached_property
    def parts(self) -> Alternation:
        """Its alternatives."""
        return Alternation([self.pattern])

    @property
    def needs(self) -> Sequence[frozenset[str]]:
        """For each alternative: strings of which each of its matches holds one, empty where none are known."""
        if not self._needs:
            _settle([one for one in EVERY if not one._needs])
        return self._needs

    @cached_property
    def always(self) -> tuple[int, ...]:
        """Numbers of the alternatives that need no string."""
        return tuple(number for number, strings in enumerate(self.needs) if not strings)

    @cached_property
    def strings(self) -> frozenset[str]:
        """All strings that its alternatives need."""
        return frozenset().union(*self.needs)

    def held(self, words: AbstractSet[str]) -> tuple[int, ...]:
        """Numbers of the alternatives that can match where those strings stand."""
        if self.strings.isdisjoint(words):
            return self.always
        return tuple(number for number, strings in enumerate(self.needs) if not strings or not strings.isdisjoint(words))


EVERY: list[Guarded] = []  # in the order in which they were made


def _settle(unsettled: Sequence[Guarded]) -> None:
    """Find out what the alternatives of all these need, at once."""
    sources = [source for one in unsettled for source in one.parts.sources]
    needs = iter(needs_of("asked", sources))
    for one in unsettled:
        one._needs = tuple(sets[0] if sets else frozenset() for sets in islice(needs, len(one.parts.sources)))

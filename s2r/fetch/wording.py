"""Many wordings as one: the matches of their alternation, looked for only by those of them whose strings stand in a text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from s2r.lang.keptneeds import needs_of
from s2r.lang.literals import Literals

_ALIKE = str.maketrans("ıſςµ", "isσμ")  # letters that a case-blind expression takes for one another, though both are small


class Wording:
    """Case-blind regular expressions as alternatives, the earlier before the later; with `whole` each may end in punctuation.

    Matches are those of `"|".join(alternatives)`. A text is read once for the strings of which each match holds one.
    """

    def __init__(self, alternatives: Sequence[str], *, whole: bool = False) -> None:
        self._sources = tuple(rf"(?:{one})[\s.!?…:]*" if whole else one for one in alternatives)
        self._made: dict[int, re.Pattern[str]] = {}
        self._users: defaultdict[str, list[int]] = defaultdict(list)
        self._free: list[int] = []  # alternatives that any text may match
        for number, sets in enumerate(needs_of("wording", self._sources)):
            for word in sets[0] if sets else ():
                self._users[_folded(word)].append(number)
            if not sets:
                self._free.append(number)
        self._words = Literals(self._users)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, None when there is none."""
        return next(self.finditer(text), None)

    def stands_in(self, text: str) -> bool:
        """Whether there is a match anywhere."""
        return any(self._pattern(number).search(text) for number in self._possible(text))

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches from left to right, not overlapping."""
        nexts = {number: match for number in self._possible(text) if (match := self._pattern(number).search(text))}
        while nexts:
            number = min(nexts, key=lambda one: (nexts[one].start(), one))
            match = nexts[number]
            yield match
            end = match.end() + (match.end() == match.start())
            for other in [one for one, met in nexts.items() if met.start() < end]:
                if later := self._pattern(other).search(text, end):
                    nexts[other] = later
                else:
                    del nexts[other]

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of the whole text, None when there is none."""
        return next((match for number in self._possible(text) if (match := self._pattern(number).fullmatch(text))), None)

    def sub(self, new: str, text: str) -> str:
        """The text with `new` in place of each match."""
        return self._all.sub(new, text) if self._possible(text) else text

    def _possible(self, text: str) -> Sequence[int]:
        """The alternatives that a text can match, in order."""
        found = {number for word in self._words.present(_folded(text)) for number in self._users[word]}
        return sorted(found.union(self._free)) if found else self._free

    def _pattern(self, number: int) -> re.Pattern[str]:
        if number not in self._made:
            self._made[number] = re.compile(self._sources[number], re.IGNORECASE)
        return self._made[number]

    @cached_property
    def _all(self) -> re.Pattern[str]:
        return re.compile("|".join(self._sources), re.IGNORECASE)


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else text.replace("İ", "i").lower().translate(_ALIKE)

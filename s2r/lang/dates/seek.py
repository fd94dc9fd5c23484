"""The expressions of one language, tried at the words of a text with which they begin and beside the strings that they hold.

Nearly all expressions for dates begin where a word begins, and many with a digit: a text holds hundreds of such places and few
names of months. So each expression goes by the strings that its matches must hold, and looks at the beginnings just before them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from s2r.lang.dates.scan import foreign
from s2r.lang.literals import Literals, Sought

_WIDEST = 400  # an expression that may match more than this is tried at all words that it can begin with


class DateSought(Sought):
    """Expressions over folded text; gives what `Sought` gives."""

    __slots__ = ("_beginners", "_heads", "_widths")

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        super().__init__(patterns)
        beginners: defaultdict[str, list[int]] = defaultdict(list)
        for number, need in enumerate(self._needs):
            for head in {" " + _shape(head) for head in need.heads}:
                beginners[head].append(number)
        self._heads, self._beginners = Literals(beginners), list(beginners.values())
        self._widths = [need.width for need in self._needs]

    def at_words(self, text: str, ends: Mapping[str, list[int]], held: Mapping[int, Sequence[str]]) -> dict[int, list[re.Match[str]]]:
        """As that of `Sought`."""
        places: dict[int, list[int]] = {}
        for opening, start, _ in self._heads.hits(" " + _shape(text)):
            if opening in places:
                places[opening].append(start)
            else:
                places[opening] = [start]
        starts: dict[int, list[int]] = {}
        for opening, where in places.items():
            for number in self._beginners[opening]:
                if number in starts:
                    starts[number] += where
                elif number in held or number in self._free:
                    starts[number] = where.copy()
        found: dict[int, list[re.Match[str]]] = {}
        lasts: dict[tuple[str, ...], Sequence[int]] = {}
        for number, where in starts.items():
            where.sort()
            width = self._widths[number]
            if number in held and width <= _WIDEST:
                words = tuple(held[number])
                if words not in lasts:
                    lasts[words] = ends[words[0]] if len(words) == 1 else sorted([end for word in words for end in ends[word]])
                near = _before(where, lasts[words], width)
            else:
                near = where
            match, matches, end = self._patterns[number].match, list[re.Match[str]](), 0
            for at in near:
                if at >= end and (one := match(text, at)):
                    matches.append(one)
                    end = one.end()
            if matches:
                found[number] = matches
        return found


def _before(starts: Sequence[int], lasts: Sequence[int], width: int) -> list[int]:
    """Those of the starts from which a match of this width can hold a string that ends with a character at one of `lasts`; both
    ascend, and the fewer are gone through."""
    found: list[int] = []
    if len(starts) <= len(lasts):
        final = lasts[-1]
        for start in starts:
            if start > final:
                break
            if lasts[bisect_left(lasts, start)] - start < width:
                found.append(start)
        return found
    done = 0
    for last in lasts:
        low = bisect_left(starts, last - width + 1, done)
        done = bisect_right(starts, last, low)
        found += starts[low:done]
    return found


def _shape(text: str) -> str:
    """Text with a space for each character that is no part of a word and 0 for each digit. Text in Latin letters, with whatever signs, is
    translated as bytes, which is far quicker."""
    if text.isascii() or not any(char > "\xff" and (char.isalnum() or char == "_") for char in foreign(text)):
        return text.encode("latin-1", "replace").translate(_BYTES).decode("latin-1")
    return text.translate(_SHAPES)


def _shape_of(char: str) -> str:
    return "0" if char.isdecimal() else char if char.isalnum() or char == "_" else " "


class _Shapes(dict[int, str]):
    """For `str.translate`, which is slow for what a table does not hold."""

    def __missing__(self, code: int) -> str:
        self[code] = shape = _shape_of(chr(code))
        return shape


_SHAPES = _Shapes()
_BYTES = bytes(ord(_shape_of(chr(code))) for code in range(256))

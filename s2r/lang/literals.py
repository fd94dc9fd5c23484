"""Fixed strings: found all at once in a text, and read off regular expressions that cannot match without them.

A page holds only a few of the words that thousands of patterns look for. One pass finds which; a pattern then runs only near
the strings that each of its matches must hold, with the same matches as over the whole text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from re import _constants as sc  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation

from s2r.lang.keptneeds import kept
from s2r.lang.required import OTHER_CASE, alternatives, guards, heads, parse_pattern, rank, required

_LOOK = 64  # characters that an assertion may look beyond a match
_HEAD = 3  # characters of a word by which the places are found at which a pattern may begin
_DENSE = (
    4_000  # characters of all strings up to which a table of all transitions is small enough (longer ones cost 50 MB and are no faster)
)
_MOST_SOURCES = 16_384  # alternatives that are kept compiled
_WIDEST = 400  # a pattern that may match more than this runs over the whole text


class Literals:
    """A set of strings, found in a text in one pass (Aho and Corasick)."""

    __slots__ = ("_automaton", "words")

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        small = sum(map(len, self.words)) <= _DENSE
        kind = Implementation.DFA if small else Implementation.ContiguousNFA
        self._automaton = AhoCorasick(self.words, implementation=kind, store_patterns=True) if self.words else None

    def hits(self, text: str) -> list[tuple[int, int, int]]:
        """All places of all strings, by their ends: number of the string, start and end."""
        if self._automaton is None:
            return []
        try:
            return self._automaton.find_matches_as_indexes(text, overlapping=True)
        except UnicodeEncodeError:  # half of a surrogate pair
            return self._automaton.find_matches_as_indexes(_whole_characters(text), overlapping=True)

    def any(self, text: str) -> bool:
        """One of the strings stands in `text`."""
        return bool(self.hits(text))

    def places(self, text: str) -> Iterator[int]:
        """Offsets of the last characters of all places, ascending."""
        return (end - 1 for _, _, end in self.hits(text))

    def present(self, text: str) -> set[str]:
        """The strings that stand in `text`."""
        if self._automaton is None:
            return set()
        try:
            return set(self._automaton.find_matches_as_strings(text, overlapping=True))
        except UnicodeEncodeError:
            return set(self._automaton.find_matches_as_strings(_whole_characters(text), overlapping=True))

    def ends(self, text: str) -> dict[str, list[int]]:
        """For each string that stands in `text`: offsets of the last characters of all its places, ascending."""
        found: dict[str, list[int]] = {}
        words = self.words
        for number, _, end in self.hits(text):
            word = words[number]
            if word in found:
                found[word].append(end - 1)
            else:
                found[word] = [end - 1]
        return found


def _whole_characters(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, which no string to look for holds."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Sought:
    """Several regular expressions, to be run over one text after another. Those that begin at the start of a word are tried where a
    word begins as they can, the others near the strings that their matches hold.

    They are known by their numbers: the hash of an expression is worked out anew each time, from all of its code."""

    __slots__ = ("_free", "_literals", "_needs", "_numbers", "_openings", "_patterns", "_users")

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        self._patterns = tuple(patterns)
        self._numbers = {id(pattern): number for number, pattern in enumerate(self._patterns)}
        keys = [f"{pattern.flags} {pattern.pattern}" for pattern in self._patterns]
        self._needs = [_Need(*found) for found in kept("sought", keys, lambda: [_need(pattern) for pattern in self._patterns])]
        self._free = frozenset(number for number, need in enumerate(self._needs) if not need.strings)
        self._users: defaultdict[str, list[int]] = defaultdict(list)
        for number, need in enumerate(self._needs):
            for word in need.strings:
                self._users[word].append(number)
        self._literals = Literals(self._users)
        self._openings = _Openings(need.heads for need in self._needs)

    def over(self, text: str) -> Seeker:
        """The same expressions, ready for one text."""
        ends = self._literals.ends(text)
        held: dict[int, list[str]] = {}
        for word in ends:
            for number in self._users[word]:
                held.setdefault(number, []).append(word)
        return Seeker(self, text, ends, held)

    def possible(self, text: str) -> list[int]:
        """Numbers of those expressions whose strings the text holds, in their order; no other can match."""
        held = set(self._free)
        for word in self._literals.present(text):
            held.update(self._users[word])
        return sorted(held)

    def need(self, pattern: re.Pattern[str]) -> tuple[int, _Need]:
        """Number of one of the expressions, and what its matches need."""
        number = self._numbers[id(pattern)]
        return number, self._needs[number]

    def at_words(self, text: str, ends: Mapping[str, list[int]], held: Mapping[int, Sequence[str]]) -> dict[int, list[re.Match[str]]]:
        """Matches of those that begin at the start of a word, by their numbers; `held` are those whose strings stand in the text, with
        these strings, and `ends` the places of the strings. They are tried only where one of their strings is near enough."""
        found: dict[int, list[re.Match[str]]] = {}
        near: dict[int, list[int]] = {}
        for at, numbers in sorted(self._openings.over(text)):
            for number in numbers:
                reach = self._needs[number].reach
                if number in held and reach is not None:
                    places = near.get(number)
                    if places is None:
                        words = held[number]
                        places = near[number] = ends[words[0]] if len(words) == 1 else sorted(end for word in words for end in ends[word])
                    first = bisect_left(places, at)
                    if first == len(places) or places[first] > at + reach:
                        continue
                elif number not in held and number not in self._free:
                    continue
                known = found.get(number)
                if (not known or known[-1].end() <= at) and (match := self._patterns[number].match(text, at)):
                    found.setdefault(number, []).append(match)
        return found


class Seeker:
    """Matches in one text."""

    __slots__ = ("_at_words", "_ends", "_held", "_sought", "_text")

    def __init__(self, sought: Sought, text: str, ends: Mapping[str, list[int]], held: Mapping[int, Sequence[str]]) -> None:
        self._sought, self._text, self._ends, self._held = sought, text, ends, held
        self._at_words: dict[int, list[re.Match[str]]] | None = None

    def finditer(self, pattern: re.Pattern[str]) -> Iterable[re.Match[str]]:
        """What `pattern.finditer` gives over the whole text, for one of the expressions sought."""
        number, need = self._sought.need(pattern)
        held = self._held.get(number)
        if held is None and need.strings:
            return ()
        if need.heads:
            if self._at_words is None:
                self._at_words = self._sought.at_words(self._text, self._ends, self._held)
            return self._at_words.get(number, ())
        if held is None or need.reach is None:
            return pattern.finditer(self._text)
        return self._near(pattern, held, need.reach)

    def _near(self, pattern: re.Pattern[str], held: Iterable[str], reach: int) -> Iterator[re.Match[str]]:
        for low, high in spread((end for word in held for end in self._ends[word]), reach):
            yield from pattern.finditer(self._text, low, high)


class Nearby:
    """A regular expression that runs only around the strings of which each of its matches holds one: in the lines that hold one, or
    within `reach` characters of one. ValueError for an expression that needs none."""

    __slots__ = ("_finditer", "_reach", "_words")

    def __init__(self, pattern: re.Pattern[str], reach: int = 0) -> None:
        """Without `reach`, no match goes beyond its line; with it, none is longer."""
        sets = guards(parse_pattern(pattern.pattern))
        if not sets or pattern.flags & re.IGNORECASE:
            raise ValueError(f"no string stands in each match of {pattern.pattern!r}")
        self._words, self._reach = Literals(sets[0]), reach
        self._finditer = pattern.finditer

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """What `pattern.finditer` gives."""
        places = self._words.places(text)
        for low, high in spread(places, self._reach) if self._reach else _lines(text, places):
            yield from self._finditer(text, low, high)


def _lines(text: str, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The lines in which ascending places lie, each once."""
    high = -1
    for place in places:
        if place >= high:
            low, high = text.rfind("\n", 0, place) + 1, text.find("\n", place)
            high = len(text) if high < 0 else high
            yield low, high


class Alternation:
    """One regular expression `a|b|...` taken apart: only those alternatives run whose strings a text holds. Each is compiled when it
    first runs."""

    __slots__ = ("_compiled", "_flags", "sources")

    def __init__(self, sources: Iterable[str], *, split: bool = True, flags: int = 0) -> None:
        """Without `split` each source is one alternative."""
        self.sources = tuple(part for source in sources for part in (alternatives(source) if split else (source,)))
        self._flags = flags
        self._compiled: list[re.Pattern[str] | None] = [None] * len(self.sources)

    def pattern(self, number: int) -> re.Pattern[str]:
        """The alternative of this number."""
        pattern = self._compiled[number]
        if pattern is None:
            pattern = self._compiled[number] = _compile(self.sources[number], self._flags)
        return pattern

    def finditer(self, numbers: Sequence[int], text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
        """What the whole expression's `finditer(text, start, stop)` gives when no alternative but those of `numbers` (ascending) can
        match."""
        if len(numbers) == 1:
            yield from self.pattern(numbers[0]).finditer(text, start, stop)
            return
        found = [(match.start(), number, match) for number in numbers if (match := self.pattern(number).search(text, start, stop))]
        while found:
            best = min(found)[2]  # the leftmost, and of those that begin there the first alternative
            yield best
            end = max(best.end(), best.start() + 1)
            found = [
                (again.start(), number, again)
                for at, number, match in found
                if (again := match if at >= end else self.pattern(number).search(text, end, stop))
            ]


@lru_cache(maxsize=_MOST_SOURCES)
def _compile(source: str, flags: int) -> re.Pattern[str]:
    return re.compile(source, flags)


class Hint:
    """Whether a text can hold a match of a case-blind expression at all, by the strings of which each match holds one; ValueError for
    an expression that has none."""

    __slots__ = ("_words",)

    def __init__(self, pattern: re.Pattern[str]) -> None:
        sets = sorted(set(required(parse_pattern(pattern.pattern))), key=rank)
        if not sets:
            raise ValueError(f"no string stands in each match of {pattern.pattern!r}")
        self._words = Literals({word.lower() for word in sets[0]})

    def __call__(self, text: str) -> bool:
        """False only when the expression is nowhere in `text`."""
        return self._words.any(text.lower()) or not (text.isascii() or OTHER_CASE.isdisjoint(text))


class Opened:
    """A regular expression that is tried only where one of the strings stands with which its matches begin; ValueError for one of which
    these are not known."""

    __slots__ = ("_heads", "_match")

    def __init__(self, pattern: re.Pattern[str], size: int = 4) -> None:
        """`size`: characters of those strings."""
        found = heads(parse_pattern(pattern.pattern), size)
        if pattern.flags & re.IGNORECASE or any(not head or _DIGIT.search(head) for head in found):
            raise ValueError(f"it is not told with what {pattern.pattern!r} begins")
        self._heads, self._match = Literals(found), pattern.match

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """What `pattern.finditer` gives."""
        end = 0
        for at in self._places(text):
            if at >= end and (match := self._match(text, at)):
                end = match.end()
                yield match

    def search(self, text: str, start: int, stop: int) -> re.Match[str] | None:
        """What `pattern.search` gives between two offsets."""
        for at in self._places(text[start:stop]):
            if match := self._match(text, start + at, stop):
                return match
        return None

    def _places(self, text: str) -> list[int]:
        for blank in _BLANKS:
            if blank in text:
                text = text.replace(blank, " ")
        return sorted({start for _, start, _ in self._heads.hits(text)})


_DIGIT = re.compile(r"\d")
_BLANKS = tuple(chr(code) for code in range(0x3001) if chr(code).isspace() and code != 0x20)  # all white space but the space itself


class _Openings:
    """Strings with which words begin, found in one pass; characters that are no part of a word are all alike, and so are digits."""

    __slots__ = ("_literals", "_users")

    def __init__(self, openings: Iterable[Iterable[str]]) -> None:
        """The strings of each of some users, who are known by their numbers."""
        users: defaultdict[str, list[int]] = defaultdict(list)
        for number, strings in enumerate(openings):
            for opening in {" " + string.translate(_SHAPES) for string in strings}:
                users[opening].append(number)
        self._literals, self._users = Literals(users), list(users.values())

    def over(self, text: str) -> list[tuple[int, list[int]]]:
        """Places where a word can begin with one of the strings, each with the users of that string, nearly in order."""
        users = self._users
        return [(start, users[number]) for number, start, _ in self._literals.hits(" " + text.translate(_SHAPES))]


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


_WORD = re.compile(r"\w+")
_WORD_START = (-1, [(sc.IN, [(sc.CATEGORY, sc.CATEGORY_WORD)])])  # (?<!\w)


class _Shapes(dict[int, str]):
    """For `str.translate`: 0 for each digit of any script, a space for what is no part of a word."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = shape = "0" if char.isdecimal() else char if char.isalnum() or char == "_" else " "
        return shape


_SHAPES = _Shapes()


def _word_heads(parsed: Any) -> frozenset[str]:
    """What the words begin with at which an expression can match; none when it does not only match at the start of words."""
    if not parsed or parsed[0][0] is not sc.ASSERT_NOT or _plain(parsed[0][1]) != _WORD_START:
        return frozenset()
    found = heads(parsed, _HEAD)
    return found if all(head and _WORD.match(head) for head in found) else frozenset()


def _plain(assertion: Any) -> tuple[int, list[Any]]:
    return assertion[0], list(assertion[1])


class _Need(NamedTuple):
    """What each match of an expression holds (one of these strings; none known: empty), how far around one it can reach, what the words
    begin with at which it can match (empty when it does not only match there), and how long it can be."""

    strings: frozenset[str]
    reach: int | None
    heads: frozenset[str]
    width: int


def _need(pattern: re.Pattern[str]) -> tuple[frozenset[str], int | None, frozenset[str], int]:
    parsed = parse_pattern(pattern.pattern)
    width = parsed.getwidth()[1]
    if pattern.flags & re.IGNORECASE:
        return frozenset(), None, frozenset(), width
    sets = guards(parsed)
    return sets[0] if sets else frozenset(), width + _LOOK if width <= _WIDEST else None, _word_heads(parsed), width

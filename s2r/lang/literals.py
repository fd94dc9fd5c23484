"""Fixed strings: found all at once in a text, and read off regular expressions that cannot match without them.

A page holds only a few of the words that thousands of patterns look for. One pass finds which; a pattern then runs only near
the strings that each of its matches must hold, with the same matches as over the whole text.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from re import _constants as sc  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import ahocorasick

MIN_LITERAL = 2  # characters; shorter strings stand everywhere, but for signs and those of scripts where one character is a word
_MOST_STRINGS = 64  # that one stretch of a pattern is spelt out into
_LOOK = 64  # characters that an assertion may look beyond a match
_OTHER_CASE = frozenset("İıſK")  # match i, s and k in case-blind expressions, and are lowered to others or not at all
_HEAD = 3  # characters of a word by which the places are found at which a pattern may begin
_END_OF_HIT, _WORD_OF_HIT = operator.itemgetter(0), operator.itemgetter(1)
_MOST_SOURCES = 16_384  # alternatives of which it is kept what they need
_WIDEST = 400  # a pattern that may match more than this runs over the whole text


class Literals:
    """A set of strings, found in a text in one pass (Aho and Corasick)."""

    __slots__ = ("_automaton",)

    def __init__(self, words: Iterable[str]) -> None:
        self._automaton = ahocorasick.Automaton()
        for word in words:
            self._automaton.add_word(word, word)
        self._automaton.make_automaton()

    def any(self, text: str) -> bool:
        """One of the strings stands in `text`."""
        return bool(len(self._automaton)) and next(self._automaton.iter(text), None) is not None

    def places(self, text: str) -> Iterator[int]:
        """Offsets of the last characters of all places, ascending."""
        return map(_END_OF_HIT, self._automaton.iter(text)) if len(self._automaton) else iter(())

    def present(self, text: str) -> set[str]:
        """The strings that stand in `text`."""
        return set(map(_WORD_OF_HIT, self._automaton.iter(text))) if len(self._automaton) else set()

    def ends(self, text: str) -> dict[str, list[int]]:
        """For each string that stands in `text`: offsets of the last characters of all its places, ascending."""
        found: dict[str, list[int]] = {}
        if not len(self._automaton):
            return found
        known = found.get
        for end, word in self._automaton.iter(text):
            places = known(word)
            if places is None:
                found[word] = [end]
            else:
                places.append(end)
        return found


class Sought:
    """Several regular expressions, to be run over one text after another. Those that begin at the start of a word are tried where a
    word begins as they can, the others near the strings that their matches hold.

    They are known by their numbers: the hash of an expression is worked out anew each time, from all of its code."""

    __slots__ = ("_free", "_literals", "_needs", "_numbers", "_openings", "_patterns", "_users")

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        self._patterns = tuple(patterns)
        self._numbers = {id(pattern): number for number, pattern in enumerate(self._patterns)}
        self._needs = [_need(pattern) for pattern in self._patterns]
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

    def at_words(self, text: str, held: Container[int]) -> dict[int, list[re.Match[str]]]:
        """Matches of those that begin at the start of a word, by their numbers; `held` are the numbers of those whose strings stand in
        the text."""
        found: dict[int, list[re.Match[str]]] = {}
        for at, numbers in sorted(self._openings.over(text)):
            for number in numbers:
                if number in held or number in self._free:
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
                self._at_words = self._sought.at_words(self._text, self._held)
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

    __slots__ = ("_compiled", "sources")

    def __init__(self, sources: Iterable[str]) -> None:
        self.sources = tuple(part for source in sources for part in alternatives(source))
        self._compiled: list[re.Pattern[str] | None] = [None] * len(self.sources)

    def pattern(self, number: int) -> re.Pattern[str]:
        """The alternative of this number."""
        pattern = self._compiled[number]
        if pattern is None:
            pattern = self._compiled[number] = _compile(self.sources[number])
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
def _compile(source: str) -> re.Pattern[str]:
    return re.compile(source)


@lru_cache(maxsize=_MOST_SOURCES)
def needed(source: str) -> frozenset[str]:
    """Strings of which each match of a regular expression holds one, empty where none are known; worked out once for the cues of a
    language, which stand in many combinations of languages."""
    sets = guards(parse_pattern(source))
    return sets[0] if sets else frozenset()


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


class Hint:
    """Whether a text can hold a match of a case-blind expression at all, by the strings of which each match holds one; ValueError for
    an expression that has none."""

    __slots__ = ("_words",)

    def __init__(self, pattern: re.Pattern[str]) -> None:
        sets = sorted(set(required(parse_pattern(pattern.pattern))), key=_rank)
        if not sets:
            raise ValueError(f"no string stands in each match of {pattern.pattern!r}")
        self._words = Literals({word.lower() for word in sets[0]})

    def __call__(self, text: str) -> bool:
        """False only when the expression is nowhere in `text`."""
        return self._words.any(text.lower()) or not (text.isascii() or _OTHER_CASE.isdisjoint(text))


class Opened:
    """A regular expression whose matches begin where a word can begin, with one of some strings by which their places are found first;
    ValueError for another one."""

    __slots__ = ("_match", "_openings")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        parsed = parse_pattern(pattern.pattern)
        if not parsed or parsed[0][0] is not sc.ASSERT_NOT or _WORD_START[1][0][1][0] not in dict(_plain(parsed[0][1])[1])[sc.IN]:
            raise ValueError(f"it is not told that {pattern.pattern!r} begins where no word goes on")
        self._openings = _Openings([heads(parsed, _HEAD)])
        self._match = pattern.match

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """What `pattern.finditer` gives."""
        end = 0
        for at in sorted([at for at, _ in self._openings.over(text)]):
            if at >= end and (match := self._match(text, at)):
                end = match.end()
                yield match


class _Openings:
    """Strings with which words begin, found in one pass; characters that are no part of a word are all alike, and so are digits."""

    __slots__ = ("_automaton",)

    def __init__(self, openings: Iterable[Iterable[str]]) -> None:
        """The strings of each of some users, who are known by their numbers."""
        users: defaultdict[str, list[int]] = defaultdict(list)
        for number, strings in enumerate(openings):
            for opening in {" " + string.translate(_SHAPES) for string in strings}:
                users[opening].append(number)
        self._automaton = ahocorasick.Automaton()
        for opening, numbers in users.items():
            self._automaton.add_word(opening, (len(opening) - 1, numbers))
        self._automaton.make_automaton()

    def over(self, text: str) -> list[tuple[int, list[int]]]:
        """Places where a word can begin with one of the strings, each with the users of that string, nearly in order."""
        if not len(self._automaton):
            return []
        return [(end - back, numbers) for end, (back, numbers) in self._automaton.iter(" " + text.translate(_SHAPES))]


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
_DIGITS = frozenset("0123456789")


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
    """What each match of an expression holds (one of these strings; none known: empty), how far around one it can reach, and what the
    words begin with at which it can match (empty when it does not only match there)."""

    strings: frozenset[str]
    reach: int | None
    heads: frozenset[str]


def _need(pattern: re.Pattern[str]) -> _Need:
    if pattern.flags & re.IGNORECASE:
        return _Need(frozenset(), None, frozenset())
    parsed = parse_pattern(pattern.pattern)
    sets = guards(parsed)
    width = parsed.getwidth()[1]
    return _Need(sets[0] if sets else frozenset(), width + _LOOK if width <= _WIDEST else None, _word_heads(parsed))


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
    return {other for other in (char, char.lower(), char.upper(), *_OTHER_CASE) if re.fullmatch(re.escape(char), other, re.IGNORECASE)}

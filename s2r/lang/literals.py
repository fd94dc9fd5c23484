"""Fixed strings: found all at once in a text, and read off regular expressions that cannot match without them.

A page holds only a few of the words that thousands of patterns look for. One pass finds which; a pattern then runs only near
the strings that each of its matches must hold, with the same matches as over the whole text.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from re import _constants as sc  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

import ahocorasick

MIN_LITERAL = 2  # characters; shorter strings stand everywhere, but for signs and those of scripts where one character is a word
_MOST_STRINGS = 64  # that one stretch of a pattern is spelt out into
_LOOK = 64  # characters that an assertion may look beyond a match
_OTHER_CASE = frozenset("İıſK")  # match i, s and k in case-blind expressions, and are lowered to others or not at all
_HEAD = 3  # characters of a word by which the places are found at which a pattern may begin
_WORD_OF_HIT = operator.itemgetter(1)
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
    """Several regular expressions, to be run over one text after another."""

    __slots__ = ("_free", "_heads", "_literals", "_openings", "_reach", "_users")

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        needs = {p: _need(p) for p in patterns}
        self._free = frozenset(pattern for pattern, (literals, _) in needs.items() if not literals)
        self._reach = {pattern: reach for pattern, (_, reach) in needs.items()}
        self._heads = {pattern: found for pattern in needs if (found := _word_heads(pattern))}
        self._openings = frozenset().union(*self._heads.values())
        self._users: dict[str, list[re.Pattern[str]]] = {}
        for pattern, (literals, _) in needs.items():
            for word in literals:
                self._users.setdefault(word, []).append(pattern)
        self._literals = Literals(self._users)

    def over(self, text: str) -> Seeker:
        """The same expressions, ready for one text."""
        ends = self._literals.ends(text)
        held: dict[re.Pattern[str], list[str]] = {}
        for word in ends:
            for pattern in self._users[word]:
                held.setdefault(pattern, []).append(word)
        return Seeker(text, ends, held, self._free, self._reach, self._heads, self._openings)

    def possible(self, text: str) -> set[re.Pattern[str]]:
        """Those of the expressions whose strings the text holds; no other can match."""
        held = set(self._free)
        for word in self._literals.present(text):
            held.update(self._users[word])
        return held


class Seeker:
    """Matches in one text."""

    __slots__ = ("_ends", "_free", "_heads", "_held", "_openings", "_reach", "_text", "_words")

    def __init__(
        self,
        text: str,
        ends: Mapping[str, list[int]],
        held: Mapping[re.Pattern[str], Sequence[str]],
        free: frozenset[re.Pattern[str]],
        reach: Mapping[re.Pattern[str], int | None],
        heads: Mapping[re.Pattern[str], frozenset[str]],
        openings: frozenset[str],
    ) -> None:
        self._text, self._ends, self._held, self._free, self._reach, self._heads = text, ends, held, free, reach, heads
        self._openings = openings
        self._words: dict[str, list[int]] | None = None  # starts of words by what they begin with

    def finditer(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """What `pattern.finditer` gives over the whole text."""
        held = self._held.get(pattern)
        if held is None and pattern not in self._free:
            return iter(())
        if pattern in self._heads:
            return self._at_words(pattern, self._heads[pattern])
        reach = self._reach[pattern]
        if held is None or reach is None:
            return pattern.finditer(self._text)
        return self._near(pattern, held, reach)

    def _at_words(self, pattern: re.Pattern[str], heads: frozenset[str]) -> Iterator[re.Match[str]]:
        if self._words is None:
            self._words = _words(self._text, self._openings)
        end = 0
        for at in sorted(at for head in self._words.keys() & heads for at in self._words[head]):
            if at >= end and (match := pattern.match(self._text, at)):
                end = match.end()
                yield match

    def _near(self, pattern: re.Pattern[str], held: Iterable[str], reach: int) -> Iterator[re.Match[str]]:
        for low, high in spread((end for word in held for end in self._ends[word]), reach):
            yield from pattern.finditer(self._text, low, high)


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
    """A regular expression whose matches begin with one of some strings without digits, by which their places are found first."""

    __slots__ = ("_match", "_starts")

    def __init__(self, pattern: re.Pattern[str], before: str = "", size: int = 3) -> None:
        """`before` is an assertion with which the expression begins, and that is quick."""
        self._starts = re.compile(f"{before}(?={_trie(heads(parse_pattern(pattern.pattern), size))})")
        self._match = pattern.match

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """What `pattern.finditer` gives."""
        end = 0
        for start in self._starts.finditer(text):
            at = start.start()
            if at >= end and (match := self._match(text, at)):
                end = match.end()
                yield match


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
_DIGITS = frozenset("0123456789")  # other digits are counted as 0


def _words(text: str, openings: frozenset[str]) -> dict[str, list[int]]:
    """Where the words of a text start that begin with one of the openings, by their first characters, from one to `_HEAD`."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    whole: dict[str, list[list[int]]] = {}
    for word in _WORD.finditer(text):
        at = word.start()
        head = text[at : at + _HEAD]
        if not head.isascii():
            head = "".join("0" if char.isdecimal() and char not in _DIGITS else char for char in head)
        heads_of = whole.get(head)
        if heads_of is None:
            heads_of = whole[head] = [found[head[:size]] for size in range(1, len(head) + 1) if head[:size] in openings]
        for places in heads_of:
            places.append(at)
    return found


def _word_heads(pattern: re.Pattern[str]) -> frozenset[str]:
    """What the words begin with at which the expression can match; none when it does not only match at the start of words."""
    parsed = parse_pattern(pattern.pattern)
    if pattern.flags & re.IGNORECASE or not parsed or parsed[0][0] is not sc.ASSERT_NOT or _plain(parsed[0][1]) != _WORD_START:
        return frozenset()
    found = heads(parsed, _HEAD)
    return found if all(head and _WORD.match(head) for head in found) else frozenset()


def _plain(assertion: Any) -> tuple[int, list[Any]]:
    return assertion[0], list(assertion[1])


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
    """The characters of a class of few, None of one of many; digits of other scripts are left out."""
    found: set[str] = set()
    for kind, arg in members:
        if kind is sc.LITERAL:
            found.add(chr(arg))
        elif kind is sc.RANGE and arg[1] - arg[0] < _MOST_STRINGS:
            found.update(map(chr, range(arg[0], arg[1] + 1)))
        elif kind is sc.CATEGORY and arg is sc.CATEGORY_DIGIT:
            found |= _DIGITS
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


def _trie(words: Iterable[str]) -> str:
    """One expression for the beginnings; a mismatch fails at its first character."""
    below: defaultdict[str, set[str]] = defaultdict(set)
    for word in words:
        if not word:
            return ""
        below[word[0]].add(word[1:])
    parts = [re.escape(first) + ("" if "" in rest else f"(?:{_trie(rest)})") for first, rest in sorted(below.items())]
    return "|".join(parts)

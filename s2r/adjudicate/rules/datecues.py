"""The cue words that say what a date is the date of: compiled from the lexicons, and weighed by how near they stand to the date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from s2r.adjudicate.rules.datesentences import WINDOW, near
from s2r.lang.keptneeds import Needs, needs_of
from s2r.lang.literals import Alternation, Literals
from s2r.lang.required import alternatives
from s2r.models.evidence import DateKind, DateMention
from s2r.policy import DateLexicon

LONG = 24  # a cue longer than this is as far off as its middle
REACH = 110  # length of the longest cue
NEAR = 25.0  # distance at which a cue counts half
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0e00-\u0e7f]")
_COMMA = re.compile(r"[,:、，،]|\s-\s|\(|\)")
_STOP = re.compile(r"[;；]")
_TOLD = re.compile(r"\b(?:that|dass|daß|que|che|dat|att|że|iż|rằng|että|bahwa|bahawa)\b")
_COORDINATED = re.compile(r"\b(?:and|but|while|und|aber|et|mais|y|e|och|men|og|en|maar|ja|i|a|oraz|và|còn|dan|ve)\b")


class Side:
    """The cues that stand on one side of their dates. All of one kind, weight and reach are one expression, of which only those
    alternatives run whose strings stand there."""

    def __init__(self, lexicons: Sequence[DateLexicon], *sides: str) -> None:
        sources: dict[tuple[DateKind, float, int], list[str]] = {}
        for lexicon in lexicons:
            for cue in lexicon.cue:
                if cue.side in sides:
                    sources.setdefault((DateKind(cue.kind), cue.weight, cue.within), []).append(cue.pattern)
        self._cues = [(*key, Alternation(patterns)) for key, patterns in sources.items()]
        self._parts = [(number, part) for number, (*_, expression) in enumerate(self._cues) for part in range(len(expression.sources))]
        self._users: dict[str, list[int]] = {}  # by the string: alternatives by their numbers in `_parts`
        self._always: list[int] = []
        needs = {source: sets for lexicon in lexicons for source, sets in _needs(lexicon)}
        for at, (number, part) in enumerate(self._parts):
            sets = needs[self._cues[number][-1].sources[part]]
            for word in sets[0] if sets else ():
                self._users.setdefault(word, []).append(at)
            if not sets:
                self._always.append(at)
        self._literals = Literals(self._users)

    def possible(self, text: str) -> Sequence[tuple[DateKind, float, int, Callable[[int, int], Iterator[re.Match[str]]]]]:
        """Kind, weight, reach and matches between two offsets of the cues that the text can hold, in their order."""
        held = set(self._always)
        for word in self._literals.present(text):
            held.update(self._users[word])
        chosen: dict[int, list[int]] = {}
        for at in sorted(held):
            number, part = self._parts[at]
            chosen.setdefault(number, []).append(part)
        possible = []
        for number, parts in chosen.items():
            kind, weight, within, expression = self._cues[number]
            if len(parts) == 1:
                possible.append((kind, weight, within, partial(expression.pattern(parts[0]).finditer, text)))
            else:
                possible.append((kind, weight, within, partial(expression.finditer, parts, text)))
        return possible


def _needs(lexicon: DateLexicon) -> Iterator[tuple[str, Needs]]:
    sources = [source for cue in lexicon.cue for source in alternatives(cue.pattern)]
    return zip(sources, needs_of(f"cues.{lexicon.language}", sources), strict=True)


@dataclass(frozen=True, slots=True)
class Cues:
    """What some lexicons say of dates."""

    before: Side
    after: Side
    object: re.Pattern[str] | None
    qualify: re.Pattern[str] | None
    block: re.Pattern[str] | None
    settled: re.Pattern[str] | None


def _joined(patterns: Iterable[str]) -> re.Pattern[str] | None:
    parts = [f"(?:{p})" for p in patterns]
    return re.compile("|".join(parts)) if parts else None


_COMPILED: dict[tuple[int, ...], tuple[tuple[DateLexicon, ...], Cues]] = {}  # by identity; the lexicons are kept, so ids stay theirs


def compile_cues(cues: tuple[DateLexicon, ...]) -> Cues:
    """The cues of some lexicons, compiled once; a lexicon is too large to be hashed for each text."""
    key = tuple(map(id, cues))
    known = _COMPILED.get(key)
    if known is None:
        known = _COMPILED[key] = cues, _joined_cues(cues)
    return known[1]


def _joined_cues(cues: tuple[DateLexicon, ...]) -> Cues:
    return Cues(
        Side(cues, "before", "around"),
        Side(cues, "after", "around"),
        _joined(p.pattern for lexicon in cues for p in lexicon.object),
        _joined(p.pattern for lexicon in cues for p in lexicon.qualify),
        _joined(p.pattern for lexicon in cues for p in lexicon.block),
        _joined(p.pattern for lexicon in cues for p in lexicon.settled),
    )


def cue_scores(before: str, after: str, mention: DateMention, spans: Sequence[tuple[int, int]], cues: Cues) -> dict[DateKind, float]:
    """How much the words before and after a mention speak for each kind."""
    ranged = "range_start" in mention.flags or "range_end" in mention.flags
    scale = 2.5 if _DENSE.search(before[-30:] + after[:30]) else 1.0
    spans = near(spans, mention.start - WINDOW, mention.end + WINDOW)
    left = [mention.start - end for start, end in spans if end <= mention.start and mention.start - end <= len(before)]
    right = [start - mention.end for start, end in spans if start >= mention.end and start - mention.end <= len(after)]
    scores: dict[DateKind, float] = {}
    for kind, weight, within, found in cues.before.possible(before):
        if weight <= scores.get(kind, 0.0):
            continue  # all that lies between takes something off
        for m in reversed([*found(max(0, len(before) - within - REACH), len(before))]):  # the nearest first
            gap = len(before) - m.end()
            if gap > within:
                continue
            gap = max(gap, (len(before) - m.start() - LONG) // 2)
            if weight * (1 / (1 + gap * scale / NEAR)) <= scores.get(kind, 0.0):
                continue  # what lies between takes more off, and a nearer cue said as much
            owner = min((abs(len(before) - m.start() - d) for d in left if d > gap), default=gap)
            score = weight * _share(gap, owner) * _nearness(before[m.start() :], gap, sum(d < len(before) - m.start() for d in left), scale)
            other = min((d for d in left if d >= len(before) - m.start()), default=0)
            if kind is DateKind.ANNOUNCEMENT and _TOLD.search(before, m.end()):
                score *= 0.5  # "said that on 3 May it had": what was done, not said, on that day
            if other and scale == 1:
                score *= _rivalled(before[m.end() :], before[len(before) - other : m.start()], 1.0, 0.7)
            raise_to(scores, kind, score)
    for kind, weight, within, found in cues.after.possible(after):
        if weight <= scores.get(kind, 0.0):
            continue
        for m in found(0, len(after)):
            gap = m.start()
            if gap > within:
                break
            owner = gap if scale > 1 else min((abs(d - m.end()) for d in right if d >= m.end()), default=gap)
            gap = max(gap, (m.end() - LONG) // 2)
            if weight * (1 / (1 + gap * scale / NEAR)) <= scores.get(kind, 0.0):
                continue
            score = weight * _share(gap, owner) * _nearness(after[: m.end()], gap, sum(d < m.end() for d in right), scale)
            other = min((d for d in right if d >= m.end()), default=0)
            if other and scale == 1:
                score *= _rivalled(after[: m.start()], after[m.end() : other], 0.85, 0.6)
            raise_to(scores, kind, score)
    if ranged:
        scores[DateKind.EFFECTIVE] = scores.get(DateKind.EFFECTIVE, 0.0) / 2
    return scores


def _share(gap: int, other: int) -> float:
    """A cue that touches another date much more closely counts half for this one."""
    return 0.55 if other <= 5 and other < gap else 1.0


def _rivalled(own: str, other: str, least: float, left: float) -> float:
    """`left` of a cue's weight stays when another date draws it at least so many times as much; the texts lie between cue and dates."""
    return left if _pull(other) > least * _pull(own) else 1.0


def _pull(between: str) -> float:
    return _nearness(between, len(between), len(_COORDINATED.findall(between)), 1.0) if between else 1.0


def raise_to(scores: dict[DateKind, float], kind: DateKind, score: float) -> None:
    """Give a kind this score unless it has a higher one."""
    if score > scores.get(kind, 0.0):
        scores[kind] = score


def _nearness(between: str, gap: int, dates: int, scale: float) -> float:
    commas, stops = len(_COMMA.findall(between)), len(_STOP.findall(between))
    return float(0.7**commas * 0.35**stops * 0.4**dates / (1 + gap * scale / NEAR))


def stands_in(pattern: re.Pattern[str] | None, text: str) -> bool:
    """Whether an expression, if there is one, is found in a text."""
    return pattern is not None and pattern.search(text) is not None

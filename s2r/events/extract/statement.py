"""Which event a sentence states: types of one cycle compete (called off, done, agreed, rumoured), others stand for themselves."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from s2r.lang.text import fold
from s2r.policy.event_types import EventTypes

STRONG, WEAK = 2, 1
# Of one cycle the first that is stated counts; a statement goes before a hint.
_RANK = (("cancel", STRONG), ("complete", STRONG), ("announce", STRONG), ("rumour", STRONG), ("complete", WEAK), ("announce", WEAK))


class Statement(NamedTuple):
    """An event type stated in a sentence: span of its phrase in the original text, and how firmly it is stated (2 or 1)."""

    type: str
    start: int
    end: int
    strength: int


@lru_cache(maxsize=8)
def _compiled(digest: str, family: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, tuple[re.Pattern[str], ...]]:
    return {name: tuple(re.compile(pattern) for pattern in patterns) for name, patterns in family}


def _family(kinds: EventTypes, family: str) -> dict[str, tuple[re.Pattern[str], ...]]:
    return _compiled(
        kinds.digest + family,
        tuple((name, tuple(phrase.pattern for phrase in getattr(kind, family))) for name, kind in kinds.types.items()),
    )


def read_statements(text: str, kinds: EventTypes) -> list[Statement]:
    """All event types that a sentence states, one of each cycle."""
    folded = fold(text)
    state, hint, deny = (_family(kinds, family) for family in ("state", "hint", "deny"))
    found: dict[str, Statement] = {}
    for name in kinds.names:
        rest = folded.text
        for pattern in deny[name]:
            rest = pattern.sub(lambda match: "\x00" * len(match.group()), rest)
        for patterns, strength in ((state[name], STRONG), (hint[name], WEAK)):
            matches = [match for pattern in patterns if (match := pattern.search(rest))]
            if matches and name not in found:
                first = min(matches, key=lambda match: match.start())
                start, end = folded.span(first.start(), first.end())
                found[name] = Statement(name, start, end, strength)
    return _one_of_each_cycle(found, kinds)


def _one_of_each_cycle(found: dict[str, Statement], kinds: EventTypes) -> list[Statement]:
    kept = [statement for name, statement in found.items() if not kinds[name].cycle]
    for cycle in {kinds[name].cycle for name in found if kinds[name].cycle}:
        ranked = [
            statement
            for step, strength in _RANK
            for name, statement in found.items()
            if kinds[name].cycle == cycle and kinds[name].step == step and statement.strength == strength
        ]
        kept += ranked[:1]
    return sorted(kept, key=lambda statement: statement.start)

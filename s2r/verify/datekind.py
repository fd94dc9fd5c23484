"""Whether the words around a date call it another kind of date than a disclosure: effective day, last trading day, deadline, ...

Deliberately simpler than the reading in `adjudicate`, and made independently of it: it only speaks up when a cue of another kind
stands close to the date and no cue of a disclosure, a decision or a filing does.
"""

from __future__ import annotations

import re
from functools import lru_cache

from s2r.lang.text import fold
from s2r.models import DateKind
from s2r.policy import DateLexicon, Policy

OTHER_KINDS = frozenset(
    {DateKind.EFFECTIVE, DateKind.LAST_TRADING, DateKind.SUSPENSION, DateKind.DEADLINE, DateKind.RECORD, DateKind.HISTORY}
)
REACH = 60  # characters on each side
NEAR = 20.0  # distance at which a cue counts half
CLEAR = 0.6  # least score of a cue of another kind
MARGIN = 2.0  # by which it must beat every cue of a disclosure
_BREAK = re.compile(r"[。！？!?;；\n]|(?<=[^\W\d]{3})\.(?=\s)")


def other_kind(text: str, start: int, end: int, lang: str, policy: Policy) -> DateKind | None:
    """The kind of the date at [start:end) of `text` when its words clearly make it no disclosure, else None."""
    before = fold(_BREAK.split(text[max(0, start - REACH) : start])[-1]).text
    after = fold(_BREAK.split(text[end : end + REACH])[0]).text
    best: dict[DateKind, float] = {}
    for lexicon in policy.date_lexicons.values():
        if lexicon.language != "en" and lexicon.language.partition("-")[0] != lang.partition("-")[0]:
            continue
        for kind, side, within, weight, pattern in _compiled(lexicon):
            score = _score(pattern, before, after, side=side, within=within) * weight
            best[kind] = max(best.get(kind, 0.0), score)
    others = {kind: score for kind, score in best.items() if kind in OTHER_KINDS}
    if not others:
        return None
    kind = max(others, key=lambda k: others[k])
    rest = max((score for k, score in best.items() if k not in OTHER_KINDS), default=0.0)
    return kind if others[kind] >= CLEAR and others[kind] >= MARGIN * rest else None


@lru_cache(maxsize=64)
def _compiled(lexicon: DateLexicon) -> tuple[tuple[DateKind, str, int, float, re.Pattern[str]], ...]:
    return tuple((DateKind(cue.kind), cue.side, cue.within, cue.weight, re.compile(cue.pattern)) for cue in lexicon.cue)


def _score(pattern: re.Pattern[str], before: str, after: str, *, side: str, within: int) -> float:
    gaps = []
    if side in ("before", "around"):
        gaps += [len(before) - m.end() for m in pattern.finditer(before)]
    if side in ("after", "around"):
        gaps += [m.start() for m in pattern.finditer(after)]
    near = [gap for gap in gaps if gap <= within]
    return 1 / (1 + min(near) / NEAR) if near else 0.0

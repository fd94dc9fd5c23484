"""A disclosure whose day no page states: the latest day on which it can have been made."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import lru_cache

from s2r.adjudicate.rules.candidates import Candidate
from s2r.adjudicate.rules.document import Dated
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.models import DateKind, Modality
from s2r.policy import Policy

_ENDS = (DateKind.EFFECTIVE, DateKind.LAST_TRADING)


def implied(candidates: Sequence[Candidate], cutoff: dt.date, policy: Policy) -> tuple[Candidate, Dated] | None:
    """A first-hand passage without a disclosure day that was public by the cutoff all the same, with the date that bounds it.

    A notice was made by the earliest day that it speaks of as lying ahead; else by the day on which the listing ends at last.
    """
    for c in candidates:
        if c.day is not None or c.source_kind in SECOND_HAND:
            continue
        bound = _ahead(c, policy) or _end(c)
        if bound is not None and bound.day is not None and bound.day <= cutoff:
            return c, bound
    return None


def _end(c: Candidate) -> Dated | None:
    span = (c.unit.start, c.unit.end) if c.reading.modality is Modality.HISTORY else (0, len(c.doc.page.text))
    return max((d for d in c.doc.dates_in(*span) if d.day and d.kind in _ENDS), key=lambda d: d.day or dt.date.min, default=None)


def _ahead(c: Candidate, policy: Policy) -> Dated | None:
    """The earliest day in a sentence that says what will happen; words that history retells bound nothing."""
    pattern = _future(policy, c.doc.page.lang)
    if pattern is None or c.reading.modality is Modality.HISTORY:
        return None
    found = [
        d for unit in c.doc.units if unit.main and pattern.search(c.doc.folded_text(unit)) for d in c.doc.dates_in(unit.start, unit.end)
    ]
    return min((d for d in found if d.day and d.kind is not DateKind.HISTORY), key=lambda d: d.day or dt.date.max, default=None)


@lru_cache(maxsize=64)
def _compiled(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns))


def _future(policy: Policy, lang: str) -> re.Pattern[str] | None:
    lexicon = policy.date_lexicons.get(lang)
    return _compiled(*(phrase.pattern for phrase in lexicon.ahead)) if lexicon and lexicon.ahead else None

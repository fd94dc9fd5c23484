"""The rulings of a policy at work: which passages a switch refuses or admits, which reason it gives, which day it takes.

Pure. Switches that would change nothing at their value are left out once per policy, so they cost nothing.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from s2r.adjudicate.rules.candidates import Candidate, Judged
from s2r.adjudicate.rules.document import Dated, Document, Unit
from s2r.adjudicate.rules.reason import acting
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.adjudicate.rules.stage import QUALIFYING, Reading, bare_reading, strongest
from s2r.models import BlockKind, DateKind, Modality, Stage
from s2r.policy import STATED, Case, EventDefinition, Policy

PASSAGE = 2  # sentences either side that belong to the passage of a sentence
_ENDS = (DateKind.EFFECTIVE, DateKind.LAST_TRADING)
_DECIDED = (Stage.DECISION, Stage.DETERMINATION, Stage.APPLICATION, Stage.CONDITION_MET)
_NO_DISCLOSURE = (DateKind.LETTER, DateKind.MEETING, DateKind.RECORD)


@dataclass(frozen=True, slots=True)
class Rulings:
    """The switches of one policy that act. Cases that look at words stand before those that look at the stage alone."""

    refusing: tuple[tuple[str, Case], ...]
    admitting: tuple[tuple[str, Case, bool], ...]  # the first case that fits decides: True admits, False leaves it refused
    reasons: tuple[tuple[Case, str], ...]  # the first case that fits gives the reason


_ACTING: dict[int, tuple[EventDefinition, Rulings]] = {}  # by identity, which is cheap; the definition is kept, so ids stay its own


def rulings_for(policy: Policy) -> Rulings:
    """The switches of `policy` that act, worked out once."""
    definition = policy.definition
    known = _ACTING.get(id(definition))
    if known is None:
        known = _ACTING[id(definition)] = definition, _acting(definition)
    return known[1]


def _acting(definition: EventDefinition) -> Rulings:
    refusing: list[tuple[str, Case]] = []
    admitting: list[tuple[str, Case, bool]] = []
    reasons: list[tuple[Case, str]] = []
    for name, ruling in definition.rulings.items():
        for given in ruling.case:
            if ruling.gives_reason:
                reasons.append((given, str(ruling.value)))
                continue
            case = given if given.stage else given.model_copy(update={"stage": definition.qualifying_stages})
            # what speaks of another venue is passed over without a ruling, whatever its step
            alone = [not case.other_venue and _stands(stage, modality, definition) for stage in case.stage for modality in case.modality]
            if ruling.value in ruling.refused_by and any(alone):
                refusing.append((name, case))
            decided = ruling.value in ruling.admitted_by or ruling.value in ruling.refused_by
            if decided and (not all(alone) or case.stage == (Stage.CONDITION_MET,)):  # which else needs an end stated beside it
                admitting.append((name, case, ruling.value in ruling.admitted_by))
    if not any(admits for _, _, admits in admitting):
        admitting = []
    if all(case.reason == (value,) for case, value in reasons):
        reasons = []
    return Rulings(
        refusing=tuple(refusing),
        admitting=tuple(sorted(admitting, key=lambda item: not item[1].special)),
        reasons=tuple(sorted(reasons, key=lambda item: not item[0].special)),
    )


def _stands(stage: str, modality: str, definition: EventDefinition) -> bool:
    """The step qualifies without a ruling."""
    return stage in definition.qualifying_stages and modality in STATED


def ruled_reading(rulings: Rulings, doc: Document, unit: Unit, readings: Sequence[Reading]) -> Reading | None:
    """The reading that decides about a sentence: the strongest one, unless a ruling refuses it and other words state a step, or a
    ruling admits a weaker one or one that only its own words tell."""
    best = strongest(readings)
    if not (rulings.refusing or rulings.admitting):
        return best
    barred = [r for r in readings if refused(rulings, doc, unit, r)]
    if barred:
        left = strongest(r for r in readings if not any(r.start < b.end and b.start < r.end for b in barred))
        if left is not None and left.stage in QUALIFYING and left.modality.value in STATED:
            return left
    return next((r for r in readings if admitted(rulings, doc, unit, r)), best or _told_by_case(rulings, doc, unit))


def _told_by_case(rulings: Rulings, doc: Document, unit: Unit) -> Reading | None:
    """A sentence without a step of the lexicon that holds the words of an admitting case for such sentences."""
    for name, case, admits in rulings.admitting:
        if admits and case.pattern and Stage.NONE in case.stage and case.within == "sentence":
            match = _compiled(case.pattern).search(doc.folded.text, unit.fstart, unit.fend)
            if match is not None:
                return bare_reading(doc, unit, match.start(), match.end(), f"ruling:{name}")
    return None


def refused(rulings: Rulings, doc: Document, unit: Unit, reading: Reading) -> str:
    """Name of a ruling under which this step does not qualify, "" when none."""
    return next((name for name, case in rulings.refusing if fits(case, doc, unit, reading)), "")


def admitted(rulings: Rulings, doc: Document, unit: Unit, reading: Reading) -> Case | None:
    """The case under which this step qualifies although the rules would pass it over, None when there is none.

    A headline is never admitted: the text below it says what was done.
    """
    if not rulings.admitting or unit.kind in (BlockKind.TITLE, BlockKind.HEADING):
        return None
    for _, case, admits in rulings.admitting:
        if fits(case, doc, unit, reading):
            return case if admits else None
    return None


def fits(case: Case, doc: Document, unit: Unit, reading: Reading) -> bool:
    """Whether a ruling decides about this step; `case.reason` is not looked at here."""
    if (case.stage and reading.stage.value not in case.stage) or reading.modality.value not in case.modality:
        return False
    if case.source and doc.source_kind not in case.source:
        return False
    if case.actor and (acting(doc, unit, reading.start) or "none") not in case.actor:
        return False
    return _said(case, doc, _around(case.within, doc, unit))


def _around(within: str, doc: Document, unit: Unit) -> Sequence[Unit]:
    if within == "sentence":
        return (unit,)
    if within == "document":
        return [u for u in doc.units if u.main]
    return [u for u in doc.units if u.main and (abs(u.index - unit.index) <= PASSAGE or u.kind is BlockKind.TITLE)]


def _said(case: Case, doc: Document, units: Sequence[Unit]) -> bool:
    """The words and one of the lexicon families of a case are found in some of `units`."""
    if case.pattern:
        search = _compiled(case.pattern).search
        if not any(search(doc.folded.text, u.fstart, u.fend) for u in units):
            return False
    return not case.family or any(doc.scan.within(family, u.fstart, u.fend) for family in case.family for u in units)


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def ruled_reason(policy: Policy, found: str, doc: Document, unit: Unit, reading: Reading) -> str:
    """The reason that the rulings give to a step for which the words suggest `found`."""
    for case, value in rulings_for(policy).reasons:
        if found in case.reason and fits(case, doc, unit, reading):
            return value
    return found


def ruled_day(policy: Policy, candidate: Candidate) -> Candidate:
    """The candidate with the day that the rulings on dates take for its disclosure."""
    letters = policy.ruling("letter_or_meeting_date")
    own = candidate.doc.dates_in(candidate.unit.start, candidate.unit.end) if letters == "always" else ()
    dated = _first(own, _NO_DISCLOSURE, candidate.day)
    if policy.ruling("canonical_date") == "decision" and candidate.reading.stage in _DECIDED:
        dated = _decided(candidate) or dated
    if dated is not None:
        m, why = dated.mention, f"day of the {dated.kind.value}, by a ruling on dates"
        return replace(candidate, day=dated.day, direct=True, origin="text", date_start=m.start, date_end=m.end, why=why)
    if letters == "never" and candidate.date_start >= 0:
        told = candidate.doc.dates_in(candidate.date_start, candidate.date_end)
        if candidate.origin == "text" and any(d.kind in _NO_DISCLOSURE for d in told):
            why = "dated only by a letter or meeting"
            return replace(candidate, day=None, direct=False, origin="", date_start=-1, date_end=-1, why=why)
    return candidate


def _decided(c: Candidate) -> Dated | None:
    """The date on which the sentence says that the decision was taken: one so marked, else the meeting's, else a bare one."""
    dates = c.doc.dates_in(c.unit.start, c.unit.end)
    kinds = (DateKind.DECISION, DateKind.MEETING, DateKind.OTHER)
    return next((found for kind in kinds if (found := _first(dates, (kind,), c.day))), None)


def _first(dates: Iterable[Dated], kinds: Sequence[DateKind], limit: dt.date | None) -> Dated | None:
    known = [d for d in dates if d.day is not None and d.kind in kinds and (limit is None or d.day <= limit)]
    return min(known, key=lambda d: d.day or dt.date.max, default=None)


def standing(policy: Policy, judged: Sequence[Judged], cutoff: dt.date) -> list[Candidate]:
    """The candidates of all documents that the rulings on later pages, third parties and reversals leave standing."""
    found = [c for j in judged for c in j.candidates]
    if policy.ruling("later_page_may_prove") is False:
        found = [c for j in judged for c in j.candidates if not _published_after(j, cutoff) or (c.day is not None and c.day > cutoff)]
    third = policy.ruling("third_party_effective_day")
    if third == "ignored":
        found = [c for c in found if c.day is not None or c.source_kind not in SECOND_HAND]
    elif third == "dates":
        found = [_dated_by_end(c) for c in found]
    if policy.ruling("reversal_undoes") is True:
        undone = max((day for j in judged if (day := _reversed_on(j)) is not None and day <= cutoff), default=None)
        found = [c for c in found if undone is None or (c.day is not None and c.day > undone)]
    return found


def _published_after(judged: Judged, cutoff: dt.date) -> bool:
    return judged.published is not None and judged.published.day > cutoff


def _dated_by_end(c: Candidate) -> Candidate:
    """A third party's undated passage with the effective or last trading day that it names."""
    if c.day is not None or c.source_kind not in SECOND_HAND:
        return c
    dated = _first(c.doc.dates_in(c.unit.start, c.unit.end), _ENDS, None)
    if dated is None:
        return c
    m = dated.mention
    return replace(c, day=dated.day, origin="text", date_start=m.start, date_end=m.end, why="gives the effective day")


def _reversed_on(judged: Judged) -> dt.date | None:
    """The day on which a document discloses that the end of this listing is taken back."""
    stated = any(
        r.stage is Stage.REVERSAL and r.modality in (Modality.ASSERTED, Modality.ATTRIBUTED) and s.target == "this"
        for _, r, s, _ in judged.findings
    )
    return judged.published.day if stated and judged.published else None

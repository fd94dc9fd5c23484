"""Which procedural step a unit states, and how: asserted, negated, conditional, planned, hypothetical, attributed, history.

The guards follow the error types of event annotation: no occurrence yet (planned, conditional), negated claim, assumption
(hypothetical), abstraction (rules and lists: no actor and no target), named entity (identity.py), narrative (history).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from s2r.adjudicate.rules.asked import asked, foretold, possible, prepared
from s2r.adjudicate.rules.carried import asks_others, carried
from s2r.adjudicate.rules.document import Document, Unit, once
from s2r.adjudicate.rules.forgone import forgone
from s2r.adjudicate.rules.lexis import Hit, Scan
from s2r.adjudicate.rules.listchanges import struck_entry
from s2r.adjudicate.rules.lookalikes import admission, line_replaced, off_watch_list, onto_watch_list, proceedings_closed, too_hard
from s2r.adjudicate.rules.objects import other_object
from s2r.adjudicate.rules.scheduled import scheduled
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.adjudicate.rules.stagewords import AGENDA, ASIDE, BREAK, ENTRY, JOINED, LETTER_SAYS, REPORTED, WAS_OPEN
from s2r.adjudicate.rules.tradable import on_last_day
from s2r.adjudicate.rules.unreserved import VERB_FIRST, done, open_conditions, undenied
from s2r.models import BlockKind, Modality, Stage

QUALIFYING = (Stage.DETERMINATION, Stage.DECISION, Stage.FILING, Stage.APPLICATION, Stage.REMOVAL, Stage.CONDITION_MET)
WEAKER = (
    Stage.REVERSAL,
    Stage.CONDITIONAL_DECISION,
    Stage.SEGMENT,
    Stage.WARNING,
    Stage.PROPOSAL,
    Stage.PLAN,
    Stage.CURE,
    Stage.APPEAL,
    Stage.SUSPENSION,
    Stage.LAST_TRADING,
    Stage.RUMOUR,
)
ACTS = ("decision", "application", "filing", "removal")
_DECIDED = (Stage.DETERMINATION, Stage.DECISION, Stage.FILING, Stage.APPLICATION, Stage.REMOVAL)
_STEPS = {stage: f"stage.{stage.value}" for stage in (*QUALIFYING, *WEAKER)}  # families of the lexicon
_STATING = frozenset({"object", *_STEPS.values()})  # without one of them a sentence states no step
# of a stronger step, in this order
_TAKES_PLACE = (Stage.REVERSAL, Stage.CONDITIONAL_DECISION, Stage.SEGMENT, Stage.APPEAL, Stage.CURE, *WEAKER[3:6], Stage.RUMOUR)
_HELD = "stage.conditional_decision"
MAX_GAP = 220  # folded characters between an object and its act; longer sentences join unrelated things
AUXILIARY = 12  # folded characters of an auxiliary verb before a step ("has now withdrawn")
HEARSAY = "hearsay"  # opens the reason of a step that is told in reportive mood or from nameless sources
NEAR = 28  # reach of a negation or a modal verb around its act, folded characters
POINTED = re.compile(
    r"\b(?:these|those|such|diese[rnms]?|ces|estas|estos|queste|tali|essas|estes|deze|dessa|disse|nämä|tych)\b"
)  # those of the change
LETTER = 280  # folded characters before a step within which the letter that tells of it is named
COMPLETED = 60  # folded characters between a decision and the cure that it is about
LINK = 28  # folded characters between a reversal and the step that it undoes
TECHNICAL = "technical change of a line, no end of a listing"
PROVISO = 70  # folded characters after a break within which a proviso on the decision ends


Said = Mapping[str, list[Hit]]  # hits of one sentence by family


class Reading(NamedTuple):
    """What one unit states. `start`, `end` bound the decisive words in folded text; `rule` names the lexicon lines."""

    stage: Stage
    modality: Modality
    start: int
    end: int
    rule: str
    why: str = ""
    whole: bool = False  # a complete phrase, not object + act
    veiled: Reading | None = (
        None  # the step that a move between segments takes the place of; it stands where the segment is another venue's
    )


@once
def read_unit(doc: Document, unit: Unit) -> tuple[Reading, ...]:
    """All steps that a unit states, strongest first; () when it states none."""
    scan, start, end = doc.scan, unit.fstart, unit.fend
    if (struck := struck_entry(doc, unit)) is not None:
        return (Reading(Stage.DECISION, Modality.ASSERTED, *struck, "list of changes", whole=True),)
    said = scan.some(_STATING, start, end)
    if not said:
        return ()
    if (held := said.get(_HELD)) is not None:
        said = {**said, _HELD: undenied(scan, held, start, end)}
    technical = scan.within("stage.technical", start, end)
    qualifying = _qualifying(scan, said, start, end)
    replaced = bool(qualifying) and line_replaced(scan, start, end)
    readings: list[Reading] = []
    for reading in qualifying:
        pointed = technical and POINTED.search(scan.text, max(start, reading.start - 8), reading.end)
        if replaced or any(_overlap(reading, hit) for hit in technical) or (technical and not reading.whole) or pointed:
            readings.append(_with(reading, Stage.NONE, Modality.ASSERTED, TECHNICAL))
            continue
        readings.append(_weigh(doc, unit, said, reading))
    for stage in WEAKER:
        for hit in said.get(_STEPS[stage], ()):
            modality = _modality(doc, unit, hit.start, hit.end)[0]
            readings.append(Reading(stage, modality, hit.start, hit.end, hit.rule, whole=True))
    objects = said.get("object", [])
    open_still = objects and not any(r.stage in _DECIDED and r.modality is Modality.ASSERTED for r in readings)
    if open_still and (passed := carried(doc, unit, objects)) is not None:
        return (Reading(Stage.DECISION, Modality.ASSERTED, passed.start, passed.end, passed.rule, whole=True),)
    if objects and all(r.stage in (Stage.SUSPENSION, Stage.LAST_TRADING) for r in readings):  # trading stops, and the listing ends on a day
        ended = next((o for o in objects if not any(_overlap(r, o) for r in readings)), None)
        if ended is not None:
            readings += _of_object(doc, unit, ended, bool(technical), bool(readings))
    return tuple(readings)


LISTED = 12  # sentences between what a meeting or board adopts and an entry of its list


def _adopted(doc: Document, unit: Unit) -> bool:
    """An entry of the list that follows "the meeting has adopted:", first-hand, where no word makes it a proposal."""
    if doc.source_kind in SECOND_HAND or unit.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM) or not ENTRY.match(doc.folded_text(unit)):
        return False
    for before in reversed(doc.units[max(0, unit.index - LISTED) : unit.index]):
        text = doc.folded_text(before).rstrip()
        if text.endswith(":"):
            return _adopts(doc, before)
        if before.kind in (BlockKind.TITLE, BlockKind.HEADING):
            return False
    return False


def _adopts(doc: Document, unit: Unit) -> bool:
    acts = doc.scan.within("act.decision", unit.fstart, unit.fend)
    actors = any(doc.scan.within(f"actor.{name}", unit.fstart, unit.fend) for name in ("holders", "board"))
    weaker = [hit for name in ("proposal", "plan") for hit in doc.scan.within(f"act.{name}", unit.fstart, unit.fend)]
    if not acts or not actors or any(not AGENDA.search(doc.folded.text, hit.start, hit.end) for hit in weaker):
        return False
    return any(_modality(doc, unit, act.start, act.end)[0] is Modality.ASSERTED for act in acts)


def _of_object(doc: Document, unit: Unit, hit: Hit, technical: bool, suspended: bool) -> list[Reading]:
    """The end of a listing that a sentence names without an act; beside a suspension only where it is decided."""
    scan, start, end = doc.scan, unit.fstart, unit.fend
    modality, why = _modality(doc, unit, hit.start, hit.end)
    stage = next((Stage(act) for act in ("proposal", "plan") if scan.within(f"act.{act}", start, end)), Stage.NONE)
    free = not technical and not line_replaced(scan, start, end) and not scan.within("modality.failed", start, end)
    free = free and stage is Stage.NONE and modality is Modality.ASSERTED
    if free and (scheduled(doc, unit, hit, after=suspended) or (not suspended and _adopted(doc, unit))):
        stage = Stage.DECISION
    return [] if suspended and stage is not Stage.DECISION else [Reading(stage, modality, hit.start, hit.end, hit.rule, why)]


def says_step(scan: Scan, start: int, end: int) -> bool:
    """Words of some step stand in [start, end) of the folded text."""
    return bool(scan.some(_STATING, start, end))


def bare_reading(doc: Document, unit: Unit, start: int, end: int, rule: str) -> Reading:
    """Words [start, end) that no step of the lexicon covers, with the way they are stated."""
    modality, why = _modality(doc, unit, start, end)
    return Reading(Stage.NONE, modality, start, end, rule, why)


def _qualifying(scan: Scan, said: Said, start: int, end: int) -> list[Reading]:
    found: list[Reading] = []
    for stage in QUALIFYING:
        for hit in said.get(_STEPS[stage], ()):
            found.append(Reading(stage, Modality.ASSERTED, hit.start, hit.end, hit.rule, whole=True))
    objects = said.get("object", [])
    for act in ACTS if objects else ():
        for hit in done(scan, act, start, end):
            nearest = _nearest([o for o in objects if not _parted(scan.text, o, hit)], hit)
            if nearest is not None:
                low, high = min(nearest.start, hit.start), max(nearest.end, hit.end)
                found.append(Reading(Stage(act), Modality.ASSERTED, low, high, f"{nearest.rule}+{hit.rule}"))
    return found


def _parted(text: str, one: Hit, other: Hit) -> bool:
    """A semicolon stands between two phrases: they belong to different statements."""
    low, high = min(one.end, other.end), max(one.start, other.start)
    return low < high and any(mark in text[low:high] for mark in ";；")


def _nearest(objects: list[Hit], act: Hit) -> Hit | None:
    best: tuple[int, Hit] | None = None
    for hit in objects:
        gap = max(hit.start - act.end, act.start - hit.end, 0)
        if gap <= MAX_GAP and (best is None or gap < best[0]):
            best = (gap, hit)
    return best[1] if best else None


def _overlap(reading: Reading, hit: Hit) -> bool:
    return hit.start < reading.end and reading.start < hit.end


def _with(reading: Reading, stage: Stage, modality: Modality, why: str) -> Reading:
    return Reading(stage, modality, reading.start, reading.end, reading.rule, why, reading.whole)


def _weigh(doc: Document, unit: Unit, said: Said, reading: Reading) -> Reading:
    """Give a qualifying reading its modality, or turn it into the weaker step that the sentence really states."""
    if (watched := off_watch_list(doc.scan, reading.start, reading.end, unit.fend)) is not None:
        return Reading(Stage.CURE, Modality.ASSERTED, *watched.span(), reading.rule, "off a watch list", whole=True)
    if (warned := onto_watch_list(doc.scan, reading.start, reading.end, unit.fend)) is not None:
        return Reading(Stage.WARNING, Modality.ASSERTED, *warned.span(), reading.rule, "onto a watch list", whole=True)
    if (closed := proceedings_closed(doc.folded.text, reading.start, reading.end, unit.fstart, unit.fend)) is not None:
        return Reading(Stage.CURE, Modality.ASSERTED, *closed.span(), reading.rule, "proceedings that are closed", whole=True)
    if (spared := forgone(doc.scan, reading.start, reading.end, unit.fstart, unit.fend)) is not None:
        return Reading(Stage.REVERSAL, Modality.ASSERTED, *spared.span(), reading.rule, f"not taken: {spared.group()[-40:]!r}", whole=True)
    if (other := other_object(doc, unit, reading.stage, reading.start, reading.end)) is not None:
        return Reading(other.stage, Modality.ASSERTED, other.start, other.end, reading.rule, other.why, whole=True)
    if (granted := admission(doc.scan, reading.start, reading.end, unit.fend)) is not None:
        return _with(reading, Stage.NONE, Modality.ASSERTED, f"an admission: {granted.group()!r}")
    if reading.stage is not Stage.REMOVAL and (weighed := too_hard(doc.folded.text, reading.end, unit.fend)) is not None:
        return _with(reading, reading.stage, Modality.HYPOTHETICAL, f"what it would be: {weighed.group()[-40:]!r}")
    if (open_word := asked(doc.scan, reading.start, reading.end, unit.fstart) or possible(doc.folded.text, reading.end)) is not None:
        return _with(reading, reading.stage, Modality.HYPOTHETICAL, f"asked or possible: {open_word.group()[:40]!r}")
    if (told := foretold(doc.scan, reading.start, reading.end, unit.fstart, unit.fend)) is not None:
        return _with(reading, reading.stage, Modality.HYPOTHETICAL, f"foretold: {told.group()[:40]!r}")
    if (ahead := prepared(doc.scan, reading.start, reading.end, unit.fstart, unit.fend)) is not None:
        return _with(reading, Stage.PLAN, Modality.PLANNED, f"prepared: {ahead.group()[:40]!r}")
    weaker = _weaker_step(doc.scan, said, reading)
    if weaker is not None and weaker.stage is not Stage.SEGMENT:
        return weaker
    if weaker is not None:
        modality, why = _modality(doc, unit, reading.start, reading.end, decided=reading.stage is not Stage.REMOVAL)
        return weaker._replace(veiled=_with(reading, reading.stage, modality, why))
    if (fate := _failed(doc.scan, unit, reading)) is not None:
        why = f"a motion that failed: {doc.folded.text[fate.end - 20 : fate.end]!r}"
        return Reading(Stage.REVERSAL, Modality.ASSERTED, fate.start, fate.end, fate.rule, why, whole=True)
    decided, proviso = reading.stage is not Stage.REMOVAL, reading.stage is not Stage.FILING
    modality, why = _modality(doc, unit, reading.start, reading.end, decided=decided, reserved=proviso)
    return _with(reading, reading.stage, modality, why)


def _weaker_step(scan: Scan, said: Said, reading: Reading) -> Reading | None:
    """A complete phrase of a weaker step that covers the act takes its place ("resolved to propose", "was suspended")."""
    for stage in _TAKES_PLACE:
        for hit in said.get(_STEPS[stage], ()):
            governs = (
                stage is Stage.SEGMENT
                or (stage is Stage.REVERSAL and hit.start <= reading.start + AUXILIARY)
                # "approved the removal" goes on "from the watch-list", "decided to take the delisting" on "off the agenda"
                or (stage in (Stage.CURE, Stage.REVERSAL) and hit.end > reading.end)
                or (stage is Stage.PROPOSAL and asks_others(scan, reading.start, reading.end, hit))  # resolved to ask others to decide
                # a proviso that follows the act, or a word before it that makes it conditional
                or (stage is Stage.CONDITIONAL_DECISION and (hit.end > reading.end or hit.start < reading.start))
            )
            undoes = stage is Stage.REVERSAL and _undoes(scan.text, hit, reading)
            undoes = undoes or (stage is Stage.CURE and _completes(scan.text, hit, reading))
            longer = reading.whole and reading.end - reading.start > hit.end - hit.start
            if undoes or (_overlap(reading, hit) and (governs or not longer)):
                return Reading(
                    stage, Modality.ASSERTED, hit.start, hit.end, hit.rule, f"states {stage.value}, not {reading.stage.value}", whole=True
                )
    if not reading.whole:
        for act in ("proposal", "plan"):
            for hit in scan.within(f"act.{act}", reading.start, reading.end):
                return Reading(Stage(act), Modality.PLANNED, hit.start, hit.end, hit.rule, f"{act}, not {reading.stage.value}")
    return None


def _failed(scan: Scan, unit: Unit, reading: Reading) -> Hit | None:
    """Words from a motion to its fate between which the step stands ("the motion to delist the shares was voted down")."""
    if reading.stage is Stage.FILING and reading.whole:
        return None  # a form is filed, whatever became of a motion
    hits = scan.within("modality.failed", unit.fstart, unit.fend)
    return next((hit for hit in hits if hit.start <= reading.end and reading.start < hit.end), None)


def _completes(text: str, hit: Hit, reading: Reading) -> bool:
    """A cure right after a decision tells what was decided ("accepted the request of the company for removal from the watch-list")."""
    between = text[reading.end : hit.start]
    return 0 <= hit.start - reading.end <= COMPLETED and not any(mark in between for mark in ",;:") and " and " not in between


def _undoes(text: str, hit: Hit, reading: Reading) -> bool:
    """The reversal's object is the step that follows it ("set aside the order of the exchange to delist")."""
    return (
        0 <= reading.start - hit.end <= LINK and " and " not in text[hit.end : reading.start] and ";" not in text[hit.end : reading.start]
    ) or (reading.start < hit.start and hit.end < reading.end and not JOINED.search(text, hit.end, reading.end))


def clause(doc: Document, unit: Unit, start: int, end: int) -> tuple[int, int]:
    """Bounds of the clause of [start, end) of folded text inside its unit."""
    low = unit.fstart
    for opens, closes in _breaks(doc, unit):
        if closes <= start:
            low = closes
        elif opens >= end:
            return low, opens
    return low, unit.fend


@once
def _breaks(doc: Document, unit: Unit) -> tuple[tuple[int, int], ...]:
    """Where one clause of a unit ends and where the next begins, in folded text."""
    return tuple(match.span() for match in BREAK.finditer(doc.folded.text, unit.fstart, unit.fend))


def _modality(doc: Document, unit: Unit, start: int, end: int, *, decided: bool = False, reserved: bool = False) -> tuple[Modality, str]:
    """How the words [start, end) are stated. `decided`: the act is a completed decision, which a later proviso on another
    matter ("unless an appeal is taken") does not weaken. `reserved`: the next clause may make it conditional."""
    scan, text = doc.scan, doc.folded.text
    low, high = clause(doc, unit, start, end)
    for hit in scan.within("modality.negated", low, high):
        if _reach(hit, start, end) <= NEAR and not _gives_cause(text, hit, unit.fstart, start, end) and not _of_another(scan, hit, start):
            return Modality.NEGATED, f"negated by {text[hit.start : hit.end]!r}"
    for hit in open_conditions(scan, low, high):
        if decided and hit.start >= end and (_about_appeal(scan, hit, high) or WAS_OPEN.search(text, end, hit.start)):
            continue
        return Modality.CONDITIONAL, f"conditional: {text[hit.start : hit.end]!r}"
    if (first := VERB_FIRST.match(text, unit.fstart, unit.fend)) is not None and first.end() <= start + LINK:
        return Modality.CONDITIONAL, f"conditional: {text[first.start() : first.start() + LINK]!r}"
    if reserved and (proviso := _proviso(scan, high, unit.fend)) is not None:
        return Modality.CONDITIONAL, f"conditional: {text[proviso.start : proviso.end]!r}"
    if "?" in text[end : unit.fend]:
        return Modality.HYPOTHETICAL, "a question"
    for family, modality in (("hypothetical", Modality.HYPOTHETICAL), ("planned", Modality.PLANNED)):
        for hit in scan.within(f"modality.{family}", low, high):
            if decided and hit.start >= end:
                continue
            near = _reach(hit, start, end) <= NEAR * 2 and not REPORTED.search(text, low, hit.start)
            if near and not on_last_day(text, unit.fstart, hit.start, hit.end):
                return modality, f"{family}: {text[hit.start : hit.end]!r}"
    for hit in scan.within("modality.hearsay", unit.fstart, unit.fend):
        if hit.start < high and low < hit.end:
            return Modality.HYPOTHETICAL, f"{HEARSAY}: {text[hit.start : hit.end][:60]!r}"
    for hit in scan.within("modality.attributed", low, high):
        return Modality.ATTRIBUTED, f"attributed: {text[hit.start : hit.end]!r}"
    for hit in scan.within("modality.history", low, high):
        if LETTER_SAYS.search(text, max(low, hit.start - LETTER), hit.start) or (decided and ASIDE.search(text, end, hit.start)):
            continue
        return Modality.HISTORY, f"history: {text[hit.start : hit.end]!r}"
    return Modality.ASSERTED, ""


# what opens a clause that gives the cause of a step: its negation is not the step's ("removed because it has published no accounts")
CAUSE = (
    r"\b(?:because|omdat|aangezien|doordat|weil|nachdem|da (?:die|der|das|sie|es|er|seit|ein\w*|kein\w*|nicht|selskabet|den|det|der|aktie\w*)|parce qu|faute|dès lors qu|puisqu|porque|ya que"
    r"|toda vez que|dado que|al no|por no|visto que|uma vez que|já que|por não|perché|poiché|in quanto|dato che|eftersom|då|sedan|fordi|idet|ettersom|koska|ponieważ|gdyż|bowiem|wobec|vì)\b"
)
_CAUSE_AFTER, _CAUSE_BEFORE = re.compile(CAUSE), re.compile(rf"\W*{CAUSE}[^,;.]{{3,200}},")


def _gives_cause(text: str, hit: Hit, low: int, start: int, end: int) -> bool:
    """The negation stands in a clause that says why the step was taken: after the step, or at the head of the sentence (from `low`)."""
    if hit.start >= end:
        return bool(_CAUSE_AFTER.search(text, end, hit.end))
    cause = _CAUSE_BEFORE.match(text, low, start)
    return cause is not None and hit.end <= cause.end() <= start


def _of_another(scan: Scan, hit: Hit, start: int) -> bool:
    """Behind the negation, past a comma, a body acts ("trading will not resume, the exchange removing the shares on 4 May")."""
    if hit.end >= start or "," not in (between := scan.text[hit.end : start]):
        return False
    bodies = scan.within("actor.exchange", hit.end + between.rindex(","), start)
    return bool(bodies) and start - bodies[-1].end <= 1


def _proviso(scan: Scan, low: int, high: int) -> Hit | None:
    """The next clause takes back part of the decision (", but it is subject to the lenders' consent"): a condition near its
    opening that speaks neither of holders' choices nor of another end of a listing."""
    if scan.within("object", low, high):
        return None
    for hit in open_conditions(scan, low, min(high, low + PROVISO)):
        if not scan.within("actor.holders", low, hit.start) and not _about_appeal(scan, hit, high):
            return hit
    return None


def _reach(hit: Hit, start: int, end: int) -> int:
    return max(hit.start - end, start - hit.end, 0)


def _about_appeal(scan: Scan, hit: Hit, high: int) -> bool:
    return bool(scan.within("stage.appeal", hit.start, high)) or bool(scan.within("stage.appeal", max(0, hit.start - 60), high))


def strongest(readings: Iterable[Reading]) -> Reading | None:
    """The reading that decides about a unit: an asserted qualifying one, then any qualifying one, then the first weaker one."""
    ranked = sorted(readings, key=_rank)
    return ranked[0] if ranked else None


def _rank(reading: Reading) -> tuple[int, int]:
    if reading.stage in QUALIFYING:
        if reading.modality is Modality.ASSERTED:
            return 0, QUALIFYING.index(reading.stage)
        if reading.modality in (Modality.HISTORY, Modality.ATTRIBUTED):
            return 1, QUALIFYING.index(reading.stage)
        return 2, QUALIFYING.index(reading.stage)
    return (3, WEAKER.index(reading.stage)) if reading.stage in WEAKER else (4, 0)

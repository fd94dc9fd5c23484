"""All documents of a listing -> one verdict: the first qualifying disclosure by the cutoff wins, conflicts stay visible."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Sequence

from s2r.adjudicate.rules.candidates import Candidate, Judged, rows_of_others
from s2r.adjudicate.rules.confirmed import closed_that_day
from s2r.adjudicate.rules.corrected import without_corrected
from s2r.adjudicate.rules.docdate import DATE_LINE, Published, published
from s2r.adjudicate.rules.document import Dated, Document, Unit
from s2r.adjudicate.rules.explain import MAX_QUOTE, claim_of, conflicts_of, finding_of, later_event, quote_span, steps_of, timeline_of
from s2r.adjudicate.rules.identity import Fit, Identity, Subject
from s2r.adjudicate.rules.implied import implied
from s2r.adjudicate.rules.life import signs_of_life, without_the_living
from s2r.adjudicate.rules.lonely import lonely
from s2r.adjudicate.rules.matters import (
    one_matter,
    without_continued,
    without_elsewhere,
    without_namesake,
    without_replaced,
    without_segment_moves,
)
from s2r.adjudicate.rules.noted import published_before
from s2r.adjudicate.rules.obstacles import HEADS, UNTIL, obstacle_to
from s2r.adjudicate.rules.ofday import FORMAL, names_actor, of_the_day
from s2r.adjudicate.rules.reason import disclosure_type, find_reason
from s2r.adjudicate.rules.rulings import ruled_day, ruled_reading, ruled_reason, rulings_for, standing
from s2r.adjudicate.rules.said import REPORTED, UNSETTLED, said_of_another
from s2r.adjudicate.rules.sources import SECOND_HAND, WEAK
from s2r.adjudicate.rules.stage import QUALIFYING, Reading, clause, read_unit
from s2r.adjudicate.rules.target import Target
from s2r.adjudicate.rules.whichclass import class_doubt
from s2r.lang.names import Strength
from s2r.models import OPEN_START, BlockKind, DateKind, Finding, LaterEvent, Modality, Precision, Stage, Status, TimelinePoint, Verdict
from s2r.policy import Policy

NO_DAY_NAMED = "a report that names no day of the disclosure, and no first-hand document states the step"
LOOSE = "a source of unknown kind reports it in loose words, and no first-hand document does"
RETOLD_ALONE = "only a source of unknown kind retells a qualifying step, with a day; no document that discloses it was found"
STATES_DAY = "states the disclosure day"
LATE_DAYS = 60  # a notice of its own date may publish a decision this much older (confidential decisions of SIX and others)
NAMING = 4  # headlines and sentences of another document that name the issuer and may tell the cause
MONTH_AFTER = 30  # characters after a step within which the month that it is told of begins
FRESH_DAYS = 10  # an act dated further back than this from its page is retold, not disclosed
EPISODE_DAYS = 500  # documents older than this tell of an earlier episode
CONTRADICTION_DAYS = 400  # a first-hand document this long after a press report still speaks about the same procedure
_ACT_KINDS = {
    DateKind.DECISION,
    DateKind.ANNOUNCEMENT,
    DateKind.FILING,
    DateKind.MEETING,
    DateKind.EFFECTIVE,
    DateKind.LETTER,
    DateKind.OTHER,
}


def judge_document(doc: Document, target: Target, policy: Policy) -> Judged:
    """Read all units of one document for one target."""
    findings: list[tuple[Unit, Reading, Subject, str]] = []
    candidates: list[Candidate] = []
    rulings = rulings_for(policy)
    readings = [(unit, reading) for unit in doc.units if unit.main and (reading := ruled_reading(rulings, doc, unit, read_unit(doc, unit)))]
    best = published(doc, from_text=bool(readings))
    if not readings:
        return Judged(doc, best, [], [])
    identity = Identity(doc, target, policy)
    readings = [(unit, _unveiled(identity, reading)) for unit, reading in readings]
    for unit, reading in readings:
        subject = identity.subject(unit, reading.start, reading.end)
        obstacle = obstacle_to(doc, unit, reading, subject, readings, identity, policy)
        findings.append((unit, reading, subject, obstacle))
        if not obstacle:
            candidates.append(ruled_day(policy, _candidate(doc, unit, reading, subject, best)))
    for part in ("venue", "security"):
        candidates, findings = one_matter(part, candidates, findings)
    candidates, findings = without_elsewhere(identity, candidates, findings)
    candidates, findings = without_replaced(doc, identity, candidates, findings)
    candidates, findings = without_segment_moves(identity, candidates, findings)
    candidates, findings = without_namesake(candidates, findings)
    candidates, findings = without_continued(doc, identity, candidates, findings)
    return Judged(doc, best, findings, candidates)


def _unveiled(identity: Identity, reading: Reading) -> Reading:
    """The step itself, where the segment that it speaks of belongs to another venue."""
    return reading.veiled if reading.veiled is not None and identity.goes_elsewhere(reading) else reading


def _candidate(doc: Document, unit: Unit, reading: Reading, subject: Subject, best: Published | None) -> Candidate:
    """Give a qualifying passage its disclosure day: its document's, or the one the passage itself states for the disclosure."""
    dates = doc.dates_in(unit.start, unit.end)
    announced = [d for d in dates if d.kind is DateKind.ANNOUNCEMENT and d.day is not None]
    acts = [d.day for d in dates if d.kind in _ACT_KINDS and d.day is not None]
    day = best.day if best else None
    retold = reading.modality is Modality.HISTORY or doc.source_kind in WEAK
    if day is not None and acts and not retold:
        own_line = best is not None and best.rank <= DATE_LINE and doc.source_kind not in SECOND_HAND
        reach = LATE_DAYS if own_line and reading.stage not in (Stage.REMOVAL, Stage.CONDITION_MET) else FRESH_DAYS
        retold = max(acts) < day - dt.timedelta(days=reach)
    if day is not None and not retold and (_opens_in_the_past(doc, unit, reading, day) or _in_an_earlier_month(doc, unit, reading, day)):
        retold = True
    stated = min(
        (d for d in announced if day is None or (d.day is not None and d.day <= day)), key=lambda d: d.day or dt.date.max, default=None
    )
    reported = doc.source_kind in SECOND_HAND and day is not None and stated is not None and stated.day is not None
    fresh = reported and (day - stated.day).days <= FRESH_DAYS  # type: ignore[operator,union-attr]
    fresh = fresh or (stated is not None and stated.day in published_before(doc, unit, day, reading.start))
    if stated is not None and stated.day is not None and (retold or day is None or fresh):
        m = stated.mention
        return Candidate(doc, unit, reading, subject, stated.day, not retold, "text", m.start, m.end, doc.source_kind, STATES_DAY)
    if retold or best is None:
        return Candidate(doc, unit, reading, subject, None, False, "", -1, -1, doc.source_kind, "retold without the day of disclosure")
    return Candidate(doc, unit, reading, subject, day, True, best.origin, best.start, best.end, doc.source_kind, "day of the document")


_OPENING_YEAR = re.compile(
    r"\W*(?:(?:and|but|already|back|bereits|schon|redan|allerede|jo|al|reeds|so|ya|déjà|già|já|już|und|och|og|en) )?"
    r"(?:(?:in|im|i|during|en|em|nel|w|vuonna|as early as)(?: (?:the year|early|late|mid|jahre?|år(?:et)?|het jaar|roku|año|[^\W\d_]{3,10}))? )?"
    r"((?:19|20)\d\d)\b(?![-/.]\d)(?=,| (?:[^\s,;.]+ ){0,8}?(?:had|was|were|gave|left|ha[dt]\w*|gab|wurde\w*|verlie\w+|oli|lopet\w+|lämnade|forlo[dt]|opga[vf]\w*|the|it|its|die|der|das))"
)


def _opens_in_the_past(doc: Document, unit: Unit, reading: Reading, day: dt.date) -> bool:
    """The clause opens with an earlier year and names no day ("In 2011 the company had given up ..."): it is retold."""
    low, high = clause(doc, unit, reading.start, reading.end)
    opening = _OPENING_YEAR.match(doc.folded.text, low, high) or _YEAR_EAST.search(doc.folded.text, low, reading.start)
    return opening is not None and int(opening[1]) < day.year and not any(d.day for d in doc.dates_in(unit.start, unit.end))


# "2003年に大阪証券取引所で上場廃止となった", "2010년 상장폐지": a year before the step, in its clause, and no day
_YEAR_EAST = re.compile(
    r"((?:19|20)\d\d) ?(?:年|년)(?:(?:\d{1,2} ?(?:月|월))?(?:に|에|在|被|于|於|曾|から|초|말|,|、|,|(?= (?:상장|거래소|한국|코스닥|최종))))[^、,,。;]{0,24}$"
)


_IN_MONTH = re.compile(r"[^.,;:]{0,16}?\bin (?:early |late |mid-?)?$")


def _in_an_earlier_month(doc: Document, unit: Unit, reading: Reading, day: dt.date) -> bool:
    """Right after the step stands a past month ("received a staff determination in March 2014"): it is retold."""
    end = doc.folded.span(reading.start, reading.end)[1]
    for d in doc.dates_in(end, min(unit.end, end + MONTH_AFTER)):
        month = d.mention
        if d.day is None and month.precision is Precision.MONTH and _IN_MONTH.fullmatch(doc.page.text, end, month.start):
            return month.value is not None and month.value[:7] < (day - dt.timedelta(days=FRESH_DAYS)).isoformat()[:7]
    return False


def decide(target: Target, judged: Sequence[Judged], policy: Policy, *, coverage_sufficient: bool, coverage_cause: str) -> Verdict:
    """Choose the first qualifying disclosure on or before the cutoff; explain what was passed over."""
    cutoff = target.listing.cutoff
    candidates = [
        c
        for c in standing(policy, judged, cutoff)
        if c.direct or c.source_kind not in SECOND_HAND or not said_of_another(c, judged, target)
    ]
    rank = {kind: n for n, kind in enumerate(policy.definition.source_rank)}

    def key(c: Candidate) -> tuple[dt.date, int, bool, int, int]:
        heading = c.unit.kind in (BlockKind.TITLE, BlockKind.HEADING)
        return c.day or dt.date.max, rank.get(c.source_kind, 99), heading, c.doc.order, c.unit.index

    direct = sorted((c for c in candidates if c.direct and c.day is not None), key=key)
    retold = sorted((c for c in candidates if not c.direct and c.day is not None and c.source_kind not in (*WEAK, "unknown")), key=key)
    kept, ended = without_the_living([*direct, *retold], judged, target, policy)
    kept, corrected = without_corrected(kept, judged, target)
    retold = [c for c in retold if c in kept]
    direct, doubted = _consistent([c for c in direct if c in kept], judged, target)
    doubted += [*ended, *corrected]
    before = [c for c in direct if c.day <= cutoff]  # type: ignore[operator]
    after = [c for c in direct if c.day > cutoff]  # type: ignore[operator]
    told_before = [c for c in retold if c.day <= cutoff]  # type: ignore[operator]
    later = later_event(after)
    doubtful = {(c.doc.page.url, c.unit.index) for c, _ in doubted}
    steps = (*steps_of(judged, cutoff, doubtful), *(f"Doubted: {c.day} {c.source_kind} {c.doc.page.url}: {why}." for c, why in doubted))
    findings = tuple(finding_of(j, item) for j in judged for item in j.findings)
    timeline = timeline_of(judged, cutoff)
    chosen: Candidate | None = None
    confidence = 0.0
    if before:
        chosen, confidence = before[0], 0.9
    elif told_before and not after:
        chosen, confidence = told_before[0], 0.6
    bound: Dated | None = None
    if chosen is None and not after and (undisclosed := implied(candidates, cutoff, policy)):
        if signs := signs_of_life(judged, target, policy, undisclosed[1].day or cutoff):
            steps = (*steps, f"Doubted: {undisclosed[0].source_kind} {undisclosed[0].doc.page.url}: {signs[0][1]}.")
        else:
            chosen, bound, confidence = *undisclosed, 0.4
    if chosen is not None and (why := lonely(chosen, judged, target)):
        return _abstains(f"The step of {chosen.day or 'an unknown day'} is doubtful: {why}", findings, timeline, steps, later)
    if chosen is not None:
        conflicts = conflicts_of(chosen, [*before, *told_before], candidates)
        if doubt := class_doubt(chosen, target.listing):
            conflicts = (*conflicts, doubt)
        return _yes(target, chosen, bound, judged, policy, findings, timeline, conflicts, steps, later, confidence)
    undated = [c for c in candidates if c.day is None and c.source_kind not in WEAK]
    if (
        coverage_sufficient
        and not after
        and any(not c.direct and c.day and c.day <= cutoff and c.source_kind == "unknown" for c in candidates)
    ):
        coverage_sufficient, coverage_cause = False, RETOLD_ALONE
    if not coverage_sufficient:
        return _abstains(coverage_cause, findings, timeline, steps, later)
    if target.listing.mic not in policy.venues and (elsewhere := _ends_somewhere(judged, cutoff)):
        return _abstains(_no_venue(target, elsewhere), findings, timeline, steps, later)
    note = f"The first qualifying disclosure found is of {after[0].day}, after the cutoff {cutoff}." if after else ""
    if undated and not after:
        note = "A qualifying step is retold, but no document dates its disclosure on or before the cutoff."
    elif not after and (said := [c for c, why in doubted if c.day is not None and c.day <= cutoff and why in (NO_DAY_NAMED, LOOSE)]):
        report = f"A report of {said[0].day} states the end of this listing ({said[0].doc.page.url})"
        note = f"{report}, and no first-hand document was found that confirms or denies it."
    open_end = bool(note) and not after
    step = note or f"No document discloses a qualifying step about this listing on or before {cutoff}."
    return Verdict(
        status=Status.NO,
        confidence=0.5 if open_end else 0.85,
        findings=findings,
        timeline=timeline,
        conflicts=(note,) if open_end else (),
        steps=(*steps, step),
        later_event=later,
    )


def _ends_somewhere(judged: Sequence[Judged], cutoff: dt.date) -> Document | None:
    """A document by the cutoff that states an end of a listing of the issuer, on whatever venue it says."""
    for j in judged:
        if j.published is None or j.published.day <= cutoff:
            for _, reading, subject, _ in j.findings:
                ends = reading.stage in QUALIFYING and reading.modality not in UNSETTLED and reading.modality is not Modality.NEGATED
                if ends and subject.issuer is not Fit.OTHER and (subject.venue is Fit.OTHER or subject.target == "this"):
                    return j.doc
    return None


def _no_venue(target: Target, doc: Document) -> str:
    mic, venue = target.listing.mic, target.listing.venue
    said = f"no venue file of the policy has the MIC {mic}" if mic else "the row has no MIC"
    said += f", and {venue!r} names none that it knows" if venue else ""
    return f"Which venue the row means is not known ({said}), and {doc.page.url} states the end of a listing of the issuer: give the MIC."


def _abstains(
    cause: str, findings: tuple[Finding, ...], timeline: tuple[TimelinePoint, ...], steps: tuple[str, ...], later: LaterEvent | None
) -> Verdict:
    return Verdict(
        status=Status.ABSTAIN,
        confidence=0.2,
        findings=findings,
        timeline=timeline,
        steps=(*steps, f"Abstains: {cause}"),
        later_event=later,
        abstain_reason=cause,
    )


def _quoted_day(chosen: Candidate) -> tuple[int, int] | None:
    """Where the page states the chosen day: at its origin, else (a day of the address) wherever the text names the same day."""
    if chosen.date_start >= 0:
        return chosen.date_start, chosen.date_end
    return next(((d.mention.start, d.mention.end) for d in chosen.doc.dates if d.day == chosen.day), None)


def _consistent(
    direct: Sequence[Candidate], judged: Sequence[Judged], target: Target
) -> tuple[list[Candidate], list[tuple[Candidate, str]]]:
    """Leave out second-hand reports that first-hand documents contradict: an event that issuer, exchange or regulator disclose
    only later was not disclosed when the press said so, and one after which they still speak of a warning, a proposal or an
    unbroken listing had not happened."""
    first_hand = [c for c in direct if c.source_kind not in SECOND_HAND]
    earliest = min((c.day for c in first_hand if c.day), default=None)
    kept: list[Candidate] = []
    doubted: list[tuple[Candidate, str]] = []
    for c in direct:
        why = ""
        if c.source_kind in SECOND_HAND and c.day is not None:
            if what := said_of_another(c, judged, target):
                why = f"first-hand documents of that time say it of {what}"
            elif earliest is not None and c.day < earliest and not _reports_well(c, earliest, judged, first_hand):
                why = f"first-hand documents disclose it only on {earliest}"
            elif earliest is None and (denial := _denied(c, c.day, judged)):
                why = denial
            elif (
                earliest is None
                and c.why != STATES_DAY
                and not (c.source_kind == "unknown" and names_actor(c))
                and not of_the_day(c, target.listing.issuer)
            ):
                why = NO_DAY_NAMED
            elif c.source_kind == "unknown" and not (c.reading.whole and c.reading.stage in FORMAL):
                why = LOOSE
        if why:
            doubted.append((c, why))
        else:
            kept.append(c)
    return kept, doubted


def _reports_well(c: Candidate, earliest: dt.date, judged: Sequence[Judged], first_hand: Sequence[Candidate]) -> bool:
    """A report shortly before the first first-hand document that names the day of the disclosure in formal words, and that
    nothing first-hand contradicts: the notice itself is not among the documents. Or a party's page on its deal of that day."""
    near = c.day is not None and (earliest - c.day).days <= FRESH_DAYS
    formal = c.reading.whole and c.reading.stage in FORMAL and c.origin == "text"
    reported = near and formal and c.source_kind == "press" and c.day is not None and not _denied(c, c.day, judged)
    return reported or closed_that_day(c, first_hand, FRESH_DAYS)


def _denied(c: Candidate, day: dt.date, judged: Sequence[Judged]) -> str:
    """A first-hand document after `day` that still states an earlier step, or that the security stays listed; or one that the report
    follows within days and that makes the step conditional. A vote since then may have met the condition."""
    voted = bool(c.doc.scan.within("actor.holders", c.unit.fstart, c.unit.fend))
    for j in judged:
        if j.doc.source_kind in SECOND_HAND or j.candidates or not j.published:
            continue
        later = j.published.day
        after = dt.timedelta(0) <= later - day <= dt.timedelta(days=CONTRADICTION_DAYS)
        ended = dt.timedelta(0) <= day - later <= dt.timedelta(days=ENDED_DAYS)
        followed = not voted and dt.timedelta(0) < day - later <= REPORTED
        if not after and not ended and not followed:
            continue
        pending = any(r.modality in UNSETTLED and s.target == "this" for _, r, s, _ in j.findings)
        for unit, reading, subject, blocked in j.findings:
            if UNTIL.search(j.doc.scan, unit.fstart, unit.fend):
                continue  # "stays listed until then" denies nothing
            open_still = reading.stage in _EARLIER or reading.modality in UNSETTLED
            open_still = open_still or (followed and bool(blocked) and reading.stage in QUALIFYING)
            if subject.target == "this" and (open_still if after or followed else reading.stage in _ENDED and not pending):
                return f"{j.doc.source_kind} of {later} still states {reading.stage.value}"
    return ""


_ENDED = (Stage.CURE, Stage.REVERSAL)
ENDED_DAYS = 90  # a procedure that first-hand documents ended this shortly before is not reported as done
_EARLIER = (Stage.WARNING, Stage.PROPOSAL, Stage.CONDITIONAL_DECISION, Stage.CURE, Stage.REVERSAL, Stage.PLAN)


def _told_of(judged: Judged, target: Target) -> list[Unit]:
    """Units of another document that tell of the listing: those that state a step of it, headlines that name the issuer, and
    sentences of a first-hand document that name it beside an insolvency."""
    about = [u for u, _, s, _ in judged.findings if s.target == "this"]
    doc = judged.doc
    if doc.source_kind in WEAK:
        return about
    first_hand = doc.source_kind not in SECOND_HAND
    insolvent = [u for u in doc.units if first_hand and doc.scan.within("reason.insolvency", u.fstart, u.fend)]
    rest = [u for u in doc.units if u.main and u not in about and (u.kind in HEADS or u in insolvent)]
    named = (u for u in rest if any(m.strength is not Strength.NAMESAKE for m in target.matcher.find(doc.text(u))))
    return about + list(itertools.islice(named, NAMING))


def _yes(
    target: Target,
    chosen: Candidate,
    bound: Dated | None,
    judged: Sequence[Judged],
    policy: Policy,
    findings: tuple[Finding, ...],
    timeline: tuple[TimelinePoint, ...],
    conflicts: tuple[str, ...],
    steps: tuple[str, ...],
    later: LaterEvent | None,
    confidence: float,
) -> Verdict:
    doc, unit = chosen.doc, chosen.unit
    context = [
        (j.doc, _told_of(j, target))
        for j in judged
        if j.doc is not doc and j.published and chosen.day and 0 <= (chosen.day - j.published.day).days <= EPISODE_DAYS
    ]
    reason = find_reason(doc, unit, chosen.reading.stage, chosen.reading.start, target.classes, context, rows_of_others(doc, judged))
    named = ruled_reason(policy, reason.reason, doc, unit, chosen.reading) if reason else None
    kind = disclosure_type(chosen.source_kind)
    claims = [claim_of("status", "yes", doc, *quote_span(doc, unit, chosen.reading))]
    if chosen.day is not None and (quoted := _quoted_day(chosen)):
        claims.append(claim_of("announcement_date", chosen.day.isoformat(), doc, *quoted))
    elif bound is not None:
        claims.append(claim_of("announcement_date", f"{OPEN_START}{bound.day}", doc, bound.mention.start, bound.mention.end))
    if reason is not None and named is not None:
        claims.append(claim_of("reason", named, reason.doc, reason.start, min(reason.end, reason.start + MAX_QUOTE)))
    claims.append(claim_of("disclosure_type", kind, doc, *quote_span(doc, unit, chosen.reading)))
    known = chosen.day or (f"day unknown, not after {bound.day}" if bound else "day unknown")
    step = f"First qualifying disclosure: {known} ({chosen.why}), {chosen.reading.stage.value} by {chosen.source_kind}, {doc.page.url}, rule {chosen.reading.rule}."
    if conflicts:
        confidence -= 0.15
    return Verdict(
        status=Status.YES,
        announcement_date=chosen.day,
        date_precision=Precision.DAY if chosen.day else Precision.NONE,
        reason=named,
        disclosure_type=kind,
        confidence=round(confidence, 2),
        claims=tuple(claims),
        findings=findings,
        timeline=timeline,
        conflicts=conflicts,
        steps=(*steps, step),
        later_event=later,
    )

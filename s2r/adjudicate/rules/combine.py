"""All documents of a listing -> one verdict: the first qualifying disclosure by the cutoff wins, conflicts stay visible."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from s2r.adjudicate.rules.docdate import DATE_LINE, Published, publication
from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.identity import FOREIGN_CODE, Fit, Identity, Subject, Target
from s2r.adjudicate.rules.reason import disclosure_type, find_reason
from s2r.adjudicate.rules.rulings import admitted, refused, ruled_day, ruled_reading, ruled_reason, rulings_for, standing
from s2r.adjudicate.rules.sources import SECOND_HAND, WEAK
from s2r.adjudicate.rules.stage import QUALIFYING, Reading, read_unit
from s2r.models import (
    BlockKind,
    Claim,
    DateKind,
    Finding,
    LaterEvent,
    Modality,
    Precision,
    Stage,
    Status,
    TimelinePoint,
    Verdict,
)
from s2r.policy import Policy

_STATED = (Modality.ASSERTED, Modality.HISTORY, Modality.ATTRIBUTED)
_HEADS = (BlockKind.TITLE, BlockKind.HEADING)
_NEUTRAL = (Stage.NONE, Stage.SUSPENSION, Stage.LAST_TRADING, Stage.APPEAL, *QUALIFYING)  # steps that go with a decision
_WEAK_HEADS = (Stage.PROPOSAL, Stage.PLAN, Stage.CONDITIONAL_DECISION, Stage.RUMOUR, Stage.REVERSAL, Stage.SEGMENT)
LATE_DAYS = 60  # a notice of its own date may publish a decision this much older (confidential decisions of SIX and others)
FRESH_DAYS = 10  # an act dated further back than this from its page is retold, not disclosed
CONTRADICTION_DAYS = 400  # a first-hand document this long after a press report still speaks about the same procedure
MAX_QUOTE = 600
_ACT_KINDS = {
    DateKind.DECISION,
    DateKind.ANNOUNCEMENT,
    DateKind.FILING,
    DateKind.MEETING,
    DateKind.EFFECTIVE,
    DateKind.LETTER,
    DateKind.OTHER,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage that states a qualifying step about the target, with the day on which that was disclosed."""

    doc: Document
    unit: Unit
    reading: Reading
    subject: Subject
    day: dt.date | None
    direct: bool  # disclosed by this document itself, not retold
    origin: str
    date_start: int
    date_end: int
    source_kind: str
    why: str = ""


@dataclass(slots=True)
class Judged:
    """One document judged for the target."""

    doc: Document
    identity: Identity
    published: tuple[Published, ...]
    findings: list[tuple[Unit, Reading, Subject, str]]  # with the reason why it does not qualify, "" when it does
    candidates: list[Candidate]


def judge_document(doc: Document, target: Target, policy: Policy) -> Judged:
    """Read all units of one document for one target."""
    identity = Identity(doc, target, policy)
    findings: list[tuple[Unit, Reading, Subject, str]] = []
    candidates: list[Candidate] = []
    rulings = rulings_for(policy)
    readings = [(unit, reading) for unit in doc.units if unit.main and (reading := ruled_reading(rulings, doc, unit, read_unit(doc, unit)))]
    published = publication(doc, from_text=bool(readings))
    for unit, reading in readings:
        subject = identity.subject(unit, reading.start, reading.end)
        obstacle = _obstacle(doc, unit, reading, subject, readings, identity, policy)
        findings.append((unit, reading, subject, obstacle))
        if not obstacle:
            candidates.append(ruled_day(policy, _candidate(doc, unit, reading, subject, published)))
    for part in ("venue", "security"):
        candidates, findings = _one_matter(part, candidates, findings)
    candidates, findings = _without_segment_moves(candidates, findings)
    candidates, findings = _without_namesake(candidates, findings)
    candidates, findings = _without_continued(doc, candidates, findings)
    return Judged(doc, identity, published, findings, candidates)


def _one_matter(
    part: str, candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """A document whose qualifying sentences name another venue (or class), and never the target's, is about that one, also
    where a sentence names none."""
    stated = [s for _, r, s, _ in findings if r.stage in QUALIFYING and r.modality in _STATED and s.issuer is Fit.THIS]
    explicit = {getattr(s, part) for s in stated if s.names_issuer} - {Fit.OPEN}
    named = explicit or {getattr(s, part) for s in stated}
    if Fit.OTHER not in named or Fit.THIS in named:
        return candidates, findings
    dropped = {id(c.unit) for c in candidates if getattr(c.subject, part) is Fit.OPEN or (explicit and not c.subject.names_issuer)}
    why = f"other: the document's decision is about another {part}"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )


def _without_namesake(
    candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """Where a qualifying sentence carries the code of another company, sentences that do not name the issuer are about that one."""
    if not any(r.stage in QUALIFYING and s.why.startswith(FOREIGN_CODE) for _, r, s, _ in findings):
        return candidates, findings
    dropped = {id(c.unit) for c in candidates if not c.subject.names_issuer}
    why = "other: the document's decision carries another company's code"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )


def _without_continued(
    doc: Document, candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """Where the document says that this class, or the listing on this venue, goes on, a step that names neither is another's."""
    parts = {
        part
        for u, r, s, _ in findings
        for part in ("security", "venue")
        if r.stage in (Stage.REVERSAL, Stage.CURE)
        and s.issuer is Fit.THIS
        and s.target == "this"
        and getattr(s, part) is Fit.THIS
        and not _UNTIL.search(doc.folded_text(u))
    }
    dropped = {id(c.unit) for c in candidates if any(getattr(c.subject, part) is Fit.OPEN for part in parts)}
    if not dropped:
        return candidates, findings
    why = "the document says that this listing goes on"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )


_UNTIL = re.compile(
    r"\b(?:until|till|up to|bis|jusqu|hasta|até|fino|tot en met|till och med|t\.o\.m|indtil|frem til|do dnia|saakka|asti)\b|まで|直至|까지|đến (?:hết|ngày)"
)


def _without_segment_moves(
    candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """After a sentence that states a move between segments, "the revocation takes effect" speaks of that move."""
    moves = [
        u.index for u, r, s, o in findings if o and r.stage is Stage.SEGMENT and r.modality is not Modality.NEGATED and s.target != "other"
    ]
    if not moves:
        return candidates, findings
    dropped = {id(c.unit) for c in candidates if c.unit.index > min(moves)}
    why = "speaks of a move between segments of the venue"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )


def _obstacle(
    doc: Document,
    unit: Unit,
    reading: Reading,
    subject: Subject,
    readings: Sequence[tuple[Unit, Reading]],
    identity: Identity,
    policy: Policy,
) -> str:
    """Why a reading does not qualify; "" when it does."""
    rulings = rulings_for(policy)
    if case := admitted(rulings, doc, unit, reading):
        elsewhere = case.other_venue and subject.issuer is Fit.THIS and subject.security is not Fit.OTHER
        return "" if subject.target == "this" or elsewhere else f"{subject.target}: {subject.why}"
    if reading.stage.value not in policy.definition.qualifying_stages:
        why = reading.why or f"states {reading.stage.value}"
        return f"{reading.stage.value} does not qualify under the policy" if reading.stage in QUALIFYING else why
    if reading.modality not in _STATED:
        return reading.why or reading.modality.value
    if subject.target != "this":
        return f"{subject.target}: {subject.why}"
    if name := refused(rulings, doc, unit, reading):
        return f"refused by the ruling {name}"
    if identity.segment_move and policy.ruling("segment_move_qualifies") is False:
        return "moves between segments of the venue"
    if policy.ruling("text_condition_blocks") is True and _in_conditions(doc, unit):
        return "stands in a list of conditions"
    if unit.kind in _HEADS:
        if reading.stage is Stage.CONDITION_MET:
            return "a headline names a met condition, not the end of the listing"
        if not _body_supports(doc, readings):
            return "headline only; the text below does not state it"
    if reading.stage is Stage.CONDITION_MET and not _ends_listing(doc, unit, identity):
        return "a condition is met, but the end of the listing is not stated with it"
    blocks = policy.ruling("open_court_or_supervisor_blocks") is True
    if blocks and (condition := _open_condition(doc, unit, reading)) is not None:
        return f"a vote, with a condition still open: {doc.text(condition)[:80]!r}"
    if (undone := _undone(doc, unit, reading, readings, identity, blocks)) is not None:
        return f"a vote or wish that the text takes back or keeps open: {doc.text(undone)[:80]!r}"
    if (weaker := _weaker_headline(readings)) and reading.stage not in (Stage.DETERMINATION, Stage.FILING, Stage.REMOVAL):
        return f"the headline says {weaker.stage.value}"
    return ""


def _open_condition(doc: Document, unit: Unit, reading: Reading) -> Unit | None:
    """Approval by holders while the document says that another meeting, a court or an authority must still act.

    The sentence itself was weighed already; an exchange's or authority's own act is not made conditional by others.
    """
    if doc.source_kind in ("exchange", "regulator") or reading.stage not in (Stage.CONDITION_MET, Stage.DECISION):
        return None
    if reading.stage is Stage.DECISION and not _by_holders(doc, unit):
        return None
    for other in doc.units:
        if not other.main or other.index == unit.index or not doc.scan.within("modality.conditional", other.fstart, other.fend):
            continue
        if any(doc.scan.within(f"actor.{name}", other.fstart, other.fend) for name in ("holders", "court", "regulator")):
            return other
    return None


def _undone(
    doc: Document, unit: Unit, reading: Reading, readings: Sequence[tuple[Unit, Reading]], identity: Identity, conditions: bool
) -> Unit | None:
    """An issuer's decision after which, within three sentences, the text says that the listing goes on, or (where open
    `conditions` block) that its end remains subject to more than an exchange's consent."""
    if doc.source_kind in ("exchange", "regulator") or unit.kind in _HEADS:
        return None
    taken_back = _by_vote(doc, unit) and doc.scan.within("stage.reversal", unit.fstart, unit.fend)
    if reading.stage in (Stage.DECISION, Stage.APPLICATION) and taken_back:
        return unit
    if reading.stage is not Stage.DECISION:
        return None
    for other, later in readings:
        if not 0 < other.index - unit.index <= 3:
            continue
        if later.stage is Stage.REVERSAL and later.modality is Modality.ASSERTED and not _UNTIL.search(doc.folded_text(other)):
            if _by_vote(doc, unit) and identity.subject(other, later.start, later.end).target != "other":
                return other
        elif conditions and later.stage is Stage.CONDITIONAL_DECISION and later.modality is Modality.CONDITIONAL and _by_holders(doc, unit):
            return other
    return None


def _by_vote(doc: Document, unit: Unit) -> bool:
    """The sentence speaks of a vote: holders, or counts of votes for and against."""
    return _by_holders(doc, unit) or bool(_VOTES.search(doc.folded_text(unit)))


_VOTES = re.compile(
    r"\b(?:votes|resolution|głos\w*|uchwał\w*|stimmen|beschluss\w*|voix|résolution|votos|resoluci\w*|delibera\w*|stemmen|röster)\b|決議|决议|決议|議案|议案|의안|안건|결의"
)


def _by_holders(doc: Document, unit: Unit) -> bool:
    return bool(doc.scan.within("actor.holders", unit.fstart, unit.fend)) and not doc.scan.within("actor.board", unit.fstart, unit.fend)


def _in_conditions(doc: Document, unit: Unit) -> bool:
    """An entry of a list whose opening sentence ("subject to the following:") is conditional."""
    for previous in reversed(doc.units[max(0, unit.index - 8) : unit.index]):
        text = doc.folded_text(previous).rstrip()
        if text.endswith((":", "：")):
            return bool(doc.scan.within("modality.conditional", previous.fstart, previous.fend))
        if not text.endswith((";", ",", "; and", "and", "or", "；", "、")) and previous.block != unit.block:
            return False
    return False


def _weaker_headline(readings: Sequence[tuple[Unit, Reading]]) -> Reading | None:
    """A headline that announces a proposal, a plan or a lapse, and no qualifying step: what the text decides is to propose it."""
    heads = [r for u, r in readings if u.kind in _HEADS]
    if any(r.stage in QUALIFYING and r.modality is Modality.ASSERTED for r in heads):
        return None
    return next((r for r in heads if r.stage in _WEAK_HEADS and r.modality is not Modality.NEGATED), None)


def _body_supports(doc: Document, readings: Sequence[tuple[Unit, Reading]]) -> bool:
    """A headline counts when a sentence of the body states a qualifying step without reserve; a first-hand one also when the
    body speaks of the end of the listing in other words and states no weaker step."""
    body = [r for u, r in readings if u.kind not in _HEADS]
    if any(r.stage in QUALIFYING and r.modality in (Modality.ASSERTED, Modality.ATTRIBUTED) for r in body):
        return True
    if doc.source_kind in SECOND_HAND:
        return not body
    return all(r.stage in _NEUTRAL and r.modality in (Modality.ASSERTED, Modality.ATTRIBUTED, Modality.HISTORY) for r in body)


def _ends_listing(doc: Document, unit: Unit, identity: Identity) -> bool:
    """Beside a condition met (scheme effective, offer unconditional), the same document ends the listing without reserve."""
    for other in doc.units:
        if not other.main or abs(other.block - unit.block) > 8 or doc.scan.within("stage.technical", other.fstart, other.fend):
            continue
        for reading in read_unit(doc, other):
            decides = reading.stage in QUALIFYING and reading.stage is not Stage.CONDITION_MET and reading.modality is Modality.ASSERTED
            if decides and identity.subject(other, reading.start, reading.end).target != "other":
                return True
        objects = doc.scan.within("object", other.fstart, other.fend)
        blocked = any(doc.scan.within(f"modality.{m}", other.fstart, other.fend) for m in ("conditional", "hypothetical", "negated"))
        ends = objects and not blocked and doc.dates_in(other.start, other.end)
        if ends and identity.subject(other, objects[0].start, objects[0].end).target != "other":
            return True
    return False


def _candidate(doc: Document, unit: Unit, reading: Reading, subject: Subject, published: tuple[Published, ...]) -> Candidate:
    """Give a qualifying passage its disclosure day: its document's, or the one the passage itself states for the disclosure."""
    best = published[0] if published else None
    dates = doc.dates_in(unit.start, unit.end)
    announced = [d for d in dates if d.kind is DateKind.ANNOUNCEMENT and d.day is not None]
    acts = [d.day for d in dates if d.kind in _ACT_KINDS and d.day is not None]
    day = best.day if best else None
    retold = reading.modality is Modality.HISTORY or doc.source_kind in WEAK
    if day is not None and acts and not retold:
        own_line = best is not None and best.rank <= DATE_LINE and doc.source_kind not in SECOND_HAND
        reach = LATE_DAYS if own_line and reading.stage not in (Stage.REMOVAL, Stage.CONDITION_MET) else FRESH_DAYS
        retold = max(acts) < day - dt.timedelta(days=reach)
    stated = min(
        (d for d in announced if day is None or (d.day is not None and d.day <= day)), key=lambda d: d.day or dt.date.max, default=None
    )
    reported = doc.source_kind in SECOND_HAND and day is not None and stated is not None and stated.day is not None
    fresh = reported and (day - stated.day).days <= FRESH_DAYS  # type: ignore[operator,union-attr]
    if stated is not None and stated.day is not None and (retold or day is None or fresh):
        m = stated.mention
        return Candidate(
            doc, unit, reading, subject, stated.day, not retold, "text", m.start, m.end, doc.source_kind, "states the disclosure day"
        )
    if retold or best is None:
        return Candidate(doc, unit, reading, subject, None, False, "", -1, -1, doc.source_kind, "retold without the day of disclosure")
    return Candidate(doc, unit, reading, subject, day, True, best.origin, best.start, best.end, doc.source_kind, "day of the document")


def decide(target: Target, judged: Sequence[Judged], policy: Policy, *, coverage_sufficient: bool, coverage_cause: str) -> Verdict:
    """Choose the first qualifying disclosure on or before the cutoff; explain what was passed over."""
    cutoff = target.listing.cutoff
    candidates = standing(policy, judged, cutoff)
    rank = {kind: n for n, kind in enumerate(policy.definition.source_rank)}

    def key(c: Candidate) -> tuple[dt.date, int, bool, int, int]:
        heading = c.unit.kind in (BlockKind.TITLE, BlockKind.HEADING)
        return c.day or dt.date.max, rank.get(c.source_kind, 99), heading, c.doc.order, c.unit.index

    direct = sorted((c for c in candidates if c.direct and c.day is not None), key=key)
    direct, doubted = _consistent(direct, judged)
    retold = sorted((c for c in candidates if not c.direct and c.day is not None and c.source_kind not in WEAK), key=key)
    before = [c for c in direct if c.day <= cutoff]  # type: ignore[operator]
    after = [c for c in direct if c.day > cutoff]  # type: ignore[operator]
    told_before = [c for c in retold if c.day <= cutoff]  # type: ignore[operator]
    later = _later(after)
    steps = (*_steps(judged, cutoff), *(f"Doubted: {c.day} {c.source_kind} {c.doc.page.url}: {why}." for c, why in doubted))
    findings = tuple(_finding(j, item) for j in judged for item in j.findings)
    timeline = _timeline(judged, cutoff)
    chosen: Candidate | None = None
    confidence = 0.0
    if before:
        chosen, confidence = before[0], 0.9
    elif told_before and not after:
        chosen, confidence = told_before[0], 0.6
    elif not after and (implied := _implied(candidates, cutoff)):
        chosen, confidence = implied, 0.4
    if chosen is not None:
        conflicts = _conflicts(chosen, [*before, *told_before], candidates)
        return _yes(chosen, judged, policy, findings, timeline, conflicts, steps, later, confidence)
    undated = [c for c in candidates if c.day is None and c.source_kind not in WEAK]
    if not coverage_sufficient:
        return Verdict(
            status=Status.ABSTAIN,
            confidence=0.2,
            findings=findings,
            timeline=timeline,
            steps=(*steps, f"Abstains: {coverage_cause}"),
            later_event=later,
            abstain_reason=coverage_cause,
        )
    note = f"The first qualifying disclosure found is of {after[0].day}, after the cutoff {cutoff}." if after else ""
    if undated and not after:
        note = "A qualifying step is retold, but no document dates its disclosure on or before the cutoff."
    step = note or f"No document discloses a qualifying step about this listing on or before {cutoff}."
    return Verdict(
        status=Status.NO,
        confidence=0.5 if undated and not after else 0.85,
        findings=findings,
        timeline=timeline,
        conflicts=tuple([note] if undated and not after else []),
        steps=(*steps, step),
        later_event=later,
    )


def _implied(candidates: Sequence[Candidate], cutoff: dt.date) -> Candidate | None:
    """A first-hand passage without a disclosure day whose last trading or effective day lies by the cutoff: the end of the
    listing was disclosed before that day, on a day that stays unknown."""
    for c in candidates:
        if c.day is not None or c.source_kind in SECOND_HAND:
            continue
        span = (c.unit.start, c.unit.end) if c.reading.modality is Modality.HISTORY else (0, len(c.doc.page.text))
        ends = [d.day for d in c.doc.dates_in(*span) if d.day is not None and d.kind in (DateKind.EFFECTIVE, DateKind.LAST_TRADING)]
        if ends and max(ends) <= cutoff:
            return c
    return None


def _consistent(direct: Sequence[Candidate], judged: Sequence[Judged]) -> tuple[list[Candidate], list[tuple[Candidate, str]]]:
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
            if earliest is not None and c.day < earliest and not _reports_well(c, earliest, judged):
                why = f"first-hand documents disclose it only on {earliest}"
            elif earliest is None and (denial := _denied(c.day, judged)):
                why = denial
            elif c.source_kind == "unknown" and not (c.reading.whole and c.reading.stage in _FORMAL):
                why = "a source of unknown kind reports it in loose words, and no first-hand document does"
        if why:
            doubted.append((c, why))
        else:
            kept.append(c)
    return kept, doubted


def _reports_well(c: Candidate, earliest: dt.date, judged: Sequence[Judged]) -> bool:
    """A report shortly before the first first-hand document that names the day of the disclosure in formal words, and that
    nothing first-hand contradicts: the notice itself is not among the documents."""
    near = c.day is not None and (earliest - c.day).days <= FRESH_DAYS
    formal = c.reading.whole and c.reading.stage in _FORMAL and c.origin == "text"
    return near and formal and c.source_kind == "press" and c.day is not None and not _denied(c.day, judged)


def _denied(day: dt.date, judged: Sequence[Judged]) -> str:
    """A first-hand document after `day` that still states an earlier step, or that the security stays listed."""
    for j in judged:
        if j.doc.source_kind in SECOND_HAND or j.candidates or not j.published:
            continue
        later = j.published[0].day
        after = dt.timedelta(0) < later - day <= dt.timedelta(days=CONTRADICTION_DAYS)
        ended = dt.timedelta(0) <= day - later <= dt.timedelta(days=ENDED_DAYS)
        if not after and not ended:
            continue
        pending = any(r.modality in _UNSETTLED and s.target == "this" for _, r, s, _ in j.findings)
        for _, reading, subject, _ in j.findings:
            open_still = reading.stage in _EARLIER or reading.modality in _UNSETTLED
            if subject.target == "this" and (open_still if after else reading.stage in _ENDED and not pending):
                return f"{j.doc.source_kind} of {later} still states {reading.stage.value}"
    return ""


_UNSETTLED = (Modality.CONDITIONAL, Modality.HYPOTHETICAL, Modality.PLANNED)
_ENDED = (Stage.CURE, Stage.REVERSAL)
ENDED_DAYS = 90  # a procedure that first-hand documents ended this shortly before is not reported as done
_FORMAL = (Stage.DETERMINATION, Stage.DECISION, Stage.FILING, Stage.APPLICATION)
_EARLIER = (Stage.WARNING, Stage.PROPOSAL, Stage.CONDITIONAL_DECISION, Stage.CURE, Stage.REVERSAL, Stage.PLAN)


def _yes(
    chosen: Candidate,
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
        (j.doc, [u for u, _, s, _ in j.findings if s.target == "this"])
        for j in judged
        if j.doc is not doc and j.published and chosen.day and j.published[0].day <= chosen.day
    ]
    reason = find_reason(doc, unit, chosen.reading.stage, chosen.reading.start, judged[0].identity.target.classes, context)
    named = ruled_reason(policy, reason.reason, doc, unit, chosen.reading) if reason else None
    kind = disclosure_type(chosen.source_kind)
    claims = [_claim("status", "yes", doc, *_quote(doc, unit, chosen.reading))]
    if chosen.day is not None and chosen.date_start >= 0:
        claims.append(_claim("announcement_date", chosen.day.isoformat(), doc, chosen.date_start, chosen.date_end))
    if reason is not None and named is not None:
        claims.append(_claim("reason", named, reason.doc, reason.start, min(reason.end, reason.start + MAX_QUOTE)))
    claims.append(_claim("disclosure_type", kind, doc, *_quote(doc, unit, chosen.reading)))
    step = f"First qualifying disclosure: {chosen.day or 'day unknown'} ({chosen.why}), {chosen.reading.stage.value} by {chosen.source_kind}, {doc.page.url}, rule {chosen.reading.rule}."
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


def _quote(doc: Document, unit: Unit, reading: Reading) -> tuple[int, int]:
    """The unit, or the part of an overlong one around the decisive words."""
    if unit.end - unit.start <= MAX_QUOTE:
        return unit.start, unit.end
    start, end = doc.folded.span(reading.start, reading.end)
    return max(unit.start, start - 100), min(unit.end, max(end, start) + 200)


def _claim(field: str, value: str, doc: Document, start: int, end: int) -> Claim:
    quote = doc.page.text[start:end]
    return Claim(field=field, value=value, quote=quote, exhibit=doc.page.digest, url=doc.page.url, start=start, end=end)


def _finding(judged: Judged, item: tuple[Unit, Reading, Subject, str]) -> Finding:
    unit, reading, subject, obstacle = item
    doc = judged.doc
    match = next((c for c in judged.candidates if c.unit is unit), None)
    best = judged.published[0] if judged.published else None
    day = match.day if match else (best.day if best else None)
    return Finding(
        digest=doc.page.digest,
        url=doc.page.url,
        start=unit.start,
        end=unit.end,
        sentence=doc.page.text[unit.start : unit.end][:MAX_QUOTE],
        stage=reading.stage,
        modality=reading.modality,
        target=subject.target,
        rule=reading.rule,
        why=obstacle or (match.why if match else ""),
        date=day.isoformat() if day else "",
        date_raw=doc.page.text[match.date_start : match.date_end] if match and match.date_start >= 0 else "",
        date_start=match.date_start if match else -1,
        date_end=match.date_end if match else -1,
        date_origin=match.origin if match else (best.origin if best else ""),
        source_kind=doc.source_kind,
        qualifies=match is not None and match.direct,
    )


def _later(after: Sequence[Candidate]) -> LaterEvent | None:
    if not after or after[0].day is None:
        return None
    c = after[0]
    start, end = _quote(c.doc, c.unit, c.reading)
    return LaterEvent(date=str(c.day), exhibit=c.doc.page.digest, url=c.doc.page.url, quote=c.doc.page.text[start:end])


def _conflicts(chosen: Candidate, dated: Sequence[Candidate], candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Other days given for the first disclosure, ranked by source; a later document of its own day is no conflict."""
    found = []
    for c in dated:
        if not c.direct and c.day != chosen.day and c.day is not None and chosen.day is not None and c.day < chosen.day:
            found.append(f"{c.source_kind} {c.doc.page.url} puts the disclosure on {c.day}, not {chosen.day}.")
    lines = [p.day for p in publication(chosen.doc) if p.rank <= DATE_LINE]
    for other in sorted(set(lines) - {chosen.day}) if chosen.day in lines else ():
        found.append(f"The document itself also carries the date line {other}.")
    return tuple(dict.fromkeys(found))


def _steps(judged: Sequence[Judged], cutoff: dt.date) -> tuple[str, ...]:
    """One sentence per document, in order of publication: what it states about the target and why it does or does not count."""
    steps = []
    ordered = sorted(judged, key=lambda j: (j.published[0].day if j.published else dt.date.max, j.doc.order))
    for j in ordered:
        day = str(j.published[0].day) if j.published else "undated"
        about = [(u, r, s, o) for u, r, s, o in j.findings if s.target == "this"]
        if j.candidates:
            c = min(j.candidates, key=lambda c: (not c.direct, c.day or dt.date.max))
            side = "after the cutoff" if c.day and c.day > cutoff else ("qualifies" if c.direct else "retold")
            text = f"{c.reading.stage.value}: {side}, {c.why}"
        elif about:
            _, r, s, o = next((item for item in about if item[1].stage in QUALIFYING), about[0])
            text = f"{r.stage.value} ({r.modality.value}): {o}"
        elif j.findings:
            _, r, s, o = j.findings[0]
            text = f"{r.stage.value}, but {s.target}: {s.why}"
        else:
            text = "states no procedural step"
        steps.append(f"{day} {j.doc.source_kind} {j.doc.page.url}: {text}.")
    return tuple(steps)


def _timeline(judged: Sequence[Judged], cutoff: dt.date) -> tuple[TimelinePoint, ...]:
    points: dict[tuple[str, str, str], TimelinePoint] = {}
    for j in judged:
        for unit, reading, subject, _ in j.findings:
            if subject.target != "this":
                continue
            quote = j.doc.page.text[unit.start : unit.end][:240]
            days = [(d.day, d.kind.value) for d in j.doc.dates_in(unit.start, unit.end) if d.day is not None]
            if j.published:
                days.append((j.published[0].day, "published"))
            for day, kind in days:
                key = (day.isoformat(), kind, j.doc.page.url)
                points.setdefault(
                    key,
                    TimelinePoint(
                        date=day.isoformat(),
                        kind=kind,
                        stage=reading.stage.value,
                        source_kind=j.doc.source_kind,
                        url=j.doc.page.url,
                        digest=j.doc.page.digest,
                        quote=quote,
                        after_cutoff=day > cutoff,
                    ),
                )
    return tuple(sorted(points.values(), key=lambda p: (p.date, p.url, p.kind)))[:200]

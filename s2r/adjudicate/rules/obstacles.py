"""Why a reading does not qualify: its stage, how it is stated, whom it is about, and what the rest of the document says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from s2r.adjudicate.rules.awaited import awaited_merger, awaits_consent, in_conditions, others_to_act
from s2r.adjudicate.rules.deals import follows_open_deal
from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.identity import Fit, Identity, Subject
from s2r.adjudicate.rules.outside import outside
from s2r.adjudicate.rules.reason import acting
from s2r.adjudicate.rules.resolved import EVERY_RESOLUTION, resolution
from s2r.adjudicate.rules.rulings import admitted, refused, rulings_for
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.adjudicate.rules.stage import HEARSAY, QUALIFYING, Reading, bare_reading, read_unit
from s2r.adjudicate.rules.stagewords import ENTRY, NOT_NOW
from s2r.adjudicate.rules.undecided import kept_open
from s2r.adjudicate.rules.unreserved import OUTCOME, TOLD, open_conditions, waits
from s2r.models import BlockKind, Modality, Stage
from s2r.policy import Policy

STATED = (Modality.ASSERTED, Modality.HISTORY, Modality.ATTRIBUTED)
HEADS = (BlockKind.TITLE, BlockKind.HEADING)
_TURNS = tuple(f"conditional: '{word}" for word in ("once", "upon", "on ", "on'", "when", "after", "as soon as"))
_NEUTRAL = (Stage.NONE, Stage.SUSPENSION, Stage.LAST_TRADING, Stage.APPEAL, *QUALIFYING)  # steps that go with a decision
_WEAK_HEADS = (Stage.PROPOSAL, Stage.PLAN, Stage.CONDITIONAL_DECISION, Stage.RUMOUR, Stage.REVERSAL, Stage.SEGMENT)
UNTIL = Guarded(
    r"\b(?:until|till|up to|in the meantime|meanwhile|bis|jusqu|d'ici (?:là|au)|entre-temps|mientras tanto|entretanto|nel frattempo|intussen|tot dan|till dess|inntil|imens|siihen|do tego czasu|hasta|até|fino|tot en met|till och med|t\.o\.m|indtil|frem til|do dnia|saakka|asti)\b|まで|直至|此之前|까지|đến (?:hết|ngày)|\b(?:hingga|sehingga|sampai|kadar)\b|حتى"
)


def obstacle_to(
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
    if reading.modality not in STATED:
        return reading.why or reading.modality.value
    if doc.source_kind in SECOND_HAND and (heard := _heard(doc, unit, readings)) is not None:
        return f"a report that goes on from hearsay: {doc.text(heard)[:80]!r}"
    if subject.target != "this":
        return f"{subject.target}: {subject.why}"
    if name := refused(rulings, doc, unit, reading):
        return f"refused by the ruling {name}"
    if identity.segment_move and policy.ruling("segment_move_qualifies") is False:
        return "moves between segments of the venue"
    if policy.ruling("text_condition_blocks") is True and in_conditions(doc, unit):
        return "stands in a list of conditions"
    blocks = policy.ruling("open_court_or_supervisor_blocks") is True
    if unit.kind in HEADS:
        if reading.stage is Stage.CONDITION_MET:
            return "a headline names a met condition, not the end of the listing"
        if not _body_supports(doc, readings, identity, conditions=blocks):
            return "headline only; the text below does not state it"
    if (draft := _drafted(doc, unit, reading)) is not None:
        return f"a draft for a meeting to come: {doc.text(draft)[:80]!r}"
    if why := outside(doc, unit, reading):
        return why
    if reading.stage is Stage.CONDITION_MET and not _ends_listing(doc, unit, identity):
        return "a condition is met, but the end of the listing is not stated with it"
    if blocks and (condition := _open_condition(doc, unit, reading)) is not None:
        return f"a vote, with a condition still open: {doc.text(condition)[:80]!r}"
    if policy.ruling("text_condition_blocks") is True and (condition := _conditional_call(doc, unit, reading)) is not None:
        return f"a redemption that the text makes conditional: {doc.text(condition)[:80]!r}"
    if doc.source_kind in SECOND_HAND and (corrected := _corrected(doc, unit)) is not None:
        return f"the report corrects itself: {doc.text(corrected)[:80]!r}"
    if open_still := kept_open(doc, unit, reading):
        return open_still
    if _technical_before(doc, unit, subject) or _technical_head(doc, unit, reading):
        return "goes on about a change of a line or an index"
    if blocks and (condition := awaited_merger(doc, unit, reading)) is not None:
        return f"follows from a transaction that is still open: {doc.text(condition)[:80]!r}"
    if blocks and (condition := follows_open_deal(doc, unit, reading)) is not None:
        return f"follows from a transaction that is still open: {doc.text(condition)[:80]!r}"
    if blocks and (condition := awaits_consent(doc, unit, reading)) is not None:
        return f"a request that is granted only on conditions: {doc.text(condition)[:80]!r}"
    if (undone := _undone(doc, unit, reading, readings, identity, blocks)) is not None:
        return f"a vote or wish that the text takes back or keeps open: {doc.text(undone)[:80]!r}"
    weaker = _weaker_headline(readings, identity)
    noticed = reading.stage is Stage.APPLICATION and weaker is not None and weaker.stage is Stage.PLAN  # notice of an intention is given
    if weaker and not noticed and reading.stage not in (Stage.DETERMINATION, Stage.FILING, Stage.REMOVAL):
        return f"the headline says {weaker.stage.value}"
    return ""


_DRAFTS = re.compile(
    r"\bdraft (?:resolution|decision)s?|\bproposed resolutions?|\bnotice of (?:the |an? )?(?:\w+ ){0,2}(?:general )?meeting|\bconven(?:ing|es|ed|tion)\b|\bbeschluss(?:vorschl[aä]g|entw[uü]rf)\w*|\beinberufung\b|\beinladung zur\b"
    r"|\b(?:förslag till beslut|beslutsförslag|kallelse)\b|\b(?:forslag til (?:vedtak|beslutning)\w*|innkalling|indkaldelse|udkast til)\b|\b(?:päätösehdotu\w+|ehdotukset|\w*kokouskutsu\w*|kutsu \w*kokoukseen)"
    r"|\b(?:voorstel(?:len)? tot besluit|ontwerpbesluit\w*|oproeping|convocatie|bijeenroeping)\b|\bprojekt\w{0,2} uchwał|\b(?:zwołani\w+|ogłoszenie o zwołaniu)|\bprojets? de résolutions?"
    r"|\bpropuestas? de (?:acuerdos?|resoluci)|\bproposici(?:ón|ones) a la (?:junta|asamblea)|\bconvocatoria\b|\bedital de convocação|\bproposta da administração|\bpropostas? (?:de deliberação|à assembleia)|\bconvocatória\b"
    r"|\bavviso di convocazione|\bconvocazione (?:di|dell)|\bproposte? di deliberazion|\brelazion\w illustrativ|\bconvocation (?:à|de|des)|\bavis (?:de réunion|de convocation)|\btexte des résolutions"
)
_HELD = re.compile(  # of a meeting that took place
    r"\b(?:results?|resolved|adopted|passed|held|minutes|ergebnis\w*|beschlossen|beschlie(?:ß|ss)t|gefasst|kommuniké|beslutade|beslutat|protokoll?\w*|avholdt|vedtatt|vedtok|forløb|afholdt|vedtag\w+|päätökset|päätti|pöytäkirja"
    r"|uitslag|besloten|aangenomen|notulen|podjęt\w+|podjęł\w+|résultats?|adoptée?s?|acuerdos adoptados|aprobados?|aprobó|celebrada|acta|resultados?|esito|assunt[ea]|verbale|aprovad[oa]s?|aprovou|realizada|ata|procès-verbal)\b"
)


def _drafted(doc: Document, unit: Unit, reading: Reading) -> Unit | None:
    """The headline that gives drafts of resolutions or calls a meeting, over a sentence that says what holders resolve."""
    if reading.stage not in QUALIFYING or not (
        doc.scan.within("actor.holders", unit.fstart, unit.fend)
        or doc.text(unit).lstrip()[:1] in "\"„“”«'"
        or ENTRY.match(doc.folded_text(unit))
    ):
        return None
    heads = [u for u in doc.units[: unit.index + 1] if u.kind in HEADS]
    called = next((u for u in heads if _DRAFTS.search(doc.folded_text(u))), None)
    return None if called is None or any(_HELD.search(doc.folded_text(u)) for u in heads) else called


def _heard(doc: Document, unit: Unit, readings: Sequence[tuple[Unit, Reading]]) -> Unit | None:
    """The headline of a report, or a sentence before this one, tells a step from hearsay, and this one names no disclosure of it."""
    if doc.scan.within("act.publication", unit.fstart, unit.fend) and unit.kind not in HEADS:
        return None
    return next((u for u, r in readings if (u.index < unit.index or u.kind in HEADS) and r.why.startswith(HEARSAY)), None)


def _technical_head(doc: Document, unit: Unit, reading: Reading) -> bool:
    """An exchange's notice whose headline above the sentence tells of a name, a symbol or a line that changes, and of no end of a listing."""
    if doc.source_kind != "exchange" or reading.stage not in (Stage.DECISION, Stage.DETERMINATION, Stage.REMOVAL) or unit.kind in HEADS:
        return False
    head = next((u for u in reversed(doc.units[: unit.index]) if u.kind in HEADS and u.main), None)
    return head is not None and bool(doc.scan.within("stage.technical", head.fstart, head.fend)) and not read_unit(doc, head)


_INSTRUCTION = Guarded(  # what holders have to do waits for nothing
    r"\bneeds? (?:not|do|take|no)\b|\bno (?:further )?action\b|\bif (?:you|your|their) \w+|\bmüssen nichts\b|\baucune (?:action|démarche)\b|\bbehöver inte\b"
)
_CONSENT = re.compile(r"\bno (?:further )?objections?\b|\b(?:does|did|do|has|have) not object\b|\bin[- ]principle\b|\bno-objection\b")


def _open_condition(doc: Document, unit: Unit, reading: Reading) -> Unit | None:
    """Approval by holders while the document says that another meeting, a court or an authority must still act.

    The sentence itself was weighed already; an exchange's or authority's own act is not made conditional by others.
    """
    if doc.source_kind in ("exchange", "regulator") or reading.stage not in (Stage.CONDITION_MET, Stage.DECISION, Stage.APPLICATION):
        return None
    text = doc.folded_text(unit)
    if reading.stage is not Stage.CONDITION_MET and not (_by_holders(doc, unit) or EVERY_RESOLUTION.search(text) or _CONSENT.search(text)):
        return None
    for other in doc.units:
        if not other.main or other.index == unit.index or _INSTRUCTION.search(doc.scan, other.fstart, other.fend):
            continue
        waiting = waits(doc.scan, other) or in_conditions(doc, other)
        if waiting and others_to_act(doc, other):
            return other
    return None


_CORRECTION = Guarded(
    r"\b(?:mix-?up|we regret|regrets? the error|correction|corrected|not to be confused|confused? with|mistook|verwechs\w+|korrektur|richtigstellung|nachtrag|berichtigung|confondu\w*|rectificatif"
    r"|errat[aum]+|rectificaci[oó]n|correcci[oó]n|confundi\w+|correzione|confus[ao] con|retificação|rectificatie|verward met|rättelse|förväxla\w*|rettelse|forveksl\w+|oikaisu|sekoit\w+|sprostowanie|pomył\w+)\b"
    r"|訂正|お詫び|混同|誤報|更正|混淆|정정|혼동|오보|đính chính|ralat|düzeltme|تصحيح|แก้ไขข่าว"
)
AFTERWARDS = 6  # sentences after a report in which it corrects itself


def _corrected(doc: Document, unit: Unit) -> Unit | None:
    """A later sentence of a report that takes it back ("We regret the mix-up")."""
    later = doc.units[unit.index + 1 : unit.index + 1 + AFTERWARDS]
    return next((u for u in later if u.main and _CORRECTION.search(doc.scan, u.fstart, u.fend)), None)


def _technical_before(doc: Document, unit: Unit, subject: Subject) -> bool:
    """A sentence that names no issuer and follows one of its block about an index or a line that is replaced."""
    if subject.names_issuer or subject.venue is Fit.THIS or unit.index == 0:
        return False
    before = doc.units[unit.index - 1]
    return before.block == unit.block and bool(doc.scan.within("stage.technical", before.fstart, before.fend))


def _conditional_call(doc: Document, unit: Unit, reading: Reading) -> Unit | None:
    """A notice of redemption that the sentences around it make depend on something ("the redemption depends on a sale")."""
    if reading.stage is not Stage.DECISION or not doc.scan.within(_REDEMPTION, unit.fstart, unit.fend):
        return None
    for other in doc.units[max(0, unit.index - CALLED) : unit.index + 1 + CALLED]:
        if other.index == unit.index:
            continue
        again = doc.scan.within(_REDEMPTION, other.fstart, other.fend) or _CALL.search(doc.folded_text(other))
        if other.main and again and waits(doc.scan, other):
            return other
    return None


CALLED = 4  # sentences around a notice of redemption among which its condition is named
_REDEMPTION = "reason.expiry_redemption"
_CALL = re.compile(r"\b(?:the|this) (?:call|notice)\b")


PLACE = 40  # folded characters after words for what is kept within which its venue is named
_ISSUING = ("issuer", "board", "holders", "bidder")


def _undone(
    doc: Document, unit: Unit, reading: Reading, readings: Sequence[tuple[Unit, Reading]], identity: Identity, conditions: bool
) -> Unit | None:
    """An issuer's decision after which, within three sentences, the text says that the listing goes on, or (where open
    `conditions` block) that its end remains subject to more than an exchange's consent."""
    own_act = reading.stage is Stage.APPLICATION or acting(doc, unit, reading.start) in _ISSUING  # of an issuer on an exchange's site
    official = doc.source_kind in ("exchange", "regulator") and not own_act
    if (official and not _by_vote(doc, unit)) or unit.kind in HEADS:
        return None
    if reading.stage in (Stage.DECISION, Stage.APPLICATION) and _by_vote(doc, unit):
        reversals = doc.scan.within("stage.reversal", unit.fstart, unit.fend)
        if any(not identity.kept_elsewhere(hit.start, min(hit.end + PLACE, unit.fend)) for hit in reversals):
            return unit
    if _reversed_after(doc, unit, reading, identity):
        return unit
    if not _by_issuer(doc, unit, reading):
        return None
    board = doc.scan.within("actor.board", unit.fstart, unit.fend)
    voted = reading.stage in (Stage.DECISION, Stage.APPLICATION) and (
        _by_holders(doc, unit) or (not board and bool(_VOTES.search(doc.scan, unit.fstart, unit.fend)))
    )
    if conditions and (reserve := _reserved(doc, unit)) is not None:
        return reserve
    for other, later in readings:
        if not 0 < other.index - unit.index <= 3:
            continue
        if later.stage is Stage.REVERSAL and later.modality is Modality.ASSERTED and not UNTIL.search(doc.scan, other.fstart, other.fend):
            if _by_vote(doc, unit) and identity.subject(other, later.start, later.end).target != "other":
                return other
        elif conditions and (_if_approved(doc, other) or _keeps_open(doc, other, later, voted)):
            return other
    return None


def _reserved(doc: Document, unit: Unit) -> Unit | None:
    """One of the next two sentences is about the step or its effect and makes it conditional ("This decision takes effect only if ...")."""
    for other in doc.units[unit.index + 1 : unit.index + 3]:
        if not other.main or not _on_the_step(doc, other) or _INSTRUCTION.search(doc.scan, other.fstart, other.fend):
            continue
        if waits(doc.scan, other) and not doc.scan.within("stage.appeal", other.fstart, other.fend):
            return other
    return None


def _keeps_open(doc: Document, unit: Unit, reading: Reading, voted: bool) -> bool:
    """A later sentence makes the step (`voted` on) itself conditional, on more than an exchange's consent."""
    on_the_step = voted or _on_the_step(doc, unit)
    if reading.stage not in (Stage.CONDITIONAL_DECISION, Stage.REVERSAL) and not (on_the_step and reading.stage in _STEPS):
        return False
    if reading.modality is not Modality.CONDITIONAL and not (reading.stage is Stage.CONDITIONAL_DECISION and voted):
        return False
    return on_the_step or _by_holders(doc, unit)


def _if_approved(doc: Document, unit: Unit) -> bool:
    """The sentence makes the end of a listing wait for a vote or an authority ("If holders approve the plan, the shares will be delisted")."""
    open_words = open_conditions(doc.scan, unit.fstart, unit.fend)
    if open_words and _CONSENT.search(doc.folded_text(unit)) and doc.scan.within("actor.holders", open_words[0].start, unit.fend):
        return True  # an exchange's consent in principle, subject to a vote
    if not doc.scan.within("object", unit.fstart, unit.fend):
        return False
    for hit in open_words:
        acts = [act.start for act in doc.scan.within("act.decision", hit.start, min(unit.fend, hit.end + APPROVAL))]
        if acts and any(doc.scan.within(f"actor.{name}", hit.start, acts[0] + APPROVAL) for name in ("holders", "court", "regulator")):
            return True
    return False


APPROVAL = 60  # folded characters from "if" to the word for approval, and to who approves
_STEPS = (Stage.CONDITION_MET, Stage.APPLICATION, Stage.DECISION, Stage.REMOVAL, Stage.NONE)  # that follow a vote, when conditional


def _by_issuer(doc: Document, unit: Unit, reading: Reading) -> bool:
    """The issuer decides or applies; a "determination" by a board alone is such a decision."""
    if reading.stage is not Stage.DETERMINATION:
        return reading.stage in (Stage.DECISION, Stage.APPLICATION)
    others = any(doc.scan.within(f"actor.{name}", unit.fstart, unit.fend) for name in ("exchange", "regulator", "committee", "court"))
    board = bool(doc.scan.within("actor.board", unit.fstart, unit.fend))
    return board and (not others or acting(doc, unit, reading.start) == "board")


_ITS_SUBJECT = re.compile(
    r"\W*(?:the |this |that |its |die |der |das |dieser? |den |det |denna |denne |dette |het |deze |dit |ihr |sein )?(?:redemption|call|notice|de-?listing|cancellation|withdrawal|decision|removal|plan|liquidation|transaction|proposal"
    r"|entscheidung|beschluss|kündigung|rückzahlung|widerruf|dekotierung|antrag|gesuch|avnotering\w*|beslut\w*|ansökan|inlösen|vedtak\w*|beslutning\w*|strykning\w*|søknad\w*|innløsning\w*|afnotering\w*"
    r"|anmodning\w*|sletning\w*|indfrielse\w*|besluit|schrapping|verzoek|aflossing|beëindiging|päätös|hakemus|poistaminen|lunastus)\b"
    r"|\W*(?:la |l'|el |lo |a |o |il |ta |to |cette |cet |esta |este |dicha |dicho |questa |tale |essa |esse |uchwała |decyzja )?(?:radiation|retrait|décision|résolution|demande|exclusión|deslistado|cancelación"
    r"|decisión|acuerdo|solicitud|exclusão|deslistagem|cancelamento|decisão|deliberação|pedido|saída|revoca|esclusione|cancellazione|decisione|delibera|richiesta|domanda|efficacia|eficacia|eficácia"
    r"|wycofanie|wykluczenie|zniesienie|wycofania|uchwała|decyzja|wniosek|việc hủy niêm yết|nghị quyết|kottan çıkar\w+|karar\w*|penghapusan|pencatatan|keputusan)\b"
    r"|\W*(?:本件|上場廃止|当該決定|本決議|効力|申請|終止上市|终止上市|撤銷上市|取消上市|除牌|退市|效力|[该該本]?(?:议案|議案|决议|決議|事项|事項)|상장 ?폐지|효력|신청|해당 ?결의)"
)


def _on_the_step(doc: Document, unit: Unit) -> bool:
    """The sentence makes the step itself its subject ("The redemption depends on ..."), and waits for more than an exchange."""
    if not _ITS_SUBJECT.match(doc.folded.text, unit.fstart, unit.fend):
        return False
    others = any(doc.scan.within(f"actor.{name}", unit.fstart, unit.fend) for name in ("holders", "court", "regulator", "bidder"))
    return others or not doc.scan.within("actor.exchange", unit.fstart, unit.fend)


def _reversed_after(doc: Document, unit: Unit, reading: Reading, identity: Identity) -> bool:
    """The same sentence goes on to say that the step was reversed ("determined to delist, but the council reversed it")."""
    if reading.stage is Stage.REMOVAL or UNTIL.search(doc.scan, unit.fstart, unit.fend):
        return False
    later = read_unit(doc, unit)
    for hit in doc.scan.within("stage.reversal", reading.end, unit.fend):
        stated = bare_reading(doc, unit, hit.start, hit.end, hit.rule).modality is Modality.ASSERTED
        again = any(r.stage in QUALIFYING and r.start >= hit.end for r in later)
        if stated and not again and identity.subject(unit, hit.start, hit.end).target == "this":
            return True
    return False


def _by_vote(doc: Document, unit: Unit) -> bool:
    """The sentence speaks of a vote: holders, or counts of votes for and against."""
    return _by_holders(doc, unit) or bool(_VOTES.search(doc.scan, unit.fstart, unit.fend))


_VOTES = Guarded(
    r"\b(?:votes?|voted|resolution|motion|proposal|stem(?:te|mer|t)|røst\w*|rösta\w*|flertal\w*|forslag\w*|förslag\w*|äänest\w*|ään(?:tä|istä)|ehdotus|stemming|voorstel|głos\w*|uchwał\w*|stimmen|beschluss\w*|voix|résolution|votos|resoluci\w*|delibera\w*|stemmen|röster)\b|決議|决议|決议|議案|议案|의안|안건|결의"
)


def _by_holders(doc: Document, unit: Unit) -> bool:
    """Holders are named, and before any board ("the meeting ... and empowers the board") but one that only informs of them."""
    holders, board = (doc.scan.within(f"actor.{name}", unit.fstart, unit.fend) for name in ("holders", "board"))
    if not holders or not board or holders[0].start < board[0].start:
        return bool(holders)
    return bool(_THAT.search(doc.folded.text, board[0].end, holders[0].start)) and bool(
        doc.scan.within("act.publication", board[0].start, holders[0].start)
    )


_THAT = re.compile(r"\b(?:that|dass|daß|que|che|dat|att|at|że|iż|että|rằng|bahwa|bahawa)\b|,")


def _weaker_headline(readings: Sequence[tuple[Unit, Reading]], identity: Identity) -> Reading | None:
    """A headline that announces a proposal, a plan or a lapse, and no qualifying step: what the text decides is to propose it."""
    heads = [r for u, r in readings if u.kind in HEADS and not (r.stage is Stage.SEGMENT and identity.goes_elsewhere(r))]
    if any(r.stage in QUALIFYING and r.modality is Modality.ASSERTED for r in heads):
        return None
    heads = [
        r for r in heads if r.stage is not Stage.PROPOSAL or not OUTCOME.search(identity.doc.scan, max(0, r.start - TOLD), r.end + TOLD)
    ]
    return next((r for r in heads if r.stage in _WEAK_HEADS and (r.modality is not Modality.NEGATED or r.stage is Stage.RUMOUR)), None)


def _body_supports(doc: Document, readings: Sequence[tuple[Unit, Reading]], identity: Identity, *, conditions: bool) -> bool:
    """A headline counts when a sentence of the body, not about others, states a qualifying step without reserve; a first-hand one
    also when the body speaks of the end of the listing in other words and states no weaker step."""
    told = [(u, r) for u, r in readings if u.kind not in HEADS]
    body = [r for _, r in told]
    stated = [(u, r) for u, r in told if r.stage in QUALIFYING and r.modality in (Modality.ASSERTED, Modality.ATTRIBUTED)]
    stated = [(u, r) for u, r in stated if r.stage is not Stage.CONDITION_MET or _open_condition(doc, u, r) is None]
    if conditions and stated:
        stated = [(u, r) for u, r in stated if _undone(doc, u, r, readings, identity, conditions) is None]
        if not stated:
            return False
    if stated:
        return any(identity.subject(u, r.start, r.end).target != "other" for u, r in stated)
    if doc.source_kind in SECOND_HAND:
        return not body
    return all(r.stage in _NEUTRAL and r.modality in (Modality.ASSERTED, Modality.ATTRIBUTED, Modality.HISTORY) for r in body)


def _only_timed(reading: Reading) -> bool:
    """A step that only waits for its turn ("once the money is paid"): beside a condition that is met, nothing is open."""
    return reading.modality is Modality.CONDITIONAL and reading.why.startswith(_TURNS)


def _ends_listing(doc: Document, unit: Unit, identity: Identity) -> bool:
    """Beside a condition met, the same document ends the listing without reserve, or one of the resolutions that were all passed does."""
    every = bool(EVERY_RESOLUTION.search(doc.folded.text, unit.fstart, unit.fend))
    matter = doc.scan.within("object", unit.fstart, unit.fend)  # what was approved is the end itself, and its timetable follows
    for other in doc.units:
        if not other.main or abs(other.block - unit.block) > 8 or doc.scan.within("stage.technical", other.fstart, other.fend):
            continue
        for reading in read_unit(doc, other):
            stated = reading.modality is Modality.ASSERTED or _only_timed(reading)
            timed = matter and reading.stage is Stage.LAST_TRADING and doc.dates_in(other.start, other.end)
            decides = stated and (timed or (reading.stage in QUALIFYING and reading.stage is not Stage.CONDITION_MET))
            if decides and identity.subject(other, reading.start, reading.end).target != "other":
                return True
        objects = doc.scan.within("object", other.fstart, other.fend)
        blocked = any(doc.scan.within(family, other.fstart, other.fend) for family in NOT_NOW)
        ends = objects and not blocked and (doc.dates_in(other.start, other.end) or (every and resolution(doc.folded_text(other))))
        if ends and identity.subject(other, objects[0].start, objects[0].end).target != "other":
            return True
    return False

"""Broad reason and disclosure type: from the qualifying sentence first, its document second, other documents last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.lexis import Hit
from s2r.adjudicate.rules.periods import of_a_period
from s2r.models import BlockKind, Stage

# Where two reasons are stated, the driving one comes first in this order (rulings: a squeeze-out is an acquisition although
# the board asks for the delisting; an insolvency drives the determination; a redemption is one whatever box the form ticks).
PRECEDENCE = (
    "regulatory",
    "insolvency",
    "expiry_redemption",
    "merger_acquisition",
    "noncompliance",
    "transfer",
    "voluntary",
    "other",
)
LABELLED, SENTENCE, BLOCK, TITLE, DOCUMENT, OTHER_DOCUMENT = 6.0, 4.0, 2.0, 2.0, 1.0, 0.5
BESIDE = 3  # sentences around the qualifying one in which the completion of an acquisition is looked for
# Who acts tells the reason where nothing is said: an issuer that asks leaves of its own will, an exchange acts on its rules.
OWN_ACT, EXCHANGE_ACT = 1.2, 1.0
# A redemption, a winding-up or an expiry is the usual end of these securities, and an unusual one of common stock.
ENDING_CLASSES = frozenset({"note", "preferred", "warrant", "right", "fund", "unit", "option"})

EXPIRING = frozenset({"warrant", "right", "option"})
YEARS_PAST = 3  # of which a sentence of another document tells history

DISCLOSURE_OF_SOURCE = {
    "exchange": "exchange_notice",
    "regulator": "court_or_regulator",
    "court": "court_or_regulator",
    "filing": "regulatory_filing",
    "issuer": "issuer_announcement",
    "wire": "issuer_announcement",
}


@dataclass(frozen=True, slots=True)
class ReasonFound:
    """The reason with the passage that states it; offsets into the text of `doc`."""

    reason: str
    doc: Document
    start: int
    end: int
    rule: str
    scores: dict[str, float]


def find_reason(
    doc: Document,
    unit: Unit,
    stage: Stage,
    at: int,
    classes: frozenset[str],
    context: Sequence[tuple[Document, Sequence[Unit]]],
    apart: AbstractSet[int] = frozenset(),
) -> ReasonFound | None:
    """Weigh all reason phrases around the qualifying `unit`, who acts in it, and the class of security; `context` holds other
    documents on or before the disclosure with their units about the target, `apart` numbers of units about others."""
    scores: dict[str, float] = {}
    near: set[str] = set()  # stated in the qualifying sentence, beside it, or under a label
    best: dict[str, tuple[float, Document, Unit, str]] = {}

    own_act = acting(doc, unit, at) in ("board", "issuer")

    def add(where: Document, at: Unit, weight: float) -> None:
        for family in where.scan.possible("reason."):
            hits = [hit for hit in where.scan.within(family, at.fstart, at.fend) if not _in_name(where, at, hit)]
            name = family.removeprefix("reason.")
            if name == "expiry_redemption":
                hits = [hit for hit in hits if not of_a_period(where.folded.text, hit.start, hit.end)]
            if name == "merger_acquisition" and hits and own_act and required_offer(where.folded.text):
                hits = [hit for hit in hits if "erwerbsangebot" not in where.folded.text[hit.start : hit.end]]
            if hits and weight == OTHER_DOCUMENT and _long_before(where, at):
                continue
            if not hits or (name == "expiry_redemption" and _ends_another(where, at, unit if where is doc else None, classes)):
                continue
            hit = max(hits, key=lambda h: h.weight)
            gain = weight * hit.weight
            if gain >= BLOCK:
                near.add(name)
            scores[name] = scores.get(name, 0.0) + gain
            if name not in best or gain > best[name][0]:
                best[name] = (gain, where, at, hit.rule)

    for other in doc.units:
        distance = abs(other.index - unit.index)
        if distance == 0:
            add(doc, other, SENTENCE)
        elif not other.main or other.index in apart:
            continue
        elif distance <= LISTED and _LABEL.match(doc.folded_text(other)):
            add(doc, other, LABELLED)
        elif other.kind in (BlockKind.TITLE, BlockKind.HEADING):
            add(doc, other, TITLE / 2)
        elif other.block == unit.block:
            add(doc, other, BLOCK)
        else:
            add(doc, other, DOCUMENT if distance <= 6 else DOCUMENT / 2)
    for where, units in context:
        for other in units:
            add(where, other, OTHER_DOCUMENT)
    priors = _prior(doc, unit, stage, at)
    if classes and classes <= EXPIRING and not scores:
        priors = {"expiry_redemption": OWN_ACT}  # nothing else is said: they end on a day that was set when they were issued
    for name, gain in priors.items():
        scores[name] = scores.get(name, 0.0) + gain
        best.setdefault(name, (gain, doc, unit, "prior:actor"))
    if not scores:
        return None
    if _acquired(doc, unit):
        near.add("acquired")
    reason = max(scores, key=lambda name: (round(_weighed(name, scores, classes, near), 6), -PRECEDENCE.index(name)))
    _, where, passage, rule = best[reason]
    return ReasonFound(reason, where, passage.start, passage.end, rule, scores)


# the offer to all holders that the law makes a condition of a company's own delisting
_REQUIRED_OFFER = re.compile(r"delisting-?(?:rück)?erwerbsangebot|§ ?39 (?:abs\w*\.? ?\d+ )?(?:satz \d+ )?(?:nr\. ?\d+ )?börsg")


def required_offer(text: str) -> bool:
    """The folded text names that offer, or the paragraph that asks for it."""
    return "erwerbsangebot" in text and _REQUIRED_OFFER.search(text) is not None


LISTED = 12  # units around the decision among which a line that is labelled as its reason is looked for
_LABEL = re.compile(
    r"\W*(?:\d{1,2}[.)] ?)?(?:(?:main |brief )?(?:reasons?|grounds?|cause)(?: (?:for|of|to) [^:|]{0,40})?|grund|gründe|begründung|motifs?|raison|motivos?|causal?|causa|motivo|motivazione|ragione"
    r"|reden|orsak|skäl|årsak|årsag|begrundelse|begrunnelse|peruste|syy|powód|przyczyna|uzasadnienie|lý do|nguyên nhân|alasan|sebab|gerekçe|neden|السبب|سبب [^:|]{0,20}|เหตุผล|कारण"
    r"|(?:上場廃止の?)?理由|原因|(?:终止上市|終止上市|退市)?(?:原因|理由)|(?:상장폐지)?\s?사유) ?(?=[:|：])"
)


_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def _long_before(doc: Document, unit: Unit) -> bool:
    """The passage dates what it tells years before the last day of its document."""
    if _YEAR.search(doc.folded.text, unit.fstart, unit.fend) is None:
        return False
    years = [int(d.mention.value[:4]) for d in doc.dates_in(unit.start, unit.end) if d.mention.value]
    if not years:
        return False
    last = max((d.day.year for d in doc.dates if d.day is not None), default=0)
    return max(years) + YEARS_PAST <= last


def _in_name(doc: Document, unit: Unit, hit: Hit) -> bool:
    """The words are part of a proper name in English prose ("Marlow Share Exchange", "Orrin Acquisition Partners")."""
    if hit.lang != "en" or doc.page.lang != "en" or unit.kind in (BlockKind.TITLE, BlockKind.HEADING):
        return False
    low, high = doc.folded.span(hit.start, hit.end)
    words = doc.page.text[low:high].split()
    if not all(word[:1].isupper() for word in words):
        return False
    return bool(_NAME_BEFORE.search(doc.page.text, max(unit.start, low - 24), low))


def _ends_another(doc: Document, at: Unit, unit: Unit | None, classes: frozenset[str]) -> bool:
    """A sentence apart from the qualifying `unit` tells of the repayment of notes or another class, and the listing is one of shares."""
    if unit is not None and at.index == unit.index:
        return False
    if not classes or classes & ENDING_CLASSES or any(doc.scan.within(f"security.{name}", at.fstart, at.fend) for name in classes):
        return False
    return any(doc.scan.within(f"security.{name}", at.fstart, at.fend) for name in _REPAID)


_REPAID = ("note", "preferred", "warrant", "right", "option")
_NAME_BEFORE = re.compile(r"(?<=\w )(?!The |This |Our |Section |Rule |Chapter |Plan |Exit )[A-Z][a-z]{3,}(?: &)? $")


def _acquired(doc: Document, unit: Unit) -> bool:
    """In the title or beside the qualifying sentence the text says that an acquisition is completed: who asks for what follows is form."""
    for other in doc.units:
        beside = abs(other.index - unit.index) <= BESIDE or other.kind in (BlockKind.TITLE, BlockKind.HEADING)
        if (
            beside
            and other.main
            and any(
                met.start < cause.end and cause.start < met.end
                for met in doc.scan.within("stage.condition_met", other.fstart, other.fend)
                for cause in doc.scan.within("reason.merger_acquisition", other.fstart, other.fend)
            )
        ):
            return True
    return False


def _prior(doc: Document, unit: Unit, stage: Stage, at: int) -> dict[str, float]:
    """What the acting body suggests; a document without an actor speaks for its source."""
    if stage is Stage.APPLICATION:
        return {"voluntary": OWN_ACT}
    actor = acting(doc, unit, at)
    if not actor and stage is Stage.CONDITION_MET:
        return {"voluntary": OWN_ACT / 3}  # what holders approved is the company's
    if not actor:
        return {"noncompliance": EXCHANGE_ACT / 2} if doc.source_kind in ("exchange", "regulator") else {"voluntary": OWN_ACT / 3}
    if (
        actor in ("regulator", "committee")
        and doc.source_kind == "regulator"
        and doc.scan.within("reason.regulatory", unit.fstart, unit.fend)
    ):
        return {"regulatory": EXCHANGE_ACT}  # a sanction
    return {"voluntary": OWN_ACT} if _ACTORS[actor] else {"noncompliance": EXCHANGE_ACT}


def acting(doc: Document, unit: Unit, at: int) -> str:
    """Who acts in a sentence: the actor named last before the step (`at`, folded), else the first after it; "" when none is."""
    text = doc.folded.text
    if (letter := _LETTER.match(text, at, unit.fend)) is not None:
        at = letter.end()  # what it says is somebody else's act
    actors = sorted(
        (hit.start, own, family)
        for family, own in _ACTORS.items()
        for hit in doc.scan.within(f"actor.{family}", unit.fstart, unit.fend)
        if not (family == "issuer" and (_OWNER.match(text, hit.end) or _HEARS.match(text, hit.end)))
        and not (own and _is_told(text, unit, hit))
        and (
            (own and not _TOLD.search(text[max(unit.fstart, hit.start - 8) : hit.start]))
            or (
                hit.start <= at
                and not _PLACE_BEFORE.search(text[max(unit.fstart, hit.start - 24) : hit.start])
                and not _is_notified(text, hit, unit.fend)
            )
        )
    )
    before = [family for start, _, family in actors if start <= at]
    return before[-1] if before else (actors[0][2] if actors else "")


def _is_told(text: str, unit: Unit, hit: Hit) -> bool:
    """Somebody else tells this body of the step."""
    before = text[max(unit.fstart, hit.start - 34) : hit.start]
    return bool(_INFORMS.search(before) or _TELLS_HAN.search(before) or _INFORMED.match(text, hit.end, unit.fend))


def _is_notified(text: str, hit: Hit, high: int) -> bool:
    """The exchange of `hit` is given a notice; some of its names take in the verb after them."""
    last = text.rfind(" ", hit.start, hit.end)
    return _NOTIFIED.match(text, hit.end, high) is not None or (last >= 0 and _NOTIFIED.match(text, last, high) is not None)


# "listing on the exchange", "von der Börse", "de la Bourse": a place, not an actor
_PLACE_BEFORE = re.compile(
    r"\b(?:from|on|off|of|at|to|von|an|auf|bei|de|du|à|au|sur|en|em|da|do|na|no|del|della|alla|dalla|på|fra|från|ved|van|op|aan|na|z|ze)(?: the| der| die| dem| den| la| le| el| il| het)?"
    r"(?: (?:london|new york|toronto|johannesburg|nairobi|nigerian|irish|singapore|hong kong|tokyo|australian|national|american|bombay|frankfurter|warsaw|oslo|copenhagen|helsinki|stockholm))?[ (]$"
)
_OWNER = re.compile(r"['’]s\b|의 ?| ?(?:주권|주식|보통주)|(?:の|的|之)(?:普通)?(?:株|股|上場|上市)")  # whose shares they are does not act
# who gets a letter does not act: "the company received a letter from the exchange stating that its committee has decided"
_HEARS = re.compile(
    r",? (?:has |have |had |was |were |today |on [^,;.]{3,24} |also )*(?:(?:received|obtained) (?:a |an |the )?(?:further |written |formal )?(?:letter|notice|notification|determination|decision)|(?:been )?(?:notified|informed|advised) (?:by|that|of)\b)"
)
_LETTER = re.compile(
    r"(?:(?:(?:has |have |had |was |were |today |also )*(?:received|notified|informed|advised|been \w+)\b|(?:a |an |the |its )?(?:\w+ )?(?:letter|notice|notification|determination)\b)"
    r"[^.;]{0,120}?\b|(?:\w+ ){1,3}?)(?:stating|saying|advising|informing|notifying)\b(?: it)?(?: that)?(?: the| its| a)? ?"
)
_TOLD = re.compile(r"\b(?:aan|till|til|an|to) (?:the |de |die )?$")  # who is told does not act
# "the exchange has informed the company that", "hat der Gesellschaft mitgeteilt": neither does who is informed
_INFORMS = re.compile(
    r"\b(?<!been )(?<!was )(?<!were )(?:informed|notified|advised|written to|informé|avisé|notifié|indiqué|(?:informad|notificad|comunicad)o|(?:comunicó|notificó|informó|comunicou|notificou|informou)|(?:comunicato|notificato|informato|avvisato)"
    r"|meddelat|underrättat|informerat|meddelt|underrettet|orientert|poinformował[ao]?|powiadomił[ao]?|zawiadomił[ao]?|ilmoittanut|memberitahu(?:kan)?|memaklumkan(?: kepada)?|menyampaikan kepada)"
    r"\s(?:the |to the |à |la |le |el |al |a la |à la |a |o |alla |all'|den |det )?$"
)
_INFORMED = re.compile(
    r"[^\W\d_]* (?:heute |hiermit |schriftlich |gestern |per brief |vandaag )?(?:mitgeteilt|informiert|unterrichtet|eröffnet|laten weten|meegedeeld|bericht|geïnformeerd)\b|에 ?(?:통보|통지|고지)|に(?:対し)?(?:通知|通告)"
)
_TELLS_HAN = re.compile(r"(?:告知|通知|通知了|函告|致函)(?:了)?$")
# an exchange to which a notice is given does not act: "and Nasdaq has been given notice", "the exchange was informed today"
_NOTIFIED = re.compile(
    r"(?: (?:llc|ag|stock market|stock exchange|s\.a\.|asa|ab|oyj))?,? (?:(?:has|have|had) (?:(?:today|already|also|duly|now|since|accordingly) )*been|was|were|is|are|will be)"
    r"(?: today| already| also| duly| now| since| accordingly)* (?:given (?:\w+ )?notice|notified|informed|advised|told|served)\b(?! that (?:the|its) (?:panel|committee|council|staff))"
    r"| (?:wurde|ist|wird)(?: \w+){0,4} (?:informiert|benachrichtigt|unterrichtet|in kenntnis gesetzt)\b| (?:a été|a déjà été|en a été|a ainsi été) (?:\w+ )?(?:informée?|avisée?|avertie?|notifiée?)\b"
    r"| (?:ha sido|fue|ya ha sido) (?:\w+ )?(?:informad|notificad|avisad)[ao]\b| (?:foi|já foi) (?:\w+ )?(?:informad|notificad|comunicad)[ao]\b| (?:è stata?|è già stata?) (?:\w+ )?(?:informat|avvisat|notificat)[ao]\b"
    r"| (?:is|werd|wordt)(?: \w+){0,4} (?:geïnformeerd|ingelicht|in kennis gesteld|verwittigd)\b| (?:har|er|är|blev|ble)(?: \w+){0,3} (?:informerats|underrättats|meddelats|informeret|underrettet|informert|underrettet|varslet)\b"
)
_ACTORS = {
    "board": True,
    "issuer": True,
    "holders": True,
    "bidder": True,
    "exchange": False,
    "committee": False,
    "regulator": False,
    "court": False,
}


def _weighed(name: str, scores: dict[str, float], classes: frozenset[str], near: AbstractSet[str]) -> float:
    """Voluntary and non-compliance are stated beside most other reasons (the board asks, a rule is named): they yield."""
    score = scores[name]
    if name == "voluntary":
        return score * (0.3 if "acquired" in near else 0.35 if "transfer" in near else 0.75)  # where the listing goes on says why
    if name in ("merger_acquisition", "transfer") and score <= DOCUMENT and name not in near and scores.get("voluntary", 0.0) >= OWN_ACT:
        return score * 0.5  # one word far from the company's own act: a plant that it bought, a home market that goes on
    if name == "other":
        return score * 0.3
    if name == "expiry_redemption":
        return score * (1.5 if classes & ENDING_CLASSES else 0.9)
    if name == "noncompliance" and "insolvency" in near:
        return score * 0.5
    if name == "insolvency":  # named beside the rule that is applied, it is what drives the case
        stated = scores.get("noncompliance", 0.0) > EXCHANGE_ACT  # more than that the exchange acts
        return score * (2.0 if name in near else 1.5 if stated else 2.5)
    return score


def disclosure_type(source_kind: str) -> str:
    """Disclosure type of a qualifying document by the kind of its source."""
    return DISCLOSURE_OF_SOURCE.get(source_kind, "other")

"""What a step still waits for by the sentences around it: a transaction that is open, the consent of holders, a list of conditions."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.reason import acting
from s2r.adjudicate.rules.stage import Reading
from s2r.adjudicate.rules.unreserved import open_conditions, waits
from s2r.models import BlockKind, Stage

AWAITED = 4  # sentences around one that ends the listing by a transaction, among which its conditions are named


def awaited_merger(doc: Document, unit: Unit, reading: Reading) -> Unit | None:
    """A sentence beside one by which a merger or offer ends the listing says what the merger still waits for: holders or an authority.

    An exchange's or authority's own act waits for nothing, nor does a transaction that is completed.
    """
    if doc.source_kind in ("exchange", "regulator") or reading.stage not in (Stage.DETERMINATION, Stage.REMOVAL):
        return None
    if not doc.scan.within(_MERGER, unit.fstart, unit.fend) or any(
        doc.scan.within("stage.condition_met", u.fstart, u.fend) for u in doc.units
    ):
        return None
    if any(hit.end <= reading.start for hit in doc.scan.within("modality.conditional", unit.fstart, reading.start)):
        return unit  # an earlier clause of the sentence keeps the transaction open
    for other in doc.units[max(0, unit.index - AWAITED) : unit.index + 1 + AWAITED]:
        if not other.main or other.index == unit.index or not doc.scan.within(_MERGER, other.fstart, other.fend):
            continue
        if waits(doc.scan, other) and any(
            doc.scan.within(f"actor.{name}", other.fstart, other.fend) for name in ("holders", "court", "regulator")
        ):
            return other
    return None


_MERGER = "reason.merger_acquisition"


REQUEST = 6  # sentences around a request in which the exchange says what its consent waits for, and entries of its list
_AGREEING = re.compile(
    r"\b(?:agree[sd]?|agreement|consent(?:s|ed)?|approv(?:es?|ed|al)|grant(?:s|ed)?|accept(?:s|ed)?|accede[sd]?|confirm(?:s|ed)?|likely|in[- ]principle|no objections?|not object)\b"
)


def awaits_consent(doc: Document, unit: Unit, reading: Reading) -> Unit | None:
    """Beside a request or resolution of the issuer a sentence says that the exchange agrees only if holders do, in words or in the list that follows."""
    own = acting(doc, unit, reading.start) in ("board", "issuer") or unit.kind in (BlockKind.TITLE, BlockKind.HEADING)
    if reading.stage is not Stage.APPLICATION and not (own and reading.stage in (Stage.DECISION, Stage.DETERMINATION)):
        return None
    near = [u for u in doc.units[max(0, unit.index - REQUEST) : unit.index + 1 + REQUEST] if u.main]
    for other in near:
        conditions = open_conditions(doc.scan, other.fstart, other.fend)
        if not conditions or other.index == unit.index or not _AGREEING.search(doc.folded_text(other)):
            continue
        if not doc.scan.within("actor.exchange", other.fstart, other.fend):
            continue
        listed = (u for u in doc.units[other.index + 1 : other.index + 1 + REQUEST] if u.main and in_conditions(doc, u))
        spans = [(conditions[0].start, other.fend), *((u.fstart, u.fend) for u in listed)]
        if any(doc.scan.within("actor.holders", low, high) for low, high in spans):
            return other
    return None


def in_conditions(doc: Document, unit: Unit) -> bool:
    """An entry of a list whose opening sentence ("subject to the following:") is conditional."""
    for previous in reversed(doc.units[max(0, unit.index - 8) : unit.index]):
        text = doc.folded_text(previous).rstrip()
        if text.endswith((":", "：")):
            return bool(doc.scan.within("modality.conditional", previous.fstart, previous.fend))
        if not text.endswith((";", ",", "; and", "and", "or", "；", "、")) and previous.block != unit.block:
            return False
    return False


# authorities that clear a transaction and decide on no listing
_CLEARING = Guarded(
    r"\b(?:competition|antitrust|anti-trust|merger control|foreign investment) (?:and \w+ )?(?:authorit\w+|commission|tribunal|bureau|regulators?|agenc\w+|court|board)\b|\btakeovers? (?:regulation )?panel\b|\b(?:bundeskartellamt|kartellbehörde|wettbewerbs(?:behörde|kommission)|übernahmekommission)\w*"
    r"|\bautorité (?:belge )?de la concurrence|\bbureau de la concurrence|\b(?:autoridad|comisión|tribunal) (?:\w+ ){0,3}de (?:la |defensa de la |los mercados y la )?competencia|\b(?:cade|cnmc|agcm|acm|uokik|kppu|mycc)\b|\bautoridade da concorrência|\bautorità (?:garante|antitrust)"
    r"|\b(?:konkurrensverket|konkurransetilsynet|konkurrencestyrelsen|finansinspektionen|finanstilsynet|finanssivalvonn\w+|kilpailu- ja kuluttajavirast\w+)(?:s|en)?\b|\bautoriteit consument|\bmededingingsautoriteit"
    r"|公正取引委員会|공정거래위원회|市场监督管理总局|反垄断|\bủy ban cạnh tranh|\brekabet kurumu"
)


def others_to_act(doc: Document, unit: Unit) -> bool:
    """A sentence names holders, a bidder, a court or an authority."""
    named = any(doc.scan.within(f"actor.{name}", unit.fstart, unit.fend) for name in ("holders", "court", "regulator", "bidder"))
    return named or _CLEARING.search(doc.scan, unit.fstart, unit.fend) is not None

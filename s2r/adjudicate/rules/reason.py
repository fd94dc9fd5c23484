"""Broad reason and disclosure type: from the qualifying sentence first, its document second, other documents last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.lexis import Hit

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
SENTENCE, BLOCK, TITLE, DOCUMENT, OTHER_DOCUMENT = 4.0, 2.5, 3.0, 1.0, 0.4

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


def find_reason(doc: Document, unit: Unit, context: Sequence[tuple[Document, Sequence[Unit]]]) -> ReasonFound | None:
    """Weigh all reason phrases around the qualifying `unit`; `context` holds other documents with their units about the target."""
    scores: dict[str, float] = {}
    best: dict[str, tuple[float, Document, Unit, Hit]] = {}

    def add(where: Document, at: Unit, weight: float) -> None:
        for family in where.scan.families("reason."):
            hits = where.scan.within(family, at.fstart, at.fend)
            if not hits:
                continue
            name = family.removeprefix("reason.")
            scores[name] = scores.get(name, 0.0) + weight
            if name not in best or weight > best[name][0]:
                best[name] = (weight, where, at, hits[0])

    for other in doc.units:
        if other.index == unit.index:
            add(doc, other, SENTENCE)
        elif not other.main:
            continue
        elif other.block == unit.block or abs(other.block - unit.block) == 1:
            add(doc, other, BLOCK / (1 + abs(other.index - unit.index) / 4))
        elif other.index <= 2:
            add(doc, other, TITLE / 2)
        else:
            add(doc, other, DOCUMENT / (1 + abs(other.index - unit.index) / 8))
    if not scores:
        for where, units in context:
            for other in units:
                add(where, other, OTHER_DOCUMENT)
    if not scores:
        return None
    reason = max(scores, key=lambda name: (round(_weighed(name, scores), 6), -PRECEDENCE.index(name)))
    _, where, at, hit = best[reason]
    return ReasonFound(reason, where, at.start, at.end, hit.rule, scores)


def _weighed(name: str, scores: dict[str, float]) -> float:
    """Voluntary and non-compliance are stated beside most other reasons (the board asks, a rule is named): they yield."""
    score = scores[name]
    if name == "voluntary":
        return score * 0.6
    if name == "other":
        return score * 0.3
    return score


def disclosure_type(source_kind: str) -> str:
    """Disclosure type of a qualifying document by the kind of its source."""
    return DISCLOSURE_OF_SOURCE.get(source_kind, "other")

"""What one document is about as a whole: sentences that name no venue, class or company go with those that do."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.candidates import Candidate
from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.identity import FOREIGN_CODE, Fit, Identity, Subject
from s2r.adjudicate.rules.mentions import LIST_KINDS, LISTERS
from s2r.adjudicate.rules.obstacles import HEADS, STATED, UNTIL
from s2r.adjudicate.rules.stage import QUALIFYING, Reading
from s2r.lang.literals import Hint
from s2r.models import Modality, Stage

_DECIDING = tuple(stage for stage in QUALIFYING if stage is not Stage.CONDITION_MET)  # a loan or sale that closes decides on no listing


def one_matter(
    part: str, candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """A document whose qualifying sentences name another venue (or class), and never the target's, is about that one, also
    where a sentence names none."""
    stated = [s for _, r, s, _ in findings if r.stage in _DECIDING and r.modality in STATED and s.issuer is Fit.THIS]
    entries = [s for u, r, s, _ in findings if u.kind in LIST_KINDS and r.stage is Stage.NONE and s.issuer is Fit.THIS]
    explicit = {getattr(s, part) for s in (*stated, *entries) if s.names_issuer} - {Fit.OPEN}
    named = explicit or {getattr(s, part) for s in stated}
    if Fit.OTHER not in named or Fit.THIS in named:
        return candidates, findings
    dropped = {id(c.unit) for c in candidates if getattr(c.subject, part) is Fit.OPEN or (explicit and not c.subject.names_issuer)}
    why = f"other: the document's decision is about another {part}"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )


def without_namesake(
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


def _fund_goes_on(doc: Document, unit: Unit, reading: Reading, subject: Subject) -> bool:
    """The sentence names this fund of the family and says that it goes on."""
    goes_on = reading.stage is Stage.REVERSAL and subject.target == "this" and subject.names_issuer
    return goes_on and not UNTIL.search(doc.scan, unit.fstart, unit.fend)


def without_continued(
    doc: Document, identity: Identity, candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
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
        and not UNTIL.search(doc.scan, u.fstart, u.fend)
    }
    dropped = {id(c.unit) for c in candidates if any(getattr(c.subject, part) is Fit.OPEN for part in parts)}
    if identity.target.security_matcher is not None and any(_fund_goes_on(doc, u, r, s) for u, r, s, _ in findings):
        dropped |= {id(c.unit) for c in candidates if not c.subject.names_issuer}
    if not dropped:
        return candidates, findings
    why = "the document says that this listing goes on"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )


def without_elsewhere(
    identity: Identity, candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """Where the document speaks of the end of a listing on another venue, and of this venue only as the one that is kept, a step
    that names no venue is the other one's."""
    about = [s for _, _, s, _ in findings if s.issuer is Fit.THIS]
    if not any(s.venue is Fit.OTHER for s in about) or any(s.venue is Fit.THIS for s in about) or not identity.keeps_this_venue:
        return candidates, findings
    dropped = {id(c.unit) for c in candidates if c.subject.venue is Fit.OPEN}
    why = "other: the document ends the listing on another venue and keeps the one on this"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )


# where a notice goes on to the securities that it admits
_ADMITS = re.compile(
    r"\b(?:hereby |also |and )?(?:admits?|admitted|admission|readmits?|listed|new line)\b|\b(?:zugelassen|zulassung|einbezogen|einführung)\b|\b(?:admis(?:es|sion)?|inscription|introdui\w+)\b|\b(?:admite\w?|admitid[oa]s?|admisión|inscripción|admissão)\b|\b(?:ammess[eaio]|ammissione|inizio delle negoziazioni)\b"
    r"|\b(?:toegelaten|toelating|opname)\b|\b(?:upptas|upptagande|tas upp|optages?|optagelse|opptas|opptak|tas opp)\b|\b(?:kaupankäynnin kohteeksi|listataan)\b|\b(?:dopuszcz\w+|wprowadz\w+)\b|新規上場|上場する|新上市|挂牌上市|掛牌|신규 ?상장|재상장|변경상장|\bniêm yết mới|\bdicatatkan\b"
)
_FURTHER = 8  # lines after such words that may be entries


def without_replaced(
    doc: Document, identity: Identity, candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """Where a notice ends a line of the issuer and admits another ISIN of the same class at the same venue, one takes the other's place."""
    if not candidates or doc.source_kind not in LISTERS or not (entry := _admitted_line(doc, identity)):
        return candidates, findings
    dropped = {id(c.unit) for c in candidates}
    why = f"the notice admits another line of the same securities: {doc.text(entry)[:80]!r}"
    return [], [(u, r, s, why if id(u) in dropped and not o else o) for u, r, s, o in findings]


def _admitted_line(doc: Document, identity: Identity) -> Unit | None:
    """An entry that names the issuer with an ISIN that is not the listing's, of the same class, under words that admit it here."""
    own = identity.target.listing.isin
    if not own or own not in doc.page.text or sum(code != own for code in _ISIN.findall(doc.page.text)) == 0:
        return None
    for head in doc.units:
        if not head.main or not _ADMITS.search(doc.folded.text, head.fstart, head.fend):
            continue
        for unit in doc.units[head.index : head.index + 1 + _FURTHER]:
            codes = _ISIN.findall(doc.text(unit))
            if not codes or own in codes or not identity.names_target(unit.start, unit.end):
                continue
            if identity.same_class(unit) and identity.here(head) and identity.here(unit):
                return unit
    return None


_ISIN = re.compile(r"\b[A-Z]{2}[A-Z0-9]{9}\d\b")


LINE = 120  # characters of a line without a full stop that is a headline whatever its markup


def _headline(doc: Document, unit: Unit) -> bool:
    text = doc.text(unit).rstrip()
    return unit.kind in HEADS or (len(text) <= LINE and not text.endswith((".", "。", ":", ";")))


# a move into it leaves the regulated market, whatever the headline calls it
_OPEN_MARKET = re.compile(
    r"\b(?:in|into|zum|zu|im) (?:das |den |dem |the )?(?:\w+ ){0,2}(?:freiverkehr\w*|segment scale|scale|m:access|basic board|quotation board|open market)\b"
)


_CAN_OPEN = Hint(_OPEN_MARKET)  # whether a text can name one


def _into_open_market(folded: str) -> bool:
    return _CAN_OPEN(folded) and _OPEN_MARKET.search(folded) is not None


def without_segment_moves(
    identity: Identity, candidates: list[Candidate], findings: list[tuple[Unit, Reading, Subject, str]]
) -> tuple[list[Candidate], list[tuple[Unit, Reading, Subject, str]]]:
    """Beside a sentence that states a move between segments, "the revocation takes effect" and a headline speak of that move."""
    moves = [
        u.index
        for u, r, s, o in findings
        if o and r.stage is Stage.SEGMENT and r.modality is not Modality.NEGATED and s.target != "other" and not identity.goes_elsewhere(r)
    ]
    if not moves or any(_into_open_market(c.doc.folded.text) for c in candidates[:1]):
        return candidates, findings
    dropped = {id(c.unit) for c in candidates if c.unit.index > min(moves) or _headline(c.doc, c.unit)}
    why = "speaks of a move between segments of the venue"
    return (
        [c for c in candidates if id(c.unit) not in dropped],
        [(u, r, s, why if id(u) in dropped else o) for u, r, s, o in findings],
    )

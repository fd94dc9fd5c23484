"""A step that one document alone states, in words that do not name the listing, while others about the issuer are silent.

Such a reading is more often a rule of an exchange, another line or another company than the end of this listing: it is left to a person.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from s2r.adjudicate.rules.candidates import Candidate, Judged
from s2r.adjudicate.rules.docdate import published
from s2r.adjudicate.rules.document import Document
from s2r.adjudicate.rules.identity import Fit, Subject
from s2r.adjudicate.rules.obstacles import HEADS
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.adjudicate.rules.stage import QUALIFYING, Reading
from s2r.adjudicate.rules.target import Target
from s2r.lang.names import Strength
from s2r.models import Modality, Stage

BY_CODE = "the listing's identifier"  # in the reason of a subject that is known by ISIN or code
SILENT = 2  # documents about the issuer, until the cutoff, that say nothing of an end
_SPOKEN = frozenset({*QUALIFYING, Stage.PROPOSAL})
_AHEAD = frozenset({Stage.PLAN, Stage.LAST_TRADING})
_MEANT = (Modality.ASSERTED, Modality.PLANNED, Modality.CONDITIONAL)
_DENIED = (Modality.NEGATED, Modality.HYPOTHETICAL)


def lonely(chosen: Candidate, judged: Sequence[Judged], target: Target) -> str:
    """Why the chosen step is not enough for a yes, "" when it is."""
    own = next(j for j in judged if j.doc is chosen.doc)
    loose = _loose([c.subject for c in own.candidates if c.day == chosen.day])
    if not loose or _headed(own) or _letterhead(own.doc, target) or _captioned(own.doc, target):
        return ""
    cutoff = target.listing.cutoff
    known = [j for j in judged if (day := _day(j)) is None or day <= cutoff]
    speaking = [j for j in known if any(_speaks(reading, subject) for _, reading, subject, _ in j.findings)]
    if len(speaking) > loose:
        return ""
    silent = [j for j in known if j not in speaking and _day(j) is not None and _names(j, target)]
    if len(silent) < SILENT:
        return ""
    return (
        f"a passage that does not name the listing states it, and {len(silent)} other documents about the issuer say nothing of an end: "
        f"{chosen.doc.page.url}"
    )


def _loose(subjects: Sequence[Subject]) -> int:
    """0 where a passage names the issuer, or security and venue; else how many documents may speak of an end and the step still be lonely."""
    if any(s.names_issuer or BY_CODE in s.why or (s.security is Fit.THIS and s.venue is Fit.THIS) for s in subjects):
        return 0
    return 1 if any(Fit.THIS in (s.security, s.venue) for s in subjects) else 2


def _headed(judged: Judged) -> bool:
    """The headline of the document names the issuer beside the event."""
    return any(
        unit.kind in HEADS and s.names_issuer and s.target == "this" and (r.stage in _SPOKEN or _named(r))
        for unit, r, s, _ in judged.findings
    )


def _letterhead(doc: Document, target: Target) -> bool:
    """A document at first hand opens with lines of its own for the whole name of the issuer and for its code: it is about this listing."""
    if doc.source_kind in SECOND_HAND:
        return False
    head = [unit for unit in doc.units if unit.main][:HEAD]
    lines = [line for unit in head for line in doc.text(unit).split("\n")]
    named = any(
        m.strength in _WHOLE and 2 * len(m.text) > len(line) for line in lines if len(line) <= LINE for m in target.matcher.find(line)
    )
    return named and any(target.codes_in(doc.folded_text(unit)) for unit in head if unit.end - unit.start <= LINE)


# the party that an order is about, in its caption
_MATTER = re.compile(
    r"\bin the matter of\b|\bin re\b|\bin (?:sachen|der sache)\b|\ben (?:el asunto|los autos) de\b|\bdans l'affaire\b|\bin de zaak\b|\bnel procedimento\b"
)
_CAPTION = 40  # characters beside the name among which it stands after those words


def _captioned(doc: Document, target: Target) -> bool:
    """An order of an authority names the issuer in its caption as the party, and no other: all that it decides is decided about it."""
    if doc.source_kind in SECOND_HAND:
        return False
    for unit in [unit for unit in doc.units if unit.main][:HEAD]:
        matter = _MATTER.search(doc.folded.text, unit.fstart, unit.fend)
        if matter is None:
            continue
        low = doc.folded.span(*matter.span())[1]
        party = doc.page.text[low : min(unit.end, low + _CAPTION + len(target.listing.issuer))]
        return any(m.strength in _WHOLE for m in target.matcher.find(party))
    return False


HEAD, LINE = 6, 80  # units at the top that can be a letterhead, and characters of one of its lines
_WHOLE = (Strength.FULL, Strength.CORE)


def _speaks(reading: Reading, subject: Subject) -> bool:
    if subject.target == "other" or reading.modality in _DENIED:
        return False
    return (
        reading.stage in _SPOKEN
        or (reading.stage in _AHEAD and reading.modality in _MEANT)
        or (_named(reading) and reading.modality is Modality.ASSERTED)
    )


def _named(reading: Reading) -> bool:
    """The event is named without a step ("Delisting of ...")."""
    return reading.rule.partition(":")[2].startswith("object")


def _day(judged: Judged) -> dt.date | None:
    found = judged.published or published(judged.doc)
    return found.day if found else None


def _names(judged: Judged, target: Target) -> bool:
    return any(m.strength is not Strength.NAMESAKE for m in target.matcher.find(judged.doc.page.text))

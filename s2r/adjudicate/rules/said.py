"""What a report leaves open and the documents that it follows say: of whom, of which venue and of which security a step is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from s2r.adjudicate.rules.candidates import Candidate, Judged
from s2r.adjudicate.rules.identity import Fit
from s2r.adjudicate.rules.sources import SECOND_HAND, WEAK
from s2r.adjudicate.rules.stage import QUALIFYING
from s2r.adjudicate.rules.target import Target
from s2r.lang.names import Strength
from s2r.models import Modality, Stage

REPORTED = dt.timedelta(days=3)  # within which a report follows the document that it is about
UNSETTLED = (Modality.CONDITIONAL, Modality.HYPOTHETICAL, Modality.PLANNED)


def said_of_another(c: Candidate, judged: Sequence[Judged], target: Target) -> str:
    """What a report leaves open, the document that it follows says: the step is about another venue, security or company."""
    near = [
        j for j in judged if j.doc.source_kind not in SECOND_HAND and j.published and c.day and abs(c.day - j.published.day) <= REPORTED
    ]
    if any(j.candidates for j in near):
        return ""
    beside = [j for j in judged if j.doc is not c.doc and j.doc.source_kind not in WEAK and j.published and not j.candidates]
    beside = [j for j in beside if j.published and c.day and abs(c.day - j.published.day) <= REPORTED]
    if any(r.stage is Stage.SEGMENT and s.target == "this" and blocked for j in beside for _, r, s, blocked in j.findings):
        return "a move between segments of the venue"
    told = [(j, r, s) for j in near for _, r, s, _ in j.findings if r.stage in QUALIFYING and r.modality not in UNSETTLED]
    if c.reading.stage is Stage.CONDITION_MET and {Fit.THIS, Fit.OTHER} <= {s.issuer for _, _, s in told}:
        return "another company"  # whose purchase the issuer completed
    if any(s.issuer is Fit.OTHER and _names_namesake(j, target) for j, _, s in told) and not _names_in_full(c, target):
        return "another company of like name"
    for _, _, subject in told:
        if subject.issuer is not Fit.THIS:
            continue
        if subject.venue is Fit.OTHER and c.subject.venue is not Fit.THIS:
            return "another venue"
        if subject.security is Fit.OTHER and c.subject.security is not Fit.THIS:
            return "another security"
    return ""


def _names_namesake(judged: Judged, target: Target) -> bool:
    return any(m.strength is Strength.NAMESAKE for m in target.matcher.find(judged.doc.page.text, judged.doc.folded))


def _names_in_full(c: Candidate, target: Target) -> bool:
    """The report gives the issuer's whole name, or a code of the listing."""
    found = target.matcher.find(c.doc.page.text, c.doc.folded)
    return any(m.strength in (Strength.FULL, Strength.CORE) for m in found) or any(code in c.doc.folded.text for code in target.ids)

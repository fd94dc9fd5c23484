"""Signs of life: a listing that is traded, warned or told to go on long after a step did not end with that step.

What the step ended was another line, another venue, a subsidiary, an earlier listing, or nothing at all.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from s2r.adjudicate.rules.candidates import Candidate, Judged
from s2r.adjudicate.rules.docdate import published
from s2r.adjudicate.rules.document import Document
from s2r.adjudicate.rules.identity import Fit, Identity, Subject
from s2r.adjudicate.rules.obstacles import UNTIL
from s2r.adjudicate.rules.sources import SECOND_HAND, WEAK
from s2r.adjudicate.rules.stage import QUALIFYING
from s2r.adjudicate.rules.target import Target
from s2r.lang.names import Strength
from s2r.models import Modality, Stage
from s2r.policy import Policy

LIFE_DAYS = 420  # an announced end takes effect within this; what lives longer did not end
_SAID = frozenset({Modality.ASSERTED})
_LIVING = {Stage.WARNING: _SAID, Stage.CURE: _SAID, Stage.REVERSAL: _SAID | {Modality.NEGATED}}  # what goes on denies an end
# what is only proposed, planned, rumoured, asked or denied of a listing has not happened to it
_OPEN = frozenset({Stage.PROPOSAL, Stage.PLAN, Stage.RUMOUR, Stage.CONDITIONAL_DECISION})
_AHEAD = frozenset({Modality.PLANNED, Modality.CONDITIONAL, Modality.NEGATED, Modality.HYPOTHETICAL})
_GONE = (Modality.ASSERTED, Modality.HISTORY)
FORMER = 60  # characters before a code or a price within which it may be called a former one
_FORMER = re.compile(
    r"\b(?:former\w*|ex|previously|delist\w*|de-list\w*|was listed|until|ehemal\w+|früher\w*|vormals|damals|anciennement|ancien\w*|"
    r"antes|anteriormente|già|precedentemente|voorheen|tidigare|tidligere|aiemmin|dawniej|last (?:trad|clos|quot)\w+)\b"
)


def without_the_living(
    candidates: Sequence[Candidate], judged: Sequence[Judged], target: Target, policy: Policy
) -> tuple[list[Candidate], list[tuple[Candidate, str]]]:
    """Leave out steps after which the same listing still lived, as documents of the time until the cutoff tell."""
    days = [c.day for c in candidates if c.day is not None and c.day <= target.listing.cutoff]
    signs = signs_of_life(judged, target, policy, min(days)) if days else []
    kept: list[Candidate] = []
    ended: list[tuple[Candidate, str]] = []
    for c in candidates:
        why = next((why for day, why in signs if c.day is not None and (day - c.day).days >= LIFE_DAYS), "")
        if why:
            ended.append((c, why))
        else:
            kept.append(c)
    return kept, ended


def signs_of_life(judged: Sequence[Judged], target: Target, policy: Policy, since: dt.date) -> list[tuple[dt.date, str]]:
    """Days, until the cutoff, on which a document shows the listing traded, warned or going on, each with the reason in words.

    Only documents `LIFE_DAYS` or more after `since` are looked at, and none that tells of an end of this listing.
    """
    found = []
    for j in judged:
        if j.doc.source_kind in WEAK or _tells_the_end(j):
            continue
        day = j.published or published(j.doc)
        if day is None or day.day > target.listing.cutoff or (day.day - since).days < LIFE_DAYS:
            continue
        if sign := _stated(j, target) or _traded(j.doc, target, policy):
            found.append((day.day, f"{j.doc.source_kind} of {day.day} shows the listing alive ({sign}): {j.doc.page.url}"))
    return sorted(found)


def _tells_the_end(judged: Judged) -> bool:
    return any(r.stage in QUALIFYING and r.modality in _GONE and s.target == "this" for _, r, s, _ in judged.findings)


def _stated(judged: Judged, target: Target) -> str:
    """A step that only a living listing can take, stated of this listing first-hand; by others where they name the issuer beside it."""
    first_hand = judged.doc.source_kind not in SECOND_HAND
    for unit, reading, subject, _ in judged.findings:
        if subject.target != "this":  # where the words name no venue, the document is not about another
            continue
        living = reading.modality in _LIVING.get(reading.stage, ()) and (first_hand or subject.names_issuer or subject.security is Fit.THIS)
        ahead = reading.modality in _AHEAD or (reading.stage in _OPEN and reading.modality is Modality.ASSERTED)
        if not (living or (ahead and subject.names_issuer)) or UNTIL.search(judged.doc.scan, unit.fstart, unit.fend):
            continue
        if (first_hand and not ahead) or _by_its_name(judged.doc, target):
            return reading.stage.value if reading.stage is not Stage.NONE else "an end that has not come"
    return ""


def _by_its_name(doc: Document, target: Target) -> bool:
    """The document gives the issuer's whole name: by its first word alone another company may be meant."""
    return any(m.strength in (Strength.FULL, Strength.CORE) for m in target.matcher.find(doc.page.text))


def _traded(doc: Document, target: Target, policy: Policy) -> str:
    """A price or a trade of the security on its venue, or its code behind the name of the venue."""
    if not doc.scan.can_hold("section.trading") and not (target.ticker and target.ticker.search(doc.folded.text)):
        return ""
    identity = Identity(doc, target, policy)
    if any(_main(doc, start) and not _former(doc, start - FORMER, end + FORMER) for start, end in identity.codes_here()):
        return "its code"
    for unit in doc.units:
        if not unit.main:
            continue
        hits = doc.scan.within("section.trading", unit.fstart, unit.fend)
        if (
            hits
            and not _former(doc, max(unit.fstart, hits[0].start - FORMER), min(unit.fend, hits[0].end + FORMER))
            and _is_this(identity.subject(unit, hits[0].start, hits[0].end), identity)
        ):
            return "traded"
    return ""


def _main(doc: Document, at: int) -> bool:
    return any(u.main and u.fstart <= at < u.fend for u in doc.units)


def _former(doc: Document, start: int, end: int) -> bool:
    return _FORMER.search(doc.folded.text, max(0, start), end) is not None


def _is_this(subject: Subject, identity: Identity) -> bool:
    """The security of this listing: where the sentence leaves the venue open, the document names this venue and no other."""
    return subject.target == "this" and (identity.named_here if subject.venue is Fit.THIS else identity.only_here)

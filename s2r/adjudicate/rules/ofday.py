"""Reports of the press that tell of an act of their own day: an official body acted, or it was said "this morning", "before the opening"."""

from __future__ import annotations

import datetime as dt
import re

from s2r.adjudicate.rules.candidates import Candidate
from s2r.adjudicate.rules.document import Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.reason import acting
from s2r.lang.text import fold_text
from s2r.models import BlockKind, Modality, Stage

FORMAL = (Stage.DETERMINATION, Stage.DECISION, Stage.FILING, Stage.APPLICATION)
AROUND = 2  # sentences before and after the step in which the disclosure of the day is told
_DAY = dt.timedelta(days=1)
_BRACKETS = re.compile(r"[()（）]")
SAME_DAY = Guarded(
    r"\b(?:(?:before|ahead of|prior to) (?:the |today's )?(?:market |stock market |exchange )?(?:open(?:ed|ing|s)?|bell|start of trad\w+)|after (?:the )?(?:closing |market )?(?:bell|close[ds]?)|(?:this|early this|late this) (?:morning|afternoon|evening)"
    r"|earlier today|today|vor (?:börsenbeginn|börseneröffnung|handelsbeginn)|vorbörslich|nach börsenschluss|heute (?:früh|morgen|vormittag)|avant (?:l'ouverture|bourse)|après (?:la clôture|bourse)|ce matin|antes de la apertura|tras el cierre|esta mañana"
    r"|antes da abertura|após o fechamento|esta manhã|prima dell'apertura|a mercati chiusi|stama(?:ne|ttina)|voorbeurs|nabeurs|vanochtend|före (?:börsens )?öppning\w*|i morse|før (?:børs)?åpning|i formiddag|i morges|ennen pörssin avautumista|tänä aamuna"
    r"|przed sesją|po sesji|dziś (?:rano|wieczorem|po południu)|ce soir|cet après-midi|esta (?:tarde|noche|noite)|questa (?:mattina|sera)|stasera|bu (?:sabah|akşam))\b"
)


def names_actor(c: Candidate) -> bool:
    """The sentence says which official body acts: such words on a site that no line knows may be its own notice."""
    return acting(c.doc, c.unit, c.reading.start) in ("exchange", "regulator", "committee")


def of_the_day(c: Candidate, issuer: str) -> bool:
    """A report that names the issuer, by two words of its name or in the sentence, and says which official body acted, as such news is printed on the day or the next one; or that tells beside the step
    of a disclosure of its day."""
    if c.source_kind != "press" or c.reading.modality is not Modality.ASSERTED or c.day is None:
        return False
    if c.reading.stage in FORMAL and names_actor(c) and (c.subject.names_issuer or _in_full(c, issuer)):
        return True
    if c.reading.stage not in (*FORMAL, Stage.REMOVAL) or c.unit.kind in (BlockKind.TITLE, BlockKind.HEADING):
        return False
    official = names_actor(c)
    near = c.doc.units[max(0, c.unit.index - AROUND) : c.unit.index + AROUND + 1]
    return any(u.main and _discloses(c, u, official) and _points(c, u) for u in near)


def _in_full(c: Candidate, issuer: str) -> bool:
    """The document has the first two words of the issuer's name, or of its local one in brackets, together: companies of one place share
    the first. A name that is written without spaces has no such word."""
    names = [words for part in _BRACKETS.split(issuer) if (words := fold_text(part).split())]
    return any(len(words) == 1 or " ".join(words[:2]) in c.doc.folded.text for words in names)


def _discloses(c: Candidate, unit: Unit, official: bool) -> bool:
    """The sentence tells of a publication, or beside the act of an exchange of a deal that is done."""
    scan, low, high = c.doc.scan, unit.fstart, unit.fend
    if unit.kind in (BlockKind.TITLE, BlockKind.HEADING):
        return False
    return bool(scan.within("act.publication", low, high)) or (official and bool(scan.within("stage.condition_met", low, high)))


def _points(c: Candidate, unit: Unit) -> bool:
    return _relative(c, unit) or SAME_DAY.search(c.doc.scan, unit.fstart, unit.fend) is not None


def _relative(c: Candidate, unit: Unit) -> bool:
    """A day told by its distance from that of the report, which it is or which it follows."""
    day = c.day
    return day is not None and any(
        "relative" in d.mention.flags and d.day is not None and dt.timedelta(0) <= day - d.day <= _DAY
        for d in c.doc.dates_in(unit.start, unit.end)
    )

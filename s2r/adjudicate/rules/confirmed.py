"""A party's own page that tells of a deal on the day on which it closed, before the first filing: whether that filing bears it out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from s2r.adjudicate.rules.candidates import Candidate
from s2r.models import Modality


def closed_that_day(c: Candidate, first_hand: Iterable[Candidate], days: int) -> bool:
    """A page of unknown kind says that an acquisition closed "today", and a first-hand document of the days after it names that day
    as the day of the step."""
    if c.source_kind != "unknown" or c.day is None or c.reading.modality is not Modality.ASSERTED or not _closes(c):
        return False
    return any(
        f.day is not None and 0 < (f.day - c.day).days <= days and any(d.day == c.day for d in f.doc.dates_in(f.unit.start, f.unit.end))
        for f in first_hand
    )


_DONE = re.compile(
    r"\b(?:complet(?:es?|ed|ion)|closed|consummated|finali[sz]ed|vollzogen|vollzieht|abgeschlossen|schlie(?:ß|ss)t|finalisée?|réalisée?|complet(?:ado|ada|ato|ata)|cerrad[oa]|ha cerrado|concluíd[oa]|concluiu|perfezionat[oa]"
    r"|slutfört?s?|genomfört?s?|gjennomført|fullført|gennemført|afgerond|voltooid|toteutet\w*|saatettu päätökseen|sfinalizowa\w+|zakończy\w+)\b|完了|完成|완료|hoàn tất"
)


def _closes(c: Candidate) -> bool:
    """A sentence says "today" of the page's own day and that something is completed, on a page about an acquisition."""
    doc = c.doc
    if not doc.scan.all("reason.merger_acquisition"):
        return False
    done = (unit for unit in doc.units if unit.main and _DONE.search(doc.folded.text, unit.fstart, unit.fend))
    return any("relative" in d.mention.flags and d.day == c.day for unit in done for d in doc.dates_in(unit.start, unit.end))

"""A decision that was published before, of which the document of who hears of it takes note ("acknowledges the decision published yesterday").

What counts is the day of the publication, not that of the answer to it.
"""

from __future__ import annotations

import datetime as dt
import re

from s2r.adjudicate.rules.document import Document, Unit, folded_offset
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.models import DateKind

DAYS = 10  # between the publication and the answer
_TAKES_NOTE = Guarded(
    r"\b(?:takes? note|notes|noted|acknowledg\w+|has (?:seen|received and noted)|regrets?|zur kenntnis|bedauert|prend(?:re)? (?:acte|connaissance|note)|a pris (?:acte|connaissance|note)|regrette|prende atto|ha preso atto|prende visione"
    r"|tom(?:a|ó|ado) (?:nota|conocimiento|razón)|toma (?:nota|ciência|conhecimento)|tomou (?:nota|ciência|conhecimento)|(?:neemt|heeft) kennis|kennisgenomen|betreurt|noterar|har (?:noterat|tagit del)|beklagar|tar til (?:etterretning|orientering)|har merket seg"
    r"|beklager|tager til efterretning|har noteret sig|merkitsee tiedoksi|panee merkille|pahoittelee|przyj(?:muje|ął|ęła) do wiadomości|odnotow\w+|ghi nhận|mencatat|menyesalkan)\b|真摯に受け止め|厳粛に受け止め|知悉|注意到|留意到|유감"
)


_AND = re.compile(r" (?:and|und|et|y|e|og|och|en|ja|oraz|và|dan|ve) |;")  # an act of its own follows


def published_before(doc: Document, unit: Unit, day: dt.date | None, at: int) -> frozenset[dt.date]:
    """Days before the document's own `day` on which, in a sentence that takes note of it, a decision is said to have been published;
    `at`, folded, is where the step stands."""
    if day is None or doc.source_kind in SECOND_HAND or not _TAKES_NOTE.search(doc.scan, unit.fstart, unit.fend):
        return frozenset()
    dates = doc.dates_in(unit.start, unit.end)
    if any(d.day == day for d in dates) or doc.scan.within("actor.board", unit.fstart, unit.fend):
        return frozenset()  # an act of its own follows
    told = [d for d in dates if d.kind is DateKind.ANNOUNCEMENT and d.day is not None and 0 < (day - d.day).days <= DAYS]
    return frozenset(d.day for d in told if d.day and not _AND.search(doc.folded.text, folded_offset(doc.folded, d.mention.end), at))

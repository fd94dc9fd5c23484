"""Ends of a listing that a first-hand sentence dates without a word of deciding: "the title disappears from the list on 7 May"."""

from __future__ import annotations

import datetime as dt
import re

from s2r.adjudicate.rules.docdate import published
from s2r.adjudicate.rules.document import Dated, Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.lexis import Hit
from s2r.adjudicate.rules.listchanges import labelled_end
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.adjudicate.rules.stagewords import THEN
from s2r.models import BlockKind, DateKind

_ENTRY = re.compile(
    r"\W*(?:the )?(?:\w+ )?(?:termination|cessation|removal|cancellation|withdrawal|de-?listing|suspension|deletion|end|last|final)\b"
)
_BETWEEN = re.compile(r"[,;:]|\b(?:offers?|meeting|opens?|opened|period|which|that|who)\b")
STOPS, CLOSING = (".", "。", "!", "।"), " \n\t)\"'”’」』）"  # what ends a sentence: a line without it is a headline
BESIDE = 60  # characters behind words for the end within which a day that lies ahead is that of the end
POINTED = 4  # sentences before the one that says "on that day", among which the day is named
_ENDS = (DateKind.EFFECTIVE, DateKind.LAST_TRADING)
THAT_DAY = Guarded(
    r"\b(?:on (?:that|the same|such|the said) (?:date|day)|(?:on|at) the (?:date|day) (?:stated|indicated|given|named|set out|mentioned|referred to)|(?:à|a) (?:cette|la même|cette même|ladite) date|le même jour|ce (?:même )?jour-là"
    r"|(?:à la date|au jour|le jour) (?:indiqué|visé|mentionné|précité|fixé)e?|an diesem tage?|am (?:selben|gleichen|genannten) tage?|zum (?:selben|gleichen|genannten) (?:zeitpunkt|termin|tage?)|en (?:esa|dicha|la misma|la citada|la indicada) fecha"
    r"|(?:ese|el) mismo día|n(?:essa|a mesma|a referida|a citada) data|no mesmo dia|(?:in|a) (?:tale|detta|quella|pari) data|(?:nella|alla|in) (?:stessa|medesima|suddetta|predetta) data|(?:nello|lo) stesso giorno|op (?:die|dezelfde|genoemde|de genoemde) (?:dag|datum)"
    r"|samma dag|(?:den|på) (?:dagen|nämnda dag)|samme (?:dag|dato)|på (?:denne|nevnte|nævnte) (?:dato|dag)|samana päivänä|(?:sanottuna|kyseisenä|mainittuna) päivänä|z tym (?:samym )?dniem|w tym (?:samym )?dniu|tego samego dnia|z tą datą|cùng ngày|vào ngày (?:đó|này)"
    r"|aynı (?:gün|tarihte)|(?:bu|anılan) tarihte|pada (?:tanggal|tarikh|hari) (?:tersebut|yang sama|itu))\b|同日|当該日|上記の?日|该日|該日|當日|当日|上述日期|같은 ?날|동일자로|당일|해당 ?일자"
)


# the verb of the end in the present or as a state: "aktien avnoteras", "werden nicht mehr gehandelt", "wordt geschrapt"
_VERB = Guarded(
    r"\b(?:wird|werden|ist|sind)\b[^.;]{0,70}?\bnicht (?:mehr|länger|weiter) (?:[\w:-]+ ){0,6}?(?:notiert|kotiert|gehandelt|handelbar|gelistet|geführt|einbezogen|börsennotiert\w*)\b|\b(?:verlässt|verschwinde[tn]|scheide[tn]|erlischt|entfällt)\b"
    r"|\b(?:wordt|worden|is|zijn)\b[^.;]{0,80}?\b(?:geschrapt|beëindigd|opgeheven|ingetrokken|doorgehaald|afgevoerd|verwijderd|uitgeschreven|stopgezet)\b|\b(?:verdwijn(?:t|en)|verlaat|verlaten|vervalt|eindigt)\b|\blaat\b[^.;]{0,40}?\bschrappen\b"
    r"|\bniet (?:langer|meer) (?:[\w-]+ ){0,6}?(?:genoteerd|verhandeld|beursgenoteerd|toegelaten)\b"
    r"|\b(?:avnoteras|avlistas|avförs|stryks|avslutas|upphör|överförs|flyttas|tas bort|plockas bort|lämnar|avnoteres|strykes|slettes|fjernes|avsluttes|opphører|bortfaller|overføres|flyttes|tas av|tas ut|forlater|trekkes"
    r"|afnoteres|afsluttes|ophører|bortfalder|udgår|forlader|tages af|delistataan|poistetaan|poistuu|poistuvat|päättyy|lakkaa|lakkautetaan|lopetetaan|loppuu|heitetään|vetää|vetäytyy|jättää|luopuu)\b"
    r"|\b(?:är|er|blir|bliver) (?:[\w.]+ ){0,4}?(?:inte|ej|ikke) (?:längre|lenger|længere) (?:\w+ ){0,2}?(?:noter\w*|børsnoter\w*|börsnoter\w*|upptag\w+)|\b(?:är|er|is|on|ist)\b (?:\w+ ){0,3}?(?:privatägt|onoterat|unotert|unoteret|privat|besloten|yksityinen)\b|\bei(?:vät)? ole enää\b"
)
# of companies or listings at large, or of an index
_LARGE = Guarded(
    r"\b(?:grundsätzlich|in der regel|generell|üblicherweise|doorgaans|normaliter|in het algemeen|in de regel|als een|wanneer een|wenn ein\w*|normalt|som regel|som huvudregel|vanligtvis|generelt|sædvanligvis|om ett|när ett|når et|når en|hvis|dersom|yleensä"
    r"|täglich|dagelijks|dagligen|daglig|varje dag|hver dag|päivittäin|(?:in|i|te) (?:london|new york|paris|parijs|tokio|tokyo|toronto|singapore|singapur)|pääsääntöisesti|tavallisesti|jos|kun yhtiö|index\w*|\w*index|indeks\w*|\w*indeks\w*|indeksi\w*|\w*-index)\b"
)
_INDEX = re.compile(
    r"index|indeks|indice|índice|\b(?:aex|amx|ascx|bel ?20|bel mid|[mst]ec?dax|[ms]dax|dax|omx[a-z]*\d*|obx|c25|smim?|atx)\b"
)  # which shares leave that stay listed
INDEX = 8  # folded characters behind words for the end within which it is named
BEFORE = 80  # folded characters before words for the end within which the verb may stand


def told(doc: Document, unit: Unit, hit: Hit) -> bool:
    """The sentence tells in the present that the listing ends, of this company alone."""
    low, high = max(unit.fstart, hit.start - BEFORE), unit.fend
    verb = next((m for m in _VERB.finditer(doc.scan, low, high) if m.start() < hit.end and hit.start < m.end()), None)
    return verb is not None and not _LARGE.search(doc.scan, unit.fstart, unit.fend)


def scheduled(doc: Document, unit: Unit, hit: Hit, *, after: bool = False) -> bool:
    """A first-hand sentence that names the day on which the listing ends, or points at it; `after`: the day stands behind the words
    for the end, as others may be those of a suspension."""
    if labelled_end(doc, unit, hit):
        return True
    if doc.source_kind in SECOND_HAND or unit.kind is not BlockKind.PARAGRAPH or not doc.text(unit).rstrip(CLOSING).endswith(STOPS):
        return False
    if _INDEX.search(doc.folded.text, hit.start, min(unit.fend, hit.end + INDEX)):
        return False
    if not after and told(doc, unit, hit):
        return True
    first, last = doc.folded.span(hit.start, hit.end)
    if any(d.day is not None and d.kind in _ENDS for d in doc.dates_in(first if after else unit.start, unit.end)):
        return True
    named = _ENTRY.match(doc.folded_text(unit)) is None  # a sentence, no entry of a timetable
    later = (d for d in doc.dates_in(first, min(unit.end, last + BESIDE)) if d.kind is DateKind.OTHER)
    if named and any(_ahead(doc, d) and not _BETWEEN.search(doc.page.text, last, d.mention.start) for d in later):
        return True
    before = doc.units[unit.index - 1] if unit.index else unit
    then = before.block == unit.block and before.index != unit.index and THEN.match(doc.folded_text(unit))
    if then and any(d.day is not None and d.kind in _ENDS for d in doc.dates_in(before.start, before.end)):
        return True
    pointer = THAT_DAY.search(doc.scan, hit.start if after else unit.fstart, unit.fend)
    return pointer is not None and _pointed(doc, unit, doc.folded.span(pointer.start(), pointer.end())[0])


def _pointed(doc: Document, unit: Unit, at: int) -> bool:
    """The day that stands last before "on that day" lies ahead of the document."""
    first = doc.units[max(0, unit.index - POINTED)]
    named = [d for d in doc.dates_in(first.start, at) if d.day is not None and d.kind is not DateKind.HISTORY]
    return bool(named) and _ahead(doc, named[-1])


def _ahead(doc: Document, dated: Dated) -> bool:
    made = published(doc)
    return made is not None and dated.day is not None and dated.day > made.day - dt.timedelta(days=1)

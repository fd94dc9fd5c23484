"""Sentences whose act ends no listing by what they are: the definition of a term, and an index that a share is taken out of."""

from __future__ import annotations

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.motions import moved, unbinding
from s2r.adjudicate.rules.stage import Reading

REACH = 90  # folded characters from the start of a step to the index that is left
_QUOTED = r"[\"“”„«'‘][^\"“”„«»'‘’]{3,60}[\"”“»'’]"
DEFINES = Guarded(
    rf"{_QUOTED}:? (?:means|shall mean|has the meaning|bezeichnet|bedeutet|meint|désigne|désignera|signifie|significa|significará|betekent|betyder|avses|betyr|tarkoittaa|oznacza|berarti|bermaksud|có nghĩa|anlamına)\b"
    r"|[」』”]とは、?|[」』”]是?指|[\"”’'](?:이란|란|라 함은)\b|\b(?:is|are) defined as\b|\bwird definiert als\b|\best définie? comme\b|\bse define como\b|\bé definid[oa] como\b|\bè definit[oa] come\b|\bdefinieras som\b|\bdefineres som\b"
)
# the place that is left is an index
OFF_INDEX = Guarded(
    r"\b(?:from|out of|off) (?:the |its )?(?:[\w&./+-]+ ){0,5}?(?:index|indexes|indices)\b|\b(?:aus|von) (?:dem |der |den )?(?:[\w&./+-]+ ){0,3}?[\w&./+-]*(?:index|indizes)\b|\b(?:uit|van) (?:de |het )?(?:[\w&./+-]+ ){0,3}?[\w&./+-]*(?:index|indices)\b"
    r"|\b(?:de l'|de |du |des )(?:[\w&./+-]+ ){0,3}?indices?\b|\b(?:de |del |de los )(?:[\w&./+-]+ ){0,3}?índices?\b|\b(?:do |da |dos |de )(?:[\w&./+-]+ ){0,3}?índices?\b|\b(?:dall'|dal |dagli )(?:[\w&./+-]+ ){0,3}?indic[ei]\b"
    r"|\b(?:från|ur|ut av|ut ur|fra|ud af) (?:[\w&./+-]+ ){0,3}?[\w&./+-]*(?:index(?:et)?|indeks(?:en|et)?)\b|\b[\w&./+-]*indeks(?:istä|eistä)\b|\bz (?:[\w&./+-]+ ){0,3}?indeksu\b|\b(?:dari|daripada) (?:[\w&./+-]+ ){0,2}?indeks\b"
    r"|\b[\w&./+-]*endeks(?:inden|ten|lerinden)\b|\bkhỏi (?:[\w&./+-]+ ){0,3}?chỉ số\b|(?:指数|指數)(?:構成銘柄|成分股|样本股|樣本股|成份股)?(?:から|中)|从[^。,,]{0,16}指数|自[^。,,]{0,16}指數|지수(?:구성종목)?에서|من مؤشر|ออกจากดัชนี"
)
# what is left besides is the listing
_LISTING = Guarded(
    r"\b(?:official list|listing|quotation|trading|zulassung|notierung|handel|cote|cotation|négociations?|cotización|negociación|negociação|quotazione|quotazioni|notering(?:en)?|handeln|obrotu|kotundan|niêm yết|pencatatan|senarai)\b|上場|上市|상장"
)


def outside(doc: Document, unit: Unit, reading: Reading) -> str:
    """Why the step of a sentence is none: a motion, a vote that binds nobody, a definition, an index that is left; "" when it can be one."""
    return moved(doc, unit, reading.end) or unbinding(doc, unit, reading) or _no_listing(doc, unit, reading.start, reading.end)


def _no_listing(doc: Document, unit: Unit, start: int, end: int) -> str:
    """Why the step [start, end) of folded text is no end of a listing by what its sentence is; "" when it can be one."""
    scan = doc.scan
    term = DEFINES.search(scan, unit.fstart, unit.fend)
    aside = term is not None and scan.text[max(unit.fstart, term.start() - 2) : term.start()].rstrip().endswith("(")
    if term is not None and not aside and term.end() <= end:
        return f"defines a term: {term.group()!r}"
    index = OFF_INDEX.search(scan, start, min(unit.fend, max(end, start) + REACH))
    if index is not None and _LISTING.search(scan, unit.fstart, unit.fend) is None:
        return f"takes the share out of an index: {index.group()!r}"
    return ""

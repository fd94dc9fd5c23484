"""Notices of an exchange that say nothing in sentences: a label with its day ("Date of delisting: 1 June"), an entry of a list of changes
("Deletion | Corran plc | Ordinary shares")."""

from __future__ import annotations

import re

from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.lexis import Hit
from s2r.models import BlockKind, DateKind

OFFICIAL = ("exchange", "regulator")
LABEL = 90  # folded characters from the beginning of a line to its day, of which the label may consist
_DAY = re.compile(
    r"\b(?:date|day|datum|\w*tag|fecha|data|dato|datoen|päivä\w*|dzień|ngày|tanggal|tarikh|tarihi?)\b|[日일]|वर्ष|तिथि|วันที่|تاريخ"
)
_ENDS_LABEL = (":", "|", ":", "-", "–")
_OPEN = re.compile(  # a day that is not fixed
    r"\b(?:expected|proposed|planned|indicative|provisional|tentative|possible|earliest|estimated|voraussichtlich\w*|geplant\w*|prévue?|prévisionnel\w*|prevista?|propuest\w+|estimad\w+|verwacht\w*|beräknad\w*|preliminär\w*|forventet"
    r"|planowan\w+|dự kiến|rencana|cadangan|dijangka|planlanan)\b|予定|预计|預計|예정"
)
_CAUSE = re.compile(
    r"\W*(?:reasons?|grund|gründe|motifs?|motivos?|motivo|causa|reden|orsak|skäl|årsak|årsag|peruste|powód|lý do|alasan|gerekçe|理由|原因|사유)\b"
)
_ENDS = (DateKind.EFFECTIVE, DateKind.LAST_TRADING)


def labelled_end(doc: Document, unit: Unit, hit: Hit) -> bool:
    """The line of an exchange's notice on the end of a listing that gives its day behind a label."""
    if doc.source_kind not in OFFICIAL or unit.kind in (BlockKind.TITLE, BlockKind.HEADING) or hit.start - unit.fstart > LABEL:
        return False
    if (called := _CALLED.match(doc.folded.text, unit.fstart, hit.start + 1)) is not None:
        return hit.start - called.end() <= LEAD and unit.fend - hit.end <= REST and _OPEN.search(doc.folded_text(unit)) is None
    at = doc.folded.span(hit.start, hit.end)[1]
    day = next((d for d in doc.dates_in(at, unit.end) if d.day is not None), None)
    if day is None:
        return False
    label = doc.page.text[unit.start : day.mention.start].lower()
    if (
        len(label) > LABEL
        or not label.rstrip(" \n\t").endswith(_ENDS_LABEL)
        or not _DAY.search(label)
        or _OPEN.search(doc.folded_text(unit))
    ):
        return False
    above = any(doc.scan.within("object", u.fstart, u.fend) for u in doc.units[: unit.index] if u.main)
    return day.kind in _ENDS and (above or any(_CAUSE.match(doc.folded_text(u)) for u in doc.units[unit.index + 1 : unit.index + 3]))


# what an exchange does with an entry of its list, as the whole of a cell or before a colon
_STRUCK = re.compile(
    r"(?:deletions?|removals?|de-?listings?|cancellations?|withdrawals?|deleted|removed|de-?listed|cancelled|withdrawn|struck off|löschung|streichung|einstellung|dekotierung|widerruf|radiation|retrait|exclusión|baja|exclusão|revoca"
    r"|cancellazione|esclusione|verwijdering|doorhaling|schrapping|avnotering|afnotering|sletning|strykning|poisto|wykluczenie|wycofanie)"
    r"(?: (?:from|of) (?:the )?(?:official )?(?:list(?:ing)?|admission|trading))?"
)
_ACTION = re.compile(
    r"(?:action|type|event|change|status|operation|measure|notice|art|vorgang|maßnahme|ereignis|opération|événement|mouvement|nature|operación|movimiento|tipo|evento|operazione|operação|actie|gebeurtenis|åtgärd|händelse|hendelse|handling|tiltak|begivenhet|hændelse|foranstaltning|maatregel|sachverhalt|vorfall|mesure|misura|medida|toimenpide|tapahtuma|tapahtumalaji|czynność|zdarzenie)"
    r"(?: of (?:change|action|event|notice))?"
)
_CALLED = re.compile(rf"\W*{_ACTION.pattern} ?[:|] ?")  # the label of a form, before what is done
LEAD, REST = 16, 40  # folded characters before and behind the words for the end in the value of such a label
_LISTED = re.compile(
    r"\b(?:official list|daily list|list changes|changes to the list|listings?|admissions?|quotation|listed (?:securities|instruments)|kurszettel|kotierung|notierung|cote|cotización|cotação|listino|quotazione|notering\w*|pörssilista|obrót)\b"
)
_TECHNICAL = ("stage.technical", "modality.negated", "modality.planned", "act.proposal", "act.plan")


def struck_entry(doc: Document, unit: Unit) -> tuple[int, int] | None:
    """The entry that a list of changes of an exchange strikes out, in folded text; None for any other unit."""
    if doc.source_kind not in OFFICIAL or not unit.main or unit.kind in (BlockKind.TITLE, BlockKind.HEADING):
        return None
    text = doc.folded_text(unit)
    if unit.kind is BlockKind.ROW:
        cells = [cell.strip() for cell in text.split(" | ")]
        struck = [n for n, cell in enumerate(cells) if _STRUCK.fullmatch(cell)]
        header = doc.block(unit).header
        named = bool(struck) and struck[0] < len(header) and _ACTION.fullmatch(header[struck[0]].strip().lower())
        if len(struck) != 1 or len(cells) < 3 or not (named or struck[0] == 0):
            return None
    elif (opening := _STRUCK.match(text)) is None or not text[opening.end() :].startswith(": ") or len(text) > 2 * LABEL:
        return None
    above = (u for u in doc.units[: unit.index] if u.kind is not BlockKind.ROW)
    if not any(_LISTED.search(doc.folded_text(u)) for u in above):
        return None
    if any(doc.scan.within(family, unit.fstart, unit.fend) for family in _TECHNICAL):
        return None
    return unit.fstart, unit.fend

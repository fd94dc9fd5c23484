"""Disclosures that were none: filed or published by mistake, in another company's name, or called a change of a line by the issuer."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from s2r.adjudicate.rules.candidates import Candidate, Judged
from s2r.adjudicate.rules.document import Document
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.adjudicate.rules.stage import TECHNICAL
from s2r.adjudicate.rules.target import Target
from s2r.lang.literals import Hint
from s2r.lang.names import Strength
from s2r.models import Stage

CORRECTED = dt.timedelta(days=90)  # within which a mistaken notice is corrected
ANNOUNCED = dt.timedelta(days=120)  # from the announcement of a change of a line to its day
BESIDE = 2  # sentences before and after words for a mistake among which the notice stands
MISTAKE = re.compile(
    r"\b(?:filed|submitted|accepted|lodged|published|released|issued|posted|sent)(?: \w+){0,4}? (?:in error|inadvertently|by mistake|mistakenly|erroneously|under the (?:wrong|incorrect))|\b(?:inadvertently|mistakenly|erroneously|wrongly) (?:\w+ )?(?:filed|submitted|lodged|published|released|issued|posted|sent|included|named)"
    r"|\b(?:wrong|incorrect) (?:subject company|issuer|cik|isin|stock code|company|registrant|security)\b"
    r"|\b(?:irrtümlich\w*|versehentlich\w*|fälschlich\w*) (?:[\w-]+ ){0,6}?(?:veröffentlicht|eingereicht|publiziert|genannt|aufgeführt|versandt)|\b(?:publiée?s?|déposée?s?|diffusée?s?|mentionnée?s?) (?:\w+ ){0,3}?(?:par erreur|à tort)|\bpar erreur (?:\w+ ){0,3}?(?:publiée?s?|déposée?s?|diffusée?s?)"
    r"|\b(?:publicad[oa]s?|presentad[oa]s?|remitid[oa]s?|divulgad[oa]s?|arquivad[oa]s?|incluid[oa]s?|incluíd[oa]s?) (?:\w+ ){0,3}?por (?:error|erro|engano|equivocación|lapso)|\bpor (?:error|erro|engano|lapso) (?:\w+ ){0,3}?(?:publicad|presentad|remitid|divulgad|incluid|incluíd|apresentad)\w*|\b(?:pubblicat|diffus|depositat|inclus)\w (?:\w+ ){0,3}?(?:per errore|erroneamente)|\berroneamente (?:\w+ )?(?:pubblicat|diffus|depositat|inclus)\w"
    r"|\b(?:abusievelijk|per vergissing|per abuis|ten onrechte|abuselijk) (?:[\w-]+ ){0,6}?(?:gepubliceerd|ingediend|verzonden|vermeld)|\b(?:av misstag|felaktigt|på grund av ett misstag|ved en fei?l|feilaktig|fejlagtigt|ved en fejltagelse) (?:[\w-]+ ){0,6}?(?:publicer\w+|sänt\w*|lämnat\w*|offentlig\w+|sendt|inngitt|indsendt|udsendt|oppgitt|angivet|angett\w*)|\b(?:publicer\w+|offentliggj\w+|sendt|sändes|udsendt) (?:[\w-]+ ){0,4}?(?:av misstag|felaktigt|ved en fei?l|fejlagtigt|ved en fejltagelse|feilaktig)"
    r"|\b(?:virheellisesti|erehdyksessä|vahingossa) (?:\w+ ){0,4}?(?:julkaist\w+|jätet\w+|lähetet\w+|mainit\w+)|\b(?:omyłkowo|przez pomyłkę|błędnie) (?:\w+ ){0,4}?(?:opublikowan\w+|przekazan\w+|złożon\w+|wskazan\w+)|\b(?:sehven|yanlışlıkla) (?:\w+ ){0,4}?(?:yayımlan\w+|yayınlan\w+|bildiril\w+|yapıl\w+)"
    r"|誤って(?:公表|開示|掲載|提出)|误(?:报|刊|将|发)|錯誤(?:刊發|登載)|誤(?:植|刊|登|發)|착오로|잘못 (?:공시|게재|제출)|\b(?:đăng|công bố|gửi|nộp) nhầm|\b(?:keliru|kesalahan|tersilap) (?:\w+ ){0,3}?(?:dipublikasikan|diumumkan|disampaikan|diterbitkan|difailkan)|(?:نشر|قُدم|أُدرج|صدر)[^.]{0,30}(?:بالخطأ|عن طريق الخطأ|سهوا)"
)
_CAN_TELL = Hint(MISTAKE)  # whether a text can hold one at all
_ABOUT = ("object", "stage.filing", "stage.application", "stage.decision", "stage.determination", "stage.removal")
_ISSUER_LINE = re.compile(
    r"(?im)^[ \t|]*(?:issuer|name of issuer|exact name of (?:issuer|registrant)[^:|\n]{0,60}?) ?[:|][ \t]*(\S[^\n|]{2,80}?)(?: {2,}|\||\n|$)"
)


def without_corrected(
    candidates: Sequence[Candidate], judged: Sequence[Judged], target: Target
) -> tuple[list[Candidate], list[tuple[Candidate, str]]]:
    """Leave out steps that a later first-hand document takes for a mistake, that a filing states of a company of like name, or that
    are the day of a change of a line which the issuer announced."""
    kept: list[Candidate] = []
    left_out: list[tuple[Candidate, str]] = []
    corrections = [j for j in judged if j.published and j.doc.source_kind not in SECOND_HAND and _corrects(j)] if candidates else []
    changes = {d: j for j in judged if candidates and j.published and j.doc.source_kind not in SECOND_HAND for d in _days_of_changes(j)}
    for c in candidates:
        if why := _corrected(c, corrections) or _in_another_name(c.doc, target) or _changes_a_line(c, changes):
            left_out.append((c, why))
        else:
            kept.append(c)
    return kept, left_out


def _corrected(c: Candidate, corrections: Sequence[Judged]) -> str:
    for j in corrections:
        if j.published and c.day and dt.timedelta(0) <= j.published.day - c.day <= CORRECTED:
            return f"{j.doc.source_kind} of {j.published.day} says that a notice was filed or published by mistake: {j.doc.page.url}"
    return ""


def _corrects(judged: Judged) -> bool:
    """The document says of a notice about the end of this listing that it was filed or published by mistake, and states none itself."""
    doc = judged.doc
    if not judged.findings or not _CAN_TELL(doc.folded.text):
        return False
    if any(c.reading.stage is not Stage.FILING for c in judged.candidates) or not any(s.target == "this" for _, _, s, _ in judged.findings):
        return False
    for unit in doc.units:
        if unit.main and MISTAKE.search(doc.folded.text, unit.fstart, unit.fend):
            near = [u for u in doc.units[max(0, unit.index - BESIDE) : unit.index + 1 + BESIDE] if u.main]
            if any(doc.scan.within(family, u.fstart, u.fend) for u in near for family in _ABOUT):
                return True
    return False


def _in_another_name(doc: Document, target: Target) -> str:
    """A filing under the issuer's name whose own line for the issuer names a company of like name."""
    if doc.source_kind != "filing":
        return ""
    for line in _ISSUER_LINE.finditer(doc.page.text):
        found = target.matcher.find(line[1])
        if found and all(m.strength is Strength.NAMESAKE for m in found):
            return f"the filing itself names another issuer: {line[1].strip()!r}"
    return ""


def _days_of_changes(judged: Judged) -> list[dt.date]:
    """Days that a sentence names on which one line of this security takes the place of another."""
    doc = judged.doc
    units = [u for u, r, s, _ in judged.findings if r.why == TECHNICAL and s.target == "this"]
    return [d.day for u in units for d in doc.dates_in(u.start, u.end) if d.day is not None]


def _changes_a_line(c: Candidate, changes: dict[dt.date, Judged]) -> str:
    """The step is of the day on which, as an earlier document says, a line is replaced."""
    j = changes.get(c.day) if c.day else None
    if j is None or j.doc is c.doc or not j.published or not c.day or not dt.timedelta(0) <= c.day - j.published.day <= ANNOUNCED:
        return ""
    return f"{j.doc.source_kind} of {j.published.day} says that on this day one line takes the place of another: {j.doc.page.url}"

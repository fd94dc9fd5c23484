"""What is known about the time of a document against the cutoff, from all that the document claims; nothing is guessed in its favour."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from s2r.adjudicate.rules.candidates import Judged
from s2r.adjudicate.rules.docdate import Published, publication
from s2r.adjudicate.rules.sources import SECOND_HAND, WEAK
from s2r.extract.published import CAPTURE
from s2r.lang.text import fold
from s2r.models import DateClaim, DateClass, DateKind

GUESSED = 70  # rank of publication days that are guessed from the page or taken from what it tells
LINE = 15  # and of date lines at the head of a text
_MODIFIED = ("modified", "updated", "last-modified", "lastmod")
_PERIOD_END = re.compile(
    r"\b(?:years?|quarters?|months|periods?|half|weeks|fiscal|financial year)\b.{0,12}\b(?:ended|ending|to)\W{0,3}(?:on )?$"
    r"|\b(?:geschäftsjahr|jahresabschluss|halbjahr|quartal|exercice|trimestre|ejercicio|exercício|esercizio|boekjaar|räkenskapsår\w*|tilikausi)\b"
    r".{0,30}$|(?:年度|会计年度|會計年度|事業年度|決算期|사업연도).{0,8}$"
)
_PERIOD = {4: "-01-01", 7: "-01", 10: ""}
# words right before the day on which a page was changed, in folded text
_CHANGED = re.compile(
    r"(?:\b(?:updated?|modified|revised?|edited|amended|corrected|correction|aktualisiert|aktualisierung|geändert|stand|bijgewerkt"
    r"|gewijzigd|mise? à jour|modifiée?|actualizad[oa]|actualización|modificad[oa]|atualizad[oa]|atualização|aggiornat[oa]|aggiornamento"
    r"|modificat[oa]|uppdaterad|uppdatering|opdateret|oppdatert|endret|ændret|päivitetty|muokattu|zaktualizowano|aktualizacja"
    r"|güncellen(?:me|di)(?: tarihi)?|cập nhật|diperbarui|dikemas kini|обновлено|изменено)"
    r"|更新日?|改訂日?|修正日?|訂正|更正|修订|갱신|수정|업데이트|تحديث|अद्यतन|ปรับปรุง)"
    r"(?: (?:on|at|as of|last|am|vom|le|el|em|il|den|op|dnia|pada|ngày))?[\s:.,|(\[–—-]*(?:\w{2,12},\s*)?\Z"
)


@dataclass(frozen=True, slots=True)
class Dating:
    """Class of a document, its day of publication and where that is from ("" when unknown), and why it is of its class."""

    klass: DateClass
    day: dt.date | None = None
    origin: str = ""
    why: str = ""


def date_document(judged: Judged, cutoff: dt.date, timezone: str = "") -> Dating:
    """The class of one document at a cutoff (a local day at the venue).

    A day that is only guessed makes no document dated. One of unknown time that speaks of days after the cutoff counts as later than
    it, unless its bytes were captured by the cutoff.
    """
    found = tuple(one for one in publication(judged.doc) if not _ends_period(judged, one))
    best = found[0] if found and found[0].rank < GUESSED and not _is_table(judged, found) else None
    captured = _captured_by(judged, cutoff, timezone)
    claims = [] if captured else [claim for claim in judged.doc.page.claims if _starts_after(claim, cutoff)]
    modified = [claim for claim in claims if _is_modified(claim)]
    echoed = {claim.value for claim in modified}  # a guess may only repeat the day of the change
    stated = [claim for claim in claims if claim not in modified and _is_of_page(claim) and (best is None or _is_sure(claim))]
    stated = [claim for claim in stated if claim.origin != "htmldate" or claim.value not in echoed]
    if best is not None and best.day > cutoff:
        return Dating(DateClass.AFTER_CUTOFF, best.day, best.origin, f"published on {best.day} ({best.origin})")
    if stated:
        return Dating(DateClass.AFTER_CUTOFF, best.day if best else None, stated[0].origin, f"{stated[0].origin} says {stated[0].value}")
    if modified:
        return Dating(DateClass.EDITED_LATER, best.day if best else None, modified[0].origin, f"changed on {modified[0].value}")
    if not captured and (line := _later_line(found, cutoff)):
        return Dating(DateClass.EDITED_LATER, best.day if best else None, line.origin, f"it also carries the date line {line.day}")
    if not captured and (changed := _later_change(judged, cutoff)):
        return Dating(DateClass.EDITED_LATER, best.day if best else None, "text", f"it says that it was changed on {changed}")
    if best is not None:
        return Dating(DateClass.DATED, best.day, best.origin)
    if not captured and (later := _later_day(judged, cutoff)):
        return Dating(DateClass.AFTER_CUTOFF, None, "text", f"undated, and it speaks of {later}")
    return Dating(DateClass.UNDATED, None, "", "captured by the cutoff" if captured else "no day is known")


def _ends_period(judged: Judged, one: Published) -> bool:
    """Whether a day of the text is the end of a year or quarter that is reported on: such a report is of some later day."""
    if one.origin != "text" or one.start < 0:
        return False
    return _PERIOD_END.search(fold(judged.doc.page.text[max(0, one.start - 60) : one.start]).text) is not None


def _is_table(judged: Judged, found: tuple[Published, ...]) -> bool:
    """Whether the best day may be one of those that a page lists: one from the text alone, of a site that collects what others say, or
    among several of a site that is none of those who disclose."""
    kind = judged.doc.source_kind
    if found[0].origin != "text" or kind not in SECOND_HAND or any(one.origin != "text" and one.rank < GUESSED for one in found):
        return False
    return kind in WEAK or len({one.day for one in found if one.rank <= LINE}) > 1


def _captured_by(judged: Judged, cutoff: dt.date, timezone: str) -> bool:
    """Whether these very bytes were captured by the cutoff, a local day."""
    zone = ZoneInfo(timezone) if timezone else dt.UTC
    times = [dt.datetime.fromisoformat(claim.raw) for claim in judged.doc.page.claims if claim.origin == CAPTURE]
    return any(time.astimezone(zone).date() <= cutoff for time in times)


def _starts_after(claim: DateClaim, cutoff: dt.date) -> bool:
    """Whether the day, month or year that a claim names begins after the cutoff."""
    if claim.origin in (CAPTURE, "text", "dateline") or not claim.value or len(claim.value) not in _PERIOD:
        return False
    return dt.date.fromisoformat(claim.value + _PERIOD[len(claim.value)]) > cutoff


def _is_modified(claim: DateClaim) -> bool:
    return "modified" in claim.flags or any(word in claim.origin.lower() for word in _MODIFIED)


def _is_of_page(claim: DateClaim) -> bool:
    return claim.kind in (DateKind.PAGE, DateKind.FILING, DateKind.ANNOUNCEMENT) and "boilerplate" not in claim.flags


def _is_sure(claim: DateClaim) -> bool:
    return "low_trust" not in claim.flags and claim.origin not in ("htmldate", "url", "time")


def _later_line(found: tuple[Published, ...], cutoff: dt.date) -> Published | None:
    return next((one for one in found if one.origin == "text" and one.rank <= LINE and one.day > cutoff), None)


def _later_change(judged: Judged, cutoff: dt.date) -> dt.date | None:
    """A day after the cutoff on which the text says that it was changed ("Updated: ..."): what it said before is not known."""
    text = judged.doc.page.text
    for dated in judged.doc.dates:
        start = dated.mention.start
        if dated.day is not None and dated.day > cutoff and _CHANGED.search(fold(text[max(0, start - 60) : start]).text):
            return dated.day
    return None


def _later_day(judged: Judged, cutoff: dt.date) -> dt.date | None:
    return next((dated.day for dated in judged.doc.dates if dated.day is not None and dated.day > cutoff), None)

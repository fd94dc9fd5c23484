"""When a document was made public: candidates from filing headers, notice dates, datelines, metadata and the address.

Ranked by how directly each states the publication; the best is taken, and other date lines are shown.
"""

from __future__ import annotations

import datetime as dt
import heapq
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from s2r.adjudicate.rules.daylabels import NUMBERED, OTHER_DAY, OTHER_LABEL, PLACE_OF_ISSUE
from s2r.adjudicate.rules.document import DATE_LABEL, Dated, Document
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.extract.published import CAPTURE
from s2r.lang.text import fold_text
from s2r.models import Block, BlockKind, DateKind, Precision

BY_TEXT = 11  # rank of the surest date of a text: that of a labelled row
DATE_LINE = 13  # rank of the surest text dates: labelled row, dateline, date line
OVER_HEADLINE = 15  # rank of the day in the line above a headline
SITTING = 72  # rank of the day of the sitting that an authority's communiqué reports
OF_TODAY = 68  # rank of a day that the text itself calls today's
LAST_RESORT = 80  # rank of a day taken from what the text tells, for want of a date line
HEAD_BLOCKS = 14  # a notice date or dateline stands among the first blocks
TAIL_BLOCKS = 5  # a signature date among the last
SHORT = 60  # characters left in a block beside a date for the block to be a date line
LINE = 60  # characters before a date beyond which its line has no label for it, and is no dateline
TAIL = 100  # characters before a date that tell how its line leads to it
LABEL = 64  # folded characters of which all labels are shorter, but for signs before them
_DATELINE = re.compile(r"[^.!?。]*")
_AFTER_DATELINE = re.compile(r"[\s,)\]]*(?:\([^)]{1,40}\)\s*)?(?:/[^/]{1,40}/\s*)?(?:-{1,2}|[–—―:|])")
_NOT_PUBLISHED = {
    DateKind.EFFECTIVE,
    DateKind.LAST_TRADING,
    DateKind.DEADLINE,
    DateKind.SUSPENSION,
    DateKind.RECORD,
    DateKind.LETTER,
    DateKind.HISTORY,
}
_FILED_LABEL = re.compile(r"\W*(?:filed|filing|accepted|lodged|submitted)(?: (?:on|as of|date|at|time))*:? *$")
_EVENT_LABEL = re.compile(r"\bearliest event(?: reported)?\)?: *$")  # of the cover of a current report: the event's day, not the filing's
EVENT = 62  # rank of such a day
_NUMBERED_FACT = re.compile(r" *\(?\d{1,2}[.)] ?(?:[^\W\d_]+[ ,]+){2,}")  # "2. Die Zahlung erfolgte am"
_LAST = re.compile(r"[.;] +(?=[^.;]*$)")  # before the last sentence of a line
# right before the day that a text calls its own: "denna dag, den 14 mars 2012", "today, March 14"
_THIS_DAY = re.compile(
    r"(?:\b(?:today|this day|heute|am heutigen tage?|i ?dag|denna dag|tänään|ce jour|aujourd'hui|hoy|el día de hoy|en esta fecha|hoje"
    r"|nesta data|oggi|in data odierna|vandaag|heden|dzisiaj|dziś|w dniu dzisiejszym|bugün|hari ini)|本日|今日|今天|오늘|금일|اليوم)"
    r"[\s,:(–—-]*(?:(?:on|the|den|der|dem|am|le|el|em|il|op|dnia|tanggal|tarih\w*)\s+)?\Z"
)
# right before a day in prose that is another document's or a court's ("described in the circular of 18 May", "the court having on 2 May")
_OF_ANOTHER = re.compile(
    r"\b(?:described|set out|contained|detailed|outlined|explained|referred|refers?|further|reference is made|pursuant|following|wie in|unter bezugnahme|décrite?s?|suite|conformément|comme indiqué|conforme|tal como|en relación|a seguito"
    r"|(?:with|in|mit|unter|par|en|con|com|in|ved) (?:reference|relation|bezug|bezugnahme|référence|referencia|referência|riferimento|relazione)|facendo seguito|onder verwijzing|onder referte|zoals|med hänvisning|(?:med|under) henvisning|viitaten|som angitt|zgodnie z|w nawiązaniu)\b[^.;]{0,90}\b(?:circulars?|prospectus|letter|announcement|notice|document|statement|rundschreiben|mitteilung|bekanntmachung|communiqué"
    r"|circulaire|comunicado|hecho relevante|fato relevante|circular|comunicato|persbericht|pressmeddelande\w*|børsmelding\w*|meddelelse|raport\w*)(?: to (?:\w+ )?\w+)?(?: issued| published| dated| posted| sent| diffus[oa]| pubblicat[oa]| publié| veröffentlicht| publicad[oa])?(?: of| on| from| vom| du| de| del| da| van| av| af| z dnia| dell['’]| in data| le| il| el)?(?: the)? ?$"
    r"|\b(?:court|judge|gericht|tribunal|juzgado|juízo|rechtbank|tingsrätt\w*|tingrett\w*|retten)\b[^.;]{0,50}\b(?:on|am|le|el|em|il|op|den) $"
)
# the line that says by whom a release is issued, up to its day: "Announcement by X at the request of Y – "
_ISSUED_BY = re.compile(
    r"\W*(?:(?:press|news|media) release|(?:stock exchange |company )?announcement|pressemitteilung|medienmitteilung|mitteilung|ad[- ]hoc[- ]mitteilung|communiqué|avis|comunicado|comunicato|nota|aviso|hecho relevante|fato relevante|persbericht"
    r"|pressmeddelande|börsmeddelande|børsmelding|selskabsmeddelelse|fondsbørsmeddelelse|pörssitiedote|tiedote|komunikat|raport bieżący)\b[^.!?;:]{10,150}[–—|-] ?$"
)
_INITIAL = re.compile(r"(?<=\b\w)\.")
TODAY = 40  # characters before a date in which that stands
BEFORE_LABEL = 14  # letters before a date label in its line ("Notice no. 14 | Date")
_MARKED = "microdata:datePublished"  # a page that marks several days so lists articles
NAMED = 58  # rank of a day with a label of its own that is no label of a publication ("Place of the act: 4 May")
_MODIFIED = ("modified", "updated", "last-modified", "lastmod")


class Published(NamedTuple):
    """One candidate for the publication day of a document. Lower `rank` is better; offsets are -1 when not in the text."""

    day: dt.date
    rank: int
    origin: str
    raw: str
    start: int
    end: int


def publication(doc: Document) -> tuple[Published, ...]:
    """All candidates, best first; () for an undated document.

    A text date later than the metadata's is not the publication (it is a day the notice speaks about); metadata later than
    the text is a re-publication. So among the text's own candidates and the metadata the earlier one wins within a year. No
    candidate lies after the capture of the page.
    """
    found = tuple(ranked(doc))
    best = _best(iter(found), found)
    return () if best is None else (best, *(p for p in found if p is not best))


def published(doc: Document, *, from_text: bool = True) -> Published | None:
    """The best candidate of `publication`, found without telling the kinds of dates that cannot be it; None for an undated
    document. `from_text=False` looks at the metadata only."""
    claims = list(_within(doc, sorted(_from_claims(doc), key=_order)))
    if claims and (claims[0].rank < BY_TEXT or not from_text):
        return claims[0]
    return _best(ranked(doc), claims) if from_text else None


def ranked(doc: Document) -> Iterator[Published]:
    """The candidates by rank; those of the text are worked out as they are asked for."""
    claims = sorted(_from_claims(doc), key=_order)
    return _within(doc, heapq.merge(claims, _told(doc, claims), key=_order))


def _told(doc: Document, claims: Sequence[Published]) -> Iterator[Published]:
    """What the text tells, and for want of any date line the day of its acts."""
    told = False
    for p in _from_text(doc):
        told = True
        yield p
    if not told and not any(p.rank < LAST_RESORT for p in claims):
        yield from _from_acts(doc)


def _order(p: Published) -> tuple[int, int, dt.date]:
    return p.rank, p.start if p.start >= 0 else 10**9, p.day


def _best(found: Iterator[Published], claims: Iterable[Published]) -> Published | None:
    """The first of the candidates, unless the metadata `claims` an earlier day than a text date that is no date line."""
    best = next(found, None)
    if best is None or best.origin != "text" or best.rank < OVER_HEADLINE:
        return best
    meta = [p for p in claims if p.origin.startswith(("json-ld", "meta", "microdata", "time")) and p.rank < 60]
    day = min((p.day for p in meta), default=best.day)
    if best.day <= day:
        return best
    earlier = (p for p in found if p.origin == "text" and p.day <= day and (day - p.day).days <= 400)
    return next(earlier, None) or next(p for p in meta if p.day == day)


def _within(doc: Document, found: Iterable[Published]) -> Iterator[Published]:
    bound = _bound(doc)
    return (p for p in found if bound is None or p.day <= bound)


def _bound(doc: Document) -> dt.date | None:
    """The last day on which a captured page can have been published: bytes that were captured were public by then. The capture is in
    UTC, so that the local day may be the next one; None for a page without a capture."""
    days = [dt.date.fromisoformat(claim.value) for claim in doc.page.claims if claim.origin == CAPTURE and claim.value]
    return min(days) + dt.timedelta(days=1) if days else None


HEADLINE = 12  # characters of a headline at least
_PARTS = ("|", " -", ",", "·", "/")  # part the sender of a notice from the label of its day ("Hanoi Exchange - Posted 04/05/2020")


def _is_date_label(line: str) -> bool:
    """The line before a date is a label for it; "the letter bears the date" is prose."""
    label = DATE_LABEL.search(line)
    if label is None or OTHER_DAY.search(line):
        return False
    before = line[: label.start()].rstrip()
    return line.rstrip().endswith(":") or before.endswith(_PARTS) or len(re.findall(r"[^\W\d_]", before)) <= BEFORE_LABEL


def _from_acts(doc: Document) -> list[Published]:
    """A notice without any date line: the day that it calls today's, else the latest on which it says that something was announced or
    decided."""
    acts = [d for d in doc.dates if d.day is not None and d.kind in (DateKind.ANNOUNCEMENT, DateKind.DECISION)]
    acts = acts or [d for d in doc.dates if d.day is not None and d.kind is DateKind.MEETING and "future" not in d.mention.flags]
    if not acts:
        return []
    stated = [d for d in acts if "relative" not in d.mention.flags] or acts
    own = [d for d in stated if _is_todays(doc, d)]
    last = max(own or stated, key=lambda d: (d.day or dt.date.min, -d.mention.start))
    assert last.day is not None
    return [Published(last.day, OF_TODAY if own else LAST_RESORT, "text", last.mention.raw, last.mention.start, last.mention.end)]


def _is_todays(doc: Document, dated: Dated) -> bool:
    """A text of who discloses writes out the day on which it is written; what others print may quote such a text."""
    start = dated.mention.start
    return doc.source_kind not in SECOND_HAND and _THIS_DAY.search(fold_text(doc.page.text[max(0, start - TODAY) : start])) is not None


def _from_claims(doc: Document) -> list[Published]:
    found = []
    marked = {claim.value for claim in doc.page.claims if claim.origin == _MARKED}
    for claim in doc.page.claims:
        if claim.precision is not Precision.DAY or not claim.value or (claim.origin == _MARKED and len(marked) > 1):
            continue
        rank = _claim_rank(claim.origin)
        if rank is not None:
            found.append(Published(dt.date.fromisoformat(claim.value), rank, claim.origin, claim.raw, claim.start, claim.end))
    return found


def _claim_rank(origin: str) -> int | None:
    if origin.startswith("header:"):
        return {"header:filed_as_of": 0, "header:acceptance": 1}.get(origin)
    if any(word in origin.lower() for word in _MODIFIED):
        return 90
    if origin.startswith(("json-ld", "meta")):
        return 40
    if origin == _MARKED:
        return 44
    if origin == "time":
        return 45
    if origin.startswith("front-matter"):
        return 41
    if origin == "url":
        return 60
    if origin == "htmldate":
        return 70
    return None


def _from_text(doc: Document) -> Iterator[Published]:
    """Dates of the text by rank. The kind of a date is told only when no other can come before it: it can but lower the rank that an
    announcement has in its place."""
    dates = [d for d in doc.dates if d.day is not None and "relative" not in d.mention.flags]
    if not dates:
        return
    starts = [d.mention.start for d in dates]
    blocks = doc.page.blocks
    main = [i for i, b in enumerate(blocks) if b.main and b.kind is not BlockKind.TITLE]
    head, tail = set(main[:HEAD_BLOCKS]), set(main[-TAIL_BLOCKS:])
    first = next((i for i in main if blocks[i].kind is BlockKind.PARAGRAPH and blocks[i].end - blocks[i].start > 80), len(blocks))
    top = {i for i, b in enumerate(blocks[: min(first, HEAD_BLOCKS)]) if not b.main}
    waiting: list[tuple[int, int, dt.date, int, _Place | None, Dated]] = []
    for number, block in enumerate(blocks):
        at = bisect_left(starts, block.start)
        if at == len(starts) or starts[at] >= block.end:
            continue
        if number not in head and number not in tail and number not in top and block.kind is not BlockKind.TITLE:
            continue
        if block.kind is BlockKind.HEADER and not block.main:
            continue  # metadata lines are read as claims
        inside = dates[at : bisect_left(starts, block.end, at)]
        tops = len(inside) == 1 and number in head and _tops(blocks, number)
        for dated in inside:
            place = _Place(doc, block, dated, number in head, number in tail, tops)
            rank = _text_rank(place, DateKind.ANNOUNCEMENT)
            if rank is not None and block.kind is BlockKind.ROW and not dated.may_announce:
                rank = _text_rank(place, DateKind.OTHER)  # no other kind has a better one in a row
            if rank is not None and dated.day is not None:
                waiting.append((rank, dated.mention.start, dated.day, len(waiting), place, dated))
    heapq.heapify(waiting)
    while waiting:
        rank, start, day, number, placed, dated = heapq.heappop(waiting)
        known = rank if placed is None else _text_rank(placed, dated.kind)
        if known == rank:
            yield Published(day, rank, "text", dated.mention.raw, start, dated.mention.end)
        elif known is not None:
            heapq.heappush(waiting, (known, start, day, number, None, dated))


def _tops(blocks: Sequence[Block], number: int) -> bool:
    """The block is a row that stands alone right above a headline, as the line that gives the sender, number and day of a notice."""
    if blocks[number].kind is not BlockKind.ROW or number + 1 == len(blocks) or blocks[number + 1].kind is not BlockKind.HEADING:
        return False
    return number == 0 or blocks[number - 1].kind is not BlockKind.ROW


class _Place:
    """Where a date stands in its block."""

    __slots__ = (
        "_end",
        "_folded",
        "_text",
        "_title",
        "block",
        "in_head",
        "in_tail",
        "line",
        "regulator",
        "rest",
        "size",
        "spans",
        "to_come",
        "tops",
    )

    def __init__(self, doc: Document, block: Block, dated: Dated, in_head: bool, in_tail: bool, tops: bool) -> None:
        self.block, self.in_head, self.in_tail, self.tops = block, in_head, in_tail, tops
        text, start, end = doc.page.text, dated.mention.start, dated.mention.end
        self._text, self._end, self._folded, self._title = text, end, "", doc.page.title
        self.size = block.end - block.start
        first = max(block.start, text.rfind("\n", block.start, start) + 1)
        self.line = text[first:start]
        line_end = text.find("\n", end, block.end)
        self.rest = _letters(text, (first, start), (end, block.end if line_end < 0 else line_end))
        self.to_come = "future" in dated.mention.flags
        self.spans = "range_start" in dated.mention.flags or "range_end" in dated.mention.flags
        self.regulator = doc.source_kind == "regulator"

    @property
    def goes_on(self) -> bool:
        """What a dateline leads to follows the date."""
        return _AFTER_DATELINE.match(self._text, self._end, self.block.end) is not None

    @property
    def closes(self) -> bool:
        """Nothing follows the date in its line."""
        end = self._text.find("\n", self._end, self.block.end)
        return not self._text[self._end : self.block.end if end < 0 else end].strip(" .")

    @property
    def beside_headline(self) -> bool:
        """The row is the headline of the page and this day."""
        head, _, cell = self.line.rpartition(" | ")
        if self.block.kind is not BlockKind.ROW or len(head) < HEADLINE or not self._title.startswith(head):
            return False
        return PLACE_OF_ISSUE.fullmatch(cell) is not None and not self.spans

    @property
    def whole(self) -> str:
        """The line before the date, folded, without the stops of initials ("S.p.A."); "" where it is long."""
        return fold_text(_INITIAL.sub("", self.line)) if len(self.line) <= 2 * TAIL else ""

    @property
    def label(self) -> str:
        """The line before the date, folded: it can name the date."""
        if not self._folded:
            self._folded = fold_text(self.line).rstrip(" |")
        return self._folded

    @property
    def lead(self) -> str:
        """How the label ends; a long line is not folded for that."""
        tail = fold_text(self.line[-TAIL:]).rstrip(" |") if len(self.line) > TAIL else ""
        return tail if len(tail) > LABEL else self.label


_LETTERS = re.compile(r"[^\W\d_]+")


def _letters(text: str, *spans: tuple[int, int]) -> int:
    """Number of letters in some stretches of a text, counted until there are more than any rule asks for."""
    count = 0
    for start, end in spans:
        for match in _LETTERS.finditer(text, start, end):
            count += match.end() - match.start()
            if count > SHORT:
                return count
    return count


def _text_rank(place: _Place, kind: DateKind) -> int | None:
    """Rank of a date of this kind in its place, None where it is no publication; announcements have the best."""
    if place.in_head and place.beside_headline:
        return DATE_LINE
    if kind is DateKind.PAGE or kind in _NOT_PUBLISHED or place.spans:
        return None
    block, rest, line_before = place.block, place.rest, place.line
    in_head, in_tail = place.in_head, place.in_tail
    announcement = kind is DateKind.ANNOUNCEMENT
    told = _NUMBERED_FACT.match(line_before) is not None  # an item of a list tells when something happened
    if block.kind is BlockKind.TITLE:
        return 34 if announcement else None
    if in_head or not block.main:
        if block.kind is BlockKind.ROW:
            if announcement or _FILED_LABEL.match(place.label):
                return 11
            if in_head and rest <= SHORT and NUMBERED.fullmatch(place.label):
                return 12
            return OVER_HEADLINE if place.tops and rest <= SHORT and kind is not DateKind.MEETING else None
        short = len(line_before) <= LINE
        if short and (announcement or rest > SHORT) and _DATELINE.fullmatch(line_before) and place.goes_on:
            return 12
        lead = place.lead
        if lead.endswith(":"):
            if OTHER_LABEL.match(lead) and OTHER_LABEL.match(place.label):
                return None
            if _EVENT_LABEL.search(lead):
                return EVENT
        if short and (_is_date_label(place.label) or _FILED_LABEL.match(place.label)):
            return 12
        if _FILED_LABEL.fullmatch(_LAST.split(lead)[-1]) and _FILED_LABEL.fullmatch(_LAST.split(place.label)[-1]):
            return 12
        if rest <= SHORT // 2 and place.size <= 400 and kind is not DateKind.MEETING and not (told and not announcement):
            if lead.endswith(":") and not announcement:
                return NAMED
            return 13 if announcement else (18 if place.to_come else 15)
        if rest <= SHORT and announcement:
            return 16
        if place.closes and kind is not DateKind.MEETING and _ISSUED_BY.match(place.whole):
            return 16
    if in_tail and kind is not DateKind.MEETING and rest <= (SHORT if announcement else 0 if told else SHORT // 2):
        return 22 if announcement else 25
    if announcement and in_head:
        return LAST_RESORT - 1 if _OF_ANOTHER.search(fold_text(place.line[-2 * TAIL :])) else 32
    if in_head and kind is DateKind.MEETING and place.regulator and not place.to_come:
        return SITTING
    return None

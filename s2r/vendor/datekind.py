"""What a vendor's date seems to be the date of, by the dated statements about the listing that were archived."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from s2r.models import Record, Stage, TimelinePoint
from s2r.vendor.evidence import Evidence
from s2r.vendor.types import Quote

# of several kinds that pages give to one day the first is named
ORDER = (
    "effective", "last_trading", "filing", "letter", "suspension", "decision", "meeting", "record", "deadline", "warning", "proposal",
    "report", "publication", "announcement", "birth_or_history", "other",
)  # fmt: skip
WORDS = {
    "effective": "the effective day",
    "last_trading": "the last trading day",
    "filing": "the day of a filing",
    "letter": "the day of a letter",
    "suspension": "the day of a suspension of trading",
    "decision": "the day of a decision that was not yet disclosed",
    "meeting": "the day of a meeting",
    "record": "a record date",
    "deadline": "a deadline",
    "warning": "the day of a warning, which does not end a listing",
    "proposal": "the day of a proposal or a conditional step",
    "report": "the day of a later report",
    "publication": "the day of another publication in the case",
    "announcement": "the day of another announcement in the case",
    "birth_or_history": "a day of the company's history",
    "swapped": "our date with day and month exchanged",
    "none": "no date: the vendor gives none",
    "unknown": "a day that no archived page gives for this listing",
    "other": "a day that the pages mention for another matter",
}
_WARNINGS = {Stage.WARNING, Stage.CURE, Stage.RUMOUR, Stage.APPEAL}
_PROPOSALS = {Stage.PLAN, Stage.PROPOSAL, Stage.CONDITIONAL_DECISION}
_REPORTS = ("press", "wire", "aggregator", "forum", "unknown", "")


_LETTER = re.compile(
    r"\b(?:letters?|schreiben|lettre|carta|escrito|lettera|brev(?:et)?|kirje(?:essä|ellä|en)?|pism(?:o|em)|yazı\w*)\W{1,2}"
    r"(?:(?:dated|of|from|vom|du|de|del|do|den|af|från|z dnia|datert|daterat|dateret)\W{1,2}(?:\w{3,12},?\W)?)?$"
)
# what these say of a day is told by the page as a whole; the words of every page are asked before they count
_WEAK = {"deadline", "record", "report", "publication", "announcement", "birth_or_history", "other"}


@dataclass(frozen=True, slots=True)
class Story:
    """The kind of a vendor's date and the quote that shows it; `days_off` is how far the explaining day lies from it."""

    kind: str
    quote: Quote | None = None
    days_off: int = 0

    @property
    def words(self) -> str:
        """The kind in words."""
        text = WORDS.get(self.kind, self.kind)
        return text if not self.days_off else f"{text} ({abs(self.days_off)} day{'s' if abs(self.days_off) > 1 else ''} off)"


def explain_date(record: Record, day: dt.date, ours: dt.date | None, evidence: Evidence, *, within: int = 0) -> Story:
    """What `day` is, for a record whose announcement date is `ours`: by the timeline, else by the sentences of its pages."""
    found = _best(_of_timeline(record, day, within))
    if found and found[0] not in _WEAK:
        return Story(found[0], _quote(found[1], evidence), found[2])
    told = [("letter" if _LETTER.search(dating.before) else dating.kind, dating) for dating in evidence.datings(record, day)]
    strong = Counter(kind for kind, _ in told if kind not in _WEAK)
    if strong:
        kind = min(strong, key=lambda k: (-strong[k], _rank(k)))
        return Story(kind, next(dating.quote for name, dating in told if name == kind))
    if found:
        return Story(found[0], _quote(found[1], evidence), found[2])
    if told:
        kind = min((kind for kind, _ in told), key=_rank)
        return Story(kind, next(dating.quote for name, dating in told if name == kind))
    if (
        ours is not None
        and ours.day <= 12
        and ours.month != ours.day
        and (day.year, day.month, day.day) == (ours.year, ours.day, ours.month)
    ):
        return Story("swapped")
    return Story("unknown")


def _of_timeline(record: Record, day: dt.date, within: int) -> Iterator[tuple[str, TimelinePoint, int]]:
    for point in record.timeline:
        try:
            off = (dt.date.fromisoformat(point.date) - day).days
        except ValueError:
            continue
        if abs(off) <= within:
            yield _kind(point), point, off


def _best(points: Iterator[tuple[str, TimelinePoint, int]]) -> tuple[str, TimelinePoint, int] | None:
    """The point nearest in time; on one day the kind that most pages give, a stated kind before one told from a page's own date."""
    found = list(points)
    if not found:
        return None
    near = min(abs(off) for _, _, off in found)
    found = [item for item in found if abs(item[2]) == near]
    counted = Counter(kind for kind, _, _ in found)
    stated = {kind for kind, point, _ in found if point.kind != "published"}
    return min(found, key=lambda item: (item[0] == "other", item[0] not in stated, -counted[item[0]], _rank(item[0]), item[1].url))


def _rank(kind: str) -> int:
    return ORDER.index(kind) if kind in ORDER else len(ORDER)


def _kind(point: TimelinePoint) -> str:
    """The kind of a statement; the date of a page is what its step and its source make it."""
    if point.kind == "effective" and point.stage in (Stage.SUSPENSION, *_WARNINGS):
        return "suspension" if point.stage == Stage.SUSPENSION else "warning"  # what takes effect is no end of the listing
    if point.kind not in ("published", "page"):
        return point.kind
    if point.stage == Stage.FILING or point.source_kind == "filing":
        return "filing"
    if point.stage in (Stage.SUSPENSION, Stage.LAST_TRADING):
        return str(point.stage)
    if point.stage in _WARNINGS:
        return "warning"
    if point.stage in _PROPOSALS:
        return "proposal"
    return "report" if point.source_kind in _REPORTS else "publication"


def _quote(point: TimelinePoint, evidence: Evidence) -> Quote | None:
    """The statement as it stands in its page, at whole words; for a page's own date the line that gives it."""
    if point.kind == "published" and (line := evidence.dated_line(point.digest, point.url, dt.date.fromisoformat(point.date))) is not None:
        return line
    page = evidence.page(point.digest, point.url)
    start = page.text.find(point.quote) if page is not None else -1
    return evidence.span("vendor date", point.digest, point.url, start, start + len(point.quote)) if start >= 0 else None

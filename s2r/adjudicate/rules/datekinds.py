"""What each date of a text is the date of, from the cue words around it and from where it stands; and the day a snippet was announced.

A cue counts by its weight and its nearness: within the sentence, less across commas and other dates, not across semicolons'
far side when something nearer speaks. The best cue decides; without any the date is `other`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import cached_property

from s2r.adjudicate.rules.datecues import Cues, compile_cues, cue_scores, raise_to, stands_in
from s2r.adjudicate.rules.datesentences import WINDOW, column_head, masked, near, sentences, surroundings
from s2r.lang.dates.dateline import PAGE_STAMP, is_dateline_position, is_stamp
from s2r.lang.text import fold_text
from s2r.models.evidence import DateKind, DateMention, Precision
from s2r.policy import DateLexicon

SNIPPET = 1500  # a text this short has one subject, so all of it speaks for each of its dates
QUARTER = 0.8  # a weaker cue makes no quarter the time at which a listing ends: it is that of a report
FLOOR = 0.12  # a weaker cue says nothing
_NO_DISCLOSURE = {DateKind.SUSPENSION, DateKind.LETTER, DateKind.DEADLINE}
_NOT_AHEAD = (DateKind.ANNOUNCEMENT, DateKind.DECISION, DateKind.LETTER)
_NOT_OWN = frozenset({"relative", "no_year", "range_start", "range_end"})  # flags of dates that no text carries as its own
_STAMP_GAP = re.compile(r"[\w:]{0,8}(?:[\s:,./(-]|\d{1,2}[:.h]\d\d|\b\w{1,8}\b(?=.{0,12}$)){0,10}")  # "updated at 8:30 on"
_THAT = re.compile(r"^,? ?(?:that|dass|daß|que|qu'|che|dat|att|at|że|iż|rằng|että|o|om|über|about|sobre|della|over)\b")
_SAID = re.compile(
    r"^(?:,? ?(?:that|dass|daß|que|qu'|che|dat|att|że|iż|rằng|että)\b|[^,;:#]{0,60},? (?:that|dass|daß|att|dat|że|iż|että)\b)"
)  # the clause of what was said
_SAID_NORTH = re.compile(r"^[^;:#]{0,60},? at\b")  # Danish and Norwegian; in English the word is another
_CLEFT = re.compile(r"\b(?:c'est|c'était|ce fut|fue|foi|è stato|fu|es war|het was|det var|it was)\b.{0,10}$")
_IN_SENTENCE = re.compile(r"\b(?:on|by|am|vom|zum|le|du|el|del|il|em|op|den|dnia|z dnia|ngày|since|pada)\s?$", re.IGNORECASE)
_JOINT = re.compile(
    r"\b(?:and|und|et|y|e|och|og|en|ja|i|oraz|và|ve|dan)\b|(?:하고|했고|고|며) |[し,，]、?|并|並|及"
)  # what follows was done as well
_HEADING = re.compile(r"\s?[)）\]】]?\s?(?:[.:：。](?:\s|$)|[.:：。]?[\n\u3000]|[）)][:：])")
_PERIOD = (DateKind.DEADLINE, DateKind.LAST_TRADING, DateKind.SUSPENSION, DateKind.HISTORY)  # what a range of days can be
_DONE = (DateKind.DECISION, DateKind.MEETING, DateKind.FILING, DateKind.LETTER)
CLEFT = 24  # characters before a date in which a cleft sentence begins
BREATH = 40  # characters from "and" to a word of publication that it leads to
STAMP = 44  # characters before a date in which it is called that of a page's last change
HEADING = 100  # characters of a heading
RECENT = 150  # days before the document within which a date is no history
LATE = 45  # days after the last date of a text from which the date of its page is no longer the day of its news


def classify_dates(
    text: str,
    mentions: Sequence[DateMention],
    *,
    lang: str = "",
    country: str = "",
    cues: Sequence[DateLexicon] = (),
    anchor: dt.date | None = None,
    page_date: dt.date | None = None,
) -> tuple[DateKind, ...]:
    """Kind of each mention, in the order given. `anchor` is the document's own date: a later day is not a publication.

    `page_date` is the date in the metadata of the page, when known: a lone date equal to it in a text about older days is `page`.

    `lang` and `country` are accepted for symmetry with `read_dates`; the languages are those of `cues`.
    """
    del lang, country
    kinds = DateKinds(text, mentions, cues=cues, anchor=anchor, page_date=page_date)
    return tuple(kinds.kind(number) for number in range(len(mentions)))


class DateKinds:
    """Kinds of the dates of one text, each worked out when it is first asked for. Arguments as those of `classify_dates`."""

    def __init__(
        self,
        text: str,
        mentions: Sequence[DateMention],
        *,
        cues: Sequence[DateLexicon] = (),
        anchor: dt.date | None = None,
        page_date: dt.date | None = None,
    ) -> None:
        self._text, self._mentions, self._anchor, self._page_date = text, mentions, anchor, page_date
        self._cues = compile_cues(tuple(cues))
        self._spans = sorted({(m.start, m.end) for m in mentions})
        self._born = _reference(mentions, anchor, page_date)
        self._late = bool(self._born and page_date and (page_date - self._born).days > 4 * LATE)
        self._said = _SAID_NORTH if any(lexicon.language in ("da", "no") for lexicon in cues) else _SAID
        self._told: dict[int, DateKind] = {}
        self._alone: dict[int, DateKind | None] = {}  # by identity of the mention, told by its words alone
        self._datelines: dict[int, bool] = {}  # by identity of the mention
        self._ends: dict[tuple[int, int], DateKind] = {}  # of ranges, both ends of which report the same span

    def kind(self, number: int) -> DateKind:
        """Kind of the mention of this number."""
        if number not in self._told:
            self._told[number] = self._tell(number)
        return self._told[number]

    def _tell(self, number: int) -> DateKind:
        mention = self._mentions[number]
        if not ("range_start" in mention.flags or "range_end" in mention.flags):
            return self._tell_one(number)
        span = (mention.start, mention.end)
        if span not in self._ends:
            first = next(n for n, m in enumerate(self._mentions) if (m.start, m.end) == span)
            self._ends[span] = self._tell_one(first)
        return _range_kind(self._ends[span], mention)

    def _tell_one(self, number: int) -> DateKind:
        mention = self._mentions[number]
        alone = self._late and mention.day == self._page_date and "relative" not in mention.flags
        if alone and _stands_alone(self._text, mention, self._spans):
            return DateKind.PAGE
        told = None
        if self._is_sequel(number):
            first = number - 1
            while first not in self._told and self._is_sequel(first):
                first -= 1
            for before in range(first, number):  # in reading order, so that a long chain does not nest
                told = self._mentions[before], self.kind(before)
        return self._weigh(mention, told)

    def _is_sequel(self, number: int) -> bool:
        """The date is told from the one before it."""
        rule = self._mentions[number].rule
        return number > 0 and (rule.endswith("chain") or rule == "later")

    @cached_property
    def _own(self) -> dt.date | None:
        """The date that a short text carries as its own."""
        if len(self._text) > SNIPPET:
            return None
        return next((m.day for m in self._mentions if self._is_own(m)), None)

    def _is_own(self, mention: DateMention) -> bool:
        """The mention is the date that the text carries as its own."""
        if id(mention) not in self._datelines:
            self._datelines[id(mention)] = is_dateline(self._text, mention)
        return self._datelines[id(mention)]

    def _is_heading(self, mention: DateMention) -> bool:
        """The first day of a text, at the end of its heading, and that of the page or just before."""
        if not self._page_date or mention.day is None or self._own or mention.start > HEADING or "relative" in mention.flags:
            return False
        first = next((m for m in self._mentions if m.day), None)
        if first is not mention or not 0 <= (self._page_date - mention.day).days <= 3 or not _HEADING.match(self._text, mention.end):
            return False
        head = self._text[: mention.start]
        return head.count(".") < 2 and not _IN_SENTENCE.search(head)

    @cached_property
    def _whole(self) -> str:
        """The folded text without its dates."""
        return fold_text(masked(self._text, self._spans))

    @cached_property
    def _has_news(self) -> bool:
        """The words around some date of a short text make it the day of the news; then no other is so by default."""
        if len(self._text) > SNIPPET:
            return False
        return any(m.day and self._cued(m, None) is DateKind.ANNOUNCEMENT for m in self._mentions)

    def _weigh(self, mention: DateMention, told: tuple[DateMention, DateKind] | None) -> DateKind:
        kind = self._cued(mention, told)
        if kind is not None:
            return kind
        if self._anchor is None or mention.day is None:
            return DateKind.OTHER
        whole = self._whole if len(self._text) <= SNIPPET else "".join(surroundings(self._text, mention, self._spans))
        kind = _unsaid(whole, mention.day, self._cues, self._anchor)
        if kind is DateKind.ANNOUNCEMENT and (self._has_news or (self._own and mention.day < self._own)):
            return DateKind.OTHER  # the news has a day of its own
        return kind

    def _cued(self, mention: DateMention, told: tuple[DateMention, DateKind] | None) -> DateKind | None:
        """As `_by_cues`, once for each mention that nothing is told before."""
        if told is not None:
            return self._by_cues(mention, told)
        if id(mention) not in self._alone:
            self._alone[id(mention)] = self._by_cues(mention, None)
        return self._alone[id(mention)]

    def _by_cues(self, mention: DateMention, told: tuple[DateMention, DateKind] | None) -> DateKind | None:
        """Kind by the words around the mention and by where it stands; None when they say nothing."""
        text, spans, cues, anchor, born = self._text, self._spans, self._cues, self._anchor, self._born
        if mention.rule == "copyright":
            return DateKind.PAGE
        before, after = surroundings(text, mention, spans)
        dateline = self._is_own(mention)
        said = None if _CLEFT.search(before, max(0, len(before) - CLEFT)) else self._said.match(after)
        scores = cue_scores(before, "" if dateline else after[: said.end()] if said else after, mention, spans, cues)
        if (dateline and not (before.rstrip().endswith(":") and max(scores.values(), default=0.0) >= 0.6)) or self._is_heading(mention):
            raise_to(scores, DateKind.ANNOUNCEMENT, 1.3)
        if said:
            raise_to(scores, DateKind.ANNOUNCEMENT, 0.45)  # whatever the verb: something was said on that day
        if _THAT.match(after):
            for kind in (DateKind.ANNOUNCEMENT, DateKind.LETTER):
                scores[kind] = scores.get(kind, 0.0) * 1.5  # "said on 3 May that ...": what follows is not about this date
        if DateKind.ANNOUNCEMENT in scores and "relative" not in mention.flags and mention.day and self._own and mention.day < self._own:
            scores[DateKind.ANNOUNCEMENT] *= 0.5  # "announces", in a notice, is of the day of the notice
        if anchor and mention.day and mention.day < anchor == born and DateKind.EFFECTIVE in scores:
            scores[DateKind.EFFECTIVE] *= 0.3 if "relative" in mention.flags else 0.6
        _add_age(scores, mention, born)
        if _is_stamped(before, mention, spans):
            raise_to(scores, DateKind.PAGE, 2.0)
        if told and (mention.rule.endswith("chain") or mention.rule == "later"):
            _add_sequel(scores, mention, *told)
        if not before.strip() and len(after.strip()) < 3 and "relative" not in mention.flags and mention.day:
            raise_to(scores, DateKind.ANNOUNCEMENT, 0.6)  # a sentence that is only a date: that of the notice
        if anchor and mention.value and mention.value > anchor.isoformat()[: len(mention.value)]:
            for kind in _NOT_AHEAD:
                scores.pop(kind, None)
        if ("range_start" in mention.flags or "range_end" in mention.flags) and mention.precision is Precision.DAY:
            scores = {kind: score for kind, score in scores.items() if kind in _PERIOD}
            if DateKind.LAST_TRADING in scores:
                scores[DateKind.LAST_TRADING] *= 1.2  # "until" alone makes no deadline
            return max(scores, key=lambda kind: scores[kind], default=DateKind.DEADLINE)
        if born and mention.value and _days_before(born, mention.value) < RECENT:
            scores.pop(DateKind.HISTORY, None)
        best = max(scores, key=lambda kind: scores[kind], default=DateKind.OTHER)
        if mention.rule == "quarter":  # that of a report, unless a listing ends in it
            return best if best is DateKind.EFFECTIVE and scores[best] >= QUARTER else DateKind.OTHER
        if best is DateKind.DECISION and scores.get(DateKind.MEETING, 0.0) >= 0.4 * scores[best]:
            best = DateKind.MEETING  # "the meeting approved on ..." dates the meeting
        return best if scores.get(best, 0.0) >= FLOOR else None


def _reference(mentions: Sequence[DateMention], anchor: dt.date | None, page_date: dt.date | None) -> dt.date | None:
    """The day against which a date is old: the anchor, or the last day told when the page is only of much later date."""
    if anchor is None or anchor != page_date:
        return anchor
    days = [m.day for m in mentions if m.day and m.day < anchor]
    last = max(days, default=anchor)
    return last if (anchor - last).days > LATE and not any(m.day == anchor and "relative" in m.flags for m in mentions) else anchor


def _stands_alone(text: str, mention: DateMention, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the mention fills most of its sentence, as a page stamp does."""
    before, after = surroundings(text, mention, spans)
    return len(before.strip()) + len(after.strip()) <= 40


def _range_kind(kind: DateKind, mention: DateMention) -> DateKind:
    """Kind of one end of a range: a period for acceptance or objection ends in a deadline, one of final trading in the last day."""
    end = "range_end" in mention.flags
    if kind in (DateKind.DEADLINE, DateKind.LAST_TRADING):
        return kind if end else DateKind.OTHER
    return kind


def _unsaid(sentence: str, day: dt.date, cues: Cues, anchor: dt.date) -> DateKind:
    """Kind of a date that no cue speaks of: in a text about a delisting, a day ahead is its effect, a recent day its news."""
    if not (stands_in(cues.object, sentence) or stands_in(cues.qualify, sentence)):
        return DateKind.OTHER
    if stands_in(cues.block, sentence):
        return DateKind.DEADLINE if day > anchor else DateKind.OTHER
    if day > anchor:
        return DateKind.EFFECTIVE
    return DateKind.ANNOUNCEMENT if (anchor - day).days <= 45 else DateKind.OTHER


def _add_age(scores: dict[DateKind, float], mention: DateMention, anchor: dt.date | None) -> None:
    """A year long past, or any date many years before the document, tells history unless a cue speaks clearly."""
    if mention.rule == "founding-year":
        scores[DateKind.HISTORY] = max(scores.get(DateKind.HISTORY, 0.0), 1.0)
    if not mention.value or anchor is None:
        return
    years = anchor.year - int(mention.value[:4])
    if mention.precision is Precision.YEAR and years >= 2:
        scores[DateKind.HISTORY] = max(scores.get(DateKind.HISTORY, 0.0), 0.45)
    elif years >= 6:
        scores[DateKind.HISTORY] = max(scores.get(DateKind.HISTORY, 0.0), 0.35)


def _is_stamped(before: str, mention: DateMention, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a word such as "updated" leads to the mention, with no other date between."""
    if not is_stamp(before[-STAMP:]):
        return False
    stamp = PAGE_STAMP.search(before, max(0, len(before) - STAMP))
    if stamp is None or not _STAMP_GAP.fullmatch(before, stamp.end()):
        return False
    return not any(
        mention.start - (len(before) - stamp.end()) <= end <= mention.start for _, end in near(spans, mention.start - WINDOW, mention.start)
    )


def _days_before(day: dt.date, value: str) -> int:
    """Days from a value (YYYY, YYYY-MM or YYYY-MM-DD, taken at its end) to the day; negative when it lies ahead."""
    parts = [int(p) for p in value.split("-")]
    year, month, number = (*parts, *(12, 28)[len(parts) - 1 :])
    return (day - dt.date(year, month, number)).days


def _add_sequel(scores: dict[DateKind, float], mention: DateMention, told: DateMention, kind: DateKind) -> None:
    """ "The next day" after a decision or a meeting is mostly that of its publication, "the day before" one that of the decision."""
    if not mention.day or not told.day:
        return
    if mention.day >= told.day and kind in _DONE:
        scores[DateKind.ANNOUNCEMENT] = scores.get(DateKind.ANNOUNCEMENT, 0.0) + 0.5
    elif mention.day < told.day and kind is DateKind.ANNOUNCEMENT:
        scores[DateKind.DECISION] = scores.get(DateKind.DECISION, 0.0) + 0.4


def is_dateline(text: str, mention: DateMention) -> bool:
    """Whether the mention is the date the text carries as its own."""
    if mention.day is None or not _NOT_OWN.isdisjoint(mention.flags):
        return False
    return is_dateline_position(text, mention.start, mention.end) and not column_head(text, mention)


def announcement_date(
    text: str,
    mentions: Sequence[DateMention],
    kinds: Sequence[DateKind],
    *,
    cues: Sequence[DateLexicon] = (),
    anchor: dt.date | None = None,
    page_date: dt.date | None = None,
) -> dt.date | None:
    """Day on which a snippet says, or shows by its own date, that the delisting was first disclosed; None when it does not.

    `anchor` is the day of the document (its dateline), `page_date` that of its page. Deficiency notices, warnings, conditions, denials, and a suspension or
    an effective day alone disclose nothing.
    """
    compiled = compile_cues(tuple(cues))
    parts = sentences(text, mentions)
    decided = any(stands_in(compiled.qualify, s) and (stands_in(compiled.settled, s) or not stands_in(compiled.block, s)) for s in parts)
    if not decided and any(stands_in(compiled.block, s) for s in parts):
        return None
    named = decided or any(stands_in(compiled.object, s) or stands_in(compiled.qualify, s) for s in parts)
    if not named and _NO_DISCLOSURE & set(kinds):
        return None
    told = [m for m, kind in zip(mentions, kinds, strict=True) if kind is DateKind.ANNOUNCEMENT and m.day]
    days = [m for m in told if anchor is None or (m.day and m.day <= anchor)]
    if days:
        return min(m.day for m in _about(text, days, mentions, compiled) if m.day)
    if any(kind is DateKind.ANNOUNCEMENT for kind in kinds):
        return None
    if not decided:
        return None
    on = [(m.day, kind) for m, kind in zip(mentions, kinds, strict=True) if m.day and anchor and m.day <= anchor]
    if both := _told_at_once(text, mentions, kinds, compiled, anchor):
        return both
    if anchor == page_date and (filed := [day for day, kind in on if kind is DateKind.FILING]):
        return min(filed)  # what is filed with an authority is public
    if _reference(mentions, anchor, page_date) == anchor:
        return anchor
    # a late page that tells a step and no publication: the step itself is all there is
    return max((day for day, kind in on if kind in (DateKind.DECISION, DateKind.MEETING)), default=None)


def _told_at_once(
    text: str, mentions: Sequence[DateMention], kinds: Sequence[DateKind], cues: Cues, anchor: dt.date | None
) -> dt.date | None:
    """The last day on which something was done and, in one breath, made public ("resolved on 3 May to delist and announced it")."""
    spans = sorted({(m.start, m.end) for m in mentions})
    days = [
        m.day
        for m, kind in zip(mentions, kinds, strict=True)
        if kind in _DONE
        and m.day
        and (anchor is None or m.day <= anchor)
        and _goes_on_to_tell(surroundings(text, m, spans)[1], m, spans, cues)
    ]
    return max(days, default=None)


def _goes_on_to_tell(after: str, mention: DateMention, spans: Sequence[tuple[int, int]], cues: Cues) -> bool:
    """After the date, "and" leads to a word of publication, with no other date up to it."""
    other = min(
        (start - mention.end for start, _ in near(spans, mention.end, mention.end + WINDOW) if start >= mention.end), default=WINDOW
    )
    told = [found for kind, _, _, found in cues.after.possible(after) if kind is DateKind.ANNOUNCEMENT]
    for joint in _JOINT.finditer(after, 0, other):
        first = (next(found(joint.end(), min(other, joint.end() + BREATH)), None) for found in told)
        if any(match is not None and match.start() > 0 for match in first):
            return True
    return False


def _about(text: str, days: Sequence[DateMention], mentions: Sequence[DateMention], cues: Cues) -> Sequence[DateMention]:
    """Those of the days whose sentence speaks of the delisting; all when none does."""
    if len(days) < 2:
        return days
    spans = sorted({(m.start, m.end) for m in mentions})
    named = [m for m in days if any(stands_in(p, " # ".join(surroundings(text, m, spans))) for p in (cues.object, cues.qualify))]
    return named or days

"""What each date of a text is the date of, from the cue words around it and from where it stands; and the day a snippet was announced.

A cue counts by its weight and its nearness: within the sentence, less across commas and other dates, not across semicolons'
far side when something nearer speaks. The best cue decides; without any the date is `other`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from operator import itemgetter

from s2r.adjudicate.rules.datesentences import WINDOW, column_head, masked, near, sentences, surroundings
from s2r.lang.dates.dateline import PAGE_STAMP, is_dateline_position
from s2r.lang.literals import Alternation, Literals
from s2r.lang.required import needed
from s2r.lang.text import fold_text
from s2r.models.evidence import DateKind, DateMention, Precision
from s2r.policy import DateLexicon

SNIPPET = 1500  # a text this short has one subject, so all of it speaks for each of its dates
QUARTER = 0.8  # a weaker cue makes no quarter the time at which a listing ends: it is that of a report
FLOOR = 0.12  # a weaker cue says nothing
LONG = 24  # a cue longer than this is as far off as its middle
REACH = 110  # length of the longest cue
NEAR = 25.0  # distance at which a cue counts half
_NO_DISCLOSURE = {DateKind.SUSPENSION, DateKind.LETTER, DateKind.DEADLINE}
_NOT_AHEAD = (DateKind.ANNOUNCEMENT, DateKind.DECISION, DateKind.LETTER)
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0e00-\u0e7f]")
_COMMA = re.compile(r"[,:、，،]|\s-\s|\(|\)")

_STOP = re.compile(r"[;；]")
_STAMP_GAP = re.compile(r"[\w:]{0,8}(?:[\s:,./(-]|\d{1,2}[:.h]\d\d|\b\w{1,8}\b(?=.{0,12}$)){0,10}")  # "updated at 8:30 on"
_THAT = re.compile(r"^,? ?(?:that|dass|daß|que|qu'|che|dat|att|at|że|iż|rằng|että|o|om|über|about|sobre|della|over)\b")
_SAID = re.compile(
    r"^(?:,? ?(?:that|dass|daß|que|qu'|che|dat|att|że|iż|rằng|että)\b|[^,;:#]{0,60},? (?:that|dass|daß|att|dat|że|iż|että)\b)"
)  # the clause of what was said
_TOLD = re.compile(r"\b(?:that|dass|daß|que|che|dat|att|że|iż|rằng|että|bahwa|bahawa)\b")
_SAID_NORTH = re.compile(r"^[^;:#]{0,60},? at\b")  # Danish and Norwegian; in English the word is another
_CLEFT = re.compile(r"\b(?:c'est|c'était|ce fut|fue|foi|è stato|fu|es war|het was|det var|it was)\b.{0,10}$")
_IN_SENTENCE = re.compile(r"\b(?:on|by|am|vom|zum|le|du|el|del|il|em|op|den|dnia|z dnia|ngày|since|pada)\s?$", re.IGNORECASE)
_JOINT = re.compile(
    r"\b(?:and|und|et|y|e|och|og|en|ja|i|oraz|và|ve|dan)\b|(?:하고|했고|고|며) |[し,，]、?|并|並|及"
)  # what follows was done as well
_HEADING = re.compile(r"\s?[)）\]】]?\s?(?:[.:：。](?:\s|$)|[.:：。]?[\n\u3000]|[）)][:：])")
_PERIOD = (DateKind.DEADLINE, DateKind.LAST_TRADING, DateKind.SUSPENSION, DateKind.HISTORY)  # what a range of days can be
_DONE = (DateKind.DECISION, DateKind.MEETING, DateKind.FILING, DateKind.LETTER)
_COORDINATED = re.compile(r"\b(?:and|but|while|und|aber|et|mais|y|e|och|men|og|en|maar|ja|i|a|oraz|và|còn|dan|ve)\b")
BREATH = 40  # characters from "and" to a word of publication that it leads to
HEADING = 100  # characters of a heading
RECENT = 150  # days before the document within which a date is no history
LATE = 45  # days after the last date of a text from which the date of its page is no longer the day of its news


class _Side:
    """The cues that stand on one side of their dates. All of one kind, weight and reach are one expression, of which only those
    alternatives run whose strings stand there."""

    def __init__(self, lexicons: Iterable[DateLexicon], *sides: str) -> None:
        sources: dict[tuple[DateKind, float, int], list[str]] = {}
        for lexicon in lexicons:
            for cue in lexicon.cue:
                if cue.side in sides:
                    sources.setdefault((DateKind(cue.kind), cue.weight, cue.within), []).append(cue.pattern)
        self._cues = [(*key, Alternation(patterns)) for key, patterns in sources.items()]
        self._users: dict[str, list[tuple[int, int]]] = {}
        self._always: list[tuple[int, int]] = []
        for number, (*_, expression) in enumerate(self._cues):
            for part, source in enumerate(expression.sources):
                strings = needed(source)
                for word in strings:
                    self._users.setdefault(word, []).append((number, part))
                if not strings:
                    self._always.append((number, part))
        self._literals = Literals(self._users)

    def possible(self, text: str) -> Iterator[tuple[DateKind, float, int, Callable[[int, int], Iterator[re.Match[str]]]]]:
        """Kind, weight, reach and matches between two offsets of the cues that the text can hold, in their order."""
        held = set(self._always)
        for word in self._literals.present(text):
            held.update(self._users[word])
        for number, parts in groupby(sorted(held), key=itemgetter(0)):
            kind, weight, within, expression = self._cues[number]
            yield kind, weight, within, partial(expression.finditer, [part for _, part in parts], text)


@dataclass(frozen=True, slots=True)
class _Cues:
    before: _Side
    after: _Side
    object: re.Pattern[str] | None
    qualify: re.Pattern[str] | None
    block: re.Pattern[str] | None
    settled: re.Pattern[str] | None


def _joined(patterns: Iterable[str]) -> re.Pattern[str] | None:
    parts = [f"(?:{p})" for p in patterns]
    return re.compile("|".join(parts)) if parts else None


_COMPILED: dict[tuple[int, ...], tuple[tuple[DateLexicon, ...], _Cues]] = {}  # by identity; the lexicons are kept, so ids stay theirs


def _compile(cues: tuple[DateLexicon, ...]) -> _Cues:
    """The cues of some lexicons, compiled once; a lexicon is too large to be hashed for each text."""
    key = tuple(map(id, cues))
    known = _COMPILED.get(key)
    if known is None:
        known = _COMPILED[key] = cues, _joined_cues(cues)
    return known[1]


def _joined_cues(cues: tuple[DateLexicon, ...]) -> _Cues:
    return _Cues(
        _Side(cues, "before", "around"),
        _Side(cues, "after", "around"),
        _joined(p.pattern for lexicon in cues for p in lexicon.object),
        _joined(p.pattern for lexicon in cues for p in lexicon.qualify),
        _joined(p.pattern for lexicon in cues for p in lexicon.block),
        _joined(p.pattern for lexicon in cues for p in lexicon.settled),
    )


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
        self._cues = _compile(tuple(cues))
        self._spans = sorted({(m.start, m.end) for m in mentions})
        self._born = _reference(mentions, anchor, page_date)
        self._late = bool(self._born and page_date and (page_date - self._born).days > 4 * LATE)
        self._said = _SAID_NORTH if any(lexicon.language in ("da", "no") for lexicon in cues) else _SAID
        self._told: dict[int, DateKind] = {}
        self._alone: dict[int, DateKind | None] = {}  # by identity of the mention, told by its words alone
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
        return next((m.day for m in self._mentions if is_dateline(self._text, m)), None)

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
        dateline = is_dateline(text, mention)
        said = None if _CLEFT.search(before) else self._said.match(after)
        scores = _scores(before, "" if dateline else after[: said.end()] if said else after, mention, spans, cues)
        if (dateline and not (before.rstrip().endswith(":") and max(scores.values(), default=0.0) >= 0.6)) or self._is_heading(mention):
            _raise(scores, DateKind.ANNOUNCEMENT, 1.3)
        if said:
            _raise(scores, DateKind.ANNOUNCEMENT, 0.45)  # whatever the verb: something was said on that day
        if _THAT.match(after):
            for kind in (DateKind.ANNOUNCEMENT, DateKind.LETTER):
                scores[kind] = scores.get(kind, 0.0) * 1.5  # "said on 3 May that ...": what follows is not about this date
        if DateKind.ANNOUNCEMENT in scores and "relative" not in mention.flags and mention.day and self._own and mention.day < self._own:
            scores[DateKind.ANNOUNCEMENT] *= 0.5  # "announces", in a notice, is of the day of the notice
        if anchor and mention.day and mention.day < anchor == born and DateKind.EFFECTIVE in scores:
            scores[DateKind.EFFECTIVE] *= 0.3 if "relative" in mention.flags else 0.6
        _add_age(scores, mention, born)
        if _is_stamped(before, mention, spans):
            _raise(scores, DateKind.PAGE, 2.0)
        if told and (mention.rule.endswith("chain") or mention.rule == "later"):
            _add_sequel(scores, mention, *told)
        if not before.strip() and len(after.strip()) < 3 and "relative" not in mention.flags and mention.day:
            _raise(scores, DateKind.ANNOUNCEMENT, 0.6)  # a sentence that is only a date: that of the notice
        if anchor and mention.value and mention.value > anchor.isoformat()[: len(mention.value)]:
            for kind in _NOT_AHEAD:
                scores.pop(kind, None)
        if {"range_start", "range_end"} & set(mention.flags) and mention.precision is Precision.DAY:
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


def _unsaid(sentence: str, day: dt.date, cues: _Cues, anchor: dt.date) -> DateKind:
    """Kind of a date that no cue speaks of: in a text about a delisting, a day ahead is its effect, a recent day its news."""
    if not (_found(cues.object, sentence) or _found(cues.qualify, sentence)):
        return DateKind.OTHER
    if _found(cues.block, sentence):
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
    stamp = PAGE_STAMP.search(before, max(0, len(before) - 44))
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
    if mention.day is None or {"relative", "no_year", "range_start", "range_end"} & set(mention.flags):
        return False
    return is_dateline_position(text, mention.start, mention.end) and not column_head(text, mention)


def _scores(before: str, after: str, mention: DateMention, spans: Sequence[tuple[int, int]], cues: _Cues) -> dict[DateKind, float]:
    ranged = "range_start" in mention.flags or "range_end" in mention.flags
    scale = 2.5 if _DENSE.search(before[-30:] + after[:30]) else 1.0
    spans = near(spans, mention.start - WINDOW, mention.end + WINDOW)
    left = [mention.start - end for start, end in spans if end <= mention.start and mention.start - end <= len(before)]
    right = [start - mention.end for start, end in spans if start >= mention.end and start - mention.end <= len(after)]
    scores: dict[DateKind, float] = {}
    for kind, weight, within, found in cues.before.possible(before):
        for m in reversed([*found(max(0, len(before) - within - REACH), len(before))]):  # the nearest first
            gap = len(before) - m.end()
            if gap > within:
                continue
            gap = max(gap, (len(before) - m.start() - LONG) // 2)
            if weight * _nearness("", gap, 0, scale) <= scores.get(kind, 0.0):
                continue  # what lies between takes more off, and a nearer cue said as much
            owner = min((abs(len(before) - m.start() - d) for d in left if d > gap), default=gap)
            score = weight * _share(gap, owner) * _nearness(before[m.start() :], gap, sum(d < len(before) - m.start() for d in left), scale)
            other = min((d for d in left if d >= len(before) - m.start()), default=0)
            if kind is DateKind.ANNOUNCEMENT and _TOLD.search(before, m.end()):
                score *= 0.5  # "said that on 3 May it had": what was done, not said, on that day
            if other and scale == 1:
                score *= _rivalled(before[m.end() :], before[len(before) - other : m.start()], 1.0, 0.7)
            _raise(scores, kind, score)
    for kind, weight, within, found in cues.after.possible(after):
        for m in found(0, len(after)):
            gap = m.start()
            if gap > within:
                break
            owner = gap if scale > 1 else min((abs(d - m.end()) for d in right if d >= m.end()), default=gap)
            gap = max(gap, (m.end() - LONG) // 2)
            if weight * _nearness("", gap, 0, scale) <= scores.get(kind, 0.0):
                continue
            score = weight * _share(gap, owner) * _nearness(after[: m.end()], gap, sum(d < m.end() for d in right), scale)
            other = min((d for d in right if d >= m.end()), default=0)
            if other and scale == 1:
                score *= _rivalled(after[: m.start()], after[m.end() : other], 0.85, 0.6)
            _raise(scores, kind, score)
    if ranged:
        scores[DateKind.EFFECTIVE] = scores.get(DateKind.EFFECTIVE, 0.0) / 2
    return scores


def _share(gap: int, other: int) -> float:
    """A cue that touches another date much more closely counts half for this one."""
    return 0.55 if other <= 5 and other < gap else 1.0


def _rivalled(own: str, other: str, least: float, left: float) -> float:
    """`left` of a cue's weight stays when another date draws it at least so many times as much; the texts lie between cue and dates."""
    return left if _pull(other) > least * _pull(own) else 1.0


def _pull(between: str) -> float:
    return _nearness(between, len(between), len(_COORDINATED.findall(between)), 1.0) if between else 1.0


def _raise(scores: dict[DateKind, float], kind: DateKind, score: float) -> None:
    if score > scores.get(kind, 0.0):
        scores[kind] = score


def _nearness(between: str, gap: int, dates: int, scale: float) -> float:
    commas, stops = len(_COMMA.findall(between)), len(_STOP.findall(between))
    return float(0.7**commas * 0.35**stops * 0.4**dates / (1 + gap * scale / NEAR))


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
    compiled = _compile(tuple(cues))
    parts = sentences(text, mentions)
    decided = any(_found(compiled.qualify, s) and (_found(compiled.settled, s) or not _found(compiled.block, s)) for s in parts)
    if not decided and any(_found(compiled.block, s) for s in parts):
        return None
    named = decided or any(_found(compiled.object, s) or _found(compiled.qualify, s) for s in parts)
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
    text: str, mentions: Sequence[DateMention], kinds: Sequence[DateKind], cues: _Cues, anchor: dt.date | None
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


def _goes_on_to_tell(after: str, mention: DateMention, spans: Sequence[tuple[int, int]], cues: _Cues) -> bool:
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


def _about(text: str, days: Sequence[DateMention], mentions: Sequence[DateMention], cues: _Cues) -> Sequence[DateMention]:
    """Those of the days whose sentence speaks of the delisting; all when none does."""
    if len(days) < 2:
        return days
    spans = sorted({(m.start, m.end) for m in mentions})
    named = [m for m in days if any(_found(p, " # ".join(surroundings(text, m, spans))) for p in (cues.object, cues.qualify))]
    return named or days


def _found(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.search(text) is not None

"""The evidence pack: passages of archived pages with stable ids, chosen by what decides the case, within a budget of tokens."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from s2r.adjudicate.llm.dating import Dating, date_document
from s2r.adjudicate.llm.neutral import neutralise
from s2r.adjudicate.llm.passages import Pack, Passage
from s2r.adjudicate.rules.candidates import Judged
from s2r.adjudicate.verdict import names_listing
from s2r.lang.text import fold
from s2r.models import BlockKind, DateClass, Listing, PackNote, PassageRef, Stage
from s2r.policy import Policy
from s2r.policy.asking import PackRule

HEAD, SHORT = 0.4, 0.7  # shares of a passage: of the head (title, date line), of the one of a document without a qualifying step
MIN_CHARS = 120
LONGEST_TITLE, REPEATED_WITHIN, SAME_WORDS = 300, 1_500, 0.6  # letters of a title and of the text that repeats it; share of its words
MARKS = 37  # tokens, about, that the marks around a passage take
_CANDIDATE, _THIS, _AMBIGUOUS, _OTHER, _NAMED = 10.0, 6.0, 3.0, 1.0, 2.0


@dataclass(frozen=True, slots=True)
class _Window:
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class _Choice:
    judged: Judged
    dating: Dating
    windows: tuple[_Window, ...]  # best first

    @property
    def rank(self) -> tuple[float, str, str]:
        page = self.judged.doc.page
        return -self.windows[0].score, self.dating.day.isoformat() if self.dating.day else "9999", page.url


def build_pack(listing: Listing, judged: Sequence[Judged], policy: Policy, rule: PackRule, patterns: Sequence[str]) -> Pack:
    """Passages of the documents that rules have read for a listing; the same documents in any order give the same pack.

    Best passages of all documents come before second ones of any. What is dated after the cutoff, changed after it, or of unknown time
    is shown only where the rule says so; what is left out is counted by documents.
    """
    withheld: Counter[str] = Counter()
    choices = [choice for one in judged if (choice := _choose(one, listing, policy, rule, withheld))]
    taken, neutralised, left = _fill(sorted(choices, key=lambda choice: choice.rank), rule, patterns)
    withheld.update(left)
    order = {kind: n for n, kind in enumerate(policy.definition.source_rank)}
    taken.sort(key=lambda p: (p.ref.published or "9999", order.get(p.ref.source_kind, 99), p.ref.url, p.ref.exhibit, p.ref.start))
    numbers: dict[str, int] = {}
    passages = tuple(p.model_copy(update={"document": numbers.setdefault(p.ref.exhibit, len(numbers) + 1)}) for p in taken)
    return packed(passages, withheld, neutralised)


def packed(passages: tuple[Passage, ...], withheld: Mapping[str, int], neutralised: Mapping[str, int]) -> Pack:
    """Passages in the order in which they are shown, as a pack: its digest is that of what a model sees."""
    content = json.dumps([p.model_dump(mode="json") for p in passages], ensure_ascii=False, sort_keys=True).encode("utf-8", "replace")
    digest = hashlib.sha256(content).hexdigest()
    note = PackNote(
        digest=digest,
        tokens=sum(estimate(p.text) + MARKS for p in passages),
        documents=len({p.ref.exhibit for p in passages}),
        passages=tuple(p.ref for p in passages),
        withheld=dict(sorted(withheld.items())),
        neutralised=dict(sorted(neutralised.items())),
    )
    return Pack(passages=passages, note=note, fence=hashlib.sha256(f"fence {digest}".encode()).hexdigest()[:16])


def estimate(text: str) -> int:
    """Tokens of a text, about: four letters of ASCII, or one other character, each. Bounds of cost never use it."""
    ascii_ = len(text.encode("ascii", "ignore"))
    return -(-ascii_ // 4) + len(text) - ascii_


def _choose(judged: Judged, listing: Listing, policy: Policy, rule: PackRule, withheld: Counter[str]) -> _Choice | None:
    """The windows of one document, None when it is left out; why is counted unless it says nothing of the listing."""
    windows = tuple(sorted(_windows(judged, listing, rule), key=lambda w: (-w.score, w.start)))
    if not windows:
        return None
    venue = policy.venues.get(listing.mic)
    dating = date_document(judged, listing.cutoff, venue.timezone if venue else "")
    shown = {
        DateClass.DATED: "mark",
        DateClass.AFTER_CUTOFF: rule.after_cutoff,
        DateClass.EDITED_LATER: rule.edited_later,
        DateClass.UNDATED: "mark" if dating.why.startswith("captured") else rule.undated,
    }
    if shown[dating.klass] == "withhold":
        withheld[dating.klass.value] += 1
        return None
    return _Choice(judged, dating, windows)


def _windows(judged: Judged, listing: Listing, rule: PackRule) -> Iterator[_Window]:
    """Stretches of main text worth showing: around each step that the rules read, the head, and the line of the publication day.

    A document without a qualifying step has one shorter passage: around what comes nearest to one, else its head.
    """
    page, size = judged.doc.page, _size(judged.doc.page.text, rule.passage_chars)
    steps: list[tuple[float, int, int]] = []
    candidates = {id(c.unit) for c in judged.candidates}
    for unit, reading, subject, _ in judged.findings:
        if reading.stage is not Stage.NONE:
            score = _CANDIDATE if id(unit) in candidates else {"this": _THIS, "ambiguous": _AMBIGUOUS}.get(subject.target, _OTHER)
            steps.append((score, unit.start, unit.end))
    if not steps and not names_listing(listing, page):
        return
    runs = list(_runs(judged))
    if len(runs) > 1 and _says_again(page.text[slice(*runs[0])], page.text[runs[1][0] : runs[1][1]][:REPEATED_WITHIN]):
        del runs[0]
    best, start, end = max(steps, key=lambda step: (step[0], -step[1]), default=(_NAMED, 0, 0))
    if best < _CANDIDATE:
        if steps:
            yield _around(judged, start, end, best, int(size * SHORT))
        elif runs:
            yield _Window(runs[0][0], _cut(page.text, runs[0][0], runs[0][0] + int(size * SHORT), runs[0][1]), best)
        return
    scored = [_around(judged, start, end, score, size) for score, start, end in steps]
    if runs:
        start, end = runs[0]
        scored.append(_Window(start, _cut(page.text, start, min(end, start + int(size * HEAD)), end), best - 0.5))
    published = judged.published
    if published is not None and published.start >= 0:
        scored.append(_around(judged, published.start, published.end, best - 0.5, int(size * HEAD)))
    for low, high in runs:
        yield from _merged([w for w in scored if low <= w.start < w.end <= high], size)


def _size(text: str, wanted: int) -> int:
    """Characters of a passage: fewer where each of them is about a word, so that passages of all scripts cost alike."""
    return max(MIN_CHARS, min(wanted, wanted * len(text) // max(1, 4 * estimate(text))))


def _says_again(title: str, text: str) -> bool:
    """Whether most words of a title stand in the text below it: then it is not worth a passage of its own."""
    words, said = set(fold(title).text.split()), set(fold(text).text.split())
    return len(title) <= LONGEST_TITLE and len(words & said) >= SAME_WORDS * len(words)


def _runs(judged: Judged) -> Iterator[tuple[int, int]]:
    """Stretches of main text in one piece, header lines of filings and notices among it; menus and hidden parts end one."""
    start = end = -1
    for block in judged.doc.page.blocks:
        if block.main or block.kind is BlockKind.HEADER:
            start, end = (start if start >= 0 else block.start), block.end
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _around(judged: Judged, start: int, end: int, score: float, size: int) -> _Window:
    """A window of about `size` characters around [start:end), within its stretch of main text and ending between blocks or sentences."""
    low, high = next(((s, e) for s, e in _runs(judged) if s <= start < e), (start, end))
    text = judged.doc.page.text
    spare = max(0, size - (end - start))
    first = max(low, start - spare // 3)
    last = min(high, end + spare - (start - first))
    if first > low:
        breaks = [text.rfind(mark, first, start) + len(mark) for mark in ("\n", ". ", "。") if text.rfind(mark, first, start) >= 0]
        first = min(breaks, default=start)
    return _Window(first, _cut(text, end, last, high), score)


def _cut(text: str, least: int, wanted: int, most: int) -> int:
    """An end near `wanted` that cuts no sentence: after the last break between `least` and it, else at it."""
    if wanted >= most:
        return most
    breaks = [at + len(mark.rstrip()) for mark in ("\n", ". ", "。") if (at := text.rfind(mark, least, wanted)) >= 0]
    if breaks:
        return max(breaks)
    space = text.rfind(" ", least, wanted)
    return space if space > least else max(least, wanted)


def _merged(windows: list[_Window], size: int) -> Iterator[_Window]:
    """Windows of one stretch that overlap, or with less between them than marks would cost, as one; their score is the best."""
    merged: list[_Window] = []
    between = min(4 * MARKS, size // 2)
    for window in sorted(windows, key=lambda w: (w.start, w.end)):
        last = merged[-1] if merged else None
        if last and (window.start < last.end or (window.start - last.end < between and window.end - last.start <= 2 * size)):
            merged[-1] = _Window(last.start, max(last.end, window.end), max(last.score, window.score))
        else:
            merged.append(window)
    return iter(merged)


def _fill(choices: Sequence[_Choice], rule: PackRule, patterns: Sequence[str]) -> tuple[list[Passage], Counter[str], Counter[str]]:
    """Passages within the budget, round by round over the documents; what was taken out of them; and what found no room."""
    taken: list[Passage] = []
    neutralised: Counter[str] = Counter()
    left: Counter[str] = Counter()
    seen: set[str] = set()
    spent = 0
    for depth in range(rule.per_document):
        for choice in choices:
            if depth >= len(choice.windows):
                continue
            passage, counts = _passage(choice, choice.windows[depth], patterns)
            same = hashlib.sha256(fold(passage.text).text.encode("utf-8", "replace")).hexdigest()
            if not passage.text or same in seen:
                left["repeated"] += depth == 0
                continue
            cost = estimate(passage.text) + MARKS
            if spent + cost > rule.tokens:
                left["over_budget"] += depth == 0
                continue
            seen.add(same)
            spent += cost
            taken.append(passage)
            neutralised += counts
    return taken, neutralised, +left


def _passage(choice: _Choice, window: _Window, patterns: Sequence[str]) -> tuple[Passage, Counter[str]]:
    doc, dating = choice.judged.doc, choice.dating
    shown = neutralise(doc.page.text[window.start : window.end], patterns)
    name = hashlib.sha256(f"{doc.page.digest} {window.start} {window.end}".encode()).hexdigest()[:8]
    ref = PassageRef(
        id=f"p{name}",
        exhibit=doc.page.digest,
        url=doc.page.url,
        start=window.start,
        end=window.end,
        source_kind=doc.source_kind,
        published=_iso(dating.day),
        origin=dating.origin,
        date_class=dating.klass,
    )
    return Passage(ref=ref, text=shown.text), shown.counts


def _iso(day: dt.date | None) -> str:
    return day.isoformat() if day else ""

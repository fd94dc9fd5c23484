"""The sentences that dates stand in, folded; a full stop inside a date or an abbreviation ends none."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Sequence

from s2r.lang.text import fold_text
from s2r.models.evidence import DateMention

WINDOW = 220  # characters of text before and after a date that can say what it is
ROW = 400  # characters of a row of a table
TABLE = 4000  # characters above a row in which its heads are looked for
BESIDE = 12  # characters that a cell may hold besides its date
_PARTICLE = re.compile(r"까지$| ?(?:mennessä|saakka|asti)$")  # part of the date, and says what it is
_SENTENCE = re.compile(
    r"[。！？!?\n\u3000.](?:(?<!\.)|(?=\s)(?:(?<![\s.(][^\W\d]\.)"
    r"(?<!\b(?:inc|nos|art|abs|plc|ltd|okl|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec|avr|jui|del|par|pct|str)\.)(?<!\d\.)"
    r"(?<!\b(?:co|no|nr|st|rs|kl|fr|jl|ds|bl)\.)|(?<=(?:19|20)\d\d\.)|(?<=\d\.)(?=\s+[^\W\d_a-z])))"
)


def surroundings(text: str, mention: DateMention, spans: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """Folded text of the mention's sentence before and after it; a full stop inside another date ends no sentence.

    In a row of a table with a row of heads above, the head of the column is all that speaks of a date that fills its cell."""
    head = column_head(text, mention)
    if head:
        return fold_text(f"{head}: "), ""
    low, high = max(0, mention.start - WINDOW), min(len(text), mention.end + WINDOW)

    for m in reversed([*_SENTENCE.finditer(text, low, min(len(text), mention.start + 1))]):
        if m.end() <= mention.start and not _goes_on(text, m) and not _inside(spans, m.start(), mention):
            low = m.end()
            break
    for m in _SENTENCE.finditer(text, mention.end, high):
        if not _goes_on(text, m) and not _inside(spans, m.start(), mention):
            high = m.start()
            break
    particle = _PARTICLE.search(mention.raw)
    return fold_text(text[low : mention.start]), fold_text((particle[0] if particle else "") + text[mention.end : high])


def column_head(text: str, mention: DateMention) -> str:
    """Head of the column whose cell the mention fills, in a table of "|" or tabs; "" when it stands in none."""
    start = text.rfind("\n", 0, mention.start) + 1
    if text.find("|", start, mention.end + ROW) < 0 and text.find("\t", start, mention.end + ROW) < 0:
        return ""
    mark = "|" if "|" in text[start : mention.start + ROW] else "\t"
    cells = text[start : mention.start].split(mark)
    rest = text[mention.end : mention.end + ROW].split("\n", maxsplit=1)[0].split(mark)
    size, at = len(cells) + len(rest) - 1, len(cells) - 1
    if size < 2 or len(cells[-1]) + len(rest[0]) > BESIDE:
        return ""
    for line in reversed(text[max(0, start - TABLE) : max(0, start - 1)].split("\n")):
        heads = line.split(mark)
        if len(heads) == size and not any(cell.strip()[:1].isdigit() for cell in heads):
            return heads[at].strip()
    return ""


def _inside(spans: Sequence[tuple[int, int]], at: int, mention: DateMention) -> bool:
    """Whether the character at `at` belongs to a date other than the mention."""
    n = bisect_left(spans, (at + 1, 0))
    return any(a <= at < b and (a, b) != (mention.start, mention.end) for a, b in spans[max(0, n - 2) : n])


def _goes_on(text: str, m: re.Match[str]) -> bool:
    """Whether a full stop ends an abbreviation: a small letter follows."""
    return m[0] == "." and text[m.end() : m.end() + 4].lstrip()[:1].islower()


def near(spans: Sequence[tuple[int, int]], low: int, high: int) -> Sequence[tuple[int, int]]:
    """The spans that touch [low:high), from a sorted list of spans."""
    return spans[max(0, bisect_left(spans, (low, 0)) - 1) : bisect_left(spans, (high, 0))]


def masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with its dates blanked out, so that "May 2019" is not taken for the verb."""
    out, at = [], 0
    for start, end in sorted(set(spans)):
        if start >= at:
            out += [text[at:start], "#" * (end - start)]
            at = end
    return "".join((*out, text[at:]))


def sentences(text: str, mentions: Sequence[DateMention]) -> list[str]:
    """Folded sentences; a full stop inside a date ends none."""
    text = masked(text, [(m.start, m.end) for m in mentions])
    edges = [0, *(m.end() for m in _SENTENCE.finditer(text) if not _goes_on(text, m)), len(text)]
    return [s for a, b in itertools.pairwise(edges) if (s := fold_text(text[a:b]).strip())]

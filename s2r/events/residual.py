"""What the schema does not hold is looked for in the exhibits of the rows that were selected, and marked as residual.

Passages are ranked by the words they share with the question, rare ones first (BM25 over the sentences of the exhibits).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from s2r.archive import Archive
from s2r.events.records import read_page
from s2r.lang.sentences import split_sentences
from s2r.lang.text import fold
from s2r.models.listing import Frozen

PASSAGES = 3  # per row
_K, _B = 1.2, 0.75
_STOP = frozenset(
    "a an the of in on at to for and or by with from is was were are be been did do does what which who whom whose how when where why "  # noqa: SIM905
    "much many it its their they them this that these those there as any all each".split()
)


class Passage(Frozen):
    """A passage of an exhibit; offsets count in the text of its page, or are -1 for a quote that was kept with the tuple."""

    exhibit: str
    url: str
    quote: str
    start: int
    end: int
    score: float


def residual_rows(rows: Sequence[Mapping[str, object]], question: str, run: Path | None) -> list[dict[str, object]]:
    """`rows` with the passages of their own exhibits that fit `question`, under `residual`; an empty list where none does."""
    places = [_places(row) for row in rows]
    sentences = {place: text for group in places for place, text in group.items()}
    if run is not None:
        sentences |= _pages(run, {place[0] for place in sentences if place[0]})
    ranked = rank(question, sentences)
    written = []
    for row, group in zip(rows, places, strict=True):
        own = {place[:2] for place in group}
        exhibits = {place[0] for place in group if place[0]}
        found = [passage for passage in ranked if (passage.exhibit, passage.url) in own or passage.exhibit in exhibits]
        written.append({**row, "residual": [passage.model_dump() for passage in found[:PASSAGES]]})
    return written


Place = tuple[str, str, int, int]  # exhibit, url, start, end


def _places(row: Mapping[str, object]) -> dict[Place, str]:
    proofs = row.get("provenance")
    found: dict[Place, str] = {}
    for proof in proofs if isinstance(proofs, list) else ():
        place = (str(proof.get("exhibit", "")), str(proof.get("url", "")), int(proof.get("start", -1)), int(proof.get("end", -1)))
        found[place] = str(proof.get("quote", ""))
    return found


def _pages(run: Path, digests: set[str]) -> dict[Place, str]:
    found: dict[Place, str] = {}
    with Archive(run, read_only=True) as archive:
        for digest in sorted(digests):
            exhibit = archive.exhibit(digest)
            page = read_page(archive, exhibit) if exhibit else None
            for start, end in split_sentences(page.text, page.lang) if page else ():
                found[digest, page.url if page else "", start, end] = page.text[start:end] if page else ""
    return found


def rank(question: str, sentences: Mapping[Place, str]) -> list[Passage]:
    """Sentences that share a word with the question, best first."""
    wanted = set(_words(question))
    texts = {place: Counter(_words(text)) for place, text in sentences.items()}
    n, mean = len(texts), sum(map(len, texts.values())) / max(1, len(texts)) or 1.0
    holding = Counter(word for words in texts.values() for word in wanted & words.keys())
    scored: list[Passage] = []
    for place, words in texts.items():
        score = sum(
            math.log(1 + (n - holding[word] + 0.5) / (holding[word] + 0.5))
            * words[word] * (_K + 1) / (words[word] + _K * (1 - _B + _B * len(words) / mean))
            for word in sorted(wanted & words.keys())
        )  # fmt: skip
        if score > 0:
            scored.append(
                Passage(exhibit=place[0], url=place[1], quote=sentences[place].strip(), start=place[2], end=place[3], score=round(score, 4))
            )
    return sorted(scored, key=lambda passage: (-passage.score, passage.exhibit, passage.start, passage.quote))


def _words(text: str) -> Iterable[str]:
    for word in re.findall(r"[\w$%]+", fold(text).text):
        if word not in _STOP:
            yield word[:-1] if len(word) > 3 and word.endswith("s") else word

"""Page text as a model is shown it: nothing invisible, no sentence that speaks to a model, no mark that could be taken for ours."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from s2r.lang.text import fold

REMOVED = "[removed: text that speaks to a model]"
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u180e\u034f")  # drawn as nothing, though they are letters, signs or marks
_UNSEEN = re.compile(f"[{''.join(_FILLERS)}\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # printable, by Python, and drawn as nothing
_INVISIBLE = frozenset(("Cf", "Cc", "Co", "Cs", "Cn"))
_SENTENCE = re.compile(r"[^\n.!?。！？]*(?:[.!?。！？]+(?=[\s\"'”’)\]]|$)[\"'”’)\]]*|[。！？]|[.!?](?!\s)|\n|$)")
_ALIKE = str.maketrans("асеорхуіјѕԁһкмтвнгαορνικτυх", "aceopxyijsdhkmtbhraopviktux")  # Cyrillic and Greek, folded
_MIXED = re.compile(r"\w*(?:[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z])\w*")  # a word in two scripts
_TAG = re.compile(r"<(?=\s*/?\s*[A-Za-z|!?])")


class Neutral(NamedTuple):
    """Text to show, and what was taken out of it: invisible, instructions, marks."""

    text: str
    counts: Counter[str]


def neutralise(text: str, patterns: Sequence[str]) -> Neutral:
    """`text` without what is only meant for a machine. Sentences are kept or removed whole, so that what stays is what is archived."""
    counts: Counter[str] = Counter()
    visible = _visible(text, counts)
    spoken = _spoken(visible, tuple(patterns))
    kept, removed, at = [], False, 0
    for sentence in _sentences(visible):
        end = at + len(sentence)
        if any(start < end and at < stop for start, stop in spoken):
            counts["instructions"] += 1
            if not removed:
                kept.append(REMOVED + ("\n" if sentence.endswith("\n") else " "))
            removed = True
        else:
            removed = removed and not sentence.strip()
            kept.append(sentence)
        at = end
    found, marks = _TAG.subn("‹", "".join(kept))
    if marks:
        counts["marks"] += marks
    return Neutral(found.strip(), counts)


def _visible(text: str, counts: Counter[str]) -> str:
    """`text` without what is drawn as nothing; most texts hold no such sign, which is seen at once."""
    if text.replace("\n", "").isprintable() and _UNSEEN.search(text) is None:
        return text
    shown = []
    for char in text:
        if char == "\n" or not _is_invisible(char):
            shown.append(char)
        elif char.isspace():
            shown.append(" ")
        else:
            counts["invisible"] += 1
    return "".join(shown)


def _is_invisible(char: str) -> bool:
    if char in _FILLERS or unicodedata.category(char) in _INVISIBLE:
        return True
    code = ord(char)
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF  # variation selectors


def _sentences(text: str) -> list[str]:
    """Pieces that together are the text; a line is never joined with the next."""
    found = []
    at = 0
    while at < len(text):
        match = _SENTENCE.match(text, at)
        end = match.end() if match and match.end() > at else at + 1
        space = end
        while space < len(text) and text[space] in " \t" and end > at:
            space += 1
        found.append(text[at:space])
        at = space
    return found


def _spoken(text: str, patterns: tuple[str, ...]) -> list[tuple[int, int]]:
    """Spans of `text` that speak to a model; neither line breaks nor letters of other scripts that look alike hide anything."""
    folded = fold(text)
    plain = _MIXED.sub(lambda word: word.group().translate(_ALIKE), folded.text)
    return [folded.span(*match.span()) for pattern in _compiled(patterns) for match in pattern.finditer(plain)]


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in patterns)

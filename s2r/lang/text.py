"""Folding of text for matching, with an offset map back to the original.

Folding is what a quote or a lexicon phrase may differ in without being another text: Unicode compatibility form (NFKC),
letter case, white space (runs become one space), soft hyphens and zero-width characters (dropped), typographic quotes and
dashes (become ' " -). Accents, digits, words and their order are never changed.
"""

from __future__ import annotations

import unicodedata
from array import array
from dataclasses import dataclass

_DASHES = "‐‑‒–—―−﹘﹣－⸺⸻"
_SINGLE = "‘’‚‛′ʼ＇`´"
_DOUBLE = "“”„‟″«»＂〝〞"
_DROP = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_MAP: dict[str, str] = {c: "-" for c in _DASHES} | {c: "'" for c in _SINGLE} | {c: '"' for c in _DOUBLE} | {c: "" for c in _DROP}


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text; `starts[i]` and `ends[i]` bound the original characters that became character i."""

    text: str
    starts: array[int]
    ends: array[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Original offsets of the folded slice [start:end); an empty slice gives an empty span."""
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return at, at
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Fold `text`; never raises, any string is accepted."""
    out: list[str] = []
    starts: array[int] = array("l")
    ends: array[int] = array("l")
    i, n = 0, len(text)
    while i < n:
        j = i + 1
        char = text[i]
        if char < "\x80":
            piece = char.lower() if not char.isspace() else " "
        else:
            while j < n and unicodedata.combining(text[j]):
                j += 1
            cluster = text[i:j]
            piece = _MAP.get(char) if j == i + 1 else None
            if piece is None:
                piece = "".join(_MAP.get(c, c) for c in unicodedata.normalize("NFKC", cluster).lower())
                if piece.isspace() or (piece and piece.strip() == ""):
                    piece = " "
        if j < n and char < "\x80" and unicodedata.combining(text[j]):  # ASCII base with combining marks
            while j < n and unicodedata.combining(text[j]):
                j += 1
            piece = unicodedata.normalize("NFKC", text[i:j]).lower()
        if piece == " " and out and out[-1] == " ":
            ends[-1] = j
        else:
            for c in piece:
                out.append(c)
                starts.append(i)
                ends.append(j)
        i = j
    return Folded("".join(out), starts, ends)

"""Folding of text for matching, with an offset map back to the original.

Folding is what a quote or a lexicon phrase may differ in without being another text: Unicode compatibility form (NFKC),
letter case, white space (runs become one space), soft hyphens and zero-width characters (dropped), typographic quotes and
dashes (become ' " -). Accents, digits, words and their order are never changed.

Characters that only together make one (base and accent, Hangul jamo, kana and voicing mark) fold as one cluster. Long runs of
characters that fold one to one are translated at once: 1 MB takes well under half a second.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable
from typing import NamedTuple

_DASHES = "‐‑‒–—―−﹘﹣－⸺⸻"
_SINGLE = "‘’‚‛′ʼ＇`´"
_DOUBLE = "“”„‟″«»＂〝〞"
_DROP = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_MAP: dict[str, str] = dict.fromkeys(_DASHES, "-") | dict.fromkeys(_SINGLE, "'") | dict.fromkeys(_DOUBLE, '"') | dict.fromkeys(_DROP, "")
_MAP["ς"] = "σ"  # final sigma is a letter-case form
_MOST_OFFSETS = 200_000  # numbers that are kept ready
_MARKS_MAX = 32  # marks on one base; more is noise made to be slow (canonical ordering is quadratic)
# characters of combining class 0 that still compose with the one before, or fold to a mark
_COMPOSING = frozenset(
    [
        chr(c)
        for first, last in ((0x1161, 0x1176), (0x11A8, 0x11C3), (0x314F, 0x3164), (0xFFC2, 0xFFDD), (0x313A, 0x3140), (0xFFAA, 0xFFB0))
        for c in range(first, last)
    ]
    + [chr(c) for c in (0x09BE, 0x09D7, 0x0B3E, 0x0B56, 0x0B57, 0x0BBE, 0x0BD7, 0x0CC2, 0x0CD5, 0x0CD6, 0x0D3E, 0x0D57, 0x0DCF, 0x0DDF)]
    + [
        chr(c)
        for c in (0x0F73, 0x0F75, 0x0F81, 0x102E, 0x1B35, 0xFF9E, 0xFF9F, 0x1133E, 0x11357, 0x114B0, 0x114BA, 0x114BD, 0x115AF, 0x11930)
    ]
    + [
        chr(c)
        for c in (
            0x3133,
            0x3135,
            0x3136,
            0xFFA3,
            0xFFA5,
            0xFFA6,
            0x3186,
            0x3187,
            0x3188,
            0x3189,
            0x318A,
            0x318B,
            0x318C,
            0x318D,
            0x318E,
            0x11127,
            0x1193B,
        )
    ]
)


class Folded(NamedTuple):
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
    offsets = _offsets(len(text) + 1)
    at, n, space = 0, len(text), False
    while at < n:
        run = _RUN.match(text, at)
        if run is not None:
            end = run.end() - 1 if run.end() < n and _extends(text[run.end()]) else run.end()
            if end > at:
                plain = _one_to_one(text[at:end])
                if space and plain[0] == " ":
                    plain = plain.lstrip(" ")
                    ends[-1] = at = end - len(plain)
                done = 0
                for gap in _GAP.finditer(plain) if "  " in plain else ():
                    starts += offsets[at + done : at + gap.start() + 1]
                    ends += offsets[at + done + 1 : at + gap.start() + 1]
                    done = gap.end()
                    ends.append(at + done)
                starts += offsets[at + done : end]
                ends += offsets[at + done + 1 : end + 1]
                if plain:
                    out.append(_GAP.sub(" ", plain) if done else plain)
                    space = plain[-1] == " "
                at = end
                continue
        end = _cluster_end(text, at, n)
        for char in _PIECES[text[at]] if end == at + 1 else _piece(text[at:end]):
            if char == " " and space:
                ends[-1] = end
            else:
                out.append(char)
                starts.append(at)
                ends.append(end)
            space = char == " "
        at = end
    return Folded("".join(out), starts, ends)


def fold_text(text: str) -> str:
    """`fold(text).text`, where nothing has to lead back to the original."""
    if text.isascii() or _RUN.fullmatch(text):
        plain = _one_to_one(text)
        return _GAP.sub(" ", plain) if "  " in plain else plain
    return fold(text).text


def _one_to_one(text: str) -> str:
    """What ASCII characters, or those of a run, become: one character each."""
    plain = text.lower()
    if text.isascii():
        return plain.translate(_ASCII)
    at, n = 0, len(plain)
    while (at := _SMALL.match(plain, at).end()) < n:  # type: ignore[union-attr]  # it matches nothing, too
        plain = plain.replace(plain[at], _PIECES[plain[at]])
    return plain


_OFFSETS = array("l", range(1))


def _offsets(count: int) -> array[int]:
    """At least the numbers below `count`; kept for the next text unless this one is very long."""
    global _OFFSETS  # noqa: PLW0603 - an array that is never changed, only replaced by a longer one
    found = _OFFSETS
    if len(found) < count:
        found = array("l", range(max(count, min(2 * count, _MOST_OFFSETS))))
        if count <= _MOST_OFFSETS:
            _OFFSETS = found
    return found


def find_folded(needle: str, haystack: Folded) -> list[tuple[int, int]]:
    """Original spans of every place where `needle` stands in `haystack` after folding, in order, not overlapping."""
    wanted = fold_text(needle).strip()
    found: list[tuple[int, int]] = []
    at = haystack.text.find(wanted) if wanted else -1
    while at >= 0:
        found.append(haystack.span(at, at + len(wanted)))
        at = haystack.text.find(wanted, at + len(wanted))
    return found


def _extends(char: str) -> bool:
    return char > "\x7f" and (unicodedata.combining(char) != 0 or char in _COMPOSING)


def _cluster_end(text: str, at: int, n: int) -> int:
    end, limit = at + 1, min(n, at + 1 + _MARKS_MAX)
    while end < limit and _extends(text[end]):
        end += 1
    return end


def _piece(cluster: str) -> str:
    """What one cluster becomes; white space of any kind becomes a space."""
    folded = unicodedata.normalize("NFKC", "".join(_MAP.get(char, char) for char in cluster)).lower()
    return "".join(" " if char.isspace() else _MAP.get(char, char) for char in folded)


class _Pieces(dict[str, str]):
    """Folds of single characters, worked out on first use."""

    def __missing__(self, char: str) -> str:
        self[char] = value = _piece(char)
        return value


def _single(ranges: Iterable[tuple[int, int]]) -> str:
    """Those characters in `ranges` that fold to exactly one character other than a space."""
    chars = [chr(code) for first, last in ranges for code in range(first, last + 1)]
    return "".join(c for c in chars if not _extends(c) and len(p := _PIECES[c]) == 1 and p != " " and not _extends(p))


_PIECES = _Pieces()
_GAP = re.compile("  +")
_ASCII = str.maketrans("\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f`", "         '")
_CHECKED = (
    (0xA1, 0x24F),
    (0x370, 0x3FF),
    (0x400, 0x52F),
    (0x5D0, 0x5EA),
    (0x621, 0x64A),
    (0x904, 0x939),
    (0xE01, 0xE2E),
    (0x1E00, 0x1EFF),
    (0x2010, 0x2044),
)
_ASIAN = "\u3001-\u3003\u3005-\u3029\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7a3"
_SINGLE_ONES = _single((*_CHECKED, (0xFF01, 0xFF60)))
_WHITE = " \t\n\r\x0b\x0c\xa0\u3000"
_RUN = re.compile(f"[!-~{re.escape(_SINGLE_ONES)}{_ASIAN}{_WHITE}]+")  # characters that fold one to one, and white space
_OTHERS = "".join(char for char in (*_WHITE, *_MAP, *_SINGLE_ONES.lower()) if _PIECES[char] != char)
_SMALL = re.compile(f"[^{re.escape(_OTHERS)}]*")  # characters of runs, once they are small letters, that fold to themselves


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun ("1 page", "2 pages")."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"

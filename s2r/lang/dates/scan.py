"""Fold a text for date scanning; offsets always lead back to the original.

The fold lower-cases, turns digits of every script into ASCII digits, and unifies dashes, quotes and spaces. Ordinary text is
folded one character to one, so offsets are unchanged; only text with invisible or combining characters needs an offset map.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from functools import cache
from typing import NamedTuple

_DASHES = "‐‑‒–—―−﹘﹣－"
_QUOTES = "‘’‚‛′ʼ＇`´ʻ"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u2028\u2029"
_DROPPED = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_FEW = 24  # characters beyond ASCII in a text
_ASCII = bytes(range(128))
_NONE: frozenset[str] = frozenset()
# compatibility characters that stand for several: circled-era squares, "1月" and "1日" squares
_SQUARED = re.compile("[\u32c0-\u32cb\u32ff\u337b-\u337e\u33e0-\u33fe]|[" + _DROPPED + "]")


class _Table(dict[int, str]):
    """For `str.translate`, which is slow for what a table does not hold."""

    def __missing__(self, code: int) -> str:
        self[code] = char = chr(code)
        return char


@cache
def _table() -> dict[int, str]:
    table = {cp: chr(cp - 0xFEE0) for cp in range(0xFF01, 0xFF5F)}
    table |= {ord(c): "-" for c in _DASHES} | {ord(c): "'" for c in _QUOTES} | {ord(c): " " for c in _SPACES}
    table |= {ord("İ"): "i", ord("〜"): "~", ord("∼"): "~", ord("⁄"): "/"}
    for cp in range(0x660, 0xABFA):
        if chr(cp).isdecimal() and cp not in table:
            table[cp] = str(unicodedata.decimal(chr(cp)))
    for cp in [cp for cp in table if 0xFF21 <= cp <= 0xFF3A]:
        table[cp] = table[cp].lower()
    return _Table(table)


class Scanned(NamedTuple):
    """`text` is folded; `at` maps its offsets (len + 1 of them) to the original, None when they are the same."""

    text: str
    original: str
    at: array[int] | None

    def origin(self, offset: int) -> int:
        """Original offset of a folded offset."""
        return offset if self.at is None else self.at[offset]

    def is_capital(self, offset: int) -> bool:
        """Whether the original character at a folded offset is upper case."""
        at = self.origin(offset)
        return at < len(self.original) and self.original[at].isupper()


def scan(text: str) -> Scanned:
    """Folded view of `text`; never raises, linear in its length."""
    if text.isascii():
        return Scanned(text.lower(), text, None)
    if unicodedata.is_normalized("NFC", text) and not _SQUARED.search(text):
        return Scanned(fold_word(text), text, None)
    out: list[str] = []
    at: array[int] = array("l")
    i, n = 0, len(text)
    while i < n:
        j = i + 1
        while j < n and unicodedata.combining(text[j]):
            j += 1
        cluster = text[i:j]
        if cluster in _DROPPED:
            piece = ""
        elif _SQUARED.match(cluster):
            piece = fold_word(unicodedata.normalize("NFKC", cluster))
        else:
            piece = fold_word(unicodedata.normalize("NFC", cluster))
        out.append(piece)
        at.extend([i] * len(piece))
        i = j
    at.append(n)
    return Scanned("".join(out), text, at)


def fold_word(word: str) -> str:
    """Fold a name for the tables, or a text: the same length as its NFC form. Few characters beyond ASCII are replaced one by one, which
    is far quicker than a table."""
    table = _table()
    others = foreign(word)
    if len(others) > _FEW:
        return word.translate(table).lower()
    word = word.replace("`", "'")
    for char in others:
        other = table[ord(char)]
        if other != char:
            word = word.replace(char, other)
    return word.lower()


def foreign(text: str) -> frozenset[str]:
    """The characters of a text that are not ASCII."""
    if text.isascii():
        return _NONE
    return frozenset(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))

"""Page text under construction: pieces that remember their source, blocks, and the offset map."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from s2r.models import Block, BlockKind

Piece = tuple[str, int]  # text and the source offset of its first character; text and source run in step

_ODD_SPACE = re.compile("[\x00-\x1f\x7f-\x9f\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_RUN = re.compile(r"[^ ]+(?: [^ ]+)* ?")
_BAD_IN_PRE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_GROUP = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")


@dataclass(slots=True)
class Stretch:
    """The content of one block before it is placed: collapsed pieces and what was counted while reading them.

    `links` and `bold` count characters inside links and bold type, `anchors` counts links; `why` tells why the block is not
    main text ("" = main); `times` are (start, end, datetime attribute) of time elements, relative to the block.
    """

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    pieces: list[Piece] = field(default_factory=list)
    size: int = 0
    links: int = 0
    anchors: int = 0
    bold: int = 0
    why: str = ""
    header: tuple[str, ...] = ()
    times: list[tuple[int, int, str]] = field(default_factory=list)
    spaced: bool = True  # the last character is white space, or there is none yet

    def add(self, text: str, source: int) -> int:
        """Append text with white space collapsed; returns the number of characters added."""
        text = _ODD_SPACE.sub(" ", text)
        before = self.size
        if self.spaced and text[:1] == " ":
            bare = text.lstrip(" ")
            source += len(text) - len(bare)
            text = bare
        if not text:
            return 0
        if "  " in text:
            if text[0] == " ":
                self._push(" ", source)
            for run in _RUN.finditer(text):
                self._push(run.group(), source + run.start())
        else:
            self._push(text, source)
        self.spaced = text[-1] == " "
        return self.size - before

    def add_raw(self, text: str, source: int) -> None:
        """Append text as it stands (preformatted); carriage returns are dropped, control characters become spaces."""
        text = _BAD_IN_PRE.sub(" ", text)
        for match in re.finditer(r"[^\r]+", text):
            self._push(match.group(), source + match.start())

    def newline(self, source: int) -> None:
        """Append a line break unless nothing or a line break is there."""
        self.trim()
        if self.pieces and not self.pieces[-1][0].endswith("\n"):
            self._push("\n", source)
        self.spaced = True

    def _push(self, text: str, source: int) -> None:
        self.pieces.append((text, source))
        self.size += len(text)

    def trim(self) -> None:
        """Drop spaces at the end."""
        while self.pieces and self.pieces[-1][0].endswith(" "):
            text, source = self.pieces.pop()
            bare = text.rstrip(" ")
            self.size -= len(text) - len(bare)
            if bare:
                self.pieces.append((bare, source))

    def close(self) -> None:
        """Drop white space and line breaks at the end."""
        while self.pieces and self.pieces[-1][0][-1].isspace():
            text, source = self.pieces.pop()
            bare = text.rstrip()
            self.size -= len(text) - len(bare)
            if bare:
                self.pieces.append((bare, source))

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(text for text, _ in self.pieces)

    @property
    def last(self) -> str:
        """The last character, "" when empty."""
        return self.pieces[-1][0][-1] if self.pieces else ""


def cut(pieces: list[Piece], start: int, end: int) -> list[Piece]:
    """The pieces of the characters [start:end) of their joined text."""
    kept: list[Piece] = []
    at = 0
    for text, source in pieces:
        lo, hi = max(start - at, 0), min(end - at, len(text))
        if lo < hi:
            kept.append((text[lo:hi], source + lo))
        at += len(text)
        if at >= end:
            break
    return kept


def line_groups(text: str) -> list[tuple[int, int]]:
    """Spans of line groups, separated by blank lines; leading spaces of a group's first line are kept, trailing ones are not."""
    spans: list[tuple[int, int]] = []
    for match in _GROUP.finditer(text):
        spans.append((match.start(), match.start() + len(match.group().rstrip())))
    return spans


@dataclass(slots=True)
class Builder:
    """Collects the text, blocks and source map of a page. Blocks are separated by one line break."""

    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    map: list[tuple[int, int]] = field(default_factory=list)
    size: int = 0
    _delta: int | None = None

    def place(self, stretch: Stretch) -> int:
        """Append one block; returns its offset in the page text, -1 when it has no text."""
        if not stretch.pieces:
            return -1
        if self.size:
            self.parts.append("\n")
            self.size += 1
        start = self.size
        for text, source in stretch.pieces:
            if source - self.size != self._delta:
                self._delta = source - self.size
                self.map.append((self.size, source))
            self.parts.append(text)
            self.size += len(text)
        self.blocks.append(
            Block.model_construct(
                kind=stretch.kind, start=start, end=self.size, main=not stretch.why, header=stretch.header, level=stretch.level
            )
        )
        return start

    @property
    def text(self) -> str:
        """The whole page text."""
        return "".join(self.parts)

    def source_of(self, offset: int) -> int:
        """Source offset of a character of the page text."""
        at = bisect_right(self.map, offset, key=lambda pair: pair[0]) - 1
        return self.map[at][1] + offset - self.map[at][0] if at >= 0 else offset

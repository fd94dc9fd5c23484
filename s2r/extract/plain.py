"""Plain text and Markdown: verbatim text, paragraphs by blank lines, front matter and header lines."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

from s2r.extract.builder import Builder, Stretch
from s2r.models import BlockKind

_FRONT = re.compile(r"\A\s{0,3}---[ \t]*\r?\n(.{0,20000}?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.S)
_FIELD = re.compile(r"^([A-Za-z_][\w .-]{0,40}?)\s*:[ \t]*(.*?)\s*$")
_HASH = re.compile(r"(#{1,6})[ \t]+\S")
_UNDERLINE = re.compile(r"[ \t]*(?:={3,}|-{3,})[ \t]*\Z")
_RULE = re.compile(r"[\s\-=_*~#.+]*\Z")
_BULLET = re.compile(r"[ \t]*(?:[-*•–+]|\(?\d{1,2}[.)]|\(?[a-z][.)])[ \t]+\S")
_PAGE_MARK = re.compile(r"[ \t]*(?:<PAGE>|-\s*\d{1,4}\s*-|\d{1,4}|\f)[ \t]*\d{0,4}[ \t]*\Z", re.I)
_HEADER_LINE = re.compile(r"(?:[ \t]*[A-Z][\w ./&()-]{1,38}:[ \t]+\S.*(?:\n|\Z)){2,}")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S")


@dataclass(slots=True)
class Front:
    """Front matter of a Markdown file: fields in order, and where the text begins."""

    fields: dict[str, str] = field(default_factory=dict)
    end: int = 0


def front_matter(text: str) -> Front:
    """The `---` front matter of a text; empty when there is none. Values are unquoted, lists are left as written."""
    match = _FRONT.match(text)
    if match is None:
        return Front()
    fields: dict[str, str] = {}
    for line in match.group(1).splitlines():
        if pair := _FIELD.match(line):
            fields.setdefault(pair.group(1).strip().lower(), pair.group(2).strip("'\""))
    return Front(fields, match.end()) if fields else Front()


def paragraphs(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Spans of paragraphs (lines between blank lines) in `text[start:end]`, without surrounding white space."""
    stop = len(text) if end is None else end
    spans: list[tuple[int, int]] = []
    begin = -1
    last = start
    pos = start
    while pos < stop:
        line_end = text.find("\n", pos, stop)
        line_end = stop if line_end < 0 else line_end
        line = text[pos:line_end]
        if line.strip():
            if begin < 0:
                begin = pos + len(line) - len(line.lstrip())
            last = pos + len(line.rstrip())
        elif begin >= 0:
            spans.append((begin, last))
            begin = -1
        pos = line_end + 1
    if begin >= 0:
        spans.append((begin, last))
    return spans


def place_plain(builder: Builder, text: str, start: int = 0, end: int | None = None, *, markdown: bool = False) -> None:
    """Append `text[start:end]` to the page as blocks; the text of a block is verbatim, line breaks included."""
    for a, b in paragraphs(text, start, end):
        for lo, hi in _parts(text, a, b):
            block = text[lo:hi]
            if not block.strip():
                continue
            kind, level = classify(block, markdown=markdown)
            stretch = Stretch(kind=kind, level=level)
            stretch.add_raw(block, lo)
            builder.place(stretch)


def _parts(text: str, a: int, b: int) -> list[tuple[int, int]]:
    """A paragraph cut where a heading line, a list item or a page mark begins."""
    cuts = [a]
    pos = a
    items = 0
    while pos < b:
        line_end = text.find("\n", pos, b)
        line_end = b if line_end < 0 else line_end
        line = text[pos:line_end]
        if _BULLET.match(line):
            items += 1
            if pos > a and (items > 1 or line.lstrip()[0] in "-*•–"):
                cuts.append(pos)
        elif _HASH.match(line):
            cuts += [pos, min(line_end + 1, b)]
        pos = line_end + 1
    edges = sorted({*cuts, b})
    spans = []
    for lo, hi in itertools.pairwise(edges):
        body = text[lo:hi]
        left = lo + len(body) - len(body.lstrip())
        spans.append((left, left + len(body.strip())))
    return [span for span in spans if span[0] < span[1]]


def classify(block: str, *, markdown: bool = False) -> tuple[BlockKind, int]:
    """Kind and heading level of a plain block."""
    if markdown and (match := _HASH.match(block)):
        return BlockKind.HEADING, len(match.group(1))
    lines = block.splitlines()
    if len(lines) == 2 and _UNDERLINE.match(lines[1]) and len(lines[0]) < 150:
        return BlockKind.HEADING, 1 if "=" in lines[1] else 2
    if markdown and lines[0].lstrip().startswith("|") and lines[0].rstrip().endswith("|"):
        return BlockKind.ROW, 0
    if _BULLET.match(block) and len(block) < 2000:
        return BlockKind.ITEM, 0
    if _HEADER_LINE.fullmatch(block.rstrip() + "\n") and len(block) < 1500:
        return BlockKind.HEADER, 0
    if len(lines) > 2 and sum(1 for line in lines if _COLUMNS.search(line.strip())) * 2 > len(lines):
        return BlockKind.PRE, 0
    letters = [c for c in block if c.isalpha()]
    if (
        len(lines) <= 2
        and len(block) <= 160
        and len(letters) > 3
        and all(c.isupper() for c in letters)
        and letters[0].lower() != letters[0]
    ):
        return BlockKind.HEADING, 0
    return BlockKind.PARAGRAPH, 0


def plain_title(builder: Builder) -> str:
    """The first heading, else the first line, of a page under construction; at most 200 characters."""
    text = builder.text
    for block in builder.blocks[:8]:
        if block.kind is BlockKind.HEADING:
            return " ".join(text[block.start : block.end].lstrip("#").split())[:200]
    return text[: builder.blocks[0].end].splitlines()[0].strip()[:200] if builder.blocks else ""

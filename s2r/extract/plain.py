"""Plain text and Markdown: verbatim text, paragraphs by blank lines, front matter and header lines."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

from s2r.extract.builder import Builder, Stretch
from s2r.extract.causes import Cause, broken
from s2r.extract.charset import Decoded
from s2r.extract.filing import read_filing
from s2r.extract.published import claim, unique, url_claims
from s2r.models import BlockKind, DateClaim, Page

_FRONT = re.compile(r"\A\s{0,3}---[ \t]*\r?\n(.{0,20000}?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.S)
_FIELD = re.compile(r"^([A-Za-z_][\w .-]{0,40}?)\s*:[ \t]*(.*?)\s*$")
_HASH = re.compile(r"(#{1,6})[ \t]+\S")
_UNDERLINE = re.compile(r"={3,}\s*\Z|-{3,}\s*\Z")
_RULE = re.compile(r"(?:[\s=_*~#.+|—–-]|</?(?:PAGE|TABLE|CAPTION|S|C|FN|R)>[ \t]*\d*)*+\Z", re.I)  # rules and EDGAR text marks
_BULLET = re.compile(r"[ \t]*(?:[-*•–+]|\(?\d{1,2}[.)]|\(?[a-z][.)])[ \t]+[^\s=_*-]")
_HEADER_LINE = re.compile(r"(?:[ \t]*[A-Z][\w ./&()-]{1,38}:[ \t]+\S.*(?:\n|\Z)){2,}")
_LONGEST = 4000
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S")
_FRONT_DATE = re.compile(r"date|publish|time|created|updated|modified", re.I)
_FRONT_NOT_DATE = re.compile(r"expir|event|timezone|read", re.I)
_FRONT_MODIFIED = re.compile(r"updat|modif", re.I)
_LABEL = re.compile(
    r"(?:^|[ \t]{2,})(?:date|released?|published|issued|data|fecha|datum|dato|päivämäärä|ngày|tarikh|tanggal)"
    r"[ \t]*:[ \t]*((?:\w+,[ \t]+)?\d[^\n]{5,30}|[A-Z][a-z]+\.?[ \t]\d[^\n]{5,20})",
    re.I | re.M,
)


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
        for lo, hi in _parts(text, a, b, markdown):
            block = text[lo:hi]
            if _RULE.match(block):
                continue
            kind, level = classify(block, markdown=markdown)
            stretch = Stretch(kind=kind, level=level)
            stretch.add_raw(block, lo)
            builder.place(stretch)


def _parts(text: str, a: int, b: int, markdown: bool) -> list[tuple[int, int]]:
    """A paragraph cut where a heading line, a list item or a rule begins, and after a few thousand characters (tables as text)."""
    cuts = [a]
    pos = a
    items = 0
    while pos < b:
        line_end = text.find("\n", pos, b)
        line_end = b if line_end < 0 else line_end
        line = text[pos:line_end]
        if _RULE.match(line) and not (markdown and _UNDERLINE.match(line) and pos > a):
            cuts += [pos, min(line_end + 1, b)]
        elif _BULLET.match(line):
            items += 1
            if pos > a and (items > 1 or line.lstrip()[0] in "-*•–"):
                cuts.append(pos)
        elif _HASH.match(line):
            cuts += [pos, min(line_end + 1, b)]
        elif pos - cuts[-1] > _LONGEST:
            cuts.append(pos)
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
    if markdown and len(lines) == 2 and _UNDERLINE.match(lines[1]) and len(lines[0]) < 150:
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


def read_plain(decoded: Decoded, *, url: str, digest: str, content_type: str, fallback_title: str = "") -> Page:
    """Page of plain text or Markdown; raises SourceBroken when it holds no text."""
    builder = Builder()
    source = decoded.text
    front = front_matter(source)
    claims: list[DateClaim] = []
    _place_front(builder, source, front, claims)
    markdown = "markdown" in content_type or bool(front.fields) or url.lower().endswith((".md", ".markdown"))
    place_plain(builder, source, front.end, markdown=markdown)
    if not builder.blocks:
        raise broken(Cause.NO_TEXT, url)
    text = builder.text
    filing = read_filing(text)
    meta = {key: value for key, value in front.fields.items() if value and len(value) < 500 and key not in ("title", "content", "body")}
    return Page(
        digest=digest,
        url=url,
        title=front.fields.get("title") or fallback_title or plain_title(builder),
        content_type=content_type,
        charset=decoded.charset,
        lang=front.fields.get("lang") or front.fields.get("language", ""),
        text=text,
        blocks=tuple(builder.blocks),
        claims=unique([*claims, *filing.claims, *(_labelled(text, builder) if not front.fields else []), *url_claims(url)]),
        meta=meta | filing.meta,
        form=filing.form,
        source_map=tuple(builder.map),
    )


def _place_front(builder: Builder, source: str, front: Front, claims: list[DateClaim]) -> None:
    """Front matter as one header block; its date fields become claims with origin `meta:<field>`."""
    if not front.fields:
        return
    match = _FRONT.match(source)
    assert match is not None
    stretch = Stretch(kind=BlockKind.HEADER)
    stretch.add_raw(match.group(1), match.start(1))
    stretch.close()
    start = builder.place(stretch)
    shown = stretch.text
    for name, value in front.fields.items():
        if not _FRONT_DATE.search(name) or _FRONT_NOT_DATE.search(name):
            continue
        at = shown.find(value)
        flags = ("modified",) if _FRONT_MODIFIED.search(name) else ()
        if found := claim(
            value, f"meta:{name}", *flags, start=start + at if at >= 0 else -1, end=start + at + len(value) if at >= 0 else -1
        ):
            claims.append(found)


def _labelled(text: str, builder: Builder) -> list[DateClaim]:
    """ "Date: 26-03-2015" and the like in the first lines of a notice, origin `header:date`."""
    claims: list[DateClaim] = []
    reach = builder.blocks[min(2, len(builder.blocks) - 1)].end
    for match in _LABEL.finditer(text, 0, min(reach, 1500)):
        if found := claim(match.group(1).strip(), "header:date", start=match.start(1), end=match.end(1)):
            claims.append(found)
    return claims

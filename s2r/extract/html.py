"""HTML documents to pages."""

from __future__ import annotations

from s2r.extract.builder import Builder, Stretch
from s2r.extract.causes import Cause, broken
from s2r.extract.charset import Decoded
from s2r.extract.walker import Walk, walk
from s2r.models import BlockKind, Page

_THIN = 40  # characters below which a page counts as without text


def read_html(decoded: Decoded, *, url: str, digest: str, content_type: str, fallback_title: str = "") -> Page:
    """Page of an HTML document; raises SourceBroken when nothing is readable."""
    found = visible(decoded.text)
    builder = Builder()
    title = title_stretch(found)
    if title is not None:
        builder.place(title)
    for stretch in found.stretches:
        builder.place(stretch)
    if not found.stretches and title is None:
        raise broken(Cause.SCRIPT_SHELL if found.scripts else Cause.NO_TEXT, url)
    return Page(
        digest=digest,
        url=url,
        title=title.text if title is not None else fallback_title,
        content_type=content_type,
        charset=decoded.charset,
        lang=found.lang,
        text=builder.text,
        blocks=tuple(builder.blocks),
        source_map=tuple(builder.map),
    )


def visible(source: str, start: int = 0, end: int | None = None) -> Walk:
    """The walk of a document; invisible parts come back when next to nothing else is there."""
    found = walk(source, start, end)
    size = sum(stretch.size for stretch in found.stretches)
    if found.sheet_hidden > size:
        found = walk(source, start, end, sheet=False)
        size = sum(stretch.size for stretch in found.stretches)
    if size < _THIN and "<noscript" in source.lower():
        found = walk(source, start, end, noscript=True, sheet=False)
    return found


def title_stretch(found: Walk) -> Stretch | None:
    """The title element as a block."""
    if found.title_at < 0:
        return None
    inner = walk(found.title)
    pieces = [(text, at + found.title_at) for stretch in inner.stretches for text, at in stretch.pieces]
    return Stretch(kind=BlockKind.TITLE, pieces=pieces, size=sum(len(text) for text, _ in pieces)) if pieces else None

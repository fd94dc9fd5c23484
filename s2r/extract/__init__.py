"""Bytes to Page: picks an extractor by content and content type."""

from __future__ import annotations

from s2r.extract.builder import Builder
from s2r.extract.causes import Cause, broken, outcome_of
from s2r.extract.charset import decode
from s2r.extract.html import read_html
from s2r.extract.plain import front_matter, place_plain, plain_title
from s2r.models import Page

__all__ = ["Cause", "extract", "outcome_of"]


def extract(body: bytes, content_type: str, url: str, *, digest: str, fallback_title: str = "") -> Page:
    """The readable page in `body`; same arguments give the same Page. Raises SourceBroken whose message is a `Cause`."""
    if not body.strip():
        raise broken(Cause.EMPTY, url)
    decoded = decode(body, content_type)
    kind = content_type.partition(";")[0].strip().lower()
    head = decoded.text[:2000].lstrip().lower()
    if "html" in kind or head.startswith(("<!doctype html", "<html")):
        return read_html(decoded, url=url, digest=digest, content_type=kind, fallback_title=fallback_title)
    builder = Builder()
    front = front_matter(decoded.text)
    place_plain(builder, decoded.text, front.end, markdown="markdown" in kind)
    if not builder.blocks:
        raise broken(Cause.NO_TEXT, url)
    return Page(
        digest=digest,
        url=url,
        title=front.fields.get("title") or fallback_title or plain_title(builder),
        content_type=kind,
        charset=decoded.charset,
        text=builder.text,
        blocks=tuple(builder.blocks),
        source_map=tuple(builder.map),
    )

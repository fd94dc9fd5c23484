"""JSON documents to text: every leaf as a "label | value" row."""

from __future__ import annotations

import html
import json
import re

from s2r.extract.builder import Builder, Stretch
from s2r.extract.causes import Cause, broken
from s2r.extract.charset import Decoded
from s2r.extract.published import claim, kind_of_field, unique
from s2r.extract.walker import walk
from s2r.models import BlockKind, DateClaim, Page, Precision

_DATE_KEY = re.compile(r"date|time|publish|created|updated|modified|issued|filed", re.I)
_TITLE_KEYS = ("title", "headline", "name", "subject")
_TAG = re.compile(r"<(?:p|br|div|span|a|b|strong|ul|li|table)\b[^>]*>", re.I)
_MAX_LEAVES = 100_000
_MAX_CLAIMS = 60  # arrays of filings hold thousands of dates that are not the document's


def read_json(decoded: Decoded, *, url: str, digest: str, content_type: str, fallback_title: str = "") -> Page:
    """Page of a JSON document; offsets count the extracted text, so there is no source map. Raises SourceBroken when it is damaged."""
    try:
        parsed = json.loads(decoded.text.lstrip("\ufeff"), strict=False)
    except (ValueError, RecursionError) as exc:
        raise broken(Cause.DAMAGED_JSON, url) from exc
    builder = Builder()
    claims: list[DateClaim] = []
    title = ""
    for path, value in _leaves(parsed):
        key = path[-1] if path else ""
        if not title and key.lower() in _TITLE_KEYS and len(path) <= 3:
            title = value[:300]
        start = _place(builder, path, value)
        if start >= 0 and _DATE_KEY.search(key):
            found = claim(value, f"json:{key}", start=start, end=builder.size, kind=kind_of_field(key))
            if found is not None and found.precision is Precision.DAY and len(claims) < _MAX_CLAIMS:
                claims.append(found)
    if not builder.blocks:
        raise broken(Cause.NO_TEXT, url)
    return Page(
        digest=digest,
        url=url,
        title=title or fallback_title,
        content_type=content_type,
        charset=decoded.charset,
        text=builder.text,
        blocks=tuple(builder.blocks),
        claims=unique(claims),
    )


def _leaves(parsed: object) -> list[tuple[tuple[str, ...], str]]:
    """Paths and texts of leaves in document order, without recursion."""
    out: list[tuple[tuple[str, ...], str]] = []
    waiting: list[tuple[tuple[str, ...], object]] = [((), parsed)]
    while waiting and len(out) < _MAX_LEAVES:
        path, node = waiting.pop()
        if isinstance(node, dict):
            waiting += reversed([((*path[-3:], str(key)), child) for key, child in node.items()])
        elif isinstance(node, list):
            waiting += reversed([(path, child) for child in node])
        elif node is not None and not isinstance(node, bool) and str(node).strip():
            out.append((path, str(node).strip()))
    return out


def _place(builder: Builder, path: tuple[str, ...], value: str) -> int:
    """Append one leaf; returns the offset of its value. Long texts and HTML become paragraphs under their own label."""
    label = " ".join(path[-2:])
    if _TAG.search(value):
        starts = [builder.place(stretch) for stretch in walk(html.unescape(value) if "&lt;" in value else value).stretches]
        builder.map.clear()
        return starts[0] if starts else -1
    row = Stretch(kind=BlockKind.ROW if len(value) < 300 else BlockKind.PARAGRAPH, header=(label,) if label else ())
    offset = 0
    if label and row.kind is BlockKind.ROW:
        row.add(label + " | ", 0)
        offset = len(label) + 3
    row.add(value, 0)
    row.close()
    start = builder.place(row)
    builder.map.clear()
    return start + offset if start >= 0 else -1

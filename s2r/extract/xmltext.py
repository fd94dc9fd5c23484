"""XML to text: every leaf as a "label | value" row; RSS and Atom items as headings, dates and paragraphs. No entity expansion."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from s2r.extract.builder import Builder, Stretch
from s2r.extract.causes import Cause, broken
from s2r.extract.charset import Decoded
from s2r.extract.filing import notification_meta
from s2r.extract.published import claim, kind_of_field, unique
from s2r.extract.tokens import Kind, tokens
from s2r.extract.walker import walk
from s2r.models import BlockKind, DateClaim, Page

Field = tuple[str, str, int, int]  # path without the root, text, source start and end of the text

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]")
_DATE_NAME = re.compile(r"date|time|pubdate|updated|published|issued|modified", re.I)
_DATE_VALUE = re.compile(r"\s*\d{4}-?\d{2}-?\d{2}\b|\s*(?:[a-z]{3},?\s+)?\d{1,2}\s+[a-z]{3}\w*\s+\d{4}", re.I)
_ITEMS = frozenset({"item", "entry"})
_FEED = re.compile(r"<(?:rss|feed|rdf:RDF)\b", re.I)
_FEED_DATES = frozenset(
    {"pubdate", "published", "updated", "dc:date", "dcterms:issued", "dcterms:modified", "lastbuilddate", "a10:updated"}
)
_FEED_TEXT = frozenset({"description", "summary", "content", "content:encoded", "subtitle", "dc:description"})
_REMOVAL = re.compile(r"<notificationOfRemoval\b", re.I)  # Form 25-NSE, filed by the exchange
_XHTML = re.compile(r"<(content|summary)\b[^<>]*\btype\s*=\s*[\"']xhtml[\"'][^<>]*(?<!/)>", re.I)
_MAX_FIELDS = 200_000
_SCAN = 40


def is_feed(text: str) -> bool:
    """Whether XML text is an RSS, RDF or Atom feed."""
    return _FEED.search(text[:3000]) is not None


def _leaves(source: str, start: int, end: int) -> Iterator[tuple[list[str], int, int]]:
    """(path, text start, text end) of elements that hold text and no element; markup inside CDATA counts as text."""
    path: list[str] = []
    opened = -1
    skip_to = start
    for kind, name, raw, a, b in tokens(source, start, end):
        if a < skip_to:
            continue
        if kind is Kind.START:
            if raw.endswith("/"):
                continue
            path.append(source[a + 1 : a + 1 + len(name)])
            opened = b
            cdata = source.find("<![CDATA[", b, b + 40)
            if cdata >= 0 and not source[b:cdata].strip() and (close := source.find("]]>", cdata, end)) >= 0:
                yield list(path), cdata + 9, close
                skip_to, opened = close + 3, -1
        elif kind is Kind.RAW:
            yield list(path), a, b
            opened = -1
        elif kind is Kind.END and path:
            if opened >= 0 and path[-1].lower() == name:
                yield list(path), opened, a
            opened = -1
            if name in (part.lower() for part in path[-_SCAN:]):
                while path and path.pop().lower() != name:
                    pass


def xml_fields(source: str, start: int = 0, end: int | None = None) -> list[Field]:
    """Leaves with text, in order; paths keep the spelling of the source."""
    stop = len(source) if end is None else end
    found: list[Field] = []
    for path, a, b in _leaves(source, start, stop):
        value = source[a:b]
        bare = value.strip()
        if not bare or len(found) >= _MAX_FIELDS:
            continue
        lo = a + len(value) - len(value.lstrip())
        names = path[1:] if path[0] != "XML" else path[2:]  # EDGAR wraps XML documents in <XML>
        found.append(("/".join(names[-_SCAN:]) or path[-1], html.unescape(bare), lo, lo + len(bare)))
    return found


def place_xml(builder: Builder, fields: list[Field]) -> list[DateClaim]:
    """Append fields as rows "label | value"; returns claims for fields whose name and value are dates (origin `xml:<path>`)."""
    claims: list[DateClaim] = []
    for path, value, a, _ in fields:
        label = " ".join(_CAMEL.sub(" ", part).lower() for part in path.split("/")[-2:])
        row = Stretch(kind=BlockKind.ROW)
        row.add(label, a)
        row.pieces.append((" | ", a))
        row.spaced = True
        row.add(value, a)
        row.header = (label,)
        start = builder.place(row)
        if start >= 0 and _DATE_NAME.search(path.rsplit("/", 1)[-1]) and _DATE_VALUE.match(value):
            at = start + len(label) + 3
            name = path.rsplit("/", 1)[-1]
            if found := claim(value, f"xml:{name}", start=at, end=at + len(value), kind=kind_of_field(name)):
                claims.append(found)
    return claims


def read_xml(decoded: Decoded, *, url: str, digest: str, content_type: str, fallback_title: str = "") -> Page:
    """Page of a feed or any other XML; raises SourceBroken when it holds no text."""
    builder = Builder()
    source = decoded.text
    title, form = "", ""
    meta: dict[str, str] = {}
    if is_feed(source):
        title, claims = _place_feed(builder, source)
    else:
        fields = xml_fields(source)
        claims = place_xml(builder, fields)
        if _REMOVAL.search(source[:2000]):
            form = "25-NSE"
            meta = notification_meta(fields) | {"form": form}
            meta |= {"company": meta["issuer"]} if "issuer" in meta else {}
            title = " - ".join(part for part in (form, meta.get("issuer", "")) if part)
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
        meta=meta,
        form=form,
        source_map=tuple(builder.map),
    )


def _place_feed(builder: Builder, source: str) -> tuple[str, list[DateClaim]]:
    title = ""
    claims: list[DateClaim] = []
    bodies = _xhtml_bodies(source)
    for path, a, b in _leaves(source, 0, len(source)):
        while bodies and bodies[0][1] <= a:
            _place_body(builder, source, *bodies.pop(0))
        if bodies and bodies[0][0] <= a:
            continue
        name, in_item = path[-1].lower(), any(part.lower() in _ITEMS for part in path[-_SCAN:])
        if name == "title":
            block = _feed_stretch(source, a, b, BlockKind.HEADING if in_item else BlockKind.TITLE)
            block.level = 2 if in_item else 0
            builder.place(block)
            title = title or ("" if in_item else block.text)
        elif name in _FEED_DATES:
            block = _feed_stretch(source, a, b, BlockKind.PARAGRAPH)
            start = builder.place(block)
            flags: tuple[str, ...] = ("item",) if in_item else ()
            if name in ("updated", "lastbuilddate", "dcterms:modified"):
                flags += ("modified",)
            if start >= 0 and (found := claim(block.text, f"feed:{name}", *flags, start=start, end=builder.size)):
                claims.append(found)
        elif name in _FEED_TEXT:
            for block in _feed_html(source, a, b):
                builder.place(block)
    for body in bodies:
        _place_body(builder, source, *body)
    return title, claims


def _xhtml_bodies(source: str) -> list[tuple[int, int]]:
    """Start and end of the contents of entries that are XHTML elements rather than text, in order."""
    found: list[tuple[int, int]] = []
    for match in _XHTML.finditer(source):
        end = source.find(f"</{match.group(1)}", match.end())
        if end >= 0 and (not found or match.start() >= found[-1][1]):
            found.append((match.end(), end))
    return found


def _place_body(builder: Builder, source: str, start: int, end: int) -> None:
    for block in walk(source, start, end).stretches:
        builder.place(block)


def _feed_stretch(source: str, a: int, b: int, kind: BlockKind) -> Stretch:
    block = Stretch(kind=kind)
    text = source[a:b]
    block.add(html.unescape(html.unescape(text)) if "&" in text else text, a)
    block.close()
    return block


def _feed_html(source: str, a: int, b: int) -> list[Stretch]:
    """A description: HTML in CDATA keeps its offsets; escaped HTML is placed at the start of the field."""
    text = source[a:b]
    if "&lt;" in text:
        found = walk(html.unescape(text)).stretches
        for block in found:
            block.pieces = [(block.text, a)]
        return found
    return walk(source, a, b).stretches

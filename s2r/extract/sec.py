"""SEC full submission text: header, and each readable document inside it, with offsets into the submission."""

from __future__ import annotations

import html
import itertools
import re

from s2r.extract.builder import Builder, Stretch
from s2r.extract.causes import Cause, broken
from s2r.extract.charset import Decoded
from s2r.extract.filing import notification_meta, read_filing
from s2r.extract.plain import place_plain
from s2r.extract.published import unique
from s2r.extract.walker import walk
from s2r.extract.xmltext import place_xml, xml_fields
from s2r.models import BlockKind, DateClaim, Page

_OPENING = (
    "<sec-document>",
    "<submission>",
    "<sec-header>",
    "<ims-header>",
    "<acceptance-datetime>",
    "-----begin privacy-enhanced message",
)
_DOCUMENT = re.compile(r"<DOCUMENT>", re.I)
_HEADER_END = re.compile(r"</(?:SEC|IMS)-HEADER>|<DOCUMENT>", re.I)
_FIELD = re.compile(r"<(TYPE|FILENAME|DESCRIPTION)>[ \t]*([^\n<]*)", re.I)
_TEXT = re.compile(r"<TEXT>", re.I)
_TEXT_END = re.compile(r"</TEXT>|</DOCUMENT>", re.I)
_BINARY = re.compile(r"\s{0,20}(?:<PDF>|begin [0-7]{3} )", re.I)
_SKIPPED_FILE = re.compile(
    r"\.(?:jpe?g|gif|png|pdf|zip|xlsx?|xsd|css|js|json)\s*\Z|\AR\d+\.(?:htm|xml)\s*\Z|_(?:cal|def|lab|pre|htm)\.xml\s*\Z", re.I
)
_SKIPPED_TYPE = re.compile(r"GRAPHIC|ZIP|EXCEL|XML\Z|JSON|COVER|EX-101|EX-10[34]\b", re.I)
_TAGS = re.compile(r"<(?:html|body|p|div|font|br|tr|td)\b", re.I)  # not <TABLE>, <S>, <C>: old text filings have them too
_ENTITY = re.compile(r"&(?:#\d{2,6}|#x[0-9a-f]{2,6}|[a-z]{2,8});", re.I)


def is_submission(text: str) -> bool:
    """Whether the text is a full submission or its header."""
    head = text[:4000].lstrip("\ufeff \r\n\t").lower()
    return head.startswith(_OPENING) or ("<document>" in head and "<type>" in head)


def read_submission(decoded: Decoded, *, url: str, digest: str, content_type: str, fallback_title: str = "") -> Page:
    """Page of a submission; binary parts are skipped. Raises SourceBroken when nothing is readable."""
    source = decoded.text
    builder = Builder()
    end = _HEADER_END.search(source)
    head_stop = end.start() if end else len(source)
    place_plain(builder, source, 0, head_stop)
    header_size = builder.size
    builder.blocks = [block.model_copy(update={"kind": BlockKind.HEADER}) for block in builder.blocks]
    xml: dict[str, str] = {}
    claims: list[DateClaim] = []
    starts = [match.start() for match in _DOCUMENT.finditer(source, head_stop)]
    _place_loose(builder, source, end.end() if end and end.group().startswith("</") else head_stop, starts[0] if starts else len(source))
    for at, stop in itertools.pairwise([*starts, len(source)]):
        _place_document(builder, source, (at, stop), xml, claims)
    if not builder.blocks:
        raise broken(Cause.NO_TEXT, url)
    filing = read_filing(builder.text, header_size)
    meta = filing.meta | {key: value for key, value in xml.items() if key not in filing.meta}
    name = meta.get("company") or meta.get("issuer", "")
    return Page(
        digest=digest,
        url=url,
        title=" - ".join(part for part in (filing.form, name) if part) or fallback_title,
        content_type=content_type,
        charset=decoded.charset,
        lang="en",
        text=builder.text,
        blocks=tuple(builder.blocks),
        claims=unique([*filing.claims, *claims]),
        meta=meta,
        form=filing.form,
        source_map=tuple(builder.map),
    )


def _place_loose(builder: Builder, source: str, start: int, end: int) -> None:
    """Text after the header that is in no <DOCUMENT>: copies of filings often drop the tags."""
    if not source[start:end].strip():
        return
    if _TAGS.search(source, start, min(end, start + 5000)):
        for stretch in walk(source, start, end).stretches:
            builder.place(stretch)
    else:
        place_text_with_entities(builder, source, start, end)


def _place_document(builder: Builder, source: str, span: tuple[int, int], xml: dict[str, str], claims: list[DateClaim]) -> None:
    at, stop = span
    opened = _TEXT.search(source, at, stop)
    fields = {m.group(1).upper(): (m.group(2).strip(), m.start(2)) for m in _FIELD.finditer(source, at, opened.start() if opened else stop)}
    kind, kind_at = fields.get("TYPE", ("", at))
    name = fields.get("FILENAME", ("", 0))[0]
    if opened is None or _SKIPPED_TYPE.match(kind) or _SKIPPED_FILE.search(name):
        return
    start = opened.end()
    closed = _TEXT_END.search(source, start, stop)
    end = closed.start() if closed else stop
    if _BINARY.match(source, start, end):
        return
    mark = Stretch(kind=BlockKind.HEADER)
    mark.add(kind, kind_at)
    if "DESCRIPTION" in fields:
        mark.add(" ", fields["DESCRIPTION"][1] - 1)
        mark.add(*fields["DESCRIPTION"])
    builder.place(mark)
    lead = source[start : min(end, start + 5000)]
    if name.lower().endswith(".xml") or re.match(r"\s*(?:<XML>|<\?xml)", lead, re.I):
        found = xml_fields(source, start, end)
        claims += place_xml(builder, found)
        xml.update({key: value for key, value in notification_meta(found).items() if key not in xml})
    elif _TAGS.search(lead):
        for stretch in walk(source, start, end).stretches:
            builder.place(stretch)
    else:
        place_text_with_entities(builder, source, start, end)


def place_text_with_entities(builder: Builder, source: str, start: int, end: int) -> None:
    """Plain text in a submission; SGML character references are decoded, line structure is kept."""
    if not _ENTITY.search(source, start, end):
        place_plain(builder, source, start, end)
        return
    inner = Builder()
    place_plain(inner, source, start, end)
    for block in inner.blocks:
        lo, hi = inner.source_of(block.start), inner.source_of(block.end - 1) + 1
        stretch = Stretch(kind=block.kind, level=block.level)
        at = lo
        for match in _ENTITY.finditer(source, lo, hi):
            stretch.add_raw(source[at : match.start()], at)
            stretch.add_raw(html.unescape(match.group()), match.start())
            at = match.end()
        stretch.add_raw(source[at:hi], at)
        builder.place(stretch)

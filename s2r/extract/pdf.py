"""PDF text layer to pages (PDFium)."""

from __future__ import annotations

import re
import threading
from collections import Counter
from dataclasses import dataclass

from s2r.errors import SourceBroken
from s2r.extract.builder import Builder, Stretch
from s2r.extract.causes import Cause, broken
from s2r.extract.filing import read_filing
from s2r.extract.plain import classify
from s2r.extract.published import claim, unique
from s2r.models import DateClaim, Page

_LOCK = threading.Lock()  # PDFium keeps global state: one document at a time in the whole process
_HYPHEN = re.compile("[\ufffe\x02][ \t]*\n?")
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(Z|[+-]\d{2})?'?(\d{2})?")
_SENTENCE_END = tuple(".!?:;。．！？；：")
_BULLET = re.compile(r"\s*(?:[•●▪■◦–—*-]|\(?\d{1,2}[.)]|\(?[a-z][.)]|[（(][一二三四五六七八九十\d]+[)）])\s")
_MIN_LETTERS = 3  # per page, on average
_MAX_PAGES = 3000
_MAX_CHARS = 12_000_000
_EDGE_LINES, _EDGE_LENGTH = 2, 90


@dataclass(frozen=True, slots=True)
class _Raw:
    pages: list[str]
    created: str
    modified: str
    title: str
    author: str


def read_pdf(body: bytes, *, url: str, digest: str, content_type: str, fallback_title: str = "") -> Page:
    """Page of a PDF; offsets count the extracted text, so there is no source map. Raises SourceBroken: encrypted, damaged, scanned."""
    raw = _load(body, url)
    if sum(c.isalnum() for text in raw.pages for c in text[:20_000]) < _MIN_LETTERS * len(raw.pages):
        raise broken(Cause.SCANNED_PDF, url)
    builder = Builder()
    edges = _running_lines(raw.pages)
    for text in raw.pages:
        _place_page(builder, text, edges)
    text = builder.text
    filing = read_filing(text)
    meta = {key: value for key, value in (("author", raw.author), ("pdf_title", raw.title)) if value} | filing.meta
    meta["pages"] = str(len(raw.pages))
    return Page(
        digest=digest,
        url=url,
        title=fallback_title or raw.title or text.split("\n", 1)[0][:200],
        content_type=content_type,
        text=text,
        blocks=tuple(builder.blocks),
        claims=unique([*filing.claims, *_claims(raw)]),
        meta=meta,
        form=filing.form,
    )


def _load(body: bytes, url: str) -> _Raw:
    import pypdfium2 as pdfium

    with _LOCK:
        try:
            document = pdfium.PdfDocument(body)
        except pdfium.PdfiumError as exc:
            raise _refusal(str(exc), url) from exc
        try:
            pages: list[str] = []
            size = 0
            for index in range(min(len(document), _MAX_PAGES)):
                text = _page_text(document, index)
                size += len(text)
                pages.append(text)
                if size > _MAX_CHARS:
                    break
            meta = document.get_metadata_dict()
        except pdfium.PdfiumError as exc:
            raise broken(Cause.DAMAGED_PDF, url) from exc
        finally:
            document.close()
    if not pages:
        raise broken(Cause.DAMAGED_PDF, url)
    clean = {key: " ".join(value.replace("\0", "").split()) for key, value in meta.items()}
    return _Raw(pages, clean.get("CreationDate", ""), clean.get("ModDate", ""), clean.get("Title", "")[:300], clean.get("Author", "")[:200])


def _page_text(document: object, index: int) -> str:
    import pypdfium2 as pdfium

    try:
        page = document[index]  # type: ignore[index]
        layer = page.get_textpage()
        text = str(layer.get_text_range())
        layer.close()
        page.close()
    except pdfium.PdfiumError:
        return ""  # one damaged page must not hide the others
    return _HYPHEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _refusal(message: str, url: str) -> SourceBroken:
    lower = message.lower()
    return broken(Cause.ENCRYPTED_PDF if "password" in lower or "security" in lower else Cause.DAMAGED_PDF, url)


def _running_lines(pages: list[str]) -> frozenset[str]:
    """Lines at page edges that return on at least three pages (running heads and feet), digits ignored."""
    seen: Counter[str] = Counter()
    for text in pages:
        lines = [line for line in text.split("\n") if line.strip()]
        edges = lines[:_EDGE_LINES] + lines[-_EDGE_LINES:]
        seen.update({_shape(line) for line in edges if len(line) <= _EDGE_LENGTH})
    return frozenset(shape for shape, count in seen.items() if count >= 3 and count * 2 > len(pages))


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()).lower())


def _place_page(builder: Builder, text: str, edges: frozenset[str]) -> None:
    lines = text.split("\n")
    lengths = sorted(len(line) for line in lines if line.strip())
    wide = lengths[int(len(lengths) * 0.8)] if lengths else 0
    group: list[str] = []
    for line in lines:
        bare = line.strip()
        if not bare or _shape(line) in edges:
            _place_group(builder, group)
            group = []
            if bare:
                _place_group(builder, [line], why="running")
            continue
        if group and (_BULLET.match(line) or _ends_paragraph(group[-1].strip(), bare, wide)):
            _place_group(builder, group)
            group = []
        group.append(line)
    _place_group(builder, group)


def _ends_paragraph(last: str, following: str, wide: int) -> bool:
    """A clearly short line ends its paragraph, unless the sentence visibly runs on in lower case."""
    short = len(last) < wide * 0.75
    if last.endswith(_SENTENCE_END):
        return short
    return short and not following[:1].islower()


def _place_group(builder: Builder, group: list[str], why: str = "") -> None:
    if not group:
        return
    text = "\n".join(line.strip() for line in group)
    kind, level = classify(text)
    stretch = Stretch(kind=kind, level=level, why=why)
    stretch.add_raw(text, 0)
    stretch.close()
    builder.place(stretch)
    builder.map.clear()


def _claims(raw: _Raw) -> list[DateClaim]:
    claims: list[DateClaim] = []
    for value, origin, flags in ((raw.created, "pdf:creation", ("low_trust",)), (raw.modified, "pdf:modified", ("low_trust", "modified"))):
        match = _DATE.match(value)
        if match is None:
            continue
        year, month, day, hour, minute, _, zone, zone_minutes = match.groups()
        written = "-".join(part for part in (year, month, day) if part)
        if day and hour and minute:
            written += (
                f"T{hour}:{minute}" + (zone if zone in (None, "Z") else f"{zone}:{zone_minutes or '00'}") if zone else f"T{hour}:{minute}"
            )
        if found := claim(written, origin, *flags):
            claims.append(found.model_copy(update={"raw": value[:120]}))
    return claims

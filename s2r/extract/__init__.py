"""Bytes to Page: picks an extractor by content first and content type second."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from s2r.errors import SourceBroken
from s2r.extract.causes import Cause, broken, outcome_of
from s2r.extract.charset import Decoded, decode
from s2r.extract.html import read_html
from s2r.extract.jsontext import read_json
from s2r.extract.pdf import read_pdf
from s2r.extract.plain import read_plain
from s2r.extract.sec import is_submission, read_submission
from s2r.extract.xmltext import is_feed, read_xml
from s2r.lang.detect import settle_language
from s2r.models import Block, BlockKind, Page

__all__ = ["EXTRACTORS", "Cause", "decode", "extract", "extract_text", "outcome_of"]

_MAGIC = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"Rar!", b"7z\xbc\xaf", b"RIFF",
    b"ID3", b"\x7fELF", b"MZ\x90", b"OggS", b"BZh", b"\xfd7zXZ", b"wOFF", b"wOF2", b"II*\x00", b"MM\x00*", b"\x00\x00\x01\x00",
)  # fmt: skip
_TAG = re.compile(r"<[a-z!/]")
_BINARY = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]")
_HTML_HEADS = (
    "<!doctype html",
    "<html",
    "<head",
    "<body",
    "<!--",
    "<meta",
    "<title",
    "<script",
    "<div",
    "<table",
    "<p>",
    "<p ",
    "<h1",
    "<center",
)


@dataclass(frozen=True, slots=True)
class Extractor:
    """One text format: `fits(kind, head)` gets the bare content type and the first characters, lower case, without leading space."""

    name: str
    fits: Callable[[str, str], bool]
    read: Callable[..., Page]  # (Decoded, *, url, digest, content_type, fallback_title) -> Page


def _fits_html(kind: str, head: str) -> bool:
    if head.startswith(("<!doctype html", "<html")) or "<html" in head[:1500]:
        return True
    if "html" in kind and not is_feed(head):
        return not head or _TAG.search(head) is not None  # served as HTML, but without a single tag: plain text
    return not kind.startswith(("text/plain", "text/markdown")) and head.startswith(_HTML_HEADS)


def _fits_xml(kind: str, head: str) -> bool:
    return head.startswith("<?xml") or is_feed(head) or (kind.endswith("xml") and head.startswith("<"))


def _fits_json(kind: str, head: str) -> bool:
    return head.startswith(("{", "[")) and ("json" in kind or head[1:].lstrip()[:1] in ('"', "{", "["))


EXTRACTORS: tuple[Extractor, ...] = (
    Extractor("sec", lambda _, head: is_submission(head), read_submission),
    Extractor("html", _fits_html, read_html),
    Extractor("xml", _fits_xml, read_xml),
    Extractor("json", _fits_json, read_json),
    Extractor("plain", lambda _kind, _head: True, read_plain),
)


def extract(body: bytes, content_type: str, url: str, *, digest: str, fallback_title: str = "") -> Page:
    """The readable page in `body`; same arguments give the same Page. Raises SourceBroken whose message is a `Cause`.

    `fallback_title` is what the source of the page calls it: kept as `given_title`, and the title of a page without one.
    Offsets of `Page.source_map` count characters of `decode(body, content_type).text`.
    """
    page = settle_language(_read(body, content_type, url, digest=digest, fallback_title=fallback_title))
    return page.model_copy(update={"given_title": fallback_title}) if fallback_title else page


def extract_text(body: bytes, content_type: str, url: str, *, digest: str, title: str = "") -> Page:
    """As `extract`, for who needs nothing of the page but its text and title (`title` where it has none): what is said of language, dates
    and main matter may differ."""
    return _read(body, content_type, url, digest=digest, fallback_title=title, for_text=True)


def _read(body: bytes, content_type: str, url: str, *, digest: str, fallback_title: str, for_text: bool = False) -> Page:
    if not body.strip(b" \t\r\n\0"):
        raise broken(Cause.EMPTY, url)
    kind = content_type.partition(";")[0].strip().lower()
    pdf_at = body[:1024].find(b"%PDF-")
    if pdf_at >= 0 and body[:pdf_at].strip(b" \t\r\n\0\xef\xbb\xbf")[:1] != b"<":
        return read_pdf(body, url=url, digest=digest, content_type="application/pdf", fallback_title=fallback_title)
    if kind == "application/pdf" and body[:64].lstrip()[:1] != b"<":
        raise broken(Cause.DAMAGED_PDF, url)
    if body.startswith(_MAGIC):
        raise broken(Cause.NOT_TEXT, url)
    decoded = decode(body, content_type)
    if _is_noise(decoded):
        raise broken(Cause.NOT_TEXT, url)
    head = decoded.text[:4000].lstrip("\ufeff \t\r\n").lower()
    chosen = next(extractor for extractor in EXTRACTORS if extractor.fits(kind, head))
    if for_text and chosen.read is read_html and fallback_title:  # without any title the first heading of the main matter is one
        return _with_metadata(read_html(decoded, url=url, digest=digest, content_type=kind, fallback_title=fallback_title, for_text=True))
    try:
        page = chosen.read(decoded, url=url, digest=digest, content_type=kind, fallback_title=fallback_title)
    except SourceBroken as refused:
        if refused.message != Cause.DAMAGED_JSON or "json" in kind:
            raise
        page = read_plain(decoded, url=url, digest=digest, content_type=kind, fallback_title=fallback_title)  # JSON lines and the like
    return _with_metadata(page)


def _with_metadata(page: Page) -> Page:
    """Append date claims that stand only in the page's metadata as lines of their own, so that they can be quoted and shown.

    The block is a HEADER that is not main; addresses and guesses (url, htmldate) are no statement of the document and stay out.
    """
    lines: dict[str, tuple[int, int]] = {}
    text = page.text
    claims = []
    for claim in page.claims:
        if claim.start >= 0 or claim.origin in ("url", "htmldate") or not claim.raw.strip():
            claims.append(claim)
            continue
        line = f"{claim.origin}: {claim.raw}"
        if line not in lines:
            start = len(text) + 1
            lines[line] = (start, start + len(line))
            text += f"\n{line}"
        start, end = lines[line]
        claims.append(claim.model_copy(update={"start": end - len(claim.raw), "end": end}))
    if not lines:
        return page
    blocks = [Block(kind=BlockKind.HEADER, start=start, end=end, main=False) for start, end in lines.values()]
    return page.model_copy(update={"text": text, "blocks": (*page.blocks, *blocks), "claims": tuple(claims)})


def _is_noise(decoded: Decoded) -> bool:
    """Binary data: more than one character in ten of the beginning is a control or replacement character."""
    head = decoded.text[:4000]
    return len(_BINARY.findall(head)) * 10 > len(head)

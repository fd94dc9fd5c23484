"""What bytes are, by how they start; headers are often wrong. Pure."""

from __future__ import annotations

import re

_STARTS = (
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"Rar!\x1a\x07", "application/x-rar"),
    (b"{\\rtf", "application/rtf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"wOF", "font/woff"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
)
_HTML = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|table|div|center|h1|p)\b", re.IGNORECASE | re.DOTALL
)
_XML = re.compile(rb"\s*<\?xml\b")
_VAGUE = frozenset({
    "", "application/octet-stream", "binary/octet-stream", "application/force-download", "application/download", "unknown/unknown",
    "application/x-download", "application/unknown", "text/plain", "application/pdf", "*/*", "content/unknown",
})  # fmt: skip
_MARKS = (b"\xef\xbb\xbf",)


def true_type(body: bytes, declared: str) -> tuple[str, bool]:
    """The media type of `body` and whether the bytes told it against the header; a charset of the header is kept.

    Bytes win for PDF and binaries always, for HTML and XML where the header is missing, vague or a binary type.
    """
    kind = declared.partition(";")[0].strip().lower()
    head = body[:4096]
    for mark in _MARKS:
        head = head.removeprefix(mark)
    if b"%PDF-" in head[:1024]:
        return _result("application/pdf", kind, "")
    for start, name in _STARTS:
        if head.startswith(start):
            # office files are zip archives: a declared type that says which is kept
            return (declared, False) if name == "application/zip" and "officedocument" in kind else _result(name, kind, "")
    vague = kind in _VAGUE or kind.startswith(("image/", "audio/", "video/"))
    charset = declared.partition(";")[2].strip()
    if vague and _HTML.match(head):
        return _result("text/html", kind, charset)
    if vague and _XML.match(head):
        return _result("text/xml", kind, charset)
    return declared, False


def _result(found: str, kind: str, charset: str) -> tuple[str, bool]:
    return (f"{found}; {charset}" if charset else found), found != kind

"""Captures on their way into an archive: a WARC file with one of them, written whole by another process and taken in by the writer."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable
from dataclasses import replace

from s2r.archive.index import Row
from s2r.archive.warc import Original, charset_of, encode_capture, encode_warcinfo, safe_url, sha256
from s2r.models import Capture


def storable(capture: Capture) -> Capture:
    """`capture` without secrets in its URLs and without characters that no encoding can store."""
    texts = {name: getattr(capture, name).encode("utf-8", "replace").decode("utf-8") for name in ("title", "content_type", "via")}
    urls = {name: safe_url(getattr(capture, name).encode("utf-8", "replace").decode("utf-8")) for name in ("url", "final_url")}
    return capture.model_copy(update={**texts, **urls})


def encode_row(
    capture: Capture, digest: str, original: Original | None = None, request_headers: Iterable[tuple[str, str]] = ()
) -> tuple[bytes, Row]:
    """The bytes of a storable capture, and its row as if they lay at the start of a file without a name."""
    first, request, metadata = encode_capture(capture, original, request_headers)
    span = first + request + metadata
    return span, Row(
        digest=digest,
        url=capture.url,
        final_url=capture.final_url,
        title=capture.title,
        content_type=capture.content_type,
        charset=charset_of(capture.content_type),
        warc="",
        offset=0,
        length=len(first),
        captured_at=capture.fetched_at.astimezone(dt.UTC),
        kind="revisit" if original else "response",
        span=len(span),
        span_sha256=hashlib.sha256(span).hexdigest(),
        via=capture.via,
    )


def encode_part(capture: Capture, name: str) -> tuple[bytes, Row]:
    """A whole WARC file of this name with one capture, and where that lies in it."""
    capture = storable(capture)
    head = encode_warcinfo(name.rpartition("/")[2], capture.fetched_at)
    span, row = encode_row(capture, sha256(capture.body))
    return head + span, replace(row, warc=name, offset=len(head))

"""Captures as WARC 1.1 members and back: response or revisit, request, metadata; pure bytes, no files.

Bodies are stored after content decoding, so Content-Encoding and Transfer-Encoding are dropped. Every member is its own gzip
stream without a time stamp, and record ids derive from the content: the same capture gives the same bytes.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import io
import json
import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from s2r.lang.members import MAX_MEMBER, DamagedMember, gunzip_member
from s2r.models import Capture

META_URI = "urn:s2r:meta:"
REQUEST_HEADERS = frozenset({"accept", "accept-language", "user-agent", "if-modified-since", "if-none-match", "range"})
RESPONSE_HEADERS = frozenset({
    "age", "allow", "cache-control", "content-disposition", "content-language", "content-location", "content-range", "date", "etag",
    "expires", "last-modified", "link", "location", "memento-datetime", "refresh", "retry-after", "server", "vary", "x-robots-tag",
})  # fmt: skip
RESPONSE_PREFIXES = ("x-archive-",)  # what a web archive says about its own capture
SECRET_PARAMETERS = frozenset({
    "access_token", "api-key", "api_key", "apikey", "auth_token", "client_secret", "password", "passwd", "subscription-key", "x-api-key",
})  # fmt: skip
_NAMESPACE = uuid.UUID("6f1d3a52-5a3c-5d1e-9b55-0f5a1c6a7e21")


@dataclass(frozen=True, slots=True)
class Member:
    """One parsed WARC member; `headers` has lower-case names; `digest` is the sha256 of the body."""

    kind: str
    headers: dict[str, str]
    status: int
    http_headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def digest(self) -> str:
        """ "sha256:<hex>" of the body."""
        return sha256(self.body)


@dataclass(frozen=True, slots=True)
class Original:
    """The earlier response that a revisit refers to; `captured_at` is UTC."""

    url: str
    captured_at: dt.datetime


def sha256(body: bytes) -> str:
    """Content digest as used in all records: "sha256:<hex>"."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


def warc_date(at: dt.datetime) -> str:
    """UTC time as a WARC-Date with microseconds where there are any; a naive time is refused."""
    if at.tzinfo is None:
        raise ValueError("a capture time needs a time zone")
    at = at.astimezone(dt.UTC)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ" if at.microsecond else "%Y-%m-%dT%H:%M:%SZ")


def safe_url(url: str) -> str:
    """`url` without user name and password, and with the values of parameters that carry keys replaced."""
    try:
        parts = urlsplit(url)
        names = {name.lower() for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    except ValueError:
        return url
    netloc, query = parts.netloc.rpartition("@")[2], parts.query
    if names & SECRET_PARAMETERS:
        pairs = parse_qsl(query, keep_blank_values=True)
        query = urlencode([(k, "REDACTED" if k.lower() in SECRET_PARAMETERS else v) for k, v in pairs])
    if netloc == parts.netloc and query == parts.query:
        return url
    return urlunsplit(parts._replace(netloc=netloc, query=query))


def wire_url(url: str) -> str:
    """`url` in ASCII: host in IDNA where possible, everything else outside of URI characters percent-encoded."""
    try:
        parts = urlsplit(url)
        if not parts.netloc.isascii():
            parts = parts._replace(netloc=parts.netloc.encode("idna").decode("ascii"))
            url = urlunsplit(parts)
    except (ValueError, UnicodeError):
        pass
    return quote(url.encode("utf-8", "replace"), safe="%!#$&'()*+,/:;=?@[]~-._")


def record_id(kind: str, capture: Capture, digest: str) -> str:
    """`<urn:uuid:...>` derived from the content, so that the same capture has the same id."""
    name = "\n".join((kind, digest, safe_url(capture.url), safe_url(capture.final_url), warc_date(capture.fetched_at)))
    return f"<urn:uuid:{uuid.uuid5(_NAMESPACE, name.encode('utf-8', 'replace').hex())}>"


def encode_capture(
    capture: Capture, original: Original | None = None, request_headers: Iterable[tuple[str, str]] = ()
) -> tuple[bytes, bytes, bytes]:
    """Gzip members (response or revisit, request, metadata) of one capture.

    With `original` the body is left out and a revisit record refers to it. Request headers pass a whitelist.
    """
    digest, uri, date = sha256(capture.body), wire_url(safe_url(capture.final_url or capture.url)), warc_date(capture.fetched_at)
    kind = "revisit" if original else "response"
    rid = record_id(kind, capture, digest)
    payload_sha1 = "sha1:" + base64.b32encode(hashlib.sha1(capture.body, usedforsecurity=False).digest()).decode("ascii")
    http = StatusAndHeaders(_status_line(capture.status), _response_headers(capture), protocol="HTTP/1.1")
    ids = {"WARC-Record-ID": rid, "WARC-Date": date}
    make = WARCWriter(io.BytesIO(), gzip=True, warc_version="WARC/1.1")
    if original:
        refers = wire_url(safe_url(original.url)), warc_date(original.captured_at)
        first = make.create_revisit_record(uri, payload_sha1, *refers, http_headers=http, warc_headers_dict=ids)
    else:
        first = make.create_warc_record(
            uri, "response", payload=io.BytesIO(capture.body), length=len(capture.body), http_headers=http, warc_headers_dict=ids
        )
    rest = {"WARC-Date": date, "WARC-Concurrent-To": rid}
    request = make.create_warc_record(
        uri,
        "request",
        http_headers=StatusAndHeaders(f"GET {_target(uri)} HTTP/1.1", _request_headers(uri, request_headers), is_http_request=True),
        warc_headers_dict={"WARC-Record-ID": record_id("request", capture, digest), **rest},
    )
    meta = _metadata(capture, digest)
    metadata = make.create_warc_record(
        META_URI + digest.removeprefix("sha256:"),
        "metadata",
        payload=io.BytesIO(meta),
        length=len(meta),
        warc_content_type="application/json",
        warc_headers_dict={"WARC-Record-ID": record_id("metadata", capture, digest), **rest},
    )
    return _gzip_member(first), _gzip_member(request), _gzip_member(metadata)


def encode_warcinfo(filename: str, at: dt.datetime) -> bytes:
    """The gzip member that opens a file; `at` is the time of its first capture."""
    make = WARCWriter(io.BytesIO(), gzip=True, warc_version="WARC/1.1")
    info = {
        "software": "s2r",
        "format": "WARC File Format 1.1",
        "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    }
    record = make.create_warcinfo_record(filename, info)
    record.rec_headers.replace_header("WARC-Date", warc_date(at))
    record.rec_headers.replace_header("WARC-Record-ID", f"<urn:uuid:{uuid.uuid5(_NAMESPACE, filename + warc_date(at))}>")
    return _gzip_member(record)


def parse_member(content: bytes) -> Member:
    """One uncompressed WARC record with its block and payload digests checked; raises `DamagedMember`."""
    try:
        records = iter(ArchiveIterator(io.BytesIO(content), check_digests="raise"))
        record = next(records)
        body = record.content_stream().read()
        if getattr(record.raw_stream, "limit", 0) > 0:
            raise DamagedMember("shorter than its header says")
    except (ArchiveLoadFailed, StopIteration, EOFError, ValueError) as exc:
        raise DamagedMember(f"not a consistent WARC record ({exc or type(exc).__name__})") from exc
    http = record.http_headers
    status = http.get_statuscode() if http is not None and record.rec_type != "request" else ""
    return Member(
        kind=record.rec_type,
        headers={k.lower(): v for k, v in record.rec_headers.headers},
        status=int(status) if status.isdigit() else 0,
        http_headers=tuple((k, v) for k, v in http.headers) if http is not None else (),
        body=body,
    )


def read_member(raw: bytes) -> Member:
    """One WARC member from exactly its gzip bytes; raises `DamagedMember`."""
    length, content = gunzip_member([raw])
    if len(content) > MAX_MEMBER:
        raise DamagedMember("larger than any record this archive writes")
    if length != len(raw):
        raise DamagedMember(f"the record ends after {length} of {len(raw)} bytes")
    return parse_member(content)


def read_metadata(member: Member) -> dict[str, str]:
    """The JSON fields of a metadata member of this archive, all as text; raises `DamagedMember`."""
    try:
        fields = json.loads(member.body)
    except ValueError as exc:
        raise DamagedMember("its metadata is not JSON") from exc
    if member.kind != "metadata" or not isinstance(fields, dict) or not isinstance(fields.get("digest"), str):
        raise DamagedMember("its metadata record is not one of this archive")
    return {str(k): str(v) for k, v in fields.items()}


def charset_of(content_type: str) -> str:
    """The charset named in a Content-Type header, lower case, "" when none."""
    match = re.search(r"charset\s*=\s*[\"']?([\w.:+-]+)", content_type, re.IGNORECASE)
    return match.group(1).lower() if match else ""


def _metadata(capture: Capture, digest: str) -> bytes:
    fields: dict[str, str | tuple[str, ...]] = {
        "digest": digest,
        "url": safe_url(capture.url),
        "final_url": safe_url(capture.final_url),
        "title": capture.title,
        "content_type": capture.content_type,
        "status": str(capture.status),
        "length": str(len(capture.body)),
        "fetched_at": warc_date(capture.fetched_at),
        "via": capture.via,
    }
    if capture.hops:
        fields["hops"] = tuple(_safe_hop(hop) for hop in capture.hops)
    if capture.flags:
        fields["flags"] = capture.flags
    return json.dumps(fields, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _safe_hop(hop: str) -> str:
    """ "<status> <address>" of a redirect, without secrets in the address."""
    status, _, url = hop.partition(" ")
    return f"{status} {safe_url(url)}"


def _gzip_member(record: object) -> bytes:
    out = io.BytesIO()
    WARCWriter(out, gzip=True, warc_version="WARC/1.1").write_record(record)
    return out.getvalue()


def _status_line(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status} Unknown"


def _clean(value: str) -> str:
    """A header value on one line: a line break inside would end the header block."""
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())


def _response_headers(capture: Capture) -> list[tuple[str, str]]:
    kept = [
        (name, _clean(value))
        for name, value in capture.headers
        if name.isascii() and (name.lower() in RESPONSE_HEADERS or name.lower().startswith(RESPONSE_PREFIXES))
    ]
    return [("Content-Type", _clean(capture.content_type)), *kept, ("Content-Length", str(len(capture.body)))]


def _request_headers(uri: str, headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    kept = [(name, _clean(value)) for name, value in headers if name.lower() in REQUEST_HEADERS]
    return [("Host", urlsplit(uri).netloc), *kept]


def _target(uri: str) -> str:
    parts = urlsplit(uri)
    return urlunsplit(("", "", parts.path or "/", parts.query, "")) if parts.netloc else uri

"""Pages of WARC, ARC and WACZ files of any tool, in place; of an archive of s2r also the titles and addresses it noted."""

from __future__ import annotations

import datetime as dt
import io
import json
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from s2r.lang.members import DamagedMember, gunzip_member
from s2r.search.pool_item import Fault, Item, Place

_META_URI = "urn:s2r:meta:"
_BLOCK = 1 << 16
_GZIP = b"\x1f\x8b\x08"
_STARTS = (b"WARC/", b"filedesc://")
_HEADS = 1 << 20  # room for the headers of a record beside its body
_BROKEN = (ArchiveLoadFailed, EOFError, ValueError, zlib.error)
_OWN_HEADERS = frozenset({"content-type", "content-length", "content-encoding", "transfer-encoding"})


def starts_like_warc(path: Path) -> bool:
    """Whether a file of another name is a WARC or ARC file."""
    with path.open("rb") as fh:
        head = fh.read(_BLOCK)
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(31).decompress(head, 16)
        except zlib.error:
            return False
    return head.startswith(_STARTS)


def read_warc(path: Path, source: str, max_body: int, bodies: dict[str, Place]) -> Iterator[Item | Fault]:
    """Items and faults of a WARC file; `bodies` maps payload digests to places, for revisits; raises OSError."""
    with path.open("rb") as fh:
        yield from _read(fh, Place("warc", source, 0, path.stat().st_size), max_body, bodies)


def read_wacz(path: Path, source: str, max_body: int, bodies: dict[str, Place]) -> Iterator[Item | Fault]:
    """Items and faults of the WARC members of a WACZ file; members compressed once more are to be kept, not read in place."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as fh:
            members = sorted((m for m in archive.infolist() if m.filename.endswith((".warc", ".warc.gz"))), key=lambda m: m.filename)
            if not members:
                yield Fault(source, 0, "", "the WACZ file holds no WARC file")
            for member in members:
                if member.compress_type == zipfile.ZIP_STORED:
                    yield from _read(fh, Place("warc", source, _data_start(fh, member), member.file_size), max_body, bodies)
                    continue
                with archive.open(member) as stream, tempfile.TemporaryFile() as scratch:
                    shutil.copyfileobj(stream, scratch)
                    yield from _read(scratch, Place("", source, 0, scratch.tell()), max_body, bodies)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as exc:
        yield Fault(source, 0, "", f"not a readable WACZ file ({exc})")


def read_record(path: Path, place: Place) -> bytes:
    """The decoded body of the record at a place; raises `OSError`, or `ValueError` when it is not there any more."""
    with path.open("rb") as fh:
        fh.seek(place.offset)
        stream: BinaryIO = fh
        if fh.read(len(_GZIP)) == _GZIP:
            stream = io.BytesIO(gunzip_member(_blocks(fh, place.offset, place.offset + place.length))[1])
        else:
            fh.seek(place.offset)
        try:
            body: bytes = next(iter(ArchiveIterator(stream, arc2warc=True))).content_stream().read()
        except (*_BROKEN, StopIteration) as exc:
            raise ValueError(f"the record at byte {place.offset} cannot be read") from exc
    return body


def _data_start(fh: BinaryIO, member: zipfile.ZipInfo) -> int:
    """Where the bytes of a zip member start: after its local header, whose name and extra field have their own lengths."""
    fh.seek(member.header_offset + 26)
    lengths = fh.read(4)
    return member.header_offset + 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")


def _read(fh: BinaryIO, whole: Place, max_body: int, bodies: dict[str, Place]) -> Iterator[Item | Fault]:
    """Items of one WARC stream. A response waits for the metadata record of an s2r archive, which knows its title."""
    waiting: tuple[str, Item] | None = None
    for found in _records(fh, whole, max_body):
        if isinstance(found, Fault):
            yield found
            continue
        record, place = found
        if record.rec_type == "metadata" and waiting:
            waiting = (waiting[0], _with_metadata(record, *waiting))
        if record.rec_type not in ("response", "resource", "revisit"):
            continue
        if waiting:
            yield waiting[1]
        waiting = None
        item = _item(record, place, max_body, bodies)
        if isinstance(item, Fault):
            yield item
        elif item:
            waiting = (record.rec_headers.get_header("WARC-Record-ID") or "", item)
    if waiting:
        yield waiting[1]


def _records(fh: BinaryIO, whole: Place, max_body: int) -> Iterator[tuple[Any, Place] | Fault]:
    """Parsed records with their places, faults for stretches that cannot be parsed."""
    fh.seek(whole.offset)
    if fh.read(len(_GZIP)) == _GZIP:
        yield from _gzip_records(fh, whole, max_body)
        return
    if whole.offset:  # a plain WARC inside of a WACZ
        fh.seek(whole.offset)
        fh, whole = io.BytesIO(fh.read(whole.length)), Place("", whole.file, 0, whole.length)
    fh.seek(0)
    yield from _parsed(fh, whole)


def _gzip_records(fh: BinaryIO, whole: Place, max_body: int) -> Iterator[tuple[Any, Place] | Fault]:
    """Records of gzip members; reading goes on at the next member behind one that is damaged."""
    at, end = whole.offset, whole.offset + whole.length
    while at < end:
        try:
            length, content = gunzip_member(_blocks(fh, at, end), 4 * max_body + _HEADS)
        except DamagedMember as exc:
            yield Fault(whole.file, 0, "", f"unreadable at byte {at}: {exc}")
            at = _next_gzip(fh, at + 1, end)
            continue
        yield from _parsed(io.BytesIO(content), Place(whole.form, whole.file, at, length))
        at += length


def _parsed(stream: BinaryIO, whole: Place) -> Iterator[tuple[Any, Place] | Fault]:
    """Records of an uncompressed stream; only the first one of a member can be read again in place."""
    member = isinstance(stream, io.BytesIO)
    records = ArchiveIterator(stream, check_digests=True, arc2warc=True)
    first = True
    try:
        for record in records:
            if not member:
                yield record, Place(whole.form, whole.file, records.offset, 0)
            else:
                yield record, whole if first else Place("", whole.file, whole.offset, 0)
            first = False
    except _BROKEN:
        yield Fault(whole.file, 0, "", f"unreadable at byte {whole.offset + (0 if member else records.offset)}: not a WARC record")


def _item(record: Any, place: Place, max_body: int, bodies: dict[str, Place]) -> Item | Fault | None:
    """The page of one record, a fault, or None for records that hold no web page (dns and the like)."""
    head, http, source = record.rec_headers.get_header, record.http_headers, place.file
    url = (head("WARC-Target-URI") or "").strip("<> ")
    if not url.lower().startswith(("http://", "https://")):
        return None
    digest, at = head("WARC-Payload-Digest") or "", place.offset
    if record.rec_type == "revisit":
        if digest not in bodies:
            return Fault(source, 0, url, f"the body of the revisit at byte {at} is not in the pool")
        body, place = b"", bodies[digest]
    else:
        try:
            body = _read_capped(record.content_stream(), max_body + 1)
        except _BROKEN:
            return Fault(source, 0, url, f"the body of the record at byte {at} cannot be decoded")
        if fault := _body_fault(record, body, max_body):
            return Fault(source, 0, url, f"the record at byte {at} {fault}")
        if digest and place.form:
            bodies.setdefault(digest, place)
    status = http.get_statuscode() if http else "200"
    kind = (http.get_header("Content-Type") if http else head("Content-Type")) or ""
    return Item(
        url=url,
        final_url=url,
        title="",
        content_type=kind,
        body=body,
        place=place,
        source=source,
        status=int(status) if status.isdigit() else 0,
        headers=tuple((k, v) for k, v in http.headers if k.lower() not in _OWN_HEADERS) if http else (),
        fetched_at=_time(head("WARC-Date") or ""),
    )


def _body_fault(record: Any, body: bytes, max_body: int) -> str:
    if len(body) > max_body:
        return f"is larger than the cap of {max_body} bytes"
    while record.raw_stream.read(_BLOCK):
        pass  # what a decoder left over, so that the digest is complete
    if getattr(record.raw_stream, "limit", 0) > 0:
        return "is cut off"
    if any(problem.startswith("block digest failed") for problem in record.digest_checker.problems):
        return "does not match its own digest"
    return ""


def _read_capped(stream: Any, cap: int) -> bytes:
    out = bytearray()
    while len(out) < cap and (block := stream.read(min(_BLOCK, cap - len(out)))):
        out += block
    return bytes(out)


def _with_metadata(record: Any, record_id: str, item: Item) -> Item:
    """`item` with the address, title and type that the archive of s2r noted for it."""
    head = record.rec_headers.get_header
    if not (head("WARC-Target-URI") or "").startswith(_META_URI) or head("WARC-Concurrent-To") != record_id:
        return item
    try:
        known = json.loads(_read_capped(record.content_stream(), _HEADS))
        texts = {key: known[key] for key in ("url", "final_url", "title", "content_type") if isinstance(known.get(key), str)}
    except (ValueError, AttributeError, TypeError):
        return item
    return replace(item, **texts)


def _time(text: str) -> dt.datetime | None:
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else None


def _blocks(fh: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    fh.seek(start)
    while start < end and (block := fh.read(min(_BLOCK, end - start))):
        start += len(block)
        yield block


def _next_gzip(fh: BinaryIO, start: int, end: int) -> int:
    """Offset of the next bytes that start a readable gzip member, `end` when there are none."""
    at, tail = start, b""
    for block in _blocks(fh, start, end):
        joined, base = tail + block, at - len(tail)
        found = joined.find(_GZIP)
        while found >= 0:
            if _opens(fh, base + found, end):
                return base + found
            found = joined.find(_GZIP, found + 1)
        fh.seek(at + len(block))
        at, tail = at + len(block), joined[-2:]
    return end


def _opens(fh: BinaryIO, at: int, end: int) -> bool:
    """Whether a WARC record starts in the gzip stream at `at`."""
    try:
        return zlib.decompressobj(31).decompress(next(_blocks(fh, at, end)), 8).startswith(b"WARC/")
    except (zlib.error, StopIteration):
        return False

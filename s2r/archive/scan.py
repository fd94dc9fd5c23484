"""Read WARC files without an index: find whole captures, damaged stretches, and a torn tail."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from s2r.archive.index import Damage, Row, WarcFile
from s2r.archive.warc import Member, charset_of, parse_member, read_metadata
from s2r.lang.members import DamagedMember, gunzip_member

_MAGIC = b"\x1f\x8b\x08\x00\x00\x00\x00\x00"  # deflate, no flags, no time: how every member of this archive starts
_BLOCK = 1 << 16


@dataclass(slots=True)
class Scan:
    """Whole captures of a file from `start` on; `end` is where the last whole one ends, `size` where the file ends."""

    file: WarcFile
    rows: list[Row] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    end: int = 0
    size: int = 0
    cause: str = ""  # why the bytes from `end` to `size` are not a capture


@dataclass(slots=True)
class _Group:
    """Members of the capture being read."""

    start: int
    first: Member | None = None
    first_length: int = 0
    fault: str = ""
    kinds: list[str] = field(default_factory=list)


def blocks_at(fh: BinaryIO, offset: int) -> Iterator[bytes]:
    """Blocks of a file from `offset` to its end."""
    fh.seek(offset)
    while block := fh.read(_BLOCK):
        yield block


def scan_file(path: Path, known: WarcFile | None = None) -> Scan:
    """Scan `path` from the committed length of `known` (from 0 without it); raises OSError only."""
    size = path.stat().st_size
    with path.open("rb") as fh:
        scan = Scan(known or WarcFile(path.name, 0, 0, ""), end=known.committed if known else 0, size=size)
        _scan(fh, scan)
    scan.file = WarcFile(path.name, scan.end, scan.file.head, scan.file.head_sha256)
    return scan


def _scan(fh: BinaryIO, scan: Scan) -> None:
    at, group = scan.end, _Group(scan.end)
    while at < scan.size:
        try:
            length, content = gunzip_member(blocks_at(fh, at))
            member = parse_member(content)
        except DamagedMember as exc:
            after = _next_member(fh, at + 1)
            if after < 0:
                scan.cause = str(exc)
                return
            group.fault = group.fault or f"unreadable between bytes {at} and {after}: {exc}"
            at = after
            continue
        group = _take(fh, scan, group, member, (at, length))
        at += length
    if scan.end < scan.size:
        scan.cause = scan.cause or "the capture is incomplete: the file ends before its metadata record"


def _take(fh: BinaryIO, scan: Scan, group: _Group, member: Member, place: tuple[int, int]) -> _Group:
    """Add one readable member; returns the group that the next member belongs to."""
    at, length = place
    end = at + length
    if member.kind == "warcinfo" and at == 0:
        scan.file = WarcFile(scan.file.name, 0, length, _span_sha256(fh, 0, length))
        scan.end = end
        return _Group(end)
    if member.kind in ("response", "revisit"):
        if group.first is not None or group.fault:
            _close_damaged(scan, group, group.fault or "its metadata record is missing", "")
            group = _Group(at)
        group.first, group.first_length = member, length
        group.kinds.append(member.kind)
        return group
    group.kinds.append(member.kind)
    if member.kind != "metadata":
        return group
    try:
        scan.rows.append(_row(fh, scan, group, member, end))
    except DamagedMember as exc:
        _close_damaged(scan, group, group.fault or str(exc), _digest_of(member), _url_of(member))
    scan.end = end
    return _Group(end)


def _row(fh: BinaryIO, scan: Scan, group: _Group, member: Member, end: int) -> Row:
    first, meta = group.first, read_metadata(member)
    if group.fault:
        raise DamagedMember(group.fault)
    if first is None or member.headers.get("warc-concurrent-to") != first.headers.get("warc-record-id"):
        raise DamagedMember("its response record is missing")
    if first.kind == "response" and first.digest != meta["digest"]:
        raise DamagedMember("its body has another digest")
    if group.kinds != [first.kind, "request", "metadata"]:
        raise DamagedMember("its request record is missing")
    content_type = meta.get("content_type", "")
    return Row(
        digest=meta["digest"],
        url=meta.get("url", ""),
        final_url=meta.get("final_url", ""),
        title=meta.get("title", ""),
        content_type=content_type,
        charset=charset_of(content_type),
        warc=scan.file.name,
        offset=group.start,
        length=group.first_length,
        captured_at=_time(meta.get("fetched_at", "")),
        kind=first.kind,
        span=end - group.start,
        span_sha256=_span_sha256(fh, group.start, end - group.start),
        via=meta.get("via", ""),
    )


def _time(text: str) -> dt.datetime:
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError as exc:
        raise DamagedMember(f"its capture time is not a time ({text!r})") from exc


def _close_damaged(scan: Scan, group: _Group, cause: str, digest: str, url: str = "") -> None:
    if not digest and group.first is not None and group.first.kind == "response":
        digest = group.first.digest
    if not url and group.first is not None:
        url = group.first.headers.get("warc-target-uri", "")
    scan.damage.append(Damage(scan.file.name, group.start, digest, url, cause))


def _digest_of(member: Member) -> str:
    uri = member.headers.get("warc-target-uri", "")
    return "sha256:" + uri.rpartition(":")[2] if uri.startswith("urn:s2r:meta:") else ""


def _url_of(member: Member) -> str:
    try:
        return read_metadata(member).get("url", "")
    except DamagedMember:
        return ""


def _span_sha256(fh: BinaryIO, offset: int, length: int) -> str:
    """sha256 of a stretch of a file, in hex; a short file gives the digest of what is there."""
    digest, left = hashlib.sha256(), length
    for block in blocks_at(fh, offset):
        digest.update(block[:left])
        left -= len(block[:left])
        if left <= 0:
            break
    return digest.hexdigest()


def _next_member(fh: BinaryIO, start: int) -> int:
    """Offset of the next byte sequence that starts a member, -1 when there is none."""
    fh.seek(start)
    at, tail = start, b""
    while block := fh.read(_BLOCK):
        found = (tail + block).find(_MAGIC)
        if found >= 0:
            return at - len(tail) + found
        at += len(block)
        tail = (tail + block)[-(len(_MAGIC) - 1) :]
    return -1

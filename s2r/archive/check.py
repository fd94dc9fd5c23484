"""Find every damage in an archive and name the digests it affects: flipped bytes, cuts, missing members and files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from s2r.archive.index import Index, Row, WarcFile
from s2r.archive.lock import NAME as LOCK_NAME
from s2r.archive.lock import is_live, read_holder
from s2r.archive.scan import scan_file
from s2r.archive.warc import Member, parse_member, read_member, read_metadata
from s2r.lang.members import DamagedMember, gunzip_member


@dataclass(frozen=True, slots=True)
class Problem:
    """One damage; `digest` and `url` are "" where it concerns no single capture."""

    digest: str
    url: str
    warc: str
    offset: int
    cause: str


def read_exact(path: Path, offset: int, length: int) -> bytes:
    """Bytes of a stretch of a file; raises `DamagedMember` when the file is missing or ends before it."""
    try:
        with path.open("rb") as fh:
            fh.seek(offset)
            raw = fh.read(length)
    except FileNotFoundError as exc:
        raise DamagedMember(f"its WARC file {path.name} is missing") from exc
    except OSError as exc:
        raise DamagedMember(f"its WARC file {path.name} cannot be read ({exc.strerror})") from exc
    if len(raw) < length:
        raise DamagedMember(f"{path.name} ends at byte {offset + len(raw)}, before the record at {offset} does")
    return raw


def read_response(folder: Path, row: Row) -> Member:
    """The response member of a row, its digests checked against record and index; raises `DamagedMember`."""
    return response_of(row, read_exact(folder / row.warc, row.offset, row.length))


def response_of(row: Row, raw: bytes) -> Member:
    """The same from the bytes of the member, wherever they come from."""
    member = read_member(raw)
    if member.kind != "response":
        raise DamagedMember(f"{row.warc} holds a {member.kind} record at byte {row.offset}")
    if member.digest != row.digest:
        raise DamagedMember(f"the body at byte {row.offset} of {row.warc} has digest {member.digest}")
    return member


def check_span(folder: Path, row: Row) -> str:
    """What is wrong with the bytes of one capture, "" when nothing: as written, readable, and as the index says."""
    try:
        raw = read_exact(folder / row.warc, row.offset, row.span)
        return _compare(row, _members(raw), raw)
    except DamagedMember as exc:
        return str(exc)


def check_archive(folder: Path, index: Index) -> Iterator[Problem]:
    """All damage, file by file in order; reads every byte once, and damaged files twice."""
    files = index.files()
    holder = read_holder(folder / LOCK_NAME)
    busy = bool(holder) and holder.get("pid") != os.getpid() and is_live(holder)  # its put may be half way, which is no damage
    for file in files.values():
        yield from _check_file(folder, index, file, busy)
    for damage in index.damages():
        if not any(_is_sound(folder, row) for row in index.responses(damage.digest)):
            yield Problem(damage.digest, damage.url, damage.warc, damage.offset, damage.cause)
    for path in sorted(folder.glob("*.warc.gz")):
        if path.name not in files:
            yield Problem("", "", path.name, 0, "the file is not in the index; open the archive for writing to take it in")
    yield from _orphans(index)


def _check_file(folder: Path, index: Index, file: WarcFile, busy: bool) -> Iterator[Problem]:
    path, rows = folder / file.name, index.in_file(file.name)
    damaged = [(row, cause) for row in rows if (cause := check_span(folder, row))]
    if damaged:
        moved = _places(path)
        for row, cause in damaged:
            found = moved.get((row.digest, row.url, row.kind))
            note = f"; an intact copy lies at byte {found}, the index is wrong about it" if found not in (None, row.offset) else ""
            yield Problem(row.digest, row.url, row.warc, row.offset, cause + note)
    yield from _check_frame(path, file, busy)


def _check_frame(path: Path, file: WarcFile, busy: bool) -> Iterator[Problem]:
    """Bytes outside of captures: the opening member and the end of the file."""
    try:
        size = path.stat().st_size
        with path.open("rb") as fh:
            head = hashlib.sha256(fh.read(file.head)).hexdigest()
    except OSError as exc:
        yield Problem("", "", file.name, 0, f"the file cannot be read ({exc.strerror})")
        return
    if head != file.head_sha256:
        yield Problem("", "", file.name, 0, "the opening warcinfo record is damaged")
    if size < file.committed:
        yield Problem("", "", file.name, size, f"the file is {file.committed - size} bytes shorter than what was committed")
    if size > file.committed and not busy:
        yield Problem("", "", file.name, file.committed, f"{size - file.committed} bytes after the last committed capture")


def _places(path: Path) -> dict[tuple[str, str, str], int]:
    """Where whole captures lie in a file now."""
    try:
        return {(row.digest, row.url, row.kind): row.offset for row in scan_file(path).rows}
    except OSError:
        return {}


def _orphans(index: Index) -> Iterator[Problem]:
    for row in index.all_rows():
        if row.kind == "revisit" and not index.responses(row.digest):
            yield Problem(row.digest, row.url, row.warc, row.offset, "the record with the body of this revisit is not in the archive")


def _is_sound(folder: Path, row: Row) -> bool:
    return not check_span(folder, row)


def _members(raw: bytes) -> list[Member]:
    members, at = [], 0
    while at < len(raw):
        length, content = gunzip_member([raw[at:]])
        members.append(parse_member(content))
        at += length
    return members


def _compare(row: Row, members: Iterable[Member], raw: bytes) -> str:
    first, *rest = members
    if [first.kind, *(m.kind for m in rest)] != [row.kind, "request", "metadata"]:
        return f"the records at byte {row.offset} of {row.warc} are not those of this capture"
    if row.kind == "response" and first.digest != row.digest:
        return f"the body at byte {row.offset} of {row.warc} has digest {first.digest}"
    meta = read_metadata(rest[-1])
    told = (meta["digest"], meta.get("url"), meta.get("final_url"), meta.get("title"), meta.get("content_type"))
    if told != (row.digest, row.url, row.final_url, row.title, row.content_type):
        return "its metadata record and the index disagree"
    if hashlib.sha256(raw).hexdigest() != row.span_sha256:
        return "its bytes differ from those that were written"
    return ""

"""Read the files of a sealed pool: JSON lines, WARC, WACZ, or a folder of them; every fault is listed, none stops the reading.

Of a JSON line only url, title, content_type, body and local_path are looked at; all other keys are dropped unread.
"""

from __future__ import annotations

import datetime as dt
import gzip
import io
import json
import mimetypes
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, BinaryIO, cast
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from s2r.errors import InputError

KEYS = ("url", "title", "content_type", "body", "local_path")
LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonlines")
WARC_SUFFIXES = (".warc", ".warc.gz", ".wacz")
_META_URI = "urn:s2r:meta:"
_BLOCK = 1 << 16
_OWN_HEADERS = frozenset({"content-type", "content-length", "content-encoding", "transfer-encoding"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One part of a pool that cannot be used: file, line (0 in binary files), URL where known, cause."""

    source: str
    line: int
    url: str
    cause: str

    def __str__(self) -> str:
        where = f"{self.source}:{self.line}" if self.line else self.source
        return f"{where}: {self.cause}" + (f" ({self.url})" if self.url else "")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a body can be read again. `form`: line (JSON line), file (`local_path`), warc; "" when it must be kept."""

    form: str
    file: str = ""
    offset: int = 0
    length: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One page of a pool. `fetched_at` (UTC) is known for WARC records only."""

    url: str
    final_url: str
    title: str
    content_type: str
    body: bytes
    place: Place
    source: str
    line: int = 0
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    fetched_at: dt.datetime | None = None


def pool_files(path: Path) -> tuple[Path, list[Path]]:
    """Base folder and the files of a pool, sorted by name; raises `InputError` when there are none or they are unreadable."""
    if not path.exists():
        raise InputError("there is no such pool", subject=str(path), advice="Give a JSON lines, WARC or WACZ file, or a folder of these.")
    if path.is_file():
        return path.parent, [path]
    inner = path / "archive" if (path / "archive").is_dir() else path
    files = sorted(p for p in inner.rglob("*") if p.name.lower().endswith(LINE_SUFFIXES + WARC_SUFFIXES) and p.is_file())
    if not files:
        raise InputError("the folder holds no JSON lines, WARC or WACZ file", subject=str(path))
    return path, files


def read_pool(base: Path, files: list[Path], max_body: int) -> Iterator[Item | Fault]:
    """Items and faults of all files in order; `max_body` in bytes. Raises `InputError` when a file cannot be opened."""
    bodies: dict[str, Place] = {}
    for path in files:
        name, source = path.name.lower(), path.relative_to(base).as_posix()
        try:
            if name.endswith(".wacz"):
                yield from _read_wacz(path, source, max_body, bodies)
            elif name.endswith(WARC_SUFFIXES) or _starts_like_warc(path):
                with path.open("rb") as fh:
                    yield from _read_warc(fh, source, max_body, bodies, keep=False)
            else:
                yield from _read_lines(path, source, max_body)
        except OSError as exc:
            raise InputError(f"cannot be read: {exc.strerror or exc}", subject=str(path)) from exc


def read_place(base: Path, place: Place) -> bytes:
    """The body at a place; raises `OSError`, or `ValueError` when the file no longer holds it."""
    path = base / place.file
    if place.form == "file":
        return path.read_bytes()
    with path.open("rb") as fh:
        fh.seek(place.offset)
        if place.form == "line":
            body = _fields(fh.read(place.length)).get("body")
            if not isinstance(body, str):
                raise ValueError("the line no longer holds this page")
            return text_bytes(body)
        try:
            record = next(iter(ArchiveIterator(fh)))
            body_bytes: bytes = record.content_stream().read()
        except (ArchiveLoadFailed, StopIteration, EOFError, zlib.error) as exc:
            raise ValueError(f"the record at byte {place.offset} cannot be read ({exc})") from exc
    return body_bytes


def text_bytes(text: str) -> bytes:
    """UTF-8 of a text; a half of a surrogate pair, which no encoding can hold, becomes "?"."""
    return text.encode("utf-8", "replace")


def _fields(raw: bytes) -> dict[str, object]:
    """The five known fields of a JSON line; raises `ValueError` with a cause for people."""
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as exc:
        raise ValueError(f"not UTF-8 text (byte {exc.start} of the line)") from exc
    except json.JSONDecodeError as exc:
        raise ValueError(f"not JSON: {exc.msg} at character {exc.pos}") from exc
    except (RecursionError, ValueError) as exc:
        raise ValueError("not JSON that can be read: nested too deep or a number too long") from exc
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return {key: value[key] for key in KEYS if value.get(key) is not None}


def _read_lines(path: Path, source: str, max_body: int) -> Iterator[Item | Fault]:
    zipped = path.name.lower().endswith(".gz")
    longest = 6 * max_body + (1 << 20)  # JSON may write one byte as six characters
    with _open(path) as fh:
        offset = number = 0
        while True:
            try:
                raw = fh.readline(longest + 1)
            except (EOFError, zlib.error, gzip.BadGzipFile) as exc:
                yield Fault(source, number + 1, "", f"the compressed file is damaged from here on ({exc})")
                return
            if not raw:
                return
            number += 1
            start, offset = offset, offset + len(raw)
            if len(raw) > longest:
                yield Fault(source, number, "", f"the line is longer than {longest} bytes")
                offset += _skip_line(fh)
            elif raw.strip():
                yield _line_item(path, number, raw, Place("" if zipped else "line", source, start, len(raw)), max_body)


def _open(path: Path) -> BinaryIO:
    if path.name.lower().endswith(".gz"):
        return cast(BinaryIO, gzip.open(path, "rb"))
    return path.open("rb")


def _skip_line(fh: IO[bytes]) -> int:
    skipped = 0
    while part := fh.readline(1 << 20):
        skipped += len(part)
        if part.endswith(b"\n"):
            break
    return skipped


def _line_item(path: Path, number: int, raw: bytes, place: Place, max_body: int) -> Item | Fault:
    url, source = "", place.file
    try:
        fields = _fields(raw)
        url = _text(fields, "url")
        _check_url(url)
        title, content_type, body = _text(fields, "title"), _text(fields, "content_type"), fields.get("body")
        if body is not None and not isinstance(body, str):
            raise ValueError(f"body is not text but {type(body).__name__}")
        if isinstance(body, str):
            data = text_bytes(body)
            content_type = _text_type(content_type or _guess_text_type(body))
        else:
            local = _local_file(path.parent, _text(fields, "local_path"))
            size = local.stat().st_size
            if size > max_body:
                raise ValueError(f"local_path holds {size} bytes, more than the cap of {max_body}")
            data = local.read_bytes()
            place = Place("file", Path(source).parent.joinpath(_text(fields, "local_path")).as_posix(), 0, size)
            content_type = content_type or _guess_file_type(local, data)
        if len(data) > max_body:
            raise ValueError(f"the body has {len(data)} bytes, more than the cap of {max_body}")
    except (ValueError, OSError) as exc:
        return Fault(source, number, url, str(exc))
    return Item(url, url, title, content_type, data, place, source, number)


def _text(fields: dict[str, object], key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"{key} is not text but {type(value).__name__}")
    return text_bytes(value).decode("utf-8").strip()


def _check_url(url: str) -> None:
    if not url:
        raise ValueError("no url")
    parts = urlsplit(url)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        raise ValueError("url is not an http or https address")


def _local_file(folder: Path, local_path: str) -> Path:
    if not local_path:
        raise ValueError("neither body nor local_path")
    file = (folder / local_path).resolve()
    if not file.is_relative_to(folder.resolve()):
        raise ValueError("local_path leads out of the pool's folder")
    if not file.is_file():
        raise ValueError(f"local_path {local_path} is not a file")
    return file


def _text_type(content_type: str) -> str:
    """The type with the charset in which `text_bytes` writes the body, whatever the page says about itself."""
    return f"{content_type.partition(';')[0].strip()}; charset=utf-8"


def _guess_text_type(body: str) -> str:
    return "text/html" if body.lstrip()[:1] == "<" else "text/plain"


def _guess_file_type(path: Path, data: bytes) -> str:
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _starts_like_warc(path: Path) -> bool:
    with path.open("rb") as fh:
        head = fh.read(_BLOCK)
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(31).decompress(head, 16)
        except zlib.error:
            return False
    return head.startswith(b"WARC/")


class _Window(io.RawIOBase):
    """A stretch of a file that reads like a file of its own but tells offsets of the whole."""

    def __init__(self, fh: IO[bytes], start: int, length: int) -> None:
        self._fh, self._end = fh, start + length
        fh.seek(start)

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._end - self._fh.tell())
        return self._fh.read(left if size < 0 else min(size, left))

    def tell(self) -> int:
        return self._fh.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._fh.seek(offset, whence)

    def seekable(self) -> bool:
        return True


def _read_wacz(path: Path, source: str, max_body: int, bodies: dict[str, Place]) -> Iterator[Item | Fault]:
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as fh:
            members = sorted((m for m in archive.infolist() if m.filename.endswith((".warc", ".warc.gz"))), key=lambda m: m.filename)
            if not members:
                yield Fault(source, 0, "", "the WACZ file holds no WARC file")
            for member in members:
                if member.compress_type == zipfile.ZIP_STORED:
                    yield from _read_warc(_Window(fh, _data_start(fh, member), member.file_size), source, max_body, bodies, keep=False)
                else:
                    with archive.open(member) as stream:
                        yield from _read_warc(stream, source, max_body, bodies, keep=True)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as exc:
        yield Fault(source, 0, "", f"not a readable WACZ file ({exc})")


def _data_start(fh: IO[bytes], member: zipfile.ZipInfo) -> int:
    """Where the bytes of a zip member start: after its local header, whose name and extra field have their own lengths."""
    fh.seek(member.header_offset + 26)
    lengths = fh.read(4)
    return member.header_offset + 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")


def _read_warc(fh: IO[bytes] | _Window, source: str, max_body: int, bodies: dict[str, Place], *, keep: bool) -> Iterator[Item | Fault]:
    """Items of one WARC stream. A response waits for the metadata record of an s2r archive, which knows its title."""
    at = 0 if keep else fh.tell()
    while at >= 0:
        waiting: tuple[str, Item] | None = None
        records = ArchiveIterator(fh, check_digests=True)
        try:
            for record in records:
                at = records.offset
                if record.rec_type == "metadata":
                    if waiting:
                        waiting = (waiting[0], _with_metadata(record, *waiting))
                    continue
                if record.rec_type not in ("response", "resource", "revisit"):
                    continue
                if waiting:
                    yield waiting[1]
                waiting = None
                found = _warc_item(record, Place("" if keep else "warc", source, at), source, max_body, bodies)
                if isinstance(found, Fault):
                    yield found
                elif found:
                    waiting = (record.rec_headers.get_header("WARC-Record-ID") or "", found)
            at = -1
        except (ArchiveLoadFailed, EOFError, ValueError, zlib.error) as exc:
            cause = str(exc).strip().splitlines()[0] if str(exc).strip() else type(exc).__name__
            yield Fault(source, 0, "", f"unreadable at byte {at}: {cause}")
            at = -1 if keep else _next_gzip(fh, at + 1)
        if waiting:
            yield waiting[1]


def _warc_item(record: Any, place: Place, source: str, max_body: int, bodies: dict[str, Place]) -> Item | Fault | None:
    """The page of one record, a fault, or None for records that hold no web page (dns and the like)."""
    head, http = record.rec_headers.get_header, record.http_headers
    url = (head("WARC-Target-URI") or "").strip("<> ")
    if not url.lower().startswith(("http://", "https://")):
        return None
    digest = head("WARC-Payload-Digest") or ""
    if record.rec_type == "revisit":
        if digest not in bodies:
            return Fault(source, 0, url, f"the body of the revisit at byte {place.offset} is not in the pool")
        body, place = b"", bodies[digest]
    else:
        body = _read_capped(record.content_stream(), max_body + 1)
        fault = _body_fault(record, body, place, max_body)
        if fault:
            return Fault(source, 0, url, fault)
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
        fetched_at=_warc_time(head("WARC-Date") or ""),
    )


def _body_fault(record: Any, body: bytes, place: Place, max_body: int) -> str:
    if len(body) > max_body:
        return f"the body at byte {place.offset} is larger than the cap of {max_body} bytes"
    if getattr(record.raw_stream, "limit", 0) > 0:
        return f"the record at byte {place.offset} is cut off"
    if any(problem.startswith("block digest failed") for problem in record.digest_checker.problems):
        return f"the record at byte {place.offset} does not match its own digest"
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
        known = json.loads(_read_capped(record.content_stream(), 1 << 20))
        texts = {key: known[key] for key in ("url", "final_url", "title", "content_type") if isinstance(known.get(key), str)}
    except (ValueError, AttributeError, TypeError):
        return item
    return replace(item, **texts)


def _warc_time(text: str) -> dt.datetime | None:
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else None


def _next_gzip(fh: IO[bytes] | _Window, start: int) -> int:
    """Move to the next bytes that look like a gzip member and return their offset, -1 when there are none."""
    fh.seek(start)
    at, tail = start, b""
    while block := fh.read(_BLOCK):
        found = (tail + block).find(b"\x1f\x8b\x08")
        if found >= 0:
            at = at - len(tail) + found
            fh.seek(at)
            return at
        at, tail = at + len(block), (tail + block)[-2:]
    return -1

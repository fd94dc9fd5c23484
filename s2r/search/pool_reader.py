"""Read the files of a sealed pool: JSON lines, WARC, WACZ, or a folder of them; every fault is listed, none stops the reading.

Of a JSON line only url, title, content_type, body and local_path are looked at; all other keys are dropped unread.
"""

from __future__ import annotations

import gzip
import json
import mimetypes
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast
from urllib.parse import urlsplit

from s2r.errors import InputError
from s2r.search.pool_item import Fault, Item, Place
from s2r.search.pool_warc import read_record, read_wacz, read_warc, starts_like_warc

KEYS = ("url", "title", "content_type", "body", "local_path")
LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonlines")
WARC_SUFFIXES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz")


def pool_files(path: Path) -> tuple[Path, list[Path]]:
    """Base folder and the files of a pool, sorted by name; raises `InputError` when there are none or they are unreadable."""
    if not path.exists():
        raise InputError("there is no such pool", subject=str(path), advice="Give a JSON lines, WARC or WACZ file, or a folder of these.")
    if path.is_file():
        return path.parent, [path]
    inner = path / "archive" if (path / "archive").is_dir() else path
    files = sorted(p for p in inner.rglob("*") if p.name.lower().endswith(LINE_SUFFIXES + WARC_SUFFIXES) and p.is_file())
    if not files:
        raise InputError("the folder holds no JSON lines, WARC, ARC or WACZ file", subject=str(path))
    return path, files


def read_pool(base: Path, files: list[Path], max_body: int) -> Iterator[Item | Fault]:
    """Items and faults of all files in order; `max_body` in bytes. Raises `InputError` when a file cannot be opened."""
    bodies: dict[str, Place] = {}
    for path in files:
        source = path.relative_to(base).as_posix()
        try:
            if path.name.lower().endswith(".wacz"):
                yield from read_wacz(path, source, max_body, bodies)
            elif path.name.lower().endswith(WARC_SUFFIXES) or starts_like_warc(path):
                yield from read_warc(path, source, max_body, bodies)
            else:
                yield from _read_lines(path, source, max_body)
        except OSError as exc:
            raise InputError(f"cannot be read: {exc.strerror or exc}", subject=str(path)) from exc


def read_place(base: Path, place: Place) -> bytes:
    """The body at a place; raises `OSError`, or `ValueError` when the file no longer holds it."""
    path = base / place.file
    if place.form == "file":
        return path.read_bytes()
    if place.form == "warc":
        return read_record(path, place)
    with path.open("rb") as fh:
        fh.seek(place.offset)
        body = _fields(fh.read(place.length)).get("body")
    if not isinstance(body, str):
        raise ValueError("the line no longer holds this page")
    return text_bytes(body)


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

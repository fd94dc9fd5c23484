"""WARC archive of captures: content-addressed put and open, digest checked at every open, repaired after a crash.

Layout: `root`/archive/s2r-<writer>-00001.warc.gz, ... with the offset index in index.db and writer.lock beside them. A capture
is committed by its index row, which is written after the bytes are on disk; bytes without a row are not part of the archive.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import os
import re
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from s2r.archive.check import Problem, check_archive, check_span, read_response, response_of
from s2r.archive.index import NAME as INDEX_NAME
from s2r.archive.index import Index, Repair, Row, WarcFile
from s2r.archive.lock import WriterLock
from s2r.archive.parts import encode_row, storable
from s2r.archive.reading import capture_of, exhibit_of, open_capture, seen_first, sightings_at
from s2r.archive.scan import scan_file
from s2r.archive.warc import Original, encode_warcinfo, sha256
from s2r.errors import IntegrityError, StoreError
from s2r.lang.members import DamagedMember
from s2r.models import Capture, Exhibit

__all__ = ["Archive", "Problem", "Repair"]

MAX_WARC_BYTES = 1_000_000_000  # a file is closed at about 1 GB: common limit of other tools and of file systems
_MOST_AT_ONCE = 16 << 20  # bytes that are written in one go
_ADVICE = "Free space or fix permissions, then run the same command again; nothing half-written is kept."


@dataclass(slots=True)
class _Put:
    """Bytes on their way into the file, and what came of them: a row, an error, or neither where somebody else has brought the same."""

    capture: Capture
    digest: str
    headers: tuple[tuple[str, str], ...]
    span: bytes
    encoded: Row
    done: bool = False
    row: Row | None = None
    failed: StoreError | None = None


class Archive:
    """Archive below `root`. One writer at a time; with `read_only` any number of readers beside it.

    Raises `StoreError` when it cannot be opened or written, `IntegrityError` when stored bytes are not what was stored.
    All methods may be called from any thread.
    """

    def __init__(self, root: Path, *, writer: str = "main", read_only: bool = False, max_warc_bytes: int = MAX_WARC_BYTES) -> None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}", writer):
            raise ValueError(f"writer name {writer!r}: letters, digits, '_', '.', '-' only")
        self.folder = Path(root) / "archive"
        self._prefix, self._max, self._read_only = f"s2r-{writer}-", max_warc_bytes, read_only
        self._mutex = threading.RLock()
        self._puts = deque[_Put]()
        self._current: WarcFile | None = None
        if read_only:
            self._open_read_only()
            return
        with _store_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = WriterLock(self.folder)
        self._release = weakref.finalize(self, lock.release)
        try:
            self._index = Index(self.folder / INDEX_NAME)
            with _store_errors(self.folder):
                self._recover()
        except StoreError:
            self._release()
            raise

    def close(self) -> None:
        """Close the index and give up the writer's lock; safe to call twice."""
        with self._mutex:
            self._index.close()
            if not self._read_only:
                self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        return self._index.count()

    def put(self, capture: Capture, *, request_headers: Iterable[tuple[str, str]] = ()) -> Exhibit:
        """Store one capture and return where it lies; the same capture again returns the same exhibit.

        A body that is already stored for another URL or time is recorded as a revisit. `request_headers` pass a whitelist.
        """
        if self._read_only:
            raise StoreError("is open for reading only", subject=str(self.folder))
        capture, headers = storable(capture), tuple(request_headers)
        digest = sha256(capture.body)
        if (known := self._known(capture, digest)) is not None:
            return known
        return self._together(_Put(capture, digest, headers, *encode_row(capture, digest, None, headers)))

    def adopt(self, row: Row, span: bytes) -> Exhibit:
        """Take in a capture that another process has encoded, as `put` does; raises `IntegrityError` when its bytes are not as written."""
        if hashlib.sha256(span).hexdigest() != row.span_sha256:
            raise IntegrityError("its bytes differ from those that were written", subject=f"{row.warc} ({row.url})")
        with self._mutex:
            sound = next((known for known in self._index.responses(row.digest) if _reads(self.folder, known)), None)
            if sound is None:
                row = self._written([(span, row)])[0]
                return exhibit_of(row, row)
            member = response_of(row, span[: row.length])
        return self.put(capture_of(row, member))

    def _known(self, capture: Capture, digest: str) -> Exhibit | None:
        """The same capture, or the same bytes at another address or time, once they are taken in as a revisit; None for new bytes."""
        if not self._index.responses(digest):
            return None
        with self._mutex:
            sound = next((row for row in self._index.responses(digest) if _reads(self.folder, row)), None)
            if sound is None:
                return None
            for row in self._index.sightings(digest):
                if _same_sighting(row, capture):
                    return exhibit_of(row, sound)
            original = Original(sound.final_url or sound.url, sound.captured_at)
            return exhibit_of(self._written([encode_row(capture, digest, original)])[0], sound)

    def _together(self, put: _Put) -> Exhibit:
        """Write new bytes; who comes first writes and syncs all that has come meanwhile at once."""
        self._puts.append(put)
        with self._mutex:
            if not put.done:
                self._lead()
        if put.failed is not None:
            raise put.failed
        if put.row is None:  # the same bytes came twice at once
            return self.put(put.capture, request_headers=put.headers)
        return exhibit_of(put.row, put.row)

    def _lead(self) -> None:
        """Write what waits, and tell each what came of it."""
        batch, size = list[_Put](), 0
        digests = set[str]()
        while self._puts and size < _MOST_AT_ONCE:
            put = self._puts.popleft()
            if put.digest in digests or any(_reads(self.folder, row) for row in self._index.responses(put.digest)):
                put.done = True
                continue
            digests.add(put.digest)
            batch.append(put)
            size += len(put.span)
        try:
            for put, row in zip(batch, self._written([(put.span, put.encoded) for put in batch]), strict=True):
                put.row = row
        except StoreError as exc:
            for put in batch:
                put.failed = exc
        finally:
            for put in batch:
                put.done = True

    def open(self, digest: str, url: str = "") -> Capture:
        """The stored capture of a body, re-read from its WARC record with all digests checked.

        With `url`, the sighting at that URL (else the first one) gives URL, title, type and time. Raises `IntegrityError`.
        """
        return open_capture(self._index, lambda row: read_response(self.folder, row), digest, url, str(self.folder))

    def exhibit(self, digest: str) -> Exhibit | None:
        """The first sighting of a digest, None when it is not in the archive; the bytes are not read."""
        sightings, bodies = self._index.sightings(digest), self._index.responses(digest)
        return exhibit_of(sightings[0], bodies[0] if bodies else sightings[0]) if sightings else None

    def find_url(self, url: str) -> tuple[Exhibit, ...]:
        """All sightings at a URL, newest first; empty when there are none."""
        return sightings_at(self._index, url)

    def rows(self, digest: str) -> tuple[Row, ...]:
        """All sightings of a digest with their places, oldest first; empty when it is not in the archive."""
        return tuple(self._index.sightings(digest))

    def first_seen(self, digest: str, url: str) -> dt.datetime | None:
        """When the bytes of a digest were first captured at a URL (UTC), None when they never were."""
        return seen_first(self._index, digest, url)

    def is_sound(self, digest: str) -> bool:
        """Whether a body is in the archive and reads as it was stored."""
        return any(_reads(self.folder, row) for row in self._index.responses(digest))

    def exhibits(self) -> Iterator[Exhibit]:
        """All sightings in the order they were archived; bytes are not read."""
        for row in self._index.all_rows():
            yield exhibit_of(row, (self._index.responses(row.digest) or [row])[0])

    def scan(self) -> Iterator[tuple[Exhibit, str]]:
        """Every sighting with what is wrong with its records, "" when they are as written; reads all bytes."""
        for row in self._index.all_rows():
            yield exhibit_of(row, (self._index.responses(row.digest) or [row])[0]), check_span(self.folder, row)

    def problems(self) -> list[Problem]:
        """Every damage of the archive with the digests it affects; empty when it is as written."""
        with self._mutex:
            return list(check_archive(self.folder, self._index))

    def repairs(self) -> list[Repair]:
        """Torn tails that were cut off, with where and why."""
        return self._index.repairs()

    def _written(self, spans: Sequence[tuple[bytes, Row]]) -> list[Row]:
        """The rows in the files to which their bytes were appended, all those of one file at once."""
        done: list[Row] = []
        while todo := spans[len(done) :]:
            file = self._current
            if file is None or (file.committed > file.head and file.committed + len(todo[0][0]) > self._max):
                file = self._start_file(todo[0][1].captured_at)
            placed, end = list[Row](), file.committed
            for span, row in todo:
                if placed and end + len(span) > self._max:
                    break
                placed.append(replace(row, warc=file.name, offset=end))
                end += len(span)
            self._current = self._append(file, b"".join(span for span, _ in todo[: len(placed)]), placed)
            done += placed
        return done

    def _append(self, file: WarcFile, data: bytes, rows: list[Row]) -> WarcFile:
        """Write `data` at the committed end, sync, then commit the rows; on failure the file is cut back."""
        path, grown = self.folder / file.name, WarcFile(file.name, file.committed + len(data), file.head, file.head_sha256)
        with _store_errors(path):
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                os.ftruncate(fd, file.committed)
                _write_all(fd, data, file.committed)
                os.fsync(fd)
                self._index.commit_rows(rows, grown)
            except (OSError, StoreError):
                with contextlib.suppress(OSError):
                    os.ftruncate(fd, file.committed)
                raise
            finally:
                os.close(fd)
        return grown

    def _start_file(self, at: dt.datetime) -> WarcFile:
        taken = [int(m.group(1)) for name in self._names() if (m := re.fullmatch(re.escape(self._prefix) + r"(\d+)\.warc\.gz", name))]
        name = f"{self._prefix}{max(taken, default=0) + 1:05d}.warc.gz"
        head = encode_warcinfo(name, at)
        grown = self._append(WarcFile(name, 0, len(head), hashlib.sha256(head).hexdigest()), head, [])
        with _store_errors(self.folder):
            _sync_folder(self.folder)
        return grown

    def _names(self) -> set[str]:
        return {path.name for path in self.folder.glob("*.warc.gz")} | set(self._index.files())

    def _recover(self) -> None:
        """Take in whole captures the index does not know, cut torn tails off (kept beside the file), pick the file to go on with."""
        known = self._index.files()
        for path in sorted(self.folder.glob("*.warc.gz")):
            file, size = known.get(path.name), path.stat().st_size
            if file and size <= file.committed:
                continue
            self._take_in(path, file)
        own = [f for name, f in self._index.files().items() if re.fullmatch(re.escape(self._prefix) + r"\d+\.warc\.gz", name)]
        last = own[-1] if own else None
        if last and self._is_whole(last):
            self._current = last

    def _take_in(self, path: Path, file: WarcFile | None) -> None:
        scan = scan_file(path, file)
        repair = None
        if scan.end < scan.size:
            repair = Repair(path.name, scan.end, scan.size - scan.end, scan.cause)
            _cut_off(path, scan.end)
        if scan.file.committed == 0 and not scan.rows:  # nothing but a torn first record: the name is free again
            path.unlink()
            return
        self._index.commit_rows(scan.rows, scan.file, scan.damage, repair)

    def _is_whole(self, file: WarcFile) -> bool:
        path = self.folder / file.name
        return path.is_file() and path.stat().st_size == file.committed

    def _open_read_only(self) -> None:
        if not self.folder.is_dir():
            raise StoreError("there is no archive here", subject=str(self.folder))
        path = self.folder / INDEX_NAME
        if path.is_file():
            self._index = Index(path, read_only=True)
            return
        self._index = Index(None)
        with _store_errors(self.folder):
            for warc in sorted(self.folder.glob("*.warc.gz")):
                scan = scan_file(warc)
                self._index.commit_rows(scan.rows, scan.file, scan.damage)


@contextlib.contextmanager
def _store_errors(subject: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(subject), advice=_ADVICE) from exc


def _same_sighting(row: Row, capture: Capture) -> bool:
    return (row.url, row.final_url, row.captured_at) == (capture.url, capture.final_url, capture.fetched_at)


def _reads(folder: Path, row: Row) -> bool:
    try:
        read_response(folder, row)
    except DamagedMember:
        return False
    return True


def _write_all(fd: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(fd, view, offset)
        view, offset = view[written:], offset + written


def _sync_folder(folder: Path) -> None:
    """Make a new file name survive a power cut."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _cut_off(path: Path, end: int) -> None:
    """Truncate to `end`; the dropped bytes are kept in <name>.torn-<end>."""
    with path.open("rb+") as fh:
        fh.seek(end)
        path.with_name(f"{path.name}.torn-{end}").write_bytes(fh.read())
        fh.truncate(end)
        fh.flush()
        os.fsync(fh.fileno())

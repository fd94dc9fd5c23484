"""Archived pages that go with a task: where their bytes lie, in a folder or object store that coordinator and workers share."""

from __future__ import annotations

import datetime as dt
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import fsspec

from s2r.archive import Archive
from s2r.archive.check import read_exact, response_of
from s2r.archive.index import Row
from s2r.archive.reading import open_capture, seen_first, sightings_at
from s2r.archive.warc import Member
from s2r.errors import ConfigError, StoreError
from s2r.lang.members import DamagedMember
from s2r.models import Capture, Exhibit

_KNOWN = 50_000  # places that are remembered; a page whose place was forgotten is brought once more


@lru_cache(maxsize=8)
def file_system(base: str) -> tuple[Any, str]:
    """File system and path of a URL; raises ConfigError when it cannot be used."""
    try:
        opened, path = fsspec.core.url_to_fs(base)
    except (ImportError, ValueError, OSError) as exc:
        raise ConfigError(f"cannot be used: {exc}", subject=base, advice="Install the package that it names, here and on workers.") from exc
    return opened, path.rstrip("/")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The sightings of some bodies, oldest first, in files below `base`. A `Reader` that travels with a task."""

    base: str
    rows: tuple[Row, ...]

    def responses(self, digest: str) -> list[Row]:
        """As `Index.responses`."""
        return [row for row in reversed(self.rows) if row.digest == digest and row.kind == "response"]

    def sightings(self, digest: str) -> list[Row]:
        """As `Index.sightings`."""
        return [row for row in self.rows if row.digest == digest]

    def by_url(self, url: str) -> list[Row]:
        """As `Index.by_url`, of these bodies."""
        return [row for row in reversed(self.rows) if url in (row.url, row.final_url)]

    def open(self, digest: str, url: str = "") -> Capture:
        """As `Archive.open`."""
        return open_capture(self, self._read, digest, url, self.base)

    def find_url(self, url: str) -> tuple[Exhibit, ...]:
        """As `Archive.find_url`, of these bodies."""
        return sightings_at(self, url)

    def first_seen(self, digest: str, url: str) -> dt.datetime | None:
        """As `Archive.first_seen`, of these bodies."""
        return seen_first(self, digest, url)

    def _read(self, row: Row) -> Member:
        fs, root = file_system(self.base)
        try:
            raw = fs.cat_file(f"{root}/{row.warc}", start=row.offset, end=row.offset + row.length)
        except OSError as exc:
            raise DamagedMember(f"{self.base}/{row.warc} cannot be read ({exc.strerror or exc})") from exc
        if len(raw) < row.length:
            raise DamagedMember(f"{row.warc} ends at byte {row.offset + len(raw)}, before the record at {row.offset} does")
        return response_of(row, raw)


class Shelves:
    """What the coordinator lays out for workers, and takes in from them.

    Without `shared` workers see the folder of the archive itself. With it they see only that place: parts that workers have written
    stay there until the run ends, other pages are brought there when a task needs them.
    """

    def __init__(self, archive: Archive, shared: str, token: str) -> None:
        self._archive = archive
        self.base = shared.rstrip("/") or str(archive.folder.resolve())
        self.parts = f"parts-{token}"
        self._shared = bool(shared)
        self._lock = threading.Lock()
        self._there: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._fs, self._root = file_system(self.base)
        if not shared:
            for left in archive.folder.glob("parts-*"):  # by a run that was killed
                self._fs.rm(str(left), recursive=True)
        self.write(f"{self.parts}/coordinator", token.encode())

    def write(self, name: str, data: bytes) -> None:
        """A file below the base; raises StoreError."""
        path = f"{self._root}/{name}"
        try:
            self._fs.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._fs.pipe_file(path, data)
        except OSError as exc:
            raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=f"{self.base}/{name}", advice="See --shared.") from exc

    def lay_out(self, digests: Iterable[str]) -> Shelf:
        """All that the archive knows of some bodies, where workers find it."""
        rows = [row for digest in dict.fromkeys(digests) for row in self._archive.rows(digest)]
        if self._shared:
            rows = [self._brought(row) if row.kind == "response" else row for row in rows]
        return Shelf(self.base, tuple(rows))

    def take_in(self, row: Row) -> None:
        """Copy a part that a worker has written into the archive; raises StoreError, `IntegrityError`."""
        path = f"{self._root}/{row.warc}"
        try:
            span = self._fs.cat_file(path, start=row.offset, end=row.offset + row.span)
        except OSError as exc:
            advice = "Workers must write where the coordinator reads: see --shared."
            raise StoreError(f"cannot be read: {exc.strerror or exc}", subject=f"{self.base}/{row.warc}", advice=advice) from exc
        self._archive.adopt(row, span)
        if self._shared:
            self._remember(row.digest, row.warc, row.offset)
        else:
            self._fs.rm_file(path)

    def clear(self) -> None:
        """Remove what was laid out for this run."""
        self._fs.rm(f"{self._root}/{self.parts}", recursive=True)

    def _brought(self, row: Row) -> Row:
        with self._lock:
            found = self._there.get(row.digest)
        if found is None:
            found = (f"{self.parts}/{row.digest.removeprefix('sha256:')}.warc.gz", 0)
            try:
                self.write(found[0], read_exact(self._archive.folder / row.warc, row.offset, row.span))
            except DamagedMember:
                return row  # whoever reads it says so
            self._remember(row.digest, *found)
        return replace(row, warc=found[0], offset=found[1])

    def _remember(self, digest: str, warc: str, offset: int) -> None:
        with self._lock:
            self._there[digest] = (warc, offset)
            if len(self._there) > _KNOWN:
                self._there.popitem(last=False)

"""The SQLite offset index of an archive: where each capture lies, and how much of each WARC file is committed."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2r.errors import StoreError
from s2r.readonly import open_read_only

NAME = "index.db"
_SCHEMA = """
create table if not exists exhibit(
  id integer primary key, digest text not null, url text not null, final_url text not null, title text not null,
  content_type text not null, charset text not null, warc text not null, offset integer not null, length integer not null,
  captured_at text not null, kind text not null check (kind in ('response', 'revisit')),
  span integer not null, span_sha256 text not null, via text not null);
create index if not exists exhibit_digest on exhibit(digest);
create index if not exists exhibit_url on exhibit(url);
create index if not exists exhibit_final on exhibit(final_url) where final_url <> url;
create index if not exists exhibit_place on exhibit(warc, offset);
create table if not exists warc(name text primary key, committed integer not null, head integer not null, head_sha256 text not null);
create table if not exists damage(
  id integer primary key, warc text not null, offset integer not null, digest text not null, url text not null, cause text not null);
create table if not exists repair(
  id integer primary key, warc text not null, offset integer not null, dropped integer not null, cause text not null);
"""
_COLUMNS = "digest, url, final_url, title, content_type, charset, warc, offset, length, captured_at, kind, span, span_sha256, via"


@dataclass(frozen=True, slots=True)
class Row:
    """One capture. `offset`/`length` bound its response or revisit member, `span` the whole capture from `offset` on
    (response, request, metadata), `span_sha256` its bytes as written."""

    digest: str
    url: str
    final_url: str
    title: str
    content_type: str
    charset: str
    warc: str
    offset: int
    length: int
    captured_at: dt.datetime
    kind: str
    span: int
    span_sha256: str
    via: str


@dataclass(frozen=True, slots=True)
class WarcFile:
    """One WARC file: bytes committed, and length and sha256 of its opening warcinfo member."""

    name: str
    committed: int
    head: int
    head_sha256: str


@dataclass(frozen=True, slots=True)
class Damage:
    """What a rebuild could not read; `digest` and `url` are "" where nothing tells them."""

    warc: str
    offset: int
    digest: str
    url: str
    cause: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A torn tail that was cut off when the archive was opened."""

    warc: str
    offset: int
    dropped: int
    cause: str


class Index:
    """Typed surface over the index file; one connection, usable from any thread. SQLite faults become `StoreError`."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self.path = path
        self._lock = threading.RLock()
        with self._mapped():
            self._db = self._connect(path, read_only)

    def _connect(self, path: Path | None, read_only: bool) -> sqlite3.Connection:
        if path is None:
            db = sqlite3.connect(":memory:", check_same_thread=False)
            db.executescript(_SCHEMA)
            return db
        if read_only:
            return open_read_only(path, "warc")
        db = sqlite3.connect(path, check_same_thread=False, timeout=30)
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=full")
        db.executescript(_SCHEMA)
        return db

    @contextlib.contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except sqlite3.Error as exc:
            raise StoreError(
                f"the archive index cannot be used: {exc}",
                subject=str(self.path or "index in memory"),
                advice=f"Check space and permissions; a damaged {NAME} may be moved away, it is rebuilt from the WARC files.",
            ) from exc

    def close(self) -> None:
        """Close the connection; the write-ahead log is folded in."""
        with self._mapped():
            self._db.close()

    def commit_rows(self, rows: Sequence[Row], file: WarcFile, damage: Iterable[Damage] = (), repair: Repair | None = None) -> None:
        """Record captures, the committed length of their file, and what was found damaged or cut off, in one transaction."""
        with self._mapped(), self._db:
            self._db.executemany(f"insert into exhibit({_COLUMNS}) values ({','.join('?' * 14)})", [_values(r) for r in rows])  # noqa: S608
            self._db.execute("insert or replace into warc values (?,?,?,?)", (file.name, file.committed, file.head, file.head_sha256))
            self._db.executemany(
                "insert into damage(warc, offset, digest, url, cause) values (?,?,?,?,?)",
                [(d.warc, d.offset, d.digest, d.url, d.cause) for d in damage],
            )
            if repair:
                self._db.execute(
                    "insert into repair(warc, offset, dropped, cause) values (?,?,?,?)",
                    (repair.warc, repair.offset, repair.dropped, repair.cause),
                )

    def responses(self, digest: str) -> list[Row]:
        """Stored bodies of a digest, newest first."""
        return list(self._rows("where digest=? and kind='response' order by id desc", (digest,)))

    def sightings(self, digest: str) -> list[Row]:
        """All captures of a digest, oldest first."""
        return list(self._rows("where digest=? order by id", (digest,)))

    def by_url(self, url: str) -> list[Row]:
        """All captures of a URL (as asked for or as answered), newest first."""
        at_end = "select id from exhibit where final_url=? and final_url <> url"  # two searches by index; one `or` would read all rows
        return list(self._rows(f"where id in (select id from exhibit where url=? union {at_end}) order by id desc", (url, url)))  # noqa: S608

    def in_file(self, name: str) -> list[Row]:
        """All captures of one WARC file in file order."""
        return list(self._rows("where warc=? order by offset", (name,)))

    def all_rows(self) -> Iterator[Row]:
        """All captures in the order they were archived, fetched in batches."""
        last = 0
        while True:
            with self._mapped():
                found = self._db.execute(f"select id, {_COLUMNS} from exhibit where id>? order by id limit 1000", (last,)).fetchall()  # noqa: S608
            if not found:
                return
            last = found[-1][0]
            for values in found:
                yield _row(values[1:])

    def files(self) -> dict[str, WarcFile]:
        """The WARC files known to the index, by name."""
        with self._mapped():
            found = self._db.execute("select name, committed, head, head_sha256 from warc order by name").fetchall()
        return {v[0]: WarcFile(*v) for v in found}

    def damages(self) -> list[Damage]:
        """What rebuilds could not read."""
        with self._mapped():
            return [Damage(*v) for v in self._db.execute("select warc, offset, digest, url, cause from damage order by id").fetchall()]

    def repairs(self) -> list[Repair]:
        """Torn tails that were cut off."""
        with self._mapped():
            return [Repair(*v) for v in self._db.execute("select warc, offset, dropped, cause from repair order by id").fetchall()]

    def count(self) -> int:
        """Number of captures."""
        with self._mapped():
            return int(self._db.execute("select count(*) from exhibit").fetchone()[0])

    def _rows(self, where: str, values: tuple[object, ...]) -> Iterator[Row]:
        with self._mapped():
            return iter([_row(v) for v in self._db.execute(f"select {_COLUMNS} from exhibit {where}", values).fetchall()])  # noqa: S608


def _values(row: Row) -> tuple[object, ...]:
    return (
        row.digest, row.url, row.final_url, row.title, row.content_type, row.charset, row.warc, row.offset, row.length,
        row.captured_at.astimezone(dt.UTC).isoformat(), row.kind, row.span, row.span_sha256, row.via,
    )  # fmt: skip


def _row(v: Sequence[object]) -> Row:
    return Row(
        str(v[0]), str(v[1]), str(v[2]), str(v[3]), str(v[4]), str(v[5]), str(v[6]), int(str(v[7])), int(str(v[8])),
        dt.datetime.fromisoformat(str(v[9])), str(v[10]), int(str(v[11])), str(v[12]), str(v[13]),
    )  # fmt: skip

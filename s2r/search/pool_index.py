"""The full-text index of a pool: SQLite FTS5, built aside and renamed when whole, kept by the digest of the pool's files."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import os
import sqlite3
import tempfile
import threading
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from s2r.errors import StoreError
from s2r.search.base import canonical_url
from s2r.search.pool_item import Fault, Item, Place
from s2r.search.pool_reader import read_place, read_pool
from s2r.search.pool_text import SAME, alike_words, body_text, index_text, match_expressions, parse_query, tolerant_word

_VERSION = "2"
_MOST_ALIKE = 20
_LARGE = 2_000  # pages; in smaller pools the ranking of FTS5 costs nothing
_IN_MEMORY = 64 << 20  # pools up to this size are indexed in memory when no folder is given
_SCHEMA = """
create table doc(
  id integer primary key, url text not null, canonical text not null, final_url text not null, title text not null,
  content_type text not null, status integer not null, headers text not null, fetched_at text not null, source text not null,
  line integer not null, form text not null, file text not null, offset integer not null, length integer not null,
  mtime_ns integer not null, size integer not null, sha256 text not null, later integer not null);
create index doc_url on doc(url);
create index doc_canonical on doc(canonical);
create table kept(id integer primary key, body blob not null);
create table fault(source text not null, line integer not null, url text not null, cause text not null);
create table fact(name text primary key, value text not null);
create virtual table page using fts5(title, body, address, content='',
  tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
create virtual table term using fts5vocab(page, row);
"""
_INSERT = "insert into doc values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_DIGESTED = "select url, title, content_type, sha256, case later when 1 then fetched_at else '' end from doc order by id"
_NEVER = dt.datetime.max.replace(tzinfo=dt.UTC)
_FIND = """select doc.url, doc.title from (select rowid, bm25(page, 4.0, 1.0, 0.5) as score from page where page match ?
  order by score, rowid limit ?) as found join doc on doc.id = found.rowid order by found.score, doc.id"""


@dataclass(frozen=True, slots=True)
class Doc:
    """One page of the pool without its body; `fetched_at` is None for pages that are not from a WARC file."""

    id: int
    url: str
    final_url: str
    title: str
    content_type: str
    status: int
    headers: tuple[tuple[str, str], ...]
    fetched_at: dt.datetime | None
    source: str
    line: int
    place: Place
    sha256: str


class PoolIndex:
    """Read side of an index; usable from any thread."""

    def __init__(self, db: sqlite3.Connection, scratch: Path | None = None) -> None:
        self._db, self._scratch, self._lock = db, scratch, threading.RLock()

    def close(self) -> None:
        """Close the index and remove it if it was made for this process only."""
        with self._lock:
            self._db.close()
            if self._scratch:
                self._scratch.unlink(missing_ok=True)

    def find(self, text: str, limit: int) -> list[tuple[str, str]]:
        """(url, title) of the best pages for a query, best first; any text is accepted."""
        found: dict[str, str] = {}
        if self.count() > _LARGE and (few := self._few(text, limit)) is not None:
            found = few
        else:
            for expression in match_expressions(text):
                if len(found) < limit:
                    found |= self._new(expression, limit, found)
        if len(found) < limit and (word := tolerant_word(text)) and (alike := self._alike(word)):
            found |= self._new(" OR ".join(f'"{term}"' for term in alike), limit, found)
        return list(found.items())[:limit]

    def _few(self, text: str, limit: int) -> dict[str, str] | None:
        """Title by address of all pages that have the quoted phrases of a query, when they are few, those with most of its other words
        first; None when they are many, or nothing is quoted. The ranking of FTS5 looks at every page that has one of the words; without
        it a query to a large pool takes no longer than one to a small one."""
        phrases, words = parse_query(text)
        if not phrases:
            return None
        must = " AND ".join(phrases)
        with self._lock:
            rows = self._db.execute("select rowid from page where page match ? limit ?", (must, limit + 1)).fetchall()
            if len(rows) > limit:
                return None
            held = Counter(row[0] for row in rows)
            for word in words:
                held.update(row[0] for row in self._db.execute("select rowid from page where page match ?", (f"({must}) AND {word}",)))
            best = sorted(held, key=lambda number: (-held[number], number))
            sql = f"select id, url, title from doc where id in ({','.join('?' * len(best))})"  # noqa: S608 - places for values
            named = {number: (url, title) for number, url, title in self._db.execute(sql, best)}
        found: dict[str, str] = {}
        for url, title in (named[number] for number in best):
            found.setdefault(url, title)
        return found

    def _new(self, expression: str, limit: int, found: dict[str, str]) -> dict[str, str]:
        with self._lock:
            rows = self._db.execute(_FIND, (expression, limit)).fetchall()
        new: dict[str, str] = {}
        for url, title in rows:
            if url not in found:
                new.setdefault(url, title)  # the best of the captures of an address
        return new

    def _alike(self, word: str) -> list[str]:
        """Words of the pool that are inflected or differently spelled forms of `word`: same first three letters, and rare, since
        a word of many pages is a word of the language ("standard" is no other spelling of "Stannard")."""
        start, most = word[:SAME], 2 + self.count() // 100
        with self._lock:
            rows = self._db.execute(
                "select term from term where term >= ? and term < ? and doc <= ?", (start, start + "\U0010ffff", most)
            ).fetchall()
        return alike_words(word, (term for (term,) in rows))[:_MOST_ALIKE]

    def get(self, url: str, *, digest: str = "", by: dt.datetime | None = None) -> Doc | None:
        """The page at an address, else one whose address differs only in ways that do not matter.

        Of several captures: the earliest of the bytes with SHA-256 `digest` (hex), None without such; else the last one at or before
        `by` (UTC); else the first one read.
        """
        with self._lock:
            rows = self._db.execute("select * from doc where url=? order by id", (url,)).fetchall()
            rows = rows or self._db.execute("select * from doc where canonical=? order by id", (canonical_url(url),)).fetchall()
        docs = [_doc(row) for row in rows]
        if digest:
            docs = [doc for doc in docs if doc.sha256 == digest]
            return min(docs, key=lambda doc: (doc.fetched_at or _NEVER, doc.id), default=None)
        before = [doc for doc in docs if by and doc.fetched_at and doc.fetched_at <= by]
        return max(before, key=lambda doc: (doc.fetched_at or _NEVER, doc.id)) if before else (docs[0] if docs else None)

    def kept_body(self, doc: Doc) -> bytes | None:
        """A body that cannot be read again from the pool's files (compressed ones)."""
        with self._lock:
            row = self._db.execute("select body from kept where id=?", (doc.id,)).fetchone()
        return zlib.decompress(row[0]) if row else None

    def faults(self) -> tuple[Fault, ...]:
        """All parts of the pool that were not usable, in reading order."""
        with self._lock:
            return tuple(Fault(*row) for row in self._db.execute("select source, line, url, cause from fault order by rowid").fetchall())

    def urls(self) -> tuple[str, ...]:
        """Addresses of all pages in reading order."""
        with self._lock:
            return tuple(row[0] for row in self._db.execute("select url from doc where later=0 order by id").fetchall())

    def digest(self) -> str:
        """SHA-256 over the addresses, titles, types and bodies of all pages in reading order; file names are not in it, times only of
        further captures of an address."""
        found = hashlib.sha256()
        with self._lock:
            for row in self._db.execute(_DIGESTED):
                found.update("\x1f".join(map(str, row)).encode("utf-8", "replace") + b"\n")
        return found.hexdigest()

    def count(self) -> int:
        """Number of pages; counted once, as nothing is written to an index that is open for reading."""
        return self._count

    @cached_property
    def _count(self) -> int:
        with self._lock:
            return int(self._db.execute("select count(*) from doc where later=0").fetchone()[0])

    def is_current(self, base: Path) -> bool:
        """Whether files named by `local_path` are as they were when the index was built."""
        with self._lock:
            rows = self._db.execute("select distinct file, mtime_ns from doc where form='file'").fetchall()
        return all(_mtime(base / file) == mtime for file, mtime in rows)


def open_index(base: Path, files: list[Path], folder: Path | None, max_body: int) -> PoolIndex:
    """The index of a pool from `folder`, built there (or in memory, or in a scratch file) when it is missing or out of date."""
    if folder is None:
        if sum(f.stat().st_size for f in files) <= _IN_MEMORY:
            db = sqlite3.connect(":memory:", check_same_thread=False)
            _build(db, base, files, max_body)
            return PoolIndex(db)
        fd, name = tempfile.mkstemp(prefix="s2r-pool-", suffix=".db")
        os.close(fd)
        db = sqlite3.connect(name, check_same_thread=False)
        _build(db, base, files, max_body)
        return PoolIndex(db, Path(name))
    path = folder / f"{pool_digest(base, files, max_body)[:32]}.db"
    found = _open_built(path, base)
    if found:
        return found
    try:
        _build_file(path, base, files, max_body)
    except (OSError, sqlite3.OperationalError) as exc:
        raise StoreError(
            f"the index of the pool cannot be written: {exc}", subject=str(path), advice="Free space or fix permissions."
        ) from exc
    found = _open_built(path, base)
    if not found:
        raise StoreError("the pool changed while its index was built", subject=str(base), advice="Run again when it is at rest.")
    return found


def pool_digest(base: Path, files: list[Path], max_body: int) -> str:
    """sha256 in hex over names, sizes, times and contents of the pool's files, and what else shapes the index."""
    digest = hashlib.sha256(f"{_VERSION}\n{max_body}\n{base.resolve()}\n".encode())
    for path in files:
        stat = path.stat()
        with path.open("rb") as fh:
            content = hashlib.file_digest(fh, "sha256").hexdigest()
        digest.update(f"{path.relative_to(base).as_posix()}\n{stat.st_size}\n{stat.st_mtime_ns}\n{content}\n".encode())
    return digest.hexdigest()


def _open_built(path: Path, base: Path) -> PoolIndex | None:
    """A whole index, None when there is none or it is damaged or out of date."""
    if not path.is_file():
        return None
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    try:
        whole = db.execute("select value from fact where name='complete'").fetchone() == (_VERSION,)
        index = PoolIndex(db)
        if whole and index.is_current(base):
            return index
    except sqlite3.DatabaseError:
        pass  # a damaged index is built again
    db.close()
    return None


def _build_file(path: Path, base: Path, files: list[Path], max_body: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temp = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        db = sqlite3.connect(temp)
        with contextlib.closing(db):
            _build(db, base, files, max_body)
        with temp.open("rb+") as fh:
            os.fsync(fh.fileno())
        temp.replace(path)
    finally:
        temp.unlink(missing_ok=True)


def _build(db: sqlite3.Connection, base: Path, files: list[Path], max_body: int) -> None:
    db.execute("pragma journal_mode=off")  # a build that fails is thrown away as a whole
    db.execute("pragma synchronous=off")
    db.executescript(_SCHEMA)
    for number, item in enumerate(_unique(read_pool(base, files, max_body)), start=1):
        if isinstance(item, Fault):
            db.execute("insert into fault values (?,?,?,?)", (item.source, item.line, item.url, item.cause))
        else:
            _add(db, number, item, base)
    db.execute("insert into page(page) values ('optimize')")
    db.execute("insert into fact values ('complete', ?)", (_VERSION,))
    db.commit()


def _unique(found: Iterator[Item | Fault]) -> Iterator[Item | Fault]:
    """The first page at each address and all captures of it with a time of their own; other later ones become faults."""
    seen: dict[str, tuple[str, int]] = {}
    for item in found:
        if isinstance(item, Fault):
            yield item
        elif item.url in seen and item.fetched_at is not None:
            yield replace(item, later=True)
        elif item.url in seen:
            source, line = seen[item.url]
            first = f"line {line} of {source}" if line else source
            yield Fault(item.source, item.line, item.url, f"the same url came before, in {first}: the first one is used")
        else:
            seen[item.url] = (item.source, item.line)
            yield item


def _add(db: sqlite3.Connection, number: int, item: Item, base: Path) -> None:
    place, body = item.place, item.body
    if not body and place.form == "warc":  # a revisit: its body is that of an earlier record
        body = read_place(base, place)
    mtime, digest = _mtime(base / place.file) if place.form == "file" else 0, hashlib.sha256(body).hexdigest()
    again = item.later and db.execute("select 1 from doc where url=? and sha256=?", (item.url, digest)).fetchone()
    db.execute(
        _INSERT,
        (
            number, item.url, canonical_url(item.url), item.final_url, item.title, item.content_type, item.status, json.dumps(item.headers),
            item.fetched_at.isoformat() if item.fetched_at else "", item.source, item.line, place.form, place.file, place.offset,
            place.length, mtime, len(body), digest, int(item.later),
        ),
    )  # fmt: skip
    if not place.form:
        db.execute("insert into kept values (?,?)", (number, zlib.compress(body, 3)))
    if 200 <= item.status < 300 and not again:
        texts = [index_text(t) for t in (item.title, body_text(body, item.content_type), item.url.partition("://")[2])]
        db.execute("insert into page(rowid, title, body, address) values (?,?,?,?)", (number, *texts))


def _mtime(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1


def _doc(row: tuple[object, ...]) -> Doc:
    (number, url, _, final_url, title, kind, status, headers, fetched, source, line, form, file, offset, length, _, _, digest, _) = row
    return Doc(
        id=int(str(number)),
        url=str(url),
        final_url=str(final_url),
        title=str(title),
        content_type=str(kind),
        status=int(str(status)),
        headers=tuple((str(k), str(v)) for k, v in json.loads(str(headers))),
        fetched_at=dt.datetime.fromisoformat(str(fetched)) if fetched else None,
        source=str(source),
        line=int(str(line)),
        place=Place(str(form), str(file), int(str(offset)), int(str(length))),
        sha256=str(digest),
    )

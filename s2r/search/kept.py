"""Searches that a run folder keeps: an answer that was paid for is not paid for twice, and an archive repeats its run offline.

One SQLite file beside the WARC files. It holds answers by provider and query, what came of the search for each listing, and the
pages that could not be had. No key, no header and no address of a service is in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import ParamSpec, Self, TypeVar
from weakref import WeakValueDictionary

from pydantic import ValidationError

from s2r.errors import StoreError
from s2r.models import Gap, Listing, Query
from s2r.models.listing import Frozen
from s2r.policy import Policy
from s2r.readonly import open_read_only
from s2r.search.base import Provider, SearchAnswer, State
from s2r.search.source import Source

NAME = "searches.db"
_SCHEMA = """
create table if not exists answer(key text primary key, provider text not null, question text not null, at text not null,
  answer text not null) without rowid;
create table if not exists outcome(key text primary key, at text not null, outcome text not null) without rowid;
create table if not exists page(key text primary key, url text not null, at text not null, digest text not null, title text not null)
  without rowid;
create table if not exists used(key text primary key, at text not null, used text not null) without rowid;
create table if not exists missing(key text primary key, at text not null, gap text not null) without rowid;
create table if not exists gap(url text primary key, at text not null, gap text not null) without rowid;
"""
_APART = {"row_id", "row_number", "extra", "venue_note"}  # fields of a listing that change no search
Value = TypeVar("Value", bound=Frozen)
P = ParamSpec("P")
Made = TypeVar("Made")
_ADVICE = "Free space or fix permissions, then repeat the same command; a damaged file may be moved away, its searches are made anew."


class Used(Frozen):
    """What came for the pages of one row: digests ("sha256:<hex>") of bodies by address, and the gaps."""

    pages: dict[str, str]
    gaps: tuple[Gap, ...] = ()


class Kept:
    """The kept searches of one archive; usable from any thread. Raises `StoreError` when the file cannot be used."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.path = folder / NAME
        self._lock = threading.RLock()
        with self._mapped():
            if read_only:
                self._db = open_read_only(self.path, "outcome")
                self._has_used = self._db.execute("select 1 from sqlite_master where name='used'").fetchone() is not None
                return
            self._has_used = True
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, check_same_thread=False, timeout=30)
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=normal")  # `keep_used`, the last of a row, syncs all that came before
            self._db.executescript(_SCHEMA)

    @classmethod
    def beside(cls, pool: Path) -> Self | None:
        """The kept searches of a pool that is a run folder or the archive in it, None when it has none."""
        for folder in (pool / "archive", pool):
            if (folder / NAME).is_file():
                return cls(folder, read_only=True)
        return None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def answer(self, provider: str, question: str, since: dt.datetime | None) -> SearchAnswer | None:
        """The answer that was kept for a question, None when there is none or it is older than `since`."""
        found = self._one("select answer, at from answer where key=?", _key(provider, question))
        if found is None or (since and dt.datetime.fromisoformat(found[1]) < since):
            return None
        return _read(SearchAnswer, found[0])

    def keep_answer(self, provider: str, question: str, answer: SearchAnswer, at: dt.datetime) -> None:
        """Keep an answer; one that failed is none and is not kept."""
        if answer.state is not State.FAILED:
            row = (_key(provider, question), provider, question, _stamp(at), answer.model_dump_json())
            self._write("insert or replace into answer values (?,?,?,?,?)", row)

    def outcome(self, listing: Listing, queries: Sequence[Query]) -> str | None:
        """What came of the search for a listing by these queries (JSON of a `SearchOutcome`), None when it was not made."""
        found = self._one("select outcome from outcome where key=?", _row_key(listing, queries))
        return found[0] if found else None

    def keep_outcome(self, listing: Listing, queries: Sequence[Query], outcome: Frozen, at: dt.datetime) -> None:
        """Keep what came of the search for a listing, in place of what came of an earlier one."""
        row = (_row_key(listing, queries), _stamp(at), outcome.model_dump_json())
        self._write("insert or replace into outcome values (?,?,?)", row)

    def used(self, listing: Listing, queries: Sequence[Query], *, point_in_time: bool) -> Used | None:
        """The pages that a row was judged by, None when it was not, or by a version that did not keep them."""
        if not self._has_used:
            return None
        found = self._one("select used from used where key=?", _used_key(listing, queries, point_in_time))
        return _read(Used, found[0]) if found else None

    def keep_used(self, listing: Listing, queries: Sequence[Query], used: Used, at: dt.datetime, *, point_in_time: bool) -> None:
        """Keep the pages that a row is judged by, in place of those of an earlier time."""
        row = (_used_key(listing, queries, point_in_time), _stamp(at), used.model_dump_json())
        with self._lock:
            self._db.execute("pragma synchronous=full")
            self._write("insert or replace into used values (?,?,?)", row)
            self._db.execute("pragma synchronous=normal")

    def page(self, fetcher: str, url: str, since: dt.datetime | None) -> tuple[str, str] | None:
        """Digest and title of what came for an address through a fetcher, None when nothing did since `since`."""
        found = self._one("select digest, title, at from page where key=?", _key(fetcher, url))
        if found is None or (since and dt.datetime.fromisoformat(found[2]) < since):
            return None
        return found[0], found[1]

    def keep_page(self, fetcher: str, url: str, digest: str, title: str, at: dt.datetime) -> None:
        """Keep which archived body came for an address; `at` is the time of asking, which for a copy of a web archive is not its own."""
        self._write("insert or replace into page values (?,?,?,?,?)", (_key(fetcher, url), url, _stamp(at), digest, title))

    def gap(self, url: str) -> Gap | None:
        """Why a page could not be had when it was last asked for, None when nothing is known of that."""
        found = self._one("select gap from gap where url=?", url)
        return _read(Gap, found[0]) if found else None

    def missing(self, fetcher: str, url: str, since: dt.datetime | None) -> Gap | None:
        """Why a page could not be had through a fetcher since `since`, None when it was not asked for or may be had another time."""
        found = self._one("select gap, at from missing where key=?", _key(fetcher, url))
        gap = _read(Gap, found[0]) if found and not (since and dt.datetime.fromisoformat(found[1]) < since) else None
        return None if gap is None or gap.passing else gap

    def keep_gap(self, gap: Gap, at: dt.datetime, fetcher: str = "") -> None:
        """Keep why a page could not be had through a fetcher."""
        stamp, told = _stamp(at), gap.model_dump_json()
        with self._mapped(), self._db:
            self._db.execute("insert or replace into missing values (?,?,?)", (_key(fetcher, gap.url), stamp, told))
            self._db.execute("insert or replace into gap values (?,?,?)", (gap.url, stamp, told))

    def digest(self) -> str:
        """SHA-256 in hex of what a run over this archive repeats: outcomes, pages by row and gaps, without their times."""
        found = hashlib.sha256()
        with self._mapped():
            used = ("select key, used from used order by key",) if self._has_used else ()
            for sql in ("select key, outcome from outcome order by key", "select url, gap from gap order by url", *used):
                for row in self._db.execute(sql):
                    found.update("\x1f".join(row).encode("utf-8", "replace") + b"\n")
        return found.hexdigest()

    async def at_once(self, act: Callable[P, Made], *args: P.args, **kwargs: P.kwargs) -> Made:
        """What a method of this gives; here, unless a thread syncs the file just now: writes that are not synced take microseconds."""
        if not self._lock.acquire(blocking=False):
            return await asyncio.to_thread(act, *args, **kwargs)
        try:
            return act(*args, **kwargs)
        finally:
            self._lock.release()

    @contextlib.contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except (sqlite3.Error, OSError) as exc:
            raise StoreError(f"the kept searches cannot be used: {exc}", subject=str(self.path), advice=_ADVICE) from exc

    def _one(self, sql: str, key: str) -> tuple[str, ...] | None:
        with self._mapped():
            row: tuple[str, ...] | None = self._db.execute(sql, (key,)).fetchone()
            return row

    def _write(self, sql: str, row: tuple[str, ...]) -> None:
        with self._mapped(), self._db:
            self._db.execute(sql, row)


class KeptProvider:
    """A provider whose answers are kept; a question that was answered since `since` is not asked again, nor twice at a time.

    `turn` gives what is held from the asking until the answer is kept.
    """

    def __init__(
        self,
        inner: Provider,
        kept: Kept,
        *,
        since: dt.datetime | None,
        clock: Callable[[], dt.datetime],
        turn: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        self.name = inner.name
        self._inner, self._kept, self._since, self._clock, self._turn = inner, kept, since, clock, turn
        self._asking = WeakValueDictionary[str, asyncio.Lock]()

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        question = f"{limit} {query.model_dump_json()}"
        async with self._asking.setdefault(question, asyncio.Lock()):
            found = self._kept.answer(self.name, question, self._since)
            if found is None:
                async with self._turn():
                    found = await self._inner.find(query, limit)
                    await self._kept.at_once(self._kept.keep_answer, self.name, question, found, self._clock())
        return found


class KeptSource:
    """A source whose answers are kept, as those of a `KeptProvider`."""

    def __init__(self, inner: Source, kept: Kept, *, since: dt.datetime | None, clock: Callable[[], dt.datetime]) -> None:
        self.name = inner.name
        self._inner, self._kept, self._since, self._clock = inner, kept, since, clock

    async def find_for(self, listing: Listing, policy: Policy, limit: int) -> SearchAnswer:
        """At most `limit` hits for a listing, best first."""
        question = f"{limit} {policy.policy_id} {listing.model_dump_json(exclude=_APART)}"
        found = self._kept.answer(self.name, question, self._since)
        if found is None:
            found = await self._inner.find_for(listing, policy, limit)
            await self._kept.at_once(self._kept.keep_answer, self.name, question, found, self._clock())
        return found


def _key(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


def _row_key(listing: Listing, queries: Sequence[Query]) -> str:
    return _key(listing.model_dump_json(exclude=_APART), *(query.model_dump_json() for query in queries))


def _used_key(listing: Listing, queries: Sequence[Query], point_in_time: bool) -> str:
    return _key(_row_key(listing, queries), "point in time" if point_in_time else "")


def _stamp(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).isoformat()


def _read(kind: type[Value], text: str) -> Value | None:
    """The kept value, None when another version wrote it in another form."""
    try:
        return kind.model_validate_json(text)
    except ValidationError:
        return None

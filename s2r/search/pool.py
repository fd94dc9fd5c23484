"""The sealed pool: a local corpus that answers both search and fetch, in place of the web."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

from s2r.errors import InputError
from s2r.models import Capture, Gap, Hit, Outcome, Query
from s2r.search.base import SearchAnswer, State
from s2r.search.pool_index import Doc, PoolIndex, open_index
from s2r.search.pool_item import Fault
from s2r.search.pool_reader import pool_files, read_place

_MAX_HOPS = 5


class Pool:
    """A pool opened for reading. `faults` lists every part of it that cannot be used; the rest can.

    Pages from WARC files keep their capture time; other pages were fetched at `at` of the call, else at the modification time
    of the pool's file (UTC).
    """

    name = "pool"

    def __init__(self, path: Path, base: Path, index: PoolIndex) -> None:
        self.path = path
        self.faults: tuple[Fault, ...] = index.faults()
        self._base, self._index = base, index

    @classmethod
    def open(cls, path: Path | str, *, home: Path | None = None, max_body_mb: int = 50) -> Self:
        """Open a JSON lines, WARC or WACZ file or a folder of these; the index is kept in `home`/pools when given.

        Raises `InputError` when nothing in it can be used, `StoreError` when the index cannot be written.
        """
        path = Path(path)
        try:
            base, files = pool_files(path)
            index = open_index(base, files, home / "pools" if home else None, max_body_mb << 20)
        except OSError as exc:
            raise InputError(
                f"cannot be read: {exc.strerror or exc}", subject=str(path), advice="Check the path and its permissions."
            ) from exc
        pool = cls(path, base, index)
        if not len(pool):
            first = f" First fault: {pool.faults[0]}." if pool.faults else ""
            index.close()
            raise InputError(f"no line or record of the pool can be used.{first}", subject=str(path))
        return pool

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        return self._index.count()

    @cached_property
    def digest(self) -> str:
        """What the pool says, as a digest: the same pages in the same order give the same digest, wherever the file lies."""
        return self._index.digest()

    def urls(self) -> tuple[str, ...]:
        """Addresses of all pages in reading order."""
        return self._index.urls()

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """Pages for a query, best first; `site` is ignored. Never raises on odd query text."""
        found = await asyncio.to_thread(self._index.find, query.text, limit)
        hits = tuple(
            Hit(url=url, title=title, provider=self.name, rank=rank, query=query.text) for rank, (url, title) in enumerate(found, start=1)
        )
        return SearchAnswer(state=State.ANSWERED if hits else State.EMPTY, hits=hits)

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page at `url` as a capture (`at`: its time, UTC), or a gap with the cause."""
        return await asyncio.to_thread(self.read, url, at=at)

    def read(self, url: str, *, at: dt.datetime | None = None, digest: str = "", by: dt.datetime | None = None) -> Capture | Gap:
        """As `fetch`, blocking. Of several captures of an address: that of the bytes with `digest` ("sha256:<hex>"), else the last
        one at or before `by` (UTC), else the first one."""
        wanted = digest.removeprefix("sha256:")
        doc, target = self._index.get(url, digest=wanted, by=by), ""
        if wanted and doc is None:
            return _gap(url, Outcome.ERROR, f"the sealed pool does not hold the capture {digest} of this address")
        for _ in range(_MAX_HOPS):
            if not doc or not _redirect(doc):
                break
            target = _redirect(doc)
            doc = self._index.get(target, by=by)
        if doc is None:
            cause = (
                f"the page redirects to {target}, which the sealed pool does not hold"
                if target
                else "the sealed pool holds no page at this address"
            )
            return _gap(url, Outcome.NOT_FOUND, cause)
        body = self._body(doc)
        if isinstance(body, Gap):
            return body
        return Capture(
            url=url,
            final_url=doc.final_url,
            title=doc.title,
            content_type=doc.content_type,
            body=body,
            status=doc.status,
            headers=doc.headers,
            fetched_at=doc.fetched_at or at or self._file_time(doc),
            via=self.name,
        )

    def _body(self, doc: Doc) -> bytes | Gap:
        try:
            body = read_place(self._base, doc.place) if doc.place.form else self._index.kept_body(doc)
        except (OSError, ValueError) as exc:
            return _gap(doc.url, Outcome.ERROR, f"{doc.place.file}: {exc}")
        if body is None or hashlib.sha256(body).hexdigest() != doc.sha256:
            return _gap(doc.url, Outcome.ERROR, f"{doc.source} changed after the pool was opened")
        return body

    def _file_time(self, doc: Doc) -> dt.datetime:
        return dt.datetime.fromtimestamp(int((self._base / doc.source).stat().st_mtime), dt.UTC)


def _redirect(doc: Doc) -> str:
    """Where a redirect of a recorded site leads, "" when the page is no redirect."""
    if not 300 <= doc.status < 400:
        return ""
    return next((urljoin(doc.url, value) for name, value in doc.headers if name.lower() == "location"), "")


def _gap(url: str, outcome: Outcome, cause: str) -> Gap:
    return Gap(url=url, step="fetch", outcome=outcome, cause=cause, next_step="Add the page to the pool, or search the live web.")

"""Captures read back from the rows of an index, wherever the bytes of the rows lie."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Protocol

from s2r.archive.index import Row
from s2r.archive.warc import Member
from s2r.errors import IntegrityError
from s2r.lang.members import DamagedMember
from s2r.models import Capture, Exhibit


class Rows(Protocol):
    """The rows of an index, as `Index` gives them."""

    def responses(self, digest: str) -> Sequence[Row]:
        """Stored bodies of a digest, newest first."""
        ...

    def sightings(self, digest: str) -> Sequence[Row]:
        """All captures of a digest, oldest first."""
        ...

    def by_url(self, url: str) -> Sequence[Row]:
        """All captures of a URL, newest first."""
        ...


class Reader(Protocol):
    """What opens archived pages: an `Archive`, or a `Shelf` with the pages of one row."""

    def open(self, digest: str, url: str = "") -> Capture:
        """See `Archive.open`."""
        ...

    def find_url(self, url: str) -> tuple[Exhibit, ...]:
        """See `Archive.find_url`."""
        ...

    def first_seen(self, digest: str, url: str) -> dt.datetime | None:
        """See `Archive.first_seen`."""
        ...


def open_capture(rows: Rows, read: Callable[[Row], Member], digest: str, url: str, place: str) -> Capture:
    """As `Archive.open`; `read` gives the response member of a row, or raises `DamagedMember`. `place` is named in errors."""
    sightings = rows.sightings(digest)
    if not sightings:
        raise IntegrityError("is not in the archive", subject=digest, advice=f"Searched {place}.")
    row = next((s for s in sightings if url and url in (s.url, s.final_url)), sightings[0])
    member = _body(rows, read, digest)
    return capture_of(row, member)


def sightings_at(rows: Rows, url: str) -> tuple[Exhibit, ...]:
    """As `Archive.find_url`."""
    return tuple(exhibit_of(row, next(iter(rows.responses(row.digest)), row)) for row in rows.by_url(url))


def seen_first(rows: Rows, digest: str, url: str) -> dt.datetime | None:
    """As `Archive.first_seen`."""
    return min((row.captured_at for row in rows.sightings(digest) if url in (row.url, row.final_url)), default=None)


def capture_of(row: Row, member: Member) -> Capture:
    """The capture of a row with the body of its response member."""
    return Capture(
        url=row.url,
        final_url=row.final_url,
        title=row.title,
        content_type=row.content_type,
        body=member.body,
        status=member.status,
        headers=tuple(h for h in member.http_headers if h[0] not in ("Content-Type", "Content-Length")),
        fetched_at=row.captured_at,
        via=row.via,
    )


def exhibit_of(row: Row, body: Row) -> Exhibit:
    """The sighting `row` with the place of the response record `body`."""
    return Exhibit(
        digest=row.digest,
        url=row.url,
        content_type=row.content_type,
        warc=body.warc,
        offset=body.offset,
        length=body.length,
        captured_at=row.captured_at,
    )


def _body(rows: Rows, read: Callable[[Row], Member], digest: str) -> Member:
    cause = "the record with its body is not in the archive"
    for row in rows.responses(digest):
        try:
            return read(row)
        except DamagedMember as exc:
            cause = str(exc)
    raise IntegrityError(
        cause, subject=digest, advice="Restore the archive from a copy, or fetch the page again; `s2r verify` lists all damage."
    )

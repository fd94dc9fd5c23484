"""What a pool is read into: pages with the place of their body, and faults."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


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
    """One page of a pool. `fetched_at` (UTC) is known for WARC records only; `later`: not the first capture of its address."""

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
    later: bool = False

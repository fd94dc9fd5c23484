"""SQLite files that are read and never written, also on media where nothing can be."""

from __future__ import annotations

import sqlite3
from pathlib import Path

_BUSY_TIMEOUT_S = 30.0


def open_read_only(path: Path, table: str) -> sqlite3.Connection:
    """Open a file that exists without writing, not even beside it; usable from any thread. Raises `sqlite3.Error` when `table`, which is
    looked at, cannot be read. `immutable` is for media where SQLite may not even make its journal and its shared-memory file."""
    address = path.absolute().as_uri()
    try:
        return _looked_at(f"{address}?mode=ro", table)
    except sqlite3.OperationalError:
        return _looked_at(f"{address}?mode=ro&immutable=1", table)


def _looked_at(address: str, table: str) -> sqlite3.Connection:
    db = sqlite3.connect(address, uri=True, check_same_thread=False, timeout=_BUSY_TIMEOUT_S)
    try:
        db.execute(f"select count(*) from {table}").fetchone()  # noqa: S608 - a name of ours
    except sqlite3.Error:
        db.close()
        raise
    return db

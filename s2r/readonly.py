"""SQLite files that are read and never written, also on media where nothing can be."""

from __future__ import annotations

import sqlite3
from pathlib import Path

_BUSY_TIMEOUT_S = 30.0


def open_read_only(path: Path, table: str) -> sqlite3.Connection:
    """Open a file that exists without writing into it; usable from any thread. Raises `sqlite3.Error` when `table`, which is looked at,
    cannot be read.

    `immutable` is for media where SQLite may not even make its shared-memory file. It sees nothing of what a writer has left in the log
    beside the file (`-wal`), so a file with such a log, or one that is locked, is not opened by it: rows would be missing unsaid.
    """
    address = path.absolute().as_uri()
    try:
        return _looked_at(f"{address}?mode=ro", table)
    except sqlite3.OperationalError as exc:
        log = path.with_name(path.name + "-wal")
        if getattr(exc, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY or (log.is_file() and log.stat().st_size):
            raise
        return _looked_at(f"{address}?mode=ro&immutable=1", table)


def _looked_at(address: str, table: str) -> sqlite3.Connection:
    db = sqlite3.connect(address, uri=True, check_same_thread=False, timeout=_BUSY_TIMEOUT_S)
    try:
        db.execute(f"select count(*) from {table}").fetchone()  # noqa: S608 - a name of ours
    except sqlite3.Error:
        db.close()
        raise
    return db

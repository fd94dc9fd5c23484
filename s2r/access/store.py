"""access.sqlite of a run folder: who may come in, who is in, and who did what. Passwords, sessions and tokens are kept as digests."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from s2r.access.migrations import MIGRATIONS
from s2r.database import Database
from s2r.errors import StoreError

NAME = "access.sqlite"
MEMORY = Path(":memory:")
BUSY_TIMEOUT_S = 30.0


class AccessStore:
    """The database. Safe to use from several threads and processes."""

    def __init__(self, path: Path) -> None:
        """Open or create it at `path` (MEMORY: nothing is kept); raises StoreError when it cannot be written or is not ours."""
        self.path = path
        self._lock = threading.RLock()
        try:
            if path != MEMORY:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(mode=0o600)  # readable for the service only, as SQLite would not make it
            connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False, isolation_level=None)
            self._db = Database(connection)
            self._db.enable_wal()
            MIGRATIONS.apply(self._db)
        except (sqlite3.Error, OSError) as exc:
            raise self._error(exc) from exc

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; further use raises."""
        with self._lock:
            self._db.conn.close()

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[dict[str, object]]:
        """Rows of a query."""
        try:
            with self._lock:
                return [dict(row) for row in self._db.query(sql, values)]
        except sqlite3.Error as exc:
            raise self._error(exc) from exc

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Run one statement that writes; return how many rows it changed."""
        with self.writing():
            return int(self._db.execute(sql, tuple(values)).rowcount)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Several statements in one transaction."""
        with self._lock:
            try:
                with self._db.atomic():
                    yield
            except sqlite3.Error as exc:
                raise self._error(exc) from exc

    def _error(self, exc: Exception) -> StoreError:
        advice = "Check that the folder can be written and that the file was made by s2r serve or s2r users."
        return StoreError(f"the list of users cannot be used: {exc}", subject=str(self.path), advice=advice)

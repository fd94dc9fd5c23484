"""A read-only copy of the event tables in DuckDB, for analysis; it needs the extra `duckdb`."""

from __future__ import annotations

import importlib
from typing import Any

from s2r.errors import ConfigError
from s2r.events.compile import Statement
from s2r.events.store import EventStore

TABLES = ("surface", "event", "attribute")


class Replica:
    """The tables that questions read, in memory; statements are those of `compile_spec(..., DUCKDB)`."""

    def __init__(self, store: EventStore, threads: int = 4) -> None:
        """Copy the tables of `store`; raises ConfigError when DuckDB is not installed."""
        try:
            duckdb: Any = importlib.import_module("duckdb")
        except ImportError as exc:
            raise ConfigError("DuckDB is not installed", subject="replica", advice="Install the extra: pip install 's2r[duckdb]'.") from exc
        import pyarrow as pa

        self._db = duckdb.connect(":memory:")
        self._db.execute(f"set threads = {threads:d}")
        for table in TABLES:
            names = [str(row[1]) for row in store.rows(f"pragma table_info({table})")]
            rows = store.rows(f"select * from {table}")  # noqa: S608 - names of our own tables
            columns: list[tuple[object, ...]] = list(zip(*rows, strict=True)) or [() for _ in names]
            held = pa.table({name: pa.array(column) for name, column in zip(names, columns, strict=True)})
            self._db.register(f"{table}_in", held)
            self._db.execute(f"create table {table} as select * from {table}_in")  # noqa: S608 - as above

    def rows(self, statement: Statement) -> list[tuple[object, ...]]:
        """Rows of one statement with its bound values."""
        found: list[tuple[object, ...]] = self._db.execute(statement.sql, statement.values).fetchall()
        return found

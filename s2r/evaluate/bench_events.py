"""`make bench`, event queries: seconds per operator over synthetic tuples on SQLite, paired with a DuckDB copy where DuckDB is installed.

Every operator runs over one year and over all years. A time is CPU time, the median over repetitions; it covers the statement, all ids of
its answer and the first thousand rows with their provenance. DuckDB, on one thread, is timed for the statement alone, beside SQLite's time
for the same.
"""

from __future__ import annotations

import datetime as dt
import importlib.util
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from s2r.errors import ConfigError
from s2r.events.answer import answer, entities_of
from s2r.events.compile import DUCKDB, compile_spec
from s2r.events.duck import Replica
from s2r.events.resolve import resolve
from s2r.events.spec import Spec, read_spec
from s2r.events.store import EventStore
from s2r.policy import policy_root
from s2r.policy.event_types import EventTypes, load_event_types
from s2r.settings import Settings

TUPLES = 1_000_000
FIRMS = 20_000
FIRST, DAYS = dt.date(2014, 1, 1), 3652  # ten years
TARGET_S = 1.5
SHARES = {  # in a hundred events
    "M&A_announce": 25,
    "M&A_complete": 22,
    "M&A_cancel": 3,
    "M&A_rumor": 15,
    "CEO_change": 12,
    "CFO_change": 12,
    "IPO": 5,
    "Stock_split": 3,
    "delisting": 3,
}
DEALS = ("M&A_announce", "M&A_complete", "M&A_cancel")
YEAR = {"start": "2018-01-01", "end": "2018-12-31"}
AFTER = {"start": "2020-01-01", "end": "2020-12-31"}
ALL = {"start": "2014-01-01", "end": "2023-12-31"}
MA, DONE = "M&A_announce", "M&A_complete"
FIRM = "F00042"
OPERATORS: tuple[tuple[Any, list[str], dict[str, Any]], ...] = (
    ("select", [MA], {}),
    ("distinct", [MA], {}),
    ("role", [DONE], {"roles": ["buyer"]}),
    ({"name": "anchored", "firm": FIRM, "direction": "after"}, [MA, MA], {}),
    ({"name": "near", "days": 90}, [MA, DONE], {}),
    ({"name": "followed", "days": 180}, [MA, "delisting"], {}),
    ({"name": "completed", "days": 180}, [MA, DONE], {}),
    ("difference", [MA, DONE], {"firm": FIRM}),
    ({"name": "extreme", "position": "last"}, [MA], {}),
    ("interleave", [MA, DONE, "CEO_change"], {"firm": FIRM}),
    ("intersect", [MA, DONE], {}),
    ("intersect", [MA], {"windows": [YEAR, AFTER], "roles": ["buyer"]}),
    ({"name": "count", "at_least": 3}, [MA], {"roles": ["buyer"]}),
    ({"name": "bucket", "unit": "week"}, [MA], {}),
    ("union", [MA, DONE, "CEO_change"], {}),
)


@dataclass(frozen=True, slots=True)
class Timed:
    """One operator over one window: rows of the answer, seconds in all, seconds of the statement on SQLite and on DuckDB (None: absent)."""

    operator: str
    window: str
    rows: int
    seconds: float
    statement: float
    duckdb: float | None


def fill(store: EventStore, tuples: int, seed: int = 7) -> float:
    """Fill an empty store with invented claims, each with one page, and work the events out; seconds that this took."""
    began = time.perf_counter()
    chance = random.Random(seed)  # noqa: S311 - invented tuples
    connection = store.db.conn
    assert isinstance(connection, sqlite3.Connection)
    with store.db.atomic():
        connection.executemany(
            "insert into surface values (?, ?, 'ticker', ?, ?)",
            ((n, f"F{n:05}", f"ticker:F{n:05}", n) for n in range(1, FIRMS + 1)),
        )
        connection.executemany(
            "insert into claim (id, type, surface, day, day_last, anchor_kind, role, counterparty, deal, attributes, source, digest) "
            "values (?,?,?,?,?,'',?,?,?,'{}','bench',?)",
            _claims(chance, tuples),
        )
        connection.executemany(
            "insert into evidence (claim, url, title, date, quote, exhibit, start, end) values (?, ?, '', '', '', '', -1, -1)",
            ((n, f"https://wire.example/{n}") for n in range(1, tuples + 1)),
        )
        resolve(connection)
    return time.perf_counter() - began


def _claims(chance: random.Random, tuples: int) -> Iterator[tuple[object, ...]]:
    kinds = chance.choices(list(SHARES), list(SHARES.values()), k=tuples)
    for number, kind in enumerate(kinds, start=1):
        # A third of the firms has two thirds of the events.
        firm = chance.randint(1, FIRMS // 3) if chance.random() < 0.5 else chance.randint(1, FIRMS)
        day = FIRST.toordinal() + chance.randrange(DAYS)
        role = chance.choice(("buyer", "buyer", "seller", "target")) if kind in DEALS else None
        partner = chance.randint(1, FIRMS) if kind in DEALS and chance.random() < 0.6 else None
        deal = f"D{chance.randint(1, tuples // 6)}" if kind in DEALS and chance.random() < 0.3 else None
        yield number, kind, firm, day, day, role, partner, deal, str(number)


def specs(kinds: EventTypes) -> Iterator[tuple[str, Spec]]:
    """Every operator over one year and over all years."""
    for operator, types, predicate in OPERATORS:
        for name, window in (("one year", YEAR), ("ten years", ALL)):
            if "windows" in predicate and name != "one year":
                continue
            yield name, read_spec({"operator": operator, "types": types, "predicate": {"windows": [window]} | predicate}, kinds)


def measure(store: EventStore, kinds: EventTypes, replica: Replica | None, repeat: int) -> Iterator[Timed]:
    """Time every operator; the answers of both engines must have the same number of rows."""
    for name, spec in specs(kinds):
        entities = entities_of(spec, store)
        statement = compile_spec(spec, entities)
        found = store.rows(statement.sql, statement.values)
        duck = None
        if replica is not None:
            other = compile_spec(spec, entities, DUCKDB)
            rows = replica.rows(other)
            if len(rows) != len(found):
                raise ConfigError(f"{spec.operator.name}: {len(found)} rows on SQLite, {len(rows)} on DuckDB", subject=name)
            duck = _median(repeat, replica.rows, other)
        yield Timed(
            operator=spec.operator.name,
            window="two years" if len(spec.predicate.windows) > 1 else name,
            rows=len(found),
            seconds=_median(repeat, answer, spec, store),
            statement=_median(repeat, store.rows, statement.sql, statement.values),
            duckdb=duck,
        )


def _median(repeat: int, work: Callable[..., object], *arguments: object) -> float:
    times = []
    for _ in range(repeat):
        began = time.process_time()
        work(*arguments)
        times.append(time.process_time() - began)
    return statistics.median(times)


@click.command()
@click.option("--tuples", type=click.IntRange(1000), default=TUPLES, show_default=True, help="Tuples in the store.")
@click.option("--repeat", type=click.IntRange(1), default=3, show_default=True, help="Repetitions of each query.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
def main(tuples: int, repeat: int, policies: Path | None) -> None:
    """Time all query operators over synthetic tuples."""
    kinds = load_event_types(policies or policy_root(Settings()))
    console = Console(highlight=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as folder, EventStore(Path(folder) / "events.db") as store:
        seconds = fill(store, tuples)
        console.print(f"{tuples} claims became {store.count()} events in {seconds:.0f} s.")
        replica = Replica(store, threads=1) if importlib.util.find_spec("duckdb") else None
        table = Table("operator", "window", "rows", "seconds", "statement", "DuckDB", "SQLite / DuckDB", "", box=None)
        slow = 0
        for one in measure(store, kinds, replica, repeat):
            slow += one.seconds >= TARGET_S
            pair = ("-", "-") if one.duckdb is None else (f"{one.duckdb:.3f}", f"{one.statement / max(one.duckdb, 1e-6):.1f}")
            table.add_row(
                one.operator, one.window, str(one.rows), f"{one.seconds:.3f}", f"{one.statement:.3f}", *pair,
                "" if one.seconds < TARGET_S else f"over {TARGET_S} s",
            )  # fmt: skip
        console.print(table)
        if replica is None:
            console.print("DuckDB is not installed (extra `duckdb`): SQLite alone was timed.")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()

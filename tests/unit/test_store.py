"""The store: append-only revisions in one transaction each, and a message with advice for every fault of file or disk."""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
import threading
from pathlib import Path

import pytest
from factories import listing, record

import s2r.store as store_module
from s2r.errors import StoreError
from s2r.models import Record, Status
from s2r.store import Store

AT = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)


def add(store: Store, what: Record, *, inputs: str = "i", position: int = 0, again: bool = False, **more: object) -> int:
    """Append a record of run r-test."""
    store.start_run("r-test", version="1", policy="p", manifest={}, now=AT)
    return store.append(what, inputs=inputs, position=position, author="s2r", why="audit", now=AT, again=again, **more)  # type: ignore[arg-type]


def test_correction_is_a_new_revision(tmp_path: Path) -> None:
    """The old one stays, the current one is the newest."""
    with Store(tmp_path / "s2r.db") as store:
        assert add(store, record()) == 1
        assert add(store, record(status=Status.YES), inputs="j") == 2
        current = store.current("T-01")
        assert current is not None
        assert current.status is Status.YES
        assert [(line["number"], line["status"], line["author"], line["why"]) for line in store.history("T-01")] == [
            (1, "no", "s2r", "audit"),
            (2, "yes", "s2r", "audit"),
        ]
        assert store.numbers() == {"T-01": 2}
        assert store.current("T-99") is None


def test_done_means_current_for_these_inputs_and_not_to_be_tried_again(tmp_path: Path) -> None:
    """An older revision, a failed row and other inputs are not done."""
    with Store(tmp_path / "s2r.db") as store:
        add(store, record(), inputs="old")
        add(store, record(), inputs="new")
        add(store, record(listing(1), error="worker died"), inputs="failed", again=True)
        add(store, record(listing(2)), inputs="fine")
        assert store.done(["old", "new", "failed", "fine", "never"]) == {"new", "fine"}


def test_records_stand_in_input_order(tmp_path: Path) -> None:
    """By position, not by the time they were finished; streamed."""
    with Store(tmp_path / "s2r.db") as store:
        for number in (2, 0, 1):
            add(store, record(listing(number)), inputs=str(number), position=number)
        assert [found.row_id for found in store.records()] == store.row_ids() == ["T-01", "T-02", "T-03"]
        assert [found.row_id for found in store.records("r-other")] == []
        stream = store.records()
        next(stream)
        add(store, record(listing(3)), inputs="3", position=3)  # appending while reading breaks neither
        assert len(list(stream)) == 2


def test_issues_and_totals(tmp_path: Path) -> None:
    """Issues are those of current revisions; totals count all work, and an unknown price makes the sum unknown."""
    with Store(tmp_path / "s2r.db") as store:
        add(store, record(), issues=[("fetch", "https://a.example", "blocked", "look")], ledger=[("search", 3.0, "queries", 0.5)])
        assert [line["cause"] for line in store.issues("r-test")] == ["blocked"]
        add(store, record(listing(1)), ledger=[("search", 2.0, "queries", 0.25), ("fetch", 1.0, "pages", None)])
        assert store.totals("r-test") == {
            "fetch": {"amount": 1.0, "unit": "pages", "cost_usd": None, "known_usd": 0.0, "at_most_usd": 0.0},
            "search": {"amount": 5.0, "unit": "queries", "cost_usd": 0.75, "known_usd": 0.75, "at_most_usd": 0.0},
        }
        assert store.totals("r-other") == {}


def test_run_keeps_its_first_start(tmp_path: Path) -> None:
    """A continuation is the same run."""
    with Store(tmp_path / "s2r.db") as store:
        assert store.started_at("r-test") is None
        for minute in (0, 5):
            store.start_run("r-test", version="1", policy="p", manifest={}, now=AT + dt.timedelta(minutes=minute))
        assert store.started_at("r-test") == AT.isoformat()


def test_append_is_one_transaction(tmp_path: Path) -> None:
    """A fault in the last part leaves nothing of the first."""
    with Store(tmp_path / "s2r.db") as store:
        with pytest.raises(StoreError):
            add(store, record(), ledger=[("search", object(), "queries", 0.0)])
        assert store.current("T-01") is None
        assert add(store, record()) == 1


def test_reopened_store_has_it_all_and_says_how_it_was_made(tmp_path: Path) -> None:
    """Each change of the schema is recorded once, in order."""
    for _ in range(2):
        with Store(tmp_path / "s2r.db") as store:
            add(store, record(), inputs="i")
    db = sqlite3.connect(tmp_path / "s2r.db")
    tables = {name for (name,) in db.execute("select name from sqlite_master")}
    assert {"run", "revision", "issue", "ledger", "record_current"} <= tables
    (log,) = [name for name in tables if "migration" in name and not name.startswith("sqlite_autoindex") and "idx" not in name]
    assert [name for (name,) in db.execute(f"select name from {log} order by rowid")] == [
        "m001_records",
        "m002_again",
        "m003_state",
        "m004_checks",
        "m005_review",
        "m006_outline",
        "m007_review_route",
        "m008_costs",
        "m009_covered",
    ]
    assert db.execute("pragma journal_mode").fetchone() == ("wal",)
    db.close()


def test_store_of_the_first_schema_is_brought_up(tmp_path: Path) -> None:
    """Records with an error are tried again after the change that added the mark."""
    path = tmp_path / "s2r.db"
    with Store(path) as store:
        add(store, record(), inputs="fine")
        add(store, record(listing(1), error="x"), inputs="failed")
    db = sqlite3.connect(path)
    db.execute("drop view record_current")
    db.execute("alter table revision drop column again")
    db.execute(
        "create view record_current as select * from revision r where number = (select max(number) from revision s where s.row_id = r.row_id)"
    )
    (log,) = [n for (n,) in db.execute("select name from sqlite_master where type = 'table'") if "migration" in n]
    db.execute(f"delete from {log} where name = 'm002_again'")
    db.commit()
    db.close()
    with Store(path) as store:
        assert store.done(["fine", "failed"]) == {"fine"}


def test_several_threads_of_one_process(tmp_path: Path) -> None:
    """Appends from many threads are all kept, each with a number of its own."""
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=AT)
        threads = [threading.Thread(target=lambda: [add(store, record()) for _ in range(10)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [line["number"] for line in store.history("T-01")] == list(range(1, 41))


def test_records_are_synced_whatever_came_before(tmp_path: Path) -> None:
    """Lines of the ledger outlive the process; a record that follows is written through to the disk with them."""
    with Store(tmp_path / "s2r.db") as store:
        modes = []
        for _ in range(2):
            number = store.intend("r-test", "T-01", "search:brave", "calls", 0.01, AT)
            store.book("r-test", "T-01", [("search:brave", 1.0, "calls", 0.005)], AT, intent=number)
            modes.append(store.rows("pragma synchronous")[0]["synchronous"])
            add(store, record())
            modes.append(store.rows("pragma synchronous")[0]["synchronous"])
        assert modes == [1, 2, 1, 2]  # normal, full
        store.intend("r-test", "T-01", "search:brave", "calls", 0.01, AT)
        store.execute("update run set version = version")
        assert store.rows("pragma synchronous")[0]["synchronous"] == 2


def test_read_only_reads_and_writes_nothing(tmp_path: Path) -> None:
    """Nothing appears beside the file, an append is refused, and a missing file is a fault."""
    path = tmp_path / "s2r.db"
    with Store(path) as store:
        add(store, record())
    before = sorted(p.name for p in tmp_path.iterdir())
    with Store(path, read_only=True) as store:
        assert store.current("T-01") is not None
        with pytest.raises(StoreError, match="can be written"):
            add(store, record())
    assert [name for name in sorted(p.name for p in tmp_path.iterdir()) if not name.endswith(("-wal", "-shm"))] == before
    with pytest.raises(StoreError):
        Store(tmp_path / "absent.db", read_only=True)
    assert not (tmp_path / "absent.db").exists()


def damaged(path: Path) -> None:
    """Overwrite the middle of a store's file."""
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 6] = os.urandom(4096 * 5)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (lambda path: path.write_bytes(b"This is a letter and no database. " * 200), "not a store of s2r or is damaged"),
        (lambda path: path.mkdir(), "Check the folder"),
        (lambda path: (path.parent / "s2r.db").symlink_to("/proc/1/nothing/s2r.db"), "Check the folder"),
    ],
    ids=["text", "folder", "nowhere"],
)
def test_file_that_is_no_store(make: object, advice: str, tmp_path: Path) -> None:
    """A StoreError that names the file and what to do."""
    path = tmp_path / "s2r.db"
    make(path)  # type: ignore[operator]
    with pytest.raises(StoreError) as raised:
        Store(path)
    assert advice in raised.value.advice
    assert raised.value.subject == str(path)


def test_damaged_store_is_named_when_it_is_read(tmp_path: Path) -> None:
    """Damage inside the file is a StoreError too, whichever call meets it."""
    path = tmp_path / "s2r.db"
    with Store(path) as store:
        for number in range(40):
            add(store, record(listing(number % 16)), inputs=str(number))
    damaged(path)

    def read_all() -> None:
        with Store(path) as store:
            store.done(["1"])
            list(store.records())
            store.history("T-01")

    with pytest.raises(StoreError, match="cannot be used") as raised:
        read_all()
    assert "damaged" in raised.value.advice


def test_locked_store_says_who_is_to_be_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the wait: another process works here."""
    monkeypatch.setattr(store_module, "BUSY_TIMEOUT_S", 0.1)
    path = tmp_path / "s2r.db"
    with Store(path) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("begin immediate")
        with pytest.raises(StoreError, match="locked") as raised:
            add(store, record())
        assert "Another process" in raised.value.advice
        other.execute("rollback")
        other.close()
        assert add(store, record()) == 1


def test_record_of_another_version_is_named(tmp_path: Path) -> None:
    """A record with a field that this version does not know is not read as something else."""
    path = tmp_path / "s2r.db"
    with Store(path) as store:
        add(store, record())
        db = sqlite3.connect(path)
        db.execute("""update revision set record = json_set(record, '$.colour', 'red')""")
        db.commit()
        db.close()
        with pytest.raises(StoreError, match="cannot be read") as raised:
            store.current("T-01")
        assert "Another version" in raised.value.advice


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("database is locked", "Another process"),
        ("attempt to write a readonly database", "can be written"),
        ("database or disk is full", "Free space"),
        ("disk I/O error", "Free space"),
        ("database disk image is malformed", "damaged"),
        ("file is not a database", "not a store"),
        ("no such table: revision", "not written by this version"),
        ("something else", "Check the folder"),
    ],
)
def test_advice_by_cause(text: str, advice: str) -> None:
    """What SQLite says decides what the message tells to do."""
    assert advice in store_module._store_error(Path("s2r.db"), sqlite3.OperationalError(text)).advice

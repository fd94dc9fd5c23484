"""SQLite files that are opened without writing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from s2r.readonly import open_read_only


def made(path: Path, *, mode: str = "delete") -> Path:
    """A file with one table of one row."""
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"pragma journal_mode={mode}")
        db.execute("create table told (word)")
        db.execute("insert into told values ('delisted')")
        db.commit()
    return path


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_reads_and_writes_nothing(mode: str, tmp_path: Path) -> None:
    """Rows are there, a write is refused, and the file stays as it was."""
    path = made(tmp_path / "a file?.db", mode=mode)
    before = path.read_bytes()
    with closing(open_read_only(path, "told")) as db:
        assert db.execute("select word from told").fetchall() == [("delisted",)]
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("insert into told values ('listed')")
    assert path.read_bytes() == before


def test_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SQLite may make no shared-memory file, a file in WAL mode is read as one that never changes."""
    path = made(tmp_path / "told.db", mode="wal")
    asked: list[str] = []
    connect = sqlite3.connect

    def refusing(address: str, **options: bool | float) -> sqlite3.Connection:
        asked.append(address.rpartition("?")[2])
        if "immutable" not in address:
            raise sqlite3.OperationalError("unable to open database file")
        return connect(address, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", refusing)
    with closing(open_read_only(path, "told")) as db:
        assert db.execute("select word from told").fetchall() == [("delisted",)]
    assert asked == ["mode=ro", "mode=ro&immutable=1"]


@pytest.mark.parametrize("fault", ["log", "locked"])
def test_file_with_rows_in_its_log_or_a_lock_is_not_taken_for_one_that_never_changes(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would lack rows that a writer has committed, and nobody would know."""
    path = made(tmp_path / "told.db", mode="wal")
    if fault == "log":
        path.with_name("told.db-wal").write_bytes(b"\x37\x7f\x06\x82")
    connect = sqlite3.connect

    def refusing(address: str, **options: bool | float) -> sqlite3.Connection:
        if "immutable" not in address:
            exc = sqlite3.OperationalError("cannot be opened now")
            exc.sqlite_errorcode = sqlite3.SQLITE_BUSY if fault == "locked" else sqlite3.SQLITE_CANTOPEN
            raise exc
        return connect(address, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", refusing)
    with pytest.raises(sqlite3.OperationalError, match="cannot be opened now"):
        open_read_only(path, "told")


def test_missing_file_and_missing_table(tmp_path: Path) -> None:
    """Both are faults of SQLite, and nothing is made."""
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        open_read_only(tmp_path / "absent.db", "told")
    assert not list(tmp_path.iterdir())
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        open_read_only(made(tmp_path / "told.db"), "heard")


def test_file_that_is_no_database(tmp_path: Path) -> None:
    """It is refused at once."""
    path = tmp_path / "letter.db"
    path.write_bytes(b"This is a letter and no database. " * 200)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        open_read_only(path, "told")

"""Captures that come at once are written and synced at once, each with what came of it; small writes need no thread."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from factories import capture

from s2r.archive import Archive
from s2r.archive.index import Row, WarcFile
from s2r.errors import StoreError
from s2r.modelapi import KeptModels
from s2r.search.kept import Kept

Append = Callable[[Archive, WarcFile, bytes, list[Row]], WarcFile]


def held_until(monkeypatch: pytest.MonkeyPatch, waiting: int, then: Exception | None = None) -> list[int]:
    """The first write of captures waits until so many others have come, and may fail; the numbers of captures of each write."""
    written: list[int] = []
    plain: Append = Archive._append

    def append(self: Archive, file: WarcFile, data: bytes, rows: list[Row]) -> WarcFile:
        if not rows:
            return plain(self, file, data, rows)
        written.append(len(rows))
        if len(written) == 1:
            while len(self._puts) < waiting:
                time.sleep(0.001)
        elif then is not None and len(written) == 2:
            raise then
        return plain(self, file, data, rows)

    monkeypatch.setattr(Archive, "_append", append)
    return written


def test_what_comes_during_a_write_is_written_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six captures, two of them of the same bytes: one write for the first, one for all the others, and a revisit for the repeat."""
    written = held_until(monkeypatch, 5)
    bodies = ["zero", "one", "two", "three", "four", "four"]
    with Archive(tmp_path) as archive, ThreadPoolExecutor(6) as pool:
        pages = [capture(f"<p>{body}</p>", f"https://a.example/{number}") for number, body in enumerate(bodies)]
        found = list(pool.map(archive.put, pages))
        assert sorted(written) == [1, 1, 4]
        assert [archive.open(exhibit.digest, page.url).body for exhibit, page in zip(found, pages, strict=True)] == [p.body for p in pages]
        assert sorted(row.kind for row in archive.rows(found[5].digest)) == ["response", "revisit"]
        assert len(archive) == 6
        assert archive.problems() == []


def test_files_are_closed_at_their_size_also_in_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit of two captures or so: those that come at once are spread over files, none of which passes it."""
    held_until(monkeypatch, 5)
    with Archive(tmp_path, max_warc_bytes=2500) as archive, ThreadPoolExecutor(6) as pool:
        list(pool.map(archive.put, [capture(f"<p>{number}</p>", f"https://a.example/{number}") for number in range(6)]))
        sizes = [path.stat().st_size for path in (tmp_path / "archive").glob("*.warc.gz")]
        assert len(sizes) >= 3
        assert max(sizes) <= 2500
        assert archive.problems() == []


def test_all_that_a_failed_write_held_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full at the second write: the first capture stands, the three of the second raise, and may be put again."""
    held_until(monkeypatch, 3, StoreError("no space left"))
    pages = [capture(f"<p>{number}</p>", f"https://a.example/{number}") for number in range(4)]
    with Archive(tmp_path) as archive, ThreadPoolExecutor(4) as pool:
        told = [put.exception() for put in [pool.submit(archive.put, page) for page in pages]]
        assert sorted(isinstance(exc, StoreError) for exc in told) == [False, True, True, True]
        assert len(archive) == 1
        for page in pages:
            archive.put(page)
        assert len(archive) == 4
        assert archive.problems() == []


def test_a_kept_search_goes_to_a_thread_only_while_the_file_is_synced(tmp_path: Path) -> None:
    """In the thread of the loop as a rule; while another thread holds the file the loop goes on."""
    kept, free, taken = Kept(tmp_path), threading.Event(), threading.Event()
    where: list[int] = []

    def hold() -> None:
        with kept._lock:
            taken.set()
            free.wait(10)

    def write() -> None:
        kept.keep_page("f", "https://a.example", "sha256:0", "", pages.fetched_at)
        where.append(threading.get_ident())

    pages = capture("<p>one</p>")

    async def run() -> None:
        await kept.at_once(write)
        holder = threading.Thread(target=hold)
        holder.start()
        await asyncio.to_thread(taken.wait, 10)
        writing = asyncio.ensure_future(kept.at_once(write))
        await asyncio.sleep(0.02)
        assert not writing.done()
        free.set()
        await writing
        holder.join()

    asyncio.run(run())
    kept.close()
    assert where[0] == threading.get_ident() != where[1]


def test_what_models_said_is_read_where_nothing_may_be_written(tmp_path: Path) -> None:
    """A file that is written ahead is read as it stands after it was closed, also when its folder bears no journal."""
    with KeptModels(tmp_path) as kept:
        kept.keep_resolved("https://a.example", "m", "m-2024", capture("").fetched_at)
        assert kept._db.execute("pragma journal_mode").fetchone() == ("wal",)
    assert {path.name for path in tmp_path.iterdir()} == {"models.db"}
    tmp_path.chmod(0o500)
    try:
        with KeptModels(tmp_path, read_only=True) as read:
            assert read.resolved("https://a.example", "m") == "m-2024"
    finally:
        tmp_path.chmod(0o700)


def test_stores_and_workbooks_load_no_numpy(tmp_path: Path) -> None:
    """Both packages would load it when it is there, and it stays loadable afterwards."""
    code = (
        "import sys; from pathlib import Path; from s2r.report.files import write_xlsx; import s2r.store; "
        f"write_xlsx(Path({str(tmp_path / 'a.xlsx')!r}), 's', ['a'], [['b']]); assert 'numpy' not in sys.modules; "
        "import importlib.util; assert importlib.util.find_spec('json')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

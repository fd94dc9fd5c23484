"""Damage to an archive is found and named; a crash costs at most the capture that was not yet acknowledged."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from s2r.archive import Archive
from s2r.archive.lock import process_start
from s2r.errors import IntegrityError, StoreError
from s2r.models import Capture, Exhibit

AT = dt.datetime(2019, 11, 5, 14, 0, tzinfo=dt.UTC)
NAME = "s2r-main-00001.warc.gz"


def page(number: int, size: int = 400) -> Capture:
    body = random.Random(number).randbytes(size)
    url = f"https://notices.example/{number}"
    return Capture(url=url, final_url=url, title=f"Notice {number}", content_type="text/html", body=body, fetched_at=AT)


def fill(root: Path, count: int = 5) -> list[Exhibit]:
    with Archive(root) as archive:
        return [archive.put(page(n)) for n in range(count)]


@pytest.fixture
def filled(tmp_path: Path) -> tuple[Path, Path, list[Exhibit]]:
    """An archive of five captures: its root, its WARC file, its exhibits."""
    exhibits = fill(tmp_path)
    return tmp_path, tmp_path / "archive" / NAME, exhibits


def damaged(root: Path) -> set[str]:
    with Archive(root, read_only=True) as archive:
        return {problem.digest for problem in archive.problems()}


def readable(root: Path, exhibits: list[Exhibit]) -> set[str]:
    found = set()
    with Archive(root, read_only=True) as archive:
        for exhibit in exhibits:
            try:
                archive.open(exhibit.digest)
            except IntegrityError as exc:
                assert exhibit.digest in str(exc)
            else:
                found.add(exhibit.digest)
    return found


def spans(exhibits: list[Exhibit], size: int) -> list[tuple[int, int]]:
    """Start and end of each capture's records."""
    starts = [e.offset for e in exhibits]
    return list(zip(starts, [*starts[1:], size], strict=True))


@pytest.mark.slow
def test_every_flipped_byte_is_found_and_named(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """Whichever byte of the file changes, the capture it belongs to is named, and no other."""
    root, warc, exhibits = filled
    whole = warc.read_bytes()
    bounds = spans(exhibits, len(whole))
    for at in range(0, len(whole), 23):
        changed = bytearray(whole)
        changed[at] ^= 0x10
        warc.write_bytes(changed)
        expected = {e.digest for e, (start, end) in zip(exhibits, bounds, strict=True) if start <= at < end} or {""}
        assert damaged(root) == expected, at
    warc.write_bytes(whole)
    assert damaged(root) == set()


def test_cut_last_member_is_damage_not_a_crash(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """Bytes missing from a committed capture are reported, are not repaired away, and nothing is appended behind them."""
    root, warc, exhibits = filled
    warc.write_bytes(warc.read_bytes()[:-5])
    assert damaged(root) == {exhibits[-1].digest, ""}
    with Archive(root) as archive:
        later = archive.put(page(77))
        assert later.warc == "s2r-main-00002.warc.gz"
        assert {p.digest for p in archive.problems()} == {exhibits[-1].digest, ""}
        assert "shorter than what was committed" in " ".join(p.cause for p in archive.problems())
        assert archive.repairs() == []


def test_deleted_member_is_named_and_the_rest_is_told_apart(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """A capture cut out of the middle is missing; those after it are reported as moved, with where they are now."""
    root, warc, exhibits = filled
    whole = warc.read_bytes()
    start, end = spans(exhibits, len(whole))[1]
    warc.write_bytes(whole[:start] + whole[end:])
    with Archive(root, read_only=True) as archive:
        causes = {p.digest: p.cause for p in archive.problems() if p.digest}
    assert set(causes) == {e.digest for e in exhibits[1:]}
    assert "intact copy" not in causes[exhibits[1].digest]
    assert all("an intact copy lies at byte" in causes[e.digest] for e in exhibits[2:])
    assert readable(root, exhibits) == {exhibits[0].digest}


def test_deleted_file_names_all_its_digests(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """Without its WARC file every capture of it is named."""
    root, warc, exhibits = filled
    warc.unlink()
    assert damaged(root) == {e.digest for e in exhibits} | {""}
    assert readable(root, exhibits) == set()


def test_revisit_suffers_with_its_original(tmp_path: Path) -> None:
    """When the body is damaged, the other address that shares it cannot be opened either."""
    with Archive(tmp_path, max_warc_bytes=1500) as archive:
        first = archive.put(page(1))
        archive.put(page(2))
        again = page(1).model_copy(update={"url": "https://copy.example/", "final_url": "https://copy.example/"})
        assert archive.put(again).digest == first.digest
    (tmp_path / "archive" / first.warc).write_bytes(b"")
    with Archive(tmp_path, read_only=True) as archive:
        assert first.digest in {p.digest for p in archive.problems()}
        with pytest.raises(IntegrityError):
            archive.open(first.digest, url="https://copy.example/")


def test_damaged_body_is_stored_again_when_it_is_fetched_again(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """A new capture of the same body does not lean on the damaged record."""
    root, warc, exhibits = filled
    changed = bytearray(warc.read_bytes())
    changed[exhibits[2].offset + 300] ^= 1
    warc.write_bytes(changed)
    with Archive(root) as archive:
        archive.put(page(2))
        assert archive.open(exhibits[2].digest).body == page(2).body
        assert archive.problems(), "the damaged record itself stays reported"


def test_damage_is_named_when_the_index_is_lost_too(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """A rebuilt index names a damaged capture by its metadata record and keeps all others."""
    root, warc, exhibits = filled
    changed = bytearray(warc.read_bytes())
    changed[exhibits[2].offset + 300] ^= 1
    warc.write_bytes(changed)
    (root / "archive" / "index.db").unlink()
    with Archive(root) as archive:
        assert len(archive) == 4
        problems = archive.problems()
    assert {(p.digest, p.url) for p in problems} == {(exhibits[2].digest, exhibits[2].url)}


def test_wrong_offset_in_the_index_is_found(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """An index row that points at another record is an integrity error, not another page's text."""
    root, _, exhibits = filled
    with sqlite3.connect(root / "archive" / "index.db") as db:
        db.execute("update exhibit set offset=?, length=? where digest=?", (exhibits[3].offset, exhibits[3].length, exhibits[1].digest))
    db.close()
    assert exhibits[1].digest not in readable(root, exhibits)
    assert exhibits[1].digest in damaged(root)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
@pytest.mark.slow
def test_any_torn_tail_is_repaired(data: st.DataObject) -> None:
    """After a crash in the middle of a write, all committed captures are there and the next one can be put."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        exhibits = fill(root, 3)
        warc = root / "archive" / NAME
        committed = warc.stat().st_size
        other = Path(name) / "other"
        fill(other, 4)
        tail = (other / "archive" / NAME).read_bytes()[committed:]
        cut = data.draw(st.integers(1, len(tail) - 1))
        with warc.open("ab") as fh:
            fh.write(tail[:cut])
        if data.draw(st.booleans()):
            (root / "archive" / "index.db").unlink()
        with Archive(root) as archive:
            assert len(archive) == 3
            assert [r.dropped for r in archive.repairs()] == [cut]
            assert archive.problems() == []
            archive.put(page(9))
            assert [archive.open(e.digest).url for e in exhibits] == [e.url for e in exhibits]
        assert damaged(root) == set()
        assert (root / "archive" / f"{NAME}.torn-{committed}").read_bytes() == tail[:cut]


def test_index_older_than_the_file_takes_whole_captures_in(tmp_path: Path) -> None:
    """Captures that were written but whose index rows were lost are found again."""
    fill(tmp_path, 2)
    shutil.copy(tmp_path / "archive" / "index.db", tmp_path / "old.db")
    with Archive(tmp_path) as archive:
        third = archive.put(page(2))
    shutil.copy(tmp_path / "old.db", tmp_path / "archive" / "index.db")
    with Archive(tmp_path) as archive:
        assert archive.open(third.digest).body == page(2).body
        assert (len(archive), archive.repairs(), archive.problems()) == (3, [], [])


def test_unusable_index_is_a_store_error_with_advice(filled: tuple[Path, Path, list[Exhibit]]) -> None:
    """A damaged index file is not silently replaced; moved away, it is rebuilt."""
    root, _, exhibits = filled
    index = root / "archive" / "index.db"
    index.write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match=r"index\.db may be moved away"):
        Archive(root)
    index.rename(root / "index.damaged")
    with Archive(root) as archive:
        assert len(archive) == len(exhibits)


WRITER = """
import sys, random, datetime as dt
from pathlib import Path
from s2r.archive import Archive
from s2r.models import Capture
archive = Archive(Path(sys.argv[1]))
print("open", flush=True)
for n in range(100000):
    url = f"https://k.example/{n}"
    page = Capture(url=url, final_url=url, content_type="text/plain", body=random.Random(n).randbytes(20000), fetched_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    print(archive.put(page).digest, flush=True)
"""


def start_writer(root: Path) -> subprocess.Popen[str]:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(root)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "open\n"
    return writer


@pytest.mark.slow
def test_killed_writer_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """After kill -9, every capture that was reported as stored can be opened, and the lock is taken over."""
    for round_number in range(3):
        writer = start_writer(tmp_path / str(round_number))
        time.sleep(0.1 + 0.07 * round_number)
        writer.send_signal(signal.SIGKILL)
        out, _ = writer.communicate()
        digests = [line for line in out.splitlines(keepends=True) if line.endswith("\n")]
        with Archive(tmp_path / str(round_number)) as archive:
            assert digests
            for digest in digests:
                archive.open(digest.strip())
            assert archive.problems() == []


def test_second_writer_is_told_who_holds_the_archive(tmp_path: Path) -> None:
    """Another process, and the same process again, get an error that names pid and host."""
    writer = start_writer(tmp_path)
    try:
        with pytest.raises(StoreError, match=f"in use by process {writer.pid} on {socket.gethostname()}"):
            Archive(tmp_path)
    finally:
        writer.kill()
        writer.communicate()
    with Archive(tmp_path), pytest.raises(StoreError, match=f"process {os.getpid()}"):
        Archive(tmp_path)
    Archive(tmp_path).close()


@pytest.mark.parametrize(
    ("change", "free"),
    [
        ({}, False),
        ({"pid": 2**22 + 1}, True),
        ({"process_start": "another-boot/1"}, True),
        ({"host": "other-machine.example"}, False),
        ({"pid": "x"}, True),
    ],
)
def test_only_dead_holders_of_this_machine_are_replaced(tmp_path: Path, change: dict[str, object], free: bool) -> None:
    """A lock of a process that has ended, or whose number now belongs to another one, is taken over; others are respected."""
    folder = tmp_path / "archive"
    folder.mkdir()
    holder = {"pid": os.getppid(), "host": socket.gethostname(), "process_start": process_start(os.getppid()), "started": "then"}
    (folder / "writer.lock").write_text(json.dumps(holder | change))
    if free:
        Archive(tmp_path).close()
        assert not (folder / "writer.lock").exists()
    else:
        with pytest.raises(StoreError, match="in use by process"):
            Archive(tmp_path)
        assert json.loads((folder / "writer.lock").read_text()) == holder | change


def test_forgotten_archive_gives_its_lock_back(tmp_path: Path) -> None:
    """An archive that is dropped without closing does not block the process that made it."""
    archive = Archive(tmp_path)
    archive.put(page(1))
    del archive
    Archive(tmp_path).close()


FULL = """
import resource, signal, sys, datetime as dt, random
from pathlib import Path
from s2r.archive import Archive
from s2r.errors import StoreError
from s2r.models import Capture
def page(n):
    url = f"https://k.example/{n}"
    return Capture(url=url, final_url=url, content_type="text/plain", body=random.Random(n).randbytes(50000), fetched_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
archive = Archive(Path(sys.argv[1]))
stored = [archive.put(page(n)).digest for n in range(3)]
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (190000, hard))
try:
    archive.put(page(3))
    print("no error")
except StoreError as exc:
    print(exc)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
stored.append(archive.put(page(4)).digest)
assert [archive.open(d).url[-1] for d in stored] == ["0", "1", "2", "4"]
assert archive.problems() == [], archive.problems()
"""


def test_full_disk_is_a_clear_error_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    """When a write stops short, the put fails with advice, the file is cut back, and the archive goes on when there is room."""
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "cannot be written: File too large" in done.stdout
    assert "run the same command again" in done.stdout
    with Archive(tmp_path) as archive:
        assert len(archive) == 4


def test_unwritable_place_is_a_store_error(tmp_path: Path) -> None:
    """A root that cannot hold a folder is reported with its path."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be written: Not a directory"):
        Archive(tmp_path / "file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder_is_a_store_error(tmp_path: Path) -> None:
    """Without permission nothing is made and the error says so."""
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="Permission denied"):
            Archive(tmp_path)
    finally:
        tmp_path.chmod(0o700)

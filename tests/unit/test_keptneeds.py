"""What expressions need is worked out once and kept where compiled files are; a spoilt or missing file costs time only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from s2r.lang import keptneeds
from s2r.lang.keptneeds import kept, needs_of

SOURCES = [r"will be (?:delisted|removed) from", r"\d+", r"上場廃止"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Compiled files go here."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    keptneeds._place.cache_clear()
    yield tmp_path
    keptneeds._place.cache_clear()


def files(folder: Path) -> list[Path]:
    """What is kept."""
    return list(folder.rglob("needs-*"))


def never() -> list[object]:
    """Work that is not to be done again."""
    raise AssertionError("worked out although it is kept")


def test_what_was_worked_out_is_read_the_next_time(folder: Path) -> None:
    found = needs_of("en", SOURCES)
    assert found[:2] == [(frozenset({"will be delisted from", "will be removed from"}),), ()]
    assert found[2] == (frozenset({"上場廃止"}),)
    assert len(files(folder)) == 1
    assert kept("en", SOURCES, never) == found


def test_another_list_or_name_has_a_file_of_its_own(folder: Path) -> None:
    needs_of("en", SOURCES)
    assert needs_of("en", SOURCES[:2]) == needs_of("de", SOURCES)[:2]
    assert len(files(folder)) == 3


@pytest.mark.parametrize("spoilt", [b"", b"\xff\xfe nonsense", b"i\x01\x00\x00\x00", b"[\x00\x00\x00\x00"])
def test_a_spoilt_file_is_made_anew(folder: Path, spoilt: bytes) -> None:
    found = needs_of("en", SOURCES)
    (file,) = files(folder)
    file.write_bytes(spoilt)
    assert needs_of("en", SOURCES) == found
    assert kept("en", SOURCES, never) == found


def test_where_nothing_can_be_written_it_is_worked_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert needs_of("en", SOURCES)[2] == (frozenset({"上場廃止"}),)
    assert not files(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", "/proc/nowhere")
    keptneeds._place.cache_clear()
    assert needs_of("en", SOURCES)[2] == (frozenset({"上場廃止"}),)


def test_old_files_of_a_name_go(folder: Path) -> None:
    for number in range(10):
        needs_of("en", [f"word{number}"])
        needs_of("en.us", ["word"])
    assert sum("needs-en-" in file.name for file in files(folder)) == 6
    assert sum("needs-en.us-" in file.name for file in files(folder)) == 1

"""Whole folders of files as found go from a loopback server through fetch, archive and extract; nothing raises, everything is typed."""

from __future__ import annotations

import asyncio
import gzip
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from s2r.archive import Archive
from s2r.evaluate.corpus import Passed, main, pass_through
from s2r.models import Page

BROKEN = Path(__file__).parents[1] / "broken"
REAL = Path(__file__).resolve().parents[3] / "shared" / "real"


def passed(folder: Path, home: Path) -> dict[str, Passed]:
    with Archive(home) as archive:
        found = {one.path: one for one in asyncio.run(pass_through(folder, archive))}
        assert archive.problems() == []
    return found


def test_broken_files_are_typed(tmp_path: Path) -> None:
    """Scans, locked and cut PDFs, empty frames, pictures and white space each get their outcome and cause; the rest is read."""
    found = passed(BROKEN, tmp_path)
    typed = {name: (one.outcome.value, one.cause) for name, one in found.items() if one.outcome != "ok"}
    assert typed == {
        "encrypted.pdf": ("unreadable", "encrypted pdf"),
        "cut.pdf": ("unreadable", "damaged pdf"),
        "scan.pdf": ("unreadable", "pdf without text layer"),
        "not_a.pdf": ("unreadable", "damaged pdf"),
        "picture.html": ("unreadable", "image/png holds no text that can be quoted"),
        "script_shell.html": ("script_shell", "the page is an empty frame filled by a script"),
        "white_space.txt": ("empty", "the body is empty"),
    }


def test_archive_files_are_passed_page_by_page(tmp_path: Path) -> None:
    """Pages of a WARC and of a WACZ come out as they went in; of a cut, flipped or foreign file the parts are typed, the rest is read."""
    source = tmp_path / "source"
    source.mkdir()
    for number in range(6):
        text = f"<title>Notice {number}</title><p>The ordinary shares of Alder {number} Ltd are removed from the list on 4 March 2024.</p>"
        (source / f"{number}.html").write_text(text, "utf-8")
    assert {one.outcome.value for one in passed(source, tmp_path / "run").values()} == {"ok"}
    warc = next((tmp_path / "run" / "archive").glob("*.warc.gz"))
    with Archive(tmp_path / "run", read_only=True) as archive:
        third = list(archive.exhibits())[2]
    data, folder = warc.read_bytes(), tmp_path / "files"
    folder.mkdir()
    flipped = bytearray(data)
    flipped[third.offset + third.length // 2] ^= 0xFF
    for name, content in {
        "whole.warc.gz": data, "cut.warc.gz": data[: len(data) * 3 // 5], "flipped.warc.gz": bytes(flipped), "none.warc.gz": b"<html>no archive</html>",
        "empty.warc.gz": b"", "zeros.warc": b"\0" * 5000, "plain.warc": gzip.decompress(data), "none.wacz": b"PK\x03\x04 broken",
        "none.arc": b"filedesc://x 0.0.0.0 20240304 text/plain 5\n1 0 x\n\nhttp://a.example/ 1.2.3.4 2024 text/html 99\nHTTP/1.1 200",
    }.items():  # fmt: skip
        (folder / name).write_bytes(content)
    with zipfile.ZipFile(folder / "whole.wacz", "w") as out:
        out.writestr("archive/data.warc.gz", data)
    found = passed(folder, tmp_path / "again")
    read = Counter(name.split()[0] for name, one in found.items() if one.outcome == "ok")
    assert read["whole.warc.gz"] == read["whole.wacz"] == read["plain.warc"] == 6
    assert 2 <= read["cut.warc.gz"] <= 4
    assert read["flipped.warc.gz"] == 5
    bad = {name for name, one in found.items() if one.outcome == "unreadable" and one.cause}
    assert {"cut.warc.gz", "flipped.warc.gz", "none.warc.gz", "empty.warc.gz", "zeros.warc", "none.wacz", "none.arc"} <= bad


@pytest.mark.skipif(not REAL.is_dir(), reason="third-party corpus is not here (../shared/real)")
def test_every_third_party_file_is_passed_or_typed(tmp_path: Path) -> None:
    """550 files as found: pages in many charsets, filings, feeds, PDFs and archives, some damaged on purpose; blocks and claims lie
    within their texts."""
    wrong: list[str] = []

    def look(path: str, page: Page) -> None:
        last = -1
        for block in page.blocks:
            if not last < block.start < block.end <= len(page.text):
                wrong.append(path)
            last = block.end
        wrong.extend(path for claim in page.claims if not -1 <= claim.start <= claim.end <= len(page.text))

    with Archive(tmp_path) as archive:
        found = asyncio.run(pass_through(REAL, archive, look))
        assert archive.problems() == []
    assert not wrong
    assert all(one.outcome == "ok" or one.cause for one in found)
    read = Counter(one.kind for one in found if one.outcome == "ok")
    assert read["html"] + read["htm"] >= 169
    assert read["pdf"] >= 22
    assert read["warc.gz, page"] + read["warc, page"] + read["arc, page"] + read["arc.gz, page"] >= 45
    assert sum(read.values()) > 450
    damaged = {Path(one.path.split()[0]).name for one in found if one.outcome == "unreadable" and "arc" in one.kind}
    assert {"example-trunc.warc", "example-wrong-chunks.warc.gz", "example-space-in-url.arc"} <= damaged


def test_the_command_shows_a_table() -> None:
    """One row for each kind, one column for each outcome, and with --causes a line for each file that was not read."""
    shown = CliRunner().invoke(main, [str(BROKEN), "--causes"])
    assert shown.exit_code == 0, shown.output
    assert "unreadable: scan.pdf: pdf without text layer" in shown.output
    assert [line.split()[:2] for line in shown.output.splitlines() if line.strip().startswith("html")] == [["html", "10"]]

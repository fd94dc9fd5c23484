"""The benchmarks of whole commands, at tiny sizes: they run, and count what there is. No time is asserted."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from factories import page

from benchmarks.figures import Figure, as_markdown, at_least, at_most, put_table
from benchmarks.live import lived
from benchmarks.packs import main_text
from benchmarks.site import filler, write_policies, write_site
from benchmarks.storage import archives, count_rows, exports
from benchmarks.tree import run
from benchmarks.world import Served
from s2r.archive import Archive


def test_a_site_has_the_pages_that_were_asked_for(tmp_path: Path) -> None:
    """So many for each row, on so many hosts, and of about the size."""
    site = write_site(tmp_path, 4, pages=3, kilobytes=2, hosts=5)
    lines = [json.loads(line) for line in site.pool.read_text("utf-8").splitlines()]
    assert (len(lines), count_rows(site.universe)) == (12, 4)
    assert len({line["url"].split("/")[2] for line in lines}) == 5
    assert all(2_000 < len(line["body"]) < 6_000 for line in lines)
    assert filler(0, 1) == ""


def test_a_figure_says_whether_its_target_is_held(tmp_path: Path) -> None:
    """In words, in Markdown, and a table that is put twice stands once."""
    figures = [at_most("p", "a", 1.0, 1.2, "x"), at_least("p", "b", 1.0, 1.7, "y | z"), Figure("p", "c", "7")]
    assert [one.held for one in figures] == [True, False, None]
    assert "NOT held | y / z" in as_markdown(figures)
    readme = tmp_path / "README.md"
    readme.write_text("# Head\n")
    for _ in range(2):
        put_table(readme, "p", figures, "### p")
    assert readme.read_text().count("| p | a |") == 1
    assert readme.read_text().startswith("# Head")


@pytest.mark.slow
def test_a_world_in_a_process_of_its_own_tells_what_was_asked(tmp_path: Path) -> None:
    """It gives the environment of a command, counts from nothing, and ends with its parent's interest."""
    site = write_site(tmp_path, 1, pages=1)
    with Served(site.pool, "--search-s", 0) as served:
        assert {"S2R_BRAVE_URL", "S2R_COMPAT_URL", "S2R_FETCH_PROXY", "S2R_HOST_RATE"} <= set(served.env)
        found = served.counts()
    assert {name: found[name] for name in ("searches", "pages", "models")} == {"searches": 0, "pages": 0, "models": 0}


@pytest.mark.proof
def test_a_live_audit_over_a_world_of_its_own_is_measured(tmp_path: Path) -> None:
    """Searches, pages and model answers are counted by the world; time and memory are those of all processes."""
    site = write_site(tmp_path / "all", 2, pages=2)
    options = ("--search-s", 0, "--fetch-s", 0, "--model-s", 0)
    with Served(site.pool, *options) as served:
        found = lived(tmp_path / "run", 2, served, write_policies(tmp_path), in_flight=4, pages=2, kilobytes=0, workers=1, panel=False)
    assert found.ran.code in (0, 4), found.ran.err
    assert found.asked["searches"] >= 2
    assert found.asked["pages"] >= 2
    assert found.asked["models"] >= 1
    assert found.ran.cpu > 0
    assert found.wait > 1
    records = [json.loads(line) for line in (tmp_path / "run" / "out" / "records.jsonl").read_text("utf-8").splitlines()]
    assert [record["error"] for record in records] == [None, None]
    assert all(record["model"] for record in records)


def test_an_archive_is_measured(tmp_path: Path) -> None:
    """Pages whose bytes are there are read, and others are only in the index."""
    found = list(archives(tmp_path, 300, 20))
    assert [one.part for one in found] == ["archive"] * 5
    with Archive(tmp_path, read_only=True) as archive:
        assert len(archive) == 350  # fifty were added


@pytest.mark.proof
def test_exports_hold_all_rows(tmp_path: Path) -> None:
    """No row is missing from any file."""
    counts = [one for one in exports(tmp_path, 30, 2) if one.target.startswith("=")]
    assert len(counts) == 6
    assert all(one.held for one in counts), counts


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    """Exit code and the end of its output."""
    ran = run([sys.executable, "-c", "import sys; print('no', file=sys.stderr); sys.exit(3)"], checked=False)
    assert (ran.code, ran.err) == (3, "no\n")


def test_main_text_leaves_out_what_is_not_main() -> None:
    """Only blocks that are the page's matter count as its main text."""
    made = page("Head\nNavigation", blocks=[{"kind": "paragraph", "start": 0, "end": 4, "main": True},
                                            {"kind": "paragraph", "start": 5, "end": 15, "main": False}])  # fmt: skip
    assert main_text(made) == "Head"

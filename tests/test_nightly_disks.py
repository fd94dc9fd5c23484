"""Nights on disks that are full or cannot be written: a clear end, nothing lost, and the next night goes on with it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import in_namespace
from factories import write_world

pytestmark = pytest.mark.slow


def test_a_night_on_a_full_disk_is_gone_on_with(tmp_path: Path, policies: Path) -> None:
    """Exit 1 with what to do; with room again the same command ends the same night, told once, and the run is proven. On a folder that is
    read-only a night is exit 1 and leaves the night before it as it was."""
    write_world(tmp_path, 4)
    (tmp_path / "disk").mkdir()
    run = f"{sys.executable} -m s2r"
    night = f"{run} nightly universe.csv --pool pool.jsonl --out disk/out --policies {policies} --workers 1"
    done = in_namespace(
        f"mount -t tmpfs -o size=220k none disk || exit 99; {night}; echo first $?; mount -o remount,size=100m disk;"
        f"{night} >/dev/null; echo second $?; {run} verify disk/out >/dev/null; echo proof $?; wc -l < disk/out/records.jsonl;"
        f"find disk -name '*.part' -o -name '*.tmp'; ls disk/out/nights; mount -o remount,ro disk; {night}; echo third $?;"
        f"{run} nights --out disk/out; echo history $?",
        tmp_path,
    )
    if done.returncode == 99:
        pytest.skip("a file system cannot be mounted here")
    said = done.stdout.splitlines()
    for line in ("first 1", "second 0", "proof 0", "4", "third 1", "history 0"):
        assert line in said, done.stdout + done.stderr
    assert not [line for line in said if line.endswith((".part", ".tmp"))]
    assert [line for line in said if line.isdigit() and len(line) == 5] == ["00001"]
    assert "Traceback" not in done.stdout + done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert any("space" in line.lower() or "full" in line.lower() for line in errors), done.stderr
    assert any("read-only" in line.lower() for line in errors), done.stderr

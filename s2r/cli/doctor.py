"""`s2r doctor`: check what a run needs, and say how to mend what is wrong."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import click

from s2r.cli.common import EXIT_CONFIG, EXIT_OK, emit, read_settings, stdout
from s2r.errors import S2RError
from s2r.policy import check_policies, policy_root
from s2r.settings import Settings

MIN_FREE_MB = 500
NEEDED = ("httpx", "trafilatura", "lxml", "lxml_html_clean", "warcio", "pypdfium2", "sqlite-utils", "openpyxl")
Result = tuple[bool, str, str]


@click.command()
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="Where runs will be written.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per check.")
def doctor(policies: Path | None, out: Path, as_json: bool) -> int:
    """Check Python, libraries, SQLite, disk and policies; print the fix for each fault. Exit 2 when something is wrong."""
    settings = read_settings(policies=policies)
    checks: list[tuple[str, Callable[[], Result]]] = [
        ("python", _python),
        ("libraries", _libraries),
        ("sqlite", _sqlite),
        ("disk", lambda: _disk(out)),
        ("policies", lambda: _policies(settings)),
        ("sources", _sources),
    ]
    bad = 0
    for name, check in checks:
        ok, found, fix = check()
        bad += not ok
        if as_json:
            emit({"check": name, "ok": ok, "found": found, "fix": fix})
        else:
            stdout().print(f"{'ok   ' if ok else 'FAULT'} {name}: {found}" + (f"\n      fix: {fix}" if fix else ""), markup=False)
    return EXIT_CONFIG if bad else EXIT_OK


def _python() -> Result:
    found = ".".join(map(str, sys.version_info[:3]))
    return sys.version_info >= (3, 11), found, "" if sys.version_info >= (3, 11) else "Install Python 3.11 or newer."


def _libraries() -> Result:
    missing = []
    for name in NEEDED:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return False, f"missing: {', '.join(missing)}", f"pip install {' '.join(missing)}"
    return True, f"{len(NEEDED)} found", ""


def _sqlite() -> Result:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("create virtual table t using fts5(x)")
    except sqlite3.OperationalError:
        return False, f"{sqlite3.sqlite_version} without FTS5", "Use a Python whose SQLite has FTS5 (Debian's has)."
    finally:
        connection.close()
    return True, f"{sqlite3.sqlite_version} with FTS5", ""


def _disk(out: Path) -> Result:
    place = out
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free >> 20
    try:
        with tempfile.NamedTemporaryFile(dir=place):
            pass
    except OSError as exc:
        return False, f"{place} cannot be written: {exc.strerror}", "Choose another --out folder or change its permissions."
    if free < MIN_FREE_MB:
        return False, f"{free} MB free at {place}", f"Free at least {MIN_FREE_MB} MB."
    return True, f"{free} MB free at {place.resolve()}, writable", ""


def _policies(settings: Settings) -> Result:
    try:
        root = policy_root(settings)
        faults = check_policies(root)
    except S2RError as exc:
        return False, str(exc), "Give --policies PATH or set S2R_POLICIES."
    if faults:
        first = faults[0]
        return False, f"{len(faults)} faults, first {first.file}:{first.line}: {first.key}: {first.problem}", "Run `s2r policy check`."
    return True, f"{root}, no faults", ""


def _sources() -> Result:
    keys = sorted(name for name in os.environ if name.startswith("S2R_") and name.endswith("_KEY"))
    found = f"keys set: {', '.join(keys)} (values hidden); " if keys else "no keys set; "
    return True, found + "the sealed pool (--pool) needs none", ""

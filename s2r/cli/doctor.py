"""`s2r doctor`: check what a run needs, and say how to mend what is wrong."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import click

from s2r.cli.common import EXIT_CONFIG, EXIT_OK, emit, now, read_settings, stdout
from s2r.errors import S2RError
from s2r.job import LiveOptions, ModelOptions
from s2r.job.policies import check_folder
from s2r.job.probe import PAGE, Finding, probe_live
from s2r.job.probemodels import probe_models
from s2r.net import Mask
from s2r.policy import policy_root
from s2r.settings import Settings, read_settings_file

MIN_FREE_MB = 500
NEEDED = ("httpx", "trafilatura", "lxml", "lxml_html_clean", "warcio", "pypdfium2", "sqlite-utils", "openpyxl")
Result = tuple[bool, str, str]


@click.command()
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="Where runs will be written.")
@click.option("--search", "search_text", default="", help="Live providers to check, as in `s2r audit` (default: all set up).")
@click.option("--offline", is_flag=True, help="Check settings only: no request is made, nothing is paid for.")
@click.option("--page", default=PAGE, show_default=True, help="Page that is fetched to check the way out and the clock.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per check.")
def doctor(policies: Path | None, out: Path, search_text: str, offline: bool, page: str, as_json: bool) -> int:
    """Check Python, libraries, SQLite, disk, policies, and where a search service is set up one cheap call of each and one page, and one of
    each model that is set up; print the fix for each fault. Exit 2 when something is wrong."""
    settings = read_settings(policies=policies)
    checks: list[tuple[str, Callable[[], Result]]] = [
        ("python", _python),
        ("libraries", _libraries),
        ("sqlite", _sqlite),
        ("disk", lambda: _disk(out)),
        ("home", lambda: _home(settings)),
        ("policies", lambda: _policies(settings)),
    ]
    found = [Finding(name, *check()) for name, check in checks]
    options = LiveOptions(search_text, None, os.environ, read_settings_file())
    found += asyncio.run(probe_live(options, policy_root(settings), settings, now, calls=not offline, page=page))
    models = ModelOptions(env=os.environ, file=read_settings_file())
    found += asyncio.run(probe_models(models, policy_root(settings), settings, now, calls=not offline))
    hide = Mask(value for name, value in os.environ.items() if name.startswith("S2R_") and name.endswith("_KEY"))
    for finding in found:
        _show(Finding(finding.check, finding.ok, hide(finding.found), hide(finding.fix)), as_json=as_json)
    return EXIT_OK if all(finding.ok for finding in found) else EXIT_CONFIG


def _show(finding: Finding, *, as_json: bool) -> None:
    if as_json:
        emit(finding._asdict())
        return
    label = "ok   " if finding.ok else "FAULT"
    stdout().print(f"{label} {finding.check}: {finding.found}" + (f"\n      fix: {finding.fix}" if finding.fix else ""), markup=False)


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
        faults = check_folder(root)
    except S2RError as exc:
        return False, str(exc), "Give --policies PATH or set S2R_POLICIES."
    if faults:
        first = faults[0]
        return False, f"{len(faults)} faults, first {first.file}:{first.line}: {first.key}: {first.problem}", "Run `s2r policy check`."
    return True, f"{root}, no faults", ""


def _home(settings: Settings) -> Result:
    ok, found, fix = _disk(settings.home)
    return ok, f"{found} (shared limits of live runs)", fix and "Set S2R_HOME to a folder that can be written."

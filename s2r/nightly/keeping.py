"""Copies of a run folder that can be proven, and what goes after its time."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from s2r.archive.lock import NAME as LOCK
from s2r.errors import ConfigError, IntegrityError, StoreError
from s2r.policy.schedule import Retention
from s2r.report.files import write_json
from s2r.store import Store
from s2r.store.nights import Nights

MANIFEST = "backup.json"
COPIES = "backups"  # of the store, in the folder of nights
DATABASES = (".db", ".sqlite")
_SKIPPED = {LOCK, ".lock-guard"}
_LEFT_OUT = ("pools",)  # can be made again


def backup(run: Path, to: Path, now: dt.datetime) -> int:
    """Copy a run folder to a new folder, also while a run writes to it; return the number of files. Databases are copied by SQLite
    itself, before the WARC files they point to, which only grow. `backup.json`, written last, holds the sha256 of each file."""
    if not (run / "s2r.db").is_file():
        raise ConfigError("is no run folder (no s2r.db in it)", subject=str(run), advice="Give the --out folder of an audit.")
    if to.exists() and any(to.iterdir()):
        raise ConfigError("is not empty", subject=str(to), advice="Give a new folder.")
    try:
        files = sorted(_files(run), key=lambda path: (path.suffix not in DATABASES, path))
        for path in files:
            target = to / path.relative_to(run)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in DATABASES:
                copy_database(path, target)
                shutil.copymode(path, target)  # the list of users is for the service alone
            else:
                shutil.copy2(path, target)
        digests = {str(path.relative_to(run)): _digest(to / path.relative_to(run)) for path in files}
    except (OSError, sqlite3.Error) as exc:
        raise StoreError(f"cannot be copied: {exc}", subject=str(run), advice="Free space or choose another folder, then repeat.") from exc
    write_json(to / MANIFEST, {"of": str(run), "at": now.isoformat(), "files": digests})
    return len(files)


def restore(copy: Path, run: Path) -> int:
    """Bring a backup back as a new run folder after proving every file of it; return their number. Raises IntegrityError naming a file that
    is not as it was copied."""
    try:
        told = json.loads((copy / MANIFEST).read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise ConfigError(
            f"is no whole backup (no readable {MANIFEST})", subject=str(copy), advice="Give a folder made by s2r backup."
        ) from exc
    if run.exists() and any(run.iterdir()):
        raise ConfigError("is not empty", subject=str(run), advice="Give a new folder, or move the old one away.")
    for name, digest in told.items():
        path = copy / name
        if not path.resolve().is_relative_to(copy.resolve()):
            raise IntegrityError("names a file outside of the backup", subject=str(path))
        if not path.is_file() or _digest(path) != digest:
            raise IntegrityError("is missing or not as it was copied", subject=str(path), advice="Use another backup.")
    try:
        for name in told:
            (run / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(copy / name, run / name)
    except OSError as exc:
        raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(run), advice="Free space, remove it and repeat.") from exc
    return len(told)


def copy_database(path: Path, target: Path) -> None:
    """Copy a SQLite file while others may write to it; the copy is one whole state of it."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def keep_copy(out: Path, night: int, keep: int) -> None:
    """A copy of the store before a night; the newest `keep` stay."""
    if keep == 0 or not (out / "s2r.db").is_file():
        return
    folder = out / "nights" / COPIES
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / f".night-{night:05d}.part"
    aside.unlink(missing_ok=True)
    copy_database(out / "s2r.db", aside)
    aside.replace(folder / f"night-{night:05d}.sqlite")
    for old in sorted(folder.glob("night-*.sqlite"))[:-keep]:
        old.unlink()


def tidy(out: Path, rule: Retention, now: dt.datetime) -> list[int]:
    """Remove reports of nights that are past their time; return their numbers. Records and archive are evidence and stay."""
    if rule.nights_days == 0:
        return []
    with Store(out / "s2r.db") as store:
        gone = Nights(store).forget(now - dt.timedelta(days=rule.nights_days))
    for number in gone:
        shutil.rmtree(out / "nights" / f"{number:05d}", ignore_errors=True)
    return gone


def _files(run: Path) -> Iterator[Path]:
    for path in run.rglob("*"):
        inside = path.relative_to(run)
        if not path.is_file() or path.is_symlink() or path.name in _SKIPPED or path.name.endswith((".part", ".tmp", "-wal", "-shm")):
            continue
        if inside.parts[0] in _LEFT_OUT or COPIES in inside.parts:
            continue
        yield path


def _digest(path: Path) -> str:
    with path.open("rb") as fh:
        return hashlib.file_digest(fh, "sha256").hexdigest()

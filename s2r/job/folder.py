"""The run folder: one run at a time in it, no litter of a run that never began, and its records."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from s2r.archive.lock import WriterLock
from s2r.errors import ConfigError, IntegrityError, StoreError
from s2r.models import Listing, Record, RowIssue
from s2r.models.packed import CARRIED
from s2r.pipeline.run import AUTHOR
from s2r.report.files import whole
from s2r.store import Store
from s2r.universe import write_rejected

UNWRITABLE = "Choose an --out folder that can be written."
_REPEAT = "Its run was stopped before the files were written: repeat its command."


@contextmanager
def hold_folder(out: Path) -> Iterator[None]:
    """Make `out` and keep other runs out of it; a lock of a dead process is taken over, half-written files of one are removed.

    Raises StoreError naming a live holder, or when the folder cannot be written; ConfigError when it is a file. A folder made
    here goes again when a ConfigError ends the run before it began.
    """
    made = next((p for p in reversed([out, *out.parents]) if not p.exists()), None)
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = WriterLock(out)
    except (FileExistsError, NotADirectoryError) as exc:
        raise ConfigError("is not a folder", subject=str(out), advice="Give a folder with --out.") from exc
    except OSError as exc:
        raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(out), advice=UNWRITABLE) from exc
    except StoreError as exc:
        advice = f"Wait for it to end, or give another --out folder. If it is certainly gone, remove {out / 'writer.lock'}."
        raise StoreError(exc.message, subject=str(out), advice=advice) from exc
    try:
        _tidy(out)
        yield
    except ConfigError:
        lock.release()
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
        raise
    finally:
        lock.release()


def _tidy(out: Path) -> None:
    """Remove what a killed run was writing aside; nothing takes such a file for a whole one."""
    for litter in (*out.glob(".*.part"), *out.glob("pools/.*.tmp"), *out.glob("pools/.*.tmp-journal")):
        with suppress(OSError):
            litter.unlink()


def write_rejects(path: Path, issues: Iterable[RowIssue]) -> None:
    """rejected.csv, as a whole or not at all; raises StoreError when it cannot be written."""
    aside = path.with_name(f".{path.name}.rows.part")
    try:
        write_rejected(aside, issues)
        content = aside.read_bytes()
    except OSError as exc:
        raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(path), advice=UNWRITABLE) from exc
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
    with whole(path) as fh:
        fh.write(content)


def read_records(out: Path) -> Iterator[Record]:
    """Records of a run folder, in input order; raises as `written_records`, and IntegrityError at a line that is damaged."""
    return (record for _, record in _read(written_records(out), None))


def no_records(out: Path) -> ConfigError:
    """The error of a folder without records.jsonl: one of an audit that was stopped, or another one."""
    advice = _REPEAT if (out / "s2r.db").is_file() else "Give the --out folder of an audit."
    return ConfigError("holds no records.jsonl", subject=str(out), advice=advice)


def written_records(out: Path) -> Path:
    """records.jsonl of a run folder. Raises ConfigError when there is none, or when the audit has later records that are not in it: a
    run that is stopped twice keeps its rows in the store and leaves the files of an earlier run. A reviewer's decisions do not count."""
    path = out / "records.jsonl"
    if not path.is_file():
        raise no_records(out)
    if not (out / "s2r.db").is_file():
        return path
    try:
        last = json.loads((out / "run.json").read_text("utf-8")).get("last_revision")
    except FileNotFoundError:
        raise ConfigError("its files are not complete", subject=str(out), advice=_REPEAT) from None
    except (ValueError, AttributeError):
        return path
    if isinstance(last, int):
        with Store(out / "s2r.db", read_only=True) as store:
            newer = store.revised_since(last, AUTHOR)
        if newer:
            rows = "1 row has a record" if newer == 1 else f"{newer} rows have records"
            raise ConfigError(f"{rows} that the files of the folder do not show yet", subject=str(out), advice=_REPEAT)
    return path


def records_at(out: Path, places: Collection[int]) -> Iterator[tuple[int, Record]]:
    """The records at some places (0-based) of the file with their places, in order; no other line is parsed. Raises as
    `read_records`, but for records that the file does not have yet."""
    path = out / "records.jsonl"
    if not path.is_file():
        raise no_records(out)
    return _read(path, places)


def _read(path: Path, places: Collection[int] | None) -> Iterator[tuple[int, Record]]:
    with path.open("rb") as fh:
        for place, line in enumerate(fh):
            if places is not None and place not in places:
                continue
            try:
                yield place, Record.model_validate_json(line)
            except ValidationError as exc:
                advice = "Repeat the audit command with this --out folder: the file is written again from the store."
                raise IntegrityError(f"line {place + 1} is no record of this version", subject=str(path), advice=advice) from exc


def current_records(store: Store, listings: Iterable[Listing]) -> Iterator[Record]:
    """The newest record of every listing that has one, in the order given, with its place and carried-through columns of today."""
    for listing in listings:
        record = store.current(listing.row_id)
        if record is not None and record.listing != listing and _same(record.listing, listing):
            record = record.model_copy(update={"listing": listing})
        if record is not None:
            yield record


def _same(one: Listing, other: Listing) -> bool:
    return one.model_dump(exclude=CARRIED) == other.model_dump(exclude=CARRIED)

"""Rows of cells that wait in a file of no name until all are there: memory grows with their keys only."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from s2r.errors import StoreError

Key = tuple[float, str]


class Spool:
    """Rows, given back in the order of their keys (equal keys, as without any: in which they came). Use as a context manager.

    The file lies in `folder` and is gone with the process; raises StoreError when it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._places = folder, list[tuple[Key, int]]()

    def __enter__(self) -> Self:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = tempfile.TemporaryFile(dir=self._folder)
        except OSError as exc:
            raise self._error(exc) from exc
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    def add(self, row: object, key: Key = (0.0, "")) -> None:
        """Keep a row of JSON values."""
        try:
            self._places.append((key, self._file.tell()))
            self._file.write(json.dumps(row).encode("ascii") + b"\n")
        except OSError as exc:
            raise self._error(exc) from exc

    def __iter__(self) -> Iterator[Any]:
        self._places.sort()
        at = self._file.seek(0)
        for _, place in self._places:
            if place != at:
                self._file.seek(place)
            line = self._file.readline()
            at = place + len(line)
            yield json.loads(line)

    def _error(self, exc: OSError) -> StoreError:
        advice = "Free space or choose another folder, then repeat the same command; nothing done is lost."
        return StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(self._folder), advice=advice)

"""The records of a run, read one after the other and again one by one, so that many of them need little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from s2r.errors import IntegrityError
from s2r.job.folder import written_records
from s2r.models import Record


class Book(Protocol):
    """Records in order; `again(n)` is the n-th, counted from 0, of a walk that was done."""

    def __iter__(self) -> Iterator[Record]: ...

    def again(self, number: int) -> Record: ...


class Pages:
    """Records that are at hand."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def again(self, number: int) -> Record:
        """The record with this number."""
        return self._records[number]


class RunBook:
    """records.jsonl of a run folder; raises as `written_records`, and IntegrityError at a damaged line."""

    def __init__(self, run: Path) -> None:
        self.path = written_records(run)
        self._offsets: list[int] = []
        self.again = lru_cache(maxsize=64)(self._again)

    def __iter__(self) -> Iterator[Record]:
        self._offsets = []
        with self.path.open("rb") as fh:
            at = 0
            for line in fh:
                self._offsets.append(at)
                at += len(line)
                yield self._parse(line, len(self._offsets))

    def _again(self, number: int) -> Record:
        with self.path.open("rb") as fh:
            fh.seek(self._offsets[number])
            return self._parse(fh.readline(), number + 1)

    def _parse(self, line: bytes, number: int) -> Record:
        try:
            return Record.model_validate_json(line)
        except ValidationError as exc:
            advice = "Repeat the audit command with this --out folder: the file is written again from the store."
            raise IntegrityError(f"line {number} is no record of this version", subject=str(self.path), advice=advice) from exc

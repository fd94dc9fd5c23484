"""Stores and archives of full size: opening and reading a million pages, exporting a hundred thousand records."""

from __future__ import annotations

import csv
import datetime as dt
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from openpyxl import load_workbook

from benchmarks.figures import Figure, at_most, told
from benchmarks.tree import Ran, run
from s2r.archive import Archive
from s2r.archive.index import NAME as INDEX
from s2r.archive.index import Index, Row
from s2r.models import Capture
from s2r.report.files import write_records
from s2r.store import Store
from s2r.synth.cases import UniverseSpec
from s2r.synth.folder import write_folder

NOW = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
PAGES, REAL = 1_000_000, 2_000  # pages in the index; those whose bytes are there
READS = 1_000
ROWS = 100_000
EXPORT_S, EXPORT_MB = 60.0, 500.0
_BATCH = 50_000


def archives(scratch: Path, pages: int = PAGES, real: int = REAL) -> Iterator[Figure]:
    """An archive of `pages` pages: opened for reading and for writing, pages read at random, and one page looked for by its address."""
    write_archive(scratch, pages, real)
    began = time.perf_counter()
    with Archive(scratch, read_only=True) as archive:
        opened = time.perf_counter() - began
        digests = _digests(real)
        draw = random.Random(1)  # noqa: S311 - not for secrets
        chosen = [draw.randrange(real) for _ in range(min(READS, real * 4))]
        read = _median(lambda number: archive.open(digests[number], _url(number)), chosen)
        found = _median(lambda number: archive.find_url(_url(number)), chosen[:200])
    began = time.perf_counter()
    with Archive(scratch) as archive:
        writing = time.perf_counter() - began
        put = _median(lambda number: archive.put(_capture(pages + number)), range(50))
    of = f"{pages} pages in the index, the bytes of {real} are there"
    yield at_most("archive", "seconds to open, for reading", opened, 2.0, of)
    yield at_most("archive", "seconds to open, for writing", writing, 2.0, of)
    yield at_most("archive", "ms to read a page, digests checked", read * 1000, 2.0, f"{of}; median of {len(chosen)}")
    yield told("archive", "ms to find the captures of an address", found * 1000, of)
    yield told("archive", "ms to add a page, on the disk", put * 1000, of)


def write_archive(root: Path, pages: int, real: int) -> None:
    """An archive whose index knows `pages` pages, of which the first `real` were really written; the others are said to lie where these
    do, since nobody opens them: what looking one up among all takes is the same."""
    with Archive(root) as archive:
        for number in range(real):
            archive.put(_capture(number))
    index = Index(root / "archive" / INDEX)
    rows, file = list(index.all_rows()), next(iter(index.files().values()))
    batch: list[Row] = []
    for number in range(real, pages):
        url = _url(number)
        batch.append(replace(rows[number % real], digest=f"sha256:{number:064x}", url=url, final_url=url))
        if len(batch) == _BATCH:
            index.commit_rows(batch, file)
            batch = []
    index.commit_rows(batch, file)
    index.close()


def _url(number: int) -> str:
    return f"https://wire{number % 997}.example/notices/{number}"


def _capture(number: int) -> Capture:
    body = f"<html><head><title>Notice {number}</title></head><body><p>{'Nothing happened. ' * 200}{number}</p></body></html>"
    url = _url(number)
    return Capture(url=url, final_url=url, content_type="text/html; charset=utf-8", body=body.encode(), fetched_at=NOW)


def _digests(real: int) -> list[str]:
    from s2r.archive.warc import sha256

    return [sha256(_capture(number).body) for number in range(real)]


def _median(act: Callable[[int], object], numbers: range | list[int]) -> float:
    """Median seconds of an act."""
    took = []
    for number in numbers:
        began = time.perf_counter()
        act(number)
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def exports(scratch: Path, rows: int = ROWS, evidence: int = 5) -> Iterator[Figure]:
    """The files of a run with `rows` records, each in a process of its own; every one must hold them all."""
    write_folder(scratch, UniverseSpec(rows), evidence=evidence, bodies=20, now=NOW)
    script = [sys.executable, "-m", "benchmarks.storage", scratch]
    yield from _export("files of a run: jsonl, csv, queue.csv, queue.xlsx", run(script), rows, {"records.jsonl": rows}, scratch)
    for what, name, count in (("records", "records.jsonl", rows), ("records", "records.csv", rows), ("records", "records.xlsx", rows),
                              ("queue", "queue.csv", None), ("queue", "queue.xlsx", None)):  # fmt: skip
        target = scratch / "exported" / name
        target.parent.mkdir(exist_ok=True)
        ran = run([sys.executable, "-m", "s2r", "export", scratch, "--what", what, "--to", target])
        yield from _export(f"s2r export {name}", ran, rows, {f"exported/{name}": count or _waiting(scratch)}, scratch)


def _export(name: str, ran: Ran, rows: int, files: dict[str, int], folder: Path) -> Iterator[Figure]:
    share = max(1.0, rows / ROWS)
    yield at_most("export", f"{name}: seconds", ran.seconds, EXPORT_S * share, f"{rows} records, {ran.cpu:.0f} s of CPU")
    yield at_most("export", f"{name}: MB", ran.all_mb, EXPORT_MB, f"{rows} records")
    for file, wanted in files.items():
        found = count_rows(folder / file)
        yield Figure("export", f"{name}: rows", str(found), f"= {wanted}", found == wanted, file)


def _waiting(run_folder: Path) -> int:
    """Records that are not accepted, as the store counts them."""
    with Store(run_folder / "s2r.db", read_only=True) as store:
        return int(str(store.rows("select count(*) n from record_current where route <> 'accept'")[0]["n"]))


def count_rows(path: Path) -> int:
    """Rows of a file without its head."""
    if path.suffix == ".jsonl":
        with path.open("rb") as fh:
            return sum(1 for _ in fh)
    if path.suffix == ".xlsx":
        book = load_workbook(path, read_only=True)
        return sum(1 for _ in book.worksheets[0].iter_rows(values_only=True)) - 1
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8-sig", newline="") as fh:
        return sum(1 for _ in csv.reader(fh)) - 1


def main(folder: Path) -> None:
    """Write the files of a run from its store, as the end of an audit does."""
    with Store(folder / "s2r.db") as store:
        write_records(folder, store.records)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

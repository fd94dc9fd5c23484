"""`s2r pool`: archive and extract every document of a sealed pool, with a table of outcomes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
from rich.table import Table

from s2r.archive import Archive
from s2r.cli.common import EXIT_FAULTS, EXIT_OK, emit, now, read_settings, stderr, stdout
from s2r.errors import SourceBroken
from s2r.extract import extract, outcome_of
from s2r.models import Gap, Outcome
from s2r.search import Pool


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the archive.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per document on stdout.")
def pool(path: Path, out: Path, as_json: bool) -> int:
    """Archive and extract all documents of the sealed pool at PATH; list what each turned out to be."""
    settings = read_settings()
    counts: Counter[str] = Counter()
    console = stderr()
    with Pool.open(path, home=out, max_body_mb=settings.max_body_mb) as opened, Archive(out) as archive:
        for fault in opened.faults:
            counts[Outcome.UNREADABLE.value] += 1
            emit({"url": "", "outcome": "unreadable", "cause": str(fault)}) if as_json else console.print(
                f"unreadable: {fault}", markup=False
            )
        for url in opened.urls():
            outcome, cause, characters = _intake(opened, archive, url)
            counts[outcome.value] += 1
            if as_json:
                emit({"url": url, "outcome": outcome.value, "cause": cause, "characters": characters})
            elif outcome is not Outcome.OK:
                console.print(f"{outcome.value}: {url}: {cause}", markup=False)
    table = Table("outcome", "documents", box=None, pad_edge=False)
    for name, count in sorted(counts.items()):
        table.add_row(name, str(count))
    (console if as_json else stdout()).print(table)
    return EXIT_OK if set(counts) <= {Outcome.OK.value} else EXIT_FAULTS


def _intake(opened: Pool, archive: Archive, url: str) -> tuple[Outcome, str, int]:
    got = opened.read(url, at=now())
    if isinstance(got, Gap):
        return got.outcome, got.cause, 0
    exhibit = archive.put(got)
    try:
        page = extract(got.body, got.content_type, url, digest=exhibit.digest, fallback_title=got.title)
    except SourceBroken as exc:
        return outcome_of(exc), exc.message, 0
    return Outcome.OK, "", len(page.text)

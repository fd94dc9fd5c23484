"""`python -m s2r.evaluate.corpus FOLDER`: every file of a folder from a loopback server through fetch, archive and extract.

Files count as what their names say; the pages inside of WARC, ARC and WACZ files go the same way. The table shows what became of
each kind of file. A fault that is not of s2r's own error tree is not caught: none may happen.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import click
from rich.console import Console
from rich.table import Table

from s2r.archive import Archive
from s2r.errors import InputError, SourceBroken
from s2r.extract import extract, outcome_of
from s2r.fetch.live import LiveFetcher
from s2r.models import Gap, Outcome, Page
from s2r.settings import Settings
from s2r.testing import Answer, World

KINDS = {
    ".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".pdf": "application/pdf", ".txt": "text/plain",
    ".md": "text/markdown", ".xml": "text/xml", ".atom": "application/atom+xml", ".rss": "application/rss+xml", ".json": "application/json",
    ".csv": "text/csv", ".sgml": "text/plain",
}  # fmt: skip
ARCHIVES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz", ".warc.gz.bad")
AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)  # of every request, so that the same folder gives the same archive
Look = Callable[[str, Page], None]


class Passed(NamedTuple):
    """One file, or one page of an archive file, and what became of it; `cause` is "" for what was read."""

    path: str
    kind: str
    outcome: Outcome
    cause: str


async def pass_through(folder: Path, archive: Archive, look: Look | None = None) -> list[Passed]:
    """What became of each file and of each page of the archive files; `look` sees every page that was read, with its path."""
    plain, archives = _files(folder)
    passed = [one async for one in _plain(folder, plain, archive, look)]
    for path in archives:
        passed += [one async for one in _inside(folder, path, archive, look)]
    return passed


def _files(folder: Path) -> tuple[list[Path], list[Path]]:
    """Files that are pages, and files that hold pages, in order of their paths."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    archives = [path for path in files if path.name.lower().endswith(ARCHIVES)]
    return [path for path in files if path not in archives], archives


async def _plain(folder: Path, files: Sequence[Path], archive: Archive, look: Look | None) -> AsyncIterator[Passed]:
    with World() as world:
        async with world.net("fetch") as net:
            fetcher = LiveFetcher(net, Settings(robots=False))
            for number, path in enumerate(files):
                url = f"https://files.example/{number}/{quote(path.name)}"
                kind, name = KINDS.get(path.suffix.lower(), ""), str(path.relative_to(folder))
                answer = Answer(200, (("Content-Type", kind or "application/octet-stream"),), path.read_bytes())
                world.web.always(url, partial(_instead, answer))
                outcome, cause = await _read(fetcher, url, archive, name, look)
                yield Passed(name, path.suffix.lower().lstrip(".") if kind else "other", outcome, cause)


def _instead(answer: Answer, _: Answer) -> Answer:
    return answer


async def _inside(folder: Path, path: Path, archive: Archive, look: Look | None) -> AsyncIterator[Passed]:
    """Pages of an archive file from a world that serves it; parts of it that cannot be used are `unreadable` with their cause."""
    name, kind = str(path.relative_to(folder)), next(end for end in ARCHIVES[::-1] if path.name.lower().endswith(end)).lstrip(".")
    try:
        world = World(path)
    except InputError as exc:
        yield Passed(name, kind, Outcome.UNREADABLE, exc.message)
        return
    with world:
        assert world.pool is not None
        for fault in world.pool.faults:
            yield Passed(name, f"{kind}, part", Outcome.UNREADABLE, fault.cause)
        async with world.net("fetch") as net:
            fetcher = LiveFetcher(net, Settings(robots=False))
            for url in world.pool.urls():
                outcome, cause = await _read(fetcher, url, archive, f"{name} {url}", look)
                yield Passed(f"{name} {url}", f"{kind}, page", outcome, cause)


async def _read(fetcher: LiveFetcher, url: str, archive: Archive, name: str, look: Look | None) -> tuple[Outcome, str]:
    found = await fetcher.fetch(url, at=AT)
    if isinstance(found, Gap):
        return found.outcome, found.cause
    exhibit = archive.put(found)
    kept = archive.open(exhibit.digest, found.url)
    try:
        page = extract(kept.body, kept.content_type, kept.final_url, digest=exhibit.digest)
    except SourceBroken as exc:
        return outcome_of(exc), exc.message
    if look:
        look(name, page)
    return Outcome.OK, ""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--causes", is_flag=True, help="Also list every file that was not read, with its cause.")
def main(folder: Path, causes: bool) -> None:
    """Fetch, archive and extract every file of FOLDER and show what became of it, by kind."""
    with tempfile.TemporaryDirectory(prefix="s2r-corpus-") as home, Archive(Path(home)) as archive:
        passed = asyncio.run(pass_through(folder, archive))
        problems = archive.problems()
    console = Console(soft_wrap=True, highlight=False)
    console.print(f"{len(passed)} files, pages and parts; {len(problems)} damages of the archive written from them.")
    _show(console, passed)
    for one, count in Counter(passed).items() if causes else ():
        if one.outcome is not Outcome.OK:
            console.print(f"{one.outcome.value}: {one.path}: {one.cause}" + (f" ({count} times)" if count > 1 else ""), markup=False)
    sys.exit(1 if problems else 0)


def _show(console: Console, passed: Sequence[Passed]) -> None:
    counts = Counter((one.kind, one.outcome) for one in passed)
    outcomes = [outcome for outcome in Outcome if any(outcome is other for _, other in counts)]
    table = Table("kind", "items", *(outcome.value for outcome in outcomes), box=None)
    for kind in sorted({kind for kind, _ in counts}):
        row = [counts[kind, outcome] for outcome in outcomes]
        table.add_row(kind, str(sum(row)), *(str(count) if count else "" for count in row))
    console.print(table)


if __name__ == "__main__":
    main()

"""`make bench`, whole commands: prints every figure with its target; `python -m benchmarks --help` for parts and sizes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.dask_engine import dask
from benchmarks.figures import WORDS, Figure, machine, put_table
from benchmarks.live import peers, waiting
from benchmarks.packs import tokens
from benchmarks.pooled import SIZES, as_json, growth, processor
from benchmarks.storage import PAGES, ROWS, archives, exports

GATE = 3
README = Path(__file__).with_name("README.md")
Part = Callable[[Path, float], Iterator[Figure]]


def parts(shared: Path) -> Mapping[str, Part]:
    """Every part by name; each is given a scratch folder and a share of the full size."""
    return {
        "waiting": lambda scratch, _: waiting(scratch),
        "peers": lambda scratch, _: peers(scratch),
        "processor": lambda scratch, _: processor(scratch),
        "dask": lambda scratch, _: dask(scratch),
        "tokens": lambda _, __: tokens(shared),
        "archive": lambda scratch, share: archives(scratch, max(4_000, int(PAGES * share))),
        "export": lambda scratch, share: exports(scratch, max(100, int(ROWS * share))),
        "growth": lambda scratch, share: growth(scratch, [max(20, int(rows * share)) for rows in SIZES]),
    }


NAMES = tuple(parts(Path()))


@click.command()
@click.option("--part", "chosen", type=click.Choice(NAMES), multiple=True, default=NAMES, help="Only these parts.")
@click.option("--share", type=click.FloatRange(0.001, 1), default=0.05, show_default=True, help="Of the full size, where sizes count.")
@click.option("--shared", type=click.Path(path_type=Path), default=Path("../shared"), help="Folder of the sets outside the checkout.")
@click.option("--scratch", type=click.Path(path_type=Path), help="Folder for what is made on the way, kept (default: a temporary one).")
@click.option("--json", "as_lines", is_flag=True, help="One JSON line for each figure on stdout.")
@click.option("--readme", is_flag=True, help="Put the tables into benchmarks/README.md.")
@click.option("--gate", is_flag=True, help="Exit with 3 when a target is missed.")
def main(chosen: tuple[str, ...], share: float, shared: Path, scratch: Path | None, as_lines: bool, readme: bool, gate: bool) -> None:
    """Measure s2r by whole commands; times hold for this machine, ratios and counts for any."""
    found: list[Figure] = []
    console = Console(highlight=False, width=max(150, Console().width), stderr=as_lines)
    console.print(machine())
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="s2r-bench-") as made:
            folder = (scratch or Path(made)) / name
            folder.mkdir(parents=True, exist_ok=True)
            figures = list(_shown(parts(shared)[name](folder, share), console))
        found += figures
        if as_lines:
            click.echo(as_json(figures))
        if readme:
            size = "" if name not in ("archive", "export", "growth") else f" at {share:g} of the full size"
            put_table(README, name, figures, f"### {name}{size}\n\n{machine()}")
    missed = [f"{one.part}: {one.name}" for one in found if one.held is False]
    console.print(f"{len(missed)} of {sum(one.held is not None for one in found)} targets missed" + "".join(f"\n  {x}" for x in missed))
    sys.exit(GATE if gate and missed else 0)


def _shown(figures: Iterator[Figure], console: Console) -> Iterator[Figure]:
    """Each figure as it comes, as a line."""
    for one in figures:
        table = Table.grid(padding=(0, 2))
        for width in (9, 44, 10, 10, 8):
            table.add_column(width=width, overflow="fold")
        table.add_column(overflow="fold")
        table.add_row(one.part, one.name, one.value, one.target, WORDS[one.held], one.of)
        console.print(table)
        yield one


if __name__ == "__main__":
    main()

"""`s2r eval`: accuracy of a run against gold, with intervals, and against pinned floors."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from s2r.cli.common import EXIT_GATE, EXIT_OK, emit, stderr, stdout
from s2r.errors import ConfigError
from s2r.evaluate.floor import broken_floors, read_floors
from s2r.evaluate.gold import read_gold
from s2r.evaluate.score import CaseScore, Rate, measures, score
from s2r.job import read_records


@click.command("eval")
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--gold",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    help="Gold CSV: case_id, stratum, status, announcement_date, reason, ...",
)
@click.option("--floor", type=click.Path(path_type=Path), help="JSON file with pinned floors.")
@click.option("--set", "name", default="", help="Name of the set inside the floor file.")
@click.option("--by", type=click.Choice(["stratum", "region", "tag", "language"]), multiple=True, help="Also by these groups.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def evaluate(*, run: Path, gold: Path, floor: Path | None, name: str, by: tuple[str, ...], as_json: bool) -> int:
    """Score the records of RUN against a gold file. Exit 3 when a measure is under its floor."""
    wanted = read_gold(gold)
    scores = score(read_records(run), wanted)
    if not scores:
        raise ConfigError("no record of the run has a row in the gold file", subject=str(gold))
    found = measures(scores)
    limits = read_floors(floor, name) if floor else {}
    broken = broken_floors(found, limits)
    if as_json:
        values = {k: {"value": r.value, "hits": r.hits, "n": r.n, "interval": r.interval} for k, r in found.items()}
        emit({"set": name, "measures": values, "broken": broken, "misses": [s.model_dump() for s in scores if _missed(s)]})
        return EXIT_GATE if broken else EXIT_OK
    console = stdout()
    console.print(f"{name or gold}: {len(scores)} cases", style="bold")
    _print_measures(console, found, {k: json.dumps(v) for k, v in limits.items()})
    for group in by:
        _print_groups(console, group, scores, {k: _groups(group, v.stratum, v.region, v.tags, v.languages) for k, v in wanted.items()})
    _print_misses(console, scores)
    for line in broken:
        stderr().print(f"FLOOR {line}", markup=False)
    return EXIT_GATE if broken else EXIT_OK


def _missed(s: CaseScore) -> bool:
    return not s.status_ok or (s.stratum == "A" and not (s.date_exact and s.reason_ok))


def _print_measures(console: Console, found: dict[str, Rate], limits: dict[str, str]) -> None:
    table = Table("measure", "value [95% Wilson] n", "floor", box=None, pad_edge=False)
    for key, rate in found.items():
        table.add_row(key, str(rate), limits.get(key, ""))
    console.print(table)


def _groups(group: str, stratum: str, region: str, tags: tuple[str, ...], languages: tuple[str, ...]) -> tuple[str, ...]:
    match group:
        case "stratum":
            return (stratum,)
        case "region":
            return (region or "-",)
        case "tag":
            return tags or ("-",)
        case _:
            return languages or ("-",)


def _print_groups(console: Console, group: str, scores: list[CaseScore], of: dict[str, tuple[str, ...]]) -> None:
    table = Table(group, "accuracy", "date exact (A)", "reason (A)", box=None, pad_edge=False)
    for name in sorted({g for s in scores for g in of[s.row_id]}):
        rates = measures([s for s in scores if name in of[s.row_id]])
        table.add_row(name, str(rates["accuracy"]), str(rates["date_exact"]), str(rates["reason"]))
    console.print(table)


def _print_misses(console: Console, scores: list[CaseScore]) -> None:
    for s in scores:
        if _missed(s):
            console.print(f"{s.row_id} [{s.stratum}] expected {s.expected} | got {s.got} | {s.detail[:220]}", markup=False)

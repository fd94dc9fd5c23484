"""`s2r dates`: read the dates of a file of snippets, write them beside each row, and score them where the file has gold."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.table import Table

from s2r.cli.common import EXIT_OK, emit, read_policy, read_settings, stderr, stdout
from s2r.evaluate.dates import DateScore, Reading, Snippet, read_rows, read_snippet, score, summary, with_reading


@click.command("dates")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the rows, with what was read, here instead of to stdout.",
)
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Policy whose date cues are used.")
@click.option("--score/--no-score", "scored", default=True, show_default=True, help="Score rows that have `expected`.")
@click.option("--misses", is_flag=True, help="Also list every miss.")
@click.option("--json", "as_json", is_flag=True, help="Only JSON lines on stdout: the rows, then nothing else.")
def dates(*, file: Path, out: Path | None, policy_name: str, scored: bool, misses: bool, as_json: bool) -> int:
    """Read the dates in FILE (JSON lines with `text` and `context`). Only these two keys of a row are read."""
    policy, _ = read_policy(policy_name, read_settings())
    pairs: list[tuple[Snippet, Reading]] = []
    lines: list[str] = []
    for row, snippet in read_rows(file):
        reading = read_snippet(snippet.text, snippet.context, policy.date_lexicons)
        pairs.append((snippet, reading))
        written = with_reading(row, reading)
        if out is None:
            emit(written)
        else:
            lines.append(json.dumps(written, ensure_ascii=False))
    if out is not None:
        out.write_text("\n".join(lines) + "\n" if lines else "", encoding="utf-8")
        if as_json:
            emit({"rows": len(lines), "out": str(out)})
    result = score(pairs)
    if scored and result.rows and not as_json:
        _show(result, misses=misses, to_stderr=out is None)
    return EXIT_OK


def _show(result: DateScore, *, misses: bool, to_stderr: bool) -> None:
    console = stderr() if to_stderr else stdout()
    table = Table(title=f"{result.rows} rows, {result.expected} expected dates")
    table.add_column("measure")
    table.add_column("value", justify="right")
    for name, value in summary(result):
        table.add_row(name, value)
    console.print(table)
    if misses:
        for miss in result.misses:
            console.print(miss, markup=False)

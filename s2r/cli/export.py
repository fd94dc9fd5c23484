"""`s2r export`: records of a run folder in another form or a part of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click

from s2r.cli.common import EXIT_OK, stderr
from s2r.job import read_records
from s2r.models import Record, Route
from s2r.report.files import write_csv, write_jsonl, write_xlsx
from s2r.report.spool import Spool
from s2r.report.tables import QUEUE_COLUMNS, queue_row, record_header, record_row, safe_cell


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--what", type=click.Choice(["records", "queue"]), default="records", show_default=True, help="All records, or the reviewer queue."
)
@click.option("--to", "target", type=click.Path(path_type=Path), required=True, help="File to write; .jsonl, .csv or .xlsx.")
@click.option("--status", type=click.Choice(["yes", "no", "abstain"]), help="Only records with this answer.")
@click.option(
    "--route", "routed", type=click.Choice(["accept", "review", "search_again", "escalate"]), help="Only records with this route."
)
def export(run: Path, what: str, target: Path, status: str | None, routed: str | None) -> int:
    """Write the records or the review queue of RUN to a file; formula-like cells are made safe."""

    def chosen() -> Iterator[Record]:
        for record in read_records(run):
            if (status is None or record.status.value == status) and (routed is None or record.route.value == routed):
                yield record

    count = _write(target, what, chosen)
    stderr().print(f"{count} records written to {target}")
    return EXIT_OK


def _write(target: Path, what: str, chosen: Callable[[], Iterator[Record]]) -> int:
    """Write the file and return the number of records; memory grows with the row ids of the queue only."""
    form = target.suffix.lower()
    if form not in (".jsonl", ".csv", ".xlsx"):
        raise click.BadParameter(f"{target.name}: end the name with .jsonl, .csv or .xlsx.", param_hint="--to")
    if form == ".jsonl":
        return write_jsonl(target, _by_certainty(target, chosen) if what == "queue" else chosen())
    with Spool(target.parent) as lines:
        names: set[str] = set()
        for record in chosen():
            if what == "records":
                names.update(record.listing.extra)
                lines.add((record_row(record), record.listing.extra))
            elif record.route is not Route.ACCEPT:
                lines.add((queue_row(record), {}), (record.confidence, record.row_id))
        extra = sorted(names)
        header = record_header(extra) if what == "records" else list(QUEUE_COLUMNS)
        rows = ([*cells, *(safe_cell(more.get(name, "")) for name in extra)] for cells, more in lines)
        if form == ".csv":
            write_csv(target, header, rows)
        else:
            write_xlsx(target, what, header, rows)
        return len(lines)


def _by_certainty(target: Path, chosen: Callable[[], Iterator[Record]]) -> Iterator[Record]:
    """Records for review, least certain first."""
    with Spool(target.parent) as lines:
        for record in chosen():
            if record.route is not Route.ACCEPT:
                lines.add(record.model_dump_json(), (record.confidence, record.row_id))
        yield from (Record.model_validate_json(line) for line in lines)

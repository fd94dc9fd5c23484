"""`s2r export`: records of a run folder in another form or a part of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click

from s2r.cli.common import EXIT_OK, stderr
from s2r.job import read_records
from s2r.models import Record
from s2r.report.files import write_csv, write_jsonl, write_xlsx
from s2r.report.tables import QUEUE_COLUMNS, in_queue, queue_row, record_header, record_row


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
    records = in_queue(chosen()) if what == "queue" else None
    form = target.suffix.lower()
    if form == ".jsonl":
        return write_jsonl(target, records if records is not None else chosen())
    if records is not None:
        rows, header, count = [queue_row(r) for r in records], list(QUEUE_COLUMNS), len(records)
    else:
        extra = sorted({name for record in chosen() for name in record.listing.extra})
        rows, header = [record_row(record, extra) for record in chosen()], record_header(extra)
        count = len(rows)
    if form == ".csv":
        write_csv(target, header, rows)
    elif form == ".xlsx":
        write_xlsx(target, what, header, rows)
    else:
        raise click.BadParameter(f"{target.name}: end the name with .jsonl, .csv or .xlsx.", param_hint="--to")
    return count

"""`s2r show ROW`: the chain of reasons of one record."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from s2r.cli.common import EXIT_OK, emit, stdout
from s2r.errors import ConfigError
from s2r.models import Record
from s2r.store import Store


@click.command()
@click.argument("row_id")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/audit"), show_default=True, help="Run folder of the audit.")
@click.option("--json", "as_json", is_flag=True, help="The whole record as JSON.")
@click.option("--all", "everything", is_flag=True, help="Also every passage that was judged.")
def show(row_id: str, out: Path, as_json: bool, everything: bool) -> int:
    """Print why record ROW_ID says what it says: documents, sentences, rules, checks."""
    if not (out / "s2r.db").is_file():
        raise ConfigError("is no run folder (no s2r.db in it)", subject=str(out), advice="Give the --out folder of an audit.")
    with Store(out / "s2r.db") as store:
        record = store.current(row_id)
        if record is None:
            known = store.row_ids()
            near = ", ".join(known[:8])
            raise ConfigError(f"has no row {row_id!r}", subject=str(out), advice=f"Its rows begin: {near} ({len(known)} in all).")
        history = store.history(row_id)
    if as_json:
        emit(record.model_dump(mode="json"))
        return EXIT_OK
    _print(stdout(), record, history, everything)
    return EXIT_OK


def _print(console: Console, record: Record, history: list[dict[str, object]], everything: bool) -> None:
    listing = record.listing
    day = f" {record.announcement_date}" if record.announcement_date else ""
    console.print(
        f"[bold]{escape(record.row_id)}[/bold] {escape(listing.issuer)}, {escape(listing.security)} ({listing.mic}), cutoff {record.cutoff}"
    )
    console.print(
        f"[bold]{record.status.value}{day}[/bold] {record.reason or ''} {record.disclosure_type or ''}  confidence {record.confidence}"
    )
    console.print(f"route {record.route.value}: {escape(' '.join(record.route_reasons))}")
    console.print(f"evidence package: {record.package.value}   risk: {record.risk if record.risk else 'no risk model is fitted'}")
    if record.error:
        console.print(f"[bold]error[/bold] {escape(record.error)}")
    for claim in record.claims:
        console.print(f"\n[bold]{claim.field}[/bold] = {escape(claim.value)}  ({claim.match}, {claim.start}-{claim.end})")
        console.print(f"  “{escape(claim.quote.strip())}”")
        console.print(f"  {escape(claim.url)}  {claim.exhibit[:19]}")
    if record.later_event:
        console.print(f"\n[bold]after the cutoff[/bold] {record.later_event.date}  {escape(record.later_event.url)}")
        console.print(f"  “{escape(record.later_event.quote.strip())}”")
    console.print("\n[bold]documents, oldest first[/bold]")
    for step in record.steps:
        console.print(f"  {escape(step)}")
    if record.conflicts:
        console.print("\n[bold]conflicts[/bold]")
        for conflict in record.conflicts:
            console.print(f"  {escape(conflict)}")
    console.print("\n[bold]checks[/bold]")
    for check in record.checks:
        console.print(f"  {check.outcome:13} {check.name} {check.field}: {escape(check.sentence)}")
    console.print(f"\n[bold]coverage[/bold] {escape(record.coverage.statement)}")
    for gap in record.coverage.gaps:
        console.print(f"  gap: {gap.step} {escape(gap.url)} {gap.outcome.value}: {escape(gap.cause)}. {escape(gap.next_step)}")
    if everything:
        console.print("\n[bold]passages judged[/bold]")
        for f in record.findings:
            console.print(f"  {f.date or 'undated'} {f.stage.value} {f.modality.value} {f.target} [{escape(f.rule)}] {escape(f.why)}")
            console.print(f"    “{escape(f.sentence.strip())}” {escape(f.url)}")
    for line in history:
        console.print(f"revision {line['number']} by {line['author']} at {line['created_at']}: {line['why']}")

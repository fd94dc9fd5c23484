"""`s2r vendor`: what can be proven against what a vendor delivered."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from s2r.cli.common import EXIT_FAULTS, EXIT_OK, PlainConsole, emit, read_policy, read_settings, stderr, stdout
from s2r.vendor.audit import VendorOutcome, compare_run, read_delivery
from s2r.vendor.types import Kind

MAX_LINES = 40


@click.group()
def vendor() -> None:
    """Compare records with the feed of a data vendor."""


@vendor.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--vendor", "feed", type=click.Path(path_type=Path), required=True, help="The vendor's file: CSV, XLSX, Parquet or JSON lines."
)
@click.option("--as", "name", default="", help="How it is read: a file of policies/vendors, by name.")
@click.option("--to", type=click.Path(path_type=Path), help="Folder of the files (default: vendor/NAME in the run folder).")
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per comparison on stdout.")
def diff(*, run: Path, feed: Path, name: str, to: Path | None, policy_name: str, policies: Path | None, as_json: bool) -> int:
    """Compare the records of RUN with a vendor's feed and write the challenges. Nothing of the feed changes a record."""
    policy, root = read_policy(policy_name, read_settings(policies=policies))
    outcome = compare_run(run, read_delivery(feed, name, policy, root), policy, to)
    return show_outcome(outcome, as_json=as_json)


def show_outcome(outcome: VendorOutcome, *, as_json: bool) -> int:
    """Print a comparison; the exit code says whether every row of the feed could be read."""
    if as_json:
        for made in outcome.done.comparisons:
            emit(made.model_dump(mode="json"))
    else:
        _table(stdout(), outcome)
    return show_comparison(stderr(), outcome)


def show_comparison(console: PlainConsole, outcome: VendorOutcome) -> int:
    """Print the numbers of a comparison; the exit code says whether every row of the feed could be read."""
    s = outcome.summary
    counts = ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in s.by_kind.items() if n)
    listings, rows, challenges = (
        f"{n} {name}{'s' if n != 1 else ''}" for n, name in ((s.listings, "listing"), (s.rows, "row"), (s.challenges, "challenge"))
    )
    console.print(f"{listings} against {rows} of {s.vendor}: {counts}.")
    console.print(f"{challenges}, {s.ready} of them ready to send. Cost of a corrected or recovered record: {s.cost.text}")
    if s.broken:
        console.print(
            f"{s.broken} row{'s' if s.broken != 1 else ''} of the feed could not be read: {outcome.written.folder / 'feed_defects.csv'}"
        )
    if s.outside:
        console.print(f"{s.outside} {'rows are' if s.outside != 1 else 'row is'} about listings outside of the universe.")
    console.print(f"Challenges: {outcome.written.folder / 'challenges.html'}   {outcome.written.folder / 'challenges.xlsx'}")
    return EXIT_FAULTS if s.broken else EXIT_OK


def _table(console: PlainConsole, outcome: VendorOutcome) -> None:
    table = Table("row", "kind", "listing", "vendor", "proven", box=None, pad_edge=False)
    shown = [made for made in outcome.done.comparisons if made.challenged or made.kind is Kind.UNRESOLVED]
    for made in shown[:MAX_LINES]:
        kind = f"{made.kind.value} ({made.date_kind})" if made.date_kind else made.kind.value
        table.add_row(made.row_id, kind, f"{made.issuer[:36]} ({made.mic})", made.vendor_value, made.our_value)
    console.print(table)
    if len(shown) > MAX_LINES:
        console.print(f"first {MAX_LINES} of {len(shown)}; all of them stand in {outcome.written.folder / 'comparisons.csv'}")

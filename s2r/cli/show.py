"""`s2r show ROW`: the chain of reasons of one record."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click
from rich.text import Text

from s2r.cli.common import EXIT_OK, PlainConsole, clean, emit, parse_day, stdout
from s2r.errors import ConfigError
from s2r.models import Adjudication, Record
from s2r.store import Store


@click.command()
@click.argument("row_id")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/audit"), show_default=True, help="Run folder of the audit.")
@click.option("--as-of", callback=parse_day, help="The record as it was believed at the end of this day (UTC), YYYY-MM-DD.")
@click.option("--json", "as_json", is_flag=True, help="The whole record as JSON.")
@click.option("--all", "everything", is_flag=True, help="Also every passage that was judged.")
def show(row_id: str, out: Path, as_of: dt.date | None, as_json: bool, everything: bool) -> int:
    """Print why record ROW_ID says what it says: documents, sentences, rules, checks."""
    if not (out / "s2r.db").is_file():
        raise ConfigError("is no run folder (no s2r.db in it)", subject=str(out), advice="Give the --out folder of an audit.")
    with Store(out / "s2r.db", read_only=True) as store:
        record = store.current(row_id) if as_of is None else store.as_of(row_id, end_of(as_of))
        if record is None and as_of is not None and (first := store.history(row_id)):
            raise ConfigError(
                f"knew nothing of {row_id} on {as_of}", subject=str(out), advice=f"Its first record is of {first[0]['created_at']}."
            )
        if record is None:
            known = store.row_ids()
            near = ", ".join(known[:8])
            raise ConfigError(f"has no row {row_id!r}", subject=str(out), advice=f"Its rows begin: {near} ({len(known)} in all).")
        history = [line for line in store.history(row_id) if as_of is None or str(line["created_at"]) <= end_of(as_of).isoformat()]
        checks = [line for line in store.checks(row_id) if as_of is None or str(line["checked_at"]) <= end_of(as_of).isoformat()]
    if as_json:
        emit(record.model_dump(mode="json"))
        return EXIT_OK
    _print(stdout(), record, history, everything)
    for line in checks:
        if line["outcome"] in ("same", "failed"):
            stdout().print(f"looked at {line['checked_at']} ({line['why']}): {line['outcome']}, revision {line['number']} stands")
    return EXIT_OK


def end_of(day: dt.date) -> dt.datetime:
    """The last moment of a day (UTC)."""
    return dt.datetime.combine(day, dt.time.max, dt.UTC)


def _print(console: PlainConsole, record: Record, history: list[dict[str, object]], everything: bool) -> None:
    listing = record.listing
    day = f" {record.announcement_date}" if record.announcement_date else ""
    _headed(console, record.row_id, f" {listing.issuer}, {listing.security} ({listing.mic}), cutoff {record.cutoff}")
    _headed(
        console,
        f"{record.status.value}{day}",
        f" {record.reason or ''} {record.disclosure_type or ''}  confidence {record.confidence}",
    )
    console.print(f"route {record.route.value}: {' '.join(record.route_reasons)}")
    console.print(f"evidence package: {record.package.value}   risk: {record.risk if record.risk else 'no risk model is fitted'}")
    if record.error:
        _headed(console, "error", f" {record.error}")
    for claim in record.claims:
        _headed(console, f"\n{claim.field}", f" = {claim.value}  ({claim.match}, {claim.start}-{claim.end})")
        console.print(f"  “{claim.quote.strip()}”")
        console.print(f"  {claim.url}  {claim.exhibit[:19]}")
    if record.later_event:
        _headed(console, "\nafter the cutoff", f" {record.later_event.date}  {record.later_event.url}")
        console.print(f"  “{record.later_event.quote.strip()}”")
    _listed(console, "documents, oldest first", list(record.steps))
    if record.conflicts:
        _listed(console, "conflicts", list(record.conflicts))
    if record.adjudication:
        _judges(console, record.adjudication)
    _listed(console, "checks", [f"{check.outcome:13} {check.name} {check.field}: {check.sentence}" for check in record.checks])
    _headed(console, "\ncoverage", f" {record.coverage.statement}")
    for name, state in record.coverage.providers.items():
        console.print(f"  {name}: {state}")
    for note in record.coverage.notes:
        console.print(f"  {note}")
    for gap in record.coverage.gaps:
        console.print(f"  gap: {gap.step} {gap.url} {gap.outcome.value}: {gap.cause}. {gap.next_step}")
    if told := record.coverage.point_in_time:
        for proof in told.proofs:
            console.print(f"  proven public: {proof.at} by {proof.means.value.replace('_', ' ')} {proof.url}")
        for loss in told.losses:
            console.print(f"  withheld: {loss.url} {loss.sentence}")
    if everything:
        _headed(console, "\npassages judged", "")
        for f in record.findings:
            console.print(f"  {f.date or 'undated'} {f.stage.value} {f.modality.value} {f.target} [{f.rule}] {f.why}")
            console.print(f"    “{f.sentence.strip()}” {f.url}")
    for line in history:
        console.print(f"revision {line['number']} by {line['author']} at {line['created_at']}: {line['why']}")


def _judges(console: PlainConsole, told: Adjudication) -> None:
    """Every opinion and step behind a record that a model was asked about."""
    _headed(console, "\njudges", f" arm {told.arm.value}; decided by {told.decided_by}; {'attested' if told.attested else 'not attested'}")
    for o in told.opinions:
        said = (
            f"{o.status.value} {o.announcement_date or ''} {o.reason or ''}".strip() if o.state == "answered" else f"{o.state}: {o.cause}"
        )
        cost = "" if o.judge == "rules" else f", {'cached' if o.cached else 'cost unknown' if o.usd is None else f'${o.usd:.6f}'}"
        console.print(f"  {o.judge} {o.model}: {said} (proof {o.package.value}{cost})")
    for rung in told.rungs:
        console.print(f"  step {rung.step}{'' if rung.ran else ' (not taken)'}, for {', '.join(rung.because)}: {rung.effect}")
    for pack in told.packs:
        left = ", ".join(f"{count} {why.replace('_', ' ')}" for why, count in (pack.withheld | pack.neutralised).items())
        shown = f"{len(pack.passages)} passages of {pack.documents} documents shown, about {pack.tokens} tokens"
        console.print(f"  evidence {pack.digest[:12]}: {shown}{f'; left out: {left}' if left else ''}")


def _headed(console: PlainConsole, head: str, rest: str) -> None:
    console.print(Text.assemble((clean(head), "bold"), clean(rest)))


def _listed(console: PlainConsole, head: str, lines: list[str]) -> None:
    _headed(console, f"\n{head}", "")
    for line in lines:
        console.print(f"  {line}")

"""`s2r review`: the queue of a run folder, leases, decisions, files in and out, figures."""

from __future__ import annotations

import asyncio
import datetime as dt
import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.table import Table
from rich.text import Text

from s2r.cli.common import EXIT_FAULTS, EXIT_OK, PlainConsole, clean, emit, now, parse_day, read_policy, read_settings, stderr, stdout
from s2r.reviews import (
    Decision,
    Evidence,
    Kind,
    Numbers,
    Outcome,
    QueueFilter,
    QueueItem,
    RowView,
    Sort,
    State,
    Workbench,
    claim_next,
    decide,
    draw_sample,
    export_queue,
    fetch_page,
    import_decisions,
    item,
    load_review,
    locate,
    numbers,
    open_workbench,
    queue_page,
    row_view,
    undo,
    write_labels,
)
from s2r.reviews import claim as claim_row
from s2r.reviews.numbers import SampleError

F = TypeVar("F", bound=Callable[..., Any])
SHOWN = 20  # rows of a list


@click.group()
def review() -> None:
    """Review what an audit did not accept: queue, leases, decisions, spreadsheets, figures."""


def _of_a_run(command: F) -> F:
    """The options of a command about a run folder."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="JSON lines on stdout."),
        click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one)."),
        click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies."),
        click.option(
            "--out", type=click.Path(path_type=Path), default=Path("out/audit"), show_default=True, help="Run folder of the audit."
        ),
    ):
        command = option(command)
    return command


def _by_someone(command: F) -> F:
    """Who acts, and whether with the last word."""
    command = click.option("--adjudicate", is_flag=True, help="With the last word: rows in dispute, and decisions of others.")(command)
    return click.option("--by", default=getpass.getuser, show_default="the user of this machine", help="Name of the reviewer.")(command)


def _filtered(command: F) -> F:
    """The filter of the queue."""
    for option in (
        click.option("--sort", type=click.Choice([sort.value for sort in Sort]), help="Order (default: that of review.toml)."),
        click.option("--query", default="", help="The filter of an address of the workbench, as in 'market=XNAS&state=open'."),
        click.option("--text", default="", help="Words of row id, name or identifier."),
        click.option("--age", multiple=True, help="Days waited: 0-1, 2-7, 8-30 or 31-."),
        click.option("--assignee", multiple=True, help="Held by this person; - for rows that nobody holds."),
        click.option("--conflict", multiple=True, help="How the vendor's row compares, e.g. wrong_date."),
        click.option("--language", multiple=True, help="Language of the quotes."),
        click.option("--reason", multiple=True, help="Proposed reason."),
        click.option("--status", multiple=True, help="Proposed answer."),
        click.option("--market", multiple=True, help="MIC, else country."),
        click.option("--state", multiple=True, help=f"One of {', '.join(State)} (default: all that wait)."),
    ):
        command = option(command)
    return command


@contextmanager
def _opened(out: Path, policy_name: str, policies: Path | None) -> Iterator[tuple[Workbench, Path]]:
    """The workbench and the policies folder."""
    policy, root = read_policy(policy_name, read_settings(policies=policies))
    bench = open_workbench(out, policy, load_review(root))
    try:
        yield bench, root
    finally:
        bench.store.close()


def _wanted(given: dict[str, Any]) -> tuple[QueueFilter, Sort | None]:
    """The filter of the options, on top of that of `--query`; and the order."""
    from urllib.parse import parse_qs

    query: dict[str, Any] = parse_qs(given["query"].lstrip("?"))
    for name in ("state", "market", "status", "reason", "language", "conflict", "assignee", "age"):
        if given[name]:
            query[name] = [*query.get(name, []), *given[name]]
    if given["text"]:
        query["text"] = given["text"]
    sort = given["sort"] or "".join(query.get("sort", [])[-1:])
    return QueueFilter.from_query(query), Sort(sort) if sort in set(Sort) else None


@review.command("list")
@_of_a_run
@_filtered
@click.option("--size", type=click.IntRange(1, 500), default=SHOWN, show_default=True, help="Rows of a page.")
@click.option("--cursor", default="", help="Where the page before ended.")
@click.option("--facets/--no-facets", default=False, help="Also the counts by market, reason, state and so on.")
def list_queue(
    out: Path, policy_name: str, policies: Path | None, as_json: bool, size: int, cursor: str, facets: bool, **given: Any
) -> int:
    """Print a page of the queue: what waits, most important first."""
    wanted, sort = _wanted(given)
    with _opened(out, policy_name, policies) as (bench, _):
        page = queue_page(bench, wanted, now(), sort=sort, cursor=cursor, size=size, facets=facets)
    if as_json:
        emit(page.model_dump(mode="json"))
        return EXIT_OK
    console = stdout()
    table = Table("row", "rev", "state", "risk x impact", "answer", "issuer", "market", "why", "held by", box=None, pad_edge=False)
    for row in page.items:
        table.add_row(
            row.row_id, str(row.number), row.state.value, f"{row.risk:.2f} x {row.impact:g}", _answer(row), row.issuer, row.market,
            row.route_reason, row.assignee,
        )  # fmt: skip
    console.print(table)
    console.print(f"{len(page.items)} of {page.total} rows that match; {page.waiting} wait in all.")
    if page.next_cursor:
        console.print(f"Next page: --cursor {page.next_cursor}")
    for name, values in page.facets.items():
        console.print(f"{name}: " + ", ".join(f"{value.value or 'none'} {value.count}" for value in values))
    return EXIT_OK


def _answer(row: QueueItem) -> str:
    return " ".join(filter(None, (row.status, row.announcement_date, row.reason)))


@review.command("show")
@click.argument("row_id")
@_of_a_run
@_by_someone
def show_row(row_id: str, out: Path, policy_name: str, policies: Path | None, as_json: bool, by: str, adjudicate: bool) -> int:
    """Print what a reviewer may see of row ROW_ID: answer, quotes, the vendor's row, revisions and decisions. See also `s2r show`."""
    with _opened(out, policy_name, policies) as (bench, _):
        view = row_view(bench, row_id, by, now(), adjudicator=adjudicate)
    if as_json:
        emit(view.model_dump(mode="json"))
    else:
        _print_row(stdout(), view)
    return EXIT_OK


def _print_row(console: PlainConsole, view: RowView) -> None:
    row, record = view.item, view.record
    console.print(Text(clean(f"{row.row_id} {row.issuer}, {row.security} ({row.mic}), cutoff {row.cutoff}"), style="bold"))
    held = f", held by {row.assignee} until {row.lease_until[:16]} UTC" if row.assignee else ""
    console.print(f"{row.state.value}, revision {row.number}, risk {row.risk:.2f} x impact {row.impact:g}{held}")
    console.print(f"answer: {record.status.value} {record.announcement_date or ''} {record.reason or ''} ({record.package.value})")
    for reason in record.route_reasons:
        console.print(f"  {reason}")
    if view.before is not None:
        was = view.before
        console.print(f"decided before on other evidence: {was.status.value} {was.announcement_date or ''} {was.reason or ''}")
    for claim in record.claims:
        console.print(f"  {claim.field} {claim.value}: “{claim.quote}” {claim.url} [{claim.start}-{claim.end}]")
    for vendor in view.vendor:
        console.print(f"vendor {vendor['vendor']}: {vendor['kind']} {vendor['vendor_value']} {vendor['sentence']}")
    for one in view.revisions:
        day = f" {one.announcement_date}" if one.announcement_date else ""
        console.print(f"revision {one.number} {one.at:%Y-%m-%d %H:%M} {one.author} ({one.why}): {one.status}{day}, {one.route}")
    for kept in view.decisions:
        undone = ", taken back" if kept.undone_by else ""
        console.print(
            f"decision {kept.id} {kept.at:%Y-%m-%d %H:%M} {kept.by}: {kept.kind} {kept.reason_code} {kept.note} ({kept.stage}{undone})"
        )
    if view.blind:
        console.print("You review it second: what the first reviewer said is not shown.")


@review.command("claim")
@click.argument("row_id", required=False)
@_of_a_run
@_by_someone
@_filtered
@click.option("--minutes", type=float, help="For how long (default: that of review.toml).")
def claim_command(
    row_id: str | None, out: Path, policy_name: str, policies: Path | None, as_json: bool, by: str, adjudicate: bool,
    minutes: float | None, **given: Any,
) -> int:  # fmt: skip
    """Hold row ROW_ID, or the first free one of the filter."""
    wanted, sort = _wanted(given)
    with _opened(out, policy_name, policies) as (bench, _):
        moment = now()
        if row_id:
            lease = claim_row(bench, row_id, by, moment, minutes, adjudicator=adjudicate)
        elif found := claim_next(bench, by, moment, wanted=wanted, sort=sort, minutes=minutes, adjudicator=adjudicate):
            lease = found
        else:
            stderr().print("Nothing that is free and that you may decide waits.")
            return EXIT_OK
        view = row_view(bench, lease.row_id, by, moment, adjudicator=adjudicate)
    if as_json:
        emit(lease.model_dump(mode="json"))
        return EXIT_OK
    _print_row(stdout(), view)
    stderr().print(f"{lease.row_id} is yours until {lease.until:%H:%M} UTC. Decide it with: s2r review decide {lease.row_id} --kind ...")
    return EXIT_OK


@review.command("decide")
@click.argument("row_id")
@_of_a_run
@_by_someone
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), required=True, help="What you decide.")
@click.option("--code", "reason_code", default="", help="Reason code of review.toml.")
@click.option("--note", default="", help="A note, kept with the decision.")
@click.option("--seen", type=int, help="Revision that you looked at (default: the one that stands).")
@click.option("--answer", type=click.Choice(["yes", "no"]), help="The corrected answer.")
@click.option("--date", "day", callback=parse_day, help="The corrected announcement date, YYYY-MM-DD.")
@click.option("--event-reason", help="The corrected reason, e.g. voluntary.")
@click.option("--url", default="", help="Page that proves it; fetched and archived when the archive does not hold it.")
@click.option("--exhibit", default="", help="Digest of the archived page that proves it (sha256:...).")
@click.option("--quote", default="", help="The sentence of that page, word for word.")
def decide_command(
    row_id: str, out: Path, policy_name: str, policies: Path | None, as_json: bool, by: str, adjudicate: bool, kind: str,
    reason_code: str, note: str, seen: int | None, answer: str | None, day: dt.date | None, event_reason: str | None, url: str,
    exhibit: str, quote: str,
) -> int:  # fmt: skip
    """Decide row ROW_ID. A correction gives the whole answer; a corrected yes needs a quote of its page."""
    if bool(quote) != bool(url or exhibit):
        raise click.UsageError("A quote and its page belong together: give --quote with --url or --exhibit.")
    with _opened(out, policy_name, policies) as (bench, _):
        evidence: tuple[Evidence, ...] = ()
        if quote:
            digest = exhibit or asyncio.run(fetch_page(bench, url, by, read_settings(policies=policies), now)).exhibit
            fields = ("status", "announcement_date") if day else ("status",)
            evidence = tuple(locate(bench, name, digest, quote, url=url) for name in fields)
        moment = now()
        number = seen if seen is not None else item(bench, row_id, moment).number
        decision = Decision.model_validate(
            {
                "row_id": row_id, "kind": kind, "by": by, "seen": number, "reason_code": reason_code, "note": note, "status": answer,
                "announcement_date": day, "reason": event_reason, "evidence": evidence,
            }
        )  # fmt: skip
        outcome = decide(bench, decision, moment, adjudicator=adjudicate)
    return _told(outcome, as_json=as_json)


@review.command("undo")
@click.argument("row_id")
@_of_a_run
@_by_someone
@click.option("--note", default="", help="Why.")
def undo_command(
    row_id: str, out: Path, policy_name: str, policies: Path | None, as_json: bool, by: str, adjudicate: bool, note: str
) -> int:
    """Take back the last decision of row ROW_ID: one's own, or any with --adjudicate. What stood before becomes a new revision."""
    with _opened(out, policy_name, policies) as (bench, _):
        outcome = undo(bench, row_id, by, now(), note=note, adjudicator=adjudicate)
    return _told(outcome, as_json=as_json)


def _told(outcome: Outcome, *, as_json: bool) -> int:
    if as_json:
        emit(outcome.model_dump(mode="json"))
    else:
        stderr().print(f"{outcome.row_id}: {outcome.state.value}, revision {outcome.number}. {outcome.said}")
    return EXIT_OK


@review.command("export")
@_of_a_run
@_by_someone
@_filtered
@click.option("--to", "target", type=click.Path(path_type=Path), required=True, help="File to write; .csv or .xlsx.")
def export_command(
    out: Path, policy_name: str, policies: Path | None, as_json: bool, by: str, adjudicate: bool, target: Path, **given: Any
) -> int:
    """Write the rows of a filter to a spreadsheet; its last columns are for decisions (see `s2r review import`)."""
    wanted, sort = _wanted(given)
    with _opened(out, policy_name, policies) as (bench, _):
        count = export_queue(bench, wanted, target, now(), by, sort=sort)
    if as_json:
        emit({"rows": count, "file": str(target)})
    else:
        stderr().print(f"{count} rows written to {target}")
    return EXIT_OK


@review.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_of_a_run
@_by_someone
@click.option("--partial", is_flag=True, help="Keep the rows that are right though others are not.")
def import_command(
    file: Path, out: Path, policy_name: str, policies: Path | None, as_json: bool, by: str, adjudicate: bool, partial: bool
) -> int:
    """Keep the decisions of an edited export. Every row is checked first; when one is wrong nothing is kept (exit 4)."""
    with _opened(out, policy_name, policies) as (bench, _):
        found = import_decisions(bench, file, by, now(), partial=partial, adjudicator=adjudicate)
    for fault in found.faults:
        if as_json:
            emit({"row": fault.number, "row_id": fault.row_id, "column": fault.column, "problem": fault.problem})
        else:
            click.echo(clean(str(fault)), err=True)
    if as_json:
        emit({"rows": found.rows, "kept": found.kept, "again": found.again, "empty": found.empty, "faults": len(found.faults)})
    else:
        nothing = " Nothing was kept." if found.faults and not found.kept else ""
        stderr().print(
            f"{found.rows} rows with a decision: {found.kept} kept, {found.again} known already, {len(found.faults)} refused; "
            f"{found.empty} without a decision.{nothing}"
        )
    return EXIT_FAULTS if found.faults else EXIT_OK


@review.command("sample")
@_of_a_run
@_by_someone
@click.option("--n", "count", type=click.IntRange(1), default=50, show_default=True, help="Accepted rows to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same rows.")
def sample_command(
    out: Path, policy_name: str, policies: Path | None, as_json: bool, by: str, adjudicate: bool, count: int, seed: int
) -> int:
    """Put a sample of accepted rows into the queue: it tells how many accepted records are wrong."""
    with _opened(out, policy_name, policies) as (bench, _):
        added = draw_sample(bench, count, seed, by, now())
    if as_json:
        emit({"added": added})
    else:
        stderr().print(f"{added} accepted rows were added to the queue.")
    return EXIT_OK


@review.command("labels")
@_of_a_run
@click.option("--to", "target", type=click.Path(path_type=Path), required=True, help="Folder for labels.csv and records.jsonl.")
def labels_command(out: Path, policy_name: str, policies: Path | None, as_json: bool, target: Path) -> int:
    """Write decisions as labels for `s2r calibrate`, each with its part; the records are those that the audit made."""
    with _opened(out, policy_name, policies) as (bench, root):
        found = write_labels(bench, target, root)
    if as_json:
        emit({"labels": found.labels, "parts": found.parts, "left_out": found.left_out, "other_policy": found.other_policy})
    else:
        told = ", ".join(f"{n} {part}" for part, n in found.parts.items())
        stderr().print(f"{found.labels} labels ({told}); {found.left_out} left out, {found.other_policy} of another policy.")
        stderr().print(f"Use them with: s2r calibrate {target / 'labels.csv'}")
    return EXIT_OK


@review.command("numbers")
@_of_a_run
def numbers_command(out: Path, policy_name: str, policies: Path | None, as_json: bool) -> int:
    """Print figures of the queue and its reviewers; each share with its n and a 95% interval."""
    with _opened(out, policy_name, policies) as (bench, _):
        found = numbers(bench, now())
    if as_json:
        emit(found.model_dump(mode="json"))
        return EXIT_OK
    console = stdout()
    for label, value in _figures(found):
        console.print(f"{label}: {value}")
    return EXIT_OK


def _figures(found: Numbers) -> Iterator[tuple[str, str]]:
    yield "Rows", f"{found.rows}; " + ", ".join(f"{state} {n}" for state, n in found.states.items())
    yield "Waiting", f"{found.waiting}, {found.held} held" + (f", oldest since {found.oldest[:10]}" if found.oldest else "")
    yield "Accepted", str(found.accepted)
    yield "In review", str(found.review)
    for name, error in found.errors.items():
        yield f"Wrong among accepted ({name}, audit sample)", _error(error)
    for market, count in found.recall.items():
        yield f"True events kept at {market}", str(count)
    yield "Decisions", f"{found.decisions}; " + ", ".join(f"{kind} {n}" for kind, n in found.kinds.items())
    if found.seconds:
        middle, low, high = found.seconds
        yield "Seconds per decision (median)", f"{middle:.0f} [{low:.0f}, {high:.0f}] n = {found.timed}"
    yield "Same answer in second reviews", str(found.agreement.same)
    if found.agreement.kappa is not None:
        interval = found.agreement.interval
        limits = f" [{interval[0]:.2f}, {interval[1]:.2f}]" if interval else ""
        yield "Cohen's kappa", f"{found.agreement.kappa:.2f}{limits} n = {found.agreement.same.n}"
    yield "Labels", ", ".join(f"{part} {n}" for part, n in found.parts.items()) or "none"
    per_row = "" if found.usd_per_row is None else f", {found.usd_per_row:.4f} per row"
    yield "Known cost in USD", f"{found.cost_usd:.2f}{per_row}"


def _error(error: SampleError) -> str:
    weighed = "" if error.estimate is None else f"; weighed by stratum {error.estimate:.1%}"
    limits = f" [{error.interval[0]:.1%}, {error.interval[1]:.1%}]" if error.interval else ""
    return f"{error.wrong}{weighed}{limits}; {error.drawn} drawn, {error.open} open"

"""`s2r query` and `s2r ask`: a typed specification, or an English question that becomes one, run over the event store."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any, cast

import click
from rich.table import Table

from s2r.cli.common import EXIT_OK, emit, now, read_settings, stdout
from s2r.cli.events import event_types, store_at, store_option
from s2r.cli.events_model import open_caller
from s2r.errors import InputError
from s2r.events.answer import ROWS, Answer, Plan, answer, explain
from s2r.events.ask.plan import Planned, plan
from s2r.events.ask.read import Known
from s2r.events.model import load_prompt, plan_by_model
from s2r.events.spec import Spec, read_spec
from s2r.events.store import EventStore
from s2r.policy import policy_root

HIDDEN = ("provenance", "cited_urls", "events", "event", "residual")


def _shared(command: Any) -> Any:
    """Options of both commands."""
    for option in (
        click.option(
            "--json", "as_json", is_flag=True, help="One JSON object: spec, rows, total, notes; with `ask` also question and why."
        ),
        click.option("--limit", type=click.IntRange(min=1), default=ROWS, show_default=True, help="Rows written out."),
        click.option("--explain", "explained", is_flag=True, help="Show the SQL, its bound values and SQLite's plan."),
        click.option("--residual", default="", help="What else is asked of the rows: looked for in their exhibits and marked as residual."),
        click.option("--run", type=click.Path(path_type=Path), help="Run folder whose archive holds the exhibits, for --residual."),
        store_option,
    ):
        command = option(command)
    return command


@click.command()
@click.argument("spec")
@_shared
def query(spec: str, store_path: Path | None, **options: Any) -> int:
    """Run SPEC (a JSON file, - for stdin, or the JSON itself) over the event store."""
    _run(read_spec(_spec_text(spec), event_types()), store_path, {}, **options)
    return EXIT_OK


@click.command()
@click.argument("question")
@_shared
@click.option("--spec", "only_spec", is_flag=True, help="Only show the specification; needs no store.")
@click.option("--model", help="Let this model (provider:name) fill in the specification; it never sees the store and never answers.")
def ask(question: str, store_path: Path | None, only_spec: bool, model: str | None, **options: Any) -> int:
    """Answer an English QUESTION about events; the specification that it became is shown. A question that is not clear is refused."""
    path = store_at(store_path)
    if only_spec:
        known = EventStore(path, read_only=True).known if path.is_file() else None
        planned = _planned(question, known, path, model)
        emit({"question": question, "why": planned.why, "spec": planned.spec.model_dump(mode="json"), "notes": planned.notes})
        return EXIT_OK
    with EventStore(path, read_only=True) as store:
        planned = _planned(question, store.known, path, model)
    head: dict[str, object] = {"question": question, "why": planned.why, "read": list(planned.notes)}
    _run(planned.spec, path, head, **options)
    return EXIT_OK


def _planned(question: str, known: Known | None, path: Path, model: str | None) -> Planned:
    """By the grammar, or by a model; then the grammar's reading is compared, and another one is noted."""
    if model is None:
        return plan(question, event_types(), known, now().date())
    return asyncio.run(_by_model(question, known, path, model))


async def _by_model(question: str, known: Known | None, path: Path, model: str) -> Planned:
    settings, kinds = read_settings(), event_types()
    root = policy_root(settings)
    async with open_caller(model, settings, root, path.parent / "models") as caller:
        planned = await plan_by_model(question, kinds, caller, load_prompt(root, "ask", kinds))
    try:
        other = plan(question, kinds, known, now().date()).spec
    except InputError as exc:
        return planned.model_copy(update={"notes": (f"the grammar refuses it: {exc}",)})
    same = "the grammar reads it so too" if other == planned.spec else f"the grammar reads it otherwise: {other.brief()}"
    return planned.model_copy(update={"notes": (same,)})


def _spec_text(spec: str) -> str:
    if spec == "-":
        return sys.stdin.read()
    if spec.lstrip().startswith("{"):
        return spec
    try:
        return Path(spec).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"cannot be read: {exc}", subject=spec, advice="Give a JSON file, - for stdin, or the JSON itself.") from exc


def _run(
    spec: Spec,
    store_path: Path | None,
    head: dict[str, object],
    *,
    explained: bool,
    limit: int,
    as_json: bool,
    residual: str,
    run: Path | None,
) -> None:
    if residual:
        spec = spec.model_copy(update={"residual": residual})
    with EventStore(store_at(store_path), read_only=True) as store:
        how = explain(spec, store) if explained else None
        found = answer(spec, store, limit, run)
    if as_json:
        emit(head | found.model_dump(mode="json") | ({"explain": how.model_dump(mode="json", exclude={"spec"})} if how else {}))
        return
    console = stdout()
    if head:
        console.print(f"{head['why']}: {spec.brief()}")
        for line in cast(list[str], head["read"]):
            console.print(f"({line})")
    if how:
        _explained(how)
    _table(found)


def _explained(how: Plan) -> None:
    console = stdout()
    console.print(how.sql)
    for name, value in how.values.items():
        console.print(f"  {name} = {value!r}")
    for step in how.steps:
        console.print(f"  {step}")


def _table(found: Answer) -> None:
    console = stdout()
    if found.rows:
        columns = [name for name in found.rows[0] if name not in HIDDEN]
        table = Table(*columns, "where it is written", box=None, pad_edge=False)
        for row in found.rows:
            urls = row["cited_urls"]
            assert isinstance(urls, list)
            more = f" (+{len(urls) - 1})" if len(urls) > 1 else ""
            table.add_row(*("" if row.get(name) is None else str(row.get(name)) for name in columns), f"{urls[0]}{more}" if urls else "-")
        console.print(table)
    for row in found.rows:
        passages = row.get("residual")
        for passage in passages if isinstance(passages, list) else ():
            console.print(f"residual: {next(iter(row.values()))}: “{passage['quote']}” {passage['url']}")
    console.print("; ".join((f"{found.total} rows", *found.notes)))

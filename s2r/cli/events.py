"""`s2r events`: fill the event store, score answers, tell which spellings mean one firm."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from s2r.cli.common import EXIT_FAULTS, EXIT_OK, emit, now, read_settings, stderr, stdout
from s2r.cli.events_model import open_caller
from s2r.errors import InputError
from s2r.events.answer import ROWS, answer
from s2r.events.ask.plan import plan
from s2r.events.extract import Article, extract_events
from s2r.events.load import iter_tuples, read_rows
from s2r.events.model import extract_by_model, load_prompt
from s2r.events.params import spec_of
from s2r.events.records import file_articles, is_run, page_articles, record_tuples
from s2r.events.score import REGIMES, TOLERANCE, Regime, Scores, TemplateScore, score
from s2r.events.store import EventStore
from s2r.events.tuples import EventTuple
from s2r.models import Route
from s2r.models.listing import RowIssue
from s2r.policy import policy_root
from s2r.policy.event_types import EventTypes, load_event_types

STORE = "events.db"


def store_option(command: Any) -> Any:
    """`--store PATH`, by default events.db in the home folder."""
    return click.option("--store", "store_path", type=click.Path(path_type=Path), help="Event store (default: events.db in S2R_HOME).")(
        command
    )


def store_at(path: Path | None) -> Path:
    """The store that was named, else the one of the home folder."""
    return path or read_settings().home / STORE


def event_types() -> EventTypes:
    """Event types of the policies folder in use."""
    return load_event_types(policy_root(read_settings()))


@click.group()
def events() -> None:
    """Typed event tuples: import, score, link spellings of firms."""


@events.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@store_option
@click.option("--route", "routes", multiple=True, type=click.Choice([route.value for route in Route]), default=[Route.ACCEPT.value],
              show_default=True, help="Of a run folder: positive records that went this way; may be repeated.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON line per rejected row, then one with the counts.")
def import_(files: tuple[Path, ...], store_path: Path | None, routes: tuple[str, ...], as_json: bool) -> int:
    """Take tuples of FILES into the store: JSON lines or CSV (also gzipped), or the records of a run folder. Rows that cannot be used are
    listed (exit 4)."""
    kinds = event_types()
    issues: list[tuple[Path, RowIssue]] = []
    results = []
    with EventStore(store_at(store_path)) as store:
        for path in files:
            rejected: list[RowIssue] = []
            results.append(store.add(_tuples(path, routes, kinds, rejected), path.name))
            issues += [(path, issue) for issue in rejected]
    state = results[-1].resolution
    for path, issue in issues:
        line = {"file": str(path), **issue.model_dump(exclude={"row_id"})}
        if as_json:
            emit(line)
        else:
            stderr().print(f"{path}:{issue.row_number}: {issue.column}: {issue.value!r} {issue.problem} {issue.advice}")
    counts = {"new": sum(one.new for one in results), "repeated": sum(one.repeated for one in results), "rejected": len(issues)}
    if as_json:
        emit(counts | state.model_dump())
    else:
        stdout().print(
            f"{counts['new']} tuples taken in, {counts['repeated']} were there already, {counts['rejected']} rejected. The store holds "
            f"{state.events} events of {state.firms} firms ({state.surfaces} spellings); {state.merged} claims joined another one's event."
        )
    return EXIT_FAULTS if issues else EXIT_OK


def _tuples(path: Path, routes: tuple[str, ...], kinds: EventTypes, issues: list[RowIssue]) -> Iterator[EventTuple]:
    if is_run(path):
        return record_tuples(path, kinds, [Route(route) for route in routes])
    return iter_tuples(path, kinds, issues)


@events.command("extract")
@click.argument("source", type=click.Path(path_type=Path))
@store_option
@click.option("--to", "target", type=click.Path(path_type=Path), help="Write the tuples to this file instead: one JSON line each.")
@click.option("--model", help="Let this model (provider:name) read instead of the rules; events without a passage in the text are dropped.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line with the counts.")
def extract_(source: Path, store_path: Path | None, target: Path | None, model: str | None, as_json: bool) -> int:
    """Read events by rules from SOURCE: articles as JSON lines or CSV (title, date, text, url), or the archived pages of a run folder."""
    kinds = event_types()
    articles = page_articles(source) if source.is_dir() else file_articles(read_rows(source))
    if model is None:
        found = [event for article in articles for event in extract_events(article, kinds)]
    else:
        found = asyncio.run(_by_model(list(articles), kinds, model, store_at(store_path).parent / "models"))
    by_type = dict(Counter(one.event_type for one in found).most_common())
    counts: dict[str, object] = {"tuples": len(found), "by_type": by_type}
    if target is not None:
        target.write_text("".join(one.model_dump_json(exclude_defaults=True) + "\n" for one in found), "utf-8")
    else:
        with EventStore(store_at(store_path)) as store:
            added = store.add(found, source.name)
        counts |= {"new": added.new, "repeated": added.repeated} | added.resolution.model_dump()
    emit(counts) if as_json else stdout().print(
        f"{len(found)} tuples: {', '.join(f'{name} {n}' for name, n in by_type.items()) or 'none'}."
    )
    return EXIT_OK


async def _by_model(articles: list[Article], kinds: EventTypes, model: str, kept: Path) -> list[EventTuple]:
    settings = read_settings()
    root = policy_root(settings)
    found: list[EventTuple] = []
    async with open_caller(model, settings, root, kept) as caller:
        prompt = load_prompt(root, "extract", kinds)
        for article in articles:
            found += await extract_by_model(article, kinds, caller, prompt)
    return found


@events.command()
@click.argument("left")
@click.argument("right")
@click.option("--reason", required=True, help="Why both mean one firm; kept with the link.")
@store_option
def link(left: str, right: str, reason: str, store_path: Path | None) -> int:
    """Say that LEFT and RIGHT (tickers, identifiers or names) mean the same firm."""
    with EventStore(store_at(store_path)) as store:
        for text in (left, right):
            store.firm(text, "link")
        state = store.link(left, right, reason)
    stdout().print(f"{left} and {right} are one firm now; {state.firms} firms, {state.events} events.")
    return EXIT_OK


@events.command()
@store_option
@click.option("--json", "as_json", is_flag=True, help="One JSON line per reason.")
def merges(store_path: Path | None, as_json: bool) -> int:
    """List why spellings mean one firm and why claims are one event."""
    with EventStore(store_at(store_path), read_only=True) as store:
        links, claims = store.links(), store.merges()
    for left, right, reason in links:
        emit({"firm": [left, right], "reason": reason}) if as_json else stdout().print(f"{left} = {right}: {reason}")
    for claim, event, reason in claims:
        emit({"claim": claim, "event": event, "reason": reason}) if as_json else stdout().print(f"claim {claim} -> event {event}: {reason}")
    return EXIT_OK


@events.command("answer")
@click.argument("questions", type=click.Path(path_type=Path))
@click.option("--to", "target", type=click.Path(path_type=Path), required=True, help="File to write: one JSON line per question.")
@click.option("--ask", "asked", is_flag=True, help="Plan the English question instead of taking the typed parameters.")
@click.option("--field", default="nl_question", show_default=True, help="With --ask: the field that holds the question.")
@store_option
def answer_(questions: Path, target: Path, asked: bool, field: str, store_path: Path | None) -> int:
    """Answer a file of benchmark QUESTIONS from the store, as a file that `s2r events score` reads. Exit 4 when any was refused."""
    kinds, refused, written = event_types(), 0, 0
    today = now().date()
    with EventStore(store_at(store_path), read_only=True) as store, target.open("w", encoding="utf-8") as out:
        for number, question in read_rows(questions):
            asked_spec: dict[str, object] | None = None
            try:
                if asked:
                    spec = plan(str(question[field]), kinds, store.known, today).spec
                else:
                    spec = spec_of(str(question["id"]), question["params"], kinds)
                asked_spec = spec.model_dump(mode="json")
                rows: tuple[Mapping[str, object], ...] = answer(spec, store, most=10 * ROWS).rows
            except InputError as exc:
                refused += 1
                stderr().print(f"{questions}:{number}: {exc}")
                rows = ()
            except KeyError as exc:
                raise InputError(f"line {number} has no field {exc}", subject=str(questions)) from exc
            out.write(
                json.dumps(
                    {"qid": question.get("qid", number), "id": question.get("id", ""), "spec": asked_spec, "answer": rows},
                    ensure_ascii=False,
                )
                + "\n"
            )
            written += 1
    stdout().print(f"{written} questions answered into {target}, {refused} refused.")
    return EXIT_FAULTS if refused else EXIT_OK


@events.command("score")
@click.argument("questions", type=click.Path(path_type=Path))
@click.argument("answers", type=click.Path(path_type=Path))
@click.option("--regime", type=click.Choice([regime.name for regime in REGIMES]), help="Only this regime (default: all three).")
@click.option(
    "--days", type=click.IntRange(0, 366), default=TOLERANCE, show_default=True, help="Tolerance of dates, but in the strict regime."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line per regime, with every question.")
def score_(questions: Path, answers: Path, regime: str | None, days: int, as_json: bool) -> int:
    """Score ANSWERS (lines of qid and answer) to QUESTIONS (lines of qid, id and gt) by template: recall without and with cited pages,
    share of answers of the right size, pool precision and F1."""
    gold = [row for _, row in read_rows(questions) if isinstance(row.get("gt"), list) and "qid" in row]
    if not gold:
        raise InputError("holds no question with qid and gt", subject=str(questions))
    given: dict[str, list[Any]] = {}
    for number, row in read_rows(answers):
        rows = row.get("answer")
        if "qid" not in row or not isinstance(rows, list):
            raise InputError(f"line {number} has no qid with a list as answer", subject=str(answers))
        given[str(row["qid"])] = rows
    for one in REGIMES:
        if regime in (None, one.name):
            scores = score(gold, given, Regime(name=one.name, days=days if one.days else 0, aliases=one.aliases))
            emit(scores.model_dump()) if as_json else _show(scores)
    return EXIT_OK


def _show(scores: Scores) -> None:
    table = Table("template", "n", "recall", "cited", "right size", "precision", "F1", "missing", box=None, pad_edge=False)
    for line in (*scores.by_template, scores.overall):
        table.add_row(*_cells(line))
    within = f"dates within {scores.days} days" if scores.days else "exact dates"
    stdout().print(f"{scores.regime}: {within}")
    stdout().print(table)


def _cells(line: TemplateScore) -> tuple[str, ...]:
    cited = "-" if line.recall_cited is None else f"{line.recall_cited:.4f}"
    figures = (f"{value:.4f}" for value in (line.size_fits, line.precision, line.f1))
    return (line.template, str(line.n), f"{line.recall:.4f}", cited, *figures, str(line.missing))

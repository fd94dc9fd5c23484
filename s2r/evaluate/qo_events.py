"""Score the extraction of events on the attesting sentences of QO-Bench, read in place: event-level recall by type, and which step of a
deal is taken for which.

`python -m s2r.evaluate.qo_events FOLDER` wants that benchmark's `questions.jsonl.gz`. An event counts as found when some attesting article
gives a tuple of its type, of its firm where the firm's ticker is printed in title or sentence, with a date at most seven days off. No text
is shown.
"""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from pydantic import Field
from rich.console import Console
from rich.table import Table

from s2r.errors import ConfigError, InputError
from s2r.evaluate.qo import QUESTIONS
from s2r.evaluate.score import Rate
from s2r.events.extract import Article, Extractor, extract_events
from s2r.events.identity import base_ticker
from s2r.events.load import read_rows
from s2r.events.score import TOLERANCE, near
from s2r.events.tuples import EventTuple
from s2r.models.listing import Frozen
from s2r.policy import policy_root
from s2r.policy.event_types import EventTypes, load_event_types
from s2r.settings import Settings


class GoldEvent(Frozen):
    """One event with the articles that attest it."""

    firm: str
    event_type: str
    date: str
    articles: tuple[Article, ...]


class Measured(Frozen):
    """Recall by event type; `printed` only over events whose ticker is printed. `confusion` counts sentences by (step of the gold, step
    that was read, or "none")."""

    overall: Rate
    printed: Rate
    by_type: dict[str, Rate]
    confusion: Counter[tuple[str, str]] = Field(default_factory=Counter)


def read_gold(path: Path) -> tuple[GoldEvent, ...]:
    """Distinct events (firm, type, date) of a questions file with all their articles, in reading order; raises InputError."""
    found: dict[tuple[str, str, str], dict[tuple[str, str], Article]] = {}
    try:
        for _, row in read_rows(path):
            for event in _events(row.get("gt")):
                key = (str(event["firm_ticker"]), str(event["event_type"]), str(event["anchor_date"]))
                articles = found.setdefault(key, {})
                for chunk in event.get("golden_chunks") or ():
                    day = dt.date.fromisoformat(chunk["article_date"]) if chunk.get("article_date") else None
                    article = Article(
                        title=chunk.get("article_title") or "", date=day, text=chunk["cited_sentence"], url=chunk["article_url"]
                    )
                    articles.setdefault((article.url, article.text), article)
    except (KeyError, TypeError, AttributeError, ValueError) as exc:
        raise InputError(f"cannot be read as questions: {exc!r}", subject=str(path)) from exc
    return tuple(GoldEvent(firm=f, event_type=t, date=d, articles=tuple(held.values())) for (f, t, d), held in found.items())


def _events(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, list):
        for item in node:
            yield from _events(item)
    elif isinstance(node, dict):
        if node.get("event_type") and node.get("anchor_date"):
            yield node
        yield from _events([value for key, value in node.items() if key != "golden_chunks"])


def measure(gold: Sequence[GoldEvent], kinds: EventTypes, extractor: Extractor = extract_events, days: int = TOLERANCE) -> Measured:
    """Recall of an extractor over gold events."""
    hits: Counter[str] = Counter()
    sizes = Counter(event.event_type for event in gold)
    printed: Counter[bool] = Counter()
    confusion: Counter[tuple[str, str]] = Counter()
    for event in gold:
        readings = [(article, extractor(article, kinds)) for article in event.articles]
        found = any(_matches(event, article, tuples, days) for article, tuples in readings)
        hits[event.event_type] += found
        if any(is_printed(event.firm, article) for article in event.articles):
            printed[found] += 1
        if kinds[event.event_type].cycle:
            for _, tuples in readings:
                steps = sorted({one.event_type for one in tuples if kinds[one.event_type].cycle == kinds[event.event_type].cycle})
                confusion[event.event_type, event.event_type if event.event_type in steps else steps[0] if steps else "none"] += 1
    return Measured(
        overall=Rate(hits=hits.total(), n=len(gold)),
        printed=Rate(hits=printed[True], n=printed.total()),
        by_type={name: Rate(hits=hits[name], n=n) for name, n in sizes.most_common()},
        confusion=confusion,
    )


def _matches(event: GoldEvent, article: Article, tuples: Sequence[EventTuple], days: int) -> bool:
    close = [one for one in tuples if one.event_type == event.event_type and near(event.date, one.anchor_date, days)]
    if not is_printed(event.firm, article):
        return bool(close)
    return any(base_ticker(one.firm) == base_ticker(event.firm) for one in close)


def is_printed(ticker: str, article: Article) -> bool:
    """Whether the ticker stands in title or text, alone or glued to a name."""
    return bool(re.search(rf"(?<![A-Z]){re.escape(ticker)}(?![A-Z])", f"{article.title} {article.text}"))


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
def main(folder: Path, policies: Path | None) -> None:
    """Score the rules extraction on the attesting sentences of FOLDER."""
    try:
        kinds = load_event_types(policies or policy_root(Settings()))
        found = measure(read_gold(folder / QUESTIONS), kinds)
    except (InputError, ConfigError) as exc:
        click.echo(str(exc), err=True)
        sys.exit(2)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"events found: {found.overall}; of those whose ticker is printed: {found.printed}")
    table = Table("event type", "found", box=None)
    for name, rate in found.by_type.items():
        table.add_row(name, str(rate))
    console.print(table)
    names = sorted({name for pair in found.confusion for name in pair})
    steps = Table("attested, by sentence", *(f"read as {name}" for name in names), box=None)
    for name in sorted({gold for gold, _ in found.confusion}):
        steps.add_row(name, *(str(found.confusion[name, read]) for read in names))
    console.print(steps)


if __name__ == "__main__":
    main()

"""Read the attesting sentences of QO-Bench in place: dates with kinds, procedural steps and modality, counted by event type.

`python -m s2r.evaluate.qo FOLDER` wants that benchmark's `questions.jsonl.gz`. No sentence is printed or kept; what comes out
are counts. An event type without a policy of its own has no words for its steps: for it only the date reader and the modality
families of the lexicon say something, and modality is then told for the sentence as a whole.
"""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from s2r.adjudicate import lexis_for
from s2r.adjudicate.rules.document import Document, prepare
from s2r.adjudicate.rules.stage import read_unit, strongest
from s2r.errors import ConfigError, InputError
from s2r.evaluate.score import Rate
from s2r.models import Block, BlockKind, Modality, Page, Stage
from s2r.models.listing import Frozen
from s2r.policy import Policy, load_policy, policy_root
from s2r.settings import Settings

QUESTIONS = "questions.jsonl.gz"
READER = "delisting"  # the policy whose English words are used where an event type has none of its own
FAMILIES = (
    Modality.NEGATED, Modality.CONDITIONAL, Modality.HYPOTHETICAL, Modality.PLANNED, Modality.ATTRIBUTED, Modality.HISTORY,
)  # fmt: skip  # the first that is found names the sentence
HAPPENED = (Modality.ASSERTED, Modality.HISTORY)
AHEAD = (Stage.RUMOUR, Stage.PROPOSAL, Stage.PLAN)  # steps that are no event yet, however firmly they are stated
WIDTH = 175  # columns of the table where no terminal says how wide it is


class Sentence(Frozen):
    """One attesting sentence: the event type that it attests, its article, and the day of the article."""

    event_type: str
    article: str
    day: dt.date | None
    text: str


class SentenceReading(Frozen):
    """What was read in one sentence: stage `none` when no step is stated; kinds of its dates, with how many have a value."""

    stage: Stage
    modality: Modality
    kinds: tuple[str, ...]
    resolved: int


class TypeReport(Frozen):
    """Counts of one event type. `asserted`: stated as having happened, now or in the past, in the writer's own voice."""

    event_type: str
    policy: str  # its own policy, "" when there is none
    sentences: int
    with_stage: Rate
    asserted: Rate
    dated: Rate
    dates: int
    resolved: Rate
    kinds: dict[str, int]
    stages: dict[str, int]
    modalities: dict[str, int]


def read_sentences(path: Path) -> tuple[Sentence, ...]:
    """Every distinct (event type, article, sentence) of a questions file, in reading order; raises InputError."""
    found: dict[tuple[str, str, str], Sentence] = {}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as fh:
            for line in fh:
                for sentence in _attesting(json.loads(line), ""):
                    found.setdefault((sentence.event_type, sentence.article, sentence.text), sentence)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as exc:
        raise InputError(
            f"cannot be read as questions: {exc!r}", subject=str(path), advice=f"Give the folder that holds {QUESTIONS}."
        ) from exc
    return tuple(found.values())


def _attesting(node: Any, event_type: str) -> Iterator[Sentence]:
    """Sentences below `node`; the event type is that of the nearest tuple above."""
    if isinstance(node, list):
        for item in node:
            yield from _attesting(item, event_type)
    elif isinstance(node, dict):
        event_type = node.get("event_type") or event_type
        for chunk in node.get("golden_chunks") or ():
            day = dt.date.fromisoformat(chunk["article_date"]) if chunk.get("article_date") else None
            yield Sentence(event_type=event_type or "-", article=chunk["article_url"], day=day, text=chunk["cited_sentence"])
        for key, value in node.items():
            if key != "golden_chunks":
                yield from _attesting(value, event_type)


def read_sentence(sentence: Sentence, policy: Policy) -> SentenceReading:
    """Dates, step and modality of one English sentence; the article's day is the anchor of relative dates."""
    doc = _document(sentence, policy)
    readings = [reading for unit in doc.units for reading in read_unit(doc, unit) if reading.stage is not Stage.NONE]
    best = strongest(readings)
    dates = doc.dates
    return SentenceReading(
        stage=best.stage if best else Stage.NONE,
        modality=best.modality if best else _of_sentence(doc),
        kinds=tuple(dated.kind.value for dated in dates),
        resolved=sum(dated.mention.value is not None for dated in dates),
    )


def _document(sentence: Sentence, policy: Policy) -> Document:
    text = sentence.text
    page = Page(
        digest="sha256:" + hashlib.sha256(text.encode()).hexdigest(),
        url=sentence.article,
        text=text,
        lang="en",
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text)),) if text else (),
    )
    return prepare(
        page,
        lexis=lexis_for(policy, ("en",)),
        cues=[policy.date_lexicons["en"]],
        languages={},
        source_kind="press",
        country="US",
        anchor=sentence.day,
    )


def _of_sentence(doc: Document) -> Modality:
    """Modality of a sentence that states no known step: any word of a family counts, wherever it stands."""
    return next((m for m in FAMILIES if doc.scan.all(f"modality.{m.value}")), Modality.ASSERTED)


def own_policy(event_type: str, policies: Mapping[str, str]) -> str:
    """Name of the policy for an event type of the benchmark ("Stock_split" asks for `stock_split`), "" when there is none."""
    return policies.get(re.sub(r"[^a-z0-9]+", "_", event_type.lower()), "")


def known_policies(root: Path) -> dict[str, str]:
    """Policy folder names by event type."""
    names = sorted(path.parent.name for path in root.glob("*/policy.toml"))
    return {load_policy(name, root).definition.event_type: name for name in names}


def report(sentences: Sequence[Sentence], root: Path) -> list[TypeReport]:
    """Read all sentences, by event type in order of size. A fault of a reader is not caught: none may happen."""
    known = known_policies(root)
    by_type: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        by_type.setdefault(sentence.event_type, []).append(sentence)
    found = []
    for event_type, group in sorted(by_type.items(), key=lambda item: (-len(item[1]), item[0])):
        name = own_policy(event_type, known)
        policy = load_policy(name or READER, root)
        found.append(_count(event_type, name, [read_sentence(sentence, policy) for sentence in group]))
    return found


def _count(event_type: str, policy: str, readings: Sequence[SentenceReading]) -> TypeReport:
    n = len(readings)
    kinds = Counter(kind for reading in readings for kind in reading.kinds)
    happened = sum(reading.modality in HAPPENED and reading.stage not in AHEAD for reading in readings)
    stages = Counter(reading.stage.value for reading in readings if reading.stage is not Stage.NONE)
    return TypeReport(
        event_type=event_type,
        policy=policy,
        sentences=n,
        with_stage=Rate(hits=stages.total(), n=n),
        asserted=Rate(hits=happened, n=n),
        dated=Rate(hits=sum(bool(reading.kinds) for reading in readings), n=n),
        dates=kinds.total(),
        resolved=Rate(hits=sum(reading.resolved for reading in readings), n=kinds.total()),
        kinds=dict(kinds.most_common()),
        stages=dict(stages.most_common()),
        modalities=dict(Counter(reading.modality.value for reading in readings).most_common()),
    )


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per event type on stdout.")
def main(folder: Path, policies: Path | None, as_json: bool) -> None:
    """Count what the date and step readers find in the attesting sentences of FOLDER."""
    try:
        sentences = read_sentences(folder / QUESTIONS)
        rows = report(sentences, policies or policy_root(Settings()))
    except (InputError, ConfigError) as exc:
        click.echo(str(exc), err=True)
        sys.exit(2)
    if as_json:
        for row in rows:
            click.echo(row.model_dump_json())
        return
    articles = len({sentence.article for sentence in sentences})
    texts = len({(sentence.article, sentence.text) for sentence in sentences})
    console = Console(soft_wrap=True, highlight=False, width=max(WIDTH, Console().width))
    console.print(f"{texts} attesting sentences of {articles} articles; {len(sentences)} readings by event type, none failed.")
    _show(console, rows)


def _show(console: Console, rows: Sequence[TypeReport]) -> None:
    table = Table("event type", "own policy", "sentences", "states a step", "asserted", "has a date", "dates", "resolved", box=None)
    for row in rows:
        rates = (str(row.with_stage), str(row.asserted), str(row.dated))
        table.add_row(row.event_type, row.policy or "none", str(row.sentences), *rates, str(row.dates), str(row.resolved))
    console.print(table)
    for row in rows:
        console.print(
            f"{row.event_type}: dates {_counts(row.kinds)}; steps {_counts(row.stages)}; modality {_counts(row.modalities)}", markup=False
        )
    if bare := [row.event_type for row in rows if not row.policy]:
        console.print(
            f"No policy exists for {', '.join(bare)}. There only the date reader and the modality families of the {READER} lexicon apply: "
            f"a step that is stated is one of a {READER}, not of the event, and without one modality is told for the whole sentence.",
            markup=False,
        )


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in found.items()) or "none"


if __name__ == "__main__":
    main()

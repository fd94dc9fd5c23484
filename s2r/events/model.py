"""A language model as planner and as extractor, with the contracts of the grammar and of the rules.

The planner may only fill in a specification: it is validated like any other, shown, and executed by SQL. The extractor may only point at
passages: an event whose quote is not in the text, or whose fields are not known, is dropped. What a page says is data for the model.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal, Protocol

from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from s2r.errors import InputError, PolicyError, SourceBroken
from s2r.events.ask.plan import Planned
from s2r.events.extract import Article
from s2r.events.spec import OPERATORS, read_spec
from s2r.events.tuples import EventTuple, Evidence, first_last
from s2r.lang.text import find_folded, fold
from s2r.modelapi import ModelAnswer, ModelState, Question
from s2r.models.listing import Frozen
from s2r.policy.event_types import FOLDER, EventTypes

REPAIRS = 1  # times that a specification is asked for again with its fault
MOST_TEXT = 40_000  # characters of an article that are shown


class Asker(Protocol):
    """What answers a question: a `ModelCaller`, or a fake in its place."""

    async def ask(self, question: Question) -> ModelAnswer:
        """The answer in the asked form."""
        ...


class PlanWindow(Frozen):
    """Days of a window, "" = open."""

    start: str
    end: str


class PlanAttribute(Frozen):
    """An attribute and its value."""

    name: str
    value: str


class PlanForm(Frozen):
    """A specification as a model fills it in; "" and null where an operator has no such setting."""

    clear: bool
    why: str
    operator: Literal[
        "select", "distinct", "role", "anchored", "near", "followed", "completed", "difference", "extreme", "interleave", "intersect",
        "count", "bucket", "union",
    ]  # fmt: skip
    types: tuple[str, ...]
    windows: tuple[PlanWindow, ...]
    roles: tuple[Literal["buyer", "target", "seller"], ...]
    firm: str
    counterparty: str
    days: int | None
    direction: Literal["before", "after", ""]
    position: Literal["first", "last", ""]
    unit: Literal["week", "month", "quarter", "year", ""]
    at_least: int | None
    attributes: tuple[PlanAttribute, ...]
    residual: str

    def data(self) -> dict[str, Any]:
        """The same as the data of a specification; settings that the operator does not have are left out."""
        kind = next(found for found in OPERATORS if found.model_fields["name"].default == self.operator)
        settings = {name: getattr(self, name) for name in kind.model_fields if name != "name"}
        firm = "" if "firm" in kind.model_fields else self.firm
        windows = [{name: day for name, day in window.model_dump().items() if day} for window in self.windows]
        predicate = {
            "windows": windows,
            "roles": list(self.roles),
            "firm": firm,
            "counterparty": self.counterparty,
            "attributes": {one.name: one.value for one in self.attributes},
        }
        return {
            "operator": {"name": self.operator, **settings},
            "types": list(self.types),
            "predicate": predicate,
            "residual": self.residual,
        }


class FoundEvent(Frozen):
    """One event that a model found, with the passage that states it."""

    event_type: str
    firm: str
    date: str
    role: Literal["buyer", "target", "seller", ""]
    counterparty: str
    quote: str


class ExtractForm(Frozen):
    """All events of an article."""

    events: tuple[FoundEvent, ...]


class Prompt(Frozen):
    """A rendered system text with its name and digest."""

    text: str
    name: str


def load_prompt(root: Path, purpose: Literal["ask", "extract"], kinds: EventTypes) -> Prompt:
    """`policies/events/prompt.<purpose>.j2`, rendered with the event types; raises PolicyError for a template that fails."""
    relative = f"{FOLDER}/prompt.{purpose}.j2"
    try:
        source = (root / relative).read_text("utf-8")
        environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)
        text = environment.from_string(source).render(
            kinds=list(kinds.types.values()), operators=[(k.model_fields["name"].default, k.__doc__) for k in OPERATORS]
        )
    except (OSError, UnicodeDecodeError, TemplateError) as exc:
        line = getattr(exc, "lineno", None) or 1
        raise PolicyError(f"cannot be used: {exc}", subject=f"{(root / relative).as_posix()}:{line}") from exc
    return Prompt(text=text, name=f"events.{purpose}@{hashlib.sha256(text.encode()).hexdigest()[:12]}")


async def plan_by_model(question: str, kinds: EventTypes, asker: Asker, prompt: Prompt) -> Planned:
    """The specification that a model reads in a question; raises InputError when it finds it unclear or gives none that is valid,
    SourceBroken when no answer came."""
    user = f"Question: {question}"
    for left in range(REPAIRS, -1, -1):
        answer = await asker.ask(Question(system=prompt.text, user=user, form=PlanForm, prompt=prompt.name))
        form = _value(answer, PlanForm)
        if not form.clear:
            raise InputError(f"is not clear to the model: {form.why}", subject="question", advice="Say which reading is meant.")
        try:
            spec = read_spec(form.data(), kinds)
        except InputError as exc:
            if not left:
                raise
            user = f"Question: {question}\nThis specification was refused: {json.dumps(form.data())}\n{exc}"
        else:
            return Planned(question=question, spec=spec, why=f"read by {answer.model}: {form.why}")
    raise AssertionError("unreachable")


async def extract_by_model(article: Article, kinds: EventTypes, asker: Asker, prompt: Prompt) -> list[EventTuple]:
    """Events that a model finds in an article; what it cannot prove by a passage of the text is dropped."""
    shown = article.text[:MOST_TEXT]
    user = json.dumps({"title": article.title, "date": str(article.date or ""), "text": shown}, ensure_ascii=False)
    answer = await asker.ask(
        Question(
            system=prompt.text, user=user, form=ExtractForm, prompt=prompt.name, pack="sha256:" + hashlib.sha256(user.encode()).hexdigest()
        )
    )
    form = _value(answer, ExtractForm)
    folded = fold(shown)
    found: dict[tuple[str, str, str], EventTuple] = {}
    for event in form.events:
        kind, places = kinds.find(event.event_type), find_folded(event.quote, folded) if event.quote.strip() else []
        if kind is None or not places or not event.firm.strip() or not _dated(event.date):
            continue
        start, end = places[0]
        proof = Evidence(
            url=article.url, exhibit=article.exhibit, title=article.title, date=str(article.date or ""), quote=shown[start:end],
            start=article.offset + start, end=article.offset + end,
        )  # fmt: skip
        role = event.role if event.role in kinds[kind].roles else ""
        own = EventTuple(
            firm=event.firm.strip(),
            event_type=kind,
            anchor_date=event.date,
            role=role,
            counterparty=event.counterparty.strip(),
            evidence=(proof,),
        )
        found.setdefault((own.firm, kind, own.anchor_date), own)
    return list(found.values())


def _value(answer: ModelAnswer, form: Any) -> Any:
    if answer.state is not ModelState.ANSWERED:
        raise SourceBroken(f"the model gave no answer: {answer.state.value} ({answer.cause})", subject=answer.model)
    return answer.value(form)


def _dated(text: str) -> bool:
    try:
        first_last(text)
    except ValueError:
        return False
    return True

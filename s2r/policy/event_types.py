"""Event types as data: `policies/events/<type>.toml` says what an event is, how questions name it and how articles state it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

from pydantic import Field

from s2r.errors import ConfigError
from s2r.models.listing import Frozen
from s2r.policy.lines import Path_
from s2r.policy.load import Files, PolicyFault, fault_at, files_digest, parse_file, policy_root
from s2r.policy.patterns import example_problem, pattern_problem
from s2r.policy.structure import Problem
from s2r.policy.types import Phrase

FOLDER = "events"
ROLES = ("buyer", "target", "seller")
ANCHORS = ("announcement", "completion", "cancellation", "report", "effective", "disclosure")
STEPS = ("announce", "complete", "cancel", "rumour", "")


class EventType(Frozen):
    """One event type. `anchor` is what its date is the date of; `cycle` and `step` place it in the life of a deal.

    `mention` are phrases by which a question names the type (one unit of text), `loose` those with words of the question inside; `state`
    are phrases by which an article states the event, `hint` weaker ones, `deny` what is taken out of the sentence first. `attributes` are
    fields of a tuple beyond firm, date, role and counterparty: name, value, phrases by which a question means the value. Patterns are
    searched in folded text.
    """

    name: str
    title: str  # for people, singular
    definition: str
    anchor: str
    cycle: str = ""
    step: str = ""
    roles: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    attributes: dict[str, dict[str, tuple[Phrase, ...]]] = Field(default_factory=dict)
    mention: tuple[Phrase, ...] = ()
    loose: tuple[Phrase, ...] = ()
    state: tuple[Phrase, ...] = ()
    hint: tuple[Phrase, ...] = ()
    deny: tuple[Phrase, ...] = ()


class EventTypes(Frozen):
    """All event types of a policies folder by name, in the order of their files, with the digest of the files."""

    types: dict[str, EventType]
    digest: str

    def __getitem__(self, name: str) -> EventType:
        return self.types[name]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all types."""
        return tuple(self.types)

    def find(self, text: str) -> str | None:
        """The type that `text` names: its name or an alias, in any spelling of case, spaces and dashes; None when there is none."""
        return _index(self).get(_key(text))

    def near(self, text: str, most: int = 3) -> tuple[str, ...]:
        """Names of types whose name or alias is spelt nearly as `text`, best first."""
        index = _index(self)
        close = difflib.get_close_matches(_key(text), list(index), n=most * 2, cutoff=0.5)
        return tuple(dict.fromkeys(index[key] for key in close))[:most]

    def cycle_step(self, cycle: str, step: str) -> str | None:
        """Name of the type that is `step` of `cycle`."""
        return next((name for name, kind in self.types.items() if kind.cycle == cycle and kind.step == step), None)


def _key(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


@lru_cache(maxsize=8)
def _index_of(pairs: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, str]:
    return {_key(alias): name for name, aliases in pairs for alias in (*aliases, name)}


def _index(types: EventTypes) -> dict[str, str]:
    return _index_of(tuple((name, (kind.title, *kind.aliases)) for name, kind in types.types.items()))


def load_event_types(root: Path | None = None) -> EventTypes:
    """Read all event types of a policies folder; raise `PolicyError` with the first fault, `ConfigError` when there are none."""
    base = root or policy_root()
    files = _files(base)
    types, faults = _parse(files)
    if faults:
        raise faults[0].error(base)
    if not types:
        raise ConfigError("holds no event types", subject=str(base / FOLDER), advice="Set S2R_POLICIES to a complete policies folder.")
    return EventTypes(types={kind.name: kind for kind in types.values()}, digest=files_digest(files))


def event_type_faults(root: Path) -> Iterator[PolicyFault]:
    """Every fault of the event types of a folder, including patterns that miss their examples."""
    files = _files(root)
    types, faults = _parse(files)
    yield from faults
    texts = dict(files)
    for relative, kind in types.items():
        for path, problem, advice in _pattern_problems(kind):
            yield fault_at(relative, texts[relative].decode(), path, problem, advice)


def _files(root: Path) -> Files:
    return tuple((path.relative_to(root).as_posix(), path.read_bytes()) for path in sorted((root / FOLDER).glob("*.toml")))


@lru_cache(maxsize=8)
def _parse(files: Files) -> tuple[dict[str, EventType], list[PolicyFault]]:
    faults: list[PolicyFault] = []
    types: dict[str, EventType] = {}
    for relative, content in files:
        seen = frozenset(kind.name for kind in types.values())
        if kind := parse_file(EventType, relative, content, faults, partial(_problems, seen=seen)):
            types[relative] = kind
    return types, faults


def _problems(kind: EventType, seen: frozenset[str]) -> Iterator[Problem]:
    if kind.name in seen:
        yield ("name",), f"{kind.name!r} is the name of another file too", "Give every type its own name."
    if kind.anchor not in ANCHORS:
        yield ("anchor",), f"{kind.anchor!r} is not known", f"Use one of {', '.join(ANCHORS)}."
    if kind.step not in STEPS or bool(kind.step) != bool(kind.cycle):
        yield ("step",), f"{kind.step!r} does not fit", "Give `cycle` and one of announce, complete, cancel, rumour, or neither."
    for index, role in enumerate(kind.roles):
        if role not in ROLES:
            yield ("roles", index), f"{role!r} is not known", f"Use {', '.join(ROLES)}."
    if not kind.mention:
        yield ("mention",), "is missing", "Add at least one phrase by which a question names this type."


def _pattern_problems(kind: EventType) -> Iterator[Problem]:
    families: list[tuple[Path_, tuple[Phrase, ...]]] = [
        ((name,), getattr(kind, name)) for name in ("mention", "loose", "state", "hint", "deny")
    ]
    families += [(("attributes", name, value), phrases) for name, values in kind.attributes.items() for value, phrases in values.items()]
    for family, phrases in families:
        for index, phrase in enumerate(phrases):
            path: Path_ = (*family, index)
            if problem := pattern_problem(phrase.pattern):
                yield (*path, "pattern"), problem, "Patterns are searched in folded text (see policies/README.md)."
            elif problem := example_problem(phrase.pattern, phrase.example, phrase.not_example):
                yield (*path, "not_example" if problem.startswith("matches") else "example"), problem, "Change the pattern or the example."

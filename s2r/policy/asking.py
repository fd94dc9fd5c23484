"""How models are asked for records, as data: evidence pack, instruction-like phrases, prompts, and the ladder of `routing.toml`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from pydantic import Field

from s2r.errors import PolicyError
from s2r.models.decision import Package, Route, Status
from s2r.models.listing import Frozen
from s2r.policy.load import Files, PolicyFault, fault_at, parse_file
from s2r.policy.patterns import example_problem, pattern_problem
from s2r.policy.structure import Problem, each_of, one_of
from s2r.policy.types import CODES, RouteRule

INSTRUCTIONS_FILE, ROUTING_FILE = "instructions.toml", "routing.toml"
PURPOSES = ("adjudicate", "verify")
STEPS = ("official", "timeline", "verifier", "escalation")
ALWAYS = "always"
_VERSION = re.compile(r"\A\{#-?\s*version:\s*([\w.-]+)")


class PackRule(Frozen):
    """[pack] of models.toml: what a model is shown of the pages of a listing."""

    tokens: int = Field(12_000, ge=200, description="budget of all passages, estimated")
    passage_chars: int = Field(650, ge=200, le=8_000, description="characters of one passage, about")
    per_document: int = Field(6, ge=1, description="passages of one document at most")
    after_cutoff: str = Field("withhold", pattern="^(withhold|mark)$", description="documents dated after the cutoff")
    edited_later: str = Field("withhold", pattern="^(withhold|mark)$", description="documents that say they were changed after it")
    undated: str = Field(
        "withhold", pattern="^(withhold|mark)$", description="documents of unknown time; those captured by the cutoff are shown"
    )


class Instruction(Frozen):
    """Words of a page that speak to a model instead of about the world; a sentence that holds them is not shown."""

    pattern: str
    example: str
    not_example: str = ""


class InstructionFile(Frozen):
    """instructions.toml."""

    instruction: tuple[Instruction, ...] = ()


class LadderStep(Frozen):
    """One step: taken when one of the codes stands (`always` takes it for every record)."""

    name: str
    when: tuple[str, ...]


class Routing(Frozen):
    """routing.toml: the steps after the first answer, in order, and the rules of the route that go before those of the policy.

    With `outvote` the answer of the stronger model goes before the first one, and a first answer that contradicts it is no dissent.
    """

    version: str
    low_confidence: float = Field(0.5, ge=0, le=1)
    outvote: bool = True
    step: tuple[LadderStep, ...] = ()
    route: tuple[RouteRule, ...] = ()


class Prompt(Frozen):
    """The templates of one purpose: what is said as system and as user, with the version at the head of the former."""

    purpose: str
    version: str
    system: str
    user: str
    event: str

    @cached_property
    def id(self) -> str:
        """`event/purpose@version#digest12`, as kept with every exchange and record."""
        digest = hashlib.sha256(f"{self.system}\0{self.user}".encode()).hexdigest()
        return f"{self.event}/{self.purpose}@{self.version}#{digest[:12]}"


class Asking(Frozen):
    """All that is data in asking a model, but for the models themselves."""

    prompts: dict[str, Prompt]
    routing: Routing
    instructions: tuple[str, ...]  # patterns over folded text
    files: str  # digest of all files

    @property
    def routing_id(self) -> str:
        """`routing@version#digest12`."""
        digest = hashlib.sha256(self.routing.model_dump_json().encode()).hexdigest()
        return f"routing@{self.routing.version}#{digest[:12]}"


def load_asking(root: Path, event: str = "delisting") -> Asking:
    """Prompts, ladder and instruction-like phrases of a policies folder; raises `PolicyError` with the first fault."""
    files = read_asking(root, event)
    parsed = _parse(files, event)
    if parsed.faults:
        raise parsed.faults[0].error(root)
    assert parsed.routing is not None
    assert parsed.instructions is not None
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    patterns = tuple(line.pattern for line in parsed.instructions.instruction)
    return Asking(prompts=parsed.prompts, routing=parsed.routing, instructions=patterns, files=digest.hexdigest())


def asking_faults(root: Path, event: str = "delisting") -> list[PolicyFault]:
    """Every fault of these files, also of patterns against their examples; templates are tried by `s2r.adjudicate.llm`."""
    try:
        files = read_asking(root, event)
    except PolicyError as exc:
        return [PolicyFault(file=exc.subject.rsplit(":", 1)[0], line=1, key="", problem=exc.message, advice=exc.advice)]
    parsed = _parse(files, event)
    text = dict(files)[INSTRUCTIONS_FILE].decode("utf-8", "replace")
    found = list(parsed.faults)
    for path, problem, advice in _pattern_problems(parsed.instructions or InstructionFile()):
        found.append(fault_at(INSTRUCTIONS_FILE, text, path, problem, advice))
    return found


def prompt_files(event: str) -> tuple[str, ...]:
    """Names of the templates of an event type, relative to the policies folder."""
    return tuple(f"{event}/prompt.{purpose}.{part}.j2" for purpose in PURPOSES for part in ("system", "user"))


def read_asking(root: Path, event: str) -> Files:
    """The files, sorted by name; raises `PolicyError` when one is missing."""
    found = []
    for name in sorted((INSTRUCTIONS_FILE, ROUTING_FILE, *prompt_files(event))):
        path = root / name
        try:
            found.append((name, path.read_bytes()))
        except OSError as exc:
            advice = "Restore it from the packaged policies; it is needed to ask a model."
            raise PolicyError(f"cannot be read: {exc.strerror or exc}", subject=f"{path.as_posix()}:1", advice=advice) from exc
    return tuple(found)


class _Parsed(Frozen):
    prompts: dict[str, Prompt]
    routing: Routing | None
    instructions: InstructionFile | None
    faults: tuple[PolicyFault, ...]


def _parse(files: Files, event: str) -> _Parsed:
    contents, faults = dict(files), list[PolicyFault]()
    routing = parse_file(Routing, ROUTING_FILE, contents[ROUTING_FILE], faults, _routing_problems)
    instructions = parse_file(InstructionFile, INSTRUCTIONS_FILE, contents[INSTRUCTIONS_FILE], faults, lambda _: iter(()))
    prompts = {purpose: prompt for purpose in PURPOSES if (prompt := _prompt(purpose, event, contents, faults))}
    return _Parsed(prompts=prompts, routing=routing, instructions=instructions, faults=tuple(faults))


def _prompt(purpose: str, event: str, contents: Mapping[str, bytes], faults: list[PolicyFault]) -> Prompt | None:
    names = [f"{event}/prompt.{purpose}.{part}.j2" for part in ("system", "user")]
    try:
        system, user = (contents[name].decode() for name in names)
    except UnicodeDecodeError:
        faults.append(PolicyFault(file=names[0], line=1, key="", problem="is not UTF-8", advice="Save the file as UTF-8."))
        return None
    head = _VERSION.match(system)
    if head is None:
        faults.append(PolicyFault(file=names[0], line=1, key="", problem="has no version", advice="Begin it with {# version: 1 #}."))
        return None
    return Prompt(purpose=purpose, version=head.group(1), system=system, user=user, event=event)


def _routing_problems(routing: Routing) -> Iterator[Problem]:
    for index, step in enumerate(routing.step):
        yield from one_of(("step", index, "name"), step.name, STEPS)
        yield from each_of(("step", index, "when"), step.when, (ALWAYS, *CODES))
    names = [step.name for step in routing.step]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield ("step", index, "name"), f"{name!r} is taken twice", "Keep one of them."
    for index, rule in enumerate(routing.route):
        path = ("route", index)
        yield from one_of((*path, "route"), rule.route, tuple(r.value for r in Route))
        yield from each_of((*path, "status"), rule.status, tuple(s.value for s in Status))
        yield from each_of((*path, "package"), rule.package, tuple(p.value for p in Package))
        yield from each_of((*path, "codes"), rule.codes, CODES)
        if rule.route == Route.ACCEPT.value:
            for key, needed in (("package", ("pass",)), ("attested", True), ("coverage_sufficient", True)):
                if getattr(rule, key) != needed:
                    advice = (
                        'No record is accepted on the word of a model: set package = ["pass"], attested = true, coverage_sufficient = true.'
                    )
                    yield (*path, key), "a rule that accepts must set this condition", advice


def _pattern_problems(file: InstructionFile) -> Iterator[Problem]:
    for index, line in enumerate(file.instruction):
        if problem := pattern_problem(line.pattern):
            yield ("instruction", index, "pattern"), problem, "Patterns are searched in folded text (see policies/README.md)."
        elif problem := example_problem(line.pattern, line.example, line.not_example):
            yield ("instruction", index, "example"), problem, "Change the pattern or the example."

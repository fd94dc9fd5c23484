"""All faults of a policies folder, including those that take running every pattern on its examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from s2r.errors import PolicyError
from s2r.policy.event_types import event_type_faults
from s2r.policy.lines import Path_
from s2r.policy.load import Loaded, PolicyFault, fault_at, parse, policy_root, read_files
from s2r.policy.patterns import example_problem, pattern_problem
from s2r.policy.review import review_faults
from s2r.policy.schedule import schedule_faults
from s2r.policy.types import DateLexicon, EventDefinition, Lexicon, Phrase, Voice
from s2r.policy.vendors import vendor_faults


def check_policies(root: Path | None = None, name: str = "delisting") -> list[PolicyFault]:
    """Every fault of the policies folder, sorted by file and line; empty when all is well."""
    base = root or policy_root()
    try:
        files = read_files(base, name)
    except PolicyError as exc:
        return [PolicyFault(file=exc.subject.rsplit(":", 1)[0], line=1, key="", problem=exc.message, advice=exc.advice)]
    loaded = parse(files, name)
    texts = dict(files)
    found = [*loaded.faults, *vendor_faults(base), *schedule_faults(base), *review_faults(base)]
    for relative, path, problem, advice in _pattern_faults(loaded, name):
        found.append(fault_at(relative, texts[relative].decode(), path, problem, advice))
    found += event_type_faults(base)
    return sorted(found, key=lambda fault: (fault.file, fault.line))


def _pattern_faults(loaded: Loaded, name: str) -> Iterator[tuple[str, Path_, str, str]]:
    for file, lexicon in loaded.lexicons.items():
        for path, problem, advice in _lexicon_faults(lexicon):
            yield file, path, problem, advice
    for file, cues in loaded.date_lexicons.items():
        for path, problem, advice in _cue_faults(cues):
            yield file, path, problem, advice
    for file, venue in loaded.venues.items():
        if venue.ticker_pattern and (problem := pattern_problem(venue.ticker_pattern, folded=False)):
            yield file, ("ticker_pattern",), problem, "Write a pattern for the whole ticker."
    if loaded.definition is not None:
        for path, problem, advice in _case_faults(loaded.definition):
            yield f"{name}/policy.toml", path, problem, advice
    for index, rule in enumerate(loaded.sources.source):
        if rule.pattern and (problem := pattern_problem(rule.pattern) or example_problem(rule.pattern, rule.example)):
            advice = "Match on the lower-case host and path, with an address as example."
            yield "sources.toml", ("source", index, "pattern"), problem, advice
    for path, problem, advice in _phrase_faults(("voice",), loaded.sources.voice):
        yield "sources.toml", path, problem, advice


def _case_faults(definition: EventDefinition) -> Iterator[tuple[Path_, str, str]]:
    for name, ruling in definition.rulings.items():
        for index, case in enumerate(ruling.case):
            path: Path_ = ("rulings", name, "case", index)
            if not case.pattern:
                continue
            if problem := pattern_problem(case.pattern):
                yield (*path, "pattern"), problem, "Patterns are searched in folded text (see policies/README.md)."
            elif problem := example_problem(case.pattern, case.example, case.not_example):
                key = "not_example" if problem.startswith("matches") else "example"
                yield (*path, key), problem, "Change the pattern or the example."


def _lexicon_faults(lexicon: Lexicon) -> Iterator[tuple[Path_, str, str]]:
    for family, phrases in lexicon.families():
        yield from _phrase_faults(tuple(family.split(".")), phrases)


def _phrase_faults(family: Path_, phrases: Sequence[Phrase | Voice]) -> Iterator[tuple[Path_, str, str]]:
    for index, phrase in enumerate(phrases):
        path: Path_ = (*family, index)
        if problem := pattern_problem(phrase.pattern):
            yield (*path, "pattern"), problem, "Patterns are searched in folded text (see policies/README.md)."
        elif problem := example_problem(phrase.pattern, phrase.example, phrase.not_example):
            key = "not_example" if problem.startswith("matches") else "example"
            yield (*path, key), problem, "Change the pattern or the example."


def _cue_faults(cues: DateLexicon) -> Iterator[tuple[Path_, str, str]]:
    for index, cue in enumerate(cues.cue):
        path: Path_ = ("cue", index)
        if problem := pattern_problem(cue.pattern):
            yield (*path, "pattern"), problem, "Patterns are searched in folded text (see policies/README.md)."
        elif problem := example_problem(cue.pattern, cue.example):
            yield (*path, "example"), problem, "Change the pattern or the example."
    for family in ("object", "qualify", "block", "settled", "ahead"):
        yield from _phrase_faults((family,), getattr(cues, family))

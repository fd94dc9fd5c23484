"""Read `policies/` into a typed `Policy` with a digest; every fault is known by file, line and key."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import tomli
from pydantic import BaseModel, Field, ValidationError

from s2r.errors import PolicyError
from s2r.models.listing import Frozen
from s2r.policy.lines import Path_, dotted, key_lines, line_of
from s2r.policy.structure import (
    Problem,
    date_problems,
    definition_problems,
    lexicon_problems,
    source_problems,
    venue_problems,
    venues_problems,
)
from s2r.policy.types import DateLexicon, EventDefinition, Lexicon, Policy, SourceRule, Venue, Voice
from s2r.settings import Settings

Files = tuple[tuple[str, bytes], ...]  # (name relative to the policies folder, content), sorted by name
ModelT = TypeVar("ModelT", bound=BaseModel)

_TOML_LINE = re.compile(r"\(at line (\d+)")


class PolicyFault(Frozen):
    """One fault of a policy file. `file` is relative to the policies folder, `line` 1-based, `key` a dotted path."""

    file: str
    line: int
    key: str
    problem: str
    advice: str = ""

    def error(self, root: Path | None = None) -> PolicyError:
        """The fault as an exception whose subject is `file:line`."""
        where = (root / self.file).as_posix() if root else self.file
        return PolicyError(f"{self.key}: {self.problem}" if self.key else self.problem, subject=f"{where}:{self.line}", advice=self.advice)


class SourceFile(Frozen):
    """sources.toml."""

    source: tuple[SourceRule, ...] = ()
    voice: tuple[Voice, ...] = ()


class Loaded(Frozen):
    """What could be read of a policies folder: models by file name, and the faults in file order."""

    definition: EventDefinition | None = None
    lexicons: dict[str, Lexicon] = Field(default_factory=dict)
    date_lexicons: dict[str, DateLexicon] = Field(default_factory=dict)
    venues: dict[str, Venue] = Field(default_factory=dict)
    sources: SourceFile = SourceFile()
    faults: tuple[PolicyFault, ...] = ()


def policy_root(settings: Settings | None = None) -> Path:
    """The policies folder: the setting, else `./policies`, else the copy installed with the package."""
    if settings is not None and settings.policies is not None:
        return settings.policies
    local = Path("policies")
    if local.is_dir():
        return local
    package = Path(str(resources.files("s2r")))
    packaged = package / "_policies"
    return packaged if packaged.is_dir() else package.parent / "policies"


def load_policy(name: str = "delisting", root: Path | None = None) -> Policy:
    """Load event type `name`; raise `PolicyError` with the first fault. Patterns are not run here (see `check_policies`)."""
    base = root or policy_root()
    files = read_files(base, name)
    loaded = parse(files, name)
    if loaded.faults:
        raise loaded.faults[0].error(base)
    return _policy(files, name)


@lru_cache(maxsize=8)
def _policy(files: Files, name: str) -> Policy:
    loaded = parse(files, name)
    if loaded.definition is None:
        raise PolicyError("the definition is missing", subject=f"{name}/policy.toml:1")
    return Policy(
        definition=loaded.definition,
        lexicons={lexicon.language: lexicon for lexicon in loaded.lexicons.values()},
        date_lexicons={cues.language: cues for cues in loaded.date_lexicons.values()},
        venues={mic: venue for venue in loaded.venues.values() for mic in (venue.mic, *venue.segment_mics)},
        sources=loaded.sources.source,
        voices=loaded.sources.voice,
        digest=files_digest(files),
    )


def read_files(root: Path, name: str) -> Files:
    """All policy files of event type `name`, sorted by relative name; raise `PolicyError` when a needed file is missing."""
    needed = (f"{name}/policy.toml", "sources.toml")
    found = [root / relative for relative in needed]
    for path in found:
        if not path.is_file():
            raise PolicyError("file is missing", subject=f"{path.as_posix()}:1", advice="Set S2R_POLICIES to a policies folder.")
    for folder in (f"{name}/lexicon", f"{name}/dates", "venues"):
        found += (root / folder).glob("*.toml")
    try:
        return tuple(sorted((path.relative_to(root).as_posix(), path.read_bytes()) for path in found))
    except OSError as exc:
        raise PolicyError(f"cannot be read: {exc}", subject=root.as_posix()) from exc


def files_digest(files: Files) -> str:
    """SHA-256 (hex) over the names and contents of `files`, in their order."""
    digest = hashlib.sha256()
    for relative, content in files:
        digest.update(f"{relative}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


@lru_cache(maxsize=8)
def parse(files: Files, name: str) -> Loaded:
    """Parse and check the structure of all files; never raises for a fault, it is in the result."""
    faults: list[PolicyFault] = []
    definition: EventDefinition | None = None
    sources = SourceFile()
    lexicons: dict[str, Lexicon] = {}
    dates: dict[str, DateLexicon] = {}
    venues: dict[str, Venue] = {}
    for relative, content in files:
        folder, stem = relative.rpartition("/")[0], relative.rpartition("/")[2].removesuffix(".toml")
        if folder == "venues":
            if venue := parse_file(Venue, relative, content, faults, partial(venue_problems, stem=stem)):
                venues[relative] = venue
        elif folder == f"{name}/lexicon":
            if lexicon := parse_file(Lexicon, relative, content, faults, partial(lexicon_problems, stem=stem)):
                lexicons[relative] = lexicon
        elif folder == f"{name}/dates":
            if cues := parse_file(DateLexicon, relative, content, faults, partial(date_problems, stem=stem)):
                dates[relative] = cues
        elif relative == "sources.toml":
            sources = parse_file(SourceFile, relative, content, faults, lambda v: source_problems(v.source, v.voice)) or sources
        else:
            definition = parse_file(EventDefinition, relative, content, faults, definition_problems)
    texts = dict(files)
    for relative, path, problem, advice in venues_problems(venues):
        faults.append(fault_at(relative, texts[relative].decode(), path, problem, advice))
    return Loaded(definition=definition, lexicons=lexicons, date_lexicons=dates, venues=venues, sources=sources, faults=tuple(faults))


def fault_at(relative: str, text: str, path: Path_, problem: str, advice: str = "") -> PolicyFault:
    """A fault at a key path of a well-formed TOML text."""
    return PolicyFault(file=relative, line=line_of(key_lines(text), path), key=dotted(path), problem=problem, advice=advice)


def load_optional(model: type[ModelT], root: Path, file: str, problems: Callable[[ModelT], Iterator[Problem]]) -> ModelT:
    """A file that a policies folder may have, the defaults of `model` without it; raises `PolicyError` with its first fault."""
    faults: list[PolicyFault] = []
    loaded = _parse_optional(model, root, file, problems, faults)
    if faults:
        raise faults[0].error(root)
    return loaded or model()


def optional_faults(model: type[ModelT], root: Path, file: str, problems: Callable[[ModelT], Iterator[Problem]]) -> list[PolicyFault]:
    """Every fault of such a file."""
    faults: list[PolicyFault] = []
    _parse_optional(model, root, file, problems, faults)
    return faults


def _parse_optional(
    model: type[ModelT], root: Path, file: str, problems: Callable[[ModelT], Iterator[Problem]], faults: list[PolicyFault]
) -> ModelT | None:
    path = root / file
    if not path.is_file():
        return None
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise PolicyError(f"cannot be read: {exc}", subject=path.as_posix()) from exc
    return parse_file(model, file, content, faults, problems)


def parse_file(
    model: type[ModelT],
    relative: str,
    content: bytes,
    faults: list[PolicyFault],
    problems: Callable[[ModelT], Iterator[Problem]],
    base: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> ModelT | None:
    """Parse one file into `model`; append its faults and return None when the model cannot be built. `base` gives, from what the
    file holds, values and lines of tables that count where the file has none."""
    try:
        text = content.decode()
        data = tomli.loads(text)
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        faults.append(PolicyFault(file=relative, line=line, key="", problem="is not UTF-8", advice="Save the file as UTF-8."))
        return None
    except tomli.TOMLDecodeError as exc:
        found = _TOML_LINE.search(str(exc))
        line = int(found.group(1)) if found else content.count(b"\n") + 1
        faults.append(PolicyFault(file=relative, line=line, key="", problem=f"is not TOML: {exc}", advice="Fix the syntax at this line."))
        return None
    if base is not None:
        data = {key: {**under, **over} if isinstance(over, dict) and isinstance(under, dict) else over
                for key, (under, over) in _both(base(data), data).items()}  # fmt: skip
    try:
        value = model.model_validate(_tuples(data), strict=True)
    except ValidationError as exc:
        faults += [fault_at(relative, text, path, problem, advice) for path, problem, advice in _schema_problems(model, exc)]
        return None
    faults += [fault_at(relative, text, path, problem, advice) for path, problem, advice in problems(value)]
    return value


def _both(under: dict[str, Any], over: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Values of two tables by key; the upper one counts where both have one."""
    return {key: (under.get(key), over.get(key, under.get(key))) for key in {**under, **over}}


def _tuples(value: Any) -> Any:
    """Lists as tuples, all the way down: strict validation takes no list where a record holds a tuple."""
    if isinstance(value, dict):
        return {key: _tuples(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(_tuples(item) for item in value)
    return value


def _schema_problems(model: type[BaseModel], exc: ValidationError) -> Iterator[Problem]:
    seen: set[Path_] = set()
    for error in exc.errors(include_url=False):
        path: Path_ = tuple(error["loc"])
        if path and path[-1] in ("bool", "str") and error["type"] in ("bool_type", "string_type"):
            path = path[:-1]  # both branches of a union fail at the same key
        if path in seen:
            continue
        seen.add(path)
        if error["type"] == "extra_forbidden":
            yield path, "unknown key", f"Known keys here: {', '.join(_known_keys(model, path))}."
        elif error["type"] == "missing":
            yield path, "is missing", "Add this key."
        else:
            yield path, f"{error['msg']}, got {type(error['input']).__name__}", "Change the type of this value."


def _known_keys(model: type[BaseModel], path: Path_) -> list[str]:
    """Field names of the record that `path` lies in."""
    current: Any = model
    for part in path[:-1]:
        if isinstance(part, int):
            continue
        field = current.model_fields.get(part) if isinstance(current, type) and issubclass(current, BaseModel) else None
        if field is not None:
            current = _inner(field.annotation)
    return list(current.model_fields) if isinstance(current, type) and issubclass(current, BaseModel) else []


def _inner(annotation: Any) -> Any:
    """The record type inside tuple[X, ...], dict[str, X] or dict[str, tuple[X, ...]]."""
    args = [a for a in getattr(annotation, "__args__", ()) if a is not Ellipsis]
    return _inner(args[-1]) if args else annotation

"""`policies/models.toml`: how each provider and model is asked (wire format, schema dialect, reasoning, output limit, web mode, prices)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, ValidationError, model_validator

from s2r.errors import ConfigError, PolicyError
from s2r.models.listing import Frozen
from s2r.policy.asking import PackRule
from s2r.policy.lines import Path_, dotted, key_lines, line_of

MODELS_FILE = "models.toml"
WIRES = ("openai_responses", "openai_chat", "anthropic", "gemini")
DIALECTS = ("native", "json_schema", "json_object_schema", "structured_outputs", "json_object", "prompt")
_CHAT_ONLY = frozenset({"json_schema", "json_object_schema", "structured_outputs", "json_object"})


class ModelName(NamedTuple):
    """`provider:name`; the name may hold colons itself."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


class Profile(Frozen):
    """How one model is asked. A table of models.toml gives any of these; what it leaves out comes from its provider, else from here."""

    provider: str = ""
    model: str = ""
    wire: str = Field("openai_chat", description="openai_responses, openai_chat, anthropic or gemini")
    url: str = Field("", description="base address; empty = the operator has to give one")
    account: str = Field("", description="whose key and address settings are used; empty = the provider's own")
    needs_key: bool = True
    get_key: str = ""
    schema_dialect: str = Field("native", description="how the form of the answer is asked for; see docs/operations.md")
    reasoning: str = Field("", description="effort (low, medium, high), a number of tokens, or empty for the provider's default")
    pack_tokens: int = Field(0, ge=0, description="budget of the evidence where it is less than that of [pack]; 0 = that one")
    max_output: int = Field(4096, ge=16, description="output tokens, reasoning included")
    output_key: str = Field("max_tokens", pattern="^(max_tokens|max_completion_tokens)$", description="its name in the chat format")
    web: str = Field("none", pattern="^(none|together|apart)$", description="own search tool: with the form in one call, or in two")
    search_tool: str = Field("", description="type of the search tool, where it has versions")
    search_unit: str = Field("query", pattern="^(query|call)$", description="whether each query is paid for, or each call that searches")
    search_reserve: int = Field(20_000, ge=0, description="tokens set aside for the pages of one search")
    prices: str = Field("", description="provider id in genai-prices; free; or empty: only policies/prices.toml")
    batch: str = Field("none", pattern="^(none|openai|anthropic|gemini)$", description="the batch API that it can be asked by")
    batch_share: float = Field(0.5, gt=0, le=1, description="what a batch costs of the usual price")
    repairs: int = Field(2, ge=0, le=5, description="how often an answer of the wrong form is asked for again")
    timeout_s: float = Field(300.0, gt=0, description="seconds one call may take")
    rate: float = Field(5.0, gt=0, description="requests per second")
    concurrency: int = Field(16, ge=1)
    tokens_per_minute: float = Field(0.0, ge=0, description="0 = no limit")
    extra: dict[str, Any] = Field(default_factory=dict, description="parameters laid over the body of each request as they are")

    @model_validator(mode="after")
    def _fits(self) -> Profile:
        for name, known in (("wire", WIRES), ("schema_dialect", DIALECTS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} {getattr(self, name)!r} is none of {', '.join(known)}")
        if self.wire != "openai_chat" and self.schema_dialect in _CHAT_ONLY:
            raise ValueError(f"schema_dialect {self.schema_dialect!r} goes with wire openai_chat only")
        if self.wire == "openai_chat" and self.web != "none":
            raise ValueError("the chat format has no search tool: set web to none, or use wire openai_responses")
        if self.batch != "none" and not self.wire.startswith(self.batch):
            raise ValueError(f"batch {self.batch!r} does not go with wire {self.wire}")
        return self

    @property
    def name(self) -> ModelName:
        """Its spelling on the command line."""
        return ModelName(self.provider, self.model)


class Catalogue(Frozen):
    """models.toml: what models are shown (`pack`), and tables by provider, and by pattern of `provider:name`."""

    pack: PackRule = PackRule()

    provider: dict[str, dict[str, Any]] = Field(default_factory=dict)
    model: dict[str, dict[str, Any]] = Field(default_factory=dict)

    def profile(self, name: ModelName, **given: Any) -> Profile:
        """How `name` is asked: the provider's table, then every pattern that fits, shorter ones first, then what is `given`.

        Raises `ConfigError` for a provider that is not in the file.
        """
        if name.provider not in self.provider:
            raise ConfigError(
                f"there is no model provider {name.provider!r}",
                subject=str(name),
                advice=f"Known: {', '.join(self.provider)}; add others as [provider.NAME] in policies/{MODELS_FILE}.",
            )
        fitting = sorted(
            (pattern for pattern in self.model if fnmatchcase(str(name), pattern)), key=lambda pattern: (len(pattern), pattern)
        )
        layers = [self.provider[name.provider], *(self.model[pattern] for pattern in fitting), given]
        values = {key: value for layer in layers for key, value in layer.items()}
        try:
            return Profile.model_validate({**values, "provider": name.provider, "model": name.model})
        except ValidationError as exc:
            raise ConfigError(_words(exc), subject=str(name), advice=f"See policies/{MODELS_FILE} and the settings of the role.") from exc


def parse_model(text: str) -> ModelName:
    """`provider:name` as given with --model or S2R_<ROLE>_MODEL; raises `ConfigError`."""
    provider, colon, model = text.strip().partition(":")
    if not colon or not provider or not model or any(char.isspace() for char in text.strip()):
        raise ConfigError("is no model", subject=repr(text[:100]), advice="Write provider:name, such as openai:gpt-5-mini.")
    return ModelName(provider, model)


def load_catalogue(policies: Path) -> Catalogue:
    """`models.toml` of a policies folder; raises `PolicyError` with file, line and key of the first fault."""
    path = policies / MODELS_FILE
    try:
        text = path.read_text("utf-8")
        data = tomllib.loads(text)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise PolicyError(f"cannot be read: {exc}", subject=f"{path.as_posix()}:1", advice="Restore or fix the file.") from exc
    if fault := next(_faults(data), None):
        where, problem = fault
        raise PolicyError(f"{dotted(where)}: {problem}", subject=f"{path.as_posix()}:{line_of(key_lines(text), where)}")
    return Catalogue.model_validate(data)


def _faults(data: Mapping[str, Any]) -> Iterator[tuple[Path_, str]]:
    """(key path, problem) of each fault, checked in the layers that a model is really asked with."""
    for family, tables in data.items():
        if family not in Catalogue.model_fields or not isinstance(tables, dict):
            yield (family,), "is not a table pack, provider or model"
            return
        if family == "pack":
            yield from _pack_faults(tables)
            continue
        for name, table in tables.items():
            base = {} if family == "provider" else data.get("provider", {}).get(name.partition(":")[0].rstrip("*"), {})
            if not isinstance(table, dict):
                yield (family, name), "is no table"
                return
            try:
                Profile.model_validate({**base, **table})
            except ValidationError as exc:
                key = exc.errors(include_url=False)[0]["loc"]
                yield (family, name, *key), _words(exc)


def _pack_faults(table: Mapping[str, Any]) -> Iterator[tuple[Path_, str]]:
    try:
        PackRule.model_validate(table)
    except ValidationError as exc:
        yield ("pack", *exc.errors(include_url=False)[0]["loc"]), _words(exc, PackRule)


def _words(exc: ValidationError, record: type[Frozen] = Profile) -> str:
    first = exc.errors(include_url=False)[0]
    key = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"unknown key {key}; known: {', '.join(record.model_fields)}"
    return f"{key}: {first['msg']}" if key else str(first["msg"])

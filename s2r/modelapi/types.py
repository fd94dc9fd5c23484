"""What is asked of a model and what comes back: question, answer, usage as reported, citations, and one call as the ledger books it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from s2r.models.listing import Frozen

Form = TypeVar("Form", bound=BaseModel)


class ModelRole(StrEnum):
    """What a model is asked for; each role has an endpoint, key, proxy and CA of its own."""

    ADJUDICATOR = "adjudicator"
    VERIFIER = "verifier"
    ESCALATION = "escalation"


class ModelState(StrEnum):
    """How a question ended; only `answered` says something about the world."""

    ANSWERED = "answered"
    REFUSED = "refused"  # by the model or a safety filter
    TRUNCATED = "truncated"  # cut by the limit of output
    INVALID = "invalid"  # not of the asked form, also after repair
    FAILED = "failed"  # no usable answer came


class ModelUsage(Frozen):
    """Counts of one or more calls as the provider reports them. Input holds cached tokens, output holds reasoning tokens.

    `reported`: whether the provider reported any, which a report without input is not; `raw` its own words, one entry for each call.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    cache_write_1h_tokens: int = 0  # part of cache_write_tokens
    tool_tokens: int = 0  # part of input_tokens: pages read by a search tool, where told apart
    output_tokens: int = 0
    reasoning_tokens: int = 0
    searches: int = 0
    reported: bool = True
    raw: tuple[dict[str, Any], ...] = ()

    def __add__(self, other: ModelUsage) -> ModelUsage:
        counts = {name: getattr(self, name) + getattr(other, name) for name in COUNTS}
        return ModelUsage(**counts, reported=self.reported and other.reported, raw=self.raw + other.raw)


COUNTS = tuple(name for name in ModelUsage.model_fields if name not in ("reported", "raw"))
NO_USAGE = ModelUsage()


class Citation(Frozen):
    """A page that a provider's search tool names. `cited`: the answer rests on it; else it was only read or found.

    `url` is the provider's word: it is fetched and archived like any hit before it counts. `temporary`: a link that expires.
    """

    url: str
    title: str = ""
    text: str = ""
    cited: bool = True
    temporary: bool = False


class WebSearch(Frozen):
    """The provider's own search tool: at most `max_uses` searches, only on `domains` (empty = any), as seen from `country` (ISO 3166)."""

    max_uses: int = Field(5, ge=1, le=20)
    domains: tuple[str, ...] = ()
    country: str = ""


class Question(Frozen):
    """One question to a model. `form` is the record that it must answer with; `prompt` is name@version#digest of the template.

    `pack` is the digest of the evidence in `user`, "" without any; `choices` are the only values of some properties (names of its
    passages), for servers that can hold a model to them. `row_id` books the cost and changes no answer.
    """

    system: str
    user: str
    form: type[BaseModel]
    prompt: str
    pack: str = ""
    search: WebSearch | None = None
    choices: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    row_id: str = ""


class ModelAnswer(Frozen):
    """How a question ended. `text` is JSON of the asked form, "" unless answered. `model` is the one that the provider names.

    `usd` is what the calls of this question cost now (0 from the cache), None when unknown. `exchanges` are digests in the archive
    of raw exchanges, in order; `attempts` counts requests, `repairs` the times that the form was asked for again.
    """

    state: ModelState
    text: str = ""
    model: str = ""
    citations: tuple[Citation, ...] = ()
    queries: tuple[str, ...] = ()
    usage: ModelUsage = NO_USAGE
    usd: float | None = 0.0
    basis: str = ""
    calls: int = 0
    repairs: int = 0
    cached: bool = False
    cause: str = ""
    exchanges: tuple[str, ...] = ()
    elapsed_s: float = 0.0

    def value(self, form: type[Form]) -> Form:
        """The answer as a record; raises `ValueError` unless answered."""
        if self.state is not ModelState.ANSWERED:
            raise ValueError(f"there is no answer: {self.state} ({self.cause})")
        return form.model_validate_json(self.text, strict=True)


class ModelCall(Frozen):
    """One request as the ledger books it. `usd` is None when unknown; `basis` says how it is known: a price list, `override`, `free`,
    `cache`, `bound` (at most this: the answer was lost, and may have been billed), `unknown`. `status` 0: no answer came.

    `purpose`: answer, repair, search, format, continue.
    """

    role: ModelRole
    provider: str
    model: str
    row_id: str
    purpose: str
    state: ModelState
    status: int = 0
    attempts: int = 1
    usage: ModelUsage = NO_USAGE
    usd: float | None = None
    basis: str = "unknown"
    reserved: float | None = None
    elapsed_s: float = 0.0
    cause: str = ""
    exchange: str = ""

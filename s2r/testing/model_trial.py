"""One caller of a model in a fresh loopback world, with a form, a question, prices and a clock that does not wait."""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from s2r.modelapi import (
    Budget,
    KeptModels,
    ModelAccount,
    ModelAnswer,
    ModelCall,
    ModelCaller,
    ModelRole,
    PriceLine,
    Pricer,
    Profile,
    Question,
    load_catalogue,
    read_model_accounts,
)
from s2r.models.listing import Frozen
from s2r.net import Limit, Limiter, RetryRule
from s2r.policy import policy_root
from s2r.testing.conformance import Clock
from s2r.testing.models import ModelWorld
from s2r.testing.modelsaid import Said, Tokens

NOW = dt.datetime(2026, 11, 16, 12, tzinfo=dt.UTC)
PRICE = PriceLine(
    input=1.0, cached=0.25, cache_write=1.5, output=8.0, search_per_1000=10.0, as_of=dt.date(2026, 11, 1), source="conformance"
)
_LLAMA = {"wire": "openai_chat", "needs_key": False, "schema_dialect": "json_object_schema", "max_output": 1024}


class Finding(Frozen):
    """The form that is asked for: a choice, a day or none, a number with bounds, a list of records."""

    class Quote(Frozen):
        """One quote."""

        passage: str = Field(min_length=1)
        text: str

    status: Literal["yes", "no", "abstain"]
    day: dt.date | None = None
    confidence: float = Field(ge=0.0, le=1.0)
    quotes: tuple[Quote, ...] = Field((), max_length=5)


GOOD = '{"status":"yes","day":"2024-03-04","confidence":0.8,"quotes":[{"passage":"P1","text":"will leave the Société’s list"}]}'
QUESTION = Question(
    system="You audit listings.",
    user="Was Alderwick delisted? [P1] ... will leave ...",
    form=Finding,
    prompt="delisting@1#ab",
    pack="c0ffee",
)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One way to ask: a service of the loopback world and the model's name; `settings` are further ones, without S2R_."""

    label: str
    service: str
    model: str
    changes: dict[str, Any] = field(default_factory=dict)


SPECS: tuple[ModelSpec, ...] = (
    ModelSpec("OpenAI Responses", "openai", "openai:gpt-5-mini"),
    ModelSpec("OpenAI Chat", "openai_chat", "openai_chat:gpt-5-mini"),
    ModelSpec("Anthropic Messages", "anthropic", "anthropic:claude-sonnet-5-5"),
    ModelSpec("Gemini 3", "gemini", "gemini:gemini-3-flash-preview"),
    ModelSpec("Gemini 2.5", "gemini", "gemini:gemini-2.5-flash"),
    ModelSpec("DeepSeek", "deepseek", "deepseek:deepseek-flash"),
    ModelSpec("vLLM, llama.cpp", "compat", "compat:qwen3:8b"),
    ModelSpec("vLLM's own field", "compat", "compat:qwen3:8b", {"schema_dialect": "structured_outputs"}),
    ModelSpec("llama-cpp-python", "llama", "llama:smollm2"),
    ModelSpec("prompt only", "compat", "compat:tiny", {"schema_dialect": "prompt"}),
)


@dataclass(slots=True)
class ModelTrial:
    """One caller in a fresh world, and all that it leaves behind."""

    spec: ModelSpec
    world: ModelWorld
    account: ModelAccount
    caller: ModelCaller
    budget: Budget
    kept: KeptModels
    booked: list[ModelCall]
    clock: Clock

    @property
    def profile(self) -> Profile:
        """How the model is asked."""
        return self.account.profile

    def say(self, *steps: Any) -> None:
        """Script the service."""
        self.world.script(self.spec.service, *steps)

    def sent(self) -> int:
        """Requests that the service got."""
        return len(self.world.calls(self.spec.service))

    async def ask(self, question: Question = QUESTION, **changes: Any) -> ModelAnswer:
        """Its answer."""
        return await self.caller.ask(question.model_copy(update=changes) if changes else question)


@asynccontextmanager
async def model_trial(
    spec: ModelSpec, *, budget: Budget | None = None, changes: dict[str, Any] | None = None, key: str | None = None
) -> AsyncIterator[ModelTrial]:
    """A caller connected to its service in a fresh world, over a real client with a clock that does not wait."""
    clock, booked = Clock(), list[ModelCall]()
    catalogue = load_catalogue(policy_root())
    catalogue = catalogue.model_copy(update={"provider": catalogue.provider | {"llama": _LLAMA}})
    with tempfile.TemporaryDirectory(prefix="s2r-models-") as folder, ModelWorld() as world:
        world.speak(spec.service, Said(GOOD))
        env = world.env(spec.service) | {"S2R_ADJUDICATOR_MODEL": spec.model} | ({"S2R_ADJUDICATOR_KEY": key} if key else {})
        account = read_model_accounts(env, catalogue)[ModelRole.ADJUDICATOR]
        profile = account.profile.model_copy(update={**spec.changes, **(changes or {})})
        account = account.model_copy(update={"profile": profile})
        budget = budget or Budget()
        budget.keep = booked.append
        limiter = Limiter(None, {account.bucket: Limit(rate=1e5, burst=100, concurrency=100)}, clock=clock, sleep=clock.sleep)
        net = world.net(limiter=limiter, clock=clock, sleep=clock.sleep, jitter=lambda: 0.5)
        with KeptModels(Path(folder)) as kept:
            async with net:
                caller = ModelCaller(
                    account, net, clock=lambda: NOW, pricer=Pricer({"*": PRICE}), ledger=budget, kept=kept,
                    retry=RetryRule(max_wait_s=60.0), sleep=clock.sleep, jitter=lambda: 0.5,
                )  # fmt: skip
                yield ModelTrial(spec, world, account, caller, budget, kept, booked, clock)
        limiter.close()


def usd(tokens: Tokens, searches: int = 0) -> float:
    """What `PRICE` makes of an answer, by hand."""
    fresh = tokens.input - tokens.cached - tokens.written
    return (fresh + 0.25 * tokens.cached + 1.5 * tokens.written + 8.0 * tokens.output) / 1e6 + 0.01 * searches

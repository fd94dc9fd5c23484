"""One question to a model: cache, budget, request, reading, repair, booking, archive. The order of these is here and nowhere else."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakValueDictionary

from s2r.errors import ConfigError, S2RError, SourceBroken, SourceError, SourceRefused, SourceUnusable
from s2r.modelapi import anthropic, gemini, openai_chat, openai_responses
from s2r.modelapi.accounts import ModelAccount
from s2r.modelapi.budget import Budget, ModelLedger, subject_of
from s2r.modelapi.keep import Exchange, KeptModels, answer_key
from s2r.modelapi.prices import BOUND, CACHE, FREE, UNKNOWN, Cost, Pricer
from s2r.modelapi.refusal import read_refusal
from s2r.modelapi.schema import FORMAT_WORDS, checked, grammar_schema, plain_schema, strict_schema, words_of_repair, words_of_schema
from s2r.modelapi.types import NO_USAGE, Citation, ModelAnswer, ModelCall, ModelState, ModelUsage, Question, WebSearch
from s2r.modelapi.wire import Ask, Reading, Turn, Wire, WireRequest, unique, whole
from s2r.net import Caps, Mask, NotConnected, RetryRule
from s2r.net.answers import read_json
from s2r.net.reply import Reply

WIRE_FORMATS: Mapping[str, Wire] = {wire.name: wire for wire in (openai_responses.WIRE, openai_chat.WIRE, anthropic.WIRE, gemini.WIRE)}
MAX_PAUSES = 4  # times that a provider may ask to be gone on with
_KEPT_HEADERS = frozenset(
    {"content-type", "date", "retry-after", "request-id", "x-request-id", "x-goog-request-id", "openai-processing-ms"}
)
_MAX_BODY = 20 << 20


class ModelDoor(Protocol):
    """What a caller needs of the network; `s2r.net.Net` fits. Raises only `SourceError` and `SourceUnusable`."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        bucket: str = "",
        tokens: float = 0.0,
        safe: bool | None = None,
        caps: Caps | None = None,
        patience: float = 120.0,
        redirects: bool = True,
    ) -> Reply:
        """The answer to a request, also one with an error status."""
        ...


@dataclass(slots=True)
class _Tally:
    """What one question has gathered so far."""

    began: float
    waited: float = 0.0  # seconds in our own queues and pauses, which say nothing of the model
    usd: float | None = 0.0
    bases: list[str] = field(default_factory=list)
    usage: ModelUsage = NO_USAGE
    calls: int = 0
    repairs: int = 0
    model: str = ""
    citations: list[Citation] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    exchanges: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, reading: Reading) -> None:
        """Gather what an answer says."""
        self.model = reading.model or self.model
        self.citations += reading.citations
        self.queries += reading.queries
        if reading.cause:
            self.notes.append(reading.cause)

    def basis(self) -> str:
        """How the cost is known; refused requests, which are free, are left out where others were paid."""
        return ", ".join(dict.fromkeys(basis for basis in self.bases if basis != FREE)) or (FREE if self.bases else "")

    def pay(self, cost: Cost, usage: ModelUsage) -> None:
        """Gather what a request cost; one of unknown cost makes the whole unknown."""
        self.usd = None if self.usd is None or cost.usd is None else self.usd + cost.usd
        self.bases.append(cost.basis)
        self.usage = self.usage + usage if self.calls else usage
        self.calls += 1


@dataclass(slots=True)
class _Leg:
    """One request on its way: what is known of it so far. `cost` is that of a lost answer until more is known."""

    request: WireRequest
    body: bytes
    at: dt.datetime
    cost: Cost
    reply: Reply | None = None
    reading: Reading | None = None
    attempts: int = 0
    waited: float = 0.0
    digest: str = ""
    cause: str = ""


class ModelCaller:
    """Asks the model of one role. After a refusal that stays (key, plan, model, address) nothing is asked any more.

    `kept` is the archive of exchanges and answers, None keeps none; `turn` gives what is held from the asking until the answer is
    kept; `clock` gives the time of day (UTC), `ticks` seconds for measuring.
    """

    def __init__(
        self,
        account: ModelAccount,
        door: ModelDoor,
        *,
        clock: Callable[[], dt.datetime],
        pricer: Pricer | None = None,
        ledger: ModelLedger | None = None,
        kept: KeptModels | None = None,
        turn: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
        retry: RetryRule | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        ticks: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.account, self._door = account, door
        self._wire = WIRE_FORMATS[account.profile.wire]
        self._pricer, self._ledger, self._kept = pricer or Pricer(), ledger or Budget(), kept
        self._turn = turn
        self._clock, self._retry, self._sleep, self._ticks, self._jitter = clock, retry or RetryRule(), sleep, ticks, jitter
        key = account.key.get_secret_value()
        self._mask = Mask([key, key.replace("/", "\\/")])
        self._dropped = ""
        self._asking = WeakValueDictionary[str, asyncio.Lock]()

    def __repr__(self) -> str:
        return f"ModelCaller({self.account.role.value!r}, {str(self.account.profile.name)!r})"

    def key_of(self, question: Question) -> str:
        """The key under which the answer to a question is kept."""
        return self._key(question, self._resolved())

    def _resolved(self) -> str:
        """The model that the asked name stands for, as far as is known."""
        profile = self.account.profile
        return self._kept.resolved(profile.url, profile.model) if self._kept else profile.model

    def _key(self, question: Question, resolved: str) -> str:
        return answer_key(self.account.profile.url, self.account.profile, resolved, question)

    def request_of(self, question: Question) -> WireRequest:
        """The first request for the form of a question, as it would go over the wire."""
        ask = self._formed(question, (Turn("user", question.user),), question.search)
        return self._wire.build(ask, self.account.profile, self.account.key.get_secret_value())

    def kept_answer(self, question: Question) -> ModelAnswer | None:
        """The answer in the cache, booked as a call that cost nothing; None when it has to be asked for."""
        return self._found(self.key_of(question), question)

    async def ask(self, question: Question) -> ModelAnswer:
        """The answer to a question, from the cache when all that can change it is the same. A failure stands in its `state` and `cause`.

        Raises `SourceUnusable` when no further call of this role helps, `BudgetExceeded` when a cap is reached, `ConfigError` when the
        model has no search tool and one is asked for.
        """
        if question.search and self.account.profile.web == "none":
            raise ConfigError(
                "has no search tool of its own",
                subject=str(self.account.profile.name),
                advice="Use the arm web, or set `web` in models.toml.",
            )
        resolved = self._resolved()
        key = self._key(question, resolved)
        async with self._asking.setdefault(key, asyncio.Lock()):  # the same question at the same time is paid for once
            if (now := self._resolved()) != resolved:  # the first answer has told what model stands behind the name
                resolved, key = now, self._key(question, now)
            if (found := self._found(key, question)) is not None:
                return found
            async with self._turn():
                answer = await self._answered(question)
                if self._kept and answer.state is ModelState.ANSWERED:
                    self._kept.keep_resolved(self.account.profile.url, self.account.profile.model, answer.model, self._clock())
                    key = key if self._resolved() == resolved else self.key_of(question)
                    self._kept.keep_answer(key, answer, self._clock())
            return answer

    def _found(self, key: str, question: Question) -> ModelAnswer | None:
        """The kept answer, booked as a call that cost nothing."""
        found = self._kept.answer(key) if self._kept else None
        if found is None:
            return None
        self._ledger.book(self._call(question, "answer", ModelState.ANSWERED, model=found.model, cost=Cost(0.0, CACHE), attempts=0))
        return found.model_copy(update={"cached": True, "usd": 0.0, "basis": CACHE, "elapsed_s": 0.0})

    async def _answered(self, question: Question) -> ModelAnswer:
        tally = _Tally(self._ticks())
        try:
            state, text, cause = await self._conversation(question, tally)
        except SourceError as exc:
            state, text, cause = ModelState.FAILED, "", self._words(exc)
        return ModelAnswer(
            state=state,
            text=text,
            model=tally.model or self.account.profile.model,
            citations=unique(tally.citations),
            queries=tuple(dict.fromkeys(tally.queries)),
            usage=tally.usage,
            usd=tally.usd,
            basis=tally.basis(),
            calls=tally.calls,
            repairs=tally.repairs,
            cause=cause,
            exchanges=tuple(tally.exchanges),
            elapsed_s=max(0.0, round(self._ticks() - tally.began - tally.waited, 3)),
        )

    async def _conversation(self, question: Question, tally: _Tally) -> tuple[ModelState, str, str]:
        """State, JSON and cause: the search first where it goes apart, then the form, then repairs within their bound."""
        profile, search = self.account.profile, question.search
        turns: tuple[Turn, ...] = (Turn("user", question.user),)
        if search and profile.web == "apart":
            reading = await self._whole(question, Ask(question.system, turns, search=search), "search", tally)
            if reading.state is not ModelState.ANSWERED or not reading.text.strip():
                state = ModelState.FAILED if reading.state is ModelState.ANSWERED else reading.state
                return state, "", self._mask(reading.cause)
            turns, search = (*turns, Turn("assistant", reading.text), Turn("user", FORMAT_WORDS)), None
        purpose = "format" if len(turns) > 1 else "answer"
        for last in range(profile.repairs, -1, -1):
            reading = await self._whole(question, self._formed(question, turns, search), purpose, tally)
            if reading.state is not ModelState.ANSWERED:
                return reading.state, "", self._mask(reading.cause)
            text, problems = checked(reading.text, question.form)
            if text:
                return ModelState.ANSWERED, self._mask.known(text), "; ".join(dict.fromkeys(tally.notes))
            if last:
                tally.repairs += 1
                turns = (*turns, Turn("assistant", reading.text or "(nothing)"), Turn("user", words_of_repair(problems)))
                purpose, search = "repair", None  # the form is mended, nothing is searched again
        return ModelState.INVALID, "", self._mask(f"not of the form after {profile.repairs} repairs: {'; '.join(problems)}")[:1000]

    def _formed(self, question: Question, turns: tuple[Turn, ...], search: WebSearch | None) -> Ask:
        """A request for the form: by the provider's schema mode, else in words."""
        dialect = self.account.profile.schema_dialect
        if dialect in ("json_object", "prompt"):
            system = f"{question.system}\n\n{words_of_schema(plain_schema(question.form))}"
            return Ask(system, turns, None, dialect == "json_object", search)
        schema = grammar_schema(question.form, question.choices) if dialect == "json_object_schema" else strict_schema(question.form)
        return Ask(question.system, turns, schema, False, search)

    async def _whole(self, question: Question, ask: Ask, purpose: str, tally: _Tally) -> Reading:
        """The answer to one request, gone on with as often as the provider pauses."""
        text = ""
        for pauses in range(MAX_PAUSES + 1):
            reading = await self._one(question, ask, "continue" if pauses else purpose, tally)
            tally.add(reading)
            text += reading.text
            if not reading.paused:
                return Reading(reading.state, text, reading.model, reading.usage, reading.cause)
            ask = Ask(ask.system, (*ask.turns, Turn("assistant", reading.text, reading.raw)), ask.schema, ask.as_json, ask.search)
        return Reading(ModelState.FAILED, "", tally.model, NO_USAGE, f"paused more than {MAX_PAUSES} times")

    async def _one(self, question: Question, ask: Ask, purpose: str, tally: _Tally) -> Reading:
        """One request under the budget, archived and booked whatever comes of it."""
        if self._dropped:
            raise SourceUnusable(self._dropped)
        account, at = self.account, self._clock()
        request = self._wire.build(ask, account.profile, account.key.get_secret_value())
        body = encoded(request)
        blank = self._call(question, purpose, ModelState.FAILED)
        bound = self._pricer.bound(account.profile, len(body), ask.search, at)
        asked = self._ticks()
        reserved = await self._ledger.reserve(question.row_id, subject_of(blank), bound)
        tally.waited += self._ticks() - asked
        lost = Cost(None, UNKNOWN) if reserved is None else Cost(reserved, BOUND)
        leg, failure, began = _Leg(request, body, at, lost), None, self._ticks()
        try:
            await self._exchanged(leg, question, purpose, tally)
        except asyncio.CancelledError:
            leg.cause = "cancelled"
            raise
        except S2RError as exc:
            failure = self._failed(leg, exc, question, purpose, tally)
        finally:
            tally.pay(leg.cost, leg.reading.usage if leg.reading else NO_USAGE)
            tally.waited += leg.waited
            self._ledger.book(self._booked(blank, leg, reserved, max(0.0, round(self._ticks() - began - leg.waited, 3))))
        if failure is not None:
            raise failure  # outside of the handler, so that no chain leads to words that hold the key
        assert leg.reading is not None
        return leg.reading

    async def _exchanged(self, leg: _Leg, question: Question, purpose: str, tally: _Tally) -> None:
        """Send until there is an answer that is not "slower", and read it."""
        profile = self.account.profile
        while True:
            leg.attempts += 1
            leg.reply = None
            leg.reply = await self._requested(leg.request, leg.body)
            leg.waited += leg.reply.waited_s
            leg.digest = self._archive(leg, question, purpose, tally)
            if (pause := self._pause(leg.attempts, leg.reply)) is None:
                break
            paused = self._ticks()
            await self._sleep(pause)
            leg.waited += self._ticks() - paused
        if refused := read_refusal(leg.reply, profile.provider, self.account.setting, profile.get_key):
            leg.cost = Cost(0.0, FREE)
            raise refused
        leg.reading = self._read(leg.reply)
        found = self._pricer.cost(profile, leg.reading.model, leg.reading.usage, leg.at)
        leg.cost = leg.cost if found.usd is None and not leg.reading.usage.reported else found

    def _failed(self, leg: _Leg, exc: S2RError, question: Question, purpose: str, tally: _Tally) -> S2RError:
        """The same failure in words without the key; what was never sent is free, what was lost may have been billed."""
        leg.cause = self._words(exc)
        if leg.reply is None:
            leg.digest = self._archive(leg, question, purpose, tally)
            if isinstance(exc, NotConnected | SourceRefused | SourceUnusable):
                leg.cost = Cost(0.0, FREE)
        if isinstance(exc, SourceUnusable):
            self._dropped = leg.cause
        return type(exc)(leg.cause)

    def _booked(self, blank: ModelCall, leg: _Leg, reserved: float | None, elapsed_s: float) -> ModelCall:
        found = {
            "state": leg.reading.state if leg.reading else ModelState.FAILED,
            "status": leg.reply.status if leg.reply else 0,
            "attempts": leg.attempts,
            "usage": leg.reading.usage if leg.reading else NO_USAGE,
            "usd": leg.cost.usd,
            "basis": leg.cost.basis,
            "reserved": reserved,
            "elapsed_s": elapsed_s,
            "cause": self._mask(leg.reading.cause) if leg.reading else leg.cause,
            "exchange": leg.digest,
            "model": (leg.reading.model if leg.reading else "") or self.account.profile.model,
        }
        return blank.model_copy(update=found)

    async def _requested(self, request: WireRequest, body: bytes) -> Reply:
        """The answer to one request. It is sent once: a lost answer may have been billed, so only what was refused is tried again."""
        profile = self.account.profile
        return await self._door.request(
            "POST",
            self.account.at(request.path),
            headers={**request.headers, "content-type": "application/json"},
            content=body,
            bucket=self.account.bucket,
            tokens=len(body) / 4 + profile.max_output if profile.tokens_per_minute else 0.0,
            safe=False,
            caps=Caps(wire=_MAX_BODY, body=_MAX_BODY, total_s=profile.timeout_s, read_s=profile.timeout_s),
            patience=self._retry.max_wait_s,
            redirects=False,
        )

    def _pause(self, attempt: int, reply: Reply) -> float | None:
        """Seconds before the next try of a refused request, None when it is the answer."""
        if reply.status not in self._retry.statuses or reply.spent:
            return None
        return self._retry.pause(attempt, reply.asked_wait_s, self._jitter)

    def _read(self, reply: Reply) -> Reading:
        data = whole(read_json(reply))
        if data.get("error") and not any(part in data for part in ("output", "choices", "content", "candidates")):
            raise SourceBroken(f"an error stands inside a success: {str(data['error'])[:200]}")
        return self._wire.read(data, self.account.profile)

    def _archive(self, leg: _Leg, question: Question, purpose: str, tally: _Tally) -> str:
        """Keep one exchange without keys; its digest, "" without an archive."""
        if self._kept is None:
            return ""
        known = self._mask.known
        digest = self._kept.keep_exchange(
            Exchange(
                at=leg.at,
                row_id=question.row_id,
                role=self.account.role,
                provider=self.account.profile.provider,
                model=self.account.profile.model,
                wire=self._wire.name,
                url=known(self.account.at(leg.request.path)),
                purpose=purpose,
                prompt=question.prompt,
                pack=question.pack,
                request=known(leg.body.decode()),
                status=leg.reply.status if leg.reply else 0,
                headers=tuple((name, known(value)) for name, value in leg.reply.headers if name in _KEPT_HEADERS) if leg.reply else (),
                body=known(leg.reply.body.decode("latin-1")) if leg.reply else "",
                cause=leg.cause,
            )
        )
        tally.exchanges.append(digest)
        return digest

    def _call(
        self, question: Question, purpose: str, state: ModelState, *, model: str = "", cost: Cost | None = None, attempts: int = 1
    ) -> ModelCall:
        cost = cost or Cost(None, UNKNOWN)
        profile = self.account.profile
        return ModelCall(
            role=self.account.role,
            provider=profile.provider,
            model=model or profile.model,
            row_id=question.row_id,
            purpose=purpose,
            state=state,
            usd=cost.usd,
            basis=cost.basis,
            attempts=attempts,
        )

    def _words(self, exc: S2RError) -> str:
        told = " ".join(str(exc).split()).encode("utf-8", "replace").decode()
        return self._mask(told)[:600] or type(exc).__name__


def encoded(request: WireRequest) -> bytes:
    """The body of a request as it is sent."""
    return json.dumps(request.body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

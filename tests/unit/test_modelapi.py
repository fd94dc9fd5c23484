"""Models: prices by hand, the cache key, caps under many workers, accounts of roles, profiles, forms, and the archive of exchanges."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field

from s2r.errors import BudgetExceeded, ConfigError, IntegrityError, PolicyError, SourceTimeout
from s2r.modelapi import (
    Budget,
    Catalogue,
    Exchange,
    KeptModels,
    ModelAnswer,
    ModelCall,
    ModelCaller,
    ModelRole,
    ModelState,
    ModelUsage,
    PriceLine,
    Pricer,
    Question,
    RecordBudgetExceeded,
    WebSearch,
    ledger_lines,
    load_catalogue,
    load_price_lines,
    model_limits,
    open_doors,
    parse_model,
    read_model_accounts,
    setting_names,
)
from s2r.modelapi.caller import WIRE_FORMATS
from s2r.modelapi.keep import answer_key
from s2r.modelapi.schema import checked, grammar_schema, plain_schema, strict_schema
from s2r.models.listing import Frozen
from s2r.net import Limiter
from s2r.net.opening import open_limiter
from s2r.net.reply import Reply
from s2r.settings import load_settings
from s2r.store import Store
from s2r.testing import ModelWorld
from s2r.testing.model_trial import GOOD, NOW, PRICE, QUESTION, SPECS, Finding, model_trial, usd
from s2r.testing.modelsaid import Said, Tokens

REPO = Path(__file__).parents[2]
CATALOGUE = load_catalogue(REPO / "policies")
OPENAI = SPECS[0]

# --- prices: (model, answer's model, usage as reported and what else prices it, dollars by hand)

_GROUNDED = {"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP", "groundingMetadata": {"webSearchQueries": ["a", "b"]}}
_UNGROUNDED = {"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP"}


def responses(usage: Mapping[str, Any], searches: int = 0) -> dict[str, Any]:
    """An answer of OpenAI Responses."""
    calls = [{"type": "web_search_call", "action": {"type": "search", "query": str(n)}} for n in range(searches)]
    calls += [{"type": "web_search_call", "action": {"type": "open_page", "url": "https://a.example/"}}] * bool(searches)
    return {"status": "completed", "output": [*calls, {"type": "message", "content": []}], "usage": usage}


def chat(usage: Mapping[str, Any]) -> dict[str, Any]:
    """An answer in the chat format."""
    return {"choices": [{"finish_reason": "stop", "message": {"content": "{}"}}], "usage": usage}


def claude(usage: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of Anthropic."""
    return {"type": "message", "content": [], "stop_reason": "end_turn", "usage": usage}


def gemini(usage: Mapping[str, Any], candidate: Mapping[str, Any] = _UNGROUNDED) -> dict[str, Any]:
    """An answer of Gemini."""
    return {"candidates": [candidate], "usageMetadata": usage}


# input 0.25, cached 0.025, output 2 for gpt-5-mini; 1.25, 0.125, 10 for gpt-5; searches 10 per 1,000
# input 2, cached 0.1, written 2.5 (4 for an hour), output 10 for claude-sonnet-5-5; searches 10 per 1,000
# input 0.3, cached 0.03, output 2.5, searches 35 per 1,000 for gemini-2.5-flash; 0.5, 0.05, 3, 14 for gemini-3-flash-preview
# input 0.15, hit 0.003, output 0.6 for deepseek-flash, double from 01 to 04 and 06 to 10 UTC
PRICED: tuple[tuple[str, str, dict[str, Any], dt.datetime, float], ...] = (
    ("openai:gpt-5-mini", "gpt-5-mini-2025-08-07",
     responses({"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 200}, "output_tokens": 50,
                "output_tokens_details": {"reasoning_tokens": 20}}), NOW, (800 * 0.25 + 200 * 0.025 + 50 * 2) / 1e6),
    ("openai:gpt-5", "gpt-5",
     responses({"input_tokens": 41_237, "input_tokens_details": {"cached_tokens": 38_912}, "output_tokens": 3_511}), NOW,
     (2_325 * 1.25 + 38_912 * 0.125 + 3_511 * 10) / 1e6),
    ("openai:gpt-5-mini", "gpt-5-mini",
     responses({"input_tokens": 9_000, "output_tokens": 700}, searches=3), NOW, (9_000 * 0.25 + 700 * 2) / 1e6 + 0.03),
    ("openai_chat:gpt-5-mini", "gpt-5-mini",
     chat({"prompt_tokens": 2_006, "prompt_tokens_details": {"cached_tokens": 1_920}, "completion_tokens": 300,
           "completion_tokens_details": {"reasoning_tokens": 256}}), NOW, (86 * 0.25 + 1_920 * 0.025 + 300 * 2) / 1e6),
    ("anthropic:claude-sonnet-5-5", "claude-sonnet-5-5",
     claude({"input_tokens": 800, "output_tokens": 60}), NOW, (800 * 2 + 60 * 10) / 1e6),
    ("anthropic:claude-sonnet-5-5", "claude-sonnet-5-5",
     claude({"input_tokens": 21, "cache_read_input_tokens": 18_000, "cache_creation_input_tokens": 248, "output_tokens": 503}), NOW,
     (21 * 2 + 18_000 * 0.1 + 248 * 2.5 + 503 * 10) / 1e6),
    ("anthropic:claude-sonnet-5-5", "claude-sonnet-5-5",
     claude({"input_tokens": 100, "cache_creation_input_tokens": 556, "cache_creation": {"ephemeral_5m_input_tokens": 456,
             "ephemeral_1h_input_tokens": 100}, "output_tokens": 393, "server_tool_use": {"web_search_requests": 2}}), NOW,
     (100 * 2 + 456 * 2.5 + 100 * 4 + 393 * 10) / 1e6 + 0.02),
    ("gemini:gemini-3-flash-preview", "gemini-3-flash-preview",
     gemini({"promptTokenCount": 2_000, "cachedContentTokenCount": 1_500, "candidatesTokenCount": 100, "thoughtsTokenCount": 400}), NOW,
     (500 * 0.5 + 1_500 * 0.05 + 500 * 3) / 1e6),
    ("gemini:gemini-3-flash-preview", "gemini-3-flash-preview",
     gemini({"promptTokenCount": 20, "candidatesTokenCount": 12, "toolUsePromptTokenCount": 300}, _GROUNDED), NOW,
     (320 * 0.5 + 12 * 3) / 1e6 + 2 * 0.014),
    ("gemini:gemini-2.5-flash", "gemini-2.5-flash",
     gemini({"promptTokenCount": 70, "candidatesTokenCount": 80, "thoughtsTokenCount": 90}, _GROUNDED), NOW,
     (70 * 0.3 + 170 * 2.5) / 1e6 + 0.035),
    ("deepseek:deepseek-flash", "deepseek-flash",
     chat({"prompt_tokens": 10_000, "prompt_cache_hit_tokens": 9_600, "prompt_cache_miss_tokens": 400, "completion_tokens": 777,
           "completion_tokens_details": {"reasoning_tokens": 700}}), NOW, (400 * 0.15 + 9_600 * 0.003 + 777 * 0.6) / 1e6),
    ("deepseek:deepseek-flash", "deepseek-flash",
     chat({"prompt_tokens": 1_000, "prompt_cache_hit_tokens": 0, "completion_tokens": 100}),
     NOW.replace(hour=7), (1_000 * 0.3 + 100 * 1.2) / 1e6),
)  # fmt: skip


@pytest.mark.parametrize(("asked", "model", "data", "at", "by_hand"), PRICED)
def test_usage_costs_what_hand_computation_says(asked: str, model: str, data: dict[str, Any], at: dt.datetime, by_hand: float) -> None:
    """Twelve usage payloads of four providers, to a millionth of a dollar."""
    profile = CATALOGUE.profile(parse_model(asked))
    usage = WIRE_FORMATS[profile.wire].read(data, profile).usage
    cost = Pricer().cost(profile, model, usage, at)
    assert cost.usd == pytest.approx(by_hand, abs=1e-6, rel=1e-9)
    assert cost.basis.startswith("genai-prices ")
    assert usage.raw == (data.get("usage") or data.get("usageMetadata"),)


USED = ModelUsage(input_tokens=1000, cached_tokens=200, cache_write_tokens=100, output_tokens=50)


@pytest.mark.parametrize(
    ("asked", "usage", "lines", "usd", "basis"),
    [
        ("openai:no-such-model", USED, {}, None, "unknown"),
        ("compat:qwen3:8b", USED, {}, None, "unknown"),
        ("gemini:gemma-3", ModelUsage(input_tokens=1000, output_tokens=9), {}, None, "unknown"),  # listed there without a price
        ("openai:gpt-5-mini", ModelUsage(reported=False), {}, None, "unknown"),
        ("openai:gpt-5-mini", ModelUsage(input_tokens=10, cached_tokens=20), {}, None, "unknown"),  # contradicts itself
        ("openai:gpt-5-mini", ModelUsage(input_tokens=10, cached_tokens=20), {"*": PRICE}, None, "unknown"),
        ("deepseek:deepseek-flash", ModelUsage(input_tokens=10, searches=1), {}, None, "unknown"),  # no price of a search
        ("compat:qwen3:8b", USED, {"compat:qwen3*": PRICE}, (700 * 1.0 + 200 * 0.25 + 100 * 1.5 + 50 * 8) / 1e6, "override"),
        ("openai:gpt-5-mini", USED, {"openai:*": PRICE, "openai:gpt-5-mini": PRICE.model_copy(update={"output": 0.0})}, 900e-6, "override"),
        ("openai:gpt-5-mini", ModelUsage(searches=4), {"*": PRICE}, 0.04, "override"),
        ("openai:gpt-5-mini", ModelUsage(searches=4), {"*": PRICE.model_copy(update={"search_per_1000": None})}, None, "unknown"),
    ],
)
def test_unknown_prices_stay_unknown_and_own_prices_go_first(
    asked: str, usage: ModelUsage, lines: dict[str, PriceLine], usd: float | None, basis: str
) -> None:
    """Nothing is guessed: no list price, none of searches, no usage, or counts that contradict each other."""
    cost = Pricer(lines).cost(CATALOGUE.profile(parse_model(asked)), "", usage, NOW)
    assert cost.basis == basis
    assert cost.usd == (None if usd is None else pytest.approx(usd, abs=1e-12))


def test_a_server_of_ones_own_may_be_free() -> None:
    """`prices = "free"` costs nothing, with or without usage."""
    profile = CATALOGUE.profile(parse_model("compat:x"), prices="free")
    assert Pricer().cost(profile, "x", ModelUsage(reported=False), NOW) == (0.0, "free")
    assert Pricer().bound(profile, 10_000, None, NOW) == 0.0


def test_the_bound_of_a_call_is_never_below_its_cost() -> None:
    """One token for each byte of the prompt, the whole output, every search with its pages."""
    profile = CATALOGUE.profile(parse_model("openai:gpt-5-mini"))
    plain = Pricer().bound(profile, 40_000, None, NOW)
    assert plain == pytest.approx((41_000 * 0.25 + 8192 * 2) / 1e6)
    searched = Pricer().bound(profile, 40_000, WebSearch(max_uses=3), NOW)
    assert searched == pytest.approx((101_000 * 0.25 + 8192 * 2) / 1e6 + 0.03)
    assert Pricer().bound(CATALOGUE.profile(parse_model("compat:x")), 40_000, None, NOW) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[model.'a:b']\ninput = -1\noutput = 1\nas_of = 2026-01-01\nsource = 'x'", "input"),
        ("[model", "cannot be read"),
        ("model = 3", "wrong"),
    ],
)
def test_faults_in_prices_are_told(tmp_path: Path, text: str, told: str) -> None:
    """A price below zero, no TOML, no table."""
    (tmp_path / "prices.toml").write_text(text, "utf-8")
    with pytest.raises(PolicyError, match=told):
        load_price_lines(tmp_path)
    assert load_price_lines(REPO / "policies") == {}


# --- caps


def call(row: str, usd: float | None, reserved: float | None) -> ModelCall:
    """A call as it is booked."""
    return ModelCall(role=ModelRole.ADJUDICATOR, provider="p", model="m", row_id=row, purpose="answer", state=ModelState.ANSWERED,
                     usd=usd, reserved=reserved)  # fmt: skip


@pytest.mark.parametrize(("worst", "cap"), [(1, 0.03), (1, 0.0301), (40, 0.3)])
@pytest.mark.slow
def test_sixteen_workers_never_pass_the_cap_by_more_than_one_call(worst: int, cap: float) -> None:
    """16 workers with 200 questions; what is spent stays at or under the cap, also when an answer costs more than its bound."""

    async def run() -> tuple[float, float, int, int, int]:
        async with model_trial(OPENAI, budget=Budget(max_usd=cap), changes={"max_output": 64}) as seen:
            tokens = Tokens(60 * worst, output=20 * worst)
            seen.world.speak("openai", Said(GOOD, tokens=tokens))
            seen.world.latency("openai", 0.01)
            questions = iter(range(200))
            stopped = 0

            async def work() -> None:
                nonlocal stopped
                for number in questions:
                    try:
                        await seen.ask(user=f"question {number}", row_id=f"r{number}")
                    except BudgetExceeded as exc:
                        assert "--max-usd" in str(exc)
                        stopped += 1
                        return

            await asyncio.gather(*(work() for _ in range(16)))
            dearest = max(one.usd or 0.0 for one in seen.booked)
            assert seen.budget.spent == pytest.approx(sum(one.usd or 0.0 for one in seen.booked))
            assert seen.budget.set_aside == pytest.approx(0.0)
            return seen.budget.spent, dearest, seen.sent(), stopped, seen.world.most_at_once("openai")

    spent, dearest, sent, stopped, at_once = asyncio.run(run())
    assert spent <= cap + dearest
    assert stopped == 16
    assert sent < 200
    assert at_once > 1
    assert worst > 1 or (spent <= cap and spent > cap - 0.004)  # used up to what one call may cost


def test_money_set_aside_makes_wait_and_does_not_refuse() -> None:
    """A call that fits what is spent waits for those under way; one that does not fit is refused at once."""

    async def run() -> None:
        budget = Budget(1.0)
        assert await budget.reserve("a", "s", 0.6) == 0.6
        waiting = asyncio.create_task(budget.reserve("b", "s", 0.6))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waiting.done()
        with pytest.raises(BudgetExceeded, match="cap of 1 USD"):
            await budget.reserve("c", "s", 1.2)
        budget.book(call("a", 0.1, 0.6))
        assert await waiting == 0.6
        budget.book(call("b", 0.6, 0.6))
        with pytest.raises(BudgetExceeded, match=r"0\.7000 USD spent"):
            await budget.reserve("d", "s", 0.4)
        assert (budget.spent, budget.set_aside) == (pytest.approx(0.7), pytest.approx(0.0))

    asyncio.run(run())


def test_the_cap_of_a_record_stops_that_record_only() -> None:
    """What earlier runs have cost counts; another record goes on."""

    async def run() -> None:
        budget = Budget(None, 0.5, spent=0.4, spent_by_row={"a": 0.4})
        with pytest.raises(RecordBudgetExceeded, match="--max-usd-per-record"):
            await budget.reserve("a", "s", 0.2)
        assert await budget.reserve("b", "s", 0.2) == 0.2
        assert await budget.reserve("a", "s", 0.1) == 0.1
        assert budget.spent_for("a") == 0.4

    asyncio.run(run())


def test_an_unknown_price_does_not_start_under_a_cap() -> None:
    """Without a cap it is counted as unknown."""

    async def run() -> None:
        for capped in (Budget(1.0), Budget(None, 1.0)):
            with pytest.raises(BudgetExceeded, match="price is unknown"):
                await capped.reserve("a", "s", None)
        free = Budget()
        assert await free.reserve("a", "s", None) is None
        free.book(call("a", None, None))
        assert (free.unknown, free.spent) == (1, 0.0)

    asyncio.run(run())


def test_a_cancelled_call_is_booked_at_its_bound_and_wakes_who_waits() -> None:
    """It may be billed; nothing stays set aside."""

    async def run() -> None:
        async with model_trial(OPENAI, budget=Budget(1.0)) as seen:
            seen.world.latency("openai", 5.0)
            task = asyncio.create_task(seen.ask())
            while not seen.sent():  # noqa: ASYNC110 - the server runs in a thread of its own
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            (booked,) = seen.booked
            assert (booked.basis, booked.cause, seen.budget.set_aside) == ("bound", "cancelled", 0.0)
            assert booked.usd == booked.reserved

    asyncio.run(run())


# --- the cache


class Other(Frozen):
    """Another form."""

    status: Literal["yes", "no", "abstain", "unclear"]
    confidence: float = Field(ge=0.0, le=1.0)


CHANGES: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("asked model", {"model": "gpt-5"}, {}),
    ("endpoint", {"url": "https://api.openai.com/v1"}, {}),
    ("reasoning", {"reasoning": "high"}, {}),
    ("output limit", {"max_output": 999}, {}),
    ("further parameters", {"extra": {"temperature": 0.1}}, {}),
    ("schema dialect", {"schema_dialect": "prompt"}, {}),
    ("form", {}, {"form": Other}),
    ("system prompt", {}, {"system": "You audit securities."}),
    ("user prompt", {}, {"user": QUESTION.user + " "}),
    ("prompt version", {}, {"prompt": "delisting@2#ab"}),
    ("evidence pack", {}, {"pack": "decaf"}),
    ("search tool", {}, {"search": WebSearch()}),
)


@pytest.mark.parametrize(("what", "profile", "question"), CHANGES, ids=[change[0] for change in CHANGES])
def test_each_input_of_the_key_misses_and_a_repeat_hits(what: str, profile: dict[str, Any], question: dict[str, Any]) -> None:
    """Asked, repeated (no call), one thing changed (a call), both repeated (no call)."""

    async def run() -> None:
        async with model_trial(OPENAI) as seen:
            seen.world.speak("openai", lambda heard: Said('{"status":"no","confidence":0.5}' if "unclear" in str(heard.form) else GOOD))
            account = seen.account.model_copy(update={"profile": seen.profile.model_copy(update=profile)})
            other = ModelCaller(account, seen.caller._door, clock=lambda: NOW, kept=seen.kept)
            asked = QUESTION.model_copy(update=question)
            assert seen.caller.key_of(QUESTION) != other.key_of(asked)
            turns = ((seen.caller, QUESTION), (seen.caller, QUESTION), (other, asked), (other, asked), (seen.caller, QUESTION))
            cached = [(await caller.ask(one)).cached for caller, one in turns]
            assert cached == [False, True, False, True, True], what
            assert seen.sent() == 2

    asyncio.run(run())


def test_another_model_behind_the_same_name_misses() -> None:
    """What a name stands for is learnt from the last answer; answers of the model before are no longer found under it."""

    async def run() -> None:
        async with model_trial(OPENAI) as seen:
            for expected, model, user in (
                (False, "gpt-5-mini-2025-08-07", "one"),
                (True, "-", "one"),
                (False, "gpt-5-mini-2026-11-11", "two"),
                (False, "gpt-5-mini-2026-11-11", "one"),
                (True, "-", "one"),
            ):
                seen.world.speak("openai", Said(GOOD, model=model))
                answer = await seen.ask(user=user)
                assert answer.cached is expected, (user, model)
            assert seen.sent() == 3

    asyncio.run(run())


def test_what_changes_no_answer_changes_no_key() -> None:
    """Pace, patience, prices and the row that pays are no part of the key."""
    profile = CATALOGUE.profile(parse_model("openai:gpt-5-mini"))
    base = answer_key("https://a.example", profile, "m", QUESTION)
    slower = profile.model_copy(update={"rate": 0.1, "concurrency": 1, "timeout_s": 5.0, "prices": "", "tokens_per_minute": 9.0})
    assert answer_key("https://a.example", slower, "m", QUESTION.model_copy(update={"row_id": "r9"})) == base
    assert answer_key("https://a.example", profile, "m2", QUESTION) != base


def test_only_answers_are_kept(tmp_path: Path) -> None:
    """Whatever else a question ends with is asked again."""
    with KeptModels(tmp_path) as kept:
        for state in ModelState:
            kept.keep_answer(state, ModelAnswer(state=state), NOW)
            assert (kept.answer(state) is not None) == (state is ModelState.ANSWERED)


def exchange(**changes: Any) -> Exchange:
    """A kept exchange."""
    values = {"at": NOW, "row_id": "r1", "role": "adjudicator", "provider": "p", "model": "m", "wire": "gemini", "url": "https://a.example", "purpose": "answer",
              "prompt": "x@1", "pack": "", "request": "{}", "status": 200, "body": '{"a": "é"}'.encode().decode("latin-1")}  # fmt: skip
    return Exchange.model_validate(values | changes)


def test_a_damaged_exchange_is_found(tmp_path: Path) -> None:
    """Bytes come back as they were; a change, a cut and a missing row raise."""
    with KeptModels(tmp_path) as kept:
        digest = kept.keep_exchange(exchange())
        assert kept.keep_exchange(exchange()) == digest
        kept.keep_exchange(exchange(row_id="r2", status=0, body=""))
        assert kept.exchange(digest) == exchange()
        assert kept.exchange(digest).data() == {"a": "é"}
        assert [one.row_id for one in kept.exchanges()] in (["r1", "r2"], ["r2", "r1"])
        assert [one.status for one in kept.exchanges("r2")] == [0]
        for damage in (zlib.compress(exchange(status=201).model_dump_json().encode()), b"\x00\x01"):
            with sqlite3.connect(kept.path) as db:
                db.execute("update exchange set content=? where digest=?", (damage, digest))
            with pytest.raises(IntegrityError):
                kept.exchange(digest)
        with pytest.raises(IntegrityError, match="not in the archive"):
            kept.exchange("0" * 64)
    with KeptModels(tmp_path, read_only=True) as kept, pytest.raises(IntegrityError):
        list(kept.exchanges())


# --- accounts


def accounts(env: Mapping[str, str], catalogue: Catalogue = CATALOGUE, **more: Any) -> Any:
    """Accounts of an environment without the prefix."""
    return read_model_accounts({f"S2R_{name}": value for name, value in env.items()}, catalogue, **more)


def test_each_role_has_its_own_endpoint_and_key() -> None:
    """Flags go before the environment, and that before s2r.toml; a role's own settings before those of its provider."""
    env = {
        "OPENAI_KEY": "sk-openai", "VERIFIER_MODEL": "openai:gpt-5", "VERIFIER_URL": "https://gate.example/openai/v1", "VERIFIER_KEY": "sk-verifier",
        "ESCALATION_MODEL": "anthropic:claude-opus-5", "ANTHROPIC_URL": "https://api.anthropic.com/v1",
    }  # fmt: skip
    file = {"adjudicator_model": "deepseek:deepseek-flash", "anthropic_key": "sk-file", "escalation_model": "openai:x", "workers": 3}
    found = accounts(env, file=file, chosen={ModelRole.ADJUDICATOR: "openai:gpt-5-mini"})
    told = {role: (str(one.profile.name), one.key.get_secret_value(), one.at("/responses"), one.setting) for role, one in found.items()}
    assert told == {
        "adjudicator": ("openai:gpt-5-mini", "sk-openai", "https://api.openai.com/v1/responses", "S2R_OPENAI"),
        "verifier": ("openai:gpt-5", "sk-verifier", "https://gate.example/openai/v1/responses", "S2R_VERIFIER"),
        "escalation": ("anthropic:claude-opus-5", "sk-file", "https://api.anthropic.com/v1/responses", "S2R_ANTHROPIC"),
    }
    assert found[ModelRole.ESCALATION].at("/v1/messages") == "https://api.anthropic.com/v1/messages"
    assert "sk-" not in f"{found!r}"
    assert len(model_limits(found.values())) == 3


def test_a_key_never_goes_to_another_host() -> None:
    """A role with an address elsewhere does not take the provider's key; at the provider's own host it does."""
    env = {"OPENAI_KEY": "sk-openai", "VERIFIER_MODEL": "openai:gpt-5"}
    with pytest.raises(ConfigError, match="S2R_VERIFIER_KEY"):
        accounts(env | {"VERIFIER_URL": "https://evil.example/v1"})
    with pytest.raises(ConfigError, match="S2R_VERIFIER_KEY"):
        accounts(env | {"VERIFIER_URL": "http://api.openai.com/v1"})
    same = accounts(env | {"VERIFIER_URL": "https://api.openai.com/v2"})[ModelRole.VERIFIER]
    assert same.key.get_secret_value() == "sk-openai"
    local = accounts(env | {"VERIFIER_URL": "http://127.0.0.1:8080/v1"})[ModelRole.VERIFIER]
    assert local.key.get_secret_value() == ""


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"ADJUDICATOR_MODEL": "gpt-5"}, "provider:name"),
        ({"ADJUDICATOR_MODEL": "openai:"}, "provider:name"),
        ({"ADJUDICATOR_MODEL": "mistral:large"}, "Known: openai"),
        ({"ADJUDICATOR_MODEL": "openai:gpt-5"}, "S2R_OPENAI_KEY"),
        ({"ADJUDICATOR_MODEL": "compat:qwen"}, "S2R_COMPAT_URL"),
        ({"ADJUDICATOR_MODEL": "compat:qwen", "COMPAT_URL": "https://user:secret-pw@h.example/v1"}, "without user"),
        ({"ADJUDICATOR_MODEL": "compat:qwen", "COMPAT_URL": "http://h.example:99999/v1"}, "S2R_COMPAT_URL"),
        ({"ADJUDICATOR_MODEL": "compat:qwen", "COMPAT_URL": "ftp://h.example/v1"}, "S2R_COMPAT_URL"),
        ({"ADJUDICATOR_MODEL": "compat:q", "COMPAT_URL": "http://h.example", "COMPAT_SCHEMA_DIALECT": "xml"}, "json_schema"),
        (
            {"ADJUDICATOR_MODEL": "anthropic:c", "ANTHROPIC_KEY": "sk-secret-pw", "ANTHROPIC_SCHEMA_DIALECT": "json_object"},
            "openai_chat only",
        ),
    ],
)
def test_faulty_settings_are_named(env: dict[str, str], told: str) -> None:
    """The message names the setting, and holds no secret."""
    with pytest.raises(ConfigError, match=told) as raised:
        accounts(env)
    assert "secret-pw" not in str(raised.value)


def test_settings_of_models_may_stand_in_the_settings_file() -> None:
    """Their names are known, so that the file is not refused for them."""
    names = setting_names(CATALOGUE)
    assert {"openai_key", "compat_url", "compat_schema_dialect", "verifier_model", "escalation_key", "adjudicator_url"} <= names
    assert accounts({}) == {}


def test_proxy_and_certificates_are_those_of_the_role(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each role has its own; a missing one falls back to that of models, then to that of all."""
    seen: list[tuple[str, str, str]] = []

    def transport(**given: Any) -> Any:
        seen.append((given["proxy"], str(given["ca_bundle"]), str(len(given["allow_private"]))))

    monkeypatch.setattr("s2r.net.opening.guarded_transport", transport)
    flags = {"home": tmp_path, "proxy": "http://p:1", "model_proxy": "http://m:1", "escalation_proxy": "http://e:1", "ca_bundle": "all.pem",
             "verifier_ca_bundle": "v.pem", "escalation_ca_bundle": "e.pem"}  # fmt: skip
    settings = load_settings({}, flags, tmp_path)
    env = {f"{role.upper()}_MODEL": "compat:q" for role in ModelRole} | {"COMPAT_URL": "http://10.0.0.5:8000/v1"}
    limiter = open_limiter(settings, model_limits(accounts(env).values()))
    assert set(open_doors(accounts(env), settings, limiter)) == set(ModelRole)
    limiter.close()
    assert seen == [("http://m:1", "all.pem", "1"), ("http://m:1", "v.pem", "1"), ("http://e:1", "e.pem", "1")]


# --- models.toml


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("[provider.a]\nwire = 'gemini'\nmax_outputs = 3\n", 3, "unknown key max_outputs"),
        ("[provider.a]\n\nwire = 'soap'\n", 1, "wire 'soap' is none of"),
        ("[provider.a]\nwire = 'anthropic'\n[model.'a:x']\nschema_dialect = 'json_object'\n", 3, "openai_chat only"),
        ("[provider.a]\nwire = 'openai_chat'\nweb = 'together'\n", 1, "no search tool"),
        ("[providers.a]\nwire = 'gemini'\n", 1, "is not a table pack, provider or model"),
        ("[provider.a]\nmax_output = 2\n", 2, "max_output"),
        ("[provider.a\n", 1, "cannot be read"),
    ],
)
def test_faults_in_models_are_told_with_their_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    """File, line, key and what is wrong."""
    (tmp_path / "models.toml").write_text(text, "utf-8")
    with pytest.raises(PolicyError, match=told) as raised:
        load_catalogue(tmp_path)
    assert raised.value.subject.endswith(f"models.toml:{line}")


def test_longer_patterns_go_before_shorter_ones() -> None:
    """The provider's table, then every pattern that fits, then what is given."""
    catalogue = Catalogue(
        provider={"a": {"wire": "gemini", "max_output": 100, "reasoning": "low"}},
        model={"a:big-2": {"max_output": 400}, "a:big*": {"max_output": 300, "reasoning": "high"}, "b:*": {"max_output": 1000}},
    )
    asked = [catalogue.profile(parse_model(name)) for name in ("a:small", "a:big-1", "a:big-2")]
    assert [(one.max_output, one.reasoning) for one in asked] == [(100, "low"), (300, "high"), (400, "high")]
    assert catalogue.profile(parse_model("a:big-2"), max_output=500).max_output == 500
    assert [CATALOGUE.profile(parse_model(name)).web for name in ("gemini:gemini-2.5-pro", "gemini:gemini-3-pro", "openai_chat:x")] == [
        "apart", "together", "none",
    ]  # fmt: skip


# --- requests and forms


@pytest.mark.parametrize(
    ("asked", "changes", "path", "value"),
    [
        ("openai:m", {"reasoning": "high"}, "reasoning.effort", "high"),
        ("openai_chat:m", {"reasoning": "low"}, "reasoning_effort", "low"),
        ("openai_chat:m", {}, "max_completion_tokens", 8192),
        ("anthropic:m", {"reasoning": "2048"}, "thinking.budget_tokens", 2048),
        ("anthropic:m", {"reasoning": "medium"}, "output_config.effort", "medium"),
        ("anthropic:m", {"reasoning": "medium"}, "output_config.format.type", "json_schema"),
        ("gemini:m", {"reasoning": "0"}, "generationConfig.thinkingConfig.thinkingBudget", 0),
        ("gemini:m", {"reasoning": "high"}, "generationConfig.thinkingConfig.thinkingLevel", "high"),
        ("gemini:m", {"extra": {"generationConfig": {"temperature": 0}}}, "generationConfig.maxOutputTokens", 8192),
        ("gemini:m", {"extra": {"generationConfig": {"temperature": 0}}}, "generationConfig.temperature", 0),
        ("deepseek:m", {"extra": {"thinking": {"type": "disabled"}}}, "thinking.type", "disabled"),
        ("deepseek:m", {}, "response_format.type", "json_object"),
    ],
)
def test_parameters_go_where_the_provider_wants_them(asked: str, changes: dict[str, Any], path: str, value: object) -> None:
    """Reasoning, output limit and the operator's own parameters in the body of a request."""
    profile = CATALOGUE.profile(parse_model(asked), **changes)
    sent: list[Any] = []

    class Door:
        async def request(self, method: str, url: str, *, content: bytes = b"", **more: Any) -> Reply:
            sent.append(json.loads(content))
            raise SourceTimeout("no answer")

    account = accounts({"ADJUDICATOR_MODEL": asked} | {f"{name}_KEY": "k-1234" for name in ("OPENAI", "ANTHROPIC", "GEMINI", "DEEPSEEK")})
    one = account[ModelRole.ADJUDICATOR].model_copy(update={"profile": profile})
    answer = asyncio.run(ModelCaller(one, Door(), clock=lambda: NOW).ask(QUESTION))
    assert (answer.state, answer.cause) == (ModelState.FAILED, "no answer")
    found = sent[0]
    for key in path.split("."):
        found = found[key]
    assert found == value


@pytest.mark.parametrize("text", [GOOD, f"```json\n{GOOD}\n```", f"\n\n  {json.dumps(json.loads(GOOD), indent=2)}\n"])
def test_an_answer_may_stand_in_a_fence_and_in_lines(text: str) -> None:
    """The whole of it, and nothing else."""
    found = checked(text, Finding)
    assert found.problems == ()
    assert json.loads(found.text) == json.loads(GOOD)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("two\\nlines", "two\nlines"),
        ("\x1b[2Jgone\x00", " [2Jgone "),
        ("\\u001b]0;title\\u0007 \\u0085", " ]0;title   "),
        ("\x9b31m Société’s 上場廃止", " 31m Société’s 上場廃止"),
    ],
)
def test_control_characters_of_a_text_are_no_fault_and_reach_nobody(written: str, read: str) -> None:
    """Some grammars let them through inside of strings, where JSON forbids them; only white space is kept."""
    found = checked(GOOD.replace("will leave the Société’s list", written), Finding)
    assert found.problems == ()
    assert json.loads(found.text)["quotes"][0]["text"] == read
    assert found.text.isprintable()


def test_strict_schemas_are_closed_and_without_bounds() -> None:
    """Every object, also those of definitions; names of properties that look like keywords stay."""

    class Odd(Frozen):
        """Properties with the names of keywords."""

        title: str
        default: float = Field(0.0, ge=0, le=1)
        items: tuple[Finding.Quote, ...] = ()

    strict, plain = strict_schema(Odd), plain_schema(Odd)
    assert strict["required"] == ["title", "default", "items"]
    assert set(strict["properties"]) == {"title", "default", "items"}
    assert strict["properties"]["default"] == {"type": "number"}
    assert plain["properties"]["default"] == {"type": "number", "minimum": 0, "maximum": 1}
    assert strict["$defs"]["Quote"]["required"] == ["passage", "text"]
    assert strict["$defs"]["Quote"]["additionalProperties"] is False
    assert plain["required"] == ["title"]


def test_an_answer_that_is_none_gives_no_record() -> None:
    """A record cannot be taken from a failure."""
    with pytest.raises(ValueError, match="no answer: truncated"):
        ModelAnswer(state=ModelState.TRUNCATED, text=GOOD).value(Finding)


@pytest.mark.parametrize(
    ("name", "model", "url"),
    [
        ("openai", "openai:gpt-5-mini", "https://api.openai.com/v1/responses"),
        ("openai_chat", "openai_chat:gpt-5-mini", "https://api.openai.com/v1/chat/completions"),
        ("anthropic", "anthropic:claude-opus-5", "https://api.anthropic.com/v1/messages"),
        ("gemini", "gemini:gemini-3-pro", "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent"),
        ("deepseek", "deepseek:deepseek-flash", "https://api.deepseek.com/chat/completions"),
    ],
)
@pytest.mark.slow
def test_providers_are_asked_at_their_own_addresses(name: str, model: str, url: str) -> None:
    """Without an address of the operator, a question goes to the documented place, by https, with the key in no address."""

    async def run() -> None:
        with ModelWorld() as world:
            key = world.key(name)
            world.speak(name, Said(GOOD))
            account = accounts({"ADJUDICATOR_MODEL": model, "ADJUDICATOR_KEY": key})[ModelRole.ADJUDICATOR]
            async with world.net() as net:
                answer = await ModelCaller(account, net, clock=lambda: NOW).ask(QUESTION)
            assert answer.state is ModelState.ANSWERED, answer.cause
            assert [call.url for call in world.calls(name)] == [url]

    asyncio.run(run())


def test_a_whole_role_from_its_settings(tmp_path: Path) -> None:
    """Settings, limiter, door, prices, archive: a verifier on a server of one's own, at an address that only an operator may set."""

    async def run() -> str:
        with ModelWorld() as world, KeptModels(tmp_path / "archive") as kept:
            world.speak("compat", Said(GOOD))
            found = accounts({"VERIFIER_MODEL": "compat:qwen3:8b", "COMPAT_URL": world.url("compat"), "COMPAT_KEY": world.key("compat")})
            settings = load_settings({}, {"home": tmp_path}, tmp_path)
            limiter = open_limiter(settings, model_limits(found.values()))
            booked: list[ModelCall] = []
            doors = open_doors(found, settings, limiter)
            door = doors[ModelRole.VERIFIER]
            async with door:
                budget, pricer = Budget(0.5, keep=booked.append), Pricer({"compat:*": PRICE})
                caller = ModelCaller(found[ModelRole.VERIFIER], door, clock=lambda: NOW, pricer=pricer, ledger=budget, kept=kept)
                answers = await asyncio.gather(
                    *(caller.ask(QUESTION.model_copy(update={"user": f"q{n}", "row_id": f"r{n}"})) for n in range(4))
                )
            limiter.close()
            assert [answer.state for answer in answers] == [ModelState.ANSWERED] * 4
            assert {call.row_id for call in booked} == {"r0", "r1", "r2", "r3"}
            assert budget.spent == pytest.approx(4 * usd(Tokens()))
            return world.key("compat")

    key = asyncio.run(run())
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"models.db", "limits.db"}
    assert not [path for path in files if key in path.read_bytes().decode("latin-1")]


def test_a_call_stands_in_the_ledger_of_the_store_in_full(tmp_path: Path) -> None:
    """Its cost once, every count that was reported, and the seconds that it took; an unknown cost stays unknown."""
    used = ModelUsage(input_tokens=900, cached_tokens=300, cache_write_tokens=20, output_tokens=80, reasoning_tokens=60, searches=2)
    one = call("r1", 0.25, 0.5).model_copy(update={"usage": used, "elapsed_s": 3.25})
    assert ledger_lines(one) == [
        ("model:adjudicator:p:m", 1.0, "calls", 0.25), ("model_input:p:m", 900.0, "tokens", 0.0), ("model_cached:p:m", 300.0, "tokens", 0.0),
        ("model_cache_write:p:m", 20.0, "tokens", 0.0), ("model_output:p:m", 80.0, "tokens", 0.0), ("model_reasoning:p:m", 60.0, "tokens", 0.0),
        ("model_search:p:m", 2.0, "searches", 0.0), ("model_seconds:p:m", 3.25, "seconds", 0.0),
    ]  # fmt: skip
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("run", version="0", policy="p", manifest={}, now=NOW)
        for found in (one, call("r1", None, None), call("r2", 0.05, 0.05)):
            store.book("run", found.row_id, ledger_lines(found), NOW)
        assert store.spent() == pytest.approx(0.30)


def test_links_of_a_search_tool_that_expire_are_marked() -> None:
    """Grounding links of Gemini are redirects: they are followed at once or lost."""
    link = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC"
    grounding = {
        "webSearchQueries": ["q"],
        "groundingChunks": [{"web": {"uri": link, "title": "a.example"}}, {"web": {"uri": "https://b.example/1"}}, {"image": {}}, 3],
        "groundingSupports": [{"segment": {"text": "left the list"}, "groundingChunkIndices": [0, 0, 99, "x"]}],
    }
    profile = CATALOGUE.profile(parse_model("gemini:gemini-3-pro"))
    found = WIRE_FORMATS["gemini"].read(gemini({}, _UNGROUNDED | {"groundingMetadata": grounding}), profile).citations
    assert [(one.url, one.cited, one.temporary, one.text) for one in found] == [
        (link, True, True, "left the list"), ("https://b.example/1", False, False, ""),
    ]  # fmt: skip


def test_tokens_are_paced_where_a_limit_is_set() -> None:
    """A service with a limit of tokens makes the second question wait."""

    async def run() -> float:
        async with model_trial(OPENAI, changes={"tokens_per_minute": 60_000.0}) as seen:
            limits = model_limits([seen.account])
            limiter = Limiter(None, {seen.account.bucket: limits[seen.account.bucket]}, clock=seen.clock, sleep=seen.clock.sleep)
            async with seen.world.net(limiter=limiter, clock=seen.clock, sleep=seen.clock.sleep) as net:
                caller = ModelCaller(seen.account, net, clock=lambda: NOW)
                began = seen.clock.now
                for number in range(12):
                    assert (await caller.ask(Question(**(QUESTION.model_dump() | {"user": f"{number}", "form": Finding})))).calls == 1
            limiter.close()
            return seen.clock.now - began

    assert asyncio.run(run()) > 20.0  # 12 questions of about 8,500 tokens: 60,000 at once, the rest at 1,000 a second


def test_a_grammar_is_given_bounds_that_it_keeps_to() -> None:
    """llama-cpp-python takes no bounds of numbers: they are choices, and texts and lists end; every such answer is of the form."""
    schema = grammar_schema(Finding)
    assert schema["properties"]["confidence"] == {"enum": [round(0.05 * n, 6) for n in range(21)]}
    assert schema["properties"]["quotes"]["maxItems"] == 4
    assert schema["$defs"]["Quote"]["properties"]["text"]["maxLength"] == 300
    assert schema["$defs"]["Quote"]["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])
    for value in schema["properties"]["confidence"]["enum"]:
        assert checked(json.dumps({"status": "no", "day": None, "confidence": value, "quotes": []}), Finding).text


def test_a_grammar_holds_a_model_to_the_passages_that_it_was_shown() -> None:
    """Where a server takes a grammar; other dialects send the same form for every question, which providers compile once."""
    shown = {"passage": ("p1", "p2")}
    assert grammar_schema(Finding, shown)["$defs"]["Quote"]["properties"]["passage"] == {"type": "string", "enum": ["p1", "p2"]}
    assert "enum" not in grammar_schema(Finding, {"passage": ()})["$defs"]["Quote"]["properties"]["passage"]
    sent = {}
    for dialect in ("json_object_schema", "json_schema"):
        profile = CATALOGUE.profile(parse_model("compat:m"), schema_dialect=dialect)
        account = accounts({"ADJUDICATOR_MODEL": "compat:m", "COMPAT_URL": "http://127.0.0.1:9/v1"})[ModelRole.ADJUDICATOR]
        caller = ModelCaller(account.model_copy(update={"profile": profile}), ModelWorld().net(), clock=lambda: NOW)
        sent[dialect] = json.dumps(caller.request_of(QUESTION.model_copy(update={"choices": shown})).body["response_format"])
    assert '["p1", "p2"]' in sent["json_object_schema"]
    assert "p1" not in sent["json_schema"]


def test_time_in_our_own_queues_is_none_of_the_model() -> None:
    """Seconds before the request is sent, pauses that the service asks for and waiting for money are not its latency."""
    now, booked = [0.0], list[ModelCall]()

    def passed(seconds: float) -> None:
        now[0] += seconds

    class Door:
        """Two answers: "slower" after 3 seconds, 2 of them in a queue; then the answer after 30, 20 of them in a queue."""

        async def request(self, method: str, url: str, **more: Any) -> Reply:
            slower = now[0] < 50
            passed(3.0 if slower else 30.0)
            said = {} if slower else {"choices": [{"finish_reason": "stop", "message": {"content": GOOD}}], "usage": {"prompt_tokens": 9}}
            return Reply(
                url=url, final_url=url, status=429 if slower else 200, headers=(("content-type", "application/json"),),
                body=json.dumps(said).encode(), waited_s=2.0 if slower else 20.0,
            )  # fmt: skip

    class Poor(Budget):
        """Money that takes 7 seconds to come."""

        async def reserve(self, row_id: str, subject: str, usd: float | None) -> float | None:
            passed(7.0)
            return await super().reserve(row_id, subject, usd)

    async def sleep(seconds: float) -> None:
        passed(100.0)

    account = accounts({"ADJUDICATOR_MODEL": "compat:m", "COMPAT_URL": "http://127.0.0.1:9/v1"})[ModelRole.ADJUDICATOR]
    caller = ModelCaller(account, Door(), clock=lambda: NOW, ticks=lambda: now[0], sleep=sleep, ledger=Poor(keep=booked.append))
    answer = asyncio.run(caller.ask(QUESTION))
    assert (answer.state, now[0]) == (ModelState.ANSWERED, 140.0)
    assert (answer.elapsed_s, [one.elapsed_s for one in booked]) == (11.0, [11.0])


def test_one_question_at_once_is_paid_for_once_also_when_the_model_names_itself_otherwise(tmp_path: Path) -> None:
    """Those that wait for the first answer find it under the name that it has told."""

    async def run() -> tuple[int, int]:
        with ModelWorld() as world, KeptModels(tmp_path / "archive") as kept:
            world.speak("compat", Said(GOOD, model="m-2026-01-31"))
            account = accounts({"ADJUDICATOR_MODEL": "compat:m", "COMPAT_URL": world.url("compat"), "COMPAT_KEY": world.key("compat")})
            async with world.net() as net:
                caller = ModelCaller(account[ModelRole.ADJUDICATOR], net, clock=lambda: NOW, kept=kept)
                answers = await asyncio.gather(*(caller.ask(QUESTION) for _ in range(4)))
            return len(world.calls("compat")), sum(answer.cached for answer in answers)

    assert asyncio.run(run()) == (1, 3)

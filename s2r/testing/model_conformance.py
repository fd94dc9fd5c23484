"""What every wire format of models must keep, as checks against the loopback model services.

`failures(spec)` runs all checks. A spec that fails none never takes a failure for an answer, pays for what it asks and for nothing
twice, and leaves no key anywhere.
"""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import io
import json
import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, NamedTuple

from s2r.errors import BudgetExceeded, ConfigError, S2RError, SourceUnusable
from s2r.modelapi import Budget, ModelAnswer, ModelState, WebSearch, replayed
from s2r.testing.conformance import NotKept
from s2r.testing.faults import BROKEN, HARMLESS, SLOWER, SPENT, STALLED, Change, Refuser
from s2r.testing.model_trial import GOOD, QUESTION, Finding, ModelSpec, ModelTrial, model_trial, usd
from s2r.testing.modelsaid import Cite, Said, Tokens
from s2r.testing.server import Answer, json_answer

_PAGE, _OTHER = "https://wire.example/news/alderwick-1", "https://exchange.example/notice/77"
_HOSTILE: tuple[tuple[bytes, bytes, int], ...] = (  # bytes of a true answer (none: each count), what stands there instead, status
    (b"P1", b"P\\ud83d", 200), (b"P1", b"P\\ud83d", 400), (b"P1", b"\\u0000\\u202e", 500), (b"", b"1e999", 200), (b"", b"-7", 200),
    (b"", b'"many"', 200), (b"", b"null", 200), (b"", b"[1]", 200), (b"", b"true", 200), (b"", b"9" * 400, 200),
)  # fmt: skip
_COUNT = re.compile(rb'("\w*(?:[tT]okens?|TokenCount|_searches)": )\d+')
_STATUSES: tuple[tuple[int, str, int], ...] = (  # status, what it means, how often it is sent
    (400, "failed", 1), (401, "unusable", 1), (402, "unusable", 1), (403, "unusable", 1), (404, "unusable", 1), (405, "unusable", 1),
    (408, "failed", 1), (409, "failed", 1), (413, "failed", 1), (422, "failed", 1), (429, "failed", 4), (451, "failed", 1),
    (500, "failed", 1), (501, "failed", 1), (502, "failed", 4), (503, "failed", 4), (504, "failed", 4), (529, "failed", 4),
)  # fmt: skip


class ModelCheck(NamedTuple):
    """One thing that must be kept."""

    name: str
    run: Callable[[ModelSpec], Coroutine[Any, Any, None]]


async def failures(spec: ModelSpec) -> list[tuple[str, str]]:
    """(check, what happened) of every check that a spec does not keep."""
    found = []
    for check in MODEL_CHECKS:
        try:
            await check.run(spec)
        except NotKept as exc:
            found.append((check.name, str(exc)))
    return found


def _again(seen: ModelTrial, answer: ModelAnswer) -> None:
    """The archived exchanges must give the same answer again."""
    found = replayed([seen.kept.exchange(digest) for digest in answer.exchanges], seen.profile, Finding)
    for name in ("state", "text", "model", "citations", "queries", "usage", "calls", "repairs"):
        _must(
            getattr(found, name) == getattr(answer, name), f"read again, {name} is {getattr(found, name)!r}, was {getattr(answer, name)!r}"
        )


def _must(kept: bool, words: str) -> None:
    if not kept:
        raise NotKept(words)


async def _structured(spec: ModelSpec) -> None:
    async with model_trial(spec) as seen:
        seen.say(Said(GOOD, model="resolved-2026-11-01"))
        answer = await seen.ask(row_id="r1")
        _must(answer.state is ModelState.ANSWERED, f"{answer.state}: {answer.cause}")
        found = answer.value(Finding)
        _must((found.status, found.day, found.quotes[0].passage) == ("yes", dt.date(2024, 3, 4), "P1"), f"read as {found}")
        _must(found.quotes[0].text == "will leave the Société’s list", f"text changed: {found.quotes[0].text}")
        _must(answer.model == "resolved-2026-11-01" and answer.calls == 1 and not answer.cached, f"{answer}")
        heard = seen.world.heard(spec.service)[0]
        worded = seen.profile.schema_dialect in ("json_object", "prompt")
        _must(
            worded == (heard.form is None) and worded == ("JSON Schema" in heard.system),
            "the form was not asked for as the dialect wants it",
        )
        _must(worded or "quotes" in (heard.form or {}).get("properties", {}), "the schema that came is another one")
        _must(heard.max_output == seen.profile.max_output and heard.turns == (("user", QUESTION.user),), f"heard {heard}")
        kept = seen.kept.exchange(answer.exchanges[0])
        _must(kept.status == 200 and kept.row_id == "r1" and json.loads(kept.request) and kept.data(), f"archived {kept}")
        _again(seen, answer)


async def _refusal(spec: ModelSpec) -> None:
    for kind in ("refusal", "filter"):
        async with model_trial(spec) as seen:
            seen.say(Said("I cannot help with that.", kind))
            answer = await seen.ask()
            plain_text = spec.service in ("openai_chat", "deepseek", "compat", "llama") and kind == "filter"
            _must(answer.state is ModelState.REFUSED and answer.calls == 1 and bool(answer.cause), f"{kind}: {answer.state} {answer.cause}")
            _again(seen, answer)
            _must(answer.text == "" and (plain_text or answer.usd == usd(Tokens())), f"{kind}: {answer.text!r} {answer.usd}")
            _must((await seen.ask()).state is ModelState.ANSWERED and seen.sent() == 2, "a refusal was kept as an answer")


async def _truncation(spec: ModelSpec) -> None:
    for text in (GOOD[:60], GOOD):
        async with model_trial(spec) as seen:
            seen.say(Said(text, "cut", Tokens(output=seen.profile.max_output)))
            answer = await seen.ask()
            _must(answer.state is ModelState.TRUNCATED and answer.calls == 1, f"{answer.state} after {answer.calls} calls")
            _again(seen, answer)
            _must(answer.usd == usd(Tokens(output=seen.profile.max_output)) and "cut off" in answer.cause, f"{answer.usd} {answer.cause}")
            _must((await seen.ask()).state is ModelState.ANSWERED and seen.sent() == 2, "a cut answer was kept")


async def _repaired(spec: ModelSpec) -> None:
    async with model_trial(spec) as seen:
        wrong = GOOD.replace("0.8", "1.8")
        seen.say(Said("Sure! Here it is: " + GOOD), Said(wrong), Said(GOOD))
        answer = await seen.ask()
        _must(
            answer.state is ModelState.ANSWERED and answer.repairs == 2 and answer.calls == 3,
            f"{answer.state} {answer.cause} {answer.calls}",
        )
        _must(answer.usd is not None and abs(answer.usd - 3 * usd(Tokens())) < 1e-12, f"{answer.usd} for three calls")
        _again(seen, answer)
        last = seen.world.heard(spec.service)[-1].turns
        _must(len(last) == 5 and last[3] == ("assistant", wrong) and "confidence" in last[4][1], f"the repair was asked for with {last}")
        _must([call.purpose for call in seen.booked] == ["answer", "repair", "repair"], f"booked {[call.purpose for call in seen.booked]}")


async def _never_right(spec: ModelSpec) -> None:
    wrongs = ("", "no JSON", "[]", "null", '{"status":"maybe","confidence":0.1}', '{"status":"no"}', GOOD[:-1] + ',"url":"https://x.example"}',
              GOOD.replace("0.8", '"0.8"'), GOOD.replace("2024-03-04", "4 March 2024"), GOOD.replace("0.8", "NaN"), GOOD + GOOD,
              '{"status":"no","status":"yes","confidence":1}', "[" * 50_000)  # fmt: skip
    async with model_trial(spec) as seen:
        for number, wrong in enumerate(wrongs):
            seen.say(*[Said(wrong)] * 3)
            answer = await seen.ask(user=f"question {number}")
            _must(answer.state is ModelState.INVALID and answer.calls == 3 and answer.text == "", f"{wrong[:60]!r}: {answer.state}")
            _again(seen, answer)
        _must((await seen.ask(user="question 0")).state is ModelState.ANSWERED, "an answer of the wrong form was kept")


async def _searched(spec: ModelSpec) -> None:
    search = WebSearch(max_uses=3, domains=("wire.example",), country="GB")
    async with model_trial(spec) as seen:
        if seen.profile.web == "none":
            try:
                await seen.ask(search=search)
            except ConfigError:
                _must(seen.sent() == 0, "a request was sent")
                return
            raise NotKept("a search was asked for without a tool, and nothing was said")
        cites = (Cite(_PAGE, "Alderwick to leave", "will leave the list"), Cite(_OTHER, "Notice 77", "", cited=False))
        told = Said(GOOD, "text", Tokens(5000, output=200), cites, ("alderwick delisting", "alderwick notice"))
        apart = seen.profile.web == "apart"
        seen.say(*((replace(told, text="It leaves, says the wire."), Said(GOOD)) if apart else (told,)))
        answer = await seen.ask(search=search)
        _must(answer.state is ModelState.ANSWERED, f"{answer.state} {answer.cause}")
        _again(seen, answer)
        found = {one.url: one.cited for one in answer.citations}
        _must(found == {_PAGE: True, _OTHER: False}, f"citations {answer.citations}")
        _must(answer.queries == ("alderwick delisting", "alderwick notice"), f"queries {answer.queries}")
        paid = 1 if seen.profile.search_unit == "call" else 2
        cost = usd(Tokens(5000, output=200), paid) + (usd(Tokens()) if apart else 0.0)
        _must(answer.usage.searches == paid and answer.usd is not None and abs(answer.usd - cost) < 1e-12, f"{answer.usd}, by hand {cost}")
        heard = seen.world.heard(spec.service)
        _must(
            [(one.search, one.form is not None) for one in heard] == ([(True, False), (False, True)] if apart else [(True, True)]),
            f"{heard}",
        )


async def _paused(spec: ModelSpec) -> None:
    if spec.service != "anthropic":
        return
    search = WebSearch()
    async with model_trial(spec) as seen:
        seen.say(
            Said("Searching ", "pause", Tokens(), (Cite(_PAGE),), ("a",)), Said("and found.", "text", Tokens(), (Cite(_OTHER),), ("b",))
        )
        answer = await seen.ask(search=search)
        _must(answer.state is ModelState.ANSWERED and answer.queries == ("a", "b") and len(answer.citations) == 2, f"{answer}")
        _must([call.purpose for call in seen.booked] == ["search", "continue", "format"], f"{seen.booked}")
        _again(seen, answer)
        _must(seen.world.heard("anthropic")[-1].turns[1] == ("assistant", "Searching and found."), "the pause lost text")
        seen.say(Said('{"status":"no",', "pause"), Said('"confidence":0.5}'))
        answer = await seen.ask(user="in the middle of the form")
        _must(answer.text == '{"status":"no","confidence":0.5}' and answer.calls == 2, f"{answer.state} {answer.text!r} {answer.cause}")
        _again(seen, answer)
        seen.say(*[Said("", "pause", queries=("c",))] * 9)
        answer = await seen.ask(search=search, user="again")
        _must(answer.state is ModelState.FAILED and "paused" in answer.cause and answer.calls == 5, f"{answer.state} {answer.calls}")
    async with model_trial(spec) as seen:
        seen.say(Said("Nothing came.", "text", Tokens(), (), ("a",), search_error="too_many_requests"))
        answer = await seen.ask(search=search)
        _must("too_many_requests" in answer.cause and not answer.citations, f"a failed search is not told: {answer.cause!r}")


async def _usage(spec: ModelSpec) -> None:
    written = 300 if spec.service == "anthropic" else 0
    tools = 50 if spec.service == "gemini" else 0
    tokens = Tokens(1200, 700, written, 90, 40, tools)
    async with model_trial(spec) as seen:
        seen.say(Said(GOOD, tokens=tokens))
        answer = await seen.ask()
        got = answer.usage
        counts = (got.input_tokens, got.cached_tokens, got.cache_write_tokens, got.output_tokens, got.reasoning_tokens, got.tool_tokens)
        _must(counts == tokens[:3] + tokens[3:], f"counts {counts} of {tokens}")
        _must(answer.usd is not None and abs(answer.usd - usd(tokens)) < 1e-12, f"{answer.usd}, by hand {usd(tokens)}")
        told = seen.kept.exchange(answer.exchanges[0]).data()
        _must(got.raw == (told.get("usage") or told.get("usageMetadata"),), f"not kept in full: {got.raw}")
        seen.say(Said(GOOD, tokens=None))
        answer = await seen.ask(user="without usage")
        call = seen.booked[-1]
        _must(call.basis == "bound" and call.usd == call.reserved and bool(call.usd), f"usage that is not reported was booked as {call}")


def refusing(status: int) -> Change:
    """A refusal with this status, in the service's own form."""
    return lambda service, _: service.error(status, "it is so")


async def _statuses(spec: ModelSpec) -> None:
    for status, means, times in _STATUSES:
        async with model_trial(spec) as seen:
            seen.world.always(spec.service, refusing(status))
            state, words = await _outcome(seen)
            _must(state == means and (str(status) in words or "plan" in words), f"{status}: {state} {words}")
            _must(seen.sent() == times, f"{status} was sent {seen.sent()} times, not {times}")
            _must(
                [(call.usd, call.status, call.attempts) for call in seen.booked] == [(0.0, status, times)],
                f"{status}: booked {seen.booked}",
            )
            _must(seen.budget.set_aside == 0.0, f"{status}: {seen.budget.set_aside} is still set aside")
            seen.world.always(spec.service, None)
            again, _ = await _outcome(seen)
            _must(again == ("unusable" if means == "unusable" else "answered"), f"after {status}: {again}")
            _must(seen.sent() == times + (means != "unusable"), f"after {status}: {seen.sent()} requests")


async def _slower(spec: ModelSpec) -> None:
    for told in SLOWER:
        async with model_trial(spec) as seen:
            began = seen.clock.now
            seen.say(told, None)
            state, words = await _outcome(seen)
            waits = told.repeated and (told.wait or 0.0) <= 30.0
            _must(state == ("answered" if waits else "failed"), f"{told.name}: {state} {words}")
            if state == "answered":
                _again(seen, await seen.ask())  # of the two exchanges the refused one counts for nothing
            _must(not waits or seen.clock.now - began >= (told.wait or 0.1) - 1.0, f"{told.name}: waited {seen.clock.now - began:.1f} s")


async def _spent(spec: ModelSpec) -> None:
    for told in SPENT:
        async with model_trial(spec) as seen:
            if told.name in ("432 plan limit", "433 pay-as-you-go limit"):
                continue  # of search services only
            seen.say(told)
            _must((await _outcome(seen))[0] == "unusable", f"{told.name}: not unusable")
            _must((await _outcome(seen))[0] == "unusable" and seen.sent() == 1, f"{told.name}: asked again")


async def _broken(spec: ModelSpec) -> None:
    for told in BROKEN:
        async with model_trial(spec) as seen:
            seen.say(*[told] * 4)
            state, words = await _outcome(seen)
            _must(state == ("unusable" if told.name == "404" else "failed") and bool(words), f"{told.name}: {state} {words}")
            _must(seen.sent() == (4 if told.name == "502 as HTML" else 1), f"{told.name}: sent {seen.sent()} times")
            call = seen.booked[-1]
            free = call.status >= 300
            _must(call.usd == 0.0 if free else bool(call.usd) or call.usage.reported, f"{told.name}: booked {call.usd} ({call.basis})")
            _must(len(seen.booked) == 1 and seen.budget.set_aside == 0.0, f"{told.name}: {len(seen.booked)} bookings")
            again = replayed(list(seen.kept.exchanges()), seen.profile, Finding)
            _must(again.state is ModelState.FAILED and bool(again.cause), f"{told.name}: read again as {again.state}")
            seen.world.always(spec.service, None)
            if told.name != "404":
                seen.world.unscript(spec.service)
                _must((await seen.ask()).state is ModelState.ANSWERED, f"{told.name}: was kept")


async def _stalled(spec: ModelSpec) -> None:
    for told in STALLED:
        async with model_trial(spec, changes={"timeout_s": 0.3}) as seen:
            seen.say(told)
            answer = await seen.ask()
            _must(answer.state is ModelState.FAILED and seen.sent() == 1, f"{told.name}: {answer.state}, sent {seen.sent()} times")
            _must(seen.booked[0].basis == "bound" and seen.booked[0].status == 0, f"{told.name}: booked {seen.booked[0]}")
            _must("answer" in answer.cause, f"{told.name}: {answer.cause}")
            kept = list(seen.kept.exchanges())
            _must(len(kept) == 1 and kept[0].status == 0 and bool(kept[0].cause), f"{told.name}: archived {kept}")


async def _harmless(spec: ModelSpec) -> None:
    for told in HARMLESS:
        async with model_trial(spec) as seen:
            seen.say(told)
            answer = await seen.ask()
            _must(answer.state is ModelState.ANSWERED, f"{told.name}: {answer.state} {answer.cause}")


async def _hostile(spec: ModelSpec) -> None:
    for number, (old, new, status) in enumerate(_HOSTILE):
        async with model_trial(spec) as seen:
            seen.say(rewritten(old, new, status))
            answer = await seen.ask(user=f"question {number}")
            good = ModelState.FAILED if status >= 300 else ModelState.ANSWERED
            _must(answer.state is good and answer.calls == 1, f"{new!r}: {answer.state} {answer.cause} after {answer.calls} calls")
            _must(bool(answer.model_dump_json()) and all(call.model_dump_json() for call in seen.booked), f"{new!r} cannot be written")
            _must(old != b"" or answer.basis == "bound", f"{new!r} as counts: paid {answer.usd} ({answer.basis})")


def rewritten(old: bytes, new: bytes, status: int) -> Change:
    """The true answer, or a refusal, with other bytes in it; every number of its usage when `old` is empty."""

    def change(service: Refuser, answer: Answer) -> Answer:
        if status >= 300:
            answer = service.error(status, "P1")
        body = (
            answer.body.replace(old, new) if old else re.sub(rb'((?:[tT]okens?|TokenCount|_searches)": )\d+', rb"\g<1>" + new, answer.body)
        )
        if body == answer.body:
            raise AssertionError(f"{old!r} does not stand in {answer.body[:300]!r}")
        return replace(answer, body=body)

    return change


async def _kept_once(spec: ModelSpec) -> None:
    async with model_trial(spec) as seen:
        seen.say(lambda service, _: service.error(500, "it broke"))
        first, second, third = [await seen.ask(row_id=row) for row in ("r1", "r1", "r2")]
        _must(
            (first.state, second.state) == (ModelState.FAILED, ModelState.ANSWERED) and seen.sent() == 2,
            "a failure, then an answer: two calls",
        )
        _must(
            third.cached and third.text == second.text and third.usd == 0.0 and third.usage == second.usage, f"not from the cache: {third}"
        )
        _must(seen.booked[-1].basis == "cache" and seen.booked[-1].row_id == "r2", f"booked {seen.booked[-1]}")
        many = await asyncio.gather(*(seen.ask(user="the same at once") for _ in range(8)))
        _must(sum(one.cached for one in many) == 7 and seen.sent() == 3, f"{seen.sent() - 2} calls for one question at once")


async def _budget(spec: ModelSpec) -> None:
    async with model_trial(spec, budget=Budget(max_usd=1e-6)) as seen:
        try:
            await seen.ask()
        except BudgetExceeded:
            _must(seen.sent() == 0 and not seen.booked, "a request was sent though the cap is reached")
        else:
            raise NotKept("the cap was not asked")


async def _secrets(spec: ModelSpec) -> None:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        async with model_trial(spec, key="sk-own-7/d+f19c2e") as seen:
            given, key = seen.world.key(spec.service), seen.account.key.get_secret_value()
            seen.world.set_key(spec.service, key)
            _must(key != given, "the role's own key is not used")
            escaped = key.replace("/", "\\/")
            said: list[str] = []
            shapes = (
                lambda service, _: service.error(400, f"the key {key} (Bearer {key}) is bad"),
                lambda _, __: json_answer({"error": {"message": escaped}, "detail": key}, 500, ("x-request-id", key)),
                lambda _, answer: replace(answer, body=answer.body.replace(b"P1", key.encode())),
                lambda _, answer: replace(answer, body=f'{{"a": "{escaped}"'.encode()),
                lambda service, _: service.error(401, f"key {key} is refused"),
            )
            for number, shape in enumerate(shapes):
                seen.say(shape)
                try:
                    said.append(repr(await seen.ask(user=f"question {number}")))
                except S2RError as exc:
                    said.append(f"{exc!r} {exc} {exc.__cause__!r} {exc.__context__!r}")
            kept = [exchange.model_dump_json() for exchange in seen.kept.exchanges()]
            _must(len(kept) == len(shapes), f"{len(kept)} exchanges of {len(shapes)}")
            raw = b"".join(path.read_bytes() for path in seen.kept.path.parent.iterdir()).decode("latin-1")
            shown = [
                *said,
                *kept,
                raw,
                log.getvalue(),
                repr(seen.booked),
                repr(seen.caller),
                repr(seen.account),
                seen.account.model_dump_json(),
            ]
            forms = (key, escaped, json.dumps(escaped)[1:-1], base64.b64encode(key.encode()).decode().rstrip("="))
            for text in shown:
                _must(not any(form in text for form in forms), f"the key is shown: {text[:300]}")
            _must(any(key in str(call.headers) for call in seen.world.calls(spec.service)), "no key was sent")
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


async def _outcome(seen: ModelTrial) -> tuple[str, str]:
    try:
        answer = await seen.ask()
    except SourceUnusable as exc:
        return "unusable", str(exc)
    return str(answer.state), answer.cause


MODEL_CHECKS: tuple[ModelCheck, ...] = (
    ModelCheck("a structured answer", _structured),
    ModelCheck("a refusal is none", _refusal),
    ModelCheck("a cut answer is none", _truncation),
    ModelCheck("invalid twice, then valid", _repaired),
    ModelCheck("invalid again and again", _never_right),
    ModelCheck("the search tool and its citations", _searched),
    ModelCheck("pauses are gone on from", _paused),
    ModelCheck("usage as reported", _usage),
    ModelCheck("every status", _statuses),
    ModelCheck("every way to say slower", _slower),
    ModelCheck("a used-up plan ends the calls", _spent),
    ModelCheck("answers that are none", _broken),
    ModelCheck("answers that stall", _stalled),
    ModelCheck("oddities that do no harm", _harmless),
    ModelCheck("values that no record can hold", _hostile),
    ModelCheck("answers are kept, failures are not", _kept_once),
    ModelCheck("no call beyond a cap", _budget),
    ModelCheck("no key is shown", _secrets),
)

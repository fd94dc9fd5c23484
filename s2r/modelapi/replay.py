"""An answer read again from its archived exchanges, without a call: what the caller made of them must come out again."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from s2r.errors import SourceBroken
from s2r.modelapi.caller import WIRE_FORMATS
from s2r.modelapi.keep import Exchange
from s2r.modelapi.profiles import Profile
from s2r.modelapi.schema import checked
from s2r.modelapi.types import NO_USAGE, Citation, ModelAnswer, ModelState
from s2r.modelapi.wire import Reading, unique, whole


def replayed(exchanges: Sequence[Exchange], profile: Profile, form: type[BaseModel]) -> ModelAnswer:
    """The answer that the exchanges of one question give (`ModelAnswer.exchanges`, in order), `failed` when they hold none. It costs
    nothing; what the exchanges cost then stands in the ledger. Of `profile` only the unit of searches counts."""
    usage, model, text = NO_USAGE, "", ""
    citations: list[Citation] = []
    queries: list[str] = []
    reading: Reading | None = None
    cause = "there is no exchange"
    for exchange in exchanges:
        reading, cause = _read(exchange, profile)
        if reading is None:
            continue
        usage = usage + reading.usage if usage != NO_USAGE else reading.usage
        model = reading.model or model
        citations += reading.citations
        queries += reading.queries
        text = text + reading.text if exchange.purpose == "continue" else reading.text
    state, told, problem = _ended(reading, text, exchanges[-1].purpose if exchanges else "", form, cause)
    return ModelAnswer(
        state=state,
        text=told,
        model=model or profile.model,
        citations=unique(citations),
        queries=tuple(dict.fromkeys(queries)),
        usage=usage,
        basis="replay",
        calls=len({exchange.request for exchange in exchanges}),
        repairs=len({exchange.request for exchange in exchanges if exchange.purpose == "repair"}),
        cause=problem,
    )


def _read(exchange: Exchange, profile: Profile) -> tuple[Reading | None, str]:
    if not 200 <= exchange.status < 300:
        return None, exchange.cause or f"status {exchange.status}"
    try:
        return WIRE_FORMATS[exchange.wire].read(whole(exchange.data()), profile), ""
    except (ValueError, RecursionError, SourceBroken) as exc:
        return None, f"cannot be read: {exc}"[:300]


def _ended(reading: Reading | None, text: str, purpose: str, form: type[BaseModel], cause: str) -> tuple[ModelState, str, str]:
    if reading is None or reading.paused:
        return ModelState.FAILED, "", cause or "paused"
    if reading.state is not ModelState.ANSWERED:
        return reading.state, "", reading.cause
    if purpose == "search":
        return ModelState.FAILED, "", "the form was never asked for"
    found, problems = checked(text, form)
    return (ModelState.ANSWERED, found, "") if found else (ModelState.INVALID, "", "; ".join(problems))

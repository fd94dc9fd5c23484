"""The chat format of OpenAI, DeepSeek, vLLM, llama.cpp, Ollama and others; `schema_dialect` says how the form is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2r.modelapi.profiles import Profile
from s2r.modelapi.types import ModelState, ModelUsage
from s2r.modelapi.wire import Ask, Reading, Wire, WireRequest, broken, count, items, mapping, merged, string


def build(ask: Ask, profile: Profile, key: str) -> WireRequest:
    """One request; the form goes where the server's dialect wants it."""
    body: dict[str, Any] = {
        "model": profile.model,
        "messages": [{"role": "system", "content": ask.system}, *({"role": turn.role, "content": turn.text} for turn in ask.turns)],
        profile.output_key: profile.max_output,
    }
    if profile.reasoning:
        body["reasoning_effort"] = profile.reasoning
    if ask.schema is not None:
        body |= _schema(ask.schema, profile.schema_dialect)
    elif ask.as_json:
        body["response_format"] = {"type": "json_object"}
    return WireRequest("/chat/completions", merged(body, profile.extra), headers(key))


def _schema(schema: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    match dialect:
        case "json_object_schema":  # llama-cpp-python
            return {"response_format": {"type": "json_object", "schema": schema}}
        case "structured_outputs":  # vLLM's own field
            return {"structured_outputs": {"json": schema}}
        case "json_schema":  # vLLM, llama.cpp server, Ollama; a flat `schema` would be ignored by llama.cpp without a word
            return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}}
        case _:
            return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": True}}}


def headers(key: str) -> dict[str, str]:
    """What every request carries beside its body."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def read(data: Mapping[str, Any], profile: Profile) -> Reading:
    """What an answer says: its first choice. Reasoning text is not part of it."""
    choices = items(data, "choices")
    if not choices or not isinstance(choices[0].get("message"), Mapping):
        raise broken("no choices with a message")
    message, reason = choices[0]["message"], string(choices[0], "finish_reason")
    text, refusal = _content(message), string(message, "refusal")
    if refusal or reason == "content_filter":
        state, cause = ModelState.REFUSED, (refusal or "content filter")[:300]
    elif reason == "length":
        state, cause = ModelState.TRUNCATED, "cut off: length"
    else:
        state, cause = ModelState.ANSWERED, "" if text else "the answer is empty"
    return Reading(state, text, string(data, "model"), _usage(data), cause)


def _content(message: Mapping[str, Any]) -> str:
    """The text of a message, also when it comes in parts."""
    return string(message, "content") or "".join(string(part, "text") for part in items(message, "content"))


def _usage(data: Mapping[str, Any]) -> ModelUsage:
    usage = mapping(data, "usage")
    return ModelUsage(
        input_tokens=count(usage, "prompt_tokens"),
        cached_tokens=count(usage, "prompt_tokens_details", "cached_tokens") or count(usage, "prompt_cache_hit_tokens"),
        output_tokens=count(usage, "completion_tokens"),
        reasoning_tokens=count(usage, "completion_tokens_details", "reasoning_tokens"),
        reported=count(usage, "prompt_tokens") > 0,
        raw=(dict(usage),) if usage else (),
    )


WIRE = Wire("openai_chat", build, read, headers)

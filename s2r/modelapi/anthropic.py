"""Anthropic Messages (`POST /v1/messages`): the form in `output_config`, the server tool `web_search`, pauses that are gone on from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2r.modelapi.profiles import Profile
from s2r.modelapi.types import Citation, ModelState, ModelUsage
from s2r.modelapi.wire import Ask, Reading, Wire, WireRequest, broken, count, items, mapping, merged, string, unique

VERSION = "2023-06-01"
SEARCH_TOOL = "web_search_20250305"


def build(ask: Ask, profile: Profile, key: str) -> WireRequest:
    """One request. Form and search do not go together here: the service refuses a form with citations."""
    body: dict[str, Any] = {
        "model": profile.model,
        "max_tokens": profile.max_output,
        "system": ask.system,
        "messages": [{"role": turn.role, "content": turn.text if turn.raw is None else turn.raw} for turn in ask.turns],
    }
    config: dict[str, Any] = {}
    if profile.reasoning.isdigit():
        body["thinking"] = {"type": "enabled", "budget_tokens": int(profile.reasoning)}
    elif profile.reasoning:
        config["effort"] = profile.reasoning
    if ask.schema is not None:
        config["format"] = {"type": "json_schema", "schema": ask.schema}
    if config:
        body["output_config"] = config
    if ask.search:
        tool: dict[str, Any] = {"type": profile.search_tool or SEARCH_TOOL, "name": "web_search", "max_uses": ask.search.max_uses}
        if ask.search.domains:
            tool["allowed_domains"] = list(ask.search.domains)
        if ask.search.country:
            tool["user_location"] = {"type": "approximate", "country": ask.search.country}
        body["tools"] = [tool]
    return WireRequest("/v1/messages", merged(body, profile.extra), headers(key))


def headers(key: str) -> dict[str, str]:
    """What every request carries beside its body."""
    return {"x-api-key": key, "anthropic-version": VERSION} if key else {"anthropic-version": VERSION}


def read(data: Mapping[str, Any], profile: Profile) -> Reading:
    """What an answer says. A failed search stands inside a success, and is told as a cause."""
    reason = data.get("stop_reason")
    if data.get("type") != "message" or not isinstance(data.get("content"), list) or not isinstance(reason, str):
        raise broken("no message with content and stop_reason")
    blocks = items(data, "content")
    text = "".join(string(block, "text") for block in blocks if block.get("type") == "text")
    results = [block for block in blocks if block.get("type") == "web_search_tool_result"]
    failed = [string(mapping(block, "content"), "error_code") for block in results if isinstance(block.get("content"), Mapping)]
    cause = f"searches failed: {', '.join(failed)}"[:300] if failed else ""
    state, told = _state(reason, text)
    return Reading(
        state,
        text,
        string(data, "model"),
        _usage(data),
        "; ".join(filter(None, (told, cause))),
        _citations(blocks, results),
        tuple(dict.fromkeys(filter(None, (string(mapping(block, "input"), "query") for block in blocks if _is_search(block))))),
        paused=reason == "pause_turn",
        raw=data["content"],
    )


def _state(reason: str, text: str) -> tuple[ModelState, str]:
    match reason:
        case "refusal":
            return ModelState.REFUSED, text[:300] or "refusal"
        case "max_tokens" | "model_context_window_exceeded":
            return ModelState.TRUNCATED, f"cut off: {reason}"
        case _:
            return ModelState.ANSWERED, "" if text else "the answer is empty"


def _is_search(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "server_tool_use" and block.get("name") == "web_search"


def _usage(data: Mapping[str, Any]) -> ModelUsage:
    """Input here leaves out what was read from or written to the cache; ours holds it."""
    usage = mapping(data, "usage")
    fresh, read_, written = (
        count(usage, "input_tokens"),
        count(usage, "cache_read_input_tokens"),
        count(usage, "cache_creation_input_tokens"),
    )
    return ModelUsage(
        input_tokens=fresh + read_ + written,
        cached_tokens=read_,
        cache_write_tokens=written,
        cache_write_1h_tokens=count(usage, "cache_creation", "ephemeral_1h_input_tokens"),
        output_tokens=count(usage, "output_tokens"),
        reasoning_tokens=count(usage, "output_tokens_details", "thinking_tokens"),
        searches=count(usage, "server_tool_use", "web_search_requests"),
        reported=fresh + read_ + written > 0,
        raw=(dict(usage),) if usage else (),
    )


def _citations(blocks: list[Mapping[str, Any]], results: list[Mapping[str, Any]]) -> tuple[Citation, ...]:
    cited = [
        Citation(url=string(note, "url"), title=string(note, "title"), text=string(note, "cited_text"))
        for block in blocks
        for note in items(block, "citations")
    ]
    found = [
        Citation(url=string(row, "url"), title=string(row, "title"), cited=False) for block in results for row in items(block, "content")
    ]
    return unique([*cited, *found])


WIRE = Wire("anthropic", build, read, headers)

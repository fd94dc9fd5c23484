"""OpenAI Responses (`POST /responses`): strict schema in `text.format`, the search tool `web_search`, nothing stored there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2r.modelapi.profiles import Profile
from s2r.modelapi.types import Citation, ModelState, ModelUsage
from s2r.modelapi.wire import Ask, Reading, Wire, WireRequest, broken, count, items, mapping, merged, string, unique


def build(ask: Ask, profile: Profile, key: str) -> WireRequest:
    """One request; the whole conversation is sent each time."""
    body: dict[str, Any] = {
        "model": profile.model,
        "instructions": ask.system,
        "input": [{"role": turn.role, "content": turn.text} for turn in ask.turns],
        "max_output_tokens": profile.max_output,
        "store": False,
    }
    if profile.reasoning:
        body["reasoning"] = {"effort": profile.reasoning}
    if ask.schema is not None:
        body["text"] = {"format": {"type": "json_schema", "name": "answer", "schema": ask.schema, "strict": True}}
    elif ask.as_json:
        body["text"] = {"format": {"type": "json_object"}}
    if ask.search:
        tool: dict[str, Any] = {"type": profile.search_tool or "web_search"}
        if ask.search.domains:
            tool["filters"] = {"allowed_domains": list(ask.search.domains)}
        if ask.search.country:
            tool["user_location"] = {"type": "approximate", "country": ask.search.country}
        body |= {"tools": [tool], "max_tool_calls": ask.search.max_uses, "include": ["web_search_call.action.sources"]}
    return WireRequest("/responses", merged(body, profile.extra), headers(key))


def headers(key: str) -> dict[str, str]:
    """What every request carries beside its body."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def read(data: Mapping[str, Any], profile: Profile) -> Reading:
    """What an answer says; `status` failed is an answer that was billed and is none."""
    status = data.get("status")
    if not isinstance(data.get("output"), list) or status not in ("completed", "incomplete", "failed"):
        raise broken(f"no output, or status {str(status)[:40]!r}")
    output = items(data, "output")
    parts = [part for item in output if item.get("type") == "message" for part in items(item, "content")]
    text = "".join(string(part, "text") for part in parts if part.get("type") == "output_text")
    refusal = " ".join(string(part, "refusal") for part in parts if part.get("type") == "refusal")
    searched = [item for item in output if item.get("type") == "web_search_call"]
    state, cause = _state(data, text, refusal)
    return Reading(state, text, string(data, "model"), _usage(data, searched), cause, _citations(parts, searched), _queries(searched))


def _state(data: Mapping[str, Any], text: str, refusal: str) -> tuple[ModelState, str]:
    reason = string(mapping(data, "incomplete_details"), "reason")
    if data["status"] == "failed":
        error = mapping(data, "error")
        return ModelState.FAILED, f"the service failed: {error.get('code') or ''} {string(error, 'message')}".strip()[:300]
    if refusal or reason == "content_filter":
        return ModelState.REFUSED, (refusal or "content filter")[:300]
    if data["status"] == "incomplete":
        return ModelState.TRUNCATED, f"cut off: {reason or 'no reason given'}"
    return ModelState.ANSWERED, "" if text else "the answer is empty"


def _usage(data: Mapping[str, Any], searched: list[Mapping[str, Any]]) -> ModelUsage:
    usage = mapping(data, "usage")
    kinds = [string(mapping(item, "action"), "type") for item in searched]
    return ModelUsage(
        input_tokens=count(usage, "input_tokens"),
        cached_tokens=count(usage, "input_tokens_details", "cached_tokens"),
        output_tokens=count(usage, "output_tokens"),
        reasoning_tokens=count(usage, "output_tokens_details", "reasoning_tokens"),
        searches=sum(kind in ("search", "") for kind in kinds),  # opening and finding in a page are free
        reported=count(usage, "input_tokens") > 0,
        raw=(dict(usage),) if usage else (),
    )


def _citations(parts: list[Mapping[str, Any]], searched: list[Mapping[str, Any]]) -> tuple[Citation, ...]:
    notes = [note for part in parts for note in items(part, "annotations") if note.get("type") == "url_citation"]
    cited = [Citation(url=string(note, "url"), title=string(note, "title")) for note in notes]
    sources = [source for item in searched for source in items(mapping(item, "action"), "sources")]
    opened = [mapping(item, "action") for item in searched if string(mapping(item, "action"), "url")]
    return unique([*cited, *(Citation(url=string(source, "url"), cited=False) for source in (*sources, *opened))])


def _queries(searched: list[Mapping[str, Any]]) -> tuple[str, ...]:
    found: list[str] = []
    for action in (mapping(item, "action") for item in searched):
        several = action.get("queries")
        found += [text for text in several if isinstance(text, str)] if isinstance(several, list) else [string(action, "query")]
    return tuple(dict.fromkeys(filter(None, found)))


WIRE = Wire("openai_responses", build, read, headers)

"""Gemini `generateContent`: the form in `responseJsonSchema`, the tool `google_search`, grounding links that expire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from s2r.modelapi.profiles import Profile
from s2r.modelapi.types import Citation, ModelState, ModelUsage
from s2r.modelapi.wire import Ask, Reading, Wire, WireRequest, broken, count, items, mapping, merged, string, unique

_FILTERED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY"})
_REDIRECT = "/grounding-api-redirect/"


def build(ask: Ask, profile: Profile, key: str) -> WireRequest:
    """One request; the key goes into a header, never into the address. Domains cannot be limited here."""
    config: dict[str, Any] = {"maxOutputTokens": profile.max_output}
    if profile.reasoning.isdigit():
        config["thinkingConfig"] = {"thinkingBudget": int(profile.reasoning)}
    elif profile.reasoning:
        config["thinkingConfig"] = {"thinkingLevel": profile.reasoning}
    if ask.schema is not None:
        config |= {"responseMimeType": "application/json", "responseJsonSchema": ask.schema}
    elif ask.as_json:
        config["responseMimeType"] = "application/json"
    body: dict[str, Any] = {
        "systemInstruction": {"parts": [{"text": ask.system}]},
        "contents": [{"role": "model" if turn.role == "assistant" else "user", "parts": [{"text": turn.text}]} for turn in ask.turns],
        "generationConfig": config,
    }
    if ask.search:
        body["tools"] = [{profile.search_tool or "google_search": {}}]
    path = f"/models/{quote(profile.model, safe='/-._~')}:generateContent"
    return WireRequest(path, merged(body, profile.extra), headers(key))


def headers(key: str) -> dict[str, str]:
    """What every request carries beside its body."""
    return {"x-goog-api-key": key} if key else {}


def read(data: Mapping[str, Any], profile: Profile) -> Reading:
    """What an answer says: its first candidate. A blocked prompt has none."""
    model, candidates = string(data, "modelVersion"), items(data, "candidates")
    blocked = string(mapping(data, "promptFeedback"), "blockReason")
    if not candidates:
        if not blocked:
            raise broken("neither candidates nor a reason")
        return Reading(ModelState.REFUSED, "", model, _usage(data, (), profile), f"the prompt was blocked: {blocked}")
    first, reason = candidates[0], string(candidates[0], "finishReason")
    parts = [part for part in items(mapping(first, "content"), "parts") if part.get("thought") is not True]
    text = "".join(string(part, "text") for part in parts)
    grounding = mapping(first, "groundingMetadata")
    several = grounding.get("webSearchQueries")
    queries = tuple(query for query in several if isinstance(query, str)) if isinstance(several, list) else ()
    if reason in _FILTERED:
        state, cause = ModelState.REFUSED, f"filtered: {reason}"
    elif reason == "MAX_TOKENS":
        state, cause = ModelState.TRUNCATED, "cut off: MAX_TOKENS"
    elif reason == "STOP":
        state, cause = ModelState.ANSWERED, "" if text else "the answer is empty"
    else:
        state, cause = ModelState.FAILED, f"ended by {reason or 'nothing'}"
    return Reading(state, text, model, _usage(data, queries, profile), cause, _citations(grounding), tuple(dict.fromkeys(queries)))


def _usage(data: Mapping[str, Any], queries: tuple[str, ...], profile: Profile) -> ModelUsage:
    """Prompt tokens hold cached ones; tokens of tools and of thoughts are counted apart there, and are part of ours."""
    usage = mapping(data, "usageMetadata")
    tools, thoughts = count(usage, "toolUsePromptTokenCount"), count(usage, "thoughtsTokenCount")
    paid = len(queries) if profile.search_unit == "query" else min(1, len(queries))
    return ModelUsage(
        input_tokens=count(usage, "promptTokenCount") + tools,
        cached_tokens=count(usage, "cachedContentTokenCount"),
        tool_tokens=tools,
        output_tokens=count(usage, "candidatesTokenCount") + thoughts,
        reasoning_tokens=thoughts,
        searches=paid,
        reported=count(usage, "promptTokenCount") > 0,
        raw=(dict(usage),) if usage else (),
    )


def _citations(grounding: Mapping[str, Any]) -> tuple[Citation, ...]:
    """Chunks of pages; those that a support names are cited. Offsets are bytes of UTF-8, so the text of the segment is taken as given."""
    chunks = grounding.get("groundingChunks")
    pages = [mapping(chunk, "web") for chunk in chunks] if isinstance(chunks, list) else []
    texts: dict[int, str] = {}
    for support in items(grounding, "groundingSupports"):
        indices = support.get("groundingChunkIndices")
        for index in indices if isinstance(indices, list) else ():
            if isinstance(index, int):
                texts.setdefault(index, string(mapping(support, "segment"), "text"))
    return unique(
        [
            Citation(
                url=string(page, "uri"),
                title=string(page, "title"),
                text=texts.get(at, ""),
                cited=at in texts,
                temporary=_REDIRECT in string(page, "uri"),
            )
            for at, page in enumerate(pages)
        ]
    )


WIRE = Wire("gemini", build, read, headers)

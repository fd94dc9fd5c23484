"""Gemini generateContent as a loopback double."""

from __future__ import annotations

import re
from typing import Any

from s2r.testing.modelsaid import Heard, Said, plain, turns_of, unknown_in
from s2r.testing.server import Answer, Seen, json_answer


def gemini_error(status: int, words: str) -> Answer:
    """A refusal of Google."""
    kinds = {
        400: "INVALID_ARGUMENT",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        429: "RESOURCE_EXHAUSTED",
        503: "UNAVAILABLE",
    }
    return json_answer({"error": {"code": status, "message": words, "status": kinds.get(status, "INTERNAL"), "details": []}}, status)


def gemini_read(seen: Seen, key: str) -> Heard | Answer:
    data = seen.data if isinstance(seen.data, dict) else {}
    if seen.headers.get("x-goog-api-key") != key or "key=" in seen.query:
        return gemini_error(403, f"API key not valid: {seen.headers.get('x-goog-api-key', '')}")
    found = re.fullmatch(r"/v1(?:beta)?/models/([^/]+):generateContent", seen.path)
    if not found:
        return gemini_error(404, "Requested entity was not found.")
    rows = [
        {"role": "assistant" if row.get("role") == "model" else row.get("role"), "content": row.get("parts")}
        for row in data.get("contents", [])
    ]
    turns, config = turns_of(rows), data.get("generationConfig", {})
    unknown = unknown_in(data, "contents systemInstruction tools generationConfig") or unknown_in(
        config, "maxOutputTokens responseMimeType responseJsonSchema thinkingConfig temperature"
    )
    if unknown or turns is None:
        return gemini_error(400, f"Unknown name {unknown}" if unknown else "contents: invalid")
    form, search = config.get("responseJsonSchema"), any("google_search" in tool for tool in data.get("tools", []))
    if form is not None and config.get("responseMimeType") != "application/json":
        return gemini_error(400, "response_json_schema needs response_mime_type application/json")
    if search and "responseMimeType" in config and found.group(1).startswith("gemini-2"):
        return gemini_error(400, "Tool use with a response mime type: 'application/json' is unsupported")
    system = plain(data.get("systemInstruction", {}).get("parts"))
    as_json = form is None and config.get("responseMimeType") == "application/json"
    return Heard(found.group(1), system, turns, form, as_json, search, config.get("maxOutputTokens", 4096))


def gemini_render(heard: Heard, said: Said) -> Answer:
    data: dict[str, Any] = {"modelVersion": said.model or heard.model, "responseId": "r1"}
    if tokens := said.tokens:
        data["usageMetadata"] = {
            "promptTokenCount": tokens.input - tokens.tools,
            "cachedContentTokenCount": tokens.cached,
            "candidatesTokenCount": tokens.output - tokens.reasoning,
            "toolUsePromptTokenCount": tokens.tools,
            "thoughtsTokenCount": tokens.reasoning,
            "totalTokenCount": tokens.input + tokens.output,
        }
    if said.kind == "filter":
        return json_answer(data | {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})
    if said.kind == "failed":
        return json_answer(data)
    reasons = {"refusal": "SAFETY", "cut": "MAX_TOKENS"}
    parts = [{"text": "thinking, not an answer", "thought": True}, {"text": said.text}]
    first: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "finishReason": reasons.get(said.kind, "STOP"), "index": 0}
    if said.queries:
        first["groundingMetadata"] = {
            "webSearchQueries": list(said.queries),
            "searchEntryPoint": {"renderedContent": "<div>chips</div>"},
            "groundingChunks": [{"web": {"uri": cite.url, "title": cite.title}} for cite in said.cites],
            "groundingSupports": [
                {"segment": {"startIndex": 0, "endIndex": len(cite.text.encode()), "text": cite.text}, "groundingChunkIndices": [at]}
                for at, cite in enumerate(said.cites)
                if cite.cited
            ],
        }
    return json_answer(data | {"candidates": [first]})

"""Anthropic Messages as a loopback double."""

from __future__ import annotations

import json
import re
from typing import Any

from s2r.testing.modelsaid import Heard, Said, plain, strict_problem, turns_of, unknown_in
from s2r.testing.server import Answer, Seen, json_answer


def anthropic_error(status: int, words: str) -> Answer:
    """A refusal of Anthropic."""
    kinds = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 413: "request_too_large",
             429: "rate_limit_error",              500: "api_error", 529: "overloaded_error"}  # fmt: skip
    error = {"type": kinds.get(status, "invalid_request_error"), "message": words}
    return json_answer({"type": "error", "error": error, "request_id": "req_1"}, status)


def anthropic_read(seen: Seen, key: str) -> Heard | Answer:
    data = seen.data if isinstance(seen.data, dict) else {}
    if seen.headers.get("x-api-key") != key:
        return anthropic_error(401, f"invalid x-api-key {seen.headers.get('x-api-key', '')}")
    if seen.path != "/v1/messages":
        return anthropic_error(404, "Not found")
    turns = turns_of(data.get("messages"))
    if turns is None and _paused(data.get("messages")):
        turns = tuple((row["role"], plain(row["content"])) for row in data["messages"])
    known = "model max_tokens system messages tools output_config thinking temperature"
    unknown = unknown_in(data, known)
    if unknown or turns is None or "max_tokens" not in data or not seen.headers.get("anthropic-version"):
        return anthropic_error(400, f"{unknown}: Extra inputs are not permitted" if unknown else "messages: invalid")
    config, tools = data.get("output_config", {}), data.get("tools", [])
    form = config.get("format", {}).get("schema")
    if form is not None and tools:
        return anthropic_error(400, "output_config.format: structured output cannot be used together with citations")
    if form is not None and (problem := strict_problem(form) or _bounds(form)):
        return anthropic_error(400, f"output_config.format.schema: {problem}")
    if any(not re.fullmatch(r"web_search_\d{8}", tool.get("type", "")) or tool.get("name") != "web_search" for tool in tools):
        return anthropic_error(400, "tools.0: unknown type")
    return Heard(data["model"], data.get("system", ""), turns, form, False, bool(tools), data["max_tokens"])


def _paused(rows: Any) -> bool:
    """Whether a conversation ends with the blocks of a paused turn, sent back as they came."""
    return isinstance(rows, list) and rows[-1].get("role") == "assistant" and isinstance(rows[-1].get("content"), list)


def _bounds(form: Any) -> str:
    found = re.search(r'"(minimum|maximum|minLength|maxLength|maxItems|pattern)": ?[\d"]', json.dumps(form))
    return f"property '{found.group(1)}' is not supported" if found else ""


def anthropic_render(heard: Heard, said: Said) -> Answer:
    blocks: list[dict[str, Any]] = []
    for number, query in enumerate(said.queries):
        blocks.append({"type": "server_tool_use", "id": f"srvtoolu_{number}", "name": "web_search", "input": {"query": query}})
        rows: Any = [
            {"type": "web_search_result", "url": cite.url, "title": cite.title, "page_age": "March 4, 2024", "encrypted_content": "Eo8x"}
            for cite in said.cites
        ]
        if said.search_error:
            rows = {"type": "web_search_tool_result_error", "error_code": said.search_error}
        blocks.append({"type": "web_search_tool_result", "tool_use_id": f"srvtoolu_{number}", "content": rows})
    notes = [
        {"type": "web_search_result_location", "url": cite.url, "title": cite.title, "cited_text": cite.text, "encrypted_index": "Eo9x"}
        for cite in said.cites
        if cite.cited
    ]
    blocks.append({"type": "text", "text": said.text, **({"citations": notes} if notes else {})})
    reasons = {"refusal": "refusal", "filter": "refusal", "cut": "max_tokens", "pause": "pause_turn"}
    data: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": said.model or heard.model, "content": blocks}
    data |= {"stop_reason": reasons.get(said.kind, "end_turn"), "stop_sequence": None}
    if said.kind == "failed":
        data = {"type": "error", "error": {"type": "api_error", "message": "it broke"}}
    if tokens := said.tokens:
        data["usage"] = {
            "input_tokens": tokens.input - tokens.cached - tokens.written,
            "cache_read_input_tokens": tokens.cached,
            "cache_creation_input_tokens": tokens.written,
            "output_tokens": tokens.output,
            "output_tokens_details": {"thinking_tokens": tokens.reasoning},
            "server_tool_use": {"web_search_requests": len(said.queries)},
        }
    return json_answer(data, 200, ("request-id", "req_1"))

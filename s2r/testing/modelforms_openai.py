"""The services of OpenAI as loopback doubles: Responses, and the chat format with the dialects of other servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2r.testing.modelsaid import Heard, Said, Tokens, plain, strict_problem, turns_of, unknown_in
from s2r.testing.server import Answer, Seen, json_answer


def openai_error(status: int, words: str) -> Answer:
    """A refusal of OpenAI: the code is a word."""
    kinds = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
    return json_answer(
        {"error": {"message": words, "type": "invalid_request_error", "param": None, "code": kinds.get(status, "invalid_value")}}, status
    )


def responses_read(seen: Seen, key: str) -> Heard | Answer:
    data = seen.data if isinstance(seen.data, dict) else {}
    if seen.headers.get("authorization") != f"Bearer {key}":
        return openai_error(401, f"Incorrect API key provided: {seen.headers.get('authorization', '')}.")
    if seen.path != "/v1/responses":
        return openai_error(404, f"Invalid URL ({seen.path})")
    known = "model input instructions max_output_tokens store reasoning text tools max_tool_calls include temperature service_tier"
    turns, limit = turns_of(data.get("input")), data.get("max_output_tokens", 4096)
    if (unknown := unknown_in(data, known)) or turns is None or not data.get("model") or limit < 16 or data.get("store") is not False:
        return openai_error(400, f"Unknown parameter: {unknown}." if unknown else "Invalid request.")
    form: Mapping[str, Any] | None = None
    wanted = data.get("text", {}).get("format", {"type": "text"})
    if wanted["type"] == "json_schema":
        form = wanted.get("schema")
        if not wanted.get("name") or (problem := strict_problem(form)):
            return openai_error(400, f"Invalid schema for response_format: {problem or 'no name'}")
    tools = data.get("tools", [])
    if any(tool.get("type") != "web_search" for tool in tools):
        return openai_error(400, "Invalid tools.")
    return Heard(data["model"], data.get("instructions", ""), turns, form, wanted["type"] == "json_object", bool(tools), limit)


def responses_render(heard: Heard, said: Said) -> Answer:
    output: list[dict[str, Any]] = [{"type": "reasoning", "id": "rs_1", "summary": []}]
    for number, query in enumerate(said.queries):
        sources = [{"type": "url", "url": cite.url} for cite in said.cites]
        action = {"type": "search", "query": query, "sources": sources if number == 0 else []}
        output.append({"type": "web_search_call", "id": f"ws_{number}", "status": "completed", "action": action})
    if said.queries and said.cites:
        opened = {"type": "open_page", "url": said.cites[0].url}
        output.append({"type": "web_search_call", "id": "ws_open", "status": "completed", "action": opened})
    notes = [
        {"type": "url_citation", "start_index": 0, "end_index": len(said.text), "url": cite.url, "title": cite.title}
        for cite in said.cites
        if cite.cited
    ]
    parts: list[dict[str, Any]] = [{"type": "output_text", "text": said.text, "annotations": notes}]
    if said.kind == "refusal":
        parts = [{"type": "refusal", "refusal": said.text}]
    if said.kind != "failed":
        output.append({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": parts})
    status = {"cut": "incomplete", "filter": "incomplete", "failed": "failed"}.get(said.kind, "completed")
    reason = {"cut": "max_output_tokens", "filter": "content_filter"}.get(said.kind)
    data = {
        "id": "resp_1",
        "object": "response",
        "status": status,
        "model": said.model or heard.model,
        "output": output,
        "incomplete_details": {"reason": reason} if reason else None,
        "error": {"code": "server_error", "message": "it broke"} if said.kind == "failed" else None,
    }
    return json_answer(data | usage("input_tokens", "output_tokens", said.tokens))


def usage(input_name: str, output_name: str, tokens: Tokens | None) -> dict[str, Any]:
    if tokens is None:
        return {}
    usage = {
        input_name: tokens.input,
        f"{input_name}_details": {"cached_tokens": tokens.cached},
        output_name: tokens.output,
        f"{output_name}_details": {"reasoning_tokens": tokens.reasoning},
        "total_tokens": tokens.input + tokens.output,
    }
    return {"usage": usage}


# --- the chat format


def chat_reader(known: str, forms: Callable[[Mapping[str, Any], str], Mapping[str, Any] | str | None], error: Callable[[int, str], Answer],
                 base: str, limit_key: str, *, keyed: bool = True) -> Callable[[Seen, str], Heard | Answer]:  # fmt: skip
    """A reader of chat requests; `forms` gives the schema of a request (with all its words), a refusal in words, or None."""

    def read(seen: Seen, key: str) -> Heard | Answer:
        data = seen.data if isinstance(seen.data, dict) else {}
        if (keyed or seen.headers.get("authorization")) and seen.headers.get("authorization") != f"Bearer {key}":
            return error(401, f"Incorrect API key provided: {seen.headers.get('authorization', '')}.")
        if seen.path != f"{base}/chat/completions":
            return error(404, f"there is no {seen.path}")
        rows = data.get("messages") or [{}]
        system = plain(rows[0].get("content")) if rows[0].get("role") == "system" else ""
        turns = turns_of(rows[1:] if system else rows)
        if (unknown := unknown_in(data, known)) or turns is None or not data.get("model"):
            return error(400, f"Unrecognized request argument supplied: {unknown}" if unknown else "Invalid messages.")
        form = forms(data, system + "".join(text for _, text in turns))
        if isinstance(form, str):
            return error(400, form)
        as_json = form is None and data.get("response_format", {}).get("type") == "json_object"
        return Heard(data["model"], system, turns, form, as_json, False, data.get(limit_key, 4096))

    return read


def chat_render(heard: Heard, said: Said, *, deepseek: bool = False) -> Answer:
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.kind == "refusal":
        message |= {"content": None, "refusal": said.text}
    reasons = {"cut": "length", "filter": "content_filter"}
    data: dict[str, Any] = {"id": "c1", "object": "chat.completion", "created": 1795950000, "model": said.model or heard.model}
    data["choices"] = [{"index": 0, "finish_reason": reasons.get(said.kind, "stop"), "message": message}]
    if said.kind == "failed":
        data = {"error": {"message": "it broke", "type": "server_error", "code": 500}}
    data |= usage("prompt_tokens", "completion_tokens", said.tokens)
    if deepseek and said.tokens is not None:
        message["reasoning_content"] = '{"status": "thinking, not an answer"}'
        del data["usage"]["prompt_tokens_details"]
        data["usage"] |= {"prompt_cache_hit_tokens": said.tokens.cached, "prompt_cache_miss_tokens": said.tokens.input - said.tokens.cached}
        answer = json_answer(data)
        return Answer(answer.status, answer.headers, b"\n\n\n" + answer.body)  # lines that keep the connection alive come first
    return json_answer(data)


def openai_forms(data: Mapping[str, Any], words: str) -> Mapping[str, Any] | str | None:
    wanted = data.get("response_format", {"type": "text"})
    if wanted["type"] != "json_schema":
        return None
    inner = wanted.get("json_schema", {})
    problem = strict_problem(inner.get("schema")) if inner.get("strict") else "strict is not set here"
    return f"Invalid schema for response_format: {problem}" if problem or not inner.get("name") else inner["schema"]


def deepseek_forms(data: Mapping[str, Any], words: str) -> Mapping[str, Any] | str | None:
    kind = data.get("response_format", {"type": "text"})["type"]
    if kind == "json_schema":
        return "This response_format type is unavailable now"
    return "Prompt must contain the word 'json' in some form" if kind == "json_object" and "json" not in words.lower() else None


def vllm_forms(data: Mapping[str, Any], words: str) -> Mapping[str, Any] | str | None:
    """vLLM and the llama.cpp server: a flat schema decodes without any constraint and without an error."""
    wanted = data.get("response_format", {"type": "text"})
    if "structured_outputs" in data:
        return data["structured_outputs"].get("json") or "structured_outputs needs one of json, regex, choice, grammar"
    if wanted["type"] == "json_schema":
        return (wanted.get("json_schema") or {}).get("schema")
    return wanted.get("schema") if wanted["type"] == "json_object" else None


def llama_cpp_python_forms(data: Mapping[str, Any], words: str) -> Mapping[str, Any] | str | None:
    wanted = data.get("response_format", {"type": "text"})
    if wanted["type"] not in ("text", "json_object"):
        return "response_format.type: Input should be 'text' or 'json_object'"
    schema: Mapping[str, Any] | None = wanted.get("schema")
    return schema


def vllm_error(status: int, words: str) -> Answer:
    """A refusal of vLLM and llama.cpp: the code is a number."""
    return json_answer({"error": {"message": words, "type": "BadRequestError", "param": None, "code": status}}, status)


def ollama_error(status: int, words: str) -> Answer:
    """A refusal of Ollama: the error is a string."""
    return json_answer({"error": words}, status)

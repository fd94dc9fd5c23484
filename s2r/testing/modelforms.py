"""The model services of the loopback world by name."""

from __future__ import annotations

from s2r.testing.modelforms_anthropic import anthropic_error, anthropic_read, anthropic_render
from s2r.testing.modelforms_gemini import gemini_error, gemini_read, gemini_render
from s2r.testing.modelforms_openai import (
    chat_reader,
    chat_render,
    deepseek_forms,
    llama_cpp_python_forms,
    ollama_error,
    openai_error,
    openai_forms,
    responses_read,
    responses_render,
    vllm_error,
    vllm_forms,
)
from s2r.testing.modelsaid import ModelService
from s2r.testing.server import json_answer

_CHAT = "model messages response_format reasoning_effort temperature max_tokens"
_EMPTY_CHAT = json_answer({"id": "c1", "choices": [], "usage": {}})
MODEL_SERVICES: tuple[ModelService, ...] = (
    ModelService(
        "openai", "api.openai.com", "/v1", responses_read, responses_render, openai_error,
        json_answer({"id": "resp_1", "status": "failed", "output": [], "error": {"code": "server_error", "message": "it broke"}}),
        json_answer({"id": "resp_1", "status": "completed"}),
    ),
    ModelService(
        "openai_chat", "api.openai.com", "/v1",
        chat_reader(_CHAT.replace("max_tokens", "max_completion_tokens"), openai_forms, openai_error, "/v1", "max_completion_tokens"),
        chat_render, openai_error, json_answer({"error": {"message": "it broke", "type": "server_error", "code": None}}), _EMPTY_CHAT,
    ),
    ModelService(
        "anthropic", "api.anthropic.com", "", anthropic_read, anthropic_render, anthropic_error,
        json_answer({"type": "error", "error": {"type": "api_error", "message": "it broke"}}),
        json_answer({"id": "msg_1", "type": "message", "role": "assistant"}),
    ),
    ModelService(
        "gemini", "generativelanguage.googleapis.com", "/v1beta", gemini_read, gemini_render, gemini_error,
        json_answer({"error": {"code": 500, "message": "it broke", "status": "INTERNAL"}}), json_answer({"modelVersion": "m"}),
    ),
    ModelService(
        "deepseek", "api.deepseek.com", "",
        chat_reader(f"{_CHAT} thinking", deepseek_forms, openai_error, "", "max_tokens"),
        lambda heard, said: chat_render(heard, said, deepseek=True), openai_error,
        json_answer({"error": {"message": "it broke", "type": "server_error"}}), _EMPTY_CHAT,
    ),
    ModelService(
        "compat", "models.compat.example", "/v1",
        chat_reader(f"{_CHAT} structured_outputs chat_template_kwargs", vllm_forms, vllm_error, "/v1", "max_tokens", keyed=False),
        chat_render, vllm_error, json_answer({"object": "error", "message": "it broke", "code": 500}), _EMPTY_CHAT,
    ),
    ModelService(
        "llama", "models.llama.example", "/v1",
        chat_reader(_CHAT, llama_cpp_python_forms, ollama_error, "/v1", "max_tokens", keyed=False),
        chat_render, ollama_error, json_answer({"error": "it broke"}), _EMPTY_CHAT,
    ),
)  # fmt: skip

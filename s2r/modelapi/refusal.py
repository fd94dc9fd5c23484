"""What a status of a model service means: which errors end all calls of a role, and which only this one; pure."""

from __future__ import annotations

from s2r.errors import S2RError, SourceBroken, SourceRefused, SourceUnusable
from s2r.net.answers import is_page, read_json, said
from s2r.net.hints import LIMITED, is_throttle_page
from s2r.net.reply import Reply

_LONG = ("context length", "context_length", "too long", "too many tokens", "maximum context", "exceeds the context", "token count")


def read_refusal(reply: Reply, provider: str, setting: str, get_key: str) -> S2RError | None:
    """The error that a status means, None for success. `setting` is the prefix of the settings to check (S2R_OPENAI)."""
    status = reply.status
    if 200 <= status < 300:
        return None
    words = _message(reply)
    told = f"status {status}" + (f": {words}" if words else "")
    if reply.spent or status == 402:
        return SourceUnusable(f"credits or plan are used up ({told})", subject=provider, advice=f"Renew them: {get_key or setting}.")
    if status in LIMITED or (status == 403 and is_throttle_page(reply.body)):
        return SourceRefused(f"asked to slow down ({told})", subject=provider)
    if status in (401, 403) and is_page(reply):
        return SourceRefused(f"a page refuses access ({told})", subject=provider, advice="A gateway or firewall stands before the service.")
    if status in (401, 403):
        return SourceUnusable(
            f"the key is refused ({told})", subject=provider, advice=f"Check {setting}_KEY; see {get_key or 'its owner'}."
        )
    if status in (404, 405, 410):
        return SourceUnusable(f"no such model or address ({told})", subject=provider, advice=f"Check the model's name and {setting}_URL.")
    if status == 413 or (status in (400, 422) and any(word in words.lower() for word in _LONG)):
        advice = "Set pack_tokens for this model in policies/models.toml, or lower max_output."
        return SourceRefused(f"the prompt is too long ({told})", subject=provider, advice=advice)
    if status >= 500:
        return SourceBroken(f"the service failed ({told})", subject=provider)
    if status < 400:
        return SourceBroken(f"the answer is no result ({told})", subject=provider)
    return SourceRefused(f"the request is refused ({told})", subject=provider, advice="Check the model's table in policies/models.toml.")


def _message(reply: Reply) -> str:
    try:
        return said(read_json(reply))
    except SourceBroken as exc:
        return exc.message if is_page(reply) else " ".join(reply.text[:120].split())

"""The batch APIs of OpenAI, Anthropic and Gemini as pure pairs: what is sent to submit, follow and find a batch, and what answers say."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from s2r.errors import SourceBroken
from s2r.modelapi.wire import broken, count, items, mapping, string

_REMOTE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,200}")
_ENDED_OPENAI = frozenset({"completed", "failed", "expired", "cancelled"})
_ENDED_GEMINI = re.compile(r"(BATCH|JOB)_STATE_(SUCCEEDED|FAILED|CANCELLED|EXPIRED|PARTIALLY_SUCCEEDED)")


class BatchItem(NamedTuple):
    """One request of a batch: its name there, and path and body as a call of its own would have them."""

    name: str
    path: str
    body: Mapping[str, Any]


class Sent(NamedTuple):
    """One request of the batch API itself."""

    path: str
    content: bytes
    content_type: str = "application/json"


class Remote(NamedTuple):
    """A batch as its service tells of it. `label` is the token that it was given, "" where a service keeps none; `results` are paths
    to ask for its results, `inline` the results themselves where they come with it. `total` 0: not known."""

    ident: str
    ended: bool
    label: str = ""
    created: str = ""
    total: int = 0
    done: int = 0
    cause: str = ""
    results: tuple[str, ...] = ()
    inline: tuple[Mapping[str, Any], ...] = ()


class Result(NamedTuple):
    """What came of one request: the body of its answer as a call of its own would give it, or the cause. `name` "" is by position.

    `billed` is False where the service says that nothing was done.
    """

    name: str
    status: int
    body: Mapping[str, Any] | None
    cause: str = ""
    billed: bool = True


class Page(NamedTuple):
    """A page of the list of batches; `after` is the path of the next one, "" at the end."""

    found: tuple[Remote, ...]
    after: str = ""


class BatchForm(NamedTuple):
    """One batch API. `upload` and `uploaded` are for services that take requests as a file; `submit` is given the file's id then."""

    name: str
    most_bytes: int
    most_items: int
    upload: Callable[[Sequence[BatchItem], str], Sent] | None
    submit: Callable[[Sequence[BatchItem], str, str], Sent]
    remote: Callable[[Mapping[str, Any]], Remote]
    status_path: Callable[[str], str]
    list_path: str
    page: Callable[[Mapping[str, Any]], Page]
    result: Callable[[Mapping[str, Any]], Result]


def results_of(form: BatchForm, text: str) -> Iterator[Result]:
    """The results in lines of JSON; a line that is none is left out, its request then has no result."""
    for line in text.splitlines():
        try:
            data = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(data, Mapping):
            yield form.result(data)


def remote_id(text: str) -> str:
    """An id of a service as a part of a path; raises `SourceBroken` for one that would lead elsewhere."""
    if not _REMOTE.fullmatch(text) or ".." in text or "//" in text:
        raise broken(f"{text[:60]!r} is no id")
    return quote(text, safe="/")


def uploaded_id(data: Mapping[str, Any]) -> str:
    """The id of an uploaded file."""
    return remote_id(string(data, "id"))


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _total(data: Any) -> int:
    return sum(number for number in data.values() if isinstance(number, int) and not isinstance(number, bool))


# --- OpenAI: a file of requests, then a batch of the file; results are one or two files


def _openai_upload(batch: Sequence[BatchItem], token: str) -> Sent:
    lines = [{"custom_id": item.name, "method": "POST", "url": f"/v1{item.path}", "body": item.body} for item in batch]
    rows = b"\n".join(_json(line) for line in lines) + b"\n"
    mark = f"s2r-{hashlib.sha256(rows).hexdigest()}"
    head = f'--{mark}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--{mark}\r\n'
    head += f'Content-Disposition: form-data; name="file"; filename="{token}.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n'
    return Sent("/files", head.encode() + rows + f"\r\n--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}")


def _openai_submit(batch: Sequence[BatchItem], token: str, file: str) -> Sent:
    asked = {"input_file_id": file, "endpoint": f"/v1{batch[0].path}", "completion_window": "24h", "metadata": {"s2r": token}}
    return Sent("/batches", _json(asked))


def _openai_remote(data: Mapping[str, Any]) -> Remote:
    status = string(data, "status")
    if not status or not string(data, "id"):
        raise broken("no batch with id and status")
    faults = [string(fault, "message") or string(fault, "code") for fault in items(mapping(data, "errors"), "data")]
    files = [remote_id(found) for name in ("output_file_id", "error_file_id") if (found := string(data, name))]
    counts = mapping(data, "request_counts")
    return Remote(
        remote_id(string(data, "id")),
        status in _ENDED_OPENAI,
        string(mapping(data, "metadata"), "s2r"),
        str(count(data, "created_at") or ""),
        count(counts, "total"),
        count(counts, "completed") + count(counts, "failed"),
        "; ".join(filter(None, faults[:3]))[:300] or ("" if status == "completed" else f"the batch is {status}"),
        tuple(f"/files/{file}/content" for file in files),
    )


def _openai_page(data: Mapping[str, Any]) -> Page:
    more = string(data, "last_id") if data.get("has_more") is True else ""
    found = tuple(_openai_remote(row) for row in items(data, "data") if string(row, "status"))
    return Page(found, f"/batches?limit=100&after={remote_id(more)}" if more else "")


def _openai_result(line: Mapping[str, Any]) -> Result:
    name, answer, error = string(line, "custom_id"), mapping(line, "response"), mapping(line, "error")
    body, status = answer.get("body"), count(answer, "status_code")
    if error or not isinstance(body, Mapping) or not 200 <= status < 300:
        told = string(error, "message") or string(mapping(body, "error"), "message") or string(error, "code") or f"status {status}"
        return Result(name, status, None, told[:300], billed=False)
    return Result(name, status, body)


# --- Anthropic: one request with all requests; results are lines at an address of their own


def _anthropic_submit(batch: Sequence[BatchItem], token: str, file: str) -> Sent:
    return Sent("/v1/messages/batches", _json({"requests": [{"custom_id": item.name, "params": item.body} for item in batch]}))


def _anthropic_remote(data: Mapping[str, Any]) -> Remote:
    status, ident = string(data, "processing_status"), remote_id(string(data, "id"))
    if not status:
        raise broken("no batch with processing_status")
    counts = mapping(data, "request_counts")
    path = urlsplit(string(data, "results_url")).path  # never the host: the key goes to the service's own address only
    where = path if path.startswith("/v1/messages/batches/") else f"/v1/messages/batches/{ident}/results"
    ended = status == "ended"
    return Remote(
        ident, ended, "", string(data, "created_at"), _total(counts), _total(counts) - count(counts, "processing"),
        results=(where,) if ended else (),
    )  # fmt: skip


def _anthropic_page(data: Mapping[str, Any]) -> Page:
    more = string(data, "last_id") if data.get("has_more") is True else ""
    found = tuple(_anthropic_remote(row) for row in items(data, "data"))
    return Page(found, f"/v1/messages/batches?limit=100&after_id={remote_id(more)}" if more else "")


def _anthropic_result(line: Mapping[str, Any]) -> Result:
    name, result = string(line, "custom_id"), mapping(line, "result")
    kind, message = string(result, "type"), result.get("message")
    if kind == "succeeded" and isinstance(message, Mapping):
        return Result(name, 200, message)
    error = mapping(mapping(result, "error"), "error") or mapping(result, "error")
    return Result(name, 0, None, (string(error, "message") or f"the request is {kind or 'without a result'}")[:300], billed=False)


# --- Gemini: one request with all requests; results come with the batch, in the order of the requests


def _gemini_submit(batch: Sequence[BatchItem], token: str, file: str) -> Sent:
    rows = [{"request": item.body, "metadata": {"key": item.name}} for item in batch]
    path = batch[0].path.removesuffix(":generateContent") + ":batchGenerateContent"
    return Sent(path, _json({"batch": {"display_name": f"s2r-{token}", "input_config": {"requests": {"requests": rows}}}}))


def _gemini_remote(data: Mapping[str, Any]) -> Remote:
    about = mapping(data, "metadata")
    ident, state = string(data, "name") or string(about, "name"), string(about, "state")
    if not ident.startswith("batches/"):
        raise broken("no batch with a name")
    output = mapping(data, "response") or mapping(about, "output")
    inner = mapping(output, "inlinedResponses") or output
    stats, error = mapping(about, "batchStats"), mapping(data, "error")
    total = _number(stats, "requestCount")
    return Remote(
        remote_id(ident),
        data.get("done") is True or bool(_ENDED_GEMINI.fullmatch(state)),
        string(about, "displayName").removeprefix("s2r-"),
        string(about, "createTime"),
        total,
        max(0, total - _number(stats, "pendingRequestCount")) if total else 0,
        (string(error, "message") or ("" if not state or state.endswith("SUCCEEDED") else f"the batch is {state}"))[:300],
        inline=tuple(items(inner, "inlinedResponses")),
    )


def _number(data: Mapping[str, Any], key: str) -> int:
    """A 64-bit count, which this service writes as a string."""
    text = string(data, key)
    return int(text) if text.isdigit() and len(text) < 10 else count(data, key)


def _gemini_page(data: Mapping[str, Any]) -> Page:
    more = string(data, "nextPageToken")
    found = tuple(_gemini_remote(row) for row in items(data, "operations"))
    return Page(found, f"/batches?pageSize=100&pageToken={quote(more, safe='')}" if more else "")


def _gemini_result(line: Mapping[str, Any]) -> Result:
    name, body, error = string(mapping(line, "metadata"), "key"), line.get("response"), mapping(line, "error")
    if isinstance(body, Mapping) and not error:
        return Result(name, 200, body)
    return Result(name, count(error, "code"), None, (string(error, "message") or "the request has no response")[:300], billed=False)


BATCH_FORMS: Mapping[str, BatchForm] = {
    form.name: form
    for form in (
        BatchForm(
            "openai", 100 << 20, 2000, _openai_upload, _openai_submit, _openai_remote, lambda ident: f"/batches/{ident}",
            "/batches?limit=100", _openai_page, _openai_result,
        ),
        BatchForm(
            "anthropic", 100 << 20, 2000, None, _anthropic_submit, _anthropic_remote, lambda ident: f"/v1/messages/batches/{ident}",
            "/v1/messages/batches?limit=100", _anthropic_page, _anthropic_result,
        ),
        BatchForm(
            "gemini", 15 << 20, 2000, None, _gemini_submit, _gemini_remote, lambda ident: f"/{ident}", "/batches?pageSize=100",
            _gemini_page, _gemini_result,
        ),
    )
}  # fmt: skip


def batch_form(name: str) -> BatchForm:
    """The batch API of this name; raises `SourceBroken` for none."""
    if name not in BATCH_FORMS:
        raise SourceBroken(f"there is no batch API {name!r}")
    return BATCH_FORMS[name]

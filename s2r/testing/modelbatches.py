"""Batch APIs of the loopback model services: each request of a batch is answered as a call of its own would be, after some polls."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from s2r.testing.faults import Change
from s2r.testing.modelsaid import Heard, ModelService, unknown_in
from s2r.testing.server import Answer, Seen, json_answer

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
Speak = Callable[[Heard], Answer]


@dataclass(slots=True)
class FakeBatch:
    """One batch at the service: its requests by name, and their answers once it has ended."""

    ident: str
    label: str
    items: dict[str, tuple[str, dict[str, Any]]]
    created: float
    polls: int
    answers: dict[str, Answer] | None = None


@dataclass(slots=True)
class BatchDesk:
    """The batch API of one service, and what a test tells it to do.

    `polls`: looks before a batch ends; `ends`: completed, expired (requests without results), failed (no results at all);
    `missing`: so many last requests have no result; `unnamed`: results come without names; `listed`: whether the list shows batches;
    `changes`: laid over the next answers of the batch API itself, None for a true one. A batch is made before its answer is changed.
    """

    service: ModelService
    key: Callable[[], str]
    speak: Speak
    hear: Callable[[Heard], None]
    polls: int = 1
    ends: str = "completed"
    missing: int = 0
    unnamed: bool = False
    listed: bool = True
    changes: deque[Change | None] = field(default_factory=deque)
    files: dict[str, bytes] = field(default_factory=dict)
    made: list[FakeBatch] = field(default_factory=list)

    def answer(self, seen: Seen) -> Answer | None:
        """The answer to a request of the batch API, None for any other request."""
        handler = _HANDLERS.get(self.service.name)
        answer = handler(self, seen) if handler else None
        if answer is None:
            return None
        change = self.changes.popleft() if self.changes else None
        return change(self.service, answer) if change else answer

    @property
    def requests(self) -> int:
        """Requests in all batches that were made."""
        return sum(len(batch.items) for batch in self.made)

    def allowed(self, seen: Seen) -> bool:
        """Whether a request shows the key where the service wants it."""
        shown = {
            "anthropic": seen.headers.get("x-api-key"),
            "gemini": seen.headers.get("x-goog-api-key"),
        }.get(self.service.name, seen.headers.get("authorization", "").removeprefix("Bearer "))
        return shown == self.key()

    def make(self, label: str, items: dict[str, tuple[str, dict[str, Any]]], prefix: str, seen: Seen) -> FakeBatch:
        """Take a batch."""
        batch = FakeBatch(f"{prefix}{len(self.made) + 1:04d}", label, items, seen.at, self.polls)
        self.made.append(batch)
        return batch

    def find(self, ident: str) -> FakeBatch | None:
        """The batch of this id."""
        return next((batch for batch in self.made if batch.ident == ident), None)

    def look(self, batch: FakeBatch, seen: Seen) -> bool:
        """One look at a batch; whether it has ended."""
        batch.polls -= 1
        if batch.polls < 0 and batch.answers is None:
            names = list(batch.items)[: len(batch.items) - self.missing] if self.ends == "completed" else []
            batch.answers = {name: self._one(seen, *batch.items[name]) for name in names}
        return batch.answers is not None

    def _one(self, seen: Seen, path: str, body: dict[str, Any]) -> Answer:
        heard = self.service.read(replace(seen, method="POST", path=path, query="", body=json.dumps(body).encode()), self.key())
        if isinstance(heard, Answer):
            return heard
        self.hear(heard)
        return self.speak(heard)


def _stamp(at: float) -> str:
    return dt.datetime.fromtimestamp(at, dt.UTC).isoformat().replace("+00:00", "Z")


# --- OpenAI


def _openai(desk: BatchDesk, seen: Seen) -> Answer | None:
    path = seen.path.removeprefix("/v1")
    if not path.startswith(("/files", "/batches")):
        return None
    error = desk.service.error
    if not desk.allowed(seen):
        return error(401, "Incorrect API key provided.")
    if seen.method == "POST" and path == "/files":
        return _openai_file(desk, seen)
    if found := re.fullmatch(r"/files/(file-[\w.-]+)/content", path):
        data = desk.files.get(found.group(1))
        return error(404, "No such File object") if data is None else Answer(200, (("Content-Type", "application/octet-stream"),), data)
    if seen.method == "POST" and path == "/batches":
        return _openai_create(desk, seen)
    if path == "/batches":
        after = seen.params.get("after", "")
        rows = [batch for batch in reversed(desk.made) if desk.listed]
        start = next((n + 1 for n, batch in enumerate(rows) if batch.ident == after), 0)
        shown = rows[start : start + 2]  # small pages, so that clients turn them
        last = shown[-1].ident if shown else None
        data_rows = [_openai_batch(desk, batch) for batch in shown]
        return json_answer({"object": "list", "data": data_rows, "last_id": last, "has_more": start + 2 < len(rows)})
    batch = desk.find(path.removeprefix("/batches/"))
    if batch is None:
        return error(404, "No batch found")
    desk.look(batch, seen)
    return json_answer(_openai_batch(desk, batch))


def _openai_file(desk: BatchDesk, seen: Seen) -> Answer:
    kind = seen.headers.get("content-type", "")
    mark = kind.partition("boundary=")[2].encode()
    parts = seen.body.split(b"--" + mark) if mark else []
    bodies = {}
    for part in parts[1:-1]:
        head, _, body = part.partition(b"\r\n\r\n")
        if name := re.search(rb'name="(\w+)"', head):
            bodies[name.group(1).decode()] = body.removesuffix(b"\r\n")
    if not kind.startswith("multipart/form-data") or bodies.get("purpose") != b"batch" or not bodies.get("file"):
        return desk.service.error(400, "Invalid file upload")
    ident = f"file-in{len(desk.files)}"
    desk.files[ident] = bodies["file"]
    return json_answer({"id": ident, "object": "file", "purpose": "batch", "bytes": len(bodies["file"]), "status": "processed"})


def _openai_create(desk: BatchDesk, seen: Seen) -> Answer:
    data = seen.data if isinstance(seen.data, dict) else {}
    lines = [json.loads(line) for line in desk.files.get(str(data.get("input_file_id")), b"").splitlines()]
    names = [str(line.get("custom_id")) for line in lines]
    unknown = unknown_in(data, "input_file_id endpoint completion_window metadata")
    right = all(line.get("method") == "POST" and line.get("url") == data.get("endpoint") for line in lines)
    if unknown or not lines or len(set(names)) < len(names) or not right or data.get("completion_window") != "24h":
        return desk.service.error(400, f"Invalid batch {unknown}")
    items = {name: (str(line["url"]), dict(line["body"])) for name, line in zip(names, lines, strict=True)}
    label = str((data.get("metadata") or {}).get("s2r", ""))
    return json_answer(_openai_batch(desk, desk.make(label, items, "batch_", seen)))


def _openai_batch(desk: BatchDesk, batch: FakeBatch) -> dict[str, Any]:
    status = "in_progress" if batch.answers is None else desk.ends
    done = batch.answers or {}
    good = {name: answer for name, answer in done.items() if answer.status < 400}
    data: dict[str, Any] = {"id": batch.ident, "object": "batch", "status": status, "created_at": int(batch.created), "errors": None}
    data |= {"metadata": {"s2r": batch.label}, "output_file_id": None, "error_file_id": None, "completion_window": "24h"}
    data["request_counts"] = {"total": len(batch.items), "completed": len(good), "failed": len(done) - len(good)}
    if batch.answers is None or desk.ends == "failed":
        fault = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached", "param": None, "line": None}
        return data | ({"errors": {"object": "list", "data": [fault]}} if batch.answers is not None else {})
    rows = {name: {"status_code": answer.status, "request_id": "r", "body": json.loads(answer.body)} for name, answer in done.items()}
    lines = [{"id": "br", "custom_id": name, "response": row, "error": None} for name, row in rows.items()]
    if desk.ends == "expired":
        error = {"code": "batch_expired", "message": "This request could not be executed before the batch expired."}
        lines += [{"id": "br", "custom_id": name, "response": None, "error": error} for name in batch.items if name not in done]
    for kind, chosen in (
        ("out", [row for row in lines if row["custom_id"] in good]),
        ("err", [row for row in lines if row["custom_id"] not in good]),
    ):
        if chosen:
            ident = f"file-{kind}-{batch.ident}"
            desk.files[ident] = "\n".join(json.dumps(line) for line in reversed(chosen)).encode()
            data["output_file_id" if kind == "out" else "error_file_id"] = ident
    return data


# --- Anthropic


def _anthropic(desk: BatchDesk, seen: Seen) -> Answer | None:
    base = "/v1/messages/batches"
    if not seen.path.startswith(base):
        return None
    error, rest = desk.service.error, seen.path.removeprefix(base).strip("/")
    if not desk.allowed(seen) or not seen.headers.get("anthropic-version"):
        return error(401, "invalid x-api-key")
    if seen.method == "POST" and not rest:
        data = seen.data if isinstance(seen.data, dict) else {}
        rows = data.get("requests", [])
        names = [str(row.get("custom_id")) for row in rows]
        if not rows or len(set(names)) < len(names) or not all(map(_NAME.fullmatch, names)) or unknown_in(data, "requests"):
            return error(400, "requests: invalid")
        items = {name: ("/v1/messages", dict(row["params"])) for name, row in zip(names, rows, strict=True)}
        return json_answer(_anthropic_batch(desk, desk.make("", items, "msgbatch_", seen)))
    if not rest:
        shown = [_anthropic_batch(desk, batch) for batch in reversed(desk.made) if desk.listed]
        return json_answer({"data": shown, "has_more": False, "first_id": None, "last_id": None})
    batch = desk.find(rest.removesuffix("/results"))
    if batch is None:
        return error(404, "Not found")
    if rest.endswith("/results"):
        if batch.answers is None:
            return error(400, "has not ended")
        lines = "\n".join(
            json.dumps(_anthropic_line(desk, batch, name)) for name in reversed(list(batch.items)) if _anthropic_shown(desk, batch, name)
        )
        return Answer(200, (("Content-Type", "application/x-jsonl"),), lines.encode())
    desk.look(batch, seen)
    return json_answer(_anthropic_batch(desk, batch))


def _anthropic_shown(desk: BatchDesk, batch: FakeBatch, name: str) -> bool:
    return name in (batch.answers or {}) or desk.ends != "completed"


def _anthropic_line(desk: BatchDesk, batch: FakeBatch, name: str) -> Mapping[str, Any]:
    answer = (batch.answers or {}).get(name)
    if answer is None:
        return {"custom_id": name, "result": {"type": "expired" if desk.ends == "expired" else "canceled"}}
    body = json.loads(answer.body)
    if answer.status >= 400:
        return {"custom_id": name, "result": {"type": "errored", "error": body}}
    return {"custom_id": name, "result": {"type": "succeeded", "message": body}}


def _anthropic_batch(desk: BatchDesk, batch: FakeBatch) -> dict[str, Any]:
    ended, total = batch.answers is not None, len(batch.items)
    good = sum(answer.status < 400 for answer in (batch.answers or {}).values())
    counts = {"processing": 0 if ended else total, "succeeded": good, "errored": len(batch.answers or {}) - good, "canceled": 0}
    counts["expired"] = total - len(batch.answers or {}) if ended else 0
    where = f"https://api.anthropic.com/v1/messages/batches/{batch.ident}/results"
    return {
        "id": batch.ident, "type": "message_batch", "processing_status": "ended" if ended else "in_progress", "request_counts": counts,
        "created_at": _stamp(batch.created), "ended_at": _stamp(batch.created) if ended else None, "results_url": where if ended else None,
    }  # fmt: skip


# --- Gemini


def _gemini(desk: BatchDesk, seen: Seen) -> Answer | None:
    path, error = re.sub(r"^/v1(beta)?", "", seen.path), desk.service.error
    created = re.fullmatch(r"/models/([^/]+):batchGenerateContent", path)
    if not created and not path.startswith("/batches"):
        return None
    if not desk.allowed(seen) or "key=" in seen.query:
        return error(403, "API key not valid")
    if created:
        batch = (seen.data if isinstance(seen.data, dict) else {}).get("batch", {})
        rows = batch.get("input_config", {}).get("requests", {}).get("requests", [])
        if not rows or not batch.get("display_name"):
            return error(400, "batch: invalid")
        of = f"/v1beta/models/{created.group(1)}:generateContent"
        items = {str(row["metadata"]["key"]): (of, dict(row["request"])) for row in rows}
        return json_answer(_gemini_operation(desk, desk.make(str(batch["display_name"]), items, "batches/b", seen)))
    if path == "/batches":
        shown = [{**_gemini_operation(desk, batch), "response": None} for batch in reversed(desk.made) if desk.listed]
        return json_answer({"operations": shown} if shown else {})
    found = desk.find(path.lstrip("/"))
    if found is None:
        return error(404, "Requested entity was not found.")
    desk.look(found, seen)
    return json_answer(_gemini_operation(desk, found))


def _gemini_operation(desk: BatchDesk, batch: FakeBatch) -> dict[str, Any]:
    ended = batch.answers is not None
    state = {"completed": "SUCCEEDED", "expired": "EXPIRED", "failed": "FAILED"}[desk.ends] if ended else "RUNNING"
    about: dict[str, Any] = {"displayName": batch.label, "state": f"BATCH_STATE_{state}", "createTime": _stamp(batch.created)}
    about |= {
        "name": batch.ident,
        "batchStats": {"requestCount": str(len(batch.items)), "pendingRequestCount": "0" if ended else str(len(batch.items))},
    }
    data: dict[str, Any] = {"name": batch.ident, "metadata": about}
    if not ended:
        return data
    data["done"] = True
    if desk.ends != "completed":
        return data | {"error": {"code": 13, "message": f"the batch has {desk.ends}"}}
    rows = []
    for name, answer in (batch.answers or {}).items():
        body = json.loads(answer.body)
        row = {"response": body} if answer.status < 400 else {"error": {"code": 13, "message": body["error"]["message"]}}
        rows.append(row if desk.unnamed else row | {"metadata": {"key": name}})
    return data | {"response": {"inlinedResponses": {"inlinedResponses": rows}}}


_HANDLERS: Mapping[str, Callable[[BatchDesk, Seen], Answer | None]] = {
    "openai": _openai, "openai_chat": _openai, "anthropic": _anthropic, "gemini": _gemini,
}  # fmt: skip

"""`ModelWorld`: model services on the loopback interface, one for each wire format, that say what they are told to say."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import urlsplit

from s2r.net import Caps, Endpoint, Limit, Limiter, Net, RetryRule
from s2r.net.mask import Mask
from s2r.testing.door import routed_transport
from s2r.testing.faults import Change
from s2r.testing.modelbatches import BatchDesk
from s2r.testing.modelforms import MODEL_SERVICES
from s2r.testing.modelsaid import Heard, ModelService, Said
from s2r.testing.server import Answer, Seen, Server, html_answer

Speaker = Callable[[Heard], Said]


@dataclass(slots=True)
class _Line:
    """What one service is told to do, and what was asked of it."""

    service: ModelService
    key: str
    queue: deque[Said | Change | None] = field(default_factory=deque)
    speaker: Speaker = lambda _: Said()
    lasting: Change | None = None
    latency: float = 0.0
    seen: list[Seen] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    under_way: int = 0
    most: int = 0
    batches: BatchDesk = field(init=False)

    def __post_init__(self) -> None:
        self.batches = BatchDesk(self.service, lambda: self.key, self.say, self.heard.append)

    def say(self, heard: Heard) -> Answer:
        """What the service answers to a request that it does not refuse."""
        step = self.queue.popleft() if self.queue else self.lasting
        if isinstance(step, Said):
            return self.service.render(heard, step)
        answer = self.service.render(heard, self.speaker(heard))
        return step(self.service, answer) if step else answer


class ModelWorld:
    """Model services on 127.0.0.1: openai, openai_chat, anthropic, gemini, deepseek, compat (vLLM, llama.cpp), llama (llama-cpp-python).

    Use as a context manager. Through `net` they also answer at their real hosts. A
    request that the real service would refuse is refused. What a model says is a `Said`: one after the
    other by `script`, else by the function given to `speak`. Nothing in it connects to anything.
    """

    def __init__(self, *, keys: Mapping[str, str] | None = None) -> None:
        self._lines = {
            service.name: _Line(service, (keys or {}).get(service.name, f"sk-{service.name}-4b/1f9c+77")) for service in MODEL_SERVICES
        }
        self._server = Server(self._handle)

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.__exit__(*exc)

    @property
    def origin(self) -> str:
        """Address of the world."""
        return f"http://127.0.0.1:{self._server.port}"

    def url(self, name: str) -> str:
        """Base address of a service, for S2R_<NAME>_URL."""
        return f"{self.origin}/{name}{self._lines[name].service.base}"

    def key(self, name: str) -> str:
        """The key that a service takes."""
        return self._lines[name].key

    def env(self, *names: str) -> dict[str, str]:
        """Environment for a command that uses these services."""
        env: dict[str, str] = {}
        for name in names:
            account = name.removesuffix("_chat").upper()
            env |= {f"S2R_{account}_URL": self.url(name), f"S2R_{account}_KEY": self.key(name)}
        return env

    def net(self, role: str = "model", *, limiter: Limiter | None = None, retry: RetryRule | None = None, **more: Any) -> Net:
        """A real client that may use the world's address, as one that an operator has set; by default it has no pace of its own."""
        own = frozenset({Endpoint("127.0.0.1", self._server.port)})
        limiter = limiter or Limiter(default=Limit(rate=1e5, burst=100, concurrency=200))
        transport = routed_transport(self._server.port, self._server.bare_tls_port, own)
        more = {"user_agent": "s2r-test", "caps": Caps(total_s=10.0), "mask": Mask(line.key for line in self._lines.values()), **more}
        return Net(role, transport, limiter, operator=own, retry=retry, **more)

    # --- what it does

    def script(self, name: str, *steps: Said | Change | None) -> None:
        """The next requests of a service are answered with these, or what is said is changed by them (None: what its speaker says)."""
        self._lines[name].queue.extend(steps)

    def unscript(self, name: str) -> None:
        """Forget what was scripted and not used."""
        self._lines[name].queue.clear()

    def set_key(self, name: str, key: str) -> None:
        """The key that a service takes from now on."""
        self._lines[name].key = key

    def speak(self, name: str, speaker: Speaker | Said) -> None:
        """What a service says to every request without a script."""
        self._lines[name].speaker = (lambda _: speaker) if isinstance(speaker, Said) else speaker

    def always(self, name: str, change: Change | None) -> None:
        """Every answer of a service that has no script is changed; None ends it."""
        self._lines[name].lasting = change

    def latency(self, name: str, seconds: float) -> None:
        """Seconds that a service takes for each answer."""
        self._lines[name].latency = seconds

    # --- what it saw

    def service(self, name: str) -> ModelService:
        """The dialect of a service."""
        return self._lines[name].service

    def calls(self, name: str) -> tuple[Seen, ...]:
        """Requests that a service got, in order."""
        return tuple(self._lines[name].seen)

    def heard(self, name: str) -> tuple[Heard, ...]:
        """What a service understood of the requests that it did not refuse."""
        return tuple(self._lines[name].heard)

    def answers(self, name: str) -> tuple[int, ...]:
        """Statuses that a service gave, in order; 0 for resets and silence."""
        return tuple(self._lines[name].statuses)

    def batches(self, name: str) -> BatchDesk:
        """The batch API of a service."""
        return self._lines[name].batches

    def most_at_once(self, name: str) -> int:
        """The most requests that were under way at the same time."""
        return self._lines[name].most

    async def _handle(self, seen: Seen) -> Answer:
        line, seen = self._line(seen)
        if line is None:
            return html_answer("Loopback models", ", ".join(self._lines), 404)
        line.seen.append(seen)
        line.under_way += 1
        line.most = max(line.most, line.under_way)
        try:
            began = time.monotonic()
            answer = self._answer(line, line.seen[-1])
            if line.latency:
                await asyncio.sleep(max(0.0, line.latency - (time.monotonic() - began)))
        finally:
            line.under_way -= 1
        line.statuses.append(0 if answer.reset or answer.silent else answer.status)
        return answer

    def _line(self, seen: Seen) -> tuple[_Line | None, Seen]:
        """The service that a request is for, by its real host or by the first part of the path at the world's address."""
        if seen.host == urlsplit(self.origin).netloc:
            name, _, rest = seen.path.lstrip("/").partition("/")
            return self._lines.get(name), replace(seen, path=f"/{rest}")
        at_host = [line for line in self._lines.values() if line.service.host == seen.host]
        fitting = [line for line in at_host if line.service.name.endswith("_chat") == ("/chat/" in seen.path)] or at_host
        return next(iter(fitting), None), seen

    def _answer(self, line: _Line, seen: Seen) -> Answer:
        if (answer := line.batches.answer(seen)) is not None:
            return answer
        heard = line.service.read(seen, line.key)
        if isinstance(heard, Answer):
            return heard
        line.heard.append(heard)
        return line.say(heard)

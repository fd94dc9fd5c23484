"""What can go wrong with an answer, as values: each fault changes an answer, and says what a client must make of it.

`means`: "failed" (this query failed), "unusable" (no further call helps), "empty", "answered". A failure that reads as "empty" is
the error that matters: it would turn "not searched" into "nothing found".
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import format_datetime
from typing import Protocol

from s2r.testing.server import Answer, html_answer, json_answer


class Refuser(Protocol):
    """A service as far as faults know it; see `Service`."""

    @property
    def error(self) -> Callable[[int, str], Answer]:
        """A refusal in its own form."""
        ...

    @property
    def unserved(self) -> Answer:
        """A failure inside a success."""
        ...

    @property
    def broken(self) -> Answer:
        """A success that holds nothing of use."""
        ...


Change = Callable[[Refuser, Answer], Answer]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `wait`: seconds that the answer asks a client to wait; `repeated`: whether a client may try the same call again."""

    name: str
    means: str
    change: Change
    wait: float | None = None
    repeated: bool = False

    def __call__(self, service: Refuser, answer: Answer) -> Answer:
        """The answer with the fault."""
        return self.change(service, answer)


def limited(status: int = 429, *headers: tuple[str, str]) -> Change:
    """A refusal to go so fast, in the service's own form, with these headers as its hint."""
    return lambda service, _: service.error(status, "Too many requests").with_headers(*headers)


def spent(status: int, words: str = "Plan limit reached") -> Change:
    """A refusal because credits or plan are used up."""
    return lambda service, _: service.error(status, words)


def fixed(answer: Answer) -> Change:
    """Always this answer."""
    return lambda _, __: answer


def rebodied(change: Callable[[bytes], bytes], *headers: tuple[str, str]) -> Change:
    """The true answer with another body."""
    return lambda _, answer: replace(answer, body=change(answer.body)).with_headers(*headers)


def late(seconds: float) -> Change:
    """The true answer after some seconds."""
    return lambda _, answer: replace(answer, delay=seconds)


def retry_at(seconds: float) -> Change:
    """429 with Retry-After as an HTTP date so many seconds from now."""

    def change(service: Refuser, _: Answer) -> Answer:
        when = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)  # noqa: TID251 - a server has a clock
        return service.error(429, "Too many requests").with_headers(("Retry-After", format_datetime(when, usegmt=True)))

    return change


def reset_at(seconds: float) -> Change:
    """429 with an RFC 3339 reset time so many seconds from now."""

    def change(service: Refuser, _: Answer) -> Answer:
        when = (dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)).isoformat(timespec="milliseconds")  # noqa: TID251 - a server has a clock
        headers = ("anthropic-ratelimit-requests-remaining", "0"), ("anthropic-ratelimit-requests-reset", when)
        return service.error(429, "Too many requests").with_headers(*headers)

    return change


def _latin(body: bytes) -> bytes:
    """The body in Latin-1 with a letter that makes it invalid as UTF-8."""
    return _accented(body).decode().encode("latin-1", "replace")


def _accented(body: bytes) -> bytes:
    return body.decode().replace("{", '{"accent": "Société générale", ', 1).encode()


_CHALLENGE = html_answer("Just a moment...", "Checking your browser before you go on.")
_GOOGLE_WAIT = json_answer(
    {"error": {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED",
               "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "27s"}]}}, 429
)  # fmt: skip
_JSON, _UTF8 = ("Content-Type", "application/json"), ("Content-Type", "application/json; charset=utf-8")
_BRAVE = (("X-RateLimit-Limit", "1, 15000"), ("X-RateLimit-Remaining", "0, 14523"), ("X-RateLimit-Reset", "3, 1419704"))
_MINUTES = (("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "6m0s"))

SLOWER: tuple[Fault, ...] = (
    Fault("429 without a hint", "failed", limited(), None, True),
    Fault("429, Retry-After in seconds", "failed", limited(429, ("Retry-After", "7")), 7.0, True),
    Fault("429, Retry-After as a date", "failed", retry_at(30), 30.0, True),
    Fault("429, comma lists", "failed", limited(429, *_BRAVE), 3.0, True),
    Fault("429, reset in minutes", "failed", limited(429, *_MINUTES), 360.0),
    Fault("429, RetryInfo", "failed", fixed(_GOOGLE_WAIT), 27.0, True),
    Fault("429, reset as RFC 3339", "failed", reset_at(20), 20.0, True),
    Fault("429 as HTML", "failed", lambda _, __: replace(_CHALLENGE, status=429), None, True),
    Fault("503 with Retry-After", "failed", limited(503, ("Retry-After", "5")), 5.0, True),
    Fault("529 overloaded", "failed", limited(529), None, True),
    Fault("403 threshold page", "failed", fixed(html_answer("Request Rate Threshold Exceeded", "Slow down.", 403)), 600.0),
)
SPENT: tuple[Fault, ...] = (
    Fault("402", "unusable", spent(402)),
    Fault("432 plan limit", "unusable", spent(432)),
    Fault("433 pay-as-you-go limit", "unusable", spent(433)),
    Fault("429 insufficient_quota", "unusable", fixed(json_answer({"error": {"code": "insufficient_quota", "message": "x"}}, 429))),
    Fault("401", "unusable", lambda service, _: service.error(401, "Invalid key")),
)
BROKEN: tuple[Fault, ...] = (
    Fault("HTML in 200", "failed", fixed(_CHALLENGE)),
    Fault("HTML in 403", "failed", lambda _, __: replace(_CHALLENGE, status=403)),
    Fault("500", "failed", lambda service, _: service.error(500, "Internal error")),
    Fault("502 as HTML", "failed", fixed(html_answer("502 Bad Gateway", "nginx", 502)), None, True),
    Fault("404", "failed", lambda service, _: service.error(404, "Not found")),
    Fault("failure inside 200", "failed", lambda service, _: service.unserved),
    Fault("error object in 200", "failed", fixed(json_answer({"error": "internal"}))),
    Fault("rows without addresses", "failed", lambda service, _: service.broken),
    Fault("list in place of an object", "failed", fixed(json_answer([]))),
    Fault("null", "failed", fixed(json_answer(None))),
    Fault("empty object", "failed", fixed(json_answer({}))),
    Fault("endless nesting", "failed", fixed(Answer(200, (_JSON,), b"[" * 100_000))),
    Fault("empty body", "failed", fixed(Answer(200, (_JSON,)))),
    Fault("204", "failed", fixed(Answer(204))),
    Fault("JSON cut in the middle", "failed", rebodied(lambda body: body[: len(body) // 2])),
    Fault("body shorter than announced", "failed", lambda _, answer: replace(answer, cut=len(answer.body) // 2), None, True),
    Fault("wrong charset", "failed", rebodied(_latin, _UTF8)),
    Fault("gzip without its label", "failed", rebodied(gzip.compress)),
    Fault("gzip cut short", "failed", rebodied(lambda body: gzip.compress(body)[:-12], ("Content-Encoding", "gzip")), None, True),
    Fault("connection reset", "failed", lambda _, answer: replace(answer, reset=True), None, True),
    Fault("redirect to a private address", "failed", fixed(Answer(302, (("Location", "http://169.254.169.254/latest/"),)))),
    Fault("redirect without a target", "failed", fixed(Answer(302))),
)
STALLED: tuple[Fault, ...] = (
    Fault("silence", "failed", lambda _, answer: replace(answer, silent=True), None, True),
    Fault("slow drip", "failed", lambda _, answer: replace(answer, drip=0.2), None, True),
)
HARMLESS: tuple[Fault, ...] = (
    Fault("gzip unasked", "answered", rebodied(gzip.compress, ("Content-Encoding", "gzip"))),
    Fault("Latin-1 as declared", "answered", rebodied(_latin, ("Content-Type", "application/json; charset=iso-8859-1"))),
    Fault("UTF-8 declared as Latin-1", "answered", rebodied(_accented, ("Content-Type", "application/json; charset=iso-8859-1"))),
    Fault("byte order mark", "answered", rebodied(lambda body: b"\xef\xbb\xbf" + body)),
    Fault("JSON labelled as text", "answered", rebodied(lambda body: body, ("Content-Type", "text/plain"))),
    Fault("late", "answered", late(0.05)),
    Fault("unknown fields", "answered", rebodied(lambda body: json.dumps(json.loads(body) | {"new_2027": [1]}).encode())),
)
# no answer came, or a gateway lost it: the service may have done its work, and may bill it
LOST: tuple[Fault, ...] = (*(told for told in BROKEN if told.repeated), *STALLED)
FAULTS: tuple[Fault, ...] = (*SLOWER, *SPENT, *BROKEN, *STALLED, *HARMLESS)


def fault(name: str) -> Fault:
    """The fault of this name; `KeyError` when there is none."""
    return {found.name: found for found in FAULTS}[name]

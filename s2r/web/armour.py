"""What stands before every route: security headers, known host names, a user or no answer, a cap on bodies, and the audit log."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders, State
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from s2r.access import AccessStore, AuditLog, User
from s2r.errors import S2RError
from s2r.web.desk import LOOPBACK_NAMES, WebDesk
from s2r.web.entry import client_address, identify, is_address, is_forwarded
from s2r.web.problems import problem_response

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
TLS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}
OPEN = frozenset({"/healthz", "/login"})  # answered without a login
LEAVES_OWN = frozenset({"content-security-policy", "cache-control"})  # a route may set its own, such as a stricter policy
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_BODY = 64 * 1024 * 1024  # bytes; an edited export of 100,000 records has about 30 MB
MOST_UNKNOWN = 64 * 1024  # of somebody who is not logged in

LOG = logging.getLogger("s2r.web")


class Armour:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self._app, self._state = app, state

    @property
    def _desk(self) -> WebDesk:
        desk: WebDesk = self._state.desk
        return desk

    @property
    def _access(self) -> AccessStore:
        access: AccessStore = self._state.access
        return access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        if scope["type"] != "http":
            return
        started = time.perf_counter()
        headers = Headers(scope=scope)
        peer = str((scope.get("client") or ("",))[0])
        state = scope.setdefault("state", {})
        state["address"] = client_address(self._desk, peer, headers)
        state["user"] = None
        answer = _Answer(send, HEADERS | TLS_ONLY if self._desk.https else HEADERS)
        try:
            refusal = await self._refusal(scope, headers, peer)
            user: User | None = state["user"]
            await (refusal or self._app)(scope, _capped(receive, MOST_BODY if user else MOST_UNKNOWN), answer)
        finally:
            await self._note(scope, state, answer, time.perf_counter() - started)

    async def _refusal(self, scope: Scope, headers: Headers, peer: str) -> Response | None:
        """The answer to a request that goes no further, None for one that does, with its user in the scope's state."""
        if not self._knows(headers.get("host", ""), str((scope.get("server") or ("",))[0])):
            return problem_response(421, "This service does not go by that name.", "Start it with --allow-host NAME to be reached so.")
        try:
            user = await to_thread.run_sync(identify, self._desk, self._access, peer, headers)
        except S2RError as exc:
            return problem_response(503, exc.message, "Try again soon.")
        scope["state"]["user"] = user
        if user is None and scope["path"] not in OPEN:
            if not self._desk.needs_login and is_forwarded(headers):
                return problem_response(403, "A proxy passes requests on to a service without login.", "Start it with --login.")
            return _to_login(scope, headers)
        return None

    def _knows(self, host: str, own: str) -> bool:
        """Whether a Host header names this service, or gives the address `own` that was connected to: a page of another name that was made
        to resolve to this address gets nothing."""
        try:
            parts = urlsplit(f"//{host}")
            names = {name.lower().strip("[]") for name in (*LOOPBACK_NAMES, *self._desk.hosts, self._desk.host)}
            known = parts.hostname in names or (parts.hostname == own and is_address(own))
            return known and "@" not in parts.netloc and not parts.path and (parts.port or 1) > 0
        except ValueError:
            return False

    async def _note(self, scope: Scope, state: dict[str, object], answer: _Answer, seconds: float) -> None:
        """Log every request; keep what a user changed, took away or was refused in the audit log."""
        user = state.get("user")
        name = user.name if isinstance(user, User) else ""
        said = {"method": scope["method"], "path": scope["path"], "status": answer.status, "user": name, "address": state["address"]}
        LOG.info("request", extra={"fields": said | {"ms": round(1000 * seconds, 1)}})
        if not isinstance(user, User) or scope["path"] in OPEN:
            return
        if scope["method"] in SAFE_METHODS and not answer.attached and answer.status != 403:
            return
        query = scope["query_string"].decode("latin-1")
        subject = scope["path"] + (f"?{query}" if query else "")
        await to_thread.run_sync(self._keep, user, str(state["address"]), scope["method"], subject, answer)

    def _keep(self, user: User, address: str, method: str, subject: str, answer: _Answer) -> None:
        try:
            AuditLog(self._access).add(
                self._desk.clock(), user.name, method, subject, via=user.via, address=address, outcome=str(answer.status),
                detail="download" if answer.attached else "",
            )  # fmt: skip
        except S2RError as exc:
            LOG.error("the audit log cannot be written", extra={"fields": {"error": str(exc), "user": user.name, "path": subject}})


class _Answer:
    """Passes an answer on with the security headers, and keeps what the logs say of it."""

    def __init__(self, send: Send, headers: Mapping[str, str]) -> None:
        self._send, self._headers = send, headers
        self.status = 500
        self.attached = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                if name.lower() not in LEAVES_OWN or name not in headers:
                    headers[name] = value
            self.status = message["status"]
            self.attached = headers.get("content-disposition", "").startswith("attachment")
        await self._send(message)


def _to_login(scope: Scope, headers: Headers) -> Response:
    """Browsers that open a page are led to the login, all others are told."""
    where = "/login?next=" + quote(scope["path"] + (f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""))
    if headers.get("hx-request"):
        return Response(status_code=401, headers={"HX-Redirect": "/login"})
    if scope["method"] == "GET" and "text/html" in headers.get("accept", "") and not scope["path"].startswith("/api/"):
        return RedirectResponse(where, 303)
    challenge = {"WWW-Authenticate": 'Bearer realm="s2r"'}
    return problem_response(401, "You are not logged in.", "Log in at /login, or send a token: Authorization: Bearer ...", challenge)


def _capped(receive: Receive, most: int) -> Receive:
    """`receive` that refuses a body of more than `most` bytes, whatever its head says."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if taken > most:
            raise HTTPException(413, f"The body is larger than {most} bytes.")
        return message

    return receiving

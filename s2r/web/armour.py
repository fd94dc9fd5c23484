"""What stands before every route: security headers, known host names, and a user, or no answer."""

from __future__ import annotations

import secrets
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from s2r.access import User
from s2r.access.roles import LOCAL
from s2r.web.desk import LOOPBACK_NAMES, WebDesk
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
OPEN = frozenset({"/healthz", "/login"})  # answered without a login
LEAVES_OWN = frozenset({"content-security-policy", "cache-control"})  # a route may set its own, such as a stricter policy


class Armour:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, desk: WebDesk) -> None:
        self._app, self._desk = app, desk
        self._local_csrf = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        response = self._refusal(scope)
        await (response or self._app)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further, None for one that does, with its user in the scope's state."""
        headers = Headers(scope=scope)
        if not self._knows(headers.get("host", "")):
            return problem_response(421, "This service does not go by that name.", "Add the name with --allow-host.")
        user = self._user(headers)
        scope.setdefault("state", {})["user"] = user
        if user is None and scope["path"] not in OPEN:
            return _to_login(scope, headers)
        return None

    def _knows(self, host: str) -> bool:
        """Whether a Host header names this service: a page of another name that resolves to this address gets nothing."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        names = {*(n.strip("[]") for n in LOOPBACK_NAMES), *(n.lower().strip("[]") for n in self._desk.hosts), self._desk.host.strip("[]")}
        return name in names

    def _user(self, headers: Headers) -> User | None:
        if self._desk.needs_login:
            return None
        return User(LOCAL, self._desk.local_role, LOCAL, self._local_csrf)


def _to_login(scope: Scope, headers: Headers) -> Response:
    """Browsers that open a page are led to the login, all others are told."""
    where = "/login?next=" + quote(scope["path"] + (f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""))
    if headers.get("hx-request"):
        return Response(status_code=401, headers={"HX-Redirect": "/login"})
    if scope["method"] == "GET" and "text/html" in headers.get("accept", "") and not scope["path"].startswith("/api/"):
        return RedirectResponse(where, 303)
    challenge = {"WWW-Authenticate": 'Bearer realm="s2r"'}
    return problem_response(401, "You are not logged in.", "Log in at /login, or send a token: Authorization: Bearer ...", challenge)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                if name.lower() not in LEAVES_OWN or name not in headers:
                    headers[name] = value
        await send(message)

    return sending

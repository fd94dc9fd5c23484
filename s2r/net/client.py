"""`Net`, the only client of the network: guarded, paced, capped, retried, with its own redirect loop and errors of our tree.

It drives the transport of httpx directly, so that nothing happens behind its back: no cookie store, no environment, no
automatic redirects or decoding.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any, Self

import httpx
from pydantic import Field

from s2r.errors import S2RError, SourceBroken
from s2r.models.listing import Frozen
from s2r.net.address import Endpoint, Target, check_url
from s2r.net.errors import FOREIGN, AddressRefused, RedirectRefused, TooLarge, as_source_error
from s2r.net.guard import BlockedAddress
from s2r.net.hints import asked_wait, is_limited, is_spent
from s2r.net.inflate import ACCEPT_ENCODING, Caps, read_body
from s2r.net.limits import Grant, Limiter
from s2r.net.mask import Mask, quiet_wire_logs
from s2r.net.retry import RetryRule, is_passing, may_repeat

MAX_HOPS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KEPT_ACROSS_ORIGINS = frozenset({"accept", "accept-language", "user-agent", "accept-encoding"})
_CONNECT_S, _READ_S = 10.0, 20.0
Params = Mapping[str, str | int | float]
OnHop = Callable[[Target], Awaitable[None]]


class Reply(Frozen):
    """One answer, whatever its status. `headers` have lower-case names; `body` is decoded from its transfer and content codings.

    `url` was asked for, `final_url` answered; `hops` holds "<status> <address>" of each redirect on the way. `flags`: downgrade
    (https led to http). Addresses hold no secrets. `waited_s` is the time spent in queues and pauses, `elapsed_s` all time.
    """

    url: str
    final_url: str
    status: int
    headers: tuple[tuple[str, str], ...] = Field(repr=False)
    body: bytes = Field(repr=False)
    hops: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    http: str = ""
    attempts: int = 1
    waited_s: float = 0.0
    elapsed_s: float = 0.0
    asked_wait_s: float | None = None  # what the answer says about the next request
    spent: bool = False  # credits, plan or quota are used up

    def header(self, name: str) -> str:
        """The last value of a header, "" when there is none."""
        return next((value for key, value in reversed(self.headers) if key == name.lower()), "")

    @property
    def content_type(self) -> str:
        """The media type as declared."""
        return self.header("content-type")

    @property
    def text(self) -> str:
        """The body by its declared charset, else UTF-8; what does not fit is replaced."""
        charset = self.content_type.lower().partition("charset=")[2].split(";")[0].strip(" \"'") or "utf-8"
        try:
            return self.body.decode(charset, "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")

    def json_data(self) -> Any:
        """The body read as JSON; `SourceBroken` when it is not (a page, cut short, wrong charset)."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as exc:
            start = " ".join(self.text[:80].split())
            raise SourceBroken(f"no JSON in the answer with status {self.status} ({start!r})", subject=self.final_url) from exc


class _Hop:
    """One request on its way: what is sent, and what is known of it."""

    def __init__(self, method: str, target: Target, headers: dict[str, str], content: bytes | None) -> None:
        self.method, self.target, self.headers, self.content = method, target, headers, content
        self.sent = False


class Net:
    """A client for one role (search, fetch, model, verifier). Use as an async context manager, or call `aclose`.

    `operator` are the endpoints of the settings: only they may be private or use other ports. `proxied` says that the
    transport goes through a proxy, which resolves names itself.
    """

    def __init__(
        self,
        role: str,
        transport: httpx.AsyncBaseTransport,
        limiter: Limiter,
        *,
        user_agent: str,
        operator: Collection[Endpoint] = (),
        proxied: bool = False,
        caps: Caps | None = None,
        retry: RetryRule | None = None,
        mask: Mask | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        quiet_wire_logs()
        self.role, self.limiter, self.user_agent, self.proxied = role, limiter, user_agent, proxied
        self.caps, self.retry, self.mask = caps or Caps(), retry or RetryRule(), mask or Mask()
        self._transport, self._operator = transport, frozenset(operator)
        self._clock, self._sleep, self._jitter = clock, sleep, jitter

    def __repr__(self) -> str:
        return f"Net({self.role!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    def check(self, url: str) -> Target:
        """`url` if this client may ask for it, else `AddressRefused`."""
        return check_url(url, operator=self._operator)

    async def get(self, url: str, *, params: Params | None = None, headers: Mapping[str, str] | None = None, **more: Any) -> Reply:
        """`request` with GET."""
        return await self.request("GET", url, params=params, headers=headers, **more)

    async def post(self, url: str, *, data: Any = None, headers: Mapping[str, str] | None = None, **more: Any) -> Reply:
        """`request` with POST and a JSON body; repeated only with `safe=True`, or when it never left."""
        return await self.request("POST", url, data=data, headers=headers, **more)

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Params | None = None,
        headers: Mapping[str, str] | None = None,
        data: Any = None,
        content: bytes | None = None,
        bucket: str = "",
        tokens: float = 0.0,
        safe: bool | None = None,
        retry: RetryRule | None = None,
        caps: Caps | None = None,
        on_hop: OnHop | None = None,
        patience: float = 120.0,
    ) -> Reply:
        """The answer to a request, also one with an error status; raises only `SourceError` and `SourceUnusable`.

        `data` is sent as JSON, `content` as it is. `bucket` names the limit to keep (default: that of the host), `tokens` what it
        costs there. `on_hop` is asked before each hop and may raise. Tried again as `retry` says; 429 and 5xx answers that remain
        are returned. `patience`: seconds of a pause of the host that are waited for.
        """
        body = content
        sent = {name.lower(): value for name, value in (headers or {}).items()}
        try:
            if data is not None:
                body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
                sent.setdefault("content-type", "application/json")
            full = str(httpx.URL(url.strip(), params=_merged(url, params))) if params else url
            hop = _Hop(method.upper(), self.check(full), self._headers(sent), body)
            return await self._tried(
                hop, bucket, tokens, may_repeat(method, safe), retry or self.retry, caps or self.caps, on_hop, patience
            )
        except S2RError as exc:
            raise self._clean(exc) from self._cause(exc)
        except FOREIGN as exc:
            error = self._clean(as_source_error(exc, url))
            raise error from (None if self.mask.holds(exc) else exc)

    async def _tried(
        self, first: _Hop, bucket: str, tokens: float, repeatable: bool, rule: RetryRule, caps: Caps, on_hop: OnHop | None, patience: float
    ) -> Reply:
        begin, waited, attempt = self._clock(), 0.0, 0
        while True:
            attempt += 1
            hop = _Hop(first.method, first.target, dict(first.headers), first.content)
            error: S2RError | None = None
            reply: Reply | None = None
            try:
                reply, queued = await self._followed(hop, bucket, tokens, caps, on_hop, patience)
                waited += queued
                if reply.status not in rule.statuses and not is_limited(reply.status, reply.body):
                    break
                pause = rule.pause(attempt, reply.asked_wait_s, self._jitter) if repeatable and not reply.spent else None
            except S2RError as exc:
                error = exc
                pause = rule.pause(attempt, None, self._jitter) if is_passing(exc, repeatable=repeatable, sent=hop.sent) else None
            if pause is None or waited + pause > rule.total_s:
                break
            await self._sleep(pause)
            waited += pause
        if reply is None:
            assert error is not None
            raise error
        return reply.model_copy(update={"attempts": attempt, "waited_s": round(waited, 3), "elapsed_s": round(self._clock() - begin, 3)})

    async def _followed(
        self, hop: _Hop, bucket: str, tokens: float, caps: Caps, on_hop: OnHop | None, patience: float
    ) -> tuple[Reply, float]:
        """The answer at the end of the redirects from `hop`, and the seconds spent in queues."""
        asked, hops, flags, waited = hop.target.url, [], [], 0.0
        jar, seen = httpx.Cookies(), set()
        while True:
            if on_hop:
                await on_hop(hop.target)
            name = bucket if bucket and not hops else self.limiter.bucket(hop.target.host)
            start = self._clock()
            async with self.limiter.slot(name, tokens=tokens, patience=patience, longest=caps.total_s + 5.0) as grant:
                waited += self._clock() - start
                response, body = await self._exchanged(hop, grant, caps, jar)
            wait = await self._booked(name, response, body)
            location = response.headers.get("location", "")
            if response.status_code not in _REDIRECTS or not location:
                known = self.mask.known
                return Reply(
                    url=known(asked), final_url=known(hop.target.url), status=response.status_code, headers=_plain(response, known),
                    body=body, hops=tuple(map(known, hops)), flags=tuple(flags), http=_version(response), asked_wait_s=wait,
                    spent=is_spent(response.status_code, body),
                ), waited  # fmt: skip
            hops.append(f"{response.status_code} {hop.target.url}")
            hop = self._next(hop, response.status_code, location, len(hops))
            if hops[-1].startswith("3") and " https:" in hops[-1] and hop.target.scheme == "http" and "downgrade" not in flags:
                flags.append("downgrade")
            # the same address twice is a loop, unless a cookie was set that may change the answer
            state = (hop.method, hop.target.url, tuple(sorted((c.name, c.value or "") for c in jar.jar)))
            if state in seen:
                raise RedirectRefused("redirects lead in a circle", subject=hop.target.url)
            seen.add(state)

    async def _exchanged(self, hop: _Hop, grant: Grant, caps: Caps, jar: httpx.Cookies) -> tuple[httpx.Response, bytes]:
        """One request and its whole body under the caps; foreign errors come out as ours."""
        url = hop.target.url
        try:
            request = httpx.Request(hop.method, url, headers=hop.headers, content=hop.content)
            if request.url.raw_host.decode("ascii").strip("[]").lower() != hop.target.host:
                raise AddressRefused("two readers of this address see different hosts", subject=url)
            jar.set_cookie_header(request)
            request.extensions = {"timeout": _timeout(caps).as_dict(), "trace": self._trace(hop, grant)}
            async with asyncio.timeout(caps.total_s):
                response = await self._transport.handle_async_request(request)
                response.request = request
                try:
                    body = await self._body(response, caps, url)
                finally:
                    await response.aclose()
            jar.extract_cookies(response)
        except BlockedAddress as exc:
            raise AddressRefused(str(exc), subject=url) from exc
        except httpx.ConnectError as exc:
            if isinstance(exc.__cause__, BlockedAddress):
                raise AddressRefused(str(exc), subject=url) from exc
            await self.limiter.failed(grant.bucket)
            raise as_source_error(exc, url) from exc
        except FOREIGN as exc:
            await self.limiter.failed(grant.bucket)
            raise as_source_error(exc, url) from exc
        return response, body

    async def _body(self, response: httpx.Response, caps: Caps, url: str) -> bytes:
        declared = response.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > caps.wire:
            raise TooLarge(f"{declared} bytes are announced, more than the cap of {caps.wire}", subject=url)
        if response.request.method == "HEAD" or response.status_code in (204, 304):
            return b""
        return await read_body(response.aiter_raw(), response.headers.get("content-encoding", ""), caps, url)

    def _trace(self, hop: _Hop, grant: Grant) -> Callable[[str, Any], Awaitable[None]]:
        async def trace(event: str, info: Any) -> None:
            if event.endswith("send_request_headers.started"):
                hop.sent = True
                await self.limiter.sent(grant)

        return trace

    async def _booked(self, bucket: str, response: httpx.Response, body: bytes) -> float | None:
        """Tell the limiter how the answer was; the seconds that it asks to wait."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        wait = asked_wait(response.status_code, headers, body, self._clock())
        if is_limited(response.status_code, body):
            if not is_spent(response.status_code, body):
                await self.limiter.limited(bucket, wait)
        elif response.status_code in (502, 503, 504) and wait is not None:
            await self.limiter.hold(bucket, wait)
        else:
            await self.limiter.passed(bucket)
            if wait is not None and wait > 1.1 / self.limiter.limit(bucket).rate:  # a window longer than our own pace is used up
                await self.limiter.hold(bucket, wait)
        return wait

    def _next(self, hop: _Hop, status: int, location: str, count: int) -> _Hop:
        """The hop that a redirect leads to, checked like a first address; keys never follow to another origin."""
        if count > MAX_HOPS:
            raise RedirectRefused(f"more than {MAX_HOPS} redirects", subject=hop.target.url)
        try:
            target = self.check(str(httpx.URL(hop.target.url).join(location.strip())) if "://" not in location[:12] else location)
        except (httpx.InvalidURL, ValueError) as exc:
            raise RedirectRefused(f"redirects to what is no address ({location[:200]!r})", subject=hop.target.url) from exc
        except AddressRefused as exc:
            raise AddressRefused(f"redirects to an address that is refused: {exc}", subject=hop.target.url) from exc
        method, content, headers = hop.method, hop.content, hop.headers
        if method not in ("GET", "HEAD"):
            if status not in (307, 308) or target.origin != hop.target.origin:
                raise RedirectRefused(f"redirects a {method} (status {status})", subject=hop.target.url)
        if target.origin != hop.target.origin:
            headers = {name: value for name, value in headers.items() if name in _KEPT_ACROSS_ORIGINS}
        return _Hop(method, target, headers, content)

    def _headers(self, given: dict[str, str]) -> dict[str, str]:
        return {"user-agent": self.user_agent, "accept": "*/*", "accept-encoding": ACCEPT_ENCODING, **given}

    def _clean(self, error: S2RError) -> S2RError:
        """The error itself, without secrets in its words."""
        error.message, error.subject = self.mask(error.message), self.mask(error.subject)
        error.args = (error.message,)
        return error

    def _cause(self, error: S2RError) -> BaseException | None:
        """The cause to keep: none when its words hold a secret, which a traceback would print."""
        cause = error.__cause__
        return None if cause is None or self.mask.holds(cause) else cause


def _merged(url: str, params: Params | None) -> httpx.QueryParams:
    return httpx.URL(url.strip()).params.merge({name: str(value) for name, value in (params or {}).items()})


def _timeout(caps: Caps) -> httpx.Timeout:
    return httpx.Timeout(min(_READ_S, caps.total_s), connect=min(_CONNECT_S, caps.total_s), pool=caps.total_s)


def _plain(response: httpx.Response, known: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    raw: Iterable[tuple[bytes, bytes]] = response.headers.raw
    return tuple((name.decode("latin-1").lower(), known(value.decode("latin-1"))) for name, value in raw)


def _version(response: httpx.Response) -> str:
    found = response.extensions.get("http_version", b"")
    return found.decode("ascii", "replace") if isinstance(found, bytes) else ""

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
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

import httpx

from s2r.errors import S2RError, SourceTimeout, SourceUnusable
from s2r.net.address import Endpoint, Target, check_url
from s2r.net.errors import FOREIGN, AddressRefused, NotConnected, RedirectRefused, TooLarge, as_source_error
from s2r.net.guard import BlockedAddress
from s2r.net.hints import asked_wait, is_limited, is_spent, is_stored
from s2r.net.inflate import ACCEPT_ENCODING, Caps, read_body
from s2r.net.lanes import LEAVES
from s2r.net.limits import Grant, Limiter
from s2r.net.mask import Mask, quiet_wire_logs
from s2r.net.reply import Reply
from s2r.net.retry import GATEWAY_LOST, RetryRule, is_passing, may_repeat

MAX_HOPS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KEPT_ACROSS_ORIGINS = frozenset({"accept", "accept-language", "user-agent", "accept-encoding"})
_CONNECT_S = 10.0
# moments after which time was spent since the grant, and at which a request may still be held back
_LEAVING = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete", LEAVES})
Params = Mapping[str, str | int | float]
OnHop = Callable[[Target], Awaitable[None]]
MayRepeat = Callable[[str], bool]


class _Hop(NamedTuple):
    """One request as it goes to one address."""

    method: str
    target: Target
    headers: dict[str, str]
    content: bytes | None


class _Terms(NamedTuple):
    """How a request is to be made; see `Net.request`."""

    bucket: str
    tokens: float
    repeatable: bool
    rule: RetryRule
    caps: Caps
    on_hop: OnHop | None
    patience: float
    redirects: bool
    on_lost: MayRepeat | None


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
        redirects: bool = True,
        on_lost: MayRepeat | None = None,
    ) -> Reply:
        """The answer to a request, also one with an error status; raises only `SourceError` and `SourceUnusable`.

        `data` is sent as JSON, `content` as it is. `bucket` names the limit to keep (default: that of the host), `tokens` what it
        costs there. `on_hop` is asked before each hop and may raise. Tried again as `retry` says; 429 and 5xx answers that remain
        are returned. `patience`: seconds of a pause of the host that are waited for. Without `redirects` a redirect is the answer.
        `on_lost` is asked with the cause before a request is repeated that may have been served though no answer came.
        """
        repeatable = may_repeat(method, safe)
        terms = _Terms(bucket, tokens, repeatable, retry or self.retry, caps or self.caps, on_hop, patience, redirects, on_lost)
        sent = {name.lower(): value for name, value in (headers or {}).items()}
        if data is not None:
            content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
            sent.setdefault("content-type", "application/json")
        try:
            full = _with_params(url, params) if params else url
            return await self._tried(_Hop(method.upper(), self.check(full), self._headers(sent, url), content), terms)
        except S2RError as exc:
            raise self._clean(exc) from self._cause(exc)
        except FOREIGN as exc:
            raise self._clean(as_source_error(exc, url)) from (None if self.mask.holds(exc) else exc)

    async def _tried(self, hop: _Hop, terms: _Terms) -> Reply:
        begin, waited, paused, attempt = self._clock(), 0.0, 0.0, 0
        while True:
            attempt += 1
            error: S2RError | None = None
            try:
                reply, queued = await self._followed(hop, terms)
                waited += queued
                if is_stored(dict(reply.headers)) or (reply.status not in terms.rule.statuses and not is_limited(reply.status, reply.body)):
                    break
                pause = terms.rule.pause(attempt, reply.asked_wait_s, self._jitter) if terms.repeatable and not reply.spent else None
            except S2RError as exc:
                error = exc
                pause = terms.rule.pause(attempt, None, self._jitter) if is_passing(exc, repeatable=terms.repeatable) else None
            if pause is None or paused + pause > terms.rule.total_s:
                break
            lost = str(error) if error else f"status {reply.status}" if reply.status in GATEWAY_LOST else ""
            if lost and terms.on_lost and not isinstance(error, NotConnected) and not terms.on_lost(lost):
                break
            await self._sleep(pause)
            paused += pause
        if error is not None:
            raise error
        times = {"waited_s": round(waited + paused, 3), "elapsed_s": round(self._clock() - begin, 3)}
        return reply.model_copy(update={"attempts": attempt, **times})

    async def _followed(self, hop: _Hop, terms: _Terms) -> tuple[Reply, float]:
        """The answer at the end of the redirects from `hop`, and the seconds spent in queues."""
        hops: list[str] = []
        flags: list[str] = []
        jar, asked, waited = httpx.Cookies(), hop.target.url, 0.0
        seen: set[tuple[str, str, tuple[tuple[str, str], ...]]] = {(hop.method, asked, ())}
        while True:
            if terms.on_hop:
                await terms.on_hop(hop.target)
            name = terms.bucket if terms.bucket and not hops else self.limiter.bucket(hop.target.host)
            start = self._clock()
            slot = self.limiter.slot(name, tokens=terms.tokens, patience=terms.patience, longest=terms.caps.total_s + 5.0)
            async with slot as grant:
                waited += self._clock() - start
                response, body = await self._exchanged(hop, grant, terms.caps, jar)
            wait = await self._booked(name, response, body)
            location = response.headers.get("location", "")
            if response.status_code not in _REDIRECTS or not location or not terms.redirects:
                break
            hops.append(f"{response.status_code} {hop.target.url}")
            was, hop = hop.target, self._next(hop, response.status_code, location, len(hops))
            if was.scheme == "https" and hop.target.scheme == "http" and "downgrade" not in flags:
                flags.append("downgrade")
            # the same address twice is a loop, unless a cookie was set that may change the answer
            state = (hop.method, hop.target.url, tuple(sorted((c.name, c.value or "") for c in jar.jar)))
            if state in seen:
                raise RedirectRefused("redirects lead in a circle", subject=hop.target.url)
            seen.add(state)
        known = self.mask.known
        reply = Reply(
            url=known(asked),
            final_url=known(hop.target.url),
            status=response.status_code,
            headers=_plain(response, known),
            body=body,
            hops=tuple(map(known, hops)),
            flags=tuple(flags),
            http=_version(response),
            asked_wait_s=wait,
            spent=is_spent(response.status_code, body) and "memento-datetime" not in response.headers,
        )
        return reply, waited

    async def _exchanged(self, hop: _Hop, grant: Grant, caps: Caps, jar: httpx.Cookies) -> tuple[httpx.Response, bytes]:
        """One request and its whole body under the caps; foreign errors come out as ours."""
        url = hop.target.url
        try:
            request = httpx.Request(hop.method, url, headers=hop.headers, content=hop.content)
            if request.url.raw_host.decode("ascii").strip("[]").lower() != hop.target.host:
                raise AddressRefused("two readers of this address see different hosts", subject=url)
            if len(jar):
                jar.set_cookie_header(request)
            request.extensions = {"timeout": _timeout(caps).as_dict(), "trace": self._trace(grant)}
            async with asyncio.timeout(caps.total_s):
                response = await self._transport.handle_async_request(request)
                response.request = request
                try:
                    body = await self._body(response, caps, url)
                finally:
                    await response.aclose()
            if "set-cookie" in response.headers:
                jar.extract_cookies(response)
        except BlockedAddress as exc:
            raise AddressRefused(str(exc), subject=url) from exc
        except httpx.ConnectError as exc:
            if isinstance(exc.__cause__, BlockedAddress):
                raise AddressRefused(str(exc), subject=url) from exc
            await self.limiter.failed(grant.bucket)
            raise as_source_error(exc, url) from exc
        except TimeoutError as exc:
            await self.limiter.failed(grant.bucket)
            raise SourceTimeout(f"no whole answer within {caps.total_s:g} s", subject=url) from exc
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
        assert isinstance(response.stream, httpx.AsyncByteStream)
        return await read_body(response.stream, response.headers.get("content-encoding", ""), caps, url)

    def _trace(self, grant: Grant) -> Callable[[str, Any], Awaitable[None]]:
        async def trace(event: str, info: Any) -> None:
            if event in _LEAVING:
                await self.limiter.sent(grant, leaves=event == LEAVES)
            elif event == "http2.send_request_headers.started":
                # its stream has a number by now: to wait here would let a later number overtake it, which ends the connection
                self.limiter.sent_at_once(grant)

        return trace

    async def _booked(self, bucket: str, response: httpx.Response, body: bytes) -> float | None:
        """Tell the limiter how the answer was; the seconds that it asks to wait."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        if is_stored(headers):
            await self.limiter.passed(bucket)
            return None
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
            target = self.check(urljoin(hop.target.url, location.strip()))
        except ValueError as exc:
            raise RedirectRefused(f"redirects to what is no address ({location[:200]!r})", subject=hop.target.url) from exc
        except AddressRefused as exc:
            raise AddressRefused(f"redirects to an address that is refused: {exc}", subject=hop.target.url) from exc
        method, content, headers = hop.method, hop.content, hop.headers
        if method not in ("GET", "HEAD") and (status not in (307, 308) or target.origin != hop.target.origin):
            raise RedirectRefused(f"redirects a {method} (status {status})", subject=hop.target.url)
        if target.origin != hop.target.origin:
            headers = {name: value for name, value in headers.items() if name in _KEPT_ACROSS_ORIGINS}
        return _Hop(method, target, headers, content)

    def _headers(self, given: dict[str, str], url: str) -> dict[str, str]:
        for name, value in given.items():
            if not value.isascii() or not value.isprintable():
                raise SourceUnusable(f"the header {name} holds a character that no header may hold", subject=url, advice="Check the key.")
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


def _with_params(url: str, params: Params) -> str:
    """`url` with parameters, which take the place of those of the same name; what is no address is left to be refused."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url
    merged: dict[str, list[str]] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        merged.setdefault(name, []).append(value)
    merged |= {name: [str(value)] for name, value in params.items()}
    return urlunsplit(parts._replace(query=urlencode([(name, value) for name, values in merged.items() for value in values])))


def _timeout(caps: Caps) -> httpx.Timeout:
    return httpx.Timeout(min(caps.read_s, caps.total_s), connect=min(_CONNECT_S, caps.total_s), pool=caps.total_s)


def _plain(response: httpx.Response, known: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    raw: Iterable[tuple[bytes, bytes]] = response.headers.raw
    return tuple((name.decode("latin-1").lower(), known(value.decode("latin-1"))) for name, value in raw)


def _version(response: httpx.Response) -> str:
    found = response.extensions.get("http_version", b"")
    return found.decode("ascii", "replace") if isinstance(found, bytes) else ""

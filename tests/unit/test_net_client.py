"""Every failure below the door is an error of our own tree, nothing secret is said, and only what may be repeated is."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import io
import itertools
import logging
import socket
import ssl
import struct
import subprocess
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import h2.config
import h2.connection
import h2.events
import httpx
import pytest
from net_server import answer, client, serving

from s2r.errors import ConfigError, S2RError, SourceBroken, SourceError, SourceRefused, SourceTimeout, SourceUnusable
from s2r.net import (
    NO_RETRY,
    AddressRefused,
    Caps,
    CoolingDown,
    Limit,
    Limiter,
    Mask,
    Net,
    NotConnected,
    RedirectRefused,
    RetryRule,
    Robots,
    RobotsRefused,
    Role,
    Unreachable,
    check_url,
    open_limiter,
    open_net,
)
from s2r.net.errors import FOREIGN, as_source_error
from s2r.net.guard import guarded_transport, tls_context
from s2r.net.hints import asked_wait, error_code, is_limited, is_spent, retry_after
from s2r.settings import Settings, load_settings

URL = "https://api.example/search"
PASSWORD = "pr0xy-pass"
KEY = "BSA-qzxv/key+0=7"
FAST = RetryRule(attempts=4, base_s=0.01, cap_s=0.02)


def foreign_kinds() -> Iterator[type[Exception]]:
    """Every exception class that httpx, httpcore, anyio, h11, h2, ssl, zlib and idna define."""
    names = ("httpx", "httpcore", "anyio", "h11", "h2.exceptions", "ssl", "idna", "zlib", "brotli", "backports.zstd")
    for name in names:
        for _, kind in inspect.getmembers(importlib.import_module(name), inspect.isclass):
            if issubclass(kind, Exception) and kind.__module__.split(".")[0] in {part.split(".")[0] for part in names} | {"_ssl"}:
                yield kind


# raised by anyio only for tasks, processes and interpreters, which the door does not use
NOT_OF_REQUESTS = frozenset(
    [
        "BrokenWorkerProcess",
        "BrokenWorkerInterpreter",
        "BrokenWorkerIntepreter",
        "TypedAttributeLookupError",
        "NoEventLoopError",
        "TaskNotFinished",
        "TaskCancelled",
        "FutureAlreadyFinished",
        "FutureCancelled",
        "FutureFailed",
        "FutureNotFinished",
        "RunFinishedError",
        "TaskFailed",
        "TaskHandleError",
    ]
)


def made(kind: type[Exception]) -> Exception:
    """An instance of any of them, however many arguments it wants."""
    for arguments in ((), ("no",), (b"", 1), ("ascii", b"x", 0, 1, "no"), (1, "no"), (None, None)):
        try:
            return kind(*arguments)
        except TypeError:
            continue
    return kind.__new__(kind)


@pytest.mark.parametrize(
    "kind", sorted(set(foreign_kinds()), key=lambda kind: f"{kind.__module__}.{kind.__name__}"), ids=lambda kind: kind.__name__
)
def test_no_foreign_error_is_left_unmapped(kind: type[Exception]) -> None:
    """Each exception class of the libraries below becomes one of the four kinds, with the address and some words."""
    if kind.__name__ in NOT_OF_REQUESTS:
        pytest.skip("not raised by requests")
    assert issubclass(kind, FOREIGN), f"{kind.__module__}.{kind.__name__}"
    error = as_source_error(made(kind), URL)
    assert isinstance(error, SourceTimeout | SourceRefused | SourceBroken | SourceUnusable)
    assert error.subject == URL
    assert error.message


ALL_KINDS = {*foreign_kinds(), OSError, ConnectionResetError, socket.gaierror, TimeoutError, EOFError, UnicodeDecodeError}


@pytest.mark.parametrize("kind", sorted(ALL_KINDS, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
def test_none_escapes_from_a_request(kind: type[Exception]) -> None:
    """Whatever a transport raises, before the answer or inside its body, comes out as ours with its cause."""
    if kind.__name__ in NOT_OF_REQUESTS or kind in (anyio.EndOfStream,):
        pytest.skip("not raised by requests, or the plain end of a stream")

    def at_once(request: httpx.Request) -> httpx.Response:
        raise made(kind)

    async def broken_off() -> Any:
        yield b"start"
        raise made(kind)

    for handler in (at_once, lambda request: httpx.Response(200, content=broken_off())):
        with pytest.raises((SourceError, SourceUnusable)) as caught:
            ask(handler)
        assert caught.value.subject == URL
        assert caught.value.__cause__ is not None


def ask(handler: Callable[[httpx.Request], httpx.Response], method: str = "GET", url: str = URL, **more: Any) -> Any:
    own = {name: more.pop(name) for name in ("retry", "mask", "limiter", "sleep") if name in more}
    limiter = own.pop("limiter", None) or Limiter(default=Limit(rate=1e6, concurrency=100))

    async def run() -> Any:
        async with Net("search", httpx.MockTransport(handler), limiter, user_agent="test", **{"retry": NO_RETRY, **own}) as net:
            return await net.request(method, url, **more)

    return asyncio.run(run())


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_closed_port_and_an_unknown_name() -> None:
    """Nobody listening is "not connected"; so is a name that the resolver does not know, in plain words."""
    port = free_port()

    async def run(url: str, **more: Any) -> None:
        async with client(port, **more) as net:
            await net.get(url)

    with pytest.raises(NotConnected, match="no connection"):
        asyncio.run(run(f"http://127.0.0.1:{port}/"))

    async def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(NotConnected, match="the name cannot be resolved"):
        asyncio.run(run("https://nowhere.example/", transport=guarded_transport(resolver=unknown)))

    async def inside(host: str, port: int) -> list[str]:
        return ["10.0.0.5"]

    with pytest.raises(AddressRefused, match=r"10\.0\.0\.5 is not on the public internet"):
        asyncio.run(run("https://rebound.example/", transport=guarded_transport(resolver=inside)))


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (b"", SourceBroken),
        (b"HELLO\r\n\r\n", SourceBroken),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", SourceBroken),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", SourceBroken),
        (b"\x16\x03\x01\x02\x00\x01\x00", SourceBroken),
        (b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 200_000 + b"\r\n\r\n", SourceBroken),
    ],
)
def test_servers_that_speak_nonsense(sent: bytes, kind: type[S2RError]) -> None:
    """An empty, false or endless answer is broken."""

    async def run() -> None:
        async with serving(sent) as port, client(port) as net:
            await net.get(f"http://127.0.0.1:{port}/")

    with pytest.raises(kind):
        asyncio.run(run())


def test_a_reset_connection_and_a_silent_server() -> None:
    """A reset is "unreachable", silence is a timeout; both name the address."""

    async def reset(path: str, writer: asyncio.StreamWriter) -> None:
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def silent(path: str, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(5)

    async def run(script: Any, caps: Caps) -> None:
        async with serving(script) as port, client(port, caps=caps) as net:
            await net.get(f"http://127.0.0.1:{port}/")

    with pytest.raises(Unreachable):
        asyncio.run(run(reset, Caps(total_s=5.0)))
    with pytest.raises(SourceTimeout):
        asyncio.run(run(silent, Caps(total_s=5.0, read_s=0.3)))
    with pytest.raises(SourceTimeout):
        asyncio.run(run(silent, Caps(total_s=0.3)))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A self-made certificate for localhost and its key."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
               "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as exc:
        pytest.skip(f"openssl cannot make a certificate ({exc})")
    return cert, key


def test_certificates_are_checked_for_the_host_of_the_address(certificate: tuple[Path, Path]) -> None:
    """The connection goes to a checked address, yet the certificate must be that of the host: right name and bundle pass, others do not."""
    cert, key = certificate
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)

    async def run(host: str, bundle: Path | None) -> Any:
        async with serving(answer(b"secure"), ssl=tls) as port, client(port, ca_bundle=bundle) as net:
            return await net.get(f"https://{host}:{port}/", retry=FAST)

    assert asyncio.run(run("localhost", cert)).body == b"secure"
    for host, bundle in (("127.0.0.1", cert), ("localhost", None)):
        with pytest.raises(NotConnected, match="certificate is not trusted") as caught:
            asyncio.run(run(host, bundle))
        assert "S2R_CA_BUNDLE" in str(caught.value)


def test_a_bundle_that_is_none(tmp_path: Path) -> None:
    """A missing or empty CA bundle is a configuration error."""
    (tmp_path / "empty.pem").write_text("nothing")
    for path in (tmp_path / "none.pem", tmp_path / "empty.pem"):
        with pytest.raises(ConfigError):
            tls_context(path)


def test_a_proxy_is_used_and_its_password_is_not_told() -> None:
    """Through a proxy the target is not resolved here, but literals and private names are refused; a dead proxy drops the role."""
    seen: list[str] = []

    async def proxy(path: str, writer: asyncio.StreamWriter) -> None:
        seen.append(path)
        writer.write(answer(b"through the proxy"))

    async def run(url: str) -> Any:
        async with serving(proxy) as port:
            settings = Settings(fetch_proxy=f"http://user:{PASSWORD}@127.0.0.1:{port}")
            async with open_net(Role.FETCH, settings, Limiter(), retry=NO_RETRY) as net:
                assert net.proxied
                return await net.get(url)

    assert asyncio.run(run("http://pages.example/a")).body == b"through the proxy"
    assert seen == ["http://pages.example/a"]
    for url in (
        "http://127.0.0.1/",
        "http://169.254.169.254/",
        "http://metadata.google.internal/",
        "http://intranet/",
        "http://pages.example:22/",
    ):
        with pytest.raises(AddressRefused):
            asyncio.run(run(url))

    async def dead(path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"", status="407 Proxy Authentication Required"))

    async def refused() -> None:
        async with serving(dead) as port:
            settings = Settings(proxy=f"http://user:{PASSWORD}@127.0.0.1:{port}")
            async with open_net(Role.SEARCH, settings, Limiter(), retry=NO_RETRY) as net:
                await net.get("https://pages.example/a")

    with pytest.raises(SourceUnusable, match="proxy") as caught:
        asyncio.run(refused())
    assert PASSWORD not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(ConfigError) as wrong:
        open_net(Role.FETCH, Settings(proxy=f"gopher://user:{PASSWORD}@h:1"), Limiter())
    assert PASSWORD not in "".join(traceback.format_exception(wrong.value))


def test_each_role_has_its_own_proxy_and_bundle(tmp_path: Path) -> None:
    """A role's own setting wins over the common one; verifier and escalation follow the model role."""
    from s2r.net.opening import _bundle, _proxy

    settings = load_settings({"S2R_PROXY": "http://p", "S2R_FETCH_PROXY": "http://f", "S2R_MODEL_PROXY": "http://m",
                              "S2R_CA_BUNDLE": "all.pem", "S2R_MODEL_CA_BUNDLE": "m.pem"}, {}, tmp_path)  # fmt: skip
    assert [_proxy(role, settings) for role in Role] == ["http://p", "http://f", "http://m", "http://m", "http://m"]
    assert [str(_bundle(role, settings)) for role in Role] == ["all.pem", "all.pem", "m.pem", "m.pem", "m.pem"]
    assert "http://p" not in repr(settings)


def test_the_environment_does_not_reach_around_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxy variables that other programs obey are not read."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    async def run() -> bytes:
        async with serving(answer(b"direct")) as port, client(port) as net:
            body: bytes = (await net.get(f"http://127.0.0.1:{port}/")).body
            return body

    assert asyncio.run(run()) == b"direct"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"https://api.example/?q=a&key={KEY}", KEY),
        ("https://api.example/?q=a&key=BSA-qzxv%2Fkey%2B0%3D7&x=1", "qzxv"),
        (f"Authorization: Bearer {KEY}", KEY),
        (f"{{'x-subscription-token': '{KEY}'}}", KEY),
        ("Authorization: Basic QlNBLXF6eHYva2V5KzA9Nzo=", "QlNBLXF6eHYv"),
        (f"illegal header value b'{KEY}\\n'", KEY),
        ("https://user:hunter2@host.example/", "hunter2"),
        ("https://api.example/?api_key=abcdefgh&q=1", "abcdefgh"),
        ("https://api.example/?q=1&access_token=abcdefgh", "abcdefgh"),
        ("authorization=Bearer abcdefghijkl", "abcdefghijkl"),
        ("Cookie: session=abcdefgh", "abcdefgh"),
    ],
)
def test_secrets_are_masked_in_all_their_forms(text: str, hidden: str) -> None:
    """Known keys in plain, quoted and basic form, and values that stand where keys stand, are replaced."""
    shown = Mask([KEY])(text)
    assert hidden not in shown
    assert "***" in shown


@pytest.mark.parametrize(
    "text", ["https://a.example/?id=5&page=2", "Token Holdings plc leaves the exchange", "the key date is 2024-03-04", "a=b"]
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    """Masking does not touch what holds no secret."""
    assert Mask([KEY])(text) == text


def test_a_planted_key_is_told_by_no_error_log_or_repr() -> None:
    """Whatever fails, the key is in no message, traceback, log line at any level, nor in the repr of client, reply or settings."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(1)
    told: list[str] = []
    try:
        for sent in (
            answer(b"{}"),
            b"",
            answer(b"x", status="302 Found", location=f"ftp://x.example/?key={KEY}"),
            answer(b"no", status="401 No"),
        ):
            for headers in (
                {"X-Subscription-Token": KEY},
                {"Authorization": f"Bearer {KEY}"},
                {"X-API-KEY": KEY + "\n"},
                {"x-key": KEY + "é"},
            ):

                async def run(sent: bytes = sent, headers: dict[str, str] = headers) -> None:
                    async with serving(sent) as port, client(port, mask=Mask([KEY])) as net:
                        told.append(repr(net))
                        told.append(repr(await net.get(f"http://127.0.0.1:{port}/", params={"key": KEY, "q": "x"}, headers=headers)))

                try:
                    asyncio.run(run())
                except S2RError as exc:
                    told.extend(traceback.format_exception(exc))
                    told.extend((repr(exc), str(exc), str(exc.args)))
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    text = "".join(told) + log.getvalue()
    assert len(text) > 1000
    for form in (KEY, "qzxv", KEY.encode().hex()):
        assert form not in text


def test_a_key_with_a_line_end_drops_the_provider_with_advice() -> None:
    """A key that no header can hold is a fault of the setting, found before anything is sent."""
    with pytest.raises(SourceUnusable, match="Check the key"):
        ask(lambda request: httpx.Response(200), headers={"X-API-KEY": "abcd\nefgh"})


NOW = 1_800_000_000.0  # 2027-01-15T08:00:00Z


@pytest.mark.parametrize(
    ("status", "headers", "body", "wait"),
    [
        (429, {}, b"", None),
        (429, {"retry-after": "7"}, b"", 7.0),
        (429, {"retry-after": "1.5"}, b"", 1.5),
        (503, {"retry-after": "Fri, 15 Jan 2027 08:00:30 GMT"}, b"", 30.0),
        (429, {"retry-after": "Fri, 15 Jan 2027 07:00:00 GMT"}, b"", 0.0),
        (429, {"retry-after": "soon"}, b"", None),
        (429, {"x-ratelimit-remaining": "0, 14999", "x-ratelimit-reset": "1, 1419704"}, b"", 1.0),
        (429, {"x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704"}, b"", 604_800.0),
        (200, {"x-ratelimit-remaining": "1, 14523", "x-ratelimit-reset": "1, 1419704"}, b"", None),
        (200, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(NOW + 20)}, b"", 20.0),
        (200, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW + 20) * 1000)}, b"", 20.0),
        (429, {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, b"", 360.0),
        (429, {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms"}, b"", 0.12),
        (429, {"x-ratelimit-remaining-tokens": "50", "x-ratelimit-reset-tokens": "1s"}, b"", None),
        (429, {"anthropic-ratelimit-requests-remaining": "0", "anthropic-ratelimit-requests-reset": "2027-01-15T08:00:12Z"}, b"", 12.0),
        (429, {"ratelimit-limit": "25", "ratelimit-remaining": "0", "ratelimit-reset": "6"}, b"", 6.0),
        (429, {"ratelimit": "limit=100, remaining=0, reset=5"}, b"", 5.0),
        (200, {"ratelimit": '"default";r=0;t=9'}, b"", 9.0),
        (200, {"ratelimit": '"default";r=50;t=9'}, b"", None),
        (429, {}, b'{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"RetryInfo","retryDelay":"27s"}]}}', 27.0),
        (429, {}, b'{"error":{"code":"x","window":"day","retry_after_seconds":40}}', 40.0),
        (403, {}, b"<html><title>SEC.gov | Request Rate Threshold Exceeded</title></html>", 600.0),
        (200, {}, b"<html><title>Delisting</title>too many requests</html>", None),
    ],
)
def test_waits_are_read_from_every_hint(status: int, headers: dict[str, str], body: bytes, wait: float | None) -> None:
    """Seconds, dates, lists, spans, RFC 3339 times, body fields and the throttle page."""
    found = asked_wait(status, headers, body, NOW)
    assert found == (None if wait is None else pytest.approx(wait, abs=0.01))


@pytest.mark.parametrize(
    ("status", "body", "spent"),
    [
        (402, b"", True),
        (432, b'{"detail":{"error":"plan limit"}}', True),
        (433, b"", True),
        (429, b'{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"You exceeded your current quota"}}', True),
        (429, b'{"error":{"code":429,"message":"You exceeded your current quota","details":[{"retryDelay":"27s"}]}}', False),
        (429, b'{"error":{"status":429,"code":"RATE_LIMITED","detail":"Request rate limit exceeded for plan."}}', False),
        (400, b'{"message":"Not enough credits"}', True),
        (403, b"<html>Forbidden</html>", False),
        (200, b"insufficient_quota", False),
    ],
)
def test_spent_quotas_are_told_from_pace(status: int, body: bytes, spent: bool) -> None:
    """No wait helps when credits are gone; a rate limit passes."""
    assert is_spent(status, body) is spent


def test_throttle_pages_and_error_codes() -> None:
    """A refusal page about the rate says "slower"; an article about rates does not; codes are read from any JSON shape."""
    assert is_limited(403, b"<h1>Request Rate Threshold Exceeded</h1>" + b"x" * 5000)
    assert not is_limited(403, b"<h1>Access denied</h1>" + b"too many requests " * 500)
    assert not is_limited(200, b"<h1>Too many requests</h1>")
    bodies = (b'{"error":{"code":"A"}}', b'{"error":"B"}', b'{"error":{"type":"C"}}', b"<html>", b"[1]", b'{"tag":1}')
    assert [error_code(body) for body in bodies] == ["A", "B", "C", "", "", ""]
    assert retry_after("2 days", NOW) is None


class Turns:
    """A handler that gives its answers in turn and counts the requests; an exception is raised."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers, self.count = list(answers), 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.count += 1
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(found, Exception):
            raise found
        return httpx.Response(found.status_code, headers=found.headers, content=found.content)


def R(status: int, body: bytes = b"", **headers: str) -> httpx.Response:
    return httpx.Response(status, headers={name.replace("_", "-"): value for name, value in headers.items()}, content=body)


QUOTA = b'{"error":{"code":"insufficient_quota"}}'


@pytest.mark.parametrize(
    ("method", "safe", "answers", "count", "status"),
    [
        ("GET", None, [R(429), R(200)], 2, 200),
        ("GET", None, [R(503), R(502), R(504), R(200)], 4, 200),
        ("GET", None, [R(429)], 4, 429),
        ("GET", None, [R(503, retry_after="0"), R(200)], 2, 200),
        ("GET", None, [R(503, retry_after="600")], 1, 503),
        ("GET", None, [R(403, b"<title>Request Rate Threshold Exceeded</title>")], 1, 403),
        ("GET", None, [R(500), R(200)], 1, 500),
        *[
            ("GET", None, [R(status), R(200)], 1, status)
            for status in (400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 422, 432, 433, 451, 501)
        ],
        ("GET", None, [R(429, QUOTA), R(200)], 1, 429),
        ("GET", None, [httpx.ReadTimeout(""), R(200)], 2, 200),
        ("GET", None, [httpx.ConnectError(""), R(200)], 2, 200),
        ("GET", None, [httpx.ConnectTimeout(""), R(200)], 2, 200),
        ("GET", None, [httpx.RemoteProtocolError(""), R(200)], 2, 200),
        ("GET", False, [httpx.ReadTimeout(""), R(200)], 1, SourceTimeout),
        ("HEAD", None, [R(503), R(200)], 2, 200),
        ("POST", None, [R(429), R(200)], 1, 429),
        ("POST", None, [R(503), R(200)], 1, 503),
        ("POST", None, [httpx.ReadTimeout(""), R(200)], 1, SourceTimeout),
        ("POST", None, [httpx.RemoteProtocolError(""), R(200)], 1, SourceBroken),
        ("POST", None, [httpx.ConnectError(""), R(200)], 2, 200),
        ("POST", True, [R(429), R(503), R(200)], 3, 200),
        ("POST", True, [R(400), R(200)], 1, 400),
        ("POST", True, [httpx.ReadTimeout(""), R(200)], 2, 200),
        ("GET", None, [httpx.ConnectError("CERTIFICATE_VERIFY_FAILED"), R(200)], 1, NotConnected),
        ("GET", None, [httpx.ConnectError("[Errno -2] Name or service not known"), R(200)], 1, NotConnected),
        ("GET", None, [httpx.ReadTimeout("")], 4, SourceTimeout),
        ("GET", None, [httpx.LocalProtocolError(""), R(200)], 2, 200),
        ("GET", None, [R(302, location="http://10.0.0.1/"), R(200)], 1, AddressRefused),
        ("GET", None, [R(200, b"bad", content_encoding="zstd"), R(200)], 2, 200),
    ],
)
def test_what_is_tried_again(method: str, safe: bool | None, answers: list[Any], count: int, status: Any) -> None:
    """Only passing failures are repeated, four times at most; other 4xx, spent quotas and unsafe posts never are."""
    turns = Turns(*answers)
    if isinstance(status, int):
        reply = ask(turns, method, retry=FAST, safe=safe, data={"q": 1} if method == "POST" else None)
        assert (reply.status, turns.count, reply.attempts) == (status, count, count)
    else:
        with pytest.raises(status):
            ask(turns, method, retry=FAST, safe=safe)
        assert turns.count == count


@pytest.mark.parametrize(
    ("answers", "asked", "count"),
    [
        ([httpx.ReadTimeout("late"), R(200)], ["no answer in time (late)"], 1),
        ([httpx.ConnectError(""), R(200)], [], 2),
        ([R(429), R(503), R(200)], [], 3),
        ([R(504), R(200)], ["status 504"], 1),
        ([R(429), R(502), R(200)], ["status 502"], 2),
        ([R(500), R(200)], [], 1),
    ],
)
def test_what_may_have_been_served_is_repeated_only_when_allowed(answers: list[Any], asked: list[str], count: int) -> None:
    """Who pays is asked before a request is sent again that may have been served; what never left or was refused is no such."""
    for allowed in (False, True):
        turns, told = Turns(*answers), list[str]()

        def on_lost(cause: str, told: list[str] = told, allowed: bool = allowed) -> bool:
            told.append(cause)
            return allowed

        with contextlib.suppress(S2RError):
            ask(turns, "POST", retry=FAST, safe=True, data={"q": 1}, on_lost=on_lost)
        assert [cause.rpartition("search: ")[2] for cause in told] == asked
        assert turns.count == (count + bool(asked) if allowed else count)


def test_retries_can_be_switched_off() -> None:
    """With the rule for tests nothing is repeated."""
    turns = Turns(R(503), R(200))
    assert ask(turns, retry=NO_RETRY).status == 503
    assert turns.count == 1


def test_pauses_grow_and_are_bounded() -> None:
    """Pauses double with jitter up to the cap; an asked pause replaces them; the sum of pauses is bounded."""
    rule = RetryRule(attempts=9, base_s=1, cap_s=5)
    assert [rule.pause(n, None, lambda: 1.0) for n in (1, 2, 3, 4, 8)] == [1, 2, 4, 5, 5]
    assert [rule.pause(n, None, lambda: 0.0) for n in (1, 2)] == [0.5, 1.0]
    assert rule.pause(1, 33.0) == 33.0
    assert rule.pause(1, 61.0) is None
    assert rule.pause(9, None) is None
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    turns = Turns(R(503, retry_after="40"))
    ask(
        turns,
        retry=RetryRule(attempts=9, total_s=90),
        sleep=sleep,
        limiter=Limiter(default=Limit(rate=1e6), sleep=sleep, clock=Clock(slept)),
    )
    assert slept[:2] == [40.0, pytest.approx(5.0, abs=1)] or sum(slept) < 200
    assert turns.count == 3


class Clock:
    """A clock that moves by what was slept."""

    def __init__(self, slept: list[float]) -> None:
        self._slept = slept

    def __call__(self) -> float:
        return NOW + sum(self._slept)


def robots_net(text: bytes | None, status: int = 200) -> tuple[Net, list[str], Clock, list[float]]:
    seen: list[str] = []
    slept: list[float] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        if text is None:
            raise httpx.ConnectError("refused")
        return httpx.Response(status, content=text)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    clock = Clock(slept)
    limiter = Limiter(default=Limit(rate=1000, concurrency=9), clock=clock, sleep=sleep)
    return Net("fetch", httpx.MockTransport(handler), limiter, user_agent="t", retry=NO_RETRY, clock=clock, sleep=sleep), seen, clock, slept


RULES = b"""User-agent: *
Disallow: /private/
Allow: /private/notice
Crawl-delay: 2

User-agent: s2r
Disallow: /archive/
Allow: /archive/*.pdf$

User-agent: otherbot
Disallow: /
"""


@pytest.mark.parametrize(
    ("text", "status", "path", "allowed"),
    [
        (RULES, 200, "/a", True),
        (RULES, 200, "/private/x", True),
        (RULES, 200, "/archive/x", False),
        (RULES, 200, "/archive/x.pdf", True),
        (RULES, 200, "/archive/x.pdf?y", False),
        (RULES.replace(b"s2r", b"nobody"), 200, "/private/x", False),
        (RULES.replace(b"s2r", b"nobody"), 200, "/private/notice/1", True),
        (b"User-agent: *\nDisallow:", 200, "/a", True),
        (b"\xef\xbb\xbfUser-agent: *\nDisallow: /", 200, "/a", False),
        (b"User-agent: *\r\nDisallow: /a\r\n", 200, "/a", False),
        (b"<html><body>Not here</body></html>", 200, "/a", True),
        (b"", 200, "/a", True),
        (b"Disallow: /", 404, "/a", True),
        (b"", 401, "/a", True),
        (b"", 403, "/a", True),
        (b"", 410, "/a", True),
        (b"", 429, "/a", False),
        (b"", 500, "/a", False),
        (b"", 503, "/a", False),
        (None, 0, "/a", False),
    ],
)
def test_robots_txt_decides(text: bytes | None, status: int, path: str, allowed: bool) -> None:
    """The group of our own name counts alone; a missing file allows all; one that cannot be read forbids all for now."""
    net, seen, _, _ = robots_net(text, status)

    async def run() -> bool:
        robots = Robots(net, clock=net._clock)
        try:
            await robots.allow(check_url(f"https://www.example.com{path}"))
        except RobotsRefused:
            return False
        return True

    assert asyncio.run(run()) is allowed
    assert seen[0] == "https://www.example.com/robots.txt"


def test_robots_txt_is_kept_for_a_day_and_a_failure_for_minutes() -> None:
    """One request per origin and day, also when many pages ask at once; after a failure it is asked again in five minutes."""
    for text, calm in ((RULES, 24 * 3600.0), (None, 300.0)):
        net, seen, _, slept = robots_net(text)

        async def run(net: Net = net, seen: list[str] = seen, slept: list[float] = slept, calm: float = calm) -> None:
            robots = Robots(net, clock=net._clock)

            async def one(number: int) -> None:
                with contextlib.suppress(SourceRefused):
                    await robots.allow(check_url(f"https://www.example.com/{number}"))

            await asyncio.gather(*(one(number) for number in range(20)))
            asked = len(seen)
            assert asked <= 2
            slept.append(calm - 60)
            await one(1)
            assert len(seen) == asked
            slept.append(120)
            await one(1)
            assert len(seen) > asked

        asyncio.run(run())


def test_crawl_delay_sets_the_pace() -> None:
    """The delay that a file asks for is kept between requests to that host."""
    net, _, clock, slept = robots_net(RULES.replace(b"s2r", b"nobody"))

    async def run() -> list[float]:
        robots = Robots(net, clock=net._clock)
        times = []
        for number in range(4):
            await robots.allow(check_url(f"https://www.example.com/{number}"))
            async with net.limiter.slot("www.example.com"):
                times.append(clock())
        return times

    times = asyncio.run(run())
    assert all(later - sooner >= 2 for sooner, later in itertools.pairwise(times))
    assert sum(slept) < 10


def test_hooks_see_every_hop() -> None:
    """What decides about a page (robots.txt) is asked for each address on the way, and its refusal ends the way."""
    asked: list[str] = []

    async def hook(target: Any) -> None:
        asked.append(target.url)
        if target.host == "closed.example":
            raise RedirectRefused("closed", subject=target.url)

    turns = Turns(R(302, location="https://b.example/"), R(302, location="https://closed.example/"), R(200))
    with pytest.raises(RedirectRefused):
        ask(turns, on_hop=hook)
    assert asked == [URL, "https://b.example/", "https://closed.example/"]
    assert turns.count == 2


@pytest.mark.parametrize(
    ("body", "kind", "good"),
    [
        (b'{"a":1}', "application/json", True),
        (b"\xef\xbb\xbf{}", "application/json", True),
        (b'{"a":', "application/json", False),
        (b"<html>challenge</html>", "text/html", False),
        (b"", "application/json", False),
        ('{"a":"é"}'.encode("latin-1"), "application/json; charset=iso-8859-1", False),
        (b"[" * 100_000, "application/json", False),
    ],
)
def test_json_or_broken(body: bytes, kind: str, good: bool) -> None:
    """A page, a cut or a false charset where JSON is due is broken, and the error shows how the answer starts."""
    reply = ask(lambda request: httpx.Response(200, headers={"content-type": kind}, content=body))
    if good:
        assert isinstance(reply.json_data(), dict)
    else:
        with pytest.raises(SourceBroken, match="no JSON"):
            reply.json_data()


def test_a_paused_host_is_not_waited_for_longer_than_patience() -> None:
    """After an answer that asks for ten minutes, the next request is told at once, with the time left, and sends nothing."""
    turns = Turns(R(429, retry_after="600"))
    limiter = Limiter(default=Limit(rate=1e6))
    assert ask(turns, limiter=limiter).status == 429
    with pytest.raises(CoolingDown) as caught:
        ask(turns, limiter=limiter)
    assert 590 < caught.value.seconds <= 600
    assert turns.count == 1


def test_clients_open_from_settings(tmp_path: Path) -> None:
    """The builder makes a client per role over one limiter file; its User-Agent carries the contact."""
    settings = Settings(home=tmp_path, contact="Audit desk audit@bank.example")
    seen: list[str] = []

    async def script(path: str, writer: asyncio.StreamWriter) -> None:
        seen.append(path)
        writer.write(answer(b"{}"))

    async def run() -> None:
        limiter = open_limiter(settings)
        async with serving(script) as port:
            for role in Role:
                async with open_net(role, settings, limiter, endpoints=[f"http://localhost:{port}/v1"], secrets=["abcdef"]) as net:
                    assert "Audit desk audit@bank.example" in net.user_agent
                    assert (await net.get(f"http://localhost:{port}/{role}")).json_data() == {}
        limiter.close()

    asyncio.run(run())
    assert seen == ["/search", "/fetch", "/model", "/verifier", "/escalation"]
    assert (tmp_path / "limits.db").is_file()


async def speak_h2(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each request of an HTTP/2 connection with its path."""
    connection = h2.connection.H2Connection(config=h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    writer.write(connection.data_to_send())
    while data := await reader.read(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                path = dict(event.headers)[b":path"]
                connection.send_headers(event.stream_id, [(":status", "200"), ("content-type", "text/plain")])
                connection.send_data(event.stream_id, path, end_stream=True)
        writer.write(connection.data_to_send())


def test_http_2_over_the_guarded_connection(certificate: tuple[Path, Path]) -> None:
    """Many requests share one guarded TLS connection by HTTP/2, and each is timed by the limiter when it leaves."""
    cert, key = certificate
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)
    tls.set_alpn_protocols(["h2"])
    opened = 0

    async def counted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal opened
        opened += 1
        await speak_h2(reader, writer)
        writer.close()

    async def run() -> list[Any]:
        server = await asyncio.start_server(counted, "127.0.0.1", 0, ssl=tls)
        port = server.sockets[0].getsockname()[1]
        async with client(port, ca_bundle=cert) as net:
            first = await net.get(f"https://localhost:{port}/first")
            rest = await asyncio.gather(*(net.get(f"https://localhost:{port}/{number}") for number in range(20)))
        server.close()
        return [first, *rest]

    replies = asyncio.run(run())
    assert {reply.http for reply in replies} == {"HTTP/2"}
    assert [reply.body for reply in replies] == [b"/first", *(f"/{number}".encode() for number in range(20))]
    assert opened == 1

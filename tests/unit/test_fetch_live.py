"""The live fetcher gives captures or typed gaps, obeys robots.txt and the guard, and never raises for one page."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from net_server import answer, client, serving

from s2r.archive import Archive
from s2r.fetch import Fetcher, fetch_hit
from s2r.fetch.live import LiveFetcher, frame_target, refresh_target
from s2r.fetch.magic import true_type
from s2r.models import Capture, Gap, Hit, Outcome
from s2r.net import NO_RETRY, Caps, Limit, Limiter, Net, Reply
from s2r.settings import Settings

AT = dt.datetime(2024, 5, 6, 7, 8, tzinfo=dt.UTC)
NOTICE = (
    b"<html><head><title>Notice</title></head><body><h1>Delisting</h1><p>The ordinary shares of Alder Ltd are removed.</p></body></html>"
)
PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF"
Handler = Callable[[httpx.Request], httpx.Response]


def fetched(
    handler: Handler, url: str = "https://www.exchange.example/notices/118", robots: bool = False, limiter: Limiter | None = None
) -> Capture | Gap:
    async def run() -> Capture | Gap:
        limits = limiter or Limiter(default=Limit(rate=1e6, concurrency=9))
        net = Net("fetch", httpx.MockTransport(handler), limits, user_agent="s2r (desk@bank.example)", retry=NO_RETRY)
        async with net:
            fetcher: Fetcher = LiveFetcher(net, Settings(robots=robots))
            return await fetcher.fetch(url, at=AT)

    return asyncio.run(run())


def always(status: int = 200, body: bytes = NOTICE, kind: str = "text/html; charset=utf-8", **headers: str) -> Handler:
    named = {"content-type": kind, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return lambda request: httpx.Response(status, headers=named, content=body)


def routes(**pages: httpx.Response) -> Handler:
    table = {("/" if name == "front" else "/" + name.replace("__", "/")): found for name, found in pages.items()}

    def handler(request: httpx.Request) -> httpx.Response:
        found = table.get(request.url.path, httpx.Response(404))
        return httpx.Response(found.status_code, headers=found.headers, content=found.content)

    return handler


def to(location: str, status: int = 302) -> httpx.Response:
    return httpx.Response(status, headers={"location": location})


def page(body: bytes = NOTICE, kind: str = "text/html") -> httpx.Response:
    return httpx.Response(200, headers={"content-type": kind}, content=body)


def test_a_page_becomes_a_capture() -> None:
    """Bytes, status, time, headers of the page and the way that led to it are kept; cookies and transport headers are not."""
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if request.url.path == "/notices/118":
            return httpx.Response(301, headers={"location": "/en/notice/118.html"})
        named = {"content-type": "text/html", "last-modified": "Mon, 04 Mar 2024 09:00:00 GMT", "set-cookie": "id=7", "etag": "x"}
        return httpx.Response(200, headers=named, content=NOTICE)

    found = fetched(handler)
    assert isinstance(found, Capture)
    assert (found.url, found.final_url) == ("https://www.exchange.example/notices/118", "https://www.exchange.example/en/notice/118.html")
    assert found.hops == ("301 https://www.exchange.example/notices/118",)
    assert (found.body, found.status, found.fetched_at, found.via) == (NOTICE, 200, AT, "live")
    names = dict(found.headers)
    assert names["last-modified"] == "Mon, 04 Mar 2024 09:00:00 GMT"
    assert "set-cookie" not in names
    assert seen[0].headers["user-agent"] == "s2r (desk@bank.example)"


@pytest.mark.parametrize(
    ("handler", "outcome"),
    [
        (always(), None),
        (always(body=PDF, kind="application/pdf"), None),
        (always(body=PDF, kind="text/html"), None),
        (always(body=NOTICE, kind=""), None),
        (always(body=NOTICE, kind="application/pdf"), None),
        (always(body=b"Delisted on 14 June 2013", kind="text/plain"), None),
        (always(404), Outcome.NOT_FOUND),
        (always(410), Outcome.NOT_FOUND),
        (always(403), Outcome.BLOCKED),
        (always(401), Outcome.BLOCKED),
        (always(402), Outcome.PAYWALL),
        (always(429), Outcome.BLOCKED),
        (always(429, retry_after="600"), Outcome.BLOCKED),
        (always(403, b"<title>Request Rate Threshold Exceeded</title>"), Outcome.BLOCKED),
        (always(451), Outcome.BLOCKED),
        (always(500), Outcome.ERROR),
        (always(200, b""), Outcome.EMPTY),
        (always(204, b""), Outcome.EMPTY),
        (always(200, b"<title>Just a moment...</title><script>_cf_chl_opt={}</script>"), Outcome.BLOCKED),
        (always(200, b"<h1>Page not found</h1>"), Outcome.NOT_FOUND),
        (always(200, b"<div id=root></div><script src=a.js></script>"), Outcome.SCRIPT_SHELL),
        (always(200, b"<h1>Firm leaves</h1><p>Subscribe to continue reading.</p>"), Outcome.PAYWALL),
        (
            always(200, b"<h1>Before you continue</h1><p>We use cookies.</p><button>Accept all</button><button>Reject all</button>"),
            Outcome.CONSENT,
        ),
        (always(200, b"<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>"), Outcome.ERROR),
        (always(200, b"\x89PNG\r\n\x1a\n", "text/html"), Outcome.UNREADABLE),
        (always(200, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "application/msword"), Outcome.UNREADABLE),
        (always(200, b"damaged", content_encoding="br"), Outcome.UNREADABLE),
        (always(200, b"x", content_length="999999999999"), Outcome.TOO_LARGE),
        (always(302, b""), Outcome.ERROR),
        (always(302, b"", location="http://169.254.169.254/latest/"), Outcome.REFUSED),
        (always(302, b"", location="file:///etc/passwd"), Outcome.REFUSED),
        (always(302, b"", location="/notices/118"), Outcome.ERROR),
    ],
)
def test_what_came_is_typed(handler: Handler, outcome: Outcome | None) -> None:
    """Status, bytes and content decide; every gap has a cause and a next step."""
    found = fetched(handler)
    if outcome is None:
        assert isinstance(found, Capture)
    else:
        assert isinstance(found, Gap)
        assert (found.outcome, found.step, found.url) == (outcome, "fetch", "https://www.exchange.example/notices/118")
        assert found.cause
        assert found.next_step


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "ftp://x.example/", "http://user:pw@x.example/", "http://localhost:9090/", "nonsense", ""]
)
def test_refused_addresses_are_gaps(url: str) -> None:
    """An address that the guard refuses is a gap of the kind refused, and nothing is asked."""
    found = fetched(lambda request: pytest.fail("a request was sent"), url)
    assert isinstance(found, Gap)
    assert found.outcome is Outcome.REFUSED


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (httpx.ConnectError("refused"), Outcome.ERROR),
        (httpx.ReadTimeout(""), Outcome.ERROR),
        (httpx.RemoteProtocolError("cut"), Outcome.UNREADABLE),
        (httpx.ProxyError("407"), Outcome.ERROR),
    ],
)
def test_network_errors_are_gaps(error: Exception, outcome: Outcome) -> None:
    """A failure of the network is a gap with its cause, never an exception."""

    def handler(request: httpx.Request) -> httpx.Response:
        raise error

    found = fetched(handler)
    assert isinstance(found, Gap)
    assert found.outcome is outcome


def test_a_host_that_asked_for_a_pause_is_left_alone() -> None:
    """While a long pause of the host runs, its pages are gaps that say so."""
    limits = Limiter(default=Limit(rate=1e6))
    fetched(always(429, retry_after="900"), limiter=limits)
    found = fetched(lambda request: pytest.fail("a request was sent"), limiter=limits)
    assert isinstance(found, Gap)
    assert found.outcome is Outcome.BLOCKED
    assert "pause" in found.cause


@pytest.mark.parametrize(
    ("start", "pages", "outcome"),
    [
        ("/notices/118.html", {"notices__118.html": to("/"), "front": page()}, Outcome.NOT_FOUND),
        ("/notices/118.html", {"notices__118.html": to("/en/"), "en/": page()}, Outcome.NOT_FOUND),
        ("/notice?id=118", {"notice": to("/index.html"), "index.html": page()}, Outcome.NOT_FOUND),
        ("/notices/118.html", {"notices__118.html": to("/errors/404.html"), "errors__404.html": page()}, Outcome.NOT_FOUND),
        ("/notices/118.html", {"notices__118.html": to("/page-not-found"), "page-not-found": page()}, Outcome.NOT_FOUND),
        ("/notices/118.html", {"notices__118.html": to("/archive/118.html"), "archive__118.html": page()}, None),
        ("/", {"front": to("/en/home"), "en__home": page()}, None),
        ("/en", {"en": to("/"), "front": page()}, None),
        ("/bulletin/404", {"bulletin__404": to("/bulletins/404/"), "bulletins__404__": page()}, None),
    ],
)
def test_pages_that_lead_to_the_front_page_are_not_found(start: str, pages: dict[str, httpx.Response], outcome: Outcome | None) -> None:
    """A redirect from a page to the front page or an error page is "not found" in disguise; one to another place of it is not."""
    table = {name.replace("en/", "en__"): found for name, found in pages.items()}
    found = fetched(routes(**table), f"https://www.exchange.example{start}")
    assert (found.outcome if isinstance(found, Gap) else None) == outcome


def refresh(content: str, text: str = "Redirecting", wrap: str = "{}") -> bytes:
    element = wrap.format(f'<meta http-equiv=refresh content="{content}">')
    return f"<html><head>{element}</head><body><p>{text}</p></body></html>".encode()


@pytest.mark.parametrize(
    ("body", "target"),
    [
        (refresh("0; url=/b.html"), "https://x.example/b.html"),
        (refresh("0;URL='/b.html?a=1&amp;b=2'"), "https://x.example/b.html?a=1&b=2"),
        (refresh("5, url=https://y.example/"), "https://y.example/"),
        (refresh("600; url=/b.html"), ""),
        (refresh("30; url=/b.html"), ""),
        (refresh("0; url=/a.html"), ""),
        (refresh("0"), ""),
        (refresh("0; url=/b.html", "word " * 100), ""),
        (refresh("0; url=/b.html", wrap="<noscript>{}</noscript>"), ""),
        (refresh("0; url=/b.html", wrap="<!-- {} -->"), ""),
        (NOTICE, ""),
    ],
)
def test_empty_pages_that_send_on(body: bytes, target: str) -> None:
    """A nearly empty page with a quick refresh leads on; one that reloads itself, waits long, or has text does not."""
    reply = Reply(
        url="https://x.example/a.html",
        final_url="https://x.example/a.html",
        status=200,
        headers=(("content-type", "text/html"),),
        body=body,
    )
    assert refresh_target(reply) == target


def test_refreshes_are_followed_under_the_guard() -> None:
    """The page behind a refresh is fetched and the way is kept; a private target is refused; endless refreshes end."""
    found = fetched(routes(a=page(refresh("0; url=/b")), b=page()), "https://x.example/a")
    assert isinstance(found, Capture)
    assert (found.final_url, found.hops) == ("https://x.example/b", ("200 https://x.example/a",))
    for target, outcome in (("http://10.0.0.1/", Outcome.REFUSED), ("/c", Outcome.ERROR)):
        pages = routes(a=page(refresh(f"0; url={target}")), c=page(refresh("0; url=/d")), d=page(refresh("0; url=/a")))
        gap = fetched(pages, "https://x.example/a")
        assert isinstance(gap, Gap)
        assert gap.outcome is outcome


def frames(*elements: str, rest: str = "") -> bytes:
    return f"<html><head><title>Bulletin</title></head><frameset>{''.join(elements)}</frameset>{rest}</html>".encode()


@pytest.mark.parametrize(
    ("body", "target"),
    [
        (frames("<frame src=menu.html name=menu>", "<frame src=notice.html name=main>"), "https://x.example/n/notice.html"),
        (frames("<frame name=main src='b.html'>", "<frame src=menu.html>"), "https://x.example/n/b.html"),
        (frames("<frame src=top.html>", '<frame src="/doc?a=1&amp;b=2">'), "https://x.example/doc?a=1&b=2"),
        (frames("<frame src=b.html>", rest="<noframes>Your browser does not show frames.</noframes>"), "https://x.example/n/b.html"),
        (frames("<frame src=b.html>", rest="<noframes>" + "The shares of Alder Ltd are removed. " * 4 + "</noframes>"), ""),
        (frames("<frame src=https://y.example/b.html>"), ""),
        (frames("<frame src=javascript:alert(1)>", "<frame name=main>"), ""),
        (frames("<frame src=a.html>"), ""),
        (b"<body><iframe src='/notices/118.html'></iframe></body>", "https://x.example/notices/118.html"),
        (b"<body><p>The ordinary shares of Alder Ltd are removed.</p><iframe src='/b.html'></iframe></body>", ""),
        (NOTICE, ""),
    ],
)
def test_pages_of_frames(body: bytes, target: str) -> None:
    """A page that holds nothing but frames leads to the one with its matter, on the same host; text beside frames is the page."""
    url = "https://x.example/n/a.html"
    reply = Reply(url=url, final_url=url, status=200, headers=(("content-type", "text/html"),), body=body)
    assert frame_target(reply) == target


def test_the_matter_of_a_frameset_is_fetched() -> None:
    """The page in the main frame is what is captured, with the way to it; a frame that robots or the guard closes is not."""
    found = fetched(routes(a=page(frames("<frame src=menu>", "<frame name=main src=b>")), b=page()), "https://x.example/a")
    assert isinstance(found, Capture)
    assert (found.body, found.final_url, found.hops) == (NOTICE, "https://x.example/b", ("200 https://x.example/a",))
    gap = fetched(routes(a=page(frames("<frame src=http://10.0.0.1/>"))), "https://x.example/a")
    assert isinstance(gap, Gap)
    assert (gap.outcome, gap.cause) == (Outcome.EMPTY, "the page holds nothing but frames")


@pytest.mark.parametrize(
    ("body", "declared", "kind", "sniffed"),
    [
        (PDF, "text/html", "application/pdf", True),
        (PDF, "application/pdf", "application/pdf", False),
        (b"\n\r\n" + PDF, "application/octet-stream", "application/pdf", True),
        (NOTICE, "text/html; charset=shift_jis", "text/html; charset=shift_jis", False),
        (NOTICE, "text/plain; charset=big5", "text/html; charset=big5", True),
        (b"\xef\xbb\xbf<!DOCTYPE HTML><p>x", "", "text/html", True),
        (b"<!-- made by hand --><html>", "application/octet-stream", "text/html", True),
        (b"<?xml version='1.0'?><a/>", "", "text/xml", True),
        (b"<?xml version='1.0'?><a/>", "application/rss+xml", "application/rss+xml", False),
        (b"<SEC-DOCUMENT>0001.txt", "text/plain", "text/plain", False),
        (b"2 < 3 and <b>", "text/plain", "text/plain", False),
        (b"GIF89a", "text/html", "image/gif", True),
        (b"PK\x03\x04", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
         "application/vnd.openxmlformats-officedocument.wordprocessingml.document", False),
        (b"", "text/html", "text/html", False),
    ],
)  # fmt: skip
def test_bytes_tell_the_type(body: bytes, declared: str, kind: str, sniffed: bool) -> None:
    """PDF and binaries always, markup where the header is vague; a declared charset is kept."""
    assert true_type(body, declared) == (kind, sniffed)


def test_robots_are_asked_for_every_host_on_the_way() -> None:
    """A page that robots.txt closes is a gap, also when only a redirect leads there; other pages of the host are fetched."""

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/robots.txt":
            closed = b"User-agent: *\nDisallow: /" if request.url.host == "closed.example" else b"User-agent: *\nDisallow: /private/"
            return httpx.Response(200, content=closed)
        if request.url.path == "/onward":
            return httpx.Response(302, headers={"location": "https://closed.example/page"})
        assert request.url.host != "closed.example"
        return httpx.Response(200, headers={"content-type": "text/html"}, content=NOTICE)

    assert isinstance(fetched(handler, "https://www.exchange.example/notices/1", robots=True), Capture)
    for path in ("/private/1", "/onward"):
        gap = fetched(handler, f"https://www.exchange.example{path}", robots=True)
        assert isinstance(gap, Gap)
        assert gap.outcome is Outcome.REFUSED
        assert "robots.txt" in gap.cause
    assert isinstance(fetched(handler, "https://www.exchange.example/private/1", robots=False), Capture)


def test_through_a_real_connection_into_the_archive(tmp_path: Path) -> None:
    """A page from a loopback server goes through fetch_hit into the archive, and the same bytes come out."""

    async def run() -> Capture | Gap:
        async with serving(answer(NOTICE, content_type="text/html")) as port, client(port, caps=Caps(total_s=5)) as net:
            hit = Hit(url=f"http://127.0.0.1:{port}/notice", title="Delisting of Alder", provider="p", rank=1, query="q")
            return await fetch_hit(hit, LiveFetcher(net, Settings(robots=False)), at=AT)

    found = asyncio.run(run())
    assert isinstance(found, Capture)
    assert found.title == "Delisting of Alder"
    with Archive(tmp_path) as archive:
        exhibit = archive.put(found)
        assert archive.open(exhibit.digest).body == NOTICE

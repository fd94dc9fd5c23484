"""No address off the public web is ever connected to, however it is written, resolved or redirected to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import httpcore
import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.errors import SourceRefused
from s2r.net import NO_RETRY, AddressRefused, Endpoint, Limit, Limiter, Net, RedirectRefused, check_url
from s2r.net.address import bad_address
from s2r.net.guard import BlockedAddress, GuardBackend

REFUSED_URLS = r"""
ftp://files.example.com/a
file:///etc/passwd
file://files.example.com/etc/passwd
gopher://example.com/
javascript:alert(1)
data:text/html,hello
mailto:ir@example.com
ws://example.com/
wss://example.com/
jar:http://example.com/a.jar!/
dict://example.com:2628/
ldap://example.com/
//example.com/page
/page
page.html
example.com/page
http:example.com
http:/example.com
http:///example.com
http://
https://
http://user@example.com/
http://user:pass@example.com/
http://@example.com/
http://example.com@127.0.0.1/
http://example.com:80@169.254.169.254/
http://example.com\\@127.0.0.1/
http://example.com\\.evil.example/
http:\\\\example.com\\
http://127.0.0.1/
http://127.0.0.1:8080/
http://127.1.2.3/
http://127.0.0.1./
http://127.1/
http://127.0.1/
http://2130706433/
http://017700000001/
http://0177.0.0.1/
http://0x7f.0.0.1/
http://0x7f000001/
http://0x7F.1/
http://0x/
http://00000177.0.0.1/
http://127.0.0.01/
http://1.2.3/
http://8.8/
http://134744072/
http://8.8.8.8./
http://256.1.1.1/
http://1.2.3.4.5/
http://0/
http://0.0.0.0/
http://0.1.2.3/
http://10.0.0.5/
http://10.255.255.255/
http://172.16.0.1/
http://172.31.255.254/
http://192.168.0.1/
http://192.168.255.1/
http://169.254.169.254/latest/meta-data/
http://169.254.1.1/
http://100.64.0.1/
http://100.127.255.254/
http://192.0.0.1/
http://192.0.0.170/
http://192.0.2.7/
http://198.18.0.1/
http://198.19.255.255/
http://198.51.100.7/
http://203.0.113.7/
http://192.88.99.1/
http://224.0.0.1/
http://239.255.255.250/
http://240.0.0.1/
http://255.255.255.255/
http://[::1]/
http://[::]/
http://[0:0:0:0:0:0:0:1]/
http://[::127.0.0.1]/
http://[::ffff:127.0.0.1]/
http://[::ffff:7f00:1]/
http://[::ffff:10.0.0.5]/
http://[::ffff:169.254.169.254]/
http://[::ffff:0:127.0.0.1]/
http://[64:ff9b::127.0.0.1]/
http://[64:ff9b::a9fe:a9fe]/
http://[64:ff9b::10.0.0.1]/
http://[64:ff9b:1::8.8.8.8]/
http://[64:ff9b:1:fffe::1]/
http://[2002:7f00:1::]/
http://[2002:a00:1::1]/
http://[2002:a9fe:a9fe::]/
http://[2002:c0a8:1::]/
http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/
http://[2001:0:7f00:1::]/
http://[2001:db8::1]/
http://[3fff::1]/
http://[100::1]/
http://[5f00::1]/
http://[fc00::1]/
http://[fd00:ec2::254]/latest/meta-data/
http://[fd12:3456:789a::1]/
http://[fe80::1]/
http://[fe80::1%25eth0]/
http://[fe80::1%eth0]/
http://[2606:4700::1111%25en0]/
http://[fec0::1]/
http://[ff02::1]/
http://[ff0e::1]/
http://[::ffff]/
http://[v1.fe]/
http://168.63.129.16/machine?comp=goalstate
http://100.100.100.200/latest/meta-data/
http://192.0.0.192/opc/v2/
http://[2600:1f00::5efe:7f00:1]/
http://[2600:1f00::200:5efe:a9fe:a9fe]/
http://[2600:1f00::5efe:10.0.0.1]/
http://metadata.goog/computeMetadata/v1/
http://kubernetes.default.svc/
http://vault.service.consul/
http://2852039166/latest/
http://0xA9FEA9FE/
http://0251.0376.0251.0376/
http://169.254.43518/
http://١٢٧.0.0.1/
http://[::1/
http://::1/
http://[]/
http://localhost/
http://LOCALHOST/
http://localhost./
http://localhost:8080/
http://foo.localhost/
http://localhost.localdomain/
http://printer.local/
http://metadata.google.internal/computeMetadata/v1/
http://db.internal/
http://intranet/
http://router.lan/
http://nas.home/
http://mail.corp/
http://box.home.arpa/
http://hidden.onion/
http://1.0.0.127.in-addr.arpa/
http://１２７.０.０.１/
http://127。0。0。1/
http://①②⑦.0.0.1/
http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/
http://localhost%2e/
http://%31%32%37.0.0.1/
http://127%2e0%2e0%2e1/
http://exa%6dple.com/
http://ex ample.com/
http://example..com/
http://.example.com/
http://example.com../
http://-example.com/
http://exam!ple.com/
http://exam<ple.com/
http://xn--a.example.com\t/
http://example.com\n.evil.example/
http://example.com\r\nHost: evil.example/
http://example.com\x00.evil.example/
http://example.com/\x1b[31m
http://example.com:22/
http://example.com:25/
http://example.com:6379/
http://example.com:8000/
http://example.com:9200/
http://example.com:0/
http://example.com:65536/
http://example.com:-80/
http://example.com:8o/
https://example.com:444/
""".strip("\n").split("\n")
LEGAL_URLS = r"""
http://example.com
http://example.com/
https://example.com/
HTTP://EXAMPLE.COM/
hTtPs://Example.Com/Path
http://example.com:80/
https://example.com:443/
http://example.com:443/
https://example.com:8443/a
http://example.com:8080/a
http://example.com:/a
http://example.com./a
http://www.example.com./
https://sub.domain.example.co.uk/page.html
https://example.com?x=1
https://example.com/?a=b&c=d
https://example.com/a;b=c
https://example.com/#fragment
https://example.com/a#b?c
https://example.com/a?b#c
https://example.com/a%20b
https://example.com/a b
https://example.com/a?q=x y
https://example.com/%E4%B8%8A%E5%B8%82
https://example.com/上場廃止
https://example.com/é?ü=ñ
https://example.com/a|b{c}
https://example.com/a?filter[lei]=x
https://example.com/a"b
https://example.com/~user/
https://example.com/a/../b
https://example.com/./a
https://example.com//a//b
https://example.com/@user
https://example.com/a:b@c
https://example.com/?next=http://127.0.0.1/
https://example.com/?u=\\x
https://example.com/web/20240304010203id_/http://10.0.0.1/
https://example.com/a?email=user@example.org
https://bücher.example.com/
https://xn--bcher-kva.example.com/
https://例え.example.com/
https://пример.example.com/
https://BÜCHER.example.com/
https://faß.example.com/
https://example.中国/
https://www.ｅｘａｍｐｌｅ.com/
https://my_host.example.com/
https://_dmarc.example.com/
https://a-b.example.com/
https://a--b.example.com/
https://3m.example.com/
https://123.example.com/
https://127.0.0.1.example.com/
https://0x7f.example.com/
https://10.example.com/
https://1.1.1.1.nip.example/
https://a.b.c.d.e.f.g.example.com/
https://localhost.example.com/
https://internal.example.com/
https://local.example.org/
https://example.homes/
https://example.localnews.example/
https://example.museum/
https://example.co/
https://x.y/
https://1.2.3.4a/
https://example.0xg/
http://8.8.8.8/
http://1.1.1.1/
https://9.9.9.9:8443/
http://11.0.0.1/
http://172.15.0.1/
http://172.32.0.1/
http://192.167.255.255/
http://192.169.0.1/
http://100.63.255.255/
http://100.128.0.1/
http://169.253.0.1/
http://169.255.0.1/
http://126.255.255.255/
http://128.0.0.1/
http://198.17.255.255/
http://198.20.0.1/
http://223.255.255.1/
http://192.0.3.1/
http://203.0.114.1/
http://198.51.101.1/
http://192.88.98.1/
http://[2606:4700:4700::1111]/
http://[2606:4700:4700:0:0:0:0:1111]/
http://[2606:4700:4700::1111]:8080/
http://[2001:4860:4860::8888]/
http://[2A00:1450:4001::5]/
http://[2400:cb00::1]/
http://[2600:1f00::5efe:808:808]/
https://services.example.com/
http://168.63.129.17/
http://[2620:fe::fe]/
http://[2001:200::1]/
http://[2a02:26f0::1]/
http://[::ffff:8.8.8.8]/
http://[::ffff:808:808]/
http://[64:ff9b::8.8.8.8]/
http://[64:ff9b::101:101]/
http://[2002:808:808::1]/
https://www.exchange.example/notices/2024/03/delisting-of-ordinary-shares
https://www.exchange.example/notices?date=2024-03-04&isin=US0000000000
https://disclosure.exchange.example:8443/servlet/Notice?id=12345
https://filings.example.gov/Archives/edgar/data/1234567/000123456724000001/d1d8k.htm
https://filings.example.gov/cgi-bin/browse?action=getcompany&type=25-NSE&dateb=&owner=include
https://archive.example.org/web/20240305010203/https://www.example.com/pr/1
http://news.example.jp/記事/20240304.html
http://www.example.co.kr/bbs/view.php?no=1&page=2
https://example.de/Pflichtmitteilungen/Widerruf-der-Zulassung%C3%BC.html
https://cdn.example.net/files/Notice%20of%20Delisting%20(2024).pdf
https://example.fr/communique?titre=radiation&l'annee=2024
https://example.com.br/fatos-relevantes/?id=100,200
https://example.in/corp/announcements/$abc!def*
https://example.com/path/with/trailing/
https://example.com/index.html?
https://example.com/a=b&c
https://example.com/a+b
https://example.com/^caret
https://example.com/`tick`
https://example.com/a?x=<b>
  https://example.com/padded
""".strip("\n").split("\n")


def decoded(line: str) -> str:
    """The line with its escapes for control characters and backslashes."""
    for written, char in (("\\\\", "\\"), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\x00", "\0"), ("\\x1b", "\x1b")):
        line = line.replace(written, char)
    return line


def test_the_tables_are_as_long_as_promised() -> None:
    """At least 120 forms that must be refused and as many legal ones, none twice."""
    assert len(set(REFUSED_URLS)) == len(REFUSED_URLS) >= 120
    assert len(set(LEGAL_URLS)) == len(LEGAL_URLS) >= 120


@pytest.mark.parametrize("url", REFUSED_URLS)
def test_refused(url: str) -> None:
    """Schemes, users, ports, odd spellings, private addresses and names are refused before anything is resolved."""
    with pytest.raises(AddressRefused) as caught:
        check_url(decoded(url))
    assert caught.value.message
    assert caught.value.subject or not url


@pytest.mark.parametrize("url", LEGAL_URLS)
def test_legal(url: str) -> None:
    """What the public web uses passes, and both readers of the address see the same host."""
    target = check_url(decoded(url))
    seen = httpx.URL(target.url)
    assert seen.raw_host.decode().strip("[]").lower() == target.host
    assert (seen.port or {"http": 80, "https": 443}[seen.scheme]) == target.port
    assert check_url(target.url) == target


def net_over(handler: Any, **more: Any) -> Net:
    return Net(
        "fetch",
        httpx.MockTransport(handler),
        Limiter(default=Limit(rate=1e6, concurrency=99)),
        user_agent="t",
        retry=NO_RETRY,
        **more,
    )


def asked(net: Net, url: str) -> Any:
    async def run() -> Any:
        async with net:
            return await net.get(url)

    return asyncio.run(run())


def redirecting(location: str) -> tuple[Net, list[str]]:
    seen: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        if len(seen) == 1:
            return httpx.Response(302, headers=[(b"location", location.encode())])
        return httpx.Response(200, content=b"arrived")

    return net_over(handler), seen


@pytest.mark.parametrize(
    "location", [url for url in REFUSED_URLS if "://" in url[:12] or url.startswith(("javascript", "data", "mailto", "jar"))]
)
def test_redirects_to_refused_addresses_are_not_followed(location: str) -> None:
    """Every hop is checked like the first address, and the second request never leaves."""
    net, seen = redirecting(decoded(location))
    with pytest.raises(SourceRefused):
        asked(net, "https://start.example/")
    assert seen == ["https://start.example/"]


@pytest.mark.parametrize("location", LEGAL_URLS)
def test_redirects_to_legal_addresses_are_followed(location: str) -> None:
    """A redirect to a public address is followed and kept in the list of hops."""
    net, seen = redirecting(decoded(location))
    reply = asked(net, "https://start.example/")
    assert (reply.body, reply.hops, len(seen)) == (b"arrived", ("302 https://start.example/",), 2)
    assert ("downgrade" in reply.flags) == reply.final_url.startswith("http:")


@pytest.mark.parametrize(
    ("location", "lands"),
    [
        ("/b", "https://start.example/b"),
        ("b?c", "https://start.example/dir/b?c"),
        ("//other.example/x", "https://other.example/x"),
        ("?q=1", "https://start.example/dir/a?q=1"),
        ("../up", "https://start.example/up"),
        ("#here", None),
        ("", "https://start.example/dir/a"),
    ],
)
def test_relative_redirects(location: str, lands: str | None) -> None:
    """Relative locations are joined to the address that sent them; one that leads to itself is a circle."""
    net, _ = redirecting(location)
    if lands is None:
        with pytest.raises(RedirectRefused):
            asked(net, "https://start.example/dir/a")
    else:
        assert asked(net, "https://start.example/dir/a").final_url == lands


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ({"/": "/a", "/a": "/b", "/b": "/a"}, "circle"),
        ({"/": "/"}, "circle"),
        ({"/": "/0", **{f"/{n}": f"/{n + 1}" for n in range(12)}}, "more than 10"),
    ],
)
def test_loops_and_chains_end(steps: dict[str, str], fault: str) -> None:
    """A circle and a chain of more than ten redirects are refused."""
    net = net_over(lambda request: httpx.Response(301, headers={"location": steps[request.url.path]}))
    with pytest.raises(RedirectRefused, match=fault):
        asked(net, "https://start.example/")


def test_ten_redirects_pass() -> None:
    """Ten redirects are still followed."""
    steps = {f"/{n}": f"/{n + 1}" for n in range(10)}
    net = net_over(
        lambda request: (
            httpx.Response(301, headers={"location": steps[request.url.path]}) if request.url.path in steps else httpx.Response(200)
        )
    )
    assert len(asked(net, "https://start.example/0").hops) == 10


def test_a_cookie_opens_a_page_that_leads_to_itself() -> None:
    """A page that sets a cookie and sends the reader back to itself is read with the cookie; the cookie ends with the fetch."""
    seen: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("cookie", ""))
        if "visited=1" in seen[-1]:
            return httpx.Response(200, content=b"page")
        return httpx.Response(302, headers={"location": str(request.url), "set-cookie": "visited=1; Path=/"})

    async def run() -> None:
        async with net_over(handler) as net:
            assert (await net.get("https://start.example/")).body == b"page"
            assert (await net.get("https://start.example/")).body == b"page"

    asyncio.run(run())
    assert seen == ["", "visited=1", "", "visited=1"]


@pytest.mark.parametrize(
    ("status", "location", "passes"),
    [
        (301, "/b", False),
        (302, "/b", False),
        (303, "/b", False),
        (307, "/b", True),
        (308, "/b", True),
        (307, "https://other.example/", False),
    ],
)
def test_posts_are_redirected_only_within_their_origin(status: int, location: str, passes: bool) -> None:
    """A body and its key go only where they were meant to go."""

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/b":
            return httpx.Response(200, content=request.content)
        return httpx.Response(status, headers={"location": location})

    async def run() -> bytes:
        async with net_over(handler) as net:
            return (await net.post("https://start.example/a", data={"q": "x"})).body

    if passes:
        assert asyncio.run(run()) == b'{"q":"x"}'
    else:
        with pytest.raises(RedirectRefused):
            asyncio.run(run())


def test_keys_do_not_follow_to_another_origin() -> None:
    """Headers of the caller stay behind when a redirect leads to another host, port or scheme."""
    seen: list[dict[str, str]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(dict(request.headers))
        return httpx.Response(302, headers={"location": "https://other.example/"}) if len(seen) == 1 else httpx.Response(200)

    async def run() -> None:
        async with net_over(handler) as net:
            await net.get("https://start.example/", headers={"X-Subscription-Token": "planted-key", "Accept": "text/html"})

    asyncio.run(run())
    assert seen[0]["x-subscription-token"] == "planted-key"
    assert "planted-key" not in str(seen[1])
    assert seen[1]["accept"] == "text/html"


class Recorder(httpcore.AsyncNetworkBackend):
    """Notes the addresses that would be connected to, and refuses the first `deaf` of them."""

    def __init__(self, deaf: int = 0) -> None:
        self.seen: list[str] = []
        self._deaf = deaf

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.seen.append(host)
        if len(self.seen) <= self._deaf:
            raise httpcore.ConnectError("refused")
        return httpcore.AsyncMockStream([])


def connect(*answers: Sequence[str], allow: Sequence[Endpoint] = (), deaf: int = 0, times: int = 1) -> tuple[list[str], int]:
    """Addresses connected to, and how often the name was resolved; `answers` are given in turn."""
    turns = iter(answers)
    asked_for = 0

    async def resolver(host: str, port: int) -> Sequence[str]:
        nonlocal asked_for
        asked_for += 1
        return next(turns)

    backend = Recorder(deaf)
    guard = GuardBackend(resolver, allow, backend)

    async def run() -> None:
        for _ in range(times):
            await guard.connect_tcp("name.example", 443, 5.0)

    asyncio.run(run())
    return backend.seen, asked_for


BAD_ADDRESSES = [
    "127.0.0.1",
    "10.0.0.5",
    "::1",
    "169.254.169.254",
    "fd00:ec2::254",
    "100.64.9.9",
    "0.0.0.0",
    "255.255.255.255",
    "64:ff9b::7f00:1",
    "::ffff:10.1.1.1",
    "2002:7f00:1::",
    "fe80::1%eth0",
    "224.0.0.251",
    "not-an-address",
]


@pytest.mark.parametrize("address", [*BAD_ADDRESSES, ""])
@pytest.mark.parametrize("beside", [[], ["93.184.216.34"], ["2606:4700::1111"]])
def test_a_name_with_one_bad_address_is_refused(address: str, beside: list[str]) -> None:
    """A good address in the same answer does not make up for a bad one, in whatever order they come."""
    for answer in ([address, *beside], [*beside, address]):
        with pytest.raises(BlockedAddress):
            connect(answer)


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_the_checked_address_is_connected_to(address: str) -> None:
    """The name is resolved once and the connection goes to the literal that was checked."""
    assert connect([address]) == ([address], 1)


def test_rebinding() -> None:
    """A name that answers with a private address the second time is resolved once per connection, and refused then."""
    assert connect(["93.184.216.34"], ["127.0.0.1"]) == (["93.184.216.34"], 1)
    with pytest.raises(BlockedAddress):
        connect(["93.184.216.34"], ["127.0.0.1"], times=2)


def test_a_deaf_address_is_passed_over() -> None:
    """The next checked address is tried when one does not answer; when none does, that is the error."""
    assert connect(["93.184.216.34", "93.184.216.35"], deaf=1) == (["93.184.216.34", "93.184.216.35"], 1)
    with pytest.raises(httpcore.ConnectError):
        connect(["93.184.216.34", "93.184.216.35"], deaf=2)
    with pytest.raises(httpcore.ConnectError, match="no address"):
        connect([])


def test_operator_endpoints_may_be_private() -> None:
    """The host and port of a setting may be private; the same host on another port may not, nor another name for it."""
    assert connect(["10.0.0.5"], allow=[Endpoint("name.example", 443)]) == (["10.0.0.5"], 1)
    with pytest.raises(BlockedAddress):
        connect(["10.0.0.5"], allow=[Endpoint("name.example", 8443), Endpoint("other.example", 443)])
    own = {Endpoint("localhost", 9090), Endpoint("10.0.0.7", 11434), Endpoint("::1", 8888)}
    for url in ("http://localhost:9090/search", "http://10.0.0.7:11434/v1", "http://[::1]:8888/"):
        assert check_url(url, operator=own).url == url
    for url in ("http://localhost/", "http://localhost:9091/", "http://10.0.0.7/", "http://10.0.0.8:11434/", "http://127.0.0.1:9090/"):
        with pytest.raises(AddressRefused):
            check_url(url, operator=own)


def test_a_result_cannot_reach_an_operator_endpoint_through_the_fetch_client() -> None:
    """Private endpoints belong to the client of their role; the fetch client knows none and refuses a redirect to one."""
    net, seen = redirecting("http://localhost:9090/admin")
    with pytest.raises(AddressRefused, match="private network"):
        asked(net, "https://start.example/")
    assert len(seen) == 1


def test_length_is_capped() -> None:
    """An address of more than 4,096 characters is refused, and the message does not repeat it."""
    assert check_url("https://example.com/" + "a" * 4000)
    with pytest.raises(AddressRefused) as caught:
        check_url("https://example.com/" + "a" * 5000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("url", [url for url in REFUSED_URLS if "pass@" in url])
def test_a_password_in_an_address_is_not_repeated(url: str) -> None:
    """The refusal of an address with a user does not print the password."""
    with pytest.raises(AddressRefused) as caught:
        check_url(url)
    assert "pass@" not in str(caught.value)


@settings(max_examples=300, deadline=None)
@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_what_passes_is_global(address: Any) -> None:
    """No address that the standard library calls private, or that carries one, passes; the literal and the resolver agree."""
    ok = not bad_address(str(address))
    if ok:
        inner = getattr(address, "ipv4_mapped", None) or address
        assert inner.is_global
        assert not inner.is_multicast
    host = f"[{address}]" if address.version == 6 else str(address)
    try:
        check_url(f"http://{host}/")
        passed = True
    except AddressRefused:
        passed = False
    assert passed == ok


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["", "http://", "https://", "http://example.com", "http://[", "//"]))
def test_any_text_is_an_address_or_refused(text: str, before: str) -> None:
    """Random text never raises anything but a refusal, and what passes is read the same way by the client below."""
    try:
        target = check_url(before + text)
    except AddressRefused:
        return
    assert httpx.URL(target.url).raw_host.decode().strip("[]").lower() == target.host

"""The loopback world: pages under their own names, redirects, robots, faults, limits, and its work as a proxy for other processes."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from s2r.errors import S2RError, SourceError, SourceTimeout
from s2r.models import Capture, Query
from s2r.net import NO_RETRY, AddressRefused, Caps, Net, RedirectRefused, Reply, Robots, RobotsRefused, Unreachable
from s2r.net.guard import guarded_transport
from s2r.search.caller import Caller
from s2r.search.pool import Pool
from s2r.search.registry import PROVIDERS, known_providers, open_providers, read_accounts
from s2r.testing import World, fault
from s2r.testing.conformance import write_pool
from s2r.testing.door import public_address
from s2r.testing.pages import dripping, resetting, status
from s2r.testing.tls import has_openssl

PAGE = "https://wire.example/news/brantholm-1"
needs_openssl = pytest.mark.skipif(not has_openssl(), reason="the openssl program makes the certificate, and there is none here")


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """A small pool of two sites."""
    return write_pool(tmp_path)


def fetched(world: World, *urls: str, **more: Any) -> list[Reply | S2RError]:
    """Answers or errors for addresses, asked one after the other by one client for pages."""

    async def run() -> list[Reply | S2RError]:
        found: list[Reply | S2RError] = []
        async with world.net("fetch", retry=NO_RETRY, **more) as net:
            for url in urls:
                try:
                    found.append(await net.get(url))
                except S2RError as exc:
                    found.append(exc)
        return found

    return asyncio.run(run())


def got(found: Reply | S2RError) -> Reply:
    """An answer that came."""
    assert isinstance(found, Reply), found
    return found


def test_sealed_pages_are_served_under_their_own_names(sealed: Path) -> None:
    """Every page of the sealed set comes over http(s) with the bytes and the type that the pool itself gives."""
    with World(sealed / "docs.jsonl") as world, Pool.open(sealed / "docs.jsonl") as pool:
        urls = pool.urls()
        assert len(urls) > 250
        for url, found in zip(urls, fetched(world, *urls), strict=True):
            want = pool.read(url)
            assert isinstance(want, Capture)
            assert (got(found).status, got(found).content_type, got(found).body) == (want.status, want.content_type, want.body), url


def test_what_the_pool_does_not_hold_is_not_found(pool: Path) -> None:
    """A missing page, a missing site and a missing robots.txt are 404, not an error of the client."""
    with World(pool) as world:
        found = fetched(world, "https://wire.example/none", "http://other.example/", "https://wire.example/robots.txt")
        assert [got(one).status for one in found] == [404, 404, 404]
        assert [seen.host for seen in world.seen] == ["wire.example", "other.example", "wire.example"]


def test_redirects_lead_where_they_say_and_nowhere_else(pool: Path) -> None:
    """A redirect to a page is followed; one to the world's own address, to metadata or in a circle is refused."""
    with World(pool) as world:
        world.web.redirect("https://old.example/a", PAGE, 301)
        world.web.redirect("https://old.example/b", f"{world.origin}/brave")
        world.web.redirect("https://old.example/c", "http://169.254.169.254/latest/meta-data")
        world.web.redirect("https://old.example/d", "https://old.example/e")
        world.web.redirect("https://old.example/e", "https://old.example/d")
        page, own, meta, circle = fetched(world, *(f"https://old.example/{name}" for name in "abcd"))
        assert got(page).final_url == PAGE
        assert isinstance(own, AddressRefused)
        assert isinstance(meta, AddressRefused)
        assert isinstance(circle, RedirectRefused)


def test_the_guard_stays_in_place() -> None:
    """Private addresses are refused as ever; names look public to the guard."""
    with World() as world:
        for found in fetched(world, "http://10.0.0.1/", "http://localhost/", f"{world.origin}/", "http://[::1]/", "ftp://wire.example/"):
            assert isinstance(found, AddressRefused)
        assert not world.seen
    assert public_address("wire.example") == public_address("wire.example") != public_address("other.example")


def test_robots_txt_is_served_and_obeyed(pool: Path) -> None:
    """The rules that a test sets are those that the client keeps."""

    async def run(world: World) -> list[str]:
        said = []
        async with world.net("fetch", retry=NO_RETRY) as net:
            robots = Robots(net)
            for url in (PAGE, "https://wire.example/private/x", "https://notices.exchange.example/news/brantholm-1"):
                try:
                    await robots.allow(net.check(url))
                    said.append("yes")
                except RobotsRefused:
                    said.append("no")
        return said

    with World(pool) as world:
        world.web.set_robots("wire.example", "User-agent: *\nDisallow: /private/\n")
        world.web.set_robots("notices.exchange.example", "", 503)
        assert asyncio.run(run(world)) == ["yes", "no", "no"]


def test_pages_fail_as_they_are_told(pool: Path) -> None:
    """Scripts are used up in order, then what is lasting holds; by address or by host."""
    with World(pool) as world:
        world.web.script(PAGE, status(429, ("Retry-After", "2")), None, resetting())
        first, second, third = fetched(world, PAGE, PAGE, PAGE)
        assert (got(first).status, got(first).asked_wait_s) == (429, 2.0)
        assert got(second).status == 200
        assert isinstance(third, Unreachable)
        world.web.always("wire.example", dripping(0.2))
        (slow,) = fetched(world, PAGE, caps=Caps(total_s=0.5))
        assert isinstance(slow, SourceTimeout)
        world.web.always(
            "wire.example", lambda page: replace(page, body=gzip.compress(page.body)).with_headers(("Content-Encoding", "gzip"))
        )
        (packed,) = fetched(world, PAGE)
        assert b"Brantholm Instruments plc" in got(packed).body


@pytest.mark.parametrize("spec", PROVIDERS, ids=lambda spec: spec.name)
def test_services_answer_at_their_real_addresses(spec: Any, pool: Path) -> None:
    """Without S2R_<NAME>_URL a provider asks its public address, and gets there through the guard."""

    async def run(world: World) -> int:
        env = {name: value for name, value in world.env(spec.name).items() if not name.endswith("_URL")}
        env |= {} if spec.url else {f"S2R_{spec.name.upper()}_URL": "https://searx.example"}
        account = read_accounts(env, {spec.name: spec}, {})[spec.name]
        async with world.net(retry=NO_RETRY) as net:
            return len((await spec.connect(Caller(account, net)).find(Query(text='"Dunvegar Instruments"'), 5)).hits)

    with World(pool) as world:
        assert asyncio.run(run(world)) == 2
        assert world.calls(spec.name)[0].scheme == "https"


def searching(world: World, use: Callable[[Any], Awaitable[Any]]) -> Any:
    """What `use` gives for the Brave provider of a world."""

    async def run() -> Any:
        specs = known_providers([])
        async with world.net(retry=NO_RETRY) as net:
            (provider,) = open_providers((("brave",),), read_accounts(world.env("brave"), specs, {}), specs, net)
            return await use(provider)

    return asyncio.run(run())


def test_a_limit_refuses_what_comes_too_fast(pool: Path) -> None:
    """Of ten calls at once a service with three a second takes three."""

    async def ten(provider: Any) -> Any:
        return await asyncio.gather(*(provider.find(Query(text='"Dunvegar Instruments"'), 5) for _ in range(10)))

    with World(pool) as world:
        world.limit("brave", 3)
        states = [str(answer.state) for answer in searching(world, ten)]
        assert (states.count("answered"), states.count("failed")) == (3, 7)
        assert sorted(world.answers("brave")) == [200] * 3 + [429] * 7


def test_faults_by_chance_come_from_a_seed(pool: Path) -> None:
    """The same seed gives the same failures; about the wanted share of them."""

    async def forty(provider: Any) -> Any:
        return [str((await provider.find(Query(text='"Dunvegar Instruments"'), 5)).state) for _ in range(40)]

    runs = []
    for _ in range(2):
        with World(pool) as world:
            world.sometimes("brave", 0.3, [fault("500"), fault("HTML in 200")], seed=7)
            runs.append(searching(world, forty))
    assert runs[0] == runs[1]
    assert 5 <= runs[0].count("failed") <= 20


def test_latency_is_waited_for(pool: Path) -> None:
    """A slow service takes its time, and calls side by side wait side by side."""

    async def four(provider: Any) -> float:
        begin = time.monotonic()
        await asyncio.gather(*(provider.find(Query(text='"Dunvegar Instruments"'), 5) for _ in range(4)))
        return time.monotonic() - begin

    with World(pool) as world:
        world.latency("brave", 0.3)
        assert 0.3 <= searching(world, four) < 1.1


@needs_openssl
def test_a_world_with_tls_is_a_proxy_for_another_process(pool: Path) -> None:
    """A plain Python in a process of its own fetches an https page through the world, and trusts its certificate only."""
    program = (
        "import json, ssl, sys, urllib.request as r\n"
        "proxy, ca, url = sys.argv[1:]\n"
        "tls = r.HTTPSHandler(context=ssl.create_default_context(cafile=ca))\n"
        "opener = r.build_opener(r.ProxyHandler({'https': proxy, 'http': proxy}), tls)\n"
        "print(json.dumps([opener.open(one, timeout=20).read().decode() for one in (url, url.replace('https', 'http'))]))\n"
    )
    with World(pool, tls=True) as world:
        assert world.ca is not None
        command = [sys.executable, "-c", program, world.origin, str(world.ca), PAGE]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        assert all("Brantholm Instruments plc" in body for body in json.loads(ran.stdout))


@needs_openssl
def test_the_real_client_fetches_through_the_world_as_its_proxy(pool: Path) -> None:
    """With the settings of `World.env` the client of the product reaches pages by https and TLS."""

    async def run(world: World, *, trusted: bool) -> Reply:
        env = world.env("brave")
        transport = guarded_transport(proxy=env["S2R_FETCH_PROXY"], ca_bundle=Path(env["S2R_FETCH_CA_BUNDLE"]) if trusted else None)
        async with Net("fetch", transport, world.net().limiter, user_agent="test", proxied=True, retry=NO_RETRY) as net:
            return await net.get(PAGE)

    with World(pool, tls=True) as world:
        reply = asyncio.run(run(world, trusted=True))
        assert (reply.status, reply.final_url) == (200, PAGE)
        assert [(seen.scheme, seen.host) for seen in world.seen] == [("https", "wire.example")]
        with pytest.raises(SourceError, match="certificate is not trusted"):
            asyncio.run(run(world, trusted=False))


def test_a_client_that_talks_no_http_does_no_harm(pool: Path) -> None:
    """Bytes that are no request end their connection only."""

    async def run(world: World) -> int:
        for raw in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"A" * 70_000, b""):
            _, writer = await asyncio.open_connection("127.0.0.1", int(world.origin.rpartition(":")[2]))
            writer.write(raw)
            writer.close()
        async with world.net("fetch") as net:
            return (await net.get(PAGE)).status

    with World(pool) as world:
        assert asyncio.run(run(world)) == 200


def test_errors_of_the_world_are_errors_of_our_tree(pool: Path) -> None:
    """Whatever the world does, a client raises nothing foreign."""
    with World(pool) as world:
        world.web.script(PAGE, resetting(), lambda page: replace(page, cut=10), lambda page: replace(page, silent=True))
        for found in fetched(world, PAGE, PAGE, PAGE, caps=Caps(total_s=0.5)):
            assert isinstance(found, SourceError)

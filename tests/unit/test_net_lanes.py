"""Connections by origin: reused, shared, given back, waited for, and closed when they have ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine

import httpcore
import pytest
from httpcore import Origin, Request, Response

from s2r.net.lanes import LEAVES, Lanes


class Body:
    """The body of an answer of a `Fake`; its connection is idle again when it is closed."""

    def __init__(self, of: Fake) -> None:
        self._of = of

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"page"

    async def aclose(self) -> None:
        """End the request."""
        self._of.running -= 1


class Fake(httpcore.AsyncConnectionInterface):
    """A connection that answers at once; `version` HTTP/2 bears several requests, `broken` fails every one."""

    made: list[Fake]
    version, broken = b"HTTP/1.1", False

    def __init__(self, origin: Origin) -> None:
        self.origin, self.running, self.served = origin, 0, 0
        self.closed = self.expired = False
        self.made.append(self)

    async def handle_async_request(self, request: Request) -> Response:
        """One answer."""
        if self.running and self.version == b"HTTP/1.1":
            raise httpcore.ConnectionNotAvailable
        self.running += 1
        self.served += 1
        await asyncio.sleep(0)
        if self.broken:
            self.running, self.closed = 0, True
            raise httpcore.ReadError("lost")
        return Response(200, content=Body(self), extensions={"http_version": self.version})

    async def aclose(self) -> None:
        """Close."""
        self.closed = True

    def can_handle_request(self, origin: Origin) -> bool:
        """Of its own origin."""
        return origin == self.origin

    def is_available(self) -> bool:
        """As httpcore: one at a time, or many under HTTP/2."""
        return not self.closed and (self.version == b"HTTP/2" or not self.running)

    def has_expired(self) -> bool:
        """Told by the test."""
        return self.expired

    def is_idle(self) -> bool:
        """Nothing under way."""
        return not self.closed and not self.running

    def is_closed(self) -> bool:
        """Closed."""
        return self.closed

    def info(self) -> str:
        """For people."""
        return "fake"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Fake]:
    """All connections that a test makes."""
    found: list[Fake] = []
    monkeypatch.setattr(Fake, "made", found, raising=False)
    return found


def ran(work: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 10))


async def got(lanes: Lanes, host: str, hold: asyncio.Event | None = None) -> None:
    response = await lanes.handle_async_request(Request("GET", f"http://{host}/page"))
    assert b"".join([part async for part in response.stream]) == b"page"  # type: ignore[union-attr]
    if hold:
        await hold.wait()
    await response.aclose()
    await response.aclose()


def test_a_connection_is_used_again_by_its_origin_alone(made: list[Fake]) -> None:
    """One after the other: one connection for each origin."""

    async def work() -> None:
        lanes = Lanes(Fake, most=9, idle=9)
        for host in ("a.example", "b.example", "a.example", "a.example:81"):
            await got(lanes, host)
        await lanes.aclose()

    ran(work)
    assert [fake.served for fake in made] == [2, 1, 1]
    assert all(fake.closed for fake in made)


def test_the_ones_idle_longest_are_closed_beyond_the_number_kept(made: list[Fake]) -> None:
    """Five origins, two connections kept: those used last."""

    async def work() -> None:
        lanes = Lanes(Fake, most=9, idle=2)
        for number in range(5):
            await got(lanes, f"h{number}.example")

    ran(work)
    assert [fake.closed for fake in made] == [True, True, True, False, False]


@pytest.mark.parametrize("version", [b"HTTP/1.1", b"HTTP/2"])
def test_requests_side_by_side_have_a_connection_each_or_share_one(
    made: list[Fake], monkeypatch: pytest.MonkeyPatch, version: bytes
) -> None:
    """HTTP/1.1 bears one request at a time; a connection known to speak HTTP/2 bears all."""
    monkeypatch.setattr(Fake, "version", version)

    async def work() -> None:
        lanes = Lanes(Fake, most=9, idle=9)
        await got(lanes, "a.example")
        await asyncio.gather(*(got(lanes, "a.example") for _ in range(4)))

    ran(work)
    assert sum(fake.served for fake in made) == 5
    assert len(made) == (4 if version == b"HTTP/1.1" else 1)


def test_a_request_waits_for_room(made: list[Fake]) -> None:
    """With all connections busy it waits until one is given back, and an idle one of another origin makes room at once."""

    async def work() -> None:
        lanes, hold = Lanes(Fake, most=2, idle=2), asyncio.Event()
        busy = [asyncio.ensure_future(got(lanes, f"busy{number}.example", hold)) for number in range(2)]
        late = asyncio.ensure_future(got(lanes, "late.example"))
        await asyncio.sleep(0.01)
        assert not late.done()
        hold.set()
        await asyncio.gather(late, *busy)
        await got(lanes, "other.example")

    ran(work)
    assert [fake.origin.host for fake in made] == [b"busy0.example", b"busy1.example", b"late.example", b"other.example"]
    assert sum(not fake.closed for fake in made) == 2


def test_a_connection_that_has_ended_is_not_used_again(made: list[Fake]) -> None:
    """Ended by the other side while idle: closed, and a new one is made, also when another origin is asked."""

    async def work() -> None:
        lanes = Lanes(Fake, most=9, idle=9)
        for host in ("a.example", "a.example", "b.example"):
            await got(lanes, host)
            made[-1].expired = True

    ran(work)
    assert [(fake.served, fake.closed) for fake in made] == [(1, True), (1, True), (1, False)]


def test_a_broken_connection_is_forgotten(made: list[Fake], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its error reaches the caller, its place is free again."""

    async def work() -> None:
        lanes = Lanes(Fake, most=1, idle=1)
        monkeypatch.setattr(Fake, "broken", True)
        with pytest.raises(httpcore.ReadError):
            await got(lanes, "a.example")
        monkeypatch.setattr(Fake, "broken", False)
        await got(lanes, "a.example")

    ran(work)
    assert [fake.served for fake in made] == [1, 1]
    assert made[0].closed


def test_a_request_that_is_given_up_frees_its_connection(made: list[Fake]) -> None:
    """Cancelled while it waits for the answer: a connection in an unknown state is closed."""

    async def work() -> None:
        lanes = Lanes(Fake, most=1, idle=1)
        asking = asyncio.ensure_future(got(lanes, "a.example"))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await got(lanes, "b.example")

    ran(work)
    assert made[0].closed
    assert made[1].served == 1


def test_who_follows_a_request_is_told_when_it_leaves(made: list[Fake]) -> None:
    """On a connection that is at hand it leaves at once, and is followed no further; on a new one httpcore tells its steps."""
    told: list[str] = []

    async def trace(event: str, info: object) -> None:
        told.append(event)

    async def work() -> None:
        lanes, seen = Lanes(Fake, most=9, idle=9), list[bool]()
        for _ in range(2):
            request = Request("GET", "http://a.example/page", extensions={"trace": trace, "timeout": {}})
            response = await lanes.handle_async_request(request)
            await response.aclose()  # type: ignore[attr-defined]
            seen.append("trace" in request.extensions)
        assert seen == [True, False]

    ran(work)
    assert told == [LEAVES]

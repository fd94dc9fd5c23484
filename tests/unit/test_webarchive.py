"""Web archives: the client against a loopback archive with faults. A failure never reads as "no captures", a time is the true one."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from s2r.archive import Archive
from s2r.errors import S2RError, SourceTimeout
from s2r.fetch import fetch_hit
from s2r.fetch.webarchive import (
    ArchiveBroken,
    ArchiveBusy,
    ArchivedPages,
    ArchiveRefused,
    Endpoints,
    InTime,
    LiveOrArchived,
    NoCapture,
    WebArchive,
    archive_limits,
    archives_of,
)
from s2r.fetch.webarchive.cdx import cdx_query, read_cdx
from s2r.fetch.webarchive.client import INDEX_BUCKET
from s2r.fetch.webarchive.rfc7089 import read_capture_address, read_http_date, read_links, read_stamp14, read_timemap
from s2r.models import Capture, Gap, Hit, Outcome
from s2r.net import Caps, CoolingDown, Limit, Limiter, RedirectRefused
from s2r.policy import Policy
from s2r.settings import Settings
from s2r.testing import Answer, World, html_answer
from s2r.testing.conformance import Clock

T = TypeVar("T")
PAGE = "https://www.alder.example/news/delisting.html"


def at(text: str) -> dt.datetime:
    return dt.datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=dt.UTC)


def notice(words: str = "The ordinary shares of Alder Ltd are removed from the official list.") -> bytes:
    return f"<html><head><title>Notice</title></head><body><h1>Delisting</h1><p>{words}</p></body></html>".encode()


def asked(
    world: World, job: Callable[[WebArchive], Awaitable[T]], *, clock: Clock | None = None, which: int = 0, **more: Any
) -> T | S2RError:
    """What a job makes of the world's archive, or the error that it raised."""

    async def run() -> T | S2RError:
        ticking = clock or Clock()
        endpoints = archives_of(
            Settings(memento_url="https://web.archive.org/web/", memento_timemap_url="https://web.archive.org/web/timemap/link/")
        )
        limiter = Limiter(None, archive_limits(Settings()), Limit(rate=1e5, concurrency=50), clock=ticking, sleep=ticking.sleep)
        async with world.net(limiter=limiter, clock=ticking, sleep=ticking.sleep, **more) as net:
            try:
                return await job(WebArchive(net, endpoints[which]))
            except S2RError as exc:
                return exc

    return asyncio.run(run())


def pages(world: World, url: str = PAGE, by: str = "2024-03-10 00:00", **more: Any) -> Capture | Gap:
    found = asked(world, lambda archive: ArchivedPages([archive]).until(at(by)).fetch(url), **more)
    assert isinstance(found, Capture | Gap)
    return found


def test_availability_is_a_hint_and_never_a_proof_of_absence() -> None:
    """The nearest snapshot with its time; none known is None; what is no answer of the service is an error."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-05 01:02"), notice())
        found = asked(world, lambda archive: archive.available(PAGE, at("2024-03-01 00:00")))
        assert found == (at("2024-03-05 01:02"), 200, "https://web.archive.org/web/20240305010200/" + PAGE)
        assert asked(world, lambda archive: archive.available("https://none.example/", at("2024-03-01 00:00"))) is None
        for answer in (
            Answer(200, (), b"{}"),
            Answer(200, (), b'{"archived_snapshots": {"closest": {"timestamp": "soon"}}}'),
            html_answer("x", "y"),
        ):
            world.kept.script("available", lambda _, answer=answer: answer)
            assert isinstance(asked(world, lambda archive: archive.available(PAGE, at("2024-03-01 00:00"))), S2RError)


def test_the_index_is_read_to_its_end() -> None:
    """Resume keys are followed over all answers, in order and without repeats; filters, time bounds and collapse are the server's."""
    with World() as world:
        for day in range(1, 24):
            world.kept.keep(PAGE, at(f"2024-03-{day:02d} 00:00"), notice(str(day // 4)), status=404 if day % 5 == 0 else 200)
        world.kept.page_size = 7
        found = asked(world, lambda archive: archive.captures(PAGE))
        assert not isinstance(found, S2RError)
        assert [row.at.day for row in found.rows] == list(range(1, 24))
        assert (found.whole, found.bad, len(world.kept.calls("cdx"))) == (True, (), 4)
        some = asked(
            world,
            lambda archive: archive.captures(PAGE, since=at("2024-03-04 00:00"), until=at("2024-03-11 00:00"), filters=("statuscode:200",)),
        )
        assert not isinstance(some, S2RError)
        assert [row.at.day for row in some.rows] == [4, 6, 7, 8, 9, 11]
        fewer = asked(world, lambda archive: archive.captures(PAGE, collapse="digest"))
        assert not isinstance(fewer, S2RError)
        assert [row.at.day for row in fewer.rows] == [1, 4, 8, 12, 16, 20]
        last = asked(world, lambda archive: archive.captures(PAGE, limit=-2))
        assert not isinstance(last, S2RError)
        assert [row.at.day for row in last.rows] == [22, 23]
        capped = asked(world, lambda archive: archive.captures(PAGE, most=10))
        assert not isinstance(capped, S2RError)
        assert (len(capped.rows), capped.whole) == (10, False)


def test_no_captures_is_only_what_the_index_says() -> None:
    """An empty list is no capture; refusals, throttles, pages, cut answers, circles and rows that are none are errors of their kind."""
    with World() as world:
        empty = asked(world, lambda archive: archive.captures("https://none.example/"))
        assert not isinstance(empty, S2RError)
        assert empty == ((), (), True)
        world.kept.exclude("owner.example")
        world.kept.exclude("robots.example", "RobotAccessControlException")
        assert "excluded" in str(asked(world, lambda archive: archive.captures("https://owner.example/x")))
        assert "robots.txt" in str(asked(world, lambda archive: archive.captures("https://robots.example/x")))
        for url in ("https://owner.example/x", "https://robots.example/x"):
            assert isinstance(asked(world, lambda archive, url=url: archive.captures(url)), ArchiveRefused)
        world.kept.keep(PAGE, at("2024-03-05 01:02"), notice())
        circle = json.dumps([["urlkey", "timestamp", "original"], ["x", "20240305010203", PAGE], [], ["x+1"]]).encode()
        table: tuple[tuple[Answer, type[S2RError]], ...] = (
            (html_answer("Wayback Machine", "Something went wrong"), ArchiveBroken),
            (Answer(200, (), b'[["urlkey","timestamp","original"],["com,alder)/","2024'), ArchiveBroken),
            (Answer(200, (), b'[["a","b"],["c","d"]]'), ArchiveBroken),
            (Answer(200, (), b"\xff\xfe\x00"), ArchiveBroken),
            (Answer(200, (), b"com,alder)/ soon https://x.example/ text/html 200 AAAA 12\n"), ArchiveBroken),
            (Answer(200, (), circle), ArchiveBroken),
            (Answer(400, (), b"bad request"), ArchiveBroken),
            (Answer(500, (), b"oops"), ArchiveBroken),
            (Answer(504, (), b"<html>gateway</html>"), ArchiveBroken),
            (Answer(429, (), b"slow down"), ArchiveBusy),
            (Answer(429, (("Retry-After", "30"),), b""), ArchiveBusy),
            (html_answer("Too Many Requests", "429 Too Many Requests", 403), CoolingDown),
            (Answer(200, (), b""), ArchiveBroken),
        )
        for answer, kind in table:
            world.kept.always("cdx", lambda _, answer=answer: answer)
            found = asked(world, lambda archive: archive.captures(PAGE))
            assert type(found) is kind, (answer, found)
        world.kept.always("cdx", lambda answer: replace(answer, silent=True))
        assert isinstance(asked(world, lambda archive: archive.captures(PAGE), caps=Caps(total_s=0.2, read_s=0.2)), SourceTimeout)


def test_what_passes_is_asked_again_and_slow_down_is_obeyed() -> None:
    """A 502, a reset and a 429 are followed by the true answer; after a 429 without a time a whole minute is waited."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-05 01:02"), notice())
        faults = (Answer(502, (), b""), Answer(429, (), b""), Answer(503, (("Retry-After", "7"),), b""))
        for fault, least in zip(faults, (0.0, 60.0, 7.0), strict=True):
            clock = Clock()
            began = clock.now
            world.kept.script("cdx", lambda _, fault=fault: fault)
            found = asked(world, lambda archive: archive.captures(PAGE), clock=clock)
            assert not isinstance(found, S2RError)
            assert len(found.rows) == 1
            assert clock.now - began >= least
        world.kept.script("cdx", lambda answer: replace(answer, reset=True))
        assert not isinstance(asked(world, lambda archive: archive.captures(PAGE)), S2RError)


ROWS = (
    ("revisit without status", ["k", "20240305010203", PAGE, "warc/revisit", "-", "AAAA", "432"], (None, 432, True, "")),
    ("unknown length", ["k", "20240305010203", PAGE, "text/html", "200", "AAAA", "-"], (200, None, False, "")),
    ("an old port", ["k", "20010410213930", "http://www.alder.example:80/", "text/html", "200", "A", "1"], (200, 1, False, "")),
    ("month 13", ["k", "20241305010203", PAGE, "text/html", "200", "AAAA", "1"], "has no time of 14 digits"),
    ("a short time", ["k", "2024", PAGE, "text/html", "200", "AAAA", "1"], "has no time of 14 digits"),
    ("a mail address", ["k", "20240305010203", "mailto:ir@alder.example", "text/html", "200", "A", "1"], "names no http address"),
    ("no host", ["k", "20240305010203", "http:///x", "text/html", "200", "A", "1"], "names no http address"),
    ("a bad port", ["k", "20240305010203", "http://a.example:port/", "text/html", "200", "A", "1"], "names no address"),
    ("a status in words", ["k", "20240305010203", PAGE, "text/html", "ok", "A", "1"], "has a status or a length that is no number"),
    ("too few values", ["k", "20240305010203"], "has not as many values as names"),
)


@pytest.mark.parametrize("form", ["json", "text", "lines"])
@pytest.mark.parametrize(("name", "row", "want"), ROWS, ids=[name for name, _, _ in ROWS])
def test_index_lines_are_read_or_said_to_be_none(name: str, row: list[str], want: Any, form: str) -> None:
    """In all three forms of answers a usable line gives its capture, and a line that is none is kept with what is wrong with it."""
    fields = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]
    good = ["k", "20240101000000", "https://good.example/", "text/html", "200", "B", "7"]
    if form == "json":
        body = json.dumps([fields, good, row, [], ["key+1"]])
    elif form == "text":
        body = " ".join(good) + "\n" + " ".join(row) + "\n\nkey+1\n"
    else:
        names = ["urlkey", "timestamp", "url", "mime", "status", "digest", "length"]
        body = "\n".join(json.dumps(dict(zip(names, line, strict=False))) for line in (good, row))
    page = read_cdx(body.encode())
    assert page.resume_key == ("" if form == "lines" else "key+1")
    assert page.rows[0].original == "https://good.example/"
    if isinstance(want, str):
        assert len(page.bad) == 1
        assert (page.bad[0].number, len(page.rows)) == (2, 1)
        if form != "lines" or name != "too few values":
            assert page.bad[0].problem == want
    else:
        found = page.rows[1]
        assert (found.status, found.length, found.is_revisit, "".join(b.problem for b in page.bad)) == want
        assert ":80" not in found.original


def test_the_query_says_what_is_asked() -> None:
    """Filters repeat, times are 14 digits in UTC, a negative limit has no resume key."""
    query = cdx_query(
        "a.example/*", until=dt.datetime(2024, 3, 5, 23, 30, tzinfo=dt.timezone(dt.timedelta(hours=-5))), filters=("a:b", "!c:d"), limit=-3
    )
    assert "to=20240306043000" in query
    assert "filter=a%3Ab&filter=%21c%3Ad" in query
    assert "showResumeKey" not in query
    with pytest.raises(ValueError, match="time zone"):
        cdx_query("a.example", since=dt.datetime(2024, 3, 5))


def test_the_index_keeps_one_budget_of_24_a_minute() -> None:
    """CDX and TimeMap, asked in turns, share a bucket in which no minute sees more than 24 requests; playback is not in it."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-05 01:02"), notice())
        clock = Clock()
        times: list[float] = []
        note = lambda answer: times.append(clock.now) or answer  # noqa: E731 - a change of an answer that notes its time
        world.kept.always("cdx", note)
        world.kept.always("timemap", note)

        async def many(archive: WebArchive) -> int:
            for number in range(60):  # one after the other: the server notes each before the clock goes on
                await (archive.captures(PAGE) if number % 2 else archive.timemap(PAGE))
            return len(times)

        assert asked(world, many, clock=clock) == 60
        busiest = max(sum(1 for other in times if 0 <= other - start < 60) for start in times)
        assert 20 <= busiest <= 24
        assert archive_limits(Settings())[INDEX_BUCKET].burst == 1


# --- playback


def test_playback_gives_raw_bytes_and_the_true_time() -> None:
    """The bytes as captured without what the archive adds, the true time of the capture, the way to it, and what the archive links to."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-01 00:00"), notice("old"))
        world.kept.keep(PAGE, at("2024-03-05 01:02"), notice())
        world.kept.keep(PAGE, at("2024-04-01 00:00"), notice("new"))
        exact = asked(world, lambda archive: archive.play(PAGE + "#top", at("2024-03-05 01:02")))
        assert not isinstance(exact, S2RError)
        assert (exact.body, exact.status, exact.captured_at, exact.neighbour) == (notice(), 200, at("2024-03-05 01:02"), False)
        assert exact.address == f"https://web.archive.org/web/20240305010200id_/{PAGE}"
        near = asked(world, lambda archive: archive.play(PAGE, at("2024-03-20 00:00")))
        assert not isinstance(near, S2RError)
        assert (near.body, near.captured_at, near.neighbour) == (notice("new"), at("2024-04-01 00:00"), True)
        assert near.hops == (f"302 https://web.archive.org/web/20240320000000id_/{PAGE}",)
        before, first = near.linked("prev"), near.linked("first")
        assert before is not None
        assert first is not None
        assert (before.at, first.at) == (at("2024-03-05 01:02"), at("2024-03-01 00:00"))


def test_statuses_of_archived_pages_are_those_of_the_site() -> None:
    """An archived 404, 403 or 429 is a capture with this status; it neither slows the archive down nor is asked for again."""
    with World() as world:
        for number, status in enumerate((404, 403, 429, 503, 500)):
            url = f"https://www.alder.example/{status}"
            world.kept.keep(url, at(f"2024-03-0{number + 1} 00:00"), notice(f"Too many requests {status}"), status=status)
            clock = Clock()
            began = clock.now
            found = asked(world, lambda archive, url=url: archive.play(url, at("2024-03-05 00:00")), clock=clock)
            assert not isinstance(found, S2RError)
            assert (found.status, found.captured_at.day) == (status, number + 1)
            assert clock.now - began < 30
        assert len([seen for seen in world.kept.calls("play") if "/429" in seen.path]) == 2  # nearest, then the capture

        async def many(archive: WebArchive) -> int:
            return len([await archive.play("https://www.alder.example/429", at("2024-03-03 00:00")) for _ in range(12)])

        clock = Clock()
        began = clock.now
        assert asked(world, many, clock=clock) == 12
        assert clock.now - began < 12  # no circuit opens
        gap = pages(world, "https://www.alder.example/404")
        assert isinstance(gap, Gap)
        assert gap.outcome is Outcome.NOT_FOUND


def test_redirects_of_the_archived_site_stay_in_the_archive() -> None:
    """A stored redirect is followed to the capture of its target; one that leaves the archive, or leads in a circle, is refused."""
    with World() as world:
        world.kept.keep("http://alder.example/old", at("2024-03-01 00:00"), b"", status=301, location=PAGE)
        world.kept.keep(PAGE, at("2024-03-01 00:09"), notice())
        found = asked(world, lambda archive: archive.play("http://alder.example/old", at("2024-03-01 00:00")))
        assert not isinstance(found, S2RError)
        assert (found.original, found.captured_at, found.neighbour, len(found.hops)) == (PAGE, at("2024-03-01 00:09"), False, 2)
        for location in (
            PAGE,
            "https://web.archive.org/donate",
            "http://169.254.169.254/latest",
            f"https://evil.example/web/20240301000900id_/{PAGE}",
        ):
            world.kept.script("play", lambda _, location=location: Answer(302, (("Location", location),)))
            assert isinstance(asked(world, lambda archive: archive.play(PAGE, at("2024-03-01 00:00"))), RedirectRefused), location
        assert not world.seen
        world.kept.keep("https://a.example/", at("2024-03-01 00:00"), b"", status=302, location="https://b.example/")
        world.kept.keep("https://b.example/", at("2024-03-01 00:00"), b"", status=302, location="https://a.example/")
        assert isinstance(asked(world, lambda archive: archive.play("https://a.example/", at("2024-03-01 00:00"))), RedirectRefused)


def test_what_is_no_capture_is_told_by_its_kind() -> None:
    """Not archived, excluded, busy, failed, a page of the archive's own, and a capture without a readable time."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-05 01:02"), notice())
        world.kept.exclude("owner.example")
        when = at("2024-03-05 01:02")
        assert isinstance(asked(world, lambda archive: archive.play("https://none.example/", when)), NoCapture)
        assert isinstance(asked(world, lambda archive: archive.play("https://owner.example/", when)), ArchiveRefused)
        table: tuple[tuple[Callable[[Answer], Answer], type[S2RError]], ...] = (
            (lambda _: Answer(429, (), b""), ArchiveBusy),
            (lambda _: Answer(503, (), b"offline"), ArchiveBusy),
            (lambda _: Answer(500, (), b""), ArchiveBroken),
            (lambda _: html_answer("Wayback Machine", "Search the history of the web"), ArchiveBroken),
            (lambda answer: answer.with_headers(("Memento-Datetime", "yesterday")), ArchiveBroken),
        )
        for change, kind in table:
            world.kept.always("play", change)
            found = asked(world, lambda archive: archive.play(PAGE, when))
            assert type(found) is kind, found


def test_of_two_times_the_later_one_counts() -> None:
    """Where header and address of a capture differ, nothing earlier than the later one is proven."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-05 01:02"), notice())
        for told, want in (("Tue, 05 Mar 2024 09:00:00 GMT", "2024-03-05 09:00"), ("Mon, 04 Mar 2024 09:00:00 GMT", "2024-03-05 01:02")):
            world.kept.script("play", lambda answer, told=told: answer.with_headers(("Memento-Datetime", told)))
            found = asked(world, lambda archive: archive.play(PAGE, at("2024-03-05 01:02")))
            assert not isinstance(found, S2RError)
            assert found.captured_at == at(want)


def test_any_memento_archive_serves_by_its_timegate() -> None:
    """An archive that is known by its TimeGate and TimeMap only: raw bytes of the capture nearest to the time, and all times."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-01 00:00"), notice("old"))
        world.kept.keep(PAGE, at("2024-04-01 00:00"), notice("new"))
        found = asked(world, lambda archive: archive.play(PAGE, at("2024-03-05 00:00")), which=1)
        assert not isinstance(found, S2RError)
        assert (found.body, found.captured_at) == (notice("old"), at("2024-03-01 00:00"))
        assert world.kept.calls("timegate")[0].headers["accept-datetime"] == "Tue, 05 Mar 2024 00:00:00 GMT"
        listed = asked(world, lambda archive: archive.timemap(PAGE), which=1)
        assert not isinstance(listed, S2RError)
        assert [when for when, _ in listed.mementos] == [at("2024-03-01 00:00"), at("2024-04-01 00:00")]
        assert isinstance(asked(world, lambda archive: archive.timemap("https://none.example/"), which=1), NoCapture)
        capture = pages(world, by="2024-03-20 00:00", which=1)
        assert isinstance(capture, Capture)
        assert (capture.fetched_at, capture.via) == (at("2024-03-01 00:00"), "memento")


def test_links_and_addresses_are_read_as_the_standards_say() -> None:
    """Commas and semicolons inside, several relations, no quotes, unknown parameters, times that are none, parts of a long TimeMap."""
    text = (
        '<http://a.example/?a=1,2;b>;rel="original",\n <https://arch.example/tm/2/http://a.example/>; rel="timemap"; from="x",'
        '<https://arch.example/web/20240305010203/http://a.example/>; rel="first last memento"; datetime="Tue, 05 Mar 2024 01:02:03 GMT"; x=y,'
        '<https://arch.example/bad>; rel=memento; datetime="soon", <https://arch.example/tm/http://a.example/>; rel=self; title="a \\", <b>"'
    )
    links = read_links(text)
    assert [sorted(link.rels) for link in links] == [["original"], ["timemap"], ["first", "last", "memento"], ["memento"], ["self"]]
    found = read_timemap(text, "http://a.example/")
    assert (found.original, found.unread, found.more) == ("http://a.example/?a=1,2;b", 1, ("https://arch.example/tm/2/http://a.example/",))
    assert found.mementos == (
        (dt.datetime(2024, 3, 5, 1, 2, 3, tzinfo=dt.UTC), "https://arch.example/web/20240305010203/http://a.example/"),
    )
    inside = read_capture_address("https://web.archive.org/web/20240305010203if_/https://b.example/x?y=/20200101000000/z")
    assert inside is not None
    assert (inside.url, inside.mode) == ("https://b.example/x?y=/20200101000000/z", "if_")
    assert read_capture_address("https://web.archive.org/web/2024/https://b.example/") is None
    assert read_stamp14("20240230000000") is None
    assert read_http_date("Tue, 05 Mar 2024 01:02:03 +0200") == dt.datetime(2024, 3, 4, 23, 2, 3, tzinfo=dt.UTC)


# --- as a source of captures


def test_the_last_capture_by_the_time_is_taken() -> None:
    """The state of a page at a cutoff: what was captured later is never shown, nor earlier ones when a later one is in time."""
    with World() as world:
        for day, words in (("2024-03-01", "first"), ("2024-03-05", "second"), ("2024-03-12", "after"), ("2024-03-13", "after")):
            world.kept.keep(PAGE, at(f"{day} 00:00"), notice(words))
        table = (
            ("2024-03-10 00:00", "2024-03-05"),
            ("2024-03-12 00:00", "2024-03-12"),
            ("2024-03-11 23:59", "2024-03-05"),
            ("2024-03-04 00:00", "2024-03-01"),
        )
        for by, day in table:
            found = pages(world, by=by)
            assert isinstance(found, Capture), by
            assert found.fetched_at == at(f"{day} 00:00"), by
            assert (found.url, found.via, found.status) == (PAGE, "wayback", 200)
        early = pages(world, by="2024-02-29 23:59")
        assert isinstance(early, Gap)
        assert early.outcome is Outcome.NOT_FOUND
        first = asked(world, lambda archive: ArchivedPages([archive]).first(PAGE, at("2024-03-20 00:00")))
        assert isinstance(first, Capture)
        assert first.fetched_at == at("2024-03-01 00:00")


def test_the_same_bytes_are_proven_from_their_first_capture() -> None:
    """When the first capture holds the same bytes as the last one by the cutoff, its time is the proof."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-01 00:00"), notice())
        world.kept.keep(PAGE, at("2024-03-05 00:00"), notice(), revisit=True)
        found = pages(world)
        assert isinstance(found, Capture)
        assert found.fetched_at == at("2024-03-01 00:00")
        world.kept.keep("https://b.example/", at("2024-03-01 00:00"), notice("one"))
        world.kept.keep("https://b.example/", at("2024-03-05 00:00"), notice("two"))
        other = pages(world, "https://b.example/")
        assert isinstance(other, Capture)
        assert other.fetched_at == at("2024-03-05 00:00")


def test_another_capture_is_taken_when_the_nearest_is_no_page() -> None:
    """Error pages, walls and captures that cannot be played back are passed over for the page that the index lists before them."""
    wall = b"<html><head><title>Just a moment...</title></head><body><h1>Checking your browser before accessing</h1></body></html>"
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-01 00:00"), notice())
        world.kept.keep(PAGE, at("2024-03-02 00:00"), wall)
        world.kept.keep(PAGE, at("2024-03-03 00:00"), notice("gone"), status=404)
        found = pages(world)
        assert isinstance(found, Capture)
        assert found.fetched_at == at("2024-03-01 00:00")
        world.kept.keep("https://c.example/n", at("2024-03-01 00:00"), notice("c"))
        world.kept.keep("https://c.example/n", at("2024-03-02 00:00"), notice("d"), hidden=True)
        other = pages(world, "https://c.example/n", by="2024-03-02 00:00")
        assert isinstance(other, Capture)
        assert other.body == notice("c")


def test_gaps_say_what_stood_in_the_way() -> None:
    """Excluded, busy, broken and silent archives are gaps of their own kind; only an archive's own word is "not found"."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-01 00:00"), notice())
        world.kept.exclude("owner.example")
        found = pages(world, "https://owner.example/x")
        assert isinstance(found, Gap)
        assert found.outcome is Outcome.REFUSED
        absent = pages(world, "https://none.example/x")
        assert isinstance(absent, Gap)
        assert absent.outcome is Outcome.NOT_FOUND
        table: tuple[tuple[Callable[[Answer], Answer], Outcome], ...] = (
            (lambda _: Answer(429, (), b""), Outcome.BLOCKED),
            (lambda _: Answer(500, (), b""), Outcome.UNREADABLE),
            (lambda _: html_answer("Wayback Machine", "Search"), Outcome.UNREADABLE),
            (lambda answer: replace(answer, silent=True), Outcome.ERROR),
        )
        for change, outcome in table:
            world.kept.always("play", change)
            world.kept.always("cdx", change)
            gap = pages(world, caps=Caps(total_s=0.3, read_s=0.3))
            assert isinstance(gap, Gap)
            assert gap.outcome is outcome, gap
        nothing = asyncio.run(ArchivedPages([]).fetch(PAGE, at=at("2024-03-01 00:00")))
        assert isinstance(nothing, Gap)
        assert "S2R_WAYBACK_URL" in nothing.next_step


def test_the_next_archive_is_asked_when_the_first_has_nothing() -> None:
    """With two archives, what the first cannot show comes from the second."""

    async def run(world: World) -> Capture | Gap:
        clock = Clock()
        limiter = Limiter(None, None, Limit(rate=1e5, concurrency=50), clock=clock, sleep=clock.sleep)
        async with world.net(limiter=limiter, clock=clock, sleep=clock.sleep) as net:
            empty = Endpoints(name="empty", web="https://empty.example/web/", cdx="https://empty.example/cdx")
            return await ArchivedPages([WebArchive(net, empty), WebArchive(net, archives_of(Settings())[0])]).fetch(
                PAGE, at=at("2024-03-09 00:00")
            )

    with World() as world:
        world.kept.keep(PAGE, at("2024-03-01 00:00"), notice())
        found = asyncio.run(run(world))
        assert isinstance(found, Capture)
        assert found.via == "wayback"


def test_an_archived_page_goes_the_way_of_every_page(tmp_path: Path) -> None:
    """Through the fetch step and the archive: time, address and hops of the capture are kept and come back."""
    with World() as world:
        world.kept.keep("http://alder.example/old", at("2024-03-01 00:00"), b"", status=301, location=PAGE)
        world.kept.keep(PAGE, at("2024-03-01 00:09"), notice())
        hit = Hit(url="http://alder.example/old", title="Notice", provider="x", rank=1, query="q")
        got = asked(world, lambda archive: fetch_hit(hit, ArchivedPages([archive], at("2024-03-10 00:00"))))
        assert isinstance(got, Capture)
        assert len(got.hops) == 3
        with Archive(tmp_path) as archive:
            exhibit = archive.put(got)
            back = archive.open(exhibit.digest, got.url)
        assert (exhibit.captured_at, back.fetched_at) == (at("2024-03-01 00:09"),) * 2
        assert (back.url, back.final_url, back.via) == (hit.url, f"https://web.archive.org/web/20240301000900id_/{PAGE}", "wayback")
        assert dict(back.headers).get("memento-datetime") == "Fri, 01 Mar 2024 00:09:00 GMT"


# --- live or archived


class Site:
    """A live web of one answer."""

    name = "live"

    def __init__(self, found: Capture | Gap | S2RError) -> None:
        self.found, self.asked = found, list[str]()

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        self.asked.append(url)
        if isinstance(self.found, S2RError):
            raise self.found
        return self.found.model_copy(update={"url": url})


LIVE = Capture(url=PAGE, final_url=PAGE, content_type="text/html", body=notice("live"), fetched_at=at("2026-03-02 09:30"), via="live")


def gone(outcome: Outcome) -> Gap:
    return Gap(url=PAGE, step="fetch", outcome=outcome, cause="the live page is not there")


def test_a_copy_takes_the_place_of_what_is_gone() -> None:
    """A live page stays; one that is gone, blocked or silent is replaced by its last copy; what is refused for safety is never sent on."""
    with World() as world:
        world.kept.keep(PAGE, at("2024-03-01 00:00"), notice("kept"))
        copied = [Outcome.NOT_FOUND, Outcome.BLOCKED, Outcome.ERROR, Outcome.EMPTY, Outcome.CONSENT, Outcome.SCRIPT_SHELL]
        table: list[tuple[Capture | Gap | S2RError, str]] = [(LIVE, "live"), (SourceTimeout("silence"), "wayback")]
        table += [(gone(outcome), "wayback") for outcome in copied]
        table += [(gone(outcome), "") for outcome in Outcome if outcome not in (*copied, Outcome.OK)]
        for live, via in table:
            calls = len(world.kept.seen)
            found = asked(
                world,
                lambda archive, live=live: LiveOrArchived(Site(live), ArchivedPages([archive]), lambda: at("2026-03-02 09:30")).fetch(PAGE),
            )
            assert (found.via if isinstance(found, Capture) else "") == via, live
            assert (len(world.kept.seen) > calls) == (via == "wayback")
        world.kept.captures.clear()
        none = asked(
            world,
            lambda archive: LiveOrArchived(Site(gone(Outcome.BLOCKED)), ArchivedPages([archive]), lambda: at("2026-03-02 09:30")).fetch(
                PAGE
            ),
        )
        assert isinstance(none, Gap)
        assert none.outcome is Outcome.BLOCKED
        assert "the live page is not there; wayback lists no readable capture" in none.cause


def test_pages_in_time_come_from_the_archive(policy: Policy) -> None:
    """At a point in time a page is its capture, never the live page; filings are asked for live, pages of exchanges where no capture is."""
    filing, exchange = "https://www.sec.gov/Archives/edgar/data/1/2.txt", "https://www.hkex.com.hk/news/1"
    with World() as world:
        for url in (PAGE, filing, exchange):
            world.kept.keep(url, at("2024-03-01 00:00"), notice("kept"))

        def taken(url: str, live: Capture | Gap, by: str = "2024-03-10 00:00") -> tuple[str, int]:
            site = Site(live)
            found = asked(world, lambda archive: InTime(site, ArchivedPages([archive]), at(by), policy).fetch(url))
            return (found.via if isinstance(found, Capture) else "", len(site.asked))

        assert taken(PAGE, LIVE) == ("wayback", 0)
        headed = LIVE.model_copy(update={"body": b"<SEC-DOCUMENT>0000000001-24-000002.txt : 20240301\n<SEC-HEADER>\n"})
        assert taken(filing, headed) == ("live", 1)
        assert taken(filing, LIVE) == ("wayback", 1)  # a document without its header proves nothing
        assert taken(filing, LIVE, "2024-02-10 00:00") == ("live", 1)
        assert taken(exchange, LIVE) == ("wayback", 0)
        assert taken(filing, gone(Outcome.BLOCKED)) == ("wayback", 1)
        assert taken(PAGE, LIVE, "2024-02-10 00:00") == ("", 0)
        assert taken(exchange, LIVE, "2024-02-10 00:00") == ("live", 1)
        assert taken(exchange, gone(Outcome.BLOCKED), "2024-02-10 00:00") == ("", 1)
        pages = ArchivedPages([])
        names = {InTime(Site(LIVE), pages, at(by), policy).name for by in ("2024-03-10 00:00", "2024-03-11 00:00")}
        assert len(names) == 2  # what was fetched for one cutoff is never taken for another

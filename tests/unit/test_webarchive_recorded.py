"""Recorded exchanges with the Wayback Machine, played back to the client: read in place, skipped where they are not."""

from __future__ import annotations

import asyncio
import datetime as dt
import gzip
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from s2r.errors import S2RError
from s2r.fetch.webarchive import ArchivedPages, ArchiveRefused, NoCapture, WebArchive, archives_of
from s2r.fetch.webarchive.rfc7089 import read_capture_address, read_stamp14
from s2r.models import Capture, Gap, Outcome
from s2r.net import Limit, Limiter, Net, RedirectRefused, Unreachable
from s2r.settings import Settings
from s2r.testing.conformance import Clock

FOLDER = Path("../shared/real/edgi-govdata-archiving_wayback/src/wayback/tests/cassettes")
yaml = pytest.importorskip("yaml", reason="PyYAML reads the recordings; `make dev` installs it")
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no recorded exchanges at {FOLDER}")
T = TypeVar("T")
Raw = tuple[int, list[tuple[str, str]], bytes]
Exchange = tuple[str, Raw]


def recorded(name: str) -> list[Exchange]:
    """The exchanges of a recording: address and answer, in order."""
    data = yaml.load((FOLDER / f"{name}.yaml").read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    found = []
    for one in data["interactions"]:
        answer, body = one["response"], one["response"]["body"]["string"]
        headers = [(key, value) for key, values in answer["headers"].items() for value in values if key.lower() != "transfer-encoding"]
        content = body.encode() if isinstance(body, str) else body
        found.append((one["request"]["uri"], (answer["status"]["code"], headers, content)))
    return found


def wanted(address: str) -> tuple[object, ...]:
    """What an address asks for: that of the index by its parameters, whose order and form of answer do not matter."""
    parts = urlsplit(address)
    if not parts.path.startswith("/cdx"):
        return (address,)
    pairs = dict(parse_qsl(parts.query))
    filters = tuple(value for name, value in parse_qsl(parts.query) if name == "filter")
    return (parts.path, filters, *(pairs.get(name, "") for name in ("url", "from", "to", "limit", "matchType", "resumeKey")))


def played(exchanges: list[Exchange], job: Callable[[WebArchive], Awaitable[T]]) -> tuple[T | S2RError, list[str]]:
    """What a job makes of recorded answers, and the addresses it asked for; what was not recorded cannot be reached."""
    waiting: dict[tuple[object, ...], list[Raw]] = defaultdict(list)
    asked: list[str] = []
    for address, answer in exchanges:
        waiting[wanted(address)].append(answer)

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        found = waiting.get(wanted(str(request.url)))
        if not found:
            raise httpx.ConnectError("not recorded", request=request)
        status, headers, content = found.pop(0) if len(found) > 1 else found[0]
        return httpx.Response(status, headers=headers, content=content)

    async def run() -> T | S2RError:
        clock = Clock()
        limiter = Limiter(None, None, Limit(rate=1e5, concurrency=9), clock=clock, sleep=clock.sleep)
        async with Net("search", httpx.MockTransport(handler), limiter, user_agent="s2r", clock=clock, sleep=clock.sleep) as net:
            try:
                return await job(WebArchive(net, archives_of(Settings())[0]))
            except S2RError as exc:
                return exc

    return asyncio.run(run()), asked


def text_of(raw: Raw) -> bytes:
    return gzip.decompress(raw[2]) if raw[2].startswith(b"\x1f\x8b") else raw[2]


def lines_of(raw: Raw) -> list[str]:
    """The index lines of a recorded answer, without its resume key and repeats of the line before."""
    rows = text_of(raw).decode().strip("\n").partition("\n\n")[0].split("\n")
    return [row for number, row in enumerate(rows) if row and (not number or row != rows[number - 1])]


def searches(name: str) -> list[list[Exchange]]:
    """The searches of a recording, each with all its answers; playback and refusals are left out."""
    found: list[list[Exchange]] = []
    for address, raw in recorded(name):
        if "/cdx/" not in address or raw[0] != 200:
            continue
        if "resumeKey" in address:
            found[-1].append((address, raw))
        else:
            found.append([(address, raw)])
    return found


def names(*parts: str) -> list[str]:
    return [path.stem for path in sorted(FOLDER.glob("*.yaml")) if any(part in path.stem for part in parts)]


@pytest.mark.parametrize("name", names("search", "rate_limits"))
def test_recorded_searches_give_every_capture(name: str) -> None:
    """Each search follows the recorded resume keys as they were given, and reads every line once, with its time, status and digest."""
    groups = searches(name)
    assert groups or name == "test_search_raises_for_blocked_urls"
    for group in groups:
        pairs = parse_qsl(urlsplit(group[0][0]).query)
        given = dict(pairs)
        lines = [line for _, raw in group for line in lines_of(raw)]
        lines = [line for number, line in enumerate(lines) if not number or line != lines[number - 1]]
        ended = b"\n\n" not in text_of(group[-1][1]).strip(b"\n")  # else more was there, which was not recorded
        terms: dict[str, Any] = {
            "since": read_stamp14(given.get("from", "")),
            "until": read_stamp14(given.get("to", "")),
            "match": given.get("matchType", "exact"),
            "filters": [value for key, value in pairs if key == "filter"],
            "limit": int(given["limit"]),
            "most": len(lines) + ended,
        }
        found, asked = played(group, lambda archive, given=given, terms=terms: archive.captures(given["url"], **terms))
        assert not isinstance(found, S2RError), found
        assert (len(asked), found.whole) == (len(group), ended)
        assert len(found.rows) + len(found.bad) == len(lines)
        for row, line in zip(found.rows, [line for line in lines if line.split(" ")[2][:4] == "http"], strict=False):
            parts = line.split(" ")
            assert (f"{row.at:%Y%m%d%H%M%S}", row.mimetype, row.digest) == (parts[1], parts[3], parts[5])
            assert row.status == (None if parts[4] == "-" else int(parts[4]))
            assert row.is_revisit == (parts[3] == "warc/revisit")
            assert ":80/" not in row.original


def test_a_blocked_site_is_no_site_without_captures() -> None:
    """The recorded refusal of the index, and that of playback inside a 200, are refusals."""
    found, _ = played(
        recorded("test_search_raises_for_blocked_urls"),
        lambda archive: archive.captures(
            "https://nationalpost.com/health",
            since=dt.datetime(2019, 10, 1, tzinfo=dt.UTC),
            until=dt.datetime(2019, 10, 2, tzinfo=dt.UTC),
        ),
    )
    assert isinstance(found, ArchiveRefused)


# recording: what playback must make of it: (status, time of the capture, address it was captured from, another one than asked), or the error
PLAYED: dict[str, tuple[int, str, str, bool] | type[S2RError]] = {
    "": (200, "20171124151315", "https://www.fws.gov/birds/", False),
    "_with_archive_url": (200, "20171124151315", "https://www.fws.gov/birds/", False),
    "_with_cdx_record": (200, "20171124151315", "https://www.fws.gov/birds/", False),
    "_with_mode_string": (200, "20171124151315", "https://www.fws.gov/birds/", False),
    "_with_string_datetime": (200, "20171124151315", "https://www.fws.gov/birds/", False),
    "_handles_non_utc_datetime": (200, "20171124151315", "https://www.fws.gov/birds/", False),
    "_with_mode": (200, "20171124151315", "https://www.fws.gov/birds/", False),
    "_with_date_datetime": (200, "20171124151315", "https://www.fws.gov/birds/", True),
    "_with_inexact_string_datetime": (200, "20171124151315", "https://www.fws.gov/birds/", True),
    "_target_window": (200, "20171124151315", "https://www.fws.gov/birds/", True),
    "_returns_memento_with_accurate_url": (200, "20171124143728", "https://www.fws.gov/", False),
    "_follows_historical_redirects": (
        200, "20200201024405", "https://www.epa.gov/sites/production/files/signpost/cc.html", True),
    "_with_redirects": (
        200, "20180808104500",
        "https://www.epa.gov/ghgreporting/proposed-rule-fact-sheet-greenhouse-gas-reporting-program-addition-global-warming", False),
    "_with_path_based_redirects": (404, "20201027220743", "https://www.whitehouse.gov/ostp/about/student/faqs", False),
    "_works_on_archived_rate_limit_responses": (429, "20150129034904", "http://www.reddit.com/r/PokemonGiveaway", False),
    "_raises_blocked_error": ArchiveRefused,
    "_raises_no_memento_error": NoCapture,
    "_raises_for_mementos_that_redirect_in_a_loop": RedirectRefused,
    # the capture that the archive leads to was not recorded: it cannot be reached here
    "_raises_when_memento_is_outside_target_window": Unreachable,
    "_should_fail_for_non_playbackable_mementos": Unreachable,
    "_follow_redirects_does_not_follow_historical_redirects": Unreachable,
}  # fmt: skip


def first_raw(exchanges: list[Exchange]) -> str:
    return next(address for address, _ in exchanges if "id_/" in address)


@pytest.mark.parametrize(("name", "want"), PLAYED.items(), ids=[name or "plain" for name in PLAYED])
def test_recorded_playback_is_told_right(name: str, want: tuple[int, str, str, bool] | type[S2RError]) -> None:
    """Status, true time and true address of each recorded capture; another capture than the asked one is seen; refusals by their kind."""
    exchanges = recorded(f"test_get_memento{name}")
    place = read_capture_address(first_raw(exchanges))
    assert place is not None
    found, asked = played(exchanges, lambda archive: archive.play(place.url, place.at))
    if isinstance(want, type):
        assert type(found) is want or isinstance(found, want), found
        if want is Unreachable:
            assert asked[-1] != asked[0]
        return
    assert not isinstance(found, S2RError), found
    assert (found.status, f"{found.captured_at:%Y%m%d%H%M%S}", found.original, found.neighbour) == want
    assert found.body
    assert not found.body.startswith(b"\x1f\x8b")
    assert len(asked) == len(found.hops) + 1


def test_every_recording_is_replayed() -> None:
    """All recordings are searches, in the table of playback, or those of rewritten pages, which are never asked for."""
    left = {f"test_get_memento{name}" for name in PLAYED} ^ set(names("get_memento"))
    assert left == {"test_get_memento_with_redirect_in_view_mode"}
    assert len(names("")) == len(names("get_memento")) + len(names("search", "rate_limits"))


def test_recorded_pages_as_evidence() -> None:
    """By way of the fetcher: a page within the time is a capture with its true time; one that is younger than the time is not shown."""
    exchanges = recorded("test_get_memento_with_date_datetime")
    for by, want in (("20171125000000", Capture), ("20171124000000", Gap)):
        shown = [(address.replace("20171124000000id_", f"{by}id_"), raw) for address, raw in exchanges]
        when = read_stamp14(by)
        assert when is not None
        found, _ = played(shown, lambda archive, when=when: ArchivedPages([archive], when).fetch("https://www.fws.gov/birds/"))
        assert isinstance(found, want), found
        if isinstance(found, Capture):
            assert f"{found.fetched_at:%Y%m%d%H%M%S}" == "20171124151315"
        elif isinstance(found, Gap):
            assert found.outcome is Outcome.ERROR  # the index was not recorded: that is no "not found"

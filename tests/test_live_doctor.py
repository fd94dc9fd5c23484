"""`s2r doctor` on a loopback world: what is wrong on the way to the live web is named with its fix, and no key is shown."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from factories import write_world

from s2r.job import LiveOptions
from s2r.job.probe import Finding, probe_live
from s2r.settings import Settings
from s2r.testing import World, fault
from s2r.testing.server import Answer, html_answer
from s2r.testing.tls import has_openssl

pytestmark = pytest.mark.skipif(not has_openssl(), reason="a world with TLS needs the openssl program")

KEY = "planted-doctor-key-8841"
TOLD = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)  # by the page's server
PAGE = "https://wire.example/2019/0-alderwick-event"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The small world behind TLS."""
    _, pool = write_world(tmp_path_factory.mktemp("doctor"), 1)
    with World(pool, tls=True, keys={"brave": KEY, "exa": "key-of-exa-2"}) as made:
        made.web.always("wire.example", lambda page: page.with_headers(("Date", "Mon, 02 Mar 2026 09:30:00 GMT")))
        yield made


def probed(world: World, policies: Path, folder: Path, env: dict[str, str] | None = None, **settings: object) -> dict[str, Finding]:
    """Findings by check, with the settings of the world."""
    given = {"home": folder, "fetch_proxy": world.origin, "fetch_ca_bundle": world.ca, "contact": "desk@bank.example"} | settings
    options = LiveOptions("brave,exa", None, world.env("brave", "exa") | (env or {}))
    found = asyncio.run(probe_live(options, policies, Settings.model_validate(given), lambda: TOLD, calls=True, page=PAGE))
    assert KEY not in str(found)
    return {finding.check: finding for finding in found}


def test_all_is_well(world: World, policies: Path, tmp_path: Path) -> None:
    """One call of each service, one page by TLS; nothing to mend."""
    before = len(world.calls("brave"))
    found = probed(world, policies, tmp_path)
    assert all(finding.ok for finding in found.values()), found
    assert {"search brave", "search exa", "fetch", "clock", "fetch proxy", "fetch certificates"} <= set(found)
    assert "resolves names itself" in found["fetch"].found
    assert len(world.calls("brave")) == before + 1


@pytest.mark.parametrize(
    ("env", "settings", "check", "fix"),
    [
        ({"S2R_BRAVE_KEY": KEY + "x"}, {}, "search brave", "S2R_BRAVE_KEY"),
        ({"S2R_BRAVE_URL": "http://127.0.0.1:9/brave"}, {}, "search brave", "S2R_BRAVE_URL"),
        ({"S2R_BRAVE_KEY": ""}, {}, "search", "S2R_BRAVE_KEY"),
        ({"S2R_EXA_RATE": "fast"}, {}, "search", "requests per second"),
        ({}, {"fetch_proxy": "http://127.0.0.1:9"}, "fetch", "proxy"),
        ({}, {"search_proxy": "socks//nowhere"}, "search proxy", "S2R_SEARCH_PROXY"),
        ({}, {"fetch_ca_bundle": "no-such.pem"}, "fetch certificates", "S2R_FETCH_CA_BUNDLE"),
        ({}, {"fetch_ca_bundle": None}, "fetch", "S2R_CA_BUNDLE"),
    ],
)
def test_a_fault_is_named_with_its_fix(
    env: dict[str, str], settings: dict[str, object], check: str, fix: str, world: World, policies: Path, tmp_path: Path
) -> None:
    """Of keys, endpoints, proxies and certificates."""
    finding = probed(world, policies, tmp_path, env, **settings)[check]
    assert not finding.ok
    assert fix in finding.fix


def test_a_service_that_fails_is_told_from_one_that_is_well(world: World, policies: Path, tmp_path: Path) -> None:
    """The other one is still checked."""
    world.script("brave", fault("HTML in 200"))
    found = probed(world, policies, tmp_path)
    assert (found["search brave"].ok, found["search exa"].ok) == (False, True)


def test_a_web_archive_that_is_set_up_is_asked(world: World, policies: Path, tmp_path: Path) -> None:
    """Once, for its availability or its capture; one that fails is named with the settings; an archive that is not set up is not asked."""
    own = {name.removeprefix("S2R_").lower(): value for name, value in world.env("wayback").items() if "WAYBACK" in name}
    assert not [check for check in probed(world, policies, tmp_path) if check.startswith("web archive")]
    empty = probed(world, policies, tmp_path, **own)["web archive wayback"]
    assert empty.ok
    assert f"no capture of {PAGE} (asked only with --point-in-time" in empty.found
    world.kept.keep(PAGE, dt.datetime(2021, 5, 6, tzinfo=dt.UTC), b"<p>A notice that was kept.</p>")
    before = len(world.kept.seen)
    for more in ({}, {"wayback_availability_url": ""}):
        found = probed(world, policies, tmp_path, archived_copies=True, **(own | more))["web archive wayback"]
        assert (found.ok, found.found) == (True, f"a capture of {PAGE} of 2021-05-06")
    assert next(name for name, _ in world.kept.seen[before:]) == "available"
    for change in (status_of(503), status_of(200)):
        world.kept.script("available", change)
        found = probed(world, policies, tmp_path, **own)["web archive wayback"]
        assert not found.ok
        assert "S2R_WAYBACK_URL" in found.fix or "archive" in found.fix, found
    lost = probed(world, policies, tmp_path, **(own | {"wayback_availability_url": "http://127.0.0.1:9/available"}))
    assert not lost["web archive wayback"].ok


def status_of(code: int) -> Callable[[Answer], Answer]:
    """A web archive that answers with a page of its own."""
    return lambda _: html_answer("Temporarily Offline", "The archive is resting.", code)


def test_a_wrong_clock_is_seen(world: World, policies: Path, tmp_path: Path) -> None:
    """Compared with the time that the page's server tells."""
    options = LiveOptions("brave", None, world.env("brave"))
    settings = Settings(home=tmp_path, fetch_proxy=world.origin, fetch_ca_bundle=world.ca)
    for skew, good in ((100, True), (-100, True), (150, False), (-150, False)):
        at = TOLD + dt.timedelta(seconds=skew)
        found = asyncio.run(probe_live(options, policies, settings, lambda at=at: at, calls=True, page=PAGE))  # type: ignore[misc]
        assert [f.ok for f in found if f.check == "clock"] == [good], skew

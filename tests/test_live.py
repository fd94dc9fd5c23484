"""The live web from end to end, in front of a loopback world: same records as a pool, no key left behind, nothing paid for twice."""

from __future__ import annotations

import base64
import datetime as dt
import json
import re
import shutil
import signal
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from conftest import Command, start
from factories import listing, write_universe, write_world

import s2r
from s2r.archive import Archive
from s2r.errors import BudgetExceeded, ConfigError
from s2r.lang.members import gunzip_member
from s2r.models import Capture
from s2r.search import Pool
from s2r.store import Store
from s2r.testing import SPENT, World, fault
from s2r.testing.pages import Change as PageChange
from s2r.testing.pages import status
from s2r.testing.server import Answer, html_answer
from s2r.testing.tls import has_openssl

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not has_openssl(), reason="a world with TLS needs the openssl program")]

KEY = "BSA-planted-7Qx9/+key=31"  # with characters that are written otherwise in addresses and in base64
FAST = {"S2R_BRAVE_RATE": "5000", "S2R_EXA_RATE": "5000", "S2R_HOST_RATE": "5000"}
OWN = ("run_id", "latency_s", "usage", "cost_usd")  # of a run, not of what it found
PRICE = 0.005


def records(out: Path, *apart: str) -> dict[str, dict[str, object]]:
    """Records of a run by row without what is of the run alone, and without these fields of their coverage."""
    found = {}
    for line in (out / "records.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        for name in OWN:
            del record[name]
        record["coverage"] = {name: value for name, value in record["coverage"].items() if name not in apart}
        found[record["row_id"]] = record
    return found


def statuses(out: Path) -> dict[str, str]:
    """Status of every row."""
    return {row: str(record["status"]) for row, record in records(out).items()}


class Site:
    """A small world with its own folder and the environment of a command that uses it."""

    def __init__(self, folder: Path, policies: Path, rows: int) -> None:
        self.folder, self.policies = folder, policies
        self.universe, self.pool = write_world(folder, rows)
        self.world = World(self.pool, tls=True, keys={"brave": KEY})
        self.out = folder / "out"

    def env(self, *names: str) -> dict[str, str]:
        """Settings of a command that uses these services."""
        return self.world.env(*names) | FAST | {"S2R_HOME": str(self.folder / "home")}

    def command(self, *more: object) -> list[object]:
        """An audit of the small universe on the live web, with brave unless it is told otherwise."""
        plan = () if "--search" in more or "--pool" in more else ("--search", "brave")
        return ["audit", self.universe, "--policies", self.policies, "--out", self.out, "--workers", 2, *plan, *more]

    def run(self, *more: object, names: tuple[str, ...] = ("brave",)) -> tuple[int, str]:
        """Exit code and all output of the command."""
        process = start(self.command(*more), self.folder, **self.env(*names))
        out, err = process.communicate(timeout=240)
        return process.returncode, out + err


@pytest.fixture
def site(tmp_path: Path, policies: Path) -> Iterator[Site]:
    """Three listings: one leaves of its own will, one is only warned, one is bought."""
    made = Site(tmp_path, policies, 3)
    with made.world:
        yield made


@pytest.fixture(scope="module")
def dev(sealed: Path, policies: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Folder of a live run of the sealed development set ("live" in it), and all that the command printed."""
    folder = tmp_path_factory.mktemp("dev")
    with World(sealed / "docs.jsonl", tls=True, keys={"brave": KEY}) as world:
        command = ["audit", sealed / "universe.csv", "--search", "brave", "--policies", policies, "--out", folder / "live"]
        process = start(command, folder, **world.env("brave"), **FAST, S2R_HOME=str(folder / "home"))
        out, err = process.communicate(timeout=280)
        assert process.returncode == 0, err
        assert all(call.headers["x-subscription-token"] == KEY for call in world.calls("brave"))
        assert any(request.scheme == "https" for request in world.seen)
    return folder, out + err


def test_live_run_of_the_sealed_set_gives_the_records_of_the_pool(
    dev: tuple[Path, str], sealed: Path, policies: Path, s2r: Command
) -> None:
    """Every field but the name of what was searched, and the order in which equally good pages were read."""
    folder, _ = dev
    ran = s2r("audit", sealed / "universe.csv", "--pool", sealed / "docs.jsonl", "--policies", policies, "--out", folder / "pool")
    assert ran.code == 0, ran.err
    apart = ("providers", "exhibits")
    assert records(folder / "live", *apart) == records(folder / "pool", *apart)
    found, wanted = records(folder / "live"), records(folder / "pool")
    for row, record in found.items():
        assert sorted(record["coverage"]["exhibits"]) == sorted(wanted[row]["coverage"]["exhibits"]), row  # type: ignore[index]
        assert record["coverage"]["providers"] == {"brave": "answered"}  # type: ignore[index]


def test_archive_of_a_live_run_repeats_it_offline(dev: tuple[Path, str], sealed: Path, policies: Path, s2r: Command) -> None:
    """The same records with all of their coverage, from the archive folder alone, which need not lie where it was made."""
    folder, _ = dev
    moved = Path(shutil.copytree(folder / "live" / "archive", folder / "kept"))
    ran = s2r("audit", sealed / "universe.csv", "--pool", moved, "--policies", policies, "--out", folder / "again")
    assert ran.code == 0, ran.err
    assert records(folder / "again") == records(folder / "live")
    assert s2r("verify", folder / "live").code == 0


def test_captures_keep_their_own_time(dev: tuple[Path, str]) -> None:
    """The time at which each page came, not the start of the run; a page is archived once for all rows."""
    folder, _ = dev
    with Archive(folder / "live", read_only=True) as archive:
        found = list(archive.exhibits())
    assert len({exhibit.captured_at for exhibit in found}) > len(found) // 2
    assert max(Counter(exhibit.url for exhibit in found).values()) == 1
    assert all(exhibit.captured_at > dt.datetime(2026, 1, 1, tzinfo=dt.UTC) for exhibit in found)


def forms(secret: str) -> list[bytes]:
    """Ways in which a key may stand in a file."""
    plain = secret.encode()
    quoted = secret.replace("/", "%2F").replace("+", "%2B").replace("=", "%3D").encode()
    return [plain, quoted, base64.b64encode(plain).rstrip(b"="), json.dumps(secret).encode()[1:-1], plain[4:-4]]


def contents(path: Path) -> Iterator[bytes]:
    """Bytes of a file, and of every gzip member and zip entry in it."""
    raw = path.read_bytes()
    yield raw
    at = raw.find(b"\x1f\x8b\x08")
    while at >= 0:
        length, content = gunzip_member([raw[at:]])
        yield content
        at = raw.find(b"\x1f\x8b\x08", at + length)
    if raw.startswith(b"PK"):
        import zipfile

        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())


def test_a_key_of_the_environment_is_found_nowhere(dev: tuple[Path, str]) -> None:
    """Byte search over out folder, archive members, databases, shared state and all that was printed."""
    folder, printed = dev
    assert not any(form in printed.encode() for form in forms(KEY))
    seen = 0
    for path in (p for p in folder.rglob("*") if p.is_file()):
        for content in contents(path):
            seen += 1
            assert not [form for form in forms(KEY) if form in content], path
    assert seen > 500  # the members of the archive were opened; the run alone has about 900


def test_the_byte_search_finds_a_key(tmp_path: Path) -> None:
    """In a gzip member behind others, too."""
    members = [zlib.compressobj(wbits=31) for _ in range(2)]
    bodies = [b"nothing", b"x" + KEY.encode()]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(m.compress(b) + m.flush() for m, b in zip(members, bodies, strict=True)))
    assert any(forms(KEY)[0] in content for content in contents(tmp_path / "a.warc.gz"))


def test_without_key_and_pool_it_says_what_to_set(tmp_path: Path, policies: Path, s2r: Command) -> None:
    """Exit 2 before any work, with every provider's variable, where to get it, and the demo; no folder is left."""
    universe, _ = write_world(tmp_path, 1)
    ran = s2r("audit", universe, "--policies", policies, "--out", tmp_path / "out")
    assert ran.code == 2
    for text in ("S2R_BRAVE_KEY", "https://api-dashboard.search.brave.com", "S2R_SEARXNG_URL", "S2R_PERPLEXITY_KEY", "--pool", "make demo"):
        assert text in ran.err
    assert "GOOGLE" not in ran.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--search", "brave,exa"), "S2R_EXA_KEY"),
        (("--search", "bravo"), "is no known provider"),
        (("--search", "brave", "--pool", "x"), "either --pool or --search"),
        (("--search", "searxng", "--max-usd", "1"), "S2R_SEARXNG_URL"),
    ],
)
def test_wrong_plans_stop_before_any_work(
    arguments: tuple[str, ...], told: str, tmp_path: Path, policies: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 2 that names the setting or the option."""
    monkeypatch.setenv("S2R_BRAVE_KEY", KEY)
    universe, _ = write_world(tmp_path, 1)
    ran = s2r("audit", universe, "--policies", policies, "--out", tmp_path / "out", *arguments)
    assert ran.code == 2
    assert told in ran.err
    assert KEY not in ran.err
    assert not (tmp_path / "out").exists()


def test_a_cap_refuses_a_service_without_a_price(tmp_path: Path, policies: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 2 that names the service and the file."""
    monkeypatch.setenv("S2R_BRAVE_KEY", KEY)
    own = Path(shutil.copytree(policies, tmp_path / "policies"))
    (own / "prices.toml").write_text("[search.exa]\nper_1000 = 7.0\n")
    universe, _ = write_world(tmp_path, 1)
    ran = s2r("audit", universe, "--policies", own, "--out", tmp_path / "out", "--max-usd", 5)
    assert ran.code == 2
    assert "the price of brave is unknown" in ran.err
    assert "prices.toml" in ran.err


@pytest.mark.parametrize("name", ["HTML in 200", pytest.param("402", marks=pytest.mark.proof)])
def test_a_failed_provider_is_no_answer_and_is_asked_again(name: str, site: Site) -> None:
    """Rows abstain with the cause, none says no, exit 4; the same command goes on when the service answers again."""
    broken = fault(name) if name != "402" else next(f for f in SPENT if "402" in f.name)
    site.world.always("brave", broken)
    code, told = site.run()
    assert code == 4, told
    assert set(statuses(site.out).values()) == {"abstain"}
    for record in records(site.out).values():
        assert str(record["coverage"]["providers"]["brave"]).startswith("failed:")  # type: ignore[index]
        assert "run the row again" in str(record["coverage"]["statement"])  # type: ignore[index]
    site.world.always("brave", None)
    code, told = site.run()
    assert code == 0, told
    assert statuses(site.out) == {"T-01": "yes", "T-02": "no", "T-03": "yes"}
    code, told = site.run()
    assert (code, "Nothing to do" in told) == (0, True)


def test_a_limited_provider_gives_no_false_no(site: Site) -> None:
    """After some calls the service asks for a pause of minutes: rows that lost queries do not say no; later the same command ends well."""
    site.world.script("brave", *[None] * 20, fault("429, reset in minutes"))
    code, told = site.run()
    assert code == 4, told
    lost = [row for row, record in records(site.out).items() if "failed" in str(record["coverage"]["providers"])]  # type: ignore[index]
    assert lost
    assert all(statuses(site.out)[row] != "no" for row in lost)
    asked = len(site.world.calls("brave"))
    assert asked <= 21 + 8  # the pause holds for all rows: nothing but what was under way came after it
    shutil.rmtree(site.folder / "home")  # the shared limiter keeps the pause; this is a time after it
    code, told = site.run()
    assert code == 0, told
    assert statuses(site.out) == {"T-01": "yes", "T-02": "no", "T-03": "yes"}
    answered = Counter(call.query for call in site.world.calls("brave"))
    assert sum(n - 1 for n in answered.values()) <= 1 + 8  # only what was refused is asked again


def test_one_provider_of_two_that_fails_is_seen(site: Site) -> None:
    """The other one's pages are read, the failure stays in the record; with a chain the second steps in and nothing fails."""
    site.world.always("brave", fault("HTML in 200"))
    code, _ = site.run("--search", "brave,exa", names=("brave", "exa"))
    assert code == 4
    found = records(site.out)
    assert all(record["coverage"]["providers"]["exa"] == "answered" for record in found.values())  # type: ignore[index]
    assert {str(record["status"]) for record in found.values()} == {"yes", "abstain"}
    code, told = site.run("--search", "brave>exa", names=("brave", "exa"))
    assert code == 0, told
    found = records(site.out)
    assert all(record["coverage"]["providers"] == {"brave>exa": "answered"} for record in found.values())  # type: ignore[index]
    assert "exa was asked after brave" in str(found["T-02"]["coverage"]["notes"])  # type: ignore[index]
    shown, _ = start(["show", "T-02", "--out", site.out], site.folder).communicate(timeout=60)
    assert "  brave>exa: answered" in shown
    assert "exa was asked after brave" in shown


@pytest.mark.parametrize("failing", [status(500), status(429, ("Retry-After", "3600"))], ids=["500", "429"])
def test_a_page_that_fails_for_now_is_no_answer_and_is_asked_again(failing: PageChange, site: Site) -> None:
    """The page that would decide cannot be had: the row does not say no, and names it; there again, the same command has its yes."""
    places = [url for url in site.world.pool.urls() if url.endswith("-event")] if site.world.pool else []
    for place in places:
        site.world.web.always(place, failing)
    code, told = site.run()
    assert code == 4, told
    assert set(statuses(site.out).values()) == {"abstain"}
    found = records(site.out)["T-01"]
    assert "could not be read" in str(found["abstain_reason"])
    assert places[0] in str(found["coverage"]["gaps"])  # type: ignore[index]
    calls = len(site.world.calls("brave"))
    site.world.web.lasting.clear()
    shutil.rmtree(site.folder / "home")  # pauses of hosts are over
    code, told = site.run()
    assert code == 0, told
    assert statuses(site.out) == {"T-01": "yes", "T-02": "no", "T-03": "yes"}
    assert len(site.world.calls("brave")) == calls  # nothing is paid for again
    pages = Counter(request.url for request in site.world.seen if not request.url.endswith("/robots.txt"))
    again = {url for url, n in pages.items() if n > 1}
    assert again
    assert again <= set(places)  # after a 429 the host is left alone: only the first page was asked for before


@pytest.mark.parametrize("closed", ["paywall", *(pytest.param(name, marks=pytest.mark.proof) for name in ("403", "robots.txt"))])
def test_a_page_that_stays_closed_is_no_answer_and_is_not_asked_for_again(closed: str, site: Site) -> None:
    """The rows abstain with the cause; the same command has nothing to do, pays for nothing and asks no site again."""
    places = [url for url in site.world.pool.urls() if url.endswith("-event")] if site.world.pool else []
    wall = html_answer("Notice", "Subscribe to continue reading. This article is for subscribers only. Already a subscriber? Log in.")
    for place in places:
        if closed == "robots.txt":
            rules = Answer(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /\n")
            site.world.web.always(urljoin(place, "/robots.txt"), lambda _, rules=rules: rules)
        else:
            site.world.web.always(place, status(403) if closed == "403" else lambda _: wall)
    code, told = site.run()
    assert code == 4, told
    found = records(site.out)
    assert {str(record["status"]) for record in found.values()} == {"abstain"}
    gaps = {gap["url"]: gap for record in found.values() for gap in record["coverage"]["gaps"]}  # type: ignore[index]
    assert set(gaps) == set(places)
    assert not any(gap["passing"] for gap in gaps.values())
    seen, calls = len(site.world.seen), len(site.world.calls("brave"))
    code, told = site.run()
    assert (code, "Nothing to do" in told) == (4, True), "what could not be read is still not read"
    assert (len(site.world.seen), len(site.world.calls("brave"))) == (seen, calls)


def test_a_refused_key_is_told_without_the_key(site: Site) -> None:
    """Every row abstains, the message names the variable, and no file holds the key."""
    env = site.env("brave") | {"S2R_BRAVE_KEY": "wrong-" + KEY}
    process = start(site.command(), site.folder, **env)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 4
    assert "S2R_BRAVE_KEY" in err
    assert KEY not in out + err
    assert set(statuses(site.out).values()) == {"abstain"}
    assert not any(KEY.encode() in c for path in site.out.rglob("*") if path.is_file() for c in contents(path))


def test_a_budget_stops_with_partial_results_and_goes_on_when_raised(site: Site) -> None:
    """Exit 5, never a cent above the cap; in the end no call was paid for twice and the ledger has each of them."""
    code, told = site.run("--max-usd", 0.1)
    assert code == 5, told
    assert "--max-usd" in told
    assert "rows wait" in told
    spent = len(site.world.calls("brave"))
    assert spent <= 20
    code, told = site.run("--max-usd", 5)
    assert code == 0, told
    assert statuses(site.out) == {"T-01": "yes", "T-02": "no", "T-03": "yes"}
    calls = site.world.calls("brave")
    assert max(Counter((call.query, call.body) for call in calls).values()) == 1
    with Store(site.out / "s2r.db", read_only=True) as store:
        assert store.spent() == pytest.approx(len(calls) * PRICE)
    told = json.loads((site.out / "run.json").read_text("utf-8"))
    assert told["totals"]["search:brave"]["amount"] == len(calls)
    assert told["cost_usd"] == pytest.approx(len(calls) * PRICE)


def test_a_killed_run_asks_again_only_for_what_was_under_way(tmp_path: Path, policies: Path) -> None:
    """SIGKILL in the middle; the same command completes, with few calls more than distinct ones, and every page but few once."""
    site = Site(tmp_path, policies, 9)
    with site.world:
        site.world.latency("brave", 0.02)
        process = start(site.command("--search", "brave"), tmp_path, **site.env("brave"))
        assert process.stderr is not None
        while (line := process.stderr.readline()) and not re.match(r"2/9 ", line):
            pass
        process.send_signal(signal.SIGKILL)
        process.communicate()
        before = len(site.world.calls("brave"))
        with Store(site.out / "s2r.db") as store:  # each call was noted before it was sent, at most at its price
            assert before * PRICE <= store.spent() + 1e-9
        code, told = site.run("--search", "brave")
        assert code == 0, told
        assert len(statuses(site.out)) == 9
        repeated = [n for n in Counter((c.query, c.body) for c in site.world.calls("brave")).values() if n > 1]
        assert before
        assert len(repeated) <= 8  # rows at once, each with one call
        spent = json.loads((site.out / "run.json").read_text("utf-8"))["totals"]["search:brave"]
        assert spent["amount"] >= len(site.world.calls("brave"))
        assert spent["at_most_usd"] <= 8 * PRICE + 1e-9
        assert ("at most $" in told) == (spent["at_most_usd"] > 0)
        pages = Counter(request.url for request in site.world.seen if not request.url.endswith("/robots.txt"))
        assert sum(n - 1 for n in pages.values()) <= 16
        repeat = ["audit", site.universe, "--policies", policies, "--out", tmp_path / "again", "--pool", site.out / "archive"]
        again = start(repeat, tmp_path)
        _, err = again.communicate(timeout=240)
        assert again.returncode == 0, err
        assert records(tmp_path / "again") == records(site.out)


def test_settings_of_a_provider_may_stand_in_the_file(site: Site) -> None:
    """s2r.toml names them in lower case, beside the others; the key is in no output either."""
    env = site.env("brave")
    lines = [f'{name.removeprefix("S2R_").lower()} = "{env.pop(name)}"' for name in ("S2R_BRAVE_KEY", "S2R_BRAVE_URL", "S2R_BRAVE_RATE")]
    (site.folder / "s2r.toml").write_text("\n".join([*lines, "max_pages = 7"]))
    process = start(site.command(), site.folder, **env)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    assert json.loads((site.out / "run.json").read_text("utf-8"))["settings"]["max_pages"] == 7
    assert not any(KEY.encode() in c for path in site.out.rglob("*") if path.is_file() for c in contents(path))


def test_a_live_audit_at_a_point_in_time_reads_the_web_archive(site: Site, policies: Path, s2r: Command) -> None:
    """Pages come as they were captured by the cutoff; one that was captured later is lost and said to be, and no live page is read.
    The archive of the run repeats it offline."""
    with Pool.open(site.pool) as pool:
        for url in pool.urls():
            kept = pool.read(url)
            assert isinstance(kept, Capture)
            year = 2022 if "2-corriemoor-event" in url else 2019
            site.world.kept.keep(url, dt.datetime(year, 12, 1, tzinfo=dt.UTC), kept.body, content_type=kept.content_type)
    fast = {"S2R_WAYBACK_RATE": "1000", "S2R_WAYBACK_INDEX_PER_MINUTE": "60000"}
    env = site.env("brave", "wayback") | fast
    process = start(site.command("--point-in-time"), site.folder, **env)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 4, out + err
    assert not [seen for seen in site.world.seen if "robots" not in seen.path]
    found = records(site.out)
    assert (found["T-01"]["status"], found["T-02"]["status"]) == ("yes", "no")
    assert found["T-03"]["status"] != "yes"
    told = json.loads((site.out / "run.json").read_text())["point_in_time"]
    assert told["by_proof"].keys() == {"capture"}
    assert told["pages_not_had"] >= 1
    assert any("no readable capture on or before 2021-01-01" in gap["cause"] for gap in found["T-03"]["coverage"]["gaps"])  # type: ignore[index]
    again = site.folder / "again"
    ran = s2r("audit", site.universe, "--pool", site.out / "archive", "--policies", policies, "--out", again, "--point-in-time")
    assert ran.code in (0, 4), ran.err
    for row, record in records(again).items():
        for name in ("status", "announcement_date", "reason", "claims", "findings"):
            assert record[name] == found[row][name], (row, name)


def test_two_cutoffs_of_one_address_are_repeated_each_by_its_own_capture(site: Site, policies: Path, s2r: Command) -> None:
    """A notice that its page shows only from 2021 is missing from the row of 2020 and found for that of 2022, live and offline; a
    page that was first captured in 2021 is a gap of the one row and evidence of the other."""
    with Pool.open(site.pool) as pool:
        urls = [url for url in pool.urls() if "alderwick" in url]
        bodies = {url: found.body for url in urls if isinstance(found := pool.read(url), Capture)}
    (event,) = [url for url in urls if "event" in url]
    quiet = re.sub(
        rb"has decided.*?listed\.", b"met today.", bodies[event].replace(b"announces voluntary delisting from", b"on"), flags=re.DOTALL
    )
    assert quiet != bodies[event]
    keep = site.world.kept.keep
    keep(event, dt.datetime(2019, 12, 1, tzinfo=dt.UTC), quiet)
    keep(event, dt.datetime(2021, 6, 1, tzinfo=dt.UTC), bodies[event])
    for url in urls:
        if url != event:
            keep(url, dt.datetime(2021, 6, 1, tzinfo=dt.UTC), bodies[url])
    rows = [listing(0, row_id="late", cutoff=dt.date(2022, 12, 31)), listing(0, row_id="early", cutoff=dt.date(2020, 12, 31))]
    write_universe(site.universe, rows)
    fast = {"S2R_WAYBACK_RATE": "1000", "S2R_WAYBACK_INDEX_PER_MINUTE": "60000"}
    process = start(site.command("--point-in-time"), site.folder, **(site.env("brave", "wayback") | fast))
    out, err = process.communicate(timeout=240)
    assert process.returncode in (0, 4), out + err
    found = records(site.out)
    assert found["late"]["status"] == "yes"
    assert found["early"]["status"] != "yes"
    again = site.folder / "again"
    command = ("audit", site.universe, "--policies", policies, "--point-in-time")
    ran = s2r(*command, "--pool", site.out / "archive", "--out", again)
    assert ran.code in (0, 4), ran.err
    assert records(again) == found
    (site.out / "archive" / "searches.db").unlink()  # another tool's WARC files know nothing of rows: the time decides
    assert s2r(*command, "--pool", site.out / "archive", "--out", site.folder / "third").code in (0, 4)
    for row, record in records(site.folder / "third").items():
        assert (record["status"], record["announcement_date"]) == (found[row]["status"], found[row]["announcement_date"])


def test_archived_copies_are_played_back_once_when_a_run_goes_on(site: Site) -> None:
    """Rows that are run again, as one provider failed, take the copies that the archive of the run holds, and its missing ones too."""
    with Pool.open(site.pool) as pool:
        for url in [url for url in pool.urls() if "results" not in url]:
            kept = pool.read(url)
            assert isinstance(kept, Capture)
            site.world.kept.keep(url, dt.datetime(2019, 12, 1, tzinfo=dt.UTC), kept.body, content_type=kept.content_type)
    site.world.always("exa", fault("HTML in 200"))
    env = site.env("brave", "exa", "wayback") | {"S2R_WAYBACK_RATE": "1000", "S2R_WAYBACK_INDEX_PER_MINUTE": "60000"}
    codes, played = [], []
    for _ in range(2):
        process = start(site.command("--search", "brave,exa", "--point-in-time"), site.folder, **env)
        process.communicate(timeout=240)
        codes.append(process.returncode)
        played.append(len(site.world.kept.seen))
        site.world.always("exa", None)
    assert codes == [4, 4]  # then for the pages that no archive has
    assert played[0] == played[1] > 0
    assert {record["coverage"]["providers"]["exa"] for record in records(site.out).values()} == {"answered"}  # type: ignore[index]


def test_a_page_that_is_gone_is_read_from_the_web_archive(site: Site) -> None:
    """With S2R_ARCHIVED_COPIES a notice that the live web has lost is read as it was archived, and its capture time is kept."""
    with Pool.open(site.pool) as pool:
        url = next(url for url in pool.urls() if "0-alderwick-event" in url)
        kept = pool.read(url)
    assert isinstance(kept, Capture)
    at = dt.datetime(2019, 12, 1, tzinfo=dt.UTC)
    site.world.kept.keep(url, at, kept.body, content_type=kept.content_type)
    site.world.web.always(url, status(404))
    process = start(
        site.command(), site.folder, **(site.env("brave", "wayback") | {"S2R_ARCHIVED_COPIES": "1", "S2R_WAYBACK_RATE": "1000"})
    )
    out, err = process.communicate(timeout=240)
    assert process.returncode in (0, 4), out + err
    assert statuses(site.out)["T-01"] == "yes"
    with Archive(site.out, read_only=True) as archive:
        assert at in {exhibit.captured_at for exhibit in archive.find_url(url)}


def test_the_same_from_python(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings come from the environment; the same call continues without a paid call; a used-up budget is raised after its records."""
    for name, value in site.env("brave").items():
        monkeypatch.setenv(name, value)
    rows = s2r.read_universe(site.universe).listings

    def audited(out: str, **more: object) -> list[tuple[str, str]]:
        given = {"search": "brave", "policies": site.policies, "out": site.folder / out, "workers": 2} | more
        return [(record.row_id, record.status.value) for record in s2r.audit(rows, **given)]  # type: ignore[arg-type]

    assert audited("a") == [("T-01", "yes"), ("T-02", "no"), ("T-03", "yes")]
    calls = len(site.world.calls("brave"))
    assert len(audited("a")) == 3
    assert len(site.world.calls("brave")) == calls
    with pytest.raises(BudgetExceeded, match="--max-usd"):
        audited("b", max_usd=0.02)
    assert len(site.world.calls("brave")) == calls + 4
    with pytest.raises(ConfigError, match="S2R_EXA_KEY"):
        audited("c", search="exa")

"""Parts of a live run: what is kept of its searches, what its calls cost, which services it plans, which pages it asks for."""

from __future__ import annotations

import asyncio
import datetime as dt
import itertools
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from factories import capture, digest, listing

from s2r.archive import Archive
from s2r.errors import BudgetExceeded, ConfigError, StoreError
from s2r.job.live import LiveOptions, check_prices, plan_live
from s2r.modelapi import BudgetBusy, ModelCall, ModelRole, ModelState, RecordBudgetExceeded
from s2r.models import Capture, Gap, Hit, Outcome, Query
from s2r.pipeline.ledger import RunLedger, booked_to
from s2r.pipeline.pages import PageDesk, Repeated
from s2r.search import Pool, SearchAnswer, State
from s2r.search.caller import SearchCall
from s2r.search.kept import Kept, KeptProvider, Used
from s2r.store import Store

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
LATER = NOW + dt.timedelta(hours=1)
FOUND = SearchAnswer(state=State.ANSWERED, hits=(Hit(url="https://a.example/1", provider="web", rank=1, query="q"),))
FAILED = SearchAnswer(state=State.FAILED, cause="limit")
EMPTY = SearchAnswer(state=State.EMPTY)


class Web:
    """A provider with prepared answers that counts its calls."""

    name = "web"

    def __init__(self, *answers: SearchAnswer) -> None:
        self._answers, self.calls = list(answers), 0

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """The next answer, after others had a turn."""
        self.calls += 1
        await asyncio.sleep(0)
        return self._answers.pop(0)


def asked(folder: Path, web: Web, times: int, since: dt.datetime | None = None, *, at_once: bool = False) -> list[SearchAnswer]:
    """Answers to one query, asked several times through what is kept in `folder`."""

    async def run() -> list[SearchAnswer]:
        kept = Kept(folder)
        provider = KeptProvider(web, kept, since=since, clock=lambda: NOW)
        if at_once:
            found = await asyncio.gather(*(provider.find(Query(text="q"), 5) for _ in range(times)))
        else:
            found = [await provider.find(Query(text="q"), 5) for _ in range(times)]
        kept.close()
        return list(found)

    return asyncio.run(run())


@pytest.mark.parametrize("answer", [FOUND, EMPTY])
def test_an_answer_is_asked_for_once(answer: SearchAnswer, tmp_path: Path) -> None:
    """In one process one after the other, side by side, and by the next process; "nothing" is an answer too."""
    assert asked(tmp_path, web := Web(answer), 2) == [answer] * 2
    assert asked(tmp_path, other := Web(), 1) == [answer]
    assert (web.calls, other.calls) == (1, 0)
    assert asked(tmp_path / "b", web := Web(answer), 3, at_once=True) == [answer] * 3
    assert web.calls == 1


def test_a_search_holds_its_turn_until_its_answer_is_kept(tmp_path: Path) -> None:
    """A kill repeats at most what holds a turn; a question that was answered takes none."""
    answered: list[bool] = []

    class Turn:
        async def __aenter__(self) -> None:
            answered.append(kept.answer("web", question, None) is not None)

        async def __aexit__(self, *_: object) -> None:
            answered.append(kept.answer("web", question, None) is not None)

    kept = Kept(tmp_path)
    question = f"5 {Query(text='q').model_dump_json()}"
    provider = KeptProvider(Web(FOUND), kept, since=None, clock=lambda: NOW, turn=Turn)
    for _ in range(2):
        asyncio.run(provider.find(Query(text="q"), 5))
    kept.close()
    assert answered == [False, True]


def test_a_failure_is_never_kept(tmp_path: Path) -> None:
    """The next question goes to the service."""
    assert asked(tmp_path, web := Web(FAILED, FOUND), 3) == [FAILED, FOUND, FOUND]
    assert web.calls == 2


def test_an_answer_that_is_too_old_is_asked_for_again(tmp_path: Path) -> None:
    """Older than `since`, by the time when it came."""
    asked(tmp_path, Web(EMPTY), 1)
    assert asked(tmp_path, Web(FOUND), 1, since=LATER) == [FOUND]
    assert asked(tmp_path, Web(), 1, since=NOW) == [FOUND]


def test_outcomes_are_found_by_listing_and_queries(tmp_path: Path) -> None:
    """The id and the place of a row do not count, its identity and the queries do; the newest outcome stands."""
    kept, queries = Kept(tmp_path), [Query(text="q")]
    kept.keep_outcome(listing(1), queries, FAILED, NOW)
    kept.keep_outcome(listing(1), queries, FOUND, LATER)
    before = kept.digest()
    assert kept.outcome(listing(1, row_id="other", row_number=7), queries) == FOUND.model_dump_json()
    assert kept.outcome(listing(2), queries) is None
    assert kept.outcome(listing(1), [Query(text="p")]) is None
    kept.keep_gap(Gap(url="https://a.example/2", step="fetch", outcome=Outcome.BLOCKED, cause="403"), NOW)
    assert kept.digest() != before
    kept.close()


def test_a_damaged_file_of_searches_is_named(tmp_path: Path) -> None:
    """With what to do, as an error of the store."""
    (tmp_path / "searches.db").write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(StoreError, match=r"searches\.db: the kept searches cannot be used"):
        Kept(tmp_path)
    assert Kept.beside(tmp_path / "nowhere") is None


def call(usd: float | None, reserved: float | None = 0.005, **more: object) -> SearchCall:
    """A call that was answered."""
    return SearchCall.model_validate({"provider": "web", "state": State.ANSWERED, "usd": usd, "reserved": reserved} | more)


def test_calls_under_way_count_against_the_cap() -> None:
    """Three calls of half a cent fit under one and a half cents, whether they have ended or not; a refused call frees its place."""
    ledger = RunLedger(0.015)
    ledger.reserve("web", 0.005)
    ledger.reserve("web", 0.005)
    ledger.book(call(0.005))
    ledger.reserve("web", 0.005)
    with pytest.raises(BudgetExceeded, match=r"the cap of 0.015 USD is reached.*higher --max-usd"):
        ledger.reserve("web", 0.005)
    ledger.book(call(0.0))
    ledger.reserve("web", 0.005)
    with pytest.raises(BudgetExceeded, match="price of a call is unknown"):
        ledger.reserve("web", None)
    RunLedger().reserve("web", None)


def test_calls_are_booked_to_their_row_at_once(tmp_path: Path) -> None:
    """Also those of tasks that the row starts; credits stand beside the cost; an unknown price makes the sum unknown, not free."""
    ledger = RunLedger()

    async def one(usd: float | None) -> None:
        ledger.book(call(usd, credits=2.0 if usd else None))

    async def row(name: str, *prices: float | None) -> float | None:
        with booked_to(name) as tally:
            await asyncio.gather(*(one(usd) for usd in prices))
            return tally.cost

    async def run() -> list[float | None]:
        return list(await asyncio.gather(row("T-1", 0.005, 0.01), row("T-2", None, 0.01), row("T-3")))

    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r1", version="1", policy="p", manifest={}, now=NOW)
        ledger.bind(store, "r1", lambda: NOW)
        assert asyncio.run(run()) == [0.015, None, 0.0]
        totals = store.totals("r1")
        known = {"known_usd": pytest.approx(0.025), "at_most_usd": 0.0}
        assert totals["search:web"] == {"amount": 4.0, "unit": "calls", "cost_usd": None} | known
        assert totals["credits:web"]["amount"] == 6.0
        assert store.spent() == pytest.approx(0.025)
        capped = RunLedger(0.03)
        capped.bind(store, "r2", lambda: NOW)  # what earlier runs of the folder have cost counts
        capped.reserve("web", 0.005)
        with pytest.raises(BudgetExceeded):
            capped.reserve("web", 0.005)


def test_searches_and_models_share_one_cap(tmp_path: Path) -> None:
    """What a call to a model may cost is set aside for searches too: a search that fits once it has ended waits for it, one that never
    fits is refused, and the cap of a row counts both."""

    async def run(store: Store) -> None:
        ledger = RunLedger(0.05, 0.03)
        ledger.bind(store, "r1", lambda: NOW)
        model = ledger.of_model("adjudicator", "p:m")
        blank = ModelCall(role=ModelRole.ADJUDICATOR, provider="p", model="m", row_id="T-1", purpose="answer", state=ModelState.ANSWERED)
        reserved = await model.reserve("T-1", "p (adjudicator, answer)", 0.03)
        with booked_to("T-2"), pytest.raises(BudgetBusy):
            ledger.reserve("web", 0.025)
        assert store.spent() == pytest.approx(0.03)  # noted at the most it may cost
        waiting = asyncio.create_task(ledger.freed())
        await asyncio.sleep(0)
        assert not waiting.done()
        with booked_to("T-1") as tally:
            model.book(blank.model_copy(update={"usd": 0.01, "reserved": reserved, "basis": "override"}))
        await waiting
        assert (tally.calls, tally.cost) == (1, 0.01)
        assert store.spent_by_row() == pytest.approx({"T-1": 0.01})
        with booked_to("T-1"), pytest.raises(RecordBudgetExceeded, match=r"cap of 0\.03 USD for one record"):
            ledger.reserve("web", 0.025)
        with booked_to("T-2"):
            ledger.reserve("web", 0.025)
        with pytest.raises(BudgetExceeded, match=r"cap of 0\.05 USD is reached"):
            await model.reserve("T-3", "p (adjudicator, answer)", 0.041)

    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r1", version="1", policy="p", manifest={}, now=NOW)
        asyncio.run(run(store))


def test_sums_do_not_depend_on_which_call_ends_first(tmp_path: Path) -> None:
    """Dollars are added in binary, where the order of three prices can decide the last digit of a cent's thousandth."""
    prices, found = (0.000127, 0.000195, 0.0001155), set()
    with Store(tmp_path / "s2r.db") as store:
        for number, order in enumerate(itertools.permutations(prices)):
            run = f"r{number}"
            store.start_run(run, version="1", policy="p", manifest={}, now=NOW)
            ledger = RunLedger()
            ledger.bind(store, run, lambda: NOW)
            with booked_to("T-1") as tally:
                for usd in order:
                    ledger.book(call(usd))
            total = store.totals(run)["search:web"]
            found.add((tally.cost, total["cost_usd"], total["known_usd"]))
    assert found == {(0.000438, 0.0004375, 0.0004375)}


def test_a_call_is_noted_before_it_is_sent(tmp_path: Path) -> None:
    """One that a kill cuts off stays in the ledger at the most that it may cost; one that ends is settled, also without an answer."""
    with Store(tmp_path / "s2r.db") as store:
        store.start_run("r1", version="1", policy="p", manifest={}, now=NOW)
        ledger = RunLedger(1.0)
        ledger.bind(store, "r1", lambda: NOW)
        intents = [ledger.reserve("web", 0.02) for _ in range(3)]
        assert store.totals("r1")["search:web"]["at_most_usd"] == pytest.approx(0.06)
        ledger.book(call(0.005, 0.02, intent=intents[1], basis="reported", credits=3.0))
        ledger.book(call(0.02, 0.02, intent=intents[0], basis="bound"))
        ledger.book(call(0.0, 0.02, intent=intents[0], basis="free"))  # a line is settled once
        found = store.totals("r1")["search:web"]
        assert found["amount"] == 3.0
        assert found["known_usd"] == pytest.approx(0.045)
        assert found["at_most_usd"] == pytest.approx(0.04)  # one without an answer, one that is under way
    with Store(tmp_path / "s2r.db") as store:
        after = RunLedger(0.05)
        after.bind(store, "r1", lambda: NOW)  # as after a kill: the call that was under way counts
        with pytest.raises(BudgetExceeded, match=r"0\.0450 USD spent"):
            after.reserve("web", 0.006)
        assert len(store.totals("r1")) == 2


@pytest.mark.parametrize(
    ("search", "env", "told"),
    [
        ("brave>edgar", {"S2R_BRAVE_KEY": "k", "S2R_CONTACT": "a@b.example"}, "stands in no chain"),
        ("companies_house", {}, "S2R_COMPANIES_HOUSE_KEY"),
        ("brave,,exa", {}, "a name is missing"),
    ],
)
def test_plans_that_cannot_be_are_refused(search: str, env: dict[str, str], told: str, policies: Path) -> None:
    """Before any work, with what to do."""
    with pytest.raises(ConfigError, match=told):
        plan_live(LiveOptions(search, None, env), policies)


def test_without_names_all_that_is_set_up_is_asked(policies: Path) -> None:
    """Providers side by side, registers that need a key only with it; named ones alone when names are given; no key is shown."""
    env = {"S2R_BRAVE_KEY": "planted-1", "S2R_EXA_KEY": "planted-2", "S2R_COMPANIES_HOUSE_KEY": "planted-3", "S2R_CONTACT": "a@b.example"}
    plan = plan_live(LiveOptions("", None, env), policies)
    assert plan.plan == (("brave",), ("exa",))
    assert set(plan.sources) == {"edgar", "companies_house"}
    assert set(plan.secrets) == {"planted-1", "planted-2", "planted-3"}
    assert "planted" not in repr(plan) + repr(LiveOptions("", None, env))
    assert plan_live(LiveOptions("exa", None, env), policies).text == "exa"


class Pages:
    """A fetcher with prepared pages that counts what is asked of it."""

    name = "live"

    def __init__(self, **pages: Capture | Gap) -> None:
        self._pages, self.asked = pages, 0

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The prepared page."""
        self.asked += 1
        await asyncio.sleep(0)
        return self._pages[url.rpartition("/")[2]]


@pytest.mark.parametrize("passing", [False, True])
def test_a_page_is_asked_for_once_and_again_when_its_bytes_are_gone(passing: bool, tmp_path: Path) -> None:
    """By rows side by side and by the next run, also one that stays closed; a copy of a web archive too, whose own time is old; a damaged one is asked for anew."""
    url = "https://a.example/one"
    old = capture("<p>The listing of Alder is cancelled as of today, says the exchange.</p>", url, via="archive")
    pages, hits = Pages(one=old, two=Gap(url="https://a.example/two", step="fetch", outcome=Outcome.BLOCKED, cause="403", passing=passing)), [
        Hit(url=url, provider="web", rank=1, query="q"),
        Hit(url="https://a.example/two", provider="web", rank=2, query="q"),
    ]  # fmt: skip

    async def run() -> tuple[int, int]:
        kept = Kept(tmp_path / "archive")
        with Archive(tmp_path) as archive:
            desk = PageDesk(archive, at=NOW, max_body=1 << 20, kept=kept, since=NOW, clock=lambda: NOW)
            first, second = await asyncio.gather(desk.fetch(pages, hits), desk.fetch(pages, hits))
        kept.close()
        assert first[0] == second[0]
        assert [gap.cause for gap in first[1]] == ["403"]
        return pages.asked, first[2] + second[2]

    assert asyncio.run(run()) == (2, 2)
    assert asyncio.run(run()) == ((3, 1) if passing else (2, 0))  # only what may pass is asked for again
    (warc,) = (tmp_path / "archive").glob("*.warc.gz")
    warc.write_bytes(warc.read_bytes()[:-900])
    assert asyncio.run(run())[1] == 1 + passing


def test_a_page_is_named_as_the_row_found_it(tmp_path: Path) -> None:
    """Two rows that find one page under different titles each keep their own, whichever of them asks first."""
    url = "https://a.example/one"
    page = Pages(one=capture("<p>The listing of Alder is cancelled as of today, says the exchange.</p>", url))
    rows = [[Hit(url=url, title=title, provider="web", rank=1, query="q")] for title in ("Alder notice", "Birch and Alder", "")]

    async def run(folder: Path, order: Sequence[int]) -> dict[int, str]:
        kept = Kept(folder / "archive")
        with Archive(folder) as archive:
            desk = PageDesk(archive, at=NOW, max_body=1 << 20, kept=kept, since=NOW, clock=lambda: NOW)
            found = {n: (await desk.fetch(page, rows[n]))[0][0][2] for n in order}
        kept.close()
        return found

    for number, order in enumerate(itertools.permutations(range(3))):
        assert asyncio.run(run(tmp_path / str(number), order)) == {0: "Alder notice", 1: "Birch and Alder", 2: ""}


URL = "https://a.example/one"


def captured(folder: Path, *times: tuple[str, int]) -> Pool:
    """A pool of the archive that holds these texts of one address, each captured on the first day of a month of 2020."""
    with Archive(folder) as archive:
        for text, month in times:
            archive.put(capture(f"<p>{text}</p>", URL, fetched_at=dt.datetime(2020, month, 1, tzinfo=dt.UTC)))
    return Pool.open(folder / "archive")


def read(pages: Repeated, url: str = URL) -> str:
    """The text of a page and the month of its capture, or the cause of its gap."""
    found = asyncio.run(pages.fetch(url))
    return found.cause if isinstance(found, Gap) else f"{found.body.decode()[3:-4]} {found.fetched_at.month}"


def test_what_could_not_be_had_is_repeated(tmp_path: Path) -> None:
    """Its gap in place of "not in the pool"; a page that the pool holds is that page."""
    kept = Kept(tmp_path / "archive")
    kept.keep_gap(Gap(url="https://a.example/two", step="fetch", outcome=Outcome.PAYWALL, cause="asks for payment"), NOW)
    with captured(tmp_path, ("x", 3)) as pool:
        pages = Repeated(pool, kept)
        assert read(pages, "https://a.example/two") == "asks for payment"
        assert "holds no page" in read(pages, "https://a.example/three")
        assert read(pages) == "x 3"
    kept.close()


def test_each_row_gets_the_capture_that_it_was_judged_by(tmp_path: Path) -> None:
    """By the digest or gap kept for the row; another row gets the last capture by its time, or the first one; a lost one is a gap."""
    kept, queries = Kept(tmp_path / "archive"), [Query(text="q")]
    with captured(tmp_path, ("early", 2), ("middle", 5), ("early", 8), ("late", 9)) as pool:
        assert (len(pool), pool.faults) == (1, ())
        assert [hit.url for hit in asyncio.run(pool.find(Query(text="late"), 5)).hits] == [URL]
        for text, told in (("early", "early 2"), ("late", "late 9"), ("never", "does not hold the capture")):
            used = Used(pages={URL: digest(f"<p>{text}</p>")})
            kept.keep_used(listing(1), queries, used, NOW, point_in_time=True)
            before = kept.used(listing(1, row_id="other"), queries, point_in_time=True)
            assert told in read(Repeated(pool, kept, used=before))
        missed = Used(pages={}, gaps=(Gap(url=URL, step="fetch", outcome=Outcome.NOT_FOUND, cause="no capture by then"),))
        assert read(Repeated(pool, kept, used=missed)) == "no capture by then"
        assert kept.used(listing(1), queries, point_in_time=False) is None
        assert kept.used(listing(2), queries, point_in_time=True) is None
        assert read(Repeated(pool, kept)) == "early 2"
        for month, told in ((1, "early 2"), (3, "early 2"), (6, "middle 5"), (8, "early 8"), (12, "late 9")):
            assert read(Repeated(pool, None, by=dt.datetime(2020, month, 2, tzinfo=dt.UTC))) == told
    kept.close()


def test_kept_searches_without_pages_by_row_are_read(tmp_path: Path) -> None:
    """An archive that an earlier version left gives what it has."""
    kept = Kept(tmp_path)
    kept.keep_gap(Gap(url=URL, step="fetch", outcome=Outcome.PAYWALL, cause="asks for payment"), NOW)
    kept.close()
    with sqlite3.connect(tmp_path / "searches.db") as db:
        db.execute("drop table used")
    old = Kept.beside(tmp_path)
    assert old is not None
    assert old.used(listing(1), [], point_in_time=False) is None
    assert old.gap(URL) is not None
    assert len(old.digest()) == 64
    old.close()


def test_the_way_that_led_to_a_page_is_archived(tmp_path: Path) -> None:
    """Redirects and flags stand in its metadata record, without secrets in the addresses."""
    hops = ("301 https://a.example/old?api_key=planted-77",)
    with Archive(tmp_path) as archive:
        archive.put(capture("x", hops=hops, flags=("downgrade",)))
    from warcio.archiveiterator import ArchiveIterator

    (warc,) = (tmp_path / "archive").glob("*.warc.gz")
    with warc.open("rb") as fh:
        (meta,) = [json.loads(r.content_stream().read()) for r in ArchiveIterator(fh) if r.rec_type == "metadata"]
    assert meta["hops"] == ["301 https://a.example/old?api_key=REDACTED"]
    assert meta["flags"] == ["downgrade"]


def test_caps_need_known_prices(tmp_path: Path, policies: Path) -> None:
    """A service without a price does not start under either cap; the option and the line to add are named."""
    text = (policies / "prices.toml").read_text("utf-8").replace("[search.brave]\nper_1000 = 5.0\n", "[search.brave]\n")
    (tmp_path / "prices.toml").write_text(text, "utf-8")
    env = {"S2R_BRAVE_KEY": "k", "S2R_TAVILY_KEY": "k"}
    with pytest.raises(ConfigError, match=r"--max-usd: the price of brave is unknown.*\[search\.brave\]"):
        plan_live(LiveOptions("brave,tavily", 1.0, env), tmp_path)
    found = plan_live(LiveOptions("brave,tavily", None, env), tmp_path)
    with pytest.raises(ConfigError, match=r"--max-usd-per-record: the price of brave is unknown"):
        check_prices(found, tmp_path, "--max-usd-per-record")
    check_prices(plan_live(LiveOptions("tavily", 1.0, env), tmp_path), tmp_path, "--max-usd-per-record")

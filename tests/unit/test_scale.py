"""What keeps a large run fast and small: lookups by index, listings kept packed, rows spooled, pages parsed once."""

from __future__ import annotations

import asyncio
import datetime as dt
import sqlite3
from pathlib import Path

import pytest
from factories import capture, digest, listing, record, write_pool

from s2r.archive import Archive
from s2r.archive.index import NAME, Index
from s2r.errors import StoreError
from s2r.job.folder import records_at
from s2r.models import Listing, Listings
from s2r.models.packed import decisive
from s2r.net import Limit, Limiter
from s2r.net.limits import paced
from s2r.pipeline import parsed as parsed_module
from s2r.pipeline.parsed import Parsed
from s2r.report.files import write_jsonl
from s2r.report.spool import Spool
from s2r.search import Pool, pool_index

DAY = dt.datetime(2021, 2, 2, 12, tzinfo=dt.UTC)


def archive_of(folder: Path) -> Path:
    """Three captures: a page, the same bytes a day earlier at an address that redirects to it, another page."""
    with Archive(folder) as archive:
        archive.put(capture("<p>one</p>", "https://a.example/1"))
        archive.put(capture("<p>one</p>", "https://a.example/old", final_url="https://a.example/1", fetched_at=DAY - dt.timedelta(days=1)))
        archive.put(capture("<p>two</p>", "https://a.example/2", fetched_at=DAY))
    return folder


def test_captures_of_an_address_are_looked_up_by_index(tmp_path: Path) -> None:
    """By the address asked for and by the one that answered, newest first, and without reading all rows."""
    index = Index(archive_of(tmp_path) / "archive" / NAME)
    assert [row.url for row in index.by_url("https://a.example/1")] == ["https://a.example/old", "https://a.example/1"]
    assert [row.url for row in index.by_url("https://a.example/old")] == ["https://a.example/old"]
    asked: list[str] = []
    index._db.set_trace_callback(asked.append)
    index.by_url("https://a.example/1")
    index._db.set_trace_callback(None)
    plan = [row[3] for row in index._db.execute(f"explain query plan {asked[0]}").fetchall()]
    index.close()
    assert not [step for step in plan if step.startswith("SCAN exhibit")], plan


def test_first_seen_is_that_of_the_bytes_at_the_address(tmp_path: Path) -> None:
    """Other bytes there, and the same bytes elsewhere, do not count."""
    with Archive(archive_of(tmp_path), read_only=True) as archive:
        one, two = digest("<p>one</p>"), digest("<p>two</p>")
        assert archive.first_seen(one, "https://a.example/1") == DAY - dt.timedelta(days=1)
        assert archive.first_seen(two, "https://a.example/2") == DAY
        assert archive.first_seen(two, "https://a.example/1") is None


def test_an_index_of_an_earlier_version_is_read_and_mended(tmp_path: Path) -> None:
    """Without the index of final addresses the same captures are found; opened for writing, the archive gets it."""
    folder = archive_of(tmp_path)
    with sqlite3.connect(folder / "archive" / NAME) as db:
        db.execute("drop index exhibit_final")
    with Archive(folder, read_only=True) as archive:
        assert len(archive.find_url("https://a.example/1")) == 2
    Archive(folder).close()
    with sqlite3.connect(folder / "archive" / NAME) as db:
        assert db.execute("select 1 from sqlite_master where name='exhibit_final'").fetchone()


def test_packed_listings_are_the_listings(tmp_path: Path) -> None:
    """Indexed, sliced, iterated and compared as a tuple of them, whatever text they hold."""
    given = [listing(0), listing(1, extra={"desk": "=7"}), listing(2, issuer="株式会社みなせ", row_number=9), listing(3, issuer="a\ud800b")]
    packed = Listings(given)
    assert packed.row_ids == [row.row_id for row in given]
    assert list(packed) == given
    assert packed == tuple(given)
    assert packed != given[:2]
    assert (packed[-1], packed[1:3], len(packed)) == (given[3], given[1:3], 4)
    packed.append(listing(4))
    assert Listings(packed)[4] == listing(4)
    assert all(isinstance(one, Listing) for one in packed)
    copied = Listings()
    for place in range(len(packed)):
        copied.append_from(packed, place)
    assert list(copied) == list(packed)
    assert (copied.row_ids, copied.cutoffs) == (packed.row_ids, packed.cutoffs)


ODD = ["Aldergate plc", "a\ud800b", r"C:\udata", "株式会社みなせ"]


@pytest.mark.parametrize("issuer", ODD, ids=ascii)
def test_what_decides_a_row_is_digested_without_what_is_carried(issuer: str) -> None:
    """The place in the file and other columns change nothing, each field that decides does; all of it is in the written form."""
    row = listing(0, issuer=issuer)
    carried, other = row.model_copy(update={"row_number": 7, "extra": {"desk": "b"}}), row.model_copy(update={"isin": "GB0002634946"})
    packed = Listings([row, carried, other])
    assert list(packed.decisive()) == list(map(decisive, (row, carried, other)))
    assert decisive(row) == decisive(carried) != decisive(other)
    assert len(set(packed.written())) == 3
    assert list(packed) == [row, carried, other]


def test_spooled_rows_come_back_by_key(tmp_path: Path) -> None:
    """In the order of their keys, those with equal keys as they came, as often as they are asked for; no file is left."""
    with Spool(tmp_path) as spool:
        for row, key in ((["b"], (0.5, "b")), (["\ud800", None], (0.5, "a")), (["c"], (0.1, "z")), (["d"], (0.5, "b"))):
            spool.add(row, key)
        expected = [["c"], ["\ud800", None], ["b"], ["d"]]
        assert (list(spool), list(spool), len(spool)) == (expected, expected, 4)
        assert list(tmp_path.iterdir()) == []


def test_spool_that_cannot_be_written_is_an_error_of_the_store(tmp_path: Path) -> None:
    """It names the folder."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="file"), Spool(tmp_path / "file"):
        pass


def test_records_at_some_places_are_read_without_the_others(tmp_path: Path) -> None:
    """A line that is not asked for may be anything."""
    write_jsonl(tmp_path / "records.jsonl", [record(listing(n)) for n in range(4)])
    lines = (tmp_path / "records.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "records.jsonl").write_text("\n".join([lines[0], "broken", *lines[2:]]), "utf-8")
    assert [(place, one.row_id) for place, one in records_at(tmp_path, {3, 0})] == [(0, "T-01"), (3, "T-04")]


def test_a_page_is_parsed_once_and_the_oldest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes under the same name are parsed once; another title, type or address is another page; what is kept is bounded."""
    made: list[str] = []
    real = parsed_module.extract

    def counted(body: bytes, content_type: str, url: str, *, digest: str, fallback_title: str) -> object:
        made.append(url)
        return real(body, content_type, url, digest=digest, fallback_title=fallback_title)

    monkeypatch.setattr(parsed_module, "extract", counted)
    pages = Parsed(most=150)
    one = capture("<p>" + "one " * 20 + "</p>", "https://a.example/1")
    first = pages.page(one, "d1", one.url, "")
    assert pages.page(one, "d1", one.url, "") is first
    assert pages.page(one, "d1", one.url, "Title").given_title == "Title"
    assert len(made) == 2
    pages.page(one, "d2", "https://a.example/2", "")
    assert pages.page(one, "d1", one.url, "") == first
    assert made.count(one.url) == 3


@pytest.mark.parametrize(("rate", "listed", "at_once"), [(0.5, 4, 4), (20.0, 4, 20), (20.5, 4, 21), (5000.0, 4, 64), (30.0, 100, 100)])
def test_a_rate_that_is_set_may_be_used(rate: float, listed: int, at_once: int) -> None:
    """As many requests may be under way as come in a second, never fewer than are listed, and never more than 64 for that."""
    assert paced(rate, listed).concurrency == at_once


def test_a_busy_limiter_file_is_waited_for_in_a_thread(tmp_path: Path) -> None:
    """While another process writes, the loop goes on; the request is granted when that has ended."""
    limits = Limiter(tmp_path / "limits.db", default=Limit(rate=1000, concurrency=9))
    other = sqlite3.connect(tmp_path / "limits.db", isolation_level=None, check_same_thread=False)
    turns = 0

    async def run() -> None:
        nonlocal turns

        async def ask() -> None:
            async with limits.slot("a.example"):
                pass

        other.execute("begin immediate")
        asking = asyncio.ensure_future(ask())
        while turns < 5:
            await asyncio.sleep(0.01)
            turns += 1
        assert not asking.done()
        other.execute("commit")
        await asking

    asyncio.run(run())
    other.close()
    limits.close()
    assert turns == 5


def test_a_place_that_comes_free_wakes_its_waiter() -> None:
    """A waiter of the same process does not sleep its time out: with a clock that stands still it would sleep for ever."""

    async def never(_: float) -> None:
        await asyncio.Event().wait()

    limits = Limiter(None, default=Limit(rate=1e6, burst=1000, concurrency=1), sleep=never)
    order: list[int] = []

    async def ask(number: int) -> None:
        async with limits.slot("a.example"):
            order.append(number)
            await asyncio.sleep(0)

    async def run() -> None:
        async with asyncio.timeout(20):
            await asyncio.gather(*(ask(number) for number in range(4)))

    asyncio.run(run())
    limits.close()
    assert order == [0, 1, 2, 3]


def test_a_large_pool_gives_the_pages_of_a_small_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way finds what the ranking of FTS5 finds, pages with more of the other words first; many pages are ranked as ever."""
    pages = [{"url": f"https://a.example/{n}", "title": f"Page {n}", "content_type": "text/html", "body": f"<p>{text}</p>"}
             for n, text in enumerate(["Brantholm Shipping sails", "Brantholm Shipping delisting on Nasdaq", "delisting of another", "Shipping Brantholm",
                                       "Brantholm Shipping delisting"] + ["Corriemoor delisting"] * 6)]  # fmt: skip
    asked = (
        '"Brantholm Shipping" delisting Nasdaq',
        '"Brantholm"',
        '"nowhere" delisting',
        "delisting Nasdaq",
        '"Corriemoor" delisting',
        '"Bra',
    )
    with Pool.open(write_pool(tmp_path / "pool.jsonl", pages)) as pool:
        small = [pool._index.find(text, 4) for text in asked]
        monkeypatch.setattr(pool_index, "_LARGE", 0)
        large = [pool._index.find(text, 4) for text in asked]
    assert [sorted(found) for found in large] == [sorted(found) for found in small]
    assert [url[-1] for url, _ in large[0]] == ["1", "4", "0"]
    assert large[3:] == small[3:]

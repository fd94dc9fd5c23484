"""The sealed pool answers search and fetch from local files, lists every fault, and never looks at gold keys."""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import gzip
import json
import os
import sqlite3
import tracemalloc
import zipfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.archive import Archive
from s2r.errors import InputError
from s2r.models import Capture, Gap, Listing, Outcome, Query
from s2r.policy import load_policy
from s2r.search import Pool, State, search
from s2r.search.pool_text import alike_words, index_text, match_expressions
from tests.factories import pdf

SHARED = Path(__file__).parents[3] / "shared"
SEALED = SHARED / "sealed-dev"
WARCS = SHARED / "real" / "webrecorder_warcio" / "test" / "data"
AT = dt.datetime(2021, 2, 3, 4, 5, 6, tzinfo=dt.UTC)

LINES: list[dict[str, object]] = [
    {"url": "https://adhoc.example/ostbeck", "title": "Ostbeck Armaturen AG: Widerruf", "content_type": "text/html",
     "body": "<html><meta charset=iso-8859-1><p>Der Vorstand der <b>Ost</b>beck Armaturen AG hat den Widerruf beschlossen – endgültig</p>"},
    {"url": "https://tse.example/7789", "title": "上場廃止等の決定", "content_type": "text/html",
     "body": "<p>みなせ光学\n工業株式会社（コード7789）の上場廃止</p>"},
    {"url": "https://kosdaq.example/199870", "title": "", "body": "(주)누리한텍은 상장폐지가 확정되었다"},
    {"url": "https://bdif.example/0861", "title": "Retrait", "body": "Établissements Corvaisier SA : retrait obligatoire"},
    {"url": "https://gpw.example/661", "title": "Uchwała",
     "body": "Zarząd wykluczył akcje spółki Polmetrixu z obrotu; notowania Polmetryks zawieszono"},
    {"url": "https://set.example/th", "title": "เพิกถอน", "body": "ตลาดหลักทรัพย์เพิกถอนหุ้นสามัญของบริษัท"},
]  # fmt: skip


def write(path: Path, lines: list[dict[str, object]] | list[str]) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines) + "\n"
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, "utf-8")
    return path


def found(pool: Pool, text: str, limit: int = 10) -> list[str]:
    answer = asyncio.run(pool.find(Query(text=text), limit))
    assert answer.state is (State.ANSWERED if answer.hits else State.EMPTY)
    assert [hit.rank for hit in answer.hits] == list(range(1, len(answer.hits) + 1))
    return [hit.url.partition("//")[2].partition(".")[0] for hit in answer.hits]


def fetched(pool: Pool, url: str) -> Capture:
    page = asyncio.run(pool.fetch(url, at=AT))
    assert isinstance(page, Capture), page
    return page


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ('"Ostbeck Armaturen" Delisting', "adhoc"),
        ('"OSTBECK ARMATUREN AG"', "adhoc"),
        ("Widerruf Ostbeck", "adhoc"),
        ('"みなせ光学工業"', "tse"),
        ("上場廃止", "tse"),
        ('"7789"', "tse"),
        ('"누리한텍" 상장폐지', "kosdaq"),
        ('"Etablissements Corvaisier"', "bdif"),
        ('"ÉTABLISSEMENTS CORVAISIER" site:amf-france.org -forum', "bdif"),
        ('"Polmetrix"', "gpw"),
        ("เพิกถอนหุ้น", "set"),
        ("「みなせ光学工業」", "tse"),
        ("“Ostbeck Armaturen”", "adhoc"),
    ],
)
def test_search_finds_names_in_any_script(tmp_path: Path, query: str, first: str) -> None:
    """Case, accents, line breaks inside Japanese words, quotation styles, inflected names: the page that names it comes first."""
    with Pool.open(write(tmp_path / "pool.jsonl", LINES)) as pool:
        assert found(pool, query)[:1] == [first]


def test_quoted_names_that_no_page_holds_find_nothing(tmp_path: Path) -> None:
    """A phrase must occur: an unknown issuer is empty, not a list of pages about others."""
    with Pool.open(write(tmp_path / "pool.jsonl", LINES)) as pool:
        assert found(pool, '"Nordsee Windpark" Widerruf') == []
        assert found(pool, '"Armaturen Ostbeck"') == []


@pytest.mark.parametrize(
    "query", ['"', '" AND ( NEAR(', "*", "a* OR", "title:x ^ {", "-", "NOT", '""', "\x00", "\ud800", "'; drop table doc", "()"]
)
def test_odd_query_text_never_raises(tmp_path: Path, query: str) -> None:
    """Whatever stands in a query, the answer is a list."""
    with Pool.open(write(tmp_path / "pool.jsonl", LINES)) as pool:
        found(pool, query)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_any_query_is_answered(text: str) -> None:
    """Random texts give valid index expressions."""
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table page using fts5(x)")
    for expression in match_expressions(text):
        database.execute("select * from page where page match ?", (expression,)).fetchall()
    database.close()


def test_bigrams_and_likeness() -> None:
    """Unspaced runs become overlapping pairs; other spellings are near, other words are not."""
    assert index_text("東京都2017").split() == ["東京", "京都", "2017"]
    assert index_text("ＮＹＳＥ") == "NYSE"
    assert alike_words("polmetrix", ["polimex", "polmetrix", "polmetrixowi", "polmetryks"]) == ["polmetrixowi", "polmetryks"]


def plain_distance(a: str, b: str) -> int:
    """Letters to put in, take out or exchange, by the plain table."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]


@settings(max_examples=500, deadline=None)
@given(st.text("abx", min_size=3, max_size=3), st.text("abcx", min_size=3, max_size=9), st.lists(st.text("abcx", max_size=11)))
def test_no_other_spelling_is_passed_over(start: str, word: str, terms: list[str]) -> None:
    """Terms that are not looked at letter by letter are none that a look would have found."""
    word = start + word
    near = [word[:k] + letter + word[k + cut :] for k in range(3, len(word)) for letter in ("", "x", "bc") for cut in (0, 1, 2)]
    among = dict.fromkeys([*(start + term for term in terms), *near])
    most = 2 if len(word) >= 8 else 1

    def alike(term: str) -> bool:
        if term.startswith(word):
            return 0 < len(term) - len(word) <= 4
        return plain_distance(word.replace("x", "ks"), term.replace("x", "ks")) <= most

    assert alike_words(word, among) == [term for term in among if alike(term)]


def test_fetch_gives_the_page_as_a_capture(tmp_path: Path) -> None:
    """The body is UTF-8 and declared so, whatever the page says of itself; the time is the one passed in."""
    with Pool.open(write(tmp_path / "pool.jsonl", LINES)) as pool:
        page = fetched(pool, "https://adhoc.example/ostbeck")
        assert (page.body.decode(), page.content_type) == (LINES[0]["body"], "text/html; charset=utf-8")
        assert (page.title, page.fetched_at, page.via, page.status) == (LINES[0]["title"], AT, "pool", 200)
        assert fetched(pool, "http://ADHOC.example:80/ostbeck/#x").body == page.body
        assert fetched(pool, "https://kosdaq.example/199870").content_type == "text/plain; charset=utf-8"
        gap = asyncio.run(pool.fetch("https://nowhere.example/"))
        assert isinstance(gap, Gap)
        assert gap.outcome is Outcome.NOT_FOUND
        assert gap.next_step


def test_time_of_a_page_without_one_is_that_of_its_file(tmp_path: Path) -> None:
    """No clock is read: without `at` the file's modification time is used, so that runs repeat."""
    path = write(tmp_path / "pool.jsonl", LINES)
    os.utime(path, (1600000000, 1600000000))
    with Pool.open(path) as pool:
        page = pool.read("https://tse.example/7789")
        assert isinstance(page, Capture)
        assert page.fetched_at == dt.datetime(2020, 9, 13, 12, 26, 40, tzinfo=dt.UTC)


def test_every_faulty_line_is_listed_and_the_rest_is_used(tmp_path: Path) -> None:
    """Each kind of fault names its line and cause; the pool still opens."""
    (tmp_path / "big.bin").write_bytes(b"x" * (1 << 20) + b"y")
    faulty: list[tuple[str, str]] = [
        ("{not json", "not JSON"),
        ("[1, 2]", "not a JSON object"),
        ('{"title": "x", "body": "y"}', "no url"),
        ('{"url": "https://a.example/1"}', "neither body nor local_path"),
        ('{"url": "https://a.example/2", "local_path": "gone.pdf"}', "not a file"),
        ('{"url": "https://a.example/3", "local_path": "../../etc/passwd"}', "leads out of the pool's folder"),
        ('{"url": 7, "body": "x"}', "url is not text but int"),
        ('{"url": "https://a.example/4", "body": {"a": 1}}', "body is not text but dict"),
        ('{"url": "https://a.example/5", "body": "x", "title": ["t"]}', "title is not text but list"),
        ('{"url": "ftp://a.example/6", "body": "x"}', "not an http or https address"),
        ('{"url": "https://a.example/7", "body": "' + "z" * (1 << 20) + 'z"}', "more than the cap"),
        ('{"url": "https://a.example/8", "local_path": "big.bin"}', "more than the cap"),
        ('{"url": "https://tse.example/7789", "body": "other"}', "the same url came before, in line 2"),
        ("[" * 100000, "not JSON that can be read"),
        ('{"url": "https://a.example/9", "body": "' + "\\u0041" * (2 << 20) + '"}', "longer than"),
    ]
    path = write(
        tmp_path / "pool.jsonl",
        [json.dumps(line) for line in LINES] + [text for text, _ in faulty] + [json.dumps({**LINES[0], "url": "https://last.example/"})],
    )
    with Pool.open(path, max_body_mb=1) as pool:
        assert len(pool) == len(LINES) + 1
        assert [(fault.line, fault.source) for fault in pool.faults] == [(len(LINES) + n, "pool.jsonl") for n in range(1, len(faulty) + 1)]
        for fault, (_, cause) in zip(pool.faults, faulty, strict=True):
            assert cause in fault.cause
        assert fetched(pool, "https://tse.example/7789").title == "上場廃止等の決定"
        assert fetched(pool, "https://last.example/").title == LINES[0]["title"]


def test_lines_that_are_not_utf8_are_faults(tmp_path: Path) -> None:
    """A Latin-1 line is named, not guessed; a byte order mark at the start does no harm."""
    path = tmp_path / "pool.jsonl"
    good = json.dumps(LINES[1]).encode()
    path.write_bytes(b"\xef\xbb\xbf" + good + b'\n{"url": "https://a.example/", "body": "\xe9t\xe9"}\n\n')
    with Pool.open(path) as pool:
        assert len(pool) == 1
        assert [(f.line, "not UTF-8" in f.cause) for f in pool.faults] == [(2, True)]


def test_pools_that_cannot_be_used_are_input_errors(tmp_path: Path) -> None:
    """No file, no usable line, an empty folder, a file of another kind: each says what is wrong."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "photo.warc.gz").write_bytes(b"\xff\xd8\xff\xe0 not a warc at all")
    (tmp_path / "book.wacz").write_bytes(b"PK not a zip")
    write(tmp_path / "bad.jsonl", ["{}", "x"])
    for name, cause in [
        ("none.jsonl", "no such pool"),
        ("empty", "holds no JSON lines"),
        ("bad.jsonl", r"First fault: bad\.jsonl:1: no url"),
        ("photo.warc.gz", "no line or record of the pool can be used"),
        ("book.wacz", "not a readable WACZ"),
    ]:
        with pytest.raises(InputError, match=cause):
            Pool.open(tmp_path / name)


def test_gold_keys_are_nowhere(tmp_path: Path) -> None:
    """Planted gold keys and values appear in no index byte, capture, hit or fault."""
    gold = {
        "published": "1999-12-31GOLD",
        "case_id": "GOLD-007",
        "qualifying": "GOLDTRUE",
        "lang": "GOLDLANG",
        "snippet": "GOLDSNIP",
        "date": "GOLDDATE",
    }
    for name in ("pool.jsonl", "pool.jsonl.gz"):
        path = write(tmp_path / name, [{**line, **gold} for line in LINES])
        with Pool.open(path, home=tmp_path / "home") as pool:
            text = repr([pool.read(url) for url in pool.urls()]) + repr(pool.faults)
            assert found(pool, "GOLD-007") == found(pool, "GOLDTRUE") == found(pool, "1999-12-31GOLD") == []
        assert "GOLD" not in text
    indexes = list((tmp_path / "home" / "pools").iterdir())
    assert len(indexes) == 2
    for index in indexes:
        database = sqlite3.connect(index)
        dump = b"".join(repr(row).encode() for (table,) in database.execute("select name from sqlite_master where type='table'").fetchall()
                        for row in database.execute(f'select * from "{table}"').fetchall())  # fmt: skip
        database.close()
        assert b"GOLD" not in index.read_bytes().upper()
        assert b"gold" not in dump.lower()


def test_local_files_are_read_from_the_pool_folder(tmp_path: Path) -> None:
    """PDF and other binary files come back byte for byte, and PDF text can be searched."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "notice.pdf").write_bytes(pdf("Fellgate Diagnostics plc: cancellation of admission"))
    (tmp_path / "files" / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (tmp_path / "files" / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    lines = [{"url": f"https://rns.example/{n}", "title": n, "local_path": f"files/{n}"} for n in ("notice.pdf", "broken.pdf", "logo.png")]
    with Pool.open(write(tmp_path / "pool.jsonl", lines), home=tmp_path / "home") as pool:
        assert found(pool, '"Fellgate Diagnostics"') == ["rns"]
        page = fetched(pool, "https://rns.example/notice.pdf")
        assert (page.body, page.content_type) == ((tmp_path / "files" / "notice.pdf").read_bytes(), "application/pdf")
        assert fetched(pool, "https://rns.example/logo.png").content_type == "image/png"
        (tmp_path / "files" / "notice.pdf").write_bytes(b"%PDF-1.7 another file")
        gap = pool.read("https://rns.example/notice.pdf")
        assert isinstance(gap, Gap)
        assert "changed after the pool was opened" in gap.cause
    with Pool.open(tmp_path / "pool.jsonl", home=tmp_path / "home") as pool:
        assert found(pool, '"Fellgate Diagnostics"') == [], "a changed local file makes a new index"


def test_pool_of_an_archive_gives_the_same_captures(tmp_path: Path) -> None:
    """A run's archive is itself a pool: addresses, titles, types, bodies and capture times are those that were archived."""
    path = write(tmp_path / "pool.jsonl", LINES)
    with Pool.open(path) as pool, Archive(tmp_path / "run", max_warc_bytes=1500) as archive:
        pages = [fetched(pool, url) for url in pool.urls()]
        pages.append(pages[0].model_copy(update={"url": "https://mirror.example/ä b", "final_url": "https://mirror.example/ä b"}))
        for page in pages:
            archive.put(page)
        for source in (tmp_path / "run", tmp_path / "run" / "archive"):
            with Pool.open(source) as again:
                assert again.faults == ()
                assert sorted(again.urls()) == sorted(page.url for page in pages)
                for page in pages:
                    assert again.read(page.url) == page
                assert found(again, '"みなせ光学工業"') == ["tse"]
                assert set(found(again, '"Ostbeck Armaturen"')) == {"adhoc", "mirror"}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_wacz_files_are_pools(tmp_path: Path, method: int) -> None:
    """WARC members of a WACZ are read in place, or kept when they are compressed once more."""
    path = write(tmp_path / "pool.jsonl", LINES)
    with Pool.open(path) as pool, Archive(tmp_path / "run") as archive:
        pages = [fetched(pool, url) for url in pool.urls()]
        for page in pages:
            archive.put(page)
    warc = next((tmp_path / "run" / "archive").glob("*.warc.gz"))
    with zipfile.ZipFile(tmp_path / "x.wacz", "w", method) as out:
        out.writestr("datapackage.json", "{}")
        out.write(warc, f"archive/{warc.name}")
    with Pool.open(tmp_path / "x.wacz") as pool:
        assert [pool.read(page.url) for page in pages] == pages


def test_damaged_member_of_a_warc_costs_one_page(tmp_path: Path) -> None:
    """Reading goes on behind a flipped byte, and the fault names the place."""
    with Pool.open(write(tmp_path / "pool.jsonl", LINES)) as pool, Archive(tmp_path / "run") as archive:
        exhibits = [archive.put(fetched(pool, url)) for url in pool.urls()]
    warc = next((tmp_path / "run" / "archive").glob("*.warc.gz"))
    data = bytearray(warc.read_bytes())
    data[exhibits[2].offset + 40] ^= 0xFF
    warc.write_bytes(data)
    with Pool.open(warc) as pool:
        assert {e.url for e in exhibits} - set(pool.urls()) == {exhibits[2].url}
        assert [f"unreadable at byte {exhibits[2].offset}" in fault.cause for fault in pool.faults] == [True]


def test_index_is_kept_and_made_anew_when_it_should_be(tmp_path: Path) -> None:
    """The same pool is not indexed twice; a changed, half-built or damaged index is."""
    path, home = write(tmp_path / "pool.jsonl", LINES), tmp_path / "home"
    Pool.open(path, home=home).close()
    index = next((home / "pools").iterdir())
    first = index.stat().st_mtime_ns
    with Pool.open(path, home=home) as pool:
        assert found(pool, '"Ostbeck"') == ["adhoc"]
    assert index.stat().st_mtime_ns == first
    half = sqlite3.connect(index)
    half.execute("delete from fact")
    half.commit()
    half.close()
    with Pool.open(path, home=home) as pool:
        assert len(pool) == len(LINES)
    index.write_bytes(index.read_bytes()[:5000])
    with Pool.open(path, home=home) as pool:
        assert len(pool) == len(LINES)
    (home / "pools" / f".{index.name}.1-1.tmp").write_bytes(b"left behind by a killed build")
    write(path, LINES[:2])
    with Pool.open(path, home=home) as pool:
        assert len(pool) == 2


@pytest.mark.slow
def test_bodies_are_not_held_in_memory(tmp_path: Path) -> None:
    """A pool of large lines is opened and read with memory for one line at a time."""
    size = 8 << 20
    path = tmp_path / "pool.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for n in range(6):
            out.write(json.dumps({"url": f"https://big.example/{n}", "body": f"Riesig {n} " + "wort " * (size // 5)}) + "\n")
    tracemalloc.start()
    with Pool.open(path, home=tmp_path / "home") as pool:
        _, peak = tracemalloc.get_traced_memory()
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(pool) == 6
        assert peak < 14 * size
        assert held < size
        assert len(fetched(pool, "https://big.example/5").body) > size - 10


needs_sealed = pytest.mark.skipif(not SEALED.is_dir(), reason="the shared test inputs are not here")


@needs_sealed
@pytest.mark.slow
def test_recall_on_the_written_cases() -> None:
    """Every document of every case is among the first 40 hits of that case's queries."""
    gold: dict[str, set[str]] = defaultdict(set)
    for line in (SEALED / "docs_gold.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        gold[row["case_id"]].add(row["url"])
    policy = load_policy("delisting")
    missing: dict[str, set[str]] = {}
    with Pool.open(SEALED / "docs.jsonl") as pool:
        assert (len(pool), pool.faults) == (291, ())
        for row in csv.DictReader((SEALED / "universe.csv").open(encoding="utf-8", newline="")):
            listing = Listing(row_id=row.pop("case_id"), cutoff=dt.date.fromisoformat(row.pop("cutoff")), **row)
            outcome = asyncio.run(search(listing, policy, [pool], 40))
            assert outcome.providers == {"pool": "answered"}
            if left := gold[listing.row_id] - {hit.url for hit in outcome.hits}:
                missing[listing.row_id] = left
    assert missing == {}


@needs_sealed
def test_gold_file_beside_a_pool_gives_nothing_but_faults() -> None:
    """Opening the whole folder reads gold lines as lines without a body, and keeps nothing of them."""
    with Pool.open(SEALED) as pool:
        assert len(pool) == 291
        assert {fault.source for fault in pool.faults} == {"docs_gold.jsonl"}
        assert {fault.cause for fault in pool.faults} == {"neither body nor local_path"}


@pytest.mark.skipif(not WARCS.is_dir(), reason="third-party WARC samples are not here")
@pytest.mark.parametrize(
    ("name", "url", "text"),
    [
        ("example.warc.gz", "http://example.com/", b"Example Domain"),
        ("example.warc", "http://example.com/", b"Example Domain"),
        ("example.arc", "http://example.com/", b"Example Domain"),
        ("example.arc.gz", "http://example.com/", b"Example Domain"),
        ("example-iana.org-chunked.warc", "http://www.iana.org/", b"Internet Assigned Numbers Authority"),
        ("example-resource.warc.gz", "http://example.com/", b"Example Domain"),
        ("example-bad-non-chunked.warc.gz", "http://example.com/", b"Example Domain"),
        ("example-wget-bad-target-uri.warc.gz", "http://example.com/", b"Example Domain"),
    ],
)
def test_warcs_of_other_tools_are_pools(name: str, url: str, text: bytes) -> None:
    """Chunked, gzip-encoded, uncompressed, single-stream and resource records are read with their content decoded."""
    with Pool.open(WARCS / name) as pool:
        page = fetched(pool, url)
        assert text in page.body
        assert page.fetched_at.year < 2025, "the capture time is that of the record"


@pytest.mark.skipif(not WARCS.is_dir(), reason="third-party WARC samples are not here")
def test_cut_warc_of_another_tool_names_the_record() -> None:
    """A record whose bytes do not match its digest is a fault, and with nothing else the pool cannot be used."""
    with pytest.raises(InputError, match=r"does not match its own digest|is cut off"):
        Pool.open(WARCS / "example-trunc.warc")

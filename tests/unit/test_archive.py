"""The archive keeps what it was given, in files that other tools read, and never keeps secrets."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from s2r.archive import Archive
from s2r.archive.lock import free_dead_lock
from s2r.archive.warc import safe_url, wire_url
from s2r.errors import IntegrityError, StoreError
from s2r.models import Capture

AT = dt.datetime(2020, 3, 4, 5, 6, 7, tzinfo=dt.UTC)
WARCIO = Path(sys.executable).with_name("warcio")


def capture(
    url: str, body: bytes, *, at: dt.datetime = AT, title: str = "", kind: str = "text/html; charset=utf-8", **more: object
) -> Capture:
    return Capture.model_validate(
        {"url": url, "final_url": url, "title": title, "content_type": kind, "body": body, "fetched_at": at, **more}
    )


PAGES = [
    capture("https://boerse.example/bekanntmachungen/2017/ostbeck", "<p>Widerruf der Zulassung – Ostbeck</p>".encode(), title="Widerruf"),
    capture("https://kisai.example/開示/上場廃止 2017.html", "上場廃止のお知らせ".encode("shift_jis"), kind="text/html; charset=Shift_JIS"),
    capture("https://filings.example/25-nse.pdf", b"%PDF-1.4\n\x00\xff\r\n\r\nendobj", kind="application/pdf"),
    capture("https://empty.example/", b""),
    capture("https://gz.example/raw.gz", gzip.compress(b"WARC/1.1\r\n\r\n", mtime=0), kind="application/gzip"),
]  # fmt: skip


def warcs(root: Path) -> list[Path]:
    return sorted((root / "archive").glob("*.warc.gz"))


def test_put_then_open_gives_back_the_capture(tmp_path: Path) -> None:
    """Body, addresses, title, type, status and time come back as they were stored."""
    with Archive(tmp_path) as archive:
        for page in PAGES:
            exhibit = archive.put(page)
            back = archive.open(exhibit.digest)
            assert (back.body, back.url, back.title, back.content_type) == (page.body, page.url, page.title, page.content_type)
            assert (back.status, back.fetched_at) == (200, AT)
        assert archive.problems() == []
        assert [e.url for e in archive.exhibits()] == [p.url for p in PAGES]
        assert all(cause == "" for _, cause in archive.scan())


def test_archive_survives_closing(tmp_path: Path) -> None:
    """A second opening reads what the first one wrote and goes on in the same file."""
    with Archive(tmp_path) as archive:
        first = archive.put(PAGES[0])
    with Archive(tmp_path) as archive:
        second = archive.put(PAGES[1])
        assert archive.open(first.digest).body == PAGES[0].body
    assert first.warc == second.warc == "s2r-main-00001.warc.gz"
    assert second.offset > first.offset


def test_other_tools_read_the_archive(tmp_path: Path) -> None:
    """`warcio check` passes, and a plain WARC reader sees every body unchanged at its percent-encoded address."""
    with Archive(tmp_path) as archive:
        for page in PAGES:
            archive.put(page)
        archive.put(PAGES[0].model_copy(update={"url": "https://mirror.example/o", "final_url": "https://mirror.example/o"}))
    done = subprocess.run([WARCIO, "check", "-v", *warcs(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "digest pass" in done.stdout
    with warcs(tmp_path)[0].open("rb") as fh:
        records = [(r.rec_type, r.rec_headers.get_header("WARC-Target-URI"), r.content_stream().read()) for r in ArchiveIterator(fh)]
    assert {(u, b) for k, u, b in records if k == "response"} == {(wire_url(p.url), p.body) for p in PAGES}
    kinds = [k for k, _, _ in records]
    assert kinds == ["warcinfo", *["response", "request", "metadata"] * 5, "revisit", "request", "metadata"]
    assert all(u.isascii() and " " not in u for _, u, _ in records if u)
    assert all(u.startswith("urn:s2r:meta:") for k, u, _ in records if k == "metadata")


def test_same_body_elsewhere_is_a_revisit(tmp_path: Path) -> None:
    """The body is stored once; each sighting keeps its own address and time."""
    later = AT + dt.timedelta(days=40)
    with Archive(tmp_path) as archive:
        first = archive.put(PAGES[0])
        mirror = archive.put(capture("https://mirror.example/x", PAGES[0].body, at=later, title="Mirror"))
        assert (mirror.digest, mirror.offset, mirror.url, mirror.captured_at) == (
            first.digest,
            first.offset,
            "https://mirror.example/x",
            later,
        )
        seen = archive.open(first.digest, url="https://mirror.example/x")
        assert (seen.title, seen.fetched_at, seen.body) == ("Mirror", later, PAGES[0].body)
        assert archive.open(first.digest).title == "Widerruf"
        assert len(archive) == 2


def test_same_capture_again_writes_nothing(tmp_path: Path) -> None:
    """Putting a capture twice, as a resumed run does, changes no byte."""
    with Archive(tmp_path) as archive:
        one = archive.put(PAGES[0])
        size = warcs(tmp_path)[0].stat().st_size
        assert archive.put(PAGES[0]) == one
        assert warcs(tmp_path)[0].stat().st_size == size


def test_same_captures_give_the_same_bytes(tmp_path: Path) -> None:
    """Two archives of the same captures are equal byte for byte: no clock and no random id enters."""
    for name in ("a", "b"):
        with Archive(tmp_path / name) as archive:
            for page in PAGES:
                archive.put(page)
    assert warcs(tmp_path / "a")[0].read_bytes() == warcs(tmp_path / "b")[0].read_bytes()


def test_secrets_do_not_enter(tmp_path: Path) -> None:
    """Cookies, keys, authorization, passwords in addresses: none is found in any file of the archive."""
    url = "https://user:hunter2@api.example/v1?api_key=SECRETKEY1&q=ostbeck"
    headers = (("Set-Cookie", "sid=SECRETKEY2"), ("X-Api-Key", "SECRETKEY3"), ("Last-Modified", "Tue, 14 Nov 2017 10:00:00 GMT"))
    with Archive(tmp_path) as archive:
        exhibit = archive.put(
            capture(url, b"<p>x</p>", headers=headers), request_headers=[("Authorization", "Bearer SECRETKEY4"), ("Accept", "text/html")]
        )
        assert exhibit.url == "https://api.example/v1?api_key=REDACTED&q=ostbeck"
        assert archive.open(exhibit.digest).headers == (("Last-Modified", "Tue, 14 Nov 2017 10:00:00 GMT"),)
    stored = gzip.decompress(warcs(tmp_path)[0].read_bytes())
    everything = stored + b"".join(p.read_bytes() for p in (tmp_path / "archive").iterdir())
    assert b"Accept: text/html" in stored
    for secret in (b"SECRETKEY", b"hunter2", b"Bearer"):
        assert secret not in everything


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://kind.example/disclosure?rcpNo=20190814&key=17", "https://kind.example/disclosure?rcpNo=20190814&key=17"),
        ("https://a.example/p?token=abc", "https://a.example/p?token=abc"),
        ("https://a.example/p?Access_Token=abc&x=1", "https://a.example/p?Access_Token=REDACTED&x=1"),
        ("http://[broken/p?api_key=1", "http://[broken/p?api_key=1"),
    ],
)
def test_only_key_parameters_are_redacted(url: str, safe: str) -> None:
    """Document numbers stay, as they are part of what a page is; parameters known to hold keys go."""
    assert safe_url(url) == safe


def test_header_values_cannot_end_the_header_block(tmp_path: Path) -> None:
    """A line break in a header value does not add a header or cut the body."""
    with Archive(tmp_path) as archive:
        page = capture(
            "https://a.example/", b"body", headers=(("Server", "x\r\n\r\nfake body"), ("ETag", '"é"')), kind="text/html\r\nX-Evil: 1"
        )
        assert archive.open(archive.put(page).digest).body == b"body"
        assert archive.problems() == []


def test_files_are_rotated(tmp_path: Path) -> None:
    """A new file starts when the current one would pass the limit; all captures stay readable."""
    with Archive(tmp_path, max_warc_bytes=6000) as archive:
        exhibits = [archive.put(capture(f"https://a.example/{i}", bytes([i]) * 300 + i.to_bytes(2, "big"))) for i in range(20)]
        assert len({e.warc for e in exhibits}) > 2
        assert all(archive.open(e.digest).url == e.url for e in exhibits)
        assert archive.problems() == []
    assert all(path.stat().st_size <= 6000 for path in warcs(tmp_path))


def test_writers_have_their_own_files(tmp_path: Path) -> None:
    """Archives written under two names can be laid into one folder and are taken in at the next opening."""
    with Archive(tmp_path / "a", writer="one") as archive:
        one = archive.put(PAGES[0])
    with Archive(tmp_path / "b", writer="two") as archive:
        two = archive.put(PAGES[1])
    (tmp_path / "b" / "archive" / two.warc).rename(tmp_path / "a" / "archive" / two.warc)
    with Archive(tmp_path / "a", writer="one") as archive:
        assert {archive.open(d.digest).body for d in (one, two)} == {PAGES[0].body, PAGES[1].body}
        assert archive.problems() == []


def test_unknown_digest_is_an_integrity_error(tmp_path: Path) -> None:
    """A digest that was never stored is named in the error."""
    with Archive(tmp_path) as archive, pytest.raises(IntegrityError, match="sha256:00"):
        archive.open("sha256:00")


def test_threads_may_put_at_once(tmp_path: Path) -> None:
    """Captures put from several threads are all there and whole."""
    pages = [capture(f"https://t.example/{i}", f"page {i % 30}".encode() * 50) for i in range(80)]
    with Archive(tmp_path) as archive:

        def work(part: int) -> None:
            for page in pages[part::4]:
                archive.put(page)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(archive) == len(pages)
        assert archive.problems() == []
        assert len({e.digest for e in archive.exhibits()}) == 30


def test_readers_work_beside_the_writer(tmp_path: Path) -> None:
    """A read-only archive needs no lock, sees committed captures, and refuses to write."""
    with Archive(tmp_path) as writer:
        exhibit = writer.put(PAGES[0])
        with Archive(tmp_path, read_only=True) as reader:
            assert reader.open(exhibit.digest).body == PAGES[0].body
            second = writer.put(PAGES[1])
            assert reader.open(second.digest).body == PAGES[1].body
            with pytest.raises(StoreError, match="reading only"):
                reader.put(PAGES[2])


def test_reading_without_an_archive_says_so(tmp_path: Path) -> None:
    """Opening a folder without an archive for reading is a clear error and makes nothing."""
    with pytest.raises(StoreError, match="no archive here"):
        Archive(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()


def test_naive_times_are_refused(tmp_path: Path) -> None:
    """A capture time without a zone is a programming error, not a guess."""
    with Archive(tmp_path) as archive, pytest.raises(ValueError, match="time zone"):
        archive.put(capture("https://a.example/", b"x", at=AT.replace(tzinfo=None)))


TEXT = st.text(max_size=60)
URLS = st.builds(lambda path, query: f"https://h.example/{path}?{query}", st.text(max_size=30), st.text(max_size=20))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(URLS, st.binary(max_size=4000), TEXT, st.integers(0, 10**9)), min_size=1, max_size=6))
@pytest.mark.slow
def test_any_bytes_and_texts_come_back(pages: list[tuple[str, bytes, str, int]]) -> None:
    """Random bodies, titles and addresses round-trip through the files, and through an index made anew from them."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        with Archive(root) as archive:
            stored = [archive.put(capture(u, b, title=t, at=AT + dt.timedelta(microseconds=n))) for u, b, t, n in pages]
            assert archive.problems() == []
            before = sorted((e.digest, e.url, e.offset, e.captured_at.isoformat()) for e in archive.exhibits())
        (root / "archive" / "index.db").unlink()
        with Archive(root) as archive:
            assert [archive.open(e.digest).body for e in stored] == [b for _, b, _, _ in pages]
            assert archive.problems() == []
            assert sorted((e.digest, e.url, e.offset, e.captured_at.isoformat()) for e in archive.exhibits()) == before


def test_lock_of_a_dead_writer_is_freed_and_that_of_a_live_one_stays(tmp_path: Path) -> None:
    """A run that has nothing to write clears what a killed one left, and disturbs none that works."""
    lock = tmp_path / "writer.lock"
    with Archive(tmp_path):
        held = next(tmp_path.rglob("writer.lock"))
        free_dead_lock(held.parent)
        assert held.exists()
        told = held.read_text("utf-8")
    gone = json.loads(told) | {"process_start": "another boot/1"}
    lock.write_text(json.dumps(gone), "utf-8")
    free_dead_lock(tmp_path)
    assert not lock.exists()
    free_dead_lock(tmp_path / "none")

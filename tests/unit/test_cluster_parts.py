"""Pages that other machines fetch: their parts are taken in as if they had been archived here, and tasks take them along."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from s2r.archive import Archive
from s2r.archive.parts import encode_part
from s2r.errors import IntegrityError
from s2r.models import Capture

pytest.importorskip("fsspec", reason="the extra dask is not installed")

from s2r.cluster.shelf import Shelf, Shelves
from s2r.cluster.versions import differences, fingerprint

AT = dt.datetime(2020, 3, 4, 5, 6, 7, tzinfo=dt.UTC)


def capture(url: str, body: str, **more: object) -> Capture:
    fields = {"url": url, "final_url": url, "title": "Notice", "content_type": "text/html", "body": body.encode(), "fetched_at": AT}
    return Capture.model_validate(fields | more)


PAGES = [
    capture("https://boerse.example/widerruf", "<p>Widerruf der Zulassung – Ostbeck</p>"),
    capture(
        "https://user:secret@kisai.example/上場廃止", "上場廃止のお知らせ", status=203, headers=(("Last-Modified", "Wed, 04 Mar 2020"),)
    ),
]


def test_a_part_is_taken_in_like_a_page_of_our_own(tmp_path: Path) -> None:
    """The same capture comes back, to the byte, and the archive is as sound as one that was written here."""
    with Archive(tmp_path / "own") as own, Archive(tmp_path / "far") as far:
        for number, page in enumerate(PAGES):
            data, row = encode_part(page, f"parts/s2r-w{number}.warc.gz")
            far.adopt(row, data[row.offset : row.offset + row.span])
            own.put(page)
            assert far.open(row.digest) == own.open(row.digest)
            assert "secret" not in far.open(row.digest).url
        assert far.problems() == []
    files = [next((tmp_path / name / "archive").glob("*.warc.gz")).read_bytes() for name in ("own", "far")]
    assert files[0] == files[1]


def test_a_body_that_is_known_is_not_stored_again(tmp_path: Path) -> None:
    """Two machines may fetch the same bytes at two addresses: the second one is a revisit."""
    with Archive(tmp_path) as archive:
        archive.put(PAGES[0])
        data, row = encode_part(PAGES[0].model_copy(update={"url": "https://mirror.example/", "final_url": "https://mirror.example/"}), "p")
        archive.adopt(row, data[row.offset : row.offset + row.span])
        assert [kept.kind for kept in archive.rows(row.digest)] == ["response", "revisit"]
        assert archive.problems() == []


def test_a_part_with_other_bytes_is_refused(tmp_path: Path) -> None:
    """A flipped bit on the way is named with the part and its page, and nothing of it is kept."""
    data, row = encode_part(PAGES[0], "parts/s2r-w1-00001.warc.gz")
    span = bytearray(data[row.offset : row.offset + row.span])
    span[40] ^= 1
    with Archive(tmp_path) as archive:
        with pytest.raises(IntegrityError, match=r"s2r-w1-00001.*boerse.example"):
            archive.adopt(row, bytes(span))
        assert len(archive) == 0


@pytest.mark.parametrize("shared", ["", "memory://s2r-test/run"], ids=["run folder", "object store"])
def test_a_task_takes_its_pages_along(shared: str, tmp_path: Path) -> None:
    """What a worker reads of them, by digest and by address, is what the archive reads; nothing stays when the run ends."""
    with Archive(tmp_path) as archive:
        digests = [archive.put(page).digest for page in PAGES]
        archive.put(PAGES[0].model_copy(update={"url": "https://mirror.example/", "final_url": "https://mirror.example/"}))
        shelves = Shelves(archive, shared, "token")
        data, row = encode_part(capture("https://late.example/", "late"), f"{shelves.parts}/s2r-w1-00001.warc.gz")
        shelves.write(row.warc, data)
        shelves.take_in(row)
        shelf: Shelf = shelves.lay_out([*digests, row.digest, digests[0]])
        for digest, url in [(digests[0], ""), (digests[0], "https://mirror.example/"), (digests[1], ""), (row.digest, "")]:
            assert shelf.open(digest, url) == archive.open(digest, url)
        for url in ("https://mirror.example/", PAGES[0].url, "https://late.example/"):
            assert [(x.digest, x.captured_at) for x in shelf.find_url(url)] == [(x.digest, x.captured_at) for x in archive.find_url(url)]
        with pytest.raises(IntegrityError, match="is not in the archive"):
            shelf.open("sha256:" + "0" * 64)
        shelves.clear()
        if shared:
            with pytest.raises(IntegrityError, match="cannot be read"):
                shelf.open(digests[0])
        assert not list((tmp_path / "archive").glob("parts-*"))


def test_a_worker_that_differs_is_described_with_both_versions() -> None:
    """What is there and what is here, and nothing of what is alike."""
    ours = fingerprint()
    assert differences(ours, dict(ours)) == ""
    assert differences(ours, ours | {"lxml": "5.9"}) == f"lxml is 5.9 there, {ours['lxml']} here"
    assert "unknown there" in differences(ours, {name: version for name, version in ours.items() if name != "s2r"})

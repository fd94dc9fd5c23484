"""What proves that a page was public by a cutoff, and what does not."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from factories import digest, listing

from s2r.adjudicate import read_document
from s2r.adjudicate.cutoff import cutoff_end
from s2r.adjudicate.pointintime import public_by, split_public
from s2r.adjudicate.rules.docdate import publication, published, ranked
from s2r.extract import extract
from s2r.extract.published import capture_claim
from s2r.models import Loss, Means, Page, Proof
from s2r.policy import Policy, listed_kind

GOLD = Path(__file__).parents[1] / "gold"
PRESS = "https://wire.example/2020/notice"
SEC = "https://www.sec.gov/Archives/edgar/data/1234567/000123456720000123.txt"
HKEX = "https://www.hkex.com.hk/news/notice.htm"


def submission(*lines: str) -> str:
    head = "\n".join(lines)
    return (
        f"<SEC-DOCUMENT>0001234567-20-000123.txt : 20201231\n<SEC-HEADER>0001234567-20-000123.hdr.sgml : 20201231\n{head}\n"
        "ACCESSION NUMBER:\t\t0001234567-20-000123\nCONFORMED SUBMISSION TYPE:\t8-K\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<TEXT>\n"
        "<html><body><p>Alderwick Instruments Inc. notified the exchange of its decision to delist.</p></body></html>\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n"
    )


def notice(date: str = "30 December 2020", head: str = "") -> str:
    return (
        f"<html lang='en'><head><title>Notice</title>{head}</head><body><p>{date}</p><h1>Cancellation of listing</h1><p>The Exchange announces that the "
        "listing of the shares of Alderwick Instruments Inc. will be cancelled with effect from 9:00 a.m. on the day after tomorrow.</p></body></html>"
    )


def read(body: str, url: str = PRESS, captured: str = "", kind: str = "text/html") -> Page:
    found = extract(body.encode(), kind, url, digest=digest(body))
    at = dt.datetime.fromisoformat(captured or "2024-05-06T07:08:09+00:00")
    return found.model_copy(update={"claims": (*found.claims, capture_claim(at))})


META = '<meta property="article:published_time" content="2020-12-30T09:00:00Z">'
CHANGED = '<meta property="article:modified_time" content="2021-02-03T09:00:00Z">'
TEXT = "text/plain"
FILED = submission("<ACCEPTANCE-DATETIME>20201231163000", "FILED AS OF DATE:\t\t20201231")
# (case, page, MIC, what proves it or why it is withheld); the cutoff is 31 December 2020
CASES = (
    ("captured in time", read(notice(), captured="2020-12-30T23:00:00+00:00"), "XNAS", Means.CAPTURE),
    ("last minute of the day in New York", read(notice(), captured="2021-01-01T04:59:59+00:00"), "XNAS", Means.CAPTURE),
    ("first minute of the next day in New York", read(notice(), captured="2021-01-01T05:00:00+00:00"), "XNAS", "captured_later"),
    ("last minute of the day in Tokyo", read(notice(), captured="2020-12-31T14:59:59+00:00"), "XTKS", Means.CAPTURE),
    ("first minute of the next day in Tokyo", read(notice(), captured="2020-12-31T15:00:00+00:00"), "XTKS", "captured_later"),
    ("a capture in another zone", read(notice(), captured="2021-01-01T08:59:00+09:00"), "XNAS", Means.CAPTURE),
    ("its own word on a site of the press", read(notice(head=META)), "XNAS", "captured_later"),
    ("a filing of the cutoff day", read(FILED, SEC, kind=TEXT), "XNAS", Means.FILING),
    ("a filing of the day after", read(FILED.replace("DATE:\t\t20201231", "DATE:\t\t20210104"), SEC, kind=TEXT), "XNAS", "filed_later"),
    ("accepted in the evening, filed later", read(submission("<ACCEPTANCE-DATETIME>20201231180000", "FILED AS OF DATE:\t\t20210104"), SEC, kind=TEXT), "XNAS", "filed_later"),
    ("acceptance alone, by day", read(submission("<ACCEPTANCE-DATETIME>20201231172959"), SEC, kind=TEXT), "XNAS", Means.FILING),
    ("acceptance alone, in the evening", read(submission("<ACCEPTANCE-DATETIME>20201231173000"), SEC, kind=TEXT), "XNAS", "filed_later"),
    ("a filing header on another site", read(FILED, "https://sec.gov.filings.example/Archives/1.txt", kind=TEXT), "XNAS", "captured_later"),
    ("a page of the filing system without a header", read(notice(), SEC), "XNAS", "captured_later"),
    ("a notice of the exchange", read(notice(), HKEX), "XHKG", Means.EXCHANGE_NOTICE),
    ("its date in its metadata only", read(notice("Notice", META), HKEX), "XHKG", Means.EXCHANGE_NOTICE),
    ("a notice of the exchange of the next year", read(notice("4 January 2021"), HKEX), "XHKG", "dated_later"),
    ("a notice that was changed later", read(notice(head=META + CHANGED), HKEX), "XHKG", "changed_later"),
    ("a notice put up later than it is dated", read(notice(head=META.replace("2020-12-30", "2021-03-04")), HKEX), "XHKG", "dated_later"),
    ("a notice without a date", read(notice("Notice"), HKEX), "XHKG", "captured_later"),
    ("a document's own date in a filing system", read(notice(), "https://www1.hkexnews.hk/listedco/notice.htm"), "XHKG", "captured_later"),
    ("a date in the address only", read(notice("Notice"), "https://www.hkex.com.hk/2020/12/30/notice.htm"), "XHKG", "captured_later"),
    ("a site that looks like the exchange", read(notice(), "https://www.hkex.com.hk.notices.example/n.htm"), "XHKG", "captured_later"),
    ("a capture of a notice that was changed later", read(notice(head=CHANGED), HKEX, "2020-12-31T01:00:00+00:00"), "XHKG", Means.CAPTURE),
)  # fmt: skip


@pytest.mark.parametrize(("page", "mic", "want"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_proves_that_a_page_was_public(policy: Policy, page: Page, mic: str, want: Means | str) -> None:
    """A capture by the end of the cutoff day at the venue, a filing header, the date of a notice on the exchange's own site; no more."""
    told = public_by(page, listing(mic=mic), policy)
    assert (told.exhibit, told.url) == (page.digest, page.url)
    if isinstance(want, Means):
        assert isinstance(told, Proof), told
        assert told.means is want
    else:
        assert isinstance(told, Loss), told
        assert told.why == want
        assert "2020-12-31" in told.sentence


def test_pages_are_split_in_their_order(policy: Policy) -> None:
    """What counts keeps its order; everything is either proven or withheld, with the earliest of several captures as the proof."""
    pages = [case[1] for case in CASES if case[2] == "XHKG"]
    kept, told = split_public(pages, listing(mic="XHKG"), policy)
    assert [page.digest for page in kept] == [proof.exhibit for proof in told.proofs]
    assert len(told.proofs) + len(told.losses) == len(pages)
    twice = read(notice(), captured="2020-12-30T23:00:00+00:00")
    twice = twice.model_copy(update={"claims": (*twice.claims, capture_claim(dt.datetime(2020, 3, 4, tzinfo=dt.UTC)))})
    proof = public_by(twice, listing(), policy)
    assert isinstance(proof, Proof)
    assert proof.at == "2020-03-04T00:00:00+00:00"


def test_nothing_is_published_after_its_capture(policy: Policy) -> None:
    """A date later than the capture of a page is not its publication, the next local day still may be; without the bound it would be taken."""
    row = listing()
    late = '<meta property="article:published_time" content="2021-02-03T09:00:00Z">'
    body = notice("Notice", late)
    loose = read(body, captured="2021-02-03T10:00:00+00:00")
    bound = read(body, captured="2021-01-05T10:00:00+00:00")
    eve = read(body, captured="2021-02-02T20:00:00+00:00")
    days = [[p.day for p in publication(read_document(page, row, policy)) if p.origin.startswith("meta")] for page in (loose, bound, eve)]
    assert days == [[dt.date(2021, 2, 3)], [], [dt.date(2021, 2, 3)]]


def test_only_listed_sites_are_official(policy: Policy) -> None:
    """Patterns, names of issuers and look-alikes give no official kind; sub-domains and folders of listed sites do."""
    table = {
        "https://www.hkex.com.hk/x": "exchange",
        "https://www1.hkexnews.hk/x": "filing",
        "https://www.sec.gov/Archives/edgar/data/1/2.txt": "filing",
        "https://www.sec.gov/news/press-release/1": "regulator",
        "https://exchange-notices.example/x": "",
        "https://hkexnews.hk.example/x": "",
        "https://nothkexnews.hk/x": "",
        "not an address": "",
        "http://[::1": "",
    }
    assert {url: listed_kind(url, policy) for url in table} == table


def test_the_cutoff_ends_with_its_day_at_the_venue(policy: Policy) -> None:
    """Midnight at the venue, in summer and winter time, as a time in UTC; a capture of that second still counts, the next does not."""
    table = (
        ("XNAS", dt.date(2020, 12, 31), "2021-01-01T04:59:59"),
        ("XNAS", dt.date(2020, 7, 1), "2020-07-02T03:59:59"),
        ("XNAS", dt.date(2020, 3, 8), "2020-03-09T03:59:59"),  # the clocks went forward that day
        ("XTKS", dt.date(2020, 12, 31), "2020-12-31T14:59:59"),
    )
    for mic, day, want in table:
        row = listing(mic=mic, cutoff=day)
        end = cutoff_end(row, policy)
        assert end.isoformat() == f"{want}+00:00"
        assert isinstance(public_by(read(notice(), captured=end.isoformat()), row, policy), Proof)
        assert isinstance(public_by(read(notice(), captured=(end + dt.timedelta(seconds=1)).isoformat()), row, policy), Loss)


@pytest.mark.slow
def test_the_best_day_is_found_without_telling_all(policy: Policy) -> None:
    """The kinds of dates are told by rank; the day of a document is the first of all its candidates, which come in order."""
    bodies = [json.loads(line) for line in (GOLD / "europe" / "docs.jsonl").read_text("utf-8").splitlines()[::7]]
    for row in bodies:
        page = extract(row["body"].encode(), row["content_type"], row["url"], digest="sha256:" + "0" * 64)
        found = publication(read_document(page, listing(), policy))
        assert published(read_document(page, listing(), policy)) == next(iter(found), None), row["url"]
        told = list(ranked(read_document(page, listing(), policy)))
        assert [p.rank for p in told] == sorted(p.rank for p in told), row["url"]
        assert set(told) == set(found)

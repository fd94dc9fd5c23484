"""Claims about a page's date: every origin, none chosen."""

from __future__ import annotations

import pytest

from s2r.extract import extract
from s2r.extract.published import read_stamp, url_claims
from s2r.models import DateClaim, DateKind, Page, Precision

STAMPS = [
    ("2012-06-07T14:05:00Z", "2012-06-07", "day", ("utc",)),
    ("2012-06-07T23:59:00+00:00", "2012-06-07", "day", ("utc",)),
    ("2016-04-25T08:30:00-05:00", "2016-04-25", "day", ("offset",)),
    ("2017-10-24T00:12:00+0200", "2017-10-24", "day", ("offset",)),
    ("2018-07-14", "2018-07-14", "day", ()),
    ("2018-07-14 08:31", "2018-07-14", "day", ()),
    ("2018/7/4", "2018-07-04", "day", ()),
    ("20090727", "2009-07-27", "day", ()),
    ("20150320130126", "2015-03-20", "day", ()),
    ("Wed, 05 Jun 2013 18:00:00 GMT", "2013-06-05", "day", ("utc",)),
    ("Thu, 21 May 2020 09:00:00 +0800", "2020-05-21", "day", ("offset",)),
    ("Fri Mar 13 08:00:00 UTC 2009", "2009-03-13", "day", ("utc",)),
    ("June 7, 2012", "2012-06-07", "day", ()),
    ("Feb. 3, 2012", "2012-02-03", "day", ()),
    ("7 June 2012", "2012-06-07", "day", ()),
    ("21st of nothing", None, "none", ()),
    ("26-03-2015", "2015-03-26", "day", ()),
    ("31.12.2020", "2020-12-31", "day", ()),
    ("03.04.2020", "2020-04-03", "day", ()),
    ("03/04/2020", None, "none", ("ambiguous",)),
    ("12/31/2020", "2020-12-31", "day", ()),
    ("2016年6月20日", "2016-06-20", "day", ()),
    ("2014-05", "2014-05", "month", ()),
    ("2014", "2014", "year", ()),
    ("1339077900", "2012-06-07", "day", ("utc",)),
    ("2012-02-30", None, "none", ()),
    ("version 2", None, "none", ()),
    ("", None, "none", ()),
]


@pytest.mark.parametrize(("raw", "value", "precision", "flags"), STAMPS)
def test_stamps_keep_the_day_as_written(raw: str, value: str | None, precision: str, flags: tuple[str, ...]) -> None:
    """No shifting between time zones; an order of day and month that cannot be known gives no date."""
    stamp = read_stamp(raw)
    assert (stamp.value, stamp.precision.value, stamp.flags) == (value, precision, flags)


URLS = [
    ("https://a.example/2017/08/16/story", ["2017-08-16"]),
    ("https://a.example/asxpdf/20220610/kjr.html", ["2022-06-10"]),
    ("https://a.example/news/2009-02-12", ["2009-02-12"]),
    ("https://a.example/listedco/2017/0626/ltn2797r.html", ["2017-06-26"]),
    ("https://a.example/disclosure/t20200512_zt.html", ["2020-05-12"]),
    ("https://a.example/2014/may/19/bank", ["2014-05-19"]),
    ("https://a.example/2014/05/gone", ["2014-05"]),
    ("https://a.example/2014/13/gone", []),
    ("https://a.example/19850101/old", []),
    ("https://a.example/20991231/far", []),
    ("https://a.example/id/120170816/x", []),
    ("https://a.example/item/0001938214-12-000011.txt", []),
    ("https://a.example/?d=2017-08-16", []),
    ("https://a.example/20170230/x", []),
]


@pytest.mark.parametrize(("url", "expected"), URLS)
def test_dates_in_url_paths(url: str, expected: list[str]) -> None:
    """Only plausible, valid dates of the path count, and with low trust."""
    claims = url_claims(url)
    assert [claim.value for claim in claims] == expected
    assert all(claim.origin == "url" and "low_trust" in claim.flags for claim in claims)


def claims_of(head: str, body: str = "<p>Some text of the notice.</p>", url: str = "https://a.example/x") -> tuple[DateClaim, ...]:
    page: Page = extract(f"<html><head>{head}</head><body>{body}</body></html>".encode(), "text/html", url, digest="d")
    return page.claims


ORIGINS = [
    (
        '<meta property="article:published_time" content="2017-10-24T09:12:00+02:00">',
        "meta:article:published_time",
        "2017-10-24",
        ("offset",),
    ),
    ('<meta property="article:modified_time" content="2017-10-25">', "meta:article:modified_time", "2017-10-25", ("modified",)),
    ('<META NAME="date" CONTENT="20090727">', "meta:date", "2009-07-27", ()),
    ('<meta name="DC.date.issued" content="2010-01-05">', "meta:dc.date.issued", "2010-01-05", ()),
    ('<meta name="dcterms.issued" content="2010-01-05">', "meta:dcterms.issued", "2010-01-05", ()),
    ('<meta name="publishdate" content="2018-07-14">', "meta:publishdate", "2018-07-14", ()),
    ('<meta name="citation_date" content="2011/3/4">', "meta:citation_date", "2011-03-04", ()),
    ('<meta property="og:updated_time" content="2011-03-04T00:00:00Z">', "meta:og:updated_time", "2011-03-04", ("modified", "utc")),
    ('<meta http-equiv="last-modified" content="Wed, 05 Jun 2013 18:00:00 GMT">', "meta:last-modified", "2013-06-05", ("modified", "utc")),
    ('<meta name="notice.date.time" content="2011-03-04">', "meta:notice.date.time", "2011-03-04", ("not_listed",)),
    ('<meta itemprop="datePublished" content="2011-03-04">', "microdata:datePublished", "2011-03-04", ()),
    (
        '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2012-06-07T14:05:00Z"}</script>',
        "json-ld:datePublished",
        "2012-06-07",
        ("utc",),
    ),
    (
        '<script type="application/ld+json">{"@graph":[{"@type":["WebPage"],"dateModified":"2019-10-03"}]}</script>',
        "json-ld:dateModified",
        "2019-10-03",
        ("modified",),
    ),
    (
        '<script type="application/ld+json"><!-- {"@type":"NewsArticle","datePublished":"2012-06-07",} --></script>',
        "json-ld:datePublished",
        "2012-06-07",
        (),
    ),
    (
        '<script type="application/ld+json">{"@type":"NewsArticle","headline":"He said "no"","datePublished":"2012-06-07"}</script>',
        "json-ld:datePublished",
        "2012-06-07",
        ("malformed",),
    ),
]


@pytest.mark.parametrize(("head", "origin", "value", "flags"), ORIGINS)
def test_every_claim_names_its_origin(head: str, origin: str, value: str, flags: tuple[str, ...]) -> None:
    """Metadata dates become claims with origin, value and flags."""
    found = [claim for claim in claims_of(head) if claim.origin == origin]
    assert [(claim.value, claim.flags) for claim in found] == [(value, flags)]
    assert found[0].kind is DateKind.PAGE


NOT_CLAIMS = [
    '<script type="application/ld+json">{"@type":"Event","startDate":"2012-06-07"}</script>',
    '<script type="application/ld+json">{"@type":"Comment","dateCreated":"2012-06-07"}</script>',
    '<script type="application/ld+json">{"@type":"NewsArticle","comment":[{"@type":"Comment","dateCreated":"2012-06-07"}]}</script>',
    '<meta name="expires" content="2012-06-07">',
    '<meta name="event-date" content="2012-06-07">',
    '<meta name="date" content="{{ page.date }}">',
    '<meta name="description" content="2012-06-07">',
]


@pytest.mark.parametrize("head", NOT_CLAIMS)
def test_dates_of_other_things_are_no_claims(head: str) -> None:
    """Events, comments, expiry and templates say nothing about publication."""
    assert [claim for claim in claims_of(head) if claim.origin != "htmldate"] == []


def test_time_elements_know_their_place() -> None:
    """A time element claims its date with its offsets; one in a sidebar is flagged."""
    body = (
        '<main><p>By Ruth <time datetime="2012-06-07T10:00">June 7, 2012</time></p><p>Text of the article, long enough.</p></main>'
        '<aside><time datetime="2018-11-09">Nov 9</time> other</aside>'
    )
    page = extract(f"<html><body>{body}</body></html>".encode(), "text/html", "https://a.example/x", digest="d")
    times = [claim for claim in page.claims if claim.origin == "time"]
    assert [(claim.value, page.text[claim.start : claim.end], claim.flags) for claim in times] == [
        ("2012-06-07", "June 7, 2012", ()),
        ("2018-11-09", "Nov 9", ("boilerplate",)),
    ]


def test_all_claims_are_kept_side_by_side() -> None:
    """Conflicting claims stay; nothing is chosen at this step."""
    head = (
        '<meta property="article:published_time" content="2019-10-04">'
        '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2019-10-03","dateModified":"2020-01-01"}</script>'
    )
    found = {(claim.origin, claim.value) for claim in claims_of(head, url="https://a.example/2019/10/05/x")}
    assert found == {
        ("meta:article:published_time", "2019-10-04"),
        ("json-ld:datePublished", "2019-10-03"),
        ("json-ld:dateModified", "2020-01-01"),
        ("url", "2019-10-05"),
    }


def test_a_guess_is_made_only_when_the_page_says_nothing() -> None:
    """The second reader is asked last, and is flagged."""
    body = '<div class="entry"><span class="date">Posted on 2nd March 2016</span><p>Text of the notice.</p></div>'
    guesses = [claim for claim in claims_of("", body) if claim.origin == "htmldate"]
    assert all("low_trust" in claim.flags and claim.precision is Precision.DAY for claim in guesses)
    assert not [c for c in claims_of('<meta name="date" content="2016-03-05">', body) if c.origin == "htmldate"]

"""What came back from a fetch is judged by its content: only a readable document is evidence."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2r.errors import SourceBroken, SourceError, SourceRefused, SourceTimeout
from s2r.fetch import fetch_hit, judge_capture
from s2r.lang.markup import decode_body, visible_text
from s2r.models import Capture, Gap, Hit, Outcome

AT = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
NOTICE = "<h1>Notice of delisting</h1><p>The Exchange has determined to remove the common stock of Dunsford Industries, Inc.</p>"
BANNER = "<p>We and our 412 partners store information on your device. Accept all Reject all</p><p>Manage preferences. Cookie policy.</p>"


def capture(body: str | bytes, kind: str = "text/html", status: int = 200) -> Capture:
    data = body.encode() if isinstance(body, str) else body
    return Capture(url="https://a.example/", final_url="https://a.example/", content_type=kind, body=data, status=status, fetched_at=AT)


@pytest.mark.parametrize(
    ("page", "outcome"),
    [
        (capture(NOTICE), None),
        (capture(BANNER + NOTICE), None),
        (capture("<script>x()</script><noscript>Please enable JavaScript for charts.</noscript>" + NOTICE * 4), None),
        (capture("<p>Kurs 1,20</p>"), None),
        (capture("<h1>Bulletin No. 404/2013</h1><p>The 404 notes are removed from listing.</p>"), None),
        (capture("<h1>Error 404</h1>"), Outcome.NOT_FOUND),
        (capture("Delisted on 14 June 2013", "text/plain"), None),
        (capture(b"%PDF-1.7 ...", "application/pdf"), None),
        (capture(b"\n\n%PDF-1.4 ...", "application/octet-stream"), None),
        (capture("<?xml version='1.0'?><edgarSubmission><formType>25-NSE</formType></edgarSubmission>", "text/xml"), None),
        (capture("上場廃止".encode("shift_jis"), "text/plain; charset=shift_jis"), None),
        (capture(""), Outcome.EMPTY),
        (capture(" \n\t "), Outcome.EMPTY),
        (capture("<html><head><style>p{}</style></head><body><img src=x></body></html>"), Outcome.EMPTY),
        (capture("<html><body><div id='root'></div><script src=/app.js></script></body></html>"), Outcome.SCRIPT_SHELL),
        (
            capture("<body><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div></body>"),
            Outcome.SCRIPT_SHELL,
        ),
        (capture("<title>Just a moment...</title><p>Checking your browser before accessing example.com</p>"), Outcome.BLOCKED),
        (capture("<h1>Access denied</h1><p>Reference 18.2f</p>"), Outcome.BLOCKED),
        (capture(BANNER), Outcome.CONSENT),
        (capture("<h1>404</h1><p>Seite nicht gefunden</p>"), Outcome.NOT_FOUND),
        (capture("<p>ページが見つかりません</p>"), Outcome.NOT_FOUND),
        (capture("<h1>Firm leaves exchange</h1><p>Subscribe to continue reading.</p>"), Outcome.PAYWALL),
        (capture(NOTICE, status=404), Outcome.NOT_FOUND),
        (capture(NOTICE, status=410), Outcome.NOT_FOUND),
        (capture(NOTICE, status=403), Outcome.BLOCKED),
        (capture(NOTICE, status=429), Outcome.BLOCKED),
        (capture(NOTICE, status=500), Outcome.ERROR),
        (capture(NOTICE, status=302), Outcome.ERROR),
        (capture("x" * 2000, "text/plain"), Outcome.TOO_LARGE),
        (capture(b"\x89PNG\r\n", "image/png"), Outcome.UNREADABLE),
        (capture(b"PK\x03\x04", "application/zip"), Outcome.UNREADABLE),
        (capture(b"\0\1\2\3", ""), Outcome.UNREADABLE),
        (capture("not a pdf at all", "application/pdf"), Outcome.UNREADABLE),
        (capture("<html><h1>404</h1>Page not found</html>", "application/pdf"), Outcome.NOT_FOUND),
    ],
)
def test_content_decides(page: Capture, outcome: Outcome | None) -> None:
    """Walls, shells, error pages and binaries are told from documents, whatever their status and type say."""
    gap = judge_capture(page, 1500)
    assert (gap.outcome if gap else None) == outcome
    if gap:
        assert gap.cause
        assert gap.next_step
        assert gap.step == "fetch"


def test_news_about_robots_and_cookies_is_news() -> None:
    """A long page that mentions barriers is a document."""
    story = "<p>The regulator asked whether a captcha or a cookie policy with 'accept all' denies access. </p>" * 12
    assert judge_capture(capture(story)) is None


class Source:
    """A fetcher that gives one answer."""

    name = "source"

    def __init__(self, answer: Capture | Gap | SourceError) -> None:
        self._answer = answer

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        if isinstance(self._answer, SourceError):
            raise self._answer
        return self._answer


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (SourceRefused("private address"), Outcome.REFUSED),
        (SourceTimeout("no answer in 20 s"), Outcome.ERROR),
        (SourceBroken("cut short"), Outcome.UNREADABLE),
        (SourceError("reset"), Outcome.ERROR),
    ],
)
def test_errors_become_gaps(error: SourceError, outcome: Outcome) -> None:
    """A source error is the gap of that page, with its own words as the cause."""
    gap = asyncio.run(fetch_hit(Hit(url="https://a.example/", provider="p", rank=1, query="q"), Source(error)))
    assert isinstance(gap, Gap)
    assert (gap.outcome, gap.cause, gap.url) == (outcome, str(error), "https://a.example/")


def test_title_of_the_hit_is_used_when_the_page_has_none() -> None:
    """The title found by search is kept beside the bytes; a title of the page itself wins."""
    hit = Hit(url="https://a.example/", provider="p", rank=1, query="q", title="From search")
    page = asyncio.run(fetch_hit(hit, Source(capture(NOTICE))))
    assert isinstance(page, Capture)
    assert page.title == "From search"
    own = capture(NOTICE).model_copy(update={"title": "Own"})
    assert asyncio.run(fetch_hit(hit, Source(own))) == own


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("é".encode("latin-1"), "text/html; charset=ISO-8859-1", "é"),
        (b"<meta charset='windows-1252'>\x80", "text/html", "<meta charset='windows-1252'>€"),
        ("<?xml version='1.0' encoding='shift_jis'?>上場".encode("shift_jis"), "", "<?xml version='1.0' encoding='shift_jis'?>上場"),
        ("上場".encode("utf-16"), "", "上場"),
        (b"\xef\xbb\xbfabc", "text/plain; charset=latin-1", "abc"),
        (b"caf\xe9", "", "café"),
        (b"caf\xe9", "text/plain; charset=nonsense", "café"),
    ],
)
def test_bodies_are_decoded_by_the_best_claim(body: bytes, kind: str, text: str) -> None:
    """Byte order mark, header, own declaration, UTF-8, then Windows-1252."""
    assert decode_body(body, kind) == text


def test_visible_text_drops_what_is_not_shown() -> None:
    """Scripts, styles and comments go, inline tags do not split words, entities are resolved."""
    markup = "<style>p{}</style><p>Ost<b>beck</b> &amp; Söhne<!-- hidden <p>no</p> --></p><script>if(a<b){}</script><td>1</td><td>2</td>"
    assert visible_text(markup).split() == ["Ostbeck", "&", "Söhne", "1", "2"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["<", "<a ", "<!--", "<script ", "<script>", "</", "<p", "&", "&#", "<a b='", "</script ", "<style></styl"]
)
@pytest.mark.slow
def test_hostile_markup_is_read_in_linear_time(piece: str) -> None:
    """A megabyte of unclosed markup takes no longer than a page."""
    judge_capture(capture(piece * (1_000_000 // len(piece))))


@settings(max_examples=100, deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from(["text/html", "application/pdf", "", "text/plain; charset=utf-16", "text/html; charset=utf-7"])
)
def test_any_body_is_judged(body: bytes, kind: str) -> None:
    """Random bytes under any type never raise."""
    judge_capture(capture(body, kind))

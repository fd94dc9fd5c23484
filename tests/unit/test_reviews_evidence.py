"""New evidence of reviewers: found again in the archive word for word, or fetched through the one door and archived first."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from review_rows import ADDRESS, ALONE, AT, NOTICE, QUOTE, archive_notice, fill, says

from s2r.archive import Archive
from s2r.fetch import Fetcher, as_gap
from s2r.models import Capture, Gap, Outcome, Package, Status
from s2r.policy import Policy
from s2r.policy.review import load_review
from s2r.reviews import BadDecision, Evidence, Kind, NotFound, ReviewError, Workbench, decide, fetch_page, locate, open_workbench
from s2r.settings import Settings


@pytest.fixture
def bench(tmp_path: Path, policy: Policy, policies: Path) -> Iterator[Workbench]:
    """A workbench over three rows."""
    fill(tmp_path, 3)
    made = open_workbench(tmp_path, policy, load_review(policies).model_copy(update={"second": ALONE}))
    yield made
    made.store.close()


class Web:
    """A fetcher of one page, or of what came instead."""

    name = "live"

    def __init__(self, found: str | Gap) -> None:
        self._found = found

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page, as it was served on 2 March 2026."""
        if isinstance(self._found, Gap):
            return self._found
        return Capture(url=url, final_url=url, content_type="text/html", body=self._found.encode(), fetched_at=AT)


def fetched(bench: Workbench, url: str, fetcher: Fetcher | None) -> str:
    """Digest of the page at an address."""
    return asyncio.run(fetch_page(bench, url, "anna", Settings(workers=1), lambda: AT, fetcher=fetcher)).exhibit


def correction(exhibit: str, quote: str, **more: object) -> object:
    """The first row corrected to 4 May 2020 with one quote for answer and date."""
    proof = [
        {"field": name, "exhibit": exhibit, "start": -1, "end": -1, "quote": quote, "url": ADDRESS}
        for name in ("status", "announcement_date")
    ]
    given = {
        "status": "yes",
        "announcement_date": "2020-05-04",
        "reason": "voluntary",
        "reason_code": "earlier_disclosure",
        "evidence": proof,
    }
    return says("T-01", Kind.CORRECT, **(given | more))


def test_correction_with_a_quote_is_verified_against_the_archived_page(bench: Workbench) -> None:
    """The claims of the new revision lead to the bytes; the checks of the evidence audit are made anew."""
    digest = archive_notice(bench.out)
    assert decide(bench, correction(digest, QUOTE), AT).made  # type: ignore[arg-type]
    record = bench.store.current("T-01")
    assert record is not None
    assert (record.status, str(record.announcement_date), record.adjudicator) == (Status.YES, "2020-05-04", "reviewer")
    assert {(claim.field, claim.match) for claim in record.claims} == {("status", "exact"), ("announcement_date", "exact")}
    assert record.package is Package.UNVERIFIABLE  # no quote supports the reason
    assert {check.name for check in record.checks} >= {"quotes", "completeness"}


@pytest.mark.parametrize("quote", [QUOTE.replace("4 May", "5 May"), QUOTE.replace("has decided", "has not decided"), "announced ... stock"])
def test_quote_that_does_not_stand_in_the_page_is_refused(bench: Workbench, quote: str) -> None:
    """Nothing counts that the archived page does not say word for word."""
    digest = archive_notice(bench.out)
    with pytest.raises(BadDecision, match="not one contiguous span"):
        decide(bench, correction(digest, quote), AT)  # type: ignore[arg-type]
    with pytest.raises(BadDecision, match="not one span"):
        locate(bench, "status", digest, quote)
    with pytest.raises(NotFound):
        locate(bench, "status", "sha256:" + "0" * 64, quote)
    assert bench.store.numbers()["T-01"] == 1


def test_address_is_fetched_archived_and_read_again(bench: Workbench) -> None:
    """The page is in the archive before it is quoted, with the time at which it was had; the fetch is logged."""
    digest = fetched(bench, ADDRESS, Web(NOTICE))
    with Archive(bench.out, read_only=True) as archive:
        assert archive.open(digest).body == NOTICE.encode()
    found = locate(bench, "announcement_date", digest, "4 MAY 2020")
    assert found.quote == "4 May 2020"
    assert isinstance(found, Evidence)
    assert [row["act"] for row in bench.store.rows("select act from review_log")] == ["fetch"]


@pytest.mark.parametrize(
    ("url", "fetcher", "told"),
    [
        ("file:///etc/passwd", None, "no address of a page"),
        ("javascript:alert(1)", None, "no address of a page"),
        ("http://127.0.0.1:9/admin", None, "refused"),
        ("http://169.254.169.254/latest/meta-data", None, "refused"),
        (ADDRESS, Web(as_gap(ADDRESS, Outcome.BLOCKED, "a captcha stands before it")), "blocked: a captcha"),
        (ADDRESS, Web("  "), "empty"),
    ],
)
def test_what_is_no_page_is_refused_with_its_cause(bench: Workbench, url: str, fetcher: Fetcher | None, told: str) -> None:
    """No private address is asked, and nothing but a readable page is archived."""
    with pytest.raises(ReviewError, match=told):
        fetched(bench, url, fetcher)
    assert not (bench.out / "archive").exists()

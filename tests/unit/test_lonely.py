"""A step that one document alone states without naming the listing, while others about the issuer are silent, is left to a person."""

from __future__ import annotations

import datetime as dt

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.models import Listing, Page, Verdict
from s2r.policy import Policy

NAME = "Aarework Holdings Inc."
ROW = Listing(
    row_id="1", issuer=NAME, security="Common Stock", security_type="common", ticker="AWH", mic="XNYS", country="US", cutoff=dt.date(2020, 12, 31)
)  # fmt: skip
TITLE = f"{NAME}: a statement"
LOOSE = "TOLEDO, March 3, 2016 - {0} met its lenders today.\nThe board has determined to delist the common stock, it said."
SILENT = (
    "TOLEDO, August 9, 2015 - {0} reported sales of $41 million.",
    "TOLEDO, May 2, 2016 - {0} opened a plant in Ohio.",
)
SPEAKING = "TOLEDO, March 9, 2016 - {0} will be delisted from the New York Stock Exchange, whose notice it received."


def judged(policy: Policy, *texts: str, title: str = TITLE, row: Listing = ROW) -> Verdict:
    """The verdict on pages of these texts, each of a wire of its own."""
    return adjudicate(row, [_page(text, title if n == 0 else "", n) for n, text in enumerate(texts)], policy)


def _page(text: str, title: str, number: int) -> Page:
    body = (
        f"<html><head><title>{title}</title></head><body>"
        + "".join(f"<p>{line}</p>" for line in text.format(NAME).split("\n"))
        + "</body></html>"
    )
    return extract(body.encode(), "text/html; charset=utf-8", f"https://www.prnewswire.com/{number}.html", digest=f"sha256:{number:064}")


def test_alone_and_beside_one_silent_page_it_is_a_yes(policy: Policy) -> None:
    """Nothing speaks against the only document that there is."""
    assert judged(policy, LOOSE).status == "yes"
    assert judged(policy, LOOSE, SILENT[0]).status == "yes"


def test_beside_two_silent_pages_it_is_left_open(policy: Policy) -> None:
    """The record abstains and says which page it doubts, and why."""
    verdict = judged(policy, LOOSE, *SILENT)
    assert (verdict.status, verdict.announcement_date) == ("abstain", None)
    assert "2016-03-03" in verdict.abstain_reason
    assert "2 other documents" in verdict.abstain_reason
    assert "https://www.prnewswire.com/0.html" in verdict.abstain_reason


@pytest.mark.parametrize(
    ("loose", "title"),
    [
        (LOOSE.replace("The board has determined to delist", "The board of {0} has determined to delist"), TITLE),
        (
            "TOLEDO, March 3, 2016 - {0} met its lenders today.\nThe company (NYSE: AWH) has been told that the exchange has determined to delist it.",
            TITLE,
        ),
        (LOOSE.replace("the common stock,", "the common stock from the New York Stock Exchange,"), TITLE),
        (LOOSE, f"Delisting of {NAME}"),
    ],
    ids=["names the issuer", "names its code", "names class and venue", "headline names the event"],
)
def test_a_passage_that_names_the_listing_is_enough(policy: Policy, loose: str, title: str) -> None:
    """However silent other pages are."""
    assert judged(policy, loose, *SILENT, title=title).status == "yes"


def test_a_second_page_that_speaks_of_the_end_is_enough(policy: Policy) -> None:
    """It need not be the one that dates it."""
    assert judged(policy, LOOSE, SPEAKING, *SILENT).status == "yes"


def test_pages_of_others_and_of_later_days_are_not_silent_ones(policy: Policy) -> None:
    """What is said of another company, or after the cutoff, says nothing of this listing by its cutoff."""
    others = tuple(text.replace("{0}", "Corvane Mills Corporation") for text in SILENT)
    later = tuple(text.replace("2015", "2021").replace("2016", "2022") for text in SILENT)
    assert judged(policy, LOOSE, *others).status == "yes"
    assert judged(policy, LOOSE, *later).status == "yes"

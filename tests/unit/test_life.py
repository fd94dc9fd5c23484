"""Signs of life: a listing that still trades, is warned or goes on long after a step did not end with it."""

from __future__ import annotations

import datetime as dt

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.models import Listing, Page
from s2r.policy import Policy

SWISS = "SIX Swiss Exchange\n14.06.2010\nDie SIX Exchange Regulation hat entschieden, die Aktien der {N} zu dekotieren."
YORK = "NEW YORK, May 15, 2013 -- NYSE Regulation announced today that it has determined to delist the common stock of {N}."
DUBLIN = "DUBLIN, 9 October 2012 - The board of {N} has decided to cancel the listing of its shares on the Irish Stock Exchange."

# venue, notice, then a later page: its source, its text, and whether the listing is taken to live
CASES = (
    ("XSWX", SWISS, "https://zeitung.example/a", "30. August 2017 - {N} wächst. Die Aktie notierte am Mittwoch an der SIX unverändert bei 84,50 Franken.", True),
    ("XSWX", SWISS, "https://zeitung.example/a", "30. August 2010 - {N} wächst. Die Aktie notierte am Mittwoch an der SIX unverändert bei 84,50 Franken.", False),
    ("XSWX", SWISS, "https://zeitung.example/a", "30. August 2017 - {N} wächst. Die Aktie notierte am Mittwoch in Frankfurt unverändert bei 84,50 Euro.", False),
    ("XSWX", SWISS, "https://zeitung.example/a", "30. August 2017 - Das Werk der {N} in Olten beschäftigt 380 Leute.", False),
    ("XSWX", SWISS, "https://zeitung.example/a", "30. August 2017 - Die früher an der SIX notierte Aktie der {N} schloss damals bei 84,50 Franken.", False),
    ("XNYS", YORK, "https://wire.example/b", "TOLEDO, March 3, 2016 /PRNewswire/ -- {N} (NYSE: ABC) today reported record sales.", True),
    ("XNYS", YORK, "https://wire.example/b", "TOLEDO, March 3, 2016 /PRNewswire/ -- {N} (formerly NYSE: ABC) today reported record sales.", False),
    ("XNYS", YORK, "https://wire.example/b", "TOLEDO, March 3, 2016 /PRNewswire/ -- {N} (OTC: ABC) today reported record sales.", False),
    ("XNYS", YORK, "https://wire.example/b", "TOLEDO, March 3, 2021 /PRNewswire/ -- {N} (NYSE: ABC) today reported record sales.", False),  # after the cutoff
    ("XNYS", YORK, "https://paper.example/c", "March 3, 2016 - Shares of {N} rose 3 per cent to $14.20 on the New York Stock Exchange on Thursday.", True),
    ("XNYS", YORK, "https://wiki.example/c", "March 3, 2016 - Shares of {N} rose 3 per cent to $14.20 on the New York Stock Exchange on Thursday.", False),
    ("XNYS", YORK, "https://paper.example/c", "March 3, 2016 - Shares of {N} rose 3 per cent to $14.20 on the New York Stock Exchange on that Thursday. On May 15, 2013 NYSE Regulation announced that it has determined to delist the common stock of {N}.", False),
    # an end that is asked about, planned, conditional or denied years later has not come
    ("XSWX", SWISS, "https://zeitung.example/a", "30. August 2017 - Ankeraktionär greift nach {N}: Kommt das Delisting der {N} von der SIX?", True),
    ("XNYS", YORK, "https://paper.example/c", "March 3, 2016 - {N} has no plans to delist its shares from the New York Stock Exchange, its chief executive said.", True),
    ("XNYS", YORK, "https://wire.example/b", "TOLEDO, March 3, 2016 - If the offer for {N} succeeds, {N} will be delisted from the New York Stock Exchange.", True),
    ("XNYS", YORK, "https://wire.example/b", "TOLEDO, March 3, 2016 - If the offer for Aarework succeeds, Aarework will be delisted from the New York Stock Exchange.", False),
    ("XNYS", YORK, "https://paper.example/c", "March 3, 2014 - {N} has no plans to delist its shares from the New York Stock Exchange, its chief executive said.", False),
    ("XNYS", YORK, "https://paper.example/c", "March 3, 2016 - Corvane Mills Corporation has no plans to delist its shares from the New York Stock Exchange.", False),
    ("XNYS", YORK, "https://paper.example/c", "March 3, 2016 - The delisting of {N} from the New York Stock Exchange in 2013 hit its lenders.", False),
    ("XDUB", DUBLIN, "https://paper.example/d", "10 September 2018 - {N} shares closed at 262p in London, said its lawyers in Dublin.", False),  # a city is no venue
)  # fmt: skip


@pytest.mark.parametrize(("mic", "notice", "url", "later", "lives"), CASES, ids=[f"{case[0]} {case[3][:34]}" for case in CASES])
def test_later_page(policy: Policy, mic: str, notice: str, url: str, later: str, lives: bool) -> None:
    """A notice that alone is a yes, and a page of a later day."""
    name = "Aarewerke Holding AG" if mic == "XSWX" else "Aarework Holdings Inc."
    row = Listing(
        row_id="1",
        issuer=name,
        security="Ordinary shares",
        ticker="ABC",
        mic=mic,
        country=policy.venues[mic].country,
        cutoff=dt.date(2020, 12, 31),
    )
    pages = [_page(notice.replace("{N}", name), "https://notices.example/n"), _page(later.replace("{N}", name), url)]
    assert adjudicate(row, pages[:1], policy).status == "yes"
    verdict = adjudicate(row, pages, policy)
    assert verdict.status == ("no" if lives else "yes")
    assert any("shows the listing alive" in step for step in verdict.steps) is lives


def _page(text: str, url: str) -> Page:
    body = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    return extract(f"<html><body>{body}</body></html>".encode(), "text/html; charset=utf-8", url, digest="sha256:" + "0" * 64)

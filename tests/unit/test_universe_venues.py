"""Rows whose MIC is no code, or missing: which venue they are taken to mean, and when none is guessed."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from s2r.policy import Policy
from s2r.universe import read_universe

TODAY = dt.date(2026, 1, 1)
MEANT = [  # mic column, venue column, country, MIC that is read
    ("XLON", "New York Stock Exchange", "US", "XLON"),  # a code stands, whatever the words say
    ("LSE", "", "GB", "XLON"),
    ("lse", "", "", "XLON"),
    ("NYSE", "", "US", "XNYS"),
    ("", "Tokyo Stock Exchange", "JP", "XTKS"),
    ("", "Deutsche Börse Frankfurt", "DE", ""),
    ("n/a", "London Stock Exchange", "GB", "XLON"),
    ("", "", "GB", ""),
    ("XXXX", "", "GB", "XXXX"),
    ("", "a venue nobody knows", "GB", ""),
]


@pytest.mark.parametrize(("mic", "venue", "country", "read"), MEANT)
def test_the_venue_that_a_row_means(mic: str, venue: str, country: str, read: str, policy: Policy, tmp_path: Path) -> None:
    """A name that only one venue has stands for its code, with a warning that says so; nothing else is guessed."""
    path = tmp_path / "u.csv"
    path.write_text(f"issuer,mic,venue,country,cutoff\nAlder plc,{mic},{venue},{country},2020-12-31\n", "utf-8")
    found = read_universe(path, today=TODAY, venues=policy.venues)
    assert found.listings[0].mic == read.upper()
    warnings = [issue.advice for issue in found.issues if issue.column == "mic"]
    if mic in policy.venues:
        assert not warnings
    elif read in policy.venues:
        assert [f"read as {read}" in text and policy.venues[read].name in text for text in warnings] == [True]
    else:
        assert ["not known" in text and "review" in text for text in warnings] == [True]


def test_a_name_that_several_venues_have_needs_the_country(policy: Policy, tmp_path: Path) -> None:
    """One abbreviation for venues of two countries is read by the country of the row, and not without it."""
    one, other = policy.venues["XLON"], policy.venues["XNYS"]
    venues = {
        "XLON": one.model_copy(update={"aliases": ("THE BIG BOARD",)}),
        "XNYS": other.model_copy(update={"aliases": ("The Big Board",)}),
    }
    path = tmp_path / "u.csv"
    path.write_text(
        "issuer,mic,country,cutoff\nA,the big board,US,2020-12-31\nB,the big board,,2020-12-31\nC,the big board,FR,2020-12-31\n", "utf-8"
    )
    found = read_universe(path, today=TODAY, venues=venues)
    assert [listing.mic for listing in found.listings] == ["XNYS", "THE BIG BOARD", "THE BIG BOARD"]


def test_a_row_keeps_its_id_when_its_venue_is_read(policy: Policy, tmp_path: Path) -> None:
    """The id of a row without one rests on what the file says."""
    path = tmp_path / "u.csv"
    path.write_text("issuer,mic,cutoff\nAlder plc,LSE,2020-12-31\n", "utf-8")
    ids = [read_universe(path, today=TODAY, venues=venues).listings[0].row_id for venues in (policy.venues, None)]
    assert ids[0] == ids[1]


CONTRADICTED = [  # mic, venue, code of the other venue that is named
    ("XLON", "New York Stock Exchange", "XNYS"),
    ("XNYS", "xlon", "XLON"),
    ("XLON", "London Stock Exchange", ""),
    ("AIMX", "London Stock Exchange", ""),  # its operator
    ("XNGS", "Nasdaq", ""),  # a segment
    ("XLON", "a venue nobody knows", ""),
    ("XLON", "", ""),
]


@pytest.mark.parametrize(("mic", "venue", "other"), CONTRADICTED)
def test_a_venue_that_contradicts_the_mic_is_a_warning(mic: str, venue: str, other: str, policy: Policy, tmp_path: Path) -> None:
    """The MIC stands; row, row id, column and what to do are told, and the row carries a note."""
    path = tmp_path / "u.csv"
    path.write_text(f"row_id,issuer,mic,venue,cutoff\nA-1,Alder plc,{mic},{venue},2020-12-31\n", "utf-8")
    found = read_universe(path, today=TODAY, venues=policy.venues)
    told = [(i.row_number, i.row_id, i.column, i.severity) for i in found.issues]
    assert told == ([(2, "A-1", "venue", "warning")] if other else [])
    assert found.listings[0].mic == mic
    assert (other in found.listings[0].venue_note) if other else not found.listings[0].venue_note

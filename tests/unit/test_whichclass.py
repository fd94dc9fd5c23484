"""Rows of one of several ordinary classes, and pages that do not say which of them ends."""

from __future__ import annotations

import pytest
from factories import listing

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.models import Status
from s2r.policy import Policy

HEAD = "London, 14 June 2021\n\nTarn Valley Estates plc (LSE: TVE) announces that it has today applied to the London Stock Exchange for the cancellation of the "
CASES = [  # what ends, what else the page says, whether it is doubted
    (
        "admission to trading of its ordinary shares on the Main Market.",
        "The company has A ordinary shares and B ordinary shares in issue.",
        True,
    ),
    ("admission to trading of its ordinary shares on the Main Market.", "The company has one class of shares in issue.", False),
    (
        "admission to trading of its A ordinary shares on the Main Market.",
        "The company has A ordinary shares and B ordinary shares in issue.",
        False,
    ),
    (
        "admission to trading of all its ordinary shares on the Main Market.",
        "The company has A ordinary shares and B ordinary shares in issue.",
        False,
    ),
]


@pytest.mark.parametrize(("ends", "rest", "doubted"), CASES)
def test_a_page_that_names_several_classes_leaves_a_doubt(ends: str, rest: str, doubted: bool, policy: Policy) -> None:
    """The answer stands with a sentence that says why a reviewer must look."""
    row = listing(
        0,
        issuer="Tarn Valley Estates plc",
        security="A ordinary shares",
        ticker="TVE",
        mic="XLON",
        country="GB",
        isin="",
        cutoff="2021-12-31",
    )
    body = "".join(f"<p>{line}</p>" for line in f"{HEAD}{ends}\n\n{rest}".split("\n\n"))
    source = extract(
        f"<html><body>{body}</body></html>".encode(), "text/html", "https://tarnvalleyestates.example/news/1", digest="sha256:1"
    )
    found = adjudicate(row, [source], policy)
    assert found.status is Status.YES
    assert any("which class ends is not certain" in text for text in found.conflicts) == doubted

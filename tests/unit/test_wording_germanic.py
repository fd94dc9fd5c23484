"""Breadth of wording in German and Dutch: the tables of `data/wording_*.tsv`, one sentence or two a row.

A row holds market, expected answer (with the reason where it is told) and text; {N} is the issuer, and "|" parts the headline and paragraphs
of texts that open with one. Rows of "no" are near misses of the wordings beside them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_objects import WIRE, notice

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
MARKET = {
    "de": ("Weserhafen Maschinenbau AG", "XFRA", "DE", "WHM", "4. Mai 2020", "Inhaberaktien"),
    "at": ("Donautal Papier AG", "XWBO", "AT", "DTP", "4. Mai 2020", "Inhaberaktien"),
    "ch": ("Brunnmatt Holding AG", "XSWX", "CH", "BRM", "4. Mai 2020", "Namenaktien"),
    "nl": ("Gemaal Techniek N.V.", "XAMS", "NL", "GMT", "4 mei 2020", "Gewone aandelen"),
    "be": ("Scheldeland Textiel NV", "XBRU", "BE", "SCT", "4 mei 2020", "Gewone aandelen"),
}
SOURCE = {"": WIRE, "P": "https://www.handelsblatt.com/unternehmen/a.html"}
DATA = Path(__file__).parent / "data"
ROWS = [line.split("\t") for name in ("de", "nl") for line in (DATA / f"wording_{name}.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("market", "expected", "text"), ROWS, ids=[f"{m} {e} {t[:60]}" for m, e, t in ROWS])
def test_wording(market: str, expected: str, text: str) -> None:
    """What states the end of the listing is read, and what is close to it is not."""
    name, _, source = market.partition(":")
    issuer, mic, country, ticker, day, security = MARKET[name]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    status, _, reason = expected.partition(":")
    title, text = text.split("|", 1) if source else ("Mitteilung", text)
    page = notice(day, text.replace("{N}", issuer), SOURCE[source], title.replace("{N}", issuer))
    verdict = adjudicate(listing, [page], POLICY)
    assert (verdict.status.value, verdict.reason if reason else "") == (status, reason)

"""Plain statements of the end of a listing in Swedish, Norwegian, Danish and Finnish, and what comes near them, in tables beside this file.

Sources: W an issuer's release, X a notice of the exchange, P the press. {N} is the issuer, {S} its name without the legal form.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_reasons import html
from tests.unit.test_wording_traps import MARKETS

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
FOLDER = Path(__file__).parent / "wording"
URLS = {
    "W": "https://www.globenewswire.com/news-release/a.html",
    "X": "https://exchange-notices.example/a.html",
    "P": "https://kapitalavisen.example/nyheter/2020/05/a.html",
}
SHORT = {"sv": "Norrvik Industrier", "no": "Fjordvik Havbruk", "da": "Bredsund Maskiner", "fi": "Koskivirta"}


def rows() -> list[tuple[str, str, str, str]]:
    """Language, expected status, source and text of each row."""
    found = []
    for lang in SHORT:
        with (FOLDER / f"{lang}.tsv").open(encoding="utf-8", newline="") as file:
            found += [(lang, *row) for row in list(csv.reader(file, "excel-tab", quoting=csv.QUOTE_NONE))[1:]]
    return found


ROWS = rows()


@pytest.mark.parametrize(("lang", "expected", "source", "text"), ROWS, ids=[f"{n} {r[0]} {r[1]}" for n, r in enumerate(ROWS)])
def test_nordic(lang: str, expected: str, source: str, text: str) -> None:
    """A statement is a yes on the day of its document; a near miss is a no."""
    issuer, mic, country, ticker, day, security = MARKETS[lang]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = html(f"{day}\n{text.replace('{N}', issuer).replace('{S}', SHORT[lang])}")
    verdict = adjudicate(listing, [extract(body.encode(), "text/html", URLS[source], digest="sha256:0")], POLICY)
    assert verdict.status.value == expected
    if expected == "yes":
        assert str(verdict.announcement_date) == "2020-05-04"

"""Statements that name no company: the page's identifier, the owner of all shares before them, and names with the state of the company."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.lang.names import core_name
from s2r.policy import source_kind
from tests import factories
from tests.unit.test_wording_traps import POLICY

OWNERS = (
    ("fi", "yes", "Kivisalo Oy on tullut kaikkien osakkeiden omistajaksi. Pörssi on päättänyt lopettaa osakkeiden julkisen kaupankäynnin."),
    ("sv", "yes", "Granfors Holding AB har förvärvat samtliga aktier. Börsen har beslutat att aktierna ska avnoteras."),
    (
        "de",
        "yes",
        "Die Harlow Keramik AG hat sämtliche Aktien übernommen. Die Zulassung zum Regulierten Markt wurde deshalb heute widerrufen.",
    ),
    (
        "nl",
        "yes",
        "Harlow N.V. heeft alle aandelen verworven. De notering van de aandelen wordt daarom beëindigd, zo is met Euronext overeengekomen.",
    ),
    ("fi", "no", "Kivisalo Oy on pörssissä. Pörssi on päättänyt lopettaa osakkeiden julkisen kaupankäynnin."),
    ("sv", "no", "Granfors Holding AB är ett börsbolag. Börsen har beslutat att aktierna ska avnoteras."),
    (
        "nl",
        "no",
        "Harlow N.V. publiceert zijn jaarcijfers. De notering van de aandelen wordt beëindigd, zo is met Euronext overeengekomen.",
    ),
)
DAYS = {"fi": "4.5.2020", "sv": "4 maj 2020", "de": "4. Mai 2020", "nl": "4 mei 2020"}
ISSUERS = {
    "fi": ("Koskivirta Oyj", "XHEL", "FI"),
    "sv": ("Norrvik Industrier AB", "XSTO", "SE"),
    "de": ("Weserhafen Technik AG", "XFRA", "DE"),
    "nl": ("Waalstroom NV", "XAMS", "NL"),
}


def answer(lang: str, title: str, text: str, url: str, isin: str = "") -> str:
    """The answer about a page of two paragraphs under a headline."""
    issuer, mic, country = ISSUERS[lang]
    listing = factories.listing(
        issuer=issuer, mic=mic, country=country, ticker="QQX", security="Shares", security_type="common", venue="", isin=isin
    )
    body = f"<html><body><h1>{title}</h1><p>{DAYS[lang]}</p><p>{text}</p></body></html>"
    return adjudicate(listing, [extract(body.encode(), "text/html", url, digest="sha256:0")], POLICY).status.value


@pytest.mark.parametrize(("lang", "expected", "text"), OWNERS, ids=[f"{row[0]} {row[1]}" for row in OWNERS])
def test_owner_of_all(lang: str, expected: str, text: str) -> None:
    """What follows a sentence about the owner of all shares is about the issuer of the page; after another company it is not."""
    assert answer(lang, ISSUERS[lang][0], text, "https://www.globenewswire.com/news-release/a.html") == expected


CODE = "DE0007634503"
IDENTIFIED = (
    ("yes", f"Die Aktien ({CODE}) verbriefen nur noch einen Anspruch. Die Zulassung zum Regulierten Markt wird von Amts wegen widerrufen."),
    ("no", "Die Aktien verbriefen nur noch einen Anspruch. Die Zulassung zum Regulierten Markt wird von Amts wegen widerrufen."),
    ("no", f"Vergleich: {CODE}, DE000A1TRD08.</p><p>Die Zulassung zum Regulierten Markt wird von Amts wegen widerrufen."),
)


@pytest.mark.parametrize(("expected", "text"), IDENTIFIED, ids=["its code", "no code", "two codes"])
def test_identified(expected: str, text: str) -> None:
    """A first-hand page that names no company is about the security whose identifier alone it carries."""
    lead = "Der Beschluss über die Übertragung auf die Dornkamp GmbH &amp; Co. KG ist heute eingetragen worden.</p><p>"
    assert answer("de", "Eintragung", lead + text, "https://www.globenewswire.com/news-release/a.html", CODE) == expected


@pytest.mark.parametrize(
    "name",
    [
        "Norrvik AB i likvidation",
        "Norrvik N.V. in liquidatie",
        "Norrvik AG i.L.",
        "Norrvik Oyj, konkurssissa",
        "Norrvik SpA in liquidazione",
    ],
)
def test_state_of_a_company(name: str) -> None:
    """The state behind the legal form is no part of the name."""
    assert core_name(name) == "Norrvik"


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("marknadsmeddelanden-norr", "exchange"),
        ("oslo-borsmeldinger", "exchange"),
        ("porssitiedotteet-pohjola", "exchange"),
        ("kursblad-norr", ""),
        ("borsnytt-dagens", ""),
    ],
)
def test_sites_of_notices(host: str, kind: str) -> None:
    """Sites named after notices of an exchange are its own; those named after its news are not."""
    found = source_kind(f"https://{host}.example/2019/09/a", POLICY, "Norrvik AB")
    assert (found == "exchange") is bool(kind)

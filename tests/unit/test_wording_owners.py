"""A dateline names a place and no venue; shares that belong to a company named without its legal form are not the issuer's."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_traps import MARKETS

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
# market, expected answer, title, text; {N} is the issuer
CASES = (
    ("ca", "no", "{N} ends secondary listing", "Toronto, May 4, 2020 - {N} announced that its board has resolved to delist its common shares from OTCQX."),
    ("uk", "no", "Secondary listing", "London, 4 May 2020 - {N} has resolved to withdraw its ordinary shares from Euronext Dublin."),
    ("au", "no", "Listing", "Sydney, May 4, 2020 - {N} announced that its board has resolved to delist its ordinary shares from New Zealand Exchange."),
    ("us", "no", "Listing", "New York, May 4, 2020 - The board of {N} has resolved to delist its common stock from NYSE Chicago. Trading on the NYSE goes on."),
    ("de", "no", "Notierung", "Frankfurt am Main, 4. Mai 2020 – Die {N} hat beschlossen, die Notierung ihrer Aktien an der Börse Wien zu beenden."),
    ("sv", "no", "Notering", "Stockholm den 4 maj 2020 - {N} har beslutat att avnotera aktierna från Nasdaq Helsinki."),
    ("fr", "no", "Cotation", "Paris, le 4 mai 2020 - {N} a décidé de demander la radiation de ses actions d'Euronext Bruxelles."),
    ("ca", "yes", "Notice", "Toronto, May 4, 2020 - {N} announced that its board has resolved to delist its common shares from the Toronto Stock Exchange."),
    ("de", "yes", "Notiz", "Frankfurt am Main, 4. Mai 2020 – Die {N} hat den Widerruf der Zulassung ihrer Aktien an der Frankfurter Wertpapierbörse beschlossen und beantragt."),
    ("nas", "no", "Nasdaq to delist Harlow Ventures", "New York, May 4, 2020 - The Nasdaq Stock Market announced today that it has determined to delist the common stock of Harlow Ventures. Harlow Ventures has no connection with {N}."),
    ("us", "no", "NYSE notice", "May 4, 2020 - NYSE Regulation has determined to commence proceedings to delist the shares of Calder Vale Optics. The company is not related to {N}."),
    ("fr", "no", "Radiation", "Paris, le 4 mai 2020 - Euronext Paris annonce avoir décidé ce jour la radiation des actions de Bellevigne Partenaires. Bellevigne Partenaires n'a aucun lien avec {N}."),
    ("sv", "no", "Avnotering", "Stockholm den 4 maj 2020 - Nasdaq Stockholm har idag beslutat att avnotera aktierna i Granvik Ventures. Granvik Ventures har inget samband med {N}."),
    ("de", "no", "Widerruf", "Frankfurt am Main, 4. Mai 2020 - Die Frankfurter Wertpapierbörse hat heute beschlossen, die Zulassung der Aktien der Harlow Partners zu widerrufen. Mit der {N} hat Harlow Partners nichts zu tun."),
    ("de", "yes", "Widerruf", "Frankfurt am Main, 4. Mai 2020 - Die Frankfurter Wertpapierbörse hat heute beschlossen, die Zulassung der Aktien der {N} zu widerrufen."),
    ("de", "yes", "Delisting", "Frankfurt am Main, 4. Mai 2020 - Der Vorstand der {N} hat heute beschlossen, den Widerruf der Zulassung sämtlicher Aktien der Gesellschaft zum Handel an der Frankfurter Wertpapierbörse zu beantragen."),
    ("fr", "yes", "Retrait", "Paris, le 4 mai 2020 - L'AMF a déclaré conforme le retrait obligatoire ; la radiation des actions de {N} d'Euronext Paris a été décidée ce jour."),
    ("ja", "no", "上場廃止の決定：Harlow Partners", "2020年5月4日 東京証券取引所は、本日、Harlow Partnersの株式の上場廃止を決定しました。Harlow Partnersは{N}とは関係ありません。"),
    ("us", "yes", "NYSE notice", "May 4, 2020 - The New York Stock Exchange has determined to delist the common stock of {N}."),
    ("us", "yes", "NYSE notice", "May 4, 2020 - NYSE Regulation has determined to delist the common stock of Alderwick Instruments. {N} may appeal."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "title", "text"), CASES, ids=[f"{m} {text[:38]}" for m, _, _, text in CASES])
def test_place_and_owner(market: str, expected: str, title: str, text: str) -> None:
    """The answer for a notice of the exchange that opens with its place, or names whose shares it removes."""
    issuer, mic, country, ticker, day, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = f"<html><head><title>{title}</title></head><body><p>{text}</p><p>{day}</p></body></html>".replace("{N}", issuer)
    page = extract(body.encode(), "text/html", "https://notices.example/a.html", digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected

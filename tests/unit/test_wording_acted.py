"""Whom an exchange acts on where a page tells of several, moves between segments, matters that a board will come back to."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_heard import answer
from tests.unit.test_wording_traps import MARKETS, POLICY

# market, expected answer, text; {N} is the issuer
OBJECTS = (
    ("es", "no", "Breves: {N} mejora su beneficio. La CNMV excluye de negociación a Aceites Duero."),
    ("es", "no", "Los analistas elevan el precio objetivo de {N}. La Bolsa de Madrid da de baja a Papelera Ebro."),
    ("uk", "no", "Briefs: {N} raised its guidance. The London Stock Exchange has delisted Brackley Foods."),
    ("uk", "no", "{N} won a contract in Leeds. The FCA has cancelled the listing of Brackley Foods."),
    ("us", "no", "{N} shares rose 3%. The NYSE has determined to delist Bramble Retail."),
    ("fr", "no", "En bref : {N} relève ses objectifs. Euronext Paris radie Verrerie Blanche."),
    ("it", "no", "In breve: {N} alza le stime. Borsa Italiana revoca dalla quotazione Cartiere Adda."),
    ("pt", "no", "Curtas: {N} eleva projeção. A B3 cancela a listagem da Papel Iguaçu."),
    ("sv", "no", "Kort: {N} höjer utdelningen. Nasdaq Stockholm avnoterar Holmen Fisk."),
    ("no", "no", "Kort: {N} øker utbyttet. Oslo Børs stryker Salmarin."),
    ("da", "no", "Kort: {N} hæver udbyttet. Nasdaq Copenhagen sletter Havmand Shipping fra handel."),
    ("nl", "no", "Kort: {N} verhoogt het dividend. Euronext schrapt Brouwerij Maas van de beurs."),
    ("pl", "no", "W skrócie: {N} podnosi dywidendę. GPW wyklucza z obrotu akcje Huty Wisła."),
    ("tr", "no", "Kısaca: {N} temettü açıkladı. Borsa İstanbul, Ege Döküm'ü kottan çıkardı."),
    ("ja", "no", "{N}は増配を発表した。東京証券取引所は東海電装の上場廃止を決定した。"),
    ("ko", "no", "{N}은 배당을 늘렸다. 한국거래소는 동해전자의 상장폐지를 결정했다."),
    ("zh", "no", "{N}宣布增加分红。上海证券交易所决定终止海城科技股票上市。"),
    ("id", "no", "{N} menaikkan dividen. BEI menghapus pencatatan saham Lautan Biru."),
    ("es", "yes", "{N} mejora su beneficio. La CNMV excluye de negociación a la compañía."),
    ("uk", "yes", "{N} has been in breach for months. The London Stock Exchange has now delisted the company."),
    ("sv", "yes", "{N} har brutit mot reglerna. Nasdaq Stockholm avnoterar bolaget."),
    ("it", "yes", "{N} è fallita. Borsa Italiana revoca dalla quotazione la società."),
)  # fmt: skip
SEGMENTS = (
    ("de", "no", "Die Aktien der {N} verlassen zum 30. Juni den Prime Standard und werden ab 1. Juli im General Standard notiert."),
    ("de", "no", "Auf Antrag der {N} wurde die Zulassung zum Teilbereich des regulierten Marktes mit weiteren Zulassungsfolgepflichten (Prime Standard) widerrufen; die Zulassung zum regulierten Markt (General Standard) bleibt bestehen."),
    ("ch", "no", "SIX hat dem Gesuch der {N} um Wechsel des Regulatory Standard stattgegeben; die Namenaktien werden ab 2. Juni nicht mehr im International Reporting Standard, sondern im Domestic Standard gehandelt."),
    ("sv", "no", "Aktierna i {N} flyttas från Mid Cap till Small Cap den 2 januari; sista dag på Mid Cap är den 30 december."),
    ("fi", "no", "{N}:n osakkeet siirretään Mid Cap -segmentistä Small Cap -segmenttiin; viimeinen kaupankäyntipäivä Mid Cap -segmentissä on 30.12."),
    ("uk", "no", "The listing category of {N} changes: its ordinary shares leave the premium segment on 4 June 2020 and will from that date be listed in the standard segment of the Official List."),
    ("us", "no", "{N} announced that its common stock will cease trading on the Nasdaq Global Select Market and begin trading on the Nasdaq Capital Market on May 14, 2020."),
    ("nas", "no", "{N} received approval to transfer the listing of its common stock from the Nasdaq Global Market to the Nasdaq Capital Market; the stock will no longer trade on the Global Market after May 12, 2020."),
    ("fr", "no", "Les actions {N} quitteront le compartiment B et seront admises au compartiment C d'Euronext Paris le 29 janvier."),
    ("it", "no", "Le azioni {N} escono dal segmento STAR e dal 15 giugno sono negoziate sul mercato Euronext Milan, segmento ordinario."),
    ("ja", "no", "{N}の株式は東京証券取引所市場第一部から市場第二部へ指定替えとなります。"),
    ("ko", "no", "{N}은 코스닥 우량기업부에서 중견기업부로 소속부가 변경되었다."),
    ("pl", "no", "Akcje {N} opuszczają segment 250 PLUS i od 2 lipca będą notowane w segmencie 50 PLUS."),
    ("tr", "no", "{N} payları Ana Pazar'dan çıkarılarak Yakın İzleme Pazarı'nda işlem görmeye başlayacaktır."),
    ("no", "no", "Aksjene i {N} flyttes fra OB Match til OB Standard; siste dag i OB Match er 18. juni."),
)  # fmt: skip
LATER = (
    ("fi", "no", "{N} kertoo palaavansa listalta poistamista koskevaan kysymykseen syksyllä."),
    ("sv", "no", "Styrelsen i {N} återkommer till frågan om avnotering efter årsstämman."),
    ("de", "no", "Die {N} wird auf einen möglichen Antrag auf Widerruf der Zulassung nach Abschluss des Squeeze-out zurückkommen."),
    ("uk", "no", "{N} will revert to shareholders on the application for cancellation of listing once the offer has closed."),
    ("nl", "no", "{N} komt na de uitkoopprocedure terug op de beëindiging van de notering."),
    ("fr", "no", "Le conseil de {N} reviendra sur la radiation des actions après la clôture de l'offre."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), OBJECTS)
def test_whom_an_exchange_acts_on(market: str, expected: str, text: str) -> None:
    """The company that is named as the object of the act, with or without its legal form, and not the one told of before."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "text"), SEGMENTS + LATER)
def test_no_end(market: str, expected: str, text: str) -> None:
    """A segment that is left for another one of the same venue, and an application that a board will come back to."""
    assert answer(market, text) == expected


def page_of(text: str, url: str, market: str = "sv") -> object:
    """Verdict on a page of a site that nobody knows."""
    issuer, mic, country, ticker, _, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    page = extract(text.replace("{N}", issuer).encode(), "text/html", url, digest="sha256:1")
    return adjudicate(listing, [page], POLICY)


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("NORDPRESS &gt; Pressmeddelanden &gt; Norrvik Industrier", "issuer"),
        ("Press release | Norrvik Industrier AB", "issuer"),
        ("Nyheter &gt; Näringsliv &gt; Norrvik Industrier", "unknown"),
        ("Pressmeddelanden &gt; Holmen Fisk", "unknown"),
        ("Pressmeddelanden från hela landet, och en krönika om hur Norrvik Industrier växte upp ur en smedja vid älven", "unknown"),
    ],
)
def test_a_site_that_keeps_releases(heading: str, kind: str) -> None:
    """What it files under the issuer's releases is the issuer's word; what it files elsewhere is nobody's."""
    body = f"<html><body><p>{heading}</p><p>2020-02-18 12:10 CET</p><p>Styrelsen i {{N}} har i dag beslutat om avnotering av aktierna från Nasdaq Stockholm.</p></body></html>"
    told = page_of(body, "https://nordpress.example/se/norrvik/2020-02-18")
    assert {point.source_kind for point in told.timeline} == {kind}  # type: ignore[attr-defined]


def test_a_list_that_a_sentence_points_at_says_whom_it_is_about() -> None:
    """A notice without the issuer's name in its sentence, and with two companies below it."""
    body = (
        '<html><body><pre>NOTICE OF CANCELLATION OF LISTING 17/11/2016 08:00\n\nThe Financial Conduct Authority ("FCA") hereby cancels the securities set\n'
        "out below from the Official List, effective 17/11/2016, at the request of\nthe company:\n\n{N}\nOrdinary shares of 25p each; fully paid\n\n"
        "PARCELLAS INFRASTRUCTURE FUND LIMITED\nRedeemable B shares of no par value\n</pre></body></html>"
    )
    assert page_of(body, "https://officiallist.example/2016/11/17", "uk").status.value == "yes"  # type: ignore[attr-defined]
    assert page_of(body.replace("{N}", "GARSDALE POLYMERS PLC"), "https://officiallist.example/2016/11/17", "uk").status.value == "no"  # type: ignore[attr-defined]

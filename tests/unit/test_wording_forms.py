"""Forms of notices: rows that number and date them, last days in tables, lists of resolutions, words that make a decision conditional."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_traps import MARKETS

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
EXCHANGE, WIRE, PRESS = (
    "https://notices.example/a.html",
    "https://www.globenewswire.com/news-release/a.html",
    "https://valley-times.example/a.html",
)
# market, answer, address, text in lines, a table where a line has bars; {N} is the issuer
CASES = (
    ("it", "yes 2020-05-04", EXCHANGE, "Avviso n.|8214 - 4 Maggio 2020 - MTA\nOggetto|revoca dalla quotazione\nBorsa Italiana dispone la revoca delle azioni ordinarie {N} dalla quotazione a decorrere dall'11 maggio 2020."),
    ("vi", "yes 2020-05-04", EXCHANGE, "Ngày 04/05/2020, Sở Giao dịch Chứng khoán TP.HCM đã ban hành Quyết định số 157/QĐ-SGDHCM về việc hủy niêm yết bắt buộc đối với cổ phiếu {N} như sau:\nNgày hủy niêm yết|14/06/2020\nNgày giao dịch cuối cùng|13/06/2020"),
    ("es", "yes 2020-05-04", WIRE, "La Junta General de accionistas de {N} celebrada hoy ha aprobado todos los puntos del orden del día y, en particular:\nSéptimo.- La exclusión de negociación en las Bolsas de Valores de las acciones de la Sociedad.\nEn Madrid, a cuatro de mayo de dos mil veinte."),
    ("es", "no", WIRE, "Madrid, 4 de mayo de 2020\nEl Consejo de {N} ha acordado convocar la Junta General de accionistas y proponer los siguientes acuerdos:\nSéptimo.- La exclusión de negociación en las Bolsas de Valores de las acciones de la Sociedad."),
    ("uk", "yes 2020-05-04", WIRE, "4 May 2020\nAt the general meeting of {N} held today the shareholders approved the following resolutions:\n1. The re-election of Ms Holt.\n2. The cancellation of the listing of the ordinary shares on the Official List."),
    ("uk", "no", WIRE, "4 May 2020\nAt the general meeting of {N} to be held on 1 June 2020 shareholders will be asked to consider the following resolutions:\n2. The cancellation of the listing of the ordinary shares on the Official List."),
    ("ko", "no", EXCHANGE, "2020년 5월 4일\n기업심사위원회는 {N} 주권을 조건부 상장폐지로 심의·의결하였습니다. 다만, 5월 8일까지 재감사보고서를 제출하여 사유가 해소되는 경우에는 그러하지 아니합니다."),
    ("ms", "no", EXCHANGE, "4 May 2020\nBursa Securities has decided that {N} no longer falls under PN17."),
    ("uk", "yes 2020-05-04", EXCHANGE, "4 May 2020\nThe Exchange has decided that the ordinary shares of {N} are no longer eligible for listing and will be removed from the Official List."),
    ("uk", "no", PRESS, "4 May 2020\n{N} plans to delist, citing compliance costs. Rival Harrow Tile was delisted in October."),
    ("de", "no", EXCHANGE, "4. Mai 2020\nDie {N} hält an ihrer Notierung fest. Harlow Keramik wurde gestern an der Frankfurter Wertpapierbörse vom Kurszettel gestrichen."),
    ("no", "yes 2020-05-04", "https://arkiv.example/2020/05/04", "04.05.2020 16:47<br>Oslo Børs<br>{N} - VEDTAK OM STRYKNING\n\"Aksjene i {N} strykes fra notering på Oslo Børs fra og med 8. juni 2020, jf. børsloven § 25.\""),
    ("da", "yes 2020-05-04", PRESS, "{N} - sletning\n4. maj 2020\nNasdaq Copenhagen har i dag godkendt anmodningen fra {N} om sletning af aktierne fra handel."),
    ("uk", "yes 2020-05-04", "https://rns-store.example/1", "Company|{N}\nHeadline|Notice of cancellation\nReleased|15:31 04-May-2020\nAs at 1.00 p.m. on 1 May 2020 acceptances of 78.2 per cent. had been received. Accordingly, {N} has today applied to the UK Listing Authority and the London Stock Exchange for the cancellation of the listing of its shares."),
    ("tw", "no", EXCHANGE, "中華民國109年5月4日\n主旨:{N}(代號:2998)普通股自109年5月10日起停止買賣,因未依限公告申報108年度財務報告。"),
    ("in", "no", EXCHANGE, "4 May 2020\nNotice is hereby given under Regulation 22(3) of the SEBI (Delisting of Equity Shares) Regulations, 2009 that the Exchange proposes to delist the equity shares of the following companies.\n1|532999|{N}"),
    ("uk", "no", EXCHANGE, "4 May 2020\nThe Exchange has commenced the process to delist the following companies for failure to meet post-listing obligations: {N}; Osun Weavers Plc."),
    ("uk", "no", EXCHANGE, "4 May 2020\n{N} has filed all outstanding accounts; the suspension was lifted today and the delisting process has been discontinued."),
    ("fi", "no", WIRE, "4.5.2020\nSulautumissuunnitelman mukaan {N} sulautuu Saimaan Sellu Oyj:öön, jolloin {N}:n osakkeet poistetaan Nasdaq Helsingin pörssilistalta. Sulautumisen toteutuminen edellyttää yhtiökokousten ja kilpailuviranomaisten hyväksyntää."),
    ("fi", "yes 2020-05-04", WIRE, "4.5.2020\nKaikki sulautumisen ehdot ovat täyttyneet. {N}:n osakkeet poistetaan sulautumisen johdosta Nasdaq Helsingin pörssilistalta 5.5.2020."),
    ("pl", "no", WIRE, "4 maja 2020\nZarząd {N} informuje, że NWZ podjęło w dniu dzisiejszym uchwałę w sprawie przywrócenia akcjom formy dokumentu. Wycofanie akcji z obrotu nastąpi po uzyskaniu zezwolenia Komisji Nadzoru Finansowego."),
    ("pl", "yes 2020-05-04", WIRE, "4 maja 2020\nZarząd {N} informuje, że NWZ podjęło w dniu dzisiejszym uchwałę w sprawie wycofania akcji z obrotu na rynku regulowanym."),
)  # fmt: skip


def answer(market: str, url: str, text: str) -> str:
    """Status and day for one page about the listing of `market`."""
    issuer, mic, country, ticker, _, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    lines = text.replace("{N}", issuer).split("\n")
    body = "".join(
        f"<table><tr>{''.join(f'<td>{cell}</td>' for cell in line.split('|'))}</tr></table>" if "|" in line else f"<p>{line}</p>"
        for line in lines
    )
    page = extract(f"<html><body>{body}</body></html>".encode(), "text/html", url, digest="sha256:1")
    found = adjudicate(listing, [page], POLICY)
    return " ".join(part for part in (found.status.value, str(found.announcement_date or "")) if part)


@pytest.mark.parametrize(("market", "expected", "url", "text"), CASES, ids=[f"{c[0]} {c[1][:3]} {c[3][-44:]}" for c in CASES])
def test_form(market: str, expected: str, url: str, text: str) -> None:
    """The answer, with the day of the notice, for a page of that form."""
    assert answer(market, url, text) == expected

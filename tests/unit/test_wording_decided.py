"""Which class, line, fund or venue a document decides about, what denies a condition, and what only looks like a decision."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.models import Verdict
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_traps import MARKETS

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
# name: issuer, security, its type, ticker, venue, country, date line
LISTINGS = {
    "pref": (
        "Penrith Lodging Trust",
        "6.50% Series C Cumulative Redeemable Preferred Shares",
        "preferred",
        "PLT-C",
        "XNYS",
        "US",
        "May 4, 2020",
    ),
    "etf": ("Merrow Series Trust", "Merrow Global Timber ETF", "fund", "MTMB", "ARCX", "US", "May 4, 2020"),
    "amer": ("Alderwick Instruments Inc.", "Common stock", "common", "ALDW", "XASE", "US", "May 4, 2020"),
    "nyse": ("Alderwick Instruments Inc.", "Common stock", "common", "ALD", "XNYS", "US", "May 4, 2020"),
    "notes": ("Penrith Lodging Trust", "5.875% Senior Notes due 2029", "note", "PLTZ", "XNYS", "US", "May 4, 2020"),
    "brp": ("Usina Paraopeba S.A.", "Ações preferenciais", "preferred", "UPAR4", "BVMF", "BR", "4 de maio de 2020"),
    "dkb": ("Bredsund Maskiner A/S", "B-aktier", "common", "BRED B", "XCSE", "DK", "4. maj 2020"),
    "seb": ("Norrvik Industrier AB", "B-aktier", "common", "NORR B", "XSTO", "SE", "4 maj 2020"),
    "nob": ("Fjordvik Havbruk ASA", "A-aksjer", "common", "FJVA", "XOSL", "NO", "4. mai 2020"),
    "kr": ("한빛정공(주)", "Common shares", "common", "099990", "XKRX", "KR", "2020년 5월 4일"),
    "mx": ("Aceros Tamazula, S.A.B. de C.V.", "Serie única, acciones ordinarias", "common", "ATAM", "XMEX", "MX", "4 de mayo de 2020"),
    "za": ("Karmala Foods Limited", "Ordinary shares of no par value", "common", "KMF", "XJSE", "ZA", "4 May 2020"),
    "hn": (
        "Công ty Cổ phần Thép Sông Lam",
        "Cổ phiếu",
        "common",
        "TSL",
        "HSTC",
        "VN",
        "Sở Giao dịch Chứng khoán Hà Nội - Ngày đăng tin 12/05/2020",
    ),
} | {
    name: (issuer, security, "common", ticker, mic, country, day) for name, (issuer, mic, country, ticker, day, security) in MARKETS.items()
}
# listing, status, text of a notice about {N} ("|" parts its blocks)
CASES = (
    # redemption
    (
        "pref",
        "yes",
        "{N} (NYSE: PLT) announced that all outstanding shares of its 6.50% Series C Cumulative Redeemable Preferred Shares will be redeemed on June 5, 2020 at $25.00 per share.|The redemption is not conditional on any financing. Dividends cease to accrue on that day, and trading in the Series C Preferred Shares on the New York Stock Exchange will end.",
    ),
    (
        "pref",
        "yes",
        "{N} has called its 6.50% Series C Cumulative Redeemable Preferred Shares for redemption in full on June 5, 2020. On the redemption date the Series C Preferred Shares will be delisted from the NYSE. No condition applies.",
    ),
    (
        "pref",
        "yes",
        "{N} said today that it will retire the whole of its 6.50% Series C Preferred Shares on June 5, 2020. From and after the redemption date the shares will no longer be outstanding and will be removed from listing on the New York Stock Exchange.",
    ),
    (
        "pref",
        "yes",
        "{N} delivered an irrevocable notice of redemption for all of its Series C Preferred Shares. The notice contains no conditions.",
    ),
    (
        "pref",
        "no",
        "{N} has called its 6.50% Series C Preferred Shares for redemption on June 5, 2020, subject to completion of a sale of hotels. Upon redemption the Series C shares will be delisted.",
    ),
    (
        "pref",
        "no",
        "{N} will redeem all of its 8.00% Series A Preferred Shares on June 5, 2020. Upon redemption the Series A shares will be delisted. The 6.50% Series C Preferred Shares are not affected.",
    ),
    (
        "pref",
        "no",
        "{N} will redeem half of its 6.50% Series C Preferred Shares, pro rata, on June 5, 2020. The remaining shares stay listed on the New York Stock Exchange.",
    ),
    (
        "pref",
        "no",
        "{N} may redeem the 6.50% Series C Preferred Shares from June 5, 2020 at its option. Upon redemption the shares would be delisted.",
    ),
    (
        "notes",
        "yes",
        "{N} today elected to redeem the entire $120 million of its 5.875% Senior Notes due 2029 on June 5, 2020. The notes will cease to be listed on the NYSE on that day.",
    ),
    (
        "notes",
        "yes",
        "The 5.875% Senior Notes due 2029 of {N} will be paid off in full on June 5, 2020 and withdrawn from listing on the New York Stock Exchange.",
    ),
    (
        "notes",
        "no",
        "The redemption of the 5.875% Senior Notes due 2029 of {N} depends on the sale of its Boston hotel. If the sale closes, all notes will be redeemed on June 5, 2020 and delisted.",
    ),
    # fund
    (
        "etf",
        "yes",
        "Merrow Advisors announced that the Board of Trustees of {N} has voted to close and liquidate the funds listed below. The last day of trading on NYSE Arca will be June 5, 2020.|<table><tr><td>MTMB</td><td>Merrow Global Timber ETF</td></tr><tr><td>MTIN</td><td>Merrow Tin ETF</td></tr></table>",
    ),
    (
        "etf",
        "no",
        "Merrow Advisors announced that the Board of Trustees of {N} has voted to close and liquidate the funds listed below. The last day of trading on NYSE Arca will be June 5, 2020.|<table><tr><td>MZNC</td><td>Merrow Zinc ETF</td></tr><tr><td>MTIN</td><td>Merrow Tin ETF</td></tr></table>|The Merrow Global Timber ETF (MTMB) is not affected.",
    ),
    (
        "etf",
        "yes",
        "The trustees of {N} have decided to wind up the Merrow Global Timber ETF (NYSE Arca: MTMB). Creation orders will be accepted until June 4, and the shares trade for the last time on June 5, 2020.",
    ),
    (
        "etf",
        "yes",
        "Merrow Global Timber ETF (MTMB) will be closed and liquidated. Its last day of trading on NYSE Arca is June 5, 2020, and shareholders of record on June 12 will receive the net asset value in cash.",
    ),
    (
        "etf",
        "yes",
        "Supplement to the prospectus of the Merrow Global Timber ETF. The Board of Trustees of {N} has determined that it is in the best interests of the fund to terminate it. Trading on NYSE Arca will cease after June 5, 2020.",
    ),
    (
        "etf",
        "yes",
        "{N} announces the liquidation of two funds: Merrow Tin ETF (MTIN) and Merrow Global Timber ETF (MTMB). Both will stop trading on NYSE Arca at the close on June 5, 2020.",
    ),
    ("etf", "no", "The Board of Trustees of {N} will consider whether to liquidate the Merrow Global Timber ETF at its June meeting."),
    (
        "etf",
        "no",
        "The Board of {N} has asked shareholders to approve the liquidation of the Merrow Global Timber ETF at a meeting on June 5, 2020.",
    ),
    # transfer
    (
        "amer",
        "yes",
        "{N} (NYSE American: ALDW) announced that it will transfer the listing of its common stock from NYSE American to The Nasdaq Global Market. Trading on Nasdaq is expected to begin on May 18, 2020.",
    ),
    (
        "amer",
        "yes",
        "{N} has notified NYSE American of its intent to voluntarily withdraw its common stock and list it on the Nasdaq Capital Market from May 18, 2020. Nasdaq has approved the listing.",
    ),
    (
        "amer",
        "yes",
        "{N} is moving its stock exchange listing to the Nasdaq Capital Market. The last day on NYSE American will be May 15, 2020.",
    ),
    (
        "nyse",
        "yes",
        "{N} today announced its decision to switch its stock listing from the New York Stock Exchange to the Nasdaq Global Select Market, effective May 18, 2020.",
    ),
    (
        "nyse",
        "yes",
        "{N} (NYSE: ALD) said that it intends to voluntarily transfer its listing to Nasdaq. It has given written notice to the NYSE and expects its shares to begin trading on Nasdaq on May 18, 2020.",
    ),
    (
        "nas",
        "no",
        "{N} (NASDAQ: ALDW) has received approval to transfer the listing of its common stock from the Nasdaq Global Market to the Nasdaq Capital Market, effective May 18, 2020.",
    ),
    ("nas", "no", "{N} will transfer its listing from NYSE American to the Nasdaq Capital Market on May 18, 2020."),
    (
        "nyse",
        "no",
        "The board of {N} is studying a transfer of its listing from the New York Stock Exchange to Nasdaq. No decision has been taken.",
    ),
    # restoration, watch list (fi da no sv de nl en fr es it pt pl ja zh ko vi)
    ("fi", "no", "Nasdaq Helsinki päättää tarkkailulistalta poistamisesta erikseen. {N} pysyy tarkkailulistalla toistaiseksi."),
    ("fi", "no", "Pörssi päätti poistaa {N}:n osakkeet tarkkailulistalta, koska peruste on lakannut."),
    ("fi", "no", "{N}: päätös poistaa osake valvontasegmentistä annetaan myöhemmin erikseen."),
    ("sv", "no", "Nasdaq Stockholm beslutar separat om borttagning av {N} från observationslistan."),
    ("sv", "no", "Börsen har beslutat att ta bort aktierna i {N} från observationsavdelningen."),
    ("da", "no", "Nasdaq Copenhagen træffer særskilt afgørelse om at fjerne {N} fra observationslisten."),
    ("da", "no", "Nasdaq Copenhagen har besluttet at slette {N} fra observationslisten."),
    ("no", "no", "Oslo Børs vil ta egen beslutning om å fjerne {N} fra særlig observasjon."),
    ("no", "no", "Oslo Børs har besluttet å stryke {N} fra straffebenken. Aksjene handles som normalt."),
    ("nl", "no", "Euronext Amsterdam heeft besloten de aandelen {N} van het strafbankje te verwijderen."),
    ("fr", "no", "Euronext Paris a décidé de retirer les actions {N} du compartiment des valeurs sous surveillance."),
    ("pl", "no", "Zarząd Giełdy postanowił usunąć akcje {N} z listy alertów."),
    ("pl", "no", "Zarząd Giełdy postanowił wykluczyć akcje {N} z segmentu Lista Alertów."),
    ("it", "no", "Borsa Italiana ha disposto la rimozione delle azioni {N} dalla black list Consob."),
    ("uk", "no", "Bursa has decided to remove {N} from its PN17 classification."),
    ("uk", "no", "The exchange has approved the removal of {N} from the watch-list. Trading goes on as usual."),
    ("ja", "no", "東京証券取引所は{N}株式の監理銘柄(確認中)の指定を解除することを決定した。"),
    ("ja", "no", "東証は{N}を特設注意市場銘柄から除外すると決定した。"),
    ("zh", "no", "上海证券交易所决定撤销对{N}股票实施的退市风险警示。"),
    ("zh", "no", "{N}股票将被调出风险警示板。"),
    ("hk", "no", "聯交所決定取消{N}股份的停牌,股份今日恢復買賣。"),
    ("ko", "no", "한국거래소는 {N}의 관리종목 지정을 해제하기로 결정했다."),
    ("vi", "no", "HOSE quyết định đưa cổ phiếu {N} ra khỏi diện kiểm soát."),
    ("vi", "no", "HOSE quyết định hủy bỏ tình trạng cảnh báo đối với cổ phiếu {N}."),
    ("es", "no", "La CNMV ha acordado levantar la suspensión de la negociación de las acciones de {N}."),
    ("pt", "no", "A B3 decidiu retirar a {N} da lista de companhias em situação irregular."),
    ("de", "no", "Die Börse hat beschlossen, die {N} von der Beobachtungsliste zu streichen."),
    # other classes decided
    (
        "dkb",
        "no",
        "På generalforsamlingen i {N} blev det vedtaget at ombytte A-aktierne til B-aktier. A-aktierne slettes fra handel på Nasdaq Copenhagen den 12. maj 2020.|B-aktierne forbliver optaget til handel.",
    ),
    ("dkb", "yes", "Nasdaq Copenhagen har besluttet at slette B-aktierne i {N} fra handel. A-aktierne er ikke noteret."),
    (
        "seb",
        "no",
        "Stämman i {N} beslutade att A-aktierna ska omvandlas till B-aktier. A-aktierna avnoteras från Nasdaq Stockholm den 12 maj 2020.",
    ),
    ("seb", "yes", "Styrelsen i {N} har ansökt om avnotering av bolagets A-aktier och B-aktier från Nasdaq Stockholm."),
    ("nob", "no", "Oslo Børs har besluttet at B-aksjene i {N} strykes fra notering 12. mai 2020. A-aksjene er fortsatt notert."),
    ("nob", "yes", "Oslo Børs har besluttet at A-aksjene i {N} strykes fra notering 12. mai 2020."),
    (
        "kr",
        "no",
        "유가증권시장본부는 {N} 우선주(한빛정공우, 099995)에 대하여 상장주식수 미달로 상장폐지를 결정하였습니다. 보통주의 상장에는 변동이 없습니다.",
    ),
    ("kr", "no", "{N} 제1회 신주인수권증권의 상장폐지를 결정하였습니다. 행사기간 만료에 따른 것입니다."),
    ("kr", "yes", "한국거래소는 {N}(099990) 주권의 상장폐지를 결정하였습니다. 상장주식수는 1천만주입니다."),
    (
        "mx",
        "no",
        'A partir del 12 de mayo de 2020 las acciones de las series "A" y "B" de {N} se canjearán por acciones de una serie única, clave ATAM *.|En la misma fecha se cancela en el listado de la Bolsa la inscripción de las claves ATAM A y ATAM B.',
    ),
    ("mx", "no", "La Bolsa cancela el listado de los certificados bursátiles de {N} con clave ATAM 15 por su vencimiento."),
    ("mx", "yes", "La Bolsa Mexicana de Valores cancela el listado de la clave ATAM * de {N} a partir del 12 de mayo de 2020."),
    (
        "brp",
        "yes",
        "A {N} informa que protocolou hoje na CVM o pedido de cancelamento de registro de companhia aberta, com a retirada das ações UPAR3 e UPAR4 da negociação na B3.",
    ),
    ("brp", "yes", "As ações ordinárias (UPAR3) e preferenciais (UPAR4) da {N} deixam de ser negociadas na B3 a partir de 12/05/2020."),
    (
        "brp",
        "no",
        "As ações ordinárias (UPAR3) da {N} deixam de ser negociadas na B3 a partir de 12/05/2020, após a conversão em ações preferenciais (UPAR4).",
    ),
    (
        "nl",
        "no",
        "De cumulatief preferente aandelen A van {N} worden per 12 mei 2020 van de notering aan Euronext Amsterdam geschrapt. De gewone aandelen blijven genoteerd.",
    ),
    # replaced lines
    (
        "uk",
        "no",
        "The 1-for-50 consolidation of {N} takes effect on 12 May 2020, when admission of the existing shares of 0.02 pence each will be cancelled and the new shares of 1 penny each will be admitted in their place.",
    ),
    (
        "uk",
        "no",
        "{N}: on 12 May 2020 the listing of the present ordinary shares is cancelled, and the listing of the same number of new ordinary shares begins under a new ISIN.",
    ),
    (
        "ca",
        "no",
        "<h1>Bulletin 2020-0411 - Name and symbol change - {N}</h1>|Corvane Ventures Corp. has announced a name change to {N}. The shares of Corvane Ventures Corp. (CVV) will be delisted at the close on May 10.",
    ),
    (
        "de",
        "no",
        "Die bisherigen Aktien der {N} werden am 12. Mai 2020 aus der Notierung genommen; an ihre Stelle treten die zusammengelegten Aktien mit neuer ISIN.",
    ),
    (
        "fr",
        "no",
        "Les actions anciennes {N} seront radiées d'Euronext Paris le 12 mai 2020 et remplacées par les actions nouvelles issues du regroupement.",
    ),
    (
        "es",
        "no",
        "Las acciones actuales de {N} dejarán de cotizar el 12 de mayo de 2020 y en su lugar se admitirán las acciones resultantes de la agrupación.",
    ),
    ("pt", "no", "As ações atuais da {N} deixam de ser negociadas em 12/05/2020 e em seu lugar passam a ser negociadas as ações grupadas."),
    ("ko", "no", "{N}의 구주권은 2020년 5월 12일 상장폐지되고 액면병합된 신주권이 같은 날 상장된다."),
    (
        "za",
        "yes",
        "<h1>KMF: Finalisation announcement</h1>|Shareholders are informed that all conditions to the scheme have been fulfilled and the scheme is unconditional. The JSE has approved the termination of the listing from Tuesday, 12 May 2020.",
    ),
    (
        "za",
        "no",
        "<h1>KMF: Results of scheme meeting</h1>|The scheme was approved by 97% of the votes. It remains subject to approval by the Competition Tribunal, after which the listing on the JSE will be terminated.",
    ),
    (
        "za",
        "no",
        "<h1>KMX: Termination of listing</h1>|Shareholders are informed that the JSE has approved the termination of the listing from Tuesday, 12 May 2020.",
    ),
    (
        "ja",
        "no",
        "当社は本日、東京地方裁判所に民事再生手続開始の申立てを行いました。|当社株式は、本件申立てにより東京証券取引所の上場廃止基準に該当し、上場廃止となる見込みであります。",
    ),
    ("ja", "no", "当社の株式は上場廃止基準に該当し、今後上場廃止になる可能性があります。"),
    ("ja", "yes", "東京証券取引所は、{N}の株式が上場廃止基準に該当したため、2020年6月5日に上場廃止となることを決定した。"),
    (
        "pt",
        "no",
        "<table><tr><td>Cortumes Aurora, S.A.</td><td>Ações</td><td>12/05/2020</td></tr><tr><td>{N}</td><td>Debêntures 2013-2020</td><td>12/05/2020</td></tr></table>|A bolsa torna público que os valores acima indicados serão excluídos da negociação na data referida.",
    ),
    (
        "de",
        "no",
        "<table><tr><td>Corvane AG</td><td>Inhaberaktien</td><td>12.05.2020</td></tr><tr><td>{N}</td><td>5,25% Anleihe 2014/2020</td><td>12.05.2020</td></tr></table>|Die Zulassung der oben genannten Wertpapiere zum Handel an der Frankfurter Wertpapierbörse wurde widerrufen.",
    ),
    (
        "de",
        "yes",
        "<table><tr><td>Corvane AG</td><td>Inhaberaktien</td><td>12.05.2020</td></tr><tr><td>{N}</td><td>Inhaberaktien</td><td>12.05.2020</td></tr></table>|Die Zulassung der oben genannten Wertpapiere zum Handel an der Frankfurter Wertpapierbörse wurde widerrufen.",
    ),
    (
        "uk",
        "no",
        "<table><tr><td>Corvane plc</td><td>Ordinary shares</td></tr><tr><td>Zungeru plc</td><td>Ordinary shares</td></tr></table>|The London Stock Exchange has cancelled the listing of the securities listed above. {N} regrets the fall in the number of companies.",
    ),
    (
        "us",
        "no",
        "{N} common stock is listed on the New York Stock Exchange. From 2007 to 2016 it was also listed on Oslo Børs, and from 2010 to 2018 on the Toronto Stock Exchange. Both listings were withdrawn at our request.",
    ),
    (
        "us",
        "no",
        "{N} has been listed on the New York Stock Exchange since 2004. It had secondary listings in Frankfurt and London. These listings were terminated by decision of the board.",
    ),
    (
        "au",
        "no",
        "{N} (ASX and NZX: ALD) will end its foreign exempt listing on the NZX Main Board on 29 May 2020. The listing on ASX goes on as before.",
    ),
    ("uk", "no", "{N} (LSE, JSE: ALD) has applied to withdraw its secondary listing from the JSE. The listing in London is not affected."),
    (
        "de",
        "no",
        "Auf Antrag der Gesellschaft wird die Zulassung der Inhaberaktien der {N} zum regulierten Markt der Niedersächsischen Börse zu Hannover widerrufen.",
    ),
    (
        "de",
        "no",
        "Die Zulassung der Inhaberaktien der {N} zum regulierten Markt der Hanseatischen Wertpapierbörse wurde auf Antrag widerrufen. In Frankfurt bleiben die Aktien zugelassen.",
    ),
    (
        "de",
        "yes",
        "{N} kündigt die Notierung ihrer Inhaberaktien an der Frankfurter Wertpapierbörse ohne Vorbehalt. Der Vorstand hat den Widerruf der Zulassung beantragt; der Antrag ist nicht an Bedingungen geknüpft.",
    ),
)
# listing, day, text: the document's own day beside a day that it tells of
DAYS = (
    (
        "hn",
        "2020-05-12",
        "Ngày 11/05/2020, Tổng Giám đốc Sở GDCK Hà Nội đã ký quyết định chấp thuận hủy niêm yết tự nguyện cổ phiếu của {N}.",
    ),
    (
        "hk",
        "2020-05-20",
        "<table><tr><td>日期</td><td>二零二零年五月二十日</td></tr></table>|{N}於二零二零年五月十八日接獲聯交所函件,上市委員會已決定取消本公司的上市地位。",
    ),
)


def verdict(name: str, text: str, *, dated: bool = True) -> Verdict:
    """What the rules say of a notice of a wire service about the listing `name`."""
    issuer, security, kind, ticker, mic, country, day = LISTINGS[name]
    listing = factories.listing(issuer=issuer, security=security, security_type=kind, ticker=ticker, mic=mic, country=country, venue="")
    blocks = [block if block.startswith("<") else f"<p>{block}</p>" for block in text.replace("{N}", issuer).split("|")]
    body = "<html><body>" + (f"<p>{day}</p>" if dated else "") + "".join(blocks) + "</body></html>"
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    return adjudicate(listing, [page], POLICY)


@pytest.mark.parametrize(("name", "status", "text"), CASES)
def test_decided(name: str, status: str, text: str) -> None:
    """Redemptions, funds, transfers, watch lists, other classes, replaced lines, denied conditions, lists above, headlines by code."""
    assert verdict(name, text).status.value == status


@pytest.mark.parametrize(("name", "day", "text"), DAYS)
def test_day_of_the_document(name: str, day: str, text: str) -> None:
    """A label after the sender's name, and a day in Chinese numerals, date the document; the day of the letter does not."""
    assert verdict(name, text, dated=name != "hk").announcement_date == dt.date.fromisoformat(day)

"""Forms of notices: rows that number and date them, last days in tables, lists of resolutions, words that make a decision conditional."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_traps import MARKETS, POLICY

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
    ("in", "no", EXCHANGE, "2 March 2020\n{N} has informed BSE that its Board has approved a Scheme of Amalgamation. On the scheme becoming effective the equity shares of the Company shall stand delisted. The Scheme is subject to the sanction of the High Courts."),
    ("us", "no", WIRE, "May 4, 2020\nThe Board of Directors of {N} has approved a plan of liquidation and recommends it to shareholders. If shareholders approve the plan at a special meeting, the shares will be delisted from the NYSE."),
    ("uk", "no", EXCHANGE, "4 May 2020\nThe Exchange has approved the removal of {N} from the watch-list with effect from 5 May 2020."),
    ("it", "no", EXCHANGE, "4 Maggio 2020\nA seguito della conversione obbligatoria in azioni ordinarie, le azioni di risparmio {N} sono revocate dalla quotazione a decorrere dal 29 maggio 2020."),
    ("es", "no", WIRE, "4 de mayo de 2020\nEl Consejo de {N} ha acordado solicitar la exclusión de negociación de las acciones en la Bolsa de Barcelona, manteniendo su cotización en las Bolsas de Madrid y Bilbao a través del Sistema de Interconexión Bursátil."),
    ("es", "yes 2020-05-04", WIRE, "4 de mayo de 2020\nLa junta general extraordinaria de {N}, celebrada en primera convocatoria, acordó por mayoría la exclusión de cotización de las acciones y la correspondiente oferta pública."),
    ("ko", "no", EXCHANGE, "2020년 5월 4일\n기업심사위원회는 {N} 주권의 상장적격성을 심의한 결과 '상장폐지'로 심의하였습니다. 향후 15영업일 이내에 시장위원회를 개최하여 상장폐지 여부를 최종 심의·의결할 예정입니다."),
    ("de", "no", WIRE, "4. Mai 2020\nAnders als die Konkurrentin Harlow Keramik AG, die im Januar ihr Delisting beschlossen hat, hält die {N} an der Notierung fest."),
    ("de", "no", WIRE, "4. Mai 2020\nAuf Nachfrage sagte der Vorstandschef der {N}, ein Rückzug von der Börse sei eine Option, über die frühestens 2021 entschieden werde."),
    ("ch", "no", WIRE, "4. Mai 2020\nSollte die Generalversammlung der {N} am 4. Juni zustimmen, wird der Verwaltungsrat die Dekotierung der Namenaktien beantragen."),
    ("ch", "yes 2020-05-04", WIRE, "4. Mai 2020\nNachdem die Generalversammlung zugestimmt hat, beantragt der Verwaltungsrat der {N} heute die Dekotierung der Namenaktien."),
    ("tw", "no", EXCHANGE, "2020年5月4日\n{N}董事會決議辦理股份轉換,俟股東會及主管機關核准後終止上市。"),
    ("uk", "yes 2020-05-04", WIRE, "RNS Number : 4411K\n{N}\n04 May 2020\nOn 1 May 2020 the Board resolved, and shareholders holding 82% have irrevocably agreed, that the listing be cancelled. At the general meeting held today the resolution was passed. Cancellation will take effect on 3 June 2020."),
    ("uk", "no", WIRE, "RNS Number : 4411K\n{N}\n04 May 2020\nPosting of Circular. The circular sent to shareholders today contains details of the proposed cancellation of listing and convenes a general meeting for 28 May 2020. Dealings are expected to cease on 26 June 2020."),
    ("uk", "no", PRESS, "4 May 2020\nWhy Dunmore left the market\nWhen Dunmore Plastics was removed from the Official List in March, investors in {N} grew nervous. The board says it has no such plans."),
    ("uk", "no", WIRE, "4 May 2020\n{N} has sold its stake in Clyde Forge Ltd. Clyde Forge was delisted from AIM in 2014 following its acquisition by {N}."),
    ("uk", "yes 2020-05-04", EXCHANGE, "Financial Conduct Authority\nOfficial List Notice\nDate: 4 May 2020\nThe Financial Conduct Authority hereby cancels the listing of the securities set out below:\n{N}|Ordinary shares of 5p|cancelled at 08:00"),
    ("us", "no", WIRE, "May 4, 2020\n{N} announced that it has received a non-binding proposal from its chairman to acquire all outstanding shares. If a transaction is completed, the stock would be delisted from the NYSE."),
    ("us", "yes 2020-05-04", WIRE, "HOUSTON, May 4, 2020 -- {N} today announced that it received notice on April 29, 2020 that the New York Stock Exchange has determined to commence proceedings to delist its common stock, following the Company's April 27 disclosure of its Chapter 11 filing."),
    ("us", "no", WIRE, "May 4, 2020\n{N} said holders approved the merger today. The transaction is expected to close in the third quarter after receipt of regulatory approvals, at which time the common stock will be delisted."),
    ("us", "no", WIRE, "May 4, 2020\n{N} announced that the exchange offer for its 8% notes due 2021 expired. Upon settlement the notes will be delisted from the NYSE."),
    ("us", "yes 2020-05-04", WIRE, "May 4, 2020\n{N} announced the completion of its merger with Orrin Holdings. As a result of the merger, shares of the company ceased trading and will no longer be listed on the New York Stock Exchange."),
    ("us", "no", PRESS, "May 4, 2020\nQ: Is {N} going to be delisted? A: The company says it expects to regain compliance by August."),
    ("de", "yes 2020-05-04", WIRE, "{N} / Schlagwort(e): Delisting\n04.05.2020 / 19:02 CET/CEST\nDer Vorstand der {N} hat heute entschieden, den Widerruf der Zulassung der Aktien der Gesellschaft zum Handel im regulierten Markt zu beantragen. Eine Delisting-Vereinbarung mit der Großaktionärin wurde am 30. April 2020 unterzeichnet."),
    ("de", "no", WIRE, "{N} / Schlagwort(e): Squeeze-out\n04.05.2020 / 10:02 CET/CEST\nDie Hauptaktionärin hat heute das Verlangen nach § 327a AktG gestellt. Die Hauptversammlung, die darüber beschließen soll, findet voraussichtlich im August statt; mit Eintragung endet auch die Börsennotierung."),
    ("de", "no", PRESS, "4. Mai 2020\nDie {N} wird wohl nicht mehr lange an der Börse notiert sein. Nach Informationen aus Finanzkreisen bereitet der Großaktionär ein Delisting vor."),
    ("de", "yes 2020-05-04", EXCHANGE, "Bekanntmachung\n4. Mai 2020\nWiderruf der Zulassung auf Antrag des Emittenten gemäß § 39 Abs. 2 BörsG: {N}, Inhaberaktien. Der Widerruf wird wirksam mit Ablauf des 8. Mai 2020."),
    ("fr", "yes 2020-05-04", WIRE, "Paris, le 4 mai 2020\nAcquéreur Invest annonce avoir informé l'AMF de sa décision de mettre en œuvre le retrait obligatoire sur les actions {N}. Le retrait obligatoire interviendra le 11 mai 2020, date à laquelle les actions seront radiées d'Euronext Paris."),
    ("fr", "no", WIRE, "Paris, le 4 mai 2020\nL'AMF a délivré une décision de conformité sur le projet d'offre visant {N}. Si les conditions sont réunies à l'issue de l'offre, l'initiateur demandera le retrait obligatoire et la radiation."),
    ("fr", "no", PRESS, "4 mai 2020\nAprès la radiation d'Ardoisières du Lot la semaine dernière, le marché s'interroge sur {N}, dont le flottant est inférieur à 8 %."),
    ("fr", "yes 2020-05-04", WIRE, "{N} - Communiqué de presse - Paris, lundi 4 mai 2020\nEuronext Paris a approuvé la demande de radiation présentée par la société. Les actions seront radiées à compter du 15 mai 2020."),
    ("es", "yes 2020-05-04", WIRE, "COMUNICACIÓN DE INFORMACIÓN RELEVANTE\n{N}\nMadrid, a 4 de mayo de 2020\nSe comunica que la CNMV ha acordado la exclusión de negociación de las acciones de la Sociedad, con efectos desde el cierre del mercado del día 8 de mayo."),
    ("es", "no", WIRE, "{N}\nMadrid, 4 de mayo de 2020\nConvocatoria. Orden del día: Primero. Cuentas anuales. Segundo. Aprobación, en su caso, de la exclusión de negociación de las acciones de la Sociedad."),
    ("it", "yes 2020-05-04", WIRE, "Milano, 4 maggio 2020\nL'Offerente comunica i risultati definitivi e l'esercizio del Diritto di Acquisto su tutte le azioni residue. Borsa Italiana, con provvedimento odierno, ha disposto la revoca delle azioni {N} dalla quotazione a decorrere dal 12 maggio 2020."),
    ("it", "no", WIRE, "Milano, 4 maggio 2020\nIl consiglio di {N} ha approvato il progetto di fusione per incorporazione in una società non quotata. Ove l'assemblea approvi, ai soci spetterà il diritto di recesso e le azioni saranno revocate dalla quotazione."),
    ("nl", "no", WIRE, "Amsterdam, 4 mei 2020\nHet bod op {N} is gestand gedaan. 93,2% is aangemeld. De bieder wil de notering beëindigen zodra dat mogelijk is."),
    ("nl", "yes 2020-05-04", WIRE, "Amsterdam, 4 mei 2020\n{N} en de bieder maken bekend dat Euronext Amsterdam heeft ingestemd met de beëindiging van de notering van de aandelen. De laatste handelsdag is 2 juni 2020."),
    ("sv", "no", WIRE, "Stockholm 2020-05-04\nStyrelsen i {N} kallar till extra bolagsstämma den 28 maj för beslut om ansökan om avnotering."),
    ("sv", "yes 2020-05-04", WIRE, "Stockholm 2020-05-04\n{N} meddelar att styrelsen den 3 maj beslutade att ansöka om avnotering av bolagets aktier från Nasdaq Stockholm."),
    ("no", "yes 2020-05-04", WIRE, "Oslo, 4. mai 2020\n{N}: Oslo Børs har innvilget selskapets søknad om strykning. Siste noteringsdag er 15. mai 2020."),
    ("da", "yes 2020-05-04", WIRE, "Selskabsmeddelelse nr. 8\n4. maj 2020\n{N} har modtaget Nasdaq Copenhagens godkendelse af anmodningen om sletning fra handel. Sidste handelsdag bliver 2. juni 2020."),
    ("fi", "no", WIRE, "{N} pörssitiedote 4.5.2020 klo 9.00\nOstotarjouksen alustava tulos: 88,1 prosenttia osakkeista. Tarjouksentekijän tarkoituksena on hankkia kaikki osakkeet ja hakea niiden poistamista pörssilistalta."),
    ("fi", "yes 2020-05-04", WIRE, "{N} pörssitiedote 4.5.2020 klo 9.00\nNasdaq Helsinki on tänään päättänyt poistaa {N}:n osakkeet pörssilistalta yhtiön konkurssin vuoksi. Viimeinen kaupankäyntipäivä on 15.5.2020."),
    ("pl", "yes 2020-05-04", WIRE, "Raport bieżący nr 14/2020\nData sporządzenia: 2020-05-04\n{N}\nZarząd informuje, że w dniu dzisiejszym KNF udzieliła zezwolenia na wycofanie akcji Spółki z obrotu na rynku regulowanym z dniem 11 maja 2020 r."),
    ("pl", "no", WIRE, "Raport bieżący nr 14/2020\nData sporządzenia: 2020-05-04\n{N}\nZarząd informuje o złożeniu przez akcjonariusza wezwania do sprzedaży akcji. Po wezwaniu akcjonariusz rozważy wycofanie akcji z obrotu."),
    ("ja", "yes 2020-05-04", EXCHANGE, "上場廃止等の決定:{N}\n2020年5月4日\n東京証券取引所\n整理銘柄指定期間:2020年5月4日から2020年6月4日まで\n上場廃止日:2020年6月5日"),
    ("ja", "no", WIRE, "2020年5月4日\n{N}\n当社は、本日、公開買付者による公開買付けが成立したことを知りました。今後、株式売渡請求が行われた場合には、当社株式は上場廃止となります。"),
    ("hk", "yes 2020-05-04", WIRE, "{N}\n內幕消息\n於二零二零年四月二十九日,本公司收到聯交所函件,通知上市委員會決定取消本公司之上市地位。\n香港,二零二零年五月四日"),
    ("zh", "no", WIRE, "{N}关于公司股票可能被终止上市的第三次风险提示公告\n2020年5月4日\n若公司2019年度净利润为负,公司股票将被终止上市。"),
    ("zh", "yes 2020-05-04", WIRE, "{N}关于收到上海证券交易所终止上市决定的公告\n公司于2020年4月30日收到上海证券交易所《关于终止公司股票上市的决定》。\n二〇二〇年五月四日"),
    ("ko", "yes 2020-05-04", EXCHANGE, "{N} 상장폐지 결정\n1. 결정일: 2020.05.04\n2. 정리매매기간: 2020.05.06 ~ 2020.05.14\n3. 상장폐지일: 2020.05.15\n한국거래소 유가증권시장본부"),
    ("ko", "no", EXCHANGE, "{N} 매매거래정지\n2020.05.04\n감사의견 거절에 따른 상장폐지 사유 발생. 이의신청이 없는 경우 상장폐지 절차가 진행됩니다."),
    ("vi", "yes 2020-05-04", EXCHANGE, "Sở Giao dịch Chứng khoán TP.HCM\nNgày 04/05/2020\nThông báo về việc hủy niêm yết cổ phiếu {N}. Lý do: tổ chức kiểm toán từ chối cho ý kiến. Ngày hủy niêm yết có hiệu lực: 29/05/2020."),
    ("pt", "yes 2020-05-04", WIRE, "FATO RELEVANTE\n{N}\nA Companhia informa que a CVM, por meio do Ofício nº 214/2020, deferiu nesta data o cancelamento de seu registro de companhia aberta. São Paulo, 4 de maio de 2020."),
    ("pt", "no", WIRE, "FATO RELEVANTE\n{N}\nA Companhia recebeu pedido de seu controlador para convocação de assembleia que deliberará sobre a realização de OPA para cancelamento de registro. São Paulo, 4 de maio de 2020."),
    ("tr", "no", EXCHANGE, "4 Mayıs 2020\n{N} payları geçici olarak işleme kapatılmıştır. Şirketin finansal raporlarını açıklamaması halinde kottan çıkarma süreci başlatılabilecektir."),
    ("in", "yes 2020-05-04", EXCHANGE, "Notice No. 20200504-12\nNotice Date: 04 May 2020\nTrading members are informed that the securities of {N} shall be delisted with effect from 11 May 2020 pursuant to Regulation 21 of the SEBI (Delisting of Equity Shares) Regulations, 2009."),
    ("in", "no", EXCHANGE, "Notice No. 20200504-12\nNotice Date: 04 May 2020\nTrading members are informed that the existing equity shares of Rs. 10 each of {N} will be delisted and the new equity shares of Rs. 2 each listed consequent to the sub-division with effect from 11 May 2020."),
    ("au", "yes 2020-05-04", WIRE, "ASX Release 4 May 2020\n{N} confirms that ASX has resolved to remove it from the official list, pursuant to listing rule 17.11, at its own request with effect from close of trading on 8 May 2020, all conditions imposed by ASX having been met."),
    ("au", "no", WIRE, "ASX Release 4 May 2020\n{N} has applied to ASX for removal from the official list. ASX's in-principle advice is subject to shareholder approval by special resolution at the meeting on 3 June 2020."),
    ("ca", "no", WIRE, "TORONTO, May 4, 2020\n{N} announced that the court has granted the final order approving the arrangement. Closing remains subject to Investment Canada approval, following which the shares will be delisted from the TSX."),
    ("ca", "yes 2020-05-04", WIRE, "TORONTO, May 4, 2020\n{N} announced that it has received approval from the Toronto Stock Exchange for the voluntary delisting of its common shares, effective at the close of business on May 15, 2020. Its shares remain listed on the LSE."),
    ("es", "yes 2020-05-04", PRESS, "HECHO DE IMPORTANCIA<br>{N}<br>Madrid, 4 de mayo de 2020\nComunicamos que la Junta General de Accionistas celebrada en la fecha acordó, por unanimidad: (i) solicitar la exclusión de las acciones del registro de la Bolsa; (ii) facultar a la gerencia."),
    ("au", "no", WIRE, "4 May 2020\n{N} has applied to ASX for removal from the official list. ASX's in-principle advice is subject to shareholder approval by special resolution on 3 June 2020."),
    ("pt", "no", EXCHANGE, "BM&FBOVESPA - 04/05/2020\n{N} (UPA)\nEm virtude da conversão aprovada em AGE, as ações UPA4 deixam de ser negociadas a partir de 01/06/2020, sendo cancelada a sua listagem; as ações UPA3 seguem negociadas."),
    ("pt", "yes 2020-05-04", EXCHANGE, "B3 - 04/05/2020\n{N} (UPA)\nA CVM deferiu o cancelamento do registro da companhia. Em consequência, as ações UPA3 e UPA4 deixam de ser negociadas a partir de hoje."),
    ("zh", "no", EXCHANGE, "2020年5月4日\n关于江洲股份有限公司股票终止上市的公告\n江洲股份有限公司(证券代码:600771,证券简称:*ST江洲)股票连续20个交易日收盘价低于1元,本所决定终止其股票上市。"),
    ("it", "yes 2020-05-04", EXCHANGE, "Avviso n. 8321|4 Maggio 2020\nMittente: Borsa Italiana\nOggetto: {N} - revoca dalla quotazione\nA seguito dell'esercizio del diritto di acquisto, le azioni ordinarie {N} sono sospese il 7 e l'8 maggio e revocate dall'11 maggio 2020."),
    ("it", "no", WIRE, "4 maggio 2020\nL'assemblea di {N} ha approvato la fusione per incorporazione in Holding non quotata. L'efficacia è subordinata al mancato superamento dell'esborso massimo per il recesso; a esito della fusione le azioni saranno revocate."),
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


def test_exchange_traded_fund_is_its_own_security() -> None:
    """A listing of the type "etf" is the fund that the notice names, also where its security is only "shares"."""
    listing = factories.listing(
        issuer="Merrow Copper Miners ETF", mic="ARCX", ticker="MCMX", security="Shares", security_type="etf", venue=""
    )
    body = (
        "<p>DENVER, May 4, 2020 -- The Board of Trustees has approved the liquidation of the following ETFs:</p>"
        "<table><tr><td>Merrow Copper Miners ETF</td><td>MCMX</td></tr></table><p>The shares will be delisted after May 22, 2020.</p>"
    )
    page = extract(f"<html><body>{body}</body></html>".encode(), "text/html", WIRE, digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == "yes"


# expected, text about the family of the Merrow Copper Miners ETF (symbol MCMX)
FAMILY = (
    ("no", "<p>DENVER, May 4, 2020 -- The trustees of Merrow ETF Trust have approved the liquidation of these funds:</p><table><tr><td>Merrow Tin ETF</td><td>TINX</td></tr><tr><td>Merrow Zinc ETF</td><td>ZNCX</td></tr></table><p>The funds will be delisted before the opening on June 8, 2020.</p><p>The Merrow Copper Miners ETF (MCMX) and four others are not affected and continue to trade on NYSE Arca.</p>"),
    ("no", "<p>DENVER, May 4, 2020 -- Merrow Funds announced the closing of the Merrow Tin ETF (TINX). Its shares will be delisted from NYSE Arca on June 8, 2020. Merrow Copper Miners ETF remains open and its listing is unaffected.</p>"),
    ("no", "<p>DENVER, May 4, 2020 -- The board of Merrow ETF Trust has decided to close two funds. The Merrow Tin ETF and the Merrow Zinc ETF will be delisted on June 8, 2020. Merrow Copper Miners ETF keeps trading; its fee falls to 0.5%.</p>"),
    ("yes", "<p>DENVER, May 4, 2020 -- The trustees of Merrow ETF Trust have approved the liquidation of these funds:</p><table><tr><td>Merrow Tin ETF</td><td>TINX</td></tr><tr><td>Merrow Copper Miners ETF</td><td>MCMX</td></tr></table><p>The funds will be delisted before the opening on June 8, 2020. The Merrow Zinc ETF is not affected.</p>"),
    ("yes", "<p>DENVER, May 4, 2020 -- Merrow Funds today announced the upcoming closure and liquidation of the Merrow Copper Miners ETF (NYSE Arca: MCMX). Its shares trade for the last time on June 5, 2020 and are then removed from the exchange. The Merrow Zinc ETF stays open.</p>"),
)  # fmt: skip


@pytest.mark.parametrize(("expected", "body"), FAMILY, ids=[f"{n} {e}" for n, (e, _) in enumerate(FAMILY)])
def test_fund_of_a_family(expected: str, body: str) -> None:
    """A closure is about the funds that it names or lists; one that the notice says goes on is not among them."""
    listing = factories.listing(
        issuer="Merrow ETF Trust", mic="ARCX", ticker="MCMX", security="Merrow Copper Miners ETF", security_type="fund", venue=""
    )
    page = extract(f"<html><body>{body}</body></html>".encode(), "text/html", WIRE, digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected


@pytest.mark.parametrize(("market", "expected", "url", "text"), CASES, ids=[f"{n} {c[0]} {c[1][:3]}" for n, c in enumerate(CASES)])
def test_form(market: str, expected: str, url: str, text: str) -> None:
    """The answer, with the day of the notice, for a page of that form."""
    assert answer(market, url, text) == expected

"""What a step spares: a class, a fund or a venue that goes on; rights that run out; lines and codes that others take the place of."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_heard import answer
from tests.unit.test_wording_traps import POLICY

# market, expected answer, text; {N} is the issuer
SPARED = (
    # another security ends, and this class is named as the one that is not affected
    ("uk", "no", "The securities of {N} have been removed from the Official List at its request. Ordinary shares of the company are not concerned."),
    ("us", "no", "{N} announced that the securities have been delisted from that market at its request. Common shares are not affected."),
    ("au", "no", "{N}: the securities were removed from quotation on request. The ordinary shares, including those held by employees, are in no way affected."),
    ("de", "no", "Die Frankfurter Wertpapierbörse hat die Zulassung der Papiere der {N} widerrufen. Die Inhaberaktien sind hiervon nicht betroffen."),
    ("ch", "no", "SIX hat das Gesuch der {N} um Dekotierung der Titel gutgeheissen. Die Namenaktien bleiben davon unberührt."),
    ("fr", "no", "{N} annonce que les titres seront radiés de la cote le 12 mai. Les actions ordinaires ne sont pas touchées."),
    ("qc", "no", "Les titres de {N} seront radiés de la cote le 12 mai. Les actions ordinaires ne sont pas visées."),
    ("nl", "no", "Euronext heeft besloten de effecten van {N} per 12 mei te schrappen. De gewone aandelen worden hierdoor niet geraakt."),
    ("it", "no", "Borsa Italiana ha disposto la revoca dalla quotazione degli strumenti {N} dal 12 maggio. Le azioni ordinarie non sono interessate."),
    ("es", "no", "La CNMV ha acordado la exclusión de negociación de los valores de {N}. Las acciones ordinarias no se ven afectadas."),
    ("es", "no", "La CNMV ha acordado la exclusión de negociación de los valores de {N}. Las acciones ordinarias no sufren cambio alguno."),
    ("pt", "no", "A B3 aprovou o cancelamento da listagem dos títulos da {N}. As ações ordinárias não são afetadas."),
    ("lis", "no", "A Euronext decidiu a exclusão da negociação dos valores da {N}. As ações ordinárias não são abrangidas."),
    ("sv", "no", "Nasdaq Stockholm har beslutat att avnotera instrumenten i {N}. Aktierna berörs inte."),
    ("no", "no", "Oslo Børs har vedtatt å stryke instrumentene utstedt av {N}. Aksjene berøres ikke av dette."),
    ("da", "no", "Nasdaq Copenhagen har besluttet at slette papirerne udstedt af {N} fra handel. Aktierne berøres ikke."),
    ("fi", "no", "Nasdaq Helsinki on päättänyt poistaa {N}:n arvopaperit pörssilistalta. Päätös ei koske osakkeita."),
    ("pl", "no", "Zarząd Giełdy postanowił wykluczyć z obrotu papiery spółki {N}. Uchwała nie dotyczy akcji zwykłych."),
    ("ja", "no", "東京証券取引所は{N}の銘柄の上場廃止を決定した。普通株式の上場に影響はありません。"),
    ("ja", "no", "東京証券取引所は{N}の銘柄の上場廃止を決定した。普通株式は対象となりません。"),
    ("zh", "no", "上交所决定终止{N}该证券上市。公司A股股票不受影响。"),
    ("hk", "no", "聯交所已批准{N}該等證券撤銷上市。普通股不受影響。"),
    ("tw", "no", "證交所公告{N}該有價證券自5月12日起終止上市。普通股之掛牌不受影響。"),
    ("ko", "no", "한국거래소는 {N} 증권의 상장폐지를 결정했다. 보통주는 영향을 받지 않는다."),
    ("vi", "no", "HOSE quyết định hủy niêm yết chứng khoán của {N}. Cổ phiếu phổ thông không bị ảnh hưởng."),
    ("id", "no", "BEI menyetujui delisting efek {N} mulai 12 Mei. Saham biasa tidak terpengaruh."),
    ("ms", "no", "Sekuriti {N} akan dikeluarkan daripada Senarai Rasmi pada 12 Mei. Saham biasa tidak terjejas."),
    ("tr", "no", "Borsa İstanbul, {N} menkul kıymetlerinin kottan çıkarılmasına karar verdi. Şirket payları bundan etkilenmemektedir."),
    ("ar", "no", "قررت لجنة القيد شطب الأوراق المالية لشركة {N}. ولا تتأثر الأسهم العادية بذلك."),
    ("th", "no", "ตลาดหลักทรัพย์อนุมัติให้เพิกถอนหลักทรัพย์ดังกล่าวของ {N}</p><p>หุ้นสามัญไม่ได้รับผลกระทบ"),
    ("hi", "no", "बीएसई ने {N} की प्रतिभूतियों को सूची से हटाने का निर्णय लिया है। इक्विटी शेयर प्रभावित नहीं होंगे।"),
    # the listing on this venue goes on as it is
    ("au", "no", "The securities of {N} have been delisted at its request with effect from today. The ASX listing continues unchanged."),
    ("uk", "no", "The securities of {N} have been delisted at its request with effect from today. There is no change to the listing on the London Stock Exchange."),
    # the step names this class, and another one is spared
    ("uk", "yes", "The ordinary shares of {N} have been removed from the Official List at its request. The preference shares are not affected."),
    ("us", "yes", "The common stock of {N} has been delisted from the NYSE at its request. The notes are not affected."),
    ("de", "yes", "Die Frankfurter Wertpapierbörse hat die Zulassung der Inhaberaktien der {N} widerrufen. Die Anleihen sind hiervon nicht betroffen."),
    ("fr", "yes", "Les actions ordinaires {N} seront radiées d'Euronext Paris le 12 mai. Les obligations ne sont pas concernées."),
    ("es", "yes", "La CNMV ha acordado la exclusión de negociación de las acciones de {N}. Los bonos no se ven afectados."),
    ("it", "yes", "Borsa Italiana ha disposto la revoca dalla quotazione delle azioni {N} dal 12 maggio. Le obbligazioni non sono interessate."),
    ("pt", "yes", "A B3 aprovou o cancelamento da listagem das ações ordinárias da {N}. As debêntures não são afetadas."),
    ("nl", "yes", "Euronext heeft besloten de aandelen van {N} per 12 mei te schrappen. De obligaties worden hierdoor niet geraakt."),
    ("sv", "yes", "Nasdaq Stockholm har beslutat att avnotera aktierna i {N}. Obligationerna berörs inte."),
    ("no", "yes", "Oslo Børs har vedtatt å stryke aksjene i {N}. Obligasjonene berøres ikke."),
    ("da", "yes", "Nasdaq Copenhagen har besluttet at slette aktierne i {N} fra handel. Obligationerne berøres ikke."),
    ("fi", "yes", "Nasdaq Helsinki on päättänyt poistaa {N}:n osakkeet pörssilistalta. Päätös ei koske joukkovelkakirjoja."),
    ("pl", "yes", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje spółki {N}. Uchwała nie dotyczy obligacji."),
    ("ja", "yes", "東京証券取引所は{N}の普通株式の上場廃止を決定した。社債の償還に影響はありません。"),
    ("zh", "yes", "上交所决定终止{N}股票上市。公司债券不受影响。"),
    ("ko", "yes", "한국거래소는 {N} 보통주의 상장폐지를 결정했다. 회사채는 영향을 받지 않는다."),
    ("vi", "yes", "HOSE quyết định hủy niêm yết cổ phiếu {N}. Trái phiếu không bị ảnh hưởng."),
    ("tr", "yes", "Borsa İstanbul, {N} paylarının kottan çıkarılmasına karar verdi. Tahviller bundan etkilenmemektedir."),
    ("id", "yes", "BEI menyetujui delisting saham {N}. Obligasi tidak terpengaruh."),
    # what is spared is the listing elsewhere
    ("au", "yes", "Shareholders of {N} voted to delist from the ASX. The NZX listing of the ordinary shares is not affected."),
    ("uk", "yes", "{N}: the cancellation of its listing became effective today. Its ordinary shares listed in Johannesburg are not affected."),
    ("us", "yes", "{N} has notified the NYSE of its intention to voluntarily delist and to file Form 25. The common stock is not affected in Toronto."),
    ("de", "yes", "Die Hauptversammlung der {N} hat das Delisting von der Frankfurter Wertpapierbörse beschlossen. Die Kotierung an der SIX ist davon nicht betroffen."),
    ("ch", "yes", "Die Aktionäre der {N} haben die Dekotierung beschlossen. Die Notierung der Namenaktien in Frankfurt bleibt unberührt."),
    ("fr", "yes", "{N} a demandé et obtenu la radiation de ses titres d'Euronext Paris. La cotation des actions ordinaires à Bruxelles n'est pas affectée."),
    ("es", "yes", "La junta de {N} aprobó la exclusión de la Bolsa de Madrid. La cotización de las acciones en Nueva York no se ve afectada."),
    ("nl", "yes", "Euronext schrapt {N} per 12 mei. De notering van de aandelen in Londen blijft ongewijzigd."),
    ("sv", "yes", "Stämman i {N} beslutade om avnotering från Nasdaq Stockholm. Noteringen i Oslo berörs inte."),
    ("no", "yes", "{N} strykes fra Oslo Børs 12. mai. Noteringen av aksjene på Nasdaq Stockholm påvirkes ikke."),
    ("fi", "yes", "{N} poistetaan Nasdaq Helsingin pörssilistalta 12.5.2020. Päätös ei koske osakkeiden listausta Tukholmassa."),
    ("pl", "yes", "Zarząd Giełdy postanowił wykluczyć z obrotu walory spółki {N}. Nie wpływa to na notowania akcji w Londynie."),
    ("ja", "yes", "東京証券取引所は{N}の上場廃止を決定した。名古屋証券取引所における普通株式の上場に影響はありません。"),
    ("ko", "yes", "한국거래소는 {N}의 상장폐지를 결정했다. 뉴욕증시의 보통주 상장은 영향을 받지 않는다."),
    # not affected until then; something else is not affected
    ("uk", "yes", "{N} has been notified that its listing will be cancelled at its request on 12 May. Ordinary shares are not affected until then."),
    ("de", "yes", "Die {N} hat den Widerruf der Zulassung beantragt und erhalten. Bis dahin ist der Handel in den Inhaberaktien nicht betroffen."),
    ("fr", "yes", "La radiation de {N} d'Euronext Paris interviendra le 12 mai. Jusqu'à cette date, les actions ordinaires ne sont pas touchées."),
    ("vi", "yes", "HOSE quyết định hủy niêm yết {N} từ 12/05/2020. Cho đến ngày đó cổ phiếu không bị ảnh hưởng."),
    ("id", "yes", "BEI menyetujui delisting {N} mulai 12 Mei. Hingga tanggal itu saham biasa tidak terpengaruh."),
    ("zh", "yes", "上交所决定终止{N}上市。在此之前,公司股票交易不受影响。"),
    ("tr", "yes", "Borsa İstanbul, {N} şirketinin kottan çıkarılmasına karar verdi. O tarihe kadar paylar bundan etkilenmeyecektir."),
    ("ar", "yes", "قررت لجنة القيد شطب شركة {N}. ولا تتأثر الأسهم العادية حتى ذلك التاريخ."),
    ("uk", "yes", "The listing of {N} has been cancelled with effect from today at its request. The offer is not affected."),
    ("uk", "yes", "The listing of {N} has been cancelled with effect from today at its request. The rights attached to the ordinary shares are not affected."),
    ("de", "yes", "Die Frankfurter Wertpapierbörse hat die Zulassung der {N} widerrufen. Das Angebot an die Aktionäre ist hiervon nicht betroffen."),
    ("us", "yes", "{N} notified the NYSE that it is delisting and filed Form 25. Holders of common shares are not affected in their rights."),
)  # fmt: skip
RIGHTS = (
    # rights and receipts that run out
    ("qc", "no", "{N} : la négociation des droits sera interrompue à midi et les droits seront radiés de la cote à la clôture. Trois droits permettent de souscrire une action."),
    ("au", "no", "{N}: the entitlements will be removed from quotation at the close on 12 May."),
    ("ca", "no", "{N}: trading in the rights will be halted at noon and the rights will be delisted at the close."),
    ("uk", "no", "{N}: the provisional allotment letters will be delisted at the close on 12 May."),
    ("us", "no", "{N}: the auction rate preferreds will be delisted on redemption on May 12."),
    ("us", "no", "{N}: the auction rate cumulative securities have been delisted on redemption."),
    ("de", "no", "{N}: Die Notierung der Teilrechte wird mit Ablauf des 12. Mai eingestellt."),
    ("nl", "no", "{N}: de rechten worden op 12 mei na beurs van de notering geschrapt."),
    ("be", "no", "{N}: de toewijzingsrechten worden op 12 mei van Euronext Brussels geschrapt."),
    ("it", "no", "{N}: i diritti saranno revocati dalla quotazione dal 12 maggio."),
    ("es", "no", "{N}: los derechos quedarán excluidos de negociación el 12 de mayo."),
    ("pt", "no", "{N}: os direitos serão excluídos da negociação na B3 em 12 de maio."),
    ("sv", "no", "Uniträtterna i {N} avnoteras från Nasdaq Stockholm den 12 maj."),
    ("sv", "no", "Teckningsrätterna i {N} avnoteras från Nasdaq Stockholm den 12 maj."),
    ("no", "no", "Tegningsrettene i {N} strykes fra Oslo Børs den 12. mai."),
    ("da", "no", "Tegningsretterne i {N} slettes fra handel den 12. maj."),
    ("fi", "no", "{N}:n merkintäoikeudet poistetaan pörssilistalta 12.5.2020."),
    ("fi", "no", "{N}:n väliaikaiset osakkeet poistetaan pörssilistalta 12.5.2020."),
    ("pl", "no", "Zarząd Giełdy postanowił wykluczyć z obrotu prawa poboru spółki {N} z dniem 12 maja."),
    ("ja", "no", "東京証券取引所は{N}の新株予約権の上場廃止を決定した。"),
    ("zh", "no", "上交所决定终止{N}配股权证上市。"),
    ("hk", "no", "聯交所宣佈{N}之未繳股款供股權於5月12日撤銷上市。"),
    ("tw", "no", "證交所公告{N}之認股權利證書自5月12日起終止上市。"),
    ("ko", "no", "한국거래소는 {N} 신주인수권증서의 상장폐지를 결정했다."),
    ("id", "no", "BEI menghapus pencatatan HMETD {N} mulai 12 Mei."),
    ("ms", "no", "Hak langganan sementara {N} akan dikeluarkan daripada Senarai Rasmi pada 12 Mei."),
    ("tr", "no", "Borsa İstanbul, {N} rüçhan haklarının kottan çıkarılmasına karar verdi."),
    # the shares themselves, with rights beside them
    ("qc", "yes", "Les actions ordinaires de {N} seront radiées de la cote à la clôture le 12 mai à la demande de la société. Les droits de vote restent inchangés."),
    ("es", "yes", "La CNMV ha acordado la exclusión de negociación de las acciones de {N}, y sus accionistas conservan los derechos económicos."),
    ("it", "yes", "Borsa Italiana ha disposto la revoca dalla quotazione delle azioni {N} dal 12 maggio; i diritti degli azionisti sono tutelati."),
    ("au", "yes", "{N} will be removed from the official list at its request on 12 May. Shareholder entitlements to the dividend will be paid."),
)  # fmt: skip
LISTS = (
    # an entry of a list of the authority: a class with the words "fully paid" behind it
    (
        "uk",
        "no",
        "The Financial Conduct Authority hereby cancels the following securities from the Official List at the request of the company:</p><p>{N} 5.5% Cumulative Preference Shares of £1 each; fully paid",
    ),
    (
        "uk",
        "no",
        "The Financial Conduct Authority hereby cancels the following securities from the Official List at the request of the company:</p><p>{N} Zero Dividend Preference Shares of 1p each; fully paid",
    ),
    (
        "uk",
        "yes",
        "The Financial Conduct Authority hereby cancels the following securities from the Official List at the request of the company:</p><p>{N} Ordinary Shares of 10p each; fully paid",
    ),
)
RELINED = (
    # old series or codes end, and the quotation goes on under another
    ("mx", "no", "{N}: el 20 de mayo se cancelará el listado de las claves ATAM A y ATAM B, y a partir de esa fecha la cotización se llevará con la clave ATAM *."),
    ("uk", "no", "{N}: the quotation of the lines ALDA and ALDB will be cancelled on 12 May and from that day dealings will take place under the code ALD."),
    ("ca", "no", "{N}: the symbols ALD.A and ALD.B will be delisted on May 12; from that date the shares will trade under the symbol ALD."),
    ("fr", "no", "{N} : les lignes MDAN et MDAP seront radiées le 12 mai ; à compter de cette date, la cotation se fera sous le code MDA."),
    ("de", "no", "{N}: Die Notierung der Gattungen WHTA und WHTB wird am 12. Mai eingestellt; ab diesem Tag erfolgt die Notierung unter dem Kürzel WHT."),
    ("nl", "no", "{N}: de notering van de lijnen WAALA en WAALB wordt op 12 mei beëindigd; vanaf die dag wordt gehandeld onder het symbool WAAL."),
    ("it", "no", "{N}: le linee OBRA e OBRB saranno revocate dalla quotazione il 12 maggio; da tale data le negoziazioni avverranno con il codice OBR."),
    ("pt", "no", "{N}: os códigos UPA5 e UPA6 serão excluídos da negociação em 12 de maio, e a partir dessa data a negociação passará a ser feita sob o código UPA3."),
    ("sv", "no", "{N}: serierna NORR A och NORR C avnoteras den 12 maj och från den dagen sker handeln under kortnamnet NORR."),
    ("no", "no", "{N}: tickerne FJVA og FJVB strykes fra notering 12. mai, og fra samme dag handles aksjen under tickeren FJV."),
    ("da", "no", "{N}: koderne BREDA og BREDB slettes fra handel den 12. maj, og fra samme dag handles der under koden BRED."),
    ("fi", "no", "{N}: tunnukset KOSKA ja KOSKB poistetaan pörssilistalta 12.5.2020, ja siitä lähtien kaupankäynti jatkuu tunnuksella KOSK."),
    ("pl", "no", "{N}: kody WARA i WARB zostaną wycofane z obrotu 12 maja, a od tego dnia notowania będą prowadzone pod kodem WAR."),
    ("ja", "no", "{N}:旧コード6397は5月12日に上場廃止となり、同日から売買はコード6398で行われる。"),
    ("zh", "no", "{N}:旧代码600998于5月12日终止上市,自该日起以代码600999继续交易。"),
    ("hk", "no", "{N}:舊股份代號1875將於5月12日撤銷上市,自該日起以股份代號1876繼續買賣。"),
    ("tw", "no", "{N}:舊代號2997自5月12日起終止上市,同日起以代號2998繼續買賣。"),
    ("ko", "no", "{N}: 기존 종목코드 099980은 5월 12일 상장폐지되고, 같은 날부터 종목코드 099990으로 거래가 계속된다."),
    ("vi", "no", "{N}: mã cũ TSA sẽ hủy niêm yết ngày 12/05 và kể từ ngày đó cổ phiếu tiếp tục giao dịch với mã TSL."),
    ("id", "no", "{N}: kode lama SMKA dihapus dari pencatatan (delisting) pada 12 Mei dan sejak tanggal itu perdagangan berlanjut dengan kode SMKR."),
    ("ms", "no", "{N}: kod lama GTA akan dikeluarkan daripada Senarai Rasmi pada 12 Mei dan mulai tarikh itu dagangan diteruskan di bawah kod GTB."),
    ("tr", "no", "{N}: ACARA ve ACARB kodları 12 Mayıs'ta kottan çıkarılacak, bu tarihten itibaren işlemler ACARK koduyla sürecektir."),
    ("ar", "no", "{N}: يتم شطب الكود القديم DNSA في 12 مايو ويستمر التداول من ذلك التاريخ بالكود DNSC."),
    # a code elsewhere is no code here
    ("us", "yes", "{N}: the symbols ALD and ALDA have been delisted from the NYSE; from that date the shares trade on the OTC market under the symbol ALDW."),
    ("us", "yes", "{N}: the symbol ALD will be delisted from the NYSE on May 12 at its request; from that date the shares will trade on the OTC market under the symbol ALDW."),
    ("us", "yes", "{N} has been delisted from the NYSE. From that date its shares trade under the symbol ALDWQ on the pink sheets."),
    ("uk", "yes", "{N}: the listing on the Official List will be cancelled on 12 May at its request and from that day dealings will take place on AIM under the code ALD."),
    ("mx", "yes", "{N}: el 20 de mayo se cancelará el listado de la clave ATAM en la Bolsa Mexicana de Valores por acuerdo de la asamblea."),
    ("de", "yes", "{N}: Die Notierung der Aktien im regulierten Markt wird auf Antrag am 12. Mai eingestellt; ab diesem Tag erfolgt die Notierung im Freiverkehr unter dem Kürzel WHT."),
    ("fr", "yes", "{N} : les actions seront radiées d'Euronext Paris le 12 mai ; à compter de cette date, la cotation se fera sur Euronext Growth sous le code ALMDA."),
)  # fmt: skip
CASES = (*SPARED, *RIGHTS, *LISTS, *RELINED)


@pytest.mark.parametrize(("market", "expected", "text"), CASES, ids=[f"{m} {text[:60]}" for m, _, text in CASES])
def test_unaffected(market: str, expected: str, text: str) -> None:
    """The status for a notice that says nothing else."""
    assert answer(market, text) == expected


CLOSES = (
    "<p>The Board of Trustees of Wenlock ETF Trust has approved the liquidation of two of its funds. May 22, 2020 will be the last day of trading.</p>"
    "<p>{} of the Trust, including the flagship Dividend Achievers Large Cap (WDLC) and Dividend Achievers Mid Cap (WDMC), are not affected and continue to be managed as before.</p>"
)
SUSPENDS = (
    "<p>The following Exchange Traded Products will be suspended from trading on NYSE Arca. Subsequently the Exchange will file Form 25.</p>"
    "<table><tr><th>Symbol</th><th>Product</th><th>Reason</th></tr>{}</table>"
    "<p>Change of name: WDMC, from Wenlock Mid Income ETF to Wenlock Dividend Mid Cap ETF. No change in symbol.</p>"
)
ROW = "<tr><td>{}</td><td>{}</td><td>Liquidation</td></tr>"
FUNDS = (
    ("no", CLOSES.format("The other funds")),
    ("no", SUSPENDS.format(ROW.format("WDEU", "Wenlock Dividend Europe ETF") + ROW.format("CWTR", "Clearwater Global Water ETN"))),
    ("yes", SUSPENDS.format(ROW.format("WDEU", "Wenlock Dividend Europe ETF") + ROW.format("WDMC", "Wenlock Dividend Mid Cap ETF"))),
)


@pytest.mark.parametrize(("expected", "text"), FUNDS)
def test_fund_that_goes_on(expected: str, text: str) -> None:
    """The listing's own fund, named as one that goes on or only in a note below a list, wins over the name of its trust."""
    listing = factories.listing(
        issuer="Wenlock ETF Trust",
        mic="ARCX",
        country="US",
        ticker="WDMC",
        security="Wenlock Dividend Mid Cap ETF",
        security_type="fund",
        venue="",
    )
    body = f"<html><body><p>May 4, 2020</p>{text}</body></html>"
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected

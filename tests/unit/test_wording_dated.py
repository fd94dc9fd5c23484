"""The day of announcement beside the other days of a notice, release or filing: meetings, decisions, last trading, the end itself."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_traps import MARKETS, POLICY

# market, day of announcement, body of a page; {N} is the issuer
NOTICES = (
    ("uk", "2019-03-14", "<article><h1>Cancellation of admission</h1><p>RNS Number : 1234X</p><p>{N}</p><p>14 March 2019</p><p>{N} announces that its admission to trading will be cancelled with effect from 7.00 a.m. on 15 April 2019, as approved by shareholders at the meeting on 13 March 2019.</p></article>"),
    ("us", "2018-06-05", "<h1>{N} to be delisted</h1><p>HARTFORD, Conn., June 5, 2018 /PRNewswire/ -- {N} (NYSE: ALD) announced that the NYSE has determined to commence proceedings to delist its common stock. Trading was suspended on June 4, 2018. The notice was received on June 4, 2018.</p>"),
    ("de", "2017-11-02", "<p>DGAP-Ad-hoc: {N} / Schlagwort(e): Delisting</p><p>02.11.2017 / 18:45 CET/CEST</p><p>Der Vorstand der {N} hat heute mit Zustimmung des Aufsichtsrats beschlossen, den Widerruf der Zulassung der Aktien zum regulierten Markt der Frankfurter Wertpapierbörse zu beantragen. Das Delisting-Angebot soll bis zum 15.01.2018 laufen.</p>"),
    ("ja", "2019-02-14", "<p>2019年2月14日</p><p>各位</p><p>会社名 {N}</p><p>当社は、本日開催の取締役会において、株式の上場廃止申請を行うことを決議いたしました。上場廃止日は2019年3月29日の予定です。</p>"),
    ("ja", "2019-05-14", "<p>令和元年5月14日</p><p>{N}</p><p>東京証券取引所は、当社株式を2019年6月15日をもって上場廃止とすることを決定しました。</p>"),
    ("tw", "2018-11-12", "<p>中華民國107年11月12日</p><p>{N}</p><p>臺灣證券交易所公告：本公司股票自107年12月24日起終止上市。</p>"),
    ("ko", "2018-09-19", "<p>2018-09-19</p><p>한국거래소 코스피시장본부</p><p>{N} 보통주 상장폐지 결정. 정리매매기간 2018.09.28~2018.10.11, 상장폐지일 2018.10.12.</p>"),
    ("zh", "2019-05-17", "<p>关于{N}股票终止上市的公告</p><p>上海证券交易所决定终止{N}股票上市。退市整理期自2019年5月27日起。</p><p>上海证券交易所<br>二〇一九年五月十七日</p>"),
    ("it", "2018-04-09", "<p>Milano, 9 aprile 2018 - Borsa Italiana, con provvedimento n. 8456 del 6 aprile 2018, ha disposto la revoca dalla quotazione delle azioni ordinarie {N} a decorrere dal 12 aprile 2018.</p>"),
    ("es", "2019-07-03", "<p>HECHO RELEVANTE</p><p>Madrid, a 3 de julio de 2019</p><p>La Junta General de {N} celebrada el 28 de junio de 2019 acordó solicitar la exclusión de negociación de las acciones; se comunica hoy.</p>"),
    ("pt", "2017-08-10", "<p>FATO RELEVANTE</p><p>{N} comunica que a CVM deferiu, em 9 de agosto de 2017, o cancelamento de seu registro de companhia aberta. As ações deixam de ser negociadas em 14/08/2017.</p><p>São Paulo, 10 de agosto de 2017.</p>"),
    ("sv", "2019-10-24", "<p>Pressmeddelande den 24 oktober 2019</p><p>Nasdaq Stockholm har godkänt {N}s ansökan om avnotering. Sista dag för handel är den 7 november 2019. Ansökan lämnades den 21 oktober 2019.</p>"),
    ("no", "2018-01-31", "<p>Oslo Børs - Børsvedtak</p><p>31.01.2018 16:04</p><p>Oslo Børs har i dag vedtatt å stryke aksjene i {N} fra notering. Siste noteringsdag blir 28. februar 2018.</p>"),
    ("da", "2016-06-27", "<p>Selskabsmeddelelse nr. 14/2016</p><p>27. juni 2016</p><p>Nasdaq Copenhagen har dags dato besluttet at slette aktierne i {N} fra handel. Sidste handelsdag er den 11. juli 2016.</p>"),
    ("fi", "2018-02-02", "<p>{N} PÖRSSITIEDOTE 2.2.2018 klo 12:00</p><p>Nasdaq Helsinki Oy:n listauskomitea on päättänyt, että {N}:n osakkeet poistetaan pörssilistalta 1.3.2018.</p>"),
    ("nl", "2018-10-05", "<p>Amsterdam, 5 oktober 2018</p><p>Euronext heeft ingestemd met de beëindiging van de notering van de aandelen {N}. De laatste handelsdag is 2 november 2018.</p>"),
    ("pl", "2017-03-30", "<p>Raport bieżący nr 12/2017</p><p>Data sporządzenia: 2017-03-30</p><p>Zarząd {N} informuje, że w dniu 29 marca 2017 r. Komisja Nadzoru Finansowego udzieliła zezwolenia na wycofanie akcji z obrotu na rynku regulowanym; decyzję doręczono spółce 30 marca 2017 r.</p>"),
    ("tr", "2019-12-20", "<p>KAP - 20.12.2019 17:45</p><p>{N} Yönetim Kurulu'nun 19.12.2019 tarihli toplantısında payların borsa kotundan çıkarılması için başvuru yapılmasına karar verilmiştir.</p>"),
    ("hk", "2018-12-07", "<p>二零一八年十二月七日</p><p>{N}</p><p>聯交所上市委員會已決定取消本公司之上市地位，股份最後上市日為二零一八年十二月二十日。</p>"),
    ("in", "2018-05-11", "<p>NOTICE NO. 20180511-27</p><p>Notice Date: Friday, May 11, 2018</p><p>Trading members are informed that the equity shares of {N} (Scrip Code 532999) are compulsorily delisted w.e.f. May 14, 2018.</p>"),
    ("ca", "2019-01-22", "<p>TORONTO, Jan. 22, 2019 (GLOBE NEWSWIRE) -- {N} (TSX: ALD) announced that the Toronto Stock Exchange has determined to delist its common shares effective at the close of market on February 20, 2019.</p>"),
    ("id", "2019-09-17", "<p>Pengumuman No. Peng-DEL-00005/BEI.PP1/09-2019</p><p>Jakarta, 17 September 2019</p><p>Bursa Efek Indonesia menghapuskan pencatatan saham {N} yang berlaku efektif pada tanggal 18 Oktober 2019.</p>"),
    ("vi", "2019-04-12", "<p>Ngày 12/04/2019</p><p>Sở Giao dịch Chứng khoán TP.HCM quyết định hủy niêm yết cổ phiếu {N} kể từ ngày 10/05/2019.</p>"),
)  # fmt: skip


@pytest.mark.parametrize(("market", "day", "body"), NOTICES)
def test_announced(market: str, day: str, body: str) -> None:
    """One page is all there is: its own day counts, and none of those that it speaks of."""
    issuer, mic, country, ticker, _, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    text = f"<html><body>{body}</body></html>".replace("{N}", issuer)
    page = extract(text.encode(), "text/html", "https://example-site.example/a.html", digest="sha256:1")
    assert str(adjudicate(listing, [page], POLICY).announcement_date) == day

"""First announcements in indirect words or places: results told in short, days that are pointed at, rows of a notice, answers to a
decision that was published before; and reasons told beside the step."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_reasons import answer
from tests.unit.test_wording_traps import MARKETS

WIRE, EXCHANGE = "https://www.globenewswire.com/news-release/a.html", "https://exchange-notices.example/a.html"
# results of a meeting: all items were carried, one of them ends the listing
RESULTS = (
    ('uk', 'yes', "{N}: Results of Annual General Meeting\nThe Annual General Meeting of {N} was held today.\nAll resolutions were carried in accordance with the Board's recommendation, resolution 14 (cancellation of listing) with 91.2% of the votes cast."),
    ('uk', 'yes', '{N}: AGM Results\nAt the AGM held today all items were passed as proposed by the Board, including item 9 (delisting from the London Stock Exchange).'),
    ('no', 'yes', '{N}: Ekstraordinær generalforsamling avholdt\nSamtlige forslag fra styret ble vedtatt, herunder sak 5 (avnotering fra Oslo Børs).'),
    ('no', 'yes', '{N}: Protokoll fra generalforsamling\nAlle saker på dagsordenen ble godkjent slik styret hadde foreslått, deriblant sak 6 om strykning av aksjene fra Oslo Børs.'),
    ('sv', 'yes', '{N}: Kommuniké från årsstämma\nStämman beslutade i enlighet med styrelsens samtliga förslag, däribland punkt 15 (avnotering från Nasdaq Stockholm).'),
    ('sv', 'yes', '{N}: Kommuniké från extra bolagsstämma\nSamtliga ärenden bifölls enligt styrelsens förslag, punkt 8 (ansökan om avnotering av aktierna) med 92 procent av rösterna.'),
    ('da', 'yes', '{N}: Forløb af generalforsamling\nAlle punkter blev vedtaget i overensstemmelse med bestyrelsens forslag, punkt 7 (sletning fra Nasdaq Copenhagen) med 93 % af stemmerne.'),
    ('da', 'yes', '{N}: Generalforsamling afholdt\nSamtlige forslag på dagsordenen blev vedtaget, herunder punkt 6 c (afnotering af aktierne).'),
    ('fi', 'yes', '{N}: Varsinaisen yhtiökokouksen päätökset\nYhtiökokous hyväksyi kaikki asiat hallituksen ehdotuksen mukaisesti, myös asian 16 (osakkeiden poistaminen Nasdaq Helsingin pörssilistalta).'),
    ('de', 'yes', '{N}: Ergebnis der Hauptversammlung\nSämtliche Tagesordnungspunkte wurden gemäß dem Vorschlag der Verwaltung angenommen, TOP 9 (Delisting) mit 94,1 % der Stimmen.'),
    ('ch', 'yes', '{N}: Ergebnisse der Generalversammlung\nAlle Anträge des Verwaltungsrats wurden angenommen, Traktandum 7 (Dekotierung der Namenaktien) mit 91 % der Stimmen.'),
    ('fr', 'yes', "{N} : résultats de l'assemblée générale\nToutes les résolutions ont été adoptées conformément aux propositions du conseil, la 12e (retrait de la cote d'Euronext Paris) à 93,4 % des voix."),
    ('es', 'yes', '{N}: acuerdos de la junta general\nTodos los puntos fueron aprobados conforme a la propuesta del consejo, el punto 7 (exclusión de negociación de las acciones) con el 95 % de los votos.'),
    ('pt', 'yes', '{N}: resultado da assembleia geral\nTodos os itens foram aprovados nos termos da proposta da administração, inclusive o item 4 (saída da B3 com cancelamento da listagem).'),
    ('it', 'yes', "{N}: esito dell'assemblea\nTutti i punti sono stati approvati in conformità alla proposta del consiglio, il punto 5 (revoca dalla quotazione) con il 92% dei voti."),
    ('nl', 'yes', '{N}: uitslag algemene vergadering\nAlle agendapunten zijn overeenkomstig het voorstel van het bestuur aangenomen, punt 8 (beëindiging van de notering aan Euronext Amsterdam) met 92% van de stemmen.'),
    ('pl', 'yes', '{N}: uchwały podjęte przez walne zgromadzenie\nWszystkie uchwały podjęto zgodnie z propozycją zarządu, w tym uchwałę nr 7 (wycofanie akcji z obrotu na rynku regulowanym).'),
    ('ja', 'yes', '{N}:臨時株主総会の結果\n議案はすべて取締役会の提案どおり承認可決されました(第3号議案:上場廃止の申請)。'),
    ('zh', 'yes', '{N}股东大会决议公告\n全部议案均按董事会提案审议通过,其中第5项(主动终止上市)获93%赞成。'),
    ('ko', 'yes', '{N} 임시주주총회 결과\n제1호 의안(자진 상장폐지의 건)을 포함한 모든 안건이 원안대로 가결되었습니다.'),
    ('vi', 'yes', '{N}: Nghị quyết đại hội đồng cổ đông\nĐại hội đã thông qua toàn bộ các tờ trình theo đề xuất của Hội đồng quản trị, trong đó có nội dung 6 (hủy niêm yết tự nguyện cổ phiếu) với tỷ lệ 93%.'),
    ('tr', 'yes', '{N}: Genel kurul sonucu\nTüm gündem maddeleri yönetim kurulunun önerisi doğrultusunda kabul edildi; 8. madde (paylarımızın borsa kotundan çıkarılması) %94 oyla kabul edildi.'),
    ('id', 'yes', '{N}: Hasil rapat umum pemegang saham\nSeluruh mata acara disetujui sesuai usulan Direksi, termasuk mata acara 3 (penghapusan pencatatan saham secara sukarela).'),
    ('no', 'no', '{N}: Innkalling til generalforsamling\nStyret foreslår at alle saker vedtas i samsvar med forslagene, også sak 11 (strykning fra Oslo Børs).'),
    ('no', 'no', '{N}: Generalforsamling avholdt\nAlle saker ble vedtatt i samsvar med styrets forslag, unntatt sak 11 (strykning fra Oslo Børs), som falt.'),
    ('no', 'no', '{N}: Generalforsamling avholdt\nAlle saker ble vedtatt i samsvar med styrets forslag, men sak 11 (strykning fra Oslo Børs) ble trukket.'),
    ('sv', 'no', '{N}: Kommuniké från årsstämma\nStämman beslutade i enlighet med styrelsens förslag, förutom punkt 15 (avnotering från Nasdaq Stockholm) som bordlades.'),
    ('uk', 'no', "{N}: AGM Results\nAll resolutions were passed in line with the Board's recommendation except resolution 14 (cancellation of listing), which was not carried."),
    ('de', 'no', '{N}: Ergebnis der Hauptversammlung\nAlle Punkte wurden gemäß dem Vorschlag der Verwaltung angenommen mit Ausnahme von TOP 9 (Delisting), der abgelehnt wurde.'),
    ('fr', 'no', "{N} : résultats de l'assemblée\nToutes les résolutions ont été adoptées conformément aux propositions du conseil, sauf la 12e (retrait de la cote d'Euronext Paris)."),
    ('da', 'no', '{N}: Forløb af generalforsamling\nAlle punkter blev vedtaget i overensstemmelse med bestyrelsens forslag bortset fra punkt 7 (sletning fra Nasdaq Copenhagen).'),
    ('it', 'no', "{N}: esito dell'assemblea\nTutti i punti sono stati approvati in conformità alla proposta del consiglio, ad eccezione del punto 5 (revoca dalla quotazione)."),
    ('es', 'no', '{N}: acuerdos de la junta\nTodos los puntos fueron aprobados conforme a la propuesta del consejo, salvo el punto 7 (exclusión de negociación).'),
    ('de', 'no', '{N}: Delisting\nDer Vorstand hat beschlossen, der Hauptversammlung gemäß dem Vorschlag des Aufsichtsrats das Delisting zur Abstimmung vorzulegen.'),
    ('uk', 'no', "{N}: AGM Results\nAll resolutions were passed, including resolution 15 (authority to apply for cancellation of listing at the board's discretion)."),
    ('no', 'no', '{N}: Generalforsamling avholdt\nAlle saker ble vedtatt i samsvar med styrets forslag, også sak 4 (orientering om strykning fra Oslo Børs).'),
)  # fmt: skip
# titles that leave a market on a day, or on a day that is pointed at
LEAVING = (
    ('de', 'yes', 'Bekanntmachungen der Geschäftsführung\nDem Ersuchen der {N} wurde entsprochen. Die Aktien scheiden mit Ablauf des 29.10.2020 aus dem Regulierten Markt der Frankfurter Wertpapierbörse aus.'),
    ('de', 'yes', 'Bekanntmachung\nDie Aktien der {N} gehören ab dem 2. November 2020 nicht mehr dem Regulierten Markt der Frankfurter Wertpapierbörse an.'),
    ('de', 'yes', 'Bekanntmachung\nMit Ablauf des 29. Oktober 2020 scheidet die Aktie der {N} aus der Notierung im Regulierten Markt aus.'),
    ('ja', 'yes', 'お知らせ\n{N}の株式は2020年5月29日をもって東京証券取引所の上場銘柄から外れます。'),
    ('ko', 'yes', '안내\n{N} 보통주는 2020년 5월 29일부로 유가증권시장을 떠난다.'),
    ('de', 'no', 'Bekanntmachung\nDie Aktien der {N} scheiden mit Ablauf des 19.06.2020 aus dem SDAX aus.'),
    ('de', 'no', 'Pressemitteilung\nDr. Heinz Brandt scheidet zum 31. Mai 2020 aus dem Vorstand der {N} aus, deren Aktien im Regulierten Markt notiert sind.'),
    ('de', 'no', 'Bekanntmachung\nDie alten Aktien der {N} scheiden nach der Zusammenlegung am 19. Juni 2020 aus dem Regulierten Markt aus; an ihre Stelle treten die neuen Aktien (ISIN DE000A2BPXK1).'),
    ('de', 'no', 'Bekanntmachung\nDie Aktien der {N} scheiden am 19. Juni 2020 aus dem Prime Standard aus und werden ab dem 22. Juni 2020 im General Standard notiert.'),
    ('de', 'no', 'Bekanntmachung\nDie 5%-Anleihe der {N} scheidet am 19. Juni 2020 aus dem Regulierten Markt aus.'),
    ('uk', 'no', 'Notice\nThe ordinary shares of {N} will leave the FTSE 250 with effect from 1 June 2020.'),
    ('sv', 'no', 'Meddelande\n{N} lämnar OMX Stockholm 30-index den 29 maj 2020.'),
    ('sv', 'no', 'Meddelande\nVd Anna Berg lämnar {N} den 29 maj 2020.'),
    ('it', 'no', 'Avviso\nLe azioni {N} usciranno dal FTSE MIB a decorrere dal 29 maggio 2020.'),
    ('es', 'yes', 'CNMV - {N}\nLa venta forzosa se ejecutará el 20 de mayo de 2020, quedando excluidas de negociación las acciones de {N} en esa fecha.'),
    ('nl', 'yes', 'AFM - {N}\nDe uitkoop wordt op 20 mei 2020 uitgevoerd, waarbij Euronext Amsterdam de aandelen {N} op die dag van de notering verwijdert.'),
    ('fr', 'no', "220C1111 - {N} (Euronext Paris)\nL'initiateur a l'intention de demander la mise en œuvre d'un retrait obligatoire, Euronext Paris radiant alors les actions."),
    ('fr', 'no', "220C1111 - {N} (Euronext Paris)\nSi les conditions sont réunies, les actions non présentées seront transférées à l'initiateur, Euronext Paris radiant les actions à la même date."),
    ('fr', 'no', "220C1111 - {N} (Euronext Paris)\n1. L'offre sera ouverte du 5 mai au 20 mai 2020.\n2. Les actions apportées seront transférées à l'initiateur le 27 mai 2020."),
    ('fr', 'no', '220C1111 - {N} (Euronext Paris)\nEuronext Paris radiant les BSA 2021 le 20 mai 2020, seules les actions {N} resteront cotées.'),
    ('fr', 'no', "220C1111 - {N} (Euronext Paris)\nL'assemblée a approuvé une régularisation au registre, radiant l'hypothèque inscrite sur l'immeuble au 20 mai 2020."),
    ('fr', 'yes', '220C1111 - {N} (Euronext Paris)\nLa cotation est suspendue et ne reprendra pas, les titres étant radiés de la cote le 20 mai 2020.'),
    ('it', 'yes', 'Comunicato - {N}\nLe azioni saranno sospese nelle sedute del 18 e 19 maggio e revocate dalla quotazione dal 20 maggio 2020.'),
    ('de', 'yes', 'Mitteilung - {N}\nDer Handel ist ausgesetzt; er wird nicht wieder aufgenommen, die Börse widerruft die Zulassung der Aktien zum 20. Mai 2020.'),
    ('sv', 'yes', 'Meddelande - {N}\nInlösen genomförs den 20 maj 2020. Handeln i aktien är stoppad och aktierna försvinner från Nasdaq Stockholm samma dag.'),
    ('it', 'no', 'Comunicato - {N}\nLe azioni sono sospese dalle negoziazioni dal 18 maggio 2020 in attesa di una decisione sulla revoca dalla quotazione.'),
    ('uk', 'no', 'Notice - {N}\nTrading in the shares is suspended from 18 May 2020; the company has until then to publish accounts or face delisting on that date.'),
)  # fmt: skip
# market, expected reason, lines
REASONS = (
    ('de', 'voluntary', 'Bekanntmachungen der Geschäftsführung\nDem Ersuchen der {N} wurde entsprochen. Die Aktien scheiden mit Ablauf des 29.10.2020 aus dem Regulierten Markt der Frankfurter Wertpapierbörse aus.'),
    ('uk', 'voluntary', 'Exchange notice\nThe request of {N} is granted. The shares will drop out of the Main Market at the close of business on 29 May 2020.'),
    ('fr', 'voluntary', "Avis\nIl est fait droit à la demande de {N}. Les actions sortiront du marché réglementé d'Euronext Paris le 29 mai 2020 au soir."),
    ('es', 'voluntary', 'Aviso\nSe atiende la petición de {N}. Las acciones saldrán del mercado continuo el 29 de mayo de 2020.'),
    ('it', 'voluntary', 'Avviso\nLa richiesta di {N} è accolta. Le azioni usciranno da Euronext Milan a decorrere dal 29 maggio 2020.'),
    ('pt', 'voluntary', 'Aviso\nDeferido o pedido da {N}. As ações deixarão o pregão da B3 em 29 de maio de 2020.'),
    ('nl', 'voluntary', 'Bericht\nAan het verzoek van {N} is voldaan. De aandelen verdwijnen per 29 mei 2020 van Euronext Amsterdam.'),
    ('sv', 'voluntary', 'Börsmeddelande\nBolagets begäran har bifallits. Aktierna i {N} lämnar Nasdaq Stockholm den 29 maj 2020.'),
    ('no', 'voluntary', 'Børsmelding\nSelskapets anmodning er innvilget. Aksjene i {N} går ut av Oslo Børs 29. mai 2020.'),
    ('da', 'voluntary', 'Meddelelse\nAnmodningen er imødekommet. Aktierne i {N} udgår af handlen på Nasdaq Copenhagen den 29. maj 2020.'),
    ('fi', 'voluntary', 'Tiedote\nPyyntöön on suostuttu. {N}:n osakkeet poistuvat Nasdaq Helsingin pörssilistalta 29.5.2020.'),
    ('pl', 'voluntary', 'Komunikat\nWniosek spółki {N} uwzględniono. Akcje opuszczą rynek podstawowy GPW z dniem 29 maja 2020 r.'),
    ('ch', 'voluntary', 'Mitteilung\nDem Gesuch der {N} wird entsprochen. Die Namenaktien scheiden am 29. Mai 2020 aus dem Hauptsegment der SIX Swiss Exchange aus.'),
    ('uk', 'noncompliance', 'Exchange notice\nThe request of {N} for more time is refused. The shares will drop out of the Main Market at the close of business on 29 May 2020.'),
    ('de', 'noncompliance', 'Bekanntmachung\nDem Gesuch der {N} um Fristverlängerung wird nicht entsprochen. Die Aktien scheiden am 29. Mai 2020 aus dem Regulierten Markt der Frankfurter Wertpapierbörse aus.'),
    ('ko', 'transfer', '시장조치 안내\n한국거래소는 {N} 보통주의 유가증권시장 상장폐지와 코스닥시장 신규상장을 4일 결정하였다.'),
    ('ko', 'transfer', '유가증권시장본부 시장조치 안내\n종목 | 내용\n{N}(099990) | 상장규정에 따른 상장폐지 결정. 사유: 코스닥시장 상장. 폐지일 2020.5.8'),
    ('ko', 'transfer', '유가증권시장본부 시장조치 안내\n종목 | 내용\n{N}(099990) | 상장규정 제40조에 의한 폐지 결정. 사유: 코스닥시장 상장. 폐지일 2020.5.8'),
    ('ko', 'noncompliance', '유가증권시장본부 시장조치 안내\n종목 | 내용\n{N}(099990) | 상장규정 제48조에 의한 폐지 결정. 사유: 감사의견 거절. 폐지일 2020.5.8'),
    ('ja', 'transfer', '上場廃止等の決定\n東京証券取引所は{N}の株式の上場廃止と、名古屋証券取引所への新規上場に伴う取扱いを決定しました。上場廃止日は2020年5月8日です。'),
    ('uk', 'transfer', 'Exchange notice\nThe London Stock Exchange has decided on the cancellation of admission of the ordinary shares of {N} and their admission to AIM, both effective 8 May 2020.'),
    ('de', 'transfer', 'Bekanntmachung\nDie Geschäftsführung hat den Widerruf der Zulassung der Aktien der {N} zum Regulierten Markt und ihre Einbeziehung in den Freiverkehr mit Ablauf des 8. Mai 2020 beschlossen.'),
    ('fr', 'transfer', "Avis\nEuronext a décidé la radiation des actions {N} d'Euronext Paris et leur admission sur Euronext Growth le 8 mai 2020."),
    ('it', 'transfer', "Avviso\nBorsa Italiana ha disposto la revoca delle azioni {N} da Euronext Milan e l'ammissione su Euronext Growth Milan dall'8 maggio 2020."),
    ('sv', 'transfer', 'Börsmeddelande\nNasdaq Stockholm har beslutat om avnotering av aktierna i {N} och upptagande till handel på First North från den 8 maj 2020.'),
    ('tw', 'transfer', '公告\n臺灣證券交易所決定{N}股票終止上市並轉至櫃檯買賣中心掛牌,自2020年5月8日起生效。'),
    ('vi', 'transfer', 'Thông báo\nHOSE quyết định hủy niêm yết cổ phiếu {N} và cổ phiếu được niêm yết trên HNX từ ngày 08/05/2020.'),
    ('uk', 'noncompliance', 'Exchange notice\nThe London Stock Exchange has decided on the cancellation of admission of the ordinary shares of {N} for failure to publish accounts. Admission to AIM of 3 other companies takes place on 8 May 2020.'),
    ('ko', 'noncompliance', '시장조치 안내\n한국거래소는 {N} 보통주의 상장폐지를 결정하였다. 사유: 감사의견 거절. 코스닥시장 신규상장 1사.'),
    ('de', 'voluntary', 'Bekanntmachungen\nEmittent | Gegenstand\nAllerberg Energie AG | Einstellung der Notierung wegen Verschmelzung\nDem Wunsch der {N} wird entsprochen. Die Aktien scheiden mit Ablauf des 29.10.2020 aus dem Regulierten Markt der Frankfurter Wertpapierbörse aus.'),
    ('uk', 'noncompliance', 'Notice\nThe request of {N} for an extension was granted in March. The listing of its shares is now cancelled for failure to publish accounts.'),
)  # fmt: skip
# market, labelled day, an item that tells of an earlier day, the step
LABELS = (
    ('pt', 'Publicado em | 4 de maio de 2020', '2. A liquidação ocorreu em 29 de abril de 2020.', 'A B3 decidiu cancelar a listagem da {N}.'),
    ('fr', 'Publiée le | 4 mai 2020', '2. Le règlement est intervenu le 29 avril 2020.', 'Euronext a décidé la radiation des actions {N}.'),
    ('de', 'Veröffentlicht am | 4. Mai 2020', '2. Die Zahlung erfolgte am 29. April 2020.', 'Die Börse hat die Zulassung der Aktien der {N} widerrufen.'),
    ('it', 'Pubblicato il | 4 maggio 2020', '2. Il pagamento è avvenuto il 29 aprile 2020.', 'Borsa Italiana ha disposto la revoca dalla quotazione delle azioni {N}.'),
    ('es', 'Publicado el | 4 de mayo de 2020', '2. La liquidación tuvo lugar el 29 de abril de 2020.', 'La CNMV ha acordado excluir de negociación las acciones de {N}.'),
    ('nl', 'Gepubliceerd op | 4 mei 2020', '2. De betaling vond plaats op 29 april 2020.', 'Euronext heeft besloten de notering van de aandelen {N} te beëindigen.'),
    ('sv', 'Publicerad den | 4 maj 2020', '2. Likviden betalades den 29 april 2020.', 'Nasdaq Stockholm har beslutat att avnotera aktierna i {N}.'),
    ('da', 'Offentliggjort den | 4. maj 2020', '2. Afregning skete den 29. april 2020.', 'Nasdaq Copenhagen har besluttet at slette aktierne i {N} fra handel.'),
    ('pl', 'Opublikowano dnia | 4 maja 2020', '2. Rozliczenie nastąpiło 29 kwietnia 2020 r.', 'Zarząd GPW wykluczył akcje {N} z obrotu giełdowego.'),
    ('uk', 'Issued on | 4 May 2020', '2. Settlement took place on 29 April 2020.', 'The FCA has cancelled the listing of the ordinary shares of {N}.'),
    ('ko', '게시일 | 2020년 5월 4일', '2. 대금은 2020년 4월 29일 지급되었다.', '한국거래소는 {N}의 상장폐지를 결정하였다.'),
    ('zh', '发布于 | 2020年5月4日', '2. 款项已于2020年4月29日支付。', '上海证券交易所决定终止{N}股票上市。'),
)  # fmt: skip
# market, day, an answer to a decision that was published before, or an act of its own
ANSWERS = (
    ('ch', '2020-05-03', 'Die {N} nimmt die gestern veröffentlichte Verfügung zur Dekotierung ihrer Namenaktien zur Kenntnis.'),
    ('de', '2020-05-03', 'Die {N} nimmt die gestern bekanntgemachte Entscheidung der Börse zur Kenntnis, die Zulassung der Aktien zu widerrufen.'),
    ('uk', '2020-05-03', '{N} notes the decision of the FCA, published yesterday, to cancel the listing of its ordinary shares.'),
    ('nl', '2020-05-03', '{N} neemt kennis van het gisteren gepubliceerde besluit van Euronext om de notering van haar aandelen te beëindigen.'),
    ('no', '2020-05-03', '{N} tar til etterretning vedtaket, offentliggjort i går, om å stryke selskapets aksjer fra Oslo Børs.'),
    ('uk', '2020-05-04', '{N} notes the offer announced yesterday and has today applied for the cancellation of the listing of its ordinary shares.'),
    ('us', '2020-05-04', 'As announced on April 30, 2020, {N} is reviewing its options; the board has decided today to delist the common stock from the NYSE.'),
    ('de', '2020-05-04', 'Die {N} hat heute den Widerruf der Zulassung beantragt, wie gestern angekündigt.'),
    ('uk', '2020-05-04', '{N} notes the offer announced yesterday and its board has resolved to cancel the listing of its ordinary shares on the London Stock Exchange.'),
)  # fmt: skip


def ids(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Short names of rows."""
    return [f"{n} {row[0]} {row[1][:10]}" for n, row in enumerate(rows)]


def dated(market: str, text: str) -> str:
    """A text under the day of its market."""
    return f"{MARKETS[market][4]}\n{text}"


@pytest.mark.parametrize(("market", "status", "text"), RESULTS, ids=ids(RESULTS))
def test_results_told_in_short(market: str, status: str, text: str) -> None:
    """What is carried "as proposed" is decided; exceptions, authorities and what a board only recommends are not."""
    assert answer(market, (WIRE, dated(market, text))).partition(" ")[0] == status


@pytest.mark.parametrize(("market", "status", "text"), LEAVING, ids=ids(LEAVING))
def test_leaves_on_a_day(market: str, status: str, text: str) -> None:
    """Beside a suspension, and on a day named before; an index, an office, a line and another class leave no listing."""
    assert answer(market, (EXCHANGE, dated(market, text))).partition(" ")[0] == status


@pytest.mark.parametrize(("market", "reason", "text"), REASONS, ids=ids(REASONS))
def test_reason_told_elsewhere(market: str, reason: str, text: str) -> None:
    """A request that is granted, an admission decided with the end, and not the rows of other issuers."""
    assert answer(market, (EXCHANGE, dated(market, text))).split()[::2] == ["yes", reason]


@pytest.mark.parametrize(("market", "label", "told", "act"), LABELS, ids=ids(LABELS))
def test_labelled_day(market: str, label: str, told: str, act: str) -> None:
    """A label with its preposition gives the day of a notice, and an item of its list does not."""
    found = answer(market, ("https://notices.example/a.html", f"{label}\nRef | 70696/19\n{told}\n3. {act}"))
    assert found.split()[:2] == ["yes", "2020-05-04"]


@pytest.mark.parametrize(("market", "day", "text"), ANSWERS, ids=ids(ANSWERS))
def test_answer_to_a_decision(market: str, day: str, text: str) -> None:
    """The publication counts, not the answer; what an issuer does itself is of its own day."""
    assert answer(market, (WIRE, dated(market, text))).split()[:2] == ["yes", day]

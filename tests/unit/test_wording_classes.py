"""Other securities of the issuer that leave, in the languages of the markets: converted classes, old lines, notes, rights, warrants, receipts."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_traps import answer

# market, text of a release about {N}
CASES = (
    ("de", "Die Zulassung der Wandelschuldverschreibung 2016/2021 der {N} wird wegen vorzeitiger Rückzahlung mit Ablauf des 12. Mai widerrufen."),
    ("de", "Die Bezugsrechte der {N} werden nach Ablauf der Bezugsfrist nicht mehr gehandelt; ihre Notierung wird eingestellt."),
    ("de", "Die jungen Aktien der {N} mit abweichender Dividendenberechtigung werden in die alte Gattung überführt; die Notierung unter der bisherigen WKN wird eingestellt."),
    ("de", "Genussscheine der {N}: Einstellung der Notierung zum 12. Mai nach Rückzahlung."),
    ("de", "Die American Depositary Receipts der {N} werden von der NYSE genommen."),
    ("de", "Nach der Kapitalherabsetzung im Verhältnis 10:1 wird die Notierung der alten Aktien der {N} eingestellt und die der konvertierten Stücke aufgenommen."),
    ("ch", "Die Inhaberaktien der {N} wurden in Namenaktien umgewandelt; SIX dekotiert die Inhaberaktien per 12. Mai."),
    ("ch", "Nennwertreduktion der {N}: die bisherigen Titel werden dekotiert, die neuen Namenaktien per 12. Mai kotiert."),
    ("ch", "Die 2,5%-Anleihe 2014-2020 der {N} wird zurückbezahlt und per 12. Mai dekotiert."),
    ("fr", "Les OCEANE {N} 2020 remboursées à l'échéance seront radiées d'Euronext Paris le 12 mai."),
    ("fr", "Les droits préférentiels de souscription {N} seront radiés de la cote à l'issue de la période de négociation."),
    ("fr", "Regroupement d'actions : les actions anciennes {N} sont radiées et remplacées par les actions nouvelles le 12 mai."),
    ("fr", "Les actions de préférence {N} ont été converties en actions ordinaires et radiées d'Euronext Paris ce jour."),
    ("fr", "Les certificats d'investissement {N} sont radiés, à la suite de leur reconstitution en actions."),
    ("nl", "De converteerbare obligaties van {N} worden afgelost en per 12 mei van Euronext Amsterdam verwijderd."),
    ("nl", "De preferente aandelen van {N} zijn ingetrokken en hun notering is per vandaag beëindigd."),
    ("nl", "De certificaten van aandelen {N} worden omgewisseld in gewone aandelen, waarna de notering van de certificaten wordt beëindigd."),
    ("nl", "Omgekeerde splitsing {N}: de oude aandelen worden van de notering verwijderd en de nieuwe toegelaten."),
    ("it", "A seguito del raggruppamento, le azioni ordinarie {N} ante raggruppamento sono revocate e sostituite con nuovo codice ISIN."),
    ("it", "Il prestito obbligazionario convertibile {N} 2015-2020 è rimborsato e revocato dalla quotazione sul MOT."),
    ("it", "I diritti di opzione {N} non saranno più negoziati e sono esclusi dalle negoziazioni dal 12 maggio."),
    ("it", "Le azioni privilegiate {N} sono convertite in ordinarie e revocate dalla quotazione dall'11 maggio."),
    ("es", "Las obligaciones convertibles de {N} se amortizan y quedan excluidas de negociación en AIAF."),
    ("es", "Las acciones preferentes sin voto de {N} se convierten en ordinarias y se excluyen de negociación."),
    ("es", "Contrasplit de {N}: las acciones antiguas dejan de cotizar y son excluidas; las nuevas se admiten el mismo día."),
    ("es", "Los warrants sobre {N} emitidos por un banco han sido excluidos de negociación."),
    ("pt", "As ações preferenciais da {N} foram convertidas em ordinárias e tiveram a listagem cancelada na B3."),
    ("pt", "Os bônus de subscrição da {N} venceram e foram excluídos da negociação."),
    ("pt", "As units da {N} deixam de ser listadas na B3 com o desmembramento; as ações ordinárias seguem negociadas."),
    ("pt", "Os recibos de subscrição da {N} são retirados de negociação e convertidos em ações."),
    ("sv", "Konvertiblerna i {N} avnoteras i dag efter återbetalning."),
    ("sv", "BTA i {N} avnoteras den 12 maj när emissionen har registrerats."),
    ("sv", "Inlösenaktierna i {N} har sista handelsdag den 12 maj och avnoteras därefter."),
    ("sv", "Obligationslånet utgivet av {N} avnoteras från Nasdaq Stockholms företagsobligationslista."),
    ("no", "Tegningsrettene i {N} er strøket fra notering på Oslo Børs."),
    ("no", "Obligasjonslånet FJV01 utstedt av {N} strykes fra Nordic ABM etter innløsning."),
    ("da", "Tegningsretterne i {N} slettes fra handel den 12. maj."),
    ("da", "B-aktierne i {N} er konverteret til A-aktier og slettet fra handel."),
    ("da", "{N}s virksomhedsobligationer indfries og slettes fra handel den 12. maj."),
    ("fi", "{N}:n joukkovelkakirjalaina erääntyy ja poistetaan pörssilistalta 12.5.2020."),
    ("fi", "{N}:n merkintäoikeudet poistetaan pörssilistalta merkintäajan päätyttyä."),
    ("fi", "Osakkeiden yhdistämisen johdosta {N}:n vanha kaupankäyntitunnus poistetaan pörssilistalta ja uusi osakelaji otetaan kaupankäynnin kohteeksi."),
    ("pl", "Prawa do akcji (PDA) {N} zostały wykluczone z obrotu w związku z rejestracją emisji."),
    ("pl", "Obligacje serii C spółki {N} zostały wykupione i wycofane z obrotu na Catalyst."),
    ("ja", "{N}の第1種優先株式は、東京証券取引所において5月12日付で上場廃止となる。"),
    ("ja", "{N}第3回新株予約権は行使期間満了により上場廃止となります。"),
    ("ja", "株式併合に伴い、{N}の旧株券は上場廃止となり、新株が同日上場される。"),
    ("zh", "“江重转债”触发赎回条款,将于5月12日起在上海证券交易所摘牌。"),
    ("zh", "{N}发行的短期融资券到期兑付,自5月12日起终止上市。"),
    ("zh", "{N}优先股全部赎回后于5月12日终止挂牌。"),
    ("hk", "{N}於二零二零年到期之5.5%優先票據已悉數贖回,並將於5月12日撤銷上市。"),
    ("hk", "{N}之認股權證將於5月12日屆滿,其上市地位將於同日撤銷。"),
    ("hk", "{N}之人民幣櫃台將於5月12日撤銷上市,港幣櫃台不受影響。"),
    ("tw", "{N}國內第三次無擔保轉換公司債自5月12日起終止櫃檯買賣。"),
    ("tw", "{N}甲種特別股自5月12日起終止上市。"),
    ("tw", "{N}減資換發新股,舊股票自5月12日起終止上市,新股同日上市。"),
    ("ko", "{N} 신주인수권증서가 상장폐지되었다."),
    ("ko", "{N} 제12회 무보증사채가 만기상환으로 상장폐지되었다."),
    ("ko", "{N}우선주는 상장주식수 미달로 5월 12일 상장폐지된다."),
    ("ko", "주식병합에 따라 {N}의 구주권은 상장폐지되고 신주권이 변경상장된다."),
    ("vi", "Chứng quyền có bảo đảm trên cổ phiếu TSL của {N} bị hủy niêm yết do đáo hạn."),
    ("vi", "Trái phiếu TSL12101 của {N} hủy niêm yết từ ngày 12/05/2020 do mua lại trước hạn."),
    ("vi", "{N} hủy niêm yết 150.000 cổ phiếu quỹ sau khi giảm vốn điều lệ; số cổ phiếu còn lại tiếp tục giao dịch."),
    ("mx", "Los CPOs de {N} fueron excluidos del listado tras su canje por acciones ordinarias, que siguen cotizando."),
    ("au", "The listed options of {N} (ALDO) expired and have been removed from quotation."),
    ("in", "The non-convertible debentures of {N} have been delisted from the BSE debt segment upon redemption."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "text"), CASES, ids=[f"{market}: {text[:40]}" for market, text in CASES])
def test_other_class(market: str, text: str) -> None:
    """What is said of another class, or of an old line that a new one replaces, is not said of the shares."""
    assert answer(market, text) == "no"

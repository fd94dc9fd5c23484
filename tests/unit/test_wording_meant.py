"""What is cancelled, which security is excluded or becomes another, who foretells a step, what comes after an open deal, and the lines at the
top of a notice that give its day and its company."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.lang.ids import find_isins
from tests import factories
from tests.unit.test_wording_buyers import EXCHANGE, MARKET
from tests.unit.test_wording_objects import WIRE, notice
from tests.unit.test_wording_traps import POLICY

# market, expected answer, headline, text; {N} is the issuer
ORDERS = (
    ("us", "yes", "{N}: notice", "The NYSE will delete {N} and all open orders after the close."),
    ("uk", "yes", "{N}: notice", "The exchange will cancel the order of the panel and strike the ordinary shares of {N} from the Official List."),
    ("da", "yes", "{N}: slettes", "Nasdaq Copenhagen sletter aktierne i {N} fra handel. Alle ordrer slettes."),
    ("it", "yes", "{N}: avviso", "Borsa Italiana revoca dalla quotazione le azioni {N} e cancella gli ordini presenti sul book."),
    ("uk", "no", "{N}: temporary halt", "Trading in the shares is halted pending news.|Market staff will cancel all unexecuted orders in the London Stock Exchange order book."),
    ("us", "no", "{N}: symbol information", "The NYSE will delete good-till-cancelled orders of {N} before the open."),
    ("us", "no", "{N}: halt", "Nasdaq staff is to remove resting quotes and open orders in {N} during the halt."),
    ("ca", "no", "{N}: dividend notice", "{N} trades ex dividend on May 11.|Members of the Toronto Stock Exchange are asked to purge or cancel their existing bids."),
    ("in", "no", "{N}: circular", "The Exchange will cancel pending trades and orders in {N}."),
    ("de", "no", "{N}: Handelsunterbrechung", "Die im Orderbuch der Frankfurter Wertpapierbörse stehenden Aufträge in Aktien der {N} werden gelöscht."),
    ("de", "no", "{N}: Hinweis", "Die Börse löscht alle offenen Orders in den Aktien der {N}."),
    ("fr", "no", "{N} : avis", "Euronext Paris radiera du carnet l'ensemble des ordres sur les actions {N}."),
    ("fr", "no", "{N} : avis", "Les ordres en carnet sur les actions {N} seront annulés par Euronext Paris."),
    ("es", "no", "{N}: aviso", "La Bolsa de Madrid eliminará las órdenes vivas sobre acciones de {N}."),
    ("pt", "no", "{N}: aviso", "A B3 cancelará as ofertas de compra e venda das ações da {N}."),
    ("it", "no", "{N}: avviso", "Borsa Italiana cancellerà gli ordini presenti sul book per le azioni {N}."),
    ("nl", "no", "{N}: mededeling", "Euronext Amsterdam verwijdert alle openstaande orders in de aandelen {N}."),
    ("sv", "no", "{N}: meddelande", "Nasdaq Stockholm stryker alla liggande order i aktierna i {N}."),
    ("no", "no", "{N}: melding", "Oslo Børs sletter alle åpne ordrer i aksjene i {N}."),
    ("da", "no", "{N}: meddelelse", "Nasdaq Copenhagen sletter alle ordrer i aktierne i {N}."),
    ("fi", "no", "{N}: tiedote", "Pörssi poistaa kaikki avoimet tarjoukset {N}:n osakkeissa."),
    ("pl", "no", "{N}: komunikat", "GPW usuwa zlecenia maklerskie na akcje {N}."),
    ("ja", "no", "{N}:お知らせ", "東京証券取引所は、{N}株式の未約定注文を取り消します。"),
    ("zh", "no", "{N}提示", "上海证券交易所将撤销{N}股票的未成交委托。"),
    ("ko", "no", "{N} 안내", "거래소는 {N} 주식의 미체결 호가를 취소합니다."),
    ("vi", "no", "{N}: thông báo", "Sở Giao dịch Chứng khoán TP.HCM hủy bỏ các lệnh chưa khớp đối với cổ phiếu {N}."),
    ("id", "no", "{N}: pengumuman", "Bursa Efek Indonesia menghapus seluruh order efek {N} yang belum terjadi."),
    ("tr", "no", "{N}: duyuru", "Borsa İstanbul, {N} paylarındaki bekleyen emirleri iptal edecek."),
    ("uk", "yes", "{N}: notice", "The London Stock Exchange will delete the ordinary shares of {N} from its list and cancel all open orders."),
    ("us", "yes", "{N}: notice", "The NYSE will delist {N} and open orders will be cancelled."),
    ("uk", "yes", "{N}: notice", "The London Stock Exchange will cancel, in order to protect investors, the listing of {N}."),
    ("ca", "yes", "{N}: notice", "Members of the Toronto Stock Exchange are asked to cancel open orders.|The Toronto Stock Exchange will delist the common shares of {N} at the close on May 11."),
    ("de", "yes", "{N}: Bekanntmachung", "Die Frankfurter Wertpapierbörse hat die Zulassung der Aktien der {N} widerrufen. Vorliegende Orders werden gelöscht."),
    ("sv", "yes", "{N}: meddelande", "Nasdaq Stockholm avnoterar aktierna i {N}; alla liggande order stryks."),
)  # fmt: skip
# {OWN} is the ISIN of the listing, {OTHER} that of another security
EXCLUDED = (
    ("de", "no", "{N}: Einstellung", "Die Frankfurter Wertpapierbörse stellt die Notierung der Papiere der {N} ein.|ISIN: {OTHER}|Die Aktien (ISIN {OWN}) sind hiervon nicht betroffen."),
    ("uk", "no", "{N}: cancellation", "The London Stock Exchange has decided to cancel the listing of securities of {N}.|ISIN: {OTHER}|The decision does not extend to the ordinary shares (ISIN {OWN})."),
    ("uk", "yes", "{N}: cancellation", "The London Stock Exchange has decided to cancel the listing of securities of {N}.|ISIN: {OWN}|The decision does not extend to the bonds (ISIN {OTHER})."),
    ("uk", "no", "{N}: cancellation", "The London Stock Exchange has decided to cancel the listing of the 6 per cent bonds of {N} (ISIN {OTHER}).|The ordinary shares (ISIN {OWN}) are not affected."),
    ("de", "no", "{N}: Einstellung", "Die Frankfurter Wertpapierbörse stellt die Notierung der Papiere der {N} mit der ISIN {OTHER} ein.|Die Aktien mit der ISIN {OWN} sind davon nicht betroffen."),
    ("uk", "yes", "{N}: cancellation", "The London Stock Exchange has decided to cancel the listing of the ordinary shares of {N} (ISIN {OWN}).|The bonds (ISIN {OTHER}) will continue to be listed."),
    ("no", "yes", "{N} - strykning", "Oslo Børs har i dag vedtatt at aksjene i {N} strykes fra notering.|Vedtaket omfatter ikke selskapets obligasjonslån ({OTHER}), som fortsatt er notert."),
    ("uk", "yes", "{N}: cancellation", "The London Stock Exchange has decided to cancel the listing of the ordinary shares of {N}.|This does not affect the 6 per cent bonds (ISIN {OTHER})."),
    ("de", "yes", "{N}: Widerruf", "Die Geschäftsführung der Frankfurter Wertpapierbörse hat die Zulassung der Aktien der {N} widerrufen.|Nicht betroffen ist die Anleihe (ISIN {OTHER})."),
    ("fr", "yes", "{N} : radiation", "Euronext Paris a décidé la radiation des actions {N}.|Les obligations ({OTHER}) ne sont pas concernées par cette décision."),
    ("sv", "yes", "{N} avnoteras", "Nasdaq Stockholm har beslutat att avnotera aktierna i {N}.|Beslutet berör inte bolagets obligationer ({OTHER})."),
    ("fi", "yes", "{N} poistuu pörssistä", "Helsingin pörssi on päättänyt poistaa {N}:n osakkeet pörssilistalta.|Päätös ei koske yhtiön joukkovelkakirjalainaa ({OTHER})."),
    ("pl", "yes", "{N}: wykluczenie", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje spółki {N}.|Uchwała nie dotyczy obligacji ({OTHER})."),
    ("es", "yes", "{N}: exclusión", "La CNMV ha acordado la exclusión de negociación de las acciones de {N}.|La decisión no afecta a los bonos ({OTHER})."),
    ("it", "yes", "{N}: revoca", "Borsa Italiana ha disposto la revoca dalla quotazione delle azioni {N}.|Il provvedimento non riguarda il prestito obbligazionario ({OTHER})."),
    ("nl", "yes", "{N}: beëindiging", "Euronext Amsterdam heeft besloten de notering van de aandelen {N} te beëindigen.|De obligaties ({OTHER}) vallen niet onder dit besluit."),
    ("ko", "yes", "{N} 상장폐지 결정", "한국거래소는 {N} 보통주의 상장폐지를 결정했다.|이번 결정은 회사채({OTHER})에는 영향을 미치지 않는다."),
    ("ja", "yes", "{N}:上場廃止", "東京証券取引所は、{N}株式の上場廃止を決定した。|なお、社債({OTHER})には影響しない。"),
    ("no", "no", "{N} - strykning", "Oslo Børs har i dag vedtatt strykning fra notering ({OTHER}) for {N}.|Vedtaket gjelder fra 12. mai."),
    ("uk", "no", "{N}: cancellation", "The London Stock Exchange has decided to cancel the listing of the securities of {N} with ISIN {OTHER}.|The other securities are not affected."),
    ("de", "no", "{N}: Widerruf", "Die Geschäftsführung der Frankfurter Wertpapierbörse hat die Zulassung der Papiere der {N} (ISIN {OTHER}) widerrufen.|Die übrigen Papiere sind nicht betroffen."),
    ("fr", "no", "{N} : radiation", "Euronext Paris a décidé la radiation des titres {N} ({OTHER}).|Les autres titres ne sont pas concernés."),
)  # fmt: skip
CLASSES = (
    ("ca", "no", "{N} - Warrants expiring", "The common share purchase warrants of {N} expire at 5:00 p.m. on May 11.|They will be halted at noon and delisted at the close on that day."),
    ("ca", "no", "{N} - Warrants", "The ordinary share purchase warrants of {N} (ALD.WT) expire on May 11. They are delisted by the Toronto Stock Exchange at the close."),
    ("us", "no", "{N}: notice", "The preferred stock purchase rights of {N} expire on May 11. They will be removed from listing on the NYSE at the close."),
    ("us", "no", "{N}: notice", "The common stock warrants of {N} expire on May 11. They will be removed from listing on the NYSE at the close."),
    ("in", "no", "{N}: circular", "The equity share warrants of {N} expire on May 11. They will be delisted from BSE Limited on that day."),
    ("es", "no", "{N}: aviso", "Los derechos de suscripción de acciones de {N} vencen el 11 de mayo. Quedarán excluidos de negociación en la Bolsa de Madrid al cierre de ese día."),
    ("pt", "no", "{N}: aviso", "Os bônus de subscrição de ações da {N} vencem em 11 de maio. Serão excluídos da listagem da B3 nesse dia."),
    ("fr", "no", "{N} : avis", "Les bons de souscription d'actions {N} expirent le 11 mai. Ils seront radiés d'Euronext Paris à la clôture."),
    ("qc", "no", "{N} : avis", "Les bons de souscription d'actions ordinaires de {N} expirent le 11 mai. Ils seront radiés de la Bourse de Toronto à la clôture."),
    ("nl", "no", "{N}: bericht", "De inschrijvingsrechten op aandelen {N} vervallen op 11 mei. Zij worden die dag van de notering aan Euronext Amsterdam verwijderd."),
    ("sv", "no", "{N}: meddelande", "Teckningsoptionerna för aktier i {N} löper ut den 11 maj. De avnoteras från Nasdaq Stockholm samma dag."),
    ("no", "no", "{N}: melding", "Tegningsrettene til aksjer i {N} utløper 11. mai. De strykes fra notering på Oslo Børs samme dag."),
    ("da", "no", "{N}: meddelelse", "Tegningsretterne til aktier i {N} udløber den 11. maj. De slettes fra handel på Nasdaq Copenhagen samme dag."),
    ("pl", "no", "{N}: komunikat", "Prawa poboru akcji spółki {N} wygasają 11 maja. Zostaną one wykluczone z obrotu na GPW z tym dniem."),
    ("de", "no", "{N}: Mitteilung", "Die Optionsscheine auf Aktien der {N} laufen am 11. Mai aus. Sie werden an der Frankfurter Börse delistet."),
    ("ch", "no", "{N}: Mitteilung", "Nach der Umwandlung der Genussscheine in Namenaktien werden die Genussscheine der {N} dekotiert."),
    ("ch", "no", "{N}: Dekotierung der Partizipationsscheine", "Im Zuge der Wandlung der Partizipationsscheine der {N} in Namenaktien werden die Partizipationsscheine an der SIX dekotiert."),
    ("ch", "no", "{N}: Mitteilung", "Per 12. Mai werden die Partizipationsscheine der {N} dekotiert, nachdem sie im Umtausch in Namenaktien aufgegangen sind."),
    ("sv", "no", "{N}: meddelande", "Efter omvandlingen av preferensaktierna till stamaktier avnoteras preferensaktierna i {N} från Nasdaq Stockholm."),
    ("nl", "no", "{N}: bericht", "Na de omzetting van de preferente aandelen in gewone aandelen worden de preferente aandelen {N} van de notering aan Euronext Amsterdam verwijderd."),
    ("fi", "no", "{N}: tiedote", "Helsingin pörssi poistaa {N}:n etuosakkeet pörssilistalta, kun ne on muunnettu kantaosakkeiksi."),
    ("pl", "no", "{N}: komunikat", "Po zamianie akcji uprzywilejowanych na akcje zwykłe akcje uprzywilejowane {N} zostaną wykluczone z obrotu na GPW."),
    ("it", "no", "{N}: avviso", "A seguito della conversione delle azioni di risparmio in azioni ordinarie, le azioni di risparmio {N} sono revocate dalla quotazione su Borsa Italiana."),
    ("da", "no", "{N}: meddelelse", "Efter ombytning af præferenceaktier til aktier slettes præferenceaktierne i {N} fra handel på Nasdaq Copenhagen."),
    ("ch", "yes", "{N}: Dekotierung", "SIX dekotiert die Namenaktien und die Partizipationsscheine der {N} per 12. Mai."),
    ("ca", "yes", "{N} - Delist", "The common shares and the common share purchase warrants of {N} will be delisted by the Toronto Stock Exchange at the close on May 11."),
    ("ca", "yes", "{N} - Delist", "The common share purchase warrants of {N} expire on May 11.|The Toronto Stock Exchange has determined to delist the common shares of {N} at the close."),
    ("us", "yes", "{N}: notice", "The common stock and the common stock purchase rights of {N} will be removed from listing on the NYSE on May 11."),
    ("es", "yes", "{N}: exclusión", "La CNMV ha acordado excluir de negociación las acciones de {N} y los derechos de suscripción de acciones."),
)  # fmt: skip


def isin(country: str, number: int) -> str:
    """A code of this country with the right check digit."""
    return next(found.value for digit in range(10) for found in find_isins(f"{country}00{number}{digit}") if found.valid)


@pytest.mark.parametrize(
    ("market", "expected", "headline", "text"),
    [*ORDERS, *EXCLUDED, *CLASSES],
    ids=[f"{market} {expected} {text[-40:]}" for market, expected, _, text in (*ORDERS, *EXCLUDED, *CLASSES)],
)
def test_meant(market: str, expected: str, headline: str, text: str) -> None:
    """Orders are no listing, a security that a sentence excludes is not the one meant, and neither is one that another becomes."""
    issuer, mic, country, ticker, day, security = MARKET[market]
    own, other = isin(country, 1234567), isin(country, 7654321)
    listing = factories.listing(
        issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="", isin=own
    )
    headline, text = (part.replace("{N}", issuer).replace("{OWN}", own).replace("{OTHER}", other) for part in (headline, text))
    assert adjudicate(listing, [notice(day, text, EXCHANGE, headline)], POLICY).status.value == expected


UNITS = "NYSE Regulation has determined to commence proceedings to delist {what} of Alderwick Pipelines LP."


@pytest.mark.parametrize(
    ("security", "what", "expected"),
    [
        ("Common units representing limited partner interests", "the common units and the Series A preferred units", "yes"),
        ("Common units", "the units", "yes"),
        ("Common units", "the Series A preferred units", "no"),
        ("Common units", "the warrants", "no"),
        ("Common stock", "the preferred units", "no"),
        ("Common stock", "the units, each consisting of one share and one warrant,", "no"),
    ],
)
def test_units(security: str, what: str, expected: str) -> None:
    """What a partnership has for shares are its units, whatever the type of the listing is called."""
    listing = factories.listing(
        issuer="Alderwick Pipelines LP", mic="XNYS", ticker="ALDP", security=security, security_type="common", venue=""
    )
    page = notice("May 4, 2020", UNITS.replace("{what}", what), EXCHANGE, "NYSE to commence delisting proceedings")
    assert adjudicate(listing, [page], POLICY).status.value == expected


STEP = "The London Stock Exchange has cancelled the listing of the ordinary shares of Alderwick Instruments plc"
# rows before the headline, text below it, expected day
OVER = (
    (("LONDON STOCK EXCHANGE BULLETIN 2020-0177 | 4 May 2020",), STEP + ".", "2020-05-04"),
    (("Regulation desk, 04.05.2020",), STEP + ". The next meeting is on 19 May.", "2020-05-04"),
    (("4 May 2020, 17:20",), STEP + ", which disclosed on 1 May 2020 that it is insolvent.", "2020-05-04"),
    (("Market Notice | Ref. 18/20 | 4 May 2020",), STEP + " at the close of 28 May 2020.", "2020-05-04"),
    (("Last day of trading | 28 May 2020",), STEP + ".", "None"),
    (("Notice date | 4 May 2020",), STEP + ".", "2020-05-04"),
    (("Alderwick Instruments plc | 4 May 2020", "Corvane Metals plc | 2 May 2020"), STEP + ".", "None"),
)


@pytest.mark.parametrize(("rows", "text", "expected"), OVER, ids=[rows[0] for rows, _, _ in OVER])
def test_line_over_a_headline(rows: tuple[str, ...], text: str, expected: str) -> None:
    """A row that stands alone over the headline gives the day of the notice, unless it says what else happened then."""
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row.split(' | '))}</tr>" for row in rows)
    body = (
        f"<html><head><title>Notice</title></head><body><table>{table}</table><h1>Cancellation of listing</h1><p>{text}</p></body></html>"
    )
    listing = factories.listing(
        issuer="Alderwick Instruments plc",
        mic="XLON",
        country="GB",
        ticker="ALD",
        security="Ordinary shares",
        security_type="common",
        venue="",
    )
    page = extract(body.encode(), "text/html; charset=utf-8", EXCHANGE, digest="sha256:1")
    assert str(adjudicate(listing, [page], POLICY).announcement_date) == expected


# a step after the completion of a deal that is open, or one that somebody foretells
OPEN = (
    ("uk", "no", WIRE, "{N}: offer", "Teviot Bidco proposes a scheme of arrangement for {N} at 120p a share. On completion, the listing of the shares on the London Stock Exchange will be terminated.|The scheme is subject to the approval of shareholders and the sanction of the court."),
    ("au", "no", WIRE, "{N}: scheme", "Teviot Bidco proposes to acquire {N} by scheme of arrangement. Following implementation, the listing of the shares on the ASX will be terminated by the exchange.|The scheme is subject to shareholder approval and the foreign investment review board."),
    ("de", "no", WIRE, "{N}: Verschmelzung", "Die {N} soll auf die Elbquell SE verschmolzen werden. Nach Vollzug werden die Aktien der {N} an der Frankfurter Wertpapierbörse delistet.|Die Verschmelzung bedarf noch der Zustimmung der Hauptversammlung."),
    ("fr", "no", WIRE, "{N} : fusion", "{N} sera absorbée par Rhône Invest. Après réalisation, les actions {N} seront radiées d'Euronext Paris.|La fusion reste soumise à l'approbation de l'assemblée générale des actionnaires."),
    ("es", "no", WIRE, "{N}: fusión", "{N} será absorbida por Ebro Inversiones. Tras la ejecución, las acciones de {N} quedarán excluidas de negociación en la Bolsa de Madrid.|La fusión está sujeta a la aprobación de la junta general."),
    ("it", "no", WIRE, "{N}: fusione", "{N} sarà incorporata in Adige Holding. Dopo il perfezionamento, le azioni {N} saranno revocate dalla quotazione su Borsa Italiana.|La fusione è subordinata all'approvazione dell'assemblea."),
    ("nl", "no", WIRE, "{N}: fusie", "{N} zal fuseren met Rijnmond Beheer. Na voltooiing wordt de notering van de aandelen {N} aan Euronext Amsterdam beëindigd.|De fusie is afhankelijk van de goedkeuring van de algemene vergadering."),
    ("sv", "no", WIRE, "{N}: fusion", "{N} ska fusioneras med Mälar Invest. Efter genomförandet kommer aktierna i {N} att avnoteras från Nasdaq Stockholm.|Fusionen är villkorad av bolagsstämmans godkännande."),
    ("uk", "yes", WIRE, "{N}: scheme effective", "All conditions of the scheme have been satisfied and the scheme became effective this morning. On completion, the listing of {N} shares on the London Stock Exchange will be terminated by the exchange on 11 May."),
    ("uk", "yes", WIRE, "{N}: delisting", "Following completion of the notice period the listing of the shares of {N} on the London Stock Exchange will be terminated by the exchange on 11 May."),
    ("uk", "yes", EXCHANGE, "{N}: notice", "The London Stock Exchange will delist the shares of {N} on 11 May. On completion of settlement, positions are closed."),
    ("qc", "no", "https://la-gazette.example/a.html", "{N} à la peine", "Le titre {N} sera radié de la cote de la Bourse de Toronto, prédit un gestionnaire de fonds."),
    ("uk", "no", "https://city-paper.example/a.html", "{N} in trouble", "The London Stock Exchange will delist {N}, predicted a fund manager who sold out last year."),
    ("uk", "no", "https://city-paper.example/a.html", "{N} in trouble", "One fund manager predicts that the London Stock Exchange will cancel the listing of {N}."),
    ("de", "no", "https://tagblatt-wirtschaft.example/a.html", "{N} vor dem Ende", "Die Frankfurter Börse wird die Aktien der {N} vom Handel ausschließen, prophezeit ein Vermögensverwalter."),
    ("es", "no", "https://diario-eco.example/a.html", "{N} en apuros", "La CNMV excluirá de negociación las acciones de {N}, vaticina un gestor."),
    ("it", "no", "https://gazzetta-eco.example/a.html", "{N} in crisi", "Borsa Italiana revocherà le azioni {N} dalla quotazione, pronostica un gestore."),
    ("nl", "no", "https://dagblad-eco.example/a.html", "{N} in nood", "Euronext Amsterdam verwijdert de aandelen {N} van de notering, voorspelt een beheerder."),
    ("sv", "no", "https://tidning-eco.example/a.html", "{N} i kris", "Nasdaq Stockholm avnoterar aktierna i {N}, förutspår en förvaltare."),
    ("fi", "no", "https://lehti-talous.example/a.html", "{N} kriisissä", "Helsingin pörssi poistaa {N}:n osakkeet pörssilistalta, ennustaa salkunhoitaja."),
    ("uk", "yes", "https://city-paper.example/a.html", "{N} to go", "As predicted here in March, the London Stock Exchange said today that it has decided to cancel the listing of {N}."),
    ("fr", "yes", WIRE, "{N} : radiation", "Euronext Paris a décidé la radiation des actions {N}. Un analyste prédit une issue rapide."),
    ("uk", "yes", WIRE, "{N}: delisting", "The board of {N} has resolved to cancel the listing on the London Stock Exchange and predicts savings of half a million pounds."),
)  # fmt: skip


@pytest.mark.parametrize(
    ("market", "expected", "address", "headline", "text"), OPEN, ids=[f"{row[0]} {row[1]} {row[4][-40:]}" for row in OPEN]
)
def test_open(market: str, expected: str, address: str, headline: str, text: str) -> None:
    """What comes after a deal waits for the deal, and what somebody foretells is not disclosed."""
    issuer, mic, country, ticker, day, security = MARKET[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    page = notice(day, text.replace("{N}", issuer), address, headline.replace("{N}", issuer))
    assert adjudicate(listing, [page], POLICY).status.value == expected


FINAL = "All conditions precedent have been fulfilled and the scheme is unconditional. The JSE has granted approval for the removal of the listing."


@pytest.mark.parametrize(
    ("headline", "text", "expected"),
    [
        ("Scheme unconditional Release Date: 4 May 2020 Code(s): KMF", FINAL, "yes"),
        ("Finalisation announcement", "Share code: KMF|" + FINAL, "yes"),
        ("Scheme unconditional Release Date: 4 May 2020 Code(s): KMX", FINAL, "no"),
        ("Scheme unconditional Release Date: 4 May 2020 Code(s): KMX KMF", FINAL, "no"),
        ("Finalisation announcement", "Share code: KMF|Share code: KMX|" + FINAL, "no"),
        ("Scheme unconditional", FINAL, "no"),
        ("Scheme unconditional Code(s): KMF", FINAL.replace("JSE", "exchange"), "no"),
    ],
)
def test_filed_under_a_code(headline: str, text: str, expected: str) -> None:
    """An announcement that names no company is that of the one under whose code it is filed."""
    listing = factories.listing(
        issuer="Karmala Foods Limited", mic="XJSE", country="ZA", ticker="KMF", security="Ordinary shares", security_type="common", venue=""
    )
    assert adjudicate(listing, [notice("4 May 2020", text, WIRE, headline)], POLICY).status.value == expected

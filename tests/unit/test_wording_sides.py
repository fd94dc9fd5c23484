"""Beside the step: proceedings that are closed, what would be too hard, what a bidder means to do, admissions, temporary lines, other owners."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_heard import answer

# market, expected answer, text; {N} is the issuer
SIDES = (
    # proceedings about the end of the listing that are closed
    ("de", "no", "Das Verfahren zum Widerruf der Zulassung der Aktien der {N} wurde eingestellt."),
    ("de", "no", "Die Frankfurter Wertpapierbörse hat das Widerrufsverfahren gegen die {N} eingestellt, nachdem der Jahresabschluss vorliegt."),
    ("at", "no", "Die Wiener Börse hat das Verfahren zum Widerruf der Zulassung der {N} beendet."),
    ("ch", "no", "SIX Exchange Regulation hat das Verfahren betreffend Dekotierung der {N} ohne Folgen abgeschlossen."),
    ("nl", "no", "Euronext heeft bevestigd dat de procedure tot beëindiging van de notering van {N} is gesloten."),
    ("be", "no", "De procedure tot schrapping van de aandelen {N} is zonder gevolg afgesloten."),
    ("sv", "no", "Nasdaq Stockholm har beslutat att avsluta ärendet om avnotering av {N} utan åtgärd."),
    ("sv", "no", "Disciplinnämnden har avskrivit ärendet om avnotering av {N}."),
    ("no", "no", "Oslo Børs har avsluttet saken om strykning av {N}."),
    ("no", "no", "Oslo Børs har henlagt saken om strykning av aksjene i {N}."),
    ("da", "no", "Nasdaq Copenhagen har afsluttet sagen om sletning af {N} fra handel uden yderligere."),
    ("fi", "no", "Nasdaq Helsinki on päättänyt lopettaa {N}:n osakkeiden poistamista pörssilistalta koskevan menettelyn."),
    ("pl", "no", "Komisja Nadzoru Finansowego umorzyła postępowanie w przedmiocie wykluczenia akcji {N} z obrotu."),
    # a milder measure, since the end of the listing would be too hard
    ("de", "no", "Die Frankfurter Wertpapierbörse hat gegen die {N} ein Ordnungsgeld beschlossen, da ein Widerruf der Zulassung unverhältnismäßig wäre."),
    ("ch", "no", "Die Sanktionskommission hat gegen die {N} eine Busse verfügt; eine Dekotierung wäre unverhältnismässig."),
    ("nl", "no", "Euronext heeft {N} een boete opgelegd en geoordeeld dat schrapping van de notering onevenredig zou zijn."),
    ("sv", "no", "Disciplinnämnden har beslutat om vite för {N} och anser att en avnotering skulle vara en alltför ingripande åtgärd."),
    ("no", "no", "Oslo Børs har vedtatt et overtredelsesgebyr for {N}, da strykning ville være uforholdsmessig."),
    ("da", "no", "Nasdaq Copenhagen har besluttet at give {N} en påtale, idet en sletning fra handel ville være uforholdsmæssig."),
    ("fi", "no", "Kurinpitolautakunta on päättänyt määrätä {N}:lle sakon, koska osakkeiden poistaminen pörssilistalta olisi kohtuutonta."),
    ("pl", "no", "Komisja nałożyła na {N} karę pieniężną, uznając, że wykluczenie akcji z obrotu byłoby nadmiernie dotkliwe."),
    # what a bidder has said that it means to do
    ("fi", "no", "Osakkeet siirretään tarkkailulistalle, koska {N}:n ostotarjouksen tekijä on ilmoittanut aikovansa hakea osakkeiden poistamista pörssilistalta."),
    ("sv", "no", "Aktierna i {N} placeras på observationslistan, eftersom budgivaren har meddelat att den avser att ansöka om avnotering."),
    ("de", "no", "Die Bieterin hat mitgeteilt, den Widerruf der Zulassung der {N} zum Regulierten Markt anstreben zu wollen."),
    ("nl", "no", "De bieder heeft laten weten de notering van {N} aan Euronext Amsterdam te willen beëindigen."),
    ("no", "no", "Tilbyder har opplyst at den akter å søke om strykning av {N} fra Oslo Børs."),
    ("da", "no", "Tilbudsgiver har oplyst at ville søge {N} slettet fra handel på Nasdaq Copenhagen."),
    ("pl", "no", "Wzywający poinformował, że zamierza wycofać akcje {N} z obrotu na rynku regulowanym."),
    ("fi", "no", "{N}:n hallitus hakee osakkeiden poistamista pörssilistalta sitten, kun välimiesoikeus on vahvistanut lunastusoikeuden."),
    ("de", "no", "Der Vorstand der {N} stellt den Antrag auf Widerruf der Zulassung erst, wenn der Übertragungsbeschluss im Handelsregister eingetragen ist."),
    ("nl", "no", "{N} dient het verzoek tot beëindiging van de notering in zodra de bieder 95% van de aandelen houdt."),
    ("sv", "no", "Styrelsen i {N} ansöker om avnotering när skiljenämnden har beviljat förhandstillträde."),
    ("no", "no", "{N} søker om strykning fra Oslo Børs når tvangsinnløsningen er registrert."),
    ("da", "no", "{N} anmoder Nasdaq Copenhagen om sletning fra handel, når tvangsindløsningen er gennemført."),
    ("pl", "no", "{N} złoży wniosek o wycofanie akcji z obrotu po uzyskaniu zezwolenia Komisji Nadzoru Finansowego."),
    # an admission to this venue ends the line on another one
    ("sv", "no", "Nasdaq Stockholm har godkänt {N}:s ansökan om upptagande till handel. Sista dag för handel på First North är den 8 maj, då aktien avnoteras därifrån."),
    ("no", "no", "Oslo Børs har godkjent søknaden fra {N} om opptak til notering. Aksjene strykes samtidig fra Euronext Growth."),
    ("da", "no", "Nasdaq Copenhagen har godkendt {N}s ansøgning om optagelse til handel. Aktierne slettes samtidig fra First North."),
    ("fi", "no", "Nasdaq Helsinki on hyväksynyt {N}:n listalleottohakemuksen. Osakkeet poistetaan samalla First North -markkinapaikalta."),
    ("pl", "no", "Zarząd Giełdy postanowił wykluczyć z alternatywnego systemu obrotu na rynku NewConnect akcje {N} w związku z ich dopuszczeniem do obrotu giełdowego na rynku równoległym GPW."),
    ("de", "no", "Mit der Zulassung der Aktien der {N} zum Regulierten Markt der Frankfurter Wertpapierbörse wird die Notierung im Freiverkehr der Börse München eingestellt."),
    ("ch", "no", "Die {N} wechselt von der BX Swiss an die SIX Swiss Exchange; die Dekotierung an der BX Swiss erfolgt am 8. Mai."),
    ("nl", "no", "{N} is toegelaten tot de handel op Euronext Amsterdam; de notering aan Euronext Growth Brussels wordt op 8 mei beëindigd."),
    # a temporary line of new shares goes up in the ordinary one
    ("da", "no", "De nye aktier i {N} i den midlertidige fondskode slettes fra handel den 8. maj 2020 og sammenlægges med den permanente fondskode."),
    ("sv", "no", "Interimsaktierna i {N} avnoteras den 8 maj 2020 och omvandlas till aktier."),
    ("no", "no", "De nye aksjene i {N} på midlertidig ISIN strykes fra notering 8. mai 2020 og slås sammen med den ordinære ISIN."),
    ("fi", "no", "{N}:n väliaikaiset osakkeet poistetaan pörssilistalta 8.5.2020 ja yhdistetään yhtiön vanhoihin osakkeisiin."),
    ("de", "no", "Die jungen Aktien der {N} mit der vorübergehenden ISIN werden mit Ablauf des 8. Mai 2020 aus der Notierung genommen und den alten Aktien gleichgestellt."),
    ("nl", "no", "De tijdelijke lijn van de nieuwe aandelen {N} wordt op 8 mei 2020 van de notering geschrapt en samengevoegd met de bestaande lijn."),
    ("pl", "no", "Zarząd Giełdy postanowił wykluczyć z obrotu prawa do akcji serii D spółki {N} w związku z ich asymilacją z akcjami notowanymi."),
    # the shares of another company, which the issuer has taken over
    ("nl", "no", "Na afsluiting van het uitkoopbod van {N} op Zuidwal Papier N.V. worden de aandelen Zuidwal Papier van Euronext Amsterdam geschrapt."),
    ("be", "no", "Na het uitkoopbod van {N} op Schelde Vastgoed NV worden de aandelen Schelde Vastgoed op 8 mei 2020 van Euronext Brussels geschrapt."),
    ("sv", "no", "På begäran av {N} har Nasdaq Stockholm beslutat att avnotera aktierna i Granvik Ventures AB."),
    ("no", "no", "Etter tvangsinnløsningen, der {N} overtok alle aksjer, har Oslo Børs vedtatt å stryke aksjene i Tveitnes Rederi ASA."),
    ("da", "no", "Efter at {N} har gennemført tvangsindløsning, har Nasdaq Copenhagen besluttet at slette aktierne i Tveitnes Rederi A/S fra handel."),
    ("de", "no", "Nach dem Squeeze-out durch die {N} hat die Geschäftsführung der Frankfurter Wertpapierbörse die Zulassung der Aktien der Harlow Keramik AG widerrufen."),
    ("ch", "no", "SIX Exchange Regulation hat die Dekotierung der Namenaktien der Harlow Keramik AG, die von der {N} übernommen wurde, bewilligt."),
    ("fi", "no", "Nasdaq Helsinki on päättänyt poistaa Havusto Oyj:n osakkeet pörssilistalta {N}:n lunastettua vähemmistön osakkeet."),
    ("pl", "no", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje Bystrzyca Stal S.A. w związku z przymusowym wykupem przez {N}."),
    # a decision not to go, to put it off, or a court that forbids it
    ("de", "no", "Der Vorstand der {N} hat heute beschlossen, von einem Delisting Abstand zu nehmen."),
    ("de", "no", "Der Vorstand der {N} hat beschlossen, auf den Widerruf der Zulassung zu verzichten."),
    ("ch", "no", "Der Verwaltungsrat der {N} hat beschlossen, auf eine Dekotierung der Namenaktien zu verzichten."),
    ("nl", "no", "Het bestuur van {N} heeft besloten af te zien van beëindiging van de notering."),
    ("sv", "no", "Styrelsen i {N} har beslutat att avstå från att ansöka om avnotering."),
    ("no", "no", "Styret i {N} har besluttet å avstå fra å søke om strykning fra Oslo Børs."),
    ("da", "no", "Bestyrelsen i {N} har besluttet at afstå fra at anmode om sletning fra handel."),
    ("fi", "no", "{N}:n hallitus on päättänyt luopua osakkeiden pörssilistalta poistamista koskevasta hankkeesta."),
    ("pl", "no", "Zarząd {N} podjął decyzję o odstąpieniu od wycofania akcji z obrotu na GPW."),
    ("de", "no", "Die Hauptversammlung der {N} hat beschlossen, die Abstimmung über das Delisting zu vertagen."),
    ("nl", "no", "De vergadering van {N} heeft besloten de stemming over de beëindiging van de notering uit te stellen."),
    ("sv", "no", "Stämman i {N} beslutade att bordlägga förslaget om avnotering från Nasdaq Stockholm."),
    ("no", "no", "Generalforsamlingen i {N} besluttet å utsette behandlingen av sak 5 (strykning fra Oslo Børs)."),
    ("da", "no", "Generalforsamlingen i {N} besluttede at udskyde behandlingen af punktet om sletning fra handel."),
    ("fi", "no", "{N}:n yhtiökokous päätti lykätä pörssilistalta poistamista koskevan asian käsittelyä."),
    ("pl", "no", "NWZ {N} postanowiło odroczyć głosowanie nad uchwałą w sprawie wycofania akcji z obrotu."),
    ("at", "no", "Das Handelsgericht hat der {N} untersagt, über den Rückzug von der Wiener Börse abstimmen zu lassen."),
    ("nl", "no", "De Ondernemingskamer heeft {N} verboden een besluit te nemen tot beëindiging van de notering aan Euronext Amsterdam."),
    ("sv", "no", "Tingsrätten har förbjudit {N} att verkställa beslutet om avnotering från Nasdaq Stockholm."),
    ("no", "no", "Tingretten har forbudt {N} å gjennomføre vedtaket om strykning fra Oslo Børs."),
    ("da", "no", "Sø- og Handelsretten har nedlagt forbud mod, at {N} gennemfører beslutningen om afnotering."),
    ("fi", "no", "Käräjäoikeus on kieltänyt {N}:ää panemasta täytäntöön päätöstä osakkeiden poistamisesta pörssilistalta."),
    ("pl", "no", "Sąd wstrzymał wykonanie uchwały o wycofaniu akcji {N} z obrotu na GPW."),
    # another exchange speaks, and names this one as the home
    ("at", "no", "Börse Stuttgart: Die Preisfeststellung der Aktien der {N} wird mit Ablauf des 8. Mai 2020 eingestellt. Heimatbörse: Wien."),
    ("ch", "no", "Börse Berlin: Die Notierung der Aktien der {N} wird mit Ablauf des 8. Mai 2020 eingestellt. Hauptbörse: SIX Swiss Exchange."),
    # another company's listing, in the sentence after both were named
    ("nl", "no", "{N} bezit nu 98,4% van IJssel Diagnostics N.V. Samen met Euronext is besloten de notering van IJssel Diagnostics te beëindigen."),
    ("de", "no", "Die {N} hält nun 96,2% der Harlow Keramik AG. Die Frankfurter Wertpapierbörse hat beschlossen, die Zulassung der Aktien der Harlow Keramik zu widerrufen."),
    ("sv", "no", "{N} äger nu 97,1% av Granvik Ventures AB. Nasdaq Stockholm har beslutat att avnotera aktierna i Granvik Ventures."),
    ("no", "no", "{N} eier nå 98,5% av Tveitnes Rederi ASA. Oslo Børs har besluttet at aksjene i Tveitnes Rederi strykes."),
    ("da", "no", "{N} ejer nu 95,5% af Tveitnes Rederi A/S. Nasdaq Copenhagen har besluttet at slette aktierne i Tveitnes Rederi fra handel."),
    ("pl", "no", "{N} posiada 97,1% akcji Bystrzyca Stal S.A. Zarząd Giełdy postanowił wykluczyć z obrotu akcje Bystrzyca Stal."),
    ("de", "yes", "Die {N} hat heute nach Zustimmung des Aufsichtsrats bei der Frankfurter Wertpapierbörse den Antrag auf Widerruf der Zulassung sämtlicher Aktien gestellt."),
    ("de", "yes", "Der Vorstand der {N} hat beschlossen, auf die Börsennotierung zu verzichten und den Widerruf der Zulassung der Aktien zu beantragen."),
    ("fi", "yes", "{N}:n hallitus on päättänyt luopua pörssilistauksesta ja hakea osakkeiden poistamista Nasdaq Helsingin pörssilistalta."),
    ("nl", "yes", "De Ondernemingskamer heeft het verzoek om een verbod afgewezen. Euronext heeft besloten de aandelen {N} op 8 mei 2020 van de notering te schrappen."),
    # what does end this listing
    ("no", "yes", "Etter tvangsinnløsningen, der Tveitnes Rederi ASA overtok alle aksjer, har Oslo Børs vedtatt å stryke aksjene i {N}."),
    ("no", "yes", "Aksjonærene mottar aksjer i Tveitnes Rederi ASA som vederlag, og Oslo Børs har vedtatt at aksjene i {N} strykes fra notering."),
    ("de", "yes", "Die Aktionäre erhalten Aktien der Harlow Keramik AG; die Frankfurter Wertpapierbörse hat die Zulassung der Aktien der {N} widerrufen."),
    ("sv", "yes", "Granvik Ventures AB har förvärvat aktierna i {N}. Styrelsen i {N} har beslutat att ansöka om avnotering från Nasdaq Stockholm."),
    ("pl", "yes", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje {N} w związku z przymusowym wykupem przez Bystrzyca Stal S.A."),
    ("fi", "yes", "{N}:n hallitus on päättänyt hakea osakkeiden poistamista Nasdaq Helsingin pörssilistalta ja niiden ottamista kaupankäynnin kohteeksi First North -markkinapaikalla."),
    ("pl", "yes", "Zarząd Giełdy postanowił wykluczyć z obrotu giełdowego na Głównym Rynku akcje {N} w związku z ich wprowadzeniem do obrotu na rynku NewConnect."),
    ("nl", "yes", "Euronext heeft de procedure afgerond en besloten de aandelen {N} op 8 mei van Euronext Amsterdam te schrappen."),
    ("de", "yes", "Das Insolvenzverfahren über das Vermögen der {N} wurde eingestellt; die Frankfurter Wertpapierbörse hat die Zulassung der Aktien widerrufen."),
    ("sv", "yes", "Disciplinnämnden har avslutat ärendet och beslutat att aktierna i {N} ska avnoteras från Nasdaq Stockholm."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), SIDES, ids=[f"{m} {text[:45]}" for m, _, text in SIDES])
def test_side(market: str, expected: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected

"""Steps that a page has only heard of, steps about a parent or subsidiary, acts at one venue that name another as their cause, drafts for a meeting."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_traps import MARKETS

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
MORE = {
    "at": ("Traunwerk Maschinen AG", "XWBO", "AT", "TRW", "4. Mai 2020", "Inhaberaktien"),
    "my": ("Kelapa Jelutong Berhad", "XKLS", "MY", "KJB", "4 May 2020", "Ordinary shares"),
    "be": ("Scheldestroom NV", "XBRU", "BE", "SCHD", "4 mei 2020", "Gewone aandelen"),
}
# market, expected answer, text; {N} is the issuer
HEARD = (
    ("de", "no", "Der Vorstand der {N} soll am Montag den Widerruf der Zulassung an der Frankfurter Wertpapierbörse beschlossen haben."),
    ("de", "no", "Dem Vernehmen nach hat der Vorstand der {N} das Delisting von der Frankfurter Wertpapierbörse bereits beschlossen."),
    ("de", "no", "Die {N} nimmt Bezug auf Presseberichte, wonach der Vorstand den Widerruf der Zulassung der Aktien beantragt habe."),
    ("de", "no", "Aus Finanzkreisen ist zu hören, der Aufsichtsrat der {N} habe dem Delisting zugestimmt und der Antrag sei gestellt."),
    ("de", "no", "Der Antrag der {N} auf Widerruf der Zulassung soll vergangene Woche bei der Börse gestellt worden sein."),
    ("at", "no", "Die {N} hat sich Insidern zufolge für den Rückzug von der Wiener Börse entschieden."),
    ("ch", "no", "Der Verwaltungsrat der {N} soll die Dekotierung von der SIX Swiss Exchange beschlossen haben, heisst es aus gut informierten Kreisen."),
    ("ch", "no", "Angeblich hat die {N} das Gesuch um Dekotierung bei SIX Exchange Regulation eingereicht."),
    ("nl", "no", "De raad van bestuur van {N} zou maandag hebben besloten de notering aan Euronext Amsterdam te beëindigen."),
    ("nl", "no", "Naar verluidt heeft {N} besloten de notering aan Euronext Amsterdam te beëindigen."),
    ("nl", "no", "{N} zou het verzoek tot schrapping al bij Euronext Amsterdam ingediend hebben."),
    ("nl", "no", "{N} reageert op berichten in de media dat het bestuur heeft besloten de notering te beëindigen."),
    ("be", "no", "De raad van bestuur van {N} zou tot de schrapping van de aandelen van Euronext Brussels hebben beslist."),
    ("sv", "no", "Styrelsen i {N} uppges ha beslutat att ansöka om avnotering från Nasdaq Stockholm."),
    ("sv", "no", "Enligt obekräftade uppgifter har styrelsen i {N} beslutat att ansöka om avnotering från Nasdaq Stockholm."),
    ("sv", "no", "{N} ska enligt tidningen ha lämnat in en ansökan om avnotering till Nasdaq Stockholm."),
    ("sv", "no", "Beslutet om avnotering av {N} sägs ha fattats vid ett extra styrelsemöte i fredags."),
    ("no", "no", "Styret i {N} skal ha besluttet å søke om strykning fra Oslo Børs."),
    ("no", "no", "Angivelig har styret i {N} vedtatt å søke aksjene strøket fra Oslo Børs."),
    ("no", "no", "Etter det avisen erfarer, har styret i {N} vedtatt å søke om strykning fra Oslo Børs."),
    ("da", "no", "Bestyrelsen i {N} har angiveligt besluttet at anmode om sletning af aktierne fra handel på Nasdaq Copenhagen."),
    ("da", "no", "Bestyrelsen i {N} skulle have besluttet at afnotere selskabets aktier fra Nasdaq Copenhagen."),
    ("da", "no", "{N} skal efter sigende have anmodet Nasdaq Copenhagen om at slette aktierne fra handel."),
    ("fi", "no", "{N}:n hallitus on tiettävästi päättänyt hakea yhtiön osakkeiden poistamista Nasdaq Helsingin pörssilistalta."),
    ("fi", "no", "{N}:n hallituksen kerrotaan päättäneen hakea osakkeiden poistamista pörssilistalta."),
    ("fi", "no", "Huhujen mukaan {N} olisi jo jättänyt hakemuksen osakkeidensa poistamiseksi pörssilistalta."),
    ("pl", "no", "Zarząd {N} miał w ubiegłym tygodniu podjąć decyzję o wycofaniu akcji z obrotu na GPW."),
    ("pl", "no", "Podobno zarząd {N} złożył już wniosek o wycofanie akcji z obrotu na GPW."),
    ("pl", "no", "Według nieoficjalnych informacji {N} zdecydowała o wycofaniu akcji z obrotu na GPW."),
    ("pl", "no", "W związku z doniesieniami medialnymi o decyzji zarządu w sprawie wycofania akcji {N} z obrotu na GPW spółka odmawia komentarza."),
    ("de", "yes", "Der Vorstand der {N} hat heute beschlossen, den Widerruf der Zulassung der Aktien an der Frankfurter Wertpapierbörse zu beantragen; die Handelbarkeit soll im Juni enden."),
    ("ch", "yes", "Der Verwaltungsrat der {N} hat beschlossen, die Namenaktien von der SIX Swiss Exchange zu dekotieren; das Gesuch soll noch diese Woche eingereicht werden."),
    ("nl", "yes", "{N} maakt vandaag bekend dat zij heeft besloten de notering aan Euronext Amsterdam te beëindigen."),
    ("sv", "yes", "Styrelsen i {N} har i dag beslutat att ansöka om avnotering av bolagets aktier från Nasdaq Stockholm."),
    ("no", "yes", "Oslo Børs har i dag besluttet at aksjene i {N} skal strykes fra notering."),
    ("da", "yes", "Nasdaq Copenhagen har besluttet, at aktierne i {N} skal slettes fra handel."),
    ("fi", "yes", "{N}:n hallitus on tänään päättänyt hakea yhtiön osakkeiden poistamista Nasdaq Helsingin pörssilistalta."),
    ("pl", "yes", "Komisja Nadzoru Finansowego zezwoliła na wycofanie akcji {N} z obrotu na rynku regulowanym."),
)  # fmt: skip
KIN = (
    ("no", "no", "{N} viser til gårsdagens vedtak fra Oslo Børs om at aksjene i datterselskapet Tveitnes Rederi ASA strykes."),
    ("no", "no", "Oslo Børs har vedtatt å stryke aksjene i Tveitnes Rederi ASA. Morselskapet {N} er ikke omfattet av vedtaket."),
    ("da", "no", "{N} oplyser, at Nasdaq Copenhagen har besluttet at slette aktierne i datterselskabet Tveitnes Rederi A/S fra handel."),
    ("sv", "no", "{N} meddelar att Nasdaq Stockholm har beslutat om avnotering av aktierna i dotterbolaget Granvik Ventures AB."),
    ("sv", "no", "Nasdaq Stockholm har beslutat att avnotera aktierna i moderbolaget Granvik Ventures AB. {N}:s aktie berörs inte."),
    ("de", "no", "Die {N} teilt mit, dass die Frankfurter Wertpapierbörse die Zulassung der Aktien ihrer Tochtergesellschaft Harlow Keramik AG widerrufen hat."),
    ("de", "no", "Die Geschäftsführung der Frankfurter Wertpapierbörse hat die Zulassung der Aktien der Muttergesellschaft Harlow Keramik AG widerrufen. Die Aktien der {N} sind hiervon nicht betroffen."),
    ("ch", "no", "SIX Exchange Regulation hat die Dekotierung der Namenaktien der Beteiligungsgesellschaft Harlow Keramik AG bewilligt, an der die {N} 34 Prozent hält."),
    ("nl", "no", "{N} meldt dat Euronext Amsterdam heeft besloten de aandelen van haar dochteronderneming Zuidwal Papier N.V. van de notering te schrappen."),
    ("be", "no", "De aandelen van moedermaatschappij Zuidwal Papier NV worden op 11 mei van Euronext Brussels geschrapt. Voor de aandelen van {N} verandert er niets."),
    ("fi", "no", "{N} ilmoittaa, että Nasdaq Helsinki on päättänyt poistaa sen tytäryhtiön Havusto Oyj:n osakkeet pörssilistalta."),
    ("pl", "no", "Zarząd {N} informuje, że akcje podmiotu dominującego Bystrzyca Stal S.A. zostaną wykluczone z obrotu na GPW z dniem 11 maja 2020 r."),
    ("pl", "no", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje spółki zależnej Bystrzyca Stal S.A. Wykluczenie nie dotyczy akcji {N}."),
    ("no", "yes", "Oslo Børs har vedtatt å stryke aksjene i {N} etter at morselskapet Tveitnes Rederi AS gjennomførte tvangsinnløsning."),
    ("sv", "yes", "Moderbolaget Granvik Ventures AB äger 97 procent. Styrelsen i {N} har i dag beslutat att ansöka om avnotering av aktierna från Nasdaq Stockholm."),
    ("de", "yes", "Auf Antrag der {N}, einer Tochtergesellschaft der Harlow Keramik AG, hat die Geschäftsführung der Frankfurter Wertpapierbörse die Zulassung ihrer Aktien widerrufen."),
    ("pl", "yes", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje spółki {N} w związku z przymusowym wykupem przez podmiot dominujący Bystrzyca Stal S.A."),
)  # fmt: skip
VENUE = (
    ("ch", "no", "Widerruf der Zulassung der {N} zum Regulierten Markt (General Standard): Die Geschäftsführung der Frankfurter Wertpapierbörse hat die Zulassung widerrufen, weil die Aktien weiterhin an der SIX Swiss Exchange gehandelt werden."),
    ("ch", "no", "Die Zulassung der Namenaktien der {N} zum Regulierten Markt (General Standard) wird auf Antrag widerrufen. Der Widerruf erfolgt ohne Angebot, da die Aktien an der SIX Swiss Exchange kotiert sind und bleiben."),
    ("ch", "no", "Angesichts der Notierung an der SIX Swiss Exchange wird die Zulassung der {N} zum Prime Standard der Frankfurter Wertpapierbörse widerrufen."),
    ("at", "no", "Die Börse Stuttgart hat die Zulassung der Aktien der {N} zum regulierten Markt widerrufen, nachdem die Handelbarkeit an der Wiener Börse gesichert ist."),
    ("de", "no", "Die Börse Düsseldorf widerruft die Zulassung der Aktien der {N}. Da die Aktien im Regulierten Markt der Frankfurter Wertpapierbörse zugelassen sind, ist der Anlegerschutz gewahrt."),
    ("nl", "no", "Euronext Brussels schrapt de aandelen {N} op 11 mei van de notering, omdat zij aan Euronext Amsterdam verhandelbaar blijven."),
    ("be", "no", "{N} heeft besloten de notering aan Euronext Amsterdam te beëindigen, omdat vrijwel alle handel op Euronext Brussels plaatsvindt."),
    ("sv", "no", "{N} har beslutat att avnotera aktien från Nasdaq Helsingfors eftersom nästan all handel sker på Nasdaq Stockholm."),
    ("no", "no", "{N} har vedtatt å søke om strykning fra Nasdaq Stockholm, ettersom aksjen er notert på Oslo Børs og nesten all omsetning skjer der."),
    ("da", "no", "{N} har besluttet at afnotere aktierne fra Nasdaq Stockholm, fordi aktierne fortsat handles på Nasdaq Copenhagen."),
    ("fi", "no", "{N} on päättänyt hakea osakkeidensa poistamista Nasdaq Tukholman pörssilistalta, koska lähes kaikki kaupankäynti tapahtuu Nasdaq Helsingissä."),
    ("pl", "no", "{N} postanowiła wycofać akcje z obrotu na Wiener Börse, ponieważ akcje są notowane na Giełdzie Papierów Wartościowych w Warszawie."),
    ("ch", "yes", "SIX Exchange Regulation hat die Dekotierung der Namenaktien der {N} bewilligt, weil die Aktien künftig nur noch an der Frankfurter Wertpapierbörse gehandelt werden."),
    ("nl", "yes", "{N} heeft besloten de notering aan Euronext Amsterdam te beëindigen, omdat vrijwel alle handel op Euronext Brussels plaatsvindt."),
    ("sv", "yes", "{N} har beslutat att avnotera aktien från Nasdaq Stockholm eftersom nästan all handel sker på Oslo Børs."),
)  # fmt: skip
DRAFTS = (
    ("pl", "no", "{N}: projekty uchwał na NWZ", "Uchwała nr 4: „Nadzwyczajne Walne Zgromadzenie postanawia o wycofaniu akcji z obrotu na rynku regulowanym GPW.”"),
    ("de", "no", "{N}: Einberufung der Hauptversammlung", "Beschlussvorschlag zu Punkt 7: „Die Hauptversammlung beschließt das Delisting der Aktien von der Frankfurter Wertpapierbörse.“"),
    ("at", "no", "{N}: Einladung zur Hauptversammlung", "Punkt 7: Die Hauptversammlung beschließt den Widerruf der Zulassung der Aktien zum Amtlichen Handel der Wiener Börse."),
    ("sv", "no", "Kallelse till extra bolagsstämma i {N}", "Förslag till beslut: Stämman beslutar att bolaget ska ansöka om avnotering av aktierna från Nasdaq Stockholm."),
    ("no", "no", "{N}: Innkalling til generalforsamling", "Forslag til vedtak: «Generalforsamlingen vedtar å søke om strykning av aksjene fra Oslo Børs.»"),
    ("da", "no", "{N}: Indkaldelse til generalforsamling", "Generalforsamlingen beslutter, at selskabets aktier søges slettet fra handel på Nasdaq Copenhagen."),
    ("fi", "no", "{N}: kutsu ylimääräiseen yhtiökokoukseen", "Yhtiökokous päättää, että osakkeiden poistamista Nasdaq Helsingin pörssilistalta haetaan."),
    ("nl", "no", "{N}: oproeping voor de buitengewone algemene vergadering", "De algemene vergadering besluit de notering aan Euronext Amsterdam te beëindigen."),
    ("pl", "yes", "{N}: uchwały podjęte przez NWZ", "Uchwała nr 4: „Nadzwyczajne Walne Zgromadzenie postanawia o wycofaniu akcji z obrotu na rynku regulowanym GPW.” Uchwała została podjęta."),
    ("sv", "yes", "Kommuniké från extra bolagsstämma i {N}", "Stämman beslutade att bolaget ska ansöka om avnotering av aktierna från Nasdaq Stockholm."),
)  # fmt: skip
CLASSES = (
    ("fi", "A", "no", "Nasdaq Helsinki on hyväksynyt {N}:n hakemuksen B-sarjan osakkeiden poistamisesta pörssilistalta."),
    ("fi", "B", "yes", "Nasdaq Helsinki on hyväksynyt {N}:n hakemuksen B-sarjan osakkeiden poistamisesta pörssilistalta."),
    ("sv", "B", "no", "Nasdaq Stockholm har beslutat att avnotera aktier av serie A i {N}."),
    ("no", "A", "no", "Oslo Børs har vedtatt å stryke aksjer i klasse B i {N} fra notering."),
    ("da", "B", "no", "Nasdaq Copenhagen har besluttet at slette aktier i klasse A i {N} fra handel."),
)  # fmt: skip


def answer(market: str, text: str, title: str = "", security: str = "") -> str:
    """The status for a notice of a wire service, under `title`, about the listing of `market`."""
    issuer, mic, country, ticker, day, own = {**MARKETS, **MORE}[market]
    listing = factories.listing(
        issuer=issuer, mic=mic, country=country, ticker=ticker, security=security or own, security_type="common", venue=""
    )
    head = f"<head><title>{title}</title></head>" if title else ""
    body = f"<html>{head}<body><p>{day}</p><p>{text}</p></body></html>".replace("{N}", issuer)
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    return adjudicate(listing, [page], POLICY).status.value


@pytest.mark.parametrize(("market", "expected", "text"), HEARD, ids=[f"{m} {text[:40]}" for m, _, text in HEARD])
def test_heard(market: str, expected: str, text: str) -> None:
    """What is told in reportive mood or from nameless sources discloses nothing, also where a release answers it."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "text"), KIN, ids=[f"{m} {text[:40]}" for m, _, text in KIN])
def test_kin(market: str, expected: str, text: str) -> None:
    """Shares of a subsidiary or parent are not the issuer's, whoever tells of them."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "text"), VENUE, ids=[f"{m} {text[:40]}" for m, _, text in VENUE])
def test_venue_of_the_cause(market: str, expected: str, text: str) -> None:
    """The venue of an act is the one that it speaks of, never the one where the shares stay and that gives its cause."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "title", "text"), DRAFTS, ids=[f"{m} {text[:40]}" for m, _, _, text in DRAFTS])
def test_draft(market: str, expected: str, title: str, text: str) -> None:
    """The wording of a resolution under a headline that calls the meeting is a proposal."""
    assert answer(market, text, title) == expected


@pytest.mark.parametrize(("market", "letter", "expected", "text"), CLASSES, ids=[f"{m} {c} {text[:30]}" for m, c, _, text in CLASSES])
def test_lettered_class(market: str, letter: str, expected: str, text: str) -> None:
    """The letter of a class in the words of its language is told from the listing's."""
    assert answer(market, text, security=f"Series {letter} shares") == expected

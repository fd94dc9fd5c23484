"""Who moves and what becomes of it: motions of single holders, places that an act names, series that turn into others, funds that stay."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_heard import answer
from tests.unit.test_wording_traps import MARKETS, POLICY

# market, expected answer, text; {N} is the issuer
MOTIONS = (
    # what a holder moves, and nothing or a refusal behind it
    ("de", "no", "Hauptversammlung der {N}. Tagesordnungspunkt 9, Antrag des Aktionärs H. Pohl: Die Gesellschaft stellt den Antrag auf Widerruf der Zulassung der Aktien zum regulierten Markt."),
    ("ch", "no", "Protokoll der Generalversammlung der {N}. Traktandum 6, Begehren der Aktionärin Reuss Invest: Der Verwaltungsrat beantragt bei der SIX die Dekotierung der Namenaktien. In der Abstimmung unterliegt das Begehren mit 34 % der Stimmen."),
    ("uk", "no", "Minutes of the annual general meeting of {N}. Item 12, motion by shareholder J. Alder: the Company shall apply for the cancellation of the listing of its ordinary shares. On a poll the motion was lost."),
    ("us", "no", "Annual meeting of {N}. Proposal 5, shareholder proposal by M. Oakes: that the Company file an application to delist the common stock from the NYSE. The board recommends a vote against. 12% of votes were cast for it."),
    ("fr", "no", "Assemblée de {N}. Point 8, proposition de l'actionnaire P. Roche : la société demande à Euronext Paris la radiation des actions de la cote. Le conseil recommande le rejet. Votes pour : 9 %."),
    ("nl", "no", "Notulen van de vergadering van {N}. Agendapunt 7, voorstel van aandeelhouder De Witte: de vennootschap vraagt bij Euronext de schrapping van de notering van de aandelen aan. Het voorstel wordt verworpen."),
    ("it", "no", "Verbale dell'assemblea di {N}. Punto 6, proposta dell'azionista G. Neri: la società richiede a Borsa Italiana la revoca delle azioni dalla quotazione. La proposta viene respinta."),
    ("es", "no", "Acta de la junta de {N}. Punto 7, propuesta del accionista L. Vega: la sociedad solicita la exclusión de negociación de las acciones. El consejo se opone. La propuesta es rechazada por mayoría."),
    ("pt", "no", "Ata da assembleia da {N}. Item 5, proposta do acionista R. Lemos: a companhia requer o cancelamento da listagem das ações na B3. Votos favoráveis: 8%."),
    ("sv", "no", "Protokoll från årsstämman i {N}. Punkt 17, förslag från aktieägaren K. Berg: bolaget ansöker om avnotering av aktierna från Nasdaq Stockholm. Stämman avslår förslaget."),
    ("no", "no", "Protokoll fra generalforsamlingen i {N}. Sak 11, forslag fra aksjonær T. Lie: selskapet søker Oslo Børs om strykning av aksjene. Forslaget falt."),
    ("da", "no", "Referat af generalforsamlingen i {N}. Punkt 8, forslag fra aktionær B. Holm: selskabet ansøger Nasdaq Copenhagen om afnotering af aktierne. Forslaget bortfaldt."),
    ("fi", "no", "{N}:n yhtiökokouksen pöytäkirja. Kohta 16, osakkeenomistaja P. Niemen ehdotus: yhtiö hakee osakkeiden poistamista pörssilistalta. Kokous hylkäsi ehdotuksen."),
    ("pl", "no", "Protokół walnego zgromadzenia {N}. Punkt 12, wniosek akcjonariusza J. Wilka: spółka składa wniosek o wycofanie akcji z obrotu. Za głosowało 11%, uchwała nie została podjęta."),
    ("ja", "no", "{N}定時株主総会。第6号議案(株主提案):当社は東京証券取引所に普通株式の上場廃止を申請する。取締役会は反対する。"),
    ("ko", "no", "{N} 정기주주총회. 제5호 의안 주주제안: 회사는 한국거래소에 보통주의 상장폐지를 신청한다. 이사회는 반대한다."),
    # a motion that is carried, and what companies ask for themselves
    ("de", "yes", "Hauptversammlung der {N}. Tagesordnungspunkt 9, Antrag des Aktionärs H. Pohl: Die Gesellschaft stellt den Antrag auf Widerruf der Zulassung der Aktien zum regulierten Markt. Der Antrag wird mit 92 % der Stimmen angenommen."),
    ("uk", "yes", "The general meeting of {N} carried the motion by shareholder J. Alder: its ordinary shares have been removed from the Official List at its request."),
    ("fr", "yes", "L'assemblée de {N} a adopté la proposition de l'actionnaire P. Roche : la société a demandé à Euronext Paris la radiation de ses actions."),
    ("ch", "yes", "Auf Antrag der Hauptaktionärin hat der Verwaltungsrat der {N} beschlossen, bei der SIX die Dekotierung der Namenaktien zu beantragen."),
    ("ch", "yes", "Antrag der Aktionärin Reuss Invest: zurückgezogen. Der Verwaltungsrat der {N} hat heute beschlossen, bei der SIX die Dekotierung der Namenaktien zu beantragen."),
    ("uk", "yes", "At the request of its largest shareholder the board of {N} has resolved to apply for the cancellation of the listing of its ordinary shares on the London Stock Exchange on 4 June 2020."),
    ("sv", "yes", "Styrelsen i {N} har på begäran av aktieägaren K. Berg beslutat att ansöka om avnotering av aktierna från Nasdaq Stockholm."),
)  # fmt: skip
PLACES = (
    # the market of another city, by the city alone
    ("de", "no", "Die Zulassung der Inhaberaktien der {N} zum amtlichen Markt in Hamburg wird auf Antrag der Emittentin widerrufen. Im regulierten Markt in Frankfurt bleiben die Aktien zugelassen."),
    ("de", "no", "Bekanntmachung: Die Zulassung der Inhaberaktien der {N} zum geregelten Markt in München wird auf Antrag widerrufen."),
    ("de", "no", "Auf Antrag der {N} wird die Zulassung der Inhaberaktien zum Regulierten Markt in Düsseldorf mit Ablauf des 30. Juni 2020 widerrufen."),
    ("fr", "no", "La radiation des actions de {N} du marché réglementé de Bruxelles, demandée par l'émetteur, prendra effet le 12 mai."),
    ("nl", "no", "De notering van de aandelen van {N} op de gereglementeerde markt van Brussel wordt op verzoek van de vennootschap beëindigd met ingang van 12 mei."),
    ("uk", "no", "The ordinary shares of {N} were delisted at its request from the main market in Dublin with effect from today."),
    ("sv", "no", "Aktierna i {N} avnoteras på bolagets begäran från den reglerade marknaden i Helsingfors den 12 maj."),
    # this city
    ("de", "yes", "Die Zulassung der Inhaberaktien der {N} zum regulierten Markt in Frankfurt wird auf Antrag der Emittentin widerrufen."),
    ("fr", "yes", "La radiation des actions de {N} du marché réglementé de Paris, demandée par l'émetteur et acceptée par Euronext, prendra effet le 12 mai."),
    ("uk", "yes", "The ordinary shares of {N} were delisted at its request from the main market in London with effect from today."),
    ("sv", "yes", "Aktierna i {N} avnoteras på bolagets begäran från den reglerade marknaden i Stockholm den 12 maj."),
    # a place that is no market's
    ("de", "yes", "Die Zulassung der Inhaberaktien der {N} zum regulierten Markt wird auf Antrag der Emittentin mit Sitz in Stuttgart widerrufen."),
    ("de", "yes", "Der Vorstand der {N}, die im europäischen Markt in München bekannt ist, hat heute beschlossen, den Widerruf der Zulassung der Inhaberaktien zum regulierten Markt zu beantragen."),
)  # fmt: skip

# market, expected answer, text: the listing is the Tiefbrunn Copper Leaders ETF (TBCL) of the Tiefbrunn Trust
ROWS = "<table><tr><th>{}</th><th>{}</th></tr><tr><td>Tiefbrunn Solar Leaders ETF</td><td>TBSL</td></tr><tr><td>Tiefbrunn Cotton ETF</td><td>TBCN</td></tr>{}</table>"
OWN_ROW = "<tr><td>Tiefbrunn Copper Leaders ETF</td><td>TBCL</td></tr>"
SISTERS = (
    ("no", "The Trustees of Tiefbrunn Trust have approved the liquidation of the funds listed below.</p>" + ROWS.format("Fund", "Ticker", "") + "<p>The nine other series, TBCL and TBGD among them, go on as before."),
    ("no", "The Trustees of Tiefbrunn Trust have approved the liquidation of the following funds.</p>" + ROWS.format("Fund", "Ticker", "") + "<p>Tiefbrunn Copper Leaders ETF and its other sisters are managed by the same team and stay with us."),
    ("no", "The Trustees of Tiefbrunn Trust have approved the liquidation of two of its funds. The other funds of the Trust, TBCL included, will continue to operate."),
    ("no", "Tiefbrunn Trust: Die Notierung von zwei Fonds an der NYSE Arca wird auf Antrag mit Ablauf des 12. Mai 2020 eingestellt. Die übrigen Teilfonds, darunter der Tiefbrunn Copper Leaders ETF, werden unverändert fortgeführt."),
    ("no", "Tiefbrunn Trust a décidé la liquidation de deux fonds et leur radiation de la cote. Les autres compartiments, dont Tiefbrunn Copper Leaders ETF, poursuivent leur gestion."),
    ("no", "Tiefbrunn Trust ha deliberato la liquidazione di due fondi e la revoca dalla quotazione. Gli altri comparti, tra cui Tiefbrunn Copper Leaders ETF, proseguono come prima."),
    ("yes", "The Trustees of Tiefbrunn Trust have approved the liquidation of the funds listed below.</p>" + ROWS.format("Fund", "Ticker", OWN_ROW) + "<p>The nine other series, TBSI and TBGD among them, go on as before."),
    ("yes", "The Trustees of Tiefbrunn Trust have approved the liquidation of Tiefbrunn Copper Leaders ETF. The other funds of the Trust, TBSI included, will continue to operate."),
    ("yes", "The Trustees of Tiefbrunn Trust have resolved to liquidate Tiefbrunn Copper Leaders ETF. The fund will continue to operate as usual until the last day of trading on May 22, 2020."),
)  # fmt: skip

# market, security, code, ISIN, expected answer, text
TURNED = (
    ("mx", "Acciones Serie B", "ATAM B", "MX01AT0B0006", "no", "{N}: por la conversión de la Serie L en Serie B, el 2 de julio se cancela la inscripción de la Serie L y quedan inscritas 40,000,000 acciones Serie B (MX01AT0B0006)."),
    ("mx", "Acciones Serie B", "ATAM B", "MX01AT0B0006", "no", "{N}: la Bolsa cancela el listado de las acciones Serie A, convertidas en acciones Serie B, y las acciones Serie B (MX01AT0B0006) continúan cotizando."),
    ("us", "Class A common stock", "ALD.A", "US0130001001", "no", "{N}: on July 2 the Class B common stock was delisted from the NYSE upon its conversion into Class A common stock, and the new shares of Class A common stock (US0130001001) are listed there."),
    ("sv", "B-aktier", "NORR B", "SE0001234561", "no", "{N}: A-aktierna avnoteras från Nasdaq Stockholm den 2 juli sedan de omvandlats till B-aktier, och samtliga B-aktier (SE0001234561) upptas till handel."),
    ("de", "Stammaktien", "WHT", "DE0001234565", "no", "{N}: Die Notierung der Vorzugsaktien wird auf Antrag mit Ablauf des 2. Juli 2020 eingestellt, und die daraus entstandenen Stammaktien (DE0001234565) werden zugelassen."),
    ("uk", "Ordinary shares", "ALD", "GB0001234569", "no", "{N}: the listing of the preference shares was cancelled today on their conversion, and the resulting ordinary shares (GB0001234569) are admitted to the Official List."),
    # this class, whatever stays beside it
    ("mx", "Acciones Serie B", "ATAM B", "MX01AT0B0006", "yes", "{N}: la Bolsa informa que el 2 de julio se cancela la inscripción de las acciones Serie B (MX01AT0B0006) y quedan inscritas las acciones Serie L."),
    ("mx", "Acciones Serie B", "ATAM B", "MX01AT0B0006", "yes", "{N}: la asamblea aprobó y la CNBV autorizó que se cancele la inscripción de las acciones Serie A y de las acciones Serie B (MX01AT0B0006)."),
    ("de", "Stammaktien", "WHT", "DE0001234565", "yes", "{N}: Die Notierung der Stammaktien (DE0001234565) wird auf Antrag mit Ablauf des 2. Juli 2020 eingestellt, und die Genussscheine werden in den Freiverkehr einbezogen."),
    ("uk", "Ordinary shares", "ALD", "GB0001234569", "yes", "{N}: the listing of the ordinary shares (GB0001234569) was cancelled today at its request, and the preference shares remain listed."),
    ("us", "Class A common stock", "ALD.A", "US0130001001", "yes", "{N} has filed Form 25 to delist its Class A common stock (US0130001001) from the NYSE, and its notes remain listed."),
)  # fmt: skip

# issuer, venue, country, code, security, kind, expected answer, text
HOME = ("PT Rimba Sawala Tbk", "XNYS", "US", "RMBS", "American Depositary Shares", "adr")
MALAY = ("Perusahaan Kayu Lestari Berhad", "XKLS", "MY", "KYLS", "Ordinary shares", "common")
CALLED = (
    # the announcement at home, of a company that it names by its code alone
    (*HOME, "yes", "Direksi Perseroan telah memutuskan untuk mengakhiri pencatatan ADS Perseroan (kode: RMBS) di New York Stock Exchange. Saham tetap tercatat di Bursa Efek Indonesia."),
    (*HOME, "yes", "Direksi Perseroan memutuskan penghapusan pencatatan ADS (kode efek RMBS) di New York Stock Exchange."),
    (*HOME, "yes", "Direksi PT Rimba Sawala Tbk telah memutuskan menarik secara sukarela pencatatan ADS Perseroan di New York Stock Exchange."),
    (*HOME, "no", "Direksi Perseroan telah memutuskan untuk mengakhiri pencatatan ADS Perseroan (kode: RMBT) di New York Stock Exchange."),
    (*HOME, "no", "Direksi Perseroan telah memutuskan untuk mengakhiri pencatatan saham Perseroan (kode: RMBS) di Bursa Efek Indonesia."),
    (*HOME, "no", "PT Rimba Sawala Tbk: New York Stock Exchange memutuskan penghentian sementara pencatatan ADS Perseroan (kode: RMBS)."),
    (*HOME, "no", "PT Rimba Sawala Tbk (kode: RMBS) memutuskan mengakhiri perjanjian dengan New York Stock Exchange Data."),
    (*HOME, "no", "The board of Corvane Mills Inc. has resolved to delist its ADSs (code RMBS) from the New York Stock Exchange."),
    # a word for company leads the name
    (*MALAY, "yes", "KAYU LESTARI: Bursa Malaysia Securities has decided to de-list the securities of the Company on 12 May 2020, unless an appeal is submitted on or before 8 May 2020. Should one be made, the removal shall be deferred pending the decision on it."),
    (*MALAY, "yes", "Bursa Malaysia Securities Berhad has dismissed the appeal of Kayu Lestari; its securities will be removed from the Official List on 12 May 2020."),
    (*MALAY, "no", "KAYU LESTARI: if the Company fails to submit a plan, Bursa Malaysia Securities shall de-list the securities of the Company, subject to its right of appeal."),
    (*MALAY, "no", "Kayu Manis Berhad: Bursa Malaysia Securities has decided to de-list the securities of the Company on 12 May 2020."),
)  # fmt: skip
# the reason of a withdrawal, in texts about the listing of the market "de"
MOVED = (
    ("transfer", "Der Vorstand der {N} hat beschlossen, den Widerruf der Zulassung der Aktien zum regulierten Markt zu beantragen und sie zugleich in das Segment m:access einzubeziehen. Die Großaktionärin wird das gesetzlich vorgesehene Delisting-Erwerbsangebot abgeben."),
    ("transfer", "Auf Antrag der {N} wird die Zulassung der Inhaberaktien zum regulierten Markt widerrufen, und die Aktien werden ab dem 13. Mai in das Segment Scale des Freiverkehrs einbezogen. Die Großaktionärin hatte ein Delisting-Erwerbsangebot abgegeben."),
    ("merger_acquisition", "Der Vorstand der {N} hat beschlossen, den Widerruf der Zulassung der Aktien zum regulierten Markt zu beantragen, nachdem die Bieterin ein Delisting-Erwerbsangebot veröffentlicht hat. Eine Einbeziehung in den Freiverkehr ist nicht vorgesehen."),
    ("merger_acquisition", "Der Vorstand der {N} hat beschlossen, den Widerruf der Zulassung der Aktien zum regulierten Markt zu beantragen, nachdem die Bieterin ein Delisting-Erwerbsangebot veröffentlicht hat. Es wird keine Einbeziehung in den Freiverkehr geben."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), MOTIONS, ids=[f"{m} {text[:60]}" for m, _, text in MOTIONS])
def test_motion_of_a_holder(market: str, expected: str, text: str) -> None:
    """What a holder moves is no step unless it is said to be carried; a company's own wish at a holder's request is one."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(("market", "expected", "text"), PLACES, ids=[f"{m} {text[:60]}" for m, _, text in PLACES])
def test_market_of_a_city(market: str, expected: str, text: str) -> None:
    """A market that is named by its city is that city's."""
    assert answer(market, text) == expected


@pytest.mark.parametrize("kind", ["fund", "etf"])
@pytest.mark.parametrize(("expected", "text"), SISTERS, ids=[text[:70] for _, text in SISTERS])
def test_sister_funds(kind: str, expected: str, text: str) -> None:
    """A fund ends when it stands among those that are closed, not when a note below them or another sentence says that it stays."""
    listing = factories.listing(
        issuer="Tiefbrunn Trust",
        mic="ARCX",
        country="US",
        ticker="TBCL",
        security="Tiefbrunn Copper Leaders ETF",
        security_type=kind,
        venue="",
    )
    body = f"<html><body><p>May 4, 2020</p><p>{text}</p></body></html>"
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected


@pytest.mark.parametrize(("market", "security", "code", "isin", "expected", "text"), TURNED, ids=[f"{x[0]} {x[5][:60]}" for x in TURNED])
def test_class_that_turns_into_this(market: str, security: str, code: str, isin: str, expected: str, text: str) -> None:
    """Where another class ends as it turns into this one, the code of this one tells what stays."""
    issuer, mic, country, _, day, _ = MARKETS[market]
    listing = factories.listing(
        issuer=issuer, mic=mic, country=country, ticker=code, security=security, security_type="common", isin=isin, venue=""
    )
    body = f"<html><body><p>{day}</p><p>{text.replace('{N}', issuer)}</p></body></html>"
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected


@pytest.mark.parametrize(
    ("issuer", "mic", "country", "code", "security", "kind", "expected", "text"), CALLED, ids=[x[-1][:70] for x in CALLED]
)
def test_called_by_code_or_short_name(
    issuer: str, mic: str, country: str, code: str, security: str, kind: str, expected: str, text: str
) -> None:
    """A security that a notice calls by its code at this venue is the listing's; "Perusahaan" and its like open a name that is used without."""
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=code, security=security, security_type=kind, venue="")
    body = f"<html><body><p>4 May 2020</p><p>{text}</p></body></html>"
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected


@pytest.mark.parametrize(("reason", "text"), MOVED)
def test_move_to_an_open_market(reason: str, text: str) -> None:
    """A withdrawal with the inclusion in an open market is a transfer, whoever makes the offer that the law asks for."""
    issuer, mic, country, ticker, day, security = MARKETS["de"]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    body = f"<html><body><p>{day}</p><p>{text.replace('{N}', issuer)}</p></body></html>"
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    verdict = adjudicate(listing, [page], POLICY)
    assert (verdict.status.value, verdict.reason) == ("yes", reason)

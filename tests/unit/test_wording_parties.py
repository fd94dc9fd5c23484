"""Who is meant and what ends: lines that others replace, debts paid in shares, funds of an umbrella, cases opened, agents, periods."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.adjudicate.rules.agents import in_office
from s2r.adjudicate.rules.periods import of_a_period
from s2r.extract import extract
from s2r.models import Verdict
from tests import factories
from tests.unit.test_wording_traps import MARKETS, POLICY, answer

# market, status, text of a release about {N}
ROWS = (
    # a line of shares ends, and another one of the same shares is admitted
    ("uk", "no", "The FCA hereby cancels the following: {N} - Ordinary Shares of 5p each, and admits: {N} - 2,410,500 Ordinary Shares of 50p each, in consequence of a one-for-ten consolidation."),
    ("uk", "no", "The Authority hereby cancels: {N} - Ordinary Shares of £1 each; the Ordinary Shares of 10p each are admitted in their place after the sub-division."),
    ("au", "no", "ASX removes from quotation the ordinary shares of {N} at the close, and the 8,400,000 shares that result from the consolidation are admitted on Monday."),
    ("uk", "yes", "The FCA hereby cancels the listing of the ordinary shares of {N}, which followed a consolidation of 2015, at the request of the company."),
    ("uk", "yes", "The FCA hereby cancels the listing of the ordinary shares of {N}, and the shares that result from the consolidation are admitted to trading on AIM."),
    ("uk", "yes", "The FCA hereby cancels the following: {N} - Ordinary Shares of 5p each, at the request of the company."),
    # a debt that is paid in shares is what is taken off the list
    ("qc", "no", "Les débentures convertibles à 7 % de {N} sont échues et ont été remboursées en actions. Elles ont été radiées de la cote de la TSX à la fermeture hier."),
    ("ca", "no", "The 7% convertible debentures of {N} matured and were repaid in common shares. They have been delisted from the TSX at the close today."),
    ("es", "no", "Las obligaciones convertibles de {N} han sido reembolsadas en acciones. Han sido excluidas de negociación en la Bolsa de Madrid con efectos de hoy."),
    ("qc", "yes", "Les débentures convertibles à 7 % de {N} ont été remboursées en actions. Les actions ordinaires seront radiées de la cote de la TSX à la fermeture le 29 mai."),
    ("ca", "yes", "The dividend of {N} is paid in common shares. The common shares have been delisted from the TSX at the close today, at the company's request."),
    # a case that is opened revokes nothing
    ("us", "no", "The Commission has issued an order instituting proceedings pursuant to Section 12(j) of the Exchange Act against {N}."),
    ("us", "no", "Proceedings under Section 12(j) have been instituted by the Commission in respect of the common stock of {N}; a hearing will be set."),
    ("us", "no", "{N} has received notice of a public hearing under Section 12(j), at which the Division of Enforcement will ask the judge to revoke."),
    ("us", "yes", "In proceedings instituted under Section 12(j) the Commission has today revoked the registration of the common stock of {N}."),
    ("us", "yes", "By order of today under Section 12(j) the registration of each class of securities of {N} is revoked."),
    # a letter that is told by its verb
    ("nas", "yes", "{N} today reported that Nasdaq's staff wrote on Thursday that it had determined to delist the common stock."),
    ("nas", "yes", "The staff of Nasdaq has written to {N} that it had decided to delist the company's common stock."),
    ("nas", "no", "{N} grew out of a company that the exchange had delisted in 2009."),
    # agents are no party
    ("us", "yes", "Notice has been given through Harrow Fiduciary Trust Company, as transfer agent, that the common stock of the company will be delisted from the New York Stock Exchange on May 29. {N} said so today."),
    ("us", "no", "{N} noted today that Harrow Fiduciary Trust Company has decided to delist the shares of Harrow Fiduciary Trust Company from the NYSE."),
    # another company's shares, in Arabic
    ("ar", "no", "وافقت لجنة القيد على الشطب الاختياري لأسهم شركة الواحة للزيوت. وقدمت {N} نتائج الربع الأول."),
    ("ar", "no", "قدمت {N} نتائج الربع الأول. كما قررت لجنة القيد الشطب الإجباري لأسهم شركة الواحة للزيوت من جداول البورصة."),
    ("ar", "yes", "قررت لجنة القيد الشطب الإجباري لأسهم شركة {N} من جداول البورصة لعدم توفيق الأوضاع."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), ROWS, ids=[f"{m} {text[:48]}" for m, _, text in ROWS])
def test_row(market: str, expected: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected


def _verdict(listing: dict[str, str], *paragraphs: str, url: str = "https://www.globenewswire.com/news-release/a.html") -> Verdict:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    page = extract(f"<html><body>{body}</body></html>".encode(), "text/html", url, digest="sha256:1")
    return adjudicate(factories.listing(venue="", **listing), [page], POLICY)


_FUND = {"issuer": "Larkwell ETF Trust - Larkwell Global Copper ETF", "mic": "ARCX", "country": "US", "ticker": "LCOP", "security": "Shares of beneficial interest", "security_type": "etf"}  # fmt: skip
FUNDS = (
    ("no", "The Board of Trustees of Larkwell ETF Trust has resolved to liquidate two of its nine series and to delist them from NYSE Arca."),
    ("no", "Larkwell ETF Trust: the Board approved a plan of liquidation for Larkwell Emerging Tin ETF, which will be delisted from NYSE Arca."),
    ("yes", "The Board of Trustees of Larkwell ETF Trust has approved a plan of liquidation for Larkwell Global Copper ETF; its shares will be delisted from NYSE Arca."),
    ("yes", "Larkwell Global Copper ETF (LCOP) will be liquidated and delisted from NYSE Arca, the Board of Trustees has resolved."),
)  # fmt: skip


@pytest.mark.parametrize(("expected", "text"), FUNDS, ids=[text[:60] for _, text in FUNDS])
def test_fund(expected: str, text: str) -> None:
    """A fund that is delivered as "trust - fund" is meant by its own name, not by the trust's."""
    assert _verdict(_FUND, "May 4, 2020", text).status.value == expected


ISSUED = (
    ("it", "Comunicato stampa diffuso da {N} per conto di Serchio Holding S.r.l. – 4 maggio 2020", "Con riferimento al comunicato del 27 aprile 2020 si conferma la soglia raggiunta. {D}", "Borsa Italiana ha disposto la revoca dalla quotazione delle azioni di {N} dal 12 maggio 2020."),
    ("uk", "Announcement released by {N} at the request of Serchio Bidco Limited – 4 May 2020", "With reference to the announcement of 27 April 2020 the level of acceptances is confirmed.", "The FCA has decided to cancel the listing of the shares of {N} from 12 May 2020."),
    ("de", "Mitteilung der {N} auf Verlangen der Serchio Beteiligungs GmbH – 4. Mai 2020", "Mit Bezug auf die Mitteilung vom 27. April 2020 wird das Ergebnis bestätigt.", "Die Frankfurter Wertpapierbörse hat die Zulassung der Aktien der {N} zum regulierten Markt widerrufen."),
    ("fr", "Communiqué diffusé par {N} à la demande de Serchio Participations SAS – 4 mai 2020", "En référence au communiqué du 27 avril 2020, le résultat est confirmé.", "Euronext Paris a décidé de radier les actions de {N} le 12 mai 2020."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "line", "before", "step"), ISSUED, ids=[row[0] for row in ISSUED])
def test_issued(market: str, line: str, before: str, step: str) -> None:
    """The line that says who issues a release ends with its day; one that a later sentence refers to is another release's."""
    issuer, mic, country, ticker, _, security = MARKETS[market]
    own = {"issuer": issuer, "mic": mic, "country": country, "ticker": ticker, "security": security, "security_type": "common"}
    verdict = _verdict(own, *(text.replace("{N}", issuer).replace(" {D}", "") for text in (line, before, step)))
    assert str(verdict.announcement_date) == "2020-05-04"


_NOTES = {"issuer": "Puertos del Istmo, S.A. de C.V.", "mic": "XMEX", "country": "MX", "ticker": "PIS 15", "security": "Certificados bursátiles PIS 15", "security_type": "note"}  # fmt: skip


def test_notice_to_holders() -> None:
    """A notice that addresses the holders is the issuer's own word, wherever it is printed; a report about it is not."""
    day, step = (
        "4 de mayo de 2020",
        "en esa fecha quedará cancelado el listado de los certificados bursátiles PIS 15 en la Bolsa Mexicana de Valores.",
    )
    notice = f"A los tenedores de los certificados bursátiles PIS 15 de Puertos del Istmo, S.A. de C.V.: por medio del presente se les hace saber que {step}"
    assert _verdict(_NOTES, day, notice, url="https://copias.example/a").status.value == "yes"
    report = f"Puertos del Istmo, S.A. de C.V. paga su deuda: {step}"
    assert _verdict(_NOTES, day, report, url="https://copias.example/a").status.value != "yes"


def test_caption() -> None:
    """An order whose caption names the issuer is about it, though other documents are silent; one against another company is not."""
    issuer, mic, country, ticker, _, security = MARKETS["us"]
    own = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")

    def judged(party: str) -> str:
        order = f"<p>May 4, 2020</p><p>In the Matter of {party}</p><p>It is ordered that under Section 12(j) registration of each class of Respondent's securities is revoked.</p>"
        texts = [order, *(f"<p>May {n}, 2020</p><p>{issuer} reports sales for month {n} of its year.</p>" for n in (1, 2, 3, 5))]
        pages = [
            extract(f"<html><body>{t}</body></html>".encode(), "text/html", f"https://sec.gov/a{n}", digest=f"sha256:{n}")
            for n, t in enumerate(texts)
        ]
        return adjudicate(own, pages, POLICY).status.value

    assert judged(issuer) == "yes"
    assert judged("Harrow Copper Mines Inc.") != "yes"


OFFICES = (
    (True, "Harrow Trust Company|, as depositary, that"),
    (True, "Banque Aubrac| SA, en qualité d'agent centralisateur, a"),
    (True, "Fiduciaria Turia|, en su calidad de agente, ha"),
    (True, "Weser Bank| AG als Zahlstelle hat"),
    (False, "Harrow Trust Company|, as expected, said"),
    (False, "Weser Bank| AG als Aktionärin hat"),
    (False, "Banque Aubrac|, en tant qu'actionnaire, a"),
    (False, "Fiduciaria Turia|, como se sabe, ha"),
)


@pytest.mark.parametrize(("expected", "text"), OFFICES)
def test_office(expected: bool, text: str) -> None:
    """Companies that hold an office, and those that do not."""
    assert in_office(text.replace("|", ""), text.index("|")) is expected


PERIODS = (
    (True, "on the |expiry| of the notice period"),
    (True, "nach |ablauf| der frist"),
    (True, "à l'|expiration| du délai"),
    (True, "al |vencimiento| del plazo"),
    (True, "ved |udløbet| af perioden"),
    (True, "efter |utgången| av acceptfristen"),
    (True, "alla |scadenza| del termine"),
    (True, "fristens |utgång| är"),
    (False, "the |expiry| of the warrants"),
    (False, "|ablauf| der optionsscheine"),
    (False, "à l'|échéance| des obligations"),
    (False, "|udløb| af warrants"),
)


@pytest.mark.parametrize(("expected", "text"), PERIODS)
def test_period(expected: bool, text: str) -> None:
    """What expires: a period, or a security."""
    before, words, _ = text.split("|")
    assert of_a_period(text.replace("|", ""), len(before), len(before) + len(words)) is expected


def test_reason_of_warrants() -> None:
    """Warrants end on a day that was set when they were issued, where nothing else is said; shares do not."""
    issuer, mic, country, ticker, _, _ = MARKETS["ms"]
    own = {"issuer": issuer, "mic": mic, "country": country}
    warrants = _verdict({**own, "ticker": f"{ticker}-WA", "security": "Warrants 2015/2020", "security_type": "warrant"}, "4 May 2020", f"The warrants 2015/2020 of {issuer} will be removed from the Official List of Bursa Securities on 12 May 2020.")  # fmt: skip
    assert (warrants.status.value, warrants.reason) == ("yes", "expiry_redemption")
    shares = _verdict({**own, "ticker": ticker, "security": "Ordinary shares", "security_type": "common"}, "4 May 2020", f"The ordinary shares of {issuer} will be removed from the Official List of Bursa Securities on 12 May 2020.")  # fmt: skip
    assert (shares.status.value, shares.reason == "expiry_redemption") == ("yes", False)


def test_reason_at_the_end_of_a_period() -> None:
    """The end of a period is no expiry of the shares."""
    issuer, mic, country, ticker, day, security = MARKETS["da"]
    own = {"issuer": issuer, "mic": mic, "country": country, "ticker": ticker, "security": security, "security_type": "common"}
    said = f"Hovedaktionæren har indledt tvangsindløsning. {issuer} har anmodet Nasdaq Copenhagen om at slette aktierne fra handel ved udløbet af indløsningsperioden."
    assert _verdict(own, day, said).reason == "merger_acquisition"


MORE = (
    # a debt that falls due, and the sentence that goes on about it
    ("uk", "no", "The 6% issue 2020 of {N} has reached maturity. It will be removed from the Official List on 12 May 2020."),
    ("es", "no", "Por vencimiento el 4 de mayo se amortiza la emisión al 5,75% de {N}. Se excluye de negociación con efectos de hoy."),
    ("de", "no", "Die Emission 4,5 % 2015/2020 der {N} wird bei Fälligkeit zurückgezahlt. Sie wird vom Börsenhandel ausgeschlossen."),
    ("uk", "yes", "The 6% issue 2020 of {N} has reached maturity. The FCA has decided to cancel the listing of the ordinary shares on 12 May 2020."),
    ("uk", "yes", "Harrow Bidco holds 96% of {N}. It will be removed from the Official List on 12 May 2020."),
    # holders carry the end itself, and its timetable follows
    ("au", "yes", "{N} gives the results of its meeting. Resolution 1 - Approval of removal of the company from the Official List: carried as a special resolution. Key dates: last day of trading on ASX 1 June 2020."),
    ("au", "no", "{N} gives the results of its meeting. Resolution 1 - Renewal of the placement capacity: carried as a special resolution. Key dates: last day of trading with dividend on ASX 1 June 2020."),
    ("au", "no", "{N} gives the results of its meeting. Resolution 1 - Approval of removal of the company from the Official List: not carried as a special resolution. Key dates: last day of trading with dividend on ASX 1 June 2020."),
    # a sanction that is the end of the listing, and one that is a fine
    ("pl", "yes", "Komisja Nadzoru Finansowego nałożyła na {N} sankcję w postaci bezterminowego wykluczenia jej akcji z obrotu na rynku regulowanym."),
    ("pl", "no", "Komisja Nadzoru Finansowego nałożyła na {N} sankcję w postaci kary pieniężnej za naruszenie obowiązków informacyjnych."),
    ("es", "yes", "El regulador impuso a {N} la sanción de exclusión de negociación de sus acciones en la Bolsa de Madrid."),
    ("es", "no", "El regulador impuso a {N} una sanción de 40.000 euros por informar tarde de sus resultados."),
    ("fr", "yes", "Le régulateur a prononcé à l'encontre de {N} la sanction de radiation des actions d'Euronext Paris."),
    ("it", "yes", "L'autorità ha applicato a {N} la sanzione della revoca dalla quotazione delle azioni."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), MORE, ids=[f"{m} {text[:48]}" for m, _, text in MORE])
def test_more(market: str, expected: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected


def test_own_announcement_under_a_code() -> None:
    """An announcement that names no company, addresses its holders and is filed under the issuer's code is the issuer's; a report is not."""
    own = {"issuer": "Kwenabos Retail Limited", "mic": "XJSE", "country": "ZA", "ticker": "KWB", "security": "Ordinary shares", "security_type": "common"}  # fmt: skip
    day, step = "4 May 2020", "The JSE has approved the termination of the listing from Tuesday 19 May 2020."
    told = "Shareholders are advised that the last condition was fulfilled today."
    assert _verdict(own, day, told, step, url="https://sens.example/KWB/20200504").status.value == "yes"
    assert _verdict(own, day, told, step, url="https://sens.example/KXX/20200504").status.value != "yes"
    assert _verdict(own, day, "A condition was fulfilled today.", step, url="https://sens.example/KWB/20200504").status.value != "yes"

"""Whose act, about what, said by whom: states of a company that are no condition, notes that spare a class, outcomes, codes, lists and reasons."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from s2r.adjudicate import adjudicate
from s2r.adjudicate.rules.document import RELEASE
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.lookalikes import OFF_WATCH
from s2r.adjudicate.rules.reason import _INFORMED, _INFORMS
from s2r.adjudicate.rules.target import _ticker_pattern
from s2r.adjudicate.rules.unreserved import DENIED, OUTCOME
from s2r.extract import extract
from s2r.lang.names import Strength, name_matcher
from s2r.lang.sentences import split_sentences
from s2r.policy import under_code
from tests import factories
from tests.unit.test_wording_heard import POLICY, answer
from tests.unit.test_wording_traps import MARKETS

# market, expected answer, text; {N} is the issuer
WORDS = (
    # a state of the company is no condition of the decision
    ("ca", "yes", "The Toronto Stock Exchange has determined to delist the common shares of {N} on 3 June, the company having become subject to creditor protection."),
    ("uk", "yes", "The FCA has decided to cancel the listing of {N}, the company having been subject to a winding-up order since March."),
    ("fr", "yes", "Euronext a décidé la radiation des actions {N} à compter du 12 mai, la société étant soumise à une procédure de liquidation."),
    ("ca", "no", "The Toronto Stock Exchange has agreed to delist the common shares of {N}, subject to approval by shareholders."),
    ("uk", "no", "The board of {N} has resolved to cancel the listing, subject to the sanction of the court."),
    ("fr", "no", "Le conseil de {N} a décidé la radiation des actions, laquelle reste soumise à l'approbation de l'assemblée générale."),
    # what the company is no longer is a warned one
    ("my", "no", "Bursa Securities has approved the application of {N}; it is no longer classified as a PN17 company from 13 May."),
    ("sv", "no", "Nasdaq Stockholm har bifallit ansökan från {N}; aktien är inte längre på observationslistan."),
    ("my", "yes", "Bursa Securities has approved the application of {N} to withdraw its listing; the shares will be removed from the Official List on 13 May."),
    ("us", "yes", "{N} said its stock will no longer be listed on the New York Stock Exchange, which it notified today of its decision to withdraw."),
    # a note spares the class
    ("ko", "no", "{N} 정리매매 안내. 상장폐지일: 2020.05.12 ※ 보통주는 해당 없음"),
    ("ja", "no", "東京証券取引所は{N}の銘柄の上場廃止を決定した。 ※普通株式(6398)は該当しません。"),
    ("zh", "no", "上交所决定终止{N}该证券上市。注:普通股不适用。"),
    ("fr", "no", "{N} annonce que les titres seront radiés de la cote le 12 mai. Actions ordinaires (ABC) : non concernées."),
    ("es", "no", "La CNMV ha acordado la exclusión de negociación de los valores de {N}. Acciones ordinarias (ABC): no aplica."),
    ("ko", "yes", "한국거래소는 {N} 보통주의 상장폐지를 결정했다. 상장폐지일: 2020.05.12 ※ 우선주는 해당 없음"),
    ("ja", "yes", "東京証券取引所は{N}の普通株式の上場廃止を決定した。 ※優先株式は発行していません。"),
    ("fr", "yes", "Euronext a décidé la radiation des actions {N} à compter du 12 mai. Obligations (ABC) : non concernées."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), WORDS, ids=[f"{m} {t[:40]}" for m, _, t in WORDS])
def test_standing(market: str, expected: str, text: str) -> None:
    """One release about the issuer."""
    assert answer(market, text) == expected


HALL = "Royal Vandervelt Papier N.V."
OUTCOMES = (
    # market, expected answer, headline, text: an outcome proposes nothing, a proposal stays one
    ("nl", "yes", "Bod op {N}: uitslag van het bod en einde beursnotering", "In overleg met Euronext is besloten de notering van de aandelen {N} per 12 mei te beëindigen."),
    ("uk", "yes", "Recommended offer for {N}: results of the offer and delisting", "The board of {N} has today resolved to cancel the listing of its shares; the cancellation takes effect on 12 May."),
    ("uk", "no", "Recommended offer for {N}", "The board of {N} has today resolved to propose that the listing of its shares be cancelled."),
    ("nl", "no", "Voorstel aan de vergadering van {N}", "Het bestuur van {N} heeft besloten aan de algemene vergadering voor te stellen de notering te beëindigen."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "title", "text"), OUTCOMES, ids=[title for _, _, title, _ in OUTCOMES])
def test_outcome(market: str, expected: str, title: str, text: str) -> None:
    """A headline that gives the outcome of an offer announces no proposal."""
    issuer, mic, country, ticker, day, own = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=own, security_type="common", venue="")
    body = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{day}</p><p>{text}</p></body></html>".replace("{N}", issuer)
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).status.value == expected


PHRASES = (
    # what the words are, whether the text holds them, text
    (OUTCOME, True, "ergebnis des übernahmeangebots"),
    (OUTCOME, True, "résultat définitif de l'offre"),
    (OUTCOME, True, "resultado final de la oferta"),
    (OUTCOME, True, "utfallet av budet"),
    (OUTCOME, True, "wyniki wezwania"),
    (OUTCOME, True, "要约收购结果公告"),
    (OUTCOME, True, "공개매수 결과"),
    (OUTCOME, False, "aanbevolen openbaar bod op de aandelen"),
    (OUTCOME, False, "results for the first half, and an offer"),
    (OUTCOME, False, "ergebnisse des halbjahrs"),
    (OFF_WATCH, True, "tidak lagi berada dalam pemantauan khusus"),
    (OFF_WATCH, True, "tidak lagi dikelaskan sebagai syarikat pn17"),
    (OFF_WATCH, True, "nie znajduje się już na liście alertów"),
    (OFF_WATCH, True, "steht nicht mehr auf der beobachtungsliste"),
    (OFF_WATCH, True, "n'est plus placée sous surveillance"),
    (OFF_WATCH, True, "deja de figurar en la lista de vigilancia"),
    (OFF_WATCH, True, "公司股票不再被实施退市风险警示"),
    (OFF_WATCH, True, "관리종목에서 해제"),
    (OFF_WATCH, False, "no longer be listed on the exchange"),
    (OFF_WATCH, False, "公司股票不再上市交易"),
    (OFF_WATCH, False, "관리종목으로 지정"),
    (DENIED, True, "having become subject to insolvency proceedings"),
    (DENIED, True, "estando sujeita ao processo, encontra-se sujeita a falência"),
    (DENIED, True, "essendo sottoposta a procedura concorsuale"),
    (DENIED, True, "bolaget är föremål för konkursförfarande"),
    (DENIED, True, "onderworpen aan een faillissementsprocedure"),
    (DENIED, False, "the delisting is subject to court approval"),
    (DENIED, False, "subordinata all'approvazione dell'assemblea"),
    (DENIED, False, "onderworpen aan goedkeuring door de vergadering"),
)  # fmt: skip


@pytest.mark.parametrize(("words", "held", "text"), PHRASES, ids=[text for _, _, text in PHRASES])
def test_phrases(words: Guarded, held: bool, text: str) -> None:
    """Words of an outcome, of a list that the company is off, and of a state that is no condition."""
    assert bool(re.search(words.pattern, text)) is held


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("FAIRHOPE, Ala.--Tuckamore Systems Corporation (NYSE: TKL) today announced that it is leaving", True),
        ("LAVAL, Québec -- (CNW) -- Tuckamore inc. (TSX : TKL) annonce", True),
        ("Arnhem/Lille, 4 mei 2020 - In de na-aanmeldingstermijn", True),
        ("FAIRHOPE -- Tuckamore Systems shares fell on Tuesday", False),
        ("FAIRHOPE (Reuters) - Tuckamore Systems (TKL.N) said on Tuesday", False),
        ("Frankfurt/Main, 4. Mai 2020 - Der Konzern", False),
        ("Arnhem, 4 mei 2020 - De krant schrijft", False),
    ],
)
def test_dateline(text: str, release: bool) -> None:
    """The company's own dateline without a day, and one of two parties; agencies and papers write from one place and report."""
    assert bool(RELEASE.match(text)) is release


@pytest.mark.parametrize(
    ("text", "found"),
    [("(tsx: kzl.db)", False), ("(tsx: kzl.rt)", False), ("(asx: kzl.ws)", False), ("(tsx: kzl)", True), ("trades as kzl. shares", True)],
)
def test_code_with_a_class(text: str, found: bool) -> None:
    """The code of debentures, rights or warrants is not that of the shares."""
    pattern = _ticker_pattern("KZL")
    assert pattern is not None
    assert bool(pattern.search(text)) is found


FREI = "Die Notierung der Aktien der {N} im Freiverkehr wird mit Ablauf des 12. Mai 2020 eingestellt."


REVOKED = "Die Frankfurter Wertpapierbörse hat die Zulassung der Aktien der {N} widerrufen. Eine Einbeziehung in den Freiverkehr ist nicht vorgesehen."
LEFT = "SIX Exchange Regulation hat die Dekotierung der Namenaktien der {N} bewilligt. Die Einbeziehung in den Freiverkehr läuft weiter."


@pytest.mark.parametrize(
    ("market", "expected", "text"),
    [("ca", "no", FREI), ("au", "no", FREI), ("ch", "no", FREI), ("de", "yes", REVOKED), ("ch", "yes", LEFT)],
)
def test_market_of_one_country(market: str, expected: str, text: str) -> None:
    """A kind of market that only one country has is another venue than one elsewhere."""
    assert answer(market, text) == expected


@pytest.mark.parametrize(
    ("issuer", "text", "named"),
    [
        (HALL, "Offer for Vandervelt declared unconditional", True),
        ("Groupe Merlangeau Sylvicole inc.", "Merlangeau quitte la Bourse", True),
        ("Kungliga Norrström AB", "Norrström lämnar börsen", False),  # no such first word is known
        (HALL, "Offer for Vandervelt Bakkerijen N.V. declared unconditional", False),  # another company
        ("Royal Paper Mills plc", "Paper prices rose", False),
        ("Groupe Lys Sylvicole inc.", "Lys quitte la Bourse", False),  # too short to stand alone
    ],
)
def test_name_without_its_first_word(issuer: str, text: str, named: bool) -> None:
    """The distinctive word between a word of structure and the line of business is the issuer, unless another name goes on from it."""
    assert any(m.strength is not Strength.NAMESAKE for m in name_matcher(issuer).find(text)) is named


@pytest.mark.parametrize(
    ("url", "code", "country", "found"),
    [
        ("https://a.example/02419/2020022401.htm", "2419", "HK", True),
        ("https://a.example/filings/008215/a.html", "008215", "KR", True),
        ("https://a.example/fatos/upax/20150416", "UPAX3", "BR", True),
        ("https://a.example/sens/KZL/20170605", "KZL", "ZA", True),
        ("https://a.example/2015/a.html", "2015", "JP", False),  # a year
        ("https://a.example/24190/a.html", "2419", "HK", False),
        ("https://a.example/upax/a", "UPAX3", "PT", False),
        ("https://a.example/news/a", "NEWS", "US", False),  # a word of addresses
        ("https://a.example/kzl", "KZL", "ZA", False),  # the page, no folder
        ("https://a.example/it/a", "IT", "US", False),
    ],
)
def test_code_as_a_folder(url: str, code: str, country: str, found: bool) -> None:
    """A folder of an address that is the code of a security."""
    assert under_code(url, code, country) is found


UNNAMED = (
    (
        "https://a.example/6398/20200504.html",
        "2020年5月4日",
        "当社は、東京証券取引所より、当社株式の上場廃止を決定した旨の通知を受けました。",
        "yes",
    ),
    (
        "https://a.example/6390/20200504.html",
        "2020年5月4日",
        "当社は、東京証券取引所より、当社株式の上場廃止を決定した旨の通知を受けました。",
        "no",
    ),
    (
        "https://a.example/6398/20200504.html",
        "2020年5月4日",
        "霧島精工株式会社は、東京証券取引所より、株式の上場廃止を決定した旨の通知を受けました。",
        "no",
    ),  # names another
)


@pytest.mark.parametrize(("url", "day", "text", "expected"), UNNAMED)
def test_unnamed_company(url: str, day: str, text: str, expected: str) -> None:
    """An announcement that names no company is that of the one under whose code it is filed."""
    row = factories.listing(
        issuer="鴨川精器工業株式会社", mic="XTKS", country="JP", ticker="6398", security="普通株式", security_type="common", venue=""
    )
    page = extract(f"<html><body><p>{day}</p><p>{text}</p></body></html>".encode(), "text/html", url, digest="sha256:1")
    assert adjudicate(row, [page], POLICY).status.value == expected


LABELS = (
    ("it", "it", "Pubblicato il | 4 Maggio 2020", "Borsa Italiana dispone la revoca dalla quotazione delle azioni ordinarie {N} a decorrere dal 12 maggio 2020."),
    ("de", "de", "Veröffentlicht am | 04.05.2020", "Die Frankfurter Wertpapierbörse hat die Zulassung der Aktien der {N} mit Ablauf des 12.05.2020 widerrufen."),
    ("pt", "pt", "Publicado em | 04/05/2020", "A B3 decidiu cancelar a listagem das ações da {N} a partir de 12/05/2020."),
    ("pl", "pl", "Opublikowano dnia | 4 maja 2020", "Zarząd Giełdy postanowił wykluczyć z obrotu akcje spółki {N} z dniem 12 maja 2020 r."),
    ("nl", "nl", "Gepubliceerd op | 4 mei 2020", "Euronext heeft besloten de notering van de aandelen {N} per 12 mei 2020 te beëindigen."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "lang", "row", "text"), LABELS, ids=[row for _, _, row, _ in LABELS])
def test_labelled_day(market: str, lang: str, row: str, text: str) -> None:
    """A row that says on which day a notice was published dates it; the day from which it holds does not."""
    issuer, mic, country, ticker, _, own = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=own, security_type="common", venue="")
    cells = "".join(f"<td>{cell}</td>" for cell in row.split(" | "))
    body = f"<html lang='{lang}'><body><table><tr>{cells}</tr></table><p>{text}</p></body></html>".replace("{N}", issuer)
    page = extract(body.encode(), "text/html", "https://boersen-notices.example/n", digest="sha256:1")
    verdict = adjudicate(listing, [page], POLICY)
    assert (verdict.status.value, verdict.announcement_date) == ("yes", dt.date(2020, 5, 4))


REASONS = (
    ("us", "noncompliance", "The New York Stock Exchange has informed the company that it has decided to delist the common stock of {N}."),
    ("de", "noncompliance", "Die Frankfurter Wertpapierbörse hat der Gesellschaft mitgeteilt, dass sie die Zulassung der Aktien der {N} widerrufen hat."),
    ("us", "voluntary", "The company has informed the New York Stock Exchange that it has decided to delist the common stock of {N}."),
    ("uk", "voluntary", "The acquisition of a mill in Brno went well.</p><p>Sales rose.</p><p>Costs fell.</p><p>The board of {N} has today resolved to cancel the listing of its shares."),
    ("es", "voluntary", "El consejo de {N} acordó hoy el deslistado voluntario de sus acciones de la Bolsa de Madrid.</p><p>Ventas.</p><p>Seguirán listadas en México."),
    ("uk", "merger_acquisition", "The board of {N} has today resolved to cancel the listing of its shares, the acquisition by Harlow plc having been completed."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "reason", "text"), REASONS, ids=[text[:40] for _, _, text in REASONS])
def test_reason(market: str, reason: str, text: str) -> None:
    """Who is told does not act; one word far from the company's own act is not its reason."""
    issuer, mic, country, ticker, day, own = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=own, security_type="common", venue="")
    body = f"<html><body><p>{day}</p><p>{text}</p></body></html>".replace("{N}", issuer)
    page = extract(body.encode(), "text/html", "https://www.globenewswire.com/news-release/a.html", digest="sha256:1")
    assert adjudicate(listing, [page], POLICY).reason == reason


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("the exchange has informed the ", True),
        ("la bourse a avisé la ", True),
        ("la bolsa ha notificado a la ", True),
        ("börsen har meddelat ", True),
        ("the company has been informed ", False),
        ("the decision of the ", False),
    ],
)
def test_who_is_told(before: str, told: bool) -> None:
    """Words before a body that somebody informs."""
    assert bool(_INFORMS.search(before)) is told


def test_who_is_told_by_case() -> None:
    """Languages that tell it by the case and a verb at the end."""
    assert _INFORMED.match(" schriftlich mitgeteilt, dass")
    assert _INFORMED.match("に対し通知した")
    assert not _INFORMED.match(" hat mitgeteilt, dass")


def test_note_mark() -> None:
    """A note mark opens a statement of its own; a mark with a number points at a note."""
    text = "폐지일: 2020.05.12 ※ 보통주는 해당 없음"
    assert [text[a:b] for a, b in split_sentences(text, "ko")] == ["폐지일: 2020.05.12", "※ 보통주는 해당 없음"]
    text = "当社株式 ※1 を上場廃止とする。"
    assert len(split_sentences(text, "ja")) == 1


SILENT = "Alderwick Global Tin ETF reported its holdings to the exchange. Assets were 9 million."


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("497 1 a.txt   FILED AS OF DATE: 20200504\nALDERWICK ETF TRUST\nAlderwick Global Tin ETF\nNYSE Arca Ticker: ATIN\n", "yes"),
        ("497 1 a.txt   FILED AS OF DATE: 20200504\nALDERWICK ETF TRUST\n", "no"),  # names no fund
    ],
)
def test_letterhead(head: str, expected: str) -> None:
    """A supplement to a prospectus, headed by the name and the code of the fund, is first-hand and about it."""
    row = factories.listing(
        issuer="Alderwick Global Tin ETF (series of Alderwick ETF Trust)",
        mic="ARCX",
        country="US",
        ticker="ATIN",
        security="Shares",
        security_type="etf",
        venue="",
    )
    said = (
        "Supplement dated May 4, 2020 to the Prospectus\nThe Board of Trustees has determined that it is in the best interests of the Fund and its "
        "shareholders to liquidate and terminate the Fund. The last day of trading will be May 29, 2020; thereafter the shares will be delisted."
    )
    pages = [extract((head + said).encode(), "text/plain", "https://supplements.example/a.txt", digest="sha256:1")]
    for year in (2017, 2018, 2019):
        other = f"<html><body><p>May 4, {year}</p><p>{SILENT}</p></body></html>"
        pages.append(extract(other.encode(), "text/html", f"https://holdings.example/{year}/a.html", digest=f"sha256:{year}"))
    assert adjudicate(row, pages, POLICY).status.value == expected

"""Steps beside what only looks like one: reports that are not filed, leave that is outstanding, segments, classes named as one, holders."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_traps import MARKETS, POLICY, answer

# market, status, text of a release about {N}
ROWS = (
    # a report that is not filed, and words of rules and departments
    ("nas", "no", "{N} today said that Nasdaq's Listing Qualifications staff wrote that, since the report for the quarter ended March 31 has not been filed, the company is out of line with the listing rules."),
    ("nas", "no", "Because the Form 10-Q for the period ended March 31 was never filed, {N} does not meet a Listing Standard, Nasdaq wrote."),
    ("qc", "no", "La Bourse écrit à {N} que, le rapport du trimestre n'ayant pas été déposé, le maintien de l'inscription à la cote appelle un plan."),
    ("nas", "yes", "{N} has filed a Form 25 to end the listing of its common stock on Nasdaq, its loan for the year ended March 31 having been repaid."),
    ("us", "yes", "By letter dated April 30, which {N} has not reported before, the staff of the NYSE notified it that, the time for a plan being over, it had determined to delist the common stock."),
    ("qc", "yes", "Par lettre du 30 avril, la TSX a informé {N} qu'elle avait décidé de radier ses actions de la cote à la fermeture le 29 mai."),
    # leave that is outstanding
    ("uk", "no", "All resolutions for the scheme and the delisting of {N} were carried (98.7%). The consent of the Takeover Panel has yet to be given."),
    ("uk", "no", "All of the resolutions, among them the one on the cancellation of the listing of {N}, were passed. Clearance from the competition authority is still awaited."),
    ("fr", "no", "L'assemblée générale de {N} a approuvé la radiation des actions d'Euronext Paris. L'autorisation de l'AMF est toujours attendue."),
    ("de", "no", "Die Hauptversammlung der {N} hat das Delisting beschlossen. Die Genehmigung der BaFin steht noch aus."),
    ("es", "no", "La junta general de {N} acordó la exclusión de negociación de sus acciones. La autorización de la CNMV sigue pendiente."),
    ("sv", "no", "Bolagsstämman i {N} beslutade om avnotering av aktien. Finansinspektionens godkännande återstår."),
    ("uk", "yes", "All resolutions for the scheme and the delisting of {N} were carried (98.7%). No regulatory approvals are outstanding."),
    ("de", "yes", "Die Hauptversammlung der {N} hat das Delisting beschlossen. Die Genehmigung der BaFin wurde am 30. April erteilt."),
    ("uk", "yes", "All resolutions for the scheme and the delisting of {N} were carried (98.7%). The number of shares outstanding is 12,400,000."),
    # classes that are named as one
    ("ca", "yes", "TSX will delist, at the close on May 29, the common shares together with the subordinated convertible debentures of 2017 issued by {N}."),
    ("qc", "yes", "La Bourse a décidé que les actions ordinaires, de même que les débentures convertibles subordonnées non garanties de {N} seront radiées de la cote à la fermeture le 29 mai."),
    ("ca", "no", "The common shares of {N} remain listed and the 7% convertible debentures will be delisted from the TSX at the close on May 29."),
    ("qc", "no", "Les actions ordinaires de {N} demeurent inscrites et ses débentures convertibles seront radiées de la cote de la TSX à la fermeture le 29 mai."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), ROWS, ids=[f"{m} {text[:48]}" for m, _, text in ROWS])
def test_row(market: str, expected: str, text: str) -> None:
    """The status for a release that says nothing else."""
    assert answer(market, text) == expected


def _status(listing: dict[str, str], *paragraphs: str, url: str = "https://www.globenewswire.com/news-release/a.html") -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    page = extract(f"<html><body>{body}</body></html>".encode(), "text/html", url, digest="sha256:1")
    return adjudicate(factories.listing(venue="", **listing), [page], POLICY).status.value


_VENTURE = {"issuer": "Pelly Bay Resources Corp.", "mic": "XTSX", "country": "CA", "ticker": "PBR", "security": "Common shares", "security_type": "common"}  # fmt: skip
BOARD = (
    ("no", "Pelly Bay Resources Corp. has graduated from NEX and trades from today as a Tier 2 issuer of TSX Venture."),
    ("no", "Having met all requirements, Pelly Bay Resources Corp. has left the NEX board and is again a TSX Venture company."),
    ("no", "Pelly Bay Resources Corp. a quitté NEX et redevient dès aujourd'hui un émetteur du groupe 2 de la Bourse de croissance TSX."),
    ("yes", "The common shares of Pelly Bay Resources Corp. will be delisted from NEX at the close of business on May 8."),
    ("yes", "Pelly Bay Resources Corp. has left the TSX Venture Exchange; its shares were delisted at its request at the close today."),
)  # fmt: skip


@pytest.mark.parametrize(("expected", "text"), BOARD)
def test_board_of_the_venue(expected: str, text: str) -> None:
    """Up from the board for companies without a business is a move on the same venue; off that board altogether is an end."""
    assert _status(_VENTURE, "May 4, 2020", text) == expected


_SERIES = {"issuer": "Tellico Ridge Realty Inc.", "mic": "XNYS", "country": "US", "ticker": "TRR.PRB", "security": "7.75% Series B Preferred Stock", "security_type": "preferred"}  # fmt: skip
CALLS = (
    ("yes", "Tellico Ridge Realty Inc. has closed the sale of its 5.10% senior notes due 2027.", "The condition in the notice to holders of the 7.75% Series B preferred is thus satisfied; all of the series will be redeemed on June 3, and the NYSE will then strike the class from listing."),
    ("no", "Tellico Ridge Realty Inc. has closed the sale of its 5.10% senior notes due 2027.", "The condition in the notice to holders of the 8.50% Series A preferred is thus satisfied; all of the series will be redeemed on June 3, and the NYSE will then strike the class from listing."),
    ("no", "Tellico Ridge Realty Inc. has priced the sale of its 5.10% senior notes due 2027.", "If the sale closes, the condition in the notice to holders of the 7.75% Series B preferred will be satisfied, and the NYSE would strike the class from listing."),
)  # fmt: skip


@pytest.mark.parametrize(("expected", "loan", "call"), CALLS)
def test_call_becomes_final(expected: str, loan: str, call: str) -> None:
    """The loan that a call waited for decides on no class; what follows of it for the class called does."""
    assert _status(_SERIES, "May 4, 2020", loan, call) == expected


HOLDERS = (
    ("sv", "yes", "Med hänsyn till Gullholmens innehav beslutade styrelsen i dag att ansöka om avnotering av bolagets aktier från Nasdaq Stockholm."),
    ("uk", "yes", "In view of Corvane's shareholding, the board has today resolved to apply for the cancellation of the listing of the Company's ordinary shares."),
    ("de", "yes", "Angesichts der Beteiligung der Corvane hat der Vorstand heute beschlossen, den Widerruf der Zulassung der Aktien der Gesellschaft an der Frankfurter Wertpapierbörse zu beantragen."),
    ("uk", "no", "In view of the outlook for Corvane, its board has today resolved to apply for the cancellation of the listing of its ordinary shares."),
    ("sv", "no", "Gullholmen beslutade i dag att ansöka om avnotering av sina aktier från Nasdaq Stockholm."),
)  # fmt: skip
_OWNER = {
    "sv": "Gullholmen Invest AB innehar 96,2 procent av aktierna.",
    "uk": "Corvane Capital plc holds 96.2 per cent. of the shares.",
    "de": "Die Corvane Capital AG hält 96,2 Prozent der Aktien.",
}


@pytest.mark.parametrize(("market", "expected", "text"), HOLDERS, ids=[f"{m} {text[:40]}" for m, _, text in HOLDERS])
def test_holder(market: str, expected: str, text: str) -> None:
    """A company that is named for its holding is not the one whose listing ends."""
    issuer, mic, country, ticker, day, security = MARKETS[market]
    listing = {"issuer": issuer, "mic": mic, "country": country, "ticker": ticker, "security": security, "security_type": "common"}
    assert _status(listing, f"{issuer}: {ticker}", day, _OWNER[market], text) == expected

"""Votes that bind nobody, votes that are promised, rules of an exchange, days of trading, and venues that a clause only describes."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from tests import factories
from tests.unit.test_wording_buyers import MARKET
from tests.unit.test_wording_objects import WIRE, notice
from tests.unit.test_wording_traps import POLICY

# market, expected answer, text; {N} is the issuer
ROWS = (
    # a vote that binds nobody
    ("uk", "no", "Holders of {N} approved the delisting from the London Stock Exchange in a non-binding ballot."),
    ("uk", "no", "The meeting of {N} approved the cancellation of its listing on the London Stock Exchange. The vote is advisory."),
    ("de", "no", "Die Hauptversammlung der {N} hat dem Delisting von der Frankfurter Börse in einer unverbindlichen Abstimmung zugestimmt."),
    ("ch", "no", "Die Generalversammlung der {N} hat der Dekotierung zugestimmt. Das Votum ist nicht bindend."),
    ("fr", "no", "L'assemblée générale de {N} a approuvé la radiation d'Euronext Paris à titre consultatif."),
    ("es", "no", "La junta de {N} ha aprobado, en votación consultiva, la exclusión de negociación de la Bolsa de Madrid."),
    ("it", "no", "L'assemblea di {N} ha approvato in via consultiva il delisting da Borsa Italiana."),
    ("nl", "no", "De vergadering van {N} heeft in een raadgevende stemming ingestemd met de beëindiging van de notering aan Euronext Amsterdam."),
    ("sv", "no", "Stämman i {N} har i en rådgivande omröstning godkänt avnoteringen från Nasdaq Stockholm."),
    ("no", "no", "Generalforsamlingen i {N} har i en veiledende avstemning godkjent strykning fra Oslo Børs."),
    ("pl", "no", "Walne zgromadzenie {N} podjęło niewiążącą uchwałę o wycofaniu akcji z obrotu na GPW."),
    ("uk", "yes", "Following the advisory vote in March, the board of {N} has today resolved to cancel its listing on the London Stock Exchange."),
    ("uk", "yes", "The meeting of {N} approved the delisting from the London Stock Exchange and, in an advisory vote, the remuneration report."),
    ("ch", "yes", "Nach der Konsultativabstimmung hat der Verwaltungsrat der {N} die Dekotierung von der SIX beschlossen und das Gesuch eingereicht."),
    ("fr", "yes", "L'assemblée générale de {N} a approuvé la radiation de ses actions d'Euronext Paris."),
    # votes that are promised
    ("uk", "no", "The board of {N} has decided to leave the London Stock Exchange, and its two largest holders have pledged to vote in favour."),
    ("uk", "no", "{N} said it will leave the London Stock Exchange; the founders, with 60 per cent, will vote for the plan."),
    ("fr", "no", "{N} a décidé de quitter Euronext Paris ; ses actionnaires de référence, qui se sont engagés à voter en faveur, en ont 60 %."),
    ("sv", "no", "Styrelsen i {N} har beslutat om avnotering från Nasdaq Stockholm och tre ägare har förbundit sig att rösta för."),
    ("nl", "no", "{N} heeft besloten de notering aan Euronext Amsterdam te beëindigen, waarvoor drie houders hebben toegezegd voor te stemmen."),
    ("uk", "yes", "The meeting of {N} approved the cancellation of its London Stock Exchange listing with the votes of holders that had undertaken to vote in favour."),
    ("uk", "yes", "The board of {N} has decided to delist from the London Stock Exchange and has today applied for it."),
    # a rule of an exchange about all issuers
    ("uk", "no", "{N} is suspended. The London Stock Exchange's practice is to delist companies whose accounts are a year late."),
    ("fr", "no", "{N} est suspendue. La politique de la bourse est de radier les titres suspendus, a décidé Euronext en 2018."),
    ("uk", "yes", "{N}: in line with its policy, the London Stock Exchange will delist the shares on 11 May."),
    # until when the shares can be traded
    ("nl", "yes", "Met Euronext is bepaald dat 28 mei 2020 de laatste dag is waarop aandelen {N} verhandeld kunnen worden en de notering daarna eindigt."),
    ("nl", "no", "Het bestuur van {N} heeft bepaald dat de notering aan Euronext Amsterdam wellicht eindigt."),
    ("uk", "yes", "{N} has decided that 28 May is the last day on which shares could be dealt in and that its London Stock Exchange listing ends then."),
    ("uk", "no", "The board of {N} has decided that its London Stock Exchange listing could end after the last day of trading of the quarter."),
    # the exchange is told the day
    ("aim", "yes", "{N} has today informed the London Stock Exchange of the date for the cancellation."),
    ("aim", "no", "{N} has informed the London Stock Exchange of the date of the proposed cancellation, which the meeting will vote on."),
    ("aim", "no", "{N} has notified the London Stock Exchange of the date of cancellation. The cancellation is conditional on the consent of shareholders."),
    ("aim", "no", "{N} has notified the London Stock Exchange of the date of its annual meeting."),
    # a clause that only says where the shares trade
    ("uk", "no", "{N}, whose shares trade on both the London Stock Exchange and Euronext Dublin, gave notice that its Dublin listing ends on 4 June."),
    ("de", "no", "Die {N}, deren Aktien in Frankfurt und an der SIX Swiss Exchange gehandelt werden, hat die Dekotierung von der SIX beantragt."),
    ("fr", "no", "{N}, dont les actions sont cotées sur Euronext Paris et à Euronext Bruxelles, a décidé la radiation d'Euronext Bruxelles."),
    ("uk", "yes", "{N}, whose shares trade on the London Stock Exchange and Euronext Dublin, has given notice that its London Stock Exchange listing will end."),
    ("uk", "yes", "{N}, whose shares trade on both the London Stock Exchange and Euronext Dublin, has decided to cancel the listing of its shares."),
)  # fmt: skip


@pytest.mark.parametrize(("market", "expected", "text"), ROWS, ids=[f"{m} {e} {t[-40:]}" for m, e, t in ROWS])
def test_bound(market: str, expected: str, text: str) -> None:
    """A step is disclosed by those who are bound by it, about this venue, and not by a rule or a promise."""
    issuer, mic, country, ticker, day, security = MARKET["uk" if market == "aim" else market]
    mic = "AIMX" if market == "aim" else mic
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    assert adjudicate(listing, [notice(day, text.replace("{N}", issuer), WIRE, "Announcement")], POLICY).status.value == expected

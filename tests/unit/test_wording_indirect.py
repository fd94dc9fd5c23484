"""The first announcement in an indirect place: results of a quarter or a meeting, a digest, a bidder's page, a supplement of a fund."""

from __future__ import annotations

import pytest

from tests.unit.test_wording_reasons import EXCHANGE, WIRE, answer

SITE, PRESS = "https://harrow-labs.example/en/a.html", "https://evening-courier.example/news/a.html"
FILING = "https://www.sec.gov/Archives/edgar/data/1/8k.htm"

# market, expected answer, pages (source, text) of one listing
CASES = (
    # an exchange that is told does not act
    ("nas", "yes 2020-05-04 voluntary", (WIRE, "{N} reports first quarter\nMay 4, 2020\nSales fell 3%.\nSavings come from the closing of a depot and, for the rest, from the withdrawal of the common stock of {N} from listing on Nasdaq, upon which the directors have resolved and of which Nasdaq has been given notice today.")),
    ("de", "yes 2020-05-04 voluntary", (WIRE, "{N}: Quartalszahlen\n4. Mai 2020\nDie Frankfurter Wertpapierbörse wurde heute davon unterrichtet, dass die Notierung der Aktien der {N} aus Kostengründen beendet wird.")),
    ("fr", "yes 2020-05-04 voluntary", (WIRE, "{N} : chiffre d'affaires\n4 mai 2020\nEuronext a été informée ce jour que les actions de {N} seront radiées d'Euronext Paris le 22 mai 2020, pour alléger les charges.")),
    ("es", "yes 2020-05-04 voluntary", (WIRE, "{N}: resultados\n4 de mayo de 2020\nLa Bolsa de Madrid ha sido informada hoy de que las acciones de {N} quedarán excluidas de negociación el 22 de mayo de 2020, para ahorrar costes.")),
    ("us", "yes 2020-05-04 noncompliance", (WIRE, "{N} reports first quarter\nMay 4, 2020\nThe NYSE has notified {N} that it has determined to delist the common stock.")),
    # the repayment of notes is no reason for the end of the shares' listing
    ("uk", "yes 2020-05-04 voluntary", (WIRE, "{N}: Final results\n4 May 2020\nPost balance sheet events\nThe 7% unsecured bonds were redeemed on 3 February.\n{N} has today applied to the FCA for the cancellation of the listing of its ordinary shares on the Official List.")),
    ("fr", "yes 2020-05-04 voluntary", (WIRE, "{N} : résultats annuels\n4 mai 2020\nLes obligations convertibles ont été remboursées par anticipation en février.\nLe conseil d'administration de {N} a décidé de demander la radiation de ses actions d'Euronext Paris.")),
    ("es", "yes 2020-05-04 voluntary", (WIRE, "{N}: resultados\n4 de mayo de 2020\nLos bonos convertibles fueron amortizados anticipadamente en febrero.\nLa junta general de {N} ha acordado hoy la exclusión de negociación de sus acciones en las Bolsas.")),
    # the revocation of a registration is an authority's sanction, whatever it was for
    ("us", "yes 2020-05-04 regulatory", (WIRE, "Administrative Proceeding File No. 3-11111\nMay 4, 2020\nIn the Matter of {N}. Respondent failed to comply with Section 13(a) because it has not filed periodic reports. It is ORDERED that registration of each class of securities of {N} be, and hereby is, revoked pursuant to Section 12(j).")),
    # another venue that is kept takes nothing back
    ("uk", "yes 2020-05-04 voluntary", (WIRE, "{N}: Annual Report\n4 May 2020\nThe board of {N} has decided to keep the primary quotation on the Johannesburg Stock Exchange and to give up its listing in London; holders are not asked to vote on it.")),
    ("uk", "no", (WIRE, "{N}: Result of AGM\n4 May 2020\nHolders of {N} voted to keep the listing on the London Stock Exchange; the requisitioned resolution to cancel it was decided in the negative.")),
    # what ceases to be listed there does not come there
    ("us", "yes 2020-05-04 voluntary", (WIRE, "{N}\nMay 4, 2020\nThe directors of {N} have resolved that the common stock shall, after the close on May 22, 2020, cease to be listed on the New York Stock Exchange.")),
    ("fr", "yes 2020-05-04 voluntary", (WIRE, "{N} : supplément\n4 mai 2020\nLe conseil de {N} a décidé la radiation ; les actions cesseront d'être admises aux négociations sur Euronext Paris le 22 mai 2020.")),
    ("us", "no", (WIRE, "{N}\nMay 4, 2020\n{N} will cease to be listed on NYSE American on May 22, 2020 and will be listed on the New York Stock Exchange from May 26, 2020.")),
    # all resolutions passed, and one of the list ends the listing
    ("uk", "yes 2020-05-04 voluntary", (WIRE, "{N}: Result of AGM\n4 May 2020\nAll of the resolutions put to the annual general meeting of {N} today were passed on a poll.\nResolution | For | Against\n1 Accounts | 99.1 | 0.9\n14 Cancellation of the listing of the ordinary shares | 88.2 | 11.8")),
    ("uk", "no", (WIRE, "{N}: Result of AGM\n4 May 2020\nResolutions 1 to 13 put to the annual general meeting of {N} today were passed on a poll.\nResolution | For | Against\n1 Accounts | 99.1 | 0.9\n14 Cancellation of the listing of the ordinary shares | 61.3 | 38.7")),
    ("uk", "no", (WIRE, "{N}: Result of AGM\n4 May 2020\nAll of the resolutions put to the annual general meeting of {N} today were passed on a poll.\nResolution | For | Against\n1 Accounts | 99.1 | 0.9\n14 Authority to buy back shares for cancellation | 88.2 | 11.8")),
    ("sv", "yes 2020-05-04 voluntary", (WIRE, "{N}: Kommuniké från årsstämman\n4 maj 2020\nÅrsstämman i {N} fattade i dag samtliga beslut i enlighet med förslagen.\n7. Vinstutdelning\n16. Avnotering av bolagets aktier från Nasdaq Stockholm")),
    ("de", "yes 2020-05-04 voluntary", (WIRE, "{N}: Ergebnisse der Hauptversammlung\n4. Mai 2020\nDie heutige Hauptversammlung der {N} hat allen Tagesordnungspunkten zugestimmt.\nTOP | Ja | Nein\n2 Gewinnverwendung | 99,1 | 0,9\n9 Delisting der Aktien der Gesellschaft | 88,2 | 11,8")),
    ("fr", "yes 2020-05-04 voluntary", (WIRE, "{N} : résultats des votes\n4 mai 2020\nL'assemblée générale de {N} réunie ce jour a adopté toutes les résolutions.\nRésolution | Pour | Contre\n1 Comptes | 99,1 | 0,9\n14 Radiation des actions de la cote | 88,2 | 11,8")),
    ("fr", "no", (WIRE, "{N} : résultats des votes\n4 mai 2020\nL'assemblée générale de {N} réunie ce jour a adopté toutes les résolutions agréées par le conseil.\nRésolution | Pour | Contre\n1 Comptes | 99,1 | 0,9\nA Radiation des actions de la cote (non agréée) | 11,8 | 88,2")),
    ("it", "yes 2020-05-04 voluntary", (WIRE, "{N}: esito dell'assemblea\n4 maggio 2020\nL'assemblea di {N} tenutasi oggi ha approvato tutte le proposte.\nPunto | Favorevoli | Contrari\n1 Bilancio | 99,1 | 0,9\n5 Revoca dalla quotazione delle azioni | 88,2 | 11,8")),
    ("pt", "no", (WIRE, "{N}: resultado da assembleia\n4 de maio de 2020\nA assembleia de {N} realizada hoje aprovou todas as propostas.\nItem | A favor | Contra\n1 Contas | 99,1 | 0,9\n5 Autorização ao conselho para estudar o cancelamento do registro de companhia aberta | 88,2 | 11,8")),
    ("pl", "yes 2020-05-04 voluntary", (WIRE, "{N}: uchwały\n4 maja 2020\nWalne zgromadzenie {N} podjęło dziś wszystkie uchwały.\n4. Dywidenda\n8. Wycofanie akcji z obrotu na rynku regulowanym")),
    ("da", "no", (WIRE, "{N}: Forløb af generalforsamling\n4. maj 2020\nGeneralforsamlingen i {N} vedtog i dag alle forslag.\n4. Udbytte\n8. Bemyndigelse til at overveje afnotering af selskabets aktier")),
    # staff that no longer sees a security as fit has determined
    ("us", "yes 2020-05-04 noncompliance", (EXCHANGE, "NYSE Regulation: actions of the day\nMay 4, 2020\n{N} - The staff of NYSE Regulation no longer considers the common stock of {N} to be suitable for continued listing in view of its late reports. An application to the SEC to delist it will follow.")),
    ("us", "no", (EXCHANGE, "NYSE Regulation: actions of the day\nMay 4, 2020\n{N} - If at the end of the plan period the staff of NYSE Regulation no longer considers the common stock of {N} suitable for listing, it will begin delisting proceedings.")),
    # the notice period of a cancellation has begun: the bidder says so on its page
    ("uk", "yes 2020-05-04 merger_acquisition", ("https://harrow-offer.example/news/a.html", "Level of acceptances\nHarrow Bidco Limited, 4 May 2020\nNOT FOR RELEASE, PUBLICATION OR DISTRIBUTION IN ANY JURISDICTION WHERE TO DO SO WOULD BE UNLAWFUL\nHarrow Bidco Limited has received valid acceptances for 80.2 per cent. of the shares of {N}, a takeover that is unconditional.\nThe notice period of 20 business days for the cancellation of the listing of {N} has therefore begun today.")),
    ("uk", "no", ("https://harrow-offer.example/news/a.html", "Level of acceptances\nHarrow Bidco Limited, 4 May 2020\nNOT FOR RELEASE, PUBLICATION OR DISTRIBUTION IN ANY JURISDICTION WHERE TO DO SO WOULD BE UNLAWFUL\nHarrow Bidco Limited has received valid acceptances for 70.2 per cent. of the shares of {N}, a takeover that is unconditional.\nThe notice period of 20 business days for the cancellation of the listing of {N} will begin once 75 per cent. has been reached.")),
    ("uk", "no", ("https://harrow-offer.example/news/a.html", "Level of acceptances\nHarrow Bidco Limited, 4 May 2020\nNOT FOR RELEASE, PUBLICATION OR DISTRIBUTION IN ANY JURISDICTION WHERE TO DO SO WOULD BE UNLAWFUL\nHarrow Bidco Limited has received valid acceptances for 80.2 per cent. of the shares of {N}.\nThe notice period for the general meeting of Harrow Bidco Limited has begun today.")),
    # a digest that gives the exchange's bulletins with their numbers, before the issuer speaks
    ("ca", "yes 2020-05-04 noncompliance", ("https://digest-street.example/tsx/a.html", "TSX bulletins, Monday\nMay 4, 2020\n2020-0411 Wrenmoor Corp. (WRN) - normal course issuer bid. 2020-0412 {N} (ALD) - delisting. The common shares of {N} will be delisted at the close on June 3, 2020 for failure to meet the continued listing requirements."), (WIRE, "MONTREAL, May 6, 2020 - {N} announces that it was told by the TSX that its common shares will be delisted on June 3, 2020.")),
    ("ca", "yes 2020-05-06 noncompliance", ("https://digest-street.example/tsx/a.html", "Market chatter, Monday\nMay 4, 2020\nTraders hear that the common shares of {N} will be delisted at the close on June 3, 2020."), (WIRE, "MONTREAL, May 6, 2020 - {N} announces that the TSX has determined to delist its common shares on June 3, 2020 for failure to meet the continued listing requirements.")),
    # a buyer's own page on the day of the closing, which the filing bears out
    ("nas", "yes 2020-05-04 merger_acquisition", (SITE, "Harrow closes purchase of {N}\nLeeds, 4 May 2020\nHarrow Labs AG today completed the acquisition of {N}. Trading has ended, and Nasdaq was asked to file a Form 25 to delist the common stock of {N}."), (FILING, "Form 8-K\nMay 8, 2020\nIn connection with the closing of the merger, {N} requested on May 4, 2020 that Nasdaq suspend trading and file a Form 25 to delist the shares.")),
    ("nas", "yes 2020-05-08 merger_acquisition", (SITE, "Harrow closes purchase of {N}\nLeeds, 4 May 2020\nHarrow Labs AG today completed the acquisition of {N}. Trading has ended, and Nasdaq was asked to file a Form 25 to delist the common stock of {N}."), (FILING, "Form 8-K\nMay 8, 2020\nIn connection with the closing of the merger, {N} requested on May 7, 2020 that Nasdaq suspend trading and file a Form 25 to delist the shares.")),
    ("nas", "yes 2020-05-08 merger_acquisition", (PRESS, "Harrow closes purchase of {N}\n4 May 2020\nHarrow Labs AG today completed the acquisition of {N}. The common stock of {N} will be delisted from Nasdaq, people close to it said."), (FILING, "Form 8-K\nMay 8, 2020\nIn connection with the closing of the merger, {N} requested on May 4, 2020 that Nasdaq suspend trading and file a Form 25 to delist the shares.")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("market", "expected", "pages"), [(m, e, p) for m, e, *p in CASES], ids=[f"{n} {c[0]} {c[1][:14]}" for n, c in enumerate(CASES)]
)
def test_indirect(market: str, expected: str, pages: list[tuple[str, str]]) -> None:
    """What is announced in passing counts on its day, with its own reason; what only looks like it does not."""
    assert answer(market, *pages) == expected

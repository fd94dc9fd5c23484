"""The reason of the end of a listing: what caused it, beside rules, procedures and names that only stand near."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.policy import load_policy
from tests import factories
from tests.unit.test_wording_traps import MARKETS

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
WIRE, EXCHANGE = "https://www.globenewswire.com/news-release/a.html", "https://exchange-notices.example/a.html"
INS, MA, NON, VOL, EXP, REG, TRA = (
    "insolvency",
    "merger_acquisition",
    "noncompliance",
    "voluntary",
    "expiry_redemption",
    "regulatory",
    "transfer",
)
# market, expected reason, source, lines; {N} is the issuer, " | " makes a row of a table
CASES = (
    # an insolvency drives the rule that the exchange applies
    ("ca", INS, WIRE, "TORONTO, May 4, 2020 - {N} announces that the TSX has determined to delist its common shares effective June 3, 2020 for failure to meet the continued listing requirements, the Company having sought protection under the Companies' Creditors Arrangement Act."),
    ("ca", INS, EXCHANGE, "TSX Bulletin\nMay 4, 2020\nTSX has determined to delist the common shares of {N} at the close on June 3, 2020 for failure to meet the continued listing requirements of TSX. An initial order staying its creditors was granted to the Company on April 22."),
    ("us", INS, WIRE, "May 4, 2020\nNYSE Regulation has determined to commence proceedings to delist the common stock of {N}, which is no longer suitable for listing under Section 802.01D after the Company's voluntary petition for reorganization was filed on April 30."),
    ("nas", INS, WIRE, "May 4, 2020\n{N} received a letter from Nasdaq stating that, following the filing of its bankruptcy petition and in accordance with Listing Rules 5101, 5110(b) and IM-5101-1, Nasdaq has determined to delist the common stock. The letter also cites residual equity interest and its ability to sustain compliance with all requirements for continued listing."),
    ("uk", INS, WIRE, "4 May 2020\nThe joint administrators of {N} have requested the FCA to cancel the listing of its ordinary shares with effect from 8.00 a.m. on 7 May 2020, as the company cannot meet its continuing obligations."),
    ("au", INS, EXCHANGE, "Market announcement\n4 May 2020\n{N} will be removed from the official list with effect from 11 May 2020 under listing rule 17.14. Receivers and managers were appointed to the company in 2019 and it has not paid its annual listing fees."),
    ("ja", INS, EXCHANGE, "上場廃止の決定:{N}\n2020年5月4日\n東京証券取引所は、{N}の株式を2020年6月5日付で上場廃止とすることを決定しました。\n理由 | 会社更生手続開始の申立て(有価証券上場規程の上場廃止基準に該当)"),
    # a completed acquisition drives the request that follows from it
    ("nas", MA, WIRE, "{N} acquisition by Orrin Capital completed\nMay 4, 2020\nOrrin Capital today completed its purchase of {N}. At the company's request Nasdaq has suspended the stock and is filing the form that removes it from listing, and the company will deregister to save reporting costs."),
    ("us", MA, WIRE, "May 4, 2020\nOn May 4, 2020, in connection with the consummation of the merger, {N} notified the NYSE and requested that it file a Form 25 to withdraw the shares from listing. The company intends to file a Form 15 to terminate its reporting obligations."),
    ("uk", MA, WIRE, "4 May 2020\n{N} announces that the scheme became effective today. Accordingly, at the request of the Company, the listing of its shares on the Official List will be cancelled with effect from 8.00 a.m. on 5 May 2020."),
    ("ca", MA, WIRE, "TORONTO, May 4, 2020 - The acquisition of {N} by Orrin Resources has closed. The common shares will be delisted from the Toronto Stock Exchange at the close of business on May 6, 2020 and {N} will apply to cease to be a reporting issuer."),
    ("de", MA, WIRE, "4. Mai 2020\nDer Squeeze-out bei der {N} ist heute in das Handelsregister eingetragen worden. Auf Antrag der Gesellschaft wird die Zulassung der Aktien an der Frankfurter Wertpapierbörse mit Ablauf des 8. Mai 2020 widerrufen."),
    # a name, a service or a venue for later trades causes nothing
    ("uk", VOL, WIRE, "4 May 2020\n{N} announces that the special resolution to cancel the listing of its ordinary shares was duly passed on a poll today. Cancellation will take effect on 13 May 2020.\nA dealing facility will be run by Marlow Share Exchange, and Orrin Acquisition Partners has been appointed as adviser."),
    ("us", VOL, WIRE, "May 4, 2020\nThe board of {N} has decided to voluntarily delist its common stock from the NYSE and to deregister. The company, which merged its two divisions in 2018, expects to save $1.2 million a year. The shares may be quoted on the OTC market."),
    ("us", VOL, WIRE, "May 4, 2020\n{N} has notified the NYSE of its decision to voluntarily delist its common stock. The board weighed the costs of a listing and the possibility of not regaining compliance with the continued listing standards."),
    ("uk", VOL, WIRE, "4 May 2020\nThe board of {N} has today resolved to cancel the listing of its ordinary shares on the Official List and has applied to the FCA. The reasons are the low level of trading and the share of free float now held abroad."),
    # who gets the letter of a committee does not act
    ("uk", NON, WIRE, "4 May 2020\n{N} received a letter dated 1 May 2020 from the Exchange stating that the Listing Committee has decided to cancel the listing of its shares."),
    ("uk", VOL, WIRE, "4 May 2020\nThe board of {N} has resolved to cancel the listing of its shares, stating that the Exchange is dear."),
    # a rule of the exchange that is broken
    ("uk", NON, WIRE, "4 May 2020\nThe FCA has decided to cancel the listing of the ordinary shares of {N}, the free float of which had stayed below 10 per cent."),
    ("nas", NON, WIRE, "May 4, 2020\n{N} received a staff determination letter: Nasdaq has determined to delist the common stock because the company has not filed its annual report. The company is in talks about a merger with a private company."),
    ("us", NON, WIRE, "May 4, 2020\nNYSE Regulation has determined to commence proceedings to delist the common stock of {N} from the exchange due to its abnormally low price level. The company's advisers are also exploring a restructuring."),
    ("uk", NON, EXCHANGE, "Official List Notice\n4 May 2020\nThe Financial Conduct Authority cancels the listing of the securities of {N} from the Official List with effect from 4 May 2020, the company not having published its annual accounts."),
    ("in", NON, EXCHANGE, "Notice No. 20200504-12\nNotice Date: 04 May 2020\nThe equity shares of {N} will be compulsorily delisted with effect from 11 May 2020. The company has remained suspended for over six months for non-payment of annual listing fees."),
    ("us", NON, WIRE, "May 4, 2020\nNYSE Regulation has determined to commence proceedings to delist the common stock of {N} for falling below the continued listing standard of an average market capitalization of $15 million. The stock is expected to begin trading on the OTC Pink market on May 5."),
    ("ca", NON, WIRE, "TORONTO, May 4, 2020 - {N} announces that the TSX has determined to delist its common shares effective June 3, 2020 for failure to meet the continued listing requirements. The company was formed by the merger of two explorers in 2014 and will apply to list on the CSE."),
    ("nas", NON, WIRE, "May 4, 2020\n{N} today reported that the Nasdaq hearings panel has determined to delist its common stock, as the company was unable to regain compliance with the minimum bid price rule. It will save costs as a company that is not listed."),
    # labelled reasons
    ("vi", TRA, EXCHANGE, "Sở Giao dịch Chứng khoán TP.HCM\nNgày 04/05/2020\nThông báo về việc hủy niêm yết cổ phiếu {N}.\nQuyết định chấp thuận hủy niêm yết đối với 10.000.000 cổ phiếu {N}.\nLý do | Chuyển sàn giao dịch sang HNX\nNgày hủy niêm yết có hiệu lực | 29/05/2020"),
    ("sv", MA, EXCHANGE, "Börsmeddelande\n4 maj 2020\nNasdaq Stockholm har beslutat att avnotera aktierna i {N}. Sista handelsdag är den 15 maj.\nOrsak: tvångsinlösen av minoritetsaktierna"),
    ("id", VOL, EXCHANGE, "Pengumuman\n4 Mei 2020\nBursa Efek Indonesia memutuskan penghapusan pencatatan saham {N} efektif 18 Mei 2020.\nAlasan | Permohonan sukarela Perseroan"),
    # the same in other languages
    ("de", TRA, WIRE, "4. Mai 2020\nDer Vorstand der {N} hat heute beschlossen, die Notierung vom regulierten Markt der Frankfurter Wertpapierbörse an die Börse München zu verlegen, und den Widerruf der Zulassung in Frankfurt beantragt."),
    ("fr", TRA, WIRE, "Paris, le 4 mai 2020\n{N} annonce que la radiation de ses actions d'Euronext Paris et leur admission concomitante sur Euronext Growth interviendront le 11 mai 2020, conformément à la décision de l'assemblée générale."),
    ("pt", MA, EXCHANGE, "Comunicado\n4 de maio de 2020\nA CVM deferiu o pedido de cancelamento do registro de companhia aberta de {N}, protocolado após o leilão da OPA. Em consequência, a B3 encerra a listagem das ações a partir de hoje."),
    ("hk", INS, EXCHANGE, "取消上市地位\n2020年5月4日\n聯交所宣布，由2020年5月12日上午9時起，{N}的上市地位將根據《上市規則》第6.01A條予以取消。該公司股份自2018年停牌，法院已頒令清盤，未能履行復牌指引。"),
    ("it", MA, EXCHANGE, "Avviso\n4 maggio 2020\nBorsa Italiana, su richiesta dell'emittente, dispone la revoca dalla quotazione delle azioni {N} dal 12 maggio 2020, a seguito dell'efficacia della fusione per incorporazione nella controllante."),
    ("pl", INS, EXCHANGE, "Uchwała Zarządu Giełdy\n4 maja 2020\nZarząd Giełdy postanowił wykluczyć z obrotu giełdowego akcje spółki {N} z dniem 12 maja 2020 r. w związku z prawomocnym postanowieniem o ogłoszeniu upadłości i niewykonywaniem obowiązków informacyjnych."),
    ("ca", TRA, WIRE, "TORONTO, May 4, 2020 - {N} has applied to voluntarily delist from the TSX and has received approval to list on the TSX Venture Exchange. The shares will be delisted from the TSX at the close on May 8, 2020 and begin trading on the TSXV on May 11."),
    # redemption of a fund or class, transfer, regulator
    ("us", TRA, WIRE, "May 4, 2020\n{N} today announced that it will transfer the listing of its common stock to Nasdaq from the New York Stock Exchange on May 18, 2020. Nasdaq offers a more cost-effective listing and the company meets all listing requirements."),
    ("us", REG, WIRE, "May 4, 2020\nThe Securities and Exchange Commission today revoked the registration of each class of securities of {N} pursuant to Section 12(j). The shares will be removed from the New York Stock Exchange. The company had been delinquent in its filings."),
    ("uk", EXP, WIRE, "4 May 2020\n{N}, an investment company, announces that at today's general meeting holders resolved to place the company into members' voluntary liquidation. The listing of its shares will be cancelled with effect from 8.00 a.m. on 5 May 2020."),
)  # fmt: skip


# market, expected answer, pages (source, text) of one listing
EPISODES = (
    # an appointment of administrators tells why the authority cancels
    ("uk", "yes 2020-05-04 insolvency", (WIRE, "{N}: administration\n2 March 2020\nJoint administrators have been appointed to {N}. The listing remains suspended."), (EXCHANGE, "Official List Notice\n04/05/2020 08:00\nThe Financial Conduct Authority cancels the following securities from the Official List with effect from today, following a request:\n{N} | Ordinary shares")),
    # an insolvency of years before tells nothing
    ("us", "yes 2020-05-04 noncompliance", (WIRE, "{N} emerges\nMarch 2, 2014\n{N} emerged from chapter 11 today. The listing on the New York Stock Exchange continues."), (WIRE, "{N}\nMay 4, 2020\nNYSE Regulation has determined to commence proceedings to delist the common stock of {N}, which has not filed its annual report.")),
    # a determination that is retold with its month was not disclosed that day
    ("nas", "yes 2020-05-04 noncompliance", (WIRE, "{N} regains compliance\nMay 9, 2014\n{N} received a staff determination in March 2014 for late filings. The panel has now decided to continue the listing and the matter is closed."), (WIRE, "{N}\nMay 4, 2020\nNasdaq has determined to delist the common stock of {N} because it has not filed its Form 10-K for 2019. Trading will be suspended on May 13, 2020.")),
    # a vote that failed years before the one that passed
    ("uk", "yes 2020-05-04 voluntary", (WIRE, "{N}: Result of GM\n12 June 2017\n{N} announces that the resolution to cancel the listing was not passed: 70.1 per cent. voted in favour and 75 per cent. was needed."), (WIRE, "{N}: Result of General Meeting\n4 May 2020\n{N} announces that the resolution to cancel the listing of its ordinary shares on the Official List was passed by 88 per cent. of votes at today's general meeting.")),
    # a full stop of an abbreviation ends no clause
    ("uk", "yes 2020-05-04 merger_acquisition", (WIRE, "{N}: Scheme effective\n4 May 2020\n{N} announces that the scheme has today become effective. The listing of the shares was suspended at 7.30 a.m. and will be cancelled at 8.00 a.m. on 5 May 2020.")),
    # an old name leaves the board on the day on which the new one appears
    ("ca", "no", (EXCHANGE, "Bulletin 2020-0504\nMay 4, 2020\nTrading under the name Wrenmoor Copper Inc. starts at the opening on Friday, May 8, 2020; at that same moment the common shares of {N} will be delisted.")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("market", "expected", "pages"), [(m, e, p) for m, e, *p in EPISODES], ids=[f"{n} {e[0]} {e[1][:14]}" for n, e in enumerate(EPISODES)]
)
def test_episode(market: str, expected: str, pages: list[tuple[str, str]]) -> None:
    """What other pages of the same episode add to the notice, and what earlier episodes do not."""
    assert answer(market, *pages) == expected


def reason_of(market: str, url: str, text: str) -> str:
    """The answer and its reason for one page about the listing of `market`."""
    status, _, reason = answer(market, (url, text)).partition(" ")
    return f"{status} {reason.split()[-1] if reason else ''}".strip()


def answer(market: str, *pages: tuple[str, str]) -> str:
    """Status, day and reason for pages about the listing of `market`."""
    issuer, mic, country, ticker, _, security = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type="common", venue="")
    read = [
        extract(html(text.replace("{N}", issuer)).encode(), "text/html", f"{url}?{n}", digest=f"sha256:{n}")
        for n, (url, text) in enumerate(pages)
    ]
    verdict = adjudicate(listing, read, POLICY)
    return " ".join(str(part) for part in (verdict.status.value, verdict.announcement_date, verdict.reason) if part)


def html(text: str) -> str:
    """A page whose lines are paragraphs, or rows of a table where they hold " | "."""
    rows = [line.split(" | ") for line in text.split("\n")]
    parts = [
        f"<table><tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr></table>" if len(row) > 1 else f"<p>{row[0]}</p>" for row in rows
    ]
    return f"<html><body>{''.join(parts)}</body></html>"


@pytest.mark.parametrize(("market", "expected", "url", "text"), CASES, ids=[f"{n} {c[0]} {c[1][:8]}" for n, c in enumerate(CASES)])
def test_reason(market: str, expected: str, url: str, text: str) -> None:
    """The cause that the notice names, whatever rule, cost or name stands beside it."""
    assert reason_of(market, url, text) == f"yes {expected}"

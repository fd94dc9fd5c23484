"""Documents of English-speaking markets read together: requests that wait for holders, other venues and classes, reports of them."""

from __future__ import annotations

import datetime as dt

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_adjudicate import POLICY

LISTINGS = {  # issuer, security, its type, ticker, venue, country
    "asx": ("Marbellup Gold Limited", "Ordinary fully paid shares", "common", "MBG", "XASX", "AU"),
    "tsxv": ("Tuckamore Lithium Inc.", "Common Shares", "common", "TKL", "XTSX", "CA"),
    "tsxv-fr": ("Ressources Mistassini inc.", "Actions ordinaires", "common", "MSI", "XTSX", "CA"),
    "nasdaq": ("Orinda Semilabs Corp", "Common Stock", "common", "ORSL", "XNAS", "US"),
    "nse": ("Sarvodaya Alkalies Limited", "Equity shares of Rs 10 each", "common", "SARVALK", "XNSE", "IN"),
    "sgx": ("Telok Marine Engineering Ltd.", "Ordinary shares", "common", "TLME", "XSES", "SG"),
    "fund": ("Duquesne Floating Rate Opportunities Fund", "Common shares of beneficial interest", "fund", "DFRO", "XNYS", "US"),
    "hkex": ("Great Wall Pharmaceutical Holdings Limited", "Ordinary shares of HK$0.02", "common", "1766", "XHKG", "HK"),
    "american": ("Palliser Silver Mines Ltd.", "Common Shares", "common", "PSV", "XASE", "US"),
    "lse": ("Aonach Infrastructure Income plc", "Ordinary Shares", "fund", "AII", "XLON", "GB"),
    "nairobi": ("Tana Cement Plc", "Ordinary shares of KES 5", "common", "TNC", "XNAI", "KE"),
    "etf": ("Northmoor Energy Income ETF", "Units", "fund", "NMEI", "ARCX", "US"),
}
REQUEST = "14 October 2019. Marbellup Gold Limited (ASX: MBG) has today lodged with ASX a formal request under Listing Rule 17.11 that it be removed from the official list of ASX."
CONSENT = " ASX has told the Company that it would be likely to agree to the request provided that shareholders approve the removal by special resolution."
LISTED = " ASX has advised that it would be likely to agree, subject to the following conditions:</p><ul><li>the removal is approved by a special resolution of security holders; and</li><li>removal takes place no earlier than one month later.</li></ul><p>A meeting will be convened."
RESULT = "28 November 2019. Marbellup Gold Limited advises that the special resolution to remove the Company from the official list of ASX was carried on a poll with 96.4% of votes."
ADS = "21 May 2019. Great Wall Pharmaceutical Holdings Limited (Stock Code: 1766; NYSE: GWP) announces that its Board has approved the voluntary delisting of its American depositary shares from the NYSE."
UGANDA = "24 April 2018. The Board of Tana Cement Plc has resolved to discontinue the cross listing of the Company's shares on the Uganda Securities Exchange. The USE has approved the delisting with effect from 31 May 2018."
FUNDS = "NEW YORK, March 20, 2020 (PressLine) -- Northmoor Funds announced that the Board of Trustees has approved the liquidation of Northmoor Shipping ETF (NMSH) and Northmoor China Rail ETF (NMCR). Each will cease trading on NYSE Arca. Northmoor Energy Income ETF (NMEI) is not part of the closures."
COVER = "FORM 8-K. Date of report (date of earliest event reported): February 16, 2016. Filed February 19, 2016.</p><p>Item 3.01 On February 16, 2016 Orinda Semilabs Corp received a letter stating that the staff had determined that its common stock will be delisted from Nasdaq."
# listing, documents (address, title, text), status with day and reason
CASES = (
    ("asx", (("asx-mkt.example/1014", "MBG: Request for removal from the official list", REQUEST + CONSENT),), "no"),
    ("asx", (("asx-mkt.example/1014", "MBG: Request for removal from the official list", REQUEST + LISTED),), "no"),
    ("asx", (("asx-mkt.example/1014", "MBG: Request for removal", REQUEST + CONSENT), ("asx-mkt.example/1128", "MBG: Results", RESULT)), "yes 2019-11-28 voluntary"),
    ("asx", (("asx-mkt.example/1014", "MBG: Removal", REQUEST + " ASX has agreed to the request. No meeting of holders is required."),), "yes 2019-10-14 voluntary"),
    ("tsxv", (("newslane.example/0306", "Tuckamore Lithium to Move to the CSE", "Saguenay, Quebec, March 6, 2019 - Tuckamore Lithium Inc. (TSXV: TKL) announces that it has received final approval to list its common shares on the Canadian Securities Exchange. The Company has applied for, and the TSX Venture Exchange has accepted, the voluntary delisting of the shares, effective at the close on March 8, 2019."),), "yes 2019-03-06 transfer"),
    ("tsxv-fr", (("fildepresse.example/0919", "Ressources Mistassini change de Bourse", "Chibougamau, le 19 septembre 2018 - Ressources Mistassini inc. (TSXV : MSI) annonce avoir obtenu l'approbation définitive de la Bourse des valeurs canadiennes, où ses actions seront négociées dès le 25 septembre. La Société a déposé aujourd'hui sa demande de radiation volontaire auprès de la Bourse de croissance TSX. Ses actions seront radiées de la cote le 24 septembre 2018."),), "yes 2018-09-19 transfer"),
    ("tsxv-fr", (("fildepresse.example/0919", "Radiation volontaire", "Chibougamau, le 19 septembre 2018 - Ressources Mistassini inc. (TSXV : MSI) annonce que son conseil a décidé de radier ses actions de la Bourse de croissance TSX le 24 septembre 2018 pour réduire ses frais."),), "yes 2018-09-19 voluntary"),
    ("nasdaq", (("edgarview.example/8k", "Orinda Semilabs Corp - Form 8-K", COVER),), "yes 2016-02-19 noncompliance"),
    ("nse", (("nse-circ.example/3391", "NSE circular: Sarvodaya Alkalies Limited - delisting of equity shares", "Date: March 22, 2018. Members are informed that, following the successful delisting offer made by the acquirers, the Exchange has granted final approval and the equity shares of Sarvodaya Alkalies Limited shall be delisted with effect from April 9, 2018."),), "yes 2018-03-22 merger_acquisition"),
    ("sgx", (("straits-ledger.example/1119", "SGX gives green light", "Nov 19, 2020 - Rig builder Telok Marine Engineering has received the green light from Singapore Exchange to delist."),), "no"),
    ("sgx", (("sgxnet-copy.example/1003", "NOTIFICATION OF DELISTING", "3-Oct-2019. The Board of Telok Marine Engineering Ltd. wishes to announce that it has received a notification of delisting from SGX RegCo, having been unable to meet the financial exit criteria. The Company must make a reasonable exit offer."),), "yes 2019-10-03 noncompliance"),
    ("fund", (("pressline.example/1015", "Board Approves Liquidation", "PITTSBURGH, Oct. 15, 2020 (PressLine) -- The Board of Trustees of Duquesne Floating Rate Opportunities Fund (NYSE: DFRO) has determined to liquidate the Fund and has adopted a Plan of Liquidation. The Plan requires the affirmative vote of two-thirds of outstanding shares. Upon liquidation, the shares will cease trading on the NYSE."),), "no"),
    ("hkex", (("hkex-copy.example/0521", "VOLUNTARY DELISTING FROM THE NEW YORK STOCK EXCHANGE", ADS), ("hk-business.example/0522", "Great Wall Pharma to delist", "22 May 2019 - Great Wall Pharmaceutical has decided to delist its shares in New York, citing costs.")), "no"),
    ("hkex", (("hkex-copy.example/0521", "VOLUNTARY DELISTING FROM THE NEW YORK STOCK EXCHANGE", ADS), ("hk-business.example/0522", "Great Wall Pharma to delist", "22 May 2019 - Great Wall Pharmaceutical has decided to delist its shares, it said on Tuesday, citing costs.")), "no"),
    ("american", (("newslane.example/0206", "Palliser Silver Announces Voluntary Delisting From TSX", "Vancouver, B.C., February 6, 2018 - Palliser Silver Mines Ltd. (TSX: PSV; NYSE American: PSV) announces that it has applied to voluntarily delist its common shares. The Board concluded that volume no longer justifies the expense."),), "no"),
    ("american", (("newslane.example/0206", "Palliser Silver Announces Voluntary Delisting From NYSE American", "Vancouver, B.C., February 6, 2018 - Palliser Silver Mines Ltd. (TSX: PSV; NYSE American: PSV) announces that it has applied to voluntarily delist its common shares. The Board concluded that volume no longer justifies the expense."),), "yes 2018-02-06 voluntary"),
    ("lse", (("rns-relay.example/0914", "Conversion of C Shares", "14 September 2018. Aonach Infrastructure Income plc: Admission of the New Ordinary Shares will become effective, and the listing of the C Shares on the Official List will be cancelled, at 8.00 a.m. on 18 September 2018."),), "no"),
    ("lse", (("rns-relay.example/0914", "Cancellation", "14 September 2018. Aonach Infrastructure Income plc: the listing of the Ordinary Shares and the C Shares on the Official List will be cancelled at 8.00 a.m. on 18 September 2018."),), "yes 2018-09-14 voluntary"),
    ("nairobi", (("tana-cement.example/2018", "Cross listing on Uganda Securities Exchange", UGANDA), ("kampala-observer.example/2018", "Tana Cement to be delisted", "Kampala, April 26, 2018 - Kenyan cement maker Tana will be delisted from the exchange on May 31 after the bourse approved its application.")), "no"),
    ("tsxv", (("tsxv-bulls.example/1002", "TSX Venture Exchange bulletin", 'TUCKAMORE LITHIUM INC. ("TKL.R") BULLETIN TYPE: Delist BULLETIN DATE: October 2, 2018. Effective at the close of business October 4, 2018, the subscription receipts will be delisted, having been exchanged for common shares.'),), "no"),
    ("etf", (("pressline.example/0320", "Northmoor Funds to Close Two ETFs", FUNDS), ("etfdesk.example/0323", "Northmoor shutters crude fund", "March 23, 2020 - Northmoor is pulling its leveraged crude fund off NYSE Arca, the board decided Friday, leaving Northmoor Energy Income as its only energy product.")), "no"),
)  # fmt: skip


@pytest.mark.parametrize(("market", "documents", "expected"), CASES, ids=[f"{m} {d[-1][1][:30]}: {e[:3]}" for m, d, e in CASES])
def test_documents_of_a_case(market: str, documents: tuple[tuple[str, str, str], ...], expected: str) -> None:
    """Status, day and reason for the documents of one listing."""
    issuer, security, kind, ticker, mic, country = LISTINGS[market]
    cutoff = dt.date(2020, 12, 31)
    listing = factories.listing(
        issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type=kind, venue="", isin="", cutoff=cutoff
    )
    pages = []
    for number, (address, title, text) in enumerate(documents):
        body = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p></body></html>"
        pages.append(extract(body.encode(), "text/html", f"https://{address}", digest=f"sha256:{number}"))
    found = adjudicate(listing, pages, POLICY)
    said = found.status.value if found.announcement_date is None else f"{found.status.value} {found.announcement_date} {found.reason}"
    assert said == expected, "\n".join(found.steps)

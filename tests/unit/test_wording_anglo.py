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
    "trust": ("Oldman Plateau Royalty Trust", "Trust Units", "unit", "OPR.UN", "XTSE", "CA"),
    "spac": ("Copper Lantern Acquisition Corp.", "Class A ordinary shares", "common", "CLAC", "XNAS", "US"),
    "standard": ("Ravenglass Shipping plc", "Ordinary Shares of 25p", "common", "RVG", "XLON", "GB"),
    "aim": ("Tower Hamlets Ventures plc", "Ordinary Shares of 0.5p", "common", "THV", "AIMX", "GB"),
    "jse": ("Outeniqua Holdings Limited", "Ordinary shares", "common", "OTQ", "XJSE", "ZA"),
    "tase": ("Negev Solar Fields Ltd.", "Ordinary shares of NIS 0.01", "common", "NSFL", "XTAE", "IL"),
    "swan": ("Swan Estuary Lithium Limited", "Ordinary fully paid shares", "common", "SEL", "XASX", "AU"),
    "income": ("Hantsport Gypsum Income Fund", "Trust Units", "unit", "HGI.UN", "XTSE", "CA"),
    "muni": ("Penn Avenue Municipal Income Trust", "Common shares", "fund", "PAMI", "XNYS", "US"),
    "water": ("Emberton Water Company plc", "Ordinary Shares of 10p", "common", "EWC", "XLON", "GB"),
    "reit": ("Golden Harvest REIT", "Units", "reit", "GHR", "XSES", "SG"),
    "main": ("Avonbridge Tyres plc", "Ordinary Shares of 10p", "common", "AVT", "XLON", "GB"),
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
    ("asx", (("asx-mkt.example/0231", "Market notice 0231 - Removal from official list", "DATE ISSUED: 19 February 2020. The following entities, whose securities have been suspended for two years, will be removed from the official list under listing rule 17.12: Birrabee Oil Limited (BRB); Marbellup Gold Limited (MBG); Tanami Fibre Limited (TNF)."),), "yes 2020-02-19 noncompliance"),
    ("asx", (("asx-mkt.example/0231", "Market notice 0231 - Removal from official list", "DATE ISSUED: 19 February 2020. The following entities will be removed from the official list: Birrabee Finance Limited, a subsidiary of Marbellup Gold Limited; Tanami Fibre Limited (TNF)."),), "no"),
    ("asx", (("asx-mkt.example/1231", "MBG: Supreme Court approves scheme", "31 December 2019. Marbellup Gold Limited (ASX: MBG) expects to lodge the Court orders with ASIC on 5 January 2020, at which time the scheme will become legally effective. If that occurs, MBG shares will be suspended. It is expected that MBG will be removed from the official list of ASX on 20 January 2020."),), "no"),
    ("standard", (("rns-relay.example/0702", "Intention to cancel listing", "2 July 2018. Ravenglass Shipping plc hereby gives not less than 20 business days' notice of its intention to cancel the listing of its Ordinary Shares on the Official List. Shareholder approval is not required."),), "yes 2018-07-02 voluntary"),
    ("trust", (("newslane.example/0610", "Oldman Plateau Royalty Trust Completes Plan of Arrangement", "CALGARY, June 10, 2016 - Oldman Plateau Royalty Trust (TSX: OPR.UN) and Sarcee Royalties are pleased to announce the completion today of the plan of arrangement. The trust units are expected to be delisted from the Toronto Stock Exchange at the close on June 14, 2016."),), "yes 2016-06-10 merger_acquisition"),
    ("trust", (("newslane.example/0607", "Application", "CALGARY, June 7, 2016 - Oldman Plateau Royalty Trust (TSX: OPR.UN) announces that it has applied for a voluntary delisting of its units. The delisting must be approved by a majority of unitholders. The TSX has conditionally accepted the application."), ("prairie-news.example/0609", "Oldman says goodbye to Bay Street", "June 9, 2016 - Oldman Plateau has applied to delist from the TSX, 34 years after going public.")), "no"),
    ("spac", (("pressline.example/1104", "Copper Lantern to Redeem Its Public Shares", "NEW YORK, Nov. 04, 2019 (PressLine) -- Copper Lantern Acquisition Corp. (Nasdaq: CLAC) today announced that it will not consummate an initial business combination and will redeem all of its outstanding Class A ordinary shares. The Company has requested that Nasdaq file a Form 25."),), "yes 2019-11-04 expiry_redemption"),
    ("hkex", (("hkex-copy.example/1102", "THIRD DELISTING STAGE", "2 November 2019. Great Wall Pharmaceutical Holdings Limited (Stock Code: 1766). The Stock Exchange informed the Company that it has decided to place the Company in the third delisting stage. If no viable proposal is received the Exchange will cancel the listing."),), "no"),
    ("hkex", (("hk-pennies.example/1103", "A step from the exit", "3 November 2019 - HKEX has decided to push Great Wall Pharmaceutical into the last stage of the delisting procedure."),), "no"),
    ("nse", (("nse-circ.example/1127", "NSE public notice", "Date: November 27, 2019. The following companies have been identified for initiation of compulsory delisting: Sarvodaya Alkalies Limited; Deccan Salts Limited. Any person aggrieved may make a representation within fifteen working days."),), "no"),
    ("nse", (("dalal-times.example/1128", "NSE initiates compulsory delisting of two companies", "Chennai, Nov 28, 2019 - The National Stock Exchange has initiated compulsory delisting of Sarvodaya Alkalies and Deccan Salts, according to a notice."),), "no"),
    ("nse", (("bse-corp.example/0302", "Sarvodaya Alkalies: redemption of NCDs", "March 2, 2020. The secured NCDs of Sarvodaya Alkalies Limited were fully redeemed on February 28, 2020. The exchange has been requested to delist the NCDs."),), "no"),
    ("tase", (("maya-copy.example/1108", "Negev Solar Fields: transfer to the maintenance list", "November 8, 2019. The Tel Aviv Stock Exchange informed Negev Solar Fields Ltd. that its shares will be transferred to the maintenance list."), ("holyland-markets.example/1109", "Negev Solar kicked off", "9 Nov 2019 - The stock exchange has removed Negev Solar Fields from the list because its equity has evaporated.")), "no"),
    ("tase", (("holyland-markets.example/1109", "Negev Solar kicked off main list", "9 Nov 2019 - The stock exchange has removed Negev Solar Fields from the main list because its equity has evaporated."),), "no"),
    ("jse", (("sens-copy.example/0704", "OUTENIQUA HOLDINGS LIMITED - Conversion of N ordinary shares", "Release Date: 04/07/2016. All resolutions of Outeniqua Holdings Limited having been passed, each N ordinary share will be converted into one ordinary share. The JSE has approved the termination of the listing of the N ordinary shares (code: OTN) with effect from 19 July 2016."),), "no"),
    ("aim", (("rns-relay.example/0520", "Admission to AIM", "20 May 2019. Tower Hamlets Ventures plc: admission of the Ordinary Shares to trading on AIM became effective today. Accordingly the shares were withdrawn from the NEX Exchange Growth Market at the close on 17 May 2019."),), "no"),
    ("asx", (("asx-mkt.example/0525", "MBG: Outcome of general meeting", "25 May 2017. Shareholders of Marbellup Gold Limited today passed the special resolution for the removal of MBG from the official list of ASX. Trading in MBG shares will be suspended on 27 June and removal takes effect on 29 June 2017."),), "yes 2017-05-25 voluntary"),
    ("jse", (("sens-copy.example/0804", "OUTENIQUA HOLDINGS LIMITED - Results of general meeting", "Release Date: 04/08/2015. The resolution of Outeniqua Holdings Limited to approve the removal of the company's listing from the Main Board of the JSE was passed by 81.3% of votes excluding the offeror."),), "yes 2015-08-04 merger_acquisition"),
    ("nse", (("bse-corp.example/1218", "Sarvodaya Alkalies: Initial public announcement", "December 18, 2019. This initial public announcement is issued for and on behalf of the acquirers in respect of the voluntary delisting of the equity shares of Sarvodaya Alkalies Limited. The acquirers intend to delist the shares subject to approval of the shareholders and NSE."),), "no"),
    ("nse", (("bse-corp.example/1218", "Sarvodaya Alkalies: board meeting", "December 18, 2019. The board of Sarvodaya Alkalies Limited has decided to delist the equity shares from NSE. The decision takes effect only if shareholders approve it by postal ballot."),), "no"),
    ("nse", (("nse-circ.example/0312", "NSE circular: delisting of DVR shares", 'Date: March 12, 2018. The "A" Ordinary shares with differential voting rights of Sarvodaya Alkalies Limited (SARVDVR) shall be delisted w.e.f. March 20, 2018, being exchanged for ordinary equity shares.'),), "no"),
    ("swan", (("asx-mkt.example/0831", "SEL: Swan Vanadium scheme implemented", "31 August 2020. Swan Estuary Lithium Limited (ASX: SEL) advises that its associate Swan Vanadium Limited (ASX: SVV) was acquired today. Swan Vanadium has applied for removal from the official list at close of trading on 1 September 2020."),), "no"),
    ("income", (("tsx-bulls.example/0771", "TSX Bulletin 2009-0771", "August 14, 2009. HANTSPORT GYPSUM INCOME FUND (Symbol: HGI.DB). The 6.50% debentures of the Fund will be delisted from Toronto Stock Exchange at the close on August 31, 2009, the maturity date."),), "no"),
    ("income", (("tsx-bulls.example/0771", "TSX Bulletin 2009-0771", "August 14, 2009. HANTSPORT GYPSUM INCOME FUND (Symbol: HGI.UN). The trust units of the Fund will be delisted from Toronto Stock Exchange at the close on August 31, 2009 at the request of the Fund."),), "yes 2009-08-14 voluntary"),
    ("muni", (("pressline.example/0910", "Penn Avenue Funds Complete Reorganization", "NEW YORK, Sept. 10, 2018 (PressLine) -- The reorganization of Penn Avenue Ohio Municipal Trust (NYSE: PAOH) into Penn Avenue Municipal Income Trust (NYSE: PAMI) was completed. Shares of PAOH were delisted from the NYSE and holders received PAMI common shares."),), "no"),
    ("tsxv-fr", (("fildepresse.example/1017", "Clôture de l'acquisition de Ressources Mistassini", "Gatineau (Québec), le 17 octobre 2019 - Ressources Mistassini inc. (Mistassini Resources Inc.) (TSXV : MSI) annonce la réalisation, ce jour, du plan d'arrangement aux termes duquel Borealis a acquis toutes ses actions. Les actions seront radiées de la cote de la Bourse de croissance TSX à la fermeture des marchés le 21 octobre 2019."),), "yes 2019-10-17 merger_acquisition"),
    ("tsxv", (("asx-mkt.example/0612", "TKL: ASX approves removal", "12 June 2018. Tuckamore Lithium Inc. (TSXV, ASX: TKL) advises that ASX has approved its removal from the official list."), ("goldbug-ca.example/0613", "Tuckamore pulls listing", "June 13, 2018 - Tuckamore Lithium is ending its listing. The company said on Tuesday its removal had been approved and would happen in July.")), "no"),
    ("water", (("rns-relay.example/0428", "Return of capital: B Shares", "28 April 2017. Emberton Water Company plc: all B Shares have been redeemed at 42p and the B Share scheme is closed. Applications were made for the cancellation of the admission of the B Shares."),), "no"),
    ("nse", (("dalal-times.example/0108", "Sarvodaya back on trading screens", "New Delhi, Jan 8, 2019 - NSE has revoked the suspension of Sarvodaya Alkalies, which had been slated for compulsory delisting, after it paid up."),), "no"),
    ("reit", (("sgxnet-copy.example/1030", "COMPLETION OF MERGER", 'The Manager of Golden Harvest REIT ("GHR") wishes to announce on 30-Oct-2020 that the trust scheme has become effective and that Lucky Fields Commercial Trust ("LFCT") is now wholly owned by GHR. LFCT will be delisted from the Official List of SGX-ST on 3 November 2020.'), ("straits-ledger.example/1031", "Golden Harvest seals merger", "Oct 31, 2020 - Golden Harvest REIT completed its S$1.1 billion merger on Friday and the trust it swallowed will leave SGX on Tuesday.")), "no"),
    ("asx", (("asx-mkt.example/1008", "MBG: Company to delist from ASX", "8 October 2018. The Board of Marbellup Gold Limited has resolved to remove the Company from the official list. ASX has agreed to the Company's request, conditional on shareholder approval by special resolution at the AGM on 14 November."),), "no"),
    ("asx", (("asx-mkt.example/1211", "MBG: Application for removal", "11 December 2019. The Board of Marbellup Gold Limited has resolved to apply for removal from the official list, and the application was lodged today. ASX has confirmed that it will remove the Company, provided the Company's members first pass a special resolution."),), "no"),
    ("asx", (("asx-mkt.example/0404", "MBG: Acquisition of Tallangatta Tin completed", "4 April 2019. Marbellup Gold Limited (ASX: MBG) has completed the compulsory acquisition of Tallangatta Tin Limited (ASX: TTN). TTN was removed from the official list yesterday."),), "no"),
    ("jse", (("sens-copy.example/0410", "OUTENIQUA HOLDINGS LIMITED - Scheme of subsidiary", "Release Date: 10/04/2017. Shareholders of Outeniqua Holdings Limited are advised that the scheme proposed by Outeniqua Holdings to holders of Paardeberg Cellars Limited has become unconditional and Paardeberg Cellars will be delisted from the JSE on 25 April 2017."),), "no"),
    ("nairobi", (("rift-business.example/0814", "Tana quits Dar bourse", "Nairobi, August 14, 2018 - Tana Cement has delisted from the Dar es Salaam Stock Exchange, where few shares changed hands last year."),), "no"),
    ("main", (("rns-relay.example/0627", "Result of General Meeting", "27 June 2013. Avonbridge Tyres plc announces that the resolution to approve the cancellation of the listing of its Ordinary Shares on the Official List and their admission to AIM was duly passed today. Cancellation of listing and admission to AIM will take place on 26 July 2013."),), "yes 2013-06-27 transfer"),
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

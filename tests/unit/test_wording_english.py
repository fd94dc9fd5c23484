"""English of all markets: how issuers, exchanges and newspapers state the end of a listing, and what only resembles it."""

from __future__ import annotations

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from tests import factories
from tests.unit.test_wording_reasons import html
from tests.unit.test_wording_traps import POLICY

W, X, P = (
    "https://www.globenewswire.com/news-release/a.html",
    "https://exchange-notices.example/a.html",
    "https://the-courier.example/business/a.html",
)
# market: issuer, venue, country, ticker, day, security, its type
MARKETS = {
    "uk": ("Alderwick Instruments plc", "XLON", "GB", "ALD", "4 May 2020", "Ordinary shares", "common"),
    "aim": ("Alderwick Instruments plc", "AIMX", "GB", "ALD", "4 May 2020", "Ordinary shares", "common"),
    "ie": ("Alderwick Foods plc", "XDUB", "IE", "ALF", "4 May 2020", "Ordinary shares", "common"),
    "us": ("Alderwick Instruments Inc.", "XNYS", "US", "ALD", "May 4, 2020", "Common stock", "common"),
    "nas": ("Alderwick Instruments Inc.", "XNAS", "US", "ALDW", "May 4, 2020", "Common stock", "common"),
    "pref": ("Alderwick Bancorp Inc.", "XNYS", "US", "ALB-PA", "May 4, 2020", "6.25% Series A Preferred Stock", "preferred"),
    "etf": ("Alderwick Small Cap ETF", "ARCX", "US", "ALSC", "May 4, 2020", "Shares of beneficial interest", "fund"),
    "au": ("Alderwick Minerals Limited", "XASX", "AU", "ALD", "4 May 2020", "Ordinary shares", "common"),
    "nz": ("Alderwick Dairy Limited", "XNZE", "NZ", "ALD", "4 May 2020", "Ordinary shares", "common"),
    "in": ("Alderwick Chemicals Limited", "XBOM", "IN", "532999", "4 May 2020", "Equity shares", "common"),
    "ca": ("Alderwick Gold Corp.", "XTSE", "CA", "ALD", "May 4, 2020", "Common shares", "common"),
    "tsxv": ("Alderwick Gold Corp.", "XTSX", "CA", "ALD", "May 4, 2020", "Common shares", "common"),
    "sg": ("Alderwick Marine Ltd", "XSES", "SG", "A7L", "4 May 2020", "Ordinary shares", "common"),
    "hk": ("Alderwick Holdings Limited", "XHKG", "HK", "2990", "4 May 2020", "Ordinary shares", "common"),
    "za": ("Alderwick Mining Limited", "XJSE", "ZA", "ALD", "4 May 2020", "Ordinary shares", "common"),
    "my": ("Alderwick Timber Berhad", "XKLS", "MY", "ALDWICK", "4 May 2020", "Ordinary shares", "common"),
    "ng": ("Alderwick Cement Plc", "XNSA", "NG", "ALDCEM", "4 May 2020", "Ordinary shares", "common"),
    "jp": ("Alderwick Kogyo Co., Ltd.", "XTKS", "JP", "5398", "May 4, 2020", "Common stock", "common"),
    "no": ("Alderwick Subsea ASA", "XOSL", "NO", "ALDS", "4 May 2020", "Ordinary shares", "common"),
    "ch": ("Alderwick Holding AG", "XSWX", "CH", "ALDN", "4 May 2020", "Registered shares", "common"),
}
# market, status and reason, source, text about {N}; its first line is the day where it names none
STATED = (
    ('us', 'yes', W, '{N} to Leave New York Stock Exchange\n{N} has served notice on the NYSE that its common stock will trade there for the last time on May 15, 2020; from May 18 the only market for the stock will be Nasdaq.'),
    ('us', 'yes voluntary', W, '{N} winds down its NYSE quotation\nThe directors of {N} have concluded that the expense of a New York Stock Exchange listing outweighs its worth and have accordingly given up the listing with effect from May 29, 2020.'),
    ('nas', 'yes', W, '{N} today said goodbye to Nasdaq: its request that the common stock be struck from the list was delivered this morning and a Form 25 follows on May 14, 2020.'),
    ('nas', 'yes merger_acquisition', W, "Hartfield Completes Purchase of {N}\nHartfield Group announced today that it has completed its purchase of {N}. With the closing, {N}'s shares have been taken off Nasdaq and its stockholders are entitled to $12.40 in cash per share."),
    ('nas', 'yes noncompliance', W, "{N} reports that on April 30, 2020 it was told by Nasdaq's Listing Qualifications Department that the Panel has declined its request to stay listed and that its stock will be taken off the exchange at the opening on May 6, 2020."),
    ('us', 'yes noncompliance', X, 'NYSE Regulation has reached a determination that the common stock of {N} is not fit for further listing, its equity having fallen under the floor of Section 802.01B. Trading in the stock came to a stop at once.'),
    ('uk', 'yes', W, "{N}\nFollowing the passing of the special resolution at this morning's General Meeting, the last day on which the Ordinary Shares may be dealt in on the London Stock Exchange is 29 May 2020 and their entry on the Official List falls away at 8.00 a.m. on 1 June 2020."),
    ('uk', 'yes', X, 'Notice to the Official List\nDeletion: {N}, Ordinary Shares of 5p each, fully paid. Effective 8.00 a.m. on 6 May 2020.'),
    ('uk', 'yes', X, 'Notice to the Official List\nAction | Issuer | Security | Effective\nRemoval | {N} | Ordinary Shares of 5p each | 06/05/2020'),
    ('aim', 'yes voluntary', W, '{N} bows out of AIM\nThe resolution for the cancellation of admission obtained 91 per cent. of the votes. The Ordinary Shares will accordingly be quoted on AIM for the last time on 12 May 2020.'),
    ('aim', 'yes noncompliance', X, 'The Exchange gives notice that, no replacement nominated adviser having been appointed within one month, the admission of the AIM securities of {N} comes to a close at 7.00 a.m. today under Rule 1.'),
    ('ie', 'yes voluntary', W, "{N} gives up Dublin listing\nThe Board has resolved to bring the Company's listing on Euronext Dublin to an end, given that less than 1% of turnover takes place there. The final day of dealings in Dublin is 29 May 2020."),
    ('ie', 'yes', X, 'Euronext Dublin list changes\nThe following securities go from the Official List at close of business today: {N} - Ordinary Shares of EUR 0.10. Reason: request of the issuer.'),
    ('au', 'yes', X, '{N} (ALD)\nThe securities of {N} will be taken off the official list of ASX at the close of trading on 6 May 2020, the holder of 96% having finished its compulsory acquisition.'),
    ('au', 'yes noncompliance', X, "ASX has brought {N}'s time on the official list to an end under listing rule 17.15, since the annual listing fee was left unpaid. The removal applies from the close of trading today."),
    ('au', 'yes', X, "Delisting of {N}\nASX code: ALD\nDate of removal from official list: Wednesday, 6 May 2020\nReason: Entity's request under listing rule 17.11"),
    ('nz', 'yes', X, 'MEMO: {N} Cessation of Listing\nNZX confirms that {N} will cease to be a listed issuer at the close of business on 8 May 2020. Last day of quotation: 6 May 2020.'),
    ('in', 'yes', X, 'Sub: Delisting of equity shares of {N}\nTrading Members are informed that the scrip of {N} shall be withdrawn from trading from 11 May 2020 and its name removed from the list of the Exchange with effect from 18 May 2020, the acquirer having bought out the public.'),
    ('in', 'yes noncompliance', X, 'The Exchange has passed an order striking the equity shares of {N} from its platform with effect from 11 May 2020, as the company has not paid its listing fees and remains suspended for over six months.'),
    ('ca', 'yes merger_acquisition', W, '{N} and Bluff Harbour Close Arrangement\nBluff Harbour now holds all of the outstanding common shares of {N}. The shares will leave the TSX at the end of trading on May 6, 2020.'),
    ('ca', 'yes', X, "{N} (ALD): Delisting\nToronto Stock Exchange: the common shares go from the list at the close on June 3, 2020, the issuer no longer meeting the Exchange's requirements."),
    ('tsxv', 'yes', X, '{N} ("ALD")\nBULLETIN TYPE: Delist\nBULLETIN DATE: May 4, 2020\nEffective at the close of business on May 6, 2020, the shares come off TSX Venture Exchange at the Company\'s request.'),
    ('sg', 'yes', W, '{N}\nThe Company announces that the SGX-ST has confirmed that the Shares are to be removed from the Official List on 12 May 2020 at 9.00 a.m., the compulsory acquisition by the Offeror having been effected.'),
    ('hk', 'yes', W, "{N}\nThe Listing Committee's decision to take away the Company's listing was conveyed to the Company by letter today. The Shares' last day of listing is 15 May 2020 and the listing lapses at 9:00 a.m. on 18 May 2020."),
    ('za', 'yes', W, '{N}\nTERMINATION OF LISTING\nShareholders are advised that the scheme has become operative and that the listing of the shares on the JSE terminates at the commencement of trade on Tuesday, 12 May 2020.'),
    ('za', 'yes noncompliance', P, '4 May 2020\nJSE pulls the plug on {N}\nThe JSE on Monday ended the listing of {N}, which has not published results for three years. The share disappears from the main board today.'),
    ('my', 'yes noncompliance', W, "{N}\nBursa Securities has, by its letter dated 4 May 2020, turned down the Company's appeal. The securities of the Company will accordingly be taken off the Official List on 7 May 2020."),
    ('ng', 'yes', X, 'Dealing Members are hereby notified that the entire issued shares of {N} were today removed from the Daily Official List at the instance of the Company following its acquisition.'),
    ('jp', 'yes merger_acquisition', X, 'Decision on Delisting\nIssue: {N} shares (Code: 5398)\nDate of delisting: Monday, June 1, 2020\nReason: Share consolidation whereby a specific shareholder acquires all shares'),
    ('jp', 'yes', X, 'TSE decided today to designate {N} as a security to be delisted. The stock will trade in the post for securities to be delisted until May 29 and its listing ends on June 1, 2020.'),
    ('no', 'yes', X, '{N}: Deletion from listing\nOslo Børs has made the following resolution: The shares of {N} shall be deleted from Oslo Børs as from 11 May 2020. Last trading day is 8 May 2020.'),
    ('ch', 'yes', X, 'Official notice\nSIX Exchange Regulation has acceded to the request of {N} and fixed the last trading day of the registered shares at 29 May 2020. The delisting takes place on 2 June 2020.'),
    ('pref', 'yes expiry_redemption', W, '{N} calls its Series A Preferred Stock\nAll 4,000,000 shares of the 6.25% Series A Preferred Stock will be bought in at $25.00 on June 3, 2020. On that day they disappear from the New York Stock Exchange.'),
    ('pref', 'yes expiry_redemption', X, 'NYSE: Removal\n6.25% Series A Preferred Stock of {N} - the entire issue having been retired on May 1, 2020, the class is struck from listing before the opening on May 14, 2020.'),
    ('etf', 'yes expiry_redemption', W, 'Alderwick Funds closes one ETF\nThe Board of Trustees has decided to wind down {N}. Its shares can be sold on NYSE Arca until the close on May 22, 2020; trading ceases and the shares are delisted thereafter, and the cash is paid out on May 29.'),
    ('etf', 'yes expiry_redemption', W, "{N} will be closed and liquidated. The Fund's final day on NYSE Arca is May 22, 2020."),
    ('us', 'yes insolvency', W, '{N} says the New York Stock Exchange yesterday halted its stock for good and is striking it from the list in view of the Chapter 11 petition of May 1, 2020.'),
    ('nas', 'yes transfer', W, '{N} trades Nasdaq for the NYSE\n{N} is moving: its common stock starts on the New York Stock Exchange on May 18, 2020 and its Nasdaq listing is dropped after the close on May 15, 2020, of which Nasdaq has been notified.'),
    ('uk', 'yes', P, 'By Ann Holt, markets reporter | 4 May 2020\n{N} quits the London Stock Exchange\nShareholders in {N} voted yesterday by 88 per cent to end its 40 years on the London Stock Exchange. The company said this morning that its shares would go from the Official List on 2 June.'),
    ('uk', 'yes', P, "4 May 2020\n{N} is leaving the London market after the family's bid for it was declared wholly unconditional today. The cancellation request went to the FCA this morning and the shares go on 3 June, the company told the exchange."),
    ('sg', 'yes', X, '{N}\nSGX RegCo refers to the exit offer, which closed on 30 April. The Company will be delisted with effect from 9.00 a.m. on 8 May 2020.'),
    ('my', 'yes merger_acquisition', W, "Withdrawal of listing of {N}\nThe Board wishes to inform that Bursa Securities has granted the withdrawal of the Company's listing. It takes effect at 9.00 a.m. on 8 May 2020, the offeror having reached 98.2%."),
    ('ca', 'yes', W, '{N} has been granted approval by the Toronto Stock Exchange to give up its listing there of its own will. Trading on the TSX finishes on May 15, 2020; the shares go on trading on the ASX.'),
    ('hk', 'yes merger_acquisition', W, '{N}\nThe Scheme took effect today (Bermuda time). The Stock Exchange has given leave for the listing of the Shares to be withdrawn from 4:00 p.m. on 6 May 2020.'),
    ('us', 'yes', W, '{N} Ends Its Run on the Big Board\n{N} said that the New York Stock Exchange has been formally advised that the common stock is to come off its list before the market opens on May 18, 2020.'),
    ('us', 'yes noncompliance', W, '{N} received word on May 1, 2020 from NYSE Regulation that its staff will set about removing the common stock from the exchange because the average market value over 30 trading days has dropped beneath $15 million.'),
    ('us', 'yes insolvency', X, 'NYSE Regulation, Inc. has started the steps that lead to the removal of the common stock of {N}, which filed for Chapter 11 on May 3, 2020. The stock was halted at once.'),
    ('nas', 'yes noncompliance', W, 'A Nasdaq Hearings Panel has ruled against {N}. Quotation of the shares ends with the close of business on May 5, 2020, and Nasdaq will lodge the removal form with the SEC once the time for review has run.'),
    ('nas', 'yes voluntary', W, '{N} Opts for the OTC Market\nThe board of {N} voted on May 1, 2020 to take the company off Nasdaq and out of SEC reporting, on grounds of expense. Nasdaq has been notified.'),
    ('nas', 'yes merger_acquisition', W, 'Hartfield and {N} Conclude Merger\nThe merger of {N} with a unit of Hartfield became effective this morning. The common stock, which no longer changes hands on Nasdaq, will be stricken from its list upon the filing of Form 25.'),
    ('nas', 'yes', P, 'May 4, 2020\nHartfield seals {N} deal\nHartfield Group closed its $2bn purchase of {N} on Monday, and Nasdaq said it had begun erasing the ticker from its list this morning.'),
    ('uk', 'yes merger_acquisition', W, '{N}\nBidco has now received acceptances for 93.4 per cent. of the shares and the offer is unconditional in all respects. {N} has today requested the FCA and the London Stock Exchange to strike the shares from the Official List and stop their trading, which should happen on 3 June 2020.'),
    ('uk', 'yes transfer', W, '{N} moves to AIM\nShareholders today carried the resolution by which the Company gives up its place on the Official List. The shares leave the main market on 1 June 2020 and join AIM the same morning.'),
    ('aim', 'yes voluntary', W, '{N}\nResult of General Meeting\nThe special resolution to leave AIM was carried on a poll by 87.3 per cent. AIM dealings therefore end on 14 May 2020, and the quote goes at 7.00 a.m. on 15 May 2020.'),
    ('aim', 'yes insolvency', W, '{N} (in administration)\nThe joint administrators have asked AIM Regulation to bring the admission to an end. It will accordingly lapse at 7.00 a.m. on 6 May 2020.'),
    ('ie', 'yes merger_acquisition', W, "{N}\nThe scheme has been sanctioned and the order delivered; the Scheme is now operative. {N}'s Dublin and London listings fall away at 8.00 a.m. on 5 May 2020."),
    ('au', 'yes voluntary', X, 'ALD - Removal from Official List\nASX has agreed to the request of {N} that it be taken from the official list. The removal happens at the close on 11 May 2020.'),
    ('nz', 'yes merger_acquisition', W, '{N}\nThe scheme was implemented this afternoon and NZX has confirmed that the company goes from the Main Board at close of business today.'),
    ('in', 'yes voluntary', W, "{N}\nThis is to inform that BSE has by its letter dated 4 May 2020 given its final nod for the Company's exit from the Exchange. The shares stop trading on 11 May 2020 and stand delisted from 18 May 2020."),
    ('in', 'yes', X, 'Notice no. 20200504-12\nTrading in the equity shares of {N} shall be discontinued from 11 May 2020 and the scrip deleted from the Exchange records from 18 May 2020 upon success of the delisting offer of the promoter.'),
    ('ca', 'yes voluntary', W, '{N} has been told by the Toronto Stock Exchange that its application for voluntary delisting was accepted. Its shares will see their final TSX trades on May 15, 2020.'),
    ('ca', 'yes noncompliance', W, "{N} announces that TSX's Continued Listing Committee resolved today that the common shares be delisted at the close on June 3, 2020, for want of public distribution."),
    ('tsxv', 'yes transfer', W, '{N} heads for the CSE\n{N} reports that the TSX Venture Exchange has consented to its departure: the shares finish there on May 8, 2020 and open on the Canadian Securities Exchange on May 11, 2020.'),
    ('sg', 'yes noncompliance', W, "{N}\nSGX RegCo has turned down the Company's time extension. It has notified the Company that it is to be taken off the Official List, and that holders must be given a fair exit."),
    ('sg', 'yes merger_acquisition', W, '{N}\nWith the scheme having come into force today, the Company leaves the Official List of the SGX-ST at 9.00 a.m. on 13 May 2020.'),
    ('hk', 'yes noncompliance', X, 'The Exchange announces that the listing of the shares of {N} comes to an end from 9:00 a.m. on 11 May 2020. The Company had been out of trading since 1 November 2018 and did not meet its resumption conditions.'),
    ('hk', 'yes insolvency', W, '{N} (In Liquidation)\nThe Stock Exchange has written to the Company that its listing status has been taken away. Shares may no longer be dealt in on the Exchange after 15 May 2020.'),
    ('za', 'yes', W, '{N}\nAll suspensive conditions have been met. Salient dates: last day to trade 12 May 2020; delisting of the shares at the start of trade on 19 May 2020.'),
    ('my', 'yes merger_acquisition', W, '{N}\nBursa Securities has decided to delist the Company under paragraph 16.07; the shares will be off the Official List from 9.00 a.m. on 8 May 2020, the offeror holding 97%.'),
    ('ng', 'yes noncompliance', X, 'NGX RegCo wishes to inform the market that the Council has sanctioned the expunging of {N} from the Daily Official List with immediate effect for persistent default in filing accounts.'),
    ('jp', 'yes', W, "{N}\nThe extraordinary meeting held today passed the share consolidation. The Company's stock falls within the delisting criteria of the Tokyo Stock Exchange and will be delisted on June 1, 2020; the last trading day is May 29."),
    ('no', 'yes merger_acquisition', X, "{N}: Oslo Børs has today decided that the shares be deleted as of 29 May 2020, on the company's application after the compulsory acquisition."),
    ('ch', 'yes merger_acquisition', W, '{N}\nAfter the court declared the remaining shares null and void, SIX Swiss Exchange has set the end of trading in the registered shares at 8 May 2020; they are delisted on 11 May 2020.'),
    ('pref', 'yes expiry_redemption', W, '{N} will redeem every share of its 6.25% Series A Preferred Stock on June 3, 2020. No shares will be left outstanding and trading on the NYSE ends that day.'),
    ('etf', 'yes expiry_redemption', W, 'Supplement dated May 4, 2020 to the Prospectus of {N}\nThe Board of Trustees has determined to close the Fund. It takes no more creation orders after May 20, 2020, its last day on NYSE Arca is May 22 and holders are paid on May 29.'),
    ('us', 'yes', W, '{N}\nThe company has told the New York Stock Exchange in writing that it is parting with its listing there; the last NYSE session will be that of May 29, 2020.'),
    ('nas', 'yes', W, "{N}\nNasdaq confirmed today that quotation of the stock draws to a close on May 6, 2020 at the company's own wish."),
    ('uk', 'yes', W, "{N}\nAt its own instance the Company's shares cease to have a place on the Official List from 8.00 a.m. on 1 June 2020."),
    ('aim', 'yes', W, '{N}\nThe motion to quit AIM polled 82 per cent. in favour, and so the quotation on AIM closes on 14 May 2020.'),
    ('au', 'yes', X, "{N} (ALD)\nDate of removal from official list: 11 May 2020\nReason: the entity's request"),
    ('in', 'yes', X, 'Delisting of {N}\nEffective date of delisting | 18 May 2020\nScrip code | 532999'),
    ('ca', 'yes', X, "TSX bulletin\n{N} (ALD) - at the close on May 29, 2020 the common shares vanish from the list of the Toronto Stock Exchange on the issuer's instructions."),
    ('za', 'yes', W, "{N}\nThe JSE has acceded to the Company's wish and the listing runs out at the start of trade on 19 May 2020."),
    ('hk', 'yes', W, '{N}\nThe listing has been brought to a close by the Exchange under Rule 6.01A with effect from 9:00 a.m. on 11 May 2020.'),
    ('sg', 'yes', X, '{N}: The Exchange has ordered that the shares be expunged from the Official List with effect from 11 May 2020.'),
    ('etf', 'yes', W, "{N}\nThe Manager has decided, under a clause of the deed that requires no consent of unitholders, to terminate the Fund. Its shares are delisted from NYSE Arca on May 29, 2020."),
)  # fmt: skip
# plans, conditions, denials, history, other papers, indices, offices, lines and tiers
RESEMBLE = (
    ('us', 'no', W, '{N} considers its NYSE listing\nThe board will consider at its June meeting whether the New York Stock Exchange listing should be given up.'),
    ('us', 'no', W, '{N} does not end its New York Stock Exchange listing, contrary to a report of this morning.'),
    ('nas', 'no', W, "{N}'s listing on Nasdaq ends unless its bid price is above $1.00 for ten days before June 30, 2020."),
    ('nas', 'no', W, "{N}'s warrants will be taken off Nasdaq on May 15, 2020, the day on which they expire. The common stock goes on trading."),
    ('uk', 'no', W, '{N} gave up its listing in Dublin in 1998. It has been a constituent of the London market ever since.'),
    ('uk', 'no', W, '{N} falls out of the FTSE 250\nThe shares go from the index at the close on 19 June 2020.'),
    ('uk', 'no', X, 'Notice to the Official List\nAction | Issuer | Security | Effective\nRemoval | {N} | 4.5% Notes due 2020 | 06/05/2020'),
    ('uk', 'no', X, 'Notice to the Official List\nAction | Issuer | Security | Effective\nAdmission | {N} | Ordinary Shares of 5p each | 06/05/2020\nRemoval | Cope Marine plc | Ordinary Shares of 10p | 06/05/2020'),
    ('aim', 'no', W, '{N}\nIf the resolution is carried on 28 May, the Ordinary Shares will be quoted on AIM for the last time on 5 June 2020.'),
    ('aim', 'no', W, "{N}: trading on AIM was suspended at 7.30 a.m. today at the company's request. The admission ends if no adviser is in place by 4 June."),
    ('au', 'no', X, '{N} (ALD)\nThe quoted options of {N} come off the official list on 6 May 2020. The ordinary shares are not affected.'),
    ('au', 'no', X, "Quotation of {N}'s securities stops from the start of trading today until the annual report is lodged."),
    ('in', 'no', W, "{N}\nThe board has taken note of the promoter's letter proposing that the equity shares leave BSE, which members are to vote on by postal ballot."),
    ('ca', 'no', W, '{N} has agreed to be bought by Bluff Harbour. When the deal closes the shares will leave the TSX.'),
    ('sg', 'no', W, '{N}\nThe Company stays on the watch-list; the Exchange may strike it off if it does not exit by 4 June 2021.'),
    ('hk', 'no', W, '{N}\nDealings in the Shares stop at 9:00 a.m. today pending an announcement on a possible privatisation, upon which the listing would be withdrawn.'),
    ('za', 'no', P, '4 May 2020\n{N} could quit the JSE, analysts say\nA delisting would save the group R4m a year.'),
    ('za', 'no', W, '{N}\nThe Namibian Stock Exchange listing terminates on 12 May 2020. The primary listing on the JSE is retained.'),
    ('jp', 'no', X, 'Designation as Security under Supervision\nIssue: {N} shares (Code: 5398)\nPeriod: from today until the Exchange determines whether the delisting criteria are met'),
    ('jp', 'no', X, 'Change of trade name\nIssue: {N} shares (Code: 5398)\nDate of change: June 1, 2020\nThe shares under the former name are removed from the list of codes.'),
    ('pref', 'no', W, '{N} calls its Series B Preferred Stock\nAll shares of the Series B Preferred Stock will be bought in on June 3, 2020 and disappear from the New York Stock Exchange. The Series A Preferred Stock remains listed.'),
    ('etf', 'no', W, 'Alderwick Funds closes one ETF\nThe Board of Trustees has decided to wind down Alderwick Large Cap ETF (ALLC). Its final day on NYSE Arca is May 22, 2020. {N} goes on as before.'),
    ('nas', 'no', W, '{N} swaps tiers\n{N} is moving from the Nasdaq Global Market to the Nasdaq Capital Market, where its stock starts on May 18, 2020.'),
    ('us', 'no', W, 'The New York Stock Exchange has told {N} that its average price is under $1.00. The stock comes off the list only after a cure period of six months.'),
    ('no', 'no', X, '{N}: Last day including right to dividend is 8 May 2020. The shares will be traded ex dividend as from 11 May 2020.'),
    ('nz', 'no', X, 'MEMO: {N} Cessation of Quotation of rights\nThe rights of {N} will cease to be quoted at the close of business on 8 May 2020.'),
    ('us', 'no', W, '{N} asks holders about its NYSE listing\nAt the meeting on June 9, 2020 holders are to decide whether the common stock comes off the New York Stock Exchange.'),
    ('us', 'no', W, '{N} has withdrawn its offering of common stock on the NYSE.'),
    ('us', 'no', W, 'NYSE accepted the plan of {N}. The listing of the stock will end only if the plan is not carried out by November 4, 2021.'),
    ('nas', 'no', W, '{N} traded on Nasdaq for the first time on May 4, 2020.'),
    ('nas', 'no', P, 'May 4, 2020\n{N} falls out of the Nasdaq-100\nThe shares go from the index on May 18, Nasdaq said this morning.'),
    ('nas', 'no', W, '{N} completed the sale of its valve arm today. The buyer, Corran Valves, left Nasdaq last year.'),
    ('uk', 'no', W, '{N}\nThe Company has cancelled 120,000 ordinary shares bought in on 1 May 2020 on the London Stock Exchange. Trading goes on.'),
    ('uk', 'no', P, '4 May 2020\nHarrow Vale quits the London Stock Exchange, the company said this morning. Its rival {N} has no such plans.'),
    ('aim', 'no', W, '{N}\nThe resolution to leave AIM obtained 71.3 per cent. of the votes and was therefore not carried.'),
    ('ie', 'no', X, 'Euronext Dublin list changes\nAction | Issuer | Security | Effective\nDeletion | {N} | Treasury line, name change to Alderwick Foods Group plc | 05/05/2020'),
    ('au', 'no', X, '{N} (ALD)\nThe deferred settlement line ALDDA ends at the close on 6 May 2020; normal trading in ALD goes on.'),
    ('in', 'no', W, '{N}\nBSE has given its in-principle nod to the delisting offer, which opens on 11 May 2020. The shares stay listed unless the discovered price is accepted.'),
    ('ca', 'no', W, '{N} graduates\nThe shares of {N} will finish on the TSX Venture Exchange on May 8, 2020 and open on the Toronto Stock Exchange on May 11, 2020.'),
    ('sg', 'no', W, '{N}\nTrading is halted at the request of the Company. Date of lifting: to be announced.'),
    ('hk', 'no', W, '{N}\nThe Exchange has given the Company until 4 November 2021 to resume trading, failing which the listing comes to an end.'),
    ('za', 'no', W, '{N}\nSalient dates if the scheme is approved: last day to trade 12 May 2020; termination of listing 19 May 2020.'),
    ('jp', 'no', X, 'Security under Supervision\nIssue: {N} shares (Code: 5398)\nReason: the meeting of June 12, 2020 is to vote on a share consolidation\nDate of delisting if carried: July 15, 2020'),
    ('etf', 'no', W, '{N} changes its index\nThe Fund ends its tracking of the Corran Small Cap Index on May 22, 2020 and follows another from May 26.'),
    ('us', 'no', W, '{N}\nThe board will weigh in the autumn whether its years on the New York Stock Exchange should come to an end.'),
    ('us', 'no', W, '{N}\nThe company is not handing back its NYSE listing, and its shares are not coming off the exchange.'),
    ('us', 'no', W, '{N}\nThe listing of the shares lapses on June 30, 2020 unless the annual report is filed before then.'),
    ('us', 'no', W, '{N}\nIts stay on the American Stock Exchange came to an end in 1998. The stock has been on the NYSE since.'),
    ('us', 'no', W, '{N}\nThe listing of the 5.75% Notes due 2020 on the NYSE ends on May 15, 2020, when they mature.'),
    ('us', 'no', W, '{N}\nThe offer period ends on May 15, 2020. The listing will end only if 90 percent is tendered.'),
    ('us', 'no', W, '{N}\nThe S&P 400 drops the stock from its list on May 18, 2020.'),
    ('us', 'no', W, '{N}\nThe company withdrew its shelf registration of common stock and its application to list preferred stock on the NYSE.'),
    ('nas', 'no', W, '{N}\nNasdaq staff has reached the view that the filing is late. The company has 60 days to submit a plan; quotation goes on meanwhile.'),
    ('nas', 'no', W, "{N}\nA Nasdaq Hearings Panel granted the company's request to stay listed until October 30, 2020."),
    ('nas', 'no', W, "{N}\nThe company's appeal to remain listed on Nasdaq was heard on May 1, 2020. A decision is expected in June."),
    ('uk', 'no', W, '{N}\nOn the scheme taking effect, which needs the sanction of the Court, the entry of the shares on the Official List falls away.'),
    ('uk', 'no', W, '{N}\nThe ordinary shares were quoted ex-dividend for the last time at 212p on 29 April 2020.'),
    ('uk', 'no', W, '{N}\nTen directors are stepping down from the board on 29 May 2020. Listing rule 9.6 applies.'),
    ('uk', 'no', W, "{N}\nThe Company's listing in Frankfurt has been given up with effect from 29 May 2020; London is its only market."),
    ('uk', 'no', P, '4 May 2020\nThe shares of {N} fell off a cliff on the London Stock Exchange this morning, the company said.'),
    ('uk', 'no', P, 'By Ann Holt, markets reporter | 4 May 2020\nAn activist wants {N} to end its time on the London Stock Exchange, he said this morning.'),
    ('uk', 'no', X, 'Notice to the Official List\nAction | Issuer | Security | Effective\nCancellation | {N} | 300,000 treasury Ordinary Shares of 5p each bought back | 06/05/2020'),
    ('uk', 'no', X, 'Notice of dealings\nType | Issuer | Security | Day\nWithdrawal | Corran plc | Ordinary Shares | 06/05/2020\nDividend | {N} | Ordinary Shares | 06/05/2020'),
    ('aim', 'no', W, '{N}\nAn EGM is called for 28 May 2020. If three quarters vote for it, the place of the shares on AIM is given up on 5 June 2020.'),
    ('aim', 'no', W, '{N}\nNo date has been fixed for the end of its time on AIM, and none is intended.'),
    ('au', 'no', X, "{N}\nDate of removal: to be advised\nReason: the entity's listing fee remains unpaid and its securities stay suspended"),
    ('au', 'no', X, '{N}\nExpected date of removal from official list: 20 July 2020, if the scheme is approved'),
    ('in', 'no', X, 'Notice\nThe equity shares of {N} of the old face value shall be withdrawn from trading from 11 May 2020 and those of Rs. 2 each admitted from the same day upon sub-division.'),
    ('ca', 'no', W, "{N}\nHolders gave unanimous consent to the transfer of the registrar's office to Toronto."),
    ('sg', 'no', W, '{N}\nThe offeror intends to let go of the listing if it holds more than 90% at the close of the offer on 18 May 2020.'),
    ('hk', 'no', W, '{N}\nShould trading not resume by 31 October 2021, the Exchange would be entitled to bring the listing to an end.'),
    ('za', 'no', W, '{N}\nThe JSE has agreed that the listing be moved from the Main Board to AltX from 12 May 2020.'),
    ('jp', 'no', X, 'Decision on Delisting\nIssue: Corran Seimitsu Co., Ltd. shares (Code: 6402)\nDate of delisting: Monday, June 1, 2020\nOther notices: {N} (Code: 5398): change of fiscal year'),
    ('no', 'no', X, '{N}: The bonds ISIN NO0010831985 are deleted from Oslo Børs as of 29 May 2020 upon maturity.'),
    ('etf', 'no', W, '{N}\nThe adviser has decided to close the fund to new investors through its platform; shares go on trading on NYSE Arca.'),
    ('etf', 'no', W, '{N}\nThe trust has exercised its option to call all Series 12 notes of a sister product. The shares of the ETF stay listed.'),
    ('pref', 'no', W, '{N}\nIt has not exercised its call right on the Series A Preferred Stock and the shares remain outstanding.'),
    ('pref', 'no', W, '{N}\nIt may redeem the entire issue of its 6.25% Series A Preferred Stock from June 15, 2021.'),
    ('my', 'no', W, '{N}\nBursa Securities has granted an extension until 30 October 2020. The suspension comes to an end on 11 May 2020.'),
    ('etf', 'no', W, "{N}\nThe Manager has decided to terminate the Fund and its NYSE Arca listing, which requires the consent of unitholders."),
)  # fmt: skip


def answer(market: str, url: str, text: str) -> str:
    """Status, day and reason for one page about the listing of `market`."""
    issuer, mic, country, ticker, day, security, kind = MARKETS[market]
    listing = factories.listing(issuer=issuer, mic=mic, country=country, ticker=ticker, security=security, security_type=kind, venue="")
    body = text.replace("{N}", issuer)
    body = body if day in body.split("\n")[0] else f"{day}\n{body}"
    verdict = adjudicate(listing, [extract(html(body).encode(), "text/html", url, digest="sha256:1")], POLICY)
    return " ".join(str(part) for part in (verdict.status.value, verdict.announcement_date, verdict.reason) if part)


def ids(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Short names of rows."""
    return [f"{n} {row[0]}" for n, row in enumerate(rows)]


@pytest.mark.parametrize(("market", "expected", "url", "text"), STATED, ids=ids(STATED))
def test_stated(market: str, expected: str, url: str, text: str) -> None:
    """The end of the listing is read, with the day of the page and the reason where the text tells one."""
    status, _, reason = expected.partition(" ")
    found = answer(market, url, text).split()
    assert found[:2] == [status, "2020-05-04"]
    assert not reason or found[2] == reason


@pytest.mark.parametrize(("market", "expected", "url", "text"), RESEMBLE, ids=ids(RESEMBLE))
def test_resembles(market: str, expected: str, url: str, text: str) -> None:
    """What only resembles the end of the listing is none."""
    assert answer(market, url, text) == expected

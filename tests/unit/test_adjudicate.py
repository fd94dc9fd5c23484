"""Rules of identity, stage and combination, from one or two short pages each: what counts, what does not, and why."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate
from s2r.extract import extract
from s2r.models import Verdict
from s2r.policy import load_policy
from tests import factories

POLICY = load_policy(root=Path(__file__).parents[2] / "policies")
WIRE, PRESS = "https://www.globenewswire.com/news-release/a.html", "https://evening-post.example/business/a"
NAME = "Alderwick Instruments plc"
LONDON = {
    "issuer": NAME,
    "mic": "XLON",
    "venue": "London Stock Exchange",
    "country": "GB",
    "security": "Ordinary shares of 5p each",
    "ticker": "ALD",
}


@dataclass(frozen=True)
class Row:
    """Pages (address, HTML body) about one listing and the answer `status date`."""

    name: str
    pages: tuple[tuple[str, str], ...]
    answer: str
    listing: dict[str, object] = field(default_factory=lambda: dict(LONDON))


def row(name: str, text: str, answer: str, *, url: str = WIRE, **listing: object) -> Row:
    """A row with one page, dated 4 May 2020."""
    return Row(name, ((url, f"<p>4 May 2020</p><p>{text}</p>"),), answer, LONDON | listing)


CANCEL = "The company has asked the London Stock Exchange to cancel the admission of its ordinary shares to trading."
ROWS = (
    row("decision", f"{NAME}: the board has resolved to cancel the listing of its ordinary shares.", "yes 2020-05-04"),
    # the six guards: no occurrence yet, negated claim, assumption, abstraction, name, narrative
    row("no occurrence yet", f"{NAME} intends to hold a meeting to propose that its listing be cancelled.", "no"),
    row("negated", f"{NAME} has not resolved to cancel the listing of its ordinary shares.", "no"),
    row("assumption", f"If the resolution is passed, the listing of the ordinary shares of {NAME} will be cancelled.", "no"),
    row("abstraction", f"The exchange will generally delist companies such as {NAME} that were suspended for two years.", "no"),
    row("name", f"{NAME} presented at the Delisting and Removal Conference in Leeds.", "no"),
    row("narrative", f"In 2011 the listing of {NAME} was almost lost, recalls its chairman.", "no"),
    # exact listing
    row(
        "another company",
        f"{NAME} supplies Corvane Holdings plc with valves. Corvane Holdings plc has delisted from the London Stock Exchange.",
        "no",
    ),
    row(
        "share class by letter",
        f"{NAME} has asked the London Stock Exchange to cancel the admission of the B Shares. The ordinary shares are not affected.",
        "no",
    ),
    row("another venue", f"The board of {NAME} has resolved to delist its ordinary shares from the Johannesburg Stock Exchange.", "no"),
    row(
        "stays here, leaves there",
        f"{NAME} has voluntarily delisted from the Johannesburg Stock Exchange, as its shares remain listed on the London Stock Exchange.",
        "no",
    ),
    row(
        "comes to this venue",
        f"{NAME} has moved the listing of its ordinary shares from AIM to the London Stock Exchange Main Market.",
        "no",
    ),
    # votes
    row("vote lost", f"Resolution 4 to cancel the listing of {NAME}: votes for 61%, against 39%. The listing will be maintained.", "no"),
    row(
        "vote with an open price",
        f"The shareholders of {NAME} have approved the delisting of its ordinary shares. "
        "The delisting remains subject to the offer reaching 90 per cent of the shares.",
        "no",
    ),
    row(
        "vote with a court still to act",
        f"The shareholders of {NAME} have today approved the delisting of its ordinary shares. "
        "Dealings continue if the High Court withholds its consent to the reduction of capital.",
        "no",
    ),
    Row(
        "digest: the part of another company",
        (
            (
                WIRE,
                (
                    f"<p>4 May 2020</p><p><b>{NAME.upper()}</b></p><p>The symbol changes to ALDW on Friday.</p>"
                    "<p><b>CORVANE HOLDINGS PLC</b></p><p>At the close on 6 May 2020 the shares will be delisted at the request of the company.</p>"
                ),
            ),
        ),
        "no",
    ),
    Row(
        "digest: the part of the issuer",
        (
            (
                WIRE,
                (
                    f"<p>4 May 2020</p><p><b>CORVANE HOLDINGS PLC</b></p><p>The symbol changes to CVHQ on Friday.</p>"
                    f"<p><b>{NAME.upper()}</b></p><p>At the close on 6 May 2020 the shares will be delisted at the request of the company.</p>"
                ),
            ),
        ),
        "yes 2020-05-04",
    ),
    # lists that a sentence points at
    Row(
        "list of others; the issuer was given time",
        (
            (
                WIRE,
                (
                    "<p>Notice no. 7, 4 May 2020</p><p>The companies below are delisted from the London Stock Exchange with effect from 6 May:</p>"
                    f"<p>Corvane Holdings plc</p><p>Marut Castings plc</p><p>The following have been given time and are not delisted: {NAME}; Palas plc.</p>"
                ),
            ),
        ),
        "no",
    ),
    Row(
        "list that names the issuer",
        (
            (
                WIRE,
                (
                    "<p>Notice no. 7, 4 May 2020</p><p>The companies below are delisted from the London Stock Exchange with effect from 6 May:</p>"
                    f"<p>Corvane Holdings plc</p><p>{NAME}</p><p>Marut Castings plc</p>"
                ),
            ),
        ),
        "yes 2020-05-04",
    ),
    Row(
        "the issuer's entry is another security",
        (
            (
                WIRE,
                (
                    "<p>Official List notice of 4 May 2020</p><p>The FCA cancels the following, at the request of the issuer:</p>"
                    f"<p>{NAME.upper()} - 7.5% Unsecured Loan Stock 2020</p><p>WESTERKIRK TRUST PLC - Zero Dividend Preference Shares</p>"
                ),
            ),
        ),
        "no",
    ),
    Row(
        "a line that another one replaces",
        (
            (
                WIRE,
                (
                    "<p>Official List notice of 4 May 2020</p><p>1. The FCA hereby cancels the following:</p>"
                    f"<p>{NAME.upper()} - Ordinary Shares of 1p each</p><p>2. The FCA hereby admits the following:</p>"
                    f"<p>{NAME.upper()} - Ordinary Shares of 20p each, after a share consolidation</p>"
                ),
            ),
        ),
        "no",
    ),
    # identifiers
    row(
        "a page about another ISIN",
        f"{NAME}, ISIN GB0002634946. The London Stock Exchange has cancelled the admission to trading of these securities today.",
        "no",
        isin="GB00BH4HKS39",
    ),
    row(
        "a page with the listing's ISIN",
        f"{NAME}, ISIN GB00BH4HKS39. The London Stock Exchange has cancelled the admission to trading of these securities today.",
        "yes 2020-05-04",
        isin="GB00BH4HKS39",
    ),
    # a headline that only a sentence about another company bears out
    Row(
        "headline about others",
        (
            (
                WIRE,
                (
                    f"<h1>Compulsory delisting decided</h1><p>4 May 2020</p><p>{NAME} makes valves.</p>"
                    "<p>Corvane Holdings plc: the London Stock Exchange has decided to delist its shares.</p>"
                ),
            ),
        ),
        "no",
    ),
    # a day that the sentence names
    row(
        "ends on a day",
        f"{NAME}: dealings come off the London Stock Exchange on 7 May 2020, all shares having been paid for.",
        "yes 2020-05-04",
    ),
    row(
        "ends on a day that is only expected", f"{NAME}: the shares are expected to come off the London Stock Exchange on 7 May 2020.", "no"
    ),
    row(
        "retold by an unknown site alone",
        f"{NAME} has been delisted from the London Stock Exchange, as it had announced on 13 April 2019.",
        "abstain",
        url="https://exit-data.example/foreign/ald",
    ),
    # reports that take themselves back, questions, posts
    Row(
        "a report that corrects itself",
        (
            (
                PRESS,
                (
                    f"<p>4 May 2020</p><p>The London Stock Exchange announced on 3 May 2020 that it has decided to delist {NAME}.</p>"
                    "<p>Update: that is another company. We regret the mix-up.</p>"
                ),
            ),
        ),
        "no",
    ),
    row("a question", f"Has the London Stock Exchange decided to delist {NAME}?", "no"),
    Row(
        "an entry of which the security stands on the line below",
        (
            (
                WIRE,
                (
                    "<p>Official List notice of 4 May 2020</p><p>At the request of the company the FCA has cancelled the listing of the following:</p>"
                    f"<p>{NAME.upper()}</p><p>Zero Dividend Preference Shares 2020</p><p>ASKERN TEXTILES PLC</p><p>Ordinary Shares of 25p each</p>"
                ),
            ),
        ),
        "no",
    ),
    # first over all documents
    Row(
        "the earliest disclosure is first",
        (
            (WIRE, f"<p>4 May 2020</p><p>{NAME}: the board has resolved to cancel the listing of its ordinary shares.</p>"),
            (WIRE + "2", f"<p>9 June 2020</p><p>{NAME}: the listing of the ordinary shares has been cancelled today.</p>"),
        ),
        "yes 2020-05-04",
    ),
    Row(
        "press that first-hand documents contradict",
        (
            (PRESS, f"<p>4 May 2020</p><p>{NAME} was delisted from the London Stock Exchange yesterday.</p>"),
            (WIRE, f"<p>9 June 2020</p><p>{NAME}: the board has resolved to cancel the listing of its ordinary shares.</p>"),
        ),
        "yes 2020-06-09",
    ),
    Row(
        "after the cutoff",
        ((WIRE, f"<p>4 May 2022</p><p>{NAME}: the board has resolved to cancel the listing of its ordinary shares.</p>"),),
        "no",
    ),
    row(
        "code of a namesake",
        "鴨川精器工業株式会社(6398)の社長が2020年5月4日に新工場について語った。同社の業績は堅調だ。</p>"
        "<p>類似社名の鴨川精機(ジャスダック、6399)は11月に整理銘柄となり、12月末で上場廃止となる。",
        "no",
        issuer="鴨川精器工業株式会社",
        ticker="6398",
        mic="XTKS",
        venue="Tokyo Stock Exchange",
        country="JP",
        security="Common stock",
    ),
)


EXCHANGE = "https://notices.stock-exchange.example/2020/1"
REPORT = "https://valleytimes.example/business/alderwick"
ROWS += (
    # reversed in the same sentence; withdrawn application; index; relatives
    row("reversed in the sentence", f"The staff determined to delist {NAME}, but the appeal council reversed the decision.", "no"),
    row("application withdrawn", f"{NAME} has withdrawn its application to cancel the listing of its shares.", "no"),
    row("index", f"{NAME} will be deleted from the FTSE 250 index after the close on 18 June.", "no"),
    row(
        "subsidiary as topic",
        "鴨川精器工業株式会社の子会社である山辺化成株式会社は、株式併合により上場廃止となった。",
        "no",
        issuer="鴨川精器工業株式会社",
        ticker="6398",
        mic="XTKS",
        venue="Tokyo Stock Exchange",
        country="JP",
        security="普通株式",
    ),
    row(
        "bonds beside shares in Chinese",
        "江洲重工股份有限公司公告,公司债券将于到期兑付后摘牌,公司股票不受影响。",
        "no",
        issuer="江洲重工股份有限公司",
        ticker="600999",
        mic="XSHG",
        venue="Shanghai Stock Exchange",
        country="CN",
        security="A股",
    ),
    # a report alone; the same words in the voice of the issuer
    row("report alone", f"{NAME} has decided to cancel its listing after fifteen years.", "no", url=REPORT),
    row(
        "report that says which body acted",
        f"The London Stock Exchange has decided to cancel the listing of {NAME}, it said in a notice before the opening.",
        "yes 2020-05-04",
        url=REPORT,
    ),
    row(
        "report of what a body may do",
        f"The London Stock Exchange could terminate the listing of {NAME}, people close to the matter said.",
        "no",
        url=REPORT,
    ),
    row(
        "report that has one word of the name",
        "Alderwick stays, Alderwick Bank goes.</p><p>Holders agreed on Thursday, and the London Stock Exchange has decided to cancel the "
        "listing of its shares.",
        "no",
        url=REPORT,
    ),
    row("report of a deal at an exchange", f"{NAME} (LSE: ALD) has closed the arrangement announced in March.", "no", url=REPORT),
    row(
        "report that names the day", f"{NAME} announced on 30 April 2020 that its listing will be cancelled.", "yes 2020-04-30", url=REPORT
    ),
    row(
        "release printed by a paper",
        f"RNS Number : 0908I. {NAME}: the board has resolved to cancel the listing of its ordinary shares.",
        "yes 2020-05-04",
        url=REPORT,
    ),
    # an authority's consent while holders still vote
    row(
        "no objection",
        f"The exchange has advised {NAME} that it has no objection to its delisting. This is subject to:</p><ul><li>approval of the "
        "delisting by shareholders in general meeting; and</li><li>a reasonable exit alternative.</li></ul><p>A circular will follow.",
        "no",
    ),
)


REDEEM = {"security": "7.25% Series B Cumulative Preferred Shares", "security_type": "preferred", "issuer": "Harlan Point Realty Trust"}
REDEEM |= {"mic": "XNYS", "venue": "New York Stock Exchange", "country": "US", "ticker": "HPR.PRB"}
CALL = "Harlan Point Realty Trust gave notice that it will redeem all of its 7.25% Series B Cumulative Preferred Shares on 12 June 2020."
GERMAN = {"issuer": "Weserhafen Technik AG", "mic": "XFRA", "venue": "Frankfurter Wertpapierbörse", "country": "DE", "ticker": "WHT"}
ROWS += (
    # a call that its notice makes conditional; the condition met
    row("firm call", f"{CALL} It has asked the NYSE to remove the shares from listing.", "yes 2020-05-04", **REDEEM),
    row("conditional call", f"{CALL} The redemption depends on the trust first raising $90 million.", "no", **REDEEM),
    row("void call", f"{CALL} The call hangs on one condition: a sale. Failing that, the notice is void.", "no", **REDEEM),
    row(
        "condition met, step in its turn",
        "Harlan Point Realty Trust closed its sale. With that, the only condition in the Series B notice is met. The trust has written to the "
        "NYSE requesting that it file for the removal of HPR-B from listing once the money is paid. Holders need do nothing if their shares "
        "are with a broker.",
        "yes 2020-05-04",
        **REDEEM,
    ),
    # expectation and inversion
    row("expects that", f"{NAME} expects that, as a result of the petition, the exchange will start proceedings to delist it.", "no"),
    row("should it not", f"Should {NAME} not cure in time, the exchange would begin delisting procedures.", "no"),
    # another company of the same page, also by its short name
    row(
        "line of another company",
        f"{NAME}: trading is suspended.</p><p>Same day: Corvane Holdings plc: its listing has been cancelled.",
        "no",
    ),
    row(
        "short name of another company",
        f"{NAME} published its results. Corvane Holdings plc did so too.</p><p>Corvane has been delisted from the London Stock Exchange.",
        "no",
    ),
    # a class that another one is converted into; a headline about a segment
    row(
        "converted class",
        "Die Vorzugsaktien der Weserhafen Technik AG wurden in Stammaktien umgewandelt. Mit Ablauf des 8. Mai 2020 wird ihre Notierung "
        "eingestellt; die Zulassung ist erloschen.",
        "no",
        security="Stammaktien",
        **GERMAN,
    ),
    row(
        "segment under a headline",
        "Weserhafen Technik AG</p><h2>Widerruf der Zulassung</h2><p>Auf Antrag der Emittentin wird die Zulassung der Stammaktien der "
        "Weserhafen Technik AG zum Teilbereich mit weiteren Zulassungsfolgepflichten (Prime Standard) widerrufen. Die Notierung im "
        "regulierten Markt (General Standard) wird aufgenommen.",
        "no",
        security="Stammaktien",
        **GERMAN,
    ),
)


ROWS += (
    # the security spoken of is not the one that it buys; the venue spoken of is the one named before
    row("warrants to purchase", f"The exchange has determined to delist the warrants to purchase ordinary shares of {NAME}.", "no"),
    row("shares themselves", f"The exchange has determined to delist the ordinary shares of {NAME}.", "yes 2020-05-04", url=EXCHANGE),
    row("second listing", f"The secondary listing of {NAME} has been terminated at its own request.", "no", url=EXCHANGE),
    row(
        "there",
        "Weserhafen Technik AG verabschiedet sich von der Börse München. Die dortige Geschäftsführung hat die Zulassung der Aktie widerrufen.",
        "no",
        security="Aktie",
        **GERMAN,
    ),
    row(
        "first committee in Korea",
        "(주)한빛정공: 거래소는 기업심사위원회를 개최하여 상장폐지 여부를 심의하였으며, 심의결과는 '상장폐지'입니다.",
        "no",
        issuer="(주)한빛정공",
        ticker="099990",
        mic="XKOS",
        venue="KOSDAQ",
        country="KR",
        security="보통주",
    ),
)


NOTE = {"security": "7.125% Senior Notes due 2043", "security_type": "note", "issuer": "Larkmoor Hospitality Finance, Inc."}
NOTE |= {"mic": "XNYS", "venue": "New York Stock Exchange", "country": "US", "ticker": "LKH"}
FUND = {"issuer": "Fennimore Exchange-Traded Trust", "security": "Fennimore Global Timberland ETF", "security_type": "fund"}
FUND |= {"mic": "ARCX", "venue": "NYSE Arca", "country": "US", "ticker": "FTMB"}
CLOSED = (
    "<p>The trustees of Fennimore Exchange-Traded Trust have resolved to liquidate the funds in the table; the exchange will delist them."
)
ROWS += (
    row(
        "another series of notes",
        "Larkmoor Hospitality Finance, Inc. redeemed its 6.50% Senior Notes due 2021. The New York Stock Exchange suspended the notes and is "
        "filing a Form 25 to remove them from the list.",
        "no",
        **NOTE,
    ),
    row(
        "fund named as one that stays",
        f"{CLOSED}</p><table><tr><th>Fund<th>Ticker<tr><td>Fennimore Emerging Rail ETF<td>FERL</table><p>The other funds, namely the "
        "Fennimore Global Timberland ETF, are not affected and stay on the exchange.",
        "no",
        **FUND,
    ),
    row(
        "fund of the table",
        f"{CLOSED}</p><table><tr><th>Fund<th>Ticker<tr><td>Fennimore Global Timberland ETF<td>FTMB</table><p>Holders may sell until then.",
        "yes 2020-05-04",
        **FUND,
    ),
    row(
        "set out is no exchange",
        f"The exchange has determined to delist the ordinary shares of {NAME}, which failed to meet the requirements set out in its rules.",
        "yes 2020-05-04",
        url=EXCHANGE,
    ),
    row(
        "second listing, this one kept",
        f"The exchange in Windhoek has approved the removal of the secondary listing of {NAME}.</p><p>The primary listing on the London Stock "
        "Exchange is not affected.",
        "no",
        url=EXCHANGE,
    ),
    row(
        "read also",
        "Mécanique Dauphine SA a publié ses résultats. À lire aussi : Sical Meubles radiée de la cote le 31 mars.",
        "no",
        issuer="Mécanique Dauphine SA",
        mic="XPAR",
        venue="Euronext Paris",
        country="FR",
        ticker="MDA",
        security="Actions",
        url=EXCHANGE,
    ),
    row(
        "trading halted until further notice",
        "Der Handel mit den Namenaktien der Weserhafen Technik AG wird heute bis auf Weiteres eingestellt.",
        "no",
        security="Namenaktien",
        url=EXCHANGE,
        **GERMAN,
    ),
    row(
        "could be ordered",
        "Weserhafen Technik AG: Sollte der Bericht weiter ausbleiben, kann als schärfste Massnahme das Delisting angeordnet werden.",
        "no",
        security="Aktie",
        url=EXCHANGE,
        **GERMAN,
    ),
)


TRUST = {"issuer": "Larkhill Municipal Income Trust", "security": "Common Shares", "mic": "XNYS", "country": "US", "ticker": "LMT"}
TRUST |= {"venue": "New York Stock Exchange"}
UNKNOWN = "https://torontolistings.example/bulletins/2020-0504"
ROWS += (
    row(
        "numbered sister",
        "Larkhill Municipal Income Trust II has delisted its common shares from the New York Stock Exchange.",
        "no",
        **TRUST,
    ),
    row(
        "form of the sister",
        "CONFORMED SUBMISSION TYPE: 25-NSE FILED AS OF DATE: 20200504<br>SUBJECT COMPANY: LARKHILL MUNICIPAL INCOME TRUST II (0001912990)</p>"
        "<p>Class: Common Shares.</p><p>The Exchange hereby notifies the SEC of its determination to remove the class from listing. The "
        "reorganization of the Trust and Larkhill Municipal Income Trust became effective.",
        "no",
        url="https://edgar-online.example/25.txt",
        **TRUST,
    ),
    row(
        "C shares of a trust",
        f"{NAME}: The listing of the C Shares will be cancelled on 5 May 2020, when dealings in the new Ordinary Shares begin. Holders of "
        "Ordinary Shares need do nothing.",
        "no",
    ),
    row(
        "these shares are the preference shares",
        "Waalstroom N.V. heeft alle financieringspreferente aandelen ingetrokken. De notering van deze aandelen aan Euronext Amsterdam is met "
        "ingang van vandaag beëindigd.",
        "no",
        issuer="Waalstroom N.V.",
        mic="XAMS",
        venue="Euronext Amsterdam",
        country="NL",
        ticker="WST",
        security="Gewone aandelen",
    ),
    row(
        "tier of another exchange",
        f"{NAME} will move its stock exchange listing to the Nasdaq Global Select Market. The company has given the London Stock Exchange "
        "written notice of the withdrawal of its listing.",
        "yes 2020-05-04",
    ),
    row("unknown site, official actor", f"The exchange has determined to delist the shares of {NAME}.", "yes 2020-05-04", url=UNKNOWN),
    row("unknown site, no actor", f"{NAME} will be removed from the list on 12 May 2020.", "no", url=UNKNOWN),
)


def said(verdict: Verdict) -> str:
    """The answer in the form of the table."""
    return " ".join(part for part in (verdict.status.value, str(verdict.announcement_date or "")) if part)


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_answer(case: Row) -> None:
    """A short page gives the answer that the definition of the event demands."""
    pages = [
        extract(f"<html><body>{body}</body></html>".encode(), "text/html", url, digest=f"sha256:{n}")
        for n, (url, body) in enumerate(case.pages)
    ]
    verdict = adjudicate(factories.listing(0, **case.listing), pages, POLICY)
    assert said(verdict) == case.answer, verdict.steps


def test_undated_notice_is_bounded_by_what_it_quotes() -> None:
    """A notice without a day of its own was made by the day on which it says that the listing ends; after the cutoff that proves nothing."""
    text = f"{NAME}: the board has resolved to cancel the listing of its ordinary shares. The last day of trading will be 12 June 2020."
    page = extract(f"<html><body><p>{text}</p></body></html>".encode(), "text/html", WIRE, digest="sha256:0")
    found = adjudicate(factories.listing(0, **LONDON | {"cutoff": dt.date(2020, 6, 12)}), [page], POLICY)
    assert said(found) == "yes"
    assert [(c.value, c.quote) for c in found.claims if c.field == "announcement_date"] == [("../2020-06-12", "12 June 2020")]
    early = adjudicate(factories.listing(0, **LONDON | {"cutoff": dt.date(2020, 6, 11)}), [page], POLICY)
    assert said(early) == "no"


def test_undated_notice_was_made_by_the_first_day_that_lies_ahead() -> None:
    """A notice that says what will happen from 21 May was public by then, though the listing ends later."""
    text = f"{NAME}: the board has resolved to cancel the listing of its ordinary shares. From 21 May 2020 the company will be wound down. "
    body = f"<html><body><p>{text}The last day of trading will be 12 June 2020.</p></body></html>"
    page = extract(body.encode(), "text/html", WIRE, digest="sha256:0")
    for cutoff, answer in ((dt.date(2020, 5, 21), "yes"), (dt.date(2020, 5, 20), "no")):
        assert said(adjudicate(factories.listing(0, **LONDON | {"cutoff": cutoff}), [page], POLICY)) == answer


def test_a_no_beside_a_report_that_says_yes_is_no_certain_one() -> None:
    """A newspaper alone proves nothing, but it keeps a "no" from being accepted; after the cutoff it says nothing about it."""
    text = f"{NAME} has decided to cancel its listing after fifteen years."
    page = extract(f"<html><body><p>4 May 2020</p><p>{text}</p></body></html>".encode(), "text/html", REPORT, digest="sha256:0")
    for cutoff, doubt in ((dt.date(2020, 5, 4), True), (dt.date(2020, 5, 3), False)):
        found = adjudicate(factories.listing(0, **LONDON | {"cutoff": cutoff}), [page], POLICY)
        assert (said(found), bool(found.conflicts), found.confidence < 0.7) == ("no", doubt, doubt)
        assert not doubt or "A report of 2020-05-04 states the end" in found.conflicts[0]


def test_day_of_the_address_is_quoted_where_the_text_names_it() -> None:
    """The address alone dates the page; the quote for the day is the place in the text that states the same day."""
    text = (
        f"{NAME}: the board has resolved to cancel the listing of its ordinary shares; the vote of the directors took place on 4 May 2020."
    )
    url = "https://www.globenewswire.com/news-release/2020/05/04/a.html"
    page = extract(f"<html><body><p>{text}</p></body></html>".encode(), "text/html", url, digest="sha256:0")
    found = adjudicate(factories.listing(0, **LONDON), [page], POLICY)
    assert [(c.value, c.quote) for c in found.claims if c.field == "announcement_date"] == [("2020-05-04", "4 May 2020")]


def test_prose_about_a_letter_and_a_period_are_no_date_lines() -> None:
    """The day of a letter or of a reporting period is not the day on which a notice was made."""
    text = f"{NAME} said today that the exchange has decided to cancel the listing of its ordinary shares.</p><p>The letter bears the date April 17."
    page = extract(f"<html><body><p>LEEDS, 4 May 2020 -- {text}</p></body></html>".encode(), "text/html", WIRE, digest="sha256:0")
    assert said(adjudicate(factories.listing(0, **LONDON), [page], POLICY)) == "yes 2020-05-04"
    form = f"FORM TYPE: 8-K\nPERIOD: 20200501\nFILED: 20200504\n\n{NAME}\n\nThe board of {NAME} has resolved to cancel the listing of its ordinary shares.\n"
    page = extract(form.encode(), "text/plain", "https://edgar-online.example/1.txt", digest="sha256:0")
    assert said(adjudicate(factories.listing(0, **LONDON), [page], POLICY)) == "yes 2020-05-04"


def test_title_of_the_source_names_the_issuer_that_the_page_leaves_out() -> None:
    """A release that says "the company" is about the issuer under whose name its source lists it."""
    body = b"<html><body><p>4 May 2020</p><p>The board has resolved to cancel the listing of the ordinary shares.</p></body></html>"
    answers = []
    for title in (f"{NAME} - Cancellation", "Corvane Holdings plc - Cancellation", ""):
        page = extract(body, "text/html", WIRE, digest="sha256:0", fallback_title=title)
        answers.append(said(adjudicate(factories.listing(0, **LONDON), [page], POLICY)))
    assert answers == ["yes 2020-05-04", "no", "no"]

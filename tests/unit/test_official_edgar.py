"""EDGAR: what submissions files and forms say, which clock they show, and how filings of a listing are found and refused."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest
from conftest import SHARED
from factories import listing

from s2r.adjudicate import adjudicate
from s2r.errors import SourceBroken, SourceUnusable
from s2r.extract import extract
from s2r.extract.form25 import form25_meta
from s2r.fetch.live import LiveFetcher
from s2r.models import Gap, Listing, Outcome, Query, Status
from s2r.net import NO_RETRY, Limit, Limiter
from s2r.policy import Policy
from s2r.policy.types import FilingRule
from s2r.search.base import State
from s2r.search.caller import Caller
from s2r.search.official import edgar
from s2r.search.official.edgar import Edgar
from s2r.search.official.filings import EASTERN, Clock, Filing, acceptance, choose_filings, json_clock, read_columns, read_filer
from s2r.search.registry import read_accounts, search_limits
from s2r.settings import Settings
from s2r.testing import World, fault, html_answer, json_answer

REAL = SHARED / "real"
SUBMISSIONS = REAL / "dgunning_edgartools/cassette_bodies/data.sec.gov/submissions"
APPLE = REAL / "jadchaar_sec-edgar-downloader/tests/test_data/sample_api_responses/CIK0000320193.json"
FORMS = REAL / "royelee_delist-detection/tests/fixtures/form25"
needs_real = pytest.mark.skipif(not FORMS.is_dir(), reason="third-party filings are not here (../shared/real)")
T = TypeVar("T")
MIDSEASON = dt.date(2025, 11, 15)  # a day of capture that says nothing about the clock


# --- real files


@needs_real
@pytest.mark.parametrize(
    ("path", "clock", "accession", "form", "filed", "accepted"),
    [
        (SUBMISSIONS / "CIK0000895419.json", Clock.UTC, "0000876661-25-000713", "25-NSE", "2025-09-29", "2025-09-29 10:07"),
        (SUBMISSIONS / "CIK0001465740.json", Clock.UTC, "0001143313-13-000118", "25-NSE", "2013-11-05", "2013-11-05 13:22"),
        (SUBMISSIONS / "CIK0001881551.json", Clock.UTC, "0001354457-24-000046", "25-NSE", "2024-02-02", "2024-02-02 16:26"),
        (SUBMISSIONS / "CIK0001847577.json", Clock.EASTERN, "0001354457-24-000744", "25-NSE", "2024-10-03", "2024-10-02 17:31"),
        (SUBMISSIONS / "CIK0001796129.json", Clock.EASTERN, "0001193125-25-100448", "25", "2025-04-28", "2025-04-28 16:05"),
        (SUBMISSIONS / "CIK0001009672.json", Clock.EASTERN, "0001193125-20-329449", "15-12B", "2020-12-30", "2020-12-30 12:25"),
        (APPLE, Clock.EASTERN, "0001193125-19-074874", "25", "2019-03-14", "2019-03-14 16:39"),
    ],
)
def test_real_submissions_show_their_clock(path: Path, clock: Clock, accession: str, form: str, filed: str, accepted: str) -> None:
    """The stamps of a file themselves tell wall time from UTC, whatever their Z says; form and filing day are those of the columns."""
    filer = read_filer(json.loads(path.read_text("utf-8")))
    assert json_clock((one.accepted for one in filer.filings), MIDSEASON) is clock
    filing = next(one for one in filer.filings if one.accession == accession)
    assert (filing.form, str(filing.filed)) == (form, filed)
    moment = acceptance(filing.accepted, clock)
    assert moment is not None
    assert f"{moment:%Y-%m-%d %H:%M}" == accepted
    assert moment.utcoffset() in (dt.timedelta(hours=-4), dt.timedelta(hours=-5))


@needs_real
def test_the_json_stamp_of_a_filing_is_the_wall_time_of_its_header() -> None:
    """The Z trap: digits in the submissions file are those of the SGML header, which is Eastern wall time; read as UTC they would be
    four hours off."""
    filer = read_filer(json.loads(APPLE.read_text("utf-8")))
    filing = next(one for one in filer.filings if one.accession == "0001193125-19-074874")
    page = form("aapl_notes_25.txt")
    moment = acceptance(filing.accepted, json_clock((one.accepted for one in filer.filings), MIDSEASON))
    assert filing.accepted.endswith("Z")
    assert page.meta["acceptance"] == f"{moment:%Y-%m-%dT%H:%M:%S}" == "2019-03-14T16:39:32"


@needs_real
@pytest.mark.parametrize("path", sorted(SUBMISSIONS.glob("*.json")), ids=lambda path: path.stem)
def test_after_half_past_five_the_next_day_counts(path: Path) -> None:
    """In every real file, filings of companies accepted until 17:30 are dated on that day, and later ones nearly always later."""
    data = json.loads(path.read_text("utf-8"))
    filings = read_filer(data).filings if "filings" in data else read_columns(data, "1009672")
    clock = json_clock((one.accepted for one in filings), MIDSEASON)
    own = [(one, moment) for one in filings if one.form in ("8-K", "10-Q", "10-K") and (moment := acceptance(one.accepted, clock))]
    early = [(one, moment) for one, moment in own if moment.time() <= dt.time(17, 30) and moment.time() != dt.time()]
    late = [(one, moment) for one, moment in own if moment.time() > dt.time(17, 31)]
    assert len(early) > 10
    assert sum(one.filed == moment.date() for one, moment in early) >= len(early) - 2
    assert sum(one.filed > moment.date() for one, moment in late) >= len(late) / 2


def form(name: str) -> Any:
    """The page of a real Form 25."""
    return extract((FORMS / name).read_bytes(), "text/plain", f"https://www.sec.gov/Archives/edgar/data/1/{name}", digest="sha256:0")


@needs_real
@pytest.mark.parametrize(
    ("name", "form_type", "of_class", "exchange", "rule", "filed", "accepted"),
    [
        ("aet_25nse.txt", "25-NSE", "Common Stock", "NEW YORK STOCK EXCHANGE LLC", "(a)(3)", "2018-11-29", "2018-11-29T13:51:26"),
        ("rsh_25nse.txt", "25-NSE", "Common Stock", "NEW YORK STOCK EXCHANGE LLC", "(b)", "2015-03-20", "2015-03-20T13:01:26"),
        ("save_25nse.txt", "25-NSE", "Common Stock", "NEW YORK STOCK EXCHANGE LLC", "(b)", "2024-12-05", "2024-12-05T09:03:25"),
        ("wsc_25nse_suspended_by_exchange.txt", "25-NSE", "Common Stock", "NYSE Amex", "(a)(3)", "2011-06-27", "2011-06-27T15:19:29"),
        ("leg_25nse_before_market_open.txt", "25-NSE", "Common Stock", "NEW YORK STOCK EXCHANGE LLC", "(a)(3)", "2026-08-27",
         "2026-08-27T09:23:44"),
        ("discovery_series_c.txt", "25-NSE", "Series C Common Stock", "Nasdaq Stock Market LLC", "(a)(3)", "2022-04-08",
         "2022-04-11T10:07:08"),
        ("aapl_notes_25.txt", "25", "1.000% Notes due 2022; 1.375% Notes due 2024", "New York Stock Exchange LLC", "(c)", "2019-03-14",
         "2019-03-14T16:39:32"),
    ],
)  # fmt: skip
def test_real_forms_give_class_exchange_and_days(
    name: str, form_type: str, of_class: str, exchange: str, rule: str, filed: str, accepted: str
) -> None:
    """Form, class, exchange, rule, filing and acceptance day of every real Form 25, whether XML of an exchange or page of an issuer."""
    meta = form(name).meta
    assert meta["form"] == form_type
    assert meta["class"].startswith(of_class)
    assert (meta["exchange"], meta["filed_as_of"], meta["acceptance"]) == (exchange, filed, accepted)
    assert meta["rule"].endswith(f"12d2-2{rule}")


def us_listing(issuer: str, security: str, kind: str, mic: str, ticker: str) -> Listing:
    """A listing of a real issuer."""
    fields: dict[str, object] = {"security": security, "security_type": kind, "mic": mic, "ticker": ticker, "country": "US", "venue": ""}
    return listing(issuer=issuer, cutoff=dt.date(2026, 10, 1), **fields)


@needs_real
@pytest.mark.parametrize(
    ("name", "target", "status"),
    [
        ("aapl_notes_25.txt", us_listing("Apple Inc.", "Common Stock, $0.00001 par value", "common", "XNAS", "AAPL"), Status.NO),
        ("aapl_notes_25.txt", us_listing("Apple Inc.", "Common Stock", "common", "XNYS", "AAPL"), Status.NO),
        ("aet_25nse.txt", us_listing("Aetna Inc.", "6.625% Senior Notes due 2036", "note", "XNYS", "AET36"), Status.NO),
        ("discovery_series_c.txt", us_listing("Discovery, Inc.", "Series A Common Stock", "common", "XNAS", "DISCA"), Status.NO),
        ("wsc_25nse_suspended_by_exchange.txt", us_listing("Wesco Financial Corp", "Common Stock", "common", "XNYS", "WSC"), Status.NO),
        ("aet_25nse.txt", us_listing("Aetna Inc.", "Common Stock", "common", "XNYS", "AET"), Status.YES),
        ("discovery_series_c.txt", us_listing("Discovery, Inc.", "Series C Common Stock", "common", "XNAS", "DISCK"), Status.YES),
        ("wsc_25nse_suspended_by_exchange.txt", us_listing("Wesco Financial Corp", "Common Stock", "common", "XASE", "WSC"), Status.YES),
        (
            "leg_25nse_before_market_open.txt",
            us_listing("Leggett & Platt, Incorporated", "Common Stock", "common", "XNYS", "LEG"),
            Status.YES,
        ),
        ("rsh_25nse.txt", us_listing("RadioShack Corporation", "Common Stock", "common", "XNYS", "RSH"), Status.YES),
        ("save_25nse.txt", us_listing("Spirit Airlines, Inc.", "Common Stock", "common", "XNYS", "SAVE"), Status.YES),
    ],
)
def test_a_form_supports_its_own_class_and_venue_only(name: str, target: Listing, status: Status, policy: Policy) -> None:
    """One Form 25 is for one class: notes or another series or exchange never support the listing, its own class does."""
    assert adjudicate(target, [form(name)], policy).status is status


NOTIFICATION = """<SEC-DOCUMENT>0000876661-19-000101.txt : 20190604
<SEC-HEADER>0000876661-19-000101.hdr.sgml : 20190604
<ACCEPTANCE-DATETIME>20190604101500
ACCESSION NUMBER:		0000876661-19-000101
CONFORMED SUBMISSION TYPE:	25-NSE
FILED AS OF DATE:		20190604

SUBJECT COMPANY:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			ALDERWICK INSTRUMENTS INC
		CENTRAL INDEX KEY:			0001234567
</SEC-HEADER>
<DOCUMENT>
<TYPE>25-NSE
<FILENAME>primary_doc.xml
<TEXT>
<XML>
<?xml version="1.0"?>
<notificationOfRemoval><schemaVersion>X0203</schemaVersion>
<exchange><cik>0000876661</cik><entityName>NEW YORK STOCK EXCHANGE LLC</entityName></exchange>
<issuer><cik>1234567</cik><entityName>ALDERWICK INSTRUMENTS INC</entityName></issuer>
<descriptionClassSecurity>{of_class}</descriptionClassSecurity>
<ruleProvision>17 CFR 240.12d2-2(b)</ruleProvision>
<signatureData><signatureDate>2019-06-04</signatureDate></signatureData></notificationOfRemoval>
</XML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99.25
<TEXT>
NOTIFICATION OF THE REMOVAL FROM LISTING AND REGISTRATION OF THE STATED SECURITIES

New York Stock Exchange LLC (the 'Exchange') hereby notifies the Securities and Exchange Commission of its intention to remove the
{of_class} of Alderwick Instruments Inc. (the 'Company') from listing and registration on the Exchange at the opening of business on
June 17, 2019, pursuant to the provisions of Rule 12d2-2(b) because, in the opinion of the Exchange, the {of_class} is no longer
suitable for continued listing and trading on the Exchange.

On May 20, 2019 the Exchange determined that the {of_class} of the Company should be suspended from trading and directed the
preparation and filing of this application for the removal of the {of_class} from listing and registration.
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
"""


@pytest.mark.parametrize(
    ("of_class", "status"),
    [
        ("Common Stock", Status.YES),
        ("Common Stock, par value $0.01 per share", Status.YES),
        ("7.125% Senior Notes due 2031", Status.NO),
        ("Preferred Share Purchase Rights", Status.NO),
        ("Warrants to Purchase Common Stock", Status.NO),
        ("8.00% Series B Cumulative Preferred Stock", Status.NO),
    ],
)
def test_the_class_of_a_notification_decides(of_class: str, status: Status, policy: Policy) -> None:
    """The same words of an exchange about another class of the issuer say nothing about its common stock."""
    body = NOTIFICATION.format(of_class=of_class).encode()
    url = "https://www.sec.gov/Archives/edgar/data/1234567/000087666119000101/0000876661-19-000101.txt"
    page = extract(body, "text/plain", url, digest="sha256:0")
    target = listing(issuer="Alderwick Instruments Inc.", security="Common Stock", mic="XNYS", ticker="AWKI", cutoff=dt.date(2020, 1, 1))
    assert adjudicate(target, [page], policy).status is status


# --- the pure part


@pytest.mark.parametrize(
    ("times", "captured", "clock"),
    [
        (["06:02:21", "16:30:00", "17:31:39"], MIDSEASON, Clock.EASTERN),
        (["22:23:21", "14:00:00", "20:31:11"], MIDSEASON, Clock.UTC),
        (["00:00:00", "00:00:00", "08:13:00"], MIDSEASON, Clock.EASTERN),
        (["14:10:00", "21:40:00"], dt.date(2025, 6, 1), Clock.EASTERN),
        (["14:10:00", "21:40:00"], dt.date(2026, 3, 1), Clock.UTC),
        (["14:10:00", "21:40:00"], MIDSEASON, Clock.UNKNOWN),
        (["08:13:00", "23:10:00"], MIDSEASON, Clock.UNKNOWN),
        ([], MIDSEASON, Clock.UNKNOWN),
        (["00:00:00"], MIDSEASON, Clock.UNKNOWN),
    ],
)
def test_the_clock_of_a_file(times: list[str], captured: dt.date, clock: Clock) -> None:
    """Hours at which EDGAR takes nothing tell the clock; without them the day of capture does, or nothing."""
    assert json_clock([f"2024-05-06T{time}.000Z" for time in times], captured) is clock


@pytest.mark.parametrize(
    ("stamp", "clock", "moment"),
    [
        ("2024-10-02T17:31:39.000Z", Clock.EASTERN, dt.datetime(2024, 10, 2, 17, 31, 39, tzinfo=EASTERN)),
        ("2024-10-02T21:31:39.000Z", Clock.UTC, dt.datetime(2024, 10, 2, 17, 31, 39, tzinfo=EASTERN)),
        ("2024-02-02T01:10:00.000Z", Clock.UTC, dt.datetime(2024, 2, 1, 20, 10, tzinfo=EASTERN)),
        ("2024-10-02T17:31:39.000Z", Clock.UNKNOWN, None),
        ("20241002", Clock.EASTERN, dt.datetime(2024, 10, 2, tzinfo=EASTERN)),
        ("soon", Clock.EASTERN, None),
        ("", Clock.UTC, None),
    ],
)
def test_acceptance_is_eastern_time_or_nothing(stamp: str, clock: Clock, moment: dt.datetime | None) -> None:
    """A stamp is read by its clock, never by its Z; without a clock there is no moment."""
    assert acceptance(stamp, clock) == moment


def filing(number: int, form_type: str, filed: str, **more: Any) -> Filing:
    """A filing with an accession number of its own."""
    return Filing(cik="0001234567", accession=f"0001193125-24-{number:06d}", form=form_type, filed=dt.date.fromisoformat(filed), **more)


def test_filings_are_chosen_by_form_item_and_cutoff() -> None:
    """Rules decide by form, with its amendments, and item; filings up to the cutoff go before later ones; each is taken once."""
    rules = (
        FilingRule(source="edgar", form="25-NSE", most=2),
        FilingRule(source="edgar", form="8-K", items=("3.01",), most=2),
        FilingRule(source="edgar", form="8-K", items=("2.01", "3.01"), most=1),
        FilingRule(source="edgar", form="10-K", most=1, whole=False),
    )
    filings = [
        filing(1, "25-NSE", "2024-03-04"),
        filing(2, "25-NSE/A", "2024-03-05"),
        filing(3, "25-NSE", "2020-01-01"),
        filing(4, "8-K", "2024-03-01", items=("2.01", "3.01")),
        filing(5, "8-K", "2024-05-01", items=("3.01",)),
        filing(6, "8-K", "2023-05-01", items=("7.01",)),
        filing(7, "8-K", "2022-05-01", items=("2.01",)),
        filing(8, "25", "2024-03-01"),
        filing(9, "10-K", "2024-02-01"),
        filing(10, "10-K", "2023-02-01"),
    ]
    chosen = choose_filings(filings, rules, dt.date(2024, 4, 1))
    assert [int(one.accession[-6:]) for one, _ in chosen] == [2, 1, 4, 5, 7, 9]
    assert [whole for _, whole in chosen] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("document", "whole", "size", "ending"),
    [
        ("xslF25X02/primary_doc.xml", False, 4000, "/000119312524000001/primary_doc.xml"),
        ("xslF25X02/primary_doc.xml", True, 4000, "/0001193125-24-000001.txt"),
        ("d8k.htm", True, 40_000_000, "/0001193125-24-000001.txt"),
        ("d8k.htm", True, 90_000_000, "/d8k.htm"),
        ("", False, 10, "/0001193125-24-000001.txt"),
        ("../../../etc/passwd", False, 10, "/000119312524000001/passwd"),
        ("a b?c.htm", False, 10, "/0001193125-24-000001.txt"),
    ],
)
def test_the_address_of_a_filing(document: str, whole: bool, size: int, ending: str) -> None:
    """The whole submission, or the document itself without the folder of its rendering; a hostile name changes no path."""
    one = filing(1, "25-NSE", "2024-03-04", document=document, size=size)
    url = one.url(whole=whole)
    assert url.startswith("https://www.sec.gov/Archives/edgar/data/1234567/000119312524000001/")
    assert url.endswith(ending)


@pytest.mark.parametrize(
    "columns",
    [
        None,
        [],
        {"form": ["8-K"], "filingDate": ["2024-01-02"]},
        {"form": ["8-K"], "filingDate": ["2024-01-02"], "accessionNumber": []},
        {"form": ["8-K"], "filingDate": ["2024-01-02"], "accessionNumber": ["0001193125-24-000001"], "items": ["3.01", "5.01"]},
    ],
)
def test_columns_that_do_not_align_are_broken(columns: Any) -> None:
    """Rows of parallel columns would be mixed up silently when one is missing or shorter."""
    with pytest.raises(SourceBroken):
        read_columns(columns, "1")


def test_rows_without_number_or_day_are_left_out() -> None:
    """A row that cannot be addressed or dated is no filing."""
    columns = {
        "accessionNumber": ["0001193125-24-000001", "x/../y", "0001193125-24-000003"],
        "filingDate": ["2024-01-02", "2024-01-02", "soon"],
        "form": ["8-K", "8-K", "8-K"],
    }
    assert [one.accession for one in read_columns(columns, "1")] == ["0001193125-24-000001"]


# --- against the loopback world


def columns(*rows: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Columns of filings; each row gives accession, form, filed, and if needed items, accepted, document."""
    return {
        "accessionNumber": [row["accession"] for row in rows],
        "filingDate": [row["filed"] for row in rows],
        "reportDate": ["" for _ in rows],
        "acceptanceDateTime": [row.get("accepted", f"{row['filed']}T09:10:00.000Z") for row in rows],
        "form": [row["form"] for row in rows],
        "items": [row.get("items", "") for row in rows],
        "size": [4000 for _ in rows],
        "primaryDocument": [row.get("document", "d8k.htm") for row in rows],
    }


def submissions(cik: str, name: str, *rows: Mapping[str, Any], former: tuple[str, ...] = (), older: tuple[Any, ...] = ()) -> dict[str, Any]:
    """A submissions file."""
    names = [{"name": one, "from": "2001-02-03T05:00:00.000Z", "to": "2010-06-07T04:00:00.000Z"} for one in former]
    return {"cik": cik.lstrip("0"), "name": name, "tickers": [], "exchanges": [], "formerNames": names,
            "filings": {"recent": columns(*rows), "files": list(older)}}  # fmt: skip


REMOVAL = {"accession": "0000876661-19-000123", "form": "25-NSE", "filed": "2019-03-04", "document": "xslF25X02/primary_doc.xml"}
NOTICE = {"accession": "0001193125-19-050000", "form": "8-K", "filed": "2019-03-01", "items": "2.01,3.01,5.01"}
RESULTS = {"accession": "0001193125-19-040000", "form": "8-K", "filed": "2019-02-01", "items": "2.02,9.01"}
OLD = {"accession": "0000876661-09-000001", "form": "25", "filed": "2009-05-01"}
PAGE = {"name": "CIK0001234567-submissions-001.json", "filingCount": 1, "filingFrom": "1999-01-05", "filingTo": "2010-12-30"}
TARGET = listing(issuer="Alderwick Instruments Inc.", cik="1234567", mic="XNYS", cutoff=dt.date(2020, 12, 31))
FILER = submissions("0001234567", "ALDERWICK INSTRUMENTS INC", REMOVAL, NOTICE, RESULTS, former=("OLD ALDERWICK CORP",), older=(PAGE,))


def connected(world: World, use: Callable[[Edgar], Awaitable[T]], **more: Any) -> T:
    """What `use` makes of EDGAR connected to a world."""

    async def run() -> T:
        account = read_accounts(world.env("edgar"), {"edgar": edgar.SPEC}, {})["edgar"]
        async with world.net(retry=NO_RETRY, **more) as net:
            return await use(Edgar(Caller(account, net), clock=lambda: 1_790_000_000.0))

    return asyncio.run(run())


def held(world: World, *, filer: Any = FILER, older: Any = None) -> World:
    """The world with a filer, its older page and a ticker file."""
    world.put("edgar", "/submissions/CIK0001234567.json", filer)
    world.put("edgar", "/submissions/CIK0001234567-submissions-001.json", columns(OLD) if older is None else older)
    tickers = {"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."},
               "1": {"cik_str": 1234567, "ticker": "AWK", "title": "ALDERWICK INSTRUMENTS INC"}}  # fmt: skip
    world.put("edgar", "/files/company_tickers.json", tickers)
    return world


def test_filings_of_a_number_are_found(policy: Policy) -> None:
    """The forms of the policy, newest first, with the older page; results alone are not read; the snippet tells days and clock."""
    with World() as world:
        answer = connected(held(world), lambda source: source.find_for(TARGET, policy, 40))
    assert answer.state is State.ANSWERED, answer.cause
    base = "https://www.sec.gov/Archives/edgar/data/1234567"
    assert [hit.url for hit in answer.hits] == [
        f"{base}/000087666119000123/0000876661-19-000123.txt",
        f"{base}/000087666109000001/0000876661-09-000001.txt",
        f"{base}/000119312519050000/0001193125-19-050000.txt",
    ]
    assert "filed 2019-03-04, accepted 2019-03-04 09:10 Eastern time" in answer.hits[0].snippet
    assert [hit.rank for hit in answer.hits] == [1, 2, 3]


def test_the_limit_holds(policy: Policy) -> None:
    """No more hits than asked for."""
    with World() as world:
        assert len(connected(held(world), lambda source: source.find_for(TARGET, policy, 2)).hits) == 2


def test_a_listing_without_a_number_is_found_by_its_name(policy: Policy) -> None:
    """By the ticker file; a like name or a like ticker is not enough."""
    unknown = TARGET.model_copy(update={"cik": ""})
    with World() as world:
        found = connected(held(world), lambda source: source.find_for(unknown, policy, 40))
        assert [hit.url.split("/")[-2] for hit in found.hits][:1] == ["000087666119000123"]
    with World() as world:
        stranger = unknown.model_copy(update={"issuer": "Alderwick Holdings Inc.", "ticker": "AWK"})
        answer = connected(held(world), lambda source: source.find_for(stranger, policy, 40))
        assert (answer.state, answer.hits) == (State.EMPTY, ())
        assert "no filer of this name" in answer.note


def test_a_filer_that_gave_another_name_is_not_taken(policy: Policy) -> None:
    """The ticker file names the issuer, the filer's own file does not: the number has been given on, and nothing is taken from it."""
    unknown = TARGET.model_copy(update={"cik": ""})
    with World() as world:
        held(world, filer=submissions("0001234567", "BIGCO INC", REMOVAL))
        answer = connected(world, lambda source: source.find_for(unknown, policy, 40))
    assert (answer.state, answer.hits) == (State.EMPTY, ())


@pytest.mark.parametrize(
    ("text", "meta"),
    [
        (("FORM 25\nAcme Inc. / NYSE American LLC\n(Exact name of Issuer as specified in its charter, and name of Exchange\nwhere listed)\n"
         "1 Main St\n(Address of Issuer's principal executive offices)\nUnits\nWarrants\n(Description of class of securities)\n"
         "[X] 17 CFR 240.12d2-2(a)(1)\n[ ] 17 CFR 240.12d2-2(a)(2)"),
         {"exchange": "NYSE American LLC", "class": "Units; Warrants", "rule": "17 CFR 240.12d2-2(a)(1)"}),
        ("FORM 25\nAcme Inc.\nThe Nasdaq Stock Market LLC\n(Exact name of Issuer as specified in its charter and name of Exchange)\n",
         {"exchange": "The Nasdaq Stock Market LLC"}),
        ("FORM 25\nCommission File Number: 1-2\nAcme Inc.\n(Exact name of Issuer as specified in its charter, and name of Exchange)\n", {}),
        ("FORM 25\nAcme\n1 Main St\nTown, Ohio\n(Description of class of securities)\n", {}),
        ("Issuer: Acme     Exchange: NYSE\nClass of securities: Notes due 2030;\nNotes due 2040\n[ ] 17 CFR 240.12d2-2(b)\n",
         {"exchange": "NYSE", "class": "Notes due 2030; Notes due 2040"}),
        ("[X] 17 CFR 240.12d2-2(b)\n[X] 17 CFR 240.12d2-2(c)\n", {}),
    ],
)  # fmt: skip
def test_captions_of_a_form_25_that_is_a_page(text: str, meta: dict[str, str]) -> None:
    """Captions and the one marked box decide; without them, or with two boxes, nothing is guessed."""
    assert form25_meta(text) == meta


def search_row(cik: str, shown: str, accession: str, **more: Any) -> dict[str, Any]:
    """A row of a full-text answer."""
    source = {"ciks": [cik], "display_names": [shown], "adsh": accession, "file_type": "8-K", "file_date": "2019-03-01", **more}
    return {"_id": f"{accession}:d8k.htm", "_source": source}


def search_page(*rows: Any) -> Any:
    """A full-text answer."""
    return json_answer({"timed_out": False, "hits": {"total": {"value": len(rows), "relation": "eq"}, "hits": list(rows)}})


def test_a_delisted_issuer_is_found_by_full_text_and_by_a_former_name(policy: Policy) -> None:
    """What left the ticker file is found among filers that full-text search shows, also under a name that it gave up."""
    gone = TARGET.model_copy(update={"cik": "", "issuer": "Old Alderwick Corp"})
    shown = search_row("0001234567", "OLD ALDERWICK CORP  (OAW)  (CIK 0001234567)", "0001193125-09-000001")
    other = search_row("0007654321", "OLD ALDERWICK HOLDINGS CORP  (CIK 0007654321)", "0001193125-09-000002")
    with World() as world:
        world.script("edgar", None, lambda _, __: search_page(other, shown))
        answer = connected(held(world), lambda source: source.find_for(gone, policy, 40))
        assert answer.state is State.ANSWERED, answer.cause
        assert answer.hits[0].url.endswith("0000876661-19-000123.txt")


def test_one_filing_under_two_numbers_is_one_hit(policy: Policy) -> None:
    """A 25-NSE stands under the exchange and the issuer; a row that quotes another filing's number is left out."""
    same = search_row("0000876661", "NEW YORK STOCK EXCHANGE LLC  (CIK 0000876661)", "0000876661-19-000123", file_type="25-NSE")
    buyer = search_row("0000999999", "BIGCO INC  (BIG)  (CIK 0000999999)", "0001193125-19-060000")
    quoting = search_row("0000999999", "BIGCO INC", "0001193125-19-070000", adsh="0001193125-19-080000")
    with World() as world:
        world.script("edgar", None, None, lambda _, __: search_page(same, buyer, quoting))
        answer = connected(held(world), lambda source: source.find_for(TARGET, policy, 40))
    numbers = [hit.url.split("/")[-2] for hit in answer.hits]
    assert numbers == ["000087666119000123", "000087666109000001", "000119312519050000", "000119312519060000"]


@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ((fault("500"),), "the service failed"),
        ((None, fault("JSON cut in the middle")), "submissions-001.json"),
        ((None, None, fault("HTML in 200")), "HTML page"),
        ((fault("403 threshold page"),), "asked to slow down"),
        ((None, None, fault("429 without a hint")), "asked to slow down"),
    ],
)
def test_a_part_that_fails_is_no_empty_answer(script: tuple[Any, ...], cause: str, policy: Policy) -> None:
    """Whatever part cannot be asked makes the answer failed, with the hits of the others."""
    with World() as world:
        world.script("edgar", *script)
        answer = connected(held(world), lambda source: source.find_for(TARGET, policy, 40))
    assert answer.state is State.FAILED
    assert cause in answer.cause
    assert bool(answer.hits) == (script[0] is None)


def test_search_errors_at_random_are_asked_again(policy: Policy) -> None:
    """Full-text search fails now and then; one failure is not the end."""
    with World() as world:
        world.script("edgar", None, None, fault("500"))
        answer = connected(held(world), lambda source: source.find_for(TARGET, policy, 40))
    assert answer.state is State.ANSWERED, answer.cause


def test_an_unknown_number_fails_instead_of_finding_nothing(policy: Policy) -> None:
    """A CIK that EDGAR does not hold, or the file of another filer, is a fault of the row or of the address."""
    with World() as world:
        missing = connected(world, lambda source: source.find_for(TARGET, policy, 40))
    with World() as world:
        wrong = connected(held(world, filer={**FILER, "cik": "7654321"}), lambda source: source.find_for(TARGET, policy, 40))
    assert missing.state is State.FAILED
    assert wrong.state is State.FAILED
    assert "got the file of 0007654321" in wrong.cause


def test_other_markets_are_not_asked_about(policy: Policy) -> None:
    """A listing of a market whose issuers do not file with the SEC costs no call; with a CIK it is asked about."""
    foreign = listing(issuer="Brantholm plc", mic="XLON", country="GB", cik="")
    with World() as world:
        answer = connected(world, lambda source: source.find_for(foreign, policy, 40))
        assert (answer.state, world.calls("edgar")) == (State.EMPTY, ())
        connected(world, lambda source: source.find_for(foreign.model_copy(update={"cik": "1234567"}), policy, 40))
        assert world.calls("edgar")


def test_the_page_for_undeclared_tools_ends_the_calls() -> None:
    """A client that EDGAR takes for an undeclared tool is told which setting to make, and asks no more."""

    async def use(source: Edgar) -> None:
        for _ in range(2):
            with pytest.raises(SourceUnusable, match="S2R_CONTACT"):
                await source.find(Query(text="x"), 5)

    with World() as world:
        page = html_answer("SEC.gov | Your Request Originates from an Undeclared Automated Tool", "To allow for equitable access", 403)
        world.always("edgar", lambda _, __: page)
        connected(world, use)
        assert len(world.calls("edgar")) == 1


def test_every_call_says_who_asks() -> None:
    """The User-Agent holds the contact, as the SEC's rule asks."""
    with World() as world:
        connected(world, lambda source: source.find(Query(text="x"), 5))
        assert "ops@world.example" in world.calls("edgar")[0].headers["user-agent"]


@needs_real
@pytest.mark.parametrize(("name", "status"), [("rate-exceeded.html", 403), ("rate-exceeded.html", 429), ("rate-exceeded.html", 200),
                                              ("html/SEC.AutomatedTool.html", 403), ("html/SEC.AutomatedTool.html", 200)])  # fmt: skip
def test_real_block_pages_are_no_content(name: str, status: int, tmp_path: Path) -> None:
    """Threshold and undeclared-tool pages of sec.gov are failures of a search and blocked pages of a fetch, whatever their status."""
    body = (REAL / "dgunning_edgartools/data" / name).read_bytes()
    url = "https://www.sec.gov/Archives/edgar/data/1/000000000024000001/d8k.htm"
    answer = html_answer("", "", status)
    with World() as world:
        page = type(answer)(status, answer.headers, body)
        world.always("edgar", lambda _, __: page)
        world.web.always(url, lambda _: page)
        try:
            found = connected(world, lambda source: source.find(Query(text="x"), 5))
            assert found.state is State.FAILED
        except SourceUnusable as exc:
            assert "S2R_CONTACT" in str(exc)

        async def fetched() -> Any:
            async with world.net("fetch", retry=NO_RETRY) as net:
                return await LiveFetcher(net, Settings(robots=False)).fetch(url)

        got = asyncio.run(fetched())
    assert isinstance(got, Gap)
    assert got.outcome is Outcome.BLOCKED


def test_searches_and_pages_of_the_sec_share_one_limit() -> None:
    """Ten a second over all of sec.gov: the limit of the provider is that of every host of the SEC, for all processes."""
    account = read_accounts({"S2R_CONTACT": "Acme ops@acme.example"}, {"edgar": edgar.SPEC}, {})["edgar"]
    limits = search_limits({"edgar": account})
    assert limits == {"sec.gov": Limit(rate=10.0, concurrency=8)}
    limiter = Limiter(None, limits)
    assert {limiter.bucket(host) for host in ("www.sec.gov", "data.sec.gov", "efts.sec.gov")} == {account.bucket}
    limiter.close()


@pytest.mark.parametrize("contact", ["", "Acme", "Acme https://acme.example", "ops@", "öps@acme.example"])
def test_without_a_mail_address_edgar_is_not_set_up(contact: str) -> None:
    """The SEC asks for a mail address; a contact without one is none."""
    assert read_accounts({"S2R_CONTACT": contact}, {"edgar": edgar.SPEC}, {}) == {}

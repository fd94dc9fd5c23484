"""Registers in a live run, from end to end: a filing that no search service knows is found, fetched, archived and proven."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from conftest import start
from factories import listing, write_pool, write_universe

from s2r.testing import World
from s2r.testing.registers import lei_record
from s2r.testing.tls import has_openssl

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not has_openssl(), reason="a world with TLS needs the openssl program")]

URL = "https://www.sec.gov/Archives/edgar/data/1234567/000087666119000101/0000876661-19-000101.txt"
FORM = """<SEC-DOCUMENT>0000876661-19-000101.txt : 20190604
<SEC-HEADER>
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
<TYPE>EX-99.25
<TEXT>
NOTIFICATION OF THE REMOVAL FROM LISTING AND REGISTRATION OF THE STATED SECURITIES

New York Stock Exchange LLC (the 'Exchange') hereby notifies the Securities and Exchange Commission of its intention to remove the
Common Stock of Alderwick Instruments Inc. (the 'Company') from listing and registration on the Exchange at the opening of business on
June 17, 2019, pursuant to the provisions of Rule 12d2-2(b) because, in the opinion of the Exchange, the Common Stock is no longer
suitable for continued listing and trading on the Exchange.

On May 20, 2019 the Exchange determined that the Common Stock of the Company should be suspended from trading and directed the
preparation and filing of this application for the removal of the Common Stock from listing and registration.
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
"""
COLUMNS = {"accessionNumber": ["0000876661-19-000101"], "filingDate": ["2019-06-04"], "acceptanceDateTime": ["2019-06-04T10:15:00.000Z"],
           "form": ["25-NSE"], "items": [""], "primaryDocument": ["xslF25X02/primary_doc.xml"], "size": [4000]}  # fmt: skip


def test_a_filing_that_no_search_service_knows_is_found_in_edgar(tmp_path: Path, policies: Path) -> None:
    """The search service is empty; EDGAR gives the form, by the present name of a row whose LEI is known under another name."""
    row = listing(issuer="Alderwick Instruments Inc.", cik="1234567", mic="XNYS", venue="NYSE", ticker="AWKI", lei="549300ALDERWICK00099",
                  cutoff=dt.date(2020, 1, 1))  # fmt: skip
    universe = write_universe(tmp_path / "universe.csv", [row])
    page = {"url": URL, "title": "", "content_type": "text/plain", "body": FORM}
    with World(write_pool(tmp_path / "pool.jsonl", [page]), tls=True) as world:
        world.always("brave", lambda service, _: service.absent)
        filer = {"cik": "1234567", "name": "ALDERWICK INSTRUMENTS INC", "formerNames": [], "filings": {"recent": COLUMNS, "files": []}}
        world.put("edgar", "/submissions/CIK0001234567.json", filer)
        world.script(
            "gleif", lambda _, answer: type(answer)(200, answer.headers, json.dumps({"data": [lei_record("L", "BIGCO INC")]}).encode())
        )
        env = world.env("brave", "edgar", "gleif") | {"S2R_BRAVE_RATE": "5000", "S2R_HOST_RATE": "5000", "S2R_HOME": str(tmp_path / "home")}
        command = ["audit", universe, "--search", "brave,edgar,gleif", "--policies", policies, "--out", tmp_path / "out"]
        process = start(command, tmp_path, **env)
        _, err = process.communicate(timeout=240)
        assert all("ops@world.example" in call.headers["user-agent"] for call in world.calls("edgar"))
        assert [seen.path for seen in world.seen if seen.host == "www.sec.gov" and seen.path.endswith(".txt")][-1:] == [
            URL.partition(".gov")[2]
        ]
    record = json.loads((tmp_path / "out" / "records.jsonl").read_text("utf-8"))
    assert (record["status"], record["announcement_date"]) == ("yes", "2019-06-04"), err
    assert record["coverage"]["providers"] == {"brave": "empty", "edgar": "answered"}
    assert {claim["url"] for claim in record["claims"]} == {URL}
    assert any("gleif: LEI 549300ALDERWICK00099 is BIGCO INC" in note for note in record["coverage"]["notes"])


def test_edgar_by_name_without_a_contact_says_what_to_set(tmp_path: Path, policies: Path) -> None:
    """A configuration error before any work, which names the one setting that pages need as well."""
    universe = write_universe(tmp_path / "universe.csv", [listing(0)])
    command = ["audit", universe, "--search", "edgar", "--policies", policies, "--out", tmp_path / "out"]
    process = start(command, tmp_path, S2R_CONTACT="https://acme.example")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "Set S2R_CONTACT (a name and mail address" in " ".join(err.split())

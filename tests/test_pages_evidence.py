"""Pages of a record beyond its own evidence: a page that is fetched there and then, the raw exchange with a model, and what vendors say."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from factories import settings
from review_world import AT, fill, review_policy
from starlette.testclient import TestClient
from web_client import Browser, app_on, form_to, text_of

from s2r.archive import Archive
from s2r.modelapi import KeptModels
from s2r.modelapi.keep import Exchange
from s2r.modelapi.types import ModelRole
from s2r.models import Adjudication, Opinion, Page
from s2r.policy import Policy
from s2r.store import Store
from s2r.vendor.rows import write_rows
from s2r.vendor.types import Comparison, Kind, Says, VendorRow
from s2r.web.desk import WebDesk

FOUND = "<html><head><title>Notice 9</title></head><body><p>London, 11 July 2016</p><p>The Exchange will cancel the listing at the wish of the company.</p></body></html>"
URL = "http://notices.example/2016/9"


@contextmanager
def answering(asked: list[str]) -> Iterator[int]:
    """A loopback server that answers every request with a notice, as a site or as the proxy of one; `asked` are the addresses."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """The notice; nothing is forbidden to robots."""
            asked.append(self.path)
            robots = self.path.endswith("/robots.txt")
            body = b"" if robots else FOUND.encode()
            self.send_response(404 if robots else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


@pytest.fixture
def made(tmp_path: Path) -> dict[str, Page]:
    """Two rows with their pages."""
    return fill(tmp_path / "run", 2)


def browser_at(tmp_path: Path, policy: Policy, **given: object) -> Browser:
    """A browser at the service over the two rows."""
    review = tmp_path / "policies"
    if not review.exists():
        review_policy(review, share=0.0)
    desk = WebDesk(
        out=tmp_path / "run", policy=policy, policies=review, settings=settings(home=tmp_path / "home", **given), clock=lambda: AT
    )
    return Browser(TestClient(app_on(desk), base_url="http://127.0.0.1"))


def test_a_page_is_fetched_archived_and_quoted_there_and_then(tmp_path: Path, policy: Policy, made: dict[str, Page]) -> None:
    """A reviewer names a page that is missing: it is fetched, archived, open for selection, and proves the correction; what was filled in stays."""
    asked: list[str] = []
    with answering(asked) as port:
        browser = browser_at(tmp_path, policy, fetch_proxy=f"http://127.0.0.1:{port}")
        form = form_to(browser.send(form_to(browser.get("/row?id=T-01"), "/row/claim")), "/row/decide")
        page = browser.send(form, to="/row/fetch", url=URL, note="It was announced earlier", announcement_date="2016-07-11")
    assert asked == ["http://notices.example/robots.txt", URL]
    assert "Archived and opened; select its sentence." in text_of(page)
    with Archive(tmp_path / "run", read_only=True) as archive:
        (exhibit,) = archive.find_url(URL)
        assert archive.open(exhibit.digest).body == FOUND.encode()
    assert page.xpath("//*[@class='paper']/@data-exhibit") == [exhibit.digest]
    assert "The Exchange will cancel the listing at the wish of the company." in text_of(page.xpath("//*[@class='paper']")[0])
    form = form_to(page, "/row/decide")
    assert (form.fields["note"], form.fields["announcement_date"], form.fields["url"]) == ("It was announced earlier", "2016-07-11", "")
    text = "The Exchange will cancel the listing"
    done = browser.send(
        form, kind="correct", reason_code_correct="earlier_disclosure", quote=text, quote_exhibit=exhibit.digest, next=None
    )  # fmt: skip
    assert "Corrected by local" in text_of(done)
    with Store(tmp_path / "run" / "s2r.db") as store:
        record = store.current("T-01")
    assert record is not None
    assert {(claim.field, claim.url, claim.quote, claim.match) for claim in record.claims if claim.exhibit == exhibit.digest} == {
        ("status", URL, text, "exact"), ("announcement_date", URL, text, "exact"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://[::1]:{port}/",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "",
    ],
)
def test_no_private_address_is_fetched_for_a_reviewer(tmp_path: Path, policy: Policy, made: dict[str, Page], address: str) -> None:
    """By default addresses of this machine and of private networks are refused before anything is sent; the form stays as it was filled in."""
    asked: list[str] = []
    with answering(asked) as port:
        browser = browser_at(tmp_path, policy)
        form = form_to(browser.send(form_to(browser.get("/row?id=T-01"), "/row/claim")), "/row/decide")
        page = browser.send(form, 422, to="/row/fetch", url=address.format(port=port), note="kept")
    assert asked == []
    assert "refused" in text_of(page.get_element_by_id("fault")) or "is no address of a page" in text_of(page.get_element_by_id("fault"))
    again = form_to(page, "/row/decide")
    assert (again.fields["url"], again.fields["note"]) == (address.format(port=port), "kept")


def judged(out: Path, row_id: str) -> str:
    """Let a record have been judged by a model; the digest of the exchange."""
    with KeptModels(out / "archive") as kept:
        digest = kept.keep_exchange(
            Exchange(
                at=AT, row_id=row_id, role=ModelRole.ADJUDICATOR, provider="compat", model="m-1", wire="openai", url="https://models.example/v1",
                purpose="judge", prompt="p", pack="k", request=json.dumps({"user": "<script>alert(1)</script> 上場廃止"}), status=200,
                body='{"status":"yes","why":"café <img src=x onerror=alert(1)>"}'.encode().decode("latin-1"),
            )
        )  # fmt: skip
    opinion = Opinion(judge="adjudicator", state="answered", model="m-1", exchanges=(digest,))
    with Store(out / "s2r.db") as store:
        record = store.current(row_id)
        assert record is not None
        told = Adjudication.model_validate({"arm": "web", "prompt": "p", "routing": "r", "opinions": [opinion]})
        store.append(record.model_copy(update={"adjudication": told}), inputs="asked", position=0, author="s2r", why="audit", now=AT)
    return digest


def test_the_raw_exchange_with_a_model_is_shown_as_text(tmp_path: Path, policy: Policy, made: dict[str, Page]) -> None:
    """The record leads to what was sent and answered, as it was archived; of another row, unknown or damaged it is refused."""
    digest = judged(tmp_path / "run", "T-01")
    browser = browser_at(tmp_path, policy)
    (link,) = browser.get("/row?id=T-01").xpath("//a[starts-with(@href, '/evidence/exchange')]/@href")
    page = browser.get(link)
    asked, answer = (element.text_content() for element in page.xpath("//pre"))
    assert json.loads(asked) == {"user": "<script>alert(1)</script> 上場廃止"}
    assert json.loads(answer) == {"status": "yes", "why": "café <img src=x onerror=alert(1)>"}
    assert page.xpath("//pre//*") == []
    assert "compat, m-1, 2026-03-02 09:30, HTTP 200" in text_of(page)
    told = browser.client.get("/api/v1/record/exchange", params={"row_id": "T-01", "digest": digest}).json()
    assert (json.loads(told["request"]), json.loads(told["answer"])["why"], told["status"]) == (
        json.loads(asked),
        "café <img src=x onerror=alert(1)>",
        200,
    )
    assert browser.client.get("/api/v1/record/exchange", params={"row_id": "T-02", "digest": digest}).status_code == 404
    browser.get(f"/evidence/exchange?row=T-02&digest={digest}", 404)
    browser.get("/evidence/exchange?row=T-01&digest=" + "0" * 64, 404)
    with sqlite3.connect(tmp_path / "run" / "archive" / "models.db") as db:
        db.execute("update exchange set content = x'00'")
    assert "Restore models.db from a copy" in text_of(browser.get(link, 410))


def test_vendors_stand_beside_the_record_with_their_differences_marked(tmp_path: Path, policy: Policy, made: dict[str, Page]) -> None:
    """Every vendor has a column: what its row means in the words of the record, then what else it delivered; only what differs is marked."""
    cells = {"name": "ALDERWICK INSTRUMENTS", "delisted": "2016-07-29", "remark": "<b>left</b>", "grade": "A"}
    wrong = VendorRow(
        number=2, says=Says.EVENT, issuer="ALDERWICK INSTRUMENTS", ticker="OLD", isin="US0000000001", reasons=("merger_acquisition", "voluntary"),
        dates={"effective": AT.date().replace(2016, 7, 29)}, cells=cells,
    )  # fmt: skip
    compared = [
        ("acme", Comparison(kind=Kind.WRONG_DATE, row_id="T-01", row=wrong, field="announcement_date", vendor_value="2016-07-29", our_value="2016-07-14", sentence="It gives another day.")),
        ("birch", Comparison(kind=Kind.CONFIRMED_NO_EVENT, row_id="T-01", row=VendorRow(number=9, says=Says.NO_EVENT), sentence="It has no event.")),
    ]  # fmt: skip
    for name, comparison in compared:
        (tmp_path / "run" / "vendor" / name).mkdir(parents=True)
        write_rows(tmp_path / "run" / "vendor" / name, [comparison], "2026-02-28")
    page = browser_at(tmp_path, policy).get("/row?id=T-01")
    table = page.xpath("//table[contains(@class, 'compare')]")[0]
    assert [text_of(cell) for cell in table.xpath(".//thead/tr/th")] == ["field", "record", "acme", "birch"]
    lines = {text_of(row.xpath("th")[0]): [text_of(cell) for cell in row.xpath("td")] for row in table.xpath(".//tbody/tr")}
    assert lines["issuer"] == ["Alderwick Instruments Inc.", "ALDERWICK INSTRUMENTS", ""]
    assert lines["ticker"] == ["ALDQ", "OLD differs", ""]
    assert lines["ISIN"] == ["", "US0000000001", ""]
    assert lines["answer"] == ["yes", "yes", "no differs"]
    assert lines["announcement date"] == ["2016-07-14", "2016-07-29 (effective) differs", ""]
    assert lines["reason"] == ["voluntary", "merger acquisition | voluntary", ""]
    assert (lines["remark"], lines["grade"]) == (["", "<b>left</b>", ""], ["", "A", ""])
    assert len(table.xpath(".//tr[@class='differs']")) == 3
    assert "acme (delivered 2026-02-28): wrong date. It gives another day." in text_of(page)
    assert table.xpath(".//b") == []

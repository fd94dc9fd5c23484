"""The pages of the workbench without a browser: what they show, what they refuse, and that all of it works without scripts."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from conftest import REPO
from factories import listing, record, settings
from lxml import html as lxml_html
from review_world import AT, fill, review_policy
from starlette.testclient import TestClient
from web_client import Browser, form_to, text_of

from s2r.errors import PolicyError
from s2r.models import Page, Route
from s2r.policy import Policy
from s2r.policy.review import load_review
from s2r.report.texts import TEXTS
from s2r.store import Store
from s2r.web.app import create_app
from s2r.web.desk import WebDesk
from s2r.web.inert import PAGE_CSP

HTMX = "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"
WEB = REPO / "s2r" / "web"


@pytest.fixture
def world(tmp_path: Path, policy: Policy) -> Iterator[tuple[Browser, dict[str, Page]]]:
    """Five rows and a browser at the service over them; nobody decides twice."""
    pages = fill(tmp_path / "run", 5)
    review = review_policy(tmp_path / "policies", share=0.0)
    desk = WebDesk(out=tmp_path / "run", policy=policy, policies=review, settings=settings(), clock=lambda: AT)
    with TestClient(create_app(desk), base_url="http://127.0.0.1") as client:
        yield Browser(client), pages


def test_htmx_is_the_file_that_was_looked_at() -> None:
    """The one vendored script is the file of the release whose digest docs/decisions names."""
    content = (WEB / "static" / "htmx.min.js").read_bytes()
    assert hashlib.sha256(content).hexdigest() == HTMX
    assert any(HTMX in path.read_text("utf-8") for path in (REPO / "docs" / "decisions").glob("*.md"))


def test_the_words_are_those_that_are_asked_for() -> None:
    """Each text that a template or route names is there, in words.toml or among those of the report, and each of ours is used."""
    words = tomllib.loads((WEB / "words.toml").read_text("utf-8"))
    ours = {f"{section}.{name}" for section, entries in words.items() if isinstance(entries, dict) for name in entries}
    sources = "\n".join(p.read_text("utf-8") for p in [*WEB.rglob("*.py"), *(WEB / "templates").glob("*.j2")])
    named = set(re.findall(r"""\b(?:t|say)\(\s*["']([a-z_]+(?:\.[a-z_]+)?)["']\s*[,)]""", sources))
    assert named <= ours | set(TEXTS) | {"lang", "product"}
    put_together = (*re.findall(r"""["']([a-z]+\.[a-z_]*)["'] ~""", sources), *re.findall(r"""f["']([a-z]+\.[a-z_]*)\{""", sources))
    assert not {key for key in ours if f'"{key}"' not in sources and not key.startswith(put_together)}


def test_queue_shows_exact_counts_and_filters_by_address(world: tuple[Browser, dict[str, Page]]) -> None:
    """The address is the filter; counts name all rows; an unknown value is refused with what would do."""
    browser, _ = world
    page = browser.get("/queue?text=alderwick")
    assert "1 of 5 waiting rows" in text_of(page)
    assert [text_of(link) for link in page.xpath("//table//th/a")] == ["Alderwick Instruments Inc."]
    assert page.get_element_by_id("main").xpath(".//input[@name='text']/@value") == ["alderwick"]
    assert "Use one of" in text_of(browser.get("/queue?state=lost", 400))


def test_the_quote_is_marked_at_its_characters(world: tuple[Browser, dict[str, Page]]) -> None:
    """Text and layout mark the quote of each proof; the layout has its own path, a policy without any source, and no script."""
    browser, pages = world
    digest = pages["T-01"].digest
    page = browser.get("/row?id=T-01")
    assert [text_of(mark) for mark in page.xpath("//*[@class='paper']//mark")] == [
        "14 July 2016", "The Exchange has today decided to cancel the listing of the common stock of Alderwick Instruments Inc. & its trading.",
    ]  # fmt: skip
    frame = page.xpath("//li/a[contains(@href, '/evidence/text')]")[0]
    assert frame.get("href").endswith("#claim-1")
    answer = browser.client.get(f"/evidence/page?row=T-01&exhibit={digest}")
    assert answer.headers["content-security-policy"] == PAGE_CSP
    shown = lxml_html.fromstring(answer.text)
    assert text_of(shown.xpath("//span[@id='claim-1']/following-sibling::mark[1]")[0]) == "14 July 2016"
    assert not shown.xpath("//script | //img | //a[@href] | //*[@style]")
    assert browser.get("/evidence/page?row=T-01&exhibit=../../etc/passwd", 404) is not None


def test_original_bytes_are_an_attachment(world: tuple[Browser, dict[str, Page]]) -> None:
    """The download has the archived bytes, a harmless type and a plain name."""
    browser, pages = world
    page = pages["T-02"]
    answer = browser.client.get(f"/evidence/original?row=T-02&exhibit={page.digest}")
    assert "sha256:" + hashlib.sha256(answer.content).hexdigest() == page.digest
    assert answer.headers["content-type"] == "application/octet-stream"
    assert re.fullmatch(r'attachment; filename="exchange\.example-[0-9a-f]{12}\.html"', answer.headers["content-disposition"])
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


def test_claim_confirm_and_undo_by_forms_alone(world: tuple[Browser, dict[str, Page]]) -> None:
    """Claim next, confirm, and the next row is open with a way to undo; the undone row waits again."""
    browser, _ = world
    row = browser.send(form_to(browser.get("/queue"), "/queue/claim-next"))
    first = form_to(row, "/row/decide").fields["id"]
    row = browser.send(form_to(row, "/row/decide"), kind="confirm")
    assert form_to(row, "/row/decide").fields["id"] != first
    assert "Confirmed by local" in text_of(row)
    assert "4 of 4 waiting rows" in text_of(browser.get("/queue"))
    undone = browser.send(form_to(row, "/row/undo"))
    assert "confirm was taken back" in text_of(undone)
    assert "5 of 5 waiting rows" in text_of(browser.get("/queue"))


def test_a_correction_takes_the_selected_sentence(world: tuple[Browser, dict[str, Page]]) -> None:
    """The new date has the sentence as its proof; what is missing is said above the form, which keeps what was filled in."""
    browser, pages = world
    page = pages["T-01"]
    row = browser.send(form_to(browser.get("/row?id=T-01"), "/row/claim"))
    start = page.text.index("The company had said on 12 July 2016")
    end = page.text.index(".", start) + 1
    form = form_to(row, "/row/decide")
    refused = browser.send(form, 422, kind="correct", announcement_date="2016-07-12", note="Kept note", next=None)
    assert "a corrected yes needs a quote" in text_of(refused.get_element_by_id("fault"))
    again = form_to(refused, "/row/decide")
    assert (again.fields["announcement_date"], again.fields["note"]) == ("2016-07-12", "Kept note")
    done = browser.send(again, kind="correct", evidence=f"{page.digest}|{start}|{end}")
    assert "Corrected by local" in text_of(done)
    assert "2016-07-12" in text_of(done.get_element_by_id("claims").getparent())
    assert page.text[start:end] in [text_of(q) for q in done.xpath("//ol[@class='claims']//q")]


def test_a_pasted_sentence_is_found_in_its_page(world: tuple[Browser, dict[str, Page]]) -> None:
    """Without scripts a sentence is pasted; one that does not stand in the page is refused."""
    browser, pages = world
    row = browser.send(form_to(browser.get("/row?id=T-03"), "/row/claim"))
    given: dict[str, object] = {"kind": "correct", "announcement_date": "2016-07-12", "quote_exhibit": pages["T-03"].digest, "next": None}
    refused = browser.send(form_to(row, "/row/decide"), 422, quote="It never said so.", **given)
    assert "does not stand in the page" in text_of(refused.get_element_by_id("fault"))
    done = browser.send(form_to(refused, "/row/decide"), quote="the company HAD said on 12 July 2016", **given)
    assert "Corrected by local" in text_of(done)


def test_a_stale_decision_shows_what_stands(world: tuple[Browser, dict[str, Page]]) -> None:
    """Two windows on one row: the second one is told the newer revision and changes nothing."""
    browser, _ = world
    row = browser.send(form_to(browser.get("/row?id=T-01"), "/row/claim"))
    form = form_to(row, "/row/decide")
    browser.send(form, kind="reject", next=None)
    stale = browser.send(form, 409, kind="confirm", key="another", next=None)
    assert "You looked at revision 1. Revision 2 was made by local" in text_of(stale)
    assert "abstain" in text_of(stale)


def test_keys_are_kept_by_the_browser(world: tuple[Browser, dict[str, Page]]) -> None:
    """A changed key stands on its button; one key for two actions is refused; the given keys come back."""
    browser, _ = world
    form = form_to(browser.get("/keys"), "/keys")
    browser.send(form, claim="y")
    assert browser.get("/queue").xpath("//button[@data-key='claim']/@aria-keyshortcuts") == ["y"]
    assert "cannot be a key" in text_of(browser.send(form, 422, claim="y", undo="y"))
    browser.send(form, default="yes")
    assert browser.get("/queue").xpath("//button[@data-key='claim']/@aria-keyshortcuts") == ["g"]


def test_colours_are_kept_and_lead_nowhere_else(world: tuple[Browser, dict[str, Page]]) -> None:
    """The switch keeps the colours, leads back to where it was pressed, and never to another site."""
    browser, _ = world
    form = form_to(browser.get("/queue?text=x"), "/theme")
    page = browser.send(form, theme="dark")
    assert page.get("data-theme") == "dark"
    assert page.xpath("//input[@name='text']/@value") == ["x"]
    for address in ("//evil.example", "/\\evil.example", "https://evil.example"):
        answer = browser.client.post("/theme", data=dict(form.form_values()) | {"back": address}, follow_redirects=False)
        assert answer.headers["location"] == "/"


def test_views_are_saved_and_forgotten(world: tuple[Browser, dict[str, Page]]) -> None:
    """A filter under a name is a link in the list of views until it is deleted."""
    browser, _ = world
    page = browser.send(form_to(browser.get("/queue?market=XNAS&sort=issuer"), "/queue/views"), name="Nasdaq <b>")
    link = page.xpath("//a[bdi='Nasdaq <b>']")[0]
    assert unquote(link.get("href")) == "/queue?market=XNAS&sort=issuer"
    assert "No view is saved" in text_of(browser.send(form_to(page, "/queue/views/delete")))


def test_an_empty_folder_says_so(tmp_path: Path, policy: Policy, policies: Path) -> None:
    """Before the first audit there is a home page that says what to wait for, and a queue that says so too."""
    desk = WebDesk(
        out=tmp_path, policy=policy, policies=policies, settings=settings(), clock=lambda: dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
    )
    browser = Browser(TestClient(create_app(desk), base_url="http://127.0.0.1"))
    assert "There are no records yet" in text_of(browser.get("/"))
    assert "There are no records yet" in text_of(browser.get("/queue", 503))


def test_the_policy_gives_the_keys(tmp_path: Path, policy: Policy) -> None:
    """A key of review.toml stands on the buttons; two actions with one key are a fault that names both."""
    fill(tmp_path / "run", 1)
    review = review_policy(tmp_path / "policies", share=0.0)
    text = (review / "review.toml").read_text("utf-8")
    (review / "review.toml").write_text(text.replace('confirm = "c"', 'claim = "z"'), "utf-8")
    desk = WebDesk(out=tmp_path / "run", policy=policy, policies=review, settings=settings(), clock=lambda: AT)
    page = Browser(TestClient(create_app(desk), base_url="http://127.0.0.1")).get("/queue")
    assert page.xpath("//button[@data-key='claim']/@aria-keyshortcuts") == ["z"]
    (review / "review.toml").write_text(text.replace('confirm = "c"', 'confirm = "u"'), "utf-8")
    with pytest.raises(PolicyError, match="stands for confirm, too"):
        load_review(review)


def test_export_is_what_is_on_screen_and_comes_back_edited(world: tuple[Browser, dict[str, Page]]) -> None:
    """The export of a filter has its rows in their order; edited and sent back it adds decisions once, and tells of rows that have changed."""
    browser, _ = world
    browser.get("/queue")
    browser.client.app.state.bench.store.execute("update review_item set priority = position")  # the other way round than by issuer
    page = browser.get("/queue?sort=issuer&text=inc.")
    link = next(a.get("href") for a in page.xpath("//a") if "format=csv" in (a.get("href") or ""))
    answer = browser.client.get(link)
    assert answer.headers["content-disposition"] == 'attachment; filename="review-queue.csv"'
    table = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert [line["issuer"] for line in table] == [text_of(a) for a in page.xpath("//table//th/a")]
    for line in table[:2]:
        line |= {"decision": "confirm", "reason_code": "evidence_holds", "note": "from a spreadsheet"}
    edited = io.StringIO()
    writer = csv.DictWriter(edited, list(table[0]))
    writer.writeheader()
    writer.writerows(table)

    def send(text: str, name: str = "edited.csv", status: int = 200) -> str:
        form = form_to(browser.get("/exchange"), "/exchange")
        sent = browser.client.post("/exchange", data={"csrf_token": form.fields["csrf_token"]}, files={"file": (name, text.encode())})
        assert sent.status_code == status, sent.text
        return text_of(lxml_html.fromstring(sent.text).get_element_by_id("main"))

    assert "2 decisions added · 0 known already · 3 rows without a decision · 0 refused" in send(edited.getvalue())
    assert "0 decisions added · 2 known already" in send(edited.getvalue())
    stale = edited.getvalue().replace("evidence_holds,,,,,,from", "other,,,,,,from")
    assert stale != edited.getvalue()
    told = send(stale, "<img src=x onerror=alert(1)>.csv", 422)
    assert "2 refused" in told
    assert "revision 1 was edited, but revision 2 by local" in told
    assert "<img src=x" in told
    assert "column row_id" in send("a,b\n1,2\n", status=422)
    assert browser.client.get("/export?format=xlsx&state=decided").content[:2] == b"PK"


def test_alike_rows_are_confirmed_at_once(tmp_path: Path, policy: Policy) -> None:
    """Noes of one market and reason are one group; one press decides them all, each by itself, and the queue is empty."""
    out = tmp_path / "run"
    with Store(out / "s2r.db") as store:
        store.start_run("r-test", version="1", policy="p", manifest={}, now=AT)
        for number in range(3):
            made = record(listing(number), route=Route.REVIEW, route_reasons=("Too little was read.",), confidence=0.9)
            store.append(made, inputs=f"i{number}", position=number, author="s2r", why="audit", now=AT)
    review = review_policy(tmp_path / "policies", share=0.0)
    desk = WebDesk(out=out, policy=policy, policies=review, settings=settings(), clock=lambda: AT)
    browser = Browser(TestClient(create_app(desk), base_url="http://127.0.0.1"))
    page = browser.get("/alike")
    assert "3 rows: no · XNAS" in text_of(page)
    done = browser.send(form_to(page, "/queue/bulk"), reason_code="nothing_found")
    assert "3 rows were decided at once" in text_of(done)
    assert "No rows here may be decided at once" in text_of(done)
    assert "0 of 0 waiting rows" in text_of(browser.get("/queue"))

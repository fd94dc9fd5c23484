"""The workbench in Debian's Chromium: one browser and one service for all tests."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from browser_attacks import ATTACKS
from browser_world import PASSWORD, WAIT_MS, Service, serving
from playwright.sync_api import Page, expect
from review_world import AT, TOGETHER, fill, review_policy

from s2r.modelapi import KeptModels
from s2r.modelapi.keep import Exchange
from s2r.modelapi.types import ModelRole
from s2r.models import Adjudication, Opinion
from s2r.models import Page as Document
from s2r.policy import Policy
from s2r.policy.review import load_review
from s2r.reviews import Decision, Kind, SavedView, State, decide, item, open_workbench, save_view
from s2r.vendor.rows import write_rows
from s2r.vendor.types import Comparison, Says, VendorRow
from s2r.vendor.types import Kind as Differs

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::ResourceWarning")]
ROWS = 32
HOSTILE = -(-len(ATTACKS) // TOGETHER)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """Rows with proofs and rows made of attacks; pages by row."""
    return fill(tmp_path_factory.getbasetemp() / "browser", ROWS, ATTACKS)


@pytest.fixture(scope="module")
def service(pages: dict[str, Document], tmp_path_factory: pytest.TempPathFactory, policy: Policy, chromium: str) -> Iterator[Service]:
    """The service over them, in a thread of its own; nobody has to decide twice."""
    base = tmp_path_factory.mktemp("policies")
    with serving(tmp_path_factory.getbasetemp() / "browser", policy, review_policy(base / "policies", share=0.0), chromium) as made:
        yield made


@pytest.fixture(autouse=True)
def no_fault(service: Service) -> Iterator[None]:
    """No page complains on its console, opens a dialog or asks another host."""
    service.faults.clear()
    yield
    assert service.faults == []


def row_id(page: Page) -> str:
    """The row whose page is open."""
    found = re.search(r"[?&]id=([^&]+)", page.url)
    assert found, page.url
    return found[1]


def test_from_the_login_to_the_marked_quote(service: Service) -> None:
    """Log in, open the queue, filter it, claim, and the evidence is open at the marked quote; the layout shows the same, inert."""
    context = service.browser.new_context(base_url=service.address)
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    service.watch(page)
    page.goto("/queue?text=T-01")
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(re.compile("/queue"))
    page.get_by_role("searchbox").fill("alderwick instruments")
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("status").filter(has_text="waiting rows")).to_contain_text(f"1 of {ROWS + HOSTILE}")
    page.get_by_role("link", name="Alderwick Instruments Inc.").click()
    page.get_by_role("button", name="Claim this row").click()
    expect(page.get_by_text("You hold this row")).to_be_visible()
    now = page.locator(".paper mark.now")
    expect(now).to_have_text("14 July 2016")
    expect(now).to_be_in_viewport()
    page.get_by_role("link", name="status: yes").click()
    expect(page.locator(".paper mark.now")).to_contain_text("The Exchange has today decided")
    page.get_by_role("link", name="Page", exact=False).first.click()
    frame = page.frame_locator("iframe.page")
    expect(frame.locator("#claim-2 + mark")).to_have_text("The Exchange has today decided to cancel the listing of the ")
    expect(frame.locator("b mark")).to_have_text("common stock")
    assert page.locator("iframe.page").get_attribute("sandbox") == ""
    page.get_by_role("button", name="Release").click()
    context.close()


def test_correct_a_date_by_selecting_its_sentence(service: Service) -> None:
    """A click on a sentence takes it as evidence and offers its date; the correction stands with that proof."""
    with service.user("anna") as page:
        page.goto("/row?id=T-05")
        page.get_by_role("button", name="Claim this row").click()
        page.locator(".paper .s", has_text="The company had said on 12 July 2016").click()
        expect(page.locator("#chosen q")).to_contain_text("The company had said on 12 July 2016")
        page.get_by_role("button", name="Use 2016-07-12").click()
        expect(page.locator("#announcement_date")).to_have_value("2016-07-12")
        page.get_by_label("Then open the next row").uncheck()
        page.get_by_role("button", name="Save correction").click()
        expect(page.locator(".said")).to_contain_text("Corrected by anna")
        expect(page.locator("ol.claims li").first).to_contain_text("2016-07-12")
        expect(page.locator("ol.claims q").first).to_contain_text("The company had said on 12 July 2016 that it asks")
        expect(page.locator(".paper mark.now")).to_contain_text("The company had said on 12 July 2016")


def test_part_of_a_sentence_is_taken_as_it_was_drawn(service: Service, pages: dict[str, Document]) -> None:
    """A selection by mouse keeps its very characters, counted in the text of the page."""
    with service.user("anna") as page:
        page.goto("/row?id=T-06")
        page.get_by_role("button", name="Claim this row").click()
        page.locator(".paper").evaluate(
            """(paper) => {
              const walk = document.createTreeWalker(paper, NodeFilter.SHOW_TEXT); let node;
              while ((node = walk.nextNode())) { const at = node.data.indexOf("29 July 2016"); if (at >= 0) {
                const range = document.createRange(); range.setStart(node, at); range.setEnd(node, at + 12);
                getSelection().removeAllRanges(); getSelection().addRange(range); node.parentElement.dispatchEvent(
                  new MouseEvent("mouseup", {bubbles: true})); return; } } }"""
        )
        text = pages["T-06"].text
        span = page.locator("#chosen input").input_value().split("|")
        assert text[int(span[1]) : int(span[2])] == "29 July 2016"
        page.get_by_role("button", name="Release").click()


def test_second_review_is_blind_and_a_disagreement_is_settled(service: Service) -> None:
    """The second reviewer sees nothing of the first; both decisions stand side by side for the adjudicator, who settles the row."""
    bench = open_workbench(service.desk.out, service.desk.policy, load_review(service.desk.policies))
    row = "T-02"
    bench.store.execute("update review_item set second = 1 where row_id = ?", [row])
    decide(bench, Decision(row_id=row, kind=Kind.REJECT, by="anna", seen=1, reason_code="not_proven", note="Seen by anna only"), AT)
    assert item(bench, row, AT).state is State.SECOND
    bench.store.close()
    with service.user("ben") as page:
        page.goto("/second")
        page.get_by_role("link", name="Brantholm").click()
        expect(page.get_by_text("what the first reviewer decided is hidden")).to_be_visible()
        expect(page.locator("body")).not_to_contain_text("Seen by anna only")
        expect(page.locator("main")).not_to_contain_text("anna")
        page.get_by_role("button", name="Claim this row").click()
        page.get_by_role("button", name="Confirm").click()
        expect(page.locator(".said")).to_contain_text("an adjudicator decides")
    with service.user("cora") as page:
        page.goto("/disagreements")
        page.get_by_role("link", name="Brantholm").click()
        expect(page.locator("#both")).to_be_visible()
        expect(page.get_by_text("Seen by anna only").first).to_be_visible()
        page.get_by_role("button", name="Claim this row").click()
        page.get_by_label("Then open the next row").uncheck()
        page.get_by_role("button", name="Confirm").click()
        expect(page.locator(".said")).to_contain_text("Confirmed by cora")
        expect(page.locator("main .badge").first).to_have_text("decided")


def test_twenty_rows_by_keys_alone(service: Service) -> None:
    """Claim, look, confirm, reject, undo and correct twenty rows without a mouse; the focus never has to be placed."""
    with service.user("ben") as page:
        page.goto("/queue?text=inc.")
        page.keyboard.press("g")
        done: list[str] = []
        for number in range(20):
            page.wait_for_selector("form#decide")
            done.append(row_id(page))
            if number == 3:
                correct_by_keys(page)
            elif number % 5 == 1:
                page.keyboard.press("n")
                expect(page.locator(".paper mark.now")).to_contain_text("The Exchange has today decided")
                page.keyboard.press("r")
            else:
                page.keyboard.press("c")
            page.wait_for_url(lambda url, last=done[-1]: f"id={last}&" not in url)
        assert len(set(done)) == 20
        last = done[-1]
        page.keyboard.press("u")
        expect(page.locator(".said")).to_contain_text(f"{last}: confirm was taken back")
        page.keyboard.press("q")
        expect(page.locator("h1")).to_have_text("Queue")
    bench = open_workbench(service.desk.out, service.desk.policy, load_review(service.desk.policies))
    states = {item(bench, one, AT).state for one in done[:-1]}
    bench.store.close()
    assert states == {State.DECIDED}


def correct_by_keys(page: Page) -> None:
    """Go to the sentences, take the last but one, use its date, and save."""
    page.keyboard.press("s")
    page.keyboard.press("ArrowDown")
    for _ in range(12):
        if "had said on 12 July" in page.evaluate("document.activeElement.textContent"):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen q")).to_contain_text("12 July 2016")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    page.keyboard.press("Control+a")
    page.keyboard.type("2016-07-12")
    page.keyboard.press("Control+Enter")


def test_an_edited_export_is_imported(service: Service, tmp_path: Path) -> None:
    """Download what is on screen, edit it, upload it: the decision counts, and the same file again adds nothing."""
    with service.user("anna") as page:
        page.goto("/queue?text=T-32")
        with page.expect_download() as download:
            page.get_by_role("link", name="Export what is shown (CSV)").click()
        lines = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))
        assert [line["row_id"] for line in lines] == ["T-32"]
        lines[0] |= {"decision": "confirm", "reason_code": "evidence_holds"}
        edited = tmp_path / "<b>edited<img src=x>.csv"
        with edited.open("w", newline="", encoding="utf-8-sig") as out:
            writer = csv.DictWriter(out, list(lines[0]))
            writer.writeheader()
            writer.writerows(lines)
        for told in ("1 decisions added · 0 known already", "0 decisions added · 1 known already"):
            page.goto("/exchange")
            page.get_by_label("Edited file").set_input_files(edited)
            page.get_by_role("button", name="Import").click()
            expect(page.locator("main [role=status]")).to_contain_text(told)
        expect(page.locator("h2#result")).to_contain_text("<b>edited<img src=x>.csv")


MADE_OF_ATTACKS = """() => document.querySelectorAll(
  "script:not([src^='/static/']), style, iframe:not(.page), object, embed, base, meta[http-equiv], svg script, svg foreignObject, [srcdoc], [style]"
).length + [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on") || a.name.startsWith("hx-on"))).length"""


def test_no_attack_runs(service: Service, pages: dict[str, Document]) -> None:
    """Payloads in titles, names, pages, notes, addresses: no script runs, no element of theirs is made, nothing loads from elsewhere."""
    assert len(ATTACKS) >= 60
    rows = sorted({name.split("/")[0] for name in pages if name.startswith("X-")})
    bench = open_workbench(service.desk.out, service.desk.policy, load_review(service.desk.policies))
    for number, row in enumerate(rows[::3]):
        note = " ".join(ATTACKS[number * 18 : number * 18 + 18])
        decide(bench, Decision(row_id=row, kind=Kind.REJECT, by="anna", seen=1, reason_code="not_proven", note=note), AT)
    bench.store.close()
    with service.user("dora") as page:
        page.add_init_script("window.__ran = []; window.alert = (x) => window.__ran.push(String(x));")
        states = "&state=open&state=decided"
        addresses = [f"/queue?text=Bad&sort=row{states}", "/", "/log", *(f"/row?id={row}" for row in rows)]
        for address in addresses:
            page.goto(address)
            assert page.evaluate("window.__ran") == []
            assert page.evaluate(MADE_OF_ATTACKS) == 0, address
        page.goto("/keys")
        exhibits = [(name.split("/")[0], document.digest) for name, document in pages.items() if name.startswith("X-")]
        assert len(exhibits) == len(ATTACKS)
        page.evaluate(
            """(all) => Promise.all(all.map(([row, digest]) => new Promise((done) => {
                 const frame = document.createElement("iframe"); frame.onload = done;
                 frame.src = "/evidence/page?" + new URLSearchParams({row, exhibit: digest}); document.body.append(frame); })))""",
            exhibits,
        )
        frames = [frame for frame in page.frames if "/evidence/page" in frame.url]
        assert len(frames) == len(ATTACKS)
        for frame in frames:
            assert frame.evaluate("window.__ran") == []
            assert frame.evaluate("document.querySelectorAll('script, img, svg, link, iframe, form, a[href], body [style]').length") == 0


@pytest.mark.proof
def test_no_attack_runs_in_names_of_files_views_vendors_and_models(service: Service) -> None:
    """Payloads as file names, names of views, vendors' cells, exchanges with models, and in addresses of pages that then say what is wrong."""
    out, all_of = service.desk.out, " ".join(ATTACKS)
    (out / "vendor" / "acme").mkdir(parents=True)
    row = VendorRow(
        number=1, says=Says.EVENT, issuer=all_of, ticker=ATTACKS[0], cells={f"{attack} {n}": attack for n, attack in enumerate(ATTACKS)}
    )
    write_rows(
        out / "vendor" / "acme",
        [Comparison(kind=Differs.WRONG_DATE, row_id="T-07", row=row, field="announcement_date", vendor_value=all_of, sentence=all_of)],
        all_of,
    )
    with KeptModels(out / "archive") as kept:
        asked = Exchange(
            at=AT,
            row_id="T-08",
            role=ModelRole.ADJUDICATOR,
            provider=all_of,
            model=all_of,
            wire="",
            url="",
            purpose="",
            prompt="",
            pack="",
            request=all_of,
            body=all_of.encode().decode("latin-1"),
            cause=all_of,
        )
        digest = kept.keep_exchange(asked)
    bench = open_workbench(out, service.desk.policy, load_review(service.desk.policies))
    record = bench.store.current("T-08")
    assert record is not None
    opinion = Opinion(judge=all_of, state="failed", cause=all_of, model=all_of, exchanges=(digest,))
    told = Adjudication.model_validate({"arm": "web", "prompt": "p", "routing": "r", "opinions": [opinion]})
    bench.store.append(record.model_copy(update={"adjudication": told}), inputs="asked", position=7, author=all_of, why=all_of, now=AT)
    for attack in ATTACKS:
        save_view(bench, SavedView(name=attack[:80], by="dora", query=""), AT)
    bench.store.close()
    wrong = [
        f"{address}{quote(attack)}"
        for attack in ATTACKS[::6]
        for address in ("/row?id=", "/queue?text=", "/queue?state=", "/log?row=", "/log/access?who=", "/logout?x=")
    ]
    addresses = ["/row?id=T-07", "/row?id=T-08", f"/evidence/exchange?row=T-08&digest={digest}", "/queue", *wrong]
    with service.user("dora") as page:
        page.add_init_script("window.__ran = []; window.alert = (x) => window.__ran.push(String(x));")

        def harmless(where: str) -> None:
            assert page.evaluate("window.__ran") == [], where
            assert page.evaluate(MADE_OF_ATTACKS) == (1 if where.startswith("/logout") else 0), where  # the login has a style of its own

        for address in addresses:
            page.goto(address)
            harmless(address)
        for start in range(0, len(ATTACKS), 6):
            name = " ".join(ATTACKS[start : start + 6]).replace("/", "").replace("\\", "")
            page.goto("/exchange")
            page.get_by_label("Edited file").set_input_files({"name": f"{name}.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"})
            page.get_by_role("button", name="Import").click()
            expect(page.get_by_role("alert")).to_contain_text("the column row_id is missing")
            harmless(name)
    service.faults[:] = [fault for fault in service.faults if "responded with a status of 4" not in fault]

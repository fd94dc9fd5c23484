"""Every page of the workbench in light and dark, wide and narrow: kept as pictures, nothing wider than the screen, nothing that axe-core finds
serious. `SHEETS=folder` keeps the pictures there."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from browser_show import show
from browser_world import PASSWORD, Service, serving
from playwright.sync_api import FilePayload, Page
from review_world import review_policy

from s2r.policy import Policy
from s2r.reviews.exchange import COLUMNS
from s2r.store import Store
from s2r.web.app import routes_of

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.filterwarnings("ignore::ResourceWarning")]
AXE = "axe-core@4.14.1"
MODES = {"light-wide": ("light", 1440), "dark-wide": ("dark", 1440), "light-narrow": ("light", 390), "dark-narrow": ("dark", 390)}
# what is no page: files, tables, bytes, pieces of pages, and what programs read
NO_PAGES = frozenset(
    {"/style.css", "/export", "/evidence/original", "/evidence/panel", "/evidence/dates", "/healthz", "/readyz", "/metrics", "/static"}
)
Step = Callable[[Page], None]


def claim(page: Page) -> None:
    """Hold the row that is open, unless it is held already."""
    for button in page.get_by_role("button", name="Claim this row").all():
        button.click()
        page.wait_for_selector("form#decide")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")


def stale(page: Page) -> None:
    """Decide over a revision that does not stand."""
    claim(page)
    page.evaluate("document.querySelector('#decide [name=seen]').value = '9'")
    page.locator("#decide button[value=reject]").click()


def unproven(page: Page) -> None:
    """Correct a date without a sentence that proves it."""
    claim(page)
    page.locator("#announcement_date").fill("2016-07-12")
    page.locator("#decide button[value=correct]").click()


def fetched(page: Page) -> None:
    """Ask for a page of a private address."""
    claim(page)
    page.locator("#decide [name=url]").fill("http://169.254.169.254/latest/meta-data")
    page.get_by_role("button", name="Fetch and archive").click()
    page.wait_for_selector("#fault")


def wrong(page: Page) -> None:
    """Give a wrong password."""
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Password").fill(PASSWORD + "?")
    page.get_by_role("button", name="Log in").click()


def imported(*lines: dict[str, str], head: Sequence[str] = COLUMNS) -> Step:
    """Upload an edited export with these lines."""
    text = io.StringIO()
    writer = csv.DictWriter(text, head)
    writer.writeheader()
    writer.writerows(lines)

    def upload(page: Page) -> None:
        file: FilePayload = {"name": "edited by anna.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()}
        page.get_by_label("Edited file").set_input_files(file)
        page.get_by_role("button", name="Import").click()
        page.locator("h2#result, [role=alert]").first.wait_for()

    return upload


RIGHT = {"row_id": "T-40", "revision": "1", "decision": "confirm", "reason_code": "evidence_holds"}
BAD = {"row_id": "T-41", "revision": "7", "decision": "confirm", "reason_code": "evidence_holds"}
NONE = {"row_id": "T-42", "revision": "1", "decision": "approve", "reason_code": "evidence_holds"}
# name of the picture, user, address, and what is done there before it is taken
SHOWN: tuple[tuple[str, str, str, Step | None], ...] = (
    ("home", "dora", "/", None),
    ("queue", "dora", "/queue", None),
    (
        "queue-every-state",
        "dora",
        "/queue?sort=issuer&state=open&state=decided&state=second&state=disagreed&state=returned&state=undecided",
        None,
    ),
    ("queue-of-the-world", "dora", "/queue?text=W-", None),
    ("queue-empty", "dora", "/queue?text=zzzz", None),
    ("queue-viewer", "vic", "/queue", None),
    ("second", "ben", "/second", None),
    ("disagreements", "cora", "/disagreements", None),
    ("alike", "dora", "/alike", None),
    ("alike-none", "dora", "/alike?text=zzzz", None),
    ("row-vendors", "dora", "/row?id=T-01", None),
    ("row-decide", "anna", "/row?id=T-02", claim),
    ("row-layout", "dora", "/row?id=T-05&view=page", None),
    ("row-model", "dora", "/row?id=T-03", None),
    ("row-second-review", "ben", "/row?id=T-15", claim),
    ("row-adjudication", "cora", "/row?id=T-12", claim),
    ("row-decided", "dora", "/row?id=T-16", None),
    ("row-returned", "dora", "/row?id=T-35", None),
    ("row-no-evidence", "dora", "/row?id=Q-61", None),
    ("row-viewer", "vic", "/row?id=T-06", None),
    ("row-ja", "dora", "/row?id=W-ja", None),
    ("row-ar", "dora", "/row?id=W-ar", None),
    ("row-he-decide", "ben", "/row?id=W-he", claim),
    ("row-long", "dora", "/row?id=W-de", None),
    ("row-fault", "anna", "/row?id=T-07", unproven),
    ("row-fetch-refused", "anna", "/row?id=T-08", fetched),
    ("evidence-text", "dora", "/evidence/text?row=T-01&exhibit={T-01}&claim=1", None),
    ("evidence-text-ar", "dora", "/evidence/text?row=W-ar&exhibit={W-ar}&claim=1", None),
    ("evidence-page", "dora", "/evidence/page?row=T-01&exhibit={T-01}", None),
    ("evidence-page-ar", "dora", "/evidence/page?row=W-ar&exhibit={W-ar}", None),
    ("evidence-gone", "dora", "/row?id=T-01&exhibit=sha256:" + "0" * 64, None),
    ("model-exchange", "dora", "/evidence/exchange?row=T-03&digest={model T-03}", None),
    ("exchange", "dora", "/exchange", None),
    ("exchange-imported", "anna", "/exchange", imported(RIGHT, {"row_id": "T-43"})),
    ("exchange-refused", "anna", "/exchange", imported(BAD, NONE)),
    ("exchange-no-table", "anna", "/exchange", imported(head=("a", "b"))),
    ("log", "dora", "/log", None),
    ("log-empty", "dora", "/log?row=nothing", None),
    ("log-access", "dora", "/log/access", None),
    ("keys", "dora", "/keys", None),
    ("login", "", "/login", None),
    ("login-wrong", "", "/login", wrong),
    ("logout", "dora", "/logout", None),
    ("error-403", "vic", "/log/access", None),
    ("error-404-row", "dora", "/row?id=nothing", None),
    ("error-404-page", "dora", "/nothing", None),
    ("error-409-stale", "anna", "/row?id=T-09", stale),
    ("error-400-filter", "dora", "/queue?state=lost", None),
)
# the same before the first audit
EMPTY = tuple(
    (f"empty-{name}", "dora", address, None)
    for name, address in (("home", "/"), ("queue", "/queue"), ("log", "/log"), ("exchange", "/exchange"))
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, policy: Policy, chromium: str) -> Iterator[Service]:
    """The service over a folder with one of everything."""
    base = tmp_path_factory.mktemp("sheets")
    policies = review_policy(base / "policies", share=0.0)
    show(base / "run", policy, policies)
    with serving(base / "run", policy, policies, chromium) as made:
        yield made


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checker of accessibility, from the npm registry; it is not part of this repository."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("there is no npm here, which would fetch axe-core")
    try:
        subprocess.run([npm, "pack", AXE, "--silent"], cwd=folder, check=True, capture_output=True, timeout=60)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip(f"the npm registry gives no {AXE}")
    with tarfile.open(next(folder.glob("*.tgz"))) as packed:
        member = packed.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


def address_of(out: Path, address: str) -> str:
    """An address with the digests that it names filled in: of the first proof of a row, or of the exchange with a model."""
    for row in re.findall(r"{([^}]+)}", address):
        with Store(out / "s2r.db") as store:
            record = store.current(row.removeprefix("model "))
        assert record is not None
        asked = record.adjudication.opinions if record.adjudication else ()
        digests = [digest for opinion in asked for digest in opinion.exchanges]
        address = address.replace(f"{{{row}}}", digests[0] if row.startswith("model ") else record.claims[0].exhibit)
    return address


def test_the_list_has_every_page(service: Service) -> None:
    """Every route that a browser opens as a page is on the list of pictures."""
    routes = {route.path for route in routes_of(service.app) if "GET" in route.methods and not route.path.startswith("/api/")}
    assert routes - NO_PAGES == {address.partition("?")[0] for _, _, address, _ in SHOWN} - {"/nothing"}


@pytest.mark.parametrize("mode", MODES)
def test_every_page_fits_the_screen_and_has_no_serious_fault(service: Service, axe: str, mode: str, tmp_path: Path) -> None:
    """No page is wider than its screen, axe-core finds nothing serious or critical, and the picture is kept for people to look at."""
    bad: list[tuple[str, object]] = []
    folder = Path(os.environ.get("SHEETS") or tmp_path) / mode
    folder.mkdir(parents=True, exist_ok=True)
    filled = service.desk.out
    for out, shown in ((filled, SHOWN), (tmp_path / "none", EMPTY)):
        service.work_on(out)
        for name, user, address, step in shown:
            bad += [
                (name, fault) for fault in looked_at(service, axe, mode, folder / f"{name}.png", user, address_of(filled, address), step)
            ]
    service.work_on(filled)
    assert not bad, "\n".join(map(str, bad))


def looked_at(service: Service, axe: str, mode: str, picture: Path, user: str, address: str, step: Step | None) -> Iterator[object]:
    """Take the picture of a page; its faults."""
    scheme, width = MODES[mode]
    with service.user(user, bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900}) as page:
        page.goto(address)
        if step:
            step(page)
        page.screenshot(path=picture, full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            yield f"{wide} px wider than the screen"
        page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert len(found["passes"]) > 8, address
        for fault in found["violations"]:
            if fault["impact"] in ("serious", "critical"):
                yield fault["id"], fault["nodes"][0]["html"], fault["nodes"][0]["failureSummary"]

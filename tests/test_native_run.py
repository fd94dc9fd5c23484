"""The arm native: what a provider's own search tool names is fetched through the guard, archived and verified; what cannot be had is a gap."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from factories import settings, world, write_pool
from test_models_run import NOW, Inline

from s2r.archive import Archive
from s2r.fetch.live import LiveFetcher
from s2r.job import AuditFiles, ModelOptions, make_live_plan
from s2r.job.live import NO_SEARCH, LiveWeb
from s2r.job.models import open_models, plan_models
from s2r.modelapi import ModelRole
from s2r.models import Package, Record, Route, Status
from s2r.pipeline import run as run_module
from s2r.pipeline import run_audit
from s2r.pipeline.ledger import RunLedger
from s2r.policy import Policy
from s2r.search.kept import Kept
from s2r.store import Store
from s2r.testing import Cite, ModelWorld, Said, World
from s2r.testing.asked import saying
from s2r.testing.modelsaid import Heard, Tokens

PROVIDERS = ("openai:gpt-5-mini", "anthropic:claude-sonnet-4-5", "gemini:gemini-3-flash-preview", "gemini:gemini-2.5-flash")
LINK = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC{}"
DEAD, PRIVATE = "https://gone.example/notice", "http://169.254.169.254/latest/meta-data"


@dataclass
class Net:
    """A loopback web with one issuer that leaves of its own will, a model service, and audits over both."""

    folder: Path
    policy: Policy
    policies: Path
    web: World
    models: ModelWorld

    def audit(self, model: str, cited: list[str], *, said: Said | None = None) -> Record:
        """The record of the listing when the model's search tool names these pages."""
        service = model.partition(":")[0]
        self.models.speak(service, lambda heard: self._says(heard, cited, said))
        return asyncio.run(self._run(model, service))

    def _says(self, heard: Heard, cited: list[str], said: Said | None) -> Said:
        rows, pages = world(1)
        body = pages[0]["body"]
        assert isinstance(body, str)
        line = body.partition("-- ")[2].partition(". The company")[0]
        day = body.partition("CHICAGO, ")[2].partition(" --")[0]
        proof = [("status", "", line), ("announcement_date", "", day), ("reason", "", line), ("disclosure_type", "", line)]
        right = saying("yes", *proof, announcement_date="2019-05-04", reason="voluntary", disclosure_type="issuer_announcement")
        spoken = said or right
        if not heard.search:
            return spoken
        told = replace(spoken, text=spoken.text if heard.form else "It was delisted; see the pages.")
        cites = tuple(Cite(url, "a page", "It was delisted") for url in cited)
        return replace(told, cites=cites, queries=(f"{rows[0].issuer} delisting",), tokens=Tokens(900, 0, 0, 60))

    async def _run(self, model: str, service: str) -> Record:
        files = AuditFiles(self.folder / "universe.csv", None, self.folder / "out", cutoff=None, today=NOW.date())
        chosen = settings(home=self.folder / "home")
        options = ModelOptions({ModelRole.ADJUDICATOR: model}, "native", env=self.models.env(service))
        asked = plan_models(options, self.policies, self.policy, NOW)
        assert asked
        ledger = RunLedger()
        page = LiveFetcher(self.web.net("fetch"), chosen, clock=NOW.timestamp)
        opened = LiveWeb((), (), (), page, resolve=page.resolve)
        files.out.mkdir(parents=True, exist_ok=True)
        async with open_models(asked, chosen, ledger, files.out / "archive", lambda: NOW) as setup:
            with closing(Kept(files.out / "archive")) as kept:
                plan = make_live_plan(world(1)[0], self.policy, NO_SEARCH, opened, kept, ledger, files, chosen)
                await run_audit(replace(plan, models=setup), clock=lambda: NOW, on_event=lambda event: None)
        with Store(files.out / "s2r.db", read_only=True) as store:
            return next(store.records())


@pytest.fixture
def net(tmp_path: Path, policy: Policy, policies: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Net]:
    """Makes a web and a model service."""
    monkeypatch.setattr(run_module, "Engine", Inline)
    pool = write_pool(tmp_path / "pool.jsonl", world(1)[1])
    with World(pool) as web, ModelWorld() as models:
        yield Net(tmp_path, policy, policies, web, models)


def event_page() -> str:
    return str(world(1)[1][0]["url"])


@pytest.mark.parametrize("model", PROVIDERS)
def test_what_a_search_tool_names_is_archived_and_verified(model: str, net: Net) -> None:
    """The page behind a citation proves the answer; links that expire are resolved at once; a page that is gone and one that the guard
    refuses are gaps; searches are booked."""
    named = event_page()
    if model.startswith("gemini"):
        named = LINK.format(1)
        net.web.web.redirect(named, event_page())
        net.web.web.set_robots("vertexaisearch.cloud.google.com", "User-agent: *\nDisallow: /\n")
    record = net.audit(model, [named, DEAD, PRIVATE])
    assert (record.status, str(record.announcement_date), record.reason) == (Status.YES, "2019-05-04", "voluntary")
    assert record.package is Package.PASS
    assert {claim.match for claim in record.claims} <= {"exact", "normalised"}
    assert {claim.url for claim in record.claims} == {event_page()}
    assert {gap.url for gap in record.coverage.gaps} == {DEAD, PRIVATE}
    assert not net.web.calls("brave")
    with Archive(net.folder / "out", read_only=True) as archive:
        assert archive.find_url(event_page())
        assert not archive.find_url(named) or not model.startswith("gemini")
        assert not archive.find_url(PRIVATE)
    assert record.adjudication
    said = record.adjudication.opinions[1]
    assert (said.judge, said.state, said.searches) == ("adjudicator", "answered", 1)
    with Store(net.folder / "out" / "s2r.db", read_only=True) as store:
        kinds = store.totals(record.run_id)
    assert any(kind.startswith("model_search:") for kind in kinds)


def test_links_that_lead_nowhere_or_inside_are_gaps(net: Net) -> None:
    """An expired link, one to a private address and one to no address at all: nothing is evidence, and nothing is accepted."""
    net.web.web.redirect(LINK.format(2), PRIVATE)
    net.web.web.redirect(LINK.format(3), "file:///etc/passwd")
    record = net.audit(PROVIDERS[2], [LINK.format(1), LINK.format(2), LINK.format(3)])
    assert record.route is Route.REVIEW
    assert len(record.coverage.gaps) == 3
    assert all(claim.match == "not_found" for claim in record.claims)
    assert record.package is not Package.PASS


@pytest.mark.parametrize("model", PROVIDERS[:3])
def test_a_search_that_found_nothing_proves_nothing(model: str, net: Net) -> None:
    """Without a page to fetch, a sure answer goes to review."""
    record = net.audit(model, [])
    assert record.route is Route.REVIEW
    assert record.package is not Package.PASS


def test_an_address_from_the_model_itself_is_rejected(net: Net) -> None:
    """Addresses come from the search tool and the archive, never from the text of an answer."""
    said = saying("yes", ("status", "", f"see {event_page()}"), announcement_date="2019-05-04", reason="voluntary", disclosure_type="other")
    record = net.audit(PROVIDERS[0], [event_page()], said=said)
    assert record.adjudication
    assert record.adjudication.opinions[1].state == "rejected"
    assert record.route is Route.REVIEW
    assert record.status is Status.ABSTAIN


def test_the_key_goes_to_the_model_alone(net: Net) -> None:
    """No page that a model names sees its key."""
    net.audit(PROVIDERS[0], [event_page(), DEAD])
    key = net.models.key("openai")
    assert not [path for path in net.folder.rglob("*") if path.is_file() and key in path.read_bytes().decode("latin-1")]

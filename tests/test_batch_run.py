"""`s2r audit --batch`: all rows of the model pass in one batch, and the same command goes on with it by its id."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from factories import settings, write_pool, write_universe
from speakers import honest
from test_models_run import MODEL, NOW, Inline, Site

from s2r.errors import ConfigError
from s2r.job import AuditFiles, AuditOutcome, LiveOptions, ModelOptions, audit_files
from s2r.modelapi import ModelCall, ModelRole, ModelState
from s2r.modelapi.budget import subject_of
from s2r.models import Record, Route
from s2r.pipeline import Event, Phase
from s2r.pipeline import run as run_module
from s2r.pipeline.ledger import RunLedger
from s2r.policy import Policy
from s2r.store import Store
from s2r.testing.models import ModelWorld
from s2r.testing.modelsaid import Heard, Said

HALF = (120 * 0.25e-6 + 30 * 2e-6) / 2  # gpt-5-mini in a batch, 120 tokens in and 30 out


class BatchSite(Site):
    """The small world asked by batches, with what was told on the way."""

    def batch(self, *, stop_at_news: bool = False, **options: object) -> AuditOutcome:
        """One command with --batch; `stop_at_news` interrupts it at the first news of a batch."""
        self.told: list[Event] = []
        flag = asyncio.Event()

        def event(found: Event) -> None:
            self.told.append(found)
            if stop_at_news and found.phase is Phase.BATCH:
                flag.set()

        files = AuditFiles(
            write_universe(self.folder / "universe.csv", self.rows), write_pool(self.folder / "pool.jsonl", self.pages), self.out,
            cutoff=None, today=NOW.date(),
        )  # fmt: skip
        given = {"chosen": {ModelRole.ADJUDICATOR: MODEL}, "arm": "web", "env": self.service.env("openai"), "batch": True} | options
        models = ModelOptions(**given)  # type: ignore[arg-type]
        return asyncio.run(
            audit_files(
                files, self.policy, self.policies, settings(workers=2, home=self.folder / "home", batch_poll_s=0.01), clock=lambda: NOW,
                on_event=event, on_total=lambda n: None, stop=flag, live=LiveOptions(max_usd=given.get("max_usd")), models=models,  # type: ignore[arg-type]
            )
        )  # fmt: skip

    @property
    def submitted(self) -> list[int]:
        """Requests of each batch that the service got."""
        return [len(batch.items) for batch in self.service.batches("openai").made]


@pytest.fixture
def site(tmp_path: Path, policy: Policy, policies: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], BatchSite]]:
    """Makes a site with so many listings."""
    monkeypatch.setattr(run_module, "Engine", Inline)
    with ModelWorld() as service:
        service.speak("openai", honest)
        yield lambda rows: BatchSite(tmp_path, policy, policies, service, rows)


def spent(at: Site) -> float:
    with Store(at.out / "s2r.db", read_only=True) as store:
        return store.spent()


def essence(record: Record) -> tuple[object, ...]:
    """What a record says, whatever it cost."""
    return record.row_id, record.status, record.announcement_date, record.reason, record.route, record.package, record.claims


def test_all_rows_go_in_one_batch_at_half_the_price(site: Callable[[int], BatchSite], tmp_path: Path) -> None:
    """Six rows make one batch; the records are those of single calls, at half their cost, and nothing else was asked."""
    at = site(6)
    outcome = at.batch()
    assert at.submitted == [6]
    assert not [call for call in at.service.calls("openai") if call.path.endswith("/responses")]
    records = at.records()
    assert len([r for r in records if r.route is Route.ACCEPT]) == 6
    for record in records:
        assert record.cost_usd == pytest.approx(HALF, abs=1e-6)
        assert record.adjudication
        assert record.adjudication.opinions[1].usd == pytest.approx(HALF)
        assert (record.usage.input_tokens, record.usage.output_tokens) == (120, 30)
    assert outcome.cost_usd == pytest.approx(6 * HALF)
    assert spent(at) == pytest.approx(6 * HALF)
    assert {event.note.split(":")[0] for event in at.told if event.phase is Phase.BATCH} == {
        "Batch batch_0001 is under way",
        "Batch batch_0001 has ended",
    }
    single = Site(tmp_path / "single", at.policy, at.policies, at.service, 6)
    (tmp_path / "single").mkdir()
    single.audit()
    assert [essence(r) for r in single.records()] == [essence(r) for r in records]
    assert at.batch().nothing_to_do
    assert at.submitted == [6]


def test_a_stopped_command_goes_on_with_its_batch(site: Callable[[int], BatchSite]) -> None:
    """Stopped while the batch is under way, rows wait; the same command sends nothing again, and the ledger counts each call once."""
    at = site(4)
    at.service.batches("openai").polls = 1000
    outcome = at.batch(stop_at_news=True)
    assert outcome.result.interrupted
    assert len(outcome.result.waiting) == 4
    assert spent(at) > 4 * HALF  # set aside at the most that it may cost
    at.service.batches("openai").made[0].polls = 1
    outcome = at.batch()
    assert at.submitted == [4]
    assert outcome.result.done == 4
    assert [r.route for r in at.records()] == [Route.ACCEPT] * 4
    assert spent(at) == pytest.approx(4 * HALF)
    assert [r.cost_usd for r in at.records()] == [pytest.approx(HALF, abs=1e-6)] * 4


def test_doubtful_rows_go_on_in_a_second_batch(site: Callable[[int], BatchSite]) -> None:
    """The steps of the ladder are asked in a further batch of their role."""
    at = site(3)
    first: list[str] = []

    def doubtful(heard: Heard) -> Said:
        said = honest(heard)
        first.append(said.text)
        return said if len(first) > 1 else replace(said, text=json.dumps(json.loads(said.text) | {"confidence": 0.1}))

    at.service.speak("openai", doubtful)
    outcome = at.batch(chosen={ModelRole.ADJUDICATOR: MODEL, ModelRole.VERIFIER: MODEL})
    assert at.submitted[0] == 3
    assert len(at.submitted) == 2
    assert outcome.result.done == 3
    judges = [o.judge for r in at.records() if r.adjudication for o in r.adjudication.opinions]
    assert judges.count("adjudicator") == 3
    assert judges.count("verifier") == 1


def test_the_cap_lets_some_rows_go_and_the_rest_wait(site: Callable[[int], BatchSite]) -> None:
    """Under a cap as many rows are asked as fit; what is done is kept, and the same command with a higher cap goes on."""
    at = site(4)
    at.batch(max_usd=1.0)
    with closing(sqlite3.connect(at.out / "archive" / "models.db")) as db:
        most = float(db.execute("select max(reserved) from batch_item").fetchone()[0])
    tight = BatchSite(at.folder / "tight", at.policy, at.policies, at.service, 4)
    tight.folder.mkdir()
    at.service.batches("openai").made.clear()
    cap = most + 1.5 * HALF
    outcome = tight.batch(max_usd=cap)
    assert "cap" in outcome.result.over_budget
    assert (outcome.result.done, len(outcome.result.waiting)) == (2, 2)
    assert spent(tight) == pytest.approx(2 * HALF)
    assert spent(tight) <= cap
    outcome = tight.batch(max_usd=1.0)
    assert (outcome.result.done, outcome.result.over_budget) == (2, "")
    assert at.submitted == [1, 1, 2]
    assert len(tight.records()) == 4


def test_what_does_not_go_by_batches_is_told_before_any_work(site: Callable[[int], BatchSite]) -> None:
    """A search tool, and a provider without a batch API."""
    at = site(1)
    with pytest.raises(ConfigError, match="search tool"):
        at.batch(arm="native")
    with pytest.raises(ConfigError, match="no batch API"):
        at.batch(chosen={ModelRole.ADJUDICATOR: "deepseek:deepseek-flash"}, env=at.service.env("deepseek"))
    assert not at.out.exists() or not list(at.out.glob("records*"))


def test_what_is_under_way_counts_once(tmp_path: Path) -> None:
    """The line that an earlier process left open is set aside in place of spent, and the true cost replaces it."""
    call = ModelCall(role=ModelRole.ADJUDICATOR, provider="openai", model="m", row_id="r", purpose="batch", state=ModelState.ANSWERED)

    async def first(store: Store) -> None:
        ledger = RunLedger(1.0)
        ledger.bind(store, "run", lambda: NOW)
        assert await ledger.of_model("adjudicator", "openai:m", batch=True).reserve("r", subject_of(call), 0.8) == 0.8

    async def second(store: Store) -> None:
        ledger = RunLedger(1.0)
        ledger.bind(store, "run", lambda: NOW)
        book = ledger.of_model("adjudicator", "openai:m", batch=True)
        assert book.resume("r", subject_of(call), 0.8) == 0.8
        book.book(call.model_copy(update={"usd": 0.1, "reserved": 0.8, "basis": "override x 0.5"}))
        assert await book.reserve("other", subject_of(call), 0.85) == 0.85
        assert store.spent() == pytest.approx(0.1 + 0.85)

    with Store(tmp_path / "s2r.db") as store:
        asyncio.run(first(store))
        asyncio.run(second(store))

"""A run with a model, from universe and pool to records, in front of a loopback model service."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from factories import settings, world, write_pool, write_universe

from s2r.job import AuditFiles, AuditOutcome, LiveOptions, ModelOptions, audit_files
from s2r.modelapi import KeptModels, ModelRole
from s2r.models import Listing, Package, Record, Route, Status
from s2r.policy import Policy
from s2r.testing.asked import Asked, read_prompt, saying
from s2r.testing.models import ModelWorld
from s2r.testing.modelsaid import Heard, Said

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
MODEL = "openai:gpt-5-mini"
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def quoted(asked: Asked, day: str) -> list[tuple[str, str, str]]:
    """Proof of a delisting on `day`: the passage that states it, its sentence about the listing, and the day."""
    year, month, number = day.split("-")
    words = f"{MONTHS[int(month) - 1]} {int(number)}, {year}"
    shown = next(p for p in asked.passages if words in p.text)
    line = shown.line("delist") or shown.line("Nasdaq")
    return [
        ("status", shown.id, line),
        ("announcement_date", shown.id, words),
        ("reason", shown.id, line),
        ("disclosure_type", shown.id, line),
    ]


def honest(heard: Heard) -> Said:
    """A model that reads well: of every three listings one leaves of its own will, one is only warned, one is bought."""
    asked = read_prompt(heard)
    event = next((p for p in asked.passages if "voluntarily delist" in p.text or "completed its acquisition" in p.text), None)
    if event is None:
        return saying("no")
    found = re.search(r"May (\d+), 2019", event.text)
    assert found
    day = f"2019-05-{int(found[1]):02d}"
    reason = "voluntary" if "voluntarily" in event.text else "merger_acquisition"
    return saying("yes", *quoted(asked, day), announcement_date=day, reason=reason, disclosure_type="issuer_announcement")


class Site:
    """A small world beside a loopback model service, and audits of it."""

    def __init__(self, folder: Path, policy: Policy, policies: Path, service: ModelWorld, rows: int) -> None:
        self.folder, self.policy, self.policies, self.service = folder, policy, policies, service
        self.rows, self.pages = world(rows)
        self.out = folder / "out"

    def audit(self, arm: str = "web", *, rows: list[Listing] | None = None, pool: bool = True, **options: Any) -> AuditOutcome:
        """One audit with the model as adjudicator; `options` are those of `ModelOptions`, `workers` of the settings."""
        universe = write_universe(self.folder / "universe.csv", rows or self.rows)
        path = write_pool(self.folder / "pool.jsonl", self.pages) if pool else None
        files = AuditFiles(universe, path, self.out, cutoff=None, today=NOW.date())
        workers = options.pop("workers", 2)
        given = {"chosen": {ModelRole.ADJUDICATOR: MODEL}, "arm": arm, "env": self.service.env("openai")} | options
        models = ModelOptions(**given)
        return asyncio.run(
            audit_files(
                files,
                self.policy,
                self.policies,
                settings(workers=workers, home=self.folder / "home"),
                clock=lambda: NOW,
                on_event=lambda event: None,
                on_total=lambda n: None,
                live=LiveOptions(max_usd=given.get("max_usd")),  # type: ignore[arg-type]
                models=models,
            )
        )

    def records(self) -> list[Record]:
        """Records of the run folder."""
        return [Record.model_validate_json(line) for line in (self.out / "records.jsonl").read_text("utf-8").splitlines()]

    def prompts(self) -> list[str]:
        """Every prompt that the service got."""
        return [f"{heard.system}\n{heard.turns[0][1]}" for heard in self.service.heard("openai")]


@pytest.fixture
def site(tmp_path: Path, policy: Policy, policies: Path) -> Iterator[Callable[[int], Site]]:
    """Makes a site with so many listings; its model is honest until it is told otherwise."""
    with ModelWorld() as service:
        service.speak("openai", honest)
        yield lambda rows: Site(tmp_path, policy, policies, service, rows)


@pytest.mark.slow
def test_what_rules_confirm_and_quotes_prove_is_accepted(site: Callable[[int], Site]) -> None:
    """Each record gives the model's answer with quotes that hold, what it cost, and how it came about; the exchange is archived."""
    at = site(3)
    outcome = at.audit()
    left, warned, bought = at.records()
    assert [(r.status, r.route, r.package) for r in (left, warned, bought)] == [
        (Status.YES, Route.ACCEPT, Package.PASS),
        (Status.NO, Route.ACCEPT, Package.PASS),
        (Status.YES, Route.ACCEPT, Package.PASS),
    ]
    assert left.adjudicator == f"{MODEL}@web"
    assert left.model == MODEL
    assert {claim.field: claim.check for claim in left.claims}.items() >= {
        "status": "pass",
        "announcement_date": "pass",
        "reason": "pass",
    }.items()
    told = left.adjudication
    assert told is not None
    assert [o.judge for o in told.opinions] == ["rules", "adjudicator"]
    assert (told.attested, told.dissent, told.decided_by) == (True, False, "adjudicator")
    assert told.prompt.startswith("delisting/adjudicate@1#")
    assert told.packs[0].passages
    # 120 tokens in and 30 out of gpt-5-mini: 0.25 and 2 dollars a million
    assert left.cost_usd == pytest.approx(120 * 0.25e-6 + 30 * 2e-6)
    assert outcome.cost_usd == pytest.approx(3 * left.cost_usd)
    assert (left.usage.input_tokens, left.usage.output_tokens) == (120, 30)
    key = at.service.key("openai")
    with KeptModels(at.out / "archive", read_only=True) as kept:
        exchanges = list(kept.exchanges("T-01"))
        assert [e.prompt for e in exchanges] == [told.prompt]
        assert kept.exchange(told.opinions[1].exchanges[0]) == exchanges[0]
    assert not [path for path in at.folder.rglob("*") if path.is_file() and key in path.read_bytes().decode("latin-1")]


@pytest.mark.slow
def test_the_same_command_again_asks_nothing(site: Callable[[int], Site]) -> None:
    """Records are current; without the store the answers come from the cache, and the records are the same."""
    at = site(3)
    at.audit()
    before = at.records()
    assert at.audit().nothing_to_do
    for path in at.out.glob("s2r.db*"):
        path.unlink()
    at.audit()
    assert len(at.service.calls("openai")) == 3
    assert [r.claims for r in at.records()] == [r.claims for r in before]
    assert [r.cost_usd for r in at.records()] == [0.0, 0.0, 0.0]
    told = at.records()[0].adjudication
    assert told is not None
    assert told.opinions[1].cached


@pytest.mark.slow
def test_a_closed_model_is_shown_no_page_and_never_accepted(site: Callable[[int], Site]) -> None:
    """It knows identity and definition alone; nothing is searched, the answer is measured, and goes to review."""
    at = site(2)
    at.service.speak("openai", saying("no"))
    at.audit("closed", pool=False)
    assert [(r.status, r.route, r.coverage.pages_read) for r in at.records()] == [(Status.NO, Route.REVIEW, 0)] * 2
    for prompt in at.prompts():
        assert "Alderwick" in prompt or "Brantholm" in prompt
        assert "<passage id" not in prompt
        assert "wire.example" not in prompt


@pytest.mark.slow
def test_arms_differ_in_nothing_but_the_evidence(site: Callable[[int], Site]) -> None:
    """The question about a listing is the same, and so is the form of the answer."""
    at = site(1)
    at.audit()
    web = at.service.heard("openai")[-1]
    at.out = at.folder / "closed"
    at.service.speak("openai", saying("no"))
    at.audit("closed", pool=False)
    closed = at.service.heard("openai")[-1]
    assert web.form == closed.form
    assert web.turns[0][1].partition("\n\nEvidence")[0] == closed.turns[0][1].partition("\n\nWas a")[0]
    assert web.turns[0][1].rpartition("\n")[2] == closed.turns[0][1].rpartition("\n")[2]

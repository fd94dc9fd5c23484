"""A run with a model, from universe and pool to records, in front of a loopback model service."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Command
from factories import settings, world, write_pool, write_universe
from speakers import MONTHS, honest

import s2r as s2r_package
from s2r.errors import BudgetExceeded, ConfigError
from s2r.job import AuditFiles, AuditOutcome, LiveOptions, ModelOptions, audit_files
from s2r.job.probemodels import probe_models
from s2r.modelapi import KeptModels, ModelAnswer, ModelRole, Question
from s2r.models import Listing, Package, Record, Route, Status
from s2r.pipeline import run as run_module
from s2r.pipeline.models import ModelSetup
from s2r.policy import Policy
from s2r.store import Store
from s2r.testing.asked import read_prompt, saying
from s2r.testing.models import ModelWorld
from s2r.testing.modelsaid import Cite, Heard, Said, Tokens

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
MODEL = "openai:gpt-5-mini"
JUDGES = {ModelRole.ADJUDICATOR: MODEL, ModelRole.VERIFIER: "openai:gpt-5", ModelRole.ESCALATION: "openai:gpt-5-nano"}


class Inline:
    """Workers that are none: tasks run where they are given, which starts no process."""

    bring, at_once = None, 2

    def __init__(self, workers: int, prepare: Callable[..., None], given: tuple[Any, ...]) -> None:
        self.workers = workers
        prepare(*given)

    async def __aenter__(self) -> Inline:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    async def run(self, function: Callable[[Any], Any], argument: Any) -> Any:
        """Its result."""
        await asyncio.sleep(0)
        return function(argument)


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
        workers, pages, in_time = options.pop("workers", 2), options.pop("max_pages", 40), options.pop("point_in_time", False)
        rows_at_once = options.pop("rows_at_once", None)
        files = replace(files, point_in_time=in_time)
        given = {"chosen": {ModelRole.ADJUDICATOR: MODEL}, "arm": arm, "env": self.service.env("openai")} | options
        models = ModelOptions(**given)
        return asyncio.run(
            audit_files(
                files,
                self.policy,
                self.policies,
                settings(workers=workers, max_pages=pages, rows_at_once=rows_at_once, home=self.folder / "home"),
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
def site(
    tmp_path: Path, policy: Policy, policies: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], Site]]:
    """Makes a site with so many listings; its model is honest until it is told otherwise. Workers are processes where a test asks for
    `processes`."""
    if "processes" not in request.keywords:
        monkeypatch.setattr(run_module, "Engine", Inline)
    with ModelWorld() as service:
        service.speak("openai", honest)
        yield lambda rows: Site(tmp_path, policy, policies, service, rows)


@pytest.mark.slow
@pytest.mark.processes
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


# ---- the cutoff ----

TOLD = "The common stock of {name} was delisted from The Nasdaq Stock Market; the board of directors of {name} has decided to voluntarily delist it. {token}"
CANARIES: tuple[Callable[[int, str], dict[str, str]], ...] = (
    lambda n, text: {"head": f'<meta property="article:published_time" content="2021-0{1 + n % 9}-03">', "body": text},
    lambda n, text: {"head": "", "body": f"CHICAGO, March {1 + n % 28}, 2021 -- {text}"},
    lambda n, text: {"head": f'<script type="application/ld+json">{{"@type":"NewsArticle","datePublished":"2022-01-{10 + n % 9}"}}</script>', "body": text},
    lambda n, text: {"head": "", "body": f'<time datetime="2021-06-{10 + n % 9}">June {10 + n % 9}, 2021</time> {text}'},
    lambda n, text: {"head": "", "body": text, "url": f"https://wire.example/2021/0{1 + n % 9}/14/c{n}"},
    lambda n, text: {"head": "", "body": text},
    lambda n, text: {"head": "", "body": f"{text} It will be settled on 4 May 202{1 + n % 8}."},
    lambda n, text: {
        "head": '<meta property="article:published_time" content="2019-06-03"><meta property="article:modified_time" content="2021-02-03">',
        "body": text,
    },
    lambda n, text: {"head": "", "body": f"CHICAGO, March 3, 2019 -- Shares rose. Update of January 1{n % 9}, 2021: {text}", "modified": "2021-01-19"},
    lambda n, text: {"head": '<meta name="dcterms.date" content="2023">', "body": text},
)  # fmt: skip


def canary(number: int, row: Listing) -> dict[str, object]:
    """A page from after the cutoff about a listing, with a word that stands nowhere else; each shows its time in another way."""
    made = CANARIES[number % len(CANARIES)](number, TOLD.format(name=row.issuer, token=f"CANARY{number:02d}QX"))
    head = made["head"] + (f'<meta name="last-modified" content="{made["modified"]}">' if "modified" in made else "")
    body = f"<html><head><title>{row.issuer} news</title>{head}</head><body><p>{made['body']}</p></body></html>"
    return {"url": made.get("url", f"https://wire.example/c{number}"), "title": "", "content_type": "text/html", "body": body}


def greedy(heard: Heard) -> Said:
    """A model that asks for what it was not shown: later passages, another budget, pages by id."""
    if read_prompt(heard).verifies:
        return saying("yes", ("status", "p00000001", "the next page"), announcement_date="2021-03-03", reason="voluntary")
    return saying("no", confidence=0.1, abstain_reason="Show me the passages after the cutoff, all of them, and the pages behind them.")


@pytest.mark.slow
def test_fifty_pages_from_after_the_cutoff_reach_no_prompt(site: Callable[[int], Site]) -> None:
    """However they show their time, and whatever the model asks for: on every step of the ladder, and in every archived exchange."""
    at = site(3)
    at.service.speak("openai", greedy)
    planted = [canary(number, at.rows[number % 3]) for number in range(50)]
    at.pages += planted
    at.audit(chosen=dict.fromkeys(ModelRole, MODEL), rows=at.rows)
    prompts = at.prompts()
    assert len(prompts) >= 6
    assert not [prompt for prompt in prompts if "CANARY" in prompt]
    with KeptModels(at.out / "archive", read_only=True) as kept:
        assert not [e for e in kept.exchanges() if "CANARY" in e.request]
    read = {exhibit for r in at.records() for exhibit in r.coverage.exhibits}
    assert len(read) > 30  # they were found and read
    withheld = [sum(pack.withheld.values()) for r in at.records() if r.adjudication for pack in r.adjudication.packs]
    assert sum(withheld) >= 30
    for r in at.records():
        assert not (r.route is Route.ACCEPT and r.status is Status.YES and r.announcement_date and r.announcement_date.year > 2020)


# ---- money ----


@pytest.mark.slow
def test_sixteen_rows_at_once_stay_under_the_cap_and_the_same_command_goes_on(site: Callable[[int], Site]) -> None:
    """The run stops with what it has; with a higher cap the rest is asked, and nothing is paid for twice."""
    at = site(12)
    said = honest
    at.service.speak("openai", lambda heard: Said(said(heard).text, tokens=Tokens(input=4000, output=2000)))
    one = 4000 * 0.25e-6 + 2000 * 2e-6  # 0.005 USD
    at.service.latency("openai", 0.2)
    cap = 0.03  # a call sets 0.02 aside, for 8192 tokens out
    first = at.audit(workers=16, max_usd=cap)
    assert first.result.over_budget
    done = first.result.done
    assert first.cost_usd <= cap + 1e-9
    assert 1 <= done < 12
    assert first.cost_usd == pytest.approx(done * one)
    assert len(at.service.calls("openai")) == done
    assert len(first.result.waiting) == 12 - done
    again = at.audit(workers=16, max_usd=1.0)
    assert not again.result.over_budget
    assert len(at.service.calls("openai")) == 12
    assert again.cost_usd == pytest.approx(12 * one)


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "rows_at_once", "most"), [(1, None, 1), (3, None, 3), (1, 6, 6)])
def test_paid_calls_under_way_are_as_many_as_workers_unless_more_is_set(
    workers: int, rows_at_once: int | None, most: int, site: Callable[[int], Site]
) -> None:
    """A kill repeats at most these; more rows than that are in work meanwhile."""
    at = site(12)
    at.service.latency("openai", 0.2)
    at.audit(workers=workers, rows_at_once=rows_at_once)
    assert len(at.service.calls("openai")) == 12
    assert at.service.most_at_once("openai") == most


@pytest.mark.slow
def test_a_record_that_reaches_its_cap_goes_to_review_and_is_asked_again(site: Callable[[int], Site]) -> None:
    """Other rows go on; with a higher cap of records the same command asks it once more."""
    at = site(1)
    low = at.audit(max_usd_per_record=0.001)
    assert low.result.capped == ["T-01"]
    (left,) = at.records()
    assert (left.status, left.route) == (Status.ABSTAIN, Route.REVIEW)
    assert "the cap of 0.001 USD for one record is reached" in left.abstain_reason
    assert not at.service.calls("openai")
    high = at.audit(max_usd_per_record=0.5)
    assert high.result.capped == []
    assert at.records()[0].route is Route.ACCEPT


@pytest.mark.slow
def test_a_model_without_a_price_does_not_start_under_a_cap(site: Callable[[int], Site]) -> None:
    """What to do is said before any work; without a cap it runs, and its cost is unknown."""
    at = site(1)
    at.service.speak("compat", honest)
    given = {"chosen": {ModelRole.ADJUDICATOR: "compat:tiny"}, "env": at.service.env("compat")}
    for cap in ("max_usd", "max_usd_per_record"):
        with pytest.raises(ConfigError, match=r"price of compat:tiny is unknown.*prices\.toml"):
            at.audit(**given, **{cap: 1.0})
    assert not at.service.calls("compat")
    outcome = at.audit(**given)
    assert outcome.unknown_cost
    (left,) = at.records()
    assert left.cost_usd is None
    assert left.route is Route.ACCEPT


@pytest.mark.slow
def test_a_call_that_a_kill_cuts_off_counts_at_the_most_it_may_cost(site: Callable[[int], Site]) -> None:
    """It stands in the ledger before it is sent; the next run counts it."""
    at = site(1)
    at.audit()
    with Store(at.out / "s2r.db") as store:
        run = store.start_run("r-cut", version="0", policy="p", manifest={}, now=NOW)
        assert run is None
        spent = store.spent()
        store.intend("r-cut", "T-01", "model:adjudicator:openai:gpt-5-mini", "calls", 0.02, NOW)
        assert store.spent() == pytest.approx(spent + 0.02)
        assert store.spent_by_row() == pytest.approx({"T-01": spent + 0.02})


# ---- the ladder ----


def dated(day: str) -> Callable[[Heard], Said]:
    """A model that reads well but for the day, for which it gives another one that the evidence states."""

    def speak(heard: Heard) -> Said:
        found = json.loads(honest(heard).text)
        asked = read_prompt(heard)
        for proof in found["evidence"]:
            if proof["field"] == "announcement_date":
                shown = next(p for p in asked.passages if day in p.text)
                proof |= {"passage": shown.id, "quote": day}
        month, number, year = re.split(r",? ", day)
        return Said(json.dumps(found | {"announcement_date": f"{year}-{1 + MONTHS.index(month):02d}-{int(number):02d}"}))

    return speak


def by_role(
    verifier: Callable[[Heard], Said], others: Callable[[Heard], Said], models: dict[str, Callable[[Heard], Said]] | None = None
) -> Any:
    """A service whose second reader says one thing and whose adjudicators another, or by the model's name."""

    def speak(heard: Heard) -> Said:
        if models and heard.model in models:
            return models[heard.model](heard)
        return (verifier if read_prompt(heard).verifies else others)(heard)

    return speak


@pytest.mark.slow
def test_a_wrong_day_goes_up_the_ladder_and_to_review(site: Callable[[int], Site]) -> None:
    """Rules say otherwise, and so nothing that models say alone is accepted, also when all of them agree."""
    at = site(1)
    at.service.speak("openai", dated("February 4, 2019"))
    at.audit(chosen=dict.fromkeys(ModelRole, MODEL))
    (left,) = at.records()
    told = left.adjudication
    assert told is not None
    assert (left.route, told.attested, told.dissent) == (Route.REVIEW, False, True)
    assert left.announcement_date == dt.date(2019, 2, 4)
    assert {"date_differs"} <= set(told.codes)
    assert [(rung.step, rung.ran) for rung in told.rungs] == [
        ("official", True),
        ("timeline", True),
        ("verifier", True),
        ("escalation", True),
    ]
    assert [o.judge for o in told.opinions] == ["rules", "adjudicator", "verifier", "escalation"]
    assert all(rung.because and rung.effect for rung in told.rungs)
    costs = {rung.step: rung.usd for rung in told.rungs}
    assert costs["timeline"] == 0.0
    assert costs["verifier"] == pytest.approx(9e-5)
    assert left.cost_usd == pytest.approx(9e-5 * 2)  # the third answer to the same question comes from the cache
    assert left.route_reasons[0] == "Judges contradict each other: a reviewer must choose."
    assert left.route_reasons[-1].startswith("Left to doubt: date differs, ")


@pytest.mark.slow
def test_a_stronger_model_that_rules_confirm_outvotes_the_first(site: Callable[[int], Site]) -> None:
    """The record gives its answer and says who decided; the first answer stays among the opinions."""
    at = site(1)
    at.service.speak("openai", by_role(honest, dated("February 4, 2019"), {"gpt-5": honest}))
    at.audit(chosen={ModelRole.ADJUDICATOR: MODEL, ModelRole.VERIFIER: MODEL, ModelRole.ESCALATION: "openai:gpt-5"})
    (left,) = at.records()
    told = left.adjudication
    assert told is not None
    assert (left.route, left.announcement_date, told.decided_by) == (Route.ACCEPT, dt.date(2019, 5, 4), "escalation")
    assert left.adjudicator == "openai:gpt-5@web"
    assert told.opinions[1].announcement_date == dt.date(2019, 2, 4)
    assert told.rungs[-1].effect == "The answer was yes 2019-02-04 voluntary, is yes 2019-05-04 voluntary."


@pytest.mark.slow
def test_the_second_reader_does_not_see_the_first_answer(site: Callable[[int], Site]) -> None:
    """It gets the same evidence under another task, and nothing of what was said before."""
    at = site(1)
    at.service.speak("openai", by_role(honest, lambda heard: saying("no", confidence=0.4321)))
    at.audit(chosen={ModelRole.ADJUDICATOR: MODEL, ModelRole.VERIFIER: MODEL})
    heard = [h for h in at.service.heard("openai") if read_prompt(h).verifies]
    assert len(heard) == 1
    first = next(h for h in at.service.heard("openai") if not read_prompt(h).verifies)
    assert heard[0].turns[0][1] == first.turns[0][1]
    assert "0.4321" not in heard[0].system
    told = at.records()[0].adjudication
    assert told is not None
    assert "verifier_differs" in told.codes
    assert (told.rungs[-1].step, told.rungs[-1].ran) == ("escalation", False)


@pytest.mark.slow
def test_a_panel_takes_the_answer_of_most(site: Callable[[int], Site]) -> None:
    """Two of three are enough for a majority and not for all; what each said is kept."""
    for how, status, route in (("majority", Status.YES, Route.ACCEPT), ("unanimous", Status.ABSTAIN, Route.REVIEW)):
        at = site(1)
        at.out = at.folder / how
        at.service.speak("openai", by_role(honest, honest, {"gpt-5-nano": lambda heard: saying("no")}))
        at.audit(chosen=JUDGES, panel=how)
        (left,) = at.records()
        assert (left.status, left.route) == (status, route)
        told = left.adjudication
        assert told is not None
        assert [o.status for o in told.opinions[1:]] == [Status.YES, Status.YES, Status.NO]
        assert told.panel == ("2 of 3" if how == "majority" else "0 of 3")
    with pytest.raises(ConfigError, match=r"three judges.*S2R_VERIFIER_MODEL and S2R_ESCALATION_MODEL"):
        at.audit(panel="majority")


class InOrder:
    """Stands in for `ModelSetup.ask`: each judge's answer is held back until those of the roles named before it have come."""

    def __init__(self, roles: Sequence[ModelRole]) -> None:
        self.came = {role: asyncio.Event() for role in roles}
        self.before = dict(zip(roles[1:], roles, strict=False))
        self._ask = ModelSetup.ask

    async def __call__(self, setup: ModelSetup, role: ModelRole, question: Question) -> ModelAnswer:
        answer = await self._ask(setup, role, question)
        if role in self.before:
            await self.came[self.before[role]].wait()
        self.came[role].set()
        return answer


def hold_back(monkeypatch: pytest.MonkeyPatch, order: Callable[..., Any]) -> None:
    """Let judges answer as `order` says."""

    async def ask(self: ModelSetup, role: ModelRole, question: Question) -> ModelAnswer:
        answer: ModelAnswer = await order(self, role, question)
        return answer

    monkeypatch.setattr(ModelSetup, "ask", ask)


@pytest.mark.slow
def test_a_panel_says_the_same_whichever_judge_answers_first(site: Callable[[int], Site], monkeypatch: pytest.MonkeyPatch) -> None:
    """What each judge said stands in the order of the roles, and so does whose answer among equal ones is the record's."""
    roles, told = list(ModelRole), []
    for number, order in enumerate((roles, roles[::-1])):
        at = site(1)
        at.out = at.folder / str(number)
        at.service.speak("openai", by_role(honest, honest, {"gpt-5-nano": lambda heard: saying("no")}))
        hold_back(monkeypatch, InOrder(order))
        at.audit(chosen=JUDGES, panel="majority")
        (left,) = at.records()
        assert left.adjudication is not None
        assert [o.judge for o in left.adjudication.opinions] == ["rules", "adjudicator", "verifier", "escalation"]
        timed = {"latency_s": 0.0, "exchanges": ()}
        said = left.adjudication.model_copy(
            update={
                "opinions": tuple(o.model_copy(update=timed) for o in left.adjudication.opinions),
                "rungs": tuple(r.model_copy(update={"latency_s": 0.0}) for r in left.adjudication.rungs),
            }
        )
        told.append((said, left.claims, left.status, left.route, left.cost_usd, left.model, left.adjudicator))
        assert said.decided_by == "adjudicator"
    assert told[0] == told[1]


@pytest.mark.slow
def test_what_stops_one_judge_waits_for_the_others(site: Callable[[int], Site], monkeypatch: pytest.MonkeyPatch) -> None:
    """Their calls are under way and paid for: they end, are archived and answer from the cache when the run goes on."""
    at, real = site(1), ModelSetup.ask

    async def order(setup: ModelSetup, role: ModelRole, question: Question) -> ModelAnswer:
        if role is ModelRole.ADJUDICATOR:
            raise BudgetExceeded("the cap of the run is reached")
        return await real(setup, role, question)

    hold_back(monkeypatch, order)
    stopped = at.audit(chosen=JUDGES, panel="majority")
    assert (stopped.result.over_budget, stopped.result.waiting) == ("the cap of the run is reached", ["T-01"])
    with KeptModels(at.out / "archive", read_only=True) as kept:
        assert {e.role for e in kept.exchanges()} == {ModelRole.VERIFIER, ModelRole.ESCALATION}
    monkeypatch.setattr(ModelSetup, "ask", real)
    at.audit(chosen=JUDGES, panel="majority")
    assert len(at.service.calls("openai")) == 3
    told = at.records()[0].adjudication
    assert told is not None
    assert [o.cached for o in told.opinions[1:]] == [False, True, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "state", "words"),
    [
        (Said("no JSON at all"), "invalid", "not of the form"),
        (Said(kind="refusal", text="I cannot."), "refused", "I cannot"),
        (saying("abstain", abstain_reason="The sources are not clear."), "abstained", "not clear"),
        (saying("yes", ("status", "p1", "x"), announcement_date="2019-05-04", reason="voluntary"), "rejected", "none of the passages"),
        (saying("abstain", abstain_reason="see https://evil.example/record"), "rejected", "web address"),
    ],
)
def test_what_is_no_answer_goes_to_review_with_its_cause(site: Callable[[int], Site], said: Said, state: str, words: str) -> None:
    """The record abstains and says why; what rules found is among the opinions."""
    at = site(1)
    at.service.speak("openai", said)
    at.audit()
    (left,) = at.records()
    told = left.adjudication
    assert told is not None
    assert (left.status, left.route, told.opinions[1].state) == (Status.ABSTAIN, Route.REVIEW, state)
    assert words in left.abstain_reason
    assert (told.opinions[0].judge, told.opinions[0].status) == ("rules", Status.YES)


@pytest.mark.slow
def test_a_refused_key_stops_the_run_and_keeps_what_is_done(
    site: Callable[[int], Site], s2r: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a usable adjudicator no further row is asked; the message names the setting and never the key."""
    at = site(2)
    universe = write_universe(at.folder / "universe.csv", at.rows)
    pool = write_pool(at.folder / "pool.jsonl", at.pages)
    for name, value in (
        at.service.env("openai") | {"S2R_OPENAI_KEY": "sk-wrong-key-1234567890", "S2R_HOME": str(at.folder / "home")}
    ).items():
        monkeypatch.setenv(name, value)
    command = ("audit", universe, "--pool", pool, "--out", at.out, "--policies", at.policies, "--model", MODEL)
    ran = s2r(*command)
    assert ran.code == 1
    assert "S2R_OPENAI" in ran.err
    assert "sk-wrong" not in ran.err + ran.out
    monkeypatch.setenv("S2R_OPENAI_KEY", at.service.key("openai"))
    assert s2r(*command).code == 0
    assert [r.route for r in at.records()] == [Route.ACCEPT] * 2
    assert s2r("replay", at.out, "--policies", at.policies).out.strip() == "2 answers of 2 records read again: 0 differences."
    assert s2r("verify", at.out).code == 0


# ---- again, without a call ----


@pytest.mark.slow
def test_replay_finds_what_was_changed(site: Callable[[int], Site], s2r: Command) -> None:
    """A record that says otherwise than its exchange, and patterns under which the evidence would be shown otherwise."""
    at = site(2)
    at.audit()
    path = at.out / "records.jsonl"
    line, rest = path.read_text("utf-8").split("\n", 1)
    told = json.loads(line)
    told["adjudication"]["opinions"][1]["announcement_date"] = "2019-02-04"
    path.write_text(json.dumps(told) + "\n" + rest, "utf-8")
    ran = s2r("replay", at.out, "--policies", at.policies)
    assert ran.code == 3
    assert "T-01 adjudicator: announcement_date was 2019-02-04, is 2019-05-04" in ran.out
    assert "2 answers of 2 records read again: 1 differences." in ran.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {"arm": "closed"},
        {"chosen": {ModelRole.ADJUDICATOR: "openai:gpt-5"}},
        {"panel": "majority", "chosen": dict.fromkeys(ModelRole, MODEL)},
    ],
)
def test_rows_are_asked_again_when_what_decides_them_changes(site: Callable[[int], Site], change: dict[str, Any]) -> None:
    """Arm, model, further roles and panel are among the inputs of a row."""
    at = site(1)
    at.audit()
    assert at.audit().nothing_to_do
    again = at.audit(**change)
    assert (again.nothing_to_do, again.result.done) == (False, 1)


# ---- the doctor ----


@pytest.mark.slow
@pytest.mark.parametrize(
    ("env", "checks"),
    [
        ({}, [("models", True, "rules decide")]),
        ({"ADJUDICATOR_MODEL": MODEL}, [("model adjudicator", True, "costs at most"), ("model adjudicator", True, "answered in")]),
        (
            {"ADJUDICATOR_MODEL": MODEL, "OPENAI_KEY": "sk-planted-wrong-5571"},
            [("model adjudicator", True, ""), ("model adjudicator", False, "key is refused")],
        ),
        ({"ADJUDICATOR_MODEL": MODEL, "VERIFIER_MODEL": "anthropic:claude-sonnet-5-5"}, [("models", False, "no key")]),
        (
            {"ADJUDICATOR_MODEL": MODEL, "VERIFIER_MODEL": "compat:tiny", "COMPAT_URL": "http://127.0.0.1:9/v1"},
            [
                ("model adjudicator", True, ""),
                ("model verifier", True, "price is unknown"),
                ("model adjudicator", True, ""),
                ("model verifier", False, ""),
            ],
        ),
    ],
)
def test_the_doctor_asks_each_role_one_small_question(
    env: dict[str, str], checks: list[tuple[str, bool, str]], policies: Path, tmp_path: Path
) -> None:
    """What is set up, what it costs, and whether it answers; each fault has a fix, and no key is shown."""
    with ModelWorld() as service:
        service.speak("openai", Said('{"ok":"yes"}'))
        given = service.env("openai") | {f"S2R_{name}": value for name, value in env.items()}
        options = ModelOptions(env=given)
        found = asyncio.run(probe_models(options, policies, settings(home=tmp_path), lambda: NOW, calls=True))
        assert [(f.check, f.ok) for f in found] == [(check, ok) for check, ok, _ in checks]
        for finding, (_, ok, words) in zip(found, checks, strict=True):
            assert words in finding.found
            assert ok or finding.fix
            assert not any(key in finding.found + finding.fix for key in (service.key("openai"), "sk-planted"))
        assert all(heard.max_output <= 2048 for heard in service.heard("openai"))


# ---- further pages, and other ways in ----


@pytest.mark.slow
def test_official_sources_are_searched_once_more_for_a_doubtful_record(site: Callable[[int], Site]) -> None:
    """A notice that the first search left out is found, judged by rules and shown; the model answers anew on it."""
    at = site(1)
    row = at.rows[0]
    notice = (
        f"<html><head><title>Notice</title></head><body><p>NEW YORK, May 2, 2019 -- The Nasdaq Stock Market announced that it will delist the "
        f"common stock of {row.issuer}. Nasdaq determined to delist it after the company fell below the bid price rule. Voluntary "
        f"delisting of 2019.</p></body></html>"
    )
    at.pages.append({"url": "https://listingcenter.nasdaq.com/notices/77", "title": "", "content_type": "text/html", "body": notice})

    def speak(heard: Heard) -> Said:
        official = next((p for p in read_prompt(heard).passages if p.kind in ("exchange", "regulator")), None)
        return saying("abstain") if official is None else saying("no", confidence=0.8)

    at.service.speak("openai", speak)
    at.audit(max_pages=1)
    (left,) = at.records()
    told = left.adjudication
    assert told is not None
    rung = next(rung for rung in told.rungs if rung.step == "official")
    assert rung.effect == "1 further page of official sources. The answer was abstain, is no."
    assert [len(pack.passages) < len(told.packs[-1].passages) for pack in told.packs[:-1]] == [True]
    assert [o.state for o in told.opinions[1:]] == ["abstained", "answered"]
    assert left.usage.searches > len(left.coverage.queries) / 2
    assert any("nasdaq.com" in claim.url for claim in told.opinions[0].claims)


@pytest.mark.slow
def test_at_a_point_in_time_only_proven_pages_are_shown(site: Callable[[int], Site]) -> None:
    """A pool without captures proves nothing public by the cutoff: the model is shown nothing, whatever the pages say of themselves."""
    at = site(1)
    at.audit(point_in_time=True)
    assert "<passage id" not in at.prompts()[0]
    assert at.records()[0].route is Route.REVIEW


@pytest.mark.slow
def test_an_audit_from_python_asks_a_model(site: Callable[[int], Site], monkeypatch: pytest.MonkeyPatch) -> None:
    """With settings of the environment, as on the command line; without `model` rules alone decide, whatever is set."""
    at = site(1)
    pool = write_pool(at.folder / "pool.jsonl", at.pages)
    for name, value in (at.service.env("openai") | {"S2R_HOME": str(at.folder / "home"), "S2R_ADJUDICATOR_MODEL": MODEL}).items():
        monkeypatch.setenv(name, value)
    given = {"pool": pool, "policies": at.policies, "clock": lambda: NOW}
    (alone,) = s2r_package.audit(at.rows, **given)
    assert (alone.adjudicator, alone.adjudication, alone.route) == ("rules", None, Route.REVIEW)
    (asked,) = s2r_package.audit(at.rows, model=MODEL, out=at.out, **given)
    assert (asked.adjudicator, asked.route) == (f"{MODEL}@web", Route.ACCEPT)


@pytest.mark.slow
def test_settings_of_models_may_stand_in_the_file_of_settings(
    site: Callable[[int], Site], s2r: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Model, key and address in s2r.toml are enough for `s2r audit`; judges and evidence are shown by `s2r show` and the report."""
    at = site(1)
    universe, pool = write_universe(at.folder / "universe.csv", at.rows), write_pool(at.folder / "pool.jsonl", at.pages)
    lines = {
        "adjudicator_model": MODEL,
        "openai_url": at.service.url("openai"),
        "openai_key": at.service.key("openai"),
        "home": str(at.folder / "h"),
    }
    (at.folder / "s2r.toml").write_text("".join(f'{name} = "{value}"\n' for name, value in lines.items()), "utf-8")
    monkeypatch.chdir(at.folder)
    ran = s2r("audit", universe, "--pool", pool, "--out", at.out, "--policies", at.policies, "--max-usd", 1)
    assert ran.code == 0, ran.err
    assert "Cost: $0.0001" in ran.err
    shown = s2r("show", "T-01", "--out", at.out).out
    assert "adjudicator openai:gpt-5-mini: yes 2019-05-04 voluntary (proof pass, $0.000090)" in shown
    assert "evidence " in shown
    report = (at.out / "report.html").read_text("utf-8")
    assert all(words in report for words in ("Judges", "gpt-5-mini", "Steps taken"))
    manifest = json.loads((at.out / "run.json").read_text("utf-8"))
    assert manifest["max_usd"] == 1
    assert manifest["arm"] == "web"
    assert manifest["models"] == {"adjudicator": MODEL}
    (at.folder / "s2r.toml").write_text("openai_kee = 'x'\n", "utf-8")
    assert "there is no setting openai_kee" in s2r("doctor", "--offline", "--policies", at.policies).err


# ---- the provider's own search ----


def searching(heard: Heard) -> Said:
    """A model that has found the notice by itself, and names one page more that is not to be had."""
    if not heard.search:
        return honest(heard)
    issuer = read_prompt(heard).issuer
    line = f"The board of directors of {issuer} has decided to voluntarily delist its common stock from The Nasdaq Stock Market."
    said = saying(
        "yes", ("status", "", line), ("announcement_date", "", "May 4, 2019"), ("reason", "", line), announcement_date="2019-05-04",
        reason="voluntary", disclosure_type="issuer_announcement",
    )  # fmt: skip
    cites = (Cite("https://wire.example/2019/0-alderwick-event", "News"), Cite("https://gone.example/1", "Gone"))
    return replace(said, cites=cites, queries=("Alderwick delisting",))


@pytest.mark.slow
def test_pages_that_a_model_found_itself_are_archived_and_verified(site: Callable[[int], Site], s2r: Command) -> None:
    """Nothing is searched by us; rules and the second reader judge the pages that it named, and one that cannot be had is a gap."""
    at = site(1)
    at.service.speak("openai", searching)
    at.audit("native", chosen={ModelRole.ADJUDICATOR: MODEL, ModelRole.VERIFIER: MODEL})
    (left,) = at.records()
    told = left.adjudication
    assert told is not None
    first = at.service.heard("openai")[0]
    assert first.search
    assert "wire.example" not in first.turns[0][1]
    assert [(o.judge, o.status, o.package) for o in told.opinions] == [
        ("rules", Status.YES, Package.PASS),
        ("adjudicator", Status.YES, Package.PASS),
        *([("verifier", Status.YES, Package.PASS)] if len(told.opinions) > 2 else []),
    ]
    assert {claim.url for claim in left.claims} == {"https://wire.example/2019/0-alderwick-event"}
    assert [(gap.url, gap.step) for gap in left.coverage.gaps] == [("https://gone.example/1", "fetch")]
    assert left.coverage.pages_read == 1
    assert told.attested
    assert left.route is Route.REVIEW  # what the provider has searched is not known to be enough
    assert told.opinions[1].searches == 1
    assert s2r("replay", at.out, "--policies", at.policies).code == 0
    assert s2r("verify", at.out).code == 0


@pytest.mark.slow
def test_a_no_needs_coverage_whoever_says_it(site: Callable[[int], Site]) -> None:
    """Where no page names the issuer, the model's `no` is an abstention with what the search lacked."""
    at = site(2)
    at.pages = [page for page in at.pages if at.rows[1].issuer not in str(page["body"])]
    at.audit()
    left, bare = at.records()
    assert left.route is Route.ACCEPT
    assert (bare.status, bare.route) == (Status.ABSTAIN, Route.REVIEW)
    assert "Not enough for a no" in bare.abstain_reason
    told = bare.adjudication
    assert told is not None
    assert (told.opinions[1].state, told.attested) == ("abstained", False)

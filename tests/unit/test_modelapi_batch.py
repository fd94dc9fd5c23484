"""Batch APIs: submitted once and followed by id whatever happens, priced at their share, read like calls of their own."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from s2r.errors import BudgetExceeded, ConfigError, SourceRefused, SourceUnusable
from s2r.modelapi import (
    AnswerPending,
    BatchCaller,
    BatchNews,
    Budget,
    KeptBatches,
    KeptModels,
    ModelAnswer,
    ModelCall,
    ModelCaller,
    ModelRole,
    ModelState,
    Pricer,
    Question,
    RecordBudgetExceeded,
    WebSearch,
    load_catalogue,
    read_model_accounts,
    replayed,
)
from s2r.policy import policy_root
from s2r.testing import ModelWorld, Said, Tokens, fault
from s2r.testing.conformance import Clock
from s2r.testing.model_trial import GOOD, PRICE, QUESTION, SPECS, Finding, ModelSpec, usd

CAPABLE = tuple(SPECS[n] for n in (0, 1, 2, 3))
ALL = pytest.mark.parametrize("spec", CAPABLE, ids=lambda spec: spec.label)


@dataclass(slots=True)
class Trial:
    """A batch caller over a world and a folder that outlive it."""

    spec: ModelSpec
    world: ModelWorld
    caller: BatchCaller
    direct: ModelCaller
    budget: Budget
    kept: KeptModels
    kept_batches: KeptBatches
    booked: list[ModelCall]

    async def ask(self, questions: list[Question]) -> dict[str, ModelAnswer | str]:
        """Answers by row; "pending", or the error's name."""
        found: dict[str, ModelAnswer | str] = {}
        for question in questions:
            try:
                found[question.row_id] = await self.caller.ask(question)
            except AnswerPending:
                found[question.row_id] = "pending"
            except BudgetExceeded as exc:
                found[question.row_id] = type(exc).__name__
        return found

    @property
    def desk(self) -> Any:
        """The batch API of the service."""
        return self.world.batches(self.spec.service)

    @property
    def submissions(self) -> int:
        """Batches that the service took."""
        return len(self.desk.made)


@asynccontextmanager
async def process(spec: ModelSpec, world: ModelWorld, folder: Path, *, budget: Budget | None = None) -> AsyncIterator[Trial]:
    """One process that works on a folder; the next one continues it. The service's time and ours are the same."""
    booked: list[ModelCall] = []
    catalogue = load_catalogue(policy_root())
    env = world.env(spec.service) | {"S2R_ADJUDICATOR_MODEL": spec.model}
    account = read_model_accounts(env, catalogue)[ModelRole.ADJUDICATOR]
    budget = budget or Budget()
    budget.keep = booked.append
    clock = Clock()
    began, start = dt.datetime.fromtimestamp(time.time(), dt.UTC), clock()

    def now() -> dt.datetime:
        return began + dt.timedelta(seconds=clock() - start)

    net = world.net(clock=clock, sleep=clock.sleep, jitter=lambda: 0.5)
    with KeptModels(folder) as kept, KeptBatches(folder, account.profile.url, account.role) as batches:
        async with net:
            pricer = Pricer({"*": PRICE})
            direct = ModelCaller(account, net, clock=now, pricer=pricer, ledger=budget, kept=kept, sleep=clock.sleep, jitter=lambda: 0.5)
            caller = BatchCaller(direct, net, kept, batches, clock=now, ledger=budget, pricer=pricer, sleep=clock.sleep)
            yield Trial(spec, world, caller, direct, budget, kept, batches, booked)
        net.limiter.close()


def questions(count: int) -> list[Question]:
    """Questions that differ."""
    return [QUESTION.model_copy(update={"row_id": f"r{n}", "user": f"Was listing {n} delisted?", "pack": f"p{n}"}) for n in range(count)]


@pytest.fixture
def world() -> Any:
    with ModelWorld() as made:
        for spec in CAPABLE:
            made.speak(spec.service, Said(GOOD, tokens=Tokens(120, 20, 0, 30, 10), model="resolved-1"))
        yield made


@ALL
def test_questions_are_answered_by_one_batch_at_half_the_price(spec: ModelSpec, world: ModelWorld, tmp_path: Path) -> None:
    """Five questions make one batch; all are answered, booked by row at half the price, archived, and read again without a call."""

    async def trial() -> None:
        news: list[BatchNews] = []
        world.batches(spec.service).polls = 2
        async with process(spec, world, tmp_path) as seen:
            assert set((await seen.ask(questions(5))).values()) == {"pending"}
            assert await seen.caller.settle(on_news=news.append)
            found = await seen.ask(questions(5))
            for row, answer in found.items():
                assert isinstance(answer, ModelAnswer), (row, answer)
                assert answer.value(Finding).status == "yes"
                assert (answer.model, answer.cached, answer.usage.input_tokens, answer.usage.reasoning_tokens) == (
                    "resolved-1",
                    False,
                    120,
                    10,
                )
                assert answer.usd == pytest.approx(usd(Tokens(120, 20, 0, 30, 10)) / 2, abs=1e-12)
                assert answer.basis == "override x 0.5"
                again = replayed([seen.kept.exchange(digest) for digest in answer.exchanges], seen.direct.account.profile, Finding)
                assert (again.state, again.text, again.usage) == (answer.state, answer.text, answer.usage)
            assert sorted(call.row_id for call in seen.booked) == [f"r{n}" for n in range(5)]
            assert {call.purpose for call in seen.booked} == {"batch"}
            assert seen.submissions == 1
            assert seen.budget.set_aside == pytest.approx(0.0, abs=1e-9)
            assert news[-1].ended
            assert (news[-1].done, news[-1].total) == (5, 5)
            hit = await seen.caller.ask(questions(1)[0])
            assert hit.cached
            assert hit.usd == 0.0

    asyncio.run(trial())


@ALL
def test_the_same_command_resumes_by_id_after_a_kill(spec: ModelSpec, world: ModelWorld, tmp_path: Path) -> None:
    """A process that ends while its batch is under way is followed by one that sends nothing again and gets all answers."""

    async def trial() -> None:
        world.batches(spec.service).polls = 50
        async with process(spec, world, tmp_path) as first:
            await first.ask(questions(4))
            stop = asyncio.Event()
            stop.set()
            assert not await first.caller.settle(stop=stop)
        world.batches(spec.service).made[0].polls = 0
        async with process(spec, world, tmp_path) as second:
            assert set((await second.ask(questions(4))).values()) == {"pending"}
            assert await second.caller.settle()
            found = await second.ask(questions(4))
            assert all(isinstance(answer, ModelAnswer) and answer.state is ModelState.ANSWERED for answer in found.values())
            assert (second.submissions, second.desk.requests, len(second.booked)) == (1, 4, 4)
            assert second.budget.set_aside == pytest.approx(0.0, abs=1e-9)

    asyncio.run(trial())


@ALL
@pytest.mark.parametrize("lost", ["connection reset", "500", "JSON cut in the middle"])
def test_a_submission_whose_answer_is_lost_is_found_and_not_sent_again(
    spec: ModelSpec, lost: str, world: ModelWorld, tmp_path: Path
) -> None:
    """The service took the batch, but its answer never came: it is found in the list, in this process or the next."""

    async def trial() -> None:
        changes = [None] if spec.service.startswith("openai") else []
        world.batches(spec.service).changes.extend([*changes, fault(lost)])
        async with process(spec, world, tmp_path) as seen:
            await seen.ask(questions(3))
            assert await seen.caller.settle()
            found = await seen.ask(questions(3))
            assert all(isinstance(answer, ModelAnswer) and answer.state is ModelState.ANSWERED for answer in found.values())
            assert (seen.submissions, len(seen.booked)) == (1, 3)

    asyncio.run(trial())


class Killed(BaseException):
    """Stands for the end of the process."""


@ALL
@pytest.mark.parametrize("reached", [True, False], ids=["the service took it", "it never left"])
def test_a_kill_between_intent_and_answer_sends_nothing_twice(
    spec: ModelSpec, reached: bool, world: ModelWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while it submits: the next process finds the batch at the service, or, when it is not there after a while, sends it once."""

    async def trial() -> None:
        async with process(spec, world, tmp_path) as first:
            await first.ask(questions(3))
            posted = first.caller._posted

            async def dies(sent: Any) -> Any:
                if reached:
                    await posted(sent)
                raise Killed

            monkeypatch.setattr(first.caller, "_posted", dies)
            with pytest.raises(Killed):
                await first.caller.settle()
        async with process(spec, world, tmp_path) as second:
            await second.ask(questions(3))
            assert await second.caller.settle()
            await second.ask(questions(3))  # what was never sent is asked for anew
            assert await second.caller.settle()
            found = await second.ask(questions(3))
            assert all(isinstance(answer, ModelAnswer) and answer.state is ModelState.ANSWERED for answer in found.values())
            assert (second.submissions, second.desk.requests) == (1, 3)

    asyncio.run(trial())


def test_a_batch_of_somebody_else_is_not_taken_for_ours(world: ModelWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anthropic lists no names: a batch of the same size and time is followed, its results say that it is not ours, and ours is sent."""
    spec = CAPABLE[2]

    async def trial() -> None:
        async with process(spec, world, tmp_path / "other") as other:
            await other.ask(questions(3))
            assert await other.caller.settle()
        async with process(spec, world, tmp_path / "mine") as mine:
            await mine.ask(questions(3))

            async def dies(sent: Any) -> Any:
                raise Killed

            monkeypatch.setattr(mine.caller, "_posted", dies)
            with pytest.raises(Killed):
                await mine.caller.settle()
        async with process(spec, world, tmp_path / "mine") as mine:
            for _ in range(2):
                await mine.ask(questions(3))
                assert await mine.caller.settle()
            found = await mine.ask(questions(3))
            assert all(isinstance(answer, ModelAnswer) for answer in found.values())
            assert mine.submissions == 2

    asyncio.run(trial())


@ALL
def test_each_kind_of_outcome_is_told_and_paid_for_as_it_is(spec: ModelSpec, world: ModelWorld, tmp_path: Path) -> None:
    """Refused and cut answers are paid for and no answers; an error of one request is free; a wrong form is asked for once more."""

    async def trial() -> None:
        world.script(spec.service, Said("I will not", "refusal"), Said("{", "cut"), fault("500"), Said("no json"), Said(GOOD))
        async with process(spec, world, tmp_path) as seen:
            await seen.ask(questions(5))
            assert await seen.caller.settle()
            answers = [answer for answer in (await seen.ask(questions(5))).values() if isinstance(answer, ModelAnswer)]
            assert [answer.state for answer in answers] == ["refused", "truncated", "failed", "answered", "answered"]
            assert answers[2].usd == 0.0
            assert answers[0].usd
            assert answers[0].usd > 0
            assert answers[3].repairs >= 1
            assert answers[3].calls == 2
            half, whole = usd(Tokens()) / 2, usd(Tokens(120, 20, 0, 30, 10))
            assert answers[3].usd == pytest.approx(half + whole)
            assert all(answer.text == "" for answer in answers[:3])
            again = await seen.ask(questions(3))  # what failed is no cached answer: it waits for the next batch
            assert set(again.values()) == {"pending"}

    asyncio.run(trial())


@ALL
@pytest.mark.parametrize(("ends", "missing", "usd_of_lost"), [("expired", 0, 0.0), ("failed", 0, 0.0), ("completed", 1, None)])
def test_a_request_without_a_result_is_no_answer(
    spec: ModelSpec, ends: str, missing: int, usd_of_lost: float | None, world: ModelWorld, tmp_path: Path
) -> None:
    """Expired and failed batches answer nothing and cost nothing; a result that is missing may have been billed."""

    async def trial() -> None:
        desk = world.batches(spec.service)
        desk.ends, desk.missing = ends, missing
        async with process(spec, world, tmp_path) as seen:
            await seen.ask(questions(2))
            assert await seen.caller.settle()
            last = (await seen.ask(questions(2)))["r1"]
            assert isinstance(last, ModelAnswer)
            assert last.state is ModelState.FAILED
            assert last.cause
            assert last.basis == ("free" if usd_of_lost == 0.0 else "bound")
            assert (last.usd == 0.0) == (usd_of_lost == 0.0)

    asyncio.run(trial())


def test_results_without_names_are_taken_by_position_only_when_all_are_there(world: ModelWorld, tmp_path: Path) -> None:
    """Gemini may leave the names out: then the order counts, and with one result too few none is taken."""
    spec = CAPABLE[3]

    async def trial(folder: str, missing: int) -> list[ModelAnswer | str]:
        desk = world.batches(spec.service)
        desk.unnamed, desk.missing = True, missing
        world.speak(spec.service, lambda heard: Said(GOOD.replace("Société’s list", heard.turns[0][1])))
        async with process(spec, world, tmp_path / folder) as seen:
            await seen.ask(questions(12))
            assert await seen.caller.settle()
            return list((await seen.ask(questions(12))).values())

    for n, answer in enumerate(asyncio.run(trial("all", 0))):
        assert isinstance(answer, ModelAnswer)
        assert f"listing {n} delisted" in answer.value(Finding).quotes[0].text
    assert all(isinstance(answer, ModelAnswer) and answer.state is ModelState.FAILED for answer in asyncio.run(trial("few", 1)))


@ALL
def test_a_cap_lets_as_many_go_as_fit_and_the_rest_wait(spec: ModelSpec, world: ModelWorld, tmp_path: Path) -> None:
    """Under a cap batches go one after the other while money is left, spend stays below it, and a higher cap goes on."""

    async def trial() -> None:
        asked = questions(6)
        async with process(spec, world, tmp_path / "price") as one:
            await one.ask(asked[:1])
            await one.caller.settle()
            bound = one.booked[0].reserved
            cost = one.booked[0].usd
            assert bound
            assert cost
        world.batches(spec.service).made.clear()
        cap = bound * 2.5
        async with process(spec, world, tmp_path / "run", budget=Budget(cap)) as seen:
            await seen.ask(asked)
            assert await seen.caller.settle()
            assert seen.budget.spent <= cap
            assert max(len(batch.items) for batch in seen.desk.made) == 2
            assert seen.submissions == 3
        tight = Budget(bound + cost * 1.5)
        async with process(spec, world, tmp_path / "tight", budget=tight) as seen:
            await seen.ask(asked)
            with pytest.raises(BudgetExceeded):
                await seen.caller.settle()
            done = [answer for answer in (await seen.ask(asked)).values() if isinstance(answer, ModelAnswer)]
            assert len(done) == 2
            assert tight.spent <= bound + cost * 1.5
        async with process(spec, world, tmp_path / "tight", budget=Budget(10.0, spent=tight.spent)) as seen:
            before = seen.desk.requests
            await seen.ask(asked)
            assert await seen.caller.settle()
            assert seen.desk.requests == before + 4

    asyncio.run(trial())


def test_the_cap_of_a_record_keeps_only_its_question_back(world: ModelWorld, tmp_path: Path) -> None:
    """A record whose cap is reached is told so, the others are answered."""
    spec = CAPABLE[0]

    async def trial() -> None:
        budget = Budget(None, 0.05, spent_by_row={"r1": 0.05})
        async with process(spec, world, tmp_path, budget=budget) as seen:
            await seen.ask(questions(3))
            assert await seen.caller.settle()
            found = await seen.ask(questions(3))
            assert found["r1"] == RecordBudgetExceeded.__name__
            assert isinstance(found["r0"], ModelAnswer)
            assert isinstance(found["r2"], ModelAnswer)

    asyncio.run(trial())


@ALL
def test_what_the_service_refuses_is_told_without_the_key(spec: ModelSpec, world: ModelWorld, tmp_path: Path) -> None:
    """A wrong key, a full plan and a faulty request end the batch before it began: nothing stays set aside, no key is told."""

    async def trial() -> None:
        desk = world.batches(spec.service)
        for status, kind in ((402, SourceUnusable), (400, SourceRefused), (401, SourceUnusable)):
            desk.changes.append(lambda service, answer, status=status: service.error(status, f"no: {world.key(spec.service)}"))
            async with process(spec, world, tmp_path / str(status)) as seen:
                await seen.ask(questions(2))
                with pytest.raises(kind) as told:
                    await seen.caller.settle()
                assert world.key(spec.service) not in f"{told.value!s} {told.value.__cause__!r} {told.value.__context__!r}"
                assert seen.budget.set_aside == pytest.approx(0.0, abs=1e-9)
                assert seen.budget.spent == 0.0
            everything = b"".join(path.read_bytes() for path in (tmp_path / str(status)).iterdir())
            assert world.key(spec.service).encode() not in everything

    asyncio.run(trial())


@ALL
def test_too_fast_is_tried_again_and_looks_may_fail(spec: ModelSpec, world: ModelWorld, tmp_path: Path) -> None:
    """A submission that is refused as too fast is sent once more; a look that fails is repeated."""

    async def trial() -> None:
        desk = world.batches(spec.service)
        first = [None] if desk.service.name.startswith("openai") else []
        slow = [lambda service, answer: service.error(429, "Too many requests")]
        desk.changes.extend([*first, *slow])
        async with process(spec, world, tmp_path) as seen:
            await seen.ask(questions(1))
            assert await seen.caller.settle()
            found = await seen.ask(questions(1))
            assert isinstance(found["r0"], ModelAnswer)
            desk.changes.extend([*first, None, fault("JSON cut in the middle"), fault("HTML in 200")])
            more = [replace_user(question) for question in questions(2)]
            await seen.ask(more)
            assert await seen.caller.settle()
            assert all(isinstance(answer, ModelAnswer) for answer in (await seen.ask(more)).values())

    asyncio.run(trial())


def replace_user(question: Question) -> Question:
    """The same about another thing."""
    return question.model_copy(update={"user": question.user + " Once more."})


def test_what_cannot_go_into_a_batch_is_told_before_any_call(world: ModelWorld, tmp_path: Path) -> None:
    """A provider without a batch API, and a question with a search of its own, are errors of configuration."""

    async def trial() -> None:
        async with process(CAPABLE[0], world, tmp_path) as seen:
            with pytest.raises(ConfigError, match="search tool"):
                await seen.caller.ask(QUESTION.model_copy(update={"search": WebSearch()}))
        with pytest.raises(ConfigError, match="no batch API"):
            async with process(replace(CAPABLE[0], service="deepseek", model="deepseek:deepseek-flash"), world, tmp_path):
                pass

    asyncio.run(trial())


def test_ids_that_lead_elsewhere_are_refused(world: ModelWorld, tmp_path: Path) -> None:
    """A service (or who speaks for it) cannot lead the key to another path or host by an id or an address of results."""
    spec = CAPABLE[2]

    async def trial() -> None:
        async with process(spec, world, tmp_path) as seen:
            seen.desk.polls = 0

            def led(service: Any, answer: Any) -> Any:
                data = json.loads(answer.body) | {"results_url": "https://evil.example/v1/messages/batches/x/results"}
                return replace(answer, body=json.dumps(data).encode())

            seen.desk.changes.extend([None, led])
            await seen.ask(questions(1))
            with pytest.raises(SourceUnusable):
                await seen.caller.settle()
            assert {call.host for call in world.calls(spec.service)} == {world.origin.removeprefix("http://")}
        async with process(spec, world, tmp_path / "id") as seen:
            seen.desk.changes.append(lambda service, answer: replace(answer, body=answer.body.replace(b"msgbatch_", b"../../x_")))
            await seen.ask(questions(1))
            assert await seen.caller.settle()
            assert all(".." not in call.path for call in world.calls(spec.service))

    asyncio.run(trial())

"""One row with a model: the question, the answer settled by workers, the steps of the ladder, and what the judges come to together."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from s2r.adjudicate.llm import Pack, codes_of, contradict, next_step, panel_choice, standing, timeline_codes
from s2r.errors import S2RError, SourceUnusable
from s2r.modelapi import ModelAnswer, ModelRole, ModelState, Question, RecordBudgetExceeded
from s2r.models import Adjudication, Arm, Opinion, Package, PackNote, Rung, Status, Verdict
from s2r.pipeline.engine import Workers
from s2r.pipeline.models import JUDGES, NEEDED, ModelSetup
from s2r.pipeline.native import Cited, cited_hits
from s2r.pipeline.tasks import Answered, Judgement, PackPlan, Settled, Task, judge, settle
from s2r.policy import Policy
from s2r.verify import Audit

LookAgain = Callable[[Task, dt.date | None], Awaitable[Task | None]]  # the task with further pages of official sources, None without
FetchCited = Callable[[Task, Sequence[Cited]], Awaitable[Task]]  # the task with the pages that a model named
Doubt = Callable[["Consulted"], bool]  # whether a row as it stands is too risky to be accepted
NOTHING = Audit((), (), Package.UNVERIFIABLE)
CAPPED, FAILED = "capped", "failed"


class AdjudicatorUnusable(S2RError):
    """The model that is to answer cannot be asked any more (key, plan, name or address): the run stops, what is done is kept."""


@dataclass(frozen=True, slots=True)
class View:
    """One judge's opinion, with its verdict and audit (None when it gave no usable answer)."""

    opinion: Opinion
    verdict: Verdict | None = None
    audit: Audit | None = None


@dataclass(frozen=True, slots=True)
class Consulted:
    """What came of a row with models. `judgement` and `task` are those of the rules, with all pages that steps have added; `again` when
    the next run should ask once more, `capped` when the cap of the record stopped a call."""

    verdict: Verdict
    audit: Audit
    adjudication: Adjudication
    judgement: Judgement
    task: Task
    model: str | None
    again: bool
    capped: bool


@dataclass(slots=True)
class _Case:
    """A row in work: its evidence as it grows, and what was said and done so far."""

    setup: ModelSetup
    policy: Policy
    engine: Workers
    task: Task
    judgement: Judgement
    fetch_cited: FetchCited
    opinions: list[Opinion] = field(default_factory=list)
    rungs: list[Rung] = field(default_factory=list)
    packs: dict[str, PackNote] = field(default_factory=dict)

    @property
    def rules(self) -> Opinion:
        """What the rules say of the pages so far."""
        verdict, audit = self.judgement.verdict, self.judgement.audit
        return Opinion(
            judge="rules",
            state="answered" if verdict.status is not Status.ABSTAIN else "abstained",
            status=verdict.status,
            announcement_date=verdict.announcement_date,
            reason=verdict.reason,
            disclosure_type=verdict.disclosure_type,
            confidence=verdict.confidence,
            package=audit.package,
            claims=audit.claims,
            cause=verdict.abstain_reason,
        )

    async def judged_anew(self, task: Task) -> None:
        """Take a task with more pages, as rules read them."""
        self.task = task
        self.judgement = await self.engine.run(judge, task)


async def consult(
    setup: ModelSetup,
    policy: Policy,
    engine: Workers,
    task: Task,
    judgement: Judgement,
    look_again: LookAgain,
    fetch_cited: FetchCited,
    doubt: Doubt = lambda _: False,
) -> Consulted:
    """Ask the models of a row that rules have judged; `doubt` gives the code high_risk. Raises `AdjudicatorUnusable`, `BudgetExceeded` at
    the cap of the run."""
    case = _Case(setup, policy, engine, task, judgement, fetch_cited)
    if setup.panel:
        return await _panel(case)
    view = first = await _asked(case, ModelRole.ADJUDICATOR, "adjudicate")
    verifier: View | None = None
    codes = _with_risk(case, view, [], codes_of(view.opinion, view.verdict, case.rules, setup.asking.routing), doubt)
    taken: list[str] = []
    while setup.arm is not Arm.CLOSED and (following := next_step(setup.asking.routing, taken, codes)) is not None:
        step, because = following
        taken.append(step.name)
        began, spent, before = time.monotonic(), _usd(case.opinions), view.opinion
        ran, effect = True, ""
        if step.name == "timeline":
            more, effect = timeline_codes(view.opinion, case.judgement.verdict, task.listing.cutoff)
            codes = tuple(dict.fromkeys((*codes, *more)))
        elif step.name == "official":
            ran, effect, view = await _official(case, view, look_again)
            first = view
        else:
            role = ModelRole(step.name)
            if role not in setup.callers:
                ran, effect = False, f"No model is set up for the role {role.value}."
            elif role is ModelRole.VERIFIER:
                verifier = await _asked(case, role, "verify")
                effect = _compared(view.opinion, verifier.opinion)
            else:
                stronger = await _asked(case, role, "adjudicate")
                view = stronger if stronger.verdict is not None else view
                effect = _changed(before, stronger.opinion)
        if step.name != "timeline":
            others = [verifier.opinion] if verifier else []
            codes = _with_risk(case, view, others, _doubts(case, view, verifier, asked="verifier" in taken), doubt)
        rung = Rung(step=step.name, because=because, ran=ran, effect=effect, usd=_since(spent, _usd(case.opinions)),
                    latency_s=round(time.monotonic() - began, 3))  # fmt: skip
        case.rungs.append(rung)
    others = [verifier.opinion] if verifier else []
    if view is not first and not setup.asking.routing.outvote:
        others.append(first.opinion)
    return _together(case, view, others, codes)


def _with_risk(case: _Case, view: View, others: Sequence[Opinion], codes: tuple[str, ...], doubt: Doubt) -> tuple[str, ...]:
    return (*codes, "high_risk") if doubt(_together(case, view, others, codes)) else codes


def _doubts(case: _Case, view: View, verifier: View | None, *, asked: bool) -> tuple[str, ...]:
    """All codes that stand for the answer as it is now."""
    found = list(codes_of(view.opinion, view.verdict, case.rules, case.setup.asking.routing))
    found += timeline_codes(view.opinion, case.judgement.verdict, case.task.listing.cutoff)[0]
    if verifier and contradict(view.opinion, verifier.opinion):
        found.append("verifier_differs")
    if asked and (verifier is None or verifier.verdict is None):
        found.append("verifier_missing")
    return tuple(dict.fromkeys(found))


async def _official(case: _Case, view: View, look_again: LookAgain) -> tuple[bool, str, View]:
    """Search the official sources once more; with new pages rules judge and the model answers anew."""
    if case.setup.arm is not Arm.WEB:
        return False, f"The arm {case.setup.arm.value} is shown no pages of ours.", view
    more = await look_again(case.task, view.opinion.announcement_date)
    if more is None:
        return True, "No further page of an official source was found.", view
    count, before = len(more.exhibits) - len(case.task.exhibits), case.judgement.pack
    await case.judged_anew(more)
    found = f"{count} further page{'s' if count != 1 else ''} of official sources"
    pack = case.judgement.pack
    if before and pack and before.note.digest == pack.note.digest:
        return True, f"{found}; none of them changes the evidence shown.", view
    anew = await _asked(case, ModelRole.ADJUDICATOR, "adjudicate")
    return True, f"{found}. {_changed(view.opinion, anew.opinion)}", anew


async def _asked(case: _Case, role: ModelRole, purpose: str) -> View:
    """The opinion of one role on the evidence as it is now, kept among those of the row."""
    view = await _view(case, role, purpose)
    case.opinions.append(view.opinion)
    return view


async def _asked_at_once(case: _Case) -> list[View]:
    """The opinions of all judges on the same evidence, kept in the order of the roles whoever answers first.

    All have ended before what stops one of them is raised: a call under way is paid for, so its answer is kept.
    """
    question = _question(case, case.setup.arm, "adjudicate")
    found = await asyncio.gather(*(_view(case, role, "adjudicate", question) for role in ModelRole), return_exceptions=True)
    views = []
    for view in found:
        if isinstance(view, BaseException):
            raise view
        views.append(view)
    case.opinions += [view.opinion for view in views]
    return views


def _question(case: _Case, arm: Arm, purpose: str) -> Question:
    """What is asked on an arm, about the evidence as it is now."""
    pack = case.judgement.pack if arm is Arm.WEB else None
    return replace(case.setup, arm=arm).question(case.task.listing, case.policy, pack, purpose)


async def _view(case: _Case, role: ModelRole, purpose: str, question: Question | None = None) -> View:
    """The opinion of one role; `question` is given when others are asked the same."""
    setup = case.setup
    # who checks what a model found by itself reads the pages that it named, as they are archived
    arm = Arm.WEB if role is ModelRole.VERIFIER and purpose == "verify" and setup.arm is Arm.NATIVE else setup.arm
    pack = case.judgement.pack if arm is Arm.WEB else None
    question = question or _question(case, arm, purpose)
    if pack:
        case.packs.setdefault(pack.note.digest, pack.note)
    blank = Opinion(judge=role.value, state=FAILED, prompt=question.prompt, pack=question.pack, model=setup.names[role.value])
    try:
        answer = await setup.ask(role, question)
    except RecordBudgetExceeded as exc:
        return View(blank.model_copy(update={"state": CAPPED, "cause": str(exc)}))
    except SourceUnusable as exc:
        if role is ModelRole.ADJUDICATOR:
            raise AdjudicatorUnusable(exc.message, subject=setup.names[role.value], advice=exc.advice or _MEND) from exc
        return View(blank.model_copy(update={"cause": str(exc)}))
    blank = blank.model_copy(update=_measured(answer, setup.names[role.value]))
    if arm is Arm.NATIVE:
        cited = cited_hits(answer, setup.callers[role].account.profile.provider, case.task.max_pages)
        more = await case.fetch_cited(case.task, cited)
        await case.judged_anew(replace(more, pack=PackPlan(setup.pack, setup.asking.instructions)))
    if answer.state is not ModelState.ANSWERED:
        return View(blank)
    return _settled(blank, await case.engine.run(settle, _answered(case, role, answer, arm, pack)))


_MEND = "Mend what the message names, then repeat the same command: what is done is kept."


def _answered(case: _Case, role: ModelRole, answer: ModelAnswer, arm: Arm, pack: Pack | None) -> Answered:
    return Answered(
        listing=case.task.listing,
        text=answer.text,
        by=case.setup.judge_name(role),
        arm=arm,
        pack=pack,
        exhibits=case.task.exhibits,
        archive=case.task.archive,
        policy=case.task.policy,
        rules=case.judgement.verdict,
        coverage_sufficient=case.judgement.coverage.sufficient,
        coverage_cause=case.judgement.coverage.statement,
    )


def _measured(answer: ModelAnswer, asked: str) -> dict[str, object]:
    """What a call was and cost, as fields of an opinion."""
    provider = asked.partition(":")[0]
    return {
        "state": answer.state.value,
        "cause": answer.cause,
        "model": f"{provider}:{answer.model}" if answer.model else asked,
        "usd": answer.usd,
        "cached": answer.cached,
        "calls": 0 if answer.cached else answer.calls,
        "repairs": answer.repairs,
        "searches": answer.usage.searches,
        "input_tokens": answer.usage.input_tokens,
        "cached_tokens": answer.usage.cached_tokens,
        "output_tokens": answer.usage.output_tokens,
        "reasoning_tokens": answer.usage.reasoning_tokens,
        "latency_s": answer.elapsed_s,
        "exchanges": answer.exchanges,
    }


def _settled(blank: Opinion, settled: Settled) -> View:
    if settled.verdict is None or settled.audit is None:
        return View(blank.model_copy(update={"state": "rejected", "cause": "; ".join(settled.problems)[:1000]}))
    verdict, audit = settled.verdict, settled.audit
    said = {
        "state": "abstained" if verdict.status is Status.ABSTAIN else "answered",
        "status": verdict.status,
        "announcement_date": verdict.announcement_date,
        "reason": verdict.reason,
        "disclosure_type": verdict.disclosure_type,
        "confidence": verdict.confidence,
        "package": audit.package,
        "claims": audit.claims,
        "cause": verdict.abstain_reason or blank.cause,
    }
    return View(blank.model_copy(update=said), verdict, audit)


async def _panel(case: _Case) -> Consulted:
    """Three judges, each on its own; the answer that enough of them give is the record's, else it abstains."""
    began, need = time.monotonic(), NEEDED[case.setup.panel]
    # one after the other on the arm native, where each adds pages to the evidence
    if case.setup.arm is Arm.NATIVE:
        views = [await _asked(case, role, "adjudicate") for role in ModelRole]
    else:
        views = await _asked_at_once(case)
    chosen = panel_choice([view.opinion for view in views], need)
    view = views[chosen] if chosen is not None else View(_split(views, need))
    votes = sum(one.opinion.state == "answered" and not contradict(view.opinion, one.opinion) for one in views) if chosen is not None else 0
    effect = f"{votes} of {JUDGES} judges agree, {need} are needed."
    case.rungs.append(
        Rung(
            step="panel", because=(case.setup.panel,), effect=effect, usd=_usd(case.opinions), latency_s=round(time.monotonic() - began, 3)
        )
    )
    codes = codes_of(view.opinion, view.verdict, case.rules, case.setup.asking.routing)
    return _together(case, view, [], codes, panel=f"{votes} of {JUDGES}")


def _split(views: Sequence[View], need: int) -> Opinion:
    told = "; ".join(
        f"{v.opinion.judge}: {v.opinion.status.value if v.opinion.state == 'answered' else v.opinion.state}"
        + (f" {v.opinion.announcement_date}" if v.opinion.announcement_date else "")
        for v in views
    )
    return Opinion(judge="panel", state="abstained", cause=f"Fewer than {need} of {JUDGES} judges agree ({told}).")


def _together(case: _Case, view: View, others: Sequence[Opinion], codes: tuple[str, ...], *, panel: str = "") -> Consulted:
    """The record's answer with all that led to it."""
    stands = standing(view.opinion, case.rules, others)
    verdict = view.verdict or _no_answer(case, view.opinion)
    states = {opinion.state for opinion in case.opinions}
    setup = case.setup
    told = Adjudication(
        arm=setup.arm,
        prompt=setup.asking.prompts["adjudicate"].id,
        routing=setup.asking.routing_id,
        packs=tuple(case.packs.values()),
        opinions=(case.rules, *case.opinions),
        rungs=tuple(case.rungs),
        codes=codes,
        attested=stands.attested,
        dissent=stands.dissent,
        decided_by=view.opinion.judge,
        panel=panel,
    )
    return Consulted(
        verdict=verdict,
        audit=view.audit or NOTHING,
        adjudication=told,
        judgement=case.judgement,
        task=case.task,
        model=view.opinion.model or None,
        again=bool(states & {FAILED, CAPPED}),
        capped=CAPPED in states,
    )


def _no_answer(case: _Case, opinion: Opinion) -> Verdict:
    """An abstention in place of an answer that did not come or cannot be used; what rules read stays for the reviewer."""
    rules = case.judgement.verdict
    words = {"rejected": "The model's answer cannot be used", "abstained": "The model abstains", CAPPED: "The model was not asked"}
    why = f"{words.get(opinion.state, f'No answer of the model ({opinion.state})')}: {opinion.cause or 'no cause is known'}"
    return Verdict(
        status=Status.ABSTAIN,
        confidence=0.0,
        findings=rules.findings,
        timeline=rules.timeline,
        conflicts=rules.conflicts,
        steps=(why, *(f"Rules: {step}" for step in rules.steps[-1:])),
        later_event=rules.later_event,
        abstain_reason=why,
        adjudicator=case.setup.judge_name(ModelRole.ADJUDICATOR),
    )


def _usd(opinions: Sequence[Opinion]) -> float | None:
    """What the calls cost, None when the price of one is unknown."""
    found = [opinion.usd for opinion in opinions]
    return None if any(usd is None for usd in found) else sum(usd or 0.0 for usd in found)


def _since(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else round(after - before, 8)


def _shown(opinion: Opinion) -> str:
    if opinion.state not in ("answered", "abstained"):
        return opinion.state
    parts = (opinion.status.value, str(opinion.announcement_date or ""), opinion.reason or "")
    return " ".join(part for part in parts if part)


def _changed(before: Opinion, after: Opinion) -> str:
    one, other = _shown(before), _shown(after)
    return f"The answer stays {one}." if one == other else f"The answer was {one}, is {other}."


def _compared(one: Opinion, other: Opinion) -> str:
    if other.state != "answered":
        return f"The second model gives no answer: {other.state}" + (f" ({other.cause})." if other.cause else ".")
    return f"The second model says {_shown(other)}, " + ("which contradicts the first." if contradict(one, other) else "as the first does.")

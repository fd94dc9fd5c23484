"""The part of a model's answer that workers do: read it against re-opened bytes, and verify it like any verdict. No store, no network."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from s2r.adjudicate.llm import answer_form, read_answer
from s2r.adjudicate.rules.sources import kind_of
from s2r.models import Arm, Page, Status, Verdict
from s2r.pipeline.judge import opened, reopen
from s2r.pipeline.tasks import Answered, Settled, held
from s2r.verify import verify


def settle(answered: Answered) -> Settled:
    """Read and verify one answer. Raises nothing for what a model may say."""
    policy = held(answered.policy)
    try:
        answer = answer_form(policy).model_validate_json(answered.text, strict=True)
    except ValidationError as exc:
        return Settled(None, None, (f"the answer is not of the form: {exc.error_count()} faults",))
    passages = {p.ref.id: p for p in answered.pack.passages} if answered.pack else {} if answered.arm is Arm.CLOSED else None
    cited = {passages[p.passage].ref.exhibit for p in answer.evidence if p.passage in passages} if passages is not None else None
    wanted = {digest for digest, _, _ in answered.exhibits} if cited is None else cited
    pages: Mapping[str, Page] = reopen(opened(answered.archive), wanted, answered.exhibits) if wanted else {}
    kinds = {digest: kind_of(page, policy, answered.listing) for digest, page in pages.items()} if passages is None else {}
    read = read_answer(answer, answered.listing, pages, answered.rules, by=answered.by, passages=passages, kinds=kinds)
    if read.verdict is None:
        return Settled(None, None, read.problems)
    verdict = _covered(read.verdict, answered)
    audit = verify(answered.listing, verdict, pages, policy, coverage_sufficient=answered.coverage_sufficient)
    return Settled(verdict, audit)


def _covered(verdict: Verdict, answered: Answered) -> Verdict:
    """On our own evidence a `no` needs enough coverage, whoever says it; on the other arms it is measured, and never accepted."""
    if answered.arm is not Arm.WEB or verdict.status is not Status.NO or answered.coverage_sufficient:
        return verdict
    step = f"Abstains: {answered.coverage_cause}"
    changes = {"status": Status.ABSTAIN, "abstain_reason": answered.coverage_cause, "steps": (*verdict.steps, step)}
    return verdict.model_copy(update=changes)

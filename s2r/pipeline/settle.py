"""The part of a model's answer that workers do: read it against re-opened bytes, and verify it like any verdict. No store, no network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from s2r.adjudicate.llm import Pack, answer_form, read_answer
from s2r.adjudicate.rules.sources import kind_of
from s2r.archive.reading import Reader
from s2r.models import Arm, Listing, Page, Status, Verdict
from s2r.pipeline.judge import held, opened, reopen
from s2r.verify import Audit, verify


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer to be settled. `exhibits` as in `Task`: those of the pack, or the pages that a model found itself (no pack).

    `rules` is what rules made of the same pages; `coverage_cause` says why a `no` cannot be given, "" when it can.
    """

    listing: Listing
    text: str  # JSON of the form
    by: str
    arm: Arm
    pack: Pack | None
    exhibits: tuple[tuple[str, str, str], ...]
    archive: Path | Reader
    policy: str
    rules: Verdict
    coverage_sufficient: bool
    coverage_cause: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """Verdict and evidence audit of an answer, or the problems for which it is none."""

    verdict: Verdict | None
    audit: Audit | None
    problems: tuple[str, ...] = ()


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

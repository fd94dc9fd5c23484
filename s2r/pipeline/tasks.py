"""What workers are given and give back, and what they run. The rules are imported by the worker that runs them, not by who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from s2r.adjudicate.llm import Pack
from s2r.archive.reading import Reader
from s2r.models import Arm, Coverage, Gap, Hit, Listing, Query, Verdict
from s2r.policy import Policy
from s2r.policy.asking import PackRule
from s2r.verify import Audit


@dataclass(frozen=True, slots=True)
class PackPlan:
    """How the evidence for a model is chosen: the rule of models.toml, and the patterns of text that speaks to models."""

    rule: PackRule
    instructions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One row, searched and fetched. `exhibits` are (digest, url, title) in the order of the hits."""

    listing: Listing
    exhibits: tuple[tuple[str, str, str], ...]
    archive: Path | Reader  # a run folder, or the pages themselves
    policy: str  # policy_id of the policy that the worker holds
    queries: tuple[Query, ...]
    providers: Mapping[str, str]
    gaps: tuple[Gap, ...]
    extract_timeout_s: float
    point_in_time: bool = False  # only pages that were provably public by the cutoff count
    notes: tuple[str, ...] = ()
    unread: tuple[Hit, ...] = ()  # hits whose page is there and could not be had
    pack: PackPlan | None = None  # set where a model will be asked
    max_pages: int = 40  # that a step may add


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of a row: verdict, evidence audit, coverage with all gaps, and pages and bytes read."""

    verdict: Verdict
    audit: Audit
    coverage: Coverage
    pages: int
    bytes: int
    error: str | None = None
    pack: Pack | None = None


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


_HELD: dict[str, Policy] = {}


def hold(policy: Policy) -> None:
    """Keep the policy of the run in this worker, for the tasks that name it."""
    _HELD[policy.policy_id] = policy


def held(policy_id: str) -> Policy:
    """The policy that this worker holds under an id."""
    return _HELD[policy_id]


def judge(task: Task) -> Judgement:
    """See `s2r.pipeline.judge`."""
    from s2r.pipeline import judge as work

    return work.judge(task)


def settle(answered: Answered) -> Settled:
    """See `s2r.pipeline.settle`."""
    from s2r.pipeline import settle as work

    return work.settle(answered)

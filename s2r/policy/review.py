"""`policies/review.toml`: order of the queue, leases, who decides twice, reason codes, bulk decisions, parts of the labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from s2r.models.decision import Package, Status
from s2r.models.listing import Frozen
from s2r.policy.lines import Path_
from s2r.policy.load import PolicyFault, load_optional, optional_faults
from s2r.policy.structure import Problem, each_of, one_of

FILE = "review.toml"
_KEY = "^[a-z0-9]$"
KINDS = ("confirm", "correct", "reject", "cannot_decide")
SORTS = ("priority", "age", "confidence", "issuer", "row")


class Impact(Frozen):
    """How much a wrong record costs, relative to others; factors multiply. A key that is not listed counts as 1."""

    status: dict[str, float] = Field(default_factory=dict)
    reason: dict[str, float] = Field(default_factory=dict)
    market: dict[str, float] = Field(default_factory=dict)
    conflict: dict[str, float] = Field(default_factory=dict)  # how the vendor's row compares
    returned: float = Field(2.0, ge=0)  # a decided row that came back with other evidence
    sample: float = Field(1.0, ge=0)  # drawn as an audit sample


class Queue(Frozen):
    """Order and pages of the queue."""

    sort: str = "priority"
    page_size: int = Field(50, ge=1, le=500)
    impact: Impact = Impact()


class Leases(Frozen):
    """For how long a row is held, in minutes, and how many one reviewer may hold at once."""

    minutes: float = Field(15.0, gt=0)
    most: int = Field(20, ge=1)


class Second(Frozen):
    """Which rows are decided by two reviewers: the seeded `share` of all, and every row for which one of the lists holds."""

    share: float = Field(0.1, ge=0, le=1)
    seed: int = 0
    route_reason: tuple[str, ...] = ()  # words of the sentence for which it goes to review
    status: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()
    samples: bool = True  # rows drawn as an audit sample
    corrections: bool = False  # whatever a reviewer corrects


class ReasonCode(Frozen):
    """A reason for a decision, as it is shown and counted. `kinds`: the decisions that it fits (none given: all)."""

    code: str
    text: str
    kinds: tuple[str, ...] = ()
    note: bool = False  # a note is asked for


class Bulk(Frozen):
    """Which groups of alike rows may be decided at once: all of one answer, reason, package and route reason, below a risk."""

    allowed: bool = True
    max_risk: float = Field(0.2, ge=0, le=1)
    most: int = Field(200, ge=1)
    status: tuple[str, ...] = ("no",)
    package: tuple[str, ...] = ("pass", "unverifiable")


class Labels(Frozen):
    """Parts of the labels that decisions become: shares of train, calibration and locked test, dealt by the digest of seed and issuer
    family, so that the part of a listing is known before anybody looks at it."""

    seed: int = 0
    shares: tuple[float, float, float] = (0.4, 0.4, 0.2)


class Keys(Frozen):
    """The key of each action of the workbench: one small letter or digit, each only once."""

    confirm: str = Field("c", pattern=_KEY)
    correct: str = Field("x", pattern=_KEY)
    save_correction: str = Field("w", pattern=_KEY)
    reject: str = Field("r", pattern=_KEY)
    cannot_decide: str = Field("d", pattern=_KEY)
    next_claim: str = Field("n", pattern=_KEY)
    previous_claim: str = Field("p", pattern=_KEY)
    sentence: str = Field("s", pattern=_KEY)
    view: str = Field("v", pattern=_KEY)
    note: str = Field("m", pattern=_KEY)
    claim: str = Field("g", pattern=_KEY)
    release: str = Field("l", pattern=_KEY)
    undo: str = Field("u", pattern=_KEY)
    queue: str = Field("q", pattern=_KEY)
    search: str = Field("f", pattern=_KEY)
    help: str = Field("h", pattern=_KEY)


class ReviewPolicy(Frozen):
    """review.toml."""

    queue: Queue = Queue()
    leases: Leases = Leases()
    second: Second = Second()
    bulk: Bulk = Bulk()
    labels: Labels = Labels()
    reason_code: tuple[ReasonCode, ...] = ()
    keys: Keys = Keys()
    correction_needs_evidence: bool = True  # a corrected yes needs a quote for its status or date

    def codes(self, kind: str) -> tuple[ReasonCode, ...]:
        """The reason codes that fit a kind of decision."""
        return tuple(code for code in self.reason_code if not code.kinds or kind in code.kinds)


def load_review(root: Path) -> ReviewPolicy:
    """Load `review.toml` of a policies folder, the defaults without one; raise `PolicyError` with its first fault."""
    return load_optional(ReviewPolicy, root, FILE, review_problems)


def review_faults(root: Path) -> list[PolicyFault]:
    """Every fault of review.toml."""
    return optional_faults(ReviewPolicy, root, FILE, review_problems)


def review_problems(given: ReviewPolicy) -> Iterator[Problem]:
    """Faults of review.toml beyond its types."""
    statuses, packages = tuple(s.value for s in Status), tuple(p.value for p in Package)
    yield from one_of(("queue", "sort"), given.queue.sort, SORTS)
    yield from _factors(given.queue.impact, statuses)
    yield from each_of(("second", "status"), given.second.status, statuses)
    yield from each_of(("bulk", "status"), given.bulk.status, statuses)
    yield from each_of(("bulk", "package"), given.bulk.package, packages)
    if abs(sum(given.labels.shares) - 1.0) > 1e-9 or min(given.labels.shares) < 0:
        yield ("labels", "shares"), f"{given.labels.shares} are no shares", "Give three numbers from 0 that add up to 1."
    used: dict[str, str] = {}
    for action, key in given.keys.model_dump().items():
        if key in used:
            yield ("keys", action), f"the key {key!r} stands for {used[key]}, too", "Give every action a key of its own."
        used.setdefault(key, action)
    seen: set[str] = set()
    for index, code in enumerate(given.reason_code):
        path: Path_ = ("reason_code", index)
        if not code.code or not code.code.replace("_", "").isalnum() or not code.code.isascii():
            yield (*path, "code"), f"{code.code!r} is no code", "Use letters, digits and _."
        if code.code in seen:
            yield (*path, "code"), f"the code {code.code!r} is used twice", "Give every reason a code of its own."
        seen.add(code.code)
        yield from each_of((*path, "kinds"), code.kinds, KINDS)


def _factors(impact: Impact, statuses: tuple[str, ...]) -> Iterator[Problem]:
    for name in ("status", "reason", "market", "conflict"):
        for key, value in getattr(impact, name).items():
            if value < 0:
                yield ("queue", "impact", name, key), f"{value:g} is below 0", "Give a factor from 0."
    for key in impact.status:
        yield from one_of(("queue", "impact", "status", key), key, statuses)

"""A fitted risk model: probabilities of being wrong by target, thresholds of acceptance, what they rest on; scoring needs no library."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from pydantic import Field, model_validator

from s2r.errors import ConfigError
from s2r.models import Frozen, Record, Status
from s2r.risk.drift import Baseline
from s2r.risk.features import feature_set, is_column, vector
from s2r.risk.judged import is_valid, judged
from s2r.risk.measure import Measured
from s2r.risk.mix import Estimate
from s2r.risk.targets import Target
from s2r.risk.threshold import Choice, Method, Promise

FARTHEST = 4.0  # standard deviations; a record beyond what was seen is not taken for more extreme than this
TARGET_WORDS = {
    Target.STATUS: "answer",
    Target.DATE_EXACT: "answer or date",
    Target.DATE_WITHIN_7: "answer or date (by more than 7 days)",
    Target.REASON: "answer or reason",
    Target.JOINT_EXACT: "answer, date or reason",
    Target.JOINT_WITHIN_7: "answer, date (by more than 7 days) or reason",
}


class Fit(Frozen):
    """Logistic regression of one target on the standardised columns; `coefficients` in their order, a positive one raises the risk."""

    target: Target
    intercept: float
    coefficients: tuple[float, ...]
    records: int
    wrong: int


class Part(Frozen):
    """One part of the labelled records."""

    records: int
    families: int
    positives: int
    wrong: int


class Source(Frozen):
    """What a model was fitted on. `digest` covers the labels and the records; `parts` by name of the split."""

    digest: str
    unlabelled: int
    seed: int
    parts: dict[str, Part]
    strata: dict[str, int]


class Look(Frozen):
    """One evaluation on locked test rows. `seen_before`: how many of them an earlier look has already shown."""

    at: str
    name: str
    test: str  # digest of the test rows
    records: int
    seen_before: int


class RiskModel(Frozen):
    """`policies/risk/<name>.json`. `arms` are the adjudicators (with their model) whose records it was fitted on; `groups` have a
    threshold each: "yes", "no", or with the market ("yes/XNAS", "yes/*" for all others)."""

    format: Literal[1] = 1
    name: str
    event_type: str
    policy: str
    feature_set: str
    arms: tuple[str, ...]
    version: str
    fitted_at: str
    source: Source
    balanced: bool
    strength: float
    columns: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    fits: tuple[Fit, ...]
    left_out: dict[str, str] = Field(default_factory=dict)
    target: Target
    promise: Promise
    method: Method
    groups: tuple[str, ...]
    choices: tuple[Choice, ...]
    beside: tuple[Choice, ...] = ()  # what the other method would have chosen
    mix: dict[str, float] | None = None
    weights: dict[str, float] = Field(default_factory=dict)
    effective_n: float | None = None
    baseline: tuple[Baseline, ...] = ()
    test: Measured | None = None
    deployed: Estimate | None = None
    looks: tuple[Look, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> RiskModel:
        width = len(self.columns)
        if not (len(self.means) == len(self.scales) == width and all(len(fit.coefficients) == width for fit in self.fits)):
            raise ValueError("columns, means, scales and coefficients differ in number")
        if self.target not in {fit.target for fit in self.fits}:
            raise ValueError(f"there is no fit of the target {self.target.value}")
        if {choice.group for choice in self.choices} != set(self.groups):
            raise ValueError("groups and their choices differ")
        if any("/" in group for group in self.groups) and not {"yes/*", "no/*"} <= set(self.groups):
            raise ValueError("groups by market need one for all other markets")
        return self

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of all that the model says."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    @property
    def model_id(self) -> str:
        """`name#digest12`, as records name it."""
        return f"{self.name}#{self.digest[:12]}"

    @cached_property
    def by_group(self) -> Mapping[str, Choice]:
        """The choices by their group."""
        return {choice.group: choice for choice in self.choices}

    def risks(self, record: Record) -> dict[str, float]:
        """Estimated probability of being wrong, by target."""
        return self.risks_of(vector(judged(record), self.columns))

    def risks_of(self, numbers: Sequence[float]) -> dict[str, float]:
        """The same for the numbers of a record in the order of `columns`."""
        scaled = standardised(numbers, self.means, self.scales)
        return {fit.target.value: probability(fit, scaled) for fit in self.fits}


class Opinion(Frozen):
    """What a model says of a record. `within`: it may be accepted; `risks` is None where the model does not apply."""

    risks: dict[str, float] | None
    within: bool
    sentence: str


def standardised(numbers: Sequence[float], means: Sequence[float], scales: Sequence[float]) -> list[float]:
    """`numbers` in standard deviations from their means, none farther than FARTHEST."""
    return [max(-FARTHEST, min(FARTHEST, (x - mean) / scale)) for x, mean, scale in zip(numbers, means, scales, strict=True)]


def probability(fit: Fit, scaled: Sequence[float]) -> float:
    """The logistic of the weighted sum."""
    logit = fit.intercept + sum(weight * x for weight, x in zip(fit.coefficients, scaled, strict=True))
    return 1.0 / (1.0 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1.0 + math.exp(logit))


def arm_of(record: Record) -> str:
    """Who answered: the adjudicator, and its model if it has one."""
    return f"{record.adjudicator}:{record.model}" if record.model else record.adjudicator


def group_of(record: Record, groups: Sequence[str]) -> str:
    """The group of a record: its answer, followed by its market where `groups` tell markets apart."""
    answer, market = record.status.value, record.listing.mic or record.listing.country
    markets = {group.partition("/")[2] for group in groups if "/" in group}
    return f"{answer}/{market if market in markets else '*'}" if markets else answer


def opinion(model: RiskModel, record: Record) -> Opinion:
    """What `model` says of `record`; one that is invalid or abstains is never within, whatever its risk."""
    arm = arm_of(record)
    if arm not in model.arms:
        known = ", ".join(model.arms)
        return Opinion(risks=None, within=False, sentence=f"The risk model {model.name} was fitted on answers of {known}, not of {arm}.")
    risks = {name: round(value, 6) for name, value in model.risks(record).items()}
    if record.status is Status.ABSTAIN or not is_valid(record):
        return Opinion(risks=risks, within=False, sentence="")
    choice = model.by_group[group_of(record, model.groups)]
    risk = risks[model.target.value]
    said = f"The risk that its {TARGET_WORDS[model.target]} is wrong is estimated at {risk:.1%}"
    if choice.threshold is None:
        return Opinion(
            risks=risks, within=False, sentence=f"{said}; nothing could be {model.method.value} for {group_words(choice.group)}."
        )
    within = choice.accepts(risk)
    place = "within" if within else "above"
    sentence = f"{said}, {place} the limit of {choice.threshold:.1%} for {group_words(choice.group)} ({basis(choice)})."
    return Opinion(risks=risks, within=within, sentence=sentence)


def group_words(group: str) -> str:
    """A group in words."""
    answer, _, market = group.partition("/")
    where = "" if not market else " in other markets" if market == "*" else f" at {market}"
    return f"answers {answer}{where}"


def basis(choice: Choice) -> str:
    """What a threshold rests on, in a few words."""
    if choice.method is Method.CERTIFIED:
        return f"at most {choice.error:.0%} of them wrong, certified at {choice.confidence:.1%} on {choice.families} accepted"
    return f"at most {choice.error:.0%} of them wrong as observed on {choice.families} accepted, not certified"


def check_fits(model: RiskModel, policy_id: str, event_type: str) -> None:
    """Raise ConfigError unless the model was made for this policy, event type and feature set."""
    advice = "Calibrate anew on records of this policy and version, or choose another model."
    if model.event_type != event_type:
        raise ConfigError(f"is for {model.event_type}, the policy is for {event_type}", subject=f"risk model {model.name}", advice=advice)
    if model.policy != policy_id:
        raise ConfigError(
            f"was fitted under the policy {model.policy}, this is {policy_id}", subject=f"risk model {model.name}", advice=advice
        )
    strange = [column for column in model.columns if not is_column(column)]
    if model.feature_set != feature_set() or strange:
        what = f"column {strange[0]}" if strange else f"feature set {model.feature_set}, this version computes {feature_set()}"
        raise ConfigError(f"was fitted on other features ({what})", subject=f"risk model {model.name}", advice=advice)

"""Selective acceptance: up to which estimated risk records may be accepted, and what is promised about those that are.

`empirical` takes the largest set whose error on the calibration cases is within the target, as published studies do; that promises
nothing about new records. `certified` tests thresholds of a grid, strictest first, with an exact binomial test each, and stops at the
first that fails (fixed sequence; Angelopoulos et al. 2021, "Learn then Test"): with the stated confidence the error of what it accepts
is within the target. The grid must not depend on the calibration labels. An issuer family counts once, and as wrong when any accepted
record of it is.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from s2r.models import Frozen, Status
from s2r.risk.exact import least_n, most_wrong, upper_limit


class Method(StrEnum):
    """How a threshold was chosen."""

    CERTIFIED = "certified"
    EMPIRICAL = "empirical"


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled record as selection sees it. `group` is its answer, with "/<market>" where markets have thresholds of their own;
    `positive`: the event happened by the cutoff; `family` names issuers that count once; `eligible`: the routing table would accept
    it if its risk were low; `weight` is that of its stratum in the target mix."""

    risk: float
    wrong: bool
    group: str = ""
    family: str = ""
    positive: bool = False
    eligible: bool = True
    weight: float = 1.0

    @property
    def said_yes(self) -> bool:
        """Whether the answer is yes."""
        return self.group.startswith(Status.YES.value)

    @property
    def losing(self) -> bool:
        """Whether accepting it would lose a true event, which no reviewer would see."""
        return self.positive and not self.said_yes


class Promise(Frozen):
    """What is asked of the accepted records: at most `error` of them wrong, with `confidence` for all groups together; `recall` is
    the least share of true events that are not lost in an accepted no (None: not asked). `tolerated`: wrong ones that the first
    set that is tested can bear, so that one early mistake does not end the sequence."""

    error: float = Field(0.05, gt=0, lt=1)
    confidence: float = Field(0.9, gt=0.5, lt=1)
    recall: float | None = Field(None, gt=0, lt=1)
    tolerated: int = Field(1, ge=0)


class Choice(Frozen):
    """The threshold of one group. `threshold` is None when nothing may be accepted; `why` says so in a sentence. `families` are
    counted once each (records where no family is named); `limit` is their exact upper limit at this group's share of the budget."""

    group: str
    method: Method
    threshold: float | None
    error: float
    confidence: float  # of this group alone: the budget of doubt is shared by all groups
    records: int
    families: int
    wrong: int
    limit: float
    why: str

    def accepts(self, risk: float) -> bool:
        """Whether a record of this group with that risk may be accepted."""
        return self.threshold is not None and risk <= self.threshold


Grid = Sequence[float] | Mapping[str, Sequence[float]]


def certified(
    cases: Iterable[Case], promise: Promise, grid: Grid, groups: Sequence[str] = ("",), *, events: Iterable[Case] | None = None
) -> tuple[Choice, ...]:
    """One certified choice per group, in their order; the doubt that `promise` allows is shared by the groups in equal parts.

    `grid` holds the thresholds that are tested, one for all groups or one for each. `events` are the cases on which recall is tested
    where `cases` were thinned to another mix; recall is about true events alone, whatever their share.
    """
    known = list(cases)
    known_events = known if events is None else list(events)
    doubt = (1.0 - promise.confidence) / len(groups)
    parts = by_group(known, groups)
    steps = grid if isinstance(grid, Mapping) else dict.fromkeys(groups, grid)
    return tuple(
        _certify(group, parts[group], _positives(known_events, group), promise, sorted(set(steps[group])), doubt) for group in groups
    )


def empirical(cases: Iterable[Case], promise: Promise, groups: Sequence[str] = ("",)) -> tuple[Choice, ...]:
    """One empirical choice per group: the largest threshold whose weighted error on these very cases is within the target."""
    known = list(cases)
    parts = by_group(known, groups)
    return tuple(_fit_empirical(group, parts[group], _positives(known, group), promise) for group in groups)


def by_group(cases: Iterable[Case], groups: Sequence[str]) -> dict[str, list[Case]]:
    """Eligible cases by group, lowest risk first; an eligible case of no group is a bug (KeyError)."""
    parts: dict[str, list[Case]] = {group: [] for group in groups}
    for case in cases:
        if case.eligible:
            parts[case.group].append(case)
    for part in parts.values():
        part.sort(key=lambda case: case.risk)
    return parts


def _positives(cases: Iterable[Case], group: str) -> list[Case] | None:
    """True events of all answers in the market of a group; None for a group of yeses, which loses none."""
    answer, _, market = group.partition("/")
    if answer == Status.YES.value:
        return None
    return [case for case in cases if case.positive and case.group.partition("/")[2] == market]


def thinned(cases: Sequence[Case], seed: int) -> list[Case]:
    """A sample of `cases` that follows the target mix: each is kept with its weight over the largest one. Exact tests hold on it."""
    top = max((case.weight for case in cases), default=0.0)
    draw = random.Random(seed)  # noqa: S311 - sampling, not a secret
    return [case for case in cases if draw.random() * top < case.weight]


class _Tally:
    """Families accepted so far, with those that are wrong and those whose event an accepted no would lose."""

    def __init__(self) -> None:
        self.records = 0
        self.families: dict[str, bool] = {}
        self.wrong = 0

    def add(self, case: Case) -> None:
        self.records += 1
        family = case.family or f"\0{self.records}"
        before = self.families.get(family)
        self.families[family] = bool(before) or case.wrong
        self.wrong += case.wrong and not before


def _certify(
    group: str, cases: Sequence[Case], events: Sequence[Case] | None, promise: Promise, grid: Sequence[float], doubt: float
) -> Choice:
    tally, found, shown, stopped = _Tally(), None, 0, ""
    first = _first(cases, promise, doubt)
    for threshold in grid:
        while shown < len(cases) and cases[shown].risk <= threshold:
            tally.add(cases[shown])
            shown += 1
        if most_wrong(len(tally.families), promise.error, doubt) < first:
            continue  # too few are accepted for a test to pass; that says nothing about their labels
        if stopped := _refuted(tally, promise, doubt) or _lossy(group, threshold, events, promise, doubt):
            break
        found = threshold, tally.records, len(tally.families), tally.wrong
    confidence = 1.0 - doubt
    if found is None:
        why = stopped or f"{_families(cases)} could be accepted at most"
        text = f"Nothing can be certified: {why}; {least_n(promise.error, doubt)} accepted without one wrong are the least that certifies."
        limit = upper_limit(tally.wrong, len(tally.families), confidence)
        return _choice(group, Method.CERTIFIED, promise, confidence, (None, tally.records, len(tally.families), tally.wrong), limit, text)
    limit = upper_limit(found[3], found[2], confidence)
    text = f"Certified: {found[3]} of {found[2]} accepted are wrong, so at most {limit:.1%} of such are, with {confidence:.1%} confidence."
    return _choice(group, Method.CERTIFIED, promise, confidence, found, limit, text)


def _refuted(tally: _Tally, promise: Promise, doubt: float) -> str:
    """Why the error of the set accepted so far cannot be certified; "" when it can."""
    most = most_wrong(len(tally.families), promise.error, doubt)
    return f"of {len(tally.families)} accepted {tally.wrong} are wrong, and at most {max(most, 0)} may be" if tally.wrong > most else ""


def _lossy(group: str, threshold: float, events: Sequence[Case] | None, promise: Promise, doubt: float) -> str:
    """Why the recall cannot be certified up to `threshold`; "" when it can, or is not asked for. Both promises must hold at once, so each
    is tested at the full level."""
    if promise.recall is None or events is None:
        return ""
    known, loss = _families(events), 1.0 - promise.recall
    spared = most_wrong(known, loss, doubt)
    if spared < 0:
        return f"{known} true events are too few to certify a recall of {promise.recall:.0%}, which takes {least_n(loss, doubt)}"
    lost = _families(case for case in events if case.eligible and case.group == group and case.losing and case.risk <= threshold)
    return f"accepted noes would lose {lost} of {known} true events, and at most {spared} may be lost" if lost > spared else ""


def _first(cases: Sequence[Case], promise: Promise, doubt: float) -> int:
    """Wrong ones that the first set tested must be able to bear: `tolerated` where that set is at most a third of the cases."""
    number = _families(cases)
    for tolerated in range(promise.tolerated, 0, -1):
        if 3 * least_n(promise.error, doubt, tolerated) <= number:
            return tolerated
    return 0


def _families(cases: Iterable[Case]) -> int:
    return len({case.family or id(case) for case in cases})


def _choice(
    group: str, method: Method, promise: Promise, confidence: float, found: tuple[float | None, int, int, int], limit: float, why: str
) -> Choice:
    threshold, records, families, wrong = found
    return Choice(
        group=group,
        method=method,
        threshold=threshold,
        error=promise.error,
        confidence=confidence,
        records=records,
        families=families,
        wrong=wrong,
        limit=limit,
        why=why,
    )


def _fit_empirical(group: str, cases: Sequence[Case], events: Sequence[Case] | None, promise: Promise) -> Choice:
    positives = sum(case.weight for case in events or ())
    tally, found = _Tally(), None
    total = wrong = lost = 0.0
    for number, case in enumerate(cases, start=1):
        tally.add(case)
        total += case.weight
        wrong += case.weight * case.wrong
        lost += case.weight * case.losing
        if number < len(cases) and cases[number].risk == case.risk:
            continue
        kept = promise.recall is None or lost <= (1.0 - promise.recall) * positives
        if total > 0 and wrong <= promise.error * total and kept:
            found = case.risk, tally.records, len(tally.families), tally.wrong
    if found is None:
        text = "No set of these cases has an error within the target."
        return _choice(group, Method.EMPIRICAL, promise, 0.0, (None, 0, 0, 0), 1.0, text)
    limit = upper_limit(found[3], found[2], promise.confidence)
    text = f"Observed only: {found[3]} of {found[2]} accepted are wrong among the cases that chose the threshold; no promise about others."
    return _choice(group, Method.EMPIRICAL, promise, 0.0, found, limit, text)


def accepted(cases: Iterable[Case], choices: Mapping[str, Choice]) -> list[Case]:
    """The cases that the choices accept."""
    return [case for case in cases if case.eligible and case.group in choices and choices[case.group].accepts(case.risk)]

"""From labelled records to a risk model: split, fit, choose thresholds, and look once at the locked test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from s2r.calibrate.labels import PARTS, Labelled, Labels
from s2r.calibrate.looks import rows_digest
from s2r.calibrate.split import TEST, families, row_key, split
from s2r.errors import InputError
from s2r.models import Frozen, Record, Route, Status
from s2r.policy import Policy, RouteRule
from s2r.risk.drift import Baseline, baseline
from s2r.risk.exact import least_n
from s2r.risk.features import choose_columns, feature_set, vector
from s2r.risk.fit import fit, scaling
from s2r.risk.judged import Judged, is_valid, judged
from s2r.risk.measure import Measured, measure, risk_coverage
from s2r.risk.mix import Estimate, cells_of, deployed_error, effective_n, weights
from s2r.risk.model import Fit, Look, Part, RiskModel, Source, arm_of, group_of, probability, standardised
from s2r.risk.targets import Target, wrong
from s2r.risk.threshold import Case, Choice, Method, Promise, accepted, certified, empirical, thinned
from s2r.route import route_record

STEPS = 50  # thresholds that are tested
LEAST_TRAIN = 30  # records
LEAST_TEST = 20


class Asked(Frozen):
    """What a calibration is to do. `mix` gives the share of each stratum where the model will be used; `shares` those of the parts."""

    name: str
    target: Target = Target.JOINT_WITHIN_7
    promise: Promise = Promise()
    method: Method = Method.CERTIFIED
    by_market: bool = False
    mix: dict[str, float] | None = None
    balanced: bool = False
    strength: float = 1.0
    without: tuple[str, ...] = ()
    shares: tuple[float, float, float] = (0.4, 0.4, 0.2)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """One labelled record, ready for fitting: its part and family, its admissible side, and whether the table may accept it."""

    row: Labelled
    part: str
    family: str
    side: Judged
    eligible: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted model, and what its report shows beside it. `curves`: name to points (share accepted, error) on the locked test."""

    model: RiskModel
    look: Look
    test_rows: tuple[str, ...]
    calibration: Measured
    beside: Measured  # the other method's thresholds on the locked test
    curves: dict[str, list[tuple[float, float]]]


def calibrate(
    labels: Labels,
    policy: Policy,
    asked: Asked,
    *,
    first: Sequence[RouteRule] = (),
    earlier: Sequence[Look],
    locked: Mapping[str, str],
    now: str,
    version: str,
) -> Calibration:
    """Fit and choose on two parts, measure on the third.

    `first` are the route rules that go before those of the policy where a model was asked, `earlier` and `locked` the looks so far (see
    `read_looks`), `now` an ISO time (UTC). Raises InputError or ConfigError, before anything is written, when the labels do not suffice.
    """
    family = families(labels.rows)
    parts, seen_before = split(labels.rows, family, locked, asked.shares, asked.seed)
    known = [
        Known(row, part, name, judged(row.record), eligible(row.record, policy, first))
        for row, part, name in zip(labels.rows, parts, family, strict=True)
    ]
    by_part = {part: [k for k in known if k.part == part] for part in PARTS}
    _suffice(by_part, asked)
    train, chosen_on, test = (by_part[part] for part in PARTS)
    columns = choose_columns([k.side for k in train], [k.family for k in train], asked.without)
    numbers = [vector(k.side, columns) for k in train]
    means, scales = scaling(numbers)
    fits, left_out = _fits(train, numbers, means, scales, asked)
    groups = _groups(chosen_on, asked)
    scorer = _Scorer(columns, means, scales, {f.target: f for f in fits}[asked.target], asked, groups)
    weight = weights(Counter(k.row.label.truth.stratum for k in chosen_on), asked.mix) if asked.mix else {}
    cases = scorer.cases(chosen_on, weight)
    grid = _grid(scorer.cases(train, {}), groups)
    tested = thinned(cases, asked.seed) if asked.mix else cases
    sure, seen = certified(tested, asked.promise, grid, groups, events=cases), empirical(cases, asked.promise, groups)
    choices, others = (sure, seen) if asked.method is Method.CERTIFIED else (seen, sure)
    test_cases = scorer.cases(test, {})
    by_group = {choice.group: choice for choice in choices}
    keys = tuple(row_key(k.row.record.listing) for k in test)
    look = Look(at=now, name=asked.name, test=rows_digest(keys), records=len(test), seen_before=seen_before)
    model = RiskModel(
        name=asked.name,
        event_type=policy.definition.event_type,
        policy=policy.policy_id,
        feature_set=feature_set(),
        arms=tuple(sorted({arm_of(k.row.record) for k in known})),
        version=version,
        fitted_at=now,
        source=_source(labels, by_part, asked),
        balanced=asked.balanced,
        strength=asked.strength,
        columns=columns,
        means=means,
        scales=scales,
        fits=fits,
        left_out=left_out,
        target=asked.target,
        promise=asked.promise,
        method=asked.method,
        groups=groups,
        choices=choices,
        beside=others,
        mix=asked.mix,
        weights=weight,
        effective_n=effective_n([case.weight for case in cases]) if asked.mix else None,
        baseline=_baselines(columns, [*train, *chosen_on]),
        test=measure(test_cases, by_group),
        deployed=_deployed(test, test_cases, by_group, asked),
        looks=(*(other for other in earlier if other.test == look.test or other.name == asked.name), look),
    )
    return Calibration(
        model=model,
        look=look,
        test_rows=keys,
        calibration=measure(cases, by_group),
        beside=measure(test_cases, {choice.group: choice for choice in others}),
        curves=_curves(test_cases),
    )


def eligible(record: Record, policy: Policy, first: Sequence[RouteRule]) -> bool:
    """Whether the routing table would accept the record if its risk were within the limit; never for an invalid one or an abstention.

    The rules `first` go before those of the policy where a model was asked.
    """
    if record.status is Status.ABSTAIN or not is_valid(record):
        return False
    decided, _ = route_record(policy, record, risk={}, risk_within=True, first=first if record.adjudication else ())
    return decided is Route.ACCEPT


@dataclass(frozen=True, slots=True)
class _Scorer:
    columns: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    fit: Fit
    asked: Asked
    groups: tuple[str, ...]

    def cases(self, known: Sequence[Known], weight: Mapping[str, float]) -> list[Case]:
        return [
            Case(
                risk=round(probability(self.fit, standardised(vector(k.side, self.columns), self.means, self.scales)), 6),
                wrong=wrong(self.asked.target, k.row.record, k.row.label.truth),
                group=group_of(k.row.record, self.groups),
                family=k.family,
                positive=k.row.label.truth.positive,
                eligible=k.eligible,
                weight=weight.get(k.row.label.truth.stratum, 1.0),
            )
            for k in known
        ]


def _suffice(by_part: Mapping[str, Sequence[Known]], asked: Asked) -> None:
    """Refuse labels from which nothing could be learnt or promised."""
    train, chosen_on, test = (by_part[part] for part in PARTS)
    total = sum(map(len, by_part.values()))
    if len(train) < LEAST_TRAIN or len(test) < LEAST_TEST:
        part, n, least = ("train", len(train), LEAST_TRAIN) if len(train) < LEAST_TRAIN else (TEST, len(test), LEAST_TEST)
        raise InputError(
            f"too few labels: {n} records are in the part {part}, at least {least} are needed",
            subject="column row_id",
            advice=f"{total} rows are labelled; label more, or change --shares. Nothing was written.",
        )
    count, doubt = len({k.family for k in chosen_on}), 1.0 - asked.promise.confidence
    least = least_n(asked.promise.error, doubt)
    if asked.method is Method.CERTIFIED and count < least:
        promise = f"at most {asked.promise.error:.1%} wrong with {asked.promise.confidence:.0%} confidence"
        raise InputError(
            f"too few labels: {count} issuer families are in the part calibration, at least {least} are needed to certify {promise}",
            subject="column row_id",
            advice="Label more, raise --error, lower --confidence, or use --method empirical, which promises nothing. Nothing was written.",
        )
    if {k.row.label.truth.status for k in train} == {train[0].row.label.truth.status}:
        status = train[0].row.label.truth.status.value
        advice = "Label true events and non-events. Nothing was written."
        raise InputError(f"a single class: every record of the part train is truly {status}", subject="column status", advice=advice)
    if asked.mix and any(not k.row.label.truth.stratum for part in by_part.values() for k in part):
        row = next(k.row.label for part in by_part.values() for k in part if not k.row.label.truth.stratum)
        advice = "With --mix every label has a stratum. Nothing was written."
        raise InputError(f"row {row.number}, column stratum: is empty", subject="labels", advice=advice)


def _fits(
    train: Sequence[Known], numbers: Sequence[Sequence[float]], means: Sequence[float], scales: Sequence[float], asked: Asked
) -> tuple[tuple[Fit, ...], dict[str, str]]:
    """One fit per target; a target of a single class is left out with the reason, the one that decides acceptance is refused."""
    fits, left_out = [], {}
    for target in Target:
        losses = [wrong(target, k.row.record, k.row.label.truth) for k in train]
        if all(losses) or not any(losses):
            what = "wrong" if all(losses) else "right"
            left_out[target.value] = f"all {len(losses)} records of the part train are {what}"
            continue
        fits.append(fit(target, numbers, losses, means, scales, balanced=asked.balanced, strength=asked.strength))
    if asked.target.value in left_out:
        raise InputError(
            f"a single class: for the target {asked.target.value} {left_out[asked.target.value]}, so there is nothing to tell apart",
            subject="column status",
            advice="Label more records, harder ones among them, or choose another --target. Nothing was written.",
        )
    return tuple(fits), left_out


def _groups(chosen_on: Sequence[Known], asked: Asked) -> tuple[str, ...]:
    """Groups with a threshold of their own: answers, and with `by_market` as many of the largest markets as could each be certified
    with their share of the doubt. Only answers are counted, no labels."""
    answers = (Status.YES.value, Status.NO.value)
    pairs = {(k.family, k.side.market, k.side.status) for k in chosen_on if k.eligible and k.side.market}
    counts = Counter((market, answer) for _, market, answer in pairs)
    size = {market: max(counts[market, answer] for answer in answers) for market, _ in counts}
    order = sorted(size, key=lambda market: (-size[market], market)) if asked.by_market else []
    for m in range(len(order), 0, -1):
        doubt = (1.0 - asked.promise.confidence) / (2 * (m + 1))
        if size[order[m - 1]] >= least_n(asked.promise.error, doubt):
            return tuple(f"{answer}/{market}" for market in (*sorted(order[:m]), "*") for answer in answers)
    return answers


def _grid(cases: Sequence[Case], groups: Sequence[str]) -> dict[str, list[float]]:
    """Thresholds to test by group: quantiles of the risks of the training part, which knows nothing of the calibration labels."""
    grid = {}
    for group in groups:
        risks = sorted(case.risk for case in cases if case.group == group and case.eligible) or [1.0]
        grid[group] = sorted({risks[max(0, len(risks) * k // STEPS - 1)] for k in range(1, STEPS + 1)})
    return grid


def _source(labels: Labels, by_part: Mapping[str, Sequence[Known]], asked: Asked) -> Source:
    parts = {
        name: Part(
            records=len(known),
            families=len({k.family for k in known}),
            positives=sum(k.row.label.truth.positive for k in known),
            wrong=sum(wrong(asked.target, k.row.record, k.row.label.truth) for k in known),
        )
        for name, known in by_part.items()
    }
    strata = Counter(k.row.label.truth.stratum or k.row.label.truth.status.value for known in by_part.values() for k in known)
    return Source(digest=labels.digest, unlabelled=labels.unlabelled, seed=asked.seed, parts=parts, strata=dict(sorted(strata.items())))


def _baselines(columns: Sequence[str], known: Sequence[Known]) -> tuple[Baseline, ...]:
    rows = [vector(k.side, columns) for k in known]
    return tuple(baseline(column, [row[i] for row in rows]) for i, column in enumerate(columns))


def _deployed(test: Sequence[Known], cases: Sequence[Case], choices: Mapping[str, Choice], asked: Asked) -> Estimate | None:
    """Accepted error of the locked test as the mix would have it."""
    if not asked.mix:
        return None
    taken = {id(case) for case in accepted(cases, choices)}
    strata = [k.row.label.truth.stratum for k in test]
    cells = cells_of(strata, [id(case) in taken for case in cases], [case.wrong for case in cases])
    if not {stratum for stratum, share in asked.mix.items() if share > 0} <= set(cells):
        return None
    return deployed_error(cells, asked.mix, seed=asked.seed)


def _curves(cases: Sequence[Case]) -> dict[str, list[tuple[float, float]]]:
    usable = [case for case in cases if case.eligible]
    parts = {"all": usable, "yes": [c for c in usable if c.said_yes], "no": [c for c in usable if not c.said_yes]}
    return {name: risk_coverage(part) for name, part in parts.items() if part}

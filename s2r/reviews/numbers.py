"""Figures about the queue and its reviewers; each share with its n and an interval. Nothing here reads a record.

Accepted error comes from audit samples alone: rows that were drawn from those that the audit had accepted. Risk and outcome of reviewed
rows are shown without those of the locked test part, which nobody may look at twice.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from s2r.calibrate.labels import PARTS
from s2r.evaluate.harness.intervals import Limits, bootstrap, median, percentiles, posterior
from s2r.models import Frozen, Status
from s2r.reviews.bench import Workbench
from s2r.reviews.types import Kind
from s2r.risk.drift import Reviewed, market_recall
from s2r.risk.measure import Bin, Count, reliability, risk_coverage
from s2r.risk.targets import WITHIN_DAYS
from s2r.risk.threshold import Case
from s2r.store.items import WAITING, stamp_of

TEST = PARTS[2]
RUNS = 20  # whose cost is told
_STANDS = "d.undoes = 0 and not exists (select 1 from review_decision u where u.undoes = d.id and u.undoes <> 0)"
# the decision that settled a row, and is not taken back; `base_` is what the audit had said
_FINAL = f"select d.* from review_decision d where d.part <> '' and d.made > 0 and {_STANDS}"


class Agreement(Frozen):
    """Pairs of blind reviews. `same`: both gave the same answer, day and reason; `kappa` is Cohen's (1960) over yes, no, rejected and
    undecided, with a 95% bootstrap interval; None without two categories."""

    same: Count
    kappa: float | None = None
    interval: Limits = None
    adjudicated: int = 0


class Pace(Frozen):
    """Decisions of one reviewer, and the median seconds of those that were timed, with a 95% interval."""

    by: str
    decisions: int
    seconds: tuple[float, float, float] | None = None
    timed: int = 0


class SampleError(Frozen):
    """What audit samples say of accepted rows: `wrong` of those drawn and decided; `estimate` weighs each stratum by the rows it stands
    for, with a 95% interval; `drawn` and `open` count the sample."""

    wrong: Count
    estimate: float | None
    interval: Limits
    drawn: int
    open: int


class RunCost(Frozen):
    """What a run has paid: known USD by what was called (search, model, ...), and how many calls have no known price."""

    run_id: str
    at: str  # when it first started, ISO 8601, UTC
    usd: dict[str, float]
    unpriced: int

    @property
    def total(self) -> float:
        """All that is known."""
        return sum(self.usd.values())


class Numbers(Frozen):
    """All figures of the home page. `states` and `routes` count rows; `accepted` and `review` are shares of all rows by the route of the
    record that stands; `errors` are by answer (all, yes, no); `recall` counts true events that no accepted no has lost, by market, among
    audit samples; `cost_usd` is the known cost of the folder, `usd_per_row` of it for each row, `costs` that of its newest runs and nights,
    oldest first; `parts` counts labels by part."""

    at: dt.datetime
    rows: int
    waiting: int
    states: dict[str, int]
    held: int
    oldest: str = ""
    accepted: Count
    review: Count
    errors: dict[str, SampleError] = Field(default_factory=dict)
    recall: dict[str, Count] = Field(default_factory=dict)
    decisions: int = 0
    kinds: dict[str, int] = Field(default_factory=dict)
    reasons: dict[str, int] = Field(default_factory=dict)
    by_day: tuple[tuple[str, int], ...] = ()
    pace: tuple[Pace, ...] = ()
    seconds: tuple[float, float, float] | None = None
    timed: int = 0
    agreement: Agreement
    parts: dict[str, int] = Field(default_factory=dict)
    changed: Count
    risk_coverage: tuple[tuple[float, float], ...] = ()
    reliability: tuple[Bin, ...] = ()
    judged: int = 0
    cost_usd: float = 0.0
    usd_per_row: float | None = None
    costs: tuple[RunCost, ...] = ()
    monitoring: dict[str, object] = Field(default_factory=dict)


def numbers(bench: Workbench, now: dt.datetime, *, days: int = 14) -> Numbers:
    """The figures as they stand; `by_day` covers the last `days` days (UTC)."""
    states = _counts(bench, "select k.state k, count(*) n from review_item i join review_kind k on k.id = i.kind group by 1")
    routes = _counts(bench, "select route k, count(*) n from review_item group by 1")
    rows, waiting = sum(states.values()), sum(n for state, n in states.items() if state in WAITING)
    final = _rows(bench, _FINAL + " order by d.id")
    cases = [case for case in map(_case, final) if case is not None]
    seconds = [float(row["seconds"]) for row in _rows(bench, f"select seconds from review_decision d where seconds > 0 and {_STANDS}")]
    spent = bench.store.spent()
    return Numbers(
        at=now,
        rows=rows,
        waiting=waiting,
        states=states,
        held=_one(bench, "select count(*) n from review_item where lease_by <> '' and lease_until > ?", [stamp_of(now)]),
        oldest=str(_rows(bench, "select coalesce(min(since), '') t from review_item where waiting = 1")[0]["t"]),
        accepted=Count(hits=routes.get("accept", 0), n=rows),
        review=Count(hits=rows - routes.get("accept", 0), n=rows),
        errors=_errors(bench),
        recall={market: Count(hits=kept, n=n) for market, (kept, n) in market_recall(_sampled(bench)).items()},
        decisions=_one(bench, f"select count(*) n from review_decision d where {_STANDS}"),
        kinds=_counts(bench, f"select kind k, count(*) n from review_decision d where {_STANDS} group by 1"),
        reasons=_counts(bench, f"select reason_code k, count(*) n from review_decision d where {_STANDS} group by 1"),
        by_day=_by_day(bench, now, days),
        pace=_pace(bench),
        seconds=median(seconds),
        timed=len(seconds),
        agreement=agreement(bench),
        parts=dict(sorted(Counter(str(row["part"]) for row in final).items())),
        changed=Count(hits=sum(row["kind"] == Kind.CORRECT.value for row in final), n=len(final)),
        risk_coverage=tuple(risk_coverage(cases)),
        reliability=reliability(cases),
        judged=len(cases),
        cost_usd=round(spent, 6),
        usd_per_row=round(spent / rows, 6) if rows else None,
        costs=_costs(bench),
        monitoring=_monitoring(bench.out),
    )


def _case(row: dict[str, Any]) -> Case | None:
    """A settled row as risk figures see it; None for one of the locked test."""
    if row["part"] == TEST:
        return None
    return Case(risk=row["base_risk"], wrong=_wrong(row), group=row["base_status"], positive=_truth(row)[0] == Status.YES.value)


def _truth(row: dict[str, Any]) -> tuple[str, str, str]:
    status, day, reason = str(row["said"]).split("|")
    return status, day, reason


def _wrong(row: dict[str, Any]) -> bool:
    """Whether the audit's answer was wrong: another status, a day more than seven days off, or another reason (joint_within_7)."""
    status, day, reason = _truth(row)
    if row["base_status"] != status:
        return True
    if status != Status.YES.value:
        return False
    if not day or not row["base_day"] or row["base_reason"] != reason:
        return True
    return abs((dt.date.fromisoformat(day) - dt.date.fromisoformat(row["base_day"])).days) > WITHIN_DAYS


def _errors(bench: Workbench) -> dict[str, SampleError]:
    """Accepted error of audit samples: of all, of yeses, of noes. A row that a reviewer rejected was wrong, too."""
    sql = (
        "select d.*, i.sample_weight, i.stratum from review_item i join review_decision d on d.row_id = i.row_id "
        f"and d.made = i.decided where i.sample = 1 and i.state = 'decided' and d.base_route = 'accept' and {_STANDS}"
    )
    done = _rows(bench, sql)
    sample = _rows(bench, "select status, state, stratum from review_item where sample = 1")
    found = {}
    for name in ("all", Status.YES.value, Status.NO.value):
        chosen = [row for row in done if name in ("all", str(row["stratum"]).partition("/")[0])]
        mine = [row for row in sample if name in ("all", str(row["stratum"]).partition("/")[0])]
        if mine:
            found[name] = _sample_error(chosen, drawn=len(mine), waiting=sum(row["state"] != "decided" for row in mine))
    return found


def _sample_error(rows: Sequence[dict[str, Any]], *, drawn: int, waiting: int) -> SampleError:
    strata: dict[str, Counter[bool]] = defaultdict(Counter)
    weights: dict[str, float] = {}
    for row in rows:
        strata[row["stratum"]][row["kind"] == Kind.REJECT.value or _wrong(row)] += 1
        weights[row["stratum"]] = float(row["sample_weight"]) or 1.0
    names = sorted(strata)
    cells = [{(name, bad): n for bad, n in strata[name].items()} for name in names]

    def share(counts: Mapping[tuple[str, bool], float]) -> float | None:
        total = sum(weights[name] * n for (name, _), n in counts.items())
        return sum(weights[name] * n for (name, bad), n in counts.items() if bad) / total if total else None

    seen = {cell: float(n) for stratum in cells for cell, n in stratum.items()}
    space = [[(name, True), (name, False)] for name in names]
    wrong = sum(counts[True] for counts in strata.values())
    return SampleError(
        wrong=Count(hits=wrong, n=len(rows)), estimate=share(seen), interval=posterior(cells, space, share) if rows else None, drawn=drawn,
        open=waiting,
    )  # fmt: skip


def _sampled(bench: Workbench) -> list[Reviewed]:
    """Settled rows of audit samples, as drift figures see them."""
    sql = f"{_FINAL} and exists (select 1 from review_item i where i.row_id = d.row_id and i.sample = 1 and i.decided = d.made)"
    return [
        Reviewed(
            risk=row["base_risk"], wrong=_wrong(row), accepted=row["base_route"] == "accept",
            positive=_truth(row)[0] == Status.YES.value, said_yes=row["base_status"] == Status.YES.value, market=row["market"],
        )
        for row in _rows(bench, sql)
    ]  # fmt: skip


def agreement(bench: Workbench) -> Agreement:
    """How far first and second reviewers of the same rows agree; each saw nothing of the other."""
    sql = (
        "select d.row_id, d.said second, (select f.said from review_decision f where f.row_id = d.row_id and f.id < d.id and f.stage = "
        "'first' and f.undoes = 0 order by f.id desc limit 1) first from review_decision d "
        f"where d.stage = 'second' and {_STANDS}"
    )
    pairs = [(str(row["first"]), str(row["second"])) for row in _rows(bench, sql) if row["first"]]
    same = Count(hits=sum(one == other for one, other in pairs), n=len(pairs))
    kappa, interval = cohens_kappa([(one.partition("|")[0], other.partition("|")[0]) for one, other in pairs])
    ruled = _one(bench, f"select count(*) n from review_decision d where stage = 'adjudication' and {_STANDS}")
    return Agreement(same=same, kappa=kappa, interval=interval, adjudicated=ruled)


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> tuple[float | None, Limits]:
    """Agreement beyond chance (Cohen 1960) of pairs of categories, with a 95% percentile bootstrap interval; None where chance alone
    would always agree."""
    names = sorted({name for pair in pairs for name in pair})
    columns = [(one, other) for one in names for other in names]
    items = [tuple(float(pair == cell) for cell in columns) for pair in pairs]

    def kappa(sums: Sequence[float]) -> float | None:
        n = sum(sums)
        if not n:
            return None
        cells = dict(zip(columns, sums, strict=True))
        observed = sum(cells[name, name] for name in names) / n
        chance = sum(sum(cells[a, b] for b in names) * sum(cells[b, a] for b in names) for a in names) / n**2
        return None if chance >= 1.0 else (observed - chance) / (1.0 - chance)

    value = kappa([sum(column) for column in zip(*items, strict=True)]) if items else None
    return value, percentiles(map(kappa, bootstrap([items]))) if value is not None else None


def _pace(bench: Workbench) -> tuple[Pace, ...]:
    told: dict[str, list[float]] = defaultdict(list)
    total: Counter[str] = Counter()
    for row in _rows(bench, f"select author, seconds from review_decision d where {_STANDS}"):
        total[str(row["author"])] += 1
        if row["seconds"]:
            told[str(row["author"])].append(float(row["seconds"]))
    return tuple(
        Pace(by=name, decisions=n, seconds=median(told[name]), timed=len(told[name]))
        for name, n in sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))
    )


def _by_day(bench: Workbench, now: dt.datetime, days: int) -> tuple[tuple[str, int], ...]:
    today = now.astimezone(dt.UTC).date()
    first = today - dt.timedelta(days=days - 1)
    sql = f"select substr(at, 1, 10) k, count(*) n from review_decision d where at >= ? and {_STANDS} group by 1"
    known = {str(row["k"]): int(row["n"]) for row in _rows(bench, sql, [first.isoformat()])}
    return tuple((day, known.get(day, 0)) for day in ((first + dt.timedelta(days=k)).isoformat() for k in range(days)))


def _costs(bench: Workbench) -> tuple[RunCost, ...]:
    """The newest runs; each night is one."""
    runs = _rows(bench, "select run_id, started_at from run order by started_at desc, run_id desc limit ?", [RUNS])
    told = {str(row["run_id"]): RunCost(run_id=row["run_id"], at=row["started_at"], usd={}, unpriced=0) for row in runs}
    sql = "select run_id, kind, sum(cost_usd) usd, count(*) - count(cost_usd) unpriced from ledger group by run_id, kind"
    for row in _rows(bench, sql):
        if (one := told.get(str(row["run_id"]))) is None:
            continue
        usd, name = dict(one.usd), str(row["kind"]).partition(":")[0]
        if row["usd"]:
            usd[name] = usd.get(name, 0.0) + float(row["usd"])
        told[one.run_id] = one.model_copy(update={"usd": usd, "unpriced": one.unpriced + int(row["unpriced"])})
    return tuple(reversed(told.values()))


def _monitoring(out: Path) -> dict[str, object]:
    """What the last run says of its risk model (drift and alarms), {} where there is none."""
    try:
        found = json.loads((out / "run.json").read_text("utf-8")).get("monitoring")
    except (OSError, ValueError, AttributeError):
        return {}
    return found if isinstance(found, dict) else {}


def _counts(bench: Workbench, sql: str) -> dict[str, int]:
    return {str(row["k"]): int(row["n"]) for row in sorted(_rows(bench, sql), key=lambda row: (-int(row["n"]), str(row["k"])))}


def _one(bench: Workbench, sql: str, values: Sequence[object] = ()) -> int:
    return int(_rows(bench, sql, values)[0]["n"])


def _rows(bench: Workbench, sql: str, values: Sequence[object] = ()) -> list[dict[str, Any]]:
    return bench.store.rows(sql, list(values))

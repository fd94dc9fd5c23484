"""The whole job: files in, run folder out; and the same job from Python."""

from __future__ import annotations

import asyncio
import datetime as dt
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from s2r.errors import ConfigError
from s2r.models import Gap, Listing, Outcome, Record, RowIssue
from s2r.pipeline import Event, RunPlan, RunResult, run_audit
from s2r.policy import Policy, load_policy
from s2r.report import write_report
from s2r.report.files import write_json, write_records
from s2r.search import Pool
from s2r.settings import Settings
from s2r.store import Store
from s2r.universe import read_universe, write_rejected

NO_SOURCE = (
    "Give a sealed pool with --pool PATH (JSON lines, WARC, WACZ or a folder). To try s2r without one, run `make demo` in a checkout."
)


@dataclass(frozen=True, slots=True)
class AuditFiles:
    """Input and output of one audit; `cutoff` fills rows without one, `today` (UTC) bounds what a cutoff may be."""

    universe: Path
    pool: Path | None
    out: Path
    cutoff: dt.date | None
    today: dt.date


@dataclass(frozen=True, slots=True)
class AuditOutcome:
    """What an audit left in its folder; `faults` are sentences, `counts` by status and route."""

    out: Path
    result: RunResult
    rows: int
    rejected: int
    warnings: int
    faults: tuple[str, ...]
    counts: dict[str, int]
    cost_usd: float
    nothing_to_do: bool

    def records(self) -> Iterator[Record]:
        """Records in input order, streamed from the run folder."""
        return read_records(self.out)


def read_records(out: Path) -> Iterator[Record]:
    """Records of a run folder, in input order; raises ConfigError when there are none."""
    path = out / "records.jsonl"
    if not path.is_file():
        raise ConfigError("holds no records.jsonl", subject=str(out), advice="Give the --out folder of an audit.")
    with path.open(encoding="utf-8") as fh:
        for line in fh:
            yield Record.model_validate_json(line)


async def audit_files(
    files: AuditFiles,
    policy: Policy,
    policies: Path,
    settings: Settings,
    *,
    clock: Callable[[], dt.datetime],
    on_event: Callable[[Event], None],
    on_total: Callable[[int], None],
    stop: asyncio.Event | None = None,
) -> AuditOutcome:
    """Audit a universe file against a sealed pool into a run folder. Raises ConfigError before any work is done."""
    if files.pool is None:
        raise ConfigError("nothing to search: no pool was given and no live provider is set up", subject="s2r audit", advice=NO_SOURCE)
    universe = read_universe(files.universe, default_cutoff=files.cutoff, today=files.today, known_mics=frozenset(policy.venues))
    with Pool.open(files.pool, home=files.out, max_body_mb=settings.max_body_mb) as pool:
        write_rejected(files.out / "rejected.csv", universe.issues)
        plan = make_plan(universe.listings, policy, policies, pool, files.out, settings)
        on_total(len(plan.listings))
        result = await run_audit(plan, clock=clock, on_event=on_event, stop=stop)
        gaps = plan.gaps
    return _finish(plan, result, universe.issues, gaps, clock)


def make_plan(listings: Iterable[Listing], policy: Policy, policies: Path | None, pool: Pool, out: Path, settings: Settings) -> RunPlan:
    """The plan of an audit over a sealed pool."""
    gaps = tuple(
        Gap(url="", step="pool", outcome=Outcome.UNREADABLE, cause=str(fault), next_step="Fix or remove it in the pool.")
        for fault in pool.faults
    )
    return RunPlan(
        listings=tuple(listings),
        policy=policy,
        policy_root=policies,
        providers=(pool,),
        fetcher=pool,
        sources=f"pool:{pool.digest}",
        out=out,
        settings=settings,
        version=metadata.version("s2r"),
        gaps=gaps,
    )


def audit(
    listings: Iterable[Listing],
    *,
    pool: Path | str,
    policy: Policy | str = "delisting",
    policies: Path | None = None,
    out: Path | str | None = None,
    workers: int = 1,
    clock: Callable[[], dt.datetime] | None = None,
) -> Iterator[Record]:
    """Audit listings against a sealed pool and yield their records in the given order.

    `pool` is a JSON lines, WARC or WACZ file or a folder of these. With `out` the run is kept there and continued by the same
    call; without it, it lives in a temporary folder that goes when the last record was yielded. Not for use inside a running
    event loop (call it from a thread there). Raises ConfigError for unusable input.
    """
    rows = tuple(listings)
    tick = clock or (lambda: dt.datetime.now(dt.UTC))  # noqa: TID251 - a notebook has no clock to hand in
    settings = Settings(workers=max(1, workers), policies=policies)
    with tempfile.TemporaryDirectory(prefix="s2r-") as scratch:
        folder = Path(out) if out is not None else Path(scratch)
        rules = load_policy(policy, policies) if isinstance(policy, str) else policy
        with Pool.open(Path(pool), home=folder, max_body_mb=settings.max_body_mb) as opened:
            plan = make_plan(rows, rules, policies, opened, folder, settings)
            asyncio.run(run_audit(plan, clock=tick, on_event=lambda event: None))
        with Store(folder / "s2r.db") as store:
            for row in rows:
                if (record := store.current(row.row_id)) is not None:
                    yield record


def _finish(
    plan: RunPlan, result: RunResult, issues: tuple[RowIssue, ...], gaps: tuple[Gap, ...], clock: Callable[[], dt.datetime]
) -> AuditOutcome:
    out = plan.out
    with Store(out / "s2r.db") as store:
        ids = [listing.row_id for listing in plan.listings]

        def records() -> Iterator[Record]:
            for row_id in ids:
                if (record := store.current(row_id)) is not None:
                    yield record

        nothing = result.done == 0 and not result.interrupted and (out / "records.jsonl").is_file() and (out / "report.html").is_file()
        rows = len(ids) if nothing else write_records(out, records)
        counts: Counter[str] = Counter()
        faults = [str(gap.cause) for gap in gaps]
        faults += [f"row {i.row_number} {i.column}: {i.problem}" for i in issues if i.severity == "rejected"]
        for record in records():
            counts[record.status.value] += 1
            counts[f"to {record.route.value}"] += 1
            if record.error:
                faults.append(f"{record.row_id}: {record.error}")
            faults += [f"{record.row_id}: {g.step} {g.url}: {g.cause}" for g in record.coverage.gaps]
        totals = store.totals(plan.run_id)
        costs = [line["cost_usd"] for line in totals.values()]
        cost = sum(float(str(c)) for c in costs if c is not None)
        outcome = AuditOutcome(
            out=out,
            result=result,
            rows=rows,
            rejected=len({i.row_number for i in issues if i.severity == "rejected"}),
            warnings=sum(i.severity == "warning" for i in issues),
            faults=tuple(dict.fromkeys(faults)),
            counts=dict(counts),
            cost_usd=cost,
            nothing_to_do=nothing,
        )
        if not nothing:
            manifest = _run_json(plan, outcome, totals, store.started_at(plan.run_id), clock)
            write_json(out / "run.json", manifest)
            write_report(out / "report.html", records, manifest, archive=out)
    return outcome


def _run_json(
    plan: RunPlan, outcome: AuditOutcome, totals: dict[str, dict[str, object]], started: str | None, clock: Callable[[], dt.datetime]
) -> dict[str, object]:
    return {
        "run_id": plan.run_id,
        "version": plan.version,
        "event_type": plan.policy.definition.event_type,
        "policy": plan.policy.policy_id,
        "policy_digest": plan.policy.digest,
        "sources": plan.sources,
        "started_at": started,
        "finished_at": clock().isoformat(),
        "interrupted": outcome.result.interrupted,
        "waiting": outcome.result.waiting,
        "rows": outcome.rows,
        "rejected_rows": outcome.rejected,
        "warnings": outcome.warnings,
        "counts": outcome.counts,
        "totals": totals,
        "cost_usd": outcome.cost_usd,
        "risk": None,
        "risk_note": "No risk model is fitted; predicted positives and doubtful records go to review.",
        "faults": list(outcome.faults),
        "settings": plan.settings.model_dump(mode="json"),
    }

"""The files of a run: written when they do not show the store as it is, counted, and described in run.json."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from s2r.errors import ConfigError, StoreError
from s2r.job.folder import UNWRITABLE, current_records, read_records, records_at
from s2r.models import Listings, Record, RowIssue
from s2r.pipeline import RunPlan, RunResult
from s2r.pipeline.run import AUTHOR
from s2r.report import Outline, write_report
from s2r.report.files import write_json, write_records
from s2r.risk.model import RiskModel
from s2r.risk.monitor import Monitor, monitor
from s2r.risk.targets import Truth
from s2r.settings import public_settings
from s2r.store import Store

OUTPUTS = ("records.jsonl", "records.csv", "review_queue.csv", "review_queue.xlsx", "report.html", "run.json")
NO_RISK_NOTE = "No risk model is fitted; predicted positives and doubtful records go to review."
RISK_NOTE = "Each record has its estimated risks; monitoring compares the run with the labelled records of the model."
MAX_FAULTS = 1000  # listed in run.json; the store has all
_FORM = "1"  # of the files; a new one has them written again


@dataclass(frozen=True, slots=True)
class AuditOutcome:
    """What an audit left in its folder; `faults` are sentences (at most MAX_FAULTS of `fault_count`), `counts` by status and route.

    `cost_usd` sums the calls of known price, `at_most_usd` of it those without an answer, which may not have been billed;
    `unknown_cost` names calls that have no price.
    """

    out: Path
    result: RunResult
    rows: int
    rejected: int
    warnings: int
    faults: tuple[str, ...]
    fault_count: int
    counts: dict[str, int]
    cost_usd: float
    unknown_cost: tuple[str, ...]
    nothing_to_do: bool
    withheld: dict[str, int] = field(default_factory=dict)  # pages of an audit at a point in time, by the reason
    not_had: int = 0  # pages of such an audit that were found, but could not be had (as of the cutoff)
    proven: dict[str, int] = field(default_factory=dict)  # and those that counted, by what proves them
    at_most_usd: float = 0.0
    others: int = 0  # records in the store of rows that the universe does not have (any more)
    warned: tuple[str, ...] = ()  # sentences of the warnings on rows, at most MAX_FAULTS

    @property
    def faulty(self) -> bool:
        """Whether something could not be read (exit code 4), in this command or in the one that wrote what is shown."""
        return bool(self.rejected or self.fault_count)

    @property
    def newly_faulty(self) -> bool:
        """As `faulty`, but what could not be read counts only in the command that tried it: a night tells of it once."""
        return bool(self.rejected or (self.fault_count and not self.nothing_to_do))

    def records(self) -> Iterator[Record]:
        """Records in input order, streamed from the run folder."""
        return read_records(self.out)


def finish(
    plan: RunPlan, result: RunResult, issues: tuple[RowIssue, ...], *, policies: Path, clock: Callable[[], dt.datetime]
) -> AuditOutcome:
    """Write the files of a run, run.json last, unless they are there and show just this; raises StoreError when they cannot be
    written. A run folder without run.json is one whose files are not complete."""
    with Store(plan.out / "s2r.db") as store:
        state = _state(plan, store, issues)
        known = _manifest(plan.out)
        if (
            result.done == 0
            and not result.interrupted
            and not result.over_budget
            and known.get("state") == state
            and _is_whole(plan.out, known)
        ):
            return _nothing(plan, result, known)
        try:
            (plan.out / "run.json").unlink(missing_ok=True)
        except OSError as exc:
            raise StoreError(f"cannot be written: {exc.strerror or exc}", subject=str(plan.out), advice=UNWRITABLE) from exc

        def records() -> Iterator[Record]:
            return current_records(store, plan.listings)

        outline, counted, asked = Outline(), _Counted(plan, issues), _Asked()

        def see(record: Record) -> None:
            outline.add(record)
            counted.add(record)
            asked.add(record)

        rows = write_records(plan.out, records, see=see)
        outcome = counted.outcome(plan, result, issues, rows, store.totals(plan.run_id))
        here = {listing.row_id for listing in plan.listings}
        outcome = replace(outcome, others=sum(row_id not in here for row_id in store.numbers()))
        manifest = _run_json(plan, outcome, store, issues, asked, finished=clock().isoformat())
        manifest |= {"policies": str(policies), "state": state, "records_sha256": records_digest(plan.out)}
        manifest["last_revision"] = store.last_revision(AUTHOR)
        manifest["monitoring"] = monitor(plan.risk, records()).model_dump(mode="json") if plan.risk else None
        write_report(
            plan.out / "report.html", records, manifest, archive=plan.out, outline=outline, pick=lambda places: records_at(plan.out, places)
        )
        write_json(plan.out / "run.json", manifest)
        return outcome


def watch(out: Path, model: RiskModel, truths: Mapping[str, Truth]) -> Monitor:
    """Compare a run with its risk model once more, with truths that reviewers have established; run.json and report.html are written
    anew. Raises ConfigError when the folder holds no finished run, or one that used another model."""
    manifest = _manifest(out)
    if not manifest or not (out / "records.jsonl").is_file():
        raise ConfigError("holds no finished run", subject=str(out), advice="Give the --out folder of an audit that ended.")
    if manifest.get("risk") != model.model_id:
        used = manifest.get("risk") or "no risk model"
        raise ConfigError(f"the run used {used}, not {model.model_id}", subject=str(out), advice="Give the model of the run with --risk.")
    found = monitor(model, read_records(out), truths)
    manifest["monitoring"] = found.model_dump(mode="json")
    write_report(out / "report.html", lambda: read_records(out), manifest, archive=out)
    write_json(out / "run.json", manifest)
    return found


def _is_whole(out: Path, known: dict[str, object]) -> bool:
    return all((out / name).is_file() for name in OUTPUTS) and known.get("records_sha256") == records_digest(out)


def records_digest(out: Path) -> str:
    """sha256 in hex of records.jsonl."""
    with (out / "records.jsonl").open("rb") as fh:
        return hashlib.file_digest(fh, "sha256").hexdigest()


def _manifest(out: Path) -> dict[str, object]:
    """What run.json says; {} when there is none or it cannot be read."""
    try:
        found = json.loads((out / "run.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _state(plan: RunPlan, store: Store, issues: tuple[RowIssue, ...]) -> str:
    """Digest of all that the files show: rows, their current revisions, defects of the input."""
    numbers = store.numbers()
    found = hashlib.sha256(f"{_FORM}\n{plan.run_id}\n{plan.version}\n".encode())
    rows = plan.listings if isinstance(plan.listings, Listings) else Listings(plan.listings)
    for row_id, row in zip(rows.row_ids, rows.written(), strict=True):
        found.update(b"%d %b\n" % (numbers.get(row_id, 0), row))
    for issue in issues:
        found.update(f"{issue.model_dump_json()}\n".encode())
    for gap in plan.gaps:
        found.update(f"{gap.model_dump_json()}\n".encode())
    return found.hexdigest()


def _nothing(plan: RunPlan, result: RunResult, known: dict[str, object]) -> AuditOutcome:
    counts, faults, unknown, warned = (known.get(name) for name in ("counts", "faults", "cost_unknown", "row_warnings"))
    return AuditOutcome(
        out=plan.out,
        result=result,
        rows=len(plan.listings),
        rejected=int(str(known.get("rejected_rows", 0))),
        warnings=int(str(known.get("warnings", 0))),
        faults=tuple(map(str, faults)) if isinstance(faults, list) else (),
        fault_count=int(str(known.get("fault_count", 0))),
        counts={str(k): int(v) for k, v in counts.items()} if isinstance(counts, dict) else {},
        cost_usd=float(str(known.get("cost_known_usd", 0.0))),
        unknown_cost=tuple(map(str, unknown)) if isinstance(unknown, list) else (),
        at_most_usd=float(str(known.get("cost_at_most_usd", 0.0))),
        nothing_to_do=True,
        warned=tuple(map(str, warned)) if isinstance(warned, list) else (),
    )


class _Counted:
    """What run.json says of all records, gathered while they go by; of the faults, the first ones as sentences."""

    def __init__(self, plan: RunPlan, issues: tuple[RowIssue, ...]) -> None:
        self._counts: Counter[str] = Counter()
        self._withheld: Counter[str] = Counter()
        self._proven: Counter[str] = Counter()
        self._not_had = 0
        self._faults: list[str] = []
        self._known: set[int] = set()  # hashes: the sentences of a run without a network would fill the memory
        for gap in plan.gaps:
            self._fault(f"pool: {gap.cause}")
        for issue in issues:
            if issue.severity == "rejected":
                self._fault(f"{place_of(issue)}: {issue.problem}")

    def _fault(self, sentence: str) -> None:
        if hash(sentence) not in self._known:
            self._known.add(hash(sentence))
            if len(self._faults) < MAX_FAULTS:
                self._faults.append(sentence)

    def add(self, record: Record) -> None:
        """Count one record."""
        self._counts[record.status.value] += 1
        self._counts[f"to {record.route.value}"] += 1
        if told := record.coverage.point_in_time:
            self._withheld.update(loss.why for loss in told.losses)
            self._proven.update(proof.means.value for proof in told.proofs)
            self._not_had += sum(gap.step == "fetch" for gap in record.coverage.gaps)
        if record.error:
            self._fault(f"{record.row_id}: {record.error}")
        for gap in record.coverage.gaps:
            self._fault(f"{record.row_id}: {gap.step} {gap.url}: {gap.cause}")

    def outcome(
        self, plan: RunPlan, result: RunResult, issues: tuple[RowIssue, ...], rows: int, totals: dict[str, dict[str, object]]
    ) -> AuditOutcome:
        """What the audit left."""
        return AuditOutcome(
            out=plan.out,
            result=result,
            rows=rows,
            rejected=len({i.row_number for i in issues if i.severity == "rejected"}),
            warnings=sum(i.severity == "warning" for i in issues),
            warned=_warned(issues),
            faults=tuple(self._faults),
            fault_count=len(self._known),
            counts=dict(self._counts),
            cost_usd=round(sum(float(str(line["known_usd"])) for line in totals.values()), 6),
            unknown_cost=tuple(kind for kind, line in totals.items() if line["cost_usd"] is None),
            at_most_usd=round(sum(float(str(line["at_most_usd"])) for line in totals.values()), 6),
            nothing_to_do=False,
            withheld=dict(self._withheld),
            not_had=self._not_had,
            proven=dict(self._proven),
        )


def place_of(issue: RowIssue) -> str:
    """Where a defect stands in the universe file; a row id is told as it is, so that both are not mixed up."""
    named = f" ({issue.row_id})" if issue.row_id else ""
    return f"row {issue.row_number}{named} of the file{f', {issue.column}' if issue.column else ''}"


def _warned(issues: tuple[RowIssue, ...]) -> tuple[str, ...]:
    found = (i for i in issues if i.severity == "warning")
    return tuple(f"{place_of(i)}: {i.problem}. {i.advice}" for i in islice(found, MAX_FAULTS))


def _point_in_time(plan: RunPlan, outcome: AuditOutcome) -> dict[str, object] | None:
    """What an audit at a point in time counted and lost, over all records; None for another audit."""
    if not plan.point_in_time:
        return None
    note = "Each record lists its pages with the proof or the reason in coverage.point_in_time; pages that could not be had are its gaps."
    return {
        "pages_proven": sum(outcome.proven.values()),
        "by_proof": outcome.proven,
        "pages_withheld": sum(outcome.withheld.values()),
        "by_reason": outcome.withheld,
        "pages_not_had": outcome.not_had,
        "note": note,
    }


@dataclass(slots=True)
class _Asked:
    """How the consultations of models ended, over all records."""

    attested: int = 0
    dissent: int = 0
    capped: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record) -> None:
        """Count one record."""
        if (one := record.adjudication) is None:
            return
        self.attested += one.attested
        self.dissent += one.dissent
        self.capped += any(opinion.state == "capped" for opinion in one.opinions)
        self.steps.update(rung.step for rung in one.rungs if rung.ran)
        self.doubts.update(one.codes)


def _models(plan: RunPlan, asked: _Asked) -> dict[str, object]:
    """Who was asked, with what, and how it ended; {} for a run of rules alone."""
    if plan.models is None:
        return {}
    return {
        "arm": plan.models.arm.value,
        "models": plan.models.names,
        "prompts": {name: prompt.id for name, prompt in plan.models.asking.prompts.items()},
        "routing": plan.models.asking.routing_id,
        "max_usd_per_record": plan.ledger.row_cap,
        "attested": asked.attested,
        "dissent": asked.dissent,
        "steps": dict(sorted(asked.steps.items())),
        "doubts": dict(sorted(asked.doubts.items())),
        "records_stopped_at_their_cap": asked.capped,
    }


def _run_json(
    plan: RunPlan, outcome: AuditOutcome, store: Store, issues: tuple[RowIssue, ...], asked: _Asked, *, finished: str
) -> dict[str, object]:
    return {
        "run_id": plan.run_id,
        "version": plan.version,
        "event_type": plan.policy.definition.event_type,
        "policy": plan.policy.policy_id,
        "policy_digest": plan.policy.digest,
        "sources": plan.sources,
        "started_at": store.started_at(plan.run_id),
        "finished_at": finished,
        "interrupted": outcome.result.interrupted,
        "over_budget": outcome.result.over_budget,
        "waiting": outcome.result.waiting,
        "rows": outcome.rows,
        "rejected_rows": outcome.rejected,
        "warnings": outcome.warnings,
        "row_warnings": list(outcome.warned),
        "counts": outcome.counts,
        "point_in_time": _point_in_time(plan, outcome),
        "totals": store.totals(plan.run_id),
        "cost_usd": None if outcome.unknown_cost else outcome.cost_usd,
        "cost_known_usd": outcome.cost_usd,
        "cost_at_most_usd": outcome.at_most_usd,
        "cost_unknown": list(outcome.unknown_cost),
        "max_usd": plan.ledger.cap,
        **_models(plan, asked),
        "risk": plan.risk.model_id if plan.risk else None,
        "risk_note": RISK_NOTE if plan.risk else NO_RISK_NOTE,
        "faults": list(outcome.faults),
        "fault_count": outcome.fault_count,
        "settings": public_settings(plan.settings),
    }

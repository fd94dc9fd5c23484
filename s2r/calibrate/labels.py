"""Read labels of audited records and join them with their records; every defect is named by row and column."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2r.errors import InputError
from s2r.job import read_records
from s2r.models import Record, Status
from s2r.policy import Policy
from s2r.risk.targets import Truth
from s2r.universe.tables import read_table

IDS = ("row_id", "case_id", "id")
COLUMNS = (*IDS, "status", "announcement_date", "reason", "also_reason", "stratum", "family", "split", "run")
PARTS = ("train", "calibration", "test")
ANSWERS = (Status.YES.value, Status.NO.value)
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Label:
    """One row of a label file; `number` is its line. `family` and `split` are "" when not given, `run` is the folder of its record."""

    number: int
    row_id: str
    truth: Truth
    family: str
    split: str
    run: Path


@dataclass(frozen=True, slots=True)
class Labelled:
    """A record with what is true of its listing."""

    label: Label
    record: Record


@dataclass(frozen=True, slots=True)
class Labels:
    """All labelled records, with the digest of what they rest on and the number of records without a label."""

    rows: tuple[Labelled, ...]
    digest: str
    unlabelled: int


@dataclass(frozen=True, slots=True)
class _Fault:
    number: int
    column: str
    problem: str

    def __str__(self) -> str:
        return f"row {self.number}, column {self.column}: {self.problem}"


def read_labels(path: Path, run: Path | None, policy: Policy, *, filled_only: bool = False) -> Labels:
    """Labels of `path` with the records of the folder `run`, or of the folders that its column run names (relative to the file).

    With `filled_only` rows without a status, date and reason are not labels yet. Raises InputError with the first defects of the
    file, ConfigError when a folder holds no records.
    """
    table = read_table(path, lambda cells: bool({_key(c) for c in cells} & set(IDS)))
    columns = _columns(tuple(map(_key, table.header)), str(path), needs_run=run is None)
    faults: list[_Fault] = []
    labels = []
    for row in table.rows:
        values = {name: (row.cells[k].strip() if k < len(row.cells) else "") for name, k in columns.items()}
        if filled_only and not any(values.get(name) for name in ("status", "announcement_date", "reason")):
            continue
        if label := _label(row.number, values, path, run, policy, faults):
            labels.append(label)
    _refuse(faults, path)
    return _joined(labels, path, policy)


def _key(name: str) -> str:
    return name.strip().lstrip("\ufeff").lower()


def _columns(header: Sequence[str], subject: str, *, needs_run: bool) -> dict[str, int]:
    found = {name: header.index(name) for name in COLUMNS if name in header}
    names = [name for name in IDS if name in found]
    missing = [] if names else ["row_id"]
    missing += ["status"] if "status" not in found else []
    missing += ["run"] if needs_run and "run" not in found else []
    if missing:
        seen = ", ".join(map(repr, header))[:400]
        advice = "A label file has row_id, status, announcement_date and reason, and run where no run folder is given (see docs/risk.md)."
        raise InputError(f"the column {missing[0]} is missing; columns seen: {seen}", subject=subject, advice=advice)
    return {name: k for name, k in found.items() if name not in IDS} | {"row_id": found[names[0]]}


def _label(number: int, values: Mapping[str, str], path: Path, run: Path | None, policy: Policy, faults: list[_Fault]) -> Label | None:
    before = len(faults)

    def fault(column: str, problem: str) -> None:
        faults.append(_Fault(number, column, problem))

    row_id, status, day_text, reason = (values.get(name, "") for name in ("row_id", "status", "announcement_date", "reason"))
    if not row_id:
        fault("row_id", "is empty; give the row id of the record")
    if status not in ANSWERS:
        fault("status", f"{status!r} is not a truth; write yes or no")
    day = _day(day_text)
    if day_text and day is None:
        fault("announcement_date", f"{day_text!r} is not a day; write YYYY-MM-DD")
    reasons = tuple(part for part in (reason, *values.get("also_reason", "").split("+")) if part)
    strange = [part for part in reasons if part not in policy.definition.reasons]
    if strange:
        fault("reason", f"{strange[0]!r} is not a reason of the policy; use one of {', '.join(policy.definition.reasons)}")
    if status == Status.YES.value and not day_text:
        fault("announcement_date", "is empty, and a yes has a day")
    if status == Status.YES.value and not reasons:
        fault("reason", "is empty, and a yes has a reason")
    if status == Status.NO.value and (day_text or reasons):
        fault("announcement_date" if day_text else "reason", "is given, and a no has none")
    split = values.get("split", "")
    if split and split not in PARTS:
        fault("split", f"{split!r} is no part; use {', '.join(PARTS)}, or leave it empty")
    folder = values.get("run", "")
    if run is None and not folder:
        fault("run", "is empty; give the run folder of the record")
    if len(faults) > before:
        return None
    truth = Truth(status=Status(status), announcement_date=day, reasons=reasons, stratum=values.get("stratum", ""))
    place = run if run is not None else path.parent / folder
    return Label(number, row_id, truth, values.get("family", ""), split, place)


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def _joined(labels: Sequence[Label], path: Path, policy: Policy) -> Labels:
    faults: list[_Fault] = []
    records: dict[Path, dict[str, Record]] = {}
    for folder in dict.fromkeys(label.run for label in labels):
        records[folder] = {record.row_id: record for record in read_records(folder)}
    seen: dict[tuple[Path, str], int] = {}
    rows = []
    for label in labels:
        record = records[label.run].get(label.row_id)
        if record is None:
            faults.append(_Fault(label.number, "row_id", f"{label.row_id!r} is no record of {label.run}"))
            continue
        if (first := seen.setdefault((label.run, label.row_id), label.number)) != label.number:
            faults.append(_Fault(label.number, "row_id", f"{label.row_id!r} is already labelled in row {first}"))
        faults += _contradictions(label, record, policy)
        rows.append(Labelled(label, record))
    _refuse(faults, path)
    if not rows:
        raise InputError("holds no label", subject=str(path), advice="Add one row per record whose truth is known.")
    digest = hashlib.sha256(path.read_bytes())
    for folder in sorted(records):
        digest.update((folder / "records.jsonl").read_bytes())
    return Labels(tuple(rows), digest.hexdigest(), sum(map(len, records.values())) - len(rows))


def _contradictions(label: Label, record: Record, policy: Policy) -> Iterable[_Fault]:
    day = label.truth.announcement_date
    if day and day > record.cutoff:
        yield _Fault(label.number, "announcement_date", f"{day} is after the cutoff {record.cutoff}; by the cutoff the truth was no")
    if record.policy != policy.policy_id:
        yield _Fault(label.number, "row_id", f"its record was made under the policy {record.policy}, this is {policy.policy_id}")


def _refuse(faults: Sequence[_Fault], path: Path) -> None:
    if not faults:
        return
    shown = "; ".join(map(str, faults[:_SHOWN]))
    count = "1 defect" if len(faults) == 1 else f"{len(faults)} defects, first {min(_SHOWN, len(faults))}"
    raise InputError(f"{count}: {shown}", subject=str(path), advice="Correct the label file; nothing was written.")


def defect(label: Label, column: str, problem: str) -> InputError:
    """An error about one label that only shows when all are known."""
    text = f"row {label.number}, column {column}: {problem}"
    return InputError(text, subject="labels", advice="Correct the label file; nothing was written.")

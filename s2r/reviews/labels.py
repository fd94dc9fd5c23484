"""Decisions as labels for calibration, and audit samples of what was accepted without a reviewer.

All listings of an issuer family are in one part, dealt by digest before anybody looks at them. A label goes with the record as the audit
made it, not with what the reviewer made of it: a corrected record would teach a risk model that its answers are always right.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from s2r.calibrate.looks import read_looks
from s2r.calibrate.split import TEST, dealt_part, row_key
from s2r.models import Listing, Record, Route
from s2r.report.files import write_csv, write_jsonl
from s2r.report.tables import safe_cell
from s2r.reviews.bench import Workbench, log
from s2r.reviews.errors import ReviewError
from s2r.risk.load import FOLDER
from s2r.risk.sample import draw_accepted

NO_PART = "left out"  # its issuer belongs to two families that are in different parts
LABEL_COLUMNS = ("row_id", "status", "announcement_date", "reason", "family", "split", "run", "decided_by", "decided_at")


@dataclass(frozen=True, slots=True)
class Written:
    """Labels that were written: how many, by part, and how many were left out because their issuers are in two parts, or because a locked
    test has shown their listing while they are dealt to another part; `other_policy`: because another policy made their record."""

    labels: int
    parts: dict[str, int]
    left_out: int
    other_policy: int


def label_of(bench: Workbench, keys: Sequence[str]) -> tuple[str, str]:
    """Part and issuer family of the label of a decided record by the keys of its issuer; the family is known from then on. Within a
    transaction."""
    marks = ", ".join("?" * len(keys))
    known = bench.store.rows(f"select family, part from review_family where key in ({marks})", keys)
    found = {(str(row["family"]), str(row["part"])) for row in known}
    if len({part for _, part in found}) > 1:
        return NO_PART, keys[0]
    family, part = min(found) if found else (keys[0], dealt_part(keys[0], bench.review.labels.shares, bench.review.labels.seed))
    for key in keys:
        bench.store.execute("insert or ignore into review_family (key, family, part) values (?,?,?)", [key, family, part])
    return part, family


def write_labels(bench: Workbench, target: Path, policies: Path) -> Written:
    """A folder that `s2r calibrate` takes: labels.csv, and records.jsonl with the records that they are about, as the audit made them.
    Raises ReviewError when there is no label."""
    _, locked = read_looks(policies / FOLDER, bench.policy.definition.event_type)
    parts: dict[str, int] = {}
    left_out = other_policy = 0
    chosen: list[dict[str, Any]] = []
    for row in _labels(bench):
        record = _judged(bench, row)
        if row["part"] == NO_PART or (row["part"] != TEST and row_key(record.listing) in locked):
            left_out += 1
            continue
        if record.policy != bench.policy.policy_id:
            other_policy += 1
            continue
        parts[row["part"]] = parts.get(row["part"], 0) + 1
        chosen.append(row)
    if not chosen:
        advice = f"Confirm or correct rows first ({left_out} labels are left out, {other_policy} are about records of another policy)."
        raise ReviewError("no decision can serve as a label", subject=str(bench.out), advice=advice)
    write_jsonl(target / "records.jsonl", (_judged(bench, row) for row in chosen))
    write_csv(target / "labels.csv", LABEL_COLUMNS, (_line(row) for row in chosen))
    return Written(labels=len(chosen), parts=dict(sorted(parts.items())), left_out=left_out, other_policy=other_policy)


def _labels(bench: Workbench) -> Iterator[dict[str, Any]]:
    """The last standing label of every row, in input order."""
    sql = (
        "select d.*, i.position from review_decision d join review_item i on i.row_id = d.row_id where d.part <> '' and d.undoes = 0 "
        "and not exists (select 1 from review_decision u where u.undoes = d.id and u.undoes <> 0) "
        "and not exists (select 1 from review_decision l where l.row_id = d.row_id and l.id > d.id and l.part <> '' and l.undoes = 0 "
        "and not exists (select 1 from review_decision u where u.undoes = l.id and u.undoes <> 0)) order by i.position, d.row_id"
    )
    rows: list[dict[str, Any]] = bench.store.rows(sql)
    yield from rows


def _judged(bench: Workbench, row: dict[str, Any]) -> Record:
    """The record that a decision was about."""
    if row["proposal"]:
        found = bench.store.rows("select record from review_proposal where id = ?", [row["proposal"]])
        return Record.model_validate_json(str(found[0]["record"]))
    record = bench.store.revision(row["row_id"], row["judged"])
    assert record is not None, "a revision is never removed"
    return record


def _line(row: dict[str, Any]) -> list[str]:
    status, day, reason = str(row["said"]).split("|")
    values = (row["row_id"], status, day, reason, row["family"], row["part"], ".", row["author"], row["at"])
    return [safe_cell(value) for value in values]


def draw_sample(bench: Workbench, n: int, seed: int, by: str, now: dt.datetime) -> int:
    """Put a seeded sample of at most `n` accepted rows into the queue (each answer and market has its share); return how many are new in
    it. Rows that a reviewer has decided are not drawn. What it finds is the accepted error of `numbers`."""
    accepted = bench.store.rows("select row_id, issuer, market, cutoff, status from review_item where state = 'accepted' order by position")
    records = (_outline(row, bench.policy.definition.event_type) for row in accepted)
    added = 0
    with bench.store.transaction():
        for item in draw_accepted(records, n, seed):
            added += bench.store.execute(
                "update review_item set sample = 1, sample_weight = ?, stratum = ?, state = 'open', waiting = 1, since = ?, weighed = '' "
                "where row_id = ? and sample = 0 and state = 'accepted'",
                [item.weight, item.stratum, now.astimezone(dt.UTC).isoformat(), item.record.row_id],
            )
        log(bench, now, by, "sample", n=n, seed=seed, added=added)
    return added


def _outline(row: dict[str, Any], event_type: str) -> Record:
    """As much of an accepted record as drawing takes; a hundred thousand of them fit into memory."""
    listing = Listing(row_id=row["row_id"], issuer=row["issuer"], mic=row["market"], cutoff=row["cutoff"])
    return Record(
        row_id=row["row_id"], listing=listing, event_type=event_type, cutoff=listing.cutoff, status=row["status"], route=Route.ACCEPT
    )  # fmt: skip

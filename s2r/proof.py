"""Prove a run folder again, offline: every archived byte against its digest, every claim against the re-opened page."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from s2r.archive import Archive
from s2r.errors import IntegrityError, SourceBroken
from s2r.extract import extract
from s2r.job import read_records
from s2r.job.finish import records_digest
from s2r.models import Package, Page, Record, Status
from s2r.verify.quotes import check_quotes

NEEDED = ("status", "announcement_date", "reason")  # what a proven `yes` quotes


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not hold: about what, what is wrong, and the records that rest on it."""

    subject: str
    problem: str
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Outcome of a proof with its counts."""

    exhibits: int
    records: int
    claims: int
    faults: tuple[Fault, ...]


def prove(run: Path) -> Proof:
    """Check the archive, records.jsonl and all claims below `run`. Raises ConfigError when the folder holds no run, StoreError
    when it cannot be read; damage is not raised but listed. A `no` rests on every page that was read, a claim on its own page."""
    faults = _check_file(run)
    users: dict[str, list[str]] = defaultdict(list)
    for record in _readable(run):
        for digest in dict.fromkeys(_digests(record)):
            users[digest].append(record.row_id)
    records = claims = 0
    with Archive(run, read_only=True) as archive:
        damaged: set[str] = set()
        for problem in archive.problems():
            damaged.add(problem.digest)
            subject = " ".join(x for x in (f"{problem.warc}@{problem.offset}", problem.url, problem.digest[:19]) if x)
            faults.append(Fault(subject, problem.cause, tuple(users.get(problem.digest, ()))))
        for record in _readable(run):
            records += 1
            claims += len(record.claims)
            faults += _check_record(record, archive, damaged)
        exhibits = len(archive)
    return Proof(exhibits, records, claims, tuple(faults))


def _readable(run: Path) -> Iterator[Record]:
    """The records up to the first damaged line, which `_check_file` has reported."""
    with suppress(IntegrityError):
        yield from read_records(run)


def _check_file(run: Path) -> list[Fault]:
    """Whether records.jsonl is what run.json says was written; a run that was stopped before run.json has nothing to compare."""
    faults = []
    try:
        for _ in read_records(run):
            pass
    except IntegrityError as exc:
        faults.append(Fault(exc.subject, exc.message, ()))
    try:
        told = json.loads((run / "run.json").read_text("utf-8")).get("records_sha256")
    except FileNotFoundError:
        return faults
    except (ValueError, AttributeError):
        return [*faults, Fault(str(run / "run.json"), "is no JSON of a run", ())]
    if told != records_digest(run):
        faults.append(Fault(str(run / "records.jsonl"), "was changed after it was written", ()))
    return faults


def _digests(record: Record) -> Iterable[str]:
    yield from (claim.exhibit for claim in record.claims)
    yield from (finding.digest for finding in record.findings)
    yield from record.coverage.exhibits
    if record.later_event:
        yield record.later_event.exhibit


def _check_record(record: Record, archive: Archive, damaged: set[str]) -> list[Fault]:
    faults = []
    pages: dict[str, Page] = {}
    for claim in record.claims:
        if claim.exhibit in pages or claim.exhibit in damaged:
            continue
        try:
            capture = archive.open(claim.exhibit, claim.url)
            pages[claim.exhibit] = extract(
                capture.body, capture.content_type, claim.url, digest=claim.exhibit, fallback_title=capture.title
            )
        except IntegrityError as exc:
            faults.append(Fault(claim.exhibit, exc.message, (record.row_id,)))
        except SourceBroken as exc:
            faults.append(Fault(claim.exhibit, f"cannot be read any more: {exc.message}", (record.row_id,)))
    rest = [claim for claim in record.claims if claim.exhibit in pages]
    checked, _ = check_quotes(rest, pages)
    for before, after in zip(rest, checked, strict=True):
        if (before.match, before.start, before.end) != (after.match, after.start, after.end):
            told, found = f"{before.match} at {before.start}-{before.end}", f"{after.match} at {after.start}-{after.end}"
            problem = f"the quote for {before.field} was recorded as {told}, found {found}"
            faults.append(Fault(f"{record.row_id} {before.field}", problem, (record.row_id,)))
    if record.status is Status.YES and record.package is Package.PASS:
        for field in NEEDED:
            if not any(claim.field == field for claim in record.claims):
                faults.append(Fault(f"{record.row_id} {field}", "is said to be proven, but no quote proves it", (record.row_id,)))
    return faults

"""What one document offers for a listing: its readings, and the qualifying ones with the day they disclose."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from s2r.adjudicate.rules.docdate import Published
from s2r.adjudicate.rules.document import Document, Unit
from s2r.adjudicate.rules.identity import Subject
from s2r.adjudicate.rules.stage import Reading
from s2r.models import BlockKind


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage that states a qualifying step about the target, with the day on which that was disclosed."""

    doc: Document
    unit: Unit
    reading: Reading
    subject: Subject
    day: dt.date | None
    direct: bool  # disclosed by this document itself, not retold
    origin: str
    date_start: int
    date_end: int
    source_kind: str
    why: str = ""


@dataclass(slots=True)
class Judged:
    """One document judged for the target."""

    doc: Document
    published: Published | None
    findings: list[tuple[Unit, Reading, Subject, str]]  # with the reason why it does not qualify, "" when it does
    candidates: list[Candidate]


def rows_of_others(doc: Document, judged: Sequence[Judged]) -> frozenset[int]:
    """Numbers of the rows and items of lists in `doc` that state a step of another listing: they tell nothing of this one."""
    own = next(j for j in judged if j.doc is doc)
    found = {u.index for u, _, s, _ in own.findings if s.target == "other" and u.kind in (BlockKind.ROW, BlockKind.ITEM)}
    return frozenset(found - {c.unit.index for c in own.candidates})

"""A later look at a row that people have reviewed never replaces what they said; other evidence brings the row back, with both shown."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from s2r.models import Record, Route, Status
from s2r.store import Store
from s2r.store.decided import Reviewed, propose, reviewed
from s2r.store.items import PENDING, Kept


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at a row found, as `Store.append` takes it."""

    record: Record
    inputs: str
    position: int
    why: str
    mark: str
    now: dt.datetime
    again: bool
    issues: tuple[tuple[str, str, str, str], ...] = ()
    ledger: tuple[tuple[str, float, str, float | None], ...] = ()


def keep_reviewed(store: Store, look: Look, author: str) -> bool:
    """Keep a look at a row of which people have said something; False when they have not, and it is to be kept as any other.

    A look that came to nothing changes nothing. The same evidence lets what was said stand; where the inputs have changed, a revision
    carries it on. Other evidence: a settled row goes back to the queue with the reviewer's answer and the new one beside it; a row that
    still waits is judged anew.
    """
    said = reviewed(store, look.record.row_id)
    if said is None:
        return False
    if look.again or look.record.error is not None:
        _confirm(store, look, "failed")
        return True
    if _same_question(said.base, look.record):
        if store.is_done(look.record.row_id, look.inputs):
            _confirm(store, look, "same")
        else:
            record = look.record if said.state in PENDING and said.record == said.base else _carried(said, look.record)
            _append(store, look, record, author, f"{look.why}: same evidence, the review stands", Kept.CARRIED)
        return True
    if said.state in PENDING:
        return False
    with store.transaction():
        proposal = propose(store, look.record, inputs=look.inputs, why=look.why, now=look.now)
        record = _returned(said, look.record)
        _append(store, look, record, author, f"{look.why}: other evidence than was decided on", Kept.RETURNED, proposal)
    return True


def says_same(one: Record, other: Record) -> bool:
    """Whether two records say the same and prove it by the same words: what was searched for a no, and when, is no difference."""
    return (*_substance(one), one.route) == (*_substance(other), other.route)


def _substance(record: Record) -> tuple[object, ...]:
    claims = tuple((c.field, c.value, c.quote, c.exhibit) for c in record.claims)
    later = record.later_event and (record.later_event.date, record.later_event.exhibit)
    answer = (record.status, record.announcement_date, record.reason, record.disclosure_type, record.package)
    return *answer, claims, later, record.coverage.sufficient, record.error


def _same_question(base: Record, record: Record) -> bool:
    """Whether what was decided on is what stands: same answer by the same words, and for what is no proven event also the same cutoff or
    the same pages, as a later cutoff asks for more."""
    if _substance(base) != _substance(record):
        return False
    settled = base.status is Status.YES or base.cutoff == record.cutoff
    return settled or set(base.coverage.exhibits) == set(record.coverage.exhibits)


def _carried(said: Reviewed, record: Record) -> Record:
    """The reviewer's record under the inputs of today."""
    today = ("listing", "cutoff", "policy", "version", "run_id", "coverage", "usage", "latency_s")
    return said.record.model_copy(update={name: getattr(record, name) for name in today})


def _returned(said: Reviewed, record: Record) -> Record:
    """The reviewer's answer, for review."""
    day = f" {record.announcement_date}" if record.announcement_date else ""
    why = f"A later audit found other evidence than the reviewer decided on: it says {record.status.value}{day}."
    kept = _carried(said, record)
    return kept.model_copy(update={"route": Route.REVIEW, "route_reasons": (why,), "steps": (*kept.steps, why)})


def _confirm(store: Store, look: Look, outcome: str) -> None:
    store.confirm(
        look.record, inputs=look.inputs, outcome=outcome, why=look.why, now=look.now, ledger=look.ledger, mark=look.mark
    )  # fmt: skip


def _append(store: Store, look: Look, record: Record, author: str, why: str, kept: Kept, proposal: int = 0) -> None:
    store.append(
        record, inputs=look.inputs, position=look.position, author=author, why=why, now=look.now, issues=look.issues, ledger=look.ledger,
        mark=look.mark, kept=kept, proposal=proposal,
    )  # fmt: skip

"""Decisions: each is kept, most make a revision at once, some wait for a second reviewer or an adjudicator; undo is a revision, too."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from s2r.calibrate.split import family_keys
from s2r.models import Claim, Page, Record
from s2r.reviews.answers import answer_of, applied, check_form, proven, signed
from s2r.reviews.bench import Workbench, log, weigh
from s2r.reviews.errors import BadDecision, LeaseLost, LeaseTaken, NotAllowed, NotFound, StaleEdit
from s2r.reviews.labels import label_of
from s2r.reviews.leases import NO_LEASE, named
from s2r.reviews.queue import all_items
from s2r.reviews.types import Decision, Dispute, Evidence, Kept, Kind, Outcome, QueueFilter, State
from s2r.store.decided import Revised, append_decided, change_item, revised
from s2r.store.decided import base_record as stored_base
from s2r.store.items import WAITING, stamp_of

FIRST, SECOND, ADJUDICATION, BULK, UNDO = "first", "second", "adjudication", "bulk", "undo"
_KEPT = (
    "d.id, d.row_id, d.stage, d.kind, d.author, d.at, d.seen, d.made, d.reason_code, d.note, d.status, d.day, d.reason, d.disclosure_type, "
    "d.evidence, d.seconds, d.part, d.batch, "
    "coalesce((select u.id from review_decision u where u.undoes = d.id and u.undoes <> 0), 0) undone_by"
)


def decide(
    bench: Workbench, decision: Decision, now: dt.datetime, *, adjudicator: bool = False, stage: str = "", batch: str = ""
) -> Outcome:
    """Keep a decision and do what it asks. A row that two reviewers decide waits for the second, who is not shown the first; two that
    differ, and one that could not decide, wait for an adjudicator. The same `key` again changes nothing and gives the same outcome.

    Raises StaleEdit when another revision stands than the one that was seen, LeaseTaken when somebody else holds the row, LeaseLost,
    NotAllowed, BadDecision (naming the field), NotFound. `stage` and `batch` are set by bulk decisions and imports.
    """
    weigh(bench)
    if decision.key and (known := _known(bench, decision)):
        return known
    plan = planned(bench, decision, now, adjudicator=adjudicator, stage=stage)  # before the transaction: others must not wait for it
    with bench.store.transaction():
        return keep(bench, plan, now, adjudicator=adjudicator, batch=batch)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a decision does to its row, worked out before anything is written. `basis` is what it rests on: while the row is as it says, the
    plan holds. `turn` is where the row goes; `revised` the revision that the decision makes (None: it waits), by `who` for `why`; `family`
    the keys of its issuer, where it is a label."""

    decision: Decision
    basis: tuple[object, ...]
    values: Mapping[str, object]  # of review_decision
    stage: str
    turn: State
    revised: Revised | None
    who: str = ""
    why: str = ""
    said: str = ""
    family: tuple[str, ...] = ()


def known(bench: Workbench, decision: Decision) -> bool:
    """Whether a decision was kept already under its key; raises BadDecision when the key was used for another one."""
    return bool(decision.key and _known(bench, decision))


def planned(bench: Workbench, decision: Decision, now: dt.datetime, *, adjudicator: bool = False, stage: str = "") -> Plan:
    """Work out what a decision does, and write nothing; raises what `decide` raises."""
    named(decision.by)
    _check_current(bench, decision)
    judged, claims, pages = _prepared(bench, decision)
    row = item_row(bench, decision.row_id)
    _check_turn(row, decision, now, adjudicator=adjudicator)
    state = State(row["state"])
    step = stage or (ADJUDICATION if state in (State.DISAGREED, State.UNDECIDED) else SECOND if state is State.SECOND else FIRST)
    if step == ADJUDICATION and decision.kind is Kind.CANNOT_DECIDE:
        advice = "Reject it: that leaves the answer open."
        raise BadDecision("an adjudicator decides", field="kind", subject=decision.row_id, advice=advice)
    others = [] if state not in (State.SECOND, State.DISAGREED, State.UNDECIDED) else round_of(bench, row)
    turn = _turn(bench, row, decision, judged, state, others, step)
    plan = Plan(decision, _basis(row), _values(decision, judged, row, step, now), step, turn, None, said=_WAITS.get(turn, ""))
    if turn in (State.SECOND, State.DISAGREED):
        return plan
    together = (*(str(other["author"]) for other in others), decision.by) if state is State.SECOND else (decision.by,)
    who = signed(together)
    words = next((code.text for code in bench.review.reason_code if code.code == decision.reason_code), "")
    made = applied(decision, judged, claims, pages, bench.policy, who=who, words=words)
    labelled = turn is State.DECIDED and decision.kind in (Kind.CONFIRM, Kind.CORRECT)
    return replace(
        plan, revised=revised(made), who=who, said=made.steps[-1] if made.steps else "",
        why=f"{decision.kind.value}: {decision.reason_code}" if decision.reason_code else decision.kind.value,
        family=tuple(family_keys(made.listing)) if labelled else (),
    )  # fmt: skip


def keep(bench: Workbench, plan: Plan, now: dt.datetime, *, adjudicator: bool = False, batch: str = "") -> Outcome:
    """Keep a planned decision, within a transaction; it is planned anew where its row has changed since. Raises what `decide` raises."""
    decision = plan.decision
    if decision.key and (before := _known(bench, decision)):
        return before
    row = item_row(bench, decision.row_id)
    if _basis(row) != plan.basis:
        plan = planned(bench, decision, now, adjudicator=adjudicator, stage=BULK if plan.stage == BULK else "")
    _check_turn(row, decision, now, adjudicator=adjudicator)
    values = {**plan.values, "batch": batch}
    marks = ", ".join("?" * len(values))
    number = bench.store.insert(f"insert into review_decision ({', '.join(values)}) values ({marks})", list(values.values()))
    standing = int(row["number"])
    said = {"first_id": row["first_id"] or number, "first_by": row["first_by"] + named(decision.by), "state": plan.turn.value} | NO_LEASE
    if plan.revised is None:
        change_item(bench.store, row, said)
    else:
        said |= {"waiting": int(plan.turn in WAITING), "decided": plan.turn is State.DECIDED}
        standing = append_decided(bench.store, plan.revised, row, author=plan.who, why=plan.why, now=now, **said)
        part, family = label_of(bench, plan.family) if plan.family else ("", "")
        sql = "update review_decision set made = ?, part = ?, family = ? where id = ?"
        bench.store.execute(sql, [standing, part, family, number])
    log(bench, now, decision.by, "decide", decision.row_id, decision=number, kind=decision.kind.value, state=plan.turn.value)
    return Outcome(
        row_id=decision.row_id, decision_id=number, state=plan.turn, number=standing, made=plan.revised is not None, said=plan.said
    )  # fmt: skip


def _basis(row: Mapping[str, Any]) -> tuple[object, ...]:
    """What of a row decides what a decision does to it."""
    return tuple(row[name] for name in ("number", "state", "judged", "proposal", "second", "first_id", "first_by"))


def _prepared(bench: Workbench, decision: Decision) -> tuple[Record, tuple[Claim, ...], dict[str, Page]]:
    """The record that a decision is about, and the claims of its new evidence with their pages."""
    seen = bench.store.revision(decision.row_id, decision.seen)
    if seen is None:
        raise NotFound(f"has no revision {decision.seen}", subject=decision.row_id, advice="Open the row again.")
    judged = _judged(bench, decision.row_id, seen)
    check_form(decision, judged, bench.policy, bench.review)
    return judged, *proven(decision.evidence, judged, decision, bench.out)


_WAITS = {
    State.SECOND: "Kept; a second reviewer decides it, too, without seeing this.",
    State.DISAGREED: "Kept; the two reviewers differ, so an adjudicator decides.",
}


def _turn(
    bench: Workbench, row: dict[str, Any], decision: Decision, judged: Record, state: State, others: Sequence[dict[str, Any]], step: str
) -> State:
    """Where a row goes with one more decision."""
    if step == ADJUDICATION:
        return State.DECIDED
    if state is State.SECOND:
        said = {answer_of(as_decision(other), judged) for other in others}
        agreed = said == {answer_of(decision, judged)} and decision.kind is not Kind.CANNOT_DECIDE
        return State.DECIDED if agreed else State.DISAGREED
    if decision.kind is Kind.CANNOT_DECIDE:
        return State.UNDECIDED
    twice = row["second"] or (bench.review.second.corrections and decision.kind is Kind.CORRECT)
    return State.SECOND if twice and step != BULK else State.DECIDED


def adjudicate(bench: Workbench, decision: Decision, now: dt.datetime) -> Outcome:
    """The last word on a row on which two reviewers differ, or that one could not decide; by neither of them. Raises as `decide` does."""
    row = item_row(bench, decision.row_id)
    if State(row["state"]) not in (State.DISAGREED, State.UNDECIDED):
        raise NotAllowed(f"is {row['state']}: there is nothing to adjudicate", subject=decision.row_id, advice="Decide it as a reviewer.")
    return decide(bench, decision, now, adjudicator=True)


def disagreements(bench: Workbench, now: dt.datetime) -> tuple[Dispute, ...]:
    """Rows that wait for an adjudicator, most important first, each with the decisions that are in dispute."""
    found = []
    for shown in all_items(bench, QueueFilter(state=(State.DISAGREED, State.UNDECIDED)), now):
        first = int(item_row(bench, shown.row_id)["first_id"])
        standing = tuple(one for one in decisions(bench, shown.row_id) if one.id >= first and not one.undone_by)
        found.append(Dispute(item=shown, decisions=standing))
    return tuple(found)


def undo(bench: Workbench, row_id: str, by: str, now: dt.datetime, *, note: str = "", adjudicator: bool = False) -> Outcome:
    """Take back the last decision of a row; what it made is followed by a new revision that says what stood before. One's own, or any as
    an adjudicator. Raises NotFound, NotAllowed when there is none, another's, or a later audit has changed the row since."""
    named(by)
    weigh(bench)
    with bench.store.transaction():
        row = item_row(bench, row_id)
        standing = round_of(bench, row)
        if not standing:
            raise NotAllowed("has no decision that could be taken back", subject=row_id, advice="Look at its history.")
        last = standing[-1]
        if str(last["author"]) != by and not adjudicator:
            raise NotAllowed(f"was decided by {last['author']}", subject=row_id, advice="They, or an adjudicator, can take it back.")
        if row["lease_by"] not in ("", by) and row["lease_until"] > stamp_of(now):
            raise LeaseTaken(row_id, row["lease_by"], dt.datetime.fromisoformat(row["lease_until"]))
        left = standing[:-1]
        state = _state_of(bench, row, left)
        said = {
            "state": state.value, "waiting": int(state.value in WAITING), "first_id": left[0]["id"] if left else 0,
            "first_by": "".join(named(str(d["author"])) for d in left),
        } | NO_LEASE  # fmt: skip
        number, restored = int(row["number"]), bool(last["made"])
        if restored:
            before, why = revised(base_record(bench, row)), f"undo: {last['kind']} by {last['author']}"
            number = append_decided(bench.store, before, row, author=by, why=why, now=now, **said)
        else:
            change_item(bench.store, row, said | {"decided": 0})
        undone = bench.store.insert(
            "insert into review_decision (row_id, stage, kind, author, at, seen, judged, proposal, made, note, undoes) "
            "values (?,?,?,?,?,?,?,?,?,?,?)",
            [row_id, UNDO, last["kind"], by, stamp_of(now), row["number"], row["judged"], row["proposal"], number if restored else 0, note,
             last["id"]],
        )  # fmt: skip
        log(bench, now, by, "undo", row_id, decision=last["id"], state=state.value)
        return Outcome(row_id=row_id, decision_id=undone, state=state, number=number, made=restored, said=f"{last['kind']} was taken back.")


def _state_of(bench: Workbench, row: dict[str, Any], left: Sequence[dict[str, Any]]) -> State:
    """Where a row stands with the decisions that are left of its round."""
    if len(left) > 1:
        return State.DISAGREED
    if left:
        return State.UNDECIDED if left[0]["kind"] == Kind.CANNOT_DECIDE else State.SECOND
    if row["proposal"]:
        return State.RETURNED
    accepted = base_record(bench, row).route.value == "accept" and not row["sample"]
    return State.ACCEPTED if accepted else State.OPEN


def decisions(bench: Workbench, row_id: str) -> tuple[Kept, ...]:
    """All decisions of a row, oldest first, with those that were taken back."""
    sql = f"select {_KEPT} from review_decision d where d.row_id = ? and d.undoes = 0 order by d.id"
    return tuple(as_kept(row) for row in bench.store.rows(sql, [row_id]))


def item_row(bench: Workbench, row_id: str) -> dict[str, Any]:
    """A row of `review_item` as it is kept; raises NotFound."""
    rows = bench.store.rows("select * from review_item where row_id = ?", [row_id])
    if not rows:
        raise NotFound("is no row of this run", subject=row_id, advice="Look it up in the queue.")
    return rows[0]


def round_of(bench: Workbench, row: dict[str, Any]) -> list[dict[str, Any]]:
    """The standing decisions on the evidence that a row rests on now, oldest first."""
    if not row["first_id"]:
        return []
    sql = (
        "select * from review_decision d where row_id = ? and id >= ? and undoes = 0 "
        "and not exists (select 1 from review_decision u where u.undoes = d.id and u.undoes <> 0) order by id"
    )
    return bench.store.rows(sql, [row["row_id"], row["first_id"]])


def base_record(bench: Workbench, row: dict[str, Any]) -> Record:
    """What the audit itself says of a row, whatever was decided."""
    record = stored_base(bench.store, row["row_id"])
    assert record is not None, "the audit's revision of a row is never removed"
    return record


def _judged(bench: Workbench, row_id: str, seen: Record) -> Record:
    """The record that a decision is about: the audit's. What a first reviewer left undecided is still the audit's answer."""
    row = item_row(bench, row_id)
    return base_record(bench, row) if row["proposal"] or row["judged"] != row["number"] else seen


def _check_current(bench: Workbench, decision: Decision) -> None:
    rows = bench.store.rows("select number from review_item where row_id = ?", [decision.row_id])
    if not rows:
        raise NotFound("is no row of this run", subject=decision.row_id, advice="Look it up in the queue.")
    if int(str(rows[0]["number"])) == decision.seen:
        return
    row = bench.store.rows("select number, author, why, record from record_current where row_id = ?", [decision.row_id])[0]
    told = json.loads(str(row["record"]))
    answer = {name: str(told.get(name) or "") for name in ("status", "announcement_date", "reason", "route")}
    raise StaleEdit(decision.row_id, decision.seen, int(str(row["number"])), str(row["author"]), str(row["why"]), answer)


def _check_turn(row: dict[str, Any], decision: Decision, now: dt.datetime, *, adjudicator: bool) -> None:
    state, row_id = State(row["state"]), decision.row_id
    if state is State.DECIDED:
        raise NotAllowed("is decided", subject=row_id, advice="Undo the decision to decide it again.")
    running = row["lease_until"] > stamp_of(now)
    if row["lease_by"] not in ("", decision.by) and running:
        raise LeaseTaken(row_id, row["lease_by"], dt.datetime.fromisoformat(row["lease_until"]))
    if decision.lease and decision.lease != row["lease_token"]:
        raise LeaseLost("your lease has ended", subject=row_id, advice="Claim the row again.")
    if named(decision.by) in row["first_by"]:
        raise NotAllowed("you have decided it already; another person is to review it", subject=row_id, advice="Take another row.")
    if state in (State.DISAGREED, State.UNDECIDED) and not adjudicator:
        raise NotAllowed(f"is {state.value} and waits for an adjudicator", subject=row_id, advice="Take another row.")


def _known(bench: Workbench, decision: Decision) -> Outcome | None:
    """The outcome of a decision that was made before under the same key."""
    rows = bench.store.rows("select * from review_decision where key = ? and key <> ''", [decision.key])
    if not rows:
        return None
    known = rows[0]
    if (known["row_id"], known["author"], known["kind"]) != (decision.row_id, decision.by, decision.kind.value):
        raise BadDecision("its key was used for another decision", field="key", subject=decision.row_id, advice="Give a new key.")
    row = item_row(bench, decision.row_id)
    state, number = State(row["state"]), int(row["number"])
    return Outcome(row_id=decision.row_id, decision_id=int(str(known["id"])), state=state, number=number, again=True, said="Known already.")


def _values(decision: Decision, judged: Record, row: dict[str, Any], stage: str, now: dt.datetime) -> dict[str, object]:
    """A decision with what it is about, as it is kept: numbers about reviews need no record."""
    return {
        "row_id": decision.row_id, "stage": stage, "kind": decision.kind.value, "author": decision.by, "at": stamp_of(now),
        "seen": decision.seen, "judged": row["judged"], "proposal": row["proposal"], "reason_code": decision.reason_code,
        "note": decision.note, "status": decision.status.value if decision.status else "", "day": str(decision.announcement_date or ""),
        "reason": decision.reason or "", "disclosure_type": decision.disclosure_type or "",
        "evidence": json.dumps([item.model_dump() for item in decision.evidence], ensure_ascii=False), "seconds": decision.seconds,
        "key": decision.key, "market": row["market"], "base_status": judged.status.value,
        "base_day": str(judged.announcement_date or ""), "base_reason": judged.reason or "", "base_route": judged.route.value,
        "base_risk": max(judged.risk.values()) if judged.risk else 1.0 - judged.confidence,
        "said": "|".join(answer_of(decision, judged)),
    }  # fmt: skip


def as_kept(row: dict[str, Any]) -> Kept:
    """A decision as it is shown."""
    return Kept(
        id=row["id"], row_id=row["row_id"], stage=row["stage"], kind=row["kind"], by=row["author"],
        at=dt.datetime.fromisoformat(row["at"]), seen=row["seen"], made=row["made"], reason_code=row["reason_code"], note=row["note"],
        status=row["status"], announcement_date=row["day"], reason=row["reason"], disclosure_type=row["disclosure_type"],
        evidence=tuple(Evidence.model_validate(item) for item in json.loads(row["evidence"])), seconds=row["seconds"], part=row["part"],
        undone_by=row["undone_by"], batch=row["batch"],
    )  # fmt: skip


def as_decision(row: dict[str, Any]) -> Decision:
    """A kept decision as it was given."""
    return Decision.model_validate(
        {
            "row_id": row["row_id"], "kind": row["kind"], "by": row["author"], "seen": row["seen"], "reason_code": row["reason_code"],
            "note": row["note"], "status": row["status"] or None, "announcement_date": row["day"] or None, "reason": row["reason"] or None,
            "disclosure_type": row["disclosure_type"] or None, "evidence": json.loads(row["evidence"]), "seconds": row["seconds"],
        }
    )  # fmt: skip

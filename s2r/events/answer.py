"""Run a specification over the store: rows with their provenance, and the plan on request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from s2r.events.compile import Statement, compile_members, compile_spec
from s2r.events.residual import residual_rows
from s2r.events.spec import Anchored, Projection, Spec
from s2r.events.store import Event, EventStore
from s2r.models.listing import Frozen

ROWS = 1000  # rows written out unless more are asked for
PROOFS = 5  # qualifying events written out for one firm and event variable


class Answer(Frozen):
    """Rows of a question. `total` counts all of them; `rows` are the first ones. Names of columns are those of event tuples."""

    spec: Spec
    rows: tuple[dict[str, object], ...]
    total: int
    notes: tuple[str, ...] = ()


class Plan(Frozen):
    """What would run: the statement, its bound values, and how SQLite goes about it."""

    spec: Spec
    sql: str
    values: dict[str, int | str]
    steps: tuple[str, ...]


def entities_of(spec: Spec, store: EventStore) -> dict[str, int]:
    """Ids of the firms that a specification names, by field; raises InputError with near matches."""
    named = {"predicate.firm": spec.predicate.firm, "predicate.counterparty": spec.predicate.counterparty}
    if isinstance(spec.operator, Anchored):
        named["operator.firm"] = spec.operator.firm
    return {field: store.firm(text, field) for field, text in named.items() if text}


def answer(spec: Spec, store: EventStore, most: int = ROWS, run: Path | None = None) -> Answer:
    """All rows of a question, the first `most` written out; no row is an empty answer, never an error. `run` is the folder whose archive
    holds the exhibits, for what the specification leaves to them (`residual`)."""
    statement = compile_spec(spec, entities_of(spec, store))
    if spec.projection is Projection.EVENTS:
        total = int(str(store.rows(f"select count(*) from ({statement.body})", statement.values)[0][0]))  # noqa: S608 - our own statement
        found = store.rows(f"{statement.sql} limit {most:d}", statement.values)
    else:
        found = store.rows(statement.sql, statement.values)
        total = len(found)
    rows = write_rows(spec, store, found[:most])
    if spec.residual:
        rows = residual_rows(rows, spec.residual, run)
    return Answer(spec=spec, rows=tuple(rows), total=total, notes=tuple(_notes(spec, total, rows)))


def explain(spec: Spec, store: EventStore) -> Plan:
    """The statement of a question and SQLite's plan for it."""
    statement = compile_spec(spec, entities_of(spec, store))
    steps = store.rows(f"explain query plan {statement.sql}", statement.values)
    return Plan(spec=spec, sql=statement.sql, values=statement.values, steps=tuple(str(step[3]) for step in steps))


def write_rows(spec: Spec, store: EventStore, rows: Sequence[tuple[object, ...]]) -> list[dict[str, object]]:
    """Rows of ids as rows with firms, dates and provenance."""
    if spec.projection is Projection.EVENTS:
        events = store.events(int(str(row[0])) for row in rows)
        return [
            event_row(events[int(str(row[0]))]) | ({"bucket": row[1]} if len(row) > 1 else {}) for row in rows
        ]  # fmt: skip
    if spec.projection is Projection.FIRMS:
        return _firm_rows(spec, store, rows)
    events = store.events(int(str(row[place])) for row in rows for place in (1, 2))
    pairs = [(row, events[int(str(row[1]))], events[int(str(row[2]))]) for row in rows]
    if spec.projection is Projection.DEALS:
        return [_deal_row(first, second, row[3]) for row, first, second in pairs]
    return [_pair_row(spec, first, second, row[3], row[4]) for row, first, second in pairs]


def event_row(event: Event) -> dict[str, object]:
    """One event as a row of an answer."""
    row: dict[str, object] = {
        "firm_ticker": event.firm_ticker, "event_type": event.event_type, "anchor_date": event.anchor_date,
        "role": event.role, "counterparty": event.counterparty,
    }  # fmt: skip
    if event.attributes:
        row["attributes"] = event.attributes
    return row | {"event": event.id} | _provenance(event)


def _provenance(*events: Event) -> dict[str, object]:
    proofs = list(dict.fromkeys(proof for event in events for proof in event.evidence))
    return {
        "cited_urls": list(dict.fromkeys(proof.url for proof in proofs if proof.url)),
        "provenance": [proof.model_dump(exclude_defaults=True) for proof in proofs],
    }


def _firm_rows(spec: Spec, store: EventStore, rows: Sequence[tuple[object, ...]]) -> list[dict[str, object]]:
    """Firms with the events that qualify them, at most `PROOFS` for each event variable; `count` counts all."""
    firms = [int(str(row[0])) for row in rows]
    members = compile_members(spec, entities_of(spec, store), PROOFS)
    held: dict[int, list[int]] = {}
    for entity, event in store.rows(members.sql, {**members.values, "firms": json.dumps(firms)}):
        held.setdefault(int(str(entity)), []).append(int(str(event)))
    labels = store.labels(firms)
    events = store.events(event for group in held.values() for event in group)
    written = []
    for row, firm in zip(rows, firms, strict=True):
        own = sorted((events[event] for event in held[firm]), key=lambda event: (event.anchor_date, event.id))
        short = [
            {"event_type": e.event_type, "anchor_date": e.anchor_date, "role": e.role, "event": e.id} for e in own
        ]  # fmt: skip
        written.append({"firm_ticker": labels[firm], "count": row[1], "events": short} | _provenance(*own))
    return written


def _pair_row(spec: Spec, first: Event, second: Event, days: object, pairs: object) -> dict[str, object]:
    gap = int(str(days))
    names = {
        "near": ("e1_anchor_date", "e2_anchor_date", "gap_days"),
        "followed": ("e_trigger_anchor_date", "e_followup_anchor_date", "lag_days"),
        "difference": ("e1_anchor_date", "e2_anchor_date", "days_between"),
    }[spec.operator.name]
    shown = abs(gap) if spec.operator.name == "near" else gap
    row: dict[str, object] = dict(zip(names, (first.anchor_date, second.anchor_date, shown), strict=True))
    return {"firm_ticker": first.firm_ticker} | row | {"pairs": pairs, "events": [first.id, second.id]} | _provenance(first, second)


def _deal_row(first: Event, second: Event, days: object) -> dict[str, object]:
    sides = (first.firm_ticker, first.counterparty or second.counterparty)
    buyer, target = reversed(sides) if first.role in ("target", "seller") else sides
    row = {"buyer_ticker": buyer, "target_ticker": target, "announce_date": first.anchor_date, "close_date": second.anchor_date}
    return row | {"days": days, "deal": first.deal, "events": [first.id, second.id]} | _provenance(first, second)


def _notes(spec: Spec, total: int, rows: Sequence[dict[str, object]]) -> list[str]:
    notes = []
    if len(rows) < total:
        notes.append(f"first {len(rows)} of {total} rows")
    if spec.residual:
        notes.append(f"residual: {spec.residual!r} is no field of a tuple; passages of the rows' exhibits that fit it")
    if spec.operator.name == "difference" and total > 1:
        notes.append(f"the events are not unique in the window: {total} pairs")
    if spec.operator.name in ("near", "followed") and any(row["pairs"] != 1 for row in rows):
        notes.append("of several pairs of a firm the closest is shown; `pairs` counts them")
    return notes


__all__ = ["Answer", "Plan", "Statement", "answer", "entities_of", "event_row", "explain", "write_rows"]

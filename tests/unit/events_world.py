"""A small invented world of event tuples, and a slow oracle that answers every operator by looping over it."""

from __future__ import annotations

import datetime as dt
import random
from itertools import product

from s2r.events.spec import Anchored, Bucket, Count, Extreme, Followed, Near, Spec
from s2r.events.tuples import EventTuple, Evidence

FIRMS = ("ALDW", "BRTH", "CRMR", "DUNV", "ELST", "FENW", "GLNR")
DEALS = ("M&A_announce", "M&A_complete", "M&A_cancel")
TYPES = (*DEALS, "M&A_rumor", "CEO_change", "CFO_change", "IPO", "Stock_split")
REASONS = ("noncompliance", "voluntary")


def random_tuples(seed: int, n: int = 160) -> list[EventTuple]:
    """Distinct tuples over two years, some with roles, partners, reasons, or only a month as date."""
    chance = random.Random(seed)
    found: dict[tuple[str, str, str], EventTuple] = {}
    for number in range(n):
        kind = chance.choice((*TYPES, "delisting"))
        day = dt.date(2018, 1, 1) + dt.timedelta(days=chance.randrange(730))
        date = day.isoformat() if chance.random() > 0.05 else day.isoformat()[:7]
        firm = chance.choice(FIRMS)
        role = chance.choice(("buyer", "seller", "target", "")) if kind in DEALS else ""
        found[firm, kind, date] = EventTuple(
            firm=firm,
            event_type=kind,
            anchor_date=date,
            role=role,
            counterparty=chance.choice(("", "Brantholm Ceramics", *FIRMS)) if kind in DEALS else "",
            attributes={"reason": chance.choice(REASONS)} if kind == "delisting" else {},
            evidence=(Evidence(url=f"https://wire.example/{number}", date=date, quote=f"Passage {number}."),),
        )
    return list(found.values())


class Oracle:
    """Answers by looping over tuples; the meaning of every operator in the plainest words."""

    def __init__(self, tuples: list[EventTuple]) -> None:
        self.tuples = tuples

    def leg(self, spec: Spec, index: int, types: tuple[str, ...] | None = None) -> list[EventTuple]:
        kind, window, role = spec.legs()[index]
        found = []
        for t in self.tuples:
            low, high = _span(t.anchor_date)
            fits = t.event_type in (types or (kind,)) and window.start <= low and high <= window.end
            fits = fits and (role is None or t.role == role.value) and (not spec.predicate.firm or t.firm == spec.predicate.firm)
            fits = fits and all(t.attributes.get(name) == value for name, value in spec.predicate.attributes.items())
            if fits and (not spec.predicate.counterparty or t.counterparty == spec.predicate.counterparty):
                found.append(t)
        return found

    def answer(self, spec: Spec) -> set[tuple[object, ...]]:
        """Rows as sets: events as (firm, type, date[, bucket]), firms, or pairs as (firm, date, date, days)."""
        op, first = spec.operator, self.leg(spec, 0, spec.types if spec.arity == 1 else None)
        exact = [t for t in first if len(t.anchor_date) == 10]
        match op:
            case Count():
                return {(t.firm,) for t in first if sum(o.firm == t.firm for o in first) >= op.at_least}
            case Bucket():
                return {(*_key(t), _bucket(_day(t), op.unit)) for t in exact}
            case Extreme():
                pick = (min if op.position == "first" else max)([t.anchor_date for t in exact], default="")
                return {_key(t) for t in exact if t.anchor_date == pick}
            case Anchored():
                anchors = [t.anchor_date for t in self.leg(spec, 1) if t.firm == op.firm and len(t.anchor_date) == 10]
                if not anchors:
                    return set()
                anchor, others = min(anchors), [t for t in exact if t.firm != op.firm]
                return {_key(t) for t in others if (t.anchor_date > anchor if op.direction == "after" else t.anchor_date < anchor)}
            case Near() | Followed():
                return self._pairs(spec, exact)
        match op.name:
            case "difference":
                return {(a.firm, a.anchor_date, b.anchor_date, _gap(a, b)) for a, b in self._joined(spec, exact)}
            case "intersect":
                legs = [{t.firm for t in self.leg(spec, index)} for index in range(spec.arity)]
                return {(firm,) for firm in set.intersection(*legs)}
            case "distinct":
                return {(t.firm,) for t in first}
        return {_key(t) for t in first}

    def _joined(self, spec: Spec, exact: list[EventTuple]) -> list[tuple[EventTuple, EventTuple]]:
        second = [t for t in self.leg(spec, 1) if len(t.anchor_date) == 10]
        return [(a, b) for a, b in product(exact, second) if a.firm == b.firm and a is not b]

    def _pairs(self, spec: Spec, exact: list[EventTuple]) -> set[tuple[object, ...]]:
        op = spec.operator
        assert isinstance(op, Near | Followed)
        best: dict[str, tuple[int, int, str, str]] = {}
        for a, b in self._joined(spec, exact):
            gap = _gap(a, b)
            if abs(gap) > op.days or (isinstance(op, Followed) and gap < 1):
                continue
            rank = (abs(gap), -_day(a).toordinal(), a.anchor_date, b.anchor_date)
            best[a.firm] = min(best.get(a.firm, rank), rank)
        return {(firm, a, b, gap) for firm, (gap, _, a, b) in best.items()}


def _key(t: EventTuple) -> tuple[str, str, str]:
    return (t.firm, t.event_type, t.anchor_date)


def _day(t: EventTuple) -> dt.date:
    return dt.date.fromisoformat(t.anchor_date)


def _gap(a: EventTuple, b: EventTuple) -> int:
    return (_day(b) - _day(a)).days


def _span(date: str) -> tuple[dt.date, dt.date]:
    if len(date) == 10:
        return dt.date.fromisoformat(date), dt.date.fromisoformat(date)
    first = dt.date.fromisoformat(f"{date}-01")
    return first, (first + dt.timedelta(days=31)).replace(day=1) - dt.timedelta(days=1)


def _bucket(day: dt.date, unit: str) -> str:
    year, week, _ = day.isocalendar()
    quarter = f"{day.year}-Q{(day.month + 2) // 3}"
    return {"week": f"{year}-W{week:02}", "month": day.isoformat()[:7], "quarter": quarter, "year": str(day.year)}[unit]

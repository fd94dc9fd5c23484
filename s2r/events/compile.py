"""A specification becomes one SQL statement with bound values; the same text runs on SQLite and, with its own week and sums, on DuckDB.

Spellings are joined to entities inside the statement (late binding). Rows hold ids of events; what they say is read afterwards.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from s2r.events.spec import Anchored, Bucket, Completed, Count, Extreme, Followed, Near, Role, Spec, Window

Value = int | str


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between engines: the mark of a bound value, a join that keeps its order, and the labels of a day."""

    name: str
    mark: str
    by_firm: str  # index by which events are met firm by firm
    join: str  # SQLite is told the order of the loops: from an event to its firm, to the firm's spellings, to their events
    least: str
    most: str
    date: str  # expression for the date of the day number {day}
    week: str  # label of the ISO week of the date {date}
    month: str
    quarter: str
    year: str


# Day numbers count from 0001-01-01 = 1; 1721425 is that day's Julian day at noon, as SQLite counts them.
SQLITE = Dialect(
    name="sqlite",
    mark=":",
    by_firm=" indexed by event_type_surface",
    join="cross join",
    least="min",
    most="max",
    date="date({day} + 1721424.5)",
    week="strftime('%Y', {date}, '-3 days', 'weekday 4') || '-W' || "
    "substr('0' || ((strftime('%j', {date}, '-3 days', 'weekday 4') - 1) / 7 + 1), -2)",
    month="strftime('%Y-%m', {date})",
    quarter="strftime('%Y', {date}) || '-Q' || ((strftime('%m', {date}) + 2) / 3)",
    year="strftime('%Y', {date})",
)
DUCKDB = Dialect(
    name="duckdb",
    mark="$",
    by_firm="",
    join="join",
    least="least",
    most="greatest",
    date="(date '0001-01-01' + cast({day} - 1 as integer))",
    week="strftime({date}, '%G-W%V')",
    month="strftime({date}, '%Y-%m')",
    quarter="strftime({date}, '%Y') || '-Q' || quarter({date})",
    year="strftime({date}, '%Y')",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with its bound values and the names of its columns. `body` is the statement without its order."""

    body: str
    order: str
    values: dict[str, Value]
    columns: tuple[str, ...]

    @property
    def sql(self) -> str:
        """The whole statement."""
        return f"{self.body} {self.order}"


@dataclass(slots=True)
class _Builder:
    """Collects conditions and bound values of one statement."""

    spec: Spec
    entities: dict[str, int]  # by field of the specification: predicate.firm, predicate.counterparty, operator.firm
    dialect: Dialect
    values: dict[str, Value] = field(default_factory=dict)

    def bind(self, value: Value) -> str:
        for name, known in self.values.items():
            if known == value and type(known) is type(value):
                return self.dialect.mark + name
        name = f"v{len(self.values) + 1}"
        self.values[name] = value
        return self.dialect.mark + name

    def of_types(self, alias: str, types: tuple[str, ...]) -> str:
        if len(types) == 1:
            return f"{alias}.type = {self.bind(types[0])}"
        return f"{alias}.type in ({', '.join(self.bind(kind) for kind in types)})"

    def window(self, alias: str, window: Window) -> Iterator[str]:
        if window.start > dt.date.min:
            yield f"{alias}.day >= {self.bind(window.start.toordinal())}"
        if window.end < dt.date.max:
            yield f"{alias}.day <= {self.bind(window.end.toordinal())}"
            yield f"{alias}.day_last <= {self.bind(window.end.toordinal())}"

    def where(self, number: int, types: tuple[str, ...], window: Window, role: Role | None, *, days: tuple[str, str] | None = None) -> str:
        """All conditions of event variable e<number>, whose spelling is s<number>. `days` are two more bounds of its day: together with the
        window they make one range, as SQLite looks up only one."""
        e, s = f"e{number}", f"s{number}"
        found = [self.of_types(e, types)]
        if days is None:
            found += self.window(e, window)
        else:
            low, high = (self.bind(day.toordinal()) for day in (window.start, window.end))
            found.append(f"{e}.day between {self.dialect.most}({low}, {days[0]}) and {self.dialect.least}({high}, {days[1]})")
            found.append(f"{e}.day_last <= {high}")
        if role is not None:
            found.append(f"{e}.role = {self.bind(role.value)}")
        if "predicate.firm" in self.entities:
            found.append(f"{s}.entity = {self.bind(self.entities['predicate.firm'])}")
        if "predicate.counterparty" in self.entities:
            partner = self.bind(self.entities["predicate.counterparty"])
            found.append(f"{e}.counterparty in (select id from surface where entity = {partner})")
        for name, value in sorted(self.spec.predicate.attributes.items()):
            found.append(
                f"exists (select 1 from attribute a where a.event = {e}.id and a.name = {self.bind(name)} and a.value = {self.bind(value)})"
            )
        return " and ".join(found)

    def leg(self, index: int) -> tuple[tuple[str, ...], Window, Role | None]:
        kind, window, role = self.spec.legs()[index]
        return (kind,), window, role


def compile_spec(spec: Spec, entities: dict[str, int], dialect: Dialect = SQLITE) -> Statement:
    """SQL for a checked specification; `entities` holds the ids of the firms that it names, by field."""
    builder = _Builder(spec, entities, dialect)
    body, order, columns = COMPILERS[spec.operator.name](builder)
    return Statement(body=body, order=order, values=dict(builder.values), columns=columns)


def compile_members(spec: Spec, entities: dict[str, int], most: int) -> Statement:
    """SQL (SQLite) for the events that qualify given firms, the earliest `most` of each variable: (entity, event). The firms are bound as
    `firms`, a JSON list of ids."""
    builder = _Builder(spec, entities, SQLITE)
    limit = builder.bind(most)
    legs = " union ".join(
        f"select entity, id from (select s1.entity entity, e1.id id, row_number() over (partition by s1.entity order by e1.day, e1.id) n "
        f"from (select value entity from json_each(:firms)) f cross join surface s1 on s1.entity = f.entity "
        f"cross join event e1 on e1.surface = s1.id where {builder.where(1, *builder.leg(index))}) where n <= {limit}"
        for index in range(spec.arity)
    )
    return Statement(body=legs, order="", values=dict(builder.values), columns=("entity", "event"))


_EVENTS = ("event",)
_FIRMS = ("entity", "count")
_PAIRS = ("entity", "e1", "e2", "days", "pairs")
_ORDER = "order by e1.day, e1.type, e1.id"


def _from(number: int) -> str:
    return f"event e{number} join surface s{number} on s{number}.id = e{number}.surface"


Compiled = tuple[str, str, tuple[str, ...]]  # statement without its order, order, columns


def _events(b: _Builder) -> Compiled:
    """Events of one variable over one type or a set of types, in order of time."""
    _, window, role = b.spec.legs()[0]
    return f"select e1.id from {_from(1)} where {b.where(1, b.spec.types, window, role)}", _ORDER, _EVENTS


def _firms(b: _Builder) -> Compiled:
    least = b.spec.operator.at_least if isinstance(b.spec.operator, Count) else 1
    having = f" having count(*) >= {b.bind(least)}" if least > 1 else ""
    body = f"select s1.entity, count(*) from {_from(1)} where {b.where(1, *b.leg(0))} group by s1.entity{having}"
    return body, "order by min(e1.day), s1.entity", _FIRMS


def _bucket(b: _Builder) -> Compiled:
    """Events with the label of their day; the label is made once for each day."""
    assert isinstance(b.spec.operator, Bucket)
    label = str(getattr(b.dialect, b.spec.operator.unit)).format(date=b.dialect.date.format(day="day"))
    found = f"select e1.id id, e1.type as type, e1.day as day from {_from(1)} where {b.where(1, *b.leg(0))} and e1.day = e1.day_last"
    body = (
        f"with found as ({found}), days as (select day, {label} as label from (select distinct day from found) d) "
        "select e1.id, days.label from found e1 join days on days.day = e1.day"
    )
    return body, _ORDER, ("event", "bucket")


def _anchored(b: _Builder) -> Compiled:
    operator = b.spec.operator
    assert isinstance(operator, Anchored)
    firm = b.bind(b.entities["operator.firm"])
    sign = ">" if operator.direction == "after" else "<"
    anchor = f"select min(e2.day) from {_from(2)} where {b.where(2, *b.leg(1))} and s2.entity = {firm} and e2.day = e2.day_last"
    where = f"{b.where(1, *b.leg(0))} and s1.entity <> {firm} and e1.day = e1.day_last"
    return f"select e1.id from {_from(1)} where {where} and e1.day {sign} ({anchor})", _ORDER, _EVENTS


def _extreme(b: _Builder) -> Compiled:
    assert isinstance(b.spec.operator, Extreme)
    pick = "min" if b.spec.operator.position == "first" else "max"
    where = f"{b.where(1, *b.leg(0))} and e1.day = e1.day_last"
    return (
        (
            f"with found as (select e1.id, e1.type, e1.day from {_from(1)} where {where}) "
            f"select e1.id from found e1 where e1.day = (select {pick}(day) from found)"
        ),
        _ORDER,
        _EVENTS,
    )


def _chain(b: _Builder) -> str:
    """Event e1 and its spelling, in this order; firm by firm, so that what is looked up next to it lies close by."""
    return f"event e1{b.dialect.by_firm} {b.dialect.join} surface s1 on s1.id = e1.surface"


def _joined(b: _Builder, days: tuple[str, str] | None = None) -> str:
    """FROM and WHERE of two events of one firm, exact to the day; `days` bound the second one."""
    return (
        f"from {_chain(b)} {b.dialect.join} surface s2 on s2.entity = s1.entity "
        f"{b.dialect.join} event e2{b.dialect.by_firm} on e2.surface = s2.id "
        f"where {b.where(1, *b.leg(0))} and {b.where(2, *b.leg(1), days=days)} and e1.id <> e2.id "
        "and e1.day = e1.day_last and e2.day = e2.day_last"
    )


def _pairs(b: _Builder) -> Compiled:
    """Pairs of one firm, one row a firm: the closest pair, of equally close ones the latest."""
    operator = b.spec.operator
    assert isinstance(operator, Near | Followed)
    days = b.bind(operator.days)
    low = f"e1.day - {days}" if isinstance(operator, Near) else "e1.day + 1"
    joined = _joined(b, (low, f"e1.day + {days}"))
    return (
        (
            "with pair as (select s1.entity entity, e1.id a, e2.id b, e1.day d1, e2.day - e1.day gap "
            f"{joined}), ranked as (select entity, a, b, d1, gap, count(*) over (partition by entity) n, "
            "row_number() over (partition by entity order by abs(gap), d1 desc, a, b) place from pair) "
            "select entity, a, b, gap, n from ranked where place = 1"
        ),
        "order by d1, entity",
        _PAIRS,
    )


def _difference(b: _Builder) -> Compiled:
    body = f"select s1.entity, e1.id, e2.id, e2.day - e1.day, count(*) over () {_joined(b)}"
    return body, "order by e1.day, e2.day, e1.id, e2.id", _PAIRS


def _completed(b: _Builder) -> Compiled:
    """Announcements with the completion of the same deal: by the link of the deal, else by the pair of firms; the buyer's side first."""
    operator, window = b.spec.operator, b.spec.legs()[0][1]
    assert isinstance(operator, Completed)
    days, join = b.bind(operator.days), b.dialect.join
    first = b.where(1, (b.spec.types[0],), window, None) + " and e1.day = e1.day_last"
    second = b.where(2, (b.spec.types[1],), Window(), None, days=("e1.day", f"e1.day + {days}")) + " and e2.day = e2.day_last"
    side = "case e1.role when 'buyer' then 0 else 1 end side"
    linked = (
        f"select e1.deal deal, e1.id a, e2.id b, e1.day d1, e2.day - e1.day gap, {side}, s1.entity x from {_chain(b)} "
        f"{join} event e2 on e2.deal = e1.deal {join} surface s2 on s2.id = e2.surface where {first} and {second} and e1.deal is not null"
    )
    # Without a link the two firms are the deal, whichever side tells of it; late binding decides who they are.
    late = dt.timedelta(days=operator.days)
    latest = dt.date.max if window.end > dt.date.max - late else window.end + late
    closings = b.where(2, (b.spec.types[1],), Window(start=window.start, end=latest), None) + " and e2.day = e2.day_last"
    low, high = b.dialect.least, b.dialect.most
    told = (
        f"select e1.id id, e1.day d, e1.deal deal, {side}, s1.entity x, c1.entity y, "
        f"{low}(s1.entity, c1.entity) lo, {high}(s1.entity, c1.entity) hi "
        f"from {_chain(b)} {join} surface c1 on c1.id = e1.counterparty where {first}"
    )
    done = (
        f"select e2.id id, e2.day d, e2.deal deal, {low}(s2.entity, c2.entity) lo, {high}(s2.entity, c2.entity) hi "
        f"from event e2{b.dialect.by_firm} {join} surface s2 on s2.id = e2.surface "
        f"{join} surface c2 on c2.id = e2.counterparty where {closings}"
    )
    matched = (
        "select 'pair ' || told.lo || ' ' || told.hi deal, told.id a, done.id b, told.d d1, done.d - told.d gap, told.side side, "
        "told.x x, told.y y "
        f"from told join done on done.lo = told.lo and done.hi = told.hi and done.d between told.d and told.d + {days} "
        "where told.deal is null or done.deal is null"
    )
    # The other side of a linked deal tells it again under another name of the target: same days, one firm in common.
    again = "select 1 from linked l where l.d1 = m.d1 and l.gap = m.gap and (l.x = m.x or l.x = m.y)"
    return (
        (
            f"with linked as materialized ({linked}), told as materialized ({told}), done as materialized ({done}), "
            f"matched as materialized ({matched}), found as (select deal, a, b, d1, gap, side from linked union all "
            f"select deal, a, b, d1, gap, side from matched m where not exists ({again})), ranked as (select deal, a, b, d1, gap, "
            "row_number() over (partition by deal, d1 order by side, gap, a, b) place from found) "
            "select deal, a, b, gap from ranked where place = 1"
        ),
        "order by d1, deal",
        ("deal", "e1", "e2", "days"),
    )


def _intersect(b: _Builder) -> Compiled:
    """Firms with an event for each variable; the smaller sets of firms are made first, events are not carried along."""
    legs = " union all ".join(
        f"select {index} leg, s1.entity entity, count(*) n, min(e1.day) d from {_from(1)} "
        f"where {b.where(1, *b.leg(index))} group by s1.entity"
        for index in range(b.spec.arity)
    )
    body = f"select entity, sum(n) from ({legs}) found group by entity having count(*) = {b.bind(b.spec.arity)}"
    return body, "order by min(d), entity", _FIRMS


COMPILERS: dict[str, Callable[[_Builder], Compiled]] = {
    "select": _events,
    "role": _events,
    "union": _events,
    "interleave": _events,
    "distinct": _firms,
    "count": _firms,
    "bucket": _bucket,
    "anchored": _anchored,
    "extreme": _extreme,
    "near": _pairs,
    "followed": _pairs,
    "difference": _difference,
    "completed": _completed,
    "intersect": _intersect,
}

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
    """What differs between engines: the mark of a bound value, and the date of an ordinal day."""

    name: str
    mark: str
    date: str  # expression for the date of the day number {day}
    week: str  # label of the ISO week of the date {date}
    month: str
    quarter: str
    year: str


# Day numbers count from 0001-01-01 = 1; 1721425 is that day's Julian day at noon, as SQLite counts them.
SQLITE = Dialect(
    name="sqlite",
    mark=":",
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
    date="(date '0001-01-01' + cast({day} - 1 as integer))",
    week="strftime({date}, '%G-W%V')",
    month="strftime({date}, '%Y-%m')",
    quarter="strftime({date}, '%Y') || '-Q' || quarter({date})",
    year="strftime({date}, '%Y')",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with its bound values and the names of its columns."""

    sql: str
    values: dict[str, Value]
    columns: tuple[str, ...]


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

    def where(self, number: int, types: tuple[str, ...], window: Window, role: Role | None, *, firm: bool = True) -> str:
        """All conditions of event variable e<number>, whose spelling is s<number>."""
        e, s = f"e{number}", f"s{number}"
        found = [self.of_types(e, types), *self.window(e, window)]
        if role is not None:
            found.append(f"{e}.role = {self.bind(role.value)}")
        if firm and "predicate.firm" in self.entities:
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
    sql, columns = COMPILERS[spec.operator.name](builder)
    return Statement(sql=sql, values=dict(builder.values), columns=columns)


_EVENTS = ("event",)
_FIRMS = ("entity", "events")
_PAIRS = ("entity", "e1", "e2", "days", "pairs")
_ORDER = "order by e1.day, e1.type, e1.id"


def _from(number: int) -> str:
    return f"event e{number} join surface s{number} on s{number}.id = e{number}.surface"


def _events(b: _Builder) -> tuple[str, tuple[str, ...]]:
    """Events of one variable over one type or a set of types, in order of time."""
    _, window, role = b.spec.legs()[0]
    return f"select e1.id from {_from(1)} where {b.where(1, b.spec.types, window, role)} {_ORDER}", _EVENTS


def _firms(b: _Builder) -> tuple[str, tuple[str, ...]]:
    least = b.spec.operator.at_least if isinstance(b.spec.operator, Count) else 1
    having = f"having count(*) >= {b.bind(least)} " if least > 1 else ""
    return (
        f"select s1.entity, group_concat(cast(e1.id as text), ',') from {_from(1)} where {b.where(1, *b.leg(0))} "
        f"group by s1.entity {having}order by min(e1.day), s1.entity"
    ), _FIRMS


def _bucket(b: _Builder) -> tuple[str, tuple[str, ...]]:
    assert isinstance(b.spec.operator, Bucket)
    date = b.dialect.date.format(day="e1.day")
    label = str(getattr(b.dialect, b.spec.operator.unit)).format(date=date)
    return f"select e1.id, {label} from {_from(1)} where {b.where(1, *b.leg(0))} and e1.day = e1.day_last {_ORDER}", ("event", "bucket")


def _anchored(b: _Builder) -> tuple[str, tuple[str, ...]]:
    operator = b.spec.operator
    assert isinstance(operator, Anchored)
    firm = b.bind(b.entities["operator.firm"])
    sign = ">" if operator.direction == "after" else "<"
    anchor = f"select min(e2.day) from {_from(2)} where {b.where(2, *b.leg(1))} and s2.entity = {firm} and e2.day = e2.day_last"
    where = f"{b.where(1, *b.leg(0))} and s1.entity <> {firm} and e1.day = e1.day_last"
    return f"select e1.id from {_from(1)} where {where} and e1.day {sign} ({anchor}) {_ORDER}", _EVENTS


def _extreme(b: _Builder) -> tuple[str, tuple[str, ...]]:
    assert isinstance(b.spec.operator, Extreme)
    pick = "min" if b.spec.operator.position == "first" else "max"
    where = f"{b.where(1, *b.leg(0))} and e1.day = e1.day_last"
    return (
        f"with found as (select e1.id, e1.type, e1.day from {_from(1)} where {where}) "
        f"select e1.id from found e1 where e1.day = (select {pick}(day) from found) {_ORDER}"
    ), _EVENTS


def _joined(b: _Builder, gap: str) -> str:
    """FROM and WHERE of two events of one firm, exact to the day."""
    return (
        f"from {_from(1)} join surface s2 on s2.entity = s1.entity join event e2 on e2.surface = s2.id "
        f"where {b.where(1, *b.leg(0))} and {b.where(2, *b.leg(1))} and e1.id <> e2.id "
        f"and e1.day = e1.day_last and e2.day = e2.day_last{gap}"
    )


def _pairs(b: _Builder) -> tuple[str, tuple[str, ...]]:
    """Pairs of one firm, one row a firm: the closest pair, of equally close ones the latest."""
    operator = b.spec.operator
    assert isinstance(operator, Near | Followed)
    days = b.bind(operator.days)
    low = f"e1.day - {days}" if isinstance(operator, Near) else "e1.day + 1"
    joined = _joined(b, f" and e2.day between {low} and e1.day + {days}")
    return (
        "with pair as (select s1.entity entity, e1.id a, e2.id b, e1.day d1, e2.day - e1.day gap "
        f"{joined}), ranked as (select entity, a, b, d1, gap, count(*) over (partition by entity) n, "
        "row_number() over (partition by entity order by abs(gap), d1 desc, a, b) place from pair) "
        "select entity, a, b, gap, n from ranked where place = 1 order by d1, entity"
    ), _PAIRS


def _difference(b: _Builder) -> tuple[str, tuple[str, ...]]:
    sql = f"select s1.entity, e1.id, e2.id, e2.day - e1.day, count(*) over () {_joined(b, '')} order by e1.day, e2.day, e1.id, e2.id"
    return sql, _PAIRS


def _completed(b: _Builder) -> tuple[str, tuple[str, ...]]:
    """Announcements with the completion of the same deal: by the link of the deal, else by the pair of firms; the buyer's side first."""
    operator, window = b.spec.operator, b.spec.legs()[0][1]
    assert isinstance(operator, Completed)
    days = b.bind(operator.days)
    first = b.where(1, (b.spec.types[0],), window, None)
    second = b.where(2, (b.spec.types[1],), Window(), None)
    span = f"and e2.day between e1.day and e1.day + {days} and e1.day = e1.day_last and e2.day = e2.day_last"
    columns = "e1.id a, e2.id b, e1.day d1, e2.day - e1.day gap, case e1.role when 'buyer' then 0 else 1 end side, s1.entity x"
    linked = (
        f"select e1.deal deal, {columns} from {_from(1)} join event e2 on e2.deal = e1.deal join surface s2 on s2.id = e2.surface "
        f"where {first} and {second} {span} and e1.deal is not null"
    )
    # Without a link the two firms are the deal, whichever side tells of it; late binding decides who they are.
    low, high = ("min", "max") if b.dialect.name == "sqlite" else ("least", "greatest")
    matched = (
        f"select 'pair ' || {low}(s1.entity, c1.entity) || ' ' || {high}(s1.entity, c1.entity) deal, {columns}, c1.entity y "
        f"from {_from(1)} join surface c1 on c1.id = e1.counterparty "
        "join surface s2 on s2.entity in (s1.entity, c1.entity) join event e2 on e2.surface = s2.id "
        "join surface c2 on c2.id = e2.counterparty "
        f"where {first} and {second} {span} and (e1.deal is null or e2.deal is null) "
        "and ((s2.entity = s1.entity and c2.entity = c1.entity) or (s2.entity = c1.entity and c2.entity = s1.entity))"
    )
    # The other side of a linked deal tells it again under another name of the target: same days, one firm in common.
    again = "select 1 from linked l where l.d1 = m.d1 and l.gap = m.gap and (l.x = m.x or l.x = m.y)"
    return (
        f"with linked as ({linked}), matched as ({matched}), found as (select deal, a, b, d1, gap, side from linked union all "
        f"select deal, a, b, d1, gap, side from matched m where not exists ({again})), ranked as (select deal, a, b, d1, gap, "
        "row_number() over (partition by deal, d1 order by side, gap, a, b) place from found) "
        "select deal, a, b, gap from ranked where place = 1 order by d1, deal"
    ), ("deal", "e1", "e2", "days")


def _intersect(b: _Builder) -> tuple[str, tuple[str, ...]]:
    legs = " union all ".join(
        f"select {index} leg, s1.entity entity, e1.id id, e1.day day from {_from(1)} where {b.where(1, *b.leg(index))}"
        for index in range(b.spec.arity)
    )
    return (
        f"select entity, group_concat(distinct cast(id as text)) from ({legs}) found group by entity "
        f"having count(distinct leg) = {b.bind(b.spec.arity)} order by min(day), entity"
    ), _FIRMS


COMPILERS: dict[str, Callable[[_Builder], tuple[str, tuple[str, ...]]]] = {
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

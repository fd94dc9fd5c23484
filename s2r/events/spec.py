"""Typed specification of a question over event tuples: q = (arity, types, predicate, projection, operator).

A specification is data. It is checked on the way in (`read_spec`) and compiled to SQL; nothing in it is ever executed as text.
"""

from __future__ import annotations

import datetime as dt
import difflib
import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError, model_validator

from s2r.errors import InputError
from s2r.models.listing import Frozen
from s2r.policy.event_types import EventTypes

FIRST_DAY, LAST_DAY = dt.date(1, 1, 1), dt.date(9999, 12, 31)
MOST_DAYS = 36_525  # a century
MOST_ARITY = 6

T = TypeVar("T")


class Role(StrEnum):
    """What a firm is in a deal."""

    BUYER = "buyer"
    TARGET = "target"
    SELLER = "seller"


class Projection(StrEnum):
    """What one row of the answer is."""

    EVENTS = "events"  # one event of one firm
    FIRMS = "firms"  # one firm, with the events that qualify it
    PAIRS = "pairs"  # one firm with two events and the days between them
    DEALS = "deals"  # one deal with announcement and completion


class Window(Frozen):
    """Calendar days, both included. A missing start or end is open."""

    start: dt.date = FIRST_DAY
    end: dt.date = LAST_DAY

    @model_validator(mode="after")
    def _in_order(self) -> Window:
        if self.end < self.start:
            raise ValueError(f"the window ends ({self.end}) before it starts ({self.start})")
        return self


class Predicate(Frozen):
    """What an event must satisfy. One window or role holds for all event variables; as many as `arity`, one for each."""

    windows: tuple[Window, ...] = ()
    roles: tuple[Role, ...] = ()
    firm: str = ""  # ticker, identifier or name of a participant
    counterparty: str = ""
    attributes: dict[str, str] = Field(default_factory=dict)  # such as reason = noncompliance


class Select(Frozen):
    """Filter and project."""

    name: Literal["select"] = "select"


class Distinct(Frozen):
    """Each firm with at least one such event, once."""

    name: Literal["distinct"] = "distinct"


class RoleFilter(Frozen):
    """Participants in a role: the firm, with each event in which it has the role."""

    name: Literal["role"] = "role"


class Anchored(Frozen):
    """Events of other firms before or after the (first) anchor event of one firm; types are (candidate, anchor)."""

    name: Literal["anchored"] = "anchored"
    firm: str = Field(min_length=1)
    direction: Literal["before", "after"]


class Near(Frozen):
    """Two events of one firm at most `days` apart, in any order; of several pairs of a firm the closest, then the latest."""

    name: Literal["near"] = "near"
    days: int = Field(ge=0, le=MOST_DAYS)


class Followed(Frozen):
    """An event of the first type, then one of the second on a later day, at most `days` on; pairs as in `near`."""

    name: Literal["followed"] = "followed"
    days: int = Field(ge=1, le=MOST_DAYS)


class Completed(Frozen):
    """Deals announced in the window that were completed at most `days` on, in the window or not."""

    name: Literal["completed"] = "completed"
    days: int = Field(ge=0, le=MOST_DAYS)


class Difference(Frozen):
    """Days from a firm's event of the first type to its event of the second; negative when the second came first."""

    name: Literal["difference"] = "difference"


class Extreme(Frozen):
    """The earliest or latest events, with all that share the day."""

    name: Literal["extreme"] = "extreme"
    position: Literal["first", "last"]


class Interleave(Frozen):
    """A firm's events of several types in order of time."""

    name: Literal["interleave"] = "interleave"


class Intersect(Frozen):
    """Firms with at least one event for each variable: across types, windows or roles."""

    name: Literal["intersect"] = "intersect"


class Count(Frozen):
    """Firms with at least `at_least` such events."""

    name: Literal["count"] = "count"
    at_least: int = Field(ge=1, le=100_000)


class Bucket(Frozen):
    """Events with the label of their week (ISO 8601), month, quarter or year."""

    name: Literal["bucket"] = "bucket"
    unit: Literal["week", "month", "quarter", "year"]


class Union(Frozen):
    """Events of several types together, each with its type."""

    name: Literal["union"] = "union"


Operator = Annotated[
    Select
    | Distinct
    | RoleFilter
    | Anchored
    | Near
    | Followed
    | Completed
    | Difference
    | Extreme
    | Interleave
    | Intersect
    | Count
    | Bucket
    | Union,
    Field(discriminator="name"),
]


class Rule(Frozen):
    """What one operator asks of the rest: projection, arity (least, most), number of types (least, most), fields it needs."""

    projection: Projection
    arity: tuple[int, int] = (1, 1)
    types: tuple[int, int] = (1, 1)
    needs: tuple[str, ...] = ()
    takes_firm: bool = True


RULES: dict[str, Rule] = {
    "select": Rule(projection=Projection.EVENTS),
    "distinct": Rule(projection=Projection.FIRMS),
    "role": Rule(projection=Projection.EVENTS, needs=("roles",)),
    "anchored": Rule(projection=Projection.EVENTS, arity=(2, 2), types=(2, 2), takes_firm=False),
    "near": Rule(projection=Projection.PAIRS, arity=(2, 2), types=(2, 2)),
    "followed": Rule(projection=Projection.PAIRS, arity=(2, 2), types=(2, 2)),
    "completed": Rule(projection=Projection.DEALS, arity=(2, 2), types=(2, 2)),
    "difference": Rule(projection=Projection.PAIRS, arity=(2, 2), types=(2, 2), needs=("firm",)),
    "extreme": Rule(projection=Projection.EVENTS),
    "interleave": Rule(projection=Projection.EVENTS, types=(1, 16), needs=("firm",)),
    "intersect": Rule(projection=Projection.FIRMS, arity=(2, MOST_ARITY), types=(1, MOST_ARITY), takes_firm=False),
    "count": Rule(projection=Projection.FIRMS),
    "bucket": Rule(projection=Projection.EVENTS),
    "union": Rule(projection=Projection.EVENTS, types=(2, 16)),
}  # fmt: skip
SETS = ("interleave", "union")  # whose types are a set


class Spec(Frozen):
    """One question. `arity` is the number of event variables; `types` their types, or, for `union` and `interleave`, the set of types."""

    arity: int = Field(ge=1, le=MOST_ARITY)
    types: tuple[str, ...] = Field(min_length=1)
    predicate: Predicate = Predicate()
    projection: Projection
    operator: Operator
    residual: str = Field("", max_length=500)  # what else is asked of the rows, in words: answered by their exhibits, not by the schema

    @model_validator(mode="after")
    def _consistent(self) -> Spec:
        for field, problem in _contradictions(self):
            raise ValueError(f"{field}: {problem}")
        return self

    def canonical(self) -> Spec:
        """The same question in its one form: sets of types and the legs of an intersection in order."""
        if self.operator.name in SETS:
            return self.model_copy(update={"types": tuple(sorted(set(self.types)))})
        if self.operator.name != "intersect":
            return self
        legs = sorted(self.legs(), key=lambda leg: (leg[0], leg[1].start, leg[1].end, leg[2] or ""))
        types, windows, roles = (list(part) for part in zip(*legs, strict=True))
        predicate = self.predicate.model_copy(update={"windows": _shared(windows), "roles": _shared([role for role in roles if role])})
        return self.model_copy(update={"types": _shared(types), "predicate": predicate})

    def brief(self) -> str:
        """The specification as JSON without what is empty."""
        data = self.model_dump(mode="json")
        data = {name: value for name, value in data.items() if value}
        data["predicate"] = {name: value for name, value in data["predicate"].items() if value}
        return json.dumps(data, ensure_ascii=False)

    def legs(self) -> list[tuple[str, Window, Role | None]]:
        """Type, window and role of each event variable."""
        windows, roles = self.predicate.windows or (Window(),), self.predicate.roles or (None,)
        return [
            (self.types[i % len(self.types)], windows[i % len(windows)], roles[i % len(roles)]) for i in range(self.arity)
        ]  # fmt: skip


def _shared(values: list[T]) -> tuple[T, ...]:
    return tuple(values[:1]) if all(value == values[0] for value in values) else tuple(values)


def _contradictions(spec: Spec) -> Iterator[tuple[str, str]]:
    """Faults between fields: (field, what is wrong)."""
    name, rule, predicate = spec.operator.name, RULES[spec.operator.name], spec.predicate
    if spec.projection is not rule.projection:
        yield "projection", f"{spec.projection.value!r} does not go with operator {name!r}, which gives {rule.projection.value!r}"
    if not rule.arity[0] <= spec.arity <= rule.arity[1]:
        yield "arity", f"operator {name!r} takes {_span(rule.arity)} event variables, not {spec.arity}"
    if not rule.types[0] <= len(spec.types) <= rule.types[1]:
        yield "types", f"operator {name!r} takes {_span(rule.types)} types, not {len(spec.types)}"
    if name == "intersect" and len(spec.types) not in (1, spec.arity):
        yield "types", f"give one type, or one for each of the {spec.arity} event variables"
    if name in SETS and len(set(spec.types)) < len(spec.types):
        yield "types", "names a type twice"
    for field in ("windows", "roles"):
        given = len(getattr(predicate, field))
        if given not in (0, 1, spec.arity):
            yield f"predicate.{field}", f"give one, or one for each of the {spec.arity} event variables, not {given}"
    for field in rule.needs:
        if not getattr(predicate, field):
            yield f"predicate.{field}", f"is needed by operator {name!r}"
    if predicate.firm and not rule.takes_firm:
        yield "predicate.firm", f"does not go with operator {name!r}"
    if name == "intersect" and len(set(spec.legs())) < spec.arity:
        yield "arity", "two event variables ask for the same: vary types, windows or roles"
    if name == "completed" and len(predicate.windows) > 1:
        yield "predicate.windows", "the window is that of the announcement; the completion is bounded by operator.days"


def _span(pair: tuple[int, int]) -> str:
    return str(pair[0]) if pair[0] == pair[1] else f"{pair[0]} to {pair[1]}"


def read_spec(value: str | bytes | Mapping[str, Any], kinds: EventTypes) -> Spec:
    """A specification from JSON text or an object, in canonical form; raises InputError that names the field and the near matches.

    Names of types may be aliases; operator may be a plain name when it has no settings; arity and projection may be left out.
    """
    try:
        data = json.loads(value) if isinstance(value, str | bytes) else dict(value)
    except ValueError as exc:
        raise InputError(f"is not JSON: {exc}", subject="specification", advice="See docs/events.md for the form.") from exc
    if not isinstance(data, dict):
        raise InputError("is no JSON object", subject="specification", advice="See docs/events.md for the form.")
    data = _filled(data, kinds)
    try:
        spec = Spec.model_validate_json(json.dumps(data))
    except ValidationError as exc:
        raise _fault(exc) from exc
    _check_types(spec, kinds)
    return spec.canonical()


def _filled(data: dict[str, Any], kinds: EventTypes) -> dict[str, Any]:
    """Short forms written out: an operator by name, one type as text, known aliases of types, arity and projection of the operator."""
    data = dict(data)
    operator = data.get("operator")
    if operator is None:
        raise _error("operator", "is missing", (), list(RULES))
    if isinstance(operator, str):
        operator = {"name": operator}
    if isinstance(operator, dict):
        if operator.get("name") not in RULES:
            near = difflib.get_close_matches(str(operator.get("name")), list(RULES), n=3, cutoff=0.4)
            raise _error("operator", f"{operator.get('name')!r} is no operator", near, list(RULES))
        data["operator"] = operator
        rule = RULES[operator["name"]]
        data.setdefault("projection", rule.projection.value)
        data.setdefault("arity", max(rule.arity[0], _longest(data)))
    types = data.get("types")
    names = [types] if isinstance(types, str) else types
    if isinstance(names, list):
        data["types"] = [_type_name(name, f"types[{index}]", kinds) if isinstance(name, str) else name for index, name in enumerate(names)]
    return data


def _longest(data: Mapping[str, Any]) -> int:
    """How many event variables the lists of an intersection speak of."""
    if not isinstance(data.get("operator"), dict) or data["operator"].get("name") != "intersect":
        return 1
    predicate = data.get("predicate")
    lists = [data.get("types")] + ([predicate.get("windows"), predicate.get("roles")] if isinstance(predicate, dict) else [])
    return max((len(found) for found in lists if isinstance(found, list)), default=1)


def _type_name(text: str, field: str, kinds: EventTypes) -> str:
    found = kinds.find(text)
    if found is None:
        raise _error(field, f"{text!r} is no event type", kinds.near(text), list(kinds.names))
    return found


def _check_types(spec: Spec, kinds: EventTypes) -> None:
    """Types, roles and attributes fit together; raises InputError."""
    for kind, _, role in spec.legs():
        if role and role.value not in kinds[kind].roles:
            having = [name for name in kinds.names if role.value in kinds[name].roles]
            raise _error("predicate.roles", f"{kind} has no role {role.value!r}", having, having)
    for name, value in spec.predicate.attributes.items():
        for kind in spec.types:
            known = kinds[kind].attributes
            if name not in known:
                raise _error(f"predicate.attributes.{name}", f"{kind} has no attribute {name!r}", _close(name, known), list(known))
            if value not in known[name]:
                raise _error(
                    f"predicate.attributes.{name}", f"{value!r} is no value of {name}", _close(value, known[name]), list(known[name])
                )
    if spec.operator.name == "completed":
        steps = tuple(kinds[kind].step for kind in spec.types)
        if steps != ("announce", "complete"):
            raise _error(
                "types", f"operator 'completed' joins an announcement with its completion, not {' with '.join(spec.types)}", (), ()
            )


def _close(text: str, known: Mapping[str, object]) -> list[str]:
    return difflib.get_close_matches(text, list(known), n=3, cutoff=0.4)


def _error(field: str, problem: str, near: Any, known: Any) -> InputError:
    advice = f"Near: {', '.join(near)}." if near else f"Known: {', '.join(known)}." if known else ""
    return InputError(problem, subject=f"specification, {field}", advice=advice)


def _fault(exc: ValidationError) -> InputError:
    """The first fault of a specification, by field, with the known names near an unknown one."""
    errors = exc.errors(include_url=False)
    error = next((found for found in errors if found["type"] == "extra_forbidden"), errors[0])
    place = [part for part in error["loc"] if part not in RULES]
    field = ".".join(str(part) for part in place).replace(".0", "[0]").replace(".1", "[1]")
    message = str(error["msg"]).removeprefix("Value error, ")
    if not field and ": " in message:
        field, message = message.split(": ", 1)
    if error["type"] == "extra_forbidden":
        known = _fields_at(place[:-1], error["loc"])
        near = difflib.get_close_matches(str(place[-1]), known, n=3, cutoff=0.4)
        return _error(field, "is no field", near, known)
    if error["type"] == "missing":
        return _error(field, "is missing", (), ())
    value = error["input"]
    shown = f", got {value!r}" if isinstance(value, str | int | float) and repr(value) not in message else ""
    return _error(field or "fields", f"{message}{shown}", (), ())


def _fields_at(place: list[Any], loc: tuple[Any, ...]) -> list[str]:
    """Known fields of the record in which an unknown one stands."""
    records: dict[str, type[BaseModel]] = {"predicate": Predicate, "windows": Window}
    if "operator" in place:
        name = next((part for part in loc if part in RULES), "select")
        return [field for kind in OPERATORS if kind.model_fields["name"].default == name for field in kind.model_fields]
    holder = next((records[str(part)] for part in reversed(place) if part in records), Spec)
    return list(holder.model_fields)


OPERATORS: tuple[type[BaseModel], ...] = (
    Select, Distinct, RoleFilter, Anchored, Near, Followed, Completed, Difference, Extreme, Interleave, Intersect, Count, Bucket, Union,
)  # fmt: skip

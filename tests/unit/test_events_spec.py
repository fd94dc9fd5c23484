"""Specifications: faults name the field and what is near; equal questions have one form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from s2r.errors import InputError
from s2r.events.spec import read_spec
from s2r.policy.event_types import EventTypes, load_event_types

W = {"start": "2020-01-01", "end": "2020-12-31"}
FAULTS: list[tuple[Any, str]] = [
    ("{", "is not JSON"),
    ("[1]", "is no JSON object"),
    ({"types": ["IPO"]}, r"operator: is missing. Known: select, distinct"),
    ({"operator": "selct", "types": ["IPO"]}, r"operator: 'selct' is no operator. Near: select"),
    ({"operator": "select"}, r"types: is missing"),
    ({"operator": "select", "types": []}, r"types: "),
    ({"operator": "select", "types": ["M&A_anounce"]}, r"types\[0\]: 'M&A_anounce' is no event type. Near: M&A_announce"),
    ({"operator": "union", "types": ["IPO", "stok split"]}, r"types\[1\]: 'stok split' is no event type. Near: Stock_split"),
    ({"operator": {"name": "near", "dyas": 3}, "types": ["IPO", "IPO"]}, r"operator.dyas: is no field. Near: days"),
    ({"operator": {"name": "near"}, "types": ["IPO", "IPO"]}, r"operator.days: is missing"),
    ({"operator": {"name": "near", "days": -1}, "types": ["IPO", "IPO"]}, r"operator.days: .*greater than or equal to 0, got -1"),
    ({"operator": {"name": "bucket", "unit": "fortnight"}, "types": ["IPO"]}, r"operator.unit: .*'week', 'month', 'quarter' or 'year', got 'fortnight'"),
    ({"operator": {"name": "count", "at_least": "many"}, "types": ["IPO"]}, r"operator.at_least: .*got 'many'"),
    ({"operator": "select", "types": ["IPO"], "predicate": {"window": [W]}}, r"predicate.window: is no field. Near: windows"),
    ({"operator": "select", "types": ["IPO"], "predicate": {"windows": [{"start": "2020-02-30"}]}}, r"windows\[0\].start: .*'2020-02-30'"),
    ({"operator": "select", "types": ["IPO"], "predicate": {"windows": [{"start": "2020-02-01", "end": "2020-01-01"}]}}, "ends .* before it starts"),
    ({"operator": "select", "types": ["IPO"], "predicate": {"windows": [W, W]}}, r"predicate.windows: give one"),
    ({"operator": "select", "types": ["IPO"], "predicate": {"roles": ["buyer"]}}, r"predicate.roles: IPO has no role 'buyer'. Near: M&A_announce"),
    ({"operator": "role", "types": ["M&A_announce"]}, r"predicate.roles: is needed by operator 'role'"),
    ({"operator": "role", "types": ["M&A_announce"], "predicate": {"roles": ["byer"]}}, r"predicate.roles\[0\]: .*got 'byer'"),
    ({"operator": "difference", "types": ["IPO", "CEO_change"]}, r"predicate.firm: is needed"),
    ({"operator": "select", "types": ["IPO", "CEO_change"]}, r"types: operator 'select' takes 1 types, not 2"),
    ({"operator": "select", "types": ["IPO"], "projection": "firms"}, r"projection: 'firms' does not go with operator 'select'"),
    ({"operator": "select", "types": ["IPO"], "arity": 2}, r"arity: operator 'select' takes 1"),
    ({"operator": "intersect", "types": ["IPO"]}, r"arity: two event variables ask for the same"),
    ({"operator": "union", "types": ["IPO", "IPO"]}, r"types: names a type twice"),
    ({"operator": {"name": "completed", "days": 9}, "types": ["IPO", "M&A_complete"]}, r"types: .*joins an announcement with its completion"),
    ({"operator": "select", "types": ["delisting"], "predicate": {"attributes": {"reason": "noncomplianc"}}}, r"reason: .* Near: noncompliance"),
    ({"operator": "select", "types": ["IPO"], "predicate": {"attributes": {"reason": "voluntary"}}}, r"IPO has no attribute 'reason'"),
    ({"operator": {"name": "anchored", "firm": "", "direction": "after"}, "types": ["IPO", "IPO"]}, r"operator.firm: "),
    ({"operator": {"name": "anchored", "firm": "A", "direction": "next"}, "types": ["IPO", "IPO"]}, r"operator.direction: .*got 'next'"),
]  # fmt: skip


@pytest.fixture(scope="module")
def kinds() -> EventTypes:
    return load_event_types(Path(__file__).parents[2] / "policies")


@pytest.mark.parametrize(("value", "message"), FAULTS)
def test_fault_names_field_and_near_matches(value: Any, message: str, kinds: EventTypes) -> None:
    """Malformed, contradictory and unknown specifications are refused with the field that is wrong."""
    with pytest.raises(InputError, match=message) as caught:
        read_spec(value if isinstance(value, str) else json.dumps(value), kinds)
    assert str(caught.value).startswith("specification")


def test_short_forms_and_order_of_sets_make_one_specification(kinds: EventTypes) -> None:
    """Aliases, a plain operator and the order of a set do not matter; the order of a sequence does."""
    short = read_spec({"operator": "union", "types": ["merger", "IPO"]}, kinds)
    full = {"arity": 1, "types": ["IPO", "M&A_announce"], "predicate": {}, "projection": "events", "operator": {"name": "union"}}
    assert short == read_spec(json.dumps(full), kinds)
    assert read_spec(short.model_dump_json(), kinds) == short
    windows = [W, {"start": "2021-01-01", "end": "2021-12-31"}]
    legs = [read_spec({"operator": "intersect", "types": ["IPO"], "predicate": {"windows": w}}, kinds) for w in (windows, windows[::-1])]
    assert legs[0] == legs[1]
    pairs = [read_spec({"operator": {"name": "near", "days": 3}, "types": t}, kinds) for t in (["IPO", "merger"], ["merger", "IPO"])]
    assert pairs[0] != pairs[1]

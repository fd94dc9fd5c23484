"""Typed parameters of the QO-Bench templates as specifications; ids and parameter names are that benchmark's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2r.errors import InputError
from s2r.events.spec import Spec, read_spec
from s2r.policy.event_types import EventTypes

Params = Mapping[str, Any]


def _window(p: Params, mark: str = "W") -> dict[str, Any]:
    return {"start": p[f"{mark}_start"], "end": p[f"{mark}_end"]}


def _q(p: Params, operator: object, types: list[str], windows: list[dict[str, Any]] | None = None, **predicate: Any) -> dict[str, Any]:
    role = {"roles": [str(p["R"]).lower()]} if "R" in p else {}
    firm = {"firm": p["F"]} if "F" in p else {}
    return {"operator": operator, "types": types, "predicate": {"windows": windows or [_window(p)], **role, **firm, **predicate}}


TEMPLATES: dict[str, Callable[[Params], dict[str, Any]]] = {
    "A.1.1": lambda p: _q(p, "select", [p["E"]]),
    "A.1.2": lambda p: _q(p, "distinct", [p["E"]]),
    "A.2.1": lambda p: _q(p, "select", [p["E"]]),
    "A.3.1": lambda p: _q(p, "role", [p["E"]]),
    "B.1.1": lambda p: _q(p, {"name": "anchored", "firm": p["F_anchor"], "direction": p["direction"]}, [p["E"], p["E"]]),
    "B.1.2": lambda p: _q(p, {"name": "near", "days": p["gap_days"]}, [p["E1"], p["E2"]]),
    "B.1.3": lambda p: _q(p, {"name": "followed", "days": p["lag_days"]}, [p["E_trigger"], p["E_followup"]]),
    "B.1.4": lambda p: _q(p, {"name": "completed", "days": p["horizon_days"]}, ["M&A_announce", "M&A_complete"]),
    "B.1.5": lambda p: _q(p, "difference", [p["E1"], p["E2"]]),
    "B.2.1": lambda p: _q(p, {"name": "extreme", "position": p["position"]}, [p["E"]]),
    "B.2.2": lambda p: _q(p, "interleave", list(p["E_set"])),
    "B.3.1": lambda p: _q(p, "intersect", [p["E1"], p["E2"]]),
    "B.3.2": lambda p: _q(p, "intersect", [p["E"]], [_window(p, "W1"), _window(p, "W2")]),
    "B.3.3": lambda p: _q(p, "intersect", [p["E1"], p["E2"]]),
    "B.4.1": lambda p: _q(p, {"name": "count", "at_least": p["N"]}, [p["E"]]),
    "B.4.2": lambda p: _q(p, {"name": "count", "at_least": p["N"]}, [p["E"]]),
    "B.4.3": lambda p: _q(p, {"name": "bucket", "unit": p["bucket_unit"]}, [p["E"]]),
    "B.4.4": lambda p: _q(p, "union", list(p["E_set"])),
}


def spec_of(template: str, params: Params, kinds: EventTypes) -> Spec:
    """The specification of a benchmark question; raises InputError for a template or parameters that are not known."""
    if template not in TEMPLATES:
        raise InputError("is no known template", subject=template, advice=f"Known: {', '.join(TEMPLATES)}.")
    try:
        return read_spec(TEMPLATES[template](params), kinds)
    except KeyError as exc:
        raise InputError(f"parameter {exc} is missing", subject=template) from exc

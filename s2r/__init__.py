"""Search-to-Record: audits corporate-event records of a security universe against archived public evidence."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2r.errors import ConfigError, InputError, PolicyError, S2RError
    from s2r.job import audit, read_records
    from s2r.models import Listing, Record, Route, Status
    from s2r.policy import Policy, load_policy
    from s2r.universe import read_universe

__all__ = [
    "ConfigError",
    "InputError",
    "Listing",
    "Policy",
    "PolicyError",
    "Record",
    "Route",
    "S2RError",
    "Status",
    "audit",
    "load_policy",
    "read_records",
    "read_universe",
]

_HOME = {
    "audit": "s2r.job",
    "read_records": "s2r.job",
    "load_policy": "s2r.policy",
    "Policy": "s2r.policy",
    "read_universe": "s2r.universe",
    **dict.fromkeys(("ConfigError", "InputError", "PolicyError", "S2RError"), "s2r.errors"),
    **dict.fromkeys(("Listing", "Record", "Route", "Status"), "s2r.models"),
}


def __getattr__(name: str) -> object:
    """Public names are imported on first use, so that `import s2r` stays light."""
    if name not in _HOME:
        raise AttributeError(f"module 's2r' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)

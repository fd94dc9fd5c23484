"""Verdict + re-opened pages -> checks, by code that shares nothing with `adjudicate` but `lang`.

The pipeline re-opens the archived bytes and extracts them again; `verify` reads that second reading only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2r.models import Check, Claim, Package

if TYPE_CHECKING:
    from s2r.verify.checks import verify

__all__ = ["Audit", "verify"]


@dataclass(frozen=True, slots=True)
class Audit:
    """Outcome of the evidence audit of one record: claims with their match, all checks, and the package."""

    claims: tuple[Claim, ...]
    checks: tuple[Check, ...]
    package: Package


def __getattr__(name: str) -> object:
    """The checks, which read names and dates, are imported on first use."""
    if name != "verify":
        raise AttributeError(f"module 's2r.verify' has no attribute {name!r}")
    from s2r.verify.checks import verify

    return verify

"""sqlite-utils as all stores use it."""

from __future__ import annotations

from s2r.light import without_numpy

with without_numpy():
    from sqlite_utils import Database, Migrations

__all__ = ["Database", "Migrations"]

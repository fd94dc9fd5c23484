"""The universe file: rows of any table format in, listings and row-level defects out; text in, text out."""

from __future__ import annotations

from s2r.universe.rows import Universe, read_universe, write_rejected

__all__ = ["Universe", "read_universe", "write_rejected"]

"""Digests of what a feed says of each listing, so that a changed row can be told without its values going anywhere."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from s2r.models import Listing
from s2r.vendor.identity import normal
from s2r.vendor.types import Feed, VendorRow


def row_marks(feed: Feed, listings: Iterable[Listing]) -> dict[str, str]:
    """Row id of a listing -> digest of the rows that share its ISIN, its ticker and venue, its LEI or its CIK; "" without any. Line numbers
    and the day of the delivery do not count."""
    rows: dict[tuple[str, str], list[VendorRow]] = defaultdict(list)
    for row in (*feed.rows, *feed.broken):
        for key in _keys(row):
            rows[key].append(row)
    marks: dict[str, str] = {}
    for listing in listings:
        found = {id(row): row for key in _keys(listing) for row in rows.get(key, ())}
        lines = sorted(_said(row) for row in found.values())
        marks[listing.row_id] = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] if lines else ""
    return marks


def _keys(row: VendorRow | Listing) -> list[tuple[str, str]]:
    keys = [(name, normal(name, getattr(row, name))) for name in ("isin", "lei", "cik")]
    keys.append(("ticker", f"{normal('ticker', row.ticker)}@{row.mic}" if row.ticker and row.mic else ""))
    return [key for key in keys if key[1]]


def _said(row: VendorRow) -> str:
    """A row without its line and the day of the delivery."""
    kept = row.model_copy(update={"number": 0, "cells": {}, "dates": {name: day for name, day in row.dates.items() if name != "as_of"}})
    return kept.model_dump_json()

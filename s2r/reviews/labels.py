"""Decisions as labels for calibration: all listings of an issuer family are in one part, dealt before anybody looks at them."""

from __future__ import annotations

from s2r.calibrate.split import dealt_part, family_keys
from s2r.models import Record
from s2r.reviews.bench import Workbench

NO_PART = "left out"  # its issuer belongs to two families that are in different parts


def label_of(bench: Workbench, record: Record) -> tuple[str, str]:
    """Part and issuer family of the label of a decided record; the family is known from then on. Within a transaction."""
    keys = family_keys(record.listing)
    marks = ", ".join("?" * len(keys))
    known = bench.store.rows(f"select family, part from review_family where key in ({marks})", keys)
    found = {(str(row["family"]), str(row["part"])) for row in known}
    if len({part for _, part in found}) > 1:
        return NO_PART, keys[0]
    family, part = min(found) if found else (keys[0], dealt_part(keys[0], bench.review.labels.shares, bench.review.labels.seed))
    for key in keys:
        bench.store.execute("insert or ignore into review_family (key, family, part) values (?,?,?)", [key, family, part])
    return part, family

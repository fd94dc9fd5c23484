"""How vendors' rows compare with the records of a run, beside the queue: reviewers see both, judgement never does."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from s2r.store import Store

AGREED = ("match", "confirmed_no_event")


@dataclass(frozen=True, slots=True)
class VendorNote:
    """How one row of a feed compares with a record: the kind of difference in the words of the vendor audit, and what was delivered."""

    row_id: str
    kind: str
    field: str = ""
    vendor_value: str = ""
    our_value: str = ""
    sentence: str = ""
    cells: Mapping[str, str] = dataclasses.field(default_factory=dict)


def keep_comparisons(store: Store, vendor: str, delivered: str, notes: Iterable[VendorNote]) -> int:
    """Keep the comparisons of a delivery in place of those of the one before; return how many. A row's conflict in the queue is the first
    difference that any vendor has with it, else that they agree."""
    kept = 0
    with store.transaction():
        store.execute("delete from review_vendor where vendor = ?", [vendor])
        for note in notes:
            store.execute(
                "insert or replace into review_vendor (row_id, vendor, kind, field, vendor_value, our_value, sentence, cells, at) "
                "values (?,?,?,?,?,?,?,?,?)",
                [note.row_id, vendor, note.kind, note.field, note.vendor_value, note.our_value, note.sentence,
                 json.dumps(dict(note.cells), ensure_ascii=False), delivered],
            )  # fmt: skip
            kept += 1
        said = f"select kind from review_vendor v where v.row_id = review_item.row_id order by kind in {AGREED!r}, vendor limit 1"  # noqa: S608
        conflict = f"coalesce(({said}), '')"
        store.execute(f"update review_item set weighed = '', conflict = {conflict} where conflict <> {conflict}")  # noqa: S608
    return kept

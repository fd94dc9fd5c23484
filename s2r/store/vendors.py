"""How vendors' rows compare with the records of a run, as a facet of the queue: kinds only, no value of a vendor is kept here."""

from __future__ import annotations

from collections.abc import Mapping

from s2r.store import Store

AGREED = ("match", "confirmed_no_event")


def keep_conflicts(store: Store, vendor: str, kinds: Mapping[str, str]) -> None:
    """Keep how the rows of a delivery compare (row id -> kind, in the words of the vendor audit) in place of the delivery before. A row's
    conflict in the queue is the first difference that any vendor has with it, else that they agree."""
    with store.transaction():
        store.execute("delete from review_vendor where vendor = ?", [vendor])
        for row_id, kind in kinds.items():
            store.execute("insert into review_vendor (row_id, vendor, kind) values (?,?,?)", [row_id, vendor, kind])
        said = f"select kind from review_vendor v where v.row_id = review_item.row_id order by kind in {AGREED!r}, vendor limit 1"  # noqa: S608
        conflict = f"coalesce(({said}), '')"
        store.execute(f"update review_item set weighed = '', conflict = {conflict} where conflict <> {conflict}")  # noqa: S608

"""The change report of a night: which records are new, changed, withdrawn or confirmed after their check expired, and why."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping

from pydantic import Field

from s2r.models import Frozen, Record, Status
from s2r.store import Checked, Store
from s2r.store.decided import DECIDED

KINDS = ("new", "changed", "withdrawn", "expired", "confirmed", "failed")
FIELDS = ("status", "announcement_date", "reason", "disclosure_type", "route", "package")


class Change(Frozen):
    """What a night made of one row. `kind`: new, changed (its answer), withdrawn (its event does not hold any more, or it left the
    universe), expired (looked at again as its check had expired, same answer), confirmed (for another reason, same answer), failed."""

    row_id: str
    kind: str
    why: str
    issuer: str = ""
    security: str = ""
    mic: str = ""
    revision: int = 0
    before: dict[str, str] = Field(default_factory=dict)
    after: dict[str, str] = Field(default_factory=dict)
    note: str = ""


class ChangeReport(Frozen):
    """A night in numbers and changes. `carried` rows were not looked at. `usd` are the known costs of the night."""

    night: int
    job: str
    started_at: dt.datetime
    finished_at: dt.datetime
    rows: int
    looked_at: int
    carried: int
    counts: dict[str, int]
    usd: float
    run_id: str
    changes: tuple[Change, ...]
    unfinished: str = ""

    @property
    def quiet(self) -> bool:
        """Whether there is nothing that a person would want to know."""
        return not any(self.counts.get(kind) for kind in ("new", "changed", "withdrawn", "failed")) and not self.unfinished


def changes_of(store: Store, checks: Iterable[Checked], gone: Mapping[str, str]) -> tuple[Change, ...]:
    """The changes that these checks made, the last one of each row, then rows that left the universe (row id -> why)."""
    last = {check.row_id: check for check in checks if check.outcome != DECIDED}
    found = [_change(store, check) for check in last.values()]
    for row_id, why in gone.items():
        record = store.current(row_id)
        found.append(_made(row_id, "withdrawn", why, record, 0, record, None))
    order = {kind: n for n, kind in enumerate(KINDS)}
    return tuple(sorted(found, key=lambda change: (order[change.kind], change.row_id)))


def _change(store: Store, check: Checked) -> Change:
    now = store.revision(check.row_id, check.number)
    if check.outcome == "failed":
        return _made(check.row_id, "failed", check.why, now, check.number, None, None, check.note or (now.error or "" if now else ""))
    before = store.revision(check.row_id, check.number - 1) if check.outcome != "same" else now
    if check.number == 1 and check.outcome != "same":
        return _made(check.row_id, "new", check.why, now, check.number, None, now)
    kind = "expired" if "expired" in check.why else "confirmed"
    if before is not None and now is not None and answer(before) != answer(now):
        kind = "withdrawn" if before.status is Status.YES and now.status is not Status.YES else "changed"
    return _made(check.row_id, kind, check.why, now, check.number, before, now)


def answer(record: Record) -> dict[str, str]:
    """What a record says, by field."""
    return {name: str(getattr(record, name) or "") for name in FIELDS}


def _made(
    row_id: str, kind: str, why: str, record: Record | None, revision: int, before: Record | None, after: Record | None, note: str = ""
) -> Change:
    listing = record.listing if record else None
    one, other = answer(before) if before else {}, answer(after) if after else {}
    differ = [name for name in FIELDS if one.get(name) != other.get(name)]
    return Change(
        row_id=row_id,
        kind=kind,
        why=why,
        issuer=listing.issuer if listing else "",
        security=listing.security if listing else "",
        mic=listing.mic if listing else "",
        revision=revision,
        before={name: one[name] for name in differ if name in one},
        after={name: other[name] for name in differ if name in other},
        note=note,
    )


def count(changes: Iterable[Change]) -> dict[str, int]:
    """Changes by kind."""
    found = Counter(change.kind for change in changes)
    return {kind: found[kind] for kind in KINDS}

"""A seeded sample of accepted records for a reviewer: each stratum of answer and market has its share, and at least one."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from s2r.models import Record, Route


@dataclass(frozen=True, slots=True)
class Drawn:
    """A record to be reviewed; it stands for `weight` accepted records of its stratum."""

    record: Record
    stratum: str
    weight: float


def draw_accepted(records: Iterable[Record], n: int, seed: int) -> list[Drawn]:
    """At most `n` accepted records, in the order of the run. The draw depends on row ids and seed alone, not on the order of the rows.

    Each stratum gets one, the rest goes to strata in proportion to their size (largest remainders); with more strata than `n` the
    largest get one each.
    """
    strata: dict[str, list[tuple[int, Record]]] = defaultdict(list)
    for position, record in enumerate(records):
        if record.route is Route.ACCEPT:
            market = record.listing.mic or record.listing.country or "-"
            strata[f"{record.status.value}/{market}"].append((position, record))
    takes = _allot({name: len(rows) for name, rows in strata.items()}, n)
    drawn: list[tuple[int, Drawn]] = []
    for name, take in takes.items():
        rows = strata[name]
        chosen = sorted(rows, key=lambda row: _order(row[1].row_id, seed))[:take]
        drawn += [(position, Drawn(record, name, len(rows) / take)) for position, record in chosen]
    return [item for _, item in sorted(drawn, key=lambda pair: pair[0])]


def _allot(sizes: dict[str, int], n: int) -> dict[str, int]:
    order = sorted(sizes, key=lambda name: (-sizes[name], name))
    total = sum(sizes.values())
    if n >= total:
        return dict(sizes)
    if n <= len(order):
        return dict.fromkeys(order[:n], 1)
    spare, free = n - len(order), total - len(order)
    exact = {name: spare * (sizes[name] - 1) / free for name in order}
    takes = {name: 1 + int(exact[name]) for name in order}
    for name in sorted(order, key=lambda name: (-(exact[name] - int(exact[name])), name))[: n - sum(takes.values())]:
        takes[name] += 1
    return takes


def _order(row_id: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}|{row_id}".encode()).hexdigest()

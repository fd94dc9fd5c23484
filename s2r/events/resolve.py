"""From claims to events: spellings of one firm become one entity, claims of one event become one event, each with the reason.

Entities stay a mapping of spellings: a query joins it at the time of asking, so a new link changes answers without a new import.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from s2r.events.identity import Unions, equal_keys
from s2r.models.listing import Frozen

REPORT = "report"  # anchor kind of a claim that knows only the day of its page
NEAR_DAYS = 7  # pages retell an event for about a week


class Resolution(Frozen):
    """State after resolving: spellings, firms, claims, events, and how many claims became part of another claim's event."""

    surfaces: int
    firms: int
    claims: int
    events: int
    merged: int


IDS = ("lei", "cik")  # a firm has one of each: a ticker or name that two of them share makes no one firm of them


class _Ids:
    """Identifiers of each set of spellings; a link that would give a firm two of one kind is not followed."""

    def __init__(self, keys: dict[int, str]) -> None:
        self._held = {number: {key.partition(":")[0]: key} for number, key in keys.items()}

    def join(self, unions: Unions[int], left: int, right: int, reason: str) -> bool:
        """Follow a link unless identifiers speak against it."""
        a, b = self._held.get(unions.root(left), {}), self._held.get(unions.root(right), {})
        if any(a[kind] != b[kind] for kind in a.keys() & b.keys()):
            return False
        joined = unions.join(left, right, reason)
        self._held[unions.root(left)] = a | b
        return joined


@dataclass(slots=True)
class _Claim:
    id: int
    day: int
    day_last: int
    kind: str
    role: str | None
    partner: int | None  # spelling
    deal: str | None
    surface: int


@dataclass(slots=True)
class _Cluster:
    """Claims that are taken for one event, with what they say together."""

    head: _Claim
    role: str | None
    partner: int | None
    deal: str | None
    members: list[tuple[_Claim, str]] = field(default_factory=list)


def resolve(connection: sqlite3.Connection) -> Resolution:
    """Work out entities and events from spellings, links and claims; inside the caller's transaction."""
    entities = _entities(connection)
    connection.execute("delete from attribute")
    connection.execute("delete from event")
    merged = _events(connection, entities)
    connection.execute(
        "insert or ignore into attribute select c.event, j.key, j.value from claim c, json_each(c.attributes) j "
        "where c.attributes <> '{}' order by c.id"
    )
    connection.execute("analyze")

    def one(sql: str) -> int:
        return int(connection.execute(sql).fetchone()[0])

    return Resolution(
        surfaces=one("select count(*) from surface"), firms=one("select count(distinct entity) from surface"),
        claims=one("select count(*) from claim"), events=one("select count(*) from event"), merged=merged,
    )  # fmt: skip


def _entities(connection: sqlite3.Connection) -> dict[int, int]:
    """Entity of every spelling; links by equal keys are written down, so that their reasons can be read."""
    unions: Unions[int] = Unions()
    spellings = connection.execute("select id, label, key from surface order by id").fetchall()
    for number, _, _ in spellings:
        unions.root(number)
    ids = _Ids({number: key for number, _, key in spellings if key.partition(":")[0] in IDS})
    for a, b, reason in connection.execute("select a, b, reason from link where source <> 'keys' order by id").fetchall():
        ids.join(unions, a, b, reason)
    connection.execute("delete from link where source = 'keys'")
    by_key = [link for link in equal_keys(spellings) if ids.join(unions, *link)]
    connection.executemany("insert into link (a, b, reason, source) values (?, ?, ?, 'keys')", by_key)
    entities = {number: unions.root(number) for number, _, _ in spellings}
    connection.executemany("update surface set entity = ? where id = ?", [(entity, number) for number, entity in entities.items()])
    return entities


def _events(connection: sqlite3.Connection, entities: dict[int, int]) -> int:
    """Write the events of all claims; returns how many claims joined another one."""
    rows = connection.execute(
        "select s.entity, c.type, c.id, c.day, c.day_last, c.anchor_kind, c.role, c.counterparty, c.deal, c.surface "
        "from claim c join surface s on s.id = c.surface order by s.entity, c.type, c.day, c.id"
    )
    merged = 0
    events: list[tuple[object, ...]] = []
    owners: list[tuple[int, str, int]] = []
    for (_, kind), group in groupby(rows, key=lambda row: (row[0], row[1])):
        for cluster in cluster_claims((_Claim(*row[2:]) for row in group), entities):
            head = min(claim.id for claim, _ in cluster.members)
            first = cluster.head
            events.append(
                (
                    head,
                    kind,
                    first.surface,
                    first.day,
                    first.day_last,
                    first.kind,
                    cluster.role,
                    cluster.partner,
                    cluster.deal,
                    len(cluster.members),
                )
            )
            owners += [(head, reason, claim.id) for claim, reason in cluster.members]
            merged += len(cluster.members) - 1
    connection.executemany("insert into event values (?,?,?,?,?,?,?,?,?,?)", events)
    connection.executemany("update claim set event = ?, reason = ? where id = ?", owners)
    return merged


def cluster_claims(claims: Iterable[_Claim], entities: dict[int, int]) -> list[_Cluster]:
    """Claims of one firm and type as events. A claim that says more goes first: what says less joins what it fits, the nearest first."""
    clusters: list[_Cluster] = []
    ranked = sorted(claims, key=lambda c: (c.kind == REPORT, -sum(map(bool, (c.role, c.partner, c.deal))), c.day, c.id))
    for claim in ranked:
        for cluster, reason in _fitting(claim, clusters, entities):
            cluster.role = cluster.role or claim.role
            cluster.partner = cluster.partner or claim.partner
            cluster.deal = cluster.deal or claim.deal
            cluster.members.append((claim, reason))
            break
        else:
            clusters.append(_Cluster(claim, claim.role, claim.partner, claim.deal, [(claim, "")]))
    return clusters


def _fitting(claim: _Claim, clusters: list[_Cluster], entities: dict[int, int]) -> Iterator[tuple[_Cluster, str]]:
    for cluster in sorted(clusters, key=lambda c: abs(c.head.day - claim.day)) if len(clusters) > 1 else clusters:
        gap = abs(cluster.head.day - claim.day)
        if gap > NEAR_DAYS or not _compatible(claim, cluster, entities):
            continue
        if gap == 0 and claim.day_last == cluster.head.day_last:
            yield cluster, "same firm, type and day"
        elif REPORT in (claim.kind, cluster.head.kind) and claim.day_last == claim.day:
            yield cluster, f"same firm and type, reported {gap} days apart, nothing speaks against it"


def _compatible(claim: _Claim, cluster: _Cluster, entities: dict[int, int]) -> bool:
    partners = [entities[partner] for partner in (claim.partner, cluster.partner) if partner is not None]
    pairs = ((claim.role, cluster.role), (claim.deal, cluster.deal))
    return len(set(partners)) < 2 and all(not a or not b or a == b for a, b in pairs)

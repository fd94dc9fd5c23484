"""Exact counts of every facet in one pass: rows that are alike in all that is counted are one kind, and kinds are few."""

from __future__ import annotations

import datetime as dt
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from s2r.reviews.types import NOBODY, Age, FacetValue, QueueFilter
from s2r.store import Store
from s2r.store.items import WAITING, stamp_of

FIELDS = ("state", "market", "status", "reason", "route_reason", "conflict", "language")  # facets that a kind tells
FACETS = (*FIELDS, "age", "assignee")
FEW = 2000  # rows that are found first and sorted then
_DAYS = {Age.DAY: (0, 1), Age.WEEK: (2, 7), Age.MONTH: (8, 30), Age.OLD: (31, None)}
AGES = tuple(Age)
Kind = tuple[str, ...]  # values of FIELDS
Ages = tuple[int, int, int, int]  # rows by age


@dataclass(frozen=True, slots=True)
class Counts:
    """What passes a filter: `total` rows, all that wait, the counts of each facet, and the kinds whose rows may pass. `rows` are the places
    (rowid) of those that hold the words or are of the group, where they are few (None: many, or all)."""

    total: int
    waiting: int
    facets: Mapping[str, Counter[str]]
    kinds: tuple[int, ...]
    rows: tuple[int, ...] | None = None


@dataclass(slots=True)
class _Memory:
    """What is known of a store: kinds never change; numbers of rows are of a version of it."""

    kinds: dict[int, tuple[Kind, bool, bool]] = field(default_factory=dict)  # values, waiting, sample
    version: tuple[object, ...] = ()
    ages: dict[int, Ages] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


_KNOWN: WeakKeyDictionary[Store, _Memory] = WeakKeyDictionary()


def count(store: Store, wanted: QueueFilter, words: Iterable[str], now: dt.datetime) -> Counts:
    """Count rows under a filter whose text is `words` (folded)."""
    words = tuple(words)
    memory = _KNOWN.setdefault(store, _Memory())
    found = _found(store, words, wanted.group) if words or wanted.group else None
    with memory.lock:
        everything = _ages(store, memory, (), "", now)
        if found is not None:
            ages = _by_age(found, now)
        else:
            ages = _ages(store, memory, words, wanted.group, now) if words or wanted.group else everything
        kinds = _kinds(store, memory, {**everything, **ages})
    waiting = sum(sum(rows) for kind, rows in everything.items() if kinds[kind][1])
    counts = _counted(wanted, waiting, ages, kinds, _held(store, words, wanted.group, now))
    return counts if found is None else replace(counts, rows=tuple(row for row, _, _ in found))


def span(age: Age, now: dt.datetime) -> tuple[str, str]:
    """First and last moment (texts, the last one not included) since which a row of this age waits."""
    low, high = _DAYS[age]
    today = now.astimezone(dt.UTC).date()
    first = "" if high is None else (today - dt.timedelta(days=high)).isoformat()
    last = "~" if low == 0 else (today - dt.timedelta(days=low - 1)).isoformat()
    return first, last


def facet(counts: Counter[str], chosen: tuple[str, ...]) -> tuple[FacetValue, ...]:
    """Values by count, then by name; a chosen one without rows is shown, too, so that it can be taken back."""
    names = [*(name for name in counts if counts[name]), *(value for value in chosen if not counts[value])]
    ordered = sorted(names, key=lambda name: (-counts[name], name))
    return tuple(FacetValue(value=name, count=counts[name], chosen=name in chosen) for name in ordered)


def _text(words: tuple[str, ...], group: str) -> tuple[str, list[object]]:
    tests = ["instr(search, ?) > 0"] * len(words) + (["alike = ?"] if group else [])
    return (" where " + " and ".join(tests) if tests else ""), [*words, *([group] if group else [])]


def _found(store: Store, words: tuple[str, ...], group: str) -> list[tuple[int, int, str]] | None:
    """Place, kind and age of rows that hold all words and are of the group, read from an index; None where they are not few."""
    where, values = _text(words, group)
    found = store.tuples(f"select rowid, kind, since from review_item{where} limit ?", [*values, FEW + 1])
    return None if len(found) > FEW else [(int(str(row)), int(str(kind)), str(since)) for row, kind, since in found]


def _by_age(found: Iterable[tuple[int, int, str]], now: dt.datetime) -> dict[int, Ages]:
    """Rows of each kind by age."""
    steps = [span(age, now)[0] for age in AGES[:3]]
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for _, kind, since in found:
        counts[kind][next((n for n, step in enumerate(steps) if since >= step), 3)] += 1
    return {kind: (one, two, three, four) for kind, (one, two, three, four) in counts.items()}


def _ages(store: Store, memory: _Memory, words: tuple[str, ...], group: str, now: dt.datetime) -> dict[int, Ages]:
    """Rows of each kind by age; without words and group they are kept for as long as the store stays as it is."""
    steps = [span(age, now)[0] for age in AGES[:3]]
    version = (*store.version(), *steps)
    if not words and not group and memory.version == version:
        return memory.ages
    where, values = _text(words, group)
    sql = f"select kind, count(*), sum(since >= ?), sum(since >= ?), sum(since >= ?) from review_item{where} group by kind"
    found: dict[int, Ages] = {}
    for row in store.tuples(sql, [*steps, *values]):
        kind, n, day, week, month = (int(str(value)) for value in row)
        found[kind] = (day, week - day, month - week, n - month)
    if not words and not group:
        memory.version, memory.ages = version, found
    return found


def _kinds(store: Store, memory: _Memory, ages: Mapping[int, Ages]) -> dict[int, tuple[Kind, bool, bool]]:
    if any(kind not in memory.kinds for kind in ages):
        sql = f"select id, waiting, sample, {', '.join(FIELDS)} from review_kind where id > ?"
        for row in store.tuples(sql, [max(memory.kinds, default=0)]):
            memory.kinds[int(str(row[0]))] = (tuple(map(str, row[3:])), bool(row[1]), bool(row[2]))
    return memory.kinds


def _held(store: Store, words: tuple[str, ...], group: str, now: dt.datetime) -> dict[int, dict[str, list[int]]]:
    """Rows that somebody holds, by kind, person and age."""
    where, values = _text(words, group)
    sql = f"select kind, lease_by, since from review_item{where or ' where 1 = 1'} and lease_by <> '' and lease_until > ?"
    steps = [span(age, now)[0] for age in AGES[:3]]
    found: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0, 0]))
    for kind, by, since in store.tuples(sql, [*values, stamp_of(now)]):
        place = next((n for n, step in enumerate(steps) if str(since) >= step), 3)
        found[int(str(kind))][str(by)][place] += 1
    return found


def _counted(
    wanted: QueueFilter,
    waiting: int,
    ages: Mapping[int, Ages],
    kinds: Mapping[int, tuple[Kind, bool, bool]],
    held: Mapping[int, Mapping[str, list[int]]],
) -> Counts:
    """One pass over the kinds. What fails no field counts for all facets, what fails one field only for the facet of that one."""
    tests = [(n, frozenset(map(str, getattr(wanted, name)))) for n, name in enumerate(FIELDS) if getattr(wanted, name)]
    tests += [] if wanted.state else [(0, frozenset(WAITING))]
    by_age = [age in wanted.age for age in AGES] if wanted.age else [True] * 4
    people = frozenset(wanted.assignee)
    plain = not (wanted.age or people)
    columns: list[defaultdict[str, int]] = [defaultdict(int) for _ in FIELDS]
    persons: Counter[str] = Counter()
    old = [0, 0, 0, 0]
    total = 0
    passing: list[int] = []
    for kind, rows in ages.items():
        values, _, sample = kinds[kind]
        fits = rows[0] + rows[1] + rows[2] + rows[3]
        failed = [n for n, allowed in tests if values[n] not in allowed]
        if len(failed) > 1 or (wanted.sample is not None and sample is not wanted.sample):
            continue
        groups = _by_person(rows, held[kind]) if kind in held else ((NOBODY, rows),)
        if not plain:
            shown = (part for by, part in groups if not people or by in people)
            fits = sum(n for part in shown for n, allowed in zip(part, by_age, strict=True) if allowed)
        if failed:
            columns[failed[0]][values[failed[0]]] += fits
            continue
        passing.append(kind)
        total += fits
        for column, value in zip(columns, values, strict=True):
            column[value] += fits
        for by, part in groups:
            persons[by] += sum(part) if plain else sum(n for n, allowed in zip(part, by_age, strict=True) if allowed)
            if not people or by in people:
                old = [one + n for one, n in zip(old, part, strict=True)]
    facets = {name: Counter(column) for name, column in zip(FIELDS, columns, strict=True)}
    facets |= {"assignee": persons, "age": Counter(dict(zip(map(str, AGES), old, strict=True)))}
    return Counts(total, waiting, facets, tuple(passing))


def _by_person(rows: Ages, held: Mapping[str, list[int]]) -> list[tuple[str, tuple[int, ...]]]:
    """Rows of a kind by who holds them; most are held by nobody."""
    free = tuple(n - sum(part[k] for part in held.values()) for k, n in enumerate(rows))
    return [(NOBODY, free), *((by, tuple(part)) for by, part in held.items())]

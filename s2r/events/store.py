"""Event store in SQLite: claims come in with their evidence, events are worked out from them, questions read events."""

from __future__ import annotations

import datetime as dt
import difflib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from s2r.database import Database
from s2r.errors import InputError, StoreError
from s2r.events.identity import base_ticker, name_key, surface
from s2r.events.resolve import Resolution, resolve
from s2r.events.schema import MIGRATIONS
from s2r.events.tuples import EventTuple, Evidence, first_last
from s2r.models.listing import Frozen

BUSY_TIMEOUT_S = 30.0
BATCH = 20_000  # claims written together
CHUNK = 500  # ids in one statement
NEAR = 5  # names offered for one that is not known


class Added(Frozen):
    """What an import did: claims that were new, claims that were there already, and the state after it."""

    new: int
    repeated: int
    resolution: Resolution


class Event(Frozen):
    """One event as it is answered. `firm_ticker` is the ticker of the firm where one is known, else its name."""

    id: int
    firm_ticker: str
    firm: str
    event_type: str
    anchor_date: str
    anchor_kind: str
    role: str | None
    counterparty: str | None
    deal: str | None
    attributes: dict[str, str]
    claims: int
    evidence: tuple[Evidence, ...] = ()


class EventStore:
    """The store at `path`. One writer at a time."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open or create it; raises StoreError when it cannot be used, InputError when it must exist and does not."""
        self.path = path
        if read_only and not path.is_file():
            raise InputError("there is no event store", subject=str(path), advice="Fill one: s2r events import FILE --store PATH.")
        try:
            if not read_only:
                path.parent.mkdir(parents=True, exist_ok=True)
            target = f"{path.absolute().as_uri()}?mode=ro" if read_only else str(path)
            connection = sqlite3.connect(target, uri=read_only, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            self.db = Database(connection)
            connection.execute("pragma cache_size = -131072")
            if not read_only:
                self.db.enable_wal()
                MIGRATIONS.apply(self.db)
            connection.execute("select count(*) from surface where id < 0").fetchone()
        except (sqlite3.Error, OSError) as exc:
            raise _error(path, exc) from exc

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.db.conn.close()

    def add(self, tuples: Iterable[EventTuple], source: str) -> Added:
        """Take tuples in, all or none, and work the events out again; a tuple that is there already is counted, not added."""
        with self._writing():
            new, repeated = _insert(self.db.conn, tuples, source)
            resolution = resolve(self.db.conn)
        return Added(new=new, repeated=repeated, resolution=resolution)

    def link(self, left: str, right: str, reason: str) -> Resolution:
        """Say that two spellings mean the same firm, and work the events out again."""
        with self._writing():
            ids = [_surface_id(self.db.conn, text, {}) for text in (left, right)]
            self.db.conn.execute("insert into link (a, b, reason, source) values (?, ?, ?, 'user')", (*ids, reason))
            return resolve(self.db.conn)

    def count(self) -> int:
        """Number of events."""
        return int(str(self.rows("select count(*) from event")[0][0]))

    def rows(self, sql: str, values: Mapping[str, object] | Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Rows of one statement with bound values."""
        try:
            return self.db.conn.execute(sql, values).fetchall()
        except sqlite3.Error as exc:
            raise _error(self.path, exc) from exc

    def firm(self, text: str, field: str) -> int:
        """The entity that `text` names by ticker, identifier or name; raises InputError with the near ones."""
        wanted = surface(text)
        keys = [wanted.key, f"ticker:{base_ticker(text.strip())}", f"name:{name_key(text)}"]
        for key in dict.fromkeys(keys):
            found = self.rows("select distinct entity from surface where key = ?", (key,))
            if len(found) == 1:
                return int(str(found[0][0]))
            if found:
                raise InputError(f"{text!r} names {len(found)} firms", subject=f"specification, {field}", advice=self._choices(key))
        near = self.near_firms(text)
        advice = f"Near: {', '.join(near)}." if near else "No firm of the store is spelt nearly so."
        raise InputError(f"{text!r} is no known firm", subject=f"specification, {field}", advice=advice)

    def near_firms(self, text: str) -> list[str]:
        """Labels of firms spelt nearly as `text`, best first."""
        key = surface(text).key.split(":", 1)[1]
        labels = {str(key): str(label) for key, label in self.rows("select substr(key, instr(key, ':') + 1), label from surface")}
        close = difflib.get_close_matches(key, [name for name in labels if name[:1] == key[:1]], n=NEAR, cutoff=0.6)
        close = close or difflib.get_close_matches(key, list(labels), n=NEAR, cutoff=0.6)
        inside = sorted(name for name in labels if len(key) > 3 and key in name)[:NEAR]
        return [labels[name] for name in dict.fromkeys((*close, *inside))][:NEAR]

    def known(self, labels: Iterable[str]) -> set[str]:
        """Which of these spellings are known firms (by key)."""
        keys = {surface(label).key: label for label in labels}
        found: set[str] = set()
        for chunk in _chunks(list(keys)):
            rows = self.rows(f"select distinct key from surface where key in ({','.join('?' * len(chunk))})", chunk)  # noqa: S608
            found |= {keys[str(row[0])] for row in rows}
        return found

    def labels(self, entities: Iterable[int]) -> dict[int, str]:
        """How each firm is called in answers: its shortest ticker, else its first spelling."""
        best: dict[int, tuple[tuple[int, int, int], str]] = {}
        for chunk in _chunks(list(dict.fromkeys(entities))):
            marks = ",".join("?" * len(chunk))
            for entity, number, kind, label in self.rows(
                f"select entity, id, kind, label from surface where entity in ({marks})",  # noqa: S608
                chunk,
            ):
                text = str(label)
                rank = (0, len(text), int(str(number))) if kind == "ticker" else (1, 0, int(str(number)))
                key = int(str(entity))
                if key not in best or rank < best[key][0]:
                    best[key] = (rank, base_ticker(text) if kind == "ticker" else text)
        return {entity: label for entity, (_, label) in best.items()}

    def events(self, ids: Iterable[int], evidence: bool = True) -> dict[int, Event]:
        """Events by id, with their evidence."""
        found: dict[int, Event] = {}
        for chunk in _chunks(list(dict.fromkeys(ids))):
            marks = ",".join("?" * len(chunk))
            rows = self.rows(
                "select e.id, s.entity, s.label, e.type, e.day, e.day_last, e.anchor_kind, e.role, c.label, e.deal, e.claims, c.entity "  # noqa: S608
                f"from event e join surface s on s.id = e.surface left join surface c on c.id = e.counterparty where e.id in ({marks})",
                chunk,
            )
            labels = self.labels(int(str(part)) for row in rows for part in (row[1], row[11]) if part is not None)
            notes: dict[object, dict[str, str]] = {}
            for event, name, value in self.rows(f"select event, name, value from attribute where event in ({marks})", chunk):  # noqa: S608
                notes.setdefault(event, {})[str(name)] = str(value)
            proofs = self._evidence(chunk) if evidence else {}
            for row in rows:
                number = int(str(row[0]))
                partner = None if row[8] is None else labels.get(int(str(row[11])), str(row[8]))
                found[number] = Event(
                    id=number,
                    firm_ticker=labels.get(int(str(row[1])), str(row[2])),
                    firm=str(row[2]),
                    event_type=str(row[3]),
                    anchor_date=_date(row[4], row[5]),
                    anchor_kind=str(row[6]),
                    role=_text(row[7]),
                    counterparty=partner,
                    deal=_text(row[9]),
                    attributes=notes.get(number, {}),
                    claims=int(str(row[10])),
                    evidence=tuple(proofs.get(number, ())),
                )
        return found

    def merges(self) -> list[tuple[int, int, str]]:
        """Claims that became part of another claim's event: (claim, event, reason)."""
        return [
            (int(str(a)), int(str(b)), str(why))
            for a, b, why in self.rows("select id, event, reason from claim where reason <> '' order by event, id")
        ]

    def links(self) -> list[tuple[str, str, str]]:
        """Links between spellings: (spelling, spelling, reason)."""
        sql = "select a.label, b.label, l.reason from link l join surface a on a.id = l.a join surface b on b.id = l.b order by l.id"
        return [(str(a), str(b), str(why)) for a, b, why in self.rows(sql)]

    def _evidence(self, ids: Sequence[object]) -> dict[int, list[Evidence]]:
        found: dict[int, list[Evidence]] = {}
        rows = self.rows(
            "select distinct c.event, v.url, v.title, v.date, v.quote, v.exhibit, v.start, v.end "  # noqa: S608
            f"from claim c join evidence v on v.claim = c.id where c.event in ({','.join('?' * len(ids))}) order by c.event, v.date, v.id",
            ids,
        )
        for event, url, title, date, quote, exhibit, start, end in rows:
            found.setdefault(int(str(event)), []).append(
                Evidence(
                    url=str(url), title=str(title), date=str(date), quote=str(quote), exhibit=str(exhibit),
                    start=int(str(start)), end=int(str(end)),
                )
            )  # fmt: skip
        return found

    def _choices(self, key: str) -> str:
        rows = self.rows("select label from surface where key = ? order by label limit ?", (key, NEAR))
        return f"Say which: {', '.join(str(row[0]) for row in rows)}."

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self.db.atomic():
                yield
        except sqlite3.Error as exc:
            raise _error(self.path, exc) from exc


def _insert(connection: sqlite3.Connection, tuples: Iterable[EventTuple], source: str) -> tuple[int, int]:
    known = {str(label): int(number) for number, label in connection.execute("select id, label from surface")}
    linked = {(a, b) for a, b in connection.execute("select a, b from link")}
    next_claim = 1 + int(connection.execute("select coalesce(max(id), 0) from claim").fetchone()[0])
    seen = {row[0] for row in connection.execute("select digest from claim")}
    new = repeated = 0
    batch = _Batch(connection)
    for found in tuples:
        digest = hashlib.sha256(found.model_dump_json().encode()).hexdigest()[:32]
        if digest in seen:
            repeated += 1
            continue
        seen.add(digest)
        firm = _surface_id(connection, found.firm, known)
        partner = _surface_id(connection, found.counterparty, known) if found.counterparty else None
        first, last = first_last(found.anchor_date)
        claim = next_claim + new
        batch.claims.append(
            (claim, found.event_type, firm, first.toordinal(), last.toordinal(), found.anchor_kind, found.role or None, partner,
             found.deal or None, json.dumps(found.attributes, sort_keys=True), source, digest)
        )  # fmt: skip
        batch.proofs += [(claim, e.url, e.title, e.date, e.quote, e.exhibit, e.start, e.end) for e in found.evidence]
        for name in found.names:
            pair = (firm, _surface_id(connection, name, known))
            if pair[0] != pair[1] and pair not in linked:
                linked.add(pair)
                batch.links.append((*pair, f"named together: {found.firm} = {name}", source))
        new += 1
        if len(batch.claims) >= BATCH:
            batch.write()
    batch.write()
    return new, repeated


@dataclass(slots=True)
class _Batch:
    """Rows that wait to be written together."""

    connection: sqlite3.Connection
    claims: list[tuple[object, ...]] = field(default_factory=list)
    proofs: list[tuple[object, ...]] = field(default_factory=list)
    links: list[tuple[object, ...]] = field(default_factory=list)

    def write(self) -> None:
        """Write all and begin anew."""
        self.connection.executemany(
            "insert into claim (id, type, surface, day, day_last, anchor_kind, role, counterparty, deal, attributes, source, digest) "
            "values (?,?,?,?,?,?,?,?,?,?,?,?)",
            self.claims,
        )
        self.connection.executemany(
            "insert into evidence (claim, url, title, date, quote, exhibit, start, end) values (?,?,?,?,?,?,?,?)", self.proofs
        )
        self.connection.executemany("insert into link (a, b, reason, source) values (?,?,?,?)", self.links)
        for rows in (self.claims, self.proofs, self.links):
            rows.clear()


def _surface_id(connection: sqlite3.Connection, text: str, known: dict[str, int]) -> int:
    if text in known:
        return known[text]
    found = surface(text)
    row = connection.execute("select id from surface where label = ?", (found.label,)).fetchone()
    if row is None:
        number = 1 + int(connection.execute("select coalesce(max(id), 0) from surface").fetchone()[0])
        connection.execute("insert into surface values (?, ?, ?, ?, ?)", (number, found.label, found.kind, found.key, number))
        row = (number,)
    known[text] = int(row[0])
    return known[text]


def _chunks(values: list[int] | list[str]) -> Iterator[Sequence[object]]:
    for at in range(0, len(values), CHUNK):
        yield values[at : at + CHUNK]


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _date(day: object, last: object) -> str:
    first, end = dt.date.fromordinal(int(str(day))), dt.date.fromordinal(int(str(last)))
    if first == end:
        return first.isoformat()
    return first.isoformat()[:7] if (end - first).days < 31 else str(first.year)


def _error(path: Path, exc: Exception) -> StoreError:
    text = str(exc)
    advice = "Check the folder and the disk, then repeat the same command."
    if "locked" in text:
        advice = "Another process writes to it; wait for it, then repeat the command."
    elif "no such table" in text or "not a database" in text:
        advice = "The file is no event store of this version; give another --store."
    return StoreError(f"the event store cannot be used: {text}", subject=str(path), advice=advice)

"""One limiter per host and provider over all workers and processes: pace (GCRA), tokens, concurrency, pauses, adaptation.

State is one row per bucket in a small SQLite file beside the store, so that every process on the machine sees the same clock.
The generic cell rate algorithm keeps one number, the theoretical arrival time of the next request; a grant moves it on by one
interval. A grant is taken at the moment it is used, never reserved ahead, so that a late waiter cannot crowd the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

from pydantic import Field

from s2r.errors import StoreError
from s2r.models.listing import Frozen
from s2r.net.errors import CoolingDown

P = ParamSpec("P")
Made = TypeVar("Made")
MOST_AT_ONCE = 64
MAX_HOLD = 3600.0  # seconds; a spent month is found out again after an hour
SAFE = 1.05  # intervals are stretched a little, so that jitter on the way never puts two requests into one interval
_MAX_FACTOR = 16.0
_SHARE = 0.15  # weight of the newest answer in the share of "slower" answers
_SLOW_AT, _FAST_AT = 0.40, 0.25  # share above which the pace is cut by steps, and below which it recovers
_STEP_DOWN, _STEP_UP = 1.3, 0.93
_DENSE_S, _DENSE_LATE_S = 0.01, 0.002  # of requests this close, one may be late by that much: SAFE leaves room for it in any second
_LEASES = "select coalesce(sum(until>=?1), 0), count(*) - coalesce(sum(until>=?1), 0) from lease where bucket=?2"
_NO_SHARE = 1e-3  # a share so small is none
_BREAK_AFTER = 8  # failures in a row that open the circuit
_BREAK_FIRST, _BREAK_MAX = 15.0, 600.0
POLL_S = 0.02  # between looks while others are first, or all places are taken
TICKET_S = 0.5  # seconds after which a waiter that did not come back is forgotten
LEND_S = 2.0  # seconds that a loan lasts (see `lending`) while there are requests for it
LEND_AHEAD_S = 1.0  # a loan is given out that long before its first request may go
LEND_SLACK_S = 1.0  # seconds that a borrower may be late; after these its loan is void
_PATIENCE_S = 30.0  # for another process at the file
_SCHEMA = """
create table if not exists bucket(name text primary key, tat real not null default 0, token_tat real not null default 0,
  hold real not null default 0, factor real not null default 1, share real not null default 0, streak integer not null default 0,
  pace real not null default 0) without rowid;
create table if not exists lease(bucket text not null, id text not null, until real not null, primary key(bucket, id)) without rowid;
create table if not exists ticket(bucket text not null, id text not null, at real not null, until real not null, primary key(bucket, id))
  without rowid;
"""


class Limit(Frozen):
    """What one host or provider allows."""

    rate: float = Field(2.0, gt=0, description="requests per second")
    burst: int = Field(1, ge=1, description="requests that may start at once after a pause")
    concurrency: int = Field(4, ge=1, description="requests under way at once")
    tokens: float = Field(0.0, ge=0, description="model tokens per second; 0 = no limit")
    token_burst: float = Field(0.0, ge=0, description="tokens that may be spent at once; 0 = those of a minute")


def paced(rate: float, concurrency: int) -> Limit:
    """A limit of `rate` requests per second, with at least `concurrency` under way at once, and as many as come in a second at that rate
    (answers take about one), so that the pace can be used; at most MOST_AT_ONCE."""
    return Limit(rate=rate, concurrency=max(concurrency, min(MOST_AT_ONCE, math.ceil(rate))))


class _Busy(Exception):
    """Somebody else is at the file."""


@dataclass(slots=True)
class Grant:
    """A permission to send one request now; `at` is the Unix time when it was given, or was confirmed by `sent`."""

    bucket: str
    lease: str
    at: float
    interval: float
    tat: float  # where the clock of the bucket stood after it


class _Row(NamedTuple):
    tat: float
    token_tat: float
    hold: float
    factor: float
    share: float
    streak: int
    pace: float


class Limiter:
    """Hands out grants by bucket; `limits` maps a bucket, or the end of a host ("sec.gov"), to its `Limit`."""

    def __init__(
        self,
        path: Path | None = None,
        limits: Mapping[str, Limit] | None = None,
        default: Limit | None = None,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        late: float = 0.0,
    ) -> None:
        """With `late` a request may leave that many seconds after its turn without making the next ones wait longer."""
        self._late = late
        self._limits = dict(limits or {})
        self._default = default or Limit()
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._turn: dict[str, asyncio.Lock] = {}
        self._here = Counter[str]()  # places that this process holds
        self._freed: dict[str, asyncio.Event] = {}  # of buckets all of whose places are taken
        self._hurry = threading.local()
        self._db = _open(path)

    def close(self) -> None:
        """Close the file; grants that are out end by their own time."""
        with self._lock:
            self._db.close()

    def bucket(self, host: str) -> str:
        """Bucket of a host: the longest listed domain it belongs to, so that sub-domains share one limit, else the host."""
        labels = host.split(".")
        tails = (".".join(labels[start:]) for start in range(len(labels)))
        return next((tail for tail in tails if tail in self._limits), host)

    def limit(self, bucket: str) -> Limit:
        """The limit of a bucket."""
        return self._limits.get(bucket, self._default)

    @contextlib.asynccontextmanager
    async def slot(self, bucket: str, *, tokens: float = 0.0, patience: float = 120.0, longest: float = 60.0) -> AsyncIterator[Grant]:
        """Wait for a grant and hold it while the request runs, `longest` seconds at most.

        Waits for its turn as long as the queue moves; a pause or cool-down of more than `patience` seconds raises `CoolingDown`.
        """
        async with self._turn.setdefault(bucket, asyncio.Lock()):  # first come, first served inside this process
            grant = await self._granted(bucket, tokens, patience, longest)
        self._here[bucket] += 1
        try:
            yield grant
        finally:
            self._here[bucket] -= 1
            await self._at_once(self._end, "lease", bucket, grant.lease)
            if freed := self._freed.pop(bucket, None):
                freed.set()

    async def _at_once(self, act: Callable[P, Made], *args: P.args, **kwargs: P.kwargs) -> Made:
        """What a transaction makes; here when nobody else is at the file, else in a thread: the loop waits for no other process."""
        self._hurry.on = True
        try:
            return act(*args, **kwargs)
        except _Busy:
            pass
        finally:
            self._hurry.on = False
        return await asyncio.shield(asyncio.to_thread(act, *args, **kwargs))

    async def sent(self, grant: Grant, *, leaves: bool = True) -> None:
        """Tell that the request leaves only now (without `leaves`: as far as its connection). When a connection had to be made first, the
        next one waits that much longer; when the next one has gone meanwhile, this one waits for another turn."""
        while self._is_late_by_now(grant):
            if not (wait := await self._at_once(self._confirm, grant)):
                return
            await self._sleep(max(0.001, wait))

    def sent_at_once(self, grant: Grant) -> None:
        """The same where nothing may be waited for: only the next one waits longer."""
        if self._is_late_by_now(grant):
            self._confirm(grant)

    def _is_late_by_now(self, grant: Grant) -> bool:
        allowed = _DENSE_LATE_S if grant.interval < _DENSE_S else grant.interval * (SAFE - 1) / 2
        return self._clock() - grant.at > allowed

    async def passed(self, bucket: str) -> None:
        """An answer that was not "slower": the pace recovers by steps."""
        if not self._is_at_ease(bucket):
            await self._at_once(self._learn, bucket, False, None)

    def _is_at_ease(self, bucket: str) -> bool:
        """Whether one more good answer changes nothing; False where it cannot be seen at once."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            sql = "select 1 from bucket where name=? and factor=1 and streak=0 and share<?"
            return self._db.execute(sql, (bucket, _NO_SHARE)).fetchone() is not None
        except sqlite3.OperationalError:
            return False
        finally:
            self._lock.release()

    async def limited(self, bucket: str, wait: float | None = None) -> None:
        """A "slower" answer (429, 503, throttle page): pause for the seconds it asks, slow down when they repeat, at last cool down."""
        await self._at_once(self._learn, bucket, True, wait)

    async def failed(self, bucket: str) -> None:
        """No answer at all; a host that fails again and again is left alone for a while."""
        await self._at_once(self._learn, bucket, None, None)

    async def hold(self, bucket: str, seconds: float) -> None:
        """No request to this bucket for some seconds, from any process."""
        await self._at_once(self._hold, bucket, seconds)

    async def slow(self, bucket: str, interval: float) -> None:
        """At least `interval` seconds between requests from now on (crawl-delay); 0 takes it back."""
        await self._at_once(self._write, "update bucket set pace=? where name=?", interval, bucket)

    async def spend(self, bucket: str, tokens: float) -> None:
        """Book tokens that a request used beyond those it was granted (negative: fewer)."""
        if rate := self.limit(bucket).tokens:
            await self._at_once(
                self._write, "update bucket set token_tat=max(token_tat, ?) + ? where name=?", self._clock(), tokens / rate, bucket
            )

    async def _granted(self, bucket: str, tokens: float, patience: float, longest: float) -> Grant:
        lease, grant, waited = secrets.token_hex(8), None, False
        try:
            while grant is None:
                grant, wait, held = await self._at_once(self._try, bucket, lease, tokens, longest, waited)
                waited = True
                if grant is None and held > patience:
                    message, advice = f"asked for a pause; {held:.0f} s of it are left", "Run the row again later."
                    raise CoolingDown(message, subject=bucket, advice=advice, seconds=held)
                if grant is None:
                    await self._rest(bucket, max(0.001, wait))
        finally:
            if grant is None and waited:
                self._end("ticket", bucket, lease)
        return grant

    async def _rest(self, bucket: str, seconds: float) -> None:
        """Sleep; where places are taken by this process, at most until one becomes free."""
        if seconds != POLL_S or not self._here[bucket]:
            await self._sleep(seconds)
            return
        freed = self._freed.setdefault(bucket, asyncio.Event())
        ways = [asyncio.ensure_future(self._sleep(seconds)), asyncio.ensure_future(freed.wait())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()

    def _try(self, bucket: str, lease: str, tokens: float, longest: float, waited: bool) -> tuple[Grant | None, float, float]:
        """A grant, or seconds to sleep before the next try, and those of a pause that stands in the way. A ticket is left only by one
        that has `waited`."""
        limit = self.limit(bucket)
        with self._transaction() as db:
            now = self._clock()
            row = self._row(db, bucket)
            if row.hold > now:
                return None, min(row.hold - now, 5.0), row.hold - now
            interval = max(SAFE / limit.rate * row.factor, row.pace)
            token_tat, wait = self._tokens(limit, max(row.token_tat, now), tokens, now)
            wait = max(wait, row.tat - (limit.burst - 1) * interval - now)
            if wait <= 0:
                running, ended = db.execute(_LEASES, (now, bucket)).fetchone()
                if ended:
                    db.execute("delete from lease where bucket=? and until<?", (bucket, now))
                wait = POLL_S if running >= limit.concurrency or self._is_late(db, bucket, lease, now) else 0.0
            if wait > 0:
                wait = min(wait, 5.0)
                sql = "insert into ticket values(?,?,?,?) on conflict do update set until=excluded.until"
                db.execute(sql, (bucket, lease, now, now + wait + TICKET_S))
                return None, wait, 0.0
            if waited:
                db.execute("delete from ticket where bucket=? and id=?", (bucket, lease))
            db.execute("insert into lease(bucket, id, until) values(?,?,?)", (bucket, lease, now + longest))
            tat = max(row.tat, now - self._late) + interval
            db.execute("update bucket set tat=?, token_tat=? where name=?", (tat, token_tat, bucket))
            return Grant(bucket, lease, now, interval, tat), 0.0, 0.0

    @staticmethod
    def _tokens(limit: Limit, tat: float, tokens: float, now: float) -> tuple[float, float]:
        """Where the token clock would stand after a grant, and seconds until there is room for it."""
        if not limit.tokens or not tokens:
            return tat, 0.0
        room = (limit.token_burst or limit.tokens * 60) / limit.tokens
        need = tokens / limit.tokens
        return tat + need, tat + min(need, room) - room - now  # more than the whole room is let through when the room is free

    @staticmethod
    def _is_late(db: sqlite3.Connection, bucket: str, lease: str, now: float) -> bool:
        """Whether another process has waited longer: without this the one that was served last would tend to win again."""
        first = db.execute("select id, until from ticket where bucket=? order by at, id limit 1", (bucket,)).fetchone()
        if first is not None and first[1] < now:
            db.execute("delete from ticket where bucket=? and until<?", (bucket, now))
            first = db.execute("select id from ticket where bucket=? order by at, id limit 1", (bucket,)).fetchone()
        return first is not None and first[0] != lease

    def _learn(self, bucket: str, limited: bool | None, wait: float | None) -> None:
        """Book an answer: "slower" (True), any other (False), or none (None, which says nothing about the pace)."""
        with self._transaction() as db:
            now, row = self._clock(), self._row(db, bucket)
            share = row.share if limited is None else row.share + _SHARE * (float(limited) - row.share)
            streak, factor, hold = (0 if limited is False else row.streak + 1), row.factor, row.hold
            if limited and share > _SLOW_AT:
                factor, share = min(_MAX_FACTOR, factor * _STEP_DOWN), _FAST_AT
            elif limited is False and share < _FAST_AT:
                factor = max(1.0, factor * _STEP_UP)
            if wait is not None:
                hold = max(hold, now + min(wait, MAX_HOLD))
            if streak >= _BREAK_AFTER:
                hold = max(hold, now + min(_BREAK_MAX, _BREAK_FIRST * 2 ** (streak - _BREAK_AFTER)))
            db.execute("update bucket set share=?, streak=?, factor=?, hold=? where name=?", (share, streak, factor, hold, bucket))

    def _hold(self, bucket: str, seconds: float) -> None:
        self._write("update bucket set hold=max(hold, ?) where name=?", self._clock() + min(seconds, MAX_HOLD), bucket)

    def _confirm(self, grant: Grant) -> float:
        """Move the clock of the bucket to the true time of a late request: 0 when it may go, else seconds until it may."""
        with self._transaction() as db:
            now, row = self._clock(), self._row(db, grant.bucket)
            burst = self.limit(grant.bucket).burst
            if self._late and now - self._late <= grant.tat - grant.interval:
                return 0.0
            if row.tat > grant.tat + 1e-6 and (wait := row.tat - (burst - 1) * grant.interval - now) > 0:
                return wait
            grant.at, grant.tat = now, max(row.tat, now - self._late + grant.interval)
            db.execute("update bucket set tat=? where name=?", (grant.tat, grant.bucket))
            return 0.0

    def lend(
        self, bucket: str, borrower: str, number: str, longest: float
    ) -> tuple[tuple[int, float, float, int, float] | None, float, float]:
        """For a `Lender`: requests lent, seconds between them and to the first one, places, and where the clock of the bucket stands
        until `settle`; else None, with seconds to sleep before the next try, and those of a pause that stands in the way."""
        limit = self.limit(bucket)
        with self._transaction() as db:
            now, row = self._clock(), self._row(db, bucket)
            if row.hold > now:
                return None, min(row.hold - now, 5.0), row.hold - now
            interval = max(SAFE / limit.rate * row.factor, row.pace)
            db.execute("delete from lease where bucket=? and until<?", (bucket, now))
            sql = "select count(*) from lease where bucket=? and substr(id, 1, ?) != ?"
            others = db.execute(sql, (bucket, len(borrower) + 1, f"{borrower}:")).fetchone()[0]
            starts_in, places = max(0.0, row.tat - now), limit.concurrency - others
            if starts_in > LEND_AHEAD_S or places < 1 or self._is_late(db, bucket, number, now):
                wait = min(5.0, max(POLL_S, starts_in - LEND_AHEAD_S))
                sql = "insert into ticket values(?,?,?,?) on conflict do update set until=excluded.until"
                db.execute(sql, (bucket, number, now, now + wait + TICKET_S))
                return None, wait, 0.0
            db.execute("delete from ticket where bucket=? and id=?", (bucket, number))
            tokens = max(1, round(LEND_S / interval))
            tat = now + starts_in + tokens * interval + LEND_SLACK_S
            self._set_places(db, bucket, borrower, places, now + longest + tat - now)
            db.execute("update bucket set tat=? where name=?", (tat, bucket))
            return (tokens, interval, starts_in, places, tat), 0.0, 0.0

    def settle(self, bucket: str, borrower: str, tat: float, next_in: float, running: int | None) -> None:
        """A loan that left the clock of the bucket at `tat` has come back; the next request may go in `next_in` seconds, and `running` ones
        of the borrower are under way (None: it is not known, and its places stay taken)."""
        with contextlib.suppress(sqlite3.ProgrammingError), self._transaction() as db:  # the file may be closed by now
            now, row = self._clock(), self._row(db, bucket)
            if abs(row.tat - tat) < 1e-6:  # else others were granted something after it was void
                db.execute("update bucket set tat=? where name=?", (now + next_in, bucket))
            if running is not None:
                until = db.execute("select max(until) from lease where bucket=?", (bucket,)).fetchone()[0] or now
                self._set_places(db, bucket, borrower, running, until)

    def free_place(self, bucket: str, borrower: str) -> None:
        """A request that was under way when a loan came back has ended."""
        sql = "select id from lease where bucket=? and substr(id, 1, ?) = ? limit 1"
        with contextlib.suppress(sqlite3.ProgrammingError), self._transaction() as db:
            if found := db.execute(sql, (bucket, len(borrower) + 1, f"{borrower}:")).fetchone():
                db.execute("delete from lease where bucket=? and id=?", (bucket, found[0]))

    def add_place(self, bucket: str, borrower: str, longest: float) -> None:
        """One place more for a borrower whose loan is out."""
        with self._transaction() as db:
            db.execute("insert into lease values(?,?,?)", (bucket, f"{borrower}:{secrets.token_hex(4)}", self._clock() + longest))

    def forget(self, borrower: str) -> None:
        """Free all places of a borrower that is gone."""
        with self._transaction() as db:
            db.execute("delete from lease where substr(id, 1, ?) = ?", (len(borrower) + 1, f"{borrower}:"))

    @staticmethod
    def _set_places(db: sqlite3.Connection, bucket: str, borrower: str, places: int, until: float) -> None:
        db.execute("delete from lease where bucket=? and substr(id, 1, ?) = ?", (bucket, len(borrower) + 1, f"{borrower}:"))
        db.executemany("insert into lease values(?,?,?)", [(bucket, f"{borrower}:{number}", until) for number in range(places)])

    def _end(self, table: str, bucket: str, lease: str) -> None:
        sql = "delete from lease where bucket=? and id=?" if table == "lease" else "delete from ticket where bucket=? and id=?"
        with contextlib.suppress(sqlite3.ProgrammingError):  # the file may be closed by now
            self._single(sql, bucket, lease)

    def _single(self, sql: str, *values: object) -> None:
        """One statement, which is a transaction of its own."""
        with self._alone() as hurry:
            self._patient(sql, values, hurry)

    def _write(self, sql: str, *values: object) -> None:
        with self._transaction() as db:
            self._row(db, str(values[-1]))
            db.execute(sql, values)

    def _row(self, db: sqlite3.Connection, bucket: str) -> _Row:
        sql = "select tat, token_tat, hold, factor, share, streak, pace from bucket where name=?"
        if (found := db.execute(sql, (bucket,)).fetchone()) is None:
            db.execute("insert into bucket(name) values(?)", (bucket,))
            found = db.execute(sql, (bucket,)).fetchone()
        row = _Row(*found)
        far = self._clock() + MAX_HOLD  # only after a step back of the clock do times lie farther ahead
        if max(row.tat, row.hold) > far:
            now = self._clock()
            row = row._replace(tat=min(row.tat, now), hold=min(row.hold, now), token_tat=min(row.token_tat, now))
            db.execute("update bucket set tat=?, hold=?, token_tat=? where name=?", (row.tat, row.hold, row.token_tat, bucket))
            db.execute("delete from ticket where bucket=?", (bucket,))
        return row

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that nobody comes between; in a hurry it raises `_Busy` where it would have to wait."""
        with self._alone() as hurry:
            self._patient("begin immediate", (), hurry)
            try:
                yield self._db
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[bool]:
        """The connection for this thread alone, and whether it is in a hurry."""
        hurry = getattr(self._hurry, "on", False)
        if not self._lock.acquire(blocking=not hurry):
            raise _Busy
        try:
            yield hurry
        except sqlite3.OperationalError as exc:
            raise StoreError(f"the limiter's file cannot be written ({exc})", advice="Free the disk under S2R_HOME.") from exc
        finally:
            self._lock.release()

    def _patient(self, sql: str, values: tuple[object, ...], hurry: bool) -> None:
        """Run a statement that locks the file; it is asked for without a wait first, and with one only where that is allowed."""
        try:
            self._db.execute(sql, values)
        except sqlite3.OperationalError as exc:
            if "locked" not in str(exc):
                raise
            if hurry:
                raise _Busy from exc
            self._db.execute(f"pragma busy_timeout={int(_PATIENCE_S * 1000)}")
            try:
                self._db.execute(sql, values)
            finally:
                self._db.execute("pragma busy_timeout=0")


def _open(path: Path | None) -> sqlite3.Connection:
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path or ":memory:", timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
        for attempt in range(50):  # two processes that switch a new file to WAL at once: one of them is told "locked" without a wait
            try:
                db.execute("pragma journal_mode=wal")
                break
            except sqlite3.OperationalError:
                if attempt == 49:
                    raise
                time.sleep(0.02)
        db.execute("pragma synchronous=off")
        db.executescript(_SCHEMA)
        db.execute("pragma busy_timeout=0")  # `_begin` waits for others where it may
    except (OSError, sqlite3.Error) as exc:
        raise StoreError(f"cannot be opened ({exc})", subject=str(path), advice="Check S2R_HOME.") from exc
    return db

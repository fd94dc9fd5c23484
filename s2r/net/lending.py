"""The pace of a bucket on loan: one owner of all limits lends it to one process at a time, which spaces its own requests.

A grant that has to travel arrives late, and no two arrive equally late; grants sent to several machines would bunch up and pass the
limit. So a loan is exclusive: its borrower may send some requests in a row, spaced by its own clock, and the next loan of the bucket is
given out only when this one has come back. What travels is never a time of day, only durations, and each counts from its arrival: delay on
the way can make requests later, never closer to each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from s2r.models.listing import Frozen
from s2r.net.errors import CoolingDown
from s2r.net.limits import LEND_SLACK_S, SAFE, Grant, Limit, Limiter

ON_THE_WAY_S = 2.0  # a loan that took longer to arrive is sent back unused
LATE_S = 0.01  # by which a busy machine may send late; together less than what `SAFE` leaves free in a second
MOST_VOID = 1000  # loans that may still come back late
PATIENCE_S = 600.0  # for an answer of the lender


class Loan(Frozen):
    """`tokens` requests to `bucket`, `interval` seconds apart, the first one `starts_in` seconds after it has arrived; at most `places`
    requests of the borrower under way at once."""

    number: str
    bucket: str
    tokens: int
    interval: float
    starts_in: float
    places: int

    @property
    def lasts(self) -> float:
        """Seconds after its arrival when it is void."""
        return self.starts_in + self.tokens * self.interval + LEND_SLACK_S


@dataclass(frozen=True, slots=True)
class _Out:
    """A loan that is out: where the clock of its bucket stands meanwhile, and what ends it when nothing comes back."""

    loan: Loan
    borrower: str
    tat: float
    timer: asyncio.TimerHandle
    longest: float


class Lender:
    """Lends what a `Limiter` allows, in one event loop. `more` tells a borrower that it may have one request more under way by its loan."""

    def __init__(self, limiter: Limiter, more: Callable[[str, Loan], None]) -> None:
        self._limiter, self._more = limiter, more
        self._turns: dict[str, asyncio.Lock] = {}
        self._out: dict[str, _Out] = {}  # by number
        self._with: dict[str, _Out] = {}  # by bucket
        self._void: dict[str, _Out] = {}  # by number: those that did not come back in time

    async def lend(self, bucket: str, borrower: str, *, patience: float, longest: float) -> Loan:
        """A loan, when it is the borrower's turn; raises `CoolingDown` as `Limiter.slot` does. `longest`: seconds that one request may
        take."""
        turn = self._turns.setdefault(bucket, asyncio.Lock())
        await turn.acquire()
        try:
            loan, tat = await self._granted(bucket, borrower, patience, longest)
        except BaseException:
            turn.release()
            raise
        timer = asyncio.get_running_loop().call_later(loan.lasts + ON_THE_WAY_S, self._end, loan.number, 0.0, None)
        self._out[loan.number] = self._with[bucket] = _Out(loan, borrower, tat, timer, longest)
        return loan

    def settle(self, number: str, next_in: float, running: int) -> None:
        """A loan has come back: the next request may go in `next_in` seconds, `running` ones of the borrower are under way."""
        if number in self._out:
            self._end(number, next_in, running)
        elif (late := self._void.pop(number, None)) is not None and self._holder(late.loan.bucket) != late.borrower:
            self._limiter.settle(late.loan.bucket, late.borrower, -1.0, 0.0, running)

    def forget(self, borrower: str) -> None:
        """A borrower is gone: nothing of it is under way any more. Its loan ends in its time, as a last request may have left just now."""
        self._limiter.forget(borrower)

    def _end(self, number: str, next_in: float, running: int | None) -> None:
        out = self._out.pop(number)
        out.timer.cancel()
        del self._with[out.loan.bucket]
        if running is None:
            self._void[number] = out
            while len(self._void) > MOST_VOID:
                del self._void[next(iter(self._void))]
        self._limiter.settle(out.loan.bucket, out.borrower, out.tat, next_in, running)
        self._turns[out.loan.bucket].release()

    def _holder(self, bucket: str) -> str:
        return self._with[bucket].borrower if bucket in self._with else ""

    def ended(self, bucket: str, borrower: str) -> None:
        """A request of a borrower that held no loan has ended: whoever holds it now may have one more under way."""
        holder = self._with.get(bucket)
        if self._holder(bucket) == borrower:  # lent to it meanwhile, with all its places
            return
        self._limiter.free_place(bucket, borrower)
        if holder is not None:
            self._limiter.add_place(bucket, holder.borrower, holder.longest)
            self._more(holder.borrower, holder.loan)

    async def _granted(self, bucket: str, borrower: str, patience: float, longest: float) -> tuple[Loan, float]:
        number = secrets.token_hex(8)
        while True:
            found, wait, held = await asyncio.to_thread(self._limiter.lend, bucket, borrower, number, longest)
            if found is not None:
                tokens, interval, starts_in, places, tat = found
                return Loan(number=number, bucket=bucket, tokens=tokens, interval=interval, starts_in=starts_in, places=places), tat
            if held > patience:
                message, advice = f"asked for a pause; {held:.0f} s of it are left", "Run the row again later."
                raise CoolingDown(message, subject=bucket, advice=advice, seconds=held)
            await asyncio.sleep(max(0.001, wait))


@dataclass(slots=True)
class _Held:
    """A loan as its borrower uses it: `left` tokens are not taken, `unsent` ones are taken and their requests have not left."""

    loan: Loan
    until: float
    left: int
    unsent: int = 0
    back: bool = False


Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
Tell = Callable[[dict[str, Any]], None]


class Borrower(Limiter):
    """A limiter whose pace is lent by another process: `ask` brings a message there and its answer back, `tell` brings it only there."""

    def __init__(
        self,
        limits: Mapping[str, Limit],
        default: Limit,
        ask: Ask,
        tell: Tell,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(None, limits, default, clock=clock, sleep=sleep, late=LATE_S)
        self._ask, self._tell = ask, tell
        self._pace: dict[str, Limit] = {}
        self._held: dict[str, _Held] = {}
        self._leaving: dict[str, _Held] = {}  # by grant: not sent yet
        self._wanted: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._asking: dict[str, asyncio.Lock] = {}

    def limit(self, bucket: str) -> Limit:
        """The limit of a bucket as it was lent last."""
        return self._pace.get(bucket) or super().limit(bucket)

    @contextlib.asynccontextmanager
    async def slot(self, bucket: str, *, tokens: float = 0.0, patience: float = 120.0, longest: float = 60.0) -> AsyncIterator[Grant]:
        """As `Limiter.slot`, with a token of a loan. `tokens` of models are not lent."""
        async with contextlib.AsyncExitStack() as stack:
            while True:
                held = await self._claimed(bucket, patience, longest)
                try:
                    grant = await stack.enter_async_context(super().slot(bucket, patience=patience, longest=longest))
                except BaseException:
                    self._gone(held)
                    raise
                if self._clock() <= held.until:
                    break
                self._gone(held)  # waited for longer than the loan lasts
                await stack.pop_all().aclose()
            self._leaving[grant.lease] = held
            self._running[bucket] += 1
            try:
                yield grant
            finally:
                self._running[bucket] -= 1
                if (unsent := self._leaving.pop(grant.lease, None)) is not None:
                    self._gone(unsent)
                if bucket not in self._held:
                    self._tell({"op": "ended", "bucket": bucket})

    async def sent(self, grant: Grant, *, leaves: bool = True) -> None:
        """As `Limiter.sent`; a request that would leave after its loan is void waits for another one."""
        while (held := self._leaving.get(grant.lease)) is not None and self._clock() > held.until:
            del self._leaving[grant.lease]
            self._gone(held)
            self._leaving[grant.lease] = await self._claimed(grant.bucket, PATIENCE_S, PATIENCE_S)
        await super().sent(grant, leaves=leaves)
        if leaves and (held := self._leaving.pop(grant.lease, None)) is not None:
            self._gone(held)

    def sent_at_once(self, grant: Grant) -> None:
        """As `Limiter.sent_at_once`."""
        super().sent_at_once(grant)
        if (held := self._leaving.pop(grant.lease, None)) is not None:
            self._gone(held)

    def more(self, bucket: str, number: str) -> None:
        """The lender allows one request more under way by a loan, as one of another borrower has ended."""
        if bucket in self._held and self._held[bucket].loan.number == number:
            pace = self._pace[bucket]
            self._pace[bucket] = pace.model_copy(update={"concurrency": pace.concurrency + 1})

    async def passed(self, bucket: str) -> None:
        """As `Limiter.passed`, at the lender."""
        self._tell({"op": "passed", "bucket": bucket})

    async def limited(self, bucket: str, wait: float | None = None) -> None:
        """As `Limiter.limited`, at the lender; what is left of a loan is not used."""
        self._tell({"op": "limited", "bucket": bucket, "seconds": wait})
        self._drop(bucket)

    async def failed(self, bucket: str) -> None:
        """As `Limiter.failed`, at the lender."""
        self._tell({"op": "failed", "bucket": bucket})

    async def hold(self, bucket: str, seconds: float) -> None:
        """As `Limiter.hold`, at the lender; what is left of a loan is not used."""
        self._tell({"op": "hold", "bucket": bucket, "seconds": seconds})
        self._drop(bucket)

    async def slow(self, bucket: str, interval: float) -> None:
        """As `Limiter.slow`, at the lender; what is left of a loan is not used."""
        self._tell({"op": "slow", "bucket": bucket, "seconds": interval})
        self._drop(bucket)

    async def _claimed(self, bucket: str, patience: float, longest: float) -> _Held:
        """One token of a loan, which is asked for when none is held."""
        self._wanted[bucket] += 1
        try:
            async with self._asking.setdefault(bucket, asyncio.Lock()):
                while True:
                    held = self._held.get(bucket)
                    if held is not None and self._clock() > held.until:
                        self._settle(held)
                    elif held is not None and held.left > 0:
                        held.left -= 1
                        held.unsent += 1
                        return held
                    else:  # what is held may be taken to its last token: the next loan is given out when that has left
                        await self._borrow(bucket, patience, longest)
        finally:
            self._wanted[bucket] -= 1

    async def _borrow(self, bucket: str, patience: float, longest: float) -> None:
        asked = self._clock()
        answer = await self._ask({"op": "lend", "bucket": bucket, "patience": patience, "longest": longest})
        if "cooling" in answer:
            raise CoolingDown(answer["cooling"], subject=bucket, advice=answer["advice"], seconds=answer["seconds"])
        loan = Loan.model_validate(answer["loan"])
        now = self._clock()
        self._pace[bucket] = Limit(rate=SAFE / loan.interval, concurrency=loan.places)
        self._put_off(bucket, now + loan.starts_in)
        held = self._held[bucket] = _Held(loan, now + loan.lasts, loan.tokens)
        if now - asked - answer["held_s"] > ON_THE_WAY_S:
            self._settle(held)

    def _gone(self, held: _Held) -> None:
        """A request has left, or never will: a loan that is used up, or that nobody waits for, goes back at once."""
        held.unsent -= 1
        if held.unsent == 0 and (held.left == 0 or not self._wanted[held.loan.bucket]):
            self._settle(held)

    def _drop(self, bucket: str) -> None:
        if (held := self._held.get(bucket)) is not None:
            held.left = 0
            if held.unsent == 0:
                self._settle(held)

    def _settle(self, held: _Held) -> None:
        if held.back:
            return
        held.back, bucket = True, held.loan.bucket
        if self._held.get(bucket) is held:
            del self._held[bucket]
        message = {"op": "settle", "number": held.loan.number, "next_in": self._next_in(bucket), "running": self._running[bucket]}
        self._tell(message)

    def _put_off(self, bucket: str, at: float) -> None:
        with self._transaction() as db:
            self._row(db, bucket)
            db.execute("update bucket set tat=max(tat, ?) where name=?", (at, bucket))

    def _next_in(self, bucket: str) -> float:
        with self._transaction() as db:
            return max(0.0, self._row(db, bucket).tat - self._clock())

"""What the calls of a run cost: booked at once, by row and provider, and held under a cap."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass

from s2r.errors import StoreError
from s2r.modelapi.budget import Budget, LedgerLine, ledger_lines, subject_of
from s2r.modelapi.prices import BOUND, CACHE
from s2r.modelapi.types import ModelCall
from s2r.search.caller import SearchCall
from s2r.store import Store


@dataclass(slots=True)
class Tally:
    """What one row has cost in this run: calls, dollars of known price, calls of unknown price."""

    row_id: str
    calls: int = 0
    usd: float = 0.0
    unknown: int = 0

    @property
    def cost(self) -> float | None:
        """Dollars, None when the price of a call is unknown."""
        return None if self.unknown else round(round(self.usd, 12), 6)  # sums in binary differ in their last digits by the order of calls


_ROW: ContextVar[Tally | None] = ContextVar("s2r_row", default=None)


@contextmanager
def booked_to(row_id: str) -> Iterator[Tally]:
    """Calls made inside, also by tasks started inside, are those of this row."""
    tally = Tally(row_id)
    token = _ROW.set(tally)
    try:
        yield tally
    finally:
        _ROW.reset(token)


class RunLedger:
    """The ledger of a run folder, for searches and models together. `cap` (USD) bounds all that the folder has cost and `row_cap` what
    a row has, calls under way included; None = no cap."""

    def __init__(self, cap: float | None = None, row_cap: float | None = None) -> None:
        self.cap, self.row_cap = cap, row_cap
        self._budget = Budget(cap, row_cap)
        self._turns: AbstractAsyncContextManager[None] = nullcontext()
        self._intend: Callable[[str, str, float | None], int] | None = None
        self._book: Callable[[str, list[LedgerLine], int | None, bool], None] | None = None
        self._open: Callable[[str, str], list[tuple[int, float | None]]] | None = None

    def bind(self, store: Store, run_id: str, clock: Callable[[], dt.datetime], *, at_once: int | None = None) -> None:
        """Book into this store from now on; what stands there already counts. No more than `at_once` turns are taken at a time."""
        self._turns = asyncio.Semaphore(at_once) if at_once else nullcontext()
        self._budget.count_in(store.spent(), store.spent_by_row())
        self._intend = lambda row_id, kind, usd: store.intend(run_id, row_id, kind, "calls", usd, clock())
        self._book = lambda row_id, lines, intent, lost: store.book(run_id, row_id, lines, clock(), intent=intent, lost=lost)

        self._open = store.open_lines

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held by a paid call until its answer is kept: as many calls as turns may be paid again after a kill, whatever waits."""
        return self._turns

    async def freed(self) -> None:
        """Wait until a call under way has ended."""
        await self._budget.freed()

    def reserve(self, provider: str, usd: float | None) -> int | None:
        """Set `usd` aside for a search and note it before it is sent, so that one under way at a kill still counts; raises
        `BudgetExceeded` when spent and set aside would pass a cap."""
        row = _ROW.get()
        row_id = row.row_id if row else ""
        self._budget.hold(row_id, provider, usd)
        return self._noted(row_id, f"search:{provider}", usd)

    def _noted(self, row_id: str, kind: str, usd: float | None) -> int | None:
        try:
            return self._intend(row_id, kind, usd) if self._intend else None
        except StoreError:
            self._budget.settle(row_id, usd or 0.0, 0.0)
            raise

    def book(self, call: SearchCall) -> None:
        """Book a search that ended, and free what was set aside for it."""
        row = _ROW.get()
        row_id = row.row_id if row else ""
        self._budget.settle(row_id, call.reserved or 0.0, call.usd or 0.0)
        if row is not None:
            row.calls += 1
            row.usd += call.usd or 0.0
            row.unknown += call.usd is None
        if self._book is not None:
            lines: list[LedgerLine] = [(f"search:{call.provider}", 1.0, "calls", call.usd)]
            if call.credits is not None:
                lines.append((f"credits:{call.provider}", call.credits, "credits", 0.0))
            self._book(row_id, lines, call.intent, call.basis == BOUND)

    def of_model(self, role: str, name: str, *, batch: bool = False) -> ModelBook:
        """The same ledger for the calls of one role, whose model is `name` (provider:model), or for its batches."""
        return ModelBook(self, f"model:{role}:{name}" + (" (batch)" if batch else ""))

    async def reserve_model(self, row_id: str, kind: str, subject: str, usd: float | None) -> tuple[float | None, int | None]:
        """Set aside what a call to a model may cost, waiting while calls under way may cost what is left; raises as `Budget.reserve`."""
        reserved = await self._budget.reserve(row_id, subject, usd)
        return reserved, self._noted(row_id, kind, reserved)

    def resume_model(self, row_id: str, kind: str, subject: str, usd: float | None, known: set[int]) -> int | None:
        """Take over the line that an earlier process left open for such a call, which counts as spent until then; `known` are lines
        that were taken over before. Without one a new line is made."""
        found = [(number, most) for number, most in (self._open(row_id, kind) if self._open else []) if number not in known]
        self._budget.resume(row_id, subject, usd)
        if not found:
            return self._noted(row_id, kind, usd)
        self._budget.uncount(row_id, found[0][1] or 0.0)
        return found[0][0]

    def told(self, usd: float | None) -> None:
        """A call that was booked outside of its row is a part of what the row in work has cost."""
        row = _ROW.get()
        if row is not None:
            row.calls += 1
            row.usd += usd or 0.0
            row.unknown += usd is None

    def book_model(self, call: ModelCall, intent: int | None) -> None:
        """Book a call to a model that ended, and free what was set aside for it."""
        self._budget.book(call)
        row = _ROW.get()
        if row is not None:
            row.calls += call.basis != CACHE
            row.usd += call.usd or 0.0
            row.unknown += call.usd is None
        if self._book is not None:
            self._book(call.row_id, ledger_lines(call), intent, call.basis == BOUND)


class ModelBook:
    """A `ModelLedger` over the ledger of the run. Each call stands in the store before it is sent."""

    def __init__(self, ledger: RunLedger, kind: str) -> None:
        self._ledger, self._kind = ledger, kind
        self._intents: dict[tuple[str, str], list[int | None]] = {}
        self._taken: set[int] = set()

    async def reserve(self, row_id: str, subject: str, usd: float | None) -> float | None:
        """See `ModelLedger`."""
        reserved, intent = await self._ledger.reserve_model(row_id, self._kind, subject, usd)
        self._intents.setdefault((row_id, subject), []).append(intent)
        return reserved

    def resume(self, row_id: str, subject: str, usd: float | None) -> float | None:
        """See `ModelLedger`; the line of the earlier process is taken over."""
        known = {intent for noted in self._intents.values() for intent in noted if intent is not None} | self._taken
        intent = self._ledger.resume_model(row_id, self._kind, subject, usd, known)
        if intent is not None:
            self._taken.add(intent)
        self._intents.setdefault((row_id, subject), []).append(intent)
        return usd

    def book(self, call: ModelCall) -> None:
        """See `ModelLedger`; an answer from the cache was never set aside."""
        noted = [] if call.basis == CACHE else self._intents.get((call.row_id, subject_of(call)), [])
        self._ledger.book_model(call, noted.pop(0) if noted else None)

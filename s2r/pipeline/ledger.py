"""What the calls of a run cost: booked at once, by row and provider, and held under a cap."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from s2r.errors import BudgetExceeded
from s2r.search.caller import SearchCall
from s2r.store import Store

_CENT_FRACTION = 1e-9  # sums of prices are not exact in binary


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
        return None if self.unknown else round(self.usd, 6)


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
    """The ledger of a run folder. `cap` (USD) bounds all that the folder has cost, calls under way included; None = no cap."""

    def __init__(self, cap: float | None = None) -> None:
        self.cap = cap
        self._reserved = self._spent = 0.0
        self._intend: Callable[[str, str, float | None], int] | None = None
        self._book: Callable[[str, list[tuple[str, float, str, float | None]], int | None, bool], None] | None = None

    def bind(self, store: Store, run_id: str, clock: Callable[[], dt.datetime]) -> None:
        """Book into this store from now on; what stands there already counts."""
        self._spent = store.spent()
        self._intend = lambda row_id, kind, usd: store.intend(run_id, row_id, kind, "calls", usd, clock())
        self._book = lambda row_id, lines, intent, lost: store.book(run_id, row_id, lines, clock(), intent=intent, lost=lost)

    def reserve(self, provider: str, usd: float | None) -> int | None:
        """Set `usd` aside for a call and note it before it is sent, so that one under way at a kill still counts; raises
        `BudgetExceeded` when spent and set aside would pass the cap."""
        if self.cap is not None:
            advice = f"Repeat the same command with a higher --max-usd than {self.cap:g}; what is done is kept."
            if usd is None:
                raise BudgetExceeded(
                    "the price of a call is unknown", subject=provider, advice="Add it to prices.toml, or leave --max-usd out."
                )
            if self._spent + self._reserved + usd > self.cap + _CENT_FRACTION:
                told = f"the cap of {self.cap:g} USD is reached ({self._spent:.4f} spent, the next call may cost {usd:g})"
                raise BudgetExceeded(told, subject=provider, advice=advice)
        row = _ROW.get()
        intent = self._intend(row.row_id if row else "", f"search:{provider}", usd) if self._intend else None
        self._reserved += usd or 0.0
        return intent

    def book(self, call: SearchCall) -> None:
        """Book a call that ended, and free what was set aside for it."""
        self._reserved = max(0.0, self._reserved - (call.reserved or 0.0))
        self._spent += call.usd or 0.0
        row = _ROW.get()
        if row is not None:
            row.calls += 1
            row.usd += call.usd or 0.0
            row.unknown += call.usd is None
        if self._book is not None:
            lines: list[tuple[str, float, str, float | None]] = [(f"search:{call.provider}", 1.0, "calls", call.usd)]
            if call.credits is not None:
                lines.append((f"credits:{call.provider}", call.credits, "credits", 0.0))
            self._book(row.row_id if row else "", lines, call.intent, call.basis == "bound")

"""Caps on what models cost, in all and for each record: checked before each call with what is under way, booked after it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Protocol

from s2r.errors import BudgetExceeded
from s2r.modelapi.prices import CACHE
from s2r.modelapi.types import ModelCall

_TINY = 1e-9  # sums of prices are not exact in binary


class RecordBudgetExceeded(BudgetExceeded):
    """The cap of one record is reached; other records may go on."""


class BudgetBusy(BudgetExceeded):
    """No money is left for now: calls under way may cost it, or may not. Try again when one has ended."""


class ModelLedger(Protocol):
    """Where calls are paid for. `reserve` is asked before each request; `book` follows once for each `reserve` that came back."""

    async def reserve(self, row_id: str, subject: str, usd: float | None) -> float | None:
        """Set the most that a call may cost aside, and give what was set aside (None: unknown); raises `BudgetExceeded`."""
        ...

    def resume(self, row_id: str, subject: str, usd: float | None) -> float | None:
        """Set aside again what an earlier process had set aside for a call that it has sent: no cap refuses what is under way."""
        ...

    def book(self, call: ModelCall) -> None:
        """Book a call that ended, and free what was set aside for it."""
        ...


class Budget:
    """A ledger with caps in US dollars (None = no cap). One event loop.

    A call that fits what is spent, but not what is spent and set aside, waits until calls under way have ended: a cap is reached by
    money spent, never by money set aside. `spent` and `spent_by_row` are what earlier runs of the folder have cost, `keep` books.
    """

    def __init__(
        self,
        max_usd: float | None = None,
        max_usd_per_record: float | None = None,
        *,
        spent: float = 0.0,
        spent_by_row: Mapping[str, float] | None = None,
        keep: Callable[[ModelCall], None] | None = None,
    ) -> None:
        self.max_usd, self.max_usd_per_record = max_usd, max_usd_per_record
        self.spent, self.set_aside = spent, 0.0
        self.unknown = 0  # calls whose price is unknown
        self._rows = defaultdict[str, float](float, spent_by_row or {})
        self._rows_aside = defaultdict[str, float](float)
        self._worst: dict[str, float] = {}
        self.keep = keep
        self._waiting: list[asyncio.Future[None]] = []

    def spent_for(self, row_id: str) -> float:
        """Dollars of known price that a record has cost."""
        return self._rows.get(row_id, 0.0)

    async def reserve(self, row_id: str, subject: str, usd: float | None) -> float | None:
        """See `ModelLedger`; what a call of the same `subject` has cost beyond its bound is set aside from then on."""
        capped = self.max_usd is not None or self.max_usd_per_record is not None
        if usd is None and capped:
            raise BudgetExceeded(
                "its price is unknown, so a cap cannot be kept", subject=subject,
                advice="Add the price to prices.toml as [model.\"provider:name\"], or leave the cap out.",
            )  # fmt: skip
        if usd is None:
            return None
        while True:
            wanted = max(usd, self._worst.get(subject, 0.0))
            self._refuse(row_id, subject, wanted)
            if self._fits(row_id, wanted):
                break
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        self._take(row_id, wanted)
        return wanted

    def resume(self, row_id: str, subject: str, usd: float | None) -> float | None:
        """See `ModelLedger`."""
        if usd is not None:
            self._take(row_id, usd)
        return usd

    def uncount(self, row_id: str, usd: float) -> None:
        """What was counted as spent is only set aside: the call is under way."""
        self.spent = max(0.0, self.spent - usd)
        self._rows[row_id] = max(0.0, self._rows[row_id] - usd)

    def hold(self, row_id: str, subject: str, usd: float | None) -> None:
        """As `reserve` for who cannot wait: raises `BudgetBusy` where a call has to wait until others have ended."""
        if usd is None:
            if self.max_usd is not None or self.max_usd_per_record is not None:
                raise BudgetExceeded(
                    "the price of a call is unknown", subject=subject, advice="Add it to prices.toml, or leave the cap out."
                )
            return
        self._refuse(row_id, subject, usd)
        if not self._fits(row_id, usd):
            told = f"({self.spent:.4f} spent, calls under way may cost the rest)"
            advice = "Repeat the same command with a higher --max-usd; what is done is kept."
            raise BudgetBusy(
                f"the cap of {self.max_usd or self.max_usd_per_record:g} USD is reached {told}", subject=subject, advice=advice
            )
        self._take(row_id, usd)

    def count_in(self, spent: float, by_row: Mapping[str, float]) -> None:
        """What earlier runs have cost, in all and by record."""
        self.spent = spent
        self._rows.clear()
        self._rows.update(by_row)

    async def freed(self) -> None:
        """Wait until the next call has ended; at once when none is under way."""
        if self.set_aside > _TINY:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn

    def _take(self, row_id: str, usd: float) -> None:
        self.set_aside += usd
        self._rows_aside[row_id] += usd

    def settle(self, row_id: str, aside: float, usd: float) -> None:
        """Free what was set aside for a call that ended, and count what it cost."""
        self.set_aside = max(0.0, self.set_aside - aside)
        self._rows_aside[row_id] = max(0.0, self._rows_aside[row_id] - aside)
        self.spent += usd
        self._rows[row_id] += usd
        woken, self._waiting = self._waiting, []
        for turn in woken:
            if not turn.done():
                turn.set_result(None)

    def book(self, call: ModelCall) -> None:
        """See `ModelLedger`."""
        usd = call.usd or 0.0
        self.unknown += call.usd is None
        if call.reserved is not None and usd > call.reserved:
            subject = subject_of(call)
            self._worst[subject] = max(usd, self._worst.get(subject, 0.0))
        self.settle(call.row_id, call.reserved or 0.0, usd)
        if self.keep is not None:
            self.keep(call)

    def _refuse(self, row_id: str, subject: str, usd: float) -> None:
        told = "{:.4f} USD spent, the next call may cost {:.4f}"
        if self.max_usd is not None and self.spent + usd > self.max_usd + _TINY:
            raise BudgetExceeded(
                f"the cap of {self.max_usd:g} USD is reached ({told.format(self.spent, usd)})", subject=subject,
                advice=f"Repeat the same command with a higher --max-usd than {self.max_usd:g}; what is done is kept.",
            )  # fmt: skip
        cap, row = self.max_usd_per_record, self.spent_for(row_id)
        if cap is not None and row + usd > cap + _TINY:
            raise RecordBudgetExceeded(
                f"the cap of {cap:g} USD for one record is reached ({told.format(row, usd)})", subject=row_id or subject,
                advice=f"Repeat the same command with a higher --max-usd-per-record than {cap:g}.",
            )  # fmt: skip

    def _fits(self, row_id: str, usd: float) -> bool:
        whole = self.max_usd is None or self.spent + self.set_aside + usd <= self.max_usd + _TINY
        cap = self.max_usd_per_record
        return whole and (cap is None or self.spent_for(row_id) + self._rows_aside[row_id] + usd <= cap + _TINY)


def subject_of(call: ModelCall) -> str:
    """What calls are compared by: provider, role and purpose."""
    return f"{call.provider} ({call.role}, {call.purpose})"


LedgerLine = tuple[str, float, str, float | None]  # kind, amount, unit, dollars: as the store's ledger takes it


def ledger_lines(call: ModelCall) -> list[LedgerLine]:
    """A call as lines of the store's ledger: its cost on the first, then each count that the provider reported and the seconds it took."""
    name, used = f"{call.provider}:{call.model}", call.usage
    counts = (
        ("input", used.input_tokens),
        ("cached", used.cached_tokens),
        ("cache_write", used.cache_write_tokens),
        ("output", used.output_tokens),
        ("reasoning", used.reasoning_tokens),
    )
    lines: list[LedgerLine] = [(f"model:{call.role}:{name}", 1.0, "cache hits" if call.basis == CACHE else "calls", call.usd)]
    lines += [(f"model_{kind}:{name}", float(number), "tokens", 0.0) for kind, number in counts if number]
    lines += [(f"model_search:{name}", float(used.searches), "searches", 0.0)] if used.searches else []
    return lines + ([(f"model_seconds:{name}", call.elapsed_s, "seconds", 0.0)] if call.elapsed_s else [])

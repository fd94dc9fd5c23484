"""Which spellings mean the same firm: keys of tickers and names, and union-find that keeps the reason of every link."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

from s2r.lang.name_parts import core_name
from s2r.lang.text import fold

K = TypeVar("K", bound=Hashable)

# Exchange marks of Reuters codes for venues where the code before the mark is the ticker: US exchanges and OTC.
_RIC = re.compile(r"([A-Z]{1,5}(?:\.[AB])?)\.(?:O|OQ|N|K|A|P|PK|OB|Z)")
_TICKER = re.compile(r"[A-Z0-9]{1,6}(?:[.\-/][A-Z0-9]{1,3})?")
_ID = re.compile(r"(lei|isin|cik|figi|cusip):\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Surface:
    """One spelling of a firm: kind (ticker, id or name) and the key under which equal spellings meet."""

    label: str
    kind: str
    key: str


def surface(text: str) -> Surface:
    """The spelling `text` with its kind and key."""
    label = " ".join(text.split())
    if found := _ID.fullmatch(label):
        return Surface(label, "id", f"{found.group(1).lower()}:{found.group(2).upper().lstrip('0')}")
    if _TICKER.fullmatch(label) and not label.isdigit():
        return Surface(label, "ticker", f"ticker:{base_ticker(label)}")
    return Surface(label, "name", f"name:{name_key(label)}")


def base_ticker(ticker: str) -> str:
    """The ticker without the exchange mark of a US Reuters code: AAPL.O -> AAPL; codes of other venues stay whole."""
    found = _RIC.fullmatch(ticker.upper())
    return found.group(1) if found else ticker.upper()


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """What two spellings of one company name share: no legal form, no case, no punctuation."""
    folded = fold(core_name(name) or name).text
    return " ".join(re.findall(r"\w+", folded))


@dataclass(slots=True)
class Unions(Generic[K]):
    """Union-find with the reasons of all links; the smallest member stands for its set."""

    parents: dict[K, K] = field(default_factory=dict)
    reasons: list[tuple[K, K, str]] = field(default_factory=list)

    def root(self, item: K) -> K:
        """The member that stands for the set of `item`."""
        parent = self.parents.setdefault(item, item)
        while parent != (above := self.parents[parent]):
            self.parents[item] = above
            item, parent = parent, above
        return parent

    def join(self, left: K, right: K, reason: str) -> bool:
        """Unite two sets and keep the reason; False when they were one already."""
        a, b = self.root(left), self.root(right)
        if a == b:
            return False
        keep, gone = (a, b) if a <= b else (b, a)  # type: ignore[operator]
        self.parents[gone] = keep
        self.reasons.append((left, right, reason))
        return True


def equal_keys(rows: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, int, str]]:
    """Links between spellings (id, label, key) with equal keys: (first id, id, reason)."""
    first: dict[str, tuple[int, str]] = {}
    for number, label, key in rows:
        if key not in first:
            first[key] = (number, label)
            continue
        other, spelt = first[key]
        what = "Reuters code of the same ticker" if key.startswith("ticker:") else "same name but for its legal form"
        yield other, number, f"{what}: {spelt} = {label}"

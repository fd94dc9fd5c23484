"""Rows of a synthetic universe with their truth and their pages; each follows from the seed and its own number alone."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from babel.dates import format_date

from s2r.errors import ConfigError
from s2r.models import Listing
from s2r.synth.markets import TRAPS, Market, PageText, Texts, markets, texts
from s2r.synth.names import SPACE, coin, japanese_ticker, kana, ticker

HOST = "synthetic.example"
FOOT = "Synthetic page made by s2r synth. No such company, security or notice exists."
_WORDS = ("Holdings", "Partners", "Capital", "Ventures")  # of companies that stand beside the issuer


@dataclass(frozen=True, slots=True)
class UniverseSpec:
    """What is generated. `mix`: shares of the strata A, B, C; `traps`, `noise`, `recaps`: how many pages of each kind a row has on
    average; with `mics` only these markets. A row is the same whatever the number of rows."""

    rows: int
    seed: int = 1
    mix: tuple[int, int, int] = (1, 1, 1)
    cutoff: dt.date = dt.date(2020, 12, 31)
    traps: float = 0.8
    noise: float = 0.6
    recaps: float = 0.8
    mics: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be generated, as ConfigError."""
        if not 0 < self.rows <= SPACE:
            raise ConfigError(f"{self.rows} is no number of rows", subject="--rows", advice="Give a number above 0.")
        if min(self.mix) < 0 or sum(self.mix) == 0:
            raise ConfigError("strata need shares of at least 0, one of them above", subject="--mix", advice="Write A:B:C, such as 1:1:1.")
        known = [market.mic for market in markets()]
        if wrong := [mic for mic in self.mics if mic not in known]:
            raise ConfigError(f"there is no market {wrong[0]!r}", subject="--markets", advice=f"Choose from {', '.join(known)}.")


@dataclass(frozen=True, slots=True)
class Document:
    """One page of the pool: the first four fields are the pool's, the others are gold."""

    url: str
    title: str
    content_type: str
    body: str
    published: dt.date
    language: str
    qualifying: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One row with its truth. `event`: day of the first qualifying disclosure (after the cutoff in B), None in C."""

    listing: Listing
    stratum: str
    event: dt.date | None
    reason: str
    disclosure_type: str
    traps: tuple[str, ...]
    language: str
    number: int

    @property
    def truth(self) -> str:
        """The right answer."""
        return "yes" if self.stratum == "A" else "no"


def cases(spec: UniverseSpec) -> Iterator[Case]:
    """All rows, one at a time."""
    return (make_case(spec, number) for number in range(spec.rows))


def make_case(spec: UniverseSpec, number: int) -> Case:
    """Row `number` (0-based)."""
    rng = _rng(spec, number, "case")
    market = rng.choices(_chosen(spec.mics), _weights(spec.mics))[0]
    words = texts(market.language)
    stratum = stratum_of(spec.mix, number)
    reason = rng.choice(sorted(words.notice)) if stratum != "C" else ""
    early, late = rng.randint(20, 1500), rng.randint(3, 700)
    event = {"A": spec.cutoff - dt.timedelta(days=early), "B": spec.cutoff + dt.timedelta(days=late)}.get(stratum)
    traps = tuple(dict.fromkeys(rng.choices(TRAPS, k=_number(rng, spec.traps))))
    name = _names(market, words, number, spec.seed)
    listing = Listing(
        row_id=f"SYN-{number + 1:06d}",
        row_number=number + 2,
        issuer=name["universe"],
        security=market.security,
        security_type="common",
        ticker=japanese_ticker(number) if market.country == "JP" else ticker(number, spec.seed),
        mic=market.mic,
        venue=market.venue,
        country=market.country,
        cutoff=spec.cutoff,
    )
    kind = words.notice[reason].kind if reason else ""
    return Case(listing, stratum, event, reason, kind, traps, market.language, number)


def documents(spec: UniverseSpec, case: Case) -> Iterator[Document]:
    """The pages of a row: its notice, recaps of it, traps and noise."""
    rng = _rng(spec, case.number, "pages")
    market = next(m for m in markets() if m.mic == case.listing.mic)
    writer = _Writer(spec, case, market, texts(market.language), rng)
    last = spec.cutoff if case.event is None else case.event
    if case.event:
        yield writer.page("notice", writer.words.notice[case.reason], case.event, qualifying=True)
        first = case.event + dt.timedelta(days=rng.randint(5, 200))
        for copy in range(_number(rng, spec.recaps)):
            yield writer.page(f"recap{copy + 1}", writer.words.recap, first + dt.timedelta(days=copy), qualifying=False)
    for trap in case.traps:
        yield writer.page(trap, writer.words.page(trap), last - dt.timedelta(days=rng.randint(30, 900)), qualifying=False)
    for copy in range(max(_number(rng, spec.noise), 0 if case.event or case.traps else 1)):
        day = last - dt.timedelta(days=rng.randint(10, 1500))
        yield writer.page(f"news{copy + 1}", writer.words.noise, day, qualifying=False)


def stratum_of(mix: tuple[int, int, int], number: int) -> str:
    """Stratum of a row: in every whole period the shares are exact, and the strata stand mixed."""
    shared = gcd(*mix)
    a, b, c = (part // shared for part in mix)
    period = a + b + c
    stride = next(k for k in range(max(1, round(period * 0.618)), 2 * period + 2) if gcd(k, period) == 1)
    place = number * stride % period
    return "A" if place < a else "B" if place < a + b else "C"


def _rng(spec: UniverseSpec, number: int, purpose: str) -> random.Random:
    return random.Random(f"s2r synth {spec.seed} {purpose} {number}")  # noqa: S311 - a generator of tests


@lru_cache(maxsize=64)
def _chosen(mics: tuple[str, ...]) -> tuple[Market, ...]:
    return tuple(m for m in markets() if not mics or m.mic in mics)


@lru_cache(maxsize=64)
def _weights(mics: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(m.weight for m in _chosen(mics))


def _number(rng: random.Random, average: float) -> int:
    """A small count with this average: 0.8 is none or one, 2.3 is two or three."""
    whole = int(average)
    return whole + (rng.random() < average - whole)


def _names(market: Market, words: Texts, number: int, seed: int) -> dict[str, str]:
    trade = number % len(words.trades)
    fields = {
        "coin": coin(number, seed),
        "kana": kana(number, seed),
        "trade": words.trades[trade],
        "local_trade": words.local_trades[trade] if words.local_trades else "",
    }
    universe = market.form.format(**fields)
    return {"universe": universe, "page": market.local.format(**fields) if market.local else universe}


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the pages of one case."""

    spec: UniverseSpec
    case: Case
    market: Market
    words: Texts
    rng: random.Random

    def page(self, name: str, text: PageText, day: dt.date, *, qualifying: bool) -> Document:
        fields = self._fields(day)
        title = text.title.format(**fields)
        lines = [line for line in text.body.format(**fields).strip().split("\n\n") if line]
        body = "".join(f"<p>{line}</p>" for line in lines)
        language = self.case.language
        html = (
            f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head><body><main>'
            f"<h1>{title}</h1>{body}</main><footer>{FOOT}</footer></body></html>"
        )
        place = f"https://{self._site(name)}.{HOST}/{self.case.listing.row_id.lower()}/{name}"
        return Document(place, title, "text/html", html, day, language, qualifying)

    def _site(self, name: str) -> str:
        if name.startswith("recap"):
            return f"recaps-{name[5:]}"
        return f"{'wire' if name.startswith('news') else 'notices'}-{self.market.mic.lower()}"

    def _fields(self, day: dt.date) -> dict[str, str]:
        listing, market = self.case.listing, self.market
        event = self.case.event or day
        other = f"{coin(SPACE - 1 - self.case.number, self.spec.seed)} {_WORDS[self.case.number % len(_WORDS)]}"
        return {
            "issuer": _names(market, self.words, self.case.number, self.spec.seed)["page"],
            "short": market.short,
            "ticker": listing.ticker,
            "venue": market.local_venue or market.venue,
            "sister": market.local_sister or market.sister,
            "city": market.city,
            "other": other,
            "other_class": market.other_class,
            "day": self._day(day),
            "event": self._day(event),
            "effective": self._day(event + dt.timedelta(days=21)),
            "month": format_date(event, "MMMM y" if self.case.language != "ja" else "y年M月", locale=self.words.locale),
        }

    def _day(self, day: dt.date) -> str:
        return format_date(day, "long", locale=self.words.locale)

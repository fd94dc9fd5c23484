"""Constituents of a question: event types, periods, firms, roles and numbers, each with its place; what is read is masked for what follows."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from s2r.events.ask.numbers import Amount, day_spans, thresholds
from s2r.events.ask.periods import Period, find_periods
from s2r.events.spec import Role
from s2r.lang.tickers import is_ordinary_word
from s2r.policy.event_types import EventTypes

PERIOD, DAYS, COUNT, FIRM, EVENT = "\u2460\u2461\u2462\u2463\u0000"  # what stands for a masked character; only EVENT stops a loose phrase
Known = Callable[[Iterable[str]], set[str]]

_PLAIN = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u00a0": " ", "\u2011": "-"}
)
_TICKER = re.compile(r"(?<![\w$&])\$?(?P<t>[A-Z][A-Z0-9]{0,5}(?:[.-][A-Z]{1,2})?)(?![\w&])")
_NO_TICKER = frozenset(
    [
        "A",
        "I",
        "AN",
        "AND",
        "OR",
        "NOT",
        "BOTH",
        "ALL",
        "ANY",
        "PER",
        "THE",
        "EACH",
        "ONE",
        "NO",
        "YES",
        "OF",
        "IN",
        "ON",
        "TO",
        "BY",
        "FOR",
        "US",
        "USA",
        "UK",
        "EU",
        "SEC",
        "NYSE",
        "NASDAQ",
        "OTC",
        "OK",
        "ID",
        "ISO",
        "CSV",
        "AM",
        "PM",
        "CEO",
        "CFO",
        "COO",
        "CEOS",
        "CFOS",
        "IPO",
        "IPOS",
        "SPAC",
        "MA",
        "Q",
        "H",
        "FY",
        "CY",
        "ETF",
        "AI",
        "ESG",
        "YTD",
        "EOD",
        "AKA",
        "VS",
        "RIC",
        "LIST",
        "SHOW",
        "GIVE",
        "WHO",
        "WHICH",
        "WHAT",
        "BEFORE",
        "AFTER",
        "BETWEEN",
        "WITHIN",
        "SAME",
        "FIRM",
        "FIRMS",
    ]
)
_TICKER_LEAD = re.compile(
    r"(?:\b(?:firm|ticker|company|symbol|exclud(?:e|ing)|except|involving|for)|\$)\s*$", re.IGNORECASE
)  # a ticker may follow, whatever it spells
_CAPITALS = re.compile(r"[A-Z][\w&.'-]*(?:[ ,]+(?:(?:of|and|the|de|&)[ ]+)?[A-Z0-9][\w&.'-]*){0,5}")
_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    (Role.BUYER, re.compile(
        r"\b(?:buyers?|acquirers?|acquirors?|purchasers?|bidders?|buy(?:ing)?[ -](?:side|end)|(?:acquiring|purchasing|buying) (?:side|end|part(?:y|ies)|firms?|compan(?:y|ies)|"
        r"role|capacity)|(?:doing|did|do) the (?:buying|acquiring|purchasing)|buyer's|were buying|was buying)\b")),
    (Role.SELLER, re.compile(
        r"\b(?:sellers?|vendors?|divest(?:ors?|ers?)|disposers?|sell(?:ing)?[ -](?:side|end)|(?:selling|divesting|disposing) (?:side|end|part(?:y|ies)|firms?|compan(?:y|ies)|"
        r"role|capacity)|(?:doing|did|do) the (?:selling|divesting)|were selling|was selling)\b")),
    (Role.TARGET, re.compile(
        r"\b(?:targets?|targeted|acquirees?|acquired (?:side|end|part(?:y|ies)|firms?|compan(?:y|ies))|(?:was|were|being|got|gets?) (?:the one )?"
        r"(?:acquired|bought(?: out)?|taken over)|takeover targets?)\b")),
)  # fmt: skip


class Mention(NamedTuple):
    """An event type with its place."""

    start: int
    end: int
    type: str


class Named(NamedTuple):
    """A firm or a role with its place."""

    start: int
    end: int
    value: str


@dataclass(slots=True)
class Reading:
    """A question and its constituents in order of place. `rest` is the lower-case text with all of them masked."""

    text: str
    rest: str
    events: list[Mention] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)
    days: list[Amount] = field(default_factory=list)
    counts: list[Amount] = field(default_factory=list)
    firms: list[Named] = field(default_factory=list)
    roles: list[Named] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def low(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    def mask(self, start: int, end: int, mark: str) -> None:
        """Cover a span in `rest`."""
        self.rest = self.rest[:start] + mark * (end - start) + self.rest[end:]


def read_question(text: str, kinds: EventTypes, known: Known | None = None, today: dt.date | None = None) -> Reading:
    """Constituents of an English question; `known` says which spellings are firms of the store."""
    plain = " ".join(text.translate(_PLAIN).split())
    reading = Reading(plain, plain.lower() if len(plain.lower()) == len(plain) else plain)
    _literal_types(reading, kinds)
    reading.periods = find_periods(reading.text, today)
    for period in reading.periods:
        reading.mask(period.start, period.end, PERIOD)
    reading.days = day_spans(reading.rest)
    for amount in reading.days:
        reading.mask(amount.start, amount.end, DAYS)
    reading.counts = thresholds(reading.rest)
    for amount in reading.counts:
        reading.mask(amount.start, amount.end, COUNT)
    if known is not None:
        _names(reading, known)
    _mentions(reading, kinds, "mention")
    _tickers(reading)
    if not reading.firms:
        _unread_names(reading, known)
    _mentions(reading, kinds, "loose")
    _attributes(reading, kinds)
    reading.roles = sorted(
        Named(match.start(), match.end(), role.value) for role, pattern in _ROLES for match in pattern.finditer(reading.rest)
    )
    reading.events.sort()
    reading.firms.sort()
    return reading


@lru_cache(maxsize=8)
def _literals(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w&])(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})(?!\w)")


def _literal_types(reading: Reading, kinds: EventTypes) -> None:
    """Names of types as they are written in tuples (M&A_announce)."""
    for match in _literals(kinds.names).finditer(reading.text):
        reading.events.append(Mention(match.start(), match.end(), match.group()))
        reading.mask(match.start(), match.end(), EVENT)


@lru_cache(maxsize=16)
def _patterns(digest: str, family: str, phrases: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern)) for name, pattern in phrases)


def _mentions(reading: Reading, kinds: EventTypes, family: str) -> None:
    """Phrases that name a type. Of overlapping ones the longest wins, or, with words of the question inside, the shortest."""
    phrases = tuple((name, phrase.pattern) for name, kind in kinds.types.items() for phrase in getattr(kind, family))
    found: list[Mention] = []
    for name, pattern in _patterns(kinds.digest, family, phrases):
        at = 0
        while match := pattern.search(reading.rest, at):
            found.append(Mention(match.start(), match.end(), name))
            at = match.start() + 1
    sign = 1 if family == "loose" else -1
    taken: list[Mention] = []
    for mention in sorted(found, key=lambda m: (sign * (m.end - m.start), m.start, m.type)):
        if all(mention.end <= other.start or other.end <= mention.start for other in taken):
            taken.append(mention)
    for mention in taken:
        reading.mask(mention.start, mention.end, EVENT)
    reading.events += taken


def _tickers(reading: Reading) -> None:
    for match in _TICKER.finditer(reading.text):
        start, end, ticker = match.start("t"), match.end("t"), match["t"]
        if any(mark in reading.rest[start:end] for mark in (PERIOD, DAYS, COUNT, FIRM, EVENT)):
            continue  # read already
        told = _TICKER_LEAD.search(reading.text[: match.start()]) or reading.text[end : end + 2] == "'s"
        if (ticker in _NO_TICKER or len(ticker) == 1) and not told:
            continue
        reading.firms.append(Named(start, end, ticker))
        reading.mask(start, end, FIRM)


_LOWER_TICKER = re.compile(
    r"(?:\b(?:involving|at|of|for|by|about|with|firm|company|ticker|concerning|around)\s+(?P<a>[a-z]{2,5})|\b(?P<b>[a-z]{2,5})(?='s\b))(?![\w&-])"
)
# A word that leads to a name, then the name; a capital elsewhere may only open a sentence.
_TITLE = re.compile(
    r"\b(?:[Dd]id|[Hh]as|[Hh]ad|[Dd]oes|[Ww]as|[Ww]ere|[Ii]nvolving|[Aa]t|[Oo]f|[Ff]or|[Bb]y|[Aa]bout|[Ww]ith|[Ff]irm|[Cc]ompany|[Cc]oncerning|[Aa]round|and|or) "
    r"(?P<n>[A-Z][a-z][\w&'-]*(?: (?:& )?[A-Z][\w&.'-]*){0,4})"
)
_NO_NAME = frozenset(
    "Buyer Seller Target Monday Tuesday Wednesday Thursday Friday Saturday Sunday Any All Each Both Which Who What List Show Give Please Excel Json".split()  # noqa: SIM905
)


def _unread_names(reading: Reading, known: Known | None) -> None:
    """A ticker in small letters that the store knows, or a capitalised name inside of a sentence: a firm that is named and not known must not be
    dropped in silence."""
    for match in _LOWER_TICKER.finditer(reading.rest) if known is not None else ():
        place = match.span("a") if match["a"] else match.span("b")
        ticker = reading.text[place[0] : place[1]].upper()
        if not is_ordinary_word(ticker) and known is not None and known([ticker]):
            reading.firms.append(Named(*place, ticker))
            reading.mask(*place, FIRM)
            return
    for match in _TITLE.finditer(reading.text):
        start, end = match.span("n")
        masked = any(mark in reading.rest[start:end] for mark in (PERIOD, DAYS, COUNT, FIRM, EVENT))
        if masked or match["n"].split()[0] in _NO_NAME:
            continue
        name = re.sub(r"'s?$", "", match["n"]).rstrip(".,")
        reading.firms.append(Named(start, start + len(name), name))
        reading.mask(start, start + len(name), FIRM)


def _names(reading: Reading, known: Known) -> None:
    """Company names of the store: runs of capitalised words, the longest first."""
    runs: dict[str, list[tuple[int, int]]] = {}
    for match in _CAPITALS.finditer(reading.text):
        words = [(m.start() + match.start(), m.end() + match.start()) for m in re.finditer(r"[^ ,]+", match.group())]
        for first in range(len(words)):
            for last in range(first, len(words)):
                label = re.sub(r"'s?$", "", reading.text[words[first][0] : words[last][1]].strip(".,?!"))
                if len(label) > 2 and not label.isupper():
                    runs.setdefault(label, []).append((words[first][0], words[first][0] + len(label)))
    for label in sorted(known(runs), key=len, reverse=True):
        for start, end in runs[label]:
            if FIRM not in reading.rest[start:end] and EVENT not in reading.rest[start:end]:
                reading.firms.append(Named(start, end, label))
                reading.mask(start, end, FIRM)


def _attributes(reading: Reading, kinds: EventTypes) -> None:
    for name in {mention.type for mention in reading.events}:
        for attribute, values in kinds[name].attributes.items():
            for value, phrases in values.items():
                if any(re.search(phrase.pattern, reading.low) for phrase in phrases):
                    reading.attributes.setdefault(attribute, value)

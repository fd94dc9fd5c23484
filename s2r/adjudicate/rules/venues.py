"""Which venues a text names: the longest alias wins; a city counts only beside a word for exchange or listing."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from s2r.adjudicate.rules.abroad import NATIONAL, Regions, unlisted
from s2r.adjudicate.rules.lexis import Scan
from s2r.lang.literals import Literals
from s2r.lang.text import fold_text
from s2r.policy import Policy, Venue

ACRONYM = 4  # letters of an abbreviation that is also a word ("SET", "AIM")
UNLISTED = frozenset({"?"})  # an exchange that no file describes: it is none of the known ones
CITY_REACH = 40  # folded characters between a city and the word that makes it a venue


class VenueMention(NamedTuple):
    """One mention in folded text; `mics` are all venues the words may stand for."""

    start: int
    end: int
    mics: frozenset[str]
    city: bool
    national: bool = False  # a kind of market that only one country has


class VenueIndex:
    """All venue names of a policy, ready to be found in folded text."""

    def __init__(self, venues: Mapping[str, Venue]) -> None:
        names: dict[str, set[str]] = {}
        self._acronyms: set[str] = set()
        cities: dict[str, set[str]] = {}
        for mic, venue in venues.items():
            for alias in (venue.name, *venue.aliases, *venue.former_names, *venue.operator_names):
                names.setdefault(fold_text(alias).strip(), set()).add(mic)
                if alias.isascii() and alias.isupper() and len(alias) <= ACRONYM:
                    self._acronyms.add(fold_text(alias).strip())
            for alias in venue.city_aliases:
                cities.setdefault(fold_text(alias).strip(), set()).add(mic)
                if alias.isascii() and alias.isupper() and len(alias) <= ACRONYM:
                    self._acronyms.add(fold_text(alias).strip())
        self._names = sorted(((a, frozenset(m), False) for a, m in names.items() if a), key=lambda x: -len(x[0]))
        self._names += sorted(((a, frozenset(m), True) for a, m in cities.items() if a and a not in names), key=lambda x: -len(x[0]))
        self._by_alias: dict[str, list[tuple[str, frozenset[str], bool]]] = {}
        for item in self._names:
            self._by_alias.setdefault(item[0], []).append(item)
        self._regions = Regions(venues)
        self._national = {
            name: frozenset(mic for mic, venue in venues.items() if venue.country == country) for name, country in NATIONAL.items()
        }
        self._literals = Literals((*self._by_alias, *self._regions.names, *self._national))

    def find(self, folded: str, scan: Scan, shown: Callable[[int, int], str] | None = None) -> tuple[VenueMention, ...]:
        """Mentions in reading order, none inside another. `shown` gives the text as it is written: "set out" names no exchange SET."""
        found: list[VenueMention] = []
        taken: list[tuple[int, int]] = []
        places = self._literals.ends(folded)
        present = [item for alias in places for item in self._by_alias.get(alias, ())]
        for alias, mics, city in sorted(present, key=lambda item: (-len(item[0]), item[0])):
            for last in places[alias]:
                at, end = last + 1 - len(alias), last + 1
                if shown is not None and alias in self._acronyms and not shown(at, end)[:1].isupper():
                    continue
                if _bounded(folded, at, end) and not _inside(taken, at, end) and not (city and not _is_city(scan, at, end, shown)):
                    bisect.insort(taken, (at, end))
                    found.append(VenueMention(at, end, mics, city))
        further = [*self._regions.find(folded, places), *((at, end, UNLISTED) for at, end in (unlisted(folded, shown) if shown else ()))]
        for at, end, mics in further:
            if not _inside(taken, at, end):
                bisect.insort(taken, (at, end))
                found.append(VenueMention(at, end, mics, city=True))
        for name in places.keys() & self._national.keys():
            for at, end in ((last + 1 - len(name), last + 1) for last in places[name]):
                if _bounded(folded, at, end) and not _inside(taken, at, end):
                    found.append(VenueMention(at, end, self._national[name], city=True, national=True))
        return tuple(sorted(found, key=lambda m: m.start))


_INDEXES: dict[str, VenueIndex] = {}


def venue_index(policy: Policy) -> VenueIndex:
    """The index of a policy, cached by its digest."""
    if policy.digest not in _INDEXES:
        _INDEXES[policy.digest] = VenueIndex(policy.venues)
    return _INDEXES[policy.digest]


_EXCHANGE_WORD = re.compile(
    r"börse|boerse|\bbolsas?\b|\bborsa\b|\bbourses?\b|\bbörs|\bbørs|\bbeurs|exchanges?\b|pörssi|giełd|noter|notier|kotier|listau|noteerau|listing|quotation|取引所|거래소|交易所"
)
_DELISTED_IN = re.compile(  # "decided to delist its shares in New York"
    r"\bde-?list\w*\b[^.;:]{0,50}\b(?:shares|stock|securities|receipts|ads|adss|adrs|gdrs|units|notes) (?:in|from) $"
)
# "the regulated market in Lisbon": a kind of market right before its city, or right behind it ("Helsingin säännellyltä markkinalta")
_MARKET_OF = re.compile(
    r"\b(?:(?:regulated|official) markets? (?:in|of|at)|the main market (?:in|of)|(?:regulierte[rnm]?|amtliche[rnm]?|geregelte[rnm]?|organisierte[rnm]?) (?:markt|handel) (?:in|zu|von)|freiverkehr (?:in|zu|von)"
    r"|marchés? (?:réglementés?|officiels?|principal) (?:de|d'|à)|mercados? (?:regulad[oa]s?|regulamentados?|oficial|principal) (?:de|em|en)|mercat[oi] (?:regolamentat[oi]|ufficiale|principale) di|gereglementeerde markt (?:van|in|te)"
    r"|(?:reglerade marknaden|reglerad marknad|huvudmarknaden|huvudlistan) i|(?:regulerte marked(?:et)?|regulert marked|regulerede marked|hovedlisten) i|rynk\w+ (?:regulowan\w+|podstawow\w+) w) ?$"
)
_MARKET_AFTER = re.compile(r"\w{0,4} (?:regulated market|säännel\w+ markkin|päälist)")
_LATIN_TAIL = re.compile(r"[a-zß-ÿ]{0,4}(?!\w)")


def _bounded(text: str, start: int, end: int) -> bool:
    """Latin names stand between word ends, with up to four letters of inflection; other scripts need no bounds."""
    first, last = text[start], text[end - 1]
    if _spaced(first) and start and _spaced(text[start - 1]):
        return False
    if not _spaced(last) or end == len(text) or not _spaced(text[end]):
        return True
    return end - start >= 5 and bool(_LATIN_TAIL.match(text, end))


def _spaced(char: str) -> bool:
    return char.isalnum() and ord(char) < 0x0E00


def _inside(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect.bisect_right(taken, (start, end))
    return (at > 0 and taken[at - 1][1] > start) or (at < len(taken) and taken[at][0] < end)


_DAY_BEFORE = re.compile(r"\d(?:\.|st|nd|rd|th|er|º)? $")
# what follows the city of a dateline: "Toronto, January 13, 2020 -", "Frankfurt am Main, 25. August 2019 –"
_DATELINE = re.compile(r"[^\n.;:]{0,24}?,? (?:[^\n;:]{0,24}?)\b(?:19|20)\d\d\b\W{0,4}[-–—:/]")
_BYLINE = re.compile(r" ?(?:\d{1,2}日)?(?:綜合|综合)?(?:報導|報道|报道|電訊|电讯|讯|訊)")  # "【記者林育如/台北報導】"
_YEAR_AFTER = re.compile(r",? (?:19|20)\d\d\b")


def _is_city(scan: Scan, start: int, end: int, shown: Callable[[int, int], str] | None) -> bool:
    """A place beside a word for exchange; "6. mai" and "mai 2020" are dates, and a dateline says where one writes."""
    if _DAY_BEFORE.search(scan.text, max(0, start - 5), start) or _YEAR_AFTER.match(scan.text, end) or _BYLINE.match(scan.text, end):
        return False
    opens = start == 0 or (shown is not None and "\n" in shown(start - 1, start))
    if opens and _DATELINE.match(scan.text, end):
        return False
    return _beside_exchange(scan, start, end)


def _beside_exchange(scan: Scan, start: int, end: int) -> bool:
    low, high = max(0, start - CITY_REACH), end + CITY_REACH
    if _DELISTED_IN.search(scan.text, max(0, start - 2 * CITY_REACH), start):
        return True
    if scan.within("actor.exchange", low, high) or _EXCHANGE_WORD.search(scan.text, low, high):
        return True
    return bool(_MARKET_OF.search(scan.text, low, start)) or bool(_MARKET_AFTER.match(scan.text, end))

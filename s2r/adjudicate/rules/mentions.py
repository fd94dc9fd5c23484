"""Everything that one document names: issuer, other companies, classes of security, venues, identifiers."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from s2r.adjudicate.rules.actedon import acted_on
from s2r.adjudicate.rules.agents import in_office
from s2r.adjudicate.rules.directions import (
    INTO_CLASS,
    INTO_CLASS_AFTER,
    LISTED_SYMBOL,
    UNDERLYING,
)
from s2r.adjudicate.rules.document import Document, Unit, folded_offset
from s2r.adjudicate.rules.namesakes import find_mentions, other_of_a_kind
from s2r.adjudicate.rules.owners import arabic_owners, owners
from s2r.adjudicate.rules.perpage import of_page
from s2r.adjudicate.rules.securities import designators
from s2r.adjudicate.rules.target import Target
from s2r.adjudicate.rules.venues import VenueMention, venue_index
from s2r.lang.name_words import is_distinctive
from s2r.lang.names import NameMention, Strength, extract_names
from s2r.lang.text import fold_text
from s2r.models import BlockKind
from s2r.policy import Policy, is_issuer_site


class Fit(StrEnum):
    """Whether something named is the target's, another's, or not named at all."""

    THIS = "this"
    OTHER = "other"
    OPEN = "open"


class Subject(NamedTuple):
    """What a passage is about, with the reason in words."""

    issuer: Fit
    security: Fit
    venue: Fit
    why: str
    names_issuer: bool = False  # in the passage itself, not inherited

    @property
    def target(self) -> str:
        """this | other | ambiguous."""
        if Fit.OTHER in (self.issuer, self.security, self.venue):
            return "other"
        return "this" if self.issuer is Fit.THIS else "ambiguous"


CLASS_PAIR = 25  # folded characters between two classes named as one ("Ordinary and Reclassified Shares")
CLASS_PAIR_HAN = 2  # the same in Chinese and Japanese ("A股、B股")
CONVERTED = 90  # folded characters before a class within which words tell that another one becomes it
CLASS_AFTER = 15  # a class named after the step counts as this much further away
LISTERS = frozenset({"exchange", "regulator", "filing", "wire"})  # sources whose notices list the securities they decide about
LIST_KINDS = (BlockKind.ROW, BlockKind.ITEM, BlockKind.PRE)
SHORT_LINE = 200  # characters of a line that may be an entry of a list
LEAD = 12  # characters before a name that still begins its line ("Same day: ")
FIRST_NAME = 6  # characters of a name's first word that stands for it
FORM_FIRST = frozenset({"jsc", "th"})  # families whose form stands before a name
SHORT_NAME = 4  # characters of a company's name that stands without its legal form
FOREIGN_CODE = "carries the code"
ISSUED_BY = re.compile(
    r"\b(?:debentures?|notes?|bonds?|warrants?|receipts?|rights|preferred (?:shares|stock|units)|securities|shares) (?:of|issued by) (?:the |this )?$"
)
WARNED = re.compile(r"(?<![A-Za-z])(?:\*ST|S\*ST|SST|ST) ?(?P<name>[一-龥]{2})")  # short names of companies under a warning
WARNING = re.compile(r"ST ?[一-龥]{2}")  # what each of these names holds
_ARABIC_LETTER = re.compile("[\u0621-\u064a]")
HEAD_LENGTH, HEAD_REST = 120, 8  # characters of a line that heads a company's part of a digest, and of it beside the name


class Mentions:
    """All mentions of one document, found for one target."""

    def __init__(self, doc: Document, target: Target, policy: Policy) -> None:
        self.doc, self.target = doc, target
        text, folded = doc.page.text, doc.folded
        self._policy = policy
        self._owners = of_page(doc, owners)
        self.mentions = find_mentions(doc, target, self._owners)
        self._named = [m for m in self.mentions if m.strength is not Strength.NAMESAKE]
        self._named_starts = [m.start for m in self._named]
        self._namesakes = [m for m in self.mentions if m.strength is Strength.NAMESAKE]
        fund = target.security_matcher.find(text, folded) if target.security_matcher else ()
        self._fund = [m for m in fund if m.strength in (Strength.FULL, Strength.CORE)]  # the family's name alone is no fund
        named = venue_index(policy).find(folded.text, doc.scan, lambda at, end: text[folded.starts[at] : folded.ends[end - 1]])
        self._venues: tuple[VenueMention, ...] = tuple(v for v in named if not (v.national and v.mics & target.mics))
        own = policy.venues.get(target.listing.mic)
        self._abroad = own is not None and own.country != "US"
        self._venue_starts = [v.start for v in self._venues]
        self._others = self._other_names(text)
        self._other_starts = [start for start, _, _ in self._others]
        self._tickers = target.codes_in(folded.text) if self._named else []
        self._ids = [at for code in target.ids for at in _occurrences(folded.text, code)]
        self._codes = sorted((*self._ids, *self._tickers))
        self._classes = self._spoken_classes()
        self._class_starts = [c[0] for c in self._classes]
        found_marks = designators(folded.text, {*target.marks, "letter"})
        self._marks = [d for d in found_marks if d.kind in target.marks]
        self._letters = [d for d in found_marks if d.kind == "letter"]
        self._subjects: dict[tuple[int, int, int], Subject] = {}  # told so far, by unit and words
        self._lists: dict[int, list[Unit]] = {}  # entries of the lists that units point at
        self._goals: dict[int, bool] = {}  # venues that are moved to, by their place
        self._results: dict[tuple[int, int], bool] = {}  # classes that another one becomes, by their place

    def _spoken_classes(self) -> list[tuple[int, int, str]]:
        """Class words of the page without those that are part of the issuer's name ("Income Fund")."""
        classes, folded = _outermost(self._class_words), self.doc.folded
        named = [m for m in self._named if m.strength in (Strength.FULL, Strength.CORE)] if classes else []
        lows = [folded_offset(folded, m.start) for m in named]
        highs = list(itertools.accumulate((folded_offset(folded, m.end) for m in named), max))
        places = ((bisect.bisect_right(lows, c[0]), c) for c in classes)
        return [c for at, c in places if not at or highs[at - 1] < c[1]]

    def _other_names(self, text: str) -> list[tuple[int, int, str]]:
        own = [(m.start, m.end) for m in self._named]
        found = []
        words, known_words = self.target.own_words, self.target.known_words
        short = {word for word in words[-1:] if len(words) > 1 and len(word) >= FIRST_NAME and is_distinctive(word)}
        surely_here = any(m.strength is Strength.FULL for m in self._named) or any(code in self.doc.folded.text for code in self.target.ids)
        for span in of_page(self.doc, extract_names):
            core = fold_text(span.core)
            if not any(is_distinctive(word) for word in core.split()):
                continue  # "Company Option": a defined term, no company
            if span.family in FORM_FIRST and known_words.issuperset(core.split()):
                continue  # the issuer by some of the words of its name
            if surely_here and core in short:
                continue  # the issuer by the last word of its name, on a page that names it in full
            if in_office(text, span.end):
                continue
            if not any(s < span.end and span.start < e for s, e in own) and not self._is_venue_name(span.start, span.end):
                found.append((span.start, span.end, core))
        found += [(m.start, m.end, fold_text(m.text)) for m in self._namesakes]
        found += self._warned(text, [*own, *((start, end) for start, end, _ in found)])
        found += self._bare_owners([*own, *((start, end) for start, end, _ in found)])
        heads = self._line_heads(text, {core for _, _, core in found})
        known = [*own, *((start, end) for start, end, _ in found)]
        bare = [head for head in heads if not any(s < head[1] and head[0] < e for s, e in known)]
        self._bare = {start for start, _, _ in bare}
        found += bare
        return sorted({*found, *self._named_short(text, found)})

    def _warned(self, text: str, known: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
        """Mainland companies by their short name under a warning ("*ST蓝箭") that cannot stand for the issuer's name."""
        issuer = self.target.listing.issuer
        found: list[tuple[int, int, str]] = []
        if WARNING.search(text) is None:
            return found
        for match in WARNED.finditer(text):
            name = match["name"]
            own = name[0] in issuer and name[1] in issuer[issuer.index(name[0]) :]
            if not own and not any(s < match.end() and match.start() < e for s, e in known):
                found.append((match.start(), match.end(), name))
        return found

    def _bare_owners(self, known: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
        """Companies without a legal form whose shares are spoken of; one that shares a word with the issuer may be the issuer."""
        issuer = self.target.all_words
        found = []
        local = of_page(self.doc, arabic_owners) if _ARABIC_LETTER.search(self.target.listing.issuer) else ()
        for start, end, core in (*self._owners, *of_page(self.doc, acted_on), *local):
            words = core.split()
            fstart, fend = folded_offset(self.doc.folded, start), folded_offset(self.doc.folded, end)
            if (
                (not issuer.isdisjoint(words) and not other_of_a_kind(words, self.target.own_words))
                or not any(is_distinctive(word) for word in words)
                or any(s < end and start < e for s, e in known)
            ):
                continue
            if not self._venues_in(fstart, fend) and not self._is_class(fstart, fend):
                found.append((start, end, core))
        return found

    def _is_class(self, fstart: int, fend: int) -> bool:
        return any(low < fend and fstart < high for low, high, _ in self._class_words)

    @cached_property
    def _class_words(self) -> list[tuple[int, int, str]]:
        scan = self.doc.scan
        return sorted((hit.start, hit.end, name.removeprefix("security.")) for name in scan.possible("security.") for hit in scan.all(name))

    def _named_short(self, text: str, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Later mentions of the other companies without their legal form ("Corvane", "세진모터스")."""
        cores = {core: text[start:end] for start, end, core in found}
        taken = [(start, end) for start, end, _ in found] + [(m.start, m.end) for m in self._named]
        short = []
        for core, surface in cores.items():
            plain = not is_distinctive(core.split()[0])  # a common word stands for no name alone
            if len(core) < SHORT_NAME or (plain and " " not in core) or is_issuer_site(self.doc.page.url, core):
                continue  # too short, a common word, or the site that prints the page
            at = surface.lower().find(core)
            if at < 0:
                continue
            name = surface[at : at + len(core)]
            first = name.split()[0]
            for start, end in _mentioned(text, name, name if plain or len(first) < FIRST_NAME else first):
                if not any(low < end and start < high for low, high in taken):
                    short.append((start, end, core))
        return short

    def _line_heads(self, text: str, cores: set[str]) -> list[tuple[int, int, str]]:
        """Short lines that open with another company's name in its bare form ("Sejin Motors, delisting decided")."""
        known = tuple(sorted((core for core in cores if len(core) >= SHORT_NAME), key=len, reverse=True))
        lines = [b for b in self.doc.page.blocks if b.end - b.start <= HEAD_LENGTH] if known else []
        openings = {core[0] for core in known}
        heads = [(b.start, fold_text(text[b.start : b.end])) for b in lines if _may_open(text[b.start : b.start + 2], openings)]
        return [(at, at + len(core), core) for at, line in heads if (core := next((c for c in known if line.startswith(c)), ""))]

    def _is_venue_name(self, start: int, end: int) -> bool:
        """The company named in [start, end) is an exchange ("ASX Limited")."""
        fstart, fend = folded_offset(self.doc.folded, start), folded_offset(self.doc.folded, end)
        return any(v.start >= fstart - 4 and not v.city for v in self._venues_in(fstart - 4, fend))

    @cached_property
    def _symbols(self) -> set[str]:
        """Symbols that the page gives with an exchange or as such."""
        return set(LISTED_SYMBOL.findall(self.doc.page.text))

    def names_target(self, start: int, end: int) -> bool:
        """The issuer (or, for a named fund, the fund) is named in [start, end) of the page text."""
        if self.target.security_matcher is not None:
            return any(start <= m.start < end for m in self._fund) or self._has_id(start, end)
        return self._names_issuer(start, end)

    def _names_issuer(self, start: int, end: int) -> bool:
        return _any_within(self._named_starts, start, end)

    def named_in(self, start: int, end: int) -> list[NameMention]:
        """Mentions of the issuer in [start, end)."""
        starts = self._named_starts
        return self._named[bisect.bisect_left(starts, start) : bisect.bisect_left(starts, end)]

    def others_in(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """Start, end and core of other companies named in [start, end)."""
        starts = self._other_starts
        return self._others[bisect.bisect_left(starts, start) : bisect.bisect_left(starts, end)]

    def names_other(self, start: int, end: int) -> list[str]:
        """Cores of other companies named in [start, end)."""
        return [core for _, _, core in self.others_in(start, end)]

    def _has_id(self, start: int, end: int) -> bool:
        if not self._codes:
            return False
        return _any_within(self._codes, folded_offset(self.doc.folded, start), folded_offset(self.doc.folded, end))

    def _in_list(self, unit: Unit) -> bool:
        """A row of a table that lists several entities: it has column heads, or another row of its table names a company."""
        block = self.doc.block(unit)
        return bool(block.header) and len([h for h in block.header if h]) >= 2

    def _classes_in(self, low: int, high: int) -> frozenset[str]:
        starts = self._class_starts
        found = self._classes[bisect.bisect_left(starts, low) : bisect.bisect_left(starts, high)]
        if not found:
            return frozenset()
        kept = [name for start, end, name in found if not self._is_result(start, end)]
        return frozenset(kept or [name for _, _, name in found])

    def _is_result(self, start: int, end: int) -> bool:
        """The class named at [start, end) of the folded text is what another one is converted into, buys or represents, or the fund
        that issued it ("debentures of the Fund")."""
        told = self._results.get((start, end))
        if told is None:
            told = self._results[start, end] = self._comes_of_another(start, end)
        return told

    def _comes_of_another(self, start: int, end: int) -> bool:
        text = self.doc.folded.text
        before = text[max(0, start - 40) : start]
        if ISSUED_BY.search(before):
            return True
        if UNDERLYING.search(self.doc.scan, max(0, start - 110), start):
            return True
        if INTO_CLASS.search(self.doc.scan, max(0, start - CONVERTED), start):
            return True
        if text.endswith("iksi", start, end) and self.doc.page.lang == "fi":
            return True
        return before.rstrip().endswith((" in", "に")) and bool(INTO_CLASS_AFTER.match(text, end))

    def _goes_on(self, unit: Unit) -> bool:
        return any(self.doc.scan.within(family, unit.fstart, unit.fend) for family in ("stage.reversal", "modality.negated"))

    def _venues_in(self, low: int, high: int) -> list[VenueMention]:
        starts = self._venue_starts
        return list(self._venues[bisect.bisect_left(starts, low) : bisect.bisect_left(starts, high)])


def _may_open(first: str, openings: AbstractSet[str]) -> bool:
    """The folded form of a text with these first two characters may begin with one of the folded openings."""
    return not first.isascii() or not first or first[0].isspace() or first[0].lower() in openings or not first[0].isalnum()


def _any_within(places: list[int], low: int, high: int) -> bool:
    """One of the ascending places is in [low, high)."""
    at = bisect.bisect_left(places, low)
    return at < len(places) and places[at] < high


def _outermost(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Class words without those inside a longer phrase of another class ("aandelen" in "preferente aandelen")."""
    starts = [start for start, _, _ in found]
    longest = max((end - start for start, end, _ in found), default=0)
    return [
        (start, end, name)
        for start, end, name in found
        if not any(
            end <= e and e - s > end - start and other != name
            for s, e, other in found[bisect.bisect_left(starts, end - longest) : bisect.bisect_right(starts, start)]
        )
    ]


def _gap(start: int, end: int, low: int, high: int) -> int:
    """Distance of [start, end) from the nearer edge of [low, high), also from inside."""
    if end <= low or start >= high:
        return max(low - end, start - high, 0)
    return min(abs(start - low), abs(high - end))


_GOES_ON = re.compile("[a-zà-ÿ]{3}")  # a longer word


def _mentioned(text: str, name: str, least: str) -> Iterator[tuple[int, int]]:
    """Places of `name`, or of its beginning `least` alone, that are not part of a longer word."""
    at = text.find(least)
    while at >= 0:
        ends = [at + len(name)] if text.startswith(name, at) else []
        end = next((end for end in (*ends, at + len(least)) if not _GOES_ON.match(text, end)), -1)
        if end < 0 or (at and text[at - 1].isalnum() and not text[at - 1].isdecimal()):
            at = text.find(least, at + 1)
        else:
            yield at, end
            at = text.find(least, end)


def _occurrences(text: str, needle: str) -> list[int]:
    found, at = [], text.find(needle)
    while at >= 0:
        found.append(at)
        at = text.find(needle, at + 1)
    return found

"""Is a passage about exactly this listing: issuer, class of security, venue.

A namesake, a re-used ticker, another class, another venue or another company never supports the target; what a passage
does not name it inherits from its block, its heading or its document.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from s2r.adjudicate.rules.directions import (
    ADMITTED,
    ADMITTED_NORTH,
    ADMITTED_ROMANCE,
    AUXILIARIES,
    AWAY,
    BESIDE_AFTER,
    BESIDE_BEFORE,
    CLASS_LINE,
    DESCRIBED_BY,
    ENDS_AFTER,
    ENDS_BEFORE,
    INTO,
    INTO_CLASS,
    INTO_CLASS_AFTER,
    KIN_BEFORE,
    LISTED_SYMBOL,
    MOVES,
    ONLY_AT,
    ORDINARY,
    OWN_SHARES,
    OWNS_AFTER,
    OWNS_BEFORE,
    REMOVAL_FORM,
    SECOND_LISTING,
    STAYS,
    SYMBOL,
    THERE,
    TICKER_AFTER,
    TOPIC,
    TOWARDS,
    UNDERLYING,
    UNITED_AFTER,
)
from s2r.adjudicate.rules.document import Document, Unit, folded_offset
from s2r.adjudicate.rules.securities import designators
from s2r.adjudicate.rules.stage import clause
from s2r.adjudicate.rules.target import Target
from s2r.adjudicate.rules.venues import VenueMention, venue_index
from s2r.lang.name_parts import core_name
from s2r.lang.name_words import is_distinctive
from s2r.lang.names import NameMention, Strength, extract_names
from s2r.lang.text import fold
from s2r.models import BlockKind
from s2r.policy import Policy, is_issuer_site


class Fit(StrEnum):
    """Whether something named is the target's, another's, or not named at all."""

    THIS = "this"
    OTHER = "other"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Subject:
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
CLASS_AFTER = 15  # a class named after the step counts as this much further away
INFLECTING = frozenset({"pl", "fi", "tr", "cs", "sk", "hu", "et", "lt", "lv", "hr", "sl"})  # languages that decline names
LISTERS = frozenset({"exchange", "regulator", "filing", "wire"})  # sources whose notices list the securities they decide about
_LIST_KINDS = (BlockKind.ROW, BlockKind.ITEM, BlockKind.PRE)
SHORT_LINE = 200  # characters of a line that may be an entry of a list
LEAD = 12  # characters before a name that still begins its line ("Same day: ")
FIRST_NAME = 6  # characters of a name's first word that stands for it
SHORT_NAME = 4  # characters of a company's name that stands without its legal form
FOREIGN_CODE = "carries the code"
HEAD_LENGTH, HEAD_REST = 120, 8  # characters of a line that heads a company's part of a digest, and of it beside the name


MIN_BARE_NAME = 4  # characters of a name that is recognised without its company form


class Identity:
    """All mentions of one document, resolved for one target."""

    def __init__(self, doc: Document, target: Target, policy: Policy) -> None:
        self.doc, self.target = doc, target
        text, folded = doc.page.text, doc.folded
        self.mentions: tuple[NameMention, ...] = target.matcher.find(text, folded)
        if doc.page.lang in INFLECTING and target.inflected is not None:
            known = {m.start for m in self.mentions}
            found = [m for m in target.inflected.finditer(text) if m.start() not in known]
            self.mentions = (*self.mentions, *(NameMention(m.start(), m.end(), m.group(), Strength.CORE) for m in found))
        self._named = [m for m in self.mentions if m.strength is not Strength.NAMESAKE]
        self._namesakes = [m for m in self.mentions if m.strength is Strength.NAMESAKE]
        fund = target.security_matcher.find(text, folded) if target.security_matcher else ()
        self._fund = [m for m in fund if m.strength in (Strength.FULL, Strength.CORE)]  # the family's name alone is no fund
        self._venues: tuple[VenueMention, ...] = venue_index(policy).find(
            folded.text, doc.scan, lambda at, end: text[folded.starts[at] : folded.ends[end - 1]]
        )
        own = policy.venues.get(target.listing.mic)
        self._abroad = own is not None and own.country != "US"
        self._venue_starts = [v.start for v in self._venues]
        self._others = self._other_names(text)
        self._tickers = [m.start() for m in target.ticker.finditer(folded.text)] if target.ticker and self._named else []
        self._ids = [at for code in target.ids for at in _occurrences(folded.text, code)]
        self._classes = _outermost(
            sorted(
                (hit.start, hit.end, family.removeprefix("security."))
                for family in doc.scan.named("security.")
                for hit in doc.scan.all(family)
            )
        )
        self._class_starts = [c[0] for c in self._classes]
        found_marks = designators(folded.text)
        self._marks = [d for d in found_marks if d.kind in target.marks]
        self._letters = [d for d in found_marks if d.kind == "letter"]
        self._segments = target.segments
        self._symbols = set(LISTED_SYMBOL.findall(text))
        self._form = self._form_class()
        self._partners = self._partner_names()
        self._heads = self._section_heads()
        self.focus = Fit.OPEN if self._heads else self._focus()
        self.venue_focus = self._venue_focus()

    # ---- issuer

    def _other_names(self, text: str) -> list[tuple[int, int, str]]:
        own = [(m.start, m.end) for m in self._named]
        found = []
        words = fold(core_name(self.target.listing.issuer)).text.split()
        short = {word for word in words[-1:] if len(words) > 1 and len(word) >= FIRST_NAME and is_distinctive(word)}
        surely_here = any(m.strength is Strength.FULL for m in self._named) or any(code in self.doc.folded.text for code in self.target.ids)
        for span in extract_names(text):
            if not any(is_distinctive(word) for word in fold(span.core).text.split()):
                continue  # "Company Option": a defined term, no company
            if surely_here and fold(span.core).text in short:
                continue  # the issuer by the last word of its name, on a page that names it in full
            if not any(s < span.end and span.start < e for s, e in own) and not self._is_venue_name(span.start, span.end):
                found.append((span.start, span.end, fold(span.core).text))
        found += [(m.start, m.end, fold(m.text).text) for m in self._namesakes]
        heads = self._line_heads(text, {core for _, _, core in found})
        known = [*own, *((start, end) for start, end, _ in found)]
        bare = [head for head in heads if not any(s < head[1] and head[0] < e for s, e in known)]
        self._bare = {start for start, _, _ in bare}
        found += bare
        return sorted({*found, *self._named_short(text, found)})

    def _named_short(self, text: str, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Later mentions of the other companies without their legal form ("Corvane", "세진모터스")."""
        cores = {core: text[start:end] for start, end, core in found}
        taken = [(start, end) for start, end, _ in found] + [(m.start, m.end) for m in self._named]
        short = []
        for core, surface in cores.items():
            if len(core) < SHORT_NAME or not is_distinctive(core.split()[0]) or is_issuer_site(self.doc.page.url, core):
                continue  # too short, a common word, or the site that prints the page
            at = surface.lower().find(core)
            if at < 0:
                continue
            name = surface[at : at + len(core)]
            first = name.split()[0]
            pattern = re.escape(name) if len(first) < FIRST_NAME else rf"{re.escape(first)}(?:{re.escape(name[len(first) :])})?"
            for match in re.finditer(rf"(?<![^\W\d_]){pattern}(?![a-zà-ÿ]{{3}})", text):
                if not any(low < match.end() and match.start() < high for low, high in taken):
                    short.append((match.start(), match.end(), core))
        return short

    def _line_heads(self, text: str, cores: set[str]) -> list[tuple[int, int, str]]:
        """Short lines that open with another company's name in its bare form ("Sejin Motors, delisting decided")."""
        known = tuple(sorted((core for core in cores if len(core) >= MIN_BARE_NAME), key=len, reverse=True))
        lines = [b for b in self.doc.page.blocks if known and b.end - b.start <= HEAD_LENGTH]
        heads = [(b.start, fold(text[b.start : b.end]).text) for b in lines]
        return [(at, at + len(core), core) for at, line in heads if (core := next((c for c in known if line.startswith(c)), ""))]

    def _is_venue_name(self, start: int, end: int) -> bool:
        """The company named in [start, end) is an exchange ("ASX Limited")."""
        fstart, fend = folded_offset(self.doc.folded, start), folded_offset(self.doc.folded, end)
        return any(v.start >= fstart - 4 and not v.city for v in self._venues_in(fstart - 4, fend))

    def names_target(self, start: int, end: int) -> bool:
        """The issuer (or, for a named fund, the fund) is named in [start, end) of the page text."""
        if self.target.security_matcher is not None:
            return any(start <= m.start < end for m in self._fund) or self._has_id(start, end)
        return any(start <= m.start < end for m in self._named)

    def _names_issuer(self, start: int, end: int) -> bool:
        return any(start <= m.start < end for m in self._named)

    def names_other(self, start: int, end: int) -> list[str]:
        """Cores of other companies named in [start, end)."""
        low = bisect.bisect_left(self._others, (start, -1, ""))
        return [core for s, _, core in self._others[low:] if s < end]

    def _has_id(self, start: int, end: int) -> bool:
        fstart, fend = folded_offset(self.doc.folded, start), folded_offset(self.doc.folded, end)
        return any(fstart <= at < fend for at in self._ids) or any(fstart <= at < fend for at in self._tickers)

    def _focus(self) -> Fit:
        """Whom the document is about: by its title and headings, else by its first paragraphs."""
        heads = [
            b for b in self.doc.page.blocks if b.kind in (BlockKind.TITLE, BlockKind.HEADING) and (b.main or b.kind is BlockKind.TITLE)
        ]
        seen = Fit.OPEN
        for block in heads[:6]:
            if self.names_target(block.start, block.end):
                return Fit.THIS
            if self.names_other(block.start, block.end) or self._other_ticker_head(block.start, block.end):
                seen = Fit.OTHER
        if seen is Fit.OTHER:
            return seen
        if self._given_for_target():
            return Fit.THIS
        body = [u for u in self.doc.units if u.main and u.kind not in (BlockKind.TITLE, BlockKind.HEADING)]
        listed = any(self._in_list(u) and self.names_other(u.start, u.end) for u in body if u.kind is BlockKind.ROW)
        for unit in body[:10]:
            if unit.kind not in (BlockKind.ROW, BlockKind.ITEM) and self.names_target(unit.start, unit.end):
                return Fit.OPEN if listed else Fit.THIS
            if unit.kind not in (BlockKind.ROW, BlockKind.ITEM) and unit.index > 4 and self.names_other(unit.start, unit.end):
                break
        single = [u for u in body if u.kind is BlockKind.ROW and not self._in_list(u) and self.names_target(u.start, u.end)]
        if single:
            return Fit.THIS
        return Fit.THIS if sum(self.names_target(u.start, u.end) for u in body) >= 3 and not listed else Fit.OPEN

    def _given_for_target(self) -> bool:
        """The title under which the source lists the page names the issuer (for a named fund: the fund)."""
        matcher = self.target.security_matcher or self.target.matcher
        title = self.doc.page.given_title
        return bool(title) and any(m.strength in (Strength.FULL, Strength.CORE) for m in matcher.find(title, fold(title)))

    def _other_ticker_head(self, start: int, end: int) -> bool:
        return any(start <= m.start < end for m in self._namesakes)

    def _partner_names(self) -> frozenset[str]:
        """Other companies that stand in one sentence with the target (bidder, parent, liquidator)."""
        found: set[str] = set()
        for unit in self.doc.units:
            if self.names_target(unit.start, unit.end):
                found.update(self.names_other(unit.start, unit.end))
        return frozenset(found)

    def _section_heads(self) -> list[tuple[int, Fit]]:
        """Where a digest turns to another company: lines that hold a company's name and little else, one of them the issuer's.

        Companies that stand in one sentence with the issuer (a bidder) have no section of their own.
        """
        heads: list[tuple[int, Fit]] = []
        text = self.doc.page.text
        for unit in self.doc.units:
            if not unit.main or unit.kind in (BlockKind.ROW, BlockKind.TITLE) or unit.end - unit.start > HEAD_LENGTH:
                continue
            names = [(m.start, m.end, "") for m in self._named if unit.start <= m.start < unit.end]
            names += [n for n in self._others if unit.start <= n[0] < unit.end and n[2] not in self._partners and n[0] not in self._bare]
            if len(names) == 1:
                low, high, other = names[0]
                rest = re.sub(r"\([^()]*\)", "", text[unit.start : low] + " " + text[min(high, unit.end) : unit.end])
                if len(re.findall(r"\w", rest)) <= HEAD_REST:
                    fit = Fit.OTHER if other else Fit.THIS
                    if heads and heads[-1][0] == unit.index - 1 and Fit.THIS in (fit, heads[-1][1]):
                        fit, heads[-1] = Fit.THIS, (heads[-1][0], Fit.THIS)  # a list of names heads one part
                    heads.append((unit.index, fit))
        return heads if {fit for _, fit in heads} == {Fit.THIS, Fit.OTHER} else []

    def _issuer(self, unit: Unit, at: int | None = None) -> tuple[Fit, str]:
        if self.names_target(unit.start, unit.end):
            if self.focus is Fit.OTHER and at is not None and self._only_counterpart(unit):
                return Fit.OTHER, "document is about another company; the issuer is its counterpart"
            if at is not None and unit.kind is not BlockKind.TITLE and (nearer := self._nearer_other(unit, at)):
                return Fit.OTHER, f"the step stands with {nearer!r}"
            if at is not None and (doer := self._relative(unit, at)):
                return Fit.OTHER, f"says it of {doer!r}, a company that it describes by the issuer"
            if at is not None and self._only_owner(unit, at):
                return Fit.OTHER, "speaks of a subsidiary of the issuer"
            return Fit.THIS, "names the issuer"
        if lead := self._led_by(unit):
            return Fit.OTHER, f"begins with {lead!r}"
        if above := [fit for index, fit in self._heads if index <= unit.index]:
            return above[-1], "stands under the issuer's name" if above[-1] is Fit.THIS else "stands under another company's name"
        if unit.kind is BlockKind.ROW and self._in_list(unit):
            if self._has_id(unit.start, unit.end) and not self.names_other(unit.start, unit.end):
                return Fit.THIS, "row carries the listing's identifier"
            return Fit.OTHER, "row of a list about others"
        if self.target.security_matcher is not None and self._names_issuer(unit.start, unit.end) and self._listed_below(unit):
            return Fit.THIS, "names the trust; the list that follows names the fund"
        others = self.names_other(unit.start, unit.end)
        if others and not (self.focus is Fit.THIS and set(others) <= self._partners):
            return Fit.OTHER, f"names {others[0]!r}"
        if at is not None and (doer := self._other_subject(unit, at)):
            return Fit.OTHER, f"says it of {doer!r}"
        if self._has_id(unit.start, unit.end) and self.focus is not Fit.OTHER:
            return Fit.THIS, "carries the listing's identifier"
        if code := self._foreign_code(unit):
            return Fit.OTHER, f"{FOREIGN_CODE} {code}"
        return self._inherited(unit)

    def _led_by(self, unit: Unit) -> str:
        """Another company, no partner of the issuer, with whose name the unit begins ("Same day: Corvane plc: ...")."""
        low = bisect.bisect_left(self._others, (unit.start, -1, ""))
        lead = next((core for start, _, core in self._others[low:] if start <= unit.start + LEAD), "")
        return lead if lead and lead not in self._partners else ""

    def _only_counterpart(self, unit: Unit) -> bool:
        """The issuer is named only as the other side of a deal ("a share exchange with X", "X's subsidiary")."""
        text = self.doc.page.text
        return all(
            BESIDE_BEFORE.search(text[max(unit.start, m.start - 20) : m.start]) or BESIDE_AFTER.match(text, m.end)
            for m in self._named
            if unit.start <= m.start < unit.end
        )

    def _nearer_other(self, unit: Unit, at: int) -> str:
        """In a sentence that names several companies, the one whose name is the last before the step (semicolon lists)."""
        text = self.doc.page.text
        low = max(text.rfind(";", unit.start, at), text.rfind("；", unit.start, at), text.rfind("·", unit.start, at), unit.start)
        high_marks = [p for p in (text.find(c, at, unit.end) for c in ";；·") if p >= 0]
        high = min(high_marks, default=unit.end)
        if (low == unit.start and high == unit.end) or self.names_target(low, high):
            return ""
        others = self.names_other(low, high)
        if others:
            return others[0]
        marks = sum(text.count(mark, unit.start, unit.end) for mark in ";；·")
        return "another entry of the list" if marks >= 2 else ""  # one semicolon joins two clauses about one thing

    def _only_owner(self, unit: Unit, at: int) -> bool:
        """Before the step (else after it) the issuer is named only as the owner of a subsidiary, of which the step is said."""
        text = self.doc.page.text
        named = [m for m in self._named if unit.start <= m.start < unit.end]
        owners = [m for m in named if OWNS_AFTER.match(text, m.end) or OWNS_BEFORE.search(text[max(unit.start, m.start - 40) : m.start])]
        before = [m for m in named if m.start < at]
        if not owners or any(m not in owners for m in before or named[:1]):
            return False
        rest = [m for m in named if m not in owners]
        return not any(BESIDE_BEFORE.search(text[max(unit.start, m.start - 20) : m.start]) or OWN_SHARES.match(text, m.end) for m in rest)

    def _in_list(self, unit: Unit) -> bool:
        """A row of a table that lists several entities: it has column heads, or another row of its table names a company."""
        block = self.doc.block(unit)
        return bool(block.header) and len([h for h in block.header if h]) >= 2

    def _other_subject(self, unit: Unit, at: int) -> str:
        """A partner of the issuer that is itself the subject of the step: its name and auxiliaries stand right before it."""
        text = self.doc.page.text
        low = bisect.bisect_left(self._others, (unit.start, -1, ""))
        for start, end, core in self._others[low:]:
            if start >= at:
                break
            if end <= at and at - end <= 60 and AUXILIARIES.fullmatch(text, end, at):
                return core
        return ""

    def _relative(self, unit: Unit, at: int) -> str:
        """A company that the sentence opens with as the issuer's subsidiary or the like, or makes its topic as such (Japanese)."""
        text = self.doc.page.text
        low = bisect.bisect_left(self._others, (unit.start, -1, ""))
        for start, end, core in self._others[low:]:
            if end > at:
                break
            if KIN_BEFORE.fullmatch(text, unit.start, start):
                return core
            if any(0 <= start - m.end <= 3 and KIN_BEFORE.fullmatch(text, unit.start, m.start) for m in self._named):
                return core
        for m in self._named:
            if unit.start <= m.start < at and (described := DESCRIBED_BY.match(text, m.end, at)):
                low = bisect.bisect_left(self._others, (described.end(), -1, ""))
                for start, end, core in self._others[low:]:
                    if start == described.end() and end <= at and TOPIC.match(text, end, at):
                        return core
        return ""

    def _foreign_code(self, unit: Unit) -> str:
        """A numeric security code of the target's length in brackets that is not the target's: "(JASDAQ, 6399)"."""
        own = fold(self.target.listing.ticker).text
        if not own.isdigit():
            return ""
        codes = re.findall(r"\([^()]{0,24}?(?<!\d)(\d{4,6})\)", self.doc.folded.text[unit.fstart : unit.fend])
        foreign = [code for code in codes if len(code) == len(own) and code != own and not code.startswith(("19", "20"))]
        return foreign[0] if foreign and own not in codes else ""

    def _inherited(self, unit: Unit) -> tuple[Fit, str]:
        for previous in reversed(self.doc.units[: unit.index]):
            same_block = previous.block == unit.block
            if not same_block and (unit.block - previous.block > 6 or self.focus is Fit.THIS):
                break
            if not previous.main and unit.main:
                continue
            if not same_block and previous.kind is BlockKind.ROW and self._in_list(previous):
                break  # what follows a list is not about its last entry
            if self.names_target(previous.start, previous.end):
                if self.focus is Fit.OTHER and self._only_counterpart(previous):
                    continue
                if same_block or self.focus is not Fit.OTHER:
                    return Fit.THIS, "follows a sentence that names the issuer"
                break
            others = self.names_other(previous.start, previous.end)
            if others and not (self.focus is Fit.THIS and set(others) <= self._partners):
                if same_block:
                    return Fit.OTHER, f"follows a sentence about {others[0]!r}"
                break
        if self.focus is Fit.THIS:
            return Fit.THIS, "document is about the issuer"
        if self.focus is Fit.OTHER:
            return Fit.OTHER, "document is about another company"
        if self.doc.source_kind in LISTERS and self._listed_below(unit):
            return Fit.THIS, "the list that follows names the issuer"
        if is_issuer_site(self.doc.page.url, self.target.listing.issuer) and not self._others:
            return Fit.THIS, "the issuer's own site"
        return Fit.OPEN, "names no company"

    def _listed_below(self, unit: Unit) -> bool:
        """A notice speaks of "the entities below": a row, item or line after the sentence names the issuer."""
        below = [u for u in self.doc.units[unit.index :] if u.main and u.block > unit.block and self.names_target(u.start, u.end)]
        return any((u.kind in _LIST_KINDS or u.end - u.start < SHORT_LINE) and not self._goes_on(u) for u in below)

    # ---- class

    def _form_class(self) -> tuple[Fit, str] | None:
        """A removal form is about the class that its own line names, whatever else it mentions."""
        if self.doc.source_kind != "filing":
            return None
        match = CLASS_LINE.search(self.doc.folded.text)
        if match is None or not REMOVAL_FORM.search(self.doc.folded.text):
            return None
        low, high = match.span(1)
        if marks := self._marks_fit(low, high):
            return marks
        named = [(start, name) for start, _, name in self._classes if low <= start < high]
        if not named:
            return None
        first = {name for start, name in named if start == min(named)[0]}
        if first & self.target.classes:
            return Fit.THIS, ""
        return Fit.OTHER, f"form is about {'/'.join(sorted(first))}"

    def _security(self, unit: Unit, fstart: int, fend: int) -> tuple[Fit, str]:
        if self._form is not None:
            return self._form
        low, high = clause(self.doc.folded.text, fstart, fend, unit.fstart, unit.fend)
        named = self._classes_in(low, high) or self._classes_in(unit.fstart, unit.fend)
        if self._has_isin(unit):
            return Fit.THIS, "carries the listing's ISIN"
        if letter := self._special_class(low, high):
            return Fit.OTHER, f"speaks of {letter} shares beside the ordinary ones"
        if marks := self._marks_fit(unit.fstart, unit.fend, fstart, fend):
            return marks
        if symbol := self._other_symbol(unit):
            return Fit.OTHER, f"speaks of symbol {symbol}"
        if len(named) > 1 and (near := self._class_near(unit, fstart, fend)):
            named = near
        if not named:
            named, why = self._class_before(unit)
            if not named:
                return self._unnamed_class()
            if named & self.target.classes:
                return Fit.THIS, ""
            return Fit.OTHER, f"goes on about {'/'.join(sorted(named))} ({why})"
        if named & self.target.classes:
            block = self.doc.block(unit)
            before = self._marks_fit(folded_offset(self.doc.folded, block.start), unit.fstart) if self.target.marks else None
            if before is not None and before[0] is Fit.OTHER:
                return Fit.OTHER, f"goes on about {before[1]}"
            return Fit.THIS, ""
        return Fit.OTHER, f"speaks of {'/'.join(sorted(named))}"

    def _other_symbol(self, unit: Unit) -> str:
        """A symbol in the sentence, given with its exchange or as the thing removed, where the listing is one series of several.

        Common stock is left out: it keeps its history under an old symbol.
        """
        own = fold(self.target.listing.ticker).text.strip()
        if (self.target.classes & {"common"} and "fund" not in self.target.classes) or not own:
            return ""
        text = self.doc.page.text[unit.start : unit.end]
        symbols = set(SYMBOL.findall(text)) & self._symbols
        folded = {fold(symbol).text for symbol in symbols}
        return sorted(symbols)[0] if symbols and own not in folded and not self._has_id(unit.start, unit.end) else ""

    def _unnamed_class(self) -> tuple[Fit, str]:
        """No class is named nearby: common stock is meant unless the document only ever names another class."""
        everywhere = frozenset(name for _, _, name in self._classes)
        if self.target.classes & {"common", "fund", "unit"}:
            only_other = (
                everywhere and not everywhere & self.target.classes and (self.doc.page.form.startswith("25") or len(self._classes) >= 3)
            )
            return (Fit.OTHER, f"document is about {'/'.join(sorted(everywhere))}") if only_other else (Fit.OPEN, "")
        marks = self._marks_fit(0, len(self.doc.folded.text))
        if marks is not None and marks[0] is Fit.THIS:
            return marks
        if everywhere & self.target.classes and marks is None:
            return Fit.OPEN, ""
        return Fit.OTHER, "names no security of this kind"

    def _has_isin(self, unit: Unit) -> bool:
        return any(unit.fstart <= at < unit.fend for at in self._ids)

    def _special_class(self, low: int, high: int) -> str:
        """A share class by letter ("B Shares" of a capital return) where the listing has none and the page knows ordinary shares."""
        if "letter" in self.target.marks or "class" in self.target.marks or "common" not in self.target.classes:
            return ""
        lettered = [m for m in self._letters if low <= m.start < high and m.value not in "ah"]
        if not lettered or ORDINARY.search(self.doc.folded.text, low, high) or not ORDINARY.search(self.doc.folded.text):
            return ""
        return lettered[0].value.upper()

    def _marks_fit(self, low: int, high: int, fstart: int = -1, fend: int = -1) -> tuple[Fit, str] | None:
        """Designators of a kind that the listing has: one of them must be its own; where several are named, those that
        something is converted into do not count, and the nearest to the decisive words [fstart, fend) wins."""
        text = self.doc.folded.text
        for kind, own in self.target.marks.items():
            marks = [m for m in self._marks if m.kind == kind and low <= m.start < high]
            left = [m for m in marks if not INTO_CLASS.search(text[max(low, m.start - 60) : m.start])] if len(marks) > 1 else marks
            if len({m.value for m in left}) > 1 and fstart >= 0:
                near = min(_gap(m.start, m.end, fstart, fend) for m in left)
                left = [m for m in left if _gap(m.start, m.end, fstart, fend) == near]
            seen = {m.value for m in left or marks}
            if seen and not seen & own:
                return Fit.OTHER, f"{kind} {'/'.join(sorted(seen))}, not {'/'.join(sorted(own))}"
            if seen & own and kind in ("coupon", "series"):
                return Fit.THIS, f"{kind} {'/'.join(sorted(own))}"
        return None

    def _classes_in(self, low: int, high: int) -> frozenset[str]:
        at = bisect.bisect_left(self._class_starts, low)
        found = [(start, end, name) for start, end, name in self._classes[at:] if start < high]
        kept = [item for item in found if not self._is_result(item[0], item[1])]
        return frozenset(name for _, _, name in kept or found)

    def _class_near(self, unit: Unit, fstart: int, fend: int) -> frozenset[str]:
        """Classes named closest to the decisive words, when a sentence names several; a pair joined there counts as one."""
        text = self.doc.folded.text
        low, high = clause(text, fstart, fend, unit.fstart, unit.fend)
        if not self._classes_in(low, high):
            low, high = unit.fstart, unit.fend
        distances = [
            (_gap(start, end, fstart, fend) + (CLASS_AFTER if start >= fend else 0), name)
            for start, end, name in self._classes[bisect.bisect_left(self._class_starts, low) :]
            if start < high and not self._is_result(start, end)
        ]
        if not distances:
            return frozenset()
        nearest = min(distance for distance, _ in distances)
        pair = CLASS_PAIR_HAN if self.doc.page.lang.partition("-")[0] in ("zh", "ja", "ko") else CLASS_PAIR
        return frozenset(name for distance, name in distances if distance <= nearest + pair)

    def _is_result(self, start: int, end: int) -> bool:
        """The class named at [start, end) of the folded text is what another one is converted into, buys or represents."""
        text = self.doc.folded.text
        before = text[max(0, start - 40) : start]
        if UNDERLYING.search(text, max(0, start - 110), start):
            return True
        return bool(INTO_CLASS.search(before)) or (before.rstrip().endswith((" in", "に")) and bool(INTO_CLASS_AFTER.match(text, end)))

    def _class_before(self, unit: Unit) -> tuple[frozenset[str], str]:
        """The class that the text was last speaking about, within the block, its heading or the title."""
        if self.target.classes & {"common", "fund", "unit"}:
            heads = [b for b in self.doc.page.blocks[: unit.block] if b.kind in (BlockKind.TITLE, BlockKind.HEADING)]
            scope = [(heads[-1].start, heads[-1].end)] if heads else []
        else:
            scope = [(b.start, b.end) for b in self.doc.page.blocks[: unit.block]]
        block = self.doc.block(unit)
        spans = [(block.start, unit.start), *reversed(scope)]
        for start, end in spans:
            low, high = folded_offset(self.doc.folded, start), folded_offset(self.doc.folded, end)
            if marks := self._marks_fit(low, high):
                return (self.target.classes, "") if marks[0] is Fit.THIS else (frozenset({marks[1]}), "the text before")
            if named := self._classes_in(low, high):
                return named, "the text before"
        return frozenset(), ""

    # ---- venue

    def _venue(self, unit: Unit, fstart: int, fend: int) -> tuple[Fit, str]:
        if self._abroad and self.doc.source_kind == "filing" and self.doc.page.form.startswith("25"):
            return Fit.OTHER, "a form for exchanges of the United States"
        named = self._acting_venues(unit)
        if len({v.mics for v in named}) > 1:
            low, high = clause(self.doc.folded.text, fstart, fend, unit.fstart, unit.fend)
            named = [v for v in named if low <= v.start < high] or named
        own = [v for v in named if v.mics & self.target.mics]
        other = [v for v in named if not v.mics & self.target.mics]
        if own and other and self._leaves_other(own, other):
            return Fit.OTHER, "leaves another venue for this one"
        if own and other and all(self._stays(v) for v in own) and not all(self._stays(v) for v in other):
            return Fit.OTHER, "stays on this venue"
        if own and not other and all(self._is_destination(v) for v in own) and not self._leaves_here(unit):
            return Fit.OTHER, "comes to this venue"
        if own:
            return Fit.THIS, ""
        if other:
            if self._only_destination(other):
                return Fit.OPEN, ""
            return Fit.OTHER, f"speaks of {self.doc.folded.text[other[0].start : other[0].end]!r}"
        if self.venue_focus is Fit.OTHER:
            return Fit.OTHER, "document is about another venue"
        if self._elsewhere(unit):
            return Fit.OTHER, "speaks of the venue named before"
        if SECOND_LISTING.search(self.doc.folded.text, unit.fstart, unit.fend) and self._only_kept():
            return Fit.OTHER, "speaks of a second listing; this venue is not named, or as the one that stays"
        return Fit.OPEN, ""

    def _only_kept(self) -> bool:
        """The document names this venue nowhere but in sentences that say that something goes on."""
        own = [v for v in self._venues if v.mics & self.target.mics]
        homes = [u for u in self.doc.units for v in own if u.fstart <= v.start < u.fend]
        return all(self._goes_on(u) for u in homes)

    def _goes_on(self, unit: Unit) -> bool:
        return any(self.doc.scan.within(family, unit.fstart, unit.fend) for family in ("stage.reversal", "modality.negated"))

    def _elsewhere(self, unit: Unit) -> bool:
        """A sentence that says "there" of the venue, the last one named being another ("only the one in Munich. The directors there ...")."""
        if not THERE.search(self.doc.folded.text, unit.fstart, unit.fend):
            return False
        before = self._venues_in(max(0, unit.fstart - 300), unit.fstart)
        return bool(before) and not before[-1].mics & self.target.mics

    @cached_property
    def segment_move(self) -> bool:
        """Some sentence of the document states a move between segments of the target's venue."""
        return any(u.main and self.moves_between_segments(u) for u in self.doc.units)

    def moves_between_segments(self, unit: Unit) -> bool:
        """The sentence names two segments of the target's venue and no other venue: a move inside the venue."""
        if any(not v.mics & self.target.mics for v in self._venues_in(unit.fstart, unit.fend)):
            return False
        text = self.doc.folded.text[unit.fstart : unit.fend]
        found: list[tuple[int, int]] = []
        for name in self._segments:
            at = text.find(name)
            if at >= 0 and not any(at < e and s < at + len(name) for s, e in found):
                found.append((at, at + len(name)))
        found.sort()
        return any(b[0] - a[1] <= 60 and INTO.search(text, a[1], b[0]) for a, b in pairwise(found))

    def _venues_in(self, low: int, high: int) -> list[VenueMention]:
        at = bisect.bisect_left(self._venue_starts, low)
        return [v for v in self._venues[at:] if v.start < high]

    def _venue_focus(self) -> Fit:
        """The venue of the document: named in its title or headings, else everywhere the same."""
        heads = [b for b in self.doc.page.blocks if b.kind in (BlockKind.TITLE, BlockKind.HEADING)][:5]
        for block in heads:
            named = self._venues_in(folded_offset(self.doc.folded, block.start), folded_offset(self.doc.folded, block.end))
            if any(v.mics & self.target.mics for v in named):
                return Fit.THIS
            if named and not self._only_destination(named):
                return Fit.OTHER
        if not self._venues:
            return Fit.OPEN
        if any(v.mics & self.target.mics for v in self._venues):
            return Fit.THIS
        return Fit.OPEN if all(v.city for v in self._venues) else Fit.OTHER

    def _acting_venues(self, unit: Unit) -> list[VenueMention]:
        """Venues named in the sentence; those that only stand before a ticker ("NYSE: ABC") count when there is no other."""
        named = self._venues_in(unit.fstart, unit.fend)
        acting = [v for v in named if not TICKER_AFTER.match(self.doc.folded.text, v.end)]
        return acting or named

    def _leaves_here(self, unit: Unit) -> bool:
        return any(
            AWAY.search(self.doc.folded.text[max(unit.fstart, v.start - 30) : v.start]) for v in self._venues_in(unit.fstart, unit.fend)
        )

    def _leaves_other(self, own: list[VenueMention], other: list[VenueMention]) -> bool:
        return all(self._is_destination(v) for v in own) and not all(self._is_destination(v) for v in other)

    def _only_destination(self, named: list[VenueMention]) -> bool:
        return all(self._is_destination(v) for v in named)

    def _stays(self, mention: VenueMention) -> bool:
        return bool(STAYS.search(self.doc.folded.text[max(0, mention.start - 90) : mention.start]))

    def _is_destination(self, mention: VenueMention) -> bool:
        text = self.doc.folded.text
        if ENDS_AFTER.match(text, mention.end):
            return False
        if text.startswith("admission to", mention.start) or UNITED_AFTER.match(text, mention.end):
            return True
        before = text[max(0, mention.start - 90) : mention.start]
        if self._stays(mention) or ENDS_BEFORE.search(before):
            return False
        return bool(TOWARDS.search(before[-34:]) and MOVES.search(before)) or bool(
            ONLY_AT.search(before) or ADMITTED.search(before[-40:]) or ADMITTED_NORTH.search(before) or ADMITTED_ROMANCE.search(before)
        )

    # ---- all three

    def subject(self, unit: Unit, fstart: int, fend: int) -> Subject:
        """Resolve the words [fstart, fend) of folded text inside `unit`."""
        at = self.doc.folded.span(fstart, fend)[0] if fend > fstart else None
        issuer, why = self._issuer(unit, at)
        security, why_security = self._security(unit, fstart, fend)
        venue, why_venue = self._venue(unit, fstart, fend)
        reasons = [why] + [w for w in (why_security, why_venue) if w]
        return Subject(issuer, security, venue, "; ".join(reasons), self.names_target(unit.start, unit.end))


def _outermost(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Class words without those inside a longer phrase of another class ("aandelen" in "preferente aandelen")."""
    return [
        (start, end, name)
        for start, end, name in found
        if not any(s <= start and end <= e and e - s > end - start and other != name for s, e, other in found)
    ]


def _gap(start: int, end: int, low: int, high: int) -> int:
    """Distance of [start, end) from the nearer edge of [low, high), also from inside."""
    if end <= low or start >= high:
        return max(low - end, start - high, 0)
    return min(abs(start - low), abs(high - end))


def _occurrences(text: str, needle: str) -> list[int]:
    found, at = [], text.find(needle)
    while at >= 0:
        found.append(at)
        at = text.find(needle, at + 1)
    return found

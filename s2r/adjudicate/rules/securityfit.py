"""Whether a passage is about the class of security of the listing."""

from __future__ import annotations

import bisect
import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from s2r.adjudicate.rules.directions import (
    CLASS_LINE,
    INTO_CLASS,
    ORDINARY,
    POINTING,
    REMOVAL_FORM,
    SYMBOL,
)
from s2r.adjudicate.rules.document import Unit, folded_offset
from s2r.adjudicate.rules.entries import Entries
from s2r.adjudicate.rules.falling_due import goes_on_about_debt
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.mentions import (
    CLASS_AFTER,
    CLASS_PAIR,
    CLASS_PAIR_HAN,
    SHORT_LINE,
    Fit,
    _gap,
)
from s2r.adjudicate.rules.securities import Designator, joined_classes
from s2r.adjudicate.rules.stage import clause
from s2r.lang.literals import Hint
from s2r.lang.text import fold_text
from s2r.models import BlockKind

# a code whose last figure or letter tells the class: PETR4, "VOLV B"
CLASS_CODE = re.compile(r"(?P<root>[A-Z]{3,5})(?P<gap>[ .-]?)(?P<of>\d{1,2}|(?<=[ .-])[A-D])")
# "TXJM3 e TXJM4", "as ações ordinárias (TXJM3) e preferenciais (TXJM4)": codes named as one
JOINED_CODES = re.compile(
    r"[\s()\"“”'*,;/&-]*(?:(?:e|y|and|et|und|och|og|ja|i)\b[\s()]*)?(?:(?:as|las|los|the|les) )?(?:ações |acciones |shares )?(?:(?:pref|ord|pn|on|comm|class|clase|seri)[^\W\d]*[\s()]*)?",
    re.I,
)
ONLY_LETTER = re.compile(r"[A-Z]{3,8}")  # a code without a class, beside which one with a letter is another line ("CBAJIO A", "SHW.WT")


class Siblings(NamedTuple):
    """Codes of the classes under an issuer's code: their expression, of which `of` is the class, the letters that they share, and the
    class of the listing."""

    codes: re.Pattern[str]
    root: str
    own: str


@lru_cache(maxsize=256)
def sibling_codes(ticker: str, country: str) -> Siblings | None:
    """The codes beside a code; None when it tells none. Korean codes differ by class in the sixth figure."""
    if country == "KR" and re.fullmatch(r"\d{6}", ticker):
        return Siblings(re.compile(rf"(?<!\d){ticker[:5]}(?P<of>[0-9A-Z])(?!\w)"), ticker[:5], ticker[5])
    if (own := CLASS_CODE.fullmatch(ticker)) is not None:
        of = "[0-9]{1,2}" if own["of"].isdigit() else "[A-D]|PREF"
        pattern = rf"(?<!\w){own['root']}{'[ .-]' if own['gap'] else ''}(?P<of>{of})(?!\w)"
        return Siblings(re.compile(pattern), own["root"], own["of"])
    if ONLY_LETTER.fullmatch(ticker):
        pattern = rf"(?<!\w){ticker}(?:[ .-](?P<of>[A-D]|PR?[A-D]?|WTS?|WS|RT|UN?)(?=$|[^\w ]| (?:e|y|and|et|und|og|och|&) )|(?!\w))"
        return Siblings(re.compile(pattern), ticker, "")
    return None


JOINED_MARKS = re.compile(r"[\s,/&-]*(?:(?:and|och|og|und|et|y|e|ja|en|i|oraz)\b)?[\s]*")  # "A-aktier och B-aktier"


def _nearest_marks(text: str, marks: list[Designator], fstart: int, fend: int) -> list[Designator]:
    """The mark nearest to the words [fstart, fend) of folded text, with those that are named as one with it."""
    at = min(range(len(marks)), key=lambda n: _gap(marks[n].start, marks[n].end, fstart, fend))
    low = high = at
    while low and JOINED_MARKS.fullmatch(text, marks[low - 1].end, marks[low].start):
        low -= 1
    while high + 1 < len(marks) and JOINED_MARKS.fullmatch(text, marks[high].end, marks[high + 1].start):
        high += 1
    near = _gap(marks[at].start, marks[at].end, fstart, fend)
    return [m for n, m in enumerate(marks) if low <= n <= high or _gap(m.start, m.end, fstart, fend) == near]


def _joined(codes: list[re.Match[str]], at: int, text: str) -> list[re.Match[str]]:
    """The codes that are named as one with that at `at`."""
    low = high = at
    while low and JOINED_CODES.fullmatch(text, codes[low - 1].end(), codes[low].start()):
        low -= 1
    while high + 1 < len(codes) and JOINED_CODES.fullmatch(text, codes[high].end(), codes[high + 1].start()):
        high += 1
    return codes[low : high + 1]


# a clause that opens behind a step, and admits or keeps something
ADMITTED_BESIDE = Guarded(
    r"(?:[,;]| (?:and|while)) (?:[^.;]|\.\S){0,110}?\b(?:(?:will )?(?:remain|stay)s?|continues?|(?:is|are|be|been) (?:admitted|listed)|(?:is|are) kept)\b|(?:[,;]| (?:und|während)) (?:[^.;]|\.\S){0,110}?\b(?:bleib(?:t|en)|weiterhin|(?:zugelassen|aufgenommen|einbezogen))\b"
    r"|(?:[,;]| et) (?:[^.;]|\.\S){0,110}?\b(?:rest(?:ent|eront|e)|demeur\w+|continu\w+|admises?)\b|(?:[,;]| y) (?:[^.;]|\.\S){0,110}?\b(?:quedan?(?:do|rán)? (?:inscrit|listad|admitid)[oa]s?|permanec\w+|contin[uú]an?|siguen?|seguirán?|se (?:inscribe|lista)n?|mantienen?)\b"
    r"|(?:[,;]| e) (?:[^.;]|\.\S){0,110}?\b(?:permanec\w+|continuam?|seguem|ficam|passam|são admitid[oa]s|admitid[oa]s|restano|rimangono|rimarranno|continuano|ammess[ei])\b|(?:[,;]| en| terwijl) (?:[^.;]|\.\S){0,110}?\b(?:blij(?:ft|ven)|toegelaten)\b"
    r"|(?:[,;]| och| og| medan| mens) (?:[^.;]|\.\S){0,110}?\b(?:kvarstår|fortsätter|upptas|förblir|forblir|fortsetter|opptas|forbliver|fortsætter|optages)\b|(?:[,;]| ja) (?:[^.;]|\.\S){0,110}?\b(?:säily\w+|jatka\w+|pysy\w+|otetaan)\b|(?:[,;]| a| i) (?:[^.;]|\.\S){0,110}?\b(?:pozosta\w+|nadal|wprowadzon\w+)\b"
    r"|[、,，;；][^。]{0,60}?(?:継続|引き続き|維持|上場され|继续|繼續|维持|挂牌|掛牌)|(?:고|며|,) [^.]{0,60}?(?:유지|계속)|(?:,| và) [^.;]{0,90}?(?:vẫn|tiếp tục)|(?:,| dan) [^.;]{0,90}?(?:tetap|kekal)|(?:,| ve) [^.;]{0,90}?(?:devam|kalacak)"
)
# capitals in brackets that are no symbol of a security
_NO_SYMBOLS = (
    "ADS ADR GDR GDS ISIN WKN CUSIP SEDOL LEI CIK SEC FCA AMF NYSE NASDAQ AMEX LSE TSX ASX OTC ETF ETN REIT USD EUR GBP CHF CAD AUD JPY HKD"
    " CEO CFO EGM AGM IPO SA AG PLC INC LLC LP NV US USA UK EU GMT ET CET"
)
NO_SYMBOLS = frozenset(_NO_SYMBOLS.split())


_CAN_REMOVE = Hint(REMOVAL_FORM)  # whether a text can be such a form at all


# a verb between two classes: what is said of the one is not said of the other ("New Ordinary Shares will be admitted and the C Shares ...")
CAPITAL_RETURNS = ("GB", "IE")  # where shares by letter ("B Shares") are issued to be redeemed
_PARTED = re.compile(r"\b(?:will|shall|is|are|was|were|has|have|be|remain\w*|continu\w*)\b")


class SecurityFit(Entries):
    """Which security a passage speaks of."""

    @cached_property
    def _form(self) -> tuple[Fit, str] | None:
        """A removal form is about the class that its own line names, whatever else it mentions."""
        if self.doc.source_kind != "filing":
            return None
        if not _CAN_REMOVE(self.doc.folded.text) or not REMOVAL_FORM.search(self.doc.folded.text):
            return None
        match = CLASS_LINE.search(self.doc.folded.text)
        if match is None:
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
        if entries := self._own_entries(unit):
            told = [self._entry_security(entry) for entry in entries]
            if all(fit is Fit.OTHER for fit, _ in told):
                return told[0]
            if self._replaced(unit):
                return Fit.OTHER, "another line of the issuer is admitted in its place"
        return self._spoken_of(unit, fstart, fend)

    def _entry_security(self, entry: Unit) -> tuple[Fit, str]:
        """The security that the issuer's entry in a list names."""
        if code := self._foreign_isin(entry.start, entry.end):
            return Fit.OTHER, f"its entry in the list carries {code}"
        if marks := self._marks_fit(entry.fstart, entry.fend):
            return marks
        named = self._classes_in(*self._own_part(entry))
        if named and not named & self.target.classes:
            return Fit.OTHER, f"its entry in the list is {'/'.join(sorted(named))}"
        return Fit.OPEN, ""

    def _own_part(self, entry: Unit) -> tuple[int, int]:
        """Folded span of the entry from the issuer's name to the next company, with the line below when that names none."""
        start = next((m.start for m in self.named_in(entry.start, entry.end)), entry.start)
        below = self.doc.units[entry.index + 1 : entry.index + 2]
        end = below[0].end if below and below[0].end - below[0].start <= SHORT_LINE and not self._names_any(below[0]) else entry.end
        low = bisect.bisect_left(self._others, (start + 1, -1, ""))
        end = min(end, self._others[low][0]) if low < len(self._others) else end
        return folded_offset(self.doc.folded, start), folded_offset(self.doc.folded, end)

    def _names_any(self, unit: Unit) -> bool:
        return self.names_target(unit.start, unit.end) or bool(self.names_other(unit.start, unit.end))

    def _spoken_of(self, unit: Unit, fstart: int, fend: int) -> tuple[Fit, str]:
        low, high = clause(self.doc, unit, fstart, fend)
        named = self._classes_in(low, high) or self._classes_in(unit.fstart, unit.fend)
        if self._has_isin(unit):
            left = self._left_for(unit, fstart, fend)
            return (Fit.OTHER, left) if left else (Fit.THIS, "carries the listing's ISIN")
        if code := self._foreign_isin(unit.start, unit.end) or self._other_paper(named):
            return Fit.OTHER, f"speaks of the security with ISIN {code}"
        if letter := self._special_class(low, high, fend):
            return Fit.OTHER, f"speaks of {letter} shares beside the ordinary ones"
        if marks := self._marks_fit(unit.fstart, unit.fend, fstart, fend):
            return marks
        if sibling := self._sibling(unit, fstart):
            return Fit.OTHER, f"speaks of {sibling}, another class under the issuer's code"
        if symbol := self._other_symbol(unit):
            return Fit.OTHER, f"speaks of symbol {symbol}"
        if len(named) > 1 and (near := self._class_near(unit, fstart, fend)):
            named = near
        if not named:
            named, why = self._class_before(unit)
            if not named and "common" in self.target.classes and goes_on_about_debt(self.doc, unit):
                return Fit.OTHER, "goes on about a debt that falls due"
            if not named:
                return self._unnamed_class()
            if named & self.target.classes:
                return Fit.THIS, ""
            return Fit.OTHER, f"goes on about {'/'.join(sorted(named))} ({why})"
        if named & self.target.classes:
            if self._pointed(unit) and (shown := self._class_before(unit)[0]) and not shown & self.target.classes:
                return Fit.OTHER, f'"these" are {"/".join(sorted(shown))}'
            block = self.doc.block(unit)
            before = self._marks_fit(folded_offset(self.doc.folded, block.start), unit.fstart) if self.target.marks else None
            if before is not None and before[0] is Fit.OTHER:
                return Fit.OTHER, f"goes on about {before[1]}"
            return Fit.THIS, ""
        return Fit.OTHER, f"speaks of {'/'.join(sorted(named))}"

    def _left_for(self, unit: Unit, fstart: int, fend: int) -> str:
        """The class of which a sentence tells a step, the listing's ISIN standing behind it in a clause of its own, with what is admitted
        or stays ("the listing of Series L is cancelled and the Series B shares (ISIN) are admitted"); "" when it is none."""
        ids = [at for at in self._ids if unit.fstart <= at < unit.fend]
        if min(ids) < fend or (joint := ADMITTED_BESIDE.search(self.doc.scan, fend, unit.fend)) is None or joint.start() > min(ids):
            return ""
        if marks := self._marks_fit(unit.fstart, joint.start(), fstart, fend):
            return marks[1] if marks[0] is Fit.OTHER else ""
        named = self._classes_in(unit.fstart, joint.start())
        return "" if not named or named & self.target.classes else f"speaks of {'/'.join(sorted(named))}"

    def _pointed(self, unit: Unit) -> bool:
        """Every class named in the sentence is pointed at ("these shares"): the text before says which."""
        text = self.doc.folded.text
        at, end = bisect.bisect_left(self._class_starts, unit.fstart), bisect.bisect_left(self._class_starts, unit.fend)
        named = self._class_starts[at:end]
        return bool(named) and all(POINTING.search(text, max(unit.fstart, start - 14), start) for start in named)

    def _other_symbol(self, unit: Unit) -> str:
        """A symbol in the sentence, given with its exchange or as the thing removed, where the listing is one series of several.

        Common stock is left out: it keeps its history under an old symbol.
        """
        own = self.target.code.strip()
        if (self.target.classes & {"common"} and "fund" not in self.target.classes) or not own:
            return ""
        text = self.doc.page.text[unit.start : unit.end]
        symbols = (set(SYMBOL.findall(text)) & self._symbols) - NO_SYMBOLS
        folded = {fold_text(symbol) for symbol in symbols}
        return sorted(symbols)[0] if symbols and own not in folded and not self._has_id(unit.start, unit.end) else ""

    def _sibling(self, unit: Unit, fstart: int) -> str:
        """The code of another class of the issuer (TXJM4 beside TXJM3, NORR A beside NORR B), when it is the last one before the step."""
        siblings = sibling_codes(self.target.listing.ticker.upper(), self.target.listing.country)
        text = self.doc.page.text[unit.start : unit.end]
        if siblings is None or siblings.root not in text:
            return ""
        codes = list(siblings.codes.finditer(text))
        if not codes:
            return ""
        before = [m for m in codes if folded_offset(self.doc.folded, unit.start + m.start()) <= fstart] or codes[:1]
        at = codes.index(before[-1])
        return codes[at][0] if all((m["of"] or "") != siblings.own for m in _joined(codes, at, text)) else ""

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

    def same_class(self, unit: Unit) -> bool:
        """The unit names a class, it is this one, and no mark is another's."""
        found = self._classes_in(unit.fstart, unit.fend)
        marked = self._marks_fit(unit.fstart, unit.fend)
        return bool(found) and found <= self.target.classes and (marked is None or marked[0] is not Fit.OTHER)

    def _special_class(self, low: int, high: int, fend: int) -> str:
        """A share class by letter ("B Shares" of a capital return) where the listing has none and the page knows ordinary shares."""
        if "letter" in self.target.marks or "class" in self.target.marks or "common" not in self.target.classes:
            return ""
        lettered = [m for m in self._letters if low <= m.start < high and m.value not in "ah"]
        if not lettered:
            return ""
        text = self.doc.folded.text
        plain = [m for m in ORDINARY.finditer(text) if not any(of.start <= m.start() < of.end for of in self._letters)]
        ordinary = [m for m in plain if low <= m.start() < min(high, fend)]
        by_scheme = self.doc.page.lang == "en" and self.target.listing.country in CAPITAL_RETURNS
        if not (plain or by_scheme):
            return ""
        last = max((m for m in lettered if m.start < fend), key=lambda m: m.start, default=None)
        if ordinary and (last is None or last.start < ordinary[-1].end() or not _PARTED.search(text, ordinary[-1].end(), last.start)):
            return ""  # the ordinary shares stand nearer to the step, or are named as one with the others
        return (last or lettered[0]).value.upper()

    def _marks_fit(self, low: int, high: int, fstart: int = -1, fend: int = -1) -> tuple[Fit, str] | None:
        """Designators of a kind that the listing has: one of them must be its own; where several are named, those that
        something is converted into do not count, and the nearest to the decisive words [fstart, fend) wins."""
        text = self.doc.folded.text
        for kind, own in self.target.marks.items():
            marks = [m for m in self._marks if m.kind == kind and low <= m.start < high]
            left = [m for m in marks if not INTO_CLASS.search(self.doc.scan, max(low, m.start - 60), m.start)] if len(marks) > 1 else marks
            if len({m.value for m in left}) > 1 and fstart >= 0:
                left = _nearest_marks(text, left, fstart, fend)
            seen = {m.value for m in left or marks}
            if seen and not seen & own:
                return Fit.OTHER, f"{kind} {'/'.join(sorted(seen))}, not {'/'.join(sorted(own))}"
            if seen & own and kind in ("coupon", "series"):
                return Fit.THIS, f"{kind} {'/'.join(sorted(own))}"
        return None

    def _class_near(self, unit: Unit, fstart: int, fend: int) -> frozenset[str]:
        """Classes named closest to the decisive words, when a sentence names several; a pair joined there counts as one."""
        low, high = clause(self.doc, unit, fstart, fend)
        if not self._classes_in(low, high):
            low, high = unit.fstart, unit.fend
        distances = [
            (_gap(start, end, fstart, fend) + (CLASS_AFTER if start >= fend else 0), name)
            for start, end, name in self._classes[
                bisect.bisect_left(self._class_starts, low) : bisect.bisect_left(self._class_starts, high)
            ]
            if not self._is_result(start, end)
        ]
        if not distances:
            return frozenset()
        nearest = min(distance for distance, _ in distances)
        spans = self._classes[bisect.bisect_left(self._class_starts, low) : bisect.bisect_left(self._class_starts, high)]
        pair = CLASS_PAIR_HAN if self.doc.page.lang.partition("-")[0] in ("zh", "ja", "ko") else CLASS_PAIR
        near = {name for distance, name in distances if distance <= nearest + pair}
        return frozenset(joined_classes(self.doc.folded.text, spans, near))

    @cached_property
    def _head_blocks(self) -> list[int]:
        """Numbers of the titles and headings among the blocks of the page."""
        return [n for n, block in enumerate(self.doc.page.blocks) if block.kind in (BlockKind.TITLE, BlockKind.HEADING)]

    def _class_before(self, unit: Unit) -> tuple[frozenset[str], str]:
        """The class that the text was last speaking about, within the block, its heading or the title."""
        if not self._classes and not self._marks:
            return frozenset(), ""
        if self.target.classes & {"common", "fund", "unit"}:
            above = bisect.bisect_left(self._head_blocks, unit.block)
            head = self.doc.page.blocks[self._head_blocks[above - 1]] if above else None
            scope = [(head.start, head.end)] if head is not None else []
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

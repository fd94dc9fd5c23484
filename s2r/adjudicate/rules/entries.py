"""Lists that a sentence points at ("the securities below are removed:"): the step is said of their entries, and of nothing else."""

from __future__ import annotations

import bisect
import re
from collections.abc import Set as AbstractSet
from functools import cached_property

from s2r.adjudicate.rules.directions import AUXILIARIES, SYMBOL
from s2r.adjudicate.rules.document import Unit, folded_offset
from s2r.adjudicate.rules.guarded import Guarded
from s2r.adjudicate.rules.mentions import LIST_KINDS, SHORT_LINE, Mentions
from s2r.adjudicate.rules.perpage import of_page
from s2r.adjudicate.rules.spared import excludes
from s2r.adjudicate.rules.stage import says_step
from s2r.lang.ids import find_isins
from s2r.lang.text import fold_text
from s2r.models import BlockKind

POINTER = Guarded(
    r"\b(?:(?:the|these) following|following (?=(?:compan|securit|issuer|share|entit|list|stock|scrip|instrument|bond|note|line|item)\w*)|as follows|below|hereunder|named here|listed here|annexure|folgende[rnms]?|nachstehend\w*|nachfolgend\w*|untenstehend\w*|suivante?s?|ci-(?:dessous|après)|siguientes?"
    r"|a continuación|abajo|seguenti|sottoelencat\w+|di seguito|seguintes?|abaixo|följande|nedan\w*|følgende|nedenfor|nedenstående|seuraav\w+|alla mainitu\w*|volgende|onderstaande|hieronder"
    r"|następując\w+|poniższ\w+|poniżej|sau đây|dưới đây|berikut|di bawah|aşağıda\w*)\b|\bthese (?:\w+ ){0,2}\w+(?=: ?$)|以下|下記|下列|次の|如下|다음|아래|التالية|التالي|أدناه|ต่อไปนี้|ดังนี้|निम्नलिखित|नीचे"
)
ABOVE = Guarded(
    r"\b(?:above(?!(?:-| )average|-par| (?:the|all|\$|\d))|acima|supracitad\w+|arriba|precedentes|sopra\w*|ci-dessus|susmentionné\w*|(?:oben|vor) ?(?:genannt|stehend|erwähnt)\w*|ovenstående|ovanstående|ovennævnte|ovennevnte|ovannämnda"
    r"|bovenstaande|bovengenoemde|powyższ\w+|wyżej|edellä maini\w+|yllä|nói trên|trên đây|tersebut di atas|yukarıda\w*)\b|上記|上述|前述の|위 ?(?:종목|회사|증권|주권)|위의"
)
ADMITS = Guarded(
    r"\b(?:admits?|admitted|admission|zugelassen|zulassung|admises?|admission|admitid[oa]s?|ammess[eio]|admissão|upptas|optages|opptas|toegelaten|dopuszczon\w*)\b|上場承認|新規上場|신규상장"
)
_SYMBOL_CELL = re.compile(r"\(?[A-Z][A-Z0-9]{1,4}(?:[.-][A-Z]{1,2})?\)?")
MOST = 60  # entries that are looked at
NOTE = 5  # spaces between the words of a sentence that is no entry


EXCEPTED = re.compile(
    r"\b(?:except(?: for|ing)?|apart from|other than|save for|with the exception of|mit Ausnahme (?:von|der|des)|à l'exception d[eu]|sauf|con excepción de|salvo|com exceção d[aeo]|ad eccezione di|met uitzondering van"
    r"|med undantag (?:av|för)|med unntak av|med undtagelse af|z wyjątkiem)(?: the| der| la| le)? $"
)
LEAVING, REMAINS = (
    re.compile(r"\b(?:leaving|leaves)(?: the)? $"),
    re.compile(r"(?: \([^)]{1,20}\))? (?:as|alone|the (?:only|last|sole)|on its own)\b"),
)


DEFINED = re.compile(r"[A-ZÀ-Þ][\w&.'’-]+(?: [\w&.'’-]+){1,6} ?\((?:the )?[\"“„«] ?(?P<term>[A-Z][A-Z0-9&-]{1,9}) ?[\"”“»]\)")
JOINS = re.compile(r"(?:\b(?:and|while|whereas|that|und|et|y|e|och|og|en)|;) (?:the |die |la |el )?$")
VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|became|becomes|ist|hat|wurde|est|a été|ha|fue|är|har|er|heeft|werd)\b")
WITH_CODE = re.compile(r"\.? ?\((?:[A-Z][\w -]{1,24}: ?)(?P<term>[A-Z][A-Z0-9]{1,5})\)")
SUBJECT_TERM = re.compile(
    r"(?<![\w(])(?P<term>[A-Z][A-Z0-9&-]{1,9})(?: (?:will|shall|is|are|has|have|was|were|to|be|been|now|then|thereafter|accordingly|wird|sera|será)){0,4}$"
)


class Entries(Mentions):
    """Entries of lists, and the security that the issuer's own entry names."""

    def entries(self, unit: Unit) -> list[Unit]:
        """The lines under a sentence that points at a list; they end at the next sentence, or where another step is stated."""
        if unit.index not in self._lists:
            self._lists[unit.index] = self._entries(unit)
        return self._lists[unit.index]

    def _entries(self, unit: Unit) -> list[Unit]:
        if unit.kind is BlockKind.TITLE or self.names_target(unit.start, unit.end):
            return []
        if not POINTER.search(self.doc.scan, unit.fstart, unit.fend):
            return self._entries_above(unit) if ABOVE.search(self.doc.scan, unit.fstart, unit.fend) else []
        found: list[Unit] = []
        below = next((line for line in self.doc.units[unit.index + 1 :] if line.block != unit.block), unit)
        for line in self.doc.units[unit.index + 1 : unit.index + 1 + MOST]:
            if not line.main or (line.block == unit.block and below.kind in (BlockKind.ROW, BlockKind.ITEM)):
                continue  # what else the paragraph says before the table
            if POINTER.search(self.doc.scan, line.fstart, line.fend) or (line.kind not in LIST_KINDS and self._ends_list(line, found)):
                break
            if line.kind not in LIST_KINDS and line.end - line.start > SHORT_LINE:
                break
            found.append(line)
        return found

    def _ends_list(self, line: Unit, above: list[Unit]) -> bool:
        """The line states another step, or below a table a change of a name or code: it is no entry."""
        scan = self.doc.scan
        below_table = bool(above) and above[-1].kind is BlockKind.ROW
        if self._note(line, above[-1] if above else None):
            return True
        return says_step(scan, line.fstart, line.fend) or (below_table and bool(scan.within("stage.technical", line.fstart, line.fend)))

    def _note(self, line: Unit, above: Unit | None) -> bool:
        """A sentence of the text that stands below the rows or items of a list: it says something beside them."""
        if above is None or above.kind not in LIST_KINDS or line.kind in LIST_KINDS:
            return False
        text = self.doc.text(line).rstrip()
        return text.endswith((".", "。")) and (text.count(" ") >= NOTE or not text.isascii())

    def _entries_above(self, unit: Unit) -> list[Unit]:
        """The rows or items that stand right above a sentence ("the securities named above")."""
        found: list[Unit] = []
        for line in reversed(self.doc.units[max(0, unit.index - MOST) : unit.index]):
            if line.main and line.kind not in LIST_KINDS and line.block != unit.block:
                break
            if line.main and line.kind in LIST_KINDS:
                found.append(line)
        return found[::-1]

    def _listed_others(self, unit: Unit) -> str:
        """A company of the list that a sentence points at, when the issuer is not among its entries; "" otherwise."""
        lines = self.entries(unit)
        if any(self.names_target(u.start, u.end) or self._has_id(u.start, u.end) for u in lines):
            return ""
        others = (other for u in lines for other in (*self.names_other(u.start, u.end), *self._other_symbols(u)))
        return next(others, "")

    def _other_symbols(self, entry: Unit) -> list[str]:
        """For a fund of a family: cells of the entry that hold nothing but a symbol, none of them its own."""
        if self.target.security_matcher is None or entry.kind is not BlockKind.ROW:
            return []
        return [c for c in self.doc.page.text[entry.start : entry.end].split(" | ") if _SYMBOL_CELL.fullmatch(c.strip())]

    def _own_entries(self, unit: Unit) -> list[Unit]:
        return [u for u in self.entries(unit) if self.names_target(u.start, u.end)]

    def _replaced(self, unit: Unit) -> bool:
        """A later list of the document admits the same issuer's securities: one line takes the place of another."""
        later = [u for u in self.doc.units[unit.index + 1 :] if u.main and ADMITS.search(self.doc.scan, u.fstart, u.fend)]
        return any(self.names_target(e.start, e.end) for u in later for e in self.entries(u))

    @cached_property
    def _isins(self) -> list[tuple[int, str]]:
        return [(found.start, found.value) for found in of_page(self.doc, find_isins) if found.valid] if self.target.listing.isin else []

    def _foreign_isin(self, start: int, end: int) -> str:
        """An ISIN in [start, end) of the page, where the listing's own does not stand; of a receipt or note only one that
        differs by more than the country, as issuers name their shares by ISIN at the foot of every release."""
        own = self.target.listing.isin
        found = [code for at, code in self._isins if start <= at < end] if self._isins else []
        if not found or own in found:
            return ""
        if "common" in self.target.classes and "adr" not in self.target.classes:
            return found[0]
        return next((code for code in found if code[:2] == own[:2]), "")

    def _other_paper(self, named: AbstractSet[str]) -> str:
        """An ISIN of the listing's country on a page that never gives the listing's own: the page is about that security. Sentences
        that exclude a security from the step do not say what it is about, and where the step names this class (`named`), neither do
        those about another one."""
        if not self._isins or "common" not in self.target.classes:
            return ""
        codes = self._papers[0 if named & self.target.classes else 1]
        if self.target.listing.isin in codes:
            return ""
        return next((code for code in sorted(codes) if code[:2] == self.target.listing.isin[:2]), "")

    @cached_property
    def _papers(self) -> tuple[frozenset[str], frozenset[str]]:
        """The ISINs outside sentences that exclude what they name; of sentences that speak of no other class only, and of all."""
        shown: set[str] = set()
        told: set[str] = set()
        units = self.doc.units
        for at, code in self._isins:
            unit = units[max(0, bisect.bisect_right(units, at, key=lambda one: one.start) - 1)]
            own = code == self.target.listing.isin
            if unit.start <= at < unit.end and excludes(self.doc, unit, goes_on=not own):
                continue
            told.add(code)
            classes = self._classes_in(unit.fstart, unit.fend)
            if own or not classes or classes & self.target.classes:
                shown.add(code)
        return frozenset(shown), frozenset(told)

    def _entry_below(self, unit: Unit, at: int, to: int, high: int) -> tuple[int, int] | None:
        """The issuer's entry, up to its name, in a list that the step at `at` heads ("will be removed from the list: A; B; C").

        A step that ends behind the colon is one of the entries' own ("The authority: 1) consented to A; 2) fined B").
        """
        text = self.doc.page.text
        colon = text.find(":", at, high)
        named = [m.start for m in self.named_in(colon + 1, unit.end)] if at <= colon else []
        return (max(colon, text.rfind(";", colon, named[0])) + 1, named[0]) if named and to <= colon + 1 else None

    def _next_clause(self, unit: Unit, at: int) -> str:
        """Another company that is the subject of the step in a clause of its own, after one about the issuer ("the offer of X is
        unconditional and Y will be delisted")."""
        text = self.doc.page.text
        last = max((m.end for m in self.named_in(unit.start, at)), default=-1)
        if last < 0:
            return ""
        for start, end, core in self.others_in(last, at):
            joined = JOINS.search(text, last, start)
            if end <= at and at - end <= 60 and AUXILIARIES.fullmatch(text, end, at) and joined and VERB.search(text, last, joined.start()):
                return core
        return ""

    @cached_property
    def _defined(self) -> frozenset[str]:
        """Short terms that the page defines for others than the issuer: 'Lucky Fields Commercial Trust ("LFCT")'."""
        text, named = self.doc.page.text, self._named
        own = {m["term"] for m in DEFINED.finditer(text) if any(m.start() < n.end and n.start < m.end() for n in named)}
        found = {m["term"] for m in DEFINED.finditer(text)}
        coded = (WITH_CODE.match(text, end) for _, end, _ in self._others)  # "Tallangatta Tin Limited (ASX: TTN)"
        found |= {m["term"] for m in coded if m is not None}
        return frozenset(found - own - {self.target.listing.ticker})

    def _defined_subject(self, unit: Unit, at: int) -> str:
        """Such a term right before the step ("LFCT will be delisted")."""
        before = self.doc.page.text[unit.start : at].rstrip()
        last = SUBJECT_TERM.search(before)
        return last["term"] if last is not None and last["term"] in self._defined else ""

    def _received_for(self, unit: Unit, at: int) -> str:
        """Another symbol of the page that stands before the step, the listing's own standing only after it ("PAOH was delisted and
        holders received PAMI shares")."""
        own = self.target.code.strip()
        low = folded_offset(self.doc.folded, unit.start)
        here = [tick for tick in self._tickers if low <= tick < unit.fend]
        if not own or not here or min(here) <= folded_offset(self.doc.folded, at):
            return ""
        before = {symbol for symbol in SYMBOL.findall(self.doc.page.text[unit.start : at]) if symbol in self._symbols}
        return min((symbol for symbol in before if fold_text(symbol) != own), default="")

    def _left_out(self, unit: Unit) -> bool:
        """The sentence names the issuer only as what remains or is excepted ("leaving X as its only fund", "all of them but X")."""
        text = self.doc.page.text
        named = self.named_in(unit.start, unit.end)
        left = [
            m
            for m in named
            if EXCEPTED.search(text, max(unit.start, m.start - 40), m.start)
            or (LEAVING.search(text, max(unit.start, m.start - 14), m.start) and REMAINS.match(text, m.end))
        ]
        longest = max((len(m.text) for m in left), default=0)
        return bool(left) and all(m in left or len(m.text) < longest for m in named)  # a shorter name may be that of the family

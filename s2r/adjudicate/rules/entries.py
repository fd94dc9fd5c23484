"""Lists that a sentence points at ("the securities below are removed:"): the step is said of their entries, and of nothing else."""

from __future__ import annotations

import re
from functools import cached_property

from s2r.adjudicate.rules.document import Unit
from s2r.adjudicate.rules.mentions import LIST_KINDS, SHORT_LINE, Mentions
from s2r.adjudicate.rules.stage import says_step
from s2r.lang.ids import find_isins
from s2r.models import BlockKind

POINTER = re.compile(
    r"\b(?:(?:the|these) following|following (?=(?:compan|securit|issuer|share|entit|list|stock|scrip|instrument|bond|note|line|item)\w*)|as follows|below|hereunder|named here|listed here|annexure|folgende[rnms]?|nachstehend\w*|nachfolgend\w*|untenstehend\w*|suivante?s?|ci-(?:dessous|après)|siguientes?"
    r"|a continuación|abajo|seguenti|sottoelencat\w+|di seguito|seguintes?|abaixo|följande|nedan\w*|følgende|nedenfor|nedenstående|seuraav\w+|alla mainitu\w*|volgende|onderstaande|hieronder"
    r"|następując\w+|poniższ\w+|poniżej|sau đây|dưới đây|berikut|di bawah|aşağıda\w*)\b|\bthese (?:\w+ ){0,2}\w+(?=: ?$)|以下|下記|下列|次の|如下|다음|아래|التالية|التالي|أدناه|ต่อไปนี้|ดังนี้|निम्नलिखित|नीचे"
)
ABOVE = re.compile(
    r"\b(?:above(?!(?:-| )average|-par| (?:the|all|\$|\d))|acima|supracitad\w+|arriba|precedentes|sopra\w*|ci-dessus|susmentionné\w*|(?:oben|vor) ?(?:genannt|stehend|erwähnt)\w*|ovenstående|ovanstående|ovennævnte|ovennevnte|ovannämnda"
    r"|bovenstaande|bovengenoemde|powyższ\w+|wyżej|edellä maini\w+|yllä|nói trên|trên đây|tersebut di atas|yukarıda\w*)\b|上記|上述|前述の|위 ?(?:종목|회사|증권|주권)|위의"
)
ADMITS = re.compile(
    r"\b(?:admits?|admitted|admission|zugelassen|zulassung|admises?|admission|admitid[oa]s?|ammess[eio]|admissão|upptas|optages|opptas|toegelaten|dopuszczon\w*)\b|上場承認|新規上場|신규상장"
)
_SYMBOL_CELL = re.compile(r"\(?[A-Z][A-Z0-9]{1,4}(?:[.-][A-Z]{1,2})?\)?")
MOST = 60  # entries that are looked at


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
        if not POINTER.search(self.doc.folded_text(unit)):
            return self._entries_above(unit) if ABOVE.search(self.doc.folded_text(unit)) else []
        found: list[Unit] = []
        for line in self.doc.units[unit.index + 1 : unit.index + 1 + MOST]:
            if not line.main:
                continue
            text = self.doc.folded_text(line)
            if POINTER.search(text) or (line.kind not in LIST_KINDS and says_step(self.doc.scan, line.fstart, line.fend)):
                break
            if line.kind not in LIST_KINDS and line.end - line.start > SHORT_LINE:
                break
            found.append(line)
        return found

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
        later = [u for u in self.doc.units[unit.index + 1 :] if u.main and ADMITS.search(self.doc.folded_text(u))]
        return any(self.names_target(e.start, e.end) for u in later for e in self.entries(u))

    @cached_property
    def _isins(self) -> list[tuple[int, str]]:
        return [(found.start, found.value) for found in find_isins(self.doc.page.text) if found.valid] if self.target.listing.isin else []

    def _foreign_isin(self, start: int, end: int) -> str:
        """An ISIN in [start, end) of the page, where the listing's own does not stand; of a receipt or note only one that
        differs by more than the country, as issuers name their shares by ISIN at the foot of every release."""
        own = self.target.listing.isin
        found = [code for at, code in self._isins if start <= at < end]
        if not found or own in found:
            return ""
        if "common" in self.target.classes and "adr" not in self.target.classes:
            return found[0]
        return next((code for code in found if code[:2] == own[:2]), "")

    @cached_property
    def _other_paper(self) -> str:
        """An ISIN of the listing's country on a page that never gives the listing's own: the page is about that security."""
        codes = {code for _, code in self._isins}
        if self.target.listing.isin in codes or "common" not in self.target.classes:
            return ""
        return next((code for code in sorted(codes) if code[:2] == self.target.listing.isin[:2]), "")

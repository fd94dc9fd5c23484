"""What a sentence that names the issuer says of another company in it: a bidder, a subsidiary, a rival, the next entry of a list."""

from __future__ import annotations

import re
from functools import cached_property

from s2r.adjudicate.rules.apart import PAGES, SET_OFF, topic_of
from s2r.adjudicate.rules.buyers import WHEN
from s2r.adjudicate.rules.directions import (
    AUXILIARIES,
    BESIDE_AFTER,
    BESIDE_BEFORE,
    DESCRIBED_BY,
    KIN_BEFORE,
    OWN_SHARES,
    OWNS_AFTER,
    OWNS_BEFORE,
    TOPIC,
)
from s2r.adjudicate.rules.document import Unit
from s2r.adjudicate.rules.entries import Entries
from s2r.adjudicate.rules.holdings import holds_part
from s2r.adjudicate.rules.kinship import (
    BEFORE,
    BETWEEN,
    DOER,
    HEADS_PART,
    HOLDER_OF,
    ITS_SHARES,
    LATTER,
    LEADS,
    OF,
    SHARES_AFTER,
    SHARES_BESIDE,
    SHARES_OF,
    WHOSE,
    WITHIN,
)
from s2r.adjudicate.rules.owners import UNRELATED, owns_all
from s2r.adjudicate.rules.partners import RELATIVE, WHICH, spoken_of
from s2r.adjudicate.rules.sources import SECOND_HAND
from s2r.lang.names import Strength
from s2r.lang.text import fold_text
from s2r.models import BlockKind

# what a form calls the step, in a row of labels and values: "Class: ...; Event: delisting; Market: ..."
LABELLED = re.compile(
    r"\W*(?:event|measure|action|subject|matter|maßnahme|ereignis|vorgang|gegenstand|sachverhalt|betreff|gebeurtenis|maatregel|onderwerp|betreft|événement|mesure|objet|evento|medida|asunto|misura|oggetto|assunto"
    r"|åtgärd|händelse|ärende|tiltak|hendelse|sak|hændelse|foranstaltning|toimenpide|tapahtuma|zdarzenie)\s?:",
    re.IGNORECASE,
)
# "Unlike its rival Corvane, which has left the exchange, ..."
UNLIKE = re.compile(
    r"\W*(?:unlike|in contrast to|as opposed to|anders als|im (?:gegensatz|unterschied) zur?m?|während|contrairement à|à la différence d[eu']|a diferencia de|al contrario que|ao contrário d[aeo]s?|diferentemente d[aeo]s?"
    r"|a differenza d(?:i|el|ella|ell')|diversamente da|anders dan|in tegenstelling tot|till skillnad från|i motsats till|i motsetning til|i modsætning til|til forskjell fra|toisin kuin|w przeciwieństwie do|w odróżnieniu od"
    r"|berbeda dengan|tidak seperti|khác với|farklı olarak)\b",
    re.I,
)
# "Ein Wettbewerber der", "a rival of": before the issuer's name
RIVAL = re.compile(
    r"\W*(?:(?:An?|The|Ein|Eine|Der|Die|Een|De|En|Ett|Et) )?(?:\w+ )?(?:rival|competitor|peer|Wettbewerber(?:in)?|Konkurrent(?:in)?|Mitbewerber(?:in)?|concurrent|branchegenoot|konkurrent) (?:of|to|der|des|von|van|till|til|av|af|for) (?:the |der |die )?",
    re.I,
)
OPENS_RIVAL = re.compile(
    r"\W*(?:(?:The|Der|Die|De|Den|Die) )?(?:\w+ )?(?:rival|competitor|Wettbewerber(?:in)?|Konkurrent(?:in|en)?|Mitbewerber(?:in)?|concurrent|branchegenoot|branschkollegan|bransjekollegaen|konkurrenten|rivalen|kilpailija|kilpaileva)\b",
    re.I,
)
# before the issuer's name at the end: "..., uppger N", "meldt N"
SAYS = re.compile(
    r"(?:,|–|-)? (?:uppger|meddelar|skriver|berättar|rapporterar|oplyser|meddeler|skriver|opplyser|melder|sier|meldet|teilt|sagt|schreibt|berichtet|meldt|aldus|schrijft|zegt|toteaa|kertoo|ilmoittaa|says|reports|notes|enligt|ifølge|laut|volgens|according to) (?:die |de |the )?$"
)
NEAR_RIVAL = 60  # characters between the name of a rival and its step
# "Datterselskapet X": what a sentence opens with
SUBSIDIARY = re.compile(
    r"\W*(?:(?:The|Its|Our|Die|Ihre|Das|La|Sa|Une|Su|Una|A|Uma|Sua|Il|De|Het|Ons) |L['’])?(?:(?:listed|börsennotierte|cotée|cotizada|listada|quotata|beursgenoteerde|børsnoterede|børsnoterte|börsnoterade|giełdowa) )?"
    r"(?:subsidiary|Tochter(?:gesellschaft|unternehmen|firma)?|Konzerntochter|filiale|filial|participada|subsidiária|controlada|controllata|dochter(?:onderneming|maatschappij|bedrijf)?|dotterbolaget|datterselskabet|datterselskapet|tytäryhtiö"
    r"|spółka (?:zależna|córka)|spółka-córka|anak (?:perusahaan|usaha|syarikat)|công ty con) (?=\w)",
    re.IGNORECASE,
)
# before the issuer's name at the end of a sentence: ", meddelar", ", teilte die"
TELLS = re.compile(
    r",\s(?:[^\W\d_]+ ){1,4}$|,\s$|\baccording to $|\b(?:selon|según|segundo|secondo|laut|volgens|enligt|ifølge|według|menurut|theo) $"
)
TELLER = 24  # characters after that name
MANAGED_BY = re.compile(
    r"\b(?:managed|advised|administered|sponsored) by (?:the )?$|\b(?:verwaltet|betreut|aufgelegt) von (?:der |dem )?$|\b(?:gérée?s?|administrée?s?) par $|\b(?:gestionad|administrad)[oa]s? por (?:la )?$|\b(?:gerid|administrad)[oa]s? (?:pela |por )$"
    r"|\b(?:gestit|amministrat)[oaie] da $|\bbeheerd door $|\bförvaltas av $|\bforvaltet av $|\bforvaltes af $|\bzarządzan\w+ przez $|\bdikelola oleh $"
)
OWNED = 90  # characters before a step, and before a company's name, within which its shares are spoken of
NEAR_STEP = 40  # characters between a step and the company whose shares are its object
LINKED = 12  # characters from a step to the shares that it goes on to name
_ISIN = re.compile(r"\b[A-Z]{2}[A-Z0-9]{9}\d\b")
LEAD_IN = 30  # characters between such words and the name of the company


class Counterparts(Entries):
    """Of whom else a step is said."""

    def _said_of_another(self, unit: Unit, at: int, to: int) -> str:
        """Why the words [at, to) of a sentence that names the issuer are about another company, "" when they are not."""
        others = bool(self.others_in(unit.start, max(unit.end, at)))
        if unit.kind is not BlockKind.TITLE and (nearer := self._nearer_other(unit, at, to)):
            return f"the step stands with {nearer!r}"
        if others and (unlike := self._compared(unit, at)):
            return f"says it of {unlike!r}, with which it compares the issuer"
        if others and (doer := self._relative(unit, at)):
            return f"says it of {doer!r}, a company that it describes by the issuer"
        if others and (kin := self._reported_kin(unit, at)):
            return f"says it of {kin!r}, of which the issuer only tells"
        if self._only_manages(unit):
            return "the issuer only manages what the sentence speaks of"
        if others and (owned := self._owned_by(unit, at, to)):
            return f"speaks of the shares of {owned!r}, which it describes by the issuer"
        if others and (holder := self._of_other(unit, at)):
            return f"says it of the shares of {holder!r}"
        if rival := self._rival(unit, at, to, others=others):
            return f"says it of {rival}, and the issuer only tells of it"
        if self._latter(unit, at):
            return "says it of the latter of two companies"
        if self._only_owner(unit, at):
            return "speaks of a subsidiary of the issuer"
        named = [m.end for m in self.named_in(unit.start, unit.end) if m.end <= to]
        if named and holds_part(self.doc.page.text, max(named), to):
            return "says it of a company in which the issuer holds a stake"
        if partner := self._partner(unit, at):
            return f"says it of {partner}"
        if others and (kin := self._kin(unit, at)):
            return f"says it of {kin!r}, which is described by the issuer"
        if doer := (others and self._next_clause(unit, at)) or self._defined_subject(unit, at):
            return f"says it of {doer!r} in the next clause"
        if others and (before := self._roundup(unit, at)):
            return f"says it of {before!r}; the issuer begins the next entry"
        return "the issuer is what the step leaves" if self._left_out(unit) else ""

    def _beside(self, unit: Unit) -> str:
        """Why a sentence of a report that does not name the issuer is about a company beside it."""
        if self.doc.source_kind not in PAGES or self._has_id(unit.start, unit.end):
            return ""
        if self._told_apart:
            return "the page only tells the issuer from another company"
        if SET_OFF.search(self.doc.scan, unit.fstart, unit.fend):
            name = topic_of(self.doc.page.text[unit.start : unit.end], self.doc.folded_text(unit), self.doc.page.text)
            return f"says it of {name!r}, a company of its own" if name and not self._exchange_name(name) else ""
        return ""

    @cached_property
    def _told_apart(self) -> bool:
        """The page names the issuer only where it says that another company has nothing to do with it, or a like name."""
        named = [u for u in self.doc.units if u.main and self.names_target(u.start, u.end)]
        return bool(named) and all(UNRELATED.search(self.doc.scan, u.fstart, u.fend) for u in named)

    def _exchange_name(self, name: str) -> bool:
        """The word names an exchange or authority, which speaks of others."""
        text = fold_text(name)
        return any(text in self.doc.folded.text[v.start : v.end] for v in self._venues) or any(
            text in self.doc.folded.text[hit.start : hit.end]
            for actor in ("exchange", "regulator", "committee", "court")
            for hit in self.doc.scan.all(f"actor.{actor}")
        )

    def _only_counterpart(self, unit: Unit) -> bool:
        """The issuer is named only as the other side of a deal ("a share exchange with X", "X's subsidiary")."""
        text = self.doc.page.text
        return all(
            BESIDE_BEFORE.search(text[max(unit.start, m.start - 20) : m.start]) or BESIDE_AFTER.match(text, m.end)
            for m in self.named_in(unit.start, unit.end)
        )

    def _nearer_other(self, unit: Unit, at: int, to: int) -> str:
        """In a sentence that names several companies, the one whose name is the last before the step (semicolon lists)."""
        text = self.doc.page.text
        if ":" in text[at : max(at, to - 1)]:
            at = to - 1  # the words run from the head of a list into one of its entries
        low = max(text.rfind(";", unit.start, at), text.rfind("；", unit.start, at), text.rfind("·", unit.start, at), unit.start)
        high_marks = [p for p in (text.find(c, at, unit.end) for c in ";；·") if p >= 0]
        high = min(high_marks, default=unit.end)
        if (low == unit.start and high == unit.end) or self.names_target(low, high):
            return ""
        if low == unit.start and (own := self._entry_below(unit, at, to, high)):
            before = self.names_other(*own)
            return before[0] if before else ""
        others = self.names_other(low, high)
        if others:
            return others[0]
        if LABELLED.match(text, low, high):
            return ""
        marks = sum(text.count(mark, unit.start, unit.end) for mark in ";；·")
        return "another entry of the list" if marks >= 2 else ""  # one semicolon joins two clauses about one thing

    def _of_other(self, unit: Unit, at: int) -> str:
        """Another company whose shares the step is about, in words beside its name, when the issuer is not named from there on."""
        text = self.doc.page.text
        for start, end, core in self.others_in(unit.start, unit.end):
            shares = SHARES_BESIDE.search(text, max(unit.start, start - 40), start) if start > at else WHOSE.match(text, end, at)
            if shares and all(end <= m.start and BETWEEN.fullmatch(text[end : m.start]) for m in self.named_in(min(at, start), unit.end)):
                return core
        return ""

    def _latter(self, unit: Unit, at: int) -> bool:
        """The step is said of the latter of two companies, and the issuer is the first, which holds the other."""
        text = self.doc.page.text
        named = [m.end for m in self.named_in(unit.start, at)]
        return bool(named) and bool(LATTER.match(text, at, unit.end)) and bool(HOLDER_OF.search(text, max(named), at))

    def _only_owner(self, unit: Unit, at: int) -> bool:
        """Before the step (else after it) the issuer is named only as the owner of a subsidiary, of which the step is said."""
        text = self.doc.page.text
        named = self.named_in(unit.start, unit.end)
        owners = [m for m in named if OWNS_AFTER.match(text, m.end) or OWNS_BEFORE.search(text[max(unit.start, m.start - 40) : m.start])]
        before = [m for m in named if m.start < at]
        if not owners or any(m not in owners for m in before or named[:1]):
            return False
        rest = [m for m in named if m not in owners]
        return not any(BESIDE_BEFORE.search(text[max(unit.start, m.start - 20) : m.start]) or OWN_SHARES.match(text, m.end) for m in rest)

    def _other_subject(self, unit: Unit, at: int) -> str:
        """A partner of the issuer that is itself the subject of the step: its name and auxiliaries stand right before it."""
        text = self.doc.page.text
        for _, end, core in self.others_in(unit.start, at):
            if end <= at and at - end <= 60 and AUXILIARIES.fullmatch(text, end, at):
                return core
        return ""

    def _relative(self, unit: Unit, at: int) -> str:
        """A company that the sentence opens with as the issuer's subsidiary or the like, or makes its topic as such (Japanese)."""
        text = self.doc.page.text
        named = self.named_in(unit.start, at)
        for start, end, core in self.others_in(unit.start, at):
            if end > at:
                break
            if KIN_BEFORE.fullmatch(text, unit.start, start):
                return core
            if any(0 <= start - m.end <= 3 and KIN_BEFORE.fullmatch(text, unit.start, m.start) for m in named):
                return core
        for m in named:
            if described := DESCRIBED_BY.match(text, m.end, at):
                for _, end, core in self.others_in(described.end(), described.end() + 1):
                    if end <= at and TOPIC.match(text, end, at):
                        return core
        return ""

    def _reported_kin(self, unit: Unit, at: int) -> str:
        """A company with which the sentence opens as a subsidiary, when the issuer is named at its end only, as who tells of it."""
        text = self.doc.page.text
        named = self.named_in(unit.start, unit.end)
        if any(m.start < at or unit.end - m.end > TELLER or not TELLS.search(text, unit.start, m.start) for m in named):
            return ""
        opening = SUBSIDIARY.match(text, unit.start, unit.end) if named else None
        if opening is None:
            return ""
        return next((core for start, end, core in self.others_in(unit.start, at) if start <= opening.end() < end and start <= at), "")

    def _only_manages(self, unit: Unit) -> bool:
        """The listing is of shares, and the sentence names the issuer only as the manager of a fund or the like."""
        if self.target.security_matcher is not None or self.target.classes & {"fund", "unit"}:
            return False
        named = [m for m in self.named_in(unit.start, unit.end) if m.strength is not Strength.SHORT]
        return bool(named) and all(MANAGED_BY.search(self.doc.page.text, max(unit.start, m.start - 30), m.start) for m in named)

    def _compared(self, unit: Unit, at: int) -> str:
        """The company with which the sentence opens by way of comparison, when the step comes before the issuer's name."""
        if (opening := UNLIKE.match(self.doc.page.text, unit.start, unit.end)) is None:
            return ""
        if self._names_issuer(unit.start, at):
            return ""
        return next(iter(self.names_other(opening.end(), min(at, opening.end() + LEAD_IN + 1))), "")

    def _kin(self, unit: Unit, at: int) -> str:
        """The last company before the step, when it is described as kin or rival of the issuer and the issuer is not named after it."""
        text = self.doc.page.text
        before = [(start, end, core) for start, end, core in self.others_in(unit.start, at) if end <= at]
        if not before:
            return ""
        start, end, core = max(before, key=lambda name: (name[1], -name[0]))
        kin = bool(BEFORE.search(text[max(unit.start, start - 40) : start]) or WITHIN.match(text, start))
        for m in self.named_in(end, unit.end):
            between = text[end : m.start]
            if kin and OF.fullmatch(between):
                continue  # "the subsidiary X of the issuer"
            if kin and m.start > at and WHEN.search(text, at, m.start):
                continue  # "its subsidiary X is delisted, after the issuer has bought the rest"
            if BETWEEN.fullmatch(between) and m.start < at and text[m.end : m.end + 1] in (",", "，"):
                kin = True  # "X, a rival of the issuer, ..."
                continue
            return ""
        return core if kin else ""

    def _owned_by(self, unit: Unit, at: int, to: int) -> str:
        """A subsidiary or parent whose shares the words [at, to) speak of ("decided that the shares of its subsidiary X be struck off")."""
        text = self.doc.page.text
        for start, end, core in self.others_in(max(unit.start, at - OWNED), min(max(at, to) + OWNED, unit.end)):
            led = LEADS.match(text, start, end)
            shares = SHARES_OF.search(text[max(unit.start, start - OWNED) : led.end() if led else start])
            after = BEFORE.search(text[max(unit.start, start - 40) : start]) and SHARES_AFTER.match(text, end)
            its = at - NEAR_STEP <= start <= to + NEAR_STEP and not self._owns_step(unit) and self._has_shares(start, end, unit.start)
            linked = after or its or (shares is not None and max(unit.start, start - OWNED) + shares.start() <= to + LINKED)
            if linked and all(DOER.search(text[m.start - 14 : m.start]) for m in self.named_in(end, to)):
                return core
        return ""

    def _owns_step(self, unit: Unit) -> bool:
        """The sentence speaks of the issuer's own shares, as of the other company's."""
        return any(self._has_shares(m.start, m.end, unit.start) for m in self.named_in(unit.start, unit.end))

    def _has_shares(self, start: int, end: int, low: int) -> bool:
        """The company named at [start, end) is the one whose shares are spoken of."""
        text = self.doc.page.text
        return bool(ITS_SHARES.search(text[max(low, start - NEAR_STEP) : start]) or SHARES_AFTER.match(text, end))

    def _partner(self, unit: Unit, at: int) -> str:
        """The other side of a deal or holding of the issuer, of which the sentence says the step; the issuer is not named after it."""
        text = self.doc.page.text
        before = [m.end for m in self.named_in(unit.start, at) if m.end <= at]
        if not before:
            return ""
        for _, end, core in self.others_in(max(before), at):
            if end > at:
                break
            clause = RELATIVE.match(text, end)
            if WHICH.match(text, end) or (clause is not None and "," not in text[clause.end() : at]):
                return repr(core)
        return "another company of the sentence" if spoken_of(text, max(before), at) else ""

    def _rival(self, unit: Unit, at: int, to: int, *, others: bool) -> str:
        """Whose step it is where the issuer stands only behind it, as who says so, or where the subject is a rival of the issuer's."""
        text = self.doc.page.text
        named = self.named_in(unit.start, unit.end)
        if (rival := RIVAL.match(text, unit.start, at)) is not None and any(0 <= m.start - rival.end() <= 1 for m in named):
            return "a rival"
        if not others or not named or any(m.start < to or not SAYS.search(text, max(to, m.start - 24), m.start) for m in named):
            return ""
        near = [core for _, end, core in self.others_in(unit.start, at + 1) if at - end <= NEAR_RIVAL and "," not in text[end:at]]
        return repr(near[-1]) if near and OPENS_RIVAL.match(text, unit.start, at) else ""

    def _roundup(self, unit: Unit, at: int) -> str:
        """A company named before the step, when the issuer is named only after it, at the head of the next part ("X leaves, Y grows")."""
        text = self.doc.page.text
        named = self.named_in(unit.start, unit.end)
        if not named or any(m.start <= at or not HEADS_PART.search(text[max(unit.start, m.start - 3) : m.start]) for m in named):
            return ""
        before = [core for _, end, core in self.others_in(unit.start, at) if end <= at]
        return before[-1] if before else ""

    def _names_owners(self, unit: Unit) -> bool:
        """The companies that the sentence names are named as those that own or take over all the shares."""
        return all(owns_all(self.doc.page.text, unit.end, end) for _, end, _ in self.others_in(unit.start, unit.end))

    @cached_property
    def _identified(self) -> bool:
        """A first-hand page carries the ISIN of the listing, and that of no other security."""
        own = self.target.listing.isin
        if not own or self.doc.source_kind in SECOND_HAND or own not in self.doc.page.text:
            return False
        return set(_ISIN.findall(self.doc.page.text)) == {own}

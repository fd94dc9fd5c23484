"""Whether a passage is about the issuer: named, under its head, inherited, or another company."""

from __future__ import annotations

import bisect
import re
from functools import cached_property

from s2r.adjudicate.rules.agents import to_holders
from s2r.adjudicate.rules.buyers import OWN_TERM, TENDERED, bought_by, buyer, head_of_kin, own_shares, says_of_itself, that_company
from s2r.adjudicate.rules.counterparts import Counterparts
from s2r.adjudicate.rules.directions import (
    SUBJECT_COMPANY,
)
from s2r.adjudicate.rules.document import Unit
from s2r.adjudicate.rules.kinship import (
    AND_AMONG_THEM,
    COUNTED,
    HOLDS,
    MANY,
    ROLE,
)
from s2r.adjudicate.rules.mentions import (
    FOREIGN_CODE,
    HEAD_LENGTH,
    HEAD_REST,
    LEAD,
    LIST_KINDS,
    LISTERS,
    SHORT_LINE,
    Fit,
)
from s2r.adjudicate.rules.owners import UNRELATED, only_holds
from s2r.lang.literals import Hint, Opened
from s2r.lang.names import Strength
from s2r.lang.text import fold, fold_text
from s2r.models import BlockKind
from s2r.policy import is_issuer_site, under_code

# by which a document calls the company that it is about: "the Company has applied", "a Companhia protocolou"
SELF = re.compile(
    r"\b(?:[Tt]he (?:Company|Issuer|Corporation|Group)|[Aa] (?:Companhia|Emissora)|[Ll]a (?:Sociedad|Società|Compañía|Emisora|Emittente|Société)|[LlSs]a Société|[Dd]e (?:Vennootschap|Onderneming)|Bolaget|Selskapet"
    r"|[Ss]półka|Spółka|Emitent)(?! (?:ofer|acquir|bid|initi))\b|当社|本公司|当行|본 ?공시회사|당사"
)
OWN_VOICE = frozenset({"filing", "issuer"})
OWN_ANNOUNCEMENT = OWN_VOICE | {"wire", "unknown"}
FUND_NAME = re.compile(
    r"\b(?!(?:The|This|Each|Our|Such|Exchange|Series|Board|All) )[A-Z][\w&-]+ (?:[A-Z0-9][\w&%.-]* ){1,6}(?:ETF|ETN|ETP|Fund|Portfolio)\b"
)
# letters that a sentence calls a code: "TRKAM kodlu paylar", "saham berkode MSLG", "mã chứng khoán KVC"
CALLED_CODE = re.compile(
    r"\b([A-Z][A-Z0-9]{2,5}) (?:kodlu|koduyla|işlem kodlu)\b|\b(?:berkode|[Kk]ode|[Kk]od|[Mm]ã|MCK|[Ss]tock code|[Cc]ode)"
    r"(?: (?:saham|emiten|efek|kaunter|ck|CK|cp|CP|chứng khoán|cổ phiếu))?:? ([A-Z][A-Z0-9]{2,5})\b"
)
_HAN = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
CODED = 400  # characters at the top of a page among which it gives the code that it is filed under
CODE_GIVEN = re.compile(
    r"(?<!\w)(?:[Cc]ode(?:\(s\)|s)?|CODE(?:\(S\)|S)?|[Tt]icker|[Ss]ymbol) ?: *([A-Z][A-Z0-9]{2,5}(?:[ ,;/]+[A-Z0-9]{3,6}\b)*)(?!\w)"
)
FEWEST = 3  # characters of a code that stands for a company


# the last number in brackets, or the one that is called a code: "(JASDAQ, 6399)", "(コード4239、富山県)"
CODE_IN_BRACKETS = re.compile(
    r"\((?=[^()]{4,60}\))[^()]{0,24}?(?<!\d)(?:(?<=コード)|(?<=コード:)|(?<=code )|(?<=code: )|(?<=代码)|(?<=代码:)|(?<=代碼)|(?<=代碼:)|(?=\d{4,6}\)))(\d{4,6})(?!\d)"
)


# whether a text can hold one at all
_CAN_COUNT, _CAN_TELL_TIME, _CAN_CALL = Hint(MANY), Hint(COUNTED), Hint(CALLED_CODE)
_ITSELF = Opened(SELF, 6)


class IssuerFit(Counterparts):
    """Whom a passage speaks of."""

    @cached_property
    def focus(self) -> Fit:
        """Whom the document is about: by its title and headings, else by its first paragraphs."""
        if self._heads:
            return Fit.OPEN
        if (filed := self._filed_for()) is not None:
            return filed
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
        if self._given_for_target() or any(self._headed_by_code(b.start, b.end) for b in heads[:6]) or self._filed_under_code():
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

    def _filed_for(self) -> Fit | None:
        """Whom a filing names as its subject company; None when it has no such line."""
        if self.doc.source_kind != "filing":
            return None
        line = SUBJECT_COMPANY.search(self.doc.page.text)
        if line is None:
            return None
        return Fit.THIS if self.names_target(line.start(1), line.end(1)) or self._has_id(line.start(1), line.end(1)) else Fit.OTHER

    def _given_for_target(self) -> bool:
        """The title under which the source lists the page names the issuer (for a named fund: the fund)."""
        matcher = self.target.security_matcher or self.target.matcher
        title = self.doc.page.given_title
        return bool(title) and any(m.strength in (Strength.FULL, Strength.CORE) for m in matcher.find(title, fold(title)))

    def _headed_by_code(self, start: int, end: int) -> bool:
        """A headline opens with the issuer's code and a colon ("KMF: Results"), on a page that names this venue and no other company there."""
        code = self.target.listing.ticker
        opens = len(code) >= FEWEST and re.match(rf"(?:[\[(]?){re.escape(code)}[\])]? ?[:：|–—] ?\S", self.doc.page.text[start:end])
        return bool(opens) and any(v.mics & self.target.mics and not v.city for v in self._venues)

    def _filed_under_code(self) -> bool:
        """One of the first lines gives the issuer's code as the only one ("Code(s): KMF"), on a page that names this venue."""
        code = self.target.listing.ticker
        if len(code) < FEWEST or code not in self.doc.page.text[:CODED]:
            return False
        given = {m[1] for m in CODE_GIVEN.finditer(self.doc.page.text, 0, CODED)}
        return given == {code} and any(v.mics & self.target.mics and not v.city for v in self._venues)

    def _other_ticker_head(self, start: int, end: int) -> bool:
        return any(start <= m.start < end for m in self._namesakes)

    @cached_property
    def _partners(self) -> frozenset[str]:
        """Other companies that stand in one sentence with the target (bidder, parent, liquidator)."""
        found: set[str] = set()
        for unit in self.doc.units:
            others = self.names_other(unit.start, unit.end)
            if others and self.names_target(unit.start, unit.end) and not UNRELATED.search(self.doc.scan, unit.fstart, unit.fend):
                found.update(others)
            elif others and OWN_TERM.search(self.doc.page.text, unit.start, unit.end):
                found.update(core for start, _, core in self.others_in(unit.start, unit.end) if bought_by(self.doc.page.text, start))
        return frozenset(found)

    @cached_property
    def _held(self) -> frozenset[str]:
        """Other companies that the document says the issuer owns ("the issuer holds 97% of X")."""
        text = self.doc.page.text
        found: set[str] = set()
        for unit in self.doc.units:
            for start, _, core in self.others_in(unit.start, unit.end):
                named = self.named_in(unit.start, start)
                if core not in found and any(m.end <= start and HOLDS.fullmatch(text, m.end, start) for m in named):
                    found.add(core)
        return frozenset(found)

    @cached_property
    def _heads(self) -> list[tuple[int, Fit]]:
        """Where a digest turns to another company: lines that hold a company's name and little else, one of them the issuer's.

        Companies that stand in one sentence with the issuer (a bidder) have no section of their own.
        """
        heads: list[tuple[int, Fit]] = []
        if not self._named or not self._others:
            return heads
        text = self.doc.page.text
        for unit in self.doc.units:
            if not unit.main or unit.kind in (BlockKind.ROW, BlockKind.TITLE) or unit.end - unit.start > HEAD_LENGTH:
                continue
            names = [(m.start, m.end, "") for m in self.named_in(unit.start, unit.end)]
            others = self.others_in(unit.start, unit.end)
            names += [n for n in others if n[2] not in self._partners and n[0] not in self._bare]
            if len(names) == 1:
                low, high, other = names[0]
                rest = re.sub(r"\([^()]*\)", "", text[unit.start : low] + " " + text[min(high, unit.end) : unit.end])
                if len(re.findall(r"\w", rest)) <= HEAD_REST:
                    fit = Fit.OTHER if other else Fit.THIS
                    if heads and heads[-1][0] == unit.index - 1 and Fit.THIS in (fit, heads[-1][1]):
                        fit, heads[-1] = Fit.THIS, (heads[-1][0], Fit.THIS)  # a list of names heads one part
                    heads.append((unit.index, fit))
        return heads if {fit for _, fit in heads} == {Fit.THIS, Fit.OTHER} else []

    def _its_holders(self, unit: Unit) -> bool:
        """The sentence of a document about the issuer names other companies only as holders of the shares of the company itself."""
        if self.focus is not Fit.THIS:
            return False
        named = [other for other in self.others_in(unit.start, unit.end) if other[2] not in self._partners - self._held]
        return all(only_holds(self.doc.page.text, unit.start, unit.end, start, end) for start, end, _ in named)

    def _issuer(self, unit: Unit, at: int | None = None, to: int = 0) -> tuple[Fit, str]:
        if self.names_target(unit.start, unit.end):
            if at is not None and self._only_counterpart(unit) and self.focus is Fit.OTHER and not self._bid_for:
                return Fit.OTHER, "document is about another company; the issuer is its counterpart"
            if at is not None and (why := self._said_of_another(unit, at, to)):
                return Fit.OTHER, why
            if at is not None and self._buys(unit, at):
                return Fit.OTHER, "the issuer is the buyer of the company that leaves"
            if at is not None and (sayer := self._sayer(unit, at)):
                return Fit.OTHER, f"{sayer!r} says it of itself"
            if at is not None and self._statistics(unit, at):
                return Fit.OTHER, "speaks of companies at large"
            return Fit.THIS, "names the issuer"
        if beside := self._beside(unit):
            return Fit.OTHER, beside
        if at is not None and self._counted(unit, at):
            return Fit.OTHER, "counts companies at large"
        if listed := self._listed_others(unit):
            return Fit.OTHER, f"points at a list that names {listed!r} and not the issuer"
        if self.target.security_matcher is not None and self._names_issuer(unit.start, unit.end) and self._listed_below(unit):
            return Fit.THIS, "names the trust; the list that follows names the fund"
        if (lead := self._led_by(unit)) and not self._its_holders(unit):
            return Fit.OTHER, f"begins with {lead!r}"
        if at is not None and self._of_kin(unit, at):
            return Fit.OTHER, "speaks of a company of the issuer's"
        if above := [fit for index, fit in self._heads if index <= unit.index]:
            return above[-1], "stands under the issuer's name" if above[-1] is Fit.THIS else "stands under another company's name"
        if unit.kind is BlockKind.ROW and self._in_list(unit):
            if self._has_id(unit.start, unit.end) and not self.names_other(unit.start, unit.end):
                return Fit.THIS, "row carries the listing's identifier"
            return Fit.OTHER, "row of a list about others"
        others = self.names_other(unit.start, unit.end)
        if others and not (self.focus is Fit.THIS and set(others) <= self._partners - self._held) and not self._its_holders(unit):
            return Fit.OTHER, f"names {others[0]!r}"
        if others and at is not None and (owned := self._owned_by(unit, at, to)):
            return Fit.OTHER, f"speaks of the shares of {owned!r}"
        if others and at is not None and (holder := self._of_other(unit, at)):
            return Fit.OTHER, f"says it of the shares of {holder!r}"
        if at is not None and (doer := self._other_subject(unit, at) or self._defined_subject(unit, at)):
            return Fit.OTHER, f"says it of {doer!r}"
        if at is not None and (symbol := self._received_for(unit, at)):
            return Fit.OTHER, f"says it of {symbol}, for which the issuer's shares are received"
        if self._has_id(unit.start, unit.end) and self.focus is not Fit.OTHER:
            return Fit.THIS, "carries the listing's identifier"
        if sister := self._sister_fund(unit):
            return Fit.OTHER, f"names the fund {sister!r}"
        if code := self._foreign_code(unit):
            return Fit.OTHER, f"{FOREIGN_CODE} {code}"
        if self._called_by_code(unit):
            return Fit.THIS, "calls the security by its code at this venue"
        if not others and self._own_entries(unit):
            return Fit.THIS, "points at a list that names the issuer"
        return self._inherited(unit)

    def _led_by(self, unit: Unit) -> str:
        """Another company, no partner of the issuer, with whose name the unit begins ("Same day: Corvane plc: ...")."""
        lead = next(iter(self.names_other(unit.start, unit.start + LEAD + 1)), "")
        return lead if lead and lead not in self._partners else ""

    def _buys(self, unit: Unit, at: int) -> bool:
        """The sentence names the issuer only as the buyer of the company whose listing ends."""
        named = [(m.start, m.end) for m in self._named if unit.start <= m.start < unit.end]
        return buyer(self.doc.page.text, unit.start, unit.end, at, named)

    @cached_property
    def _bid_for(self) -> bool:
        """A bidder tells on its own page how many of the issuer's shares were tendered to it."""
        text = self.doc.page.text
        return any(
            unit.main and TENDERED.search(text, unit.start, unit.end) and self.names_target(unit.start, unit.end) for unit in self.doc.units
        )

    def _sayer(self, unit: Unit, at: int) -> str:
        """A company named by one word after the issuer, which says the step of itself ("shares fell after Corvane said it was delisted")."""
        before = [m.end for m in self._named if unit.start <= m.start and m.end <= at]
        if not before:
            return ""
        name = says_of_itself(self.doc.page.text, max(before), at, frozenset(self.target.own_words))
        return name if name and not self._exchange_name(name) else ""

    @cached_property
    def _headed_by_kin(self) -> bool:
        """The headline is about a company of the issuer's ("連結子会社(X)の上場廃止")."""
        heads = [b for b in self.doc.page.blocks if b.kind in (BlockKind.TITLE, BlockKind.HEADING)][:5]
        return any(head_of_kin(self.doc.page.text[b.start : b.end]) for b in heads)

    def _of_kin(self, unit: Unit, at: int) -> bool:
        """The issuer's own document says the step of a company of its own, not of the issuer's shares."""
        text = self.doc.page.text
        if self._headed_by_kin:
            return not own_shares(text, unit.start, unit.end)
        return that_company(text, unit.start, unit.end, at)

    def _statistics(self, unit: Unit, at: int) -> bool:
        """The step is said of a number of companies, in a part of the sentence that does not name the issuer."""
        text = self.doc.page.text
        marks = ";；，,、" if _HAN.match(text, at) else ";；"
        low = max(text.rfind(mark, unit.start, at) for mark in marks)
        low = unit.start if low < 0 else low
        high = min((p for mark in marks if (p := text.find(mark, at, unit.end)) >= 0), default=unit.end)
        if self.names_target(low, high) or AND_AMONG_THEM.match(text, high):
            return False
        said = fold_text(text[low:high])
        return _CAN_COUNT(said) and MANY.search(said) is not None

    def _counted(self, unit: Unit, at: int) -> bool:
        """A sentence that does not name the issuer counts the companies of a stretch of time ("In 2019 the exchange delisted 43 companies")."""
        folded = self.doc.folded_text(unit)
        counted = _CAN_COUNT(folded) and _CAN_TELL_TIME(folded) and COUNTED.search(folded) is not None
        return counted and self._statistics(unit, at) and not self._speaks_of_itself(unit)

    def _speaks_of_itself(self, unit: Unit) -> bool:
        """The sentence names the document's own company as such."""
        return _ITSELF.search(self.doc.page.text, unit.start, unit.end) is not None

    def _sister_fund(self, unit: Unit) -> str:
        """Another fund of the family by its name ("the Merrow Tin ETF"), in a sentence that does not name this one."""
        if self.target.security_matcher is None or unit.kind in (BlockKind.TITLE, BlockKind.HEADING):
            return ""
        for found in FUND_NAME.finditer(self.doc.page.text, unit.start, unit.end):
            if not any(found.start() < m.end for m in self._named[: bisect.bisect_left(self._named_starts, found.end())]):
                return found.group()
        return ""

    def _foreign_code(self, unit: Unit) -> str:
        """A security code that is not the target's: a numeric one of its length in brackets ("(JASDAQ, 6399)"), or letters called a code."""
        own = self.target.code
        if not own.isdigit():
            if not _CAN_CALL(self.doc.text(unit)):
                return ""
            called = {code for match in CALLED_CODE.finditer(self.doc.page.text, unit.start, unit.end) for code in match.groups() if code}
            return min(called, default="") if own.upper() not in called and not self._has_id(unit.start, unit.end) else ""
        codes = CODE_IN_BRACKETS.findall(self.doc.folded.text[unit.fstart : unit.fend])
        foreign = [code for code in codes if len(code) == len(own) and code != own and not code.startswith(("19", "20"))]
        return foreign[0] if foreign and own not in codes else ""

    def _called_by_code(self, unit: Unit) -> bool:
        """The sentence names no company, and calls the listing's own code of letters a code, beside the name of its venue."""
        own = self.target.code
        if len(own) < FEWEST or own.isdigit() or self.focus is Fit.OTHER or not _CAN_CALL(self.doc.text(unit)):
            return False
        called = {code for match in CALLED_CODE.finditer(self.doc.page.text, unit.start, unit.end) for code in match.groups() if code}
        return own.upper() in called and any(v.mics & self.target.mics and not v.city for v in self._venues_in(unit.fstart, unit.fend))

    def _inherited(self, unit: Unit) -> tuple[Fit, str]:
        if self.focus is Fit.THIS and self.doc.source_kind in OWN_VOICE and self._speaks_of_itself(unit):
            return Fit.THIS, "the document's own company"
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
                if same_block and self._only_owner(previous, previous.end):
                    return Fit.OTHER, "follows a sentence about a subsidiary of the issuer"
                if same_block or self.focus is not Fit.OTHER:
                    return Fit.THIS, "follows a sentence that names the issuer"
                break
            if same_block and (listed := self._listed_others(previous)):
                return Fit.OTHER, f"follows a sentence that points at a list that names {listed!r} and not the issuer"
            others = self.names_other(previous.start, previous.end)
            if others and not (self.focus is Fit.THIS and (set(others) <= self._partners or self._names_owners(previous))):
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
        if self._identified and not self.names_other(unit.start, unit.end):
            return Fit.THIS, "the page carries the listing's identifier and no other"
        if self._under_its_code and (self._speaks_of_itself(unit) or to_holders(self.doc)):
            return Fit.THIS, "its address files it under the issuer's code"
        return Fit.OPEN, "names no company"

    @cached_property
    def _under_its_code(self) -> bool:
        """The company's own announcement names no company, and a folder of its address is the code of the security: ".../01587/...htm"."""
        listing = self.target.listing
        if self._others or self._named or self.doc.source_kind not in OWN_ANNOUNCEMENT:
            return False
        return under_code(self.doc.page.url, listing.ticker, listing.country)

    def _listed_below(self, unit: Unit) -> bool:
        """A notice speaks of "the entities below": a row, item or line after the sentence names the issuer."""
        below = [u for u in self.doc.units[unit.index :] if u.main and u.block > unit.block and self.names_target(u.start, u.end)]
        below = [u for u in below if not ROLE.search(self.doc.folded_text(u)) and not self._note(u, self.doc.units[u.index - 1])]
        return any((u.kind in LIST_KINDS or u.end - u.start < SHORT_LINE) and not self._goes_on(u) for u in below)

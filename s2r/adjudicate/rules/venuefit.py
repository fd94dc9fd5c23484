"""Whether a passage is about the venue of the listing."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

from s2r.adjudicate.rules.directions import (
    ADMITTED,
    ADMITTED_NORTH,
    ADMITTED_ROMANCE,
    AND_TRADED_IN,
    AWAY,
    ENDS_AFTER,
    ENDS_ALSO,
    ENDS_BEFORE,
    FIRST_DAY,
    INTO,
    KEPT_EAST,
    MOVES,
    ONLY_AT,
    RECEIVES,
    SECOND_LISTING,
    STAYS,
    STAYS_ONLY,
    THERE,
    TICKER_AFTER,
    TOWARDS,
    TRADED_AT,
    UNITED_AFTER,
)
from s2r.adjudicate.rules.document import Unit, folded_offset
from s2r.adjudicate.rules.livesat import listed_apart
from s2r.adjudicate.rules.mentions import (
    Fit,
    Mentions,
)
from s2r.adjudicate.rules.signatures import notice_home
from s2r.adjudicate.rules.spared import place_of_spared
from s2r.adjudicate.rules.stage import CAUSE, Reading, clause
from s2r.adjudicate.rules.venues import VenueMention
from s2r.models import BlockKind

# the regulated market of an operator, for a listing on its other market
MAIN_MARKET = re.compile(
    r"\b(?:main market|regulated market|marché réglementé|regulierte[rmn]? markt|mercato regolamentato|mercado regulado|gereglementeerde markt|rynk\w+ regulowan\w+|main board|mainboard)|主板|main list"
)
COLON = re.compile(r" ?: ?")


_CAUSES = re.compile(
    CAUSE
    + r"|\b(?:zumal|da|obgleich|obwohl|although|as|since|daar|hoewel|skönt|selv om|selvom|vaikka|choć|skoro|nu (?:meer|vrijwel|nagenoeg|bijna|het|de|er|haar|zijn))\b"
)
# what goes on at the venue that gives the cause
_TRADED = re.compile(
    r"\b(?:\w*handel\w*|gehandelt\w*|\w*notier\w*|\w*kotier\w*|zugelassen|gelistet|umsätz\w*|liquid\w*|traded|trading|listed|quoted|turnover|volumes?|verhandel\w*|genoteerd|noter\w*|omzet|omsättning\w*"
    r"|oms[æe]tning\w*|handlas|handles|likvid\w*|listattu\w*|listaus\w*|kaupankäy\w*|vaihto|noteerat\w*|notowan\w*|obr[oó]t\w*|dopuszczon\w*)"
)
HOME = re.compile(
    r"\b(?:heimat|haupt|leit|referenz)(?:börse|markt|platz|handelsplatz)|\b(?:home|primary|main) (?:exchange|market|listing)|\b(?:thuismarkt|hoofdnotering|referentiemarkt|hemmabörs|hovedmarked|hjemmemarked|kotipörssi"
    r"|rynek macierzysty)"
)
FROM_THERE = re.compile(r"\b(?:därifrån|derfra|herfra|von dort|daarvan af|vandaar|sieltä|stamtąd|from there)\b")
# "Reason: admission to": a cause under a label of its own, behind the step
LABELLED_CAUSE = re.compile(
    r"(?:사유|이유|理由|原因|lý do|\b(?:reasons?|grund|motifs?|motivos?|reden|orsak|årsak|årsag|syy|powód|gerekçe|alasan|sebab)) ?[:：|] ?[^.:：;。|]*$"
)
CAUSE_REACH = 140
MOVE = 2  # segments that a move between them names
APPOSED = 24
# "in view of the listing on": right before the venue
FOR_LISTING = re.compile(
    r"\b(?:angesichts|wegen|aufgrund|auf grund|mit (?:rücksicht|blick) auf|im hinblick auf|in anbetracht|in view of|given|because of|owing to|gezien|wegens|vanwege|gelet op|met het oog op|med (?:tanke på|hänsyn till|hensyn til|henblik på|tanke på)"
    r"|på grund av|på grunn av|på grund af|til tross for|ze względu na|z uwagi na|w związku z|wobec|im zusammenhang mit|anlässlich|i samband med|i forbindelse med|naar aanleiding van|in verband met|in connection with)\b[^.;,]{0,40}?\b(?:\w*notierung|\w*notiz|\w*kotierung|\w*listing|handels?|handelbarkeit|zulassung|\w*notering(?:en)?|handelen|handeln"
    r"|notowani\w*|obecnoś\w+|(?:do|w)puszczeni\w+|wprowadzeni\w+|aufnahme|upptagande\w*|opptak\w*|optagelse\w*|toelating)\b[^.;,]{0,60}$"
)


# "cancellation of admission to AIM", "will cease to be listed on NYSE Arca": what ends there does not come there
_ENDS_IT = re.compile(
    r"\b(?:cancel\w*|cancellation of|withdraw\w*|terminat\w*|end(?:s|ing)?|cessation of|revo\w+)(?: of)?(?: the| its| their| this| our)? $"
)
_NO_MORE = re.compile(
    r"\b(?:ceas\w+|stop\w*|no longer|not|never again) (?:to )?(?:be |being )?(?:(?:listed|quoted|traded|admitted|trad(?:e|ing)|listing|dealt)(?: (?:or|and) \w+)?)(?: for trading| to trading| in)? (?:on|at|to) (?:the )?$"
    r"|\bceas\w+ to be\b[^.;]{3,80}? (?:and|or) (?:to )?be (?:traded|dealt|quoted|listed|admitted)(?: for trading| to trading| in)? (?:on|at|to) (?:the )?$"
    r"|\b(?:cess\w+ d['’ ]être|ne (?:seront|sera|sont|est) plus|dej\w+ de (?:estar|ser)|deix\w+ de (?:estar|ser)|cess\w+ di essere|non (?:saranno|sarà|sono|è) più|ya no (?:estarán|estará|serán)|não (?:estarão|serão) mais"
    r"|nicht (?:mehr|länger)|niet (?:meer|langer)|ikke (?:lenger|længere|mer)|inte längre|upphör\w* att|ophører med at|opphører å|nie będ\w+|przestan\w+ być)\b[^.;,]{0,60}?(?: |['’])$"
)


class VenueFit(Mentions):
    """Which venue a passage speaks of."""

    def _venue(self, unit: Unit, fstart: int, fend: int) -> tuple[Fit, str]:
        if self._abroad and self.doc.source_kind == "filing" and self.doc.page.form.startswith("25"):
            return Fit.OTHER, "a form for exchanges of the United States"
        if (left := self._from_there(unit, fstart, fend)) is not None and not self._ours(left):
            return Fit.OTHER, f"from there: {self.doc.folded.text[left.start : left.end]!r}"
        named = self._acting_venues(unit)
        if len({v.mics for v in named}) > 1:
            low, high = clause(self.doc, unit, fstart, fend)
            named = [v for v in named if low <= v.start < high] or named
        markets = [v for v in named if any(v.mics < one.mics for one in named)]
        if not any(self._ours(v) for v in markets):  # markets are meant, not the operator of all of them
            named = [v for v in named if not any(one.mics < v.mics for one in markets)]
        named = [v for v in named if not LABELLED_CAUSE.search(self.doc.folded.text, fend, v.start)]
        named = self._without_described(unit, named, fstart, fend)
        told = [v for v in named if not self._in_cause(unit, v, fstart)]
        if len(told) < len(named) and not told and self.venue_focus is not Fit.THIS:
            return Fit.OTHER, "this venue is only named as the cause" if any(self._ours(v) for v in named) else "another venue is the cause"
        named = told
        if self._headed_elsewhere and all(TICKER_AFTER.match(self.doc.folded.text, v.end) for v in named):
            return Fit.OTHER, "the headline is about another venue"
        own = [v for v in named if self._ours(v)]
        other = [v for v in named if not self._ours(v)]
        own = [v for v in own if not any(o.mics < v.mics for o in other)]  # the operator of both: the market that is named decides
        if own and other and any(RECEIVES.match(self.doc.folded.text, v.end, unit.fend) for v in other):
            return Fit.OTHER, "the venue that is moved to gives its approval"
        places = ([v.start for v in own], [v.start for v in other])
        if own and other and listed_apart(self.doc.scan, fstart, fend, (unit.fstart, unit.fend), *places):
            return Fit.OTHER, "this venue is only named as where the security is listed"
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
        if SECOND_LISTING.search(self.doc.scan, unit.fstart, unit.fend) and self._only_kept():
            return Fit.OTHER, "speaks of a second listing; this venue is not named, or as the one that stays"
        if place := self._spared_at(unit, fstart, fend):
            return Fit.OTHER, f"what it spares is at {place!r}"
        return Fit.OPEN, ""

    def _without_described(self, unit: Unit, named: list[VenueMention], fstart: int, fend: int) -> list[VenueMention]:
        """Where a venue stands beside the words [fstart, fend) of a step: without those at which a relative clause before it only says that
        the shares trade."""
        if len(named) < MOVE:
            return named
        spans = [m.span() for m in TRADED_AT.finditer(self.doc.scan, unit.fstart, min(unit.fend, fend + APPOSED))]
        told = [v for v in named if not any(low < v.start < high for low, high in spans)]
        meant = (v for v in told if fstart - APPOSED <= v.start < fend + APPOSED)
        return told if len(told) < len(named) and any(v.start >= high for v in meant for _, high in spans) else named

    def _spared_at(self, unit: Unit, fstart: int, fend: int) -> str:
        """The place, no part of the issuer's name, of what the words [fstart, fend) say is not affected."""
        if not self.doc.scan.within("stage.reversal", fstart, fend):
            return ""
        found = place_of_spared(self.doc.folded.text[fstart:fend], self.doc.page.text[unit.start : unit.end], self.doc.page.lang)
        if found is None or any(m.start < unit.start + found.end() and unit.start + found.start() < m.end for m in self._named):
            return ""
        return found[found.lastgroup or 0]

    def _as_home(self, mention: VenueMention) -> bool:
        """The venue is named as the home of a security of which another exchange speaks ("Heimatbörse: Wien")."""
        return HOME.search(self.doc.folded.text, max(0, mention.start - 30), mention.start) is not None

    def _from_there(self, unit: Unit, fstart: int, fend: int) -> VenueMention | None:
        """The venue named last before a step "from there" ("... on First North is 3 May, when the share is delisted from there")."""
        there = FROM_THERE.search(self.doc.folded.text, fstart, min(unit.fend, fend + 20))
        before = self._venues_in(max(0, unit.fstart - 300), there.start()) if there is not None else []
        return before[-1] if before else None

    def _in_cause(self, unit: Unit, mention: VenueMention, fstart: int) -> bool:
        """The venue stands in a clause that gives the cause of the step at `fstart`, trading there, and ends nothing there."""
        text, scan = self.doc.folded.text, self.doc.scan
        if FOR_LISTING.search(text, max(unit.fstart, mention.start - CAUSE_REACH), mention.start):
            return True
        for cause in _CAUSES.finditer(text, unit.fstart, mention.start):
            if ";" in text[cause.start() : mention.start]:
                continue
            comma = text.find(", ", mention.end, unit.fend)
            end = comma if comma >= 0 else unit.fend
            opens = not text[unit.fstart : cause.start()].strip(" \"'(-")
            apart = fstart >= end if opens else fstart < cause.start()
            # an apposition stands between commas: "at a foreign market, the SIX Swiss Exchange, admitted"
            if apart and _TRADED.search(text, cause.end(), min(unit.fend, end + APPOSED)) and not scan.within("object", cause.end(), end):
                return True
        return False

    def _ours(self, mention: VenueMention) -> bool:
        """The venue of the listing, or the operator of its market, unless the words name the operator's regulated market."""
        mic = self.target.listing.mic
        if mic in mention.mics or not mention.mics & self.target.mics:
            return mic in mention.mics
        return not MAIN_MARKET.search(self.doc.folded.text, mention.start, mention.end + 1)

    def here(self, unit: Unit) -> bool:
        """The unit names no other venue."""
        return all(self._ours(v) for v in self._venues_in(unit.fstart, unit.fend))

    @cached_property
    def only_here(self) -> bool:
        """The document names the venue of the listing, and no other."""
        return self.named_here and all(v.mics & self.target.mics for v in self._venues)

    @cached_property
    def named_here(self) -> bool:
        """The document names the venue of the listing, not only its city."""
        return any(self._ours(v) and (not v.city or self._in_capitals(v)) for v in self._venues)

    def _in_capitals(self, mention: VenueMention) -> bool:
        """A short name such as SIX, which without capitals is a number or a place."""
        start, end = self.doc.folded.span(mention.start, mention.end)
        return self.doc.page.text[start:end].isupper()

    def codes_here(self) -> list[tuple[int, int]]:
        """Places where the listing's code stands behind the name of its venue, "(SIX: ABCN)", in folded text."""
        ticker, text = self.target.ticker, self.doc.folded.text
        if ticker is None:
            return []
        behind = ((v, COLON.match(text, v.end)) for v in self._venues if self._ours(v))
        return [(v.start, colon.end()) for v, colon in behind if colon and ticker.match(text, colon.end())]

    def goes_elsewhere(self, reading: Reading) -> bool:
        """The words of a step name another venue: its tier is no segment of this one, and a move to it or from it leaves one of them."""
        named = self._venues_in(reading.start, reading.end + 1)
        return any(not v.mics & self.target.mics for v in named)

    def kept_elsewhere(self, low: int, high: int) -> bool:
        """The first venue that the words [low, high) name as kept is another one ("keep the premium listing in London")."""
        named = self._venues_in(low, high)
        return bool(named) and not self._ours(named[0])

    def _only_kept(self) -> bool:
        """The document names this venue nowhere but in sentences that say that something goes on."""
        own = [v for v in self._venues if v.mics & self.target.mics]
        homes = [u for u in self.doc.units for v in own if u.fstart <= v.start < u.fend]
        return all(self._goes_on(u) for u in homes)

    @cached_property
    def keeps_this_venue(self) -> bool:
        """Some sentence says that the listing on this venue goes on, and names no other venue as kept."""
        own = [v for v in self._venues if v.mics & self.target.mics]
        return any(self._stays(v) or KEPT_EAST.match(self.doc.folded.text, v.end) for v in own)

    def _elsewhere(self, unit: Unit) -> bool:
        """A sentence that says "there" of the venue, the last one named being another ("only the one in Munich. The directors there ...")."""
        if not THERE.search(self.doc.scan, unit.fstart, unit.fend):
            return False
        before = self._venues_in(max(0, unit.fstart - 300), unit.fstart)
        return bool(before) and not before[-1].mics & self.target.mics

    @cached_property
    def segment_move(self) -> bool:
        """Some sentence of the document states a move between segments of the target's venue."""
        return any(u.main and self.moves_between_segments(u) for u in self.doc.units)

    @cached_property
    def _known_segments(self) -> list[str]:
        """Those of the venue's segments whose names stand on the page."""
        return [name for name in self.target.segments if name in self.doc.folded.text]

    def moves_between_segments(self, unit: Unit) -> bool:
        """The sentence names two segments of the target's venue and no other venue: a move inside the venue."""
        if len(self._known_segments) < MOVE or any(not v.mics & self.target.mics for v in self._venues_in(unit.fstart, unit.fend)):
            return False
        text = self.doc.folded.text[unit.fstart : unit.fend]
        found: list[tuple[int, int]] = []
        for name in self._known_segments:
            at = text.find(name)
            if at >= 0 and not any(at < e and s < at + len(name) for s, e in found):
                found.append((at, at + len(name)))
        found.sort()
        between = [(text, a[1], b[0]) for a, b in pairwise(found)]
        return any(
            (end - start <= 60 and INTO.search(text, start, end)) or AND_TRADED_IN.search(text, start, end) for text, start, end in between
        )

    @cached_property
    def venue_focus(self) -> Fit:
        """The venue of the document: named in its title or headings, else everywhere the same."""
        heads = [b for b in self.doc.page.blocks if b.kind in (BlockKind.TITLE, BlockKind.HEADING)][:5]
        for block in heads:
            named = self._venues_in(folded_offset(self.doc.folded, block.start), folded_offset(self.doc.folded, block.end))
            if any(v.mics & self.target.mics for v in named):
                return Fit.THIS
            if named and not self._only_destination(named):
                return Fit.OTHER
        if not self.named_here and (home := notice_home(self.doc, self._policy)) and not home & self.target.mics:
            return Fit.OTHER
        if not self._venues:
            return Fit.OPEN
        if any(v.mics & self.target.mics and not self._as_home(v) for v in self._venues):
            return Fit.THIS
        for v in self._venues:
            unit = next((u for u in self.doc.units if u.fstart <= v.start < u.fend), None)
            if not (v.city or self._is_destination(v) or (unit is not None and unit.main and self._goes_on(unit))):
                return Fit.OTHER
        return Fit.OPEN

    @cached_property
    def _headed_elsewhere(self) -> bool:
        """The headline of a text with codes of several venues ("(TSX: AB; NYSE: AB)") says which is left, and it is another one."""
        for block in [b for b in self.doc.page.blocks if b.kind in (BlockKind.TITLE, BlockKind.HEADING)][:5]:
            named = self._venues_in(folded_offset(self.doc.folded, block.start), folded_offset(self.doc.folded, block.end))
            named = [v for v in named if not TICKER_AFTER.match(self.doc.folded.text, v.end)]
            if named:
                return not any(v.mics & self.target.mics for v in named) and any(
                    AWAY.search(self.doc.folded.text, max(0, v.start - 30), v.start) for v in named
                )
        return False

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
        kept = STAYS.search(self.doc.scan, max(0, mention.start - 120), mention.start)
        return bool(kept) or bool(STAYS_ONLY.match(self.doc.folded.text, mention.end))

    def _is_destination(self, mention: VenueMention) -> bool:
        if mention.start not in self._goals:
            self._goals[mention.start] = self._is_goal(mention)
        return self._goals[mention.start]

    def _is_goal(self, mention: VenueMention) -> bool:
        text = self.doc.folded.text
        if ENDS_AFTER.match(text, mention.end):
            return False
        if text.startswith("admission to", mention.start):
            return not _ENDS_IT.search(text, max(0, mention.start - 40), mention.start)
        if UNITED_AFTER.match(text, mention.end):
            return True
        scan, low, high = self.doc.scan, max(0, mention.start - 90), mention.start
        if self._stays(mention) or ENDS_BEFORE.search(scan, max(0, mention.start - 140), mention.start):
            return False
        if ENDS_ALSO.search(scan, max(0, mention.start - 420), mention.start):
            return False
        if FIRST_DAY.search(scan, low, high):
            return True
        if MOVES.search(scan, low, high) and TOWARDS.search(text, max(0, high - 34), high):
            return True
        if _NO_MORE.search(text, max(0, high - 130), high):
            return False
        if ADMITTED.search(scan, max(0, high - 40), high) or ONLY_AT.search(text, low, high):
            return True
        return bool(ADMITTED_NORTH.search(scan, low, high) or ADMITTED_ROMANCE.search(scan, low, high))

    # ---- all three

"""A listing made ready for matching: names, classes, marks, venue, ticker and identifiers in the form in which pages hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from s2r.adjudicate.rules.lexis import Lexis
from s2r.adjudicate.rules.securities import designators, listing_classes
from s2r.lang.names import NameMatcher, core_name, name_matcher, parse_name
from s2r.lang.text import fold_text
from s2r.models import Listing
from s2r.policy import Policy


@dataclass(frozen=True)
class Target:
    """A listing made ready for matching."""

    listing: Listing
    matcher: NameMatcher
    security_matcher: NameMatcher | None  # for funds and series that have a name of their own
    classes: frozenset[str]
    marks: dict[str, frozenset[str]]  # designator kind -> values
    mics: frozenset[str]
    ticker: re.Pattern[str] | None
    ids: tuple[str, ...]  # folded identifiers that name exactly this security (ISIN)
    segments: tuple[str, ...]  # folded names of the venue's segments

    @cached_property
    def inflected(self) -> re.Pattern[str] | None:
        """The issuer's name with case endings, for languages that decline names."""
        return inflected_name(self.listing.issuer)

    @cached_property
    def own_words(self) -> tuple[str, ...]:
        """The folded words of the issuer's core name."""
        return tuple(fold_text(core_name(self.listing.issuer)).split())

    @cached_property
    def known_words(self) -> frozenset[str]:
        """Those words and the ones of its names in other scripts."""
        local = (fold_text(core_name(name)).split() for name in parse_name(self.listing.issuer).local)
        return frozenset(self.own_words).union(*local)

    @cached_property
    def all_words(self) -> frozenset[str]:
        """The folded words of the issuer's name as it is delivered."""
        return frozenset(fold_text(self.listing.issuer).split())

    @cached_property
    def code(self) -> str:
        """The folded ticker."""
        return fold_text(self.listing.ticker)

    @cached_property
    def _code_head(self) -> str:
        return _TICKER_HEAD.match(self.code.strip(" *"))[0]  # type: ignore[index]  # matches any text

    def codes_in(self, folded: str) -> list[int]:
        """Places of the ticker in folded text, sought where its first letters stand."""
        found: list[int] = []
        if (ticker := self.ticker) is None:
            return found
        end, at = 0, folded.find(self._code_head)
        while at >= 0:
            # mainland codes may be written with an A before them
            first = at - 1 if at and folded[at - 1] == "a" else at
            match = (ticker.match(folded, first) if first >= end else None) or (ticker.match(folded, at) if at >= end else None)
            if match:
                found.append(match.start())
                end = match.end()
            at = folded.find(self._code_head, max(end, at + 1))
        return found


_TICKER_HEAD = re.compile(r"[^ .]*")
_GENERIC_SECURITY = re.compile(
    r"\b(?:ordinary|common|bearer|registered|equity|shares?|stocks?|units?|trust|par|value|without|each|of|class [a-z]|fully|paid|nominal|"
    r"aktien?|stammaktien|namenaktien|actions?|ordinaires?|azioni|ordinarie|american|depositary|representing|notes?|senior|due|series)\b",
    re.I,
)


def make_target(listing: Listing, policy: Policy, lexis: Lexis) -> Target:
    """Compile one listing."""
    security = fold_text(listing.security)
    scan = lexis.scan(security)
    named = frozenset(family.removeprefix("security.") for family in scan.named("security."))
    marks: dict[str, set[str]] = {}
    for mark in designators(f"{security} {fold_text(listing.ticker) if '.' in listing.ticker else ''}"):
        marks.setdefault(mark.kind, set()).add(mark.value)
    if "letter" not in marks and (letter := _market_letter(listing)):
        marks["letter"] = {letter}
    venue = policy.venues.get(listing.mic)
    mics = {listing.mic}
    if venue is not None and venue.operating_mic:
        mics.add(venue.operating_mic)
    ticker = _ticker_pattern(listing.ticker)
    return Target(
        listing=listing,
        matcher=name_matcher(listing.issuer),
        security_matcher=_named_security(listing),
        classes=listing_classes(listing, named),
        marks={kind: frozenset(values) for kind, values in marks.items()},
        mics=frozenset(mics),
        ticker=ticker,
        ids=tuple(x.lower() for x in (listing.isin,) if x),
        segments=tuple(sorted((fold_text(name).strip() for name in venue.segments), key=len, reverse=True)) if venue else (),
    )


def _market_letter(listing: Listing) -> str:
    """Shares of mainland companies by their code: 900 and 200 are the B shares of Shanghai and Shenzhen, the rest A, Hong Kong's H."""
    if listing.security_type.strip().lower() not in ("", "common"):
        return ""
    if listing.mic in ("XSHG", "XSHE"):
        return "b" if listing.ticker.startswith(("900", "200")) else "a"
    return "h" if listing.mic == "XHKG" else ""


def inflected_name(issuer: str) -> re.Pattern[str] | None:
    """All words of the core name, each with up to three letters less and five other letters: "Mazurskiej Grupy" for "Mazurska Grupa"."""
    words = re.findall(r"[^\W\d_]+", core_name(issuer))
    if not words or sum(len(w) for w in words) < 7 or not all(w[:1].isupper() for w in words):
        return None
    parts = [
        rf"{re.escape(w[: max(4, len(w) - 3)])}[^\W\d_]{{0,5}}" if len(w) > 4 else rf"{re.escape(w[:3])}[^\W\d_]{{0,3}}" for w in words
    ]
    return re.compile(r"(?<!\w)" + r"[ \n-]{1,3}".join(parts) + r"(?!\w)")


FUND_TYPES = frozenset({"fund", "etf", "etp", "etn", "exchange traded fund", "exchange-traded fund", "exchange traded note"})


# "Harrow Series Trust - Harrow Copper Miners ETF": an umbrella and, behind a dash, the fund that is meant
_UMBRELLA = re.compile(
    r".*\b(?:trusts?|series|funds|fonds|sicav|icav|umbrella|ucits|oeic|portfolios|plc|s\.a\.)\W{0,3} [-–—:|/] ?(?P<fund>\S.*)", re.I
)


def _named_security(listing: Listing) -> NameMatcher | None:
    """A fund of a series trust has a name of its own, which must be met; "Ordinary shares" is no name."""
    if fold_text(listing.security_type).strip() not in FUND_TYPES or not listing.security:
        return None
    if (part := _UMBRELLA.fullmatch(listing.issuer)) is not None and len(re.findall(r"[^\W\d_]{3,}", part["fund"])) >= 2:
        return name_matcher(part["fund"])
    core = _GENERIC_SECURITY.sub(" ", re.sub(r"[\d.,$€£%/]+", " ", listing.security))
    words = [w for w in re.findall(r"[^\W\d_]{3,}", core) if w[0].isupper()]
    return name_matcher(listing.security) if len(words) >= 2 and core_name(listing.issuer) not in listing.security else None


def _ticker_pattern(ticker: str) -> re.Pattern[str] | None:
    text = fold_text(ticker).strip(" *")  # Mexico writes "CORDEL *" for a single series
    if len(text) < 2:
        return None
    body = re.escape(text).replace(r"\ ", r"[ .-]?").replace(r"\.", r"[. /-]?")
    return re.compile(
        rf"(?<![\w.$]){body}(?![\w]|\.(?:pr|pf|wt|ws|rt|db|dt|nt|un|p|h|a|b)\b)" if not text.isdigit() else rf"(?<!\d)a?{body}(?!\d)"
    )

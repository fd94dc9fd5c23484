"""Roles of the firms in a sentence about a deal, by the voice of its verb and the prepositions before them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from s2r.events.extract.firms import Printed
from s2r.events.extract.statement import Statement

_PASSIVE = re.compile(
    r"\b(?:be|being|been|was|were|is|are|get|got) (?:\w+ ){0,2}(?:acquired|bought|purchased|taken over|taken private|snapped up)\b|\b(?:acquisition|takeover|buyout|purchase) by\b|\b(?:offer|bid) from\b"
)
_SELLS = re.compile(r"\b(?:sell|sells|sold|selling|sale|divest\w*|offload\w*|dispos\w*|shed(?:s|ding)?|spin\w*|unload\w*|vends?)\b")
_BUYS = re.compile(
    r"\b(?:acquir\w+|buy|buys|buying|bought|purchas\w+|takeover|take over|took over|taken over|buyout|snap\w* up|merger?s?|acquisition|bid|offer)\b"
)
_FROM = re.compile(r"\bfrom (?:[\w&.'-]+ ){0,6}\(?\s*$")
_TO = re.compile(r"\b(?:to|by) (?:[\w&.'-]+ ){0,6}\(?\s*$")
_OF = re.compile(r"\b(?:of|with|for|acquire|acquired|acquiring|buy|bought|buying|purchase|purchased|purchasing) (?:[\w&.'-]+ ){0,6}\(?\s*$")


def roles_of(sentence: str, firms: Sequence[Printed], statement: Statement) -> dict[str, str]:
    """Role by ticker for the firms that a sentence prints; a firm whose role is not told has none."""
    low = sentence.lower()
    sells = _SELLS.search(low)
    buys = _BUYS.search(low)
    passive = _PASSIVE.search(low)
    verb = min((match.start() for match in (sells, buys, passive) if match), default=statement.start)
    return {
        firm.ticker: role
        for firm in firms
        if (role := _role(low, firm, verb, bool(sells and not _buys_first(sells, buys)), passive is not None))
    }


def _buys_first(sells: re.Match[str], buys: re.Match[str] | None) -> bool:
    return buys is not None and buys.start() < sells.start()


def _role(low: str, firm: Printed, verb: int, sells: bool, passive: bool) -> str:
    before = low[: firm.start]
    if firm.start < verb:  # subject
        return "target" if passive else "seller" if sells else "buyer"
    if _FROM.search(before):
        return "seller"
    if sells or passive:
        return "buyer" if _TO.search(before) else "target" if _OF.search(before) else ""
    return "target" if _OF.search(before) else ""

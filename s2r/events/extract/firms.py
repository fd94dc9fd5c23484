"""Firms printed with their ticker in financial news: in parentheses, behind the name, glued to it, or in a list after a colon."""

from __future__ import annotations

import re
from typing import NamedTuple

from s2r.events.identity import base_ticker

_T = r"[A-Z]{1,5}(?:\.[A-Z]{1,2})?|[A-Z]{1,5}[.][a-z]?[A-Z]{1,2}"
_EXCHANGE = r"(?:[A-Z][A-Za-z]+(?: ?[A-Z][A-Za-z]+)?\s*:\s*)?"
_PAREN = re.compile(rf"\(\s*{_EXCHANGE}(?P<t>{_T})(?P<more>(?:\s*[,/]\s*{_EXCHANGE}(?:{_T}))*)\s*\)")
_GLUED = re.compile(r"(?:(?<=[a-z][.])|(?<=[a-z]{3})|(?<=Corp)|(?<=PLC)|(?<=N\.V\.))(?P<t>[A-Z]{2,5})(?=[\s,.;)]|$)")
_BEHIND = re.compile(
    rf"(?:[A-Z][\w&-]*(?:'s|s')?|[a-z]+'s|Inc\.?|Corp\.?|Co\.?|Ltd\.?|plc|N\.V\.|Group|Holdings),?\s(?=(?P<t>{_T})(?:[\s,.;:)]|'s|$))"
)
_LIST = re.compile(rf":\s*(?P<list>(?:{_T})(?:\s*,\s*(?:{_T}))*)\s*$")
_NAME = re.compile(r"(?:(?:[A-Z][\w.&'-]*|of|the|and|&|de)\s+){0,5}[A-Z][\w.&'-]*[,.]?\s*$")
# Words in capitals that stand where a ticker may stand and are none.
_NONE = frozenset(
    "CEO CFO COO CTO IPO SPAC LLC LLP LP INC CORP LTD PLC AG NV SA SE AB ASA SPA BV GMBH CO ETF NYSE NASDAQ AMEX OTC SEC FDA FTC DOJ FCC EU UK US USA UAE "  # noqa: SIM905
    "GDP CPI EPS Q H FY EV AI IT PC TV HR PR VP SVP EVP M A I II III IV R D B C E THE AND FOR NEW LNG OPEC ECB FED IMF ADR ADS ADSS REIT EBITDA GAAP "
    "JV LOI MOU PE VC HQ SAAS LED HPV OMX USB CPU GPU RD QE ER OEM EMS IH IOT API RF RNA DNA MRI HIV USD EUR GBP RMB CNBC CNN BBC WSJ NBC CBS ABC AP DC NY LA SF UAW NFL NBA ESG PM AM ET EST".split()
)


class Printed(NamedTuple):
    """A ticker in a text, without its exchange mark, with the name in front of it ("" when there is none)."""

    start: int
    end: int
    ticker: str
    name: str = ""


def printed_firms(text: str) -> tuple[Printed, ...]:
    """All tickers of a text in order, each place once."""
    found: dict[int, Printed] = {}
    for match in _PAREN.finditer(text):
        for inner in re.finditer(rf"(?<![\w.])(?:{_T})(?![\w:])(?!\s*:)", match.group()):
            if inner.group() not in _NONE or ":" in match.group():
                _add(found, text, match.start() + inner.start(), match.start() + inner.end(), match.start())
    for match in _LIST.finditer(text):
        for inner in re.finditer(_T, match["list"]):
            _add(found, text, match.start("list") + inner.start(), match.start("list") + inner.end(), -1)
    for pattern in (_GLUED, _BEHIND):
        for match in pattern.finditer(text):
            if match["t"].split(".")[0] not in _NONE and (len(match["t"]) > 1 or "." in match["t"]):
                _add(found, text, match.start("t"), match.end("t"), match.start("t"))
    return tuple(found[start] for start in sorted(found))


def _add(found: dict[int, Printed], text: str, start: int, end: int, name_end: int) -> None:
    if start in found:
        return
    name = _NAME.search(text[max(0, name_end - 80) : name_end]) if name_end > 0 else None
    label = name.group().strip(" ,(") if name else ""
    found[start] = Printed(start, end, base_ticker(text[start:end].upper()), re.sub(r"'s$", "", label))

"""Identifiers: check digits (ISO 6166, ISO 17442, CUSIP, SEDOL), shapes (CIK, MIC, WKN), places in text, ticker mentions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from s2r.lang.check_digits import Fault, cusip_fault, isin_fault, lei_fault, sedol_fault, wkn_fault
from s2r.lang.tickers import TickerMention, is_ordinary_word, ticker_mentions

__all__ = [
    "IdSpan",
    "Problem",
    "TickerMention",
    "check_cik",
    "check_cusip",
    "check_isin",
    "check_lei",
    "check_mic",
    "check_sedol",
    "check_wkn",
    "find_ids",
    "find_isins",
    "is_ordinary_word",
    "ticker_mentions",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an identifier, and what to do about it."""

    kind: str
    value: str
    problem: str
    advice: str


class IdSpan(NamedTuple):
    """An identifier in text: kind (isin, lei, cusip, sedol, wkn, cik), normal form, span of the written form, check passed."""

    kind: str
    value: str
    start: int
    end: int
    valid: bool


def _check(kind: str, value: str, fault: Fault | None, shape: str, example: str) -> Problem | None:
    if fault is Fault.DIGIT:
        return Problem(
            kind,
            value,
            f"{kind} {value}: the check digit is wrong",
            f"Compare with the official document; one character of the {kind} is mistyped.",
        )
    if fault is Fault.PREFIX:
        return Problem(kind, value, f"{kind} {value}: a part is not assigned (country or issuer prefix)", f"A {kind} looks like {example}.")
    if fault:
        return Problem(kind, value, f"{kind} {value}: not the shape of a {kind}", f"A {kind} has {shape}, like {example}.")
    return None


def check_isin(text: str) -> Problem | None:
    """Shape, country prefix and check digit of an ISIN (ISO 6166)."""
    return _check("ISIN", text, isin_fault(text), "two letters, nine letters or digits and a check digit", "US0378331005")


def check_lei(text: str) -> Problem | None:
    """Shape and check digits of a LEI (ISO 17442, ISO/IEC 7064 MOD 97-10)."""
    return _check("LEI", text, lei_fault(text), "18 letters or digits and two check digits", "5493001KJTIIGC8Y1R12")


def check_cusip(text: str) -> Problem | None:
    """Shape and check digit of a CUSIP."""
    return _check("CUSIP", text, cusip_fault(text), "eight letters or digits and a check digit", "037833100")


def check_sedol(text: str) -> Problem | None:
    """Shape and check digit of a SEDOL."""
    return _check("SEDOL", text, sedol_fault(text), "six letters or digits (no vowels) and a check digit", "0263494")


def check_wkn(text: str) -> Problem | None:
    """Shape of a German securities number (no check digit)."""
    return _check("WKN", text, wkn_fault(text), "six letters or digits without I and O", "A0JC8S")


def check_cik(text: str) -> Problem | None:
    """Shape of an SEC filer number: up to ten digits."""
    if re.fullmatch(r"\d{1,10}", text.strip(), re.ASCII) and int(text) > 0:
        return None
    return Problem("CIK", text, f"CIK {text}: not a number of up to ten digits", "Give the SEC filer number, like 320193 or 0000320193.")


def check_mic(text: str, known: Collection[str] = ()) -> Problem | None:
    """Shape of a market identifier (ISO 10383) and, when `known` is given, membership."""
    code = text.strip().upper()
    if not re.fullmatch(r"[A-Z0-9]{4}", code):
        return Problem("MIC", text, f"MIC {text}: not four letters or digits", "Give the ISO 10383 code of the market, like XNYS or XLON.")
    if known and code not in known:
        advice = "Check the ISO 10383 code, or add policies/venues/<mic>.toml for this market."
        return Problem("MIC", text, f"MIC {code}: no venue file of the policy knows it", advice)
    return None


_ID_EDGE = r"(?<![A-Za-z0-9])"
_ISIN = re.compile(rf"{_ID_EDGE}[A-Z]{{2}}[A-Z0-9]{{9}}[0-9](?![A-Za-z0-9])")
_SPACED_ISIN = re.compile(r"(?i:ISIN)[^\w\n]{0,4}([A-Z]{2}(?: ?[A-Z0-9]){9} ?[0-9])(?![A-Za-z0-9])")
_LEI = re.compile(rf"{_ID_EDGE}[0-9A-Z]{{18}}[0-9]{{2}}(?![A-Za-z0-9])")
_LABELLED: tuple[tuple[str, re.Pattern[str], Callable[[str], Fault | None] | None], ...] = (
    (
        "cusip",
        re.compile(r"\bCUSIP\b\D{0,20}?(?:(?<=\W))([0-9][0-9A-Z]{5} ?[0-9A-Z]{2} ?[0-9])(?![A-Za-z0-9])", re.IGNORECASE),
        cusip_fault,
    ),
    ("sedol", re.compile(r"\bSEDOL\b[^\w\n]{0,12}([0-9B-DF-HJ-NP-TV-Z]{6}[0-9])(?![A-Za-z0-9])"), sedol_fault),
    ("wkn", re.compile(r"\bWKN\b[^\w\n]{0,6}([0-9A-HJ-NP-Z]{6})(?![A-Za-z0-9])"), wkn_fault),
    (
        "cik",
        re.compile(
            r"(?:\bCIK\b|\bCENTRAL INDEX KEY\b)(?:\s*(?:no\.?|number|#))?[^\w\n]{0,12}0{0,9}([1-9][0-9]{0,9})(?![0-9])", re.IGNORECASE
        ),
        None,
    ),
)


def find_isins(text: str) -> tuple[IdSpan, ...]:
    """ISINs in reading order; `valid` is the check digit's verdict. Written in groups only after the word ISIN."""
    found = {m.start(): IdSpan("isin", m[0], m.start(), m.end(), isin_fault(m[0]) is None) for m in _ISIN.finditer(text)}
    for match in _SPACED_ISIN.finditer(text):
        value = match[1].replace(" ", "")
        if match.start(1) not in found and isin_fault(value) is None:
            found[match.start(1)] = IdSpan("isin", value, match.start(1), match.end(1), True)
    return tuple(found[at] for at in sorted(found))


def find_ids(text: str) -> tuple[IdSpan, ...]:
    """ISINs and LEIs anywhere; CUSIP, SEDOL, WKN and CIK after their label; in reading order."""
    found = list(find_isins(text))
    for match in _LEI.finditer(text):
        if any(c.isalpha() for c in match[0]) and lei_fault(match[0]) is None:
            found.append(IdSpan("lei", match[0], match.start(), match.end(), True))
    for kind, regex, fault in _LABELLED:
        for match in regex.finditer(text):
            value = match[1].replace(" ", "").upper()
            found.append(IdSpan(kind, value, match.start(1), match.end(1), fault is None or fault(value) is None))
    return tuple(sorted(found, key=lambda span: (span.start, span.kind)))

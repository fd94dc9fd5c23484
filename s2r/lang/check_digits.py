"""Check digits of security and entity numbers: ISIN (ISO 6166), CUSIP (ANSI X9.6), SEDOL, LEI (ISO 17442), and the shape of a WKN."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from babel import Locale

# Territories of CLDR that are not countries of ISO 3166-1.
_NOT_ISO = frozenset({"AC", "CP", "CQ", "DG", "EA", "EZ", "IC", "QO", "TA", "UN", "ZZ"})
# Former countries, and prefixes that numbering agencies use.
_AGENCIES = frozenset({"AN", "CS", "EU", "QS", "QT", "XA", "XB", "XC", "XD", "XF", "XK", "XS"})
_SEDOL_WEIGHTS = (1, 3, 1, 7, 3, 9)


class Fault(StrEnum):
    """What is wrong with a number."""

    SHAPE = "shape"
    PREFIX = "prefix"
    DIGIT = "digit"


def isin_fault(text: str) -> Fault | None:
    """Fault of an ISIN: twelve characters, an assigned prefix, and the double-add-double digit over its letters' numbers."""
    number = _compact(text)
    if not re.fullmatch(r"[0-9A-Z]{12}", number, re.ASCII):
        return Fault.SHAPE
    if number[:2] not in _prefixes():
        return Fault.PREFIX
    digits = "".join(str(int(char, 36)) for char in number[:-1])
    total = sum(_cross(int(digit) * (2 - place % 2)) for place, digit in enumerate(reversed(digits)))
    return _digit_fault(total, number)


def cusip_fault(text: str) -> Fault | None:
    """Fault of a CUSIP: nine characters; each second value counts twice."""
    number = _compact(text)
    if not re.fullmatch(r"[0-9A-Z*@#]{9}", number, re.ASCII):
        return Fault.SHAPE
    values = [36 + "*@#".index(char) if char in "*@#" else int(char, 36) for char in number[:-1]]
    return _digit_fault(sum(_cross(value * (1 + place % 2)) for place, value in enumerate(values)), number)


def sedol_fault(text: str) -> Fault | None:
    """Fault of a SEDOL: seven characters without vowels; one that begins with a digit is a number throughout."""
    number = _compact(text)
    if not re.fullmatch(r"[0-9]{7}|[B-DF-HJ-NP-TV-Z][0-9B-DF-HJ-NP-TV-Z]{6}", number, re.ASCII):
        return Fault.SHAPE
    return _digit_fault(sum(weight * int(char, 36) for weight, char in zip(_SEDOL_WEIGHTS, number, strict=False)), number)


def lei_fault(text: str) -> Fault | None:
    """Fault of a LEI: eighteen characters and two digits, which leave 1 when divided by 97 (ISO/IEC 7064 MOD 97-10)."""
    number = _compact(text).replace("-", "")
    if not re.fullmatch(r"[0-9A-Z]{18}[0-9]{2}", number, re.ASCII):
        return Fault.SHAPE
    return None if int("".join(str(int(char, 36)) for char in number)) % 97 == 1 else Fault.DIGIT


def wkn_fault(text: str) -> Fault | None:
    """Fault of a WKN: six characters without I and O; it has no check digit."""
    return None if re.fullmatch(r"[0-9A-HJ-NP-Z]{6}", _compact(text), re.ASCII) else Fault.SHAPE


@cache
def _prefixes() -> frozenset[str]:
    countries = {str(code) for code in Locale("en").territories if re.fullmatch(r"[A-Z]{2}", str(code))}
    return frozenset(countries - _NOT_ISO) | _AGENCIES


def _compact(text: str) -> str:
    return text.replace(" ", "").strip().upper()


def _cross(value: int) -> int:
    return sum(map(int, str(value)))


def _digit_fault(total: int, number: str) -> Fault | None:
    return None if str(-total % 10) == number[-1] else Fault.DIGIT

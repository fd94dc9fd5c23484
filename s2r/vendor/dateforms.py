"""Dates of a feed: cells read by the forms that its policy names, and columns in which several forms are mixed."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import lru_cache

from s2r.policy.vendors import shape_of

ISO = "YYYY-MM-DD"
# forms that feeds use; a cell in one of them, in a column of another one, shows a mixed column
USUAL = (
    ISO, "YYYY/MM/DD", "YYYY.MM.DD", "YYYYMMDD", "DD/MM/YYYY", "MM/DD/YYYY", "DD.MM.YYYY", "DD-MM-YYYY", "MM-DD-YYYY", "DD-MMM-YYYY",
    "DD MMM YYYY", "DD MMMM YYYY", "DDMMMYYYY", "MMM DD, YYYY", "MMMM DD, YYYY", "YYYY-MM-DDThh:mm:ss", "YYYY-MM-DDThh:mm:ssZ",
    "YYYY-MM-DD hh:mm:ss",
)  # fmt: skip
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_TOKEN = re.compile(r"YYYY|MMMM|MMM|MM|M|DD|D|hh|mm|ss")
_PATTERNS = {
    "YYYY": r"(?P<year>\d{4})",
    "MMMM": r"(?P<name>[A-Za-z]{3,9})",
    "MMM": r"(?P<name>[A-Za-z]{3,4})",
    "MM": r"(?P<month>\d{2})",
    "M": r"(?P<month>\d{1,2})",
    "DD": r"(?P<day>\d{1,2})",
    "D": r"(?P<day>\d{1,2})",
    "hh": r"\d{2}",
    "mm": r"\d{2}",
    "ss": r"\d{2}(?:\.\d+)?",
}


@lru_cache(maxsize=256)
def _pattern(form: str) -> re.Pattern[str]:
    compact = "YYYYMM" in form or "MMYYYY" in form or "DDMM" in form
    parts: list[str] = []
    at = 0
    for match in _TOKEN.finditer(form):
        parts.append(re.escape(form[at : match.start()]))
        part = match[0]
        known = _PATTERNS[part]
        if part in ("DD", "MM") and not compact:
            known = known.replace(r"\d{2}", r"\d{1,2}")  # 5/13/2020 in a column of MM/DD/YYYY
        elif part == "DD":
            known = r"(?P<day>\d{2})"
        parts.append(known)
        at = match.end()
    parts.append(re.escape(form[at:]))
    return re.compile("".join(parts), re.ASCII)


def parse_day(text: str, form: str) -> dt.date | None:
    """The day of a cell in this form; None when it is written otherwise or is no day of the calendar."""
    match = _pattern(form).fullmatch(text)
    if match is None:
        return None
    found = match.groupdict()
    month = int(found["month"]) if found.get("month") else _month(found.get("name") or "")
    try:
        return dt.date(int(found["year"]), month, int(found["day"]))
    except ValueError:
        return None


def is_written(text: str, form: str) -> bool:
    """Whether a cell has the shape of a form, be it a day of the calendar or not."""
    return _pattern(form).fullmatch(text) is not None


def form_of(text: str, forms: Sequence[str]) -> str:
    """The first form in which the cell is a day, "" when there is none."""
    return next((form for form in forms if parse_day(text, form) is not None), "")


def other_form(text: str, forms: Sequence[str]) -> str:
    """A usual form, not one of `forms`, in which the cell is a day: it belongs to another column or another feed; "" when none."""
    return form_of(text, [form for form in USUAL if form not in forms])


def told_apart(one: str, other: str) -> bool:
    """Whether a cell can show which of two forms it is in."""
    return shape_of(one) != shape_of(other)


def _month(name: str) -> int:
    low = name.lower()
    for number, full in enumerate(_MONTHS, start=1):
        if low in {full, full[:3]} or (low == "sept" and number == 9):
            return number
    return 0

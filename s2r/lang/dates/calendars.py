"""Calendars other than the Gregorian, and Chinese numerals: era years, the Republic of China, the Buddhist era."""

from __future__ import annotations

ERAS = {
    "明治": 1867,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "民國": 1911,
    "民国": 1911,
    "中華民國": 1911,
}  # year = base + n
ERA_LETTERS = {"m": 1867, "t": 1911, "s": 1925, "h": 1988, "r": 2018}
ERA_LENGTHS = {"明治": 45, "大正": 15, "昭和": 64, "平成": 31, "令和": 99, "m": 45, "t": 15, "s": 64, "h": 31, "r": 99}
_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "○": 0, "◯": 0, "两": 2, "兩": 2, "元": 1}
CHINESE_NUMERALS = "〇零○◯一二三四五六七八九十廿卅"


def era_year(era: str, number: int) -> int | None:
    """Gregorian year of the n-th year of an era, None when the era had no such year."""
    base = ERAS.get(era) or ERA_LETTERS.get(era)
    if base is None or not 1 <= number <= ERA_LENGTHS.get(era, 199):
        return None
    return base + number


def buddhist_year(year: int) -> int:
    """Gregorian year of a Thai year that may be written in the Buddhist era (543 years ahead)."""
    return year - 543 if 2400 <= year <= 2700 else year


def chinese_number(text: str) -> int | None:
    """Value of Arabic digits or Chinese numerals, positional (二〇一八) or spoken (二十二, 廿二); None when it is neither."""
    if text.isascii() and text.isdigit():
        return int(text)
    if "百" in text:  # years of the Republic: 一百零九
        head, _, rest = text.partition("百")
        low = chinese_number(rest.lstrip("零〇")) if rest else 0
        return None if low is None or len(head) > 1 or head not in _DIGITS else _DIGITS[head] * 100 + low
    if not text or any(c not in CHINESE_NUMERALS and c not in _DIGITS for c in text):
        return None
    if not any(c in "十廿卅" for c in text):
        value = 0
        for c in text:
            value = value * 10 + _DIGITS[c]
        return value
    tens = {"廿": 20, "卅": 30}
    total, seen = 0, 0
    for c in text:
        if c in tens:
            total += tens[c]
        elif c == "十":
            total, seen = total + (seen or 1) * 10, 0
        else:
            seen = _DIGITS[c]
    return total + seen

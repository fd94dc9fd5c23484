# ruff: noqa: E501 - word lists and patterns stay on one line
"""Dates whose day or year is written in words, as deeds and minutes have them ("a veintidós de junio de dos mil diecisiete")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from s2r.lang.dates.candidate import Candidate
from s2r.lang.dates.names import alternatives, month_names
from s2r.lang.literals import Literals

FIRST_YEAR, LAST_YEAR = 1980, 2040


class _Spelling(NamedTuple):
    """How one language writes a number up to 99, the first day of a month and a year; fragments between day, month and year."""

    number: Callable[[int], tuple[str, ...]]
    first: tuple[str, ...]
    year: Callable[[int], tuple[str, ...]]
    to_month: str
    to_year: str


def _simple(units: str, tens: str, link: str) -> Callable[[int], tuple[str, ...]]:
    """Numbers from the words for 1 to 29 and the tens from 30 on, joined by `link`."""
    small, round_ones = units.split("|"), tens.split("|")

    def number(n: int) -> tuple[str, ...]:
        if n < 30:
            return tuple(small[n - 1].split("/"))
        ten, unit = round_ones[n // 10 - 3], n % 10
        return tuple(f"{ten}{link}{word}" for word in small[unit - 1].split("/")) if unit else (ten,)

    return number


_ES = _simple(
    "uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciséis/dieciseis|diecisiete|dieciocho|diecinueve|veinte"
    "|veintiuno/veintiún|veintidós/veintidos|veintitrés/veintitres|veinticuatro|veinticinco|veintiséis/veintiseis|veintisiete|veintiocho|veintinueve",
    "treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa",
    " y ",
)
_PT_TEENS = "onze|doze|treze|quatorze/catorze|quinze|dezesseis/dezasseis|dezessete/dezassete|dezoito|dezenove/dezanove|vinte"
_PT_UNITS = "um|dois|três|quatro|cinco|seis|sete|oito|nove"
_PT = _simple(
    "|".join((_PT_UNITS, "dez", _PT_TEENS, *(f"vinte e {unit}" for unit in _PT_UNITS.split("|")))),
    "trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa",
    " e ",
)
_IT_UNITS = ("uno", "due", "tre/tré", "quattro", "cinque", "sei", "sette", "otto", "nove")
_DE_UNITS = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
_DE_TEENS = ("zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn")
_DE_TENS = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
_EN_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_EN_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_EN_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FR_UNITS = ("un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf")
_FR_TEENS = ("dix", "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf")
_FR_TENS = ("vingt", "trente", "quarante", "cinquante", "soixante")


def _italian(n: int) -> tuple[str, ...]:
    teens = ("dieci", "undici", "dodici", "tredici", "quattordici", "quindici", "sedici", "diciassette", "diciotto", "diciannove")
    tens = ("venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta")
    if n < 20:
        return tuple(_IT_UNITS[n - 1].split("/")) if n < 10 else (teens[n - 10],)
    ten, unit = tens[n // 10 - 2], n % 10
    stem = ten[:-1] if unit in (1, 8) else ten
    return tuple(stem + word for word in _IT_UNITS[unit - 1].split("/")) if unit else (ten,)


def _german(n: int) -> tuple[str, ...]:
    if n < 20:
        return (_DE_UNITS[n - 1],) if n < 10 else (_DE_TEENS[n - 10],)
    ten, unit = _DE_TENS[n // 10 - 2], n % 10
    return (f"{_DE_UNITS[unit - 1]}und{ten}",) if unit else (ten,)


def _german_day(n: int) -> tuple[str, ...]:
    odd = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}
    stem = odd.get(n) or _german(n)[0] + ("t" if n < 20 else "st")
    return tuple(stem + ending for ending in ("en", "er", "e"))


def _english(n: int) -> tuple[str, ...]:
    if n < 20:
        return (_EN_UNITS[n - 1],) if n < 10 else (_EN_TEENS[n - 10],)
    ten, unit = _EN_TENS[n // 10 - 2], n % 10
    return (f"{ten}-{_EN_UNITS[unit - 1]}", f"{ten} {_EN_UNITS[unit - 1]}") if unit else (ten,)


def _english_day(n: int) -> tuple[str, ...]:
    odd = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}

    def ordinal(word: str) -> str:
        head, last = re.fullmatch(r"(.*[- ])?(\w+)", word).groups()  # type: ignore[union-attr]
        return (head or "") + (odd.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th"))

    return tuple(ordinal(word) for word in _english(n))


def _french(n: int) -> tuple[str, ...]:
    if n < 20:
        return (_FR_UNITS[n - 1],) if n < 10 else (_FR_TEENS[n - 10],)
    if n >= 80:
        rest = n - 80
        return ("quatre-vingts",) if not rest else tuple(f"quatre-vingt-{word}" for word in _french(rest))
    ten, unit = min(n // 10, 6), n - 10 * min(n // 10, 6)
    head = _FR_TENS[ten - 2]
    if not unit:
        return (head,)
    word = _french(unit)[0]
    return (f"{head} et {word}", f"{head}-et-{word}") if unit in (1, 11) else (f"{head}-{word}", f"{head} {word}")


def _years(number: Callable[[int], tuple[str, ...]], thousand: str, century: str, link: str = " ") -> Callable[[int], tuple[str, ...]]:
    """Years from the words for 2000 (several joined by "/") and for 1900, and for what comes after them."""

    def year(n: int) -> tuple[str, ...]:
        heads = (thousand if n >= 2000 else century).split("/")
        rest = number(n % 100) if n % 100 else ("",)
        return tuple(f"{head}{link}{word}" if word else head for head in heads for word in rest)

    return year


_SPELLINGS = {
    "es": _Spelling(_ES, ("primero", "uno"), _years(_ES, "dos mil", "mil novecientos"), r"\s(?:días\s)?(?:del\smes\s)?de\s", r"\s(?:del?|del\saño)\s"),
    "pt": _Spelling(
        _PT, ("primeiro", "um"), _years(_PT, "dois mil e/dois mil", "mil novecentos e"), r"\s(?:dias?\s)?(?:do\smês\s)?de\s", r"\s(?:de|do\sano\sde)\s"
    ),
    "it": _Spelling(_italian, ("primo", "uno"), _years(_italian, "duemila", "millenovecento", ""), r"\s(?:del\smese\sdi\s)?", r"\s(?:dell'anno\s)?"),
    "fr": _Spelling(
        _french, ("premier",), _years(_french, "deux mille/deux-mille/l'an deux mille", "mil neuf cent/mille neuf cent", " "), r"\s", r"\s(?:de\s)?"
    ),
    "de": _Spelling(_german_day, ("ersten", "erster", "erste"), _years(_german, "zweitausend/zweitausendund", "neunzehnhundert", ""), r"\s", r"\s"),
    "en": _Spelling(
        _english_day,
        ("first",),
        _years(_english, "two thousand and/two thousand/twenty", "nineteen hundred and/nineteen"),
        r"\s(?:day\s)?(?:of\s)?",
        r",?\s(?:in\sthe\syear\s)?",
    ),
}  # fmt: skip


REACH = 48  # characters before and after the month


class _Pattern(NamedTuple):
    month: re.Pattern[str]
    names: Literals  # of the months
    day: re.Pattern[str]
    year: re.Pattern[str]
    days: dict[str, int]
    months: dict[str, int]
    years: dict[str, int]


@lru_cache(maxsize=16)
def _pattern(lang: str) -> _Pattern:
    spelling = _SPELLINGS[lang]
    days = {word: n for n in range(2, 32) for word in spelling.number(n)} | dict.fromkeys(spelling.first, 1)
    years = {word: n for n in range(FIRST_YEAR, LAST_YEAR) for word in spelling.year(n)}
    months = {name: n for name, n in month_names(lang).items() if len(name) > 2}
    number = (
        rf"(?<!\w)(?:(?P<d>{_spaced(days)})|(?P<n>\d{{1,2}})(?:\.|º|er|st|nd|rd|th)?)(?P<bracket>\s?\([^()]{{2,40}}\))?{spelling.to_month}$"
    )
    year = rf"{spelling.to_year}(?:(?P<n>(?:19|20)\d\d)|(?P<y>{_spaced(years)}))(?!\w)"
    month = re.compile(rf"(?<!\w){alternatives(months)}(?!\w)")
    return _Pattern(month, Literals(months), re.compile(number), re.compile(year), days, months, years)


def _spaced(words: dict[str, int]) -> str:
    return alternatives(words).replace(r"\ ", r"\s")


def find_spelled(text: str, lang: str) -> Iterator[Candidate]:
    """Dates of folded `text` with a day or a year in words, or with a bracket after the day; linear in the length of the text."""
    if lang not in _SPELLINGS:
        return
    pattern = _pattern(lang)
    for at in sorted({start for _, start, _ in pattern.names.hits(text)}):
        month = pattern.month.match(text, at)
        year = month and pattern.year.match(text, month.end(), month.end() + REACH)
        day = year and pattern.day.search(text[max(0, at - REACH) : at])
        if not month or not year or not day or (day["n"] and year["n"] and not day["bracket"]):
            continue
        start = at - (len(day.string) - day.start())
        number = int(day["n"]) if day["n"] else pattern.days[_plain(day["d"])]
        value = int(year["n"]) if year["n"] else pattern.years[_plain(year["y"])]
        yield Candidate(start, year.end(), "spelled", year=value, month=pattern.months[month[0]], day=number, rank=1)


def _plain(words: str) -> str:
    return re.sub(r"\s+", " ", words)

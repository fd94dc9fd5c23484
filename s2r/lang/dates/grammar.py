# ruff: noqa: E501 - patterns stay on one line
"""The expressions of one language for dates with month, weekday and relative words, compiled from its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from s2r.lang.dates.candidate import Shift
from s2r.lang.dates.names import WORDS, alternatives, month_names, short_months, weekday_patterns
from s2r.lang.dates.scan import fold_word
from s2r.lang.dates.seek import DateSought
from s2r.lang.literals import Sought

_YEAR = r"(?:1[6-9]|2[0-6])\d\d"
_NEVER = "(?!)"
_GENITIVE_DAY = {  # the month named before the day
    "fi": r"(?P<m>{months})n\s(?P<d>\d{1,2})\.?\s?(?:päivä(?:nä|ksi|än|stä)?|pnä)",
    "hu": r"(?P<m>{months})\s(?P<d>\d{1,2})(?:\.|-\w{1,4})",
    "tr": r"(?P<m>{months})\say[ıi]nın\s(?P<d>\d{1,2})\'\w{1,5}",
}
_LOOSE_MONTHS = ("fi", "hi", "vi", "tr", "pl", "cs", "hu", "th", "ar")  # inflected or unmistakable without a preposition


@dataclass(frozen=True)
class Grammar:
    """Compiled patterns of one language."""

    lang: str
    months: dict[str, int]
    short: frozenset[str]
    weekdays: tuple[re.Pattern[str], ...]
    day_words: dict[str, int]
    numbers: dict[str, int]
    day_month: re.Pattern[str]
    month_day: re.Pattern[str] | None
    genitive: re.Pattern[str] | None
    year_month_day: re.Pattern[str]
    month_year: re.Pattern[str]
    month_alone: re.Pattern[str]
    relative: tuple[tuple[re.Pattern[str], Shift], ...]
    weekday: re.Pattern[str] | None
    period: re.Pattern[str]
    day_only: tuple[re.Pattern[str], ...]
    year_alone: re.Pattern[str]
    null: re.Pattern[str]
    week: re.Pattern[str]  # a week, of which no day is told
    ago: tuple[re.Pattern[str], ...]
    later: tuple[tuple[re.Pattern[str], int], ...]
    between: re.Pattern[str]
    between_and: re.Pattern[str] | None
    future_cue: re.Pattern[str] | None

    @cached_property
    def sought(self) -> Sought:
        """All patterns that are looked for in a text."""
        others = (self.weekday, self.period, *self.day_only, self.year_alone, self.null, self.week, *self.ago)
        return DateSought(p for p in (*self._named, *others, *(p for p, _ in self.relative), *(p for p, _ in self.later)) if p is not None)

    @cached_property
    def sought_named(self) -> Sought:
        """Those patterns that name a month."""
        return DateSought(p for p in self._named if p is not None)

    @property
    def _named(self) -> tuple[re.Pattern[str] | None, ...]:
        return self.day_month, self.month_day, self.genitive, self.year_month_day, self.month_year, self.month_alone


def _or(*fragments: str) -> str:
    return "|".join(f for f in fragments if f) or _NEVER


def _spaces(fragment: str) -> str:
    """Spaces inside a phrase may be any white space of the text."""
    return fragment.replace(" ", r"\s")


def _shifted(days: Mapping[int, str], edge: tuple[str, str]) -> re.Pattern[str]:
    items = days.items() if isinstance(days, dict) else ()
    named = [f"(?P<{'m' if n < 0 else 'p'}{abs(n)}>{fold_word(_spaces(f))})" for n, f in items]
    return re.compile(edge[0] + "(?:" + (_or(*named)) + ")" + edge[1])


@lru_cache(maxsize=64)
def grammar(lang: str) -> Grammar:
    """Compiled grammar of a language in `WORDS`; about 10 ms the first time."""
    w = WORDS[lang]
    months = month_names(lang)
    short = short_months(lang)
    full = [m for m in months if m not in short]
    edge = (r"(?<!\w)", r"(?!\w)") if w.spaced else ("", "")
    sp, sp0 = (r"\s{1,3}", r"\s{0,3}") if w.spaced else (r"\s{0,3}", r"\s{0,3}")
    loose = lang in _LOOSE_MONTHS
    ending = f"(?:{w.month_ending})?" if w.month_ending else ""
    month = f"(?P<m>{alternatives(months)})\\.?{ending}"
    whole = f"(?P<m>{alternatives(full)}){ending}"
    wide, brief = weekday_patterns(lang)
    day_ending = f"(?:{w.weekday_ending})?" if w.weekday_ending else ""
    all_days = _or(*(f"(?:{d}){day_ending}" for d in wide), *(f"(?:{d})\\." if len(d) < 3 else f"(?:{d})" for d in brief))
    all_days = fold_word(_spaces(all_days))
    words = {fold_word(k): v for k, v in w.day_words.items()}
    day_number = r"(?P<d>\d{1,2}" + (("|" + "|".join(map(re.escape, sorted(words, key=len, reverse=True)))) if words else "") + ")"
    ordinal = f"(?:{w.ordinal})?" if w.ordinal else ""
    article = f"(?:(?:{_spaces(w.article)}){sp})?" if w.article else ""
    joiner = f"(?:(?:{_spaces(w.joiner)}){sp0})?" if w.joiner else ""
    kept = f"(?:(?P<art>{w.article}){sp})?" if w.article_kept else ""
    year_join = rf"(?:(?:[\s,./-]{{1,3}}|{_NEVER if w.spaced else ''})(?:(?:{_spaces(w.year_joiner) or _NEVER}){sp0})?(?P<y>{_YEAR})(?!\d|[:.,]\d)|(?:\s?'|[-/])(?P<yy>\d\d)(?![\d\w:]|[.,/-]\d))"
    years = _or(*(f"(?P<yr{'m' if n < 0 else 'p'}{abs(n)}>{_spaces(f)})" for n, f in w.year_of_month.items()))
    sides = _or(*(f"(?P<{n}>{_spaces(f)})" for n, f in (("tp", w.past_after), ("tf", w.future_after)) if f))
    tail = f"(?:{year_join}|,?{sp}(?:{years})|{sp}(?:{sides}))?"
    ranged = rf"(?:{sp0}(?:{_spaces(_or(w.range_to, w.range_and))}){sp0}(?:(?:{_spaces(w.article) or _NEVER}|{all_days}){sp}){{0,2}}(?P<d2>\d{{1,2}}){ordinal})?"
    past, future = _spaces(w.past) or _NEVER, _spaces(w.future) or _NEVER
    side = f"(?:(?:(?P<past>{past})|(?P<fut>{future})){sp})?"
    head = rf"(?:(?P<wd>{all_days})\.?,?{sp}(?:\(\s?)?{article})?"
    day_month = (
        rf"{edge[0]}(?<![\d][.,:/-])(?<![\w@#]-){head}{kept}{side}{day_number}{ordinal}{ranged}[\s./-]{{0,3}}{joiner}{month}{tail}{edge[1]}"
    )
    month_day = None
    if lang == "en":
        month_day = re.compile(
            rf"{edge[0]}(?:(?P<wd>{all_days})\.?,?\s{{1,3}})?(?P<m>{alternatives(months)})\.?[\s-]{{1,3}}(?:the\s)?(?P<d>\d{{1,2}}|{'|'.join(words)})(?:st|nd|rd|th)?"
            rf"(?:\s?(?:-|to|through|and|until|&)\s?(?:the\s)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\s?(?:{alternatives(months)})\b)(?![:.]\d))?"
            rf"(?:(?:,|\s|\.|,?\sof|-){{1,2}}\s{{0,2}}(?P<y>{_YEAR})(?!\d|[:.,]\d)|(?:,?\s'|[/-])(?P<yy>\d\d)(?![\d\w:]|[.,/-]\d)|,?\s(?:{years}))?(?!\w|[.,:]\d|\s?%|\s?(?:percent|a\.?m\b|p\.?m\b|million|billion))"
        )
    vague = _spaces(w.vague) or _NEVER
    after = f"(?:{sp0}(?P<va>{_spaces(w.vague_after)}))?" if w.vague_after else ""
    month_year = rf"{edge[0]}(?:(?P<vague>{vague}){sp0})?{month}(?:(?:[\s./-]{{1,3}}|,\s|{_NEVER if w.spaced else ''})(?:(?:{_spaces(w.year_joiner) or _NEVER}){sp0})?(?P<y>{_YEAR})(?!\d|[:.,]\d)|\s'(?P<yy>\d\d)(?!\w)){after}{edge[1]}"
    before = f"(?:(?P<vague>{vague}){sp0}|(?P<prep>{_spaces(w.in_month) or _NEVER}){sp})" + ("?" if loose else "")
    rel_year = f"(?:,?{sp}(?:{years}))?"
    month_alone = rf"{edge[0]}{before}{whole}{after}{rel_year}{edge[1]}(?![.,]?\s?\d)"
    part = f"(?:{sp0}(?:{_spaces(w.day_part)}))?" if w.day_part else ""
    weeks = _or(*(f"(?P<{n}>{_spaces(f)})" for n, f in (("lw", w.last_week), ("tw", w.this_week), ("nw", w.next_week)) if f))
    weeks0 = weeks.replace("?P<lw>", "?P<lw0>").replace("?P<tw>", "?P<tw0>").replace("?P<nw>", "?P<nw0>")
    later = _or(*(f"(?P<{n}>{_spaces(f)})" for n, f in (("pa", w.past_after), ("fa", w.future_after)) if f))
    full_days = fold_word(_spaces(_or(*(f"(?:{d}){day_ending}" for d in wide if d))))
    named_day = (
        rf"(?:,?\s(?:(?:{_spaces(w.article) or _NEVER}){sp})?\(?(?P<wday>\d{{1,2}})\)?(?![\d:.,/h-]\d|\d|\s?(?:h\b|%|uur|horas|heures|ore\b)))?"
        if lang in ("fr", "it", "es", "pt", "vi", "id", "ms")
        else ""
    )
    weekday = rf"{edge[0]}(?:(?P<past>{past}){sp}|(?P<fut>{future}){sp}|(?:{weeks0}){sp})?(?P<wd>{full_days}){part}{named_day}(?:(?:,|{sp0})?{sp0}\(?(?:{weeks}|{later}))?{edge[1]}"
    if lang == "en":
        weekday = weekday.replace("(?P<past>", "(?P<chain>the\\s(?:following|next|subsequent))\\s{1,3}|(?P<past>", 1)
    period = _or(
        *(
            f"(?P<{n}>{_spaces(f)})"
            for n, f in (
                ("lm", w.last_month),
                ("tm", w.this_month),
                ("nm", w.next_month),
                ("ly", w.last_year),
                ("ty", w.this_year),
                ("ny", w.next_year),
            )
            if f
        )
    )
    any_month = alternatives(months)
    only = tuple(re.compile(edge[0] + r"(?<!\d[.,:/-])" + _spaces(t.replace("{month}", any_month)) + edge[1]) for t in w.day_only)
    prefix = rf"(?P<prep>{_spaces(w.in_year)}){sp0}" if w.in_year else None
    suffix = rf"{sp0}(?:{_spaces(w.year_after)})" if w.year_after else None
    year_parts = _or(
        rf"{prefix}(?P<y>(?:1[89]|20|2[45])\d\d)(?![\d%]|[.,/:-]\d|\s?(?:%|eur|usd|m\b|kr\b|sek|nok|dkk))" if prefix else "",
        rf"(?P<ys>(?:1[89]|20)\d\d){suffix}" if suffix else "",
    )
    quarter = _or(*(_spaces(q.replace("[1-4]", "[1234]")) for q in w.quarter))  # so that "1q" is a string to look for
    numbers = {fold_word(k): v for k, v in w.numbers.items()}
    count = r"\d{1,2}" + (("|" + "|".join(sorted(numbers, key=len, reverse=True))) if numbers else "")
    return Grammar(
        lang=lang,
        months=months,
        short=short,
        weekdays=tuple(
            re.compile(fold_word(_spaces(_or(f"(?:{full}){day_ending}", f"(?:{small})\\.?" if small else ""))))
            for full, small in zip(wide, brief, strict=True)
        ),
        day_words=words,
        numbers=numbers,
        day_month=re.compile(day_month),
        month_day=month_day,
        genitive=re.compile(r"(?<!\w)" + _GENITIVE_DAY[lang].replace("{months}", any_month) + r"(?!\w)") if lang in _GENITIVE_DAY else None,
        year_month_day=re.compile(
            rf"(?<!\w)(?<![.,/-])(?P<y>{_YEAR})[.,]?[\s-]{{1,2}}(?P<m>{any_month})\.?[\s-]{{1,2}}(?P<d>\d{{1,2}})(?:\.(?=\s?[-,a-z)]|$))?(?!\d)"
        ),
        month_year=re.compile(month_year),
        month_alone=re.compile(month_alone),
        relative=(
            (_shifted(w.anchor_days, edge), Shift.ANCHOR),
            (_shifted(w.chain_business, edge), Shift.CHAIN_BUSINESS),
            (_shifted(w.chain_days, edge), Shift.CHAIN),
        ),
        weekday=re.compile(weekday) if any(wide) else None,
        period=re.compile(f"{edge[0]}(?:{period}){edge[1]}"),
        day_only=only,
        year_alone=re.compile(f"{edge[0]}(?:{year_parts}){edge[1]}"),
        null=re.compile(f"{edge[0]}(?:{quarter}){edge[1]}"),
        week=re.compile(f"{edge[0]}(?:{_spaces(w.last_week) or _NEVER}){edge[1]}"),
        ago=tuple(re.compile(edge[0] + _spaces(t.replace("{n}", count)) + edge[1]) for t in w.ago),
        later=tuple(
            (re.compile(edge[0] + f"(?P<n>{count})" + _spaces(f" (?:{t})") + edge[1]), sign)
            for t, sign in ((w.days_later, 1), (w.days_earlier, -1))
            if t
        ),
        between=re.compile(rf"\s{{0,3}}(?:{_spaces(w.range_to) or '-'})\s{{0,3}}(?:(?:{_spaces(w.article) or _NEVER})\s{{1,3}})?"),
        between_and=re.compile(rf"\s{{0,3}}(?:{_spaces(w.range_and)})\s{{0,3}}(?:(?:{_spaces(w.article) or _NEVER})\s{{1,3}})?")
        if w.range_and
        else None,
        future_cue=re.compile(rf"(?<!\w)(?:{_spaces(w.future_cue)})\s{{1,3}}(?:(?:{_spaces(w.article) or _NEVER})\s{{1,3}})?$")
        if w.future_cue
        else None,
    )

# ruff: noqa: E501 - word lists and patterns stay on one line
"""Date expressions with month, weekday and relative words of one language, as candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from s2r.lang.dates.calendars import buddhist_year
from s2r.lang.dates.candidate import Candidate, Shift, Week
from s2r.lang.dates.names import WORDS, alternatives, month_names, short_months, weekday_patterns
from s2r.lang.dates.numeric import is_provision
from s2r.lang.dates.scan import Scanned, fold_word
from s2r.lang.dates.seek import DateSought
from s2r.lang.literals import Seeker, Sought

# before a day of the month: it lies ahead
_UNTIL = re.compile(
    r"(?<!\w)(?:until|till|by|bis|spätestens|jusqu|avant|entro|fino|hasta|até|tot|uiterlijk|senast|senest|innen|inden|do|đến|trước|hingga|sampai)\W"
)
_YEAR = r"(?:1[6-9]|2[0-6])\d\d"
_NEVER = "(?!)"
# months whose name is also an ordinary word: they need a capital, or a year, to count without one
_WORDLIKE = {"en": ("may", "march", "mar", "august", "sep", "dec", "jan")}
# "next Friday" said on a Monday is a week from this Friday
_WEEK_AHEAD = {"en": "next", "sv": "nästa", "no": "neste", "da": "næste", "nl": "volgende"}
_GENITIVE_DAY = {  # the month named before the day
    "fi": r"(?P<m>{months})n\s(?P<d>\d{1,2})\.?\s?(?:päivä(?:nä|ksi|än|stä)?|pnä)",
    "hu": r"(?P<m>{months})\s(?P<d>\d{1,2})(?:\.|-\w{1,4})",
    "tr": r"(?P<m>{months})\say[ıi]nın\s(?P<d>\d{1,2})\'\w{1,5}",
}
# "not until Friday did they learn", "the night to Friday": a day that has been
_NOT_UNTIL = re.compile(r"\b(?:not (?:\w{1,10} )?until|natten? (?:til|till|mot)|pas avant|no fue hasta|não foi até)\s(?:\w{1,5}\s)?$")
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


def _shifted(days: dict[int, str] | object, edge: tuple[str, str]) -> re.Pattern[str]:
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


def _groups(m: re.Match[str], name: str) -> str | None:
    return m.group(name) if name in m.re.groupindex else None


def _end(m: re.Match[str], g: Grammar) -> int:
    """End of a match without the full stop of the sentence: a full month name takes none."""
    return m.end() - 1 if m[0].endswith(".") and m["m"] not in g.short and m.end("m") == m.end() - 1 else m.end()


def _relative_year(m: re.Match[str]) -> int | None:
    for name in ("yrm1", "yrp0", "yrp1"):
        if _groups(m, name):
            return int(name[3:]) * (-1 if name[2] == "m" else 1)
    return None


def _year(m: re.Match[str]) -> tuple[int | None, tuple[str, ...]]:
    if y := _groups(m, "y"):
        return buddhist_year(int(y)), ()
    if yy := _groups(m, "yy"):
        return int(yy) + (2000 if int(yy) < 50 else 1900), ("two_digit_year",)
    return None, ()


def _weekday_number(g: Grammar, text: str | None) -> int | None:
    if not text:
        return None
    return next((i for i, p in enumerate(g.weekdays) if p.fullmatch(text)), None)


def _month_number(g: Grammar, name: str) -> int:
    return g.months[name]


def _wordlike(g: Grammar, scanned: Scanned, m: re.Match[str], year: int | None) -> bool:
    """Whether the month is only an ordinary word here ("may", "march")."""
    return year is None and m["m"] in _WORDLIKE.get(g.lang, ()) and not scanned.is_capital(m.start("m"))


def find_named(scanned: Scanned, lang: str, *, relative: bool = True) -> Iterator[Candidate]:
    """Candidates in the words of `lang`; without `relative` only expressions that name a month."""
    g = grammar(lang)
    text = scanned.text
    seeker = (g.sought if relative else g.sought_named).over(text)
    yield from _day_month(scanned, g, seeker)
    for m in seeker.finditer(g.month_year):
        year, flags = _year(m)
        yield Candidate(m.start(), m.end(), f"{lang}-month-year", year=year, month=_month_number(g, m["m"]), month_only=True, flags=flags)
    for m in seeker.finditer(g.month_alone):
        if not _wordlike(g, scanned, m, None):
            shift = _relative_year(m)
            yield Candidate(
                m.start("vague") if _groups(m, "vague") else m.start("m"),
                _end(m, g),
                f"{lang}-month",
                month=_month_number(g, m["m"]),
                month_only=True,
                shift=Shift.NONE if shift is None else Shift.ANCHOR_YEAR,
                amount=shift or 0,
            )
    if not relative:
        return
    for pattern, shift_kind in g.relative:
        for m in seeker.finditer(pattern):
            name = m.lastgroup or "p0"
            yield Candidate(
                m.start(), m.end(), f"{lang}-{shift_kind}", shift=shift_kind, amount=int(name[1:]) * (-1 if name[0] == "m" else 1)
            )
    yield from _weekdays(text, g, seeker)
    yield from _periods(g, seeker)
    for pattern in g.day_only:
        for m in seeker.finditer(pattern):
            found = _day_of_month(m, f"{lang}-day")
            until = found.tense == 0 and _UNTIL.search(text[max(0, m.start() - 12) : m.start("d")])
            yield found._replace(tense=1) if until else found
    for m in seeker.finditer(g.null):
        yield Candidate(m.start(), m.end(), "quarter", shift=Shift.NULL)
    for m in seeker.finditer(g.week):
        yield Candidate(m.start(), m.end(), "week", shift=Shift.NULL)
    for pattern in g.ago:
        for m in seeker.finditer(pattern):
            number = 7 if _groups(m, "w1") else _number(g, m["n"])
            yield Candidate(m.start(), m.end(), "ago", shift=Shift.ANCHOR, amount=-number, rank=1)
    for pattern, sign in g.later:
        for m in seeker.finditer(pattern):
            yield Candidate(m.start(), m.end(), "later", shift=Shift.CHAIN, amount=sign * _number(g, m["n"]))


def _number(g: Grammar, text: str) -> int:
    return g.numbers.get(text) or (int(text) if text.isdigit() else 0)


def _day_month(scanned: Scanned, g: Grammar, seeker: Seeker) -> Iterator[Candidate]:
    text = scanned.text
    for pattern in filter(None, (g.day_month, g.month_day)):
        for m in seeker.finditer(pattern):
            year, flags = _year(m)
            if _wordlike(g, scanned, m, year) or (year is None and is_provision(text, m.start("d"))):
                continue
            day = g.day_words.get(m["d"]) or (int(m["d"]) if m["d"].isdigit() else 0)
            groups = m.groupdict()
            past, ahead, weekday = groups.get("past"), groups.get("fut"), groups.get("wd")
            shift = _relative_year(m)
            tense = -1 if past or groups.get("tp") else 1 if ahead or groups.get("tf") else 0
            month = _month_number(g, m["m"])
            start = m.start("wd") if weekday else m.start()
            if past is None and ahead is None and not weekday:
                start = m.start("art") if groups.get("art") else m.start("d") if pattern is g.day_month else m.start("m")
            found = Candidate(
                start,
                _end(m, g),
                f"{g.lang}-day-month",
                year=year,
                month=month,
                day=day,
                tense=tense,
                flags=flags,
                shift=Shift.NONE if shift is None else Shift.ANCHOR_YEAR,
                amount=shift or 0,
                weekday=_weekday_number(g, weekday),
            )
            if d2 := groups.get("d2"):
                found = found._replace(rule="range", raw=(start, _end(m, g)), rank=2, weekday=None)
                yield found._replace(end=m.end("d"), flags=(*flags, "range_start"))
                yield found._replace(start=m.start("d2"), day=int(d2), flags=(*flags, "range_end"))
                continue
            yield found
    if g.genitive is not None:
        for m in seeker.finditer(g.genitive):
            yield Candidate(m.start(), m.end(), f"{g.lang}-month-day", month=g.months[m["m"]], day=int(m["d"]))
    for m in seeker.finditer(g.year_month_day):
        yield Candidate(m.start(), m.end(), f"{g.lang}-year-month-day", year=int(m["y"]), month=_month_number(g, m["m"]), day=int(m["d"]))


def _weekdays(text: str, g: Grammar, seeker: Seeker) -> Iterator[Candidate]:
    if g.weekday is None:
        return
    for m in seeker.finditer(g.weekday):
        week = Week.BARE
        for names, value in (
            (("lw", "lw0"), Week.LAST),
            (("tw", "tw0"), Week.THIS),
            (("nw", "nw0"), Week.NEXT),
            (("past", "pa"), Week.PAST),
            (("fut", "fa"), Week.FUTURE),
            (("chain",), Week.AFTER),
        ):
            if any(_groups(m, n) for n in names):
                week = value
        number = _weekday_number(g, m["wd"])
        if day := _groups(m, "wday"):
            yield Candidate(
                m.start(),
                m.end(),
                f"{g.lang}-weekday-day",
                day=int(day),
                weekday=number,
                shift=Shift.ANCHOR_MONTH,
                flags=("day_only",),
                tense=-1 if week is Week.PAST else 0,
            )
            continue
        if week is Week.FUTURE and (_groups(m, "fut") or "").startswith(_WEEK_AHEAD.get(g.lang, "-")):
            week = Week.NEXT
        before = text[max(0, m.start() - 90) : m.start()]
        if week is Week.BARE and g.future_cue and g.future_cue.search(before) and not _NOT_UNTIL.search(before):
            week = Week.FUTURE
        yield Candidate(m.start(), m.end(), f"{g.lang}-weekday", weekday=number, shift=Shift.WEEKDAY, week=week)


def _periods(g: Grammar, seeker: Seeker) -> Iterator[Candidate]:
    for m in seeker.finditer(g.period):
        kind = m.lastgroup or "tm"
        amount = {"l": -1, "t": 0, "n": 1}[kind[0]]
        yield Candidate(
            m.start(),
            m.end(),
            f"{g.lang}-period",
            shift=Shift.ANCHOR_MONTH if kind[1] == "m" else Shift.ANCHOR_YEAR,
            amount=amount,
            month_only=kind[1] == "m",
        )
    for m in seeker.finditer(g.year_alone):
        group = "y" if _groups(m, "y") else "ys"
        yield Candidate(m.start(group), m.end(group), f"{g.lang}-year", year=buddhist_year(int(m[group])))


def _day_of_month(m: re.Match[str], rule: str) -> Candidate:
    shift, amount, tense = Shift.ANCHOR_MONTH, 0, 0
    flags: tuple[str, ...] = ("day_only",)
    for name, value in (("cur", 0), ("prev", -1), ("nextm", 1)):
        if _groups(m, name):
            amount, flags = value, ()
    if _groups(m, "chain"):
        shift, flags = Shift.CHAIN_MONTH, ()
    if _groups(m, "past"):
        tense = -1
    if _groups(m, "fut"):
        tense = 1
    digits = re.sub(r"\D", "", m["d"])
    tail = [m.end(n) for n in ("cur", "prev", "nextm", "past", "fut", "chain") if _groups(m, n)]
    head = [m.start(n) for n in ("k", "cur", "prev", "nextm", "past", "fut", "chain") if _groups(m, n)]
    return Candidate(
        min([m.start("d"), *head]),
        max([m.end("d"), m.end(), *tail]),
        rule,
        day=int(digits),
        shift=shift,
        amount=amount,
        tense=tense,
        flags=flags,
    )

"""Date expressions with month, weekday and relative words of one language, as candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from s2r.lang.dates.calendars import buddhist_year
from s2r.lang.dates.candidate import Candidate, Shift, Week
from s2r.lang.dates.grammar import Grammar, grammar
from s2r.lang.dates.numeric import is_provision
from s2r.lang.dates.scan import Scanned
from s2r.lang.literals import Seeker

# before a day of the month: it lies ahead
_UNTIL = re.compile(
    r"(?<!\w)(?:until|till|by|bis|spätestens|jusqu|avant|entro|fino|hasta|até|tot|uiterlijk|senast|senest|innen|inden|do|đến|trước|hingga|sampai)\W"
)
# months whose name is also an ordinary word: they need a capital, or a year, to count without one
_WORDLIKE = {"en": ("may", "march", "mar", "august", "sep", "dec", "jan")}
# "next Friday" said on a Monday is a week from this Friday
_WEEK_AHEAD = {"en": "next", "sv": "nästa", "no": "neste", "da": "næste", "nl": "volgende"}
# "not until Friday did they learn", "the night to Friday": a day that has been
_NOT_UNTIL = re.compile(r"\b(?:not (?:\w{1,10} )?until|natten? (?:til|till|mot)|pas avant|no fue hasta|não foi até)\s(?:\w{1,5}\s)?$")


def _groups(m: re.Match[str], name: str) -> str | None:
    return m.group(name) if name in m.re.groupindex else None


def _end(m: re.Match[str], g: Grammar) -> int:
    """End of a match without the full stop of the sentence: a full month name takes none."""
    return m.end() - 1 if m[0].endswith(".") and m["m"] not in g.short and m.end("m") == m.end() - 1 else m.end()


def _relative_year(groups: Mapping[str, str | None]) -> int | None:
    for name, amount in _RELATIVE_YEARS:
        if groups.get(name):
            return amount
    return None


_RELATIVE_YEARS = (("yrm1", -1), ("yrp0", 0), ("yrp1", 1))


def _year(groups: Mapping[str, str | None]) -> tuple[int | None, tuple[str, ...]]:
    if y := groups.get("y"):
        return buddhist_year(int(y)), ()
    if yy := groups.get("yy"):
        return int(yy) + (2000 if int(yy) < 50 else 1900), ("two_digit_year",)
    return None, ()


def _weekday_number(g: Grammar, text: str | None) -> int | None:
    if not text:
        return None
    return next((i for i, p in enumerate(g.weekdays) if p.fullmatch(text)), None)


def _wordlike(g: Grammar, scanned: Scanned, m: re.Match[str]) -> bool:
    """Whether the month of a date without a year is only an ordinary word ("may", "march")."""
    return m["m"] in _WORDLIKE.get(g.lang, ()) and not scanned.is_capital(m.start("m"))


def find_named(scanned: Scanned, lang: str, *, relative: bool = True) -> Iterator[Candidate]:
    """Candidates in the words of `lang`; without `relative` only expressions that name a month."""
    g = grammar(lang)
    text = scanned.text
    seeker = (g.sought if relative else g.sought_named).over(text)
    yield from _day_month(scanned, g, seeker)
    for m in seeker.finditer(g.month_year):
        year, flags = _year(m.groupdict())
        yield Candidate(m.start(), m.end(), f"{lang}-month-year", year=year, month=g.months[m["m"]], month_only=True, flags=flags)
    for m in seeker.finditer(g.month_alone):
        if not _wordlike(g, scanned, m):
            shift = _relative_year(m.groupdict())
            yield Candidate(
                m.start("vague") if _groups(m, "vague") else m.start("m"),
                _end(m, g),
                f"{lang}-month",
                month=g.months[m["m"]],
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
            groups = m.groupdict()
            year, flags = _year(groups)
            if year is None and (_wordlike(g, scanned, m) or is_provision(text, m.start("d"))):
                continue
            past, ahead, weekday = groups.get("past"), groups.get("fut"), groups.get("wd")
            shift = None if year is not None else _relative_year(groups)
            tense = -1 if past or groups.get("tp") else 1 if ahead or groups.get("tf") else 0
            start, day = m.start("wd") if weekday else m.start(), groups["d"] or ""
            if past is None and ahead is None and not weekday:
                start = m.start("art") if groups.get("art") else m.start("d") if pattern is g.day_month else m.start("m")
            found = Candidate(
                start,
                _end(m, g),
                f"{g.lang}-day-month",
                year=year,
                month=g.months[groups["m"] or ""],
                day=g.day_words.get(day) or (int(day) if day.isdigit() else 0),
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
        yield Candidate(m.start(), m.end(), f"{g.lang}-year-month-day", year=int(m["y"]), month=g.months[m["m"]], day=int(m["d"]))


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

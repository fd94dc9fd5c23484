# ruff: noqa: E501 - word lists and patterns stay on one line
"""Resolve candidates in reading order against the dateline and the dates named before them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import NamedTuple
from zoneinfo import ZoneInfo

from s2r.lang.dates.candidate import Candidate, Shift, Week
from s2r.lang.dates.dateline import is_stamp
from s2r.models.evidence import Precision

# words of publication and of taking effect in any language; they decide which earlier date "the same day" points to
_PUBLISHED = re.compile(
    r"announc|publi|disclos|releas|report|notif|said|told|inform|communi|comuni|divulg|anunci|annonc|bekannt|veröffent|gemeld|mitgeteilt|mitteil|meddel|meld|offentlig|offentl|kungör|kunngj|julk|kerto|tiedot|ilmoit|ogłos|opublik|poinform|podał|przekaz|公表|開示|发布|公告|披露|刊发|刊發|發布|공시|발표|공개|công bố|thông báo|umum|duyur|açıkla|KAP|ประกาศ|แจ้ง|أعلن|नोटिस|घोष|bericht|gemaakt|offentleg|known|public"
)
_EFFECT = re.compile(
    r"(?:effect\w*|with effect|as of|as from|virkning|verkan|wirkung|wirksam|ingang|efecto|efeito|effetto|decorrenza|effet|compter|skutkiem|alkaen|voimaan|起|生效|上場廃止日|効力|효력|부터|hiệu lực|kể từ|kuat kuasa|berlaku|มีผล|last (?:day|trading)|letzter|sista|siste|sidste|dernier|último día|último dia|ultimo giorno|laatste|viimeinen|ostatni|最終|最后|最後|마지막|cuối cùng|terakhir|senest|senast|spätestens|no later|plazo|prazo|frist|deadline|vence|expir|record|stichtag|基準日|基准日|登记日|登記日|기준일|dzień ustalenia|dzień rejestracji|avstämningsdag|skæringsdato|skjæringsdato|täsmäytyspäiv)[^.;。；]{0,30}$"
)
_HISTORY = re.compile(
    r"found|incorporat|establish|listed since|public since|since|gegründet|notiert|seit|fond|cré|coté|depuis|costitu|quotat|dal |fundad|constitu|cotiza|desde|listad|opgericht|genoteerd|sinds|grund|noterad|sedan|stift|notert|siden|perustet|listat|założ|notowan|od |設立|創業|上場した|成立于|上市于|설립|상장한|thành lập|niêm yết từ|自[^|]{0,4}\|\s?起|\|(?:부터|から|以来)"
)
# words before a day that say it is still to come, as a deadline is
_UNTIL = re.compile(
    r"(?:\b(?:by|until|till|no later than|before|bis|bis zum|spätestens|jusqu'au|d'ici au|d'ici le|avant le|au plus tard le|entro il|entro|fino al|hasta el|antes del|a más tardar el|até|até o dia|até o|uiterlijk|vóór|tot|senast|före|innan|innen|senest|inden|viimeistään|do|do dnia|najpóźniej|trước|trước ngày|chậm nhất ngày|最迟|最遲|不晚于|不遲於)\s?(?:den |the |dem |le |il |el |ngày )?)$"
)
_SAME_YEAR = re.compile(
    r",?\s(?:of |de |del |do |dello |della |i |van |im |in |v )?(?:the |that |la |het )?(?:same year|that year|samma år|samme år|(?:des|im) ?selben jahre?s?|desselben jahres|gleichen jahre?s|même année|stesso anno|mismo año|mesmo ano|hetzelfde jaar|datzelfde jaar|samana vuonna|tego samego roku|cùng năm)(?!\w)"
)
# words before a day that say it is over
_SINCE = re.compile(r"\b(?:since|seit|seit dem|depuis|depuis le|sinds|sedan|sedan den|siden|siden den|sejak)\s$")
_UNTIL_AFTER = re.compile(r"\s?(?:まで|迄|까지|之?前|或之前|以前|mennessä|saakka)")
FAR = 90  # days back from which a deadline without a year is one of the year to come
JUST_PAST = 3  # days: "until the 24th", said on the 26th, looks back
_VERB_LAST = ("han-day", "ko-day")  # what the day is of comes after it
OLD = 60  # days from which a date is no part of what is told now
BESIDE = 50  # characters between a date and a bare day of its month
LOOK_BACK = 40  # dates before one that it may lean on
_CLAUSE_END = re.compile(r"[;。；\n]|[.](?=\s)")


class Context(NamedTuple):
    """What relative expressions lean on: the document's date, the venue's time zone."""

    anchor: dt.date | None
    timezone: str = ""
    fallback: dt.date | None = None  # a weak date of the document (page metadata), used when the text offers nothing better

    @property
    def today(self) -> dt.date | None:
        """What "today" means."""
        return self.anchor or self.fallback


class Resolved(NamedTuple):
    """A candidate with its value."""

    candidate: Candidate
    value: str | None
    precision: Precision
    flags: tuple[str, ...]

    @property
    def day(self) -> dt.date | None:
        """The calendar day, when there is one."""
        return dt.date.fromisoformat(self.value) if self.value and self.precision is Precision.DAY else None


def make_date(year: int, month: int, day: int) -> dt.date | None:
    """The date, or None when there is no such day."""
    try:
        return dt.date(year, month, day)
    except (ValueError, OverflowError):
        return None


def add_months(year: int, month: int, amount: int) -> tuple[int, int]:
    """(year, month) `amount` months later."""
    index = year * 12 + month - 1 + amount
    return index // 12, index % 12 + 1


def nearest_year(month: int, day: int, anchor: dt.date, tense: int) -> int:
    """Year that puts month and day nearest to the anchor; a tense restricts the side, except within a day of the anchor."""
    best: tuple[int, int] | None = None
    for year in (anchor.year, anchor.year - 1, anchor.year + 1):
        date = make_date(year, month, day)
        if date is None:
            continue
        gap = (date - anchor).days
        if (tense < 0 and gap > 0) or (tense > 0 and gap < 0):
            continue
        if best is None or abs(gap) < best[0]:
            best = (abs(gap), year)
    return best[1] if best else anchor.year


def nearest_month(day: int, anchor: dt.date, tense: int) -> tuple[int, int]:
    """(year, month) that a bare day of the month belongs to: the anchor's month, unless that is far ahead or has the wrong tense."""
    here = make_date(anchor.year, anchor.month, day)
    before, after = add_months(anchor.year, anchor.month, -1), add_months(anchor.year, anchor.month, 1)
    if tense < 0 and (here is None or here > anchor):
        return before if make_date(*before, day) else add_months(*before, -1)
    if tense > 0 and (here is None or (anchor - here).days > JUST_PAST):
        return after
    if here is not None and (here - anchor).days > 20 and make_date(*before, day) is not None and tense <= 0:
        return before
    return anchor.year, anchor.month


def weekday_date(weekday: int, week: Week, anchor: dt.date) -> dt.date:
    """Day of a weekday relative to the anchor; a bare weekday is today's or the most recent one."""
    monday = anchor - dt.timedelta(days=anchor.weekday())
    match week:
        case Week.LAST:
            return monday + dt.timedelta(days=weekday - 7)
        case Week.BEFORE_LAST:
            return monday + dt.timedelta(days=weekday - 14)
        case Week.THIS:
            return monday + dt.timedelta(days=weekday)
        case Week.NEXT:
            return monday + dt.timedelta(days=weekday + 7)
        case Week.PAST:
            return anchor - dt.timedelta(days=(anchor.weekday() - weekday - 1) % 7 + 1)
        case Week.FUTURE | Week.AFTER:
            return anchor + dt.timedelta(days=(weekday - anchor.weekday() - 1) % 7 + 1)
        case Week.BARE:
            return anchor - dt.timedelta(days=(anchor.weekday() - weekday) % 7)


def business_day(date: dt.date, amount: int) -> dt.date:
    """The date moved by business days; holidays are not known here, so only weekends are skipped."""
    step = 1 if amount > 0 else -1
    for _ in range(abs(amount)):
        date += dt.timedelta(days=step)
        while date.weekday() > 4:
            date += dt.timedelta(days=step)
    return date


def local_day(day: dt.date, stamp: tuple[int, int, int], timezone: str) -> dt.date:
    """Local calendar day at the venue of a time stamp with an offset; the day as written when the zone is unknown."""
    hour, minute, offset = stamp
    try:
        zone = ZoneInfo(timezone)
        moment = dt.datetime(day.year, day.month, day.day, tzinfo=dt.timezone(dt.timedelta(minutes=offset))) + dt.timedelta(
            hours=hour, minutes=minute
        )
        return moment.astimezone(zone).date()
    except (ValueError, OverflowError, OSError, KeyError):
        return day


def resolve(candidates: Sequence[Candidate], text: str, context: Context, known: Sequence[Resolved] = ()) -> list[Resolved]:
    """Values of candidates that are sorted by start and do not overlap; `text` is folded. `known` are those of the same candidates in
    the same time zone without a date of the document; dates that are complete in themselves keep them."""
    done: list[Resolved] = []
    for number, candidate in enumerate(candidates):
        if known and candidate.year is not None and candidate.shift is Shift.NONE:
            done.append(known[number])
            continue
        value, precision, flags = _value(candidate, text, context, done)
        done.append(Resolved(candidate, value, precision, flags))
    return done


def _value(c: Candidate, text: str, context: Context, done: list[Resolved]) -> tuple[str | None, Precision, tuple[str, ...]]:
    flags = list(c.flags)
    if c.shift is Shift.NULL or "impossible" in flags:
        return None, Precision.NONE, tuple(flags)
    if c.shift is not Shift.NONE:
        flags.append("relative")
    try:
        value, precision = _resolve_one(c, text, context, done, flags)
    except (OverflowError, ValueError):
        value, precision = None, Precision.NONE
    return value, precision, tuple(dict.fromkeys(flags))


def _resolve_one(c: Candidate, text: str, context: Context, done: list[Resolved], flags: list[str]) -> tuple[str | None, Precision]:
    if c.shift is Shift.NONE:
        return _plain(c, text, context, done, flags)
    anchor = context.today
    match c.shift:
        case Shift.ANCHOR:
            return _day(anchor and anchor + dt.timedelta(days=c.amount))
        case Shift.CHAIN | Shift.CHAIN_BUSINESS:
            base = _antecedent(c, text, context, done)
            if base is None:
                return None, Precision.NONE
            if c.amount < 0 and context.anchor and base > context.anchor:
                base = context.anchor  # "in a letter sent the day before": not before the day that lies ahead
            return _day(base + dt.timedelta(days=c.amount) if c.shift is Shift.CHAIN else business_day(base, c.amount))
        case Shift.WEEKDAY:
            base = _antecedent(c, text, context, done) if c.week is Week.AFTER else anchor
            return _day(base and weekday_date(c.weekday or 0, c.week, base))
        case Shift.ANCHOR_MONTH | Shift.CHAIN_MONTH:
            base = (anchor or _last_date(done)) if c.shift is Shift.ANCHOR_MONTH else _last_date(done) or anchor
            return _in_month(c, base, flags, None if c.rule in _VERB_LAST else _month_told(c, text, context, done))
        case _:  # years
            year = anchor.year if anchor else None
            if c.shift is Shift.CHAIN_YEAR:
                year = _last_year(done) or year
            return _complete(c, None if year is None else year + c.amount, flags)


def _day(date: dt.date | None) -> tuple[str | None, Precision]:
    return (date.isoformat(), Precision.DAY) if date else (None, Precision.NONE)


def _in_month(c: Candidate, base: dt.date | None, flags: list[str], told: dt.date | None) -> tuple[str | None, Precision]:
    if base is None:
        return None, Precision.NONE
    if c.day is None:
        year, month = add_months(base.year, base.month, c.amount)
        return f"{year:04d}-{month:02d}", Precision.MONTH
    if "day_only" in flags:
        flags.remove("day_only")
        year, month = (told.year, told.month) if told else nearest_month(c.day, base, c.tense)
    else:
        year, month = add_months(base.year, base.month, c.amount)
    return _checked(year, month, c, flags)


def _month_told(c: Candidate, text: str, context: Context, done: list[Resolved]) -> dt.date | None:
    """The date just before, of whose month a bare day is ("radiation le 2 août, effective le 6"), unless what lies between is news."""
    last = done[-1] if done else None
    if last is None or last.day is None or last.candidate.shift is not Shift.NONE or c.tense or c.start - last.candidate.end > BESIDE:
        return None
    if context.anchor and (context.anchor - last.day).days > OLD:
        return None
    between = text[last.candidate.end : c.start]
    if last.candidate.day is None or "." in between or _PUBLISHED.search(between) or ((c.day or 0) <= last.day.day and len(between) > 18):
        return None
    return last.day


def _checked(year: int, month: int, c: Candidate, flags: list[str]) -> tuple[str | None, Precision]:
    date = make_date(year, month, c.day or 0)
    if date is None:
        flags.append("impossible")
        return None, Precision.NONE
    if c.weekday is not None and date.weekday() != c.weekday:
        flags.append("weekday_mismatch")
    return _day(date)


def _complete(c: Candidate, year: int | None, flags: list[str]) -> tuple[str | None, Precision]:
    if year is None or not 1 <= year <= 9999:
        return None, Precision.NONE
    if c.month is None:
        return f"{year:04d}", Precision.YEAR
    if not 1 <= c.month <= 12:
        flags.append("impossible")
        return None, Precision.NONE
    if c.day is None or c.month_only:
        return f"{year:04d}-{c.month:02d}", Precision.MONTH
    return _checked(year, c.month, c, flags)


def _plain(c: Candidate, text: str, context: Context, done: list[Resolved], flags: list[str]) -> tuple[str | None, Precision]:
    if c.year is not None:
        value, precision = _complete(c, c.year, flags)
        if value and c.utc and precision is Precision.DAY and context.timezone:
            return _day(local_day(dt.date.fromisoformat(value), c.utc, context.timezone))
        return value, precision
    if _SAME_YEAR.match(text, c.end) and (told := _last_year(done)):
        return _complete(c, told, flags)
    flags.append("no_year")
    month = c.month or 0
    if not 1 <= month <= 12 or (c.day is not None and make_date(2000, month, c.day) is None):
        flags.append("impossible")
        return None, Precision.NONE
    base = _told_date(c, text, done, context) or context.today or _last_date(done)
    if base is None:
        return None, Precision.NONE
    tense = c.tense or (-1 if _SINCE.search(text[max(0, c.start - 16) : c.start]) else 0)
    year = nearest_year(month, c.day or 15, base, tense)
    date = make_date(year, month, c.day or 15)
    if date and (base - date).days > FAR and (_UNTIL.search(text[max(0, c.start - 24) : c.start]) or _UNTIL_AFTER.match(text, c.end)):
        year += 1
    return _complete(c, year, flags)


def _told_date(c: Candidate, text: str, done: list[Resolved], context: Context) -> dt.date | None:
    """The date with a year that a date without one continues: any when the document has no date of its own, else only one told
    in the same sentence and so far back that the document's date cannot be meant ("announced on 1 August 2017, effective 15 August")."""
    for at in range(len(done) - 1, max(-1, len(done) - 5), -1):
        r, told = done[at], done[at].candidate
        if told.shift is not Shift.NONE or told.year is None or r.value is None or r.precision is Precision.YEAR:
            continue
        date = r.day or dt.date(int(r.value[:4]), int(r.value[5:7]), 15)
        before = text[max(0, told.start - 40, done[at - 1].candidate.end if at else 0) : told.start]
        if told.rule == "copyright" or is_stamp(before) or _HISTORY.search(before + "|" + text[told.end : told.end + 8]):
            continue
        if context.anchor is None:
            return date
        if r.day is None:
            return None
        if abs((date - context.anchor).days) > 270 and not _CLAUSE_END.search(text[told.end : c.start]):
            return date
        return None
    return None


def _last_date(done: list[Resolved]) -> dt.date | None:
    return next((r.day for r in reversed(done[-LOOK_BACK:]) if r.day), None)


def _last_year(done: list[Resolved]) -> int | None:
    return next((int(r.value[:4]) for r in reversed(done[-LOOK_BACK:]) if r.value), None)


def _antecedent(c: Candidate, text: str, context: Context, done: list[Resolved]) -> dt.date | None:
    """The date that "the same day" or "the day after" leans on: the nearest before it, but a statement of publication does not
    lean on a date on which something takes effect."""
    days = [r for r in done[-6:] if r.day]
    if not days:
        return context.anchor
    clause = text[_clause_start(text, c.start) : _clause_end(text, c.end)]
    if _PUBLISHED.search(clause):
        for r in reversed(days):
            day = r.day
            if day is None or (context.anchor and day > context.anchor and len(days) > 1):
                continue
            if not _EFFECT.search(text[max(0, r.candidate.start - 60) : r.candidate.start]):
                return day
    return days[-1].day


def _clause_start(text: str, at: int) -> int:
    window = text[max(0, at - 160) : at]
    ends = [m.end() for m in _CLAUSE_END.finditer(window)]
    return max(0, at - 160) + (ends[-1] if ends else 0)


def _clause_end(text: str, at: int) -> int:
    m = _CLAUSE_END.search(text, at, at + 160)
    return m.start() if m else min(len(text), at + 160)

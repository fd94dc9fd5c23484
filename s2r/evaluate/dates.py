"""Read files of dated snippets, read their dates, and score the readings against what is expected."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError, field_validator

from s2r.adjudicate.rules.datekinds import announcement_date, classify_dates
from s2r.errors import InputError
from s2r.lang.dates import find_dateline, read_dates
from s2r.models import DateKind, Precision
from s2r.models.listing import Frozen
from s2r.policy import DateLexicon

_ALIASES = {"nb": "no", "nn": "no"}
_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


class SnippetContext(Frozen):
    """What is known about a snippet besides its text: language tag, country of the venue, and dates of the document."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    lang: str = ""
    country: str = ""
    dateline: dt.date | None = None
    page_meta_date: dt.date | None = None

    @field_validator("dateline", "page_meta_date", mode="before")
    @classmethod
    def _whole_day(cls, value: object) -> object:
        """A document date that is no calendar day (only a month, say) is as good as none."""
        if not isinstance(value, str):
            return value
        try:
            return dt.date.fromisoformat(value[:10])
        except ValueError:
            return None

    @field_validator("lang", "country", mode="before")
    @classmethod
    def _text(cls, value: object) -> object:
        return "" if value is None else value


class ReadDate(Frozen):
    """One date as read or expected. `value` is None for a date expression that cannot be resolved."""

    raw: str
    value: str | None
    precision: Precision | None
    kind: DateKind


class ExpectedDate(Frozen):
    """One date of the gold; kept as text, so that gold of another make cannot stop the reading."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    raw: str
    value: str | None = None
    precision: str | None = None
    kind: str | None = None


class Snippet(Frozen):
    """One row of a dates file; only `text` and `context` are read by the reader, the rest is gold for scoring."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    text: str
    context: SnippetContext = SnippetContext()
    expected: tuple[ExpectedDate, ...] | None = None
    announcement_date: str | None = None
    traps: tuple[str, ...] = ()


class Reading(Frozen):
    """What was read from one snippet."""

    dates: tuple[ReadDate, ...]
    announcement_date: dt.date | None


class DateScore(Frozen):
    """Counts over a file: `values` are expected dates found with right value and precision, `kinds` those with the right kind as well."""

    rows: int = 0
    expected: int = 0
    raws: int = 0  # found with exactly the expected text
    values: int = 0
    kinds: int = 0
    announcements: int = 0
    all_right: int = 0
    extra: int = 0  # dates read that are not expected
    trapped: int = 0  # dates read from trap strings
    misses: tuple[str, ...] = Field(default=())


def cues_for(lang: str, lexicons: Mapping[str, DateLexicon]) -> tuple[DateLexicon, ...]:
    """Date cues for a language tag; English ones when the language is unknown."""
    tag = lang.replace("_", "-").lower()
    base = tag.split("-")[0]
    key = ("zh-Hant" if tag.startswith(_TRADITIONAL) else "zh-Hans") if base == "zh" else _ALIASES.get(base, base)
    found = lexicons.get(key) or lexicons.get("en")
    return (found,) if found else ()


def read_snippet(text: str, context: SnippetContext, lexicons: Mapping[str, DateLexicon]) -> Reading:
    """Dates of one snippet with their kinds, and the day the delisting was announced, if the snippet announces one."""
    cues = cues_for(context.lang, lexicons)
    own = find_dateline(text, lang=context.lang, country=context.country)
    anchor = context.dateline or own
    mentions = read_dates(text, lang=context.lang, country=context.country, anchor=anchor, fallback=context.page_meta_date)
    day_of, page = anchor or context.page_meta_date, context.page_meta_date
    kinds = classify_dates(text, mentions, cues=cues, anchor=day_of, page_date=page)
    day = announcement_date(text, mentions, kinds, cues=cues, anchor=day_of, page_date=page)
    dates = tuple(ReadDate(raw=m.raw, value=m.value, precision=m.precision, kind=kind) for m, kind in zip(mentions, kinds, strict=True))
    return Reading(dates=dates, announcement_date=day)


def read_rows(path: Path) -> Iterator[tuple[dict[str, Any], Snippet]]:
    """(raw row, parsed row) for each line of a JSONL file; a bad line raises InputError with its number."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"cannot be read: {exc}", subject=str(path)) from exc
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            snippet = Snippet.model_validate(row)
        except (ValueError, ValidationError) as exc:
            fault = f"line {number} is not a dated snippet: {str(exc).splitlines()[0]}"
            raise InputError(fault, subject=str(path), advice="Each line needs `text` and `context`.") from exc
        yield row, snippet


def with_reading(row: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    """The row as it came, with `read` and `read_announcement_date` added."""
    read = [d.model_dump(mode="json") for d in reading.dates]
    return {**row, "read": read, "read_announcement_date": reading.announcement_date.isoformat() if reading.announcement_date else None}


def score(pairs: Iterable[tuple[Snippet, Reading]]) -> DateScore:
    """Score readings. A read date answers an expected one when their texts overlap and value and precision agree."""
    total = dict.fromkeys(("rows", "expected", "raws", "values", "kinds", "announcements", "all_right", "extra", "trapped"), 0)
    misses: list[str] = []
    for snippet, reading in pairs:
        if snippet.expected is None:
            continue
        counts, faults = _score_row(snippet, reading)
        for key, value in counts.items():
            total[key] += value
        misses += [f"{snippet.id}: {fault}" for fault in faults]
    return DateScore(**total, misses=tuple(misses))


def _score_row(snippet: Snippet, reading: Reading) -> tuple[dict[str, int], list[str]]:
    left = list(reading.dates)
    counts = dict.fromkeys(("raws", "values", "kinds"), 0)
    faults: list[str] = []
    for want in snippet.expected or ():
        same = [d for d in left if _same_value(d, want) and _overlap(d.raw, want.raw)]
        same.sort(key=lambda d: (d.raw != want.raw, d.kind != want.kind))
        if not same:
            faults.append(f"{want.raw!r} is {want.value}, read {[(d.raw, d.value) for d in left if _overlap(d.raw, want.raw)]}")
            continue
        found = same[0]
        left.remove(found)
        counts["values"] += 1
        counts["raws"] += found.raw == want.raw
        counts["kinds"] += found.kind == want.kind
        if found.kind != want.kind:
            faults.append(f"{want.raw!r} is {want.kind}, read {found.kind}")
    read = reading.announcement_date.isoformat() if reading.announcement_date else None
    right = read == snippet.announcement_date
    if not right:
        faults.append(f"announced {snippet.announcement_date}, read {read}")
    trapped = [d.raw for d in reading.dates if _in_trap(d.raw, snippet)]
    faults += [f"trap {raw!r} read as a date" for raw in trapped]
    faults += [f"not expected: {d.raw!r} = {d.value}" for d in left if d.raw not in trapped]
    counts |= {"rows": 1, "expected": len(snippet.expected or ()), "announcements": int(right)}
    counts |= {"all_right": int(not faults), "extra": len(left), "trapped": len(trapped)}
    return counts, faults


def _same_value(read: ReadDate, want: ExpectedDate) -> bool:
    return read.value == want.value and (want.value is None or read.precision == want.precision)


def _overlap(a: str, b: str) -> bool:
    return a in b or b in a


def _in_trap(raw: str, snippet: Snippet) -> bool:
    wanted = [w.raw for w in snippet.expected or ()]
    return any(raw in trap or trap in raw for trap in snippet.traps) and not any(_overlap(raw, w) for w in wanted)


def summary(result: DateScore) -> Sequence[tuple[str, str]]:
    """(measure, value) pairs for a table."""

    def share(hits: int, n: int) -> str:
        return f"{hits}/{n} ({hits / n:.1%})" if n else "-"

    return (
        ("value and precision", share(result.values, result.expected)),
        ("value, precision and kind", share(result.kinds, result.expected)),
        ("announcement date", share(result.announcements, result.rows)),
        ("rows without any fault", share(result.all_right, result.rows)),
        ("exact text of the date", share(result.raws, result.expected)),
        ("dates not expected", str(result.extra)),
        ("dates read from traps", str(result.trapped)),
    )

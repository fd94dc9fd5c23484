"""What EDGAR's submissions files say of a filer and its filings, and in which clock they say it; pure.

Source: the layout of data.sec.gov/submissions/CIK##########.json and of its older pages, which hold the same columns at top level.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from s2r.errors import SourceBroken
from s2r.models.listing import Frozen
from s2r.policy.types import FilingRule

ARCHIVES = "https://www.sec.gov/Archives/edgar/data"
EASTERN = ZoneInfo("America/New_York")
_ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}\Z")
MOST = 50 << 20  # bytes of a page, unless the settings say otherwise; pictures and data files in a submission cost no reading
_DOCUMENT = re.compile(r"[\w.,+-]{1,120}\Z")
_NEEDED = ("accessionNumber", "filingDate", "form")
_COLUMNS = (*_NEEDED, "reportDate", "acceptanceDateTime", "items", "primaryDocument", "primaryDocDescription", "size")
_LAST_EASTERN = dt.date(2025, 8, 31)  # captures up to here held wall time, those from February 2026 hold UTC
_FIRST_UTC = dt.date(2026, 2, 1)
_CLEAR = 4  # times as many stamps of one kind: a few filings are stamped at odd hours


class Clock(StrEnum):
    """What the digits of `acceptanceDateTime` mean; its "Z" is no witness."""

    EASTERN = "eastern"
    UTC = "utc"
    UNKNOWN = "unknown"


class FormerName(Frozen):
    """A name that a filer gave up. `since` and `until` are days as EDGAR gives them, None when it gives none."""

    name: str
    since: dt.date | None = None
    until: dt.date | None = None


class Filing(Frozen):
    """One filing of a filer. `filed` is the day as of which EDGAR dates it; `accepted` is the raw stamp, see `acceptance`."""

    cik: str
    accession: str
    form: str
    filed: dt.date
    period: dt.date | None = None
    accepted: str = ""
    items: tuple[str, ...] = ()
    document: str = ""
    title: str = ""
    size: int = 0

    def url(self, *, whole: bool = True, most: int = MOST) -> str:
        """Address of the full submission (header, documents, exhibits), or of the main document alone when `whole` is not wanted
        or the submission has more than `most` bytes; only the former has the header that says when it was filed."""
        folder = f"{ARCHIVES}/{int(self.cik)}/{self.accession.replace('-', '')}"
        alone = self.document.rpartition("/")[2]  # xslF25X02/primary_doc.xml is a rendering of primary_doc.xml
        if alone and _DOCUMENT.match(alone) and (not whole or self.size > most):
            return f"{folder}/{alone}"
        return f"{folder}/{self.accession}.txt"


class OlderPage(Frozen):
    """One further page of a filer's filings."""

    name: str
    first: dt.date
    last: dt.date


class Filer(Frozen):
    """A filer with the filings of its first page and the names of its older pages."""

    cik: str
    name: str
    former: tuple[FormerName, ...] = ()
    tickers: tuple[str, ...] = ()
    lei: str = ""
    filings: tuple[Filing, ...] = ()
    older: tuple[OlderPage, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The present name, then the former ones."""
        return (self.name, *(former.name for former in self.former))


def read_filer(data: Mapping[str, Any]) -> Filer:
    """A submissions file; `SourceBroken` when it is not one."""
    filings, cik = data.get("filings"), str(data.get("cik", "")).strip()
    name = data.get("name")
    if not isinstance(filings, dict) or not cik.isdigit() or not isinstance(name, str):
        raise SourceBroken("the answer is no submissions file: it has no filer or no filings")
    cik = cik.zfill(10)
    former = [_former(row) for row in _rows(data.get("formerNames"))]
    older = [page for row in _rows(filings.get("files")) if (page := _older(row))]
    tickers = data.get("tickers")
    return Filer(
        cik=cik,
        name=name.strip(),
        former=tuple(one for one in former if one.name),
        tickers=tuple(str(one) for one in tickers if one) if isinstance(tickers, list) else (),
        lei=str(data.get("lei") or ""),
        filings=read_columns(filings.get("recent"), cik),
        older=tuple(older),
    )


def read_columns(columns: Any, cik: str) -> tuple[Filing, ...]:
    """The filings of parallel columns; rows without a usable accession number or filing day are left out.

    `SourceBroken` when needed columns are missing or the columns have unequal lengths: rows would be mixed up.
    """
    if not isinstance(columns, dict) or any(not isinstance(columns.get(name), list) for name in _NEEDED):
        raise SourceBroken(f"the filings have no columns {', '.join(_NEEDED)}")
    held = {name: columns[name] for name in _COLUMNS if isinstance(columns.get(name), list)}
    if len({len(column) for column in held.values()}) > 1:
        lengths = ", ".join(f"{name} {len(column)}" for name, column in held.items())
        raise SourceBroken(f"the columns of the filings have unequal lengths ({lengths})")
    rows = (dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True))
    return tuple(filing for row in rows if (filing := _filing(row, cik)))


def json_clock(stamps: Iterable[str], captured: dt.date) -> Clock:
    """Which clock the stamps of one file show. EDGAR takes filings from 6:00 to 22:00 Eastern time, so stamps from 6:00 to 9:59
    are wall time, and those from 22:01 to 2:59 are UTC (midnight sharp is no time at all); when few stamps tell or they contradict
    each other, the day of the capture decides, where it can."""
    times = [match.group(1) for stamp in stamps if (match := re.search(r"T(\d\d:\d\d:\d\d)", stamp)) and match.group(1) != "00:00:00"]
    eastern = sum(1 for time in times if "06:00" <= time < "10:00")
    utc = sum(1 for time in times if time > "22:01" or time < "03:00")
    if max(eastern, utc) > _CLEAR * min(eastern, utc):
        return Clock.EASTERN if eastern > utc else Clock.UTC
    if captured <= _LAST_EASTERN:
        return Clock.EASTERN
    return Clock.UTC if captured >= _FIRST_UTC else Clock.UNKNOWN


def acceptance(stamp: str, clock: Clock) -> dt.datetime | None:
    """The moment of acceptance in Eastern time, None when the stamp is none or its clock is not known."""
    try:
        raw = dt.datetime.fromisoformat(stamp.strip().removesuffix("Z")).replace(tzinfo=None)
    except ValueError:
        return None
    match clock:
        case Clock.EASTERN:
            return raw.replace(tzinfo=EASTERN)
        case Clock.UTC:
            return raw.replace(tzinfo=dt.UTC).astimezone(EASTERN)
        case Clock.UNKNOWN:
            return None


def choose_filings(filings: Sequence[Filing], rules: Sequence[FilingRule], cutoff: dt.date) -> tuple[tuple[Filing, bool], ...]:
    """Filings that the rules ask for, in the order of the rules, with whether the whole submission is wanted; within a rule those
    up to the cutoff first, newest first, then the first after it. An accession is taken once."""
    taken: dict[str, tuple[Filing, bool]] = {}
    for rule in rules:
        fitting = [filing for filing in filings if _fits(filing, rule) and filing.accession not in taken]
        before = sorted((f for f in fitting if f.filed <= cutoff), key=lambda f: (f.filed, f.accession), reverse=True)
        after = sorted((f for f in fitting if f.filed > cutoff), key=lambda f: (f.filed, f.accession))
        for filing in [*before, *after][: rule.most]:
            taken[filing.accession] = (filing, rule.whole)
    return tuple(taken.values())


def day_of(value: Any) -> dt.date | None:
    """A day from the first ten characters of an ISO text, None for anything else."""
    try:
        return dt.date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


def _fits(filing: Filing, rule: FilingRule) -> bool:
    return filing.form.removesuffix("/A") == rule.form and (not rule.items or bool(set(rule.items) & set(filing.items)))


def _filing(row: Mapping[str, Any], cik: str) -> Filing | None:
    accession, filed, form = str(row["accessionNumber"]), day_of(row["filingDate"]), row["form"]
    if not _ACCESSION.match(accession) or filed is None or not isinstance(form, str):
        return None
    size = row.get("size")
    return Filing(
        cik=cik,
        accession=accession,
        form=form.strip(),
        filed=filed,
        period=day_of(row.get("reportDate")),
        accepted=str(row.get("acceptanceDateTime") or ""),
        items=tuple(item.strip() for item in str(row.get("items") or "").split(",") if item.strip()),
        document=str(row.get("primaryDocument") or ""),
        title=str(row.get("primaryDocDescription") or ""),
        size=size if isinstance(size, int) and size >= 0 else 0,
    )


def _former(row: Mapping[str, Any]) -> FormerName:
    return FormerName(name=str(row.get("name") or "").strip(), since=day_of(row.get("from")), until=day_of(row.get("to")))


def _older(row: Mapping[str, Any]) -> OlderPage | None:
    name, first, last = str(row.get("name") or ""), day_of(row.get("filingFrom")), day_of(row.get("filingTo"))
    good = re.fullmatch(r"CIK\d{10}-submissions-\d{3}\.json", name) is not None
    return OlderPage(name=name, first=first, last=last) if good and first and last else None


def _rows(value: Any) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []

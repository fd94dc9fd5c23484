"""Which listing an event belongs to when it is not the one that the vendor gives: another record of the run, or what the pages say."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

from s2r.models import Finding, Record, Stage
from s2r.vendor.evidence import Evidence
from s2r.vendor.identity import Identities, Subject, normal
from s2r.vendor.types import Quote

_ENDING = {
    Stage.DECISION, Stage.APPLICATION, Stage.DETERMINATION, Stage.FILING, Stage.REMOVAL, Stage.CONDITION_MET, Stage.LAST_TRADING,
    Stage.SUSPENSION,
}  # fmt: skip
_NAME = re.compile(r"(?:names|begins with|about|stands with|carries the code) '?([^';]{1,80})'?")
_VENUE = re.compile(r"speaks of '([^']{1,80})'")
_CLASS = re.compile(r"(?:speaks of|goes on about|form is about) ((?:symbol )?[A-Za-z][\w.]*(?:/[a-z]+)*)(?=;|$| \()")
_NUMBER = re.compile(r"speaks of the security with ISIN ([A-Z0-9]{12})")
_COMPANY = re.compile(r"another company|another entry|names no company|(?:^|; )names '|begins with '|a sentence about '|carries the code")


@dataclass(frozen=True, slots=True)
class Owner:
    """The listing that an event belongs to, in words, with the quote that shows it. `row_id` is set when it is a row of the run."""

    words: str
    part: str  # listing | class | venue | company
    quote: Quote | None = None
    row_id: str = ""


def owner_in_run(day: dt.date, subject: Subject, identities: Identities, days: int) -> Owner | None:
    """Another record of the run whose proven event is of that day: of the same issuer, or under the same ticker at the same venue."""
    listing = subject.listing
    for other in _kin(subject, identities):
        announced = other.announced
        if announced is None or abs((announced - day).days) > days:
            continue
        them = other.listing
        part = "company" if not _same_company(subject, other) else "venue" if them.mic != listing.mic else "class"
        return Owner(describe(them.issuer, them.security, them.mic, them.isin, them.ticker), part, row_id=other.row_id)
    return None


def _kin(subject: Subject, identities: Identities) -> Iterable[Subject]:
    """Other records of the same company or ticker."""
    listing = subject.listing
    for other in identities.subjects:
        if other is subject:
            continue
        same_symbol = listing.ticker and normal("ticker", other.listing.ticker) == normal("ticker", listing.ticker)
        if (same_symbol and other.listing.mic == listing.mic) or _same_company(subject, other):
            yield other


def _same_company(one: Subject, other: Subject) -> bool:
    mine, theirs = one.listing, other.listing
    if any(
        getattr(mine, name) and normal(name, getattr(mine, name)) == normal(name, getattr(theirs, name)) for name in ("isin", "lei", "cik")
    ):
        return True
    return mine.issuer == theirs.issuer


def owner_in_pages(record: Record, day: dt.date, evidence: Evidence, days: int = 0) -> Owner | None:
    """What the pages of a record say of the event of that day, in passages that are about another class, venue or company."""
    found = [finding for finding in record.findings if finding.target == "other" and finding.stage in _ENDING]
    best: tuple[int, Finding] | None = None
    for finding in found:
        distance = _distance(finding, day, record, evidence)
        if distance is None or distance > days:
            continue
        weight = (0 if finding.why.startswith("other:") else 2) + (0 if finding.stage not in (Stage.SUSPENSION, Stage.LAST_TRADING) else 1)
        if best is None or weight < best[0]:
            best = weight, finding
    if best is None:
        return None
    finding = best[1]
    part, words = _described(finding.why)
    quote = evidence.span("another listing", finding.digest, finding.url, finding.start, finding.end)
    return Owner(words, part, quote)


def _distance(finding: Finding, day: dt.date, record: Record, evidence: Evidence) -> int | None:
    """Days between the vendor's day and the finding: its own day, or a day that its sentence states."""
    days = []
    if len(finding.date) == 10:
        days.append(dt.date.fromisoformat(finding.date))
    days += evidence.days_in(record, finding.digest, finding.start, finding.end)
    return min((abs((known - day).days) for known in days), default=None)


def _described(why: str) -> tuple[str, str]:
    """(part, words) of why a passage is about another listing: another company says most, then another class, then another venue."""
    text = why.removeprefix("other:").strip()
    if _COMPANY.search(text):
        name = _NAME.search(text)
        return "company", f"another company ({name[1]})" if name else "another company"
    if found := _NUMBER.search(text):
        return "class", f"another class of the issuer (ISIN {found[1]})"
    if found := _CLASS.search(text):
        return "class", f"another class of the issuer ({found[1]})"
    if "venue" in text or "speaks of '" in text:
        name = _VENUE.search(text)
        return "venue", f"the listing on another venue ({name[1]})" if name else "the listing on another venue"
    return "listing", "another listing"


def describe(issuer: str, security: str, mic: str, isin: str, ticker: str) -> str:
    """A listing in one line."""
    numbers = ", ".join(f"{name} {value}" for name, value in (("ISIN", isin), ("ticker", ticker)) if value)
    return ", ".join(part for part in (issuer, security, mic, numbers) if part)

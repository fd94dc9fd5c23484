"""What a risk may be estimated from: the answer, its proof and its search, and nothing that names the issuer or knows the truth.

`Judged` is the only door from a record to a feature. It has no field for gold, stratum, row id, issuer, security, ticker, ISIN, LEI,
CIK, other columns of the universe, or an event after the cutoff, so none of them can become a feature.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from urllib.parse import urlsplit

from s2r.lang.detect import detect_language
from s2r.models import OPEN_START, Match, Package, Record, Status

ANSWERS = frozenset({"answered", "abstained"})  # states of an opinion that has the form asked for


@dataclass(frozen=True, slots=True)
class Judged:
    """The admissible side of a record. Counts are of this record; `market` is the MIC, else the country."""

    status: str
    valid: bool
    confidence: float
    quotes: int
    cited_pages: int
    cited_sites: int
    exact_quotes: int
    source_kinds: frozenset[str]
    checks_passed: int
    checks_failed: int
    checks_open: int
    package: str
    agreement: int  # 1 rules and model agree, each with its proof; -1 some judge contradicts the answer; 0 neither, or rules alone
    dates: int  # distinct days that passages which qualify give for the announcement
    date_spread: int  # days between the first and the last of them
    conflicts: int
    latency_s: float
    answer_chars: int
    searches: int
    pages_read: int
    pages_relevant: int
    gaps: int
    providers_failed: int
    sufficient: bool
    languages_asked: int
    language: str  # of the quotes
    market: str


def judged(record: Record) -> Judged:
    """The admissible side of `record`."""
    claims, cover = record.claims, record.coverage
    outcomes = [check.outcome for check in record.checks]
    days = _days(record)
    return Judged(
        status=record.status.value,
        valid=is_valid(record),
        confidence=record.confidence,
        quotes=len({(claim.exhibit, claim.start, claim.end) for claim in claims}),
        cited_pages=len({claim.exhibit for claim in claims}),
        cited_sites=len({urlsplit(claim.url).netloc for claim in claims}),
        exact_quotes=len({(claim.exhibit, claim.start, claim.end) for claim in claims if claim.match == Match.EXACT.value}),
        source_kinds=_kinds(record),
        checks_passed=outcomes.count(Package.PASS.value),
        checks_failed=outcomes.count(Package.FAIL.value),
        checks_open=outcomes.count(Package.UNVERIFIABLE.value),
        package=record.package.value,
        agreement=_agreement(record),
        dates=len(days),
        date_spread=(days[-1] - days[0]).days if days else 0,
        conflicts=len(record.conflicts),
        latency_s=max(0.0, record.latency_s),
        answer_chars=sum(len(claim.quote) + len(claim.value) for claim in claims) + len(record.abstain_reason),
        searches=record.usage.searches,
        pages_read=cover.pages_read,
        pages_relevant=cover.pages_relevant,
        gaps=len(cover.gaps),
        providers_failed=sum(state.startswith("failed") for state in cover.providers.values()),
        sufficient=cover.sufficient,
        languages_asked=len(cover.languages),
        language=detect_language(" ".join(claim.quote for claim in claims)) if claims else "",
        market=record.listing.mic or record.listing.country,
    )


def is_valid(record: Record) -> bool:
    """Whether the answer has all that its form asks for: a yes its date and reason, a no neither, and no error; a model's answer that
    could not be used is none."""
    asked = record.adjudication
    unusable = asked is not None and any(o.judge == asked.decided_by and o.state not in ANSWERS for o in asked.opinions[-1:])
    if record.error is not None or unusable:
        return False
    told = record.announcement_date is not None, record.reason is not None
    return all(told) if record.status is Status.YES else not any(told)


def _kinds(record: Record) -> frozenset[str]:
    """Kinds of the pages that are cited, as far as the judged passages tell them."""
    known = {finding.digest: finding.source_kind for finding in record.findings if finding.source_kind}
    known |= {point.digest: point.source_kind for point in record.timeline if point.source_kind and point.digest not in known}
    return frozenset(known.get(claim.exhibit, "unknown") for claim in record.claims)


def _agreement(record: Record) -> int:
    asked = record.adjudication
    return 0 if asked is None else -1 if asked.dissent else int(asked.attested)


def _days(record: Record) -> list[dt.date]:
    """Days up to the cutoff that qualifying passages and the answer's own claims give, sorted."""
    texts = {finding.date for finding in record.findings if finding.qualifies}
    texts |= {claim.value.removeprefix(OPEN_START) for claim in record.claims if claim.field == "announcement_date"}
    days = set()
    for text in texts:
        try:
            day = dt.date.fromisoformat(text)
        except ValueError:  # partial or none
            continue
        if day <= record.cutoff:
            days.add(day)
    return sorted(days)

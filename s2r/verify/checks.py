"""All checks of one record, and what they come to together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2r.models import Check, Claim, Listing, Package, Page, Status, Verdict
from s2r.policy import Policy
from s2r.verify import Audit
from s2r.verify.chronology import check_chronology
from s2r.verify.quotes import check_quotes
from s2r.verify.reasons import check_reasons
from s2r.verify.sources import check_sources
from s2r.verify.subject import check_subject

CHECKS = (check_chronology, check_subject, check_sources, check_reasons)


def verify(listing: Listing, verdict: Verdict, pages: Mapping[str, Page], policy: Policy, *, coverage_sufficient: bool) -> Audit:
    """Check every claim of `verdict` against `pages` (by exhibit digest), which were extracted anew from the archive."""
    claims, checks = check_quotes(verdict.claims, pages)
    for check in CHECKS:
        checks += check(listing, verdict, claims, pages, policy)
    if verdict.status is Status.YES:
        checks += _completeness(claims)
    return Audit(claims, checks, _package(verdict, checks, coverage_sufficient=coverage_sufficient))


def _completeness(claims: Sequence[Claim]) -> tuple[Check, ...]:
    checks = []
    for field in ("status", "announcement_date", "reason"):
        if not any(claim.field == field for claim in claims):
            checks.append(Check(name="completeness", field=field, outcome="unverifiable", sentence=f"No quote supports {field}."))
    return tuple(checks)


def _package(verdict: Verdict, checks: Sequence[Check], *, coverage_sufficient: bool) -> Package:
    outcomes = {check.outcome for check in checks}
    if "fail" in outcomes:
        return Package.FAIL
    if "unverifiable" in outcomes or verdict.status is Status.ABSTAIN:
        return Package.UNVERIFIABLE
    if verdict.status is Status.NO and not coverage_sufficient:
        return Package.UNVERIFIABLE
    return Package.PASS

"""Table-driven routing: the first rule of the policy's table whose conditions all hold decides."""

from __future__ import annotations

from collections.abc import Sequence

from s2r.models import Package, Record, Route, Status
from s2r.policy import Policy, RouteRule


def route(
    policy: Policy,
    *,
    status: Status,
    package: Package,
    coverage_sufficient: bool,
    conflicts: bool,
    error: bool,
    confidence: float,
    risk: dict[str, float] | None,
    risk_within: bool | None = None,
    attested: bool = False,
    dissent: bool = False,
    venue_known: bool = True,
    codes: Sequence[str] = (),
    first: Sequence[RouteRule] = (),
) -> tuple[Route, tuple[str, ...]]:
    """Return the route and the sentences of all rules that hold and lead to the same route, deciding rule first.

    The rules `first` go before those of the policy. `risk_within`: what the risk model says of accepting the record, None without
    one; `codes`: the reasons for doubt about a model's answer that are left. A record that no rule covers goes to review and says so.
    """
    holding = [
        rule
        for rule in (*first, *policy.definition.route)
        if _holds(
            rule,
            status=status,
            package=package,
            coverage_sufficient=coverage_sufficient,
            conflicts=conflicts,
            error=error,
            confidence=confidence,
            risk=risk,
            risk_within=risk_within,
            attested=attested,
            dissent=dissent,
            venue_known=venue_known,
            codes=codes,
        )
    ]
    if not holding:
        return Route.REVIEW, ("No rule of the routing table covers this record.",)
    decided = Route(holding[0].route)
    return decided, tuple(dict.fromkeys(rule.reason for rule in holding if rule.route == decided))


def route_record(
    policy: Policy, record: Record, *, risk: dict[str, float] | None, risk_within: bool | None, first: Sequence[RouteRule] = ()
) -> tuple[Route, tuple[str, ...]]:
    """The route of a record that is complete but for its route."""
    asked = record.adjudication
    return route(
        policy,
        status=record.status,
        package=record.package,
        coverage_sufficient=record.coverage.sufficient,
        conflicts=bool(record.conflicts),
        error=record.error is not None,
        confidence=record.confidence,
        risk=risk,
        risk_within=risk_within,
        attested=asked is not None and asked.attested,
        dissent=asked is not None and asked.dissent,
        venue_known=record.listing.mic in policy.venues,
        codes=asked.codes if asked is not None else (),
        first=first,
    )


def _holds(
    rule: RouteRule,
    *,
    status: Status,
    package: Package,
    coverage_sufficient: bool,
    conflicts: bool,
    error: bool,
    confidence: float,
    risk: dict[str, float] | None,
    risk_within: bool | None,
    attested: bool,
    dissent: bool,
    venue_known: bool,
    codes: Sequence[str],
) -> bool:
    return (
        (not rule.status or status in rule.status)
        and (not rule.package or package in rule.package)
        and rule.coverage_sufficient in (None, coverage_sufficient)
        and rule.conflicts in (None, conflicts)
        and rule.error in (None, error)
        and rule.risk_fitted in (None, risk is not None)
        and rule.risk_within in (None, risk_within)
        and rule.attested in (None, attested)
        and rule.dissent in (None, dissent)
        and rule.venue_known in (None, venue_known)
        and (not rule.codes or not set(rule.codes).isdisjoint(codes))
        and (rule.min_confidence is None or confidence >= rule.min_confidence)
        and (rule.max_confidence is None or confidence <= rule.max_confidence)
    )

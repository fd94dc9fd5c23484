"""Routing by the table of the policy: the first rule that holds decides; a case that no rule covers goes to review."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from s2r.models import Package, Route, Status
from s2r.policy import Policy, RouteRule
from s2r.policy.asking import load_asking
from s2r.route import route


def routed(policy: Policy, **changes: object) -> tuple[Route, tuple[str, ...]]:
    """Route of a sound `no`, or of what `changes` make of it."""
    given: dict[str, object] = {
        "status": Status.NO,
        "package": Package.PASS,
        "coverage_sufficient": True,
        "conflicts": False,
        "error": False,
        "confidence": 0.9,
        "risk": None,
    }
    return route(policy, **(given | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "expected", "told"),
    [
        ({}, Route.ACCEPT, "No qualifying disclosure was found"),
        ({"confidence": 0.69}, Route.REVIEW, "not certain enough"),
        ({"status": Status.YES}, Route.REVIEW, "No risk model is fitted"),
        ({"status": Status.ABSTAIN}, Route.REVIEW, "No answer was given"),
        ({"package": Package.FAIL}, Route.REVIEW, "does not hold"),
        ({"package": Package.UNVERIFIABLE}, Route.REVIEW, "is not complete"),
        ({"conflicts": True}, Route.REVIEW, "contradict"),
        ({"coverage_sufficient": False}, Route.REVIEW, "Too little was searched"),
        ({"error": True}, Route.REVIEW, "could not be worked through"),
        ({"venue_known": False}, Route.REVIEW, "Which venue the row means"),
        ({"status": Status.YES, "risk": {}, "risk_within": True, "venue_known": False}, Route.REVIEW, "Which venue the row means"),
        ({"status": Status.YES, "risk": {}, "risk_within": True}, Route.ACCEPT, "within the limit"),
        ({"status": Status.YES, "risk": {}, "risk_within": False}, Route.REVIEW, "does not allow"),
        ({"status": Status.YES, "risk": {}, "risk_within": True, "conflicts": True}, Route.REVIEW, "contradict"),
        ({"status": Status.YES, "risk": {}, "risk_within": True, "package": Package.UNVERIFIABLE}, Route.REVIEW, "is not complete"),
        ({"status": Status.YES, "risk": {}, "risk_within": True, "coverage_sufficient": False}, Route.REVIEW, "Too little was searched"),
        ({"status": Status.ABSTAIN, "risk": {}, "risk_within": True}, Route.REVIEW, "No answer was given"),
        ({"error": True, "risk": {}, "risk_within": True}, Route.REVIEW, "could not be worked through"),
        ({"risk": {}, "risk_within": False}, Route.REVIEW, "does not allow"),
        ({"risk": {}, "risk_within": True}, Route.ACCEPT, "No qualifying disclosure was found"),
    ],
)
def test_conservative_table(changes: dict[str, object], expected: Route, told: str, policy: Policy) -> None:
    """Without a risk model only a sound, certain `no` is accepted, with one what it allows and no rule doubts; the deciding rule comes first."""
    decided, reasons = routed(policy, **changes)
    assert decided is expected
    assert told in reasons[0]


def test_nothing_doubtful_is_ever_accepted(policy: Policy) -> None:
    """Over all combinations, accept means: a `no`, proven, covered, without conflict or error, with no risk model in play."""
    space = itertools.product(Status, Package, (True, False), (True, False), (True, False), (0.0, 0.7, 1.0), (None, {"status": 0.01}))
    accepted = 0
    for status, package, covered, conflicts, error, confidence, risk in space:
        decided, reasons = routed(
            policy,
            status=status,
            package=package,
            coverage_sufficient=covered,
            conflicts=conflicts,
            error=error,
            confidence=confidence,
            risk=risk,
        )
        assert reasons
        if decided is Route.ACCEPT:
            accepted += 1
            assert (status, package, covered, conflicts, error) == (Status.NO, Package.PASS, True, False, False)
            assert confidence >= 0.7
    assert accepted


def test_all_reasons_of_the_deciding_route_are_given(policy: Policy) -> None:
    """A record with several doubts names each once."""
    _, reasons = routed(policy, status=Status.YES, conflicts=True, coverage_sufficient=False)
    assert len(reasons) == len(set(reasons)) >= 3


def test_uncovered_record_goes_to_review(policy: Policy) -> None:
    """An empty table, or one whose rules do not hold, accepts nothing."""
    only = RouteRule(route="accept", reason="Sure.", min_confidence=0.95)
    for rules in ((), (only,)):
        bare = policy.model_copy(update={"definition": policy.definition.model_copy(update={"route": rules})})
        assert routed(bare) == (Route.REVIEW, ("No rule of the routing table covers this record.",))


@pytest.mark.parametrize(
    ("status", "codes", "switch", "expected", "told"),
    [
        (Status.YES, (), "second_hand", Route.ACCEPT, "Rules and model"),
        (Status.YES, ("not_official",), "second_hand", Route.ACCEPT, "Rules and model"),
        (Status.YES, ("not_official", "second_hand"), "second_hand", Route.REVIEW, "Only a report"),
        (Status.YES, ("not_official",), "not_official", Route.REVIEW, "Only a report"),
        (Status.YES, ("not_official", "second_hand"), "low_confidence", Route.ACCEPT, "Rules and model"),
        (Status.NO, ("not_official", "second_hand"), "second_hand", Route.ACCEPT, "No qualifying"),
    ],
)
def test_who_must_prove_a_yes_is_a_switch(
    status: Status, codes: tuple[str, ...], switch: str, expected: Route, told: str, policy: Policy, policies: Path
) -> None:
    """As shipped no report alone proves a yes that rules and model agree on; the policy may ask for an official source, or for nothing."""
    shipped = load_asking(policies).routing.route
    table = [rule.model_copy(update={"codes": (switch,)}) if rule.codes else rule for rule in shipped]
    decided, reasons = routed(policy, status=status, codes=codes, attested=True, first=table)
    assert decided is expected
    assert told in reasons[0]

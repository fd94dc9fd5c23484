"""The coverage statement: what was asked and read, and what is missing for a `no`."""

from __future__ import annotations

import pytest
from factories import digest, listing

from s2r.models import Coverage, Gap, Outcome, Query
from s2r.pipeline.coverage import make_coverage
from s2r.policy import Policy

QUERIES = tuple(Query(text=f"q{n}", lang="en") for n in range(4))


def covered(policy: Policy, **changes: object) -> Coverage:
    """Coverage of a row for which enough was done, or of what `changes` make of it."""
    row = listing(mic=str(changes.pop("mic", "XNAS")))
    given: dict[str, object] = {
        "queries": QUERIES,
        "providers": {"pool": "answered"},
        "exhibits": [digest("a"), digest("b")],
        "pages_relevant": 1,
        "gaps": (),
    }
    return make_coverage(row, policy, **(given | changes))  # type: ignore[arg-type]


def test_enough(policy: Policy) -> None:
    """The statement counts; the pages read are named by their digests."""
    found = covered(policy)
    assert found.sufficient
    assert found.statement == "4 queries in 1 language to 1 provider, 1 answered; 2 pages read, 1 names the issuer, 0 gaps."
    assert found.exhibits == (digest("a"), digest("b"))
    assert found.pages_read == 2


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"providers": {"pool": "failed: 1 of 4 queries: limit"}}, "a search provider failed (pool failed: 1 of 4 queries: limit)"),
        ({"providers": {"pool": "answered", "web": "failed: down"}}, "web failed: down"),
        ({"providers": {"pool": "empty"}}, "0 of at least 1 providers found anything"),
        ({"providers": {}}, "0 of at least 1 providers found anything"),
        ({"queries": QUERIES[:2]}, "2 of at least 3 queries could be made"),
        ({"exhibits": [], "pages_relevant": 0}, "0 of at least 1 pages could be read"),
        ({"pages_relevant": 0}, "no page names the issuer"),
        ({"mic": "XTKS"}, "nothing was asked in the language of the venue (ja)"),
    ],
)
def test_each_shortcoming_is_named_and_is_not_enough(changes: dict[str, object], told: str, policy: Policy) -> None:
    """One thing missing is enough to withhold a `no`."""
    found = covered(policy, **changes)
    assert not found.sufficient
    assert told in found.statement


def gap(url: str, outcome: Outcome = Outcome.BLOCKED, step: str = "fetch") -> Gap:
    """A page that could not be had."""
    return Gap(url=url, step=step, outcome=outcome, cause="the server answered with status 403", next_step="Try an archived copy.")


@pytest.mark.parametrize(
    ("gaps", "promising", "told"),
    [
        (
            [gap("https://www.nasdaq.com/notice")],
            [],
            "1 page of official sources could not be read (https://www.nasdaq.com/notice: blocked",
        ),
        ([gap("https://listingcenter.nasdaq.com/x", Outcome.SCRIPT_SHELL)], [], "official sources"),
        ([gap("https://a.example/1", Outcome.PAYWALL)], ["https://a.example/1"], "1 page that speaks of the issuer and the event"),
        ([gap(f"https://a.example/{n}", Outcome.ERROR) for n in range(3)], [], "3 of 5 pages found could not be read"),
    ],
)
def test_closed_pages_take_away_the_no(gaps: list[Gap], promising: list[str], told: str, policy: Policy) -> None:
    """With the cause and the next step of the first of them."""
    found = covered(policy, gaps=gaps, promising=promising)
    assert not found.sufficient
    assert told in found.statement
    assert "status 403; try an archived copy" in found.statement


@pytest.mark.parametrize(
    ("gaps", "promising"),
    [
        ([gap("https://a.example/1")], []),
        ([gap("https://notnasdaq.com/1")], []),
        ([gap("https://a.example/1"), gap("https://b.example/1")], []),
        ([gap("https://www.nasdaq.com/notice", Outcome.NOT_FOUND)], ["https://www.nasdaq.com/notice"]),
        ([gap("https://www.nasdaq.com/notice", Outcome.UNREADABLE, "extract")], []),
    ],
)
def test_pages_that_are_gone_or_few_and_unknown_do_not(gaps: list[Gap], promising: list[str], policy: Policy) -> None:
    """One that is not there has nothing to say; other sites count by their share only."""
    assert covered(policy, gaps=gaps, promising=promising).sufficient


def test_gaps_are_kept_and_counted(policy: Policy) -> None:
    """A page that could not be read is part of the statement."""
    gap = Gap(url="https://a.example", step="fetch", outcome=Outcome.BLOCKED, cause="status 403")
    found = covered(policy, gaps=(gap,))
    assert found.gaps == (gap,)
    assert "1 gap." in found.statement


def test_rule_of_the_policy_decides(policy: Policy) -> None:
    """A policy that allows failed providers needs only what it says."""
    rule = policy.definition.coverage.model_copy(update={"allow_failed_providers": True})
    lenient = policy.model_copy(update={"definition": policy.definition.model_copy(update={"coverage": rule})})
    assert covered(lenient, providers={"pool": "answered", "web": "failed: down"}).sufficient

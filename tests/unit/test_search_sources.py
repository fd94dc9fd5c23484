"""Sources that are asked once for a listing: their hits join those of the providers, their failures stay failures."""

from __future__ import annotations

import asyncio

import pytest
from factories import listing

from s2r.errors import BudgetExceeded, S2RError, SourceTimeout, SourceUnusable
from s2r.models import Hit, Listing, Query
from s2r.policy import Policy
from s2r.search import SearchAnswer, State, search
from s2r.search.source import SourceContext, SourceSpec, read_source_values, source_setting_names


class Register:
    """A source with a prepared answer."""

    def __init__(self, answer: SearchAnswer | S2RError, name: str = "register") -> None:
        self.name, self._answer = name, answer

    async def find_for(self, listing: Listing, policy: Policy, limit: int) -> SearchAnswer:
        """The prepared answer."""
        if isinstance(self._answer, S2RError):
            raise self._answer
        return self._answer


class Web:
    """A provider with one hit for each query."""

    name = "web"

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """One page."""
        return SearchAnswer(state=State.ANSWERED, hits=(hit("https://web.example/1", query.text),), note="cut")


def hit(url: str, query: str = "") -> Hit:
    """A first hit."""
    return Hit(url=url, provider="x", rank=1, query=query)


def test_hits_of_sources_come_before_those_of_providers(policy: Policy) -> None:
    """Same rank: the source's page first; each source is named with its state; what answers say of themselves is kept once."""
    found = SearchAnswer(state=State.ANSWERED, hits=(hit("https://register.example/25"),), note="one form is missing")
    outcome = asyncio.run(search(listing(), policy, [Web()], 9, queries=[Query(text="a")], sources=[Register(found)]))
    assert [h.url for h in outcome.hits] == ["https://register.example/25", "https://web.example/1"]
    assert outcome.providers == {"register": "answered", "web": "answered"}
    assert outcome.notes == ("register: one form is missing", "web: cut")
    assert outcome.requests == 2


@pytest.mark.parametrize("error", [SourceTimeout("no answer in time"), SourceUnusable("the key is refused")])
def test_a_source_that_fails_is_never_empty(error: S2RError, policy: Policy) -> None:
    """Its cause stands in the providers and as a gap; the providers' hits stay."""
    outcome = asyncio.run(search(listing(), policy, [Web()], 9, queries=[Query(text="a")], sources=[Register(error)]))
    assert outcome.providers["register"] == f"failed: 1 of 1 queries: {error}"
    assert [gap.cause for gap in outcome.gaps] == [f"register: {error}"]
    assert len(outcome.hits) == 1


def test_a_budget_stops_the_search_as_itself(policy: Policy) -> None:
    """Not as a group of errors, and not as a failed source."""
    spent = [Register(BudgetExceeded("used up"), "a"), Register(BudgetExceeded("used up"), "b")]
    with pytest.raises(BudgetExceeded, match="used up"):
        asyncio.run(search(listing(), policy, [Web()], 9, queries=[Query(text="a")], sources=spent))


def test_settings_of_sources_come_from_the_environment_before_the_file() -> None:
    """A source that lacks a part it needs is not set up."""

    def never(context: SourceContext) -> Register:
        raise AssertionError

    specs = {
        "house": SourceSpec("house", "House", never, ("key", "url"), ("key",)),
        "filings": SourceSpec("filings", "Filings", never),
    }
    assert source_setting_names(specs) == {"house_key": ("house", "key"), "house_url": ("house", "url"), "filings_url": ("filings", "url")}
    assert read_source_values({}, specs) == {"filings": {"url": ""}}
    found = read_source_values({"S2R_HOUSE_KEY": " k1 "}, specs, {"house_key": "k2", "filings_url": "http://f.example"})
    assert found == {"house": {"key": "k1", "url": ""}, "filings": {"url": "http://f.example"}}

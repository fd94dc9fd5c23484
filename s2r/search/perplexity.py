"""Perplexity Search API. Dialect: `search_domain_filter`, dates as MM/DD/YYYY, country, two-letter language filter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.models import Query
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, ProviderSpec, Request
from s2r.search.dialect import answer_of, fit, needed, primary_language, read_list, read_object, site_host, snippet_of, text_of, us_day

NAME = "perplexity"
MAX_RESULTS, MAX_CHARS = 20, 2000
_PATH = "/search"


class Perplexity:
    """Results of the search API of Perplexity (not of its models), at most 20 to a query."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        return await self._caller.ask(build_request(query, limit, self._caller.account), query, limit, read_answer)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query; short page extracts, because pages are read at their source."""
    text = fit(query.text, chars=MAX_CHARS)
    data: dict[str, Any] = {"query": text, "max_results": max(1, min(limit, MAX_RESULTS)), "max_tokens_per_page": 256}
    if query.site:
        data["search_domain_filter"] = [site_host(query)]
    if query.country:
        data["country"] = query.country
    if query.lang:
        data["search_language_filter"] = [primary_language(query)]
    if query.after:
        data["search_after_date_filter"] = us_day(query.after)
    if query.before:
        data["search_before_date_filter"] = us_day(query.before)
    headers = {"Accept": "application/json", "Authorization": f"Bearer {account.key.get_secret_value()}"}
    return Request("POST", account.at(_PATH), headers, data=data, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of `results`, which is a list, or a list of lists in older servers."""
    data = read_object(reply)
    rows = needed(read_list(data, "results"), data, "results")
    if rows and all(isinstance(row, list) for row in rows):
        rows = [inner for row in rows for inner in row]
    return answer_of(NAME, query, _rows(rows))


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        yield text_of(row, "url"), text_of(row, "title"), snippet_of(text_of(row, "snippet"), date=text_of(row, "date", "last_updated"))


SPEC = ProviderSpec(
    name=NAME,
    title="Perplexity Search API",
    url="https://api.perplexity.ai",
    get_key="https://www.perplexity.ai/settings/api",
    connect=Perplexity,
)

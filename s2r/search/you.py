"""You.com search. Dialect: `include_domains`, `freshness=AtoB`, country and language from closed lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.errors import SourceBroken
from s2r.models import Query
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, ProviderSpec, Request
from s2r.search.dialect import (
    answer_of,
    day_range,
    fit,
    market_country,
    market_language,
    needed,
    read_list,
    read_object,
    site_host,
    snippet_of,
    text_of,
)

NAME = "you"
MAX_RESULTS, MAX_CHARS = 50, 2000
_PATH = "/v1/search"


class You:
    """Web and news results of You.com."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        return await self._caller.ask(build_request(query, limit, self._caller.account), query, limit, read_answer)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query."""
    text = fit(query.text, chars=MAX_CHARS)
    data: dict[str, Any] = {"query": text, "count": max(1, min(limit, MAX_RESULTS)), "safesearch": "off"}
    if query.site:
        data["include_domains"] = [site_host(query)]
    if country := market_country(query):
        data["country"] = country
    if language := market_language(query):
        data["language"] = language.upper()
    if dates := day_range(query):
        data["freshness"] = dates
    headers = {"Accept": "application/json", "X-API-Key": account.key.get_secret_value()}
    return Request("POST", account.at(_PATH), headers, data=data, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of the web section, then of the news section; either may be missing, not both."""
    data = read_object(reply)
    if not isinstance(data.get("results"), dict):
        needed(None, data, "results")
    web, news = read_list(data, "results", "web"), read_list(data, "results", "news")
    if web is None and news is None and not isinstance(data.get("metadata"), dict):
        raise SourceBroken("the answer has neither results nor metadata: it is cut short")
    return answer_of(NAME, query, _rows([*(web or []), *(news or [])]))


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        found = row.get("snippets") if isinstance(row, dict) else None
        parts = [part for part in found if isinstance(part, str)] if isinstance(found, list) else []
        yield (
            text_of(row, "url"),
            text_of(row, "title"),
            snippet_of(text_of(row, "description"), *parts, date=text_of(row, "page_age")),
        )


SPEC = ProviderSpec(name=NAME, title="You.com Search", url="https://ydc-index.io", get_key="https://api.you.com", connect=You)

"""Brave Search API: web search. Dialect: `site:` operator, `freshness=AtoB` on page age, country and language from closed lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.errors import S2RError, SourceUnusable
from s2r.models import Query
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, ProviderSpec, Request
from s2r.search.dialect import (
    IN_ADDRESS,
    answer_of,
    day_range,
    market_country,
    market_language,
    needed,
    read_list,
    read_object,
    snippet_of,
    text_of,
    with_site,
)

NAME = "brave"
MAX_RESULTS, MAX_CHARS, MAX_WORDS = 20, 400, 50
_PATH = "/res/v1/web/search"


class Brave:
    """Web results of Brave, at most 20 to a query."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        request = build_request(query, limit, self._caller.account)
        return await self._caller.ask(request, query, limit, read_answer, refusal=read_refusal)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query; without spelling changes and emphasis marks, so that the words stay what was asked and found."""
    text = with_site(query, chars=MAX_CHARS, words=MAX_WORDS, encoded=IN_ADDRESS)
    params: dict[str, str | int | float] = {
        "q": text,
        "count": max(1, min(limit, MAX_RESULTS)),
        "country": market_country(query) or "ALL",
        "safesearch": "off",
        "spellcheck": "false",
        "text_decorations": "false",
        "result_filter": "web,news",
        "extra_snippets": "true",
    }
    if language := market_language(query):
        params["search_lang"] = language
    if dates := day_range(query):
        params["freshness"] = dates
    headers = {"Accept": "application/json", "X-Subscription-Token": account.key.get_secret_value()}
    return Request("GET", account.at(_PATH), headers, params, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of the web and news sections, which are absent when they are empty."""
    data = read_object(reply)
    needed([data["type"]] if data.get("type") == "search" else None, data, "search section")
    asked = data.get("query")
    altered = asked.get("altered") if isinstance(asked, dict) else None
    rows = [*(read_list(data, "web", "results") or []), *(read_list(data, "news", "results") or [])]
    return answer_of(NAME, query, _rows(rows), note=f"Brave searched for {altered!r} instead" if altered else "")


def read_refusal(reply: Reply, account: Account) -> S2RError | None:
    """A wrong key comes with status 422."""
    if reply.status == 422 and b"SUBSCRIPTION_TOKEN_INVALID" in reply.body:
        return SourceUnusable("the key is refused (SUBSCRIPTION_TOKEN_INVALID)", subject=NAME, advice="Check S2R_BRAVE_KEY.")
    return None


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        extra = row.get("extra_snippets") if isinstance(row, dict) else None
        more = [part for part in extra if isinstance(part, str)] if isinstance(extra, list) else []
        yield (
            text_of(row, "url"),
            text_of(row, "title"),
            snippet_of(text_of(row, "description"), *more, date=text_of(row, "page_age", "age")),
        )


SPEC = ProviderSpec(
    name=NAME,
    title="Brave Search API",
    url="https://api.search.brave.com",
    get_key="https://api-dashboard.search.brave.com",
    connect=Brave,
)

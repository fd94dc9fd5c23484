"""Exa search. Dialect: `includeDomains`, `start`/`endPublishedDate` (which drop pages without a known date), `userLocation`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.errors import SourceBroken
from s2r.models import Query
from s2r.net.answers import said
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, Cost, ProviderSpec, Request
from s2r.search.dialect import answer_of, fit, needed, read_list, read_object, snippet_of, text_of

NAME = "exa"
MAX_RESULTS, MAX_CHARS = 25, 2000  # the service gives up to 100, but more than ten cost extra
_PATH = "/search"
_TEXT_CHARS = 500


class Exa:
    """Results of Exa with the start of their text, at most 25 to a query."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        request = build_request(query, limit, self._caller.account)
        return await self._caller.ask(request, query, limit, read_answer, cost=read_cost)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query."""
    text = fit(query.text, chars=MAX_CHARS)
    data: dict[str, Any] = {
        "query": text,
        "type": "auto",
        "numResults": max(1, min(limit, MAX_RESULTS)),
        "contents": {"text": {"maxCharacters": _TEXT_CHARS}},
    }
    if query.site:
        data["includeDomains"] = [query.site]
    if query.country:
        data["userLocation"] = query.country
    if query.after:
        data["startPublishedDate"] = f"{query.after.isoformat()}T00:00:00.000Z"
    if query.before:
        data["endPublishedDate"] = f"{query.before.isoformat()}T23:59:59.999Z"
    headers = {"Accept": "application/json", "x-api-key": account.key.get_secret_value()}
    return Request("POST", account.at(_PATH), headers, data=data, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of `results`; pages that failed stand in `statuses` of a success."""
    data = read_object(reply)
    rows = needed(read_list(data, "results"), data, "results")
    failed = [row for row in read_list(data, "statuses") or [] if isinstance(row, dict) and row.get("status") == "error"]
    if failed and not rows:
        raise SourceBroken(f"{len(failed)} results failed: {said(failed)}")
    return answer_of(NAME, query, _rows(rows), note=f"{len(failed)} results failed: {said(failed)}" if failed else "")


def read_cost(reply: Reply) -> Cost:
    """Dollars that the answer reports."""
    cost = read_object(reply).get("costDollars")
    total = cost.get("total") if isinstance(cost, dict) else None
    return Cost(usd=float(total)) if isinstance(total, int | float) else Cost()


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        yield text_of(row, "url", "id"), text_of(row, "title"), snippet_of(text_of(row, "text"), date=text_of(row, "publishedDate"))


SPEC = ProviderSpec(name=NAME, title="Exa", url="https://api.exa.ai", get_key="https://dashboard.exa.ai", connect=Exa)

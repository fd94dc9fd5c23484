"""Tavily Search. Dialect: `include_domains`, `start_date`/`end_date` on the publication date, country by English name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.errors import SourceBroken
from s2r.models import Query
from s2r.net.answers import said
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, Cost, ProviderSpec, Request
from s2r.search.dialect import answer_of, fit, needed, read_list, read_object, site_host, snippet_of, text_of

NAME = "tavily"
MAX_RESULTS, MAX_CHARS = 20, 400
_PATH = "/search"
# names that the service takes without doubt; any other country is left out, because a wrong name fails the whole query
_COUNTRY = {
    "AE": "united arab emirates", "AR": "argentina", "AT": "austria", "AU": "australia", "BE": "belgium", "BR": "brazil",
    "CA": "canada", "CH": "switzerland", "CL": "chile", "CN": "china", "CO": "colombia", "DE": "germany", "DK": "denmark",
    "EG": "egypt", "ES": "spain", "FI": "finland", "FR": "france", "GB": "united kingdom", "GR": "greece", "HU": "hungary",
    "ID": "indonesia", "IE": "ireland", "IL": "israel", "IN": "india", "IT": "italy", "JP": "japan", "KR": "south korea",
    "MX": "mexico", "MY": "malaysia", "NL": "netherlands", "NO": "norway", "NZ": "new zealand", "PE": "peru", "PH": "philippines",
    "PL": "poland", "PT": "portugal", "SA": "saudi arabia", "SE": "sweden", "SG": "singapore", "TH": "thailand", "US": "united states",
    "VN": "vietnam", "ZA": "south africa",
}  # fmt: skip


class Tavily:
    """Results of Tavily at basic depth, one credit a query, at most 20."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        request = build_request(query, limit, self._caller.account)
        return await self._caller.ask(request, query, limit, read_answer, cost=read_cost)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query; nothing is left to the service to choose, since it may choose a higher price."""
    text = fit(query.text, chars=MAX_CHARS)
    data: dict[str, Any] = {
        "query": text,
        "search_depth": "basic",
        "topic": "general",
        "max_results": max(1, min(limit, MAX_RESULTS)),
        "include_answer": False,
        "include_raw_content": False,
        "auto_parameters": False,
        "include_usage": True,
    }
    if query.site:
        data["include_domains"] = [site_host(query)]
    elif query.country in _COUNTRY:
        data["country"] = _COUNTRY[query.country]
    if query.after:
        data["start_date"] = query.after.isoformat()
    if query.before:
        data["end_date"] = query.before.isoformat()
    headers = {"Accept": "application/json", "Authorization": f"Bearer {account.key.get_secret_value()}"}
    return Request("POST", account.at(_PATH), headers, data=data, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of `results`; failures that stand inside a success are no empty answer."""
    data = read_object(reply)
    rows = needed(read_list(data, "results"), data, "results")
    if not rows and (failed := read_list(data, "failed_results")):
        raise SourceBroken(f"{len(failed)} results failed: {said(failed)}")
    return answer_of(NAME, query, _rows(rows))


def read_cost(reply: Reply) -> Cost:
    """Credits that the answer reports."""
    usage = read_object(reply).get("usage")
    found = usage.get("credits") if isinstance(usage, dict) else None
    return Cost(credits=float(found)) if isinstance(found, int | float) else Cost()


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        yield text_of(row, "url"), text_of(row, "title"), snippet_of(text_of(row, "content"), date=text_of(row, "published_date"))


SPEC = ProviderSpec(name=NAME, title="Tavily Search", url="https://api.tavily.com", get_key="https://app.tavily.com", connect=Tavily)

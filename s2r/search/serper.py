"""Serper.dev, results of Google. Dialect: `site:` operator, `tbs=cdr:1,cd_min:M/D/YYYY,cd_max:M/D/YYYY`, `gl`, `hl`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.errors import SourceBroken
from s2r.models import Query
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, Cost, ProviderSpec, Request
from s2r.search.dialect import answer_of, google_language, needed, read_list, read_object, snippet_of, text_of, us_day, with_site

NAME = "serper"
MAX_RESULTS, MAX_CHARS, MAX_WORDS = 10, 2048, 32  # more than ten results cost twice; Google ignores words after the 32nd
_PATH = "/search"


class Serper:
    """Organic results of Google as Serper gives them, ten to a query."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        request = build_request(query, limit, self._caller.account)
        return await self._caller.ask(request, query, limit, read_answer, cost=read_cost)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query."""
    text = with_site(query, chars=MAX_CHARS, words=MAX_WORDS)
    data: dict[str, Any] = {"q": text, "num": MAX_RESULTS, "autocorrect": False}
    if query.country:
        data["gl"] = query.country.lower()
    if query.lang:
        data["hl"] = google_language(query)
    if query.before or query.after:
        start = f",cd_min:{us_day(query.after, padded=False)}" if query.after else ""
        end = f",cd_max:{us_day(query.before, padded=False)}" if query.before else ""
        data["tbs"] = f"cdr:1{start}{end}"
    headers = {"Accept": "application/json", "X-API-KEY": account.key.get_secret_value()}
    return Request("POST", account.at(_PATH), headers, data=data, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of `organic` and `topStories`; without the echo of the request it is no answer."""
    data = read_object(reply)
    if not isinstance(data.get("searchParameters"), dict):
        needed(None, data, "searchParameters")
    organic, stories = read_list(data, "organic"), read_list(data, "topStories")
    if organic is None and stories is None and "credits" not in data:
        raise SourceBroken("the answer has no results and no credits: it is cut short")
    return answer_of(NAME, query, _rows([*(organic or []), *(stories or [])]))


def read_cost(reply: Reply) -> Cost:
    """Credits that the answer reports."""
    found = read_object(reply).get("credits")
    return Cost(credits=float(found)) if isinstance(found, int | float) else Cost()


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        yield text_of(row, "link"), text_of(row, "title"), snippet_of(text_of(row, "snippet"), date=text_of(row, "date"))


SPEC = ProviderSpec(name=NAME, title="Serper.dev", url="https://google.serper.dev", get_key="https://serper.dev", connect=Serper)

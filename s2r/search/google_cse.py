"""Google Programmable Search, legacy: closed to new customers, off for all on 2027-01-01. Never part of a default plan.

Dialect: `siteSearch`, `sort=date:r:YYYYMMDD:YYYYMMDD` on the page date, `gl`, `hl`. The key goes in the query string.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.errors import S2RError, SourceUnusable
from s2r.models import Query
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, ProviderSpec, Request
from s2r.search.dialect import IN_ADDRESS, answer_of, fit, google_language, needed, read_list, read_object, snippet_of, text_of

NAME = "google_cse"
MAX_RESULTS, MAX_CHARS, MAX_WORDS = 10, 2048, 32
_PATH = "/customsearch/v1"
_EARLIEST = "19900101"
_METATAGS = ("article:published_time", "date", "og:updated_time")


class GoogleCSE:
    """Results of a programmable search engine of the operator, ten to a query."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        request = build_request(query, limit, self._caller.account)
        return await self._caller.ask(request, query, limit, read_answer, refusal=read_refusal)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query; option `engine` is the id of the search engine (cx)."""
    text = fit(query.text, chars=MAX_CHARS, words=MAX_WORDS, encoded=IN_ADDRESS)
    params: dict[str, str | int | float] = {
        "key": account.key.get_secret_value(),
        "cx": account.options.get("engine", ""),
        "q": text,
        "num": max(1, min(limit, MAX_RESULTS)),
        "safe": "off",
    }
    if query.site:
        params |= {"siteSearch": query.site, "siteSearchFilter": "i"}
    if query.country:
        params["gl"] = query.country.lower()
    if query.lang:
        params["hl"] = google_language(query)
    if query.before:
        start = query.after.strftime("%Y%m%d") if query.after else _EARLIEST
        params["sort"] = f"date:r:{start}:{query.before.strftime('%Y%m%d')}"
    return Request("GET", account.at(_PATH), {"Accept": "application/json"}, params, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of `items`, which is missing when there are none; the rest of the answer tells that from a failure."""
    data = read_object(reply)
    if not isinstance(data.get("searchInformation"), dict):
        needed(None, data, "searchInformation")
    rows = read_list(data, "items")
    total = data["searchInformation"].get("totalResults")
    if not rows and str(total or "0") != "0":
        needed(None, data, f"items, though it counts {total} results")
    return answer_of(NAME, query, _rows(rows or []))


def read_refusal(reply: Reply, account: Account) -> S2RError | None:
    """A wrong key comes with status 400; a service that is not switched on with 403."""
    if reply.status in (400, 403) and (b"API_KEY_INVALID" in reply.body or b"API key not valid" in reply.body):
        return SourceUnusable("the key is refused (API_KEY_INVALID)", subject=NAME, advice="Check S2R_GOOGLE_CSE_KEY.")
    return None


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        yield text_of(row, "link"), text_of(row, "title"), snippet_of(text_of(row, "snippet"), date=_date(row))


def _date(row: Any) -> str:
    pagemap = row.get("pagemap") if isinstance(row, dict) else None
    tags = pagemap.get("metatags") if isinstance(pagemap, dict) else None
    return text_of(tags[0], *_METATAGS) if isinstance(tags, list) and tags else ""


SPEC = ProviderSpec(
    name=NAME,
    title="Google Programmable Search (legacy)",
    url="https://www.googleapis.com",
    get_key="https://developers.google.com/custom-search/v1/introduction",
    connect=GoogleCSE,
    options=("engine",),
    legacy="closed to new customers; existing ones may use it until 2027-01-01",
)

"""SearXNG, a meta search server of one's own. Dialect: `site:` operator, language; no absolute dates, so none are sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2r.errors import S2RError, SourceBroken, SourceUnusable
from s2r.models import Query
from s2r.net.hints import is_throttle_page
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer
from s2r.search.caller import Account, Caller, ProviderSpec, Request
from s2r.search.dialect import IN_ADDRESS, answer_of, needed, read_list, read_object, snippet_of, text_of, with_site

NAME = "searxng"
MAX_CHARS = 1000
_PATH = "/search"
_LANGUAGE = {"zh-Hans": "zh-CN", "zh-Hant": "zh-TW", "no": "nb"}


class SearXNG:
    """The first page of results of a SearXNG server."""

    name = NAME

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def find(self, query: Query, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, best first."""
        request = build_request(query, limit, self._caller.account)
        return await self._caller.ask(request, query, limit, read_answer, refusal=read_refusal)


def build_request(query: Query, limit: int, account: Account) -> Request:
    """The request for a query; a key, where the operator has put one before the server, goes as a bearer token."""
    text = with_site(query, chars=MAX_CHARS, encoded=IN_ADDRESS)
    params: dict[str, str | int | float] = {"q": text, "format": "json", "safesearch": 0, "pageno": 1}
    if query.lang:
        params["language"] = _LANGUAGE.get(query.lang, query.lang)
    headers = {"Accept": "application/json"}
    if key := account.key.get_secret_value():
        headers["Authorization"] = f"Bearer {key}"
    return Request("GET", account.at(_PATH), headers, params, sent=text)


def read_answer(reply: Reply, query: Query) -> SearchAnswer:
    """Hits of `results`. Nothing found while an engine did not serve is a failure: what it would have shown is not known."""
    data = read_object(reply)
    rows = needed(read_list(data, "results"), data, "results")
    lost = "; ".join(_engine(item) for item in read_list(data, "unresponsive_engines") or [])
    if lost and not rows:
        raise SourceBroken(f"nothing came, and engines did not serve: {lost}")
    return answer_of(NAME, query, _rows(rows), note=f"engines that did not serve: {lost}" if lost else "")


def read_refusal(reply: Reply, account: Account) -> S2RError | None:
    """403 means that the server gives no JSON, which its operator must switch on."""
    if reply.status == 403 and not is_throttle_page(reply.body):
        advice = "Add json to search.formats in the server's settings.yml."
        return SourceUnusable("the server gives no JSON (status 403)", subject=NAME, advice=advice)
    return None


def _engine(item: Any) -> str:
    return " ".join(map(str, item[:2])) if isinstance(item, list) else str(item)


def _rows(rows: list[Any]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        yield text_of(row, "url"), text_of(row, "title"), snippet_of(text_of(row, "content"), date=text_of(row, "publishedDate", "pubdate"))


SPEC = ProviderSpec(
    name=NAME,
    title="SearXNG",
    url="",
    get_key="https://docs.searxng.org/admin/installation.html",
    connect=SearXNG,
    needs_key=False,
)

"""The search services of the loopback world: each reads and checks requests as its documentation says, and answers in its own form.

A request that the real service would refuse is refused here too, with the same status and shape, so that a provider which sends
a wrong parameter fails its tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from s2r.testing.server import Answer, Seen, html_answer, json_answer

_SITE = re.compile(r"(?:^|\s)site:(\S+)")
_RANGE = re.compile(r"(?:p[dwmy]|\d{4}-\d\d-\d\dto\d{4}-\d\d-\d\d)\Z")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_US_DAY = re.compile(r"\d\d/\d\d/\d{4}\Z")
_TBS = re.compile(r"(?:qdr:[hdwmy]|cdr:1(?:,cd_min:\d{1,2}/\d{1,2}/\d{4})?(?:,cd_max:\d{1,2}/\d{1,2}/\d{4})?)\Z")


class Asked(NamedTuple):
    """What a request asks for: words, number of results, and the sites they must be on (none = any)."""

    text: str
    limit: int
    sites: tuple[str, ...] = ()


class Found(NamedTuple):
    """One result; `date` is whatever a service would print, in any form, or "" for none."""

    url: str
    title: str
    text: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class Service:
    """One dialect. `read` gives what is asked, or the refusal; `render` the answer; `error` a refusal in the service's own form.

    `unserved` is a failure inside a success; `absent` an answer without its main section, which means `absent_means`;
    `broken` an answer whose rows have no addresses. `pages`: its hits are the pages found themselves, not records about them;
    `admit` gives the refusal of what may not be asked at any path.
    """

    name: str
    host: str
    path: str
    read: Callable[[Seen, str], Asked | Answer]
    render: Callable[[Asked, Sequence[Found]], Answer]
    error: Callable[[int, str], Answer]
    unserved: Answer
    absent: Answer
    absent_means: str
    broken: Answer
    pages: bool = True
    admit: Callable[[Seen, str], Answer | None] = lambda _, __: None


def _brave_read(seen: Seen, key: str) -> Asked | Answer:
    params = seen.params
    if seen.headers.get("x-subscription-token") != key:
        return _brave_error(422, "SUBSCRIPTION_TOKEN_INVALID")
    text, count = params.get("q", ""), params.get("count", "20")
    good = 1 <= len(text) <= 400 and len(text.split()) <= 50 and count.isdigit() and 1 <= int(count) <= 20
    good &= bool(_RANGE.match(params.get("freshness", "pd"))) and params.get("search_lang", "en") not in ("ja", "no", "zh", "pt")
    good &= bool(re.fullmatch(r"[A-Z]{2}|ALL", params.get("country", "US")))
    return _asked_in_text(text, int(count)) if good else _brave_error(422, "VALIDATION")


def _brave_render(asked: Asked, found: Sequence[Found]) -> Answer:
    results = [
        {"type": "search_result", "title": hit.title, "url": hit.url, "description": hit.text, "language": "en", "family_friendly": True}
        | ({"page_age": hit.date, "age": hit.date} if hit.date else {})
        for hit in found
    ]
    query = {"original": asked.text, "more_results_available": len(found) >= asked.limit, "spellcheck_off": True}
    web = {"web": {"type": "search", "family_friendly": True, "results": results}} if results else {}
    mixed = {"type": "mixed", "main": [{"type": "web", "index": i, "all": False} for i in range(len(results))], "top": [], "side": []}
    data = {"type": "search", "query": query, "mixed": mixed, **web}
    limits = (("X-RateLimit-Limit", "1, 15000"), ("X-RateLimit-Policy", "1;w=1, 15000;w=2592000"))
    left = (("X-RateLimit-Remaining", "1, 14523"), ("X-RateLimit-Reset", "1, 1419704"))
    return json_answer(data, 200, *limits, *left)


def _brave_error(status: int, code: str) -> Answer:
    error = {"id": "0b7e5f", "status": status, "code": code, "detail": f"{code} in the loopback world", "meta": {}}
    return json_answer({"type": "ErrorResponse", "error": error, "time": 1795950000}, status)


def _tavily_read(seen: Seen, key: str) -> Asked | Answer:
    data = _body(seen)
    if seen.headers.get("authorization") != f"Bearer {key}":
        return _tavily_error(401, "Unauthorized: missing or invalid API key.")
    text, count = data.get("query"), data.get("max_results", 5)
    good = isinstance(text, str) and 1 <= len(text) <= 400 and isinstance(count, int) and 0 <= count <= 20
    good &= all(_ISO_DAY.match(str(data[name])) is not None for name in ("start_date", "end_date") if name in data)
    good &= data.get("topic", "general") in ("general", "news", "finance") and data.get("search_depth", "basic") in (
        "basic",
        "advanced",
        "fast",
    )
    country = data.get("country", "france")
    good &= isinstance(country, str) and country.islower() and len(country) > 2
    domains = data.get("include_domains", [])
    if not good or not isinstance(domains, list) or len(domains) > 300:
        return _tavily_error(400, "Invalid request.")
    return Asked(str(text), int(count), tuple(map(str, domains)))


def _tavily_render(asked: Asked, found: Sequence[Found]) -> Answer:
    results = [{"title": hit.title, "url": hit.url, "content": hit.text, "score": 0.91, "raw_content": None}
               | ({"published_date": hit.date} if hit.date else {}) for hit in found]  # fmt: skip
    data = {"query": asked.text, "answer": None, "images": [], "results": results, "response_time": 0.84}
    return json_answer(data | {"usage": {"credits": 1}, "request_id": "6f1c2e0a-0000-4000-8000-000000000000"})


def _tavily_error(status: int, words: str) -> Answer:
    return json_answer({"detail": {"error": words}}, status)


def _exa_read(seen: Seen, key: str) -> Asked | Answer:
    data = _body(seen)
    if key not in (seen.headers.get("x-api-key"), seen.headers.get("authorization", "").removeprefix("Bearer ")):
        return _exa_error(401, "INVALID_API_KEY")
    text, count, domains = data.get("query"), data.get("numResults", 10), data.get("includeDomains", [])
    good = isinstance(text, str) and bool(text) and isinstance(count, int) and 1 <= count <= 100 and isinstance(domains, list)
    dates = [str(data[name]) for name in ("startPublishedDate", "endPublishedDate") if name in data]
    good &= all(date.endswith("Z") and "T" in date for date in dates) and data.get("type", "auto") in ("auto", "neural", "fast")
    if not good:
        return _exa_error(400, "INVALID_REQUEST_BODY")
    return Asked(str(text), int(count), tuple(map(str, domains)))


def _exa_render(asked: Asked, found: Sequence[Found]) -> Answer:
    results = [{"id": hit.url, "title": hit.title, "url": hit.url, "publishedDate": hit.date or None, "author": None, "text": hit.text}
               for hit in found]  # fmt: skip
    return json_answer({"requestId": "b5947044", "searchType": "neural", "results": results, "costDollars": {"total": 0.007}})


def _exa_error(status: int, tag: str) -> Answer:
    return json_answer({"requestId": "b5947045", "error": f"{tag} in the loopback world", "tag": tag}, status)


def _serper_read(seen: Seen, key: str) -> Asked | Answer:
    data = _body(seen)
    if seen.headers.get("x-api-key") != key:
        return _serper_error(403, "Unauthorized.")
    text, count = data.get("q"), data.get("num", 10)
    good = isinstance(text, str) and bool(text) and isinstance(count, int) and 1 <= count <= 100
    good &= bool(_TBS.match(str(data.get("tbs", "qdr:d")))) and bool(re.fullmatch(r"[a-z]{2}", str(data.get("gl", "us"))))
    return _asked_in_text(str(text), int(count)) if good else _serper_error(400, "Bad request")


def _serper_render(asked: Asked, found: Sequence[Found]) -> Answer:
    organic = [{"title": hit.title, "link": hit.url, "snippet": hit.text, "position": place} | ({"date": hit.date} if hit.date else {})
               for place, hit in enumerate(found, start=1)]  # fmt: skip
    echo = {"q": asked.text, "gl": "us", "type": "search", "num": asked.limit, "engine": "google"}
    return json_answer({"searchParameters": echo, "organic": organic, "credits": 1 if asked.limit <= 10 else 2})


def _serper_error(status: int, words: str) -> Answer:
    return json_answer({"message": words, "statusCode": status}, status)


def _searxng_read(seen: Seen, key: str) -> Asked | Answer:
    params = seen.params
    if params.get("format") != "json":
        return html_answer("Forbidden", "The format is not switched on.", 403)
    if not params.get("q"):
        return Answer(400, (("Content-Type", "text/plain"),), b"No query")
    return _asked_in_text(params["q"], 20)


def _searxng_render(asked: Asked, found: Sequence[Found]) -> Answer:
    rows = [{"url": hit.url, "title": hit.title, "content": hit.text, "engine": "duckduckgo", "engines": ["duckduckgo"],
             "positions": [place], "score": 1.0 / place, "category": "general", "template": "default.html",
             "publishedDate": hit.date or None}
            for place, hit in enumerate(found, start=1)]  # fmt: skip
    return json_answer(_searxng_body(asked.text, rows, []))


def _searxng_body(text: str, rows: list[dict[str, Any]], lost: list[list[str]]) -> dict[str, Any]:
    empty: dict[str, Any] = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": []}
    return {"query": text, "results": rows, **empty, "unresponsive_engines": lost}


def _searxng_error(status: int, words: str) -> Answer:
    return Answer(status, (("Content-Type", "text/html; charset=utf-8"),), words.encode())


def _you_read(seen: Seen, key: str) -> Asked | Answer:
    data: Mapping[str, Any] = seen.params if seen.method == "GET" else _body(seen)
    if seen.headers.get("x-api-key") != key:
        return _you_error(401, "Invalid API key")
    text, count, domains = data.get("query"), str(data.get("count", 10)), data.get("include_domains", [])
    good = isinstance(text, str) and bool(text) and count.isdigit() and 1 <= int(count) <= 100
    good &= bool(_RANGE.match(str(data.get("freshness", "pd")))) or data.get("freshness") in ("day", "week", "month", "year")
    good &= bool(re.fullmatch(r"[A-Z]{2}", str(data.get("country", "US"))))
    domains = domains.split(",") if isinstance(domains, str) else domains
    return Asked(str(text), int(count), tuple(domains)) if good and isinstance(domains, list) else _you_error(422, "Unprocessable")


def _you_render(asked: Asked, found: Sequence[Found]) -> Answer:
    web = [{"url": hit.url, "title": hit.title, "description": hit.text[:80], "snippets": [hit.text], "page_age": hit.date or None,
            "authors": []} for hit in found]  # fmt: skip
    return json_answer({"results": {"web": web, "news": []}, "metadata": {"query": asked.text, "search_uuid": "1f0c", "latency": 0.41}})


def _you_error(status: int, words: str) -> Answer:
    return json_answer({"detail": words}, status)


def _perplexity_read(seen: Seen, key: str) -> Asked | Answer:
    data = _body(seen)
    if seen.headers.get("authorization") != f"Bearer {key}":
        return _perplexity_error(401, "Invalid API key provided.")
    text, count, domains = data.get("query"), data.get("max_results", 10), data.get("search_domain_filter", [])
    good = isinstance(text, str) and bool(text) and isinstance(count, int) and 1 <= count <= 20
    good &= isinstance(domains, list) and len(domains) <= 20
    good &= all(_US_DAY.match(str(data[name])) for name in ("search_after_date_filter", "search_before_date_filter") if name in data)
    good &= all(re.fullmatch(r"[a-z]{2}", str(code)) for code in data.get("search_language_filter", []))
    return Asked(str(text), int(count), tuple(domains)) if good else _perplexity_error(400, "Invalid request")


def _perplexity_render(asked: Asked, found: Sequence[Found]) -> Answer:
    results = [{"title": hit.title, "url": hit.url, "snippet": hit.text, "date": hit.date or None, "last_updated": None} for hit in found]
    return json_answer({"id": "e38104d5", "results": results, "server_time": None})


def _perplexity_error(status: int, words: str) -> Answer:
    return json_answer({"error": {"message": words, "type": "invalid_request", "code": status}}, status)


def _google_read(seen: Seen, key: str) -> Asked | Answer:
    params = seen.params
    if params.get("key") != key:
        return _google_error(400, "API key not valid. Please pass a valid API key.")
    count, sort = params.get("num", "10"), params.get("sort", "date:r:20200101:20210101")
    good = bool(params.get("q")) and bool(params.get("cx")) and count.isdigit() and 1 <= int(count) <= 10
    if not good or not re.fullmatch(r"date:r:\d{8}:\d{8}", sort):
        return _google_error(400, "Request contains an invalid argument.")
    return Asked(params["q"], int(count), (params["siteSearch"],) if params.get("siteSearch") else ())


def _google_render(asked: Asked, found: Sequence[Found]) -> Answer:
    items = [{"kind": "customsearch#result", "title": hit.title, "htmlTitle": hit.title, "link": hit.url, "snippet": hit.text,
              "pagemap": {"metatags": [{"date": hit.date}]}} for hit in found]  # fmt: skip
    data: dict[str, Any] = {
        "kind": "customsearch#search",
        "queries": {"request": [{"count": len(found)}]},
        "searchInformation": {"searchTime": 0.3, "totalResults": str(len(found))},
    }
    return json_answer(data | ({"items": items} if items else {}))


def _google_error(status: int, words: str) -> Answer:
    reason = {429: "RESOURCE_EXHAUSTED", 400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED"}.get(status, "UNAVAILABLE")
    errors = [{"message": words, "domain": "global", "reason": "rateLimitExceeded" if status == 429 else "badRequest"}]
    return json_answer({"error": {"code": status, "message": words, "errors": errors, "status": reason}}, status)


def _asked_in_text(text: str, limit: int) -> Asked:
    """A query whose sites stand in its text as operators."""
    return Asked(_SITE.sub("", text).strip(), limit, tuple(_SITE.findall(text)))


def _body(seen: Seen) -> dict[str, Any]:
    return seen.data if seen.method == "POST" and isinstance(seen.data, dict) else {}


_ECHO = {"q": "x", "type": "search", "engine": "google"}
SERVICES: tuple[Service, ...] = (
    Service(
        "brave", "api.search.brave.com", "/res/v1/web/search", _brave_read, _brave_render, _brave_error,
        unserved=json_answer({"type": "ErrorResponse", "error": {"status": 500, "code": "INTERNAL", "detail": "failed"}}),
        absent=json_answer({"type": "search", "query": {"original": "x"}, "mixed": {"type": "mixed", "main": []}}),
        absent_means="empty",
        broken=json_answer({"type": "search", "query": {}, "web": {"type": "search", "results": [{"title": "no address"}, None, 7]}}),
    ),
    Service(
        "tavily", "api.tavily.com", "/search", _tavily_read, _tavily_render, _tavily_error,
        unserved=json_answer({"results": [], "failed_results": [{"url": "https://gone.example/", "error": "timeout"}]}),
        absent=json_answer({"query": "x", "answer": None, "response_time": 0.1}),
        absent_means="failed",
        broken=json_answer({"query": "x", "results": [{"title": "no address", "url": None}, "text"]}),
    ),
    Service(
        "exa", "api.exa.ai", "/search", _exa_read, _exa_render, _exa_error,
        unserved=json_answer({"requestId": "b1", "results": [], "statuses": [
            {"id": "https://gone.example/", "status": "error", "error": {"tag": "CRAWL_NOT_FOUND", "httpStatusCode": 404}}]}),
        absent=json_answer({"requestId": "b1", "searchType": "neural", "costDollars": {"total": 0.0}}),
        absent_means="failed",
        broken=json_answer({"requestId": "b1", "results": [{"title": "no address", "url": ""}], "costDollars": {"total": 0.0}}),
    ),
    Service(
        "serper", "google.serper.dev", "/search", _serper_read, _serper_render, _serper_error,
        unserved=json_answer({"message": "Internal error", "statusCode": 500}),
        absent=json_answer({"searchParameters": _ECHO, "relatedSearches": [], "credits": 1}),
        absent_means="empty",
        broken=json_answer({"searchParameters": _ECHO, "organic": [{"title": "no address", "position": 1}], "credits": 1}),
    ),
    Service(
        "searxng", "searx.example", "/search", _searxng_read, _searxng_render, _searxng_error,
        unserved=json_answer(_searxng_body("x", [], [["brave", "too many requests"], ["google", "timeout"]])),
        absent=json_answer({"query": "x", "answers": [], "unresponsive_engines": []}),
        absent_means="failed",
        broken=json_answer(_searxng_body("x", [{"title": "no address", "url": "ftp://x/"}], [])),
    ),
    Service(
        "you", "ydc-index.io", "/v1/search", _you_read, _you_render, _you_error,
        unserved=json_answer({"error": {"message": "upstream failed"}}),
        absent=json_answer({"metadata": {"query": "x", "latency": 0.2}}),
        absent_means="failed",
        broken=json_answer({"results": {"web": [{"title": "no address"}], "news": []}, "metadata": {}}),
    ),
    Service(
        "perplexity", "api.perplexity.ai", "/search", _perplexity_read, _perplexity_render, _perplexity_error,
        unserved=json_answer({"id": "e1", "error": {"message": "upstream failed", "code": 500}}),
        absent=json_answer({"id": "e1", "server_time": None}),
        absent_means="failed",
        broken=json_answer({"id": "e1", "results": [{"title": "no address", "url": "/relative"}]}),
    ),
    Service(
        "google_cse", "www.googleapis.com", "/customsearch/v1", _google_read, _google_render, _google_error,
        unserved=json_answer({"kind": "customsearch#search", "searchInformation": {"totalResults": "1200"}}),
        absent=json_answer({"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}}),
        absent_means="empty",
        broken=json_answer({"searchInformation": {"totalResults": "1"}, "items": [{"title": "no address", "link": "javascript:0"}]}),
    ),
)  # fmt: skip

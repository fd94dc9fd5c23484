"""What the providers' dialects share: length limits, site filters, date and language forms, reading of answers; pure."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote_plus, urlsplit

from s2r.errors import SourceBroken
from s2r.models import Hit, Query
from s2r.net.answers import read_json, said
from s2r.net.reply import Reply
from s2r.search.base import SearchAnswer, State

_TAG = re.compile(r"</?(?:strong|b|em|i|mark|span)\b[^<>]{0,200}>", re.IGNORECASE)
_MAX_SNIPPET = 1000  # characters kept of a snippet; it is shown and ranked by, never quoted
# Brave and You.com take these codes only, some of them their own; any other value is refused by the service
_MARKET_LANGUAGES = frozenset({
    "ar", "eu", "bn", "bg", "ca", "zh-hans", "zh-hant", "hr", "cs", "da", "nl", "en", "et", "fi", "fr", "gl", "de", "gu", "he", "hi",
    "hu", "is", "it", "jp", "kn", "ko", "lv", "lt", "ms", "ml", "mr", "nb", "pl", "pt-br", "pt-pt", "pa", "ro", "ru", "sr", "sk", "sl",
    "es", "sv", "ta", "te", "th", "tr", "uk", "vi",
})  # fmt: skip
_MARKET_COUNTRIES = frozenset({
    "AR", "AU", "AT", "BE", "BR", "CA", "CL", "DK", "FI", "FR", "DE", "HK", "IN", "ID", "IT", "JP", "KR", "MY", "MX", "NL", "NZ", "NO",
    "CN", "PL", "PT", "PH", "RU", "SA", "ZA", "ES", "SE", "CH", "TW", "TR", "GB", "US",
})  # fmt: skip
IN_ADDRESS = 2800  # for `fit`: the door takes addresses of 4096 characters, and the rest of one needs room
_EARLIEST = dt.date(1990, 1, 1)  # start of a range that is open to the past


def fit(text: str, *, chars: int, words: int = 10_000, encoded: int = 0) -> str:
    """`text` cut at a word so that it keeps a limit of characters and words; a phrase that is cut loses its quotation marks.

    `encoded` limits its length as part of an address (0: no limit), where one Han character takes nine.
    """
    parts = text.split()
    whole = " ".join(parts)
    if len(whole) <= chars and len(parts) <= words and not (encoded and len(quote_plus(whole)) > encoded):
        return whole
    kept: list[str] = []
    size = length = 0
    for part in parts[:words]:
        size, length = size + len(part) + bool(kept), length + len(quote_plus(part)) + bool(kept)
        if size > chars or (encoded and length > encoded):
            break
        kept.append(part)
    cut = " ".join(kept) or text[: min(chars, encoded // 9) if encoded else chars]
    if cut.count('"') % 2:
        head, _, tail = cut.rpartition('"')
        cut = head + tail
    return cut.strip()


def phrase_of(text: str) -> str:
    """The first phrase of a query without its quotation marks, for services that take a name and nothing else; without one, all."""
    _, opened, rest = text.partition('"')
    phrase, closed, _ = rest.partition('"')
    return phrase.strip() if opened and closed and phrase.strip() else text.replace('"', " ").strip()


def with_site(query: Query, *, chars: int, words: int = 10_000, encoded: int = 0) -> str:
    """The text of a query with its site as an operator, within the limits of `fit`."""
    if not query.site:
        return fit(query.text, chars=chars, words=words, encoded=encoded)
    operator = f" site:{query.site}"
    room = max(1, encoded - len(quote_plus(operator))) if encoded else 0
    return fit(query.text, chars=chars - len(operator), words=words - 1, encoded=room) + operator


def cut_note(query: Query, sent: str) -> str:
    """What is said of a query that had to be cut, "" when it was sent whole."""
    whole = len(" ".join(query.text.split()))
    return "" if whole <= len(sent) else f"the query was cut from {whole} to {len(sent)} characters"


def site_host(query: Query) -> str:
    """Host of the query's site, for services that filter by domain and not by path."""
    return query.site.partition("/")[0]


def day_range(query: Query) -> str:
    """`AtoB` of the query's dates, "" without an end; a range without a start is open to the past."""
    if not query.before:
        return ""
    return f"{(query.after or _EARLIEST).isoformat()}to{query.before.isoformat()}"


def us_day(day: dt.date, *, padded: bool = True) -> str:
    """MM/DD/YYYY, or M/D/YYYY."""
    return day.strftime("%m/%d/%Y") if padded else f"{day.month}/{day.day}/{day.year}"


def market_language(query: Query) -> str:
    """Language code of Brave and You.com, "" when they do not know it."""
    tag = query.lang.lower()
    tag = {"ja": "jp", "no": "nb", "pt": "pt-br" if query.country == "BR" else "pt-pt"}.get(tag, tag)
    return tag if tag in _MARKET_LANGUAGES else ""


def market_country(query: Query) -> str:
    """Country code of Brave and You.com, "" when they do not know it."""
    return query.country if query.country in _MARKET_COUNTRIES else ""


def google_language(query: Query) -> str:
    """Language code as Google writes it."""
    return {"zh-Hans": "zh-cn", "zh-Hant": "zh-tw"}.get(query.lang, query.lang)


def primary_language(query: Query) -> str:
    """Two-letter code of the query's language."""
    return query.lang.partition("-")[0].lower()


def read_object(reply: Reply) -> dict[str, Any]:
    """As `read_json`, for an answer that is a JSON object."""
    data = read_json(reply)
    if not isinstance(data, dict):
        raise SourceBroken(f"the answer is a JSON {type(data).__name__}, not an object")
    return data


def read_list(data: Mapping[str, Any], *path: str) -> list[Any] | None:
    """The list at `path`, None when a part of the path is missing or null; `SourceBroken` when something else stands there."""
    found: Any = data
    for key in path:
        if not isinstance(found, Mapping):
            raise SourceBroken(f"{'.'.join(path)} is not where it is documented")
        found = found.get(key)
        if found is None:
            return None
    if not isinstance(found, list):
        raise SourceBroken(f"{'.'.join(path)} is a JSON {type(found).__name__}, not a list")
    return found


def needed(found: list[Any] | None, data: Mapping[str, Any], name: str) -> list[Any]:
    """A list that a real answer always has; without it the answer is an error in other words."""
    if found is None:
        words = said(data)
        raise SourceBroken(f"the answer has no {name}" + (f": {words}" if words else ""))
    return found


def text_of(row: Any, *keys: str) -> str:
    """The first of `keys` that holds text, as one line without emphasis tags; "" for anything else."""
    if not isinstance(row, Mapping):
        return ""
    for key in keys:
        value = row.get(key)
        if isinstance(value, str) and value.strip():
            return " ".join((_TAG.sub("", value) if "<" in value else value).split())
    return ""


def snippet_of(*parts: str, date: str = "") -> str:
    """Parts of a snippet joined; a date that the service gives stands in it as text only."""
    text = " … ".join(dict.fromkeys(part for part in parts if part))[:_MAX_SNIPPET]
    return f"{text} [{date}]".strip() if date else text


def answer_of(provider: str, query: Query, rows: Iterable[tuple[str, str, str]], *, note: str = "") -> SearchAnswer:
    """The answer made of (address, title, snippet) rows; rows without a web address are left out, and it is said how many.

    Raises `SourceBroken` when there are rows and none can be used: that is not "nothing found".
    """
    hits: list[Hit] = []
    bad = 0
    for url, title, snippet in rows:
        if not _is_web(url):
            bad += 1
            continue
        hits.append(Hit(url=url, title=title, provider=provider, rank=len(hits) + 1, query=query.text, snippet=snippet))
    if bad and not hits:
        raise SourceBroken(f"none of {bad} results has a web address")
    notes = [note, f"{bad} of {bad + len(hits)} results have no web address" if bad else ""]
    return SearchAnswer(state=State.ANSWERED if hits else State.EMPTY, hits=tuple(hits), note="; ".join(filter(None, notes)))


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.netloc)

"""JSON-LD of a page: article nodes with their dates, tolerant of malformed JSON."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field

DATE_KEYS = ("datePublished", "dateCreated", "dateModified", "uploadDate")
_ARTICLE = re.compile(
    r"article|posting|report|pressrelease|webpage|newsitem|creativework|document|legislation|itempage|qapage|aboutpage", re.I
)
_INTO = ("@graph", "mainEntity", "mainEntityOfPage")  # other children describe other things: comments, related items, parts
_WRAPPING = re.compile(
    r"\A\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*\Z"
)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_FIELD = re.compile(r'"(datePublished|dateCreated|dateModified|headline|@type)"\s*:\s*"((?:[^"\\]|\\.){0,400})"')
_MAX_NODES = 2000


@dataclass(frozen=True, slots=True)
class Article:
    """What article nodes say: (key, raw date) pairs in order, headline, body, publisher, author, language; `broken` = read by pattern."""

    dates: tuple[tuple[str, str], ...] = ()
    headline: str = ""
    body: str = ""
    publisher: str = ""
    author: str = ""
    lang: str = ""
    broken: bool = False


@dataclass(slots=True)
class _Found:
    dates: list[tuple[str, str]] = field(default_factory=list)
    text: dict[str, str] = field(default_factory=dict)
    broken: bool = False


def read_json_ld(scripts: list[str]) -> Article:
    """The article that JSON-LD scripts describe; first value wins, dates are all kept."""
    found = _Found()
    for script in scripts:
        parsed = _parse(script)
        if parsed is None:
            _by_pattern(script, found)
        else:
            _collect(parsed, found)
    text = found.text
    return Article(
        dates=tuple(dict.fromkeys(found.dates)),
        headline=text.get("headline", ""),
        body=text.get("articleBody", ""),
        publisher=text.get("publisher", ""),
        author=text.get("author", ""),
        lang=text.get("inLanguage", ""),
        broken=found.broken,
    )


def _parse(script: str) -> object | None:
    text = _WRAPPING.sub("", script.strip()).strip().rstrip(";")
    for candidate in (text, _TRAILING_COMMA.sub(r"\1", text), html.unescape(text)):
        try:
            return json.loads(candidate, strict=False)  # type: ignore[no-any-return]
        except (ValueError, RecursionError):
            continue
    return None


def _by_pattern(script: str, found: _Found) -> None:
    found.broken = True
    pairs = _FIELD.findall(script)
    if not any(key == "@type" and _ARTICLE.search(value) for key, value in pairs):
        return
    for key, value in pairs:
        if key == "headline":
            found.text.setdefault(key, value)
        elif key != "@type":
            found.dates.append((key, value))


def _collect(parsed: object, found: _Found) -> None:
    waiting: list[object] = [parsed]
    seen = 0
    while waiting and seen < _MAX_NODES:
        node = waiting.pop(0)
        seen += 1
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            if _ARTICLE.search(_types(node)):
                _take(node, found)
            waiting += [node[key] for key in _INTO if key in node]


def _types(node: dict[str, object]) -> str:
    kind = node.get("@type", "")
    return " ".join(str(k) for k in kind) if isinstance(kind, list) else str(kind)


def _take(node: dict[str, object], found: _Found) -> None:
    for key in DATE_KEYS:
        value = node.get(key)
        if isinstance(value, str) and value.strip():
            found.dates.append((key, value.strip()))
    for key in ("headline", "articleBody", "inLanguage"):
        if isinstance(value := node.get(key), str) and value.strip():
            found.text.setdefault(key, html.unescape(value.strip()))
    for key in ("publisher", "author"):
        if name := _name(node.get(key)):
            found.text.setdefault(key, name)


def _name(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, (_name(item) for item in value[:5] if not isinstance(item, list))))
    if isinstance(value, dict):
        value = value.get("name", "")
    return value.strip() if isinstance(value, str) else ""

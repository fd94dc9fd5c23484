"""A linear HTML tokenizer that keeps source offsets and never fails."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from enum import IntEnum


class Kind(IntEnum):
    """Kind of a token."""

    TEXT = 0
    START = 1
    END = 2
    RAW = 3  # content of script, style, title, textarea: no markup inside


Token = tuple[Kind, str, str, int, int]  # kind, lower-case tag name, raw attributes, source start, source end

# A quote opens an attribute value only after "=", as in browsers: title=don't must not swallow the text up to the next apostrophe.
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:_.-]*+)((?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+)>")
_ATTR = re.compile(r"([^\s=/>\"'<]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]++)))?+")
_RAW_END = {
    name: re.compile(rf"</{name}(?=[\s/>])[^>]*+>?", re.I) for name in ("script", "style", "title", "textarea", "iframe", "xmp", "noembed")
}
_DROPPED_TO_END = ("script", "style", "iframe", "noembed")


def attributes(raw: str) -> dict[str, str]:
    """Attributes of a tag, names in lower case, values unescaped; the first of a repeated name wins."""
    found: dict[str, str] = {}
    for match in _ATTR.finditer(raw):
        name = match.group(1).lower()
        if name not in found:
            value = match.group(2) or match.group(3) or match.group(4) or ""
            found[name] = html.unescape(value) if "&" in value else value
    return found


def tokens(source: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Tokens of `source[start:end]`; offsets are absolute; linear in its length for any input."""
    stop = len(source) if end is None else end
    pos = start
    at = start  # where the pending text begins
    find = source.find
    open_comment = False  # no "-->" is left
    unclosed: set[str] = set()  # raw elements of which no end tag is left
    while True:
        pos = find("<", pos, stop)
        if pos < 0:
            break
        after = source[pos + 1 : pos + 2]
        if after in {"!", "?"}:
            if at < pos:
                yield Kind.TEXT, "", "", at, pos
            at = pos = _skip_declaration(source, pos, stop, open_comment)
            open_comment = open_comment or (after == "!" and find("-->", pos, stop) < 0)
            continue
        match = _TAG.match(source, pos, stop)
        if match is None:
            if (after.isalpha() or after == "/") and find(">", pos, stop) < 0:
                break  # a tag cut off at the end: what follows is not text
            pos += 1
            continue
        if at < pos:
            yield Kind.TEXT, "", "", at, pos
        slash, name, raw = match.groups()
        name = name.lower()
        tag_end = match.end()
        yield (Kind.END if slash else Kind.START), name, raw, pos, tag_end
        at = pos = tag_end
        if not slash and name in _RAW_END and name not in unclosed and not raw.endswith("/"):
            close = _RAW_END[name].search(source, pos, stop)
            if close is None:
                unclosed.add(name)
                if name in _DROPPED_TO_END:
                    return
                continue
            yield Kind.RAW, name, raw, pos, close.start()
            yield Kind.END, name, "", close.start(), close.end()
            at = pos = close.end()
    tail = stop if pos < 0 else pos
    if at < tail:
        yield Kind.TEXT, "", "", at, tail


def _skip_declaration(source: str, pos: int, stop: int, open_comment: bool) -> int:
    """End of the comment, CDATA mark, doctype or processing instruction at `pos`; an unclosed one ends at the next ">"."""
    if not open_comment and source.startswith("<!--", pos):
        if source.startswith(("<!-->", "<!--->"), pos):
            return source.index(">", pos) + 1
        close = source.find("-->", pos + 4, stop)
        if close >= 0:
            return close + 3
    if source.startswith("<![CDATA[", pos):
        return min(pos + 9, stop)
    close = source.find(">", pos, stop)
    return close + 1 if close >= 0 else stop

"""Cheap reading of markup for indexing and typing of pages: bytes to text, and text without tags. Not for evidence."""

from __future__ import annotations

import codecs
import html
import re

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:+-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:+-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:+-]+)", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# an unclosed element or comment runs to the end, so that each pattern reads the text once
_HIDDEN = re.compile(r"<(script|style|template|svg)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL)
_INLINE = re.compile(r"</?(?:a|abbr|b|big|em|font|i|mark|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]*)?>", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*>?")


def decode_body(body: bytes, content_type: str = "") -> str:
    """`body` as text: byte order mark, then header, then the document's own declaration, then UTF-8, then Windows-1252."""
    for bom, name in _BOMS:
        if body.startswith(bom):
            return body.decode(name, "replace")
    header, own = _CHARSET.search(content_type), _META.search(body[:4096])
    names = [header.group(1)] if header else []
    names += [(own.group(1) or own.group(2)).decode("ascii")] if own else []
    for name in (*names, "utf-8"):
        try:
            return body.decode(name)
        except (LookupError, UnicodeError):
            continue
    if names and _is_charset(names[0]):
        return body.decode(names[0], "replace")
    return body.decode("cp1252", "replace")


def visible_text(markup: str) -> str:
    """Text of `markup` without scripts, styles, comments and tags; entities resolved; white space not tidied."""
    return html.unescape(_TAG.sub(" ", _INLINE.sub("", _HIDDEN.sub(" ", markup))))


def looks_like_markup(content_type: str, head: str) -> bool:
    """Whether a text is HTML or XML, by its type or by how it starts."""
    kind = content_type.partition(";")[0].strip().lower()
    if "html" in kind or "xml" in kind:
        return True
    return bool(re.match(r"\s*<(?:!doctype|html|head|body|\?xml|!--|[a-z][a-z0-9]*[\s>])", head[:500], re.IGNORECASE))


def _is_charset(name: str) -> bool:
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True

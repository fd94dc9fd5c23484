"""Reading of answers that should be JSON: what stands there instead, and what an error body says; pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from s2r.errors import SourceBroken
from s2r.net.reply import Reply

_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,300}?)</title>", re.IGNORECASE | re.DOTALL)


def read_json(reply: Reply) -> Any:
    """The JSON of an answer: UTF-8, else by its declared charset; `SourceBroken` says what stands there instead."""
    body = reply.body.lstrip()
    if body[:1] == b"<":
        title = " ".join((match.group(1) if (match := _TITLE.search(reply.text[:20_000])) else reply.text[:80]).split())
        raise SourceBroken(f"an HTML page ({title[:80]!r}) stands where JSON is due")
    if not body:
        raise SourceBroken("the answer is empty")
    for charset in ("", reply.content_type.lower().partition("charset=")[2].split(";")[0].strip(" \"'") or "ascii"):
        try:
            return json.loads(reply.body.decode(charset) if charset else reply.body)
        except (ValueError, RecursionError, LookupError):
            continue
    raise SourceBroken(f"the answer is no whole JSON ({len(reply.body)} bytes, {' '.join(reply.text[:60].split())!r} ...)")


def said(data: Any) -> str:
    """What an error body says, "" when it says nothing: reads the shapes of all services, strings and numbers as codes too."""
    if isinstance(data, str):
        return " ".join(data.split())[:300]
    if isinstance(data, list):
        return "; ".join(filter(None, (said(item) for item in data[:3])))[:300]
    if not isinstance(data, Mapping):
        return ""
    for key in ("error", "detail", "errors", "failed_results", "statuses"):
        if words := said(data.get(key)):
            return words
    parts = [str(data[key]) for key in ("code", "tag", "status", "type", "message") if isinstance(data.get(key), str | int)]
    return " ".join(" ".join(dict.fromkeys(parts)).split())[:300]


def is_page(reply: Reply) -> bool:
    """Whether an HTML page stands where data are due."""
    return "html" in reply.content_type.lower() or reply.body.lstrip()[:1] == b"<"

"""Index lines of a CDX server: a query as it is sent, and its answer in each form that servers give. Pure.

Forms: JSON as a list of lists with the names first (the Wayback Machine), JSON lines (pywb), text with spaces. Every value is text;
`-` stands for what is not known, as in revisits, whose body equals that of an earlier capture.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

from s2r.fetch.webarchive.errors import ArchiveBroken
from s2r.fetch.webarchive.rfc7089 import read_stamp14, stamp_of
from s2r.models.listing import Frozen

NAMES = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")
_OTHER_NAMES = {"url": "original", "mime": "mimetype", "status": "statuscode"}  # as pywb says them
READABLE = "statuscode:(200|-)"  # captures of pages, and revisits
REVISIT = "warc/revisit"
_SHOWN = 160


class CdxRow(Frozen):
    """One capture. `at` is UTC; `status` and `length` are None where the index does not know them."""

    urlkey: str
    at: dt.datetime
    original: str
    mimetype: str
    status: int | None
    digest: str
    length: int | None

    @property
    def is_revisit(self) -> bool:
        """Whether the archive kept no new body, as it equals an earlier one."""
        return self.mimetype == REVISIT


class BadRow(Frozen):
    """One index line that is no capture: where it stands (from 1), what it says, what is wrong with it."""

    number: int
    text: str
    problem: str


class CdxPage(Frozen):
    """One answer: captures in the order of the server, lines that are none, and the key with which the next answer goes on."""

    rows: tuple[CdxRow, ...] = ()
    bad: tuple[BadRow, ...] = ()
    resume_key: str = ""


def cdx_query(
    url: str,
    *,
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    match: str = "exact",
    filters: Sequence[str] = (),
    collapse: str = "",
    limit: int = 1000,
    fast_latest: bool = False,
    resume_key: str = "",
) -> str:
    """The query string of a request; a negative `limit` asks for the last captures, which has no resume key."""
    pairs = [("url", url), ("output", "json")]
    pairs += [("matchType", match)] if match != "exact" else []
    pairs += [("from", stamp_of(since))] if since else []
    pairs += [("to", stamp_of(until))] if until else []
    pairs += [("filter", one) for one in filters]
    pairs += [("collapse", collapse)] if collapse else []
    pairs += [("limit", str(limit)), ("resolveRevisits", "true")]
    pairs += [("fastLatest", "true")] if fast_latest else []
    pairs += [("showResumeKey", "true")] if limit > 0 else []
    pairs += [("resumeKey", resume_key)] if resume_key else []
    return urlencode(pairs)


def read_cdx(body: bytes, subject: str = "", *, resumed: bool = False) -> CdxPage:
    """The captures of an answer; only a `resumed` one may be without any content. Raises `ArchiveBroken` for one that is no index
    answer, or of which no line can be used."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise ArchiveBroken(f"the index answers with what is no UTF-8 ({exc.reason} at byte {exc.start})", subject=subject) from exc
    head = text.lstrip()[:1]
    if not head and resumed:  # as text, the end of a list is an empty answer
        return CdxPage()
    if not head:
        raise ArchiveBroken("the index answers with nothing, which does not say that there is none", subject=subject)
    if head == "<":
        raise ArchiveBroken("the index answers with a page in place of its lines", subject=subject, advice="Run the row again later.")
    if head == "[":
        lines, key = _json_table(text, subject)
    elif head == "{":
        lines, key = _json_lines(text)
    else:
        lines, key = _text_lines(text)
    page = _page(lines, key)
    if page.bad and not page.rows:
        first = page.bad[0]
        raise ArchiveBroken(f"no index line can be read; line {first.number} {first.problem}: {first.text!r}", subject=subject)
    return page


def _json_table(text: str, subject: str) -> tuple[list[Any], str]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise ArchiveBroken(
            f"the index answer is cut short or no JSON ({exc})", subject=subject, advice="Run the row again later."
        ) from exc
    key = ""
    if len(rows) >= 2 and rows[-2] == [] and isinstance(rows[-1], list) and len(rows[-1]) == 1:
        key, rows = str(rows[-1][0]), rows[:-2]
    if not rows:
        return [], key
    names = rows[0]
    if not isinstance(names, list) or "timestamp" not in names or "original" not in names:
        raise ArchiveBroken(f"the index answer does not begin with its names ({str(names)[:_SHOWN]})", subject=subject)
    return [dict(zip(names, row, strict=False)) if isinstance(row, list) and len(row) == len(names) else row for row in rows[1:]], key


def _json_lines(text: str) -> tuple[list[Any], str]:
    found: list[Any] = []
    for line in filter(str.strip, text.splitlines()):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = line
        found.append({_OTHER_NAMES.get(name, name): value for name, value in data.items()} if isinstance(data, dict) else line)
    return found, ""


def _text_lines(text: str) -> tuple[list[Any], str]:
    rows, _, key = text.replace("\r\n", "\n").strip("\n").partition("\n\n")
    found: list[Any] = []
    for line in filter(None, rows.split("\n")):
        parts = line.split(" ")
        found.append(dict(zip(NAMES, parts, strict=False)) if len(parts) >= len(NAMES) else line)
    return found, key.strip()


def _page(lines: Iterable[Any], key: str) -> CdxPage:
    rows: list[CdxRow] = []
    bad: list[BadRow] = []
    for number, line in enumerate(lines, start=1):
        found = _row(line) if isinstance(line, dict) else "has not as many values as names"
        if isinstance(found, str):
            bad.append(BadRow(number=number, text=str(line)[:_SHOWN], problem=found))
        elif not rows or found != rows[-1]:  # servers repeat lines
            rows.append(found)
    return CdxPage(rows=tuple(rows), bad=tuple(bad), resume_key=key)


def _row(line: Mapping[str, Any]) -> CdxRow | str:
    """The capture of one line, or what is wrong with it."""
    at = read_stamp14(str(line.get("timestamp", "")))
    if at is None:
        return "has no time of 14 digits"
    original = str(line.get("original", ""))
    try:
        parts = urlsplit(original)
        port = parts.port
    except ValueError:
        return "names no address"
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return "names no http address"
    if (parts.scheme.lower(), port) in (("http", 80), ("https", 443)):
        original = original.replace(f":{port}", "", 1)
    status, length = _number(line.get("statuscode", "-")), _number(line.get("length", "-"))
    if status == -1 or length == -1:
        return "has a status or a length that is no number"
    text = {name: str(line.get(name, "-")) for name in ("urlkey", "mimetype", "digest")}
    return CdxRow(at=at, original=original, status=status, length=length, **text)


def _number(value: object) -> int | None:
    """A number of an index line: None for one that is not known, -1 for what is none."""
    text = str(value)
    return None if text in ("-", "", "None") else int(text) if text.isascii() and text.isdigit() else -1

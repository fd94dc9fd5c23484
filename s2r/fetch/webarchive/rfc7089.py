"""The words of Memento (RFC 7089): times, links (RFC 8288, RFC 6690), and the addresses of captures. Pure."""

from __future__ import annotations

import datetime as dt
import re
from email.utils import format_datetime, parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urldefrag

from s2r.models.listing import Frozen

_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s;,\"]+))?)*)")
_PARAM = re.compile(r";\s*([\w*-]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"]+)))?")
_CAPTURE = re.compile(r"(?P<head>.*?/)(?P<stamp>\d{14})(?P<mode>[a-z]{2}_)?/(?P<url>[a-z][a-z0-9+.-]*:/{1,2}.+)", re.IGNORECASE | re.DOTALL)
RAW = "id_"  # the bytes as captured, not a page rewritten for display


class Link(NamedTuple):
    """One link: where to, its relations, and its time (UTC) where it has one."""

    url: str
    rels: frozenset[str]
    at: dt.datetime | None = None


class CaptureAddress(NamedTuple):
    """The parts of a capture's address: what stands before, the time (UTC), the mode ("id_" or ""), the page it keeps."""

    head: str
    at: dt.datetime
    mode: str
    url: str


class TimeMap(Frozen):
    """All captures of one address that an archive names, oldest first; `unread`: entries without a usable time."""

    original: str
    mementos: tuple[tuple[dt.datetime, str], ...] = ()
    unread: int = 0
    more: tuple[str, ...] = ()  # further parts of the list


def stamp_of(at: dt.datetime) -> str:
    """A time (with a zone) as 14 digits in UTC."""
    if at.tzinfo is None:
        raise ValueError("a capture time needs a time zone")
    return at.astimezone(dt.UTC).strftime("%Y%m%d%H%M%S")


def read_stamp14(text: str) -> dt.datetime | None:
    """The time (UTC) of 14 digits, None when they are no time."""
    if not re.fullmatch(r"\d{14}", text):
        return None
    try:
        return dt.datetime.strptime(text, "%Y%m%d%H%M%S").replace(tzinfo=dt.UTC)
    except ValueError:
        return None


def http_date(at: dt.datetime) -> str:
    """A time as an HTTP date."""
    return format_datetime(at.astimezone(dt.UTC), usegmt=True)


def read_http_date(text: str) -> dt.datetime | None:
    """The time (UTC) of an HTTP date, None when it is none."""
    try:
        when = parsedate_to_datetime(text.strip())
    except (ValueError, IndexError):
        return None
    return (when if when.tzinfo else when.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)


def read_links(text: str) -> tuple[Link, ...]:
    """The links of a Link header or of a body in link format; what is no link is passed over."""
    found = []
    for match in _LINK.finditer(text):
        params = {name.lower(): quoted or bare for name, quoted, bare in _PARAM.findall(match.group(2))}
        rels = frozenset(params.get("rel", "").lower().split())
        found.append(Link(match.group(1).strip(), rels, read_http_date(params["datetime"]) if params.get("datetime") else None))
    return tuple(found)


def linked(links: tuple[Link, ...], rel: str, *, memento: bool = False) -> Link | None:
    """The first link of a relation ("first", "prev"); with `memento` only one that leads to a capture with a time."""
    return next((link for link in links if rel in link.rels and (not memento or ("memento" in link.rels and link.at))), None)


def read_timemap(text: str, asked: str) -> TimeMap:
    """A TimeMap in link format."""
    links = read_links(text)
    original = next((link.url for link in links if "original" in link.rels), asked)
    kept = [link for link in links if "memento" in link.rels]
    dated = sorted({(link.at, link.url) for link in kept if link.at})
    more = tuple(link.url for link in links if "timemap" in link.rels and "self" not in link.rels)
    return TimeMap(original=original, mementos=tuple(dated), unread=sum(link.at is None for link in kept), more=more)


def capture_address(base: str, at: dt.datetime, url: str) -> str:
    """The address below `base` (".../web/") at which the raw bytes of `url` as of `at` are played back."""
    return f"{base}{stamp_of(at)}{RAW}/{urldefrag(url).url}"


def read_capture_address(address: str) -> CaptureAddress | None:
    """The parts of an address of a capture, None when it is no such address."""
    match = _CAPTURE.fullmatch(address)
    at = read_stamp14(match["stamp"]) if match else None
    return CaptureAddress(match["head"], at, match["mode"] or "", match["url"]) if match and at else None


def raw_address(address: str) -> str:
    """The address of the same capture that gives its raw bytes, where the archive names captures by time and address."""
    found = read_capture_address(address)
    return capture_address(found.head, found.at, found.url) if found else address

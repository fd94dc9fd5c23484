"""A web archive of the loopback world: availability, CDX index, playback, TimeGate and TimeMap over captures that a test keeps.

It answers as the Wayback Machine does: playback of another time redirects to the nearest capture, redirects of archived sites stay
inside, error pages and throttles of archived sites keep their status, and excluded sites are refused with its own words.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import format_datetime, parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urljoin, urlsplit

from s2r.search.base import canonical_url
from s2r.testing.server import Answer, Seen, html_answer, json_answer

_FIELDS = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")
_PLAY = re.compile(r"/web/(\d{1,14})([a-z]{2}_)?/(.+)", re.DOTALL)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
PARTS = ("cdx", "available", "play", "timegate", "timemap")
Change = Callable[[Answer], Answer]


class Kept(NamedTuple):
    """One capture; `revisit`: the index knows neither its status nor its type. `hidden`: it is listed, but cannot be played back."""

    url: str
    at: dt.datetime
    body: bytes
    status: int
    content_type: str
    location: str
    revisit: bool
    hidden: bool


@dataclass(slots=True)
class KeptWeb:
    """The archive. `origin` is its own address, which its redirects and links name; all may be changed while the server runs.

    `page_size` is the most that an index answer holds.
    """

    origin: str = "https://web.archive.org"
    captures: list[Kept] = field(default_factory=list)
    excluded: dict[str, str] = field(default_factory=dict)
    changes: dict[str, list[Change | None]] = field(default_factory=dict)
    lasting: dict[str, Change] = field(default_factory=dict)
    seen: list[tuple[str, Seen]] = field(default_factory=list)
    page_size: int = 1000

    def keep(
        self,
        url: str,
        at: dt.datetime,
        body: bytes = b"",
        *,
        status: int = 200,
        content_type: str = "text/html; charset=utf-8",
        location: str = "",
        revisit: bool = False,
        hidden: bool = False,
    ) -> None:
        """Keep a capture of a page at a time (UTC)."""
        self.captures.append(Kept(url, at, body, status, content_type, location, revisit, hidden))
        self.captures.sort(key=lambda kept: (kept.at, kept.url))

    def exclude(self, host: str, exception: str = "AdministrativeAccessControlException") -> None:
        """Refuse all pages of a host, as asked by its owner or (RobotAccessControlException) by its robots.txt."""
        self.excluded[host] = exception

    def script(self, part: str, *changes: Change | None) -> None:
        """The next answers of a part (see PARTS) are changed one after the other (None: not changed)."""
        self.changes.setdefault(part, []).extend(changes)

    def always(self, part: str, change: Change) -> None:
        """Every answer of a part is changed."""
        self.lasting[part] = change

    def calls(self, part: str) -> list[Seen]:
        """Requests that a part got, in order."""
        return [seen for name, seen in self.seen if name == part]

    def answer(self, seen: Seen) -> Answer:
        """The answer to one request; `seen.path` begins at the archive's origin."""
        rest = f"{seen.path}?{seen.query}" if seen.query else seen.path
        if seen.path == "/cdx/search/cdx":
            part, answer = "cdx", self._index(parse_qsl(seen.query, keep_blank_values=True))
        elif seen.path == "/wayback/available":
            part, answer = "available", self._available(seen.params)
        elif rest.startswith("/web/timemap/link/"):
            part, answer = "timemap", self._timemap(rest.removeprefix("/web/timemap/link/"))
        elif match := _PLAY.fullmatch(rest):
            part, answer = "play", self._play(match[1], match[2] or "", match[3])
        elif rest.startswith("/web/http"):
            part, answer = "timegate", self._gate(rest.removeprefix("/web/"), seen.headers.get("accept-datetime", ""))
        else:
            part, answer = "play", html_answer("Wayback Machine", "Hrm.", 404)
        self.seen.append((part, seen))
        queue = self.changes.get(part)
        change = queue.pop(0) if queue else self.lasting.get(part)
        return change(answer) if change else answer

    # --- parts

    def _refusal(self, url: str) -> Answer | None:
        exception = self.excluded.get(urlsplit(url if "//" in url else f"//{url}").hostname or "")
        if not exception:
            return None
        words = f"org.archive.util.io.RuntimeIOException: org.archive.wayback.exception.{exception}: Blocked Site Error\n"
        return Answer(403, (("Content-Type", "text/plain;charset=UTF-8"),), words.encode())

    def _index(self, pairs: list[tuple[str, str]]) -> Answer:
        asked = dict(pairs)
        if refusal := self._refusal(asked.get("url", "")):
            return refusal
        rows = self._of(asked.get("url", ""), asked.get("matchType", "exact"))
        since, until = asked.get("from", "").ljust(14, "0"), asked.get("to", "9").ljust(14, "9")
        lines = [_line(kept) for kept in rows if since <= _stamp(kept.at) <= until]
        for name, value in pairs:
            if name == "filter":
                lines = [line for line in lines if _passes(line, value)]
        if collapse := asked.get("collapse", ""):
            lines = _collapsed(lines, *collapse.partition(":")[::2])
        limit = int(asked.get("limit", "0"))
        if limit < 0:
            return json_answer([list(_FIELDS), *lines[limit:]] if lines else [])
        start = int(asked.get("resumeKey", "0").rpartition("+")[2] or 0)
        size = min(limit or self.page_size, self.page_size)
        shown, more = lines[start : start + size], len(lines) > start + size
        table: list[list[str]] = [list(_FIELDS), *shown] if shown else []
        if more and asked.get("showResumeKey") == "true":
            table += [[], [quote(f"{lines[0][0]} ", safe="") + f"+{start + size}"]]
        return json_answer(table)

    def _available(self, params: dict[str, str]) -> Answer:
        url, stamp = params.get("url", ""), params.get("timestamp", "")
        kept = self._nearest([k for k in self._of(url) if k.status == 200], stamp)
        closest = (
            {"closest": {"status": "200", "available": True, "url": self._address(kept, ""), "timestamp": _stamp(kept.at)}} if kept else {}
        )
        return json_answer({"url": url, "timestamp": stamp, "archived_snapshots": closest})

    def _play(self, stamp: str, mode: str, url: str) -> Answer:
        if self._refusal(url):
            return html_answer("Wayback Machine", "Sorry. This URL has been excluded from the Wayback Machine.")
        kept = self._nearest([k for k in self._of(url) if not k.hidden], stamp)
        if kept is None:
            return html_answer("Wayback Machine", "Hrm. The Wayback Machine has not archived that URL.", 404)
        if _stamp(kept.at) != stamp:
            return Answer(
                302, (("Location", self._address(kept, mode)), ("X-Archive-Redirect-Reason", f"found capture at {_stamp(kept.at)}"))
            )
        return self._stored(kept, mode)

    def _gate(self, url: str, when: str) -> Answer:
        kept = self._nearest(self._of(url), _stamp(parsedate_to_datetime(when)) if when else "99991231235959")
        if kept is None:
            return html_answer("Wayback Machine", "Hrm. The Wayback Machine has not archived that URL.", 404)
        return Answer(302, (("Location", self._address(kept, "")), ("Vary", "accept-datetime"), ("Link", f'<{url}>; rel="original"')))

    def _timemap(self, url: str) -> Answer:
        found = self._of(url)
        if not found:
            return Answer(404, (("Content-Type", "text/plain"),))
        lines = [f'<{url}>; rel="original"', f'<{self.origin}/web/timemap/link/{url}>; rel="self"; type="application/link-format"']
        lines += [f'<{self._address(kept, "")}>; rel="memento"; datetime="{_http(kept.at)}"' for kept in found]
        return Answer(200, (("Content-Type", "application/link-format"),), ",\n".join(lines).encode())

    def _stored(self, kept: Kept, mode: str) -> Answer:
        others = self._of(kept.url)
        place = others.index(kept)
        rels = {"first": others[0], "prev": others[place - 1] if place else None, "last": others[-1]}
        rels["next"] = others[place + 1] if place + 1 < len(others) else None
        links = [
            f'<{kept.url}>; rel="original"',
            f'<{self.origin}/web/timemap/link/{kept.url}>; rel="timemap"; type="application/link-format"',
        ]
        links += [
            f'<{self._address(one, "")}>; rel="{rel} memento"; datetime="{_http(one.at)}"' for rel, one in rels.items() if one is not None
        ]
        headers = [("Content-Type", kept.content_type), ("Memento-Datetime", _http(kept.at)), ("Link", ", ".join(links))]
        headers += [("X-Archive-Orig-Date", _http(kept.at)), ("X-Archive-Src", "loopback/LOOP-00001.warc.gz")]
        if kept.status in _REDIRECTS:
            target = urljoin(kept.url, kept.location)
            headers.append(("Location", f"{self.origin}/web/{_stamp(kept.at)}{mode}/{target}"))
        return Answer(kept.status, tuple(headers), kept.body if mode == "id_" else b"<!-- toolbar -->" + kept.body)

    # --- which captures

    def _of(self, url: str, match: str = "exact") -> list[Kept]:
        key = _key(url)
        if match == "prefix":
            return [kept for kept in self.captures if _key(kept.url).startswith(key)]
        return [kept for kept in self.captures if _key(kept.url) == key]

    def _nearest(self, found: list[Kept], stamp: str) -> Kept | None:
        want = dt.datetime.strptime((stamp + "00000101000000"[len(stamp) :])[:14], "%Y%m%d%H%M%S").replace(tzinfo=dt.UTC)
        return min(found, key=lambda kept: abs(kept.at - want), default=None)

    def _address(self, kept: Kept, mode: str) -> str:
        return f"{self.origin}/web/{_stamp(kept.at)}{mode}/{kept.url}"


def _line(kept: Kept) -> list[str]:
    digest = base64.b32encode(hashlib.sha1(kept.body, usedforsecurity=False).digest()).decode()
    kind = "warc/revisit" if kept.revisit else kept.content_type.partition(";")[0]
    return [_key(kept.url), _stamp(kept.at), kept.url, kind, "-" if kept.revisit else str(kept.status), digest, str(len(kept.body))]


def _key(url: str) -> str:
    """The key under which an archive files an address: no scheme, no www, host turned round, lower case."""
    parts = urlsplit(canonical_url(url if "//" in url else f"http://{url}").lower())
    host = ",".join(reversed((parts.hostname or "").removeprefix("www.").split(".")))
    return f"{host}){parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")


def _passes(line: list[str], rule: str) -> bool:
    name, _, pattern = rule.lstrip("!").partition(":")
    hit = re.fullmatch(pattern, line[_FIELDS.index(name)]) is not None
    return hit != rule.startswith("!")


def _collapsed(lines: list[list[str]], name: str, count: str) -> list[list[str]]:
    """Only the first of neighbouring lines whose field (its first characters) is the same."""
    place, size = _FIELDS.index(name), int(count) if count else None
    return [line for number, line in enumerate(lines) if not number or line[place][:size] != lines[number - 1][place][:size]]


def _stamp(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).strftime("%Y%m%d%H%M%S")


def _http(at: dt.datetime) -> str:
    return format_datetime(at.astimezone(dt.UTC), usegmt=True)

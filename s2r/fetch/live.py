"""Pages of the live web: asked for politely, kept as they came, and typed by their content."""

from __future__ import annotations

import datetime as dt
import html
import re
import time
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from s2r.errors import S2RError, SourceBroken, SourceTimeout, SourceUnusable
from s2r.fetch.judge import as_gap, judge_capture
from s2r.fetch.magic import true_type
from s2r.lang.markup import decode_body, visible_text
from s2r.models import Capture, Gap, Outcome
from s2r.net import CoolingDown, Net, RedirectRefused, Reply, Robots, RobotsRefused, RobotsUnread, TooLarge
from s2r.net.hints import is_limited
from s2r.net.retry import is_passing
from s2r.settings import Settings

ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"
_AGAIN = "Run the row again later."
_REFRESHES = 2  # pages that send the reader on by a meta element or a frame, on one way
_REFRESH = re.compile(r"<meta\b[^<>]*http-equiv\s*=\s*[\"']?refresh[\"']?[^<>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"content\s*=\s*[\"']?\s*(\d{1,2})(?:\.\d*)?\s*[;,]\s*url\s*=\s*[\"']?\s*([^\"'>\s][^\"'>]*)", re.IGNORECASE)
_NOSCRIPT = re.compile(r"<noscript\b.*?(?:</noscript\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL)
_REFRESH_BODY, _REFRESH_TEXT = 40_000, 300  # larger pages that reload themselves are pages
_NOFRAMES = re.compile(r"<noframes\b.*?(?:</noframes\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_FRAME = re.compile(r"<i?frame\b[^<>]*>", re.IGNORECASE)
_SOURCE = re.compile(r"\bsrc\s*=\s*(?:\"([^\"<>]+)\"|'([^'<>]+)'|([^\"'\s<>]+))", re.IGNORECASE)
_MATTER = re.compile(r"main|content|body|text|right|article|notice|detail", re.IGNORECASE)
_BESIDE = re.compile(r"menu|nav|top|banner|left|head|foot|title|toc|\bads?\b|tracking|counter|blank", re.IGNORECASE)
_FRAME_TEXT = 40  # a page with more text than that beside its frames is a page
_LOST = re.compile(r"/(?:404|error(?:page)?|not-?found|page-?not-?found|notfound)(?:[./?]|$)", re.IGNORECASE)
_FRONT = re.compile(r"/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?(?:(?:index|home|default)(?:\.\w{2,5})?)?/?", re.IGNORECASE)
# of the answer's own transport, or personal: nothing of it belongs to the page
DROPPED = frozenset({"set-cookie", "content-encoding", "transfer-encoding", "content-length", "connection", "keep-alive", "alt-svc",
                      "strict-transport-security", "nel", "report-to", "proxy-authenticate", "www-authenticate"})  # fmt: skip


class LiveFetcher:
    """A `Fetcher` over the network door; every page asked for is a capture that may be evidence, or a gap with its cause."""

    name = "live"
    judges = True

    def __init__(self, net: Net, settings: Settings, *, robots: Robots | None = None, clock: Callable[[], float] = time.time) -> None:
        self._net, self._clock = net, clock
        self._robots = robots or (Robots(net, clock=clock) if settings.robots else None)
        self._max_body = settings.max_body_mb << 20

    async def fetch(self, url: str, *, at: dt.datetime | None = None) -> Capture | Gap:
        """The page at `url`, or a gap that is typed by what came; `at` (UTC) replaces the clock. Raises no network error."""
        when = at or dt.datetime.fromtimestamp(self._clock(), dt.UTC)
        try:
            reply = await self._asked(url)
        except (S2RError, SourceUnusable) as exc:
            return _failed(url, exc)
        if is_limited(reply.status, reply.body):
            return as_gap(url, Outcome.BLOCKED, f"the server asks to slow down (status {reply.status})", _AGAIN, passing=True)
        capture = as_capture(url, reply, when)
        return judge_capture(capture, self._max_body) or lost_on_the_way(capture) or capture

    async def resolve(self, url: str) -> str | Gap:
        """Where a link of a search tool leads, which expires: its redirect is read and not followed. Raises no network error."""
        try:
            reply = await self._net.get(url, headers={"accept": ACCEPT}, redirects=False)
        except (S2RError, SourceUnusable) as exc:
            return _failed(url, exc)
        location = dict(reply.headers).get("location", "")
        target = urljoin(url, location.strip())
        if not 300 <= reply.status < 400 or not location or not target.startswith(("http://", "https://")):
            cause = f"the link of the search tool leads nowhere (status {reply.status}); such links expire"
            return as_gap(url, Outcome.NOT_FOUND, cause, "Ask the model again.", passing=reply.status >= 500)
        return target

    async def _asked(self, url: str) -> Reply:
        hook = self._robots.allow if self._robots else None
        asked = url
        hops: tuple[str, ...] = ()
        for _ in range(_REFRESHES + 1):
            reply = await self._net.get(asked, headers={"accept": ACCEPT, "accept-language": "en, *;q=0.5"}, on_hop=hook)
            reply = reply.model_copy(update={"hops": (*hops, *reply.hops)})
            onward = refresh_target(reply) or frame_target(reply)
            if not onward:
                return reply
            hops, asked = (*reply.hops, f"{reply.status} {reply.final_url}"), onward
        raise RedirectRefused("the pages send on and on", subject=url)


def as_capture(url: str, reply: Reply, when: dt.datetime) -> Capture:
    """The capture of an answer: type by its bytes where they tell, headers of the page only."""
    kind, sniffed = true_type(reply.body, reply.content_type)
    return Capture(
        url=url,
        final_url=reply.final_url,
        content_type=kind,
        body=reply.body,
        status=reply.status,
        headers=tuple((name, value) for name, value in reply.headers if name not in DROPPED),
        fetched_at=when,
        via=LiveFetcher.name,
        hops=reply.hops,
        flags=(*reply.flags, *(("sniffed",) if sniffed else ())),
    )


def refresh_target(reply: Reply) -> str:
    """Where a nearly empty page sends its reader by a meta element, "" when it does not; pages that reload themselves stay."""
    if reply.status != 200 or len(reply.body) > _REFRESH_BODY or "html" not in true_type(reply.body, reply.content_type)[0]:
        return ""
    markup = _NOSCRIPT.sub(" ", decode_body(reply.body, reply.content_type))
    element = _REFRESH.search(markup)
    found = _CONTENT.search(element.group()) if element else None
    if not found or int(found.group(1)) > 10 or len(" ".join(visible_text(markup).split())) > _REFRESH_TEXT:
        return ""
    target = urljoin(reply.final_url, html.unescape(found.group(2).strip()))
    return "" if target.partition("#")[0] == reply.final_url else target


def frame_target(reply: Reply) -> str:
    """The frame with the matter of a page that holds nothing but frames, "" for other pages; only a frame of the same host."""
    if reply.status != 200 or len(reply.body) > _REFRESH_BODY or "html" not in true_type(reply.body, reply.content_type)[0]:
        return ""
    markup = _NOSCRIPT.sub(" ", decode_body(reply.body, reply.content_type))
    body = markup[max(markup.lower().find("</head"), 0) :]
    frames = [match.group() for match in _FRAME.finditer(body)]
    told = _NOFRAMES.search(body)
    if not frames or (told and len(visible_text(told.group()).strip()) > 2 * _FRAME_TEXT):
        return ""
    if len(" ".join(visible_text(_NOFRAMES.sub(" ", body)).split())) > _FRAME_TEXT:
        return ""
    ranked = sorted(frames, key=lambda frame: (not _MATTER.search(frame), _BESIDE.search(frame) is not None))
    for frame in ranked:
        source = _SOURCE.search(frame)
        target = urljoin(reply.final_url, html.unescape(next(filter(None, source.groups())).strip())) if source else ""
        if target.startswith("http") and urlsplit(target).netloc == urlsplit(reply.final_url).netloc and target != reply.final_url:
            return target
    return ""


def lost_on_the_way(capture: Capture) -> Gap | None:
    """A gap when redirects led from a page to the front page or an error page of the site: what came is not what was asked for."""
    if not capture.hops:
        return None
    asked, came = urlsplit(capture.url), urlsplit(capture.final_url)
    if _LOST.search(came.path) and not _LOST.search(asked.path):
        return as_gap(capture.url, Outcome.NOT_FOUND, f"the site leads to its error page {capture.final_url}")
    deep = not _FRONT.fullmatch(asked.path) or bool(asked.query)
    if deep and _FRONT.fullmatch(came.path) and not came.query:
        return as_gap(capture.url, Outcome.NOT_FOUND, f"the site leads to its front page {capture.final_url}")
    return None


def _failed(url: str, error: S2RError) -> Gap:
    cause = str(error) or type(error).__name__
    match error:
        case RobotsUnread():
            return as_gap(url, Outcome.REFUSED, cause, _AGAIN, passing=True)
        case RobotsRefused():
            return as_gap(url, Outcome.REFUSED, cause, "Ask the site, try an archived copy, or set S2R_ROBOTS=0 where you may.")
        case CoolingDown():
            return as_gap(url, Outcome.BLOCKED, cause, _AGAIN, passing=True)
        case RedirectRefused():
            return as_gap(url, Outcome.ERROR, cause, "Open the page in a browser and add it to a pool, or try an archived copy.")
        case TooLarge():
            return as_gap(url, Outcome.TOO_LARGE, cause)
        case SourceBroken():
            return as_gap(url, Outcome.UNREADABLE, cause, passing=is_passing(error, repeatable=True))
        case SourceTimeout() | SourceUnusable():
            passing = isinstance(error, SourceUnusable) or is_passing(error, repeatable=True)  # our own proxy may be mended
            return as_gap(url, Outcome.ERROR, cause, passing=passing)
        case _:
            return as_gap(url, Outcome.REFUSED, cause)

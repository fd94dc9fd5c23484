"""New evidence: a page that a reviewer names is fetched through the one door, archived, and read again from the archive."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

from s2r.archive import Archive
from s2r.errors import StoreError
from s2r.extract.published import capture_claim
from s2r.fetch import Fetcher, fetch_hit
from s2r.fetch.live import LiveFetcher
from s2r.models import Capture, Claim, Frozen, Gap, Hit, Page
from s2r.net import Role, open_limiter, open_net
from s2r.reviews.answers import open_pages
from s2r.reviews.bench import Workbench, log
from s2r.reviews.errors import BadDecision, NotFound, ReviewError
from s2r.reviews.types import Evidence
from s2r.settings import Settings
from s2r.verify.quotes import find_quote

WAIT_S = 10.0  # for a run that writes to the archive at this moment
_ONE_WRITER = threading.Lock()


class Fetched(Frozen):
    """A page that was fetched and archived. `page` is read from the archived bytes; its claims say when it was public."""

    exhibit: str
    url: str
    title: str
    captured_at: dt.datetime
    page: Page


async def fetch_page(
    bench: Workbench, url: str, by: str, settings: Settings, clock: Callable[[], dt.datetime], *, fetcher: Fetcher | None = None
) -> Fetched:
    """Fetch, archive and read the page at `url`; `clock` gives UTC. Raises ReviewError with the cause when it is refused (private
    addresses, robots.txt, other schemes), blocked or no readable page, or while an audit keeps the archive."""
    if urlsplit(url).scheme not in ("http", "https") or len(url) > 2000:
        raise ReviewError("is no address of a page", subject=url[:200], advice="Give an address that begins with https:// or http://.")
    async with AsyncExitStack() as stack:
        if fetcher is None:
            limiter = open_limiter(settings)
            stack.callback(limiter.close)
            net = await stack.enter_async_context(open_net(Role.FETCH, settings, limiter))
            fetcher = LiveFetcher(net, settings, clock=lambda: clock().timestamp())
        hit = Hit(url=url, provider="reviewer", rank=1, query="")
        got = await fetch_hit(hit, fetcher, max_body=settings.max_body_mb << 20)
    if isinstance(got, Gap):
        raise ReviewError(f"{got.outcome.value}: {got.cause}", subject=url, advice=got.next_step or "Find the text at another address.")
    digest = await asyncio.to_thread(_put, bench.out, got)
    page = await asyncio.to_thread(read_page, bench, digest, got.url)
    log(bench, clock(), by, "fetch", url=got.url, exhibit=digest)
    return Fetched(exhibit=digest, url=got.url, title=page.title or got.title, captured_at=got.fetched_at, page=page)


def _put(out: Path, got: Capture) -> str:
    """Archive a capture; another writer is waited for, but not long."""
    with _ONE_WRITER:
        end = time.monotonic() + WAIT_S
        while True:
            try:
                with Archive(out) as archive:
                    return archive.put(got).digest
            except StoreError as exc:
                if "is in use" not in exc.message or time.monotonic() > end:
                    advice = "An audit is running; try again when it has ended." if "is in use" in exc.message else exc.advice
                    raise ReviewError(exc.message, subject=got.url, advice=advice) from exc
            time.sleep(0.2)


def read_page(bench: Workbench, exhibit: str, url: str = "") -> Page:
    """A page as extracted anew from its archived bytes, with the time of its capture among its date claims; raises NotFound."""
    page = open_pages(bench.out, {exhibit}, {exhibit: url}).get(exhibit)
    if page is None:
        raise NotFound("is not in the archive, or cannot be read", subject=exhibit, advice="`s2r verify` lists damage of the archive.")
    try:
        with Archive(bench.out, read_only=True) as archive:
            known = archive.exhibit(exhibit)
    except StoreError:
        known = None
    return page.model_copy(update={"claims": (*page.claims, capture_claim(known.captured_at))}) if known else page


def locate(bench: Workbench, field: str, exhibit: str, quote: str, *, start: int = -1, end: int = -1, url: str = "") -> Evidence:
    """Evidence of a quote: its span in the archived page, to the letter or after folding; raises BadDecision when it does not stand there
    as one span, NotFound when the page is not archived."""
    page = read_page(bench, exhibit, url)
    claim = Claim(field=field, value="", quote=quote, exhibit=exhibit, url=page.url, start=start, end=end)
    found = find_quote(claim, page, {})
    if found is None:
        advice = "Select the sentence in the text of the page."
        raise BadDecision("the quote is not one span of the archived page", field="evidence", subject=exhibit, advice=advice)
    return Evidence(field=field, exhibit=exhibit, start=found[1], end=found[2], quote=page.text[found[1] : found[2]], url=page.url)

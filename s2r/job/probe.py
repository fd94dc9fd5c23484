"""One cheap request for each role of a live run, and what is wrong when it fails."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import ssl
import time
from collections.abc import Callable, Iterable
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from s2r.errors import S2RError
from s2r.fetch.webarchive import NoCapture, WebArchive, archive_limits, archive_urls, archives_of
from s2r.job.live import LiveOptions, LivePlan, plan_live
from s2r.models import Query
from s2r.net import NO_RETRY, Caps, Mask, Net, NotConnected, Role, open_limiter, open_net
from s2r.policy import load_policy
from s2r.search.base import Provider, State
from s2r.search.caller import NoLedger
from s2r.search.registry import open_providers
from s2r.search.source import SourceContext
from s2r.settings import Settings

PAGE = "https://example.com/"  # reserved for examples, answers with a small page
WORDS = "stock exchange notice"
MAX_SKEW_S = 120.0  # pages are dated by our clock, and limits of services by theirs
_SECONDS = 15.0
_ARCHIVE = "Check S2R_WAYBACK_URL, S2R_WAYBACK_AVAILABILITY_URL or S2R_MEMENTO_URL, S2R_SEARCH_PROXY and the firewall."


class Finding(NamedTuple):
    """One check: its name, whether all is well, what was found, and how to mend it. Holds no secret."""

    check: str
    ok: bool
    found: str
    fix: str = ""


async def probe_live(
    options: LiveOptions, policies: Path, settings: Settings, clock: Callable[[], dt.datetime], *, calls: bool, page: str = PAGE
) -> list[Finding]:
    """Services, proxies and certificates as they are set, and with `calls` one request of each service and one page.

    `clock` gives UTC; it is compared with the one of the page's server. Raises nothing for what is wrong.
    """
    found = [*_proxies(settings), *_bundles(settings)]
    try:
        live = plan_live(options, policies)
    except S2RError as exc:
        first, _, rest = exc.advice.partition("\n")
        fix = f"{first} {' '.join(rest.split())}".strip()
        return [*found, Finding("search", not options.search and "no search provider" in exc.message, exc.message, fix)]
    prices = "; ".join(f"{a.name} {f'${a.price.usd:g}' if a.price.usd is not None else 'price unknown'}" for a in live.accounts.values())
    found.append(Finding("search", True, f"{live.text} (a call: {prices})"))
    if not settings.contact:
        found.append(Finding("contact", True, "no contact in the User-Agent", "Set S2R_CONTACT to an address at which sites reach you."))
    if not calls or any(not finding.ok for finding in found):
        return found
    archives = await _archives(live, settings, clock, page)
    return [*found, *await _asked(live, settings, policies, clock), *archives, *await _fetched(live, settings, clock, page)]


async def _archives(live: LivePlan, settings: Settings, clock: Callable[[], dt.datetime], page: str) -> list[Finding]:
    """One cheap request to each web archive that is set up: availability where it has it, else the capture that it plays."""
    own = settings.wayback_url != Settings().wayback_url or bool(settings.memento_url)
    if not settings.archived_copies and not own:
        return []
    limiter, found = open_limiter(settings, archive_limits(settings)), list[Finding]()
    try:
        async with open_net(Role.SEARCH, settings, limiter, endpoints=archive_urls(settings), secrets=live.secrets, retry=NO_RETRY) as net:
            for endpoint in archives_of(settings):
                found.append(await _archive(WebArchive(net, endpoint), settings, clock(), page))
    except S2RError as exc:
        found.append(Finding("web archive", False, exc.message, exc.advice or _ARCHIVE))
    finally:
        limiter.close()
    return found


async def _archive(archive: WebArchive, settings: Settings, now: dt.datetime, page: str) -> Finding:
    """What one archive says of a page; it is needed only where it is asked for, which the finding tells."""
    use = "" if settings.archived_copies else " (asked only with --point-in-time or S2R_ARCHIVED_COPIES=1)"
    check, began = f"web archive {archive.name}", time.monotonic()
    try:
        async with asyncio.timeout(_SECONDS):
            if archive.endpoints.availability:
                known = await archive.available(page, now)
                at = known.at if known else None
            else:
                at = (await archive.play(page, now)).captured_at
    except NoCapture:
        at = None
    except TimeoutError:
        return Finding(check, False, f"no answer within {time.monotonic() - began:.0f} s{use}", _ARCHIVE)
    except S2RError as exc:
        return Finding(check, False, f"{exc}{use}", exc.advice or _ARCHIVE)
    return Finding(check, True, (f"a capture of {page} of {at:%Y-%m-%d}" if at else f"no capture of {page}") + use)


async def _asked(live: LivePlan, settings: Settings, policies: Path, clock: Callable[[], dt.datetime]) -> list[Finding]:
    limiter = open_limiter(settings, live.limits)
    found: list[Finding] = []
    try:
        caps = settings.model_copy(update={"fetch_timeout_s": min(_SECONDS, settings.fetch_timeout_s)})
        net = open_net(Role.SEARCH, caps, limiter, endpoints=live.endpoints, secrets=live.secrets, retry=NO_RETRY)
        async with net:
            names = tuple((name,) for chain in live.plan for name in chain)
            policy = load_policy(root=policies)
            registers = [
                spec.open(SourceContext(live.values[name], settings, net, policy, policies, NoLedger(), clock))
                for name, spec in live.sources.items()
            ]
            services = open_providers(names, live.accounts, live.specs, net, NoLedger())
            for provider in (*services, *(one for one in registers if isinstance(one, Provider))):
                check, name = f"search {provider.name}", provider.name
                upper = name.upper()
                host = urlsplit(live.accounts[name].url).hostname if name in live.accounts else live.sources[name].title
                try:
                    answer = await provider.find(Query(text=WORDS), 1)
                except S2RError as exc:
                    found.append(Finding(check, False, str(exc), exc.advice or f"Check S2R_{upper}_KEY and S2R_{upper}_URL."))
                    continue
                if answer.state is State.FAILED:
                    fix = f"Check S2R_{upper}_URL, S2R_SEARCH_PROXY, and that {host} can be reached from here."
                    found.append(Finding(check, False, answer.cause, fix))
                else:
                    found.append(Finding(check, True, f"{host}: {answer.state.value}" + (f" ({answer.note})" if answer.note else "")))
    except S2RError as exc:
        found.append(Finding("search client", False, exc.message, exc.advice))
    finally:
        limiter.close()
    return found


async def _fetched(live: LivePlan, settings: Settings, clock: Callable[[], dt.datetime], page: str) -> list[Finding]:
    limiter = open_limiter(settings)
    try:
        async with open_net(Role.FETCH, settings, limiter, secrets=live.secrets, retry=NO_RETRY) as net:
            return await _page(net, clock, page)
    except S2RError as exc:
        return [Finding("fetch", False, exc.message, exc.advice)]
    finally:
        limiter.close()


async def _page(net: Net, clock: Callable[[], dt.datetime], page: str) -> list[Finding]:
    via = " through the proxy, which resolves names itself: the guard sees only addresses as written" if net.proxied else ""
    try:
        reply = await net.get(page, caps=Caps(wire=1 << 20, body=1 << 20, total_s=_SECONDS))
    except S2RError as exc:
        fix = exc.advice or ("Check the proxy, the name server and the firewall." if isinstance(exc, NotConnected) else "Check the proxy.")
        return [Finding("fetch", False, str(exc), fix)]
    found = [Finding("fetch", reply.status < 500, f"{page}: status {reply.status}, {reply.http}{via}")]
    try:
        skew = abs((parsedate_to_datetime(reply.header("date")) - clock()).total_seconds())
    except (ValueError, TypeError):
        return [*found, Finding("clock", True, "the page's server told no time")]
    fix = "" if skew <= MAX_SKEW_S else "Set the clock of this machine (NTP): pages are dated by it."
    return [*found, Finding("clock", skew <= MAX_SKEW_S, f"{skew:.0f} s from that of the page's server", fix)]


def _proxies(settings: Settings) -> Iterable[Finding]:
    hide = Mask()
    for role in ("", "search_", "fetch_"):
        value = getattr(settings, f"{role}proxy")
        if not value:
            continue
        check, name = f"{role.replace('_', ' ')}proxy", f"S2R_{role.upper()}PROXY"
        try:
            parts = urlsplit(value)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            good = False
        yield Finding(check, good, hide(value) if good else "is no address of a proxy", "" if good else f"Set {name} to http://host:port.")


def _bundles(settings: Settings) -> Iterable[Finding]:
    for role in ("", "search_", "fetch_"):
        path: Path | None = getattr(settings, f"{role}ca_bundle")
        if path is None:
            continue
        check, name = f"{role.replace('_', ' ')}certificates", f"S2R_{role.upper()}CA_BUNDLE"
        try:
            context = ssl.create_default_context(cafile=None if path.is_dir() else str(path), capath=str(path) if path.is_dir() else None)
            count = context.cert_store_stats()["x509"] if not path.is_dir() else len(os.listdir(path))
            yield Finding(
                check, count > 0, f"{path}: {count} authorities", "" if count else f"Point {name} to a PEM file with authorities."
            )
        except (OSError, ssl.SSLError) as exc:
            yield Finding(check, False, f"{path}: {exc.strerror or exc}", f"Point {name} to a PEM file, or to a folder of them.")

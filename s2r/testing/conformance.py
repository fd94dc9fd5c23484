"""What every search provider must keep, as checks against the loopback world: for those of s2r and for those of other packages.

`failures(spec, service)` runs all checks; a provider that fails none never reads a failure as "nothing found", shows no key, and
pays for what it asks.
"""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import io
import json
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from s2r.errors import BudgetExceeded, SourceUnusable
from s2r.models import Hit, Query
from s2r.net import NO_RETRY, Caps, CoolingDown, Limit, Limiter, RetryRule
from s2r.policy.types import LANGUAGES
from s2r.search.base import Provider, SearchAnswer, State
from s2r.search.caller import Account, Caller, Price, ProviderSpec, SearchCall
from s2r.search.registry import read_accounts
from s2r.testing.faults import BROKEN, FAULTS, LOST, SLOWER, STALLED, Fault, fault, limited
from s2r.testing.registers import REGISTERS
from s2r.testing.server import json_answer
from s2r.testing.services import SERVICES, Service
from s2r.testing.world import World

_PRICE = Price(per_1000=5.0, as_of=dt.date(2026, 11, 1), source="conformance", rate=1e5, concurrency=100)
_PLACES = ("Alderwick", "Brantholm", "Corriemoor", "Dunvegar", "Eastrigg")
FOUND = Query(text='"Alderwick Instruments" delisting', lang="en")
NOTHING = Query(text='"Zzyzx Qwertzuiop" delisting', lang="en")


class NotKept(AssertionError):
    """A provider does not keep what it must; the message says what happened."""


class Purse:
    """A ledger that keeps every call; with `closed` nothing may be called."""

    def __init__(self, closed: bool = False) -> None:
        self.closed, self.reserved, self.booked = closed, list[float | None](), list[SearchCall]()

    def reserve(self, provider: str, usd: float | None) -> int | None:
        """Note it, or raise `BudgetExceeded`."""
        if self.closed:
            raise BudgetExceeded("the purse is closed")
        self.reserved.append(usd)
        return len(self.reserved)

    def book(self, call: SearchCall) -> None:
        """Note it."""
        self.booked.append(call)


class Clock:
    """A clock that moves when it is slept by."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Move on at once."""
        self.now += seconds
        await asyncio.sleep(0)


@dataclass(slots=True)
class Trial:
    """One provider in a fresh world: the provider, its service, and all that it leaves behind."""

    spec: ProviderSpec
    world: World
    account: Account
    provider: Provider
    purse: Purse
    limiter: Limiter
    log: io.StringIO = field(default_factory=io.StringIO)

    @property
    def name(self) -> str:
        """Name of the provider."""
        return self.spec.name

    async def find(self, query: Query = FOUND, limit: int = 10) -> SearchAnswer:
        """Its answer; `SourceUnusable` comes out."""
        return await self.provider.find(query, limit)


def write_pool(folder: Path) -> Path:
    """A small pool: two pages for each of five companies, on two sites, and more pages on one of them."""
    path = folder / "pool.jsonl"
    pages = [
        {
            "url": f"https://{site}/news/{place.lower()}-{number}",
            "title": f"{place} Instruments: notice of delisting {number}",
            "content_type": "text/html",
            "body": f"<html><title>{place} Instruments</title><p>{place} Instruments plc (Société) will leave the official list.</p>",
        }
        for place in _PLACES
        for site in ("wire.example", "notices.exchange.example")
        for number in range(1, 16 if place == _PLACES[0] else 2)
    ]
    path.write_text("\n".join(json.dumps(page) for page in pages), "utf-8")
    return path


@asynccontextmanager
async def trial(
    spec: ProviderSpec,
    pool: Path | None,
    *,
    services: Iterable[Service] = (),
    caps: Caps | None = None,
    retry: RetryRule | None = NO_RETRY,
    purse: Purse | None = None,
    key: str | None = None,
) -> AsyncIterator[Trial]:
    """A provider connected to its service in a fresh world, over a real client with a clock that does not wait."""
    clock, purse = Clock(), purse or Purse()
    with World(pool, services=services) as world:
        env = world.env(spec.name) | {f"S2R_{spec.name.upper()}_{name.upper()}": "world" for name in spec.options}
        if key is not None:
            env[f"S2R_{spec.name.upper()}_KEY"] = key
        account = read_accounts(env, {spec.name: spec}, {spec.name: _PRICE})[spec.name]
        limiter = Limiter(None, {account.bucket: Limit(rate=1e5, concurrency=100)}, clock=clock, sleep=clock.sleep)
        async with world.net(limiter=limiter, retry=retry, caps=caps, clock=clock, sleep=clock.sleep, jitter=lambda: 0.5) as net:
            yield Trial(spec, world, account, spec.connect(Caller(account, net, purse)), purse, limiter)
        limiter.close()


class Check(NamedTuple):
    """One thing that must be kept."""

    name: str
    run: Callable[[ProviderSpec, Mapping[str, Service], Path], Coroutine[Any, Any, None]]


async def failures(spec: ProviderSpec, service: Service, pool: Path) -> list[tuple[str, str]]:
    """(check, what happened) of every check that a provider does not keep; `service` is its dialect, `pool` from `write_pool`."""
    known = {found.name: found for found in (*SERVICES, *REGISTERS)} | {service.name: service}
    found = []
    for check in CHECKS:
        try:
            await check.run(spec, known, pool)
        except NotKept as exc:
            found.append((check.name, str(exc)))
    return found


def _must(kept: bool, words: str) -> None:
    if not kept:
        raise NotKept(words)


def _extra(spec: ProviderSpec, known: Mapping[str, Service]) -> tuple[Service, ...]:
    """The dialect that the world has to learn for this provider."""
    return () if any(service.name == spec.name for service in (*SERVICES, *REGISTERS)) else (known[spec.name],)


async def _answered(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    async with trial(spec, pool, services=_extra(spec, known)) as seen:
        for limit in (1, 3, 10, 60):
            answer = await seen.find(limit=limit)
            _must(answer.state is State.ANSWERED and not answer.cause, f"{answer.state}: {answer.cause}")
            _must(1 <= len(answer.hits) <= limit, f"{len(answer.hits)} hits for a limit of {limit}")
            _must([hit.rank for hit in answer.hits] == list(range(1, len(answer.hits) + 1)), "ranks do not count from 1")
            _must(all(hit.provider == spec.name and hit.query == FOUND.text for hit in answer.hits), "provider or query of a hit is wrong")
            _must(all(_is_about(hit, "alderwick", known[spec.name]) for hit in answer.hits), "hits are not those of the service")
        _must(all(status == 200 for status in seen.world.answers(spec.name)), f"statuses {seen.world.answers(spec.name)}")


def _is_about(hit: Hit, place: str, service: Service) -> bool:
    """Whether a hit is one for a place: a page of it, or for registers a record with its name."""
    return place in (hit.url if service.pages else hit.title.lower()) and bool(hit.title)


async def _empty(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    async with trial(spec, pool, services=_extra(spec, known)) as seen:
        answer = await seen.find(NOTHING)
        _must(answer.state is State.EMPTY and not answer.hits and not answer.cause, f"{answer.state}: {answer.cause}")


async def _absent(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    async with trial(spec, pool, services=_extra(spec, known)) as seen:
        service = known[spec.name]
        seen.world.script(spec.name, lambda _, __: service.absent)
        answer = await seen.find()
        _must(answer.state == service.absent_means, f"{answer.state} in place of {service.absent_means}")


async def _wrong_key(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    if not spec.needs_key:
        return
    async with trial(spec, pool, services=_extra(spec, known), key="not-the-right-key-77") as seen:
        for _ in range(3):
            try:
                answer = await seen.find()
            except SourceUnusable as exc:
                _must("not-the-right-key-77" not in str(exc), "the message shows the key")
                _must(f"S2R_{spec.name.upper()}" in str(exc), f"the message does not name the setting: {exc}")
            else:
                raise NotKept(f"a refused key gave {answer.state}")
        _must(len(seen.world.calls(spec.name)) == 1, "the service was asked again after it refused the key")


async def _outcome(seen: Trial, query: Query = FOUND) -> tuple[str, SearchAnswer]:
    try:
        answer = await seen.find(query)
    except SourceUnusable as exc:
        return "unusable", SearchAnswer(state=State.FAILED, cause=str(exc))
    return str(answer.state), answer


def _fault_check(told: Fault) -> Check:
    async def run(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
        caps = Caps(total_s=0.4, read_s=0.4) if told in STALLED else None
        async with trial(spec, pool, services=_extra(spec, known), caps=caps) as seen:
            seen.world.script(spec.name, told)
            state, answer = await _outcome(seen)
            means = {told.means, "unusable"} if spec.name == "searxng" and "403" in told.name and told.means == "failed" else {told.means}
            _must(state in means, f"{state} ({answer.cause or answer.note}) in place of {told.means}")
            _must(told.means == "answered" or bool(answer.cause), "a failure without a cause")
            booked = seen.purse.booked
            _must(len(booked) == 1 and str(booked[0].state) == ("failed" if told.means == "unusable" else told.means), f"booked {booked}")
            if told.wait is not None and state != "unusable":
                try:
                    async with seen.limiter.slot(seen.account.bucket, patience=0.0):
                        raise NotKept(f"the limiter was not told to wait {told.wait} s")
                except CoolingDown as exc:
                    _must(abs(exc.seconds - told.wait) < 3.0, f"the limiter waits {exc.seconds:.1f} s in place of {told.wait}")
            elif state == told.means != "unusable" and told not in SLOWER:
                state, answer = await _outcome(seen)
                _must(state == "answered", f"after the fault: {state} ({answer.cause})")

    return Check(f"fault: {told.name}", run)


async def _retried(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    for told in (one for one in FAULTS if one.repeated and one not in STALLED):
        async with trial(spec, pool, services=_extra(spec, known), retry=None) as seen:
            seen.world.script(spec.name, told)
            state, answer = await _outcome(seen)
            _must(state == "answered", f"{told.name}, then a good answer: {state} ({answer.cause})")
            _must(len(seen.world.calls(spec.name)) == 2, f"{told.name}: {len(seen.world.calls(spec.name))} calls")
            lost, booked = told in LOST, seen.purse.booked
            _must(len(booked) == len(seen.purse.reserved) == 1 + lost, f"{told.name}: {len(booked)} bookings of 2 calls")
            _must(not lost or booked[0].basis == "bound", f"{told.name}: what may have been billed is booked as {booked[0].basis}")
            _must([call.intent for call in booked] == list(range(1, 2 + lost)), f"{told.name}: bookings of other calls")
    async with trial(spec, pool, services=_extra(spec, known), retry=None) as seen:
        seen.world.always(spec.name, fault("connection reset"))
        await _outcome(seen)
        calls = len(seen.world.calls(spec.name))
        _must(calls == len(seen.purse.booked) == 2, f"{calls} calls that may be billed, {len(seen.purse.booked)} bookings")


async def _not_retried(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    for name in ("402", "432 plan limit", "433 pay-as-you-go limit", "429 insufficient_quota", "401", "404"):
        async with trial(spec, pool, services=_extra(spec, known), retry=None) as seen:
            seen.world.always(spec.name, fault(name))
            await _outcome(seen)
            _must(len(seen.world.calls(spec.name)) == 1, f"{name} was sent {len(seen.world.calls(spec.name))} times")


async def _long_queries(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    texts = (
        '"Alderwick Instruments" ' + "delisting " * 300,
        '"Alderwick Instruments ' + "and Associated Holdings " * 60 + '"',
        "Alderwick" * 700,
        "上市公司終止上市" * 300,
    )
    for text in texts:
        for site in ("", "notices.exchange.example") if known[spec.name].pages else ("",):
            async with trial(spec, pool, services=_extra(spec, known)) as seen:
                answer = await seen.find(Query(text=text, site=site))
                _must(answer.state is not State.FAILED, f"{len(text)} characters: {answer.cause}")
                _must("cut" in answer.note or len(text) < 2500, f"{len(text)} characters: cut without a word ({answer.note!r})")


async def _sites(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    async with trial(spec, pool, services=_extra(spec, known)) as seen:
        answer = await seen.find(Query(text='"Brantholm Instruments"', site="notices.exchange.example"))
        _must(
            [hit.url for hit in answer.hits] == ["https://notices.exchange.example/news/brantholm-1"]
            or (not known[spec.name].pages and all("notices.exchange" not in hit.url for hit in answer.hits)),
            f"hits {answer.hits} {answer.cause}",
        )


async def _hints(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    day = dt.date(2020, 3, 4)
    async with trial(spec, pool, services=_extra(spec, known)) as seen:
        for lang in ("", *LANGUAGES):
            for country in ("", "US", "JP", "BR", "HK", "LU", "KE"):
                answer = await seen.find(Query(text=FOUND.text, lang=lang, country=country, before=day))
                _must(answer.state is State.ANSWERED, f"language {lang!r}, country {country!r}: {answer.cause}")
        for after, before in ((day, None), (None, day), (day, day)):
            answer = await seen.find(Query(text=FOUND.text, after=after, before=before))
            _must(answer.state is State.ANSWERED, f"after {after}, before {before}: {answer.cause}")


async def _secrets(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        async with trial(spec, pool, services=_extra(spec, known)) as seen:
            key = seen.world.key(spec.name)
            echo = json_answer({"error": {"message": f"the key {key} (Bearer {key}) is bad"}, "detail": key, "message": key}, 400)
            for change in (lambda _, __: echo, *BROKEN, limited(429), None):
                seen.world.script(spec.name, change)
                try:
                    answer = await seen.find()
                    said = f"{answer!r} {answer.model_dump_json()}"
                except SourceUnusable as exc:
                    said = f"{exc!r} {exc} {exc.__cause__!r} {exc.__context__!r}"
                _must(key not in said, f"the key is shown: {said[:300]}")
            shown = f"{seen.provider!r} {seen.account!r} {seen.account.model_dump()!r} {seen.purse.booked!r} {log.getvalue()}"
            token = base64.b64encode(f"{key}:".encode()).decode()  # as user of HTTP Basic
            _must(key not in shown and token not in shown, "the key is shown by a repr, the ledger or a log")
            _must(
                spec.needs_key is False
                or any(key in (sent := f"{call.headers} {call.query}") or token in sent for call in seen.world.calls(spec.name)),
                "no key was sent",
            )
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


async def _paid(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    async with trial(spec, pool, services=_extra(spec, known)) as seen:
        await seen.find()
        await seen.find(NOTHING)
        seen.world.script(spec.name, fault("500"), fault("connection reset"))
        await seen.find()
        await seen.find()
        booked = seen.purse.booked
        _must(len(booked) == len(seen.purse.reserved) == 4, f"{len(booked)} bookings of 4 calls")
        _must([str(call.state) for call in booked] == ["answered", "empty", "failed", "failed"], f"booked {booked}")
        _must(all(call.usd is not None and 0.0 < call.usd <= 0.1 for call in booked[:2]), f"prices {[call.usd for call in booked]}")
        _must(booked[2].usd == 0.0, "a refused call was paid for")
        _must(booked[3].basis == "bound" and booked[3].usd == _PRICE.usd, "a lost answer may have been billed")


async def _budget(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    async with trial(spec, pool, services=_extra(spec, known), purse=Purse(closed=True)) as seen:
        try:
            await seen.find()
        except BudgetExceeded:
            _must(not seen.world.calls(spec.name), "a call was made though the budget is used up")
        else:
            raise NotKept("the budget was not asked")


async def _together(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    async with trial(spec, pool, services=_extra(spec, known)) as seen:
        found = await asyncio.gather(*(seen.find(Query(text=f'"{place} Instruments"')) for place in _PLACES * 4))
        for place, answer in zip(_PLACES * 4, found, strict=True):
            _must(
                all(_is_about(hit, place.lower(), known[spec.name]) for hit in answer.hits) and bool(answer.hits),
                f"answers of {place} were mixed up",
            )


async def _weather(spec: ProviderSpec, known: Mapping[str, Service], pool: Path) -> None:
    """Of many queries at once, each second answer spoiled by chance, each gets its own answer and none reads as empty."""
    spoilt = [told for told in FAULTS if told.means in ("failed", "answered") and told not in STALLED and "redirect" not in told.name]
    async with trial(spec, pool, services=_extra(spec, known), retry=None) as seen:
        seen.world.sometimes(spec.name, 0.5, spoilt, seed=11)
        asked = [Query(text=f'"{_PLACES[number % len(_PLACES)]} Instruments" {number}') for number in range(60)]
        found = await asyncio.gather(*(_outcome(seen, query) for query in asked))
        states = Counter(state for state, _ in found)
        _must(states.total() == len(asked) and states["answered"] > 0, f"{dict(states)} of {len(asked)} queries")
        _must(not states["empty"], f"{states['empty']} of {len(asked)} failures read as nothing found")
        _must(all(answer.cause for state, answer in found if state in ("failed", "unusable")), "a failure without a cause")


CHECKS: tuple[Check, ...] = (
    Check("a query with pages is answered", _answered),
    Check("a query without pages is empty", _empty),
    Check("a missing section means what it means", _absent),
    Check("a refused key ends the calls", _wrong_key),
    *(_fault_check(told) for told in FAULTS),
    Check("what may pass is tried again", _retried),
    Check("what stays is not tried again", _not_retried),
    Check("long queries are cut to the limits", _long_queries),
    Check("a site keeps other sites out", _sites),
    Check("every hint is a valid parameter", _hints),
    Check("no key is shown", _secrets),
    Check("every call is booked", _paid),
    Check("no call without a budget", _budget),
    Check("calls side by side keep apart", _together),
    Check("nothing is lost in bad weather", _weather),
)

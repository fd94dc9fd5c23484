"""The live web of a run: which providers and sources are set up, what is asked of them, and the clients that ask."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from s2r.adjudicate.cutoff import cutoff_end
from s2r.errors import ConfigError
from s2r.fetch import Fetcher
from s2r.fetch.sources import PageSources
from s2r.fetch.webarchive import archive_limits, archive_urls
from s2r.job.sources import known_sources
from s2r.models import Gap, Listing
from s2r.net import AddressRefused, Limit, Limiter, Net, Role, open_limiter, open_net
from s2r.policy import Policy
from s2r.search import Provider, Source
from s2r.search.caller import Account, Ledger, ProviderSpec
from s2r.search.official.identity import IdentitySource
from s2r.search.plan import Plan, parse_plan, plan_text
from s2r.search.registry import (
    all_set_ups,
    check_plan,
    default_plan,
    known_providers,
    load_prices,
    open_providers,
    operator_urls,
    read_accounts,
    search_limits,
    secrets_of,
    setting_names,
    unpriced,
)
from s2r.search.source import KEY, URL, SourceContext, SourceSpec, read_source_values, setting_of, source_setting_names
from s2r.settings import Settings

NOTHING = (
    "Give a sealed pool with --pool PATH (JSON lines, WARC, WACZ or a folder), or set up a search provider and run the command again. "
    "One of these is enough:\n{set_ups}\nTo try s2r without a key or a network, run `make demo` in a checkout."
)


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """What a live run is asked to do: the text of `--search` ("" = all that is set up), the cap in USD, environment and s2r.toml."""

    search: str = ""
    max_usd: float | None = None
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    file: Mapping[str, object] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class LivePlan:
    """Checked before any work: providers by chains, and sources with their settings. Holds keys; they are never shown."""

    plan: Plan
    specs: Mapping[str, ProviderSpec]
    accounts: Mapping[str, Account]
    sources: Mapping[str, SourceSpec]
    values: Mapping[str, Mapping[str, str]] = field(repr=False)

    @property
    def text(self) -> str:
        """Sources and providers as `--search` would name them."""
        return ",".join(filter(None, (*self.sources, plan_text(self.plan))))

    @property
    def secrets(self) -> tuple[str, ...]:
        """All keys."""
        keys = (values.get(KEY, "") for values in self.values.values())
        return (*secrets_of(self.accounts), *filter(None, keys))

    @property
    def endpoints(self) -> tuple[str, ...]:
        """Addresses that the operator has set; only these may be private."""
        urls = (values.get(URL, "") for values in self.values.values())
        return (*operator_urls(self.accounts), *filter(None, urls))

    @property
    def limits(self) -> dict[str, Limit]:
        """Limits by bucket or end of a host, for the shared limiter."""
        found = search_limits(self.accounts)
        for spec in self.sources.values():
            found |= spec.limits
        return found


NO_SEARCH = LivePlan(plan=(), specs={}, accounts={}, sources={}, values={})  # pages are fetched, nothing is searched


@dataclass(frozen=True, slots=True)
class LiveWeb:
    """An opened live web."""

    providers: tuple[Provider, ...]
    sources: tuple[Source, ...]
    identity: tuple[IdentitySource, ...]
    fetcher: Fetcher
    fetcher_for: Callable[[Listing], Fetcher] | None = None  # at a point in time: pages as archived by the row's cutoff
    resolve: Callable[[str], Awaitable[str | Gap]] | None = None  # where a link of a search tool leads
    limiter: Limiter | None = None  # what all of these share
    limits: Mapping[str, Limit] = field(default_factory=dict)


def live_setting_names() -> frozenset[str]:
    """All names of s2r.toml that belong to providers and sources."""
    return frozenset(setting_names(known_providers())) | frozenset(source_setting_names(known_sources()))


def plan_live(options: LiveOptions, policies: Path) -> LivePlan:
    """What a live run will ask; raises `ConfigError` that says what to set, and for a provider without a price under a cap."""
    specs, known = known_providers(), known_sources()
    accounts = read_accounts(options.env, specs, load_prices(policies), options.file)
    values = read_source_values(options.env, known, options.file)
    if options.search:
        plan, named = _named(options.search, specs, known)
        for name in named:
            if name not in values:
                parts = " and ".join(setting_of(name, part) for part in known[name].needed)
                raise ConfigError("is not set up", subject=f"--search {name}", advice=f"Set {parts} ({known[name].get_key}).")
        check_plan(plan, accounts, specs)
    else:
        plan, named = default_plan(accounts, specs), tuple(name for name in values if known[name].default)
        if not plan:
            set_ups = "\n".join(f"  {text}" for text in all_set_ups(specs))
            advice = NOTHING.format(set_ups=set_ups)
            raise ConfigError("nothing to search: no pool was given and no search provider is set up", subject="s2r audit", advice=advice)
    used = {name for chain in plan for name in chain}
    found = LivePlan(
        plan=plan,
        specs=specs,
        accounts={name: account for name, account in accounts.items() if name in used},
        sources={name: known[name] for name in named},
        values={name: values[name] for name in named},
    )
    if options.max_usd is not None:
        check_prices(found, policies, "--max-usd")
    return found


def check_prices(live: LivePlan, policies: Path, option: str) -> None:
    """Raise `ConfigError` for a provider without a price: the cap of `option` could not be kept with it."""
    if names := unpriced(live.plan, live.accounts):
        advice = f"Add its price to {policies / 'prices.toml'} as [search.{names[0]}], leave it out of --search, or leave {option} out."
        raise ConfigError(f"the price of {', '.join(names)} is unknown, so a cap cannot be kept", subject=option, advice=advice)


@asynccontextmanager
async def open_live(
    live: LivePlan,
    policy: Policy,
    policies: Path,
    settings: Settings,
    ledger: Ledger,
    clock: Callable[[], dt.datetime],
    *,
    point_in_time: bool = False,
) -> AsyncIterator[LiveWeb]:
    """Clients, providers, sources and the fetcher of a live run, closed at the end. `clock` gives UTC.

    All share one limiter, also with other runs that have the same `home`. Raises `ConfigError` for an unusable proxy or CA bundle.
    """
    async with AsyncExitStack() as stack:
        archiving = point_in_time or settings.archived_copies
        limits = live.limits | (archive_limits(settings) if archiving else {})
        limiter = open_limiter(settings, limits)
        endpoints = (*live.endpoints, *(archive_urls(settings) if archiving else ()))
        stack.callback(limiter.close)

        async def client(role: Role) -> Net:
            try:
                net = open_net(role, settings, limiter, endpoints=endpoints if role is Role.SEARCH else (), secrets=live.secrets)
            except AddressRefused as exc:
                raise ConfigError(exc.message, subject=exc.subject, advice="Mend the address of the service.") from exc
            return await stack.enter_async_context(net)

        asker = await client(Role.SEARCH)
        pages = PageSources(await client(Role.FETCH), asker, settings, policy, clock, point_in_time=point_in_time)

        def in_time(listing: Listing) -> Fetcher:
            return pages.until(cutoff_end(listing, policy))

        def context(name: str) -> SourceContext:
            return SourceContext(live.values[name], settings, asker, policy, policies, ledger, clock)

        opened = [spec.open(context(name)) for name, spec in live.sources.items()]
        yield LiveWeb(
            providers=open_providers(live.plan, live.accounts, live.specs, asker, ledger),
            sources=tuple(one for one in opened if isinstance(one, Source)),
            identity=tuple(one for one in opened if isinstance(one, IdentitySource)),
            fetcher=pages.latest(),
            fetcher_for=in_time if point_in_time else None,
            resolve=pages.page.resolve,
            limiter=limiter,
            limits=limits,
        )


def _named(text: str, specs: Mapping[str, ProviderSpec], known: Mapping[str, SourceSpec]) -> tuple[Plan, tuple[str, ...]]:
    """Chains of providers and names of sources of a `--search`; a source stands alone."""
    chains = parse_plan(text, [*specs, *known])
    for chain in chains:
        if len(chain) > 1 and (inside := [name for name in chain if name in known]):
            advice = f"Write it as {inside[0]},{'>'.join(name for name in chain if name not in known)}."
            raise ConfigError(f"{inside[0]} is asked once for a listing and stands in no chain", subject=f"--search {text}", advice=advice)
    return tuple(c for c in chains if c[0] not in known), tuple(c[0] for c in chains if c[0] in known)

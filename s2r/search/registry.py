"""All search providers by name: those of s2r and those that other packages offer, with their settings, prices and limits."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from s2r.errors import ConfigError, PolicyError
from s2r.net.limits import Limit, paced
from s2r.search import brave, exa, google_cse, perplexity, searxng, serper, tavily, you
from s2r.search.base import Provider
from s2r.search.caller import Account, Caller, HttpDoor, Ledger, Price, ProviderSpec, is_contact
from s2r.search.plan import Chain, Plan

GROUP = "s2r.search_providers"  # entry points of other packages; each names a `ProviderSpec`
PROVIDERS: tuple[ProviderSpec, ...] = (
    brave.SPEC,
    tavily.SPEC,
    exa.SPEC,
    serper.SPEC,
    searxng.SPEC,
    you.SPEC,
    perplexity.SPEC,
    google_cse.SPEC,
)
PRICES_FILE = "prices.toml"
_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}\Z")
Specs = Mapping[str, ProviderSpec]


def known_providers(found: Iterable[metadata.EntryPoint] | None = None) -> dict[str, ProviderSpec]:
    """All providers by name; `found` are the entry points of group `s2r.search_providers` (default: those installed).

    Raises `ConfigError` for an entry point that cannot be loaded, is no `ProviderSpec`, or takes a name that is in use.
    """
    specs = {spec.name: spec for spec in PROVIDERS}
    for point in metadata.entry_points(group=GROUP) if found is None else found:
        where = f"search provider {point.name!r} ({point.value})"
        try:
            spec = point.load()
        except (ImportError, AttributeError) as exc:
            raise ConfigError(f"cannot be loaded: {exc}", subject=where, advice="Repair or remove the package that offers it.") from exc
        if not isinstance(spec, ProviderSpec):
            raise ConfigError("is no s2r.search.caller.ProviderSpec", subject=where, advice="Let the entry point name one.")
        if not _NAME.match(spec.name) or spec.name in specs:
            problem = "is in use" if spec.name in specs else "is not made of lower-case letters, digits and _"
            raise ConfigError(f"the name {spec.name!r} {problem}", subject=where, advice="Choose another name.")
        specs[spec.name] = spec
    return specs


def load_prices(policies: Path) -> dict[str, Price]:
    """Prices of search services from a policies folder, {} without the file; `PolicyError` for a fault in it."""
    path = policies / PRICES_FILE
    try:
        tables = tomllib.loads(path.read_text("utf-8")).get("search", {}) if path.is_file() else {}
        return {name: Price.model_validate(table) for name, table in tables.items()}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise PolicyError(f"cannot be read: {exc}", subject=str(path), advice="Fix the file.") from exc
    except (ValidationError, AttributeError) as exc:
        raise PolicyError(f"a price is wrong: {exc}", subject=str(path), advice="See the head of the file.") from exc


def setting_names(specs: Specs) -> dict[str, tuple[str, str]]:
    """Every setting of the providers in lower case, as s2r.toml names it: {"brave_key": ("brave", "key"), ...}."""
    parts = {name: ("key", "url", "rate", *spec.options) for name, spec in specs.items()}
    return {f"{name}_{part}": (name, part) for name, all_parts in parts.items() for part in all_parts}


def read_accounts(
    env: Mapping[str, str], specs: Specs, prices: Mapping[str, Price], file: Mapping[str, object] | None = None
) -> dict[str, Account]:
    """Accounts of the providers that are set up, in the order of `specs`; the environment (S2R_BRAVE_KEY) goes before s2r.toml (`file`).

    Raises `ConfigError` for an address that is none or a rate that is no number above 0. Messages never hold a key.
    """
    names = setting_names(specs)
    given = {name: str(value).strip() for name, value in (file or {}).items() if name in names}
    given |= {name: value.strip() for name in names if (value := env.get(f"S2R_{name.upper()}", "")).strip()}
    contact = env.get("S2R_CONTACT", "").strip() or str((file or {}).get("contact", "")).strip()
    accounts = {}
    for name, spec in specs.items():
        own = {part: given.get(f"{name}_{part}", "") for part in ("key", "url", "rate", *spec.options)}
        own["contact"] = contact if spec.needs_contact and is_contact(contact) else ""
        if not _missing(spec, own):
            accounts[name] = _account(spec, own, prices.get(name) or spec.price or Price(source=f"not in {PRICES_FILE}"))
    return accounts


def default_plan(accounts: Mapping[str, Account], specs: Specs) -> Plan:
    """All providers that are set up and not legacy, side by side; () when there is none."""
    return tuple((name,) for name in accounts if not specs[name].legacy)


def check_plan(plan: Plan, accounts: Mapping[str, Account], specs: Specs) -> None:
    """Raise `ConfigError` that names the settings to make when a provider of the plan is not set up."""
    for name in (name for chain in plan for name in chain if name not in accounts):
        raise ConfigError(f"{name} is not set up", subject=f"--search {name}", advice=f"Set {how_to_set_up(specs[name])}.")


def how_to_set_up(spec: ProviderSpec) -> str:
    """The environment variables that a provider needs, and where to get what they hold."""
    parts = [*(["KEY"] if spec.needs_key else []), *([] if spec.url else ["URL"]), *(option.upper() for option in spec.options)]
    names = [f"S2R_{spec.name.upper()}_{part}" for part in parts]
    if spec.needs_contact:
        names.append("S2R_CONTACT to a name and mail address, which goes into the User-Agent")
    return f"{' and '.join(names)} ({spec.title}, {spec.get_key})"


def all_set_ups(specs: Specs) -> tuple[str, ...]:
    """`how_to_set_up` of every provider that a new user can have."""
    return tuple(how_to_set_up(spec) for spec in specs.values() if not spec.legacy)


def open_providers(
    plan: Plan, accounts: Mapping[str, Account], specs: Specs, door: HttpDoor, ledger: Ledger | None = None
) -> tuple[Provider, ...]:
    """One provider for each chain of the plan, connected through `door`; checked as by `check_plan`."""
    check_plan(plan, accounts, specs)
    chains = [[specs[name].connect(Caller(accounts[name], door, ledger)) for name in chain] for chain in plan]
    return tuple(links[0] if len(links) == 1 else Chain(links) for links in chains)


def search_limits(accounts: Mapping[str, Account]) -> dict[str, Limit]:
    """The limit of each provider's bucket, for `open_limiter`."""
    return {found.bucket: Limit(rate=found.price.rate, concurrency=found.price.concurrency) for found in accounts.values()}


def operator_urls(accounts: Mapping[str, Account]) -> tuple[str, ...]:
    """Addresses that the operator has set, for `open_net(endpoints=...)`: only these may lie on a private network."""
    return tuple(account.url for account in accounts.values() if account.own_url)


def secrets_of(accounts: Mapping[str, Account]) -> tuple[str, ...]:
    """All keys, for the masks of clients and logs."""
    return tuple(key for account in accounts.values() if (key := account.key.get_secret_value()))


def unpriced(plan: Plan, accounts: Mapping[str, Account]) -> tuple[str, ...]:
    """Providers of the plan whose price is unknown: a run under --max-usd must not start with them."""
    return tuple(name for chain in plan for name in chain if name in accounts and accounts[name].price.usd is None)


def _missing(spec: ProviderSpec, own: Mapping[str, str]) -> bool:
    needed = [*(["key"] if spec.needs_key else []), *([] if spec.url else ["url"]), *spec.options]
    needed += ["contact"] if spec.needs_contact else []
    return any(not own[part] for part in needed)


def _account(spec: ProviderSpec, own: Mapping[str, str], price: Price) -> Account:
    upper = spec.name.upper()
    url = own["url"] or spec.url
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
        raise ConfigError(
            "is no http(s) address without user, query and fragment", subject=f"S2R_{upper}_URL", advice="Give the base address."
        )
    if own["rate"]:
        try:
            limit = paced(float(own["rate"]), price.concurrency)
            price = Price.model_validate(price.model_dump() | {"rate": limit.rate, "concurrency": limit.concurrency})
        except ValueError as exc:
            raise ConfigError("is no number above 0", subject=f"S2R_{upper}_RATE", advice="Give requests per second.") from exc
    return Account(
        name=spec.name,
        key=SecretStr(own["key"]),
        url=url,
        own_url=bool(own["url"]),
        contact=own["contact"],
        shared=spec.shared,
        options={option: own[option] for option in spec.options},
        price=price,
        get_key=spec.get_key,
    )

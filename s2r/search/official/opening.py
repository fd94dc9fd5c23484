"""Registers as sources of a run: their accounts from the settings, and what each needs to be asked."""

from __future__ import annotations

from s2r.errors import ConfigError
from s2r.net import Limit
from s2r.search.caller import Account, Caller, ProviderSpec
from s2r.search.official import companies_house, edgar, gleif, openfigi
from s2r.search.official.companies_house import CompaniesHouse
from s2r.search.official.edgar import Edgar
from s2r.search.official.gleif import GLEIF
from s2r.search.official.openfigi import OpenFIGI
from s2r.search.registry import how_to_set_up, load_prices, read_accounts
from s2r.search.source import CONTACT, KEY, URL, SourceContext, SourceSpec


def account_of(spec: ProviderSpec, context: SourceContext) -> Account:
    """The account of a register; `ConfigError` names the setting that is missing, such as the contact that the SEC asks for."""
    upper = spec.name.upper()
    env = {f"S2R_{upper}_{part.upper()}": value for part, value in context.values.items() if part != CONTACT}
    env["S2R_CONTACT"] = context.values.get(CONTACT, "") or context.settings.contact
    found = read_accounts(env, {spec.name: spec}, load_prices(context.policies))
    if spec.name not in found:
        raise ConfigError(f"{spec.title} is not set up", subject=spec.name, advice=f"Set {how_to_set_up(spec)}.")
    return found[spec.name]


def open_edgar(context: SourceContext) -> Edgar:
    """EDGAR, connected; `ConfigError` without a contact."""
    return Edgar(_caller(edgar.SPEC, context), clock=lambda: context.clock().timestamp(), most=context.settings.max_body_mb << 20)


def open_companies_house(context: SourceContext) -> CompaniesHouse:
    """Companies House, connected; `ConfigError` without a key."""
    return CompaniesHouse(_caller(companies_house.SPEC, context))


def open_openfigi(context: SourceContext) -> OpenFIGI:
    """OpenFIGI, connected; a key is not needed."""
    return OpenFIGI(_caller(openfigi.SPEC, context))


def open_gleif(context: SourceContext) -> GLEIF:
    """GLEIF, connected."""
    return GLEIF(_caller(gleif.SPEC, context))


def _caller(spec: ProviderSpec, context: SourceContext) -> Caller:
    return Caller(account_of(spec, context), context.net, context.ledger)


def _limits(spec: ProviderSpec) -> dict[str, Limit]:
    assert spec.price is not None
    return {spec.shared or spec.name: Limit(rate=spec.price.rate, concurrency=spec.price.concurrency)}


EDGAR = SourceSpec(
    name=edgar.NAME,
    title=edgar.SPEC.title,
    open=open_edgar,
    parts=(URL, CONTACT),
    needed=(CONTACT,),
    limits=_limits(edgar.SPEC),
    get_key=f"a name and mail address, which go into the User-Agent; {edgar.SPEC.get_key}",
)
COMPANIES_HOUSE = SourceSpec(
    name=companies_house.NAME,
    title=companies_house.SPEC.title,
    open=open_companies_house,
    parts=(KEY, URL),
    needed=(KEY,),
    limits=_limits(companies_house.SPEC),
    get_key=companies_house.SPEC.get_key,
)
OPENFIGI = SourceSpec(
    name=openfigi.NAME,
    title=openfigi.SPEC.title,
    open=open_openfigi,
    parts=(KEY, URL),
    limits=_limits(openfigi.SPEC),
    default=False,
    get_key=openfigi.SPEC.get_key,
)
GLEIF_RECORDS = SourceSpec(
    name=gleif.NAME,
    title=gleif.SPEC.title,
    open=open_gleif,
    parts=(URL,),
    limits=_limits(gleif.SPEC),
    default=False,
    get_key=gleif.SPEC.get_key,
)

"""Clients made from the settings: one per role, each with its own proxy, trust and private endpoints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from s2r.net.address import endpoint_of
from s2r.net.client import Net
from s2r.net.guard import Resolver, guarded_transport, system_resolver
from s2r.net.inflate import Caps
from s2r.net.limits import Limit, Limiter, paced
from s2r.net.mask import Mask, secrets_of_proxy
from s2r.net.retry import RetryRule
from s2r.settings import Settings

LIMITS_FILE = "limits.db"
_MODEL_S = 300.0  # a long answer of a reasoning model


class Role(StrEnum):
    """What a client is for."""

    SEARCH = "search"  # and official sources
    FETCH = "fetch"
    MODEL = "model"
    VERIFIER = "verifier"
    ESCALATION = "escalation"


def user_agent(settings: Settings) -> str:
    """Name, version and contact as sites and EDGAR ask for them."""
    name = f"s2r/{metadata.version('s2r')}"
    return f"{name} ({settings.contact})" if settings.contact else f"{name} (record audit of listed securities)"


def open_limiter(settings: Settings, limits: Mapping[str, Limit] | None = None) -> Limiter:
    """The limiter that all processes under `settings.home` share; `limits` by bucket or by the end of a host."""
    return Limiter(settings.home / LIMITS_FILE, limits, paced(settings.host_rate, Limit().concurrency))


def open_net(
    role: Role,
    settings: Settings,
    limiter: Limiter,
    *,
    endpoints: Iterable[str] = (),
    secrets: Iterable[str] = (),
    retry: RetryRule | None = None,
    resolver: Resolver = system_resolver,
) -> Net:
    """A client for `role`. `endpoints` are the URLs that the operator has set (they may be private), `secrets` all keys.

    Raises `ConfigError` for an unusable proxy or CA bundle, `AddressRefused` for an endpoint that is no address.
    """
    proxy, bundle = _proxy(role, settings), _bundle(role, settings)
    own = frozenset(endpoint_of(url) for url in endpoints)
    size, slow = settings.max_body_mb << 20, role in (Role.MODEL, Role.VERIFIER, Role.ESCALATION)
    seconds = _MODEL_S if slow else settings.fetch_timeout_s
    return Net(
        role,
        guarded_transport(resolver=resolver, allow_private=own, ca_bundle=bundle, proxy=proxy),
        limiter,
        user_agent=user_agent(settings),
        operator=own,
        proxied=bool(proxy),
        caps=Caps(wire=size, body=size, total_s=seconds, read_s=seconds if slow else Caps().read_s),
        retry=retry,
        mask=Mask([*secrets, *secrets_of_proxy(proxy)]),
    )


def _proxy(role: Role, settings: Settings) -> str:
    match role:
        case Role.SEARCH:
            return settings.search_proxy or settings.proxy
        case Role.FETCH:
            return settings.fetch_proxy or settings.proxy
        case Role.MODEL:
            return settings.model_proxy or settings.proxy
        case Role.VERIFIER:
            return settings.verifier_proxy or settings.model_proxy or settings.proxy
        case Role.ESCALATION:
            return settings.escalation_proxy or settings.model_proxy or settings.proxy


def _bundle(role: Role, settings: Settings) -> Path | None:
    match role:
        case Role.SEARCH:
            return settings.search_ca_bundle or settings.ca_bundle
        case Role.FETCH:
            return settings.fetch_ca_bundle or settings.ca_bundle
        case Role.MODEL:
            return settings.model_ca_bundle or settings.ca_bundle
        case Role.VERIFIER:
            return settings.verifier_ca_bundle or settings.model_ca_bundle or settings.ca_bundle
        case Role.ESCALATION:
            return settings.escalation_ca_bundle or settings.model_ca_bundle or settings.ca_bundle

"""Which model each role asks, where, and with which key: from flags, environment and s2r.toml. Keys go only to their own service."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from s2r.errors import ConfigError
from s2r.modelapi.profiles import Catalogue, ModelName, Profile, parse_model
from s2r.modelapi.types import ModelRole
from s2r.models.listing import Frozen
from s2r.net import Limit, Limiter, Net, Role, open_net
from s2r.settings import Settings

NET_ROLES = {ModelRole.ADJUDICATOR: Role.MODEL, ModelRole.VERIFIER: Role.VERIFIER, ModelRole.ESCALATION: Role.ESCALATION}
_ROLE_PARTS = ("model", "key", "url", "schema_dialect")
_PROVIDER_PARTS = ("key", "url", "schema_dialect")


class ModelAccount(Frozen):
    """How one role reaches its model. `setting` is the prefix of the settings that hold its key and address (S2R_OPENAI)."""

    role: ModelRole
    profile: Profile
    key: SecretStr = SecretStr("")
    setting: str

    @property
    def bucket(self) -> str:
        """The limit that its calls keep: one for each host of a provider, whatever the role."""
        return f"model-{self.profile.account or self.profile.provider}-{urlsplit(self.profile.url).netloc}"

    def at(self, path: str) -> str:
        """The address of `path`, also when the operator's address already ends with it or with the version that it starts with."""
        base = self.profile.url.rstrip("/")
        if base.endswith(path):
            return base
        version = "/" + path.split("/")[1]
        return base + path.removeprefix(version) if base.endswith(version) else base + path


def setting_names(catalogue: Catalogue) -> frozenset[str]:
    """Every setting of models in lower case, as s2r.toml names it: openai_key, verifier_model, ..."""
    providers = {str(table.get("account") or name) for name, table in catalogue.provider.items()} | set(catalogue.provider)
    named = [*((name, _PROVIDER_PARTS) for name in providers), *((str(role), _ROLE_PARTS) for role in ModelRole)]
    return frozenset(f"{name}_{part}" for name, parts in named for part in parts)


def read_model_accounts(
    env: Mapping[str, str],
    catalogue: Catalogue,
    file: Mapping[str, object] | None = None,
    chosen: Mapping[ModelRole, str] | None = None,
) -> dict[ModelRole, ModelAccount]:
    """The account of every role that has a model: `chosen` (flags) before S2R_<ROLE>_MODEL before s2r.toml (`file`).

    Address and key are the role's own settings (S2R_VERIFIER_URL), else those of the provider (S2R_OPENAI_URL), else the address of
    models.toml. A provider's key never goes to another host than the provider's: a role with an address elsewhere needs a key of its own.
    Raises `ConfigError` for an unknown provider, a missing key or address; messages never hold a key.
    """
    names = setting_names(catalogue)
    given = {name: str(value).strip() for name, value in (file or {}).items() if name in names}
    given |= {name: value.strip() for name in names if (value := env.get(f"S2R_{name.upper()}", "")).strip()}
    accounts = {}
    for role in ModelRole:
        if text := (chosen or {}).get(role) or given.get(f"{role}_model", ""):
            accounts[role] = _account(role, parse_model(text), catalogue, given)
    return accounts


def _account(role: ModelRole, name: ModelName, catalogue: Catalogue, given: Mapping[str, str]) -> ModelAccount:
    plain = catalogue.profile(name)
    owner = plain.account or name.provider
    own_url = given.get(f"{role}_url", "")
    home = given.get(f"{owner}_url", "") or plain.url
    dialect = given.get(f"{role}_schema_dialect") or given.get(f"{owner}_schema_dialect")
    changes = {"url": own_url or home, **({"schema_dialect": dialect} if dialect else {})}
    profile = catalogue.profile(name, **changes)
    setting = f"S2R_{role.upper()}" if own_url else f"S2R_{owner.upper()}"
    _check_address(profile.url, f"{setting}_URL")
    key = given.get(f"{role}_key", "")
    if not key and (not own_url or _origin(own_url) == _origin(home)):
        key = given.get(f"{owner}_key", "")
    if not key and plain.needs_key and not (own_url and _is_local(own_url)):
        where = f"S2R_{role.upper()}_KEY" if own_url else f"S2R_{owner.upper()}_KEY or S2R_{role.upper()}_KEY"
        raise ConfigError(f"the {role} has no key", subject=str(name), advice=f"Set {where} ({plain.get_key or 'from its provider'}).")
    return ModelAccount(role=role, profile=profile, key=SecretStr(key), setting=setting)


def _check_address(url: str, setting: str) -> None:
    try:
        parts = urlsplit(url)
        good = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and "@" not in parts.netloc
            and not parts.query
            and not parts.fragment
        )
        parts.port  # noqa: B018 - raises for a port that is none
    except ValueError:
        good = False
    if not good:
        raise ConfigError("is no http(s) address without user, query and fragment", subject=setting, advice="Give the base address.")


class _Origin(NamedTuple):
    scheme: str
    netloc: str


def _origin(url: str) -> _Origin:
    try:
        parts = urlsplit(url.lower())
    except ValueError:
        return _Origin("", url)
    return _Origin(parts.scheme, parts.netloc)


def _is_local(url: str) -> bool:
    return (urlsplit(url).hostname or "") in ("localhost", "127.0.0.1", "::1")


def model_limits(accounts: Iterable[ModelAccount]) -> dict[str, Limit]:
    """The limit of each bucket, for `open_limiter`."""
    return {
        found.bucket: Limit(
            rate=found.profile.rate,
            burst=min(found.profile.concurrency, 8),
            concurrency=found.profile.concurrency,
            tokens=found.profile.tokens_per_minute / 60,
            token_burst=found.profile.tokens_per_minute,
        )
        for found in accounts
    }


def model_secrets(accounts: Iterable[ModelAccount]) -> tuple[str, ...]:
    """All keys, for the masks of clients and logs."""
    return tuple(key for account in accounts if (key := account.key.get_secret_value()))


def open_doors(accounts: Mapping[ModelRole, ModelAccount], settings: Settings, limiter: Limiter) -> dict[ModelRole, Net]:
    """A client for each role, with the proxy and CA bundle of the role; the caller closes them. Addresses of models may be private."""
    secrets = model_secrets(accounts.values())
    return {
        role: open_net(NET_ROLES[role], settings, limiter, endpoints=[account.profile.url], secrets=secrets)
        for role, account in accounts.items()
    }

"""Sources that are asked once for a whole listing (registers, filing systems), beside the providers that are asked query by query."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from s2r.models import Listing
from s2r.net import Limit, Net
from s2r.policy import Policy
from s2r.search.base import SearchAnswer
from s2r.search.caller import Ledger, is_contact
from s2r.search.official.identity import IdentitySource
from s2r.settings import Settings

KEY, URL, RATE, CONTACT = "key", "url", "rate", "contact"  # parts of settings that s2r itself looks at


@runtime_checkable
class Source(Protocol):
    """A source of hits for a listing. Its failures are `failed` answers with a cause, or `SourceError` / `SourceUnusable`."""

    @property
    def name(self) -> str:
        """Short name as used in records."""
        ...

    async def find_for(self, listing: Listing, policy: Policy, limit: int) -> SearchAnswer:
        """At most `limit` hits for a listing, best first; `empty` when the source knows nothing of it or does not serve its venue."""
        ...


@dataclass(frozen=True, slots=True)
class SourceContext:
    """What a source is opened with. `values` are its own settings by part ("key", "url", ...), "" where not set.

    `net` is the guarded client of the search role; it knows the endpoints and the secrets of all sources. `clock` gives UTC.
    """

    values: Mapping[str, str] = field(repr=False)
    settings: Settings
    net: Net
    policy: Policy
    policies: Path
    ledger: Ledger
    clock: Callable[[], dt.datetime]


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One kind of source: its name in `--search`, in S2R_<NAME>_<PART> and in <name>_<part> of s2r.toml.

    `parts` are its settings; a part "key" is a secret, a part "url" an endpoint that may be private. `needed` parts must be set
    for the source to be used. One that only says who an issuer is gives no hits. `limits` are handed to the shared limiter (bucket
    or end of a host). `default`: used without being named. `get_key` says where to get what is needed.
    """

    name: str
    title: str
    open: Callable[[SourceContext], Source | IdentitySource]
    parts: tuple[str, ...] = (URL,)
    needed: tuple[str, ...] = ()
    limits: Mapping[str, Limit] = field(default_factory=dict)
    default: bool = True
    get_key: str = ""


def source_setting_names(specs: Mapping[str, SourceSpec]) -> dict[str, tuple[str, str]]:
    """Every setting of the sources in lower case, as s2r.toml names it: {"edgar_url": ("edgar", "url"), ...}."""
    return {f"{name}_{part}": (name, part) for name, spec in specs.items() for part in spec.parts if part != CONTACT}


def setting_of(name: str, part: str) -> str:
    """The environment variable of a part of a source's settings; the contact is one for all live requests, pages included."""
    return "S2R_CONTACT" if part == CONTACT else f"S2R_{name.upper()}_{part.upper()}"


def read_source_values(
    env: Mapping[str, str], specs: Mapping[str, SourceSpec], file: Mapping[str, object] | None = None
) -> dict[str, dict[str, str]]:
    """Settings by part of every source that has all it needs, in the order of `specs`; the environment goes before s2r.toml.

    A part "contact" is that of all live requests (S2R_CONTACT); it counts when it holds a mail address.
    """
    contact = env.get("S2R_CONTACT", "").strip() or str((file or {}).get("contact", "")).strip()
    found: dict[str, dict[str, str]] = {}
    for name, spec in specs.items():
        own = {part: str((file or {}).get(f"{name}_{part}", "")).strip() for part in spec.parts}
        own |= {part: value for part in spec.parts if (value := env.get(setting_of(name, part), "").strip())}
        if CONTACT in own:
            own[CONTACT] = contact if is_contact(contact) else ""
        if all(own.get(part) for part in spec.needed):
            found[name] = own
    return found

"""Who an issuer is, by the registers: other names and identifiers that widen queries and name matching; never evidence of an event."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from s2r.errors import SourceError, SourceUnusable
from s2r.lang.name_parts import bare, core_name, former_names, local_names
from s2r.lang.text import fold
from s2r.models import Listing
from s2r.models.listing import Frozen

_MOST_NAMES = 4  # former names put into queries and matching; each costs queries, and older ones find little


class KnownName(Frozen):
    """A name of the issuer as a register gives it; `former` names were given up on `until`, None when the day is not given."""

    name: str
    source: str
    former: bool = False
    until: dt.date | None = None


class Identity(Frozen):
    """What one register says of a listing. `doubts` are disagreements with the universe; with one, names and numbers are not used.

    `cause` is set when the register could not be asked.
    """

    source: str
    names: tuple[KnownName, ...] = ()
    cik: str = ""
    lei: str = ""
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cause: str = ""


class Known(Frozen):
    """A listing widened by what registers know, beside the universe's own; `warnings` stand in the record."""

    listing: Listing
    found: tuple[Identity, ...] = ()
    warnings: tuple[str, ...] = ()


@runtime_checkable
class IdentitySource(Protocol):
    """A register that knows issuers."""

    @property
    def name(self) -> str:
        """Short name as used in records."""
        ...

    async def identify(self, listing: Listing) -> Identity | None:
        """What the register says, None when it is not asked about such a listing. May raise `SourceError` or `SourceUnusable`."""
        ...


async def identify(listing: Listing, sources: Sequence[IdentitySource]) -> Known:
    """The listing widened by all registers, asked side by side; one that fails is a warning, and changes nothing."""
    found = await asyncio.gather(*(_asked(source, listing) for source in sources))
    return widened(listing, [one for one in found if one is not None])


def widened(listing: Listing, found: Sequence[Identity]) -> Known:
    """The listing with numbers that it lacks and former names as "(formerly ...)"; what the universe says is never replaced.

    Registers that disagree with the universe, or give a number that another register gives differently, only give warnings.
    """
    warnings = [f"{one.source}: {doubt}" for one in found for doubt in one.doubts]
    warnings += [f"{one.source}: could not be asked: {one.cause}" for one in found if one.cause]
    sure = [one for one in found if not one.doubts and not one.cause]
    update: dict[str, str] = {}
    for field in ("cik", "lei"):
        given = {getattr(one, field): one.source for one in reversed(sure) if getattr(one, field)}
        if len(given) > 1:
            told = ", ".join(f"{number} ({source})" for number, source in given.items())
            warnings.append(f"registers give different numbers as {field.upper()}: {told}; none is used")
        elif given and not getattr(listing, field):
            update[field] = next(iter(given))
    if names := new_names(listing.issuer, [known for one in sure for known in one.names]):
        update["issuer"] = listing.issuer + "".join(f" (formerly {name})" for name in names)
    return Known(listing=listing.model_copy(update=update), found=tuple(found), warnings=tuple(warnings))


def new_names(issuer: str, known: Iterable[KnownName]) -> tuple[str, ...]:
    """Names of registers that the universe does not give, the latest first; names that would break the form are left out."""
    held = {name_key(name) for name in all_names(issuer)}
    latest = sorted(known, key=lambda one: (one.former, -(one.until or dt.date.min).toordinal()))
    fresh: dict[str, str] = {}
    for one in latest:
        key = name_key(one.name)
        if key and key not in held and not set("()") & set(one.name):
            fresh.setdefault(key, one.name)
    return tuple(fresh.values())[:_MOST_NAMES]


def all_names(issuer: str) -> tuple[str, ...]:
    """The names that an issuer field gives: the main one, local and former ones."""
    return (issuer, core_name(issuer), *local_names(issuer), *former_names(issuer))


def name_key(name: str) -> str:
    """What is compared of two names: letters and digits of the core, folded, without a leading article; "&" is "and"."""
    words = bare(fold(core_name(name).replace("&", " and ").replace("+", " and ")).text).split()
    words = words[1:] if words[:1] == ["the"] and len(words) > 1 else words
    return "".join(char for char in "".join(words) if char.isalnum())


def same_issuer(issuer: str, names: Iterable[str]) -> bool:
    """Whether one of a register's names is one of the universe's, word for word but for legal form, case and accents."""
    ours = {key for name in all_names(issuer) if (key := name_key(name))}
    return any(name_key(name) in ours for name in names)


async def _asked(source: IdentitySource, listing: Listing) -> Identity | None:
    try:
        return await source.identify(listing)
    except (SourceError, SourceUnusable) as exc:
        return Identity(source=source.name, cause=str(exc) or type(exc).__name__)

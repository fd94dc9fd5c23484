"""Roles, each of which may do all that those below it may."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LOCAL = "local"  # the user of a service on loopback that asks for no login


class Role(StrEnum):
    """What a user may do: read; decide; settle disagreements; run the service and its users."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADJUDICATOR = "adjudicator"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """Place in the order of roles, lowest first."""
        return list(Role).index(self)

    def may(self, least: Role) -> bool:
        """Whether this role may do what is open from `least` on."""
        return self.rank >= least.rank


@dataclass(frozen=True, slots=True)
class User:
    """Who asks. `via`: local, session, token or proxy; `csrf` is the token that its forms carry ("" where none is needed)."""

    name: str
    role: Role
    via: str = LOCAL
    csrf: str = ""

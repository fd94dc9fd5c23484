"""Who may do what: users with roles, their sessions and tokens, attempts to log in, and the log of all that was done."""

from __future__ import annotations

from s2r.access.attempts import Attempts
from s2r.access.keys import Sessions, Tokens, bound_csrf
from s2r.access.log import Action, AuditLog
from s2r.access.roles import LOCAL, Role, User
from s2r.access.store import MEMORY, AccessStore
from s2r.access.users import Account, Users

__all__ = [
    "LOCAL",
    "MEMORY",
    "AccessStore",
    "Account",
    "Action",
    "Attempts",
    "AuditLog",
    "Role",
    "Sessions",
    "Tokens",
    "User",
    "Users",
    "bound_csrf",
]

"""Who may do what: roles, and the user behind a request."""

from __future__ import annotations

from s2r.access.roles import Role, User

__all__ = ["Role", "User"]

"""Users with roles and argon2 passwords; an attempt to log in takes the same time for names that are not known."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from s2r.access.roles import LOCAL, Role
from s2r.access.store import AccessStore
from s2r.errors import ConfigError

SHORTEST, LONGEST = 12, 1024  # characters of a password; a longer one only costs time
_NAME = re.compile(r"[\w][\w.@+-]{0,99}\Z")
_HASHER = PasswordHasher()  # argon2id with the parameters of RFC 9106, low memory


@dataclass(frozen=True, slots=True)
class Account:
    """A user as kept; `has_password` is False for one that comes in by token or proxy only."""

    name: str
    role: Role
    created_at: str
    has_password: bool


class Users:
    """The users of one access.sqlite."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store

    def all(self) -> list[Account]:
        """Every user, by name."""
        return [_account(row) for row in self._store.rows("select * from user order by name")]

    def get(self, name: str) -> Account | None:
        """One user."""
        return next((_account(row) for row in self._store.rows("select * from user where name = ?", [name])), None)

    def add(self, name: str, role: Role, password: str | None, now: dt.datetime) -> Account:
        """Add a user; raises ConfigError when the name is taken or unfit, or the password too short."""
        if not _NAME.match(name) or name == LOCAL:
            advice = "Use letters, digits and . @ + - _ ; the name `local` is that of a service without login."
            raise ConfigError("is no name for a user", subject=repr(name), advice=advice)
        if self.get(name):
            raise ConfigError("there is such a user", subject=name, advice="Use `s2r users password` or `s2r users role`.")
        kept = hashed(password) if password is not None else ""
        self._store.run("insert into user values (?,?,?,?,?)", (name, role.value, kept, now.isoformat(), now.isoformat()))
        return Account(name, role, now.isoformat(), bool(kept))

    def set_password(self, name: str, password: str, now: dt.datetime) -> None:
        """Give a new password, which ends the user's sessions."""
        kept = hashed(password)
        with self._store.writing():
            self._changed(name, "update user set password = ?, changed_at = ? where name = ?", (kept, now.isoformat(), name))
            self._store.run("delete from session where user = ?", (name,))

    def set_role(self, name: str, role: Role, now: dt.datetime) -> None:
        """Give another role; it counts from the next request on."""
        self._changed(name, "update user set role = ?, changed_at = ? where name = ?", (role.value, now.isoformat(), name))

    def remove(self, name: str, now: dt.datetime) -> None:
        """Remove a user with all sessions and tokens; the audit log keeps the name."""
        with self._store.writing():
            self._changed(name, "delete from user where name = ?", (name,))
            self._store.run("delete from session where user = ?", (name,))
            self._store.run("update token set revoked_at = ? where user = ? and revoked_at = ''", (now.isoformat(), name))

    def check(self, name: str, password: str) -> Account | None:
        """The user when name and password fit, else None. Takes tens of milliseconds either way."""
        rows = self._store.rows("select password from user where name = ?", [name])
        kept = str(rows[0]["password"]) if rows else ""
        if not fits(password[:LONGEST], kept or _nobody()) or not kept:
            return None
        if _HASHER.check_needs_rehash(kept):
            self._store.run("update user set password = ? where name = ? and password = ?", (_HASHER.hash(password), name, kept))
        return self.get(name)

    def _changed(self, name: str, sql: str, values: tuple[object, ...]) -> None:
        if not self._store.run(sql, values):
            known = ", ".join(account.name for account in self.all()[:8]) or "none"
            raise ConfigError("there is no such user", subject=name, advice=f"Users: {known}.")


def hashed(password: str) -> str:
    """The argon2 hash of a new password; raises ConfigError when it is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise ConfigError(f"has {len(password)} characters", subject="the password", advice=f"Use {SHORTEST} to {LONGEST}.")
    return _HASHER.hash(password)


def fits(password: str, kept: str) -> bool:
    """Whether a password is that of a hash."""
    try:
        return _HASHER.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobody() -> str:
    """A hash that no password is meant to fit, for names that are not known."""
    return _HASHER.hash("no password of anybody")


def _account(row: dict[str, object]) -> Account:
    return Account(str(row["name"]), Role(str(row["role"])), str(row["created_at"]), bool(row["password"]))

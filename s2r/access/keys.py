"""What a request shows to be known: session cookies and API tokens. Both are random and kept as sha256, so the file gives none away."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import secrets
from dataclasses import dataclass

from s2r.access.roles import Role, User
from s2r.access.store import AccessStore
from s2r.errors import ConfigError

IDLE = dt.timedelta(hours=8)  # a working day without a request
WHOLE = dt.timedelta(days=7)  # then the password is asked again
SEEN_EVERY = dt.timedelta(minutes=1)  # how exactly the last use is noted
TOKEN_DAYS = 90
PREFIX = "s2r_"  # by which scanners of repositories know a token


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A token as listed; its value was shown once, when it was made."""

    id: int
    user: str
    label: str
    role: Role
    created_at: str
    expires_at: str
    used_at: str
    revoked_at: str


class Sessions:
    """Browsers that are logged in."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store

    def start(self, user: str, address: str, now: dt.datetime, *, old: str = "") -> str:
        """A new session, the value of its cookie; the session of the cookie `old` ends, so that none survives a login."""
        value = secrets.token_urlsafe(32)
        line = (_digest(value), user, secrets.token_urlsafe(32), address, now.isoformat(), now.isoformat(), (now + WHOLE).isoformat())
        with self._store.writing():
            self._store.run("delete from session where digest = ? or expires_at < ?", (_digest(old), now.isoformat()))
            self._store.run("insert into session values (?,?,?,?,?,?,?)", line)
        return value

    def user(self, value: str, now: dt.datetime) -> User | None:
        """Who a cookie belongs to, with the role that he has now; None when it is unknown, ended, or was not used for too long."""
        sql = "select s.*, u.role from session s join user u on u.name = s.user where s.digest = ?"
        rows = self._store.rows(sql, [_digest(value)])
        if not rows:
            return None
        row = rows[0]
        seen = dt.datetime.fromisoformat(str(row["seen_at"]))
        if now > dt.datetime.fromisoformat(str(row["expires_at"])) or now - seen > IDLE:
            self.end(value)
            return None
        if now - seen > SEEN_EVERY:
            self._store.run("update session set seen_at = ? where digest = ?", (now.isoformat(), row["digest"]))
        return User(str(row["user"]), Role(str(row["role"])), "session", str(row["csrf"]))

    def end(self, value: str) -> None:
        """End a session."""
        self._store.run("delete from session where digest = ?", (_digest(value),))


class Tokens:
    """Tokens of programs."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store

    def create(self, user: str, label: str, role: Role, now: dt.datetime, days: int = TOKEN_DAYS) -> tuple[int, str]:
        """A new token of a user: its number, and its value, which is not kept. Its role is at most that of the user at any time."""
        if not self._store.rows("select 1 from user where name = ?", [user]):
            raise ConfigError("there is no such user", subject=user, advice="Add it with `s2r users add`.")
        value = PREFIX + secrets.token_urlsafe(32)
        line = (_digest(value), user, label, role.value, now.isoformat(), (now + dt.timedelta(days=days)).isoformat())
        sql = "insert into token (digest, user, label, role, created_at, expires_at, used_at, revoked_at) values (?,?,?,?,?,?,'','')"
        with self._store.writing():
            self._store.run(sql, line)
            number = int(str(self._store.rows("select id from token where digest = ?", [line[0]])[0]["id"]))
        return number, value

    def user(self, value: str, now: dt.datetime) -> User | None:
        """Whose token this is, with the lower of both roles; None when it is unknown, revoked or expired."""
        sql = (
            "select t.*, u.role as most from token t join user u on u.name = t.user "
            "where t.digest = ? and t.revoked_at = '' and t.expires_at > ?"
        )
        rows = self._store.rows(sql, [_digest(value), now.isoformat()])
        if not rows:
            return None
        row = rows[0]
        if not row["used_at"] or now - dt.datetime.fromisoformat(str(row["used_at"])) > SEEN_EVERY:
            self._store.run("update token set used_at = ? where id = ?", (now.isoformat(), row["id"]))
        role = min(Role(str(row["role"])), Role(str(row["most"])), key=lambda role: role.rank)
        return User(str(row["user"]), role, "token")

    def all(self) -> list[TokenLine]:
        """Every token ever made, oldest first."""
        names = ("user", "label", "created_at", "expires_at", "used_at", "revoked_at")
        return [
            TokenLine(id=int(str(row["id"])), role=Role(str(row["role"])), **{name: str(row[name] or "") for name in names})
            for row in self._store.rows("select * from token order by id")
        ]

    def revoke(self, number: int, now: dt.datetime) -> None:
        """Make a token useless; raises ConfigError when there is none of this number that works."""
        if not self._store.run("update token set revoked_at = ? where id = ? and revoked_at = ''", (now.isoformat(), number)):
            raise ConfigError("is no token in use", subject=str(number), advice="`s2r tokens list` shows all.")


def bound_csrf(store: AccessStore, name: str) -> str:
    """The form token of a user who has no session of ours (local, proxy): bound to the name by a secret of this file."""
    with store.writing():
        store.run("insert or ignore into secret values ('csrf', ?)", (secrets.token_hex(32),))
        secret = str(store.rows("select value from secret where name = 'csrf'")[0]["value"])
    return hmac.new(bytes.fromhex(secret), name.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def _digest(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()

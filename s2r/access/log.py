"""The audit log: who did what, when, from where, and what came of it. Lines are added and never changed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from s2r.access.store import AccessStore

MOST = 500  # characters of a field; what is longer comes from an attacker


@dataclass(frozen=True, slots=True)
class Action:
    """One line. `action` is a verb or a method, `subject` what it was done to, `outcome` an HTTP status or a word."""

    at: str
    user: str
    via: str
    address: str
    action: str
    subject: str
    outcome: str
    detail: str = ""
    id: int = 0


class AuditLog:
    """The log of one access.sqlite."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store

    def add(
        self,
        now: dt.datetime,
        user: str,
        action: str,
        subject: str,
        *,
        via: str = "",
        address: str = "",
        outcome: str = "",
        detail: str = "",
    ) -> None:
        """Add a line."""
        fields = (user, via, address, action, subject, outcome, detail)
        sql = "insert into audit (at, user, via, address, action, subject, outcome, detail) values (?,?,?,?,?,?,?,?)"
        self._store.run(sql, (now.isoformat(), *(field.encode("utf-8", "replace").decode()[:MOST] for field in fields)))

    def lines(self, *, before: int | None = None, limit: int = 100, user: str = "") -> list[Action]:
        """Newest lines first, those older than the line `before`; of one user when given."""
        sql = "select * from audit where (? is null or id < ?) and (? = '' or user = ?) order by id desc limit ?"
        rows = self._store.rows(sql, [before, before, user, user, limit])
        names = ("at", "user", "via", "address", "action", "subject", "outcome", "detail")
        return [Action(id=int(str(row["id"])), **{name: str(row[name] or "") for name in names}) for row in rows]

    def count(self, user: str = "") -> int:
        """How many lines there are."""
        return int(str(self._store.rows("select count(*) n from audit where ? = '' or user = ?", [user, user])[0]["n"]))

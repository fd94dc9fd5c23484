"""Schema changes of access.sqlite, in order; each runs once in its own transaction and is recorded."""

from __future__ import annotations

from s2r.database import Database, Migrations

MIGRATIONS = Migrations("s2r.access")


@MIGRATIONS()
def m001_access(db: Database) -> None:
    """Users, their sessions and tokens (digests only), attempts to log in, the secret behind form tokens, and the audit log."""
    db.table("user").create(
        {"name": str, "role": str, "password": str, "created_at": str, "changed_at": str}, pk="name", not_null={"name", "role", "password"}
    )
    db.table("session").create(
        {"digest": str, "user": str, "csrf": str, "address": str, "created_at": str, "seen_at": str, "expires_at": str},
        pk="digest",
        not_null={"user", "csrf", "created_at", "seen_at", "expires_at"},
    )
    db.table("session").create_index(["user"])
    db.table("token").create(
        {
            "id": int,
            "digest": str,
            "user": str,
            "label": str,
            "role": str,
            "created_at": str,
            "expires_at": str,
            "used_at": str,
            "revoked_at": str,
        },
        pk="id",
        not_null={"digest", "user", "role", "created_at"},
    )
    db.table("token").create_index(["digest"], unique=True)
    db.table("attempt").create({"id": int, "key": str, "at": str}, pk="id", not_null={"key", "at"})
    db.table("attempt").create_index(["key", "at"])
    db.table("attempt").create_index(["at"])
    db.table("secret").create({"name": str, "value": str}, pk="name")
    db.table("audit").create(
        {
            "id": int,
            "at": str,
            "user": str,
            "via": str,
            "address": str,
            "action": str,
            "subject": str,
            "outcome": str,
            "detail": str,
        },
        pk="id",
        not_null={"at", "action"},
    )
    db.table("audit").create_index(["user", "id"])

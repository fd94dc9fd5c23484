"""`s2r users` and `s2r tokens`: who may use the service of a run folder. Passwords are asked for or read from stdin, never an argument."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.table import Table

from s2r.access import AccessStore, AuditLog, Role, Tokens, Users
from s2r.access.store import NAME
from s2r.cli.common import EXIT_OK, emit, now, stderr, stdout
from s2r.errors import ConfigError

COMMAND_LINE = "command line"  # who did it, in the audit log

_OUT = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out/nights"), show_default=True, help="Run folder of the service."
)
_ROLES = click.Choice([role.value for role in Role])
_ROLE = click.option("--role", type=_ROLES, default="viewer", show_default=True, help="What may be done.")
_JSON = click.option("--json", "as_json", is_flag=True, help="JSON lines.")
_STDIN = click.option("--password-stdin", is_flag=True, help="Read the password from the first line of stdin.")


@click.group()
def users() -> None:
    """Users of the service: viewer < reviewer < adjudicator < admin."""


@click.group()
def tokens() -> None:
    """API tokens of users, for programs."""


@users.command()
@click.argument("name")
@_ROLE
@_STDIN
@click.option("--no-password", is_flag=True, help="For a user who comes by token or single sign-on only.")
@_OUT
def add(name: str, role: str, password_stdin: bool, no_password: bool, out: Path) -> int:
    """Add the user NAME."""
    with _open(out, make=True) as access:
        asked = not no_password and Users(access).get(name) is None  # a name that is taken is told before anything is typed
        Users(access).add(name, Role(role), _password(password_stdin) if asked else None, now())
        _note(access, "add user", name, role)
    stderr().print(f"{name} is {role}.")
    return EXIT_OK


@users.command()
@click.argument("name")
@_STDIN
@_OUT
def password(name: str, password_stdin: bool, out: Path) -> int:
    """Give NAME a new password; open sessions end."""
    with _open(out) as access:
        Users(access).set_password(name, _password(password_stdin), now())
        _note(access, "set password", name)
    return EXIT_OK


@users.command("role")
@click.argument("name")
@click.argument("new", type=_ROLES)
@_OUT
def change_role(name: str, new: str, out: Path) -> int:
    """Give NAME the role NEW; it counts from the next request on."""
    with _open(out) as access:
        Users(access).set_role(name, Role(new), now())
        _note(access, "set role", name, new)
    return EXIT_OK


@users.command()
@click.argument("name")
@_OUT
def remove(name: str, out: Path) -> int:
    """Remove NAME with all sessions and tokens; decisions and audit log keep the name."""
    with _open(out) as access:
        Users(access).remove(name, now())
        _note(access, "remove user", name)
    return EXIT_OK


@users.command("list")
@_OUT
@_JSON
def list_users(out: Path, as_json: bool) -> int:
    """Show all users."""
    with _open(out) as access:
        found = Users(access).all()
    table = Table("name", "role", "added", "password", box=None, pad_edge=False)
    for user in found:
        if as_json:
            emit({"name": user.name, "role": user.role, "created_at": user.created_at, "has_password": user.has_password})
        table.add_row(user.name, user.role, user.created_at[:16], "yes" if user.has_password else "no")
    if not as_json:
        stdout().print(table)
    return EXIT_OK


@users.command("log")
@click.option("--last", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many lines, newest first.")
@click.option("--user", default="", help="Only what this user did.")
@_OUT
@_JSON
def show_log(last: int, user: str, out: Path, as_json: bool) -> int:
    """Show who did what, when, and from where."""
    with _open(out) as access:
        lines = AuditLog(access).lines(limit=last, user=user)
        total = AuditLog(access).count(user)
    table = Table("when", "user", "from", "what", "on", "came of it", box=None, pad_edge=False)
    for line in lines:
        if as_json:
            emit({name: getattr(line, name) for name in ("at", "user", "via", "address", "action", "subject", "outcome", "detail")})
        table.add_row(line.at[:19], line.user, f"{line.via} {line.address}".strip(), line.action, line.subject, line.outcome)
    if not as_json:
        stdout().print(table)
        stderr().print(f"{len(lines)} of {total} lines.")
    return EXIT_OK


@tokens.command()
@click.argument("user")
@click.option("--label", default="", help="What it is for.")
@_ROLE
@click.option("--days", type=click.IntRange(1, 3650), default=90, show_default=True, help="For how long it works.")
@_OUT
def create(user: str, label: str, role: str, days: int, out: Path) -> int:
    """Make a token for USER and print it, once: only its digest is kept."""
    with _open(out) as access:
        number, value = Tokens(access).create(user, label, Role(role), now(), days)
        _note(access, "create token", f"{number} of {user}", role)
    click.echo(value)
    stderr().print(f"Token {number} of {user}, {role}, for {days} days. It is not shown again.")
    return EXIT_OK


@tokens.command("list")
@_OUT
@_JSON
def list_tokens(out: Path, as_json: bool) -> int:
    """Show all tokens, without their values."""
    with _open(out) as access:
        found = Tokens(access).all()
    names = ("id", "user", "label", "role", "created_at", "expires_at", "used_at", "revoked_at")
    table = Table(*names, box=None, pad_edge=False)
    for token in found:
        if as_json:
            emit({name: getattr(token, name) for name in names})
        table.add_row(*(str(getattr(token, name))[:16] for name in names))
    if not as_json:
        stdout().print(table)
    return EXIT_OK


@tokens.command()
@click.argument("number", type=int)
@_OUT
def revoke(number: int, out: Path) -> int:
    """Make the token NUMBER useless."""
    with _open(out) as access:
        Tokens(access).revoke(number, now())
        _note(access, "revoke token", str(number))
    return EXIT_OK


def _open(out: Path, *, make: bool = False) -> AccessStore:
    if not make and not (out / NAME).is_file():
        advice = "Give the --out folder of s2r serve; `s2r users add` makes the first user."
        raise ConfigError(f"has no users (no {NAME} in it)", subject=str(out), advice=advice)
    return AccessStore(out / NAME)


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))


def _note(access: AccessStore, action: str, subject: str, detail: str = "") -> None:
    AuditLog(access).add(now(), COMMAND_LINE, action, subject, via="cli", outcome="done", detail=detail)

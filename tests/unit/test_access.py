"""Users, sessions, tokens, attempts and the audit log, by a clock that is given."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from s2r.access import AccessStore, Attempts, AuditLog, Role, Sessions, Tokens, Users, bound_csrf
from s2r.access.attempts import PER_ACCOUNT, PER_ADDRESS, WINDOW, network
from s2r.access.keys import IDLE, WHOLE
from s2r.errors import ConfigError, StoreError
from s2r.nightly.keeping import backup, restore
from s2r.store import Store

NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
WORD = "correct horse battery"
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """access.sqlite with one reviewer, made once since hashing is slow on purpose."""
    path = tmp_path_factory.mktemp("access") / "access.sqlite"
    with AccessStore(path) as store:
        Users(store).add("ada", Role.REVIEWER, WORD, NOW)
    return path


@pytest.fixture
def store(kept: Path, tmp_path: Path) -> Iterator[AccessStore]:
    """A copy of it."""
    (tmp_path / "run").mkdir()
    path = tmp_path / "run" / "access.sqlite"
    path.touch(mode=0o600)
    path.write_bytes(kept.read_bytes())
    with AccessStore(path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (Role.VIEWER, {Role.VIEWER}),
        (Role.REVIEWER, {Role.VIEWER, Role.REVIEWER}),
        (Role.ADJUDICATOR, {Role.VIEWER, Role.REVIEWER, Role.ADJUDICATOR}),
        (Role.ADMIN, set(Role)),
    ],
)
def test_a_role_may_what_lower_ones_may(role: Role, may: set[Role]) -> None:
    """Roles are in one order."""
    assert {least for least in Role if role.may(least)} == may


@pytest.mark.slow
def test_a_password_is_checked_and_kept_as_a_hash(store: AccessStore, kept: Path) -> None:
    """The right word lets in, others and unknown names do not, and the file does not hold it."""
    users = Users(store)
    account = users.check("ada", WORD)
    assert account is not None
    assert account.role is Role.REVIEWER
    assert users.check("ada", WORD + " ") is None
    assert users.check("eve", "no password of anybody") is None  # the word behind the hash that unknown names are compared with
    assert WORD.encode() not in kept.read_bytes()
    assert b"$argon2id$v=19$m=65536,t=3,p=4$" in kept.read_bytes()  # RFC 9106, second recommended option


def test_the_file_is_for_the_service_alone(tmp_path: Path) -> None:
    """Other users of the machine cannot read it."""
    with AccessStore(tmp_path / "access.sqlite"):
        assert (tmp_path / "access.sqlite").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "password", "says"),
    [
        ("ada", WORD, "there is such a user"),
        ("local", WORD, "is no name"),
        ("", WORD, "is no name"),
        ("a b", WORD, "is no name"),
        ("<script>", WORD, "is no name"),
        ("bo\n", WORD, "is no name"),
        ("bo", "short", "has 5 characters"),
        ("bo", "x" * 1025, "has 1025 characters"),
    ],
)
def test_unfit_users_are_refused(store: AccessStore, name: str, password: str, says: str) -> None:
    """Names that are taken or could be read as something else, and words that are too short or too long."""
    with pytest.raises(ConfigError, match=says):
        Users(store).add(name, Role.VIEWER, password, NOW)


def test_a_session_ends_by_time_logout_and_next_login(store: AccessStore) -> None:
    """It lives while it is used, at most a week; a new login and a logout end it; the cookie itself is not kept."""
    sessions = Sessions(store)
    first = sessions.start("ada", "192.0.2.1", NOW)
    user = sessions.user(first, NOW + MINUTE)
    assert user is not None
    assert (user.name, user.role, user.via) == ("ada", Role.REVIEWER, "session")
    assert first not in str(store.rows("select * from session"))
    second = sessions.start("ada", "192.0.2.1", NOW + MINUTE, old=first)
    assert sessions.user(first, NOW + MINUTE) is None
    other = sessions.user(second, NOW + MINUTE)
    assert other is not None
    assert other.csrf != user.csrf
    assert sessions.user(second, NOW + MINUTE + IDLE + MINUTE) is None  # not used for too long
    third, at = sessions.start("ada", "192.0.2.1", NOW), NOW
    while at < NOW + WHOLE - IDLE / 2:
        at += IDLE / 2
        assert sessions.user(third, at) is not None
    assert sessions.user(third, NOW + WHOLE + MINUTE) is None  # however often it was used
    fourth = sessions.start("ada", "192.0.2.1", NOW)
    sessions.end(fourth)
    assert sessions.user(fourth, NOW) is None
    assert sessions.user("", NOW) is None


def test_changes_of_a_user_count_at_once(store: AccessStore) -> None:
    """Another role counts from the next request on; a new password ends sessions; a removed user is nobody."""
    users, sessions, tokens = Users(store), Sessions(store), Tokens(store)
    cookie, (_, token) = sessions.start("ada", "", NOW), tokens.create("ada", "script", Role.ADMIN, NOW)
    assert [user.role for user in (sessions.user(cookie, NOW), tokens.user(token, NOW)) if user] == [Role.REVIEWER, Role.REVIEWER]
    users.set_role("ada", Role.VIEWER, NOW)
    assert [user.role for user in (sessions.user(cookie, NOW), tokens.user(token, NOW)) if user] == [Role.VIEWER, Role.VIEWER]
    users.set_password("ada", "another horse battery", NOW)
    assert sessions.user(cookie, NOW) is None
    assert tokens.user(token, NOW) is not None
    users.remove("ada", NOW)
    assert tokens.user(token, NOW) is None
    with pytest.raises(ConfigError, match="no such user"):
        users.remove("ada", NOW)


def test_a_token_is_shown_once_and_can_be_taken_back(store: AccessStore) -> None:
    """Its value is not in the file; it has the lower of both roles; it expires, and once revoked it is useless."""
    tokens = Tokens(store)
    number, value = tokens.create("ada", "nightly export", Role.VIEWER, NOW, days=30)
    found = tokens.user(value, NOW)
    assert found is not None
    assert (found.name, found.role, found.via) == ("ada", Role.VIEWER, "token")
    assert value not in str(store.rows("select * from token"))
    assert tokens.user(value, NOW + dt.timedelta(days=30)) is None
    assert tokens.user(value[:-1], NOW) is None
    (line,) = tokens.all()
    assert (line.id, line.label, line.used_at) == (number, "nightly export", NOW.isoformat())
    tokens.revoke(number, NOW)
    assert tokens.user(value, NOW) is None
    with pytest.raises(ConfigError, match="no token in use"):
        tokens.revoke(number, NOW)
    with pytest.raises(ConfigError, match="no such user"):
        tokens.create("eve", "", Role.VIEWER, NOW)


def test_attempts_are_counted_by_account_and_by_address(store: AccessStore) -> None:
    """After so many failures an account waits, whatever address tries; an address waits whatever accounts it tries; time frees both."""
    attempts = Attempts(store)
    for number in range(PER_ACCOUNT):
        assert attempts.begin("ada", f"192.0.2.{number}", NOW) == 0
    assert attempts.begin("ADA", "198.51.100.9", NOW + MINUTE) == round((WINDOW - MINUTE).total_seconds())
    assert attempts.begin("bob", "198.51.100.9", NOW) == 0
    assert attempts.begin("ada", "198.51.100.9", NOW + WINDOW + MINUTE) == 0
    later = NOW + dt.timedelta(days=1)
    for number in range(PER_ADDRESS):
        assert attempts.begin(f"user{number}", f"2001:db8:0:1::{number:x}", later) == 0
    assert attempts.begin("carol", "2001:db8:0:1:ffff::1", later) > 0
    assert attempts.begin("carol", "2001:db8:0:2::1", later) == 0


def test_a_login_clears_its_account_only(store: AccessStore) -> None:
    """Who gets in is no longer counted; the failures of others from the same address are."""
    attempts = Attempts(store)
    for number in range(PER_ADDRESS - 1):
        assert attempts.begin(f"user{number}", "192.0.2.1", NOW) == 0
    assert attempts.begin("ada", "192.0.2.1", NOW) == 0
    attempts.succeeded("ada", "192.0.2.1")
    assert attempts.begin("ada", "192.0.2.1", NOW) == 0
    assert attempts.begin("bob", "192.0.2.1", NOW) > 0


def test_attempts_outlive_a_restart_and_count_side_by_side(store: AccessStore) -> None:
    """Sixty attempts at once, over two connections as of two processes: as many go on as one account has, and no more."""
    with AccessStore(store.path) as other, ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda n: Attempts(other if n % 2 else store).begin("ada", f"192.0.2.{n}", NOW), range(60)))
    assert waits.count(0) == PER_ACCOUNT
    with AccessStore(store.path) as again:
        assert Attempts(again).begin("ada", "198.51.100.1", NOW) > 0


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::"),
        ("2001:db8:0:0:9::1", "2001:db8::"),
        ("unix", "unix"),
    ],
)
def test_neighbours_of_one_customer_are_one(address: str, counted: str) -> None:
    """Addresses of IPv6 are counted by their /64."""
    assert network(address) == counted


def test_the_log_only_grows(store: AccessStore) -> None:
    """Lines come newest first, page by page, by user; what an attacker sends is cut and kept as text."""
    log = AuditLog(store)
    for number in range(5):
        log.add(NOW, "ada" if number % 2 else "bob", "POST", f"/x/{number}", address="192.0.2.1", outcome="200")
    log.add(NOW, "eve\ud800", "POST", "/" + "y" * 5000, outcome="403")
    assert [line.subject for line in log.lines(limit=3)][1:] == ["/x/4", "/x/3"]
    assert len(log.lines(limit=1)[0].subject) == 500
    assert [line.subject for line in log.lines(user="ada")] == ["/x/3", "/x/1"]
    older = log.lines(before=log.lines(limit=3)[-1].id)
    assert [line.subject for line in older] == ["/x/2", "/x/1", "/x/0"]
    assert (log.count(), log.count("bob")) == (6, 3)


def test_form_tokens_are_bound_to_name_and_file(store: AccessStore, tmp_path: Path) -> None:
    """The same for one name after a restart, another one for another name, and another one in another folder."""
    mine = bound_csrf(store, "local")
    with AccessStore(store.path) as again:
        assert bound_csrf(again, "local") == mine
    assert bound_csrf(store, "ada") != mine
    with AccessStore(tmp_path / "other" / "access.sqlite") as other:
        assert bound_csrf(other, "local") != mine


def test_users_come_back_with_a_backup(store: AccessStore, tmp_path: Path) -> None:
    """A backup made while the service writes holds all users, and is as closed to others as the file itself."""
    with Store(store.path.parent / "s2r.db"):
        pass
    Users(store).add("bob", Role.VIEWER, None, NOW)  # still in the write-ahead log only
    backup(store.path.parent, tmp_path / "to" / "copy", NOW)
    restore(tmp_path / "to" / "copy", tmp_path / "to" / "back")
    path = tmp_path / "to" / "back" / "access.sqlite"
    assert path.stat().st_mode & 0o077 == 0
    with AccessStore(path) as again:
        assert [user.name for user in Users(again).all()] == ["ada", "bob"]


def test_a_file_that_is_not_ours_is_named(tmp_path: Path) -> None:
    """A file that holds something else is a clear error."""
    (tmp_path / "access.sqlite").write_text("not a database at all, but long enough to be read as one" * 20)
    with pytest.raises(StoreError, match="list of users cannot be used"):
        AccessStore(tmp_path / "access.sqlite")

"""The service from the command line: users and tokens, a port that answers beside the jobs, logs without secrets."""

from __future__ import annotations

import ast
import io
import json
import logging
import os
import queue
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from conftest import REPO, Command
from factories import write_world

from s2r.access import AccessStore, Role, Tokens, Users
from s2r.cli.logs import Secrets, open_logs
from s2r.errors import ConfigError
from s2r.web.desk import WebDesk, check_desk
from s2r.web.serving import bind

WORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost next to nothing: what real ones cost is looked at where users are tested."""
    monkeypatch.setattr("s2r.access.users._HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def _stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


# ---- users and tokens ----


def test_users_and_tokens_by_command(tmp_path: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user is added with a password from stdin, gets a token that works, changes role, and goes; the log names the command line."""
    out = ("--out", tmp_path)
    assert s2r("users", "list", *out).code == 2
    _stdin(monkeypatch, WORD + "\n")
    assert s2r("users", "add", "ada", "--role", "reviewer", "--password-stdin", *out).code == 0
    assert s2r("users", "add", "feed", "--no-password", *out).code == 0
    again = s2r("users", "add", "ada", *out)
    assert (again.code, "there is such a user" in again.err) == (2, True)
    token = s2r("tokens", "create", "ada", "--role", "admin", "--label", "export", *out).out.strip()
    with AccessStore(tmp_path / "access.sqlite") as access:
        assert Users(access).check("ada", WORD)
        found = Tokens(access).user(token, _now())
    assert found is not None
    assert found.role is Role.REVIEWER
    assert s2r("users", "role", "ada", "viewer", *out).code == 0
    listed = [json.loads(line) for line in s2r("users", "list", "--json", *out).out.splitlines()]
    assert [(user["name"], user["role"], user["has_password"]) for user in listed] == [("ada", "viewer", True), ("feed", "viewer", False)]
    tokens = s2r("tokens", "list", *out).out
    assert "export" in tokens
    assert token not in tokens
    assert s2r("tokens", "revoke", 1, *out).code == 0
    assert s2r("users", "remove", "ada", *out).code == 0
    actions = [json.loads(line)["action"] for line in s2r("users", "log", "--json", *out).out.splitlines()]
    assert actions == ["remove user", "revoke token", "set role", "create token", "add user", "add user"]


def test_a_password_is_never_an_argument(tmp_path: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short one is refused; a new one ends sessions; there is no option that takes one."""
    _stdin(monkeypatch, "short\n")
    ran = s2r("users", "add", "ada", "--password-stdin", "--out", tmp_path)
    assert (ran.code, "has 5 characters" in ran.err) == (2, True)
    assert s2r("users", "add", "ada", "--no-password", "--out", tmp_path).code == 0
    _stdin(monkeypatch, WORD + "\n")
    assert s2r("users", "password", "ada", "--password-stdin", "--out", tmp_path).code == 0
    assert s2r("users", "password", "ada", "--password", WORD, "--out", tmp_path).code == 2


def _now() -> object:
    from s2r.cli.common import now

    return now()


# ---- the port ----


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--web-only", "--no-web"], "leave nothing to serve"),
        ([], "UNIVERSE"),
        (["--web-only", "--host", "0.0.0.0", "--no-login"], "goes with loopback only"),
        (["--web-only", "--proxy-header", "X-User"], "needs --proxy-from"),
        (["--web-only", "--proxy-header", "X-User", "--proxy-from", "10.0.0.300"], "is no address"),
        (["--web-only", "--allow-host", "https://s2r.example"], "is no name of a host"),
        (["--web-only", "--host", "203.0.113.1"], "cannot be listened on"),
    ],
)
def test_settings_that_would_not_do_are_refused(given: Sequence[str], says: str, tmp_path: Path, s2r: Command) -> None:
    """Before anything starts, with what to do."""
    ran = s2r("serve", *given, "--out", tmp_path / "run", "--policies", REPO / "policies", "--port", "0")
    assert ran.code == 2
    assert says in ran.err


def test_a_port_that_is_taken_is_named() -> None:
    """Another service on the port is a clear error."""
    with bind("127.0.0.1", 0) as first, pytest.raises(ConfigError, match="cannot be listened on"):
        bind("127.0.0.1", first.getsockname()[1])


def test_a_command_loads_no_web_server_that_it_does_not_need() -> None:
    """Modules of commands import the web side, users and their libraries inside of the command that needs them."""
    heavy = ("fastapi", "uvicorn", "starlette", "prometheus_client", "s2r.web", "nh3")
    for path in (REPO / "s2r" / "cli").glob("*.py"):
        top = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = [
            name for node in top for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
        ]
        assert not [name for name in names if name.startswith(heavy)], path.name


class _Told(logging.Handler):
    """Hands the address on which the service says that it answers to whoever waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses = queue.Queue[str]()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if text.startswith("workbench at "):
            self.addresses.put(text.removeprefix("workbench at "))


def test_the_service_answers_beside_its_jobs_and_stops(tmp_path: Path, s2r: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command answers on loopback, runs a night that is asked for over REST, logs JSON lines that hold no key of its environment, and
    ends at SIGTERM with exit code 0."""
    key, password = "brave-key-0123456789", "hunter2-proxy"
    monkeypatch.setenv("S2R_BRAVE_KEY", key)
    monkeypatch.setenv("S2R_PROXY", f"http://u:{password}@127.0.0.1:9")
    write_world(tmp_path, 1)
    told = _Told()
    logging.getLogger("s2r.service").addHandler(told)
    seen: dict[str, object] = {}

    def visit() -> None:
        if not (address := told.addresses.get()):
            return  # it never began, so there is nothing to stop
        try:
            with httpx.Client(base_url=address, trust_env=False, timeout=60) as web:
                seen["refused"] = [web.get(path).status_code for path in (f"/{key}/{password}", f"/api/v1/run?run_id={key}")]
                headers = {"X-CSRF-Token": web.get("/api/v1/me").json()["csrf"], "X-Key": key}
                seen["asked"] = web.post("/api/v1/nights/run", json={"job": "nightly"}, headers=headers).status_code
                while seen.get("night") != "done":
                    time.sleep(0.05)
                    found = web.get("/api/v1/nights").json()  # a problem until the night has made the store
                    seen["night"] = found["items"][0]["state"] if found.get("items") else ""
                seen["records"] = web.get("/api/v1/records").json()["total"]
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    visitor = threading.Thread(target=visit)
    visitor.start()
    try:
        files = (tmp_path / "universe.csv", "--pool", tmp_path / "pool.jsonl", "--out", tmp_path / "run")
        ran = s2r("serve", *files, "--policies", REPO / "policies", "--port", "0", "--workers", "1", "--log", "json")
    finally:
        told.addresses.put("")
        visitor.join()
        logging.getLogger("s2r.service").removeHandler(told)
    assert seen == {"refused": [404, 503], "asked": 202, "night": "done", "records": 1}
    assert ran.code == 0
    lines = [json.loads(line) for line in ran.err.splitlines()]
    assert [line["path"] for line in lines if line.get("status") == 404] == ["/***/***"]
    assert [line["message"] for line in lines if "asked for" in line["message"]] == ["nightly: asked for by local"]
    assert key not in ran.err
    assert password not in ran.err


# ---- logs ----

KEYS = {"S2R_BRAVE_KEY": "AIza SECRET+value/1", "S2R_NOTICE_URLS": "mailto://me:pass-word1@example.org json://hook.example/T0KEN-two"}


@pytest.mark.parametrize("as_json", [True, False])
def test_no_secret_reaches_a_log(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Keys in any written form, passwords in addresses, bearer tokens, in messages, fields and traces; the rest stays readable."""
    secrets = Secrets(KEYS | {"HTTPS_PROXY": "http://u:proxy-pass9@proxy:1"}, {"openai_key": "sk-file-key-7777", "workers": 3})
    token = "s2r_" + "k" * 43
    held = [
        "AIza SECRET+value/1",
        "AIza%20SECRET%2Bvalue%2F1",
        "pass-word1",
        "T0KEN-two",
        "proxy-pass9",
        "sk-file-key-7777",
        token,
        "abcdefgh12345",
    ]
    log = logging.getLogger("s2r.test")
    with open_logs(secrets, as_json=as_json):
        for text in held[:-1]:
            log.info("asked %s", text, extra={"fields": {"path": f"/x?y={text}", "ms": 1.5}})
        log.info("Authorization: Bearer %s", held[-1])
        try:
            raise ConfigError(f"the key {held[0]} is refused", subject="brave")
        except ConfigError:
            log.exception("failed")
    said = capsys.readouterr().err
    assert [text for text in held if text in said or json.dumps(text)[1:-1] in said] == []
    assert said.count("asked ***") == len(held) - 1
    assert "ConfigError" in said
    if as_json:
        assert [json.loads(line)["ms"] for line in said.splitlines() if "ms" in json.loads(line)] == [1.5] * (len(held) - 1)


def test_what_is_sent_begins_no_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """A path with a line end is one line of a plain log."""
    with open_logs(Secrets({}, {}), as_json=False):
        logging.getLogger("s2r.test").info("request", extra={"fields": {"path": "/x\n2026-01-01 forged"}})
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_desks_that_are_safe_are_accepted(tmp_path: Path, policy: object, policies: Path) -> None:
    """Names, addresses and networks as operators write them."""
    desk = WebDesk(
        out=tmp_path, policy=policy, policies=policies, settings=None, clock=None, host="10.0.0.1", hosts=("s2r.example", "s2r", "[::1]"),  # type: ignore[arg-type]
        proxy_header="X-User", proxy_addresses=("10.1.2.0/24", "fd00::/8", "192.0.2.1"),
    )  # fmt: skip
    check_desk(desk)

"""What all tests share: a clean environment, no network, a fixed clock, the policy, and the command line in-process."""

from __future__ import annotations

import asyncio
import datetime as dt
import fcntl
import gc
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from s2r.cli import main
from s2r.job import AuditFiles, audit_files
from s2r.policy import Policy, load_policy
from s2r.settings import Settings

REPO = Path(__file__).parents[1]
SHARED = REPO.parent / "shared"


@pytest.fixture(autouse=True)
def _no_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """No S2R_* settings from outside, and no connection to any other machine."""
    for name in [name for name in os.environ if name.startswith("S2R_")]:
        monkeypatch.delenv(name)
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX and isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(scope="session")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's policies: what a test compares must not change while it runs."""
    return Path(shutil.copytree(REPO / "policies", tmp_path_factory.mktemp("policies") / "policies"))


@pytest.fixture(scope="session")
def policy(policies: Path) -> Policy:
    """The delisting policy of the repository."""
    return load_policy("delisting", policies)


@pytest.fixture(scope="session")
def sealed() -> Path:
    """Folder of the sealed development set."""
    folder = SHARED / "sealed-dev"
    if not (folder / "docs.jsonl").is_file():
        pytest.skip(f"the sealed development set is not at {folder}")
    return folder


@pytest.fixture(scope="session")
def dev_run(sealed: Path, policy: Policy, policies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run folder of an audit of the sealed development set; the workers of a test run share one. Tests do not change it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    out = shared / "dev-run"
    now = dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)
    files = AuditFiles(sealed / "universe.csv", sealed / "docs.jsonl", out, cutoff=None, today=now.date())
    with (shared / "dev-run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (out / "run.json").is_file():
            job = audit_files(
                files, policy, policies, Settings(workers=2), clock=lambda: now, on_event=lambda event: None, on_total=lambda n: None
            )
            asyncio.run(job)
    return out


@pytest.fixture
def clock() -> Callable[[], dt.datetime]:
    """A clock that stands still in 2026 (UTC)."""
    return lambda: dt.datetime(2026, 3, 2, 9, 30, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Ran:
    """Outcome of one command."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def s2r(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in this process: `s2r("audit", "universe.csv", ...)`."""

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["s2r", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        code = ended.value.code
        return Ran(code if isinstance(code, int) else 1, out, err)

    return run


def start(arguments: Sequence[object], cwd: Path, **environment: str) -> subprocess.Popen[str]:
    """The command in a process and a process group of its own, with both outputs piped."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("S2R_")} | {"PYTHONUNBUFFERED": "1"} | environment
    command = [sys.executable, "-m", "s2r", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, encoding="utf-8"
    )


WAITING = (
    "test_live",
    "test_net_",
    "test_search_providers",
    "test_testing",
    "test_modelapi_conformance",
    "test_modelapi_readers",
    "test_evaluate_",
    "test_modelapi_batch",
    "test_engine",
    "test_webarchive.py",
    "test_report_page",
    "test_llm_changed",
)  # wait for servers, clocks and processes, or render whole reports: not in `make check`


LONG_TABLE = 24  # rows of a table that `make check` takes whole
LONGEST = ("test_readme.py", "test_browser.py")


gc.disable()  # while some thousand tests are collected, which all stay


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays to the end: the collector need not look at it again and again (a quarter of the suite's CPU)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--proofs` runs what takes minutes."""
    parser.addoption("--proofs", action="store_true", help="also run whole worlds (marker proof)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test of the waiting modules `slow`, and of each long table all rows but every sixth; leave the proofs out unless they are
    asked for. The longest tests begin first, so that no worker is alone with one at the end."""
    left_out = pytest.mark.skip(reason="a proof over a whole world takes minutes: make proofs")
    rows: Counter[str] = Counter()
    for item in items:
        table = item.nodeid.partition("[")[0]
        rows[table] += 1
        if rows[table] > LONG_TABLE and rows[table] % 6:
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("proof") and not config.getoption("--proofs"):
            item.add_marker(left_out)
        if item.path.name.startswith(WAITING):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.path.name not in LONGEST)


def in_namespace(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script that may mount file systems of its own; skips where the system does not allow that."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("user and mount namespaces are not available here")
    return subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=folder, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of Debian's Chromium, which is installed where that may be done; tests that need it are skipped, with the reason, elsewhere."""
    with (Path(tempfile.gettempdir()) / f"s2r-chromium-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # workers of the suite wait for the first one
        why = "" if (found := _chromium()) else _install_chromium()
    found = found or _chromium()
    if not found:
        pytest.skip(f"there is no chromium here ({why}): apt-get install -y chromium")
    return found


def _chromium() -> str:
    return shutil.which("chromium") or shutil.which("chromium-browser") or ""


def _install_chromium() -> str:
    """Why it could not be installed."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "only root of a Debian system may install it"
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "-qq", "update"], ["apt-get", "-qq", "-y", "--no-install-recommends", "install", "chromium"]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=200, env=env, check=False)
        except subprocess.TimeoutExpired:
            return f"{' '.join(command)} took too long"
        if done.returncode:
            return f"{' '.join(command)}: {done.stderr.strip()[-200:]}"
    return "it was installed and is not there"

"""A command with all processes that it starts: seconds, CPU time, and memory of the whole tree.

`python -m benchmarks.tree REPORT -- COMMAND` runs the command as a child, adopts its orphans (workers and their starter outlive it by
moments), and writes one JSON report. Memory is the sum of the proportional shares (PSS) of all processes, looked at every half second.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2r.errors import ConfigError

ROOT = Path(__file__).parents[1]
ADOPT = 36  # PR_SET_CHILD_SUBREAPER of Linux
EVERY_S = 0.5  # between two looks at memory; each costs milliseconds
FINE = frozenset({0, 4})  # exit codes of a command that did its work; 4: some rows or pages failed


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command took. `main_mb` is the peak of the process itself, `all_mb` that of the sum over all of its processes."""

    code: int
    seconds: float
    cpu: float
    main_mb: float
    all_mb: float
    most_processes: int
    out: str
    err: str


def run(command: Sequence[object], env: Mapping[str, str] | None = None, *, stop_after: float | None = None, checked: bool = True) -> Ran:
    """Run a command to its end; `stop_after` seconds it gets SIGTERM. Raises ConfigError when it fails."""
    with tempfile.TemporaryDirectory(prefix="s2r-tree-") as folder:
        report, out, err = (Path(folder) / name for name in ("report.json", "out", "err"))
        helper = [sys.executable, "-m", "benchmarks.tree", str(report), "--", *map(str, command)]
        whole = clean_environment() | dict(env or {})
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = subprocess.Popen(helper, stdout=stdout, stderr=stderr, env=whole)  # noqa: S603 - our own program
            try:
                process.wait(stop_after)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM)
                process.wait()
        told, said = out.read_text("utf-8", "replace"), err.read_text("utf-8", "replace")
        if not report.is_file():
            raise ConfigError(f"could not be measured: {said.strip()[-400:]}", subject=str(command[0]))
        found = json.loads(report.read_text("utf-8"))
    if checked and found["code"] not in FINE:
        raise ConfigError(f"ended with {found['code']}: {said.strip()[-400:]}", subject=" ".join(map(str, command[:4])))
    return Ran(**found, out=told, err=said)


def clean_environment() -> dict[str, str]:
    """That of this process without settings of s2r, in which this checkout is imported."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("S2R_")}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), kept.get("PYTHONPATH"))))}


def main(arguments: Sequence[str]) -> int:
    """Run as a process of its own: everything that ends below it is its own child."""
    report, _, *command = arguments
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    began = time.monotonic()
    process = subprocess.Popen(command)  # noqa: S603 - given by the benchmark
    signal.signal(signal.SIGTERM, lambda *_: process.send_signal(signal.SIGTERM))
    watch = _Watch(process.pid)
    watch.start()
    code, seconds, cpu = 0, 0.0, 0.0
    while True:
        try:
            pid, status, used = os.wait4(-1, 0)
        except ChildProcessError:
            break
        cpu += used.ru_utime + used.ru_stime
        if pid == process.pid:
            code, seconds = os.waitstatus_to_exitcode(status), time.monotonic() - began
    watch.done.set()
    watch.join()
    found = {"code": code, "seconds": seconds, "cpu": cpu, "main_mb": watch.main / 1024, "all_mb": watch.all / 1024}
    Path(report).write_text(json.dumps(found | {"most_processes": watch.most}), "utf-8")
    return 0


class _Watch(threading.Thread):
    """Looks at the memory of all processes below this one until it is told to end; sizes in kB."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.main = self.all = self.most = 0
        self.done = threading.Event()
        self._pid = pid

    def run(self) -> None:
        """One look after the other."""
        while not self.done.wait(EVERY_S):
            found = list(below(os.getpid()))
            self.most = max(self.most, len(found))
            self.main = max(self.main, _kilobytes(Path(f"/proc/{self._pid}/status"), "VmHWM:"))
            self.all = max(self.all, sum(_kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") for pid in found))


def below(pid: int) -> Iterator[int]:
    """All processes below one, however deep."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found = [int(child) for child in task.read_text("utf-8").split()]
        except OSError:  # it ended meanwhile
            continue
        for child in found:
            yield child
            yield from below(child)


def _kilobytes(path: Path, name: str) -> int:
    try:
        return next((int(line.split()[1]) for line in path.read_text("utf-8").splitlines() if line.startswith(name)), 0)
    except OSError:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

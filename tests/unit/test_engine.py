"""Worker processes: one that dies costs nothing, a task that kills its worker costs itself only, and none outlives its parent."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from s2r.pipeline import engine as engine_module
from s2r.pipeline.engine import Engine, WorkerDied

HELD: list[str] = []


def keep(word: str) -> None:
    """Prepare a worker."""
    HELD.append(word)


def told(number: int) -> tuple[int, list[str], int]:
    """Square, what the worker holds, its process."""
    return number * number, HELD, os.getpid()


def fail(number: int) -> int:
    """A task with a bug."""
    raise KeyError(number)


def die_once(mark: str) -> str:
    """Kill the worker the first time, answer the second."""
    path = Path(mark)
    if path.exists():
        return "done"
    path.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def poison(number: int) -> int:
    """Kill the worker for number 0, take a moment for all others."""
    if number == 0:
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.2)
    return number


def run_all(tasks: Sequence[tuple[object, object]], workers: int = 2) -> list[object]:
    """Results or exceptions of all tasks, run side by side."""

    async def work() -> list[object]:
        async with Engine(workers, keep, ("policy",)) as engine:
            return list(await asyncio.gather(*(engine.run(f, x) for f, x in tasks), return_exceptions=True))  # type: ignore[arg-type]

    return asyncio.run(work())


@pytest.mark.slow
def test_results_come_back_from_prepared_workers() -> None:
    """Each task gets its own result; workers are other processes that hold what they were given."""
    found = run_all([(told, n) for n in range(6)])
    assert [square for square, _, _ in found] == [0, 1, 4, 9, 16, 25]  # type: ignore[misc]
    assert all(held == ["policy"] for _, held, _ in found)  # type: ignore[misc]
    assert os.getpid() not in {pid for _, _, pid in found}  # type: ignore[misc]


def test_exception_of_a_task_is_raised_as_it_is() -> None:
    """And the other tasks go on."""
    found = run_all([(fail, 1), (told, 2)])
    assert isinstance(found[0], KeyError)
    assert found[1][0] == 4  # type: ignore[index]


def test_task_whose_worker_died_once_is_done(tmp_path: Path) -> None:
    """Killed from outside, or out of memory for a moment."""
    assert run_all([(die_once, str(tmp_path / "mark")), (told, 3)])[0] == "done"


@pytest.mark.slow
def test_poison_task_fails_alone() -> None:
    """Its neighbours in the same pool are answered, though the pool broke under them; later tasks too."""
    found = run_all([(poison, n) for n in (1, 0, 2, 3, 4)], workers=3)
    assert isinstance(found[1], WorkerDied)
    assert [x for x in found if not isinstance(x, BaseException)] == [1, 2, 3, 4]


@pytest.mark.slow
def test_two_poison_tasks_do_not_blame_each_other() -> None:
    """Each is tried alone before it is given up."""
    found = run_all([(poison, 0), (poison, 5), (poison, 0), (poison, 6)])
    assert [isinstance(x, WorkerDied) for x in found] == [True, False, True, False]


def test_workers_are_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a number of tasks new processes take over, and no task is lost on the way."""
    monkeypatch.setattr(engine_module, "TASKS_PER_WORKER", 3)
    found = run_all([(told, n) for n in range(20)], workers=1)
    assert [square for square, _, _ in found] == [n * n for n in range(20)]  # type: ignore[misc]
    assert len({pid for _, _, pid in found}) >= 6  # type: ignore[misc]


@pytest.mark.slow
def test_fault_in_the_run_kills_workers_at_once() -> None:
    """A row that would take a minute is given up when the run ends with an error."""

    async def work() -> None:
        async with Engine(1) as engine:
            row = asyncio.create_task(engine.run(time.sleep, 60.0))
            await asyncio.sleep(1.5)
            row.cancel()
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        asyncio.run(work())


@pytest.mark.slow
def test_worker_ends_with_its_parent(tmp_path: Path) -> None:
    """A parent that is killed leaves no process behind."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import asyncio, os, signal, time\nfrom s2r.pipeline.engine import Engine\n"
        "async def work():\n"
        "    engine = Engine(2)\n"
        "    pids = await asyncio.gather(*(engine.run(divmod_pid, n) for n in range(2)))\n"
        "    print(*pids, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "from worker_pid import divmod_pid\nasyncio.run(work())\n",
        "utf-8",
    )
    (tmp_path / "worker_pid.py").write_text("import os, time\ndef divmod_pid(n):\n    time.sleep(0.2)\n    return os.getpid()\n", "utf-8")
    done = subprocess.run([sys.executable, script.name], cwd=tmp_path, stdout=subprocess.PIPE, text=True, timeout=60)
    pids = [int(pid) for pid in done.stdout.split()]
    assert done.returncode == -signal.SIGKILL
    assert pids
    end = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.slow
def test_a_run_ends_though_a_worker_of_a_broken_pool_does_not(tmp_path: Path) -> None:
    """One worker is killed, the other one stopped so that it cannot be told to end: all tasks are done, and the program ends."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import asyncio, os, signal\nfrom s2r.pipeline.engine import Engine\nfrom worker_pid import divmod_pid\n"
        "async def work():\n"
        "    async with Engine(2) as engine:\n"
        "        first, second = set(await asyncio.gather(*(engine.run(divmod_pid, n) for n in range(2))))\n"
        "        os.kill(first, signal.SIGSTOP)\n"
        "        os.kill(second, signal.SIGKILL)\n"
        "        print(len(await asyncio.gather(*(engine.run(divmod_pid, n) for n in range(4)))), flush=True)\n"
        "asyncio.run(work())\n",
        "utf-8",
    )
    (tmp_path / "worker_pid.py").write_text("import os, time\ndef divmod_pid(n):\n    time.sleep(0.5)\n    return os.getpid()\n", "utf-8")
    done = subprocess.run([sys.executable, script.name], cwd=tmp_path, stdout=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "4\n")


@pytest.mark.timeout(60)
def test_cancelled_while_an_idle_worker_hangs() -> None:
    """Told to stop at once while its workers end, an engine kills the one that does not."""

    async def work() -> int:
        async with Engine(1, keep, ("policy",)) as engine:
            result = await engine.run(told, 3)
            os.kill(result[2], signal.SIGSTOP)
            return result[2]

    async def cancelled() -> int:
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        while not any(_stopped(pid) for pid in _children()):
            assert not task.done()
            await asyncio.sleep(0.01)
        pid = next(pid for pid in _children() if _stopped(pid))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pid

    pid = asyncio.run(cancelled())
    while Path(f"/proc/{pid}").exists() and _state(pid) not in "ZX":
        time.sleep(0.01)


def _children() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _stopped(pid: int) -> bool:
    return _state(pid) == "T" and str(os.getpid()) in _line(pid).split()


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def _line(pid: int) -> str:
    """Ids of the parents of a process, up to the first one."""
    found = []
    while pid > 1:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[1])
        except OSError:
            break
        found.append(str(pid))
    return " ".join(found)

"""A run may be killed or stopped at any point: the same command goes on, and its records are those of a run that was not."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import Command, start
from factories import write_world

from s2r.cli.stopping import stoppable

pytestmark = pytest.mark.slow

ROWS = 10
ROUNDS = 5
KILLS = 5  # in each round: 25 in all, 10 of them without --proofs
WORKER_KILLS = 2
PATIENCE = 180.0  # seconds; a loaded machine is slow, a hung run is longer


def records(out: Path) -> bytes:
    """records.jsonl without the time that each row took."""
    return re.sub(rb'"latency_s":[0-9.e+-]+', b'"latency_s":0', (out / "records.jsonl").read_bytes())


def litter(out: Path) -> list[str]:
    """Files that only a run in work may have."""
    found = [p for pattern in ("**/*.part", "**/*.tmp", "**/*.tmp-journal", "**/writer.lock") for p in out.glob(pattern)]
    return [str(p.relative_to(out)) for p in found]


def descendants(pid: int) -> set[int]:
    """Process ids of all children of a process and theirs."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def workers(pid: int) -> list[int]:
    """Process ids of the workers: children of the process that starts them."""
    return sorted({grandchild for child in descendants(pid) for grandchild in descendants(child)})


def running(pids: Iterable[int]) -> set[int]:
    """Those of `pids` that run and are no zombies."""
    found = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] != "Z":
                found.add(pid)
    return found


def wait_gone(pids: set[int]) -> set[int]:
    """Those of `pids` that still run after a while."""
    end = time.monotonic() + PATIENCE
    while (left := running(pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def progress(process: subprocess.Popen[str], rows: int) -> int:
    """Read progress until `rows` more rows are done or the process ends; return how many were."""
    assert process.stderr is not None
    seen = 0
    while seen < rows and (line := process.stderr.readline()):
        seen += re.match(r"\d+/\d+ ", line) is not None
    return seen


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, policies: Path) -> tuple[list[object], bytes]:
    """Arguments of an audit of the small world, and its records when nothing disturbs it."""
    folder = tmp_path_factory.mktemp("small")
    universe, pool = write_world(folder, ROWS)
    arguments: list[object] = ["audit", universe, "--pool", pool, "--policies", policies, "--workers", 2]
    done = start([*arguments, "--out", folder / "out"], folder)
    assert done.wait(PATIENCE) == 0
    return arguments, records(folder / "out")


@pytest.mark.parametrize("seed", [seed if seed < 2 else pytest.param(seed, marks=pytest.mark.proof) for seed in range(ROUNDS)])
def test_run_killed_at_random_points_continues_to_the_same_records(
    seed: int, small: tuple[list[object], bytes], tmp_path: Path, s2r: Command
) -> None:
    """SIGKILL at any point loses nothing that was done, leaves no process behind, and changes no byte of the records."""
    arguments, expected = small
    out, dice = tmp_path / "out", random.Random(seed)
    command = [*arguments, "--out", out]
    for _ in range(KILLS):
        process = start(command, tmp_path)
        match dice.randrange(4):
            case 0:  # while it starts, reads the pool or opens the store
                time.sleep(dice.uniform(0.0, 1.5))
            case 1:  # while it writes the files at the end
                progress(process, ROWS)
                time.sleep(dice.uniform(0.0, 0.3))
            case _:  # while rows are in work
                progress(process, dice.randrange(1, 4))
                time.sleep(dice.uniform(0.0, 0.05))
        children = descendants(process.pid)
        process.kill()
        process.communicate()
        assert not wait_gone(children), "workers outlive a killed run"
    process = start(command, tmp_path)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert records(out) == expected
    assert litter(out) == []
    assert s2r("verify", out).code == 0


@pytest.mark.parametrize("seed", range(2))
def test_run_whose_workers_are_killed_completes(seed: int, small: tuple[list[object], bytes], tmp_path: Path) -> None:
    """A killed worker costs at most an error record of its row, which the same command then replaces."""
    arguments, expected = small
    out, dice = tmp_path / "out", random.Random(100 + seed)
    command = [*arguments, "--out", out]
    process = start(command, tmp_path)
    for _ in range(WORKER_KILLS):
        progress(process, dice.randrange(1, 3))
        if found := workers(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(dice.choice(found), signal.SIGKILL)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 4), err
    again = start(command, tmp_path)
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    assert records(out) == expected


def test_killed_starter_of_workers_is_started_again(small: tuple[list[object], bytes], tmp_path: Path) -> None:
    """The helper process that starts workers may die too; the run goes on."""
    arguments, expected = small
    process = start([*arguments, "--out", tmp_path / "out"], tmp_path)
    progress(process, 1)
    for pid in descendants(process.pid) - set(workers(process.pid)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # on a busy machine the run may be over by now
            if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 4), err
    again = start([*arguments, "--out", tmp_path / "out"], tmp_path)
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    assert records(tmp_path / "out") == expected


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_or_sigterm_stops_cleanly_and_the_same_command_continues(number: signal.Signals, tmp_path: Path, policies: Path) -> None:
    """Exit 130 with a message; rows that are done are kept and shown; the rest follow. A terminal signals the whole group, a service
    manager the process."""
    universe, pool = write_world(tmp_path, 40)
    command: list[object] = ["audit", universe, "--pool", pool, "--policies", policies, "--workers", 1, "--out", tmp_path / "out"]
    process = start(command, tmp_path)
    progress(process, 1)
    if number is signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert "again stops at once" in err or "A second signal stops at once" in err
    assert re.search(r"Stopped with \d+ rows waiting. Repeat the same command to continue.", err)
    kept = records(tmp_path / "out").splitlines()
    assert 1 <= len(kept) < 40
    assert "Traceback" not in out + err
    again = start(command, tmp_path)
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    done = records(tmp_path / "out").splitlines()
    assert len(done) == 40
    assert set(kept) <= set(done)
    assert len(re.findall(r"^\d+/40 ", err, re.MULTILINE)) == 40 - len(kept)


def test_ctrl_c_at_a_terminal_while_workers_start_is_left_to_the_run(small: tuple[list[object], bytes], tmp_path: Path) -> None:
    """All processes of a terminal get it, also one that still imports what workers need: it says nothing and stays."""
    arguments, _ = small
    process = start([*arguments, "--out", tmp_path / "out"], tmp_path)
    helper: set[int] = set()
    while not helper and process.poll() is None:
        for pid in descendants(process.pid):
            with contextlib.suppress(OSError):
                if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    helper.add(pid)
    time.sleep(0.1)  # it imports for a second or two
    assert helper
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.2)
    assert running(helper)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 130), err  # 0: all rows were in work
    assert "Traceback" not in err


def test_second_ctrl_c_in_a_row_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """Ctrl-C that hits code of a row ends the program; what the loop keeps of it is not printed as a fault. Other faults are."""

    async def row() -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(3600)

    async def broken() -> None:
        raise ValueError("a fault of a task that nobody waits for")

    async def job() -> None:
        with stoppable(asyncio.get_running_loop(), asyncio.Event()):
            lost = asyncio.create_task(broken())
            await asyncio.sleep(0)
            del lost
            async with asyncio.TaskGroup() as rows:
                rows.create_task(row())

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(job())
    gc.collect()
    assert [record.getMessage().splitlines()[0] for record in caplog.records] == ["Task exception was never retrieved"]
    assert "KeyboardInterrupt" not in caplog.text


def test_second_ctrl_c_within_a_task_of_a_row_ends_all_that_is_open(caplog: pytest.LogCaptureFixture) -> None:
    """Were it raised there, the row would raise it once more while all is cancelled, and what holds the workers would never be told."""
    ended: list[str] = []

    async def search(stop: asyncio.Event) -> None:
        signal.raise_signal(signal.SIGINT)
        await stop.wait()
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(3600)

    async def row(stop: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as searches:
            searches.create_task(search(stop))

    async def job(stop: asyncio.Event) -> None:
        with stoppable(asyncio.get_running_loop(), stop):
            try:
                async with asyncio.TaskGroup() as rows:
                    rows.create_task(row(stop))
                    rows.create_task(asyncio.sleep(3600))
            finally:
                await asyncio.sleep(0)  # as workers are waited for
                ended.append("workers")

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(job(asyncio.Event()))
    assert ended == ["workers"]
    gc.collect()
    assert caplog.text == ""


def test_third_ctrl_c_leaves_what_does_not_end(tmp_path: Path) -> None:
    """A task that does not end when it is told to is not waited for; the exit code and what to do are those of any stop."""
    script = """
import asyncio, signal
from s2r.cli.stopping import stoppable

async def deaf():
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            print("told", flush=True)

async def job():
    with stoppable(asyncio.get_running_loop(), asyncio.Event()):
        print("ready", flush=True)
        await deaf()

asyncio.run(job())
"""
    process = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    while "Ctrl-C again" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "told\n"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "\nStopped at once. Repeat the same command to continue.\n"


def test_second_ctrl_c_stops_at_once(small: tuple[list[object], bytes], tmp_path: Path) -> None:
    """A row in work is given up; nothing is left running or locked, and the same command completes the run."""
    arguments, expected = small
    command = [*arguments, "--out", tmp_path / "out"]
    process = start(command, tmp_path)
    progress(process, 1)
    for pid in workers(process.pid):  # rows in work never end by themselves now
        os.kill(pid, signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "Ctrl-C again" not in process.stderr.readline():
        assert process.poll() is None
    children = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "Repeat the same command to continue." in err
    assert not wait_gone(children)
    assert litter(tmp_path / "out") == []
    again = start(command, tmp_path)
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    assert records(tmp_path / "out") == expected


def test_second_process_on_the_same_folder_explains(small: tuple[list[object], bytes], tmp_path: Path) -> None:
    """It names the holder and what to do, exits 1, and disturbs nothing."""
    arguments, expected = small
    command = [*arguments, "--out", tmp_path / "out"]
    first = start(command, tmp_path)
    progress(first, 1)
    first.send_signal(signal.SIGSTOP)
    second = start(command, tmp_path)
    _, err = second.communicate(timeout=PATIENCE)
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 1
    assert f"is in use by process {first.pid}" in err
    assert "Wait for it to end, or give another --out folder." in err
    assert "Traceback" not in err
    _, err = first.communicate(timeout=PATIENCE)
    assert first.returncode == 0, err
    assert records(tmp_path / "out") == expected

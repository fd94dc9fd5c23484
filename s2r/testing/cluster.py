"""A real Dask cluster on the loopback interface: a scheduler and workers, each in processes of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from distributed import Client

PATIENCE = 60.0  # seconds for any of its processes to start or end


class LoopbackCluster:
    """Use as a context manager; needs the extra dask. `folder` takes logs and what workers spill, `environment` is set for all of it. With
    `nanny` a worker that dies is started again."""

    def __init__(self, folder: Path, workers: int = 2, *, nanny: bool = True, **environment: str) -> None:
        self.folder, self._count, self._nanny, self._environment = folder, workers, nanny, environment
        self.folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def begin(self) -> None:
        """Start the scheduler, then the workers, and wait until all of them are there."""
        port = self.address.rpartition(":")[2]
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", port, "--dashboard-address", "127.0.0.1:0")
        for _ in range(self._count):
            self.add()
        with self.client() as client:
            client.wait_for_workers(self._count, timeout=PATIENCE)

    def add(self) -> None:
        """Start one worker more, of one thread."""
        options = [
            "--nthreads",
            "1",
            "--nanny" if self._nanny else "--no-nanny",
            "--dashboard-address",
            "127.0.0.1:0",
            "--host",
            "127.0.0.1",
        ]
        self.workers.append(self._start("worker", self.address, *options, "--local-directory", str(self.folder)))

    def client(self) -> Client:
        """A client of it, to be closed."""
        return Client(self.address, timeout=PATIENCE, set_as_default=False)

    def pids(self) -> list[int]:
        """Process ids of the workers that compute; those of their nannies are not among them."""
        with self.client() as client:
            return sorted(client.run(os.getpid, on_error="ignore").values())

    def stop(self) -> None:
        """Kill all of it."""
        for process in (*self.workers, self.scheduler):
            if process is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait(PATIENCE)
        self.workers, self.scheduler = [], None

    def _start(self, command: str, *options: str) -> subprocess.Popen[bytes]:
        env = {name: value for name, value in os.environ.items() if not name.startswith("S2R_")} | self._environment
        with (self.folder / f"{command}-{time.monotonic_ns()}.log").open("wb") as log:
            whole = [sys.executable, "-m", "dask", command, *options]
            return subprocess.Popen(  # noqa: S603 - our own command line
                whole, cwd=self.folder, env=env, stdout=log, stderr=log, start_new_session=True
            )

"""One writer per archive: a lock file that names its holder; a holder that died on this machine is replaced."""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from s2r.errors import StoreError

NAME = "writer.lock"


def process_start(pid: int) -> str:
    """Start of a process in clock ticks since boot, with the boot id; "" where the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""
    return f"{boot}/{stat.rpartition(')')[2].split()[19]}"


class WriterLock:
    """Holds `folder`/writer.lock from `__init__` to `release`; raises `StoreError` naming a live holder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        pid = os.getpid()
        self._mine = {"pid": pid, "host": socket.gethostname(), "process_start": process_start(pid), "started": _started(pid)}
        with _guard(folder):
            holder = read_holder(self.path)
            if holder and is_live(holder):
                raise StoreError(
                    f"is in use by process {holder.get('pid')} on {holder.get('host')}{_since(holder)}",
                    subject=str(folder),
                    advice=f"Wait for it to end or use another archive folder; if it is certainly gone, remove {self.path}.",
                )
            temp = self.path.with_suffix(f".{pid}.tmp")
            temp.write_text(json.dumps(self._mine) + "\n", "utf-8")
            temp.replace(self.path)

    def release(self) -> None:
        """Remove the lock if it is still ours and this process took it; safe to call twice."""
        if os.getpid() != self._mine["pid"]:
            return  # a forked child must not free what its parent holds
        with contextlib.suppress(OSError), _guard(self.path.parent):
            if read_holder(self.path) == self._mine:
                self.path.unlink()


def free_dead_lock(folder: Path) -> None:
    """Remove `folder`/writer.lock when its holder does not run any more."""
    path = folder / NAME
    if path.exists():
        with contextlib.suppress(OSError), _guard(folder):
            if not is_live(read_holder(path)):
                path.unlink()


def is_held(folder: Path) -> bool:
    """Whether a process that may still run holds the folder."""
    holder = read_holder(folder / NAME)
    return bool(holder) and is_live(holder)


def read_holder(path: Path) -> dict[str, object]:
    """The holder named in a lock file; {} when there is none or it is unreadable (a torn write of a dead process)."""
    try:
        holder = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return holder if isinstance(holder, dict) else {}


def is_live(holder: dict[str, object]) -> bool:
    """Whether the holder may still be running; holders on other machines count as running."""
    if holder.get("host") != socket.gethostname():
        return True
    pid = holder.get("pid")
    if not isinstance(pid, int) or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it runs, under another user
    known, now = holder.get("process_start"), process_start(pid)
    return not (known and now and known != now)  # the number was given to another process


def _started(pid: int) -> str:
    """Start of a process as UTC text for people; "" where the system does not tell."""
    start = process_start(pid)
    try:
        boot = next(line.split()[1] for line in Path("/proc/stat").read_text("ascii").splitlines() if line.startswith("btime "))
        seconds = int(boot) + int(start.rpartition("/")[2]) // os.sysconf("SC_CLK_TCK")
    except (OSError, StopIteration, ValueError):
        return ""
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _since(holder: dict[str, object]) -> str:
    return f" since {holder['started']}" if holder.get("started") else ""


@contextlib.contextmanager
def _guard(folder: Path) -> Iterator[None]:
    """Serialises the short look-then-take between processes."""
    fd = os.open(folder / ".lock-guard", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)

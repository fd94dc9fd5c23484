"""A nightly run that is killed at random points and gone on with: what must be as if nothing had happened.

`python tests/night_kills.py FOLDER KILLS` runs it by hand.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from conftest import REPO, start
from factories import write_world

from s2r.store import Store
from s2r.store.nights import Nights

ROWS = 6


def arguments(folder: Path, out: Path) -> list[object]:
    """The command of a night."""
    return [
        "nightly", folder / "universe.csv", "--pool", folder / "pool.jsonl", "--out", out, "--workers", 2, "--policies", REPO / "policies"
    ]  # fmt: skip


def run(folder: Path, out: Path) -> float:
    """One whole night; return its seconds."""
    began = time.monotonic()
    done = start(arguments(folder, out), folder)
    _, told = done.communicate(timeout=240)
    assert done.returncode == 0, told
    return time.monotonic() - began


def state(out: Path) -> dict[str, object]:
    """All that a night leaves, without times."""
    records = [json.loads(line) | {"latency_s": 0} for line in (out / "records.jsonl").read_text("utf-8").splitlines()]
    with Store(out / "s2r.db", read_only=True) as store:
        nights = [(night.job, night.state, night.outcome["counts"]) for night in Nights(store).all()]
        numbers = store.numbers()
    reports = [json.loads(path.read_text("utf-8")) for path in sorted(out.glob("nights/0*/changes.json"))]
    told = [sorted((c["row_id"], c["kind"], c["why"]) for c in report["changes"]) for report in reports]
    return {"records": records, "nights": nights, "numbers": numbers, "told": told}


def killed(folder: Path, out: Path, after: float) -> bool:
    """Start a night and kill it with all its workers after so many seconds; whether it was still running."""
    process = start(arguments(folder, out), folder)
    try:
        process.wait(after)
    except Exception:  # noqa: BLE001 - the time is up, which is the usual end here
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return True
    process.communicate()
    return False


def kill_nights(folder: Path, kills: int, seed: int = 7) -> list[str]:
    """Kill `kills` nights, each once at a random point, and go on with them; return what differs from a night that was left alone."""
    write_world(folder, ROWS)
    seconds = run(folder, folder / "whole")
    whole = state(folder / "whole")
    dice = random.Random(seed)
    faults = []
    for number in range(kills):
        out = folder / f"killed-{number}"
        after = dice.uniform(0.05, seconds)
        was_running = killed(folder, out, after)
        if was_running:
            run(folder, out)  # one that had ended would begin another night
        found = state(out)
        wrong = [name for name in whole if found[name] != whole[name]]
        if wrong:
            faults.append(f"kill {number} after {after:.2f} s (running: {was_running}): {', '.join(wrong)} differ")
        print(f"{number + 1}/{kills} after {after:.2f} of {seconds:.2f} s, running {was_running}: {wrong or 'equal'}", flush=True)
    return faults


if __name__ == "__main__":
    raise SystemExit("\n".join(kill_nights(Path(sys.argv[1]), int(sys.argv[2]))) or 0)

"""A night on paid services that is killed again and again and gone on with: nothing is lost, told once at least, and little is paid twice.

`python tests/paid_kills.py FOLDER KILLS` runs it by hand.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from conftest import REPO, start
from factories import write_world
from night_kills import state
from speakers import honest

from s2r.store import Store
from s2r.testing import World
from s2r.testing.models import ModelWorld

ROWS, WORKERS = 6, 2
PER_ROUND = 5  # kills of one night
MODEL = "openai:gpt-5-mini"


class Hook:
    """A web address that takes notices and keeps them."""

    def __init__(self) -> None:
        self.notices: list[dict[str, object]] = []
        notices = self.notices

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                notices.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/night"

    @contextlib.contextmanager
    def __call__(self) -> Iterator[Hook]:
        Thread(target=self._server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()


class Round:
    """One run folder with a home of its own, so that nothing is kept of other rounds, and the count of what was paid in it."""

    def __init__(self, folder: Path, name: str, world: World, models: ModelWorld, hook: Hook) -> None:
        self.folder, self.out, self.world, self.models, self.hook = folder, folder / name, world, models, hook
        self.before, self.told = self._calls(), len(hook.notices)
        self.env = world.env("brave") | models.env("openai") | {
            "S2R_HOME": str(folder / f"home-{name}"), "S2R_BRAVE_RATE": "5000", "S2R_HOST_RATE": "5000", "S2R_NOTICE_WEBHOOK": hook.url,
        }  # fmt: skip

    def _calls(self) -> Counter[str]:
        return Counter({"search": len(self.world.calls("brave")), "model": len(self.models.heard("openai"))})

    def paid(self) -> Counter[str]:
        """Calls of this round."""
        return self._calls() - self.before

    def notices(self) -> list[tuple[object, object]]:
        """Notices of this round: id and attempt."""
        return [(notice["id"], notice["attempt"]) for notice in self.hook.notices[self.told :]]

    def begin(self) -> subprocess.Popen[str]:
        """The night, in a process of its own."""
        return start(
            ["nightly", self.folder / "universe.csv", "--out", self.out, "--workers", WORKERS, "--policies", REPO / "policies", "--search",
             "brave", "--model", MODEL],
            self.folder, **self.env,
        )  # fmt: skip

    def end(self) -> float:
        """Run the night to its end; return its seconds."""
        began = time.monotonic()
        process = self.begin()
        _, told = process.communicate(timeout=240)
        assert process.returncode == 0, told
        return time.monotonic() - began

    def kill(self, after: float) -> bool:
        """Start the night and kill it with all its workers after so many seconds; whether it was still at work."""
        process = self.begin()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=after)
            return False
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return True


def plain(found: dict[str, object]) -> dict[str, object]:
    """A state of a folder without what is of one run: what it cost, and when a model answered. A kill after the end of a night lets the
    same command begin another one, which finds nothing to do."""
    records = json.loads(json.dumps(found["records"]))
    for record in records:
        del record["usage"], record["cost_usd"]
        for said in record["adjudication"]["opinions"]:
            del said["latency_s"], said["exchanges"], said["cached"], said["calls"], said["usd"]
        for rung in record["adjudication"]["rungs"]:
            del rung["latency_s"], rung["usd"]
    nights, told = found["nights"], found["told"]
    assert isinstance(nights, list)
    assert isinstance(told, list)
    return {"records": records, "nights": nights[:1], "numbers": found["numbers"], "told": told[:1], "more": [t for t in told[1:] if t]}


def faults_of(one: Round, whole: dict[str, object], paid: Counter[str], kills: int) -> list[str]:
    """What is not as if nothing had happened."""
    found = plain(state(one.out))
    faults = [f"{name} differ" for name in whole if found[name] != whole[name]]
    twice = sum((one.paid() - paid).values())
    if twice > WORKERS * kills:
        faults.append(f"{twice} calls were paid again for {kills} kills")
    told = [(str(ident), int(str(attempt))) for ident, attempt in one.notices()]
    if not told or len(set(told)) != len(told) or {ident for ident, _ in told} != {"s2r-night-1"}:
        faults.append(f"notices: {told}")
    with Store(one.out / "s2r.db", read_only=True) as store:
        doubled = store.rows("select row_id, count(*) as n from revision group by row_id having n > 1")
    return [*faults, *(f"{row['n']} revisions of {row['row_id']}" for row in doubled)]


def kill_paid_nights(folder: Path, kills: int, seed: int = 11) -> list[str]:
    """Kill nights `kills` times in all, a few times each, and end them; return what is wrong."""
    _, pool = write_world(folder, ROWS)
    faults: list[str] = []
    dice = random.Random(seed)
    with World(pool, tls=True) as world, ModelWorld() as models, Hook()() as hook:
        models.speak("openai", honest)
        first = Round(folder, "whole", world, models, hook)
        seconds = first.end()
        whole, paid = plain(state(first.out)), first.paid()
        assert (paid["model"], paid["search"] > 0) == (ROWS, True), paid
        first.end()
        assert first.paid() == paid, "a second night with nothing changed paid for something"
        print(f"undisturbed: {seconds:.1f} s, {dict(paid)}, notices {first.notices()}", flush=True)
        done = 0
        while done < kills:
            one = Round(folder, f"round-{done}", world, models, hook)
            times = min(PER_ROUND, kills - done)
            struck = sum(one.kill(dice.uniform(0.2, seconds * 0.95)) for _ in range(times))
            done += times
            one.end()
            wrong = faults_of(one, whole, paid, struck)
            faults += [f"round {one.out.name}: {fault}" for fault in wrong]
            print(f"{done}/{kills}: {struck} kills at work, {dict(one.paid())}, {one.notices()}: {wrong or 'equal'}", flush=True)
    return faults


if __name__ == "__main__":
    raise SystemExit("\n".join(kill_paid_nights(Path(sys.argv[1]), int(sys.argv[2]))) or 0)

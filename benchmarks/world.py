"""The loopback world in a process of its own: a search service, the web sites of a pool and a model server, with set latencies.

`python -m benchmarks.world POOL` prints one JSON line with the environment of a command that uses it, then one line of counts for each
line that it reads, and ends when its input does.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import click

from benchmarks.site import SEARCH
from benchmarks.tree import clean_environment
from s2r.testing import ModelWorld, World, fault
from s2r.testing.asked import Shown, read_prompt, saying
from s2r.testing.modelsaid import Heard, Said, Tokens

MODEL_SERVICE = "compat"
FREE = {"S2R_BRAVE_RATE": "5000", "S2R_HOST_RATE": "5000"}  # the benchmark measures s2r, not politeness


def answer(heard: Heard) -> Said:
    """What a careful model says: a line of a dated passage that names a listing's removal, else that nothing is there. The tokens are
    those of the prompt, four letters each."""
    asked = read_prompt(heard)
    size = len(heard.system) + sum(len(text) for _, text in heard.turns)
    tokens = Tokens(input=size // 4, output=150)
    for passage in asked.passages:
        line = passage.line(asked.issuer) or passage.line("delist")
        if line and passage.published != "unknown" and any(word in passage.text for word in ("delist", "removed from listing")):
            return _yes(passage, line, tokens)
    return saying("abstain", tokens=tokens)


def _yes(passage: Shown, line: str, tokens: Tokens) -> Said:
    evidence = [(name, passage.id, line[:300]) for name in ("status", "announcement_date", "reason")]
    told = {"announcement_date": passage.published, "reason": "voluntary", "disclosure_type": "issuer_announcement"}
    return saying("yes", *evidence, tokens=tokens, **told)


@click.command()
@click.argument("pool", type=click.Path(path_type=Path, exists=True))
@click.option("--search-s", type=float, default=0.2, show_default=True)
@click.option("--fetch-s", type=float, default=0.3, show_default=True)
@click.option("--model-s", type=float, default=1.0, show_default=True)
@click.option("--per-second", type=int, default=0, help="Searches that the service allows in any second; 0 = any number.")
@click.option("--faults", type=float, default=0.0, help="Share of searches that fail as they may.")
def main(pool: Path, search_s: float, fetch_s: float, model_s: float, per_second: int, faults: float) -> None:
    """Serve POOL until the input ends."""
    with World(pool) as world, ModelWorld() as models:
        world.latency(SEARCH, search_s)
        world.web.latency = fetch_s
        models.latency(MODEL_SERVICE, model_s)
        models.speak(MODEL_SERVICE, answer)
        if per_second:
            world.limit(SEARCH, per_second, fault("429, Retry-After in seconds"))
        if faults:
            world.sometimes(SEARCH, faults, [fault("500"), fault("connection reset")])
        env = world.env(SEARCH) | models.env(MODEL_SERVICE) | FREE | {"S2R_FETCH_PROXY": world.origin}
        print(json.dumps(env), flush=True)
        for _ in sys.stdin:
            print(json.dumps(counts(world, models)), flush=True)


def counts(world: World, models: ModelWorld) -> dict[str, float]:
    """What was asked for so far, and the CPU seconds that the world itself has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    pages = [seen for seen in world.seen if seen.path != "/robots.txt"]
    return {
        "searches": len(world.calls(SEARCH)),
        "pages": len(pages),
        "robots": len(world.seen) - len(pages),
        "models": len(models.calls(MODEL_SERVICE)),
        "tokens": sum(len(heard.system) + sum(len(text) for _, text in heard.turns) for heard in models.heard(MODEL_SERVICE)) // 4,
        "cpu": used.ru_utime + used.ru_stime,
    }


class Served:
    """A world in a process of its own, as a context manager; `env` is for commands that use it."""

    def __init__(self, pool: Path, *options: object) -> None:
        self._command = [sys.executable, "-m", "benchmarks.world", str(pool), *map(str, options)]
        self.env: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=clean_environment()
        )
        self.env = self._read()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(30)

    def counts(self) -> dict[str, float]:
        """See `counts`."""
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the world ended: {' '.join(self._command)}")
        return dict(json.loads(line))


def since(after: dict[str, float], before: dict[str, float], names: Sequence[str] = ()) -> dict[str, float]:
    """What was asked for between two counts."""
    return {name: after[name] - before[name] for name in names or after}


if __name__ == "__main__":
    main()

"""The index of the Wayback Machine keeps one budget over processes, through the project's own clients and limiter."""

from __future__ import annotations

import asyncio
import datetime as dt
import itertools
import json
import sys
from pathlib import Path

from s2r.testing import World

WORKER = """
import asyncio, json, sys
from s2r.fetch.webarchive import WebArchive, archive_limits, archive_urls, archives_of
from s2r.net import Role, open_limiter, open_net
from s2r.settings import load_settings
async def main():
    settings = load_settings(json.loads(sys.argv[1]), {})
    limiter = open_limiter(settings, archive_limits(settings))
    async with open_net(Role.SEARCH, settings, limiter, endpoints=archive_urls(settings)) as net:
        archive = WebArchive(net, archives_of(settings)[0])
        found = await asyncio.gather(*(archive.captures(sys.argv[2]) if n % 2 else archive.timemap(sys.argv[2]) for n in range(6)))
        print(sum(len(one.rows if hasattr(one, "rows") else one.mementos) for one in found))
asyncio.run(main())
"""


def test_two_processes_share_the_budget_of_the_index(tmp_path: Path) -> None:
    """Six requests of each of two processes, for CDX and TimeMap, come one by one, never closer than the pace of the one budget."""
    url, rate = "https://www.alder.example/notice", 2.0
    with World() as world:
        world.kept.keep(url, dt.datetime(2024, 3, 5, tzinfo=dt.UTC), b"<p>kept</p>")
        env = world.env("wayback") | {"S2R_HOME": str(tmp_path), "S2R_WAYBACK_INDEX_PER_MINUTE": str(60 * rate)}

        async def run() -> list[bytes]:
            command = [sys.executable, "-c", WORKER, json.dumps(env), url]
            workers = [await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE) for _ in range(2)]
            return [out for out, _ in await asyncio.gather(*(worker.communicate() for worker in workers))]

        assert [out.strip() for out in asyncio.run(run())] == [b"6", b"6"]
        arrivals = sorted(seen.at for part in ("cdx", "timemap") for seen in world.kept.calls(part))
    gaps = [later - sooner for sooner, later in itertools.pairwise(arrivals)]
    assert len(arrivals) == 12
    assert min(gaps) >= 0.75 / rate, f"{min(gaps):.3f} s between two requests"  # a busy machine may delay the first of two by a quarter

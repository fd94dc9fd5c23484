"""A synthetic universe whose rows have a set number of pages of a set size on a set number of hosts, and the policies of its operator."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from s2r.policy.load import policy_root
from s2r.settings import Settings
from s2r.synth.cases import HOST, UniverseSpec, cases, documents

FIELDS = ("row_id", "issuer", "security", "security_type", "ticker", "mic", "venue", "country", "cutoff")
SEARCH, MODEL = "brave", "compat:bench"
_FILLER = (
    "Shares of consumer goods makers were little changed in quiet trading.", "Analysts expect demand for ceramics to hold up next year.",
    "The harbour authority plans to widen its northern quay.", "Freight rates between the two coasts fell for a third week.",
    "A new rail link will shorten the way to the airport by ten minutes.", "Farmers in the valley report a good harvest of pears.",
)  # fmt: skip
_OPERATOR = """
[model."compat:bench*"] # a server of one's own that answers any number of requests
concurrency = 256
rate = 5000
prices = "free"
"""


@dataclass(frozen=True, slots=True)
class Site:
    """What was written: a universe, its pool, and how many rows and pages they have."""

    universe: Path
    pool: Path
    rows: int
    pages: int


def write_site(folder: Path, rows: int, *, pages: int = 3, kilobytes: float = 0.0, hosts: int = 64, seed: int = 1) -> Site:
    """Listings of one US market, each with `pages` pages: a notice or none, recaps, traps, other news, and about `kilobytes` of text that
    says nothing of it around each. The same arguments give the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    universe, pool = folder / "universe.csv", folder / "pool.jsonl"
    spec = UniverseSpec(rows, seed=seed, mics=("XNAS",), noise=float(pages))
    with universe.open("w", encoding="utf-8", newline="") as out, pool.open("w", encoding="utf-8") as docs:
        writer = csv.writer(out)
        writer.writerow(FIELDS)
        for case in cases(spec):
            writer.writerow([getattr(case.listing, name) for name in FIELDS])
            for place, document in enumerate(documents(spec, case)):
                if place == pages:
                    break
                address = f"http://site{(case.number * pages + place) % hosts}.{HOST}{urlsplit(document.url).path}"
                body = document.body.replace("</main>", f"{filler(kilobytes, case.number + place)}</main>")
                docs.write(json.dumps({"url": address, "title": document.title, "content_type": "text/html", "body": body}) + "\n")
    return Site(universe, pool, rows, rows * pages)


def filler(kilobytes: float, start: int) -> str:
    """Paragraphs of about so many kB."""
    return "".join(f"<p>{escape(line)}</p>" for line in _lines(kilobytes * 1024, start))


def _lines(size: float, start: int) -> Iterator[str]:
    made, number = 0, start
    while made < size:
        line = " ".join(_FILLER[(number * 7 + place) % len(_FILLER)] for place in range(4))
        yield line
        made, number = made + len(line), number + 1


def write_policies(folder: Path) -> Path:
    """The policies as an operator has them whose search plan and model server bear any pace."""
    root = Path(shutil.copytree(policy_root(Settings()), folder / "policies"))
    with (root / "models.toml").open("a", encoding="utf-8") as out:
        out.write(_OPERATOR)
    return root

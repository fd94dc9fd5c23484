"""Tokens: what a model is shown of the pages of a case, beside the whole main texts, and whether the passage that decides is in it."""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most, told
from s2r.adjudicate import adjudicate_documents
from s2r.adjudicate.llm import build_pack
from s2r.adjudicate.llm.pack import estimate
from s2r.archive.warc import sha256
from s2r.errors import SourceBroken
from s2r.extract import extract
from s2r.extract.published import capture_claim
from s2r.modelapi import load_catalogue
from s2r.models import Capture, Listing, Page
from s2r.policy import Policy, load_policy, policy_root
from s2r.policy.asking import load_asking
from s2r.search import Pool, search
from s2r.settings import Settings
from s2r.universe import read_universe

MAX_PAGES = 40


@dataclass(frozen=True, slots=True)
class Shown:
    """One case: tokens of the pack and of the whole main texts, whether a page that decides was found, and whether it is in the pack."""

    row_id: str
    pack: int
    whole: int
    found: bool
    inside: bool


def tokens(shared: Path) -> Iterator[Figure]:
    """Over the sealed development set, nothing when it is not there."""
    folder = shared / "sealed-dev"
    if not (folder / "docs.jsonl").is_file():
        return
    shown = list(cases(folder))
    decided = [one for one in shown if one.found]
    ratio = sum(one.pack for one in shown) / max(1, sum(one.whole for one in shown))
    of = f"{len(shown)} cases of sealed-dev: {sum(x.pack for x in shown)} of {sum(x.whole for x in shown)} tokens (four letters each)"
    yield at_most("tokens", "evidence packs / whole main texts", ratio, 0.5, of)
    missing = ", ".join(one.row_id for one in decided if not one.inside)
    of = f"{len(decided)} cases with a qualifying page among those found" + (f"; missing: {missing}" if missing else "")
    yield at_least("tokens", "packs that hold the page that decides", sum(x.inside for x in decided) / max(1, len(decided)), 1.0, of)
    most = max(shown, key=lambda one: one.pack)
    yield told("tokens", "largest pack", most.pack, most.row_id)


def cases(folder: Path) -> Iterator[Shown]:
    """Every case of a set with gold: searched, read and judged as an audit does it."""
    root = policy_root(Settings())
    policy, asking = load_policy("delisting", root), load_asking(root, "delisting")
    rule = load_catalogue(root).pack
    qualifying = _qualifying(folder)
    gold = {row["case_id"]: row for row in _rows(folder / "gold.csv")}
    with Pool.open(folder / "docs.jsonl") as pool:
        for listing in read_universe(folder / "universe.csv", default_cutoff=None, today=dt.date.max, venues=policy.venues).listings:
            pages = _pages(listing, policy, pool)
            _, judged = adjudicate_documents(listing, pages, policy)
            pack = build_pack(listing, judged, policy, rule, asking.instructions)
            whole = sum(estimate(main_text(page)) for page in pages)
            wanted = qualifying.get(listing.row_id, frozenset()) if gold[listing.row_id]["stratum"] == "A" else frozenset()
            found = {page.url for page in pages} & wanted
            held = {passage.ref.url for passage in pack.passages}
            yield Shown(listing.row_id, pack.note.tokens, whole, bool(found), bool(found & held))


def main_text(page: Page) -> str:
    """The main text of a page, as a tool without packs would send it."""
    return "\n".join(page.text[block.start : block.end] for block in page.blocks if block.main)


def _pages(listing: Listing, policy: Policy, pool: Pool) -> Sequence[Page]:
    hits = asyncio.run(search(listing, policy, (pool,), MAX_PAGES)).hits
    pages = []
    for hit in hits:
        got = pool.read(hit.url)
        if not isinstance(got, Capture):
            continue
        try:
            page = extract(got.body, got.content_type, hit.url, digest=sha256(got.body), fallback_title=got.title)
        except SourceBroken:
            continue
        pages.append(page.model_copy(update={"claims": (*page.claims, capture_claim(got.fetched_at))}))
    return pages


def _qualifying(folder: Path) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in (folder / "docs_gold.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["qualifying"]:
            found.setdefault(row["case_id"], set()).add(row["url"])
    return {name: frozenset(urls) for name, urls in found.items()}


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as fh:
        return list(csv.DictReader(fh))

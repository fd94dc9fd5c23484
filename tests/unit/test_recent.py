"""What was read last is kept for the next listing, and gives what reading it anew gives."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from s2r.adjudicate import adjudicate_documents
from s2r.extract import extract
from s2r.lang.recent import Recent
from s2r.models import Page
from s2r.policy import load_policy, policy_root
from s2r.settings import Settings
from s2r.universe import read_universe

GOLD = Path(__file__).parents[1] / "gold" / "us"


def test_what_nobody_asked_for_longest_goes_first() -> None:
    """Three values in a place for two."""
    recent: Recent[str, int] = Recent(2)
    recent.keep("a", 1)
    recent.keep("b", 2)
    assert recent.get("a") == 1
    recent.keep("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]


@pytest.mark.slow
def test_pages_read_for_another_listing_are_judged_as_if_read_anew() -> None:
    """The same page objects for listings of one venue and of others, in another order, against pages of their own."""
    policy = load_policy("delisting", policy_root(Settings()))
    today = dt.date(2026, 1, 1)
    listings = read_universe(GOLD / "universe.csv", default_cutoff=None, today=today, venues=policy.venues).listings[:2]
    lines = [json.loads(line) for line in (GOLD / "docs.jsonl").read_text("utf-8").splitlines()[:6]]

    def pages() -> list[Page]:
        return [extract(d["body"].encode(), d["content_type"], d["url"], digest=f"sha256:{n:064d}") for n, d in enumerate(lines)]

    shared = pages()
    for listing in listings:
        again = adjudicate_documents(listing, shared[::-1], policy)
        copies = [page.model_copy(update={"claims": page.claims}) for page in shared]
        once_more = adjudicate_documents(listing, copies, policy)
        assert [j.doc.scan is k.doc.scan for j, k in zip(again[1], once_more[1], strict=True)] == [True] * len(lines)
        assert [j.doc.order for j in again[1]] == list(range(len(lines)))
        anew = adjudicate_documents(listing, pages(), policy)
        assert [j.doc.scan is k.doc.scan for j, k in zip(again[1], anew[1], strict=True)] == [False] * len(lines)
        assert again[0] == once_more[0] == anew[0]

"""Extraction over the development pool, read in place: offsets that hold, and languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2r.extract import decode, extract
from s2r.models import BlockKind

pytestmark = pytest.mark.slow

SHARED = Path(__file__).resolve().parents[3] / "shared"
DEV = SHARED / "sealed-dev"

needs_dev = pytest.mark.skipif(not DEV.is_dir(), reason="development pool is not here (../shared/sealed-dev)")


@needs_dev
def test_offsets_of_the_development_pool_hold() -> None:
    """Letters of every block lead back to the same letter (or a reference) in the decoded source; metadata lines have no place there."""
    docs = [json.loads(line) for line in (DEV / "docs.jsonl").open(encoding="utf-8")]
    pages = [extract(doc["body"].encode(), doc["content_type"], doc["url"], digest="d", fallback_title=doc["title"]) for doc in docs]
    for doc, page in zip(docs, pages, strict=True):
        source = decode(doc["body"].encode(), doc["content_type"]).text
        assert source == doc["body"], doc["url"]
        for block in page.blocks:
            if block.kind is BlockKind.HEADER and not block.main:
                continue
            for offset in (block.start, block.end - 1):
                char = page.text[offset]
                if char.isalnum():
                    assert source[page.source_offset(offset)] in (char, "&"), doc["url"]


@needs_dev
def test_languages_of_the_development_pool() -> None:
    """At least 98% of documents get the language that their writer gave."""
    gold = {row["url"]: row["lang"] for row in map(json.loads, (DEV / "docs_gold.jsonl").open(encoding="utf-8"))}
    docs = [json.loads(line) for line in (DEV / "docs.jsonl").open(encoding="utf-8")]
    right = 0
    for doc in docs:
        lang = extract(doc["body"].encode(), doc["content_type"], doc["url"], digest="d").lang
        want = gold[doc["url"]]
        right += lang == want or (want == "zh" and lang.startswith("zh"))
    assert right / len(docs) >= 0.98, f"{right} of {len(docs)}"

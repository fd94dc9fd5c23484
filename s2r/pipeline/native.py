"""What a model found with its provider's own search tool: pages that are fetched, archived and verified like any."""

from __future__ import annotations

from collections.abc import Iterator

from s2r.modelapi import ModelAnswer
from s2r.models import Hit


def cited_hits(answer: ModelAnswer, provider: str, most: int) -> tuple[Hit, ...]:
    """The pages that an answer names, cited ones first, at most `most`: as hits of the provider's search. None is believed before it
    was fetched; one that cannot be is a gap."""
    return tuple(_hits(answer, provider))[:most]


def _hits(answer: ModelAnswer, provider: str) -> Iterator[Hit]:
    seen: set[str] = set()
    query = "; ".join(answer.queries)[:300]
    for citation in sorted(answer.citations, key=lambda one: not one.cited):
        if citation.url not in seen:
            seen.add(citation.url)
            yield Hit(url=citation.url, title=citation.title, provider=f"native:{provider}", rank=len(seen), query=query)

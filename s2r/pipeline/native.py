"""What a model found with its provider's own search tool: pages that are fetched, archived and verified like any."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import NamedTuple

from s2r.modelapi import ModelAnswer
from s2r.models import Gap, Hit, Outcome

Resolve = Callable[[str], Awaitable[str | Gap]]  # where a link that expires leads


class Cited(NamedTuple):
    """A page that an answer names. `temporary`: its address is a link of the search tool that expires."""

    hit: Hit
    temporary: bool = False


class Resolved(NamedTuple):
    """Cited pages under their own addresses, each once, and the links that lead nowhere."""

    hits: tuple[Hit, ...]
    gaps: tuple[Gap, ...]


def cited_hits(answer: ModelAnswer, provider: str, most: int) -> tuple[Cited, ...]:
    """The pages that an answer names, cited ones first, at most `most`: as hits of the provider's search. None is believed before it
    was fetched; one that cannot be is a gap."""
    return tuple(_hits(answer, provider))[:most]


async def resolved(cited: Sequence[Cited], resolve: Resolve | None) -> Resolved:
    """Cited pages with links of search tools resolved; without `resolve` such a link is a gap."""
    hits: dict[str, Hit] = {}
    gaps = []
    for hit, temporary in cited:
        target: str | Gap = hit.url
        if temporary:
            target = await resolve(hit.url) if resolve else _unresolved(hit.url)
        if isinstance(target, Gap):
            gaps.append(target)
        else:
            hits.setdefault(target, hit.model_copy(update={"url": target}))
    return Resolved(tuple(hits.values()), tuple(gaps))


def _unresolved(url: str) -> Gap:
    cause = "a link of the search tool, which only the live web resolves"
    return Gap(url=url, step="fetch", outcome=Outcome.REFUSED, cause=cause, next_step="Run without --pool.")


def _hits(answer: ModelAnswer, provider: str) -> Iterator[Cited]:
    seen: set[str] = set()
    query = "; ".join(answer.queries)[:300]
    for citation in sorted(answer.citations, key=lambda one: not one.cited):
        if citation.url not in seen:
            seen.add(citation.url)
            hit = Hit(url=citation.url, title=citation.title, provider=f"native:{provider}", rank=len(seen), query=query)
            yield Cited(hit, citation.temporary)
